//! Holds the model's predictions against times measured on an H200 (docs/bench.md).
//!
//! Every corpus kernel is planned as with `force`; the prediction for the launch that was measured
//! must rank the kernels as the GPU did, and the decision that typical launches lead to must take
//! no kernel that lost. And the default plan, asked about each row of docs/bench, must rank the rows.
//! `cargo test --test model_corpus -- --nocapture` prints the tables.

mod support;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use mesi::affine::Analyzed;
use mesi::llvm::ir::Module;
use mesi::machine::target::Target;
use mesi::options::Options;
use mesi::plan::model::{self, Forecast, Launch, Prediction, Query, Shape};
use mesi::plan::{self, Analyses, KernelPlan, Plan};
use mesi::{kernel, tree};
use mesi_bench::results::{self as bench, Results};
use mesi_launch::{Corpus, Size};
use std::path::Path;
use std::sync::Mutex;
use support::spearman;

/// The chip that was measured.
const SM: u32 = 90;
/// Rank correlation that the model must keep.
const LEAST_CORRELATION: f64 = 0.8;
/// The same within one class of size.
const LEAST_OF_CLASS: f64 = 0.7;
/// A class of fewer rows says little: its correlation is only printed.
const FEW_ROWS: usize = 18;

/// One row of the table.
struct Row {
    name: String,
    measured_ms: f64,
    measured_gain: f64,
    exact: Prediction,
    typical: Forecast,
    /// Whether the plan would be taken, and serve the measured launch.
    taken: bool,
}

#[test]
fn ranks_the_corpus_as_the_gpu_did() {
    let Some(cuda) = support::cuda() else {
        return;
    };
    let measured = recorded();
    assert!(measured.len() > 60, "docs/bench.md has its table");
    let rows = Mutex::new(Vec::new());
    support::in_parallel(&measured, |(name, ms, gain)| {
        if let Some((exact, typical, taken)) =
            predicted(&cuda, name).filter(|_| is_as_measured(&cuda, name))
        {
            let row = Row {
                name: name.clone(),
                measured_ms: *ms,
                measured_gain: *gain,
                exact,
                typical,
                taken,
            };
            rows.lock().expect("no test thread died").push(row);
        }
    });
    let mut rows = rows.into_inner().expect("no test thread died");
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    rows.iter().for_each(print_row);
    let ranks = |p: &dyn Fn(&Row) -> f64| {
        let pairs: Vec<(f64, f64)> = rows.iter().map(|r| (r.measured_gain, p(r))).collect();
        spearman(&pairs)
    };
    let times: Vec<(f64, f64)> = rows
        .iter()
        .map(|r| (r.measured_ms, r.exact.before_us))
        .collect();
    let exact = ranks(&|r| r.exact.gain());
    let typical = ranks(&|r| r.typical.large().map_or(1.0, Prediction::gain));
    println!(
        "{} kernels, rank correlation: gain of the measured launch {exact:.3}, of typical ones {typical:.3}, plain time {:.3}",
        rows.len(),
        spearman(&times)
    );
    let wrong: Vec<&str> = rows
        .iter()
        .filter(|r| r.taken && r.measured_gain < 0.97)
        .map(|r| r.name.as_str())
        .collect();
    assert!(wrong.is_empty(), "taken though they lost: {wrong:?}");
    assert!(exact >= LEAST_CORRELATION, "{exact:.3}");
}

fn print_row(r: &Row) {
    let typical: Vec<String> = r
        .typical
        .sizes
        .iter()
        .map(|p| format!("x{:.2}", p.gain()))
        .collect();
    let taken = match (r.taken, r.typical.least_trip) {
        (true, Some((l, t))) => format!("taken if {l} runs {t} times"),
        (true, None) => "taken".to_string(),
        _ => "-".to_string(),
    };
    println!(
        "{:18} measured {:8.3} ms x{:<5.2} predicted {:8.3} ms x{:<5.2} {:10} -> {:10} {} typical {} {taken}",
        r.name,
        r.measured_ms,
        r.measured_gain,
        r.exact.before_us / 1e3,
        r.exact.gain(),
        r.exact.bound_before.to_string(),
        r.exact.bound.to_string(),
        if r.exact.serves { " " } else { "!" },
        typical.join(" ")
    );
}

