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
use mesi_headers::precompiled;
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
    let [plain, hand] = ["plain", "hand"].map(Variant::plain);
    let early = early(tools, base, kernel, &plain, &kernel.path, &[])?;
    let mut sources: Vec<(&Variant, PathBuf)> =
        variants.iter().map(|v| (v, early.clone())).collect();
    // Written by hand, told that any grid fills the chip: the cases are small.
    if let Some(file) = corpus::hand(kernel) {
        let early = self::early(tools, base, kernel, &hand, &file, &["-DFILL=0"])?;
        sources.push((&hand, early));
    }
    let mut seen: Vec<(&Variant, PathBuf, String)> = Vec::new();
    for (variant, early) in &sources {
        let file = ir(tools, base, kernel, variant, early)?;
        let text = std::fs::read_to_string(&file)
            .with_context(|| format!("{} cannot be read", file.display()))?;
        let text = body(&text);
        if !seen.iter().any(|(_, _, other)| *other == text) {
            seen.push((variant, file, text));
        }
    }
    let named: Vec<(&str, &Path)> = seen
        .iter()
        .map(|(v, file, _)| (&*v.name, file.as_path()))
        .collect();
    verdict.compared = named.len() - 1;
    // The original by itself, too: a corpus kernel must not race or leave its arrays.
    let how: &[&str] = match verdict.compared {
        0 => &["run"],
        _ => &["diff", "--clean"],
    };
    let mut command = asks(oracle, how, &named, kernel);
    command.args(["--schedule", "all"]);
    verdict
        .wrong
        .extend(complaints(&mut command, &named, kernel)?);
    // By default what is asked of a grid's size is tested, forced what is asked of loops and arrays.
    let gated: Vec<&Variant> = variants
        .iter()
        .filter(|v| ["mesi", "force"].contains(&v.name.as_str()))
        .collect();
    hold_gates(tools, base, oracle, (kernel, &early), &gated, &mut verdict)?;
    Ok(verdict)
}

/// The oracle, asked about a kernel in files with names.
fn asks(oracle: &Path, how: &[&str], named: &[(&str, &Path)], kernel: &Corpus) -> Command {
    let mut command = Command::new(oracle);
    command
        .args(how)
        .args(named.iter().map(|(_, file)| file))
        .arg("--corpus")
        .arg(&kernel.path);
    command
}

/// Holds the kernel's versions and gates against it, where it has any, and the kernel against what it is without the plug-in.
fn hold_gates(
    tools: &Toolchain,
    base: &Path,
    oracle: &Path,
    (kernel, early): (&Corpus, &Path),
    variants: &[&Variant],
    verdict: &mut Verdict,
) -> Result<()> {
    let read = |file: &Path| {
        std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))
    };
    let before = before_the_plugin(tools, kernel, early)?;
    let own = own_code(&read(&before)?, kernel);
    let mut files = Vec::new();
    for variant in variants {
        let file = behind_the_plugin(tools, base, kernel, variant, &before)?;
        let text = read(&file)?;
        if own != own_code(&text, kernel) {
            let name = format!("{} ({}, kernel)", kernel.kernel, variant.name);
            verdict
                .wrong
                .push(format!("{name}: its own code was changed"));
        }
        let gate = format!("{GATE}\" =");
        if text
            .lines()
            .any(|l| l.starts_with('@') && l.contains(&gate))
        {
            files.push((format!("{}, gate", variant.name), file));
        }
    }
    if files.is_empty() {
        return Ok(());
    }
    verdict.gates += files.len();
    let named: Vec<(&str, &Path)> = files.iter().map(|(n, f)| (&**n, f.as_path())).collect();
    // As the back end rounds: the IR leaves it to that what is fused.
    let mut command = asks(oracle, &["gate", "--fuse"], &named, kernel);
    verdict
        .wrong
        .extend(complaints(&mut command, &named, kernel)?);
    Ok(())
}

/// IR right in front of the plug-in, beside what it is made of.
fn before_the_plugin(tools: &Toolchain, kernel: &Corpus, early: &Path) -> Result<PathBuf> {
    let file = early.with_extension("before.ll");
    let mut opt = Command::new(tools.llvm.join("bin/opt"));
    opt.args(["-S", "-passes=nvvm-reflect,thinlto-pre-link<O3>"])
        .arg(early)
        .arg("-o")
        .arg(&file);
    compile::clean(&mut opt);
    compile::finish(&mut opt, kernel, ARCH)?;
    Ok(file)
}

/// IR right behind the plug-in, before the rest of the pipeline, with versions and gates.
fn behind_the_plugin(
    tools: &Toolchain,
    base: &Path,
    kernel: &Corpus,
    variant: &Variant,
    before: &Path,
) -> Result<PathBuf> {
    let folder = compile::folder(base, ARCH, variant);
    let file = folder.join(format!("{}.gate.ll", kernel.kernel));
    let plugin = variant
        .plugin
        .as_ref()
        .context("the variant has no plug-in")?;
    let mut opt = Command::new(tools.llvm.join("bin/opt"));
    opt.arg(format!("-load-pass-plugin={}", plugin.display()))
        .args(variant.knobs.iter().map(|k| format!("-mesi-{k}")))
        .args(["-mesi-disable", "-S"])
        .arg("-passes=mesi<disable=off;form=own>")
        .arg(before)
        .arg("-o")
        .arg(&file);
    compile::clean(&mut opt);
    compile::finish(&mut opt, kernel, ARCH)?;
    Ok(file)
}

