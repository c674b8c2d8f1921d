//! `mesi report`: what it says, and what its page looks like in a browser.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::{ended, llvm, mesi, plugin, programs, ran};

const MEASURED: &str = r#"[
{"process":7,"cache":"/c","kernels":[{"kernel":"_Z5sgemmPKfS0_Pfi","time_us":900,"trials_us":61,"as_it_is":2,"classes":[
{"block":[16,16,1],"grid_like":[64,64,1],"dynamic":0,"launches":300,"candidate":1,"choice":"_Z5sgemmPKfS0_Pfi$mesi$0","other_blocks":false,"why":"measured","settled":true,"gain":4.428,"low":4.361,"high":4.497,"pairs":9,"trials_us":61},
{"block":[32,8,1],"grid_like":[2,2,1],"dynamic":128,"launches":30,"candidate":0,"choice":"_Z5sgemmPKfS0_Pfi","other_blocks":false,"why":"learning","settled":false,"trials_us":61}]}]}
]
"#;

/// A kernel whose names are as long and as odd as names get, and that is refused.
const ODD: &str = "namespace a_name_space_that_is_longer_than_any_line_on_a_small_screen_would_ever_have_room_for {
template <int N, typename T> struct a_template_with_a_name_that_is_long_too {};
template <typename T>
__global__ void gathers(const float *values, const int *indices, float *out, T)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = values[indices[i]]; /* <b>\"&'</b> */ int a_name_without_a_break_anywhere_in_it_that_goes_on_and_on_and_on_for_ever_and_ever = 0; (void)a_name_without_a_break_anywhere_in_it_that_goes_on_and_on_and_on_for_ever_and_ever;
}
template __global__ void gathers(const float *, const int *, float *, a_template_with_a_name_that_is_long_too<7, double>);
}
";

/// A folder with sources, one of them under a name that HTML would take for its own.
fn sources() -> tempfile::TempDir {
    let at = programs(&["sgemm.cu"]);
    std::fs::write(at.path().join("o<i>dd&.cu"), ODD).unwrap();
    std::fs::write(at.path().join("measured.json"), MEASURED).unwrap();
    at
}

fn report(at: &Path, words: &str) -> Command {
    let mut command = mesi("report");
    command.arg("--plugin").arg(plugin());
    command.args(words.split(' ')).current_dir(at);
    command
}

fn json(at: &Path, words: &str) -> Value {
    let (out, _) = ran(&mut report(at, words));
    serde_json::from_str(&out).unwrap()
}

#[test]
fn json_has_versions_footprints_gains_and_refusals() {
    let at = sources();
    let value = json(
        at.path(),
        "sgemm.cu --json --measured measured.json -- -arch=sm_80 -gencode arch=compute_90,code=sm_90",
    );
    assert_eq!(value["chip"], "90");
    let kernel = &value["kernels"][0];
    assert_eq!(kernel["name"], "sgemm");
    assert_eq!(kernel["block"], serde_json::json!([16, 16, 1]));
    assert!(kernel["plain"]["registers"].as_u64().unwrap() >= 10);
    let first = &kernel["versions"][0];
    assert!(first["usage"]["shared"].as_u64().unwrap() > 1000, "{first}");
    assert!(first["plan"]["predicted"].as_f64().unwrap() > 1.0);
    let tiles = first["plan"]["tiles"].as_array().unwrap();
    let arrays: Vec<&str> = tiles.iter().map(|t| t["array"].as_str().unwrap()).collect();
    assert_eq!(arrays, ["a", "b"]);
    assert_eq!(tiles[0]["dims"][1]["terms"], "iter(loop0)");
    let class = &kernel["classes"][0];
    assert_eq!(class["gain"], 4.428);
    assert!(class["predicted"].as_f64().unwrap() > 1.0);
    let refusal = &kernel["refusals"][0];
    assert_eq!(
        (refusal["name"].as_str(), refusal["line"].as_u64()),
        (Some("OnlyStored"), Some(12))
    );
    assert_eq!(refusal["excerpt"][2][1], "        c[row * n + col] = sum;");
    assert!(
        refusal["lifted_by"]
            .as_str()
            .unwrap()
            .starts_with("Nothing")
    );
}