/// The rows of docs/bench, each asked about by its own launch: what is predicted must rank those whose
/// code changed as the GPU did, and in each class of size. Rows measured with other tiles than are
/// planned today are left out.
#[test]
fn ranks_the_rows_of_the_bench() {
    let Some(cuda) = support::cuda() else {
        return;
    };
    let path = support::root().join("docs/bench/results.json");
    let results = Results::read(&path).unwrap_or_else(|e| panic!("{e:#}"));
    let mut names: Vec<&str> = results.rows.iter().map(|r| r.kernel.as_str()).collect();
    names.dedup();
    let found = Mutex::new(Vec::new());
    support::in_parallel(&names, |name| {
        let rows = results.rows.iter().filter(|r| r.kernel == *name);
        let pairs = gains(&cuda, name, &rows.collect::<Vec<_>>());
        found.lock().expect("no test thread died").extend(pairs);
    });
    let found = found.into_inner().expect("no test thread died");
    let of = |class: &str| -> Vec<(f64, f64)> {
        let mine = found
            .iter()
            .filter(|(c, ..)| class.is_empty() || c == class);
        mine.map(|(_, predicted, gain)| (*predicted, *gain))
            .collect()
    };
    assert!(
        found.len() > 100,
        "docs/bench has its rows: {}",
        found.len()
    );
    for class in ["", "large", "l2", "odd", "grid"] {
        let pairs = of(class);
        let correlation = spearman(&pairs);
        println!(
            "{:6} {:3} rows: {correlation:.3}",
            if class.is_empty() { "all" } else { class },
            pairs.len()
        );
        let least = if class.is_empty() {
            LEAST_CORRELATION
        } else {
            LEAST_OF_CLASS
        };
        let says_little = pairs.len() < FEW_ROWS;
        assert!(
            says_little || correlation >= least,
            "{class}: {correlation:.3}"
        );
    }
}

/// Class, predicted and measured gain of a kernel's rows whose code changed.
fn gains(cuda: &Path, name: &str, rows: &[&bench::Row]) -> Vec<(String, f64, f64)> {
    let file = support::root().join(format!("corpus/{name}.cu"));
    let corpus = Corpus::read(&file).unwrap_or_else(|e| panic!("{e}"));
    let target = Target::of_sm(SM).expect("a known chip");
    let pairs = with_plan(cuda, name, Options::default(), |f, plan| {
        let shared =
            plan.versions().map(|p| p.shared_bytes).max().unwrap_or(0) + f.kernel.own_shared;
        // The prediction is of the plan's own versions. Of copies, and of what is written in another way, it says nothing.
        let versions = plan.versions().filter(|p| !p.is_idle()).count();
        let pair = |row: &&bench::Row| {
            let cell = row.cell("mesi").filter(|c| c.same_as.is_none())?;
            if cell.versions.len() != versions {
                return None;
            }
            let mine = corpus.bench_rows().iter();
            let launch = mine.into_iter().find(|r| r.case.label == row.label)?;
            let queries = Query::parse(&launch.as_option()).unwrap_or_else(|e| panic!("{e}"));
            let predicted = model::answer(f, plan, target, &queries[0], true);
            let as_measured = cell.shared == Some(shared);
            as_measured.then_some((row.class.clone(), predicted.prediction.gain(), cell.ratio?))
        };
        rows.iter().filter_map(pair).collect()
    });
    pairs.unwrap_or_default()
}

/// Kernel, plain milliseconds and gain at `force`, of the rows with different text.
fn recorded() -> Vec<(String, f64, f64)> {
    let path = support::root().join("docs/bench.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let gain = cells.get(4)?.strip_prefix('x')?.parse().ok()?;
        Some((cells[1].to_string(), cells[2].parse().ok()?, gain))
    };
    text.lines().filter_map(row).collect()
}

/// Predictions for one kernel: of its measured launch, and of typical ones, and whether it would be
/// taken and serve the measured launch. `None`: nothing is staged.
fn predicted(cuda: &Path, name: &str) -> Option<(Prediction, Forecast, bool)> {
    planned(cuda, name, |f, plan, launch| {
        let target = Target::of_sm(SM).expect("a known chip");
        let shape = Shape::of(plan);
        let exact = model::predict(f, plan, target, shape, &launch);
        let typical = model::forecast(f, plan, target, shape);
        let long = typical
            .least_trip
            .is_none_or(|(l, t)| launch.trip(l) >= t as f64);
        let taken = model::verdict(&typical) && exact.serves && long;
        (exact, typical, taken)
    })
}

/// Whether the plan is of the kind that the table was measured with: before arrays that are only
/// stored could have tiles. NB: with a new table this goes.
fn is_as_measured(cuda: &Path, name: &str) -> bool {
    let same = planned(cuda, name, |_, plan, _| {
        let tiles = || plan.regions.iter().flat_map(|r| &r.tiles);
        !tiles().any(|t| t.members.iter().all(|m| m.is_store))
    });
    same == Some(true)
}

