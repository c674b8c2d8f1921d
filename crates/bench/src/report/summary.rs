//! The figures by which a run is judged.

use std::collections::BTreeMap;
use std::fmt::Write;

use mesi_launch::Class;

use super::times;
use crate::manifest::SUBJECT;
use crate::measure::LIBRARY;
use crate::results::{Cell, Results, Row, SLOWER};
use crate::stats::{geometric_mean, median, rank_correlation};

/// Code that has become longer than this by clang's is counted.
const LONG: f64 = 6.0;
/// First launches below this are counted: they cannot be measured ahead.
const FIRST_SLOWER: f64 = 0.85;

/// A few lines: means, minimum, everything slower, rank correlation, failures.
pub fn summary(results: &Results) -> String {
    let mut text = head(results);
    let failures = results.failures();
    let good = results.rows.iter().filter(|r| agrees(r)).count();
    let _ = writeln!(
        text,
        "{good} of {} rows: every variant ran and agrees with clang",
        results.rows.len()
    );
    let gains: Vec<(&Row, f64)> = results
        .rows
        .iter()
        .filter_map(|r| Some((r, r.gain()?)))
        .collect();
    if !gains.is_empty() {
        text += &means(&gains);
        text += &extremes(&gains);
        text += &correlations(results);
        text += &growth(results);
        text += &choices(results);
        text += &library(results);
    }
    text += &first_ten(results);
    for line in failures {
        let _ = writeln!(text, "FAILED {line}");
    }
    text.trim_end().to_string()
}

fn head(results: &Results) -> String {
    let (chip, limits) = (&results.chip, &results.limits);
    let mut text = format!(
        "{}, driver {}, CUDA {}; bundle {}; {} rows in {:.0} s\n",
        chip.name,
        chip.driver,
        chip.cuda,
        results.versions.commit,
        results.rows.len(),
        results.seconds
    );
    if limits.copy > 0.0 {
        let _ = writeln!(
            text,
            "limits: copy {:.0} GB/s, in L2 {:.0} GB/s, fp32 {:.1} TFLOP/s, fp64 {:.1} TFLOP/s, int32 {:.1} TOP/s, {:.1} us a launch ({:.1} recorded); cuBLAS: {}",
            limits.copy,
            limits.l2,
            limits.f32 / 1e3,
            limits.f64 / 1e3,
            limits.i32 / 1e3,
            limits.launch,
            limits.recorded,
            results.blas
        );
    }
    text
}

fn agrees(row: &Row) -> bool {
    row.problem.is_none() && row.cells.iter().all(|c| !c.failed)
}

/// Whether the plug-in's code is not clang's.
fn changed(row: &Row) -> bool {
    row.cell(SUBJECT).is_some_and(|c| c.same_as.is_none())
}

fn means(gains: &[(&Row, f64)]) -> String {
    let mean = |keep: &dyn Fn(&Row) -> bool| {
        let kept: Vec<f64> = gains.iter().filter(|(r, _)| keep(r)).map(|g| g.1).collect();
        (times(geometric_mean(&kept)), kept.len())
    };
    let (all, rows) = mean(&|_| true);
    let (large, larges) = mean(&|r| r.class == "large");
    let (moved, moves) = mean(&changed);
    format!(
        "geometric mean of the gain: {all} over {rows} rows, {large} over {larges} large ones, {moved} over {moves} whose code changed\n"
    )
}

fn extremes(gains: &[(&Row, f64)]) -> String {
    let by = |a: &&(&Row, f64), b: &&(&Row, f64)| a.1.total_cmp(&b.1);
    let mut text = String::new();
    if let (Some(low), Some(high)) = (gains.iter().min_by(by), gains.iter().max_by(by)) {
        let _ = writeln!(
            text,
            "smallest gain {} ({}), largest {} ({})",
            times(Some(low.1)),
            low.0.key(),
            times(Some(high.1)),
            high.0.key()
        );
    }
    let mut slower: Vec<_> = gains.iter().filter(|g| g.1 < SLOWER).collect();
    slower.sort_by(|a, b| a.1.total_cmp(&b.1));
    let _ = writeln!(text, "{} rows below x{SLOWER}", slower.len());
    let mut kernels: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
    for (row, gain) in slower.iter().filter(|g| g.0.class == Class::Drawn.name()) {
        let (rows, least) = kernels.entry(&row.kernel).or_insert((0, f64::MAX));
        (*rows, *least) = (*rows + 1, least.min(*gain));
    }
    for (kernel, (rows, least)) in kernels {
        let of = gains.iter().filter(|g| g.0.kernel == kernel).count();
        let _ = writeln!(
            text,
            "  {kernel}: {rows} of {of} drawn launches, least x{least:.2}"
        );
    }
    for (row, gain) in slower {
        let _ = writeln!(text, "  x{gain:.3} {}", row.key());
    }
    text
}

