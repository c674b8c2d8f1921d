//! The small cases under compute-sanitizer: memcheck, racecheck, synccheck, initcheck.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::manifest::SUBJECT;
use crate::tasks::{Bundle, Choice};
use crate::worker::{self, Cannot, Order, code};

const TOOLS: [&str; 4] = ["memcheck", "racecheck", "synccheck", "initcheck"];
/// A sanitizer makes kernels a hundred times slower, and starts slowly.
const PATIENCE: Duration = Duration::from_secs(900);

/// Runs every tool; the exit code says whether one found something or a comparison failed.
pub fn run(bundle: &Bundle, choice: &Choice) -> Result<u8> {
    let Some(sanitizer) = find() else {
        eprintln!(
            "error: compute-sanitizer is not in PATH nor in /usr/local/cuda/bin: install NVIDIA's toolkit"
        );
        return Ok(code::FAILED);
    };
    let mut choice = choice.clone();
    if choice.variants.is_empty() {
        // What the plug-in makes; every feature is on in these two.
        choice.variants = [SUBJECT, "force"].map(String::from).to_vec();
    }
    let logs = tempfile::tempdir().context("no temporary folder")?;
    let mut worst = 0;
    for tool in TOOLS {
        let log = logs.path().join(tool);
        worst = worst.max(check(bundle, &choice, &sanitizer, tool, &log)?);
    }
    Ok(worst)
}

/// One tool over all cases.
fn check(bundle: &Bundle, choice: &Choice, sanitizer: &Path, tool: &str, log: &Path) -> Result<u8> {
    let tasks = bundle.tasks(choice)?;
    let program = std::env::current_exe().context("this program's own path is unknown")?;
    // Several children may run, one after the other; `%p` keeps their logs apart.
    let child = |order: &Order| {
        let inner = worker::command(&program, &bundle.root, choice, order);
        let mut outer = Command::new(sanitizer);
        worker::load_first(&mut outer);
        outer.args([
            "--tool",
            tool,
            "--target-processes",
            "application-only",
            "--log-file",
        ]);
        outer.arg(format!("{}-%p", log.display()));
        outer.arg(inner.get_program()).args(inner.get_args());
        outer
    };
    let mut failed = Vec::new();
    let mut show = |row: &crate::results::Row| {
        if row.problem.is_some() || row.cells.iter().any(|c| c.failed) {
            failed.push(crate::report::line(row));
        }
    };
    let outcome = worker::supervise(&tasks, &Order::default(), PATIENCE, &child, &mut show)?;
    if let Err(Cannot(code, why)) = outcome {
        eprintln!("error: {}", why.replace('\n', " "));
        return Ok(code);
    }
    let found = findings(&read(log)?);
    println!("{tool}: {} cases, {} reports", tasks.len(), found.count);
    for place in &found.places {
        println!("  {place}");
    }
    for line in &failed {
        println!("  {line}");
    }
    let clean = found.count == 0 && failed.is_empty() && found.finished;
    if !found.finished {
        println!("  {tool} did not finish");
    }
    Ok(if clean { 0 } else { code::FAILED })
}

/// All logs whose path starts with `log`.
fn read(log: &Path) -> Result<String> {
    let folder = log.parent().context("the log has no folder")?;
    let name = log
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut text = String::new();
    for entry in std::fs::read_dir(folder)
        .context("the logs cannot be read")?
        .flatten()
    {
        if entry
            .file_name()
            .to_string_lossy()
            .starts_with(&format!("{name}-"))
        {
            text += &std::fs::read_to_string(entry.path()).unwrap_or_default();
        }
    }
    Ok(text)
}

/// What a sanitizer's log says.
#[derive(Debug, PartialEq, Eq)]
struct Findings {
    /// Errors, hazards and warnings, summed over all summaries.
    count: u64,
    /// Kinds of report with the kernels they are in.
    places: BTreeSet<String>,
    /// It reached a summary.
    finished: bool,
}

fn findings(log: &str) -> Findings {
    let mut found = Findings {
        count: 0,
        places: BTreeSet::new(),
        finished: false,
    };
    let mut kind = String::new();
    for line in log.lines().map(|l| l.trim_start_matches('=').trim()) {
        if let Some((_, rest)) = line.split_once("SUMMARY:") {
            found.finished = true;
            let first = rest.split_whitespace().next();
            found.count += first.and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
        } else if line.starts_with("at ") || line.contains(" at ") && line.contains("+0x") {
            let kernel = line.rsplit_once(" at ").map_or(line, |(_, kernel)| kernel);
            let kernel = kernel.trim_start_matches("at ");
            let kernel = kernel.split("+0x").next().unwrap_or(kernel);
            found.places.insert(format!("{kind} at {kernel}"));
        } else if line.starts_with("Invalid")
            || line.starts_with("Uninitialized")
            || line.starts_with("Barrier")
            || line.starts_with("Error:")
            || line.starts_with("Warning:")
        {
            kind = line.to_string();
        }
    }
    found
}

fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.push("/usr/local/cuda/bin".into());
    folders
        .into_iter()
        .map(|f| f.join("compute-sanitizer"))
        .find(|p| p.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_log_has_no_findings() {
        let log = "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n";
        let found = findings(log);
        assert!(found.finished && found.count == 0 && found.places.is_empty());
        assert!(!findings("========= COMPUTE-SANITIZER\n").finished);
    }

    #[test]
    fn reports_name_kind_and_kernel() {
        let log = "\
========= Invalid __global__ read of size 4 bytes
=========     at mm_early(const float *, float *)+0x1a0
=========     by thread (0,0,0) in block (1,0,0)
========= Invalid __global__ read of size 4 bytes
=========     at mm_early(const float *, float *)+0x1a0
========= ERROR SUMMARY: 2 errors
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
";
        let found = findings(log);
        assert_eq!(found.count, 3);
        let places: Vec<&String> = found.places.iter().collect();
        assert_eq!(
            places,
            ["Invalid __global__ read of size 4 bytes at mm_early(const float *, float *)"]
        );
    }
}
