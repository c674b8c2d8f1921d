//! In which blocks the host launches: what it asks says what the plan says, and every way to break it is noticed.

use mesi_launch::{Case, Size};
use mesi_mutate::blocks::{self, MUTATIONS, Subject};
use mesi_mutate::host_launches::Shape;
use mesi_mutate::source;
use mesi_oracle::{Kernel, Program, Reference, Schedule};
use std::path::PathBuf;
use std::sync::Mutex;

/// The chip that launches are planned for.
const SM: u32 = 90;

fn cuda() -> Option<PathBuf> {
    let cuda = source::cuda().unwrap_or_else(|e| panic!("{e}"));
    if cuda.is_none() {
        eprintln!("skipped: no CUDA toolkit is found");
    }
    cuda
}

fn subject(cuda: &std::path::Path, name: &str) -> Option<Subject> {
    let corpus = source::corpus(name).expect("a corpus kernel");
    let text = source::compile_for(&corpus, cuda, SM).expect("compiles");
    Subject::of(&corpus, &text, SM).unwrap_or_else(|e| panic!("{name}: {e:#}"))
}

/// Launches in other blocks, those of them with threads more, and those with more rows or fewer layers.
#[derive(Default, Debug)]
struct Counts {
    kernels: usize,
    changed: usize,
    more: usize,
    rows: usize,
    wide: usize,
}

#[test]
fn the_host_deals_threads_out_as_planned() {
    let Some(cuda) = cuda() else { return };
    let all = Mutex::new(Counts::default());
    let look = |name: &str| {
        if let Some(subject) = subject(&cuda, name) {
            hold(name, &subject, &all);
        }
    };
    source::for_all_kernels(look).expect("the corpus is there");
    let counts = all.into_inner().expect("no panic");
    println!("{counts:?}");
    assert!(
        counts.kernels > 50
            && counts.changed > 1000
            && counts.more > 100
            && counts.rows > 10
            && counts.wide > 100,
        "{counts:?}"
    );
}

/// All threads that there were, along x and y less than a block's more.
fn hold(name: &str, subject: &Subject, all: &Mutex<Counts>) {
    let wrong = subject.wrong(&subject.text).expect("runs");
    let mut all = all.lock().expect("no panic");
    assert!(wrong.is_empty(), "{name}: {}", wrong.join("\n"));
    all.kernels += 1;
    for (case, other) in &subject.launches {
        let Some([block, grid]) = other else { continue };
        let threads =
            |b: [u32; 3], g: [u32; 3]| [0, 1, 2].map(|d| u64::from(b[d]) * u64::from(g[d]));
        let ([had, up, deep], [has, rows, layers]) =
            (threads(case.block, case.grid), threads(*block, *grid));
        assert!(has >= had && has - had < u64::from(block[0]), "{name}");
        assert!(rows >= up && rows - up < u64::from(block[1]), "{name}");
        assert_eq!(deep, layers, "{name}");
        assert!(grid[1..].iter().all(|n| *n <= 65_535), "{name}");
        all.changed += 1;
        all.wide += usize::from(block[1] > case.block[1] || block[2] < case.block[2]);
        all.more += usize::from(has > had);
        all.rows += usize::from(rows > up);
    }
}

#[test]
fn every_way_to_break_that_is_noticed() {
    let Some(cuda) = cuda() else { return };
    let subjects = [
        "row_max",
        "saxpy",
        "softmax_rows",
        "stencil7_3d",
        "mm_early",
    ]
    .map(|n| subject(&cuda, n).expect("is dealt out"));
    for (name, _) in MUTATIONS {
        let mut texts = subjects.iter().flat_map(|s| {
            let broken = s.broken(name).expect("a mutation");
            broken.into_iter().map(move |t| (s, t))
        });
        // What does not compile is no mutant.
        let noticed = texts.any(|(s, t)| s.wrong(&t).is_ok_and(|w| !w.is_empty()));
        assert!(noticed, "{name} is not noticed");
    }
}

