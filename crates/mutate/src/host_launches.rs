//! What the host may launch: the gate of each version of a kernel, held against what the plan says of every launch of the bench and some
//! drawn at random.
//!
//! Such launches are too large for a CPU, so whether a version serves them is asked of its plan (`plan::answers`), which tests its own
//! facts and not the emitted IR. Small ones are run: `cargo xtask oracle`, `mesi-fuzz`.

use std::ffi::c_void;

use anyhow::{Result, anyhow, bail};
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::execution_engine::ExecutionEngine;
use inkwell::memory_buffer::MemoryBuffer;
use mesi::affine::Analyzed;
use mesi::kernel::Kernel;
use mesi::llvm::ir::{Function, Module};
use mesi::options::Options;
use mesi::plan::model::Query;
use mesi::plan::{self, Analyses, Plan, Planned};
use mesi::remark::Sink;
use mesi::transform::recast;
use mesi::transform::rewrite::Rewritten;
use mesi::{kernel, own, pass, tree};
use mesi_launch::room::WORDS;
use mesi_launch::{Case, Corpus, FOLD, GATE, Gate, VERSION};

/// Launches of each kernel drawn at random, and what from.
const DRAWN: (u64, u32) = (1, 20);
/// An argument's bytes are so many at least, as broken gates read where others lie.
const ROOM: usize = 64;

/// A version's gate and launches.
pub struct Subject {
    /// The kernel, and the number of its version.
    pub kernel: String,
    /// The gate as LLVM's text.
    pub text: String,
    /// Symbol of the gate.
    name: String,
    /// Launches, and whether the version serves each.
    pub launches: Vec<(Case, bool)>,
}

/// What a host knows of a launch.
pub struct Launch {
    /// Pointers to the arguments.
    pub arguments: Vec<*const c_void>,
    /// Block and grid.
    pub shape: [u32; 6],
}

impl Subject {
    /// The gates of the versions of the corpus kernel in `text`, the IR that the plug-in meets.
    pub fn all(corpus: &Corpus, text: &str, sm: u32) -> Result<Vec<Subject>> {
        let drawn = corpus.drawn_rows(DRAWN.0, DRAWN.1)?;
        let rows = corpus.bench_rows().iter().chain(&drawn);
        // The host leaves launches with dynamic shared memory to the kernel.
        let cases: Vec<Case> = rows
            .map(|r| r.case.clone())
            .filter(|c| c.shared == 0)
            .collect();
        let context = Context::create();
        let module = parsed(&context, text, &corpus.kernel)?;
        let raw = Module::new(module.as_mut_ptr());
        let options = Options {
            host: Some(true),
            // Launches are asked about as they are.
            reshape: false,
            ..Options::default()
        };
        let served = served(raw, corpus, sm, &options, &cases)?.unwrap_or_default();
        let symbol = kernel_of(raw, corpus)?.name();
        pass::run(raw, &options, &mut Sink::new(raw));
        // A copy's versions come before the kernel's own. Those that are launched in another way are held against it elsewhere (`folds.rs`, `splits.rs`), and what
        // rolled up loops rest on the kernel's plan does not know.
        if rolled_up(corpus, text, sm).is_some_and(|n| n > 0) {
            return Ok(Vec::new());
        }
        if record(&module, &format!("{symbol}{VERSION}0{FOLD}{GATE}"))?.is_some() {
            return Ok(Vec::new());
        }
        let mut subjects = Vec::new();
        for (number, served) in served.into_iter().enumerate() {
            let name = format!("{symbol}{VERSION}{number}{GATE}");
            let fold = format!("{symbol}{VERSION}{number}{FOLD}{GATE}");
            // Split reductions have a place that a plan's last version would have.
            let text = record(&module, &name)?
                .filter(|_| record(&module, &fold).is_ok_and(|r| r.is_none()));
            if let Some(text) = text {
                subjects.push(Subject {
                    kernel: format!("{}{VERSION}{number}", corpus.kernel),
                    text,
                    name,
                    launches: cases.iter().cloned().zip(served).collect(),
                });
            }
        }
        Ok(subjects)
    }

