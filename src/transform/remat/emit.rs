//! Rematerializes, where it is needed, what a region's passes do not need.
//!
//! ```text
//! row = ctaid.y*ntid.y + tid.y;  p = row < m          row and p: a register each in all passes
//! passes { … }
//! if (p) c[row*n + col] = sum                         tid' = %tid.y + zero;  row' = …;  p' = row' < m
//! ```
//! Ids, replicas' predicates and addresses of results are a few instructions each, and held a dozen registers
//! of 64 while all that counts is how many elements are on their way from tiles; so did what only the first
//! and the last passes need. It is made again there from what is alive in any case, from the thread's ids,
//! and from *roots*: values that are not cheap. LLVM and ptxas would see that both are the same
//! and keep the first; so ids and roots get a zero added that comes out of the passes.
//!
//! Where blocks are merged and their replicas' cells lie side by side, the ids come through the passes packed in one
//! register. Elsewhere addresses want even that one: the ids are read again, and what was made where only some replicas
//! come, and is undefined elsewhere, is made again for all. What else is alive decides how ptxas orders the passes'
//! instructions and which banks it gives to sums: with packed ids one of 512 sums waits for a bank, else 18
//! (`mm_bounds` in strips of 32 for sm_90; 4096 on an H200: 3.34 ms and 3.41 ms; `mm_i8` 3% less, `mm_batch` 2%,
//! `mm_guide` and `mm_early`, which have no such conflicts either way, up to 1.4% more).
//!
//! What is made again has the operands it had, and cannot fault: it is the same value. Values that are the
//! same for all threads are left alone, as they have registers of their own. Real numbers have none: beside packed
//! ids they are made again on chips before sm_90, where that frees a register for a sum's bank (sums that wait, of 512:
//! 61 and none, and 8 bytes less spilled in `mm_fixed2d`); on sm_90 it brings reads of tiles closer to their uses
//! (`mm_early` on an H200: 1.4% slower).

use super::emit_scope::{RematScope, in_loop, is_id};
use crate::kernel::Dim;
use crate::kernel::ids::{Register, register};
use crate::kernel::pressure::most_alive;
use crate::llvm::ir::{Block, Value};
use crate::lower::Lower;
use crate::lower::state::{Made, RematPoint};
use crate::machine::tuning::remat::{TIGHT_REPLICAS, TIGHT_TILES};
use crate::map::HashSet;
use crate::plan::Remat;
use crate::tree::{Loop, NodeId};

/// Bits of a thread's number in its block, along any dimension: blocks have at most 1024 threads.
const ID_BITS: i64 = 10;
/// The greatest such number.
const LAST_ID: i64 = (1 << ID_BITS) - 1;

