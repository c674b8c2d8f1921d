//! The only emitter of remarks, warnings and errors.
//!
//! Every candidate array ends in exactly one call of [`Sink::staged`] or [`Sink::missed`]; the sink
//! counts both, so that a caller can hold the sum against its candidates. Messages name kernel and
//! array, because IR without source locations prints `<unknown>:0:0` in front of them.

use crate::llvm::{self, Function, Module, RemarkKind, RemarkPart, Severity, Value};
use crate::names::COPY;
use std::fmt::Display;

/// Where a remark points.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The kernel.
    pub kernel: Function,
    /// The instruction whose line is meant; without one it is the kernel's line.
    pub at: Option<Value>,
}

impl Site {
    /// The kernel as a whole.
    pub fn kernel(kernel: Function) -> Self {
        Self { kernel, at: None }
    }
    /// One instruction of it.
    pub fn at(kernel: Function, at: Value) -> Self {
        Self {
            kernel,
            at: Some(at),
        }
    }
}

/// One figure of a staged array: its key in the optimization record, its value, and the words
/// that follow the value in the message.
pub struct Figure {
    /// CamelCase, as `SharedBytes`.
    pub key: &'static str,
    /// The value as text.
    pub value: String,
    /// As `bytes of shared memory`.
    pub words: &'static str,
}

impl Figure {
    /// A figure from anything printable.
    pub fn new(key: &'static str, value: impl Display, words: &'static str) -> Self {
        Self {
            key,
            value: value.to_string(),
            words,
        }
    }
}

/// Emits to the compiler and counts.
pub struct Sink {
    module: Module,
    staged: u32,
}

impl Sink {
    /// A sink for one run over `module`.
    pub fn new(module: Module) -> Self {
        Self { module, staged: 0 }
    }

    /// Arrays reported as staged so far.
    pub fn staged_count(&self) -> u32 {
        self.staged
    }

    /// `array` of the kernel is staged: `staged 'A' in mm: 1088 bytes of shared memory, ...`.
    pub fn staged(&mut self, site: Site, array: &str, figures: &[Figure]) {
        self.staged += 1;
        let mut parts = subject("staged '", array, "' in ", site.kernel);
        add_figures(&mut parts, figures);
        llvm::remark(RemarkKind::Passed, site.kernel, site.at, "Staged", &parts);
    }

    /// Blocks of the kernel are merged without a tile: `merged 4 blocks of mm, nothing staged: 20 …`.
    pub fn merged(&mut self, site: Site, blocks: u32, figures: &[Figure]) {
        let mut parts = vec![
            RemarkPart::Text("merged ".into()),
            RemarkPart::Arg("Blocks", blocks.to_string()),
        ];
        parts.extend(subject(" blocks of ", "", "", site.kernel));
        parts.push(RemarkPart::Text(", nothing staged".into()));
        add_figures(&mut parts, figures);
        llvm::remark(RemarkKind::Passed, site.kernel, site.at, "Merged", &parts);
    }

    /// Iterations of a loop run together: `8 iterations jammed in mm`, and `, nothing staged` without a tile.
    pub fn unroll_jam(&mut self, site: Site, replicas: u32, staged: bool) {
        let mut parts = vec![
            RemarkPart::Arg("Iterations", replicas.to_string()),
            RemarkPart::Text(" iterations jammed".into()),
        ];
        parts.extend(subject(" in ", "", "", site.kernel));
        if !staged {
            parts.push(RemarkPart::Text(", nothing staged".into()));
        }
        llvm::remark(
            RemarkKind::Passed,
            site.kernel,
            site.at,
            "UnrollJam",
            &parts,
        );
    }

    /// Loads of several iterations are under way at once: `unrolled by 8 iterations in mm, nothing staged`.
    pub fn unrolled(&mut self, site: Site, length: u32) {
        let mut parts = vec![
            RemarkPart::Text("unrolled by ".into()),
            RemarkPart::Arg("Iterations", length.to_string()),
            RemarkPart::Text(" iterations".into()),
        ];
        parts.extend(subject(" in ", "", "", site.kernel));
        parts.push(RemarkPart::Text(", nothing staged".into()));
        llvm::remark(RemarkKind::Passed, site.kernel, site.at, "Unroll", &parts);
    }

    /// `array` of the kernel is left alone; `name` is the reason's CamelCase name
    /// (`Missed::name()`), `why` its sentence: `not staged: 'A' in mm: why (Name)`.
    pub fn missed(&mut self, site: Site, array: &str, name: &str, why: impl Display) {
        let mut parts = subject("not staged: '", array, "' in ", site.kernel);
        parts.push(RemarkPart::Text(format!(": {why} ({name})")));
        llvm::remark(RemarkKind::Missed, site.kernel, site.at, name, &parts);
    }

    /// The kernel as a whole is left alone, before any array of it was considered.
    pub fn missed_kernel(&mut self, site: Site, name: &str, why: impl Display) {
        let mut parts = subject("not staged: kernel ", "", "", site.kernel);
        parts.push(RemarkPart::Text(format!(": {why} ({name})")));
        llvm::remark(RemarkKind::Missed, site.kernel, site.at, name, &parts);
    }

    /// Something worth knowing that is neither; `name` is CamelCase.
    pub fn analysis(&mut self, site: Site, name: &str, text: impl Display) {
        let mut parts = subject("", "", "", site.kernel);
        parts.push(RemarkPart::Text(format!(": {text}")));
        llvm::remark(RemarkKind::Analysis, site.kernel, site.at, name, &parts);
    }

    /// A warning on a kernel, or on the module without one.
    pub fn warning(&mut self, site: Option<Site>, text: impl Display) {
        self.diagnose(site, Severity::Warning, text);
    }

    /// An error: the compilation fails, with this line as its reason.
    pub fn error(&mut self, site: Option<Site>, text: impl Display) {
        self.diagnose(site, Severity::Error, text);
    }

    fn diagnose(&self, site: Option<Site>, severity: Severity, text: impl Display) {
        let (kernel, at) = site.map_or((None, None), |s| (Some(s.kernel), s.at));
        llvm::diagnose(self.module, kernel, at, severity, &format!("mesi: {text}"));
    }
}

fn add_figures(parts: &mut Vec<RemarkPart>, figures: &[Figure]) {
    for (i, f) in figures.iter().enumerate() {
        parts.push(RemarkPart::Text(if i == 0 { ": " } else { ", " }.into()));
        parts.push(RemarkPart::Arg(f.key, f.value.clone()));
        parts.push(RemarkPart::Text(format!(" {}", f.words)));
    }
}

/// `before array between kernel`, with array and kernel as named arguments.
fn subject(before: &str, array: &str, between: &str, kernel: Function) -> Vec<RemarkPart> {
    let mut parts = Vec::new();
    for text in [before, between] {
        if text == between && !array.is_empty() {
            parts.push(RemarkPart::Arg("Array", array.into()));
        }
        if !text.is_empty() {
            parts.push(RemarkPart::Text(text.into()));
        }
    }
    parts.push(RemarkPart::Arg("Kernel", display_name(kernel)));
    parts
}

/// A kernel as its author wrote it: `ns::mm` for a mangled name, else the symbol.
pub fn display_name(kernel: Function) -> String {
    let name = kernel.name();
    // A recast copy is told as the kernel that it is of.
    let mut names = llvm::source_names(name.strip_suffix(COPY).unwrap_or(&name));
    names.swap_remove(usize::from(names.len() > 1))
}
