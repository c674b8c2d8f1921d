//! The conditions an access executes under, as conjuncts.
//!
//! ```text
//! if (row < n && col < n)   tid.y <= n - 1 - ctaid.y*ntid.y,  tid.x <= n - 1 - ctaid.x*ntid.x
//! ```
//! Each `if` around the access contributes its condition or the negation. A conjunct over varying
//! values with integer coefficients is `Linear`; one that no thread index enters is `Uniform` or
//! `Fixed`; the rest is `Opaque` and keeps the access from bounding what is copied.

use super::trip::negated;
use super::value::{Exact, Reading, Values};
use super::{Atom, Guard, Poly, Sense};
use crate::access::Access;
use crate::kernel::BlockId;
use crate::llvm::ir::{Op, Pred, Value};
use crate::tree::{Node, NodeId};

/// Conjuncts of the ifs around `access`, outermost first, with the node of each `if`.
pub fn collect_guards(v: &mut Values, access: &Access) -> Vec<(NodeId, Guard)> {
    let tree = v.tree;
    let Some(leaf) = tree.node_of_block[access.block.index()] else {
        return vec![(tree.root, Guard::Opaque)];
    };
    let mut out = Vec::new();
    if matches!(tree.node(leaf), Node::Opaque { .. }) {
        out.push((leaf, Guard::Opaque));
    }
    let path = tree.ancestors(leaf);
    for pair in path.windows(2) {
        let (child, parent) = (pair[0], pair[1]);
        if let Node::If { at, then, .. } = tree.node(parent) {
            let conjuncts = of_branch(v, *at, child == *then);
            out.splice(0..0, conjuncts.into_iter().map(|g| (parent, g)));
        }
    }
    out
}

/// Conjuncts under which the branch of block `at` has the outcome `wanted`.
pub(super) fn of_branch(v: &mut Values, at: BlockId, wanted: bool) -> Vec<Guard> {
    let cond = v.kernel.block(at).terminator().condition();
    let mut out = Vec::new();
    decompose(v, (cond, at), wanted, 0, &mut out);
    out
}

/// Conjuncts under which a condition holds that block `at` asks for.
pub(super) fn of_condition(v: &mut Values, condition: Value, at: BlockId) -> Vec<Guard> {
    let mut out = Vec::new();
    decompose(v, (condition, at), true, 0, &mut out);
    out
}

/// Adds the conjuncts of a condition that a block asks for.
fn decompose(
    v: &mut Values,
    (c, at): (Value, BlockId),
    wanted: bool,
    depth: u32,
    out: &mut Vec<Guard>,
) {
    if depth > 16 {
        out.push(Guard::Opaque);
        return;
    }
    if c.const_int().is_some_and(|k| (k != 0) == wanted) {
        return;
    }
    // What the machine makes of a division by 0 the entry does not know.
    if v.is_entry_value(c) && Values::divisors(c).is_empty() {
        out.push(Guard::Uniform {
            value: v.kernel.value_id(c),
            wanted,
        });
        return;
    }
    if let Some((a, b)) = both(c, wanted) {
        decompose(v, (a, at), wanted, depth + 1, out);
        decompose(v, (b, at), wanted, depth + 1, out);
        return;
    }
    match c.opcode() {
        Some(Op::LLVMXor) if is_true(c.operand(1)) => {
            decompose(v, (c.operand(0), at), !wanted, depth + 1, out);
        }
        Some(Op::LLVMFreeze) => decompose(v, (c.operand(0), at), wanted, depth + 1, out),
        Some(Op::LLVMICmp) if c.operand(0).ty().int_width().is_some_and(|w| w >= 2) => {
            let p = if wanted {
                c.predicate()
            } else {
                negated(c.predicate())
            };
            let (x, y) = (c.operand(0), c.operand(1));
            let known = |v: &mut Values, x: Value| {
                let e = v.poly(x);
                e.is_ok_and(|e| v.is_known_in(&e.poly, at))
            };
            let guards = (known(v, x) && known(v, y)).then(|| compare(v, p, x, y));
            match guards.flatten() {
                Some(gs) => out.extend(gs),
                None => out.push(Guard::Opaque),
            }
        }
        _ => out.push(Guard::Opaque),
    }
}

fn is_true(x: Value) -> bool {
    x.const_int().is_some_and(|k| k != 0)
}

/// The two conditions that must both have the outcome `wanted` for `c` to have it.
pub(crate) fn both(c: Value, wanted: bool) -> Option<(Value, Value)> {
    let is_false = |x: Value| x.const_int() == Some(0);
    match c.opcode()? {
        Op::LLVMAnd if wanted => Some((c.operand(0), c.operand(1))),
        Op::LLVMOr if !wanted => Some((c.operand(0), c.operand(1))),
        Op::LLVMSelect if wanted && is_false(c.operand(2)) => Some((c.operand(0), c.operand(1))),
        Op::LLVMSelect if !wanted && is_true(c.operand(1)) => Some((c.operand(0), c.operand(2))),
        _ => None,
    }
}

