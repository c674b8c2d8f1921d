//! What one launch gets: the version that its entry tests pick, and the time that takes.
//!
//! A typical launch is asked of one version by itself ([`super::forecast`]). A launch that is known is
//! asked of the kernel as emitted: versions are tried in order, those before the one that serves cost
//! their tests, all bodies share the registers and the shared memory of the neediest, and where none
//! serves, the original runs behind the tests.

use super::super::legality::Facets;
use super::super::{Plan, Tile, unstaged};
use super::asked::{self, Asked};
use super::mix::Mixes;
use super::{Prediction, Question, Shape};
use crate::affine::SymbolId;
use crate::target::Target;
use std::fmt;

/// The prediction for one launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Foretold {
    /// The launch.
    pub asked: Asked,
    /// The version whose facts it passes: 0 is the plan itself, the others are its alternatives, and behind them
    /// what short loops run in merged blocks. `None`: the original body runs, or that of short loops.
    pub version: Option<usize>,
    /// Times before and after.
    pub prediction: Prediction,
    /// Uniform values that the launch leaves open, taken to be large.
    pub open: Vec<SymbolId>,
}

impl fmt::Display for Foretold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let p = &self.prediction;
        write!(f, "launch {}: ", self.asked)?;
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

/// What all bodies of a kernel share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Whole {
    /// Registers of a thread.
    pub registers: f64,
    /// Bytes of shared memory of a block, the kernel's own included.
    pub shared: f64,
}

/// Predicts a launch of a kernel that `plan` is carried out for. `host`: the host picks between the kernel and its original.
pub fn foretell(f: &Facets, plan: &Plan, target: &Target, asked: &Asked, host: bool) -> Foretold {
    let (own, open) = asked::launch(f, asked);
    let launch = match regrouped(f, plan, asked).filter(|_| host) {
        Some(other) => asked::launch(f, &other).0,
        None => own.clone(),
    };
    let mixes = Mixes::collect(f.kernel);
    let whole = whole(f, plan, target);
    let versions: Vec<&Plan> = std::iter::once(plan).chain(&plan.alternatives).collect();
    let question_of = |plan, launch| {
        let shape = Shape {
            width: widest(plan),
            ..super::stretched(plan, Shape::of(plan), launch)
        };
        Question {
            f: *f,
            plan,
            target,
            shape,
            launch,
            mixes: &mixes,
            whole: Some(whole),
            warm: !asked.cold,
        }
    };
    let question = |plan| question_of(plan, &launch);
    let untouched = |q: &Question| {
        let mut run = q.original(q.plain_residence());
        run.warp.wait += q.turnover();
        run
    };
    let first = question(plan);
    let before = untouched(&question_of(plan, &own));
    let idle = plan.is_idle();
    let test = Plan {
        gates: plan.first.clone(),
        ..Plan::default()
    };
    let turned_away = !question(&test).serves();
    // NB: what is about the kernel as a whole is not asked where `f` is not.
    let short = plan
        .short
        .iter()
        .filter(|p| p.together.is_some() && !f.affine.inside);
    let (tried, before_them) = match turned_away {
        true => (short.collect(), versions.len()),
        false => (versions, 0),
    };
    let version = tried.iter().position(|v| !idle && question(v).serves());
    // The host gives the launch to the original, though the kernel would run that version.
    let version = version.filter(|n| !host || question(tried[*n]).gains());
    // What the host gives to the original runs as if nothing were there, in the blocks that the host gives it.
    let alone = idle || (host && version.is_none());
    let mut after = match version {
        _ if alone => untouched(&first),
        Some(n) => question(tried[n]).staged(),
        None => first.original(first.staged_residence()),
    };
    if !alone {
        // Tests that failed, before those of the version that serves.
        let failed = version.unwrap_or(tried.len());
        for v in &tried[..failed] {
            after.warp += question(v).entry();
        }
        after.warp.wait += first.turnover();
    }
    Foretold {
        asked: asked.clone(),
        version: version.map(|n| n + before_them),
        prediction: Prediction::of(target, &before, &after, version.is_some()),
        open,
    }
}

/// The launch in the blocks that the host deals its threads out to; `None`: in its own.
pub fn regrouped(f: &Facets, plan: &Plan, asked: &Asked) -> Option<Asked> {
    let reached = plan.regroup.reach.and_then(|r| {
        let value = f.kernel.value(r.value);
        Some(r.threads(asked::value(f, asked, value)?, value.ty().int_width()?))
    });
    let (block, grid) = plan.regroup.of(asked.block, asked.grid, reached)?;
    Some(Asked {
        block,
        grid,
        ..asked.clone()
    })
}

/// Bytes that copies move at once where rows begin aligned.
fn widest(plan: &Plan) -> u32 {
    let tiles = plan.regions.iter().flat_map(|r| &r.tiles);
    let all = tiles.flat_map(|t| &t.widths).copied();
    let bulk = plan.regions.iter().any(|r| r.bulk);
    all.max().unwrap_or(if bulk { 16 } else { 0 })
}

/// Registers as `lower::registers` limits them, and the largest buffer of all versions.
fn whole(f: &Facets, plan: &Plan, target: &Target) -> Whole {
    let versions = || std::iter::once(plan).chain(&plan.alternatives);
    let shared = plan.most_shared();
    let kernel = f.kernel;
    let lanes = versions().map(|v| v.merge.lanes()).max().unwrap_or(1);
    let staged = versions().any(|v| !v.regions.is_empty());
    let regions = || versions().flat_map(|v| &v.regions);
    let flies = regions().any(|r| r.strip.is_some_and(|s| s.depth > 1));
    let tiles = || regions().flat_map(|r| &r.tiles);
    let slides = tiles().any(Tile::slides);
    let registers = if kernel.is_bounded() {
        target.register_ceiling(kernel.max_threads).min(64)
    } else if !staged {
        unstaged::registers(kernel)
    } else if slides {
        32
    } else if lanes == 1 && kernel.pressure <= 24 {
        if flies { 48 } else { 40 }
    } else {
        64
    };
    Whole {
        registers: f64::from(registers),
        shared: f64::from(shared + kernel.own_shared),
    }
}
