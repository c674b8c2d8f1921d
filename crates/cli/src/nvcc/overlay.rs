//! Copies that clang reads in place of a program's files (`-ivfsoverlay`).
//!
//! The files themselves stay as they are, and clang names them, not the copies: in diagnostics, rules for
//! make, debug information and `__FILE__`, and when it looks for what they include.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};

/// Files by their full names, with the text that clang is to read.
pub type Copies = BTreeMap<PathBuf, Vec<u8>>;

/// Copies on the disk, as long as this lives.
#[derive(Debug, Default)]
pub struct Overlay {
    copies: Copies,
    folder: Option<tempfile::TempDir>,
}

impl Overlay {
    /// These copies, not on the disk yet.
    pub fn of(copies: Copies) -> Self {
        Self {
            copies,
            folder: None,
        }
    }

    /// The copy, or the file itself.
    pub fn text(&self, file: &Path) -> Option<Vec<u8>> {
        let copy = self.copies.get(&full(file)?).cloned();
        copy.or_else(|| std::fs::read(file).ok())
    }

    /// Another text for a file; false: it cannot be given one.
    pub fn insert(&mut self, file: &Path, text: Vec<u8>) -> bool {
        let full = full(file);
        let any = full.is_some();
        self.copies.extend(full.map(|f| (f, text)));
        any
    }

    /// Writes the copies, and says which words make clang read them; without copies there are none.
    pub fn words(&mut self) -> Result<Vec<String>> {
        if self.copies.is_empty() {
            return Ok(Vec::new());
        }
        let folder = match self.folder.take() {
            Some(folder) => folder,
            None => tempfile::Builder::new().prefix("mesi-nvcc-").tempdir()?,
        };
        let mut roots = Vec::new();
        for (number, (file, text)) in self.copies.iter().enumerate() {
            let copy = folder.path().join(format!("{number}.cu"));
            std::fs::write(&copy, text)
                .with_context(|| format!("{} cannot be written", copy.display()))?;
            roots.push(serde_json::json!({
                "type": "file", "name": file, "external-contents": copy
            }));
        }
        let overlay = folder.path().join("overlay.json");
        let lines = serde_json::json!({
            "version": 0, "case-sensitive": "true", "use-external-names": "false", "roots": roots
        });
        std::fs::write(&overlay, lines.to_string())
            .with_context(|| format!("{} cannot be written", overlay.display()))?;
        self.folder = Some(folder);
        Ok(vec!["-ivfsoverlay".into(), overlay.display().to_string()])
    }
}

/// A file's full name as clang makes it to look into an overlay; `None`: it means another file by it.
pub fn full(file: &Path) -> Option<PathBuf> {
    let start = match file.is_absolute() {
        true => PathBuf::new(),
        false => current()?,
    };
    let mut full = PathBuf::new();
    let mut up = false;
    for part in start.join(file).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                up = true;
                full.pop();
            }
            part => full.push(part),
        }
    }
    // Behind a link `..` is elsewhere; clang's overlay only looks at the names.
    let same = || Some(full.canonicalize().ok()? == file.canonicalize().ok()?);
    (!up || same()?).then_some(full)
}

/// The current folder by the name that the shell has for it, as clang takes it.
fn current() -> Option<PathBuf> {
    let real = std::env::current_dir().ok()?;
    let named = std::env::var_os("PWD").map(PathBuf::from);
    let same = |p: &PathBuf| p.is_absolute() && p.canonicalize().is_ok_and(|c| c == real);
    Some(named.filter(same).unwrap_or(real))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_dots_is_folded_unless_a_link_is_in_it() {
        let at = tempfile::tempdir().unwrap();
        let path = |p: &str| at.path().join(p);
        std::fs::create_dir_all(path("a/b")).unwrap();
        std::fs::create_dir(path("c")).unwrap();
        std::os::unix::fs::symlink(path("a/b"), path("c/link")).unwrap();
        for file in ["a/x.h", "c/x.h"] {
            std::fs::write(path(file), file).unwrap();
        }
        assert_eq!(full(&path("c/../a/./x.h")), Some(path("a/x.h")));
        assert_eq!(full(&path("c/link/../x.h")), None, "it is a/x.h");
        assert!(full(Path::new("x.cu")).unwrap().is_absolute());
    }

    #[test]
    fn the_last_text_counts_and_goes_with_the_overlay() {
        let at = tempfile::tempdir().unwrap();
        let file = at.path().join("x.cu");
        std::fs::write(&file, "own").unwrap();
        let mut overlay = Overlay::default();
        assert!(overlay.words().unwrap().is_empty());
        assert_eq!(overlay.text(&file).unwrap(), b"own");
        assert!(overlay.insert(&file, b"new".to_vec()));
        assert_eq!(overlay.text(&at.path().join("./x.cu")).unwrap(), b"new");
        let words = overlay.words().unwrap();
        let list = std::fs::read_to_string(&words[1]).unwrap();
        assert!(list.contains(&file.display().to_string()), "{list}");
        assert_eq!(std::fs::read(&file).unwrap(), b"own");
        drop(overlay);
        assert!(!Path::new(&words[1]).exists());
    }
}
