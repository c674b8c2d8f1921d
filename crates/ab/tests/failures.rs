//! Each way to go wrong: one line, and a status of its own.

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use support::{clang, cuda, ended, folder, plugin, tool};

fn last(err: &str) -> &str {
    err.lines().next_back().unwrap_or("")
}

/// The tool with `options` and a command; status and last line.
fn fails(options: &[&str], command: &[&str]) -> (i32, String) {
    let mut ab = tool();
    ab.arg("--plugin")
        .arg(plugin())
        .args(options)
        .arg("--")
        .args(command);
    let (status, _, err) = ended(&mut ab);
    (status, last(&err).to_string())
}

#[test]
fn wrong_usage_is_status_2() {
    let full = tempfile::tempdir().unwrap();
    std::fs::write(full.path().join("x"), "").unwrap();
    let full = full.path().to_str().unwrap();
    let clang = clang();
    let clang = clang.to_str().unwrap();
    for (options, command, expected) in [
        (&[][..], &[][..], "no compile command"),
        (&[], &["nvcc", "a.cu"], "no clang"),
        (&["--run", "'x"], &[clang, "a.cu"], "unclosed quote"),
        (&["--bundle", full], &[clang, "a.cu"], "not empty"),
        (
            &["--bundle", "never-made", "--file", "../x"],
            &[clang, "-c", "a.cu"],
            "only compiles",
        ),
    ] {
        let (status, line) = fails(options, command);
        assert_eq!(status, 2, "{options:?} {command:?}: {line}");
        assert!(line.contains(expected), "{options:?} {command:?}: {line}");
    }
    for wrong in [
        &["--tolerance", "-1"][..],
        &["--ignore", "("],
        &["--runs", "0"],
        &["--without", "plain"],
        &["--without", "gcc"],
    ] {
        let (status, _, err) = ended(
            tool()
                .arg("--plugin")
                .arg(plugin())
                .args(wrong)
                .args(["--", "clang++", "a.cu"]),
        );
        assert_eq!(status, 2, "{wrong:?}: {err}");
    }
}

#[test]
fn the_users_own_failures_are_status_3() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("bad.cu");
    std::fs::write(&source, "__global__ void k() { nonsense }\nint main() {}\n").unwrap();
    let (status, line) = fails(&[], &["/no/such/clang++", "-c", "a.cu"]);
    assert_eq!(status, 3, "{line}");
    assert!(
        line.contains("/no/such/clang++ cannot be started"),
        "{line}"
    );
    let cuda = format!("--cuda-path={}", cuda().display());
    let clang = clang();
    let (status, line) = fails(
        &[],
        &[
            clang.to_str().unwrap(),
            &cuda,
            "--cuda-gpu-arch=sm_80",
            "-c",
            source.to_str().unwrap(),
        ],
    );
    assert_eq!(status, 3, "{line}");
    assert!(
        line.starts_with("error: the command fails by itself, without the plug-in: ")
            && line.contains("nonsense"),
        "{line}"
    );
}

#[test]
fn a_plug_in_that_fails_is_status_4() {
    let dir = tempfile::tempdir().unwrap();
    let broken = dir.path().join("libbroken.so");
    std::fs::write(&broken, "no library").unwrap();
    let clang = clang();
    let words = [
        format!("--cuda-path={}", cuda().display()),
        "--cuda-gpu-arch=sm_80".into(),
        "-c".into(),
        folder("tests/programs/product.cu").display().to_string(),
    ];
    let (status, _, err) = ended(
        tool()
            .arg("--plugin")
            .arg(&broken)
            .arg("--")
            .arg(&clang)
            .args(&words),
    );
    assert_eq!(status, 4, "{err}");
    assert!(
        last(&err).contains("fails with the plug-in (mesi) and not without it"),
        "{err}"
    );
    let (status, _, err) = ended(
        tool()
            .args(["--plugin", "/no/libmesi.so", "--"])
            .arg(&clang)
            .args(&words),
    );
    assert_eq!(status, 2, "{err}");
}

