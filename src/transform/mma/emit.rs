//! The version's body: strips of both operands through shared memory, sums in registers, and the kernel's own code for
//! each element.

use super::emit_body::{Body, begin_of};
use super::emit_fragments::{Fragments, Sums};
use super::emit_operands::Operands;
use super::joins::joins;
use super::plan::Numbers;
use super::{Mma, Side};
use crate::kernel::{Kernel, ValueId, ids};
use crate::llvm::ir::{Block, Builder, Function, Op, Pred, Value};
use crate::lower::take_back_promises;
use crate::machine::tuning::mma::Shape;

/// Blocks of the loop over strips, and that behind it.
const LOOP: [&str; 6] = [
    "mma.head",
    "mma.fetch",
    "mma.fetched",
    "mma.product",
    "mma.step",
    "mma.behind",
];

/// Writes the version in place of `copy`, whose values have the numbers of the kernel that `mma` is about.
pub fn emit(mma: &Mma, copy: &Kernel) -> Result<(), String> {
    let function = copy.function;
    let b = Builder::new(function.module());
    let old = function.entry();
    let returns = returns(function);
    let entry = function.append_block("mma");
    entry.move_before(old);
    b.at_end(entry);
    let version = Version::new(mma, copy, &b);
    let sums = version.multiply();
    version.elements(&sums, old, &returns);
    allow(function, mma.numbers.shape());
    function.run_passes("dce")
}

/// What was said of the kernel's threads, which wait for none, and of its launches.
fn allow(function: Function, shape: &Shape) {
    take_back_promises(function);
    function.add_string_attribute("nvvm.maxntid", &shape.threads().to_string());
    function.add_string_attribute("nvvm.minctasm", &shape.blocks.to_string());
}

fn returns(function: Function) -> Vec<Block> {
    let ends = |b: &Block| b.terminator().is(Op::LLVMRet);
    function.blocks().into_iter().filter(ends).collect()
}

/// The version while it is written.
struct Version<'a> {
    body: Body<'a>,
    fragments: Fragments,
}

