//! A copy of the tree in which a row is changed, and the plug-ins that were built of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::rows::Row;
use crate::setup::Toolchain;
use crate::{building, project};

/// Below `target/tune`; kept, as the next build of it is short.
pub struct Copy {
    place: PathBuf,
}

impl Copy {
    /// The files that git knows or would take, as they are, and no others.
    pub fn new() -> Result<Copy> {
        let place = project::target_dir()?.join("tune");
        let root = project::root();
        let mut list = Command::new("git");
        list.current_dir(&root)
            .args(["ls-files", "--cached", "--others", "--exclude-standard"]);
        let tree = place.join("tree");
        let mut copied = BTreeSet::new();
        for file in project::capture(&mut list)?.lines() {
            if root.join(file).is_file() {
                let text = std::fs::read(root.join(file))
                    .with_context(|| format!("{file} cannot be read"))?;
                let copy = tree.join(file);
                write(&copy, &text)?;
                copied.insert(copy);
            }
        }
        remove_others(&tree, &copied)?;
        Ok(Copy { place })
    }

    /// The plug-in with a value in a row.
    pub fn build(&self, tools: &Toolchain, row: &Row, value: &str) -> Result<PathBuf> {
        eprintln!("tune: building with {} = {value}", row.name);
        let file = self.place.join("tree").join(&row.file);
        let original = std::fs::read_to_string(project::root().join(&row.file))
            .with_context(|| format!("{} cannot be read", row.file.display()))?;
        let mut text = original;
        text.replace_range(row.range.clone(), &format!(" {value}"));
        write(&file, text.as_bytes())?;
        let tree = self.place.join("tree");
        let built = building::plugin_of(tools, &tree, &self.place.join("build"))
            .with_context(|| format!("{} = {value} cannot be built", row.name))?;
        let name: String = format!("{}={value}", row.name)
            .chars()
            .map(|c| {
                if c.is_alphanumeric() || "=.".contains(c) {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        let kept = self.place.join(format!("{name}.so"));
        std::fs::copy(built, &kept).context("the plug-in cannot be kept")?;
        Ok(kept)
    }
}

/// Removes the files of `folder` that are not among `kept`: cargo would take tests that have moved for others.
fn remove_others(folder: &Path, kept: &BTreeSet<PathBuf>) -> Result<()> {
    let failed = |path: &Path| format!("{} cannot be removed", path.display());
    for entry in std::fs::read_dir(folder).with_context(|| failed(folder))? {
        let path = entry.with_context(|| failed(folder))?.path();
        if path.is_dir() {
            remove_others(&path, kept)?;
        } else if !kept.contains(&path) {
            std::fs::remove_file(&path).with_context(|| failed(&path))?;
        }
    }
    Ok(())
}

/// Writes what is new: cargo looks at times.
fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    if std::fs::read(file).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let folder = file.parent().context("a file lies in a folder")?;
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(file, bytes))
        .with_context(|| format!("{} cannot be written", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_more_in_the_tree_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new] = ["tests/old.rs", "tests/new/main.rs"].map(|f| folder.path().join(f));
        write(&old, b"old").unwrap();
        write(&new, b"new").unwrap();
        remove_others(folder.path(), &BTreeSet::from([new.clone()])).unwrap();
        assert!(!old.exists() && new.exists());
    }
}
