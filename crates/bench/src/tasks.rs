//! What a run does: one task for each row, in an order that every process of the run agrees on.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use mesi_launch::{BenchRow, Blas, Case, Class, Corpus, ElemType, Size};

use crate::manifest::{Entry, Manifest};
use crate::results::Row;

/// A bundle on disk.
pub struct Bundle {
    /// Its folder.
    pub root: PathBuf,
    /// What it holds.
    pub manifest: Manifest,
    /// The headers, in the order of `manifest.kernels`.
    pub corpus: Vec<Corpus>,
}

/// Which rows and variants to run.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// A row runs if every word of one of these occurs in its key; all rows if there are none.
    pub filters: Vec<String>,
    /// Variants to run beside clang; all if empty.
    pub variants: Vec<String>,
    /// Fewer rows and samples.
    pub quick: bool,
    /// Compare on the oracle's small cases instead of timing.
    pub small: bool,
    /// The host starts each launch, also short ones.
    pub by_host: bool,
    /// So many launches a kernel, drawn at random, instead of the header's.
    pub drawn: u32,
    /// What they are drawn from.
    pub seed: u64,
    /// Who picks the kernel of each launch.
    pub chooser: Chooser,
}

/// Who picks, where an image has versions of the kernel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Chooser {
    /// Measuring: what a program launches once its choice is settled
    #[default]
    Settled,
    /// The model: what a program launches first, when nothing was measured
    Prior,
    /// Nobody: always the kernel itself, in the program's blocks
    Original,
    /// Always version 0 where it may be launched, else the kernel itself
    V0,
    /// The same of version 1
    V1,
    /// The same of version 2
    V2,
    /// The same of version 3
    V3,
}

/// One row to be run.
pub struct Task<'b> {
    /// The kernel's images and variants.
    pub entry: &'b Entry,
    /// Its header.
    pub corpus: &'b Corpus,
    /// As in [`Row::class`].
    pub class: &'static str,
    /// The launch.
    pub case: Case,
    /// As in [`BenchRow`].
    pub bytes: Option<u64>,
    /// As in [`BenchRow`].
    pub flops: Option<u64>,
    /// As in [`BenchRow`].
    pub unit: ElemType,
    /// As in [`BenchRow`].
    pub blas: Option<Blas>,
}

impl Bundle {
    /// Reads manifest and headers.
    pub fn read(root: &Path) -> Result<Bundle> {
        let manifest = Manifest::read(root)?;
        let mut corpus = Vec::new();
        for entry in &manifest.kernels {
            corpus.push(Corpus::read(root.join(&entry.header))?);
        }
        Ok(Bundle {
            root: root.to_path_buf(),
            manifest,
            corpus,
        })
    }

    /// The rows of `choice`.
    pub fn tasks(&self, choice: &Choice) -> Result<Vec<Task<'_>>> {
        let mut tasks = Vec::new();
        for (entry, corpus) in self.manifest.kernels.iter().zip(&self.corpus) {
            if choice.small {
                let cases = corpus.cases(Size::Small).into_iter();
                tasks.extend(cases.map(|case| Task::small(entry, corpus, case)));
            } else if choice.drawn > 0 {
                let rows = corpus.drawn_rows(choice.seed, choice.drawn)?;
                tasks.extend(rows.iter().map(|row| Task::timed(entry, corpus, row)));
            } else {
                let rows = corpus.bench_rows().iter();
                let rows = rows.filter(|r| !choice.quick || is_quick(r, corpus.bench_rows()));
                tasks.extend(rows.map(|row| Task::timed(entry, corpus, row)));
            }
        }
        tasks.retain(|t| choice.selects(&t.row().key()));
        if tasks.is_empty() {
            bail!("no row matches {}", choice.filters.join(" or "));
        }
        Ok(tasks)
    }
}

/// A quick run takes the first large row and the first small grid.
fn is_quick(row: &BenchRow, all: &[BenchRow]) -> bool {
    let first = |class| all.iter().find(|r| r.class == class);
    [Class::Large, Class::Grid]
        .into_iter()
        .any(|c| first(c).is_some_and(|r| r == row))
}

impl Choice {
    /// Whether a row of this key runs.
    pub fn selects(&self, key: &str) -> bool {
        let matches = |filter: &String| filter.split_whitespace().all(|word| key.contains(word));
        self.filters.is_empty() || self.filters.iter().any(matches)
    }

    /// Whether a variant runs.
    pub fn takes(&self, variant: &str) -> bool {
        self.variants.is_empty() || self.variants.iter().any(|v| v == variant)
    }
}

impl<'b> Task<'b> {
    fn small(entry: &'b Entry, corpus: &'b Corpus, case: Case) -> Self {
        Task {
            entry,
            corpus,
            class: "small",
            case,
            bytes: None,
            flops: None,
            unit: ElemType::F32,
            blas: None,
        }
    }

    fn timed(entry: &'b Entry, corpus: &'b Corpus, row: &BenchRow) -> Self {
        Task {
            entry,
            corpus,
            class: row.class.name(),
            case: row.case.clone(),
            bytes: row.bytes,
            flops: row.flops,
            unit: row.unit,
            blas: row.blas.clone(),
        }
    }

    /// The row without figures yet.
    pub fn row(&self) -> Row {
        Row {
            kernel: self.entry.name.clone(),
            class: self.class.into(),
            label: self.case.label.clone(),
            grid: self.case.grid,
            block: self.case.block,
            bytes: self.bytes,
            flops: self.flops,
            ..Row::default()
        }
    }

    /// Whether it is timed, or only compared.
    pub fn is_timed(&self) -> bool {
        self.class != "small"
    }

    /// Whether its sizes were drawn at random.
    pub fn is_drawn(&self) -> bool {
        self.class == Class::Drawn.name()
    }

    /// As in [`Class::streams`].
    pub fn streams(&self) -> bool {
        let mine = Class::ALL.into_iter().find(|c| c.name() == self.class);
        mine.is_some_and(Class::streams)
    }

    /// Whether a buffer is only written, so that it may hold anything before the launch. The header
    /// says so; in an alias variant the memory may be an input too.
    pub fn is_only_stored(&self, buffer: &str) -> bool {
        self.case.alias.is_none()
            && self
                .corpus
                .expect
                .get(buffer)
                .is_some_and(|v| v == "OnlyStored")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_words_that_all_occur() {
        let choice = |filters: &[&str]| Choice {
            filters: filters.iter().map(|f| f.to_string()).collect(),
            ..Choice::default()
        };
        let key = "mm_early large m=4096 block=16x16x1";
        assert!(choice(&[]).selects(key));
        assert!(choice(&["mm 16x16"]).selects(key));
        assert!(choice(&["nbody", "mm_early"]).selects(key));
        assert!(!choice(&["mm 32x8"]).selects(key));
    }
}
