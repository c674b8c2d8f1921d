//! What must hold of a kernel. Idea and soundness: [`super`].

use super::data::{CELL, Privatization, PrivatizedArray};
use super::stride;
use crate::access::{AccessId, AccessKind, ArrayId};
use crate::affine::{Atom, Guard, Poly};
use crate::kernel::ids::register;
use crate::kernel::{Dim, constant_range};
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
        let (low, high, beyond) = cells(
            f,
            f.kernel.value(a.pointer?),
            f.kernel.value(base),
            first_cells,
        )?;
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
    if out.iter().any(|t| t.beyond) && !(out.iter().all(alike) && loads_come_first(f, &out)) {
        return None;
    }
    for t in &mut out {
        t.offset = offset;
        offset += t.cells * CELL;
    }
    (!out.is_empty()).then_some(out)
}

/// The bytes from `base` at which the first and the last cell that is privatized begin, and whether `pointer` may be
/// of others, too: where it is data alone that says which cell it is, and says no bounds.
fn cells(f: &Analyses, pointer: Value, base: Value, first: u32) -> Option<(i64, i64, bool)> {
    let known = offsets(f, pointer, base);
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

/// Whether a thread's updates that go straight to memory change nothing that the thread reads behind them, and nothing
/// is stored. What a thread reads while others update it is theirs to say in the original, too.
fn loads_come_first(f: &Analyses, all: &[PrivatizedArray]) -> bool {
    let first = all.iter().flat_map(|t| &t.updates).min();
    let distinct = |x: ArrayId| all.iter().all(|t| f.accesses.surely_distinct(t.array, x));
    f.accesses.iter().all(|a| match a.kind {
        AccessKind::Atomic => true,
        AccessKind::Load => {
            f.tree.loops.is_empty() && Some(&a.id) < first || a.array.is_some_and(distinct)
        }
        _ => false,
    })
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

/// Adds that nothing else touches the cells; `None` where that is neither known nor testable.
pub(super) fn add_disjoint_cells(f: &Analyses, p: &Privatization, facts: &mut Facts) -> Option<()> {
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
pub(super) fn holds_everywhere(f: &Analyses, plan: &Plan) -> bool {
    Dim::ALL
        .into_iter()
        .all(|d| global_ids::is_about_grid(f, plan, d))
}
