//! Runs the builds, each run in a fresh folder at the same path, and keeps what they wrote.

use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::bundle::{self, Manifest, Variant};
use crate::timing;

/// More output than this is an endless loop that prints.
const MOST_OUTPUT: u64 = 1 << 30;

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// With this status.
    Exited(i32),
    /// By this signal.
    Killed(i32),
    /// We ended it: it ran too long.
    Hung(Duration),
    /// We ended it: it printed without end.
    Flooded,
    /// It could not be started at all.
    NotStarted(String),
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exited(0) => write!(f, "ok"),
            Self::Exited(status) => write!(f, "status {status}"),
            Self::Killed(6) => write!(f, "aborted (signal 6)"),
            Self::Killed(11) => write!(f, "crashed (signal 11)"),
            Self::Killed(signal) => write!(f, "killed by signal {signal}"),
            Self::Hung(limit) => write!(f, "hung (over {} s)", limit.as_secs()),
            Self::Flooded => write!(f, "printed over {} MiB", MOST_OUTPUT >> 20),
            Self::NotStarted(why) => write!(f, "not started: {why}"),
        }
    }
}

impl Ending {
    /// Whether it came to an end of its own.
    pub fn exited(&self) -> bool {
        matches!(self, Self::Exited(_))
    }
}

/// What one run left.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// Seconds from start to end.
    pub seconds: f64,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// The files to compare, in the manifest's order; `None` where it wrote none.
    pub outputs: Vec<Option<Vec<u8>>>,
    /// The last line on standard error.
    pub complaint: String,
    /// Its kernels' times.
    pub kernels: timing::Run,
}

/// Runs all builds that exist, `runs` times in rotated order; outcomes by build. A build that did
/// not end by itself is not run again: the next run would hang as long.
pub fn all(
    folder: &Path,
    manifest: &Manifest,
    runs: u32,
    timeout: Duration,
) -> Result<Vec<Vec<Outcome>>> {
    let scratch = tempfile::Builder::new()
        .prefix("mesi-ab-")
        .tempdir()
        .context("no folder for temporary files")?;
    let mut outcomes: Vec<Vec<Outcome>> = manifest.builds.iter().map(|_| Vec::new()).collect();
    let count = outcomes.len();
    for round in 0..runs as usize {
        for i in 0..count {
            let at = (i + round) % count;
            let build = &manifest.builds[at];
            let stuck = outcomes[at].last().is_some_and(|o| !o.ending.exited());
            if build.missing.is_some() || stuck {
                continue;
            }
            eprintln!("run {}/{runs}: {}", round + 1, build.variant.name());
            let runner = Runner {
                folder,
                manifest,
                scratch: scratch.path(),
                timeout,
            };
            outcomes[at].push(runner.once(build.variant)?);
        }
    }
    Ok(outcomes)
}

struct Runner<'a> {
    folder: &'a Path,
    manifest: &'a Manifest,
    scratch: &'a Path,
    timeout: Duration,
}

impl Runner<'_> {
    fn once(&self, variant: Variant) -> Result<Outcome> {
        let work = self.work_folder()?;
        let file = |name: &str| self.scratch.join(name);
        let log = file("launches.log");
        let _ = std::fs::remove_file(&log);
        let (out, err) = (file("stdout"), file("stderr"));
        let mut command = Command::new(self.stand_in(variant)?);
        command.arg0(format!("./{}", self.manifest.program));
        command
            .args(&self.manifest.arguments)
            .current_dir(&work)
            .stdin(Stdio::null());
        command.stdout(create(&out)?).stderr(create(&err)?);
        command
            .env("MESIAB_LOG", &log)
            .env("LD_LIBRARY_PATH", self.library_path()?);
        let begun = Instant::now();
        let ending = match command.spawn() {
            Ok(child) => wait(child, &out, begun, self.timeout)?,
            Err(error) => Ending::NotStarted(error.to_string()),
        };
        let seconds = begun.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&std::fs::read(&log).unwrap_or_default()).into_owned();
        Ok(Outcome {
            seconds,
            stdout: if ending == Ending::Flooded {
                Vec::new()
            } else {
                std::fs::read(&out).unwrap_or_default()
            },
            outputs: self
                .manifest
                .outputs
                .iter()
                .map(|o| std::fs::read(work.join(o)).ok())
                .collect(),
            complaint: last_line(&std::fs::read(&err).unwrap_or_default()),
            // A process that was killed while it wrote leaves half a line.
            kernels: if ending.exited() {
                timing::parse(&text).map_err(anyhow::Error::msg)?
            } else {
                timing::Run::new()
            },
            ending,
        })
    }

    /// The variant's executable at a path that is the same for all: programs print their names.
    fn stand_in(&self, variant: Variant) -> Result<PathBuf> {
        let executable = self.manifest.executable(self.folder, variant);
        let stand_in = self.scratch.join("bin").join(&self.manifest.program);
        let _ = std::fs::remove_file(&stand_in);
        bundle::copy(&executable, &stand_in)
            .with_context(|| format!("{} cannot be copied", executable.display()))?;
        Ok(stand_in)
    }

    /// A fresh folder with the program's files, at the same path every time.
    fn work_folder(&self) -> Result<PathBuf> {
        let work = self.scratch.join("work");
        if work.exists() {
            std::fs::remove_dir_all(&work).context("the last run's folder cannot be removed")?;
        }
        std::fs::create_dir_all(&work).context("a run's folder cannot be created")?;
        let files = self.folder.join("files");
        if files.is_dir() {
            bundle::copy(&files, &work).context("the program's files cannot be copied")?;
        }
        Ok(work)
    }

    fn library_path(&self) -> Result<std::ffi::OsString> {
        let own = self.folder.join("lib");
        let mut path = if own.is_dir() {
            vec![absolute(&own)?]
        } else {
            Vec::new()
        };
        if let Some(users) = std::env::var_os("LD_LIBRARY_PATH") {
            path.extend(std::env::split_paths(&users));
        }
        std::env::join_paths(path).context("a folder of libraries has a colon in its name")
    }
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("{} is no path", path.display()))
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("{} cannot be written", path.display()))
}

/// Waits, looking now and then for too much time or output.
fn wait(mut child: Child, stdout: &Path, begun: Instant, timeout: Duration) -> Result<Ending> {
    loop {
        if let Some(status) = child.try_wait().context("a run cannot be waited for")? {
            return Ok(ending(status));
        }
        let flooded = std::fs::metadata(stdout).is_ok_and(|m| m.len() > MOST_OUTPUT);
        let hung = begun.elapsed() > timeout;
        if flooded || hung {
            let _ = child.kill();
            child.wait().context("a run cannot be ended")?;
            return Ok(if flooded {
                Ending::Flooded
            } else {
                Ending::Hung(timeout)
            });
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn ending(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, signal) => Ending::Killed(signal.unwrap_or(0)),
    }
}

fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let line = text.lines().rfind(|l| !l.trim().is_empty()).unwrap_or("");
    line.trim().chars().take(120).collect()
}
