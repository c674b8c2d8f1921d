//! What the rows say: how many are slower, how much faster the rest is, and whether all bits are right.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::pieces::Printed;

/// A row whose gain is less than this is slower.
pub const BELOW: f64 = 0.97;
/// Candidates of a kernel at most, `K` among them: it and four versions, each in two sorts of blocks.
pub const CANDIDATES: usize = 10;
/// A share of the best gain below this is counted.
const SHARE: f64 = 0.95;

/// What the program prints of one launch; times are microseconds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Row {
    pub row: usize,
    pub kernel: String,
    pub label: String,
    pub clang: f64,
    pub mesi: f64,
    pub again: f64,
    /// Median of clang's time by the plug-in's, round by round.
    pub gain: f64,
    /// The same for clang's second copy.
    pub noise: f64,
    pub first_clang: f64,
    pub first_mesi: f64,
    pub first_again: f64,
    pub host_clang: f64,
    pub host_mesi: f64,
    pub launches: u32,
    pub rounds: u32,
    /// All builds left the same bytes, at first and when settled.
    pub equal: bool,
}

impl Printed for Row {
    fn row(&self) -> usize {
        self.row
    }
}

/// What it prints of the first ten launches alone: sums in microseconds of the host's clock.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct First {
    pub row: usize,
    pub kernel: String,
    pub label: String,
    pub first_clang: f64,
    pub first_mesi: f64,
    pub first_again: f64,
    /// All builds left the same bytes.
    pub equal: bool,
}

impl Printed for First {
    fn row(&self) -> usize {
        self.row
    }
}

/// What it prints of a candidate by itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Alone {
    /// The row.
    pub row: usize,
    /// Median of clang's time by the candidate's.
    pub gain: f64,
}

impl Printed for Alone {
    fn row(&self) -> usize {
        self.row
    }
}

impl Row {
    /// Gain of the first ten launches together.
    pub fn first(&self) -> f64 {
        self.first_clang / self.first_mesi
    }
}

/// The outcome.
pub struct Verdict {
    /// No row is below, wrong or failed.
    pub good: bool,
    /// A report to print.
    pub text: String,
}

/// Gain of the settled choice.
pub fn settled(r: &Row) -> f64 {
    r.gain
}

/// Rows whose `gain` was below in every run so far.
pub fn suspects(
    rows: &BTreeMap<usize, Row>,
    again: &BTreeMap<usize, Vec<Row>>,
    gain: fn(&Row) -> f64,
) -> Vec<usize> {
    let below = |r: &Row| gain(r) < BELOW;
    let all = rows
        .values()
        .filter(|r| below(r) && again.get(&r.row).is_none_or(|a| a.iter().all(below)));
    all.map(|r| r.row).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(s, n), v| (s + v.ln(), n + 1.0));
    if count > 0.0 {
        (sum / count).exp()
    } else {
        f64::NAN
    }
}

/// `count` of `all` rows, spread evenly.
pub fn spread(all: usize, count: usize) -> Vec<usize> {
    let count = count.min(all);
    (0..count).map(|i| i * all / count).collect()
}

/// Which share of the best candidate's gain the settled choice has; nothing where candidates were not timed. The best of several noisy figures is too large
/// by their noise, so the truth is a little better.
pub fn share(rows: &BTreeMap<usize, Row>, alone: &BTreeMap<usize, Vec<f64>>) -> String {
    let best = |gains: &[f64]| gains.iter().copied().fold(0.0, f64::max);
    let mut shares: Vec<(f64, f64, &Row)> = alone
        .iter()
        .filter(|(_, gains)| best(gains) > 0.0)
        .filter_map(|(i, gains)| {
            let row = rows.get(i)?;
            Some((row.gain / best(gains), best(gains), row))
        })
        .collect();
    shares.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some((least, ..)) = shares.first() else {
        return String::new();
    };
    let low = shares.iter().filter(|s| s.0 < SHARE);
    let mut text = format!(
        "share of the best of all candidates, each timed by itself: {:.1}% in the mean of {} rows, least {:.1}%, {} below {:.0}%; the best: x{:.3} in the mean\n",
        100.0 * mean(shares.iter().map(|s| s.0)),
        shares.len(),
        100.0 * least,
        low.clone().count(),
        100.0 * SHARE,
        mean(shares.iter().map(|s| s.1)),
    );
    for (share, best, r) in low {
        let _ = writeln!(
            text,
            "  {:.1}%: {} {}: x{:.3} of x{best:.3}",
            100.0 * share,
            r.kernel,
            r.label,
            r.gain
        );
    }
    text
}

