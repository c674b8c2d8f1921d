//! Phases that update cells atomically: histograms, sums over the grid, extremes per class.

use super::{Gen, Role};
use crate::kernel::{Access, AtomicOp, Cond, Int, IntOp, Special, Stmt, Test, Ty, Val};
use mesi_launch::ElemType;

impl Gen {
    /// One array of cells or two, updated in a loop or without, some only under a condition.
    pub(super) fn counts(&mut self, out: &mut Vec<Stmt>) {
        let mut updates = Vec::new();
        for _ in 0..[1, 1, 2, 3][self.rng.usize(0..4)] {
            let (cells, op) = (self.cells(), self.operation());
            for _ in 0..[1, 1, 1, 2][self.rng.usize(0..4)] {
                updates.push((cells, op));
            }
        }
        if !self.one_in(3) {
            updates.into_iter().for_each(|u| self.update(u, out));
            return;
        }
        let nest = self.around(|g, body| updates.into_iter().for_each(|u| g.update(u, body)));
        out.push(nest);
    }

    /// A buffer of cells; nothing else in the kernel touches them, but by overlap.
    fn cells(&mut self) -> usize {
        let n = self.output();
        let ty = match self.rng.u32(0..12) {
            0 => ElemType::I64,
            1..5 => ElemType::I32,
            _ => ElemType::U32,
        };
        let b = &mut self.k.buffers[n];
        (b.fields, b.vector) = (vec![ty], false);
        n
    }

    /// All that is done to one array's cells, so that the order cannot matter.
    fn operation(&mut self) -> AtomicOp {
        let all = [
            AtomicOp::Max,
            AtomicOp::Min,
            AtomicOp::Umax,
            AtomicOp::Umin,
            AtomicOp::And,
            AtomicOp::Or,
            AtomicOp::Xor,
        ];
        match self.one_in(2) {
            true => AtomicOp::Add,
            false => all[self.rng.usize(0..all.len())],
        }
    }

    fn update(&mut self, (cells, op): (usize, AtomicOp), out: &mut Vec<Stmt>) {
        let index = self.class();
        let value = match self.rng.u32(0..4) {
            0 => {
                let input = self.input();
                Val::Load(self.own_access(input, false))
            }
            1 => Val::Acc(0),
            2 => Val::FromInt(Ty::I32, self.coord(0)),
            _ => Val::Const(self.rng.i32(1..100)),
        };
        let a = Access {
            buffer: cells,
            ty: self.ty,
            index,
            field: 0,
            other: None,
        };
        let update = Stmt::Atomic(a.clone(), op, value);
        out.push(match self.rng.u32(0..7) {
            0 => {
                let c = self.condition(a.ty, &a.index);
                Stmt::If(c, vec![update], Vec::new())
            }
            6 => {
                // Between constants, one of them or both.
                let (low, high) = (self.rng.i64(-3..5), self.rng.i64(5..300));
                let cell = |test, k| Cond::Cmp(test, a.ty, a.index.clone(), Int::Const(k));
                let below = Stmt::If(cell(Test::Lt, high), vec![update], Vec::new());
                match self.one_in(4) {
                    true => below,
                    false => Stmt::If(cell(Test::Gt, low), vec![below], Vec::new()),
                }
            }
            1 => {
                let input = self.input();
                let load = Val::Load(self.own_access(input, false));
                Stmt::If(Cond::Data(Val::Const(1), load), vec![update], Vec::new())
            }
            _ => update,
        });
    }

    /// Which cell: of data, of the thread's number, or the same for all; mostly of a few whatever the data is.
    fn class(&mut self) -> Int {
        let from = match self.rng.u32(0..6) {
            0 => Int::Special(Special::Tid, self.dims[0]),
            1 => self.any_coord(),
            2 => self.any_loop(),
            _ => {
                let buffer = self.index_buffer();
                let c = self.any_coord();
                Int::Elem(buffer, Box::new(Int::bin(IntOp::And, c, Int::Const(1023))))
            }
        };
        // Data says which, and says no bounds.
        if matches!(from, Int::Elem(..)) && self.one_in(3) {
            return Int::times(from, Int::Const(self.rng.i64(1..70)));
        }
        let few = match self.rng.u32(0..12) {
            0 => return from,
            1 => return Int::Const(self.rng.i64(0..5)),
            2..4 => Int::bin(IntOp::Rem, from, Int::Const(self.rng.i64(1..90))),
            4 => {
                let last = Int::Const(self.rng.i64(3..70));
                let low = Int::bin(IntOp::Max, from, Int::Const(0));
                Int::bin(IntOp::Min, low, last)
            }
            _ => {
                let mask = [1, 3, 7, 15, 15, 31, 63, 127, 255, 255][self.rng.usize(0..10)];
                Int::bin(IntOp::And, from, Int::Const(mask))
            }
        };
        match self.rng.u32(0..6) {
            0 => Int::plus(few, Int::Const(self.rng.i64(-4..9))),
            1 => {
                let rows = Int::bin(IntOp::And, self.any_coord(), Int::Const(3));
                Int::plus(Int::times(rows, Int::Const(16)), few)
            }
            2 => Int::times(few, Int::Const(self.rng.i64(2..4))),
            _ => few,
        }
    }

    /// A kernel that only counts. Its arrays are distinct, or tested for that at the entry, or overlap.
    pub(super) fn only_counts(&mut self, out: &mut Vec<Stmt>) {
        if self.one_in(3) {
            let read = self.read();
            out.push(Stmt::Set(0, read));
        }
        self.counts(out);
        if self.one_in(3) {
            let n = self.size(Role::Count);
            let c = Cond::Cmp(Test::Gt, Ty::I32, n, Int::Const(-1));
            let mut more = Vec::new();
            self.counts(&mut more);
            out.push(Stmt::If(c, more, Vec::new()));
        }
        let distinct = self.one_in(2);
        self.k
            .buffers
            .iter_mut()
            .for_each(|b| b.restrict |= distinct);
    }
}
