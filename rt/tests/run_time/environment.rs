//! What a user sets, and what they are shown.

use std::fs;

use mesi_rt_tests::{Scenario, Variant};
use serde_json::Value;
use tempfile::TempDir;

const PRIOR: &str = "time 1 50\nset pays 2\nset sync_every 1\n";

#[test]
fn off_is_k() {
    let script = format!("{PRIOR}launch 300\ncounts\nseen");
    let seen = Scenario::new(&script).with("MESI_CHOICE", "off").run();
    assert_eq!(seen.counts(0)[..2], [300, 0]);
    assert_eq!(seen.seen("queries", 0), 0.0);
}

#[test]
fn prior_is_the_model_alone() {
    let script = "time 1 150\nset pays 2\nlaunch 300\ncounts\nseen";
    let seen = Scenario::new(script).with("MESI_CHOICE", "prior").run();
    assert_eq!(seen.counts(0)[..2], [0, 300]);
    assert_eq!(seen.seen("records", 0), 0.0);
}

#[test]
fn a_pinned_version_runs_where_it_may() {
    let run = |choice: &str, more: &str| {
        let script =
            format!("versions 2\nreshapes 1\n{more}time 1 50\nset pays 2\nlaunch 100\ncounts");
        Scenario::new(&script)
            .with("MESI_CHOICE", choice)
            .run()
            .counts(0)
    };
    assert_eq!(run("pin:_Z1kPfi=2", "")[2], 100);
    assert_eq!(run("pin:_Z1kPfi=0", "")[0], 100);
    // In other blocks: K behind the versions, then they again.
    assert_eq!(run("pin:_Z1kPfi=3", "")[5], 100);
    assert_eq!(run("pin:_Z1kPfi=5", "")[7], 100);
    assert_eq!(run("pin:_Z1kPfi=2", "set sound 2\n")[0], 100);
    assert_eq!(run("pin:*=2", "")[2], 100);
    // Other kernels choose as ever.
    assert!(run("pin:other=2", "")[1] > 90);
}

#[test]
fn a_pinned_kernel_may_be_called_as_in_its_source() {
    let is_pinned = |kernel: &str, name: &str| {
        let script =
            format!("versions 2\ncalled {kernel}\ntime 1 50\nset pays 2\nlaunch 100\ncounts");
        let seen = Scenario::new(&script).with("MESI_CHOICE", format!("pin:{name}=2"));
        seen.run().counts(0)[2] == 100
    };
    let plain = "_Z4workPfi";
    let nested = "_ZN4deep4workIfEEvPT_i";
    let hidden = "_ZN12_GLOBAL__N_1L4workEPf";
    for (kernel, name) in [
        (plain, "work"),
        (plain, "work(float*, int)"),
        (nested, "work"),
        (nested, "deep::work"),
        (nested, "void deep::work<float>(float*, int)"),
        (nested, "work<float>"),
        (hidden, "work"),
        ("_ZL4workPf", "work"),
        ("work", "work"),
    ] {
        assert!(is_pinned(kernel, name), "{kernel} is not {name}");
    }
    for (kernel, name) in [
        (plain, "wor"),
        (plain, "workPfi"),
        (plain, "deep::work"),
        (nested, "deep"),
        (nested, "deep::"),
        (nested, "eep::work"),
        (nested, "deepwork"),
        (nested, "deep::work::"),
        (nested, "deep::workI"),
        ("_Z9", "work"),
        ("_Z", "work"),
        ("network", "work"),
    ] {
        assert!(!is_pinned(kernel, name), "{kernel} is {name}");
    }
}

#[test]
fn a_wrong_value_gives_one_line_and_the_default() {
    for value in [
        "of", "pin:", "pin:k", "pin:k=", "pin:k=x", "pin:=1", "pin:k=10", "LEARN",
    ] {
        let script = format!("{PRIOR}launch 100\ncounts");
        let seen = Scenario::new(&script).with("MESI_CHOICE", value).run();
        let line = format!(
            "mesi: MESI_CHOICE={value} is not understood, expected off, prior, cache, learn, tune or pin:KERNEL=N; going on with the default\n"
        );
        assert_eq!(seen.errors, line);
        assert!(seen.counts(0)[1] > 90);
    }
    for (name, value) in [("MESI_REPORT", "2"), ("MESI_GRAPHS", "yes")] {
        let seen = Scenario::new("launch 3").with(name, value).run();
        assert_eq!(seen.errors.lines().count(), 1);
    }
    for value in ["", "learn"] {
        let seen = Scenario::new("launch 3").with("MESI_CHOICE", value).run();
        assert_eq!(seen.errors, "");
    }
}

