//! `cargo xtask identity`: is every kernel, compiled with the plug-in, still clang's byte for byte?
//!
//! Each source is compiled with and without the plug-in to PTX, and where the two differ anywhere, both are
//! assembled. For every kernel of the plain compile are compared: the text of its entry, the texts of functions
//! that it names, machine code with relocations, registers, shared memory, constants and `.nv.info`. Of versions, which
//! only the plug-in's compile has, it is looked at which constants are factors of fused operations ([`crate::fused`]).
//!
//! Not compared: host code, what the device linker makes, and what `nvlink` or the driver does later.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use object::read::elf::{ElfFile64, SectionHeader as _};
use object::{Object, ObjectSection, ObjectSymbol};

use crate::setup::Toolchain;
use crate::{compile, corpus, fused, parallel, project, same, setup};

/// Command-line choices.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only sources whose names contain this
    #[arg(long, value_delimiter = ',')]
    filter: Vec<String>,
    /// Chips
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "sm_75,sm_80,sm_86,sm_90,sm_100,sm_120"
    )]
    chips: Vec<String>,
    /// Modes: options for clang, joined by `+`; `several` compiles for all chips in one command
    #[arg(
        long,
        value_delimiter = ',',
        allow_hyphen_values = true,
        default_value = "-O3,-O1,-O2,-Os,-Oz,-O3+-g,-O3+-fgpu-rdc,-O3+several,-O3+--offload-new-driver,-O3+--no-offload-new-driver"
    )]
    modes: Vec<String>,
    /// Random kernels
    #[arg(long, default_value_t = 0)]
    fuzz: u64,
    /// Runs at a time; as many as there are processors if not given
    #[arg(long)]
    jobs: Option<usize>,
    /// Use this built libmesi.so instead of building the tree's
    #[arg(long, value_name = "FILE")]
    with: Option<PathBuf>,
}

/// One file, with what clang must be told of it.
struct Source {
    file: PathBuf,
    options: Vec<String>,
}

/// One compile, done twice.
struct Task<'a> {
    source: &'a Source,
    mode: &'a str,
    chips: Vec<String>,
}

/// What a task found: kernels compared, and for each that differs a line.
#[derive(Default)]
struct Found {
    kernels: usize,
    lines: Vec<(String, String)>,
}

/// Runs the command.
pub fn identity(arguments: &Arguments) -> Result<()> {
    let tools = setup::setup()?;
    let plugin = match &arguments.with {
        Some(file) => std::path::absolute(file).context("the plug-in has no path")?,
        None => same::build(&tools)?,
    };
    let sources = sources(arguments)?;
    let mut tasks = Vec::new();
    for source in &sources {
        for mode in &arguments.modes {
            if mode.split('+').any(|word| word == "several") {
                tasks.push(Task {
                    source,
                    mode,
                    chips: arguments.chips.clone(),
                });
                continue;
            }
            for chip in &arguments.chips {
                tasks.push(Task {
                    source,
                    mode,
                    chips: vec![chip.clone()],
                });
            }
        }
    }
    let found = parallel::map_on(arguments.jobs, "compiles", &tasks, |task| {
        one(&tools, &plugin, task)
            .with_context(|| format!("{} {}", task.source.file.display(), task.mode))
    })?;
    report(&found, tasks.len())
}

/// A small part of it for `cargo xtask test`, with what is already built: the sources in `tests/identity`.
pub fn small(plugin: PathBuf) -> Result<()> {
    let words = |line: &str| line.split(' ').map(String::from).collect();
    identity(&Arguments {
        filter: words("tests/identity"),
        chips: words("sm_80 sm_90"),
        modes: words("-O3 -O1 -Oz"),
        fuzz: 0,
        jobs: None,
        with: Some(plugin),
    })
}

/// One line per kernel and difference, then how many.
fn report(found: &[Found], compiles: usize) -> Result<()> {
    let mut kernels = BTreeSet::new();
    let mut differences = 0;
    for (kernel, line) in found.iter().flat_map(|f| &f.lines) {
        kernels.insert(kernel);
        differences += 1;
        println!("{line}");
    }
    let compared: usize = found.iter().map(|f| f.kernels).sum();
    println!(
        "{compiles} compiles, {compared} kernels compared, {differences} differ, of {} names",
        kernels.len()
    );
    if differences > 0 {
        bail!("{} kernels are not clang's", kernels.len());
    }
    Ok(())
}

