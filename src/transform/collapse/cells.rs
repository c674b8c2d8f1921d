//! Whether pairs of a thread and an iteration have cells of their own.
//!
//! ```text
//! m[(n - 1 - i) * n + c]  and  m[r * n + j]      the same only where n - 1 - i = r and c = j, as 0 <= c, j < n
//! ```
//! An index is taken apart into a row and a column by a pitch that is an argument, where the column surely lies in its
//! row, and rows into planes in the same way. Then two indices are the same where all their parts are, which are
//! linear: that this happens for no two different pairs is that a set of whole numbers is empty. That the machine adds
//! indices up exactly is no question here: where it does not follow from what is known, the host asks it of the copy.

use super::plan::Refused;
use super::reach::{ID, Reach, in_ids};
use crate::access::{Access, AccessKind};
use crate::affine::{Atom, IntegerSet, Poly, is_linear};
use crate::plan::Analyses;
use crate::tree::LoopId;

/// That the first is not less than the second: how far rows lie apart, and how long they are.
pub(super) type Pitch = (Atom, Atom);

/// An access whose place is known: which cell, counted in its size, and where it is reached.
struct Place<'a> {
    cell: Poly,
    reach: &'a Reach,
}

/// What must hold so that no two pairs touch one cell of one array where one stores.
pub(super) fn pitches(
    f: &Analyses,
    l: LoopId,
    accesses: &[(&Access, Reach)],
) -> Result<Vec<Pitch>, Refused> {
    let mut pitches = Vec::new();
    let mut done = Vec::new();
    for (s, mine) in accesses.iter().filter(|(s, _)| s.writes()) {
        for (a, other) in accesses {
            if a.array != s.array || a.writes() && a.id < s.id {
                continue;
            }
            let refused = Refused::Cells(s.id, a.id);
            let is_same = s.size == a.size && a.kind != AccessKind::Atomic;
            let places = Place::of(f, s, mine).zip(Place::of(f, a, other));
            let (mine, other) = places.filter(|_| is_same).ok_or(refused)?;
            let cells = (s.block, a.block, mine.cell.clone(), other.cell.clone());
            // The same two cells under the same conditions.
            if done.contains(&cells) {
                continue;
            }
            are_disjoint(f, l, [&mine, &other], &mut pitches).ok_or(refused)?;
            done.push(cells);
        }
    }
    Ok(pitches)
}

impl<'a> Place<'a> {
    fn of(f: &Analyses, access: &'a Access, reach: &'a Reach) -> Option<Place<'a>> {
        let index = in_ids(f, &f.affine.address(access.id)?.index)?;
        let cell = index.divided_exactly(i64::from(access.size))?;
        Some(Place { cell, reach })
    }
}

/// Whether two pairs that differ never are at one cell.
fn are_disjoint(
    f: &Analyses,
    l: LoopId,
    places: [&Place; 2],
    pitches: &mut Vec<Pitch>,
) -> Option<()> {
    let parts = parts(f, places, pitches)?;
    let (id, iteration) = (Poly::atom(ID), Poly::atom(Atom::Iter(l)));
    let one = |x: &Poly, up: bool| (x.clone(), if up { 1i64 } else { -1 });
    // Another thread, or another iteration of the same.
    let orders = [true, false].into_iter().flat_map(|up| {
        let same = vec![(id.clone(), 0), one(&iteration, up)];
        [vec![one(&id, up)], same]
    });
    let mut orders = orders;
    let [mine, other] = places;
    orders
        .all(|order| {
            let mut set = IntegerSet::default();
            for (k, place) in [mine, other].into_iter().enumerate() {
                place
                    .reach
                    .add_to(f, &mut set, k as u32, &[&place.cell, &id, &iteration]);
            }
            for (p, q) in pitches.iter() {
                let (p, q) = (Poly::atom(*p), Poly::atom(*q));
                set.require(&p.minus(&q), 0);
            }
            for [x, y] in &parts {
                set.require_sum(&[(x, 0, 1), (y, 1, -1)], 0);
                set.require_sum(&[(x, 0, -1), (y, 1, 1)], 0);
            }
            for (x, by) in &order {
                let by = *by;
                // The second is above the first, or below, or the same.
                let sign = if by < 0 { -1 } else { 1 };
                set.require_sum(&[(x, 1, sign), (x, 0, -sign)], -by.abs());
                if by == 0 {
                    set.require_sum(&[(x, 1, -1), (x, 0, 1)], 0);
                }
            }
            set.is_empty()
        })
        .then_some(())
}

