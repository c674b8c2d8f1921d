//! In which order a thread takes the cells of a box that is copied.
//!
//! ```text
//! out[x*h + y]    cells [tid.x][tid.y]     thread number t copies cell [t / ntid.y][t % ntid.y]
//!                                          if x0 + t / ntid.y < w && y0 + t % ntid.y < h
//! ```
//! Threads take cells in memory order, so neighbours copy neighbours. Several dimensions are stepped like
//! a mixed-radix counter, with the divisions done once, before the copy (and before all strips where the box
//! does not depend on the strip). Where the fastest dimension is `threadIdx.x`, each thread stays
//! in its column and there is nothing to divide. Where each cell is one thread's, as above, there are no rounds.

use super::Lower;
use super::ranges::single;
use super::state::{Hoisted, Hull, Number, Ranges, Threads, View, Walk, Walks};
use crate::affine::{Atom, Sense};
use crate::kernel::Dim;
use crate::llvm::ir::{Pred, Value};
use crate::plan::{ActiveSet, Tile, TileDim};
use crate::tree::LoopId;

/// Beyond every box, and far from overflow.
const NOWHERE: i64 = 1 << 30;

/// In the order of [`Threads`].
const NUMBERS: [Number; 5] = [
    Number::Linear,
    Number::Count,
    Number::Row,
    Number::Rows,
    Number::Column,
];

