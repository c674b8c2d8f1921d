//! The launch timer: against a CUDA runtime of a few lines, and against the toolkit's headers.

mod support;

use std::path::Path;
use std::process::Command;

use support::{clang, cuda, folder, ran};

/// The runtime of a few lines lacks some of them, as old toolkits do.
const WRAPPED: &str = include_str!("../timer/wrapped.txt");

fn build(dir: &Path) -> std::path::PathBuf {
    let program = dir.join("fake");
    let mut c = Command::new(clang());
    c.args(["-x", "c", "-O1", "-Wall", "-Werror"])
        .arg(folder("timer/timer.c"))
        .arg(folder("tests/programs/fake_user.c"))
        .arg(folder("tests/programs/fake_runtime.c"))
        .args(WRAPPED.lines().map(|w| format!("-Wl,--wrap={w}")))
        .arg("-pthread")
        .arg("-o")
        .arg(&program);
    ran(&mut c);
    program
}

/// `name -> (launches, timed, failed, captured, total)` of the log.
fn log(path: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines: Vec<_> = text
        .lines()
        .map(|l| {
            let words: Vec<&str> = l.split(' ').collect();
            (words[7..].join(" "), words[..5].join(" "))
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn every_launch_is_counted_and_timed_on_its_stream() {
    let dir = tempfile::tempdir().unwrap();
    let program = build(dir.path());
    let path = dir.path().join("log");
    let output = ran(Command::new(&program).env("MESIAB_LOG", &path));
    let line = |name: &str, sums: &str| (name.to_string(), sums.to_string());
    assert_eq!(
        log(&path),
        [
            line("(unnamed kernel)", "1 1 0 0 3.000000"),
            line("_Z3onev", "10001 10000 0 1 10000.000000"),
            line("_Z3twov", "10002 10000 1 0 20000.000000"),
            line("_Z5threev", "2 2 0 0 10.000000"),
        ]
    );
    // Events are used again: no more live ones than launches pending and one.
    let events: usize = output
        .trim()
        .strip_prefix("events ")
        .unwrap()
        .parse()
        .unwrap();
    assert!(events <= 2 * 4096 + 2, "{events}");
}

#[test]
fn a_device_reset_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log");
    ran(Command::new(build(dir.path()))
        .arg("reset")
        .env("MESIAB_LOG", &path));
    assert!(log(&path).contains(&("_Z3onev".into(), "10002 10001 0 1 10007.000000".into())));
}

#[test]
fn without_the_variable_nothing_is_timed() {
    let dir = tempfile::tempdir().unwrap();
    let output = ran(&mut Command::new(build(dir.path())));
    assert_eq!(output.trim(), "events 0");
}

#[test]
fn its_declarations_are_those_of_the_toolkit() {
    let dir = tempfile::tempdir().unwrap();
    let mut c = Command::new(clang());
    c.args(["-x", "c", "-Wall", "-Werror", "-DMESIAB_CHECK", "-c"])
        .arg(folder("timer/timer.c"))
        .arg("-isystem")
        .arg(cuda().join("include"))
        .arg("-o")
        .arg(dir.path().join("timer.o"));
    ran(&mut c);
}
