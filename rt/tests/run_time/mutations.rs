//! Each rule left out is noticed by a scenario like the tests'.

use mesi_rt_tests::{Scenario, Seen, Variant};

/// Runs a scenario with and without a rule, in that order.
fn both(rule: u32, script: &str) -> [Seen; 2] {
    [Variant::Plain, Variant::Without(rule)].map(|v| Scenario::new(script).variant(v).run())
}

#[test]
fn capture() {
    let script = "time 1 50\nset pays 2\nset sync_every 1\nset stream 5\nlaunch 2100\ncapture 1\nlaunch 20\nseen";
    let of = both(1, script).map(|s| s.seen("captured_versions", 0));
    assert_eq!(of, [0.0, 20.0]);
}

#[test]
fn soundness() {
    let script = "time 1 50\nset pays 2\nset sync_every 1\nset sound 0\nlaunch 100\nseen";
    let of = both(2, script).map(|s| s.seen("unsound", 0));
    assert!(of[0] == 0.0 && of[1] > 0.0);
}

#[test]
fn k_after_an_error() {
    let script = "refuse 1 209\ntime 1 50\nset pays 2\nreturns";
    let of = both(3, script).map(|s| s.numbers("returns", 0)[0]);
    assert_eq!(of, [0, 209]);
}

#[test]
fn the_budget() {
    let script = "versions 4\nset sync_every 1\ntime 1 140\ntime 2 140\ntime 3 140\ntime 4 140\nlaunch 60\nseen";
    let of = both(4, script).map(|s| s.seen("regret", 0));
    assert!(of[0] <= 0.02 && of[1] > 0.02, "{of:?}");
}

#[test]
fn the_pace() {
    // Samples that did not count for long left a budget for many pairs, which are not made in a row: twenty launches of 20 us for each.
    let stalled = "set small 1\nset noise 0.02\ntime 0 20\ntime 1 19.6\nset host_launch 40000\nset sync_every 1\nlaunch 600";
    let script = format!(
        "{stalled}\nset host_launch 1000\nset sync_every 10\nlaunch 80\nseen\nlaunch 80\nseen"
    );
    let of = both(32, &script).map(|s| s.seen("records", 1) - s.seen("records", 0));
    assert!(of[0] > 10.0 && of[0] <= 20.0 && of[1] > 80.0, "{of:?}");
}

#[test]
fn dropping_the_slow() {
    let script = "set sync_every 1\ntime 1 150\nset noise 0.02\nlaunch 800\ncounts";
    let of = both(5, script).map(|s| s.counts(0)[1]);
    assert!(of[0] == 2 && of[1] > 4, "{of:?}");
}

#[test]
fn proof() {
    let script = "set small 1\nset sync_every 1\ntime 1 101\nset noise 0.05\nsweep 100 600";
    let wrong = |s: &Seen| s.programs().iter().filter(|p| p.launches[1] > 200).count();
    let of = both(6, script).map(|s| wrong(&s));
    assert!(of[0] == 0 && of[1] > 5, "{of:?}");
}

#[test]
fn the_hosts_time() {
    let script =
        "time 0 20\ntime 1 14\nset host_launch 40000\nset sync_every 1\nlaunch 4000\nseen\ncounts";
    // The ratios are near 1 then, but they count.
    let of = both(7, script).map(|s| s.counts(0)[1]);
    assert!(of[0] == 0 && of[1] > 0, "{of:?}");
}

#[test]
fn overlap() {
    let mut script = String::from("set small 1\ntime 1 70\nset sync_every 100000\n");
    for i in 0..600 {
        script += &format!("set stream {}\nlaunch {}\n", 5 + i % 2, 2);
    }
    let of = both(8, &(script + "counts\nseen")).map(|s| s.counts(0)[1]);
    assert!(of[0] == 0 && of[1] > 0, "{of:?}");
}

#[test]
fn loading() {
    let script = "set lazy 1\nset small 1\ntime 1 50\nset sync_every 100000\nlaunch 3000\nseen";
    let of = both(9, script).map(|s| s.seen("busy_loads", 0));
    assert_eq!(of, [0.0, 1.0]);
}

