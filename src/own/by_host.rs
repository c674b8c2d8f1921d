//! What of a version's facts the host decides before it is launched.

use crate::choice;
use crate::kernel::Kernel;
use crate::lower;
use crate::plan::{self, Along, Analyses, Fact, Plan, groups};

/// Facts, each with how it is asked of the whole grid.
pub type Decided = Vec<(Fact, [Along; 3])>;

/// The facts of a version that the host decides before it is launched, each with how it is asked of the whole grid. Not
/// for a kernel that several files may have: the linker takes one file's, and a version that another file's host
/// launches must test itself. `f` is of a version of `kernel`.
pub fn facts(kernel: &Kernel, f: &Analyses, plan: &Plan) -> Decided {
    if kernel.function.value().is_mergeable() {
        return Vec::new();
    }
    let function = f.kernel.function;
    let over_grid = plan
        .facts()
        .filter_map(|fact| Some((fact.clone(), plan::over_grid(f, plan, fact)?)));
    let (of_memory, mut by_host): (Vec<_>, Vec<_>) = over_grid.partition(|(f, _)| f.is_of_host());
    let tests = lower::ask_over_grid(f, plan, &by_host);
    let mut known = tests.tests.iter().map(|t| choice::host_knows(function, *t));
    by_host.retain(|_| known.next().is_some_and(|k| k));
    tests.forget();
    let ranges = lower::ranges_over_grid(f, plan, &of_memory);
    let is_known = |(ends, some): &choice::Range| {
        let mut all = ends.iter().chain(some);
        all.all(|v| choice::host_knows(function, *v))
    };
    let mut known = ranges.ranges.iter().map(is_known);
    let of_memory: Vec<_> = of_memory
        .into_iter()
        .filter(|_| known.next().is_some_and(|k| k))
        .take(choice::RANGES)
        .collect();
    ranges.forget();
    by_host.extend(of_memory);
    by_host
}

/// Facts about the program's own blocks, each with how the host decides it; `None`: it cannot decide all.
pub fn all(kernel: &Kernel, f: &Analyses, wanted: Vec<Fact>) -> Option<Decided> {
    let mut plan = Plan::default();
    plan.require(wanted);
    let decided = facts(kernel, f, &plan);
    (decided.len() == plan.facts().count()).then_some(decided)
}

/// A plan of merged blocks of which none but leaders is launched, where the host can decide all that it rests on, and
/// that besides; else the plan. With the facts that the host decides. A body to fall back to would be each block's own.
pub fn led(kernel: &Kernel, f: &Analyses, plan: &Plan) -> (Plan, Decided) {
    if let Some(more) = groups::facts(f, plan) {
        let mut led = plan.clone();
        // The first blocks are dealt out evenly for the same reason, and then all that there are.
        (led.merge.led, led.merge.compacted) = (true, false);
        led.require(more);
        let decided = facts(kernel, f, &led);
        let is_decided = |fact: &Fact| decided.iter().any(|(d, _)| d == fact);
        if led.facts().all(is_decided) {
            return (led, decided);
        }
    }
    (plan.clone(), facts(kernel, f, plan))
}
