//! What the plug-in planned for a kernel: `print<mesi-plan>` in a few words.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::Result;
use mesi_bench::manifest;
use mesi_launch::{BenchRow, Corpus};

use crate::compile::{self, Variant};
use crate::project;
use crate::remarks;
use crate::setup::Toolchain;

/// LLVM's pipeline up to where clang runs the plug-in, which is asked about the bench's launches.
fn passes(kernel: &Corpus) -> String {
    let launches: Vec<String> = kernel.bench_rows().iter().map(|r| r.as_option()).collect();
    let launches = launches.join("+");
    format!("thinlto-pre-link<O3>,print<mesi-plan;disable=off;launch={launches}>")
}

/// What `print<mesi-plan>` says of `kernel` and its bench rows under the variant's knobs; `scratch` is
/// a file to use.
pub fn print(
    tools: &Toolchain,
    arch: &str,
    kernel: &Corpus,
    variant: &Variant,
    scratch: &Path,
) -> Result<String> {
    let Some(plugin) = &variant.plugin else {
        return Ok(String::new());
    };
    let plain = Variant::plain("plain");
    let mut clang = Command::new(tools.clang());
    clang
        .args(compile::clang_arguments(tools, arch, &plain))
        .args(["-emit-llvm", "-Xclang", "-disable-llvm-passes"])
        .arg(&kernel.path)
        .arg("-o")
        .arg(scratch);
    compile::clean(&mut clang);
    compile::finish(&mut clang, kernel, arch)?;
    let mut opt = Command::new(tools.llvm.join("bin/opt"));
    opt.arg(format!("-load-pass-plugin={}", plugin.display()))
        .args(variant.knobs.iter().map(|k| format!("-mesi-{k}")))
        .args(["-mesi-disable", "-disable-output"])
        .arg(format!("-passes={}", passes(kernel)))
        .arg(scratch);
    compile::clean(&mut opt);
    let output = project::output(&mut opt)?;
    Ok(of_kernel(&String::from_utf8_lossy(&output.stderr), kernel))
}

/// The lines on one kernel.
fn of_kernel(text: &str, kernel: &Corpus) -> String {
    let mut ours = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if let Some(symbol) = line.strip_prefix("plan of ") {
            ours = kernel.names(symbol.split_whitespace().next().unwrap_or(symbol));
        } else if ours {
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// What the model expects of each bench row, by its label: one line each, in their order.
pub fn predictions(text: &str, kernel: &Corpus) -> BTreeMap<String, f64> {
    let lines = text.lines().map(str::trim);
    let launches = lines.filter(|l| l.starts_with("launch "));
    let rows = kernel.bench_rows().iter();
    let pairs = rows.zip(launches);
    let of =
        |(row, line): (&BenchRow, &str)| Some((row.case.label.clone(), manifest::predicted(line)?));
    pairs.filter_map(of).collect()
}

/// Lines that are kept whole.
const KEPT: [&str; 5] = ["merge", "width", "store", "predicted", "version"];

/// The plan in a few words: regions with their arrays, what else was decided, bytes of shared memory.
pub fn short(text: &str, kernel: &Corpus) -> String {
    let names = remarks::names(kernel);
    let name = |array: &str| {
        names
            .get(array)
            .cloned()
            .unwrap_or_else(|| array.to_string())
    };
    let mut parts: Vec<String> = Vec::new();
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines().map(str::trim) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if line.starts_with("region") {
            // region0: node8 loop0 in strips of 32, depth 1
            parts.push(words[2.min(words.len())..].join(" ") + ":");
        } else if line.starts_with("tile") && words.len() > 2 {
            let array = name(words[2].trim_end_matches(','));
            match parts.last_mut() {
                Some(region) => *region += &format!(" {array}"),
                None => parts.push(array),
            }
        } else if let Some((array, why)) = line.split_once(" not staged: ") {
            let array = name(array.split_whitespace().last().unwrap_or(array));
            let why = why.split_whitespace().next().unwrap_or(why);
            reasons.entry(why.to_string()).or_default().push(array);
        } else if let Some(bytes) = line.strip_prefix("shared: ") {
            parts.push(bytes.replace(" bytes", " B"));
        } else if line.starts_with("register in") {
            parts.push("sum in a register".into());
        } else if KEPT.iter().any(|k| line.starts_with(k)) {
            parts.push(line.to_string());
        }
    }
    if parts.is_empty() {
        let reason = |(why, arrays): (String, Vec<String>)| format!("{}: {why}", arrays.join(" "));
        parts = reasons.into_iter().map(reason).collect();
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
plan of _Z5otherPf
  shared: 1 bytes
plan of _Z2mmPfS_
  region0: node8 loop0 in strips of 32, depth 1
    tile0: array0 arg0, unit 4, 1152 cells at byte 0
      rest 4*ctaid.y*ntid.y*s0
  predicted x1.25
  fact: 64 <= trip(loop0) <= 2147483647
  shared: 8704 bytes
  array1 arg1 not staged: OnlyStored (it is only written)
";
    const HEADER: &str = "// ```toml\n// kernel = \"mm\"\n// arg = [\n//   { name = \"A\", type = \"f32\", count = 4, fill = \"zero\" },\n//   { name = \"C\", type = \"f32\", count = 4, fill = \"zero\" },\n// ]\n// [launch]\n// blocks = [[1,1,1]]\n// grid = [1, 1, 1]\n// ```\n";

    #[test]
    fn a_plan_is_told_in_a_few_words() {
        let kernel = Corpus::parse("mm.cu", HEADER).unwrap();
        let text = of_kernel(TEXT, &kernel);
        assert!(!text.contains("1 bytes"), "{text}");
        assert_eq!(
            short(&text, &kernel),
            "loop0 in strips of 32, depth 1: A; predicted x1.25; 8704 B"
        );
    }

    #[test]
    fn each_row_has_its_own_prediction() {
        let kernel = Corpus::parse("mm.cu", HEADER).unwrap();
        let label = kernel.bench_rows()[0].case.label.clone();
        let text = "  predicted x1.25\n  launch 1x1x1:1x1x1:_:_:cold: version 0, predicted x3.50 (before 7.0 us, after 2.0 us, bound by dram)\n";
        assert_eq!(predictions(text, &kernel), BTreeMap::from([(label, 3.5)]));
        assert!(predictions("  predicted x1.25\n", &kernel).is_empty());
    }

    #[test]
    fn without_a_plan_the_reasons_are_told() {
        let kernel = Corpus::parse("mm.cu", HEADER).unwrap();
        let text = "  array0 arg0 not staged: NoGain (it costs more)\n  array1 arg1 not staged: OnlyStored (it is only written)";
        assert_eq!(short(text, &kernel), "A: NoGain; C: OnlyStored");
    }
}
