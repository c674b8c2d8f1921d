//! A kernel's copy, written for threads that have the numbers of a launch in two or three dimensions.

use super::plan::{Fold, Part, product};
use crate::affine::swapped;
use crate::kernel::ids::Register;
use crate::kernel::{Dim, Kernel, ValueId, ids, repeat};
use crate::llvm::ir::{Builder, Op, Pred, Type, Value};
use crate::map::HashMap;
use crate::number::Number;
use std::ops::Range;

/// Folds `copy`, whose values have the numbers of the kernel that `fold` is about; those of the copy are others then.
pub fn emit(fold: &Fold, copy: &Kernel) -> Result<(), String> {
    let function = copy.function;
    let (old_entry, module) = (function.entry(), function.module());
    let entry = function.append_block("fold");
    entry.move_before(old_entry);
    let ends = function.append_block("fold.ends");
    let b = Builder::new(module);
    b.at_end(ends);
    b.ret_void();
    b.at_end(entry);
    let mut copy = Copy::new(copy, fold, &b);
    let in_range = copy.is_in_range();
    // Here once for a block, whoever works out what hangs on them.
    copy.split_layers();
    b.cond_br(in_range, old_entry, ends);
    b.before(old_entry.instructions()[0]);
    copy.work_out_parts();
    copy.compare_last();
    if fold.has_layers() {
        copy.replace_indices();
    }
    copy.replace();
    copy.divide_by_positive();
    // What the parts were worked out from is of no use any more.
    function.run_passes("dce")
}

/// The copy while it is written.
pub(super) struct Copy<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) fold: &'a Fold,
    pub(super) b: &'a Builder,
    /// The width that numbers are worked out in: that of the widest length. Of layers 32 bits: the divisions of wider
    /// numbers take several times as long, and no length has more than 31.
    wide: Type,
    lengths: Vec<Value>,
    /// How many there are along the axis of the outermost dimension.
    of_last: Option<Value>,
    /// The thread's numbers along the axes in use, as wide as that.
    along: Vec<Value>,
    /// The number of the layers outside of all dimensions.
    outer: Option<Value>,
    /// Each dimension's number, once it is asked for.
    digits: HashMap<usize, Value>,
    /// Each part.
    pub(super) parts: HashMap<Part, Value>,
}

