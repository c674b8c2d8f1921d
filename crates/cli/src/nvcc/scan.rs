//! What is in a program's own files that clang has to be prepared for.
//!
//! The macro `__NVCC__`: clang does not define it, and libraries (CCCL above all) take it to mean nvcc's
//! front end. So it is defined only where the program's own files mention it, and not where that does not
//! compile. And launches with a gap in their brackets (`launches`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::launches;
use super::overlay::{self, Copies};

/// Files looked at, and the longest of them, so that a look stays cheap.
const MOST_FILES: usize = 64;
const MOST_BYTES: u64 = 1 << 20;

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// Some file mentions `__NVCC__`.
    pub asks_for_nvcc: bool,
    /// The files that clang has to read otherwise.
    pub copies: Copies,
}

/// Looks at the file and at what it includes in quotes, also below the folders of `-I`.
pub fn look(file: &str, preprocessor: &[String]) -> Found {
    let mut found = Found::default();
    let folders: Vec<&Path> = preprocessor
        .iter()
        .filter_map(|w| w.strip_prefix("-I"))
        .map(Path::new)
        .collect();
    let mut seen = BTreeSet::new();
    let mut waiting = vec![PathBuf::from(file)];
    while let Some(file) = waiting.pop() {
        if seen.len() >= MOST_FILES || !seen.insert(file.clone()) {
            continue;
        }
        let short = std::fs::metadata(&file).is_ok_and(|m| m.is_file() && m.len() < MOST_BYTES);
        let Some(bytes) = short.then(|| std::fs::read(&file).ok()).flatten() else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        found.asks_for_nvcc |= text.contains("__NVCC__");
        if let Some(copy) = launches::joined(&bytes) {
            found.copies.extend(overlay::full(&file).map(|f| (f, copy)));
        }
        let beside = file.parent().unwrap_or(Path::new("."));
        for name in text.lines().filter_map(included) {
            let places = std::iter::once(beside).chain(folders.iter().copied());
            waiting.extend(places.map(|p| p.join(name)).find(|p| p.is_file()));
        }
    }
    found
}

/// The name in `#include "name"`.
fn included(line: &str) -> Option<&str> {
    let rest = line
        .trim_start()
        .strip_prefix('#')?
        .trim_start()
        .strip_prefix("include")?;
    rest.trim_start().strip_prefix('"')?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks_for_nvcc(file: &str, preprocessor: &[String]) -> bool {
        look(file, preprocessor).asks_for_nvcc
    }

    #[test]
    fn only_the_programs_own_files_count() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
            folder.path().join(name).display().to_string()
        };
        let main = at(
            "a.cu",
            "#include <vector>\n# include \"b.h\"\n#include \"a.cu\"\n",
        );
        at("b.h", "int x;\n");
        assert!(!asks_for_nvcc(&main, &[]));
        at("b.h", "#ifdef __NVCC__\n");
        assert!(asks_for_nvcc(&main, &[]));
        let other = at("c.cu", "#include \"sub.h\"");
        std::fs::create_dir(folder.path().join("i")).unwrap();
        std::fs::write(folder.path().join("i/sub.h"), "#if defined(__NVCC__)").unwrap();
        assert!(!asks_for_nvcc(&other, &[]));
        assert!(asks_for_nvcc(
            &other,
            &[format!("-I{}", folder.path().join("i").display())]
        ));
        // A header with a launch to be joined is found behind one that asks.
        at("b.h", "#include \"l.cuh\"\n__NVCC__\n");
        at("l.cuh", "k<<<1, 1>> >();\n");
        let found = look(&main, &[]);
        assert!(found.asks_for_nvcc);
        let copies: Vec<_> = found.copies.into_iter().collect();
        let want = (folder.path().join("l.cuh"), b"k<<<1, 1>>> ();\n".to_vec());
        assert_eq!(copies, [want]);
    }
}
