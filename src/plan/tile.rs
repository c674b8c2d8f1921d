//! A tile, and how it is built from a cluster that may be staged: pitches, padding, sizes, and their facts.
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
use super::data::{
    ActiveSet, Footprint, Member, Merge, Pitch, RegisterWindow, Tile, TileDim, TileId, TilePlace,
};
use super::extent::{self, MaxBlock};
use super::facts::Facts;
use super::legal::Legal;
use super::overlap::{self, Cut};
use super::shape::{Cluster, ShapeDim};
use super::stretch;
use super::tile_source::TileSource;
use crate::access::AccessKind;
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
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
}

/// The tile of `cluster` for blocks up to `cut.max_block`, whole or in strips of the loop `strip`,
/// `cut.merge` of them served by one; `by_transactions`: rows that a loop walks along begin at whole transactions.
pub fn build(
    f: &Analyses,
    cluster: &Cluster,
    (shape, by_transactions): (&Footprint<ShapeDim>, bool),
    legal: &Legal,
    strip: Option<LoopId>,
    cut: &Cut,
) -> Result<Draft, Missed> {
    let (strip, merge) = (strip.map(|l| (l, cut.length)), cut.merge);
    let mut dims = tile_dims(f, shape, legal, strip, merge)?;
    let windows = reads::find(&TileSource {
        f,
        cluster,
        shape,
        legal,
        strip: strip.map(|(l, _)| l),
        merge,
    });
    // Cells are read several at a time, from aligned rows with room for the last of them: a row among others is rounded
    // up to as many.
    let align = row_alignment(&windows, shape.size);
    if let [only] = &mut dims[..] {
        let ahead = Poly::constant(ahead(&windows));
        only.extent = only.extent.plus(&ahead);
    }
    let by_transactions = by_transactions && legal.write_back.is_empty();
    let rows = Rows::of(shape, strip, cut, (by_transactions, align));
    let mut facts = Facts::default();
    let (inner, inner_bound) = lay_dimensions(f, &mut dims, rows, cut.max_block, &mut facts)?;
    let unit = i64::from(shape.size);
    let bytes = inner_bound.map(|c| c * unit).filter(|b| *b < 1 << 24);
    let bytes = bytes.map(|b| b as u32);
    if !legal.write_back.is_empty() {
        require_unique_cells(&dims, &mut facts);
    }
    let tile = Tile {
        id: TileId(0),
        members: members(f, cluster, shape, legal, &windows),
        zero_fill: merge.replicas() > 1 && !shape.active.is_empty(),
        clip_linear: needs_linear_clip(&dims, &shape.active),
        write_back: legal.write_back.clone(),
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
    Ok(Draft {
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
    /// Those of a tile in `strip`s; `align`: as windows want them; `by_transactions`: those that a loop walks along
    /// begin at whole transactions.
    fn of(
        shape: &Footprint<ShapeDim>,
        strip: Option<(LoopId, u32)>,
        cut: &Cut,
        (by_transactions, align): (bool, u32),
    ) -> Rows {
        let walks = by_transactions && has_walked_rows(shape);
        let pad = padding(shape, strip);
        let transaction = (WIDEST / shape.size).max(1);
        let odd = walks && pad > 0;
        Rows {
            unit: shape.size,
            are_whole: strip.is_none(),
            pad: if odd { 0 } else { pad },
            align: if walks { align.max(transaction) } else { align },
            odd,
            in_transactions: strip.is_some() && cut.depth > 1 && cut.wide,
            are_stretched: cut.stretch && is_rows(shape, strip),
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

fn tile_dims(
    f: &Analyses,
    shape: &Footprint<ShapeDim>,
    legal: &Legal,
    strip: Option<(LoopId, u32)>,
    merge: Merge,
) -> Result<Vec<TileDim>, Missed> {
    let mut out = Vec::new();
    for d in &shape.dims {
        let (low, high) = d.ends(legal.members.iter().copied());
        let extent =
            extent::extent(f.affine, d, low, high, strip, merge).ok_or(Missed::UnboundedTile)?;
        out.push(TileDim {
            stride: d.stride.clone(),
            terms: d.terms.clone(),
            low,
            high,
            pitch: Pitch::Const(1),
            extent,
        });
    }
    Ok(out)
}

/// The most cells that are read at once, beyond one.
fn ahead(windows: &[Option<RegisterWindow>]) -> i64 {
    i64::from(width(windows)) - 1
}

/// Cells that rows begin at a multiple of: tiles over which reads slide are read and copied by transactions.
fn row_alignment(windows: &[Option<RegisterWindow>], unit: u32) -> u32 {
    if windows.iter().any(Option::is_some) {
        (WIDEST / unit).max(1)
    } else {
        1
    }
}

fn width(windows: &[Option<RegisterWindow>]) -> u32 {
    windows.iter().flatten().map(|s| s.width).max().unwrap_or(1)
}

fn members(
    f: &Analyses,
    cluster: &Cluster,
    shape: &Footprint<ShapeDim>,
    legal: &Legal,
    windows: &[Option<RegisterWindow>],
) -> Vec<Member> {
    let member = |(i, register_window): (&usize, &Option<RegisterWindow>)| Member {
        access: cluster.accesses[*i],
        offsets: shape.dims.iter().map(|d| d.offsets[*i].0).collect(),
        byte: 0,
        is_store: f.accesses.get(cluster.accesses[*i]).kind == AccessKind::Store,
        register_window: *register_window,
    };
    legal.members.iter().zip(windows).map(member).collect()
}

/// Whether the tile's rows are strips, and there are several.
fn is_rows(shape: &Footprint<ShapeDim>, strip: Option<(LoopId, u32)>) -> bool {
    let inner = shape.dims.last().map_or(&[][..], |d| &d.terms);
    let walked = |(a, _): &(Atom, i64)| strip.is_some_and(|(l, _)| *a == Atom::Iter(l));
    shape.dims.len() > 1 && inner.iter().any(walked)
}

/// Whether a loop walks along rows of the tile cell by cell: unrolled, it reads several of them at once from rows
/// of whole transactions.
fn has_walked_rows(shape: &Footprint<ShapeDim>) -> bool {
    let Some((inner, outer)) = shape.dims.split_last() else {
        return false;
    };
    let is_cell = inner.stride.as_constant() == Some(i64::from(shape.size));
    let walked = matches!(inner.terms[..], [(Atom::Iter(_), 1)]) && is_cell;
    !outer.is_empty() && walked && shape.size < WIDEST
}

/// Whether each thread walks along a row of its own. An odd number of transactions then keeps eight neighbouring rows
/// in different banks, as many as one pass of such reads takes.
pub fn has_own_rows(shape: &Footprint<ShapeDim>) -> bool {
    has_walked_rows(shape) && padding(shape, None) > 0
}

/// Cells of padding after each row of the innermost dimension: none when neighbouring threads
/// read along the row.
fn padding(shape: &Footprint<ShapeDim>, strip: Option<(LoopId, u32)>) -> u32 {
    let Some(inner) = shape.dims.last() else {
        return 0;
    };
    let tid_x = Atom::Tid(Dim::X);
    let along = inner.terms.iter().any(|(a, _)| *a == tid_x);
    let rows = shape.dims[..shape.dims.len() - 1]
        .iter()
        .any(|d| d.terms.iter().any(|(a, _)| matches!(a, Atom::Tid(_))));
    let strip_is_inner = inner
        .terms
        .iter()
        .any(|(a, _)| strip.is_some_and(|(l, _)| *a == Atom::Iter(l)));
    // A row of fields alone is a record, read by its own thread.
    if along || !rows || inner.terms.is_empty() {
        0
    } else if strip_is_inner {
        (16 / shape.size).max(1)
    } else {
        1
    }
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

/// That a written tile does not hold an element twice in its longest strips either. Two threads that store one element
/// race in the original, so rows of threads are left out; what one thread stores twice is ordered there: `y[k] = …; y[k
/// + w] = …`.
pub fn unique_in(
    f: &Analyses,
    shape: &Footprint<ShapeDim>,
    legal: &Legal,
    strip: Option<LoopId>,
    longest: &Cut,
) -> Result<Facts, Missed> {
    let mut facts = Facts::default();
    if legal.write_back.is_empty() {
        return Ok(facts);
    }
    let strip = strip.map(|l| (l, longest.length));
    let dims = tile_dims(f, shape, legal, strip, longest.merge)?;
    let threads =
        |d: &TileDim| !d.terms.is_empty() && d.terms.iter().all(|(a, _)| matches!(a, Atom::Tid(_)));
    for pair in dims.windows(2).filter(|p| !threads(&p[0])) {
        require_unique(pair, &mut facts);
    }
    Ok(facts)
}
