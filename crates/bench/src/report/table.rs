//! The Markdown tables, and the one line that a running bench prints for each row.

use std::fmt::Write;

use super::{number, summary, times};
use crate::manifest::{REFERENCE, SUBJECT};
use crate::measure::LIBRARY;
use crate::results::{Cell, Results, Row, SLOWER};

/// One row on one line, as it comes.
pub fn line(row: &Row) -> String {
    if let Some(problem) = &row.problem {
        return format!("{}: {problem}", row.key());
    }
    let mut text = row.key();
    if let Some((first, gain)) = row.first.zip(row.first_gain()) {
        let _ = write!(
            text,
            ": ten launches {:.0} us; mesi x{gain:.2}",
            first.clang
        );
    }
    if let Some(ms) = row.cell(REFERENCE).and_then(|c| c.ms) {
        let _ = write!(text, ": {ms:.4} ms");
    }
    for cell in &row.cells {
        match (&cell.problem, cell.ratio) {
            (Some(problem), _) if cell.failed => {
                let _ = write!(text, "; {} FAILED: {problem}", cell.variant);
            }
            (_, Some(ratio)) if cell.same_as.is_none() && cell.variant != REFERENCE => {
                let _ = write!(text, "; {} x{ratio:.2}{}", cell.variant, mark(cell));
            }
            _ => {}
        }
    }
    if row.class == "small" && row.cells.iter().all(|c| !c.failed) {
        text += ": same bits";
    }
    text
}

/// Everything a run found, as a Markdown page.
pub fn markdown(results: &Results) -> String {
    let mut text = format!(
        "# The corpus on {}\n\nCommit {}, {}, ptxas {}, nvcc {}.\n\n```text\n{}\n```\n\n",
        results.chip.name,
        results.versions.commit,
        results.versions.clang,
        results.versions.ptxas,
        results.versions.nvcc,
        summary(results)
    );
    text += LEGEND;
    let variants = variants(results);
    text += &gains(results, &variants);
    text += "\n## The plug-in's code\n\n";
    text += &details(results);
    text
}

const LEGEND: &str = "\
Times are medians; gains are clang's time by the variant's, in the same round. *=* is the same code as clang's. *of limit* is the
time that the bytes or operations take at the chip's measured rates, by the plug-in's time. Spread is the distance of the quartiles
by the median, of clang and of the plug-in. Behind the gain stands what was launched once the choice was settled: *K* is the kernel as clang
made it, *v0* the plug-in's first version, *v1 by 64* its second with the launch's threads dealt out to blocks of 64. *prior* is what the model
has launched before anything is measured, and *best* the greatest gain of all that could be launched.

";

/// Variants of any row, in their order, less the two that have columns of their own.
fn variants(results: &Results) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for cell in results.rows.iter().flat_map(|r| &r.cells) {
        let own = [REFERENCE, SUBJECT].contains(&cell.variant.as_str());
        let measured = cell.ms.is_some() || cell.failed;
        if !own && measured && !found.contains(&cell.variant) {
            found.push(cell.variant.clone());
        }
    }
    found.sort_by_key(|v| v == LIBRARY);
    found
}

fn gains(results: &Results, variants: &[String]) -> String {
    let mut text = format!(
        "| kernel | class | sizes and block | clang ms | mesi ms | mesi | {} | mesi to nvcc | of limit | bound | spread |\n",
        variants.join(" | ")
    )
    .replace("|  |", "|");
    text += &"|---".repeat(10 + variants.len());
    text += "|\n";
    for row in &results.rows {
        let start = format!("| {} | {} | {} ", row.kernel, row.class, row.label);
        text += &start;
        if let Some(problem) = &row.problem {
            let _ = writeln!(
                text,
                "| {} |{}",
                plain(problem),
                " |".repeat(6 + variants.len())
            );
            continue;
        }
        let ms = |v: &str| number(row.cell(v).and_then(|c| c.ms), 4);
        let _ = write!(
            text,
            "| {} | {} | {} ",
            ms(REFERENCE),
            ms(SUBJECT),
            gain(row.cell(SUBJECT))
        );
        for variant in variants {
            let _ = write!(text, "| {} ", gain(row.cell(variant)));
        }
        let subject = row.cell(SUBJECT);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            times(subject.and_then(|c| c.to_nvcc)),
            percent(subject.and_then(|c| c.limit_share)),
            row.bound,
            [REFERENCE, SUBJECT]
                .map(|v| percent(spread(row.cell(v))))
                .join(" ")
        );
    }
    text
}

/// `x1.23`, `=` for clang's own code, bold where slower, and a failure in a word.
fn gain(cell: Option<&Cell>) -> String {
    let Some(cell) = cell else { return "-".into() };
    if cell.failed {
        return "**failed**".into();
    }
    let text = match (&cell.same_as, cell.ratio) {
        (Some(first), _) if first == REFERENCE => "=".into(),
        (_, Some(ratio)) if ratio < SLOWER => format!("**x{ratio:.2}**"),
        (_, ratio) => times(ratio),
    };
    text + &mark(cell)
}

/// What stands behind the gain where there was something to choose.
fn mark(cell: &Cell) -> String {
    let choice = cell.choice.as_ref();
    choice.map_or(String::new(), |c| format!(" {c}"))
}

