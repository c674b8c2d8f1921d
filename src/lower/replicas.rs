//! Replicas: the copies of a thread that a leader block runs for the blocks it does the work of.
//!
//! ```text
//! row = ctaid.y*ntid.y + tid.y     row_l = (leader.y + l)*ntid.y + tid.y           one for each replica along y
//! s += a[row*n + k] * b[k*n + col]  4 loads of a, 4 loads of b, 16 sums            for 4x4 replicas
//! ```
//! A value has a slot for each replica in the dimensions it depends on, its *mask*: what does not
//! depend on a merged block number is computed once and shared. Where along a dimension a kernel
//! uses the ids as the global id alone, the replicas of a thread own consecutive ids
//! (`tid * R + replica`), so that what neighbouring replicas read lies side by side.
//!
//! Sharing by data dependence alone is right: replicas that execute an instruction with equal
//! operands compute the same, and a replica reads only what it executed. What a value depends on
//! through control counts where paths meet (phis) and for all of a loop whose end depends on a replica.

use super::state::Source;
use crate::access::{AccessKind, Accesses, Base};
use crate::affine::{is_entry_load, is_within_array};
use crate::kernel::ids::{Register, is_of_group, is_speculatable, register};
use crate::kernel::{BlockId, Dim, Kernel, compare};
use crate::llvm::ir::{Block, Op, Value};
use crate::map::{HashMap, HashSet};
use crate::plan::{Merge, UnrollJam, moving};
use crate::transform::own_tiles::arrays::{Differences, OwnArrays};
use crate::tree::{ExitAt, LoopId, Node, NodeId, Tree};

/// The replicas of one version.
pub(crate) struct Replicas {
    /// Blocks that are merged.
    pub merge: Merge,
    /// Place of each replica among them; replica 0 is the leader's own.
    pub places: Vec<[u32; 3]>,
    /// Dimensions that values depend on, as bits.
    masks: HashMap<Value, u8>,
    /// Loops that all replicas run together; each replica runs the others by itself.
    joint: HashSet<LoopId>,
    /// Whether the replicas are iterations of one loop, and not blocks.
    unroll_jam: bool,
    /// Loads that find their element whoever runs them.
    constants: HashSet<Value>,
    /// The kernel's own shared arrays, where it keeps its barriers.
    pub own: OwnArrays,
    /// The iterations that run together in the plan's jammed loop, if it has one. Outside of that loop nothing depends
    /// on them.
    jammed: Option<Box<Replicas>>,
}

impl Replicas {
    /// The replicas of a plan, and what depends on them.
    pub(crate) fn new(from: &Source) -> Replicas {
        let merge = from.plan.merge;
        let mut replicas = Replicas::of(merge);
        if from.plan.lockstep().is_some_and(|t| t.streamed.is_some()) {
            // Those of a plane.
            replicas.places.retain(|[_, _, z]| *z == 0);
        }
        replicas.jammed = from
            .plan
            .unroll_jam()
            .map(|a| Box::new(Replicas::of_iterations(from, a)));
        if merge.replicas() > 1 {
            let all = from.kernel.blocks.iter().flat_map(|b| b.instructions());
            let loads = all.filter(|i| i.is(Op::LLVMLoad) && is_always_there(from, *i));
            replicas.constants = loads.collect();
            // Whether a loop runs jointly depends on masks, and masks on that: loops drop out
            // until none has to.
            let loops = from.tree.loop_ids();
            replicas.joint = loops.filter(|l| may_join(from, *l)).collect();
            loop {
                replicas.masks = HashMap::default();
                replicas.find_masks(from.kernel, from.tree, from.accesses);
                let before = replicas.joint.len();
                let stays = |l: &LoopId| {
                    drives(from, *l)
                        || (replicas.mask(test_of(from, *l)) == 0
                            && replicas.is_always_entered(from, *l))
                };
                let joint = replicas.joint.iter().copied().filter(stays).collect();
                replicas.joint = joint;
                if replicas.joint.len() == before && !replicas.replicate_arrays(from) {
                    break;
                }
            }
        }
        replicas
    }

    /// The iterations of a jammed loop, and what depends on them.
    fn of_iterations(from: &Source, a: &UnrollJam) -> Replicas {
        Replicas {
            places: vec![[0; 3]; a.replicas as usize],
            masks: iteration_masks(from, a),
            unroll_jam: true,
            ..Replicas::of(from.plan.merge)
        }
    }

    /// The iterations of the jammed loop of the plan, which has one.
    pub(crate) fn jammed(&self) -> &Replicas {
        self.jammed
            .as_deref()
            .expect("a plan that jams has iterations")
    }

