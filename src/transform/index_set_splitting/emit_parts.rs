//! The parts of a loop, one behind the other: copies of it in front, itself last.
//!
//! ```text
//! top:    br all threads run some, first, rest          else what tests whether the loop is entered goes on as it did
//! first:  the loop, copied, up to where the middle begins          if the thread begins in front of that
//! middle: the loop, copied, as often as all threads run it
//! left:   whether the original goes on
//! rest:   phis: what there was, or what is left         br whether it goes on, the loop itself, what follows it
//! ```

use super::legality;
use super::plan::Split;
use crate::llvm::ir::{Block, Builder, Function, Op, Value};
use crate::map::HashMap;
use crate::plan::Analyses;
use crate::transform::copied::Copied;

/// A loop while it is cut.
pub(super) struct Cut<'a> {
    b: &'a Builder,
    function: Function,
    header: Block,
    latch: Block,
    exit: Block,
    blocks: Vec<Block>,
    /// Values of the loop that are used behind it.
    kept: Vec<Value>,
    top: Top,
    rest: Block,
    /// What phis of the header begin with at this point, and what values that are kept were last.
    now: HashMap<Value, Value>,
    /// Whether the original goes on here; `None`: surely.
    alive: Option<Value>,
}

/// Where control comes from.
struct Top {
    /// The block that leads to the parts.
    block: Block,
    /// The block that led to the loop.
    before: Block,
    /// The branch whose condition said whether the loop is entered, if the parts come in front of it.
    guard: Option<Value>,
    /// Whether the loop is entered.
    enters: Value,
}

/// A copy of a loop, which control has entered.
pub(super) struct Part {
    from: Block,
    header: Block,
    latch: Block,
    /// Where control goes on that does not enter it; `None`: all of it does.
    behind: Option<Block>,
    /// What stands for blocks and values of the loop.
    copied: Copied,
}

impl Part {
    fn value(&self, v: Value) -> Value {
        self.copied.value(v)
    }
}

