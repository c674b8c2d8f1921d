//! `mesi-ab`: builds one CUDA program with and without the plug-in, runs the builds side by side,
//! and says whether they agree and how much faster each kernel is.
//!
//! Copied into a bundle as `run` it finds the manifest beside itself and only runs.

mod bundle;
mod command;
mod compile;
mod exit;
mod judge;
mod names;
mod nvcc;
mod remarks;
mod report;
mod run;
mod table;
mod text;
mod timing;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Parser;

use crate::bundle::{Manifest, Rules};
use crate::exit::{Exit, stop};

const STATUSES: &str = "Exit status: 0 all agree, 1 a build with the plug-in differs or fails, 2 wrong usage, \
3 the program or its command fails by itself, 4 the compile fails only with the plug-in, 5 no GPU.";

#[derive(Parser)]
#[command(name = "mesi-ab", version, about = "Builds a CUDA program with and without the plug-in, runs and compares the builds", after_help = STATUSES)]
struct BuildCli {
    /// The plug-in
    #[arg(long, value_name = "libmesi.so")]
    plugin: PathBuf,
    /// Arguments of the program, in one word, as a shell would split them
    #[arg(
        long,
        value_name = "ARGS",
        default_value = "",
        allow_hyphen_values = true
    )]
    run: String,
    /// Leave everything in this new folder, to be run elsewhere by DIR/run
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,
    /// A file or folder that the program reads, below the current folder, or SOURCE=NAME
    #[arg(long, value_name = "F")]
    file: Vec<String>,
    /// A file that the program writes, to be compared too
    #[arg(long, value_name = "F")]
    output: Vec<String>,
    /// Where nvcc is
    #[arg(long, value_name = "NVCC", conflicts_with = "no_nvcc")]
    nvcc: Option<PathBuf>,
    /// Do without nvcc
    #[arg(long)]
    no_nvcc: bool,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    report: ReportCli,
    /// The compile command of the program
    #[arg(last = true)]
    command: Vec<String>,
}

#[derive(Parser)]
#[command(name = "run", version, about = "Runs and compares the builds in this folder", after_help = STATUSES)]
struct RunCli {
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    report: ReportCli,
}

#[derive(clap::Args)]
struct ReportCli {
    /// Also write the results as JSON
    #[arg(long, value_name = "F")]
    json: Option<PathBuf>,
    /// Do not run this build; may be given several times. `plain` is always run
    #[arg(long, value_name = "BUILD", value_parser = may_be_left_out)]
    without: Vec<bundle::Variant>,
    /// Run even where no GPU is seen
    #[arg(long)]
    no_gpu_check: bool,
}

/// A build's name, but not the one that all others are compared with.
fn may_be_left_out(name: &str) -> Result<bundle::Variant, String> {
    use clap::ValueEnum;
    match bundle::Variant::from_str(name, false) {
        Ok(bundle::Variant::Plain) => Err("the others are compared with plain".into()),
        other => other.map_err(|_| "expected mesi, force or nvcc".into()),
    }
}

fn main() -> ExitCode {
    mesi_pipes::end_with_reader();
    let ended = match bundle_here() {
        Some(folder) => run_bundle(&folder, RunCli::parse()),
        None => build(BuildCli::parse()),
    };
    match ended {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            eprintln!("error: {}", format!("{error:#}").replace('\n', " "));
            ExitCode::from(exit::status(&error) as u8)
        }
    }
}

/// The bundle this program lies in, if it is a bundle's `run`.
fn bundle_here() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let folder = own.parent()?;
    (own.file_name()? == "run" && folder.join(bundle::MANIFEST).is_file())
        .then(|| folder.to_path_buf())
}

fn run_bundle(folder: &Path, cli: RunCli) -> Result<u8> {
    let manifest = Manifest::read(folder)?;
    run_all(
        folder,
        &manifest,
        &cli.rules.or(&manifest.rules),
        &cli.report,
    )
}

