//! How near the elements are that neighbouring threads touch, by dimension.

use super::super::analyses::Analyses;
use super::known::Known;
use super::launch::Launch;
use super::warp;
use crate::affine::Atom;
use crate::kernel::Dim;
use crate::machine::target::WARP;
use crate::machine::tuning::launch::LARGE;

/// What neighbouring threads along one dimension touch, all accesses and iterations of a typical launch together.
/// Accesses that are not affine count as nothing, as they are the same along all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Neighbours {
    /// Sectors that a warp asks for whose threads follow one another along it: a dimension's priority, the fewer the
    /// higher (seed 2.2; IJNC 5(2) 2015).
    pub sectors: f64,
    /// Bytes from each to the next.
    pub distance: f64,
}

/// By dimension. `by_block`: those along which blocks have one thread, and blocks are neighbours.
pub fn neighbours(f: &Analyses, by_block: [bool; 3]) -> [Neighbours; 3] {
    let known = Known::of(f);
    let row = [f64::from(WARP), 1.0, 1.0];
    let launch = Launch::typical(f, row, LARGE, None);
    let mut all = [Neighbours::default(); 3];
    for a in f.accesses.iter() {
        let Some(coefficients) = known.coefficients(&launch, a.id) else {
            continue;
        };
        let outer = f
            .node_of(a.id)
            .map_or(Vec::new(), |n| f.tree.enclosing_loops(n));
        let runs: f64 = outer.iter().map(|l| launch.trip(*l)).product();
        for (n, d) in all.iter_mut().zip(Dim::ALL) {
            let id = match by_block[d.index()] {
                true => Atom::Ctaid(d),
                false => Atom::Tid(d),
            };
            let mine = coefficients.iter().filter(|(a, _)| *a == id);
            let step: f64 = mine.map(|(_, k)| k).sum();
            let request = warp::global(row, [step, 0.0, 0.0], f64::from(a.size));
            n.sectors += request.sectors * runs;
            n.distance += step.abs() * runs;
        }
    }
    all
}
