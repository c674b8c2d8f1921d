//! Loops in which a product of one iteration may be that of another, where a sum takes two.
//!
//! ```text
//! for j: s += |x[j]*w + x[j+1]*w|        the second product of one iteration is the first of the next
//! ```
//! Of two products that a sum takes, the back end fuses the one with fewer uses. Once the loop is unrolled, iterations
//! that share a product use it more often, so how far it is unrolled decides which of the two is fused, and with it the
//! last bit. A body of ours is unrolled otherwise than the original, so such loops keep theirs.
//!
//! Where each iteration ends by storing what may be what it loaded, the original loads again, and shares nothing
//! however far it is unrolled. In tiles and registers the same is known to be other memory, so there `lower` pins the
//! product that is not fused.
//!
//! Two values may be one if they are made alike of values that may be: loads of addresses that meet, what an iteration
//! hands to the next, what does not change. Conservative: whole numbers may always be the same, and so may what was not
//! told apart in [`MOST_STEPS`] steps.

use super::own_loads::{OwnLoads, OwnPlace};
use super::types::Sharing;
use super::{Affine, Atom};
use crate::access::{Access, AccessKind, Accesses};
use crate::kernel::Kernel;
use crate::llvm::ir::{Block, Kind, Op, Type, Value};
use crate::map::{HashMap, HashSet};
use crate::tree::{Loop, LoopId, Tree};

/// Comparisons of two values for each loop.
const MOST_STEPS: u32 = 20_000;

/// Finds the loops.
pub(super) fn find(kernel: &Kernel, tree: &Tree, accesses: &Accesses, affine: &Affine) -> Sharing {
    let mut loops = sharing_loops(kernel, tree, accesses, affine, false);
    let mut elsewhere = Vec::new();
    if !loops.is_empty() {
        let all = std::mem::replace(
            &mut loops,
            sharing_loops(kernel, tree, accesses, affine, true),
        );
        elsewhere.extend(all.into_iter().filter(|l| !loops.contains(l)));
    }
    Sharing { loops, elsewhere }
}

/// Loops that share products, if loads are made again behind stores that may change what they read, or (not `reloads`)
/// never.
fn sharing_loops(
    kernel: &Kernel,
    tree: &Tree,
    accesses: &Accesses,
    affine: &Affine,
    reloads: bool,
) -> Vec<LoopId> {
    let loads: HashMap<Value, &Access> = accesses
        .of_kind(AccessKind::Load)
        .map(|a| (kernel.value(a.value), a))
        .collect();
    let shares = |id: &LoopId| {
        let l = tree.loop_(*id);
        let blocks: Vec<Block> = l.blocks.iter().map(|b| kernel.block(*b)).collect();
        let all = || blocks.iter().flat_map(|b| b.instructions());
        let factors: Vec<Value> = all().filter_map(two_products).flatten().collect();
        if factors.is_empty() {
            return false;
        }
        let products: Vec<Value> = all().filter(|i| i.is(Op::LLVMFMul)).collect();
        let mut c = Comparison {
            kernel,
            tree,
            accesses,
            affine,
            loads: &loads,
            id: *id,
            reloads,
            loop_: l,
            blocks: blocks.iter().copied().collect(),
            path: Vec::new(),
            cut: usize::MAX,
            known: HashMap::default(),
            steps: 0,
            own: OwnLoads::of(*id, kernel, tree, accesses),
        };
        let mut meets = |p: &Value| products.iter().any(|q| c.may_meet(*p, *q, false));
        factors.iter().any(&mut meets)
    };
    let all = tree.loop_ids();
    all.filter(shares).collect()
}

/// The two products that a sum is made of.
fn two_products(i: Value) -> Option<[Value; 2]> {
    if !matches!(i.opcode(), Some(Op::LLVMFAdd | Op::LLVMFSub)) {
        return None;
    }
    let both = [0, 1].map(|k| {
        let v = i.operand(k);
        if v.is(Op::LLVMFNeg) { v.operand(0) } else { v }
    });
    both.iter().all(|v| v.is(Op::LLVMFMul)).then_some(both)
}

/// Values of one loop's iterations, compared.
struct Comparison<'a> {
    kernel: &'a Kernel,
    tree: &'a Tree,
    accesses: &'a Accesses,
    affine: &'a Affine,
    loads: &'a HashMap<Value, &'a Access>,
    id: LoopId,
    reloads: bool,
    loop_: &'a Loop,
    blocks: HashSet<Block>,
    /// What is being compared: one value is another only if that follows without asking whether it is.
    path: Vec<(Value, Value, bool)>,
    /// The least place in [`Self::path`] of a pair that was asked for again for the answer that is being found.
    cut: usize,
    /// Answers that rest on no pair of [`Self::path`].
    known: HashMap<(Value, Value, bool), bool>,
    steps: u32,
    own: OwnLoads,
}

