//! `run` of a bundle of unseen kernels: runs its program in pieces, repeats what looks slow, and judges.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use clap::Parser;
use mesi_unseen::judge::{self, Row};

/// Times a bundle's kernels with and without the plug-in and says which are slower or wrong.
#[derive(Parser)]
struct Cli {
    /// Where the figures go
    #[arg(long, default_value = "unseen.json")]
    json: PathBuf,
    /// Only the first so many rows
    #[arg(long)]
    rows: Option<usize>,
    /// Rows a process times
    #[arg(long, default_value_t = 100)]
    piece: usize,
    /// Further arguments for the program: --settle LAUNCHES MS, --time MS
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    more: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {}", format!("{error:#}").replace('\n', " "));
            ExitCode::from(2)
        }
    }
}

fn run(cli: &Cli) -> Result<bool> {
    let here = std::env::current_exe().context("this program cannot be found")?;
    let program = here.with_file_name("unseen");
    let counted = Command::new(&program).arg("--count").output();
    let counted = counted.with_context(|| format!("{} cannot be started", program.display()))?;
    let said = String::from_utf8_lossy(&counted.stdout).trim().to_string();
    let all: usize = said
        .parse()
        .context("the program does not say how many rows it has")?;
    let all = cli.rows.unwrap_or(all).min(all);
    let scratch = std::env::temp_dir().join(format!("mesi-unseen-{}", std::process::id()));
    let mut rows = BTreeMap::new();
    let mut failed = Vec::new();
    for from in (0..all).step_by(cli.piece.max(1)) {
        let list: Vec<usize> = (from..all.min(from + cli.piece)).collect();
        rows.extend(piece(
            &program,
            &scratch.join(format!("{from}")),
            list,
            &cli.more,
            &mut failed,
        )?);
        eprintln!("{} of {all} rows", rows.len());
    }
    // A row is below only if three more processes, each with an empty cache, say so.
    let mut again: BTreeMap<usize, Vec<Row>> = BTreeMap::new();
    for turn in 0..3 {
        let low: Vec<usize> = judge::suspects(&rows, &again);
        eprintln!("{} rows below {} again", low.len(), judge::BELOW);
        for list in low.chunks(cli.piece.max(1)) {
            let cache = scratch.join(format!("again-{turn}-{}", list[0]));
            let more = piece(&program, &cache, list.to_vec(), &cli.more, &mut failed)?;
            more.into_iter()
                .for_each(|(i, row)| again.entry(i).or_default().push(row));
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    let verdict = judge::judge(&rows, &again, &failed);
    let text = serde_json::to_string_pretty(
        &serde_json::json!({"rows": rows.values().collect::<Vec<_>>(), "again": again, "failed": failed}),
    )?;
    std::fs::write(&cli.json, text)
        .with_context(|| format!("{} cannot be written", cli.json.display()))?;
    print!("{}", verdict.text);
    Ok(verdict.good)
}

/// Rows of one process; where it dies, the row it was at counts as failed and another process goes on.
fn piece(
    program: &Path,
    cache: &Path,
    mut list: Vec<usize>,
    more: &[String],
    failed: &mut Vec<usize>,
) -> Result<BTreeMap<usize, Row>> {
    let mut rows = BTreeMap::new();
    while !list.is_empty() {
        // Five seconds a row and one minute for the start: a hang ends there.
        let limit = format!("{}", 60 + 5 * list.len());
        let mut command = Command::new("timeout");
        command
            .arg(limit)
            .arg(program)
            .args(list.iter().map(ToString::to_string))
            .args(more);
        if std::env::var_os("MESI_CACHE_DIR").is_none() {
            command.env("MESI_CACHE_DIR", cache);
        }
        let output = command
            .stderr(Stdio::inherit())
            .output()
            .context("the program cannot be started")?;
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let row: Row = serde_json::from_str(line).with_context(|| format!("no row: {line}"))?;
            rows.insert(row.row, row);
        }
        let before = list.len();
        list.retain(|i| !rows.contains_key(i));
        if output.status.success() || list.is_empty() {
            break;
        }
        if rows.is_empty() && list.len() == before && failed.len() > 20 {
            bail!("more than 20 rows failed, see above");
        }
        failed.push(list.remove(0));
    }
    Ok(rows)
}
