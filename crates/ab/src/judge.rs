//! What the runs amount to: who agrees with whom, and how much faster each kernel is.

use std::collections::BTreeSet;

use crate::bundle::{Build, Manifest, Rules as Given, Variant};
use crate::exit::Exit;
use crate::report::{KernelRow, KernelTime, Report, VariantRow};
use crate::run::{Ending, Outcome};
use crate::text::{self, Counts, Rules, Verdict};
use crate::timing::{self, Spread};
use crate::{names, remarks};
use regex_lite::Regex;

/// Compares all outcomes with plain's first.
pub fn judge(
    manifest: &Manifest,
    outcomes: &[Vec<Outcome>],
    given: &Given,
    gpu: Option<String>,
    runs: u32,
) -> Report {
    let mut report = Report {
        program: manifest.program.clone(),
        command: manifest.command.clone(),
        arguments: manifest.arguments.clone(),
        compiler: manifest.compiler.clone(),
        gpu,
        runs,
        variants: Vec::new(),
        kernels: kernels(manifest, outcomes),
        problems: Vec::new(),
        notes: manifest.notes.clone(),
        exit: Exit::Agree as u8,
    };
    let Some(reference) = outcomes.first().and_then(|o| o.first()) else {
        return report;
    };
    let plain_total = totals(&outcomes[0]);
    for (build, runs) in manifest.builds.iter().zip(outcomes) {
        let rules = rules(given, build.variant);
        let compared = if build.missing.is_none() {
            Some(compare(manifest, reference, runs, &rules))
        } else {
            None
        };
        let mut row = row(build, runs, compared.as_ref(), plain_total);
        if build.variant != Variant::Plain && !runs.is_empty() {
            let failure = disagreement(build.variant, reference, runs, compared.as_ref());
            row.agrees = Some(failure.is_none());
            match failure {
                Some(why) if build.variant == Variant::Nvcc => report
                    .notes
                    .push(format!("{why}; this does not count against the plug-in")),
                Some(why) => report.problems.push(why),
                None => {}
            }
        }
        report.variants.push(row);
    }
    conclude(
        &mut report,
        reference,
        compare(
            manifest,
            reference,
            &outcomes[0],
            &rules(given, Variant::Plain),
        ),
        &outcomes[0],
    );
    count_launches(&mut report, manifest, outcomes);
    report
}

/// Patterns were checked when the arguments were read; one of a hand-edited manifest that is no
/// pattern matches nothing.
fn rules(given: &Given, variant: Variant) -> Rules {
    let relative = given.tolerance.unwrap_or(0.0);
    Rules {
        relative: match variant {
            Variant::Nvcc => given.nvcc_tolerance.unwrap_or(relative.max(1e-3)),
            _ => relative,
        },
        absolute: given.absolute.unwrap_or(0.0),
        ignore: given
            .ignore
            .iter()
            .filter_map(|p| Regex::new(p).ok())
            .collect(),
    }
}

/// The worst verdict over all runs and all of stdout and output files.
fn compare(manifest: &Manifest, reference: &Outcome, runs: &[Outcome], rules: &Rules) -> Verdict {
    let mut counts = Counts::default();
    let mut worst = 0f64;
    for (n, run) in runs.iter().enumerate() {
        let mut all = vec![(
            "output".to_string(),
            text::compare(&reference.stdout, &run.stdout, rules),
        )];
        for (name, (a, b)) in manifest
            .outputs
            .iter()
            .zip(reference.outputs.iter().zip(&run.outputs))
        {
            let verdict = match (a, b) {
                (Some(a), Some(b)) => text::compare(a, b, rules),
                (None, None) => continue,
                (Some(_), None) => Verdict::Differs("it was not written".into()),
                (None, Some(_)) => Verdict::Differs("plain wrote no such file".into()),
            };
            all.push((name.display().to_string(), verdict));
        }
        for (name, verdict) in all {
            let (c, difference) = match verdict {
                Verdict::Differs(why) => {
                    return Verdict::Differs(format!("{name} differs in run {}: {why}", n + 1));
                }
                Verdict::Within(c, d) => (c, d),
                Verdict::Same(c) => (c, 0.0),
            };
            worst = worst.max(difference);
            if n == 0 {
                counts.lines += c.lines;
                counts.numbers += c.numbers;
                counts.times += c.times;
                counts.ignored += c.ignored;
            }
        }
    }
    if worst > 0.0 {
        Verdict::Within(counts, worst)
    } else {
        Verdict::Same(counts)
    }
}

