//! The rows of the tuning table: constants of `src/machine/tuning/`, with what is written above them.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use syn::{Attribute, Expr, Item, ItemConst, Lit, Meta};

/// One fitted number, or a few.
pub struct Row {
    /// `reshape::EACH`: the module, which is named after the file that asks, and the constant.
    pub name: String,
    /// As written.
    pub value: String,
    /// Unit, rule and evidence.
    doc: String,
    /// From the root.
    pub file: PathBuf,
    /// Bytes of the file that are the value.
    pub range: std::ops::Range<usize>,
}

/// All rows, file by file.
pub fn all(root: &Path) -> Result<Vec<Row>> {
    let folder = Path::new("src/machine/tuning");
    let entries =
        std::fs::read_dir(root.join(folder)).context("src/machine/tuning cannot be read")?;
    let mut names: Vec<_> = entries.filter_map(|e| Some(e.ok()?.file_name())).collect();
    names.sort();
    let mut rows = Vec::new();
    for name in names {
        let file = folder.join(name);
        let text = std::fs::read_to_string(root.join(&file))
            .with_context(|| format!("{} cannot be read", file.display()))?;
        rows.extend(of_file(&file, &text)?);
    }
    Ok(rows)
}

fn of_file(file: &Path, text: &str) -> Result<Vec<Row>> {
    let syntax =
        syn::parse_file(text).with_context(|| format!("{} is not Rust", file.display()))?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut rows = Vec::new();
    let mut add = |module: &str, items: &[Item]| {
        for item in items {
            // `const _` asserts something.
            if let Item::Const(constant) = item
                && constant.ident != "_"
            {
                rows.push(row(file, text, module, constant));
            }
        }
    };
    add(&stem, &syntax.items);
    for item in &syntax.items {
        if let Item::Mod(inner) = item
            && let Some((_, items)) = &inner.content
        {
            add(&inner.ident.to_string(), items);
        }
    }
    Ok(rows)
}

fn row(file: &Path, text: &str, module: &str, constant: &ItemConst) -> Row {
    let place = |at: proc_macro2::LineColumn| {
        let lines = text.split_inclusive('\n').take(at.line - 1);
        let before: usize = lines.map(str::len).sum();
        let columns = text[before..].chars().take(at.column);
        before + columns.map(char::len_utf8).sum::<usize>()
    };
    let start = place(constant.eq_token.span.end());
    let range = start..place(constant.semi_token.span.start());
    Row {
        name: format!("{module}::{}", constant.ident),
        value: text[range.clone()].trim().to_string(),
        doc: constant
            .attrs
            .iter()
            .filter_map(line)
            .collect::<Vec<_>>()
            .join(" "),
        file: file.to_path_buf(),
        range,
    }
}

/// A line of a comment for documentation.
fn line(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
            Expr::Lit(text) => match &text.lit {
                Lit::Str(text) => Some(text.value().trim().to_string()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The row of a name, or of a constant's name that only one has.
pub fn find<'r>(rows: &'r [Row], name: &str) -> Result<&'r Row> {
    let ends = |r: &&Row| r.name == name || r.name.rsplit(':').next() == Some(name);
    let found: Vec<&Row> = rows.iter().filter(ends).collect();
    match found[..] {
        [one] => Ok(one),
        [] => bail!("no row is called {name}: `cargo xtask tune` prints all"),
        _ => {
            let names: Vec<&str> = found.iter().map(|r| r.name.as_str()).collect();
            bail!("{name} may be {}", names.join(" or "))
        }
    }
}

impl Row {
    /// Half and twice a plain number.
    pub fn neighbours(&self) -> Option<Vec<String>> {
        let plain = self.value.replace('_', "");
        if let Ok(n) = plain.parse::<u64>() {
            return Some(vec![(n / 2).to_string(), (n * 2).to_string()]);
        }
        let x = plain.parse::<f64>().ok()?;
        Some(vec![format!("{:?}", x / 2.0), format!("{:?}", x * 2.0)])
    }

    /// As an item of a list in Markdown; links between comments are names.
    pub fn item(&self) -> String {
        let doc = self.doc.replace("[`", "`").replace("`]", "`");
        format!("`{} = {}`: {doc}", self.name, self.value)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} = {}: {} ({})",
            self.name,
            self.value,
            self.doc,
            self.file.display()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{all, find};
    use crate::project;

    #[test]
    fn rows_have_names_values_and_what_is_written_above_them() {
        let rows = all(&project::root()).unwrap();
        let row = find(&rows, "reshape::EACH").unwrap();
        let text = std::fs::read_to_string(project::root().join(&row.file)).unwrap();
        assert_eq!(text[row.range.clone()].trim(), row.value);
        assert_eq!(row.neighbours().unwrap().len(), 2);
        assert!(find(&rows, "THREADS").is_err() && find(&rows, "none").is_err());
        let silent: Vec<String> = rows
            .iter()
            .filter(|r| r.doc.is_empty())
            .map(|r| r.name.clone())
            .collect();
        assert!(silent.is_empty(), "rows that say nothing: {silent:?}");
    }
}