impl<'a> Version<'a> {
    fn new(mma: &'a Mma, copy: &'a Kernel, b: &'a Builder) -> Version<'a> {
        let body = Body::new(mma, copy, b);
        let fragments = Fragments::new(&body);
        Version { body, fragments }
    }

    /// Sums all products up: each iteration begins to fetch a strip, and multiplies the one that was fetched first.
    fn multiply(&self) -> Sums {
        let (b, shape) = (self.body.b, self.body.shape);
        let operands = Operands::new(&self.body);
        let begins = operands.from();
        let strips = self.strips();
        let ahead = b.int(i64::from(shape.stages) - 1);
        let all = b.add(strips, ahead);
        let [top, fetch, fetched, product, step, behind] = LOOP.map(|n| self.body.block(n));
        let entry = b.block();
        b.br(top);
        b.at_end(top);
        let [strip, to] = [b.phi(b.i32()), b.phi(b.i32())];
        let from = begins.map(|[from, _]| b.phi(from.ty()));
        let sums = Sums::begin(&self.body, entry);
        let behind_it = b.int(i64::from(shape.stages) - 2);
        self.body
            .call("llvm.nvvm.cp.async.wait.group", &[behind_it]);
        self.body.wait_for_all();
        b.cond_br(b.icmp(Pred::LLVMIntULT, strip, strips), fetch, fetched);
        b.at_end(fetch);
        let rest = b.sub(self.body.count, b.zext(self.before(strip), b.i64()));
        let loaded = operands.fetch(&self.body, from, rest, to);
        let ways = [b.block(), top];
        b.br(fetched);
        b.at_end(fetched);
        let loaded = loaded.map(|l| l.or_none(&self.body, ways));
        self.body.call("llvm.nvvm.cp.async.commit.group", &[]);
        // The strip that was fetched first lies where the next one goes.
        let beyond = b.add(to, b.int(shape.stage().into()));
        let is_last = b.icmp(Pred::LLVMIntEQ, beyond, b.int(shape.shared().into()));
        let next_to = b.select(is_last, b.int(0), beyond);
        b.cond_br(b.icmp(Pred::LLVMIntUGE, strip, ahead), product, step);
        b.at_end(product);
        let done = self.before(b.sub(strip, ahead));
        let rest = b.sub(b.trunc(self.body.count, b.i32()), done);
        let more = sums.multiplied(&self.body, &self.fragments, next_to, rest);
        let multiplied = b.block();
        b.br(step);
        b.at_end(step);
        let left = sums.joined(&self.body, &more, [fetched, multiplied]);
        operands.store(&self.body, &loaded, to);
        let latch = b.block();
        let next_strip = b.add(strip, b.int(1));
        let moved = [0, 1].map(|k| {
            let [begin, advance] = begins[k];
            (from[k], begin, b.byte_offset(from[k], advance))
        });
        let goes_on = b.cond_br(b.icmp(Pred::LLVMIntULT, next_strip, all), top, behind);
        b.loop_properties(goes_on, &["llvm.loop.unroll.disable"]);
        let counted = [(strip, b.int(0), next_strip), (to, b.int(0), next_to)];
        for (phi, begin, next) in counted.into_iter().chain(moved) {
            phi.add_incoming(begin, entry);
            phi.add_incoming(next, latch);
        }
        sums.close(&left, latch);
        b.at_end(behind);
        left
    }

    /// How many strips there are.
    fn strips(&self) -> Value {
        let (b, depth) = (self.body.b, i64::from(self.body.shape.depth));
        let all = b.add(self.body.count, b.long(depth - 1));
        b.trunc(b.udiv(all, b.long(depth)), b.i32())
    }

    /// How many products come before the strip of this number.
    fn before(&self, strip: Value) -> Value {
        self.body.b.scaled(strip, self.body.shape.depth.into())
    }

    /// Runs the kernel's code for each element: the sums of one row of warps after the other lie in shared memory.
    fn elements(&self, sums: &Sums, old: Block, returns: &[Block]) {
        let b = self.body.b;
        self.body.call("llvm.nvvm.cp.async.wait.all", &[]);
        self.body.wait_for_all();
        let names = [
            "mma.band",
            "mma.keep",
            "mma.kept",
            "mma.element",
            "mma.next",
            "mma.left",
            "mma.end",
        ];
        let [band, keep, kept, element, next, left, end] = names.map(|n| self.body.block(n));
        let before = b.block();
        b.br(band);
        b.at_end(band);
        let which = b.phi(b.i32());
        b.cond_br(
            b.icmp(Pred::LLVMIntEQ, which, self.fragments.warp_lane.warp[0]),
            keep,
            kept,
        );
        b.at_end(keep);
        sums.keep(&self.body, &self.fragments.warp_lane);
        b.br(kept);
        b.at_end(kept);
        self.body.wait_for_all();
        b.br(element);
        b.at_end(element);
        let number = b.phi(b.i32());
        let in_bounds = self.element(which, number);
        b.cond_br(in_bounds, old, next);
        for r in returns {
            r.terminator().erase();
            b.at_end(*r);
            b.br(next);
        }
        b.at_end(next);
        let more = b.add(number, b.int(1));
        b.cond_br(
            b.icmp(Pred::LLVMIntULT, more, b_int(b, self.body.shape.each())),
            element,
            left,
        );
        b.at_end(left);
        self.body.wait_for_all();
        let below = b.add(which, b.int(1));
        b.cond_br(
            b.icmp(Pred::LLVMIntULT, below, b_int(b, self.body.shape.warps[0])),
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
        let (b, shape) = (self.body.b, self.body.shape);
        let cols = b_int(b, shape.tile[1]);
        let place = b.add(b.mul(number, b_int(b, shape.threads())), self.body.thread);
        let [row, column] = [b.udiv(place, cols), b.urem(place, cols)];
        let at = b.add(b.mul(row, b_int(b, shape.pitch())), column);
        let at = self.body.at(b.scaled(at, shape.sum.into()));
        let sum = b.load(self.body.sum_type(), at, shape.sum);
        let row = b.add(row, b.mul(band, b_int(b, shape.band())));
        let ids =
            [(0, row), (1, column)].map(|(k, v)| b.add(self.body.first[k], b.zext(v, b.i64())));
        let in_bounds = [0, 1].map(|k| b.icmp(Pred::LLVMIntULT, ids[k], self.body.bounds[k]));
        let in_bounds = b.and(in_bounds[0], in_bounds[1]);
        for (k, id) in ids.into_iter().enumerate() {
            self.name(&self.body.mma.sides[k], id);
        }
        self.replace_loop(sum);
        in_bounds
    }

    /// Puts `id` in place of what the kernel works out along a side's dimension.
    fn name(&self, side: &Side, id: Value) {
        let all = self.body.copy.blocks.iter().flat_map(|b| b.instructions());
        let is_id = |v: &Value| v.is(Op::LLVMAdd) && ids::is_widened_global_id(*v, side.dim);
        let found: Vec<Value> = all.filter(is_id).collect();
        for v in found {
            let own = self.body.b.trunc(id, v.ty());
            v.replace_uses(own);
        }
    }

    /// Has `sum` be the loop's, in its place: of whole numbers, added to what the kernel's begins with.
    fn replace_loop(&self, sum: Value) {
        let (b, value) = (self.body.b, |v: ValueId| self.body.copy.value(v));
        let here = b.block();
        let block = self.body.copy.block(self.body.mma.header);
        let branch = block.terminator();
        let ways = block.successors().into_iter();
        let exit = ways
            .filter(|s| *s != block)
            .last()
            .expect("a loop that is left");
        let begin = |phi: Value| begin_of(phi, block);
        b.before(branch);
        let all = match self.body.mma.numbers {
            Numbers::Bytes { .. } => b.add(begin(value(self.body.mma.sum)), sum),
            Numbers::Doubles { .. } | Numbers::Floats { .. } => sum,
        };
        if self.body.mma.numbers.are_real() {
            let begin = begin(value(self.body.mma.sum));
            let joins = joins(value(self.body.mma.next), begin, block);
            for phi in joins.expect("the plan looked") {
                phi.replace_uses(all);
                phi.erase();
            }
        }
        value(self.body.mma.next).replace_uses(all);
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
