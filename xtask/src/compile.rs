//! Compiles one corpus kernel with or without the plug-in, down to a cubin, and keeps the result.
//!
//! A result is reused while source, plug-in, compiler and flags are the same: its key is written
//! last, so what was interrupted is compiled again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use mesi_launch::Corpus;

use crate::project;
use crate::ptxas::{self, Usage};
use crate::remarks::{self, Remark};
use crate::setup::Toolchain;

/// GPU architectures that clang 22 and CUDA 13.0 both know and the plug-in has figures for.
const ARCHITECTURES: &[&str] = &[
    "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_100", "sm_120",
];

/// Checks architectures' names before anything is built.
pub fn check_architectures(names: &[String]) -> Result<()> {
    for name in names {
        if !ARCHITECTURES.contains(&name.as_str()) {
            bail!(
                "unsupported architecture `{name}`, supported are {}",
                ARCHITECTURES.join(" ")
            );
        }
    }
    Ok(())
}

/// How to compile: the plug-in and its switches, or plain clang.
#[derive(Debug, Clone)]
pub struct Variant {
    /// Folder name of the results, such as `plain`, `mesi` or `force`.
    pub name: String,
    /// The plug-in; `None` for plain clang.
    pub plugin: Option<PathBuf>,
    /// Knobs to pass as `-mllvm -mesi-KNOB`, such as `force` or `merge=off`.
    pub knobs: Vec<String>,
}

impl Variant {
    /// The plug-in with these knobs.
    pub fn with(name: &str, plugin: &Path, knobs: &[&str]) -> Variant {
        Variant {
            name: name.into(),
            plugin: Some(plugin.to_path_buf()),
            knobs: knobs.iter().map(ToString::to_string).collect(),
        }
    }

    /// clang alone.
    pub fn plain(name: &str) -> Variant {
        Variant {
            name: name.into(),
            plugin: None,
            knobs: Vec::new(),
        }
    }
}

/// What one compilation gave.
#[derive(Debug)]
pub struct Compiled {
    /// Staged and missed arrays; empty without the plug-in.
    pub remarks: Vec<Remark>,
    /// What ptxas says of the kernel.
    pub usage: Usage,
    /// `bar.sync` and its kin in the kernel's PTX.
    pub barriers: usize,
}

/// Where results of one architecture and variant lie.
pub fn folder(base: &Path, arch: &str, variant: &Variant) -> PathBuf {
    base.join(arch).join(&variant.name)
}

/// clang's arguments for the device side of `source`, less input and output.
pub fn clang_arguments(tools: &Toolchain, arch: &str, variant: &Variant) -> Vec<String> {
    let mut arguments: Vec<String> = [
        "-O3",
        "-Wno-unknown-cuda-version",
        "--cuda-device-only",
        "-S",
    ]
    .map(String::from)
    .to_vec();
    arguments.push(format!("--cuda-path={}", tools.cuda.display()));
    arguments.push(format!("--cuda-gpu-arch={arch}"));
    arguments.extend(plugin_arguments(variant));
    arguments
}

/// clang's arguments for the plug-in and its switches.
pub fn plugin_arguments(variant: &Variant) -> Vec<String> {
    let Some(plugin) = &variant.plugin else {
        return Vec::new();
    };
    let knobs = variant.knobs.iter();
    let knobs = knobs.flat_map(|knob| ["-mllvm".into(), format!("-mesi-{knob}")]);
    std::iter::once(format!("-fpass-plugin={}", plugin.display()))
        .chain(knobs)
        .collect()
}