#[test]
fn the_report_is_a_table() {
    let folder = TempDir::new().expect("no folder");
    let path = folder.path().to_str().expect("not UTF-8");
    let script = "time 1 70\nset noise 0.02\nset sync_every 1\nlaunch 300\nset sound 0\nlaunch 2";
    let seen = Scenario::new(script)
        .with("MESI_REPORT", "1")
        .with("MESI_CACHE_DIR", path)
        .run();
    for part in [
        "mesi: what ran",
        "\n_Z1kPfi\n",
        "blocks 64x1x1, grid like 100x1x1, 0 bytes dynamic: 300 launches of _Z1kPfi$mesi$0 (measured), x1.4",
        " to ",
        "trials cost ",
        "2 launches of the kernel as it is",
        &format!("choices are kept in {path}; to forget them, delete it: rm -r '{path}'"),
    ] {
        assert!(seen.errors.contains(part), "{part}: {}", seen.errors);
    }
    assert_eq!(Scenario::new(script).run().errors, "");
}

#[test]
fn the_report_is_json() {
    let folder = TempDir::new().expect("no folder");
    let path = folder.path().join("report.json");
    fs::write(
        &path,
        "[\nwhat was there before, longer than a report's first line\n]\n",
    )
    .expect("cannot write");
    let script = "time 1 70\nset noise 0.02\nset sync_every 1\nlaunch 300";
    let name = path.to_str().expect("not UTF-8");
    Scenario::new(script).with("MESI_REPORT", name).run();
    let text = fs::read_to_string(&path).expect("no report");
    let report: Value = serde_json::from_str(&text).expect("no JSON");
    let kernel = &report[0]["kernels"][0];
    assert_eq!(kernel["kernel"], "_Z1kPfi");
    let class = &kernel["classes"][0];
    assert_eq!(class["launches"], 300);
    assert_eq!(class["choice"], "_Z1kPfi$mesi$0");
    assert_eq!(class["why"], "measured");
    let of = |name: &str| class[name].as_f64().expect("no number");
    assert!(of("low") > 1.0 && of("low") < of("gain") && of("gain") < of("high"));
    assert!((of("gain") - 1.43).abs() < 0.05);
}

#[test]
fn images_of_one_process_share_a_file() {
    // Two reports at one exit, as of a program and a library.
    let folder = TempDir::new().expect("no folder");
    let path = folder.path().join("report.json");
    let name = path.to_str().expect("not UTF-8");
    for _ in 0..2 {
        let script = "launch 3\nagain\nlaunch 5";
        Scenario::new(script).with("MESI_REPORT", name).run();
        let text = fs::read_to_string(&path).expect("no report");
        let report: Value = serde_json::from_str(&text).expect("no JSON");
        assert_eq!(report.as_array().expect("no array").len(), 2);
        assert_eq!(report[1]["kernels"][0]["classes"][0]["launches"], 5);
    }
}

#[test]
fn a_report_that_cannot_be_written_says_so() {
    let seen = Scenario::new("launch 3")
        .with("MESI_REPORT", "/proc/no/report.json")
        .run();
    assert_eq!(seen.errors, "mesi: cannot write /proc/no/report.json\n");
}

#[test]
fn a_settled_launch_is_cheap() {
    for (name, script) in [
        (
            "K",
            "time 1 150\nset sync_every 1\nlaunch 300\nsettled\nset quick 1\nbench 100000",
        ),
        (
            "a version",
            "time 1 70\nset sync_every 1\nlaunch 300\nsettled\nset quick 1\nbench 100000",
        ),
        (
            "a version, on a stream",
            "time 1 70\nset stream 5\nset sync_every 1\nlaunch 300\nsettled\nset quick 1\nbench 100000",
        ),
    ] {
        let seen = Scenario::new(script).variant(Variant::Timed).run();
        assert_eq!(seen.numbers("settled", 0), [1]);
        let all = seen.all("bench");
        let of = |i: usize| all[0][i].parse::<f64>().expect("not a number");
        println!("{name}: {:.1} ns beyond the launch itself", of(0) - of(1));
        assert!(of(0) - of(1) < 500.0);
    }
}
