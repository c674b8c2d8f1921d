//! The work of one warp in a body: the kernel's tree walked, each node by how often it runs.
//!
//! The same walk serves the original body and a staged one; what differs is what serves an access
//! (memory, a tile, a register) and what stands around regions (copies, barriers). Both sides of an
//! `if` count: the threads of a warp seldom agree, and where they do the other side is short.

use super::super::data::{Region, ScalarReplacement};
use super::machine::Cost;
use super::question::Question;
use super::tiles::{Copying, Served};
use super::traffic::Traffic;
use crate::access::{Access, AccessId, AccessKind};
use crate::affine::Atom;
use crate::kernel::BlockId;
use crate::llvm::ir::{Op, Value};
use crate::machine::target::PREDICATES;
use crate::machine::tuning::body::{
    COPIES, DATA_TRIP, FULL, MOST_SEEN, PARTIAL, PREDICATED, STRIP,
};
use crate::map::{HashMap, HashSet};
use crate::tree::{ExitAt, LoopId, Node, NodeId, OpaqueReason};

/// Everything the walk looks at.
pub struct Body<'a> {
    /// The kernel, its launch, and the plan that is carried out; of the original one that is idle.
    pub of: &'a Question<'a>,
    /// What tiles serve.
    pub served: HashMap<AccessId, Served>,
    /// What the rest moves.
    pub traffic: &'a Traffic,
    /// Cycles of a load that misses L1.
    pub far: f64,
}

/// Where the walk is.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The innermost loop.
    pub loop_: Option<LoopId>,
    /// Iterations that stand next to each other.
    pub unroll: f64,
    /// Of those, how many wait together.
    pub overlap: f64,
    /// Whether a strip is unrolled around here.
    pub flat: bool,
}

