//! Clones the instructions of a block, with accesses that tiles serve and accumulators that live
//! in registers rewritten.
//!
//! ```text
//! load f32, a + 4*(row*n + k)     load f32, tile + 4*(tid.y*36) + 4*k'      in a tile of array a
//! load f32, c + 4*i               register                                  an accumulator
//! ```
//! A tile address is `thread part + loop part + constant`, each a `getelementptr` of its own: the
//! first is computed before the region, the last ends up in the instruction's immediate offset
//! once the strip's loop is unrolled.

use super::Lower;
use super::contracted::fuse;
use super::state::{Instead, Iteration, Kept, ServedBy, Site, TileTerm, Window};
use crate::access::{contracted, may_fuse, through_sign};
use crate::affine::Atom;
use crate::kernel::BlockId;
use crate::llvm::ir::{Op, Type, Value};
use crate::map::HashMap;

impl Lower<'_> {
    /// Clones the instructions of `id`, terminator and phis excluded.
    pub(crate) fn emit_block(&mut self, id: BlockId) {
        let mut site = Site {
            block: id,
            local: HashMap::default(),
        };
        for i in self.cloned_in(id) {
            if let Some(new) = self.emit_instruction(i, &site) {
                self.define(i, new, &mut site);
            }
        }
        self.b.locate_nowhere();
    }

    /// What a body has of a block: all but phis, the terminator, and stack objects, which are at the entry.
    pub(crate) fn cloned_in(&self, id: BlockId) -> Vec<Value> {
        let block = self.from.kernel.block(id);
        let end = block.terminator();
        let mut all = block.instructions();
        all.retain(|i| !i.is(Op::LLVMPHI) && *i != end && !self.is_frame(*i));
        all
    }

    /// Notes that `new` is what `i` gives the current replica.
    pub(crate) fn define(&mut self, i: Value, new: Value, site: &mut Site) {
        site.local.insert(i, new);
        if self.escapes(i) {
            let s = self.slot_of(i);
            self.set(s, new);
        }
    }

    /// The operand `v` of an instruction at `site`.
    pub(crate) fn operand(&mut self, v: Value, site: &Site) -> Value {
        site.local
            .get(&v)
            .copied()
            .unwrap_or_else(|| self.read(v, site.block))
    }

    /// Emits the counterpart of `i`; `None` if it yields no value.
    pub(crate) fn emit_instruction(&mut self, i: Value, site: &Site) -> Option<Value> {
        self.b.locate_as(i);
        if let Some(id) = self.replica_id(i) {
            return Some(id);
        }
        let mut aligned = 1;
        match self.instead.get(&i).cloned() {
            Some(Instead::Tile(served)) => return self.emit_served(i, &served, site),
            Some(Instead::Unclamped(v)) => return Some(self.operand(v, site)),
            Some(Instead::NeverWraps) => {
                let [a, b] = [0, 1].map(|k| self.operand(i.operand(k), site));
                return Some(self.b.add_nsw(a, b));
            }
            Some(Instead::Loaded(all)) => return all.get(self.replica).or(all.first()).copied(),
            Some(Instead::Aligned(bytes)) => aligned = bytes,
            None => {}
        }
        if let Some(p) = self.kept(Kept::Accumulator(i)) {
            return self.emit_replaced(i, p, site);
        }
        let steps = self.grid_steps();
        if let Some(replaced) = steps.and_then(|s| s.replace(self, i, site)) {
            return replaced;
        }
        if let Some(new) = self.emit_contracted(i, site) {
            return Some(new);
        }
        if (self.replicas.count() > 1 || self.from.plan.unrolls() || self.shares_elsewhere(site))
            && let Some(new) = self.emit_sum_of_products(i, site)
        {
            return Some(new);
        }
        if let Some(new) = self.emit_fused(i, site) {
            return Some(new);
        }
        if (i.may_contract() || may_fuse(i)) && !fuses(i) {
            let (a, b) = (
                self.operand(i.operand(0), site),
                self.operand(i.operand(1), site),
            );
            return Some(self.b.unfused(i, a, b));
        }
        let new = i.clone_instruction();
        for (k, o) in i.operands().into_iter().enumerate() {
            let own = match o.is_instruction() {
                true => self.operand(o, site),
                false => self.own_part(o),
            };
            if own != o {
                new.set_operand(k as u32, own);
            }
        }
        self.b.insert(new);
        if aligned > 1 {
            new.set_alignment(new.alignment().max(aligned));
        }
        i.ty().has_values().then_some(new)
    }

    /// Whether iterations of a loop around may share products here that they do not share in the original.
    fn shares_elsewhere(&self, site: &Site) -> bool {
        let mut loops = self.from.affine.sharing.elsewhere.iter();
        loops.any(|l| self.from.tree.loop_(*l).blocks.contains(&site.block))
    }

    /// A sum that the back end fuses with a product of another block, as the one operation that it makes of the two. Of
    /// the clone it would not, where replicas or iterations come to share the product. `None`: there is none, or a
    /// factor changes with a loop that the sum is behind.
    fn emit_contracted(&mut self, i: Value, site: &Site) -> Option<Value> {
        let k = contracted(i).filter(|k| i.operand(*k).block() != i.block())?;
        let is_behind = |v: Value| {
            let of = self.loop_of_phi(v).map(|l| self.from.tree.loop_(l));
            of.is_some_and(|l| !l.blocks.contains(&site.block))
        };
        if i.operand(k).operands().into_iter().any(is_behind) {
            return None;
        }
        let rest = self.operand(i.operand(1 - k), site);
        self.emit_fused_with(i, i.operand(k), rest, site)
    }

    /// A sum of two products, of which the back end fuses the one with fewer uses, the first if
    /// they are even. Replicas and iterations that share a product give it more uses, so the other one is pinned.
    fn emit_sum_of_products(&mut self, i: Value, site: &Site) -> Option<Value> {
        if !matches!(i.opcode(), Some(Op::LLVMFAdd | Op::LLVMFSub)) {
            return None;
        }
        let (a, b) = (i.operand(0), i.operand(1));
        let is_product = |v: Value| v.is(Op::LLVMFMul) && v.block() == i.block();
        if !is_product(a) || !is_product(b) {
            return None;
        }
        let pinned = if a.users().len() > b.users().len() {
            a
        } else {
            b
        };
        let x = self.operand(pinned.operand(0), site);
        let y = self.operand(pinned.operand(1), site);
        let unfused = self.b.unfused(pinned, x, y);
        let fused = if pinned == a { b } else { a };
        if let Some(new) = self.emit_fused_with(i, fused, unfused, site) {
            return Some(new);
        }
        let new = i.clone_instruction();
        for (k, o) in [a, b].into_iter().enumerate() {
            let v = if o == pinned {
                unfused
            } else {
                self.operand(o, site)
            };
            new.set_operand(k as u32, v);
        }
        self.b.insert(new);
        Some(new)
    }

    /// The sum or difference `i` of the product `fused` and another one that is rounded by itself, as the one operation
    /// that the back end makes of it: LLVM may have the product in another block, where replicas have guards.
    fn emit_fused_with(
        &mut self,
        i: Value,
        fused: Value,
        unfused: Value,
        site: &Site,
    ) -> Option<Value> {
        if !i.may_contract() || !fused.may_contract() {
            return None;
        }
        let x = self.operand(fused.operand(0), site);
        let y = self.operand(fused.operand(1), site);
        fuse(&self.b, (i, fused == i.operand(0)), [x, y, unfused])
    }

    /// A sum of one product, as the one operation that the back end makes of the two where they meet in a block, as
    /// they do in the original.
    ///
    /// Replicas whose windows overlap have products in common (`s += v * v`): LLVM computes such a product once, in the
    /// block of the first of them, and the other sums, in other blocks, would be rounded twice. Without the flag
    /// `contract` nothing is known: clang may have told the back end not to.
    fn emit_fused(&mut self, i: Value, site: &Site) -> Option<Value> {
        if !matches!(i.opcode(), Some(Op::LLVMFAdd | Op::LLVMFSub)) || !i.may_contract() {
            return None;
        }
        let product = |o: Value| {
            let p = through_sign(o);
            let fuses = p.is(Op::LLVMFMul) && p.block() == i.block() && p.may_contract();
            (fuses && (o == p || o.users().len() == 1)).then_some(p)
        };
        let operands = [i.operand(0), i.operand(1)];
        let (k, p) = match operands.map(product) {
            [Some(p), None] if !through_sign(operands[1]).is(Op::LLVMFMul) => (0, p),
            [None, Some(p)] if !through_sign(operands[0]).is(Op::LLVMFMul) => (1, p),
            _ => return None,
        };
        let is_less = i.is(Op::LLVMFSub);
        let minus = (operands[k] != p) != (is_less && k == 1);
        let mut x = self.operand(p.operand(0), site);
        let y = self.operand(p.operand(1), site);
        let mut rest = self.operand(operands[1 - k], site);
        if minus {
            x = self.b.fneg(x);
        }
        if is_less && k == 0 {
            rest = self.b.fneg(rest);
        }
        self.b.fused(x, y, rest)
    }

    /// Whether a tile that is open serves an access, or its value has been loaded.
    pub(crate) fn is_served(&self, access: Value) -> bool {
        let found = self.instead.get(&access);
        matches!(found, Some(Instead::Tile(_) | Instead::Loaded(_)))
    }

    fn emit_served(&mut self, i: Value, served: &ServedBy, site: &Site) -> Option<Value> {
        let at = self.tile_address(served, site);
        let align = i.alignment().min(served.window.unit);
        let align = if served.byte == 0 {
            align
        } else {
            align.min(1 << served.byte.trailing_zeros())
        };
        if i.is(Op::LLVMStore) {
            let v = self.operand(i.operand(0), site);
            self.b.store(v, at, align);
            return None;
        }
        Some(self.b.load(i.ty(), at, align))
    }

    /// Where the tile holds what the access at `site` asks for.
    pub(crate) fn tile_address(&mut self, served: &ServedBy, site: &Site) -> Value {
        let w = &served.window;
        let mut at = w.start[self.replicas.thread_of(self.replica)];
        // What the strip's unrolling turns into constants goes last, beside the constants.
        for part in w
            .parts
            .iter()
            .filter(|p| !p.in_strip)
            .chain(w.parts.iter().filter(|p| p.in_strip))
        {
            let steps = self.steps(part, site);
            let k = self.b.int(part.multiplier.saturating_abs());
            let cells = self
                .b
                .cells_times(self.b.cells_times(steps, k), w.pitches[part.dim]);
            at = self.cell_at(w.cell, at, cells);
        }
        let mut constant = self.iterations_ahead(w);
        for (pitch, k) in w.pitches.iter().zip(&served.offsets) {
            constant = self
                .b
                .cells_plus(constant, self.b.cells_times(*pitch, self.b.int(*k)));
        }
        at = self.cell_at(w.cell, at, constant);
        if served.byte == 0 {
            return at;
        }
        let byte = self.b.long(i64::from(served.byte));
        self.b
            .element_inbounds(Type::int(self.module(), 8), at, byte)
    }

    /// Cells that iterations of an unrolled run lie past the run's first one.
    fn iterations_ahead(&mut self, w: &Window) -> Value {
        let mut cells = self.b.int(0);
        for part in w.parts.iter().filter(|p| p.multiplier > 0) {
            let Atom::Iter(l) = part.atom else { continue };
            let ahead = match self.iterations.get(&l).copied() {
                Some(Iteration::Counted { ahead, .. }) => ahead,
                Some(Iteration::Jammed { .. }) => Some(self.replica as i64),
                _ => None,
            };
            if let Some(ahead) = ahead {
                let steps = self.b.int(part.multiplier.saturating_mul(ahead));
                let there = self.b.cells_times(steps, w.pitches[part.dim]);
                cells = self.b.cells_plus(cells, there);
            }
        }
        cells
    }

    /// The cell `cells` past `p`; the entry has tested that tiles hold every coordinate.
    pub(crate) fn cell_at(&self, cell: Type, p: Value, cells: Value) -> Value {
        if cells.const_int() == Some(0) {
            return p;
        }
        let cells = self.b.zext_nneg(cells, self.b.i64());
        self.b.element_inbounds(cell, p, cells)
    }

    /// Steps of a term from its first value in the tile: never negative, in 32 bits.
    fn steps(&mut self, part: &TileTerm, site: &Site) -> Value {
        let now = match part.atom {
            Atom::Iter(l) => match *self
                .iterations
                .get(&l)
                .expect("an enclosing loop is counted")
            {
                Iteration::Strip { within, .. } if part.in_strip => {
                    let t = self.get(within);
                    if part.multiplier > 0 {
                        return t;
                    }
                    let span = self.b.trunc(part.range.span, self.b.i32());
                    return self.b.minus(span, t);
                }
                Iteration::Counted { counter: c, .. } | Iteration::Jammed { first: c }
                    if part.multiplier > 0 =>
                {
                    return self.b.trunc(self.get(c), self.b.i32());
                }
                _ => self.iteration(l),
            },
            Atom::Clamp(c) => {
                let v = self
                    .from
                    .kernel
                    .value(self.from.affine.clamps[c.index()].value);
                let v = self.operand(v, site);
                self.b.sext(v, self.b.i64())
            }
            a => unreachable!("{a} does not change inside a region"),
        };
        let steps = if part.multiplier > 0 {
            self.b.minus(now, part.range.lo)
        } else {
            self.b.minus(part.range.hi, now)
        };
        // A replica that the original would not have brought here may hold any value.
        let steps = if self.replicas.count() > 1 && matches!(part.atom, Atom::Clamp(_)) {
            let above = self.b.greatest(steps, self.b.long(0));
            self.b.least(above, part.range.span)
        } else {
            steps
        };
        self.b.trunc(steps, self.b.i32())
    }
}

/// Whether the back end would fuse `i` with a neighbour where the original has it: it fuses a
/// product with a sum of the same block, and one that nobody else takes with a sum of any ([`contracted`]). Unrolling
/// the staged body may bring others together, which would change bits, so those are pinned, with or without the flag
/// `contract`, which it does not ask for.
///
/// NB: LLVM may unroll the original too, and fuse across iterations there.
fn fuses(i: Value) -> bool {
    let pair = |product: Value, sum: Value| {
        let is_sum = matches!(sum.opcode(), Some(Op::LLVMFAdd | Op::LLVMFSub));
        let of_any = || contracted(sum).is_some_and(|k| sum.operand(k) == product);
        product.is(Op::LLVMFMul) && is_sum && (product.block() == sum.block() || of_any())
    };
    match i.opcode() {
        Some(Op::LLVMFAdd | Op::LLVMFSub) => {
            i.operands().into_iter().any(|o| pair(through_sign(o), i))
        }
        Some(Op::LLVMFMul) => i.users().into_iter().any(|u| {
            pair(i, u) || (u.is(Op::LLVMFNeg) && u.users().into_iter().any(|s| pair(i, s)))
        }),
        // Nothing else is made of a product and a sum.
        _ => true,
    }
}
