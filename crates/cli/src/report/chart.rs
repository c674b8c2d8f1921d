//! A chart of measured and predicted gains, one row for each kind of launches.

use anyhow::Result;
use plotters::prelude::*;

use super::draw::{BLOCK, INK, LINE, TILE};
use super::join::Measured;

const WIDTH: u32 = 320;

/// SVG; `None` where nothing was measured. Rows are numbered as in the table of kinds.
pub fn gains(classes: &[Measured]) -> Result<Option<String>> {
    let of = |c: &Measured| [c.class.gain, c.class.low, c.class.high, c.predicted];
    if !classes.iter().any(|c| c.class.gain.is_some()) {
        return Ok(None);
    }
    let all = || {
        classes
            .iter()
            .flat_map(of)
            .flatten()
            .filter(|g| g.is_finite())
    };
    let (low, high) = (all().fold(0.9, f64::min), all().fold(1.1, f64::max));
    let rows = classes.len() as f64;
    let mut svg = String::new();
    {
        let size = (WIDTH, 60 + 26 * classes.len() as u32);
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin_right(16)
            .margin_top(4)
            .x_label_area_size(48)
            .y_label_area_size(24)
            .build_cartesian_2d(low * 0.95..high * 1.05, rows..0.0)?;
        let text = ("sans-serif", 17).into_font().color(&INK);
        chart
            .configure_mesh()
            .disable_y_mesh()
            .bold_line_style(LINE)
            .light_line_style(LINE.mix(0.0))
            .axis_style(LINE)
            .label_style(text)
            .x_labels(5)
            .x_label_formatter(&|x| format!("x{x:.1}"))
            .x_desc("times as fast as the kernel as it is")
            .y_labels(0)
            .draw()?;
        chart.draw_series(std::iter::once(PathElement::new(
            vec![(1.0, 0.0), (1.0, rows)],
            INK,
        )))?;
        for (row, class) in classes.iter().enumerate() {
            let y = row as f64 + 0.5;
            if let [Some(gain), Some(from), Some(to), _] = of(class) {
                chart.draw_series([PathElement::new(
                    vec![(from, y), (to, y)],
                    TILE.stroke_width(3),
                )])?;
                chart.draw_series([Circle::new((gain, y), 5, TILE.filled())])?;
            }
            if let Some(predicted) = class.predicted {
                chart.draw_series([TriangleMarker::new((predicted, y), 6, BLOCK.filled())])?;
            }
            let style = ("sans-serif", 17).into_font().color(&INK);
            let (_, height) = chart.backend_coord(&(1.0, y));
            area.draw(&Text::new(format!("{}", row + 1), (8, height - 8), style))?;
        }
        area.present()?;
    }
    Ok(Some(svg))
}
