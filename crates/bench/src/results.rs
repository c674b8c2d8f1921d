//! What a run found: plain data, kept as JSON, from which every table and picture is made.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::driver::Chip;
use crate::manifest::{REFERENCE, SUBJECT, Versions};

/// Raised when old files can no longer be read.
pub const FORMAT: u32 = 1;
/// A ratio below this counts as slower.
pub const SLOWER: f64 = 0.97;

/// One run of a bundle.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Results {
    /// [`FORMAT`].
    pub format: u32,
    /// The GPU.
    pub chip: Chip,
    /// What the bundle was made of.
    pub versions: Versions,
    /// When it started, in seconds since 1970.
    pub unix_time: u64,
    /// How long it took.
    pub seconds: f64,
    /// Fewer rows and samples than a whole run.
    pub quick: bool,
    /// What the chip can do.
    pub limits: Limits,
    /// cuBLAS's version, or why there is none.
    pub blas: String,
    /// In the order they ran.
    pub rows: Vec<Row>,
}

/// Rates measured in the same run; 0 where they were not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// DRAM, read and written, GB/s.
    pub copy: f64,
    /// The same within the L2 cache.
    pub l2: f64,
    /// Single-precision multiply-adds, GFLOP/s, each counting two.
    pub f32: f64,
    /// Double-precision ones.
    pub f64: f64,
    /// 32-bit integer ones.
    pub i32: f64,
    /// Microseconds from one empty launch to the next.
    pub launch: f64,
    /// The same between recorded launches.
    #[serde(default)]
    pub recorded: f64,
}

/// One kernel at one size and block shape.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Row {
    /// File name without extension.
    pub kernel: String,
    /// `large`, `l2`, `odd` or `grid`; `small` for the oracle's cases.
    pub class: String,
    /// Sizes and block shape.
    pub label: String,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads a block.
    pub block: [u32; 3],
    /// Bytes that must move.
    pub bytes: Option<u64>,
    /// Operations that must be done.
    pub flops: Option<u64>,
    /// The time that bytes or operations take at the chip's rates, milliseconds.
    pub limit_ms: Option<f64>,
    /// `memory` or `arithmetic`: which of both is that limit.
    pub bound: String,
    /// The chip's clock after the row, MHz; 0 where it was not taken.
    pub clock: u32,
    /// Timings behind each median.
    pub samples: u32,
    /// Kernels were timed as recorded launches, because some are shorter than the host takes to start one.
    #[serde(default)]
    pub recorded: bool,
    /// One for each variant.
    pub cells: Vec<Cell>,
    /// The first ten launches, where they were timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstTen>,
    /// Why there are no figures.
    pub problem: Option<String>,
}

/// The first ten launches of a row in a program, with an empty cache: microseconds in all, from before each launch until the GPU is idle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct FirstTen {
    /// Of clang's program.
    pub clang: f64,
    /// With the plug-in.
    pub mesi: f64,
    /// Of another copy of clang's: how much is noise.
    pub again: f64,
}

/// One variant of a row.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Cell {
    /// As in the manifest; `cublas` for the library.
    pub variant: String,
    /// The variant whose compilation, and so whose figures, this one shares.
    pub same_as: Option<String>,
    /// Median time of a launch, milliseconds.
    pub ms: Option<f64>,
    /// Lower quartile.
    pub low: Option<f64>,
    /// Upper quartile.
    pub high: Option<f64>,
    /// clang's time by this one's, median over the rounds.
    pub ratio: Option<f64>,
    /// nvcc's time by this one's.
    pub to_nvcc: Option<f64>,
    /// GB/s of the bytes that must move.
    pub gbs: Option<f64>,
    /// GFLOP/s of the operations that must be done.
    pub gflops: Option<f64>,
    /// Limit by time: 1 is all that the chip can do.
    pub limit_share: Option<f64>,
    /// Registers a thread.
    pub registers: Option<u32>,
    /// Static shared memory, bytes.
    pub shared: Option<u32>,
    /// Local memory a thread, bytes.
    pub local: Option<u32>,
    /// What was launched: `K`, the kernel itself, or `v1 by 64`, a version and the blocks it was put in. Figures are of that, `code`
    /// apart. `None` where there is nothing to choose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
    /// What the model has launched before anything is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior_choice: Option<String>,
    /// The gain of that, as for `ratio`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// The gain of what settled measuring chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<f64>,
    /// The greatest gain of all that could be launched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<f64>,
    /// What was tried beside the kernel itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<Tried>,
    /// The block that the host dealt the threads out to, where that is not the launch's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<[u32; 3]>,
    /// Machine code of the kernel, bytes.
    #[serde(default)]
    pub code: Option<u64>,
    /// That of each version beside it, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<u64>,
    /// Threads on a multiprocessor by the most it holds.
    pub occupancy: Option<f64>,
    /// Whether every buffer equals clang's bit for bit.
    pub same_bits: Option<bool>,
    /// Largest relative error of a buffer against clang's.
    pub error: Option<f64>,
    /// What the plug-in planned, in a few words.
    pub plan: String,
    /// The gain it predicted for this row.
    pub predicted: Option<f64>,
    /// The driver compiled PTX, because the cubin is for another chip.
    pub jit: bool,
    /// What went wrong, or why there is no such variant.
    pub problem: Option<String>,
    /// `problem` is a failure and not merely something that this bundle or machine lacks.
    pub failed: bool,
}

