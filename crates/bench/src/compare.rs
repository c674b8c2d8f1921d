//! Two runs of one bundle side by side: do they agree?

use std::fmt::Write;

use anyhow::{Result, bail};

use crate::results::{Cell, Results, Row};

/// Times that differ by less agree.
const WITHIN: f64 = 0.03;
/// Differences that are listed, largest first.
const LISTED: usize = 20;

/// A few lines: the share of rows that agree, by time and by gain, and the rest.
pub fn compare(a: &Results, b: &Results) -> Result<String> {
    let rows = pairs(a, b, |c| c.ms);
    if rows.is_empty() {
        bail!("the two runs have no timed row in common");
    }
    let mut text = format!(
        "A: {}, commit {}; B: {}, commit {}\n",
        a.chip.name, a.versions.commit, b.chip.name, b.versions.commit
    );
    text += &share("times", &rows);
    let gains = pairs(a, b, |c| {
        c.ratio.filter(|_| c.variant != crate::manifest::REFERENCE)
    });
    text += &share("gains", &gains);
    let mut apart: Vec<_> = rows.iter().filter(|r| r.1 > WITHIN).collect();
    apart.sort_by(|x, y| y.1.total_cmp(&x.1));
    for (name, by) in apart.iter().take(LISTED) {
        let _ = writeln!(text, "  {:+.1}% {name}", by * 100.0);
    }
    if apart.len() > LISTED {
        let _ = writeln!(text, "  and {} more", apart.len() - LISTED);
    }
    let chosen = |cell: &Cell, row: &Row| {
        let theirs = b.rows.iter().find(|r| r.key() == row.key());
        let theirs = theirs.and_then(|r| r.cell(&cell.variant));
        theirs.is_some_and(|t| cell.same_as.is_none() && t.choice != cell.choice)
    };
    let cells = a
        .rows
        .iter()
        .flat_map(|r| r.cells.iter().map(move |c| (c, r)));
    let other = cells.filter(|(cell, row)| chosen(cell, row)).count();
    if other > 0 {
        let _ = writeln!(text, "in {other} the choice is another one");
    }
    Ok(text)
}

fn share(what: &str, pairs: &[(String, f64)]) -> String {
    let agree = pairs.iter().filter(|r| r.1 <= WITHIN).count();
    let share = 100.0 * agree as f64 / pairs.len().max(1) as f64;
    format!(
        "{what}: {agree} of {} agree within {:.0}% ({share:.1}%)\n",
        pairs.len(),
        WITHIN * 100.0
    )
}

/// Row and variant with the relative difference of a figure, where both runs have it.
fn pairs(a: &Results, b: &Results, figure: impl Fn(&Cell) -> Option<f64>) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    for row in &a.rows {
        let key = row.key();
        let Some(other) = b.rows.iter().find(|r| r.key() == key) else {
            continue;
        };
        for cell in row.cells.iter().filter(|c| c.same_as.is_none()) {
            let theirs = other.cell(&cell.variant).and_then(&figure);
            if let (Some(x), Some(y)) = (figure(cell), theirs) {
                found.push((format!("{key} {}", cell.variant), (x - y).abs() / x.min(y)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_run_agrees_with_itself() {
        let text = compare(&sample(), &sample()).unwrap();
        assert!(
            text.contains("times: 8 of 8 agree within 3% (100.0%)"),
            "{text}"
        );
    }

    #[test]
    fn a_slower_row_is_named() {
        let mut other = sample();
        other.rows[1].cells[1].ms = Some(0.616);
        let text = compare(&sample(), &other).unwrap();
        assert!(text.contains("times: 7 of 8"), "{text}");
        assert!(
            text.contains("  +10.0% mv large n=8192 block=256x1x1 mesi"),
            "{text}"
        );
    }

    #[test]
    fn another_choice_is_counted() {
        let mut other = sample();
        other.rows[1].cells[1].choice = Some("v1".into());
        let text = compare(&sample(), &other).unwrap();
        assert!(text.ends_with("in 1 the choice is another one\n"), "{text}");
    }

    #[test]
    fn nothing_in_common_is_an_error() {
        assert!(compare(&sample(), &Results::default()).is_err());
    }
}
