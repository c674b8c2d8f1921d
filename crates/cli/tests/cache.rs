//! `mesi cache` on files that the run-time part itself wrote, and that it reads again.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use mesi_rt_tests::Scenario;
use serde_json::Value;
use support::{ended, mesi, ran};

const LEARN: &str = "time 1 70\nset noise 0.02\nset sync_every 1\nlaunch 300\ncounts";

/// The run-time part in this folder; nothing else in the environment is set.
fn run(folder: &Path, choice: &str, script: &str) -> Vec<i64> {
    let seen = Scenario::new(script)
        .with("MESI_CACHE_DIR", folder.to_str().unwrap())
        .with("MESI_CHOICE", choice)
        .run();
    assert_eq!(seen.errors, "");
    seen.counts(0)
}

fn learnt() -> (tempfile::TempDir, PathBuf) {
    let at = tempfile::tempdir().unwrap();
    let folder = at.path().join("choices");
    run(&folder, "learn", LEARN);
    run(
        &folder,
        "learn",
        &format!("set hash 99\n{}", LEARN.replace("70", "150")),
    );
    assert_eq!(files(&folder).len(), 2);
    (at, folder)
}

/// Files but for the marks that say of which kernels there are any.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_none_or(|e| e != "known"))
        .collect();
    all.sort();
    all
}

fn cache(folder: &Path, words: &str) -> Command {
    let mut command = mesi("cache");
    command
        .args(words.split(' '))
        .env("MESI_CACHE_DIR", folder)
        .env_remove("XDG_CACHE_HOME");
    command
}

fn listed(folder: &Path) -> Vec<Value> {
    let (out, _) = ran(&mut cache(folder, "list --json"));
    let value: Value = serde_json::from_str(&out).unwrap();
    let mut all = value["files"].as_array().unwrap().clone();
    all.retain(|f| f["state"] != "known");
    all
}

#[test]
fn choices_are_listed_with_their_gains() {
    let (_at, folder) = learnt();
    let all = listed(&folder);
    assert_eq!(all.len(), 2);
    let of = |choice: u64| {
        let wanted = |f: &&Value| f["entry"]["choice"].as_u64() == Some(choice);
        all.iter().find(wanted).unwrap()["entry"].clone()
    };
    let gain = of(1)["gain"].as_f64().unwrap();
    // 100 us of the kernel as it is against 70.
    assert!((1.3..1.6).contains(&gain), "{gain}");
    assert!(of(1)["low"].as_f64().unwrap() > 1.0);
    assert_eq!(of(0)["gain"], Value::Null);
    let (out, err) = ran(&mut cache(&folder, "list"));
    assert_eq!(err, "");
    assert!(
        out.contains(": 2 choices\n") && out.contains("the kernel as it is"),
        "{out}"
    );
    assert!(out.contains("candidate 1") && out.contains(" (1."), "{out}");
}

#[test]
fn a_kernel_or_a_file_is_shown() {
    let (_at, folder) = learnt();
    let kernel = listed(&folder)[0]["entry"]["kernel"]
        .as_str()
        .unwrap()
        .to_string();
    let (out, _) = ran(&mut cache(&folder, &format!("show {kernel}")));
    assert_eq!(out.matches("  symbol ").count(), 2, "{out}");
    assert!(out.contains("of CUDA 13.0"), "{out}");
    let name = files(&folder)[0].file_name().unwrap().to_str().unwrap()[..16].to_string();
    let (out, _) = ran(&mut cache(&folder, &format!("show {name}")));
    assert_eq!(out.matches("  symbol ").count(), 1, "{out}");
    let (out, _) = ran(&mut cache(&folder, &format!("show {name} --json")));
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["files"].as_array().unwrap().len(), 1);
    let (status, _, err) = ended(&mut cache(&folder, "show nobody"));
    assert_eq!(status, 1);
    assert!(err.contains("mesi cache list shows what is there"), "{err}");
}