impl<'a> Cut<'a> {
    /// Stands in front of a loop, where bounds can be worked out.
    pub(super) fn begin(f: &Analyses, b: &'a Builder, split: &Split) -> Cut<'a> {
        let (kernel, lp) = (f.kernel, f.tree.loop_(split.loop_));
        let blocks: Vec<Block> = lp.blocks.iter().map(|x| kernel.block(*x)).collect();
        let [header, exit] = [lp.header, lp.exit.to].map(|x| kernel.block(x));
        let before = legality::entry(kernel, lp.header, &lp.blocks).expect("it has one entry");
        let is_kept = |i: &Value| {
            let mut at = i.users().into_iter().filter_map(Value::block);
            at.any(|x| !blocks.contains(&x))
        };
        let all = blocks.iter().flat_map(|x| x.instructions());
        let kept = all.filter(is_kept).collect();
        let begins = |phi: Value| {
            phi.incoming_from(before)
                .expect("the loop is entered there")
        };
        let now = header.phis().into_iter().map(|phi| (phi, begins(phi)));
        let now = now.collect();
        let top = match split.guard {
            Some(at) => Top::at_guard(b, kernel.block(at), before, exit),
            None => Top::behind(b, kernel.function, before, header),
        };
        let mut cut = Cut {
            b,
            function: kernel.function,
            header,
            latch: kernel.block(lp.latch),
            exit,
            blocks,
            kept,
            rest: top.block,
            top,
            now,
            alive: None,
        };
        cut.rest = cut.block("mesi.rest");
        cut
    }

    fn block(&self, name: &str) -> Block {
        let block = self.function.append_block(name);
        block.move_before(self.header);
        block
    }

    /// Goes on with the parts if `some` holds, else with the loop.
    pub(super) fn run_if(&self, some: Value) {
        let b = self.b;
        let parts = self.block("mesi.parts");
        parts.move_before(self.rest);
        b.cond_br(some, parts, self.rest);
        if let Some(guard) = self.top.guard {
            guard.erase();
        }
        b.at_end(parts);
    }

    /// What a phi of the header has here.
    pub(super) fn now(&self, phi: Value) -> Value {
        self.now[&phi]
    }

    /// What a phi of the header has in the next iteration of a part.
    pub(super) fn next(&self, part: &Part, phi: Value) -> Value {
        part.value(self.last(phi))
    }

    fn last(&self, phi: Value) -> Value {
        let next = phi.incoming_from(self.latch);
        next.expect("the loop goes on there")
    }

    /// Enters a copy of the loop, if `some` holds, and stands at its end.
    pub(super) fn enter(&self, some: Option<Value>, name: &str) -> Part {
        let b = self.b;
        let from = b.block();
        let behind = some.map(|_| {
            let block = self.block("mesi.behind");
            block.move_before(self.rest);
            block
        });
        let place = behind.unwrap_or(self.rest);
        let end = Some(self.latch.terminator());
        let copied = Copied::new(b, &self.blocks, (name, place), HashMap::default(), end);
        let part = Part {
            from,
            header: copied.block(self.header),
            latch: copied.block(self.latch),
            behind,
            copied,
        };
        for phi in self.header.phis() {
            part.value(phi).add_incoming(self.now(phi), from);
        }
        b.at_end(from);
        match some.zip(behind) {
            Some((some, behind)) => b.cond_br(some, part.header, behind),
            None => b.br(part.header),
        };
        b.at_end(part.latch);
        part
    }

    /// Has a part begin a phi with another value.
    pub(super) fn begin_with(&self, part: &Part, phi: Value, v: Value) {
        let phi = part.value(phi);
        for (k, (_, at)) in phi.incoming().into_iter().enumerate() {
            if at == part.from {
                phi.set_operand(k as u32, v);
            }
        }
    }

    /// The number of a part's iterations, this one included.
    pub(super) fn count(&self, part: &Part) -> Value {
        let b = self.b;
        b.before(part.header.instructions()[0]);
        let counter = b.phi(b.i32());
        b.at_end(part.latch);
        let next = b.add_nsw(counter, b.int(1));
        counter.add_incoming(b.int(0), part.from);
        counter.add_incoming(next, part.latch);
        next
    }

    /// Whether the original goes on where a part's iteration ends.
    pub(super) fn goes_on(&self, part: &Part) -> Value {
        self.as_more(part.value(self.latch.terminator().condition()))
    }

    fn as_more(&self, condition: Value) -> Value {
        match self.latch.successors()[0] == self.header {
            true => condition,
            false => self.b.not(condition),
        }
    }

    /// Has a part go on while `more` holds, and stands behind it.
    pub(super) fn leave(&mut self, part: &Part, more: Value) {
        let (b, end) = (self.b, self.latch.terminator());
        let left = self.block("mesi.left");
        left.move_before(part.behind.unwrap_or(self.rest));
        let again = b.cond_br(more, part.header, left);
        again.copy_metadata(b.module(), "llvm.loop", end);
        b.at_end(left);
        // Asked once, behind all iterations.
        let mut condition = part.value(end.condition());
        if condition != end.condition() && condition.is(Op::LLVMICmp) {
            condition = condition.clone_instruction();
            b.insert(condition);
        }
        let goes_on = self.as_more(condition);
        let join = |old: Value, new: Value| match part.behind {
            Some(behind) => join(b, behind, [(old, part.from), (new, left)]),
            None => new,
        };
        if let Some(behind) = part.behind {
            b.br(behind);
            b.at_end(behind);
        }
        let alive = self.alive.unwrap_or(b.i1().constant(1));
        self.alive = Some(join(alive, goes_on));
        let phis = self.header.phis().into_iter();
        let phis = phis.map(|phi| (phi, join(self.now(phi), self.next(part, phi))));
        let mut now: Vec<(Value, Value)> = phis.collect();
        for v in self.kept.iter().filter(|v| self.carried(**v).is_none()) {
            let old = self.now.get(v).copied().unwrap_or(v.ty().poison());
            now.push((*v, join(old, part.value(*v))));
        }
        self.now.extend(now);
    }

    /// The phi of the header that a value becomes in the next iteration.
    fn carried(&self, v: Value) -> Option<Value> {
        let mut phis = self.header.phis().into_iter();
        phis.find(|p| self.last(*p) == v)
    }

    /// What a value of the loop was in the last iteration of the parts.
    fn left(&self, v: Value) -> Value {
        let kept = self.carried(v).unwrap_or(v);
        self.now.get(&kept).copied().unwrap_or(v)
    }

    /// Runs the loop for what is left.
    pub(super) fn end(self) {
        let (b, rest, top) = (self.b, self.rest, &self.top);
        let last = b.block();
        b.br(rest);
        let from_both = |old: Value, new: Value| join(b, rest, [(old, top.block), (new, last)]);
        let alive = from_both(top.enters, self.alive.expect("a part was run"));
        b.cond_br(alive, self.header, self.exit);
        let phis = self.header.phis().into_iter().map(|phi| {
            let begins = phi.incoming_from(top.before);
            let begins = begins.expect("the loop is entered there");
            (phi, begins, from_both(begins, self.now(phi)))
        });
        let phis: Vec<(Value, Value, Value)> = phis.collect();
        // What it is where no part was run matters only where the loop may not be entered, either.
        let behind = |v: Value, old: Option<Value>| {
            let carried = self.carried(v);
            let known = phis.iter().find(|p| Some(p.0) == carried);
            match (known, old) {
                (Some((_, begins, now)), old) if old.is_none_or(|old| old == *begins) => *now,
                (_, old) => from_both(old.unwrap_or(v.ty().poison()), self.left(v)),
            }
        };
        for phi in self.exit.phis() {
            if let Some(v) = phi.incoming_from(self.latch) {
                let old = top.guard.and_then(|_| phi.incoming_from(top.block));
                replace_incoming(b, phi, top.block, (behind(v, old), rest));
            }
        }
        for v in &self.kept {
            self.join_behind(*v, &|v| behind(v, None));
        }
        for (phi, _, now) in &phis {
            replace_incoming(b, *phi, top.before, (*now, rest));
        }
        if top.guard.is_some() && top.before != top.block {
            top.before.delete();
        }
    }

    /// Has what is used behind the loop, without a phi, come from the parts, too.
    fn join_behind(&self, v: Value, behind: &dyn Fn(Value) -> Value) {
        let is_outside = |u: &Value| {
            let at = u.block();
            let is_of_loop = at.is_some_and(|x| self.blocks.contains(&x));
            !(is_of_loop || u.is(Op::LLVMPHI) && at == Some(self.exit))
        };
        let users: Vec<Value> = v.users().into_iter().filter(is_outside).collect();
        if users.is_empty() {
            return;
        }
        let phi = join(self.b, self.exit, [(v, self.latch), (behind(v), self.rest)]);
        for user in users {
            for (k, o) in user.operands().into_iter().enumerate() {
                if o == v {
                    user.set_operand(k as u32, phi);
                }
            }
        }
    }
}

impl Top {
    /// In front of the branch of `guard`, with what the block between it and the loop works out.
    fn at_guard(b: &Builder, guard: Block, before: Block, exit: Block) -> Top {
        let branch = guard.terminator();
        b.before(branch);
        if before != guard {
            let end = before.terminator();
            let all = before.instructions().into_iter();
            for i in all.filter(|i| *i != end) {
                i.unlink();
                b.insert(i);
            }
        }
        let condition = branch.condition();
        let enters = match guard.successors()[0] == exit {
            true => b.not(condition),
            false => condition,
        };
        Top {
            block: guard,
            before,
            guard: Some(branch),
            enters,
        }
    }

