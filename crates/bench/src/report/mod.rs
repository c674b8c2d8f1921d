//! Tables, summary and pictures of a run.

mod chart;
mod roofline;
mod summary;
mod table;

pub use summary::summary;
#[cfg(test)]
pub use table::tests::sample;
pub use table::{line, markdown};

use std::path::Path;

use anyhow::{Context, Result};

use crate::results::Results;

/// Writes `ratios.svg` and `roofline.svg` into `folder`.
pub fn plots(results: &Results, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{} cannot be created", folder.display()))?;
    for (name, svg) in [
        ("ratios.svg", chart::draw(results)?),
        ("roofline.svg", roofline::draw(results)?),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, svg)
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

/// A figure with so many digits, or a dash.
fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".into(), |v| format!("{v:.digits$}"))
}

/// A ratio as `x1.23`, or a dash.
fn times(value: Option<f64>) -> String {
    value.map_or("-".into(), |v| format!("x{v:.2}"))
}
