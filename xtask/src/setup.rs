//! Finds LLVM 22 and a CUDA toolkit; installs what is missing.
//!
//! LLVM comes from the system's packages, because the plug-in must be built against the very
//! libLLVM that clang loads. CUDA comes from the machine if it is new enough, else from pinned
//! wheels (`cuda.rs`). A second call finds everything and only looks.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{apt, cuda, project};

/// Where Debian's packages put LLVM 22; also the default in `.cargo/config.toml`.
const DEBIAN_PREFIX: &str = "/usr/lib/llvm-22";
/// What those packages are called. clang-tools has the linker wrapper that whole programs need, libomp is clang's
/// OpenMP; g++ compiles the shim; lld serves `-flto`; pip fetches CUDA.
const PACKAGES: &[&str] = &[
    "clang-22",
    "clang-tools-22",
    "libomp-22-dev",
    "llvm-22",
    "llvm-22-dev",
    "llvm-22-tools",
    "lld-22",
    "g++",
];

/// Every program and folder the other commands need.
#[derive(Debug, Clone)]
pub struct Toolchain {
    /// LLVM's prefix: `bin/clang++`, `bin/opt`, `bin/FileCheck`.
    pub llvm: PathBuf,
    /// The CUDA toolkit's root: `bin/ptxas`, `include/`, `nvvm/libdevice/`.
    pub cuda: PathBuf,
    /// `clang++ --version`'s first line.
    pub clang_version: String,
    /// Whether clippy looks at what cargo compiles: see `building::with`.
    pub lints: bool,
}

impl Toolchain {
    /// `bin/clang++`.
    pub fn clang(&self) -> PathBuf {
        self.llvm.join("bin/clang++")
    }

    /// `bin/ptxas`.
    pub fn ptxas(&self) -> PathBuf {
        self.cuda.join("bin/ptxas")
    }
}

/// Finds both toolchains, installing them where they are missing.
pub fn setup() -> Result<Toolchain> {
    let llvm = llvm()?;
    let clang_version = project::capture(Command::new(llvm.join("bin/clang++")).arg("--version"))?
        .lines()
        .next()
        .unwrap_or("")
        .to_string();
    let cuda = cuda::find_or_fetch()?;
    Ok(Toolchain {
        llvm,
        cuda,
        clang_version,
        lints: false,
    })
}

/// What only tests need: CMake and ccache, for builds that use mesi, a browser, which looks at the page of `mesi report`, and clang's
/// AddressSanitizer.
pub fn for_tests(tools: &Toolchain) -> Result<()> {
    let programs = ["cmake", "make", "ccache", "chromium"];
    let mut missing: Vec<&str> = programs.into();
    missing.retain(|p| !project::starts(p, "--version"));
    let runtimes = tools.llvm.join("lib/clang/22/lib");
    if tools.llvm == Path::new(DEBIAN_PREFIX) && !runtimes.exists() {
        missing.push("libclang-rt-22-dev");
    }
    if missing.is_empty() {
        return Ok(());
    }
    apt::install(&missing)
        .context("tests need CMake 3.20 or later, make, ccache, Chromium and AddressSanitizer")
}

fn llvm() -> Result<PathBuf> {
    let prefix = std::env::var_os("LLVM_SYS_221_PREFIX")
        .map_or_else(|| PathBuf::from(DEBIAN_PREFIX), PathBuf::from);
    let Some(lacking) = llvm_lacks(&prefix) else {
        return checked_version(prefix);
    };
    if prefix != Path::new(DEBIAN_PREFIX) {
        bail!(
            "LLVM_SYS_221_PREFIX={} has no {lacking}: point it at a full LLVM 22.1 or unset it",
            prefix.display()
        );
    }
    apt::install(PACKAGES)?;
    if let Some(lacking) = llvm_lacks(&prefix) {
        bail!(
            "{DEBIAN_PREFIX}/{lacking} is still missing after installing LLVM 22: set LLVM_SYS_221_PREFIX to an LLVM 22.1"
        );
    }
    checked_version(prefix)
}

/// The first needed file that `prefix` does not have.
fn llvm_lacks(prefix: &Path) -> Option<&'static str> {
    let needed = [
        "bin/clang++",
        "bin/opt",
        "bin/llc",
        "bin/llvm-config",
        "bin/FileCheck",
        "include/llvm/IR/Module.h",
        "bin/clang-linker-wrapper",
    ];
    // Other builds of LLVM may have been made without OpenMP; only programs with -fopenmp miss it.
    let debian = prefix == Path::new(DEBIAN_PREFIX);
    let openmp = "lib/clang/22/include/omp.h";
    if debian && prefix.join(needed[0]).exists() && !prefix.join(openmp).exists() {
        return Some(openmp);
    }
    if !prefix.join("bin/clang++").exists() {
        return Some(needed[0]);
    }
    needed.into_iter().find(|f| !prefix.join(f).exists())
}

fn checked_version(prefix: PathBuf) -> Result<PathBuf> {
    let version = project::capture(Command::new(prefix.join("bin/llvm-config")).arg("--version"))?;
    if !version.starts_with("22.1.") {
        bail!(
            "LLVM_SYS_221_PREFIX={} is LLVM {}, mesi is built for LLVM 22.1: point it there",
            prefix.display(),
            version.trim()
        );
    }
    Ok(prefix)
}
