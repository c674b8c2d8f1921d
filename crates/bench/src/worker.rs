//! The process that owns the GPU, and how it is watched.
//!
//! A kernel that faults makes the driver useless for its whole process, and one that hangs cannot be
//! stopped from inside. So rows run in a child: it prints one JSON message a line, and the parent
//! starts another child where one is lost, without the variant that did it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum as _;
use serde::{Deserialize, Serialize};

use crate::cublas::Cublas;
use crate::driver::{Chip, Driver};
use crate::figures;
use crate::lab::Lab;
use crate::manifest::REFERENCE;
use crate::measure::{Bench, Effort};
use crate::results::{Limits, Row};
use crate::tasks::{Bundle, Choice, Task};

/// What a child tells its parent.
#[derive(Debug, Serialize, Deserialize)]
pub enum Message {
    /// First of all: the chip, what it can do, and the library's version or why there is none.
    Ready(Box<Chip>, Limits, String),
    /// A variant of a row is about to run.
    At(usize, String),
    /// A row is done.
    Done(usize, Box<Row>),
    /// A variant of a row cost the GPU; the child ends.
    Lost(usize, String, String),
    /// Nothing can run at all: exit code and one line.
    Cannot(u8, String),
}

/// Exit codes, as `--help` lists them.
pub mod code {
    /// Some row failed, bits differ, or a check found something.
    pub const FAILED: u8 = 1;
    /// Bad arguments or an unreadable bundle.
    pub const USAGE: u8 = 2;
    /// No driver or no GPU.
    pub const NO_GPU: u8 = 3;
    /// The bundle has no code for this GPU.
    pub const WRONG_CHIP: u8 = 4;
}

/// What a child is told beside the choice of rows.
#[derive(Debug, Clone, Default)]
pub struct Order {
    /// First row to run.
    pub first: usize,
    /// Variants to leave out on the first row, with the reason: they brought the GPU down there.
    pub excluded: Vec<(String, String)>,
    /// Where cuBLAS lies.
    pub cublas: Option<PathBuf>,
    /// Seconds for all rows.
    pub seconds: f64,
}

/// The child's whole life.
pub fn work(bundle: &Bundle, choice: &Choice, order: &Order) -> Result<()> {
    if let Err(Cannot(code, why)) = work_on_gpu(bundle, choice, order)? {
        say(&Message::Cannot(code, why));
    }
    Ok(())
}

fn say(message: &Message) {
    let line = serde_json::to_string(message).unwrap_or_default();
    // A parent that is gone wants nothing more.
    if writeln!(std::io::stdout(), "{line}").is_err() {
        std::process::exit(i32::from(code::FAILED));
    }
}

type Work = std::result::Result<(), Cannot>;

fn work_on_gpu(bundle: &Bundle, choice: &Choice, order: &Order) -> Result<Work> {
    let tasks = bundle.tasks(choice)?;
    let driver = match Driver::load() {
        Ok(driver) => driver,
        Err(error) => return Ok(Err(Cannot::new(code::NO_GPU, error))),
    };
    let context = match driver.context() {
        Ok(context) => context,
        Err(error) => return Ok(Err(Cannot::new(code::NO_GPU, error))),
    };
    let lab = match Lab::new(&context, &bundle.root, &bundle.manifest.support) {
        Ok(lab) => lab,
        Err(error) => {
            let error = error.context(format!("the bundle is for {}", bundle.manifest.arch));
            return Ok(Err(Cannot::new(code::WRONG_CHIP, error)));
        }
    };
    let timed = !choice.small;
    let library = match timed && tasks.iter().any(|t| t.blas.is_some()) {
        true => Cublas::load(order.cublas.as_deref()),
        false => Err(anyhow::anyhow!("not needed")),
    };
    let version = match &library {
        Ok(library) => library.version.clone(),
        Err(error) => format!("{error:#}"),
    };
    let limits = if timed {
        lab.limits()?
    } else {
        Limits::default()
    };
    say(&Message::Ready(Box::new(lab.chip.clone()), limits, version));
    let bench = Bench {
        lab: &lab,
        root: &bundle.root,
        library: &library,
        choice,
        excluded: &order.excluded,
    };
    rows(bench, &tasks, order, &limits);
    Ok(Ok(()))
}

