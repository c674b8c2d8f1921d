//! A kernel's copy in which warps take the places of threads.

use super::accumulators::{Accumulator, Kind};
use super::trip::{Counter, Trip};
use super::{Carries, Effect, Reduction, Split};
use crate::kernel::{Kernel, ValueId};
use crate::llvm::ir::{Block, Builder, Op, Pred, Type, Value};
use crate::lower::take_back_promises;
use crate::machine::target::WARP;

/// Splits `copy`, whose values have the numbers of the kernel that `split` is about; those of the copy are others then.
pub fn emit(split: &Split, copy: &Kernel) -> Result<(), String> {
    let function = copy.function;
    let b = Builder::new(function.module());
    let of = |all: &[ValueId]| -> Vec<Value> { all.iter().map(|v| copy.value(*v)).collect() };
    let (ids, strides) = (of(&split.ids), of(&split.strides));
    for (product, sum) in &split.sinks {
        let product = copy.value(*product);
        product.unlink();
        b.before(copy.value(*sum));
        b.insert(product);
    }
    b.before(function.entry().instructions()[0]);
    let mut warps = Warps::new(copy, &b);
    if split.keeps_order() {
        warps.room = Some(warps.make_room(split.bytes()));
    }
    for l in &split.loops {
        match &l.carries {
            Carries::Steps(serial) => warps.distribute_in_order(l, serial),
            Carries::Parts(all) => warps.distribute(l, all),
        }
    }
    for load in of(&split.loads) {
        warps.hand_on(load);
    }
    for e in &split.effects {
        warps.do_once(e);
    }
    for (old, new) in [(ids, warps.id), (strides, warps.count)] {
        for v in old {
            b.before(v);
            v.replace_uses(b.zext(new, v.ty()));
        }
    }
    // Lanes other than the first store nothing, or other cells.
    take_back_promises(function);
    if split.waits() {
        share_memory(copy);
    }
    match split.keeps_order() {
        true => function.run_passes("mem2reg,dce"),
        false => function.run_passes("dce"),
    }
}

/// Has lanes read what others stored. Of a pointer that the source says `__restrict__` of, LLVM knows that nobody but
/// the thread itself changes what it leads to, and would move loads of that over where the warp waits.
fn share_memory(copy: &Kernel) {
    let params = copy.function.params();
    let pointers = params
        .into_iter()
        .enumerate()
        .filter(|p| p.1.ty().is_pointer());
    for (i, _) in pointers {
        let i = i as u32;
        if !copy.function.param_has(i, "readonly") {
            copy.function.drop_param_attribute(i, "noalias");
        }
    }
}

/// The copy while it is written.
pub struct Warps<'a> {
    pub copy: &'a Kernel,
    pub b: &'a Builder,
    /// The number of a thread in its warp, and whether that is 0; and in its block.
    pub number: Value,
    is_first: Value,
    pub thread: Value,
    /// Shared memory in which lanes leave what others take, where steps keep their order.
    pub room: Option<Room>,
    /// The id of the program's thread whose place the warp takes, and how many of these there are.
    id: Value,
    count: Value,
}

/// Shared memory in which lanes leave what others take.
#[derive(Clone, Copy)]
pub struct Room {
    pub start: Value,
    /// Bytes of a lane.
    pub each: u32,
}

/// The blocks of a loop that is being dealt out.
pub struct Blocks {
    /// Where the first iteration of a lane is worked out.
    pub before: Block,
    pub header: Block,
    /// The last of an iteration.
    pub latch: Block,
    /// Where the parts are joined.
    pub join: Block,
}

