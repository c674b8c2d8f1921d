//! Versions that run several blocks of their kernel in one are launched with a part of dynamic shared memory for each.

use mesi_rt_tests::{Scenario, Seen};

/// The version takes four times as much as the launch.
const PARTS: &str = "parts 4\ntime 1 50\nset pays 2\nset sync_every 1\n";

fn run(script: &str) -> Seen {
    Scenario::new(&format!(
        "{PARTS}{script}launch 100\nseen\ncounts\nlast_error"
    ))
    .run()
}

#[test]
fn each_part_begins_at_16_bytes_and_k_has_what_the_program_gave_it() {
    for (shared, all) in [(0, 0), (4, 64), (1024, 4096), (1028, 4160), (11264, 45056)] {
        for more in ["", "set flags 1\n"] {
            let seen = run(&format!("{more}set shared {shared}\nset noise 0.01\n"));
            assert!(seen.counts(0)[1] > 50, "{:?}", seen.counts(0));
            assert_eq!(seen.seen("shared", 0), f64::from(all));
            // What all kernels have is not asked for.
            assert_eq!(seen.seen("allowed", 0), 0.0);
        }
        let k = Scenario::new(&format!(
            "parts 4\nset sound 0\nset shared {shared}\nlaunch 9\nseen"
        ));
        assert_eq!(k.run().seen("shared_of_k", 0), f64::from(shared));
    }
}

#[test]
fn a_version_with_a_launch_of_its_own_has_them_too() {
    let seen = run("folds 1\nset shared 1028\n");
    assert!(seen.counts(0)[1] > 50, "{:?}", seen.counts(0));
    assert_eq!(seen.seen("shared", 0), 4160.0);
    assert_eq!(seen.seen("unfolded", 0), 0.0);
}

#[test]
fn more_than_all_kernels_have_is_asked_for() {
    for more in ["", "set lazy 1\n", "set lazy 1\ncapture_elsewhere 1\n"] {
        let seen = run(&format!("{more}set shared 16384\n"));
        assert!(seen.counts(0)[1] > 50, "{more}: {:?}", seen.counts(0));
        assert_eq!(seen.seen("shared", 0), 65536.0);
        assert!(seen.seen("allowed", 0) > 0.0);
        assert_eq!(seen.seen("broken", 0), 0.0, "{more}");
        assert_eq!(seen.numbers("last_error", 0), [0]);
    }
    // A context that is new has not allowed it.
    let seen = run("set shared 16384\nlaunch 50\nreset\n");
    assert!(seen.counts(0)[1] > 100, "{:?}", seen.counts(0));
}

#[test]
fn what_the_device_does_not_have_is_ks() {
    // 4 times 48 KiB and its own 4 KiB fit the larger device alone.
    for (most, version) in [
        (200_704, true),
        (200_703, false),
        (101_376, false),
        (0, false),
    ] {
        let seen = run(&format!("set most_shared {most}\nset shared 49152\n"));
        assert_eq!(seen.counts(0)[1] > 50, version, "{most}");
        assert!(version || seen.counts(0)[0] == 100);
        assert_eq!(seen.numbers("last_error", 0), [0]);
    }
    // Nor is what only K was allowed.
    let seen = run("set max_dynamic 65536\nset shared 49168\n");
    assert_eq!(seen.counts(0)[..2], [100, 0]);
}

#[test]
fn a_launch_whose_memory_is_refused_is_ks_and_leaves_no_error() {
    let seen = run("set disallows 1\nset shared 16384\n");
    assert_eq!(seen.counts(0)[..2], [100, 0]);
    assert_eq!(seen.numbers("last_error", 0), [0]);
    assert_eq!(seen.seen("shared_of_k", 0), 16384.0);
    // An error of the program's stays.
    let seen = run("set disallows 1\nset shared 16384\nerror 700\n");
    assert_eq!(seen.numbers("last_error", 0), [700]);
}

#[test]
fn graphs_hold_none_since_their_memory_may_be_given_anew() {
    let script =
        format!("{PARTS}set shared 64\nset stream 5\nlaunch 2000\ncapture 1\nlaunch 20\nseen");
    let seen = Scenario::new(&script).with("MESI_GRAPHS", "1").run();
    assert_eq!(seen.seen("captured", 0), 20.0);
    assert_eq!(seen.seen("captured_versions", 0), 0.0);
}
