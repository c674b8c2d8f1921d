//! What a plan has in it, as short names that the coverage table counts.

use std::collections::BTreeSet;

use mesi::affine::Atom;
use mesi::kernel;
use mesi::llvm::Module;
use mesi::machine::target::Target;
use mesi::options::Options;
use mesi::plan::{Fact, KernelPlan, PipelineMode, Pitch, Plan, Refusal, When};
use mesi::tree;

/// Every `NoMerge`, as it prints.
pub const NO_MERGE: &[&str] = &[
    "threads or blocks may communicate",
    "the kernel has shared or private arrays",
    "a tile is written",
    "a loop's length differs between blocks",
    "ids along x are not used as the global id",
    "ids along y are not used as the global id",
    "ids along z are not used as the global id",
    "the tiles do not fit",
    "a loop carries a product into a sum",
];

/// Why kernels of a module are not even planned for.
pub fn keeps_original(module: Module, options: &Options) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for function in module.functions().into_iter().filter(|f| f.is_kernel()) {
        let other = options
            .only
            .as_deref()
            .is_some_and(|o| o != function.name());
        if other || kernel::annotations::collect(module).of(function).off {
            all.insert("missed: Disabled".into());
        } else if let Ok(target) = Target::of(function) {
            let kernel = kernel::collect(function, target.sm, options.block);
            if tree::structure(&kernel).is_none() {
                all.insert("missed: Irreducible".into());
            }
        }
    }
    all
}

/// Features of a plan that `options` gave.
pub fn plan_features(plan: &KernelPlan, options: &Options) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mode = if options.force { "force" } else { "default" };
    if !plan.first.regions.is_empty() {
        all.insert(format!("staged at {mode}"));
    }
    if !plan.alternatives.is_empty() {
        all.insert(format!("plan: several versions at {mode}"));
    }
    plan.versions().for_each(|p| describe(p, &mut all));
    all.extend(plan.refusals.iter().map(refusal));
    all
}

fn refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Merge(why) => format!("no merge: {why}"),
        Refusal::UnrollJam(why) => format!("not jammed: {why}"),
        Refusal::Unroll(why) => format!("not unrolled: {why}"),
        Refusal::Kernel(why) | Refusal::Array(_, why) | Refusal::Access(_, why) => {
            format!("missed: {}", why.name())
        }
    }
}

