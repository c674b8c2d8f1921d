//! Launches whose threads the host deals out to blocks of another size.
//!
//! ```text
//! grid 32, blocks of 256      8,192 threads on 32 of 132 multiprocessors
//! grid 128, blocks of 64      the same threads on 128 of them
//! ```
//! Where thread and block numbers along x occur in `ctaid.x * ntid.x + tid.x` alone, and threads of a block have nothing to do with each other, which block a
//! thread is in cannot be told. So the host may launch the same threads in other blocks; what the kernel then does is what it
//! does for any launch of that shape. Only blocks of one row are dealt out anew. Where the new ones do not hold exactly the same threads, the last one has some
//! more, which must be of no use: their ids lie beyond a limit that the kernel tests first of all, and ends. The host works that limit out.
//!
//! Refused: anything by which threads communicate, shared memory, volatile accesses, any other use of the ids, a block size that is given.

use super::Plan;
use super::legality::Facets;
use crate::access::{Access, AccessKind};
use crate::kernel::{Dim, ValueId, ids};
use crate::llvm::ir::{Block, Op, Pred, Value};
use crate::options::Options;
use crate::target::{BLOCK_THREADS, Target};
use std::fmt;

/// Threads of a small block, and of a large one.
const SMALL: u32 = 64;
const LARGE: u32 = 256;
/// Threads for each multiprocessor up to which a grid is small, and where strips grow with the room that blocks have.
const FILLED: u32 = 256;
const STRETCHED: u32 = 1024;
/// Blocks from which a grid is one of many.
const MANY: u32 = 4096;
/// Threads of a grid that is looked at: ids of some more fit in 31 bits.
pub const MOST_THREADS: u64 = (1 << 31) - 1 - BLOCK_THREADS as u64;

/// Blocks that the threads of some launches are dealt out to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regroup {
    /// The first that fits says which.
    pub rules: Vec<Rule>,
    /// Which threads are of use: there may be more of the others.
    pub reach: Option<Reached>,
}

/// Which launches get blocks of another size. All sizes are threads along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What a block gets.
    pub block: u32,
    /// What it has: at least and at most.
    pub from: [u32; 2],
    /// Threads of the grid, at most; none: any number.
    pub most: Option<u32>,
    /// Blocks of the grid, at least.
    pub least: u32,
}

/// Threads whose global id along x is `value` or more, or above it if that is `included`, end at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Computed at the kernel's entry.
    pub value: ValueId,
    /// Whether the thread of that id still does something.
    pub included: bool,
    /// Whether ids are compared with it as signed numbers.
    pub signed: bool,
}

impl Rule {
    fn fits(&self, x: u32, blocks: u64) -> bool {
        let threads = blocks.saturating_mul(u64::from(x));
        (self.from[0]..=self.from[1]).contains(&x)
            && blocks >= u64::from(self.least)
            && threads <= self.most.map_or(MOST_THREADS, u64::from)
    }
}

impl Regroup {
    /// The block and grid that a launch gets; `None`: its own. `reached`: how many threads along x do something, where that is known.
    /// `choice::blocks` emits the same.
    pub fn of(
        &self,
        block: [u32; 3],
        grid: [u32; 3],
        reached: Option<i128>,
    ) -> Option<([u32; 3], [u32; 3])> {
        let ([x, y, z], [along, gy, gz]) = (block, grid);
        let blocks = grid.iter().map(|n| u64::from(*n)).product();
        let is_row = [y, z] == [1, 1];
        let rule = self.rules.iter().find(|r| is_row && r.fits(x, blocks))?;
        let threads = u64::from(along) * u64::from(x);
        let to = u64::from(rule.block);
        let spare = reached.is_some_and(|n| n <= i128::from(threads));
        let along = u32::try_from(threads.div_ceil(to)).ok()?;
        (spare || threads.is_multiple_of(to)).then_some(([rule.block, 1, 1], [along, gy, gz]))
    }
}

