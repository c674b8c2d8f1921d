//! Emits code for all replicas of a merged body together.
//!
//! ```text
//! for (k < T) { a_l = tile_a[…]  for every row replica;  b_l = tile_b[…]  for every column replica;
//!               s_l += a_l * b_l  for every replica }            no branch: only stores are guarded
//! ```
//! What cannot fault or be seen runs for every replica, whether or not the original would have
//! brought it here: tiles are zero-filled where nobody copies, arithmetic on what nobody uses
//! harms nobody. Everything else runs replica by replica under the replica's predicate.

use super::Lower;
use super::state::{Hoisted, Iteration, Kept, Predicates, Site, View};
use super::walker::Mode;
use crate::affine::{Atom, Poly};
use crate::kernel::ids::{Register, is_speculatable, register};
use crate::kernel::{BlockId, Dim};
use crate::llvm::ir::{Op, Pred, Value};
use crate::machine::tuning::merge::WARP_TILE;
use crate::map::HashMap;
use crate::plan::{Along, Region, Strip};
use crate::tree::{Edge, ExitAt, LoopId, Node, NodeId};

/// All replicas of a thread, at a node that holds no region, each with a predicate.
struct Predicated<'p> {
    pred: &'p Predicates,
}

impl Mode for Predicated<'_> {
    fn sequence(&mut self, l: &mut Lower, children: &[NodeId]) {
        l.emit_off_spine(children, self.pred);
    }

    fn block(&mut self, l: &mut Lower, b: BlockId) {
        l.emit_block_in_lockstep(b, self.pred);
    }

    fn edge(&mut self, l: &mut Lower, e: Edge) {
        l.emit_edge_under(e, self.pred);
    }

    fn repeat(&mut self, l: &mut Lower, id: LoopId) {
        let node = l.from.tree.loop_(id).node;
        l.relieved(node, |l| l.emit_loop_in_lockstep(id, self.pred));
    }
}

