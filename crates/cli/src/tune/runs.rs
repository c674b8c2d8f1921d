//! One run of the program.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::measured::{self, Image};

/// What to say where a program reports nothing.
pub const NOTHING: &str = "the program launched no kernel that has versions; is it compiled with mesi (mesi nvcc --mesi-remarks says what has versions), and does it end by itself, and not by _exit or a signal?";

/// What to say where no version may run what it launched.
pub const NONE_MAY: &str = "no version may run any of the program's launches: arrays overlap, sizes do not fit, or a stream was captured (MESI_REPORT=1 counts them by kernel)";

/// The program, and where it reports to.
pub struct Program {
    words: Vec<String>,
    folder: tempfile::TempDir,
}

/// How a run ended.
pub enum Ended {
    /// With status 0, after these seconds.
    Well(f64),
    /// Otherwise, in words.
    Badly(String),
    /// By us, since the time was over.
    Stopped,
}

impl Program {
    /// A program by its words.
    pub fn new(words: &[String]) -> Result<Self> {
        let choice = crate::tools::set("MESI_CHOICE").unwrap_or_else(|| "tune".into());
        if !["learn", "tune"].contains(&choice.as_str()) {
            bail!("MESI_CHOICE={choice} is set, and learns nothing: unset it");
        }
        let folder = tempfile::Builder::new()
            .prefix("mesi-tune-")
            .tempdir()
            .context("no folder for temporary files")?;
        Ok(Self {
            words: words.to_vec(),
            folder,
        })
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("report.json")
    }

    /// Runs it with a value of `MESI_CHOICE`.
    pub fn run(&self, choice: &str, deadline: Instant) -> Result<Ended> {
        let _ = std::fs::remove_file(self.file());
        let mut said = File::options()
            .create(true)
            .truncate(true)
            .read(true)
            .write(true)
            .open(self.folder.path().join("stderr"))
            .context("the program's errors cannot be kept")?;
        let errors = said
            .try_clone()
            .context("the program's errors cannot be kept")?;
        let start = Instant::now();
        let mut child = Command::new(&self.words[0])
            .args(&self.words[1..])
            .env("MESI_CHOICE", choice)
            .env("MESI_REPORT", self.file())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors)
            .spawn()
            .with_context(|| format!("{} cannot be started", self.words[0]))?;
        let status = loop {
            if let Some(status) = child
                .try_wait()
                .context("the program cannot be waited for")?
            {
                break status;
            }
            if Instant::now() >= deadline {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(Ended::Stopped);
            }
            // Short programs are timed: at most a hundredth of what has passed.
            let pause = start.elapsed() / 100;
            std::thread::sleep(pause.clamp(Duration::from_micros(200), Duration::from_millis(50)));
        };
        let seconds = start.elapsed().as_secs_f64();
        match status.success() {
            true => Ok(Ended::Well(seconds)),
            false => Ok(Ended::Badly(failed(status, &mut said))),
        }
    }

    /// What the last run reported.
    pub fn report(&self) -> Result<Vec<Image>> {
        if !self.file().exists() {
            bail!("{NOTHING}");
        }
        measured::read(&self.file())
    }
}

/// The status, and the last line that the program wrote to stderr.
fn failed(status: ExitStatus, said: &mut File) -> String {
    let mut bytes = Vec::new();
    let _ = said.seek(SeekFrom::Start(0));
    let _ = said.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let last = text.lines().rev().find(|l| !l.trim().is_empty());
    let last = last.map_or_else(String::new, |l| format!(", and last said: {}", l.trim()));
    format!("the program ended with {status}{last}")
}
