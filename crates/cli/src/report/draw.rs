//! Draws what a block touches of an array: before, from memory by each thread, and after, as a tile in shared memory.
//!
//! ```text
//! tile's dimensions, block ─► Axis (rows), Axis (columns) ─► two SVG pictures and the numbers of their caption
//! ```
//! Colours are names: `style.css` gives each of them one value in light and one in dark surroundings.

use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::plan::{self, Dim, Tile};

/// What stands for a loop's length where only a run knows it.
const TRIPS: i64 = 9;
/// Pixels.
const WIDTH: i32 = 320;
const EDGE: i32 = 8;
const LEGEND: i32 = 42;
/// Threads of a warp.
const WARP: u32 = 32;

pub(super) const PLANE: RGBColor = RGBColor(0xE6, 0xE9, 0xEE);
pub(super) const LINE: RGBColor = RGBColor(0xC3, 0xC9, 0xD2);
pub(super) const BLOCK: RGBColor = RGBColor(0x4C, 0x8D, 0xD9);
pub(super) const TILE: RGBColor = RGBColor(0x2F, 0xA3, 0x6B);
const NEXT: RGBColor = RGBColor(0xA9, 0xDC, 0xC1);
const HALO: RGBColor = RGBColor(0xE3, 0xA0, 0x2B);
const TOUCHED: RGBColor = RGBColor(0xB5, 0x30, 0x4A);
pub(super) const INK: RGBColor = RGBColor(0x22, 0x26, 0x2D);

/// Both pictures, and what they show in numbers.
pub struct Drawing {
    /// SVG.
    pub before: String,
    /// SVG.
    pub after: String,
    /// Elements of the tile, rows and columns, and layers beyond.
    pub extents: Vec<i64>,
    /// How often each element is read from memory before, at least.
    pub times: f64,
    /// Whether a length was supposed.
    pub supposed: bool,
    /// Elements around what threads stand for.
    pub halo: bool,
    /// Strips, and those in flight.
    pub strip: Option<(u32, u32)>,
}

/// What a dimension of a tile looks like.
#[derive(Debug, Clone, PartialEq)]
struct Axis {
    /// Elements.
    extent: i64,
    /// Of these, what the merged blocks' threads stand for.
    core: i64,
    /// Of these, what one block's threads stand for.
    one: i64,
    /// Elements in front of the first thread's.
    low: i64,
    /// Whether it runs along a loop alone.
    is_loop: bool,
    /// Elements that are drawn, and where the tile begins among them.
    plane: i64,
    start: i64,
    terms: String,
}

/// Draws a tile of a version that merges blocks, for launches of this block.
pub fn tile(tile: &Tile, merge: [u32; 3], block: [u32; 3]) -> Result<Drawing> {
    let axes: Vec<Axis> = tile
        .dims
        .iter()
        .map(|d| axis(d, tile, merge, block))
        .collect();
    let cols = axes.last().cloned().unwrap_or_else(Axis::point);
    let rows = match axes.len() {
        0 | 1 => Axis::point(),
        n => axes[n - 2].clone(),
    };
    let supposed = |d: &Dim| d.extent.contains("trip(");
    let scene = Scene {
        tile,
        rows,
        cols,
        block,
    };
    Ok(Drawing {
        before: scene.picture(Scene::before)?,
        after: scene.picture(Scene::after)?,
        extents: axes.iter().map(|a| a.extent).collect(),
        times: times(tile, &axes, merge, block),
        supposed: tile.dims.iter().any(supposed),
        halo: axes.iter().any(|a| a.extent > a.core),
        strip: tile.strip,
    })
}

/// How often an element is read, where each access runs in the loops that its index has, and in that of the strips.
fn times(tile: &Tile, axes: &[Axis], merge: [u32; 3], block: [u32; 3]) -> f64 {
    let product = |n: [u32; 3]| n.iter().map(|n| f64::from(*n)).product::<f64>();
    let mut reads = product(merge) * product(block) * f64::from(tile.accesses.max(1));
    let mut loops: Vec<&str> = Vec::new();
    for dim in &tile.dims {
        loops.extend(dim.terms.split(" + ").filter(|t| t.contains("iter(")));
    }
    loops.sort_unstable();
    loops.dedup();
    match tile.strip {
        Some((length, _)) => {
            let others = loops.len().saturating_sub(1);
            reads *= f64::from(length) * (TRIPS as f64).powi(others as i32);
        }
        None => reads *= (TRIPS as f64).powi(loops.len() as i32),
    }
    let cells: i64 = axes.iter().map(|a| a.extent).product();
    reads / cells.max(1) as f64
}

