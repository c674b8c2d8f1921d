//! The images of relocatable device code as clang hands them to the linker's wrapper, as far as the choice depends on
//! them.
//!
//! One binary follows another, an image in each:
//! ```text
//! 0  "\x10\xff\x10\xad"   4 u32 version 1   8 u64 bytes of it all   16 u64 where the entry is      in the entry:
//! 0  u16 kind of image (1 object)   2 u16 for whom (2 CUDA)   24 u64 where the image is   32 u64 its bytes
//! ```
//! As `llvm/Object/OffloadBinary.h` of LLVM 22 has it. An image is an object of machine code, which holds its own
//! compilation's records; LLVM's bitcode, which a later compilation makes code of, holds none.

use super::fatbin::{Code, field};
use super::packed;

const MAGIC: &[u8] = b"\x10\xff\x10\xad";
const VERSION: u32 = 1;
const OBJECT: u16 = 1;
const CUDA: u16 = 2;
const ELF: &[u8] = b"\x7fELF";

/// What the images of an embedded binary hold that records are in.
pub fn code(bytes: &[u8]) -> Code<'_> {
    let all = images(bytes).unwrap_or_default().into_iter();
    Code {
        images: all.map(|i| packed::records(i.into())).collect(),
        newest: 0,
    }
}

/// The images; `None` where the bytes are not as expected to the last one, or an image is no object for CUDA.
fn images(mut bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let u16_at = |b, at| field(b, at).map(u16::from_le_bytes);
    let place = |b, at| usize::try_from(u64::from_le_bytes(field(b, at)?)).ok();
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let size = place(bytes, 8)?;
        let (binary, rest) = bytes.split_at_checked(size)?;
        if !binary.starts_with(MAGIC) || field(binary, 4).map(u32::from_le_bytes)? != VERSION {
            return None;
        }
        let entry = binary.get(place(binary, 16)?..)?;
        let image = binary.get(place(entry, 24)?..)?.get(..place(entry, 32)?)?;
        if (u16_at(entry, 0)?, u16_at(entry, 2)?) != (OBJECT, CUDA) || !image.starts_with(ELF) {
            return None;
        }
        all.push(image);
        bytes = rest;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::super::record;
    use super::*;

    fn binary(kind: u16, magic: &[u8], kernels: &[&str]) -> Vec<u8> {
        let records = kernels
            .iter()
            .flat_map(|k| record::write(k, record::Needs::default(), b"code"));
        let image: Vec<u8> = magic.iter().copied().chain(records).collect();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        for n in [72 + image.len() as u64, 32, 40] {
            bytes.extend(n.to_le_bytes());
        }
        bytes.extend([kind, CUDA, 0, 0].map(u16::to_le_bytes).concat());
        for n in [72, 0, 72, image.len() as u64] {
            bytes.extend(n.to_le_bytes());
        }
        bytes.extend(image);
        bytes
    }

    fn names(bytes: &[u8]) -> Vec<String> {
        let code = code(bytes);
        let all = code.records();
        all.iter().map(|r| r.kernel.to_string()).collect()
    }

    #[test]
    fn every_image_must_have_it() {
        let (both, one) = (
            binary(OBJECT, ELF, &["a", "b"]),
            binary(OBJECT, ELF, &["b"]),
        );
        assert_eq!(names(&both), ["a", "b"]);
        assert_eq!(names(&[both.clone(), one.clone()].concat()), ["b"]);
        assert_eq!(names(&[one, both].concat()), ["b"]);
    }

    #[test]
    fn what_becomes_code_later_has_none() {
        let code = binary(OBJECT, ELF, &["a"]);
        let later = binary(OBJECT, b"BC\xc0\xde", &["a"]);
        let ptx = binary(5, ELF, &["a"]);
        assert_eq!(names(&[code.clone(), later].concat()), [""; 0]);
        assert_eq!(names(&[code, ptx].concat()), [""; 0]);
    }

    #[test]
    fn other_bytes_have_no_records() {
        let whole = binary(OBJECT, ELF, &["a"]);
        for n in 0..whole.len() {
            assert_eq!(names(&whole[..n]), [""; 0]);
        }
        let mut other = whole.clone();
        other[0] = 0;
        assert_eq!(names(&other), [""; 0]);
    }
}
