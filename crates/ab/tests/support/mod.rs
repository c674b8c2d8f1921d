//! Where the tools are, for tests of what is built and run.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// clang++ of the LLVM that the plug-in is built for.
pub fn clang() -> PathBuf {
    let prefix =
        std::env::var_os("LLVM_SYS_221_PREFIX").unwrap_or_else(|| "/usr/lib/llvm-22".into());
    PathBuf::from(prefix).join("bin/clang++")
}

/// The CUDA toolkit: `cargo xtask test` names it. Without one these tests fail; they do not skip.
pub fn cuda() -> PathBuf {
    let given = std::env::var_os("CUDA_PATH").map(PathBuf::from);
    let usual = [
        PathBuf::from("/usr/local/cuda"),
        folder("../../target/cuda-13.0"),
    ];
    given
        .into_iter()
        .chain(usual)
        .find(|c| c.join("include/cuda_runtime.h").exists())
        .expect("no CUDA toolkit: set CUDA_PATH, or run `cargo xtask setup`")
}

/// The plug-in that this very build made: a dev-dependency, so cargo puts it beside the tests.
pub fn plugin() -> PathBuf {
    let beside = std::env::current_exe().unwrap();
    let plugin = beside.with_file_name("libmesi.so");
    assert!(plugin.exists(), "{} is missing", plugin.display());
    plugin
}

/// A path of this crate.
pub fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The tool, told of nothing by the environment.
pub fn tool() -> Command {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_mesi-ab"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("MESI_") || text == "CUDA_PATH" || text == "LD_LIBRARY_PATH" {
            tool.env_remove(name);
        }
    }
    tool
}

/// Runs to the end.
pub fn output(command: &mut Command) -> Output {
    command.stdin(Stdio::null());
    // Another test's child may hold a program that was just written, until that child runs its own.
    for _ in 0..50 {
        match command.output() {
            Err(e) if e.kind() == ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(100))
            }
            result => return result.unwrap_or_else(|e| panic!("{command:?}: {e}")),
        }
    }
    panic!("{command:?} stays busy")
}

/// Runs what must succeed; its stdout.
pub fn ran(command: &mut Command) -> String {
    let output = output(command);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{said}",
        output.status
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Exit status, stdout and stderr.
pub fn ended(command: &mut Command) -> (i32, String, String) {
    let output = output(command);
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}
