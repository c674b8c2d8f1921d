//! What comes out: the tables' content and, as it stands, the JSON.

use serde::Serialize;

use crate::bundle::Variant;
use crate::timing::Spread;

/// Everything that is printed, and the JSON.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The program.
    pub program: String,
    /// The user's command.
    pub command: Vec<String>,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The compiler's version.
    pub compiler: String,
    /// GPU and driver, if known.
    pub gpu: Option<String>,
    /// Runs of each variant.
    pub runs: u32,
    /// One row per variant.
    pub variants: Vec<VariantRow>,
    /// One row per kernel, the longest first.
    pub kernels: Vec<KernelRow>,
    /// What is wrong, one line each; empty if all agree.
    pub problems: Vec<String>,
    /// What is worth knowing, one line each.
    pub notes: Vec<String>,
    /// The exit status.
    pub exit: u8,
}

/// One variant.
#[derive(Debug, Serialize)]
pub struct VariantRow {
    /// Which one.
    pub variant: Variant,
    /// How it ended, or why it was not built.
    pub ending: String,
    /// What its output is against plain's.
    pub output: String,
    /// Whether it does what plain does; `None` where it was not run, and for plain.
    pub agrees: Option<bool>,
    /// Milliseconds in kernels.
    pub kernel_ms: Option<Spread>,
    /// Plain's kernel time over this one's.
    pub ratio: Option<f64>,
    /// Seconds of the whole process.
    pub process_seconds: Option<Spread>,
}

/// One kernel.
#[derive(Debug, Serialize)]
pub struct KernelRow {
    /// Its symbol.
    pub symbol: String,
    /// Its name with template arguments.
    pub name: String,
    /// The same with its parameters.
    pub signature: String,
    /// Launches in a run of the plain build.
    pub launches: u64,
    /// By variant, in the report's order; `None` where it was not timed.
    pub times: Vec<Option<KernelTime>>,
    /// What the plug-in said, in short.
    pub remarks: String,
}

/// One kernel in one variant.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct KernelTime {
    /// Milliseconds of all launches of a run.
    pub ms: Spread,
    /// Plain's over this.
    pub ratio: f64,
}
