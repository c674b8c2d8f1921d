//! What the stages before know of a kernel, and questions that all of planning asks.

use crate::access::{Access, AccessId, Accesses};
use crate::affine::{Affine, Analyzed, Atom, NoTrip, Once, Poly, Trip};
use crate::kernel::{Dim, Kernel, ids};
use crate::missed::Missed;
use crate::plan::data::NoUnroll;
use crate::tree::{LoopId, NodeId, Tree};

/// Whether it is the same for the whole launch: no block's own number is in it.
pub fn is_launch_wide(f: &Analyses, p: &Poly) -> bool {
    !p.any(|a| match a {
        Atom::Ntid(_) | Atom::Nctaid(_) => false,
        Atom::Symbol(s) => {
            let value = f.affine.symbols[s.index()].value;
            ids::reads_block_id(f.kernel.value(value), [true; 3])
        }
        Atom::Trip(l) => match f.affine.uniform_trip(l) {
            Some(t) => !is_launch_wide(f, &t.span) || !is_launch_wide(f, &t.step),
            None => true,
        },
        Atom::Tid(_) | Atom::Ctaid(_) | Atom::Iter(_) | Atom::Clamp(_) => true,
    })
}

/// Whether unrolling leaves to the back end what it fuses.
pub fn check_fusing(f: &Analyses, l: LoopId) -> Result<(), NoUnroll> {
    // Those of `elsewhere` would only be pinned.
    let mut fusing = f
        .fusing_loops()
        .chain(f.affine.sharing.elsewhere.iter().copied());
    match fusing.any(|x| x == l) {
        true => Err(NoUnroll::Fuses),
        false => Ok(()),
    }
}

/// The results of the stages before.
#[derive(Clone, Copy)]
pub struct Analyses<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// Its tree.
    pub tree: &'a Tree,
    /// Its accesses.
    pub accesses: &'a Accesses,
    /// Their indices.
    pub affine: &'a Affine,
    /// What the model knows of them.
    pub once: &'a Once,
}

impl<'a> Analyses<'a> {
    /// Those of `kernel`.
    pub fn of(kernel: &'a Kernel, found: &'a Analyzed) -> Analyses<'a> {
        Analyses {
            kernel,
            tree: &found.tree,
            accesses: &found.accesses,
            affine: &found.affine,
            once: &found.once,
        }
    }
    /// The node of an access.
    pub fn node_of(&self, a: AccessId) -> Option<NodeId> {
        self.tree.node_of_block[self.accesses.get(a).block.index()]
    }
    /// The accesses of a loop.
    pub fn accesses_in(&self, l: LoopId) -> impl Iterator<Item = &'a Access> {
        let blocks = &self.tree.loop_(l).blocks;
        let all = self.accesses.iter();
        all.filter(|a| blocks.contains(&a.block))
    }
    /// Loops whose unrolling would decide what the back end fuses, and so the last bit.
    pub fn fusing_loops(&self) -> impl Iterator<Item = LoopId> {
        let carried = self.accesses.fusing_loops.iter();
        carried.chain(&self.affine.sharing.loops).copied()
    }
    /// Bytes from a thread to the next along `d`, as far as the access's index tells.
    pub fn step_along(&self, a: AccessId, d: Dim) -> Option<Poly> {
        let (mut each, _) = self.affine.address(a)?.index.split(|x| x == Atom::Tid(d))?;
        Some(each.remove(&Atom::Tid(d)).unwrap_or_default())
    }
    /// Whether an access lies in a region.
    pub fn is_within(&self, region: NodeId, a: &Access) -> bool {
        self.tree.node_of_block[a.block.index()].is_some_and(|n| self.tree.contains(region, n))
    }
    /// Whether an atom changes while the region runs.
    pub fn varies_in(&self, region: NodeId, a: Atom) -> bool {
        match a {
            Atom::Tid(_) | Atom::Clamp(_) => true,
            Atom::Iter(l) => self.tree.contains(region, self.tree.loop_(l).node),
            _ => false,
        }
    }
    /// The reason against an access whose range needs the trip count of `at`.
    pub fn refuse_loop(&self, at: LoopId, access: AccessId) -> Missed {
        match self.affine.trips[at.index()] {
            Err(NoTrip::Unknown) => Missed::NotAtEntry { access },
            _ => Missed::DivergentLoop { at },
        }
    }
    /// The atoms that a loop's trip count depends on, those of other trip counts included.
    pub fn trip_atoms(&self, l: LoopId) -> Vec<Atom> {
        let Some(t) = self.affine.uniform_trip(l) else {
            return Vec::new();
        };
        let mut atoms = t.span.atoms();
        atoms.extend(t.step.atoms());
        atoms
    }
}

/// The thread indices and iteration numbers that vary in the region and that an atom, or its range,
/// depends on.
pub fn underlying(f: &Analyses, a: Atom, node: NodeId, out: &mut Vec<Atom>) {
    if !f.varies_in(node, a) || out.contains(&a) {
        return;
    }
    match a {
        Atom::Clamp(c) => {
            for b in f.affine.clamps[c.index()].varying.atoms() {
                underlying(f, b, node, out);
            }
        }
        Atom::Iter(l) => {
            out.push(a);
            for b in f.trip_atoms(l) {
                underlying(f, b, node, out);
            }
        }
        _ => out.push(a),
    }
}

/// Iterations of a loop at most, if its first one tells: threads that fill a tile of known size together begin at their
/// own number, and each takes a part of it.
pub fn most_iterations(trip: &Trip) -> Option<i64> {
    let step = trip.step.as_constant().filter(|s| *s > 0)?;
    let ids = |a: &Atom| matches!(a, Atom::Tid(_) | Atom::Ctaid(_) | Atom::Iter(_));
    let falls = |(m, c): (&Vec<Atom>, i64)| m.is_empty() || c < 0 && m.iter().all(ids);
    if !trip.span.terms().all(falls) {
        return None;
    }
    let longest = trip
        .span
        .terms()
        .find(|(m, _)| m.is_empty())
        .map_or(0, |t| t.1);
    let all = longest.checked_add(step - 1)?.div_euclid(step);
    Some(all.max(i64::from(trip.least)))
}