fn build(cli: BuildCli) -> Result<u8> {
    let command = command::parse(&cli.command)?;
    let arguments =
        shlex::split(&cli.run).ok_or_else(|| stop(Exit::Usage, "--run has an unclosed quote"))?;
    if !command.links && cli.bundle.is_some() {
        return Err(stop(
            Exit::Usage,
            "the command only compiles: a bundle needs an executable, so give the command that links",
        ));
    }
    if command.links && cli.bundle.is_none() {
        check_gpu(&cli.report, ": build a --bundle DIR here and run it there")?;
    }
    let temporary = tempfile::Builder::new()
        .prefix("mesi-ab-")
        .tempdir()
        .context("no folder for temporary files")?;
    let folder = std::path::absolute(cli.bundle.as_deref().unwrap_or(temporary.path()))
        .context("no current folder")?;
    bundle::create(&folder)?;
    let mut manifest = Manifest::new(command.program.clone(), cli.command.clone(), arguments);
    for file in &cli.file {
        bundle::add_file(&folder, file)?;
    }
    for output in &cli.output {
        let inside = bundle::inside(output).ok_or_else(|| {
            stop(
                Exit::Usage,
                format!("--output {output}: give a path below the folder the program runs in"),
            )
        })?;
        manifest.outputs.push(inside);
    }
    manifest.rules = cli.rules.clone();
    let plugin = std::path::absolute(&cli.plugin).context("no current folder")?;
    let tools = compile::Tools {
        plugin,
        nvcc: cli.nvcc,
        no_nvcc: cli.no_nvcc,
    };
    eprintln!("building {}", manifest.program);
    let built = compile::build(&command, &tools, &folder, &mut manifest);
    let _ = std::fs::remove_dir_all(folder.join("build"));
    built?;
    if !command.links {
        print!("{}", table::remarks(&manifest));
        notes(&manifest);
        return Ok(Exit::Agree as u8);
    }
    add_libraries(&folder, &command, &mut manifest)?;
    if cli.bundle.is_none() {
        return run_all(&folder, &manifest, &cli.rules, &cli.report);
    }
    finish_bundle(&folder, &manifest)?;
    Ok(Exit::Agree as u8)
}

/// Puts the builds' own shared libraries beside them; what is not found becomes a note.
fn add_libraries(folder: &Path, command: &command::Command, manifest: &mut Manifest) -> Result<()> {
    let given = std::env::var_os("CUDA_PATH").map(PathBuf::from);
    let toolkit = command.cuda_path().or(given);
    let near =
        compile::library_folders(&toolkit.unwrap_or_else(|| PathBuf::from("/usr/local/cuda")));
    for build in manifest
        .builds
        .clone()
        .iter()
        .filter(|b| b.missing.is_none())
    {
        let executable = manifest.executable(folder, build.variant);
        for note in bundle::add_libraries(folder, &executable, &near)? {
            if !manifest.notes.contains(&note) {
                manifest.notes.push(note);
            }
        }
    }
    Ok(())
}

fn finish_bundle(folder: &Path, manifest: &Manifest) -> Result<()> {
    let own = std::env::current_exe().context("our own program cannot be found")?;
    std::fs::copy(own, folder.join("run")).context("`run` cannot be copied into the bundle")?;
    manifest.write(folder)?;
    notes(manifest);
    println!("run it on a machine with a GPU: {}/run", folder.display());
    Ok(())
}

fn notes(manifest: &Manifest) {
    for note in &manifest.notes {
        println!("note: {note}");
    }
    for build in &manifest.builds {
        if let Some(why) = &build.missing {
            println!("note: no {} build: {why}", build.variant.name());
        }
    }
}

fn run_all(folder: &Path, manifest: &Manifest, rules: &Rules, cli: &ReportCli) -> Result<u8> {
    check_gpu(cli, "")?;
    let runs = rules.runs.unwrap_or(5);
    let timeout = Duration::from_secs(rules.timeout.unwrap_or(300));
    let mut manifest = manifest.clone();
    for build in &mut manifest.builds {
        if cli.without.contains(&build.variant) && build.missing.is_none() {
            build.missing = Some("left out by --without".into());
        }
    }
    let outcomes = run::all(folder, &manifest, runs, timeout)?;
    let report = judge::judge(&manifest, &outcomes, rules, gpu_name(), runs);
    print!("{}", table::print(&report));
    if let Some(file) = &cli.json {
        let text = serde_json::to_string_pretty(&report)
            .context("the results cannot be written as JSON")?;
        std::fs::write(file, text + "\n")
            .with_context(|| format!("{} cannot be written", file.display()))?;
    }
    Ok(report.exit)
}

fn check_gpu(cli: &ReportCli, advice: &str) -> Result<()> {
    let seen = ["/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg"]
        .iter()
        .any(|d| Path::new(d).exists());
    if seen || cli.no_gpu_check {
        return Ok(());
    }
    Err(stop(
        Exit::NoGpu,
        format!("no NVIDIA GPU here{advice} (--no-gpu-check runs all the same)"),
    ))
}

/// Name and driver of the first GPU, by `nvidia-smi`.
fn gpu_name() -> Option<String> {
    let mut smi = Command::new("nvidia-smi");
    smi.args(["--query-gpu=name,driver_version", "--format=csv,noheader"])
        .stdin(Stdio::null());
    let output = smi.output().ok().filter(|o| o.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (name, driver) = text.lines().next()?.split_once(", ")?;
    Some(format!("{name}, driver {driver}"))
}
