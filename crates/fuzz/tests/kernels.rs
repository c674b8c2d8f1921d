//! A fixed batch of random kernels, and every kernel that was ever wrong.

use std::path::Path;
use std::process::Command;

use mesi_fuzz::generate::generate;
use mesi_fuzz::replay::replay;
use mesi_fuzz::{launch, ranges, shrink, worker};

#[test]
fn a_batch_of_random_kernels() {
    let out = tempfile::tempdir().expect("a temporary folder");
    let run = Command::new(env!("CARGO_BIN_EXE_mesi-fuzz"))
        .args(["--count", "200", "--seed", "7", "--out"])
        .arg(out.path())
        .output()
        .expect("mesi-fuzz starts");
    let text = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{text}");
    let share = |name: &str| -> f64 {
        let row = text
            .lines()
            .find(|l| l.starts_with(&format!("| {name} |")))
            .unwrap_or_else(|| panic!("no row {name} in\n{text}"));
        row.rsplit('|')
            .nth(1)
            .and_then(|s| s.trim().trim_end_matches('%').parse().ok())
            .unwrap_or_else(|| panic!("no share in {row}"))
    };
    assert!(
        share("staged at force") >= 50.0,
        "too few kernels are staged:\n{text}"
    );
    assert!(
        share("run: staged body") >= 40.0,
        "too few staged bodies run:\n{text}"
    );
}

#[test]
fn every_kernel_that_was_wrong_is_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of regressions")
        .map(|f| f.expect("an entry").path())
        .collect();
    assert!(!files.is_empty(), "no regressions found");
    for file in files
        .iter()
        .filter(|f| f.extension().is_some_and(|e| e == "ll"))
    {
        let verdict = replay(file).unwrap_or_else(|e| panic!("{e}"));
        assert!(
            verdict.launches > 0,
            "{}: {}",
            file.display(),
            verdict.dropped_why
        );
        // What the plug-in has learnt not to stage is called `no-…`; blocks may be merged all the same.
        let refused = file
            .file_name()
            .is_some_and(|n| n.to_string_lossy().starts_with("no-"));
        let tiles = |f: &String| ["plan: strip", "plan: whole region"].contains(&f.as_str());
        assert!(
            refused != verdict.features.iter().any(tiles),
            "{}: staged or not, against its name: {:?}",
            file.display(),
            verdict.features
        );
        assert!(
            verdict.variants > 0 || refused,
            "{}: no variant changed the kernel",
            file.display()
        );
        assert!(
            verdict.failures.is_empty(),
            "{}: {:#?}",
            file.display(),
            verdict.failures
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_kernel() {
    let (a, b) = (generate(42), generate(42));
    assert_eq!(a.kernel, b.kernel);
    assert_eq!(a.ranges, b.ranges);
    assert_ne!(a.kernel, generate(43).kernel);
}

#[test]
fn every_cut_gives_another_kernel() {
    let kernel = generate(11).kernel;
    let count = shrink::cuts(&kernel);
    assert!(count > 20);
    for n in 0..count {
        assert_ne!(
            shrink::cut(&kernel, n).expect("a cut of that number"),
            kernel,
            "cut {n}"
        );
    }
    assert!(shrink::cut(&kernel, count).is_none());
}

#[test]
fn launches_survive_as_text() {
    for seed in 0..30 {
        let g = generate(seed);
        let lengths = launch::module_lengths(&g.kernel, &g.ranges);
        for (shape, r) in g.kernel.shapes.iter().zip(&g.ranges) {
            let mut case = launch::case(&g.kernel, shape, r, &lengths);
            // Only told apart for messages.
            case.alias = None;
            assert_eq!(
                launch::from_text(&launch::to_text(&case)).expect("what was written"),
                case
            );
        }
    }
}

/// Exact buffers are what makes a copy that reads too far visible.
#[test]
fn a_buffer_one_element_short_is_out_of_bounds() {
    let mut seen = 0;
    for seed in 0..20 {
        let g = generate(seed);
        let Ok(made) = worker::make(&g.kernel, &g.ranges, false, None) else {
            continue;
        };
        let mut program =
            mesi_oracle::Program::parse("kernel", &made.base, mesi_oracle::Kernel::Only)
                .expect("runs");
        for (case, r) in made.cases.iter().zip(&g.ranges) {
            let clean = program
                .run(
                    case,
                    mesi_oracle::Schedule::Forward,
                    mesi_oracle::Checks::Full,
                )
                .expect("runs");
            if case.alias.is_some() || !clean.reports.is_empty() {
                continue;
            }
            let written = (0..r.len()).find(|n| {
                shrink::writes(&g.kernel.body, *n)
                    && r[*n].hi > 0
                    && g.kernel.buffers[*n].fields.len() == 1
            });
            let Some(n) = written else { continue };
            let mut short = case.clone();
            let Some(buffer) = short.buffers.iter_mut().find(|b| b.name == ranges::name(n)) else {
                continue;
            };
            buffer.count -= 1;
            let outcome = program
                .run(
                    &short,
                    mesi_oracle::Schedule::Forward,
                    mesi_oracle::Checks::Full,
                )
                .expect("runs");
            seen += usize::from(
                outcome
                    .reports
                    .iter()
                    .any(|r| r.defect == mesi_oracle::Defect::OutOfBounds),
            );
        }
    }
    assert!(seen >= 5, "{seen} of 20 kernels were caught");
}
