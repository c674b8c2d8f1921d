//! A kernel's clone whose threads have neighbouring iterations.

use super::addresses::Body;
use super::plan::{Cells, Disjoint, Other, Vectorize, Wide};
use crate::kernel::{Kernel, callees};
use crate::llvm::ir::{Block, Builder, Op, Pred, Value};
use crate::map::HashMap;

/// Has the loops of `copy` run over neighbours.
pub fn emit(copy: &Kernel, plan: &Vectorize) -> Result<(), String> {
    let b = Builder::new(copy.function.module());
    for wide in &plan.loops {
        Emission::of(&b, copy, wide).write()?;
    }
    copy.function.run_passes("instsimplify,dce")
}

/// A loop, and what its blocks know of it.
struct Emission<'a> {
    b: &'a Builder,
    copy: &'a Kernel,
    wide: &'a Wide,
    entering: Block,
    body: Body,
    exit: Block,
    /// What the counter begins with, and what is added to it.
    first: Value,
    step: Value,
}

/// How many iterations each loop has, of the counter's type.
struct Trips {
    /// Iterations before the first that is one of several.
    peeled: Value,
    /// Iterations of the loop of vectors.
    vectors: Value,
    /// The original's that those are.
    covered: Value,
    /// And those that they are not.
    remainder: Value,
}

/// An iteration's values, by the original's.
type Iteration = HashMap<Value, Value>;

