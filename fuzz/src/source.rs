//! Runs a CUDA file with a corpus header (docs/corpus.md) as random kernels are run: every launch of the header
//! under the default, each version of its plan alone, and more.

use std::path::{Path, PathBuf};
use std::process::Command;

use mesi_launch::{Corpus, Size};
use mesi_oracle::Schedule;

use crate::check::{self, Verdict, Way};
use crate::cuda;
use crate::llvm::Module;
use crate::variants;

/// Compares what each of `files` gives with what it gives without the plug-in; `options` go to clang.
pub fn run(file: &Path, options: &[String]) -> Result<Verdict, String> {
    let corpus = Corpus::read(file).map_err(|e| e.to_string())?;
    let module = Module::parse(&compile(file, options)?)?;
    module.simplify()?;
    let way = Way {
        schedules: vec![Schedule::Forward, Schedule::Reverse],
        fuse: false,
    };
    Ok(check::check(
        &module.bitcode(),
        &corpus.cases(Size::Small),
        &variants::by_version(),
        &way,
        &mut |_| (),
    ))
}

/// IR as clang makes it, before any pass.
fn compile(file: &Path, options: &[String]) -> Result<Vec<u8>, String> {
    let clang = cuda::clang().ok_or("no clang++ is found")?;
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/cuda-13.0");
    let toolkit = std::env::var_os("CUDA_PATH").map_or(own, PathBuf::from);
    let output = Command::new(clang)
        .args(["-w", "-O3", "--cuda-device-only", "--cuda-gpu-arch=sm_80"])
        .args([
            "-emit-llvm",
            "-c",
            "-o",
            "-",
            "-Xclang",
            "-disable-llvm-passes",
        ])
        .arg(format!("--cuda-path={}", toolkit.display()))
        .args(options)
        .arg(file)
        .output()
        .map_err(|e| format!("clang++ cannot be run: {e}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
