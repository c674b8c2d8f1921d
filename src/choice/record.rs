//! A gate as bytes of the device's global memory, where the host's side finds it.
//!
//! ```text
//! "MESIGATE"  u32 n  u32 m  n bytes: the kernel's name   m bytes: LLVM bitcode        little-endian, no padding
//! ```
//! The tools read it as `mesi_launch::Gate`, and are strict: they are built without LLVM, and the plug-in without their
//! crates.

/// Begins each record.
const MAGIC: &[u8] = b"MESIGATE";

/// A kernel's gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record<'a> {
    /// The kernel's name, as in PTX.
    pub kernel: &'a str,
    /// A module whose only function with a body is the gate.
    pub bitcode: &'a [u8],
}

/// The bytes of a record.
pub fn write(kernel: &str, bitcode: &[u8]) -> Vec<u8> {
    let length = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
    [
        MAGIC,
        &length(kernel.as_bytes()),
        &length(bitcode),
        kernel.as_bytes(),
        bitcode,
    ]
    .concat()
}

/// Every record in `bytes`, which may be anything: what is cut short is none.
pub fn read_all(bytes: &[u8]) -> Vec<Record<'_>> {
    let starts = 0..bytes.len().saturating_sub(MAGIC.len());
    let starts = starts.filter(|i| bytes[*i..].starts_with(MAGIC));
    starts
        .filter_map(|i| read(&bytes[i + MAGIC.len()..]))
        .collect()
}

fn read(bytes: &[u8]) -> Option<Record<'_>> {
    let (name, bytes) = length(bytes)?;
    let (code, bytes) = length(bytes)?;
    let (kernel, bytes) = bytes.split_at_checked(name)?;
    Some(Record {
        kernel: std::str::from_utf8(kernel).ok()?,
        bitcode: bytes.get(..code)?,
    })
}

fn length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (n, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*n) as usize, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_found_among_other_bytes() {
        let mut bytes = b"MESIMESIGATE".to_vec();
        bytes.extend(write("_Z2mmPf", b"BC..."));
        bytes.extend(b"tail");
        bytes.extend(write("k", b""));
        let (mm, k) = (("_Z2mmPf", &b"BC..."[..]), ("k", &b""[..]));
        let found: Vec<_> = read_all(&bytes)
            .iter()
            .map(|r| (r.kernel, r.bitcode))
            .collect();
        assert_eq!(found, [mm, k]);
    }

    #[test]
    fn the_tools_read_what_is_written() {
        let bitcode = b"BC\xc0\xde...";
        let read = mesi_launch::Gate::all(&write("_Z2mmPf", bitcode)).unwrap();
        let [gate] = &read[..] else {
            panic!("{read:?}")
        };
        assert_eq!(
            (&gate.kernel[..], &gate.bitcode[..]),
            ("_Z2mmPf", &bitcode[..])
        );
    }

    #[test]
    fn what_is_cut_short_is_none() {
        let whole = write("kernel", b"bitcode");
        for n in 0..whole.len() {
            assert_eq!(read_all(&whole[..n]), []);
        }
        assert_eq!(read_all(&whole).len(), 1);
    }
}