/// `x p y` as guards of the form `q >= 0`.
fn compare(v: &mut Values, p: Pred, x: Value, y: Value) -> Option<Vec<Guard>> {
    use Pred::*;
    if matches!(p, LLVMIntULT | LLVMIntULE | LLVMIntUGT | LLVMIntUGE) {
        return compare_unsigned(v, p, x, y);
    }
    let (a, b) = (
        v.exact(x, Reading::Signed).ok()?,
        v.exact(y, Reading::Signed).ok()?,
    );
    let one = Poly::constant(1);
    let at_least = |a: &Exact, b: &Exact, strict: bool| {
        let d = a.poly.minus(&b.poly);
        let d = if strict { d.minus(&one) } else { d };
        not_negative(Exact {
            poly: d,
            facts: &a.facts | &b.facts,
        })
    };
    match p {
        LLVMIntSGT => Some(vec![at_least(&a, &b, true)]),
        LLVMIntSGE => Some(vec![at_least(&a, &b, false)]),
        LLVMIntSLT => Some(vec![at_least(&b, &a, true)]),
        LLVMIntSLE => Some(vec![at_least(&b, &a, false)]),
        LLVMIntEQ => Some(vec![at_least(&a, &b, false), at_least(&b, &a, false)]),
        // x != y where x cannot be below y is x > y: `threadIdx.x != 0`.
        LLVMIntNE if a.poly.minus(&b.poly).is_surely_nonnegative() => {
            Some(vec![at_least(&a, &b, true)])
        }
        LLVMIntNE => all_but_one(&a, &b).map(|g| vec![g]),
        _ => None,
    }
}

/// `x != y` where one thread at most along a dimension has them equal, whatever else they hang on.
fn all_but_one(a: &Exact, b: &Exact) -> Option<Guard> {
    let (coefficients, _) = a.poly.minus(&b.poly).split(|x| matches!(x, Atom::Tid(_)))?;
    let mut all = coefficients.into_iter();
    let (Some((Atom::Tid(dim), c)), None) = (all.next(), all.next()) else {
        return None;
    };
    let is_one = c.as_constant().is_some_and(|c| c.abs() == 1);
    is_one.then(|| Guard::AllButOne {
        dim,
        facts: (&a.facts | &b.facts).into_iter().collect(),
    })
}

/// `x <u y` with `0 <= y < 2^31` is `0 <= x < y`, the form LLVM folds two-sided tests to. A limit
/// that varies must be clearly not negative; of one that does not, the entry tests it.
fn compare_unsigned(v: &mut Values, p: Pred, x: Value, y: Value) -> Option<Vec<Guard>> {
    use Pred::*;
    let (below, limit, strict) = match p {
        LLVMIntULT => (x, y, true),
        LLVMIntULE => (x, y, false),
        LLVMIntUGT => (y, x, true),
        LLVMIntUGE => (y, x, false),
        _ => return None,
    };
    let (a, b) = (
        v.exact(below, Reading::Signed).ok()?,
        v.exact(limit, Reading::Signed).ok()?,
    );
    let varies = |e: &Exact| e.poly.any(Atom::varies);
    let mut out = Vec::new();
    let b = if b.poly.is_surely_nonnegative() {
        b
    } else if varies(&b) {
        return None;
    } else {
        v.require(b, 31, Reading::Unsigned)
    };
    if !a.poly.is_surely_nonnegative() {
        out.push(not_negative(a.clone()));
    }
    let d = b.poly.minus(&a.poly);
    let d = if strict {
        d.minus(&Poly::constant(1))
    } else {
        d
    };
    out.push(not_negative(Exact {
        poly: d,
        facts: &a.facts | &b.facts,
    }));
    Some(out)
}

/// The guard `q >= 0`.
fn not_negative(q: Exact) -> Guard {
    let facts = q.facts.into_iter().collect();
    let thread = |a: Atom| a.varies();
    if !q.poly.any(thread) {
        return Guard::Fixed {
            poly: q.poly,
            facts,
        };
    }
    let Some((coefficients, rest)) = q.poly.split(thread) else {
        return Guard::Opaque;
    };
    let mut terms = Vec::new();
    for (a, c) in &coefficients {
        match c.as_constant() {
            Some(c) => terms.push((*a, c)),
            None => return Guard::Opaque,
        }
    }
    // Σ m·a + rest >= 0, with the first multiplier made positive.
    if terms[0].1 > 0 {
        Guard::Linear {
            terms,
            sense: Sense::AtLeast,
            limit: rest.times_constant(-1),
            facts,
        }
    } else {
        let terms = terms.into_iter().map(|(a, m)| (a, -m)).collect();
        Guard::Linear {
            terms,
            sense: Sense::AtMost,
            limit: rest,
            facts,
        }
    }
}
