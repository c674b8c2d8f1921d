//! Choices on disk.

use std::fs;
use std::path::PathBuf;

use mesi_rt_tests::{Scenario, Seen};
use tempfile::TempDir;

const LEARN: &str = "time 1 70\nset noise 0.02\nset sync_every 1\nlaunch 300\ncounts";
const FIRST: &str = "time 1 70\ntrace 3\nlaunch 50\ncounts\nseen";

fn in_folder(folder: &TempDir, script: &str) -> Scenario {
    let path = folder.path().join("a/b");
    Scenario::new(script).with("MESI_CACHE_DIR", path.to_str().expect("not UTF-8"))
}

/// Files of a cache but for the marks that say of what kernels there are any.
fn files(folder: PathBuf) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).into_iter().flatten();
    let paths = all.map(|e| e.expect("no entry").path());
    let is_mark = |p: &PathBuf| p.extension().is_some_and(|e| e == "known");
    paths.filter(|p| !is_mark(p)).collect()
}

fn entries(folder: &TempDir) -> Vec<PathBuf> {
    files(folder.path().join("a/b"))
}

fn learnt() -> TempDir {
    let folder = TempDir::new().expect("no folder");
    let seen = in_folder(&folder, LEARN).run();
    assert!(seen.counts(0)[1] > 150);
    assert_eq!(entries(&folder).len(), 1);
    folder
}

fn is_miss(seen: &Seen) -> bool {
    assert_eq!(seen.errors, "");
    seen.numbers("trace", 0) == [0, 0, 0]
}

#[test]
fn the_next_run_begins_with_the_winner() {
    let folder = learnt();
    let seen = in_folder(&folder, FIRST).run();
    assert_eq!(seen.counts(0)[..2], [0, 53]);
    assert_eq!(seen.seen("records", 0), 0.0);
}

#[test]
fn of_launches_that_are_not_large_the_twelfth_asks() {
    let folder = learnt();
    let script = "set small 1\ntime 1 70\ntrace 14\nlaunch 50\ncounts";
    let seen = in_folder(&folder, script).run();
    let trace = seen.numbers("trace", 0);
    assert_eq!((&trace[..11], &trace[11..]), (&[0; 11][..], &[1; 3][..]));
    assert_eq!(seen.counts(0)[0], 11);
    // A frozen cache is used from the first launch on.
    let seen = in_folder(&folder, script)
        .with("MESI_CHOICE", "cache")
        .run();
    assert_eq!(seen.counts(0)[0], 0);
}

#[test]
fn a_winner_is_loaded_while_work_is_unfinished() {
    let folder = learnt();
    let script = "set lazy 1\ntime 1 70\nset stream 5\nlaunch 1\nset grid 2000\nlaunch 1\nset grid 100\nset stream 6\nlaunch 20\ncounts";
    let seen = in_folder(&folder, script).run();
    assert_eq!(seen.counts(0)[..2], [1, 21]);
}

#[test]
fn k_is_a_choice_too() {
    let folder = TempDir::new().expect("no folder");
    let script = LEARN.replace("70", "150");
    in_folder(&folder, &script).run();
    assert_eq!(entries(&folder).len(), 1);
    let seen = in_folder(
        &folder,
        "time 1 150\nset sync_every 1\nlaunch 60\nseen\ncounts",
    )
    .run();
    assert_eq!(seen.seen("records", 0), 0.0);
    assert_eq!(seen.counts(0)[..2], [60, 0]);
}

#[test]
fn a_hit_is_checked() {
    let folder = learnt();
    let script = "time 1 130\nset noise 0.02\nset sync_every 1\nlaunch 2000\ncounts";
    let seen = in_folder(&folder, script).run();
    assert!(seen.counts(0)[1] < 1200, "{:?}", seen.counts(0));
}

