//! The workspace's test programs, two at a time.
//!
//! `cargo test` runs one program after the other, so all processors but one are idle while the last test of each
//! runs. Here cargo builds the programs and says where they are; what they are given is what cargo would give them.
//! Each uses all processors by itself, so more than two at a time gain nothing.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::building::{PROFILE, cargo, with};
use crate::setup::Toolchain;
use crate::{parallel, project};

/// Those that take longest, first: a long one that begins last would run alone.
const LONG: [&str; 12] = [
    "llvm",
    "kernels",
    "source",
    "programs",
    "host_blocks",
    "mutations",
    "corpus_expect",
    "run_time",
    "documents",
    "report",
    "nvcc",
    // Behind `host_blocks`, whose kernels it reads.
    "host_choice",
];

/// One test program.
#[derive(Debug, PartialEq)]
struct Program {
    /// Its name, without cargo's hash.
    name: String,
    file: PathBuf,
    /// The folder of its package, where it is run.
    package: PathBuf,
}

/// Builds all test programs; [`run`] builds what is left.
pub fn build(tools: &Toolchain) -> Result<()> {
    let mut build = cargo("test --quiet --workspace --no-run --profile");
    project::run(with(tools, build.arg(PROFILE)))
}

/// Runs all test programs, all to their end, and the examples in the documentation.
pub fn run(tools: &Toolchain) -> Result<()> {
    let mut list = cargo("test --workspace --no-run --message-format json --profile");
    let messages = project::capture(with(tools, list.arg(PROFILE)))?;
    let mut programs = programs(&messages);
    let rank = |p: &Program| LONG.iter().position(|name| p.name == *name);
    programs.sort_by_key(|p| rank(p).unwrap_or(LONG.len()));
    if programs.is_empty() {
        bail!("cargo names no test program");
    }
    let failed = Mutex::new(Vec::new());
    let mut examples = cargo("test --quiet --workspace --doc --profile");
    with(tools, examples.arg(PROFILE));
    let examples = std::thread::scope(|scope| {
        // One processor's work, and little of it.
        let examples = scope.spawn(|| project::run(&mut examples));
        parallel::map_on(Some(2), "test programs", &programs, |program| {
            if !passes(tools, program)? {
                let mut failed = failed.lock().unwrap_or_else(|e| e.into_inner());
                failed.push(program.name.clone());
            }
            Ok(())
        })?;
        let ended = examples.join();
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    let failed = failed.into_inner().unwrap_or_else(|e| e.into_inner());
    if !failed.is_empty() {
        bail!("tests fail in {}", failed.join(", "));
    }
    examples
}

/// Whether all tests of a program pass; what it printed is printed in one piece.
fn passes(tools: &Toolchain, program: &Program) -> Result<bool> {
    let start = Instant::now();
    let mut command = Command::new(&program.file);
    command
        .current_dir(&program.package)
        .env("CARGO_MANIFEST_DIR", &program.package)
        .env("LD_LIBRARY_PATH", libraries(&program.file)?);
    let output = project::output(with(tools, &mut command))?;
    let said = [output.stdout, output.stderr].concat();
    eprintln!(
        "     Running {}\n{}\n{} in {:.0} s: {}",
        program.file.display(),
        String::from_utf8_lossy(&said),
        program.name,
        start.elapsed().as_secs_f64(),
        output.status
    );
    Ok(output.status.success())
}

/// Where the program finds shared libraries: beside it first, as under cargo.
fn libraries(file: &Path) -> Result<std::ffi::OsString> {
    let beside = file.parent().map(Path::to_path_buf);
    let given = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let all = beside.into_iter().chain(std::env::split_paths(&given));
    std::env::join_paths(all).context("a folder's name has a colon")
}

/// The test programs among cargo's messages, one JSON object a line.
fn programs(messages: &str) -> Vec<Program> {
    let messages = messages
        .lines()
        .filter_map(|l| serde_json::from_str(l).ok());
    messages.filter_map(|m| program(&m)).collect()
}

fn program(message: &Value) -> Option<Program> {
    let is_test = message["profile"]["test"].as_bool()?;
    let file = message["executable"].as_str().filter(|_| is_test)?;
    let manifest = Path::new(message["manifest_path"].as_str()?);
    Some(Program {
        name: message["target"]["name"].as_str()?.to_string(),
        file: file.into(),
        package: manifest.parent()?.to_path_buf(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_test_programs_are_run() {
        let line = |test: bool, file: &str| {
            format!(
                r#"{{"manifest_path":"/a/Cargo.toml","target":{{"name":"t"}},"profile":{{"test":{test}}},"executable":{file}}}"#
            )
        };
        let lines = [
            line(true, "\"/t-1\""),
            line(false, "\"/t\""),
            line(true, "null"),
            r#"{"reason":"build-finished","success":true}"#.to_string(),
        ];
        let expected = Program {
            name: "t".into(),
            file: "/t-1".into(),
            package: "/a".into(),
        };
        assert_eq!(programs(&lines.join("\n")), [expected]);
    }
}
