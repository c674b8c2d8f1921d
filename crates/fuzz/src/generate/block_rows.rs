//! Kernels with a row for each block, whose threads share loops over it.

use super::{Gen, Role};
use crate::kernel::{For, Int, Special, Stmt, Test, Val, ValOp};

impl Gen {
    /// Whether the kernel is to be such a one.
    pub(super) fn is_by_block(&mut self) -> bool {
        !self.flat && self.dims == [0] && self.one_in(10)
    }

    /// The whole kernel: a loop over the block's row, or several, with or without barriers in between. Each iteration
    /// has cells of its own.
    pub(super) fn block_rows(&mut self) {
        let count = self.size(Role::Count);
        let each = Int::Const([1, 4, 9][self.rng.usize(0..3)]);
        let length = Int::plus(Int::times(count, each), Int::Const(self.rng.i64(0..4)));
        let pitch = match self.one_in(3) {
            true => Int::plus(length.clone(), Int::Const(self.rng.i64(1..5))),
            false => length.clone(),
        };
        let row = Int::times(Int::Special(Special::Ctaid, 0), pitch);
        let output = self.output();
        // All of it several times, over less of the row each time.
        let again = self.one_in(3).then(|| self.local());
        let to = match again {
            Some(k) => Int::minus(length.clone(), Int::Local(k)),
            None => length.clone(),
        };
        let mut step = Int::Special(Special::Ntid, 0);
        if self.one_in(4) {
            let length = [32, 64, 128][self.rng.usize(0..3)];
            self.length = Some(length);
            step = Int::Const(length.into());
        }
        let mut all = Vec::new();
        for _ in 0..[1, 1, 1, 2, 3][self.rng.usize(0..5)] {
            let (var, body) = self.over_row(output, &row);
            all.push(Stmt::For(For {
                var,
                ty: self.ty,
                from: Int::Special(Special::Tid, 0),
                to: to.clone(),
                step: step.clone(),
                test: Test::Lt,
                body,
            }));
            if self.one_in(2) {
                all.push(Stmt::Barrier);
            }
        }
        match again {
            Some(k) => {
                let times = self.size(Role::Radius);
                self.k.body.push(For::up_to(k, self.ty, times, all));
            }
            None => self.k.body.extend(all),
        }
    }

    /// The variable of such a loop, and what an iteration does.
    fn over_row(&mut self, output: usize, row: &Int) -> (usize, Vec<Stmt>) {
        let (input, ty) = (self.input(), self.ty);
        let var = self.local();
        let own = Int::plus(row.clone(), Int::Local(var));
        let to = self.access(output, ty, own.clone());
        let from = match self.rng.u32(0..6) {
            0 => Int::Local(var),
            1 => Int::plus(own.clone(), Int::Const(self.rng.i64(0..3))),
            2 => Int::Special(Special::Ctaid, 0),
            3 => Int::Special(Special::Tid, 0),
            _ => own,
        };
        let mut value = Val::Load(self.access(input, ty, from));
        if self.one_in(2) {
            value = Val::bin(ValOp::Mul, value, Val::Alpha);
        }
        if self.one_in(2) {
            let op = [ValOp::Add, ValOp::Sub, ValOp::Max][self.rng.usize(0..3)];
            value = Val::bin(op, value, Val::Load(to.clone()));
        }
        let store = Stmt::Store(to, value.clone());
        let body = match self.rng.u32(0..6) {
            // What a thread had in the iteration before.
            0 => vec![Stmt::Fold(0, ValOp::Max, value), store],
            1 => {
                let edge = Int::Const(self.rng.i64(0..20));
                let c = self.cmp(Test::Lt, Int::Local(var), edge);
                let other = Stmt::Fold(0, ValOp::Add, Val::Alpha);
                vec![Stmt::Set(0, value), Stmt::If(c, vec![other], Vec::new()), {
                    let Stmt::Store(to, _) = store else {
                        unreachable!("it is a store")
                    };
                    Stmt::Store(to, Val::Acc(0))
                }]
            }
            _ => vec![store],
        };
        (var, body)
    }
}
