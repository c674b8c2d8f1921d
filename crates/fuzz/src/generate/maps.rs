//! Kernels in which each thread has a small cell of each array, next to its neighbour's.

use super::{Gen, Role};
use crate::kernel::{Access, Cond, Int, Stmt, Test, Val, ValOp};
use mesi_launch::ElemType;

/// Elements of which 16 bytes have eight or more.
const SMALL: [ElemType; 4] = [ElemType::I8, ElemType::U8, ElemType::I16, ElemType::U16];

impl Gen {
    /// Whether the kernel is to be such a one.
    pub(super) fn is_small_map(&mut self) -> bool {
        !self.flat && self.dims == [0] && self.one_in(12)
    }

    /// The whole kernel: one cell from others at the same place, most often.
    pub(super) fn small_map(&mut self) {
        let (id, ty) = (self.local(), self.ty);
        self.coords.push(id);
        self.k.body.push(Stmt::Let(id, ty, Int::Gid(0)));
        let below = Cond::Cmp(Test::Lt, ty, Int::Local(id), self.size(Role::Extent(0)));
        let output = self.output();
        let to = self.small_cell(output, id);
        let mut value = self.small_load(id);
        for _ in 0..self.rng.usize(0..3) {
            let op = [ValOp::Add, ValOp::Sub, ValOp::Mul, ValOp::Max][self.rng.usize(0..4)];
            let other = match self.rng.u32(0..4) {
                0 => Val::Alpha,
                1 => Val::Load(to.clone()),
                _ => self.small_load(id),
            };
            value = Val::bin(op, value, other);
        }
        let store = Stmt::Store(to, value);
        if self.one_in(2) {
            self.k.body.push(Stmt::Return(Cond::Not(Box::new(below))));
            self.k.body.push(store);
        } else {
            self.k.body.push(Stmt::If(below, vec![store], Vec::new()));
        }
    }

    fn small_load(&mut self, id: usize) -> Val {
        let input = self.input();
        Val::Load(self.small_cell(input, id))
    }

    fn small_cell(&mut self, buffer: usize, id: usize) -> Access {
        // Other fields may have been named.
        if self.k.buffers[buffer].fields.len() == 1 && !self.one_in(8) {
            self.k.buffers[buffer].fields = vec![SMALL[self.rng.usize(0..SMALL.len())]];
        }
        let by = Int::Const([0, 0, 0, 0, 0, 1, 16][self.rng.usize(0..7)]);
        self.access(buffer, self.ty, Int::plus(Int::Local(id), by))
    }
}