impl<'a> Emission<'a> {
    fn of(b: &'a Builder, copy: &'a Kernel, wide: &'a Wide) -> Emission<'a> {
        let [entering, exit] = wide.outside.map(|x| copy.block(x));
        let counter = copy.value(wide.counter.0);
        let body = Body {
            blocks: wide.blocks.iter().map(|x| copy.block(*x)).collect(),
            counter,
        };
        let next = counter.incoming_from(body.latch());
        let next = next.expect("a counter comes round");
        let step = match next.operand(0) == counter {
            true => next.operand(1),
            false => next.operand(0),
        };
        let begin = counter.incoming_from(entering);
        Emission {
            b,
            copy,
            wide,
            entering,
            body,
            exit,
            first: begin.expect("a counter begins"),
            step,
        }
    }

    fn write(&self) -> Result<(), String> {
        let (b, function) = (self.b, self.copy.function);
        let [tests, vector, rest] = ["vector.tests", "vector", "vector.rest"].map(|name| {
            let block = function.append_block(name);
            block.move_before(self.body.header());
            block
        });
        let enters = self.entering.terminator();
        for (k, to) in self.entering.successors().into_iter().enumerate() {
            if to == self.body.header() {
                enters.set_successor(k as u32, tests);
            }
        }
        b.at_end(tests);
        let trips = self.trips();
        let some = b.icmp(Pred::LLVMIntULT, self.first, trips.vectors);
        b.cond_br(some, vector, rest);
        b.at_end(vector);
        self.write_vectors((tests, vector, rest), &trips);
        b.at_end(rest);
        let any = b.icmp(self.less(), self.first, trips.remainder);
        b.cond_br(any, self.body.header(), self.exit);
        for phi in self.exit.phis() {
            let v = phi.incoming_from(self.body.latch());
            phi.add_incoming(v.ok_or("a loop is left otherwise")?, rest);
        }
        self.leave(rest, &trips);
        Ok(())
    }

    fn less(&self) -> Pred {
        match self.wide.signed {
            true => Pred::LLVMIntSLT,
            false => Pred::LLVMIntULT,
        }
    }

    /// Works out how many iterations each loop has: none of the vectors' where a test fails.
    fn trips(&self) -> Trips {
        let b = self.b;
        let (compare, k) = self.wide.compare;
        let count = self.copy.value(compare).operand(k);
        let ty = count.ty();
        // There is an iteration: a thread has come here.
        let last = b.sub(count, ty.constant(1));
        let widened = match self.wide.signed {
            true => b.sext(last, b.i64()),
            false => b.zext(last, b.i64()),
        };
        let from: Vec<Value> = self.numbers_at(ty.constant(0));
        let to = self.numbers_at(last);
        let runs = self.wide.accesses.iter().zip(from.iter().zip(to));
        let mut tests: Vec<Value> = runs
            .map(|(cells, (from, to))| {
                let run = b.mul(widened, b.long(cells.bytes.into()));
                b.icmp(Pred::LLVMIntEQ, b.sub(to, *from), run)
            })
            .collect();
        let (before, is_aligned) = self.align(&from);
        let before = b.zext(before, ty);
        tests.push(is_aligned);
        let all = self.wide.disjoint.iter();
        tests.extend(all.map(|a| self.is_disjoint(a, &from, widened)));
        let more = match self.wide.signed {
            true => Pred::LLVMIntSGT,
            false => Pred::LLVMIntUGT,
        };
        tests.push(b.icmp(more, count, before));
        let width = i64::from(self.wide.width);
        let shift = ty.constant(width.trailing_zeros().into());
        let whole = b.lshr(b.sub(count, before), shift);
        let all = tests.into_iter().reduce(|x, y| b.and(x, y));
        let vectors = b.select(all.expect("there are tests"), whole, ty.constant(0));
        let covered = b.mul(vectors, ty.constant(width));
        Trips {
            peeled: before,
            vectors,
            covered,
            remainder: b.sub(count, covered),
        }
    }

    /// How many iterations come before the first whose cell is aligned to a vector's length, of the first access, and
    /// whether that of each other one is, too. All cells are aligned to their own.
    fn align(&self, from: &[Value]) -> (Value, Value) {
        let b = self.b;
        let width = i64::from(self.wide.width);
        let low: Vec<Value> = from.iter().map(|v| b.trunc(*v, b.i32())).collect();
        let first = self.wide.accesses[0].bytes;
        let shift = b.int(first.trailing_zeros().into());
        let short = b.lshr(b.sub(b.int(0), low[0]), shift);
        let before = b.and(short, b.int(width - 1));
        let others = self.wide.accesses.iter().zip(&low).skip(1);
        let off = others.map(|(cells, low_bits)| {
            let bytes = i64::from(cells.bytes);
            let off = match cells.bytes == first {
                true => b.xor(*low_bits, low[0]),
                false => b.add(*low_bits, b.mul(before, b.int(bytes))),
            };
            b.and(off, b.int(width * bytes - 1))
        });
        let off = off.reduce(|x, y| b.or(x, y)).unwrap_or_else(|| b.int(0));
        (before, b.icmp(Pred::LLVMIntEQ, off, b.int(0)))
    }

    /// The addresses of all accesses in iteration `i`, as numbers.
    fn numbers_at(&self, i: Value) -> Vec<Value> {
        let all = self.wide.accesses.iter();
        all.map(|cells| self.b.ptrtoint(self.address(cells, i), self.b.i64()))
            .collect()
    }

    fn address(&self, cells: &Cells, i: Value) -> Value {
        let pointer = self.copy.value(cells.at).operand(cells.pointer);
        let mut values = Iteration::from_iter([(self.body.counter, i)]);
        self.again(pointer, &mut values)
    }

    /// A value of the body, in another iteration: nothing is loaded for it.
    fn again(&self, v: Value, values: &mut Iteration) -> Value {
        if !self.body.has(v) {
            return v;
        }
        if let Some(known) = values.get(&v) {
            return *known;
        }
        let operands = v.operands().into_iter().map(|o| self.again(o, values));
        let operands: Vec<Value> = operands.collect();
        let copy = v.clone_instruction();
        for (k, o) in operands.into_iter().enumerate() {
            copy.set_operand(k as u32, o);
        }
        self.b.insert(copy);
        values.insert(v, copy);
        copy
    }

    /// Whether a store's cells are none of others; `from`: where each access begins; `last`: how many cells each has
    /// but one.
    fn is_disjoint(&self, disjoint: &Disjoint, from: &[Value], last: Value) -> Value {
        let b = self.b;
        let length = |bytes: u32| {
            let all_but_one = b.mul(last, b.long(bytes.into()));
            b.add(all_but_one, b.long(bytes.into()))
        };
        let store = self.wide.accesses[disjoint.store].bytes;
        let (other, bytes) = match disjoint.other {
            Other::Cells { number, .. } => (from[number], length(self.wide.accesses[number].bytes)),
            Other::One { at, bytes } => {
                let pointer = self.copy.value(at).operand(0);
                let pointer = self.again(pointer, &mut Iteration::default());
                (b.ptrtoint(pointer, b.i64()), b.long(bytes.into()))
            }
        };
        // Neither begins within the other: their distance, counted from where the other would end in the store's cells.
        let distance = b.sub(other, from[disjoint.store]);
        let reach = b.sub(bytes, b.long(1));
        let both = b.add(reach, length(store));
        let is_disjoint = b.icmp(Pred::LLVMIntUGE, b.add(distance, reach), both);
        match disjoint.other {
            Other::Cells { same: true, .. } => {
                b.or(is_disjoint, b.icmp(Pred::LLVMIntEQ, distance, b.long(0)))
            }
            _ => is_disjoint,
        }
    }

    /// Writes the loop of several iterations at once.
    fn write_vectors(&self, (tests, vector, rest): (Block, Block, Block), trips: &Trips) {
        let b = self.b;
        let k = b.phi(self.body.counter.ty());
        k.add_incoming(self.first, tests);
        let width = k.ty().constant(self.wide.width.into());
        let signed = self.wide.signed;
        let plus = |x: Value, y: Value| match signed {
            true => b.add_nsw(x, y),
            false => b.add(x, y),
        };
        let before_k = match signed {
            true => b.mul_nsw(k, width),
            false => b.mul(k, width),
        };
        let start = plus(trips.peeled, before_k);
        let mut vectors = HashMap::default();
        for cells in &self.wide.accesses {
            let load = self.copy.value(cells.at);
            if load.is(Op::LLVMLoad) {
                let ty = load.ty().vector(self.wide.width);
                let address = self.address(cells, start);
                let loaded = b.load(ty, address, self.wide.width * cells.bytes);
                vectors.insert(load, loaded);
            }
        }
        let mut stored: Vec<(Value, Cells)> = Vec::new();
        for cells in &self.wide.accesses {
            let store = self.copy.value(cells.at);
            if store.is(Op::LLVMStore) {
                let ty = store.operand(0).ty().vector(self.wide.width);
                stored.push((ty.poison(), *cells));
            }
        }
        for place in 0..self.wide.width {
            let i = match place {
                0 => start,
                _ => plus(start, start.ty().constant(place.into())),
            };
            let values = self.iteration(i, place, &vectors);
            for (to_store, cells) in &mut stored {
                let v = self.copy.value(cells.at).operand(0);
                let v = values.get(&v).copied().unwrap_or(v);
                *to_store = b.insert_element(*to_store, v, place);
            }
        }
        for (to_store, cells) in stored {
            let address = self.address(&cells, start);
            b.store(to_store, address, self.wide.width * cells.bytes);
        }
        let next = b.add(k, self.step);
        k.add_incoming(next, b.block());
        let more = b.icmp(Pred::LLVMIntULT, next, trips.vectors);
        b.cond_br(more, vector, rest);
    }

    /// Writes one of several iterations, but for what it stores, from where the builder stands to the end of its last
    /// block; its values.
    fn iteration(&self, i: Value, place: u32, vectors: &HashMap<Value, Value>) -> Iteration {
        let b = self.b;
        let mut values = Iteration::from_iter([(self.body.counter, i)]);
        let mut blocks = HashMap::from_iter([(self.body.header(), b.block())]);
        for old in &self.body.blocks[1..] {
            let new = self.copy.function.append_block("vector.part");
            new.move_before(self.body.header());
            blocks.insert(*old, new);
        }
        for old in &self.body.blocks {
            b.at_end(blocks[old]);
            for v in old.instructions() {
                if self.is_left_out(v) {
                    continue;
                }
                let copy = match vectors.get(&v) {
                    Some(vector) => b.extract(*vector, place),
                    None if v.is(Op::LLVMPHI) => {
                        let phi = b.phi(v.ty());
                        for (v, from) in v.incoming() {
                            phi.add_incoming(values.get(&v).copied().unwrap_or(v), blocks[&from]);
                        }
                        phi
                    }
                    None => {
                        let copy = v.clone_instruction();
                        self.redirect(copy, &values);
                        b.insert(copy);
                        for (k, to) in old.successors().into_iter().enumerate() {
                            if v.is(Op::LLVMBr) {
                                copy.set_successor(k as u32, blocks[&to]);
                            }
                        }
                        copy
                    }
                };
                values.insert(v, copy);
            }
        }
        values
    }

    /// Whether an instruction is none of what an iteration works out.
    fn is_left_out(&self, v: Value) -> bool {
        let counter = self.body.counter;
        v == counter
            || v.is(Op::LLVMStore)
            || Some(v) == counter.incoming_from(self.body.latch())
            || v == self.copy.value(self.wide.compare.0)
            || v == self.body.latch().terminator()
            || v.is(Op::LLVMCall) && callees::is_assumption(v)
    }

    /// Has a copied instruction take an iteration's values.
    fn redirect(&self, copy: Value, values: &Iteration) {
        for (k, o) in copy.operands().into_iter().enumerate() {
            if let Some(v) = values.get(&o) {
                copy.set_operand(k as u32, *v);
            }
        }
    }

    /// Has the original's loop do the iterations that are left.
    fn leave(&self, rest: Block, trips: &Trips) {
        let b = self.b;
        let (header, latch) = (self.body.header(), self.body.latch());
        let counter = self.body.counter;
        let next = counter.incoming_from(latch);
        let next = next.expect("a counter comes round");
        b.before(header.instructions()[0]);
        let e = b.phi(self.body.counter.ty());
        e.add_incoming(self.first, rest);
        e.add_incoming(next, latch);
        let after_phis = header.instructions();
        let after_phis = after_phis.into_iter().find(|v| !v.is(Op::LLVMPHI));
        b.before(after_phis.expect("a block ends"));
        let is_before = b.icmp(Pred::LLVMIntULT, e, trips.peeled);
        let i = b.select(is_before, e, b.add(e, trips.covered));
        counter.replace_uses(i);
        let place = u32::from(next.operand(0) != i);
        next.set_operand(place, e);
        counter.erase();
        let (compare, k) = self.wide.compare;
        self.copy.value(compare).set_operand(k, trips.remainder);
    }
}
