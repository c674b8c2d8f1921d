//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use crate::access::{Access, AccessId, AccessKind, ArrayId};
use crate::plan::analyses::Analyses;
use crate::plan::data::{KernelPlan, Plan, Proposal, ScalarReplacement, Storage, Test};
use crate::plan::facts::Facts;
use crate::plan::{hull, scalar_replacement};
use crate::tree::LoopId;

/// The plan that keeps sums in registers.
pub fn choose(f: &Analyses) -> Proposal {
    let mut scalars: Vec<ScalarReplacement> = Vec::new();
    let mut facts = Facts::default();
    for l in f.tree.loop_ids() {
        for p in scalar_replacement::find(f, l) {
            let mut wanted = facts.clone();
            if add_facts(f, &p, &mut wanted).is_some() {
                facts = wanted;
                scalars.push(p);
            }
        }
    }
    if scalars.is_empty() {
        return Err(None);
    }
    Ok(KernelPlan::from(Plan {
        storage: scalars.into_iter().map(Storage::Register).collect(),
        tests: Test::all_sound(facts.list),
        ..Plan::default()
    }))
}

/// Adds what must hold for one sum. `None`: it cannot be tested, or there is nothing to gain.
fn add_facts(f: &Analyses, p: &ScalarReplacement, facts: &mut Facts) -> Option<()> {
    let lp = f.tree.loop_(p.loop_);
    let within = |x: LoopId| f.tree.contains(lp.node, f.tree.loop_(x).node);
    if f.fusing_loops().any(within) {
        return None;
    }
    let array = f.accesses.get(p.accesses[0]).array?;
    let mut others: Vec<(ArrayId, Vec<AccessId>)> = Vec::new();
    for a in f.accesses_in(p.loop_) {
        if p.accesses.contains(&a.id) {
            continue;
        }
        let other = array_of(a)?;
        if f.accesses.surely_distinct(array, other) {
            continue;
        }
        match others.iter_mut().find(|(r, _)| *r == other) {
            _ if other == array => return None,
            Some((_, list)) => list.push(a.id),
            None => others.push((other, vec![a.id])),
        }
    }
    // Otherwise LLVM does it.
    if others.is_empty() {
        return None;
    }
    for (_, list) in &others {
        hull::add_hulls(f, facts, list, &p.accesses)?;
    }
    Some(())
}

/// The array of a load or store that may be told apart from others.
fn array_of(a: &Access) -> Option<ArrayId> {
    let is_simple = matches!(a.kind, AccessKind::Load | AccessKind::Store) && !a.is_volatile;
    a.array.filter(|_| is_simple)
}
