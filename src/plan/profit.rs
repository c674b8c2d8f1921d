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
//!    holds records indexed by a thread (complex product with float2: x0.75);
//! 4. tiles of known size take at most [`LIGHT_BYTES`], so they do not lower the occupancy.
//!
//! Where no loop is staged, store tiles outside of loops may be ([`super::stores`]). In a loop they
//! follow the rules above, reads per element and write-back apart: their gain is that they coalesce.

use super::analyses::Analyses;
use super::candidate::Candidate;
use super::shape::Cluster;
use super::{stores, tile};
use crate::access::{AccessId, AccessKind};
use crate::affine::Atom;
use crate::kernel::Dim;
use crate::machine::tuning::profit::{LEAST_REUSE, LIGHT_BYTES, ROWS_BYTES, RUNTIME_BYTES};
use crate::tree::{LoopId, Node, NodeId};

/// The candidates of regions that gain in launches that are large enough.
pub fn sure(
    f: &Analyses,
    clusters: &[Cluster],
    candidates: &[Candidate],
    replaced: &[AccessId],
) -> Vec<Candidate> {
    let mut places: Vec<NodeId> = candidates.iter().map(|c| c.node).collect();
    crate::order::sort(&mut places);
    places.dedup();
    let mut out = Vec::new();
    for node in places {
        let here: Vec<&Candidate> = candidates.iter().filter(|c| c.node == node).collect();
        let Node::Loop(l) = f.tree.node(node) else {
            continue;
        };
        if !is_sure(f, clusters, &here, replaced, *l) {
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
pub fn budget(sure: &[Candidate]) -> u32 {
    let is_loop = |c: &Candidate| c.strip.is_some() || !c.only_stores();
    if sure.iter().all(|c| c.strip.is_some()) {
        LIGHT_BYTES
    } else if sure.iter().any(is_loop) {
        if sure
            .iter()
            .any(|c| c.strip.is_none() && tile::has_own_rows(&c.shape))
        {
            ROWS_BYTES
        } else {
            RUNTIME_BYTES
        }
    } else {
        stores::budget(sure)
    }
}

fn is_sure(
    f: &Analyses,
    clusters: &[Cluster],
    here: &[&Candidate],
    replaced: &[AccessId],
    l: LoopId,
) -> bool {
    let served = |a: AccessId| {
        here.iter().any(|c| {
            c.legal
                .members
                .iter()
                .any(|i| clusters[c.cluster].accesses[*i] == a)
        })
    };
    let all_served = f
        .accesses_in(l)
        .all(|a| served(a.id) || replaced.contains(&a.id) || is_constant_memory(f, a.id));
    let strips = here.iter().any(|c| c.strip.is_some());
    // Copied again in every iteration of a loop around it: trip_shrinking measured x0.70.
    let node = f.tree.loop_(l).node;
    let again = f.tree.enclosing_loops(node).iter().any(|x| *x != l);
    if !strips && again {
        return false;
    }
    let sure = here.iter().all(|c| is_sure_tile(c));
    all_served && sure && (strips || here.iter().any(|c| walks_rows(c)))
}

/// Whether neighbouring threads read a column of the tile, which in global memory is uncoalesced.
fn walks_rows(c: &Candidate) -> bool {
    let (_, outer) = c.shape.dims.split_last().unwrap_or((&c.shape.dims[0], &[]));
    outer
        .iter()
        .any(|d| d.terms.iter().any(|(a, _)| *a == Atom::Tid(Dim::X)))
}

fn is_sure_tile(c: &Candidate) -> bool {
    if c.only_stores() {
        return true;
    }
    let window = c.shape.dims.iter().any(|d| {
        d.terms.iter().any(|(a, _)| matches!(a, Atom::Tid(_)))
            && d.terms.iter().any(|(a, _)| matches!(a, Atom::Iter(_)))
    });
    let clamped = c
        .shape
        .dims
        .iter()
        .any(|d| d.terms.iter().any(|(a, _)| matches!(a, Atom::Clamp(_))));
    let is_record = c.shape.dims.last().is_some_and(|d| d.terms.is_empty());
    let threads = c
        .shape
        .dims
        .iter()
        .any(|d| d.terms.iter().any(|(a, _)| matches!(a, Atom::Tid(_))));
    let doubtful = window || clamped || (is_record && threads);
    c.reuse >= LEAST_REUSE && !doubtful && c.legal.write_back.is_empty()
}

fn is_constant_memory(f: &Analyses, a: AccessId) -> bool {
    let access = f.accesses.get(a);
    access.kind == AccessKind::Load
        && access
            .array
            .is_some_and(|r| f.accesses.array(r).origin == crate::access::Base::Constant)
}
