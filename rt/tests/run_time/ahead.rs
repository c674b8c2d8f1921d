//! First launches that are not large, and of large ones those whose own time says enough: the model's choice runs, and `K` waits until the launch that may be timed.

use mesi_rt_tests::{Scenario, Seen, Variant};

/// Grids of 100 blocks, of which one of 250 is just large: the model expects 160 us at least. It is sure of version 1.
const MIDDLE: &str =
    "set large_grid 250\nset pays 2\ntime 1 50\nset noise 0.02\nset sync_every 1\n";
/// One of 10 is just large: 4 ms.
const LARGE: &str = "set large_grid 10\nset pays 2\nset noise 0.02\nset sync_every 1\n";

fn run(script: &str) -> Seen {
    Scenario::new(script).run()
}

/// What launches ran, with `rule` left out if there is one.
fn trace(rule: Option<u32>, script: &str, launches: usize) -> Vec<i64> {
    let scenario = Scenario::new(&format!("{script}trace {launches}"));
    let scenario = scenario.variant(rule.map_or(Variant::Plain, Variant::Without));
    scenario.run().numbers("trace", 0).to_vec()
}

#[test]
fn what_the_model_is_sure_of_runs_and_k_with_the_twelfth() {
    let folder = tempfile::TempDir::new().expect("no folder");
    let path = folder.path().to_str().expect("not UTF-8");
    let scenario = Scenario::new(&format!("{MIDDLE}launch 11\nseen\ncounts"));
    let seen = scenario.with("MESI_CACHE_DIR", path).run();
    assert_eq!(seen.counts(0)[..2], [0, 11]);
    // Its first launch is timed, and the only file is the one that says whether anything was tuned.
    assert_eq!(seen.seen("records", 0), 2.0);
    assert!(seen.seen("files", 0) <= 1.0);
    let ran = trace(None, MIDDLE, 16);
    assert_eq!(ran[..14], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1]);
    assert_eq!(trace(Some(45), MIDDLE, 11), [0; 11]);
}

#[test]
fn k_runs_where_the_model_is_sure_of_nothing_that_may_run() {
    for less in ["set pays 0\n", "set sound 0\n"] {
        let script = format!("{MIDDLE}{less}");
        assert_eq!(trace(None, &script, 11), [0; 11], "{less}");
    }
    // K is expected to take 20 us, and that is all.
    let short = format!("{MIDDLE}set large_grid 2000\nset flags 4\n");
    assert_eq!(trace(None, &short, 11), [0; 11]);
    assert_eq!(trace(Some(48), &short, 1), [1]);
    // Of blocks whose warps are partly empty it does not know that much.
    let narrow = format!("{short}set block 40\n");
    assert_eq!(trace(None, &narrow, 11), [1; 11]);
    assert_eq!(trace(Some(50), &narrow, 11), [0; 11]);
    // How long K takes is not known.
    for less in ["set small 1\n", "set large_grid 500000\n"] {
        let script = format!("{MIDDLE}{less}");
        assert_eq!(trace(None, &script, 11), [1; 11], "{less}");
    }
}

#[test]
fn what_is_slower_than_k_is_dropped_by_the_first_comparison() {
    // 140 us by 100: little is at stake, and K comes with the twelfth.
    let slow = MIDDLE.replace("time 1 50", "time 1 140");
    let ran = trace(None, &slow, 30);
    assert_eq!(ran[..14], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0]);
    assert!(ran[14..].iter().all(|c| *c == 0), "{ran:?}");
    // More is at stake than what the model expects of K says: K comes next, and runs on.
    let slow = MIDDLE.replace("time 1 50", "time 0 400\ntime 1 550");
    let ran = trace(None, &slow, 30);
    assert_eq!(ran[..12], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert!(ran.iter().filter(|c| **c != 0).count() <= 2, "{ran:?}");
    assert_eq!(trace(Some(47), &slow, 11), [1; 11]);
    assert_eq!(trace(Some(63), &slow, 5), [1, 0, 1, 1, 1]);
    // Or does not, and no file is asked for before the twelfth.
    let fast = slow.replace("time 1 550", "time 1 300");
    assert_eq!(trace(None, &fast, 6), [1, 0, 1, 1, 1, 1]);
    let folder = tempfile::TempDir::new().expect("no folder");
    let path = folder.path().to_str().expect("not UTF-8");
    let scenario = Scenario::new(&format!("{slow}launch 11\nseen"));
    let seen = scenario.with("MESI_CACHE_DIR", path).run();
    assert!(seen.seen("files", 0) <= 1.0);
    // The next kind of launches begins with K.
    let next = format!("{slow}launch 30\nset grid 200\n");
    assert_eq!(trace(None, &next, 11), [0; 11]);
}