impl Lower<'_> {
    /// The predicates with which the kernel begins: the grid may end before the last replica.
    pub(crate) fn existing_replicas(&mut self) -> Predicates {
        if self.replicas.merge.led {
            return Predicates(vec![None; self.replicas.count()].into());
        }
        let mut all = Vec::new();
        for replica in 0..self.replicas.count() {
            let place = self.replicas.places[replica];
            let mut tests = Vec::new();
            for d in Dim::ALL {
                let r = self.replicas.merge.along(d);
                if r > 1 && self.replicas.merge.consecutive[d.index()] {
                    let (t, more) = self.replica_index_at(d, replica);
                    let n = self.replica_threads32(d);
                    tests.push(self.b.below(self.b.plus(t, more), n));
                } else if place[d.index()] > 0 {
                    let there = self.replicas_there(d);
                    let mine = self.b.int(i64::from(place[d.index()]));
                    tests.push(self.b.below(mine, there));
                }
            }
            all.push(self.b.all(tests).map(|t| {
                let s = self.new_slot(self.b.i1());
                self.set(s, t);
                s
            }));
        }
        Predicates(all.into())
    }

    /// The least block number of the merged blocks, in 32 bits.
    pub(crate) fn leader(&mut self, d: Dim) -> Value {
        if self.runs_over_grid(d, Along::Joined) || self.from.plan.steps().is_some() {
            return self.led(d);
        }
        let own = self.register32("ctaid", d);
        let r = self.replicas.merge.along(d);
        if r == 1 || self.replicas.merge.led {
            return own;
        }
        if self.from.plan.merge.compacted {
            return self.led(d);
        }
        debug_assert!(r.is_power_of_two());
        self.hoist.and(own, self.hoist.int(-i64::from(r)))
    }

    /// How many of the merged blocks the grid has, in 32 bits.
    pub(crate) fn replicas_there(&mut self, d: Dim) -> Value {
        if self.replicas.merge.led && !self.is_joined(d) {
            return self.hoist.int(i64::from(self.replicas.merge.along(d)));
        }
        let (leader, n) = (self.leader(d), self.register32("nctaid", d));
        if self.is_joined(d) {
            return n;
        }
        let by_steps = self.runs_by_steps();
        let h = if by_steps { &self.b } else { &self.hoist };
        h.least(
            h.minus(n, leader),
            h.int(i64::from(self.replicas.merge.along(d))),
        )
    }

    /// Threads of all merged blocks that the grid has, in 32 bits.
    pub(crate) fn replica_threads32(&mut self, d: Dim) -> Value {
        let n = self.register32("ntid", d);
        if self.from.plan.steps().is_some() {
            let blocks = self.register32("nctaid", d);
            return self.hoist.cells_times(n, blocks);
        }
        if self.replicas.merge.along(d) == 1 {
            return n;
        }
        let there = self.replicas_there(d);
        self.hoist.cells_times(n, there)
    }

    /// The same in 64 bits.
    pub(crate) fn replica_threads(&mut self, d: Dim) -> Value {
        if self.is_joined(d) {
            let blocks = self.register32("nctaid", d);
            return self.threads_of_blocks(d, blocks);
        }
        let n = self.replica_threads32(d);
        self.hoist.zext(n, self.hoist.i64())
    }

    /// Iterations of a strip's loop that the block has to run, of `trip`: none where a tile has
    /// nothing to be copied, if who runs the loop surely reads all tiles. Merged blocks beyond an
    /// early return are found so.
    pub(crate) fn wanted(&mut self, region: &Region, view: View, s: Strip, trip: Value) -> Value {
        let body = self.from.tree.loop_(s.loop_).body;
        if self.replicas.count() == 1 || !self.is_straight(body) {
            return trip;
        }
        let hulls =
            (region.tiles.iter()).map(|t| self.hull_of(t, view, &t.footprint.active).nonempty);
        let read = hulls.flatten().collect();
        let read = self.b.all(read);
        self.b.choose(read, trip, self.b.long(0))
    }

    /// Whether whoever runs a node runs all of it, once.
    fn is_straight(&self, node: NodeId) -> bool {
        match self.from.tree.node(node) {
            Node::Seq(children) => children.iter().all(|c| self.is_straight(*c)),
            Node::Block(_) | Node::Edge(_) => true,
            _ => false,
        }
    }

    /// Index of the current replica's thread among those of all merged blocks, in two parts: the
    /// second is a constant where replicas own consecutive ids, in runs.
    pub(crate) fn replica_index(&mut self, d: Dim) -> (Value, Value) {
        self.replica_index_at(d, self.replica)
    }

    fn replica_index_at(&mut self, d: Dim, replica: usize) -> (Value, Value) {
        let t = self.place_in_block(d);
        let place = i64::from(self.replicas.places[replica][d.index()]);
        let r = self.replicas.merge.along(d);
        let n = self.register32("ntid", d);
        if r > 1 && self.replicas.merge.consecutive[d.index()] {
            let run = i64::from(self.replicas.merge.run[d.index()]);
            let h = &self.hoist;
            let first = h.cells_times(t, h.int(run));
            let before = h.cells_times(n, h.int(place / run * run));
            return (h.cells_plus(first, before), h.int(place % run));
        }
        (t, self.hoist.cells_times(n, self.hoist.int(place)))
    }

    /// Index of a thread's first replica, where all replicas own consecutive ids.
    pub(crate) fn first_replica_index(&mut self, d: Dim) -> Value {
        let merge = self.replicas.merge;
        debug_assert_eq!(merge.run[d.index()], merge.along(d));
        let t = self.place_in_block(d);
        let r = i64::from(self.replicas.merge.along(d));
        self.hoist.cells_times(t, self.hoist.int(r))
    }

    /// This thread's number along `d`, or, where warps work on small squares of the block, that of
    /// the thread whose work it does.
    fn place_in_block(&mut self, d: Dim) -> Value {
        let own = self.register32("tid", d);
        if !self.replicas.merge.square || d == Dim::Z {
            return own;
        }
        if let Some(known) = self.hoisted.get(&Hoisted::Place(d.index())) {
            return *known;
        }
        let [x, y] = [Dim::X, Dim::Y].map(|d| self.register32("tid", d));
        let [nx, ny] = [Dim::X, Dim::Y].map(|d| self.register32("ntid", d));
        let h = &self.hoist;
        let [wide, high] = WARP_TILE.map(i64::from);
        // Both are powers of two, and a warp has their product of threads.
        let rest = |v: Value, n: i64| h.and(v, h.int(n - 1));
        let linear = h.cells_plus(h.cells_times(y, nx), x);
        let (warp, warp_lane) = (
            h.udiv(linear, h.int(wide * high)),
            rest(linear, wide * high),
        );
        let across = h.greatest(h.udiv(nx, h.int(wide)), h.int(1));
        let row = h.short_quotient(warp, across);
        let column = h.minus(warp, h.cells_times(row, across));
        // Reads of 16 bytes take half as long where lanes i and i^1, or i and i^2, read the same: so
        // bit 1 of the lane tells rows apart, and bit 0 columns.
        let bits = |at: i64, mask: i64| h.and(h.lshr(warp_lane, h.int(at)), h.int(mask));
        let (in_x, in_y) = (h.or(bits(0, 1), bits(1, 6)), h.or(bits(1, 1), bits(3, 2)));
        let at_x = h.cells_plus(h.cells_times(column, h.int(wide)), in_x);
        let at_y = h.cells_plus(h.cells_times(row, h.int(high)), in_y);
        let odd = h.or(rest(nx, wide), rest(ny, high));
        let divides = h.icmp(Pred::LLVMIntEQ, odd, h.int(0));
        let places = [h.select(divides, at_x, x), h.select(divides, at_y, y)];
        let keys = [0, 1].map(Hoisted::Place).into_iter();
        self.hoisted.extend(keys.zip(places));
        places[d.index()]
    }

    /// What an instruction that reads a thread or block number gives the current replica, where that
    /// is not what it gives this thread.
    pub(crate) fn replica_id(&mut self, i: Value) -> Option<Value> {
        let by_steps = self.from.plan.steps().is_some();
        if self.replicas.count() == 1 && !by_steps {
            return None;
        }
        if let Some(id) = self.grid_steps().and_then(|s| s.id(self, i)) {
            return id;
        }
        let (r, d) = register(i)?;
        if self.replicas.merge.along(d) == 1 && !by_steps {
            return None;
        }
        let consecutive = self.replicas.merge.consecutive[d.index()];
        let at_run_time = self.place[d.index()];
        let place = match at_run_time {
            Some(place) => place,
            None => self
                .b
                .int(i64::from(self.replicas.places[self.replica][d.index()])),
        };
        match (r, consecutive) {
            (Register::Ctaid, true) => Some(self.leader(d)),
            (Register::Ctaid, false) => {
                let leader = self.leader(d);
                Some(self.b.plus(leader, place))
            }
            (Register::Tid, true) => {
                let (first, more) = match at_run_time {
                    Some(_) => (self.first_replica_index(d), place),
                    None => self.replica_index(d),
                };
                Some(match by_steps {
                    // Below threads of a block times replicas.
                    true => self.b.cells_plus(first, more),
                    false => self.b.plus(first, more),
                })
            }
            _ => None,
        }
    }

    /// Emits nodes that hold no region for the threads whose predicate holds.
    pub(crate) fn emit_off_spine(&mut self, run: &[NodeId], pred: &Predicates) {
        if self.replicas.count() == 1 {
            return self.under(pred, |l| run.iter().for_each(|c| l.emit_structured(*c)));
        }
        let mut rest = run;
        while let Some(first) = rest.first() {
            if self.runs_in_lockstep(*first) {
                self.emit_as(*first, &mut Predicated { pred });
                rest = &rest[1..];
                continue;
            }
            let n = rest.iter().take_while(|n| !self.runs_in_lockstep(**n));
            let n = n.count();
            let (own, after) = rest.split_at(n);
            self.under(pred, |l| own.iter().for_each(|c| l.emit_structured(*c)));
            rest = after;
        }
    }

    /// Clones a block for the replicas whose predicate holds, or for all if that is harmless.
    pub(crate) fn emit_off_spine_block(&mut self, b: BlockId, pred: &Predicates) {
        if self.is_harmless(b) {
            self.emit_block_in_lockstep(b, pred);
        } else {
            self.under(pred, |s| s.emit_block(b));
        }
    }

    /// Whether a node is emitted for all replicas at once, or its children are looked at one by one.
    fn runs_in_lockstep(&self, node: NodeId) -> bool {
        match self.from.tree.node(node) {
            Node::Block(b) => self.is_harmless(*b) || self.stores_wide(*b),
            Node::Seq(_) | Node::Edge(_) | Node::Return(_) => true,
            Node::Loop(l) => self.replicas.is_joint(*l),
            _ => false,
        }
    }

    /// A loop run by all replicas together.
    fn emit_loop_in_lockstep(&mut self, l: LoopId, pred: &Predicates) {
        if self.emit_loop_in_its_way(l, pred) {
            return;
        }
        let lp = self.from.tree.loop_(l);
        let trip = self.eval(&Poly::atom(Atom::Trip(l)));
        let trip = self.b.trunc(trip, self.b.i32());
        let counter = self.new_slot(self.b.i32());
        self.set(counter, self.b.int(0));
        self.iterations.insert(l, Iteration::counted(counter));
        let again = self.fall_into("mesi.loop");
        let done = self.new_block("mesi.done");
        if lp.exit_at == ExitAt::Header {
            self.emit_block_in_lockstep(lp.header, pred);
            let body = self.new_block("mesi.body");
            let more = self.b.below(self.get(counter), trip);
            self.b.cond_br(more, body, done);
            self.b.at_end(body);
        }
        self.emit_jam_iteration(l, pred);
        let next = self.b.add_nsw(self.get(counter), self.b.int(1));
        self.set(counter, next);
        let branch = match lp.exit_at {
            ExitAt::Header => self.b.br(again),
            ExitAt::Latch => self.b.cond_br(self.b.below(next, trip), again, done),
        };
        let original = self.from.kernel.block(lp.latch).terminator();
        branch.copy_metadata(self.module(), "llvm.loop", original);
        self.b.at_end(done);
        self.iterations.remove(&l);
    }

    /// Whether a block's instructions may run for every replica. Accesses may where tiles serve them
    /// or registers hold them.
    fn is_harmless(&self, b: BlockId) -> bool {
        self.is_harmless_but(b, |_| false)
    }

    /// The same with some instructions left out.
    pub(crate) fn is_harmless_but(&self, b: BlockId, but: impl Fn(&Value) -> bool) -> bool {
        let block = self.from.kernel.block(b);
        let end = block.terminator();
        block.instructions().into_iter().all(|i| {
            i == end
                || i.is(Op::LLVMPHI)
                || is_speculatable(i)
                || (i.is(Op::LLVMLoad) && self.is_served(i))
                || self.replicas.is_always_there(i)
                || self.is_replaced(i)
                || but(&i)
        })
    }

    /// Clones a block for all replicas, instruction by instruction; replicas that an instruction does
    /// not depend on share one clone. Stores of several replicas at once look at the predicates.
    pub(crate) fn emit_block_in_lockstep(&mut self, id: BlockId, pred: &Predicates) {
        let mut sites = self.sites_of_replicas(id);
        for i in self.cloned_in(id) {
            if self.wide_store(i).is_some() {
                continue;
            }
            // A store to a register that all replicas have of their own.
            let own = self.is_replaced(i);
            let mask = if own { u8::MAX } else { self.replicas.mask(i) };
            self.emit_for_replicas(i, mask, &mut sites, |l, s| l.emit_instruction(i, s));
        }
        self.emit_wide_stores(id, &sites, pred);
    }

    /// What every replica knows of a block's values: nothing yet.
    pub(crate) fn sites_of_replicas(&self, id: BlockId) -> Vec<Site> {
        let site = |_| Site {
            block: id,
            local: HashMap::default(),
        };
        (0..self.replicas.count()).map(site).collect()
    }

    /// Gives an instruction's value to every replica: `emit` makes it once for all replicas that are alike
    /// in the dimensions of `mask`.
    pub(crate) fn emit_for_replicas(
        &mut self,
        i: Value,
        mask: u8,
        sites: &mut [Site],
        mut emit: impl FnMut(&mut Self, &Site) -> Option<Value>,
    ) {
        for replica in 0..sites.len() {
            self.replica = replica;
            let same = self.replicas.representative(replica, mask);
            if same != replica {
                if let Some(known) = sites[same].local.get(&i).copied() {
                    sites[replica].local.insert(i, known);
                }
            } else if let Some(new) = emit(self, &sites[replica]) {
                self.define(i, new, &mut sites[replica]);
            }
        }
    }

    /// Whether an edge lies in a loop of which a run of iterations is being emitted.
    fn is_in_run(&self, e: Edge) -> bool {
        self.iterations.iter().any(|(l, now)| {
            let blocks = &self.from.tree.loop_(*l).blocks;
            let is_within = blocks.contains(&e.from) && blocks.contains(&e.to);
            is_within && matches!(now, Iteration::Counted { ahead: Some(_), .. })
        })
    }

    /// Phis take their values along an edge where the replica's predicate holds. Into a loop, and inside one
    /// in which nothing branches, they take them in any case: what the loop does for other replicas, nobody
    /// uses.
    pub(crate) fn emit_edge_under(&mut self, e: Edge, pred: &Predicates) {
        if self.replicas.count() == 1 {
            return self.under(pred, |s| s.emit_edge(e.from, e.to));
        }
        let source = self.from.kernel.block(e.from);
        let in_any_case =
            self.is_in_run(e) || self.from.tree.loops.iter().any(|l| l.header == e.to);
        let mut moves = Vec::new();
        for phi in self.from.kernel.block(e.to).phis() {
            let Some(v) = phi.incoming_from(source) else {
                continue;
            };
            for replica in 0..self.replicas.count() {
                self.replica = replica;
                let mask = self.replicas.mask(phi);
                let shared = self.replicas.representative(replica, mask) != replica;
                let slot = self.slot_of(phi);
                let cond = pred.0[replica].filter(|_| !in_any_case);
                if shared && cond.is_none() {
                    continue;
                }
                moves.push((slot, self.read(v, e.to), cond, replica));
            }
        }
        for (slot, v, cond, _) in moves {
            let v = match cond {
                Some(c) => self.b.select(self.get(c), v, self.get(slot)),
                None => v,
            };
            self.set(slot, v);
        }
        self.replica = 0;
    }

    /// One iteration of a strip's loop, for all replicas, a header with the loop's test left out.
    pub(crate) fn emit_jam_iteration(&mut self, l: LoopId, pred: &Predicates) {
        let lp = self.from.tree.loop_(l);
        self.note_last_of_all(l);
        if self.slots.contains_key(&(Kept::Ran(l), 0)) {
            self.under(pred, |s| s.enter_scalars(l));
        }
        self.emit_off_spine(&[lp.body], pred);
        let back = Edge {
            from: lp.latch,
            to: lp.header,
        };
        self.emit_edge_under(back, pred);
    }
}