/// The corpus, the sources in `tests/identity`, and random kernels.
fn sources(arguments: &Arguments) -> Result<Vec<Source>> {
    let plain = |file| Source {
        file,
        options: Vec::new(),
    };
    let mut all: Vec<Source> = corpus::read(&[])?
        .into_iter()
        .map(|k| plain(k.path))
        .collect();
    all.extend(
        cuda_files(&project::root().join("tests/identity"))?
            .into_iter()
            .map(plain),
    );
    if arguments.fuzz > 0 {
        let place = project::target_dir()?.join("identity");
        for file in cuda_files(&same::random_kernels(&place, arguments.fuzz)?)? {
            let text = std::fs::read_to_string(&file).context("a random kernel cannot be read")?;
            let first = text.lines().next().unwrap_or_default();
            let own = first.trim_start_matches("// clang:").split_whitespace();
            let options = ["-nocudainc", "-nocudalib"].into_iter().chain(own);
            let options = options.map(String::from).collect();
            all.push(Source { file, options });
        }
    }
    all.retain(|s| {
        let name = s.file.to_string_lossy();
        arguments.filter.is_empty() || arguments.filter.iter().any(|f| name.contains(f.as_str()))
    });
    if all.is_empty() {
        bail!(
            "no source has a name containing {}",
            arguments.filter.join(" or ")
        );
    }
    Ok(all)
}

fn cuda_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "cu"))
        .collect();
    files.sort();
    Ok(files)
}

/// Compiles a task with and without the plug-in and compares every kernel.
fn one(tools: &Toolchain, plugin: &Path, task: &Task) -> Result<Found> {
    let scratch = tempfile::tempdir().context("no temporary folder")?;
    let plain = compile_to(tools, None, task, &scratch.path().join("plain"))?;
    let mesi = compile_to(tools, Some(plugin), task, &scratch.path().join("mesi"))?;
    let mut found = Found::default();
    for (name, file) in &plain {
        let other = mesi
            .get(name)
            .context("the plug-in's compile lacks a file")?;
        let texts = [read(file)?, read(other)?];
        let parts = [parts(&texts[0]), parts(&texts[1])];
        let kernels = parts[0].iter().filter(|(_, text)| is_entry(text));
        let kernels: Vec<&String> = kernels.map(|(kernel, _)| kernel).collect();
        found.kernels += kernels.len();
        if texts[0] == texts[1] {
            continue;
        }
        let chip = chip_of(&texts[0]);
        for (version, constants) in fused::differences(&parts[1]) {
            let line = format!(
                "{version} {chip} {}: fuses or rounds {constants}",
                task.mode
            );
            found.lines.push((version.to_string(), line));
        }
        let relocatable = task.mode.contains("-fgpu-rdc");
        let cubins = [file, other].map(|f| assemble(tools, f, &chip, relocatable));
        let [a, b] = cubins;
        let cubins = [a?, b?];
        for kernel in kernels {
            let mut what = Vec::new();
            if closure(&parts[0], kernel) != closure(&parts[1], kernel) {
                what.push("ptx".to_string());
            }
            what.extend(machine_differences(&cubins, kernel)?);
            if !what.is_empty() {
                let stem = task
                    .source
                    .file
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy();
                let line = format!("{stem} {kernel} {chip} {}: {}", task.mode, what.join(" "));
                found.lines.push((format!("{stem} {kernel}"), line));
            }
        }
    }
    Ok(found)
}

/// PTX files that one compile gives, by name.
fn compile_to(
    tools: &Toolchain,
    plugin: Option<&Path>,
    task: &Task,
    folder: &Path,
) -> Result<BTreeMap<String, PathBuf>> {
    std::fs::create_dir_all(folder).context("a folder cannot be created")?;
    let mut clang = Command::new(tools.clang());
    clang
        .current_dir(folder)
        .args(["-w", "--cuda-device-only", "-S"])
        .arg(format!("--cuda-path={}", tools.cuda.display()))
        .args(task.mode.split('+').filter(|word| *word != "several"))
        .args(task.chips.iter().map(|c| format!("--cuda-gpu-arch={c}")))
        .args(&task.source.options)
        .arg(&task.source.file);
    if task.source.options.iter().any(|o| o == "-nocudainc") {
        // Without a toolkit's headers clang does not know which PTX to write.
        clang.args(["-Xclang", "-target-feature", "-Xclang", "+ptx88"]);
    }
    clang.args(plugin.map(|p| format!("-fpass-plugin={}", p.display())));
    compile::clean(&mut clang);
    project::capture(&mut clang)?;
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).context("a folder cannot be read")? {
        let path = entry.context("a folder cannot be read")?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        files.insert(name, path);
    }
    Ok(files)
}

