//! Versions as kernels of their own: the user's kernel `K` stays what clang made of it.
//!
//! ```text
//! K                 clang's, byte for byte
//! K$mesi$0 …        clones of K, one version in each, with its own registers and shared memory. Each tests at its
//!                   entry what no host can know, with K's body behind the test; what the host can tell for the whole
//!                   grid it relies on (`plan::over_grid`)
//! K$mesi$0$gate     bytes: all of these tests as a function of host code (`choice/gate.rs`): who launches the
//!                   version asks it first
//! K$mesi$0$pays$gate  bytes: whether the model is sure that a launch gains
//! K$mesi$0$large$gate bytes: whether a launch is large enough for a version to be loaded at once
//! K$mesi$0$mapped$gate bytes: where that lies which must be memory (`plan::mapped`)
//! K$mesi$0$fold$gate  bytes: how a version is launched, if in another way than K (`transform::{recast, rewrite}`)
//! K$mesi$gate       bytes: what the choice needs to know of K besides (`choice/about.rs`)
//! K$blocks.…$gate   bytes: launches whose threads may be dealt out to other blocks (`choice/blocks.rs`)
//! ```
//! A clone is made at the start of the optimizer's second half, when everything is inlined: a copy made earlier would
//! give a helper with one caller a second one, and LLVM would not inline it into `K` as it does without the plug-in. A
//! clone has copies of its own of the static shared arrays and of the functions that `K` calls. The back end writes a
//! shared array that one kernel names into that kernel, and one that two name in front of both; ptxas gives a function
//! the registers that all its callers leave.
//!
//! Nothing here looks into a plan but to take it apart: which versions there are `plan` decides.

mod by_host;
mod copies;
mod rounding;
mod unrolled;
pub mod versions;

use crate::boundary;
use crate::check;
use crate::choice::{self, About};
use crate::kernel::{self, Kernel, callees, ids};
use crate::llvm::ir::{Function, Value};
use crate::lower::{self, Lowered};
use crate::machine::target::STATIC_SHARED;
use crate::machine::tuning::own::{MOST_FACTS, MOST_GROWTH, MOST_LENGTH};
use crate::names::{COPY, MOST_VERSIONS, VERSION};
use crate::options::Options;
use crate::plan::{self, Fact, Plan, Planned};
use crate::remark::{Sink, Site};
use crate::stage::Stage;
use crate::transform::recast::Recast;
use crate::transform::rewrite::{self, Way};
use crate::transform::way::Rewrite;

use copies::Copies;
use rounding::Roundings;
use versions::Source;
pub use versions::Version;

/// The attribute of a version.
const ATTRIBUTE: &str = "mesi.version";
/// What is said where the host does not know enough of a launch.
const NOT_LAUNCHED: &str = "the host cannot tell how a copy is launched";

/// What is said of a version whose masks tell, once it is emitted, that all parts of its own arrays are too much.
const NO_ROOM: &str =
    "no version of so many merged blocks: the parts of shared arrays that they need do not fit";
/// The same of one that is launched with more dynamic shared memory than its kernel, if another file's host may do it.
const OTHER_PARTS: &str = "no version of merged blocks: they need parts of dynamic shared memory, and other files \
                           may have this kernel, too, with versions of other parts";

/// What is said of a version that rests on more than a launch is to be asked.
const MANY_FACTS: &str = "no version of so many accesses: each launch would be asked too much";

/// What is said of a version that LLVM and ptxas would take too long for.
const LONG: &str = "no version of so many merged blocks: its code would be many times the kernel's";

/// Instructions of a function.
fn length(f: Function) -> usize {
    f.blocks().iter().map(|b| b.instructions().len()).sum()
}

/// Whether `f` is a version that was made here.
pub fn is_version(f: Function) -> bool {
    f.string_attribute(ATTRIBUTE).is_some()
}

/// What is launched in another way than the kernel, and has no plan.
enum Other<'a> {
    /// The copy as it is.
    Mapped(&'a Recast),
    /// The kernel, or its copy, written in another way.
    Rewritten(rewrite::Source<'a>, &'a dyn Rewrite),
}

/// What became of a kernel.
pub struct Made {
    /// The first version, what was emitted for it, and whether it is of the copy.
    pub first: Option<(Version, Lowered, bool)>,
    /// How many versions there are.
    pub count: usize,
    /// Why versions were dropped, if some were.
    pub faults: Vec<String>,
}

