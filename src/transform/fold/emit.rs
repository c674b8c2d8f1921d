//! A kernel's copy, written for threads that have the numbers of a launch in two or three dimensions.

use super::{Fold, Part};
use crate::affine::swapped;
use crate::kernel::{Dim, Kernel, ValueId, ids, repeat};
use crate::llvm::ir::{Builder, Op, Pred, Type, Value};
use crate::map::HashMap;
use crate::number::Number;

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
    b.cond_br(in_range, old_entry, ends);
    b.before(old_entry.instructions()[0]);
    copy.join();
    copy.divide_layers();
    copy.compare_outermost();
    copy.replace();
    copy.divide_by_positive();
    // What the parts were worked out from is of no use any more.
    function.run_passes("dce")
}

/// The copy while it is written.
struct Copy<'a> {
    kernel: &'a Kernel,
    fold: &'a Fold,
    b: &'a Builder,
    /// The width that numbers are worked out in: that of the widest length.
    wide: Type,
    lengths: Vec<Value>,
    outermost: Option<Value>,
    /// Each part, as wide as that.
    parts: HashMap<Part, Value>,
}

impl<'a> Copy<'a> {
    fn new(kernel: &'a Kernel, fold: &'a Fold, b: &'a Builder) -> Copy<'a> {
        let module = b.module();
        let outermost = fold.outermost();
        let numbers = fold.lengths.iter().chain(&outermost).chain(fold.divisors());
        let values = numbers.flat_map(|n| n.factors.iter().chain(&n.by));
        let bits = values.filter_map(|v| kernel.value(*v).ty().int_width());
        let mut copy = Copy {
            kernel,
            fold,
            b,
            wide: Type::int(module, bits.max().unwrap_or(32)),
            lengths: Vec::new(),
            outermost: None,
            parts: HashMap::default(),
        };
        copy.lengths = fold.lengths.iter().map(|n| copy.number(n)).collect();
        copy.outermost = outermost.map(|n| copy.number(&n));
        copy
    }

    /// A length at the kernel's entry. No factor is 0 or less, and no product goes beyond 31 bits: the host tests that.
    fn number(&self, n: &Number) -> Value {
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
        self.b.sext(again, self.wide)
    }

    /// Reads the thread's numbers; whether they are within the lengths.
    fn is_in_range(&mut self) -> Value {
        let count = self.lengths.len() + 1;
        let parts = Dim::ALL.into_iter().zip([Part::X, Part::Y, Part::Z]);
        for (d, part) in parts.take(count) {
            // Blocks have one layer.
            let id = match part {
                Part::Z => self.b.zext(self.register("ctaid", d), self.wide),
                _ => self.id(d),
            };
            self.parts.insert(part, id);
        }
        let tests = [Part::X, Part::Y].into_iter().zip(&self.lengths);
        let tests = tests.map(|(p, n)| self.b.icmp(Pred::LLVMIntSLT, self.parts[&p], *n));
        let all = tests.collect::<Vec<_>>().into_iter();
        all.reduce(|x, y| self.b.and(x, y))
            .expect("one length at least")
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
        self.b.call(self.b.module().intrinsic(&intrinsic, &[]), &[])
    }

    /// Works the other parts out, behind the tests of the lengths: there nothing wraps.
    fn join(&mut self) {
        let b = self.b;
        let (x, y, n) = (self.parts[&Part::X], self.parts[&Part::Y], self.lengths[0]);
        let join = |rows: Value| b.add_nsw(b.mul_nsw(rows, n), x);
        let rows = match (self.parts.get(&Part::Z), self.lengths.get(1)) {
            (Some(z), Some(m)) => {
                let rows = b.add_nsw(b.mul_nsw(*z, *m), y);
                self.parts.insert(Part::Rows, rows);
                self.parts.insert(Part::Plane, join(y));
                rows
            }
            _ => y,
        };
        let all = join(rows);
        self.parts.insert(Part::Id, all);
        self.parts.insert(Part::Begin, b.mul_nsw(rows, n));
    }

    /// Works out what the third dimension is taken apart into.
    fn divide_layers(&mut self) {
        let b = self.b;
        for (k, digit) in self.fold.digits.iter().enumerate() {
            let [over, length] = [Some(&digit.over), digit.length.as_ref()]
                .map(|n| n.map(|n| self.divisor(self.number(n))));
            let z = self.parts[&Part::Z];
            let quotient = over.map_or(z, |n| match n.const_int() {
                Some(1) => z,
                _ => b.udiv(z, n),
            });
            let rest = length.map_or(quotient, |n| b.urem(quotient, n));
            self.parts.insert(Part::Digit(k), rest);
        }
    }

    /// A positive number, so that it is seen to be no 0.
    fn divisor(&self, n: Value) -> Value {
        if n.const_int().is_some() {
            return n;
        }
        let larger = self.b.module().intrinsic("llvm.smax", &[n.ty()]);
        self.b.call(larger, &[n, n.ty().constant(1)])
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

    /// Has comparisons with the limit compare the outermost number.
    fn compare_outermost(&self) {
        let (Some(limit), Some(length)) = (&self.fold.limit, self.outermost) else {
            return;
        };
        let outermost = match self.lengths.len() {
            1 => Part::Y,
            _ => Part::Z,
        };
        let counts = [
            (Part::Id, Number::constant(1)),
            (Part::Rows, self.fold.lengths[0].clone()),
        ];
        for (v, part) in &self.fold.parts {
            let Some((_, over)) = counts.iter().find(|c| c.0 == *part) else {
                continue;
            };
            for c in ids::wide_users(self.kernel.value(*v)) {
                if let Some(condition) =
                    self.as_outermost(c, over, limit, self.parts[&outermost], length)
                {
                    c.replace_uses(condition);
                }
            }
        }
    }

    /// The comparison `c` of ids over `over` with the limit, as one of the outermost number.
    fn as_outermost(
        &self,
        c: Value,
        over: &Number,
        limit: &Number,
        of: Value,
        length: Value,
    ) -> Option<Value> {
        if !c.is(Op::LLVMICmp) {
            return None;
        }
        let is_part = |k: u32| {
            let v = ids::unextended(c.operand(k));
            let mut parts = self.fold.parts.iter();
            parts.any(|(p, part)| {
                self.kernel.value(*p) == v && matches!(part, Part::Id | Part::Rows)
            })
        };
        let is_limit =
            |k: u32| Number::of(self.kernel, c.operand(k)).is_some_and(|n| n.times(over) == *limit);
        let p = match (is_part(0) && is_limit(1), is_part(1) && is_limit(0)) {
            (true, _) => c.predicate(),
            (_, true) => swapped(c.predicate()),
            _ => return None,
        };
        // Whether the thread is of use where it holds: ids below the limit, not those up to it.
        let below = match p {
            Pred::LLVMIntSLT | Pred::LLVMIntULT => true,
            Pred::LLVMIntSGE | Pred::LLVMIntUGE => false,
            _ => return None,
        };
        let wanted = if below {
            Pred::LLVMIntSLT
        } else {
            Pred::LLVMIntSGE
        };
        Some(self.b.icmp(wanted, of, length))
    }

    /// Puts the parts in place of what the kernel worked out.
    fn replace(&self) {
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