fn axis(dim: &Dim, tile: &Tile, merge: [u32; 3], block: [u32; 3]) -> Axis {
    const LONGEST: i64 = 1 << 16;
    let of = |name: &str| match name {
        "ntid.x" => i64::from(block[0]),
        "ntid.y" => i64::from(block[1]),
        "ntid.z" => i64::from(block[2]),
        other if other.starts_with("trip(") => TRIPS,
        _ => 1,
    };
    let value = |sum: &str| plan::value(sum, &of).unwrap_or(1).clamp(1, LONGEST);
    let extent = value(&dim.extent);
    let threads: Vec<&str> = dim
        .extent
        .split(" + ")
        .filter(|t| t.contains("ntid."))
        .collect();
    let letter = "xyz"
        .chars()
        .position(|c| dim.terms.contains(&format!("tid.{c}")));
    let is_loop = letter.is_none() && dim.terms.contains("iter(");
    let core = match threads.is_empty() {
        true if letter.is_none() => extent,
        true => (extent - (dim.high - dim.low)).max(1),
        false => value(&threads.join(" + ")).min(extent),
    };
    let factor = letter.map_or(1, |l| i64::from(merge[l]));
    let (plane, start) = match (is_loop, tile.strip) {
        (true, Some((length, _))) => {
            let length = i64::from(length).max(extent);
            (5 * length, length)
        }
        (true, None) => (extent, 0),
        _ => (2 * core + extent - core, core / 2),
    };
    Axis {
        extent,
        core,
        one: (core / factor).max(1),
        low: (-dim.low).clamp(0, extent - core),
        is_loop,
        plane: plane.max(extent),
        start,
        terms: dim.terms.clone(),
    }
}

impl Axis {
    /// Of an array of one dimension the other one.
    fn point() -> Self {
        Self {
            extent: 1,
            core: 1,
            one: 1,
            low: 0,
            is_loop: false,
            plane: 1,
            start: 0,
            terms: String::new(),
        }
    }

    /// Where a thread's element is, from the tile's first.
    fn of_thread(&self, thread: [u32; 3]) -> i64 {
        let term = |t: &str| {
            let (factor, index) = t.split_once('*').unwrap_or(("1", t));
            let at = "xyz".chars().position(|c| index == format!("tid.{c}"))?;
            Some(factor.parse::<i64>().ok()? * i64::from(thread[at]))
        };
        let sum: i64 = self.terms.split(" + ").filter_map(term).sum();
        (self.low + sum).clamp(0, self.extent - 1)
    }
}

/// What is drawn, and at what scale.
struct Scene<'s> {
    tile: &'s Tile,
    rows: Axis,
    cols: Axis,
    block: [u32; 3],
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