#[test]
fn versions_in_a_plan_and_in_code_are_as_many() {
    // One of each kind: strips, stores, windows, cells, registers, rounds.
    let corpus = support::folder("../../corpus");
    for name in [
        "mm_guide",
        "transpose",
        "conv2d_clamp",
        "histogram",
        "nbody",
        "two_loops",
        "nested_reuse",
    ] {
        let value = json(&corpus, &format!("{name}.cu --json -- -arch=sm_90"));
        let kernel = &value["kernels"][0];
        let versions = kernel["versions"].as_array().unwrap();
        assert!(!versions.is_empty(), "{name}");
        for version in versions {
            let done = version["plan"]["done"].as_array().map_or(0, Vec::len);
            let tiles = version["plan"]["tiles"].as_array().map_or(0, Vec::len);
            assert!(done + tiles > 0, "{name}: {version}");
            assert!(
                version["usage"]["registers"].as_u64().is_some(),
                "{name}: {version}"
            );
        }
    }
}

#[test]
fn a_record_alone_is_enough() {
    let at = sources();
    let mut nvcc = support::nvcc(at.path(), "-cubin -arch=sm_90 sgemm.cu -o sgemm.cubin");
    nvcc.args(
        [
            "-fsave-optimization-record",
            "-foptimization-record-file=saved.yaml",
        ]
        .map(|f| format!("--mesi-clang={f}")),
    );
    ran(&mut nvcc);
    let (_, err) = ran(&mut report(at.path(), "--record saved.yaml -o page.html"));
    assert!(err.contains("name the source"), "{err}");
    let page = std::fs::read_to_string(at.path().join("page.html")).unwrap();
    assert!(
        page.contains("#reason-OnlyStored") && page.contains("sgemm.cu:12"),
        "{page}"
    );
    assert!(page.contains("c[row * n + col] = sum;"), "{page}");
}

#[test]
fn without_opt_there_is_a_page_without_drawings() {
    let at = sources();
    let bin = at.path().join("prefix/bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::os::unix::fs::symlink(llvm().join("bin/clang++"), bin.join("clang++")).unwrap();
    let mut command = report(at.path(), "sgemm.cu -- -arch=sm_90");
    command
        .env("LLVM_SYS_221_PREFIX", at.path().join("prefix"))
        .env("PATH", at.path());
    let (out, err) = ran(&mut command);
    assert_eq!(out, "mesi-report.html: 1 kernels\n");
    assert!(err.contains("apt-get install llvm-22"), "{err}");
    let page = std::fs::read_to_string(at.path().join("mesi-report.html")).unwrap();
    assert!(
        page.contains("36,864 bytes") && !page.contains("<svg"),
        "{page}"
    );
}

#[test]
fn faults_are_one_line() {
    let at = sources();
    std::fs::write(at.path().join("wrong.cu"), "int f( {\n").unwrap();
    std::fs::write(at.path().join("torn.json"), "[{\"pro").unwrap();
    let line = |words: &str, want: &str| {
        let (status, _, err) = ended(&mut report(at.path(), words));
        assert!(
            err.lines().count() == 1 && err.contains(want),
            "{words}: {err}"
        );
        status
    };
    assert_eq!(
        line("wrong.cu -- -arch=sm_90", "wrong.cu does not compile: "),
        1
    );
    assert_eq!(
        line("nowhere.cu -- -arch=sm_90", "nowhere.cu is not there"),
        2
    );
    assert_eq!(line("-- -arch=sm_90", "name one that ends in .cu"), 2);
    assert_eq!(line("--measured torn.json", "or is torn"), 2);
    assert_eq!(line("--measured nowhere.json", "MESI_REPORT"), 2);
    assert_eq!(line("--record nowhere.yaml", "cannot be read"), 2);
    assert_eq!(
        line(
            "--measured measured.json -o nowhere/page.html",
            "cannot be written"
        ),
        2
    );
    let (status, _, err) = ended(mesi("report").current_dir(at.path()));
    assert!(status == 2 && err.contains("nothing to report on"), "{err}");
}

/// Debian's browser; `cargo xtask test` installs it.
fn chromium() -> Command {
    let mut command = Command::new("chromium");
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
    ]);
    command
}