/// Parts of two cells' numbers, all linear: the cells are the same only where all of them are.
fn parts(f: &Analyses, places: [&Place; 2], pitches: &mut Vec<Pitch>) -> Option<Vec<[Poly; 2]>> {
    let mut parts = Vec::new();
    let mut cells = places.map(|p| p.cell.clone());
    while !cells.iter().all(is_linear) {
        let candidates = pitches_of(&cells);
        let found = candidates.into_iter().find_map(|pitch| {
            let mut tested = pitches.clone();
            let [a, b] =
                [0, 1].map(|k| row_and_column(f, &cells[k], places[k].reach, pitch, &mut tested));
            let (a, b) = (a?, b?);
            Some((tested, [a.0, b.0], [a.1, b.1]))
        });
        let (tested, rows, columns) = found?;
        *pitches = tested;
        parts.push(columns);
        cells = rows;
    }
    parts.push(cells);
    Some(parts)
}

/// Arguments that numbers of cells are multiplied by.
fn pitches_of(cells: &[Poly; 2]) -> Vec<Atom> {
    let products = cells
        .iter()
        .flat_map(|p| p.terms().filter(|(m, _)| m.len() > 1));
    let factors = products.flat_map(|(m, _)| m.iter().copied());
    let mut all: Vec<Atom> = factors.filter(|a| matches!(a, Atom::Symbol(_))).collect();
    crate::order::sort(&mut all);
    all.dedup();
    all
}

/// `cell` as `row * pitch + column` with a column of `0` to `pitch - 1`; what must be so for that is added.
fn row_and_column(
    f: &Analyses,
    cell: &Poly,
    reach: &Reach,
    pitch: Atom,
    tested: &mut Vec<Pitch>,
) -> Option<(Poly, Poly)> {
    let (mut row, mut column) = (Poly::default(), Poly::default());
    for (m, c) in cell.terms() {
        match m.iter().position(|a| *a == pitch) {
            Some(at) => {
                let mut rest = m.clone();
                rest.remove(at);
                row.add_term(rest, c);
            }
            None => column.add_term(m.clone(), c),
        }
    }
    let width = Poly::atom(pitch);
    // `r * n - 1` is the last column of the row before.
    [0, 1, -1].into_iter().find_map(|by| {
        let column = column.plus(&width.times_constant(by));
        let row = row.minus(&Poly::constant(by));
        let last = width.minus(&Poly::constant(1)).minus(&column);
        lies_in_row(f, reach, [&column, &last], pitch, tested).then_some((row, column))
    })
}

/// Whether a column lies in its row, if rows are no longer than they lie apart.
fn lies_in_row(
    f: &Analyses,
    reach: &Reach,
    [column, last]: [&Poly; 2],
    pitch: Atom,
    tested: &mut Vec<Pitch>,
) -> bool {
    let with = |pitches: &[Pitch]| {
        let mut known = reach.clone();
        let differences = pitches
            .iter()
            .map(|(p, q)| Poly::atom(*p).minus(&Poly::atom(*q)));
        known.limits.extend(differences);
        known
    };
    let known = with(tested);
    if !known.proves(f, column) {
        return false;
    }
    if known.proves(f, last) {
        return true;
    }
    let named = reach.limits.iter().flat_map(Poly::atoms);
    let mut lengths: Vec<Atom> = named.filter(|a| matches!(a, Atom::Symbol(_))).collect();
    crate::order::sort(&mut lengths);
    lengths.dedup();
    let enough = lengths.into_iter().find(|n| {
        let more = [&tested[..], &[(pitch, *n)]].concat();
        *n != pitch && with(&more).proves(f, last)
    });
    tested.extend(enough.map(|n| (pitch, n)));
    enough.is_some()
}
