//! What kinds of transformation a plan asks for: the coverage table counts in how many kernels each is
//! planned, and in how many it ran.

use std::collections::BTreeSet;

use mesi::plan::{PipelineMode, Plan, Planned, Region, Tile};
use mesi::transform::privatize::{Privatization, PrivatizedArray};

/// The kinds of a plan and of its alternatives.
pub fn kinds(planned: &Planned) -> BTreeSet<&'static str> {
    let mut all = BTreeSet::new();
    let versions = || planned.plan.versions();
    for plan in versions() {
        collect(plan, &mut all);
    }
    if !planned.plan.alternatives.is_empty() {
        all.insert("several versions");
    }
    if planned.plan.whole.iter().any(|p| p.lockstep().is_some()) {
        all.insert("windows in replicas without tiles");
    }
    let acts = versions().any(|p| !p.is_idle());
    if acts && planned.found.affine.interior {
        all.insert("blocks inside");
    }
    let met = planned.found.affine.met.as_ref();
    if acts && met.is_some_and(|m| !m.is_empty()) {
        all.insert("guards met by whole grids");
    }
    all
}

fn collect(plan: &Plan, all: &mut BTreeSet<&'static str>) {
    let mut add = |name: &'static str, there: bool| {
        if there {
            all.insert(name);
        }
    };
    let tiles = || plan.tiles();
    let merged = plan.merge.replicas() > 1;
    add("sure of some launches", plan.pays().next().is_some());
    add("sums in registers alone", plan.has_scalars_only());
    add(
        "replicas without tiles",
        plan.lockstep().is_some() && merged,
    );
    add("merged blocks", !plan.regions.is_empty() && merged);
    let keeps_barriers = plan.lockstep().is_some_and(|l| l.keeps_barriers());
    add("merged blocks with barriers of their own", keeps_barriers);
    if let Some(t) = plan.steps_as::<Privatization>() {
        add("privatized atomics", true);
        add("privatized atomics, several arrays", t.arrays.len() > 1);
        add(
            "privatized atomics, the first cells",
            t.arrays.iter().any(|a| a.beyond),
        );
        add("privatized atomics, loaded ahead", t.ahead.is_some());
        add("privatized atomics, looked up", !t.looked_up.is_empty());
        let bounds = |a: &PrivatizedArray| a.low != 0 && !a.beyond;
        add("privatized atomics, of bounds", t.arrays.iter().any(bounds));
        add("privatized atomics, steps together", merged);
        add("privatized atomics, several dimensions", t.dimensions > 1);
    }
    if let Some(a) = plan.unroll_jam() {
        add("iterations jammed", true);
        add("iterations jammed, aligned", !a.offset.is_zero());
        add("iterations jammed, sums in memory", plan.has_scalars());
        add("iterations jammed over tiles", !plan.regions.is_empty());
    }
    let is_unrolled = |always| plan.unrolled().any(|r| r.always == always);
    add("unrolled loops", is_unrolled(true));
    add("unrolled loops if aligned", is_unrolled(false));
    let flushed = |r: &Region| merged && r.only_stores();
    add(
        "store tiles filled together",
        plan.regions.iter().any(flushed),
    );
    add(
        "store tiles in the slots of others",
        tiles().any(|t| t.place.over().is_some()),
    );
    add(
        "fast passes",
        merged && plan.regions.iter().any(has_fast_passes),
    );
    add("strips in flight", plan.regions.iter().any(is_pipelined));
    add(
        "stretched strips",
        plan.regions.iter().any(|r| r.stretch.is_some()),
    );
    add("warps on squares", plan.merge.square);
    let is_shared = |t: &&Tile| {
        t.members
            .iter()
            .any(|m| m.reuse.is_some_and(|s| s.along.is_some()))
    };
    add(
        "reads shared by replicas, rows",
        tiles().any(|t| is_shared(&t) && t.footprint.dims.len() == 1),
    );
    add(
        "reads shared by replicas, two dimensions",
        tiles().any(|t| is_shared(&t) && t.footprint.dims.len() > 1),
    );
}

/// As `lower` tells which regions have fast passes, but for short loops of constant length.
fn has_fast_passes(r: &Region) -> bool {
    let is_async = r.strip.is_some_and(|s| s.pipeline == PipelineMode::Async);
    is_async && r.stretch.is_none() && r.tiles.iter().all(|t| t.write_back.is_empty())
}

fn is_pipelined(r: &Region) -> bool {
    r.strip.is_some_and(|s| s.depth > 1)
}
