//! The roofline: what each kernel reaches before and after, under what the chip can do.

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use crate::manifest::{REFERENCE, SUBJECT};
use crate::results::{Limits, Results, Row};

const SIZE: (u32, u32) = (1000, 700);
const BEFORE: RGBColor = RGBColor(0x99, 0x99, 0x99);
const AFTER: RGBColor = RGBColor(0x2a, 0x78, 0xb5);
const ROOF: RGBColor = RGBColor(0x22, 0x22, 0x22);

/// A row's place: operations a byte, then GFLOP/s by clang alone and with the plug-in.
struct Point<'r> {
    kernel: &'r str,
    intensity: f64,
    before: f64,
    after: f64,
}

/// The picture as SVG.
pub fn draw(results: &Results) -> Result<String> {
    let mut points: Vec<Point> = Vec::new();
    for row in results.rows.iter().filter(|r| r.class == "large") {
        // A kernel's other block shapes would lie on top of the first.
        if !points.iter().any(|p| p.kernel == row.kernel) {
            points.extend(point(row));
        }
    }
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        paint(&area, results, &points).map_err(|e| anyhow!("the roofline cannot be drawn: {e}"))?;
        area.present()
            .map_err(|e| anyhow!("the roofline cannot be drawn: {e}"))?;
    }
    Ok(svg)
}

fn point(row: &Row) -> Option<Point<'_>> {
    Some(Point {
        kernel: &row.kernel,
        intensity: row.flops? as f64 / row.bytes? as f64,
        before: row.cell(REFERENCE)?.gflops?,
        after: row.cell(SUBJECT)?.gflops?,
    })
}

/// GFLOP/s that the chip allows at an intensity, under one peak rate.
fn roof(limits: &Limits, peak: f64, intensity: f64) -> f64 {
    (limits.copy * intensity).min(peak)
}

type Drawn = std::result::Result<(), Box<dyn std::error::Error>>;

fn paint(
    area: &DrawingArea<SVGBackend, plotters::coord::Shift>,
    results: &Results,
    points: &[Point],
) -> Drawn {
    let limits = &results.limits;
    let range = |values: &dyn Fn(&Point) -> [f64; 2], from: f64, to: f64| {
        let all = points.iter().flat_map(values);
        all.fold((from, to), |(l, h), v| (l.min(v / 1.5), h.max(v * 1.5)))
    };
    let (x0, x1) = range(&|p| [p.intensity; 2], 0.05, 2000.0);
    let x1 = x1 * 2.0; // room for the last names
    let (y0, y1) = range(
        &|p| [p.before, p.after],
        50.0,
        limits.f32.max(limits.i32).max(100.0) * 1.5,
    );
    area.fill(&WHITE)?;
    let title = format!(
        "{}: large sizes, clang -O3 (grey) and with mesi (blue)",
        results.chip.name
    );
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 17))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d((x0..x1).log_scale(), (y0..y1).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_label_formatter(&|v| format!("{v}"))
        .y_label_formatter(&|v| format!("{v}"))
        .x_desc("operations a byte that must move")
        .y_desc("GFLOP/s")
        .draw()?;
    for (name, peak) in peaks(limits) {
        let knee = (peak / limits.copy).clamp(x0, x1);
        let line = [x0, knee, x1].map(|x| (x, roof(limits, peak, x).max(y0)));
        chart.draw_series(LineSeries::new(line, ROOF.stroke_width(1)))?;
        let label = Text::new(
            format!("{name} {:.1} T/s", peak / 1e3),
            (x1 / 4.0, peak * 1.12),
            ("sans-serif", 12),
        );
        chart.draw_series([label])?;
    }
    for p in points {
        let (before, after) = ((p.intensity, p.before), (p.intensity, p.after));
        chart.draw_series(LineSeries::new([before, after], AFTER.stroke_width(1)))?;
        chart.draw_series([Circle::new(before, 3, BEFORE.filled())])?;
        chart.draw_series([Circle::new(after, 3, AFTER.filled())])?;
    }
    let decades = ((x1 / x0).log10(), (y1 / y0).log10());
    for (p, place) in labels(points, decades) {
        chart.draw_series([Text::new(p.kernel.to_string(), place, ("sans-serif", 10))])?;
    }
    Ok(())
}

