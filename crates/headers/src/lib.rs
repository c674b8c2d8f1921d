//! The headers that clang reads in front of each CUDA file, parsed once.
//!
//! To parse them is three quarters of what clang does to a kernel of the corpus, and tests compile some thousands. A
//! precompiled header holds what the parser makes of them: what clang emits of the corpus is the same, byte for byte; of
//! other files the source positions of inline assembly may differ.
//!
//! Nothing is kept from one process to the next, so a file that was made by another clang is never read.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// What this process has made; `None` where clang makes no such file.
static MADE: Mutex<BTreeMap<u64, Option<PathBuf>>> = Mutex::new(BTreeMap::new());

/// Options that let `clang` read the CUDA headers from a precompiled file in `folder`; none if it makes no such file.
///
/// `options` are those that the language depends on: level, chip, `--cuda-device-only`, where CUDA is.
pub fn precompiled(clang: &Path, options: &[String], folder: &Path) -> Vec<String> {
    let mut hash = DefaultHasher::new();
    (clang, options, folder).hash(&mut hash);
    let key = hash.finish();
    let mut made = MADE.lock().unwrap_or_else(|e| e.into_inner());
    let file = made
        .entry(key)
        .or_insert_with(|| make(clang, options, folder, key));
    let words = |file: &PathBuf| ["-include-pch".to_string(), file.display().to_string()];
    let words = file.as_ref().map(words).into_iter().flatten();
    words.flat_map(|word| ["-Xclang".into(), word]).collect()
}

/// The same for commands of several jobs, as those that compile for the host, too: each job takes the file that was made
/// with its own options, of a folder that only this makes. None if one of the files cannot be made.
pub fn precompiled_for_jobs(clang: &Path, jobs: &[Vec<String>], folder: &Path) -> Vec<String> {
    let mut hash = DefaultHasher::new();
    (clang, jobs).hash(&mut hash);
    let folder = folder.join(format!("headers-{:016x}", hash.finish()));
    let is_made = |options: &Vec<String>| !precompiled(clang, options, &folder).is_empty();
    if !jobs.iter().all(is_made) {
        return Vec::new();
    }
    let words = ["-include-pch".to_string(), folder.display().to_string()];
    let words = words.into_iter();
    words.flat_map(|word| ["-Xclang".into(), word]).collect()
}

fn make(clang: &Path, options: &[String], folder: &Path, key: u64) -> Option<PathBuf> {
    std::fs::create_dir_all(folder).ok()?;
    let file = folder.join(format!("headers-{key:016x}.pch"));
    // Other processes may read the file of this name: it is replaced, not written to.
    let own = file.with_extension(std::process::id().to_string());
    // clang asks for the source, too, and for its size.
    let source = folder.join("headers.cu");
    std::fs::write(&source, "").ok()?;
    let status = Command::new(clang)
        .args(options)
        .args(["-S", "-emit-llvm", "-w"])
        .args(["-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp"])
        .arg(&source)
        .arg("-o")
        .arg(&own)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let done = status.is_ok_and(|s| s.success()) && std::fs::rename(&own, &file).is_ok();
    done.then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_clang_there_are_no_options() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let clang = Path::new("/no/such/clang");
        let none = precompiled(clang, &[], folder.path());
        assert!(none.is_empty());
        let none = precompiled_for_jobs(clang, &[Vec::new()], folder.path());
        assert!(none.is_empty());
    }
}