fn read(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))
}

/// The chip after `.target`.
fn chip_of(ptx: &str) -> String {
    let line = ptx.lines().find_map(|l| l.strip_prefix(".target "));
    let word = line.unwrap_or_default().split([',', ' ']).next();
    word.unwrap_or_default().to_string()
}

/// Functions and kernels of a PTX text, by name, each from its first line to its closing brace.
fn parts(ptx: &str) -> BTreeMap<String, String> {
    let mut parts = BTreeMap::new();
    let mut open: Option<(String, String)> = None;
    for line in ptx.lines() {
        if open.is_none() && (line.contains(".entry ") || line.contains(".func ")) {
            open = Some((String::new(), String::new()));
        }
        let Some((name, text)) = &mut open else {
            continue;
        };
        if name.is_empty() {
            *name = name_in(line);
        }
        *text += line;
        text.push('\n');
        // A declaration ends in `;` before any brace.
        if line == "}" || (!text.contains('{') && line.trim_end().ends_with(';')) {
            parts.extend(open.take().filter(|(_, text)| text.contains('{')));
        }
    }
    parts
}

/// The name in `.visible .entry k(` or `.func  (.param .b32 r) f(`; empty if it is on a later line.
fn name_in(line: &str) -> String {
    let after = line
        .split(".entry ")
        .nth(1)
        .or_else(|| line.split(".func ").nth(1));
    let mut after = after.unwrap_or(line).trim_start();
    if after.starts_with('(') {
        after = after
            .split_once(')')
            .map_or("", |(_, rest)| rest)
            .trim_start();
    }
    let end = after.find(|c: char| !(c.is_alphanumeric() || "_$.%".contains(c)));
    after[..end.unwrap_or(after.len())].to_string()
}

fn is_entry(text: &str) -> bool {
    text.lines().next().is_some_and(|l| l.contains(".entry "))
}

/// Texts of a kernel and of all functions that it names, directly or not.
fn closure<'p>(parts: &'p BTreeMap<String, String>, kernel: &str) -> BTreeMap<&'p str, &'p str> {
    let mut all = BTreeMap::new();
    let mut open = vec![kernel.to_string()];
    while let Some(name) = open.pop() {
        let Some((name, text)) = parts.get_key_value(&name) else {
            continue;
        };
        if all.insert(name.as_str(), text.as_str()).is_some() {
            continue;
        }
        let words = text.split(|c: char| !(c.is_alphanumeric() || "_$.%".contains(c)));
        let called = words.filter(|w| parts.get(*w).is_some_and(|t| !is_entry(t)));
        open.extend(called.map(String::from));
    }
    all
}

/// The cubin of a PTX file.
fn assemble(tools: &Toolchain, ptx: &Path, chip: &str, relocatable: bool) -> Result<Vec<u8>> {
    let cubin = ptx.with_extension("cubin");
    let mut ptxas = Command::new(tools.ptxas());
    ptxas.args(relocatable.then_some("-c"));
    ptxas
        .arg(format!("-arch={chip}"))
        .arg(ptx)
        .arg("-o")
        .arg(&cubin);
    project::capture(&mut ptxas)?;
    std::fs::read(&cubin).context("ptxas left no cubin")
}

/// Names of what differs in a kernel's sections.
fn machine_differences(cubins: &[Vec<u8>; 2], kernel: &str) -> Result<Vec<String>> {
    let [a, b] = [machine(&cubins[0], kernel)?, machine(&cubins[1], kernel)?];
    if b.is_empty() {
        return Ok(vec!["gone".into()]);
    }
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    Ok(names
        .into_iter()
        .filter(|n| a.get(*n) != b.get(*n))
        .cloned()
        .collect())
}

