//! What else a kernel touches of what such a loop does, and whether a barrier stands in between.

use crate::access::{Access, AccessKind};
use crate::kernel::cfg::Cfg;
use crate::kernel::varying::Varying;
use crate::kernel::{BlockId, Kernel};
use crate::llvm::ir::Value;
use crate::map::HashSet;
use crate::plan::Analyses;

/// What the names of intrinsics begin with at which all threads of a block meet.
const BARRIERS: [&str; 3] = [
    "llvm.nvvm.barrier0",
    "llvm.nvvm.barrier.cta.sync.aligned.all",
    "llvm.nvvm.barrier.cta.red",
];

/// Whether something outside of the loop of these blocks may touch what the loop stores, or store what it touches, with
/// no barrier in between. What all threads load from one address, on the way to the loop or together, is none: a store
/// there would be a data race.
pub(super) fn is_met_outside(
    f: &Analyses,
    (cfg, varying): (&Cfg, &Varying),
    body: &[BlockId],
    on_the_way: &[BlockId],
) -> bool {
    let all = || f.accesses.iter();
    let mine: Vec<&Access> = all().filter(|a| body.contains(&a.block)).collect();
    let meets = |o: &Access| {
        let is_unknown = o.kind == AccessKind::Unknown;
        let of_mine =
            |a: &&Access| (a.writes() || o.writes() || is_unknown) && f.accesses.may_meet(a, o);
        mine.iter().any(of_mine)
    };
    let is_for_all = |o: &Access| {
        let address = o.pointer.map(|p| f.kernel.value(p));
        let is_one = address.is_some_and(|p| !varying.value(p));
        let all_come = varying.is_for_all(o.block) || on_the_way.contains(&o.block);
        o.kind == AccessKind::Load && !o.is_volatile && is_one && all_come
    };
    let is_silent = |o: &Access| {
        matches!(o.kind, AccessKind::Barrier | AccessKind::WarpOperation) || is_for_all(o)
    };
    let others = all().filter(|o| !body.contains(&o.block) && !is_silent(o));
    let paths = Paths {
        kernel: f.kernel,
        cfg,
    };
    let mut others = others.filter(|o| meets(o));
    let [header, latch] = [body[0], body[body.len() - 1]];
    let exits = cfg.succ[latch.index()].iter().filter(|s| **s != header);
    // Run again, over more of the row or less of it, the loop may hand a cell to another thread than before.
    let runs_again = paths.reach(exits.copied().collect(), |b, _| b == header);
    runs_again
        || others.any(|o| {
            let at = f.kernel.value(o.value);
            paths.lead(o.block, at, |b, _| b == header)
                || paths.reach(cfg.succ[latch.index()].clone(), |b, rest| {
                    b == o.block && rest.contains(&at)
                })
        })
}

/// Ways through a kernel that no barrier stands in.
struct Paths<'a> {
    kernel: &'a Kernel,
    cfg: &'a Cfg,
}

impl Paths<'_> {
    /// Whether control may come from behind an instruction to where `is_there` says.
    fn lead(
        &self,
        block: BlockId,
        from: Value,
        is_there: impl Fn(BlockId, &[Value]) -> bool,
    ) -> bool {
        let all = self.kernel.block(block).instructions();
        let mut behind = all.into_iter().skip_while(|v| *v != from);
        !behind.any(is_barrier) && self.reach(self.cfg.succ[block.index()].clone(), is_there)
    }

    /// Whether it may come from where some blocks begin to where `is_there` says, which is asked of each block behind
    /// and of its instructions up to the first barrier.
    fn reach(&self, work: Vec<BlockId>, is_there: impl Fn(BlockId, &[Value]) -> bool) -> bool {
        let mut work = work;
        let mut seen = HashSet::default();
        while let Some(b) = work.pop() {
            if !seen.insert(b) {
                continue;
            }
            let all = self.kernel.block(b).instructions();
            let up_to = all.iter().position(|v| is_barrier(*v));
            if is_there(b, &all[..up_to.unwrap_or(all.len())]) {
                return true;
            }
            if up_to.is_none() {
                work.extend(&self.cfg.succ[b.index()]);
            }
        }
        false
    }
}

fn is_barrier(v: Value) -> bool {
    let name = v.callee_name();
    BARRIERS.iter().any(|b| name.starts_with(b))
}
