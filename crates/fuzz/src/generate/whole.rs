//! Kernels of one phase, in forms that real ones have: next to other phases most of what is done to such a
//! kernel as a whole would be refused.

use super::{Gen, Role};
use crate::kernel::{Cond, For, Int, IntOp, Num, Space, Stmt, Test, Ty, Val, ValOp};
use mesi_launch::ElemType;

impl Gen {
    /// The whole kernel behind its guard.
    pub(super) fn whole(&mut self, out: &mut Vec<Stmt>) {
        let line = self.dims.len() == 1;
        match self.rng.u32(0..24) {
            0..4 => {
                self.only_counts(out);
                if self.one_in(3) {
                    self.store_result(out);
                }
                return;
            }
            4..7 if line => return self.copied_row(out),
            4..7 => return self.turned(out),
            7..10 => self.edges(out),
            10..13 => self.product(out),
            13 => self.weighted_window(out),
            14 => self.sum_beside_others(out),
            15 => self.own_cells(out),
            16 => self.records(out),
            20 | 21 if line => self.reduced_row(out),
            22 | 23 => self.private(out),
            _ => self.pairs(out),
        }
        self.store_result(out);
    }

    /// Rows become columns: no loop, and a store whose index moves by rows from thread to thread.
    fn turned(&mut self, out: &mut Vec<Stmt>) {
        let (input, ty) = (self.input(), self.ty);
        let mut value = Val::Load(self.own_access(input, false));
        match self.rng.u32(0..4) {
            0 => value = Val::bin(ValOp::Mul, value, Val::Alpha),
            1 => {
                let second = self.input();
                let load = Val::Load(self.own_access(second, false));
                value = Val::bin(ValOp::Add, value, load);
            }
            _ => (),
        }
        let output = self.output();
        let mut to = self.own_access(output, true);
        match self.rng.u32(0..8) {
            0 => to.index = Int::plus(to.index, self.size(Role::Offset)),
            1 if self.dims.len() > 1 => {
                // Rows of the output are longer than they need be.
                let n = self.dims.len() - 1;
                let pitch = Int::plus(self.size(Role::Extent(n)), self.size(Role::Radius));
                to.index = Int::plus(Int::times(self.coord(0), pitch), self.coord(n));
            }
            _ => (),
        }
        let store = Stmt::Store(to.clone(), value);
        match self.one_in(8) {
            true => {
                let c = self.condition(ty, &to.index);
                out.push(Stmt::If(c, vec![store], Vec::new()));
            }
            false => out.push(store),
        }
    }

    /// The thread's own element, in the order of coordinates or in the opposite order.
    pub(super) fn own_access(&mut self, buffer: usize, turned: bool) -> crate::kernel::Access {
        let mut order: Vec<usize> = (0..self.dims.len()).collect();
        if turned {
            order.reverse();
        }
        let (at, ty) = (self.own_in(&order).0, self.ty);
        self.access(buffer, ty, at)
    }

    /// `to[row*n + k] = f(from[row*m + k])`: a thread a row.
    fn copied_row(&mut self, out: &mut Vec<Stmt>) {
        let (from, to, ty) = (self.input(), self.output(), self.ty);
        let elem = self.k.buffers[from].fields.clone();
        if self.one_in(2) && self.k.buffers[to].fields.len() == elem.len() {
            self.k.buffers[to].fields = elem;
        }
        let (own, count) = (self.own().0, self.size(Role::Count));
        let var = self.local();
        let longer = |g: &mut Gen| match g.one_in(2) {
            true => count.clone(),
            false => Int::plus(count.clone(), Int::Const(g.rng.i64(1..9))),
        };
        let (m, n) = (longer(self), longer(self));
        let k = match self.one_in(5) {
            true => Int::minus(Int::minus(count.clone(), Int::Const(1)), Int::Local(var)),
            false => Int::Local(var),
        };
        let row = |m: Int| Int::plus(Int::times(own.clone(), m), k.clone());
        let mut value = Val::Load(self.access(from, ty, row(m)));
        if self.one_in(2) {
            value = Val::bin(ValOp::Mul, value, Val::Alpha);
        }
        let to = self.access(to, ty, row(n));
        let mut body = vec![Stmt::Store(to, value)];
        if self.one_in(4) {
            let more = self.read();
            body.insert(0, Stmt::Fold(0, ValOp::Add, more));
        }
        out.push(For::up_to(var, ty, count, body));
    }

