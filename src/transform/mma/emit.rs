//! The version's body: strips of both operands through shared memory, sums in registers, and the kernel's own code for
//! each element.

use super::emit_body::{Body, Counted};
use super::emit_fragments::{Fragments, Sums};
use super::emit_operands::Operands;
use super::joins::{begin_of, in_front, joins};
use super::plan::Numbers;
use super::{Mma, Side};
use crate::kernel::{Kernel, ValueId, ids};
use crate::llvm::ir::{Block, Builder, Function, Op, Pred, Value};
use crate::lower::take_back_promises;
use crate::machine::tuning::mma::Shape;
use crate::transform::copied::Copied;

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
    let begins = version.begins(old);
    let sums = version.multiply(&begins);
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
    fn multiply(&self, begins_with: &Sums) -> Sums {
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
        let sums = Sums::all(&self.body, || b.phi(self.body.sum_type()));
        sums.add_incoming(begins_with, entry);
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
        sums.add_incoming(&left, latch);
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

    /// What each thread's sums begin with: where the kernel's begin with what it works out, its code in front of the
    /// loop is run for each element, and leaves them in shared memory, for one row of warps after the other.
    fn begins(&self, old: Block) -> Sums {
        let b = self.body.b;
        if let Some(begin) = self.body.begin() {
            return Sums::all(&self.body, || begin);
        }
        let ty = self.body.sum_type();
        let band = Counted::begin(&self.body, "mma.begin");
        let sums = Sums::all(&self.body, || b.phi(ty));
        let elements = Counted::begin(&self.body, "mma.start");
        let next = self.body.block("mma.started");
        self.begin_element(band.number, elements.number, old, next);
        b.at_end(next);
        elements.end(&self.body, self.body.shape.each());
        self.body.wait_for_all();
        let [mine, on] = ["mma.take", "mma.taken"].map(|n| self.body.block(n));
        let others = b.block();
        b.cond_br(self.has_band(band.number), mine, on);
        b.at_end(mine);
        let taken = sums.take(&self.body, &self.fragments.warp_lane);
        b.br(on);
        b.at_end(on);
        let begun = taken.joined(&self.body, &sums, [mine, others]);
        self.body.wait_for_all();
        sums.add_incoming(&Sums::all(&self.body, || ty.poison()), band.before);
        sums.add_incoming(&begun, b.block());
        band.end(&self.body, self.body.shape.warps[0]);
        begun
    }

    /// Runs a copy of the code in front of the loop for an element, and leaves what its sum begins with where the sum
    /// will lie.
    fn begin_element(&self, band: Value, number: Value, old: Block, next: Block) {
        let b = self.body.b;
        let element = self.element(band, number);
        let header = self.body.copy.block(self.body.mma.header);
        let sum = self.body.copy.value(self.body.mma.sum);
        let front = in_front(&self.body.copy.blocks, header);
        let sides = self.body.mma.sides.iter().zip(element.ids);
        let ids = sides.flat_map(|(side, id)| {
            let own = move |v: Value| (v, b.trunc(id, v.ty()));
            self.ids(side).into_iter().map(own)
        });
        let ids = ids.collect();
        let here = b.block();
        let copied = Copied::new(b, &front, ("mma.front", next), ids, None);
        b.at_end(here);
        b.cond_br(element.is_there, copied.block(old), next);
        let begun = self.body.block("mma.begun");
        b.at_end(begun);
        let begin = b.phi(sum.ty());
        b.store(begin, element.at, self.body.shape.sum);
        b.br(next);
        let joins = self.joins().expect("the plan looked");
        for block in &front {
            let (from, end) = (copied.block(*block), copied.block(*block).terminator());
            for (k, to) in (0..).zip(block.successors()) {
                if front.contains(&to) {
                    continue;
                }
                let mut meets = to
                    .phis()
                    .into_iter()
                    .filter(|p| *p == sum || joins.contains(p));
                let v = meets.find_map(|p| p.incoming_from(*block));
                end.set_successor(k, if v.is_some() { begun } else { next });
                if let Some(v) = v {
                    begin.add_incoming(copied.value(v), from);
                }
            }
        }
    }

    /// Whether this thread's warp is of a band.
    fn has_band(&self, band: Value) -> Value {
        let own = self.fragments.warp_lane.warp[0];
        self.body.b.icmp(Pred::LLVMIntEQ, band, own)
    }

    /// Runs the kernel's code for each element: the sums of one row of warps after the other lie in shared memory.
    fn elements(&self, sums: &Sums, old: Block, returns: &[Block]) {
        let b = self.body.b;
        self.body.call("llvm.nvvm.cp.async.wait.all", &[]);
        self.body.wait_for_all();
        let band = Counted::begin(&self.body, "mma.band");
        let [keep, kept] = ["mma.keep", "mma.kept"].map(|n| self.body.block(n));
        b.cond_br(self.has_band(band.number), keep, kept);
        b.at_end(keep);
        sums.keep(&self.body, &self.fragments.warp_lane);
        b.br(kept);
        b.at_end(kept);
        self.body.wait_for_all();
        let elements = Counted::begin(&self.body, "mma.element");
        let element = self.element(band.number, elements.number);
        let sum = b.load(self.body.sum_type(), element.at, self.body.shape.sum);
        for (side, id) in self.body.mma.sides.iter().zip(element.ids) {
            self.name(side, id);
        }
        self.replace_loop(sum);
        let next = self.body.block("mma.next");
        b.cond_br(element.is_there, old, next);
        for r in returns {
            r.terminator().erase();
            b.at_end(*r);
            b.br(next);
        }
        b.at_end(next);
        elements.end(&self.body, self.body.shape.each());
        self.body.wait_for_all();
        band.end(&self.body, self.body.shape.warps[0]);
        b.ret_void();
    }

    /// The element `number` of this thread's in a band.
    fn element(&self, band: Value, number: Value) -> Element {
        let (b, shape) = (self.body.b, self.body.shape);
        let cols = b_int(b, shape.tile[1]);
        let place = b.add(b.mul(number, b_int(b, shape.threads())), self.body.thread);
        let [row, column] = [b.udiv(place, cols), b.urem(place, cols)];
        let at = b.add(b.mul(row, b_int(b, shape.pitch())), column);
        let at = self.body.at(b.scaled(at, shape.sum.into()));
        let row = b.add(row, b.mul(band, b_int(b, shape.band())));
        let ids =
            [(0, row), (1, column)].map(|(k, v)| b.add(self.body.first[k], b.zext(v, b.i64())));
        let is_there = [0, 1].map(|k| b.icmp(Pred::LLVMIntULT, ids[k], self.body.bounds[k]));
        let is_there = b.and(is_there[0], is_there[1]);
        Element { at, ids, is_there }
    }

    /// Puts `id` in place of what the kernel works out along a side's dimension.
    fn name(&self, side: &Side, id: Value) {
        for v in self.ids(side) {
            let own = self.body.b.trunc(id, v.ty());
            v.replace_uses(own);
        }
    }

    /// What the kernel works out along a side's dimension.
    fn ids(&self, side: &Side) -> Vec<Value> {
        let all = self.body.copy.blocks.iter().flat_map(|b| b.instructions());
        let is_id = |v: &Value| v.is(Op::LLVMAdd) && ids::is_widened_global_id(*v, side.dim);
        all.filter(is_id).collect()
    }

    /// The phis behind the loop that the sum joins.
    fn joins(&self) -> Option<Vec<Value>> {
        let (copy, mma) = (self.body.copy, self.body.mma);
        let header = copy.block(mma.header);
        joins(
            copy.value(mma.next),
            begin_of(copy.value(mma.sum), header),
            header,
        )
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
            for phi in self.joins().expect("the plan looked") {
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

/// An element of the block's.
struct Element {
    /// Where its sum lies in shared memory.
    at: Value,
    ids: [Value; 2],
    /// Whether there is one.
    is_there: Value,
}

fn b_int(b: &Builder, n: u32) -> Value {
    b.int(n.into())
}
