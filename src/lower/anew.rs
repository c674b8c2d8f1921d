//! Evaluates anew, where it is needed, what a region's passes do not need.
//!
//! ```text
//! row = ctaid.y*ntid.y + tid.y;  p = row < m          row and p: a register each in all passes
//! passes { … }
//! if (p) c[row*n + col] = sum                         tid' = %tid.y + zero;  row' = …;  p' = row' < m
//! ```
//! Ids, lanes' predicates and addresses of results are a few instructions each, and held a dozen registers
//! of 64 while all that counts is how many elements are on their way from tiles; so did what only the first
//! and the last passes need. It is made again there from what is alive in any case, from the thread's ids,
//! and from *stems*: values that are not cheap. LLVM and ptxas would see that both are the same
//! and keep the first; so ids and stems get a zero added that comes out of the passes.
//!
//! Where blocks are merged and their lanes' cells lie side by side, the ids come through the passes packed in one
//! register. Elsewhere addresses want even that one: the ids are read again, and what was made where only some
//! lanes come, and is undefined elsewhere, is made again for all. What else is alive decides how ptxas orders the
//! passes' instructions and which banks it gives to sums: with packed ids one of 512 sums waits for a bank, else 18
//! (`mm_bounds` in strips of 32 for sm_90; 4096 on an H200: 3.34 ms and 3.41 ms; `mm_i8` 3% less, `mm_batch` 2%, `mm_guide`
//! and `mm_early`, which have no such conflicts either way, up to 1.4% more).
//!
//! What is made again has the operands it had, and cannot fault: it is the same value. Values that are the
//! same for all threads are left alone, as they have registers of their own. Real numbers have none: beside packed
//! ids they are made again on chips before sm_90, where that frees a register for a sum's bank (sums that wait, of 512:
//! 61 and none, and 8 bytes less spilled in `mm_fixed2d`); on sm_90 it brings reads of tiles closer to their uses
//! (`mm_early` on an H200: 1.4% slower).

use super::Lower;
use super::cheap::{is_cheap, is_harmless};
use crate::kernel::Dim;
use crate::kernel::ids::{Register, register};
use crate::kernel::pressure::most_alive;
use crate::llvm::ir::{Block, Builder, Op, Value};
use crate::tree::{Loop, NodeId};
use std::collections::{HashMap, HashSet};

/// Bits of a thread's number in its block, along any dimension: blocks have at most 1024 threads.
const ID_BITS: i64 = 10;
/// The greatest such number.
const LAST_ID: i64 = (1 << ID_BITS) - 1;

/// Values alive at once up to which 32 registers hold them through loops over windows, which read ahead (conv2d_padded, 4 lanes:
/// 56; 8 lanes, 60, spill).
const TIGHT_WINDOWS: u32 = 58;
/// The same for lanes without tiles (conv2d_padded, 27; conv2d_clamp, 31, spills two words).
const TIGHT_LANES: u32 = 29;

/// Where values are made again: behind passes, or in those of them that are not steady.
pub(super) struct Anew {
    /// Begins the code that may need them.
    at: Block,
    /// A number made there that nobody knows.
    number: Value,
    /// The passes; `None` until all of them are emitted.
    passes: Option<Vec<Block>>,
    /// Where control comes from to the first pass; `None` until all of them are emitted.
    before: Option<Block>,
    /// Whether ids come here in one register.
    packs: bool,
    /// Whether what the block's number alone decides is made again too.
    blocks: bool,
    /// Values alive at once in the body up to which nothing is.
    alive: u32,
}

