//! A loop with others in it, seen from the outer one: what of an iteration others may run along with.
//!
//! ```text
//! for (j …) { c[…] = 0;  if (rows > 0) for (k …) c[…] += …;  d[…] = c[…]; }
//!             before     core: loads and sums of all replicas    the replica's epilogue
//! ```
//! Conservative: what comes before the core must not branch, the core's branches and its loops' lengths
//! must be the same for all iterations, and its loops may store nothing but sums.

use crate::access::{Access, AccessId, AccessKind, ArrayId};
use crate::affine::Atom;
use crate::kernel::BlockId;
use crate::kernel::pressure::registers;
use crate::llvm::ir::{Op, Value};
use crate::machine::tuning::jam_over_tiles::{JAMMED, UNROLLED, WORDS};
use crate::machine::tuning::nest::{MOST_PRESSURE, REGISTERS, SHARED_REGISTERS};
use crate::map::HashSet;
use crate::plan::analyses::Analyses;
use crate::plan::data::{NoUnrollJam, ScalarReplacement};
use crate::plan::facts::Facts;
use crate::plan::{advance, moving};
use crate::plan::{hull, scalar_replacement};
use crate::tree::{ExitAt, LoopId, Node, NodeId};

/// A loop whose body has loops in it that all its iterations run the same way.
pub struct Nest {
    l: LoopId,
    /// The child of the body that holds its loops.
    pub core: NodeId,
    /// Blocks of the body before the core.
    before: Vec<BlockId>,
    /// Blocks of the core.
    within: Vec<BlockId>,
    /// What differs between replicas in those, see [`moving`].
    moving: HashSet<Value>,
}

impl Nest {
    /// The nest of `l`.
    pub fn of(f: &Analyses, l: LoopId) -> Result<Nest, NoUnrollJam> {
        let lp = f.tree.loop_(l);
        let Node::Seq(children) = f.tree.node(lp.body) else {
            return Err(NoUnrollJam::Shape);
        };
        let holds_loop = |n: &NodeId| f.tree.loops.iter().any(|x| f.tree.contains(*n, x.node));
        let at = children.iter().position(holds_loop);
        let at = at.ok_or(NoUnrollJam::Shape)?;
        let straight = |n: &NodeId| matches!(f.tree.node(*n), Node::Block(_) | Node::Edge(_));
        if lp.exit_at != ExitAt::Latch || !children[..at].iter().all(straight) {
            return Err(NoUnrollJam::Shape);
        }
        let core = children[at];
        let nest = Nest {
            l,
            core,
            before: children[..at]
                .iter()
                .flat_map(|n| f.tree.blocks_in(*n))
                .collect(),
            within: f.tree.blocks_in(core),
            moving: moving(f.kernel, f.tree, l, core),
        };
        let joint = nest.is_joint(f, core);
        joint.then_some(nest).ok_or(NoUnrollJam::Shape)
    }

    /// Whether a loop lies in this one.
    pub fn is_within(&self, f: &Analyses, x: LoopId) -> bool {
        f.tree
            .contains(f.tree.loop_(self.l).node, f.tree.loop_(x).node)
    }

    /// Whether all replicas go the same way in a node.
    fn is_joint(&self, f: &Analyses, node: NodeId) -> bool {
        let even = |b: BlockId| {
            let t = f.kernel.block(b).terminator();
            t.is_conditional() && !self.moving.contains(&t.condition())
        };
        match f.tree.node(node) {
            Node::Seq(children) => children.iter().all(|c| self.is_joint(f, *c)),
            Node::Block(_) | Node::Edge(_) => true,
            Node::If {
                at,
                then,
                otherwise,
            } => even(*at) && self.is_joint(f, *then) && self.is_joint(f, *otherwise),
            Node::Loop(x) => {
                let lp = f.tree.loop_(*x);
                even(lp.exit.from) && self.is_joint(f, lp.body)
            }
            Node::Opaque { .. } | Node::Return(_) => false,
        }
    }

