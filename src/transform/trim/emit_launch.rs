//! The launch of a trimmed grid: the host also hands the version the list of boxes of blocks (`plan.rs`).
//!
//! ```text
//! outer = all blocks                                         the smallest box, of all boxes' sides, out of which
//! for each side: shrink outer while the slab is empty        all is empty
//! hole = the block in the middle of it, if that is empty     an empty box that no side can leave
//! for each side: grow hole while it is empty
//! left = outer without hole: slabs along z, along y, along x
//! ```
//! A slab of twice as many blocks is tried until one is not empty, then the place in between is searched for. A part of
//! an empty box is empty, as far as `empty` can tell, so the search finds the largest; if it did not, what it finds is
//! tested all the same.

use super::emit_intervals::{Blocks, Span};
use super::plan::{Part, Trim};
use crate::choice::{Host, Relaunch};
use crate::kernel::Dim;
use crate::llvm::ir::{Builder, Pred, Value};
use crate::machine::tuning::trim::{BOXES, LEAST_DROPPED};

impl Relaunch for Trim {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        write(host, self)
    }

    fn write_pays(&self, host: &Host) -> Option<Value> {
        let b = host.b;
        let [_, _, _, left, _, _] = host.own();
        let [x, y, z] = host.handed();
        let all = b.mul(x, b.mul(y, z));
        let sure = self.sure?;
        let each = b.mul(left, host.constant(sure.for_each));
        let least = b.add(each, host.constant(sure.places));
        Some(b.icmp(Pred::LLVMIntUGE, b.sub(all, left), least))
    }
}

/// Writes the launch and the list; whether enough blocks are left out.
fn write(host: &mut Host, trim: &Trim) -> Option<Value> {
    let b = host.b;
    let own = host.own();
    let (zero, one) = (host.constant(0), host.constant(1));
    let grid = [own[3], own[4], own[5]];
    let blocks = Blocks::new(host, trim, own);
    let mut search = Search {
        host,
        blocks,
        outer: Span {
            low: [zero; 3],
            high: grid.map(|n| b.sub(n, one)),
        },
    };
    let along: Vec<Dim> = Dim::ALL
        .into_iter()
        .filter(|d| trim.dims[d.index()])
        .collect();
    for d in &along {
        search.shrink(*d);
    }
    let hole = search.hole(&along);
    let outer = search.outer;
    let sizes = Sizes::of(b, outer, hole);
    let total = b.mul(grid[0], b.mul(grid[1], grid[2]));
    let (left, boxes) = sizes.list(b);
    let [least, of] = LEAST_DROPPED.map(|n| host.constant(n));
    // Without a remainder nothing goes beyond 64 bits: a grid has fewer than 2^63 blocks.
    let dropped = b.udiv(b.sub(total, left), least);
    let pays = b.icmp(Pred::LLVMIntUGE, dropped, b.udiv(total, of));
    let some = b.icmp(Pred::LLVMIntNE, dropped, zero);
    host.tests.extend([pays, some]);
    host.is_length(left);
    let answer = host.answer()?;
    host.store(own, [own[0], own[1], own[2]], [left, one, one], answer);
    host.hand((0..).zip(grid).chain(boxes));
    Some(answer)
}

/// The search, while it is written.
struct Search<'a, 'h> {
    host: &'a mut Host<'h>,
    blocks: Blocks<'a>,
    /// Out of this all blocks are empty.
    outer: Span,
}

impl Search<'_, '_> {
    /// Leaves empty slabs of the grid out at both ends of a dimension.
    fn shrink(&mut self, d: Dim) {
        let k = d.index();
        let one = self.host.constant(1);
        for is_low in [true, false] {
            let outer = self.outer;
            let b = self.host.b;
            let length = b.add(b.sub(outer.high[k], outer.low[k]), one);
            // The slabs of 1, 2, … blocks, up to the first that is not empty.
            let gone = self.least(length, true, &|b, t| {
                let mut slab = outer;
                *slab.side(d, !is_low) = outer.inward(b, d, is_low, t);
                slab
            });
            *self.outer.side(d, is_low) = outer.inward(self.host.b, d, is_low, gone);
            let b = self.host.b;
            if is_low {
                let some = b.icmp(Pred::LLVMIntULT, gone, length);
                self.host.tests.push(some);
            }
        }
    }

