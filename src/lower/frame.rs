//! Where tiles lie in shared and in global memory while a region is open, and how their members
//! address them.

use super::Lower;
use super::state::{Frame, Instead, OpenRegion, Ranges, ServedBy, TileTerm, View, Window};
use crate::affine::Atom;
use crate::kernel::Dim;
use crate::llvm::ir::{Type, Value};
use crate::map::HashMap;
use crate::plan::{Pitch, Region, Tile, TileDim};
use std::rc::Rc;

/// Bytes that rows of strips in flight are padded to a multiple of, and their lengths are, too.
const WIDEST: u32 = 16;

impl Lower<'_> {
    /// Where the tiles of a region lie, and how they are stepped through.
    pub(crate) fn place_tiles<'p>(&mut self, tiles: &'p [Tile], view: View) -> OpenRegion<'p> {
        let mut ends = HashMap::default();
        let mut frames: Vec<Frame> = Vec::new();
        for tile in tiles {
            // The very same values, so that LLVM sees which cells are the same.
            let under = tile.place.over().map(|k| &frames[k]);
            let under = under.map(|f| (f.first, f.pitches.clone(), f.start.clone()));
            let pitches = match &under {
                Some((_, pitches, _)) => pitches.clone(),
                None => self.pitches(tile, view),
            };
            let cell = self.cell_type(tile.footprint.size);
            let byte = Type::int(self.module(), 8);
            let at = match tile.place.after().filter(|t| *t != tile.id) {
                Some(before) => match self.behind_slots(tiles, tile) {
                    Some(at) => at,
                    None => self.aligned_start(tile, ends[&before]),
                },
                None => self.b.int(i64::from(tile.place.offset())),
            };
            let first = match &under {
                Some((first, ..)) => *first,
                None => self.cell_at(byte, self.from.buffer, at),
            };
            if tile.place.after().is_some() {
                let cells = self.extent(tile, 0, view);
                let bytes = self.b.cells_times(cells, pitches[0]);
                let bytes = self
                    .b
                    .cells_times(bytes, self.b.int(i64::from(tile.footprint.size)));
                let end = self
                    .b
                    .cells_plus(self.b.cells_plus(at, bytes), self.b.int(15));
                ends.insert(tile.id, self.b.and(end, self.b.int(-16)));
            }
            let start = match under {
                Some((.., start)) => start,
                None => self.thread_start(tile, first, cell, &pitches),
            };
            let strides = tile.footprint.dims.iter().map(|d| self.eval(&d.stride));
            let strides: Vec<Value> = strides.collect();
            let origin = self.origin(tile, view, &strides);
            let align = self.global_alignment(tile);
            frames.push(Frame {
                first,
                start,
                cell,
                pitches,
                strides,
                align,
                origin,
                slot: None,
            });
        }
        OpenRegion { tiles, frames }
    }

    /// Where a tile of rows that are read by transactions begins: LLVM looks through few steps for what is aligned.
    fn aligned_start(&self, tile: &Tile, at: Value) -> Value {
        let walked = |d: &TileDim| matches!(d.pitch, Pitch::Runtime { align, .. } if align > 1);
        // Where loops share reads it gained nothing (`conv2d_padded` on an H200: x4.85 with it, x4.90 without).
        if tile.is_reused() || !tile.footprint.dims.iter().any(walked) {
            return at;
        }
        self.b.and(self.b.opaque_number(at), self.b.int(-16))
    }

    /// Where the first store tile lies: behind the slots that the block chose. `None`: it is none, or
    /// there are no such slots.
    fn behind_slots(&self, tiles: &[Tile], tile: &Tile) -> Option<Value> {
        let first = tiles.iter().find(|t| t.has_one_slot())?;
        let mut terms = tile.footprint.dims.iter().flat_map(|d| &d.terms);
        let shape = terms.find_map(|(a, _)| match a {
            Atom::Iter(l) => self.flying(*l),
            _ => None,
        })?;
        let offset = self.b.int(i64::from(tile.place.offset()));
        (first.id == tile.id).then(|| self.b.cells_plus(offset, shape.end))
    }

    fn pitches(&mut self, tile: &Tile, view: View) -> Vec<Value> {
        let mut pitches = vec![self.b.int(1); tile.footprint.dims.len()];
        for g in (0..tile.footprint.dims.len()).rev() {
            pitches[g] = match tile.footprint.dims[g].pitch {
                Pitch::Const(c) => self.b.int(i64::from(c)),
                Pitch::Runtime { pad, align, odd } => {
                    let inner = match pitches.get(g + 1).copied() {
                        Some(p) => {
                            let e = self.extent(tile, g + 1, view);
                            self.b.cells_times(e, p)
                        }
                        None => self.b.int(1),
                    };
                    let pad = self.padding(tile, inner, pad);
                    let more = self.b.cells_plus(pad, self.b.int(i64::from(align) - 1));
                    let cells = self.b.cells_plus(inner, more);
                    let pitch = if align == 1 {
                        cells
                    } else {
                        self.b.and(cells, self.b.int(-i64::from(align)))
                    };
                    let pitch = if odd {
                        self.b.or(pitch, self.b.int(i64::from(align)))
                    } else {
                        pitch
                    };
                    self.aligned_pitch(tile, pitch)
                }
            };
        }
        pitches
    }

    /// Cells after a row of `inner` cells: where strips grow, rows of one transaction have none.
    fn padding(&self, tile: &Tile, inner: Value, pad: u32) -> Value {
        let transaction = i64::from((WIDEST / tile.footprint.size).max(1));
        let mut terms = tile.footprint.dims.iter().flat_map(|d| &d.terms);
        let grows = terms.any(|(a, _)| self.grows(a));
        let pad = self.b.int(i64::from(pad));
        if !grows {
            return pad;
        }
        let one = self.b.at_most(inner, self.b.int(transaction));
        self.b.select(one, self.b.int(0), pad)
    }

    /// Whether an atom counts a loop's iterations whose strips grow where blocks are small. The plan says
    /// so: if all ways have one length, it is a constant like any other.
    fn grows(&self, a: &Atom) -> bool {
        let Atom::Iter(l) = a else { return false };
        let here = |r: &Region| r.stretch.is_some() && r.strip.is_some_and(|s| s.loop_ == *l);
        self.flying(*l).is_some() && self.from.plan.regions.iter().any(here)
    }

    /// A run-time pitch, said to be whole transactions where the plan knows that it is. LLVM could work
    /// that out, but gives up some steps short of the address; it then reads rows cell by cell.
    fn aligned_pitch(&self, tile: &Tile, pitch: Value) -> Value {
        // Store tiles' rows are padded as those that are copied in transactions.
        let stretched = |(a, _): &(Atom, i64)| self.grows(a);
        let mut terms = tile.footprint.dims.iter().flat_map(|d| &d.terms);
        let stores = tile.footprint.active.is_empty()
            && tile.footprint.size < WIDEST
            && terms.any(stretched);
        let widest = if stores {
            Some(&WIDEST)
        } else {
            tile.widths.iter().max()
        };
        let cells = widest.map_or(1, |w| w / tile.footprint.size);
        if cells == 1 || pitch.const_int().is_some() {
            return pitch;
        }
        let b = &self.b;
        b.and(b.opaque_number(pitch), b.int(-i64::from(cells)))
    }

    /// The first cell of this thread, for each replica: the terms in thread indices.
    fn thread_start(
        &mut self,
        tile: &Tile,
        first: Value,
        cell: Type,
        pitches: &[Value],
    ) -> Vec<Value> {
        let along = |d: Dim| {
            let mut terms = tile.footprint.dims.iter().flat_map(|t| &t.terms);
            terms.any(|(a, _)| *a == Atom::Tid(d))
        };
        let mask = Dim::ALL
            .iter()
            .fold(0, |m, d| m | u8::from(along(*d)) << d.index());
        let mut starts: Vec<Value> = Vec::new();
        for replica in 0..self.replicas.count() {
            let same = self.replicas.representative(replica, mask);
            self.replica = replica;
            let start = match starts.get(same) {
                Some(known) => *known,
                None => self.replica_start(tile, first, cell, pitches),
            };
            starts.push(start);
        }
        self.replica = 0;
        starts
    }

    fn replica_start(&mut self, tile: &Tile, first: Value, cell: Type, pitches: &[Value]) -> Value {
        let mut cells = self.b.int(0);
        let mut constant = self.b.int(0);
        for (d, pitch) in tile.footprint.dims.iter().zip(pitches) {
            for &(atom, m) in &d.terms {
                let Atom::Tid(dim) = atom else { continue };
                let (steps, more) = self.thread_steps(dim, m);
                let k = self.b.int(m.saturating_abs());
                let scaled = |n: Value| self.b.cells_times(self.b.cells_times(n, k), *pitch);
                cells = self.b.cells_plus(cells, scaled(steps));
                constant = self.b.cells_plus(constant, scaled(more));
            }
        }
        let at = self.cell_at(cell, first, cells);
        self.cell_at(cell, at, constant)
    }

    /// Steps of the replica's index in `d` from the one with the least coordinate, and what is to be
    /// added to them apart, because it may be a constant.
    fn thread_steps(&mut self, d: Dim, multiplier: i64) -> (Value, Value) {
        let (t, more) = self.replica_index(d);
        if multiplier > 0 {
            return (t, more);
        }
        // As far as the last replica, there or not: tiles have room for all.
        let replicas = i64::from(self.replicas.merge.along(d));
        let n = self.register32("ntid", d);
        let n = self.hoist.cells_times(n, self.hoist.int(replicas));
        let from_last = self.b.minus(self.b.minus(n, self.b.int(1)), t);
        (self.b.minus(from_last, more), self.b.int(0))
    }

    /// The global address of cell 0.
    pub(crate) fn origin(&mut self, tile: &Tile, view: View, strides: &[Value]) -> Value {
        let mut offset = self.eval(&tile.footprint.rest);
        for (d, stride) in tile.footprint.dims.iter().zip(strides) {
            let first = self.first_coordinate(view, &d.terms);
            let first = self.b.plus(first, self.b.long(d.low));
            offset = self.b.plus(offset, self.b.times(first, *stride));
        }
        let base = self.at_entry(tile.footprint.base);
        if offset.const_int() == Some(0) {
            base
        } else {
            self.b.byte_offset(base, offset)
        }
    }

    /// Bytes in memory, and cells in the tile, from the first cell to the one at `at`.
    pub(crate) fn distance(&self, frame: &Frame, at: &[Value]) -> (Value, Value) {
        let b = &self.b;
        let (mut offset, mut cell) = (b.long(0), b.int(0));
        for (g, c) in at.iter().enumerate() {
            let wide = b.zext_nneg(*c, b.i64());
            offset = b.plus(offset, b.times(wide, frame.strides[g]));
            cell = b.cells_plus(cell, b.cells_times(*c, frame.pitches[g]));
        }
        (offset, cell)
    }

    /// What the members' own alignments promise of every cell's address: what the least does, as any other may stand
    /// behind a branch that is not taken.
    fn global_alignment(&self, tile: &Tile) -> u32 {
        let promised = tile.members.iter().map(|m| {
            let a = self.from.accesses.get(m.access).align;
            if m.byte == 0 {
                a
            } else {
                a.min(1 << m.byte.trailing_zeros())
            }
        });
        promised.min().unwrap_or(1).clamp(1, tile.footprint.size)
    }

    /// Serves the tiles' members from now on.
    pub(crate) fn open(&mut self, region: &OpenRegion, view: View) {
        for (tile, frame) in region.each() {
            let window = Rc::new(self.window(tile, frame, view));
            for m in &tile.members {
                let offsets = m
                    .offsets
                    .iter()
                    .zip(&tile.footprint.dims)
                    .map(|(o, d)| o - d.low)
                    .collect();
                let i = self.from.instruction(m.access);
                let served = ServedBy {
                    window: window.clone(),
                    offsets,
                    byte: m.byte,
                };
                self.instead.insert(i, Instead::Tile(served));
            }
        }
    }

    pub(crate) fn close(&mut self, region: &OpenRegion) {
        for m in region.tiles.iter().flat_map(|t| &t.members) {
            self.instead.remove(&self.from.instruction(m.access));
        }
    }

    /// A thread's first cells, for each replica. Where replicas' lie apart, those of the short strip are others than
    /// LLVM knows: it would count each of them on by itself, and keep where it begins in registers through all strips.
    fn starts(&self, frame: &Frame, view: View) -> Vec<Value> {
        let is_short =
            matches!(view, View::Region { strip: Some(s), .. } if s.span.const_int().is_none());
        let hide = is_short && self.from.plan.replicas_are_disjoint();
        let Some(slot) = frame.slot.filter(|_| hide) else {
            return frame.start.clone();
        };
        let mut known: HashMap<Value, Value> = HashMap::default();
        let hidden =
            |s: &Value| *(known.entry(*s)).or_insert_with(|| self.b.opaque_per_iteration(*s, slot));
        frame.start.iter().map(hidden).collect()
    }

    fn window(&mut self, tile: &Tile, frame: &Frame, view: View) -> Window {
        let mut parts = Vec::new();
        for (dim, d) in tile.footprint.dims.iter().enumerate() {
            for &(atom, multiplier) in &d.terms {
                if matches!(atom, Atom::Tid(_)) {
                    continue;
                }
                let range = self.range(&Ranges::of(view), atom);
                let in_strip = matches!(view, View::Region { strip: Some(s), .. }
                    if atom == Atom::Iter(s.loop_));
                parts.push(TileTerm {
                    atom,
                    multiplier,
                    dim,
                    range,
                    in_strip,
                });
            }
        }
        let byte = Type::int(self.module(), 8);
        let start = self.starts(frame, view);
        let moved = |s: Value| match frame.slot {
            Some(slot) => self.cell_at(byte, s, slot),
            None => s,
        };
        let start = start.into_iter().map(moved).collect();
        Window {
            unit: tile.footprint.size,
            cell: frame.cell,
            start,
            pitches: frame.pitches.clone(),
            parts,
        }
    }
}
