//! What clang makes of a whole file with a plug-in: the host half, which the plug-in writes launches, registrations,
//! tables and tests into. And texts without the number of the plug-in's build, which every record has.

use mesi_launch::Gate;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::setup::Toolchain;
use crate::{compile, project};

/// How a fat binary begins, as LLVM prints it.
const FAT_BINARY: &str = r#"c"P\EDU\BA"#;
/// How a record of device code begins.
const RECORD: &str = r#"c"MESIGATE"#;
/// Bytes of a record in front of the length of its name.
const LENGTH_AT: usize = 8;
/// Bytes of the hash behind the name.
const HASH: usize = 8;

/// The host half of `source` as LLVM's text, once the device half is compiled for `chip`.
pub fn host_half(tools: &Toolchain, plugin: &Path, source: &Path, chip: &str) -> Result<String> {
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let clang = |arguments: &[&str]| {
        let mut clang = Command::new(tools.clang());
        clang
            .current_dir(folder.path())
            .args(["-x", "cuda", "-O3", "-Wno-unknown-cuda-version"])
            .arg("-Wno-deprecated-gpu-targets")
            .arg(format!("--cuda-path={}", tools.cuda.display()))
            .arg(format!("-fpass-plugin={}", plugin.display()))
            .args(arguments)
            .arg(source);
        compile::clean(&mut clang);
        clang
    };
    let whole = [
        &format!("--cuda-gpu-arch={chip}"),
        "-save-temps",
        "-c",
        "-o",
        "all.o",
    ];
    let done = project::output(&mut clang(&whole))?;
    if !done.status.success() {
        return Ok(format!("clang failed ({})\n", done.status));
    }
    let files = std::fs::read_dir(folder.path()).context("a folder cannot be read")?;
    let mut files = files.filter_map(|f| Some(f.ok()?.path()));
    let fat = files.find(|f| f.extension().is_some_and(|e| e == "fatbin"));
    let fat = fat.context("clang left no fat binary")?;
    let host = ["--cuda-host-only", "-S", "-emit-llvm", "-o", "-"];
    let include = ["-Xclang", "-fcuda-include-gpubinary", "-Xclang"];
    let fat = fat.to_string_lossy();
    let words = [&host[..], &include, &[&*fat]].concat();
    let output = project::output(&mut clang(&words))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter(|l| !l.contains(FAT_BINARY));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// The line without the number of the build that a kernel's record has, on either side.
pub fn without_build(line: &str) -> String {
    of_device(line)
        .or_else(|| of_host(line))
        .unwrap_or_else(|| line.to_string())
}

/// `@"K$mesi$gate" = … c"MESIGATE…K$mesi<hash>…"`: a kernel's record, which ends as its versions' do not.
fn of_device(line: &str) -> Option<String> {
    let at = line.find(RECORD)?;
    let (name, _) = line.split_once(" = ")?;
    if !name.trim_matches(['@', '"']).ends_with("$mesi$gate") {
        return None;
    }
    let (before, record) = line.split_at(at + 2);
    let mut bytes = printed_bytes(record);
    let number = |b: &str| match b.strip_prefix('\\') {
        Some("\\") => Some(usize::from(b'\\')),
        Some(digits) => usize::from_str_radix(digits, 16).ok(),
        None => b.bytes().next().map(usize::from),
    };
    let length = bytes.get(LENGTH_AT..LENGTH_AT + 4)?.iter().rev();
    let length = length
        .map(|b| number(b))
        .try_fold(0, |n, b| Some(n << 8 | b?))?;
    let hash = Gate::HEAD + length;
    let hash = hash..hash + HASH;
    bytes.get_mut(hash)?.fill("#");
    Some(before.to_string() + &bytes.concat())
}

/// The characters of a constant as LLVM prints it: a backslash as two, some others as one and two digits.
fn printed_bytes(text: &str) -> Vec<&str> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let width = match rest.as_bytes() {
            [b'\\', b'\\', ..] => 2,
            [b'\\', _, _, ..] => 3,
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        let (byte, more) = rest.split_at(width);
        bytes.push(byte);
        rest = more;
    }
    bytes
}

/// `@"K$mesi.0" = internal global { i32, …, i64, … } { i32 5, i32 2, i32 0, i32 1, i64 <hash>, …`: what the run-time
/// part knows.
fn of_host(line: &str) -> Option<String> {
    let (name, value) = line.split_once(" = internal global { i32, i32, i32, i32, i64, ptr, ")?;
    if !name.contains("$mesi.") {
        return None;
    }
    let (before, hash) = value.split_once(", i64 ")?;
    let (_, behind) = hash.split_once(',')?;
    Some(format!("{name} = {before}, i64 #,{behind}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_are_left_out_and_nothing_else() {
        let device = |hash: &str, shared: &str| {
            let head = format!(r"MESIGATE\06\00\00\00,\00\00\00{shared}\00\00\00");
            let more = r"\00".repeat(Gate::HEAD - 20);
            without_build(&format!(
                r#"@"k$mesi$gate" = constant [9 x i8] c"{head}{more}k$mesi{hash}\00\04\00\00", align 1"#
            ))
        };
        let one = device(r"\D3!|\AA\0C\02\B4r", "8");
        assert_eq!(one, device(r"ab\\\00\22\88]7", "8"));
        assert_ne!(one, device(r"ab\\\00\22\88]7", "9"));
        assert!(
            one.ends_with(r#"k$mesi########\00\04\00\00", align 1"#),
            "{one}"
        );
        let host = |hash: &str, versions: u32| {
            without_build(&format!(
                r#"@"k$mesi.0" = internal global {{ i32, i32, i32, i32, i64, ptr, ptr }} {{ i32 5, i32 {versions}, i32 0, i32 1, i64 {hash}, ptr @s, ptr @t }}, align 8"#
            ))
        };
        assert_eq!(host("-17", 2), host("4", 2));
        assert_ne!(host("-17", 2), host("-17", 3));
        let gate = r#"@"k$mesi$0$gate" = constant [9 x i8] c"MESIGATE\06""#;
        assert_eq!(without_build(gate), gate);
    }
}
