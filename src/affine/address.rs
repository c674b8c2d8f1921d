//! Addresses as bytes past the base of their array.
//!
//! A GEP adds its indices times the sizes of what they step over; a pointer carried round a loop
//! adds its stride each time. Pointer arithmetic is 64 bits wide, so only narrow indices need
//! facts. Two pointers meeting elsewhere than in a loop header are not affine.

use super::value::{Exact, Reading, Values, pure};
use super::{Address, Affine, Atom, NotAffine, Poly, Range};
use crate::access::{Access, Accesses};
use crate::kernel::{BlockId, Kernel};
use crate::llvm::ir::{Op, Value};
use crate::tree::{ExitAt, Loop, Tree};

/// The address of one access. What stands in the header of a loop tested there runs once more than the loop iterates,
/// and also where it does not iterate at all, so what is said of iterations does not hold for it: refused. An iteration
/// number of a loop that is not around the access means a value used after its loop without a phi: refused.
pub fn compute_address(
    v: &mut Values,
    access: &Access,
    accesses: &Accesses,
) -> Result<Address, NotAffine> {
    let (Some(p), Some(_)) = (access.pointer, access.array) else {
        return Err(NotAffine::Index);
    };
    debug_assert!(accesses.get(access.id).value == access.value);
    if runs_once_more(v, access.block) {
        return Err(NotAffine::Index);
    }
    let e = v.pointer(v.kernel.value(p))?;
    let known = v.is_known_in(&e.poly, access.block) && !e.poly.is_huge();
    if !known || e.poly.split(Atom::varies).is_none() {
        return Err(NotAffine::Index);
    }
    Ok(Address {
        index: e.poly,
        facts: e.facts.into_iter().collect(),
    })
}

/// Where accesses to a kernel's own memory lie.
pub struct OwnOffsets<'a>(Values<'a>);

impl<'a> OwnOffsets<'a> {
    /// Those of a kernel of which all else is known.
    pub fn of(kernel: &'a Kernel, tree: &'a Tree, affine: &Affine) -> OwnOffsets<'a> {
        let mut values = Values::new(kernel, tree);
        values.set_trips(&affine.trips);
        OwnOffsets(values)
    }

    /// Bytes from the beginning of what the pointer of an access in `block` leads to, and what must hold for that;
    /// symbols of neither are the kernel's. `None`: they are not affine.
    pub fn offset(&mut self, pointer: Value, block: BlockId) -> Option<(Poly, Vec<Range>)> {
        let v = &mut self.0;
        let e = v.pointer(pointer).ok()?;
        let known = !runs_once_more(v, block) && v.is_known_in(&e.poly, block);
        let facts = e.facts.iter().map(|id| v.facts[id.index()].clone());
        (known && !e.poly.is_huge()).then(|| (e.poly, facts.collect()))
    }
}

/// Whether a block runs once more than its loop iterates.
fn runs_once_more(v: &Values, block: BlockId) -> bool {
    let once_more = |l: &Loop| l.header == block && l.exit_at == ExitAt::Header;
    v.tree.loops.iter().any(once_more)
}

impl Values<'_> {
    /// Bytes from the base that the pointer was traced to.
    pub(super) fn pointer(&mut self, p: Value) -> Result<Exact, NotAffine> {
        pointer_at(self, p, 0)
    }
}

fn pointer_at(v: &mut Values, p: Value, depth: u32) -> Result<Exact, NotAffine> {
    if depth > 64 {
        return Err(NotAffine::Index);
    }
    match p.opcode() {
        Some(Op::LLVMGetElementPtr) => {
            let base = pointer_at(v, p.operand(0), depth + 1)?;
            add(base, gep_offset(v, p)?)
        }
        Some(Op::LLVMAddrSpaceCast | Op::LLVMBitCast | Op::LLVMFreeze) => {
            pointer_at(v, p.operand(0), depth + 1)
        }
        Some(Op::LLVMPHI) => carried(v, p, depth),
        // A pointer field of a by-value struct is a base itself.
        Some(Op::LLVMLoad) | None => Ok(pure(Poly::default())),
        Some(_) => Err(NotAffine::Index),
    }
}

fn add(a: Exact, b: Exact) -> Result<Exact, NotAffine> {
    Ok(Exact {
        poly: a.poly.plus(&b.poly),
        facts: &a.facts | &b.facts,
    })
}

/// The bytes a GEP adds to its pointer.
fn gep_offset(v: &mut Values, gep: Value) -> Result<Exact, NotAffine> {
    let module = v.kernel.function.module();
    let mut ty = gep.gep_source_type();
    let mut sum = pure(Poly::default());
    for (n, index) in gep.operands()[1..].iter().enumerate() {
        let scale = if n == 0 {
            module.alloc_size(ty)
        } else if ty.is_struct() {
            let field = index.const_int().ok_or(NotAffine::Index)? as u32;
            let offset = module.field_offset(ty, field) as i64;
            sum.poly = sum.poly.plus(&Poly::constant(offset));
            ty = ty.field(field);
            continue;
        } else {
            ty = ty.element();
            module.alloc_size(ty)
        };
        let e = v.exact(*index, Reading::Signed)?;
        sum = add(
            sum,
            Exact {
                poly: e.poly.times_constant(scale as i64),
                facts: e.facts,
            },
        )?;
    }
    Ok(sum)
}

/// A pointer bumped round a loop: `start + Iter * stride`; or equal pointers meeting.
fn carried(v: &mut Values, phi: Value, depth: u32) -> Result<Exact, NotAffine> {
    let Some((id, l)) = v.loop_of_phi(phi) else {
        let mut sides = phi.incoming().into_iter().map(|(x, _)| x);
        let first = sides.next().ok_or(NotAffine::Index)?;
        let mut e = pointer_at(v, first, depth + 1)?;
        for s in sides {
            let other = pointer_at(v, s, depth + 1)?;
            if other.poly != e.poly {
                return Err(NotAffine::Index);
            }
            e.facts.extend(other.facts);
        }
        return Ok(e);
    };
    let latch = v.kernel.block(l.latch);
    let next = phi.incoming_from(latch).ok_or(NotAffine::Index)?;
    let mut stride = pure(Poly::default());
    let mut p = next;
    while p != phi {
        if !p.is(Op::LLVMGetElementPtr) {
            return Err(NotAffine::Index);
        }
        stride = add(stride, gep_offset(v, p)?)?;
        p = p.operand(0);
    }
    let starts = phi.incoming().into_iter().filter(|(_, b)| *b != latch);
    let starts: Vec<Value> = starts.map(|(x, _)| x).collect();
    let [start] = starts[..] else {
        return Err(NotAffine::Index);
    };
    let start = pointer_at(v, start, depth + 1)?;
    if stride.poly.any(Atom::varies) {
        return Err(NotAffine::Index);
    }
    let walked = stride.poly.times(&Poly::atom(Atom::Iter(id)));
    Ok(Exact {
        poly: start.poly.plus(&walked),
        facts: &start.facts | &stride.facts,
    })
}
