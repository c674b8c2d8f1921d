//! The corpus: every kernel file of `corpus/`, headers checked before anything is built.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use mesi_launch::Corpus;

use crate::project;

/// Reads all kernels, or those whose file names contain one of `only`, in name order.
pub fn read(only: &[String]) -> Result<Vec<Corpus>> {
    let folder = project::root().join("corpus");
    let entries = std::fs::read_dir(&folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut paths: Vec<_> = entries
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "cu"))
        .collect();
    paths.sort();
    let root = project::root();
    let mut kernels = Vec::new();
    for path in paths {
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if only.is_empty() || only.iter().any(|o| stem.contains(o.as_str())) {
            // Messages name the file as seen from the root.
            let shown = path.strip_prefix(&root).unwrap_or(&path);
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("{} cannot be read", shown.display()))?;
            let mut kernel = Corpus::parse(shown, &text)?;
            kernel.path = path;
            kernels.push(kernel);
        }
    }
    if kernels.is_empty() {
        bail!(
            "no kernel in corpus/ has a name containing {}",
            only.join(" or ")
        );
    }
    Ok(kernels)
}

/// The version of a kernel that was written by hand, if there is one: same signature, same launch.
pub fn hand(kernel: &Corpus) -> Option<PathBuf> {
    let name = kernel.path.file_name()?;
    Some(project::root().join("crates/bench/hand").join(name)).filter(|file| file.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_header_is_read() {
        let kernels = read(&[]).unwrap();
        assert!(kernels.len() >= 24, "{} kernels", kernels.len());
        for kernel in &kernels {
            let stem = kernel.path.file_stem().unwrap().to_string_lossy();
            assert_eq!(stem, kernel.kernel, "a file is named after its kernel");
            assert!(!kernel.title.is_empty(), "{stem} has no title");
        }
    }

    #[test]
    fn expectations_name_real_refusals() {
        let missed = std::fs::read_to_string(project::root().join("src/missed.rs")).unwrap();
        for kernel in read(&[]).unwrap() {
            for (array, verdict) in &kernel.expect {
                let known = verdict == "staged" || missed.contains(&format!("Missed::{verdict}"));
                assert!(known, "{}: {array} = {verdict}", kernel.kernel);
            }
        }
    }

    #[test]
    fn every_hand_written_kernel_has_its_original() {
        let names: Vec<String> = read(&[]).unwrap().into_iter().map(|k| k.kernel).collect();
        let hand = std::fs::read_dir(project::root().join("crates/bench/hand")).unwrap();
        let mut count = 0;
        for path in hand.map(|e| e.unwrap().path()) {
            if path.extension().is_some_and(|e| e == "cu") {
                count += 1;
                let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
                assert!(names.contains(&stem), "{stem}");
            }
        }
        assert!(count >= 19, "{count} kernels");
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        let error = read(&["no-such-kernel".into()]).unwrap_err();
        assert!(error.to_string().contains("no-such-kernel"));
    }
}
