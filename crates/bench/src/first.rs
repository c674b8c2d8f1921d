//! `--first`: the first ten launches of each row, summed, as programs do them.
//!
//! All else in the bench launches by the driver, and picks by rules of its own. Here a program does that links each corpus file twice, by
//! clang alone and with the plug-in (`mesi_unseen::program`): its launches go through the run-time part, with an empty cache, and the host's clock runs
//! from before each launch until the GPU is idle.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use mesi_unseen::judge::First;
use mesi_unseen::pieces::{Pieces, rounds};

use crate::results::{FirstTen, Results, Row};
use crate::tasks::{Bundle, Choice, Task};

/// The program's name in a bundle.
pub const PROGRAM: &str = "first";
/// Rows of one process.
const PIECE: usize = 100;

/// Runs the rows of `tasks`; `shown` gets each as it comes.
pub fn run(bundle: &Bundle, tasks: &[Task], shown: &mut dyn FnMut(&Row)) -> Result<Vec<Row>> {
    let program = bundle.root.join(PROGRAM);
    if !program.exists() {
        bail!("the bundle has no program for first launches, build it by --first");
    }
    let pieces = Pieces {
        program: &program,
        more: &["--first".into()],
        environment: Vec::new(),
    };
    let places = places(bundle)?;
    if pieces.count()? != places.len() {
        bail!(
            "{} is of another corpus, build the bundle again",
            program.display()
        );
    }
    let scratch = tempfile::tempdir().context("no temporary folder")?;
    let mut rows = Vec::new();
    let kernels = tasks.iter().map(|t| t.row().kernel);
    for (i, part) in rounds(kernels, PIECE).into_iter().enumerate() {
        let part: Vec<&Task> = part.into_iter().map(|n| &tasks[n]).collect();
        let place = |t: &Task| places.get(&t.row().key()).copied();
        let list: Vec<usize> = part.iter().filter_map(|t| place(t)).collect();
        let mut failed = Vec::new();
        let cache = scratch.path().join(i.to_string());
        let found = pieces.run::<First>(&cache, list, &mut failed)?;
        for task in part {
            let first = place(task).and_then(|p| found.get(&p));
            let row = row(task, first);
            shown(&row);
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Where in the program each row of the headers is: it has them all, in order.
fn places(bundle: &Bundle) -> Result<BTreeMap<String, usize>> {
    let all = bundle.tasks(&Choice::default())?;
    let keys = all.iter().map(|t| t.row().key());
    Ok(keys.enumerate().map(|(i, key)| (key, i)).collect())
}

fn row(task: &Task, first: Option<&First>) -> Row {
    let mut row = task.row();
    row.problem = match first {
        None => Some("the process ended in the first ten launches".into()),
        Some(f) if format!("{} {}", f.kernel, f.label) != row.key() => Some(format!(
            "the program ran {} {} in its place",
            f.kernel, f.label
        )),
        Some(f) if !f.equal => Some("other bits after the first launch".into()),
        Some(_) => None,
    };
    row.first = first.filter(|_| row.problem.is_none()).map(|f| FirstTen {
        clang: f.first_clang,
        mesi: f.first_mesi,
        again: f.first_again,
    });
    row
}

/// Adds the rows to what an earlier run of the same bundle on the same chip found, if `path` holds that.
pub fn add_to(path: &Path, results: Results) -> Results {
    let Ok(mut earlier) = Results::read(path) else {
        return results;
    };
    if earlier.versions != results.versions || earlier.chip.name != results.chip.name {
        return results;
    }
    for row in results.rows {
        match earlier.rows.iter_mut().find(|r| r.key() == row.key()) {
            Some(there) => {
                there.first = row.first;
                there.problem = row.problem.or(there.problem.take());
            }
            None => earlier.rows.push(row),
        }
    }
    earlier
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::manifest::{FORMAT, Image, Manifest, Versions};
    use crate::report;
    use crate::results;

    const HEADER: &str = "// ```toml\n// kernel = \"k\"\n// arg = [{ name = \"x\", type = \"f32\", count = \"n\" }]\n// [sizes]\n// n = { small = [1], large = 4000000 }\n// [launch]\n// blocks = [[256, 1, 1]]\n// grid = [\"(n + bx - 1) / bx\", 1, 1]\n// ```\n";

    fn bundle(root: &Path) -> Bundle {
        Bundle {
            root: root.into(),
            manifest: Manifest {
                format: FORMAT,
                arch: "sm_90".into(),
                versions: Versions::default(),
                support: Image::default(),
                kernels: vec![crate::manifest::Entry {
                    name: "k".into(),
                    header: "k.cu".into(),
                    images: vec![],
                    variants: vec![],
                }],
            },
            corpus: vec![mesi_launch::Corpus::parse("k.cu", HEADER).unwrap()],
        }
    }

    /// A program that prints `lines`, one for each row by number, and `count` rows.
    fn program(root: &Path, count: usize, lines: &str) {
        let path = root.join(PROGRAM);
        let text = format!(
            "#!/bin/sh\n[ \"$1\" = --count ] && echo {count} && exit\nfor i in \"$@\"; do\ncase $i in\n{lines}\n*) ;;\nesac\ndone\n"
        );
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn line(i: usize, key: &str, mesi: f64, equal: bool) -> String {
        let (kernel, label) = key.split_once(' ').unwrap();
        format!(
            "{i}) echo '{{\"row\":{i},\"kernel\":\"{kernel}\",\"label\":\"{label}\",\"first_clang\":100,\"first_mesi\":{mesi},\"first_again\":99,\"equal\":{equal}}}';;\n"
        )
    }

    fn ran(root: &Path, lines: &dyn Fn(&[String]) -> String) -> Result<Vec<Row>> {
        let bundle = bundle(root);
        let tasks = bundle.tasks(&Choice::default()).unwrap();
        let keys: Vec<String> = tasks.iter().map(|t| t.row().key()).collect();
        program(root, keys.len(), &lines(&keys));
        run(&bundle, &tasks, &mut |_| ())
    }

    #[test]
    fn sums_are_the_rows_and_the_report_has_them() {
        let folder = tempfile::tempdir().unwrap();
        let rows = ran(folder.path(), &|keys| {
            let all = keys.iter().enumerate();
            all.map(|(i, k)| line(i, k, if i == 0 { 125.0 } else { 50.0 }, true))
                .collect()
        })
        .unwrap();
        assert!(rows.len() > 1 && rows.iter().all(|r| r.problem.is_none()));
        assert_eq!(rows[0].first_gain(), Some(0.8));
        let found = Results {
            format: results::FORMAT,
            rows: rows.clone(),
            ..Results::default()
        };
        let text = report::summary(&found);
        let key = rows[0].key();
        for part in [
            format!(
                "over {} rows, 1 below x0.85, least x0.80 ({key})",
                rows.len()
            ),
            format!("\n  x0.800 {key}"),
            "clang against itself: least x1.01".into(),
        ] {
            assert!(text.contains(&part), "{part}: {text}");
        }
        // Read again, and put to what was there.
        let path = folder.path().join("results.json");
        let mut earlier = found.clone();
        earlier.rows[0].first = None;
        earlier.rows[0].clock = 1500;
        earlier.write(&path).unwrap();
        let both = add_to(&path, found.clone());
        assert_eq!(both.rows.len(), rows.len());
        assert_eq!(both.rows[0].clock, 1500);
        assert_eq!(both.rows[0].first_gain(), Some(0.8));
        // Not to those of another bundle.
        let mut other = found;
        other.versions.commit = "another".into();
        assert_eq!(add_to(&path, other).rows[0].clock, 0);
    }

    #[test]
    fn what_fails_or_differs_has_no_figure() {
        let folder = tempfile::tempdir().unwrap();
        let rows = ran(folder.path(), &|keys| {
            let first = line(0, &keys[0], 50.0, false);
            first + "1) exit 1;;\n" + &line(2, "other large n=1", 50.0, true)
        })
        .unwrap();
        let problem = |i: usize| rows[i].problem.clone().unwrap_or_default();
        assert_eq!(problem(0), "other bits after the first launch");
        assert!(
            problem(1).contains("ended in the first ten"),
            "{}",
            problem(1)
        );
        assert!(problem(2).contains("other large n=1"), "{}", problem(2));
        assert!(rows.iter().all(|r| r.first.is_none()));
    }

    #[test]
    fn a_bundle_without_the_program_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let bundle = bundle(folder.path());
        let tasks = bundle.tasks(&Choice::default()).unwrap();
        let why = run(&bundle, &tasks, &mut |_| ()).unwrap_err().to_string();
        assert!(why.contains("build it by --first"), "{why}");
        program(folder.path(), 1, "");
        let why = run(&bundle, &tasks, &mut |_| ()).unwrap_err().to_string();
        assert!(why.contains("another corpus"), "{why}");
    }
}
