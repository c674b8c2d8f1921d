//! Ways to break a plan. Each edit takes the number of a place and says whether there is one.

use mesi::affine::{Poly, Sense};
use mesi::plan::{ActiveSet, Bound, Pitch, Plan, Tile, TileDim, TilePlace, When};

use crate::mutation::Mutation;
use crate::stage::Planned;

/// The tiles of a plan.
pub fn tiles(plan: &mut Plan) -> impl Iterator<Item = &mut Tile> {
    plan.regions.iter_mut().flat_map(|r| &mut r.tiles)
}

fn dims(plan: &mut Plan) -> impl Iterator<Item = &mut TileDim> {
    tiles(plan).flat_map(|t| &mut t.footprint.dims)
}

fn active(plan: &mut Plan) -> impl Iterator<Item = &mut ActiveSet> {
    tiles(plan).flat_map(|t| &mut t.footprint.active)
}

fn bounds(plan: &mut Plan) -> impl Iterator<Item = &mut Bound> {
    active(plan).flat_map(|s| &mut s.bounds)
}

/// Applies `change` to the `place`-th of `found`.
pub fn at<T>(mut found: impl Iterator<Item = T>, place: usize, change: impl FnOnce(T)) -> bool {
    found.nth(place).map(change).is_some()
}

fn member_offset(p: &mut Planned, place: usize, by: i64) -> bool {
    let members = tiles(p.plan).flat_map(|t| &mut t.members);
    at(members.flat_map(|m| &mut m.offsets), place, |o| *o += by)
}

/// Moves a bound; `by` > 0 lets more through.
fn move_bound(p: &mut Planned, place: usize, by: i64) -> bool {
    at(bounds(p.plan), place, |b| loosen(b, by))
}

/// Moves a bound away from its set, or towards it.
pub fn loosen(b: &mut Bound, by: i64) {
    let by = if b.sense == Sense::AtMost { by } else { -by };
    b.limit = b.limit.plus(&Poly::constant(by));
}

/// Removes the `place`-th of the elements of all lists.
pub fn remove<'a, T: 'a>(lists: impl Iterator<Item = &'a mut Vec<T>>, mut place: usize) -> bool {
    for list in lists {
        if place < list.len() {
            list.remove(place);
            return true;
        }
        place -= list.len();
    }
    false
}

fn overlap_tiles(p: &mut Planned, place: usize) -> bool {
    let regions = p.plan.regions.iter_mut().filter(|r| r.tiles.len() > 1);
    let later = regions.flat_map(|r| {
        let first = r.tiles[0].clone();
        r.tiles.iter_mut().skip(1).map(move |t| (first.clone(), t))
    });
    at(later, place, |(first, t)| {
        let byte = first.place.offset();
        match &mut t.place {
            TilePlace::At(offset) => *offset = byte,
            TilePlace::Behind { after, area, .. } => (*after, *area) = (t.id, byte),
        }
    })
}

fn wrong_base(p: &mut Planned, place: usize) -> bool {
    let bases: Vec<_> = p.affine.bases.clone();
    at(tiles(p.plan), place, |t| {
        let other = bases.iter().find(|b| **b != t.footprint.base);
        t.footprint.base = other.copied().unwrap_or(t.footprint.base);
    })
}

fn keep_store_in_memory(p: &mut Planned, place: usize) -> bool {
    let accesses = p.accesses;
    let is_store =
        |a: &mesi::access::AccessId| accesses.get(*a).kind == mesi::access::AccessKind::Store;
    let both = p
        .plan
        .scalars_mut()
        .filter(|p| p.accesses.len() > 1 && p.accesses.iter().any(is_store));
    at(both, place, |p| p.accesses.retain(|a| !is_store(a)))
}

/// The list.
pub fn all() -> Vec<Mutation> {
    let mut list = of_tiles();
    list.extend(of_halos());
    list.extend(of_conditions());
    list.extend(of_regions());
    list
}

