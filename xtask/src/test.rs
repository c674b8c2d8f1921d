//! `cargo xtask test`: the set-up, then everything CI holds the project to.

use std::process::Command;
use std::time::Instant;

use anyhow::Result;

use crate::building::{PROFILE, cargo, with};
use crate::{corpus, cpu, identity, project, setup, site};

/// The same kernels on every run, so that a failure is this change's.
const FUZZ: [&str; 4] = ["--count", "2000", "--seed", "1"];

/// Runs the command.
pub fn test() -> Result<()> {
    // A malformed header fails here, by its own line, before minutes of building.
    corpus::read(&[])?;
    let tools = setup::setup()?;
    setup::for_tests(&tools)?;
    optional("formatting", "fmt", &mut cargo("fmt --all --check"))?;
    let mut clippy = cargo("clippy --quiet --workspace --all-targets -- -D warnings");
    optional("lints", "clippy", with(&tools, &mut clippy))?;
    let mut licences = cargo("deny --workspace check licenses bans sources");
    optional("licences", "deny", &mut licences)?;
    let mut build = cargo("build --quiet --workspace --profile");
    step("building", with(&tools, build.arg(PROFILE)))?;
    let mut tests = cargo("test --workspace --no-fail-fast --profile");
    step("tests", with(&tools, tests.arg(PROFILE)))?;
    site::build_book(PROFILE)?;
    cpu::compare(&tools, &[])?;
    let mut fuzz = cargo("run --quiet --package mesi-fuzz --profile");
    fuzz.args([PROFILE, "--"]).args(FUZZ);
    step("2000 random kernels", with(&tools, &mut fuzz))?;
    // Last: it fails until every kernel is clang's.
    identity::small()
}

/// Re-blesses the golden PTX: the same tests, told to write instead of compare.
pub fn bless() -> Result<()> {
    let tools = setup::setup()?;
    let mut tests = cargo("test --package mesi --test ptx_golden --profile");
    tests.arg(PROFILE).env("MESI_BLESS", "1");
    step("blessing", with(&tools, &mut tests))
}

/// A step of a cargo subcommand that a minimal Rust does not have; said aloud when skipped.
fn optional(what: &str, subcommand: &str, command: &mut Command) -> Result<()> {
    let asked = project::output(cargo(subcommand).arg("--version"))?;
    if asked.status.success() {
        return step(what, command);
    }
    eprintln!("test: {what}: skipped, cargo {subcommand} is not installed");
    Ok(())
}

fn step(what: &str, command: &mut Command) -> Result<()> {
    eprintln!("test: {what}");
    let start = Instant::now();
    project::run(command)?;
    eprintln!(
        "test: {what}: passed in {:.0} s",
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
