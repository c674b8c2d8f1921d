//! The images of a fat binary, as far as the choice depends on them.
//!
//! A kernel may be chosen against only where every image has both of its entries: an image for another chip may have
//! been left alone. So each image of machine code must hold the kernel's record, and each image of PTX must come from
//! the same compilation as one of machine code. `fatbinary` packs long images, and all with `--compress-all`: by
//! Zstandard, or by LZ4 for speed and in older toolkits, which is unpacked here. What is packed in another way, or of
//! another kind, cannot be looked into.
//!
//! ```text
//! 0  u32 0xba55ed50   6 u16 bytes of this header   8 u64 bytes behind it          then for each image:
//! 0  u16 kind (1 PTX, 2 ELF)   4 u32 bytes of this header   8 u64 bytes behind it
//!    16 u32 bytes of what is packed   28 u32 chip (90: sm_90)   40 u64 flags   56 u64 bytes once it is unpacked
//! ```
//! The layout is not documented by its maker; what `fatbinary` of CUDA 13.0 writes was read. Anything else has no
//! records.

use super::packed;
use super::record::{self, NO_CHIP, Record};
use crate::map::HashMap;
use ruzstd::decoding::StreamingDecoder;
use std::borrow::Cow;
use std::io::Read;

const MAGIC: u32 = 0xba55_ed50;
const PTX: u16 = 1;
const ELF: u16 = 2;
/// Bytes of an image's header that are looked at.
const LOOKED_AT: usize = 64;
/// Flags of an image that say how it is packed: a block of LZ4, a frame of Zstandard.
const LZ4: u64 = 1 << 13;
const ZSTANDARD: u64 = 1 << 15;

/// What the images of machine code hold that records are in, oldest chip first. PTX beside them comes from the same
/// compilations.
pub struct Code<'a> {
    pub images: Vec<Cow<'a, [u8]>>,
    /// 0: not known.
    pub newest: u32,
}

impl Code<'_> {
    /// The gates that hold for all images: of the last image that has one.
    pub fn records(&self) -> Vec<Record<'_>> {
        let images: Vec<&[u8]> = self.images.iter().map(|i| &**i).collect();
        held_by_all(&images, self.newest)
    }
}

/// The machine code of a fat binary; `None`: not all that is in it can be looked into.
pub fn code(bytes: &[u8]) -> Option<Code<'_>> {
    let images = images(bytes)?;
    let mut code: Vec<&Image> = images.iter().filter(|i| i.kind == ELF).collect();
    let known = |i: &Image| match i.kind {
        ELF => true,
        PTX => code.iter().any(|c| c.chip == i.chip),
        _ => false,
    };
    if !images.iter().all(known) {
        return None;
    }
    code.sort_by_key(|i| i.chip);
    let newest = code.last().map_or(0, |i| i.chip);
    let images = code.into_iter().map(|i| i.unpacked().map(packed::records));
    let images: Option<_> = images.collect();
    images.map(|images| Code { images, newest })
}

/// The records of the last image, for this chip if that is known, whose kernels all others have records of, too: with
/// what the kernel needs most in any of them, and the others' gates.
pub(super) fn held_by_all<'a>(images: &[&'a [u8]], chip: u32) -> Vec<Record<'a>> {
    let Some((last, others)) = images.split_last() else {
        return Vec::new();
    };
    let others: Vec<HashMap<&str, Record>> = others.iter().map(|i| by_kernel(i)).collect();
    let mut all = record::read_all(last);
    all.retain_mut(|r| {
        for other in &others {
            let Some(theirs) = other.get(r.kernel) else {
                return false;
            };
            r.needs = r.needs.most(theirs.needs);
            // How many blocks do the work the host knows of the last one alone, which runs on its own chip.
            if r.needs.merged != theirs.needs.merged {
                r.needs.chip = match r.needs.chip {
                    known if chip > 0 && [0, chip].contains(&known) => chip,
                    _ => NO_CHIP,
                };
            }
            if theirs.bitcode != r.bitcode && !r.others.contains(&theirs.bitcode) {
                r.others.push(theirs.bitcode);
            }
        }
        true
    });
    all
}

/// The records of an image by their kernels.
fn by_kernel(image: &[u8]) -> HashMap<&str, Record<'_>> {
    let all = record::read_all(image);
    all.into_iter().map(|r| (r.kernel, r)).collect()
}

struct Image<'a> {
    kind: u16,
    chip: u32,
    /// How it is packed, and its bytes before that.
    packed: Option<(u64, usize)>,
    bytes: &'a [u8],
}

