//! Runs `llvm-tests/**/*.{ll,cu}`: each file says in its `RUN:` lines what to execute on itself,
//! and FileCheck holds the output against the file's `CHECK` lines.
//!
//! ```text
//! ; RUN: %opt -load-pass-plugin %mesi -passes='print<mesi-plan>' -disable-output %s 2>&1 | %FileCheck %s
//! // RUN: %clang %cuda-flags --cuda-gpu-arch=sm_80 -fpass-plugin=%mesi -c %s -o %t.o
//! // REQUIRES: cuda
//! ```
//! `%s` the file, `%S` its folder, `%t` a scratch path of its own, `%mesi` the plug-in, `%clang`
//! `%opt` `%FileCheck` `%not` LLVM's tools, `%cuda` the CUDA toolkit, `%ptxas` its assembler,
//! `%cuda-flags` what clang needs to use it. A RUN line ending in `\` goes on in the next one. A
//! line fails if any command of its pipeline does. There is no XFAIL: a test says what is true.
//!
//! `cargo test --test llvm -- plugin/` runs the files of one folder.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// What the tests of one run share.
struct Tools {
    plugin: PathBuf,
    bin: PathBuf,
    cuda: Option<PathBuf>,
}

/// One file's directives.
#[derive(Default)]
struct Script {
    /// Commands before substitution, with their line numbers.
    run: Vec<(usize, String)>,
    requires_cuda: bool,
}

fn main() {
    let tools = Arc::new(Tools {
        plugin: support::plugin(),
        bin: support::llvm_bin(),
        cuda: support::cuda(),
    });
    let folder = support::root().join("llvm-tests");
    let tests = support::files_under(&folder, &["ll", "cu"])
        .into_iter()
        .map(|file| test(&folder, file, &tools))
        .collect();
    let arguments: Vec<String> = std::env::args().collect();
    tester::test_main(&arguments, tests, None);
}

fn test(folder: &Path, file: PathBuf, tools: &Arc<Tools>) -> tester::TestDescAndFn {
    let name = file
        .strip_prefix(folder)
        .unwrap_or(&file)
        .display()
        .to_string();
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let script = parse(&text);
    // A file that cannot be parsed is run all the same, so that its test fails and says why.
    let skip = script.as_ref().is_ok_and(|s| s.requires_cuda) && tools.cuda.is_none();
    let (tools, test_name) = (tools.clone(), name.clone());
    support::test(name, skip, move || {
        let script = script.unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        for (line, command) in &script.run {
            run(&tools, &test_name, &file, *line, command);
        }
    })
}

/// Reads the directives out of the comments of a file.
fn parse(text: &str) -> Result<Script, String> {
    let mut script = Script::default();
    let mut open = false;
    for (number, line) in text.lines().enumerate().map(|(i, l)| (i + 1, l)) {
        let comment = line
            .trim_start()
            .trim_start_matches([';', '/'])
            .trim_start();
        if let Some(command) = comment.strip_prefix("RUN:") {
            let part = command.trim();
            let (part, more) = part.strip_suffix('\\').map_or((part, false), |p| (p, true));
            match script.run.last_mut() {
                Some((_, last)) if open => last.push_str(part),
                _ => script.run.push((number, part.to_string())),
            }
            open = more;
        } else if let Some(what) = comment.strip_prefix("REQUIRES:") {
            match what.trim() {
                "cuda" => script.requires_cuda = true,
                other => return Err(format!("line {number}: nothing is known about '{other}'")),
            }
        } else if comment.starts_with("XFAIL") {
            return Err(format!(
                "line {number}: XFAIL is not supported: check what is true"
            ));
        }
    }
    if open || script.run.is_empty() {
        return Err("no RUN line, or the last one ends in a backslash".into());
    }
    Ok(script)
}

fn substitute(tools: &Tools, name: &str, file: &Path, command: &str) -> String {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("llvm-tests")
        .join(name);
    std::fs::create_dir_all(scratch.parent().expect("has a folder")).expect("scratch folder");
    let cuda = tools.cuda.clone().unwrap_or_default();
    let show = |p: &Path| p.display().to_string();
    // Longer names first: `%s` would eat the beginning of `%something`.
    [
        (
            "%cuda-flags",
            format!("-Wno-unknown-cuda-version --cuda-path={}", show(&cuda)),
        ),
        ("%FileCheck", show(&tools.bin.join("FileCheck"))),
        ("%ptxas", show(&cuda.join("bin/ptxas"))),
        ("%clang", show(&tools.bin.join("clang++"))),
        ("%cuda", show(&cuda)),
        ("%mesi", show(&tools.plugin)),
        ("%opt", show(&tools.bin.join("opt"))),
        ("%not", show(&tools.bin.join("not"))),
        ("%S", show(file.parent().unwrap_or(file))),
        ("%s", show(file)),
        ("%t", show(&scratch)),
    ]
    .iter()
    .fold(command.to_string(), |text, (name, value)| {
        text.replace(name, value)
    })
}

fn run(tools: &Tools, name: &str, file: &Path, line: usize, command: &str) {
    let command = substitute(tools, name, file, command);
    // Not plain sh: Debian's has no pipefail, and a compiler that crashes before FileCheck's first
    // CHECK-NOT would pass.
    let mut shell = Command::new("bash");
    shell.args(["-e", "-o", "pipefail", "-c", &command]);
    let output = support::without_knobs(&mut shell)
        .output()
        .unwrap_or_else(|e| panic!("cannot run bash: {e}"));
    if !output.status.success() {
        panic!(
            "{}:{line}: {}\n--- command\n{command}\n--- stdout\n{}--- stderr\n{}--- again\ncargo test --test llvm -- {name}\n",
            file.display(),
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
    }
}
