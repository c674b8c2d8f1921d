//! What surrounds a place where values are made again ([`super::emit`]): which values cross the passes for
//! what comes behind them alone, what those are made of, and their making.
//!
//! ```text
//! own:     before ──► passes (busy) ──► place ──► after      control comes to `after` through the place alone
//! crossing: made before, used in `after`, by nothing busy    leaves: ids, and roots that are not cheap
//! ```

use super::emit_cost::{is_harmless, is_remat};
use crate::kernel::ids::{Register, register};
use crate::llvm::ir::{Block, Builder, Op, Value};
use crate::lower::state::{Made, RematPoint};
use crate::map::{HashMap, HashSet};

/// The surroundings of one place.
pub(crate) struct RematScope<'a> {
    pub(crate) place: &'a RematPoint,
    /// Blocks of this body that control reaches through the place alone.
    after: HashSet<Block>,
    /// Blocks in which a use keeps a value in its register: other passes, and what follows.
    busy: HashSet<Block>,
    /// Whether values differ between threads, as far as was asked.
    varying: HashMap<Value, bool>,
    /// Blocks of this body.
    own: HashSet<Block>,
    /// Where it begins.
    entry: Block,
    /// Whether control comes to the place only through a block, as far as was asked.
    passed: HashMap<Block, bool>,
    /// Whether what was made where only some replicas come is made again too.
    pub(crate) guarded: bool,
    /// Whether real numbers are that are the same for all threads.
    pub(crate) reals: bool,
    /// Whether what the block's number alone decides is too.
    pub(crate) blocks_vary: bool,
}