#[test]
fn torn_files_are_named_and_never_shown() {
    let (_at, folder) = learnt();
    let [first, second] = &files(&folder)[..] else {
        panic!()
    };
    let whole = std::fs::read(first).unwrap();
    for torn in [
        &whole[..0],
        &whole[..whole.len() / 2],
        &[0xff; 5000][..],
        &b"{}"[..],
    ] {
        std::fs::write(first, torn).unwrap();
        let (out, err) = ran(&mut cache(&folder, "list"));
        assert!(out.contains(": 1 choice\n"), "{out}");
        assert!(
            err.contains(first.to_str().unwrap()) && err.contains("counts as absent"),
            "{err}"
        );
        assert_eq!(err.lines().count(), 1);
        let states: Vec<Value> = listed(&folder).iter().map(|f| f["state"].clone()).collect();
        assert!(states.contains(&"torn".into()) && states.contains(&"whole".into()));
    }
    // Another kernel's entry under this name, and one that a stopped program left.
    std::fs::copy(second, first).unwrap();
    std::fs::write(format!("{}.77.0", first.display()), "").unwrap();
    std::fs::write(folder.join("notes.txt"), "mine").unwrap();
    let (_, err) = ran(&mut cache(&folder, "list"));
    assert!(
        err.contains("another kernel") && err.contains("stopped while it wrote"),
        "{err}"
    );
    assert!(!err.contains("notes.txt"));
    ran(&mut cache(&folder, "clear"));
    assert_eq!(files(&folder), [folder.join("notes.txt")]);
}

#[test]
fn a_cleared_choice_is_measured_again() {
    let (_at, folder) = learnt();
    let won = listed(&folder)
        .into_iter()
        .find(|f| f["entry"]["choice"] == 1)
        .unwrap();
    let name = won["file"].as_str().unwrap().to_string();
    let (out, _) = ran(&mut cache(&folder, &format!("clear {name}")));
    assert!(out.contains("1 of 1 files deleted"), "{out}");
    assert_eq!(files(&folder).len(), 1);
    assert_eq!(run(&folder, "cache", &LEARN.replace("300", "50"))[1], 0);
    let (status, _, err) = ended(&mut cache(&folder, &format!("clear {name}")));
    assert_eq!(status, 1, "{err}");
}

#[test]
fn a_frozen_copy_is_used_and_stays_as_it_is() {
    let (at, folder) = learnt();
    std::fs::write(
        folder.join("0123456789abcdef-0123456789abcdef.json"),
        "torn",
    )
    .unwrap();
    let frozen = at.path().join("a b/frozen");
    let mut command = cache(&folder, "freeze");
    let (out, err) = ran(command.arg(&frozen));
    assert!(err.contains("counts as absent"), "{err}");
    let line = out.lines().nth(1).unwrap().trim();
    assert_eq!(
        line,
        format!(
            "export MESI_CHOICE=cache MESI_CACHE_DIR='{}'",
            frozen.display()
        )
    );
    let before: Vec<Vec<u8>> = files(&frozen)
        .iter()
        .map(|f| std::fs::read(f).unwrap())
        .collect();
    assert_eq!(before.len(), 2);
    for file in files(&frozen) {
        assert!(std::fs::metadata(file).unwrap().permissions().readonly());
    }
    // Nothing of the first folder is left, and the version is slower now: a frozen choice stays.
    ran(&mut cache(&folder, "clear"));
    let counts = run(&frozen, "cache", &LEARN.replace("1 70", "1 150"));
    assert_eq!(counts[..2], [0, 300]);
    let after: Vec<Vec<u8>> = files(&frozen)
        .iter()
        .map(|f| std::fs::read(f).unwrap())
        .collect();
    assert_eq!(before, after);
    let (status, _, err) = ended(cache(&folder, "freeze").arg(at.path().join("new")));
    assert_eq!(status, 1);
    assert!(err.contains("mesi tune -- program"), "{err}");
    run(&folder, "learn", LEARN);
    let (status, _, err) = ended(cache(&folder, "freeze").arg(&frozen));
    assert_eq!(status, 2);
    assert!(err.contains("name a new folder"), "{err}");
}

#[test]
fn the_folder_is_found_as_programs_find_it() {
    let at = tempfile::tempdir().unwrap();
    let home = at.path().to_str().unwrap();
    for (variable, below) in [("HOME", ".cache/mesi/1"), ("XDG_CACHE_HOME", "mesi/1")] {
        Scenario::new(LEARN)
            .with("MESI_CACHE_DIR", "")
            .with(variable, home)
            .run();
        let mut command = cache(Path::new(""), "list");
        let (out, _) = ran(command.env_remove("HOME").env(variable, home));
        let folder = at.path().join(below);
        assert!(
            out.starts_with(&format!("{}: 1 choice\n", folder.display())),
            "{out}"
        );
    }
    let mut command = cache(Path::new(""), "list");
    let (status, _, err) = ended(command.env_remove("HOME"));
    assert_eq!(status, 2);
    assert!(err.contains("give --dir"), "{err}");
    let (out, _) = ran(cache(Path::new(""), "list --dir").arg(at.path().join("nowhere")));
    assert!(out.contains(": no choices"), "{out}");
}
