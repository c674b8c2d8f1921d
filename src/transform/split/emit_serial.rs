//! A loop whose steps keep the thread's order: lanes do an iteration's work each, then all of them the steps.
//!
//! ```text
//! chunk:  lane < left ?  ──►  the iteration but for its steps
//! after:  x[warp][lane] = its inputs;  bar.warp.sync
//!         for (from = 0; from < min(32, left); from++)
//!           s = s + x[warp][from]               every lane the same steps, with what lane `from` left
//!         left -= 32
//! ```
//! Whole chunks do several steps without a test in between. Lanes without an iteration leave zeros that nobody takes.
//! Inputs go by shared memory, of which 16 bytes are loaded at once, where a shuffle hands on 4. Fewer lanes than a
//! warp's would take masks that are known at run time alone: ptxas asks which lanes those are (`MATCH.ANY`) at each
//! wait, and 8 or 16 lanes are slower than 32.

use super::Reduction;
use super::emit::{Blocks, Room, Warps, begin, replace_in, sized};
use super::emit_cells::Width;
use super::serial::{Serial, size_of};
use crate::kernel::ValueId;
use crate::llvm::ir::{Block, Op, Pred, Type, Value};
use crate::machine::target::WARP;
use crate::machine::tuning::split::{BLOCK_IN_ORDER, STEPS_AT_ONCE};
use crate::map::HashMap;

/// Bytes that are loaded at once, at most.
const WIDEST: u32 = 16;

/// The blocks that come beside a loop's own.
struct Chunks {
    /// Where each begins.
    first: Block,
    /// Where lanes are done with their iterations.
    after: Block,
    /// The steps of a whole chunk, and those of the last one.
    whole: Block,
    last: Block,
    /// Where a chunk ends.
    done: Block,
}

/// What steps take of other lanes.
struct Taken {
    /// The inputs, as steps name them, and where lanes left each.
    inputs: Vec<(Value, Place)>,
    /// By which way each lane came to a block where ways meet: its number in the list.
    ways: Vec<(Block, Vec<Block>, Place)>,
}

/// Where the lanes of a warp left a value.
#[derive(Clone, Copy)]
struct Place {
    /// That of the warp's first lane.
    first: Value,
    ty: Type,
}