impl Body<'_> {
    /// The whole kernel, once.
    pub fn cost(&self) -> Cost {
        let top = Place {
            loop_: None,
            unroll: 1.0,
            overlap: 1.0,
            flat: false,
        };
        self.node(self.of.f.tree.root, top)
    }

    fn node(&self, n: NodeId, at: Place) -> Cost {
        let here = || self.of.plan.regions.iter().filter(|r| r.node == n);
        let strip = here().find(|r| r.strip.is_some());
        let mut c = match (self.of.f.tree.node(n), strip) {
            (Node::Loop(l), Some(r)) => self.strips(*l, r),
            _ => self.whole_node(n, at),
        };
        for r in here().filter(|r| r.strip.is_none()) {
            let copy = self.of.tiles().copying(r, false);
            c += copy.setup + self.waited(&copy) + self.barrier() * 2.0;
            let back = self.of.tiles().copying(r, true);
            c += self.stored(&back);
        }
        c
    }

    fn whole_node(&self, n: NodeId, at: Place) -> Cost {
        match self.of.f.tree.node(n) {
            Node::Block(b) => self.block(*b, at),
            Node::Edge(_) | Node::Return(_) => Cost::default(),
            Node::Seq(children) => self.sequence(children, at),
            Node::If {
                then, otherwise, ..
            } => self.node(*then, at) + self.node(*otherwise, at),
            Node::Loop(l) => self.iteration(*l, self.place(*l)) * self.of.launch.trip(*l),
            Node::Opaque { blocks, why, .. } => {
                let loops = matches!(why, OpaqueReason::SeveralExits | OpaqueReason::LoopShape);
                let times = if loops { DATA_TRIP } else { 1.0 };
                let sum = |c, b: &BlockId| c + self.block(*b, at);
                blocks.iter().fold(Cost::default(), sum) * times
            }
        }
    }

    /// One after the other. What short branches wait for they wait for together, as far as there are predicates: ptxas
    /// has their instructions run or not by a predicate each, and all loads come before what uses them.
    fn sequence(&self, children: &[NodeId], at: Place) -> Cost {
        let (mut all, mut waits) = (Cost::default(), Vec::new());
        let end = |all: &mut Cost, waits: &mut Vec<f64>| {
            let most = waits.iter().copied().fold(0.0, f64::max);
            all.wait += most.max(waits.drain(..).sum::<f64>() / f64::from(PREDICATES));
        };
        for child in children {
            let cost = self.node(*child, at);
            if self.is_predicated(*child, &cost) {
                waits.push(cost.wait);
                all += Cost { wait: 0.0, ..cost };
                continue;
            }
            if !self.waits_for_nothing(*child) {
                end(&mut all, &mut waits);
            }
            all += cost;
        }
        end(&mut all, &mut waits);
        all
    }

    /// Whether a branch has few instructions, and is none of which data decides.
    fn is_predicated(&self, n: NodeId, cost: &Cost) -> bool {
        let f = &self.of.f;
        let Node::If { at, .. } = f.tree.node(n) else {
            return false;
        };
        let condition = || f.kernel.block(*at).terminator().condition();
        cost.issue <= PREDICATED && self.is_straight(n) && !hangs_on_data(condition())
    }

    /// Whether nothing of a node runs again, or is left as it is.
    fn is_straight(&self, n: NodeId) -> bool {
        match self.of.f.tree.node(n) {
            Node::Block(_) | Node::Edge(_) => true,
            Node::Seq(children) => children.iter().all(|c| self.is_straight(*c)),
            Node::If {
                then, otherwise, ..
            } => self.is_straight(*then) && self.is_straight(*otherwise),
            Node::Loop(_) | Node::Opaque { .. } | Node::Return(_) => false,
        }
    }

    /// Whether a node is code that loads nothing.
    fn waits_for_nothing(&self, n: NodeId) -> bool {
        let Node::Block(b) = self.of.f.tree.node(n) else {
            return false;
        };
        self.of.f.accesses.iter().all(|a| a.block != *b)
    }

    fn iteration(&self, l: LoopId, at: Place) -> Cost {
        let loop_ = self.of.f.tree.loop_(l);
        let header = match loop_.exit_at {
            ExitAt::Header => self.block(loop_.header, at),
            ExitAt::Latch => Cost::default(),
        };
        header + self.node(loop_.body, at)
    }

    /// How LLVM will unroll a loop that is left as it is.
    fn place(&self, l: LoopId) -> Place {
        let size = self.size(l);
        let known = self
            .of
            .f
            .affine
            .uniform_trip(l)
            .is_some_and(|t| t.span.as_constant().is_some() && t.step.as_constant().is_some());
        let trip = self.of.launch.trip(l);
        let unroll = if self.holds_loop(l) {
            1.0
        } else if self.carries_reuse(l) || (known && trip * size as f64 <= FULL as f64) {
            trip.clamp(1.0, COPIES)
        } else {
            let room = (PARTIAL as f64 / size.max(1) as f64).max(1.0);
            room.log2().floor().exp2().clamp(1.0, COPIES)
        };
        let blocks = &self.of.f.tree.loop_(l).blocks;
        let branches = blocks.iter().any(|b| self.of.known.mixes.of(*b).branches);
        let overlap = if self.may_alias(l) || branches {
            1.0
        } else {
            unroll
        };
        Place {
            loop_: Some(l),
            unroll,
            overlap,
            flat: false,
        }
    }

    /// Whether a loop carries reuse of what tiles hold, which unrolls it.
    fn carries_reuse(&self, l: LoopId) -> bool {
        let carried = |s: &Served| s.reuse.is_some_and(|x| x.loop_ == l);
        self.served.values().any(carried)
    }

    fn size(&self, l: LoopId) -> usize {
        let blocks = &self.of.f.tree.loop_(l).blocks;
        blocks.iter().map(|b| self.of.known.mixes.of(*b).size).sum()
    }

    fn holds_loop(&self, l: LoopId) -> bool {
        let body = self.of.f.tree.loop_(l).body;
        self.of
            .f
            .tree
            .loops
            .iter()
            .any(|x| self.of.f.tree.contains(body, x.node))
    }

    /// Whether a store in the loop keeps the next iteration's loads from being issued before it.
    fn may_alias(&self, l: LoopId) -> bool {
        let loop_accesses = || self.of.f.accesses_in(l);
        let memory =
            |a: &&Access| !self.served.contains_key(&a.id) && !self.in_register(a.id, Some(l));
        loop_accesses().filter(memory).any(|s| {
            s.kind != AccessKind::Load
                && loop_accesses().any(|x| match (s.array, x.array) {
                    (Some(p), Some(q)) => {
                        x.kind == AccessKind::Load && !self.of.f.accesses.surely_distinct(p, q)
                    }
                    _ => true,
                })
        })
    }

    pub(super) fn in_register(&self, a: AccessId, at: Option<LoopId>) -> bool {
        let holds = |p: &ScalarReplacement| p.accesses.contains(&a) && Some(p.loop_) == at;
        self.of.plan.scalars().any(holds)
    }

    /// A loop in strips: full ones, then the shorter run at the end, which is not unrolled.
    fn strips(&self, l: LoopId, r: &Region) -> Cost {
        let length = f64::from(self.of.shape.length);
        let trip = self.of.launch.trip(l);
        let full = (trip / length).floor();
        let rest = trip - full * length;
        let flat = !self.holds_loop(l) && self.size(l) * self.of.shape.length as usize <= STRIP;
        let many = if flat { COPIES } else { 1.0 };
        let place = |unroll: f64, flat| Place {
            loop_: Some(l),
            unroll,
            overlap: unroll,
            flat,
        };
        let copy = self.of.tiles().copying(r, false);
        let back = self.stored(&self.of.tiles().copying(r, true));
        let again = if self.moves_with(r, l) {
            copy.setup
        } else {
            Cost::default()
        };
        let mut c = Cost::default();
        if full > 0.0 {
            c += copy.setup;
            let control = if flat {
                f64::from(self.of.shape.length)
            } else {
                many
            };
            let used = self.iteration(l, place(control, flat)) * length;
            c += (self.filled(&copy, &used) + again + used + back) * full;
        }
        if rest > 0.0 {
            let used = self.iteration(l, place(1.0, false)) * rest;
            c += self.filled(&copy, &used) + copy.setup + used + back;
        }
        c
    }

    /// Filling a strip's tiles, and the barriers around their use.
    fn filled(&self, copy: &Copying, used: &Cost) -> Cost {
        if self.of.shape.depth <= 1 {
            return self.waited(copy) + self.barrier() * 2.0;
        }
        // In flight while earlier strips are used: only what those do not cover is waited for.
        let covered = used.path() * f64::from(self.of.shape.depth - 1);
        let mut c = copy.cost + self.barrier();
        c.wait += (self.far - covered).max(0.0);
        c
    }

    fn waited(&self, copy: &Copying) -> Cost {
        let mut c = copy.cost;
        c.wait += copy.waits * self.far;
        c
    }

    /// Tiles written back: their stores are not waited for, the barrier before them is.
    fn stored(&self, back: &Copying) -> Cost {
        if back.waits == 0.0 {
            return Cost::default();
        }
        back.cost + self.barrier()
    }

    pub(super) fn barrier(&self) -> Cost {
        Cost {
            issue: 1.0,
            wait: f64::from(self.of.target.barrier),
            ..Cost::default()
        }
    }

    /// Whether a tile's bounds follow the strip, so that its walk is found anew for each.
    fn moves_with(&self, r: &Region, l: LoopId) -> bool {
        let follows = |t: &Vec<(Atom, i64)>| t.iter().any(|(a, _)| *a == Atom::Iter(l));
        let sets = r
            .tiles
            .iter()
            .flat_map(|t| t.footprint.active.iter().chain(&t.write_back));
        sets.flat_map(|s| &s.bounds).any(|b| follows(&b.terms))
    }

    fn block(&self, b: BlockId, at: Place) -> Cost {
        let mix = self.of.known.mixes.of(b);
        let replicas = f64::from(self.of.shape.merge.iter().product::<u32>());
        let mut c = mix.work * replicas;
        c.issue += if at.flat {
            0.0
        } else {
            mix.control / at.unroll
        };
        let mut near: f64 = 0.0;
        let mine = self.of.f.accesses.iter().filter(|a| a.block == b);
        for a in mine {
            let (cost, wait, is_dependent) = self.access(a, at);
            c += cost;
            if is_dependent {
                c.wait += wait / at.overlap;
            } else {
                near = near.max(wait);
            }
        }
        c.wait += near / at.overlap;
        c
    }
}

/// Whether a value is made of what was loaded, as far as is easily seen.
fn hangs_on_data(v: Value) -> bool {
    let (mut seen, mut work) = (HashSet::default(), vec![v]);
    while let Some(v) = work.pop() {
        if v.is(Op::LLVMLoad) || seen.len() > MOST_SEEN {
            return true;
        }
        if v.is_instruction() && seen.insert(v) {
            work.extend(v.operands());
        }
    }
    false
}
