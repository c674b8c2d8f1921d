//! What the program does that a choice must not disturb.

use mesi_rt_tests::Scenario;

const PRIOR: &str = "time 1 50\nset pays 2\nset sync_every 1\n";
const LEARN: &str = "time 1 70\nset noise 0.02\nset sync_every 1\n";

#[test]
fn captured_launches_are_ks() {
    let script = format!(
        "{PRIOR}set stream 5\nlaunch 5\ncapture 1\nlaunch 20\ncapture 0\nseen\nlaunch 400\ncapture 1\nlaunch 20\nseen"
    );
    let seen = Scenario::new(&script).run();
    assert_eq!(seen.seen("captured", 1), 40.0);
    assert_eq!(seen.seen("captured_versions", 1), 0.0);
    // With each thread's own default stream, 0 may record.
    let script = format!(
        "set flags 1\n{PRIOR}launch 600\nset stream 2\ncapture 1\nset stream 0\nlaunch 20\nseen\nlast_error"
    );
    let seen = Scenario::new(&script).run();
    assert_eq!(seen.seen("captured", 0), 20.0);
    assert_eq!(seen.seen("captured_versions", 0), 0.0);
    assert_eq!(seen.numbers("last_error", 0), [0]);
}

#[test]
fn graphs_take_settled_versions_if_asked() {
    let script = format!("{PRIOR}set stream 5\nlaunch 2000\nsettled\ncapture 1\nlaunch 20\nseen");
    let seen = Scenario::new(&script).with("MESI_GRAPHS", "1").run();
    assert_eq!(seen.seen("captured_versions", 0), 20.0);
    // Those that do not test themselves never.
    let script = format!("relies 1\n{script}");
    let seen = Scenario::new(&script).with("MESI_GRAPHS", "1").run();
    assert_eq!(seen.seen("captured", 0), 20.0);
    assert_eq!(seen.seen("captured_versions", 0), 0.0);
    // Nor in other blocks.
    let script = "reshapes 1\ntime 6 50\nset pays 64\nset sync_every 1\nset stream 5\nlaunch 2000\ncapture 1\nlaunch 20\nseen";
    let seen = Scenario::new(script).with("MESI_GRAPHS", "1").run();
    assert_eq!(seen.seen("captured", 0), 20.0);
    assert_eq!(seen.seen("captured_versions", 0), 0.0);
}

#[test]
fn another_threads_capture_is_not_broken() {
    let script = format!("set lazy 1\n{LEARN}capture_elsewhere 1\nlaunch 500\nseen\ncounts");
    let seen = Scenario::new(&script).run();
    assert_eq!(seen.seen("broken", 0), 0.0);
    assert!(seen.counts(0)[1] > 300);
}

#[test]
fn pending_errors_stay_and_nothing_is_measured() {
    let script = format!("{LEARN}error 700\nlaunch 500\nseen\nlast_error\ncounts");
    let seen = Scenario::new(&script).run();
    assert_eq!(seen.seen("records", 0), 0.0);
    assert_eq!(seen.numbers("last_error", 0), [700]);
    assert_eq!(seen.counts(0)[1], 0);
}

#[test]
fn the_last_error_is_never_touched() {
    for more in ["", "set events 1\n", "set events 2\n", "set events 3\n"] {
        let script = format!("{more}set lazy 1\n{LEARN}launch 2000\nlast_error");
        assert_eq!(
            Scenario::new(&script).run().numbers("last_error", 0),
            [0],
            "{more}"
        );
    }
}

#[test]
fn without_events_k_or_the_models_choice_stays() {
    for events in 1..=4 {
        let script = format!("set events {events}\n{LEARN}launch 500\ncounts\nseen");
        let seen = Scenario::new(&script).run();
        assert_eq!(seen.counts(0)[..2], [500, 0], "{events}");
        // Not tried again and again.
        assert!(seen.seen("records", 0) <= 4.0 && seen.seen("events", 0) <= 4.0);
        let script = format!("set events {events}\n{PRIOR}launch 500\ncounts");
        let counts = Scenario::new(&script).run().counts(0);
        assert!(counts[1] >= 498, "{events} {counts:?}");
    }
}

