//! Predicts the time of a kernel before and after a plan, for one launch on one chip.
//!
//! ```text
//! mm_guide, 2048, 16x16:  predicted x1.39 (before 3180.2 us, after 2290.1 us, bound by shared)
//! ```
//! `launch` says what runs, `mix` counts instructions, `warp` prices one access of a warp, `traffic`
//! what reaches L2 and DRAM, `tiles` copies and reads of tiles, `body` walks the tree with all that,
//! and `machine` turns the sums into time. Nothing here decides what is legal or emits anything.
//!
//! A search asks "what if" through [`Shape`]: the same plan with other strips, depth, width or
//! merge. [`forecast`] predicts for typical launches, and [`verdict`] says whether that is enough:
//! it decides which versions there are (`versions.rs`). [`answer`] predicts a launch that is known,
//! as the bench's rows are, for the kernel with all its versions.
//!
//! Not modelled: instruction caches, TLBs, partition camping, clocks that sink under load, spills.

mod answer;
mod body;
mod forecast;
mod known;
mod launch;
mod machine;
mod mapping;
mod mix;
mod query;
mod question;
mod reads;
mod residence;
mod tiles;
mod traffic;
mod warp;

use super::analyses::Analyses;
use super::data::{Fact, Plan, Way};
use crate::access::AccessId;
use crate::affine::Atom;
use crate::machine::target::Target;
use crate::machine::tuning::entry::{ENTRY, ENTRY_DISJOINT, ENTRY_FACT, SHARED_UPDATE};
use crate::map::HashMap;
use crate::plan::model::question::Question;
use body::Body;
use known::Known;
use machine::{Cost, Load};
use residence::Residence;
use traffic::Traffic;

pub use answer::{Answer, answer, reshaped};
pub use forecast::{Forecast, forecast, verdict};
pub use launch::Launch;
pub use machine::Resource;
pub use mapping::{Neighbours, neighbours};
pub use query::{Given, Query, launch};
pub use question::{Prediction, Shape};

/// Predicts one launch.
pub fn predict(
    f: &Analyses,
    plan: &Plan,
    target: &Target,
    shape: Shape,
    launch: &Launch,
) -> Prediction {
    ask(f, plan, target, shape, launch, Known::of(f))
}

/// The same for several launches.
pub fn predict_all(
    f: &Analyses,
    plan: &Plan,
    target: &Target,
    shape: Shape,
    launches: &[Launch],
) -> Vec<Prediction> {
    let known = Known::of(f);
    let of = |launch| ask(f, plan, target, shape, launch, known);
    launches.iter().map(of).collect()
}

/// Microseconds that a launch of the kernel takes as clang makes it.
pub fn untouched(f: &Analyses, target: &Target, launch: &Launch) -> f64 {
    let plan = Plan::default();
    predict(f, &plan, target, Shape::of(&plan), launch).before_us
}

/// Microseconds by which a block makes a launch longer whose threads end at once, and blocks that run at one time.
pub fn of_empty_block(f: &Analyses, target: &Target, launch: &Launch) -> (f64, f64) {
    let plan = &Plan::default();
    let q = Question {
        f: *f,
        plan,
        target,
        shape: Shape::of(plan),
        launch,
        known: Known::of(f),
        whole: None,
        warm: false,
    };
    let places = q.original_residence().blocks * f64::from(target.sms);
    let each = f64::from(target.turnover) / f64::from(target.clock);
    (each / places, places)
}

/// The same, with what no launch changes found before.
fn ask(
    f: &Analyses,
    plan: &Plan,
    target: &Target,
    shape: Shape,
    launch: &Launch,
    known: &Known,
) -> Prediction {
    let q = Question {
        f: *f,
        plan,
        target,
        shape: stretched(plan, shape, launch),
        launch,
        known,
        whole: None,
        warm: false,
    };
    let mut before = q.original(q.original_residence());
    before.warp.wait += q.turnover();
    let serves = q.serves();
    let mut after = if serves {
        q.staged()
    } else {
        let mut l = q.original(q.staged_residence());
        l.warp += q.entry();
        l
    };
    after.warp.wait += q.turnover();
    Prediction::of(target, &before, &after, serves)
}

/// The strips that a launch's block gets where they grow.
fn stretched(plan: &Plan, shape: Shape, launch: &Launch) -> Shape {
    let mut all = plan.regions.iter().filter_map(|r| r.stretch.as_ref());
    let Some(s) = all.next() else { return shape };
    let in_area = |w: &&Way| launch.eval(&w.bytes()) <= f64::from(s.area);
    let way = s.ways.iter().find(in_area);
    way.map_or(shape, |w| Shape {
        length: w.length,
        depth: w.depth,
        ..shape
    })
}

