//! `cargo xtask ab [options] -- clang++ ... prog.cu ...`: a program of the user's own, with and
//! without the plug-in.
//!
//! This only builds the plug-in and `mesi-ab` and hands the words on; what is done with them is in
//! the crate `ab`.

use std::convert::Infallible;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::{building, demo, project, setup};

/// Builds what is needed and ends with `mesi-ab`'s own status, in the user's folder.
pub fn ab() -> Result<Infallible> {
    let tools = setup::setup()?;
    let plugin = demo::build_plugin()?;
    let mut build = project::cargo();
    build.args(["build", "--quiet", "--release", "--package", "mesi-ab"]);
    project::run(building::with(&tools, &mut build))?;
    let mut ab = Command::new(project::target_dir()?.join("release/mesi-ab"));
    ab.arg("--plugin")
        .arg(plugin)
        .args(after_ab(std::env::args()));
    // `clang++` means the LLVM that the plug-in is built for.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::iter::once(tools.llvm.join("bin"))
        .chain(std::env::split_paths(&path))
        .collect();
    ab.env(
        "PATH",
        std::env::join_paths(folders).context("LLVM's folder has a colon in its name")?,
    );
    ab.env("CUDA_PATH", &tools.cuda);
    let status = ab.status().context("mesi-ab cannot be started")?;
    std::process::exit(status.code().unwrap_or(1))
}

/// The words after `ab` as they were typed: clap would take the `--` away.
fn after_ab(words: impl Iterator<Item = String>) -> Vec<String> {
    words.skip_while(|w| w != "ab").skip(1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_words_stay_as_they_are() {
        let words = [
            "xtask", "ab", "--run", "-n 4", "--", "clang++", "ab", "--", "x.cu",
        ];
        let kept = after_ab(words.iter().map(ToString::to_string));
        assert_eq!(kept, words[2..]);
        assert!(after_ab(["xtask".to_string(), "ab".into()].into_iter()).is_empty());
    }
}