/// How well the model ranks the rows whose code changed: of the others it predicts what they do.
fn correlations(results: &Results) -> String {
    let pairs = |class: &str| -> Vec<(f64, f64)> {
        let rows = results.rows.iter().filter(|r| changed(r));
        rows.filter(|r| class.is_empty() || r.class == class)
            .filter_map(|r| {
                let cell = r.cell(SUBJECT)?;
                Some((cell.predicted?, cell.ratio?))
            })
            .collect()
    };
    let all = pairs("");
    if all.is_empty() {
        return "rank correlation: the plug-in predicted nothing\n".into();
    }
    let show =
        |pairs: &[(f64, f64)]| rank_correlation(pairs).map_or("none".into(), |r| format!("{r:.2}"));
    let each = Class::ALL.map(|c| {
        let of = pairs(c.name());
        format!(", {} over {} of {}", show(&of), of.len(), c.name())
    });
    format!(
        "rank correlation of predicted and measured gain: {} over {} rows whose code changed{}\n",
        show(&all),
        all.len(),
        each.concat()
    )
}

/// How much longer the machine code has become.
fn growth(results: &Results) -> String {
    let mut longer: BTreeMap<&str, f64> = BTreeMap::new();
    for row in results.rows.iter() {
        if let Some(g) = row.growth().filter(|g| *g != 1.0) {
            longer.insert(&row.kernel, g);
        }
    }
    let mut all: Vec<(&str, f64)> = longer.into_iter().collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let Some((kernel, most)) = all.first() else {
        return String::new();
    };
    let gains: Vec<f64> = all.iter().map(|g| g.1).collect();
    let above = gains.iter().filter(|g| **g > LONG).count();
    format!(
        "machine code of {} changed kernels: {} clang's in the median, at most {} ({kernel}), {above} above x{LONG}\n",
        all.len(),
        times(median(&gains)),
        times(Some(*most)),
    )
}

/// What measuring chose, what the model would have, and what was to be had; nothing for a run without choices.
fn choices(results: &Results) -> String {
    let cells: Vec<(&Row, &Cell)> = results
        .rows
        .iter()
        .filter_map(|r| Some((r, r.cell(SUBJECT)?)))
        .collect();
    // Where there is nothing to choose, the kernel is what runs at first and ever after.
    let gains = |figure: fn(&Cell) -> Option<f64>| -> Vec<(&Row, f64)> {
        let found = cells.iter().any(|(_, c)| figure(c).is_some());
        let kept = cells.iter().filter(|_| found);
        let of = |c: &Cell| {
            if c.choice.is_some() {
                figure(c)
            } else {
                c.ratio
            }
        };
        kept.filter_map(|(r, c)| Some((*r, of(c)?))).collect()
    };
    let mean = |of: &[(&Row, f64)]| {
        let of: Vec<f64> = of.iter().map(|g| g.1).collect();
        times(geometric_mean(&of))
    };
    let below = |of: &[(&Row, f64)], limit| of.iter().filter(|g| g.1 < limit).count();
    let mut text = String::new();
    let settled = gains(|c| c.settled);
    if !settled.is_empty() {
        let large: Vec<_> = settled
            .iter()
            .filter(|g| g.0.class == "large")
            .copied()
            .collect();
        let _ = writeln!(
            text,
            "settled: {} over {} rows, {} over {} large ones, {} below x{SLOWER}",
            mean(&settled),
            settled.len(),
            mean(&large),
            large.len(),
            below(&settled, SLOWER)
        );
    }
    let prior = gains(|c| c.prior);
    if !prior.is_empty() {
        let _ = writeln!(
            text,
            "first launches, by the model alone: {} over {} rows, {} below x{FIRST_SLOWER}",
            mean(&prior),
            prior.len(),
            below(&prior, FIRST_SLOWER)
        );
    }
    text + &best(&cells) + &chosen(&cells)
}

