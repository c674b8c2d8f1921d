//! Which lanes take iterations of a loop that stores, worked out before it: all of a warp, or the first alone.

use super::Reduction;
use super::cells::{Place, Term};
use super::emit::{Blocks, Warps, begin, sized};
use crate::llvm::ir::{Pred, Type, Value};
use crate::machine::target::WARP;

/// How many lanes take a loop's iterations.
pub struct Width {
    /// So many: a lane's next iteration is so many behind.
    pub count: Value,
    /// Whether that is a whole warp; `None`: it is.
    pub is_whole: Option<Value>,
}

impl Width {
    /// Whether a lane that `has_one` of the iterations takes it.
    pub fn takes(&self, w: &Warps, has_one: Value) -> Value {
        match self.is_whole {
            Some(_) => {
                w.b.and(has_one, w.b.icmp(Pred::LLVMIntULT, w.number, self.count))
            }
            None => has_one,
        }
    }
}

impl Warps<'_> {
    /// How many lanes take the iterations of `l`, of which `last` come behind the first. Where it stores, what lanes
    /// read and stored before comes before that.
    pub fn width(&self, l: &Reduction, at: &Blocks, last: Value) -> Width {
        let b = self.b;
        let [one, warp] = [1, WARP].map(|n| Type::int(b.module(), 32).constant(n.into()));
        if l.cells.stores {
            self.wait();
        }
        let each = l.cells.pairs.iter().map(|p| self.are_disjoint(p, at, last));
        let is_whole = each.reduce(|x, y| b.and(x, y));
        Width {
            count: is_whole.map_or(warp, |all| b.select(all, warp, one)),
            is_whole,
        }
    }

    /// Whether no iteration touches through one place what another one touches through the other. Addresses come round:
    /// that one begins behind the end of the other is asked both ways.
    fn are_disjoint(&self, [x, y]: &[Place; 2], at: &Blocks, last: Value) -> Value {
        let b = self.b;
        let long = |n: i64| b.long(n);
        let last = sized(b, last, b.i64());
        let [from_x, from_y] = [x, y].map(|p| self.address(&p.terms, at));
        let lowest = |p: &Place, from: Value| {
            let from = b.add(from, long(p.low));
            match p.step < 0 {
                true => b.add(from, b.mul(last, long(p.step))),
                false => from,
            }
        };
        let length = |p: &Place| b.add(b.mul(last, long(p.step.abs())), long(p.high - p.low));
        let [low_x, low_y] = [lowest(x, from_x), lowest(y, from_y)];
        let is_behind = |p: &Place, from, to| {
            let distance = b.sub(to, from);
            b.icmp(Pred::LLVMIntUGE, distance, length(p))
        };
        let disjoint = b.and(is_behind(x, low_x, low_y), is_behind(y, low_y, low_x));
        // At one address they are one array of cells, if an iteration's still are no longer than the step.
        let both = x.high.max(y.high) - x.low.min(y.low);
        if x.step != y.step || both > x.step.abs() {
            return disjoint;
        }
        b.or(disjoint, b.icmp(Pred::LLVMIntEQ, from_x, from_y))
    }

    /// What the terms make before the loop. Where one means nothing, no iteration makes the access.
    fn address(&self, terms: &[Term], at: &Blocks) -> Value {
        let b = self.b;
        let of = |t: &Term| {
            let what = self.copy.value(t.what.of).operand(t.what.place);
            let what = match t.begins {
                true => begin(what, at.join),
                false => what,
            };
            let what = b.freeze(what);
            let wide = match (what.ty().is_pointer(), t.signed) {
                (true, _) => b.ptrtoint(what, b.i64()),
                (_, true) => b.sext(what, b.i64()),
                (_, false) => b.zext(what, b.i64()),
            };
            b.mul(wide, b.long(t.bytes))
        };
        let each = terms.iter().map(of);
        each.reduce(|x, y| b.add(x, y)).expect("a pointer")
    }
}
