//! One version of a kernel.

use super::{
    Fact, GridSteps, LockstepPlan, LoopPlan, Merge, Region, ScalarReplacement, Storage, Test, Tile,
    UnclampedLoop, Unroll, UnrollJam, WideStore, Workers,
};
use std::any::Any;
use std::sync::Arc;

/// One version of a kernel: what its body does in another way. It is idle by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// How many neighbouring blocks one block does the work of.
    pub merge: Merge,
    /// Who does their work, where there is no region.
    pub workers: Workers,
    /// How loops run in another way, jammed ones also over whole tiles; each kind at most once for a loop.
    pub loops: Vec<LoopPlan>,
    /// Where tiles live: regions, outer before inner, in tree order. Regions are disjoint or nested. A loop may be
    /// the node of two: a whole region and, inside it, the strips.
    pub regions: Vec<Region>,
    /// What else is kept, or written, in another way than in memory element by element.
    pub storage: Vec<Storage>,
    /// Bytes of the buffer that all tiles carve.
    pub shared_bytes: u32,
    /// What is asked of each launch: first what the version rests on, cheapest first, then what says that it gains.
    pub tests: Vec<Test>,
    /// What is computed again behind passes over strips instead of kept in registers.
    pub remat: Vec<Remat>,
    /// Registers of a thread, if a kernel of its own is to have others than are usual for what it does: it serves no
    /// larger blocks than they allow.
    pub registers: Option<u32>,
}

impl Plan {
    /// All tiles, region by region.
    pub fn tiles(&self) -> impl Iterator<Item = &Tile> {
        self.regions.iter().flat_map(|r| &r.tiles)
    }

    /// Whether loops carry reuse of what some tile holds.
    pub fn reuses(&self) -> bool {
        let mut members = self.tiles().flat_map(|t| &t.members);
        members.any(|m| m.reuse.is_some())
    }

    /// Whether there are tiles, and loops carry reuse of all reads of them.
    pub fn reuses_all(&self) -> bool {
        let mut members = self.tiles().flat_map(|t| &t.members);
        !self.regions.is_empty() && members.all(|m| m.reuse.is_some())
    }

    /// Blocks along x, at most, that a kernel of its own with this plan is launched in, whatever the launch is; `None`:
    /// as many as the launch has. It is right in any number of them, if all that it rests on was asked of the launch as
    /// it was: it must not test that itself.
    pub fn most_blocks(&self) -> Option<u32> {
        self.steps()?.most_blocks()
    }

    /// The steps in which a few blocks do the work of all, if they do.
    pub fn steps(&self) -> Option<&dyn GridSteps> {
        match &self.workers {
            Workers::Leaders(_, steps) => Some(&**steps),
            _ => None,
        }
    }

    /// The steps, if they are those of the transformation whose type this is.
    pub fn steps_as<T: GridSteps>(&self) -> Option<&T> {
        let steps: &dyn Any = self.steps()?;
        steps.downcast_ref()
    }

    /// Has the blocks that run in lockstep, or in other steps, take these; others are left as they are.
    pub fn set_steps(&mut self, steps: Arc<dyn GridSteps>) {
        if let Some(leading) = std::mem::take(&mut self.workers).leading(steps) {
            self.workers = leading;
        }
    }

    /// Whether shared memory holds something of what the kernel reads or updates.
    pub fn stages(&self) -> bool {
        !self.regions.is_empty() || self.steps().is_some()
    }

    /// How replicas run in lockstep, if they do.
    pub fn lockstep(&self) -> Option<&LockstepPlan> {
        match &self.workers {
            Workers::Threads => None,
            Workers::Lockstep(lockstep) | Workers::Leaders(lockstep, _) => Some(lockstep),
        }
    }

    /// The same, to be changed.
    pub fn lockstep_mut(&mut self) -> Option<&mut LockstepPlan> {
        match &mut self.workers {
            Workers::Threads => None,
            Workers::Lockstep(lockstep) | Workers::Leaders(lockstep, _) => Some(lockstep),
        }
    }

    /// Accumulators kept in registers while a loop runs.
    pub fn scalars(&self) -> impl Iterator<Item = &ScalarReplacement> {
        self.storage.iter().filter_map(|s| match s {
            Storage::Register(scalar) => Some(scalar),
            Storage::Wide(_) => None,
        })
    }

