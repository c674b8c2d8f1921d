//! `mesi ab`: a program of the user's own with and without the plug-in.
//!
//! `mesi-ab` does it; this finds it, the plug-in, clang and CUDA for it, and turns a source file
//! into the command that compiles it.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::tools;

/// Becomes `mesi-ab`; it returns only where that fails.
pub fn main(words: &[String]) -> Result<u8> {
    let tool = tools::near(&["../libexec/mesi/mesi-ab", "mesi-ab"])
        .context("mesi-ab is not in ../libexec/mesi of this program: install mesi anew, or build it (cargo build --release -p mesi-ab)")?;
    let mut command = Command::new(tool);
    if words
        .iter()
        .any(|w| ["--help", "-h", "--version", "-V"].contains(&w.as_str()))
    {
        return Err(command.args(words).exec()).context("mesi-ab cannot be started");
    }
    let clang = tools::clang()?;
    let cuda = tools::cuda()?;
    command
        .arg("--plugin")
        .arg(tools::plugin(None)?)
        .args(with_command(words, &clang, &cuda)?);
    // `clang++` means the LLVM that the plug-in is built for.
    let own = clang.canonicalize().unwrap_or(clang);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let first = own.parent().map(Path::to_path_buf);
    let folders: Vec<PathBuf> = first
        .into_iter()
        .chain(std::env::split_paths(&path))
        .collect();
    command.env(
        "PATH",
        std::env::join_paths(folders).context("clang's folder has a colon in its name")?,
    );
    command.env("CUDA_PATH", &cuda.root);
    Err(command.exec()).context("mesi-ab cannot be started")
}

/// The words with a compile command behind `--`: as given, or made for a source file.
fn with_command(words: &[String], clang: &Path, cuda: &tools::Cuda) -> Result<Vec<String>> {
    if words.iter().any(|w| w == "--") {
        return Ok(words.to_vec());
    }
    let Some((source, options)) = words.split_last().filter(|(s, _)| s.ends_with(".cu")) else {
        bail!(
            "give a source file (mesi ab [options] prog.cu), or the command that compiles and links: mesi ab [options] -- clang++ ..."
        );
    };
    let name = Path::new(source)
        .file_stem()
        .map(|s| s.to_string_lossy().into_owned());
    let mut all = options.to_vec();
    all.extend(["--".to_string(), clang.display().to_string()]);
    all.extend(
        [
            "-O3",
            "-Wno-unknown-cuda-version",
            "--cuda-gpu-arch=native",
            "--no-offload-new-driver",
        ]
        .map(String::from),
    );
    all.push(format!("-L{}", cuda.libraries().display()));
    if let Ok(header) = tools::header() {
        all.extend(["-include".to_string(), header.display().to_string()]);
    }
    all.push(source.clone());
    all.extend(["-lcudart_static", "-ldl", "-lrt", "-pthread", "-o"].map(String::from));
    all.push(name.unwrap_or_else(|| "program".into()));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_file_becomes_a_command_and_a_command_stays() {
        let cuda = tools::Cuda {
            root: "/c".into(),
            version: (13, 0),
        };
        let made = |w: &[&str]| {
            let words: Vec<String> = w.iter().map(ToString::to_string).collect();
            with_command(&words, Path::new("clang++"), &cuda)
        };
        let all = made(&["--runs", "3", "dir/prog.cu"]).unwrap().join(" ");
        assert!(all.starts_with("--runs 3 -- clang++ -O3 "), "{all}");
        assert!(
            all.ends_with("dir/prog.cu -lcudart_static -ldl -lrt -pthread -o prog"),
            "{all}"
        );
        assert_eq!(
            made(&["--", "clang++", "x.cu"]).unwrap(),
            ["--", "clang++", "x.cu"]
        );
        assert!(
            made(&["--runs", "3"])
                .unwrap_err()
                .to_string()
                .contains("mesi ab [options] prog.cu")
        );
    }
}