    /// Values that an iteration takes over from the one before, induction variables left out, must
    /// not be asked for before the replicas' epilogues.
    pub fn check_carried(&self, f: &Analyses) -> Result<(), NoUnrollJam> {
        let is_joint = |b: BlockId| self.before.contains(&b) || self.within.contains(&b);
        // Edges that lie in the core set what is behind it for all replicas, before any replica's epilogue. That of a
        // loop's exit does not.
        let exit = match f.tree.node(self.core) {
            Node::Loop(x) => Some(f.tree.loop_(*x).exit.from),
            _ => None,
        };
        let along_edge = |user: &Value, phi: Value| {
            user.is(Op::LLVMPHI)
                && user.incoming().into_iter().any(|(v, from)| {
                    let from = f.kernel.block_id(from);
                    v == phi && is_joint(from) && exit != Some(from)
                })
        };
        let joint = |user: &Value, phi: Value| {
            let at = user.block().map(|b| f.kernel.block_id(b));
            at.is_some_and(is_joint) || along_edge(user, phi)
        };
        let early = |phi: &Value| {
            let users = phi.users();
            advance(f.kernel, f.tree, self.l, *phi).is_none()
                && users.iter().any(|u| joint(u, *phi))
        };
        let header = f.kernel.block(f.tree.loop_(self.l).header);
        let carried = header.phis().iter().any(early);
        (!carried).then_some(()).ok_or(NoUnrollJam::Carried)
    }

    /// The accumulators of the core's outermost loops: all that its loops store.
    pub fn scalars(&self, f: &Analyses) -> Result<Vec<ScalarReplacement>, NoUnrollJam> {
        let mut out: Vec<ScalarReplacement> = Vec::new();
        for (i, x) in f.tree.loops.iter().enumerate() {
            let outermost = x.parent == Some(self.l) && f.tree.contains(self.core, x.node);
            if outermost && x.exit_at == ExitAt::Latch {
                out.extend(scalar_replacement::find(f, LoopId(i as u32)));
            }
        }
        let looped = |a: &Access| {
            let node = f.node_of(a.id);
            node.is_none_or(|n| f.tree.enclosing_loops(n).first() != Some(&self.l))
        };
        let kept = |a: &Access| !looped(a) || out.iter().any(|p| p.accesses.contains(&a.id));
        let mut stores = self
            .accesses(f, &self.within)
            .filter(|a| a.kind == AccessKind::Store);
        stores.all(kept).then_some(out).ok_or(NoUnrollJam::Stores)
    }

