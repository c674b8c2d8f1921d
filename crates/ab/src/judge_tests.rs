//! Verdicts over made-up runs.

use super::*;
use crate::run::Ending;

fn outcome(stdout: &str, log: &str) -> Outcome {
    Outcome {
        ending: Ending::Exited(0),
        seconds: 1.0,
        stdout: stdout.into(),
        outputs: Vec::new(),
        complaint: String::new(),
        kernels: timing::parse(log).unwrap(),
    }
}

fn manifest(variants: &[Variant]) -> Manifest {
    let mut m = Manifest::new("p".into(), Vec::new(), Vec::new());
    m.timed = true;
    m.builds = variants
        .iter()
        .map(|v| Build {
            variant: *v,
            missing: None,
            remarks: Vec::new(),
            seconds: 0.0,
        })
        .collect();
    m
}

fn judged(variants: &[Variant], outcomes: &[Vec<Outcome>]) -> Report {
    judge(&manifest(variants), outcomes, &Given::default(), None, 1)
}

const TWO: [Variant; 2] = [Variant::Plain, Variant::Mesi];

#[test]
fn agreement_and_ratios() {
    let a = outcome(
        "sum 1\n",
        "2 2 0 0 4 2 2 _Z2mmIfEvPKT_S2_PS0_i\n1 1 0 0 1 1 1 _Z1kv",
    );
    let b = outcome(
        "sum 1\n",
        "2 2 0 0 2 1 1 _Z2mmIfEvPKT_S2_PS0_i\n1 1 0 0 1 1 1 _Z1kv",
    );
    let mut m = manifest(&TWO);
    m.builds[1].remarks =
        crate::remarks::parse("x: remark: staged 'arg0' in mm: 1 bytes [-Rpass=mesi]");
    let r = judge(
        &m,
        &[vec![a.clone(), a], vec![b.clone(), b]],
        &Given::default(),
        Some("chip".into()),
        2,
    );
    assert_eq!(
        (r.exit, r.problems.len(), r.variants[1].agrees),
        (0, 0, Some(true))
    );
    assert!((r.variants[1].ratio.unwrap() - 5.0 / 3.0).abs() < 1e-9);
    assert_eq!(
        (r.kernels[0].name.as_str(), r.kernels[0].launches),
        ("mm<float>", 2)
    );
    assert_eq!(r.kernels[0].times[1].unwrap().ratio, 2.0);
    assert!(
        r.kernels[0].remarks.starts_with("staged arg0"),
        "{}",
        r.kernels[0].remarks
    );
    let text = crate::table::print(&r);
    for expected in [
        "x1.67",
        "mm<float>",
        "x2.00",
        "4.000 ms",
        "staged arg0",
        "chip; 2 runs",
        "PASS",
    ] {
        assert!(text.contains(expected), "{expected} in\n{text}");
    }
    let json = serde_json::to_value(&r).unwrap();
    assert_eq!(json["kernels"][0]["times"][1]["ratio"], 2.0);
    assert_eq!(json["variants"][1]["variant"], "mesi");
}

#[test]
fn a_difference_in_any_run_fails() {
    let (good, bad) = (outcome("sum 1\n", ""), outcome("sum 2\n", ""));
    let r = judged(&TWO, &[vec![good.clone(), good.clone()], vec![good, bad]]);
    assert_eq!(r.exit, Exit::Differ as u8);
    assert!(
        r.problems[0].contains("mesi: output differs in run 2: line 1: `sum 1` became `sum 2`"),
        "{:?}",
        r.problems
    );
    assert!(crate::table::print(&r).contains("FAIL mesi"));
}

#[test]
fn endings_and_failed_launches_are_compared() {
    let good = outcome("", "1 1 0 0 1 1 1 k");
    for ending in [
        Ending::Exited(1),
        Ending::Killed(11),
        Ending::Hung(Duration::from_secs(1)),
        Ending::Flooded,
    ] {
        let bad = Outcome {
            ending,
            ..good.clone()
        };
        assert_eq!(
            judged(&TWO, &[vec![good.clone()], vec![bad.clone()]]).exit,
            Exit::Differ as u8
        );
        // The same in plain is the program's own.
        assert_eq!(
            judged(&TWO, &[vec![bad.clone()], vec![bad]]).exit,
            Exit::Program as u8
        );
    }
    let r = judged(&TWO, &[vec![good], vec![outcome("", "1 0 1 0 0 0 0 k")]]);
    assert_eq!(r.exit, Exit::Differ as u8);
    assert!(
        r.problems[0].contains("1 launches failed"),
        "{:?}",
        r.problems
    );
}

#[test]
fn a_program_that_differs_from_itself_is_not_the_plug_ins() {
    let r = judged(
        &TWO,
        &[
            vec![outcome("seed 1", ""), outcome("seed 2", "")],
            vec![outcome("seed 3", "")],
        ],
    );
    assert_eq!(r.exit, Exit::Program as u8);
    assert!(
        r.problems[0].starts_with("plain: is not the same from run to run"),
        "{:?}",
        r.problems
    );
}

#[test]
fn nvcc_is_shown_and_does_not_decide() {
    let r = judged(
        &[Variant::Plain, Variant::Nvcc],
        &[
            vec![outcome("sum 1.0", "")],
            vec![outcome("sum 1.0001", "")],
        ],
    );
    assert_eq!((r.exit, r.variants[1].agrees), (0, Some(true)));
    let r = judged(
        &[Variant::Plain, Variant::Nvcc],
        &[vec![outcome("sum 1.0", "")], vec![outcome("sum 2.0", "")]],
    );
    assert_eq!((r.exit, r.variants[1].agrees), (0, Some(false)));
    assert!(
        r.notes
            .iter()
            .any(|n| n.contains("does not count against the plug-in")),
        "{:?}",
        r.notes
    );
}

#[test]
fn output_files_count() {
    let mut m = manifest(&TWO);
    m.outputs = vec!["r.bin".into()];
    let with = |bytes: Option<&[u8]>| Outcome {
        outputs: vec![bytes.map(<[u8]>::to_vec)],
        ..outcome("", "")
    };
    let exit = |a, b| {
        judge(
            &m,
            &[vec![with(a)], vec![with(b)]],
            &Given::default(),
            None,
            1,
        )
        .exit
    };
    assert_eq!(exit(Some(b"\xff1"), Some(b"\xff1")), 0);
    assert_eq!(exit(Some(b"\xff1"), Some(b"\xff2")), 1);
    assert_eq!(exit(Some(b"1"), None), 1);
    assert_eq!(exit(None, Some(b"1")), 1);
}

#[test]
fn launches_that_are_not_timed_are_said() {
    let log = "5 2 0 3 1 1 1 k";
    let r = judged(
        &TWO,
        &[vec![outcome("", log)], vec![outcome("", "6 6 0 0 1 1 1 k")]],
    );
    assert!(
        r.notes
            .iter()
            .any(|n| n == "plain: 3 of 5 launches of k went into a graph and are not timed"),
        "{:?}",
        r.notes
    );
    assert!(
        r.notes
            .iter()
            .any(|n| n == "mesi: 6 launches of k, 5 of plain"),
        "{:?}",
        r.notes
    );
    let r = judged(&TWO, &[vec![outcome("", "")], vec![outcome("", "")]]);
    assert!(
        r.notes.iter().any(|n| n.starts_with("no launch was seen")),
        "{:?}",
        r.notes
    );
}

use std::time::Duration;
