//! `mesi-mutate`: breaks every staged kernel of the corpus in every way, and prints the score.

use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Parser;
use mesi_mutate::edits;
use mesi_mutate::gate_edits::{self, GateMutation, Judged};
use mesi_mutate::host_launches;
use mesi_mutate::matrix::{Mutant, Row, Subject, table};
use mesi_mutate::mutation::Mutation;
use mesi_mutate::stage::Way;
use mesi_mutate::{copies, source};

/// Breaks staged code on purpose and asks the oracle whether it notices.
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// Every mutation on every kernel of the corpus
    #[arg(long, conflicts_with_all = ["kernels", "mutation"])]
    all: bool,
    /// Only these kernels; `NAME@2x2@3`: with 2x2 blocks merged and 3 strips in flight
    kernels: Vec<String>,
    /// Only mutations whose name contains this; may be given several times
    #[arg(long)]
    mutation: Vec<String>,
    /// Strips in flight where that is legal, 1 to 4; as the plug-in chooses if not given
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=4))]
    depth: Option<u32>,
    /// Blocks merged, as XxYxZ, where that is legal
    #[arg(long, default_value = "1x1x1")]
    merge: String,
    /// Places tried per mutation and kernel
    #[arg(long, default_value_t = 12)]
    places: usize,
    /// Kernels at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Say what was noticed for every mutant
    #[arg(long)]
    verbose: bool,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if !cli.all && cli.kernels.is_empty() && cli.mutation.is_empty() {
        eprintln!("mesi-mutate: name kernels, or --mutation, or say --all");
        return ExitCode::from(2);
    }
    match run(&cli) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(e) => {
            eprintln!("mesi-mutate: {e:#}");
            ExitCode::from(2)
        }
    }
}

/// Whether every mutation was noticed somewhere.
fn run(cli: &Cli) -> Result<bool> {
    let Some(cuda) = source::cuda()? else {
        bail!("no CUDA toolkit is found: run cargo xtask setup or set CUDA_PATH");
    };
    let names = if cli.kernels.is_empty() {
        source::corpus_names()?
    } else {
        cli.kernels.clone()
    };
    let wanted = |name: &str| {
        cli.mutation.is_empty() || cli.mutation.iter().any(|w| name.contains(w.as_str()))
    };
    let all = edits::all().into_iter();
    let mutations = Mutations {
        staged: all.filter(|m| wanted(m.name)).collect(),
        gates: gate_edits::ALL.iter().filter(|m| wanted(m.name)).collect(),
    };
    let count = mutations.staged.len() + mutations.gates.len();
    let rows: Mutex<Vec<Row>> = Mutex::new(vec![Row::default(); count]);
    let queue = Mutex::new(names.into_iter());
    let failed: Mutex<Vec<String>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..cli.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let Some(name) = queue.lock().expect("no panic").next() else {
                        return;
                    };
                    if let Err(e) = kernel(cli, &cuda, &name, &mutations, &rows) {
                        failed
                            .lock()
                            .expect("no panic")
                            .push(format!("{name}: {e:#}"));
                    }
                }
            });
        }
    });
    let rows = rows.into_inner().expect("no panic");
    let staged = mutations.staged.iter().map(|m| (m.name, m.what));
    let gates = mutations.gates.iter().map(|m| (m.name, m.what));
    let names = staged.chain(gates).zip(rows);
    let mut named: Vec<(&str, &str, Row)> = names.map(|((n, w), r)| (n, w, r)).collect();
    if cli.all {
        named.extend(copies::rows()?);
    }
    print!("{}", table(&named));
    for (name, _, row) in named
        .iter()
        .filter(|r| cli.verbose && !r.2.survivors.is_empty())
    {
        let list: Vec<String> = row
            .survivors
            .iter()
            .map(|(k, n)| format!("{k}:{n}"))
            .collect();
        println!("{name} not noticed: {}", list.join(" "));
    }
    for line in failed.lock().expect("no panic").iter() {
        println!("not judged: {line}");
    }
    let missed: Vec<&str> = named
        .iter()
        .filter(|r| r.2.figures()[1] == 0)
        .map(|r| r.0)
        .collect();
    if !missed.is_empty() {
        println!("never noticed: {}", missed.join(" "));
    }
    Ok(missed.is_empty())
}

/// What is tried, in the order of the rows.
struct Mutations {
    staged: Vec<Mutation>,
    gates: Vec<&'static GateMutation>,
}

/// All mutants of one kernel.
fn kernel(
    cli: &Cli,
    cuda: &std::path::Path,
    name: &str,
    mutations: &Mutations,
    rows: &Mutex<Vec<Row>>,
) -> Result<()> {
    let start = Instant::now();
    let (kernel, mut way) = Way::parse(name)?;
    if way == Way::default() {
        way = Way::parse(&format!("@{}", cli.merge))?.1;
        way.depth = cli.depth;
    }
    let corpus = source::corpus(kernel)?;
    let text = source::compile(&corpus, cuda)?;
    // The gates of the default's versions, whichever way the kernel is staged.
    let gates = match mutations.gates.is_empty() || way != Way::default() {
        true => Vec::new(),
        false => host_launches::Subject::all(&corpus, &text, source::SM)?,
    };
    let (mut made, mut caught) = (0, 0);
    let mut add = |row: usize, name: &str, mutant: &Mutant| {
        made += 1;
        caught += usize::from(!mutant.verdict.survived());
        if cli.verbose {
            let said = if mutant.verdict.survived() {
                "survived"
            } else {
                &mutant.verdict.first
            };
            eprintln!("{}: {name} {}: {said}", mutant.kernel, mutant.place);
        }
        rows.lock().expect("no panic")[row].add(mutant);
    };
    for gate in gates {
        let gate = Judged::new(gate)?;
        for (m, mutation) in mutations.gates.iter().enumerate() {
            let row = mutations.staged.len() + m;
            let all = gate.mutants(mutation, cli.places)?;
            all.iter().for_each(|g| add(row, mutation.name, g));
        }
    }
    if mutations.staged.is_empty() {
        return Ok(());
    }
    if let Some(mut subject) = Subject::new(corpus, text, way)? {
        for (m, mutation) in mutations.staged.iter().enumerate() {
            let all = subject.mutants(mutation, cli.places)?;
            all.iter().for_each(|s| add(m, mutation.name, s));
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{name}: {made} mutants, {caught} caught, {seconds:.1} s");
    Ok(())
}