#[test]
fn the_first_sample() {
    // A version's load makes the first sample worthless; taken as one of a pair it is dropped as idle, so what is seen is one launch less.
    let script = "time 1 150\nset sync_every 1\nlaunch 600\ncounts";
    let of = both(10, script).map(|s| s.counts(0)[1]);
    assert_eq!(of, [2, 1]);
}

#[test]
fn pending_errors() {
    let script = "time 1 70\nset sync_every 1\nerror 700\nlaunch 500\nseen";
    let of = both(11, script).map(|s| s.seen("records", 0));
    assert!(of[0] == 0.0 && of[1] > 0.0);
}

#[test]
fn the_mode_of_capture() {
    let script = "set lazy 1\ntime 1 70\nset sync_every 1\ncapture_elsewhere 1\nlaunch 500\nseen";
    let of = both(12, script).map(|s| s.seen("broken", 0));
    assert!(of[0] == 0.0 && of[1] > 0.0);
}

#[test]
fn the_checksum() {
    let folder = tempfile::TempDir::new().expect("no folder");
    let path = folder.path().to_str().expect("not UTF-8");
    let learn = "time 1 70\nset sync_every 1\nlaunch 300";
    Scenario::new(learn).with("MESI_CACHE_DIR", path).run();
    let files = std::fs::read_dir(path).expect("no folder");
    let mut files = files.map(|e| e.expect("no entry").path());
    let entry = files.find(|p| p.extension().is_some_and(|e| e == "json"));
    let entry = entry.expect("no entry");
    let text = std::fs::read_to_string(&entry).expect("no entry");
    let other = text.replace("\"choice\":1", "\"choice\":0");
    std::fs::write(entry, other).expect("cannot write");
    let of = [Variant::Plain, Variant::Without(13)].map(|v| {
        let s = Scenario::new("set noise 0.02\nset pays 2\ntime 1 70\ntrace 1").variant(v);
        s.with("MESI_CACHE_DIR", path).run().numbers("trace", 0)[0]
    });
    // Torn: the model's choice. Believed: K.
    assert_eq!(of, [1, 0]);
}

#[test]
fn what_is_large() {
    let of = both(14, "set small 1\nlaunch 11\nseen").map(|s| s.seen("calls", 0));
    assert!(of[0] == 0.0 && of[1] > 20.0, "{of:?}");
}

#[test]
fn whether_there_are_entries() {
    // Large launches of which the cache can know nothing ask nothing either; where it may, the first one looks.
    let of = both(58, "launch 11\nseen").map(|s| s.seen("calls", 0));
    assert!(of[0] == 0.0 && of[1] > 20.0, "{of:?}");
    let folder = tempfile::TempDir::new().expect("no folder");
    let path = folder.path().to_str().expect("not UTF-8");
    let learn = "time 1 70\nset sync_every 1\nlaunch 300";
    Scenario::new(learn).with("MESI_CACHE_DIR", path).run();
    let of = [Variant::Plain, Variant::Without(57)].map(|v| {
        let s = Scenario::new("time 1 70\ntrace 1").variant(v);
        s.with("MESI_CACHE_DIR", path).run().numbers("trace", 0)[0]
    });
    assert_eq!(of, [1, 0]);
}

#[test]
fn one_pair() {
    let script = "time 1 12\nset pays 2\nset sync_every 1\nlaunch 20\nsettled";
    let of = both(15, script).map(|s| s.numbers("settled", 0)[0]);
    assert_eq!(of, [1, 0]);
}

#[test]
fn alignment() {
    // What was learnt of 1,008 elements says nothing of 1,001.
    let script = "set scalar 1008\ntime 1 70\nset sync_every 1\nlaunch 300\nset scalar 1001\ntrace 12\nclasses";
    let of = both(16, script).map(|s| (s.numbers("trace", 0)[0], s.numbers("classes", 0)[0]));
    assert_eq!(of, [(0, 2), (1, 1)]);
}

#[test]
fn the_launch_of_what_is_folded() {
    let script = "folds 1\ntime 1 50\nset pays 2\nset sync_every 1\nlaunch 100\nseen";
    let of = both(18, script).map(|s| s.seen("unfolded", 0));
    assert!(of[0] == 0.0 && of[1] > 0.0);
}

