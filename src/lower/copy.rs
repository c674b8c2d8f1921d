//! Copies between global and shared memory, all threads of the block together, that are waited for.
//!
//! ```text
//! c = start(thread)                                 for every tile, coordinates of its cells
//! do { v_j = base[origin + Σ stride·c_j]  for a few cells of every tile
//!      tile[c_j] = v_j                    for the same cells
//! } while (any tile has cells left)
//! ```
//! The loads of a round stand before its stores, so that they are under way together: a thread
//! waits once per round and not once per cell. Each is guarded by its own bound, which the back
//! end turns into predicates. A box of at most one cell per thread needs no rounds.

use super::Lower;
use super::state::{Frame, OpenRegion, Slot, Walk};
use crate::llvm::ir::{Type, Value};
use crate::machine::tuning::copy::ROUND;
use crate::plan::Tile;

/// A tile, where it lies, and the way through it.
#[derive(Clone, Copy)]
pub(crate) struct Transfer<'t> {
    pub tile: &'t Tile,
    pub frame: &'t Frame,
    pub walk: &'t Walk,
}

/// The ways through each tile of a region, and where it lies.
pub(crate) fn transfers<'t>(
    open: &'t OpenRegion,
    walks: impl Iterator<Item = &'t [Walk]>,
) -> Vec<Transfer<'t>> {
    let of = |((tile, frame), walks): ((&'t Tile, &'t Frame), &'t [Walk])| {
        (walks.iter()).map(move |walk| Transfer { tile, frame, walk })
    };
    open.each().zip(walks).flat_map(of).collect()
}

/// One cell's move.
struct Move<'t> {
    by: Transfer<'t>,
    /// Whether there is such a cell; `None`: surely.
    there: Option<Value>,
    /// Whether it is copied, if it is there; else it is set to zero. `None`: surely.
    wanted: Option<Value>,
    global: Value,
    shared: Value,
    /// Holds the cell's bytes on the way.
    carry: Slot,
}

