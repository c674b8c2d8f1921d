//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use super::data::{CELL, Privatization, PrivatizedArray, Stride};
use super::stride;
use crate::access::{AccessId, AccessKind};
use crate::affine::{Atom, Guard, Poly};
use crate::kernel::ids::{self, Register, register};
use crate::kernel::{Dim, Kernel, constant_range};
use crate::llvm::ir::{Op, Value};
use crate::machine::target::{SHARED_UNIT, Target, WARP};
use crate::machine::tuning::privatize::{BLOCK, MOST_BYTES, PART, UPDATES};
use crate::options::Options;
use crate::plan::analyses::Analyses;
use crate::plan::data::{Fact, Footprint, Merge, Plan, Test, Workers};
use crate::plan::facts::Facts;
use crate::plan::footprint::{add_access_facts, add_footprint_facts, footprint};
use crate::plan::model::{self, Shape};
use crate::plan::{global_ids, merge, wide};
use crate::transform::way::Merged;
use std::sync::Arc;

/// Bytes loaded at once.
const WIDEST: u32 = 16;
/// Blocks at most, so that the number of the step behind the last fits 32 bits.
const MOST_BLOCKS: i64 = 1 << 30;

/// The version that privatizes what the kernel updates atomically, where that is legal, and sure to gain or
/// asked for. `merged` gives the version without tiles that it is made of.
pub fn choose(f: &Analyses, options: &Options, merged: &Merged) -> Option<Plan> {
    if options.merge == Some([1, 1, 1]) {
        return None;
    }
    let target = Target::of_sm(f.kernel.sm)?;
    let arrays = privatizable(f)?;
    if !options.force
        && !arrays
            .iter()
            .all(|a| a.updates.iter().all(|u| is_often(f, *u)))
    {
        return None;
    }
    let bytes = arrays.iter().map(|a| a.cells * CELL).sum::<u32>();
    let limit = options.shared.unwrap_or(MOST_BYTES).min(MOST_BYTES);
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
    };
    let few = replicas(f.kernel);
    if let Some(stride) = stride::find(f) {
        return in_strides(f, options, (p, stride), shared_bytes);
    }
    let many = replicas_of_loads(f).filter(|n| *n >= few);
    let factor = options.merge.unwrap_or([many.unwrap_or(few), 1, 1]);
    if !is_counted_by_shifts(factor) {
        return None;
    }
    let side_by_side = many.is_some_and(|n| factor[0] > 1 && factor[0] <= n);
    let mut plan = merged(factor, side_by_side)?;
    let mut facts = Facts::default();
    count_threads(&p, &mut facts);
    plan.facts().for_each(|x| facts.add(x.clone()));
    add_disjoint_cells(f, &p, &mut facts)?;
    stay_small(f, &mut facts)?;
    plan.tests = Test::all_sound(facts.list);
    plan.sort_tests();
    plan.shared_bytes = shared_bytes;
    let mut p = p;
    by_ids(f, &mut p, &mut plan);
    plan.workers = plan.workers.leading(Arc::new(p))?;
    let is_wanted = holds_everywhere(f, &plan) && (options.force || gains(f, &plan, target));
    is_wanted.then_some(plan)
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

