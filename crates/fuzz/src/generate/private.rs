//! Phases with an array that each thread has to itself, and that data index: counts, sums by class, tables.

use super::{Gen, Role};
use crate::kernel::{Cond, For, Int, IntOp, Stmt, Ty, Val, ValOp};

/// Lengths that such arrays have. Short ones become registers where an index is known.
const LENGTHS: [u32; 8] = [3, 4, 8, 12, 16, 16, 32, 64];

impl Gen {
    /// The array is filled, updated where data says, and read.
    pub(super) fn private(&mut self, out: &mut Vec<Stmt>) {
        let own = self.k.private.len();
        let length = LENGTHS[self.rng.usize(0..LENGTHS.len())];
        self.k.private.push(length);
        let all = Int::Const(i64::from(length));
        self.filled(own, &all, out);
        let count = self.size(Role::Count);
        let update = |g: &mut Gen, var| {
            let at = g.by_data(length, &Int::Local(var));
            g.updated(own, at)
        };
        let updates = self.over(count, update);
        out.push(updates);
        self.summed(own, length, &all, out);
    }

    /// A loop to `to` around what `body` makes of its variable.
    fn over(&mut self, to: Int, body: impl FnOnce(&mut Gen, usize) -> Vec<Stmt>) -> Stmt {
        let var = self.local();
        self.loops.push(var);
        let inner = body(self, var);
        self.loops.pop();
        For::up_to(var, Ty::I32, to, inner)
    }

    fn filled(&mut self, own: usize, all: &Int, out: &mut Vec<Stmt>) {
        let constant = Val::Const(self.rng.i32(0..3));
        let is_same = self.one_in(2);
        let fill = self.over(all.clone(), |g, var| {
            let value = match is_same {
                true => constant,
                false => g.read(),
            };
            vec![Stmt::PrivateStore(own, Int::Local(var), value)]
        });
        out.push(fill);
    }

    /// An index below `length` that data decides, in the round `k` of a loop; now and then it is known.
    fn by_data(&mut self, length: u32, k: &Int) -> Int {
        let few = Int::Const(1 << length.ilog2());
        let mask = Int::minus(few, Int::Const(1));
        let from = match self.rng.u32(0..8) {
            0 => k.clone(),
            1 => self.any_coord(),
            _ => {
                let along = Int::times(k.clone(), Int::Const(self.rng.i64(1..40)));
                let at = Int::plus(along, self.any_coord());
                let at = Int::bin(IntOp::And, at, Int::Const(1023));
                Int::Elem(self.index_buffer(), Box::new(at))
            }
        };
        Int::bin(IntOp::And, from, mask)
    }

    fn updated(&mut self, own: usize, at: Int) -> Vec<Stmt> {
        let old = Val::Private(own, at.clone());
        let new = match self.rng.u32(0..6) {
            0 => self.read(),
            1 => Val::bin(ValOp::Max, old, self.read()),
            2 => Val::bin(ValOp::Add, old, Val::Const(1)),
            3 => Val::bin(ValOp::Add, old, self.term()),
            _ => Val::bin(ValOp::Add, old, self.read()),
        };
        let update = Stmt::PrivateStore(own, at, new);
        match self.rng.u32(0..5) {
            0 => {
                let c = Cond::Data(Val::Const(1), self.read());
                vec![Stmt::If(c, vec![update], Vec::new())]
            }
            _ => vec![update],
        }
    }

    /// Elements are added up, or looked up where data says.
    fn summed(&mut self, own: usize, length: u32, all: &Int, out: &mut Vec<Stmt>) {
        let acc = self.rng.usize(0..self.k.accs);
        let op = [ValOp::Add, ValOp::Max, ValOp::Sub][self.rng.usize(0..3)];
        if self.one_in(4) {
            let at = self.by_data(length, &Int::Const(1));
            out.push(Stmt::Fold(acc, op, Val::Private(own, at)));
            return;
        }
        let is_conditional = self.one_in(4);
        let sum = self.over(all.clone(), |g, var| {
            let element = Val::Private(own, Int::Local(var));
            let term = match g.rng.u32(0..3) {
                0 => Val::bin(ValOp::Mul, element.clone(), Val::Alpha),
                1 => Val::bin(ValOp::Mul, element.clone(), g.read()),
                _ => element.clone(),
            };
            let fold = Stmt::Fold(acc, op, term);
            match is_conditional {
                true => {
                    let c = Cond::Data(Val::Acc(acc), element);
                    vec![Stmt::If(c, vec![fold], Vec::new())]
                }
                false => vec![fold],
            }
        });
        out.push(sum);
    }
}
