//! What must hold of a kernel. Idea and soundness: [`super`].

use super::bounds::{guarding, offsets};
use super::data::{CELL, Privatization, PrivatizedArray};
use super::{look_up, stride};
use crate::access::{Access, AccessId, AccessKind, ArrayId};
use crate::affine::{Atom, Guard, Poly};
use crate::kernel::Dim;
use crate::kernel::ids::register;
use crate::llvm::ir::{Op, Value};
use crate::machine::tuning::privatize::MOST_BYTES;
use crate::plan::analyses::Analyses;
use crate::plan::data::{Fact, Footprint, Plan};
use crate::plan::facts::Facts;
use crate::plan::footprint::{add_access_facts, add_footprint_facts, footprint};
use crate::plan::global_ids;
use crate::tree::{Node, NodeId};

/// Blocks at most, so that the number of the step behind the last fits 32 bits.
const MOST_BLOCKS: i64 = 1 << 30;
/// Values that a number is made of, beyond which it is not followed.
const MOST_VALUES: u32 = 32;

/// Every array that is updated atomically, if all of them may be privatized; of those whose updates data bounds nowhere
/// so many cells.
pub(super) fn privatizable(f: &Analyses, first_cells: u32) -> Option<Vec<PrivatizedArray>> {
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
        let (low, high, beyond) = cells(f, a, f.kernel.value(base), first_cells)?;
        // The cells are given to memory by atomics like the first.
        let like = |t: &PrivatizedArray| {
            let first = f.accesses.get(t.updates[0]).value;
            t.op == op && f.kernel.value(first).scope() == i.scope() && t.beyond == beyond
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
                beyond,
            }),
        }
    }
    let alike = |t: &PrivatizedArray| t.op == out[0].op;
    let stores = f.accesses.iter().any(|a| a.kind == AccessKind::Store);
    if out.iter().any(|t| t.beyond) && (stores || !out.iter().all(alike)) {
        return None;
    }
    for t in &mut out {
        t.offset = offset;
        offset += t.cells * CELL;
    }
    (!out.is_empty()).then_some(out)
}

/// The bytes from `base` at which the first and the last cell that is privatized begin, and whether the update may be
/// of others, too: where it is data alone that says which cell it is, and says no bounds.
fn cells(f: &Analyses, update: &Access, base: Value, first: u32) -> Option<(i64, i64, bool)> {
    let pointer = f.kernel.value(update.pointer?);
    let known = offsets(f, pointer, base, &guarding(f, update));
    let is_within =
        |r: &(i64, i64)| r.0 % i64::from(CELL) == 0 && r.1 - r.0 <= i64::from(MOST_BYTES);
    if let Some((low, high)) = known.filter(is_within) {
        return Some((low, high, false));
    }
    let last = i64::from(first - 1) * i64::from(CELL);
    is_cell_by_data(f, pointer, base).then_some((0, last, true))
}

/// Whether `pointer` lies whole cells from `base`, as many as loaded numbers and constants say.
fn is_cell_by_data(f: &Analyses, pointer: Value, base: Value) -> bool {
    let module = f.kernel.function.module();
    let whole = |bytes: i64| bytes % i64::from(CELL) == 0;
    let (mut at, mut by_data) = (pointer, false);
    while at != base {
        if !at.is(Op::LLVMGetElementPtr) {
            return false;
        }
        match (at.gep_constant_offset(module), &at.operands()[1..]) {
            (Some(k), _) if whole(k) => {}
            (None, [index]) => {
                let size = i64::try_from(module.alloc_size(at.gep_source_type()));
                if !size.is_ok_and(whole) || !is_by_data(*index) {
                    return false;
                }
                by_data = true;
            }
            _ => return false,
        }
        at = at.operand(0);
    }
    by_data
}

/// Whether a number is made of what is loaded, and of constants and arguments. One that is made of ids or counters says
/// where a thread is: few of its cells are among the first.
fn is_by_data(v: Value) -> bool {
    loads_of(v).is_some_and(|loads| !loads.is_empty())
}

/// The loads that a number is made of; `None`: of something else besides constants and arguments.
fn loads_of(v: Value) -> Option<Vec<Value>> {
    let (mut work, mut loads) = (vec![v], Vec::new());
    for _ in 0..MOST_VALUES {
        let Some(v) = work.pop() else {
            return Some(loads);
        };
        match v.opcode().filter(|_| v.is_instruction()) {
            None => {}
            Some(Op::LLVMLoad) => loads.push(v),
            Some(Op::LLVMPHI) => return None,
            Some(_) if register(v).is_some() => return None,
            Some(_) => work.extend(v.operands()),
        }
    }
    None
}