/// Judges all rows.
pub fn judge(
    rows: &BTreeMap<usize, Row>,
    again: &BTreeMap<usize, Vec<Row>>,
    failed: &[usize],
) -> Verdict {
    let slow = suspects(rows, again, settled);
    let slow_at_first = suspects(rows, again, Row::first);
    let wrong: Vec<&Row> = rows
        .values()
        .chain(again.values().flatten())
        .filter(|r| !r.equal)
        .collect();
    let least = |f: fn(&Row) -> f64| rows.values().map(f).fold(f64::INFINITY, f64::min);
    let count = |f: fn(&Row) -> f64| rows.values().filter(|r| f(r) < BELOW).count();
    let mut text = String::new();
    for (name, f) in [
        ("settled", settled as fn(&Row) -> f64),
        ("first ten", Row::first),
        ("clang against itself", |r| r.noise),
    ] {
        let _ = writeln!(
            text,
            "{name}: x{:.3} in the mean, least {:.3}, {} of {} rows below {BELOW} in one run",
            mean(rows.values().map(f)),
            least(f),
            count(f),
            rows.len()
        );
    }
    let _ = writeln!(
        text,
        "below {BELOW} in all four runs: {}, of the first ten launches: {}; wrong bits: {}; failed: {failed:?}",
        slow.len(),
        slow_at_first.len(),
        wrong.len()
    );
    for i in &slow {
        if let Some(r) = rows.get(i) {
            let _ = writeln!(
                text,
                "  below: {} {}: {:.3} ({:.1} us by {:.1})",
                r.kernel, r.label, r.gain, r.clang, r.mesi
            );
        }
    }
    for r in slow_at_first.iter().filter_map(|i| rows.get(i)) {
        let _ = writeln!(
            text,
            "  first ten below: {} {}: {:.3} in the first run",
            r.kernel,
            r.label,
            r.first()
        );
    }
    for r in &wrong {
        let _ = writeln!(text, "  wrong bits: {} {}", r.kernel, r.label);
    }
    Verdict {
        good: slow.is_empty() && wrong.is_empty() && failed.is_empty() && !rows.is_empty(),
        text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(row: usize, gain: f64) -> Row {
        let text = format!(
            r#"{{"row":{row},"kernel":"k","label":"","clang":1,"mesi":1,"again":1,"gain":{gain},"noise":1,"first_clang":1,"first_mesi":1,"first_again":1,"host_clang":1,"host_mesi":1,"launches":1,"rounds":1,"equal":true}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn shares_are_of_the_best_candidate() {
        let rows: BTreeMap<usize, Row> = [(0, row(0, 1.0)), (1, row(1, 1.8))].into();
        let alone = [(0, vec![1.0, 0.5]), (1, vec![1.0, 2.0, 1.5])].into();
        let text = share(&rows, &alone);
        for part in [
            "share of the best of all candidates, each timed by itself: 94.9% in the mean of 2 rows, least 90.0%, 1 below 95%; the best: x1.414",
            "\n  90.0%: k : x1.800 of x2.000\n",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(share(&rows, &BTreeMap::new()), "");
        assert_eq!(spread(10, 4), [0, 2, 5, 7]);
        assert_eq!(spread(2, 200), [0, 1]);
        assert!(spread(10, 0).is_empty());
    }

    #[test]
    fn one_good_rerun_clears_a_row() {
        let rows: BTreeMap<usize, Row> =
            [(0, row(0, 0.9)), (1, row(1, 2.0)), (2, row(2, 0.5))].into();
        assert_eq!(suspects(&rows, &BTreeMap::new(), settled), [0, 2]);
        let again = [(0, vec![row(0, 1.0)]), (2, vec![row(2, 0.6)])].into();
        assert_eq!(suspects(&rows, &again, settled), [2]);
        assert!(!judge(&rows, &again, &[]).good);
    }

    #[test]
    fn the_first_ten_launches_are_judged_by_reruns_of_their_own() {
        let at_first = |first_mesi| Row {
            first_mesi,
            ..row(0, 1.0)
        };
        let rows: BTreeMap<usize, Row> = [(0, at_first(1.2))].into();
        let again = |mesi| [(0, vec![at_first(mesi)])].into();
        for (mesi, slow) in [(1.1, "launches: 1;"), (1.0, "launches: 0;")] {
            let verdict = judge(&rows, &again(mesi), &[]);
            assert!(verdict.text.contains(slow), "{}", verdict.text);
            // The verdict is of settled launches.
            assert!(verdict.good);
        }
    }
}