fn disagreement(
    variant: Variant,
    reference: &Outcome,
    runs: &[Outcome],
    compared: Option<&Verdict>,
) -> Option<String> {
    let name = variant.name();
    if let Some(run) = runs.iter().find(|r| r.ending != reference.ending) {
        let said = if run.complaint.is_empty() {
            String::new()
        } else {
            format!(": {}", run.complaint)
        };
        return Some(format!(
            "{name}: {}, where plain was {}{said}",
            run.ending, reference.ending
        ));
    }
    let failed = |r: &Outcome| r.kernels.values().map(|k| k.failed).sum::<u64>();
    if let Some(run) = runs.iter().find(|r| failed(r) > failed(reference)) {
        return Some(format!(
            "{name}: {} launches failed, {} of plain's",
            failed(run),
            failed(reference)
        ));
    }
    match compared {
        Some(Verdict::Differs(why)) => Some(format!("{name}: {why}")),
        _ => None,
    }
}

/// Sets the exit status and says what is wrong with the plain build itself.
fn conclude(report: &mut Report, reference: &Outcome, plain: Verdict, runs: &[Outcome]) {
    let changed = runs.iter().find(|r| r.ending != reference.ending).map(|r| {
        format!(
            "ends differently from run to run ({} and {})",
            reference.ending, r.ending
        )
    });
    let unstable = match plain {
        Verdict::Differs(why) => Some(format!(
            "is not the same from run to run ({why}): see --tolerance and --ignore"
        )),
        _ => changed,
    };
    let said = if reference.complaint.is_empty() {
        String::new()
    } else {
        format!(": {}", reference.complaint)
    };
    let failed = reference.ending != Ending::Exited(0);
    if let Some(why) = unstable {
        report.problems.insert(0, format!("plain: {why}"));
        report.exit = Exit::Program as u8;
    } else if !reference.ending.exited() {
        report.problems.insert(
            0,
            format!("plain: {}, without the plug-in{said}", reference.ending),
        );
        report.exit = Exit::Program as u8;
    } else if !report.problems.is_empty() {
        report.exit = Exit::Differ as u8;
    } else if failed {
        report.problems.push(format!(
            "plain: {}, and the others too{said} (files it reads are given by --file)",
            reference.ending
        ));
        report.exit = Exit::Program as u8;
    }
}

fn totals(runs: &[Outcome]) -> Option<Spread> {
    timing::total(&runs.iter().map(|r| r.kernels.clone()).collect::<Vec<_>>())
}

fn row(
    build: &Build,
    runs: &[Outcome],
    compared: Option<&Verdict>,
    plain: Option<Spread>,
) -> VariantRow {
    let kernel_ms = totals(runs);
    // The run that ended worst speaks for all.
    let ending = runs
        .iter()
        .find(|r| r.ending != Ending::Exited(0))
        .or(runs.first());
    let counted = |c: &Counts| {
        format!(
            "{} lines, {} numbers; left out: {} times, {} lines",
            c.lines, c.numbers, c.times, c.ignored
        )
    };
    let output = match (build.variant, compared) {
        (_, None) => String::new(),
        (_, Some(Verdict::Differs(_))) => "differs".into(),
        (Variant::Plain, Some(Verdict::Same(c) | Verdict::Within(c, _))) => counted(c),
        (_, Some(Verdict::Same(_))) => "same".into(),
        (_, Some(Verdict::Within(_, d))) => format!("within {d:.1e}"),
    };
    VariantRow {
        variant: build.variant,
        ending: build
            .missing
            .clone()
            .or(ending.map(|r| r.ending.to_string()))
            .unwrap_or_default(),
        output,
        agrees: None,
        kernel_ms,
        ratio: plain
            .zip(kernel_ms)
            .map(|(p, k)| p.median / k.median)
            .filter(|r| r.is_finite()),
        process_seconds: timing::spread(runs.iter().map(|r| r.seconds)),
    }
}