/// Holds each kernel in other blocks against its original in its own, on every small case in all shapes that `others` gives; how many launches.
fn hold_bits(names: &[&str], others: impl Fn(&Case) -> Vec<Shape>) -> usize {
    let Some(cuda) = cuda() else {
        return usize::MAX;
    };
    let mut launches = 0;
    for name in names {
        let corpus = source::corpus(name).expect("a corpus kernel");
        let text = source::compile(&corpus, &cuda).expect("compiles");
        let staged = blocks::staged(&corpus, &text).expect("is staged");
        let load =
            |text: &str| Program::parse(name, text.as_bytes(), Kernel::Of(&corpus)).expect("loads");
        let (mut original, mut staged) = (load(&text), load(&staged));
        for case in corpus.cases(Size::Small) {
            let schedules = [Schedule::Forward];
            let reference = Reference::new(&mut original, &case, &schedules).expect("runs");
            for [block, grid] in others(&case) {
                let other = Case {
                    block,
                    grid,
                    ..case.clone()
                };
                let found = reference.diff_launched(&mut staged, &other).expect("runs");
                let lines: Vec<String> = found.0.iter().map(ToString::to_string).collect();
                assert!(
                    lines.is_empty(),
                    "{name} by {block:?}: {}",
                    lines.join("\n")
                );
                launches += 1;
            }
        }
    }
    launches
}

/// Kernels whose threads go to other blocks, smaller and larger, some with threads more.
#[test]
fn other_blocks_give_the_same_bits() {
    let names = [
        "saxpy",
        "mavg_edges",
        "row_max",
        "kmeans",
        "histogram",
        "mv_col",
        "softmax_rows",
    ];
    let launches = hold_bits(&names, |case| {
        let ([_, y, z], [_, gy, gz]) = (case.block, case.grid);
        let threads = case.block[0] * case.grid[0];
        let by = |x: u32| [[x, y, z], [threads.div_ceil(x), gy, gz]];
        [32, 96, 256].map(by).to_vec()
    });
    assert!(launches > 100, "{launches}");
}

/// Blocks in rows of other lengths, some with threads more, and of one layer.
#[test]
fn long_rows_give_the_same_bits() {
    let names = [
        "mm_early",
        "conv2d_clamp",
        "stencil5",
        "stencil_r4_3d",
        "transpose",
    ];
    let launches = hold_bits(&names, |case| {
        let [x, y, z] = [0, 1, 2].map(|d| case.block[d] * case.grid[d]);
        let whole = y.is_multiple_of(8);
        let shape = [[32, 8, 1], [x.div_ceil(32), y / 8, z]];
        whole.then_some(shape).into_iter().collect()
    });
    assert!(launches > 40, "{launches}");
}

/// Kernels that are refused: with their threads in other blocks the oracle sees other bits.
#[test]
fn what_is_refused_would_differ() {
    let Some(cuda) = cuda() else { return };
    for name in ["papers_bc", "own_shared", "own_reduction"] {
        assert!(subject(&cuda, name).is_none(), "{name} is not refused");
        let corpus = source::corpus(name).expect("a corpus kernel");
        let text = source::compile(&corpus, &cuda).expect("compiles");
        let mut program =
            Program::parse(name, text.as_bytes(), Kernel::Of(&corpus)).expect("loads");
        let schedules = [Schedule::Forward];
        let differs = |case: &Case| {
            let [x, y, z] = case.block;
            if x < 2 || x % 2 == 1 {
                return false;
            }
            let mut other = case.clone();
            (other.block, other.grid[0]) = ([x / 2, y, z], case.grid[0] * 2);
            let reference = Reference::new(&mut program, case, &schedules).expect("runs");
            let found = reference.diff_launched(&mut program, &other).expect("runs");
            !found.0.is_empty()
        };
        assert!(corpus.cases(Size::Small).iter().any(differs), "{name}");
    }
}