/// A bundle of shell scripts: what `run` makes of programs that end badly.
fn scripts(dir: &Path, plain: &str, mesi: &str) {
    let mut builds = Vec::new();
    for (variant, text) in [("plain", plain), ("mesi", mesi)] {
        let path = dir.join("bin").join(variant).join("p");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("#!/bin/bash\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        builds.push(
            serde_json::json!({"variant": variant, "missing": null, "remarks": [], "seconds": 1.0}),
        );
    }
    let manifest = serde_json::json!({
        "version": 1, "program": "p", "command": ["clang++"], "arguments": ["a b"], "builds": builds, "outputs": ["out.txt"],
        "timed": true, "notes": [], "compiler": "c",
        "rules": {"runs": 2, "tolerance": null, "absolute": null, "nvcc_tolerance": null, "ignore": [], "timeout": null},
    });
    std::fs::write(dir.join("manifest.json"), manifest.to_string()).unwrap();
    std::fs::create_dir_all(dir.join("files/in")).unwrap();
    std::fs::write(dir.join("files/in/x.txt"), "input\n").unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_mesi-ab"), dir.join("run")).unwrap();
}

fn run(plain: &str, mesi: &str, more: &[&str]) -> (i32, String) {
    let dir = tempfile::tempdir().unwrap();
    scripts(dir.path(), plain, mesi);
    let (status, out, err) = ended(
        Command::new(dir.path().join("run"))
            .arg("--no-gpu-check")
            .args(more),
    );
    (status, out + &err)
}

#[test]
fn programs_that_end_badly_are_told_apart() {
    let good = "echo fine";
    for (plain, mesi, status, expected) in [
        (good, good, 0, "PASS"),
        (good, "echo wrong", 1, "FAIL mesi: output differs in run 1"),
        (
            good,
            "echo fine; echo no such luck >&2; exit 7",
            1,
            "FAIL mesi: status 7, where plain was ok: no such luck",
        ),
        (
            good,
            "kill -SEGV $$",
            1,
            "FAIL mesi: crashed (signal 11), where plain was ok",
        ),
        (
            good,
            "echo fine; echo x > out.txt",
            1,
            "plain wrote no such file",
        ),
        ("echo x > out.txt", "true", 1, "it was not written"),
        ("exit 7", "exit 7", 3, "plain: status 7, and the others too"),
        (
            "kill -SEGV $$",
            "kill -SEGV $$",
            3,
            "plain: crashed (signal 11), without the plug-in",
        ),
        (
            "echo $RANDOM$RANDOM",
            "echo 1",
            3,
            "plain: is not the same from run to run",
        ),
    ] {
        let (ended, text) = run(plain, mesi, &[]);
        assert_eq!(ended, status, "{plain} / {mesi}: {text}");
        assert!(text.contains(expected), "{plain} / {mesi}: {text}");
    }
}

#[test]
fn a_program_that_hangs_is_ended_and_not_run_again() {
    let begun = std::time::Instant::now();
    let (status, text) = run("echo fine", "exec sleep 1000", &["--timeout", "1"]);
    assert_eq!(status, 1, "{text}");
    assert!(
        text.contains("mesi: hung (over 1 s), where plain was ok"),
        "{text}"
    );
    assert!(
        begun.elapsed().as_secs() < 60 && text.matches(": mesi\n").count() == 1,
        "{text}"
    );
}

#[test]
fn runs_see_arguments_their_files_and_a_fresh_folder() {
    // Were a run's folder used again, the second run would see `left` and print something else.
    let script = "ls; cat in/x.txt; echo \"$1|$0\" | sed 's|.*|\\0|'; touch left; pwd";
    let (status, text) = run(script, script, &["--runs", "3"]);
    assert_eq!(status, 0, "{text}");
    let (status, text) = run("echo \"$1\"", "echo \"$1 \" | cut -c1-2", &[]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("`a b` became `a`"), "{text}");
}

#[test]
fn builds_left_out_are_not_run() {
    // The build with the plug-in would fail the comparison, were it run.
    let (status, text) = run("echo 1", "echo 2", &["--without", "mesi"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("left out by --without"), "{text}");
    assert!(!text.contains(": mesi\n"), "{text}");
}

#[test]
fn a_damaged_bundle_says_so() {
    let dir = tempfile::tempdir().unwrap();
    scripts(dir.path(), "true", "true");
    std::fs::write(dir.path().join("manifest.json"), "{}").unwrap();
    let (status, _, err) = ended(Command::new(dir.path().join("run")).arg("--no-gpu-check"));
    assert_eq!(status, 2, "{err}");
    assert!(last(&err).contains("manifest.json is damaged"), "{err}");
}