/// What programs gain in the first ten launches, with all that choosing costs them; nothing where they were not timed.
fn first_ten(results: &Results) -> String {
    let rows = results.rows.iter();
    let mut gains: Vec<(&Row, f64)> = rows.filter_map(|r| Some((r, r.first_gain()?))).collect();
    gains.sort_by(|a, b| a.1.total_cmp(&b.1));
    let Some((least, gain)) = gains.first() else {
        return String::new();
    };
    let all: Vec<f64> = gains.iter().map(|g| g.1).collect();
    let below = gains.iter().take_while(|g| g.1 < FIRST_SLOWER);
    let noise = gains.iter().filter_map(|(r, _)| r.first);
    let noise = noise.map(|f| f.clang / f.again).fold(f64::MAX, f64::min);
    let mut text = format!(
        "first ten launches of a program, summed: {} over {} rows, {} below x{FIRST_SLOWER}, least {} ({}); clang against itself: least {}\n",
        times(geometric_mean(&all)),
        all.len(),
        below.clone().count(),
        times(Some(*gain)),
        least.key(),
        times(Some(noise)),
    );
    for (row, gain) in below {
        let _ = writeln!(text, "  x{gain:.3} {}", row.key());
    }
    text
}

/// How much of the best of all candidates was got.
fn best(cells: &[(&Row, &Cell)]) -> String {
    let share = |c: &Cell| Some(c.settled? / c.best?);
    let shares: Vec<_> = cells
        .iter()
        .filter_map(|(r, c)| Some((r, share(c)?)))
        .collect();
    let Some(least) = shares.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return String::new();
    };
    let all: Vec<f64> = shares.iter().map(|s| s.1).collect();
    format!(
        "share of the best of all that could be launched: {:.0}% over {} rows, least {:.0}% ({})\n",
        100.0 * geometric_mean(&all).unwrap_or(0.0),
        all.len(),
        100.0 * least.1,
        least.0.key()
    )
}

/// What was launched.
fn chosen(cells: &[(&Row, &Cell)]) -> String {
    let chosen: Vec<&Cell> = cells
        .iter()
        .map(|(_, c)| *c)
        .filter(|c| c.choice.is_some())
        .collect();
    let is_itself = |c: &&&Cell| c.choice.as_ref().is_some_and(|c| c.starts_with('K'));
    let itself = chosen.iter().filter(is_itself).count();
    let other = chosen
        .iter()
        .filter(|c| c.choice.as_ref().is_some_and(|c| c.contains(" by ")))
        .count();
    match chosen.len() {
        0 => String::new(),
        all => format!(
            "choices of {all} rows: {itself} the kernel itself, {} a version; {other} in other blocks\n",
            all - itself
        ),
    }
}

fn library(results: &Results) -> String {
    let shares: Vec<f64> = results
        .rows
        .iter()
        .filter_map(|r| Some(r.cell(LIBRARY)?.ms? / r.cell(SUBJECT)?.ms?))
        .collect();
    match median(&shares) {
        Some(share) => format!(
            "speed by cuBLAS's: {share:.2} in the median of {} rows\n",
            shares.len()
        ),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::report::table::tests::sample;

    #[test]
    fn the_sample_is_judged() {
        let text = super::summary(&sample());
        for line in [
            "2 of 4 rows: every variant ran and agrees with clang",
            "geometric mean of the gain: x2.00 over 3 rows, x4.00 over 2 large ones, x2.00 over 3 whose code changed",
            "smallest gain x0.50 (mm grid n=32 block=16x16x1), largest x8.00 (mm large n=4096 block=16x16x1)",
            "1 rows below x0.97\n  x0.500 mm grid n=32 block=16x16x1",
            "rank correlation of predicted and measured gain: 0.87 over 3 rows whose code changed, none over 2 of large, none over 0 of l2, none over 0 of odd, none over 1 of grid",
            "machine code of 2 changed kernels: x4.75 clang's in the median, at most x7.00 (mm), 1 above x6",
            "speed by cuBLAS's: 0.80 in the median of 1 rows",
            "FAILED mv large n=8192 block=64x1x1: the process ended (signal: 9)",
            "FAILED mm grid n=32 block=16x16x1: force: `C` differs in 3 elements from 7 on, relative error 1.0e0",
        ] {
            assert!(text.contains(line), "`{line}` is not in\n{text}");
        }
    }
}