#[test]
fn each_device_has_its_own_choice() {
    // The version is faster on both; the second device's launches are a class of their own.
    let script = format!(
        "{LEARN}launch 300\ncounts\nset device 1\nforget\nlaunch 7\ncounts\nlaunch 300\ncounts\nclasses"
    );
    let seen = Scenario::new(&script).run();
    assert!(seen.counts(0)[1] > 150);
    assert_eq!(seen.counts(1)[1], 0);
    assert!(seen.counts(2)[1] > 150);
    assert_eq!(seen.numbers("classes", 0), [2]);
}

#[test]
fn events_of_a_device_that_was_reset_are_not_used() {
    for at in [3, 10, 55, 60, 70, 90] {
        let script = format!("{LEARN}launch {at}\nreset\nlaunch 500\nseen\ncounts");
        let seen = Scenario::new(&script).run();
        assert_eq!(seen.seen("stale", 0), 0.0, "{at}");
        assert!(seen.counts(0)[1] > 300, "{at}");
    }
}

#[test]
fn a_child_after_fork_measures_nothing() {
    let seen = Scenario::new(&format!("{LEARN}launch 55\nfork 500\nlaunch 300\ncounts")).run();
    assert_eq!(seen.numbers("child", 0), [0]);
    assert!(seen.counts(0)[1] > 150);
}

#[test]
fn samples_that_another_stream_overlapped_do_not_count() {
    let mut script = String::from("time 1 70\nset sync_every 100000\nset lazy 0\n");
    for i in 0..600 {
        script += &format!("set stream {}\nlaunch 1\n", 5 + i % 2);
    }
    let seen = Scenario::new(&(script + "counts\nseen")).run();
    assert_eq!(seen.counts(0)[1], 0);
}

#[test]
fn threads_default_streams_are_different_streams() {
    // All launches go to stream 0, which is another one in each thread: what one times, others overlap.
    let script = "set flags 1\ntime 1 70\nset thread_stream 0\nthreads 8 1000\ncounts\nseen";
    let seen = Scenario::new(script).run();
    assert_eq!(seen.counts(0).iter().sum::<i64>(), 8000);
    assert_eq!(seen.seen("stale", 0), 0.0);
}

#[test]
fn a_slow_host_is_not_taken_for_a_slow_kernel() {
    // Most of what lies between the events is the host's.
    let script =
        "time 0 20\ntime 1 14\nset host_launch 40000\nset sync_every 1\nlaunch 2000\ncounts";
    let seen = Scenario::new(script).run();
    assert_eq!(seen.counts(0)[1], 0);
}

#[test]
fn launches_that_no_version_may_run_are_ks() {
    let script = format!(
        "{PRIOR}launch 2000\nset sound 0\nforget\nlaunch 500\ncounts\nseen\nset sound 2\nlaunch 5\ncounts"
    );
    let seen = Scenario::new(&script).run();
    assert_eq!(seen.counts(0)[..2], [500, 0]);
    assert_eq!(seen.seen("unsound", 0), 0.0);
    assert!(seen.counts(1)[1] >= 4);
}

#[test]
fn soundness_is_asked_at_every_launch() {
    let mut script = String::from(PRIOR);
    for i in 0..400 {
        script += &format!("set sound {}\nlaunch 3\n", [2, 0, 7, 4][i % 4]);
    }
    let seen = Scenario::new(&("versions 3\n".to_owned() + &script + "seen")).run();
    assert_eq!(seen.seen("unsound", 0), 0.0);
}

