//! The version's body: strips of both operands through shared memory, sums in registers, and the kernel's own code for
//! each element.

use super::fetch::Operand;
use super::fragments::{Lanes, Sums};
use super::{DEPTH, Mma, Side, THREADS};
use crate::affine::{Atom, Poly};
use crate::kernel::{Kernel, ValueId, ids};
use crate::llvm::ir::{Block, Builder, Function, Op, Pred, Type, Value};
use crate::machine::tuning::mma::{GAP, STAGES, TILE, WARPS};

/// Bytes of an operand's strip, and of both.
pub const STRIP: [u32; 2] = [TILE[0] * DEPTH, TILE[1] * DEPTH];
const STAGE: u32 = STRIP[0] + STRIP[1];
/// Shared memory of a block: strips, and later the sums of a row of warps.
pub const SHARED: u32 = STAGES * STAGE;
/// Rows that one row of warps has, and sums from one of them to the next in shared memory.
const BAND: u32 = TILE[0] / WARPS[0];
const PITCH: u32 = TILE[1] + GAP;
/// Elements of a band that a thread has.
const EACH: u32 = BAND * TILE[1] / THREADS;
/// How many blocks a multiprocessor is to hold: each thread then has 128 registers.
const BLOCKS: &str = "2";

const _: () =
    assert!(BAND * PITCH * 4 <= SHARED && SHARED <= crate::machine::target::STATIC_SHARED);

/// Writes the version in place of `copy`, whose values have the numbers of the kernel that `mma` is about.
pub fn emit(mma: &Mma, copy: &Kernel) -> Result<(), String> {
    let function = copy.function;
    let b = Builder::new(function.module());
    let old = function.entry();
    let returns = returns(function);
    let entry = function.append_block("mma");
    entry.move_before(old);
    b.at_end(entry);
    let body = Body::new(mma, copy, &b);
    let sums = body.multiply();
    body.elements(&sums, old, &returns);
    allow(function);
    function.run_passes("dce")
}

/// What was said of the kernel's threads, which wait for none, and of its launches.
fn allow(function: Function) {
    for kind in ["nosync", "memory", "willreturn"] {
        function.drop_attribute(kind);
    }
    for (i, p) in function.params().into_iter().enumerate() {
        if p.ty().is_pointer() {
            function.drop_param_attribute(i as u32, "initializes");
        }
    }
    function.add_attribute("convergent");
    function.add_string_attribute("nvvm.maxntid", &THREADS.to_string());
    function.add_string_attribute("nvvm.minctasm", BLOCKS);
}

fn returns(function: Function) -> Vec<Block> {
    let ends = |b: &Block| b.terminator().is(Op::LLVMRet);
    function.blocks().into_iter().filter(ends).collect()
}

/// The version while it is written.
pub struct Body<'a> {
    pub b: &'a Builder,
    mma: &'a Mma,
    copy: &'a Kernel,
    pub shared: Value,
    pub thread: Value,
    pub lanes: Lanes,
    /// The block's first row and column, of the ids.
    pub first: [Value; 2],
    /// How many there are.
    pub bounds: [Value; 2],
    /// How many products an element sums up.
    pub count: Value,
}

