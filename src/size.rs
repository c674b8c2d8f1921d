//! How long a kernel's code becomes, and the choice that keeps it within a limit (the option `code`).
//!
//! Replicas, strips and edges make one version of a product eight times as long as the loop it came from, whoever
//! writes it (`docs/code-size.md`), and a kernel has up to four versions. Who must have short code gives up some of
//! them: choices are tried in order on copies of the module, and the first that fits is made.
//!
//! What is counted is not machine code, which is ptxas's, but LLVM's instructions once loops are unrolled as they
//! were told to.

use crate::llvm::Function;
use crate::llvm::ir::{Op, Value};
use crate::options::Options;
use std::fmt;

/// What a kernel is made into by some options.
pub struct Made {
    /// Versions of the staged body.
    pub versions: usize,
    /// Instructions of the kernel with it.
    pub length: usize,
}

/// The options that are left of those that were given, and what they come to.
pub struct Choice {
    /// The options.
    pub options: Options,
    /// Versions of the staged body with the options given.
    versions: usize,
    /// What is made; `None`: nothing.
    made: Option<Made>,
    /// Instructions of the kernel as it was.
    original: usize,
}

/// What LLVM does to a body behind the plug-in, as far as it says how long the body becomes.
const REST: &str =
    "early-cse,loop-unroll<O3>,instcombine<no-verify-fixpoint>,simplifycfg,early-cse,adce";

/// The first choice under which a kernel's code is at most `times` as long as its original's, `original`: the options
/// as they are, fewer versions, no merged blocks, or no staged body. `make` tells what a choice comes to; none: the
/// kernel stays as it is, as it does in the answer `None`.
pub fn within(
    times: u32,
    options: &Options,
    original: usize,
    make: &dyn Fn(&Options) -> Option<Made>,
) -> Option<Choice> {
    let all = make(options)?;
    let versions = all.versions;
    let choice = |options, made| Choice {
        options,
        versions,
        made,
        original,
    };
    let most = original * times as usize;
    if all.length <= most {
        return Some(choice(options.clone(), Some(all)));
    }
    for o in choices(options, versions) {
        match make(&o) {
            // What has no versions left may be left alone, or be made into something else.
            Some(made) if made.length <= most => return Some(choice(o, Some(made))),
            _ => {}
        }
    }
    let nothing = Options {
        versions: (0, 0),
        ..options.clone()
    };
    Some(choice(nothing, None))
}

/// What is tried where not all of them fit, in order. Of versions the first serves large grids, where most is to be
/// gained.
fn choices(options: &Options, versions: usize) -> Vec<Options> {
    let starts = (0..versions).flat_map(|skip| (1..=versions - skip).rev().map(move |n| (skip, n)));
    // The first are all of them.
    let fewer = starts.skip(1).map(|versions| Options {
        versions,
        ..options.clone()
    });
    let unmerged = Options {
        merge: Some([1; 3]),
        ..options.clone()
    };
    let waited = Options {
        overlap: false,
        ..unmerged.clone()
    };
    fewer.chain([unmerged, waited]).collect()
}

/// The instructions of a function that become instructions of the machine, once loops are unrolled. It changes the
/// function.
pub fn length(function: Function) -> usize {
    function
        .run_target_passes(REST)
        .expect("these are passes of LLVM");
    let blocks = function.blocks().into_iter();
    let instructions = blocks.flat_map(|b| b.instructions());
    instructions.filter(|i| counts(*i)).count()
}

/// Whether an instruction of LLVM's is one of the machine.
fn counts(i: Value) -> bool {
    let nothing = [
        Op::LLVMPHI,
        Op::LLVMBitCast,
        Op::LLVMAddrSpaceCast,
        Op::LLVMPtrToInt,
        Op::LLVMTrunc,
    ];
    !i.opcode().is_some_and(|o| nothing.contains(&o))
}

impl fmt::Display for Choice {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let times = |n: usize| n as f64 / self.original as f64;
        match &self.made {
            Some(made) => write!(
                out,
                "{} of {} versions are made, about {:.1} times the original's code",
                made.versions,
                self.versions,
                times(made.length)
            ),
            None => write!(
                out,
                "none of {} versions is as short as was asked for",
                self.versions
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is chosen where version `k` of three has `lengths[k]` instructions, the body without merging 40, and the
    /// original 10.
    fn chosen(times: u32, lengths: [usize; 3]) -> String {
        let make = |o: &Options| {
            let (skip, most) = o.versions;
            let kept: Vec<usize> = lengths.into_iter().skip(skip).take(most).collect();
            let (versions, own) = match o.merge {
                Some(_) => (1, 40),
                None => (kept.len(), kept.iter().sum()),
            };
            (versions > 0).then_some(Made {
                versions,
                length: 10 + own,
            })
        };
        let choice = within(times, &Options::default(), 10, &make);
        choice.expect("there are versions").to_string()
    }

    #[test]
    fn as_many_of_the_first_versions_as_fit_are_kept() {
        let lengths = [60, 30, 20];
        let of = |n, times| {
            format!("{n} of 3 versions are made, about {times} times the original's code")
        };
        assert_eq!(chosen(12, lengths), of(3, "12.0"));
        assert_eq!(chosen(11, lengths), of(2, "10.0"));
        assert_eq!(chosen(9, lengths), of(1, "7.0"));
        assert_eq!(chosen(6, lengths), of(2, "6.0"));
        assert_eq!(chosen(4, lengths), of(1, "4.0"));
        assert_eq!(chosen(3, lengths), of(1, "3.0"));
        assert_eq!(chosen(5, [60, 60, 60]), of(1, "5.0"));
        let none = "none of 3 versions is as short as was asked for";
        assert_eq!(chosen(2, lengths), none);
    }

    #[test]
    fn a_kernel_of_which_nothing_is_made_is_not_reported() {
        assert!(within(6, &Options::default(), 10, &|_| None).is_none());
    }
}
