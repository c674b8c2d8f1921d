//! `mesi-oracle run | diff | gate | count`: the library's abilities as a command.
//!
//! Exit status: 0 clean, 1 something was found, 2 the input cannot be run.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use mesi_launch::{Case, Corpus, Size};
use mesi_oracle::{
    Checks, Counts, Error, Explicit, Kernel, Outcome, Program, Reference, Result, Schedule,
};

/// Runs CUDA device IR on the CPU, finds what can be wrong with it, and counts what it costs.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a kernel and reports every defect.
    Run {
        /// Device IR, text or bitcode.
        file: PathBuf,
        #[command(flatten)]
        launch: Launch,
        /// Only results, barriers and termination; fast.
        #[arg(long)]
        no_check: bool,
        /// Print every buffer's first elements and a checksum.
        #[arg(long)]
        print: bool,
    },
    /// Runs two bodies of a kernel: same bits, and no defect only in the second. With several others each is held
    /// against the first.
    Diff {
        /// The original's device IR.
        a: PathBuf,
        /// The other's; with several, each line begins with the file that it is about.
        #[arg(required = true)]
        others: Vec<PathBuf>,
        /// The original must be clean by itself.
        #[arg(long)]
        clean: bool,
        #[command(flatten)]
        launch: Launch,
    },
    /// Holds a kernel's versions against it: each gives the kernel's bits on every launch that its gate admits, and one that tests itself on all
    /// others, too; none that the gate turns away comes to a body of the plug-in; and in other blocks kernel and versions give the same bits.
    Gate {
        /// IR right behind `mesi<form=own>`, text or bitcode; of several files, in which the kernel itself must be the same, it runs once.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        launch: Launch,
    },
    /// Counts sectors, wavefronts, copies, barriers and instructions.
    Count {
        /// Device IR, text or bitcode.
        file: PathBuf,
        #[command(flatten)]
        launch: Launch,
        /// As JSON, one object per case.
        #[arg(long)]
        json: bool,
    },
}

/// Which kernel, with what.
#[derive(Args)]
struct Launch {
    /// Symbol or source name; may be left out with --corpus or if there is only one.
    #[arg(long)]
    kernel: Option<String>,
    /// Corpus file whose header gives the launches.
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Only this case of the corpus file, counted from 0.
    #[arg(long)]
    case: Option<usize>,
    /// all, forward, reverse, random[:SEED], warps or blocks[:SEED].
    #[arg(long, default_value = "forward")]
    schedule: String,
    /// Blocks per grid: x, x,y or x,y,z.
    #[arg(long, default_value = "1")]
    grid: String,
    /// Threads per block.
    #[arg(long, default_value = "32")]
    block: String,
    /// Dynamic shared memory in bytes.
    #[arg(long, default_value_t = 0)]
    shared: u32,
    /// Fuse multiply-adds where the IR allows it, as a GPU's compiler does.
    #[arg(long)]
    fuse: bool,
    /// buf:TYPE:COUNT[:FILL] or TYPE:VALUE, in parameter order.
    #[arg(long = "arg")]
    args: Vec<String>,
}

impl Launch {
    fn corpus(&self) -> Result<Option<Corpus>> {
        Ok(self.corpus.as_ref().map(Corpus::read).transpose()?)
    }

    fn cases(&self, corpus: Option<&Corpus>) -> Result<Vec<Case>> {
        let Some(corpus) = corpus else {
            let explicit = Explicit {
                grid: self.grid.clone(),
                block: self.block.clone(),
                shared: self.shared,
                args: self.args.clone(),
            };
            return Ok(vec![explicit.case()?]);
        };
        let all = corpus.cases(Size::Small);
        match self.case {
            None => Ok(all),
            Some(n) if n < all.len() => Ok(vec![all[n].clone()]),
            Some(n) => Err(Error::new(format!(
                "--case {n}: {} has {} cases, 0 to {}",
                corpus.path.display(),
                all.len(),
                all.len() - 1
            ))),
        }
    }

    fn program(&self, file: &PathBuf, corpus: Option<&Corpus>) -> Result<Program> {
        let kernel = match (&self.kernel, corpus) {
            (Some(name), _) => Kernel::Named(name),
            (None, Some(corpus)) => Kernel::Of(corpus),
            (None, None) => Kernel::Only,
        };
        let mut program = Program::load(file, kernel)?;
        program.set_fuse(self.fuse);
        Ok(program)
    }

    fn schedules(&self) -> Result<Vec<Schedule>> {
        match self.schedule.as_str() {
            "all" => Ok(Schedule::ALL.to_vec()),
            name => Ok(vec![
                Schedule::parse(name).map_err(|m| Error::new(format!("--schedule: {m}")))?,
            ]),
        }
    }
}