fn describe(plan: &Plan, all: &mut BTreeSet<String>) {
    let mut add = |name: &str, there: bool| {
        if there {
            all.insert(name.into());
        }
    };
    let tiles: Vec<_> = plan.tiles().collect();
    let dims: Vec<_> = tiles.iter().flat_map(|t| &t.footprint.dims).collect();
    let has =
        |wanted: fn(&Atom) -> bool| dims.iter().any(|d| d.terms.iter().any(|(a, _)| wanted(a)));
    add(
        "plan: strip",
        plan.regions.iter().any(|r| r.strip.is_some()),
    );
    add(
        "plan: whole region",
        plan.regions.iter().any(|r| r.strip.is_none()),
    );
    let strips: Vec<_> = plan.regions.iter().filter_map(|r| r.strip).collect();
    for depth in 2..=4 {
        add(
            &format!("plan: depth {depth}"),
            strips.iter().any(|s| s.depth == depth),
        );
    }
    add(
        "plan: in flight by registers",
        strips.iter().any(|s| s.pipeline == PipelineMode::Registers),
    );
    for why in strips.iter().filter_map(|s| match s.pipeline {
        PipelineMode::Waited(why) => why,
        _ => None,
    }) {
        add(&format!("plan: not in flight: {why:?}"), true);
    }
    add(
        "plan: wide copies",
        tiles.iter().any(|t| !t.widths.is_empty()),
    );
    let merged = plan.merge.replicas() > 1;
    add(
        "plan: blocks merged, no tiles",
        plan.lockstep().is_some_and(|_| merged),
    );
    add(
        "plan: blocks merged, no tiles, a slow path",
        plan.lockstep().is_some_and(|t| !t.guards.is_empty()),
    );
    add(
        "plan: blocks merged, no tiles, loads shared",
        plan.lockstep()
            .is_some_and(|t| t.addresses.1 < t.addresses.0),
    );
    add("plan: blocks merged", merged);
    add(
        "plan: merged, consecutive ids",
        plan.merge.consecutive.contains(&true),
    );
    add(
        "plan: merged, ids a block apart",
        [0, 1, 2]
            .map(|d| plan.merge.factor[d] > 1 && !plan.merge.consecutive[d])
            .contains(&true),
    );
    let merged = plan.merge.replicas() > 1;
    add(
        "plan: zero fill",
        merged && tiles.iter().any(|t| t.zero_fill),
    );
    let deep = strips.iter().any(|s| s.depth > 1);
    add("plan: blocks merged, strips in flight", merged && deep);
    add(
        "plan: blocks merged, promotion",
        merged && plan.has_scalars(),
    );
    add(
        "plan: blocks merged along several dimensions",
        plan.merge.dims().iter().filter(|d| **d).count() > 1,
    );
    if let Some(t) = plan.lockstep() {
        add("plan: merged, nothing staged", true);
        add("plan: loads found by address", !t.loads.is_empty());
        add("plan: guards of replicas", !t.guards.is_empty());
        add("plan: plane after plane", t.streamed.is_some());
        let at_once = !t.at_once.is_empty() && plan.steps().is_none();
        add("plan: replicas side by side", at_once);
    }
    if plan.unroll_jam().is_some() {
        let first = plan.scalars().any(|p| p.loads_first);
        add("plan: iterations jammed, sums from memory", first);
    }
    add("plan: unrolled", plan.unrolled().any(|r| r.always));
    add(
        "plan: unrolled, wide loads",
        plan.unrolled().any(|r| r.always && !r.wide.is_empty()),
    );
    add(
        "plan: unrolled if aligned",
        plan.unrolled().any(|r| !r.always),
    );
    let members = || tiles.iter().flat_map(|t| &t.members);
    let reuse = |m: &mesi::plan::Member| m.reuse;
    add(
        "plan: reads shared by replicas",
        members().filter_map(reuse).any(|s| s.along.is_some()),
    );
    add(
        "plan: reads shared by replicas or iterations, several cells at once",
        members().filter_map(reuse).any(|s| s.width > 1),
    );
    add(
        "plan: tiles copied in pieces",
        plan.regions.iter().any(|r| r.whole_async),
    );
    add(
        "plan: replicas store at once",
        plan.wide_stores().next().is_some(),
    );
    let mut add = |name: &str, there: bool| {
        if there {
            all.insert(name.into());
        }
    };
    add("plan: several regions", plan.regions.len() > 1);
    let nodes: BTreeSet<_> = plan.regions.iter().map(|r| r.node.index()).collect();
    add(
        "plan: strip inside a whole region of its loop",
        nodes.len() < plan.regions.len(),
    );
    add(
        "plan: barrier before the first copy",
        plan.regions.iter().any(|r| r.barrier_before),
    );
    add("plan: several tiles", tiles.len() > 1);
    add(
        "plan: several tiles of one array",
        (1..tiles.len()).any(|n| {
            tiles[..n]
                .iter()
                .any(|t| t.footprint.array == tiles[n].footprint.array)
        }),
    );
    add(
        "plan: tile of run-time size",
        tiles.iter().any(|t| t.place.after().is_some()),
    );
    add(
        "plan: write-back",
        tiles.iter().any(|t| !t.write_back.is_empty()),
    );
    add(
        "plan: store tile",
        tiles.iter().any(|t| t.footprint.active.is_empty()),
    );
    add(
        "plan: barrier behind the last write-back",
        plan.regions.iter().any(|r| r.barrier_after),
    );
    add("plan: clipped copy", tiles.iter().any(|t| t.clip_linear));
    add(
        "plan: several active sets",
        tiles.iter().any(|t| t.footprint.active.len() > 1),
    );
    add(
        "plan: bounds",
        tiles
            .iter()
            .any(|t| t.footprint.active.iter().any(|a| !a.bounds.is_empty())),
    );
    add(
        "plan: bound on a sum",
        tiles.iter().any(|t| {
            t.footprint
                .active
                .iter()
                .any(|a| a.bounds.iter().any(|b| b.terms.len() > 1))
        }),
    );
    add(
        "plan: uniform condition on a copy",
        tiles.iter().any(|t| {
            t.footprint
                .active
                .iter()
                .any(|a| a.when.iter().any(|w| matches!(w, When::Is { .. })))
        }),
    );
    add(
        "plan: sign condition on a copy",
        tiles.iter().any(|t| {
            t.footprint
                .active
                .iter()
                .any(|a| a.when.iter().any(|w| matches!(w, When::NotNegative(_))))
        }),
    );
    add("plan: promotion", plan.has_scalars());
    add("plan: halo", dims.iter().any(|d| d.high > d.low));
    add("plan: clamp", has(|a| matches!(a, Atom::Clamp(_))));
    let inner = tiles.iter().filter_map(|t| t.footprint.dims.last());
    let walks = inner
        .clone()
        .any(|d| d.terms.iter().all(|(a, _)| matches!(a, Atom::Iter(_))) && !d.terms.is_empty());
    add(
        "plan: row walk",
        walks && has(|a| matches!(a, Atom::Tid(_))),
    );
    add(
        "plan: negative multiplier",
        dims.iter().any(|d| d.terms.iter().any(|(_, m)| *m < 0)),
    );
    add(
        "plan: multiplier above 1",
        dims.iter()
            .any(|d| d.terms.iter().any(|(_, m)| m.abs() > 1)),
    );
    add(
        "plan: several dimensions",
        tiles.iter().any(|t| t.footprint.dims.len() > 1),
    );
    add(
        "plan: three dimensions or more",
        tiles.iter().any(|t| t.footprint.dims.len() > 2),
    );
    add(
        "plan: sum in one dimension",
        dims.iter().any(|d| d.terms.len() > 1),
    );
    add(
        "plan: run-time pitch",
        dims.iter()
            .any(|d| matches!(d.pitch, Pitch::Runtime { .. })),
    );
    add(
        "plan: fact on a range",
        plan.facts().any(|f| matches!(f, Fact::InRange { .. })),
    );
    add(
        "plan: fact on overlap",
        plan.facts()
            .any(|f| matches!(f, Fact::Disjoint { .. } | Fact::DisjointHulls { .. })),
    );
    for unit in [1, 2, 4, 8, 16] {
        add(
            &format!("plan: unit of {unit} bytes"),
            tiles.iter().any(|t| t.footprint.size == unit),
        );
    }
}
