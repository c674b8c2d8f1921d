//! The corpus on the CPU: original and staged IR of every kernel run by the oracle and compared
//! bit for bit, over every case of its header and several thread schedules.
//!
//! The versions that the plug-in makes kernels of their own are held against the kernel, in its blocks and in those that the host may deal
//! threads out to, and so are their gates (`mesi-oracle gate`). The kernel itself must be as it is without the plug-in.
//! Kernels of `crates/bench/hand` are held against their originals in the same way.
//!
//! Part of `cargo xtask test`, and `cargo xtask oracle` by itself.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use mesi_launch::{Corpus, GATE, kept_beside};

use crate::compile::{self, Variant};
use crate::setup::Toolchain;
use crate::{building, corpus, parallel, project, setup};

/// The architecture whose IR is run. The plug-in's figures differ between architectures, what it
/// emits does not, and the oracle runs either.
const ARCH: &str = "sm_80";

/// Command-line choices.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only kernels whose file name contains this
    kernels: Vec<String>,
}

/// Runs the command: builds plug-in and oracle, then compares.
pub fn oracle(arguments: &Arguments) -> Result<()> {
    let tools = setup::setup()?;
    let mut build = building::cargo("build --quiet --package mesi --package mesi-oracle --profile");
    project::run(building::with(&tools, build.arg(building::PROFILE)))?;
    compare(&tools, &arguments.kernels)
}

/// Compares every kernel with what is already built.
pub fn compare(tools: &Toolchain, only: &[String]) -> Result<()> {
    compare_all(tools, &corpus::read(only)?)
}

/// Compares these kernels with what is already built.
pub fn compare_all(tools: &Toolchain, kernels: &[Corpus]) -> Result<()> {
    let target = project::target_dir()?;
    let built = target.join(building::PROFILE);
    let plugin = built.join("libmesi.so");
    let variants = [
        Variant::plain("plain"),
        Variant::with("mesi", &plugin, &[]),
        Variant::with("force", &plugin, &["force"]),
        Variant::with("depth2", &plugin, &["force", "depth=2", "merge=off"]),
        Variant::with(
            "depth3",
            &plugin,
            &["force", "depth=3", "strip=8", "width=off", "merge=off"],
        ),
        Variant::with("merge2x2", &plugin, &["force", "merge=2x2"]),
        Variant::with(
            "merge4",
            &plugin,
            &["force", "merge=4", "depth=2", "strip=8"],
        ),
        Variant::with(
            "unstaged2x2x2",
            &plugin,
            &["force", "merge=2x2x2", "shared=0"],
        ),
        // Windows of columns, of blocks inside too.
        Variant::with("unstaged1x8", &plugin, &["merge=1x8", "shared=0"]),
    ];
    let base = target.join("cpu");
    let verdicts = parallel::map("kernels on the CPU", kernels, |kernel| {
        kernel_verdict(tools, &base, &built.join("mesi-oracle"), kernel, &variants)
    })?;
    let staged = verdicts.iter().filter(|v| v.compared > 0).count();
    let wrong: Vec<&String> = verdicts.iter().flat_map(|v| &v.wrong).collect();
    for line in &wrong {
        eprintln!("{line}");
    }
    let gates: usize = verdicts.iter().map(|v| v.gates).sum();
    println!(
        "{} kernels run on the CPU, {staged} of them with other code to compare, {gates} gates held against them, {} differences",
        kernels.len(),
        wrong.len()
    );
    if !wrong.is_empty() {
        bail!(
            "the oracle found {} kernels wrong, listed above",
            wrong.len()
        );
    }
    Ok(())
}

/// What the oracle says of one kernel.
struct Verdict {
    /// Variants whose IR differs from the plain one's.
    compared: usize,
    /// Variants with a gate.
    gates: usize,
    /// One line per variant that is wrong.
    wrong: Vec<String>,
}