impl<'a> Copy<'a> {
    fn new(kernel: &'a Kernel, fold: &'a Fold, b: &'a Builder) -> Copy<'a> {
        let module = b.module();
        let of_last = fold.threads_of_last();
        let numbers = fold.lengths.iter().chain(&of_last);
        let values = numbers.flat_map(|n| n.factors.iter().chain(&n.by));
        let bits = values.filter_map(|v| kernel.value(*v).ty().int_width());
        let bits = bits.max().filter(|_| !fold.has_layers());
        let mut copy = Copy {
            kernel,
            fold,
            b,
            wide: Type::int(module, bits.unwrap_or(32)),
            lengths: Vec::new(),
            of_last: None,
            along: Vec::new(),
            outer: None,
            digits: HashMap::default(),
            parts: HashMap::default(),
        };
        copy.lengths = fold.lengths.iter().map(|n| copy.number(n)).collect();
        copy.of_last = of_last.map(|n| copy.number(&n));
        copy
    }

    /// A length at the kernel's entry. No factor is 0 or less, and no product goes beyond 31 bits: the host tests that.
    pub(super) fn number(&self, n: &Number) -> Value {
        let b = self.b;
        let product = |factors: &[ValueId], constant: i64| {
            let constant = (constant != 1).then(|| self.wide.constant(constant));
            let all = factors.iter().map(|f| self.factor(self.kernel.value(*f)));
            let all: Vec<Value> = all.chain(constant).collect();
            all.into_iter().reduce(|x, y| b.mul_nsw(x, y))
        };
        let one = self.wide.constant(1);
        let above = product(&n.factors, n.constant).unwrap_or(one);
        match product(&n.by, n.by_constant) {
            None => above,
            Some(by) if by.const_int().is_some() => b.udiv(above, by),
            Some(by) => b.udiv(above, self.divisor(by)),
        }
    }

    /// A factor again, where the kernel's own may not stand yet.
    fn factor(&self, v: Value) -> Value {
        let again = repeat(self.b, v);
        match again.ty().int_width() > self.wide.int_width() {
            true => self.b.trunc(again, self.wide),
            false => self.b.sext(again, self.wide),
        }
    }

    /// Reads the thread's numbers; whether they are within the lengths.
    fn is_in_range(&mut self) -> Value {
        let count = (self.lengths.len() + 1).min(3);
        for d in Dim::ALL.into_iter().take(count) {
            // Blocks have one layer.
            let id = match d {
                Dim::Z => self.b.zext(self.register("ctaid", d), self.wide),
                _ => self.id(d),
            };
            self.along.push(id);
        }
        self.take_outer_layers();
        let tests = self.fold.axes.iter().zip(&self.along);
        let tests = tests.filter_map(|(d, id)| {
            let length = self.lengths.get(*d)?;
            Some(self.b.icmp(Pred::LLVMIntSLT, *id, *length))
        });
        let all = tests.collect::<Vec<_>>().into_iter();
        all.reduce(|x, y| self.b.and(x, y))
            .expect("one length at least")
    }

    /// Divides the block's number along z into that of the program's block and the id's layers.
    fn take_outer_layers(&mut self) {
        let b = self.b;
        if self.fold.outer.is_none() {
            return;
        }
        let z = b.zext(self.register("ctaid", Dim::Z), self.wide);
        let Some(count) = self.fold.count_of_layers() else {
            self.outer = Some(z);
            return;
        };
        let count = self.divisor(self.number(&count));
        self.outer = Some(b.udiv(z, count));
        self.along[2] = b.urem(z, count);
    }

    /// `ctaid * ntid + tid` along one dimension, as clang writes it.
    fn id(&self, along: Dim) -> Value {
        let [block, threads, thread] =
            ["ctaid", "ntid", "tid"].map(|r| self.b.zext(self.register(r, along), self.wide));
        let first = self.b.mul_nsw(block, threads);
        self.b.add_nsw(first, thread)
    }

    fn register(&self, name: &str, along: Dim) -> Value {
        let intrinsic = format!("llvm.nvvm.read.ptx.sreg.{name}.{}", along.letter());
        self.b.intrinsic(&intrinsic, &[], &[])
    }

    /// Works out the dimensions of layers, which are the same for a block: what divides is positive, so that may stand
    /// before all tests.
    fn split_layers(&mut self) {
        let layers = self.fold.layers();
        let several = layers.iter().filter(|_| layers.len() > 1);
        several.for_each(|d| _ = self.digit(*d));
    }

    /// Works the parts out, behind the tests of the lengths: there nothing wraps.
    fn work_out_parts(&mut self) {
        for (_, part) in &self.fold.parts {
            if self.parts.contains_key(part) {
                continue;
            }
            let v = match *part {
                Part::Dimensions { from, to } => self.joined(from, to),
                Part::Begin => {
                    let rows = self.joined(1, self.fold.last() + 1);
                    self.b.mul_nsw(rows, self.lengths[0])
                }
            };
            self.parts.insert(*part, v);
        }
    }

    /// The number that dimensions have together, from the outermost inwards.
    fn joined(&mut self, from: usize, to: usize) -> Value {
        // Each with its dimensions; all layers together as the block's number.
        let mut terms: Vec<(Value, Range<usize>)> = Vec::new();
        let layers = self.fold.layers();
        let are_in_a_row = |l: &[usize]| l.windows(2).all(|w| w[0] + 1 == w[1]);
        let mut d = from;
        while d < to {
            let is_all =
                layers.first() == Some(&d) && are_in_a_row(&layers) && d + layers.len() <= to;
            let (v, next) = match is_all {
                true => (self.along[2], d + layers.len()),
                false => (self.digit(d), d + 1),
            };
            terms.push((v, d..next));
            d = next;
        }
        if self.fold.has_layers() {
            return self.as_sum(&terms);
        }
        let outermost = terms.pop().expect("one dimension at least").0;
        let inwards = terms.into_iter().rev();
        inwards.fold(outermost, |above, (v, of)| {
            let n = match of.len() {
                1 => self.lengths[of.start],
                _ => self.number(&product(&self.fold.lengths[of])),
            };
            self.b.add_nsw(self.b.mul_nsw(above, n), v)
        })
    }

    /// What numbers of dimensions that follow one another make together.
    fn as_sum(&self, numbers: &[(Value, Range<usize>)]) -> Value {
        let layers = self.fold.layers();
        let mut below = Number::constant(1);
        let mut terms = Vec::new();
        for (v, of) in numbers {
            terms.push((*v, below.clone(), of.clone().all(|d| layers.contains(&d))));
            let known = of.start..of.end.min(self.fold.last());
            below = below.times(&product(&self.fold.lengths[known]));
        }
        self.sum(&terms)
    }

    /// A dimension's number.
    fn digit(&mut self, d: usize) -> Value {
        let (b, layers) = (self.b, self.fold.layers());
        if let Some(axis) = self.fold.axes.iter().position(|a| *a == d) {
            return self.along[axis];
        }
        let z = self.along[2];
        let place = layers.iter().position(|l| *l == d).expect("a layer's");
        if let Some(known) = self.digits.get(&d) {
            return *known;
        }
        let length = |l: &usize| self.fold.lengths[*l].clone();
        let below: Vec<Number> = layers[..place].iter().map(length).collect();
        let quotient = match place {
            0 => z,
            _ => b.udiv(z, self.divisor(self.number(&product(&below)))),
        };
        let v = match place + 1 == layers.len() {
            true => quotient,
            false => b.urem(quotient, self.divisor(self.lengths[d])),
        };
        self.digits.insert(d, v);
        v
    }

    /// A positive number, so that it is seen to be no 0.
    fn divisor(&self, n: Value) -> Value {
        if n.const_int().is_some() {
            return n;
        }
        self.b
            .intrinsic("llvm.smax", &[n.ty()], &[n, n.ty().constant(1)])
    }

    /// Has whatever else the kernel divides by a factor of the lengths be seen to divide by no 0: the host tests that
    /// each is positive. So the entry may work it out, as the size of a head.
    fn divide_by_positive(&self) {
        let numbers = self.fold.numbers();
        let factors = numbers.flat_map(|n| n.factors.iter().chain(&n.by));
        let factors: Vec<Value> = factors.map(|f| self.kernel.value(*f)).collect();
        let all = self.kernel.blocks.iter().flat_map(|b| b.instructions());
        for division in all.filter(|i| ids::divides(*i)) {
            let by = division.operand(1);
            if factors.contains(&ids::unextended(by)) {
                self.b.before(division);
                division.set_operand(1, self.divisor(by));
            }
        }
    }

    /// Has comparisons with the limit compare the number along the axis of the outermost dimension.
    fn compare_last(&self) {
        let (Some(limit), Some(length)) = (&self.fold.limit, self.of_last) else {
            return;
        };
        let last = self.fold.last();
        let axis = self.fold.axes.iter().position(|d| *d == last);
        let number = self.along[axis.unwrap_or(2)];
        for (v, part) in &self.fold.parts {
            let Part::Dimensions { from, to } = *part else {
                continue;
            };
            if from == last || to <= last {
                continue;
            }
            for c in ids::wide_users(self.kernel.value(*v)) {
                if let Some(below) = self.is_below_limit(c, from, limit) {
                    let wanted = match below {
                        true => Pred::LLVMIntSLT,
                        false => Pred::LLVMIntSGE,
                    };
                    c.replace_uses(self.b.icmp(wanted, number, length));
                }
            }
        }
    }

    /// Whether `c` compares what the dimensions from `from` on have together with the limit, and holds below it: true,
    /// or from there on: false.
    fn is_below_limit(&self, c: Value, from: usize, limit: &Number) -> Option<bool> {
        if !c.is(Op::LLVMICmp) {
            return None;
        }
        let to = self.fold.last() + 1;
        let is_part = |k: u32| {
            let v = ids::unextended(c.operand(k));
            let mut parts = self.fold.parts.iter();
            parts.any(|(p, part)| {
                self.kernel.value(*p) == v && *part == Part::Dimensions { from, to }
            })
        };
        let over = self.fold.below(from);
        let is_limit = |k: u32| {
            Number::of(self.kernel, c.operand(k)).is_some_and(|n| n.times(&over) == *limit)
        };
        let p = match (is_part(0) && is_limit(1), is_part(1) && is_limit(0)) {
            (true, _) => c.predicate(),
            (_, true) => swapped(c.predicate()),
            _ => return None,
        };
        // Whether the thread is of use where it holds: ids below the limit, not those up to it.
        match p {
            Pred::LLVMIntSLT | Pred::LLVMIntULT => Some(true),
            Pred::LLVMIntSGE | Pred::LLVMIntUGE => Some(false),
            _ => None,
        }
    }

    /// Puts the parts in place of what the kernel worked out, and of what it asks along other axes than x.
    fn replace(&self) {
        if let (Some(d), Some(outer)) = (self.fold.outer, self.outer) {
            let all = self.kernel.blocks.iter().flat_map(|b| b.instructions());
            for i in all.filter(|i| ids::register(*i) == Some((Register::Ctaid, d))) {
                i.replace_uses(self.sized(outer, i.ty()));
            }
        }
        for (v, part) in &self.fold.parts {
            let old = self.kernel.value(*v);
            for wider in self.widened(old) {
                wider.replace_uses(self.sized(self.parts[part], wider.ty()));
            }
            old.replace_uses(self.sized(self.parts[part], old.ty()));
        }
    }

    /// What a value is widened to.
    fn widened(&self, v: Value) -> Vec<Value> {
        let users = v.users().into_iter();
        let wider = users.filter(|u| u.is(Op::LLVMZExt) || u.is(Op::LLVMSExt));
        wider
            .flat_map(|u| [vec![u], self.widened(u)].concat())
            .collect()
    }

    /// A number that is not negative, in another width.
    fn sized(&self, v: Value, ty: Type) -> Value {
        match ty.int_width() < v.ty().int_width() {
            true => self.b.trunc(v, ty),
            false => self.b.zext(v, ty),
        }
    }
}
