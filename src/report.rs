//! Turns a plan into remarks: every array of a kernel ends as staged, with figures, or missed,
//! with one reason.

use crate::access::{AccessId, Accesses, Array, ArrayId};
use crate::kernel::Kernel;
use crate::lower::Lowered;
use crate::missed::Missed;
use crate::plan::model::Answer;
use crate::plan::{KernelPlan, Plan, Refusal};
use crate::remark::{Figure, Sink, Site};

/// What the model expects of the launches that were asked about.
pub fn answers(kernel: &Kernel, launches: &[Answer], sink: &mut Sink) {
    for l in launches {
        sink.analysis(Site::kernel(kernel.function), "Predicted", l);
    }
}

/// Remarks of a kernel of which nothing is staged.
pub fn refused(kernel: &Kernel, accesses: &Accesses, plan: &KernelPlan, sink: &mut Sink) {
    as_whole(kernel, plan, sink);
    missed(kernel, accesses, &plan.refusals, sink);
}

/// The remark of a kernel in which nothing can be staged, whatever else is done.
pub fn as_whole(kernel: &Kernel, plan: &KernelPlan, sink: &mut Sink) {
    if let Some(why) = plan.kernel_missed() {
        sink.missed_kernel(Site::kernel(kernel.function), why.name(), why);
    }
}

/// Remarks of a kernel with a staged body; `refusals`: what is not staged.
pub fn staged(
    kernel: &Kernel,
    accesses: &Accesses,
    (plan, refusals): (&Plan, &[Refusal]),
    lowered: &Lowered,
    sink: &mut Sink,
) {
    atomics(kernel, accesses, plan, lowered, sink);
    if let Some(t) = plan.lockstep().filter(|_| plan.steps().is_none()) {
        let figures = [
            Figure::new("Asked", t.addresses.0, "loads of all replicas"),
            Figure::new("Loaded", t.addresses.1, "addresses"),
        ];
        let replicas = plan.merge.replicas();
        sink.merged(Site::kernel(kernel.function), replicas, &figures);
    }
    if let Some(a) = plan.unroll_jam() {
        let staged = !plan.regions.is_empty();
        sink.unroll_jam(Site::kernel(kernel.function), a.replicas, staged);
    }
    if let Some(r) = plan.unrolled().next() {
        sink.unrolled(Site::kernel(kernel.function), r.length);
    }
    for a in &accesses.arrays {
        in_tiles(kernel, accesses, plan, lowered, a, sink);
    }
    missed(kernel, accesses, refusals, sink);
}

/// Arrays that are updated in shared memory.
fn atomics(kernel: &Kernel, accesses: &Accesses, plan: &Plan, lowered: &Lowered, sink: &mut Sink) {
    for t in plan.steps().into_iter().flat_map(|s| s.held()) {
        let figures = [
            Figure::new(
                "SharedBytes",
                plan.shared_bytes,
                "bytes of shared memory in the kernel",
            ),
            Figure::new("Barriers", lowered.barriers, "barriers"),
            Figure::new(
                "Cells",
                t.cells,
                "cells, added to by the block and given once",
            ),
        ];
        let site = site(kernel, accesses, Some(t.access));
        sink.staged(site, &accesses.array(t.array).name, &figures);
    }
}

/// An array that tiles or registers hold.
fn in_tiles(
    kernel: &Kernel,
    accesses: &Accesses,
    plan: &Plan,
    lowered: &Lowered,
    a: &Array,
    sink: &mut Sink,
) {
    let tiles: Vec<_> = plan
        .regions
        .iter()
        .flat_map(|r| r.tiles.iter().map(move |t| (r, t)))
        .filter(|(_, t)| t.footprint.array == a.id)
        .collect();
    let Some((region, first)) = tiles.first() else {
        report_register(kernel, accesses, plan, a.id, sink);
        return;
    };
    let mut figures = vec![
        Figure::new(
            "SharedBytes",
            plan.shared_bytes,
            "bytes of shared memory in the kernel",
        ),
        Figure::new("Barriers", lowered.barriers, "barriers"),
        Figure::new("Tiles", tiles.len(), "tiles"),
    ];
    let moved = tiles.iter().map(|(_, t)| t.members.len()).sum::<usize>()
        + plan
            .scalars()
            .flat_map(|p| &p.accesses)
            .filter(|x| accesses.get(**x).array == Some(a.id))
            .count();
    let all = accesses.iter().filter(|x| x.array == Some(a.id)).count();
    figures.push(Figure::new(
        "Accesses",
        format!("{moved} of {all}"),
        "accesses moved",
    ));
    if let Some(s) = region.strip {
        figures.push(Figure::new("Strip", s.length, "iterations a strip"));
    }
    let site = site(kernel, accesses, Some(first.members[0].access));
    sink.staged(site, &a.name, &figures);
}

/// An accumulator that lives in a register counts as staged: its accesses moved.
fn report_register(
    kernel: &Kernel,
    accesses: &Accesses,
    plan: &Plan,
    array: ArrayId,
    sink: &mut Sink,
) {
    let of = |a: &AccessId| accesses.get(*a).array == Some(array);
    if let Some(p) = plan.scalars().find(|p| p.accesses.iter().any(of)) {
        let figures = [Figure::new(
            "SharedBytes",
            0,
            "bytes of shared memory, kept in a register",
        )];
        sink.staged(
            site(kernel, accesses, Some(p.accesses[0])),
            &accesses.array(array).name,
            &figures,
        );
    }
}

fn missed(kernel: &Kernel, accesses: &Accesses, refusals: &[Refusal], sink: &mut Sink) {
    for r in refusals {
        let Refusal::Array(array, why) = r else {
            continue;
        };
        let at = why.access().or_else(|| first_access(accesses, *array));
        let site = site(kernel, accesses, at);
        sink.missed(
            site,
            &accesses.array(*array).name,
            why.name(),
            describe(accesses, *why),
        );
    }
    for r in refusals {
        let Refusal::Access(access, why) = r else {
            continue;
        };
        let site = site(kernel, accesses, Some(*access));
        sink.missed(site, "?", why.name(), describe(accesses, *why));
    }
}

fn first_access(accesses: &Accesses, array: ArrayId) -> Option<AccessId> {
    accesses
        .iter()
        .find(|a| a.array == Some(array))
        .map(|a| a.id)
}

fn site(kernel: &Kernel, accesses: &Accesses, at: Option<AccessId>) -> Site {
    match at {
        Some(a) => Site::at(kernel.function, kernel.value(accesses.get(a).value)),
        None => Site::kernel(kernel.function),
    }
}

/// The reason, with the source line of the access it names where the IR knows one.
fn describe(accesses: &Accesses, why: Missed) -> String {
    match why.access().map(|a| accesses.get(a).line) {
        Some(line) if line > 0 => format!("{why} (line {line})"),
        _ => why.to_string(),
    }
}
