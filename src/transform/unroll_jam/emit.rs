//! Emits a loop that is unrolled and jammed.
//!
//! ```text
//! for (g = 0; g < offset + trip; g += replicas)              each thread by itself, no barrier
//!   if (offset < g + replicas)                               the thread has begun
//!     all replicas its own?   yes: core for all replicas;  each replica's epilogue
//!                             no:  the same with replicas kept within the thread's iterations, and
//!                                  epilogues only for its own
//! epilogue: stores put off, accumulators, the rest of the body, what the next iteration takes over
//! ```
//! A replica that is not the thread's own does in the core what one of its own iterations does: nothing
//! is loaded that the original would not have loaded.

use crate::affine::{Atom, Poly};
use crate::kernel::BlockId;
use crate::llvm::ir::{Op, Value};
use crate::lower::Lower;
use crate::lower::state::{KEEP, Predicates, Site, Slot};
use crate::lower::walker::Mode;
use crate::map::HashMap;
use crate::plan::{UnrollJam, advance};
use crate::tree::{Edge, LoopId, Node, NodeId, Tree};

/// What a loop's iterations take over from the ones before.
pub(super) struct Carry {
    /// Induction variables: the value at the thread's first iteration, and how the next is made.
    pub counted: Vec<Counted>,
    /// The other header phis, and what the next replica's epilogue begins with.
    pub handed: Vec<(Value, Slot)>,
}

/// A header phi that moves on by a fixed number.
pub(super) struct Counted {
    pub phi: Value,
    first: Value,
    /// The instruction that moves it on.
    next: Value,
    step: Value,
    minus: bool,
}

/// One round: how far its replicas are from the thread's first iteration, in 64 bits.
pub(super) struct Round<'a> {
    pub plan: &'a UnrollJam,
    pub carry: &'a Carry,
    /// Iteration of replica 0; negative before the thread's first.
    pub first: Value,
    pub trip: Value,
    /// Whether all replicas are the thread's own.
    pub full: bool,
}

/// What all jammed iterations do together.
struct Joint;

impl Mode for Joint {
    fn block(&mut self, l: &mut Lower, b: BlockId) {
        l.emit_jammed_block(b);
    }

    fn edge(&mut self, l: &mut Lower, e: Edge) {
        l.emit_jammed_edge(e);
    }

    fn branch(&mut self, l: &mut Lower, _: NodeId, at: BlockId, sides: [NodeId; 2]) {
        l.emit_either(at, sides, self);
    }

    fn repeat(&mut self, l: &mut Lower, id: LoopId) {
        l.emit_jammed_loop(id);
    }
}

/// What of that waits for the current replica's epilogue, in its order.
struct Deferred;

impl Mode for Deferred {
    fn enters(&self, l: &Lower, node: NodeId) -> bool {
        l.is_deferred(node)
    }

    fn block(&mut self, l: &mut Lower, block: BlockId) {
        for store in l.deferred_stores(block) {
            let local = HashMap::default();
            l.emit_instruction(store, &Site { block, local });
        }
        l.b.locate_nowhere();
    }

    fn branch(&mut self, l: &mut Lower, _: NodeId, at: BlockId, sides: [NodeId; 2]) {
        l.emit_either(at, sides, self);
    }

    fn repeat(&mut self, l: &mut Lower, id: LoopId) {
        l.end_scalars(id);
    }
}

