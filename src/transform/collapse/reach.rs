//! Which threads and iterations come to an access, as limits on whole numbers.
//!
//! ```text
//! if (i < n / 2)  for (j = i; j < n - 1 - i; j++)  …      0 <= id,  id <= n/2 - 1,  0 <= iter <= n - 2 - 2 * id
//! ```
//! Along the way to an access each condition and each loop adds limits, where the facts that they rest on follow from
//! the limits before: what the machine adds up in 32 bits is then the exact number. What does not follow is left out,
//! so there may be more points than threads and iterations, and never less.

use crate::access::Access;
use crate::affine::{Atom, FactId, Guard, IntegerSet, Monomial, Poly, Range, Trip};
use crate::choice;
use crate::kernel::{Dim, ValueId, ids};
use crate::llvm::ir::Op;
use crate::plan::{self, Analyses};
use crate::tree::{LoopId, Node};

/// Threads that a launch may have.
const MOST_IDS: i64 = i32::MAX as i64;
/// The number of a thread: `ctaid * ntid + tid` along x. In this home `Tid` along x stands for that.
pub(super) const ID: Atom = Atom::Tid(Dim::X);

/// What is known where a thread comes to an access, each not negative.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    pub(super) limits: Vec<Poly>,
    /// What was taken for granted for that, and the host tests: sums of what it knows.
    pub(super) tested: Vec<Range>,
}

/// How often the loop runs that becomes a dimension.
#[derive(Clone, Debug)]
pub(super) struct Length {
    pub(super) step: i64,
    pub(super) span: Poly,
}

impl Reach {
    /// What is known at `access`, in the loop `l` that becomes a dimension, which the host has run once at least where
    /// threads all run it as often; `None`: how often it runs is not known.
    pub(super) fn of(f: &Analyses, access: &Access, l: LoopId) -> Option<(Reach, Length)> {
        let leaf = f.node_of(access.id)?;
        let mut way = f.tree.ancestors(leaf);
        way.reverse();
        let (mut reach, mut length) = (Reach::default(), None);
        for node in way {
            match f.tree.node(node) {
                Node::If { .. } => {
                    let all = f.affine.guards[access.id.index()].iter();
                    for (_, guard) in all.filter(|(n, _)| *n == node) {
                        reach.take(f, guard);
                    }
                }
                Node::Loop(x) => {
                    let ran = reach.run(f, *x, *x == l);
                    if *x == l {
                        length = Some(ran?);
                    }
                }
                _ => {}
            }
        }
        Some((reach, length?))
    }

    /// Adds what a condition says, if it is exact.
    fn take(&mut self, f: &Analyses, guard: &Guard) {
        let Some((poly, facts)) = guard.not_negative() else {
            return;
        };
        self.ask_halves(f, &poly);
        if self.hold(f, facts)
            && let Some(p) = in_ids(f, &poly)
        {
            self.limits.push(p);
        }
    }

    /// Adds what is known in an iteration of a loop; how long that is. `None`: it is not known.
    fn run(&mut self, f: &Analyses, l: LoopId, is_collapsed: bool) -> Option<Length> {
        let Trip {
            span,
            step,
            least,
            facts,
        } = f.affine.any_trip(l)?;
        let step = step.as_constant().filter(|c| (1..=MOST_IDS).contains(c))?;
        let span = in_ids(f, span)?;
        self.ask_halves(f, &span);
        let some = span.minus(&Poly::constant(1));
        let is_tested = is_collapsed && !some.any(Atom::varies);
        // A loop that is tested behind its body may run once in any case.
        if *least > 0 && !is_tested && !self.proves(f, &some) {
            return None;
        }
        let mut known = self.clone();
        known.limits.push(some.clone());
        let of_iterations = |x: &&FactId| f.affine.facts[x.index()].poly.mentions(Atom::Iter(l));
        let (each, once): (Vec<FactId>, Vec<FactId>) = facts.iter().partition(|x| of_iterations(x));
        // Where it is tested before its body, the facts must hold where it does not run at all, too.
        let before = if *least > 0 { &mut known } else { &mut *self };
        if !before.hold(f, &once) {
            return None;
        }
        known.tested = before.tested.clone();
        let times = Poly::atom(Atom::Iter(l)).times_constant(step);
        known.limits.push(some.minus(&times));
        if !known.hold(f, &each) {
            return None;
        }
        *self = known;
        Some(Length { step, span })
    }

