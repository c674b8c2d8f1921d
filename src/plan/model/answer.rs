//! What one launch gets: the version that its entry tests pick, and the time that takes.
//!
//! A typical launch is asked of one version by itself ([`super::forecast`]). A launch that is known is asked of all
//! that there are. Where the host launches kernels of their own, it measures which is fastest: that is the version
//! predicted to be, if one gains. A kernel that holds its version itself runs it where its entry tests hold, and else
//! the original behind them.

use super::super::analyses::Analyses;
use super::super::data::{KernelPlan, Plan};
use super::known::Known;
use super::query::{self, Query};
use super::{Load, Prediction, Shape};
use crate::affine::SymbolId;
use crate::machine::target::Target;
use crate::plan::model::question::{Question, Whole};
use crate::plan::registers::registers;
use std::fmt;

/// The prediction for one launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The launch.
    pub query: Query,
    /// The version that runs: 0 is the plan itself, the others are its alternatives. `None`: the original.
    pub version: Option<usize>,
    /// Times before and after.
    pub prediction: Prediction,
    /// Uniform values that the launch leaves open, taken to be large.
    pub open: Vec<SymbolId>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let p = &self.prediction;
        write!(f, "launch {}: ", self.query)?;
        match self.version {
            Some(n) => write!(f, "version {n}, {p}")?,
            None => write!(f, "original, {p}")?,
        }
        let open: Vec<String> = self.open.iter().map(ToString::to_string).collect();
        if !open.is_empty() {
            write!(f, ", {} taken to be large", open.join(" "))?;
        }
        Ok(())
    }
}

/// Predicts a launch of a kernel that `plan` is carried out for. `host`: in kernels of their own, which the host picks
/// from.
pub fn answer(
    f: &Analyses,
    plan: &KernelPlan,
    target: &Target,
    query: &Query,
    host: bool,
) -> Answer {
    let (own, open) = query::launch(f, query);
    let launch = match reshaped(f, plan, query).filter(|_| host) {
        Some(other) => query::launch(f, &other).0,
        None => own.clone(),
    };
    let known = Known::of(f);
    let question = |plan, launch| Question {
        f: *f,
        plan,
        target,
        shape: Shape {
            width: widest(plan),
            ..super::stretched(plan, Shape::of(plan), launch)
        },
        launch,
        known,
        whole: Some(whole(f, plan, target)),
        warm: !query.cold,
    };
    let before = untouched(&question(&plan.first, &own));
    let of_version = |plan| {
        let q = question(plan, &launch);
        let serves = !plan.is_idle() && q.serves() && (host || q.pays());
        let mut run = match serves {
            true => q.staged(),
            false if host || plan.is_idle() => untouched(&q),
            false => {
                let mut run = q.original(q.staged_residence());
                run.warp += q.entry();
                run
            }
        };
        if serves || !host && !plan.is_idle() {
            run.warp.wait += q.turnover();
        }
        (serves, Prediction::of(target, &before, &run, serves))
    };
    let most = if host { usize::MAX } else { 1 };
    let all = plan.versions().take(most).map(of_version).enumerate();
    let best = all.max_by(|(_, (_, a)), (_, (_, b))| a.gain().total_cmp(&b.gain()));
    let (n, (mut serves, mut prediction)) = best.expect("a plan is there");
    if host && prediction.gain() < 1.0 {
        (serves, prediction) = (false, Prediction::of(target, &before, &before, false));
    }
    Answer {
        query: query.clone(),
        version: serves.then_some(n),
        prediction,
        open,
    }
}

/// What the original takes by itself.
fn untouched(q: &Question) -> Load {
    let mut run = q.original(q.original_residence());
    run.warp.wait += q.turnover();
    run
}

/// The launch in the blocks that the host deals its threads out to; `None`: in its own.
pub fn reshaped(f: &Analyses, plan: &KernelPlan, query: &Query) -> Option<Query> {
    let reshape = plan.reshape.as_ref()?;
    let active = reshape.active.map(|bound| {
        let r = bound?;
        let value = f.kernel.value(r.value);
        Some(r.threads(query::value(f, query, value)?, value.ty().int_width()?))
    });
    let (block, grid) = reshape.of(query.block, query.grid, active)?;
    Some(Query {
        block,
        grid,
        ..query.clone()
    })
}

/// Bytes that copies move at once where rows begin aligned.
fn widest(plan: &Plan) -> u32 {
    let tiles = plan.tiles();
    let all = tiles.flat_map(|t| &t.widths).copied();
    let whole_async = plan.regions.iter().any(|r| r.whole_async);
    all.max().unwrap_or(if whole_async { 16 } else { 0 })
}

/// Registers as `lower::registers` limits them, and the buffer.
fn whole(f: &Analyses, plan: &Plan, target: &Target) -> Whole {
    let kernel = f.kernel;
    let flies = plan
        .regions
        .iter()
        .any(|r| r.strip.is_some_and(|s| s.depth > 1));
    let registers = if kernel.is_bounded() {
        target.register_ceiling(kernel.max_threads).min(64)
    } else if plan.regions.is_empty() {
        plan.registers.unwrap_or_else(|| registers(kernel))
    } else if plan.reuses() {
        32
    } else if plan.merge.replicas() == 1 && kernel.pressure() <= 24 {
        if flies { 48 } else { 40 }
    } else {
        64
    };
    Whole {
        registers: f64::from(registers),
        shared: f64::from(plan.shared_bytes + kernel.own_shared),
    }
}