impl Reached {
    /// How many threads along x do something, if the value is `value`, sign-extended from `width` bits.
    pub fn threads(&self, value: i64, width: u32) -> i128 {
        let value = match self.signed {
            true => i128::from(value),
            false => i128::from(value) & ((1 << width) - 1),
        };
        value + i128::from(self.included)
    }
}

impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let than = if self.included { "<=" } else { "<" };
        let bits = if self.signed { "" } else { ", unsigned" };
        write!(f, "id {than} {}{bits}", self.value)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([low, high], block) = (self.from, self.block);
        write!(f, "blocks of {block} threads in place of {low} to {high}")?;
        if let Some(most) = self.most {
            write!(f, " in grids of up to {most} threads")?;
        }
        if self.least > 1 {
            write!(f, " in grids of {} blocks and more", self.least)?;
        }
        Ok(())
    }
}

/// What the host does with launches of a kernel for which `plan` is made; `f`: the kernel as a whole.
pub fn choose(f: &Facets, plan: &Plan, options: &Options) -> Regroup {
    let free = options.regroup && is_free(f);
    let Some(target) = Target::of_sm(f.kernel.sm).filter(|_| free) else {
        return Regroup::default();
    };
    let rules = [few(f, plan, target), large(plan), many(f, plan)];
    Regroup {
        rules: rules.into_iter().flatten().collect(),
        reach: reach(f),
    }
}

/// Small blocks where a grid does not fill the chip with larger ones, and loops run, so that starting more blocks costs nothing beside them.
fn few(f: &Facets, plan: &Plan, target: &Target) -> Option<Rule> {
    if plan.is_idle() || f.tree.loops.is_empty() {
        return None;
    }
    let stretches = plan.regions.iter().any(|r| r.stretch.is_some());
    let each = if stretches { STRETCHED } else { FILLED };
    Some(Rule {
        block: SMALL,
        from: [SMALL + 1, BLOCK_THREADS],
        most: Some(each * target.sms),
        least: 1,
    })
}

/// Blocks whose tiles there is room for.
fn large(plan: &Plan) -> Option<Rule> {
    (!plan.regions.is_empty()).then_some(Rule {
        block: LARGE,
        from: [LARGE + 1, BLOCK_THREADS],
        most: None,
        least: 1,
    })
}

/// Larger blocks where starting blocks takes as long as what they do, as of merged blocks, most of which end at once, and where each block has tiles to
/// fill. A kernel that stays as it is keeps its blocks (an update of structs in place: x0.91 to x1.02 in blocks of 256).
fn many(f: &Facets, plan: &Plan) -> Option<Rule> {
    let merged = plan.merge.lanes() > 1;
    let gains = merged || plan.tally.is_some() || !plan.regions.is_empty();
    let strips = plan.regions.iter().any(|r| r.strip.is_some());
    let block = if merged && strips { LARGE / 2 } else { LARGE };
    let fits = f.kernel.max_threads >= block;
    (gains && fits).then_some(Rule {
        block,
        from: [1, block / 2],
        most: None,
        least: MANY,
    })
}

/// Whether it cannot be told which block a thread is in, along x.
fn is_free(f: &Facets) -> bool {
    let kernel = f.kernel;
    let told = ["nvvm.reqntid", "nvvm.cluster_dim", "nvvm.maxclusterrank"];
    let own = kernel.own_shared > 0 || kernel.dynamic_shared;
    if own
        || told
            .iter()
            .any(|k| kernel.function.string_attribute(k).is_some())
    {
        return false;
    }
    let quiet = |a: &Access| match a.kind {
        AccessKind::Load | AccessKind::Store => !a.is_volatile,
        // Updates that may come in any order, whose outcome nobody looks at.
        AccessKind::Atomic => {
            let update = kernel.value(a.value);
            update.is(Op::LLVMAtomicRMW) && update.rmw().is_some() && update.users().is_empty()
        }
        AccessKind::Barrier | AccessKind::WarpOperation | AccessKind::Unknown => false,
    };
    let mut all = kernel.blocks.iter().flat_map(|b| b.instructions());
    f.accesses.list.iter().all(quiet) && ids::tells_no_block(kernel, Dim::X) && !all.any(tells)
}

