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
    let mut tools = setup::setup()?;
    tools.lints = is_installed("clippy")?;
    let mut stages = Stages::default();
    let result = all(&tools, &mut stages);
    stages.report();
    result
}

/// All stages; the first that fails ends them.
fn all(tools: &Toolchain, stages: &mut Stages) -> Result<()> {
    optional(stages, "formatting", "fmt", &mut cargo("fmt --all --check"))?;
    let mut licences = cargo("deny --workspace check licenses bans sources");
    optional(stages, "licences", "deny", &mut licences)?;
    let what = match tools.lints {
        true => "building tests, lints",
        false => "building tests (no lints: cargo clippy is not installed)",
    };
    // The tests first, with all that they need: so the plug-in and its unit tests are compiled beside each other.
    // Downloads and mdBook, beside what keeps the compiler busy.
    stages.run(what, || {
        std::thread::scope(|scope| {
            let programs = scope.spawn(|| {
                let installed = setup::for_tests(tools);
                // If that fails, the book's own stage says why.
                drop(site::prepare());
                installed
            });
            programs::build(tools)?;
            let installed = programs.join();
            installed.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })?;
    // What tests do not need, `xtask` without its tests among it: clippy looks at that, too.
    let mut build = cargo("build --quiet --workspace --profile");
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
    if is_installed(subcommand)? {
        return stages.command(what, command);
    }
    eprintln!("test: {what}: skipped, cargo {subcommand} is not installed");
    Ok(())
}

/// Whether cargo has a subcommand.
fn is_installed(subcommand: &str) -> Result<bool> {
    let version = project::output(cargo(subcommand).arg("--version"))?;
    Ok(version.status.success())
}