impl<'a> Warps<'a> {
    /// Works the numbers out where `b` stands. No id has more than 31 bits: the host tests that.
    fn new(copy: &'a Kernel, b: &'a Builder) -> Warps<'a> {
        let register = |name: &str| {
            let intrinsic = format!("llvm.nvvm.read.ptx.sreg.{name}.x");
            b.intrinsic(&intrinsic, &[], &[])
        };
        let warp = Type::int(b.module(), 32).constant(WARP.into());
        let [thread, threads] = ["tid", "ntid"].map(register);
        let first = b.mul(register("ctaid"), threads);
        let number = b.urem(thread, warp);
        Warps {
            copy,
            b,
            number,
            is_first: b.icmp(Pred::LLVMIntEQ, number, number.ty().constant(0)),
            thread,
            room: None,
            id: b.udiv(b.add(first, thread), warp),
            count: b.udiv(b.mul(register("nctaid"), threads), warp),
        }
    }

    /// Deals a loop's iterations out, and joins what comes of them behind it.
    fn distribute(&self, l: &Reduction, accumulators: &[Accumulator]) {
        let (b, copy) = (self.b, self.copy);
        let (at, exit) = self.open(l);
        let join = at.join;
        let results: Vec<Vec<Value>> = accumulators
            .iter()
            .map(|a| self.outside(l, &at, copy.value(a.next)))
            .collect();
        let begins: Vec<Value> = accumulators
            .iter()
            .map(|a| begin(copy.value(a.phi), join))
            .collect();
        b.at_end(at.before);
        let more = self.more(l, &at);
        for a in accumulators {
            self.accumulate(a, &at);
        }
        self.go_on(&at, more);
        let parts: Vec<Value> = accumulators.iter().map(|a| self.part(a, &at)).collect();
        for (((a, part), begin), users) in accumulators.iter().zip(parts).zip(begins).zip(results) {
            let all = self.join(a.kind, part);
            replace_in(&users, copy.value(a.next), self.combine(a.kind, begin, all));
        }
        if l.cells.stores {
            b.before(join.terminator());
            self.wait();
        }
        self.close(&at, exit);
    }

    /// Takes a loop apart; and where it leads to.
    pub fn open(&self, l: &Reduction) -> (Blocks, Block) {
        let (b, copy) = (self.b, self.copy);
        let join = copy.block(l.loop_.latch);
        let branch = join.terminator();
        let is_header = |s: &Block| *s == copy.block(l.loop_.header);
        let exit = join.successors().into_iter().find(|s| !is_header(s));
        let exit = exit.expect("a loop that is left");
        // The block that the loop was left from is where the parts are joined: phis behind it go on naming that.
        let latch = split_before(b, branch);
        let header = if l.loop_.header == l.loop_.latch {
            latch
        } else {
            copy.block(l.loop_.header)
        };
        let at = Blocks {
            before: enter(b, header, [latch, join]),
            header,
            latch,
            join,
        };
        (at, exit)
    }

    /// Has control go on behind a loop.
    pub fn close(&self, at: &Blocks, exit: Block) {
        let branch = at.join.terminator();
        self.b.before(branch);
        self.b.br(exit);
        branch.erase();
    }

    /// Who takes a value outside of the loop that makes it.
    pub fn outside(&self, l: &Reduction, at: &Blocks, v: Value) -> Vec<Value> {
        let inner = |u: &Value| u.block() == Some(at.latch) || self.is_inner(l, *u);
        v.users().into_iter().filter(|u| !inner(u)).collect()
    }

    /// Whether an instruction is in a loop that is being dealt out, but where its parts are joined.
    fn is_inner(&self, l: &Reduction, v: Value) -> bool {
        let mut all = l.loop_.blocks.iter().filter(|x| **x != l.loop_.latch);
        all.any(|x| v.block() == Some(self.copy.block(*x)))
    }

    /// Has a lane begin with its own first iteration, if it has one, and go on by all lanes'; how many iterations it
    /// has behind that.
    fn more(&self, l: &Reduction, at: &Blocks) -> Value {
        let (b, copy) = (self.b, self.copy);
        let last = self.last(&l.trip, at.join);
        let own = sized(b, self.number, last.ty());
        let width = self.width(l, at, last);
        let has_one = width.takes(self, b.icmp(Pred::LLVMIntULE, own, last));
        let more = b.udiv(b.sub(last, own), sized(b, width.count, last.ty()));
        for c in &l.counters {
            let phi = copy.value(c.phi);
            b.at_end(at.before);
            let start = self.advanced(c, begin(phi, at.join), self.number);
            b.before(at.header.instructions()[0]);
            let new = b.phi(phi.ty());
            b.at_end(at.latch);
            let next = self.advanced(c, new, width.count);
            new.add_incoming(start, at.before);
            new.add_incoming(next, at.latch);
            phi.replace_uses(new);
            phi.erase();
        }
        b.at_end(at.before);
        b.cond_br(has_one, at.header, at.join);
        more
    }

    /// The number of the thread's last iteration, from 0 on.
    pub fn last(&self, trip: &Trip, join: Block) -> Value {
        use Pred::*;
        let b = self.b;
        let limit = self.copy.value(trip.limit.of).operand(trip.limit.place);
        let ty = limit.ty();
        let begin = begin(self.copy.value(trip.phi), join);
        let begin = match trip.signed {
            true => b.sext(begin, ty),
            false => b.zext(begin, ty),
        };
        let one = ty.constant(1);
        // What is compared in the first iteration.
        let first = b.add(begin, ty.constant(trip.ahead));
        let span = match trip.step > 0 {
            true => b.sub(limit, first),
            false => b.sub(first, limit),
        };
        let by = ty.constant(trip.step.abs());
        let beyond = match trip.goes_on {
            LLVMIntNE => return span,
            LLVMIntSLE | LLVMIntULE | LLVMIntSGE | LLVMIntUGE => b.add(b.udiv(span, by), one),
            _ => b.add(b.udiv(b.sub(span, one), by), one),
        };
        let goes_on = b.icmp(trip.goes_on, first, limit);
        b.select(goes_on, beyond, ty.constant(0))
    }

    /// What a counter is `times` iterations behind `from`.
    pub fn advanced(&self, c: &Counter, from: Value, times: Value) -> Value {
        let b = self.b;
        let next = self.copy.value(c.step.of);
        let step = next.operand(c.step.place);
        if !next.is(Op::LLVMGetElementPtr) {
            return b.add(from, b.mul(step, sized(b, times, step.ty())));
        }
        let wide = Type::int(b.module(), 64);
        let by = b.mul(b.sext(step, wide), b.zext(times, wide));
        b.element(next.gep_source_type(), from, by)
    }

    /// Has a lane begin its part with what changes nothing.
    fn accumulate(&self, a: &Accumulator, at: &Blocks) {
        let (b, copy) = (self.b, self.copy);
        let phi = copy.value(a.phi);
        b.before(at.header.instructions()[0]);
        let new = b.phi(phi.ty());
        new.add_incoming(neutral(a, phi.ty()), at.before);
        new.add_incoming(copy.value(a.next), at.latch);
        phi.replace_uses(new);
        phi.erase();
        for o in a.operations.iter().filter(|_| a.kind.intrinsic().is_none()) {
            copy.value(*o).drop_poison_flags();
        }
    }

    /// Closes the loop, which has `more` iterations behind the first.
    fn go_on(&self, at: &Blocks, more: Value) {
        let b = self.b;
        let ty = more.ty();
        b.before(at.header.instructions()[0]);
        let round = b.phi(ty);
        b.at_end(at.latch);
        let next = b.add(round, ty.constant(1));
        round.add_incoming(ty.constant(0), at.before);
        round.add_incoming(next, at.latch);
        let goes_on = b.icmp(Pred::LLVMIntNE, round, more);
        b.cond_br(goes_on, at.header, at.join);
    }

    /// A lane's part, behind the loop.
    fn part(&self, a: &Accumulator, at: &Blocks) -> Value {
        let next = self.copy.value(a.next);
        self.b.before(at.join.terminator());
        let part = self.b.phi(next.ty());
        part.add_incoming(neutral(a, next.ty()), at.before);
        part.add_incoming(next, at.latch);
        part
    }

    /// What all lanes' parts make together: each lane has that then.
    fn join(&self, kind: Kind, part: Value) -> Value {
        let distances = std::iter::successors(Some(WARP / 2), |d| Some(d / 2));
        distances.take_while(|d| *d > 0).fold(part, |part, d| {
            let other = self.shuffled("bfly", part, d);
            self.combine(kind, part, other)
        })
    }

    fn combine(&self, kind: Kind, x: Value, y: Value) -> Value {
        let b = self.b;
        match (kind, kind.intrinsic()) {
            (_, Some(name)) => b.intrinsic(name, &[x.ty()], &[x, y]),
            (Kind::Mul, _) => b.mul(x, y),
            (Kind::And, _) => b.and(x, y),
            (Kind::Or, _) => b.or(x, y),
            (Kind::Xor, _) => b.xor(x, y),
            _ => b.add(x, y),
        }
    }

    /// A whole number of the lane that the shuffle `form` names with `select`: all lanes take part in it.
    fn shuffled(&self, form: &str, v: Value, select: u32) -> Value {
        let (b, module) = (self.b, self.b.module());
        let [word, wide] = [32, 64].map(|bits| Type::int(module, bits));
        let bits = v.ty().int_width().expect("a whole number");
        if bits > 32 {
            let (v, half) = (b.zext(v, wide), wide.constant(32));
            let parts = [v, b.lshr(v, half)].map(|p| {
                let part = self.shuffled(form, b.trunc(p, word), select);
                b.zext(part, wide)
            });
            return sized(b, b.or(parts[0], b.shl(parts[1], half)), v.ty());
        }
        let [all, select, segment] =
            [-1, i64::from(select), i64::from(WARP) - 1].map(|n| word.constant(n));
        let name = format!("llvm.nvvm.shfl.sync.{form}.i32");
        let taken = b.intrinsic(&name, &[], &[all, b.zext(v, word), select, segment]);
        sized(b, taken, v.ty())
    }

    /// Has lane 0 alone load, and all lanes take what it did.
    fn hand_on(&self, load: Value) {
        let (b, users) = (self.b, load.users());
        let [before, once, rest] = self.only_first(load);
        let number = Type::int(b.module(), 8 * b.module().alloc_size(load.ty()) as u32);
        let ty = match load.ty().int_width() {
            Some(_) => load.ty(),
            None => number,
        };
        b.before(once.terminator());
        let own = b.bitcast(load, ty);
        b.before(rest.instructions()[0]);
        let taken = b.phi(ty);
        taken.add_incoming(ty.constant(0), before);
        taken.add_incoming(own, once);
        let all = self.shuffled("idx", taken, 0);
        replace_in(&users, load, b.bitcast(all, load.ty()));
    }

    /// Has lane 0 alone store or update. Where a loop may touch that memory, what all did there comes before, and what
    /// they will do behind it.
    fn do_once(&self, e: &Effect) {
        let (b, effect) = (self.b, self.copy.value(e.value));
        let [before, _, rest] = self.only_first(effect);
        let ends = [before.terminator(), rest.instructions()[0]];
        for at in ends.into_iter().filter(|_| e.is_shared) {
            b.before(at);
            self.wait();
        }
    }

    /// Waits for all lanes, and for what they wrote.
    pub fn wait(&self) {
        self.b
            .intrinsic("llvm.nvvm.bar.warp.sync", &[], &[self.b.int(-1)]);
    }

    /// Has lane 0 alone do `i`: the block before it, its own, and the block behind it.
    fn only_first(&self, i: Value) -> [Block; 3] {
        let b = self.b;
        let before = split_before(b, i);
        let rest = i.block().expect("an instruction");
        let once = self.copy.function.append_block("once");
        once.move_before(rest);
        b.at_end(before);
        b.cond_br(self.is_first, once, rest);
        i.unlink();
        b.at_end(once);
        b.insert(i);
        b.br(rest);
        [before, once, rest]
    }
}

