//! Loops with branches in their bodies.

use crate::kernel::cfg::{Cfg, NaturalLoop};
use crate::kernel::{BlockId, Kernel};
use crate::llvm::ir::{Block, Op, Value};

/// A loop that is left at its end alone, and has no loop in it.
pub struct Loop {
    /// Where it begins.
    pub header: Block,
    /// Goes back there, or out.
    pub latch: Block,
    /// Its numbers and sums.
    pub phis: Vec<Value>,
    /// Its blocks, each behind all that lead there, with when it runs.
    pub body: Vec<(Block, Runs)>,
}

/// When a block of a loop's body runs.
pub enum Runs {
    /// In each iteration.
    Always,
    /// Whenever an earlier block does: what parted there has met again.
    With(Block),
    /// If control goes along one of the edges from these.
    From(Vec<Block>),
}

impl Loop {
    /// Those of a kernel.
    pub fn all(kernel: &Kernel) -> Vec<Loop> {
        let cfg = Cfg::new(kernel);
        if cfg.irreducible {
            return Vec::new();
        }
        let loops = cfg.loops.iter();
        loops.filter_map(|l| Loop::of(kernel, &cfg, l)).collect()
    }

    fn of(kernel: &Kernel, cfg: &Cfg, of: &NaturalLoop) -> Option<Loop> {
        let block = |b: BlockId| kernel.blocks[b.index()];
        let [latch] = of.latches[..] else { return None };
        let [(from, _)] = of.exits[..] else {
            return None;
        };
        let is_outer = |l: &NaturalLoop| l.header != of.header && of.blocks.contains(&l.header);
        let ends = from == latch && block(latch).terminator().is_conditional();
        if !ends || cfg.loops.iter().any(is_outer) {
            return None;
        }
        let mut order: Vec<BlockId> = Vec::new();
        while order.len() < of.blocks.len() {
            let is_ready = |b: &&BlockId| {
                let mut before = cfg.pred[b.index()].iter();
                !order.contains(b) && (**b == of.header || before.all(|p| order.contains(p)))
            };
            let next = *of.blocks.iter().find(is_ready)?;
            order.push(next);
        }
        let body = order.iter().enumerate().map(|(at, b)| {
            let runs = match &cfg.pred[b.index()][..] {
                _ if at == 0 => Runs::Always,
                from => match meets(cfg, &order[..at], *b) {
                    Some(parted) if from.len() > 1 => Runs::With(block(parted)),
                    _ => Runs::From(from.iter().map(|p| block(*p)).collect()),
                },
            };
            (block(*b), runs)
        });
        Some(Loop {
            header: block(of.header),
            latch: block(latch),
            phis: block(of.header).phis(),
            body: body.collect(),
        })
    }

    /// Whether a block is one of it.
    pub fn has(&self, block: Block) -> bool {
        self.body.iter().any(|(b, _)| *b == block)
    }

    /// Its blocks.
    pub fn blocks(&self) -> Vec<Block> {
        self.body.iter().map(|(b, _)| *b).collect()
    }

    fn instructions(&self) -> impl Iterator<Item = Value> {
        let all = self.body.iter();
        all.flat_map(|(b, _)| b.instructions())
    }

    /// A phi's value before the first iteration, and after each.
    pub fn ends(&self, phi: Value) -> Option<(Value, Value)> {
        let [(a, from), (b, _)] = phi.incoming()[..] else {
            return None;
        };
        Some(if from == self.latch { (b, a) } else { (a, b) })
    }

    /// Where it goes when it ends.
    pub fn exit(&self) -> Option<Block> {
        self.latch
            .successors()
            .into_iter()
            .find(|b| *b != self.header)
    }

    /// How far a phi counts in each iteration.
    pub fn step(&self, phi: Value) -> Option<i64> {
        let (_, next) = self.ends(phi)?;
        (is_counter(next) && next.operand(0) == phi).then(|| next.operand(1).const_int())?
    }

    /// Whether what it computes is used outside by phis of `to` alone, through blocks that are empty otherwise.
    pub fn is_closed(&self, to: Block) -> bool {
        let exit = self.exit().filter(|b| *b != to);
        let leaves = |u: Value| {
            let is_phi_of = |b: Block| u.is(Op::LLVMPHI) && b == to;
            u.block()
                .is_some_and(|b| self.has(b) || Some(b) == exit || is_phi_of(b))
        };
        self.instructions()
            .all(|i| i.users().into_iter().all(leaves))
    }

    /// Whether what is worked out and widened goes into addresses alone, which say whether it is exact. What is loaded
    /// and widened always is.
    pub fn widens_indices_only(&self) -> bool {
        let widens = |i: &Value| {
            let is_worked_out = |v: Value| !v.is(Op::LLVMLoad) && v.ty().int_width() != Some(1);
            (i.is(Op::LLVMSExt) || i.is(Op::LLVMZExt)) && is_worked_out(i.operand(0))
        };
        self.instructions().filter(widens).all(goes_into_addresses)
    }

    /// Whether every product that may be fused has one user, in its own block: only there LLVM fuses.
    pub fn products_are_used_once(&self) -> bool {
        let mut products = self.instructions().filter(|i| i.is(Op::LLVMFMul));
        products.all(|i| match i.users()[..] {
            [only] => only.block() == i.block(),
            _ => false,
        })
    }
}

/// The last of the blocks `before` that all ways to `b` pass, if all ways from there come to `b`.
fn meets(cfg: &Cfg, before: &[BlockId], b: BlockId) -> Option<BlockId> {
    let parted = *before.iter().rev().find(|d| cfg.dominates(**d, b))?;
    let next = |at: &BlockId| cfg.immediate_postdominator(*at);
    let mut behind = std::iter::successors(Some(parted), next);
    behind.any(|p| p == b).then_some(parted)
}

/// Whether an instruction counts its loop's iterations: it goes into a phi that it is made of by a constant.
pub fn is_counter(i: Value) -> bool {
    let comes_back =
        |phi: Value| phi.is(Op::LLVMPHI) && phi.incoming().iter().any(|(v, _)| *v == i);
    let adds = i.is_instruction() && i.is(Op::LLVMAdd);
    adds && i.operand(1).const_int().is_some() && comes_back(i.operand(0))
}

/// Whether a number is used for addresses alone, by sums and products on the way.
fn goes_into_addresses(v: Value) -> bool {
    let is_on_the_way =
        |u: Value| u.is(Op::LLVMAdd) || u.is(Op::LLVMSub) || u.is(Op::LLVMMul) || u.is(Op::LLVMShl);
    let mut users = v.users().into_iter();
    users.all(|u| u.is(Op::LLVMGetElementPtr) || is_on_the_way(u) && goes_into_addresses(u))
}
