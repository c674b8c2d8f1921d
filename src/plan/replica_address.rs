//! Addresses of a replica of merged blocks.

use super::analyses::Analyses;
use crate::access::{AccessId, AccessKind};
use crate::affine::{Atom, MachineAddress, Poly};
use crate::kernel::Dim;
use crate::plan::data::Merge;
use crate::plan::global_ids;

/// A replica's address, in the ids of the leader's threads.
pub fn replica_address(address: &MachineAddress, merge: Merge, place: [u32; 3]) -> MachineAddress {
    address.map(|p| {
        let mut p = p.clone();
        for d in Dim::ALL.into_iter().filter(|d| merge.along(*d) > 1) {
            let atom = if merge.consecutive[d.index()] {
                Atom::Tid(d)
            } else {
                Atom::Ctaid(d)
            };
            let more = Poly::constant(i64::from(place[d.index()]));
            p = p.substitute(atom, &Poly::atom(atom).plus(&more));
        }
        p
    })
}

/// Whether a load's address is known for every replica, and nothing in the kernel writes its array.
pub fn is_keyable(f: &Analyses, a: AccessId, merge: Merge) -> bool {
    let access = f.accesses.get(a);
    let (Some(array), Some(address)) = (access.array, machine_address(f, a)) else {
        return false;
    };
    let written = |x: &crate::access::Access| x.array == Some(array) && x.kind != AccessKind::Load;
    access.kind == AccessKind::Load
        && !f.accesses.iter().any(written)
        && is_resolved(f, address, merge)
}

/// Whether [`replica_address`] says where a replica's own lies: no clamp hides the ids that it puts in.
pub fn is_resolved(f: &Analyses, address: &MachineAddress, merge: Merge) -> bool {
    let is_fixed = |p: &Poly, d: Dim| {
        let clamp = |a: Atom| matches!(a, Atom::Clamp(_)) && global_ids::is_id(f, a, d);
        !p.any(clamp) && global_ids::is_known(f, p, d)
    };
    let mut dims = Dim::ALL.into_iter().filter(|d| merge.along(*d) > 1);
    dims.all(|d| address.polys().all(|p| is_fixed(p, d)))
}

pub fn machine_address<'a>(f: &Analyses<'a>, a: AccessId) -> Option<&'a MachineAddress> {
    f.affine.machine_address[a.index()].as_ref().map(|(n, _)| n)
}

/// Whether what is stored is read at the same address alone, if at all: where a kernel works in place
/// (one step of an elimination: x1.05, and x0.96 where the grid is small), order may matter to it.
pub fn is_out_of_place(f: &Analyses) -> bool {
    let of = |kind| f.accesses.iter().filter(move |a| a.kind == kind);
    of(AccessKind::Store).all(|s| {
        of(AccessKind::Load)
            .filter(|l| l.array == s.array)
            .all(|l| machine_address(f, l.id).is_some_and(|x| Some(x) == machine_address(f, s.id)))
    })
}
