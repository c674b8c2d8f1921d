//! What the rows say: how many are slower, how much faster the rest is, and whether all bits are right.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// A row whose gain is less than this is slower.
pub const BELOW: f64 = 0.97;

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

/// Rows that were below in every run so far.
pub fn suspects(rows: &BTreeMap<usize, Row>, again: &BTreeMap<usize, Vec<Row>>) -> Vec<usize> {
    let below = |r: &Row| r.gain < BELOW;
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

/// Judges all rows.
pub fn judge(
    rows: &BTreeMap<usize, Row>,
    again: &BTreeMap<usize, Vec<Row>>,
    failed: &[usize],
) -> Verdict {
    let slow = suspects(rows, again);
    let wrong: Vec<&Row> = rows
        .values()
        .chain(again.values().flatten())
        .filter(|r| !r.equal)
        .collect();
    let least = |f: fn(&Row) -> f64| rows.values().map(f).fold(f64::INFINITY, f64::min);
    let count = |f: fn(&Row) -> f64| rows.values().filter(|r| f(r) < BELOW).count();
    let mut text = String::new();
    for (name, f) in [
        ("settled", (|r| r.gain) as fn(&Row) -> f64),
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
        "below {BELOW} in all four runs: {}; wrong bits: {}; failed: {failed:?}",
        slow.len(),
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
    fn one_good_rerun_clears_a_row() {
        let rows: BTreeMap<usize, Row> =
            [(0, row(0, 0.9)), (1, row(1, 2.0)), (2, row(2, 0.5))].into();
        assert_eq!(suspects(&rows, &BTreeMap::new()), [0, 2]);
        let again = [(0, vec![row(0, 1.0)]), (2, vec![row(2, 0.6)])].into();
        assert_eq!(suspects(&rows, &again), [2]);
        assert!(!judge(&rows, &again, &[]).good);
    }
}
