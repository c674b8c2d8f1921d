//! Emits a body that does plane after plane: the replicas along z are iterations.
//!
//! ```text
//! for (z = 0; z < 16; z++)                               z: the replica's place
//!   if (all replicas of the plane there, and inside)
//!     if (the plane before was not done so)  w[0], w[1] = in[z-1], in[z]     what it would have left
//!     w[2] = in[z+1];  out[z] = f(w);  w[0], w[1] = w[1], w[2]
//!   else the original body for each replica of the plane that is there
//! ```

use super::emit_walk::{Key, Lockstep, Streamed};
use crate::lower::Lower;
use crate::lower::state::{KEEP, Slot};
use crate::map::HashSet;
use crate::plan::LockstepPlan;
use crate::tree::NodeId;

impl Lower<'_> {
    /// Emits the body, plane after plane; `part`: what makes all accesses.
    pub(super) fn emit_streamed(&mut self, plan: &LockstepPlan, part: NodeId) {
        let planes = self.b.int(i64::from(self.replicas.merge.factor[2]));
        let (at, left) = (self.new_slot(self.b.i32()), self.new_slot(self.b.i1()));
        let no = self.b.i1().constant(0);
        self.set(at, self.b.int(0));
        self.set(left, no);
        let carried = self.carried_by_planes(plan);
        let again = self.fall_into("mesi.plane");
        let (now, before) = (self.get(at), self.get(left));
        self.set(left, no);
        self.place[2] = Some(now);
        let streamed = Streamed {
            part,
            before,
            left,
            carried,
        };
        self.emit_in_lockstep(plan, Some(&streamed));
        self.place[2] = None;
        let next = self.b.add_nsw(now, self.b.int(1));
        self.set(at, next);
        let done = self.new_block("mesi.done");
        let branch = self.b.cond_br(self.b.below(next, planes), again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
    }

    /// Of the loads of a plane those that the next plane makes again.
    fn carried_by_planes(&mut self, plan: &LockstepPlan) -> Vec<(Key, Key, Slot)> {
        let mut all: Vec<(Key, Key)> = Vec::new();
        for a in &plan.loads {
            let i = self.from.instruction(*a);
            for place in self.replicas.places.clone() {
                let [x, y, z] = place;
                let of = |s: &Self, place| s.key_of_load(i, *a, place);
                all.extend(of(self, place).zip(of(self, [x, y, z + 1])));
            }
        }
        let loaded: HashSet<Key> = all.iter().map(|(now, _)| now.clone()).collect();
        let mut seen = HashSet::default();
        all.retain(|(now, next)| loaded.contains(next) && seen.insert(now.clone()));
        let kept = all.into_iter().map(|(now, next)| {
            let slot = self.new_slot(now.2);
            (now, next, slot)
        });
        kept.collect()
    }

    /// Emits a plane of which all replicas are there and make all accesses.
    pub(super) fn emit_plane(&mut self, s: &Streamed, walk: &mut Lockstep) {
        let [first, rest] = ["mesi.first", "mesi.rest"].map(|n| self.new_block(n));
        self.b.cond_br(s.before, rest, first);
        self.b.at_end(first);
        // Of what is loaded here only what is kept is used.
        walk.only_loads = true;
        self.emit_as(s.part, walk);
        walk.only_loads = false;
        for (now, _, slot) in &s.carried {
            self.set(*slot, walk.loaded[now]);
        }
        self.b.br(rest);
        self.b.at_end(rest);
        let kept = s.carried.iter();
        walk.known = kept
            .map(|(now, _, slot)| (now.clone(), self.get(*slot)))
            .collect();
        walk.loaded.clone_from(&walk.known);
        self.emit_as(s.part, walk);
        for (_, next, slot) in &s.carried {
            self.set(*slot, walk.loaded[next]);
        }
        self.set(s.left, self.b.i1().constant(1));
    }
}
