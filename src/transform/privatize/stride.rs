//! Loops by which a grid of any size goes over all elements: what each iteration does is told by its element alone.
//!
//! ```text
//! for (i = ctaid*ntid + tid; i < n; i += ntid*nctaid)      every i below n once, by some thread
//!     atomicAdd(&bins[data[i]], 1)
//! ```
//! Which thread has an element, and when, cannot be told where all that iterations do to memory is to load what nobody
//! writes and to update cells that are privatized (`plan::privatize`). So the version deals the elements out anew: to
//! each thread several that lie side by side, of a block whose threads follow each other.
//!
//! A kernel that does one element a thread is the same without the loop ([`Over::Ids`]): its elements are the ids below
//! the limit, where the grid has all of those. How many blocks do them does not matter then, so the host launches no
//! more than the chip holds ([`crate::plan::Plan::most_blocks`]).
//!
//! That every element comes once rests on facts: ids are below `ntid*nctaid`, which fits 31 bits, and the counter does
//! not wrap before it reaches the limit, as `n + ntid*nctaid` fits them, too. An element is below the limit, so all
//! code runs for elements alone that the original runs it for.

use super::data::{Ahead, ElementLoad, Over, Privatization, PrivatizedArray, Stride};
use crate::access::{Access, AccessId, AccessKind};
use crate::affine::{Atom, Poly};
use crate::kernel::ids::{self, Register, register};
use crate::kernel::{BlockId, Dim, ValueId};
use crate::llvm::ir::{Op, Value};
use crate::machine::target::BLOCK_THREADS;
use crate::machine::tuning::privatize::AHEAD;
use crate::map::HashSet;
use crate::plan::active_bound;
use crate::plan::analyses::Analyses;
use crate::plan::data::{ActiveBound, ActiveSet, Dimension, Fact, Footprint, LockstepPlan, Merge};
use crate::plan::facts::Facts;
use crate::tree::{ExitAt, LoopId, Node, NodeId};

/// Bytes loaded at once.
const WIDEST: u32 = 16;
/// Bytes by which a load is beyond the element, at most: sums of addresses stay far from overflow.
const FARTHEST: i64 = 1 << 40;

/// The ids that the kernel does one element for each of, and nothing behind that.
pub fn of_ids(f: &Analyses) -> Option<Stride> {
    let limit = bound_of_all(f)?;
    let mut updates = f.accesses.of_kind(AccessKind::Atomic);
    let first = updates.next()?.block;
    let sides = f.tree.nodes.iter().find_map(|n| match n {
        Node::If {
            at,
            then,
            otherwise,
        } => {
            let is_entry = f.kernel.block(*at) == f.kernel.function.entry();
            is_entry.then_some([*then, *otherwise])
        }
        _ => None,
    });
    let side = sides?
        .into_iter()
        .find(|s| f.tree.blocks_in(*s).contains(&first))?;
    let fine = f.tree.loops.is_empty()
        && ids::uses_global_id_only(f.kernel, Dim::X)
        && is_only_effect(f, side);
    fine.then_some(Stride {
        over: Over::Ids { side },
        limit,
    })
}

/// The limit that the kernel's first branch tests, if it tests nothing else: threads of all ids below it go on.
fn bound_of_all(f: &Analyses) -> Option<ActiveBound> {
    let branch = f.kernel.function.entry().terminator();
    active_bound::active_bound(f, Dim::X).filter(|_| branch.condition().is(Op::LLVMICmp))
}

/// The loop that the kernel is, with what comes before it at its entry, and nothing behind it.
pub fn find(f: &Analyses) -> Option<Stride> {
    let [lp] = &f.tree.loops[..] else { return None };
    if lp.exit_at != ExitAt::Latch || !is_only_effect(f, lp.node) {
        return None;
    }
    let header = f.kernel.block(lp.header);
    let [counter] = header.phis()[..] else {
        return None;
    };
    let limit = bound_of_all(f)?;
    let latch = f.kernel.block(lp.latch);
    let branch = latch.terminator();
    let again = branch.is_conditional() && latch.successors()[0] == header;
    let next = counter.incoming_from(latch)?;
    let is_next = |v: Value| ids::unextended(v) == next;
    let same = branch.is_conditional()
        && active_bound::limit_of(f, branch.condition(), again, is_next) == Some(limit);
    let starts = counter.incoming().into_iter().filter(|(_, b)| *b != latch);
    let mut starts = starts.map(|(v, _)| v);
    let begins = starts.all(|v| ids::is_widened_global_id(v, Dim::X));
    let stride = Stride {
        over: Over::Loop {
            loop_: LoopId(0),
            counter: f.kernel.value_id(counter),
        },
        limit,
    };
    let fine = same && begins && steps_by_grid(next, counter) && is_of_element(f, &lp.blocks);
    fine.then_some(stride)
}

