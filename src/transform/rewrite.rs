//! Versions that are clones of their kernel, written in another way, and not planned.
//!
//! Such a version has no body of its kernel's behind tests: it is launched in another way than the kernel, or as that,
//! if at all, and the host decides before it whether that is right (`K$mesi$N$fold$gate`, `K$mesi$N$gate`). The model
//! knows nothing of it. Which ways there are is a list, [`super::REWRITES`]; what each says of itself is a [`Rewrite`].
//!
//! A way that is not one for the kernel may be one for its recast copy (`recast.rs`), which does what the kernel does
//! where it is launched as the host works out, and what the copy rests on holds:
//!
//! ```text
//! program's launch of K   ──►  launch of the copy              by the copy's ways (`Recast`)
//!                              what the copy rests on          asked of that launch
//!                         ──►  launch of the copy's rewrite    by its own way, of the copy's launch, with its facts
//! ```
//! All of it is one function of the host. Each step begins with the numbers that the one before it left, and says
//! nothing of the program's. A copy whose loops were cut is left out: what is said of its parts is not what is so of
//! the kernel's loops.

use super::REWRITES;
use super::recast::Recast;
use super::way::{Found, Rewrite};
use crate::access;
use crate::choice::{self, Gates, Host, Relaunch};
use crate::kernel::Kernel;
use crate::llvm::ir::Value;
use crate::lower;
use crate::names;
use crate::plan::{self, Analyses, Fact, Plan, Planned, Test};
use crate::remark::{Sink, Site};

/// A way, and whether it is one of the kernel's copy, not of the kernel.
#[derive(Clone, Copy)]
pub struct Way<'a> {
    /// How it is written.
    pub rewrite: &'a dyn Rewrite,
    /// Whether it is the copy that is written so.
    pub of_copy: bool,
}

/// What a way is one of.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The user's kernel.
    pub kernel: &'a Kernel,
    /// What is planned for it, or for the copy.
    pub planned: &'a Planned,
    /// The copy, if it is one of that.
    pub recast: Option<&'a Recast>,
}

/// Writes a way into `own`, a clone of its source called `symbol`, whose blocks have that kernel's numbers, and whose
/// values do if it has no list; what the host is to ask. `None`: it cannot decide what the version rests on.
pub fn write(
    way: &dyn Rewrite,
    from: Source,
    own: &Kernel,
    symbol: &str,
) -> Result<Option<Gates>, String> {
    let needs = choice::Needs {
        shared: way.shared(own),
        per_thread: way.per_thread(),
        parts: way.parts(),
        chip: way.chip().unwrap_or(0),
        relies: match way.keeps_launch() {
            true => choice::RELIES,
            false => choice::FOLDED,
        },
        ..choice::Needs::default()
    };
    let whole = from.planned.whole(own);
    let gates = gates_of_other(own, (&whole, &way.pays(&whole)), needs);
    if way.keeps_launch() {
        let gates = gates.of_own_launch(own, way, needs);
        return way.emit(own).map(|()| gates);
    }
    let relaunched = |of_copy: &[Value], tests: &[Value]| {
        let steps = Steps {
            before: from.recast.map(|copy| (copy, of_copy)),
            own,
            way,
        };
        gates.relaunched(from.kernel, (&steps, tests), symbol)
    };
    let with_own = |of_copy: &[Value]| {
        with_facts(from.planned, own, way.facts(), |tests| {
            relaunched(of_copy, tests)
        })
    };
    let gates = match from.recast {
        None => with_own(&[]),
        Some(copy) => {
            let facts = copy.facts(&copy.planned.whole(&copy.kernel));
            facts.and_then(|facts| with_facts(&copy.planned, &copy.kernel, &facts, with_own))
        }
    };
    way.emit(own).map(|()| gates)
}

