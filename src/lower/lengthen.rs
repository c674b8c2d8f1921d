//! Runs the original's long loops by four times as many iterations as LLVM unrolled them by.
//!
//! LLVM unrolls a loop of unknown trip count by two to eight. In a kernel with a second body ptxas then unrolls it by
//! four again, and runs what is left over by eight, by four and one by one, each with code of its own: it is the
//! largest piece of many kernels. That it gains much where the original runs long loops (up to x2.9, see
//! [`super::quiet`]) is due to the loads under way at once. So the same is written here, and ptxas told to leave it:
//!
//! ```text
//! head:  whole = n & -16;  br (whole == 0) ? loop : group
//! group: 4 x { 4 iterations };  br (done == whole) ? left : group
//! left:  br (n == whole) ? exit : loop
//! loop:  4 iterations;  br (done == n) ? exit : loop                     what LLVM made of it; n is a multiple of 4
//! ```
//! Loops that would gain nothing by it are left rolled by ptxas as well: sums in memory, those that do much with
//! each element, and those that have eight loads under way already and are not to be changed (`interaction4`),
//! the latter only where ptxas leaves them rolled without the plug-in as well (`plan::quiet`).
//!
//! No loop runs in more pieces than LLVM's alone, so none is slower than without the plug-in; short ones neither.
//!
//! It is done at the end of LLVM's pipeline, to loops marked before it: what LLVM unrolls by is its own matter. The
//! original's iterations run one after the other as they did; what may change is which products and sums the back end
//! finds in one block. So loops that carry a product into a sum are not marked, and a sum of two products, of
//! which the one with fewer uses is fused, keeps a loop as it is.

use super::region::cost;
use super::rewrite::through_sign;
use super::spine::KEEP;
use crate::access::Accesses;
use crate::kernel::Kernel;
use crate::llvm::ir::{Block, Builder, Function, Op, Pred, Value};
use crate::llvm::rolled;
use crate::tree::{LoopId, Tree};
use std::collections::HashMap;

/// Copies of the loop's code in a round.
const COPIES: i64 = 4;
/// Most iterations that LLVM unrolled a loop by. ptxas takes so many registers for 32 at once that copies beside them
/// suffer (`row_head` in L2: x3.86 to x3.63); two copies of eight are slow where the original runs (there, odd sizes: x1.45 to x0.89).
const MOST: i64 = 4;
/// The same for loops of one load in an original of their own, where ptxas would leave them rolled.
const MOST_APART: i64 = 8;
/// Loads under way at once beyond which more bring nothing.
const MANY_LOADS: u32 = 8;
/// Operations for each load from which on they, and not the loads, take the time.
const BUSY: u32 = 7;
/// Instructions of the loop beyond which ptxas 13 leaves it as it is, about.
const SHORT: u32 = 50;

/// Marks the original's loops whose iterations may run together. `inside`: `tree` lacks some of the original's ifs, so
/// it speaks for loops of one block alone. `alone`: ptxas would leave the loop rolled in a kernel of its own.
pub(super) fn mark(kernel: &Kernel, tree: &Tree, accesses: &Accesses, inside: bool, alone: bool) {
    let mark = if alone {
        rolled::LONG_ALONE
    } else {
        rolled::LONG
    };
    for (k, l) in tree.loops.iter().enumerate() {
        let latch = kernel.block(l.latch);
        let whole = !inside || latch.successors().contains(&latch);
        if whole && !accesses.fusing_loops.contains(&LoopId(k as u32)) {
            rolled::mark(kernel.function.module(), latch.terminator(), mark);
        }
    }
}

/// Marks the original's loop `l`, which ptxas would leave rolled in a kernel of its own, to be lengthened in such a kernel alone.
pub(super) fn mark_apart(kernel: &Kernel, tree: &Tree, accesses: &Accesses, l: LoopId) {
    if !accesses.fusing_loops.contains(&l) {
        let branch = kernel.block(tree.loop_(l).latch).terminator();
        rolled::mark(kernel.function.module(), branch, rolled::LONG_APART);
    }
}

/// Lengthens the marked loops of `kernel` that LLVM has unrolled; whether there were any. `kernel` is as the
/// back end will get it. `by_itself`: no body of ours is in it, so what is not lengthened is ptxas's own matter.
pub fn lengthen(kernel: Function, by_itself: bool) -> bool {
    let mut changed = false;
    for block in kernel.blocks() {
        let Some(branch) = block.optional_terminator() else {
            continue;
        };
        let has = |m: &&str| rolled::is_marked(kernel.module(), branch, m);
        let apart = by_itself.then_some(rolled::LONG_APART);
        let mut marks = [rolled::LONG, rolled::LONG_ALONE].into_iter().chain(apart);
        let Some(mark) = marks.find(has) else {
            continue;
        };
        let Some(l) = Counted::of(block, mark) else {
            continue;
        };
        changed |= match l.fate(by_itself) {
            Fate::AsIs => false,
            Fate::Rolled if by_itself => false,
            Fate::Rolled => {
                rolled::leave(kernel.module(), branch, mark);
                true
            }
            Fate::Long => {
                l.with_own_head(kernel).lengthen(kernel);
                true
            }
        };
    }
    changed
}

