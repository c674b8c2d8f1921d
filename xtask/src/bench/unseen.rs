//! `--unseen`: a program of drawn kernels in three builds, and a check of such kernels on this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use mesi_launch::Corpus;
use mesi_unseen::Kernel;
use mesi_unseen::program::{self, Timed};

use crate::compile;
use crate::setup::Toolchain;
use crate::{cpu, parallel, project};

/// What a bundle of unseen kernels is made with.
pub struct Recipe<'a> {
    /// Compilers.
    pub tools: &'a Toolchain,
    /// The GPU's architecture.
    pub arch: &'a str,
    /// The plug-in.
    pub plugin: &'a Path,
    /// Cargo profile of the runner.
    pub profile: &'a str,
}

/// Kernels of `--check` whose small cases the oracle compares: each takes seconds.
const ORACLE: usize = 40;

impl Recipe<'_> {
    /// Writes `run`, `unseen` and the sources into `folder`.
    pub fn build(&self, seed: u64, count: usize, folder: &Path) -> Result<()> {
        let kernels = mesi_unseen::draw(seed, count)?;
        let sources = folder.join("sources");
        let batches = write(&kernels, &sources)?;
        self.program(&sources, &batches, &folder.join("unseen"))?;
        runner(self.profile, &folder.join("run"))?;
        println!(
            "{}: {count} kernels of seed {seed} for {}; run {}/run there",
            folder.display(),
            self.arch,
            folder.display()
        );
        Ok(())
    }

    /// A program of corpus files, and its sources in the folder `sources`.
    pub fn of_corpus(&self, kernels: &[Corpus], sources: &Path, to: &Path) -> Result<()> {
        let timed: Vec<Timed> = kernels.iter().map(Timed::of_corpus).collect();
        let mut batches = Vec::new();
        for kernel in kernels {
            let text = std::fs::read_to_string(&kernel.path)
                .with_context(|| format!("{} cannot be read", kernel.path.display()))?;
            batches.push(program::corpus_batch(kernel, &text));
        }
        let batches = write_all(&batches, &program::tables(&timed, 1), sources)?;
        self.program(sources, &batches, to)
    }

    /// Compiles what `write_all` wrote, and links it.
    fn program(&self, sources: &Path, batches: &[PathBuf], to: &Path) -> Result<()> {
        let scratch = tempfile::tempdir().context("no temporary folder")?;
        let mut jobs: Vec<(PathBuf, bool)> = Vec::new();
        for batch in batches {
            jobs.extend([(batch.clone(), false), (batch.clone(), true)]);
        }
        jobs.push((sources.join("main.cu"), false));
        jobs.push((sources.join("tables.cpp"), false));
        let objects = parallel::map("compiling", &jobs, |(source, with)| {
            self.compile(source, *with, scratch.path())
        })?;
        let objects: Vec<PathBuf> = objects.into_iter().flatten().collect();
        self.link(&objects, to)
    }

    /// The objects of a source: one, or clang's under two names.
    fn compile(&self, source: &Path, with: bool, scratch: &Path) -> Result<Vec<PathBuf>> {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let object = scratch.join(format!("{stem}.{with}.o"));
        let mut clang = Command::new(self.tools.clang());
        clang.args(["-O3", "-w", "-c", "-Wno-unknown-cuda-version"]);
        if source.extension().is_some_and(|e| e == "cu") {
            clang.arg(format!("--cuda-gpu-arch={}", self.arch));
            clang.arg("--no-cuda-include-ptx=all");
        } else {
            clang.arg("-I").arg(self.tools.cuda.join("include"));
        }
        clang.arg(format!("--cuda-path={}", self.tools.cuda.display()));
        if with {
            clang.arg(format!("-fpass-plugin={}", self.plugin.display()));
        }
        compile::clean(&mut clang);
        project::run(clang.arg(source).arg("-o").arg(&object))?;
        let Some(number) = stem.strip_prefix("batch") else {
            return Ok(vec![object]);
        };
        // The plug-in's object keeps all names but the table's, which programs never have.
        if with {
            return Ok(vec![self.renamed(
                &object,
                &[program::TABLE.into()],
                &format!("b{number}_"),
            )?]);
        }
        let names = project::capture(
            Command::new(self.tools.llvm.join("bin/llvm-nm"))
                .args(["--defined-only", "--extern-only", "-j"])
                .arg(&object),
        )?;
        let names: Vec<String> = names.lines().map(String::from).collect();
        ["a", "c"]
            .iter()
            .map(|side| self.renamed(&object, &names, &format!("{side}{number}_")))
            .collect()
    }

    /// A copy of an object in which some symbols have a prefix.
    fn renamed(&self, object: &Path, names: &[String], prefix: &str) -> Result<PathBuf> {
        let to = object.with_extension(format!("{prefix}o"));
        let list = object.with_extension(format!("{prefix}names"));
        let lines: String = names.iter().map(|n| format!("{n} {prefix}{n}\n")).collect();
        std::fs::write(&list, lines).context("the list of names cannot be written")?;
        let mut objcopy = Command::new(self.tools.llvm.join("bin/llvm-objcopy"));
        objcopy.arg(format!("--redefine-syms={}", list.display()));
        project::run(objcopy.arg(object).arg(&to))?;
        Ok(to)
    }

    fn link(&self, objects: &[PathBuf], to: &Path) -> Result<()> {
        let _ = std::fs::remove_file(to);
        let mut link = Command::new(self.tools.clang());
        link.args(objects)
            .arg("-o")
            .arg(to)
            .arg("-L")
            .arg(self.tools.cuda.join("lib"));
        link.arg("-L").arg(self.tools.cuda.join("lib64"));
        link.args(["-static-libstdc++", "-static-libgcc", "-lcudart_static"]);
        project::run(link.args(["-lrt", "-ldl", "-lpthread"]))
    }
}

