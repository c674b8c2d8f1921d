//! `cargo xtask demo`: what the plug-in does to every corpus kernel, as one table.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use comfy_table::{Table, presets};
use mesi_launch::Corpus;

use crate::compile::{self, Compiled, Variant};
use crate::remarks::Remark;
use crate::setup::{self, Toolchain};
use crate::{corpus, gpu, parallel, project};

/// Command-line choices.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Stage whatever is legal, not only what is expected to be faster
    #[arg(long)]
    force: bool,
    /// GPU architecture; may be given several times
    #[arg(long, default_values = ["sm_80", "sm_90"])]
    arch: Vec<String>,
    /// Do not use the GPU even if there is one
    #[arg(long)]
    no_gpu: bool,
    /// Only kernels whose file name contains this
    kernels: Vec<String>,
}

/// One kernel without and with the plug-in, on one architecture.
struct Pair {
    plain: Compiled,
    mesi: Compiled,
}

/// Runs the command.
pub fn demo(arguments: &Arguments) -> Result<()> {
    compile::check_architectures(&arguments.arch)?;
    let kernels = corpus::read(&arguments.kernels)?;
    let tools = setup::setup()?;
    let plugin = build_plugin()?;
    let base = project::target_dir()?.join("demo");
    let mut archs = arguments.arch.clone();
    archs.dedup();
    let gpu = if arguments.no_gpu { None } else { gpu::find() };
    if let Some(gpu) = &gpu
        && gpu.choose(&archs).is_none()
    {
        archs.push(gpu.arch());
        compile::check_architectures(&archs)?;
    }
    let plain = Variant::plain("plain");
    let name = if arguments.force { "force" } else { "mesi" };
    let knobs: &[&str] = if arguments.force { &["force"] } else { &[] };
    let mesi = Variant::with(name, &plugin, knobs);
    let pairs = compile_all(&tools, &base, &kernels, &archs, [&plain, &mesi])?;
    println!("{}", table(&kernels, &archs, &pairs));
    println!("{}", summary(&kernels, &archs, &pairs, arguments.force));
    if let Some(gpu) = &gpu
        && let Some(arch) = gpu.choose(&archs)
    {
        gpu::compare(&tools, &kernels, arch, &base.join("bundle"), &mesi)?;
    }
    Ok(())
}

/// Builds the release plug-in and returns its path.
pub fn build_plugin() -> Result<PathBuf> {
    build_plugin_as("release")
}

/// The plug-in in one of cargo's profiles, without the library that tests link: it is smaller so.
pub fn build_plugin_as(profile: &str) -> Result<PathBuf> {
    eprintln!("building the plug-in");
    project::run(
        project::cargo()
            .args(["rustc", "--quiet", "--package", "mesi", "--lib"])
            .args(["--crate-type", "cdylib", "--profile", profile]),
    )?;
    let plugin = project::target_dir()?.join(profile).join("libmesi.so");
    plugin
        .metadata()
        .with_context(|| format!("{} was not built", plugin.display()))?;
    Ok(plugin)
}

/// `result[kernel][arch]`.
fn compile_all(
    tools: &Toolchain,
    base: &Path,
    kernels: &[Corpus],
    archs: &[String],
    variants: [&Variant; 2],
) -> Result<Vec<Vec<Pair>>> {
    let mut jobs = Vec::new();
    for kernel in kernels {
        for arch in archs {
            jobs.extend(variants.map(|v| (kernel, arch, v)));
        }
    }
    let compiled = parallel::map("compiling", &jobs, |(kernel, arch, variant)| {
        compile::compile(tools, base, kernel, arch, variant)
    })?;
    let mut compiled = compiled.into_iter();
    let mut next = || compiled.next().context("a result is missing");
    kernels
        .iter()
        .map(|_| {
            archs
                .iter()
                .map(|_| {
                    Ok(Pair {
                        plain: next()?,
                        mesi: next()?,
                    })
                })
                .collect()
        })
        .collect()
}

