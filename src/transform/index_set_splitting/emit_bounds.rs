//! Bounds of the loop in the middle: extremes of all ids of a group of blocks, in 64 bits.

use super::plan::{Holds, Split, Start, sign, varies};
use crate::affine::{Affine, Atom, Poly};
use crate::kernel::{Dim, Kernel, ids, repeat};
use crate::llvm::ir::{Builder, Pred, Value};
use crate::machine::tuning::index_set_splitting::GROUP;

/// What bounds are made of, while they are worked out.
pub(super) struct Bounds<'a> {
    kernel: &'a Kernel,
    affine: &'a Affine,
    b: &'a Builder,
    /// What must hold for the middle to run.
    tests: Vec<Value>,
}

/// The loop in the middle.
pub(super) struct Middle {
    /// How often it runs, in 32 bits: 0 where what must hold does not.
    pub count: Value,
    /// Where all threads begin it, if they start the loop at different places.
    pub begin: Option<Value>,
}

impl<'a> Bounds<'a> {
    pub(super) fn new(kernel: &'a Kernel, affine: &'a Affine, b: &'a Builder) -> Bounds<'a> {
        Bounds {
            kernel,
            affine,
            b,
            tests: Vec::new(),
        }
    }

    /// Works out where the middle begins, and how often it runs.
    pub(super) fn middle(mut self, split: &Split) -> Middle {
        let b = self.b;
        let mut span = self.extreme(&split.span, false);
        let begin = split.start.as_ref().map(|start| {
            let from = self.extreme(&start.from, true);
            span = b.minus(span, from);
            self.begin(start, from)
        });
        let up = b.plus(span, b.long(split.step - 1));
        let count = match split.step {
            1 => span,
            step => b.sdiv(up, b.long(step)),
        };
        self.is_within(count, count, (1, i64::from(i32::MAX)));
        for fact in &split.facts {
            self.holds(fact, count);
        }
        let tests = std::mem::take(&mut self.tests);
        let all = tests.into_iter().reduce(|x, y| b.and(x, y));
        let count = b.trunc(count, b.i32());
        // A number of 32 bits by itself, not a sum that would have to be shown to be one.
        let count = all.map_or(count, |all| b.select(all, count, b.int(0)));
        Middle { count, begin }
    }

    /// Tests a fact in the first of `count` iterations and in the last.
    fn holds(&mut self, fact: &Holds, count: Value) {
        let b = self.b;
        let range = &fact.range;
        let ends = [false, true].map(|up| self.extreme(&range.poly, up));
        self.is_within(ends[0], ends[1], (range.lo, range.hi));
        if fact.each != 0 {
            let more = b.scaled(b.minus(count, b.long(1)), fact.each);
            let [least, greatest] = ends.map(|v| b.plus(v, more));
            self.is_within(least, greatest, (range.lo, range.hi));
        }
    }

    /// What the phi has where `from` is the greatest start.
    fn begin(&mut self, start: &Start, from: Value) -> Value {
        let b = self.b;
        let ty = self.kernel.value(start.phi).ty();
        let from = match start.up {
            true => from,
            false => b.minus(b.long(0), from),
        };
        let begin = b.plus(from, b.long(start.ahead));
        if ty.int_width() == Some(32) {
            let [lo, hi] = [i32::MIN, i32::MAX].map(i64::from);
            self.is_within(begin, begin, (lo, hi));
            return b.trunc(begin, ty);
        }
        begin
    }

    fn is_within(&mut self, least: Value, greatest: Value, (lo, hi): (i64, i64)) {
        let b = self.b;
        self.tests.push(b.icmp(Pred::LLVMIntSLE, b.long(lo), least));
        if hi < i64::MAX {
            self.tests
                .push(b.icmp(Pred::LLVMIntSLE, greatest, b.long(hi)));
        }
    }

    /// The greatest or the least of all threads of the group.
    fn extreme(&mut self, p: &Poly, greatest: bool) -> Value {
        let b = self.b;
        let (coefficients, rest) = p.split(varies).expect("it has extremes");
        let mut sum = self.exact(&rest);
        for (atom, c) in coefficients {
            let up = sign(&c) == Some(greatest);
            let v = self.end(atom, up);
            let c = self.exact(&c);
            sum = b.plus(sum, b.times(v, c));
        }
        sum
    }

    /// The greatest or the least of one variable.
    fn end(&mut self, atom: Atom, greatest: bool) -> Value {
        let b = self.b;
        let last = i64::from(GROUP) - 1;
        match (atom, greatest) {
            (Atom::Tid(_), false) => b.long(0),
            (Atom::Tid(d), true) => {
                let count = self.register("ntid", d);
                b.minus(b.zext(count, b.i64()), b.long(1))
            }
            (Atom::Ctaid(d), true) => {
                let block = self.register("ctaid", d);
                b.zext(b.or(block, b.int(last)), b.i64())
            }
            (Atom::Ctaid(d), false) => {
                let block = self.register("ctaid", d);
                b.zext(b.and(block, b.int(!last)), b.i64())
            }
            (Atom::Clamp(c), _) => {
                let c = &self.affine.clamps[c.index()];
                let x = self.extreme(&c.varying, greatest);
                let y = self.extreme(&c.limit, greatest);
                match c.is_min {
                    true => b.least(x, y),
                    false => b.greatest(x, y),
                }
            }
            _ => unreachable!("{atom} is the same for all threads of a group"),
        }
    }

    /// What is the same for all threads of the launch, in 64 bits.
    fn exact(&mut self, p: &Poly) -> Value {
        let b = self.b;
        let mut sum = b.long(0);
        for (m, c) in p.terms() {
            let mut product = b.long(c);
            for a in m {
                let v = self.atom(*a);
                product = b.times(product, v);
            }
            sum = b.plus(sum, product);
        }
        sum
    }

    fn atom(&mut self, a: Atom) -> Value {
        let b = self.b;
        let symbol = match a {
            Atom::Ntid(d) => return b.zext(self.register("ntid", d), b.i64()),
            Atom::Nctaid(d) => return b.zext(self.register("nctaid", d), b.i64()),
            Atom::Symbol(s) => &self.affine.symbols[s.index()],
            _ => unreachable!("{a} is not the same for all threads of the launch"),
        };
        let v = repeat(b, self.kernel.value(symbol.value));
        let wide = b.sext(v, b.i64());
        if symbol.bits > 32 {
            let [lo, hi] = [i32::MIN, i32::MAX].map(i64::from);
            self.is_within(wide, wide, (lo, hi));
        }
        wide
    }

    /// A register that is read for bounds alone.
    fn register(&self, name: &str, d: Dim) -> Value {
        let intrinsic = format!("{}{name}.{}", ids::SPECIAL, d.letter());
        let call = self.b.intrinsic(&intrinsic, &[], &[]);
        ids::mark_for_bounds(self.b.module(), call);
        call
    }
}