/// What the model has launched first, with its gain.
fn prior(cell: &Cell) -> String {
    match &cell.prior_choice {
        Some(choice) => format!("{} {choice}", times(cell.prior)),
        None => "-".into(),
    }
}

/// Bytes of machine code, and of each version beside it.
fn code(cell: &Cell) -> String {
    let own = cell.code.map_or("-".into(), |c| c.to_string());
    let versions = cell.versions.iter().map(|v| format!(" + {v}"));
    own + &versions.collect::<String>()
}

fn details(results: &Results) -> String {
    let mut text = String::from(
        "| kernel | class | sizes and block | plan | predicted | measured | choice | prior | settled | best | GB/s | GFLOP/s | registers | shared | local | code | by clang's | occupancy | clock |\n",
    );
    text += &"|---".repeat(19);
    text += "|\n";
    for row in &results.rows {
        let Some(cell) = row.cell(SUBJECT).filter(|c| c.ms.is_some()) else {
            continue;
        };
        let count = |v: Option<u32>| v.map_or("-".into(), |v| v.to_string());
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.kernel,
            row.class,
            row.label,
            plain(&cell.plan),
            times(cell.predicted),
            times(cell.ratio),
            cell.choice.as_deref().unwrap_or("-"),
            prior(cell),
            times(cell.settled),
            times(cell.best),
            number(cell.gbs, 0),
            number(cell.gflops, 0),
            count(cell.registers),
            count(cell.shared),
            count(cell.local),
            code(cell),
            times(row.growth()),
            percent(cell.occupancy),
            row.clock
        );
    }
    text
}

fn spread(cell: Option<&Cell>) -> Option<f64> {
    let cell = cell?;
    Some((cell.high? - cell.low?) / cell.ms?)
}

fn percent(value: Option<f64>) -> String {
    value.map_or("-".into(), |v| format!("{:.0}%", v * 100.0))
}

/// Text that does not end its table cell.
fn plain(text: &str) -> String {
    text.replace(['|', '\n'], " ")
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A stored run: gains, a loss, a failure of a variant, a row that was lost.
    pub fn sample() -> Results {
        serde_json::from_str(include_str!("sample.json"))
            .expect("the sample is what Results::write writes")
    }

    #[test]
    fn the_sample_makes_a_page() {
        let page = markdown(&sample());
        for part in [
            "# The corpus on NVIDIA H200",
            "| kernel | class | sizes and block | clang ms | mesi ms | mesi | force | nvcc | cublas | mesi to nvcc | of limit | bound | spread |",
            "| mm | large | n=4096 block=16x16x1 | 32.0000 | 4.0000 | x8.00 | x8.00 | x1.10 | x10.00 | x7.27 | 60% | arithmetic | 1% 1% |",
            "| mm | grid | n=32 block=16x16x1 | 0.0050 | 0.0100 | **x0.50** | **failed** | - | - | - | - |  | - - |",
            "| mv | large | n=8192 block=64x1x1 | the process ended (signal: 9) |",
            "A: strip 32 | x6.50 | x8.00 | - | - | - | - |",
        ] {
            assert!(page.contains(part), "`{part}` is not in\n{page}");
        }
        let columns = |l: &str| l.matches('|').count();
        let mut lines = page
            .lines()
            .filter(|l| l.starts_with("| kernel") || l.starts_with("| m"));
        let first = columns(lines.next().unwrap());
        assert!(
            lines.by_ref().take(4).all(|l| columns(l) == first),
            "{page}"
        );
    }

    #[test]
    fn the_choice_is_told() {
        let mut results = sample();
        let cells = &mut results.rows[0].cells;
        let mesi = cells.iter_mut().find(|c| c.variant == SUBJECT).unwrap();
        (mesi.ratio, mesi.choice) = (Some(0.9), Some("v1 by 64".into()));
        (mesi.prior, mesi.prior_choice) = (Some(0.8), Some("v0".into()));
        (mesi.settled, mesi.best) = (Some(0.9), Some(1.8));
        (mesi.code, mesi.versions) = (Some(1000), vec![5000, 900]);
        let page = markdown(&results);
        for part in [
            "| 4.0000 | **x0.90** v1 by 64 | x8.00 |",
            "| 1000 + 5000 + 900 |",
            "| x0.90 | v1 by 64 | x0.80 v0 | x0.90 | x1.80 |",
            "settled: x0.97 over 3 rows, x1.34 over 2 large ones, 2 below x0.97",
            "first launches, by the model alone: x0.93 over 3 rows, 2 below x0.85",
            "share of the best of all that could be launched: 50% over 1 rows, least 50% (mm large n=4096 block=16x16x1)",
            "choices of 1 rows: 0 the kernel itself, 1 a version; 1 in other blocks",
        ] {
            assert!(page.contains(part), "`{part}` is not in\n{page}");
        }
        assert!(line(&results.rows[0]).contains("; mesi x0.90 v1 by 64; nvcc"));
        assert!(!markdown(&sample()).contains("share of the best"));
    }

    #[test]
    fn a_row_is_one_line() {
        let results = sample();
        assert_eq!(
            line(&results.rows[0]),
            "mm large n=4096 block=16x16x1: 32.0000 ms; mesi x8.00; nvcc x1.10; cublas x10.00"
        );
        assert_eq!(
            line(&results.rows[3]),
            "mv large n=8192 block=64x1x1: the process ended (signal: 9)"
        );
    }
}
