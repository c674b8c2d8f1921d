//! Holds the remarks of `mesi<force>` on every corpus kernel against its header's `[expect]`.
//!
//! The header calls arrays as the source does; clang drops those names in release builds, and the
//! plug-in then says `arg1` for the second parameter and `arg0+8` for the pointer at byte 8 of a
//! struct passed by value. An array that `[expect]` does not name may end either way, so a kernel
//! without `[expect]` has no test here.
//!
//! `cargo test --test corpus_expect -- mavg` compiles one kernel.

mod support;

use mesi_launch::{Arg, Corpus, Size};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the tests of one run share.
struct Tools {
    plugin: PathBuf,
    cuda: Option<PathBuf>,
}

fn main() {
    let tools = Arc::new(Tools {
        plugin: support::plugin(),
        cuda: support::cuda(),
    });
    let folder = support::root().join("corpus");
    let kernels = support::files_under(&folder, &["cu"]);
    assert!(!kernels.is_empty(), "{} is empty", folder.display());
    let tests = kernels
        .into_iter()
        .filter(|file| is_expected(file))
        .map(|file| {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            let tools = tools.clone();
            let skip = tools.cuda.is_none();
            support::test(name.into_owned(), skip, move || compare(&tools, &file))
        })
        .collect();
    let arguments: Vec<String> = std::env::args().collect();
    tester::test_main(&arguments, tests, None);
}

/// Whether the header expects anything; one that cannot be read gets a test, which says why.
fn is_expected(file: &Path) -> bool {
    Corpus::read(file).map_or(true, |c| !c.expect.is_empty())
}

fn compare(tools: &Tools, file: &Path) {
    let corpus = Corpus::read(file).unwrap_or_else(|e| panic!("{e}"));
    let log = compile(tools, file);
    let said = verdicts(&log, &corpus);
    let mut wrong = Vec::new();
    for (array, expected) in &corpus.expect {
        let got = said
            .get(array)
            .map_or("no remark".to_string(), |v| v.join(" and "));
        if got != *expected {
            wrong.push(format!(
                "{}: array {array}: expected {expected}, got {got}",
                file.display()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}\n{log}", wrong.join("\n"));
}

/// Everything clang says while it compiles `file` for the device with `force`.
fn compile(tools: &Tools, file: &Path) -> String {
    let cuda = tools.cuda.as_ref().expect("skipped without CUDA");
    let mut clang = support::device_clang(cuda, "sm_80");
    clang
        .args(["-S", "-emit-llvm"])
        .arg(format!("-fpass-plugin={}", tools.plugin.display()))
        .args(["-mllvm", "-mesi-force"])
        .args(["-Rpass=mesi", "-Rpass-missed=mesi", "-o", "/dev/null"])
        .arg(file);
    let output = support::without_knobs(&mut clang)
        .output()
        .unwrap_or_else(|e| panic!("cannot run {clang:?}: {e}"));
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success(),
        "{clang:?}: {}\n{log}",
        output.status
    );
    log
}

/// `staged` or the reason's name for each array of the header's kernel that was remarked on.
fn verdicts(log: &str, corpus: &Corpus) -> BTreeMap<String, Vec<String>> {
    let names = header_names(corpus);
    let mut said: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in log.lines() {
        let Some((_, remark)) = line.split_once(": remark: ") else {
            continue;
        };
        let (what, rest) = match remark.strip_prefix("not staged: '") {
            Some(rest) => (reason(rest), rest),
            None => match remark.strip_prefix("staged '") {
                Some(rest) => (Some("staged"), rest),
                None => continue,
            },
        };
        let parts = rest.split_once("' in ");
        let (array, kernel) = parts.unwrap_or_else(|| panic!("a remark without array: {line}"));
        if kernel.split(':').next() != Some(&corpus.kernel) {
            continue;
        }
        let what = what.unwrap_or_else(|| panic!("a remark without reason: {line}"));
        let array = names.get(array).map_or(array, String::as_str);
        said.entry(array.into()).or_default().push(what.into());
    }
    said
}

/// The name in the last parentheses before the flag: `... only written (OnlyStored) [-Rpass-...]`.
fn reason(remark: &str) -> Option<&str> {
    let before = remark.rsplit_once(") [").map_or(remark, |(b, _)| b);
    before.rsplit_once('(').map(|(_, name)| name)
}

/// The header's name of each array, by the plug-in's.
fn header_names(corpus: &Corpus) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let cases = corpus.cases(Size::Large);
    for (i, argument) in cases.iter().take(1).flat_map(|c| &c.args).enumerate() {
        if let Arg::Struct { fields, .. } = argument {
            for (offset, field) in fields {
                names.insert(format!("arg{i}+{offset}"), field.name().to_string());
                let named = format!("{}+{offset}", argument.name());
                names.insert(named, field.name().to_string());
            }
        }
        names.insert(format!("arg{i}"), argument.name().to_string());
    }
    names
}
