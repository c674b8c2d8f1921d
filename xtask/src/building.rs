//! Cargo as the other commands call it: with which profile, and where CUDA and LLVM are.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::project;
use crate::setup::Toolchain;

/// The profile tests are built with: optimised, because the oracle runs thousands of launches,
/// with overflow and debug checks left on.
pub const PROFILE: &str = "ci";

/// The workspace is compiled by clippy's driver, which is rustc that warns of more, and a warning is an error. So the
/// compiler reads each crate once: `cargo clippy` would read all of them once more. The words are those of `cargo clippy`.
const LINTS: [(&str, &str); 2] = [
    ("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"),
    (
        "CLIPPY_ARGS",
        "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__",
    ),
];

/// Tells tests where CUDA is; `MESI_REQUIRE_CUDA` turns a skipped assembly into a failure.
pub fn with<'c>(tools: &Toolchain, command: &'c mut Command) -> &'c mut Command {
    if tools.lints {
        command.envs(LINTS);
    }
    command
        .env("CUDA_PATH", &tools.cuda)
        .env("LLVM_SYS_221_PREFIX", &tools.llvm)
        .env("MESI_REQUIRE_CUDA", "1")
}

/// Cargo with the words of `line` as its arguments.
pub fn cargo(line: &str) -> Command {
    let mut cargo = project::cargo();
    cargo.args(line.split(' '));
    cargo
}

/// Builds the plug-in of another copy of the tree into a folder of its own; where it lies then.
pub fn plugin_of(tools: &Toolchain, tree: &Path, into: &Path) -> Result<PathBuf> {
    let mut build = cargo("build --quiet --package mesi --profile");
    build
        .arg(PROFILE)
        .current_dir(tree)
        .env_remove("CARGO_MANIFEST_DIR")
        .arg("--target-dir")
        .arg(into);
    project::run(with(tools, &mut build))?;
    Ok(into.join(PROFILE).join("libmesi.so"))
}
