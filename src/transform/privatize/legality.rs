//! What must hold of a kernel. Idea and soundness: [`super`].

use super::data::{CELL, Privatization, PrivatizedArray};
use super::stride;
use crate::access::{AccessId, AccessKind};
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, constant_range};
use crate::llvm::ir::{Op, Value};
use crate::machine::tuning::privatize::MOST_BYTES;
use crate::plan::analyses::Analyses;
use crate::plan::data::{Fact, Footprint, Plan};
use crate::plan::facts::Facts;
use crate::plan::footprint::{add_access_facts, add_footprint_facts, footprint};
use crate::plan::global_ids;

/// Blocks at most, so that the number of the step behind the last fits 32 bits.
const MOST_BLOCKS: i64 = 1 << 30;

/// Every array that is updated atomically, if all of them may be privatized.
pub(super) fn privatizable(f: &Analyses) -> Option<Vec<PrivatizedArray>> {
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