/// A candidate's trials.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// As in [`Cell::choice`].
    pub choice: String,
    /// clang's time by this one's.
    pub ratio: f64,
    /// Pairs of timings behind it.
    pub pairs: u32,
}

impl Results {
    /// Reads a JSON file.
    pub fn read(path: &Path) -> Result<Results> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        let results: Results = serde_json::from_str(&text)
            .with_context(|| format!("{} holds no results of this bench", path.display()))?;
        if results.format != FORMAT {
            bail!(
                "{} has format {}, this program reads {FORMAT}",
                path.display(),
                results.format
            );
        }
        Ok(results)
    }

    /// Writes a JSON file.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string(self).context("the results are no JSON")?;
        std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
    }

    /// Lines on everything that failed.
    pub fn failures(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for row in &self.rows {
            if let Some(problem) = &row.problem {
                lines.push(format!("{}: {problem}", row.key()));
            }
            for cell in row.cells.iter().filter(|c| c.failed && c.same_as.is_none()) {
                let problem = cell.problem.as_deref().unwrap_or("failed");
                lines.push(format!("{}: {}: {problem}", row.key(), cell.variant));
            }
        }
        lines
    }
}

impl Row {
    /// Kernel, class and size: what `--filter` looks at.
    pub fn key(&self) -> String {
        format!("{} {} {}", self.kernel, self.class, self.label)
    }

    /// The cell of one variant.
    pub fn cell(&self, variant: &str) -> Option<&Cell> {
        self.cells.iter().find(|c| c.variant == variant)
    }

    /// The plug-in's machine code, all versions with the kernel, by clang's, in bytes.
    pub fn growth(&self) -> Option<f64> {
        let bytes = |variant| {
            let cell = self.cell(variant)?;
            Some((cell.code? + cell.versions.iter().sum::<u64>()) as f64)
        };
        Some(bytes(SUBJECT)? / bytes(REFERENCE)?)
    }

    /// Gain of the first ten launches together.
    pub fn first_gain(&self) -> Option<f64> {
        self.first.map(|f| f.clang / f.mesi)
    }

    /// Measured gain of the plug-in.
    pub fn gain(&self) -> Option<f64> {
        self.cell(SUBJECT)?.ratio
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_older_files_chose_nothing() {
        let text = serde_json::to_string(&Cell::default()).unwrap();
        assert!(!text.contains("choice"), "{text}");
        let older = text.replacen('{', "{\"original\":true,\"original_code\":9,", 1);
        let cell: Cell = serde_json::from_str(&older).unwrap();
        assert!(cell.choice.is_none() && cell.versions.is_empty());
        let text = serde_json::to_string(&Cell {
            choice: Some("v1 by 64".into()),
            ..cell
        })
        .unwrap();
        assert!(text.contains("\"choice\":\"v1 by 64\""), "{text}");
    }

    #[test]
    fn growth_counts_all_versions() {
        let cell = |variant: &str, versions: &[u64]| Cell {
            variant: variant.into(),
            code: Some(100),
            versions: versions.to_vec(),
            ..Cell::default()
        };
        let row = Row {
            cells: vec![cell(REFERENCE, &[]), cell(SUBJECT, &[200, 0, 50])],
            ..Row::default()
        };
        assert_eq!(row.growth(), Some(3.5));
    }

    #[test]
    fn failures_name_row_and_variant_once() {
        let cell = |variant: &str, same_as: Option<&str>, failed| Cell {
            variant: variant.into(),
            same_as: same_as.map(Into::into),
            problem: Some("`C` differs".into()),
            failed,
            ..Cell::default()
        };
        let row = Row {
            kernel: "mm".into(),
            class: "large".into(),
            label: "n=8 block=8x8x1".into(),
            cells: vec![
                cell("mesi", None, true),
                cell("force", Some("mesi"), true),
                cell("hand", None, false),
            ],
            ..Row::default()
        };
        let results = Results {
            rows: vec![row],
            ..Results::default()
        };
        assert_eq!(
            results.failures(),
            ["mm large n=8 block=8x8x1: mesi: `C` differs"]
        );
    }
}
