//! Phases of threads that own a row or a column: read, written in place, or filled element by element.

use super::{Gen, Role};
use crate::kernel::{Access, For, Int, Num, Stmt, Test, Val, ValOp};

impl Gen {
    /// Where row or column `own` has its element `k`.
    pub(super) fn own_element(
        &mut self,
        by_column: bool,
        length: &Int,
        own: &(Int, Int),
        k: Int,
    ) -> Int {
        match by_column {
            true => Int::plus(Int::times(k, own.1.clone()), own.0.clone()),
            false => Int::plus(Int::times(own.0.clone(), length.clone()), k),
        }
    }

    /// Each thread reduces a row of its own to one whole number or two, as the lanes of a warp may do together.
    pub(super) fn reduced_row(&mut self, out: &mut Vec<Stmt>) {
        if !matches!(self.k.num, Num::I32 | Num::I64) {
            self.k.num = Num::I32;
        }
        let (input, own, ty) = (self.input(), self.own(), self.ty);
        let (by_column, count) = (self.one_in(4), self.size(Role::Count));
        let var = self.local();
        let at = self.own_element(by_column, &count, &own, Int::Local(var));
        self.loops.push(var);
        let mut body = Vec::new();
        for acc in 0..self.k.accs {
            let op = [ValOp::Add, ValOp::Max, ValOp::Sub, ValOp::Mul][self.rng.usize(0..4)];
            let mut value = Val::Load(self.access(input, ty, at.clone()));
            if self.one_in(2) {
                value = Val::bin(ValOp::Mul, value, self.read());
            }
            body.push(Stmt::Fold(acc, op, value));
        }
        if self.one_in(3) {
            let c = self.condition(ty, &at);
            body = vec![Stmt::If(c, body, Vec::new())];
        }
        self.loops.pop();
        out.push(For::up_to(var, ty, count, body));
    }

    /// Each thread reads and writes a row or column of its own, in one loop or two.
    pub(super) fn own_row(&mut self, out: &mut Vec<Stmt>) {
        let (buffer, own, by_column) = (self.output(), self.own(), self.one_in(3));
        let count = self.size(Role::Count);
        let length = if self.one_in(4) {
            Int::plus(count.clone(), Int::Const(self.rng.i64(1..4)))
        } else {
            count.clone()
        };
        let ty = self.ty;
        if self.one_in(2) {
            // First a look over the row.
            let var = self.local();
            let at = self.own_element(by_column, &length, &own, Int::Local(var));
            let load = Val::Load(self.access(buffer, ty, at));
            let fold = Stmt::Fold(
                0,
                if self.one_in(2) {
                    ValOp::Max
                } else {
                    ValOp::Add
                },
                load,
            );
            out.push(For::up_to(var, ty, count.clone(), vec![fold]));
        }
        let var = self.local();
        let k = Int::Local(var);
        let at = self.own_element(by_column, &length, &own, k.clone());
        let mut a = self.access(buffer, ty, at);
        let mut body = Vec::new();
        self.loops.push(var);
        let other = self.read();
        let mut from = Int::Const(0);
        match self.rng.u32(0..6) {
            0 => body.push(Stmt::Store(
                a.clone(),
                Val::bin(ValOp::Add, Val::Load(a.clone()), other),
            )),
            1 => body.push(Stmt::Update(a.clone(), ValOp::Sub, other)),
            2 => {
                // The element before: a chain through the row.
                let before =
                    self.own_element(by_column, &length, &own, Int::minus(k, Int::Const(1)));
                let before = Access {
                    index: before,
                    ..a.clone()
                };
                from = Int::Const(1);
                body.push(Stmt::Store(
                    a.clone(),
                    Val::bin(ValOp::Add, Val::Load(a.clone()), Val::Load(before)),
                ));
            }
            3 => {
                body.push(Stmt::Store(
                    a.clone(),
                    Val::bin(ValOp::Mul, Val::Load(a.clone()), Val::Alpha),
                ));
                body.push(Stmt::Fold(0, ValOp::Add, Val::Load(a.clone())));
            }
            4 => {
                let (ty, index) = self.index();
                let c = self.condition(ty, &index);
                let store = Stmt::Store(
                    a.clone(),
                    Val::bin(ValOp::Sub, Val::Load(a.clone()), Val::Acc(0)),
                );
                body.push(Stmt::If(c, vec![store], Vec::new()));
            }
            _ => {
                a.field = 0;
                body.push(Stmt::Fold(0, ValOp::Add, Val::Load(a.clone())));
                body.push(Stmt::Store(
                    a.clone(),
                    Val::bin(ValOp::Add, Val::Acc(0), other),
                ));
            }
        }
        self.loops.pop();
        out.push(Stmt::For(For {
            var,
            ty,
            from,
            to: count,
            step: Int::Const(1),
            test: Test::Lt,
            body,
        }));
    }

    /// A store per iteration, into the thread's own row or column of an output.
    pub(super) fn stores_in_loop(&mut self, out: &mut Vec<Stmt>) {
        let (buffer, own, by_column) = (self.output(), self.own(), self.one_in(2));
        let count = self.size(Role::Count);
        let (var, ty) = (self.local(), self.ty);
        let at = self.own_element(by_column, &count, &own, Int::Local(var));
        let a = self.access(buffer, ty, at);
        self.loops.push(var);
        let mut body = Vec::new();
        if self.one_in(3) {
            let inner = self.nest(1);
            body.push(Stmt::Set(0, Val::Const(0)));
            body.push(inner);
            body.push(Stmt::Store(a, Val::Acc(0)));
        } else {
            let term = self.term();
            body.push(Stmt::Store(a, term));
        }
        self.loops.pop();
        out.push(For::up_to(var, ty, count, body));
    }
}
