//! Gates: what the plug-in leaves in device code for the host to choose by.
//!
//! Beside a kernel `K` the plug-in makes versions, kernels `K$mesi$0` and on, and for each a constant `K$mesi$0$gate`:
//!
//! ```text
//! MESIGATE   8 bytes
//! n, m       4 bytes each, little endian
//! needs      4 bytes each: see [`Gate::needs`]
//! name       n bytes: K$mesi$0
//! bitcode    m bytes: define zeroext i1 @"K$mesi$0$gate"(ptr %args, ptr %launch)
//! ```
//! `args` points to a pointer to each argument, `launch` to six u32: block x, y, z, grid x, y, z. Where the
//! function says false, the version must not be launched. The gate of `K$mesi$0$pays` says whether the model is sure that the launch gains.
//!
//! A kernel whose threads may be dealt out to other blocks has a gate of another kind, the gate of `K$blocks.…`: where that says true, it has put
//! another launch of the same threads in the six numbers, and `K` and its versions may get that one.
//!
//! The record of `K$mesi` holds no bitcode but numbers, which the run-time part of host code has use for ([`Gate::is_code`]).

pub use mesi_names::VERSION;

use crate::error::{Error, Result};

/// What the name ends with of that of which the gate says whether a version gains.
pub const PAYS: &str = "$pays";
/// What the name ends with of the record of what is known of a kernel.
pub const ABOUT: &str = "$mesi";
/// What the name of the kernel whose gate deals threads out to blocks goes on with, before what the gate rests on: there is no such kernel.
pub const BLOCKS: &str = "$blocks";
/// What the name ends with of the record of how a version of a folded copy is launched.
pub const FOLD: &str = "$fold";
/// What the name ends with of the record of where that lies which must be memory for a version: its function writes
/// [`RANGES`] pairs of 64 bits behind the launch's numbers.
pub const MAPPED: &str = "$mapped";
/// Ranges that a version may have.
pub const RANGES: usize = 8;
/// What the symbol of the constant, and of the function in it, ends with.
pub const GATE: &str = "$gate";

const MAGIC: &[u8] = b"MESIGATE";
/// Begins records that are packed: `n`, `m`, and `n` bytes, a block of LZ4, of `m` bytes. At the end of a device compile all of a module's are.
const PACKED: &[u8] = b"MESIPACK";
/// LZ4 makes no more of a byte.
const LZ4_MOST: usize = 255;
/// How LLVM's bitcode begins.
const BITCODE: &[u8] = b"BC\xc0\xde";

/// The gate of one kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// Symbol of the kernel.
    pub kernel: String,
    /// Static shared memory of the kernel, in bytes; 1 if it relies on the gate, as it does not test itself all that it rests on; and blocks along
    /// x that it is launched in at most, whatever the launch is, if not 0; and how many parts it has of the launch's dynamic shared memory
    /// ([`Gate::dynamic_shared`]); and the only chip that it is right on, as 90 for `sm_90`, if not 0; and bytes of
    /// dynamic shared memory for each thread of a block; and how many blocks each of its own does the work of
    /// ([`Gate::groups`]). All 0 where the gate is not a version's own.
    pub needs: [u32; NEEDS],
    /// A module with its function.
    pub bitcode: Vec<u8>,
}

/// The kernel that one of this name is a version of; `None`: it is none.
pub fn kept_beside(symbol: &str) -> Option<&str> {
    version_of(symbol).map(|(kernel, _)| kernel)
}

/// The same with the version's number.
pub fn version_of(symbol: &str) -> Option<(&str, u32)> {
    let (kernel, number) = symbol.rsplit_once(VERSION)?;
    Some((kernel, number.parse().ok()?))
}

/// The name, of these of gates' kernels, of that which deals the threads of `kernel` out.
pub fn blocks_of<'s>(kernel: &str, mut names: impl Iterator<Item = &'s str>) -> Option<&'s str> {
    let start = format!("{kernel}{BLOCKS}.");
    names.find(|n| n.starts_with(&start))
}

/// What is packed at the start of `bytes`, behind [`PACKED`]; else what is wrong with it.
fn unpacked(bytes: &[u8]) -> std::result::Result<Vec<u8>, String> {
    let word = |at: usize| {
        let word = bytes.get(at..).and_then(|b| b.first_chunk());
        word.map(|w| u32::from_le_bytes(*w) as usize)
    };
    let (Some(length), Some(size)) = (word(0), word(4)) else {
        return Err("lack their lengths".into());
    };
    let block = bytes[8..].get(..length);
    let block = block.ok_or_else(|| format!("are cut short: {length} bytes are wanted"))?;
    if size / LZ4_MOST > length {
        return Err(format!("cannot be {size} bytes"));
    }
    lz4_flex::block::decompress(block, size).map_err(|e| format!("cannot be unpacked: {e}"))
}

