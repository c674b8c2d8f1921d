//! Versions that are clones of their kernel, written in another way, and not planned.
//!
//! ```text
//! split   a thread's reductions of whole numbers are dealt out to a warp (`crate::transform::split`)
//! mma     a product of bytes is worked out by tensor cores (`crate::transform::mma`)
//! trim    blocks that are empty are not launched (`crate::transform::trim`)
//! ```
//! Such a version has no body of its kernel's behind tests: it is launched in another way than the kernel, if at all,
//! and the host decides before it whether that is right (`K$mesi$N$fold$gate`). The model knows nothing of it.

use crate::choice::{self, Gates, Relaunch};
use crate::kernel::Kernel;
use crate::llvm::ir::{Function, Value};
use crate::lower;
use crate::machine::tuning::mma::SHARED;
use crate::plan::{self, Analyses, Fact, Plan, Planned, Test};
use crate::remark::{Sink, Site};
use crate::transform::mma::{self, Mma, NoMma};
use crate::transform::split::{self, Split};
use crate::transform::trim::{self, NoTrim, Trim};

/// One way.
#[derive(Clone, Copy)]
pub enum Rewrite<'a> {
    /// Reductions are split.
    Split(&'a Split),
    /// A product is worked out by tensor cores.
    Mma(&'a Mma),
    /// Empty blocks are left out.
    Trim(&'a Trim),
}

impl Rewrite<'_> {
    /// `clone`, of the kernel, with the parameters that the version has.
    pub fn parameters(self, clone: Function) -> Function {
        match self {
            Rewrite::Trim(_) => clone.with_words(trim::words()),
            _ => clone,
        }
    }

    /// Writes it into `own`, a clone of `kernel` called `symbol`, whose blocks and values have the kernel's numbers but
    /// for what `parameters` added; what the host is to ask. `None`: it cannot decide what the version rests on.
    pub fn write(
        self,
        kernel: &Kernel,
        planned: &Planned,
        own: &Kernel,
        symbol: &str,
    ) -> Result<Option<Gates>, String> {
        match self {
            Rewrite::Split(s) => {
                let gates = gates_of_other(own.function, kernel.own_shared);
                let gates = gates.relaunched(own, Relaunch::Split, symbol);
                split::emit(s, own).map(|()| gates)
            }
            Rewrite::Mma(m) => {
                let gates = gates_of_other(own.function, SHARED);
                let gates = with_facts(&planned.whole(own), &m.facts, |tests| {
                    gates.relaunched(own, Relaunch::Mma(m, tests), symbol)
                });
                mma::emit(m, own).map(|()| gates)
            }
            Rewrite::Trim(t) => {
                let gates = gates_of_other(own.function, kernel.own_shared);
                let gates = gates.relaunched(kernel, Relaunch::Trim(t), symbol);
                trim::emit(own).map(|()| gates)
            }
        }
    }
}

/// What the host asks before it launches a version in another way than its kernel: nothing but how.
pub fn gates_of_other(version: Function, shared: u32) -> Gates {
    let needs = choice::Needs {
        shared,
        relies: choice::FOLDED,
        blocks: 0,
    };
    choice::gates_of_copy(version, needs)
}

/// What `make` gives, with tests of all `facts` for the whole grid, which stand in the kernel until then; `None`: one
/// is about a block.
fn with_facts<T>(
    f: &Analyses,
    facts: &[Fact],
    make: impl FnOnce(&[Value]) -> Option<T>,
) -> Option<T> {
    let plan = Plan {
        tests: Test::all_sound(facts.to_vec()),
        ..Plan::default()
    };
    let over_grid = |fact: &Fact| Some((fact.clone(), plan::over_grid(f, &plan, fact)?));
    let placed: Option<Vec<_>> = facts.iter().map(over_grid).collect();
    let tests = lower::ask_over_grid(f, &plan, &placed?);
    let made = make(&tests.tests);
    tests.forget();
    made
}

/// Those of a kernel.
#[derive(Default)]
pub struct Rewritten {
    split: Option<Split>,
    mma: Option<Result<Mma, NoMma>>,
    trim: Option<Result<Trim, NoTrim>>,
}

impl Rewritten {
    /// How the kernel can be written.
    pub fn find(f: &Analyses) -> Rewritten {
        Rewritten {
            split: split::find(f),
            mma: mma::find(f),
            trim: trim::find(f.kernel),
        }
    }

    /// All that can.
    pub fn all(&self) -> Vec<Rewrite<'_>> {
        let split = self.split.as_ref().map(Rewrite::Split);
        let mma = self.mma.as_ref().and_then(|m| m.as_ref().ok());
        let trim = self.trim.as_ref().and_then(|t| t.as_ref().ok());
        let all = split.into_iter().chain(mma.map(Rewrite::Mma));
        all.chain(trim.map(Rewrite::Trim)).collect()
    }

    /// Says how they are written, or why a product is not.
    pub fn report(&self, kernel: &Kernel, sink: &mut Sink) {
        let site = Site::kernel(kernel.function);
        if let Some(s) = &self.split {
            let text = format!("its integer reductions are split: {}", s.text());
            sink.analysis(site, "Split", text);
        }
        match &self.mma {
            Some(Ok(m)) => {
                let text = format!("its product is for tensor cores: {}", m.describe(kernel));
                sink.analysis(site, "Mma", text);
            }
            Some(Err(why)) => {
                let text = format!("its product is not for tensor cores: {why}");
                sink.analysis(site, "Mma", text);
            }
            None => {}
        }
        if let Some(Ok(t)) = &self.trim {
            let text = format!("its grids can be trimmed: {}", t.describe());
            sink.analysis(site, "Trim", text);
        }
    }

    /// The same as lines of a dump.
    pub fn dump(&self, kernel: &Kernel) -> String {
        let split = self
            .split
            .as_ref()
            .map(|s| format!("  split: {}\n", s.text()));
        let mma = self.mma.as_ref().map(|m| match m {
            Ok(m) => format!("  mma: {}\n", m.describe(kernel)),
            Err(why) => format!("  no mma: {why}\n"),
        });
        let trim = self.trim.as_ref().map(|t| match t {
            Ok(t) => format!("  trim: {}\n", t.describe()),
            Err(why) => format!("  no trim: {why}\n"),
        });
        split.into_iter().chain(mma).chain(trim).collect()
    }
}
