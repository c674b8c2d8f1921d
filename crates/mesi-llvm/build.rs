//! Compiles `src/shim.cpp` against the LLVM 22 that llvm-sys links.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

const PREFIX: &str = "LLVM_SYS_221_PREFIX";
const SHIM: &str = "src/shim.cpp";

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed={SHIM}");
    println!("cargo::rerun-if-env-changed={PREFIX}");
    let prefix = PathBuf::from(std::env::var(PREFIX).unwrap_or("/usr/lib/llvm-22".into()));
    let include = llvm_config(&prefix, "--includedir")?;

    let mut build = cc::Build::new();
    // The clang beside the LLVM is there whenever the plug-in can be used; a g++ may not be.
    let clang = prefix.join("bin/clang++");
    if std::env::var_os("CXX").is_none() && clang.exists() {
        build.compiler(clang);
    }
    // LLVM's headers come in as system headers, so that warnings stay on for the shim itself.
    build
        .cpp(true)
        .std("c++17")
        .flag("-isystem")
        .flag(&include)
        .flag("-fno-exceptions")
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .extra_warnings(true)
        .warnings_into_errors(true)
        .file(SHIM)
        .compile("mesi_shim");
    Ok(())
}

/// What the LLVM under `prefix` says to `question`; an error unless it is version 22.
fn llvm_config(prefix: &Path, question: &str) -> Result<String> {
    let tool = prefix.join("bin/llvm-config");
    let out = Command::new(&tool)
        .args([question, "--version"])
        .output()
        .with_context(|| {
            format!(
                "cannot run {}: install llvm-22-dev or set {PREFIX}",
                tool.display()
            )
        })?;
    let text = String::from_utf8_lossy(&out.stdout);
    let mut lines = text.lines();
    let (answer, version) = (lines.next().unwrap_or(""), lines.next().unwrap_or(""));
    ensure!(
        version.starts_with("22."),
        "{} is LLVM {version}, not 22: install llvm-22-dev or set {PREFIX}",
        tool.display()
    );
    Ok(answer.to_string())
}
