//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use super::data::{Ahead, CELL, Privatization, Stride};
use super::legality::{
    add_disjoint_cells, count_threads, holds_everywhere, is_often, order_matters, privatizable,
    stay_small,
};
use super::stride;
use crate::access::AccessKind;
use crate::kernel::ids::{self, Register, register};
use crate::kernel::{Dim, Kernel};
use crate::machine::target::{SHARED_UNIT, Target, WARP};
use crate::machine::tuning::privatize::{
    AHEAD_REGISTERS, BLOCK, FIRST_CELLS, MORE_CELLS, MOST_BYTES, PART, UPDATES,
};
use crate::options::Options;
use crate::plan::analyses::Analyses;
use crate::plan::data::{Merge, Plan, Test, Workers};
use crate::plan::facts::Facts;
use crate::plan::model::{self, Shape};
use crate::plan::{merge, wide};
use crate::transform::way::Merged;
use std::sync::Arc;

/// Bytes loaded at once.
const WIDEST: u32 = 16;
/// The versions that privatize what the kernel updates atomically, where that is legal, and sure to gain or
/// asked for. `merged` gives the version without tiles that they are made of. Where data says no bounds there are two:
/// few cells in many copies, and more cells.
pub fn choose(f: &Analyses, options: &Options, merged: &Merged) -> Vec<Plan> {
    let of = |cells: u32| with_first_cells(f, options, merged, cells);
    let is_unbounded = |p: &Plan| {
        let steps = p.steps_as::<Privatization>();
        steps.is_some_and(|s| s.arrays.iter().any(|a| a.beyond))
    };
    let few = of(FIRST_CELLS);
    let more = few.as_ref().filter(|p| is_unbounded(p));
    let more = more.and_then(|_| of(MORE_CELLS));
    few.into_iter().chain(more).collect()
}

/// The version with so many `cells` of each array whose updates data bounds nowhere.
fn with_first_cells(f: &Analyses, options: &Options, merged: &Merged, cells: u32) -> Option<Plan> {
    if options.merge == Some([1, 1, 1]) {
        return None;
    }
    let target = Target::of_sm(f.kernel.sm)?;
    let arrays = privatizable(f, cells)?;
    if !options.force
        && !arrays
            .iter()
            .all(|a| a.updates.iter().all(|u| is_often(f, *u)))
    {
        return None;
    }
    let bytes = arrays.iter().map(|a| a.cells * CELL).sum::<u32>();
    let most = MOST_BYTES.max(cells * CELL);
    let limit = options.shared.unwrap_or(most).min(most);
    if bytes > limit {
        return None;
    }
    let cells = i64::from(bytes / CELL);
    let copies = copies(bytes, target, options);
    let shared_bytes = (bytes * copies).next_multiple_of(16);
    let p = Privatization {
        arrays,
        dimensions: block_dimensions(f.kernel),
        resident: target.sms * target.threads_per_sm,
        blocks: target.sms * blocks(shared_bytes, target),
        copies,
        stride: None,
        share: share(cells)?,
        ahead: None,
        looked_up: Vec::new(),
    };
    let in_order = order_matters(f, &p.arrays);
    let stride = stride::find(f).filter(|_| !in_order);
    let by_elements = stride.and_then(|s| in_strides(f, options, (p.clone(), s), shared_bytes));
    by_elements.or_else(|| in_blocks(f, options, merged, p, shared_bytes))
}

/// The version whose steps are of the grid's blocks.
fn in_blocks(
    f: &Analyses,
    options: &Options,
    merged: &Merged,
    mut p: Privatization,
    shared_bytes: u32,
) -> Option<Plan> {
    if !f.tree.loops.is_empty() {
        // How much a thread does in loops is not known.
        p.share = WARP;
    }
    let mut facts = Facts::default();
    count_threads(&p, &mut facts);
    let is_ordered = order_matters(f, &p.arrays);
    let ahead = is_ordered.then(|| ahead(f, &p)).flatten();
    if ahead.is_none() {
        p.looked_up = add_disjoint_cells(f, &p, &mut facts)?;
    }
    // Replicas share what they load, and load at once, as if nothing had been updated.
    let in_order = !p.looked_up.is_empty() || is_ordered;
    let few = if in_order { 1 } else { replicas(f.kernel) };
    let many = replicas_of_loads(f).filter(|n| *n >= few && !in_order);
    let factor = options.merge.unwrap_or([many.unwrap_or(few), 1, 1]);
    if !is_counted_by_shifts(factor) || in_order && factor[0] > 1 {
        return None;
    }
    let side_by_side = many.is_some_and(|n| factor[0] > 1 && factor[0] <= n);
    let mut plan = merged(factor, side_by_side)?;
    plan.facts().for_each(|x| facts.add(x.clone()));
    stay_small(f, &mut facts)?;
    if let Some((ahead, rests_on)) = ahead {
        p.ahead = Some(ahead);
        plan.registers = Some(AHEAD_REGISTERS);
        rests_on.list.into_iter().for_each(|x| facts.add(x));
    }
    plan.tests = Test::all_sound(facts.list);
    plan.sort_tests();
    plan.shared_bytes = shared_bytes;
    by_ids(f, &mut p, &mut plan);
    plan.workers = plan.workers.leading(Arc::new(p))?;
    let target = Target::of_sm(f.kernel.sm)?;
    let is_wanted = holds_everywhere(f, &plan) && (options.force || gains(f, &plan, target));
    is_wanted.then_some(plan)
}