/// The measured peaks by rate; types that share one (within 2%) share a line and its label.
fn peaks(limits: &Limits) -> Vec<(String, f64)> {
    let mut lines: Vec<(String, f64)> = Vec::new();
    let all = [
        ("fp32", limits.f32),
        ("fp64", limits.f64),
        ("int32", limits.i32),
    ];
    for (name, peak) in all.into_iter().filter(|p| p.1 > 0.0 && limits.copy > 0.0) {
        match lines.iter_mut().find(|l| (l.1 / peak - 1.0).abs() < 0.02) {
            Some(line) => line.0 = format!("{}, {name}", line.0),
            None => lines.push((name.to_string(), peak)),
        }
    }
    lines
}

/// Where each kernel's name goes: beside its upper point, moved up or down in steps until it covers
/// no earlier name. A name without a free place within reach is left out: the table has them all.
fn labels<'p, 'r>(
    points: &'p [Point<'r>],
    (across, up): (f64, f64),
) -> Vec<(&'p Point<'r>, (f64, f64))> {
    // Of the plot's area, in decades per pixel; a letter of size 10 is about 5.6 wide.
    let (dx, dy) = (across / f64::from(SIZE.0 - 88), up / f64::from(SIZE.1 - 98));
    let mut taken: Vec<[f64; 4]> = Vec::new();
    let mut placed = Vec::new();
    for p in points {
        let (x, y) = (p.intensity.log10() + 5.0 * dx, p.after.log10() + 5.0 * dy);
        let width = 5.6 * p.kernel.len() as f64 * dx;
        let free = [0, -1, 1, -2, 2, -3, 3].into_iter().find_map(|step| {
            let y = y + f64::from(step) * 11.0 * dy;
            let own = [x, x + width, y - 11.0 * dy, y];
            let covers =
                |t: &[f64; 4]| own[0] < t[1] && t[0] < own[1] && own[2] < t[3] && t[2] < own[3];
            (!taken.iter().any(covers)).then_some(own)
        });
        if let Some(own) = free {
            taken.push(own);
            placed.push((p, (10f64.powf(own[0]), 10f64.powf(own[3]))));
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::table::tests::sample;

    #[test]
    fn kernels_with_bytes_and_operations_are_points() {
        let svg = draw(&sample()).unwrap();
        assert!(
            svg.contains("mm") && svg.contains("mv") && svg.contains("fp64"),
            "{svg}"
        );
    }

    #[test]
    fn nothing_measured_is_an_empty_picture() {
        assert!(draw(&Results::default()).unwrap().contains("</svg>"));
    }

    #[test]
    fn names_do_not_cover_each_other() {
        let point = |kernel| Point {
            kernel,
            intensity: 1.0,
            before: 10.0,
            after: 100.0,
        };
        let points = ["a"; 9].map(point);
        let places = labels(&points, (4.0, 3.0));
        assert_eq!(places.len(), 7);
        for (i, a) in places.iter().enumerate() {
            assert!(places[..i].iter().all(|b| a.1.1 != b.1.1), "{i}");
        }
    }

    #[test]
    fn equal_peaks_share_a_line() {
        let limits = Limits {
            copy: 4000.0,
            f32: 65_000.0,
            f64: 33_400.0,
            i32: 33_500.0,
            ..Limits::default()
        };
        let lines = peaks(&limits);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1].0, "fp64, int32");
    }

    #[test]
    fn the_roof_has_a_knee() {
        let limits = Limits {
            copy: 4000.0,
            ..Limits::default()
        };
        assert_eq!(roof(&limits, 50_000.0, 1.0), 4000.0);
        assert_eq!(roof(&limits, 50_000.0, 100.0), 50_000.0);
    }
}