    /// Whether facts about narrow arithmetic follow, or can be asked; those are known from now on.
    pub(super) fn hold(&mut self, f: &Analyses, facts: &[FactId]) -> bool {
        facts.iter().all(|x| self.follows(f, *x) || self.ask(f, *x))
    }

    /// Whether a fact follows.
    pub(super) fn follows(&self, f: &Analyses, fact: FactId) -> bool {
        let Range { poly, lo, hi } = &f.affine.facts[fact.index()];
        in_ids(f, poly).is_some_and(|p| {
            let both = [p.minus(&Poly::constant(*lo)), Poly::constant(*hi).minus(&p)];
            both.iter().all(|p| self.proves(f, p))
        })
    }

    /// Has the host test a fact, if that is about numbers that it may know.
    fn ask(&mut self, f: &Analyses, fact: FactId) -> bool {
        let range = f.affine.facts[fact.index()].clone();
        let Range { poly, lo, hi } = &range;
        let may_be_tested = |(m, c): (&Monomial, i64)| match m[..] {
            [] => true,
            // Sums of such keep to 64 bits.
            [Atom::Symbol(_)] => c.unsigned_abs() <= u64::from(u16::MAX),
            _ => false,
        };
        if in_ids(f, poly).is_none() || !poly.terms().all(may_be_tested) {
            return false;
        }
        let (lo, hi) = (Poly::constant(*lo), Poly::constant(*hi));
        self.limits.extend([poly.minus(&lo), hi.minus(poly)]);
        self.tested.push(range);
        true
    }

    /// Has the host test that numbers are not negative of which an unsigned part is named, as `n / 2`: how that lies to
    /// them is known then.
    fn ask_halves(&mut self, f: &Analyses, named: &Poly) {
        for a in named.atoms() {
            let Some(part) = as_quotient(f, a).filter(|q| q.is_unsigned) else {
                continue;
            };
            let range = Range {
                poly: part.of.clone(),
                lo: 0,
                hi: MOST_IDS,
            };
            let is_known = choice::host_knows(f.kernel.function, f.kernel.value(part.value));
            if is_known && !self.tested.contains(&range) {
                self.limits.push(part.of.clone());
                self.limits.push(Poly::atom(a));
                self.limits.extend(part.limits);
                self.tested.push(range);
            }
        }
    }

    /// Whether `p` surely is not negative.
    pub(super) fn proves(&self, f: &Analyses, p: &Poly) -> bool {
        let mut set = IntegerSet::default();
        self.add_to(f, &mut set, 0, &[p]);
        set.require_sum(&[(p, 0, -1)], -1) && set.is_empty()
    }

    /// Adds the limits to a set, for one thread and its iteration, and what is known of all that is named there and in
    /// `others`.
    pub(super) fn add_to(
        &self,
        f: &Analyses,
        set: &mut IntegerSet,
        instance: u32,
        others: &[&Poly],
    ) {
        let all = || self.limits.iter().chain(others.iter().copied());
        let mut atoms: Vec<Atom> = all().flat_map(Poly::atoms).collect();
        let mut next = 0;
        while next < atoms.len() {
            let a = atoms[next];
            next += 1;
            if atoms[..next - 1].contains(&a) {
                continue;
            }
            for p in range_of(f, a) {
                atoms.extend(p.atoms());
                set.require(&p, instance);
            }
        }
        for p in &self.limits {
            set.require(p, instance);
        }
    }
}

