//! A corpus file: its header checked and its launches listed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::bench::{self, BenchRow, Maker};
use crate::case::{Case, Size};
use crate::draw;
use crate::enumerate;
use crate::error::{Error, Result};
use crate::gate::kept_beside;
use crate::header::{self, RawBench};

/// One corpus file. Reading checks everything, so no later call can fail.
#[derive(Debug, Clone)]
pub struct Corpus {
    /// Where it was read from.
    pub path: PathBuf,
    /// The sentences above the block.
    pub title: String,
    /// Source name of the kernel.
    pub kernel: String,
    /// Mangled name, where the source name does not give it (templates, namespaces).
    pub symbol: Option<String>,
    /// Block shapes; the first is the GPU's.
    pub blocks: Vec<[u32; 3]>,
    /// What `mesi<force>` must say per array: `staged` or the name of a refusal.
    pub expect: BTreeMap<String, String>,
    small: Vec<Case>,
    large: Vec<Case>,
    bench: Vec<BenchRow>,
    text: String,
}

impl Corpus {
    /// Reads and checks the header of `path`.
    pub fn read(path: impl AsRef<Path>) -> Result<Corpus> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path)
            .map_err(|e| Error(format!("{}: cannot be read: {e}", path.display())))?;
        Corpus::parse(path, &text)
    }

    /// Checks a header given as text; `path` is used in messages.
    pub fn parse(path: impl AsRef<Path>, text: &str) -> Result<Corpus> {
        let path = path.as_ref();
        let (title, source, raw) = header::parse(&path.display().to_string(), text)?;
        let small = enumerate::cases(&source, &raw, Size::Small)?;
        let large = enumerate::cases(&source, &raw, Size::Large)?;
        let bench = bench::rows(&source, &raw)?;
        let arrays: Vec<&str> = large
            .iter()
            .flat_map(|c| &c.buffers)
            .map(|b| b.name.as_str())
            .collect();
        for (name, verdict) in &raw.expect {
            if !arrays.contains(&name.as_str()) {
                let known = arrays.join(", ");
                return Err(source.error(
                    verdict.span().start,
                    format!("[expect] names `{name}`, the arrays are {known}"),
                ));
            }
        }
        Ok(Corpus {
            path: path.to_path_buf(),
            title,
            kernel: raw.kernel.get_ref().clone(),
            symbol: raw.symbol.clone(),
            blocks: raw.launch.blocks.get_ref().clone(),
            expect: raw
                .expect
                .iter()
                .map(|(k, v)| (k.clone(), v.get_ref().clone()))
                .collect(),
            small,
            large,
            bench,
            text: text.into(),
        })
    }

    /// The launches of one size column, in a fixed order.
    pub fn cases(&self, size: Size) -> Vec<Case> {
        match size {
            Size::Small => self.small.clone(),
            Size::Large => self.large.clone(),
        }
    }

    /// The launches that the GPU bench times.
    pub fn bench_rows(&self) -> &[BenchRow] {
        &self.bench
    }

    /// `count` launches at random, the same for the same `seed`.
    pub fn drawn_rows(&self, seed: u64, count: u32) -> Result<Vec<BenchRow>> {
        let (_, source, raw) = header::parse(&self.path.display().to_string(), &self.text)?;
        draw::draw(
            &Maker::new(&source, &raw, &RawBench::default()),
            seed,
            count,
        )
    }

    /// Whether a function symbol is this file's kernel: `symbol` if given, else the plain name or
    /// its Itanium mangling outside namespaces (`_Z4mavgPKfPfi`, templates `_Z4mavgILi3EE...` too). What the plug-in keeps beside it
    /// is not.
    pub fn names(&self, symbol: &str) -> bool {
        if kept_beside(symbol).is_some() {
            return false;
        }
        match &self.symbol {
            Some(exact) => exact == symbol,
            None => {
                symbol == self.kernel
                    || symbol.starts_with(&format!("_Z{}{}", self.kernel.len(), self.kernel))
            }
        }
    }
}