    /// The same, to be changed.
    pub fn scalars_mut(&mut self) -> impl Iterator<Item = &mut ScalarReplacement> {
        self.storage.iter_mut().filter_map(|s| match s {
            Storage::Register(scalar) => Some(scalar),
            Storage::Wide(_) => None,
        })
    }

    /// Stores that several replicas do at once.
    pub fn wide_stores(&self) -> impl Iterator<Item = &WideStore> {
        self.storage.iter().filter_map(|s| match s {
            Storage::Register(_) => None,
            Storage::Wide(store) => Some(store),
        })
    }

    /// Whether any accumulator is kept in a register.
    pub fn has_scalars(&self) -> bool {
        self.scalars().next().is_some()
    }

    /// What must hold for each launch, cheapest first; the original body runs unless all of it does.
    pub fn facts(&self) -> impl Iterator<Item = &Fact> {
        self.tests.iter().filter_map(Test::if_sound)
    }

    /// The same, to be changed.
    pub fn facts_mut(&mut self) -> impl Iterator<Item = &mut Fact> {
        self.tests.iter_mut().filter_map(|t| match t {
            Test::Sound(fact) => Some(fact),
            Test::Pays(_) => None,
        })
    }

    /// What a launch meets of which the model is sure that it gains: the entry tests it first in a kernel that holds
    /// its version itself, and the run-time part asks before anything is measured. Nothing rests on it.
    pub fn pays(&self) -> impl Iterator<Item = &Fact> {
        self.tests.iter().filter_map(|t| match t {
            Test::Sound(_) => None,
            Test::Pays(fact) => Some(fact),
        })
    }

    /// Adds what must hold, as far as it is not there.
    pub fn require(&mut self, facts: impl IntoIterator<Item = Fact>) {
        for fact in facts {
            if !self.facts().any(|f| *f == fact) {
                self.tests.push(Test::Sound(fact));
            }
        }
    }

    /// Puts the tests that take longest behind the others.
    pub fn sort_tests(&mut self) {
        crate::order::sort_by_key(&mut self.tests, |t| {
            matches!(t, Test::Sound(Fact::Disjoint { .. }))
        });
    }

    /// The version without what is asked for profit alone.
    pub fn unpriced(mut self) -> Plan {
        self.tests.retain(|t| t.if_sound().is_some());
        self
    }

    /// The outer loop of which a thread runs iterations together, if there is one: there is one at most.
    pub fn unroll_jam(&self) -> Option<&UnrollJam> {
        self.loops.iter().find_map(|l| match l {
            LoopPlan::Jammed(jam) => Some(jam),
            _ => None,
        })
    }

    /// Loops that are unrolled.
    pub fn unrolled(&self) -> impl Iterator<Item = &Unroll> {
        self.loops.iter().filter_map(|l| match l {
            LoopPlan::Unrolled(unroll) => Some(unroll),
            _ => None,
        })
    }

    /// The loop that runs without its clamps where they change nothing: there is one at most.
    pub fn unclamped(&self) -> Option<&UnclampedLoop> {
        self.loops.iter().find_map(|l| match l {
            LoopPlan::Unclamped(unclamped) => Some(unclamped),
            _ => None,
        })
    }

    /// Whether any loop is unrolled.
    pub fn unrolls(&self) -> bool {
        self.unrolled().next().is_some()
    }

    /// Whether the replaced scalars are all there is: nothing is staged, merged or jammed.
    pub fn has_scalars_only(&self) -> bool {
        self.has_scalars() && self.regions.is_empty() && self.unroll_jam().is_none()
    }

    /// Whether nothing is done: no version is made of it. Loops without clamps are only made beside something else.
    pub fn is_idle(&self) -> bool {
        let whole = self.lockstep().is_none() && self.unroll_jam().is_none();
        self.regions.is_empty() && whole && !self.has_scalars_only() && !self.unrolls()
    }
}

/// What is computed again behind passes over strips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remat {
    /// The ids of merged blocks are read again also where their replicas' cells lie side by side.
    Ids,
    /// Real numbers that are the same for all threads.
    Floats,
}