#[test]
fn graphs_hold_k() {
    let script = format!(
        "{MIDDLE}set stream 5\ncapture 1\nlaunch 11\ncapture 0\nlaunch 5\ncapture 1\nlaunch 5\nseen"
    );
    let seen = run(&script);
    assert_eq!(seen.seen("captured_versions", 0), 0.0);
    let script = format!("{MIDDLE}set stream 5\nlaunch 5\ncapture 1\nlaunch 20\nseen\ncounts");
    let seen = run(&script);
    assert_eq!(seen.seen("captured_versions", 0), 0.0);
    assert_eq!(seen.counts(0)[1], 5);
}

#[test]
fn no_code_is_loaded_while_work_is_unfinished() {
    let script = format!("{MIDDLE}set lazy 1\nset sync_every 100000\n");
    let seen = run(&format!("{script}launch 3000\nseen\ncounts"));
    assert_eq!(seen.seen("busy_loads", 0), 0.0);
    assert!(seen.counts(0)[1] > 2000, "{:?}", seen.counts(0));
}

#[test]
fn what_an_earlier_process_settled_on_is_known_from_the_twelfth_on() {
    let folder = tempfile::TempDir::new().expect("no folder");
    let path = folder.path().to_str().expect("not UTF-8");
    let slow = MIDDLE.replace("time 1 50", "time 1 130");
    let of = |script: &str| {
        let scenario = Scenario::new(&format!("{slow}{script}"));
        scenario.with("MESI_CACHE_DIR", path).run()
    };
    assert_eq!(of("launch 500\nsettled").numbers("settled", 0), [1]);
    let ran = of("trace 14").numbers("trace", 0).to_vec();
    assert_eq!(ran, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0]);
    // Where K has to be compared earlier, from there on.
    let slow = MIDDLE.replace("time 1 50", "time 0 400\ntime 1 560");
    let of = |script: &str| {
        let scenario = Scenario::new(&format!("{slow}{script}"));
        scenario.with("MESI_CACHE_DIR", path).run()
    };
    assert_eq!(of("launch 500\nsettled").numbers("settled", 0), [1]);
    assert_eq!(
        of("set grid 120\ntrace 5").numbers("trace", 0),
        [1, 0, 0, 0, 0]
    );
}

#[test]
fn where_nothing_can_be_measured_the_model_has_the_last_word() {
    let script = format!("{MIDDLE}set events 4\n");
    assert_eq!(trace(None, &script, 20), [1; 20]);
    let seen = run(&format!("{script}launch 20\nsettled"));
    assert_eq!(seen.numbers("settled", 0), [1]);
}

#[test]
fn a_version_that_is_refused_is_k_and_not_used_again() {
    let seen = run(&format!(
        "{MIDDLE}refuse 1 209\nlaunch 30\ncounts\nlast_error"
    ));
    assert_eq!(seen.counts(0)[..2], [30, 0]);
    assert_eq!(seen.numbers("last_error", 0), [0]);
}

#[test]
fn blocks_that_k_does_not_accept_are_ks_error() {
    // K was never launched: its code is loaded to ask how large its blocks may be.
    for lazy in ["", "set lazy 1\n"] {
        let script = format!("{MIDDLE}{lazy}set block 1024\nlaunch 5\ncounts");
        assert_eq!(run(&script).counts(0)[1], 5, "{lazy}");
        let script = format!("{MIDDLE}{lazy}set max_threads 512\nset block 1024\nlaunch 5\ncounts");
        assert_eq!(run(&script).counts(0)[1], 0, "{lazy}");
    }
}