    /// What a gate, given as text, says of each launch; `asks` may change what it is asked.
    pub fn verdicts(&self, text: &str, asks: impl Fn(&mut Launch)) -> Result<Vec<bool>> {
        type Ask = unsafe extern "C" fn(*const *const c_void, *const u32) -> bool;
        let context = Context::create();
        let engine = compiled(&context, text, &self.name)?;
        let address = engine.get_function_address(&self.name)?;
        // SAFETY: the type of every gate; the engine lives until all is asked.
        let ask = unsafe { std::mem::transmute::<usize, Ask>(address) };
        let verdict = |case: &Case| {
            let values = arguments(case);
            let [[bx, by, bz], [gx, gy, gz]] = [case.block, case.grid];
            let mut launch = Launch {
                arguments: values.iter().map(|v| v.as_ptr().cast()).collect(),
                shape: [bx, by, bz, gx, gy, gz],
            };
            asks(&mut launch);
            // SAFETY: it reads its parameters and six numbers.
            unsafe { ask(launch.arguments.as_ptr(), launch.shape.as_ptr()) }
        };
        Ok(self.launches.iter().map(|(c, _)| verdict(c)).collect())
    }
}

/// Block and grid.
pub type Shape = [[u32; 3]; 2];

/// What such a function writes: block, grid, how many parameters the version has, its list.
pub type Room = [u32; 7 + WORDS];

/// Gives `work` the function `name` of LLVM's `text`, by which the host makes another launch of the program's: from what
/// the parameters point to, and block and grid. `None`: it makes none.
pub fn with_relaunch<T>(
    text: &str,
    name: &str,
    work: impl FnOnce(&dyn Fn(&[Vec<u8>], Shape) -> Option<Shape>) -> T,
) -> Result<T> {
    with_room(text, name, |ask| {
        work(&|values, own| {
            let [x, y, z, gx, gy, gz, ..] = ask(values, own)?;
            Some([[x, y, z], [gx, gy, gz]])
        })
    })
}

/// The same with all that it writes.
pub fn with_room<T>(
    text: &str,
    name: &str,
    work: impl FnOnce(&dyn Fn(&[Vec<u8>], Shape) -> Option<Room>) -> T,
) -> Result<T> {
    type Ask = unsafe extern "C" fn(*const *const c_void, *mut u32) -> bool;
    let context = Context::create();
    let engine = compiled(&context, text, name)?;
    let address = engine.get_function_address(name)?;
    // SAFETY: the type of every such function; the engine lives until all is asked.
    let ask = unsafe { std::mem::transmute::<usize, Ask>(address) };
    Ok(work(&|values, [block, grid]| {
        let pointers: Vec<*const c_void> = values.iter().map(|v| v.as_ptr().cast()).collect();
        let mut room = [0; 7 + WORDS];
        room[..3].copy_from_slice(&block);
        room[3..6].copy_from_slice(&grid);
        // SAFETY: it reads the parameters and writes no more words than there are.
        let makes = unsafe { ask(pointers.as_ptr(), room.as_mut_ptr()) };
        makes.then_some(room)
    }))
}

/// For each version of the plan whether it serves each launch. `None`: the kernel is no tree.
fn served(
    module: Module,
    corpus: &Corpus,
    sm: u32,
    options: &Options,
    cases: &[Case],
) -> Result<Option<Vec<Vec<bool>>>> {
    planned(module, corpus, sm, options, |planned, kernel| {
        let plan = |k: &Kernel, tree| plan::plan(k, Analyzed::of(k, tree), options, None);
        let recast = recast::make(kernel, planned, &plan).map_err(|e| anyhow!(e))?;
        let rewritten = Rewritten::find(&planned.whole(kernel), recast.as_ref());
        let ways = (recast.as_ref(), &rewritten.all()[..]);
        let (mut versions, _) = own::versions::choose(kernel, planned, ways, options.kernels);
        // Which threads meet a guard the plan does not know: `host_relies.rs` holds such gates.
        if recast.as_ref().is_some_and(is_for_some_launches) {
            versions.clear();
        }
        let all = versions.into_iter().map(|(source, version)| {
            let f = match version.of_whole {
                true => source.planned.whole(source.kernel),
                false => source.planned.analyses(source.kernel),
            };
            serves(&version.plan, &f, cases)
        });
        let all = all.collect();
        recast.inspect(|r| r.kernel.function.delete());
        all
    })
}

/// Whether a copy's versions are for launches alone whose threads all meet what the copy has no more.
fn is_for_some_launches(recast: &recast::Recast) -> bool {
    let facts = recast.facts_of_launch(&recast.planned.whole(&recast.kernel));
    facts.is_none_or(|f| !f.is_empty())
}

