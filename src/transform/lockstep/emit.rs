//! Emits a body without tiles: the replicas of a thread run together, as long as they go the same way.
//!
//! ```text
//! all replicas there?                          no ──► slow: for each replica that is there { original body }
//! if (inside)   all replicas ──► loads of all replicas, each address once; stores of all replicas
//!               none         ──► the other side
//!               some         ──► slow, where nothing was stored yet; else replica by replica
//! ```
//! Every replica of such a thread would have come to every instruction emitted here, so none needs a
//! guard, loads included. The slow path is the original body once more, in a loop over the replicas,
//! whose place among the merged blocks is a number that only the machine knows.

use super::emit_walk::{Key, Known, Lockstep, Streamed};
use crate::access::{AccessId, AccessKind};
use crate::kernel::{BlockId, Dim};
use crate::llvm::ir::{Block, Op, Value};
use crate::lower::Lower;
use crate::lower::state::{ANY, KEEP, Predicates, SELDOM, Site};
use crate::lower::walker::Mode;
use crate::map::HashMap;
use crate::plan::{LockstepPlan, Reuse, replica_address};
use crate::tree::{Edge, LoopId, NodeId};

impl Mode for Lockstep<'_> {
    fn block(&mut self, l: &mut Lower, b: BlockId) {
        l.emit_block_for_all(b, self);
    }

    fn edge(&mut self, l: &mut Lower, e: Edge) {
        l.emit_edge_under(e, &self.all);
    }

    fn branch(&mut self, l: &mut Lower, node: NodeId, at: BlockId, sides: [NodeId; 2]) {
        match l.is_even(at) || self.plan.guards.contains(&node) {
            true => l.relieved(node, |l| l.emit_if_for_all(at, sides, self)),
            // Threads that wait for each other there must come to the same instructions, in one order.
            false if self.plan.keeps_barriers() && !l.meets_in(node) => {
                l.emit_if_for_all_or_each(node, at, sides, self)
            }
            false => l.emit_replica_by_replica(node, self),
        }
    }

    fn repeat(&mut self, l: &mut Lower, id: LoopId) {
        match l.replicas.is_joint(id) {
            true => l.emit_loop_for_all(id, self),
            false => l.emit_replica_by_replica(l.from.tree.loop_(id).node, self),
        }
    }

    fn opaque(&mut self, l: &mut Lower, node: NodeId) {
        l.emit_replica_by_replica(node, self);
    }
}

