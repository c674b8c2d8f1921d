//! Versions whose ids are folded have a launch of their own in place of the program's.

use mesi_rt_tests::{Scenario, Seen};

/// The second of two versions is folded, and twice as fast.
const FOLDS: &str = "versions 2\nfolds 2\ntime 1 120\ntime 2 50\nset sync_every 1\n";

fn run(script: &str) -> Seen {
    Scenario::new(&format!("{FOLDS}{script}")).run()
}

#[test]
fn a_folded_version_gets_its_own_launch_and_no_other_kernel_does() {
    for more in [
        "",
        "reshapes 1\ntime 6 60\n",
        "set pays 4\n",
        "set flags 1\n",
    ] {
        let seen = run(&format!("{more}launch 400\nseen\ncounts"));
        assert_eq!(seen.seen("unfolded", 0), 0.0, "{more}");
        assert_eq!(seen.seen("unsound", 0), 0.0, "{more}");
        assert!(seen.counts(0)[2] > 200, "{more}: {:?}", seen.counts(0));
    }
}

#[test]
fn it_is_no_candidate_in_other_blocks() {
    // As such it would be the fastest of all.
    let seen = run("reshapes 1\ntime 7 10\nlaunch 400\nseen\ncounts");
    assert_eq!(seen.counts(0)[7], 0);
    assert_eq!(seen.seen("unfolded", 0), 0.0);
}

#[test]
fn a_launch_that_cannot_be_folded_is_ks_or_another_versions() {
    let seen = run("set unfoldable 1\nlaunch 400\nseen\ncounts");
    assert_eq!(seen.counts(0)[2], 0);
    assert_eq!(seen.seen("unfolded", 0), 0.0);
    // It stops being one after it was settled.
    let seen = run("launch 400\nset unfoldable 1\nlaunch 100\nseen\ncounts");
    assert_eq!(seen.seen("unfolded", 0), 0.0);
    assert!(seen.counts(0)[0] >= 100, "{:?}", seen.counts(0));
    let seen = run("set shared 64\nlaunch 400\nseen\ncounts");
    assert_eq!(seen.counts(0)[2], 0);
}

#[test]
fn what_is_large_is_asked_of_the_programs_launch() {
    let first = "versions 1\nfolds 1\ntime 1 50\nset pays 2\n";
    let seen = Scenario::new(&format!("{first}launch 1\ncounts\nseen")).run();
    // A large one is asked about at once, another one is not; into the cache, which has nothing of the kernel, neither looks.
    assert_eq!(seen.counts(0)[..2], [0, 1]);
    assert!(seen.seen("calls", 0) > 20.0);
    assert_eq!(seen.seen("files", 0), 0.0);
    let small = format!("{first}set small 1\nlaunch 11\ncounts\nseen");
    let seen = Scenario::new(&small).run();
    assert_eq!(seen.counts(0)[..2], [0, 11]);
    assert_eq!(seen.seen("files", 0), 0.0);
    let unfoldable = format!("{first}set unfoldable 1\nlaunch 11\ncounts\nseen");
    let seen = Scenario::new(&unfoldable).run();
    assert_eq!(seen.counts(0)[..2], [11, 0]);
}

#[test]
fn of_those_that_surely_gain_the_first_of_the_last_launch_of_their_own_runs_first() {
    let sure = "versions 4\nfolds 6\nreshapes 1\nset pays 1022\n";
    let first_of = |script: &str| {
        let seen = Scenario::new(&format!("{sure}{script}launch 1\ncounts")).run();
        seen.counts(0).iter().position(|n| *n > 0)
    };
    assert_eq!(first_of(""), Some(2));
    // Of one that is launched in a way of its own, that.
    assert_eq!(first_of("set rewritten 4\nfolds 6\n"), Some(3));
    // What cannot be folded is launched as ever: in other blocks, if it can be.
    assert_eq!(first_of("set unfoldable 1\n"), Some(6));
    assert_eq!(first_of("set pays 2\n"), Some(1));
}

#[test]
fn a_trimmed_version_gets_its_list_and_no_other_kernel_does() {
    for more in ["", "set flags 1\n", "reshapes 1\ntime 6 60\n"] {
        let seen = run(&format!("trims 1\n{more}launch 400\nseen\ncounts"));
        assert_eq!(seen.seen("unlisted", 0), 0.0, "{more}");
        assert!(seen.counts(0)[2] > 200, "{more}: {:?}", seen.counts(0));
    }
}