/// How many numbers say what a version needs.
const NEEDS: usize = 7;

impl Gate {
    /// Bytes of a record in front of its name.
    pub const HEAD: usize = MAGIC.len() + 4 * (2 + NEEDS);

    /// Dynamic shared memory, in bytes, that a version which has so many `parts` of it, or so much `per_thread`, is launched with in these
    /// blocks where its kernel gets `bytes`; `None`: more than there are numbers for.
    pub fn dynamic_shared(
        [parts, per_thread]: [u32; 2],
        bytes: u32,
        [x, y, z]: [u32; 3],
    ) -> Option<u32> {
        match (per_thread, parts) {
            (0, 0) => Some(bytes),
            (0, n) => bytes.checked_next_multiple_of(16)?.checked_mul(n),
            (each, _) => {
                let threads = x.checked_mul(y)?.checked_mul(z)?;
                threads.checked_next_multiple_of(32)?.checked_mul(each)
            }
        }
    }

    /// The grid in which a version is launched whose blocks each do the work of so many of its kernel's, `merged` along
    /// x, y and z in a byte each, 0 for one.
    pub fn groups(merged: u32, grid: [u32; 3]) -> [u32; 3] {
        let along = |d: usize| (merged >> (8 * d) & 0xff).max(1);
        [0, 1, 2].map(|d| grid[d].div_ceil(along(d)))
    }

    /// Whether it holds a function.
    pub fn is_code(&self) -> bool {
        !self.kernel.ends_with(ABOUT)
    }

    /// All gates in `image`, a cubin or whatever else holds them, in their order there.
    ///
    /// A record that cannot be one, or one that cannot be unpacked, is an error: whoever reads images that the plug-in made wants to know. A
    /// kernel's own data that happens to hold the eight letters is one too.
    pub fn all(image: &[u8]) -> Result<Vec<Gate>> {
        let (mut gates, mut rest) = (None, image);
        while let Some(found) = rest.windows(PACKED.len()).position(|w| w == PACKED) {
            rest = &rest[found + PACKED.len()..];
            let at = image.len() - rest.len() - PACKED.len();
            let records = unpacked(rest)
                .map_err(|why| Error(format!("the packed gates at byte {at} {why}")))?;
            gates
                .get_or_insert_with(Vec::new)
                .extend(Gate::all_plain(&records)?);
        }
        // What is packed may begin as a record does.
        gates.map_or_else(|| Gate::all_plain(image), Ok)
    }

    fn all_plain(image: &[u8]) -> Result<Vec<Gate>> {
        let mut gates = Vec::new();
        let mut at = 0;
        while let Some(found) = image[at..].windows(MAGIC.len()).position(|w| w == MAGIC) {
            let start = at + found;
            let (gate, length) = Gate::read(&image[start..])
                .map_err(|why| Error(format!("the gate at byte {start} {why}")))?;
            gates.push(gate);
            at = start + length;
        }
        Ok(gates)
    }