    /// In a new block on the way from the one before the loop.
    fn behind(b: &Builder, function: Function, before: Block, header: Block) -> Top {
        let block = function.append_block("mesi.split");
        block.move_before(header);
        redirect(before, header, block);
        b.at_end(block);
        Top {
            block,
            before,
            guard: None,
            enters: b.i1().constant(1),
        }
    }
}

/// Has control that goes from `from` to `old` go to `new`.
fn redirect(from: Block, old: Block, new: Block) {
    let end = from.terminator();
    for (k, to) in from.successors().into_iter().enumerate() {
        if to == old {
            end.set_successor(k as u32, new);
        }
    }
}

/// A phi at the begin of a block.
fn join(b: &Builder, at: Block, incoming: [(Value, Block); 2]) -> Value {
    match at.instructions().first() {
        Some(first) => b.before(*first),
        None => b.at_end(at),
    }
    let phi = b.phi(incoming[0].0.ty());
    for (v, from) in incoming {
        phi.add_incoming(v, from);
    }
    b.at_end(at);
    phi
}

/// Has a phi take this value from that block, and nothing from `old`.
fn replace_incoming(b: &Builder, phi: Value, old: Block, (v, from): (Value, Block)) {
    b.before(phi);
    let new = b.phi(phi.ty());
    for (v, at) in phi.incoming().into_iter().filter(|i| i.1 != old) {
        new.add_incoming(v, at);
    }
    new.add_incoming(v, from);
    phi.replace_uses(new);
    phi.erase();
}