impl Lower<'_> {
    /// Emits the loop; its entry edge has set the header's phis.
    pub(crate) fn emit_unroll_jam(&mut self, plan: &UnrollJam) {
        let threads = self.replicas;
        self.replicas = threads.jammed();
        let main = match plan.unrolled_over_tiles {
            None => {
                self.emit_clamped_loop(plan);
                None
            }
            Some(_) => Some(self.emit_main_loop(plan)),
        };
        self.replicas = threads;
        if let Some(main) = main {
            self.emit_remainder_loop(plan, &main);
        }
    }

    /// Emits it in rounds, of which those that are partly the thread's own keep replicas within its iterations.
    fn emit_clamped_loop(&mut self, plan: &UnrollJam) {
        let carry = self.carry(plan.loop_);
        let trip = self.eval(&Poly::atom(Atom::Trip(plan.loop_)));
        let offset = self.eval(&plan.offset);
        let end = self.b.plus(offset, trip);
        let replicas = self.b.long(i64::from(plan.replicas));
        let base = self.new_slot(self.b.i64());
        self.set(base, self.b.long(0));
        let again = self.fall_into("mesi.round");
        let g = self.get(base);
        let next = self.b.add_nsw(g, replicas);
        let first = self.b.minus(g, offset);
        let begun = self.b.below(offset, next);
        self.when(Some(begun), |s| {
            let after = s.b.at_most(offset, g);
            let before = s.b.at_most(next, end);
            let full = s.b.and(after, before);
            let (yes, no) = (s.new_block("mesi.full"), s.new_block("mesi.part"));
            let join = s.new_block("mesi.join");
            s.b.cond_br(full, yes, no);
            for (block, full) in [(yes, true), (no, false)] {
                s.b.at_end(block);
                let carry = &carry;
                s.emit_round(&Round {
                    plan,
                    carry,
                    first,
                    trip,
                    full,
                });
                s.b.br(join);
            }
            s.b.at_end(join);
        });
        self.set(base, next);
        let done = self.new_block("mesi.done");
        let branch = self.b.cond_br(self.b.below(next, end), again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
    }

    pub(super) fn carry(&mut self, l: LoopId) -> Carry {
        let header = self.from.kernel.block(self.from.tree.loop_(l).header);
        let mut carry = Carry {
            counted: Vec::new(),
            handed: Vec::new(),
        };
        for phi in header.phis() {
            let s = self.slot_of(phi);
            let first = self.get(s);
            if let Some((next, step, minus)) = advance(self.from.kernel, self.from.tree, l, phi) {
                let at = self.from.kernel.block_id(header);
                let step = self.read(step, at);
                carry.counted.push(Counted {
                    phi,
                    first,
                    next,
                    step,
                    minus,
                });
            } else {
                let s = self.new_slot(phi.ty());
                self.set(s, first);
                carry.handed.push((phi, s));
            }
        }
        carry
    }

    pub(super) fn emit_round(&mut self, r: &Round) {
        let tree = self.from.tree;
        let (joint, after) = split_at_core(tree, r.plan);
        self.set_counted(r);
        joint.iter().for_each(|n| self.emit_as(*n, &mut Joint));
        for replica in 0..self.replicas.count() {
            self.replica = replica;
            let k = self.b.plus(r.first, self.b.long(replica as i64));
            let own = (!r.full).then(|| {
                let begun = self.b.at_most(self.b.long(0), k);
                self.b.and(begun, self.b.below(k, r.trip))
            });
            self.when(own, |s| s.emit_epilogue(r, joint, after));
        }
        self.replica = 0;
    }

    /// Sets the induction variables of all replicas.
    fn set_counted(&mut self, r: &Round) {
        let latch = self.from.tree.loop_(r.plan.loop_).latch;
        for c in &r.carry.counted {
            for replica in 0..self.replicas.count() {
                let v = if r.full && replica > 0 {
                    // As the original makes it: what it knows of overflow helps to find that
                    // addresses lie side by side.
                    self.replica = replica - 1;
                    let site = Site {
                        block: latch,
                        local: HashMap::default(),
                    };
                    self.emit_instruction(c.next, &site)
                        .expect("a sum has a value")
                } else {
                    self.iteration_value(c, r, replica)
                };
                self.replica = replica;
                let s = self.slot_of(c.phi);
                self.set(s, v);
            }
        }
        self.replica = 0;
    }

    /// An induction variable at a replica's iteration, or at the nearest one of the thread's own.
    pub(super) fn iteration_value(&self, c: &Counted, r: &Round, replica: usize) -> Value {
        let b = &self.b;
        let mut k = b.plus(r.first, b.long(replica as i64));
        if !r.full {
            let last = b.minus(r.trip, b.long(1));
            k = b.least(b.greatest(k, b.long(0)), last);
        }
        // Modulo the width, as the machine counts.
        let k = b.trunc(k, c.phi.ty());
        let by = b.times(k, c.step);
        if c.minus {
            b.minus(c.first, by)
        } else {
            b.plus(c.first, by)
        }
    }

    /// Whether a store of jammed iterations, which is put off, takes what an instruction makes.
    pub(crate) fn is_put_off(&self, i: Value) -> bool {
        let Some(plan) = self.from.plan.unroll_jam() else {
            return false;
        };
        let (joint, _) = split_at_core(self.from.tree, plan);
        let mut blocks = joint.iter().flat_map(|n| self.from.tree.blocks_in(*n));
        let stores = i.users().into_iter().filter(|u| u.is(Op::LLVMStore));
        let stores: Vec<Value> = stores.collect();
        !stores.is_empty()
            && blocks.any(|b| self.deferred_stores(b).iter().any(|s| stores.contains(s)))
    }

    /// The stores of a block that wait for the replicas' epilogues: all but those of accumulators.
    fn deferred_stores(&self, b: BlockId) -> Vec<Value> {
        let kept = self.from.plan.scalars().flat_map(|p| &p.accesses);
        let kept: Vec<Value> = kept.map(|a| self.from.instruction(*a)).collect();
        let all = self.from.kernel.block(b).instructions().into_iter();
        all.filter(|i| i.is(Op::LLVMStore) && !kept.contains(i))
            .collect()
    }

    /// Whether something of a node waits for the replicas' epilogues.
    fn is_deferred(&self, node: NodeId) -> bool {
        let blocks = self.from.tree.blocks_in(node);
        let stores = blocks.iter().any(|b| !self.deferred_stores(*b).is_empty());
        let sum = |p: &crate::plan::ScalarReplacement| {
            let at = self.from.tree.loop_(p.loop_).node;
            self.from.tree.contains(node, at)
        };
        stores || self.from.plan.scalars().any(sum)
    }

    fn emit_jammed_edge(&mut self, e: Edge) {
        let all = Predicates(vec![None; self.replicas.count()].into());
        self.emit_edge_under(e, &all);
        let mut loops = self.from.tree.loop_ids();
        let goes_on = |l: &LoopId| {
            let lp = self.from.tree.loop_(*l);
            (lp.latch, lp.header) == (e.from, e.to)
        };
        if let Some(l) = loops.find(goes_on) {
            self.count_iteration(l);
        }
    }

    /// Clones a block for all replicas, its stores but those of accumulators left out.
    fn emit_jammed_block(&mut self, id: BlockId) {
        let deferred = self.deferred_stores(id);
        let mut sites = self.sites_of_replicas(id);
        for i in self.cloned_in(id) {
            if deferred.contains(&i) {
                continue;
            }
            let own = self.is_replaced(i);
            let mask = if own { u8::MAX } else { self.replicas.mask(i) };
            self.emit_for_replicas(i, mask, &mut sites, |l, s| l.emit_instruction(i, s));
        }
        self.replica = 0;
        self.b.locate_nowhere();
    }

    /// A loop of the core: all replicas leave it together.
    fn emit_jammed_loop(&mut self, l: LoopId) {
        for replica in 0..self.replicas.count() {
            self.replica = replica;
            self.begin_scalars(l);
        }
        self.replica = 0;
        self.begin_count(l, self.b.int(0));
        let again = self.fall_into("mesi.loop");
        let done = self.new_block("mesi.done");
        match self.unrolled_over_tiles(l) {
            None => self.emit_joint_again(l, [again, done], &mut Joint),
            Some(n) => {
                let branch = self.emit_joint_iteration(l, [again, done], &mut Joint);
                self.b
                    .loop_properties(branch, &[&format!("llvm.loop.unroll.count={n}")]);
                self.b.at_end(done);
            }
        }
        self.iterations.remove(&l);
    }

    /// What is left of the current replica's iteration when its core has run.
    fn emit_epilogue(&mut self, r: &Round, joint: &[NodeId], after: &[NodeId]) {
        let l = r.plan.loop_;
        joint.iter().for_each(|n| self.emit_as(*n, &mut Deferred));
        for (phi, s) in &r.carry.handed {
            let to = self.slot_of(*phi);
            self.set(to, self.get(*s));
        }
        after.iter().for_each(|n| self.emit_structured(*n));
        self.hand_out(l);
        let latch = self.from.kernel.block(self.from.tree.loop_(l).latch);
        let header = self.from.tree.loop_(l).header;
        let moves: Vec<(Slot, Value)> = r
            .carry
            .handed
            .iter()
            .filter_map(|(phi, s)| Some((*s, phi.incoming_from(latch)?)))
            .map(|(s, v)| (s, self.read(v, header)))
            .collect();
        moves.into_iter().for_each(|(s, v)| self.set(s, v));
    }

    /// Gives code behind the loop what this iteration computed, as it may be the last.
    fn hand_out(&mut self, l: LoopId) {
        let replica = self.replica;
        let lp = self.from.tree.loop_(l);
        let outside = |u: &Value| {
            let at = u.block().map(|b| self.from.kernel.block_id(b));
            at.is_some_and(|b| !lp.blocks.contains(&b))
        };
        let blocks = lp.blocks.iter().map(|b| self.from.kernel.block(*b));
        let all = blocks.flat_map(|b| b.instructions());
        let seen: Vec<Value> = all.filter(|i| i.users().iter().any(outside)).collect();
        let own = self.from.kernel.block(lp.header).phis();
        let exit = lp.exit.to;
        for i in seen {
            self.replica = replica;
            let v = if own.contains(&i) {
                let s = self.slot_of(i);
                self.get(s)
            } else {
                self.read(i, exit)
            };
            self.replica = 0;
            let to = if self.loop_of_phi(i).is_some() {
                self.last_slot(i)
            } else {
                self.slot_of(i)
            };
            self.set(to, v);
        }
        self.replica = replica;
    }
}

/// A loop's body up to its core, which all replicas run together, and what is behind that.
fn split_at_core<'t>(tree: &'t Tree, plan: &UnrollJam) -> (&'t [NodeId], &'t [NodeId]) {
    let Node::Seq(children) = tree.node(tree.loop_(plan.loop_).body) else {
        unreachable!("a loop's body is a sequence");
    };
    let at = children.iter().position(|n| *n == plan.core);
    children.split_at(at.expect("the core is a child of the body") + 1)
}
