//! Reads the launch timer's log and sums it up over runs.

use std::collections::BTreeMap;

use mesi_launch::kept_beside;
use serde::Serialize;

/// One kernel's launches in one run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sums {
    /// Launches that the program asked for.
    pub launches: u64,
    /// Those that were timed.
    pub timed: u64,
    /// Those that the runtime refused.
    pub failed: u64,
    /// Those recorded into a graph, which is not timed.
    pub captured: u64,
    /// Milliseconds of all timed launches.
    pub total: f64,
}

/// Kernels of one run, by symbol.
pub type Run = BTreeMap<String, Sums>;

/// Reads a log; a program of several processes wrote several blocks, which add up.
pub fn parse(log: &str) -> Result<Run, String> {
    let mut run = Run::new();
    for line in log.lines() {
        let (sums, name) =
            one(line).ok_or_else(|| format!("the launch timer's log has a line `{line}`"))?;
        let all = run.entry(name).or_default();
        all.launches += sums.launches;
        all.timed += sums.timed;
        all.failed += sums.failed;
        all.captured += sums.captured;
        all.total += sums.total;
    }
    Ok(run)
}

fn one(line: &str) -> Option<(Sums, String)> {
    let mut words = line.splitn(8, ' ');
    let mut word = || words.next();
    let sums = Sums {
        launches: word()?.parse().ok()?,
        timed: word()?.parse().ok()?,
        failed: word()?.parse().ok()?,
        captured: word()?.parse().ok()?,
        total: word()?.parse().ok()?,
    };
    // Shortest and longest launch are for a reader of the log.
    word()?;
    word()?;
    let name = word()?;
    Some((sums, kept_beside(name).unwrap_or(name).to_string()))
}

/// A time over several runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// Largest less smallest, over the median.
    pub spread: f64,
}

/// Median and spread; `None` of nothing.
pub fn spread(values: impl IntoIterator<Item = f64>) -> Option<Spread> {
    let mut v: Vec<f64> = values.into_iter().collect();
    v.sort_by(f64::total_cmp);
    let (first, last) = (v.first()?, v.last()?);
    let median = (v[(v.len() - 1) / 2] + v[v.len() / 2]) / 2.0;
    let spread = if median > 0.0 {
        (last - first) / median
    } else {
        0.0
    };
    Some(Spread { median, spread })
}

/// Milliseconds of one kernel over the runs in which it was timed.
pub fn kernel(runs: &[Run], symbol: &str) -> Option<Spread> {
    let timed = runs
        .iter()
        .filter_map(|r| r.get(symbol))
        .filter(|s| s.timed > 0);
    spread(timed.map(|s| s.total))
}

/// Milliseconds of all kernels over the runs in which any was timed.
pub fn total(runs: &[Run]) -> Option<Spread> {
    let timed = runs.iter().filter(|r| r.values().any(|s| s.timed > 0));
    spread(timed.map(|r| r.values().map(|s| s.total).sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_several_processes_add_up() {
        let run = parse("2 2 0 0 1.5 0.5 1.0 _Z1kv\n1 1 0 0 2.0 2.0 2.0 _Z1kv\n3 0 3 0 0.0 0.0 0.0 (unnamed kernel)\n").unwrap();
        assert_eq!((run["_Z1kv"].launches, run["_Z1kv"].total), (3, 3.5));
        assert_eq!(run["(unnamed kernel)"].failed, 3);
        assert!(parse("rubbish").is_err());
        assert!(parse("1 1 0 0 x 0 0 k").is_err());
    }

    #[test]
    fn launches_of_versions_are_the_kernels() {
        let run = parse("2 2 0 0 1.5 0.5 1.0 _Z1kv\n1 1 0 0 2.0 2.0 2.0 _Z1kv$mesi$0\n1 1 0 0 2.0 2.0 2.0 _Z1kv$mesi$3\n").unwrap();
        assert_eq!((run.len(), run["_Z1kv"].launches), (1, 4));
    }

    #[test]
    fn medians_over_runs() {
        assert_eq!(
            spread([3.0, 1.0, 2.0]),
            Some(Spread {
                median: 2.0,
                spread: 1.0
            })
        );
        assert_eq!(spread([1.0, 2.0]).unwrap().median, 1.5);
        assert_eq!(spread([]), None);
        let runs = [
            parse("1 1 0 0 4 4 4 a\n1 1 0 0 1 1 1 b").unwrap(),
            parse("1 1 0 0 6 6 6 a\n1 1 0 0 1 1 1 b").unwrap(),
        ];
        assert_eq!(kernel(&runs, "a").unwrap().median, 5.0);
        assert_eq!(total(&runs).unwrap().median, 6.0);
        assert_eq!(kernel(&runs, "c"), None);
        assert_eq!(total(&[parse("1 0 1 0 0 0 0 a").unwrap()]), None);
    }
}
