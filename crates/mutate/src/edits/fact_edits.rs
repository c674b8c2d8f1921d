//! Ways to break a plan's facts: what the entry tests before the staged body runs.

use mesi::affine::Atom;
use mesi::llvm::ir::{Block, Op, Value};
use mesi::plan::Fact;

use crate::edits::plan_edits::at;
use crate::mutation::Mutation;
use crate::stage::{Emitted, Planned};

/// What a range fact is there for. Known by its limits, which `plan` chooses by purpose.
#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    /// Narrow arithmetic does not wrap, and trip counts fit.
    Overflow,
    /// A written tile holds each element once.
    Unique,
    /// The block fits the shape that constant pitches serve.
    Cap,
    /// Tiles of run-time size fit.
    Size,
}

fn purpose(f: &Fact) -> Option<Purpose> {
    let Fact::InRange { poly, lo, hi } = f else {
        return None;
    };
    let launch_only = !poly.any(|a| !matches!(a, Atom::Ntid(_)));
    Some(match (*lo, *hi) {
        (0, hi) if hi == 1 << 40 => Purpose::Unique,
        (lo, hi) if lo == i64::from(i32::MIN) && hi < 1 << 24 => {
            if launch_only {
                Purpose::Cap
            } else {
                Purpose::Size
            }
        }
        _ => Purpose::Overflow,
    })
}

/// Place 0: all facts for which `which` holds; then one after the other.
pub fn drop_facts(p: &mut Planned, place: usize, which: impl Fn(&Fact) -> bool) -> bool {
    let all = p.plan.tests.iter().enumerate();
    let found = all.filter(|(_, t)| t.if_sound().is_some_and(&which));
    let found: Vec<usize> = found.map(|(i, _)| i).collect();
    let gone: Vec<usize> = match place {
        0 => found,
        n if found.len() > 1 => found.get(n - 1).copied().into_iter().collect(),
        _ => Vec::new(),
    };
    let mut i = 0;
    p.plan.tests.retain(|_| {
        i += 1;
        !gone.contains(&(i - 1))
    });
    !gone.is_empty()
}

/// The lesser and the greater of 0 and another value, in tests of facts.
fn signs(e: &Emitted) -> Vec<Value> {
    let tests = |b: &&Block| {
        ["mesi.test", "mesi.facts"]
            .iter()
            .any(|n| b.name().starts_with(n))
    };
    let of_zero = |i: &Value| {
        let either = ["llvm.smin.i64", "llvm.smax.i64"];
        i.is(Op::LLVMCall)
            && either.contains(&&i.callee_name()[..])
            && i.operand(0).const_int() == Some(0)
    };
    let blocks = e.lowered.blocks.iter().filter(tests);
    blocks
        .flat_map(|b| b.instructions())
        .filter(of_zero)
        .collect()
}

fn take_for_positive(i: Value) -> bool {
    let least = i.callee_name() == "llvm.smin.i64";
    i.replace_uses(i.operand(u32::from(!least)));
    true
}

/// The list.
pub fn all() -> Vec<Mutation> {
    vec![
        Mutation::plan(
            "alias-fact-dropped",
            "arrays are taken to be distinct",
            |p, n| {
                drop_facts(p, n, |f| {
                    matches!(f, Fact::Disjoint { .. } | Fact::DisjointHulls { .. })
                })
            },
        ),
        Mutation::plan(
            "alias-reach-short",
            "the alias test looks at one offset only",
            |p, n| {
                let footprints = p.plan.facts_mut().filter_map(|f| match f {
                    Fact::Disjoint { a, b } => Some([a, b]),
                    _ => None,
                });
                let sets = footprints.flatten().flat_map(|r| &mut r.active);
                at(sets.filter(|s| s.offsets.len() > 1), n, |s| {
                    s.offsets.truncate(1)
                })
            },
        ),
        Mutation::plan(
            "alias-reach-fixed",
            "the alias test forgets what varies",
            |p, n| {
                let footprints = p.plan.facts_mut().filter_map(|f| match f {
                    Fact::Disjoint { a, b } => Some([a, b]),
                    _ => None,
                });
                let varying = footprints
                    .flatten()
                    .filter(|r| r.dims.iter().any(|d| !d.terms.is_empty()));
                at(varying, n, |r| {
                    r.dims.iter_mut().for_each(|d| d.terms.clear())
                })
            },
        ),
        Mutation::code(
            "alias-sign-taken",
            "the alias test takes every distance for positive",
            |e, n| n == 0 && !signs(e).is_empty() && signs(e).into_iter().all(take_for_positive),
        ),
        Mutation::plan(
            "block-cap-dropped",
            "any block shape gets the staged body",
            |p, n| drop_facts(p, n, |f| purpose(f) == Some(Purpose::Cap)),
        ),
        Mutation::plan(
            "overflow-dropped",
            "narrow arithmetic is taken to be exact",
            |p, n| drop_facts(p, n, |f| purpose(f) == Some(Purpose::Overflow)),
        ),
        Mutation::plan(
            "unique-cells-dropped",
            "a written tile may hold copies",
            |p, n| drop_facts(p, n, |f| purpose(f) == Some(Purpose::Unique)),
        ),
        Mutation::plan(
            "tile-size-dropped",
            "tiles of run-time size always fit",
            |p, n| drop_facts(p, n, |f| purpose(f) == Some(Purpose::Size)),
        ),
    ]
}