impl Lower<'_> {
    /// Notes that values may be made again here, in passes that are not steady. `count` moves on from pass to pass.
    pub(super) fn note_anew(&mut self, count: Value) {
        self.note_place(count, self.plan.packs_ids(), false);
    }

    /// The same behind the passes, which are the blocks from number `first` on but the one being written, entered from
    /// `before`.
    pub(super) fn note_anew_behind(&mut self, count: Value, first: usize, before: Block) {
        let packs = self.plan.packs_ids();
        self.note_place(count, packs, self.plan.is_crowded());
        self.note_passes(first, before);
    }

    fn note_place(&mut self, count: Value, packs: bool, blocks: bool) {
        let number = self.b.opaque_number(count);
        self.anew.push(Anew {
            at: self.b.block(),
            number,
            passes: None,
            before: None,
            packs,
            blocks,
            alive: 0,
        });
    }

    /// Emits a node that all lanes run together by `emit`. Behind an outermost loop, or what it stands in, values that it does not
    /// use may be made again.
    pub(super) fn relieved(&mut self, node: NodeId, emit: impl FnOnce(&mut Self)) {
        let (before, first) = (self.b.block(), self.blocks.len());
        emit(self);
        let inside = |l: &Loop| self.tree.contains(node, l.node);
        let repeats = self.tree.loops.iter().any(inside);
        let around = self.tree.loops_around(node).into_iter();
        let repeated = around.map(|l| self.tree.loop_(l).node).any(|n| n != node);
        if !repeats || repeated || self.plan.tally.is_some() {
            return;
        }
        let number = self.register32("ntid", Dim::X);
        self.note_place(number, false, true);
        self.note_passes(first, before);
        let place = self.anew.last_mut().expect("it was just noted");
        place.alive = TIGHT_WINDOWS;
        if self.plan.together.is_some() {
            place.alive = TIGHT_LANES;
            // What is worked out once on the way to the loop is no pass. (With what windows need on their way to rows made
            // again, ptxas spills two words behind them.)
            let passes = place.passes.as_mut().expect("they were just noted");
            let new: HashSet<Block> = passes.iter().copied().collect();
            passes.retain(|b| in_loop(*b, &new));
        }
    }

    /// Notes what the passes were for which values may be made again: the blocks from number `first` on
    /// but the one being written, entered from `before`.
    fn note_passes(&mut self, first: usize, before: Block) {
        let here = self.b.block();
        let passes = self.blocks[first..].iter().copied();
        let passes: Vec<Block> = passes.filter(|b| *b != here).collect();
        for a in self.anew.iter_mut().filter(|a| a.passes.is_none()) {
            a.passes = Some(passes.clone());
            a.before = Some(before);
        }
    }

    /// Makes again what the passes do not need. Slots are values by now.
    pub(super) fn evaluate_anew(&mut self) {
        let places = std::mem::take(&mut self.anew);
        for place in places.iter().rev() {
            if place.alive > 0 && most_alive(&self.blocks) <= place.alive {
                place.number.erase();
                continue;
            }
            let mut scene = Scene::new(&self.blocks, place);
            scene.guarded = !place.packs;
            scene.blocks_vary = place.blocks;
            scene.reals = self.plan.reals_anew;
            let crossing = scene.crossing(&self.blocks);
            let anew = scene.worth_it(crossing);
            if anew.is_empty() {
                place.number.erase();
                continue;
            }
            let mut made = self.ids_anew(&mut scene, &anew);
            for v in &anew {
                scene.make(&self.b, *v, &mut made);
            }
            for v in anew {
                scene.replace_uses(v, &made);
            }
        }
    }

    /// Goes to where values are made again, makes the zero and the ids.
    fn ids_anew(&self, scene: &mut Scene, anew: &[Value]) -> Made {
        let mut ids = scene.leaves(anew);
        ids.retain(|v| is_id(*v));
        crate::order::sort_by_key(&mut ids, |v| (is_block_id(*v), dim(*v).index()));
        let packs = scene.place.packs;
        let packed = (packs && ids.len() > 1).then(|| self.packed(&ids, scene.place));
        let (b, number) = (&self.b, scene.place.number);
        b.before(number.next());
        // Of two neighbours one is even.
        let even = b.times(number, b.plus(number, b.int(1)));
        let zero = b.and(even, b.int(1));
        let packed = packed.map(|p| b.plus(p, zero));
        let again = |id: Value| {
            let d = dim(id);
            let id = match packed {
                Some(p) => b.lshr(p, b.int(shift(d))),
                None if packs => return b.plus(id, zero),
                None if is_block_id(id) => {
                    let read = b.read_again(id, &format!("%ctaid.{}", d.letter()), number);
                    return b.plus(read, zero);
                }
                None => {
                    let read = b.read_again(id, &format!("%tid.{}", d.letter()), number);
                    b.plus(read, zero)
                }
            };
            b.and(id, b.int(LAST_ID))
        };
        let values = ids.into_iter().map(|id| (id, again(id))).collect();
        Made { zero, values }
    }

    /// The thread's numbers in its block that `ids` read, in one, made before the passes of `place`.
    fn packed(&self, ids: &[Value], place: &Anew) -> Value {
        let b = &self.b;
        b.before(place.before.expect("the passes are emitted").terminator());
        let mut one_of_each = ids.to_vec();
        one_of_each.dedup_by_key(|v| register(*v));
        let parts = (one_of_each.iter()).map(|v| b.shl(*v, b.int(shift(dim(*v)))));
        let all = parts.reduce(|p, q| b.or(p, q));
        all.expect("there are several")
    }
}

