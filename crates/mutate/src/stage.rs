//! Stages one kernel with `mesi`'s own stages, and lets a mutation change the plan or the result.

use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Result, anyhow, bail};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use mesi::access::Accesses;
use mesi::affine::Affine;
use mesi::affine::Analyzed;
use mesi::kernel::Kernel;
use mesi::llvm::ir::{Function, Module};
use mesi::lower::{self, Lowered};
use mesi::machine::target::Target;
use mesi::options::Options;
use mesi::plan::Plan;
use mesi::tree::Tree;
use mesi::{kernel, plan, tree};
use mesi_launch::Corpus;

/// A plan about to be lowered.
pub struct Planned<'a> {
    /// What a mutation changes.
    pub plan: &'a mut Plan,
    /// What the plan speaks about.
    pub affine: &'a Affine,
    /// What its members are.
    pub accesses: &'a Accesses,
}

/// Code just emitted.
pub struct Emitted<'a> {
    /// The kernel.
    pub function: Function,
    /// Its module.
    pub module: Module,
    /// What `lower` says about it.
    pub lowered: &'a Lowered,
}

/// One way to break the code, at one place. `false`: there is no such place.
pub enum Edit<'a> {
    /// Nothing is broken.
    None,
    /// The plan.
    Plan(&'a dyn Fn(&mut Planned) -> bool),
    /// What was emitted.
    Code(&'a dyn Fn(&Emitted) -> bool),
}

/// What staging with an edit gave.
pub enum Staged {
    /// The module's text.
    Text(String),
    /// The plug-in leaves this kernel alone.
    NotStaged,
    /// The edit found no place.
    NoPlace,
    /// `lower` or LLVM's verifier did not take it.
    Rejected(String),
}

/// Which version of a kernel is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    /// Blocks merged along each dimension.
    pub merge: [u32; 3],
    /// Strips in flight where that is legal; as the plug-in chooses if not given.
    pub depth: Option<u32>,
    /// No shared memory: merged blocks without tiles.
    pub bare: bool,
    /// So many iterations of an outer loop together, or with 1 and no shared memory sums in registers.
    pub unroll_jam: Option<u32>,
    /// All that is legal; else what the plug-in would choose by itself, merged blocks included.
    pub force: bool,
    /// The last version without tiles, about the kernel as a whole.
    pub whole: bool,
}

impl Default for Way {
    fn default() -> Self {
        Way {
            merge: [1; 3],
            depth: None,
            bare: false,
            unroll_jam: None,
            force: true,
            whole: false,
        }
    }
}

impl Way {
    /// `kernel`, `kernel@3` with 3 strips in flight, `kernel@2x2@3` with blocks merged as well, `kernel@2x2@bare` with
    /// blocks merged and nothing staged, `kernel@jam4` with 4 iterations of an outer loop together, `kernel@tiles-jam4`
    /// with these over tiles, `kernel@default` as the plug-in would choose by itself, `kernel@4x1@default` with blocks
    /// merged where it would leave it alone, `kernel@whole` its last version without tiles.
    pub fn parse(text: &str) -> Result<(&str, Way)> {
        let mut parts = text.split('@');
        let name = parts.next().unwrap_or("");
        let mut way = Way::default();
        for part in parts {
            if part == "default" {
                way.force = false;
                continue;
            }
            if part == "whole" {
                (way.force, way.whole) = (false, true);
                continue;
            }
            if part == "bare" {
                way.bare = true;
                continue;
            }
            if let Some(replicas) = part.strip_prefix("tiles-jam") {
                way.unroll_jam = Some(replicas.parse()?);
                continue;
            }
            if let Some(replicas) = part.strip_prefix("jam") {
                (way.unroll_jam, way.bare) = (Some(replicas.parse()?), true);
                continue;
            }
            if !part.contains('x') {
                way.depth = Some(part.parse()?);
                continue;
            }
            for (factor, number) in way.merge.iter_mut().zip(part.split('x')) {
                *factor = number.parse()?;
            }
        }
        Ok((name, way))
    }