impl<'a> Image<'a> {
    /// Its bytes as they were before they were packed; `None`: that was done in a way that is not known.
    fn unpacked(&self) -> Option<Cow<'a, [u8]>> {
        let bytes = match self.packed {
            None => return Some(Cow::Borrowed(self.bytes)),
            Some((LZ4, size)) => lz4_flex::block::decompress(self.bytes, size).ok()?,
            Some((ZSTANDARD, size)) => {
                let mut bytes = Vec::with_capacity(size);
                let mut decoder = StreamingDecoder::new(self.bytes).ok()?;
                decoder.read_to_end(&mut bytes).ok()?;
                bytes
            }
            Some(_) => return None,
        };
        Some(Cow::Owned(bytes))
    }
}

/// The images; `None` where the bytes are not as expected to the last one.
fn images(bytes: &[u8]) -> Option<Vec<Image<'_>>> {
    let header = usize::from(u16_at(bytes, 6)?);
    let size = usize::try_from(u64_at(bytes, 8)?).ok()?;
    if u32_at(bytes, 0)? != MAGIC {
        return None;
    }
    let mut rest = bytes.get(header..header.checked_add(size)?)?;
    let mut all = Vec::new();
    while !rest.is_empty() {
        let header = usize::try_from(u32_at(rest, 4)?).ok()?;
        let size = usize::try_from(u64_at(rest, 8)?).ok()?;
        let (kind, chip) = (u16_at(rest, 0)?, u32_at(rest, 28)?);
        let (length, flags) = (u32_at(rest, 16)? as usize, u64_at(rest, 40)?);
        let before = usize::try_from(u64_at(rest, 56)?).ok()?;
        if header < LOOKED_AT {
            return None;
        }
        let end = header.checked_add(size)?;
        let bytes = rest.get(header..end)?;
        all.push(Image {
            kind,
            chip,
            packed: (length != 0).then_some((flags & (LZ4 | ZSTANDARD), before)),
            bytes: bytes.get(..length).filter(|_| length != 0).unwrap_or(bytes),
        });
        rest = &rest[end..];
    }
    Some(all)
}

