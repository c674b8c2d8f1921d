//! Runs the stage.

use super::assumed::{Assumed, assume};
use super::types::{Affine, Sharing};
use super::{address, assumed, guard, machine_address, sharing, trip, value};
use crate::kernel::Kernel;
use crate::tree::Tree;

/// Runs the stage.
pub fn analyze(kernel: &Kernel, tree: &Tree, accesses: &crate::access::Accesses) -> Affine {
    analyze_with(kernel, tree, accesses, None).expect("nothing is assumed")
}

/// The same for interior blocks, where `assumed` are the ifs that the tree has no more. `None`: what they rest on is
/// not known.
pub(super) fn analyze_with(
    kernel: &Kernel,
    tree: &Tree,
    accesses: &crate::access::Accesses,
    assumed: Option<&[Assumed]>,
) -> Option<Affine> {
    let mut v = value::Values::new(kernel, tree);
    v.interior = assumed.is_some();
    let (trips, divergent_trips) = trip::compute_trips(&mut v);
    v.set_trips(&trips);
    assume(&mut v, assumed.unwrap_or_default())?;
    let addresses = accesses
        .iter()
        .map(|a| address::compute_address(&mut v, a, accesses))
        .collect();
    let guards = accesses
        .iter()
        .map(|a| guard::collect_guards(&mut v, a))
        .collect();
    let machine_address = accesses
        .iter()
        .map(|a| machine_address::of_access(&mut v, a))
        .collect();
    let met = assumed::met(&mut v);
    let bases = accesses.arrays.iter().map(|a| a.base).collect();
    let mut affine = Affine {
        symbols: v.symbols,
        clamps: v.clamps,
        facts: v.facts,
        trips,
        divergent_trips,
        addresses,
        machine_address,
        guards,
        bases,
        sharing: Sharing::default(),
        interior: v.unclamped || !v.assumed.is_empty(),
        unclamped: v.unclamped,
        assumed: v.assumed.into_iter().collect(),
        met,
    };
    affine.sharing = sharing::find(kernel, tree, accesses, &affine);
    Some(affine)
}
