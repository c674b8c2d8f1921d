//! A tile, and how it is built from a candidate: pitches, padding, sizes, their facts, whether its strips must be
//! waited for, and in what transactions they may be copied.
//!
//! ```text
//! a[row*n + k], strips of 32     dims 4*n: tid.y (pitch 36)   4: iter (pitch 1)     32x36 cells
//! ```
//! The innermost dimension is the one with the smallest global stride, so copies run along memory
//! and a row walk is transposed by the way it is read. Pitches are constants for the largest block
//! shape served, so that unrolled accesses get immediate offsets; extents stay run-time values
//! and the entry tests them against the pitches. A dimension that grows with a trip count, or with
//! the block in a footprint that is copied whole, gets a pitch computed at entry.
//!
//! Padding: rows get 16 more bytes when threads of a warp read down a column of them. A row of a
//! multiple of 128 bytes would put them all in one bank; 16 bytes keep 16-byte reads aligned and
//! make eight neighbouring rows start in different banks, which is what one pass of such reads
//! needs. Rows of 16 bytes need none, and where strips grow, only longer ones get it. Rows of a tile
//! that is copied whole, whose length only the machine knows, are rounded up to an odd number of
//! transactions where each thread walks along its own.

use super::analyses::Analyses;
use super::candidate::Candidate;
use super::data::{
    ActiveSet, Footprint, Member, Pitch, Prospect, Reuse, SingleBuffered, Tile, TileDim, TileId,
    TilePlace, Trait, When,
};
use super::extent::{self, MaxBlock};
use super::facts::Facts;
use super::overlap::{self, Cut};
use super::stretch;
use super::tile_source::TileSource;
use crate::access::AccessKind;
use crate::affine::{Atom, Poly};
use crate::missed::Missed;
use crate::transform::reads;
use crate::tree::LoopId;

/// Bytes that threads read at once where they can.
const WIDEST: u32 = 16;

/// A tile with its size, not yet placed.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The tile, at the first byte.
    pub tile: Tile,
    /// Bytes for the largest block; `None`: known at run time only.
    pub bytes: Option<u32>,
    /// Bytes as a function of launch and trip counts.
    pub size: Poly,
    /// Facts of this tile's pitches.
    pub facts: Facts,
    /// Why its strips must be waited for; `None`: they may be fetched ahead.
    pub waits: Option<SingleBuffered>,
    /// See [`Tile::widths`], where strips are fetched ahead asynchronously.
    pub widths: Vec<u32>,
}

/// The tile of a candidate for blocks up to `cut.max_block`, in strips if it is in strips, `cut.merge` blocks served by
/// one; `by_transactions`: rows that a loop walks along begin at whole transactions. `longest`: how long strips get
/// where they are stretched.
pub fn build(
    f: &Analyses,
    of: &Candidate,
    by_transactions: bool,
    (cut, longest): (&Cut, Option<u32>),
) -> Result<Draft, Missed> {
    let (shape, write_back) = (&of.shape, &of.legal.write_back);
    let strip = of.prospect.place.1;
    let mut dims = tile_dims(of, cut, cut.length);
    let reuse = reads::find(&TileSource {
        f,
        candidate: of,
        merge: cut.merge,
    });
    // Cells are read several at a time, from aligned rows with room for the last of them: a row among others is rounded
    // up to as many.
    let align = row_alignment(&reuse, shape.size);
    if let [only] = &mut dims[..] {
        only.extent = only.extent.plus(&Poly::constant(ahead(&reuse)));
    }
    let by_transactions = by_transactions && write_back.is_empty();
    let rows = Rows::of(&of.prospect, cut, (by_transactions, align));
    let mut facts = Facts::default();
    let (inner, inner_bound) = lay_dimensions(f, &mut dims, rows, cut.max_block, &mut facts)?;
    let unit = i64::from(shape.size);
    let bytes = inner_bound.map(|c| c * unit);
    let bytes = bytes.filter(|b| *b < 1 << 24).map(|b| b as u32);
    if !write_back.is_empty() {
        require_unique_cells(&dims, &mut facts);
        let stretched = longest.map(|length| tile_dims(of, cut, length));
        require_unique_in_strips(&stretched.unwrap_or_default(), &mut facts);
    }
    let tile = Tile {
        id: TileId(0),
        members: members(f, of, &reuse),
        zero_fill: cut.merge.replicas() > 1 && !shape.active.is_empty(),
        clip_linear: needs_linear_clip(&dims, &shape.active),
        write_back: write_back.clone(),
        footprint: Footprint {
            array: shape.array,
            base: shape.base,
            rest: shape.rest.clone(),
            dims,
            active: shape.active.clone(),
            size: shape.size,
        },
        cells: bytes.map_or(0, |b| b / shape.size),
        place: TilePlace::At(0),
        widths: Vec::new(),
    };
    let ahead = strip.filter(|_| cut.depth > 1);
    Ok(Draft {
        waits: ahead.and_then(|l| waits(f, l, &tile, cut.stretch)),
        widths: ahead.map_or(Vec::new(), |l| widths(&tile, l)),
        tile,
        bytes,
        size: inner.times_constant(unit),
        facts,
    })
}

