//! `cargo xtask bench`: builds a bundle, runs it where there is a GPU, and keeps the report.
//!
//! Measuring and compiling are two machines as a rule, so a bundle is one folder that needs a driver
//! and nothing else: `--bundle` here, `DIR/run --json F` there, `--report F` here again.

pub mod bundle;
mod compile_time;
mod cubin;
mod plan;
pub mod unseen;
mod variants;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use mesi_bench::first::PROGRAM as FIRST;
use mesi_bench::report;
use mesi_bench::results::Results;

use crate::{compile, corpus, demo, gpu, project, setup};

/// Command-line choices.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    other: Option<Other>,
    /// Only build a bundle in this folder, to be run elsewhere
    #[arg(long)]
    bundle: Option<PathBuf>,
    /// Only write the report of these results, made by a bundle's `run --json`
    #[arg(long, conflicts_with = "bundle")]
    report: Option<PathBuf>,
    /// Where the report goes
    #[arg(long, default_value = "docs/bench")]
    docs: PathBuf,
    /// GPU architecture of the cubins; by default this machine's, else sm_90
    #[arg(long)]
    arch: Option<String>,
    /// Only kernels whose file name contains this; may be given several times
    #[arg(long)]
    filter: Vec<String>,
    /// Cargo profile of plug-in and runner
    #[arg(long, default_value = "ci")]
    profile: String,
    /// Use this plug-in instead of building one
    #[arg(long)]
    plugin: Option<PathBuf>,
    /// One more variant, by the plug-in's knobs: `merge=2x2x1` or `force,strip=16`; may be given several times
    #[arg(long, value_name = "KNOBS")]
    with: Vec<String>,
    /// Only clang and the plug-in (and variants of --with): a fifth of the compilations
    #[arg(long)]
    pair: bool,
    /// Also a program of all kernels, for `run --first`: as many compilations again as --pair
    #[arg(long, conflicts_with = "unseen")]
    first: bool,
    /// In place of the corpus, so many kernels drawn at random; see docs/unseen.md
    #[arg(long, value_name = "N", requires = "seed")]
    unseen: Option<usize>,
    /// The seed they are drawn by
    #[arg(long)]
    seed: Option<u64>,
    /// Only compile the unseen kernels and compare their small cases on the CPU
    #[arg(long, requires = "unseen")]
    check: bool,
    /// Fewer rows and samples, under 90 seconds
    #[arg(long)]
    quick: bool,
}

#[derive(Debug, Subcommand)]
enum Other {
    /// What the plug-in adds to clang's wall time
    CompileTime(compile_time::Arguments),
}

/// Runs the command.
pub fn bench(arguments: &Arguments) -> Result<()> {
    if let Some(Other::CompileTime(arguments)) = &arguments.other {
        return compile_time::compile_time(arguments);
    }
    if let Some(results) = &arguments.report {
        return report(results, &arguments.docs);
    }
    if let (Some(count), Some(seed)) = (arguments.unseen, arguments.seed) {
        return unseen(arguments, count, seed);
    }
    let gpu = gpu::find();
    if arguments.bundle.is_none() && gpu.is_none() {
        bail!(
            "no GPU here: build a bundle by --bundle DIR and run DIR/run on a machine that has one"
        );
    }
    let arch = match (&arguments.arch, &gpu) {
        (Some(arch), _) => arch.clone(),
        (None, Some(gpu)) => gpu.arch(),
        (None, None) => "sm_90".into(),
    };
    compile::check_architectures(std::slice::from_ref(&arch))?;
    let folder = match &arguments.bundle {
        Some(folder) => folder.clone(),
        None => project::target_dir()?.join("bench/bundle"),
    };
    build(arguments, &arch, &folder)?;
    match arguments.bundle {
        Some(_) => Ok(()),
        None => run(arguments, &folder),
    }
}