#[test]
fn the_list_of_what_is_trimmed() {
    let script = "trims 1\nfolds 1\ntime 1 50\nset pays 2\nset sync_every 1\nlaunch 100\nseen";
    let of = both(26, script).map(|s| s.seen("unlisted", 0));
    assert!(of[0] == 0.0 && of[1] > 0.0, "{of:?}");
}

#[test]
fn the_parts_of_dynamic_memory() {
    let script =
        "parts 4\nset shared 1028\ntime 1 50\nset pays 2\nset sync_every 1\nlaunch 100\nseen";
    for rule in [27, 28] {
        let of = both(rule, script).map(|s| s.seen("shared", 0));
        assert!(of[0] == 4160.0 && of[1] < 4160.0, "{rule}: {of:?}");
    }
    let large = script.replace("1028", "16384");
    let of = both(30, &format!("{large}\ncounts")).map(|s| s.counts(0)[1]);
    assert!(of[0] > 50 && of[1] == 0, "{of:?}");
    // A candidate that the device has no room for is not one to be refused: others of its launches are.
    let other = "set most_shared 65536\nset shared 1024\nlaunch 100\ncounts";
    let of = both(
        29,
        &format!(
            "{}\n{other}",
            large.replace("set shared", "set most_shared 65536\nset shared")
        ),
    );
    let of = of.map(|s| s.counts(0)[1]);
    assert!(of[0] > 50 && of[1] == 0, "{of:?}");
}

#[test]
fn dynamic_memory_of_launches_of_a_versions_own() {
    let script =
        "folds 1\nset shared 64\ntime 1 50\nset pays 2\nset sync_every 1\nlaunch 100\nseen\ncounts";
    let of = both(43, script).map(|s| s.counts(0)[1]);
    assert!(of[0] == 0 && of[1] > 50, "{of:?}");
    let of = both(44, &format!("parts 4\n{script}")).map(|s| s.counts(0)[1]);
    assert!(of[0] > 50 && of[1] == 0, "{of:?}");
}

#[test]
fn memory_for_each_thread() {
    let script =
        "per_thread 64\nset block 33\ntime 1 50\nset pays 2\nset sync_every 1\nlaunch 100\nseen";
    for rule in [34, 35] {
        let of = both(rule, script).map(|s| s.seen("shared", 0));
        assert!(of[0] == 4096.0 && of[1] < 4096.0, "{rule}: {of:?}");
    }
}

#[test]
fn graphs_and_parts() {
    let script = "parts 4\nset shared 64\ntime 1 50\nset pays 2\nset sync_every 1\nset stream 5\nlaunch 2000\ncapture 1\nlaunch 20\nseen";
    let of = [Variant::Plain, Variant::Without(31)].map(|v| {
        let s = Scenario::new(script).variant(v).with("MESI_GRAPHS", "1");
        s.run().seen("captured_versions", 0)
    });
    assert_eq!(of, [0.0, 20.0]);
}

#[test]
fn the_only_chip() {
    // A version that is right on one chip alone runs on no later one, whose driver compiles its code anew.
    let script = |chip| {
        format!(
            "only_on 90\nset chip {chip}\ntime 1 50\nset pays 2\nset sync_every 1\nlaunch 100\ncounts"
        )
    };
    let of = both(33, &script(100)).map(|s| s.counts(0)[1]);
    assert!(of[0] == 0 && of[1] > 50, "{of:?}");
    let of = both(33, &script(90)).map(|s| s.counts(0)[1]);
    assert!(of[0] > 50 && of[0] == of[1], "{of:?}");
    // Each device is asked for its own.
    let two = format!(
        "{}\nset device 1\nset chip 120\nlaunch 100\ncounts",
        script(90)
    );
    let of = Scenario::new(&two).run();
    assert_eq!(of.counts(0)[1], of.counts(1)[1]);
}

#[test]
fn fewer_blocks() {
    // A version that is right in any number of blocks gets those that it wants at most; K and the others keep the program's.
    let script = "blocks 2\ntime 1 50\nset pays 2\nset sync_every 1\nlaunch 100\nseen";
    let of = both(17, script).map(|s| s.seen("blocks", 0));
    assert!(of[0] == 2.0 && of[1] > 2.0, "{of:?}");
    let more = script.replace("blocks 2", "blocks 100000");
    let plain = Scenario::new(&more).run();
    assert_eq!(plain.seen("blocks", 0), plain.seen("blocks_of_k", 0));
    let none = Scenario::new(&script.replace("blocks 2", "blocks 0")).run();
    assert_eq!(none.seen("blocks", 0), none.seen("blocks_of_k", 0));
}