/// How the rows of a tile lie.
struct Rows {
    /// Bytes of a cell.
    unit: u32,
    /// Not in strips.
    are_whole: bool,
    /// Cells between two.
    pad: u32,
    /// Cells that they begin at multiples of.
    align: u32,
    /// Those multiples are odd.
    odd: bool,
    /// They are copied by transactions.
    in_transactions: bool,
    /// Their length is picked at run time.
    are_stretched: bool,
}

impl Rows {
    /// `align`: as loads of several cells want them; `by_transactions`: those that a loop walks along begin at whole
    /// transactions.
    fn of(c: &Prospect, cut: &Cut, (by_transactions, align): (bool, u32)) -> Rows {
        let walks = by_transactions && c.is(Trait::Walked);
        let transaction = (WIDEST / c.size).max(1);
        let pad = match c.has_padded_rows() {
            false => 0,
            true if c.is(Trait::RowStrips) => transaction,
            true => 1,
        };
        let odd = walks && pad > 0;
        Rows {
            unit: c.size,
            are_whole: !c.in_strips(),
            pad: if odd { 0 } else { pad },
            align: if walks { align.max(transaction) } else { align },
            odd,
            in_transactions: c.in_strips() && cut.depth > 1 && cut.wide,
            are_stretched: cut.stretch && c.is(Trait::RowStrips),
        }
    }

    /// Cells behind one whose length is not known, at most.
    fn most_behind(&self) -> i64 {
        let most = if self.odd { 2 * self.align } else { self.align };
        i64::from(self.pad) + i64::from(most) - 1
    }

    /// Cells from one to the next, where one has this many with what lies between.
    fn pitch(&self, cells: i64) -> i64 {
        let mut pitch = (cells as u64).next_multiple_of(u64::from(self.align)) as i64;
        if self.odd {
            pitch |= i64::from(self.align);
        }
        if self.in_transactions {
            pitch = overlap::aligned_row(pitch, self.unit);
        }
        pitch
    }
}

/// Gives each dimension its pitch, from the innermost outwards: it is what lies inside it. The cells of all, and how
/// many they are at most, if that is known.
fn lay_dimensions(
    f: &Analyses,
    dims: &mut [TileDim],
    mut rows: Rows,
    max_block: MaxBlock,
    facts: &mut Facts,
) -> Result<(Poly, Option<i64>), Missed> {
    let mut inner = Poly::constant(1);
    let mut inner_bound = Some(1i64);
    for g in (0..dims.len()).rev() {
        let e = dims[g].extent.clone();
        let is_last = g + 1 == dims.len();
        let is_row = g > 0 && is_last;
        let (pad, align, odd) = (rows.pad, rows.align, rows.odd);
        dims[g].pitch = match (is_last, inner_bound) {
            (true, _) => Pitch::Const(1),
            (false, Some(p)) => Pitch::Const(p as u32),
            (false, None) => Pitch::Runtime { pad, align, odd },
        };
        // Only strips are unrolled, so only they need constant pitches. A whole footprint lets the
        // block shape decide: one tile then serves every shape that fits.
        let shaped = rows.are_whole && g > 0 && e.any(|a| matches!(a, Atom::Ntid(_)));
        let bound = extent::at_cap(&e, max_block).filter(|b| *b > 0 && *b < 1 << 24 && !shaped);
        // Of rows that are one transaction, neighbours are read side by side.
        let one_transaction =
            rows.are_stretched && bound == Some(stretch::transaction_cells(rows.unit));
        let row_pad = if is_row && !one_transaction { pad } else { 0 };
        inner_bound = match (inner_bound, bound) {
            (Some(i), Some(b)) => i.checked_mul(b).map(|x| x + i64::from(row_pad)),
            _ => None,
        };
        if is_row {
            inner_bound = inner_bound.map(|c| rows.pitch(c));
            if rows.in_transactions
                && rows.are_stretched
                && !one_transaction
                && let (Some(row), Some(cells)) = (inner_bound, bound)
            {
                rows.pad = (row - cells) as u32;
            }
        }
        if let (Some(i), Some(most)) = (inner_bound, bound) {
            // Covered by the constant pitch: the entry tests the extent against the cap.
            facts.add_range(&e, i64::from(i32::MIN), most);
            inner = Poly::constant(i);
        } else {
            let is_outermost = rows.are_stretched && g == 0;
            let after = if is_outermost { 0 } else { rows.most_behind() };
            inner = e.times(&inner).plus(&Poly::constant(after));
        }
        if rows.are_stretched && is_last {
            inner_bound = None;
        }
        facts
            .add_poly(f.affine, &e)
            .map_err(|at| Missed::DivergentLoop { at })?;
    }
    Ok((inner, inner_bound))
}

