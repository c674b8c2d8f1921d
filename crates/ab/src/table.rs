//! The report as text.

use comfy_table::{Table, presets};

use crate::bundle::{Manifest, Variant};
use crate::judge::remarks_of;
use crate::report::{KernelTime, Report};
use crate::timing::Spread;

/// Variants, kernels, notes, and the verdict as the last line.
pub fn print(report: &Report) -> String {
    let mut text = format!(
        "{} {}\n{}\n",
        report.program,
        report.arguments.join(" "),
        report.compiler
    );
    let gpu = report.gpu.as_deref().unwrap_or("GPU not known");
    text += &format!(
        "{gpu}; {} runs of each build in rotated order, medians; ratio = plain / variant\n\n",
        report.runs
    );
    text += &variants(report);
    if !report.kernels.is_empty() {
        text += &format!("\n\n{}", kernels(report));
    }
    text += "\n";
    for note in &report.notes {
        text += &format!("note: {note}\n");
    }
    for problem in &report.problems {
        text += &format!("FAIL {problem}\n");
    }
    if report.problems.is_empty() {
        text += "PASS: every build with the plug-in does what the plain one does\n";
    }
    text
}

fn table(head: Vec<String>) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN).set_header(head);
    table
}

fn variants(report: &Report) -> String {
    let head = [
        "build", "ended", "output", "agrees", "kernels", "ratio", "process",
    ];
    let mut table = table(head.map(String::from).to_vec());
    for row in &report.variants {
        table.add_row([
            row.variant.name().to_string(),
            row.ending.clone(),
            row.output.clone(),
            row.agrees
                .map_or(String::new(), |a| if a { "yes" } else { "NO" }.to_string()),
            row.kernel_ms.map_or("-".into(), milliseconds),
            row.ratio.map_or("-".into(), ratio),
            row.process_seconds
                .map_or("-".into(), |s| format!("{:.2} s", s.median)),
        ]);
    }
    table.to_string()
}

fn kernels(report: &Report) -> String {
    let built: Vec<usize> = (0..report.variants.len())
        .filter(|i| report.kernels.iter().any(|k| k.times[*i].is_some()))
        .collect();
    let mut head = vec!["kernel".to_string(), "launches".into()];
    for i in &built {
        let variant = report.variants[*i].variant;
        head.push(variant.name().into());
        if variant != Variant::Plain {
            head.push("ratio".into());
        }
    }
    head.push("the plug-in".into());
    let mut table = table(head);
    for kernel in &report.kernels {
        let mut row = vec![kernel.name.clone(), kernel.launches.to_string()];
        for i in &built {
            let time: Option<KernelTime> = kernel.times[*i];
            row.push(time.map_or("-".into(), |t| milliseconds(t.ms)));
            if report.variants[*i].variant != Variant::Plain {
                row.push(
                    time.filter(|t| t.ratio.is_finite())
                        .map_or("-".into(), |t| ratio(t.ratio)),
                );
            }
        }
        row.push(kernel.remarks.clone());
        table.add_row(row);
    }
    table.to_string()
}

/// What the plug-in said of every kernel, for a command that only compiles.
pub fn remarks(manifest: &Manifest) -> String {
    let mut table = table(vec!["kernel".into(), "the plug-in".into()]);
    let mut kernels: Vec<&str> = Vec::new();
    for remark in manifest.builds.iter().flat_map(|b| &b.remarks) {
        if !kernels.contains(&remark.kernel.as_str()) {
            kernels.push(&remark.kernel);
        }
    }
    for kernel in kernels {
        table.add_row([kernel.to_string(), remarks_of(manifest, kernel)]);
    }
    let seconds: Vec<String> = manifest
        .builds
        .iter()
        .filter(|b| b.missing.is_none())
        .map(|b| format!("{} {:.2} s", b.variant.name(), b.seconds))
        .collect();
    format!("{table}\ncompile times: {}\n", seconds.join(", "))
}

/// `3.21 ms ±1%`: half the spread to either side.
fn milliseconds(s: Spread) -> String {
    let digits = if s.median < 0.1 { 4 } else { 3 };
    format!("{:.digits$} ms \u{b1}{:.0}%", s.median, s.spread * 50.0)
}

fn ratio(r: f64) -> String {
    format!("x{r:.2}")
}