/// The elements that threads load ahead, where the kernel is a loop over such, with what that rests on.
fn ahead(f: &Analyses, p: &Privatization) -> Option<(Ahead, Facts)> {
    let stride = stride::find(f)?;
    let mut facts = Facts::default();
    let elements = stride.count(f, &mut facts)?;
    stride.add_disjoint_cells(f, p, &elements, &mut facts)?;
    Some((stride.ahead(f)?, facts))
}

/// Replicas that load the widest of what a kernel loads at once: of one that does nothing else to memory than load, by
/// straight code, and update cells, and whose threads are told by their global ids along x alone.
fn replicas_of_loads(f: &Analyses) -> Option<u32> {
    let kinds = [AccessKind::Load, AccessKind::Atomic];
    let straight = f.tree.loops.is_empty() && ids::only_global_id(f.kernel, Dim::X);
    if !straight || !f.accesses.iter().all(|a| kinds.contains(&a.kind)) {
        return None;
    }
    let sizes = f.accesses.iter().filter(|a| wide::is_side_by_side(f, a));
    sizes.map(|a| WIDEST / a.size.min(WIDEST)).min()
}

/// Whether the model is sure that a large launch gains, or says nothing, as of loops whose length is not known.
fn gains(f: &Analyses, plan: &Plan, target: &Target) -> bool {
    let forecast = model::forecast(f, plan, target, Shape::of(plan));
    match forecast.large() {
        Some(large) => large.gain() >= crate::machine::tuning::forecast::MARGIN,
        None => !f.tree.loops.is_empty(),
    }
}

/// Threads of the grid per leader, at least, where it has this many cells.
fn share(cells: i64) -> Option<u32> {
    let least = u32::try_from((UPDATES * cells).max(i64::from(WARP))).ok()?;
    Some(least.next_power_of_two())
}

/// Steps are dealt out by blocks side by side along x, and counted by shifts.
fn is_counted_by_shifts(factor: [u32; 3]) -> bool {
    factor[1..] == [1, 1] && factor[0].is_power_of_two()
}

/// Steps that a thread takes at a time, so that their loads are under way together.
fn replicas(kernel: &Kernel) -> u32 {
    match kernel.pressure() {
        0..=16 => 4,
        17..=24 => 2,
        _ => 1,
    }
}

/// Has steps be of ids and not of blocks, where all ids below a limit are elements: then how many blocks there are does
/// not matter.
fn by_ids(f: &Analyses, p: &mut Privatization, plan: &mut Plan) -> Option<()> {
    let stride = stride::of_ids(f)?;
    let side_by_side = plan.merge.consecutive[0] || plan.merge.factor[0] == 1;
    if p.dimensions > 1 || !side_by_side {
        return None;
    }
    let mut facts = Facts::default();
    let known = plan.tests.iter().filter_map(Test::if_sound);
    known.for_each(|x| facts.add(x.clone()));
    stride.count_ids(f, &mut facts)?;
    plan.lockstep_mut()?.guards = Vec::new();
    p.stride = Some(stride);
    plan.tests = Test::all_sound(facts.list);
    plan.sort_tests();
    Some(())
}

/// The version of a kernel that is a loop over elements. No forecast is asked: before it, each element's update goes to
/// L2, which does [`Target::updates`] per clock of all.
fn in_strides(
    f: &Analyses,
    options: &Options,
    (p, stride): (Privatization, Stride),
    shared_bytes: u32,
) -> Option<Plan> {
    merge::check_kernel(f, true).ok()?;
    let replicas = stride.replicas(f).unwrap_or(replicas(f.kernel));
    let factor = options.merge.unwrap_or([replicas, 1, 1]);
    if p.dimensions > 1
        || factor[1..] != [1, 1]
        || !factor[0].is_power_of_two()
        || factor[0] > replicas
    {
        return None;
    }
    let merge = Merge {
        factor,
        run: factor,
        consecutive: [factor[0] > 1, false, false],
        square: false,
        ..Merge::default()
    };
    let mut facts = Facts::default();
    count_threads(&p, &mut facts);
    let elements = stride.count(f, &mut facts)?;
    stride.add_disjoint_cells(f, &p, &elements, &mut facts)?;
    let lockstep = stride.lockstep(f, merge);
    let stride = Some(stride);
    Some(Plan {
        merge,
        tests: Test::all_sound(facts.list),
        workers: Workers::Leaders(lockstep, Arc::new(Privatization { stride, ..p })),
        shared_bytes,
        ..Plan::default()
    })
}

/// Copies of the cells: one for each thread of a warp, or as many as there is room for.
fn copies(bytes: u32, target: &Target, options: &Options) -> u32 {
    let wanted_blocks = (target.threads_per_sm / PART / BLOCK).max(1);
    let room = (target.shared_per_sm / wanted_blocks).saturating_sub(target.shared_reserved);
    let room = room.min(target.static_shared);
    let room = options.shared.map_or(room, |most| room.min(most));
    let most = (room / bytes.max(1)).clamp(1, WARP);
    1 << most.ilog2()
}

/// Blocks with so much shared memory that a multiprocessor holds.
fn blocks(shared_bytes: u32, target: &Target) -> u32 {
    let each = shared_bytes.next_multiple_of(SHARED_UNIT) + target.shared_reserved;
    (target.shared_per_sm / each).clamp(1, target.blocks_per_sm)
}

/// Dimensions up to the last in which block numbers are read.
fn block_dimensions(kernel: &Kernel) -> usize {
    let all = kernel.blocks.iter().flat_map(|b| b.instructions());
    let last = all.filter_map(|i| match register(i) {
        Some((Register::Ctaid, d)) => Some(d.index() + 1),
        _ => None,
    });
    last.max().unwrap_or(1)
}