impl Lower<'_> {
    /// Emits a node for all replicas, all of which come to it. Where they disagree at a guard, `slow` begins anew;
    /// `None`: there are no guards.
    pub(crate) fn emit_node_for_all(
        &mut self,
        node: NodeId,
        plan: &LockstepPlan,
        slow: Option<Block>,
    ) {
        debug_assert!(slow.is_some() || plan.guards.is_empty());
        let slow = slow.unwrap_or(self.b.block());
        let mut walk = self.new_walk(plan, slow, None);
        self.emit_as(node, &mut walk);
    }

    fn new_walk<'p>(
        &self,
        plan: &'p LockstepPlan,
        slow: Block,
        streamed: Option<&'p Streamed>,
    ) -> Lockstep<'p> {
        let value = |a: &AccessId| (self.from.instruction(*a), *a);
        let carried = plan.carried.iter().map(|(a, reuse)| (value(a).0, *reuse));
        Lockstep {
            plan,
            keyed: plan.loads.iter().map(value).collect(),
            all: Predicates(vec![None; self.replicas.count()].into()),
            slow,
            known: Known::default(),
            loaded: Known::default(),
            only_loads: false,
            streamed,
            carried: carried.collect(),
            rotating: HashMap::default(),
            first: Vec::new(),
        }
    }

    /// Emits the body of a version that stages nothing.
    pub(crate) fn emit_lockstep(&mut self, plan: &LockstepPlan) {
        match plan.streamed {
            Some(part) => self.emit_streamed(plan, part),
            None => self.emit_in_lockstep(plan, None),
        }
    }

    /// Emits it for the replicas that run together.
    pub(super) fn emit_in_lockstep(&mut self, plan: &LockstepPlan, streamed: Option<&Streamed>) {
        let fast = self.new_block("mesi.fast");
        let slow = self.new_block("mesi.slow");
        let end = self.new_block("mesi.end");
        let last = *self.replicas.places.last().expect("there is a replica");
        let last = self.place_at_run_time(last.map(|p| self.b.int(i64::from(p))));
        let there = self.is_replica_there(last);
        self.b.cond_br(there, fast, slow);
        self.b.at_end(fast);
        let mut walk = self.new_walk(plan, slow, streamed);
        self.emit_side(self.from.tree.root, &mut walk);
        self.b.br(end);
        self.b.at_end(slow);
        self.emit_slowly();
        self.b.br(end);
        self.b.at_end(end);
    }

    /// A place, with what of it only the machine knows.
    fn place_at_run_time(&self, place: [Value; 3]) -> [Value; 3] {
        Dim::ALL.map(|d| self.place[d.index()].unwrap_or(place[d.index()]))
    }

    /// Whether the grid has a replica, given its place among the merged blocks.
    fn is_replica_there(&mut self, place: [Value; 3]) -> Value {
        let merge = self.replicas.merge;
        if merge.led {
            return self.b.i1().constant(1);
        }
        let mut tests = Vec::new();
        for d in Dim::ALL.into_iter().filter(|d| merge.along(*d) > 1) {
            let place = place[d.index()];
            let test = if merge.consecutive[d.index()] {
                let first = self.first_replica_index(d);
                let n = self.threads_here(d);
                self.b.below(self.b.plus(first, place), n)
            } else {
                let there = self.replicas_there(d);
                self.b.below(place, there)
            };
            tests.push(test);
        }
        self.b.all(tests).unwrap_or(self.b.i1().constant(1))
    }

    /// Threads of all merged blocks that the grid has, or that the step has.
    fn threads_here(&mut self, d: Dim) -> Value {
        if !self.runs_by_steps() {
            return self.replica_threads32(d);
        }
        let (n, there) = (self.register32("ntid", d), self.replicas_there(d));
        self.b.cells_times(n, there)
    }

    /// The original body for each replica that is there.
    fn emit_slowly(&mut self) {
        let counter = self.new_slot(self.b.i32());
        self.set(counter, self.b.int(0));
        let again = self.fall_into("mesi.lane");
        let replica = self.get(counter);
        let place = self.place_at_run_time(self.place_of(replica));
        let there = self.is_replica_there(place);
        self.replica = ANY;
        let outer = std::mem::replace(&mut self.place, place.map(Some));
        self.when(Some(there), |s| s.emit_structured(s.from.tree.root));
        if self
            .from
            .plan
            .lockstep()
            .is_some_and(|t| t.keeps_barriers())
        {
            // The next replica stores to the arrays that this one's threads may still read.
            self.emit_barrier();
        }
        self.replica = 0;
        self.place = outer;
        self.b.locate_nowhere();
        let next = self.b.add_nsw(replica, self.b.int(1));
        self.set(counter, next);
        let count = self.b.int(self.replicas.count() as i64);
        let done = self.new_block("mesi.done");
        let branch = self.b.cond_br(self.b.below(next, count), again, done);
        // Short windows in large grids: their last groups come here too (3x3 on 4096² x1.83 and, with what is seldom
        // needed worked out here, x1.79).
        let rolled = self.from.plan.lockstep().is_some_and(|t| t.rolled);
        let properties = if rolled { KEEP } else { SELDOM };
        self.b.loop_properties(branch, properties);
        self.b.at_end(done);
    }

    /// The place of a replica among the merged blocks. Factors are powers of two.
    fn place_of(&self, replica: Value) -> [Value; 3] {
        let [x, y, _] = self.replicas.merge.factor;
        let shifted = |by: u32| match by.trailing_zeros() {
            0 => replica,
            n => self.b.lshr(replica, self.b.int(i64::from(n))),
        };
        let within = |v: Value, r: u32| match r {
            1 => self.b.int(0),
            r => self.b.and(v, self.b.int(i64::from(r) - 1)),
        };
        let [fx, fy, fz] = self.replicas.merge.factor;
        [
            within(replica, fx),
            within(shifted(x), fy),
            within(shifted(x * y), fz),
        ]
    }

    /// Emits `node` for each replica by itself.
    fn emit_replica_by_replica(&mut self, node: NodeId, walk: &mut Lockstep) {
        let all = walk.all.clone();
        self.under(&all, |s| s.emit_structured(node));
        self.forget_written(node, walk);
    }

    /// Whether all replicas agree about the branch that ends `at`.
    fn is_even(&self, at: BlockId) -> bool {
        let condition = self.from.kernel.block(at).terminator().condition();
        self.replicas.mask(condition) == 0
    }

    /// A branch that all replicas take, or none; where they disagree, the slow path.
    fn emit_if_for_all(&mut self, at: BlockId, sides: [NodeId; 2], walk: &mut Lockstep) {
        let (yes, no) = (self.new_block("mesi.then"), self.new_block("mesi.else"));
        let join = self.new_block("mesi.join");
        self.emit_branch_for_all(at, [yes, no], walk.slow);
        let before = walk.known.clone();
        for (block, side) in [yes, no].into_iter().zip(sides) {
            walk.known.clone_from(&before);
            self.b.at_end(block);
            self.emit_side(side, walk);
            self.b.br(join);
        }
        self.b.at_end(join);
        walk.known = before;
        sides.iter().for_each(|s| self.forget_written(*s, walk));
    }

    /// Emits a node for all replicas: what a plane is, or part of it.
    fn emit_side(&mut self, side: NodeId, walk: &mut Lockstep) {
        match walk.streamed.filter(|s| s.part == side) {
            Some(streamed) => self.emit_plane(streamed, walk),
            None => self.emit_as(side, walk),
        }
    }

    /// Whether threads of a block or warp wait for each other in a node, or may count on each other's next instruction,
    /// as code does that keeps sums of a warp in volatile shared memory.
    fn meets_in(&self, node: NodeId) -> bool {
        let blocks = self.from.tree.blocks_in(node);
        let meets = |k: AccessKind| matches!(k, AccessKind::Barrier | AccessKind::WarpOperation);
        let mut all = self.from.accesses.iter();
        let mut instructions = blocks
            .iter()
            .flat_map(|b| self.from.kernel.block(*b).instructions());
        let counts = |i: &Value| {
            matches!(i.opcode(), Some(Op::LLVMLoad | Op::LLVMStore)) && i.is_volatile_or_atomic()
        };
        all.any(|a| meets(a.kind) && blocks.contains(&a.block)) || instructions.any(|i| counts(&i))
    }

    /// The same, where replicas that disagree go on together behind the branch: they have a barrier to meet.
    fn emit_if_for_all_or_each(
        &mut self,
        node: NodeId,
        at: BlockId,
        sides: [NodeId; 2],
        walk: &mut Lockstep,
    ) {
        let (slow, each) = (walk.slow, self.new_block("mesi.each"));
        walk.slow = each;
        self.relieved(node, |l| l.emit_if_for_all(at, sides, walk));
        walk.slow = slow;
        let join = self.b.block();
        self.b.at_end(each);
        self.emit_replica_by_replica(node, walk);
        self.b.br(join);
        self.b.at_end(join);
    }

    fn emit_loop_for_all(&mut self, l: LoopId, walk: &mut Lockstep) {
        let unclamped = self.from.plan.unclamped().filter(|c| c.loop_ == l);
        self.relieved(self.from.tree.loop_(l).node, |s| match unclamped {
            Some(c) => s.emit_unclamped(c, |s| s.emit_loop_here_for_all(l, walk)),
            None => s.emit_loop_here_for_all(l, walk),
        });
    }

    /// A loop that all replicas leave together. Where loads slide, its first iteration has code of its own.
    fn emit_loop_here_for_all(&mut self, l: LoopId, walk: &mut Lockstep) {
        let lp = self.from.tree.loop_(l);
        self.forget_written(lp.node, walk);
        let before = walk.known.clone();
        if walk.plan.carried.iter().any(|(_, r)| r.loop_ == l) {
            let [again, done] = ["mesi.slide", "mesi.done"].map(|n| self.new_block(n));
            walk.first.push(l);
            self.emit_joint_iteration(l, [again, done], walk);
            walk.first.pop();
            // What the first iteration found by address is another iteration's.
            walk.known.clone_from(&before);
            self.b.at_end(again);
            self.emit_joint_again(l, [again, done], walk);
        } else {
            self.emit_joint_loop(l, walk);
        }
        walk.known = before;
    }

    /// Leaves a loop as it is, where the plan knows loops to be short.
    pub(crate) fn keep_rolled(&self, branch: Value) {
        if self.from.plan.lockstep().is_some_and(|t| t.rolled) {
            self.b.loop_properties(branch, KEEP);
        }
    }

    pub(crate) fn note_last_of_all(&mut self, l: LoopId) {
        for replica in 0..self.replicas.count() {
            self.replica = replica;
            self.note_last(l);
        }
        self.replica = 0;
    }

    /// Clones a block for all replicas, instruction by instruction, so that all replicas' loads come
    /// before what is made of them. Replicas that an instruction does not depend on share one clone,
    /// and loads one value for one address.
    fn emit_block_for_all(&mut self, id: BlockId, walk: &mut Lockstep) {
        let mut sites = self.sites_of_replicas(id);
        let at_once = self.side_by_side(id, walk.plan);
        self.emit_tests_of(&at_once, id, walk.slow);
        for i in self.cloned_in(id) {
            if walk.only_loads && i.is(Op::LLVMStore) {
                continue;
            }
            if at_once.contains(&i) {
                match i.is(Op::LLVMStore) {
                    true => self.emit_vector_store(i, &sites),
                    false => self.emit_vector_load(i, &mut sites),
                }
                continue;
            }
            if self.loads_at_once(i, walk.plan) {
                self.emit_load_at_once(i, &mut sites);
                continue;
            }
            let is_barrier = walk.plan.keeps_barriers() && is_barrier(i);
            let mask = match is_barrier {
                true => 0,
                false => self.replicas_that_do(i, walk),
            };
            self.emit_for_replicas(i, mask, &mut sites, |l, site| {
                if let Some(reuse) = walk.carried.get(&i).copied() {
                    return l.emit_carried(i, reuse, site, walk);
                }
                let key = l.key_of(i, walk);
                let known = key.as_ref().and_then(|k| walk.known.get(k)).copied();
                let new = known.or_else(|| l.emit_instruction(i, site))?;
                if let Some(k) = key {
                    if walk.streamed.is_some() {
                        walk.loaded.insert(k.clone(), new);
                    }
                    walk.known.insert(k, new);
                }
                Some(new)
            });
            if i.is(Op::LLVMStore) {
                self.forget_written_by(i, walk);
            }
            if is_barrier {
                // Other threads' stores are there now.
                walk.known = Known::default();
            }
        }
        self.replica = 0;
        self.b.locate_nowhere();
    }

    /// The dimensions along which replicas do an instruction by themselves. What only looks like a value is done for
    /// every replica, but a store to a shared array that is one for all of them.
    fn replicas_that_do(&self, i: Value, walk: &Lockstep) -> u8 {
        let stores_own = || {
            let mut all = self.from.accesses.iter();
            i.is(Op::LLVMStore) && !all.any(|a| self.from.kernel.value(a.value) == i)
        };
        let is_value = i.ty().has_values() && !i.is(Op::LLVMAtomicRMW);
        match is_value || walk.plan.keeps_barriers() && stores_own() {
            true => self.replicas.mask(i),
            false => u8::MAX,
        }
    }

    /// What the current replica reads of a window: what the replica behind it had in the iteration before, or a load.
    /// It is left for the replica before it.
    fn emit_carried(
        &mut self,
        i: Value,
        reuse: Reuse,
        site: &Site,
        walk: &mut Lockstep,
    ) -> Option<Value> {
        let Some(along) = reuse.along else {
            return self.emit_instruction(i, site);
        };
        let [x, y, _] = self.replicas.merge.factor;
        let step = [1, x, x * y][along.index()] as usize;
        let place = self.replicas.places[self.replica][along.index()];
        let is_last = place + 1 == self.replicas.merge.along(along);
        let new = match is_last || walk.first.contains(&reuse.loop_) {
            true => self.emit_instruction(i, site)?,
            false => self.get(walk.rotating[&(i, self.replica)]),
        };
        if place > 0 {
            let before = (i, self.replica - step);
            let slot = *walk
                .rotating
                .entry(before)
                .or_insert_with(|| self.new_slot(i.ty()));
            self.set(slot, new);
        }
        Some(new)
    }

    /// What a load of the current replica is found by.
    fn key_of(&self, i: Value, walk: &Lockstep) -> Option<Key> {
        let a = *walk.keyed.get(&i)?;
        self.key_of_load(i, a, self.replicas.places[self.replica])
    }

    /// What a load is found by that is made by the replica at a place.
    pub(super) fn key_of_load(&self, i: Value, a: AccessId, place: [u32; 3]) -> Option<Key> {
        let array = self.from.accesses.get(a).array?;
        let (address, _) = self.from.affine.machine_address[a.index()].as_ref()?;
        let address = replica_address(address, self.replicas.merge, place);
        Some((array, address, i.ty()))
    }

    /// Forgets what stores inside `node` may have changed.
    fn forget_written(&self, node: NodeId, walk: &mut Lockstep) {
        for b in self.from.tree.blocks_in(node) {
            for i in self.from.kernel.block(b).instructions() {
                if i.is(Op::LLVMStore) {
                    self.forget_written_by(i, walk);
                }
            }
        }
    }

    fn forget_written_by(&self, store: Value, walk: &mut Lockstep) {
        let mut list = self.from.accesses.iter();
        let mine =
            list.find(|a| a.kind == AccessKind::Store && self.from.kernel.value(a.value) == store);
        let array = mine.and_then(|a| a.array);
        walk.known.retain(|(x, _, _), _| {
            array.is_some_and(|a| self.from.accesses.surely_distinct(a, *x))
        });
    }
}

/// Whether all threads of a block meet at an instruction, and do nothing else there.
fn is_barrier(i: Value) -> bool {
    i.is(Op::LLVMCall) && i.callee_name().starts_with("llvm.nvvm.barrier.cta.sync.")
}
