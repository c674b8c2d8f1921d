//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use super::legality;
use crate::plan::analyses::Analyses;
use crate::plan::data::{KernelPlan, Plan, Proposal, ScalarReplacement, Storage, Test};
use crate::plan::facts::Facts;
use crate::plan::scalar_replacement;

/// The plan that keeps sums in registers.
pub fn choose(f: &Analyses) -> Proposal {
    let mut scalars: Vec<ScalarReplacement> = Vec::new();
    let mut facts = Facts::default();
    for l in f.tree.loop_ids() {
        for p in scalar_replacement::find(f, l) {
            let mut wanted = facts.clone();
            if legality::add_facts(f, &p, &mut wanted).is_some() {
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
