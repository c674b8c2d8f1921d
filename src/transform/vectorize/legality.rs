//! Which loops by the block's size have iterations that have nothing to do with each other.

use super::addresses::Body;
use super::hazards;
use super::launches;
use super::plan::{Cells, Disjoint, NoVectorize, Other, Vectorize, Wide};
use crate::access::{self, Access, AccessKind};
use crate::affine::{negated, swapped};
use crate::kernel::cfg::Cfg;
use crate::kernel::ids::{self, Register};
use crate::kernel::varying::{self, Varying};
use crate::kernel::{BlockId, Dim, callees};
use crate::llvm::ir::{Block, Kind, Op, Pred, Type, Value};
use crate::machine::target::{BLOCK_THREADS, WARP};
use crate::machine::tuning::vectorize::{LEAST, MOST, WIDTH};
use crate::plan::Analyses;
use crate::plan::analyses::check_fusing;
use crate::tree::{ExitAt, Loop, LoopId};

/// The loops that run over neighbours, or why none does; `None`: none runs by the block's size.
pub fn find(f: &Analyses) -> Option<Result<Vectorize, NoVectorize>> {
    let kernel = f.kernel;
    let cfg = Cfg::new(kernel);
    let all = f.tree.loop_ids();
    let all = all.filter_map(|l| Some((l, Counter::of(f, &cfg, l)?)));
    let all: Vec<(LoopId, Counter)> = all.collect();
    if all.is_empty() {
        return None;
    }
    if kernel.rejected.is_some() {
        return Some(Err(NoVectorize::Rejected));
    }
    if kernel.rearranges || kernel.pairs.is_some() || access::crosses_blocks(kernel) {
        return Some(Err(NoVectorize::Fuses));
    }
    let varying = Varying::of(kernel, &cfg);
    let search = Search {
        f,
        cfg: &cfg,
        varying: &varying,
    };
    let made = all.into_iter().map(|(l, c)| search.wide(l, &c));
    let (loops, refused): (Vec<_>, Vec<_>) = made.partition(Result::is_ok);
    let loops: Vec<Wide> = loops.into_iter().flatten().collect();
    let all = f.tree.loop_ids().map(|l| f.tree.loop_(l).header);
    let others = all.filter(|h| loops.iter().all(|wide| wide.blocks[0] != *h));
    // Of the loop that came furthest.
    let why = refused.into_iter().filter_map(Result::err).max();
    Some(match why {
        Some(why) if loops.is_empty() => Err(why),
        _ => Ok(Vectorize {
            any_length: launches::is_any_length(f, &loops),
            others: others.collect(),
            loops,
        }),
    })
}

/// What counts in a loop by the block's size, and the loop.
struct Counter {
    body: Body,
    first: Value,
    next: Value,
    /// What it goes on by, if that is a number; `None`: the block's length along x.
    step: Option<u32>,
}

impl Counter {
    fn of(f: &Analyses, cfg: &Cfg, l: LoopId) -> Option<Counter> {
        let lp = f.tree.loop_(l);
        let [header, latch] = [lp.header, lp.latch].map(|b| f.kernel.block(b));
        header.phis().into_iter().find_map(|phi| {
            let incoming = phi.incoming();
            let (first, _) = incoming.iter().copied().find(|(_, from)| *from != latch)?;
            let next = phi.incoming_from(latch)?;
            let step = match next.is(Op::LLVMAdd) {
                true if next.operand(0) == phi => next.operand(1),
                true if next.operand(1) == phi => next.operand(0),
                _ => return None,
            };
            // Smaller steps than a warp are other loops', as of those that are unrolled by hand.
            let number = step.const_int().and_then(|n| u32::try_from(n).ok());
            let number = number.filter(|n| (WARP..=BLOCK_THREADS).contains(n));
            let counts = number.is_some() || reads(step, Register::Ntid);
            (counts && reads(first, Register::Tid) && incoming.len() == 2).then_some(())?;
            let all = in_order(cfg, lp)?;
            Some(Counter {
                body: Body {
                    blocks: all.into_iter().map(|b| f.kernel.block(b)).collect(),
                    counter: phi,
                },
                first,
                next,
                step: number,
            })
        })
    }
}

