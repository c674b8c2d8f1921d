//! The kernel's new entry: tests the plan's facts, once, the same way for every thread.
//!
//! ```text
//! test:  %f0 = …; %f1 = …; %ok = and %f0, %f1
//!        br %ok, setup, original_entry          !mesi.dispatch
//! ```
//! Straight-line code: facts are few and cheap beside a kernel's work, and a single branch keeps the dispatch
//! recognizable at the end of LLVM's pipeline. A branch before all that turns away launches of which the model is not
//! sure that they gain. Each pair of arrays but the first that must be apart is looked at behind a branch of its own:
//! all at once they need more than the 63 registers there are for what is the same in a warp, and ptxas then does
//! without them in the whole kernel (`mm_alpha_beta` with line tables: 112 bytes spilled).
//!
//! A light kernel that stages nothing reads its block's numbers before the test, as the original would:
//! then nobody waits for them behind it.

use super::ranges::single;
use super::state::{Led, Ranges, Terms, View};
use super::{DISPATCH, Lower};
use crate::affine::{Atom, Poly, Sense};
use crate::kernel::Dim;
use crate::kernel::ids::{Register, register};
use crate::llvm::ir::{Block, Pred, Value};
use crate::plan::{ActiveSet, Dimension, Fact, Footprint, Plan};

/// An address range in 64-bit integers: `lo` included, `hi` not.
struct Bytes {
    nonempty: Option<Value>,
    lo: Value,
    hi: Value,
}