fn kernels(manifest: &Manifest, outcomes: &[Vec<Outcome>]) -> Vec<KernelRow> {
    let runs: Vec<Vec<timing::Run>> = outcomes
        .iter()
        .map(|o| o.iter().map(|r| r.kernels.clone()).collect())
        .collect();
    let symbols: BTreeSet<&String> = runs.iter().flatten().flat_map(|r| r.keys()).collect();
    let mut rows: Vec<KernelRow> = symbols
        .into_iter()
        .map(|symbol| {
            let spreads: Vec<Option<Spread>> =
                runs.iter().map(|r| timing::kernel(r, symbol)).collect();
            let plain = spreads.first().copied().flatten();
            let time = |s: &Option<Spread>| {
                s.map(|ms| KernelTime {
                    ms,
                    ratio: plain.map_or(f64::NAN, |p| p.median / ms.median),
                })
            };
            let first = runs
                .first()
                .and_then(|r| r.first())
                .and_then(|r| r.get(symbol));
            KernelRow {
                symbol: symbol.clone(),
                name: names::short(symbol),
                signature: names::demangle(symbol),
                launches: first.map_or(0, |s| s.launches),
                times: spreads.iter().map(time).collect(),
                remarks: remarks_of(manifest, &names::base(symbol)),
            }
        })
        .collect();
    let length = |k: &KernelRow| {
        k.times
            .first()
            .copied()
            .flatten()
            .map_or(0.0, |t| t.ms.median)
    };
    rows.sort_by(|a, b| length(b).total_cmp(&length(a)));
    rows
}

/// The default's remarks on a kernel, and `force`'s where they say something else.
pub fn remarks_of(manifest: &Manifest, kernel: &str) -> String {
    let of = |variant| {
        let build = manifest.builds.iter().find(|b| b.variant == variant);
        remarks::summary(
            build
                .into_iter()
                .flat_map(|b| &b.remarks)
                .filter(|r| r.kernel == kernel),
        )
    };
    let (mesi, force) = (of(Variant::Mesi), of(Variant::Force));
    if mesi == force {
        mesi
    } else {
        format!("{mesi}\nforce: {force}")
    }
}

/// Notes on launches that make the times incomplete or the ratios unfair.
fn count_launches(report: &mut Report, manifest: &Manifest, outcomes: &[Vec<Outcome>]) {
    let mut lines = Vec::new();
    for (build, runs) in manifest.builds.iter().zip(outcomes) {
        let Some(run) = runs.first() else { continue };
        for (symbol, sums) in &run.kernels {
            let (name, variant) = (names::short(symbol), build.variant.name());
            let untimed = sums.launches
                - sums.timed.min(sums.launches)
                - sums.captured
                - sums.failed.min(sums.launches - sums.timed);
            for (count, what) in [
                (sums.failed, "failed"),
                (sums.captured, "went into a graph and are not timed"),
                (untimed, "could not be timed"),
            ] {
                if count > 0 {
                    lines.push(format!(
                        "{variant}: {count} of {} launches of {name} {what}",
                        sums.launches
                    ));
                }
            }
            let plain = outcomes[0]
                .first()
                .and_then(|r| r.kernels.get(symbol))
                .map_or(0, |s| s.launches);
            if plain != sums.launches {
                lines.push(format!(
                    "{variant}: {} launches of {name}, {plain} of plain",
                    sums.launches
                ));
            }
        }
    }
    if manifest.timed && outcomes.iter().flatten().all(|r| r.kernels.is_empty()) {
        lines.push("no launch was seen: those by the driver's API, by graphs and inside shared libraries are not".into());
    }
    report.notes.append(&mut lines);
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