/// Whether a value is a register's along x, read on whichever way.
fn reads(v: Value, register: Register) -> bool {
    let v = ids::unextended(v);
    let is = |v: Value| ids::register(ids::unextended(v)) == Some((register, Dim::X));
    match v.is(Op::LLVMPHI) {
        true => v.incoming().into_iter().all(|(v, _)| is(v)),
        false => is(v),
    }
}

/// The blocks of a loop without loops in it, each behind those that lead to it; `None`: it is not one, or is left
/// elsewhere than at its end.
fn in_order(cfg: &Cfg, l: &Loop) -> Option<Vec<BlockId>> {
    (l.exit_at == ExitAt::Latch).then_some(())?;
    let mut order = vec![l.header];
    while order.len() < l.blocks.len() {
        let is_next = |b: &&BlockId| {
            let mut before = cfg.pred[b.index()].iter();
            !order.contains(b) && before.all(|p| order.contains(p))
        };
        order.push(*l.blocks.iter().find(is_next)?);
    }
    let stays = |b: &BlockId| {
        let mut next = cfg.succ[b.index()].iter();
        *b == l.latch || next.all(|s| l.blocks.contains(s) && *s != l.header)
    };
    (order.last() == Some(&l.latch) && order.iter().all(stays)).then_some(order)
}

/// A test that a number is below another: the number that it is of, which operand the other is, and whether they have
/// signs.
struct Below {
    compare: Value,
    bound: u32,
    signed: bool,
}

impl Below {
    /// The test by which control goes to `stays`, if `branch` is one of `v`.
    fn of(branch: Value, stays: Block, v: Value) -> Option<Below> {
        let block = branch.block()?;
        branch.is_conditional().then_some(())?;
        let compare = branch.condition();
        compare.is(Op::LLVMICmp).then_some(())?;
        let bound = match [0, 1].map(|k| compare.operand(k) == v) {
            [true, false] => 1,
            [false, true] => 0,
            _ => return None,
        };
        let mut test = compare.predicate();
        if bound == 0 {
            test = swapped(test);
        }
        if block.successors()[0] != stays {
            test = negated(test);
        }
        let signed = match test {
            Pred::LLVMIntSLT => true,
            Pred::LLVMIntULT => false,
            _ => return None,
        };
        Some(Below {
            compare,
            bound,
            signed,
        })
    }

    fn limit(&self) -> Value {
        self.compare.operand(self.bound)
    }
}

/// What loops are looked at with.
struct Search<'a> {
    f: &'a Analyses<'a>,
    cfg: &'a Cfg,
    varying: &'a Varying,
}