/// Whether `next` is `counter` and as many more as the grid has threads along x.
fn steps_by_grid(next: Value, counter: Value) -> bool {
    let pairs = |v: Value| [(0, 1), (1, 0)].map(|(i, j)| (v.operand(i), v.operand(j)));
    let is = |v: Value, r: Register| register(ids::unextended(v)) == Some((r, Dim::X));
    let is_grid = |v: Value| {
        let sides = |(a, b): (Value, Value)| is(a, Register::Ntid) && is(b, Register::Nctaid);
        let v = ids::unextended(v);
        v.is(Op::LLVMMul) && pairs(v).into_iter().any(sides)
    };
    let sides = |(a, b): (Value, Value)| a == counter && is_grid(b);
    next.is(Op::LLVMAdd) && pairs(next).into_iter().any(sides)
}

/// Whether nothing is around the loop but the branch that ends threads without an element, and all other code leaves no
/// trace.
fn is_only_effect(f: &Analyses, node: NodeId) -> bool {
    let enclosing = f.tree.ancestors(node);
    let ifs = enclosing
        .iter()
        .filter(|n| matches!(f.tree.node(**n), Node::If { .. }));
    let known = enclosing.iter().skip(1).all(|n| {
        let at_entry = |b: BlockId| f.kernel.block(b) == f.kernel.function.entry();
        match f.tree.node(*n) {
            Node::If { at, .. } => at_entry(*at),
            Node::Seq(_) => true,
            _ => false,
        }
    });
    let is_simple = f.tree.nodes.iter().enumerate().all(|(i, n)| {
        let contained = f.tree.contains(node, NodeId(i as u32));
        contained
            || enclosing.contains(&NodeId(i as u32))
            || !matches!(n, Node::If { .. } | Node::Opaque { .. })
    });
    let traceless = |b: &BlockId| {
        let block = f.kernel.block(*b);
        let end = block.terminator();
        let mut all = block.instructions().into_iter();
        // The entry's loads are of parameters, as `active_bound` has found.
        let entry = block == f.kernel.function.entry();
        all.all(|i| i == end || i.is(Op::LLVMPHI) || entry || ids::is_speculatable(i))
    };
    let contained = f.tree.blocks_in(node);
    let all = f.tree.blocks_in(f.tree.root);
    let mut outside = all.iter().filter(|b| !contained.contains(b));
    ifs.count() == 1 && known && is_simple && outside.all(traceless)
}

/// Whether the loop's blocks do the same whichever thread runs them, of those along x, and whichever block along any
/// dimension.
fn is_of_element(f: &Analyses, blocks: &[BlockId]) -> bool {
    let reveals = |i: Value| match register(i) {
        Some((Register::Ctaid, _)) => true,
        Some((Register::Tid, d)) => d == Dim::X,
        _ => false,
    };
    let header = f.kernel.block(blocks[0]);
    let mut seen: HashSet<Value> = HashSet::default();
    let all = blocks
        .iter()
        .flat_map(|b| f.kernel.block(*b).instructions());
    // The counter, and other phis of the header, of which there is none, say where the thread began.
    let mut work: Vec<Value> = all
        .filter(|i| !(i.is(Op::LLVMPHI) && i.block() == Some(header)))
        .collect();
    while let Some(v) = work.pop() {
        if reveals(v) {
            return false;
        }
        let counter = v.is(Op::LLVMPHI) && v.block() == Some(header);
        if v.is_instruction() && !counter && seen.insert(v) {
            work.extend(v.operands());
        }
    }
    true
}

