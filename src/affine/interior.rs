//! Interior blocks: of a kernel that clamps its indices or tests them in each iteration, those of
//! which no thread comes near a limit.
//!
//! ```text
//! for (k) if (i + k >= 0 && i + k < n) s += x[i + k];      0 <= i + k <= n - 1 for all threads and k:
//!                                                           for (k) s += x[i + k];
//! x[min(max(i + k, 0), n - 1)]                              the same fact: x[i + k]
//! ```
//! Such a block takes one side of the ifs in its loops throughout, and its clamps change nothing. That
//! is a fact of the launch like any other, which the entry can test for a block; the others run the
//! original. What is left is straight loops over plain windows.
//!
//! Assumed are ifs inside loops of which one side does nothing, where all that decides them is linear;
//! and every clamp that does not hold for the whole kernel.

use super::analyze::{analyze, analyze_with};
use super::assumed::{Assumed, conditions};
use super::value::{Exact, Values};
use super::{Affine, Atom, Range, trip};
use crate::access::{self, Accesses};
use crate::kernel::Kernel;
use crate::tree::{Node, NodeId, Tree};
use std::any::Any;
use std::cell::OnceCell;

/// A kernel's tree, with what was found out in it.
pub struct Analyzed {
    /// The tree; of interior blocks without the ifs that such blocks take one way.
    pub tree: Tree,
    /// The accesses in it.
    pub accesses: Accesses,
    /// Their indices; [`Affine::assumed`] holds what makes a block an interior one.
    pub affine: Affine,
    /// What the model asks of them again and again.
    pub once: Once,
}

/// Room for one thing that a later stage finds of all these.
pub type Once = OnceCell<Box<dyn Any>>;

impl Analyzed {
    /// The kernel as it is.
    pub fn of(kernel: &Kernel, tree: Tree) -> Analyzed {
        let accesses = access::collect(kernel, &tree);
        let affine = analyze(kernel, &tree, &accesses);
        Analyzed::new(tree, accesses, affine)
    }

    /// What was found out in `tree`.
    pub fn new(tree: Tree, accesses: Accesses, affine: Affine) -> Analyzed {
        Analyzed {
            tree,
            accesses,
            affine,
            once: Once::default(),
        }
    }
}

/// What interior blocks do, where there is something to assume.
pub fn interior(kernel: &Kernel, tree: &Tree) -> Option<Analyzed> {
    let mut v = Values::new(kernel, tree);
    let (trips, _) = trip::compute_trips(&mut v);
    v.set_trips(&trips);
    let ifs = ifs(&mut v);
    let sides: Vec<(NodeId, bool)> = ifs.iter().map(|(n, a)| (*n, a.wanted)).collect();
    let assumed: Vec<Assumed> = ifs.into_iter().map(|(_, a)| a).collect();
    let tree = tree.assuming(&sides);
    let accesses = access::collect(kernel, &tree);
    let affine = analyze_with(kernel, &tree, &accesses, Some(&assumed))?;
    affine
        .interior
        .then(|| Analyzed::new(tree, accesses, affine))
}

/// The ifs to be assumed.
fn ifs(v: &mut Values) -> Vec<(NodeId, Assumed)> {
    let tree = v.tree;
    let mut out = Vec::new();
    for (i, node) in tree.nodes.iter().enumerate() {
        let id = NodeId(i as u32);
        let Node::If {
            at,
            then,
            otherwise,
        } = node
        else {
            continue;
        };
        if tree.enclosing_loops(id).is_empty() {
            continue;
        }
        let wanted = match (tree.does_nothing(*then), tree.does_nothing(*otherwise)) {
            (false, true) => true,
            (true, false) => false,
            _ => continue,
        };
        let a = Assumed { at: *at, wanted };
        if conditions(v, a).is_some() {
            out.push((id, a));
        }
    }
    out
}

impl Values<'_> {
    /// `e` with the fact that it is not negative, for all threads and iterations.
    pub(super) fn not_negative(&mut self, e: Exact) -> Exact {
        self.with_range(
            e.clone(),
            Range {
                poly: e.poly,
                lo: 0,
                hi: i64::MAX,
            },
        )
    }

    /// What a clamp gives in a block inside: its varying operand.
    pub(super) fn unclamped(&mut self, is_min: bool, varying: &Exact, limit: &Exact) -> Exact {
        let left = if is_min {
            limit.poly.minus(&varying.poly)
        } else {
            varying.poly.minus(&limit.poly)
        };
        self.unclamped = true;
        let room = self.not_negative(Exact {
            poly: left,
            facts: &varying.facts | &limit.facts,
        });
        Exact {
            poly: varying.poly.clone(),
            facts: room.facts,
        }
    }
}

/// Whether a load surely finds its element, whoever runs it: of an array of known size, at an index
/// that the iterations of loops of known length alone decide.
pub fn is_within_array(
    kernel: &Kernel,
    affine: &Affine,
    access: &access::Access,
    array: &access::Array,
) -> bool {
    let module = kernel.function.module();
    let Some(address) = affine.address(access.id) else {
        return false;
    };
    let root = kernel.value(array.base).parameter_offset(module);
    let Some((root, 0)) = root.filter(|(r, _)| r.is_global_variable()) else {
        return false;
    };
    let bytes = module.alloc_size(root.global_value_type());
    let (mut lo, mut hi) = (0i64, i64::from(access.size));
    for (m, c) in address.index.terms() {
        let last = match m[..] {
            [] => {
                lo += c;
                hi += c;
                continue;
            }
            [Atom::Iter(l)] => affine.uniform_trip(l).and_then(|t| {
                let (span, step) = (t.span.as_constant()?, t.step.as_constant()?);
                let n = (span + step - 1).checked_div(step)?.max(i64::from(t.least));
                t.facts.is_empty().then_some(n - 1)
            }),
            _ => None,
        };
        let Some(last) = last.and_then(|n| n.checked_mul(c)) else {
            return false;
        };
        lo = lo.saturating_add(last.min(0));
        hi = hi.saturating_add(last.max(0));
    }
    address.facts.is_empty() && lo >= 0 && hi as u64 <= bytes
}
