//! `run` of a bundle of unseen kernels: runs its program in pieces, repeats what looks slow, and judges.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use mesi_unseen::judge::{self, Alone, Row};
use mesi_unseen::pieces::{Pieces, rounds};

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
    /// Of so many rows, spread over all, time each candidate by itself, too, and say which share of the best one's gain was got
    #[arg(long, default_value_t = 0, value_name = "ROWS")]
    share: usize,
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
    let pieces = Pieces {
        program: &program,
        more: &cli.more,
        environment: Vec::new(),
    };
    let all = pieces.count()?;
    let all = cli.rows.unwrap_or(all).min(all);
    let scratch = std::env::temp_dir().join(format!("mesi-unseen-{}", std::process::id()));
    let mut rows = BTreeMap::new();
    let mut failed = Vec::new();
    let mut kernels = pieces.kernels()?;
    kernels.truncate(all);
    for (number, list) in rounds(&kernels, cli.piece).into_iter().enumerate() {
        rows.extend(pieces.run(&scratch.join(format!("{number}")), list, &mut failed)?);
        eprintln!("{} of {all} rows", rows.len());
    }
    // A row is below only if three more processes, each with an empty cache, say so.
    let mut again: BTreeMap<usize, Vec<Row>> = BTreeMap::new();
    for turn in 0..3 {
        let mut low = judge::suspects(&rows, &again, judge::settled);
        low.extend(judge::suspects(&rows, &again, Row::first));
        low.sort_unstable();
        low.dedup();
        eprintln!("{} rows below {} again", low.len(), judge::BELOW);
        let of_low = low.iter().map(|row| &kernels[*row]);
        for list in rounds(of_low, cli.piece) {
            let list: Vec<usize> = list.into_iter().map(|n| low[n]).collect();
            let cache = scratch.join(format!("again-{turn}-{}", list[0]));
            let more = pieces.run(&cache, list, &mut failed)?;
            more.into_iter()
                .for_each(|(i, row)| again.entry(i).or_default().push(row));
        }
    }
    let alone = alone(cli, &program, &scratch, all)?;
    let _ = std::fs::remove_dir_all(&scratch);
    let verdict = judge::judge(&rows, &again, &failed);
    let text = serde_json::to_string_pretty(
        &serde_json::json!({"rows": rows.values().collect::<Vec<_>>(), "again": again, "failed": failed, "alone": alone}),
    )?;
    std::fs::write(&cli.json, text)
        .with_context(|| format!("{} cannot be written", cli.json.display()))?;
    print!("{}{}", verdict.text, judge::share(&rows, &alone));
    Ok(verdict.good)
}

/// Gains of each candidate by itself, for some rows: a process for each candidate and piece, in which all kernels run that one where they may, else `K`. A row
/// that fails there is left out: it counted as failed before, or is one candidate's that no program launches by itself.
fn alone(
    cli: &Cli,
    program: &Path,
    scratch: &Path,
    all: usize,
) -> Result<BTreeMap<usize, Vec<f64>>> {
    let mut more = vec!["--alone".to_string()];
    more.extend(cli.more.iter().cloned());
    let list = judge::spread(all, cli.share);
    let mut gains: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for candidate in 0..judge::CANDIDATES {
        if list.is_empty() {
            break;
        }
        let pieces = Pieces {
            program,
            more: &more,
            environment: vec![("MESI_CHOICE", format!("pin:*={candidate}"))],
        };
        for part in list.chunks(cli.piece.max(1)) {
            let mut failed = Vec::new();
            let rows = pieces.run::<Alone>(scratch, part.to_vec(), &mut failed)?;
            for row in rows.into_values() {
                gains.entry(row.row).or_default().push(row.gain);
            }
        }
        eprintln!("candidate {candidate} of {} rows", list.len());
    }
    Ok(gains)
}