/// Makes the versions of `planned`, those of a recast copy, and those that are written in another way, at most as many
/// together as the options say, beside `kernel`, which is not touched. `enter` is told what begins.
pub fn emit(
    kernel: &Kernel,
    planned: &Planned,
    (recast, rewrites): (Option<&Recast>, &[Way]),
    options: &Options,
    enter: &dyn Fn(Stage),
    sink: &mut Sink,
) -> Made {
    let (module, name) = (kernel.function.module(), &kernel.name);
    let mut made = Made {
        first: None,
        count: 0,
        faults: Vec::new(),
    };
    if let Some(used) = private_variable(kernel.function) {
        let text = format!(
            "no versions: {used} is a variable of this file, and other files may have this kernel, too, with \
             variables of their own"
        );
        sink.missed_kernel(Site::kernel(kernel.function), "FilePrivate", text);
        return made;
    }
    let roundings = rounding::find(kernel);
    if roundings.is_none() {
        let site = Site::kernel(kernel.function);
        sink.missed_kernel(site, "RoundsOtherwise", rounding::OTHERWISE);
    }
    // Copies and rewrites would have to be told which sums are others than they stand.
    let stands = roundings
        .as_ref()
        .is_some_and(|r| rounding::stands(kernel, r));
    let (recast, rewrites) = match stands {
        true => (recast, rewrites),
        false => (None, &[][..]),
    };
    let affine = std::iter::once((kernel, &planned.found.affine));
    let affine = affine.chain(recast.map(|f| (&f.kernel, &f.planned.found.affine)));
    let mut about = About::of(kernel, affine);
    let mut number = 0;
    let most = options.kernels.min(MOST_VERSIONS);
    let chosen = roundings.as_ref();
    let chosen = chosen.map(|_| versions::choose(kernel, planned, (recast, rewrites), most));
    let (versions, is_mapped) = chosen.unwrap_or_default();
    let roundings = roundings.unwrap_or_default();
    for (source, version) in versions {
        let symbol = format!("{name}{VERSION}{number}");
        if module.function(&symbol).is_some() {
            continue;
        }
        match emit_version(source, &version, (&symbol, &roundings), enter, sink) {
            Ok(Some((lowered, hash))) => {
                about.add(hash);
                number += 1;
                let first = (version, lowered, source.recast.is_some());
                made.first.get_or_insert(first);
            }
            Ok(None) => {}
            Err(why) => made.faults.push(why),
        }
    }
    let is_mapped = is_mapped && versions::asks_for_place(kernel, recast);
    let mapped = recast.filter(|_| is_mapped).map(Other::Mapped);
    let rewrites = rewrites.iter().map(|way| {
        let recast = recast.filter(|_| way.of_copy);
        let from = rewrite::Source {
            kernel,
            planned: recast.map_or(planned, |r| &r.planned),
            recast,
        };
        Other::Rewritten(from, way.rewrite)
    });
    for other in mapped.into_iter().chain(rewrites) {
        if number == most {
            break;
        }
        match emit_other(kernel, other, &format!("{name}{VERSION}{number}"), options) {
            Ok(Some(hash)) => {
                about.add(hash);
                number += 1;
            }
            Ok(None) => {}
            Err(why) => made.faults.push(why),
        }
    }
    made.count = number;
    if number > 0 {
        about.is_timed = recast.is_some_and(Recast::is_timed);
        let outcome = tell_large(kernel, planned, &mut about);
        made.faults.extend(outcome.err());
    }
    if number > 0 || planned.plan.reshape.is_some() {
        choice::keep_about(kernel.function, &about);
    }
    if number > 0 {
        let text = format!(
            "{number} versions are kernels of their own beside it: host code that is compiled with mesi \
             measures which is fastest"
        );
        sink.analysis(Site::kernel(kernel.function), "HostChoice", text);
    }
    made
}

/// Tells the host which launches of the kernel are large. A clone holds the tests for a moment, as a version may be one
/// of a copy, which is launched with other numbers.
fn tell_large(kernel: &Kernel, planned: &Planned, about: &mut About) -> Result<(), String> {
    let name = &format!("{}{COPY}", kernel.name);
    let clone = kernel.function.duplicate(name, &[]);
    let outcome = boundary::caught(|| {
        let own = kernel::collect(clone, kernel.sm, kernel.block_cap);
        let f = planned.whole(&own);
        let root = lower::ask_any(&f, &plan::large(&f), own.blocks[0]).map(|q| q.root);
        choice::tell_large(&own, root, &format!("{}{VERSION}0", kernel.name));
        about.is_timed |= plan::is_timed(&f);
    });
    clone.delete();
    outcome
}

