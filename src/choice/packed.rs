//! All records of a device module as one constant, packed.
//!
//! Whoever loads the module's image pays for each of its globals, and for their bytes (docs/code-size.md); records have
//! much in common.
//! ```text
//! "MESIPACK"  u32 n  u32 m  n bytes: a block of LZ4, of m bytes: records, one behind the other       little-endian
//! ```

use super::record::behind;
use std::borrow::Cow;

const MAGIC: &[u8] = b"MESIPACK";
/// LZ4 makes no more of a byte.
const MOST: usize = 255;

/// The bytes of a constant that holds these records.
pub fn pack(records: &[u8]) -> Vec<u8> {
    let block = lz4_flex::block::compress(records);
    let lengths = [block.len(), records.len()].map(|n| (n as u32).to_le_bytes());
    [MAGIC, lengths.as_flattened(), &block].concat()
}

/// The records that were packed in an image; the image itself where none were.
pub fn records(image: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let all: Vec<Vec<u8>> = behind(&image, MAGIC).filter_map(unpack).collect();
    match all.is_empty() {
        true => image,
        false => Cow::Owned(all.concat()),
    }
}

fn unpack(bytes: &[u8]) -> Option<Vec<u8>> {
    let number = |at| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize);
    let (length, size) = (number(0)?, number(4)?);
    let block = bytes[8..].get(..length)?;
    let is_possible = size / MOST <= length;
    is_possible.then(|| lz4_flex::block::decompress(block, size).ok())?
}

#[cfg(test)]
mod tests {
    use super::super::record::{Needs, write};
    use super::*;

    #[test]
    fn what_is_packed_is_found_by_the_tools_too() {
        let two = ["_Z2mmPf", "k"].map(|k| write(k, Needs::default(), b"BC\xc0\xde..."));
        let image = [&pack(&two[0])[..], b"MESIPACK tail", &pack(&two[1])].concat();
        assert_eq!(*records(image[..].into()), two.concat());
        let image = [&pack(&two[0])[..], b"tail", &pack(&two[1])].concat();
        let read = mesi_launch::Gate::all(&image).unwrap();
        assert_eq!(
            read.iter().flat_map(|g| g.record()).collect::<Vec<_>>(),
            two.concat()
        );
    }

    #[test]
    fn what_is_not_packed_or_is_cut_short_is_left() {
        let mut whole = pack(&write("kernel", Needs::default(), b"bitcode"));
        for n in 0..whole.len() {
            assert_eq!(*records(whole[..n].into()), whole[..n]);
        }
        // More than a block of that length can be.
        whole[15] = 0xff;
        assert_eq!(*records(whole[..].into()), whole);
    }
}