/// What a page looks like in a frame of each width, light or dark: one JSON value for each frame.
fn seen(page: &Path, dark: bool) -> Value {
    let at = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(page).unwrap();
    let quoted = text.replace('&', "&amp;").replace('"', "&quot;");
    let frame = |width: u32| {
        format!(
            "<iframe style=\"border:0\" width=\"{width}\" height=\"900\" srcdoc=\"{quoted}\"></iframe>"
        )
    };
    let harness = at.path().join("harness.html");
    let script = include_str!("look.js");
    std::fs::write(
        &harness,
        format!("<!DOCTYPE html><meta charset=\"utf-8\"><body>{}{}<pre id=\"seen\"></pre><script>{script}</script>", frame(1280), frame(400)),
    )
    .unwrap();
    let mut command = chromium();
    command
        .arg(format!(
            "--user-data-dir={}",
            at.path().join("profile").display()
        ))
        .arg(format!(
            "--blink-settings=preferredColorScheme={}",
            if dark { 0 } else { 1 }
        ))
        .args([
            "--window-size=1400,1000",
            "--virtual-time-budget=10000",
            "--dump-dom",
        ])
        .arg(format!("file://{}", harness.display()));
    let output = command
        .output()
        .expect("chromium does not start: apt-get install chromium, or run cargo xtask test");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = dom
        .split("<pre id=\"seen\">")
        .nth(1)
        .and_then(|t| t.split("</pre>").next());
    let found = found.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let found = found
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    serde_json::from_str(&found).unwrap_or_else(|e| panic!("{e}: {found}"))
}

fn page(at: &Path) -> PathBuf {
    let words = [
        "sgemm.cu",
        "o<i>dd&.cu",
        "--measured",
        "measured.json",
        "-o",
        "page.html",
        "--",
        "-arch=sm_90",
    ];
    let mut command = mesi("report");
    command.arg("--plugin").arg(plugin());
    ran(command.args(words).current_dir(at));
    at.join("page.html")
}

#[test]
fn the_page_fits_wide_and_narrow_windows_and_its_links_resolve() {
    let at = sources();
    let page = page(at.path());
    for dark in [false, true] {
        let frames = seen(&page, dark);
        for (frame, width) in frames.as_array().unwrap().iter().zip([1280, 400]) {
            assert_eq!(frame["width"], width);
            assert_eq!(frame["dark"], dark);
            assert_eq!(frame["too_wide"], 0, "{frame}");
            let none: [&str; 0] = [];
            for list in ["overflowing", "broken_links", "fetched", "faint"] {
                assert_eq!(
                    frame[list],
                    serde_json::json!(none),
                    "{list} at {width}, dark: {dark}"
                );
            }
            assert!(frame["links"].as_u64().unwrap() >= 4);
            // a and b of each version with tiles, before and after, and the chart.
            assert!(frame["pictures"].as_u64().unwrap() >= 5, "{frame}");
            let text = frame["text"].as_str().unwrap();
            for want in [
                "sgemm(float const*, float const*, float*, int)",
                "o<i>dd&.cu",
                "/* <b>\"&'</b> */",
                "gathers<",
                "a: a tile of 64 × 16 elements",
                "x4.428",
                "4.361 to 4.497",
                "learning, not settled",
                "What would lift it: Write the index as a sum",
                "→ iteration of loop 0",
                "36,864 bytes",
            ] {
                assert!(text.contains(want), "{want} at {width}: {text}");
            }
        }
    }
}
