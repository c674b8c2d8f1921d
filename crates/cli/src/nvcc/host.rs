//! `-ccbin`: which host compiler a build means, and what of it matters to clang.
//!
//! clang compiles host code itself. Of a gcc it takes the C++ library, of a compiler of MPI the
//! folders and libraries that it adds.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::request::Request;
use super::words::split_line;
use crate::tools;

/// Turns `-ccbin` into words for clang.
pub fn apply(request: &mut Request) -> Result<()> {
    let Some(given) = request.host_compiler.clone() else {
        return Ok(());
    };
    let given = if Path::new(&given).is_dir() {
        format!("{given}/g++")
    } else {
        given
    };
    let name = Path::new(&given)
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    if name.contains("mpi") || name == "CC" {
        mpi(request, &given);
    } else if name.contains("g++") || name.contains("gcc") {
        let library = asked(&given, &["-print-libgcc-file-name"]);
        let folder = library
            .as_deref()
            .map(str::trim)
            .and_then(|l| Path::new(l).parent());
        // A compiler of another machine's would not find its headers anyway.
        if let Some(folder) = folder.filter(|f| f.is_dir()) {
            request
                .host
                .push(format!("--gcc-install-dir={}", folder.display()));
        }
    }
    Ok(())
}

/// Open MPI tells by `--showme`, MPICH and Cray's by `-show`.
fn mpi(request: &mut Request, compiler: &str) {
    let mut words = Vec::new();
    for question in ["--showme:compile", "--showme:link"] {
        words.extend(
            asked(compiler, &[question])
                .map(|t| split_line(&t))
                .unwrap_or_default(),
        );
    }
    if words.is_empty() {
        let said = asked(compiler, &["-show"]).unwrap_or_default();
        words = split_line(&said).into_iter().skip(1).collect();
    }
    for word in words {
        if word.starts_with("-l") || word.starts_with("-L") {
            request.libraries.push(word);
        } else if word.starts_with("-Wl,") {
            request.link_only.push(word);
        } else {
            request.host.push(word);
        }
    }
}

/// clang's OpenMP is a package of its own, and its absence a riddle: a header that gcc has.
pub fn check_openmp(request: &Request, clang: &Path) -> Result<()> {
    if !request.host.iter().any(|w| w.starts_with("-fopenmp")) || request.dry {
        return Ok(());
    }
    let clang = clang.canonicalize().unwrap_or_else(|_| clang.to_path_buf());
    let prefix = clang
        .parent()
        .and_then(Path::parent)
        .unwrap_or(Path::new("/"));
    let own = format!("lib/clang/{}/include/omp.h", tools::LLVM_MAJOR);
    if prefix.join(own).exists() || Path::new("/usr/local/include/omp.h").exists() {
        return Ok(());
    }
    bail!(
        "-fopenmp: clang's OpenMP is not installed: apt-get install libomp-{}-dev",
        tools::LLVM_MAJOR
    )
}

fn asked(program: &str, words: &[&str]) -> Option<String> {
    let program = if program.contains('/') {
        program.into()
    } else {
        tools::in_path(program)?
    };
    let output = Command::new(program).args(words).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
