//! Emits a loop that is unrolled and jammed over whole tiles.
//!
//! ```text
//! for (g = 0; g + replicas <= trip; g += replicas)         core for all replicas;  each replica's epilogue
//! for (; g < trip; g++)                                    the loop as it is
//! ```
//! Tiles lie where a round's iterations read them: an iteration's own cells are as many rows further as it is past the
//! round's first, which is a constant times a pitch, so one address serves all of them.

use super::emit::{Carry, Round};
use crate::affine::{Atom, Poly};
use crate::llvm::ir::Value;
use crate::lower::Lower;
use crate::lower::state::{Iteration, KEEP, Slot};
use crate::plan::UnrollJam;
use crate::tree::LoopId;

/// What the main loop, all of whose rounds are the thread's own, leaves to the remainder loop.
pub(super) struct MainLoop {
    carry: Carry,
    /// Iterations that they were (64 bits).
    done: Slot,
    trip: Value,
}

impl Lower<'_> {
    /// Emits the rounds of a loop whose entry edge has set the header's phis.
    pub(super) fn emit_main_loop(&mut self, plan: &UnrollJam) -> MainLoop {
        let l = plan.loop_;
        let carry = self.carry(l);
        let trip = self.eval(&Poly::atom(Atom::Trip(l)));
        let replicas = self.b.long(i64::from(plan.replicas));
        let done = self.new_slot(self.b.i64());
        self.set(done, self.b.long(0));
        self.iterations.insert(l, Iteration::Jammed { first: done });
        let some = self.b.at_most(replicas, trip);
        self.when(Some(some), |s| {
            let again = s.fall_into("mesi.round");
            let first = s.get(done);
            s.emit_round(&Round {
                plan,
                carry: &carry,
                first,
                trip,
                full: true,
            });
            let next = s.b.add_nsw(first, replicas);
            s.set(done, next);
            let behind = s.new_block("mesi.done");
            let end = s.b.add_nsw(next, replicas);
            let branch = s.b.cond_br(s.b.at_most(end, trip), again, behind);
            s.b.loop_properties(branch, KEEP);
            s.b.at_end(behind);
        });
        self.iterations.remove(&l);
        MainLoop { carry, done, trip }
    }

    /// Emits the iterations that are left over, one by one.
    pub(super) fn emit_remainder_loop(&mut self, plan: &UnrollJam, main: &MainLoop) {
        let first = self.get(main.done);
        let left = self.b.below(first, main.trip);
        self.when(Some(left), |s| {
            s.set_header(&Round {
                plan,
                carry: &main.carry,
                first,
                trip: main.trip,
                full: true,
            });
            let first = s.b.trunc(first, s.b.i32());
            s.emit_loop_from(plan.loop_, first);
        });
    }

    /// Gives the header's phis what they are at the first iteration of a round.
    fn set_header(&mut self, r: &Round) {
        let counted = r.carry.counted.iter();
        let counted: Vec<(Value, Value)> = counted
            .map(|c| (c.phi, self.iteration_value(c, r, 0)))
            .collect();
        let handed = r.carry.handed.iter();
        let handed: Vec<(Value, Value)> = handed.map(|(phi, s)| (*phi, self.get(*s))).collect();
        for (phi, v) in counted.into_iter().chain(handed) {
            let s = self.slot_of(phi);
            self.set(s, v);
        }
    }

    /// How many iterations of a loop of the core are unrolled, where the plan says it: LLVM would unroll a body that
    /// is longer by the replicas less, and read fewer cells of a row at once.
    pub(super) fn unrolled_over_tiles(&self, l: LoopId) -> Option<u32> {
        let n = self.from.plan.unroll_jam()?.unrolled_over_tiles?;
        let body = self.from.tree.loop_(l).body;
        let mut loops = self.from.tree.loops.iter();
        let holds_loop = loops.any(|x| self.from.tree.contains(body, x.node));
        (!holds_loop).then_some(n)
    }
}