    fn options(self) -> Options {
        Options {
            force: self.force,
            merge: (self.force || self.merge != [1; 3]).then_some(self.merge),
            unroll_jam: self.unroll_jam,
            depth: self.depth,
            shared: self.bare.then_some(0),
            ..Options::default()
        }
    }
}

/// Stages the corpus kernel in `text` at `force`, in the given way, with `edit`. A kernel whose blocks cannot be
/// merged so is not staged.
pub fn stage(corpus: &Corpus, text: &str, way: Way, edit: &Edit) -> Result<Staged> {
    let context = Context::create();
    match stage_in(&context, corpus, text, way, edit)? {
        Some(staged) => Ok(staged),
        None => {
            // Half rewritten: not even fit to be destroyed.
            std::mem::forget(context);
            Ok(Staged::Rejected("lower panicked".into()))
        }
    }
}

/// `None`: `lower` panicked, and the context must not be used or dropped.
fn stage_in(
    context: &Context,
    corpus: &Corpus,
    text: &str,
    way: Way,
    edit: &Edit,
) -> Result<Option<Staged>> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), &corpus.kernel);
    let parsed = context
        .create_module_from_ir(buffer)
        .map_err(|e| anyhow!("{}: {e}", corpus.kernel))?;
    let module = Module::new(parsed.as_mut_ptr());
    let function = module
        .functions()
        .into_iter()
        .find(|f| f.is_kernel() && corpus.names(&f.name()));
    let Some(function) = function else {
        bail!("{}: no such kernel in its IR", corpus.kernel);
    };
    let Ok(outcome) = catch_unwind(AssertUnwindSafe(|| emit(module, function, way, edit))) else {
        std::mem::forget(parsed);
        return Ok(None);
    };
    Ok(Some(match outcome? {
        Some(other) => other,
        None => match module.verify() {
            Ok(()) => Staged::Text(parsed.print_to_string().to_string()),
            Err(e) => Staged::Rejected(e),
        },
    }))
}

/// The plan for all blocks, or else that for the blocks inside, and what it is about.
fn planned(kernel: &Kernel, tree: Tree, options: &Options) -> plan::Planned {
    plan::plan(kernel, Analyzed::of(kernel, tree), options, None)
}

/// `None`: the module holds the result.
fn emit(module: Module, function: Function, way: Way, edit: &Edit) -> Result<Option<Staged>> {
    let target = Target::of(function).map_err(|cpu| anyhow!("unknown target {cpu}"))?;
    let options = way.options();
    let kernel = kernel::collect(function, target.sm, None);
    let Some(tree) = tree::structure(&kernel) else {
        return Ok(Some(Staged::NotStaged));
    };
    let about = planned(&kernel, tree, &options);
    let versions = match way.whole {
        true => about.plan.whole.last().cloned(),
        false => Some(about.plan.first.clone()),
    };
    // Launches of all sizes are run.
    let mut plan = versions.unwrap_or_default().unpriced();
    let nothing = if way.bare || way.whole {
        plan.is_idle()
    } else {
        !plan.stages()
    };
    if nothing || (way.force && plan.merge.factor != way.merge) {
        return Ok(Some(Staged::NotStaged));
    }
    if let Edit::Plan(change) = edit {
        let planned = &mut Planned {
            plan: &mut plan,
            affine: &about.found.affine,
            accesses: &about.found.accesses,
        };
        if !change(planned) {
            return Ok(Some(Staged::NoPlace));
        }
    }
    let analyses = match way.whole {
        true => about.whole(&kernel),
        false => about.analyses(&kernel),
    };
    let lowered = lower::emit(&analyses, &plan);
    if let Edit::Code(change) = edit {
        let emitted = Emitted {
            function,
            module,
            lowered: &lowered,
        };
        if !change(&emitted) {
            return Ok(Some(Staged::NoPlace));
        }
    }
    Ok(None)
}
