//! One kernel, compiled, staged, and, where there is a GPU, launched and compared.

use std::path::Path;
use std::process::{Command, Output};

use super::finding::Finding;
use super::gpu::Gpu;
use crate::tools::Tools;

const SOURCE: &str = include_str!("sample.cu");
const WHAT: &str = "a kernel";

/// Compiles it as a user would, by `mesi nvcc`.
pub fn look(tools: &Tools, gpu: Option<&Gpu>, plugin: Option<&str>, findings: &mut Vec<Finding>) {
    let Ok(folder) = tempfile::tempdir() else {
        findings.push(Finding::fault(
            WHAT,
            "no folder for temporary files",
            "set TMPDIR to one that can be written",
        ));
        return;
    };
    let built = compile(folder.path(), gpu, plugin);
    let Some(built) = built.filter(|o| o.status.success()) else {
        let said = compile(folder.path(), gpu, plugin)
            .map(|o| first_error(&o))
            .unwrap_or_default();
        let cure = format!("try it by hand: {} --version", tools.clang.display());
        findings.push(Finding::fault(
            WHAT,
            format!("does not compile: {said}"),
            cure,
        ));
        return;
    };
    let said = String::from_utf8_lossy(&built.stderr).into_owned();
    if !said.contains("staged") || said.contains("compiled by nvcc") {
        let cure = "look for MESI_ variables in the environment (env | grep MESI_)";
        findings.push(Finding::fault(
            WHAT,
            "compiled, but the plug-in staged nothing",
            cure,
        ));
        return;
    }
    findings.push(Finding::good(WHAT, "compiled, staged and linked"));
    if gpu.is_some() {
        launch(folder.path(), findings);
    }
}

fn compile(folder: &Path, gpu: Option<&Gpu>, plugin: Option<&str>) -> Option<Output> {
    std::fs::write(folder.join("sample.cu"), SOURCE).ok()?;
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.args([
        "nvcc",
        "--mesi-remarks",
        "--mesi-fallback=off",
        "sample.cu",
        "-o",
        "sample",
    ]);
    command.args(plugin.map(|p| format!("--mesi-plugin={p}")));
    command.args(gpu.map(|g| format!("-arch=sm_{}", g.chip)));
    command.current_dir(folder).output().ok()
}

fn launch(folder: &Path, findings: &mut Vec<Finding>) {
    let run = Command::new(folder.join("sample")).output();
    match run {
        Ok(output) if output.status.success() => {
            findings.push(Finding::good(
                "a launch",
                "its results are those of the CPU",
            ));
        }
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout).trim().to_string();
            let cure = "run cuda-memcheck's successor compute-sanitizer on a program of your own, and report this";
            findings.push(Finding::fault("a launch", said, cure));
        }
        Err(error) => findings.push(Finding::fault(
            "a launch",
            error.to_string(),
            "look at the folder of TMPDIR: noexec?",
        )),
    }
}

fn first_error(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = said
        .lines()
        .find(|l| l.contains("error"))
        .or_else(|| said.lines().next());
    line.unwrap_or("it printed nothing").trim().to_string()
}
