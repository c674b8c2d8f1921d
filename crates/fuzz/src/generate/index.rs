//! Indices and conditions: mostly what real kernels have, now and then anything.

use super::{Gen, Role};
use crate::kernel::{Cond, Int, IntOp, Special, Test, Ty, Use, Val};

impl Gen {
    /// An index over what is in scope.
    pub(super) fn index(&mut self) -> (Ty, Int) {
        let ty = match self.rng.u32(0..10) {
            0 => [Ty::I32, Ty::U32, Ty::I64][self.rng.usize(0..3)],
            _ => self.ty,
        };
        let mut at = match self.rng.u32(0..20) {
            0..14 => self.usual(),
            14..18 => self.combination(),
            _ => self.odd(),
        };
        match self.rng.u32(0..24) {
            0..4 => at = Int::plus(at, Int::Const(self.rng.i64(-3..6))),
            4 => at = Int::plus(at, self.size(Role::Offset)),
            5 if self.huge => {
                let o = self.size(Role::Offset);
                at = Int::minus(Int::plus(at, o.clone()), o);
            }
            6 | 7 => at = Int::plus(at, self.layer()),
            _ => (),
        }
        (ty, at)
    }

    /// This type, now and then another: one element by indices of two widths.
    pub(super) fn width(&mut self, ty: Ty) -> Ty {
        match self.rng.u32(0..8) {
            0 => [Ty::I32, Ty::U32, Ty::I64][self.rng.usize(0..3)],
            _ => ty,
        }
    }

    /// Where a layer of the grid begins, its number a part of the block's: a batch, a head of it.
    fn layer(&mut self) -> Int {
        let block = Int::Special(Special::Ctaid, self.rng.usize(0..3));
        let by = self.divisor(5);
        let part = match self.rng.u32(0..3) {
            0 => block,
            1 => Int::bin(IntOp::Div, block, by),
            _ => Int::bin(IntOp::Rem, block, by),
        };
        let length = match self.one_in(2) {
            true => self.pitch(),
            false => {
                let (of, by) = (self.pitch(), self.divisor(5));
                Int::bin(IntOp::Div, of, by)
            }
        };
        Int::times(part, length)
    }

    /// The innermost loop's variable, else a thread number.
    fn inner(&mut self) -> Int {
        match self.loops.last() {
            Some(l) => Int::Local(*l),
            None => Int::Special(Special::Tid, self.dims[0]),
        }
    }

    pub(super) fn any_loop(&mut self) -> Int {
        match self.loops.len() {
            0 => self.inner(),
            n => Int::Local(self.loops[self.rng.usize(0..n)]),
        }
    }

    pub(super) fn any_coord(&mut self) -> Int {
        let n = self.rng.usize(0..self.coords.len());
        self.coord(n)
    }

    /// A length that rows have.
    fn pitch(&mut self) -> Int {
        match self.rng.u32(0..8) {
            0..3 => self.size(Role::Count),
            3..5 => self.size(Role::Pitch),
            5 | 6 => self.size(Role::Extent(0)),
            _ => Int::Const(self.rng.i64(1..20)),
        }
    }

    /// Shapes found in real kernels: rows, columns, windows, broadcasts, planes.
    fn usual(&mut self) -> Int {
        let (k, c) = (self.inner(), self.any_coord());
        match self.rng.u32(0..14) {
            0 | 1 => k,
            2..5 => Int::plus(Int::times(c, self.pitch()), k),
            5..7 => Int::plus(Int::times(k, self.pitch()), c),
            7 | 8 => Int::plus(c, k),
            9 => Int::minus(c, k),
            10 => c,
            11 => Int::plus(Int::times(k, self.size(Role::Stride)), c),
            12 => {
                // Backwards through a row.
                let from_end = Int::minus(Int::minus(self.size(Role::Count), Int::Const(1)), k);
                Int::plus(Int::times(c, self.pitch()), from_end)
            }
            _ => self.window(),
        }
    }

