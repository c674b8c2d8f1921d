//! The walk over a tile of which every cell is one thread's: it takes no rounds and no division
//! but that of the thread's number, by extents and not by what a guard leaves of them.
//!
//! ```text
//! out[x*h + y]    cells [tid.x][tid.y]     thread number t copies cell [t / ntid.y][t % ntid.y]
//!                                          if x0 + t / ntid.y < w && y0 + t % ntid.y < h
//! ```

use super::Lower;
use super::ranges::single;
use super::state::{Ranges, View, Walk};
use super::walk::is_column_wise;
use crate::affine::{Atom, Sense};
use crate::llvm::ir::Value;
use crate::plan::{ActiveSet, Tile};

impl Lower<'_> {
    /// The walk over what `sets` span.
    pub(crate) fn walk_once(&mut self, tile: &Tile, view: View, sets: &[ActiveSet]) -> Walk {
        let threads = self.threads();
        let extent = |l: &mut Self, g: usize| match tile.footprint.dims[g].terms[..] {
            [(Atom::Tid(d), _)] => l.register32("ntid", d),
            _ => l.b.int(1),
        };
        let mut extents = Vec::new();
        for g in 0..tile.footprint.dims.len() {
            let e = extent(self, g);
            extents.push(e);
        }
        let start = if is_column_wise(tile) {
            let mut start = self.digits(threads.row, &extents[..extents.len() - 1]);
            start.push(threads.column);
            start
        } else {
            self.digits(threads.linear, &extents)
        };
        let (mut tests, clip) = match self.tests_of_cell(tile, view, sets, &start) {
            Some(tests) => (tests, None),
            None => self.tests_in_hull(tile, view, sets, &start),
        };
        tests.push(self.b.below(start[0], extents[0]));
        Walk {
            hi: Vec::new(),
            start,
            step: Vec::new(),
            width: Vec::new(),
            clip,
            copied: None,
            once: self.b.all(tests),
            cut: None,
            ahead: Vec::new(),
        }
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

    /// Whether the cell lies in the sets' hull, and between which addresses it must.
    fn tests_in_hull(
        &mut self,
        tile: &Tile,
        view: View,
        sets: &[ActiveSet],
        cell: &[Value],
    ) -> (Vec<Value>, Option<(Value, Value)>) {
        let hull = self.hull(tile, view, sets);
        let b = &self.b;
        let mut tests: Vec<Value> = hull.nonempty.into_iter().collect();
        for (g, at) in cell.iter().enumerate() {
            let at = b.zext_nneg(*at, b.i64());
            if hull.lo[g].const_int() != Some(0) {
                tests.push(b.at_most(hull.lo[g], at));
            }
            tests.push(b.at_most(at, hull.hi[g]));
        }
        (tests, tile.clip_linear.then_some(hull.clip))
    }
}