impl Question<'_> {
    /// What a block costs beside its work. Only versions that change nothing but the number of blocks
    /// are compared with it.
    fn turnover(&self) -> f64 {
        match self.plan.lockstep() {
            Some(_) => f64::from(self.target.turnover),
            None => 0.0,
        }
    }

    /// What accesses move, where a block has `l1` bytes of L1.
    fn traffic(&self, l1: f64, left: &dyn Fn(AccessId) -> bool) -> Traffic {
        let mut t = traffic::traffic(&self.f, self.known, self.launch, l1, left);
        if self.warm && t.dram <= f64::from(self.target.l2_bytes) {
            t.dram = 0.0;
        }
        t
    }

    fn original(&self, r: Residence) -> Load {
        let traffic = self.traffic(r.l1, &|_| true);
        let unmerged = Shape {
            merge: [1; 3],
            depth: 1,
            ..self.shape
        };
        let untouched = Question {
            plan: &Plan::default(),
            shape: unmerged,
            whole: None,
            ..*self
        };
        let body = Body {
            of: &untouched,
            served: HashMap::default(),
            traffic: &traffic,
            far: self.far(traffic.dram, traffic.l2 * self.launch.blocks()),
        };
        Load {
            warp: body.cost(),
            threads: self.launch.threads(),
            blocks: self.launch.blocks(),
            resident: r.blocks,
            l2: traffic.l2,
            dram: traffic.dram,
            updates: self.updates().0,
        }
    }

    fn staged(&self) -> Load {
        let r = self.staged_residence();
        let mut served = HashMap::default();
        let tiles = self.tiles();
        self.plan
            .regions
            .iter()
            .for_each(|x| tiles.served(x, &mut served));
        let register = |a: AccessId| self.plan.scalars().any(|p| p.accesses.contains(&a));
        let left = |a: AccessId| !served.contains_key(&a) && !register(a);
        let replicas = f64::from(self.shape.merge.iter().product::<u32>());
        let mut traffic = self.traffic(r.l1, &left);
        traffic.l2 *= replicas;
        let whole = self.traffic(r.l1, &|_| true);
        let merged = |d: usize| (self.launch.grid[d] / f64::from(self.shape.merge[d])).ceil();
        let mut body = Body {
            of: self,
            served: served.clone(),
            traffic: &traffic,
            far: f64::from(self.target.l2_latency),
        };
        // What is copied is known after one walk; how far it comes, and so the waits, after two.
        let warps = (self.launch.threads() / 32.0).ceil();
        let blocks = merged(0) * merged(1) * merged(2);
        let copied = body.cost().l2 * warps;
        body.far = self.far(whole.dram, (copied + traffic.l2) * blocks);
        // The blocks whose work others do only come to the entry.
        let followers = Cost {
            issue: self.entry().issue * (replicas - 1.0),
            ..Cost::default()
        };
        let own = Cost {
            lsu: self.updates().0 / self.launch.blocks() / warps / 32.0 * SHARED_UPDATE * replicas,
            ..Cost::default()
        };
        Load {
            warp: body.cost() + self.entry() + followers + own,
            threads: self.launch.threads(),
            blocks,
            resident: r.blocks,
            l2: traffic.l2,
            dram: whole.dram,
            updates: self.updates().1,
        }
    }

    /// Atomic updates that are made in steps: those of all threads, and those that leaders make in global memory.
    fn updates(&self) -> (f64, f64) {
        let Some(updates) = self.plan.steps().map(|s| s.updates()) else {
            return (0.0, 0.0);
        };
        let runs = |a: &AccessId| {
            let leaf = self.f.node_of(*a);
            let outer = leaf.map_or(Vec::new(), |n| self.f.tree.enclosing_loops(n));
            outer.iter().map(|l| self.launch.trip(*l)).product::<f64>()
        };
        let threads = self.launch.threads() * self.launch.blocks();
        let each: f64 = updates.by_steps.iter().map(runs).sum();
        let by_chip = f64::from(updates.resident) / self.launch.threads();
        let leaders = by_chip.min(threads / f64::from(updates.share)).max(1.0);
        (each * threads, leaders * f64::from(updates.by_leader))
    }

    /// Cycles of a load that misses L1: of what L2 moves, some comes from DRAM.
    fn far(&self, dram: f64, l2: f64) -> f64 {
        let part = (dram / l2.max(1.0)).min(1.0);
        let (near, far) = (self.target.l2_latency, self.target.dram_latency);
        f64::from(near) + part * f64::from(far - near)
    }

    fn entry(&self) -> Cost {
        let of = |x: &Fact| match x {
            Fact::InRange { .. } | Fact::Multiple { .. } => ENTRY_FACT,
            Fact::Disjoint { .. } => ENTRY_DISJOINT,
            Fact::DisjointHulls { a, b } => ENTRY_DISJOINT * (a.len() + b.len()) as f64 / 2.0,
            // The host asks.
            Fact::Mapped { .. } => 0.0,
        };
        Cost {
            issue: ENTRY + self.plan.facts().map(of).sum::<f64>(),
            wait: match self.plan.lockstep() {
                Some(_) => 0.0,
                None => f64::from(self.target.barrier),
            },
            ..Cost::default()
        }
    }

    /// Whether the launch passes the facts that numbers can tell; arrays are taken to be apart.
    fn serves(&self) -> bool {
        self.plan.facts().all(|x| self.holds(x)) && self.has_registers()
    }

    /// Whether the model is sure of the launch.
    fn pays(&self) -> bool {
        self.plan.pays().all(|x| self.holds(x))
    }

    /// Whether blocks of the launch leave the registers that the version has as a kernel of its own (`crate::own`).
    fn has_registers(&self) -> bool {
        let leave = self.target.register_ceiling(self.launch.threads() as u32);
        self.plan.registers.is_none_or(|wanted| leave >= wanted)
    }

    fn holds(&self, fact: &Fact) -> bool {
        match fact {
            // What varies is bounded by guards, which the entry knows and this does not.
            Fact::InRange { poly, .. }
                if poly.any(|a| a.varies() || matches!(a, Atom::Ctaid(_))) =>
            {
                true
            }
            Fact::InRange { poly, lo, hi } => {
                let (l, h) = self.launch.bounds(poly);
                l >= *lo as f64 && h <= *hi as f64
            }
            Fact::Multiple { poly, of } => {
                let (l, h) = self.launch.bounds(poly);
                l == h && l.rem_euclid(*of as f64) == 0.0
            }
            Fact::Disjoint { .. } | Fact::DisjointHulls { .. } | Fact::Mapped { .. } => true,
        }
    }
}
