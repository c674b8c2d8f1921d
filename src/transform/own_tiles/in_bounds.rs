//! Whether every access to a kernel's static shared arrays stays in its array.
//!
//! ```text
//! __shared__ float A[128][8], B[8][128];          A[r][k], r up to 223: the kernel finds B there
//!   A has parts, B has one for all:               A's last part finds what is no one's, and the program ends
//! ```
//! Such a program is wrong by the language, but it runs. So arrays have parts by themselves only where the launch says
//! that all accesses stay in bounds; else a part holds all of them, as they lie in the kernel.

use crate::affine::{Atom, OwnOffsets, Poly};
use crate::kernel::{Dim, Kernel, callees, constant_range};
use crate::llvm::ir::{Op, Value};
use crate::machine::target::{BLOCK_LAYERS, BLOCK_THREADS};
use crate::map::HashSet;
use crate::plan::analyses::Analyses;
use crate::plan::data::Fact;
use crate::transform::offset::Offset;

/// What must hold of a launch for all accesses to stay in their arrays; `None`: that is not known. A single array has
/// nothing behind it.
pub(super) fn facts(f: &Analyses) -> Option<Vec<Fact>> {
    let arrays = callees::static_arrays(f.kernel.function);
    if arrays.len() < 2 {
        return Some(Vec::new());
    }
    let mut own = OwnOffsets::of(f.kernel, f.tree, f.affine);
    let mut found: Vec<Bounds> = Vec::new();
    let all = f.kernel.blocks.iter().flat_map(|b| b.instructions());
    for (i, p) in all.flat_map(|i| i.operands().into_iter().map(move |p| (i, p))) {
        let leads_to = leads_to(p);
        if !leads_to.iter().any(|a| arrays.contains(a)) || is_moved(i) {
            continue;
        }
        let [array] = leads_to[..] else { return None };
        let room = room(f.kernel, array, (i, p))?;
        match own.offset(p, f.kernel.block_id(i.block()?)) {
            Some((index, needed)) => {
                add(&mut found, Bounds::of(f, &index, (0, room))?);
                for r in needed {
                    add(&mut found, Bounds::of(f, &r.poly, (r.lo, r.hi))?);
                }
            }
            None if stays(f.kernel, p, room) => {}
            None => return None,
        }
    }
    found.retain(|b| !b.always_hold());
    // Each block has a thread 0.
    let possible = found.iter().all(|b| b.lo <= 0 && b.hi >= 0);
    let needed: Vec<bool> = found.iter().map(|b| !b.follow(&found)).collect();
    let needed = found.into_iter().zip(needed).filter(|(_, n)| *n);
    possible.then(|| needed.flat_map(|(b, _)| b.facts()).collect())
}

/// Whether an instruction makes another pointer of one.
fn is_moved(i: Value) -> bool {
    use Op::*;
    let is_address = matches!(
        i.opcode(),
        Some(LLVMGetElementPtr | LLVMAddrSpaceCast | LLVMBitCast)
    );
    is_address || matches!(i.opcode(), Some(LLVMFreeze | LLVMPHI | LLVMSelect))
}

/// What a pointer is moved on from, on each way.
fn leads_to(pointer: Value) -> Vec<Value> {
    let (mut seen, mut work, mut found) = (HashSet::default(), vec![pointer], Vec::new());
    while let Some(p) = work.pop() {
        if !p.ty().is_pointer() || !seen.insert(p) {
            continue;
        }
        match p.opcode() {
            Some(Op::LLVMPHI) => work.extend(p.incoming().into_iter().map(|(v, _)| v)),
            Some(Op::LLVMSelect) => work.extend([p.operand(1), p.operand(2)]),
            Some(_) if is_moved(p) => work.push(p.operand(0)),
            _ => found.push(p),
        }
    }
    found
}

/// The greatest offset at which an instruction accesses an array by `pointer` in bounds; `None`: at none does it, or it
/// does something else.
fn room(kernel: &Kernel, array: Value, (i, pointer): (Value, Value)) -> Option<i64> {
    let module = kernel.function.module();
    let accessed = match i.opcode()? {
        Op::LLVMLoad | Op::LLVMAtomicRMW => i.ty(),
        Op::LLVMStore if i.operand(0) != pointer => i.operand(0).ty(),
        _ => return None,
    };
    let bytes = module.alloc_size(array.global_value_type()) as i64;
    Some(bytes - module.alloc_size(accessed) as i64).filter(|room| *room >= 0)
}

/// Whether a pointer's offset lies between 0 and `room` whatever the launch is: by masks, remainders, types of data.
fn stays(kernel: &Kernel, pointer: Value, room: i64) -> bool {
    let range = |offset: Offset| {
        let start = (offset.constant, offset.constant);
        let mut terms = offset.terms.into_iter();
        terms.try_fold(start, |(lo, hi), (v, scale)| {
            let (l, h) = constant_range(kernel.value(v))?;
            let [x, y] = [l.checked_mul(scale)?, h.checked_mul(scale)?];
            Some((lo.checked_add(x.min(y))?, hi.checked_add(x.max(y))?))
        })
    };
    let range = offset(kernel, pointer).and_then(range);
    range.is_some_and(|(lo, hi)| lo >= 0 && hi <= room)
}

