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
        .x_desc("operations a byte that must move")
        .y_desc("GFLOP/s")
        .draw()?;
    for (name, peak) in [
        ("fp32", limits.f32),
        ("fp64", limits.f64),
        ("int32", limits.i32),
    ] {
        if peak <= 0.0 || limits.copy <= 0.0 {
            continue;
        }
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
        let place = (p.intensity * 1.03, p.after * 1.05);
        chart.draw_series([Text::new(p.kernel.to_string(), place, ("sans-serif", 10))])?;
    }
    Ok(())
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
    fn the_roof_has_a_knee() {
        let limits = Limits {
            copy: 4000.0,
            ..Limits::default()
        };
        assert_eq!(roof(&limits, 50_000.0, 1.0), 4000.0);
        assert_eq!(roof(&limits, 50_000.0, 100.0), 50_000.0);
    }
}
