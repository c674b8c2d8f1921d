//! Compares the whole PTX of a handful of staged corpus kernels with `ptx-golden/`, and has ptxas
//! assemble it.
//!
//! `ptx-golden/<kernel>.<sm>.ptx` is `corpus/<kernel>.cu` compiled at -O3 with `force` and `merge=off`. Its first
//! lines say per kernel what ptxas made of it; a spill is a failure whatever the file says.
//! `MESI_BLESS=1 cargo test --test ptx_golden` rewrites the files; an empty new file is how a
//! kernel is added.

mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// What the tests of one run share.
struct Tools {
    plugin: PathBuf,
    /// The pinned toolkit; another one's register counts and PTX version differ for no fault of
    /// ours, so with it these tests are skipped.
    cuda: Option<PathBuf>,
}

fn main() {
    let tools = Arc::new(Tools {
        plugin: support::plugin(),
        cuda: support::cuda().filter(|c| is_pinned(c)),
    });
    let folder = support::root().join("ptx-golden");
    let goldens = support::files_under(&folder, &["ptx"]);
    assert!(
        !goldens.is_empty(),
        "{} holds no .ptx file",
        folder.display()
    );
    let tests = goldens
        .into_iter()
        .map(|golden| {
            let name = golden
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let tools = tools.clone();
            let skip = tools.cuda.is_none();
            support::test(name.clone(), skip, move || compare(&tools, &name, &golden))
        })
        .collect();
    let arguments: Vec<String> = std::env::args().collect();
    tester::test_main(&arguments, tests, None);
}

fn is_pinned(cuda: &Path) -> bool {
    run(Command::new(cuda.join("bin/ptxas")).arg("--version")).contains("release 13.0")
}

fn compare(tools: &Tools, name: &str, golden: &Path) {
    let (kernel, sm) = name
        .split_once('.')
        .expect("a golden is named <kernel>.<sm>.ptx");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ptx-golden");
    std::fs::create_dir_all(&scratch).expect("scratch folder");
    let ptx = scratch.join(format!("{name}.ptx"));
    compile(tools, kernel, sm, &ptx);
    let (summary, spills) = assemble(tools, sm, &ptx);
    let actual = summary + &std::fs::read_to_string(&ptx).expect("clang wrote PTX");
    assert!(!spills, "{name}: ptxas spills registers:\n{actual}");
    if std::env::var_os("MESI_BLESS").is_some() {
        std::fs::write(golden, actual).expect("a writable golden");
        return;
    }
    let expected = std::fs::read_to_string(golden).expect("a readable golden");
    if let Some(difference) = first_difference(&expected, &actual) {
        panic!(
            "{} differs: {difference}\nIf the new code is right: MESI_BLESS=1 cargo test --test ptx_golden -- {name}",
            golden.display()
        );
    }
}

fn compile(tools: &Tools, kernel: &str, sm: &str, ptx: &Path) {
    let source = support::root().join(format!("corpus/{kernel}.cu"));
    let cuda = tools.cuda.as_ref().expect("skipped without CUDA");
    let mut clang = support::device_clang(cuda, sm);
    clang
        .arg("-S")
        .arg(format!("-fpass-plugin={}", tools.plugin.display()))
        // One staged body each: merged ones are four times as long and read no better.
        .args(["-mllvm", "-mesi-force", "-mllvm", "-mesi-merge=off"])
        .args(["-mllvm", "-mesi-form=inside"])
        .arg(source)
        .arg("-o")
        .arg(ptx);
    run(&mut clang);
}

/// The summary lines, one per kernel in the order of their names, and whether anything spilled.
fn assemble(tools: &Tools, sm: &str, ptx: &Path) -> (String, bool) {
    let cuda = tools.cuda.as_ref().expect("skipped without CUDA");
    let mut ptxas = Command::new(cuda.join("bin/ptxas"));
    ptxas
        .args(["-v", "-arch", sm])
        .arg(ptx)
        .arg("-o")
        .arg(ptx.with_extension("cubin"));
    let log = run(&mut ptxas);
    let mut lines = Vec::new();
    let (mut kernel, mut spilled) = ("", 0);
    for line in log.lines() {
        if let Some(rest) = line.split("Compiling entry function '").nth(1) {
            kernel = rest.split('\'').next().unwrap_or("");
        } else if line.contains("bytes spill stores") {
            spilled = number_before(line, " bytes spill stores")
                + number_before(line, " bytes spill loads");
        } else if line.contains("Used ") && line.contains(" registers") {
            let registers = number_before(line, " registers");
            let shared = number_before(line, " bytes smem");
            lines.push((kernel.to_string(), registers, spilled, shared));
        }
    }
    assert!(
        !lines.is_empty(),
        "ptxas -v said nothing of a kernel:\n{log}"
    );
    lines.sort();
    let mut text = String::new();
    for (kernel, registers, spilled, shared) in &lines {
        writeln!(
            text,
            "// ptxas {kernel}: {registers} registers, {spilled} bytes spilled, {shared} bytes shared"
        )
        .expect("writing to a String");
    }
    (text, lines.iter().any(|l| l.2 > 0))
}

/// The number that stands before `unit`, 0 if it is not there.
fn number_before(line: &str, unit: &str) -> u32 {
    let before = line.split(unit).next().filter(|b| b.len() < line.len());
    let digits = before.and_then(|b| b.rsplit(|c: char| !c.is_ascii_digit()).next());
    digits.and_then(|d| d.parse().ok()).unwrap_or(0)
}

/// Runs a tool to its end; its standard error is the answer.
fn run(command: &mut Command) -> String {
    let output = support::without_knobs(command)
        .output()
        .unwrap_or_else(|e| panic!("cannot run {command:?}: {e}"));
    let log = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{command:?}: {}\n{log}",
        output.status
    );
    log
}

fn first_difference(expected: &str, actual: &str) -> Option<String> {
    if expected == actual {
        return None;
    }
    let (mut e, mut a) = (expected.lines(), actual.lines());
    for number in 1.. {
        let (e, a) = (e.next(), a.next());
        if e != a || e.is_none() {
            let show = |l: Option<&str>| l.unwrap_or("(end of file)").to_string();
            return Some(format!(
                "line {number}\n  golden: {}\n  now:    {}",
                show(e),
                show(a)
            ));
        }
    }
    None
}
