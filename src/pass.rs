//! The whole pipeline on one screen, and the only place that knows its order.

use crate::affine::Analyzed;
use crate::boundary::{caught, enter};
use crate::kernel::Kernel;
use crate::kernel::annotations::{self, ModuleAnnotations};
use crate::llvm::{self, Function, Module, rolled};
use crate::machine::target::{OLDEST_SM, Target};
use crate::missed::Missed;
use crate::options::Options;
use crate::plan::Planned;
use crate::remark::{Sink, Site};
use crate::stage::Stage;
use crate::transform::recast;
use crate::transform::recast::Recast;
use crate::transform::rewrite::{Rewritten, Way};
use crate::tree::Tree;
use crate::{access, affine, check, choice, kernel, lower, own, plan, report, size, tree};

/// One kernel that is to be looked at.
struct Job {
    function: Function,
    target: &'static Target,
    options: Options,
}

/// Stages what can be staged in the kernels of `module`; whether it changed.
pub fn run(module: Module, options: &Options, sink: &mut Sink) -> bool {
    run_seen(module, options, sink, &mut |_| ())
}

/// As [`run`]; `see` is shown every plan before it is carried out, and may change it. For tools that count
/// what plans hold, and that run what a launch would have to be large for.
pub fn run_seen(
    module: Module,
    options: &Options,
    sink: &mut Sink,
    see: &mut dyn FnMut(&mut Planned),
) -> bool {
    let mut changed = false;
    for job in admit(module, options, sink) {
        changed |= run_kernel(&job, sink, see);
    }
    changed
}

/// One kernel, from its facts to the check of what was emitted.
fn run_kernel(job: &Job, sink: &mut Sink, see: &mut dyn FnMut(&mut Planned)) -> bool {
    let kernel = job.kernel();
    job.enter(Stage::Tree);
    let Some(tree) = tree::structure(&kernel) else {
        let why = Missed::Irreducible;
        sink.missed_kernel(Site::kernel(job.function), why.name(), why);
        return false;
    };
    let fuel = job
        .options
        .fuel
        .map(|f| f.saturating_sub(sink.staged_count()));
    let choice = job.within_length(fuel);
    if let Some(c) = &choice {
        sink.analysis(Site::kernel(job.function), "Code", c);
    }
    let options = choice.map_or_else(|| job.options.clone(), |c| c.options);
    let mut planned = plan_kernel(job, &kernel, tree, &options, fuel);
    see(&mut planned);
    let (plan, analyses) = (&planned.plan, planned.analyses(&kernel));
    let answers = plan::answers(
        plan,
        &analyses,
        &job.options.launch,
        job.options.host == Some(true),
    );
    report::answers(&kernel, &answers, sink);
    let own = job.options.host == Some(true);
    let mut recast = match recast_kernel(job, &kernel, &planned, fuel) {
        Ok(recast) => recast,
        Err(why) => {
            version_failed(job.function, &why, sink);
            None
        }
    };
    let rewritten = rewrite_kernel(job, &kernel, (&planned, recast.as_ref()), fuel);
    rewritten.report(&kernel, recast.as_ref(), sink);
    let rewrites = rewritten.all();
    if let Some(r) = &mut recast {
        see(&mut r.planned);
        r.report(&kernel, sink);
        let changed = make_versions(job, &kernel, &planned, (Some(r), &rewrites), sink);
        r.kernel.function.delete();
        return changed;
    }
    if plan.is_idle() {
        report::refused(&kernel, analyses.accesses, plan, sink);
        if rewrites.is_empty() {
            return own && offer_blocks(&kernel, &planned, sink);
        }
    } else {
        report::as_whole(&kernel, plan, sink);
    }
    job.enter(Stage::Lower);
    match own {
        true => make_versions(job, &kernel, &planned, (None, &rewrites), sink),
        false => edit_kernel(job, &kernel, &planned, sink),
    }
}

