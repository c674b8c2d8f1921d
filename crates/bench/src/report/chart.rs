//! The ratio chart: a bar for each kernel and block shape at its large size, the peers as marks.

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::manifest::SUBJECT;
use crate::measure::LIBRARY;
use crate::results::{Results, Row, SLOWER};

const WIDTH: i32 = 1000;
const LINE: i32 = 18;
const LEFT: i32 = 330;
const RIGHT: i32 = WIDTH - 70;
const TOP: i32 = 78;
const BOTTOM: i32 = 34;

const GAIN: RGBColor = RGBColor(0x2a, 0x78, 0xb5);
const LOSS: RGBColor = RGBColor(0xc8, 0x3c, 0x32);
const GRID: RGBColor = RGBColor(0xd8, 0xd8, 0xd8);
const TEXT: RGBColor = RGBColor(0x22, 0x22, 0x22);
/// Variants shown as marks.
const PEERS: [(&str, RGBColor); 3] = [
    ("nvcc", RGBColor(0x76, 0xb9, 0x00)),
    ("hand", RGBColor(0xe0, 0x8a, 0x1e)),
    (LIBRARY, RGBColor(0x6b, 0x3f, 0xa0)),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The chart as SVG.
pub fn draw(results: &Results) -> Result<String> {
    let large = results
        .rows
        .iter()
        .filter(|r| r.class == "large" && r.gain().is_some());
    let (shown, same): (Vec<&Row>, Vec<&Row>) = large.partition(|r| is_interesting(r));
    let height = TOP + BOTTOM + LINE * shown.len().max(1) as i32;
    let mut svg = String::new();
    {
        let area =
            SVGBackend::with_string(&mut svg, (WIDTH as u32, height as u32)).into_drawing_area();
        let scale = Scale::new(&shown);
        paint(&area, results, &shown, same.len(), &scale, height)
            .map_err(|e| anyhow!("the chart cannot be drawn: {e}"))?;
        area.present()
            .map_err(|e| anyhow!("the chart cannot be drawn: {e}"))?;
    }
    Ok(svg)
}

/// Rows whose code the plug-in left as it was and that have no peer by hand are only counted.
fn is_interesting(row: &Row) -> bool {
    let changed = row.cell(SUBJECT).is_some_and(|c| c.same_as.is_none());
    let peer = |v: &str| row.cell(v).is_some_and(|c| c.ratio.is_some());
    changed || peer("hand") || peer(LIBRARY)
}

/// Gains on a logarithmic axis.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn new(rows: &[&Row]) -> Scale {
        let gains = rows.iter().flat_map(|r| &r.cells).filter_map(|c| c.ratio);
        let (low, high) = gains.fold((0.8f64, 2.0f64), |(l, h), g| (l.min(g), h.max(g)));
        Scale {
            low: low / 1.1,
            high: high * 1.1,
        }
    }

    fn x(&self, gain: f64) -> i32 {
        let share = (gain.clamp(self.low, self.high) / self.low).ln() / (self.high / self.low).ln();
        LEFT + (share * f64::from(RIGHT - LEFT)).round() as i32
    }

    fn ticks(&self) -> Vec<f64> {
        let all = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];
        all.into_iter()
            .filter(|t| (self.low..=self.high).contains(t))
            .collect()
    }
}

type Drawn = std::result::Result<(), Box<dyn std::error::Error>>;

fn paint(
    area: &Area,
    results: &Results,
    rows: &[&Row],
    same: usize,
    scale: &Scale,
    height: i32,
) -> Drawn {
    area.fill(&WHITE)?;
    let title = format!(
        "{}: gain over clang -O3, large sizes, same launch, same bits",
        results.chip.name
    );
    write(area, title, (20, 14), 17)?;
    let note = format!(
        "commit {}, driver {}; {same} more rows are the same code as clang's",
        results.versions.commit, results.chip.driver
    );
    write(area, note, (20, 36), 12)?;
    legend(area)?;
    for tick in scale.ticks() {
        let (x, strong) = (scale.x(tick), tick == 1.0);
        let style = if strong {
            TEXT.stroke_width(1)
        } else {
            GRID.stroke_width(1)
        };
        area.draw(&PathElement::new(
            vec![(x, TOP - 4), (x, height - BOTTOM)],
            style,
        ))?;
        write(area, format!("x{tick}"), (x - 8, height - BOTTOM + 8), 12)?;
    }
    for (i, row) in rows.iter().enumerate() {
        bar(area, row, TOP + LINE * i as i32, scale)?;
    }
    Ok(())
}

fn legend(area: &Area) -> Drawn {
    let mut x = LEFT;
    area.draw(&Rectangle::new([(x, 58), (x + 14, 68)], GAIN.filled()))?;
    write(area, SUBJECT.into(), (x + 20, 57), 12)?;
    for (name, colour) in PEERS {
        x += 90;
        area.draw(&Circle::new((x, 63), 4, colour.filled()))?;
        write(area, name.into(), (x + 9, 57), 12)?;
    }
    Ok(())
}

fn bar(area: &Area, row: &Row, y: i32, scale: &Scale) -> Drawn {
    write(
        area,
        format!("{}  {}", row.kernel, row.label),
        (20, y + 2),
        12,
    )?;
    let gain = row.gain().unwrap_or(1.0);
    let (from, to) = (
        scale.x(1.0).min(scale.x(gain)),
        scale.x(1.0).max(scale.x(gain)),
    );
    let colour = if gain < SLOWER { LOSS } else { GAIN };
    area.draw(&Rectangle::new(
        [(from, y + 3), (to.max(from + 1), y + LINE - 3)],
        colour.filled(),
    ))?;
    let mut end = to;
    for (name, colour) in PEERS {
        if let Some(ratio) = row.cell(name).and_then(|c| c.ratio) {
            let x = scale.x(ratio);
            area.draw(&Circle::new((x, y + LINE / 2), 4, colour.filled()))?;
            end = end.max(x);
        }
    }
    write(area, format!("x{gain:.2}"), (end + 8, y + 2), 12)
}

fn write(area: &Area, text: String, at: (i32, i32), size: u32) -> Drawn {
    let style = ("sans-serif", size).into_font().color(&TEXT);
    area.draw(&Text::new(text, at, style))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::table::tests::sample;

    #[test]
    fn every_changed_row_has_its_bar() {
        let svg = draw(&sample()).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("x8.00") && svg.contains("x2.00"), "{svg}");
        assert!(!svg.contains("n=32"), "small grids are not in this chart");
    }

    #[test]
    fn nothing_measured_is_an_empty_chart() {
        assert!(draw(&Results::default()).unwrap().contains("</svg>"));
    }

    #[test]
    fn the_axis_is_logarithmic() {
        let scale = Scale {
            low: 1.0,
            high: 16.0,
        };
        assert_eq!((scale.x(1.0), scale.x(16.0)), (LEFT, RIGHT));
        assert_eq!(scale.x(4.0), (LEFT + RIGHT) / 2);
        assert_eq!(scale.ticks(), [1.0, 2.0, 4.0, 8.0, 16.0]);
    }
}
