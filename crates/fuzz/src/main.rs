//! `mesi-fuzz`: random kernels before and after the plug-in.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use mesi_fuzz::campaign::Campaign;
use mesi_fuzz::check::Verdict;
use mesi_fuzz::totals::Totals;
use mesi_fuzz::worker::{self, Request};
use mesi_fuzz::{replay, source, write};

#[derive(Parser)]
#[command(
    name = "mesi-fuzz",
    about = "Compares random kernels before and after the plug-in, bit for bit",
    version,
    args_conflicts_with_subcommands = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Step>,
    /// Kernels to run
    #[arg(long, default_value_t = 2000)]
    count: u64,
    /// Which kernels: kernel number n of seed S has the seed 1000000*S+n
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Worker processes; as many as there are processors if not given
    #[arg(long)]
    jobs: Option<usize>,
    /// Stop starting kernels after so many minutes
    #[arg(long)]
    minutes: Option<f64>,
    /// Stop after so many failing kernels
    #[arg(long, default_value_t = 10)]
    failures: usize,
    /// Where minimal failing kernels are written
    #[arg(long, default_value = "fuzz-failures")]
    out: PathBuf,
    /// Print and check the one kernel of this seed
    #[arg(long, value_name = "SEED")]
    show: Option<u64>,
    /// With --show: cuts of the shrinker, as it printed them
    #[arg(long, value_delimiter = ',')]
    cuts: Vec<usize>,
    /// Run a kernel that mesi-fuzz wrote, instead of random ones
    #[arg(long, value_name = "FILE.ll")]
    replay: Option<PathBuf>,
    /// Run this CUDA file with a corpus header, under all variants, instead of random kernels
    #[arg(long, value_name = "FILE.cu")]
    source: Option<PathBuf>,
    /// Write the kernels there instead of running them: N.bc as the plug-in meets it, N.cu as CUDA C++
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
    /// With --source: options for clang
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    clang: Vec<String>,
    /// Write all figures there, for `mesi-fuzz merge`
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Serve requests on the standard input
    #[arg(long, hide = true)]
    worker: bool,
}

#[derive(Subcommand)]
enum Step {
    /// Sums runs written with --json and prints them as one
    Merge {
        /// What the runs wrote
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write the sum there, too
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let a = Arguments::parse();
    if let Some(Step::Merge { files, json }) = a.command {
        return finish(merged(&files), json.as_deref());
    }
    if a.worker {
        worker::serve();
        return ExitCode::SUCCESS;
    }
    if let Some(seed) = a.show {
        return show(seed, a.cuts);
    }
    if let Some(file) = a.replay {
        return replayed(&replay::replay(&file));
    }
    if let Some(file) = a.source {
        return replayed(&source::run(&file, &a.clang));
    }
    if let Some(folder) = a.write {
        return match write::write(&folder, a.seed, a.count) {
            Ok(()) => ExitCode::SUCCESS,
            Err(e) => {
                eprintln!("error: {e}");
                ExitCode::from(2)
            }
        };
    }
    let jobs = a
        .jobs
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()));
    let limit = a.minutes.map(|m| Duration::from_secs_f64(m * 60.0));
    let campaign = Campaign {
        seed: a.seed,
        count: a.count,
        jobs,
        limit,
        out: a.out,
        most_failures: a.failures,
    };
    let totals = campaign
        .run()
        .map_err(|e| format!("workers cannot be run: {e}"));
    finish(totals, a.json.as_deref())
}

fn merged(files: &[PathBuf]) -> Result<Totals, String> {
    let mut sum = Totals::default();
    for file in files {
        let totals = Totals::read(file)?;
        sum.merge(totals)
            .map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(sum)
}

/// Prints and writes the figures.
fn finish(totals: Result<Totals, String>, json: Option<&Path>) -> ExitCode {
    let written = totals.and_then(|t| {
        let code = report(&t);
        json.map_or(Ok(()), |file| t.write(file)).map(|()| code)
    });
    written.unwrap_or_else(|e| {
        eprintln!("error: {e}");
        ExitCode::from(2)
    })
}

fn show(seed: u64, cuts: Vec<usize>) -> ExitCode {
    let request = Request {
        seed,
        cuts,
        only: None,
        text: true,
    };
    let reply = worker::answer(&request, &mut |_| ());
    println!("{}{}", reply.text, reply.invalid);
    verdict(&reply.verdict)
}

fn replayed(result: &Result<Verdict, String>) -> ExitCode {
    match result {
        Ok(v) => verdict(v),
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}

/// What came of one kernel.
fn verdict(v: &Verdict) -> ExitCode {
    println!(
        "{} launches compared, {} left out {}, {} variants, {} equal to another",
        v.launches, v.dropped, v.dropped_why, v.variants, v.equal
    );
    for f in &v.failures {
        println!("{} with {}: {}", f.kind, f.variant, f.text);
    }
    match v.failures.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn report(t: &Totals) -> ExitCode {
    println!("{}", t.table());
    for (why, count) in &t.reasons {
        println!("left out: {count} kernels: {why}");
    }
    println!("{}", t.summary());
    for f in &t.failures {
        println!(
            "FAILED seed {}: {} with {}: {}",
            f.seed,
            f.failure.kind,
            f.failure.variant,
            f.file.display()
        );
    }
    if t.failures.is_empty() {
        println!("no failures");
        return ExitCode::SUCCESS;
    }
    ExitCode::FAILURE
}