/// Tells the host of other blocks for a kernel that has no versions; whether there are any.
fn offer_blocks(kernel: &Kernel, planned: &Planned, sink: &mut Sink) -> bool {
    let Some(reshape) = &planned.plan.reshape else {
        return false;
    };
    choice::tell_blocks(kernel, reshape, sink);
    let analyzed = [(kernel, &planned.found.affine)];
    choice::keep_about(kernel.function, &choice::About::of(kernel, analyzed));
    true
}

/// A copy of the kernel that is written in another way, with a plan for it; `None`: there is none, or versions go into
/// the kernel itself.
fn recast_kernel(
    job: &Job,
    kernel: &Kernel,
    planned: &Planned,
    fuel: Option<u32>,
) -> Result<Option<Recast>, String> {
    if job.options.host != Some(true) {
        return Ok(None);
    }
    let plan = |kernel: &Kernel, tree| plan_kernel(job, kernel, tree, &job.options, fuel);
    recast::make(kernel, planned, &plan)
}

/// How the kernel, or its copy, is written in another way in versions of their own: in none if versions go into the
/// kernel itself, or its code must stay short, of which these are no part.
fn rewrite_kernel(
    job: &Job,
    kernel: &Kernel,
    (planned, recast): (&Planned, Option<&Recast>),
    fuel: Option<u32>,
) -> Rewritten {
    let may = job.options.host == Some(true) && job.options.code.is_none() && fuel != Some(0);
    match may {
        true => Rewritten::find(&planned.whole(kernel), recast),
        false => Rewritten::default(),
    }
}

/// Makes kernels of a plan's versions beside the kernel, which stays as it is; whether there are any.
fn make_versions(
    job: &Job,
    kernel: &Kernel,
    planned: &Planned,
    (recast, rewrites): (Option<&Recast>, &[Way]),
    sink: &mut Sink,
) -> bool {
    if let Some(reshape) = &planned.plan.reshape {
        choice::tell_blocks(kernel, reshape, sink);
    }
    let made = own::emit(
        kernel,
        planned,
        (recast, rewrites),
        &job.options,
        &|s| job.enter(s),
        sink,
    );
    for why in &made.faults {
        version_failed(job.function, why, sink);
    }
    match &made.first {
        Some((first, lowered, is_copy)) => {
            let recast = recast.filter(|_| *is_copy);
            let (of, planned) = recast.map_or((kernel, planned), |f| (&f.kernel, &f.planned));
            let accesses = planned.analyses(of).accesses;
            let done = (&first.plan, &first.refusals[..]);
            report::staged(of, accesses, done, lowered, sink);
        }
        // What is in the way of the copy is in the way of the kernel, too.
        None if made.faults.is_empty() => {
            if let Some(f) = recast {
                let accesses = f.planned.analyses(&f.kernel).accesses;
                report::refused(&f.kernel, accesses, &f.planned.plan, sink);
            }
        }
        None => {
            let missed = Missed::CheckFailed;
            sink.missed_kernel(Site::kernel(job.function), missed.name(), missed);
        }
    }
    // A fault may leave copies behind that nothing refers to.
    made.count > 0 || !made.faults.is_empty()
}

/// Puts a plan's first version into the kernel itself, in front of its own body; whether anything was changed. It is
/// tried on a copy first: a fault of ours must not leave IR that LLVM cannot read.
fn edit_kernel(job: &Job, kernel: &Kernel, planned: &Planned, sink: &mut Sink) -> bool {
    let (plan, analyses) = (&planned.plan.first, planned.analyses(kernel));
    let accesses = analyses.accesses;
    let emit = |kernel: &Kernel| {
        caught(|| {
            job.enter(Stage::Lower);
            let lowered = lower::emit(&planned.analyses(kernel), plan);
            job.enter(Stage::Check);
            check::after_lowering(kernel, accesses, plan, &lowered)?;
            Ok::<_, String>(lowered)
        })
    };
    // Blocks and values of the copy have the kernel's numbers.
    let tried = job.on_a_copy(|copy| {
        let kernel = kernel::collect(copy.function, kernel.sm, kernel.block_cap);
        emit(&kernel).and_then(|made| made).map(|_| ())
    });
    match tried.and_then(|()| emit(kernel).and_then(|made| made)) {
        Ok(lowered) => {
            let done = (plan, &planned.plan.refusals[..]);
            report::staged(kernel, accesses, done, &lowered, sink);
            true
        }
        Err(why) => {
            check_failed(job.function, &why, sink);
            false
        }
    }
}