impl Stride {
    /// Adds the facts that each element comes once, and that its number and the next step's fit 31 bits; the number of
    /// elements.
    pub fn count(&self, f: &Analyses, facts: &mut Facts) -> Option<Poly> {
        let elements = active_bound::ids_below(f, self.limit)?;
        let grid = Poly::atom(Atom::Ntid(Dim::X)).times(&Poly::atom(Atom::Nctaid(Dim::X)));
        let step_elements = Poly::constant(i64::from(BLOCK_THREADS * WIDEST));
        facts.add_range(&elements, 0, i64::from(i32::MAX));
        let last = elements.plus(&grid).plus(&step_elements);
        facts.add_range(&last, 0, i64::from(i32::MAX));
        Some(elements)
    }

    /// The same of ids: the grid has all that are elements.
    pub fn count_ids(&self, f: &Analyses, facts: &mut Facts) -> Option<()> {
        let elements = active_bound::ids_below(f, self.limit)?;
        let grid = Poly::atom(Atom::Ntid(Dim::X)).times(&Poly::atom(Atom::Nctaid(Dim::X)));
        let most = i64::from(i32::MAX - (BLOCK_THREADS * WIDEST) as i32);
        facts.add_range(&grid, 1, most);
        facts.add_range(&elements, 0, most);
        facts.add_range(&grid.minus(&elements), 0, i64::from(i32::MAX));
        Some(())
    }

    /// Where an access is, by the number of the element that the iteration is about; `None`: it is of anything else.
    fn place(&self, f: &Analyses, a: &Access) -> Option<Place> {
        let base = f.kernel.value(f.affine.base(a.array?));
        let Over::Loop { counter, .. } = self.over else {
            return None;
        };
        let counter = f.kernel.value(counter);
        let module = f.kernel.function.module();
        let (mut at, mut pitch, mut beyond) = (f.kernel.value(a.pointer?), None, 0i64);
        while at != base {
            if !at.is(Op::LLVMGetElementPtr) {
                return None;
            }
            match (at.gep_constant_offset(module), &at.operands()[1..]) {
                (Some(k), _) => beyond = beyond.checked_add(k)?,
                (None, [index]) if pitch.is_none() => {
                    let size = i64::try_from(module.alloc_size(at.gep_source_type())).ok()?;
                    pitch = Some((size, times(*index, counter)?));
                }
                _ => return None,
            }
            at = at.operand(0);
        }
        let (size, times) = pitch?;
        let pitch = size.checked_mul(times)?;
        let is_near = (1..=i64::from(u16::MAX)).contains(&pitch) && beyond.abs() <= FARTHEST;
        is_near.then_some(Place {
            times,
            pitch,
            beyond,
        })
    }

    /// Elements that a thread has side by side: as many as the widest of what it loads of them at once.
    pub fn replicas(&self, f: &Analyses) -> Option<u32> {
        let loads = f.accesses.iter().filter(|a| self.loads_at_once(f, a));
        loads.map(|a| WIDEST / a.size.min(WIDEST)).min()
    }

    /// What a thread can load of its elements ahead, if that is anything: loads that each iteration does.
    pub fn ahead(self, f: &Analyses) -> Option<Ahead> {
        let Over::Loop { loop_, .. } = self.over else {
            return None;
        };
        let body = f.tree.loop_(loop_).body;
        let always = |a: &Access| {
            let leaf = f.tree.node_of_block[a.block.index()];
            let within = leaf.map(|n| f.tree.ancestors(n)).unwrap_or_default();
            let mut within = within.iter().take_while(|n| **n != body);
            !within.any(|n| matches!(f.tree.node(*n), Node::If { .. }))
        };
        let is_simple = |a: &&Access| {
            let ty = f.kernel.value(a.value).ty();
            a.kind == AccessKind::Load && !a.is_volatile && ty.is_element() && always(a)
        };
        let loads = f.accesses.iter().filter(is_simple).filter_map(|a| {
            let place = self.place(f, a)?;
            Some(ElementLoad {
                access: a.id,
                pitch: place.pitch,
                beyond: place.beyond,
            })
        });
        let loads: Vec<ElementLoad> = loads.collect();
        let elements = AHEAD.checked_div(u32::try_from(loads.len()).ok()?)?.max(1);
        Some(Ahead {
            stride: self,
            loads,
            elements,
        })
    }