    /// Those of merged blocks, of which nothing depends on them.
    fn of(merge: Merge) -> Replicas {
        Replicas {
            merge,
            places: merge.places(),
            masks: HashMap::default(),
            joint: HashSet::default(),
            unroll_jam: false,
            constants: HashSet::default(),
            own: OwnArrays::default(),
            jammed: None,
        }
    }

    /// Gives the shared arrays that differ between replicas a part for each; whether there were more.
    fn replicate_arrays(&mut self, from: &Source) -> bool {
        let keeps = from.plan.lockstep().is_some_and(|t| t.keeps_barriers());
        let mut own = std::mem::take(&mut self.own);
        let differences = Differences {
            mask: &|v| self.mask(v),
            joint: &|l| self.is_joint(l),
            all: self.all(),
        };
        let more = keeps && own.replicate(from, &differences);
        self.own = own;
        more
    }

    /// Puts arrays of parts in the places of those that have any.
    pub(crate) fn make_parts(&mut self, from: &Source) {
        let mut own = std::mem::take(&mut self.own);
        own.make_parts(from, |mask| self.parts(mask));
        self.own = own;
    }

    /// Whether all replicas come to a loop together: in a body without tiles they may part before.
    fn is_always_entered(&self, from: &Source, l: LoopId) -> bool {
        let Some(lockstep) = from.plan.lockstep() else {
            return true;
        };
        let outer = from.tree.ancestors(from.tree.loop_(l).node);
        outer.into_iter().skip(1).all(|n| match from.tree.node(n) {
            Node::If { at, .. } => {
                let condition = from.kernel.block(*at).terminator().condition();
                lockstep.guards.contains(&n) || self.mask(condition) == 0
            }
            Node::Loop(l) => self.joint.contains(l),
            _ => true,
        })
    }

    /// Whether all replicas run a loop together.
    pub(crate) fn is_joint(&self, l: LoopId) -> bool {
        self.joint.contains(&l)
    }

    /// Whether a load finds its element whoever runs it.
    pub(crate) fn is_always_there(&self, i: Value) -> bool {
        self.constants.contains(&i)
    }

    /// Whose first cell in a tile is `replica`'s: iterations of a loop share their thread's.
    pub(crate) fn thread_of(&self, replica: usize) -> usize {
        if self.unroll_jam { 0 } else { replica }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.places.len()
    }

    /// The first replica that has the same value as `replica` where only the dimensions of `mask` count.
    pub(crate) fn representative(&self, replica: usize, mask: u8) -> usize {
        if self.unroll_jam {
            return if mask == 0 { 0 } else { replica };
        }
        let [x, y, _] = self.merge.factor;
        let kept = |d: usize| {
            if mask >> d & 1 == 1 {
                self.places[replica][d]
            } else {
                0
            }
        };
        ((kept(2) * y + kept(1)) * x + kept(0)) as usize
    }

    /// The number of what differs along the dimensions of `mask` that `replica` has, where they are counted through.
    pub(crate) fn part(&self, replica: usize, mask: u8) -> usize {
        let place = self.places[replica];
        let along = |d: &usize| mask >> d & 1 == 1;
        let of = |n: usize, d: usize| n * self.merge.factor[d] as usize + place[d] as usize;
        (0..3).rev().filter(along).fold(0, of)
    }

    /// How many there are of what differs along the dimensions of `mask`.
    pub(crate) fn parts(&self, mask: u8) -> usize {
        let last = self.count() - 1;
        self.part(last, mask) + 1
    }

    /// The dimensions along which a value differs between replicas.
    pub(crate) fn mask(&self, v: Value) -> u8 {
        self.masks.get(&v).copied().unwrap_or(0)
    }

    /// The dimensions along which an id read differs between replicas, or the part of an array.
    fn source(&self, v: Value) -> u8 {
        let parts = v.each_operand().fold(0, |m, o| m | self.own.mask(o));
        let id = match register(v) {
            Some((Register::Ctaid, d))
                if self.merge.along(d) > 1 && !self.merge.consecutive[d.index()] =>
            {
                1 << d.index()
            }
            Some((Register::Tid, d))
                if self.merge.along(d) > 1 && self.merge.consecutive[d.index()] =>
            {
                1 << d.index()
            }
            _ => 0,
        };
        parts | id
    }

    /// Whether a value is made of a block's number that is the same for all merged ones.
    fn is_of_group(&self, v: Value) -> bool {
        let mut dims = Dim::ALL.into_iter();
        dims.any(|d| self.merge.along(d) > 1 && is_of_group(v, d, self.merge.along(d)))
    }

