//! Makes the plan: clusters, places, agreement, profit, layout, scalars.

use super::analyses::Analyses;
use super::attempt::attempt;
use super::candidate::rank;
use super::context::Context;
use super::data::{KernelPlan, Plan, Proposal, Refusal, ScalarReplacement, Test};
use super::reasons::Reasons;
use super::settle::Mode;
use super::{prior, registers, scalar_replacement, unsure, versions, whole};
use crate::kernel::rejected::Rejected;
use crate::kernel::{Kernel, Pairs};
use crate::machine::target::STATIC_SHARED;
use crate::missed::Missed;
use crate::options::Options;
use crate::transform::lockstep::untiled_windows;
use crate::transform::{
    self, lockstep, own_tiles, remat, scalar_replacement as untiled_scalars, unroll, unroll_jam,
};
use crate::tree::LoopId;

/// Which candidates a plan has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Candidates {
    /// Those of which the model expects a gain, or which were seen to gain where it knows nothing.
    Expected,
    /// With what only a measurement can judge behind them ([`super::unsure`]).
    All,
}

/// Plans one kernel. `fuel`: how many more arrays may be staged.
pub fn make(
    f: &Analyses,
    options: &Options,
    fuel: Option<u32>,
    candidates: Candidates,
) -> KernelPlan {
    let kernel = f.kernel;
    if let Some(why) = refused_as_whole(kernel) {
        return without_staging(f, options, candidates).refused(Some(Refusal::Kernel(why)));
    }
    if let Some(why) = bits_at_risk(kernel) {
        return nothing(why);
    }
    // What LLVM has made of a body is looked at in the end; one without tiles could not be taken back then.
    let may_go_without = kernel.pairs.is_none() && fuel != Some(0);
    let mut reasons = Reasons::new(f);
    reasons.refuse_arrays();
    let budget = budget(kernel, options);
    let staged = rank(f, options, budget, &mut reasons);
    // An accumulator that can live in a register is better there than in a tile; only loops that
    // become regions keep one. So a first choice leaves accumulators out, and a second takes back
    // those whose loop did not become a region.
    let all = accumulators(f);
    let context = Context {
        f,
        candidates: &staged,
        options,
        fuel,
        budget,
        mapped: options.force,
    };
    let stepped = match !f.affine.interior && may_go_without {
        true => in_steps(f, options),
        false => KernelPlan::default(),
    };
    let mut plan = match stepped.is_idle() {
        true => in_tiles(&context, &all, &mut reasons),
        false => stepped,
    };
    if plan.is_idle() && may_go_without {
        plan = without_tiles(f, plan, options);
    }
    if candidates == Candidates::All && may_go_without {
        plan = unsure::with_unsure(&context, all.clone(), plan, &mut reasons);
        plan = unsure::with_mapped(&context, all, plan, &mut reasons);
    }
    if let Some(why) = no_version(kernel, options).filter(|_| !plan.is_idle()) {
        return nothing(why);
    }
    let mut plan = complete(f, plan, options);
    reasons.finish(&mut plan);
    plan
}

/// Why nothing is staged in a kernel and its blocks stay as they are.
fn refused_as_whole(kernel: &Kernel) -> Option<Missed> {
    let dynamic = kernel.dynamic_shared.then_some(Missed::DynamicShared);
    dynamic.or(kernel.rejected.map(Missed::from))
}

/// What such a kernel may have beside it: loops unrolled, and merged blocks if it has nothing worse than shared memory
/// whose size the launch tells.
fn without_staging(f: &Analyses, options: &Options, candidates: Candidates) -> KernelPlan {
    let plan = KernelPlan::default();
    if options.host != Some(true) || !may_be_unrolled(f.kernel) {
        return plan;
    }
    let plan = plan.or(unroll::choose(f, options));
    match f.kernel.rejected.is_none() && candidates == Candidates::All {
        true => plan.with_more(own_tiles::choose(f, options)),
        false => plan,
    }
}

/// Whether a copy of such a kernel may unroll loops: there may be a copy, and it has as much room and the same
/// sums.
fn may_be_unrolled(kernel: &Kernel) -> bool {
    let once = kernel.rejected == Some(Rejected::AssemblyOnce);
    !once
        && !registers::is_short_of_registers(kernel)
        && !kernel.rearranges
        && kernel.pairs.is_none()
}