impl<'a> Comparison<'a> {
    /// Whether `v` of one iteration may be `w` of another one, or, if `same`, perhaps of the same.
    fn may_meet(&mut self, v: Value, w: Value, same: bool) -> bool {
        match (self.changes(v), self.changes(w)) {
            (false, false) => {
                let alike = v.opcode().is_some() && v.opcode() == w.opcode();
                return v == w || alike || is_of_memory(v) && is_of_memory(w);
            }
            (true, true) => {}
            _ => return false,
        }
        if v == w && same || self.steps > MOST_STEPS {
            return true;
        }
        let key = (v, w, same);
        if let Some(meets) = self.known.get(&key) {
            return *meets;
        }
        if let Some(at) = self.path.iter().position(|k| *k == key) {
            self.cut = self.cut.min(at);
            return false;
        }
        self.steps += 1;
        let cut = std::mem::replace(&mut self.cut, usize::MAX);
        self.path.push(key);
        let meets = self.compare(v, w, same);
        self.path.pop();
        // A pair asked for again counts as `false`: `true` never rests on one, and `false` does not if it is this one.
        if meets || self.cut >= self.path.len() {
            self.known.insert(key, meets);
            self.cut = cut;
        } else {
            self.cut = self.cut.min(cut);
        }
        meets
    }

    /// Whether a value is made in the loop.
    fn changes(&self, v: Value) -> bool {
        v.block().is_some_and(|b| self.blocks.contains(&b))
    }

    fn compare(&mut self, v: Value, w: Value, same: bool) -> bool {
        match (self.handed_on(v), self.handed_on(w)) {
            (Some(x), Some(y)) if v == w => return self.may_meet(x, y, same),
            (Some(x), Some(y)) => {
                return self.may_meet(x, y, same)
                    || self.may_meet(x, w, true)
                    || self.may_meet(v, y, true);
            }
            (Some(x), None) => return self.may_meet(x, w, true),
            (None, Some(y)) => return self.may_meet(v, y, true),
            (None, None) => {}
        }
        if let Some(from) = one_of(v) {
            return from.into_iter().any(|x| self.may_meet(x, w, same));
        }
        if let Some(from) = one_of(w) {
            return from.into_iter().any(|y| self.may_meet(v, y, same));
        }
        if v.ty() == w.ty()
            && let (Some((a, i)), Some((b, k))) = (self.part_of_load(v), self.part_of_load(w))
        {
            return self.loads_meet(a, b, i - k, same);
        }
        let (own_v, own_w) = (self.own_load(v), self.own_load(w));
        if let (Some(a), Some(b)) = (own_v, own_w)
            && let Some(meets) = self.own.meet(&a, &b, same)
        {
            return meets;
        }
        if v.opcode() != w.opcode() {
            return is_number(v) && is_number(w);
        }
        let cast = matches!(
            v.opcode(),
            Some(Op::LLVMSExt | Op::LLVMZExt | Op::LLVMTrunc)
        );
        is_number(v) && !cast || self.made_alike(v, w, same)
    }

    /// The load that `v` is cut out of, and behind how many bytes: a pair of floats that is handed over by value is
    /// loaded as one integer. What is cut out may end in zeros; two that are made of the same bytes begin at one
    /// address, and two that do not are made of other memory, as far as LLVM may see it.
    fn part_of_load(&self, v: Value) -> Option<(&'a Access, i64)> {
        let (mut v, mut bits) = (v, 0);
        loop {
            if let Some(load) = self.loads.get(&v) {
                return (bits % 8 == 0).then_some((load, bits / 8));
            }
            match v.opcode()? {
                Op::LLVMBitCast => {}
                Op::LLVMTrunc if v.ty().int_width().is_some() => {}
                Op::LLVMLShr if v.ty().int_width().is_some() => bits += v.operand(1).const_int()?,
                Op::LLVMExtractElement => bits += v.operand(1).const_int()? * width_of(v.ty())?,
                _ => return None,
            }
            v = v.operand(0);
        }
    }

    /// Where a load reads one of the kernel's own shared arrays; `None`: it reads other memory, or nobody knows where.
    fn own_load(&self, v: Value) -> Option<OwnPlace> {
        let is_own = v.is(Op::LLVMLoad) && !self.loads.contains_key(&v);
        is_own
            .then(|| self.own.place(v, self.kernel, self.loop_))
            .flatten()
    }

    /// What an iteration hands to the next, of a value that it took over.
    fn handed_on(&self, v: Value) -> Option<Value> {
        let header = self.kernel.block(self.loop_.header);
        let carried = v.is(Op::LLVMPHI) && v.block() == Some(header);
        let latch = self.kernel.block(self.loop_.latch);
        carried.then(|| v.incoming_from(latch)).flatten()
    }

    /// Whether the operands of two instructions of a kind may be the same, in either order.
    fn made_alike(&mut self, v: Value, w: Value, same: bool) -> bool {
        let (x, y) = (v.operands(), w.operands());
        let mut alike = |y: &[Value]| {
            let mut both = x.iter().zip(y);
            both.all(|(x, y)| self.may_meet(*x, *y, same))
        };
        let turned: Vec<Value> = y.iter().rev().copied().collect();
        x.len() == y.len() && (alike(&y) || x.len() == 2 && alike(&turned))
    }

