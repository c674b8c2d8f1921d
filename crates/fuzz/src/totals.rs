//! What a run came to: sums, coverage, failures. Runs on several machines are summed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::check::Failure;
use crate::worker::Reply;

/// What came of a run.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub struct Totals {
    /// Seeds asked for: the first and how many. Several where runs were summed.
    pub seeds: Vec<(u64, u64)>,
    /// Kernels made.
    pub kernels: u64,
    /// Kernels none of whose launches was clean.
    pub discarded: u64,
    /// Launches compared, and those left out.
    pub launches: (u64, u64),
    /// Variants that changed a kernel and were run.
    pub variants: u64,
    /// Variants that gave the code of another.
    pub equal: u64,
    /// Kernels that have each feature.
    pub features: BTreeMap<String, u64>,
    /// Why launches were left out, first words.
    pub reasons: BTreeMap<String, u64>,
    /// Seconds of passes, compiling and running, summed over the workers.
    pub seconds: [f64; 3],
    /// Seconds from start to end, summed over runs.
    pub wall: f64,
    /// Failing seeds.
    pub failures: Vec<Found>,
}

/// A failing kernel, made small.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Found {
    /// Its seed.
    pub seed: u64,
    /// What failed first.
    pub failure: Failure,
    /// Cuts that keep it failing.
    pub cuts: Vec<usize>,
    /// Where the small kernel was written.
    pub file: PathBuf,
}

impl Totals {
    /// Adds one kernel.
    pub fn add(&mut self, reply: &Reply) {
        let v = &reply.verdict;
        self.kernels += 1;
        if !reply.invalid.is_empty() {
            self.discarded += 1;
            *self.reasons.entry(words(&reply.invalid)).or_default() += 1;
        } else if v.launches == 0 && v.failures.is_empty() {
            self.discarded += 1;
        }
        self.launches.0 += v.launches as u64;
        self.launches.1 += v.dropped as u64;
        self.variants += v.variants as u64;
        self.equal += v.equal as u64;
        if !v.dropped_why.is_empty() {
            let why = v
                .dropped_why
                .split(": ")
                .skip(1)
                .find(|w| !w.contains('=') && !w.starts_with("fuzzed") && !w.contains("original"))
                .unwrap_or("");
            *self.reasons.entry(words(why)).or_default() += 1;
        }
        for f in &v.features {
            *self.features.entry(f.clone()).or_default() += 1;
        }
        for (total, part) in
            self.seconds
                .iter_mut()
                .zip([v.times.passes, v.times.compile, v.times.run])
        {
            *total += part as f64 / 1e6;
        }
    }

    /// Adds another run. Kernels that both have run would count twice, so that is an error.
    pub fn merge(&mut self, other: Totals) -> Result<(), String> {
        for (first, count) in &other.seeds {
            let twice = self
                .seeds
                .iter()
                .any(|(f, c)| *first < f + c && *f < first + count);
            if twice {
                return Err(format!(
                    "kernels from {first} on are in two of the runs: they would count twice"
                ));
            }
        }
        self.seeds.extend(other.seeds);
        self.seeds.sort_unstable();
        self.kernels += other.kernels;
        self.discarded += other.discarded;
        self.launches.0 += other.launches.0;
        self.launches.1 += other.launches.1;
        self.variants += other.variants;
        self.equal += other.equal;
        for (mine, theirs) in [
            (&mut self.features, other.features),
            (&mut self.reasons, other.reasons),
        ] {
            for (name, count) in theirs {
                *mine.entry(name).or_default() += count;
            }
        }
        for (total, part) in self.seconds.iter_mut().zip(other.seconds) {
            *total += part;
        }
        self.wall += other.wall;
        self.failures.extend(other.failures);
        Ok(())
    }

    /// Reads what `write` wrote.
    pub fn read(file: &Path) -> Result<Totals, String> {
        let text = std::fs::read_to_string(file)
            .map_err(|e| format!("{}: cannot be read: {e}", file.display()))?;
        serde_json::from_str(&text)
            .map_err(|e| format!("{}: not what --json writes: {e}", file.display()))
    }

    /// Writes all of it as JSON.
    pub fn write(&self, file: &Path) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|e| e.to_string())?;
        std::fs::write(file, text + "\n")
            .map_err(|e| format!("{}: cannot be written: {e}", file.display()))
    }

    /// The coverage table, in Markdown.
    pub fn table(&self) -> String {
        let compared = (self.kernels - self.discarded).max(1);
        let mut text = String::from("| what | kernels | share |\n|---|---|---|\n");
        for (name, count) in &self.features {
            text += &format!(
                "| {name} | {count} | {:.1}% |\n",
                *count as f64 * 100.0 / compared as f64
            );
        }
        let missed = mesi::missed::ALL_NAMES
            .iter()
            .map(|n| format!("missed: {n}"));
        let unmerged = crate::coverage::NO_MERGE
            .iter()
            .map(|n| format!("no merge: {n}"));
        for name in missed.chain(unmerged) {
            if name == "missed: CheckFailed" {
                // `stage` makes it a failure.
                text += &format!("| {name} | 0 | would be a failure |\n");
            } else if !self.features.contains_key(&name) {
                text += &format!("| {name} | 0 | never seen |\n");
            }
        }
        text
    }

    /// One line of figures.
    pub fn summary(&self) -> String {
        let [passes, compile, run] = self.seconds;
        format!(
            "{} kernels in {:.0} s ({:.1}/s): {} discarded, {} launches compared, {} left out, {} variants run, {} equal to another; passes {passes:.0} s, compiling {compile:.0} s, running {run:.0} s",
            self.kernels,
            self.wall,
            self.kernels as f64 / self.wall.max(1e-9),
            self.discarded,
            self.launches.0,
            self.launches.1,
            self.variants,
            self.equal
        )
    }
}

fn words(text: &str) -> String {
    text.split_whitespace()
        .take(6)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(first: u64, staged: u64) -> Totals {
        Totals {
            seeds: vec![(first, 10)],
            kernels: 10,
            features: [("staged at force".to_string(), staged)].into(),
            wall: 2.0,
            ..Totals::default()
        }
    }

    #[test]
    fn runs_are_summed() {
        let mut sum = run(100, 6);
        sum.merge(run(50, 8)).expect("other kernels");
        assert_eq!(sum.seeds, [(50, 10), (100, 10)]);
        assert_eq!(sum.kernels, 20);
        assert!(sum.table().contains("| staged at force | 14 | 70.0% |"));
        assert!(sum.table().contains("| missed: Nested | 0 | never seen |"));
        assert!(
            sum.table()
                .contains("| no merge: the tiles do not fit | 0 | never seen |")
        );
    }

    #[test]
    fn kernels_count_once() {
        let why = run(100, 6).merge(run(109, 8)).expect_err("109 is in both");
        assert!(why.contains("109"), "{why}");
    }

    #[test]
    fn what_is_written_can_be_read() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("a.json");
        run(7, 3).write(&file).expect("written");
        assert_eq!(Totals::read(&file).expect("read").seeds, [(7, 10)]);
        std::fs::write(&file, "{").expect("written");
        let why = Totals::read(&file).expect_err("half an object");
        assert!(why.contains("not what --json writes"), "{why}");
    }
}
