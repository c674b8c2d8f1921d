//! A loop over the elements of a row of the thread's own, each of them a sum over an inner loop: the
//! shape of covariances, distances and products of vectors. Threads may begin or end it differently.

use super::{Gen, Role};
use crate::kernel::{Access, For, Int, IntOp, Stmt, Test, Val, ValOp};

impl Gen {
    /// One such loop.
    pub(super) fn pairs(&mut self, out: &mut Vec<Stmt>) {
        let (buffer, own, by_column) = (self.output(), self.own(), self.one_in(2));
        // Up to the thread's own coordinate, or from there, its rows are as long as there are threads.
        let square = self.guarded && self.one_in(2);
        let count = self.size(if square { Role::Extent(0) } else { Role::Count });
        let (var, ty) = (self.local(), self.ty);
        let at = self.own_element(by_column, &count, &own, Int::Local(var));
        let cell = self.access(buffer, ty, at);
        let (from, to, step, test) = self.ends(count, square);
        self.loops.push(var);
        let mut body = Vec::new();
        match self.rng.u32(0..4) {
            0 => self.sum_in_memory(cell, &mut body),
            1 => {
                // What one element ends with, the next begins with.
                self.reduction(&mut body);
                body.push(Stmt::Store(cell, Val::Acc(0)));
            }
            _ => {
                body.push(Stmt::Set(0, Val::Const(self.rng.i32(0..3))));
                if self.one_in(5) {
                    let early = self.read();
                    body.push(Stmt::Fold(0, ValOp::Add, early));
                }
                let inner = self.around(|g, inner| {
                    let term = g.term();
                    inner.push(Stmt::Fold(0, ValOp::Add, term));
                });
                body.push(inner);
                let old = Val::Load(cell.clone());
                let sum = match self.rng.u32(0..4) {
                    0 => Val::bin(ValOp::Add, Val::Acc(0), old),
                    _ => Val::Acc(0),
                };
                body.push(Stmt::Store(cell, sum));
            }
        }
        if self.k.accs > 1 && self.one_in(2) {
            let own = Val::Acc(0);
            body.push(Stmt::Fold(1, ValOp::Max, own));
        }
        self.loops.pop();
        out.push(Stmt::For(For {
            var,
            ty,
            from,
            to,
            step,
            test,
            body,
        }));
    }

    /// From where to where, within the row.
    fn ends(&mut self, count: Int, square: bool) -> (Int, Int, Int, Test) {
        let (zero, one) = (Int::Const(0), Int::Const(1));
        if square {
            let own = self.coord(0);
            return match self.rng.u32(0..4) {
                0 => (own, zero, Int::Const(-1), Test::Ge),
                1 => (zero, own, one, Test::Le),
                _ => (own, count, one, Test::Lt),
            };
        }
        let capped = |i: Int, n: Int| Int::bin(IntOp::Min, i, n);
        match self.rng.u32(0..6) {
            0 | 1 => (capped(self.coord(0), Int::Const(9)), count, one, Test::Lt),
            2 => {
                let next = Int::plus(self.coord(0), one.clone());
                (zero, capped(next, count), one, Test::Lt)
            }
            3 => {
                let last = Int::minus(count, one);
                (last, zero, Int::Const(-1), Test::Ge)
            }
            _ => (zero, count, one, Test::Lt),
        }
    }

    /// The sum is kept up to date in the element itself, which may begin with what was there.
    fn sum_in_memory(&mut self, cell: Access, body: &mut Vec<Stmt>) {
        if !self.one_in(3) {
            body.push(Stmt::Store(cell.clone(), Val::Const(0)));
        }
        let a = cell.clone();
        let inner = self.around(|g, inner| {
            let term = g.term();
            inner.push(Stmt::Update(a, ValOp::Add, term));
        });
        body.push(inner);
        if self.one_in(2) {
            body.push(Stmt::Fold(0, ValOp::Max, Val::Load(cell)));
        }
    }
}