fn of_tiles() -> Vec<Mutation> {
    vec![
        Mutation::plan("pitch-one", "rows of a tile overlap", |p, n| {
            let wide = dims(p.plan).filter(|d| !matches!(d.pitch, Pitch::Const(1)));
            at(wide, n, |d| d.pitch = Pitch::Const(1))
        }),
        Mutation::plan(
            "member-offset-up",
            "a member reads the next cell",
            |p, n| member_offset(p, n, 1),
        ),
        Mutation::plan(
            "member-offset-down",
            "a member reads the cell before",
            |p, n| member_offset(p, n, -1),
        ),
        Mutation::plan(
            "stride-wrong",
            "a dimension's stride is one unit too long",
            |p, n| {
                let all = tiles(p.plan).flat_map(|t| {
                    let unit = i64::from(t.footprint.size);
                    t.footprint.dims.iter_mut().map(move |d| (d, unit))
                });
                at(all, n, |(d, unit)| {
                    d.stride = d.stride.plus(&Poly::constant(unit))
                })
            },
        ),
        Mutation::plan(
            "rest-up",
            "a tile is filled from one element further on",
            |p, n| {
                at(tiles(p.plan), n, |t| {
                    t.footprint.rest = t
                        .footprint
                        .rest
                        .plus(&Poly::constant(t.footprint.size.into()))
                })
            },
        ),
        Mutation::plan(
            "rest-down",
            "a tile is filled from one element before",
            |p, n| {
                at(tiles(p.plan), n, |t| {
                    t.footprint.rest = t
                        .footprint
                        .rest
                        .minus(&Poly::constant(t.footprint.size.into()))
                })
            },
        ),
        Mutation::plan(
            "base-wrong",
            "a tile is filled from another array",
            wrong_base,
        ),
        Mutation::plan(
            "tiles-overlap",
            "two tiles begin at one byte",
            overlap_tiles,
        ),
        Mutation::plan(
            "buffer-short",
            "the buffer is half as large as the tiles",
            |p, n| {
                p.plan.shared_bytes /= 2;
                n == 0
            },
        ),
        Mutation::plan(
            "multiplier-wrong",
            "a tile coordinate moves twice as fast",
            |p, n| at(dims(p.plan).flat_map(|d| &mut d.terms), n, |t| t.1 *= 2),
        ),
        Mutation::plan(
            "multiplier-negated",
            "a tile coordinate moves backwards",
            |p, n| at(dims(p.plan).flat_map(|d| &mut d.terms), n, |t| t.1 = -t.1),
        ),
        Mutation::plan(
            "clip-dropped",
            "the hull's corners are copied too",
            |p, n| {
                at(tiles(p.plan).filter(|t| t.clip_linear), n, |t| {
                    t.clip_linear = false
                })
            },
        ),
    ]
}

fn of_halos() -> Vec<Mutation> {
    vec![
        Mutation::plan(
            "halo-low-missing",
            "the tile begins one step late",
            |p, n| at(dims(p.plan).filter(|d| d.high > d.low), n, |d| d.low += 1),
        ),
        Mutation::plan(
            "halo-side-swapped",
            "the halo lies on the other side",
            |p, n| {
                let lopsided = dims(p.plan).filter(|d| d.high > d.low && d.low != -d.high);
                at(lopsided, n, |d| (d.low, d.high) = (-d.high, -d.low))
            },
        ),
        Mutation::plan(
            "halo-high-uncopied",
            "the last halo offset is copied for nobody",
            |p, n| {
                let several = active(p.plan).filter(|s| s.offsets.len() > 1);
                at(several, n, |s| drop(s.offsets.pop()))
            },
        ),
        Mutation::plan(
            "halo-low-uncopied",
            "the first halo offset is copied for nobody",
            |p, n| {
                let several = active(p.plan).filter(|s| s.offsets.len() > 1);
                at(several, n, |s| drop(s.offsets.remove(0)))
            },
        ),
        Mutation::plan(
            "halo-extra",
            "one step past the halo is copied too",
            |p, n| {
                at(active(p.plan), n, |s| {
                    let mut more = s.offsets.last().cloned().unwrap_or_default();
                    more.iter_mut().for_each(|o| *o += 1);
                    s.offsets.push(more);
                })
            },
        ),
    ]
}