/// Runs rows until the last one, or until one costs the GPU.
fn rows(mut bench: Bench, tasks: &[Task], order: &Order, limits: &Limits) {
    let start = Instant::now();
    for (i, task) in tasks.iter().enumerate().skip(order.first) {
        let left = order.seconds - start.elapsed().as_secs_f64();
        let effort = effort(
            bench.choice.quick || bench.choice.drawn > 0,
            left,
            tasks.len() - i,
        );
        let announce = &mut |variant: &str| say(&Message::At(i, variant.into()));
        match bench.row(task, effort, announce) {
            Ok(mut row) => {
                figures::limit(&mut row, task.unit, limits);
                say(&Message::Done(i, Box::new(row)));
            }
            Err(lost) => {
                say(&Message::Lost(i, lost.variant, lost.text));
                return;
            }
        }
        bench.excluded = &[];
    }
}

/// How much a row may take of the time that is left: several times its even part, because most rows
/// need far less than theirs.
fn effort(quick: bool, seconds_left: f64, rows_left: usize) -> Effort {
    let even = seconds_left.max(0.0) / rows_left.max(1) as f64;
    Effort {
        rounds: if quick { 9 } else { 25 },
        least: if quick { 3 } else { 5 },
        until: Duration::from_secs_f64(3.0 * even),
    }
}

/// What a parent gets out of its children.
#[derive(Default)]
pub struct Outcome {
    /// The GPU.
    pub chip: Chip,
    /// What it can do.
    pub limits: Limits,
    /// cuBLAS's version, or why there is none.
    pub blas: String,
    /// Rows by their place.
    pub rows: BTreeMap<usize, Row>,
}

/// A run that could not start: its exit code and reason.
#[derive(Debug)]
pub struct Cannot(pub u8, pub String);

impl Cannot {
    fn new(code: u8, error: anyhow::Error) -> Cannot {
        Cannot(code, format!("{error:#}"))
    }
}

/// Runs all rows in children made by `command`; `shown` gets each row as it comes.
///
/// A child that says nothing for `patience` is ended.
pub fn supervise(
    tasks: &[Task],
    order: &Order,
    patience: Duration,
    command: &dyn Fn(&Order) -> Command,
    shown: &mut dyn FnMut(&Row),
) -> Result<std::result::Result<Outcome, Cannot>> {
    let start = Instant::now();
    let mut outcome = Outcome::default();
    let mut order = order.clone();
    while order.first < tasks.len() {
        let now = Order {
            seconds: (order.seconds - start.elapsed().as_secs_f64()).max(1.0),
            ..order.clone()
        };
        let mut child = Watched::start(&mut command(&now))?;
        let (mut at, mut ended) = ((order.first, String::new()), None);
        loop {
            match child.next(patience) {
                Ok(Some(Message::Ready(chip, limits, blas))) if outcome.chip.name.is_empty() => {
                    (outcome.chip, outcome.limits, outcome.blas) = (*chip, limits, blas);
                }
                Ok(Some(Message::Ready(..))) => {}
                Ok(Some(Message::At(row, variant))) => at = (row, variant),
                Ok(Some(Message::Done(i, row))) => {
                    shown(&row);
                    outcome.rows.insert(i, *row);
                    at = (i + 1, String::new());
                }
                Ok(Some(Message::Lost(row, variant, text))) => {
                    // While timing the child does not know which variant it was.
                    let variant = if variant.is_empty() {
                        at.1.clone()
                    } else {
                        variant
                    };
                    (at, ended) = ((row, variant), Some(text));
                }
                Ok(Some(Message::Cannot(code, text))) => return Ok(Err(Cannot(code, text))),
                Ok(None) => break,
                Err(silent) => {
                    ended = Some(silent);
                    break;
                }
            }
        }
        let status = child.end();
        if at.0 >= tasks.len() {
            break;
        }
        let task = &tasks[at.0];
        let why = ended.unwrap_or_else(|| format!("the process ended ({status})"));
        order.next(at, why, task, &mut outcome, shown)?;
    }
    Ok(Ok(outcome))
}