impl Lower<'_> {
    /// Copies into tiles, or out of them.
    pub(crate) fn emit_copies(&mut self, transfers: &[Transfer], out: bool) {
        let (single, several): (Vec<Transfer>, Vec<Transfer>) =
            transfers.iter().partition(|t| t.walk.once.is_some());
        let single: Vec<Move> = single.iter().map(|t| self.single_move(*t)).collect();
        self.emit_single(&single, out, true);
        if !several.is_empty() {
            self.emit_trips(&several, out);
        }
        self.emit_single(&single, out, false);
    }

    /// The move of a transfer of at most one cell per thread.
    fn single_move<'t>(&mut self, by: Transfer<'t>) -> Move<'t> {
        let (mut offset, mut shared) = self.cell(by, &by.walk.start);
        let mut global = self.b.byte_offset(by.frame.origin, offset);
        if !by.walk.ahead.is_empty() {
            // Apart, because it is the same for all threads.
            let (more, cells) = self.distance(by.frame, &by.walk.ahead);
            shared = self.cell_at(by.frame.cell, shared, cells);
            if more.const_int() != Some(0) {
                global = self.b.byte_offset(global, more);
                offset = self.b.plus(offset, more);
            }
        }
        let mut tests: Vec<Value> = by.walk.once.into_iter().collect();
        tests.extend(self.clip_tests(by.walk, offset));
        Move {
            by,
            there: None,
            wanted: self.b.all(tests),
            global,
            shared,
            carry: self.new_slot(by.frame.cell),
        }
    }

    /// The loads of such moves, or their stores; no loop.
    fn emit_single(&mut self, moves: &[Move], out: bool, load: bool) {
        if moves.is_empty() {
            return;
        }
        self.fall_into("mesi.copy");
        let first = self.blocks.len() - 1;
        for m in moves {
            self.emit_half(m, out, load);
        }
        self.copies.extend(&self.blocks[first..]);
        self.fall_into("mesi.copied");
        self.b.locate_nowhere();
    }

    fn clip_tests(&self, walk: &Walk, offset: Value) -> Vec<Value> {
        let test = |(lo, hi)| [self.b.at_most(lo, offset), self.b.at_most(offset, hi)];
        walk.clip.map(test).into_iter().flatten().collect()
    }

    /// The rounds of all other transfers.
    fn emit_trips(&mut self, transfers: &[Transfer], out: bool) {
        let all: Vec<Vec<Slot>> = transfers.iter().map(|t| self.start(t.walk)).collect();
        let body = self.new_block("mesi.copy");
        let first = self.blocks.len() - 1;
        let done = self.new_block("mesi.copied");
        let more = self.any_left(transfers, &all);
        self.b.cond_br(more, body, done);
        self.b.at_end(body);
        let per_tile = (ROUND / transfers.len()).max(1);
        let mut moves = Vec::new();
        for (t, slots) in transfers.iter().zip(&all) {
            self.plan_moves(*t, slots, (per_tile, transfers.len() == 1), &mut moves);
        }
        for m in &moves {
            self.emit_half(m, out, true);
        }
        for m in &moves {
            self.emit_half(m, out, false);
        }
        let more = self.any_left(transfers, &all);
        self.b.cond_br(more, body, done);
        let made = self.blocks[first..].iter().filter(|b| **b != done);
        self.copies.extend(made);
        self.b.at_end(done);
        self.b.locate_nowhere();
    }

    /// The coordinates that change, at their first cell.
    fn start(&mut self, walk: &Walk) -> Vec<Slot> {
        let slots: Vec<Slot> = walk
            .step
            .iter()
            .map(|_| self.new_slot(self.b.i32()))
            .collect();
        for (s, v) in slots.iter().zip(&walk.start) {
            self.set(*s, *v);
        }
        slots
    }

    /// Whether this thread has cells left in any of the tiles.
    fn any_left(&mut self, transfers: &[Transfer], all: &[Vec<Slot>]) -> Value {
        let left = transfers.iter().zip(all).map(|(t, slots)| {
            let c = self.get(slots[0]);
            self.b.at_most(c, t.walk.hi[0])
        });
        left.reduce(|p, q| self.b.or(p, q))
            .expect("something is copied")
    }

    /// The addresses and conditions of the next `count` cells; moves the coordinates on.
    fn plan_moves<'t>(
        &mut self,
        by: Transfer<'t>,
        slots: &[Slot],
        (count, is_tested): (usize, bool),
        moves: &mut Vec<Move<'t>>,
    ) {
        let mut now: Vec<Value> = slots.iter().map(|s| self.get(*s)).collect();
        for k in 0..count {
            let mut at = now.clone();
            at.extend(&by.walk.start[now.len()..]);
            let (offset, shared) = self.cell(by, &at);
            let there = (k > 0 || !is_tested).then(|| self.b.at_most(at[0], by.walk.hi[0]));
            let mut tests = Vec::new();
            tests.extend(self.clip_tests(by.walk, offset));
            if let Some((g, last)) = by.walk.cut {
                tests.push(self.b.at_most(at[g], last));
            }
            if let Some((lo, hi, any)) = &by.walk.copied {
                for g in 0..at.len() {
                    tests.push(self.b.at_most(lo[g], at[g]));
                    tests.push(self.b.at_most(at[g], hi[g]));
                }
                tests.extend(*any);
            }
            let wanted = self.b.all(tests);
            let global = self.b.byte_offset(by.frame.origin, offset);
            let carry = self.new_slot(by.frame.cell);
            moves.push(Move {
                by,
                there,
                wanted,
                global,
                shared,
                carry,
            });
            now = self.advanced(by.walk, &now);
        }
        for (s, v) in slots.iter().zip(&now) {
            self.set(*s, *v);
        }
    }

    /// Byte offset from the tile's origin, and address in the tile.
    fn cell(&self, by: Transfer, at: &[Value]) -> (Value, Value) {
        let (offset, cell) = self.distance(by.frame, at);
        (offset, self.cell_at(by.frame.cell, by.frame.first, cell))
    }

    /// The load of a move, or its store.
    fn emit_half(&mut self, m: &Move, out: bool, load: bool) {
        let serves = self.from.accesses.get(m.by.tile.members[0].access).value;
        let from_shared = out == load;
        let (at, align) = if from_shared {
            (m.shared, m.by.tile.footprint.size)
        } else {
            (m.global, m.by.frame.align)
        };
        // A cell that is not copied is zero-filled, or else left alone.
        let fills = m.by.walk.copied.is_some();
        if fills && load {
            self.set(m.carry, m.carry.ty.null());
        }
        let cond = match (m.there, m.wanted) {
            (there, Some(_)) if fills && !load => there,
            (there, wanted) => self.b.all(there.into_iter().chain(wanted).collect()),
        };
        self.when(cond, |l| {
            l.b.locate_as(l.from.kernel.value(serves));
            if load {
                let v = l.b.load(m.carry.ty, at, align);
                l.set(m.carry, v);
            } else {
                l.b.store(l.get(m.carry), at, align);
            }
            l.b.locate_nowhere();
        });
    }

    /// A type of one cell's size.
    pub(crate) fn cell_type(&self, unit: u32) -> Type {
        match unit {
            16 => self.b.i32().vector(4),
            _ => Type::int(self.module(), unit * 8),
        }
    }
}
