//! Accumulators in global memory that a staged loop can keep in a register.
//!
//! ```text
//! for k: c[row*n + col] += a[row*n + k] * b[k*n + col]
//! ```
//! The compiler must store `c` in every iteration, because `c` might be `a` or `b`. On the staged
//! path the entry has ruled that out, so one store after the loop does. Required: all accesses of
//! the array in the loop have one address, which does not change in the loop and is computed
//! before it; every iteration executes them; nothing else in the loop may touch that memory.

use super::analyses::Analyses;
use super::data::ScalarReplacement;
use super::facts::Facts;
use super::{alias, hull};
use crate::access::{Access, AccessId, AccessKind, ArrayId};
use crate::affine::{Atom, FactId, Poly};
use crate::llvm::ir::Type;
use crate::tree::{LoopId, Node};

/// Accesses that `loop_` could keep in a register, per array that it stores to.
pub fn find(f: &Analyses, loop_: LoopId) -> Vec<ScalarReplacement> {
    let in_loop: Vec<&Access> = f.accesses_in(loop_).collect();
    let mut arrays: Vec<ArrayId> = in_loop
        .iter()
        .filter(|a| a.kind == AccessKind::Store)
        .filter_map(|a| a.array)
        .collect();
    crate::order::sort(&mut arrays);
    arrays.dedup();
    arrays
        .into_iter()
        .filter_map(|array| of_array(f, loop_, &in_loop, array))
        .collect()
}

fn of_array(f: &Analyses, l: LoopId, all: &[&Access], array: ArrayId) -> Option<ScalarReplacement> {
    let mine: Vec<&&Access> = all.iter().filter(|a| a.array == Some(array)).collect();
    let first = mine.first()?;
    let index: &Poly = &f.affine.address(first.id)?.index;
    let loop_ = f.tree.loop_(l);
    let fixed = |a: Atom| match a {
        Atom::Iter(i) => !loop_.blocks.contains(&f.tree.loop_(i).header),
        _ => true,
    };
    let ok = mine.iter().all(|a| {
        matches!(a.kind, AccessKind::Load | AccessKind::Store)
            && !a.is_volatile
            && a.size == first.size
            && share_register(accessed(f, a), accessed(f, first))
            && f.affine.address(a.id).is_some_and(|x| x.index == *index)
            && a.pointer_block.is_none_or(|b| !loop_.blocks.contains(&b))
            && is_in_every_iteration(f, l, a)
    });
    (ok && !index.any(|a| !fixed(a))).then(|| ScalarReplacement {
        loop_: l,
        accesses: mine.iter().map(|a| a.id).collect(),
        loads_first: first.kind == AccessKind::Load,
    })
}

/// What an access loads or stores.
fn accessed(f: &Analyses, a: &Access) -> Type {
    let i = f.kernel.value(a.value);
    match a.kind {
        AccessKind::Store => i.operand(0).ty(),
        _ => i.ty(),
    }
}

/// Whether values of both types can be kept in one register: what is put in as one can be taken out as the other.
fn share_register(a: Type, b: Type) -> bool {
    a == b || a.is_element() && b.is_element()
}

/// Whether the access's block is a step of the loop's body itself.
fn is_in_every_iteration(f: &Analyses, l: LoopId, a: &Access) -> bool {
    let body = f.tree.loop_(l).body;
    f.node_of(a.id).is_some_and(|n| {
        matches!(f.tree.node(n), Node::Block(_)) && f.tree.parents[n.index()] == Some(body)
    })
}

/// What must hold for accesses of one index to go to one place: nothing where they use one pointer, or the machine adds
/// up the same numbers, whatever overflows.
pub(crate) fn what_makes_equal(f: &Analyses, list: &[AccessId]) -> Vec<FactId> {
    let pointer = |a: &AccessId| f.accesses.get(*a).pointer;
    if list.iter().all(|a| pointer(a) == pointer(&list[0])) {
        return Vec::new();
    }
    let machine_address = |a: &AccessId| f.affine.machine_address[a.index()].as_ref();
    let alike = |a: &AccessId| match (machine_address(a), machine_address(&list[0])) {
        (Some((x, _)), Some((y, _))) => x == y,
        _ => false,
    };
    let same = list.iter().all(alike);
    let rests_on = |a: &AccessId| match machine_address(a).filter(|_| same) {
        Some((_, facts)) => facts.clone(),
        None => f.affine.address(*a).map_or(Vec::new(), |x| x.facts.clone()),
    };
    list.iter().flat_map(rests_on).collect()
}

/// What the entry must rule out besides what staging already does: other memory the loop touches
/// directly. `staged` are the accesses that tiles serve. `None`: it cannot.
pub fn facts(f: &Analyses, p: &ScalarReplacement, staged: &[AccessId]) -> Option<Facts> {
    let array = f.accesses.get(p.accesses[0]).array?;
    let mut out = Facts::default();
    hull::add_ids(f.affine, &mut out, &what_makes_equal(f, &p.accesses))?;
    for o in f.accesses_in(p.loop_) {
        let is_memory = matches!(
            o.kind,
            AccessKind::Load | AccessKind::Store | AccessKind::Atomic
        );
        if p.accesses.contains(&o.id) || staged.contains(&o.id) {
            continue;
        }
        let other = o.array.filter(|_| is_memory)?;
        if f.accesses.surely_distinct(array, other) {
            continue;
        }
        if other == array {
            return None;
        }
        alias::disjoint(f, array, &p.accesses, other, o.id, &mut out).ok()?;
    }
    Some(out)
}
