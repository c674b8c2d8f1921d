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

/// Level and chip of most commands that read the CUDA headers: for those they are parsed once.
const USUAL: [[&str; 2]; 2] = [
    ["-O3", "--cuda-gpu-arch=sm_90"],
    ["-O2", "--cuda-gpu-arch=sm_80"],
];

/// Words of clang's that the headers do not depend on, how others begin, and those behind which another one stands.
const OTHER_WORDS: [&str; 8] = [
    "-c",
    "-S",
    "-emit-llvm",
    "-fno-discard-value-names",
    "--cuda-device-only",
    "%s",
    "2>&1",
    "%cuda-flags",
];
const OTHER_BEGINNINGS: [&str; 2] = ["-fpass-plugin=", "-Rpass"];
const OTHER_PAIRS: [&str; 3] = ["-o", "-mllvm", "2>"];

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

/// Which of the usual ways of compiling a command's part has, if it reads the CUDA headers.
fn usual(part: &str) -> Option<[&'static str; 2]> {
    let (_, words) = part.split_once("%clang ")?;
    let (mut words, mut own) = (words.split_whitespace(), Vec::new());
    let is_cuda = part.contains("%cuda-flags");
    while let Some(word) = words.next() {
        if OTHER_PAIRS.contains(&word) {
            words.next()?;
        } else if word == "-Xclang" {
            (words.next()? == "-disable-llvm-passes").then_some(())?;
        } else if !OTHER_WORDS.contains(&word)
            && !OTHER_BEGINNINGS.iter().any(|b| word.starts_with(b))
        {
            own.push(word);
        }
    }
    own.sort_unstable_by_key(|w| w.len());
    USUAL.into_iter().find(|u| is_cuda && own == *u)
}

/// The command with options that let clang read the CUDA headers from a precompiled file, where it compiles as is usual.
fn with_headers(tools: &Tools, command: &str) -> String {
    let Some(cuda) = &tools.cuda else {
        return command.into();
    };
    let clang = tools.bin.join("clang++");
    let part = |part: &str| {
        let Some(words) = usual(part) else {
            return part.to_string();
        };
        let job = |side: &str| {
            let words = words.into_iter().chain([side, "-Wno-unknown-cuda-version"]);
            let path = format!("--cuda-path={}", cuda.display());
            words.map(String::from).chain([path]).collect()
        };
        let jobs = ["--cuda-device-only", "--cuda-host-only"].map(job);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let headers = mesi_headers::precompiled_for_jobs(&clang, &jobs, folder);
        part.replace("%cuda-flags", &format!("%cuda-flags {}", headers.join(" ")))
    };
    let pipes = |c: &str| c.split(" | ").map(part).collect::<Vec<_>>().join(" | ");
    let parts: Vec<String> = command.split(" && ").map(pipes).collect();
    parts.join(" && ")
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
    let command = substitute(tools, name, file, &with_headers(tools, command));
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