    /// The record that `bytes` begin with, and its length in bytes; else what is wrong with it.
    fn read(bytes: &[u8]) -> std::result::Result<(Gate, usize), String> {
        let mut rest = &bytes[MAGIC.len()..];
        let mut take = |what: &str, length: usize| {
            let (taken, left) = rest.split_at_checked(length).ok_or_else(|| {
                format!(
                    "lacks its {what}: {length} bytes are wanted, {} are there",
                    rest.len()
                )
            })?;
            rest = left;
            Ok::<&[u8], String>(taken)
        };
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, b| n << 8 | usize::from(*b));
        let name = word(take("name's length", 4)?);
        let code = word(take("bitcode's length", 4)?);
        let mut needs = [0; NEEDS];
        for need in &mut needs {
            *need = word(take("needs", 4)?) as u32;
        }
        let name = take("name", name)?;
        let bitcode = take("bitcode", code)?;
        if name.is_empty() {
            return Err("has no name".into());
        }
        let kernel = str::from_utf8(name).map_err(|_| "has a name that is no text")?;
        if !kernel.ends_with(ABOUT) && !bitcode.starts_with(BITCODE) {
            return Err(format!("of {kernel} holds no bitcode"));
        }
        let gate = Gate {
            kernel: kernel.into(),
            needs,
            bitcode: bitcode.into(),
        };
        let left = rest.len();
        Ok((gate, bytes.len() - left))
    }

    /// The record, as it lies in an image.
    pub fn record(&self) -> Vec<u8> {
        let length = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
        let name = self.kernel.as_bytes();
        [
            MAGIC,
            &length(name),
            &length(&self.bitcode),
            &self.needs[0].to_le_bytes(),
            &self.needs[1].to_le_bytes(),
            &self.needs[2].to_le_bytes(),
            &self.needs[3].to_le_bytes(),
            &self.needs[4].to_le_bytes(),
            &self.needs[5].to_le_bytes(),
            &self.needs[6].to_le_bytes(),
            name,
            &self.bitcode,
        ]
        .concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(kernel: &str) -> Gate {
        Gate {
            kernel: kernel.into(),
            needs: [36_864, 1, 264, 8, 90, 64, 0x0402],
            bitcode: b"BC\xc0\xde and more".to_vec(),
        }
    }

    #[test]
    fn gates_are_found_between_other_bytes() {
        let gates = [gate("_Z2mmPf"), gate("k")];
        let image = [
            b"\x7fELF MESI",
            &gates[0].record()[..],
            b"...",
            &gates[1].record(),
            b"MESIGAT",
        ];
        assert_eq!(Gate::all(&image.concat()).unwrap(), gates);
        assert_eq!(Gate::all(b"").unwrap(), []);
    }

    #[test]
    fn gates_that_cannot_be_unpacked_are_told() {
        let error = |image: &[u8]| Gate::all(image).unwrap_err().to_string();
        let at = "the packed gates at byte 2";
        assert_eq!(error(b"..MESIPACK...."), format!("{at} lack their lengths"));
        assert_eq!(
            error(b"..MESIPACK\x02\0\0\0\x09\0\0\0x"),
            format!("{at} are cut short: 2 bytes are wanted")
        );
        assert_eq!(
            error(b"..MESIPACK\x01\0\0\0\0\0\0\x7fx"),
            format!("{at} cannot be 2130706432 bytes")
        );
        let broken = error(b"..MESIPACK\x02\0\0\0\x09\0\0\0\xffx");
        assert!(
            broken.starts_with(&format!("{at} cannot be unpacked")),
            "{broken}"
        );
    }

    #[test]
    fn parts_of_dynamic_memory_begin_at_16_bytes() {
        let of = |parts, bytes| Gate::dynamic_shared([parts, 0], bytes, [32, 2, 1]);
        assert_eq!(
            [of(0, 100), of(2, 100), of(8, 1024)],
            [Some(100), Some(224), Some(8192)]
        );
        assert_eq!([of(2, u32::MAX), of(4, 1 << 30)], [None; 2]);
    }

    #[test]
    fn columns_are_those_of_whole_warps() {
        let of = |block| Gate::dynamic_shared([0, 64], 0, block);
        assert_eq!(
            [of([7, 5, 1]), of([16, 16, 1]), of([1 << 31, 2, 1])],
            [Some(4096), Some(16_384), None]
        );
    }

    #[test]
    fn a_record_within_a_record_is_none() {
        let mut outer = gate("k");
        outer.bitcode.extend(gate("inner").record());
        assert_eq!(Gate::all(&outer.record()).unwrap(), [outer]);
    }

    #[test]
    fn every_truncation_is_told() {
        let record = gate("kernel").record();
        for length in MAGIC.len()..record.len() {
            let error = Gate::all(&record[..length]).unwrap_err().to_string();
            assert!(
                error.starts_with("the gate at byte 0 lacks its "),
                "{length}: {error}"
            );
        }
        let image = [b"xyz", &record[..48]].concat();
        assert_eq!(
            Gate::all(&image).unwrap_err().to_string(),
            "the gate at byte 3 lacks its name: 6 bytes are wanted, 4 are there"
        );
    }

    #[test]
    fn lengths_beyond_the_end_are_told() {
        for field in [8, 12] {
            let mut record = gate("k").record();
            record[field..field + 4].fill(0xff);
            let error = Gate::all(&record).unwrap_err().to_string();
            assert!(error.contains("4294967295 bytes are wanted"), "{error}");
        }
    }

    #[test]
    fn what_is_no_name_or_bitcode_is_told() {
        let error = |gate: Gate| Gate::all(&gate.record()).unwrap_err().to_string();
        assert!(error(gate("")).ends_with("has no name"));
        let mut other = gate("k");
        other.bitcode[0] = b'b';
        assert!(error(other).ends_with("of k holds no bitcode"));
        let mut record = gate("k").record();
        record[Gate::HEAD] = 0xff;
        let told = Gate::all(&record).unwrap_err().to_string();
        assert!(told.ends_with("a name that is no text"), "{told}");
    }
}