fn tile_dims(of: &Candidate, cut: &Cut, length: u32) -> Vec<TileDim> {
    let dims = of.shape.dims.iter().zip(&of.extents);
    let dims = dims.map(|(d, e)| TileDim {
        stride: d.stride.clone(),
        terms: d.terms.clone(),
        low: e.low,
        high: e.high,
        pitch: Pitch::Const(1),
        extent: e.at(length, cut.merge),
    });
    dims.collect()
}

/// The most cells that are read at once, beyond one.
fn ahead(reuse: &[Option<Reuse>]) -> i64 {
    let most = reuse.iter().flatten().map(|r| r.width).max();
    i64::from(most.unwrap_or(1)) - 1
}

/// Cells that rows begin at a multiple of: tiles whose reads loops share are read and copied by transactions.
fn row_alignment(reuse: &[Option<Reuse>], unit: u32) -> u32 {
    if reuse.iter().any(Option::is_some) {
        (WIDEST / unit).max(1)
    } else {
        1
    }
}

fn members(f: &Analyses, of: &Candidate, reuse: &[Option<Reuse>]) -> Vec<Member> {
    let all = of.prospect.members.iter().zip(reuse).enumerate();
    let member = |(i, (access, reuse)): (usize, (&_, &Option<Reuse>))| Member {
        access: *access,
        offsets: of.shape.dims.iter().map(|d| d.offsets[i].0).collect(),
        byte: 0,
        is_store: f.accesses.get(*access).kind == AccessKind::Store,
        reuse: *reuse,
    };
    all.map(member).collect()
}

/// The hull of several offset vectors has corners that none of them touches, and those may lie
/// before or after everything that is read.
fn needs_linear_clip(dims: &[TileDim], active: &[ActiveSet]) -> bool {
    if active.is_empty() {
        return false;
    }
    if active.len() > 1 {
        return true;
    }
    let offsets = &active[0].offsets;
    let corners = (0..1u32 << dims.len().min(8)).map(|bits| {
        let corner = |(g, d): (usize, &TileDim)| if bits >> g & 1 == 1 { d.high } else { d.low };
        dims.iter().enumerate().map(corner).collect::<Vec<i64>>()
    });
    dims.len() > 8 || corners.into_iter().any(|c| !offsets.contains(&c))
}

/// A written tile must not hold an element twice: each stride covers what lies inside it.
fn require_unique_cells(dims: &[TileDim], facts: &mut Facts) {
    for pair in dims.windows(2) {
        require_unique(pair, facts);
    }
}

fn require_unique(pair: &[TileDim], facts: &mut Facts) {
    let inner_span = pair[1].stride.times(&pair[1].extent);
    facts.add_range(&pair[0].stride.minus(&inner_span), 0, 1 << 40);
}

/// The same where strips are stretched, in the longest. Two threads that store one element race in the original, so
/// rows of threads are left out; what one thread stores twice is ordered there: `y[k] = …; y[k + w] = …`.
fn require_unique_in_strips(dims: &[TileDim], facts: &mut Facts) {
    let threads =
        |d: &TileDim| !d.terms.is_empty() && d.terms.iter().all(|(a, _)| matches!(a, Atom::Tid(_)));
    for pair in dims.windows(2).filter(|p| !threads(&p[0])) {
        require_unique(pair, facts);
    }
}

