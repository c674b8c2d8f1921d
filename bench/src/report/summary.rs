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
        text += &turned_away(results);
        text += &library(results);
    }
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

/// How many launches the plug-in's kernel was not asked to do.
fn turned_away(results: &Results) -> String {
    let cells: Vec<_> = results
        .rows
        .iter()
        .filter_map(|r| r.cell(SUBJECT))
        .collect();
    let count = |is: fn(&&&Cell) -> bool| cells.iter().filter(is).count();
    let (away, other) = (count(|c| c.original), count(|c| c.block.is_some()));
    let line = |n: usize, what: &str| match n {
        0 => String::new(),
        _ => format!(
            "{n} of {} launches {what} by the host's choice\n",
            cells.len()
        ),
    };
    line(away, "run the original") + &line(other, "have blocks of another size")
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