impl Lower<'_> {
    /// Notes that values may be made again here, in passes that are not fast. `count` moves on from pass to pass.
    pub(crate) fn note_remat(&mut self, count: Value) {
        self.note_place(count, self.from.plan.packs_ids(), false);
    }

    /// The same behind the passes, which are the blocks from number `first` on but the one being written, entered from
    /// `before`.
    pub(crate) fn note_remat_behind(&mut self, count: Value, first: usize, before: Block) {
        let packs = self.from.plan.packs_ids();
        self.note_place(count, packs, self.from.plan.is_crowded());
        self.note_passes(first, before);
    }

    fn note_place(&mut self, count: Value, packs: bool, blocks: bool) {
        let number = self.b.opaque_number(count);
        self.remat_points.push(RematPoint {
            at: self.b.block(),
            number,
            passes: None,
            before: None,
            packs,
            blocks,
            alive: 0,
        });
    }

    /// Emits a node that all replicas run together by `emit`. Behind an outermost loop, or what it stands in, values
    /// that it does not use may be made again.
    pub(crate) fn relieved(&mut self, node: NodeId, emit: impl FnOnce(&mut Self)) {
        let (before, first) = (self.b.block(), self.blocks.len());
        emit(self);
        let nested = |l: &Loop| self.from.tree.contains(node, l.node);
        let repeats = self.from.tree.loops.iter().any(nested);
        let enclosing = self.from.tree.enclosing_loops(node).into_iter();
        let repeated = enclosing
            .map(|l| self.from.tree.loop_(l).node)
            .any(|n| n != node);
        if !repeats || repeated || self.from.plan.steps().is_some() {
            return;
        }
        let number = self.register32("ntid", Dim::X);
        self.note_place(number, false, true);
        self.note_passes(first, before);
        let place = self.remat_points.last_mut().expect("it was just noted");
        place.alive = TIGHT_TILES;
        if self.from.plan.lockstep().is_some() {
            place.alive = TIGHT_REPLICAS;
            // What is worked out once on the way to the loop is no pass. (With what windows need on their way to rows
            // made again, ptxas spills two words behind them.)
            let passes = place.passes.as_mut().expect("they were just noted");
            let new: HashSet<Block> = passes.iter().copied().collect();
            passes.retain(|b| in_loop(*b, &new));
        }
    }

    /// Notes what the passes were for which values may be made again: the blocks from number `first` on
    /// but the one being written, entered from `before`.
    fn note_passes(&mut self, first: usize, before: Block) {
        let here = self.b.block();
        let passes = self.blocks[first..].iter().copied();
        let passes: Vec<Block> = passes.filter(|b| *b != here).collect();
        for a in self.remat_points.iter_mut().filter(|a| a.passes.is_none()) {
            a.passes = Some(passes.clone());
            a.before = Some(before);
        }
    }

    /// Makes again what the passes do not need. Slots are values by now.
    pub(crate) fn rematerialize(&mut self) {
        let places = std::mem::take(&mut self.remat_points);
        for place in places.iter().rev() {
            if place.alive > 0 && most_alive(&self.blocks) <= place.alive {
                place.number.erase();
                continue;
            }
            let mut scope = RematScope::new(&self.blocks, place);
            scope.guarded = !place.packs;
            scope.blocks_vary = place.blocks;
            scope.reals = self.from.plan.remat.contains(&Remat::Floats);
            let crossing = scope.crossing(&self.blocks);
            let again = scope.worth_it(crossing);
            if again.is_empty() {
                place.number.erase();
                continue;
            }
            let mut made = self.remat_ids(&mut scope, &again);
            for v in &again {
                scope.make(&self.b, *v, &mut made);
            }
            for v in again {
                scope.replace_uses(v, &made);
            }
        }
    }

    /// Goes to where values are made again, makes the zero and the ids.
    fn remat_ids(&self, scope: &mut RematScope, values: &[Value]) -> Made {
        let mut ids = scope.leaves(values);
        ids.retain(|v| is_id(*v));
        crate::order::sort_by_key(&mut ids, |v| (is_block_id(*v), dim(*v).index()));
        let (packs, merge) = (scope.place.packs, self.replicas.merge);
        let packed = (packs && ids.len() > 1).then(|| self.packed(&ids, scope.place));
        let (b, number) = (&self.b, scope.place.number);
        b.before(number.next());
        // Of two neighbours one is even.
        let even = b.times(number, b.plus(number, b.int(1)));
        let zero = b.and(even, b.int(1));
        let packed = packed.map(|p| b.plus(p, zero));
        let again = |id: Value| {
            let d = dim(id);
            let id = match packed {
                Some(p) => b.lshr(p, b.int(shift(d))),
                None if packs => return b.plus(id, zero),
                None if is_block_id(id) => {
                    let read = b.read_again(id, &format!("%ctaid.{}", d.letter()), number);
                    // What calls read is changed once all is emitted (`choice/leaders.rs`).
                    let each = if merge.led { merge.along(d) } else { 1 };
                    return b.plus(b.cells_times(read, b.int(i64::from(each))), zero);
                }
                None => {
                    let read = b.read_again(id, &format!("%tid.{}", d.letter()), number);
                    b.plus(read, zero)
                }
            };
            b.and(id, b.int(LAST_ID))
        };
        let values = ids.into_iter().map(|id| (id, again(id))).collect();
        Made { zero, values }
    }

    /// The thread's numbers in its block that `ids` read, in one, made before the passes of `place`.
    fn packed(&self, ids: &[Value], place: &RematPoint) -> Value {
        let b = &self.b;
        b.before(place.before.expect("the passes are emitted").terminator());
        let mut one_of_each = ids.to_vec();
        one_of_each.dedup_by_key(|v| register(*v));
        let parts = (one_of_each.iter()).map(|v| b.shl(*v, b.int(shift(dim(*v)))));
        let all = parts.reduce(|p, q| b.or(p, q));
        all.expect("there are several")
    }
}

/// The dimension of an id.
fn dim(id: Value) -> Dim {
    register(id).expect("it is an id").1
}

/// Where among the packed ids that along `d` begins.
fn shift(d: Dim) -> i64 {
    ID_BITS * d.index() as i64
}

/// Whether it reads the block's number in the grid.
fn is_block_id(v: Value) -> bool {
    register(v).is_some_and(|(r, _)| r == Register::Ctaid)
}
