//! `mesi-fuzz --source`: a CUDA file with a corpus header, through the command as users run it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A row per thread; `SCALE` is given to clang.
const KERNEL: &str = r#"// ```toml
// kernel = "rows"
// arg = [
//   { name = "a", type = "f32", count = "n*n", fill = "uniform(-1,1)" },
//   { name = "out", type = "f32", count = "n", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [1, 33, 64], large = 4096 }
// [launch]
// blocks = [[32, 1, 1]]
// grid = ["(n+bx-1)/bx", "1", "1"]
// [bench]
// bytes = "4*n*n"
// ```
__global__ void rows(const float *a, float *out, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[row * n + i] * SCALE;
  out[row] = s;
}
"#;

fn toolkit() -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/cuda-13.0");
    let given = std::env::var_os("CUDA_PATH").map_or(own, PathBuf::from);
    let there = given.join("nvvm/libdevice/libdevice.10.bc").exists();
    assert!(
        there || std::env::var_os("MESI_REQUIRE_CUDA").is_none(),
        "MESI_REQUIRE_CUDA is set but no CUDA toolkit is found"
    );
    there.then_some(given)
}

/// What the command says of a file with this text.
fn run(name: &str, text: &str, toolkit: &Path, options: &[&str]) -> (Output, String) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).expect("the test folder can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_mesi-fuzz"))
        .env("CUDA_PATH", toolkit)
        .arg("--source")
        .arg(&file)
        .args(options)
        .output()
        .expect("the command runs");
    let said = [&output.stdout[..], &output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    (output, said)
}

/// The number in front of a word.
fn number(said: &str, word: &str) -> usize {
    let before = said.split(word).next().unwrap_or("");
    let last = before.split_whitespace().next_back().unwrap_or("");
    last.trim_start_matches(',')
        .parse()
        .unwrap_or_else(|_| panic!("no number of {word}: {said}"))
}

#[test]
fn a_file_is_compared_in_all_launches_and_versions() {
    let Some(cuda) = toolkit() else { return };
    let (output, said) = run("source_rows.cu", KERNEL, &cuda, &["--clang=-DSCALE=2"]);
    assert!(output.status.success(), "{said}");
    // Three sizes; each as it is, with two blocks or threads along y, and along z.
    assert_eq!(number(&said, " launches compared"), 15, "{said}");
    assert!(number(&said, " variants") >= 2, "{said}");
}

#[test]
fn what_cannot_be_compared_is_told() {
    let Some(cuda) = toolkit() else { return };
    let (output, said) = run("source_no_scale.cu", KERNEL, &cuda, &[]);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("SCALE"), "{said}");
    let bare = KERNEL.split("```").last().unwrap_or("");
    let (output, said) = run("source_bare.cu", bare, &cuda, &["--clang=-DSCALE=2"]);
    assert_eq!(output.status.code(), Some(2), "{said}");
}

#[test]
fn every_source_that_was_wrong_is_right() {
    let Some(cuda) = toolkit() else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let files = std::fs::read_dir(folder).expect("the folder of regressions");
    let files = files.map(|f| f.expect("an entry").path());
    for file in files.filter(|f| f.extension().is_some_and(|e| e == "cu")) {
        let name = file.file_name().map(|n| n.to_string_lossy());
        let name = name.expect("a file has a name").into_owned();
        let text = std::fs::read_to_string(&file).expect("it can be read");
        // Where it takes another level than -O3, the name says so.
        let level = name.ends_with("-Oz.cu").then_some("--clang=-Oz");
        let (output, said) = run(&name, &text, &cuda, level.as_slice());
        assert!(output.status.success(), "{name}: {said}");
        assert!(number(&said, " launches compared") > 0, "{name}: {said}");
        // What the plug-in has learnt to leave alone is called `no-…`.
        let changed = number(&said, " variants") > 0;
        assert!(changed != name.starts_with("no-"), "{name}: {said}");
    }
}
