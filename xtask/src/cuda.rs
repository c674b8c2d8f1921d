//! The CUDA toolkit: the machine's own, or pinned wheels unpacked into `target/cuda-13.0`.
//!
//! The wheels are installed to a temporary folder beside the final one and renamed into place, so
//! an interrupted download leaves nothing that looks complete.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{apt, project};

/// Versions and hashes, in pip's own format.
const PINS: &str = include_str!("../cuda-13.0.txt");
/// Name of the copy of the pins that marks an unpacked toolkit complete and current.
const STAMP: &str = "mesi-pins.txt";

/// The toolkit to use: `CUDA_PATH`, else `/usr/local/cuda` if usable, else the pinned wheels.
pub fn find_or_fetch() -> Result<PathBuf> {
    if let Some(given) = std::env::var_os("CUDA_PATH").filter(|p| !p.is_empty()) {
        let given = PathBuf::from(given);
        if let Err(why) = usable(&given) {
            bail!(
                "CUDA_PATH={} {why}: point it at a CUDA 12.0 to 13.0 toolkit or unset it",
                given.display()
            );
        }
        return Ok(given);
    }
    let local = PathBuf::from("/usr/local/cuda");
    if usable(&local).is_ok() {
        return Ok(local);
    }
    let unpacked = project::target_dir()?.join("cuda-13.0");
    if std::fs::read_to_string(unpacked.join(STAMP)).is_ok_and(|pins| pins == PINS) {
        return Ok(unpacked);
    }
    fetch(&unpacked)?;
    Ok(unpacked)
}

/// Why a folder is no toolkit that clang 22 and this project can use.
fn usable(root: &Path) -> std::result::Result<(), String> {
    for file in [
        "bin/ptxas",
        "include/cuda_runtime.h",
        "include/cuda.h",
        "include/curand_mtgp32_kernel.h",
        "nvvm/libdevice/libdevice.10.bc",
    ] {
        if !root.join(file).exists() {
            return Err(format!("has no {file}"));
        }
    }
    let header = std::fs::read_to_string(root.join("include/cuda.h"))
        .map_err(|e| format!("has an unreadable include/cuda.h ({e})"))?;
    let version = header
        .lines()
        .find_map(|l| {
            l.strip_prefix("#define CUDA_VERSION")?
                .trim()
                .parse::<u32>()
                .ok()
        })
        .ok_or("does not say its version in include/cuda.h")?;
    // sm_90 needs CUDA 12; clang 22 reads headers up to 13.0 and refuses some later ones.
    if (12_000..13_010).contains(&version) {
        Ok(())
    } else {
        Err(format!(
            "is CUDA {}.{}",
            version / 1000,
            version % 1000 / 10
        ))
    }
}

fn fetch(into: &Path) -> Result<()> {
    let hint = "set CUDA_PATH to a CUDA 13.0 toolkit, or connect to a Python package index";
    if !project::starts("python3", "--version") || !has_pip() {
        apt::install(&["python3", "python3-pip"])
            .context("python3 and pip are needed to fetch CUDA; or set CUDA_PATH to a toolkit")?;
    }
    let parent = into.parent().context("target folder has no parent")?;
    std::fs::create_dir_all(parent)
        .with_context(|| format!("{} cannot be created", parent.display()))?;
    let scratch = tempfile::Builder::new()
        .prefix("cuda-")
        .tempdir_in(parent)
        .with_context(|| format!("{} cannot be written", parent.display()))?;
    let pins = scratch.path().join("pins.txt");
    std::fs::write(&pins, PINS).context("the list of wheels cannot be written")?;
    eprintln!("setup: fetching the CUDA 13.0 toolkit (about 160 MB, once)");
    let site = scratch.path().join("site");
    let mut pip = Command::new("python3");
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--require-hashes",
        "--no-compile",
    ])
    .args([
        "--disable-pip-version-check",
        "--retries=2",
        "--root-user-action=ignore",
        "--only-binary=:all:",
    ])
    .arg("--target")
    .arg(&site)
    .arg("--requirement")
    .arg(&pins);
    let fetched = project::output(&mut pip)?;
    if !fetched.status.success() {
        let said = String::from_utf8_lossy(&fetched.stderr).into_owned();
        let why = said
            .lines()
            .rfind(|l| l.starts_with("ERROR"))
            .unwrap_or("pip failed");
        bail!("the CUDA wheels cannot be fetched ({why}): {hint}");
    }
    let toolkit = site.join("nvidia/cu13");
    prune(&toolkit);
    if let Err(why) = usable(&toolkit) {
        bail!("the fetched CUDA toolkit {why}: {hint}");
    }
    std::fs::write(toolkit.join(STAMP), PINS).context("the CUDA toolkit cannot be stamped")?;
    if into.exists() {
        std::fs::remove_dir_all(into)
            .with_context(|| format!("{} cannot be replaced", into.display()))?;
    }
    std::fs::rename(&toolkit, into)
        .with_context(|| format!("{} cannot be moved into place", into.display()))
}

/// Drops cuRAND's library: clang includes its header, nothing links to it, and it is half the size.
fn prune(toolkit: &Path) {
    let libraries = std::fs::read_dir(toolkit.join("lib"))
        .into_iter()
        .flatten()
        .flatten();
    for library in libraries {
        if library
            .file_name()
            .to_string_lossy()
            .starts_with("libcurand")
        {
            let _ = std::fs::remove_file(library.path());
        }
    }
}

fn has_pip() -> bool {
    Command::new("python3")
        .args(["-m", "pip", "--version"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pin_has_an_exact_version_and_a_hash() {
        let pins: Vec<&str> = PINS.lines().filter(|l| !l.starts_with('#')).collect();
        assert_eq!(pins.len(), 6);
        for pin in pins {
            let (name, hash) = pin.split_once(" --hash=sha256:").expect(pin);
            assert!(name.contains("=="), "{pin}");
            assert_eq!(hash.len(), 64, "{pin}");
        }
    }

    #[test]
    fn an_empty_folder_is_no_toolkit() {
        let empty = tempfile::tempdir().unwrap();
        assert_eq!(usable(empty.path()), Err("has no bin/ptxas".into()));
    }
}