/// What becomes of a loop.
enum Fate {
    /// What ptxas makes of it.
    AsIs,
    /// What LLVM made of it: more iterations at once would not bring more loads under way.
    Rolled,
    Long,
}

/// A loop of one block that counts up from 0 by a power of two, to a multiple of it.
struct Counted {
    block: Block,
    /// The only block before it.
    head: Block,
    exit: Block,
    /// The counter's next value, which is compared with the limit.
    next: Value,
    limit: Value,
    step: i64,
    /// What it is marked with.
    mark: &'static str,
}

impl Counted {
    fn of(block: Block, mark: &'static str) -> Option<Counted> {
        let branch = block.terminator();
        let test = branch.is_conditional().then(|| branch.condition())?;
        let (yes, no) = (block.successors()[0], block.successors()[1]);
        let (exit, relation) = match (yes == block, no == block) {
            (false, true) => (yes, Pred::LLVMIntEQ),
            (true, false) => (no, Pred::LLVMIntNE),
            _ => return None,
        };
        if !test.is(Op::LLVMICmp) || test.predicate() != relation || test.block() != Some(block) {
            return None;
        }
        let (next, limit) = (test.operand(0), test.operand(1));
        let phi = next.is(Op::LLVMAdd).then(|| next.operand(0))?;
        let step = next.operand(1).const_int().filter(|s| *s > 1)?;
        let own = phi.is(Op::LLVMPHI) && phi.block() == Some(block);
        if !own || step & (step - 1) != 0 || phi.incoming_from(block) != Some(next) {
            return None;
        }
        let (first, head) = phi.incoming().into_iter().find(|(_, b)| *b != block)?;
        let masked = limit.is(Op::LLVMAnd) && limit.block() != Some(block);
        let mask = masked.then(|| limit.operand(1).const_int())??;
        let alone = phi.incoming().len() == 2;
        let counts = alone && first.const_int() == Some(0) && mask & (step - 1) == 0;
        let found = Counted {
            block,
            head,
            exit,
            next,
            limit,
            step,
            mark,
        };
        counts.then_some(found)
    }

    /// What is to be done. ptxas unrolls short loops that load something, as far as that is known; it leaves alone
    /// those that load bytes or make numbers of counters.
    fn fate(&self, by_itself: bool) -> Fate {
        let all = self.block.instructions();
        let count = |op: Op| all.iter().filter(|i| i.is(op)).count() as u32;
        let loads = count(Op::LLVMLoad);
        // A sum in memory: each iteration waits for the one before.
        let waits = |i: &Value| i.is(Op::LLVMStore) && i.operand(1).block() != Some(self.block);
        let work: u32 = all.iter().map(|i| work_of(*i)).sum();
        let left = |i: &Value| match i.opcode() {
            Some(Op::LLVMLoad) => i.ty().int_width() == Some(8),
            Some(Op::LLVMUIToFP | Op::LLVMSIToFP) => true,
            _ => false,
        };
        if loads == 0 || all.iter().any(left) {
            return Fate::AsIs;
        }
        let few = self.step <= self.most(by_itself, loads);
        if few && (all.iter().any(waits) || work >= loads * BUSY) {
            return Fate::Rolled;
        }
        match few && work <= SHORT && self.may_run_together(&all) {
            true => Fate::Long,
            false if self.is_alone() && few && loads >= MANY_LOADS => Fate::Rolled,
            false => Fate::AsIs,
        }
    }

    /// Whether ptxas leaves the loop rolled in a kernel of its own, so that nothing else makes it slower than there.
    fn is_alone(&self) -> bool {
        [rolled::LONG_ALONE, rolled::LONG_APART].contains(&self.mark)
    }

    /// Most iterations that LLVM may have unrolled it by.
    fn most(&self, by_itself: bool, loads: u32) -> i64 {
        let one_each = by_itself && self.is_alone() && i64::from(loads) == self.step;
        match self.mark == rolled::LONG_APART || one_each {
            true => MOST_APART,
            false => MOST,
        }
    }

    /// Copies of the loop's code in a round: 16 iterations, if LLVM did not make them fewer.
    fn copies(&self) -> i64 {
        COPIES * MOST / self.step.max(MOST)
    }

    /// Whether the back end would do with the iterations of several rounds what it does with those of one.
    fn may_run_together(&self, all: &[Value]) -> bool {
        let product = |v: Value| through_sign(v).is(Op::LLVMFMul);
        let is_plain = |i: &Value| match i.opcode() {
            Some(Op::LLVMFAdd | Op::LLVMFSub) => !(product(i.operand(0)) && product(i.operand(1))),
            Some(Op::LLVMCall) => i.is_pure_call(),
            _ => true,
        };
        all.iter().all(is_plain)
    }

