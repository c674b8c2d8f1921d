//! `mesi tune` with programs that write what the run-time part writes, and with the run-time part itself.

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use mesi_rt_tests::{Variant, program};
use serde_json::Value;
use support::{ended, mesi, ran};

/// A shell script that counts its runs in `$N`.
fn script(at: &Path, body: &str) -> PathBuf {
    let file = at.join("program.sh");
    let text = format!(
        "#!/bin/sh\ncd '{}'\necho \"$MESI_CHOICE\" >> runs\nN=$(wc -l < runs)\n{body}\n",
        at.display()
    );
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file
}

/// A class as `rt/rt_report.h` prints it.
fn class(block: u32, settled: bool) -> String {
    let gain = match settled {
        true => "\"gain\":1.428,\"low\":1.361,\"high\":1.497,\"pairs\":9,",
        false => "",
    };
    let (choice, why) = match settled {
        true => ("_Z4kernPf$mesi$0", "measured"),
        false => ("_Z4kernPf", "learning"),
    };
    let candidate = u32::from(settled);
    format!(
        "{{\"block\":[{block},1,1],\"grid_like\":[100,1,1],\"dynamic\":0,\"launches\":300,\"candidate\":{candidate},\"choice\":\"{choice}\",\"other_blocks\":false,\"why\":\"{why}\",\"settled\":{settled},{gain}\"trials_us\":61}}"
    )
}

fn report(classes: &[String]) -> String {
    format!(
        "[\n{{\"process\":7,\"cache\":\"/c\",\"kernels\":[{{\"kernel\":\"_Z4kernPf\",\"time_us\":900,\"trials_us\":61,\"as_it_is\":2,\"classes\":[{}]}}]}}\n]\n",
        classes.join(",")
    )
}

fn tune(words: &str, program: &Path) -> Command {
    let mut command = mesi("tune");
    command.args(words.split(' ').filter(|w| !w.is_empty()));
    command.arg("--").arg(program).arg("an argument");
    command
}

fn runs(at: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(at.join("runs")).unwrap();
    text.lines().map(str::to_string).collect()
}

#[test]
fn it_runs_until_all_is_settled() {
    let at = tempfile::tempdir().unwrap();
    let open = report(&[class(64, true), class(128, false)]);
    let done = report(&[class(64, true), class(128, true)]);
    let body = format!(
        "[ \"$1\" = 'an argument' ] || exit 9\necho noise\nif [ $N -lt 3 ]; then printf '%s' '{open}'; else printf '%s' '{done}'; fi > \"$MESI_REPORT\""
    );
    let program = script(at.path(), &body);
    let (out, err) = ran(&mut tune("", &program));
    assert_eq!(
        runs(at.path()),
        [
            "tune", "tune", "tune", "off", "cache", "off", "cache", "off", "cache"
        ]
    );
    assert!(
        out.starts_with("all 2 kinds of launches are settled after 3 runs\nkern(float*)\n"),
        "{out}"
    );
    assert!(
        out.contains("  blocks of 64, grid like 100: 300 launches of version 0 (measured), x1.428 (1.361 to 1.497)\n"),
        "{out}"
    );
    assert!(out.contains("2 launches that no version may run"), "{out}");
    assert!(out.contains("whole program, median of 3: "), "{out}");
    assert!(!out.contains("noise"), "{out}");
    // No terminal: lines, and no escape sequences.
    assert!(
        err.contains("mesi tune: run 2: 1 of 2 kinds of launches settled\n"),
        "{err}"
    );
    assert!(!err.contains('\u{1b}'));
}

#[test]
fn json_says_the_same() {
    let at = tempfile::tempdir().unwrap();
    let body = format!(
        "printf '%s' '{}' > \"$MESI_REPORT\"",
        report(&[class(64, true)])
    );
    let program = script(at.path(), &body);
    let (out, _) = ran(&mut tune("--json --compare 1", &program));
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["outcome"], "settled");
    assert_eq!(value["runs"], 1);
    assert_eq!(value["kernels"][0]["classes"][0]["gain"], 1.428);
    assert!(value["whole_program"]["gain"].as_f64().unwrap() > 0.0);
    let (out, _) = ran(&mut tune("--json --compare 0", &program));
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["whole_program"], Value::Null);
}