impl Lower<'_> {
    /// Emits the entry; returns the branch that picks the body, which goes to `original` where a fact does not hold.
    /// `decided`: what the host tests before the launch of a version in a kernel of its own; `None`: the kernel holds
    /// its version itself. Code that holds for the whole kernel goes to the staged side from here on.
    pub(crate) fn emit_entry(&mut self, original: Block, decided: Option<&[Fact]>) -> Value {
        self.move_frames(original);
        let test = self.new_block("mesi.test");
        self.b.at_end(test);
        self.hoist.at_end(test);
        let plan = self.from.plan;
        let gains = plan.pays().map(|f| self.fact(f)).collect();
        self.emit_way_out("mesi.facts", gains, original);
        let tests = self.emit_tests(decided.unwrap_or_default(), original);
        // Where there is no test there is nothing to fold, and the original may go: of rounds, and of versions that the
        // host launches where all holds.
        let untested = tests.is_empty() && decided.is_some();
        let mut ok = self.b.all(tests).unwrap_or(self.b.i1().constant(1));
        if (!plan.unrolls() || plan.facts().next().is_some()) && !untested {
            let ids = self.blocks_of_original(original);
            ok = self.b.opaque_condition(ok, &ids);
        }
        let setup = self.new_block("mesi.setup");
        let dispatch = self.b.cond_br(ok, setup, original);
        dispatch.set_mark(self.module(), DISPATCH);
        self.hoist.at_end(setup);
        self.dismiss_followers();
        dispatch
    }

    /// Emits the tests of those facts that are not decided; returns those that no branch was made of.
    fn emit_tests(&mut self, decided: &[Fact], original: Block) -> Vec<Value> {
        let facts = self.from.plan.facts();
        let facts: Vec<&Fact> = facts.filter(|f| !decided.contains(f)).collect();
        let in_range = |f: &&Fact| matches!(f, Fact::InRange { .. });
        let (ranges, pairs): (Vec<_>, Vec<_>) = facts.into_iter().partition(in_range);
        let mut tests: Vec<Value> = ranges.into_iter().map(|f| self.fact(f)).collect();
        for (k, f) in pairs.into_iter().enumerate() {
            if k > 0 {
                self.emit_way_out("mesi.facts", std::mem::take(&mut tests), original);
            }
            tests.push(self.fact(f));
        }
        tests
    }

    /// Goes on in a block of that `name` if `tests` hold, and with the original if not.
    fn emit_way_out(&mut self, name: &str, tests: Vec<Value>, original: Block) {
        // Nothing to test, or what holds in any case.
        let Some(all) = self.b.all(tests) else {
            return;
        };
        let all = self.b.opaque_condition(all, &[]);
        let facts = self.new_block(name);
        self.b.cond_br(all, facts, original);
        self.b.at_end(facts);
        self.hoist.at_end(facts);
    }

    /// The block's numbers that the original reads first, where its threads are too light to wait for them
    /// behind the test. LLVM then takes them from here. On an H200 that brings 5 us kernels from x0.94 to
    /// x0.98; thread numbers as well, and blocks that end at once cost more than it saves (x1.42 to x1.32).
    fn blocks_of_original(&mut self, original: Block) -> Vec<Value> {
        if self.from.plan.lockstep().is_none() {
            return Vec::new();
        }
        let first = original.instructions();
        let ids = first.into_iter().filter_map(register);
        let read = ids.filter_map(|(r, d)| {
            let is_block = matches!(r, Register::Ctaid);
            is_block.then(|| self.register32("ctaid", d))
        });
        read.collect()
    }

    /// Blocks whose work a leader does end at once.
    fn dismiss_followers(&mut self) {
        if let Some(steps) = self.grid_steps() {
            return steps.dismiss(self);
        }
        if self.from.plan.merge.led {
            return;
        }
        if self.from.plan.merge.compacted {
            return self.exit_all_but_leaders();
        }
        let merged: Vec<Dim> = Dim::ALL
            .into_iter()
            .filter(|d| self.replicas.merge.along(*d) > 1)
            .collect();
        let rotated = rotates_leaders(self.from.plan);
        let mut tests = Vec::new();
        for d in merged {
            let (mut leader, own) = (self.leader(d), self.register32("ctaid", d));
            if rotated {
                leader = self.rotated_leader(d);
            }
            tests.push(self.hoist.icmp(Pred::LLVMIntEQ, own, leader));
        }
        if let Some(leads) = self.hoist.all(tests) {
            self.dismiss_unless(leads);
        }
    }

    /// Goes on with the blocks for which `leads` holds; the others end.
    pub(crate) fn dismiss_unless(&mut self, leads: Value) {
        let (lead, follow) = (self.new_block("mesi.lead"), self.new_block("mesi.follow"));
        self.hoist.cond_br(leads, lead, follow);
        self.b.at_end(follow);
        self.b.ret_void();
        self.hoist.at_end(lead);
    }

    /// The block of a group that does its work: another one from group to group. Blocks go to the
    /// multiprocessors in turn, and if each fourth block worked, a small grid would fill a fourth of
    /// them (mavg, 262,144 elements: x0.77, rotated x0.97).
    fn rotated_leader(&mut self, d: Dim) -> Value {
        let mut group = self.hoist.int(0);
        for x in Dim::ALL {
            let r = self.replicas.merge.along(x);
            let tiles = self.from.plan.tiles();
            let mut terms = tiles.flat_map(|t| &t.footprint.dims).flat_map(|d| &d.terms);
            if r > 1 || terms.any(|(a, _)| *a == Atom::Tid(x)) {
                let leader = self.leader(x);
                let log = self.hoist.int(i64::from(r.trailing_zeros()));
                group = self.hoist.plus(group, self.hoist.lshr(leader, log));
            }
        }
        let (leader, there) = (self.leader(d), self.replicas_there(d));
        let r = i64::from(self.replicas.merge.along(d));
        let h = &self.hoist;
        let place = h.and(group, h.int(r - 1));
        let last = h.minus(there, h.int(1));
        h.plus(leader, h.least(place, last))
    }

    pub(crate) fn fact(&mut self, f: &Fact) -> Value {
        match f {
            Fact::InRange { poly, lo, hi } => {
                // The short form is of one block's numbers.
                let short = match self.led {
                    Led::Over(_) => None,
                    _ => self.range_test(poly, *lo, *hi),
                };
                if let Some(test) = short {
                    return test;
                }
                // A common factor says nothing, and without it the numbers fit registers.
                let c = poly.content().max(1);
                let poly = poly.divided_exactly(c).expect("its content divides it");
                let (least, most) = self.interval(&Ranges::of(View::Entry), &poly);
                let b = &self.b;
                let not_below = b.at_most(b.long(-lo.saturating_neg().div_euclid(c)), least);
                let not_above = b.at_most(most, b.long(hi.div_euclid(c)));
                b.all(vec![not_below, not_above])
                    .unwrap_or(b.i1().constant(1))
            }
            Fact::Disjoint { a, b } => {
                let (x, y) = (self.bytes_of(a), self.bytes_of(b));
                self.are_disjoint(x, y)
            }
            Fact::DisjointHulls { a, b } => {
                let (x, y) = (self.bytes_of_all(a), self.bytes_of_all(b));
                self.are_disjoint(x, y)
            }
            Fact::Multiple { poly, of } => self.is_multiple(poly, *of),
            // No block can tell.
            Fact::Mapped { .. } => self.b.i1().constant(0),
        }
    }

    /// The lowest byte of a footprint and the end of its highest, as numbers, and whether there are any; `None`: there
    /// are in any case.
    pub(crate) fn range_of(&mut self, all: &Footprint) -> ([Value; 2], Option<Value>) {
        let Bytes { nonempty, lo, hi } = self.bytes_of(all);
        ([lo, hi], nonempty)
    }

    /// The test of a multiple of a power of two, which the lowest bits tell.
    fn is_multiple(&mut self, poly: &Poly, of: i64) -> Value {
        let value = self.eval(poly);
        let value = self.b.trunc(value, self.b.i32());
        let rest = self.b.and(value, self.b.int(of - 1));
        self.b.icmp(Pred::LLVMIntEQ, rest, self.b.int(0))
    }

    fn are_disjoint(&self, x: Bytes, y: Bytes) -> Value {
        let b = &self.b;
        let mut disjoint = b.or(b.at_most(x.hi, y.lo), b.at_most(y.hi, x.lo));
        for n in [x.nonempty, y.nonempty].into_iter().flatten() {
            disjoint = b.or(disjoint, b.xor(n, b.i1().constant(1)));
        }
        disjoint
    }

    /// Every byte from the lowest to the highest of several footprints.
    fn bytes_of_all(&mut self, list: &[Footprint]) -> Bytes {
        let mut hull = None;
        for r in list {
            let mine = self.bytes_of(r);
            hull = Some(self.joined(hull, mine));
        }
        hull.unwrap_or_else(|| self.nothing())
    }

    /// Every byte that `all` has in this block.
    fn bytes_of(&mut self, all: &Footprint) -> Bytes {
        let dims: Vec<&Terms> = all.dims.iter().map(|d| &d.terms[..]).collect();
        let mut hull: Option<Bytes> = None;
        for set in &all.active {
            let s = self.set_box(View::Entry, &dims, set);
            let (mut lo, mut hi) = self.offsets(all, &set.offsets);
            let there = limits_of_counts(set);
            for (g, Dimension { stride, terms }) in all.dims.iter().enumerate() {
                let first = self.first_coordinate(View::Entry, terms);
                let at = (self.b.plus(first, s.lo[g]), self.b.plus(first, s.hi[g]));
                let (from, to) = self.interval(&Ranges::of(View::Entry), stride);
                let (l, h) = match self.keeps_positive(stride, &there) {
                    true => (self.b.times(from, at.0), self.b.times(to, at.1)),
                    false => self.product((from, to), at),
                };
                lo = self.b.plus(lo, l);
                hi = self.b.plus(hi, h);
            }
            hull = Some(self.joined(
                hull,
                Bytes {
                    nonempty: s.nonempty,
                    lo,
                    hi,
                },
            ));
        }
        let hull = hull.unwrap_or_else(|| self.nothing());
        let base = self.at_entry(all.base);
        let base = self.b.ptrtoint(base, self.b.i64());
        let rest = self.interval(&Ranges::of(View::Entry), &all.rest);
        let b = &self.b;
        let end = b.plus(hull.hi, b.long(i64::from(all.size)));
        Bytes {
            nonempty: hull.nonempty,
            lo: b.plus(b.plus(base, rest.0), hull.lo),
            hi: b.plus(b.plus(base, rest.1), end),
        }
    }

    fn nothing(&self) -> Bytes {
        let no = self.b.i1().constant(0);
        Bytes {
            nonempty: Some(no),
            lo: self.b.long(0),
            hi: self.b.long(0),
        }
    }

    /// The union's hull.
    fn joined(&self, a: Option<Bytes>, x: Bytes) -> Bytes {
        let Some(a) = a else { return x };
        let b = &self.b;
        let lo = b.least(
            b.choose(a.nonempty, a.lo, b.long(i64::MAX)),
            b.choose(x.nonempty, x.lo, b.long(i64::MAX)),
        );
        let hi = b.greatest(
            b.choose(a.nonempty, a.hi, b.long(i64::MIN)),
            b.choose(x.nonempty, x.hi, b.long(i64::MIN)),
        );
        let nonempty = match (a.nonempty, x.nonempty) {
            (Some(p), Some(q)) => Some(b.or(p, q)),
            _ => None,
        };
        Bytes { nonempty, lo, hi }
    }

    /// Least and greatest byte offset that constant offsets add.
    fn offsets(&mut self, all: &Footprint, offsets: &[Vec<i64>]) -> (Value, Value) {
        let mut hull: Option<(Value, Value)> = None;
        for vector in offsets {
            let mut sum = (self.b.long(0), self.b.long(0));
            for (d, k) in all.dims.iter().zip(vector) {
                let s = self.interval(&Ranges::of(View::Entry), &d.stride);
                let k = self.b.long(*k);
                let (l, h) = self.product((k, k), s);
                sum = (self.b.plus(sum.0, l), self.b.plus(sum.1, h));
            }
            hull = Some(match hull {
                None => sum,
                Some(h) => (self.b.least(h.0, sum.0), self.b.greatest(h.1, sum.1)),
            });
        }
        hull.unwrap_or((self.b.long(0), self.b.long(0)))
    }
}

/// What is not negative where the set is not empty: upper limits of threads' and iterations' numbers.
fn limits_of_counts(set: &ActiveSet) -> Vec<Poly> {
    let mut limits = Vec::new();
    for (atom, bound) in set.bounds.iter().filter_map(single) {
        if atom.is_nonnegative() && bound.sense == Sense::AtMost {
            limits.push(bound.limit);
        }
    }
    limits
}

/// Whether leaders are rotated: where tiles of two dimensions are copied whole by transactions, in versions that serve
/// grids of all sizes. In rows every instruction of the entry counts (mavg, radius 16: x1.41 with it, x1.50 without),
/// and small grids keep the original.
fn rotates_leaders(plan: &Plan) -> bool {
    let tiles = plan.regions.iter().flat_map(|r| &r.tiles);
    let mut terms = tiles.flat_map(|t| &t.footprint.dims).flat_map(|d| &d.terms);
    plan.merge.replicas() > 1
        && plan.regions.iter().any(|r| r.whole_async)
        && terms.any(|(a, _)| matches!(a, Atom::Tid(Dim::Y | Dim::Z)))
}
