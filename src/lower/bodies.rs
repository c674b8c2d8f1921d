//! One body for each version of a plan, each in front of those tried after it.

use super::{Lower, STAGED, lengthen, quiet, registers, rounds};
use crate::kernel::Kernel;
use crate::llvm::ir::{Block, Function, Type, Value};
use crate::plan::{Facets, Fact, Plan};

/// What was emitted: figures for remarks, and what `check` looks at.
pub struct Lowered {
    /// The branch between the staged and the original body.
    pub dispatch: Value,
    /// First block of the staged body.
    pub staged: Block,
    /// Every new block, entry and tests included, in layout order.
    pub blocks: Vec<Block>,
    /// Those of them that copy between global memory and tiles, or do without (`gather`).
    pub copies: Vec<Block>,
    /// The buffer that all tiles carve; a constant where there are none.
    pub buffer: Value,
    /// Barriers emitted, those of the alternatives included.
    pub barriers: u32,
    /// Every block of what short loops run.
    pub short: Vec<Block>,
    /// Branches that only the host's gate is made of, to bodies that run in all launches.
    pub passed: Vec<Value>,
    /// The bodies of the plan's alternatives, in order.
    pub alternatives: Vec<Lowered>,
}

/// What a body finds in the function.
#[derive(Clone, Copy)]
pub(super) struct Places {
    /// The buffer that all tiles carve.
    pub buffer: Value,
    /// Where launches go that no version serves, as the first test finds.
    pub original: Block,
    /// The original body, or what stands in for it.
    pub unserved: Block,
    /// What runs where the version's facts do not hold.
    pub fallback: Block,
    /// What runs where no version's facts hold.
    pub last: Block,
    /// The kernel as it was.
    pub kernel: Block,
    /// Whether the body is a version in a kernel of its own.
    pub alone: bool,
}

/// The storage of `kernel`'s tiles.
///
/// Of a template's kernel that several files have, the device's linker takes one and drops the others, but it adds up what
/// they hold of shared memory. So theirs are one, too. It refuses those that differ in size, as files compiled
/// for other block shapes may; hence the size in the name: what no kernel uses costs none anything.
fn add_tiles(kernel: Function, bytes: u32) -> Value {
    let module = kernel.module();
    let merged = kernel.value().is_mergeable();
    let name = match merged {
        // Seen by the linker, so only what PTX takes in a name.
        true => format!("{}$tiles${bytes}", kernel.name()),
        false => format!("mesi.tiles.{}", kernel.name()),
    };
    let ty = Type::int(module, 8).array(u64::from(bytes));
    module.add_shared_global(&name, ty, 16, merged)
}

/// Emits the body of a version in a kernel of its own, beside the body that is there, to which blocks go where a fact does not hold that is not
/// `decided` before the launch; where all are, none goes there. `plan` has no alternatives; the other body stays as it is.
pub fn emit_own(f: &Facets, plan: &Plan, decided: &[Fact]) -> Lowered {
    emit_bodies(f, f, plan, Some(decided))
}

/// Emits the staged body of `plan` beside the original one. `plan` is not idle, and about `f`; what short loops run is
/// about the `whole` kernel.
pub fn emit(f: &Facets, whole: &Facets, plan: &Plan) -> Lowered {
    let lowered = emit_bodies(f, whole, plan, None);
    let (kernel, accesses) = (f.kernel, f.accesses);
    match plan.quiet {
        Some(l) => quiet::mark(kernel, f.tree, l),
        // Nobody comes to the original here, and to its clone short loops do: as they are in rounds, long ones stay here.
        None if plan.short_alone || !plan.rounds.is_empty() => {}
        None if !plan.short_trips || f.affine.inside => {
            lengthen::mark(kernel, f.tree, accesses, f.affine.inside, plan.stays_rolled);
        }
        None => {
            if let Some(l) = plan.long_apart {
                lengthen::mark_apart(kernel, f.tree, accesses, l);
            }
        }
    }
    lowered
}

