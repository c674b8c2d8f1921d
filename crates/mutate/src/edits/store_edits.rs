//! Ways to break store tiles: what is written back, and the barriers on both sides of it.

use mesi::llvm::ir::{Block, Op, Value};
use mesi::plan::{ActiveSet, Tile};

use crate::edits::code_edits::{SHARED, calls};
use crate::edits::plan_edits::{at, loosen, remove, tiles};
use crate::mutation::Mutation;
use crate::stage::{Emitted, Planned};

fn written_back<'a>(p: &'a mut Planned) -> impl Iterator<Item = &'a mut ActiveSet> {
    let is_store_tile = |t: &&mut Tile| t.footprint.active.is_empty();
    tiles(p.plan)
        .filter(is_store_tile)
        .flat_map(|t| &mut t.write_back)
}

fn move_bound(p: &mut Planned, place: usize, by: i64) -> bool {
    let bounds = written_back(p).flat_map(|s| &mut s.bounds);
    at(bounds, place, |b| loosen(b, by))
}

/// On which side of a barrier a write-back is looked for.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Before,
    Behind,
}

fn is_barrier(i: &Value) -> bool {
    i.is(Op::LLVMCall) && i.callee_name().contains("barrier.cta")
}

fn neighbours(e: &Emitted, b: Block, side: Side) -> Vec<Block> {
    match side {
        Side::Behind => b.successors(),
        Side::Before => {
            let all = e.lowered.blocks.iter().copied();
            all.filter(|x| x.successors().contains(&b)).collect()
        }
    }
}

/// Whether a tile is written back between `barrier` and the next barrier on `side`.
fn writes_back(e: &Emitted, barrier: Value, side: Side) -> bool {
    let reads_tile = |i: Value| i.is(Op::LLVMLoad) && i.operand(0).address_space() == SHARED;
    let mut seen: Vec<Block> = Vec::new();
    let mut work: Vec<Block> = barrier
        .block()
        .map_or(Vec::new(), |b| neighbours(e, b, side));
    while let Some(b) = work.pop() {
        if seen.contains(&b) || b.instructions().iter().any(is_barrier) {
            continue;
        }
        seen.push(b);
        if e.lowered.copies.contains(&b) && b.instructions().into_iter().any(reads_tile) {
            return true;
        }
        work.extend(neighbours(e, b, side));
    }
    false
}

fn drop_barrier(e: &Emitted, place: usize, side: Side) -> bool {
    let found = calls(e, "barrier.cta.sync").filter(|c| writes_back(e, *c, side));
    at(found, place, |c| c.erase())
}

/// The list.
pub fn of_plans() -> Vec<Mutation> {
    vec![
        Mutation::plan(
            "store-bound-dropped",
            "a store tile is written back past a guard's bound",
            |p, n| remove(written_back(p).map(|s| &mut s.bounds), n),
        ),
        Mutation::plan(
            "store-bound-loose",
            "a store tile is written back one past a guard's bound",
            |p, n| move_bound(p, n, 1),
        ),
        Mutation::plan(
            "store-bound-tight",
            "a store tile's write-back stops one before a guard's bound",
            |p, n| move_bound(p, n, -1),
        ),
        Mutation::plan(
            "store-cell-extra",
            "a cell is written back that nobody stored",
            |p, n| {
                // Behind what is stored, where the ways back of strips in flight are cut, or before it.
                at(written_back(p), n / 2, |s| {
                    let mut more = s.offsets.last().cloned().unwrap_or_default();
                    let by = if n % 2 == 0 { 1 } else { -1 };
                    more.iter_mut().rev().take(1).for_each(|o| *o += by);
                    s.offsets.push(more);
                })
            },
        ),
        Mutation::plan(
            "barrier-after-dropped",
            "an element is read again before it is written back",
            |p, n| {
                let waiting = p.plan.regions.iter_mut().filter(|r| r.barrier_after);
                at(waiting, n, |r| r.barrier_after = false)
            },
        ),
    ]
}

/// Those that change code.
pub fn of_code() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "write-back-early",
            "a tile is written back while it is still stored to",
            |e, n| drop_barrier(e, n, Side::Behind),
        ),
        Mutation::code(
            "write-back-late",
            "the next strip stores to a tile that is being written back",
            |e, n| drop_barrier(e, n, Side::Before),
        ),
    ]
}
