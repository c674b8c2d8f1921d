//! The tool from end to end, less the GPU: every variant of real programs is built, and runs as far
//! as a machine without a GPU lets it.

mod support;

use std::path::Path;
use std::process::Command;

use support::{clang, cuda, ended, folder, plugin, ran, tool};

/// The tool with the plug-in of this build.
fn ab() -> Command {
    let mut ab = tool();
    ab.arg("--plugin").arg(plugin());
    ab
}

/// A usual command for test programs, ready to follow `--`.
fn command(sources: &[&str], more: &[&str]) -> Vec<String> {
    let cuda = cuda();
    let mut words = vec![
        clang().display().to_string(),
        "-O3".into(),
        "--no-offload-new-driver".into(),
        "--cuda-gpu-arch=sm_80".into(),
    ];
    words.push(format!("--cuda-path={}", cuda.display()));
    words.extend(more.iter().map(ToString::to_string));
    words.extend(
        sources
            .iter()
            .map(|s| folder(&format!("tests/programs/{s}")).display().to_string()),
    );
    words.extend(
        ["lib64", "lib"]
            .iter()
            .map(|l| cuda.join(l))
            .filter(|l| l.is_dir())
            .map(|l| format!("-L{}", l.display())),
    );
    words.extend(["-lcudart_static", "-ldl", "-lrt", "-pthread"].map(String::from));
    words
}

