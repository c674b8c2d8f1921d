//! Which cells of a tile a copy touches, and in which order a thread takes them.
//!
//! The box is the hull of what active threads surely touch, so no address is used that the
//! original would not have come near; `clip_linear` cuts the corners of such a hull off. Threads
//! take cells in memory order, so neighbours copy neighbours. Several dimensions are stepped like
//! a mixed-radix counter, with the divisions done once, before the copy (and before all strips where the box
//! does not depend on the strip). Where the fastest dimension is `threadIdx.x`, each thread stays
//! in its column and there is nothing to divide.

use super::Lower;
use super::state::{Hoisted, Hull, Number, Ranges, SetBox, Terms, Threads, View, Walk};
use crate::affine::{Atom, Sense};
use crate::kernel::Dim;
use crate::llvm::ir::{Pred, Value};
use crate::plan::{ActiveSet, Tile};

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

    /// The walk over what `sets` span in a tile.
    pub(crate) fn walk(&mut self, tile: &Tile, view: View, sets: &[ActiveSet]) -> Walk {
        if has_cell_per_thread(tile) && self.replicas.count() == 1 {
            return self.walk_once(tile, view, sets);
        }
        let mut hull = self.hull(tile, view, sets);
        let threads = self.threads();
        let int = self.b.i32();
        let truncate = |l: &Self, v: &[Value]| v.iter().map(|v| l.b.trunc(*v, int)).collect();
        let mut copied = None;
        if tile.zero_fill {
            let (lo, hi): (Vec<Value>, Vec<Value>) =
                (truncate(self, &hull.lo), truncate(self, &hull.hi));
            copied = Some((lo, hi, hull.nonempty.take()));
            for g in 0..tile.footprint.dims.len() {
                let cells = self.extent(tile, g, view);
                let last = self.b.minus(cells, self.b.int(1));
                hull.lo[g] = self.b.long(0);
                hull.hi[g] = self.b.zext(last, self.b.i64());
            }
        }
        let lo: Vec<Value> = truncate(self, &hull.lo);
        let mut hi: Vec<Value> = truncate(self, &hull.hi);
        let width = self.widths(&lo, &hi, hull.nonempty);
        let column_wise = is_column_wise(tile) && self.replicas.merge.along(Dim::X) == 1;
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
        let clip = tile.clip_linear.then_some(hull.clip);
        Walk {
            hi,
            start,
            step,
            width,
            clip,
            copied,
            once: None,
            cut: None,
            ahead: Vec::new(),
        }
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

    /// The hull of `sets` in cells of the tile.
    pub(crate) fn hull(&mut self, tile: &Tile, view: View, sets: &[ActiveSet]) -> Hull {
        let dims: Vec<&Terms> = tile.footprint.dims.iter().map(|d| &d.terms[..]).collect();
        let mut hull: Option<Hull> = None;
        for set in sets {
            let mut s = self.set_box(view, &dims, set);
            let clip = if tile.clip_linear {
                self.linear_range(tile, set, (&s.lo, &s.hi))
            } else {
                (self.b.long(0), self.b.long(0))
            };
            for (g, d) in tile.footprint.dims.iter().enumerate() {
                let offsets = || set.offsets.iter().map(|o| o[g] - d.low);
                let (least, most) = (offsets().min().unwrap_or(0), offsets().max().unwrap_or(0));
                s.lo[g] = self.b.plus(s.lo[g], self.b.long(least));
                s.hi[g] = self.b.plus(s.hi[g], self.b.long(most));
            }
            self.keep_within(tile, view, set, &mut s);
            let next = Hull {
                nonempty: s.nonempty,
                lo: s.lo,
                hi: s.hi,
                clip,
            };
            hull = Some(match hull {
                None => next,
                Some(h) => self.joined_hull(h, next),
            });
        }
        hull.unwrap_or_else(|| Hull {
            nonempty: Some(self.b.i1().constant(0)),
            lo: vec![self.b.long(0); dims.len()],
            hi: vec![self.b.long(0); dims.len()],
            clip: (self.b.long(0), self.b.long(0)),
        })
    }

    /// Leaves of a set's box, in cells, what its limits on elements allow.
    fn keep_within(&mut self, tile: &Tile, view: View, set: &ActiveSet, s: &mut SetBox) {
        let mut tests: Vec<Value> = s.nonempty.into_iter().collect();
        for w in &set.within {
            let (g, dim) = (w.dim, &tile.footprint.dims[w.dim]);
            let (limit, _) = self.interval(&Ranges::of(view), &w.limit);
            let first = self.first_coordinate(view, &dim.terms);
            let b = &self.b;
            let limit = b.minus(b.minus(limit, first), b.long(dim.low));
            match w.sense {
                Sense::AtLeast => s.lo[g] = b.greatest(s.lo[g], limit),
                Sense::AtMost => s.hi[g] = b.least(s.hi[g], limit),
            }
        }
        for (g, _) in tile.footprint.dims.iter().enumerate() {
            if set.within.iter().any(|w| w.dim == g) {
                tests.push(self.b.at_most(s.lo[g], s.hi[g]));
            }
        }
        s.nonempty = self.b.all(tests);
    }

    fn joined_hull(&self, x: Hull, y: Hull) -> Hull {
        let b = &self.b;
        let least = |p: Value, q: Value| {
            let far = b.long(i64::MAX);
            b.least(b.choose(x.nonempty, p, far), b.choose(y.nonempty, q, far))
        };
        let most = |p: Value, q: Value| {
            let far = b.long(i64::MIN);
            b.greatest(b.choose(x.nonempty, p, far), b.choose(y.nonempty, q, far))
        };
        Hull {
            nonempty: match (x.nonempty, y.nonempty) {
                (Some(p), Some(q)) => Some(b.or(p, q)),
                _ => None,
            },
            lo: x.lo.iter().zip(&y.lo).map(|(p, q)| least(*p, *q)).collect(),
            hi: x.hi.iter().zip(&y.hi).map(|(p, q)| most(*p, *q)).collect(),
            clip: (least(x.clip.0, y.clip.0), most(x.clip.1, y.clip.1)),
        }
    }

    /// Bytes from a cell to the next in global memory, along each dimension of a tile.
    pub(crate) fn strides_of(&mut self, tile: &Tile) -> Vec<Value> {
        let dims = tile.footprint.dims.iter();
        dims.map(|d| self.eval(&d.stride)).collect()
    }

    /// Least and greatest byte offset from the tile's origin that a set touches.
    fn linear_range(
        &mut self,
        tile: &Tile,
        set: &ActiveSet,
        (lo, hi): (&[Value], &[Value]),
    ) -> (Value, Value) {
        let strides = self.strides_of(tile);
        let b = &self.b;
        let mut range = (b.long(0), b.long(0));
        for (g, s) in strides.iter().enumerate() {
            let (l, h) = self.product((*s, *s), (lo[g], hi[g]));
            range = (b.plus(range.0, l), b.plus(range.1, h));
        }
        let at = |offsets: &Vec<i64>| {
            let steps = offsets
                .iter()
                .zip(&tile.footprint.dims)
                .map(|(o, d)| o - d.low);
            steps
                .zip(&strides)
                .fold(b.long(0), |sum, (k, s)| b.plus(sum, b.scaled(*s, k)))
        };
        let all: Vec<Value> = set.offsets.iter().map(at).collect();
        let least = all
            .iter()
            .copied()
            .reduce(|p, q| b.least(p, q))
            .unwrap_or(b.long(0));
        let most = all
            .iter()
            .copied()
            .reduce(|p, q| b.greatest(p, q))
            .unwrap_or(b.long(0));
        (b.plus(range.0, least), b.plus(range.1, most))
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

/// Whether the fastest dimension is `threadIdx.x` itself, so that every thread has its column.
pub(crate) fn is_column_wise(tile: &Tile) -> bool {
    let last = tile.footprint.dims.last().expect("a tile has a dimension");
    tile.footprint.dims.len() > 1 && last.low == last.high && last.terms == [(Atom::Tid(Dim::X), 1)]
}

/// Whether each cell is one thread's: every dimension is a thread index of its own, without halo, of
/// one block.
pub(crate) fn has_cell_per_thread(tile: &Tile) -> bool {
    let mut seen: Vec<Dim> = Vec::new();
    let mut own = tile.footprint.dims.iter();
    !tile.zero_fill
        && own.all(|d| match d.terms[..] {
            [] => d.low == d.high,
            [(Atom::Tid(x), 1 | -1)] => {
                let new = !seen.contains(&x);
                seen.push(x);
                new && d.low == d.high
            }
            _ => false,
        })
}
