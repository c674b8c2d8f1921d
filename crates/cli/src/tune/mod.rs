//! `mesi tune`: runs a program until every kind of its launches has its choice, and says what that gained.
//!
//! ```text
//! run, read its MESI_REPORT file ─► all settled? ─► compare: MESI_CHOICE=off against MESI_CHOICE=cache, in turn
//! ```
//! Its runs are there to learn (`MESI_CHOICE=tune`): half of a kernel's time may go into trials, and launches wait for what they say.
//! A run begins with what the runs before it settled, since programs keep choices on disk, and with the trials that they were
//! in the middle of when they ended. Where a program launches a kernel once, or a few times, each run times its first launch, and two runs are
//! a pair. What cannot be measured never settles; that is seen and said.

mod progress;
mod runs;
mod tell;
mod told;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::measured::{self, Image};
use progress::Progress;
use runs::{Ended, Program};
use told::{Outcome, PATIENCE, Told, count};

/// The command's options.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The program's own output is not shown. Its choices are kept where it keeps them without mesi tune; mesi cache lists them.\nExit status: 0 all is settled, 1 the program failed, was not over once in the time given, or has nothing to choose, 2 wrong usage, 3 not all is settled (--runs, --time, or nothing changes any more)."
)]
pub struct Arguments {
    /// Most runs that learn
    #[arg(long, value_name = "N", default_value_t = 100)]
    runs: u32,
    /// Most seconds of all runs; a run that is under way then is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    time: u64,
    /// Pairs of runs that compare the whole program without and with its choices at the end; 0: none
    #[arg(long, value_name = "N", default_value_t = 3)]
    compare: u32,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    words: Vec<String>,
}

/// Runs the program; the answer is the exit status.
pub fn main(arguments: &Arguments) -> Result<u8> {
    if arguments.runs == 0 {
        bail!("--runs 0 leaves nothing to do: give 1 or more");
    }
    let program = Program::new(&arguments.words)?;
    let deadline = Instant::now() + Duration::from_secs(arguments.time);
    let mut progress = Progress::new(arguments.runs);
    let (outcome, runs, images) = match learn(&program, arguments, deadline, &mut progress) {
        Ok(learnt) => learnt,
        Err(error) => {
            progress.end();
            eprintln!("mesi tune: error: {error:#}");
            return Ok(1);
        }
    };
    let mut compared = Vec::new();
    for pair in 1..=arguments.compare {
        progress.say(&format!(
            "pair {pair} of {}: without and with choices",
            arguments.compare
        ));
        let timed = |choice| match program.run(choice, deadline) {
            Ok(Ended::Well(seconds)) => Some(seconds),
            _ => None,
        };
        let (Some(without), Some(with)) = (timed("off"), timed("cache")) else {
            break;
        };
        compared.push([without, with]);
    }
    progress.end();
    let told = Told {
        outcome,
        runs,
        images,
        compared,
    };
    tell::all(&told, arguments.json);
    Ok(if outcome == Outcome::Settled { 0 } else { 3 })
}

/// Runs the program until there is nothing more to learn.
fn learn(
    program: &Program,
    arguments: &Arguments,
    deadline: Instant,
    progress: &mut Progress,
) -> Result<(Outcome, u32, Vec<Image>)> {
    let mut last: Option<(Vec<String>, Vec<Image>)> = None;
    let mut same = 0;
    for run in 1..=arguments.runs {
        match program.run("tune", deadline)? {
            Ended::Well(_) => {}
            Ended::Stopped => {
                let Some((_, images)) = last else {
                    bail!(
                        "the first run was not over after {} s: give --time more",
                        arguments.time
                    );
                };
                return Ok((Outcome::Limit, run - 1, images));
            }
            Ended::Badly(how) => bail!("run {run}: {how}"),
        }
        let images = program.report().context("nothing can be tuned")?;
        let (settled, all) = count(&images);
        if all == 0 {
            let launched = images.iter().any(|i| !i.kernels.is_empty());
            let why = if launched {
                runs::NONE_MAY
            } else {
                runs::NOTHING
            };
            bail!("nothing can be tuned: {why}");
        }
        progress.ran(run, settled, all);
        if settled == all {
            return Ok((Outcome::Settled, run, images));
        }
        let state = state(&images);
        same = match &last {
            Some((before, _)) if *before == state => same + 1,
            _ => 0,
        };
        if same + 1 >= PATIENCE {
            return Ok((Outcome::Stuck, run, images));
        }
        last = Some((state, images));
    }
    let (_, images) = last.context("there was a run")?;
    Ok((Outcome::Limit, arguments.runs, images))
}

/// What is settled, and how far the others are, in an order that does not hang on the program's threads.
fn state(images: &[Image]) -> Vec<String> {
    let kernels = images.iter().flat_map(|i| &i.kernels);
    let mut all: Vec<String> = kernels
        .flat_map(|k| {
            let line = |c: &measured::Class| {
                let open = if c.settled {
                    [0; 2]
                } else {
                    [c.compared, c.open_pairs]
                };
                format!(
                    "{} {} {} {} {open:?}",
                    k.kernel,
                    c.kind(),
                    c.settled,
                    c.candidate
                )
            };
            k.classes.iter().map(line)
        })
        .collect();
    all.sort();
    all
}