#[test]
fn torn_entries_are_misses() {
    let folder = learnt();
    let path = entries(&folder).remove(0);
    let whole = fs::read(&path).expect("no entry");
    for n in 0..whole.len() {
        fs::write(&path, &whole[..n]).expect("cannot write");
        if n % 7 == 0 || n + 4 > whole.len() {
            assert!(is_miss(&in_folder(&folder, FIRST).run()), "{n}");
        }
    }
    for at in (0..whole.len()).step_by(5) {
        let mut other = whole.clone();
        other[at] ^= 1;
        fs::write(&path, &other).expect("cannot write");
        assert!(is_miss(&in_folder(&folder, FIRST).run()), "{at}");
    }
    fs::write(&path, [0xff; 4000]).expect("cannot write");
    assert!(is_miss(&in_folder(&folder, FIRST).run()));
    fs::write(&path, &whole).expect("cannot write");
    assert!(!is_miss(&in_folder(&folder, FIRST).run()));
}

#[test]
fn entries_of_other_chips_kernels_and_classes_are_misses() {
    let folder = learnt();
    for change in [
        "set multiprocessors 114\n",
        "set green 20\n",
        "set hash 99\n",
        "set grid 5000\n",
        "set block_y 2\n",
        "set shared 64\n",
        "set scalar 5\n",
    ] {
        assert!(
            is_miss(&in_folder(&folder, &format!("{change}{FIRST}")).run()),
            "{change}"
        );
    }
    // The file of another kernel under this one's name.
    let path = entries(&folder).remove(0);
    let other = in_folder(&folder, &format!("set hash 99\n{LEARN}")).run();
    assert!(other.counts(0)[1] > 0);
    let foreign = entries(&folder).into_iter().find(|p| *p != path);
    fs::copy(foreign.expect("no second entry"), &path).expect("cannot copy");
    assert!(is_miss(&in_folder(&folder, FIRST).run()));
}

#[test]
fn a_winner_that_is_not_sound_does_not_run() {
    let folder = learnt();
    let seen = in_folder(&folder, &format!("set sound 0\n{FIRST}")).run();
    assert_eq!(seen.counts(0)[..2], [53, 0]);
}

#[test]
fn another_drivers_winner_is_checked_like_a_guess() {
    let folder = learnt();
    let script = "set driver 13010\ntime 1 70\nset sync_every 1\ntrace 4\n";
    let seen = in_folder(&folder, script).run();
    assert_eq!(seen.numbers("trace", 0), [1, 0, 1, 1]);
    let seen = in_folder(&folder, &script.replace("70", "150")).run();
    assert_eq!(seen.numbers("trace", 0), [1, 0, 1, 0]);
}

#[test]
fn folders_that_cannot_be_written_are_no_trouble() {
    for path in ["/dev/null/x", "/proc/nowhere", "/"] {
        let seen = Scenario::new(LEARN).with("MESI_CACHE_DIR", path).run();
        assert!(seen.counts(0)[1] > 150);
        assert_eq!(seen.errors, "");
    }
    let long = format!("/tmp/{}", "x".repeat(600));
    let seen = Scenario::new(LEARN).with("MESI_CACHE_DIR", long).run();
    assert!(seen.counts(0)[1] > 150);
}

#[test]
fn a_frozen_cache_is_read_and_never_written() {
    let folder = learnt();
    let path = entries(&folder).remove(0);
    let before = fs::read(&path).expect("no entry");
    let frozen = |script: &str| {
        in_folder(&folder, script)
            .with("MESI_CHOICE", "cache")
            .run()
    };
    let seen = frozen("time 1 150\nset sync_every 1\nlaunch 3000\ncounts\nseen");
    assert_eq!(seen.counts(0)[..2], [0, 3000]);
    assert_eq!(seen.seen("records", 0), 0.0);
    assert_eq!(fs::read(&path).expect("no entry"), before);
    let seen = frozen("set scalar 5\ntime 1 50\nset sync_every 1\nlaunch 3000\ncounts");
    assert_eq!(seen.counts(0)[..2], [3000, 0]);
    assert_eq!(entries(&folder).len(), 1);
}