/// Why the strips of `l` must be waited for; `None`: they may be fetched ahead. No region lies inside
/// another's strips (`choose::agree`), so the tiles are all there is to look at.
///
/// Conservative: boxes that change with the strip could be worked out strip by strip.
/// With `stretch`, rows of run-time length are what is wanted.
fn waits(f: &Analyses, l: LoopId, t: &Tile, stretch: bool) -> Option<SingleBuffered> {
    let runtime = |p: &Pitch| matches!(p, Pitch::Runtime { .. });
    // A store tile is written back before the next strip is used.
    let written = !t.write_back.is_empty() || t.members.iter().any(|m| m.is_store);
    if written && !t.only_stores() {
        Some(SingleBuffered::Written)
    } else if !stretch && t.footprint.dims.iter().any(|d| runtime(&d.pitch)) {
        Some(SingleBuffered::RuntimeSize)
    } else if t.clip_linear {
        Some(SingleBuffered::Clipped)
    } else if moves_on(f, l, t) {
        None
    } else {
        Some(SingleBuffered::Changing)
    }
}

/// Whether the tile's box, seen from where it begins, is the same for all full strips, and shorter
/// in one dimension for the last.
fn moves_on(f: &Analyses, l: LoopId, t: &Tile) -> bool {
    let follows = |a: Atom| f.affine.follows(a, l);
    let other = |a: Atom| match a {
        Atom::Iter(x) if x == l => false,
        Atom::Iter(x) => follows(a) || follows(Atom::Trip(x)),
        a => follows(a),
    };
    let sets = || t.footprint.active.iter().chain(&t.write_back);
    let bounds = sets().flat_map(|s| &s.bounds);
    let cut = bounds
        .clone()
        .flat_map(|b| &b.terms)
        .any(|(a, _)| follows(*a))
        || bounds.map(|b| &b.limit).any(|p| p.any(follows));
    let whens = sets().flat_map(|s| &s.when);
    let conditional = whens
        .into_iter()
        .any(|w| matches!(w, When::NotNegative(p) if p.any(follows)));
    let here = |terms: &[(Atom, i64)]| terms.iter().any(|(a, _)| *a == Atom::Iter(l));
    let dims = t.footprint.dims.iter().filter(|d| here(&d.terms)).count();
    let fixed =
        !t.footprint.rest.any(follows) && !t.footprint.dims.iter().any(|d| d.stride.any(follows));
    let changing = t
        .footprint
        .dims
        .iter()
        .flat_map(|d| &d.terms)
        .any(|(a, _)| other(*a));
    !cut && !conditional && !changing && fixed && dims == 1
}

/// In what transactions, wider than an element, a tile may be copied where its rows lie aligned.
///
/// Transactions run along the innermost dimension, which must be contiguous, and every row of the tile
/// must begin aligned. A strip walked backwards begins elsewhere when it is the short one.
fn widths(t: &Tile, l: LoopId) -> Vec<u32> {
    let inner = t.footprint.dims.last().expect("a tile has a dimension");
    let contiguous = inner.stride.as_constant() == Some(i64::from(t.footprint.size));
    let backwards = inner
        .terms
        .iter()
        .any(|(a, m)| *a == Atom::Iter(l) && *m < 0);
    let row = inner.extent.as_constant();
    let aligned = |w: u32| {
        let whole = |cells: i64| cells % i64::from((w / t.footprint.size).max(1)) == 0;
        let outer = &t.footprint.dims[..t.footprint.dims.len() - 1];
        outer.iter().all(|d| match d.pitch {
            Pitch::Const(p) => whole(i64::from(p)),
            // In strips of several lengths, which differ by whole transactions.
            Pitch::Runtime { align, .. } if align > 1 => whole(align.into()),
            Pitch::Runtime { pad, .. } => {
                row.is_some_and(|r| whole(r + i64::from(pad)) && whole(pad.into()))
            }
        })
    };
    if t.only_stores() || !contiguous || backwards {
        return Vec::new();
    }
    let wanted: &[u32] = if t.footprint.size < 4 {
        &[WIDEST, 4]
    } else {
        &[WIDEST]
    };
    // Of a row shorter than a transaction only elements are copied, one by one.
    let holds = |w: u32| row.is_none_or(|r| r >= i64::from(w / t.footprint.size));
    let is_possible = |w: &u32| *w > t.footprint.size && aligned(*w) && holds(*w);
    wanted.iter().copied().filter(is_possible).collect()
}
