//! A gate as bytes of the device's global memory, where the host's side finds it.
//!
//! ```text
//! "MESIGATE"  u32 n  u32 m  u32 shared  u32 relies  u32 blocks  u32 parts  u32 chip  u32 per_thread  u32 merged
//! n bytes: the kernel's name   m bytes: LLVM bitcode                               little-endian, no padding
//! ```
//! The tools read it as `mesi_launch::Gate`, and are strict: they are built without LLVM, and the plug-in without their
//! crates.

/// Begins each record.
const MAGIC: &[u8] = b"MESIGATE";

/// A version relies on its gate.
pub const RELIES: u32 = 1;
/// A version of a folded or spread copy, which relies on it, too.
pub const FOLDED: u32 = 3;
/// A version that relies on its gate and on what the driver says of memory, besides.
pub const MAPPED: u32 = 5;

/// That a version is right on no chip.
pub const NO_CHIP: u32 = u32::MAX;

/// What a version needs; nothing in records that are not a version's own gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// Static shared memory, in bytes: tiles, and what the original has.
    pub shared: u32,
    /// [`RELIES`]: on its gate, as it has no other body for launches that the gate refuses. [`FOLDED`]: it must be
    /// launched as its record of that name says. [`MAPPED`]: what its record of that name says must be memory. Bits of
    /// these together: on all of that. 0: on nobody, as it tests itself all that it rests on.
    pub relies: u32,
    /// Blocks along x, at most, that it is launched in, whatever the launch is that its gate was asked of; 0: as many
    /// as that has.
    pub blocks: u32,
    /// How many times the launch's dynamic shared memory, rounded up to 16 bytes, it is launched with: replicas have
    /// parts of it; 0: as it is.
    pub parts: u32,
    /// The only chip that it is right on, as 90 for `sm_90`: a later one may run its code; 0: any.
    pub chip: u32,
    /// Bytes of dynamic shared memory that it is launched with for each thread of a block, in whole warps; 0: as the
    /// launch says.
    pub per_thread: u32,
    /// Blocks of the launch that its gate was asked of which each of its own does the work of, along x, y and z, in
    /// a byte each; 0: one.
    pub merged: u32,
}

impl Needs {
    /// Whether the version relies on that: all bits of it are there.
    pub fn relies_on(self, what: u32) -> bool {
        self.relies & what == what
    }

    /// As a record has them.
    fn words(self) -> [u32; 7] {
        let [shared, _, _, blocks, parts, chip, per_thread, merged] = self.numbers(0);
        [shared, self.relies, blocks, parts, chip, per_thread, merged]
    }

    fn of([shared, relies, blocks, parts, chip, per_thread, merged]: [u32; 7]) -> Needs {
        Needs {
            shared,
            relies,
            blocks,
            parts,
            chip,
            per_thread,
            merged,
        }
    }

    /// As the run-time part has them, with the threads of a block that the version's code was made for.
    pub fn numbers(self, threads: u32) -> [u32; 8] {
        [
            self.shared,
            threads,
            u32::from(self.relies != 0),
            self.blocks,
            self.parts,
            self.chip,
            self.per_thread,
            self.merged,
        ]
    }

    /// The most that either has; of what the version is launched in, what this one has.
    pub fn most(self, other: Needs) -> Needs {
        Needs {
            shared: self.shared.max(other.shared),
            relies: self.relies | other.relies,
            // One that takes all of a launch's blocks to be there must have them.
            blocks: match self.blocks.min(other.blocks) {
                0 => 0,
                _ => self.blocks.max(other.blocks),
            },
            // One that makes fewer parts of it has larger ones.
            parts: self.parts.max(other.parts),
            // One that is right on a chip alone is not on another one; of two such none is right anywhere.
            chip: match (self.chip, other.chip) {
                (x, y) if x == y || y == 0 => x,
                (0, y) => y,
                _ => NO_CHIP,
            },
            // One that keeps less there has room in more.
            per_thread: self.per_thread.max(other.per_thread),
            merged: self.merged,
        }
    }
}

/// A kernel's gate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record<'a> {
    /// The kernel's name, as in PTX.
    pub kernel: &'a str,
    pub needs: Needs,
    /// A module whose only function with a body is the gate.
    pub bitcode: &'a [u8],
    /// Those of the same kernel in images for other chips, where they differ: the host does not know which image runs.
    pub others: Vec<&'a [u8]>,
}

/// The bytes of a record.
pub fn write(kernel: &str, needs: Needs, bitcode: &[u8]) -> Vec<u8> {
    let lengths = [kernel.len() as u32, bitcode.len() as u32];
    let words = lengths.into_iter().chain(needs.words());
    let start: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    [MAGIC, &start, kernel.as_bytes(), bitcode].concat()
}

/// Whether a constant of these bytes is a record.
pub fn is_record(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// What stands behind each place of `bytes` with this magic.
pub(super) fn behind<'a>(bytes: &'a [u8], magic: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let places = 0..=bytes.len().saturating_sub(magic.len());
    places.filter_map(move |i| bytes[i..].strip_prefix(magic))
}

/// Every record in `bytes`, which may be anything: what is cut short is none.
pub fn read_all(bytes: &[u8]) -> Vec<Record<'_>> {
    behind(bytes, MAGIC).filter_map(read).collect()
}

fn read(bytes: &[u8]) -> Option<Record<'_>> {
    let (numbers, bytes) = bytes.split_first_chunk::<36>()?;
    let [name, code, needs @ ..] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
        .map(|k| u32::from_le_bytes([0, 1, 2, 3].map(|i| numbers[4 * k + i])));
    let (kernel, bytes) = bytes.split_at_checked(name as usize)?;
    Some(Record {
        kernel: std::str::from_utf8(kernel).ok()?,
        needs: Needs::of(needs),
        bitcode: bytes.get(..code as usize)?,
        others: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEEDS: Needs = Needs {
        shared: 36864,
        relies: 1,
        blocks: 264,
        parts: 8,
        chip: 90,
        per_thread: 64,
        merged: 0x1_0402,
    };

    #[test]
    fn a_record_is_found_among_other_bytes() {
        let mut bytes = b"MESIMESIGATE".to_vec();
        bytes.extend(write("_Z2mmPf", NEEDS, b"BC..."));
        bytes.extend(b"tail");
        bytes.extend(write("k", Needs::default(), b""));
        let mm = ("_Z2mmPf", NEEDS, &b"BC..."[..]);
        let k = ("k", Needs::default(), &b""[..]);
        let found: Vec<_> = read_all(&bytes)
            .iter()
            .map(|r| (r.kernel, r.needs, r.bitcode))
            .collect();
        assert_eq!(found, [mm, k]);
    }

    #[test]
    fn the_tools_read_what_is_written() {
        let bitcode = b"BC\xc0\xde...";
        let read = mesi_launch::Gate::all(&write("_Z2mmPf", NEEDS, bitcode)).unwrap();
        let [gate] = &read[..] else {
            panic!("{read:?}")
        };
        assert_eq!(
            (&gate.kernel[..], gate.needs, &gate.bitcode[..]),
            (
                "_Z2mmPf",
                [36864, 1, 264, 8, 90, 64, 0x1_0402],
                &bitcode[..]
            )
        );
    }

    #[test]
    fn what_is_cut_short_is_none() {
        let whole = write("kernel", NEEDS, b"bitcode");
        for n in 0..whole.len() {
            assert_eq!(read_all(&whole[..n]), []);
        }
        assert_eq!(read_all(&whole).len(), 1);
    }
}