/// Whether most threads come to an update: only conditions that bound threads stand around it, or such as ask whether
/// its cell is one (`if (bin < bins) atomicAdd(&count[bin], 1)`).
pub(super) fn is_often(f: &Analyses, update: AccessId) -> bool {
    let mut guards = f.affine.guards[update.index()].iter();
    guards.all(|(node, g)| match g {
        Guard::AllButOne { .. } => false,
        Guard::Opaque => asks_for_the_cell(f, *node, update),
        _ => true,
    })
}

/// Whether a branch looks at nothing but what says which cell is updated.
fn asks_for_the_cell(f: &Analyses, branch: NodeId, update: AccessId) -> bool {
    let Node::If { at, .. } = f.tree.node(branch) else {
        return false;
    };
    let condition = f.kernel.block(*at).terminator().condition();
    let pointer = f.accesses.get(update).pointer.map(|p| f.kernel.value(p));
    let (looks_at, cell) = (loads_of(condition), pointer.and_then(loads_of));
    let (looks_at, cell) = (looks_at.unwrap_or_default(), cell.unwrap_or_default());
    !looks_at.is_empty() && looks_at.iter().all(|l| cell.contains(l))
}

/// Whether it matters in which order a thread loads and updates: updates that go straight to memory may change what the
/// thread loads behind them. What a thread reads while others update it is theirs to say in the original, too.
pub(super) fn order_matters(f: &Analyses, all: &[PrivatizedArray]) -> bool {
    let first = all.iter().flat_map(|t| &t.updates).min();
    let distinct = |x: ArrayId| all.iter().all(|t| f.accesses.surely_distinct(t.array, x));
    let comes_first = |a: &Access| {
        f.tree.loops.is_empty() && Some(&a.id) < first || a.array.is_some_and(distinct)
    };
    all.iter().any(|t| t.beyond) && !f.accesses.of_kind(AccessKind::Load).all(comes_first)
}

/// Facts under which blocks, threads and steps can be counted in 32 bits.
pub(super) fn count_threads(p: &Privatization, facts: &mut Facts) {
    let blocks = |d: Dim| Poly::atom(Atom::Nctaid(d));
    let walked = &Dim::ALL[..p.dimensions];
    for d in walked {
        facts.add_range(&along(*d), 1, i64::from(i32::MAX));
    }
    let all = Poly::product(walked.iter().map(|d| blocks(*d)));
    facts.add_range(&all, 1, MOST_BLOCKS);
}

/// Threads along a dimension.
fn along(d: Dim) -> Poly {
    Poly::atom(Atom::Ntid(d)).times(&Poly::atom(Atom::Nctaid(d)))
}

/// Adds facts that keep the arithmetic of the others below 2^63: they are tested for the whole grid, whose
/// thread numbers are larger than a block's.
pub(super) fn stay_small(f: &Analyses, facts: &mut Facts) -> Option<()> {
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
            // Of jammed loops, or whose sums are in registers, or of tiles: no grid is done in steps there.
            Fact::DisjointHulls { .. } | Fact::Mapped { .. } => return None,
            Fact::Multiple { .. } => {}
        }
    }
    Some(())
}

/// Adds that nothing else touches the cells; the loads of which that is neither known nor testable, and that can be
/// looked up; `None` where there are other accesses like that.
pub(super) fn add_disjoint_cells(
    f: &Analyses,
    p: &Privatization,
    facts: &mut Facts,
) -> Option<Vec<AccessId>> {
    let mut looked_up = Vec::new();
    for (i, t) in p.arrays.iter().enumerate() {
        // Atomics are all of arrays with cells of their own, which are told apart once.
        for a in f.accesses.iter().filter(|a| a.kind != AccessKind::Atomic) {
            if a.array == Some(t.array) {
                return None;
            }
            if f.accesses.surely_distinct(t.array, a.array?) {
                continue;
            }
            let mut wanted = facts.clone();
            match cells_are_disjoint(f, t.footprint(), a.id, &mut wanted) {
                Some(()) => *facts = wanted,
                None if look_up::can_be(f, a) => looked_up.push(a.id),
                None => return None,
            }
        }
        stride::add_disjoint_arrays(f, t, &p.arrays[i + 1..], facts);
    }
    crate::order::sort(&mut looked_up);
    looked_up.dedup();
    Some(looked_up)
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
pub(super) fn holds_everywhere(f: &Analyses, plan: &Plan) -> bool {
    Dim::ALL
        .into_iter()
        .all(|d| global_ids::is_about_grid(f, plan, d))
}
