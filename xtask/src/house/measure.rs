//! The rows: what is counted where.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};

use super::imports::Edge;
use super::source::{Sources, crate_roots};
use super::table::{Held, Row};
use super::words::Counts;
use super::{circles, fields, functions, homes, imports, modules, numbers, places, rooms, words};
use crate::project;

/// Lines of a file, and columns of a line, that are no reason to look.
const LONGEST_FILE: usize = 500;
const WIDEST: usize = 120;

/// What all crates' modules say.
#[derive(Default)]
struct Imports {
    edges: Vec<Edge>,
    /// Files that name LLVM's bindings, and where.
    of_llvm: Vec<(String, usize)>,
    /// Files that are not for tests alone.
    files: BTreeSet<String>,
}

/// Files of `src/` that are not for tests alone.
type Code<'s> = [(&'s str, &'s syn::File)];

/// All rows.
pub fn all() -> Result<Vec<Row>> {
    let root = project::root();
    let sources = Sources::below(&root)?;
    let mut found = Imports::default();
    for start in crate_roots()? {
        let tree = modules::read(&sources, &start)?;
        found.edges.extend(imports::edges(&tree));
        found
            .files
            .extend(tree.modules.iter().map(|m| m.file.clone()));
        found
            .of_llvm
            .extend(imports::uses_of_crates(&tree, &places::LLVM_CRATES));
    }
    let code: Vec<(&str, &syn::File)> = sources
        .under("src/")
        .filter(|(path, _)| found.files.contains(*path))
        .map(|(path, source)| (path, &source.syntax))
        .collect();
    let mut rows = circle_rows(&found.edges);
    rows.extend([
        field_row(&code, "plan-fields", places::is_planning),
        field_row(&code, "emission-fields", places::is_emission),
        number_row(&code),
        llvm_row(&found),
        transform_row(&found.edges),
        home_row(&code),
        walker_row(&code),
        room_row(&code, &modules::read(&sources, "src/lib.rs")?),
    ]);
    rows.extend(document_rows()?);
    rows.extend([
        wide_row(&sources),
        word_row(&sources),
        long_function_row(&code),
        line_row(&sources),
        long_file_row(&sources),
    ]);
    Ok(rows)
}

fn row(key: &'static str, what: &'static str, asked: usize, details: Vec<String>) -> Row {
    Row {
        key,
        what,
        now: details.len(),
        asked: Some(asked),
        held: Held::Exactly,
        details,
    }
}

fn circle_rows(edges: &[Edge]) -> Vec<Row> {
    let show = |e: &Edge| format!("\n    {}:{} needs {} for {}", e.from, e.line, e.to, e.path);
    let all = |edges: &[Edge]| edges.iter().map(show).collect::<String>();
    let circles = circles::find(edges);
    let details = circles.iter().map(|c| {
        let (files, cut, held) = (c.files.join(" "), all(&c.to_cut), all(&c.held_by));
        let count = c.files.len();
        format!("{count} files: {files}\n  ends if cut:{cut}\n  held by:{held}")
    });
    let what = "import circles among files";
    let files = circles.iter().flat_map(|c| c.files.clone()).collect();
    vec![
        // One that falls apart may leave two smaller ones.
        Row {
            held: Held::Free,
            ..row("circles", what, 0, details.collect())
        },
        row("circle-files", "files in such circles", 0, files),
    ]
}

fn field_row(code: &Code, key: &'static str, is_in: fn(&str) -> bool) -> Row {
    let files = code.iter().filter(|(path, _)| is_in(path));
    let all = fields::count(files.map(|(_, file)| *file));
    let largest = all.iter().take(12).map(|c| {
        let bags = match c.bags.len() {
            0 => String::new(),
            _ => format!(", with those of {}", c.bags.join(", ")),
        };
        format!("{} has {} fields{bags}", c.name, c.count)
    });
    let (what, asked) = match key {
        "plan-fields" => ("fields of the largest struct in planning", 9),
        _ => ("fields of the largest struct in emission", 16),
    };
    Row {
        now: all.first().map_or(0, |c| c.count),
        ..row(key, what, asked, largest.collect())
    }
}

fn number_row(code: &Code) -> Row {
    let homeless = code
        .iter()
        .filter(|(path, _)| places::may_be_fitted(path) && !places::is_machine(path));
    let found = homeless.flat_map(|(path, file)| {
        let numbers = numbers::find(file).into_iter();
        numbers.map(move |n| format!("{path}:{} {}", n.line, n.name))
    });
    let what = "numeric constants outside machine/, but widths, sentinels, bounds";
    row("numbers", what, 0, found.collect())
}

fn llvm_row(found: &Imports) -> Row {
    let within = found.edges.iter().filter(|e| places::is_llvm(&e.to));
    let within = within.map(|e| (&e.from, e.line, e.path.as_str()));
    let outside = found.of_llvm.iter().map(|(f, line)| (f, *line, "a crate"));
    let mut files: Vec<_> = within
        .chain(outside)
        .filter(|(file, ..)| places::is_planning(file))
        .collect();
    files.sort();
    files.dedup_by_key(|(file, ..)| *file);
    let details = files.iter().map(|(f, l, p)| format!("{f}:{l} {p}"));
    let what = "planning files that import LLVM bindings";
    row("llvm-in-plans", what, 0, details.collect())
}

