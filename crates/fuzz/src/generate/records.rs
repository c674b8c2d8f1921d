//! Neighbouring cells without a loop: the fields of a record of the thread's own, or of one that another thread has, as
//! loads and stores that become one where they lie aligned.

use super::Gen;
use crate::kernel::{Access, Int, Stmt, Val, ValOp};

impl Gen {
    /// Loads of two to eight neighbours, and stores of as many.
    pub(super) fn records(&mut self, out: &mut Vec<Stmt>) {
        let (from, to, own) = (self.input(), self.output(), self.own());
        let length = [2, 4, 4, 8, 3][self.rng.usize(0..5)];
        // Some begin in between.
        let first = i64::from(self.one_in(6));
        let count = self.rng.i64(2..length + 1);
        let reversed = self.one_in(8);
        let cell = |g: &mut Gen, buffer: usize, k: i64| -> Access {
            let number = Int::Const(first + if reversed { count - 1 - k } else { k });
            let length = Int::Const(length);
            let at = g.own_element(false, &length, &own, number);
            let ty = g.width(g.ty);
            g.access(buffer, ty, at)
        };
        let all: Vec<Access> = (0..count).map(|k| cell(self, from, k)).collect();
        for (k, load) in all.into_iter().enumerate() {
            let value = Val::Load(load);
            let store = cell(self, to, k as i64);
            out.push(match self.rng.u32(0..8) {
                0 => Stmt::Fold(0, ValOp::Add, value),
                1 => Stmt::Update(store, ValOp::Add, value),
                2 => {
                    let term = self.term();
                    Stmt::Store(store, Val::bin(ValOp::Add, value, term))
                }
                _ => Stmt::Store(store, Val::bin(ValOp::Mul, value, Val::Alpha)),
            });
        }
    }
}