/// Whether the model is sure that a large launch gains.
fn gains(f: &Analyses, plan: &Plan, target: &Target) -> bool {
    let forecast = model::forecast(f, plan, target, Shape::of(plan));
    let large = forecast.large();
    large.is_some_and(|p| p.gain() >= crate::machine::tuning::forecast::MARGIN)
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
    match kernel.pressure {
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
        compacted: false,
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

/// Every array that is updated atomically, if all of them may be privatized.
fn privatizable(f: &Analyses) -> Option<Vec<PrivatizedArray>> {
    let mut out: Vec<PrivatizedArray> = Vec::new();
    let mut offset = 0;
    for a in &f.accesses.list {
        match a.kind {
            AccessKind::Load | AccessKind::Store if !a.is_volatile => continue,
            AccessKind::Atomic if a.size == CELL => {}
            _ => return None,
        }
        let i = f.kernel.value(a.value);
        let op = i.is(Op::LLVMAtomicRMW).then(|| i.rmw()).flatten()?;
        if !i.users().is_empty() || i.ty().int_width() != Some(8 * CELL) {
            return None;
        }
        let base = f.affine.base(a.array?);
        let (low, high) = offsets(f, f.kernel.value(a.pointer?), f.kernel.value(base))?;
        if low % i64::from(CELL) != 0 || high - low > i64::from(MOST_BYTES) {
            return None;
        }
        // The cells are given to memory by atomics like the first.
        let like = |t: &PrivatizedArray| {
            let first = f.accesses.get(t.updates[0]).value;
            t.op == op && f.kernel.value(first).scope() == i.scope()
        };
        match out.iter_mut().find(|t| Some(t.array) == a.array) {
            Some(t) if like(t) && (t.low - low) % i64::from(CELL) == 0 => {
                let end = (t.low + i64::from(t.cells * CELL)).max(high + i64::from(CELL));
                t.low = t.low.min(low);
                if end - t.low > i64::from(MOST_BYTES) {
                    return None;
                }
                t.cells = u32::try_from((end - t.low) / i64::from(CELL)).ok()?;
                t.updates.push(a.id);
            }
            Some(_) => return None,
            None => out.push(PrivatizedArray {
                array: a.array?,
                base,
                low,
                cells: u32::try_from((high - low) / i64::from(CELL) + 1).ok()?,
                offset: 0,
                op,
                updates: vec![a.id],
            }),
        }
    }
    for t in &mut out {
        t.offset = offset;
        offset += t.cells * CELL;
    }
    (!out.is_empty()).then_some(out)
}

/// The bytes from `base` at which `pointer` may lie, whatever the data is.
fn offsets(f: &Analyses, pointer: Value, base: Value) -> Option<(i64, i64)> {
    if pointer == base {
        return Some((0, 0));
    }
    let module = f.kernel.function.module();
    let inner = pointer.is_instruction().then(|| pointer.operand(0))?;
    match pointer.opcode()? {
        Op::LLVMAddrSpaceCast | Op::LLVMBitCast => offsets(f, inner, base),
        Op::LLVMGetElementPtr => {
            let (low, high) = offsets(f, inner, base)?;
            let (least, most) = match (
                pointer.gep_constant_offset(module),
                &pointer.operands()[1..],
            ) {
                (Some(k), _) => (k, k),
                (None, [index]) => {
                    let size = i64::try_from(module.alloc_size(pointer.gep_source_type())).ok()?;
                    let (l, h) = constant_range(*index)?;
                    (l.checked_mul(size)?, h.checked_mul(size)?)
                }
                _ => return None,
            };
            Some((low.checked_add(least)?, high.checked_add(most)?))
        }
        _ => None,
    }
}

/// Whether most threads come to an access: only conditions that bound threads stand around it.
fn is_often(f: &Analyses, a: AccessId) -> bool {
    let mut guards = f.affine.guards[a.index()].iter();
    guards.all(|(_, g)| !matches!(g, Guard::AllButOne { .. } | Guard::Opaque))
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

/// Threads along a dimension.
fn along(d: Dim) -> Poly {
    Poly::atom(Atom::Ntid(d)).times(&Poly::atom(Atom::Nctaid(d)))
}

/// Facts under which blocks, threads and steps can be counted in 32 bits.
fn count_threads(p: &Privatization, facts: &mut Facts) {
    let blocks = |d: Dim| Poly::atom(Atom::Nctaid(d));
    let walked = &Dim::ALL[..p.dimensions];
    for d in walked {
        facts.add_range(&along(*d), 1, i64::from(i32::MAX));
    }
    let all = Poly::product(walked.iter().map(|d| blocks(*d)));
    facts.add_range(&all, 1, MOST_BLOCKS);
}

/// Adds facts that keep the arithmetic of the others below 2^63: they are tested for the whole grid, whose
/// thread numbers are larger than a block's.
fn stay_small(f: &Analyses, facts: &mut Facts) -> Option<()> {
    let grown = |p: &Poly| {
        let grow = |p: Poly, d: Dim| p.substitute(Atom::Tid(d), &along(d));
        Dim::ALL.into_iter().fold(p.clone(), grow)
    };
    for fact in facts.list.clone() {
        match fact {
            Fact::InRange { poly, .. } if grown(&poly) == poly => {}
            Fact::InRange { poly, .. } => facts.add_poly(f.affine, &grown(&poly)).ok()?,
            Fact::Disjoint { a, b } => {
                for d in a.dims.iter().chain(&b.dims) {
                    for (atom, m) in &d.terms {
                        let term = d.stride.times(&Poly::atom(*atom)).times_constant(*m);
                        facts.add_poly(f.affine, &grown(&term)).ok()?;
                    }
                }
            }
            // Of jammed loops, or whose sums are in registers: no grid is done in steps there.
            Fact::DisjointHulls { .. } => return None,
            Fact::Multiple { .. } => {}
        }
    }
    Some(())
}

/// Adds that nothing else touches the cells; `None` where that is neither known nor testable.
fn add_disjoint_cells(f: &Analyses, p: &Privatization, facts: &mut Facts) -> Option<()> {
    for (i, t) in p.arrays.iter().enumerate() {
        for a in &f.accesses.list {
            if a.array == Some(t.array) {
                if a.kind != AccessKind::Atomic {
                    return None;
                }
            } else if !f.accesses.surely_distinct(t.array, a.array?) {
                // Atomics are all of arrays with cells of their own, which are told apart once.
                if a.kind != AccessKind::Atomic {
                    cells_are_disjoint(f, t.footprint(), a.id, facts)?;
                }
            }
        }
        stride::add_disjoint_arrays(f, t, &p.arrays[i + 1..], facts);
    }
    Some(())
}

/// Requires that cells and what `other` touches do not overlap; `None` where that cannot be tested.
fn cells_are_disjoint(
    f: &Analyses,
    cells: Footprint,
    other: AccessId,
    facts: &mut Facts,
) -> Option<()> {
    let array = f.accesses.get(other).array?;
    let b = footprint(f, array, &[other])?;
    add_access_facts(f, other, facts).ok()?;
    add_footprint_facts(f, &b, facts).ok()?;
    facts.add(Fact::Disjoint { a: cells, b });
    Some(())
}

/// Whether every fact is one about the global ids, so that it can be tested for the whole grid as if it
/// were one block: all blocks, leaders or not, then decide alike.
fn holds_everywhere(f: &Analyses, plan: &Plan) -> bool {
    Dim::ALL
        .into_iter()
        .all(|d| global_ids::is_about_grid(f, plan, d))
}