impl<'a> RematScope<'a> {
    pub(crate) fn new(blocks: &[Block], place: &'a RematPoint) -> RematScope<'a> {
        let own: HashSet<Block> = blocks.iter().copied().collect();
        let before = reachable(blocks[0], |b| own.contains(&b) && b != place.at);
        let after: HashSet<Block> = own.difference(&before).copied().collect();
        let mut busy = reachable(place.at, |b| own.contains(&b));
        busy.extend(place.passes.iter().flatten());
        busy.retain(|b| !after.contains(b));
        RematScope {
            place,
            after,
            busy,
            varying: HashMap::default(),
            own,
            entry: blocks[0],
            passed: HashMap::default(),
            guarded: false,
            reals: false,
            blocks_vary: false,
        }
    }

    /// Values made before the passes that differ between threads, and that only code behind the place
    /// uses, in program order.
    pub(crate) fn crossing(&mut self, blocks: &[Block]) -> Vec<Value> {
        let passes = self.place.passes.as_deref().unwrap_or_default();
        let outside = |b: &&Block| !self.after.contains(b) && !passes.contains(b);
        let all = blocks.iter().filter(outside).flat_map(|b| b.instructions());
        let crosses =
            |v: &Value| v.ty().has_values() && self.is_used_after(*v) && !self.is_busy(*v);
        let crossing: Vec<Value> = all.filter(crosses).collect();
        crossing.into_iter().filter(|v| self.varies(*v)).collect()
    }

    fn is_used_after(&self, v: Value) -> bool {
        uses(v).iter().any(|u| self.after.contains(&u.block))
    }

    /// Whether a value is in a register in any case.
    fn is_busy(&self, v: Value) -> bool {
        uses(v).iter().any(|u| self.busy.contains(&u.block))
    }

    /// Whether a value may differ between threads, or is a real number that is to be made again; what was loaded
    /// or chosen by control may.
    fn varies(&mut self, v: Value) -> bool {
        if !v.is_instruction() {
            return false;
        }
        if let Some(known) = self.varying.get(&v) {
            return *known;
        }
        let varies = match register(v) {
            Some((r, _)) => r == Register::Tid || (self.blocks_vary && r == Register::Ctaid),
            None if self.reals && v.is(Op::LLVMUIToFP) => true,
            None if v.is(Op::LLVMPHI) || v.is(Op::LLVMLoad) => true,
            None if v.is(Op::LLVMCall) && !v.is_pure_call() && !v.is_inline_asm_call() => true,
            None => v.operands().into_iter().any(|o| self.varies(o)),
        };
        self.varying.insert(v, varies);
        varies
    }

    /// Those of `crossing` that are made again: all that are cheap, if they are more than the roots
    /// that cross for them alone.
    pub(crate) fn worth_it(&mut self, crossing: Vec<Value>) -> Vec<Value> {
        let mut remat = crossing.clone();
        remat.retain(|v| self.is_remat(*v) && (self.guarded || self.is_there(*v)));
        let leaves = self.leaves(&remat);
        let more = leaves
            .iter()
            .filter(|v| !is_id(**v) && !crossing.contains(v));
        if more.count() < remat.len() {
            remat
        } else {
            Vec::new()
        }
    }

    /// Ids and roots that `values` are made of, but for those that are there in any case.
    pub(crate) fn leaves(&mut self, values: &[Value]) -> Vec<Value> {
        let (mut out, mut seen, mut work) = (Vec::new(), HashSet::default(), values.to_vec());
        while let Some(v) = work.pop() {
            let keeps = |l: &mut Self| !l.varies(v) || (l.is_busy(v) && !values.contains(&v));
            if !seen.insert(v) || (self.is_there(v) && keeps(self)) {
                continue;
            }
            if self.is_remat(v) {
                let only = self.only_defined(v);
                work.extend(only.map_or_else(|| v.operands(), |x| vec![x]));
            } else {
                out.push(v);
            }
        }
        out
    }

    /// Whether an instruction is an operation of a few cycles, or chooses between one and nothing.
    fn is_remat(&mut self, v: Value) -> bool {
        is_remat(v) || (self.only_defined(v)).is_some_and(|x| self.is_remat_anywhere(x))
    }

    /// What a phi gives that is undefined on all other ways: a value that a replica has if it is there. Not in
    /// loops, where the way back brings what an iteration before made.
    fn only_defined(&mut self, v: Value) -> Option<Value> {
        let x = only_defined(v).filter(|_| self.guarded)?;
        (!self.is_repeated(v.block()?)).then_some(x)
    }

    /// Whether a value can be made where control may not have passed it.
    fn is_remat_anywhere(&mut self, v: Value) -> bool {
        if self.is_there(v) {
            return true;
        }
        if let Some(x) = self.only_defined(v) {
            return self.is_remat_anywhere(x);
        }
        let once = v.block().is_some_and(|b| !self.is_repeated(b));
        once && is_harmless(v) && v.operands().into_iter().all(|o| self.is_remat_anywhere(o))
    }

    /// Whether control may come to a block of this body more than once.
    fn is_repeated(&self, b: Block) -> bool {
        in_loop(b, &self.own)
    }

    /// Whether a value is made before the place, whichever way control comes to it.
    fn is_there(&mut self, v: Value) -> bool {
        let Some(block) = v.block() else { return true };
        if block == self.entry {
            return true;
        }
        let (own, at) = (&self.own, self.place.at);
        let bypassing = || reachable(self.entry, |b| own.contains(&b) && b != block);
        *(self.passed.entry(block)).or_insert_with(|| !bypassing().contains(&at))
    }

    /// Makes `v` again, and what it is made of.
    pub(crate) fn make(&mut self, pen: &Builder, v: Value, made: &mut Made) -> Value {
        let there = self.is_there(v);
        if there && !self.varies(v) {
            return v;
        }
        if let Some(known) = made.values.get(&v) {
            return *known;
        }
        let new = if there && (is_id(v) || self.is_busy(v) || !self.is_remat(v)) {
            hidden(pen, v, made.zero)
        } else if let Some(x) = self.only_defined(v) {
            self.make(pen, x, made)
        } else {
            let new = v.clone_instruction();
            if !there {
                new.drop_poison_flags();
            }
            let mut differs = false;
            for (k, o) in v.operands().into_iter().enumerate() {
                let again = self.make(pen, o, made);
                differs |= again != o;
                new.set_operand(k as u32, again);
            }
            // A real number made of what is the same for all threads.
            if there && !differs && self.reals {
                new.set_operand(0, hidden(pen, v.operand(0), made.zero));
            }
            pen.insert(new);
            new
        };
        made.values.insert(v, new);
        new
    }

    /// Gives the users of `v` behind the place what was made of it.
    pub(crate) fn replace_uses(&self, v: Value, made: &Made) {
        for u in uses(v) {
            let is_copy = made.values.values().any(|m| *m == u.user);
            if self.after.contains(&u.block) && !is_copy {
                u.user.set_operand(u.operand, made.values[&v]);
            }
        }
    }
}

/// `v` with `zero` added to it, if it is a number.
fn hidden(pen: &Builder, v: Value, zero: Value) -> Value {
    match v.ty().int_width() {
        Some(32) => pen.plus(v, zero),
        Some(64) => pen.plus(v, pen.zext(zero, v.ty())),
        _ => v,
    }
}

/// The one value that a phi gives where it is defined.
fn only_defined(v: Value) -> Option<Value> {
    if !v.is(Op::LLVMPHI) {
        return None;
    }
    let mut known = v.incoming().into_iter().map(|(x, _)| x);
    let first = known.find(|x| !x.is_undef())?;
    (first != v && known.all(|x| x.is_undef() || x == first)).then_some(first)
}

/// Whether it reads the thread's number in its block, or the block's where that is made again.
pub(crate) fn is_id(v: Value) -> bool {
    register(v).is_some()
}

/// One use of a value.
struct Use {
    user: Value,
    operand: u32,
    /// Where the value has to be: for a phi, at the end of the block that control comes from.
    block: Block,
}

fn uses(v: Value) -> Vec<Use> {
    let mut users = v.users();
    users.sort();
    users.dedup();
    let mut out = Vec::new();
    for user in users {
        let Some(own) = user.block() else { continue };
        let blocks: Vec<Block> = if user.is(Op::LLVMPHI) {
            user.incoming().into_iter().map(|(_, b)| b).collect()
        } else {
            Vec::new()
        };
        for (k, o) in user.operands().into_iter().enumerate() {
            if o == v {
                out.push(Use {
                    user,
                    operand: k as u32,
                    block: blocks.get(k).copied().unwrap_or(own),
                });
            }
        }
    }
    out
}

/// Whether control comes from `b` back to it within `blocks`.
pub(crate) fn in_loop(b: Block, blocks: &HashSet<Block>) -> bool {
    let mut again = false;
    reachable(b, |x| {
        again |= x == b;
        !again && blocks.contains(&x)
    });
    again && blocks.contains(&b)
}

/// Blocks that control reaches from `first` through such that `may` says.
fn reachable(first: Block, mut may: impl FnMut(Block) -> bool) -> HashSet<Block> {
    let mut seen = HashSet::from_iter([first]);
    let mut work = vec![first];
    while let Some(b) = work.pop() {
        let next = b.successors().into_iter();
        work.extend(next.filter(|s| may(*s) && seen.insert(*s)));
    }
    seen
}