    fn find_masks(&mut self, kernel: &Kernel, tree: &Tree, accesses: &Accesses) {
        let controls = Controls::of(kernel, tree);
        // A loop that each replica runs by itself begins anew for each.
        let separate = tree.loop_ids().filter(|l| !self.joint.contains(l));
        let mut begin: Vec<BlockId> = separate.map(|l| tree.loop_(l).header).collect();
        for node in &tree.nodes {
            // Loops may lie in here too.
            if let Node::Opaque { blocks, .. } = node {
                begin.extend(blocks);
            }
        }
        for phi in begin.into_iter().flat_map(|b| kernel.block(b).phis()) {
            self.masks.insert(phi, self.all());
        }
        loop {
            let mut changed = false;
            for b in &kernel.blocks {
                let outer = controls.loops.get(b).into_iter().flatten();
                let outer: u8 = outer.fold(0, |m, c| m | self.mask(*c));
                for i in b.instructions() {
                    let mut m = self.source(i) | outer | self.mask(i);
                    let inputs = match i.opcode() {
                        _ if self.is_of_group(i) => Vec::new(),
                        Some(Op::LLVMPHI) => i.incoming().into_iter().map(|(v, _)| v).collect(),
                        Some(Op::LLVMICmp) => {
                            compare::decides(i, |phi| self.begins(kernel, tree, phi))
                        }
                        _ => i.operands(),
                    };
                    m = inputs.iter().fold(m, |m, o| m | self.mask(*o));
                    if i.is(Op::LLVMPHI) {
                        let decide = controls.joins.get(b).into_iter().flatten();
                        m = decide.fold(m, |m, c| m | self.mask(*c));
                    }
                    if may_change(kernel, accesses, i) {
                        m = self.all();
                    }
                    if m != self.mask(i) {
                        self.masks.insert(i, m);
                        changed = true;
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// What a phi begins with, of a loop that all replicas run together.
    fn begins(&self, kernel: &Kernel, tree: &Tree, phi: Value) -> Option<Value> {
        let begins = tree.begins(kernel, phi);
        begins.filter(|(l, _)| self.joint.contains(l)).map(|b| b.1)
    }

    fn all(&self) -> u8 {
        (0..3).fold(0, |m, d| m | u8::from(self.merge.factor[d] > 1) << d)
    }
}

/// What differs between jammed iterations: all of the loop but what its core and what comes
/// before it compute without the induction variables.
fn iteration_masks(from: &Source, a: &UnrollJam) -> HashMap<Value, u8> {
    let (kernel, tree) = (from.kernel, from.tree);
    let lp = tree.loop_(a.loop_);
    let moving = moving(kernel, tree, a.loop_, a.core);
    let body = tree.blocks_in(lp.body);
    let last = tree.blocks_in(a.core).last().copied();
    let joint = body
        .iter()
        .position(|b| Some(*b) == last)
        .map_or(0, |n| n + 1);
    let (early, serial) = body.split_at(joint);
    let of = |blocks: &[BlockId]| -> Vec<Value> {
        let blocks = blocks.iter().map(|b| kernel.block(*b));
        blocks.flat_map(|b| b.instructions()).collect()
    };
    let differs = of(early).into_iter().filter(|i| moving.contains(i));
    differs.chain(of(serial)).map(|i| (i, 1)).collect()
}

/// Whether a loop is run by the emission of regions: it holds some, or is cut into strips.
fn drives(from: &Source, l: LoopId) -> bool {
    let node = from.tree.loop_(l).node;
    from.plan.regions.iter().any(|r| {
        if r.node == node {
            r.strip.is_some()
        } else {
            from.tree.contains(node, r.node)
        }
    })
}

/// Whether all replicas may run a loop together, as far as what is in it goes: the same number of
/// iterations for all threads, and nothing but what may run for any replica.
fn may_join(from: &Source, l: LoopId) -> bool {
    // Without tiles nothing runs for a replica that is not there: only how the loop ends counts.
    if drives(from, l) || from.plan.lockstep().is_some() {
        return true;
    }
    let lp = from.tree.loop_(l);
    let replaces = from.plan.scalars().any(|p| p.loop_ == l);
    let tiles = || from.plan.tiles();
    let served = |i: Value| {
        let mut members = tiles().flat_map(|t| &t.members);
        i.is(Op::LLVMLoad) && members.any(|m| from.instruction(m.access) == i)
    };
    let harmless = |b: &BlockId| {
        let block = from.kernel.block(*b);
        let end = block.terminator();
        let fine = |i: &Value| {
            *i == end
                || i.is(Op::LLVMPHI)
                || is_speculatable(*i)
                || served(*i)
                || is_always_there(from, *i)
        };
        block.instructions().iter().all(fine)
    };
    from.affine.uniform_trip(l).is_some()
        && !replaces
        && lp.blocks.iter().all(harmless)
        && may_all_join(from, lp.body)
}

/// Whether a load reads a parameter, or constant memory where it surely has an element.
fn is_always_there(from: &Source, i: Value) -> bool {
    if is_entry_load(from.kernel, i) {
        return true;
    }
    let mut list = from.accesses.iter();
    let mine = list.find(|a| a.kind == AccessKind::Load && from.kernel.value(a.value) == i);
    let array = mine.and_then(|a| a.array).map(|x| from.accesses.array(x));
    mine.zip(array).is_some_and(|(a, array)| {
        array.origin == Base::Constant
            && !a.is_volatile
            && is_within_array(from.kernel, from.affine, a, array)
    })
}

/// Whether nothing branches in a node but loops that may join.
fn may_all_join(from: &Source, node: NodeId) -> bool {
    match from.tree.node(node) {
        Node::Seq(children) => children.iter().all(|c| may_all_join(from, *c)),
        Node::Loop(l) => may_join(from, *l),
        Node::Block(_) | Node::Edge(_) => true,
        _ => false,
    }
}

/// The condition that ends a loop.
fn test_of(from: &Source, l: LoopId) -> Value {
    let lp = from.tree.loop_(l);
    let end = match lp.exit_at {
        ExitAt::Latch => lp.latch,
        ExitAt::Header => lp.header,
    };
    from.kernel.block(end).terminator().condition()
}

/// Whether a load may read what the kernel itself writes: equal addresses then need not give equal
/// values to replicas that come one after the other.
fn may_change(kernel: &Kernel, accesses: &Accesses, i: Value) -> bool {
    if !i.is(Op::LLVMLoad) {
        return false;
    }
    let mine = accesses.iter().find(|a| kernel.value(a.value) == i);
    let Some(array) = mine.and_then(|a| a.array) else {
        return mine.is_some();
    };
    accesses
        .iter()
        .any(|a| a.array == Some(array) && a.kind != AccessKind::Load)
}

/// The conditions that decide about values of a block: which path reached it, and how often the
/// loops around it have run.
#[derive(Default)]
struct Controls {
    joins: HashMap<Block, Vec<Value>>,
    loops: HashMap<Block, Vec<Value>>,
}

impl Controls {
    fn of(kernel: &Kernel, tree: &Tree) -> Controls {
        let mut c = Controls::default();
        for n in 0..tree.nodes.len() {
            c.add_node(kernel, tree, NodeId(n as u32));
        }
        for l in &tree.loops {
            let at = match l.exit_at {
                ExitAt::Latch => l.latch,
                ExitAt::Header => l.header,
            };
            for b in &l.blocks {
                let known = c.loops.entry(kernel.block(*b)).or_default();
                known.extend(decides(kernel, at));
            }
        }
        c
    }

    /// Paths meet inside an opaque region, and where control goes on behind a node that branches.
    /// Inside the sides of an `If`, its condition says only who is there.
    fn add_node(&mut self, kernel: &Kernel, tree: &Tree, id: NodeId) {
        let own = tree.blocks_in(id);
        let mut from: Vec<Block> = own.iter().map(|b| kernel.block(*b)).collect();
        let mut meet = from.clone();
        let decided: Vec<Value> = match tree.node(id) {
            Node::If { at, .. } => {
                from.push(kernel.block(*at));
                meet = Vec::new();
                decides(kernel, *at).into_iter().collect()
            }
            Node::Opaque { blocks, .. } => {
                let all: Vec<Value> = blocks.iter().filter_map(|b| decides(kernel, *b)).collect();
                for b in &meet {
                    self.loops.entry(*b).or_default().extend(&all);
                }
                all
            }
            _ => return,
        };
        let behind = from.iter().flat_map(|b| b.successors());
        meet.extend(behind.filter(|b| !own.contains(&kernel.block_id(*b))));
        for b in meet {
            self.joins.entry(b).or_default().extend(&decided);
        }
    }
}

/// What the terminator of a block looks at.
fn decides(kernel: &Kernel, b: BlockId) -> Option<Value> {
    let t = kernel.block(b).terminator();
    if t.is_conditional() {
        return Some(t.condition());
    }
    t.each_operand().next().filter(|o| o.is_instruction())
}
