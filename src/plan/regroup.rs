//! Launches whose threads the host deals out to blocks of another size.
//!
//! ```text
//! grid 32, blocks of 256      8,192 threads on 32 of 132 multiprocessors
//! grid 128, blocks of 64      the same threads on 128 of them
//! ```
//! Where thread and block numbers along x occur in `ctaid.x * ntid.x + tid.x` alone, and threads of a block have nothing to do with each other, which block a
//! thread is in cannot be told. So the host may launch the same threads in other blocks; what the kernel then does is what it
//! does for any launch of that shape. Only blocks of one row are dealt out anew, and only if the new ones hold exactly the same threads, so that no thread is added.
//!
//! Refused: anything by which threads communicate, shared memory, volatile accesses, any other use of the ids, a block size that is given.

use super::Plan;
use super::legality::Facets;
use crate::access::{Access, AccessKind};
use crate::kernel::{Dim, ids};
use crate::llvm::ir::{Op, Value};
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
/// Threads of a grid that is looked at, so that their numbers are exact.
pub const MOST_THREADS: u64 = i32::MAX as u64;

/// Blocks that the threads of some launches are dealt out to: the first rule that fits says which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regroup(pub Vec<Rule>);

/// Which launches get blocks of another size. All sizes are threads along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What a block gets.
    pub block: u32,
    /// What it has: at least and at most. Both lie on one side of `block`.
    pub from: [u32; 2],
    /// Threads of the grid, at most; none: any number.
    pub most: Option<u32>,
    /// Blocks of the grid, at least.
    pub least: u32,
}

impl Rule {
    /// Whether blocks become smaller.
    pub fn splits(&self) -> bool {
        self.block < self.from[0]
    }

    fn fits(&self, x: u32, along: u32, blocks: u64) -> bool {
        let is_whole = match self.splits() {
            true => x.is_multiple_of(self.block),
            false => self.block.is_multiple_of(x) && along.is_multiple_of(self.block / x),
        };
        let threads = blocks.saturating_mul(u64::from(x));
        (self.from[0]..=self.from[1]).contains(&x)
            && is_whole
            && blocks >= u64::from(self.least)
            && self.most.is_none_or(|most| threads <= u64::from(most))
            && threads <= MOST_THREADS
    }
}

impl Regroup {
    /// The block and grid that a launch gets; `None`: its own. `choice::blocks` emits the same.
    pub fn of(&self, block: [u32; 3], grid: [u32; 3]) -> Option<([u32; 3], [u32; 3])> {
        let ([x, y, z], [along, gy, gz]) = (block, grid);
        let blocks = grid.iter().map(|n| u64::from(*n)).product();
        let is_row = [y, z] == [1, 1];
        let rule = self.0.iter().find(|r| is_row && r.fits(x, along, blocks))?;
        let along = match rule.splits() {
            true => along * (x / rule.block),
            false => along / (rule.block / x),
        };
        Some(([rule.block, 1, 1], [along, gy, gz]))
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
    Regroup(rules.into_iter().flatten().collect())
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

/// Larger blocks where starting blocks takes as long as what they do, as of straight code and of merged blocks, most of which end at once; and where
/// each block has tiles to fill.
fn many(f: &Facets, plan: &Plan) -> Option<Rule> {
    let straight = plan.is_idle() && f.tree.loops.is_empty();
    let merged = plan.merge.lanes() > 1;
    let gains = straight || merged || plan.tally.is_some() || !plan.regions.is_empty();
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

/// Whether an instruction may tell more of where a thread is than the registers that are looked at.
fn tells(v: Value) -> bool {
    let is_special = || v.callee_name().starts_with("llvm.nvvm.read.ptx.sreg.");
    v.is(Op::LLVMCall) && (v.is_inline_asm_call() || (is_special() && ids::register(v).is_none()))
}