/// What a cubin holds of a kernel: sections that are named after it, relocations of its code, registers.
fn machine(cubin: &[u8], kernel: &str) -> Result<BTreeMap<String, Vec<u8>>> {
    let file: ElfFile64 = ElfFile64::parse(cubin).context("ptxas's output is no cubin")?;
    let mut all = BTreeMap::new();
    for section in file.sections() {
        let name = section.name().context("a section has no name")?;
        let Some(kind) = name.strip_suffix(kernel).and_then(|n| n.strip_suffix('.')) else {
            continue;
        };
        let label = match kind {
            ".text" => "code",
            ".nv.shared" => "shared",
            ".nv.info" => "info",
            k if k.starts_with(".rel") || k.starts_with(".debug") || k.starts_with(".nv.rel") => {
                continue;
            }
            other => other,
        };
        let mut bytes = section.size().to_le_bytes().to_vec();
        match label {
            "info" => bytes.extend(without_symbols(section.data().unwrap_or_default())),
            _ => bytes.extend(section.data().unwrap_or_default()),
        }
        all.insert(label.to_string(), bytes);
        if kind == ".text" {
            let info = section.elf_section_header().sh_info(file.endian());
            all.insert("registers".into(), (info >> 24).to_le_bytes().to_vec());
            let mut text = String::new();
            for (at, relocation) in section.relocations() {
                let target = match relocation.target() {
                    object::RelocationTarget::Symbol(s) => file
                        .symbol_by_index(s)
                        .and_then(|s| s.name().map(String::from))
                        .unwrap_or_default(),
                    other => format!("{other:?}"),
                };
                text += &format!(
                    "{at} {:?} {target} {}\n",
                    relocation.flags(),
                    relocation.addend()
                );
            }
            all.insert("relocations".into(), text.into_bytes());
        }
    }
    Ok(all)
}

/// The attributes of a kernel's `.nv.info` but for numbers of symbols, which are others in a file with more symbols.
///
/// ```text
/// u8 format   u8 attribute   u16 value, or bytes behind it where the format is 4
/// ```
/// As read off what `ptxas` of CUDA 13.0 writes: attribute 0x0a begins with the symbol of the kernel's constants, 0x0f lists symbols.
fn without_symbols(info: &[u8]) -> Vec<u8> {
    const SIZED: u8 = 4;
    const CONSTANTS: u8 = 0x0a;
    const EXTERNALS: u8 = 0x0f;
    let (mut out, mut rest) = (Vec::new(), info);
    while let Some((&[format, attribute, low, high], behind)) = rest.split_first_chunk() {
        out.extend([format, attribute, low, high]);
        let size = match format {
            SIZED => usize::from(u16::from_le_bytes([low, high])).min(behind.len()),
            _ => 0,
        };
        let (value, next) = behind.split_at(size);
        match attribute {
            CONSTANTS => out.extend(value.iter().skip(4)),
            EXTERNALS => {}
            _ => out.extend(value),
        }
        rest = next;
    }
    out.extend(rest);
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_of_symbols_are_left_out() {
        let of = |symbol| [4, 0x0a, 8, 0, symbol, 0, 0, 0, 96, 1, 12, 0, 3, 0x1b, 40, 0];
        assert_eq!(
            super::without_symbols(&of(7)),
            super::without_symbols(&of(9))
        );
        let other = [4, 0x0a, 8, 0, 7, 0, 0, 0, 96, 1, 16, 0, 3, 0x1b, 40, 0];
        assert_ne!(
            super::without_symbols(&of(7)),
            super::without_symbols(&other)
        );
    }

    use super::*;

    const PTX: &str = ".target sm_80\n.func  (.param .b32 r) f(\n)\n;\n.func  (.param .b32 r) f(\n)\n{\nret;\n}\n\
                       .visible .entry k(\n)\n.maxntid 32\n{\ncall f;\n}\n.entry k2()\n{\n}\n";

    #[test]
    fn parts_are_found_with_what_they_call() {
        let parts = parts(PTX);
        assert_eq!(parts.keys().collect::<Vec<_>>(), ["f", "k", "k2"]);
        assert!(is_entry(&parts["k"]) && !is_entry(&parts["f"]));
        assert!(parts["k"].contains(".maxntid"));
        assert_eq!(closure(&parts, "k").len(), 2);
        assert_eq!(closure(&parts, "k2").len(), 1);
        assert_eq!(chip_of(PTX), "sm_80");
    }
}