#[test]
fn groups_of_blocks() {
    // A version whose blocks do the work of several gets so many fewer, and one for a group that is not whole; K gets the program's.
    let script = "merged 3\ntime 1 50\nset pays 2\nset sync_every 1\nlaunch 100\nseen";
    let of = both(39, script).map(|s| [s.seen("blocks", 0), s.seen("blocks_of_k", 0)]);
    let [own, program] = of[0];
    assert_eq!(own, (program / 3.0).ceil(), "{of:?}");
    assert_eq!(of[1], [program; 2]);
    // Along y and z the grid has one.
    let others = script.replace("merged 3", "merged 197888");
    let all = Scenario::new(&others).run();
    assert_eq!(all.seen("blocks", 0), program);
}

#[test]
fn waiting() {
    let script =
        "set lazy 1\nset ran 1000000000\ntime 1 50\nset sync_every 100000\nlaunch 300\ncounts";
    let of = both(19, script).map(|s| s.counts(0)[1]);
    assert!(of[0] > 200 && of[1] == 0, "{of:?}");
}

#[test]
fn waiting_for_long() {
    let script =
        "set lazy 1\nset ran 1000000000000\ntime 0 1000000\nset sync_every 100000\nlaunch 30\nseen";
    let of = both(20, script).map(|s| s.seen("host", 0));
    assert!(of[0] < 25e6 && of[1] > 1e9, "{of:?}");
}

#[test]
fn the_order_of_what_surely_gains() {
    let script = "versions 4\nfolds 6\nset pays 30\nset sync_every 1\nlaunch 1\ncounts";
    let of = both(40, script).map(|s| s.counts(0)[1]);
    assert_eq!(of, [0, 1]);
    let of = both(49, script).map(|s| s.counts(0)[2]);
    assert_eq!(of, [1, 0]);
}

#[test]
fn what_other_classes_say() {
    let script = "time 1 300\nset pays 2\nset sync_every 1\nlaunch 40\nset grid 5000\ntrace 1";
    let of = both(21, script).map(|s| s.numbers("trace", 0)[0]);
    assert_eq!(of, [0, 1]);
}

#[test]
fn what_the_program_would_have_had() {
    // K takes as long as sixteen launches of what the model is sure of: booked, it would put what gains more off for eight hundred.
    let script = "versions 2\ntime 0 10000\ntime 1 600\ntime 2 300\nset pays 2\nset sync_every 1\nlaunch 120\ncounts";
    let of = both(66, script).map(|s| s.counts(0)[2]);
    assert!(of[0] > 40 && of[1] == 0, "{of:?}");
}

#[test]
fn what_is_like_the_winner() {
    // The model is sure of 1 and 2; 1 has won, so what is written in another way is tried before the like.
    let script = "versions 3\nfolds 4\ntime 0 10000\ntime 1 600\ntime 2 1500\ntime 3 300\nset pays 6\nset sync_every 1\nlaunch 80\ncounts";
    let of = both(67, script).map(|s| [2, 3].map(|c| s.counts(0)[c]));
    assert!(of[0][1] > 20 && of[1][1] == 0, "{of:?}");
}

#[test]
fn duels_that_are_put_off() {
    let script =
        "versions 2\ntime 1 97\ntime 2 50\nset noise 0.02\nset sync_every 1\nlaunch 250\ncounts";
    let of = both(34, script).map(|s| s.counts(0)[2]);
    assert!(of[0] > 150 && of[1] < 100, "{of:?}");
}

#[test]
fn memory() {
    let script = "maps 1\ntime 1 50\nset pays 2\nset sync_every 1\nset start 65536\nset bytes 16\nset access 3\nset low 65536\nset high 65553\n\
                  launch 100\ncounts";
    for rule in [35, 36] {
        let of = both(rule, script).map(|s| s.counts(0)[1]);
        assert!(of[0] == 0 && of[1] > 50, "{rule}: {of:?}");
    }
}