/// The plan of a kernel; where there is none for all blocks, that for interior blocks.
fn plan_kernel(
    job: &Job,
    kernel: &Kernel,
    tree: Tree,
    options: &Options,
    fuel: Option<u32>,
) -> Planned {
    job.enter(Stage::Accesses);
    let accesses = access::collect(kernel, &tree);
    job.enter(Stage::Affine);
    let affine = affine::analyze(kernel, &tree, &accesses);
    job.enter(Stage::Plan);
    let whole = Analyzed::new(tree, accesses, affine);
    plan::plan(kernel, whole, options, fuel)
}

/// Prints the result of `stage` for every kernel, as `print<mesi-STAGE>`.
pub fn print(module: Module, options: &Options, stage: Stage, sink: &mut Sink) {
    if stage == Stage::Gate {
        return print_gates(module, options);
    }
    for job in admit(module, options, sink) {
        eprint!("{}", text_of(&job, stage));
    }
}

/// Prints every gate as it would be written. A gate is made of staged code, so this stages a copy of the module.
fn print_gates(module: Module, options: &Options) {
    let copy = module.copy();
    let options = Options {
        host: Some(true),
        ..options.clone()
    };
    run(copy, &options, &mut Sink::new(copy));
    eprint!("{}", choice::gates(copy));
    copy.dispose();
}

/// The dump of one stage; earlier stages run first.
fn text_of(job: &Job, stage: Stage) -> String {
    let kernel = job.kernel();
    if stage == Stage::Kernel {
        return kernel.to_string();
    }
    job.enter(Stage::Tree);
    let Some(tree) = tree::structure(&kernel) else {
        return format!("{} of {}: irreducible\n", stage.name(), kernel.name);
    };
    if stage == Stage::Tree {
        return tree::dump(&tree, &kernel);
    }
    job.enter(Stage::Accesses);
    let accesses = access::collect(&kernel, &tree);
    if stage == Stage::Accesses {
        return access::dump(&accesses, &kernel);
    }
    job.enter(Stage::Affine);
    let affine = affine::analyze(&kernel, &tree, &accesses);
    if stage == Stage::Affine {
        return affine::dump(&affine, &kernel, &accesses);
    }
    let choice = job.within_length(job.options.fuel);
    let options = choice.map_or_else(|| job.options.clone(), |c| c.options);
    let planned = plan_kernel(job, &kernel, tree, &options, options.fuel);
    let own = job.options.host == Some(true);
    let dump = |kernel: &Kernel, planned: &Planned| {
        let analyses = planned.analyses(kernel);
        plan::dump(&planned.plan, &analyses, &job.options.launch, own)
    };
    let recast = recast_kernel(job, &kernel, &planned, options.fuel);
    let recast = recast.ok().flatten();
    let rewritten = rewrite_kernel(job, &kernel, (&planned, recast.as_ref()), options.fuel);
    let text = format!("{}{}", dump(&kernel, &planned), rewritten.dump(&kernel));
    let refused = |kernel: &Kernel, planned: &Planned| match own {
        true => recast::refusals(&planned.whole(kernel)).concat(),
        false => String::new(),
    };
    let Some(recast) = recast else {
        return text + &refused(&kernel, &planned);
    };
    let how = recast.dump(&kernel);
    let copy = dump(&recast.kernel, &recast.planned);
    let copy = copy + &refused(&recast.kernel, &recast.planned);
    let rewritten = rewritten.dump_copy(&recast.kernel);
    recast.kernel.function.delete();
    format!("{text}{how}{copy}{rewritten}")
}

