//! The first launches of a kind that is not large cost next to nothing: what they ask is counted.

use mesi_rt_tests::{Scenario, Seen, Variant};

const SMALL: &str = "set small 1\ntime 1 70\nset noise 0.02\nset sync_every 1\n";

fn run(script: &str) -> Seen {
    Scenario::new(&format!("{SMALL}{script}")).run()
}

/// Calls of the runtime and the driver beside launches, variables asked for, files opened, pages asked for.
fn asked(seen: &Seen, n: usize) -> [f64; 4] {
    ["calls", "variables", "files", "maps"].map(|name| seen.seen(name, n))
}

#[test]
fn eleven_launches_of_a_new_process_ask_for_three_variables() {
    // MESI_CHOICE, MESI_GRAPHS, MESI_REPORT: a wrong value of each is said at once. Whether anything was tuned the process asked when it was loaded.
    for more in [
        "",
        "set stream 5\n",
        "set stream 5\ncapture 1\n",
        "set flags 1\n",
        "reshapes 1\n",
        "versions 4\n",
        "set lazy 1\n",
        "set events 4\n",
        "error 700\n",
        "set attributes 0\n",
        "set sound 0\n",
        "set grid 0\n",
    ] {
        let seen = run(&format!("{more}launch 11\nseen\ncounts\nlast_error"));
        assert_eq!(asked(&seen, 0), [0.0, 3.0, 0.0, 0.0], "{more}");
        let launched = seen.counts(0)[0] + seen.seen("captured", 0) as i64;
        assert_eq!(launched, 11, "{more}");
        let error = if more.starts_with("error") { 700 } else { 0 };
        assert_eq!(seen.numbers("last_error", 0), [error], "{more}");
    }
}

#[test]
fn the_twelfth_asks() {
    let folder = tempfile::TempDir::new().expect("no folder");
    let path = folder.path().to_str().expect("not UTF-8");
    let script = format!("{SMALL}launch 11\nforget\nlaunch 1\nseen");
    let seen = Scenario::new(&script).with("MESI_CACHE_DIR", path).run();
    let [calls, variables, files, maps] = asked(&seen, 0);
    assert!(calls > 20.0 && variables > 3.0, "{calls} {variables}");
    // What the class settled on, and what one knew that had not settled.
    assert_eq!((files, maps), (2.0, 0.0));
    // It is the first that is timed.
    assert_eq!(seen.seen("records", 0), 2.0);
}

#[test]
fn a_kind_is_counted_anew_once_others_are_settled() {
    // Which context it is, and no more.
    let seen = run("launch 300\nsettled\nset scalar 5000\nforget\nlaunch 11\nseen\nclasses");
    assert_eq!(seen.numbers("settled", 0), [1]);
    assert_eq!(asked(&seen, 0), [11.0, 0.0, 0.0, 0.0]);
    assert_eq!(seen.numbers("classes", 0), [1]);
}

#[test]
fn a_settled_launch_asks_for_the_context_and_whether_a_stream_captures() {
    for (more, calls) in [
        ("time 1 150\nset stream 5\n", 10.0),
        ("", 10.0),
        ("set stream 5\n", 20.0),
        // K, where one of two versions may run.
        ("versions 2\ntime 1 150\nset sound 2\nset stream 5\n", 10.0),
        // Where nothing else may run, K's limits are of no interest.
        ("set sound 0\nset stream 5\n", 10.0),
    ] {
        let seen = run(&format!("{more}launch 300\nforget\nlaunch 10\nseen"));
        assert_eq!(asked(&seen, 0), [calls, 0.0, 0.0, 0.0], "{more}");
    }
}

#[test]
fn what_was_counted_is_learnt_from() {
    // The same as if the class had been there from the first launch on.
    let all = Scenario::new(&format!("{SMALL}trace 30\nlaunch 270\ncounts\nsettled")).run();
    assert_eq!(all.numbers("trace", 0)[..12], [0; 12]);
    assert!(all.counts(0)[1] > 150);
    assert_eq!(all.numbers("settled", 0), [1]);
}

#[test]
fn launches_of_all_devices_count_and_each_device_learns_for_itself() {
    let seen = run(
        "launch 300\ncounts\nset device 1\nforget\nlaunch 11\ncounts\nseen\nlaunch 300\ncounts\nclasses",
    );
    assert!(seen.counts(0)[1] > 150);
    assert_eq!(seen.counts(1)[..2], [11, 0]);
    assert_eq!(seen.seen("records", 0), 0.0);
    assert!(seen.counts(2)[1] > 150);
    assert_eq!(seen.numbers("classes", 0), [2]);
}

#[test]
fn a_device_that_is_reset_while_launches_are_counted_is_no_trouble() {
    for at in [3, 11, 12, 13, 20] {
        let seen = run(&format!("launch {at}\nreset\nlaunch 400\nseen\ncounts"));
        assert_eq!(seen.seen("stale", 0), 0.0, "{at}");
        assert!(seen.counts(0)[1] > 200, "{at}");
    }
}

