//! The whole pipeline on one screen, and the only place that knows its order.

use crate::boundary::{Stage, enter};
use crate::kernel::annotations::{self, ModuleAnnotations};
use crate::llvm::{self, Function, Module};
use crate::options::Options;
use crate::remark::{Sink, Site};
use crate::target::{OLDEST_SM, Target};
use crate::{access, affine, kernel, plan, tree};

/// One kernel that is to be looked at.
struct Job {
    kernel: Function,
    target: &'static Target,
    options: Options,
}

/// Stages what can be staged in the kernels of `module`; whether it changed.
pub fn run(module: Module, options: &Options, sink: &mut Sink) -> bool {
    let mut changed = false;
    for job in admit(module, options, sink) {
        enter(job.kernel, Stage::Kernel, &job.options);
        let _ = job.target;
        changed |= false;
    }
    changed
}

/// Prints the result of `stage` for every kernel, as `print<mesi-STAGE>`.
pub fn print(module: Module, options: &Options, stage: Stage, sink: &mut Sink) {
    for job in admit(module, options, sink) {
        enter(job.kernel, Stage::Kernel, &job.options);
        eprint!("{}", text_of(&job, stage));
    }
}

/// The dump of one stage; earlier stages run first.
fn text_of(job: &Job, stage: Stage) -> String {
    let kernel = kernel::collect(job.kernel, job.target.sm, job.options.block);
    if stage == Stage::Kernel {
        return kernel.to_string();
    }
    enter(job.kernel, Stage::Tree, &job.options);
    let Some(tree) = tree::lift(&kernel) else {
        return format!("{} of {}: irreducible\n", stage.name(), kernel.name);
    };
    if stage == Stage::Tree {
        return tree::dump(&tree, &kernel);
    }
    enter(job.kernel, Stage::Accesses, &job.options);
    let accesses = access::collect(&kernel, &tree);
    if stage == Stage::Accesses {
        return access::dump(&accesses, &kernel);
    }
    enter(job.kernel, Stage::Affine, &job.options);
    let affine = affine::analyze(&kernel, &tree, &accesses);
    if stage == Stage::Affine {
        return affine::dump(&affine, &kernel, &accesses);
    }
    enter(job.kernel, Stage::Plan, &job.options);
    let plan = plan::make(&kernel, &tree, &accesses, &affine, &job.options, job.options.fuel);
    plan::dump(&plan, &kernel, &accesses)
}

/// The second look at the end of LLVM's pipeline; whether a staged body had to go.
pub fn after_pipeline(_module: Module, _options: &Options, _sink: &mut Sink) -> bool {
    false
}

/// The kernels to look at, each with the options that hold for it; the others are remarked on.
fn admit(module: Module, options: &Options, sink: &mut Sink) -> Vec<Job> {
    let annotations = annotations::collect(module);
    for (function, why) in &annotations.malformed {
        sink.warning(Some(Site::kernel(*function)), why);
    }
    let mut jobs = Vec::new();
    let mut warned = false;
    for kernel in module.functions().into_iter().filter(|f| f.is_kernel()) {
        let target = match Target::of(kernel) {
            Ok(target) => target,
            Err(cpu) => {
                // Once: all kernels of a module are compiled for one target.
                if !std::mem::replace(&mut warned, true) {
                    sink.warning(
                        None,
                        format!("{cpu} is older than sm_{OLDEST_SM}: nothing is staged"),
                    );
                }
                continue;
            }
        };
        match wanted(kernel, &annotations, options) {
            Ok(options) => jobs.push(Job {
                kernel,
                target,
                options,
            }),
            Err(why) => sink.missed_kernel(Site::kernel(kernel), "Disabled", why),
        }
    }
    jobs
}

/// The options for `kernel`, its annotations included, or why the user wants it left alone.
fn wanted(
    kernel: Function,
    said: &ModuleAnnotations,
    options: &Options,
) -> Result<Options, String> {
    let said = said.of(kernel);
    if said.off {
        return Err("annotate(\"mesi.off\")".into());
    }
    if let Some(only) = &options.only
        && !llvm::source_names(&kernel.name()).contains(only)
    {
        return Err(format!("only '{only}' was asked for"));
    }
    Ok(Options {
        block: options.block.or(said.block),
        ..options.clone()
    })
}