/// The dimension of an id.
fn dim(id: Value) -> Dim {
    register(id).expect("it is an id").1
}

/// Where among the packed ids that along `d` begins.
fn shift(d: Dim) -> i64 {
    ID_BITS * d.index() as i64
}

/// Values made again, by what they were.
struct Made {
    zero: Value,
    values: HashMap<Value, Value>,
}

/// The surroundings of one place.
struct Scene<'a> {
    place: &'a Anew,
    /// Blocks of this body that control reaches through the place alone.
    after: HashSet<Block>,
    /// Blocks in which a use keeps a value in its register: other passes, and what follows.
    busy: HashSet<Block>,
    /// Whether values differ between threads, as far as was asked.
    varying: HashMap<Value, bool>,
    /// Blocks of this body.
    own: HashSet<Block>,
    /// Where it begins.
    entry: Block,
    /// Whether control comes to the place only through a block, as far as was asked.
    passed: HashMap<Block, bool>,
    /// Whether what was made where only some lanes come is made again too.
    guarded: bool,
    /// Whether real numbers are that are the same for all threads.
    reals: bool,
    /// Whether what the block's number alone decides is too.
    blocks_vary: bool,
}

impl<'a> Scene<'a> {
    fn new(blocks: &[Block], place: &'a Anew) -> Scene<'a> {
        let own: HashSet<Block> = blocks.iter().copied().collect();
        let before = reached(blocks[0], |b| own.contains(&b) && b != place.at);
        let after: HashSet<Block> = own.difference(&before).copied().collect();
        let mut busy = reached(place.at, |b| own.contains(&b));
        busy.extend(place.passes.iter().flatten());
        busy.retain(|b| !after.contains(b));
        Scene {
            place,
            after,
            busy,
            varying: HashMap::new(),
            own,
            entry: blocks[0],
            passed: HashMap::new(),
            guarded: false,
            reals: false,
            blocks_vary: false,
        }
    }

    /// Values made before the passes that differ between threads, and that only code behind the place
    /// uses, in program order.
    fn crossing(&mut self, blocks: &[Block]) -> Vec<Value> {
        let passes = self.place.passes.as_deref().unwrap_or_default();
        let outside = |b: &&Block| !self.after.contains(b) && !passes.contains(b);
        let all = blocks.iter().filter(outside).flat_map(|b| b.instructions());
        let crosses =
            |v: &Value| v.ty().has_values() && self.is_used_after(*v) && !self.is_busy(*v);
        let crossing: Vec<Value> = all.filter(crosses).collect();
        crossing.into_iter().filter(|v| self.varies(*v)).collect()
    }

    fn is_used_after(&self, v: Value) -> bool {
        uses(v).iter().any(|u| self.after.contains(&u.block))
    }

    /// Whether a value is in a register in any case.
    fn is_busy(&self, v: Value) -> bool {
        uses(v).iter().any(|u| self.busy.contains(&u.block))
    }

    /// Whether a value may differ between threads, or is a real number that is to be made again; what was loaded
    /// or chosen by control may.
    fn varies(&mut self, v: Value) -> bool {
        if !v.is_instruction() {
            return false;
        }
        if let Some(known) = self.varying.get(&v) {
            return *known;
        }
        let varies = match register(v) {
            Some((r, _)) => r == Register::Tid || (self.blocks_vary && r == Register::Ctaid),
            None if self.reals && v.is(Op::LLVMUIToFP) => true,
            None if v.is(Op::LLVMPHI) || v.is(Op::LLVMLoad) => true,
            None if v.is(Op::LLVMCall) && !v.is_pure_call() && !v.is_inline_asm_call() => true,
            None => v.operands().into_iter().any(|o| self.varies(o)),
        };
        self.varying.insert(v, varies);
        varies
    }

    /// Those of `crossing` that are made again: all that are cheap, if they are more than the stems
    /// that cross for them alone.
    fn worth_it(&mut self, crossing: Vec<Value>) -> Vec<Value> {
        let mut anew = crossing.clone();
        anew.retain(|v| self.is_cheap(*v) && (self.guarded || self.is_there(*v)));
        let leaves = self.leaves(&anew);
        let more = leaves
            .iter()
            .filter(|v| !is_id(**v) && !crossing.contains(v));
        if more.count() < anew.len() {
            anew
        } else {
            Vec::new()
        }
    }

    /// Ids and stems that `values` are made of, but for those that are there in any case.
    fn leaves(&mut self, values: &[Value]) -> Vec<Value> {
        let (mut out, mut seen, mut work) = (Vec::new(), HashSet::new(), values.to_vec());
        while let Some(v) = work.pop() {
            let keeps = |l: &mut Self| !l.varies(v) || (l.is_busy(v) && !values.contains(&v));
            if !seen.insert(v) || (self.is_there(v) && keeps(self)) {
                continue;
            }
            if self.is_cheap(v) {
                let only = self.only_defined(v);
                work.extend(only.map_or_else(|| v.operands(), |x| vec![x]));
            } else {
                out.push(v);
            }
        }
        out
    }

    /// Whether an instruction is an operation of a few cycles, or chooses between one and nothing.
    fn is_cheap(&mut self, v: Value) -> bool {
        is_cheap(v) || (self.only_defined(v)).is_some_and(|x| self.is_cheap_anywhere(x))
    }

    /// What a phi gives that is undefined on all other ways: a value that a lane has if it is there. Not in
    /// loops, where the way back brings what an iteration before made.
    fn only_defined(&mut self, v: Value) -> Option<Value> {
        let x = only_defined(v).filter(|_| self.guarded)?;
        (!self.is_repeated(v.block()?)).then_some(x)
    }

    /// Whether a value can be made where control may not have passed it.
    fn is_cheap_anywhere(&mut self, v: Value) -> bool {
        if self.is_there(v) {
            return true;
        }
        if let Some(x) = self.only_defined(v) {
            return self.is_cheap_anywhere(x);
        }
        let once = v.block().is_some_and(|b| !self.is_repeated(b));
        once && is_harmless(v) && v.operands().into_iter().all(|o| self.is_cheap_anywhere(o))
    }

    /// Whether control may come to a block of this body more than once.
    fn is_repeated(&self, b: Block) -> bool {
        in_loop(b, &self.own)
    }

    /// Whether a value is made before the place, whichever way control comes to it.
    fn is_there(&mut self, v: Value) -> bool {
        let Some(block) = v.block() else { return true };
        if block == self.entry {
            return true;
        }
        let (own, at) = (&self.own, self.place.at);
        let around = || reached(self.entry, |b| own.contains(&b) && b != block);
        *(self.passed.entry(block)).or_insert_with(|| !around().contains(&at))
    }

    /// Makes `v` again, and what it is made of.
    fn make(&mut self, pen: &Builder, v: Value, made: &mut Made) -> Value {
        let there = self.is_there(v);
        if there && !self.varies(v) {
            return v;
        }
        if let Some(known) = made.values.get(&v) {
            return *known;
        }
        let new = if there && (is_id(v) || self.is_busy(v) || !self.is_cheap(v)) {
            hidden(pen, v, made.zero)
        } else if let Some(x) = self.only_defined(v) {
            self.make(pen, x, made)
        } else {
            let new = v.clone_instruction();
            if !there {
                new.drop_poison_flags();
            }
            let mut differs = false;
            for (k, o) in v.operands().into_iter().enumerate() {
                let again = self.make(pen, o, made);
                differs |= again != o;
                new.set_operand(k as u32, again);
            }
            // A real number made of what is the same for all threads.
            if there && !differs && self.reals {
                new.set_operand(0, hidden(pen, v.operand(0), made.zero));
            }
            pen.insert(new);
            new
        };
        made.values.insert(v, new);
        new
    }

    /// Gives the users of `v` behind the place what was made of it.
    fn replace_uses(&self, v: Value, made: &Made) {
        for u in uses(v) {
            let is_copy = made.values.values().any(|m| *m == u.user);
            if self.after.contains(&u.block) && !is_copy {
                u.user.set_operand(u.operand, made.values[&v]);
            }
        }
    }
}

/// `v` with `zero` added to it, if it is a number.
fn hidden(pen: &Builder, v: Value, zero: Value) -> Value {
    match v.ty().int_width() {
        Some(32) => pen.plus(v, zero),
        Some(64) => pen.plus(v, pen.zext(zero, v.ty())),
        _ => v,
    }
}

/// The one value that a phi gives where it is defined.
fn only_defined(v: Value) -> Option<Value> {
    if !v.is(Op::LLVMPHI) {
        return None;
    }
    let mut known = v.incoming().into_iter().map(|(x, _)| x);
    let first = known.find(|x| !x.is_undef())?;
    (first != v && known.all(|x| x.is_undef() || x == first)).then_some(first)
}

/// Whether it reads the block's number in the grid.
fn is_block_id(v: Value) -> bool {
    register(v).is_some_and(|(r, _)| r == Register::Ctaid)
}

/// Whether it reads the thread's number in its block, or the block's where that is made again.
fn is_id(v: Value) -> bool {
    register(v).is_some()
}

/// One use of a value.
struct Use {
    user: Value,
    operand: u32,
    /// Where the value has to be: for a phi, at the end of the block that control comes from.
    block: Block,
}

fn uses(v: Value) -> Vec<Use> {
    let mut users = v.users();
    users.sort();
    users.dedup();
    let mut out = Vec::new();
    for user in users {
        let Some(own) = user.block() else { continue };
        let blocks: Vec<Block> = if user.is(Op::LLVMPHI) {
            user.incoming().into_iter().map(|(_, b)| b).collect()
        } else {
            Vec::new()
        };
        for (k, o) in user.operands().into_iter().enumerate() {
            if o == v {
                out.push(Use {
                    user,
                    operand: k as u32,
                    block: blocks.get(k).copied().unwrap_or(own),
                });
            }
        }
    }
    out
}

/// Whether control comes from `b` back to it within `blocks`.
fn in_loop(b: Block, blocks: &HashSet<Block>) -> bool {
    let again = |s: &Block| blocks.contains(s) && reached(*s, |x| blocks.contains(&x)).contains(&b);
    b.successors().iter().any(again)
}

/// Blocks that control reaches from `first` through such that `may` says.
fn reached(first: Block, may: impl Fn(Block) -> bool) -> HashSet<Block> {
    let mut seen = HashSet::from([first]);
    let mut work = vec![first];
    while let Some(b) = work.pop() {
        for s in b.successors() {
            if may(s) && seen.insert(s) {
                work.push(s);
            }
        }
    }
    seen
}