/// What a phi at a loop's head is in the first iteration: it does not come from `latch`.
pub fn begin(phi: Value, latch: Block) -> Value {
    let entering = phi.incoming().into_iter().find(|(_, from)| *from != latch);
    entering.expect("a loop that is entered").0
}

fn neutral(a: &Accumulator, ty: Type) -> Value {
    let bits = ty.int_width().expect("a whole number");
    ty.constant(a.kind.neutral(bits))
}

/// A number that is not negative, or its lowest bits, in another width.
pub fn sized(b: &Builder, v: Value, ty: Type) -> Value {
    match ty.int_width() < v.ty().int_width() {
        true => b.trunc(v, ty),
        false => b.zext(v, ty),
    }
}

pub fn replace_in(users: &[Value], old: Value, new: Value) {
    for u in users {
        for (k, o) in u.operands().into_iter().enumerate() {
            if o == old {
                u.set_operand(k as u32, new);
            }
        }
    }
}

/// Puts a block on the way by which control enters a loop, other than from `inner` blocks; it has no end yet.
fn enter(b: &Builder, header: Block, inner: [Block; 2]) -> Block {
    let function = header.function();
    let blocks = function.blocks();
    let before = function.append_block("first");
    before.move_before(header);
    for p in blocks.iter().filter(|p| !inner.contains(p)) {
        redirect(*p, header, before);
    }
    b.at_end(before);
    before
}

/// A new block of all that its block does before `i`, with no end yet. The block begins with `i` then: what comes
/// behind it goes on naming it.
fn split_before(b: &Builder, i: Value) -> Block {
    let rest = i.block().expect("an instruction");
    let function = rest.function();
    let blocks = function.blocks();
    let first = function.append_block("before");
    first.move_before(rest);
    for p in blocks {
        redirect(p, rest, first);
    }
    b.at_end(first);
    for x in rest.instructions().into_iter().take_while(|x| *x != i) {
        x.unlink();
        b.insert(x);
    }
    first
}

/// Has `from` branch to `new` where it branched to `old`.
fn redirect(from: Block, old: Block, new: Block) {
    for (k, s) in from.successors().into_iter().enumerate() {
        if s == old {
            from.terminator().set_successor(k as u32, new);
        }
    }
}
