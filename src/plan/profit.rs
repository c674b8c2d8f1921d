//! Whether staging is sure to pay: the provisional rule that holds until a model replaces it.
//!
//! Copy, barrier, use, with one tile in flight, measured on an H200 against the naive kernel
//! (hand-written, same launch, same bits):
//!
//! | kernel | plain staging | rule |
//! |---|---|---|
//! | matrix product, 16x16 and 32x32 blocks | x1.68, x1.75 | staged |
//! | n-body, float4 broadcast | x2.1 | staged |
//! | k-means distance, rows walked and reused | x23.6 | staged |
//! | moving average, radius 64 and 16 | x1.24, x1.08 | left: the radius is not known here |
//! | convolution 17x17 | x1.00 | left |
//! | array of 7-float structs, in place | x0.88 | left |
//! | 5-point stencil | x0.74 | left |
//! | matrix-vector by columns, x broadcast | x0.47 | left: the matrix stays in global memory |
//! | matrix-vector by rows | x0.35 | left: no reuse, and no overlap yet |
//!
//! So a region is staged by default only if all of these hold:
//! 1. it is a loop; no access to global memory is left in it but accumulators in registers; and where
//!    everything is copied before the loop, some tile is read down its columns;
//! 2. every tile's elements are read at least [`LEAST_REUSE`] times, for a typical launch;
//! 3. no tile is a window (a thread index and an iteration in one dimension), is written back, or
//!    holds records indexed by a thread (complex product with float2: x0.75), unless versions are kernels of their own,
//!    which are measured: with blocks merged that product gains x1.4 to x2.9 on an H100, of 512² to 2048²;
//! 4. tiles of known size take at most [`LIGHT_BYTES`], so they do not lower the occupancy.
//!
//! Where no loop is staged, store tiles outside of loops may be ([`super::stores`]). In a loop they
//! follow the rules above, reads per element and write-back apart: their gain is that they coalesce.

use super::analyses::Analyses;
use super::data::{Prospect, Trait};
use super::stores;
use crate::access::{AccessId, AccessKind};
use crate::machine::tuning::profit::{LEAST_REUSE, LIGHT_BYTES, ROWS_BYTES, RUNTIME_BYTES};
use crate::tree::{LoopId, Node, NodeId};

/// The candidates of regions that gain in launches that are large enough; `measured`: what gains only there is not run
/// elsewhere.
pub fn sure(
    f: &Analyses,
    candidates: &[Prospect],
    replaced: &[AccessId],
    measured: bool,
) -> Vec<Prospect> {
    let mut places: Vec<NodeId> = candidates.iter().map(|c| c.place.0).collect();
    crate::order::sort(&mut places);
    places.dedup();
    let mut out = Vec::new();
    for node in places {
        let here: Vec<&Prospect> = candidates.iter().filter(|c| c.place.0 == node).collect();
        let Node::Loop(l) = f.tree.node(node) else {
            continue;
        };
        if !is_sure(f, &here, replaced, measured, *l) {
            continue;
        }
        out.extend(here.into_iter().cloned());
    }
    if out.is_empty() {
        return stores::sure(f, candidates);
    }
    out
}

/// Shared memory that the tiles of `sure` regions may take.
pub fn budget(sure: &[Prospect]) -> u32 {
    let is_loop = |c: &Prospect| c.in_strips() || !c.is(Trait::OnlyStores);
    let has_own_rows = |c: &Prospect| !c.in_strips() && c.has_own_rows();
    if sure.iter().all(Prospect::in_strips) {
        LIGHT_BYTES
    } else if !sure.iter().any(is_loop) {
        stores::budget(sure)
    } else if sure.iter().any(has_own_rows) {
        ROWS_BYTES
    } else {
        RUNTIME_BYTES
    }
}

fn is_sure(
    f: &Analyses,
    here: &[&Prospect],
    replaced: &[AccessId],
    measured: bool,
    l: LoopId,
) -> bool {
    let served = |a: AccessId| here.iter().any(|c| c.members.contains(&a));
    let all_served = f
        .accesses_in(l)
        .all(|a| served(a.id) || replaced.contains(&a.id) || is_constant_memory(f, a.id));
    let strips = here.iter().any(|c| c.in_strips());
    // Copied again in every iteration of a loop around it: trip_shrinking measured x0.70.
    let node = f.tree.loop_(l).node;
    let again = f.tree.enclosing_loops(node).iter().any(|x| *x != l);
    if !strips && again {
        return false;
    }
    let sure = here.iter().all(|c| is_sure_tile(c, measured));
    all_served && sure && (strips || here.iter().any(|c| c.is(Trait::Uncoalesced)))
}

fn is_sure_tile(c: &Prospect, measured: bool) -> bool {
    let names_threads = c.is(Trait::Coalesced) || c.is(Trait::Strided);
    let doubtful = c.is(Trait::Window) || (c.is(Trait::Record) && names_threads && !measured);
    c.is(Trait::OnlyStores) || (c.reuse >= LEAST_REUSE && !doubtful && !c.is(Trait::WrittenBack))
}

fn is_constant_memory(f: &Analyses, a: AccessId) -> bool {
    let access = f.accesses.get(a);
    access.kind == AccessKind::Load
        && access
            .array
            .is_some_and(|r| f.accesses.array(r).origin == crate::access::Base::Constant)
}
