//! Runs device IR on the CPU: finds what can be wrong with a kernel, and counts what it costs.
//!
//! A `Program` is one kernel of a module made by `clang --cuda-device-only -emit-llvm` or `opt`. It is compiled by LLVM's
//! own just-in-time compiler and run for a `Case` (a launch of `mesi-launch`), every thread of a block a fiber:
//!
//! ```no_run
//! use mesi_launch::{Corpus, Size};
//! use mesi_oracle::{Checks, Kernel, Program, Schedule};
//! let corpus = Corpus::read("mavg.cu")?;
//! let mut program = Program::load("mavg.ll", Kernel::Of(&corpus))?;
//! for case in corpus.cases(Size::Small) {
//!     let outcome = program.run(&case, Schedule::Forward, Checks::Full)?;
//!     outcome.reports.iter().for_each(|report| println!("{report}"));
//! }
//! # Ok::<(), mesi_oracle::Error>(())
//! ```
//!
//! `docs/oracle.md` says what is checked, how, and where the limits are.

mod arguments;
mod device;
mod diff;
mod error;
mod gate;
mod host;
mod launch;
mod outcome;
mod program;
mod report;
mod run;
mod site;

pub use arguments::Explicit;
pub use diff::{Difference, Reference, diff, diff_case};
pub use error::{Error, Result};
pub use outcome::{Checks, Outcome, Output};
pub use program::{Kernel, Program};
pub use report::{Defect, Report, Who};
pub use run::counts::{ArrayCounts, Counts};
pub use run::schedule::Schedule;
pub use site::Place;