/// Makes a version called `symbol` that is launched in another way; the hash of its code. `None`: the host cannot
/// decide what it rests on.
fn emit_other(
    kernel: &Kernel,
    other: Other,
    symbol: &str,
    options: &Options,
) -> Result<Option<u64>, String> {
    let of = match other {
        Other::Mapped(copy) => &copy.kernel,
        Other::Rewritten(from, _) => from.recast.map_or(kernel, |r| &r.kernel),
    };
    let mut copies = Copies::of(kernel.function.module(), symbol);
    let mut clone = copies.duplicate(of.function, symbol);
    if let Other::Rewritten(_, rewrite) = other {
        clone = rewrite.words().map_or(clone, |n| clone.with_words(n));
    }
    clone.add_string_attribute(ATTRIBUTE, "");
    let mut own = kernel::collect(clone, kernel.sm, kernel.block_cap);
    own.user_us = of.user_us;
    let written = match other {
        Other::Mapped(copy) => {
            boundary::caught(|| rewrite::gates_of_mapped(kernel, copy, &own, symbol))
        }
        Other::Rewritten(from, rewrite) => {
            let others: Vec<_> = rewrite.others().iter().map(|b| own.block(*b)).collect();
            boundary::caught(|| {
                let gates = rewrite::write(rewrite, from, &own, symbol)?;
                if gates.is_some() && !others.is_empty() {
                    unrolled::unroll(clone, kernel, &others, options)?;
                }
                Ok(gates)
            })
            .and_then(|gates| gates)
        }
    };
    let written = written.and_then(|gates| lower::round_marked(clone).map(|()| gates));
    if let Ok(Some(gates)) = written {
        gates.keep(clone.module());
        return Ok(Some(clone.code_hash()));
    }
    copies.delete(clone);
    written.map(|_| None)
}

/// Makes one version, called `symbol`; what was emitted, and the hash of its code. `None`: the host cannot decide what
/// it rests on.
fn emit_version(
    source: Source,
    version: &Version,
    (symbol, roundings): (&str, &Roundings),
    enter: &dyn Fn(Stage),
    sink: &mut Sink,
) -> Result<Option<(Lowered, u64)>, String> {
    enter(Stage::Lower);
    let Source {
        kernel,
        planned,
        relaunch,
        recast,
    } = source;
    let mut copies = Copies::of(kernel.function.module(), symbol);
    if recast.is_none() {
        copies = copies.rounded(kernel.function, roundings);
    }
    let clone = copies.duplicate(kernel.function, symbol);
    clone.add_string_attribute(ATTRIBUTE, "");
    // Blocks and values of the clone have the kernel's numbers, so what was found out about the kernel holds for it.
    let mut own = kernel::collect(clone, kernel.sm, kernel.block_cap);
    own.threads = recast.and_then(|r| r.kernel.threads);
    let analyses = match version.of_whole {
        true => planned.whole(&own),
        false => planned.analyses(&own),
    };
    let mut plan = plan::in_blocks_that_leave_registers(&version.plan, kernel);
    let rests_on = recast.map_or(Some(Vec::new()), |r| r.facts(&analyses));
    let Some(rests_on) = rests_on else {
        copies.delete(clone);
        return Ok(None);
    };
    plan.require(rests_on.iter().cloned());
    let met = recast.map_or(Some(Vec::new()), |r| r.facts_of_launch(&analyses));
    let Some(met) = met.and_then(|met| by_host::all(kernel, &analyses, met)) else {
        copies.delete(clone);
        return Ok(None);
    };
    if plan.facts().count() > MOST_FACTS {
        copies.delete(clone);
        sink.analysis(Site::kernel(kernel.function), "ManyFacts", MANY_FACTS);
        return Ok(None);
    }
    let original = own.blocks[0];
    let mut dropped = None;
    let made = boundary::caught(|| {
        let (mut plan, by_host) = match relaunch {
            None => by_host::led(kernel, &analyses, &plan),
            Some(_) => (plan.clone(), by_host::facts(kernel, &analyses, &plan)),
        };
        let decided: Vec<Fact> = by_host.iter().map(|(fact, _)| fact.clone()).collect();
        let tests_itself = plan.facts().any(|fact| !decided.contains(fact));
        // What only the host can tell no version tests.
        if plan
            .facts()
            .any(|fact| fact.is_of_host() && !decided.contains(fact))
        {
            return Ok(None);
        }
        // Loops that are rolled up, or whose elements are threads, are none to fall back to.
        let tests_copy = rests_on.iter().any(|fact| !decided.contains(fact));
        if tests_copy || tests_itself && !recast.is_none_or(Recast::is_fallback) {
            return Ok(None);
        }
        // A body to fall back to is each block's own.
        let leaders = recast
            .filter(|_| !tests_itself)
            .and_then(|r| r.leaders(&plan));
        plan.merge.led |= leaders.is_some();
        let plan = &plan;
        let lowered = lower::emit_own(&analyses, plan, &decided);
        let parts = lowered.parts;
        let shared = (kernel.own_shared + plan.shared_bytes).saturating_add(parts.bytes_more);
        dropped = match kernel.function.value().is_mergeable() {
            _ if shared > STATIC_SHARED => Some(NO_ROOM),
            true if parts.dynamic > 0 => Some(OTHER_PARTS),
            _ if length(clone) > MOST_LENGTH.max(MOST_GROWTH * length(kernel.function)) => {
                Some(LONG)
            }
            _ => None,
        };
        if dropped.is_some() {
            return Ok(None);
        }
        enter(Stage::Check);
        check::after_lowering(&own, analyses.accesses, plan, &lowered)?;
        lower::round_marked(clone)?;
        enter(Stage::Gate);
        let pays = lower::ask(&analyses, plan, &version.pays, original);
        let needs = choice::Needs {
            shared,
            relies: relies_on(&decided, !met.is_empty(), relaunch.is_some()),
            // What it tests itself would be about the blocks that are left.
            blocks: plan
                .most_blocks()
                .filter(|_| !tests_itself && relaunch.is_none())
                .unwrap_or(0),
            parts: parts.dynamic,
            merged: match plan.merge.led && relaunch.is_none() {
                true => packed(plan.merge.factor),
                false => 0,
            },
            ..choice::Needs::default()
        };
        let entry = clone.entry();
        let body = tests_itself.then_some(entry);
        let sound = (!decided.is_empty()).then(|| {
            let tested: Vec<_> = by_host
                .iter()
                .filter(|(f, _)| !f.is_of_host())
                .cloned()
                .collect();
            let emitted = lower::ask_over_grid(&analyses, plan, &tested);
            emitted.lead(body, original)
        });
        let ranges = lower::ranges_over_grid(&analyses, plan, &by_host);
        choice::read_as_first(&own, leaders.as_ref().map_or([1; 3], |l| l.blocks));
        let root = |q: &Option<lower::Question>| q.as_ref().map(|q| q.root);
        let on = root(&sound).or(body);
        let met = (!met.is_empty()).then(|| {
            // Of the program's own blocks.
            let emitted = lower::ask_over_grid(&analyses, &Plan::default(), &met);
            emitted.lead(on, original)
        });
        let first = root(&met).or(on).unwrap_or(entry);
        let gates = choice::gates_of(&own, Some(first), root(&pays), needs);
        [met, sound, pays]
            .into_iter()
            .flatten()
            .for_each(lower::Question::forget);
        let gates = gates.mapped(clone, &ranges.ranges).ok_or(NOT_LAUNCHED);
        ranges.forget();
        if plan.merge.led && relaunch.is_none() {
            // What is asked is asked of the kernel's own numbers.
            choice::read_as_first(&own, plan.merge.factor);
        }
        let gates = gates?;
        let gates = match relaunch {
            Some((of, how)) => {
                let how = leaders.as_ref().map_or(how, |l| l);
                gates.relaunched(of, (how, &[]), symbol)
            }
            None => Some(gates),
        };
        let gates = gates.ok_or(NOT_LAUNCHED)?;
        Ok::<_, String>(Some((lowered, gates)))
    });
    match made {
        Ok(Ok(Some((lowered, gates)))) => {
            gates.keep(clone.module());
            ids::forget_met(clone);
            Ok(Some((lowered, clone.code_hash())))
        }
        Ok(Ok(None)) => {
            copies.delete(clone);
            if let Some(why) = dropped {
                sink.analysis(Site::kernel(kernel.function), "Dropped", why);
            }
            Ok(None)
        }
        Ok(Err(why)) | Err(why) => {
            copies.delete(clone);
            Err(why)
        }
    }
}

