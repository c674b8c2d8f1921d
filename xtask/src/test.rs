//! `cargo xtask test`: the set-up, then everything CI holds the project to.

use std::process::Command;
use std::time::Instant;

use anyhow::Result;

use crate::{corpus, project, setup};

/// The profile tests are built with: optimised, because the oracle runs thousands of launches,
/// with overflow and debug checks left on.
pub const PROFILE: &str = "ci";

/// Runs the command.
pub fn test() -> Result<()> {
    // A malformed header fails here, by its own line, before minutes of building.
    corpus::read(&[])?;
    let tools = setup::setup()?;
    step(
        "formatting",
        project::cargo().args(["fmt", "--all", "--check"]),
    )?;
    step(
        "lints",
        project::cargo().args([
            "clippy",
            "--quiet",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]),
    )?;
    if project::starts("cargo-deny", "--version") {
        step(
            "licences and advisories",
            project::cargo().args([
                "deny",
                "--workspace",
                "check",
                "licenses",
                "bans",
                "sources",
            ]),
        )?;
    } else {
        eprintln!("test: licences: skipped, cargo-deny is not installed");
    }
    step(
        "building",
        with(
            &tools,
            project::cargo().args(["build", "--quiet", "--workspace", "--profile", PROFILE]),
        ),
    )?;
    step(
        "tests",
        with(
            &tools,
            project::cargo().args(["test", "--workspace", "--profile", PROFILE]),
        ),
    )
}

/// Re-blesses the golden PTX: the same tests, told to write instead of compare.
pub fn bless() -> Result<()> {
    let tools = setup::setup()?;
    let mut tests = project::cargo();
    tests
        .args(["test", "--package", "mesi", "--profile", PROFILE])
        .env("MESI_BLESS", "1");
    step("blessing", with(&tools, &mut tests))
}

/// Tells tests where CUDA is; `MESI_REQUIRE_CUDA` turns a skipped assembly into a failure.
pub fn with<'c>(tools: &setup::Toolchain, command: &'c mut Command) -> &'c mut Command {
    command
        .env("CUDA_PATH", &tools.cuda)
        .env("LLVM_SYS_221_PREFIX", &tools.llvm)
        .env("MESI_REQUIRE_CUDA", "1")
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