#[test]
fn captured_launches_are_ks_before_and_after_the_driver_is_known() {
    let script = "set stream 5\nlaunch 5\ncapture 1\nlaunch 20\ncapture 0\nseen\nlaunch 400\ncounts\ncapture 1\nlaunch 20\nseen";
    let seen = run(script);
    assert_eq!(seen.seen("captured", 1), 40.0);
    assert_eq!(seen.seen("captured_versions", 1), 0.0);
    assert!(seen.counts(0)[1] > 200);
}

#[test]
fn a_child_after_fork_measures_nothing() {
    for at in [1, 5, 11, 12] {
        let seen = run(&format!("launch {at}\nfork 500\nlaunch 300\ncounts"));
        assert_eq!(seen.numbers("child", 0), [0], "{at}");
        assert!(seen.counts(0)[1] > 150, "{at}");
    }
}

#[test]
fn modes_that_need_no_measurements_choose_at_once() {
    let script = "set small 1\nset pays 2\ntrace 2";
    for (mode, trace) in [("prior", 1), ("pin:_Z1kPfi=1", 1), ("off", 0)] {
        let seen = Scenario::new(script).with("MESI_CHOICE", mode).run();
        assert_eq!(seen.numbers("trace", 0), [trace; 2], "{mode}");
    }
    // In another kernel's place nothing is pinned.
    let script = "set small 1\nlaunch 11\nseen";
    let seen = Scenario::new(script).with("MESI_CHOICE", "pin:other=1");
    assert_eq!(seen.run().seen("calls", 0), 0.0);
    let seen = Scenario::new("launch 50\nseen").with("MESI_CHOICE", "off");
    assert_eq!(asked(&seen.run(), 0), [0.0, 2.0, 0.0, 0.0]);
}

#[test]
fn the_report_shows_kinds_of_few_launches() {
    let folder = tempfile::TempDir::new().expect("no folder");
    let path = folder.path().to_str().expect("not UTF-8");
    let report = |script: &str| {
        let scenario = Scenario::new(&format!("{SMALL}{script}")).with("MESI_REPORT", "1");
        scenario.with("MESI_CACHE_DIR", path).run().errors
    };
    let text = report("launch 7\nset block 32\nlaunch 3");
    for part in [
        "blocks 64x1x1, grid like 100x1x1, 0 bytes dynamic: 7 launches of _Z1kPfi (learning), trials cost 0 us",
        "blocks 32x1x1, grid like 100x1x1, 0 bytes dynamic: 3 launches of _Z1kPfi (learning), trials cost 0 us",
        &format!("choices are kept in {path};"),
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Each launch once.
    for launches in [12, 13, 14, 40] {
        let text = report(&format!("launch {launches}"));
        assert!(
            text.contains(&format!("{launches} launches of _Z1kPfi")),
            "{text}"
        );
        let text = report(&format!("set sound 0\nlaunch {launches}"));
        assert!(
            text.contains(&format!("  {launches} launches of the kernel as it is")),
            "{text}"
        );
    }
}

#[test]
fn kinds_that_there_is_no_room_for_are_ks() {
    let mut script = String::new();
    for i in 0..45 {
        script += &format!("set block {}\nlaunch 200\n", 32 + i);
    }
    let seen = run(&(script + "classes\nforget\nlaunch 50\ncounts\nseen"));
    assert_eq!(seen.numbers("classes", 0), [32]);
    assert_eq!(seen.counts(0)[..2], [50, 0]);
    assert_eq!(asked(&seen, 0), [50.0, 0.0, 0.0, 0.0]);
}

#[test]
fn threads_that_launch_at_the_same_time_find_the_same() {
    let script = "versions 3\nset small 1\nset noise 0.02\ntime 1 70\nthreads 8 3000\nseen\ncounts";
    let seen = Scenario::new(script).run();
    assert_eq!(seen.counts(0).iter().sum::<i64>(), 8 * 3000);
    assert_eq!(seen.seen("unsound", 0), 0.0);
}

#[test]
fn what_a_first_launch_costs_the_host() {
    for (name, script) in [
        ("not large", "set small 1\nset quick 1\nbench_first 300"),
        ("large, not settled", "set quick 1\nbench_first 300"),
        (
            "large, not settled, on a stream",
            "set stream 5\nset quick 1\nbench_first 300",
        ),
    ] {
        let seen = Scenario::new(script).variant(Variant::Timed).run();
        let all = seen.all("bench_first");
        let of = |i: usize| all[0][i].parse::<f64>().expect("not a number");
        let [first, next] = [of(0) - of(2), of(1) - of(2)];
        println!(
            "{name}: {first:.0} ns beyond the process's first launch, {next:.0} ns beyond each of the next ten"
        );
        assert!(next < 2000.0);
    }
}