/// Blocks along each dimension, in a byte each.
fn packed([x, y, z]: [u32; 3]) -> u32 {
    x | y << 8 | z << 16
}

/// What a version relies on whose facts the host has `decided`; whether it is for some of its kernel's launches, and
/// whether it is launched in another way.
fn relies_on(decided: &[Fact], is_for_some: bool, is_relaunched: bool) -> u32 {
    let of = |holds: bool, what: u32| if holds { what } else { 0 };
    of(!decided.is_empty() || is_for_some, choice::RELIES)
        | of(is_relaunched, choice::FOLDED)
        | of(decided.iter().any(Fact::is_of_host), choice::MAPPED)
}

/// The name of a device variable of `function`'s file, if other files may have the function, too. In a program of
/// several files each of them then has a variable of its own; which of them `K` uses is the linker's choice, and a
/// version launched by one file would use that file's.
fn private_variable(function: Function) -> Option<String> {
    if !function.value().is_mergeable() {
        return None;
    }
    let functions = callees::all(function).unwrap_or_default();
    let variables = callees::globals(&functions);
    let own = |g: &&Value| g.address_space() != 3 && !g.is_mergeable() && !is_text(**g);
    let first = variables.iter().find(own);
    first.map(|g| format!("'{}'", g.name()))
}

/// Whether a global is one that nobody can tell from a copy: a constant whose address means nothing, such as a string.
fn is_text(global: Value) -> bool {
    global.is_constant_global() && global.is_address_insignificant()
}
