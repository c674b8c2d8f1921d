//! Several threads.

use mesi_rt_tests::{Scenario, Variant, program};

const SCRIPT: &str = "versions 3\nset noise 0.02\nset lazy 1\ntime 1 70\ntime 2 130\ntime 3 90\nthreads 8 3000\nseen\ncounts";

#[test]
fn eight_threads_launch_exactly_what_they_ask_for() {
    let seen = Scenario::new(SCRIPT).run();
    assert_eq!(seen.counts(0).iter().sum::<i64>(), 8 * 3000);
    assert_eq!(seen.seen("unsound", 0), 0.0);
}

#[test]
fn eight_threads_do_not_race() {
    if let Err(e) = program(Variant::ThreadSanitizer) {
        eprintln!("skipped, since ThreadSanitizer is not to be had: {e}");
        return;
    }
    let small = format!("set small 1\n{SCRIPT}");
    let others = format!("set pays 2\nreshapes 1\n{SCRIPT}");
    let ahead = format!("set pays 2\nset large_grid 250\n{SCRIPT}");
    for script in [SCRIPT, &small, &others, &ahead] {
        let scenario = Scenario::new(script).variant(Variant::ThreadSanitizer);
        let scenario = scenario.with("TSAN_OPTIONS", "halt_on_error=0 exitcode=66");
        let output = scenario.with("MESI_REPORT", "1").output();
        let errors = String::from_utf8_lossy(&output.stderr);
        if errors.contains("unexpected memory mapping") {
            eprintln!("skipped, since ThreadSanitizer does not run here");
            return;
        }
        assert!(
            output.status.success() && !errors.contains("WARNING"),
            "{errors}"
        );
    }
}