    fn accesses<'a>(
        &self,
        f: &Analyses<'a>,
        blocks: &'a [BlockId],
    ) -> impl Iterator<Item = &'a Access> + use<'a> {
        let list = f.accesses.iter();
        list.filter(move |a| blocks.contains(&a.block))
    }

    /// Loads before and in the core may come before stores of earlier replicas, and before this replica's
    /// own that are put off: they must be of other memory, or `unchanging`.
    pub fn check_order(
        &self,
        f: &Analyses,
        scalars: &[ScalarReplacement],
        unchanging: &[AccessId],
        facts: &mut Facts,
    ) -> Result<(), NoUnrollJam> {
        for p in scalars {
            let ids = scalar_replacement::what_makes_equal(f, &p.accesses);
            hull::add_ids(f.affine, facts, &ids).ok_or(NoUnrollJam::MayAlias)?;
        }
        let kept = |a: AccessId| scalars.iter().find(|p| p.accesses.contains(&a));
        let stores: Vec<&Access> = f
            .accesses_in(self.l)
            .filter(|a| a.kind == AccessKind::Store)
            .collect();
        let joint = self
            .accesses(f, &self.before)
            .chain(self.accesses(f, &self.within));
        let loads: Vec<&Access> = joint
            .filter(|a| a.kind == AccessKind::Load && !unchanging.contains(&a.id))
            .filter(|a| kept(a.id).is_none_or(|p| p.loads_first))
            .collect();
        let mut pairs = pairs_of_arrays(f, &loads, &stores)?;
        // Two accumulators must be told apart from each other as well.
        for (i, p) in scalars.iter().enumerate() {
            for q in &scalars[i + 1..] {
                let get = |p: &ScalarReplacement| f.accesses.get(p.accesses[0]);
                pairs.extend(pairs_of_arrays(f, &[get(p)], &[get(q)])?);
            }
        }
        for (a, b) in pairs {
            if a == b {
                self.check_own_cell(f, a, &loads, facts)?;
                continue;
            }
            let of = |list: &[&Access], r: ArrayId| -> Vec<AccessId> {
                let mine = list.iter().filter(|x| x.array == Some(r));
                mine.map(|x| x.id).collect()
            };
            let reads = [&loads[..], &stores[..]].concat();
            hull::add_hulls(f, facts, &of(&reads, a), &of(&stores, b))
                .ok_or(NoUnrollJam::MayAlias)?;
        }
        Ok(())
    }

    /// An array that is both loaded early and stored: all of it in one place, another one in each
    /// iteration, and no iteration loads it early after having stored it.
    fn check_own_cell(
        &self,
        f: &Analyses,
        a: ArrayId,
        loads: &[&Access],
        facts: &mut Facts,
    ) -> Result<(), NoUnrollJam> {
        let mine: Vec<&Access> = f
            .accesses_in(self.l)
            .filter(|x| x.array == Some(a))
            .collect();
        let index = |x: &Access| f.affine.address(x.id).map(|x| &x.index);
        let own = index(mine[0]).ok_or(NoUnrollJam::MayAlias)?;
        let size = mine[0].size;
        let alike = mine.iter().all(|x| index(x) == Some(own) && x.size == size);
        // A clamp may stand still where the iteration goes on, and then the same cell comes again.
        let step = own
            .split(|x| x == Atom::Iter(self.l))
            .and_then(|(c, rest)| {
                let c = c.get(&Atom::Iter(self.l))?;
                c.as_constant()
                    .filter(|_| !rest.any(|a| f.affine.follows(a, self.l)))
            });
        let mut inner = f.tree.loop_ids();
        let repeats =
            |x| x != self.l && self.is_within(f, x) && own.any(|a| f.affine.follows(a, x));
        let moves = step.is_some_and(|c| c.abs() >= i64::from(size)) && !inner.any(repeats);
        let stored = mine.iter().find(|x| x.kind == AccessKind::Store);
        let early = loads.iter().rfind(|x| x.array == Some(a));
        let in_order = match (early, stored) {
            (Some(load), Some(store)) => load.id < store.id,
            _ => true,
        };
        if !(alike && moves && in_order) {
            return Err(NoUnrollJam::MayAlias);
        }
        let ids = mine.iter().filter_map(|x| f.affine.address(x.id));
        let ids: Vec<_> = ids.flat_map(|x| x.facts.clone()).collect();
        hull::add_ids(f.affine, facts, &ids).ok_or(NoUnrollJam::MayAlias)
    }

    /// All that the core loads must lie in tiles, `served`.
    pub fn check_tiles(&self, f: &Analyses, served: &[AccessId]) -> Result<(), NoUnrollJam> {
        let mut loads = self
            .accesses(f, &self.within)
            .filter(|a| a.kind == AccessKind::Load);
        let all = loads.all(|a| served.contains(&a.id));
        all.then_some(()).ok_or(NoUnrollJam::PastTiles)
    }

    /// Replicas that are sure to gain over tiles: an inner iteration must read a cell that is the same for all of
    /// them, and what a round of `unrolled` of them reads, with the replicas' sums, must leave registers.
    pub fn replicas_over_tiles(&self, f: &Analyses, unrolled: u32) -> Result<u32, NoUnrollJam> {
        let (own, common) = self.loads(f, &[]);
        let words = |list: &[&Access]| list.iter().map(|a| words(a)).sum::<u32>();
        let (own, common) = (words(&own), words(&common));
        let sums: u32 = self.sums(f).map(|v| registers(v.ty())).sum();
        let need = |n: u32| n * sums + unrolled * (common + n * own);
        let replicas = JAMMED.into_iter().find(|n| need(*n) <= WORDS);
        let gains = common > 0 && sums > 0 && f.kernel.pressure() <= MOST_PRESSURE;
        replicas.filter(|_| gains).ok_or(NoUnrollJam::NoGain)
    }

    /// Iterations of the core's innermost loops to unroll over tiles: as many as two wide reads of the largest cell
    /// serve.
    pub fn unrolled_over_tiles(&self, f: &Analyses) -> u32 {
        let (own, common) = self.loads(f, &[]);
        let largest = own.into_iter().chain(common).map(words).max();
        (UNROLLED / largest.unwrap_or(1)).max(1)
    }

    /// Replicas that are sure to gain, by what an inner iteration loads: some of it must be the same for
    /// all replicas, and the rest, with a replica's sums, must leave registers.
    pub fn replicas(&self, f: &Analyses, of: &[ScalarReplacement]) -> Result<u32, NoUnrollJam> {
        let (own, common) = self.loads(f, of);
        let sums = self.sums(f).count() + of.len();
        let each = sums + 2 * own.len();
        let has_registers = |n: &u32| *n as usize * each + SHARED_REGISTERS <= REGISTERS;
        let replicas = [8, 4].into_iter().find(has_registers);
        let replicas = replicas.filter(|_| !common.is_empty() && !own.is_empty());
        let replicas = replicas.ok_or(NoUnrollJam::NoGain)?;
        if f.kernel.pressure() > MOST_PRESSURE {
            return Err(NoUnrollJam::NoGain);
        }
        Ok(replicas)
    }

    /// What the core loads, accumulators left out: what each replica has of its own, and what all have in common.
    fn loads<'a>(
        &'a self,
        f: &Analyses<'a>,
        of: &[ScalarReplacement],
    ) -> (Vec<&'a Access>, Vec<&'a Access>) {
        let kept = |a: &&Access| !of.iter().any(|p| p.accesses.contains(&a.id));
        let loads = self
            .accesses(f, &self.within)
            .filter(|a| a.kind == AccessKind::Load);
        loads
            .filter(kept)
            .partition(|a| self.moving.contains(&f.kernel.value(a.value)))
    }

    /// What the core's loops carry from one of their iterations to the next, for each replica.
    fn sums<'a>(&'a self, f: &Analyses<'a>) -> impl Iterator<Item = Value> + use<'a> {
        let kernel = f.kernel;
        let phis = self.within.iter().flat_map(|b| kernel.block(*b).phis());
        phis.filter(|p| self.moving.contains(p))
    }
}

/// Registers that hold what an access loads.
fn words(a: &Access) -> u32 {
    a.size.div_ceil(4)
}

/// Pairs of arrays that two lists of accesses may share memory through, each once.
fn pairs_of_arrays(
    f: &Analyses,
    loads: &[&Access],
    stores: &[&Access],
) -> Result<Vec<(ArrayId, ArrayId)>, NoUnrollJam> {
    let mut out = Vec::new();
    for (x, y) in loads
        .iter()
        .flat_map(|x| stores.iter().map(move |y| (x, y)))
    {
        let (Some(a), Some(b)) = (x.array, y.array) else {
            return Err(NoUnrollJam::MayAlias);
        };
        if !f.accesses.surely_distinct(a, b) && !out.contains(&(a, b)) {
            out.push((a, b));
        }
    }
    Ok(out)
}
