//! Stages of a long command, each with the time that it took: by the clock, and of all processors together.

use std::process::Command;
use std::time::Instant;

use anyhow::Result;

use crate::project;

/// Ticks of the processor times in `/proc`: a constant of Linux, whatever the kernel's own clock.
const TICKS_PER_SECOND: f64 = 100.0;

/// What was done so far.
#[derive(Default)]
pub struct Stages {
    done: Vec<Line>,
}

struct Line {
    what: String,
    wall: f64,
    cpu: Option<f64>,
}

impl Stages {
    /// A stage that is one command.
    pub fn command(&mut self, what: &str, command: &mut Command) -> Result<()> {
        self.run(what, || project::run(command))
    }

    /// A stage, with its times once it has passed.
    pub fn run(&mut self, what: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
        eprintln!("test: {what}");
        let (start, before) = (Instant::now(), cpu_seconds());
        let result = work();
        let line = Line {
            what: what.to_string(),
            wall: start.elapsed().as_secs_f64(),
            cpu: cpu_seconds().zip(before).map(|(now, then)| now - then),
        };
        let word = if result.is_ok() { "passed" } else { "failed" };
        eprintln!("test: {what}: {word} in {}", line.times());
        self.done.push(line);
        result
    }

    /// All stages with their times.
    pub fn report(&self) {
        for line in &self.done {
            eprintln!("test: {:<22} {}", line.what, line.times());
        }
    }
}

impl Line {
    fn times(&self) -> String {
        let cpu = self.cpu.map(|c| format!(", {c:.0} core-seconds"));
        format!("{:.0} s{}", self.wall, cpu.unwrap_or_default())
    }
}

/// Processor time of this process and of those that it has waited for; `None` where there is no `/proc`.
pub fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    seconds_in(&text)
}

/// The sum of user and system time in a line of `/proc/PID/stat`, the process's own and its children's.
fn seconds_in(stat: &str) -> Option<f64> {
    // The program's name may have spaces in it; what follows is state, then ten numbers, then the times.
    let (_, rest) = stat.rsplit_once(')')?;
    let times: Vec<f64> = rest
        .split_whitespace()
        .skip(11)
        .take(4)
        .filter_map(|word| word.parse().ok())
        .collect();
    (times.len() == 4).then(|| times.iter().sum::<f64>() / TICKS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_stand_behind_the_name() {
        let stat = "7 (a b) c) S 1 1 1 0 -1 4194304 9 9 9 9 100 50 1000 250 20 0 1 0 9 9 9";
        assert_eq!(seconds_in(stat), Some(14.0));
        assert_eq!(seconds_in("7 (a) S 1"), None);
    }
}
