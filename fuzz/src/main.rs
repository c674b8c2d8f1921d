//! `mesi-fuzz`: random kernels before and after the plug-in.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use mesi_fuzz::campaign::{Campaign, Totals};
use mesi_fuzz::replay;
use mesi_fuzz::worker::{self, Request};

#[derive(Parser)]
#[command(
    name = "mesi-fuzz",
    about = "Compares random kernels before and after the plug-in, bit for bit",
    version
)]
struct Arguments {
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
    /// Serve requests on the standard input
    #[arg(long, hide = true)]
    worker: bool,
}

fn main() -> ExitCode {
    let a = Arguments::parse();
    if a.worker {
        worker::serve();
        return ExitCode::SUCCESS;
    }
    if let Some(seed) = a.show {
        let reply = worker::answer(&Request {
            seed,
            cuts: a.cuts,
            only: None,
            text: true,
        });
        println!("{}{}", reply.text, reply.invalid);
        println!(
            "{} launches compared, {} left out {}",
            reply.verdict.launches, reply.verdict.dropped, reply.verdict.dropped_why
        );
        reply
            .verdict
            .failures
            .iter()
            .for_each(|f| println!("{} with {}: {}", f.kind, f.variant, f.text));
        return if reply.verdict.failures.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        };
    }
    if let Some(file) = a.replay {
        return match replay::replay(&file) {
            Ok(v) => {
                println!(
                    "{} launches, {} left out {}, {} variants",
                    v.launches, v.dropped, v.dropped_why, v.variants
                );
                v.failures
                    .iter()
                    .for_each(|f| println!("{} with {}: {}", f.kind, f.variant, f.text));
                if v.failures.is_empty() {
                    ExitCode::SUCCESS
                } else {
                    ExitCode::FAILURE
                }
            }
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
    let start = Instant::now();
    match campaign.run() {
        Ok(totals) => report(&totals, start.elapsed()),
        Err(e) => {
            eprintln!("error: workers cannot be run: {e}");
            ExitCode::from(2)
        }
    }
}

fn report(t: &Totals, time: Duration) -> ExitCode {
    println!("{}", t.table());
    for (why, count) in &t.reasons {
        println!("left out: {count} kernels: {why}");
    }
    let [passes, compile, run] = t.seconds;
    println!(
        "{} kernels in {:.0} s ({:.1}/s): {} discarded, {} launches compared, {} left out, {} variants; passes {passes:.0} s, compiling {compile:.0} s, running {run:.0} s",
        t.kernels,
        time.as_secs_f64(),
        t.kernels as f64 / time.as_secs_f64(),
        t.discarded,
        t.launches.0,
        t.launches.1,
        t.variants
    );
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
