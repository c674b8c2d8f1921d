//! Runs that are there to learn: `MESI_CHOICE=tune`, which `mesi tune` sets.

use std::fs;

use mesi_rt_tests::{Scenario, Seen};
use tempfile::TempDir;

/// A program that queues all its launches, and never waits for the GPU.
const QUEUES: &str = "set lazy 1\nset small 1\nset noise 0.02\nset sync_every 100000\n";

fn tune(folder: &TempDir, script: &str) -> Seen {
    let path = folder.path().to_str().expect("not UTF-8");
    Scenario::new(script)
        .with("MESI_CACHE_DIR", path)
        .with("MESI_CHOICE", "tune")
        .run()
}

#[test]
fn one_run_of_a_hundred_queued_launches_settles() {
    let folder = TempDir::new().expect("no folder");
    let script =
        format!("{QUEUES}versions 2\ntime 1 130\ntime 2 60\nlaunch 100\nsync\nsettled\nseen");
    let seen = tune(&folder, &script);
    assert_eq!(seen.numbers("settled", 0)[0], 1);
    assert_eq!(seen.seen("busy_loads", 0), 0.0);
    // What it settled on is what the next run of the usual kind begins with.
    let path = folder.path().to_str().expect("not UTF-8");
    let script = format!("{QUEUES}versions 2\ntime 1 130\ntime 2 60\nlaunch 100\ncounts");
    let next = Scenario::new(&script).with("MESI_CACHE_DIR", path).run();
    assert!(next.counts(0)[2] >= 88, "{:?}", next.counts(0));
}

#[test]
fn the_same_launches_do_not_settle_unless_asked() {
    let folder = TempDir::new().expect("no folder");
    let path = folder.path().to_str().expect("not UTF-8");
    let script = format!("{QUEUES}versions 2\ntime 1 130\ntime 2 60\nlaunch 100\nsync\nsettled");
    let seen = Scenario::new(&script).with("MESI_CACHE_DIR", path).run();
    assert_eq!(seen.numbers("settled", 0)[0], 0);
}

#[test]
fn few_launches_of_a_long_kernel_settle_in_a_few_runs() {
    let folder = TempDir::new().expect("no folder");
    let script = format!("{QUEUES}set small 0\ntime 0 9000\ntime 1 5000\nlaunch 12\nsync\nsettled");
    let runs: Vec<i64> = (0..5)
        .map(|_| tune(&folder, &script).numbers("settled", 0)[0])
        .collect();
    assert_eq!(runs.last(), Some(&1), "{runs:?}");
}

#[test]
fn what_is_slow_is_dropped_as_early_as_ever() {
    let folder = TempDir::new().expect("no folder");
    let script = format!("{QUEUES}time 1 150\nlaunch 100\nsync\ncounts\nsettled");
    let seen = tune(&folder, &script);
    assert_eq!(seen.numbers("settled", 0)[0], 1);
    assert!(seen.counts(0)[1] <= 6, "{:?}", seen.counts(0));
}

#[test]
fn a_kernel_that_waits_for_the_host_is_waited_for_once() {
    // It ends when the host has launched all.
    let folder = TempDir::new().expect("no folder");
    let script = format!("{QUEUES}time 0 100000000\nlaunch 100\nseen");
    let host = tune(&folder, &script).seen("host", 0);
    assert!(host <= 1.1e9, "{host}");
}

#[test]
fn nothing_is_said_and_choices_are_written() {
    let folder = TempDir::new().expect("no folder");
    let seen = tune(&folder, &format!("{QUEUES}time 1 50\nlaunch 100\nsync"));
    assert_eq!(seen.errors, "");
    let entries = fs::read_dir(folder.path()).expect("no folder");
    let mut kinds: Vec<_> = entries
        .map(|e| {
            e.expect("no entry")
                .path()
                .extension()
                .map(|x| x.to_os_string())
        })
        .collect();
    kinds.sort();
    // Marks of the kernel, and of any.
    let marks = ["json", "known", "known", "tuned", "tuned"];
    assert_eq!(kinds, marks.map(|k| Some(k.into())));
}

/// A program that launches its kernel once, waits, and ends.
const ONCE: &str = "set lazy 1\nset small 1\nset noise 0.05\nset sync_every 1\n";

/// Runs a program in `folder` until it is settled; the runs that it took.
fn runs_until_settled(folder: &TempDir, script: &str) -> usize {
    let is_settled = |run: &usize| {
        // Each process has noise of its own.
        let script = format!("set seed {run}\nforget\n{script}");
        tune(folder, &script).numbers("settled", 0)[0] == 1
    };
    (1..=200).find(is_settled).expect("not settled")
}