/// The bench of kernels that nobody tuned on: checked here, or built as a folder to run.
fn unseen(arguments: &Arguments, count: usize, seed: u64) -> Result<()> {
    if arguments.check {
        return unseen::check(&setup::setup()?, seed, count);
    }
    let Some(folder) = &arguments.bundle else {
        bail!("unseen kernels need --bundle DIR (run DIR/run where there is a GPU), or --check");
    };
    let arch = arguments.arch.clone().unwrap_or("sm_90".into());
    compile::check_architectures(std::slice::from_ref(&arch))?;
    let plugin = match &arguments.plugin {
        Some(plugin) => std::path::absolute(plugin).context("the plug-in's path is wrong")?,
        None => demo::build_plugin_as(&arguments.profile)?,
    };
    let recipe = unseen::Recipe {
        tools: &setup::setup()?,
        arch: &arch,
        plugin: &plugin,
        profile: &arguments.profile,
    };
    recipe.build(seed, count, folder)
}

fn build(arguments: &Arguments, arch: &str, folder: &Path) -> Result<()> {
    let kernels = corpus::read(&arguments.filter)?;
    let tools = setup::setup()?;
    let plugin = match &arguments.plugin {
        Some(plugin) => std::path::absolute(plugin).context("the plug-in's path is wrong")?,
        None => demo::build_plugin_as(&arguments.profile)?,
    };
    let variants = variants::of(&tools, arch, &plugin, &arguments.with, arguments.pair)?;
    bundle::build(&bundle::Recipe {
        tools: &tools,
        folder,
        arch,
        profile: &arguments.profile,
        kernels: &kernels,
        variants: &variants,
        peers: !arguments.pair,
    })?;
    if !arguments.first {
        return Ok(());
    }
    let recipe = unseen::Recipe {
        tools: &tools,
        arch,
        plugin: &plugin,
        profile: &arguments.profile,
    };
    recipe.of_corpus(&kernels, &folder.join("sources"), &folder.join(FIRST))
}

/// Runs the bundle on this machine and writes the report; a failed row is reported all the same.
fn run(arguments: &Arguments, folder: &Path) -> Result<()> {
    let results = folder.join("results.json");
    let _ = std::fs::remove_file(&results);
    let mut run = Command::new(folder.join("run"));
    run.arg("--json").arg(&results);
    run.args(arguments.quick.then_some("--quick"));
    let ran = project::run(&mut run);
    if results.exists() {
        report(&results, &arguments.docs)?;
    }
    ran
}

/// Writes table, pictures and a copy of the results.
fn report(results: &Path, docs: &Path) -> Result<()> {
    let read = Results::read(results)?;
    let docs = project::root().join(docs);
    report::plots(&read, &docs)?;
    let table = docs.join("README.md");
    let page = report::markdown(&read) + PICTURES;
    std::fs::write(&table, page)
        .with_context(|| format!("{} cannot be written", table.display()))?;
    read.write(&docs.join("results.json"))?;
    println!("{}\nwritten to {}", report::summary(&read), docs.display());
    Ok(())
}

const PICTURES: &str =
    "\n## Pictures\n\n![gain of each kernel](ratios.svg)\n\n![roofline](roofline.svg)\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_results_make_a_report() {
        let sample = project::root().join("crates/bench/src/report/sample.json");
        let docs = tempfile::tempdir().unwrap();
        report(&sample, docs.path()).unwrap();
        let page = std::fs::read_to_string(docs.path().join("README.md")).unwrap();
        assert!(page.contains("ratios.svg") && page.contains("| mm | large |"));
        for name in ["ratios.svg", "roofline.svg", "results.json"] {
            assert!(docs.path().join(name).exists(), "{name}");
        }
    }

    #[test]
    fn other_files_are_no_results() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "{}").unwrap();
        let error = report(file.path(), Path::new("nowhere")).unwrap_err();
        assert!(error.to_string().contains("holds no results"), "{error}");
    }
}