    /// Whether a load may give what another one does, if what is taken of both lies so many bytes `further` on in `a`:
    /// its address, or one that is stored to.
    fn loads_meet(&mut self, a: &Access, b: &Access, further: i64, same: bool) -> bool {
        if a.array != b.array {
            return false;
        }
        let writes = |x: &&Access| x.kind != AccessKind::Load && x.array == a.array;
        let (accesses, blocks) = (self.accesses, &self.loop_.blocks);
        let in_loop = accesses.iter().filter(|x| blocks.contains(&x.block));
        let written = in_loop.filter(writes);
        if written
            .into_iter()
            .any(|x| further != 0 || self.cells_meet(a, x, 0, false).unwrap_or(true))
        {
            return true;
        }
        if self.reloads && [a, b].iter().all(|x| self.is_made_again(x)) {
            return false;
        }
        match self.cells_meet(a, b, further, same) {
            Some(meets) => meets,
            None => {
                let pointer = |x: &Access| x.pointer.map(|p| self.kernel.value(p));
                match (pointer(a), pointer(b)) {
                    (Some(p), Some(q)) if further == 0 => self.may_meet(p, q, same),
                    _ => true,
                }
            }
        }
    }

    /// Whether LLVM must take each iteration to overwrite, behind a load, what that reads: by a store to another
    /// array, of which neither a type nor a promise tells that it is other memory.
    fn is_made_again(&self, a: &Access) -> bool {
        let module = self.kernel.function.module();
        let instruction = |x: &Access| self.kernel.value(x.value);
        let marked = |x: &Access| {
            let promises = ["invariant.load", "noalias", "alias.scope"];
            let v = instruction(x);
            x.is_volatile || promises.iter().any(|k| v.metadata(module, k).is_some())
        };
        let overwrites = |s: &&Access| {
            let behind = s.kind == AccessKind::Store && s.block == a.block && s.id > a.id;
            let other = match (a.array, s.array) {
                (Some(x), Some(y)) => x != y && !self.accesses.surely_distinct(x, y),
                _ => false,
            };
            behind && other && !marked(s) && instruction(s).operand(0).ty() == instruction(a).ty()
        };
        a.block == self.loop_.latch && !marked(a) && self.accesses.iter().any(|s| overwrites(&s))
    }

    /// Whether two accesses to an array may be to one address, as far as LLVM may see it, that of `a` so many bytes
    /// `further` on; `None`: their addresses are not known.
    fn cells_meet(&self, a: &Access, b: &Access, further: i64, same: bool) -> Option<bool> {
        let l = self.id;
        let index = |x: &Access| self.affine.address(x.id).map(|a| &a.index);
        let (x, y) = (index(a)?, index(b)?);
        // Of an inner loop that is unrolled whole, any two iterations.
        let moves = |x: Atom| {
            let inner = |i: &usize| self.tree.loops[*i].parent == Some(l);
            let mut all = (0..self.tree.loops.len()).filter(inner);
            all.any(|i| self.affine.follows(x, LoopId(i as u32)))
        };
        let step = |p: &super::Poly| {
            let (mut each, rest) = p.split(|x| x == Atom::Iter(l))?;
            let fixed = !rest.any(|x| self.affine.follows(x, l) || moves(x));
            let step = each.remove(&Atom::Iter(l)).unwrap_or_default();
            fixed.then_some(step)
        };
        let distance = x.minus(y).as_constant();
        let (Some(c), Some(d), Some(distance)) = (step(x), step(y), distance) else {
            return Some(true);
        };
        let off = distance + further;
        // LLVM knows less of a step than that it is one.
        let steps = |c: i64| {
            if c == 0 {
                off == 0
            } else {
                off != 0 && off % c == 0
            }
        };
        Some(c != d || same && off == 0 || c.as_constant().is_some_and(steps))
    }
}

/// What a value is one of.
fn one_of(v: Value) -> Option<Vec<Value>> {
    match v.opcode() {
        Some(Op::LLVMPHI) => Some(v.incoming().into_iter().map(|(x, _)| x).collect()),
        Some(Op::LLVMSelect) => Some(vec![v.operand(1), v.operand(2)]),
        _ => None,
    }
}

/// Whether a value is what memory holds, or cut out of that.
fn is_of_memory(mut v: Value) -> bool {
    while let Some(Op::LLVMTrunc | Op::LLVMBitCast | Op::LLVMLShr | Op::LLVMExtractElement) =
        v.opcode()
    {
        v = v.operand(0);
    }
    v.is(Op::LLVMLoad)
}

/// Bits of a number.
fn width_of(ty: Type) -> Option<i64> {
    let bits = match ty.kind() {
        Kind::LLVMHalfTypeKind | Kind::LLVMBFloatTypeKind => 16,
        Kind::LLVMFloatTypeKind => 32,
        Kind::LLVMDoubleTypeKind => 64,
        _ => ty.int_width()?,
    };
    Some(bits.into())
}

fn is_number(v: Value) -> bool {
    v.ty().int_width().is_some()
}
