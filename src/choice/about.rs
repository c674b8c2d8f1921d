//! What the run-time part has to know of a kernel, beside its gates.
//!
//! ```text
//! u64 hash   u32 threads   u32 static shared memory   u32 bit 0: it reads the grid's size; bit 1: its time is known
//! u32 n   n times: u32 parameter   u32 offset   u32 bytes
//! all little-endian
//! ```
//! The hash stands for the kernel's code and for that of its versions: what was measured under another one says
//! nothing. The integers are those that loops' lengths and indices are made of: launches whose integers are of another
//! size are of another class.

use crate::affine::Affine;
use crate::kernel::{Kernel, ids};
use crate::llvm::ir::{Function, Op, Value};
use std::fmt;

/// How many integers the run-time part looks at.
const MOST_SCALARS: usize = 8;
/// How far a value is followed to what it is made of.
const MOST_STEPS: usize = 64;

/// An integer among a launch's arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Scalar {
    /// Number of the parameter.
    pub index: u32,
    /// Where in it, in bytes.
    pub offset: u32,
    /// Its size, 1, 2, 4 or 8.
    pub bytes: u32,
}

/// All of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// Of the code.
    pub hash: u64,
    /// Threads of a block at most, by launch bounds.
    pub threads: u32,
    /// Static shared memory, in bytes.
    pub shared: u32,
    /// Whether it reads the grid's size: loops by it go round as often as the grid is short of what is to be done.
    pub by_grid: bool,
    /// Whether what the model expects of its launches is all that they do.
    pub is_timed: bool,
    /// Integers that steer it.
    pub scalars: Vec<Scalar>,
}

impl About {
    /// Of a kernel that has no version yet. `analyzed`: the kernel and its copies, each with its indices.
    pub fn of<'a>(
        kernel: &Kernel,
        analyzed: impl IntoIterator<Item = (&'a Kernel, &'a Affine)>,
    ) -> About {
        let mut scalars: Vec<Scalar> = Vec::new();
        for (k, affine) in analyzed {
            for symbol in &affine.symbols {
                collect_scalars(k.function, k.value(symbol.value), &mut scalars);
            }
        }
        scalars.sort();
        scalars.dedup();
        scalars.truncate(MOST_SCALARS);
        let build = concat!(env!("CARGO_PKG_VERSION"), env!("MESI_BUILD"));
        let start = build
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |h, b| mixed(h, b.into()));
        About {
            hash: mixed(start, kernel.function.code_hash()),
            threads: kernel.max_threads,
            shared: kernel.own_shared,
            by_grid: ids::reads_grid(kernel),
            is_timed: false,
            scalars,
        }
    }

    /// Takes a version's code into the hash.
    pub fn add(&mut self, code: u64) {
        self.hash = mixed(self.hash, code);
    }

    /// As it lies in a record.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.hash.to_le_bytes().to_vec();
        let numbers = [
            self.threads,
            self.shared,
            u32::from(self.by_grid) | u32::from(self.is_timed) << 1,
            self.scalars.len() as u32,
        ];
        let scalars = self
            .scalars
            .iter()
            .flat_map(|s| [s.index, s.offset, s.bytes]);
        bytes.extend(
            numbers
                .into_iter()
                .chain(scalars)
                .flat_map(u32::to_le_bytes),
        );
        bytes
    }

    /// What such bytes say; `None`: they are others.
    pub fn read(bytes: &[u8]) -> Option<About> {
        let (hash, rest) = bytes.split_first_chunk()?;
        let (words, []) = rest.as_chunks() else {
            return None;
        };
        let words: Vec<u32> = words.iter().map(|w| u32::from_le_bytes(*w)).collect();
        let [threads, shared, bits @ 0..4, count, ref scalars @ ..] = words[..] else {
            return None;
        };
        let (scalars, []) = scalars.as_chunks() else {
            return None;
        };
        (scalars.len() == count as usize && scalars.len() <= MOST_SCALARS).then(|| About {
            hash: u64::from_le_bytes(*hash),
            threads,
            shared,
            by_grid: bits & 1 != 0,
            is_timed: bits & 2 != 0,
            scalars: scalars
                .iter()
                .map(|[index, offset, bytes]| Scalar {
                    index: *index,
                    offset: *offset,
                    bytes: *bytes,
                })
                .collect(),
        })
    }
}

/// Without the hash, which is another one after each change of the plug-in.
impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let About {
            threads, shared, ..
        } = self;
        let grid = if self.by_grid { " the grid" } else { "" };
        write!(
            f,
            "about: at most {threads} threads, {shared} bytes of shared memory, steered by{grid}"
        )?;
        for s in &self.scalars {
            write!(f, " arg{}+{}:i{}", s.index, s.offset, 8 * s.bytes)?;
        }
        writeln!(f, "{}", if self.is_timed { ", timed" } else { "" })
    }
}

/// One more number in a hash.
pub fn mixed(hash: u64, number: u64) -> u64 {
    (hash ^ number)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(29)
}

/// Adds the integers among the parameters that `v` is worked out from.
fn collect_scalars(function: Function, v: Value, found: &mut Vec<Scalar>) {
    let mut work = vec![v];
    for _ in 0..MOST_STEPS {
        let Some(v) = work.pop() else { return };
        let width = v.ty().int_width().filter(|w| matches!(w, 8 | 16 | 32 | 64));
        if let (Some(index), Some(bits)) = (v.argument_index(), width) {
            found.push(Scalar {
                index,
                offset: 0,
                bytes: bits / 8,
            });
        } else if let (true, Some(bits)) = (v.is(Op::LLVMLoad), width) {
            let place = v.operand(0).parameter_offset(function.module());
            let place = place.and_then(|(base, offset)| Some((base.argument_index()?, offset)));
            if let Some((index, offset)) = place
                && function.param_has(index, "byval")
                && let Ok(offset) = u32::try_from(offset)
            {
                found.push(Scalar {
                    index,
                    offset,
                    bytes: bits / 8,
                });
            }
        } else if v.is_instruction() {
            work.extend(v.operands());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let scalar = Scalar {
            index: 3,
            offset: 8,
            bytes: 4,
        };
        let about = About {
            hash: 1 << 60 | 7,
            threads: 256,
            shared: 48,
            by_grid: true,
            is_timed: true,
            scalars: vec![scalar; 2],
        };
        let bytes = about.bytes();
        assert_eq!(About::read(&bytes), Some(about));
        for n in 0..bytes.len() {
            assert_eq!(About::read(&bytes[..n]), None);
        }
    }
}