/// The plan with what hangs on all that is chosen: each way proposes, and this alone puts it together.
fn complete(f: &Analyses, plan: KernelPlan, options: &Options) -> KernelPlan {
    let whole = match f.affine.interior {
        true => None,
        false => whole::propose(f, &plan, options),
    };
    let rematerialized = |p: Plan| {
        let p = Plan {
            remat: remat::choose(f.kernel, &p),
            ..p
        };
        registers::with_room(p, f.kernel)
    };
    // Those in `whole` are about another view of the kernel.
    let priced = |p: Plan| {
        let mut p = rematerialized(p);
        if !options.force {
            let pays = prior::pays(f, &p, options);
            p.tests.extend(pays.into_iter().map(Test::Pays));
        }
        p
    };
    let whole = whole.unwrap_or(plan.whole).into_iter();
    let priced = KernelPlan {
        first: priced(plan.first),
        alternatives: plan.alternatives.into_iter().map(priced).collect(),
        whole: whole.map(rematerialized).collect(),
        ..plan
    };
    jammed_over_tiles(f, priced, options)
}

/// The plan with iterations jammed in versions that have whole tiles. The model knows nothing of that: what it is sure
/// of is asked of the versions without.
fn jammed_over_tiles(f: &Analyses, mut plan: KernelPlan, options: &Options) -> KernelPlan {
    let mut refused = None;
    let all = std::iter::once(&mut plan.first).chain(&mut plan.alternatives);
    for version in all.chain(&mut plan.whole) {
        match unroll_jam::over_tiles(f, version, options) {
            Ok(jammed) => *version = jammed,
            Err(why) => refused = refused.or(why),
        }
    }
    let refused = refused.filter(|_| plan.first.unroll_jam().is_none());
    plan.refused(refused.map(Refusal::UnrollJam))
}

/// The plan of a kernel in which nothing is done.
fn nothing(why: Missed) -> KernelPlan {
    KernelPlan::default().refused(Some(Refusal::Kernel(why)))
}

/// Bytes of shared memory that tiles may have.
fn budget(kernel: &Kernel, options: &Options) -> u32 {
    let limit = options.shared.unwrap_or(STATIC_SHARED).min(STATIC_SHARED);
    limit.saturating_sub(kernel.own_shared) / 16 * 16
}

/// Why bits might differ in whatever is made of a kernel.
fn bits_at_risk(kernel: &Kernel) -> Option<Missed> {
    if kernel.rearranges {
        return Some(Missed::RearrangedMath);
    }
    (kernel.pairs == Some(Pairs::Halves)).then_some(Missed::PackedMath)
}

/// Why a kernel cannot have a version, whatever that does.
fn no_version(kernel: &Kernel, options: &Options) -> Option<Missed> {
    if let Some(leave) = registers::too_few(kernel, options.host == Some(true)) {
        let need = kernel.pressure();
        return Some(Missed::RegisterPressure { need, leave });
    }
    (options.versions.1 == 0).then_some(Missed::LongCode)
}

/// The first way to choose that stages something.
fn in_tiles(
    context: &Context,
    accumulators: &[ScalarReplacement],
    reasons: &mut Reasons,
) -> KernelPlan {
    let modes: &[Mode] = if context.f.affine.interior {
        &[Mode::Merged]
    } else if context.options.force {
        &[Mode::All]
    } else {
        &[Mode::Sure, Mode::Strips, Mode::Merged, Mode::Predicted]
    };
    let mut plan = KernelPlan::default();
    for mode in modes {
        plan = attempt(context, accumulators.to_vec(), *mode, reasons);
        if !plan.first.regions.is_empty() {
            break;
        }
    }
    plan
}

/// The versions in steps, made of one of merged blocks without tiles.
fn in_steps(f: &Analyses, options: &Options) -> KernelPlan {
    let merged = |factor, side_by_side| {
        let order = lockstep::Order::Any;
        lockstep::version_of(f, factor, order, side_by_side).ok()
    };
    let ways = transform::STEPS.iter();
    let mut all = ways.map(|choose| choose(f, options, &merged));
    let first = all.find(|all| !all.is_empty());
    versions::first_of(first.unwrap_or_default(), options)
}

/// The first of the ways without tiles that does something.
fn without_tiles(f: &Analyses, plan: KernelPlan, options: &Options) -> KernelPlan {
    if f.affine.interior {
        return plan.or(untiled_windows::choose(f, options));
    }
    let windows = || match options.merge {
        None => untiled_windows::choose(f, options),
        Some(_) => Err(None),
    };
    let ways: [&dyn Fn() -> Proposal; 6] = [
        &|| lockstep::choose(f, options),
        &windows,
        &|| lockstep::layers::choose(f),
        &|| unroll_jam::choose(f, options),
        &|| untiled_scalars::choose(f),
        &|| unroll::choose(f, options),
    ];
    ways.into_iter()
        .fold(plan, |plan, way| match plan.is_idle() {
            true => plan.or(way()),
            false => plan,
        })
}

/// Replaceable accumulators of every loop, innermost loops first where loops are nested.
fn accumulators(f: &Analyses) -> Vec<ScalarReplacement> {
    let mut out: Vec<ScalarReplacement> = Vec::new();
    for l in 0..f.tree.loops.len() {
        for p in scalar_replacement::find(f, LoopId(l as u32)) {
            out.push(p);
        }
    }
    out
}