    /// Windows whose elements beyond the array are the last ones, or left out.
    fn edges(&mut self, out: &mut Vec<Stmt>) {
        self.wide = true;
        let dims = match self.coords.len() {
            1 => 1,
            _ => 2 - usize::from(self.one_in(4)),
        };
        let ty = if self.ty == Ty::U32 { Ty::I32 } else { self.ty };
        let fixed = self.one_in(4).then(|| Int::Const(self.rng.i64(1..4)));
        let radius = fixed.unwrap_or_else(|| self.size(Role::Radius));
        let style = self.rng.u32(0..5);
        let vars: Vec<usize> = (0..dims).map(|_| self.local()).collect();
        let (mut inside, mut at) = (None, Int::Const(0));
        for n in (0..self.coords.len()).rev() {
            let (mut c, extent) = (self.coord(n), self.size(Role::Extent(n)));
            if let Some(var) = vars.get(n) {
                c = Int::plus(c, Int::Local(*var));
                let last = Int::minus(extent.clone(), Int::Const(1));
                if style < 2 {
                    let low = Int::bin(IntOp::Max, c, Int::Const(0));
                    c = Int::bin(IntOp::Min, low, last);
                } else if style < 4 {
                    let low = Cond::Cmp(Test::Ge, ty, c.clone(), Int::Const(0));
                    let there = Cond::and(low, Cond::Cmp(Test::Lt, ty, c.clone(), extent.clone()));
                    inside = Some(match inside {
                        None => there,
                        Some(before) => Cond::and(before, there),
                    });
                }
            }
            at = match n + 1 == self.coords.len() {
                true => c,
                false => Int::plus(Int::times(at, extent), c),
            };
        }
        let x = self.input();
        let mut value = Val::Load(self.access(x, ty, at));
        if self.one_in(2) {
            let w = self.input();
            let side = Int::plus(Int::times(radius.clone(), Int::Const(2)), Int::Const(1));
            let mut weight = Int::Const(0);
            for var in vars.iter().rev() {
                let step = Int::plus(Int::Local(*var), radius.clone());
                weight = Int::plus(Int::times(weight, side.clone()), step);
            }
            value = Val::bin(ValOp::Mul, value, Val::Load(self.access(w, ty, weight)));
        }
        let op = if self.one_in(5) {
            ValOp::Max
        } else {
            ValOp::Add
        };
        let mut body = vec![Stmt::Fold(0, op, value)];
        if let Some(c) = inside {
            body = vec![Stmt::If(c, body, Vec::new())];
        }
        for var in vars {
            body = vec![Stmt::For(For {
                var,
                ty,
                from: Int::minus(Int::Const(0), radius.clone()),
                to: radius.clone(),
                step: Int::Const(1),
                test: Test::Le,
                body,
            })];
        }
        out.extend(body);
    }

    /// Has whole numbers be worked out from bytes, as tensor cores may do together, if arrays can be made of those.
    fn of_bytes(&mut self, arrays: [usize; 2]) {
        let is_plain = |n: &usize| {
            let b = &self.k.buffers[*n];
            b.fields.len() == 1 && b.space == Space::Param
        };
        if !arrays.iter().all(is_plain) {
            return;
        }
        self.k.num = Num::I32;
        for n in arrays {
            let ty = [ElemType::I8, ElemType::U8][self.rng.usize(0..2)];
            let buffer = &mut self.k.buffers[n];
            (buffer.fields, buffer.volatile) = (vec![ty], false);
        }
    }

    /// A product of two matrices, either of them transposed or not.
    fn product(&mut self, out: &mut Vec<Stmt>) {
        let (a, b, ty) = (self.input(), self.input(), self.ty);
        if self.coords.len() == 2 && self.one_in(3) {
            self.of_bytes([a, b]);
        }
        let var = self.local();
        let (k, count) = (Int::Local(var), self.size(Role::Count));
        let (row, col) = (self.coord(self.coords.len() - 1), self.coord(0));
        let at = |x: Int, n: Int, y: Int| Int::plus(Int::times(x, n), y);
        let left = match self.one_in(4) {
            true => at(k.clone(), self.size(Role::Pitch), row),
            false => at(row, count.clone(), k.clone()),
        };
        let right = match self.one_in(4) {
            true => at(col, count.clone(), k),
            false => at(k, self.size(Role::Extent(0)), col),
        };
        let product = Val::bin(
            ValOp::Mul,
            Val::Load(self.access(a, ty, left)),
            Val::Load(self.access(b, ty, right)),
        );
        let body = match self.one_in(5) {
            true => {
                let (c, own) = (self.output(), self.own().0);
                let cell = self.access(c, ty, own);
                vec![Stmt::Update(cell, ValOp::Add, product)]
            }
            false => vec![Stmt::Fold(0, ValOp::Add, product)],
        };
        out.push(For::up_to(var, ty, count, body));
    }

    /// A sum in memory, in a loop that loads from arrays which may be the same memory.
    fn sum_beside_others(&mut self, out: &mut Vec<Stmt>) {
        let (y, own, ty) = (self.output(), self.own().0, self.ty);
        let cell = self.access(y, ty, own);
        let nest = self.around(|g, body| {
            let term = g.term();
            body.push(Stmt::Update(cell, ValOp::Add, term));
        });
        out.push(nest);
        self.k.buffers.iter_mut().for_each(|b| b.restrict = false);
    }
}