fn kernel_verdict(
    tools: &Toolchain,
    base: &Path,
    oracle: &Path,
    kernel: &Corpus,
    variants: &[Variant],
) -> Result<Verdict> {
    let mut verdict = Verdict {
        compared: 0,
        gates: 0,
        wrong: Vec::new(),
    };
    let hand = Variant::plain("hand");
    let mut sources: Vec<(&Variant, PathBuf, &[&str])> = variants
        .iter()
        .map(|v| (v, kernel.path.clone(), &[][..]))
        .collect();
    // Written by hand, told that any grid fills the chip: the cases are small.
    sources.extend(corpus::hand(kernel).map(|file| (&hand, file, &["-DFILL=0"][..])));
    let mut seen: Vec<(PathBuf, String)> = Vec::new();
    for (variant, source, flags) in &sources {
        let file = ir(tools, base, kernel, variant, source, flags)?;
        let text = std::fs::read_to_string(&file)
            .with_context(|| format!("{} cannot be read", file.display()))?;
        let text = body(&text);
        if seen.iter().any(|(_, other)| *other == text) {
            continue;
        }
        let mut command = Command::new(oracle);
        match seen.first() {
            // The original by itself: a corpus kernel must not race or leave its arrays.
            None => command.arg("run").arg(&file),
            Some((plain, _)) => {
                verdict.compared += 1;
                command.arg("diff").arg(plain).arg(&file)
            }
        };
        command
            .arg("--corpus")
            .arg(&kernel.path)
            .args(["--schedule", "all"]);
        if let Some(line) = complaint(&mut command)? {
            verdict
                .wrong
                .push(format!("{} ({}): {line}", kernel.kernel, variant.name));
        }
        seen.push((file, text));
    }
    // By default what is asked of a grid's size is tested, forced what is asked of loops and arrays.
    for variant in variants
        .iter()
        .filter(|v| ["mesi", "force"].contains(&v.name.as_str()))
    {
        hold_gate(tools, base, oracle, kernel, variant, &mut verdict)?;
    }
    Ok(verdict)
}

/// Holds the kernel's versions and gates against it, where it has any, and the kernel against what it is without the plug-in.
fn hold_gate(
    tools: &Toolchain,
    base: &Path,
    oracle: &Path,
    kernel: &Corpus,
    variant: &Variant,
    verdict: &mut Verdict,
) -> Result<()> {
    let [before, file] = behind_the_plugin(tools, base, kernel, variant)?;
    let read = |file: &Path| {
        std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))
    };
    let text = read(&file)?;
    if own_code(&read(&before)?, kernel) != own_code(&text, kernel) {
        let name = format!("{} ({}, kernel)", kernel.kernel, variant.name);
        verdict
            .wrong
            .push(format!("{name}: its own code was changed"));
    }
    if !text
        .lines()
        .any(|l| l.starts_with('@') && l.contains(&format!("{GATE}\" =")))
    {
        return Ok(());
    }
    verdict.gates += 1;
    let mut command = Command::new(oracle);
    command
        .arg("gate")
        .arg(&file)
        .arg("--corpus")
        .arg(&kernel.path);
    if let Some(line) = complaint(&mut command)? {
        let name = format!("{} ({}, gate)", kernel.kernel, variant.name);
        verdict.wrong.push(format!("{name}: {line}"));
    }
    Ok(())
}

/// IR right in front of the plug-in, and right behind it, before the rest of the pipeline, with versions and gates.
fn behind_the_plugin(
    tools: &Toolchain,
    base: &Path,
    kernel: &Corpus,
    variant: &Variant,
) -> Result<[PathBuf; 2]> {
    let folder = compile::folder(base, ARCH, variant);
    let file = |extension: &str| folder.join(format!("{}.{extension}", kernel.kernel));
    let mut clang = Command::new(tools.clang());
    clang
        .args(compile::clang_arguments(
            tools,
            ARCH,
            &Variant::plain("plain"),
        ))
        .args(["-emit-llvm", "-Xclang", "-disable-llvm-passes"])
        .arg(&kernel.path)
        .arg("-o")
        .arg(file("early.ll"));
    compile::clean(&mut clang);
    compile::finish(&mut clang, kernel, ARCH)?;
    let plugin = variant
        .plugin
        .as_ref()
        .context("the variant has no plug-in")?;
    for (from, passes, to) in [
        ("early.ll", "thinlto-pre-link<O3>", "before.ll"),
        ("before.ll", "mesi<disable=off;form=own>", "gate.ll"),
    ] {
        let mut opt = Command::new(tools.llvm.join("bin/opt"));
        opt.arg(format!("-load-pass-plugin={}", plugin.display()))
            .args(variant.knobs.iter().map(|k| format!("-mesi-{k}")))
            .args(["-mesi-disable", "-S"])
            .arg(format!("-passes={passes}"))
            .arg(file(from))
            .arg("-o")
            .arg(file(to));
        compile::clean(&mut opt);
        compile::finish(&mut opt, kernel, ARCH)?;
    }
    Ok(["before.ll", "gate.ll"].map(file))
}