/// A polynomial in the numbers of threads, of which `tid` along x stands for all of one; `None`: it names blocks, or
/// what may differ between them.
pub(super) fn in_ids(f: &Analyses, p: &Poly) -> Option<Poly> {
    let block = Poly::atom(Atom::Ctaid(Dim::X)).times(&Poly::atom(Atom::Ntid(Dim::X)));
    let p = p.substitute(ID, &Poly::atom(ID).minus(&block));
    let differs = |a: Atom| match a {
        Atom::Tid(d) => d != Dim::X,
        Atom::Ctaid(_) | Atom::Nctaid(_) | Atom::Trip(_) => true,
        Atom::Symbol(s) => {
            let value = f.affine.symbols[s.index()].value;
            ids::reads_block_id(f.kernel.value(value), [true; 3])
        }
        Atom::Iter(_) | Atom::Clamp(_) | Atom::Ntid(_) => false,
    };
    (!p.any(differs)).then_some(p)
}

/// What is known of an atom wherever it stands, each not negative.
fn range_of(f: &Analyses, a: Atom) -> Vec<Poly> {
    let between = |lo: i64, hi: i64| {
        let x = Poly::atom(a);
        vec![x.minus(&Poly::constant(lo)), Poly::constant(hi).minus(&x)]
    };
    match a {
        Atom::Tid(_) => between(0, MOST_IDS - 1),
        Atom::Ntid(_) => between(1, 1024),
        Atom::Iter(_) => vec![Poly::atom(a)],
        Atom::Symbol(_) => {
            let mut all = between(i64::from(i32::MIN), i64::from(i32::MAX));
            let part = as_quotient(f, a).filter(|q| !q.is_unsigned);
            all.extend(part.into_iter().flat_map(|q| q.limits));
            all
        }
        Atom::Clamp(_) | Atom::Ctaid(_) | Atom::Nctaid(_) | Atom::Trip(_) => Vec::new(),
    }
}

/// A symbol that is another number divided by a constant.
struct Quotient {
    /// That number.
    of: Poly,
    /// Whether it is divided as one without a sign: what is said holds where it is not negative.
    is_unsigned: bool,
    /// Its value.
    value: ValueId,
    /// How they lie to each other, each not negative.
    limits: Vec<Poly>,
}

/// How an atom that is a symbol divided by a constant lies to that.
fn as_quotient(f: &Analyses, a: Atom) -> Option<Quotient> {
    let Atom::Symbol(s) = a else {
        return None;
    };
    let v = f.kernel.value(f.affine.symbols[s.index()].value);
    // Rounded down, or towards 0; by a power of two or the divisor.
    let (is_shift, is_down, is_unsigned) = match v.opcode()? {
        Op::LLVMSDiv => (false, false, false),
        Op::LLVMAShr => (true, true, false),
        Op::LLVMUDiv => (false, true, true),
        Op::LLVMLShr => (true, true, true),
        _ => return None,
    };
    let c = v.operand(1).const_int()?;
    let by = match is_shift {
        true => 1i64.checked_shl(u32::try_from(c).ok()?)?,
        false => c,
    };
    (2..=MOST_IDS).contains(&by).then_some(())?;
    // A number stands for what it is with its sign.
    let is_signed = !v.operand(0).is(Op::LLVMZExt) || v.operand(0).has_nneg();
    let value = f.kernel.known_id(v.operand(0));
    let value = value.filter(|_| is_signed || is_unsigned)?;
    let of = plan::number(f.kernel, f.affine, value)?;
    let rest = of.minus(&Poly::atom(a).times_constant(by));
    let most = Poly::constant(by - 1);
    let least = if is_down {
        Poly::default()
    } else {
        most.clone()
    };
    Some(Quotient {
        of,
        is_unsigned,
        value,
        limits: vec![rest.plus(&least), most.minus(&rest)],
    })
}