    /// `(c1 + j) * w + (c0 + i)`, or a plane more.
    pub(super) fn window(&mut self) -> Int {
        let mut terms = Vec::new();
        for n in 0..self.coords.len() {
            let c = self.coord(n);
            let depth = self.loops.len();
            let c = if n < depth {
                Int::plus(c, Int::Local(self.loops[depth - 1 - n]))
            } else {
                c
            };
            terms.push(if self.one_in(8) { self.clamp(c, n) } else { c });
        }
        let pitch = self.pitch();
        let mut at = terms.pop().unwrap_or(Int::Const(0));
        while let Some(t) = terms.pop() {
            at = Int::plus(Int::times(at, pitch.clone()), t);
        }
        at
    }

    fn clamp(&mut self, v: Int, coord: usize) -> Int {
        let high = Int::minus(self.size(Role::Extent(coord)), Int::Const(1));
        match self.rng.u32(0..4) {
            0 => Int::bin(IntOp::Max, v, Int::Const(0)),
            1 => Int::bin(IntOp::Min, v, high),
            _ => Int::bin(IntOp::Min, Int::bin(IntOp::Max, v, Int::Const(0)), high),
        }
    }

    /// A random sum of multiples.
    fn combination(&mut self) -> Int {
        let mut at = Int::Const(self.rng.i64(-2..5));
        for _ in 0..self.rng.u32(1..4) {
            let v = match self.rng.u32(0..8) {
                0..3 => self.any_coord(),
                3..6 => self.any_loop(),
                6 => Int::Special(Special::Tid, self.rng.usize(0..3)),
                _ => Int::Special(Special::Ctaid, self.rng.usize(0..2)),
            };
            let m = match self.rng.u32(0..8) {
                0..3 => Int::Const(1),
                3 => Int::Const(-1),
                4 => Int::Const(self.rng.i64(2..6)),
                5 => self.size(Role::Stride),
                6 => self.pitch(),
                _ => Int::Special(Special::Ntid, self.rng.usize(0..2)),
            };
            at = if self.one_in(5) {
                Int::minus(at, Int::times(v, m))
            } else {
                Int::plus(at, Int::times(v, m))
            };
        }
        at
    }

    /// What cannot be staged, or hardly.
    fn odd(&mut self) -> Int {
        let base = self.usual();
        match self.rng.u32(0..10) {
            0 => Int::bin(IntOp::And, base, Int::Const(63)),
            1 => {
                let (of, by) = (self.dividend(), self.divisor(5));
                Int::bin(IntOp::Div, of, by)
            }
            2 => {
                let (of, by) = (self.dividend(), self.divisor(9));
                Int::bin(IntOp::Rem, of, by)
            }
            3 => {
                // A stride that is read from memory.
                let buffer = self.index_buffer();
                let (c, k) = (self.any_coord(), self.inner());
                Int::plus(
                    Int::times(
                        Int::Elem(buffer, Box::new(Int::Const(self.rng.i64(0..3)))),
                        c,
                    ),
                    k,
                )
            }
            4 | 5 => {
                let buffer = self.index_buffer();
                let c = self.any_coord();
                Int::Elem(buffer, Box::new(Int::bin(IntOp::And, c, Int::Const(255))))
            }
            6 => {
                let (a, b) = (self.any_coord(), self.any_loop());
                let c = self.cmp(Test::Lt, a.clone(), b.clone());
                Int::Pick(Box::new(c), Box::new(a), Box::new(b))
            }
            7 => Int::times(self.any_coord(), self.any_loop()),
            _ => {
                let c = self.any_coord();
                let clamped = self.clamp(c, 0);
                Int::plus(clamped, self.inner())
            }
        }
    }

    /// A coordinate, or a place on either side of some middle.
    fn dividend(&mut self) -> Int {
        let c = self.any_coord();
        match self.one_in(3) {
            true => Int::minus(c, Int::Const(self.rng.i64(1..70))),
            false => c,
        }
    }

