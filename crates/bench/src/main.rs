//! `run`: the program in a bundle. It needs an NVIDIA driver and nothing else.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use clap::Parser;
use mesi_bench::driver::Driver;
use mesi_bench::results::{self, Results, Row};
use mesi_bench::tasks::{Bundle, Choice, Chooser};
use mesi_bench::worker::{self, Cannot, Order, code};
use mesi_bench::{compare, first, report, sanitize, selftest};

/// Seconds that a whole run and a quick one may spend on their rows.
const SECONDS: (f64, f64) = (320.0, 70.0);
/// A child that says nothing for this long is taken to hang.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Parser)]
#[command(
    name = "run",
    version,
    about = "Runs corpus kernels on a GPU: plug-in, clang, nvcc, hand-written and library side by side",
    after_help = "Exit codes: 0 all is well; 1 a row failed, bits differ, or a check found something; \
2 bad arguments or an unreadable bundle; 3 no NVIDIA driver or no GPU; 4 the bundle has no code for this GPU"
)]
struct Cli {
    /// The bundle's folder; by default the one this program lies in
    #[arg(long)]
    bundle: Option<PathBuf>,
    /// Only rows whose kernel, class and size contain all these words; may be given several times
    #[arg(long)]
    filter: Vec<String>,
    /// Only these variants, beside clang: mesi force overlap=off merge=off width=off nvcc hand cublas
    #[arg(long, value_delimiter = ',')]
    variants: Vec<String>,
    /// One large and one small row a kernel, fewer samples
    #[arg(long)]
    quick: bool,
    /// Let the host start each launch; short ones are recorded and started together otherwise
    #[arg(long)]
    by_host: bool,
    /// Who picks among the kernel and its versions; --small takes all of them
    #[arg(long, value_enum, default_value_t)]
    choice: Chooser,
    /// So many launches of each kernel, with random sizes and blocks, instead of the header's
    #[arg(long, default_value_t = 0, value_name = "LAUNCHES")]
    drawn: u32,
    /// What they are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Compare bits on the oracle's small cases, time nothing
    #[arg(long)]
    small: bool,
    /// Time each row's first ten launches alone, as a program does them; the bundle must have been built with --first. With --json F the figures are added to
    /// what an earlier run of the same bundle left in F
    #[arg(long, conflicts_with_all = ["small", "drawn", "sanitize", "by_host", "variants"])]
    first: bool,
    /// Write the results as JSON
    #[arg(long)]
    json: Option<PathBuf>,
    /// Write the tables as Markdown
    #[arg(long)]
    md: Option<PathBuf>,
    /// Write the pictures as SVG into this folder
    #[arg(long)]
    plots: Option<PathBuf>,
    /// libcublas or its folder, where it is not found by itself
    #[arg(long)]
    cublas: Option<PathBuf>,
    /// Run the small cases under compute-sanitizer's four tools
    #[arg(long)]
    sanitize: bool,
    /// Prove that a wrong output and a slow-down of 10% are noticed
    #[arg(long)]
    self_test: bool,
    /// Compare two JSON files of the same bundle: how many rows agree within 3%
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    compare: Option<Vec<PathBuf>>,
    /// Make --md and --plots of this JSON file instead of running
    #[arg(long)]
    report: Option<PathBuf>,
    #[arg(long, hide = true)]
    worker: bool,
    #[arg(long, hide = true, default_value_t = 0)]
    from: usize,
    #[arg(long, hide = true, default_value_t = 1e9)]
    seconds: f64,
    #[arg(long, hide = true)]
    exclude: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {}", format!("{error:#}").replace('\n', " "));
            ExitCode::from(code::USAGE)
        }
    }
}

fn run(cli: &Cli) -> Result<u8> {
    if let Some([a, b]) = cli.compare.as_deref() {
        let text = compare::compare(&Results::read(a)?, &Results::read(b)?)?;
        print!("{text}");
        return Ok(0);
    }
    if let Some(path) = &cli.report {
        let results = Results::read(path)?;
        return finish(cli, &results);
    }
    let bundle = Bundle::read(&folder(cli)?)?;
    let small = cli.small || cli.sanitize;
    let choice = Choice {
        filters: cli.filter.clone(),
        variants: cli.variants.clone(),
        quick: cli.quick,
        small,
        by_host: cli.by_host,
        drawn: cli.drawn,
        seed: cli.seed,
        chooser: cli.choice,
    };
    if cli.worker {
        worker::work(&bundle, &choice, &order(cli)?)?;
        return Ok(0);
    }
    if cli.self_test {
        return selftest::run(&bundle);
    }
    if cli.sanitize {
        return sanitize::run(&bundle, &choice);
    }
    if cli.first {
        return first_launches(cli, &bundle, &choice);
    }
    measure(cli, &bundle, &choice)
}

