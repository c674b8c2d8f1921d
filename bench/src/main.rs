//! `mesi-bench`: runs cubins of corpus kernels on a GPU, compiled without and with the plug-in.
//!
//! It takes prebuilt cubins, so it runs on a machine that has neither LLVM nor cargo:
//! `mesi-bench --plain DIR --mesi DIR corpus/*.cu`. Exit status 1 means that some bits differ or
//! a launch failed.

mod driver;
mod measure;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use mesi_launch::{Corpus, Size};

use crate::driver::Driver;
use crate::measure::{Job, Row};

#[derive(Parser)]
#[command(
    name = "mesi-bench",
    about = "Compares plain and staged kernels on a GPU",
    version
)]
struct Cli {
    /// Folder of cubins compiled by clang alone, FILE.cubin for each FILE.cu
    #[arg(long)]
    plain: PathBuf,
    /// Folder of cubins compiled with the plug-in
    #[arg(long)]
    mesi: PathBuf,
    /// Pairs of timed runs; 0 compares only
    #[arg(long, default_value_t = 9)]
    runs: usize,
    /// Compare on every small case of the header instead of timing the large one
    #[arg(long)]
    small: bool,
    /// Also write the results as JSON
    #[arg(long)]
    json: Option<PathBuf>,
    /// Kernel files with launch headers
    #[arg(required = true)]
    kernels: Vec<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {}", format!("{error:#}").replace('\n', " "));
            ExitCode::from(2)
        }
    }
}

fn run(cli: &Cli) -> Result<bool> {
    let kernels: Vec<Corpus> = cli
        .kernels
        .iter()
        .map(Corpus::read)
        .collect::<Result<_, _>>()?;
    let driver = Driver::load()?;
    let (size, pairs) = if cli.small {
        (Size::Small, 0)
    } else {
        (Size::Large, cli.runs)
    };
    let job = Job {
        folders: [&cli.plain, &cli.mesi],
        size,
        pairs,
    };
    println!("{}", driver.device_name()?);
    println!(
        "{:<20} {:>10} {:>10} {:>7}  same bits",
        "kernel", "plain ms", "mesi ms", "ratio"
    );
    let mut rows = Vec::new();
    for kernel in &kernels {
        let row = measure::measure(&driver, &job, kernel)?;
        println!("{}", line(&row));
        rows.push(row);
    }
    println!("{}", summary(&rows));
    if let Some(path) = &cli.json {
        let text = serde_json::to_string_pretty(&rows).context("the results are no JSON")?;
        std::fs::write(path, text)
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(rows.iter().all(|r| r.problem.is_none()))
}

fn line(row: &Row) -> String {
    let number =
        |value: Option<f32>, digits: usize| value.map_or("-".into(), |v| format!("{v:.digits$}"));
    let same = match &row.problem {
        None if row.cases == 1 => "yes".to_string(),
        None => format!("yes, {} cases", row.cases),
        Some(problem) => format!("NO: {problem} ({} of {} cases agree)", row.same, row.cases),
    };
    format!(
        "{:<20} {:>10} {:>10} {:>7}  {same}",
        row.kernel,
        number(row.plain_ms, 4),
        number(row.mesi_ms, 4),
        number(row.speedup, 2)
    )
}

fn summary(rows: &[Row]) -> String {
    let good = rows.iter().filter(|r| r.problem.is_none()).count();
    let mut text = format!("{good} of {} kernels agree bit for bit", rows.len());
    let ratios: Vec<f32> = rows.iter().filter_map(|r| r.speedup).collect();
    if !ratios.is_empty() {
        let mean = (ratios.iter().map(|r| r.ln()).sum::<f32>() / ratios.len() as f32).exp();
        let slower = ratios.iter().filter(|r| **r < 0.97).count();
        text += &format!("; geometric mean x{mean:.2}; {slower} below x0.97");
    }
    text
}