    fn loads_at_once(&self, f: &Analyses, a: &Access) -> bool {
        let is_element = f.kernel.value(a.value).ty().is_element();
        let place = self.place(f, a).filter(|p| p.pitch == i64::from(a.size));
        a.kind == AccessKind::Load && !a.is_volatile && is_element && place.is_some()
    }

    /// How the replicas run.
    pub fn lockstep(&self, f: &Analyses, merge: Merge) -> LockstepPlan {
        let all = f.accesses.iter().filter(|a| self.loads_at_once(f, a));
        let fine = |a: &&Access| merge.replicas() > 1 && a.size * merge.replicas() <= WIDEST;
        let at_once: Vec<AccessId> = all.filter(fine).map(|a| a.id).collect();
        LockstepPlan {
            addresses: (merge.replicas(), merge.replicas()),
            at_once,
            ..LockstepPlan::default()
        }
    }

    /// Adds that nothing that is loaded lies among the cells; `None` where that is neither known nor testable.
    pub fn add_disjoint_cells(
        &self,
        f: &Analyses,
        privatized: &Privatization,
        elements: &Poly,
        facts: &mut Facts,
    ) -> Option<()> {
        for (i, t) in privatized.arrays.iter().enumerate() {
            for a in &f.accesses.list {
                let array = a.array?;
                match a.kind {
                    AccessKind::Atomic => continue,
                    AccessKind::Load => {}
                    _ => return None,
                }
                if array == t.array {
                    return None;
                }
                if f.accesses.surely_distinct(t.array, array) {
                    continue;
                }
                let place = self.place(f, a)?;
                if place.times > 1 {
                    // However an index is worked out, it fits 31 bits.
                    let all = elements.times_constant(place.times);
                    facts.add_range(&all, 0, i64::from(i32::MAX));
                }
                let beyond = Poly::constant(place.beyond);
                let last = elements
                    .minus(&Poly::constant(1))
                    .times_constant(place.pitch);
                let last = last.plus(&beyond);
                let at = |rest: Poly| at(array, f.affine.base(array), rest, a.size);
                facts.add(Fact::DisjointHulls {
                    a: vec![t.footprint()],
                    b: vec![at(beyond), at(last)],
                });
            }
            add_disjoint_arrays(f, t, &privatized.arrays[i + 1..], facts);
        }
        Some(())
    }
}

/// Where elements are in an array.
struct Place {
    /// How many times the element's number the index is.
    times: i64,
    /// Bytes from one to the next.
    pitch: i64,
    /// Bytes from the array's begin to that of element 0.
    beyond: i64,
}

/// How many times `counter` an index is.
fn times(index: Value, counter: Value) -> Option<i64> {
    let index = ids::unextended(index);
    if index == counter {
        return Some(1);
    }
    let of_counter = || ids::unextended(index.operand(0)) == counter;
    match index.opcode().filter(|_| index.is_instruction())? {
        Op::LLVMMul if of_counter() => index.operand(1).const_int(),
        Op::LLVMShl if of_counter() => {
            1i64.checked_shl(index.operand(1).const_int()?.try_into().ok()?)
        }
        _ => None,
    }
}

/// Adds that the cells of `t` are none of `others`, where that is not known.
pub fn add_disjoint_arrays(
    f: &Analyses,
    t: &PrivatizedArray,
    others: &[PrivatizedArray],
    facts: &mut Facts,
) {
    for other in others {
        if !f.accesses.surely_distinct(t.array, other.array) {
            let (a, b) = (t.footprint(), other.footprint());
            facts.add(Fact::Disjoint { a, b });
        }
    }
}

/// An element of an array, `rest` bytes from its base.
fn at(array: crate::access::ArrayId, base: ValueId, rest: Poly, size: u32) -> Footprint {
    Footprint {
        array,
        base,
        rest,
        dims: vec![Dimension::of_bytes()],
        active: vec![ActiveSet::always(vec![vec![0]])],
        size,
    }
}