    /// A constant below `most`, or a parameter, by which whole launches divide.
    fn divisor(&mut self, most: i64) -> Int {
        match self.rng.u32(0..4) {
            0 => self.pitch(),
            1 => self.size(Role::Extent(0)),
            2 => self.size(Role::Count),
            _ => Int::Const(self.rng.i64(1..most)),
        }
    }

    pub(super) fn index_buffer(&mut self) -> usize {
        use mesi_launch::ElemType;
        let found = self.k.buffers.iter().position(|b| b.contents != Use::Data);
        found.unwrap_or_else(|| {
            let most = self.rng.i64(2..40);
            self.k.buffers.push(crate::kernel::Buffer {
                fields: vec![ElemType::I32],
                space: crate::kernel::Space::Param,
                contents: Use::Index(most),
                // Nothing may write it: its contents decide where accesses go.
                restrict: true,
                volatile: false,
                vector: false,
            });
            self.k.buffers.len() - 1
        })
    }

    /// A condition on integers around an access to `index`, or on anything.
    pub(super) fn condition(&mut self, ty: Ty, index: &Int) -> Cond {
        let (c, k) = (self.any_coord(), self.any_loop());
        let extent = self.size(Role::Extent(0));
        match self.rng.u32(0..12) {
            0 | 1 => {
                let low = Cond::Cmp(Test::Ge, ty, index.clone(), Int::Const(0));
                Cond::and(low, Cond::Cmp(Test::Lt, ty, index.clone(), extent))
            }
            2 | 3 => {
                let sum = Int::plus(c, k);
                let low = Cond::Cmp(
                    Test::Ge,
                    Ty::I32,
                    sum.clone(),
                    Int::Const(self.rng.i64(0..3)),
                );
                Cond::and(low, Cond::Cmp(Test::Lt, Ty::I32, sum, extent))
            }
            4 => self.cmp(Test::Lt, k, c),
            5 => Cond::Cmp(Test::Ge, self.ty, k, Int::Const(self.rng.i64(0..6))),
            6 => self.cmp(Test::Ne, c, k),
            7 => Cond::Cmp(
                Test::Lt,
                Ty::U32,
                Int::Special(Special::Tid, self.dims[0]),
                Int::Const(self.rng.i64(1..40)),
            ),
            8 => {
                let b = self.cmp(Test::Gt, k, Int::Const(1));
                Cond::Or(
                    Box::new(Cond::Cmp(
                        Test::Lt,
                        self.ty,
                        c,
                        Int::Const(self.rng.i64(1..20)),
                    )),
                    Box::new(b),
                )
            }
            9 => self.uniform_or_data(),
            10 => {
                let a = self.cmp(
                    Test::Eq,
                    Int::bin(IntOp::And, c, Int::Const(1)),
                    Int::Const(0),
                );
                if self.one_in(2) {
                    Cond::Not(Box::new(a))
                } else {
                    a
                }
            }
            _ => Cond::Cmp(
                Test::Le,
                ty,
                index.clone(),
                Int::plus(extent, Int::Const(self.rng.i64(-2..9))),
            ),
        }
    }

    /// A condition that is the same for all threads, or one that data decide.
    pub(super) fn uniform_or_data(&mut self) -> Cond {
        match self.rng.u32(0..4) {
            0 => Cond::Cmp(
                Test::Gt,
                Ty::I32,
                self.size(Role::Count),
                Int::Const(self.rng.i64(0..5)),
            ),
            1 => Cond::Cmp(
                Test::Ne,
                Ty::U32,
                Int::Special(Special::Ctaid, self.dims[0]),
                Int::Const(self.rng.i64(0..2)),
            ),
            2 => Cond::Cmp(
                Test::Lt,
                Ty::I32,
                self.size(Role::Radius),
                self.size(Role::Stride),
            ),
            _ => {
                let buffer = self.input();
                let c = self.any_coord();
                let ty = self.ty;
                let a = self.access(buffer, ty, c);
                Cond::Data(Val::Acc(0), Val::Load(a))
            }
        }
    }
}