impl Order {
    /// Goes on behind a lost child: the same row without the variant, or the next row where that
    /// does not help.
    fn next(
        &mut self,
        (row, variant): (usize, String),
        why: String,
        task: &Task,
        outcome: &mut Outcome,
        shown: &mut dyn FnMut(&Row),
    ) -> Result<()> {
        if outcome.chip.name.is_empty() {
            bail!("the worker ended before it reached the GPU: {why}");
        }
        if row > self.first {
            self.excluded.clear();
        }
        self.first = row;
        let again = self.excluded.iter().any(|(v, _)| *v == variant);
        if variant.is_empty() || variant == REFERENCE || again {
            let mut lost = task.row();
            lost.problem = Some(match variant.is_empty() {
                true => why,
                false => format!("{variant}: {why}"),
            });
            shown(&lost);
            outcome.rows.insert(row, lost);
            self.first += 1;
            self.excluded.clear();
        } else {
            self.excluded.push((variant, why));
        }
        Ok(())
    }
}

/// A child whose messages arrive through a thread, so that waiting for them can end.
struct Watched {
    child: Child,
    lines: Receiver<Message>,
}

impl Watched {
    fn start(command: &mut Command) -> Result<Watched> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| {
                format!(
                    "{} cannot be started",
                    command.get_program().to_string_lossy()
                )
            })?;
        let stdout = child.stdout.take().context("the worker has no output")?;
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout)
                .lines()
                .map_while(std::result::Result::ok)
            {
                // Tools around the worker may print lines of their own.
                if let Ok(message) = serde_json::from_str(&line)
                    && send.send(message).is_err()
                {
                    break;
                }
            }
        });
        Ok(Watched { child, lines })
    }

    fn next(&mut self, patience: Duration) -> std::result::Result<Option<Message>, String> {
        match self.lines.recv_timeout(patience) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => {
                let _ = self.child.kill();
                Err(format!("it did not end within {} s", patience.as_secs()))
            }
        }
    }

    fn end(mut self) -> String {
        self.child
            .wait()
            .map_or_else(|e| e.to_string(), |s| s.to_string())
    }
}

/// When the driver loads kernels.
const LOADING: &str = "CUDA_MODULE_LOADING";

/// Has a child load kernels before it launches one, unless the environment says otherwise: else the driver loads each at
/// its first launch, beside the rows that are timed, and knows nothing of it until then.
pub fn load_first(command: &mut Command) {
    if std::env::var_os(LOADING).is_none() {
        command.env(LOADING, "EAGER");
    }
}

/// This very program, as a child for one order.
pub fn command(program: &Path, bundle: &Path, choice: &Choice, order: &Order) -> Command {
    let mut command = Command::new(program);
    command.arg("--bundle").arg(bundle).arg("--worker");
    load_first(&mut command);
    for filter in &choice.filters {
        command.arg("--filter").arg(filter);
    }
    for variant in &choice.variants {
        command.arg("--variants").arg(variant);
    }
    for (on, flag) in [
        (choice.quick, "--quick"),
        (choice.small, "--small"),
        (choice.by_host, "--by-host"),
    ] {
        command.args(on.then_some(flag));
    }
    if let Some(chooser) = choice.chooser.to_possible_value() {
        command.arg(format!("--choice={}", chooser.get_name()));
    }
    if choice.drawn > 0 {
        command.arg("--drawn").arg(choice.drawn.to_string());
        command.arg("--seed").arg(choice.seed.to_string());
    }
    if let Some(path) = &order.cublas {
        command.arg("--cublas").arg(path);
    }
    command.arg("--from").arg(order.first.to_string());
    command.arg("--seconds").arg(order.seconds.to_string());
    for (variant, why) in &order.excluded {
        command.arg("--exclude").arg(format!("{variant}:{why}"));
    }
    command
}

#[cfg(test)]
mod tests;