/// The bundle asked for, else the folder of this program.
fn folder(cli: &Cli) -> Result<PathBuf> {
    if let Some(bundle) = &cli.bundle {
        return Ok(bundle.clone());
    }
    let program = std::env::current_exe().context("this program's own path is unknown")?;
    Ok(program
        .parent()
        .map_or_else(PathBuf::new, Path::to_path_buf))
}

fn order(cli: &Cli) -> Result<Order> {
    let mut excluded = Vec::new();
    for text in &cli.exclude {
        let Some((variant, why)) = text.split_once(':') else {
            bail!("--exclude takes VARIANT:WHY");
        };
        excluded.push((variant.to_string(), why.to_string()));
    }
    Ok(Order {
        first: cli.from,
        excluded,
        cublas: cli.cublas.clone(),
        seconds: cli.seconds,
    })
}

fn measure(cli: &Cli, bundle: &Bundle, choice: &Choice) -> Result<u8> {
    let start = Instant::now();
    let unix_time = now();
    let tasks = bundle.tasks(choice)?;
    let program = std::env::current_exe().context("this program's own path is unknown")?;
    let order = Order {
        seconds: if cli.quick { SECONDS.1 } else { SECONDS.0 },
        cublas: cli.cublas.clone(),
        ..Order::default()
    };
    let mut shown = 0;
    let mut show = |row: &Row| {
        shown += 1;
        tell(&format!("[{shown}/{}] {}", tasks.len(), report::line(row)));
    };
    let child = |order: &Order| worker::command(&program, &bundle.root, choice, order);
    let outcome = match worker::supervise(&tasks, &order, PATIENCE, &child, &mut show)? {
        Ok(outcome) => outcome,
        Err(Cannot(code, why)) => {
            eprintln!("error: {}", why.replace('\n', " "));
            return Ok(code);
        }
    };
    let results = Results {
        format: results::FORMAT,
        chip: outcome.chip,
        versions: bundle.manifest.versions.clone(),
        unix_time,
        seconds: start.elapsed().as_secs_f64(),
        quick: cli.quick,
        limits: outcome.limits,
        blas: outcome.blas,
        rows: outcome.rows.into_values().collect(),
    };
    if let Some(path) = &cli.json {
        results.write(path)?;
    }
    finish(cli, &results)
}

/// The first ten launches of each row.
fn first_launches(cli: &Cli, bundle: &Bundle, choice: &Choice) -> Result<u8> {
    let start = Instant::now();
    let chip = match Driver::load().and_then(|d| d.context()?.chip()) {
        Ok(chip) => chip,
        Err(error) => {
            eprintln!("error: {}", format!("{error:#}").replace('\n', " "));
            return Ok(code::NO_GPU);
        }
    };
    let tasks = bundle.tasks(choice)?;
    let mut shown = 0;
    let mut show = |row: &Row| {
        shown += 1;
        tell(&format!("[{shown}/{}] {}", tasks.len(), report::line(row)));
    };
    let rows = first::run(bundle, &tasks, &mut show)?;
    let mut results = Results {
        format: results::FORMAT,
        chip,
        versions: bundle.manifest.versions.clone(),
        unix_time: now(),
        seconds: start.elapsed().as_secs_f64(),
        quick: cli.quick,
        blas: "not needed".into(),
        rows,
        ..Results::default()
    };
    tell(&format!("{:.0} s", results.seconds));
    if let Some(path) = &cli.json {
        results = first::add_to(path, results);
        results.write(path)?;
    }
    finish(cli, &results)
}

/// Seconds since 1970.
fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |d| d.as_secs())
}

/// Prints a line; a reader that has seen enough, such as `head`, is no reason to stop.
fn tell(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Prints the summary and writes what was asked for.
fn finish(cli: &Cli, results: &Results) -> Result<u8> {
    tell(&report::summary(results));
    if let Some(path) = &cli.md {
        std::fs::write(path, report::markdown(results))
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if let Some(folder) = &cli.plots {
        report::plots(results, folder)?;
    }
    Ok(if results.failures().is_empty() {
        0
    } else {
        code::FAILED
    })
}