#[test]
fn errors_of_a_version_are_not_the_programs() {
    let script = format!("refuse 1 209\n{PRIOR}returns\nreturns\nlaunch 300\ncounts\nlast_error");
    let seen = Scenario::new(&script).run();
    assert_eq!(
        [seen.numbers("returns", 0), seen.numbers("returns", 1)],
        [[0], [0]]
    );
    assert_eq!(seen.counts(0)[..2], [302, 0]);
    assert_eq!(seen.numbers("last_error", 0), [0]);
    // When settled, too.
    let script = format!(
        "{PRIOR}launch 2000\nrefuse 1 209\nforget\nreturns\nlaunch 300\ncounts\nlast_error"
    );
    let seen = Scenario::new(&script).run();
    assert_eq!(seen.counts(0)[..2], [301, 0]);
    assert_eq!(seen.numbers("last_error", 0), [0]);
}

#[test]
fn errors_of_k_are_the_programs() {
    let script = format!("{PRIOR}launch 2000\nrefuse 0 209\nrefuse 1 700\nreturns\nlast_error");
    let seen = Scenario::new(&script).run();
    assert_eq!(seen.numbers("returns", 0), [209]);
    assert_eq!(seen.numbers("last_error", 0), [209]);
}

#[test]
fn what_k_does_not_accept_is_ks() {
    for bad in [
        "set block 0",
        "set block 2048",
        "set block_y 17",
        "set grid 0",
        "set grid_y 65536",
        "set shared 50000",
        "set max_threads 32",
        "set max_dynamic 100\nset shared 200",
        "set abi 3",
    ] {
        let script = format!("{PRIOR}{bad}\nlaunch 20\ncounts");
        assert_eq!(Scenario::new(&script).run().counts(0)[1], 0, "{bad}");
    }
    let seen = Scenario::new(&format!("{PRIOR}null\nnull\ncounts")).run();
    assert_eq!(seen.counts(0)[..2], [2, 0]);
}

#[test]
fn no_room_for_a_versions_tiles_is_no_version() {
    // The versions have 4 KiB of their own.
    let seen = Scenario::new(&format!("{PRIOR}set shared 45057\nlaunch 20\ncounts")).run();
    assert_eq!(seen.counts(0)[1], 0);
    let seen = Scenario::new(&format!("{PRIOR}set shared 45056\nlaunch 20\ncounts")).run();
    assert!(seen.counts(0)[1] > 10);
    // Nor are there other blocks with dynamic shared memory.
    let seen =
        Scenario::new("reshapes 1\ntime 6 50\nset pays 64\nset shared 16\nlaunch 20\ncounts").run();
    assert_eq!(seen.counts(0)[6], 0);
}

#[test]
fn launches_with_attributes_are_ks() {
    let script = format!("{PRIOR}set attributes 1\nlaunch 300\ncounts\nseen");
    let seen = Scenario::new(&script).run();
    assert_eq!(seen.counts(0)[..2], [300, 0]);
    assert_eq!(seen.seen("attributes", 0), 300.0);
    let script = format!("{PRIOR}set attributes 0\nlaunch 300\ncounts");
    assert!(Scenario::new(&script).run().counts(0)[1] > 290);
}

#[test]
fn at_most_32_classes_are_kept() {
    let mut script = String::from(LEARN);
    for i in 0..45 {
        script += &format!("set block {}\nlaunch 200\n", 32 + i);
    }
    let seen = Scenario::new(&(script + "classes\nforget\nlaunch 50\ncounts")).run();
    assert_eq!(seen.numbers("classes", 0), [32]);
    assert_eq!(seen.counts(0)[..2], [50, 0]);
}

#[test]
fn classes_are_of_like_launches() {
    let script = format!(
        "{LEARN}set grid 100\nset scalar 1000\nlaunch 6\nset grid 90\nset scalar 900\nlaunch 6\nclasses\nset scalar 5000\nlaunch 12\nclasses"
    );
    let seen = Scenario::new(&script).run();
    assert_eq!(
        [seen.numbers("classes", 0), seen.numbers("classes", 1)],
        [[1], [2]]
    );
}