fn main() -> ExitCode {
    mesi_pipes::end_with_reader();
    let result = match Cli::parse().command {
        Command::Run {
            file,
            launch,
            no_check,
            print,
        } => run(&file, &launch, no_check, print),
        Command::Diff {
            a,
            others,
            clean,
            launch,
        } => compare(&a, &others, clean, &launch),
        Command::Gate { files, launch } => gate(&files, &launch),
        Command::Count { file, launch, json } => count(&file, &launch, json),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("mesi-oracle: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(file: &PathBuf, launch: &Launch, no_check: bool, print: bool) -> Result<bool> {
    let corpus = launch.corpus()?;
    let (cases, schedules) = (launch.cases(corpus.as_ref())?, launch.schedules()?);
    let mut program = launch.program(file, corpus.as_ref())?;
    let checks = if no_check { Checks::None } else { Checks::Full };
    let mut found = 0;
    for case in &cases {
        for (n, outcome) in program
            .run_all(case, &schedules, checks)?
            .iter()
            .enumerate()
        {
            for report in &outcome.reports {
                println!("{} {:?}: {report}", case.label, schedules[n]);
            }
            found += outcome.reports.len();
            if print {
                outcome
                    .buffers
                    .iter()
                    .for_each(|b| println!("{} {:?}: {b}", case.label, schedules[n]));
            }
        }
    }
    println!(
        "{}: {} cases x {} schedules: {}",
        program.kernel,
        cases.len(),
        schedules.len(),
        reports(found)
    );
    Ok(found == 0)
}

fn reports(found: usize) -> String {
    match found {
        0 => "clean".to_string(),
        n => format!("{n} reports"),
    }
}

fn compare(a: &PathBuf, others: &[PathBuf], clean: bool, launch: &Launch) -> Result<bool> {
    let corpus = launch.corpus()?;
    let (cases, schedules) = (launch.cases(corpus.as_ref())?, launch.schedules()?);
    let mut original = launch.program(a, corpus.as_ref())?;
    let references = cases
        .iter()
        .map(|case| Reference::new(&mut original, case, &schedules));
    let references = references.collect::<Result<Vec<_>>>()?;
    let tried = format!("{} cases x {} schedules", cases.len(), schedules.len());
    let prefix = |file| prefix(file, others.len());
    let mut found = 0;
    if clean {
        for (reference, case) in references.iter().zip(&cases) {
            for (schedule, report) in reference.reports() {
                println!("{}{} {schedule:?}: {report}", prefix(a), case.label);
                found += 1;
            }
        }
        println!(
            "{}{}: {tried}: {}",
            prefix(a),
            original.kernel,
            reports(found)
        );
    }
    for file in others {
        let mut other = launch.program(file, corpus.as_ref())?;
        let mut differences = 0;
        for reference in &references {
            for difference in reference.diff(&mut other)? {
                println!("{}{difference}", prefix(file));
                differences += 1;
            }
        }
        let verdict = match differences {
            0 => "same bits, no new report".to_string(),
            n => format!("{n} differences"),
        };
        println!("{}{}: {tried}: {verdict}", prefix(file), original.kernel);
        found += differences;
    }
    Ok(found == 0)
}

/// What was held against the original.
#[derive(Default)]
struct Held {
    prefix: String,
    launches: usize,
    away: usize,
    served: usize,
    regrouped: usize,
    wrong: usize,
}

fn gate(files: &[PathBuf], launch: &Launch) -> Result<bool> {
    let corpus = launch.corpus()?;
    let (cases, schedules) = (launch.cases(corpus.as_ref())?, launch.schedules()?);
    let mut references: Vec<Reference> = Vec::new();
    let mut wrong = 0;
    for file in files {
        let mut original = launch.program(file, corpus.as_ref())?;
        if references.is_empty() {
            let cases = cases.iter();
            let run = cases.map(|case| Reference::new(&mut original, case, &schedules));
            references = run.collect::<Result<_>>()?;
        }
        let mut held = Held {
            prefix: prefix(file, files.len()),
            ..Held::default()
        };
        held.all(original, file, &cases, &references, launch)?;
        wrong += held.wrong;
    }
    Ok(wrong == 0)
}

/// What a line begins with: the file that it is about, where there are several.
fn prefix(file: &Path, files: usize) -> String {
    match files {
        1 => String::new(),
        _ => format!("{}: ", file.display()),
    }
}

impl Held {
    /// Holds a file's versions of a kernel and its gates against what the kernel gives in the cases.
    fn all(
        &mut self,
        mut original: Program,
        file: &PathBuf,
        cases: &[Case],
        references: &[Reference],
        launch: &Launch,
    ) -> Result<()> {
        let mut versions = Vec::new();
        for symbol in &original.versions {
            let mut version = Program::load(file, Kernel::Named(symbol))?;
            version.set_fuse(launch.fuse);
            versions.push(version);
        }
        for (case, reference) in cases.iter().zip(references) {
            // Without a version the kernel is still launched in other blocks.
            let outcome = original.run(case, Schedule::Forward, Checks::Full)?;
            self.hold(reference, &mut original, case, &outcome)?;
            for version in &mut versions {
                let (differences, outcome) = reference.diff_seen(version)?;
                self.hold(reference, version, case, &outcome)?;
                for difference in &differences {
                    self.say(&format!("{}: {difference}", version.kernel));
                }
                self.launches += 1;
            }
        }
        println!(
            "{}{}: {} versions, {} cases, {} launches of versions, {} turned away by gates, {} served, {} in other blocks, {} wrong",
            self.prefix,
            original.kernel,
            versions.len(),
            cases.len(),
            self.launches,
            self.away,
            self.served,
            self.regrouped,
            self.wrong
        );
        Ok(())
    }

    /// Something is wrong.
    fn say(&mut self, what: &str) {
        println!("{}{what}", self.prefix);
        self.wrong += 1;
    }

    /// Holds a kernel's gates against what it did: no body may serve what its own turns away, and in the blocks that the other gives the bits are
    /// the same.
    fn hold(
        &mut self,
        reference: &Reference,
        program: &mut Program,
        case: &Case,
        outcome: &Outcome,
    ) -> Result<()> {
        if let Some([block, grid]) = outcome.blocks {
            self.regrouped += 1;
            let other = Case {
                label: format!("{} in blocks of {block:?}", case.label),
                block,
                grid,
                ..case.clone()
            };
            for difference in reference.diff_launched(program, &other)?.0 {
                self.say(&format!("{}: {difference}", program.kernel));
            }
        }
        let turned_away = outcome.gate == Some(false);
        self.away += usize::from(turned_away);
        self.served += usize::from(outcome.served);
        if turned_away && outcome.served {
            let label = &case.label;
            let kernel = &program.kernel;
            self.say(&format!(
                "{kernel}: {label}: turned away, and a body of the plug-in serves it"
            ));
        }
        Ok(())
    }
}

fn count(file: &PathBuf, launch: &Launch, json: bool) -> Result<bool> {
    let corpus = launch.corpus()?;
    let (cases, schedules) = (launch.cases(corpus.as_ref())?, launch.schedules()?);
    let mut program = launch.program(file, corpus.as_ref())?;
    for case in &cases {
        let outcome = program.run(case, schedules[0], Checks::Counts)?;
        let counts = outcome.counts.unwrap_or_default();
        match json {
            true => println!("{}", json_of(&program.kernel, case, &counts)),
            false => print_counts(case, &counts),
        }
    }
    Ok(true)
}

fn json_of(kernel: &str, case: &Case, counts: &Counts) -> serde_json::Value {
    let arrays: Vec<_> = counts
        .arrays
        .iter()
        .map(|a| {
            serde_json::json!({
                "name": a.name, "shared": a.shared, "loads": a.loads, "stores": a.stores,
                "load_sectors": a.load_sectors, "store_sectors": a.store_sectors,
                "read_bytes": a.read_bytes, "written_bytes": a.written_bytes,
                "load_wavefronts": a.load_wavefronts, "store_wavefronts": a.store_wavefronts,
                "ideal_wavefronts": a.ideal_wavefronts,
            })
        })
        .collect();
    let instructions: serde_json::Map<_, _> = counts
        .instructions
        .iter()
        .map(|(name, n)| (name.to_string(), (*n).into()))
        .collect();
    serde_json::json!({
        "kernel": kernel, "case": case.label, "arrays": arrays, "barriers": counts.barriers,
        "copies": {"4": counts.copies[0], "8": counts.copies[1], "16": counts.copies[2]},
        "instructions": instructions,
    })
}

fn print_counts(case: &Case, counts: &Counts) {
    println!("{}", case.label);
    for a in &counts.arrays {
        if a.shared {
            println!(
                "  {:<24} {:>10} loads {:>10} stores {:>10}+{} wavefronts, {} without conflicts",
                a.name,
                a.loads,
                a.stores,
                a.load_wavefronts,
                a.store_wavefronts,
                a.ideal_wavefronts
            );
        } else {
            println!(
                "  {:<24} {:>10} loads {:>10} stores {:>10}+{} sectors, {} bytes read, {} written",
                a.name,
                a.loads,
                a.stores,
                a.load_sectors,
                a.store_sectors,
                a.read_bytes,
                a.written_bytes
            );
        }
    }
    println!(
        "  barriers {}, copies of 4/8/16 bytes {:?}",
        counts.barriers, counts.copies
    );
    let classes: Vec<String> = counts
        .instructions
        .iter()
        .filter(|c| c.1 > 0)
        .map(|(n, c)| format!("{n} {c}"))
        .collect();
    println!("  instructions: {}", classes.join(", "));
}