impl<'a> Body<'a> {
    /// Works out at the entry what all of it needs.
    fn new(mma: &'a Mma, copy: &'a Kernel, b: &'a Builder) -> Body<'a> {
        let name = format!("{}$tiles", copy.name);
        let bytes = Type::int(b.module(), 8).array(u64::from(SHARED));
        let merged = copy.function.value().is_mergeable();
        let thread = register(b, "tid", 'x');
        let blocks = ['y', 'x'].map(|d| b.zext(register(b, "ctaid", d), b.i64()));
        let mut body = Body {
            b,
            mma,
            copy,
            shared: b.module().add_shared_global(&name, bytes, 16, merged),
            thread,
            lanes: Lanes::new(b, thread, &mma.sides),
            first: [0, 1].map(|k| b.scaled(blocks[k], TILE[k].into())),
            bounds: blocks,
            count: b.long(0),
        };
        body.bounds = [(0, 'y'), (1, 'x')].map(|(k, d)| match &mma.sides[k].bound {
            Some(bound) => body.poly(&bound.poly),
            None => {
                let all = b.zext(register(b, "nctaid", d), b.i64());
                b.scaled(all, TILE[k].into())
            }
        });
        let when = mma.when.iter().map(|(v, wanted)| {
            let v = body.again(copy.value(*v));
            if *wanted { v } else { b.not(v) }
        });
        let when = when.reduce(|x, y| b.and(x, y));
        body.count = b.choose(when, body.poly(&mma.count), b.long(0));
        body
    }

    /// The value of a number of arguments, at the entry. The host tested that its parts are small.
    fn poly(&self, p: &Poly) -> Value {
        let b = self.b;
        p.terms().fold(b.long(0), |sum, (m, c)| {
            let product = m.iter().fold(b.long(c), |product, a| {
                let Atom::Symbol(s) = a else {
                    unreachable!("a number of arguments")
                };
                let v = self.again(self.copy.value(self.mma.symbols[s.index()]));
                b.times(product, b.sext(v, b.i64()))
            });
            b.plus(sum, product)
        })
    }

    /// A value of arguments again, where the kernel's own may not stand yet.
    fn again(&self, v: Value) -> Value {
        if !v.is_instruction() {
            return v;
        }
        let copy = v.clone_instruction();
        copy.drop_poison_flags();
        copy.drop_all_metadata();
        for (k, o) in v.operands().into_iter().enumerate() {
            copy.set_operand(k as u32, self.again(o));
        }
        self.b.insert(copy);
        copy
    }

    /// Where an operand begins, and bytes from a line to the next.
    pub fn place(&self, side: &Side) -> [Value; 2] {
        let b = self.b;
        let base = self.again(self.copy.value(side.base));
        let base = b.addrspacecast(base, Type::pointer(b.module(), 1));
        let first = self.poly(&side.first);
        [b.byte_offset(base, first), self.poly(&side.pitch)]
    }

    pub fn block(&self, name: &str) -> Block {
        let block = self.copy.function.append_block(name);
        block.move_before(self.copy.blocks[0]);
        block
    }

    pub fn call(&self, name: &str, args: &[Value]) -> Value {
        self.b.call(self.b.module().intrinsic(name, &[]), args)
    }

    fn wait_for_all(&self) {
        self.call("llvm.nvvm.barrier.cta.sync.aligned.all", &[self.b.int(0)]);
    }

    /// Where `offset` bytes of shared memory are.
    pub fn at(&self, offset: Value) -> Value {
        self.b.byte_offset(self.shared, offset)
    }

    /// Sums all products up: each turn begins to fetch a strip, and multiplies the one that was fetched first.
    fn multiply(&self) -> Sums {
        let b = self.b;
        let operands = [0, 1].map(|k| Operand::new(self, k, &self.mma.sides[k]));
        let depth = b.long(DEPTH.into());
        let strips = b.udiv(b.add(self.count, b.long(i64::from(DEPTH) - 1)), depth);
        let strips = b.trunc(strips, b.i32());
        let ahead = b.int(i64::from(STAGES) - 1);
        let turns = b.add(strips, ahead);
        let names = [
            "mma.turn",
            "mma.fetch",
            "mma.fetched",
            "mma.product",
            "mma.step",
            "mma.behind",
        ];
        let [head, fetch, fetched, product, step, behind] = names.map(|n| self.block(n));
        let entry = b.block();
        b.br(head);
        b.at_end(head);
        let [turn, to] = [b.phi(b.i32()), b.phi(b.i32())];
        let sums = Sums::begin(self, entry);
        self.call(
            "llvm.nvvm.cp.async.wait.group",
            &[b.int(i64::from(STAGES) - 2)],
        );
        self.wait_for_all();
        b.cond_br(b.icmp(Pred::LLVMIntULT, turn, strips), fetch, fetched);
        b.at_end(fetch);
        for o in &operands {
            o.fetch(self, turn, to);
        }
        b.br(fetched);
        b.at_end(fetched);
        self.call("llvm.nvvm.cp.async.commit.group", &[]);
        // The strip that was fetched first lies where the next one goes.
        let beyond = b.add(to, b.int(STAGE.into()));
        let is_last = b.icmp(Pred::LLVMIntEQ, beyond, b.int(SHARED.into()));
        let next_to = b.select(is_last, b.int(0), beyond);
        b.cond_br(b.icmp(Pred::LLVMIntUGE, turn, ahead), product, step);
        b.at_end(product);
        let more = sums.multiplied(self, &self.mma.sides, next_to);
        b.br(step);
        b.at_end(step);
        let left = sums.joined(self, &more, [fetched, product]);
        let next_turn = b.add(turn, b.int(1));
        let goes_on = b.cond_br(b.icmp(Pred::LLVMIntULT, next_turn, turns), head, behind);
        b.loop_properties(goes_on, &["llvm.loop.unroll.disable"]);
        for (phi, begin, next) in [(turn, b.int(0), next_turn), (to, b.int(0), next_to)] {
            phi.add_incoming(begin, entry);
            phi.add_incoming(next, step);
        }
        sums.close(&left, step);
        b.at_end(behind);
        self.call("llvm.nvvm.cp.async.wait.all", &[]);
        self.wait_for_all();
        left
    }

    /// Runs the kernel's code for each element: the sums of one row of warps after the other lie in shared memory.
    fn elements(&self, sums: &Sums, old: Block, returns: &[Block]) {
        let b = self.b;
        let names = [
            "mma.band",
            "mma.keep",
            "mma.kept",
            "mma.element",
            "mma.next",
            "mma.left",
            "mma.end",
        ];
        let [band, keep, kept, element, next, left, end] = names.map(|n| self.block(n));
        let before = b.block();
        b.br(band);
        b.at_end(band);
        let which = b.phi(b.i32());
        b.cond_br(
            b.icmp(Pred::LLVMIntEQ, which, self.lanes.warp[0]),
            keep,
            kept,
        );
        b.at_end(keep);
        sums.keep(self, &self.mma.sides, PITCH);
        b.br(kept);
        b.at_end(kept);
        self.wait_for_all();
        b.br(element);
        b.at_end(element);
        let number = b.phi(b.i32());
        let inside = self.element(which, number);
        b.cond_br(inside, old, next);
        for r in returns {
            r.terminator().erase();
            b.at_end(*r);
            b.br(next);
        }
        b.at_end(next);
        let more = b.add(number, b.int(1));
        b.cond_br(
            b.icmp(Pred::LLVMIntULT, more, b.int(EACH.into())),
            element,
            left,
        );
        b.at_end(left);
        self.wait_for_all();
        let below = b.add(which, b.int(1));
        b.cond_br(
            b.icmp(Pred::LLVMIntULT, below, b.int(WARPS[0].into())),
            band,
            end,
        );
        b.at_end(end);
        b.ret_void();
        for (phi, from, on, back) in [(which, before, below, left), (number, kept, more, next)] {
            phi.add_incoming(b.int(0), from);
            phi.add_incoming(on, back);
        }
    }

    /// Has the kernel's code be about the element `number` of this thread's in a band; whether there is one.
    fn element(&self, band: Value, number: Value) -> Value {
        let (b, columns) = (self.b, b_int(self.b, TILE[1]));
        let place = b.add(b.mul(number, b_int(b, THREADS)), self.thread);
        let [row, column] = [b.udiv(place, columns), b.urem(place, columns)];
        let at = b.add(b.mul(row, b_int(b, PITCH)), column);
        let sum = b.load(b.i32(), self.at(b.shl(at, b.int(2))), 4);
        let row = b.add(row, b.mul(band, b_int(b, BAND)));
        let ids = [(0, row), (1, column)].map(|(k, v)| b.add(self.first[k], b.zext(v, b.i64())));
        let inside = [0, 1].map(|k| b.icmp(Pred::LLVMIntULT, ids[k], self.bounds[k]));
        let inside = b.and(inside[0], inside[1]);
        for (k, id) in ids.into_iter().enumerate() {
            self.name(&self.mma.sides[k], id);
        }
        self.replace_loop(sum);
        inside
    }

    /// Puts `id` in place of what the kernel works out along a side's dimension.
    fn name(&self, side: &Side, id: Value) {
        let all = self.copy.blocks.iter().flat_map(|b| b.instructions());
        let is_id = |v: &Value| v.is(Op::LLVMAdd) && ids::is_widened_global_id(*v, side.dim);
        let found: Vec<Value> = all.filter(is_id).collect();
        for v in found {
            let own = self.b.trunc(id, v.ty());
            v.replace_uses(own);
        }
    }

    /// Adds `sum` to what the kernel's begins with, in place of the loop.
    fn replace_loop(&self, sum: Value) {
        let (b, value) = (self.b, |v: ValueId| self.copy.value(v));
        let here = b.block();
        let block = self.copy.block(self.mma.header);
        let branch = block.terminator();
        let ways = block.successors().into_iter();
        let exit = ways
            .filter(|s| *s != block)
            .last()
            .expect("a loop that is left");
        let begin = |phi: Value| {
            let mut entering = phi
                .incoming()
                .into_iter()
                .filter(|(_, from)| *from != block);
            entering.next().expect("a loop that is entered").0
        };
        b.before(branch);
        let all = b.add(begin(value(self.mma.sum)), sum);
        value(self.mma.next).replace_uses(all);
        b.br(exit);
        branch.erase();
        for phi in block.phis() {
            phi.replace_uses(begin(phi));
            phi.erase();
        }
        b.at_end(here);
    }
}

fn b_int(b: &Builder, n: u32) -> Value {
    b.int(n.into())
}

/// What a special register holds.
fn register(b: &Builder, name: &str, along: char) -> Value {
    let intrinsic = format!("llvm.nvvm.read.ptx.sreg.{name}.{along}");
    b.call(b.module().intrinsic(&intrinsic, &[]), &[])
}
