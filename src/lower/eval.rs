//! Values of polynomials: points where every variable is known, intervals where some vary.
//!
//! Everything is computed in 64 bits, exactly: the entry has tested that symbols fit. What holds
//! for the whole kernel is computed once, in `test` or `setup`; what depends on the iteration of
//! a loop around a region is computed where it is asked for.

use super::Lower;
use super::state::{Extent, Hoisted, Iteration, Ranges, View};
use crate::affine::{Atom, Poly, SymbolId, Trip};
use crate::kernel::ids::Register;
use crate::kernel::{Dim, ValueId, ids};
use crate::llvm::ir::{Builder, Op, Pred, Value};
use crate::plan::Along;
use crate::tree::LoopId;

impl Lower<'_> {
    /// The value of `p` here. No clamp and no unknown iteration number may occur in it.
    pub(crate) fn eval(&mut self, p: &Poly) -> Value {
        if self.is_fixed(p) {
            return self.eval_hoisted(p);
        }
        let Some((coefficients, rest)) = p.split(|a| !self.is_fixed_atom(a)) else {
            return self.eval_terms(p);
        };
        let mut sum = self.eval_hoisted(&rest);
        for (atom, c) in coefficients {
            let c = self.eval_hoisted(&c);
            let a = self.atom_here(atom);
            let t = self.b.times(a, c);
            sum = self.b.plus(sum, t);
        }
        sum
    }

    /// As `eval`, for products of several iteration numbers.
    fn eval_terms(&mut self, p: &Poly) -> Value {
        let mut sum = self.b.long(0);
        for (m, c) in p.terms() {
            let mut product = self.b.long(c);
            for a in m {
                let v = self.eval(&Poly::atom(*a));
                product = self.b.times(product, v);
            }
            sum = self.b.plus(sum, product);
        }
        sum
    }

    /// Whether the value holds for the whole kernel.
    pub(crate) fn is_fixed(&self, p: &Poly) -> bool {
        !p.any(|a| !self.is_fixed_atom(a))
    }

    fn is_fixed_atom(&self, a: Atom) -> bool {
        match a {
            Atom::Iter(_) | Atom::Clamp(_) => false,
            Atom::Trip(l) => {
                let t = self.trip(l);
                self.is_fixed(&t.span) && self.is_fixed(&t.step)
            }
            _ => true,
        }
    }

    /// The trip count of a loop that the plan relies on, this thread's own where threads differ.
    pub(crate) fn trip(&self, l: LoopId) -> &Trip {
        self.from
            .affine
            .any_trip(l)
            .expect("the plan uses known trip counts only")
    }

    fn eval_hoisted(&mut self, p: &Poly) -> Value {
        if let Some(c) = p.as_constant() {
            return self.hoist.long(c);
        }
        let key = Hoisted::Poly(p.clone());
        if let Some(v) = self.hoisted.get(&key) {
            return *v;
        }
        let mut sum = self.hoist.long(0);
        for (m, c) in p.terms() {
            let mut product = self.hoist.long(1);
            let mut prefix = Poly::constant(1);
            for (k, a) in m.iter().enumerate() {
                if k > 1 && self.is_int32(&prefix) {
                    let low = self.hoist.trunc(product, self.hoist.i32());
                    product = self.hoist.sext(low, self.hoist.i64());
                }
                let v = self.atom_hoisted(*a);
                product = self.hoist.times(product, v);
                prefix = prefix.times(&Poly::atom(*a));
            }
            product = self.hoist.scaled(product, c);
            sum = self.hoist.plus(sum, product);
        }
        self.hoisted.insert(key, sum);
        sum
    }

    /// Ids have other values from here on: sums are worked out anew.
    pub(crate) fn forget_sums(&mut self) {
        self.hoisted.retain(|k, _| !matches!(k, Hoisted::Poly(_)));
    }

    /// Whether a fact keeps the value within 32 bits. Where it does not hold, what is made of the value
    /// does not matter.
    pub(crate) fn is_int32(&self, p: &Poly) -> bool {
        self.from.plan.facts().any(|f| f.keeps_int32(p))
    }

    fn atom_hoisted(&mut self, a: Atom) -> Value {
        let key = Hoisted::Poly(Poly::atom(a));
        if let Some(v) = self.hoisted.get(&key) {
            return *v;
        }
        let v = match a {
            Atom::Tid(d) => self.register("tid", d),
            Atom::Ntid(d) => self.register("ntid", d),
            Atom::Ctaid(d) => {
                let leader = self.leader(d);
                self.hoist.zext(leader, self.hoist.i64())
            }
            Atom::Nctaid(d) => self.register("nctaid", d),
            Atom::Symbol(s) => self.symbol(s),
            Atom::Trip(l) => {
                let t = self.trip(l).clone();
                let (span, step) = (self.eval_hoisted(&t.span), self.eval_hoisted(&t.step));
                trip_count(&self.hoist, span, step, t.least)
            }
            Atom::Iter(_) | Atom::Clamp(_) => unreachable!("{a} does not hold for the kernel"),
        };
        self.hoisted.insert(key, v);
        v
    }

    fn atom_here(&mut self, a: Atom) -> Value {
        match a {
            Atom::Iter(l) => self.iteration(l),
            Atom::Trip(l) => {
                let t = self.trip(l).clone();
                let (span, step) = (self.eval(&t.span), self.eval(&t.step));
                trip_count(&self.b, span, step, t.least)
            }
            _ => unreachable!("{a} has no value here"),
        }
    }

    /// The number of the current iteration of a loop around, in 64 bits.
    pub(crate) fn iteration(&mut self, l: LoopId) -> Value {
        let wide = self.b.i64();
        match *self
            .iterations
            .get(&l)
            .expect("a loop around is being emitted")
        {
            Iteration::Counted { counter, ahead } => {
                let v = self.b.zext(self.get(counter), wide);
                ahead.map_or(v, |k| self.b.plus(v, self.b.long(k)))
            }
            Iteration::Jammed { first } => {
                let replica = self.b.long(self.replica as i64);
                self.b.plus(self.get(first), replica)
            }
            Iteration::Strip { base, within, .. } => {
                let (s, t) = (self.get(base), self.get(within));
                let t = self.b.zext(t, wide);
                self.b.plus(s, t)
            }
        }
    }

    /// A special register, in 32 bits.
    pub(crate) fn register32(&mut self, name: &str, d: Dim) -> Value {
        if let (Some(threads), "ntid") = (self.from.kernel.threads, name) {
            return self.b.int(threads[d.index()].into());
        }
        let name = format!("llvm.nvvm.read.ptx.sreg.{name}.{}", d.letter());
        let f = self.module().intrinsic(&name, &[]);
        let key = Hoisted::Value(f.value());
        if let Some(v) = self.hoisted.get(&key) {
            return *v;
        }
        let v = self.hoist.call(f, &[]);
        self.hoisted.insert(key, v);
        v
    }

    fn register(&mut self, name: &str, d: Dim) -> Value {
        let v = self.register32(name, d);
        self.hoist.zext(v, self.hoist.i64())
    }

    fn symbol(&mut self, s: SymbolId) -> Value {
        let v = self.at_entry(self.from.affine.symbols[s.index()].value);
        self.hoist.sext(v, self.hoist.i64())
    }

    /// A value of the original body, computed once for the whole kernel.
    pub(crate) fn at_entry(&mut self, id: ValueId) -> Value {
        let v = self.from.kernel.value(id);
        self.clone_at_entry(v)
    }

    /// Clones the expression behind `v`. It may run where the original was guarded: it makes no
    /// poison, and a division by zero is replaced by one by 1, whose result no fact that holds
    /// can depend on.
    fn clone_at_entry(&mut self, v: Value) -> Value {
        if !v.is_instruction() || self.is_frame(v) {
            return v;
        }
        if let Some(known) = self.hoisted.get(&Hoisted::Value(v)) {
            return *known;
        }
        let new = if v.is(Op::LLVMPHI) {
            let same = v.incoming().into_iter().map(|(i, _)| i).find(|i| *i != v);
            self.clone_at_entry(same.expect("a phi has an incoming value"))
        } else {
            let c = v.clone_instruction();
            for (k, o) in v.operands().into_iter().enumerate() {
                if o.is_instruction() {
                    let o = self.clone_at_entry(o);
                    c.set_operand(k as u32, o);
                }
            }
            c.drop_poison_flags();
            self.guard_division(c);
            self.hoist.insert(c);
            c
        };
        self.hoisted.insert(Hoisted::Value(v), new);
        new
    }

    fn guard_division(&mut self, c: Value) {
        use Op::{LLVMSDiv, LLVMSRem};
        if !ids::divides(c) {
            return;
        }
        let (n, d) = (c.operand(0), c.operand(1));
        if d.const_int().is_some_and(|k| k != 0 && k != -1) {
            return;
        }
        let h = &self.hoist;
        let mut bad = h.icmp(Pred::LLVMIntEQ, d, d.ty().constant(0));
        if matches!(c.opcode(), Some(LLVMSDiv | LLVMSRem)) {
            // The least value divided by -1 is undefined too.
            let width = n.ty().int_width().unwrap_or(64);
            let least = h.icmp(
                Pred::LLVMIntEQ,
                n,
                n.ty().constant(i64::MIN >> (64 - width)),
            );
            let minus = h.icmp(Pred::LLVMIntEQ, d, d.ty().constant(-1));
            bad = h.or(bad, h.and(least, minus));
        }
        c.set_operand(1, h.select(bad, d.ty().constant(1), d));
    }

    /// Least and greatest value of `p` over `r`: exact where it is affine in what varies with
    /// known signs, an enclosure otherwise.
    pub(crate) fn interval(&mut self, r: &Ranges, p: &Poly) -> (Value, Value) {
        let Some((coefficients, rest)) = p.split(|a| self.varies(r.view, a)) else {
            return self.interval_of_products(r, p);
        };
        let rest = self.eval(&rest);
        let (mut lo, mut hi) = (rest, rest);
        for (atom, c) in coefficients {
            let c = self.eval(&c);
            let e = self.range(r, atom);
            let (a, b) = self.product((c, c), (e.lo, e.hi));
            lo = self.b.plus(lo, a);
            hi = self.b.plus(hi, b);
        }
        (lo, hi)
    }

    fn interval_of_products(&mut self, r: &Ranges, p: &Poly) -> (Value, Value) {
        let (mut lo, mut hi) = (self.b.long(0), self.b.long(0));
        for (m, c) in p.terms() {
            let c = self.b.long(c);
            let mut t = (c, c);
            for atom in m {
                let e = if self.varies(r.view, *atom) {
                    let e = self.range(r, *atom);
                    (e.lo, e.hi)
                } else {
                    let v = self.eval(&Poly::atom(*atom));
                    (v, v)
                };
                t = self.product(t, e);
            }
            lo = self.b.plus(lo, t.0);
            hi = self.b.plus(hi, t.1);
        }
        (lo, hi)
    }

    /// The product of two intervals.
    pub(crate) fn product(&self, x: (Value, Value), y: (Value, Value)) -> (Value, Value) {
        let b = &self.b;
        let (x, y) = if y.0 == y.1 { (y, x) } else { (x, y) };
        if x.0 == x.1 {
            return match x.0.const_int() {
                Some(c) if c >= 0 => (b.times(x.0, y.0), b.times(x.0, y.1)),
                Some(_) => (b.times(x.0, y.1), b.times(x.0, y.0)),
                None => {
                    let (p, q) = (b.times(x.0, y.0), b.times(x.0, y.1));
                    (b.least(p, q), b.greatest(p, q))
                }
            };
        }
        let (p, q) = self.product((x.0, x.0), y);
        let (s, t) = self.product((x.1, x.1), y);
        (b.least(p, s), b.greatest(q, t))
    }

    /// Least and greatest trip count of a loop whose bounds may vary over `r`.
    pub(crate) fn trip_interval(&mut self, r: &Ranges, l: LoopId) -> (Value, Value) {
        let t = self.trip(l).clone();
        let span = self.interval(r, &t.span);
        let step = self.interval(r, &t.step);
        if step.0 != step.1 {
            // Steps are positive, so the shortest one bounds the count from above.
            let one = self.b.long(1);
            return (
                self.b.long(i64::from(t.least)),
                trip_count(&self.b, span.1, one, t.least),
            );
        }
        let hi = trip_count(&self.b, span.1, step.0, t.least);
        let lo = if span.0 == span.1 {
            hi
        } else {
            trip_count(&self.b, span.0, step.0, t.least)
        };
        (lo, hi)
    }

    /// Whether the atom has several values over a view.
    pub(crate) fn varies(&self, view: View, a: Atom) -> bool {
        match a {
            Atom::Tid(_) | Atom::Clamp(_) => true,
            Atom::Ctaid(d) => self.runs_over_grid(d, Along::Each),
            Atom::Symbol(s) => self.is_of_block(self.symbol_value(s)),
            Atom::Iter(l) => self.iterates(view, l),
            Atom::Trip(l) => {
                let t = self.trip(l);
                t.span.any(|a| self.varies(view, a)) || t.step.any(|a| self.varies(view, a))
            }
            _ => false,
        }
    }

    fn symbol_value(&self, s: SymbolId) -> Value {
        let value = self.from.affine.symbols[s.index()].value;
        self.from.kernel.value(value)
    }

    /// Whether `v` is a part of a block's number that runs over the grid: that, or a quotient or remainder of such a
    /// part by what all blocks know.
    fn is_of_block(&self, v: Value) -> bool {
        if let Some((Register::Ctaid, d)) = ids::register(v) {
            return self.runs_over_grid(d, Along::Each);
        }
        let is_part = || self.is_of_block(v.operand(0));
        match v.opcode() {
            Some(Op::LLVMZExt | Op::LLVMSExt) => is_part(),
            _ if ids::divides(v) => {
                let by = v.operand(1);
                let is_divisor = by.const_int().is_none_or(|c| c > 0);
                is_divisor && !ids::reads_block_id(by, [true; 3]) && is_part()
            }
            _ => false,
        }
    }

    /// All values of such a part `b`: at most those of the number of blocks, `b / n` at most the greatest `b` divided
    /// by `n`, `b % n` below `n`. Where `n` is none from 1 up to half of what its bits can be, nothing is said of it:
    /// then what `b` may be.
    pub(crate) fn part_of_block(&mut self, s: SymbolId) -> Extent {
        let greatest = self.greatest_part(self.symbol_value(s));
        let count = self.b.plus(greatest, self.b.long(1));
        self.up_to(count)
    }

    fn greatest_part(&mut self, v: Value) -> Value {
        if let Some((_, d)) = ids::register(v) {
            let blocks = self.eval(&Poly::atom(Atom::Nctaid(d)));
            return self.b.minus(blocks, self.b.long(1));
        }
        let greatest = self.greatest_part(v.operand(0));
        if !ids::divides(v) {
            return greatest;
        }
        let by = self.clone_at_entry(v.operand(1));
        let b = &self.b;
        let (by, one) = (b.sext(by, b.i64()), b.long(1));
        match v.opcode() {
            Some(Op::LLVMUDiv | Op::LLVMSDiv) => b.udiv(greatest, b.greatest(by, one)),
            _ => {
                let rest = b.least(greatest, b.minus(by, one));
                b.select(b.at_most(one, by), rest, greatest)
            }
        }
    }

    /// The extent of a variable that takes all values from 0 up to a count.
    pub(crate) fn up_to(&self, count: Value) -> Extent {
        let last = self.b.minus(count, self.b.long(1));
        Extent {
            lo: self.b.long(0),
            hi: last,
            span: last,
        }
    }
}

/// `max(least, ceil(span / step))`, 0 for a negative span.
fn trip_count(b: &Builder, span: Value, step: Value, least: u32) -> Value {
    if step.const_int() == Some(1) {
        return b.greatest(span, b.long(i64::from(least)));
    }
    let up = b.plus(span, b.minus(step, b.long(1)));
    // Steps are positive where the entry's facts hold; elsewhere any divisor but 0 will do.
    let divisor = b.greatest(step, b.long(1));
    let n = b.udiv(up, divisor);
    let empty = b.at_most(span, b.long(0));
    b.greatest(b.select(empty, b.long(0), n), b.long(i64::from(least)))
}
