//! Versions that keep arrays of each thread in dynamic shared memory are launched with as much as their block's threads
//! have, in whole warps.

use mesi_rt_tests::{Scenario, Seen};

fn run(script: &str) -> Seen {
    Scenario::new(&format!(
        "per_thread 64\ntime 1 50\nset pays 2\nset sync_every 1\n{script}launch 100\nseen\ncounts\nlast_error"
    ))
    .run()
}

#[test]
fn a_block_has_memory_for_whole_warps() {
    for (block, all) in [
        ([64, 1], 4096),
        ([33, 1], 4096),
        ([7, 5], 4096),
        ([1, 1], 2048),
    ] {
        let [x, y] = block;
        let seen = run(&format!("set block {x}\nset block_y {y}\nset noise 0.01\n"));
        assert!(seen.counts(0)[1] > 50, "{block:?}: {:?}", seen.counts(0));
        assert_eq!(seen.seen("shared", 0), f64::from(all));
        assert_eq!(seen.seen("allowed", 0), 0.0);
    }
    // K has what the program gave it.
    let k = run("set sound 0\n");
    assert_eq!(k.seen("shared_of_k", 0), 0.0);
}

#[test]
fn large_blocks_have_it_where_the_device_has() {
    let large = "set block 1024\n";
    let seen = run(large);
    assert!(seen.counts(0)[1] > 50, "{:?}", seen.counts(0));
    assert_eq!(seen.seen("shared", 0), 65536.0);
    assert!(seen.seen("allowed", 0) > 0.0);
    let seen = run(&format!("set most_shared 65536\n{large}"));
    assert_eq!(seen.counts(0)[..2], [100, 0]);
    assert_eq!(seen.numbers("last_error", 0), [0]);
}
