//! The header as TOML: finds the block, keeps line numbers, and maps it to plain structs.
//!
//! Every line of the block keeps its place in the text given to the TOML parser (prefix replaced by
//! nothing, other lines by blank ones), so a span's line is the file's line.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Spanned, Value};

use crate::error::{Error, Result};

/// `[sizes]` entry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawSize {
    pub small: Vec<i64>,
    pub large: i64,
}

/// `[launch]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawLaunch {
    pub blocks: Spanned<Vec<[u32; 3]>>,
    pub grid: [Spanned<Value>; 3],
    pub shared: Option<Spanned<Value>>,
}

/// `[[arg]]`, `[[global]]`, or an element of an argument's `fields`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawArg {
    pub name: Option<Spanned<String>>,
    #[serde(rename = "type")]
    pub ty: Option<Spanned<String>>,
    pub count: Option<Spanned<Value>>,
    pub fill: Option<Spanned<String>>,
    #[serde(default)]
    pub output: bool,
    pub value: Option<Spanned<Value>>,
    pub fields: Option<Vec<Spanned<RawArg>>>,
}

/// `[[alias]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawAlias {
    pub arg: Spanned<String>,
    pub of: Spanned<String>,
    pub offset: Option<Spanned<Value>>,
}

/// A row of `[bench]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawRow {
    pub class: Spanned<String>,
    #[serde(default)]
    pub at: BTreeMap<String, i64>,
    pub blocks: Option<Spanned<Vec<[u32; 3]>>>,
}

/// `blas` of `[bench]`: which arrays and sizes make the library's product.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawBlas {
    pub a: String,
    pub b: String,
    pub c: String,
    pub m: Spanned<Value>,
    pub n: Spanned<Value>,
    pub k: Spanned<Value>,
    #[serde(default)]
    pub ta: bool,
    #[serde(default)]
    pub tb: bool,
    #[serde(default = "one")]
    pub alpha: f64,
    #[serde(default)]
    pub beta: f64,
}

fn one() -> f64 {
    1.0
}

/// `[bench]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawBench {
    pub bytes: Option<Spanned<Value>>,
    pub flops: Option<Spanned<Value>>,
    pub unit: Option<Spanned<String>>,
    pub blocks: Option<Spanned<Vec<[u32; 3]>>>,
    pub blas: Option<Spanned<RawBlas>>,
    #[serde(default)]
    pub rows: Vec<Spanned<RawRow>>,
}

/// The whole block.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawHeader {
    pub kernel: Spanned<String>,
    pub symbol: Option<String>,
    #[serde(default)]
    pub sizes: BTreeMap<String, Spanned<RawSize>>,
    pub launch: RawLaunch,
    #[serde(default)]
    pub arg: Vec<Spanned<RawArg>>,
    #[serde(default)]
    pub global: Vec<Spanned<RawArg>>,
    #[serde(default)]
    pub alias: Vec<Spanned<RawAlias>>,
    #[serde(default)]
    pub expect: BTreeMap<String, Spanned<String>>,
    pub bench: Option<Spanned<RawBench>>,
}

/// File name and the blanked text; turns byte offsets into `FILE:LINE:` messages.
pub struct Source {
    pub file: String,
    text: String,
}

impl Source {
    /// The error for `message` at byte offset `at` of the block.
    pub fn error(&self, at: usize, message: impl std::fmt::Display) -> Error {
        let line = 1 + self.text[..at.min(self.text.len())].matches('\n').count();
        Error(format!("{}:{line}: {message}", self.file))
    }

    /// `result` with its message placed at the span's line.
    pub fn at<T, S>(
        &self,
        spanned: &Spanned<S>,
        result: std::result::Result<T, String>,
    ) -> Result<T> {
        result.map_err(|message| self.error(spanned.span().start, message))
    }
}

/// Title text, source for messages, and the parsed block of a corpus file.
pub fn parse(file: &str, text: &str) -> Result<(String, Source, RawHeader)> {
    let mut title = Vec::new();
    let mut toml = String::new();
    let (mut open, mut closed, mut opened_at) = (false, false, 0);
    for (number, line) in text.lines().enumerate() {
        if let Some(comment) = line.strip_prefix("//").filter(|_| !closed) {
            let comment = comment.strip_prefix(' ').unwrap_or(comment);
            match (open, comment.trim()) {
                (false, "```toml") => (open, opened_at) = (true, number + 1),
                (true, "```") => (open, closed) = (false, true),
                (true, _) => toml.push_str(comment),
                (false, sentence) => title.push(sentence.to_string()),
            }
        } else {
            break;
        }
        toml.push('\n');
    }
    let source = Source {
        file: file.into(),
        text: toml,
    };
    if open {
        return Err(Error(format!(
            "{file}:{opened_at}: the ```toml block is not closed by a line `// ```` before the code"
        )));
    }
    if !closed {
        return Err(Error(format!(
            "{file}:1: no launch header, a corpus file opens with `//` lines that hold a block from `// ```toml` to `// ````"
        )));
    }
    let raw = toml::from_str(&source.text).map_err(|e| {
        let message = e.message().trim().replace('\n', ", ");
        source.error(e.span().map_or(0, |s| s.start), message)
    })?;
    Ok((title.join(" ").trim().to_string(), source, raw))
}
