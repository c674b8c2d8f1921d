//! `cargo xtask bench compile-time`: what the plug-in adds to clang's wall time.
//!
//! Runs come in pairs, plain and plugged in, in alternating order, so that a machine that slows
//! down slows both. The median over all pairs is reported, not the mean: one disturbed run in a
//! hundred then changes nothing.

use std::process::Command;

use anyhow::{Context, Result};
use mesi_launch::Corpus;

use crate::compile::{self, Variant};
use crate::setup::{self, Toolchain};
use crate::{corpus, demo, project};

/// Command-line choices.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Pairs of runs per kernel
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// GPU architecture
    #[arg(long, default_value = "sm_90")]
    arch: String,
    /// Stage whatever is legal, the most work the plug-in can have
    #[arg(long)]
    force: bool,
    /// Only kernels whose file name contains this
    kernels: Vec<String>,
}

/// Runs the command.
pub fn compile_time(arguments: &Arguments) -> Result<()> {
    compile::check_architectures(std::slice::from_ref(&arguments.arch))?;
    let kernels = corpus::read(&arguments.kernels)?;
    let tools = setup::setup()?;
    let plugin = demo::build_plugin()?;
    let plain = Variant::plain("plain");
    let knobs: &[&str] = if arguments.force { &["force"] } else { &[] };
    let mesi = Variant::with("mesi", &plugin, knobs);
    let mut ratios = Vec::new();
    let mut slowest: Option<(f64, &Corpus)> = None;
    for (i, kernel) in kernels.iter().enumerate() {
        eprintln!("timing {}/{} {}", i + 1, kernels.len(), kernel.kernel);
        for pair in 0..arguments.pairs {
            let time = |v| {
                compile::time_clang(&tools, kernel, &arguments.arch, v).map(|t| t.as_secs_f64())
            };
            let (before, after) = if pair % 2 == 0 {
                let before = time(&plain)?;
                (before, time(&mesi)?)
            } else {
                let after = time(&mesi)?;
                (time(&plain)?, after)
            };
            ratios.push(after / before);
        }
        let pass = pass_time(&tools, kernel, &arguments.arch, &mesi)?;
        if slowest.is_none_or(|(most, _)| pass > most) {
            slowest = Some((pass, kernel));
        }
    }
    let (pass, kernel) = slowest.context("no kernel was timed")?;
    ratios.sort_by(f64::total_cmp);
    let at =
        |quantile: f64| (ratios[((ratios.len() - 1) as f64 * quantile) as usize] - 1.0) * 100.0;
    println!(
        "added to clang's device compile at -O3 for {}: median {:+.1}% over {} pairs (quartiles {:+.1}% and {:+.1}%)",
        arguments.arch,
        at(0.5),
        ratios.len(),
        at(0.25),
        at(0.75)
    );
    println!(
        "longest time in the pass: {:.1} ms, {}",
        pass * 1e3,
        kernel.kernel
    );
    Ok(())
}

/// Seconds LLVM's own timer counts in the pass for one kernel.
fn pass_time(tools: &Toolchain, kernel: &Corpus, arch: &str, variant: &Variant) -> Result<f64> {
    let mut clang = Command::new(tools.clang());
    clang
        .args(compile::clang_arguments(tools, arch, variant))
        .arg("-ftime-report")
        .arg(&kernel.path)
        .args(["-o", "/dev/null"]);
    compile::clean(&mut clang);
    let output = project::output(&mut clang)?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(wall_seconds(&report))
}

/// Sum of the wall-time column over the rows that name the pass.
///
/// A row reads `0.0012 ( 3.4%) ... 0.0013 ( 3.5%)  MesiPass`; wall time is the last figure
/// before the share in brackets.
fn wall_seconds(report: &str) -> f64 {
    let rows = report.lines().filter(|l| {
        l.rsplit_once(')')
            .is_some_and(|(_, name)| name.to_lowercase().contains("mesi"))
    });
    rows.filter_map(|l| {
        l.rsplit_once('(')?
            .0
            .split_whitespace()
            .next_back()?
            .parse::<f64>()
            .ok()
    })
    .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pass_row_is_read() {
        let report = "\
   0.0100 ( 50.0%)   0.0000 (  0.0%)   0.0100 ( 49.0%)   0.0110 ( 48.0%)  InstCombinePass
   0.0020 ( 10.0%)   0.0010 ( 10.0%)   0.0030 ( 10.0%)   0.0031 ( 10.5%)  MesiPass
   0.0200 (100.0%)   0.0000 (100.0%)   0.0200 (100.0%)   0.0210 (100.0%)  Total
";
        assert!((wall_seconds(report) - 0.0031).abs() < 1e-9);
        assert_eq!(wall_seconds(""), 0.0);
    }
}