/// What the host asks before it launches `own`, a clone of the kernel's copy as that is; `None`: it cannot decide what
/// the copy rests on.
pub fn gates_of_mapped(
    kernel: &Kernel,
    copy: &Recast,
    own: &Kernel,
    symbol: &str,
) -> Option<Gates> {
    let needs = choice::Needs {
        shared: copy.kernel.own_shared,
        relies: choice::FOLDED,
        ..choice::Needs::default()
    };
    let whole = copy.planned.whole(own);
    let gates = gates_of_other(own, (&whole, &plan::pays_as_it_is(&whole)), needs);
    let facts = copy.facts(&copy.planned.whole(&copy.kernel))?;
    with_facts(&copy.planned, &copy.kernel, &facts, |rests_on| {
        gates.relaunched(kernel, (&Mapped { copy, rests_on }, &[]), symbol)
    })
}

/// Writes the launch of a copy, and tests of what that rests on; what the launch answers, where the copy has one of its
/// own. `None`: the host cannot tell.
fn write_copy(host: &mut Host, copy: &Recast, rests_on: &[Value]) -> Option<Option<Value>> {
    let answer = match copy.relaunch() {
        Some(how) => Some(how.write(host, &[])?),
        None => None,
    };
    host.of(&copy.kernel, |host| {
        rests_on.iter().try_for_each(|t| host.add_test(*t))
    })?;
    Some(answer)
}

/// How the copy as it is is launched.
struct Mapped<'a> {
    copy: &'a Recast,
    /// Tests of what it rests on, which stand in it.
    rests_on: &'a [Value],
}

impl Relaunch for Mapped<'_> {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let own = host.own();
        let answer = write_copy(host, self.copy, self.rests_on)??;
        if self.rests_on.is_empty() {
            return Some(answer);
        }
        let answer = host.answer()?;
        let [x, y, z, along, up, layers] = host.own();
        host.store(own, [x, y, z], [along, up, layers], answer);
        Some(answer)
    }
}

/// How a way's version is launched: from the program's launch, or from that of the kernel's copy.
struct Steps<'a> {
    /// The copy, and tests of what it rests on, which stand in it.
    before: Option<(&'a Recast, &'a [Value])>,
    /// The version, as far as it is its source's clone.
    own: &'a Kernel,
    way: &'a dyn Rewrite,
}

impl Relaunch for Steps<'_> {
    fn write(&self, host: &mut Host, tests: &[Value]) -> Option<Value> {
        if let Some((copy, rests_on)) = self.before {
            write_copy(host, copy, rests_on)?;
        }
        host.of(self.own, |host| self.way.write(host, tests))
    }

    fn write_pays(&self, host: &Host) -> Option<Value> {
        self.way.write_pays(host)
    }
}

/// What the host asks before it launches a version that is written in another way, but for how that is launched:
/// whether it surely gains.
fn gates_of_other(
    version: &Kernel,
    (f, pays): (&Analyses, &[Fact]),
    needs: choice::Needs,
) -> Gates {
    let question = lower::ask(f, &Plan::default(), pays, version.blocks[0]);
    let root = question.as_ref().map(|q| q.root);
    let gates = choice::gates_of(version, None, root, needs);
    question.into_iter().for_each(lower::Question::forget);
    gates
}