#[test]
fn it_stops_where_nothing_changes_and_at_limits() {
    let at = tempfile::tempdir().unwrap();
    let open = report(&[class(64, false)]);
    let program = script(
        at.path(),
        &format!("printf '%s' '{open}' > \"$MESI_REPORT\""),
    );
    let (status, out, _) = ended(&mut tune("--compare 0", &program));
    assert_eq!(status, 3);
    assert!(
        out.contains("0 of 1 kinds of launches are settled after 3 runs"),
        "{out}"
    );
    assert!(out.contains("the others cannot be measured"), "{out}");
    let (status, out, _) = ended(&mut tune("--compare 0 --runs 2", &program));
    assert_eq!(status, 3);
    assert!(out.contains("--runs and --time raise it"), "{out}");
    let slow = script(at.path(), "exec sleep 60");
    let (status, _, err) = ended(&mut tune("--time 1", &slow));
    assert_eq!(status, 1);
    assert!(err.contains("give --time more"), "{err}");
}

#[test]
fn faults_are_one_line() {
    let at = tempfile::tempdir().unwrap();
    let program = script(at.path(), "echo first >&2; echo out of memory >&2; exit 4");
    let (status, out, err) = ended(&mut tune("", &program));
    assert_eq!((status, out.as_str()), (1, ""));
    assert_eq!(
        err,
        "mesi tune: error: run 1: the program ended with exit status: 4, and last said: out of memory\n"
    );
    let line = |words: &str, program: &Path, want: &str| {
        let (status, _, err) = ended(&mut tune(words, program));
        assert!(
            status != 0 && err.lines().count() == 1 && err.contains(want),
            "{status} {err}"
        );
        status
    };
    let silent = script(at.path(), "exit 0");
    assert_eq!(line("", &silent, "is it compiled with mesi"), 1);
    let torn = script(at.path(), "printf '[{\"proc' > \"$MESI_REPORT\"");
    assert_eq!(line("", &torn, "or is torn"), 1);
    let kernel =
        "{\"kernel\":\"_Z1kv\",\"time_us\":0,\"trials_us\":0,\"as_it_is\":2,\"classes\":[]}";
    let report = format!("[{{\"process\":7,\"cache\":\"/c\",\"kernels\":[{kernel}]}}]");
    let turned_away = script(at.path(), &format!("echo '{report}' > \"$MESI_REPORT\""));
    assert_eq!(line("", &turned_away, "no version may run any"), 1);
    assert_eq!(line("--runs 0", &torn, "give 1 or more"), 2);
    assert_eq!(line("", &at.path().join("nothing"), "cannot be started"), 1);
    let mut frozen = tune("", &silent);
    let (status, _, err) = ended(frozen.env("MESI_CHOICE", "cache"));
    assert!(status == 2 && err.contains("unset it"), "{err}");
}

#[test]
fn a_program_with_the_real_run_time_part_is_tuned() {
    let at = tempfile::tempdir().unwrap();
    let fake = program(Variant::Plain).unwrap();
    let scenario =
        "time 1 70\nset noise 0.02\nset sync_every 1\nlaunch 60\nset scalar 5\nlaunch 300\n";
    std::fs::write(at.path().join("scenario"), scenario).unwrap();
    let run = |n: u32| {
        format!(
            "sed 's/launch 60/launch {n}/' scenario | '{}'",
            fake.display()
        )
    };
    // The first of 3 launches is half of a pair; from the second run on there are enough to settle in one run.
    let body = format!("if [ $N -lt 2 ]; then {}; else {}; fi", run(3), run(300));
    let program = script(at.path(), &body);
    let cache = at.path().join("choices");
    let mut command = tune("--compare 1", &program);
    let (out, err) = ran(command.env("MESI_CACHE_DIR", &cache));
    assert!(
        out.starts_with("all 2 kinds of launches are settled after 2 runs"),
        "{out}{err}"
    );
    assert!(
        out.contains("version 0 (measured), x1.4") || out.contains("$mesi$"),
        "{out}"
    );
    let (out, _) = ran(mesi("cache list --json --dir").arg(&cache));
    let value: Value = serde_json::from_str(&out).unwrap();
    let files = value["files"].as_array().unwrap();
    let of = |state: &str| files.iter().filter(|f| f["state"] == state).count();
    let counts = [of("whole"), of("tuned"), of("known"), files.len()];
    assert_eq!(counts, [2, 2, 2, 6]);
    // The marks, of the kernel and of any, are no fault.
    let (_, err) = ran(mesi("cache list --dir").arg(&cache));
    assert_eq!(err, "");
}
