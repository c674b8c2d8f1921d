//! Phases that come to one cell again: by a clamp that stands still, from a neighbour, or in an inner loop.

use super::{Gen, Role};
use crate::kernel::{Access, For, Int, IntOp, Stmt, Ty, Val, ValOp};

impl Gen {
    /// One to three statements about cells of the thread's own row, which lie side by side, in a loop or in a loop around it.
    pub(super) fn own_cells(&mut self, out: &mut Vec<Stmt>) {
        let (buffer, own, by_column) = (self.output(), self.own(), self.one_in(3));
        let count = self.size(Role::Count);
        let twice = Int::times(count.clone(), Int::Const(2));
        let length = Int::plus(twice, Int::Const(self.rng.i64(8..12)));
        let (outer, inner) = (self.local(), self.local());
        self.loops.push(outer);
        let cell = |g: &mut Gen| {
            let k = g.cell_number(outer, &count);
            let at = g.own_element(by_column, &length, &own, k);
            let ty = g.width(g.ty);
            g.access(buffer, ty, at)
        };
        let mut body = Vec::new();
        let nested = !self.one_in(3);
        if nested {
            self.loops.push(inner);
            let (first, again) = (cell(self), cell(self));
            let term = self.product_of_columns(outer, inner);
            let summed = match self.rng.u32(0..4) {
                0 => vec![Stmt::Update(first.clone(), ValOp::Add, term)],
                1 => vec![
                    Stmt::Fold(0, ValOp::Add, term),
                    Stmt::Store(first.clone(), Val::Acc(0)),
                ],
                2 => vec![
                    Stmt::Update(first.clone(), ValOp::Add, term.clone()),
                    Stmt::Update(again, ValOp::Sub, term),
                ],
                _ => vec![Stmt::Fold(0, ValOp::Add, term)],
            };
            self.loops.pop();
            match self.rng.u32(0..3) {
                0 => body.push(Stmt::Set(0, Val::Const(0))),
                1 => body.push(Stmt::Set(0, Val::Load(first.clone()))),
                _ => (),
            }
            let inner_count = self.size(Role::Count);
            body.push(For::up_to(inner, self.ty, inner_count, summed));
            if self.one_in(2) {
                body.push(Stmt::Store(first, Val::Acc(0)));
            }
        }
        for _ in 0..self.rng.u32(u32::from(!nested)..3) {
            let a = cell(self);
            body.push(self.on_cell(a));
        }
        self.loops.pop();
        let ty = self.ty;
        out.push(For::up_to(outer, ty, count, body));
    }

    fn on_cell(&mut self, a: Access) -> Stmt {
        match self.rng.u32(0..5) {
            0 => Stmt::Fold(0, ValOp::Add, Val::Load(a)),
            1 => Stmt::Update(a, ValOp::Add, Val::Acc(0)),
            _ => {
                let term = self.term();
                Stmt::Store(a, term)
            }
        }
    }

    /// The place in a row by which iteration `outer` is known: 0 to twice the count and a few.
    fn cell_number(&mut self, outer: usize, count: &Int) -> Int {
        let (k, far) = (Int::Local(outer), Int::Const(self.rng.i64(1..4)));
        let last = Int::minus(count.clone(), Int::Const(1));
        match self.rng.u32(0..12) {
            0 => Int::plus(k, Int::Const(1)),
            1 => Int::plus(k, far),
            2 => Int::bin(IntOp::Min, Int::plus(k, far), last),
            3 if self.ty != Ty::U32 => Int::bin(IntOp::Max, Int::minus(k, far), Int::Const(0)),
            4 => Int::bin(IntOp::Min, k, Int::Const(self.rng.i64(3..20))),
            5 => Int::minus(last, k),
            6 => Int::times(k, Int::Const(2)),
            7 => Int::plus(Int::times(k, Int::Const(2)), Int::Const(1)),
            8 => Int::plus(k, self.size(Role::Radius)),
            _ => k,
        }
    }

    /// `x[k*p + c] * y[k*p + j]`: what one iteration of `outer` loads is its own, or that of all.
    fn product_of_columns(&mut self, outer: usize, inner: usize) -> Val {
        let (x, pitch, ty) = (self.input(), self.size(Role::Pitch), self.ty);
        let y = if self.one_in(2) { x } else { self.input() };
        let row = Int::times(Int::Local(inner), pitch);
        let c = self.coord(0);
        let a = self.access(x, ty, Int::plus(row.clone(), c));
        let b = self.access(y, ty, Int::plus(row, Int::Local(outer)));
        Val::bin(ValOp::Mul, Val::Load(a), Val::Load(b))
    }
}
