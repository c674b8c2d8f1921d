//! `cargo xtask test`: the set-up, then everything CI holds the project to.

use std::process::Command;

use anyhow::Result;

use crate::building::{PROFILE, cargo, with};
use crate::setup::Toolchain;
use crate::stage::Stages;
use crate::{corpus, cpu, identity, programs, project, setup, site};

/// The same kernels on every run, so that a failure is this change's.
const FUZZ: [&str; 4] = ["--count", "2000", "--seed", "1"];

/// Runs the command.
pub fn test() -> Result<()> {
    // A malformed header fails here, by its own line, before minutes of building.
    corpus::read(&[])?;
    let tools = setup::setup()?;
    setup::for_tests(&tools)?;
    let mut stages = Stages::default();
    let result = all(&tools, &mut stages);
    stages.report();
    result
}

/// All stages; the first that fails ends them.
fn all(tools: &Toolchain, stages: &mut Stages) -> Result<()> {
    optional(stages, "formatting", "fmt", &mut cargo("fmt --all --check"))?;
    // Most of the lints' time one crate is looked at, by one processor: mdBook is built by the other.
    std::thread::scope(|scope| {
        // If that fails, the book's own stage says why.
        scope.spawn(|| drop(site::prepare()));
        // In the profile of the tests: what build scripts make is made once.
        let mut clippy = cargo("clippy --quiet --workspace --all-targets --profile");
        clippy.args([PROFILE, "--", "-D", "warnings"]);
        optional(stages, "lints, mdBook", "clippy", with(tools, &mut clippy))
    })?;
    let mut licences = cargo("deny --workspace check licenses bans sources");
    optional(stages, "licences", "deny", &mut licences)?;
    // The tests first, with all that they need: so the plug-in and its unit tests are compiled beside each other.
    stages.run("building tests", || programs::build(tools))?;
    // This program runs already.
    let mut build = cargo("build --quiet --workspace --exclude xtask --profile");
    stages.command("building", with(tools, build.arg(PROFILE)))?;
    stages.run("tests", || programs::run(tools))?;
    stages.run("book", || site::build_book(PROFILE))?;
    stages.run("corpus on the CPU", || cpu::compare(tools, &[]))?;
    // The programs of the workspace's build: cargo would make others for a package alone.
    let built = project::target_dir()?.join(PROFILE);
    let mut fuzz = Command::new(built.join("mesi-fuzz"));
    fuzz.current_dir(project::root()).args(FUZZ);
    stages.command("2000 random kernels", with(tools, &mut fuzz))?;
    // Last: it fails until every kernel is clang's.
    stages.run("identity", || identity::small(built.join("libmesi.so")))
}

/// Re-blesses the golden PTX: the same tests, told to write instead of compare.
pub fn bless() -> Result<()> {
    let tools = setup::setup()?;
    let mut tests = cargo("test --package mesi --test ptx_golden --profile");
    tests.arg(PROFILE).env("MESI_BLESS", "1");
    Stages::default().command("blessing", with(&tools, &mut tests))
}

/// A stage of a cargo subcommand that a minimal Rust does not have; said aloud when skipped.
fn optional(
    stages: &mut Stages,
    what: &str,
    subcommand: &str,
    command: &mut Command,
) -> Result<()> {
    let asked = project::output(cargo(subcommand).arg("--version"))?;
    if asked.status.success() {
        return stages.command(what, command);
    }
    eprintln!("test: {what}: skipped, cargo {subcommand} is not installed");
    Ok(())
}