impl Search<'_> {
    fn wide(&self, l: LoopId, c: &Counter) -> Result<Wide, NoVectorize> {
        let (f, body) = (self.f, &c.body);
        let end = body.latch().terminator();
        let test = Below::of(end, body.header(), c.next).ok_or(NoVectorize::Count)?;
        self.check_carried(c, &test)?;
        check_fusing(f, l).map_err(|_| NoVectorize::Fuses)?;
        let way = self.way_in(c, &test)?;
        self.check_values(c)?;
        let blocks = body.blocks.iter().map(|b| f.kernel.block_id(*b));
        let blocks: Vec<BlockId> = blocks.collect();
        let mine = f.accesses.iter().filter(|a| blocks.contains(&a.block));
        let mine: Vec<&Access> = mine.collect();
        self.check_effects(body, &mine)?;
        let (accesses, width) = self.cells(body, &mine)?;
        let disjoint = self.disjoint(body, &mine, &accesses)?;
        if hazards::is_met_outside(f, (self.cfg, self.varying), &blocks, &way) {
            return Err(NoVectorize::Outside);
        }
        Ok(Wide {
            outside: [way[0], f.tree.loop_(l).exit.to],
            blocks,
            guard: way[way.len() - 1],
            counter: (f.kernel.value_id(body.counter), c.step),
            compare: (f.kernel.value_id(test.compare), test.bound),
            signed: test.signed,
            width,
            accesses,
            disjoint,
        })
    }

    /// Whether nothing but the counter goes round, and nothing is used behind the loop.
    fn check_carried(&self, c: &Counter, test: &Below) -> Result<(), NoVectorize> {
        let body = &c.body;
        let is_within = |v: Value| v.users().into_iter().all(|u| body.has(u));
        let next_counts = |v: &Value| *v == body.counter || *v == test.compare;
        let counts = c.next.users().iter().all(next_counts) && test.compare.users().len() == 1;
        match body.header().phis().len() {
            1 if counts && body.instructions().all(is_within) => Ok(()),
            _ => Err(NoVectorize::Carries),
        }
    }

    /// The blocks from the loop back to the one that asks whether it runs at all, which all threads along x come to.
    fn way_in(&self, c: &Counter, test: &Below) -> Result<Vec<BlockId>, NoVectorize> {
        let kernel = self.f.kernel;
        let latch = kernel.block_id(c.body.latch());
        let (mut way, mut inner) = (Vec::new(), c.body.header());
        loop {
            let id = kernel.block_id(inner);
            let before = self.cfg.pred[id.index()].iter().filter(|p| **p != latch);
            let before: Vec<BlockId> = before.copied().collect();
            let [before] = before[..] else {
                return Err(NoVectorize::Count);
            };
            way.push(before);
            let end = kernel.block(before).terminator();
            if end.is_conditional() {
                let is_guard = begins_by(end, inner, c, test);
                is_guard.then_some(()).ok_or(NoVectorize::Count)?;
                let is_for_all = self.varying.is_for_all(before);
                return is_for_all.then_some(way).ok_or(NoVectorize::Threads);
            }
            inner = kernel.block(before);
        }
    }

    /// Whether what the loop takes from outside is the same for all threads along x, and the test's bound, too.
    fn check_values(&self, c: &Counter) -> Result<(), NoVectorize> {
        let all = c.body.instructions().filter(|v| *v != c.body.counter);
        let mut outside = all.flat_map(|v| v.operands()).filter(|o| !c.body.has(*o));
        match outside.any(|o| self.varying.value(o)) {
            true => Err(NoVectorize::Threads),
            false => Ok(()),
        }
    }

    /// Whether each iteration loads, computes and stores, and no more.
    fn check_effects(&self, body: &Body, mine: &[&Access]) -> Result<(), NoVectorize> {
        let is_simple =
            |a: &&Access| matches!(a.kind, AccessKind::Load | AccessKind::Store) && !a.is_volatile;
        let is_mine = |v: Value| mine.iter().any(|a| self.f.kernel.value(a.value) == v);
        let is_allowed = |v: Value| match v.opcode() {
            Some(Op::LLVMStore) => is_mine(v),
            // The kernel's own: parameters, constants, and what all threads read of shared memory.
            Some(Op::LLVMLoad) => {
                is_mine(v) || !v.is_volatile_or_atomic() && self.is_fixed(body, v.operand(0))
            }
            Some(Op::LLVMCall) => callees::is_assumption(v) || varying::is_computed(v),
            Some(Op::LLVMFence | Op::LLVMInvoke | Op::LLVMAlloca | Op::LLVMSwitch) => false,
            _ => true,
        };
        match mine.iter().all(is_simple) && body.instructions().all(is_allowed) {
            true => Ok(()),
            false => Err(NoVectorize::Communicates),
        }
    }

    /// Whether an address is the same in all iterations of all threads along x.
    fn is_fixed(&self, body: &Body, pointer: Value) -> bool {
        body.growth(pointer) == Some(0) && !self.varying.value(pointer)
    }

    /// The accesses of each iteration whose cells lie side by side, and how many of the widest fit 16 bytes.
    fn cells(&self, body: &Body, mine: &[&Access]) -> Result<(Vec<Cells>, u32), NoVectorize> {
        let kernel = self.f.kernel;
        let latch = kernel.block_id(body.latch());
        let mut all = Vec::new();
        for a in mine {
            let at = kernel.value(a.value);
            let (pointer, ty) = match at.is(Op::LLVMStore) {
                true => (1, at.operand(0).ty()),
                false => (0, at.ty()),
            };
            let grows = body.growth(at.operand(pointer)) == Some(a.size.into());
            let is_always = self.cfg.dominates(a.block, latch);
            match grows && is_always && is_number(ty) {
                true => all.push(Cells {
                    at: a.value,
                    pointer,
                    bytes: a.size,
                }),
                false if a.size >= WIDTH => return Err(NoVectorize::Wide),
                false if a.writes() => return Err(NoVectorize::Scattered),
                false => {}
            }
        }
        let widest = all.iter().map(|x| x.bytes).max();
        let width = widest.map_or(0, |w| WIDTH / w).min(MOST);
        match width >= LEAST && mine.iter().any(|a| a.writes()) {
            true => Ok((all, width)),
            false => Err(NoVectorize::Scattered),
        }
    }

    /// What must not meet what each store stores.
    fn disjoint(
        &self,
        body: &Body,
        mine: &[&Access],
        cells: &[Cells],
    ) -> Result<Vec<Disjoint>, NoVectorize> {
        let place = |a: &Access| cells.iter().position(|x| x.at == a.value);
        let mut all = Vec::new();
        for (n, s) in mine.iter().enumerate().filter(|(_, s)| s.writes()) {
            let store = place(s).ok_or(NoVectorize::Scattered)?;
            for (k, a) in mine.iter().enumerate() {
                let is_done = k == n || a.writes() && k < n;
                if is_done || !self.f.accesses.may_meet(s, a) {
                    continue;
                }
                let other = match place(a) {
                    // An iteration loads before it stores.
                    Some(number) => Other::Cells {
                        number,
                        same: a.size == s.size && (a.writes() || k < n),
                    },
                    None => {
                        let pointer = self.f.kernel.value(a.value).operand(0);
                        let is_one = self.is_fixed(body, pointer);
                        is_one.then_some(()).ok_or(NoVectorize::Meets)?;
                        Other::One {
                            at: a.value,
                            bytes: a.size,
                        }
                    }
                };
                all.push(Disjoint { store, other });
            }
        }
        Ok(all)
    }
}

/// Whether a branch tests of the counter's first value what the loop's end tests of the next ones.
fn begins_by(branch: Value, inner: Block, c: &Counter, test: &Below) -> bool {
    let first = [c.first, ids::unextended(c.first)].into_iter();
    let mut tests = first.filter_map(|v| Below::of(branch, inner, v));
    let widens = match test.signed {
        true => Op::LLVMSExt,
        false => Op::LLVMZExt,
    };
    // The same number, widened as it is compared.
    let is_same = |x: Value, y: Value| {
        let [a, b] = [x, y].map(Value::const_int);
        x == y || x.is(widens) && x.operand(0) == y || a.is_some() && a == b
    };
    tests.any(|t| t.signed == test.signed && is_same(test.limit(), t.limit()))
}

/// Whether vectors of a type are what its values are one by one.
fn is_number(ty: Type) -> bool {
    match ty.kind() {
        Kind::LLVMIntegerTypeKind => matches!(ty.int_width(), Some(8 | 16 | 32 | 64)),
        Kind::LLVMHalfTypeKind
        | Kind::LLVMBFloatTypeKind
        | Kind::LLVMFloatTypeKind
        | Kind::LLVMDoubleTypeKind => true,
        _ => false,
    }
}