/// Whether a plan serves each launch.
fn serves(version: &Plan, f: &Analyses, cases: &[Case]) -> Result<Vec<bool>> {
    let plan = version.clone().into();
    let mut serves = Vec::new();
    for case in cases {
        let answers = plan::answers(&plan, f, &queries(case)?, false);
        serves.extend(answers.into_iter().map(|l| l.version.is_some()));
    }
    Ok(serves)
}

/// A case as a launch that the plan can be asked about.
pub(crate) fn queries(case: &Case) -> Result<Vec<Query>> {
    Query::parse(&case.as_option()).map_err(|e| anyhow!("{e}"))
}

/// The corpus kernel.
pub fn kernel_of(module: Module, corpus: &Corpus) -> Result<Function> {
    let mut kernels = module.functions().into_iter().filter(|f| f.is_kernel());
    let found = kernels.find(|f| corpus.names(&f.name()));
    found.ok_or_else(|| anyhow!("{}: no such kernel in its IR", corpus.kernel))
}

/// What `look` makes of the corpus kernel's plan. `None`: the kernel is no tree.
pub(crate) fn planned<T>(
    module: Module,
    corpus: &Corpus,
    sm: u32,
    options: &Options,
    look: impl FnOnce(&Planned, &Kernel) -> Result<T>,
) -> Result<Option<T>> {
    let kernel = kernel::collect(kernel_of(module, corpus)?, sm, options.block);
    let Some(tree) = tree::structure(&kernel) else {
        return Ok(None);
    };
    let planned = plan::plan(&kernel, Analyzed::of(&kernel, tree), options, None);
    look(&planned, &kernel).map(Some)
}

/// How many loops of a kernel are rolled up; `None`: it is no kernel.
pub fn rolled_up(corpus: &Corpus, text: &str, sm: u32) -> Option<usize> {
    let context = Context::create();
    let module = parsed(&context, text, &corpus.kernel).ok()?;
    let function = kernel_of(Module::new(module.as_mut_ptr()), corpus).ok()?;
    let kernel = kernel::collect(function, sm, None);
    Some(mesi::transform::reroll::find(&kernel).len())
}

/// The record that the plug-in left for the host in the constant called `name`, as LLVM's text; `None`: it left none.
pub(crate) fn record(module: &inkwell::module::Module, name: &str) -> Result<Option<String>> {
    let Some(constant) = module.get_global(name) else {
        return Ok(None);
    };
    let bytes = constant.get_initializer().map(|i| i.into_array_value());
    let bytes = bytes.as_ref().and_then(|b| b.as_const_string());
    let gates = Gate::all(bytes.ok_or_else(|| anyhow!("{name} holds no bytes"))?)?;
    let [gate] = &gates[..] else {
        bail!("{name} holds {} gates", gates.len());
    };
    if format!("{}{GATE}", gate.kernel) != name {
        bail!("{name} is the gate of {}", gate.kernel);
    }
    let raw = Module::new(module.as_mut_ptr());
    raw.text_of(&gate.bitcode).map(Some).map_err(|e| anyhow!(e))
}

/// A case's arguments as bytes, in allocations far apart, aligned as the driver's.
pub(crate) fn arguments(case: &Case) -> Vec<Vec<u8>> {
    let start = |buffer: usize| (buffer as u64 + 1) << 40;
    let mut values: Vec<Vec<u8>> = case.args.iter().map(|a| a.bytes(&start)).collect();
    let long = |v: &mut Vec<u8>| v.resize(v.len().max(ROOM), 0);
    values.iter_mut().for_each(long);
    values
}

/// A module of this text; `name` names it in errors.
pub fn parsed<'c>(
    context: &'c Context,
    text: &str,
    name: &str,
) -> Result<inkwell::module::Module<'c>> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), name);
    context
        .create_module_from_ir(buffer)
        .map_err(|e| anyhow!("{name}: {e}"))
}

/// A gate as code of this machine.
pub(crate) fn compiled<'c>(
    context: &'c Context,
    text: &str,
    name: &str,
) -> Result<ExecutionEngine<'c>> {
    let module = parsed(context, text, name)?;
    module.verify().map_err(|e| anyhow!("{name}: {e}"))?;
    module
        .create_jit_execution_engine(OptimizationLevel::Less)
        .map_err(|e| anyhow!("{name}: {e}"))
}