#[test]
fn of_a_large_launch_k_waits_if_the_versions_own_time_says_enough() {
    // 4 ms are expected.
    for (times, first) in [
        ("time 0 4000\ntime 1 900\n", [1; 11].as_slice()),
        ("time 0 4000\ntime 1 2300\n", [1, 0, 1, 1].as_slice()),
        ("time 0 1000\ntime 1 2300\n", [1, 0, 1, 0].as_slice()),
        // It takes less than was expected, and K, too.
        ("time 0 500\ntime 1 900\n", [1; 11].as_slice()),
    ] {
        let script = format!("{LARGE}{times}");
        let ran = trace(None, &script, 20);
        assert_eq!(ran[..first.len()], *first, "{times} {ran:?}");
    }
    let good = format!("{LARGE}time 0 4000\ntime 1 900\n");
    assert_eq!(trace(None, &good, 15)[11..], [0, 1, 1, 1]);
    // A rule less, and K runs next; another, and it waits whatever the time was.
    assert_eq!(trace(Some(46), &good, 3), [1, 0, 1]);
    let bad = format!("{LARGE}time 0 1000\ntime 1 2300\n");
    assert_eq!(trace(Some(47), &bad, 11), [1; 11]);
    // The host takes longer to launch it than it takes: so it takes less than what is measured.
    let short = format!("{LARGE}set host_launch 60000\ntime 0 4000\ntime 1 100\n");
    assert_eq!(trace(None, &short, 11), [1; 11]);
    // Where what is expected is all that K takes, K waits for nothing less than that.
    let less = format!("{LARGE}set large_grid 100\ntime 0 500\ntime 1 240\n");
    assert_eq!(trace(None, &less, 11), [1; 11]);
    assert_eq!(trace(None, &format!("{less}set flags 4\n"), 3), [1, 0, 1]);
    // Where the grid does not count it is large, and no more is known.
    let large = "set pays 2\nset noise 0.02\nset sync_every 1\ntime 0 4000\n";
    assert_eq!(trace(None, &format!("{large}time 1 140\n"), 11), [1; 11]);
    assert_eq!(trace(None, &format!("{large}time 1 600\n"), 3), [1, 0, 1]);
}

#[test]
fn a_large_launch_whose_time_is_not_known_at_the_next_has_k_there() {
    // The program queues its launches, and has run for too short a time for a wait.
    let script = format!("{LARGE}time 0 4000\ntime 1 900\nset sync_every 100000\nset ran 1000\n");
    assert_eq!(trace(None, &script, 3), [1, 0, 1]);
    // With time to wait.
    let script =
        format!("{LARGE}time 0 4000\ntime 1 900\nset sync_every 100000\nset ran 100000000000\n");
    assert_eq!(trace(None, &script, 11), [1; 11]);
}

#[test]
fn what_its_first_pair_does_not_speak_for_is_k_until_it_is_proven() {
    // Slower by a tenth, which one pair does not prove; three times of K do.
    let script = format!("{MIDDLE}set noise 0\ntime 0 100\ntime 1 110\n");
    let late = |rule| {
        let ran = trace(rule, &script, 50);
        ran[25..].iter().sum::<i64>()
    };
    let of = [late(None), late(Some(51))];
    assert!(of[0] < 6 && of[1] > 8, "{of:?}");
    // What gains as much goes on.
    let script = format!("{MIDDLE}set noise 0\ntime 0 110\ntime 1 100\n");
    assert!(trace(None, &script, 50)[25..].iter().sum::<i64>() > 13);
}

#[test]
fn what_cannot_be_timed_is_k() {
    // The GPU waits for the host, which takes longer to launch than the kernel: no sample counts.
    let script = format!("{MIDDLE}set host_launch 60000\ntime 0 45\ntime 1 90\n");
    let late = |rule| trace(rule, &script, 4000)[3900..].iter().sum::<i64>();
    let of = [late(None), late(Some(51))];
    assert!(of[0] <= 2 && of[1] >= 98, "{of:?}");
    // What it takes at most says that it gains.
    let script = script.replace("time 1 90", "time 1 30") + "set large_grid 101\n";
    let ran = trace(None, &script, 4000);
    assert!(ran[3900..].iter().sum::<i64>() >= 98);
}