/// What a usual run launches once there is a choice.
fn used(folder: &TempDir, script: &str) -> Vec<i64> {
    let path = folder.path().to_str().expect("not UTF-8");
    let seen = Scenario::new(script).with("MESI_CACHE_DIR", path).run();
    seen.counts(0)
}

#[test]
fn a_program_of_one_launch_settles_run_by_run() {
    let folder = TempDir::new().expect("no folder");
    let script =
        format!("{ONCE}versions 2\ntime 1 130\ntime 2 60\nlaunch 1\nsync\nsettled\ncounts");
    let runs = runs_until_settled(&folder, &script);
    assert!((8..=40).contains(&runs), "{runs}");
    assert_eq!(used(&folder, &script)[..3], [0, 0, 1]);
}

#[test]
fn all_versions_are_compared_by_single_launches() {
    for (times, best) in [
        ([130, 60, 90, 300], 2),
        ([95, 90, 60, 40], 4),
        ([130, 300, 150, 120], 0),
    ] {
        let folder = TempDir::new().expect("no folder");
        let [a, b, c, d] = times;
        let script = format!(
            "{ONCE}versions 4\ntime 1 {a}\ntime 2 {b}\ntime 3 {c}\ntime 4 {d}\nlaunch 1\nsync\nsettled\ncounts"
        );
        runs_until_settled(&folder, &script);
        assert_eq!(used(&folder, &script)[best], 1, "{times:?}");
    }
}

#[test]
fn of_two_and_three_launches_the_first_is_timed() {
    for launches in [2, 3] {
        let folder = TempDir::new().expect("no folder");
        let script = format!("{ONCE}time 1 60\nlaunch {launches}\nsync\nsettled\ncounts");
        runs_until_settled(&folder, &script);
        assert_eq!(used(&folder, &script)[1], launches);
    }
}

#[test]
fn a_kernel_is_looked_up_where_anything_was_tuned() {
    let folder = TempDir::new().expect("no folder");
    let script = format!("{ONCE}time 1 50\nlaunch 1\nsync\nsettled\ncounts");
    runs_until_settled(&folder, &script);
    let first = || used(&folder, &script)[1];
    assert_eq!(first(), 1);
    // In a process in which nothing is known to be tuned one file is asked for, whichever kernels it launches.
    let marks = fs::read_dir(folder.path()).expect("no folder");
    let mut marks = marks.map(|e| e.expect("no entry").path());
    let of_any = marks.find(|p| p.ends_with("0000000000000000-0000000000000000.tuned"));
    fs::remove_file(of_any.expect("no mark")).expect("it stays");
    assert_eq!(first(), 0);
}

#[test]
fn what_is_slower_in_single_launches_is_not_taken() {
    for time in [103, 130, 300] {
        let folder = TempDir::new().expect("no folder");
        let script = format!("{ONCE}time 1 {time}\nlaunch 1\nsync\nsettled\ncounts");
        let runs = runs_until_settled(&folder, &script);
        assert_eq!(used(&folder, &script)[0], 1, "{time}");
        assert!(time < 300 || runs <= 4, "{runs}");
    }
}

#[test]
fn a_device_that_is_reset_at_the_end_takes_nothing_away() {
    let folder = TempDir::new().expect("no folder");
    let script = format!("{ONCE}time 1 60\nlaunch 1\nsync\nsettled\ncounts\nreset");
    runs_until_settled(&folder, &script);
    assert_eq!(used(&folder, &script)[1], 1);
}

#[test]
fn what_the_model_is_sure_of_is_settled_by_two_single_launches() {
    let folder = TempDir::new().expect("no folder");
    let script =
        format!("{ONCE}set small 0\nset pays 2\ntime 1 40\nlaunch 1\nsync\nsettled\ncounts");
    assert_eq!(runs_until_settled(&folder, &script), 2);
    assert_eq!(used(&folder, &script)[1], 1);
}

#[test]
fn what_is_over_too_soon_is_settled_at_once() {
    let folder = TempDir::new().expect("no folder");
    let script = format!(
        "{ONCE}set host_launch 8000\ntime 0 20\ntime 1 10\nlaunch 1\nsync\nsettled\ncounts"
    );
    assert_eq!(runs_until_settled(&folder, &script), 1);
    assert_eq!(used(&folder, &script)[0], 1);
}