#[test]
fn the_folder_is_the_desktops_or_the_homes() {
    let folder = TempDir::new().expect("no folder");
    let home = folder.path().to_str().expect("not UTF-8");
    let learn = || Scenario::new(LEARN).with("MESI_CACHE_DIR", "");
    learn().with("HOME", home).run();
    assert_eq!(files(folder.path().join(".cache/mesi/1")).len(), 1);
    learn()
        .with("HOME", home)
        .with("XDG_CACHE_HOME", home)
        .run();
    assert_eq!(files(folder.path().join("mesi/1")).len(), 1);
}

#[test]
fn one_rank_of_a_machine_writes() {
    let folder = TempDir::new().expect("no folder");
    in_folder(&folder, LEARN).with("SLURM_LOCALID", "3").run();
    assert_eq!(entries(&folder).len(), 0);
    in_folder(&folder, LEARN).with("SLURM_LOCALID", "0").run();
    assert_eq!(entries(&folder).len(), 1);
}

/// The programs that queue all their launches, as so many processes: what each launched, and whether it ended settled.
fn queued(folder: &TempDir, script: &str, runs: usize) -> Vec<(Vec<i64>, i64, f64)> {
    let script = format!(
        "set lazy 1\nset noise 0.02\nset sync_every 100000\n{script}\nlaunch 100\nsync\ncounts\nsettled\nseen"
    );
    let run = || {
        let seen = in_folder(folder, &script).run();
        assert_eq!(seen.seen("busy_loads", 0), 0.0);
        (
            seen.counts(0),
            seen.numbers("settled", 0)[0],
            seen.seen("regret", 0),
        )
    };
    (0..runs).map(|_| run()).collect()
}

#[test]
fn a_program_that_queues_all_its_launches_settles_run_by_run() {
    let folder = TempDir::new().expect("no folder");
    let runs = queued(&folder, "versions 2\ntime 1 130\ntime 2 60", 16);
    let (counts, settled, _) = runs.last().expect("no run");
    assert!(counts[2] > 95 && *settled == 1, "{runs:?}");
    // No trial of any run costs more than is promised, but for what nobody knew before.
    assert!(runs.iter().all(|r| r.2 < 0.03), "{runs:?}");
    // What is settled is one file, and what was known before is gone.
    let left: Vec<_> = entries(&folder)
        .iter()
        .map(|p| p.extension().map(|e| e.to_owned()))
        .collect();
    assert_eq!(left, [Some("json".into())]);
}

#[test]
fn a_slow_version_is_rejected_once_for_all_runs() {
    let folder = TempDir::new().expect("no folder");
    let runs = queued(&folder, "time 1 150", 10);
    let of_version: i64 = runs.iter().map(|r| r.0[1]).sum();
    assert!(
        runs.last().expect("no run").1 == 1 && of_version <= 6,
        "{runs:?}"
    );
}

#[test]
fn what_an_earlier_process_left_of_trials_may_be_anything() {
    let folder = TempDir::new().expect("no folder");
    queued(&folder, "time 1 97", 4);
    let path = entries(&folder).remove(0);
    assert_eq!(path.extension().and_then(|e| e.to_str()), Some("open"));
    let whole = fs::read(&path).expect("no entry");
    for n in (0..whole.len()).step_by(9) {
        fs::write(&path, &whole[..n]).expect("cannot write");
        let seen = in_folder(&folder, FIRST).with("MESI_CHOICE", "cache").run();
        assert_eq!(seen.errors, "");
        let mut other = whole.clone();
        other[n] ^= 1;
        fs::write(&path, &other).expect("cannot write");
        assert!(is_miss(&in_folder(&folder, FIRST).run()), "{n}");
    }
}

#[test]
fn times_of_seconds_are_kept_whole() {
    // Cut off, K's time would be a tenth, and the first launch of the version would look ten times as slow.
    let folder = TempDir::new().expect("no folder");
    let runs = queued(&folder, "time 0 2000000\ntime 1 1000000", 8);
    assert!(runs.last().expect("no run").0[1] > 90, "{runs:?}");
}
