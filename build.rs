//! Compiles the run-time part to bitcode and to assembly. That the LLVM there is one of version 22 the build of `mesi-llvm` has seen to.

use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const PREFIX: &str = "LLVM_SYS_221_PREFIX";
const RUNTIME: &str = "rt/mesi_rt.c";

fn main() -> Result<()> {
    println!("cargo::rerun-if-env-changed={PREFIX}");
    let prefix = PathBuf::from(std::env::var(PREFIX).unwrap_or("/usr/lib/llvm-22".into()));
    compile_runtime(&prefix)?;
    println!("cargo::rustc-env=MESI_BUILD={}", build_id()?);
    Ok(())
}

/// Compiles the run-time part for each kind of host, to bitcode and to assembly, by the clang whose plug-in this is: no other is sure to
/// write what its LLVM reads. It is freestanding, so no headers of that host are needed.
fn compile_runtime(prefix: &Path) -> Result<()> {
    println!("cargo::rerun-if-changed=rt");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").context("cargo sets OUT_DIR")?);
    let clang = prefix.join("bin/clang");
    // Code that is called by a pointer begins as hosts ask that check such calls. A register that a platform may keep to
    // itself is left alone.
    let asked: [(&str, &[&str]); 2] = [
        ("x86_64", &["-fcf-protection=branch"]),
        ("aarch64", &["-mbranch-protection=bti", "-ffixed-x18"]),
    ];
    for (host, asked) in asked {
        let target = format!("--target={host}-linux-gnu");
        let file = |kind: &str| out.join(format!("mesi_rt.{host}.{kind}"));
        let small = ["-Oz", "-emit-llvm"];
        let from_c = [&SOURCE_OPTIONS[..], &small, &[&target]].concat();
        run(
            &clang,
            &[&from_c[..], &["-c"]].concat(),
            Path::new(RUNTIME),
            &file("bc"),
        )?;
        run(
            &clang,
            &[&from_c[..], asked, &["-S"]].concat(),
            Path::new(RUNTIME),
            &file("ll"),
        )?;
        let text = fast_where_hot(&std::fs::read_to_string(file("ll"))?);
        std::fs::write(file("ll"), text)?;
        let to_assembly = [&["-O2", "-fPIC", "-fno-verbose-asm", "-S", &target], asked].concat();
        run(&clang, &to_assembly, &file("ll"), &file("s"))?;
        let text = std::fs::read_to_string(file("s"))?;
        std::fs::write(file("s"), part_of_a_module(&text)?)?;
    }
    Ok(())
}

/// How the run-time part's C is compiled, whatever is made of it.
const SOURCE_OPTIONS: [&str; 9] = [
    "-std=c11",
    "-ffreestanding",
    "-fPIC",
    "-fno-stack-protector",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-Wall",
    "-Wextra",
    "-Werror",
];

fn run(clang: &Path, options: &[&str], from: &Path, to: &Path) -> Result<()> {
    let mut command = Command::new(clang);
    command.args(options).arg(from).arg("-o").arg(to);
    let status = command
        .status()
        .with_context(|| format!("cannot run {}: install clang-22", clang.display()))?;
    ensure!(
        status.success(),
        "{} does not compile: {command:?}",
        from.display()
    );
    Ok(())
}

/// LLVM's text of the run-time part, with what is on the way of settled launches (`FAST` in rt/rt_base.h) no longer
/// kept small.
fn fast_where_hot(text: &str) -> String {
    let line = |line: &str| match line.starts_with("attributes #") && line.contains(" hot ") {
        true => line.replace("minsize ", "").replace("optsize ", "") + "\n",
        false => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// What host code calls, and so what is called in assembly as in C.
const ENTRIES: [&str; 2] = ["mesi_launch", "mesi_launch_ex"];

/// What all files of a program have one of.
const SHARED: &str = "mesi_rt.any_tuned";

/// Assembly of a whole file as a part of another one: seen by nobody else, but for [`SHARED`], and with names that no C
/// has. A reference that may stay open does not make the file's own to the same function such ones. A second copy in one
/// file, as `llvm-link` makes them, is left out.
fn part_of_a_module(assembly: &str) -> Result<String> {
    use std::fmt::Write;
    let (code, _notes) = assembly.split_once("\t.ident").context("no .ident")?;
    let code = without_notes(code);
    let weak = |line: &str| line.strip_prefix("\t.weak\t").map(str::to_string);
    let common = |line: &str| line.strip_prefix("\t.local\t").map(str::to_string);
    let label = |line: &str| {
        let end = line.find(|c| !is_of_name(c)).filter(|end| *end > 0)?;
        let defines = line[end..].starts_with(':') || line[end..].starts_with(" = ");
        defines.then(|| line[..end].to_string())
    };
    let ours: BTreeSet<String> = code
        .lines()
        .filter_map(|l| weak(l).or_else(|| common(l)).or_else(|| label(l)))
        .filter(|name| !ENTRIES.contains(&name.as_str()) && name != SHARED)
        .collect();
    let mut out = format!(".ifndef {}\n.pushsection .text\n", ENTRIES[0]);
    for name in code.lines().filter_map(weak).filter(|n| n != SHARED) {
        writeln!(out, ".weakref {}, {name}", renamed(&name))?;
    }
    let dropped = ["\t.weak\t", "\t.globl\t", "\t.hidden\t", "\t.file\t"];
    for line in code.lines() {
        if line.ends_with(SHARED) || !dropped.iter().any(|d| line.starts_with(d)) {
            writeln!(out, "{}", with_renamed(line, &ours))?;
        }
    }
    Ok(out + ".popsection\n.endif\n")
}

/// Without sections that say something of the whole file, which is not ours.
fn without_notes(code: &str) -> String {
    let mut of_notes = false;
    let mut keep = |line: &&str| {
        if line.starts_with("\t.section") || line.starts_with("\t.text") {
            of_notes = line.contains(".note.");
        }
        !of_notes
    };
    let lines: Vec<&str> = code.lines().filter(|l| keep(l)).collect();
    lines.join("\n")
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.".contains(c)
}

fn renamed(name: &str) -> String {
    match name.strip_prefix(".L") {
        Some(rest) => format!(".Lmesi_rt.{rest}"),
        None => format!("mesi_rt.{name}"),
    }
}

/// A line of assembly with what is `ours` renamed, outside of strings, which end their line.
fn with_renamed(line: &str, ours: &BTreeSet<String>) -> String {
    let (code, string) = line.split_at(line.find('"').unwrap_or(line.len()));
    let mut out = String::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let end = rest
            .find(|x| is_of_name(x) != is_of_name(c))
            .unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        match ours.contains(word) {
            true => out += &renamed(word),
            false => out += word,
        }
        rest = after;
    }
    out + string
}

/// Tells builds apart: of what was measured under another build nothing is believed.
fn build_id() -> Result<String> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hash = DefaultHasher::new();
    for folder in ["src", "crates/mesi-llvm/src", "rt"] {
        println!("cargo::rerun-if-changed={folder}");
        hash_folder(Path::new(folder), &mut hash)?;
    }
    return Ok(format!("{:016x}", hash.finish()));

    fn hash_folder(folder: &Path, hash: &mut DefaultHasher) -> Result<()> {
        let entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        let mut paths: Vec<_> = entries.into_iter().map(|e| e.path()).collect();
        paths.sort();
        for path in paths {
            match path.is_dir() {
                true => hash_folder(&path, hash)?,
                false => std::fs::read(&path)?.hash(hash),
            }
        }
        Ok(())
    }
}
