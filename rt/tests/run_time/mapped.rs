//! Versions whose copies read what their kernel may not run where the driver says that all of it is memory.

use mesi_rt_tests::{Scenario, Seen};

/// An allocation of 4096 bytes, of which the version reads 1024.
const MEMORY: &str = "maps 1\ntime 1 50\nset pays 2\nset sync_every 1\nset start 65536\nset bytes 4096\nset access 3\n\
                      set low 66560\nset high 67584\n";

fn run(script: &str) -> Seen {
    Scenario::new(&format!(
        "{MEMORY}{script}launch 100\nseen\ncounts\nlast_error"
    ))
    .run()
}

/// Whether the version runs; what ran besides is K, and there is no error.
fn serves(script: &str) -> bool {
    let seen = run(script);
    let counts = seen.counts(0);
    assert_eq!(seen.numbers("last_error", 0), [0], "{script}");
    assert!(counts[1] > 50 || counts[0] == 100, "{script}: {counts:?}");
    counts[1] > 50
}

#[test]
fn it_runs_where_all_that_it_reads_lies_in_one_allocation() {
    assert!(serves(""));
    // From its first byte, and up to its last.
    assert!(serves("set low 65536\nset high 69632\n"));
    assert!(!serves("set low 65535\n"));
    assert!(!serves("set high 69633\n"));
    assert!(!serves("set low 0\nset high 2\n"));
    // What it reads begins behind the end.
    assert!(!serves("set low 69632\nset high 69640\n"));
    // Its end is before its beginning: numbers that went beyond 64 bits would look so.
    assert!(!serves("set low 67584\nset high 66560\n"));
    assert!(serves("set flags 1\n"));
}

#[test]
fn what_is_not_known_is_no_memory() {
    for unknown in [
        "set access 0\n",
        "set access 2\n",
        "set bytes 0\n",
        "set untold 1\n",
        "set lacks 1\n",
        "set lacks 2\n",
        "set lacks 4\n",
        "set events 4\n",
    ] {
        assert!(!serves(unknown), "{unknown}");
    }
    assert!(serves("set access 1\n"));
    // What would fail for an address that is none is not asked of it: a tool would show the error as the program's.
    assert_eq!(run("set bytes 0\n").seen("asked", 0), 0.0);
    // An error of the program's stays.
    let seen = run("set bytes 0\nerror 700\n");
    assert_eq!(seen.numbers("last_error", 0), [700]);
}

#[test]
fn it_is_asked_of_each_launch_and_last() {
    let shrinks = "set bytes 16\nlaunch 100\ncounts\nset bytes 4096\nlaunch 100\ncounts";
    let seen = Scenario::new(&format!("{MEMORY}launch 500\ncounts\n{shrinks}")).run();
    let of: Vec<i64> = (0..3).map(|k| seen.counts(k)[1]).collect();
    assert!(
        of[0] > 450 && of[1] == of[0] && of[2] > of[1] + 50,
        "{of:?}"
    );
    // Where its other facts do not hold the driver is not asked.
    let seen = run("set sound 0\n");
    assert_eq!(seen.seen("asked", 0), 0.0);
    assert!(run("").seen("asked", 0) > 50.0);
}

#[test]
fn it_may_be_asked_while_a_stream_records_a_graph() {
    for more in ["capture_elsewhere 1\n", "set stream 5\ncapture 1\n"] {
        let seen = run(more);
        assert_eq!(seen.seen("broken", 0), 0.0, "{more}");
        assert_eq!(seen.numbers("last_error", 0), [0], "{more}");
    }
}