    /// The same loop, entered from a block that goes nowhere else.
    fn with_own_head(self, kernel: Function) -> Counted {
        if self.head.successors() == [self.block] {
            return self;
        }
        let b = Builder::new(kernel.module());
        let own = kernel.append_block("mesi.head");
        own.move_before(self.block);
        let goto = self.head.terminator();
        for (k, to) in self.head.successors().into_iter().enumerate() {
            if to == self.block {
                goto.set_successor(k as u32, own);
            }
        }
        b.at_end(own);
        b.locate_as(goto);
        b.br(self.block);
        // What comes from a block cannot be told to come from another one.
        for p in self.block.phis() {
            b.before(p);
            let new = b.phi(p.ty());
            for (v, from) in p.incoming() {
                let v = if v == p { new } else { v };
                let from = if from == self.head { own } else { from };
                b.add_incoming(new, v, from);
            }
            p.replace_uses(new);
            p.erase();
        }
        Counted { head: own, ..self }
    }

    fn lengthen(&self, kernel: Function) {
        let module = kernel.module();
        let b = Builder::new(module);
        let (round, left) = (
            kernel.append_block("mesi.group"),
            kernel.append_block("mesi.left"),
        );
        round.move_before(self.block);
        left.move_before(self.block);
        let ty = self.limit.ty();
        let goto = self.head.terminator();
        b.before(goto);
        b.locate_as(goto);
        let many = ty.constant(-(self.step * self.copies()));
        let whole = b.and(self.limit, many);
        let few = b.icmp(Pred::LLVMIntEQ, whole, ty.constant(0));
        goto.erase();
        b.at_end(self.head);
        b.cond_br(few, self.block, round);
        let last = self.emit_round(&b, (round, left), whole);
        b.at_end(left);
        let done = b.icmp(Pred::LLVMIntEQ, self.limit, whole);
        b.cond_br(done, self.exit, self.block);
        self.join(&b, left, &last);
        rolled::leave(module, self.block.terminator(), self.mark);
    }

    /// The round's block; what the loop's values are at its end.
    fn emit_round(
        &self,
        b: &Builder,
        (round, left): (Block, Block),
        whole: Value,
    ) -> HashMap<Value, Value> {
        let phis = self.block.phis();
        b.at_end(round);
        let mut now: HashMap<Value, Value> = HashMap::new();
        for p in &phis {
            let new = b.phi(p.ty());
            b.add_incoming(
                new,
                p.incoming_from(self.head).expect("it comes from there"),
                self.head,
            );
            now.insert(*p, new);
        }
        let firsts: Vec<Value> = phis.iter().map(|p| now[p]).collect();
        let branch = self.block.terminator();
        let body = self.block.instructions();
        let body = body
            .into_iter()
            .filter(|i| !i.is(Op::LLVMPHI) && *i != branch);
        let body: Vec<Value> = body.collect();
        for copy in 0..self.copies() {
            if copy > 0 {
                let after = |p: &Value| self.after(&now, *p);
                let moved: Vec<Value> = phis.iter().map(after).collect();
                now = phis.iter().copied().zip(moved).collect();
            }
            for i in &body {
                let new = i.clone_instruction();
                for (k, o) in i.operands().into_iter().enumerate() {
                    if let Some(v) = now.get(&o) {
                        new.set_operand(k as u32, *v);
                    }
                }
                b.insert(new);
                now.insert(*i, new);
            }
        }
        for (p, first) in phis.iter().zip(firsts) {
            b.add_incoming(first, self.after(&now, *p), round);
        }
        b.locate_as(branch);
        let done = b.icmp(Pred::LLVMIntEQ, now[&self.next], whole);
        let again = b.cond_br(done, left, round);
        b.loop_properties(again, KEEP);
        now
    }

    /// What a phi takes behind an iteration.
    fn after(&self, now: &HashMap<Value, Value>, phi: Value) -> Value {
        let next = phi.incoming_from(self.block).expect("it comes from there");
        now.get(&next).copied().unwrap_or(next)
    }

    /// Lets `left` lead to the loop and to its exit, as the loop does; `last`: its values there.
    fn join(&self, b: &Builder, left: Block, last: &HashMap<Value, Value>) {
        let at = |v: Value| last.get(&v).copied().unwrap_or(v);
        for p in self.block.phis() {
            b.add_incoming(p, self.after(last, p), left);
        }
        for p in self.exit.phis() {
            if let Some(v) = p.incoming_from(self.block) {
                b.add_incoming(p, at(v), left);
            }
        }
        for v in self.block.instructions() {
            let mut outside = v.users();
            outside.retain(|u| {
                let in_exit = u.is(Op::LLVMPHI) && u.block() == Some(self.exit);
                u.block() != Some(self.block) && !in_exit
            });
            if outside.is_empty() {
                continue;
            }
            b.before(self.exit.instructions()[0]);
            let both = b.phi(v.ty());
            b.add_incoming(both, v, self.block);
            b.add_incoming(both, at(v), left);
            for u in outside {
                for (k, o) in u.operands().into_iter().enumerate() {
                    if o == v {
                        u.set_operand(k as u32, both);
                    }
                }
            }
        }
    }
}

/// Machine instructions that one of LLVM's stands for, about: a limit of a whole number is one.
fn work_of(i: Value) -> u32 {
    match i.is_pure_call() && i.ty().int_width().is_some() {
        true => 1,
        false => cost(i),
    }
}