impl Lower<'_> {
    /// The block's threads, computed once.
    pub(crate) fn threads(&mut self) -> Threads {
        if let Some(known) = self.known_threads() {
            return known;
        }
        let [x, y, z] = Dim::ALL.map(|d| self.register32("tid", d));
        let [nx, ny, nz] = Dim::ALL.map(|d| self.register32("ntid", d));
        let h = &self.hoist;
        let row = h.cells_plus(h.cells_times(z, ny), y);
        let rows = h.cells_times(ny, nz);
        let linear = h.cells_plus(h.cells_times(row, nx), x);
        let t = Threads {
            linear,
            count: h.cells_times(rows, nx),
            row,
            rows,
            column: x,
        };
        let numbers = [t.linear, t.count, t.row, t.rows, t.column];
        let keys = NUMBERS.map(Hoisted::Thread).into_iter();
        self.hoisted.extend(keys.zip(numbers));
        t
    }

    /// The same if it was computed before.
    pub(crate) fn known_threads(&self) -> Option<Threads> {
        let known = |n: Number| self.hoisted.get(&Hoisted::Thread(n)).copied();
        Some(Threads {
            linear: known(Number::Linear)?,
            count: known(Number::Count)?,
            row: known(Number::Row)?,
            rows: known(Number::Rows)?,
            column: known(Number::Column)?,
        })
    }

    /// A tile's ways in and out.
    pub(crate) fn walks(&mut self, tile: &Tile, view: View) -> Walks {
        let read = !tile.footprint.active.is_empty();
        let copy_in = read.then(|| self.walk(tile, view, &tile.footprint.active));
        let boxes: &[ActiveSet] = &tile.write_back;
        let write_back = boxes
            .iter()
            .map(|s| self.walk(tile, view, std::slice::from_ref(s)))
            .collect();
        Walks {
            copy_in,
            write_back,
        }
    }

    /// Whether a tile's boxes, relative to the strip's start, are the same for all full strips.
    pub(crate) fn is_fixed_walk(&self, tile: &Tile, l: LoopId) -> bool {
        let mut sets = tile.footprint.active.iter().chain(&tile.write_back);
        let cut = sets.any(|s| {
            s.bounds
                .iter()
                .flat_map(|b| &b.terms)
                .any(|(a, _)| self.from.affine.follows(*a, l))
        });
        let follows = |a: Atom| match a {
            Atom::Iter(x) if x == l => false,
            Atom::Iter(x) => self.from.affine.follows(Atom::Trip(x), l),
            a => self.from.affine.follows(a, l),
        };
        !cut && !tile
            .footprint
            .dims
            .iter()
            .flat_map(|d| &d.terms)
            .any(|(a, _)| follows(*a))
    }

    /// The walk over what `sets` span in a tile.
    pub(crate) fn walk(&mut self, tile: &Tile, view: View, sets: &[ActiveSet]) -> Walk {
        let is_single = tile.has_cell_per_thread() && self.replicas.count() == 1;
        let single = is_single.then(|| self.cell_of_thread(tile));
        if let Some((start, extents)) = &single
            && let Some(mut tests) = self.tests_of_cell(tile, view, sets, start)
        {
            tests.push(self.b.below(start[0], extents[0]));
            return Walk::once(start.clone(), self.b.all(tests));
        }
        let mut hull = self.hull_of(tile, view, sets);
        let clip = tile.clip_linear.then_some(hull.clip);
        if let Some((start, extents)) = single {
            let mut tests = self.tests_in_hull(&hull, &start);
            tests.push(self.b.below(start[0], extents[0]));
            let once = Walk::once(start, self.b.all(tests));
            return Walk { clip, ..once };
        }
        let threads = self.threads();
        let mut copied = None;
        if tile.zero_fill {
            let (lo, hi) = (self.in_cells(&hull.lo), self.in_cells(&hull.hi));
            copied = Some((lo, hi, hull.nonempty.take()));
            for g in 0..tile.footprint.dims.len() {
                let cells = self.extent(tile, g, view);
                let last = self.b.minus(cells, self.b.int(1));
                hull.lo[g] = self.b.long(0);
                hull.hi[g] = self.b.zext(last, self.b.i64());
            }
        }
        let column_wise = tile.is_column_wise() && self.replicas.merge.along(Dim::X) == 1;
        Walk {
            clip,
            copied,
            ..self.stepped(&hull, threads, column_wise)
        }
    }

    /// Coordinates in 32 bits.
    fn in_cells(&self, coordinates: &[Value]) -> Vec<Value> {
        let short = |v: &Value| self.b.trunc(*v, self.b.i32());
        coordinates.iter().map(short).collect()
    }

    /// The walk over a box; `column_wise`: each thread stays in its column.
    fn stepped(&mut self, hull: &Hull, threads: Threads, column_wise: bool) -> Walk {
        let lo: Vec<Value> = self.in_cells(&hull.lo);
        let mut hi: Vec<Value> = self.in_cells(&hull.hi);
        let width = self.widths(&lo, &hi, hull.nonempty);
        let moving = if column_wise { lo.len() - 1 } else { lo.len() };
        let (first, count) = if column_wise {
            (threads.row, threads.rows)
        } else {
            (threads.linear, threads.count)
        };
        let from = self.digits(first, &width[..moving]);
        let step = self.digits(count, &width[..moving]);
        let b = &self.b;
        let mut start: Vec<Value> = from.iter().zip(&lo).map(|(s, l)| b.plus(*s, *l)).collect();
        let mut tests: Vec<Value> = hull.nonempty.into_iter().collect();
        if column_wise {
            let last = lo.len() - 1;
            start.push(threads.column);
            if lo[last].const_int() != Some(0) {
                tests.push(b.at_most(lo[last], threads.column));
            }
            tests.push(b.at_most(threads.column, hi[last]));
        }
        start[0] = b.choose(b.all(tests), start[0], b.int(NOWHERE));
        hi[0] = b.choose(hull.nonempty, hi[0], b.int(-1));
        Walk {
            hi,
            start,
            step,
            width,
            clip: None,
            copied: None,
            once: None,
            cut: None,
            ahead: Vec::new(),
        }
    }

    /// The extents of a tile of which every cell is one thread's, of one block.
    pub(super) fn own_extents(&mut self, tile: &Tile) -> Vec<Value> {
        let extent = |d: &TileDim| match d.terms[..] {
            [(Atom::Tid(d), _)] => self.register32("ntid", d),
            _ => self.b.int(1),
        };
        tile.footprint.dims.iter().map(extent).collect()
    }

    /// Of a tile of which every cell is one thread's: the cell of this thread, and the extents. It takes no rounds and
    /// no division but that of the thread's number, by extents and not by what a guard leaves of them.
    fn cell_of_thread(&mut self, tile: &Tile) -> (Vec<Value>, Vec<Value>) {
        let threads = self.threads();
        let extents = self.own_extents(tile);
        let start = if tile.is_column_wise() {
            let mut start = self.digits(threads.row, &extents[..extents.len() - 1]);
            start.push(threads.column);
            start
        } else {
            self.digits(threads.linear, &extents)
        };
        (start, extents)
    }

    /// The set's own bounds on the thread that the cell belongs to; `None`: there are several sets,
    /// or bounds on something else.
    fn tests_of_cell(
        &mut self,
        tile: &Tile,
        view: View,
        sets: &[ActiveSet],
        cell: &[Value],
    ) -> Option<Vec<Value>> {
        let [set] = sets else { return None };
        if tile.clip_linear {
            return None;
        }
        let full = Ranges::of(view);
        let mut tests = Vec::new();
        for bound in &set.bounds {
            let (atom, bound) = single(bound)?;
            let is_of = |terms: &[(Atom, i64)]| matches!(terms, [(a, _)] if *a == atom);
            let g = tile.footprint.dims.iter().position(|d| is_of(&d.terms))?;
            let Atom::Tid(d) = atom else { return None };
            let mut thread = self.b.zext_nneg(cell[g], self.b.i64());
            if tile.footprint.dims[g].terms[0].1 < 0 {
                let n = self.register32("ntid", d);
                let last = self
                    .b
                    .minus(self.b.zext_nneg(n, self.b.i64()), self.b.long(1));
                thread = self.b.minus(last, thread);
            }
            let limit = self.interval(&full, &bound.limit);
            tests.push(match bound.sense {
                Sense::AtLeast => self.b.at_most(limit.0, thread),
                Sense::AtMost => self.b.at_most(thread, limit.1),
            });
        }
        for w in &set.when {
            let t = self.holds(&full, w);
            tests.push(t);
        }
        Some(tests)
    }

    /// Whether a cell lies in a hull.
    fn tests_in_hull(&self, hull: &Hull, cell: &[Value]) -> Vec<Value> {
        let b = &self.b;
        let mut tests: Vec<Value> = hull.nonempty.into_iter().collect();
        for (g, at) in cell.iter().enumerate() {
            let at = b.zext_nneg(*at, b.i64());
            if hull.lo[g].const_int() != Some(0) {
                tests.push(b.at_most(hull.lo[g], at));
            }
            tests.push(b.at_most(at, hull.hi[g]));
        }
        tests
    }

    /// Cells from `lo` to `hi` in each dimension. An empty box may have any width here; it only must not
    /// divide by zero.
    fn widths(&self, lo: &[Value], hi: &[Value], nonempty: Option<Value>) -> Vec<Value> {
        let b = &self.b;
        let one = b.int(1);
        let widths = lo.iter().zip(hi).map(|(l, h)| b.plus(b.minus(*h, *l), one));
        let divides = |w: Value| match w.const_int() {
            Some(_) => w,
            None => b.choose(nonempty, w, one),
        };
        widths.map(divides).collect()
    }

    /// `n`, at most a block's threads, as the digits of a mixed-radix counter, fastest digit last, the first digit
    /// unbounded.
    pub(crate) fn digits(&self, n: Value, width: &[Value]) -> Vec<Value> {
        self.digits_of(n, width, None)
    }

    /// The same; the last digit's width is 2 to the power of `log`, where that is known.
    pub(crate) fn digits_of(&self, n: Value, width: &[Value], log: Option<Value>) -> Vec<Value> {
        let b = &self.b;
        let mut digits = vec![n; width.len()];
        let mut rest = n;
        for g in (1..width.len()).rev() {
            let w = width[g];
            let log = log.filter(|_| g + 1 == width.len());
            let above = match (log, w.const_int()) {
                (Some(log), None) => b.lshr(rest, log),
                (_, Some(_)) => b.udiv(rest, w),
                _ => b.short_quotient(rest, w),
            };
            digits[g] = match log {
                Some(_) => b.and(rest, b.minus(w, b.int(1))),
                None => b.minus(rest, b.cells_times(above, w)),
            };
            rest = above;
        }
        digits[0] = rest;
        digits
    }

    /// The coordinates of the thread's next cell.
    pub(crate) fn advanced(&self, walk: &Walk, now: &[Value]) -> Vec<Value> {
        let over = |g: usize, c| self.b.icmp(Pred::LLVMIntSGT, c, walk.hi[g]);
        self.next_digits(now, &walk.step, &walk.width, &over)
    }

    /// The digits of a mixed-radix counter after `step` more; the first one is unbounded. `over`: whether a digit is
    /// beyond its last value.
    pub(super) fn next_digits(
        &self,
        now: &[Value],
        step: &[Value],
        width: &[Value],
        over: &dyn Fn(usize, Value) -> Value,
    ) -> Vec<Value> {
        let b = &self.b;
        let mut next = vec![b.int(0); now.len()];
        let mut carry = b.int(0);
        for g in (1..now.len()).rev() {
            let c = b.cells_plus(b.cells_plus(now[g], step[g]), carry);
            let over = over(g, c);
            next[g] = b.select(over, b.minus(c, width[g]), c);
            carry = b.zext(over, b.i32());
        }
        next[0] = b.cells_plus(b.cells_plus(now[0], step[0]), carry);
        next
    }
}