    /// The largest empty box around the middle; of no layer along z if the middle is not empty.
    fn hole(&mut self, along: &[Dim]) -> Span {
        let (outer, b) = (self.outer, self.host.b);
        let mut hole = outer;
        for d in along {
            let k = d.index();
            let length = b.sub(outer.high[k], outer.low[k]);
            let half = b.udiv(length, self.host.constant(2));
            hole.low[k] = b.add(outer.low[k], half);
            hole.high[k] = hole.low[k];
        }
        let is_one = self.blocks.empty(b, hole);
        for d in along {
            let k = d.index();
            for is_low in [true, false] {
                let b = self.host.b;
                let room = match is_low {
                    true => b.sub(hole.low[k], outer.low[k]),
                    false => b.sub(outer.high[k], hole.high[k]),
                };
                let most = b.select(is_one, room, self.host.constant(0));
                let start = hole;
                let kept = self.least(most, false, &|b, t| {
                    let mut grown = start;
                    *grown.side(*d, is_low) = outer.inward(b, *d, is_low, t);
                    grown
                });
                *hole.side(*d, is_low) = outer.inward(self.host.b, *d, is_low, kept);
            }
        }
        let b = self.host.b;
        let beyond = b.add(outer.high[2], self.host.constant(1));
        hole.low[2] = b.select(is_one, hole.low[2], beyond);
        hole.high[2] = b.select(is_one, hole.high[2], outer.high[2]);
        hole
    }

    /// The least number below `most` for which the box is empty, or is not if `fails`; else `most`.
    fn least(&mut self, most: Value, fails: bool, span: &dyn Fn(&Builder, Value) -> Span) -> Value {
        let b = self.host.b;
        let (before, i64t) = (b.block(), most.ty());
        let [test, body, behind] = [(); 3].map(|()| self.host.append_block());
        b.br(test);
        b.at_end(test);
        // What is too little, and what is enough.
        let [below, enough] = [b.phi(i64t), b.phi(i64t)];
        let between = b.sub(enough, below);
        b.cond_br(
            b.icmp(Pred::LLVMIntSGT, between, i64t.constant(1)),
            body,
            behind,
        );
        b.at_end(body);
        let half = b.udiv(between, i64t.constant(2));
        let middle = b.add(below, half);
        let twice = b.add(b.mul(below, i64t.constant(2)), i64t.constant(1));
        let next = b.greatest(twice, i64t.constant(0));
        let is_near = b.icmp(Pred::LLVMIntSLT, next, enough);
        let tried = b.select(is_near, next, middle);
        let empty = self.blocks.empty(b, span(b, tried));
        let found = if fails { b.not(empty) } else { empty };
        let new_below = b.select(found, below, tried);
        let new_enough = b.select(found, tried, enough);
        let end = b.block();
        b.br(test);
        for (phi, first, again) in [
            (below, i64t.constant(-1), new_below),
            (enough, most, new_enough),
        ] {
            phi.add_incoming(first, before);
            phi.add_incoming(again, end);
        }
        b.at_end(behind);
        enough
    }
}

/// What is left: slabs at both sides of the hole along z, then beside it along y, then along x.
struct Sizes([Span; BOXES]);

impl Sizes {
    fn of(b: &Builder, outer: Span, hole: Span) -> Sizes {
        let one = outer.low[0].ty().constant(1);
        let mut all = Vec::new();
        let mut rest = outer;
        for k in [2, 1, 0] {
            let (mut below, mut above) = (rest, rest);
            below.high[k] = b.sub(hole.low[k], one);
            above.low[k] = b.add(hole.high[k], one);
            all.extend([below, above]);
            rest.low[k] = hole.low[k];
            rest.high[k] = hole.high[k];
        }
        Sizes([0, 1, 2, 3, 4, 5].map(|k| all[k]))
    }

    /// How many blocks there are, and the list's words by their places.
    fn list(&self, b: &Builder) -> (Value, Vec<(usize, Value)>) {
        let one = self.0[0].low[0].ty().constant(1);
        let mut end = one.ty().constant(0);
        let mut words = Vec::new();
        for (number, span) in self.0.iter().enumerate() {
            let size = [0, 1, 2].map(|k| b.add(b.sub(span.high[k], span.low[k]), one));
            end = b.add(end, b.mul(size[0], b.mul(size[1], size[2])));
            for part in Part::ALL {
                let v = match part {
                    Part::End => end,
                    Part::Low(d) => span.low[d.index()],
                    Part::Size(d) => size[d.index()],
                };
                words.push((part.place(number), v));
            }
        }
        (end, words)
    }
}