/// What `make` gives, with tests of all `facts` for the whole grid, which stand in the kernel until then; `None`: one
/// is about a block.
fn with_facts<T>(
    planned: &Planned,
    kernel: &Kernel,
    facts: &[Fact],
    make: impl FnOnce(&[Value]) -> Option<T>,
) -> Option<T> {
    if facts.is_empty() {
        return make(&[]);
    }
    let f = &planned.whole(kernel);
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

/// Those of a kernel and of its copy, with their names.
#[derive(Default)]
pub struct Rewritten {
    of_kernel: Vec<(&'static str, Found)>,
    /// Without those that the kernel has itself: its own launch needs no other.
    of_copy: Vec<(&'static str, Found)>,
}

impl Rewritten {
    /// How the kernel can be written, or else its copy.
    pub fn find(f: &Analyses, recast: Option<&Recast>) -> Rewritten {
        let of_kernel = all_of(f);
        // LLVM may make one of blocks that the kernel keeps apart, and fuse what stands in them, since what an id is
        // compared with is known there.
        let may = |r: &&Recast| r.may_be_rewritten() && !access::crosses_blocks(f.kernel);
        let recast = recast.filter(may);
        let mut of_copy = recast.map_or_else(Vec::new, |r| all_of(&r.planned.whole(&r.kernel)));
        let unsure = recast.is_some_and(|r| r.may_fuse_others(f.kernel));
        of_copy.retain(|(name, found)| {
            // What is launched as the kernel is would be launched as the copy is.
            if matches!(found, Found::Way(w) if unsure && !w.takes_joins() || w.keeps_launch()) {
                return false;
            }
            let own = of_kernel.iter().find(|(n, _)| n == name);
            own.is_none_or(|(_, own)| own.is_replaced_by(found))
        });
        Rewritten { of_kernel, of_copy }
    }

    /// All ways that there are, in the order in which they get a place: what gains in small launches alone, or less,
    /// comes last.
    pub fn all(&self) -> Vec<Way<'_>> {
        let own = ways(&self.of_kernel).map(|rewrite| (rewrite, false));
        let all = own.chain(ways(&self.of_copy).map(|rewrite| (rewrite, true)));
        let all = all.map(|(rewrite, of_copy)| Way { rewrite, of_copy });
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|w| (w.rewrite.takes_spare_place(), w.rewrite.is_for_few()));
        all
    }

    /// Says how they are written, or why one is not.
    pub fn report(&self, kernel: &Kernel, recast: Option<&Recast>, sink: &mut Sink) {
        let copy = recast.map_or(kernel, |r| &r.kernel);
        let of_copy = |name| self.of_copy.iter().find(|(n, _)| *n == name);
        // What becomes of the copy becomes of the kernel.
        let own = self.of_kernel.iter();
        let own = own.filter(|(name, _)| of_copy(*name).is_none());
        let all = own.map(|way| (way, kernel));
        for ((name, found), of) in all.chain(self.of_copy.iter().map(|way| (way, copy))) {
            let (title, how) = match found {
                Found::Way(w) => (Some(w.title()), w.describe(of)),
                Found::Refused { title, why } => (*title, why.clone()),
            };
            let Some(title) = title else { continue };
            let text = format!("{title}: {how}");
            sink.analysis(Site::kernel(kernel.function), &capitalized(name), text);
        }
    }

    /// The same as lines of a dump, of the kernel.
    pub fn dump(&self, kernel: &Kernel) -> String {
        dump(&self.of_kernel, kernel)
    }

    /// Those of the copy.
    pub fn dump_copy(&self, copy: &Kernel) -> String {
        dump(&self.of_copy, copy)
    }
}

fn all_of(f: &Analyses) -> Vec<(&'static str, Found)> {
    let all = names::REWRITES.into_iter().zip(REWRITES);
    all.filter_map(|(name, find)| Some((name, find(f)?)))
        .collect()
}

fn ways<'a>(list: &'a [(&str, Found)]) -> impl Iterator<Item = &'a dyn Rewrite> {
    list.iter().filter_map(|(_, found)| match found {
        Found::Way(way) => Some(&**way),
        Found::Refused { .. } => None,
    })
}

fn dump(list: &[(&str, Found)], kernel: &Kernel) -> String {
    let line = |(name, found): &(&str, Found)| match found {
        Found::Way(way) => format!("  {name}: {}\n", way.describe(kernel)),
        Found::Refused { why, .. } => format!("  no {name}: {why}\n"),
    };
    list.iter().map(line).collect()
}

fn capitalized(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_ascii_uppercase() + rest
}
