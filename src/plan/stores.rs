//! Store tiles: arrays that are only written, by an index that no warp writes in one piece.
//!
//! ```text
//! out[x*h + y] = in[y*w + x]     neighbouring threads (tid.x) store 4*h bytes apart;
//!                                those of the next tid.y, 4 bytes apart
//!     tile[x'][y'] = …; barrier; out[…] = tile, threads along y
//! ```
//! The stores go to a tile, and when the region or strip is done the block writes the tile to
//! global memory along its innermost dimension. Nothing is copied in. The elements must be exactly
//! known (`legality`), because each is written back and nothing else may be.
//!
//! Worth a tile is a store with neighbouring threads a sector or more apart, if something else that
//! varies in the region, another thread index or a loop's iteration, moves it by less. All others
//! keep their stores, also at `force`: a tile would only add a copy.

use super::candidate::{self, Candidate};
use super::facts::Facts;
use super::legality::Facets;
use super::shape::Cluster;
use crate::access::{AccessId, AccessKind};
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::missed::Missed;
use crate::target::BLOCK_THREADS;
use crate::tree::{ExitAt, LoopId, Node, NodeId};

/// Bytes of a sector, the least that a store moves.
const SECTOR: i64 = 32;
/// Rows of a tile: with fewer, a warp's stores lie together already.
const LEAST_ROWS: i64 = 8;
/// Cells that a tile of 1024 threads takes, rows of at least eight padded by one.
const TILE_CELLS: u32 = 1280;

/// Whether a cluster has no load.
pub fn is_only_stored(f: &Facets, cluster: &Cluster) -> bool {
    let is_store = |a: &AccessId| f.accesses.get(*a).kind == AccessKind::Store;
    cluster.accesses.iter().all(is_store)
}

/// Regions whose tile would make the stores coalesced: strips and whole loops as for loads, and,
/// innermost, what holds all the stores.
pub fn places(f: &Facets, cluster: &Cluster) -> Result<Vec<(NodeId, Option<LoopId>)>, Missed> {
    let mut out = candidate::places(f, cluster);
    out.retain(|(n, _)| f.tree.loops.iter().any(|l| l.node == *n));
    out.extend(holder(f, cluster).map(|n| (n, None)));
    out.retain(|(n, strip)| helps(f, cluster, *n, *strip));
    if out.is_empty() || !is_uncoalesced(cluster) {
        return Err(Missed::OnlyStored);
    }
    // Such a store runs once more than the loop iterates.
    let in_header = |a: &&AccessId| {
        let block = f.accesses.get(**a).block;
        f.tree
            .loops
            .iter()
            .any(|l| l.header == block && l.exit_at == ExitAt::Header)
    };
    match cluster.accesses.iter().find(in_header) {
        Some(access) => Err(Missed::InexactStore { access: *access }),
        None => Ok(out),
    }
}

/// The sequence around all the stores, as loads outside of loops have it; where that holds a loop,
/// the innermost node that does.
fn holder(f: &Facets, cluster: &Cluster) -> Option<NodeId> {
    let common = candidate::common_nodes(f, cluster);
    let seq = common
        .iter()
        .find(|n| matches!(f.tree.node(**n), Node::Seq(_)));
    let holds_loop = |n: &&NodeId| f.tree.loops.iter().any(|l| f.tree.contains(**n, l.node));
    seq.filter(|n| !holds_loop(n)).or(common.first()).copied()
}

/// Whether neighbouring threads of a warp store at least a sector apart.
fn is_uncoalesced(cluster: &Cluster) -> bool {
    cluster
        .coefficients
        .get(&Atom::Tid(Dim::X))
        .is_some_and(|c| !is_short(c))
}

/// Whether a step of this many bytes stays within a sector.
fn is_short(step: &Poly) -> bool {
    step.as_constant().is_some_and(|c| c.abs() < SECTOR)
}

/// Whether something that varies in the region, or strip, moves the store by less than a sector.
fn helps(f: &Facets, cluster: &Cluster, node: NodeId, strip: Option<LoopId>) -> bool {
    cluster.coefficients.iter().any(|(a, c)| {
        let moves = match (a, strip) {
            (Atom::Tid(d), None) => *d != Dim::X,
            (Atom::Iter(l), Some(s)) => *l == s,
            (Atom::Iter(_), None) => f.varies_in(node, *a),
            _ => false,
        };
        moves && is_short(c)
    })
}

/// The reason against a store whose elements a write-back cannot name.
pub fn refused_store(access: AccessId, only_stores: bool) -> Missed {
    if only_stores {
        Missed::InexactStore { access }
    } else {
        Missed::WrittenInRegion { access }
    }
}

/// The store tiles of a kernel in which nothing else is staged, if they are sure to gain, with the
/// facts that make them so: outside of loops, in a kernel without any, so that the stores are most
/// of what it does; each row of the tile at least a sector; and several rows. Measured by hand on
/// an H200: a transpose of 16x16 blocks gains x1.9, of 32x32 blocks x3.3.
pub fn sure(f: &Facets, candidates: &[Candidate]) -> (Vec<Candidate>, Facts) {
    let mut facts = Facts::default();
    let mut out = Vec::new();
    if !f.tree.loops.is_empty() {
        return (out, facts);
    }
    for c in candidates.iter().filter(|c| c.legal.only_stores()) {
        let Some(row) = row_bytes(c) else { continue };
        facts.add_range(&row, SECTOR, i64::from(i32::MAX));
        out.push(c.clone());
    }
    if !out.is_empty() {
        let rows = Poly::atom(Atom::Ntid(Dim::X));
        facts.add_range(&rows, LEAST_ROWS, i64::from(BLOCK_THREADS));
    }
    (out, facts)
}

/// Bytes in a row along the thread index that the innermost moving dimension follows.
fn row_bytes(c: &Candidate) -> Option<Poly> {
    let moving = c.shape.dims.iter().rev().find(|d| !d.terms.is_empty())?;
    match moving.terms[..] {
        [(Atom::Tid(d), _)] => Some(moving.stride.times(&Poly::atom(Atom::Ntid(d)))),
        _ => None,
    }
}

/// Shared memory that store tiles outside of loops may take.
pub fn budget(candidates: &[Candidate]) -> u32 {
    candidates.iter().map(|c| c.shape.unit * TILE_CELLS).sum()
}