fn of_conditions() -> Vec<Mutation> {
    vec![
        Mutation::plan(
            "bound-loose",
            "the copy goes one past a guard's bound",
            |p, n| move_bound(p, n, 1),
        ),
        Mutation::plan(
            "bound-tight",
            "the copy stops one before a guard's bound",
            |p, n| move_bound(p, n, -1),
        ),
        Mutation::plan(
            "bound-dropped",
            "the copy knows nothing of a guard",
            |p, n| remove(active(p.plan).map(|s| &mut s.bounds), n),
        ),
        Mutation::plan(
            "within-dropped",
            "the copy knows nothing of an element's limit",
            |p, n| remove(active(p.plan).map(|s| &mut s.within), n),
        ),
        Mutation::plan(
            "within-tight",
            "the copy stops one before an element's limit",
            |p, n| {
                at(active(p.plan).flat_map(|s| &mut s.within), n, |w| {
                    let inwards = match w.sense {
                        Sense::AtLeast => 1,
                        Sense::AtMost => -1,
                    };
                    w.limit = w.limit.plus(&Poly::constant(inwards));
                })
            },
        ),
        Mutation::plan(
            "when-dropped",
            "the copy ignores a uniform condition",
            |p, n| remove(active(p.plan).map(|s| &mut s.when), n),
        ),
        Mutation::plan("when-inverted", "the copy runs when it must not", |p, n| {
            at(active(p.plan).flat_map(|s| &mut s.when), n, |w| match w {
                When::Is { wanted, .. } => *wanted = !*wanted,
                When::NotNegative(p) => *p = p.times_constant(-1).minus(&Poly::constant(1)),
            })
        }),
        Mutation::plan(
            "active-set-missing",
            "what some accesses need is not copied",
            |p, n| {
                let lists = tiles(p.plan)
                    .map(|t| &mut t.footprint.active)
                    .filter(|a| a.len() > 1);
                remove(lists, n)
            },
        ),
        Mutation::plan(
            "write-back-dropped",
            "stored elements stay in the tile",
            |p, n| {
                let written = tiles(p.plan).filter(|t| !t.write_back.is_empty());
                at(written, n, |t| t.write_back.clear())
            },
        ),
        Mutation::plan(
            "write-back-unbounded",
            "more is written back than was stored",
            |p, n| {
                let sets = tiles(p.plan).flat_map(|t| t.write_back.iter_mut());
                at(sets.filter(|s| !s.bounds.is_empty()), n, |s| {
                    s.bounds.clear()
                })
            },
        ),
        Mutation::plan(
            "write-back-short",
            "the last stored offset is not written back",
            |p, n| {
                let sets = tiles(p.plan).flat_map(|t| t.write_back.iter_mut());
                at(sets.filter(|s| s.offsets.len() > 1), n, |s| {
                    drop(s.offsets.pop())
                })
            },
        ),
    ]
}

fn of_regions() -> Vec<Mutation> {
    vec![
        Mutation::plan(
            "barrier-before-dropped",
            "copies do not wait for earlier stores",
            |p, n| {
                let waiting = p.plan.regions.iter_mut().filter(|r| r.barrier_before);
                at(waiting, n, |r| r.barrier_before = false)
            },
        ),
        Mutation::plan(
            "strip-longer",
            "strips are longer than their tiles",
            |p, n| {
                let strips = p.plan.regions.iter_mut().filter_map(|r| r.strip.as_mut());
                at(strips, n, |s| s.length *= 2)
            },
        ),
        Mutation::plan(
            "register-unloaded",
            "an accumulator starts with nothing",
            |p, n| {
                let loaded = p.plan.scalars_mut().filter(|p| p.loads_first);
                at(loaded, n, |p| p.loads_first = false)
            },
        ),
        Mutation::plan(
            "register-unstored",
            "an accumulator's register is read, its memory written",
            keep_store_in_memory,
        ),
    ]
}