fn bundle(dir: &Path, sources: &[&str], more: &[&str]) -> serde_json::Value {
    let words = command(sources, more);
    ran(ab()
        .arg("--bundle")
        .arg(dir)
        .args(["--output", "sums.txt", "--"])
        .args(words));
    let text = std::fs::read_to_string(dir.join("manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn has_gpu() -> bool {
    Path::new("/dev/nvidiactl").exists()
}

#[test]
fn every_variant_of_every_program_is_built_and_its_launches_are_seen() {
    for (source, more, kernels) in [
        ("product.cu", &[][..], &["_Z7productPKfS0_Pfi"][..]),
        (
            "streams.cu",
            &["-fgpu-flush-denormals-to-zero"],
            &["_ZN6filter6windowIfEEvPKT_S3_PS1_ii", "_Z8row_sumsPKfPfii"],
        ),
        ("different.cu", &["-Wall", "-DWRONG=0"], &["_Z4fillPii"]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let manifest = bundle(dir.path(), &[source], more);
        assert_eq!(manifest["timed"], true, "{source}: {manifest}");
        let stem = source.trim_end_matches(".cu");
        for (i, variant) in ["plain", "mesi", "force", "nvcc"].iter().enumerate() {
            let build = &manifest["builds"][i];
            assert_eq!(
                (&build["variant"], &build["missing"]),
                (&(*variant).into(), &serde_json::Value::Null),
                "{source}: {build}"
            );
            let program = dir.path().join("bin").join(variant).join(stem);
            let symbols = String::from_utf8_lossy(&std::fs::read(&program).unwrap()).into_owned();
            for kernel in kernels {
                assert!(symbols.contains(kernel), "{source}, {variant}: no {kernel}");
            }
        }
        // The plug-in saw the kernels; at force it stages what it can.
        assert!(
            !manifest["builds"][1]["remarks"]
                .as_array()
                .unwrap()
                .is_empty(),
            "{source}"
        );
        assert!(!dir.path().join("build").exists());
    }
}

/// Without a device a launch fails in the runtime; the timer must have seen it by name all the same,
/// and the program must end as it does without the timer.
#[test]
fn a_launch_that_fails_is_logged_by_name() {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path(), &["different.cu"], &[]);
    for variant in ["plain", "mesi", "force"] {
        let log = dir.path().join(format!("{variant}.log"));
        let (status, out, _) = ended(
            Command::new(dir.path().join("bin").join(variant).join("different"))
                .env("MESIAB_LOG", &log)
                .env("CUDA_VISIBLE_DEVICES", "-1"),
        );
        assert_eq!(status, 1, "{variant}: {out}");
        let text = std::fs::read_to_string(&log).unwrap();
        // Without a device nothing is chosen: the program's own launch says what is wrong.
        assert!(
            text.starts_with("1 0 1 0 ") && text.ends_with(" _Z4fillPii\n"),
            "{variant}: {text}"
        );
    }
}

#[test]
fn a_bundle_runs_and_says_what_the_program_says() {
    let dir = tempfile::tempdir().unwrap();
    bundle(dir.path(), &["different.cu"], &[]);
    let json = dir.path().join("r.json");
    let (status, out, err) = ended(
        Command::new(dir.path().join("run"))
            .args(["--no-gpu-check", "--runs", "2", "--json"])
            .arg(&json),
    );
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(report["runs"], 2);
    assert_eq!(report["variants"].as_array().unwrap().len(), 4);
    assert_eq!(report["kernels"][0]["name"], "fill");
    assert_eq!(report["variants"][1]["agrees"], true);
    if has_gpu() {
        assert_eq!((status, &report["exit"]), (0, &0.into()), "{out}{err}");
    } else {
        assert_eq!(status, 3, "{out}{err}");
        assert!(out.contains("plain: status 1, and the others too"), "{out}");
        let (status, _, err) = ended(&mut Command::new(dir.path().join("run")));
        assert_eq!(
            (status, err.trim()),
            (
                5,
                "error: no NVIDIA GPU here (--no-gpu-check runs all the same)"
            )
        );
    }
}

/// One build is exchanged for one of a source that prints another sum: it must be found.
#[test]
fn a_build_that_computes_something_else_is_found() {
    let (good, bad) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    bundle(good.path(), &["different.cu"], &["-DWRONG=0"]);
    bundle(bad.path(), &["different.cu"], &["-DWRONG=1"]);
    std::fs::copy(
        bad.path().join("bin/mesi/different"),
        good.path().join("bin/mesi/different"),
    )
    .unwrap();
    let run = |more: &[&str]| {
        ended(
            Command::new(good.path().join("run"))
                .args(["--no-gpu-check", "--runs", "1"])
                .args(more),
        )
    };
    let (status, out, _) = run(&[]);
    assert_eq!(status, 1, "{out}");
    assert!(
        out.contains("FAIL mesi: output differs in run 1: line 1:"),
        "{out}"
    );
    let (status, out, _) = run(&["--ignore", "checksum"]);
    assert_ne!(status, 1, "{out}");
    let (status, out, _) = run(&["--absolute", "1"]);
    assert_ne!(status, 1, "{out}");
}

#[test]
fn separate_compilation_links_in_all_variants_that_can() {
    let dir = tempfile::tempdir().unwrap();
    // clang links device code only through its own wrapper, which not every installation has; the
    // command without it fails for the user too, and the tool says so.
    let words = command(&["two_files_main.cu", "two_files_other.cu"], &["-fgpu-rdc"]);
    let (status, _, err) = ended(
        ab().arg("--bundle")
            .arg(dir.path().join("b"))
            .arg("--")
            .args(&words),
    );
    let (by_hand, ..) = ended(
        Command::new(&words[0])
            .args(&words[1..])
            .arg("-o")
            .arg(dir.path().join("by-hand")),
    );
    assert_eq!(status == 0, by_hand == 0, "{err}");
    assert!(
        status == 0 || (status == 3 && err.contains("fails by itself")),
        "{status} {err}"
    );
}

#[test]
fn a_command_that_only_compiles_tells_the_remarks() {
    let words: Vec<String> = command(&["product.cu", "streams.cu"], &["-c"])
        .into_iter()
        .filter(|w| !w.starts_with("-l"))
        .collect();
    let before: Vec<_> = std::fs::read_dir(".")
        .unwrap()
        .flatten()
        .map(|e| e.path())
        .collect();
    let out = ran(ab().arg("--").args(&words));
    for expected in ["product", "filter::window", "row_sums", "staged arg0, arg1"] {
        assert!(out.contains(expected), "{expected} in {out}");
    }
    let after: Vec<_> = std::fs::read_dir(".")
        .unwrap()
        .flatten()
        .map(|e| e.path())
        .collect();
    assert_eq!(before.len(), after.len(), "{after:?}");
}
