//! `mesi ab`: a program of the user's own with and without the plug-in.
//!
//! `mesi-ab` does it; this finds it, the plug-in, clang and CUDA for it, and turns a source file
//! into the command that compiles it.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{nvcc, tools};

/// Becomes `mesi-ab`, unless there are copies that clang reads in place of the source: then it waits for
/// the end, and they go.
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
    let mut overlay = source(words).map(|s| nvcc::joined(s)).unwrap_or_default();
    let copies = overlay.words()?;
    command
        .arg("--plugin")
        .arg(tools::plugin(None)?)
        .args(with_command(words, &clang, &cuda, &copies)?);
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
    if !copies.is_empty() {
        let status = command.status().context("mesi-ab cannot be started")?;
        return Ok(nvcc::code(status));
    }
    Err(command.exec()).context("mesi-ab cannot be started")
}

/// The source file, where the words have one in place of a command.
fn source(words: &[String]) -> Option<&String> {
    let last = words.last().filter(|s| s.ends_with(".cu"))?;
    (!words.iter().any(|w| w == "--")).then_some(last)
}

/// The words with a compile command behind `--`: as given, or made for a source file, of which clang reads
/// copies by these words.
fn with_command(
    words: &[String],
    clang: &Path,
    cuda: &tools::Cuda,
    copies: &[String],
) -> Result<Vec<String>> {
    if words.iter().any(|w| w == "--") {
        return Ok(words.to_vec());
    }
    let Some(source) = source(words) else {
        bail!(
            "give a source file (mesi ab [options] prog.cu), or the command that compiles and links: mesi ab [options] -- clang++ ..."
        );
    };
    let name = Path::new(source)
        .file_stem()
        .map(|s| s.to_string_lossy().into_owned());
    let mut all = words[..words.len() - 1].to_vec();
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
    // Not the driver's, so that nvcc, which needs no copies, gets the same command without them.
    all.extend(
        copies
            .iter()
            .flat_map(|w| ["-Xclang".to_string(), w.clone()]),
    );
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
        let given = ["--runs", "--", "x.cu"].map(String::from);
        assert_eq!((source(&given), source(&given[2..])), (None, given.last()));
        let cuda = tools::Cuda {
            root: "/c".into(),
            version: (13, 0),
        };
        let made = |w: &[&str]| {
            let words: Vec<String> = w.iter().map(ToString::to_string).collect();
            with_command(&words, Path::new("clang++"), &cuda, &[])
        };
        let all = made(&["--runs", "3", "dir/prog.cu"]).unwrap().join(" ");
        assert!(all.starts_with("--runs 3 -- clang++ -O3 "), "{all}");
        assert!(
            all.ends_with("dir/prog.cu -lcudart_static -ldl -lrt -pthread -o prog"),
            "{all}"
        );
        let copies = ["-ivfsoverlay", "/o.json"].map(String::from);
        let words = ["prog.cu".to_string()];
        let all = with_command(&words, Path::new("clang++"), &cuda, &copies).unwrap();
        let all = all.join(" ");
        assert!(
            all.contains(" -Xclang -ivfsoverlay -Xclang /o.json prog.cu "),
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