/// Compiles `kernel` for `arch` under `base`, or takes the kept result.
pub fn compile(
    tools: &Toolchain,
    base: &Path,
    kernel: &Corpus,
    arch: &str,
    variant: &Variant,
) -> Result<Compiled> {
    let folder = folder(base, arch, variant);
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{} cannot be created", folder.display()))?;
    let stem = kernel
        .path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let file = |extension: &str| folder.join(format!("{stem}.{extension}"));
    let arguments = clang_arguments(tools, arch, variant);
    let key = key(tools, kernel, &arguments, variant)?;
    if !std::fs::read_to_string(file("key")).is_ok_and(|k| k == key) {
        build(tools, kernel, arch, &arguments, &file)?;
        std::fs::write(file("key"), &key).context("the result cannot be kept")?;
    }
    let ptx = read(&file("ptx"))?;
    let usage =
        ptxas::usage(&read(&file("log"))?, |symbol| kernel.names(symbol)).with_context(|| {
            format!(
                "{}: ptxas reports no kernel `{}`",
                kernel.path.display(),
                kernel.kernel
            )
        })?;
    Ok(Compiled {
        remarks: match variant.plugin {
            Some(_) => remarks::parse(
                &std::fs::read_to_string(file("yaml")).unwrap_or_default(),
                &remarks::names(kernel),
            )?,
            None => Vec::new(),
        },
        usage,
        barriers: ptxas::barriers(&ptx, |symbol| kernel.names(symbol)),
    })
}

fn build(
    tools: &Toolchain,
    kernel: &Corpus,
    arch: &str,
    arguments: &[String],
    file: &impl Fn(&str) -> PathBuf,
) -> Result<()> {
    for stale in ["key", "ptx", "yaml", "log", "cubin"] {
        let _ = std::fs::remove_file(file(stale));
    }
    let mut clang = Command::new(tools.clang());
    clang
        .args(arguments)
        .arg(&kernel.path)
        .arg("-o")
        .arg(file("ptx"));
    clang
        .args([
            "-fsave-optimization-record",
            "-foptimization-record-passes=mesi",
        ])
        .arg(format!(
            "-foptimization-record-file={}",
            file("yaml").display()
        ));
    clean(&mut clang);
    finish(&mut clang, kernel, arch)?;
    let mut ptxas = Command::new(tools.ptxas());
    ptxas
        .args(["-v", &format!("-arch={arch}"), "-o"])
        .arg(file("cubin"))
        .arg(file("ptx"));
    let log = finish(&mut ptxas, kernel, arch)?;
    std::fs::write(file("log"), log).context("ptxas's report cannot be kept")
}

/// Takes the plug-in's environment variables away: the table is about the flags it names.
pub fn clean(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("MESI_") {
            command.env_remove(name);
        }
    }
}

/// Runs one tool on one kernel; its stderr on success, one line of it on failure.
pub fn finish(command: &mut Command, kernel: &Corpus, arch: &str) -> Result<String> {
    let output = project::output(command)?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    let program = PathBuf::from(command.get_program());
    let program = program.file_name().unwrap_or_default().to_string_lossy();
    let first = said
        .lines()
        .find(|l| l.contains("error") || l.contains("fatal"))
        .or(said.lines().next())
        .unwrap_or("it printed nothing");
    bail!(
        "{} for {arch}: {program} failed: {first}",
        kernel.path.display()
    );
}

fn key(
    tools: &Toolchain,
    kernel: &Corpus,
    arguments: &[String],
    variant: &Variant,
) -> Result<String> {
    let mut hash = DefaultHasher::new();
    read(&kernel.path)?.hash(&mut hash);
    arguments.hash(&mut hash);
    tools.clang_version.hash(&mut hash);
    if let Some(plugin) = &variant.plugin {
        std::fs::read(plugin)
            .with_context(|| format!("{} cannot be read", plugin.display()))?
            .hash(&mut hash);
    }
    Ok(format!("{:016x}\n", hash.finish()))
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}

/// Wall time of one run of clang on `kernel`, output thrown away.
pub fn time_clang(
    tools: &Toolchain,
    kernel: &Corpus,
    arch: &str,
    variant: &Variant,
) -> Result<Duration> {
    let mut clang = Command::new(tools.clang());
    clang
        .args(clang_arguments(tools, arch, variant))
        .arg(&kernel.path)
        .args(["-o", "/dev/null"]);
    clean(&mut clang);
    let start = Instant::now();
    finish(&mut clang, kernel, arch)?;
    Ok(start.elapsed())
}
