//! Addresses of a lane of merged blocks.

use super::facets::Facets;
use crate::access::{AccessId, AccessKind};
use crate::affine::{Atom, Narrow, Poly};
use crate::kernel::Dim;
use crate::plan::data::Merge;
use crate::plan::merge;

/// A lane's address, in the ids of the leader's threads.
pub fn lane_address(address: &Narrow, merge: Merge, place: [u32; 3]) -> Narrow {
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

/// Whether a load's address is known for every lane, and nothing in the kernel writes its array.
pub fn is_keyable(f: &Facets, a: AccessId, merge: Merge) -> bool {
    let access = f.accesses.get(a);
    let (Some(array), Some(address)) = (access.array, narrow(f, a)) else {
        return false;
    };
    let written = |x: &crate::access::Access| x.array == Some(array) && x.kind != AccessKind::Load;
    let is_fixed = |p: &Poly, d: Dim| {
        let clamp = |a: Atom| matches!(a, Atom::Clamp(_)) && merge::is_id(f, a, d);
        !p.any(clamp) && merge::is_known(f, p, d)
    };
    let dims = || Dim::ALL.into_iter().filter(|d| merge.along(*d) > 1);
    access.kind == AccessKind::Load
        && !f.accesses.list.iter().any(written)
        && dims().all(|d| address.polys().all(|p| is_fixed(p, d)))
}

/// Instructions of a thread at most: longer bodies hide their latency themselves.
pub const MOST_INSTRUCTIONS: usize = 256;

/// Bytes from thread to thread, at most: what is not coalesced is not bound by latency (a record of 28
/// bytes: x0.66).
pub const FARTHEST: i64 = 8;

pub fn narrow<'a>(f: &Facets<'a>, a: AccessId) -> Option<&'a Narrow> {
    f.affine.narrow[a.index()].as_ref().map(|(n, _)| n)
}