/// The limit that the kernel's first branch tests, and ends without a trace.
fn reach(f: &Facets) -> Option<Reached> {
    let function = f.kernel.function;
    let entry = function.entry();
    let branch = entry.terminator();
    let [yes, no] = entry.successors()[..] else {
        return None;
    };
    let ends = |b: Block| b.instructions().first().is_some_and(|i| i.is(Op::LLVMRet));
    let goes_on = match (ends(yes), ends(no)) {
        (false, true) => true,
        (true, false) => false,
        _ => return None,
    };
    let is_traceless = |i: Value| match i.opcode() {
        Some(Op::LLVMLoad) => is_of_parameter(f, i),
        _ => i == branch || ids::is_speculatable(i),
    };
    if !branch.is_conditional() || !entry.instructions().into_iter().all(is_traceless) {
        return None;
    }
    limit(f, branch.condition(), goes_on)
}

/// Whether a load is of a struct that is passed by value.
fn is_of_parameter(f: &Facets, load: Value) -> bool {
    let function = f.kernel.function;
    let base = load.operand(0).parameter_offset(function.module());
    let index = base.and_then(|(base, _)| base.argument_index());
    index.is_some_and(|i| function.param_has(i, "byval"))
}

/// The limit in a condition, or in one of several that must all hold, so that a thread goes on if it is `wanted`.
fn limit(f: &Facets, condition: Value, wanted: bool) -> Option<Reached> {
    let parts = || [0, 1].map(|i| condition.operand(i));
    match condition.opcode()? {
        Op::LLVMICmp => limit_of(f, condition, wanted),
        Op::LLVMAnd if wanted => parts().into_iter().find_map(|p| limit(f, p, true)),
        Op::LLVMOr if !wanted => parts().into_iter().find_map(|p| limit(f, p, false)),
        Op::LLVMSelect => {
            let side = condition.operand(if wanted { 2 } else { 1 });
            let other = condition.operand(if wanted { 1 } else { 2 });
            let all = (side.const_int()? != 0) != wanted;
            let parts = [condition.operand(0), other];
            parts
                .into_iter()
                .filter(|_| all)
                .find_map(|p| limit(f, p, wanted))
        }
        _ => None,
    }
}

fn limit_of(f: &Facets, compare: Value, wanted: bool) -> Option<Reached> {
    let is_id = |v| ids::is_widened_global_id(v, Dim::X);
    let (a, b) = (compare.operand(0), compare.operand(1));
    let (value, swapped) = match (is_id(a), is_id(b)) {
        (true, false) => (b, false),
        (false, true) => (a, true),
        _ => return None,
    };
    // As `id < value`, `id <= value`; what turns a thread away the other way round.
    let (below, included, signed) = match compare.predicate() {
        Pred::LLVMIntSLT => (true, false, true),
        Pred::LLVMIntSLE => (true, true, true),
        Pred::LLVMIntULT => (true, false, false),
        Pred::LLVMIntULE => (true, true, false),
        Pred::LLVMIntSGT => (false, false, true),
        Pred::LLVMIntSGE => (false, true, true),
        Pred::LLVMIntUGT => (false, false, false),
        Pred::LLVMIntUGE => (false, true, false),
        _ => return None,
    };
    ((below != swapped) == wanted).then(|| Reached {
        value: f.kernel.value_id(value),
        included: included == wanted,
        signed,
    })
}

/// Whether an instruction may tell more of where a thread is than the registers that are looked at.
fn tells(v: Value) -> bool {
    let is_special = || v.callee_name().starts_with("llvm.nvvm.read.ptx.sreg.");
    v.is(Op::LLVMCall) && (v.is_inline_asm_call() || (is_special() && ids::register(v).is_none()))
}