impl Scene<'_> {
    fn height(&self) -> i32 {
        if self.rows.plane == 1 {
            return 44;
        }
        let natural = f64::from(WIDTH - 2 * EDGE) * self.rows.plane as f64 / self.cols.plane as f64;
        (natural as i32).clamp(96, 190)
    }

    fn picture(&self, paint: fn(&Self, &Area) -> Result<()>) -> Result<String> {
        let mut svg = String::new();
        {
            let size = (WIDTH as u32, (self.height() + 2 * EDGE + LEGEND) as u32);
            let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            let all = [0, self.rows.plane, 0, self.cols.plane];
            self.fill(&area, all, PLANE.filled())?;
            paint(self, &area)?;
            self.outline(&area, all, LINE)?;
            self.legend(&area)?;
            area.present()?;
        }
        Ok(svg)
    }

    /// Rows `at[0]..at[1]` and columns `at[2]..at[3]` in pixels.
    fn pixels(&self, at: [i64; 4]) -> [(i32, i32); 2] {
        let x = |c: i64| {
            EDGE + (f64::from(WIDTH - 2 * EDGE) * c as f64 / self.cols.plane as f64).round() as i32
        };
        let y = |r: i64| {
            EDGE + (f64::from(self.height()) * r as f64 / self.rows.plane as f64).round() as i32
        };
        // What is thinner than two pixels would not be seen.
        let (x0, y0, x1, y1) = (x(at[2]), y(at[0]), x(at[3]), y(at[1]));
        [(x0, y0), (x1.max(x0 + 2), y1.max(y0 + 2))]
    }

    fn fill(&self, area: &Area, at: [i64; 4], style: ShapeStyle) -> Result<()> {
        area.draw(&Rectangle::new(self.pixels(at), style))?;
        Ok(())
    }

    fn outline(&self, area: &Area, at: [i64; 4], colour: RGBColor) -> Result<()> {
        self.fill(area, at, colour.stroke_width(1))
    }

    /// The footprint of one block of the program, read by its threads.
    fn before(&self, area: &Area) -> Result<()> {
        self.blocks(area)?;
        let part = |a: &Axis| match (a.is_loop, self.tile.strip) {
            (true, Some(_)) => [0, a.plane],
            (true, None) => [a.start, a.start + a.extent],
            _ => [a.start, a.start + a.one + a.extent - a.core],
        };
        let ([r0, r1], [c0, c1]) = (part(&self.rows), part(&self.cols));
        self.halo(
            area,
            [r0, r1, c0, c1],
            BLOCK,
            [self.rows.one, self.cols.one],
        )?;
        self.warp(area, |thread| {
            let of = |a: &Axis| a.start + a.of_thread(thread);
            (of(&self.rows), of(&self.cols))
        })
    }

    /// The tile, and the strips after it.
    fn after(&self, area: &Area) -> Result<()> {
        self.blocks(area)?;
        let part = |a: &Axis| [a.start, a.start + a.extent];
        let ([r0, r1], [c0, c1]) = (part(&self.rows), part(&self.cols));
        if let Some((length, depth)) = self.tile.strip {
            for ahead in 1..i64::from(depth) {
                let step = i64::from(length) * ahead;
                let by = |a: &Axis| if a.is_loop { step } else { 0 };
                let (r, c) = (by(&self.rows), by(&self.cols));
                let to = [r0 + r, r1 + r, c0 + c, c1 + c];
                self.fill(area, to, NEXT.filled())?;
            }
        }
        self.halo(
            area,
            [r0, r1, c0, c1],
            TILE,
            [self.rows.core, self.cols.core],
        )?;
        self.strips(area)?;
        // A warp copies along memory.
        let (width, mut at) = (self.cols.extent, 0);
        self.warp(area, |_| {
            at += 1;
            (r0 + (at - 1) / width, c0 + (at - 1) % width)
        })
    }

    /// A rectangle whose edges are halo beyond the core.
    fn halo(&self, area: &Area, at: [i64; 4], colour: RGBColor, core: [i64; 2]) -> Result<()> {
        let inner = |a: &Axis, from: i64, to: i64, core: i64| {
            if a.is_loop || a.extent == a.core {
                return [from, to];
            }
            [from + a.low, (from + a.low + core).min(to)]
        };
        let [r0, r1] = inner(&self.rows, at[0], at[1], core[0]);
        let [c0, c1] = inner(&self.cols, at[2], at[3], core[1]);
        if [r0, r1, c0, c1] != at {
            self.fill(area, at, HALO.filled())?;
            self.outline(area, at, HALO)?;
        }
        self.fill(area, [r0, r1, c0, c1], colour.filled())?;
        self.outline(area, at, INK)
    }

    /// Where the program's blocks begin.
    fn blocks(&self, area: &Area) -> Result<()> {
        const MOST: i64 = 40;
        let (rows, cols) = (&self.rows, &self.cols);
        let begins = |a: &Axis| {
            let first = (a.start + a.low) % a.one;
            let all = (0..)
                .map(move |i| first + i * a.one)
                .take_while(|at| *at < a.plane);
            let drawn = !a.is_loop && a.one > 1 && a.plane / a.one <= MOST;
            all.filter(|_| drawn).collect::<Vec<i64>>()
        };
        let line = |from: [i64; 2], to: [i64; 2]| {
            let ends = [from, to].map(|[r, c]| self.pixels([r, r, c, c])[0]);
            area.draw(&PathElement::new(ends.to_vec(), LINE))
        };
        for r in begins(rows) {
            line([r, 0], [r, cols.plane])?;
        }
        for c in begins(cols) {
            line([0, c], [rows.plane, c])?;
        }
        Ok(())
    }

    /// Where strips begin, within the tile's rows or columns.
    fn strips(&self, area: &Area) -> Result<()> {
        if self.tile.strip.is_none() {
            return Ok(());
        }
        let (rows, cols) = (&self.rows, &self.cols);
        for i in 0..5 {
            if cols.is_loop {
                let from = i * cols.extent;
                self.outline(
                    area,
                    [
                        rows.start,
                        rows.start + rows.extent,
                        from,
                        from + cols.extent,
                    ],
                    INK,
                )?;
            } else if rows.is_loop {
                let from = i * rows.extent;
                self.outline(
                    area,
                    [
                        from,
                        from + rows.extent,
                        cols.start,
                        cols.start + cols.extent,
                    ],
                    INK,
                )?;
            }
        }
        Ok(())
    }

    /// The elements that the first warp touches at a time.
    fn warp(&self, area: &Area, mut of: impl FnMut([u32; 3]) -> (i64, i64)) -> Result<()> {
        let [x, y, z] = self.block.map(|n| n.max(1));
        for thread in 0..WARP.min(x * y * z) {
            let ids = [thread % x, thread / x % y, thread / (x * y)];
            let (r, c) = of(ids);
            let [from, to] = self.pixels([r, r + 1, c, c + 1]);
            let to = (to.0.max(from.0 + 4), to.1.max(from.1 + 4));
            area.draw(&Rectangle::new([from, to], TOUCHED.filled()))?;
        }
        Ok(())
    }

    /// What rows and columns run along.
    fn legend(&self, area: &Area) -> Result<()> {
        let style = ("sans-serif", 17).into_font().color(&INK);
        let style = style.pos(Pos::new(HPos::Left, VPos::Center));
        let words = |a: &Axis| match a.terms.as_str() {
            "" | "0" => "memory".to_string(),
            terms => plan::in_words(terms),
        };
        let mut lines = vec![format!("→ {}", words(&self.cols))];
        if self.rows.plane > 1 {
            lines.push(format!("↓ {}", words(&self.rows)));
        }
        let top = self.height() + 2 * EDGE + 8;
        for (at, text) in (0..).zip(lines) {
            area.draw(&Text::new(text, (EDGE, top + 18 * at), style.clone()))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dim(terms: &str, low: i64, high: i64, extent: &str) -> Dim {
        Dim {
            terms: terms.into(),
            low,
            high,
            extent: extent.into(),
        }
    }

    #[test]
    fn an_axis_knows_block_and_halo() {
        let tile = Tile::default();
        let a = axis(
            &dim("tid.x", -1, 1, "4*ntid.x + 2"),
            &tile,
            [4, 1, 1],
            [32, 8, 1],
        );
        assert_eq!((a.extent, a.core, a.one, a.low), (130, 128, 32, 1));
        assert_eq!(a.of_thread([5, 0, 0]), 6);
        let a = axis(
            &dim("tid.y + iter(loop0)", 0, 0, "ntid.y + trip(loop0) - 1"),
            &tile,
            [1; 3],
            [32, 8, 1],
        );
        assert_eq!((a.extent, a.core, a.low), (16, 8, 0));
        let strip = Tile {
            strip: Some((16, 2)),
            ..Tile::default()
        };
        let a = axis(
            &dim("iter(loop0)", 0, 0, "16"),
            &strip,
            [4, 4, 1],
            [32, 8, 1],
        );
        assert!(a.is_loop);
        assert_eq!((a.extent, a.one, a.plane, a.start), (16, 16, 80, 16));
    }

    #[test]
    fn a_tile_of_a_product_is_read_as_often_as_there_are_columns() {
        let a = Tile {
            strip: Some((16, 2)),
            accesses: 1,
            dims: vec![
                dim("tid.y", 0, 0, "4*ntid.y"),
                dim("iter(loop0)", 0, 0, "16"),
            ],
            ..Tile::default()
        };
        let drawing = tile(&a, [4, 4, 1], [16, 16, 1]).unwrap();
        assert_eq!(drawing.times, 64.0);
        assert_eq!(drawing.extents, [64, 16]);
        assert!(!drawing.halo && !drawing.supposed);
        assert!(drawing.before.starts_with("<svg") && drawing.after.contains("#2FA36B"));
    }

    #[test]
    fn odd_plans_are_drawn_without_a_fault() {
        for extent in ["0", "ntid.w", "", "9223372036854775807*9", "-5"] {
            let odd = Tile {
                dims: vec![dim("", 3, -3, extent), dim("tid.z", 0, 0, extent)],
                ..Tile::default()
            };
            tile(&odd, [1, 1, 1], [1, 1, 1]).unwrap();
        }
        tile(&Tile::default(), [1; 3], [1024, 1, 1]).unwrap();
    }
}
