//! What a program writes where `MESI_REPORT=FILE.json` asks for it (`rt/rt_report.h`).

use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// An executable or shared library that launched kernels.
#[derive(Debug, Clone, Deserialize)]
pub struct Image {
    /// Its kernels.
    pub kernels: Vec<Kernel>,
}

/// A kernel that has something to choose.
#[derive(Debug, Clone, Deserialize)]
pub struct Kernel {
    /// Its symbol.
    pub kernel: String,
    /// Launches that no class has.
    pub as_it_is: u64,
    /// Its kinds of launches.
    pub classes: Vec<Class>,
}

/// A kind of launches, with its one choice.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Class {
    /// Threads of a block.
    pub block: [u32; 3],
    /// The grid of one of its launches.
    pub grid_like: [u32; 3],
    /// Dynamic shared memory, bytes.
    pub dynamic: u32,
    /// How many launches there were.
    pub launches: u64,
    /// What was chosen, as a number.
    pub candidate: u32,
    /// The symbol of what was chosen.
    pub choice: String,
    /// Whether it runs in blocks of another size.
    pub other_blocks: bool,
    /// Why: `measured`, `cached`, `learning` and so on.
    pub why: String,
    /// Whether the choice is made.
    pub settled: bool,
    /// The gain over the kernel as it is, where it was measured.
    pub gain: Option<f64>,
    /// The gain's lower bound.
    pub low: Option<f64>,
    /// The gain's upper bound.
    pub high: Option<f64>,
    /// How many pairs of launches were compared.
    pub pairs: Option<u32>,
    /// Candidates that were compared, as bits.
    #[serde(default)]
    pub compared: u32,
    /// Pairs of the comparison that is under way.
    #[serde(default)]
    pub open_pairs: u32,
    /// What trials cost, microseconds.
    pub trials_us: u64,
}

/// Reads a file.
pub fn read(file: &Path) -> Result<Vec<Image>> {
    let bytes = std::fs::read(file).with_context(|| {
        format!(
            "{} cannot be read: run the program with MESI_REPORT set to its path",
            file.display()
        )
    })?;
    serde_json::from_str(&String::from_utf8_lossy(&bytes)).with_context(|| {
        format!(
            "{} is not what MESI_REPORT=FILE.json writes, or is torn: run the program again",
            file.display()
        )
    })
}

/// `16x16`, `256`: without ones at the end.
pub fn extents(n: [u32; 3]) -> String {
    match n {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("{x}x{y}"),
        [x, y, z] => format!("{x}x{y}x{z}"),
    }
}

impl Class {
    /// What was chosen, in words.
    pub fn chosen(&self) -> String {
        let what = crate::names::version(&self.choice).map_or_else(
            || "the kernel as it is".to_string(),
            |n| format!("version {n}"),
        );
        match self.other_blocks {
            true => format!("{what} in other blocks"),
            false => what,
        }
    }

    /// What tells this kind from others of its kernel.
    pub fn kind(&self) -> String {
        let dynamic = match self.dynamic {
            0 => String::new(),
            n => format!(", {n} bytes dynamic"),
        };
        format!(
            "blocks of {}, grid like {}{dynamic}",
            extents(self.block),
            extents(self.grid_like)
        )
    }
}
