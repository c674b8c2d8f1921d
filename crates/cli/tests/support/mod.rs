//! Where the tools are, and how `mesi` is started.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// LLVM's prefix.
pub fn llvm() -> PathBuf {
    let prefix =
        std::env::var_os("LLVM_SYS_221_PREFIX").unwrap_or_else(|| "/usr/lib/llvm-22".into());
    PathBuf::from(prefix)
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

/// `mesi`, told of nothing by the environment but where CUDA and LLVM are.
pub fn mesi(words: &str) -> Command {
    let mut mesi = Command::new(env!("CARGO_BIN_EXE_mesi"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("MESI_") || text.starts_with("NVCC_") || text == "NO_COLOR" {
            mesi.env_remove(name);
        }
    }
    mesi.env("CUDA_PATH", cuda())
        .env("LLVM_SYS_221_PREFIX", llvm());
    mesi.args(words.split(' ').filter(|w| !w.is_empty()))
        .stdin(Stdio::null());
    mesi
}

/// `mesi nvcc` with this build's plug-in, in a folder.
pub fn nvcc(folder: &Path, words: &str) -> Command {
    let mut command = mesi("nvcc");
    command.arg(format!("--mesi-plugin={}", plugin().display()));
    command
        .args(words.split(' ').filter(|w| !w.is_empty()))
        .current_dir(folder);
    command
}

/// Exit status, stdout and stderr.
pub fn ended(command: &mut Command) -> (i32, String, String) {
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// Runs what must succeed; its stdout and stderr.
pub fn ran(command: &mut Command) -> (String, String) {
    let (status, out, err) = ended(command);
    assert_eq!(status, 0, "{command:?}\n{out}{err}");
    (out, err)
}

/// Copies of the programs in `tests/programs`, in a new folder.
pub fn programs(names: &[&str]) -> tempfile::TempDir {
    let new = tempfile::tempdir().unwrap();
    for name in names {
        std::fs::copy(folder("tests/programs").join(name), new.path().join(name)).unwrap();
    }
    new
}

/// Whether a file has these bytes.
pub fn has(file: &Path, text: &str) -> bool {
    let bytes = std::fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    bytes.windows(text.len()).any(|w| w == text.as_bytes())
}

/// What `cargo xtask install` makes, as far as CMake and shells look at it, in a new folder `prefix`.
pub fn prefix(at: &Path) -> PathBuf {
    let prefix = at.join("prefix");
    let source = folder("../../packaging");
    for sub in ["bin", "lib/cmake/mesi", "include/mesi"] {
        std::fs::create_dir_all(prefix.join(sub)).unwrap();
    }
    let copy = |from: &Path, to: &str| std::fs::copy(from, prefix.join(to)).unwrap();
    copy(Path::new(env!("CARGO_BIN_EXE_mesi")), "bin/mesi");
    copy(&plugin(), "lib/libmesi-22.so");
    copy(&source.join("include/mesi/nvcc.h"), "include/mesi/nvcc.h");
    copy(
        &source.join("cmake/mesi-config.cmake"),
        "lib/cmake/mesi/mesi-config.cmake",
    );
    let version =
        std::fs::read_to_string(source.join("cmake/mesi-config-version.cmake.in")).unwrap();
    let version = version.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
    std::fs::write(
        prefix.join("lib/cmake/mesi/mesi-config-version.cmake"),
        version,
    )
    .unwrap();
    symlink("mesi", prefix.join("bin/mesi-nvcc")).unwrap();
    symlink("libmesi-22.so", prefix.join("lib/libmesi.so")).unwrap();
    prefix
}
