//! Versions that are clones of their kernel, written in another way, and not planned.
//!
//! Such a version has no body of its kernel's behind tests: it is launched in another way than the kernel, if at all,
//! and the host decides before it whether that is right (`K$mesi$N$fold$gate`). The model knows nothing of it. Which
//! ways there are is a list, [`super::REWRITES`]; what each says of itself is a [`Rewrite`].

use super::REWRITES;
use super::way::{Found, Rewrite};
use crate::choice::{self, Gates};
use crate::kernel::Kernel;
use crate::llvm::ir::{Function, Value};
use crate::lower;
use crate::names;
use crate::plan::{self, Analyses, Fact, Plan, Planned, Test};
use crate::remark::{Sink, Site};

/// Writes a way into `own`, a clone of a kernel called `symbol`, whose blocks have the kernel's numbers, and whose
/// values do if it has no list; what the host is to ask. `None`: it cannot decide what the version rests on.
pub fn write(
    way: &dyn Rewrite,
    planned: &Planned,
    own: &Kernel,
    symbol: &str,
) -> Result<Option<Gates>, String> {
    let gates = gates_of_other(own.function, way.shared(own), way.chip());
    let relaunched = |tests: &[Value]| gates.relaunched(own, (way, tests), symbol);
    let gates = match way.facts() {
        [] => relaunched(&[]),
        facts => with_facts(&planned.whole(own), facts, relaunched),
    };
    way.emit(own).map(|()| gates)
}

/// What the host asks before it launches a version in another way than its kernel: nothing but how.
pub fn gates_of_other(version: Function, shared: u32, chip: Option<u32>) -> Gates {
    let needs = choice::Needs {
        shared,
        relies: choice::FOLDED,
        chip: chip.unwrap_or(0),
        ..choice::Needs::default()
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

/// Those of a kernel, with their names.
#[derive(Default)]
pub struct Rewritten(Vec<(&'static str, Found)>);

impl Rewritten {
    /// How the kernel can be written.
    pub fn find(f: &Analyses) -> Rewritten {
        let all = names::REWRITES.into_iter().zip(REWRITES);
        Rewritten(
            all.filter_map(|(name, find)| Some((name, find(f)?)))
                .collect(),
        )
    }

    /// All that can.
    pub fn all(&self) -> Vec<&dyn Rewrite> {
        let ways = self.0.iter().filter_map(|(_, found)| match found {
            Found::Way(way) => Some(&**way),
            Found::Refused { .. } => None,
        });
        ways.collect()
    }

    /// Says how they are written, or why one is not.
    pub fn report(&self, kernel: &Kernel, sink: &mut Sink) {
        for (name, found) in &self.0 {
            let (title, how) = match found {
                Found::Way(w) => (Some(w.title()), w.describe(kernel)),
                Found::Refused { title, why } => (*title, why.clone()),
            };
            let Some(title) = title else { continue };
            let text = format!("{title}: {how}");
            sink.analysis(Site::kernel(kernel.function), &capitalized(name), text);
        }
    }

    /// The same as lines of a dump.
    pub fn dump(&self, kernel: &Kernel) -> String {
        let line = |(name, found): &(&str, Found)| match found {
            Found::Way(way) => format!("  {name}: {}\n", way.describe(kernel)),
            Found::Refused { why, .. } => format!("  no {name}: {why}\n"),
        };
        self.0.iter().map(line).collect()
    }
}

fn capitalized(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_ascii_uppercase() + rest
}