/// Writes all sources of drawn kernels; the batches' paths.
fn write(kernels: &[Kernel], folder: &Path) -> Result<Vec<PathBuf>> {
    let batches = kernels.chunks(program::PER_BATCH);
    let batches: Vec<String> = batches.map(program::batch).collect();
    let timed: Vec<Timed> = kernels.iter().map(Timed::drawn).collect();
    write_all(
        &batches,
        &program::tables(&timed, program::PER_BATCH),
        folder,
    )
}

fn write_all(batches: &[String], tables: &str, folder: &Path) -> Result<Vec<PathBuf>> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{} cannot be created", folder.display()))?;
    let put = |name: String, text: &str| -> Result<PathBuf> {
        let path = folder.join(name);
        std::fs::write(&path, text)
            .with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(path)
    };
    put("unseen.h".into(), program::HEADER)?;
    put("main.cu".into(), program::MAIN)?;
    put("tables.cpp".into(), tables)?;
    let batches = batches.iter().enumerate();
    batches
        .map(|(i, batch)| put(format!("batch{i}.cu"), batch))
        .collect()
}

/// Builds the runner into the bundle.
fn runner(profile: &str, to: &Path) -> Result<()> {
    let mut build = project::cargo();
    build.args([
        "build",
        "--quiet",
        "--package",
        "mesi-unseen",
        "--profile",
        profile,
    ]);
    project::run(&mut build)?;
    let built = project::target_dir()?.join(profile).join("mesi-unseen");
    let _ = std::fs::remove_file(to);
    std::fs::copy(&built, to)
        .with_context(|| format!("{} cannot be copied to {}", built.display(), to.display()))
        .map(|_| ())
}

/// Compiles all kernels for two architectures and holds the small cases of some against the oracle.
pub fn check(tools: &Toolchain, seed: u64, count: usize) -> Result<()> {
    let kernels = mesi_unseen::draw(seed, count)?;
    let scratch = tempfile::tempdir().context("no temporary folder")?;
    let batches = write(&kernels, scratch.path())?;
    let mut jobs = Vec::new();
    for batch in &batches {
        jobs.extend([(batch, "sm_80"), (batch, "sm_90")]);
    }
    parallel::map("compiling unseen kernels", &jobs, |(batch, arch)| {
        let mut clang = Command::new(tools.clang());
        clang.args(compile::clang_arguments(
            tools,
            arch,
            &compile::Variant::plain("plain"),
        ));
        project::run(clang.arg("-w").arg(batch).args(["-o", "/dev/null"]))
    })?;
    let mut files = Vec::new();
    for kernel in kernels.iter().take(ORACLE) {
        let path = scratch.path().join(format!("{}.cu", kernel.name));
        std::fs::write(&path, &kernel.text).context("a kernel cannot be written")?;
        files.push(Corpus::read(&path)?);
    }
    if files.is_empty() {
        bail!("--unseen 0 draws nothing, give at least 1");
    }
    cpu::compare_all(tools, &files)
}