/// How far a pointer is moved on; `None`: on several ways.
fn offset(kernel: &Kernel, pointer: Value) -> Option<Offset> {
    match pointer.opcode() {
        Some(Op::LLVMGetElementPtr) => offset(kernel, pointer.operand(0))?.moved(kernel, pointer),
        Some(Op::LLVMAddrSpaceCast | Op::LLVMBitCast) => offset(kernel, pointer.operand(0)),
        Some(_) => None,
        None => Some(Offset::default()),
    }
}

/// Between what a sum of multiples of a thread's numbers must lie.
struct Bounds {
    terms: Vec<(Atom, i64)>,
    lo: i64,
    hi: i64,
}

impl Bounds {
    /// Those within which `poly` lies in a range, in all iterations of loops of known length; `None`: it is made of
    /// something else.
    fn of(f: &Analyses, poly: &Poly, (lo, hi): (i64, i64)) -> Option<Bounds> {
        let (mut terms, mut rest) = (Vec::new(), (0i64, 0i64));
        for (m, c) in poly.terms() {
            let ends = match m[..] {
                [] => (c, c),
                [atom @ Atom::Tid(_)] => {
                    terms.push((atom, c));
                    continue;
                }
                [Atom::Iter(l)] => {
                    let t = f.affine.uniform_trip(l)?;
                    let (span, step) = (t.span.as_constant()?, t.step.as_constant()?);
                    let runs = (span + step - 1).checked_div(step)?.max(t.least.into());
                    let last = (runs - 1).max(0).checked_mul(c)?;
                    (last.min(0), last.max(0))
                }
                _ => return None,
            };
            rest = (rest.0.checked_add(ends.0)?, rest.1.checked_add(ends.1)?);
        }
        let (lo, hi) = (lo.saturating_sub(rest.0), hi.saturating_sub(rest.1));
        Some(match terms[..] {
            [(atom, c)] => Bounds::of_one(atom, c, (lo, hi)),
            _ => Bounds { terms, lo, hi },
        })
    }

    /// Those of a number, of `c` times which they are given.
    fn of_one(atom: Atom, c: i64, (lo, hi): (i64, i64)) -> Bounds {
        let (lo, hi) = match c > 0 {
            true => (lo, hi),
            false => (hi.saturating_neg(), lo.saturating_neg()),
        };
        let c = c.saturating_abs();
        Bounds {
            terms: vec![(atom, 1)],
            lo: lo.saturating_neg().div_euclid(c).saturating_neg(),
            hi: hi.div_euclid(c),
        }
    }

    /// Whether they hold where all of `others` do that are of one number.
    fn follow(&self, others: &[Bounds]) -> bool {
        let of = |atom: &Atom, c: i64| {
            let b = others.iter().find(|b| b.terms == [(*atom, 1)])?;
            let ends = [b.lo.checked_mul(c)?, b.hi.checked_mul(c)?];
            Some((ends[0].min(ends[1]), ends[0].max(ends[1])))
        };
        let ends = self.terms.iter().try_fold((0i64, 0i64), |(l, h), (a, c)| {
            let (lo, hi) = of(a, *c)?;
            Some((l.checked_add(lo)?, h.checked_add(hi)?))
        });
        self.terms.len() > 1 && ends.is_some_and(|(l, h)| self.lo <= l && h <= self.hi)
    }

    /// Whether they hold in blocks of any size.
    fn always_hold(&self) -> bool {
        let last = |a: &Atom| match a {
            Atom::Tid(Dim::Z) => i64::from(BLOCK_LAYERS) - 1,
            _ => i64::from(BLOCK_THREADS) - 1,
        };
        let ends = self.terms.iter().map(|(a, c)| c.saturating_mul(last(a)));
        let (least, most) = ends.fold((0i64, 0i64), |(l, h), e| {
            (l.saturating_add(e.min(0)), h.saturating_add(e.max(0)))
        });
        self.lo <= least && most <= self.hi
    }

    /// What must hold of a launch's blocks for them: each number's last is one less than there are, and a block has a
    /// thread 0. Facts of threads' numbers are those of all merged blocks', and these are each block's own.
    fn facts(self) -> impl Iterator<Item = Fact> {
        let sum = |up: bool| {
            let terms = self.terms.iter().filter(|(_, c)| (*c > 0) == up);
            let count = |a: Atom| match a {
                Atom::Tid(d) => Atom::Ntid(d),
                other => other,
            };
            let all: Vec<(Atom, i64)> = terms.map(|(a, c)| (count(*a), *c)).collect();
            let ends = all.iter().map(|(_, c)| c).sum::<i64>();
            (!all.is_empty()).then(|| (Poly::sum(&all), ends))
        };
        let most = sum(true).map(|(poly, ends)| Fact::InRange {
            poly,
            lo: 0,
            hi: self.hi.saturating_add(ends),
        });
        let least = sum(false).map(|(poly, ends)| Fact::InRange {
            poly,
            lo: self.lo.saturating_add(ends),
            hi: 0,
        });
        most.into_iter().chain(least)
    }
}

/// Adds bounds, as one with those of the same sum.
fn add(all: &mut Vec<Bounds>, bounds: Bounds) {
    match all.iter_mut().find(|b| b.terms == bounds.terms) {
        Some(same) => {
            same.lo = same.lo.max(bounds.lo);
            same.hi = same.hi.min(bounds.hi);
        }
        None => all.push(bounds),
    }
}