impl Warps<'_> {
    /// Deals a loop's iterations out, all but their steps.
    pub fn distribute_in_order(&self, l: &Reduction, serial: &Serial) {
        let (b, copy) = (self.b, self.copy);
        let (at, exit) = self.open(l);
        let value = |id: ValueId| copy.value(id);
        let nexts: Vec<Value> = serial.carried.iter().map(|c| value(c.next)).collect();
        let results: Vec<Vec<Value>> = nexts.iter().map(|n| self.outside(l, &at, *n)).collect();
        let begins: Vec<Value> = serial
            .carried
            .iter()
            .map(|c| begin(value(c.phi), at.join))
            .collect();
        let chunks = self.chunks(&at);
        b.at_end(at.before);
        let last = self.last(&l.trip, at.join);
        let width = self.width(l, &at, last);
        b.at_end(chunks.first);
        let first = b.phi(last.ty());
        let carried: Vec<Value> = begins.iter().map(|v| b.phi(v.ty())).collect();
        let counters = self.counters(l, &at, &chunks);
        b.at_end(at.before);
        b.br(chunks.first);
        b.at_end(chunks.first);
        let left = b.sub(last, first);
        let mine = b.icmp(Pred::LLVMIntULE, sized(b, self.number, left.ty()), left);
        b.cond_br(width.takes(self, mine), at.header, chunks.after);
        let taken = self.hand_over(serial, &counters, &at, &chunks);
        let ends = self.steps_of_chunk(serial, &taken, &carried, &chunks, (left, &width));
        b.at_end(chunks.done);
        self.wait();
        self.go_on_counting(l, &counters, &chunks, width.count);
        let count = sized(b, width.count, left.ty());
        let more = b.icmp(Pred::LLVMIntUGE, left, count);
        let further = b.add(first, count);
        b.cond_br(more, chunks.first, at.join);
        first.add_incoming(last.ty().constant(0), at.before);
        first.add_incoming(further, chunks.done);
        for (((phi, begin), end), (users, next)) in carried
            .iter()
            .zip(&begins)
            .zip(&ends)
            .zip(results.iter().zip(&nexts))
        {
            phi.add_incoming(*begin, at.before);
            phi.add_incoming(*end, chunks.done);
            replace_in(users, *next, *end);
        }
        for c in &serial.carried {
            let phi = value(c.phi);
            phi.replace_uses(phi.ty().poison());
            phi.erase();
        }
        self.close(&at, exit);
    }

    /// The blocks of a loop's chunks, with no end yet but the iteration's.
    fn chunks(&self, at: &Blocks) -> Chunks {
        let block = |name: &str, before: Block| {
            let made = self.copy.function.append_block(name);
            made.move_before(before);
            made
        };
        Chunks {
            first: block("chunk", at.header),
            after: block("after", at.join),
            whole: block("whole", at.join),
            last: block("last", at.join),
            done: block("done", at.join),
        }
    }

    /// Has each counter begin with the lane's first iteration; what stands for it.
    fn counters(&self, l: &Reduction, at: &Blocks, chunks: &Chunks) -> HashMap<Value, Value> {
        let (b, copy) = (self.b, self.copy);
        let mut made = HashMap::default();
        for c in &l.counters {
            let phi = copy.value(c.phi);
            b.at_end(at.before);
            let start = self.advanced(c, begin(phi, at.join), self.number);
            b.at_end(chunks.first);
            let new = b.phi(phi.ty());
            new.add_incoming(start, at.before);
            phi.replace_uses(new);
            phi.erase();
            made.insert(phi, new);
        }
        made
    }

    /// Has each counter go on by a chunk's iterations where it ends.
    fn go_on_counting(
        &self,
        l: &Reduction,
        begun: &HashMap<Value, Value>,
        chunks: &Chunks,
        by: Value,
    ) {
        for c in &l.counters {
            let new = begun[&self.copy.value(c.phi)];
            new.add_incoming(self.advanced(c, new, by), chunks.done);
        }
    }

    /// Has an iteration leave what its steps take.
    fn hand_over(
        &self,
        serial: &Serial,
        counters: &HashMap<Value, Value>,
        at: &Blocks,
        chunks: &Chunks,
    ) -> Taken {
        let (b, copy) = (self.b, self.copy);
        let mut taken = Taken {
            inputs: Vec::new(),
            ways: Vec::new(),
        };
        b.at_end(at.latch);
        b.br(chunks.after);
        // Slots, which become phis: an iteration may leave something on one of its ways alone.
        let slot = |ty: Type| {
            b.before(copy.function.entry().instructions()[0]);
            let slot = b.alloca(ty);
            b.before(chunks.first.terminator());
            b.store_slot(ty.null(), slot);
            slot
        };
        let mut slots = Vec::new();
        for input in serial.inputs.iter().map(|i| copy.value(*i)) {
            if let Some(counter) = counters.get(&input) {
                slots.push((*counter, None));
                continue;
            }
            let kept = slot(input.ty());
            let block = input.block().expect("an instruction");
            match input.is(Op::LLVMPHI) {
                true => b.before(block.terminator()),
                false => b.before(input.next()),
            }
            b.store_slot(input, kept);
            slots.push((input, Some(kept)));
        }
        let ways = self.keep_ways(serial, &slot);
        b.at_end(chunks.after);
        let mut at = 0;
        for (of, kept) in slots {
            let own = kept.map_or(of, |kept| b.load_slot(of.ty(), kept));
            let place = self.leave(own, &mut at);
            taken.inputs.push((of, place));
        }
        for (block, from, kept) in ways {
            let way = b.load_slot(Type::int(b.module(), 32), kept);
            let place = self.leave(way, &mut at);
            taken.ways.push((block, from, place));
        }
        self.wait();
        taken
    }

    /// Keeps by which way control comes to each block where ways of steps meet.
    fn keep_ways(
        &self,
        serial: &Serial,
        slot: &dyn Fn(Type) -> Value,
    ) -> Vec<(Block, Vec<Block>, Value)> {
        let (b, copy) = (self.b, self.copy);
        let word = Type::int(b.module(), 32);
        let mut ways: Vec<(Block, Vec<Block>, Value)> = Vec::new();
        let steps = serial.steps.iter().map(|s| copy.value(*s));
        for phi in steps.filter(|s| s.is(Op::LLVMPHI)) {
            let block = phi.block().expect("an instruction");
            if ways.iter().any(|w| w.0 == block) {
                continue;
            }
            let kept = slot(word);
            let from: Vec<Block> = phi.incoming().into_iter().map(|(_, from)| from).collect();
            for (way, from) in from.iter().enumerate() {
                b.before(from.terminator());
                b.store_slot(word.constant(way as i64), kept);
            }
            ways.push((block, from, kept));
        }
        ways
    }

    /// Shared memory for what lanes of a block leave, so many bytes in all.
    pub fn make_room(&self, bytes: u32) -> Room {
        let each = bytes / BLOCK_IN_ORDER;
        let (module, function) = (self.b.module(), self.copy.function);
        let name = format!("{}$left", self.copy.name);
        let bytes = Type::int(module, 8).array(bytes.into());
        let merged = function.value().is_mergeable();
        Room {
            start: module.add_shared_global(&name, bytes, 16, merged),
            each,
        }
    }

    /// Has each lane leave a value for the others, behind so many bytes that it left; where those of a warp lie. All
    /// that a warp leaves lies together: warps do not wait for each other, and one may be at another loop, which leaves
    /// values of other sizes.
    fn leave(&self, own: Value, before: &mut u32) -> Place {
        let b = self.b;
        let word = Type::int(b.module(), 32);
        let own = match own.ty().int_width() {
            Some(1) => b.zext(own, word),
            _ => own,
        };
        let (ty, size) = (own.ty(), size_of(own.ty()));
        let room = self.room.expect("room for what lanes leave");
        let warp = b.mul(
            b.sub(self.thread, self.number),
            word.constant(i64::from(room.each)),
        );
        let start = b.byte_offset(room.start, b.long(i64::from(WARP * *before)));
        let first = b.byte_offset(start, b.zext(warp, b.i64()));
        *before += size;
        let mine = b.element_inbounds(ty, first, b.zext(self.number, b.i64()));
        b.store(own, mine, size);
        Place { first, ty }
    }

    /// The steps of a chunk of which `left` iterations come behind the first, or none where one lane takes all; what is
    /// carried behind them.
    fn steps_of_chunk(
        &self,
        serial: &Serial,
        taken: &Taken,
        carried: &[Value],
        chunks: &Chunks,
        (left, width): (Value, &Width),
    ) -> Vec<Value> {
        let b = self.b;
        let word = Type::int(b.module(), 32);
        b.at_end(chunks.after);
        let left = match width.is_whole {
            Some(all) => b.select(all, left, left.ty().constant(0)),
            None => left,
        };
        let full = left.ty().constant(i64::from(WARP) - 1);
        let is_whole = b.icmp(Pred::LLVMIntUGE, left, full);
        b.cond_br(is_whole, chunks.whole, chunks.last);
        let ends = [(chunks.whole, STEPS_AT_ONCE, full), (chunks.last, 1, left)].map(
            |(block, at_once, most)| {
                b.at_end(block);
                let from = b.phi(word);
                let phis: Vec<Value> = carried.iter().map(|v| b.phi(v.ty())).collect();
                let mut now = phis.clone();
                for k in 0..at_once {
                    now = self.step(serial, taken, &now, (from, k, at_once));
                }
                let next = b.add(from, word.constant(at_once.into()));
                from.add_incoming(word.constant(0), chunks.after);
                from.add_incoming(next, block);
                for ((phi, begin), end) in phis.iter().zip(carried).zip(&now) {
                    phi.add_incoming(*begin, chunks.after);
                    phi.add_incoming(*end, block);
                }
                let goes_on = b.icmp(Pred::LLVMIntULE, sized(b, next, most.ty()), most);
                b.cond_br(goes_on, block, chunks.done);
                (block, now)
            },
        );
        b.at_end(chunks.done);
        let joined = |k: usize| {
            let phi = b.phi(carried[k].ty());
            ends.iter()
                .for_each(|(block, now)| phi.add_incoming(now[k], *block));
            phi
        };
        (0..carried.len()).map(joined).collect()
    }

    /// One iteration's steps, with what lane `from` and so many behind it left, where `from` is a multiple of a number;
    /// what is carried behind them.
    fn step(
        &self,
        serial: &Serial,
        taken: &Taken,
        carried: &[Value],
        of: (Value, u32, u32),
    ) -> Vec<Value> {
        let (b, copy) = (self.b, self.copy);
        let mut now: HashMap<Value, Value> = HashMap::default();
        for (c, v) in serial.carried.iter().zip(carried) {
            now.insert(copy.value(c.phi), *v);
        }
        for (input, place) in &taken.inputs {
            now.insert(*input, self.left(*place, input.ty(), of));
        }
        let step_of = |now: &HashMap<Value, Value>, v: Value| now.get(&v).copied().unwrap_or(v);
        let ways = taken.ways.iter().map(|(block, from, place)| {
            let way = self.left(*place, place.ty, of);
            (*block, from, way)
        });
        let ways: Vec<(Block, &Vec<Block>, Value)> = ways.collect();
        for s in serial.steps.iter().map(|s| copy.value(*s)) {
            let made = if s.is(Op::LLVMPHI) {
                let meets = ways.iter().find(|w| Some(w.0) == s.block());
                let (_, from, way) = meets.expect("a block where ways meet");
                let incoming = s.incoming();
                let first = step_of(&now, incoming[0].0);
                incoming[1..].iter().fold(first, |rest, (v, by)| {
                    let k = from
                        .iter()
                        .position(|x| x == by)
                        .expect("a way to the block");
                    let here = b.icmp(Pred::LLVMIntEQ, *way, way.ty().constant(k as i64));
                    b.select(here, step_of(&now, *v), rest)
                })
            } else {
                let made = s.clone_instruction();
                for (k, o) in s.operands().into_iter().enumerate() {
                    if let Some(v) = now.get(&o) {
                        made.set_operand(k as u32, *v);
                    }
                }
                b.insert(made);
                made
            };
            now.insert(s, made);
        }
        let nexts = serial.carried.iter().map(|c| copy.value(c.next));
        nexts.map(|n| now[&n]).collect()
    }

    /// What a lane left, as a `ty`.
    fn left(&self, place: Place, ty: Type, (from, behind, of): (Value, u32, u32)) -> Value {
        let (b, size) = (self.b, size_of(place.ty));
        let first = b.element_inbounds(place.ty, place.first, b.zext(from, b.i64()));
        let at = b.element_inbounds(place.ty, first, b.long(behind.into()));
        // Loads next to each other become one, if the first is known to be aligned to all of it.
        let offset = (behind * size) | (of * size) | WIDEST;
        let left = b.load(place.ty, at, 1 << offset.trailing_zeros());
        match ty.int_width() {
            Some(1) => b.trunc(left, ty),
            _ => left,
        }
    }
}