/// Compiles to IR at the end of clang's -O3 pipeline.
fn ir(
    tools: &Toolchain,
    base: &Path,
    kernel: &Corpus,
    variant: &Variant,
    source: &Path,
    flags: &[&str],
) -> Result<PathBuf> {
    let folder = compile::folder(base, ARCH, variant);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{} cannot be created", folder.display()))?;
    let file = folder.join(format!("{}.ll", kernel.kernel));
    let mut clang = Command::new(tools.clang());
    clang
        .args(compile::clang_arguments(tools, ARCH, variant))
        .arg("-emit-llvm")
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(&file);
    compile::clean(&mut clang);
    compile::finish(&mut clang, kernel, ARCH)?;
    Ok(file)
}

/// The IR less the lines that differ though no code does: the module's name and the plug-in's
/// mark that it has run.
fn body(ir: &str) -> String {
    let code = ir
        .lines()
        .filter(|l| !l.starts_with("; ModuleID") && !l.starts_with("!mesi."));
    code.collect::<Vec<_>>().join("\n")
}

/// The text of the kernel itself, without the numbers of metadata and attributes, which are the module's.
fn own_code(ir: &str, kernel: &Corpus) -> Vec<String> {
    let symbol = |line: &str| {
        let name = line.split_once('@')?.1.trim_start_matches('"');
        let end = name.find(['(', '"'])?;
        Some(name[..end].to_string())
    };
    let begins = |l: &&str| {
        let own = |s: String| kernel.names(&s) && kept_beside(&s).is_none();
        l.starts_with("define ") && symbol(l).is_some_and(own)
    };
    let lines = ir.lines().skip_while(|l| !begins(l));
    lines
        .take_while(|l| *l != "}")
        .map(without_numbers)
        .collect()
}

/// A line less the digits behind `!` and `#`, and less LLVM's comment, which lists a block's predecessors in an order that cloning it changes.
fn without_numbers(line: &str) -> String {
    let line = line.split("; preds").next().unwrap_or(line).trim_end();
    let mut numbers = false;
    let kept = line.chars().filter(|c| {
        numbers = matches!(c, '!' | '#') || (numbers && c.is_ascii_digit());
        !(numbers && c.is_ascii_digit())
    });
    kept.collect()
}

/// The first line of what the oracle has against a run; `None` if it is clean.
fn complaint(command: &mut Command) -> Result<Option<String>> {
    let output = project::output(command)?;
    if output.status.success() {
        return Ok(None);
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    let first = said.lines().find(|l| !l.trim().is_empty());
    Ok(Some(first.map_or_else(
        || format!("the oracle ended with {}", output.status),
        String::from,
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_of_the_plugin_is_no_change() {
        let plain = "; ModuleID = 'a.ll'\ndefine void @f()\n!0 = !{}";
        let mesi = "; ModuleID = 'b.ll'\ndefine void @f()\n!mesi.ran = !{}\n!0 = !{}";
        assert_eq!(body(plain), body(mesi));
        assert_ne!(body(plain), body("define void @g()\n!0 = !{}"));
    }

    #[test]
    fn numbers_of_metadata_are_no_code() {
        let line = "  br i1 %1, label %2, !prof !31, #4";
        assert_eq!(without_numbers(line), "  br i1 %1, label %2, !prof !, #");
    }
}
