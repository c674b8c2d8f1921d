//! Compiles the run-time part to bitcode. That the LLVM there is one of version 22 the build of `mesi-llvm` has seen to.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

const PREFIX: &str = "LLVM_SYS_221_PREFIX";
const RUNTIME: &str = "rt/mesi_rt.c";

fn main() -> Result<()> {
    println!("cargo::rerun-if-env-changed={PREFIX}");
    let prefix = PathBuf::from(std::env::var(PREFIX).unwrap_or("/usr/lib/llvm-22".into()));
    compile_runtime(&prefix)?;
    println!("cargo::rustc-env=MESI_BUILD={}", build_id()?);
    Ok(())
}

/// Compiles the run-time part to bitcode for each kind of host, by the clang whose plug-in this is: no other is sure to write what its LLVM reads.
/// It is freestanding, so no headers of that host are needed.
fn compile_runtime(prefix: &Path) -> Result<()> {
    println!("cargo::rerun-if-changed=rt");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").context("cargo sets OUT_DIR")?);
    let clang = prefix.join("bin/clang");
    for host in ["x86_64", "aarch64"] {
        let status = Command::new(&clang)
            .arg(format!("--target={host}-linux-gnu"))
            .args([
                "-std=c11",
                "-Oz",
                "-ffreestanding",
                "-fPIC",
                "-fno-stack-protector",
            ])
            .args(["-fno-unwind-tables", "-fno-asynchronous-unwind-tables"])
            .args([
                "-Wall",
                "-Wextra",
                "-Werror",
                "-emit-llvm",
                "-c",
                RUNTIME,
                "-o",
            ])
            .arg(out.join(format!("mesi_rt.{host}.bc")))
            .status()
            .with_context(|| format!("cannot run {}: install clang-22", clang.display()))?;
        ensure!(status.success(), "{RUNTIME} does not compile for {host}");
    }
    Ok(())
}

/// Tells builds apart: of what was measured under another build nothing is believed.
fn build_id() -> Result<String> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hash = DefaultHasher::new();
    for folder in ["src", "crates/mesi-llvm/src", "rt"] {
        println!("cargo::rerun-if-changed={folder}");
        hash_folder(Path::new(folder), &mut hash)?;
    }
    return Ok(format!("{:016x}", hash.finish()));

    fn hash_folder(folder: &Path, hash: &mut DefaultHasher) -> Result<()> {
        let entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        let mut paths: Vec<_> = entries.into_iter().map(|e| e.path()).collect();
        paths.sort();
        for path in paths {
            match path.is_dir() {
                true => hash_folder(&path, hash)?,
                false => std::fs::read(&path)?.hash(hash),
            }
        }
        Ok(())
    }
}
