//! A version in a module's text: broken line by line, and held against its kernel.

use anyhow::{Context as _, Result};
use mesi_launch::{Corpus, Size, VERSION};
use mesi_oracle::{Kernel, Program, Reference, Schedule};

use crate::blocks::{Edit, each_line};

/// The name of the first version in `staged`.
pub fn first(staged: &str) -> Result<String> {
    let first = format!("{VERSION}0\"(");
    let mut heads = staged.lines().filter(|l| l.starts_with("define"));
    let head = heads.find(|l| l.contains(&first)).context("no version")?;
    let name = head.split('"').nth(1).context("a name in quotes")?;
    Ok(name.to_string())
}

/// The module's texts with one line of `version` broken by `edit`, each.
pub fn broken(staged: &str, version: &str, edit: Edit) -> Result<Vec<String>> {
    let head = format!("@\"{version}\"(");
    let is_head = |l: &str| l.starts_with("define") && l.contains(&head);
    let mut lines = staged.lines();
    let start = lines.position(is_head).context("no version")?;
    let length = lines.position(|l| l == "}").context("no end")? + 1;
    Ok(each_line(staged, start..start + length, edit))
}

/// Whether `version`, as `mutant` has it, gives other bits than its kernel in `staged` on some small case.
pub fn differs(corpus: &Corpus, staged: &str, mutant: &str, version: &str) -> bool {
    let load =
        |name: &str, text: &str| Program::parse("mutant", text.as_bytes(), Kernel::Named(name));
    let original = version.split_once('$').expect("a version").0;
    let mut original = load(original, staged).expect("loads");
    // What does not compile is no mutant.
    let Ok(mut mutant) = load(version, mutant) else {
        return false;
    };
    corpus.cases(Size::Small).iter().any(|case| {
        let reference = Reference::new(&mut original, case, &[Schedule::Forward]).expect("runs");
        reference.diff(&mut mutant).map_or(true, |d| !d.is_empty())
    })
}
