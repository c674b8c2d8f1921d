//! The versions of a kernel's plan, in the order in which the entry tries them.
//!
//! The first has blocks merged where that is legal and wanted; the others serve launches that
//! are too small for it, or whose facts do not hold.

use super::extent::{self, Caps};
use super::legality::Facets;
use super::make::{self, Settled};
use super::merge::{self, Ingredients, NoMerge};
use super::shape::Cluster;
use super::{Plan, Promotion};
use crate::options::Options;

/// Strip lengths of merged versions, best first: their tiles are larger.
const MERGED_STRIPS: [u32; 2] = [16, 8];

/// The plan with its alternatives.
pub fn all(
    f: &Facets,
    clusters: &[Cluster],
    settled: &Settled,
    accumulators: &[Promotion],
    options: &Options,
) -> Plan {
    let plan = settled.plan.clone();
    let Some(factor) = options.merge.filter(|r| *r != [1; 3]) else {
        return plan;
    };
    if plan.regions.is_empty() {
        return plan;
    }
    match merged(f, clusters, settled, accumulators, options, factor) {
        Ok(first) => Plan {
            missed: plan.missed.clone(),
            missed_accesses: plan.missed_accesses.clone(),
            alternatives: vec![plan],
            ..first
        },
        Err(why) => Plan {
            no_merge: Some(why),
            ..plan
        },
    }
}

/// A version with `factor` blocks merged.
fn merged(
    f: &Facets,
    clusters: &[Cluster],
    settled: &Settled,
    accumulators: &[Promotion],
    options: &Options,
    factor: [u32; 3],
) -> Result<Plan, NoMerge> {
    // Store tiles are one block's; without them its threads store as the original does.
    let picked: Vec<_> = settled
        .picked
        .iter()
        .filter(|c| !c.legal.only_stores())
        .collect();
    if picked.is_empty() {
        return Err(NoMerge::Region);
    }
    let reads = extent::thread_dimensions(f.affine);
    let caps = Caps::choices(f.kernel, reads);
    let lengths = options.strip.map_or(MERGED_STRIPS.to_vec(), |s| vec![s]);
    let of = Ingredients {
        clusters,
        picked: &picked,
        facts: &settled.facts,
        lengths: &lengths,
        caps: &caps,
        budget: settled.budget,
    };
    let mut plan = merge::version(f, &of, factor)?;
    let mut facts = super::facts::Facts::default();
    make::add_promotions(f, &mut plan, accumulators, &mut facts);
    for fact in facts.list {
        if !plan.facts.contains(&fact) {
            plan.facts.push(fact);
        }
    }
    merge::complete(f, &mut plan)?;
    Ok(plan)
}
