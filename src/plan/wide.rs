//! Stores that merged blocks do several replicas at once.
//!
//! ```text
//! y[tid*R + j] = sum_j       replicas j .. j+3 of a thread store 16 bytes side by side
//! ```
//! Replica by replica, each store of a warp would touch `R` times as many sectors as it fills. Whether the
//! address is aligned, and all of the replicas are there, is tested where they store; whether replicas lie
//! side by side is known here modulo 2^32 and tested there for the last of them, which is enough: an
//! index that wraps in between would be far off.
//!
//! Where steps are taken, replicas load so, too ([`loads`]): `data[tid*16 + j]` of 16 replicas is one load of 16
//! bytes. All of a thread's replicas come to the load, so it reads nothing that the original would not.

use super::analyses::Analyses;
use super::data::{Merge, WideStore};
use crate::access::{Access, AccessId, AccessKind};
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;

/// Bytes stored at once.
const WIDEST: u32 = 16;

/// The stores that may be done so.
pub fn find(f: &Analyses, merge: Merge) -> Vec<WideStore> {
    let of = |a: &Access| of_store(f, merge, a);
    f.accesses.iter().filter_map(of).collect()
}

fn of_store(f: &Analyses, merge: Merge, a: &Access) -> Option<WideStore> {
    let value = f.kernel.value(a.value);
    if a.kind != AccessKind::Store || a.is_volatile || !value.operand(0).ty().is_element() {
        return None;
    }
    let (steps, _) = f.affine.address(a.id)?.index.split(Atom::varies)?;
    let adjacent = |d: &Dim| {
        merge.along(*d) > 1
            && merge.consecutive[d.index()]
            && steps.get(&Atom::Tid(*d)) == Some(&Poly::constant(i64::from(a.size)))
    };
    let along = Dim::ALL.into_iter().find(adjacent)?;
    let replicas = merge.along(along).min(WIDEST / a.size.min(WIDEST));
    let clamped = steps.keys().any(|x| matches!(x, Atom::Clamp(_)));
    (replicas > 1 && !clamped).then_some(WideStore {
        access: a.id,
        along,
        replicas,
    })
}

/// The loads that all replicas of a thread, consecutive along x, may do at once.
pub fn loads(f: &Analyses, merge: Merge) -> Vec<AccessId> {
    let qualifies = |a: &&Access| a.size * merge.along(Dim::X) <= WIDEST;
    let all = f.accesses.iter().filter(|a| is_side_by_side(f, a));
    let consecutive = merge.consecutive[Dim::X.index()];
    all.filter(|a| consecutive && qualifies(a))
        .map(|a| a.id)
        .collect()
}

/// Whether threads along x load elements that lie side by side.
pub fn is_side_by_side(f: &Analyses, a: &Access) -> bool {
    a.kind == AccessKind::Load && touches_side_by_side(f, a)
}

/// The same of a load or store.
pub fn touches_side_by_side(f: &Analyses, a: &Access) -> bool {
    let value = f.kernel.value(a.value);
    let ty = match a.kind {
        AccessKind::Load => value.ty(),
        AccessKind::Store => value.operand(0).ty(),
        _ => return false,
    };
    if a.is_volatile || !ty.is_element() {
        return false;
    }
    let index = f.affine.address(a.id).map(|x| &x.index);
    let steps = index.and_then(|i| i.split(Atom::varies));
    steps.is_some_and(|(steps, _)| {
        let clamped = steps.keys().any(|x| matches!(x, Atom::Clamp(_)));
        let step = Poly::constant(i64::from(a.size));
        !clamped && steps.get(&Atom::Tid(Dim::X)) == Some(&step)
    })
}
