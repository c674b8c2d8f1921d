//! Buffers, what a thread owns of them, and the kernel's own shared memory.

use super::{Gen, Role};
use crate::kernel::{
    Access, AtomicOp, Buffer, Int, IntOp, SharedArray, Space, Special, Stmt, Ty, Use, Val, ValOp,
};
use mesi_launch::ElemType;

impl Gen {
    /// A new buffer of values.
    pub(super) fn buffer(&mut self) -> usize {
        let own = crate::ir::num_type(self.k.num).1;
        let any = [
            ElemType::F16,
            ElemType::F32,
            ElemType::F64,
            ElemType::I8,
            ElemType::U8,
            ElemType::I16,
            ElemType::U16,
            ElemType::I32,
            ElemType::U32,
            ElemType::I64,
        ];
        let elem = if self.one_in(3) {
            any[self.rng.usize(0..any.len())]
        } else {
            own
        };
        let fields = match self.rng.u32(0..40) {
            0 | 1 => vec![ElemType::F32; 4],
            2 | 6 => vec![elem; 2],
            3 => vec![ElemType::F32, ElemType::I32],
            4 => vec![ElemType::I32; 3],
            5 => vec![ElemType::F64, ElemType::I16],
            _ => vec![elem],
        };
        let space = match self.rng.u32(0..60) {
            0 | 1 => Space::Device,
            2 => Space::Constant,
            _ => Space::Param,
        };
        let restrict = self.one_in(4);
        let volatile = self.one_in(60);
        let vector = self.one_in(3);
        self.k.buffers.push(Buffer {
            fields,
            space,
            contents: Use::Data,
            restrict,
            volatile,
            vector,
        });
        self.k.buffers.len() - 1
    }

    /// A buffer to read: one of those read before, or a new one.
    pub(super) fn input(&mut self) -> usize {
        let before: Vec<usize> = (0..self.k.buffers.len())
            .filter(|n| self.is_plain_input(*n))
            .collect();
        match before.is_empty() || (before.len() < 4 && !self.one_in(3)) {
            true => self.buffer(),
            false => before[self.rng.usize(0..before.len())],
        }
    }

    /// Data that no phase writes.
    pub(super) fn is_plain_input(&self, n: usize) -> bool {
        self.k.buffers[n].contents == Use::Data && !self.outputs.contains(&n)
    }

    /// A buffer that can be written.
    pub(super) fn output(&mut self) -> usize {
        let n = self.buffer();
        if self.k.buffers[n].space == Space::Constant {
            self.k.buffers[n].space = Space::Param;
        }
        self.outputs.push(n);
        n
    }

    pub(super) fn access(&mut self, buffer: usize, ty: Ty, index: Int) -> Access {
        let field = self.rng.usize(0..self.k.buffers[buffer].fields.len());
        let fields = &self.k.buffers[buffer].fields;
        let same =
            |b: &Buffer| b.space == Space::Param && b.contents == Use::Data && b.fields == *fields;
        let twins = self
            .k
            .buffers
            .iter()
            .position(same)
            .filter(|n| *n != buffer && self.is_plain_input(*n));
        let twins = twins.filter(|_| same(&self.k.buffers[buffer]) && self.is_plain_input(buffer));
        let other = twins.filter(|_| self.rng.u32(0..50) == 0);
        Access {
            buffer,
            ty,
            index,
            field,
            other,
        }
    }

    /// An index that no other thread has: one of `count` numbers, with the number of all of them.
    pub(super) fn own(&mut self) -> (Int, Int) {
        let mut order: Vec<usize> = (0..self.dims.len()).collect();
        if self.one_in(4) {
            order.reverse();
        }
        self.own_in(&order)
    }

    /// The same, the first coordinate of `order` innermost.
    pub(super) fn own_in(&mut self, order: &[usize]) -> (Int, Int) {
        let extents: Vec<Int> = (0..self.dims.len())
            .map(|n| match self.guarded {
                true => self.size(Role::Extent(n)),
                false => Int::times(
                    Int::Special(Special::Ntid, self.dims[n]),
                    Int::Special(Special::Nctaid, self.dims[n]),
                ),
            })
            .collect();
        // ((c2 * e1 + c1) * e0 + c0)
        let (mut at, mut count) = (None, Int::Const(1));
        for n in order.iter().rev() {
            at = Some(match at {
                None => self.coord(*n),
                Some(a) => Int::plus(Int::times(a, extents[*n].clone()), self.coord(*n)),
            });
            count = Int::times(count, extents[*n].clone());
        }
        (at.unwrap_or(Int::Const(0)), count)
    }