#[test]
fn programs_of_one_launch() {
    // Without the first rule it is never settled; without the second its choice is not looked for.
    let script = "set small 1\ntime 1 50\nset sync_every 1\nlaunch 1\ncounts";
    for rule in [37, 38] {
        let of = [Variant::Plain, Variant::Without(rule)].map(|v| {
            let folder = tempfile::TempDir::new().expect("no folder");
            let path = folder.path().to_str().expect("not UTF-8");
            let run = |choice: &str| {
                let scenario = Scenario::new(script)
                    .variant(v)
                    .with("MESI_CACHE_DIR", path);
                scenario.with("MESI_CHOICE", choice).run().counts(0)[1]
            };
            for _ in 0..20 {
                run("tune");
            }
            run("learn")
        });
        assert_eq!(of, [1, 0], "{rule}");
    }
}

#[test]
fn launches_that_lie_in_the_caches() {
    let script =
        "time 1 106\nset behind_k 0.9\nset noise 0.01\nset sync_every 1\nlaunch 1000\ncounts";
    let of = both(22, script).map(|s| s.counts(0)[1]);
    assert!(of[0] < 200 && of[1] > 500, "{of:?}");
}

/// What the last of `runs` processes launched, of a program that queues all its launches; and how many candidates it had compared.
fn last_of(rule: u32, runs: usize) -> [i64; 2] {
    [Variant::Plain, Variant::Without(rule)].map(|v| {
        let folder = tempfile::TempDir::new().expect("no folder");
        let path = folder.path().to_str().expect("not UTF-8");
        let script = "set lazy 1\ntime 1 50\nset sync_every 100000\nlaunch 100\nsync\ncounts";
        let run = || {
            let s = Scenario::new(script).variant(v);
            s.with("MESI_CACHE_DIR", path).run().counts(0)[1]
        };
        (0..runs).fold(0, |_, _| run())
    })
}

#[test]
fn loading_early() {
    let of = last_of(23, 8);
    assert!(of[0] > 90 && of[1] == 0, "{of:?}");
}

#[test]
fn a_launch_whose_time_is_known() {
    let of = last_of(24, 3);
    // It is not launched once more by itself.
    assert!(of[0] < of[1], "{of:?}");
}

#[test]
fn what_a_process_leaves() {
    let of = last_of(25, 8);
    assert!(of[0] > 90 && of[1] <= 1, "{of:?}");
}

#[test]
fn a_first_launch_that_is_over_too_soon() {
    // It says nothing, but more follow, which can be timed together.
    let settled_on = |v: Variant| {
        let folder = tempfile::TempDir::new().expect("no folder");
        let script = "set lazy 1\nset small 1\nset noise 0.02\nset sync_every 100000\nset host_launch 8000\n\
                      time 0 20\ntime 1 15\nlaunch 400\nsync\nforget\nlaunch 100\ncounts\nsettled";
        let path = folder.path().to_str().expect("not UTF-8");
        let s = Scenario::new(script).variant(v);
        let s = s.with("MESI_CACHE_DIR", path).with("MESI_CHOICE", "tune");
        let seen = s.run();
        [seen.counts(0)[1], seen.numbers("settled", 0)[0]]
    };
    let of = [Variant::Plain, Variant::Without(42)].map(settled_on);
    assert!(of[0][0] > 90 && of[0][1] == 1 && of[1][0] == 0, "{of:?}");
}

#[test]
fn a_round_more_of_a_loop_by_the_grids_size() {
    // 25,600 threads, 100 blocks: two rounds of them and one.
    let script = |more: &str, numbers: [u32; 2]| {
        format!(
            "{more}set block 256\nset sync_every 1\nset scalar {}\ntime 0 190\ntime 1 150\nlaunch 600\nforget\n\
             set scalar {}\ntime 0 120\ntime 1 150\nlaunch 40\ncounts",
            numbers[0], numbers[1]
        )
    };
    for numbers in [[30_000, 24_576], [127, 97]] {
        let of = both(41, &script("set flags 2\n", numbers)).map(|s| s.counts(0)[1]);
        assert!(of[0] < 5 && of[1] > 30, "{of:?}");
        // Where the kernel does not read the grid's size, they are alike.
        let of = Scenario::new(&script("", numbers)).run().counts(0)[1];
        assert!(of > 30, "{of}");
    }
}