/// The `N` bytes that begin at `at`.
pub(super) fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk::<N>().copied()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    field(bytes, at).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    field(bytes, at).map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    field(bytes, at).map(u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::super::record::Needs;
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn image(kind: u16, chip: u32, kernels: &[&str]) -> Vec<u8> {
        let body: Vec<u8> = kernels
            .iter()
            .flat_map(|k| record::write(k, Needs::default(), b"code"))
            .collect();
        let mut bytes = vec![0; 64];
        bytes[..2].copy_from_slice(&kind.to_le_bytes());
        bytes[4..8].copy_from_slice(&64u32.to_le_bytes());
        bytes[8..16].copy_from_slice(&(body.len() as u64).to_le_bytes());
        bytes[28..32].copy_from_slice(&chip.to_le_bytes());
        bytes.extend(body);
        bytes
    }

    fn binary(images: &[Vec<u8>]) -> Vec<u8> {
        let body = images.concat();
        let mut bytes = MAGIC.to_le_bytes().to_vec();
        bytes.extend([1, 0, 16, 0]);
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    fn names(images: &[Vec<u8>]) -> Vec<String> {
        let bytes = binary(images);
        let code = code(&bytes);
        let all = code.iter().flat_map(|c| c.records());
        all.map(|r| r.kernel.to_string()).collect()
    }

    /// The image with its body as `pack` makes it.
    fn packed(mut image: Vec<u8>, flag: u64, pack: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
        let body = image.split_off(64);
        image[40..48].copy_from_slice(&(0x11 | flag).to_le_bytes());
        image[56..64].copy_from_slice(&(body.len() as u64).to_le_bytes());
        let body = pack(&body);
        let size = body.len() as u32;
        image[8..16].copy_from_slice(&u64::from(size).to_le_bytes());
        image[16..20].copy_from_slice(&size.to_le_bytes());
        [image, body].concat()
    }

    #[test]
    fn packed_code_is_looked_into_if_it_is_known_how() {
        let zstandard = |b: &[u8]| compress_to_vec(b, CompressionLevel::Fastest);
        let (newest, both) = (image(ELF, 90, &["b"]), || image(ELF, 80, &["a", "b"]));
        let one = packed(both(), ZSTANDARD, zstandard);
        assert_eq!(names(&[one, newest.clone()]), ["b"]);
        let other = packed(both(), LZ4, lz4_flex::block::compress);
        assert_eq!(names(&[newest.clone(), other]), ["b"]);
        let unknown = packed(both(), 0, zstandard);
        let mixed = packed(both(), LZ4, zstandard);
        let cut = packed(both(), ZSTANDARD, |b| zstandard(b)[..20].to_vec());
        for image in [unknown, mixed, cut] {
            assert_eq!(names(&[image, newest.clone()]), [""; 0]);
        }
    }

    #[test]
    fn every_image_must_have_it() {
        let (both, one) = (image(ELF, 80, &["a", "b"]), image(ELF, 90, &["b"]));
        assert_eq!(names(std::slice::from_ref(&both)), ["a", "b"]);
        assert_eq!(names(&[both.clone(), one.clone()]), ["b"]);
        assert_eq!(names(&[one, both.clone()]), ["b"]);
        assert_eq!(names(&[both, image(ELF, 70, &[])]), [""; 0]);
    }

    #[test]
    fn of_images_with_other_groups_the_newest_counts_on_its_chip() {
        let with = |merged, chip| {
            let needs = Needs {
                merged,
                chip,
                ..Needs::default()
            };
            record::write("a", needs, b"code")
        };
        let of = |images: &[&[u8]], newest| {
            let needs = held_by_all(images, newest)[0].needs;
            (needs.merged, needs.chip)
        };
        let (one, two) = (with(0x0401, 0), with(0x0402, 0));
        assert_eq!(of(&[&one, &one], 90), (0x0401, 0));
        assert_eq!(of(&[&one, &two], 90), (0x0402, 90));
        assert_eq!(of(&[&two, &one, &one], 90), (0x0401, 90));
        // Which chip that is is not known, or it is right on another one.
        assert_eq!(of(&[&one, &two], 0), (0x0402, u32::MAX));
        assert_eq!(of(&[&one, &with(0x0402, 80)], 90), (0x0402, u32::MAX));
        assert_eq!(of(&[&one, &with(0x0402, 90)], 90), (0x0402, 90));
    }

    #[test]
    fn the_newest_image_is_the_last_one() {
        let of = |chip: u32, shared| {
            let needs = Needs {
                merged: chip,
                shared,
                ..Needs::default()
            };
            let mut bytes = image(ELF, chip, &[]);
            let body = record::write("a", needs, b"code");
            bytes[8..16].copy_from_slice(&(body.len() as u64).to_le_bytes());
            bytes.extend(body);
            bytes
        };
        let binary = binary(&[of(90, 4), of(80, 8)]);
        let needs = code(&binary).expect("all is known").records()[0].needs;
        assert_eq!((needs.merged, needs.chip, needs.shared), (90, 90, 8));
    }

    #[test]
    fn the_most_that_any_needs_counts() {
        let with = |shared, relies, blocks, parts| {
            let needs = Needs {
                shared,
                relies,
                blocks,
                parts,
                chip: relies * 90,
                per_thread: parts * 4,
                merged: 0,
            };
            record::write("a", needs, b"code")
        };
        let (one, other) = (with(16, 0, 3, 0), with(4, 1, 5, 2));
        let most = |images: &[&[u8]]| {
            let needs = held_by_all(images, 90)[0].needs;
            assert_eq!(needs.per_thread, 4 * needs.parts);
            (needs.shared, needs.relies, needs.blocks, needs.parts)
        };
        let chip = |images: &[&[u8]]| held_by_all(images, 90)[0].needs.chip;
        assert_eq!(most(&[&one]), (16, 0, 3, 0));
        assert_eq!(
            [most(&[&one, &other]), most(&[&other, &one])],
            [(16, 1, 5, 2); 2]
        );
        // One that is right on a chip alone.
        let elsewhere = with(4, 2, 1, 0);
        let chips = [
            chip(&[&one]),
            chip(&[&one, &other]),
            chip(&[&other, &other]),
            chip(&[&other, &elsewhere]),
        ];
        assert_eq!(chips, [0, 90, 90, u32::MAX]);
        // One that wants all blocks of a launch.
        let whole = with(4, 1, 0, 4);
        assert_eq!(
            [most(&[&one, &whole]), most(&[&whole, &one])],
            [(16, 1, 0, 4); 2]
        );
    }

    #[test]
    fn gates_of_all_images_are_kept_where_they_differ() {
        let with = |code: &[u8]| record::write("a", Needs::default(), code);
        let (x, y, z) = (with(b"x"), with(b"y"), with(b"z"));
        let gates = |images: &[&[u8]]| {
            let all = held_by_all(images, 90);
            (all[0].bitcode.to_vec(), all[0].others.concat())
        };
        assert_eq!(gates(&[&x, &x]), (b"x".to_vec(), Vec::new()));
        assert_eq!(
            gates(&[&x, &y, &y, &z, &x]),
            (b"x".to_vec(), b"yz".to_vec())
        );
    }

    #[test]
    fn ptx_must_belong_to_machine_code() {
        let code = image(ELF, 90, &["a"]);
        assert_eq!(names(&[code.clone(), image(PTX, 90, &[])]), ["a"]);
        assert_eq!(names(&[code.clone(), image(PTX, 80, &[])]), [""; 0]);
        assert_eq!(names(&[code, image(64, 90, &[])]), [""; 0]);
    }

    #[test]
    fn other_bytes_have_no_records() {
        let whole = binary(&[image(ELF, 90, &["a"])]);
        for n in 0..whole.len() {
            assert!(code(&whole[..n]).is_none());
        }
        let mut other = whole.clone();
        other[0] = 0;
        assert!(code(&other).is_none());
    }
}