impl Job {
    fn enter(&self, stage: Stage) {
        enter(self.function, stage, &self.options);
    }
    fn kernel(&self) -> Kernel {
        self.enter(Stage::Kernel);
        kernel::collect(self.function, self.target.sm, self.options.block)
    }

    /// The choice under which the kernel's code is no longer than the options ask, where they do. `fuel` as for the
    /// plan.
    fn within_length(&self, fuel: Option<u32>) -> Option<size::Choice> {
        let times = self.options.code?;
        let original = self.on_a_copy(|job| size::length(job.function));
        let own = self.options.host == Some(true);
        let length = |n: usize, o: &Options| {
            self.on_a_copy(|job| {
                let kernel = job.kernel();
                let planned = plan_kernel(job, &kernel, tree::structure(&kernel)?, o, fuel);
                let all = planned.plan.versions();
                let version = all.filter(|p| !p.is_idle()).nth(n)?;
                // What fails here fails again where it is made, and is told there.
                caught(|| lower::emit(&planned.analyses(&kernel), version)).ok()?;
                Some(size::length(job.function))
            })
        };
        // A kernel holds its first version itself; kernels of their own are looked at together.
        let made = |o: &Options| {
            let all: Vec<usize> = (0..).map_while(|n| length(n, o)).collect();
            let counted = all.iter().take(if own { all.len() } else { 1 });
            (!all.is_empty()).then(|| size::Made {
                versions: all.len(),
                length: original + counted.map(|n| n - original.min(*n)).sum::<usize>(),
            })
        };
        size::within(times, &self.options, original, &made)
    }

    /// What `of` gives for this kernel in a copy of its module.
    fn on_a_copy<T>(&self, of: impl FnOnce(&Job) -> T) -> T {
        let copy = self.function.module().copy();
        let name = self.function.name();
        let job = Job {
            function: copy.function(&name).expect("a copy has the same kernels"),
            target: self.target,
            options: self.options.clone(),
        };
        let out = of(&job);
        copy.dispose();
        out
    }
}

/// Says that a version was dropped; the others are there.
fn version_failed(function: Function, why: &str, sink: &mut Sink) {
    sink.warning(
        Some(Site::kernel(function)),
        format!("a version is dropped: {why}"),
    );
}

/// Says that a staged body was dropped; the original runs.
fn check_failed(function: Function, why: &str, sink: &mut Sink) {
    let missed = Missed::CheckFailed;
    sink.warning(
        Some(Site::kernel(function)),
        format!("the staged body is dropped: {why}"),
    );
    sink.missed_kernel(Site::kernel(function), missed.name(), missed);
}

/// The second look at the end of LLVM's pipeline; whether anything was changed.
pub fn after_pipeline(module: Module, options: &Options, sink: &mut Sink) -> bool {
    let mut changed = false;
    for kernel in module.functions().into_iter().filter(|f| f.is_kernel()) {
        changed |= rolled::hush(kernel);
    }
    for function in check::cut_off_torn(module) {
        let missed = Missed::PackedMath;
        sink.missed_kernel(Site::kernel(function), missed.name(), missed);
        withdraw(function);
        changed = true;
    }
    if !options.verify {
        return changed;
    }
    let dropped = check::after_pipeline(module);
    for (function, why) in &dropped {
        check_failed(*function, why, sink);
        withdraw(*function);
    }
    changed || !dropped.is_empty()
}

/// Sees to it that no host launches a version whose body was cut off: it may have no other.
fn withdraw(function: Function) {
    if own::is_version(function) {
        choice::withdraw(function);
    }
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
                function: kernel,
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