/// `decided`: of a version in a kernel of its own, what is asked before it is launched.
fn emit_bodies(f: &Facets, whole: &Facets, plan: &Plan, decided: Option<&[Fact]>) -> Lowered {
    let (kernel, accesses) = (f.kernel, f.accesses);
    assert!(!plan.is_idle(), "nothing to do in {}", kernel.name);
    let function = kernel.function;
    let versions = || std::iter::once(plan).chain(&plan.alternatives);
    let module = function.module();
    let buffer = if versions().all(|p| p.regions.is_empty() && p.tally.is_none()) {
        Type::int(module, 32).constant(0)
    } else {
        add_tiles(function, plan.most_shared().max(1))
    };
    let original = function.entry();
    let mut places = Places {
        buffer,
        original,
        unserved: original,
        fallback: original,
        last: original,
        kernel: original,
        alone: false,
    };
    // The first test alone leads there; each falls back to the one behind it.
    let (mut short, mut passed) = (Vec::new(), Vec::new());
    for p in plan.short.iter().rev() {
        let body = emit_body(whole, p, places, 0, Vec::new());
        passed.extend(body.passed);
        places.fallback = function.entry();
        if short.is_empty() && plan.short_alone {
            (places.unserved, places.original) = (places.fallback, places.fallback);
        }
        short.extend(body.blocks);
    }
    (places.original, places.fallback) = (places.fallback, places.original);
    places.last = places.fallback;
    let mut barriers = 0;
    let mut alternatives = Vec::new();
    // Each body's entry falls back to the one emitted before it.
    for p in plan.alternatives.iter().rev() {
        let body = emit_body(f, p, places, barriers, plan.tested_for_others());
        places.fallback = function.entry();
        barriers = body.barriers;
        passed.extend(&body.passed);
        alternatives.insert(0, body);
    }
    let tested = decided.unwrap_or_default().to_vec();
    places.alone = decided.is_some();
    let first = emit_body(f, plan, places, barriers, tested);
    finish(kernel, first.barriers);
    let blocks = std::iter::once(&first)
        .chain(&alternatives)
        .flat_map(|l| &l.blocks)
        .chain(&short);
    let strips = versions().flat_map(|p| &p.regions).filter_map(|r| r.strip);
    let ways = registers::Ways {
        flies: strips.into_iter().any(|s| s.depth > 1),
        lanes: versions().map(|p| p.merge.lanes()).max().unwrap_or(1),
        slides: versions().all(|p| p.merge.lanes() > 1 && p.regions.iter().all(|r| r.bulk)),
        shared: plan.most_shared(),
        staged: versions().any(|p| !p.regions.is_empty()),
        tiles: versions()
            .flat_map(|p| &p.regions)
            .filter(|r| r.strip.is_some())
            .map(|r| r.tiles.len())
            .max()
            .unwrap_or(0),
        writes: versions()
            .flat_map(|p| &p.regions)
            .flat_map(|r| &r.tiles)
            .any(|t| !t.write_back.is_empty()),
        abreast: versions().any(|p| p.abreast.is_some() || p.lifted),
        wanted: decided.and(plan.registers),
        rounds: rounds::words(plan, f.tree, accesses),
    };
    registers::limit(kernel, &blocks.copied().collect::<Vec<Block>>(), ways);
    passed.extend(&first.passed);
    Lowered {
        short,
        passed,
        alternatives,
        ..first
    }
}

/// Makes bodies run in all launches that they are right for, once the host's gate is made of the tests of those that gain. They still test their
/// facts; bodies in rounds have none, and what they stand in for goes.
pub fn pass_by(lowered: &Lowered) {
    for branch in &lowered.passed {
        let Some(block) = branch.block() else {
            continue;
        };
        let module = block.function().module();
        branch.set_condition(Type::int(module, 1).constant(1));
    }
}

/// Emits one version, in front of what the function does so far. `tested`: what was tested before it.
fn emit_body(f: &Facets, plan: &Plan, places: Places, barriers: u32, tested: Vec<Fact>) -> Lowered {
    let mut l = Lower::new((f.kernel, f.tree, f.accesses, f.affine), plan, places);
    (l.barriers, l.tested) = (barriers, tested);
    let dispatch = l.emit_entry();
    let staged = l.hoist.block();
    l.emit_staged();
    l.clean();
    Lowered {
        dispatch,
        staged,
        blocks: l.blocks,
        copies: l.copies,
        buffer: places.buffer,
        barriers: l.barriers,
        short: Vec::new(),
        passed: l.passed,
        alternatives: Vec::new(),
    }
}

/// Takes back promises that hold for the original body only.
fn finish(kernel: &Kernel, barriers: u32) {
    let f = kernel.function;
    for kind in ["nosync", "memory", "willreturn"] {
        f.drop_attribute(kind);
    }
    for (i, p) in f.params().into_iter().enumerate() {
        if p.ty().is_pointer() {
            f.drop_param_attribute(i as u32, "initializes");
        }
    }
    f.add_attribute("convergent");
    f.add_string_attribute(STAGED, &barriers.to_string());
}
