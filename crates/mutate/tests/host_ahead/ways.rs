//! Versions whose unrolled iterations load first what their iterations load, broken line by line.

use anyhow::{Result, anyhow};
use inkwell::context::Context;
use mesi::llvm::ir::Module;
use mesi_launch::{Corpus, VERSION};

use mesi_mutate::blocks::{self, Edit, instead};
use mesi_mutate::host_launches::{kernel_of, parsed};
use mesi_mutate::version::{self, Original};

/// Corpus kernels whose first version is one.
pub const KERNELS: [&str; 7] = [
    "shared_histogram",
    "dynamic_reduction",
    "welford",
    "strided_choice",
    "wrapping_steps",
    "triangle_steps",
    "column_in_place",
];

/// Ways to break such a version.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("ahead-group-too-many", |l| {
        instead(l, " = lshr i64 ", " = shl i64 ")
    }),
    ("ahead-not-divided", |l| {
        instead(l, " = udiv i", " = urem i")
    }),
    ("ahead-left-over-forgotten", |l| {
        let is_bit = l.contains(" = and i64 ") && l.trim_end().ends_with(", 1");
        is_bit.then(|| l.replace(", 1", ", 0"))
    }),
    ("ahead-next-load-stays", |l| {
        // The counter of the next iteration's load does not move on.
        let (name, rest) = l.split_once(" = add i32 ")?;
        let (a, _) = rest.split_once(", ")?;
        Some(format!("{name} = add i32 {a}, 0"))
    }),
    ("ahead-wraps-around", |l| {
        // A counter that wraps around counts as one that does not.
        instead(l, " = and i1 ", " = or i1 ")
    }),
];

/// A kernel and its version.
pub struct Subject {
    /// The module with the versions, as text.
    pub staged: String,
    /// Symbol of the first version.
    pub version: String,
    corpus: Corpus,
    original: Original,
}

impl Subject {
    /// `ir`: what the plug-in meets.
    pub fn of(corpus: Corpus, ir: &str) -> Result<Subject> {
        let staged = blocks::staged(&corpus, ir)?;
        let context = Context::create();
        let module = parsed(&context, &staged, &corpus.kernel)?;
        let original = kernel_of(Module::new(module.as_mut_ptr()), &corpus)?.name();
        let version = format!("{original}{VERSION}0");
        if !staged.contains(&format!("@\"{version}\"(")) {
            return Err(anyhow!("{} has no version", corpus.kernel));
        }
        Ok(Subject {
            staged,
            version,
            corpus,
            original: Original::default(),
        })
    }

    /// Whether the version, as `text` has it, gives other bits than its kernel.
    pub fn differs(&self, text: &str) -> bool {
        self.original
            .differs(&self.corpus, &self.staged, text, &self.version)
    }

    /// The module's texts with one line of the first version broken by the mutation of this name.
    pub fn broken(&self, name: &str) -> Result<Vec<String>> {
        let edit = MUTATIONS.iter().find(|m| m.0 == name);
        let edit = edit.ok_or_else(|| anyhow!("there is no mutation {name}"))?;
        version::broken(&self.staged, &self.version, edit.1)
    }
}
