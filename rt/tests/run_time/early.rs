//! Launches that take long though the model is sure of no version: `K` is timed as soon as that may be known, and one version, before launches are compared.

use mesi_rt_tests::{Scenario, Seen, Variant};

/// Launches that the program waits for, of which the model says nothing: 2 ms by `K`.
const LONG: &str = "set small 1\nset noise 0.02\nset sync_every 1\ntime 0 2000\n";
/// It knows that `K` takes 4 ms.
const LARGE: &str = "set large_grid 10\nset noise 0.02\nset sync_every 1\ntime 0 4000\n";

fn trace(rule: Option<u32>, script: &str, launches: usize) -> Vec<i64> {
    let scenario = Scenario::new(&format!("{script}trace {launches}"));
    let scenario = scenario.variant(rule.map_or(Variant::Plain, Variant::Without));
    scenario.run().numbers("trace", 0).to_vec()
}

fn run(script: &str) -> Seen {
    Scenario::new(script).run()
}

#[test]
fn a_version_is_tried_at_the_fourth_launch_and_stays_if_it_is_faster() {
    let fast = format!("{LONG}time 1 500\n");
    let ran = trace(None, &fast, 40);
    assert_eq!(ran[..12], [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
    assert!(ran[12..].iter().all(|c| *c == 1), "{ran:?}");
    let little = format!("{LONG}set noise 0\ntime 1 1780\n");
    assert_eq!(trace(None, &little, 6), [0, 0, 0, 1, 1, 1]);
    let slow = format!("{LONG}time 1 2100\n");
    assert_eq!(trace(None, &slow, 11), [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(trace(Some(55), &slow, 11)[4..], [1; 7]);
    // One pause may be something else that the program has done.
    assert_eq!(trace(Some(56), &fast, 4), [0, 0, 1, 1]);
    // What takes more than three times as long is not tried again.
    let slow = format!("{LONG}time 1 7000\n");
    assert_eq!(trace(None, &slow, 500).iter().sum::<i64>(), 1);
}

#[test]
fn what_is_about_as_fast_leaves_its_place_to_the_next() {
    let of = |times: [u32; 4]| {
        let versions = (1..).zip(times).map(|(i, t)| format!("time {i} {t}\n"));
        format!("versions 4\n{LONG}{}", versions.collect::<String>())
    };
    let second = of([2100, 500, 500, 500]);
    assert_eq!(trace(None, &second, 11), [0, 0, 0, 1, 2, 2, 2, 2, 2, 2, 2]);
    assert_eq!(trace(Some(61), &second, 11)[4..], [0; 7]);
    // Three at most.
    let fourth = of([2100, 2000, 1950, 500]);
    assert_eq!(trace(None, &fourth, 11), [0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0]);
    // None behind one that takes a fourth longer.
    let slow = of([2550, 500, 500, 500]);
    assert_eq!(trace(None, &slow, 11)[3..6], [1, 0, 0]);
    assert_eq!(trace(Some(62), &slow, 11)[3..6], [1, 2, 2]);
    // All are compared later on.
    let ran = trace(None, &fourth, 600);
    assert!(ran[550..].iter().all(|c| *c == 4), "{ran:?}");
}

#[test]
fn the_last_that_has_a_launch_of_its_own_is_tried_first() {
    let script = format!("versions 4\nfolds 6\n{LONG}time 2 500\ntime 3 600\n");
    assert_eq!(trace(None, &script, 4)[3], 3);
}

#[test]
fn many_times_the_threads_that_fill_a_chip_are_tried_last() {
    // Twelve times as many threads as the program has: a million of these, or some thousand.
    let versions =
        format!("versions 2\nset rewritten 2\nfolds 2\n{LONG}time 1 1950\ntime 2 9000\n");
    let many = format!("{versions}set grid 20000\n");
    assert_eq!(trace(None, &many, 11)[3..], [1, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(trace(Some(68), &many, 4)[3], 2);
    assert_eq!(trace(None, &versions, 4)[3], 2);
}

#[test]
fn what_won_in_another_class_is_tried_first_and_what_lost_by_far_last() {
    let other = "set grid 5000\ntrace 4";
    let tried = |script: &str, rule: Option<u32>| {
        let scenario = Scenario::new(&format!("versions 3\n{LONG}{script}launch 400\n{other}"));
        let scenario = scenario.variant(rule.map_or(Variant::Plain, Variant::Without));
        scenario.run().numbers("trace", 0)[3]
    };
    let won = "time 1 2100\ntime 2 2100\ntime 3 500\n";
    assert_eq!([None, Some(64)].map(|rule| tried(won, rule)), [3, 1]);
    let lost = "time 1 7000\ntime 2 1990\ntime 3 1990\n";
    assert_eq!([None, Some(65)].map(|rule| tried(lost, rule)), [2, 0]);
}

#[test]
fn a_launch_that_the_model_takes_for_large_is_timed_at_once() {
    let fast = format!("{LARGE}set flags 4\ntime 1 1000\n");
    assert_eq!(trace(None, &fast, 11), [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(trace(Some(53), &fast, 11), [0; 11]);
    // Where the model knows no more than how long it takes at least, the program has to have waited for one.
    let fast = format!("{LARGE}time 1 1000\n");
    assert_eq!(trace(None, &fast, 11), [0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(trace(Some(59), &fast, 5), [0, 0, 0, 1, 1]);
    let queued = format!("{fast}set sync_every 100000\n");
    assert_eq!(trace(None, &queued, 11), [0; 11]);
    // It is none.
    let short = format!("{LARGE}set flags 4\ntime 0 100\ntime 1 50\n");
    assert_eq!(trace(None, &short, 11), [0; 11]);
    assert_eq!(trace(Some(54), &short, 11)[1..], [1; 10]);
}

#[test]
fn short_launches_are_k_and_nothing_is_asked() {
    for script in [
        // 100 us.
        "set small 1\nset noise 0.02\nset sync_every 1\ntime 1 50\n",
        // The program waits for none.
        "set small 1\nset sync_every 100000\ntime 0 2000\ntime 1 500\n",
        // The model knows how long K takes: 40 us, whatever the pauses say.
        "set large_grid 1000\nset flags 4\nset sync_every 1\ntime 0 2000\ntime 1 500\n",
    ] {
        assert_eq!(trace(None, script, 11), [0; 11], "{script}");
        let seen = run(&format!("{script}launch 11\nseen"));
        assert_eq!(seen.seen("records", 0), 0.0, "{script}");
    }
    let known = "set large_grid 1000\nset flags 4\nset sync_every 1\ntime 0 2000\ntime 1 500\n";
    assert_eq!(trace(Some(52), known, 11)[..4], [0, 0, 1, 1]);
    // It takes K for 160 us, and may be wrong by that if the program has waited twice.
    let known = "set large_grid 250\nset flags 4\nset sync_every 1\ntime 0 2000\ntime 1 500\n";
    assert_eq!(trace(None, known, 6), [0, 0, 0, 1, 1, 1]);
    assert_eq!(trace(Some(60), known, 11), [0; 11]);
    // K takes 300 us, for all that the pauses say.
    let script = "set small 1\nset sync_every 1\ntime 0 300\ntime 1 100\n";
    assert_eq!(trace(None, script, 11), [0; 11]);
}

#[test]
fn what_cannot_run_is_k() {
    let fast = format!("{LONG}time 1 500\n");
    let seen = run(&format!("{fast}refuse 1 209\nlaunch 30\ncounts"));
    assert_eq!(seen.counts(0)[..2], [30, 0]);
    let seen = run(&format!(
        "{fast}set stream 5\nlaunch 1\ncapture 1\nlaunch 9\ncapture 0\nlaunch 5\nseen"
    ));
    assert_eq!(seen.seen("captured_versions", 0), 0.0);
    assert_eq!(trace(None, &format!("{fast}set sound 0\n"), 11), [0; 11]);
}

#[test]
fn what_an_earlier_process_settled_on_runs_as_soon_as_anything_is_asked() {
    let folder = tempfile::TempDir::new().expect("no folder");
    let path = folder.path().to_str().expect("not UTF-8");
    let of = |script: &str| {
        let scenario = Scenario::new(&format!("{LONG}time 1 500\n{script}"));
        scenario.with("MESI_CACHE_DIR", path).run()
    };
    assert_eq!(of("launch 500\nsettled").numbers("settled", 0), [1]);
    assert_eq!(of("trace 6").numbers("trace", 0), [0, 0, 1, 1, 1, 1]);
}
