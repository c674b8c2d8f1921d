//! What counts as the same output.

use super::*;

fn strict(a: &str, b: &str) -> Verdict {
    compare(a.as_bytes(), b.as_bytes(), &Rules::default())
}

fn relative(a: &str, b: &str, relative: f64) -> Verdict {
    let rules = Rules {
        relative,
        ..Rules::default()
    };
    compare(a.as_bytes(), b.as_bytes(), &rules)
}

fn same(v: &Verdict) -> bool {
    matches!(v, Verdict::Same(_))
}

#[test]
fn times_are_left_out_and_counted() {
    for (a, b) in [
        ("kernel: 3.2 ms", "kernel: 12.75 ms"),
        ("kernel 3.2ms", "kernel 2.9ms"),
        (
            "iters = 5, t =  8.1 usec/iter",
            "iters = 5, t = 18.1 usec/iter",
        ),
        ("took 1.5e-3 s", "took 2 s"),
        ("done in 5 s", "done in 6 s"),
        ("rate (410.2 GFLOP/s)", "rate (99 GFLOP/s)"),
        ("7.0 GFLOPS", "9 GFLOPS"),
        ("9.1 Mcells/s", "10 Mcells/s"),
        ("12.0 \u{b5}s", "11 \u{b5}s"),
        ("Elapsed: 3", "Elapsed: 4"),
        ("kernel_time=3", "kernel_time=4"),
        ("GPU runtime 0.5", "GPU runtime 0.25"),
        ("Total (s): 3.5", "Total (s): 3.25"),
        ("copy [MB/s]: 5000", "copy [MB/s]: 6000"),
        ("kernel2 (ms): 3.5", "kernel2 (ms): 3.25"),
        ("kernel 2 ms=3.5", "kernel 2 ms=3.5"),
        ("GFLOPS: 3.5", "GFLOPS: 3.25"),
        ("speedup 3.5x", "speedup 3.5x"),
        ("time:     3.2", "time: 13.2"),
    ] {
        let v = strict(a, b);
        assert!(same(&v), "{a} / {b}: {v:?}");
    }
    let Verdict::Same(counts) = strict("sum 5, time 3 of 4\n", "sum 5, time 9 of 8\n") else {
        panic!("differs")
    };
    assert_eq!((counts.lines, counts.numbers, counts.times), (1, 1, 2));
}

#[test]
fn results_are_compared() {
    for (a, b) in [
        ("checksum 17", "checksum 18"),
        ("checksum 17 in 3.2 ms", "checksum 18 in 3.2 ms"),
        ("sum 17 at 3.2 GB/s", "sum 18 at 3.2 GB/s"),
        ("sum 17 at 3.2 (GFLOPS)", "sum 18 at 3.2 (GFLOPS)"),
        ("sum 17 after 3.2 seconds", "sum 18 after 3.2 seconds"),
        ("time 3, sum 5", "time 3, sum 6"),
        ("sum 5 | 3 ms", "sum 6 | 3 ms"),
        ("3 times", "4 times"),
        ("min 3", "min 4"),
        ("PASS", "FAIL"),
        ("0x1f3a", "0x1f3b"),
        ("hash 1e5a", "hash 1e5b"),
        ("a\nb", "a"),
        ("a", "a\nb"),
        ("1 2", "1 2 3"),
        ("nan", "0"),
        ("-0.0", "0.0"),
        ("3 sectors", "4 sectors"),
        ("v2", "v3"),
        ("2.5 steps", "2.25 steps"),
        ("5 stops", "6 stops"),
    ] {
        let v = strict(a, b);
        assert!(matches!(v, Verdict::Differs(_)), "{a} / {b}: {v:?}");
    }
}

#[test]
fn tolerance_is_relative_or_absolute() {
    assert!(
        matches!(relative("x 1.00001", "x 1.00002", 1e-4), Verdict::Within(_, d) if d > 9e-6 && d < 2e-5)
    );
    assert!(matches!(
        relative("x 1.00", "x 1.01", 1e-4),
        Verdict::Differs(_)
    ));
    assert!(matches!(
        relative("x 1e-30", "x 2e-30", 1e-4),
        Verdict::Differs(_)
    ));
    let absolute = Rules {
        absolute: 1e-6,
        ..Rules::default()
    };
    assert!(matches!(
        compare(b"x 1e-30", b"x -2e-30", &absolute),
        Verdict::Within(..)
    ));
    assert!(matches!(relative("x nan", "x 1", 1.0), Verdict::Differs(_)));
    assert!(matches!(relative("x inf", "x 1", 1.0), Verdict::Differs(_)));
    assert!(same(&relative("x nan inf", "x nan inf", 0.0)));
    assert!(matches!(
        relative("x -0.0", "x 0.0", 1e-9),
        Verdict::Within(..)
    ));
}

#[test]
fn words_with_digits_stay_words_at_any_tolerance() {
    assert!(matches!(
        relative("mat4x4", "mat4x5", 1.0),
        Verdict::Differs(_)
    ));
    assert!(matches!(relative("0x10", "0x11", 1.0), Verdict::Differs(_)));
}

#[test]
fn white_space_only_separates() {
    assert!(same(&strict("a   b  1\n", "a b 1\n")));
    assert!(matches!(strict("ab 1", "a b 1"), Verdict::Differs(_)));
}

#[test]
fn ignored_lines_do_not_count() {
    let rules = Rules {
        ignore: vec![Regex::new("^seed").unwrap()],
        ..Rules::default()
    };
    let v = compare(b"seed 1\nsum 2\n", b"seed 9\nsum 2\n", &rules);
    assert!(matches!(v, Verdict::Same(c) if c.ignored == 1 && c.lines == 1));
    let v = compare(b"seed 1\nsum 2\n", b"sum 3\n", &rules);
    assert!(
        matches!(&v, Verdict::Differs(why) if why.contains("line 2")),
        "{v:?}"
    );
}

#[test]
fn bytes_that_are_no_text_must_be_equal() {
    assert!(same(&strict("\u{0}", "\u{0}")));
    let v = compare(&[0xff, 1, 2], &[0xff, 1, 3], &Rules::default());
    assert!(
        matches!(&v, Verdict::Differs(why) if why.contains("byte 2")),
        "{v:?}"
    );
}
