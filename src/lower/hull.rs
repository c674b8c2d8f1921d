//! How far tiles extend where a region is open, and the box of cells that accesses touch there.
//!
//! The box is the hull of what active threads surely touch, so no address is used that the original would not have come
//! near; `clip_linear` cuts the corners of such a hull off.

use super::Lower;
use super::state::{Hull, Ranges, SetBox, Terms, View};
use crate::affine::{Atom, Sense};
use crate::llvm::ir::Value;
use crate::plan::{ActiveSet, Tile};

impl Lower<'_> {
    /// A dimension's extent at the region, in 32 bits: that of the plan, which is of the shortest strips, as the
    /// block's strips make it.
    pub(crate) fn extent(&mut self, tile: &Tile, g: usize, view: View) -> Value {
        let dim = &tile.footprint.dims[g];
        let (_, hi) = self.interval(&Ranges::of(view), &dim.extent);
        let mut sum = self.b.trunc(hi, self.b.i32());
        for (atom, m) in &dim.terms {
            let Atom::Iter(l) = atom else { continue };
            let Some(shape) = self.flying(*l) else {
                continue;
            };
            let strips = self.from.plan.regions.iter().filter_map(|r| r.strip);
            let shortest = strips.filter(|s| s.loop_ == *l).map(|s| s.length).min();
            let b = &self.b;
            let more = b.minus(shape.length, b.int(i64::from(shortest.unwrap_or(0))));
            sum = b.plus(sum, b.times(more, b.int(m.saturating_abs())));
        }
        sum
    }

    /// The hull of what is copied into a tile, and all its extents.
    pub(crate) fn reach(&mut self, tile: &Tile, view: View) -> (Hull, Vec<Value>) {
        let hull = self.hull_of(tile, view, &tile.footprint.active);
        let dims = 0..tile.footprint.dims.len();
        (hull, dims.map(|g| self.extent(tile, g, view)).collect())
    }

    /// The hull of `sets` in cells of the tile.
    pub(crate) fn hull_of(&mut self, tile: &Tile, view: View, sets: &[ActiveSet]) -> Hull {
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

    /// Least and greatest byte offset from the tile's origin that a set touches.
    fn linear_range(
        &mut self,
        tile: &Tile,
        set: &ActiveSet,
        (lo, hi): (&[Value], &[Value]),
    ) -> (Value, Value) {
        let strides = tile.footprint.dims.iter().map(|d| self.eval(&d.stride));
        let strides: Vec<Value> = strides.collect();
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

    /// What says that the box that some sets span is all of a tile.
    pub(crate) fn fills_tile(
        &mut self,
        tile: &Tile,
        view: View,
        sets: &[ActiveSet],
        tests: &mut Vec<Value>,
    ) {
        let hull = self.hull_of(tile, view, sets);
        tests.extend(hull.nonempty);
        for g in 0..tile.footprint.dims.len() {
            let cells = self.extent(tile, g, view);
            let cells = self.b.sext(cells, self.b.i64());
            let last = self.b.minus(cells, self.b.long(1));
            tests.push(self.b.at_most(hull.lo[g], self.b.long(0)));
            tests.push(self.b.at_most(last, hull.hi[g]));
        }
    }
}