fn table(kernels: &[Corpus], archs: &[String], pairs: &[Vec<Pair>]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN);
    let many = archs.join(" / ");
    table.set_header([
        "kernel".to_string(),
        "staged".into(),
        "missed: reason".into(),
        format!("shared bytes {many}"),
        format!("registers {many}"),
        "spills".into(),
        "barriers".into(),
    ]);
    for (kernel, pairs) in kernels.iter().zip(pairs) {
        let remarks = pairs.first().map_or(&[][..], |p| &p.mesi.remarks);
        let figures = |f: &dyn Fn(&Pair) -> String| merged(pairs.iter().map(f));
        table.add_row([
            kernel
                .path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            staged(remarks).join(", "),
            missed(remarks).join(", "),
            figures(&|p| change(p.plain.usage.shared, p.mesi.usage.shared)),
            figures(&|p| change(p.plain.usage.registers, p.mesi.usage.registers)),
            figures(&|p| change(p.plain.usage.spills, p.mesi.usage.spills)),
            figures(&|p| change(p.plain.barriers as u32, p.mesi.barriers as u32)),
        ]);
    }
    table
}

/// `before > after`, or one number where nothing changed.
fn change(before: u32, after: u32) -> String {
    if before == after {
        before.to_string()
    } else {
        format!("{before} > {after}")
    }
}

/// The architectures' figures side by side, or one where they agree.
fn merged(figures: impl Iterator<Item = String>) -> String {
    let mut figures: Vec<String> = figures.collect();
    if figures.iter().all(|f| f == &figures[0]) {
        figures.truncate(1);
    }
    figures.join(" / ")
}

fn staged(remarks: &[Remark]) -> Vec<String> {
    let mut names: Vec<String> = remarks
        .iter()
        .filter(|r| r.missed.is_none())
        .map(|r| r.array.clone())
        .collect();
    names.dedup();
    names
}

fn missed(remarks: &[Remark]) -> Vec<String> {
    let verdict = |r: &Remark| {
        let why = r.missed.as_ref()?;
        Some(if r.array.is_empty() {
            format!("({why})")
        } else {
            format!("{}: {why}", r.array)
        })
    };
    let mut names: Vec<String> = remarks.iter().filter_map(verdict).collect();
    names.dedup();
    names
}

fn summary(kernels: &[Corpus], archs: &[String], pairs: &[Vec<Pair>], force: bool) -> String {
    let first = || pairs.iter().filter_map(|p| p.first());
    let arrays: usize = first().map(|p| staged(&p.mesi.remarks).len()).sum();
    let with = first()
        .filter(|p| !staged(&p.mesi.remarks).is_empty())
        .count();
    let spills = pairs
        .iter()
        .flatten()
        .filter(|p| p.mesi.usage.spills > p.plain.usage.spills)
        .count();
    let mut text = format!(
        "{} kernels compiled and assembled for {}; {arrays} arrays staged in {with} kernels; new spills in {spills}.",
        kernels.len(),
        archs.join(" and "),
    );
    if force {
        let wrong = unexpected(kernels, pairs);
        text += &format!(
            "\n{} verdicts differ from the headers' [expect].",
            wrong.len()
        );
        for line in wrong {
            text += &format!("\n  {line}");
        }
    }
    text
}

/// Arrays whose verdict at `force` is not what the header's `[expect]` says.
fn unexpected(kernels: &[Corpus], pairs: &[Vec<Pair>]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (kernel, pair) in kernels.iter().zip(pairs.iter().filter_map(|p| p.first())) {
        for (array, expected) in &kernel.expect {
            let mut found: Vec<String> = pair
                .mesi
                .remarks
                .iter()
                .filter(|r| r.array == *array)
                .map(|r| r.missed.clone().unwrap_or_else(|| "staged".into()))
                .collect();
            if found.is_empty() {
                let whole = pair.mesi.remarks.iter().find(|r| r.array.is_empty());
                found.push(
                    whole
                        .and_then(|r| r.missed.clone())
                        .unwrap_or_else(|| "no remark".into()),
                );
            }
            if !found.contains(expected) {
                wrong.push(format!(
                    "{}: {array} is {}, expected {expected}",
                    kernel.kernel,
                    found.join(" and ")
                ));
            }
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_show_what_changed() {
        assert_eq!(change(32, 32), "32");
        assert_eq!(change(32, 40), "32 > 40");
        assert_eq!(merged(["1", "1"].map(String::from).into_iter()), "1");
        assert_eq!(merged(["1", "2"].map(String::from).into_iter()), "1 / 2");
    }
}