/// Options that let clang read the CUDA headers from a precompiled file.
fn headers(tools: &Toolchain, base: &Path) -> Vec<String> {
    let options = compile::clang_arguments(tools, ARCH, &Variant::plain("plain"));
    precompiled(&tools.clang(), &options, base)
}

/// What clang's front end makes of a source: the passes of each variant begin with it, so that it is parsed once.
fn early(
    tools: &Toolchain,
    base: &Path,
    kernel: &Corpus,
    variant: &Variant,
    source: &Path,
    flags: &[&str],
) -> Result<PathBuf> {
    let file = folder(base, variant)?.join(format!("{}.early.ll", kernel.kernel));
    let mut clang = Command::new(tools.clang());
    clang
        .args(compile::clang_arguments(tools, ARCH, variant))
        .args(headers(tools, base))
        .args(["-emit-llvm", "-Xclang", "-disable-llvm-passes"])
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(&file);
    compile::clean(&mut clang);
    compile::finish(&mut clang, kernel, ARCH)?;
    Ok(file)
}

/// Compiles what the front end made to IR at the end of clang's -O3 pipeline.
fn ir(
    tools: &Toolchain,
    base: &Path,
    kernel: &Corpus,
    variant: &Variant,
    early: &Path,
) -> Result<PathBuf> {
    let file = folder(base, variant)?.join(format!("{}.ll", kernel.kernel));
    let text = std::fs::read_to_string(early)
        .with_context(|| format!("{} cannot be read", early.display()))?;
    let mut clang = Command::new(tools.clang());
    clang
        .args(["-x", "ir", "--target=nvptx64-nvidia-cuda", "-O3", "-S"])
        .arg(format!("-march={ARCH}"))
        // clang knows PTX's version from the toolkit, whose place it is not told here.
        .args(features(&text).flat_map(|f| ["-Xclang", "-target-feature", "-Xclang", f]))
        .args(compile::plugin_arguments(variant))
        .arg("-emit-llvm")
        .arg(early)
        .arg("-o")
        .arg(&file);
    compile::clean(&mut clang);
    compile::finish(&mut clang, kernel, ARCH)?;
    Ok(file)
}

/// The features of the target that the first function of a module has.
fn features(ir: &str) -> impl Iterator<Item = &str> {
    let begin = "\"target-features\"=\"";
    let list = ir.split_once(begin).and_then(|(_, l)| l.split_once('"'));
    list.into_iter().flat_map(|(list, _)| list.split(','))
}

/// Where a variant's files lie; it is there.
fn folder(base: &Path, variant: &Variant) -> Result<PathBuf> {
    let folder = compile::folder(base, ARCH, variant);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{} cannot be created", folder.display()))?;
    Ok(folder)
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

/// The first line of what the oracle has against each file; none if all are clean.
fn complaints(
    command: &mut Command,
    named: &[(&str, &Path)],
    kernel: &Corpus,
) -> Result<Vec<String>> {
    let output = project::output(command)?;
    if output.status.success() {
        return Ok(Vec::new());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    let found = first_lines(&said, named);
    let found = match found.is_empty() {
        true => vec![("oracle", format!("it ended with {}", output.status))],
        false => found,
    };
    let line = |(name, line)| format!("{} ({name}): {line}", kernel.kernel);
    Ok(found.into_iter().map(line).collect())
}

/// The first line about each file that has more than one, which is then its verdict, and the first about none.
fn first_lines<'n>(said: &str, named: &[(&'n str, &Path)]) -> Vec<(&'n str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    let mut of_none: Vec<&str> = said.lines().filter(|l| !l.trim().is_empty()).collect();
    for (name, file) in named {
        let prefix = format!("{}: ", file.display());
        let lines: Vec<&str> = said
            .lines()
            .filter_map(|l| l.strip_prefix(&*prefix))
            .collect();
        of_none.retain(|l| !l.starts_with(&prefix));
        if lines.len() > 1 {
            found.push((name, lines[0].to_string()));
        }
    }
    // With two files the oracle does not say which, as it can only be the other.
    let name = match named {
        [(name, _)] | [_, (name, _)] => name,
        _ => "oracle",
    };
    found.extend(of_none.first().map(|l| (name, l.to_string())));
    found
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
    fn features_are_those_of_the_target() {
        let ir =
            "attributes #0 = { \"target-cpu\"=\"sm_80\" \"target-features\"=\"+ptx88,+sm_80\" }";
        assert_eq!(features(ir).collect::<Vec<_>>(), ["+ptx88", "+sm_80"]);
        assert_eq!(features("").count(), 0);
    }

    #[test]
    fn each_wrong_file_is_told_by_its_first_line() {
        let named = ["plain", "mesi", "force"].map(|n| (n, Path::new(n)));
        let said = "plain: k: clean\nmesi: bits\nmesi: more\nmesi: k: 2 differences\nforce: k: same bits\n";
        assert_eq!(first_lines(said, &named), [("mesi", "bits".to_string())]);
        let said = "mesi-oracle: force: cannot be read\n";
        assert_eq!(first_lines(said, &named)[0].0, "oracle");
        assert_eq!(first_lines(said, &named[..2])[0].0, "mesi");
    }

    #[test]
    fn numbers_of_metadata_are_no_code() {
        let line = "  br i1 %1, label %2, !prof !31, #4";
        assert_eq!(without_numbers(line), "  br i1 %1, label %2, !prof !, #");
    }
}