fn transform_row(edges: &[Edge]) -> Row {
    let wrong = edges.iter().filter(|e| {
        let (from, to) = (places::transform(&e.from), places::transform(&e.to));
        to.is_some() && from != to && (from.is_some() || places::is_below_transforms(&e.from))
    });
    let details = wrong.map(|e| format!("{}:{} needs {} for {}", e.from, e.line, e.to, e.path));
    let what = "imports of a transformation by another, or by what they rest on";
    row("transforms", what, 0, details.collect())
}

fn home_row(code: &Code) -> Row {
    let what = "parts that homes of transformations lack without a reason";
    row(
        "homes",
        what,
        0,
        homes::lacks(code.iter().map(|(path, _)| *path)),
    )
}

fn walker_row(code: &Code) -> Row {
    let files = code.iter().filter(|(path, _)| places::is_emission(path));
    let found = files.flat_map(|(path, file)| {
        let walkers = functions::walkers(file).into_iter();
        walkers.map(move |f| format!("{path}:{} {}: {} kinds", f.line, f.name, f.count))
    });
    row("walkers", "tree walkers in emission", 1, found.collect())
}

fn room_row(code: &Code, plugin: &modules::Tree) -> Row {
    let what = "visits of an access's index to files, from lifting to emission";
    Row {
        held: Held::By(10),
        ..row("rooms", what, 60, rooms::visits(code, plugin))
    }
}

fn document_rows() -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut wide = Vec::new();
    let documents = [
        ("readme-lines", "lines of README.md", "README.md"),
        (
            "architecture-lines",
            "lines of ARCHITECTURE.md",
            "src/ARCHITECTURE.md",
        ),
    ];
    for (key, what, file) in documents {
        let text = std::fs::read_to_string(project::root().join(file))
            .with_context(|| format!("{file} cannot be read"))?;
        wide.extend(wide_lines(file, &text));
        rows.push(Row {
            now: text.lines().count(),
            ..row(key, what, 150, Vec::new())
        });
    }
    let what = "lines of both that are wider than 120 columns";
    rows.push(row("wide-documents", what, 0, wide));
    Ok(rows)
}

fn wide_row(sources: &Sources) -> Row {
    let all = sources.under("src/");
    let wide = all.flat_map(|(path, source)| wide_lines(path, &source.text));
    let what = "lines of src/ that are wider than 120 columns";
    row("wide-source", what, 0, wide.collect())
}

fn wide_lines(path: &str, text: &str) -> Vec<String> {
    let widths = text.lines().map(|l| l.chars().count()).enumerate();
    let wide = widths.filter(|(_, width)| *width > WIDEST);
    wide.map(|(line, width)| format!("{path}:{} {width} columns", line + 1))
        .collect()
}

fn word_row(sources: &Sources) -> Row {
    let mut counts = Counts::new();
    for (_, source) in sources.under("src/") {
        words::count(&source.text, &mut counts);
    }
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by_key(|(word, count)| (std::cmp::Reverse(**count), **word));
    let details = sorted.iter().map(|(word, count)| {
        let term = words::term(word);
        format!("{count:6} {word} → {term}")
    });
    Row {
        now: counts.values().sum(),
        held: Held::By(100),
        ..row(
            "words",
            "private words in identifiers of src/",
            0,
            details.collect(),
        )
    }
}

fn long_function_row(code: &Code) -> Row {
    let found = code.iter().flat_map(|(path, file)| {
        let long = functions::long(file).into_iter();
        long.map(move |f| format!("{path}:{} {}: {} lines", f.line, f.name, f.count))
    });
    let what = "functions of src/ over 60 lines";
    row("long-functions", what, 5, found.collect())
}

fn line_row(sources: &Sources) -> Row {
    let lines = |s: &str| s.lines().count();
    let files: Vec<_> = sources.under("src/").collect();
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(f, _)| f).to_string();
    let mut folders = BTreeMap::<String, usize>::new();
    for (path, source) in &files {
        *folders.entry(folder(path)).or_default() += lines(&source.text);
    }
    let details = folders
        .iter()
        .map(|(folder, lines)| format!("{lines:6} {folder}"));
    Row {
        now: folders.values().sum(),
        asked: None,
        held: Held::By(500),
        ..row("lines", "lines of Rust in src/", 0, details.collect())
    }
}

fn long_file_row(sources: &Sources) -> Row {
    let files = sources.under("").map(|(p, s)| (p, s.text.lines().count()));
    let long = files.filter(|(_, lines)| *lines > LONGEST_FILE);
    let details = long.map(|(path, lines)| format!("{path}: {lines} lines"));
    row(
        "long-files",
        "Rust files over 500 lines",
        0,
        details.collect(),
    )
}
