//! What the host launches, for every launch of the bench and some at random: no launch that a version of the plan serves
//! may be turned away by the kernel's gate.
//!
//! Such launches are too large for a CPU, so what serves them is asked of the plan (`plan::foretold`), which tests its own
//! facts and not the emitted IR. Small ones are run: `cargo xtask oracle`, `mesi-fuzz`.
//! `cargo test --test host_choice -- --nocapture` prints the counts.

mod support;

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use mesi::llvm::ir::Module;
use mesi::options::Options;
use mesi::plan::model::Asked;
use mesi::plan::{self, Whole};
use mesi::remark::Sink;
use mesi::{access, affine, kernel, pass, tree};
use mesi_launch::{Case, Corpus, GATE, Gate};
use std::ffi::c_void;
use std::path::Path;
use std::sync::Mutex;

/// The chip that launches are planned for.
const SM: u32 = 90;
/// Launches of each kernel drawn at random, and what from.
const DRAWN: (u64, u32) = (1, 20);

/// How many launches are served or not, and let in or not.
#[derive(Default, Debug, Clone, Copy, PartialEq, Eq)]
struct Counts {
    gates: usize,
    served: usize,
    turned_away: usize,
    /// Let in, and served by the original.
    in_vain: usize,
}

#[test]
fn launches_that_a_version_serves_are_let_in() {
    let Some(cuda) = support::cuda() else {
        return;
    };
    let files = support::files_under(&support::root().join("corpus"), &["cu"]);
    let all = Mutex::new((Counts::default(), Vec::new()));
    support::in_parallel(&files, |file| {
        let (counts, mut wrong) = held(&cuda, file);
        let mut all = all.lock().expect("no test thread died");
        all.0.gates += counts.gates;
        all.0.served += counts.served;
        all.0.turned_away += counts.turned_away;
        all.0.in_vain += counts.in_vain;
        all.1.append(&mut wrong);
    });
    let (counts, wrong) = all.into_inner().expect("no test thread died");
    println!("{counts:?}");
    assert!(
        wrong.is_empty(),
        "served, and turned away:\n{}",
        wrong.join("\n")
    );
    assert!(counts.gates > 50, "{counts:?}");
    assert!(
        counts.served > 500 && counts.turned_away > 200,
        "{counts:?}"
    );
}

/// A kernel's launches held against its gate: counts, and those that are wrongly turned away.
fn held(cuda: &Path, file: &Path) -> (Counts, Vec<String>) {
    let corpus = Corpus::read(file).unwrap_or_else(|e| panic!("{e}"));
    let drawn = corpus
        .drawn_rows(DRAWN.0, DRAWN.1)
        .unwrap_or_else(|e| panic!("{e}"));
    let rows = corpus.bench_rows().iter().chain(&drawn);
    // The host leaves launches with dynamic shared memory to the kernel.
    let cases: Vec<&Case> = rows.map(|r| &r.case).filter(|c| c.shared == 0).collect();
    let text = support::before_plugin(cuda, file, SM);
    let mut counts = Counts::default();
    let mut wrong = Vec::new();
    let Some((gate, served)) = gate_and_versions(&corpus, &text, &cases) else {
        return (counts, wrong);
    };
    counts.gates = 1;
    let context = Context::create();
    let allows = compiled(&context, &gate);
    for (case, version) in cases.into_iter().zip(served) {
        match (allows(case), version) {
            (false, Some(n)) => {
                wrong.push(format!("{} {}: version {n}", corpus.kernel, case.label))
            }
            (false, None) => counts.turned_away += 1,
            (true, Some(_)) => counts.served += 1,
            (true, None) => counts.in_vain += 1,
        }
    }
    if counts.in_vain > 0 {
        let n = counts.in_vain;
        println!(
            "{}: {n} launches let in that no version serves",
            corpus.kernel
        );
    }
    (counts, wrong)
}

/// The kernel's gate, and the version that each launch gets, by the plan. `None`: there is no gate.
fn gate_and_versions(
    corpus: &Corpus,
    text: &str,
    cases: &[&Case],
) -> Option<(Gate, Vec<Option<usize>>)> {
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), &corpus.kernel);
    let module = context
        .create_module_from_ir(buffer)
        .unwrap_or_else(|e| panic!("{}: {e}", corpus.kernel));
    let raw = Module::new(module.as_mut_ptr());
    let function = raw
        .functions()
        .into_iter()
        .find(|f| f.is_kernel() && corpus.names(&f.name()))
        .expect("the kernel is there");
    let options = Options {
        host: Some(true),
        ..Options::default()
    };
    let kernel = kernel::collect(function, SM, options.block);
    let tree = tree::lift(&kernel)?;
    let accesses = access::collect(&kernel, &tree);
    let affine = affine::analyze(&kernel, &tree, &accesses);
    let whole = Whole {
        tree,
        accesses,
        affine,
    };
    let planned = plan::plan(&kernel, whole, &options, None);
    let asked = |c: &&Case| Asked::parse(&c.as_option()).unwrap_or_else(|e| panic!("{e}"));
    let asked: Vec<Asked> = cases.iter().flat_map(asked).collect();
    let foretold = plan::foretold(&planned.plan, &planned.facets(&kernel), &asked, true);
    let versions = foretold.into_iter().map(|f| f.version).collect();
    let symbol = function.name();
    pass::run(raw, &options, &mut Sink::new(raw));
    let constant = module.get_global(&format!("{symbol}{GATE}"))?;
    let bytes = constant
        .get_initializer()
        .expect("it is a constant")
        .into_array_value();
    let bytes = bytes.as_const_string().expect("it holds bytes");
    let mut gates = Gate::all(bytes).unwrap_or_else(|e| panic!("{symbol}: {e}"));
    assert_eq!(
        (gates.len(), gates[0].kernel.as_str()),
        (1, symbol.as_str())
    );
    Some((gates.remove(0), versions))
}

/// The gate as code of this machine.
fn compiled(context: &Context, gate: &Gate) -> impl Fn(&Case) -> bool {
    type Ask = unsafe extern "C" fn(*const *const c_void, *const u32) -> bool;
    let name = format!("{}{GATE}", gate.kernel);
    let buffer = MemoryBuffer::create_from_memory_range_copy(&gate.bitcode, &name);
    let module = context
        .create_module_from_ir(buffer)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    let engine = module
        .create_jit_execution_engine(OptimizationLevel::Less)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    let address = engine
        .get_function_address(&name)
        .expect("it is in its module");
    move |case| {
        let _keeps_the_code = &engine;
        // SAFETY: the type of every gate.
        let ask = unsafe { std::mem::transmute::<usize, Ask>(address) };
        // Allocations far apart, aligned as the driver's.
        let start = |buffer: usize| (buffer as u64 + 1) << 40;
        let values: Vec<Vec<u8>> = case.args.iter().map(|a| a.bytes(&start)).collect();
        let arguments: Vec<*const c_void> = values.iter().map(|v| v.as_ptr().cast()).collect();
        let launch = [case.block, case.grid];
        // SAFETY: it reads its parameters and six numbers.
        unsafe { ask(arguments.as_ptr(), launch.as_ptr().cast()) }
    }
}
