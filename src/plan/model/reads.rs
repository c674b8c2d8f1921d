//! What one access costs where it stands: served by memory, by a tile, or by a register.

use super::body::{Body, Place};
use super::machine::Cost;
use super::tiles::Served;
use super::traffic;
use crate::access::{Access, AccessKind, Base};
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::machine::tuning::reads::{ADDRESS, STRIDE};
use crate::tree::{LoopId, Node};

impl Body<'_> {
    /// An access's own cost, what it makes its users wait, and whether it waits for another load.
    pub(super) fn access(&self, a: &Access, at: Place) -> (Cost, f64, bool) {
        let none = (Cost::default(), 0.0, false);
        let replicas = self.replicas(a);
        if self.in_register(a.id, at.loop_) {
            return none;
        }
        if self.is_constant(a) {
            // An operand where the index is a constant, as in unrolled code; else a load.
            let n = if at.flat || at.loop_.is_none() {
                0.0
            } else {
                1.0
            };
            let c = Cost {
                issue: n,
                lsu: n,
                ..Cost::default()
            };
            return (c, 0.0, false);
        }
        if let Some(s) = self.served.get(&a.id) {
            let c = self.read_of_tile(a, s, at, replicas);
            return (c, f64::from(self.of.target.shared_latency), false);
        }
        match a.kind {
            AccessKind::Load | AccessKind::Store | AccessKind::Atomic => {
                self.memory(a, at, replicas)
            }
            AccessKind::Barrier => (self.barrier(), 0.0, false),
            AccessKind::WarpOperation | AccessKind::Unknown => {
                let c = Cost {
                    issue: 1.0,
                    wait: f64::from(self.of.target.shared_latency),
                    ..Cost::default()
                };
                (c, 0.0, false)
            }
        }
    }

    /// Reads of a tile for all replicas.
    fn read_of_tile(&self, a: &Access, s: &Served, at: Place, replicas: f64) -> Cost {
        if let Some(reuse) = &s.reuse {
            let merge = self.of.shape.merge;
            let (issue, lsu) = s.reused(self.of.launch.block, reuse, merge);
            let loads = replicas / f64::from(reuse.replicas(merge));
            return Cost {
                issue: issue * loads,
                lsu: lsu * loads,
                ..Cost::default()
            };
        }
        if self.of.whole.is_some() {
            let merge = self.of.plan.merge;
            let (issue, lsu) = s.merged(self.of.launch.block, at.unroll, merge);
            return Cost {
                issue,
                lsu,
                ..Cost::default()
            };
        }
        let (issue, lsu) = s.cost(self.of.launch.block, at.unroll);
        let wide = self.joined_replicas(a, at, replicas);
        Cost {
            issue: issue * replicas / wide,
            lsu: lsu * replicas,
            ..Cost::default()
        }
    }

    fn memory(&self, a: &Access, at: Place, replicas: f64) -> (Cost, f64, bool) {
        let Some(size) = self.width(a) else {
            return (Cost::default(), 0.0, false);
        };
        let request = traffic::request(self.of.known, self.of.launch, a, size);
        let replicas = match a.kind {
            AccessKind::Load => replicas * self.shared_loads(),
            _ => replicas,
        };
        let c = Cost {
            issue: replicas * (1.0 + self.address(a, at)),
            lsu: replicas * request.lines,
            ..Cost::default()
        };
        let l1 = f64::from(self.of.target.l1_latency);
        let missed = self.traffic.misses.get(&a.id).copied().unwrap_or(1.0);
        let wait = match a.kind {
            AccessKind::Load => l1 + (missed * at.overlap).min(1.0) * (self.far - l1).max(0.0),
            AccessKind::Atomic => self.far,
            _ => 0.0,
        };
        let is_dependent = self.of.f.affine.address(a.id).is_none();
        (c, wait, is_dependent)
    }

    /// Loads left of those that replicas ask for, where they find one another's.
    fn shared_loads(&self) -> f64 {
        let lockstep = self.of.plan.lockstep();
        lockstep.map_or(1.0, |t| {
            f64::from(t.addresses.1) / f64::from(t.addresses.0.max(1))
        })
    }

    /// Instructions for an address: a pointer that moves on is shared by unrolled iterations where
    /// its step is a constant.
    fn address(&self, a: &Access, at: Place) -> f64 {
        let (Some(l), Some(_)) = (at.loop_, self.of.f.affine.address(a.id)) else {
            return ADDRESS;
        };
        if self.is_conditional(a, l) {
            return ADDRESS;
        }
        let step = self.of.known.varying(a.id).get(&Atom::Iter(l));
        match step.map(Poly::as_constant) {
            None => 0.0,
            Some(Some(_)) => 2.0 / at.unroll,
            Some(None) => STRIDE,
        }
    }

    /// Whether an iteration may pass the access by: its pointer is then made where it is needed.
    fn is_conditional(&self, a: &Access, l: LoopId) -> bool {
        let body = self.of.f.tree.loop_(l).body;
        self.of.f.node_of(a.id).is_some_and(|n| {
            let up = self.of.f.tree.ancestors(n).into_iter();
            up.take_while(|x| *x != body)
                .any(|x| matches!(self.of.f.tree.node(x), Node::If { .. }))
        })
    }

    /// Bytes a load or store moves with those of its neighbours that LLVM joins it with; `None`:
    /// it is joined to an earlier one.
    fn width(&self, a: &Access) -> Option<f64> {
        let size = f64::from(a.size);
        let Some(x) = self.of.f.affine.address(a.id) else {
            return Some(size);
        };
        let alike = |o: &&Access| {
            o.block == a.block && o.array == a.array && o.kind == a.kind && o.size == a.size
        };
        let offset = |o: &Access| {
            let p = &self.of.f.affine.address(o.id)?.index;
            p.minus_if_constant(&x.index).map(|k| k as f64)
        };
        let all: Vec<(f64, f64)> = self
            .of
            .f
            .accesses
            .iter()
            .filter(alike)
            .filter_map(|o| Some((offset(o)?, f64::from(o.align))))
            .collect();
        let taken = all
            .iter()
            .any(|(o, align)| *o < 0.0 && align.min(16.0) >= size - o);
        if taken {
            return None;
        }
        let room = f64::from(a.align).min(16.0);
        let has = |k: f64| all.iter().any(|(o, _)| *o == k);
        let mut width = size;
        while width + size <= room && has(width) {
            width += size;
        }
        Some(if width > 8.0 { 16.0 } else { width })
    }

    fn is_constant(&self, a: &Access) -> bool {
        a.array
            .is_some_and(|r| self.of.f.accesses.array(r).origin == Base::Constant)
    }

    /// Merged blocks whose address differs.
    fn replicas(&self, a: &Access) -> f64 {
        let all = || f64::from(self.of.shape.merge.iter().product::<u32>());
        let Some(x) = self.of.f.affine.address(a.id) else {
            return all();
        };
        let differs = |d: Dim| {
            x.index.mentions(Atom::Tid(d))
                || x.index.mentions(Atom::Ctaid(d))
                || x.index.any(|a| matches!(a, Atom::Clamp(_)))
        };
        let of = |d: &Dim| {
            if differs(*d) {
                f64::from(self.of.shape.merge[d.index()])
            } else {
                1.0
            }
        };
        Dim::ALL.iter().map(of).product()
    }

    /// Replicas whose reads one instruction does, where they own neighbouring cells.
    fn joined_replicas(&self, a: &Access, at: Place, replicas: f64) -> f64 {
        let (Some(l), Some(_), true) = (
            at.loop_,
            self.of.f.affine.address(a.id),
            self.of.shape.consecutive,
        ) else {
            return 1.0;
        };
        let c = self.of.known.varying(a.id);
        let moves = |d: &Dim| {
            self.of.shape.merge[d.index()] > 1
                && c.contains_key(&Atom::Tid(*d))
                && c.get(&Atom::Tid(*d)) == c.get(&Atom::Iter(l))
        };
        // A window that does not slide is read cell by cell.
        if Dim::ALL.iter().any(moves) {
            return 1.0;
        }
        replicas.clamp(1.0, (16.0 / f64::from(a.size.max(1))).max(1.0))
    }
}
