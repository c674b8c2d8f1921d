//! Runs a bundle's program for some rows at a time.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;

/// What the program prints of a row.
pub trait Printed: DeserializeOwned {
    /// The row's number.
    fn row(&self) -> usize;
}

/// A program and how it is run.
pub struct Pieces<'a> {
    /// The program.
    pub program: &'a Path,
    /// Further arguments.
    pub more: &'a [String],
    /// Variables to set.
    pub environment: Vec<(&'a str, String)>,
}

/// Rows for processes of up to `piece` rows each, by the kernel of each row: no process launches a kernel twice, as launches of one row may be of the
/// same kind as another's, and would not be a kind's first ones.
pub fn rounds<K: Ord>(kernels: impl IntoIterator<Item = K>, piece: usize) -> Vec<Vec<usize>> {
    let mut seen: BTreeMap<K, usize> = BTreeMap::new();
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for (row, kernel) in kernels.into_iter().enumerate() {
        let before = seen.entry(kernel).or_default();
        if rounds.len() == *before {
            rounds.push(Vec::new());
        }
        rounds[*before].push(row);
        *before += 1;
    }
    let pieces = rounds.iter().flat_map(|r| r.chunks(piece.max(1)));
    pieces.map(<[usize]>::to_vec).collect()
}

impl Pieces<'_> {
    /// How many rows it has.
    pub fn count(&self) -> Result<usize> {
        let said = self.ask("--count")?;
        said.trim()
            .parse()
            .context("the program does not say how many rows it has")
    }

    /// The kernel of each row.
    pub fn kernels(&self) -> Result<Vec<String>> {
        let said = self.ask("--kernels")?;
        Ok(said.lines().map(String::from).collect())
    }

    fn ask(&self, what: &str) -> Result<String> {
        let said = Command::new(self.program).arg(what).output();
        let said = said.with_context(|| format!("{} cannot be started", self.program.display()))?;
        Ok(String::from_utf8_lossy(&said.stdout).into_owned())
    }

    /// Rows of one process, with `cache` as its folder of choices unless the user has set one; where it dies, the row it was at counts as failed and
    /// another process goes on.
    pub fn run<R: Printed>(
        &self,
        cache: &Path,
        mut list: Vec<usize>,
        failed: &mut Vec<usize>,
    ) -> Result<BTreeMap<usize, R>> {
        let mut rows: BTreeMap<usize, R> = BTreeMap::new();
        while !list.is_empty() {
            // Five seconds a row and one minute for the start: a hang ends there.
            let limit = format!("{}", 60 + 5 * list.len());
            let mut command = Command::new("timeout");
            command
                .arg(limit)
                .arg(self.program)
                .args(list.iter().map(ToString::to_string))
                .args(self.more)
                .envs(self.environment.iter().map(|(n, v)| (n, v)));
            if std::env::var_os("MESI_CACHE_DIR").is_none() {
                command.env("MESI_CACHE_DIR", cache);
            }
            let output = command
                .stderr(Stdio::inherit())
                .output()
                .context("the program cannot be started")?;
            for line in String::from_utf8_lossy(&output.stdout).lines() {
                let row: R =
                    serde_json::from_str(line).with_context(|| format!("no row: {line}"))?;
                rows.insert(row.row(), row);
            }
            let before = list.len();
            list.retain(|i| !rows.contains_key(i));
            if output.status.success() || list.is_empty() {
                break;
            }
            if rows.is_empty() && list.len() == before && failed.len() > 20 {
                bail!("more than 20 rows failed, see above");
            }
            failed.push(list.remove(0));
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[derive(serde::Deserialize)]
    struct Only {
        row: usize,
        cache: String,
    }

    impl Printed for Only {
        fn row(&self) -> usize {
            self.row
        }
    }

    #[test]
    fn no_process_launches_a_kernel_twice() {
        let kernels = ["a", "a", "b", "a", "b", "c"];
        assert_eq!(
            rounds(kernels, 2),
            [vec![0, 2], vec![5], vec![1, 4], vec![3]]
        );
        assert_eq!(rounds(kernels, 0).len(), 6);
    }

    #[test]
    fn a_row_that_ends_the_process_has_failed_and_others_go_on() {
        let folder = std::env::temp_dir().join(format!("mesi-pieces-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let program = folder.join("program.sh");
        let text = "#!/bin/sh\n[ \"$1\" = --count ] && echo 5 && exit\nfor i in \"$@\"; do\n[ $i = 2 ] && exit 1\n[ $i = -x ] || echo \"{\\\"row\\\":$i,\\\"cache\\\":\\\"$MESI_CHOICE\\\"}\"\ndone\n";
        std::fs::write(&program, text).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let pieces = Pieces {
            program: &program,
            more: &["-x".into()],
            environment: vec![("MESI_CHOICE", "pin:*=1".into())],
        };
        assert_eq!(pieces.count().unwrap(), 5);
        let mut failed = Vec::new();
        let rows = pieces.run::<Only>(&folder.join("cache"), (0..5).collect(), &mut failed);
        let rows = rows.unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(rows.keys().copied().collect::<Vec<_>>(), [0, 1, 3, 4]);
        assert_eq!(failed, [2]);
        assert!(rows.values().all(|r| r.cache == "pin:*=1"));
    }
}