    /// Stores the accumulator where only this thread does.
    pub(super) fn store_result(&mut self, out: &mut Vec<Stmt>) {
        let (mut at, count) = self.own();
        match self.rng.u32(0..12) {
            0 => at = Int::times(at, Int::Const(self.rng.i64(2..4))),
            1 => at = Int::plus(at, self.size(Role::Offset)),
            2 => at = Int::minus(Int::minus(count, Int::Const(1)), at),
            3 => at = Int::minus(Int::Const(0), at),
            _ => (),
        }
        let buffer = self.output();
        let ty = self.ty;
        let a = self.access(buffer, ty, at);
        let value = match self.rng.u32(0..5) {
            _ if self.k.accs > 1 => Val::bin(ValOp::Add, Val::Acc(0), Val::Acc(1)),
            0 => Val::bin(ValOp::Mul, Val::Acc(0), Val::Alpha),
            1 => Val::bin(ValOp::Add, Val::Acc(0), Val::Load(a.clone())),
            _ => Val::Acc(0),
        };
        let integer = !self.k.buffers[a.buffer].fields[a.field].is_float()
            && self.k.buffers[a.buffer].fields[a.field].size() >= 4;
        if integer && self.one_in(12) {
            let bins = Int::bin(IntOp::And, a.index.clone(), Int::Const(7));
            out.push(Stmt::Atomic(
                Access { index: bins, ..a },
                AtomicOp::Add,
                Val::Acc(0),
            ));
        } else {
            out.push(Stmt::Store(a, value));
        }
    }

    /// The kernel's own shared array: filled, waited for, read at a neighbour, waited for again.
    pub(super) fn own_shared(&mut self) {
        let number = self.k.shared.len();
        self.k.shared.push(SharedArray { len: 1024 });
        self.shared_round(number);
    }

    pub(super) fn dynamic_shared(&mut self) {
        if self.k.shared.is_empty() {
            self.k.shared.push(SharedArray { len: 0 });
            let before = std::mem::take(&mut self.k.body);
            let lets = self.coords.len().min(before.len());
            self.k.body = before[..lets].to_vec();
            let coords = (0..lets)
                .filter_map(|n| {
                    if let Stmt::Let(v, ..) = before[n] {
                        Some(v)
                    } else {
                        None
                    }
                })
                .collect();
            self.coords = coords;
            self.shared_round(0);
            self.k.body.extend_from_slice(&before[lets..]);
        }
    }

    pub(super) fn shared_round(&mut self, number: usize) {
        let (tid, ntid) = (
            |d| Int::Special(Special::Tid, d),
            |d| Int::Special(Special::Ntid, d),
        );
        let flat = Int::plus(
            Int::times(Int::plus(Int::times(tid(2), ntid(1)), tid(1)), ntid(0)),
            tid(0),
        );
        let threads = Int::times(Int::times(ntid(0), ntid(1)), ntid(2));
        let at = |index: Int| Access {
            buffer: number,
            ty: Ty::I32,
            index,
            field: 0,
            other: None,
        };
        let buffer = self.input();
        let (ty, index) = self.index();
        let from = self.access(buffer, ty, index);
        self.k
            .body
            .push(Stmt::SharedStore(at(flat.clone()), Val::Load(from)));
        if self.one_in(4) {
            // Each thread reads back what it wrote, though LLVM cannot tell: nobody waits.
            let mine = Val::Shared(at(Int::bin(IntOp::Rem, flat, threads)));
            self.k.body.push(Stmt::Fold(0, ValOp::Add, mine));
            return;
        }
        self.k.body.push(Stmt::Barrier);
        let shift = Int::plus(flat, Int::Const(self.rng.i64(0..9)));
        let near = Val::Shared(at(Int::bin(IntOp::Rem, shift, threads)));
        self.k.body.push(Stmt::Fold(0, ValOp::Add, near));
        if !self.one_in(3) {
            self.k.body.push(Stmt::Barrier);
        }
    }
}