/// Hands a kernel's plan at `force`, and its measured launch, to `ask`. `None`: nothing is staged.
fn planned<T>(
    cuda: &Path,
    name: &str,
    ask: impl FnOnce(&Analyses, &Plan, Launch) -> T,
) -> Option<T> {
    let file = support::root().join(format!("corpus/{name}.cu"));
    let corpus = Corpus::read(&file).unwrap_or_else(|e| panic!("{e}"));
    let case = corpus.cases(Size::Large).into_iter().next()?;
    // The table was measured before blocks were merged and strips were in flight; the variants by hand say so themselves.
    let options = Options {
        force: true,
        merge: Some([1; 3]),
        overlap: false,
        ..Options::default()
    };
    let queries = Query::parse(&case.as_option()).unwrap_or_else(|e| panic!("{e}"));
    let answer = with_plan(cuda, name, options, |f, plan| {
        let (launch, _) = model::launch(f, &queries[0]);
        let first = &plan.first;
        (!first.regions.is_empty()).then(|| ask(f, first, launch))
    });
    answer.flatten()
}

/// Hands a kernel's plan to `ask`. `None`: it cannot be lifted.
fn with_plan<T>(
    cuda: &Path,
    name: &str,
    options: Options,
    ask: impl FnOnce(&Analyses, &KernelPlan) -> T,
) -> Option<T> {
    let file = support::root().join(format!("corpus/{name}.cu"));
    let corpus = Corpus::read(&file).unwrap_or_else(|e| panic!("{e}"));
    let text = support::before_plugin(cuda, &file, SM);
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), name);
    let module = context
        .create_module_from_ir(buffer)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    let raw = Module::new(module.as_mut_ptr());
    let function = raw
        .functions()
        .into_iter()
        .find(|f| f.is_kernel() && corpus.names(&f.name()))
        .expect("the kernel is there");
    let kernel = kernel::collect(function, SM, None);
    let tree = tree::structure(&kernel)?;
    let found = Analyzed::of(&kernel, tree);
    let f = Analyses::of(&kernel, &found);
    let plan = plan::make(&f, &options, None, plan::Candidates::Expected);
    Some(ask(&f, &plan))
}

/// Variants written by hand, with what they gained over the naive kernel on an H200: the model must
/// rank strips, depths, widths and merges as they did.
#[test]
fn ranks_variants_written_by_hand() {
    let Some(cuda) = support::cuda() else {
        return;
    };
    let plain = Shape {
        length: 32,
        depth: 1,
        width: 4,
        merge: [1; 3],
        consecutive: false,
    };
    let ahead = |length, depth, width| Shape {
        length,
        depth,
        width,
        ..plain
    };
    let merged = |x, y, length, depth| Shape {
        merge: [x, y, 1],
        ..ahead(length, depth, 16)
    };
    let row = |n: f64| [n, 1.0, 1.0];
    let square = |n: f64| [n, n, 1.0];
    // Kernel, block, what, measured gain.
    let measured = [
        ("mm_early", square(16.0), ahead(16, 1, 4), 1.68),
        ("mm_early", square(32.0), plain, 1.75),
        ("mm_early", square(16.0), merged(4, 4, 16, 2), 7.1),
        ("mm_double", square(16.0), merged(4, 4, 16, 2), 5.9),
        ("mm_int", square(16.0), merged(4, 4, 16, 2), 4.9),
        ("mm_nt", square(16.0), merged(4, 4, 16, 2), 36.0),
        ("mv_row", row(256.0), ahead(8, 3, 16), 2.5),
        ("mv_row", row(128.0), ahead(16, 4, 16), 4.3),
        ("mv_row", row(64.0), ahead(32, 4, 16), 5.8),
        ("mv_row", row(256.0), ahead(8, 3, 4), 1.9),
        ("mv_row", row(128.0), ahead(16, 4, 4), 2.7),
        ("mv_row", row(64.0), ahead(32, 4, 4), 3.5),
        ("mv_col", row(256.0), plain, 0.47),
        ("mv_col", row(256.0), ahead(8, 4, 4), 4.0),
        ("nbody", row(256.0), plain, 2.1),
    ];
    let target = Target::of_sm(SM).expect("a known chip");
    let mut pairs = Vec::new();
    for (name, block, shape, gain) in measured {
        let p = planned(&cuda, name, |f, plan, launch| {
            let threads = |d: usize| launch.grid[d] * launch.block[d];
            let launch = Launch {
                grid: [0, 1, 2].map(|d| (threads(d) / block[d]).ceil()),
                block,
                ..launch.clone()
            };
            model::predict(f, plan, target, shape, &launch)
        });
        let p = p.expect("it is staged");
        println!(
            "{name:10} {:3}x{:<3} {shape:?}: measured x{gain}, {p}",
            block[0], block[1]
        );
        pairs.push((gain, p.gain()));
    }
    let correlation = spearman(&pairs);
    println!("rank correlation {correlation:.3}");
    assert!(correlation >= LEAST_CORRELATION, "{correlation}");
}

#[test]
fn equal_orders_correlate() {
    assert_eq!(spearman(&[(1.0, 10.0), (2.0, 20.0), (3.0, 40.0)]), 1.0);
    assert_eq!(spearman(&[(1.0, 40.0), (2.0, 20.0), (3.0, 10.0)]), -1.0);
}
