//! Kernels that move elements: axes of four or five dimensions are permuted by a flattened id, or each thread walks
//! through a row, or a triangle's, of its own.
//!
//! ```text
//! if (id >= e0 * e1 * e2 * e3) return;              for (j = id; j < n; j++)
//! c = id / (e1 * e3) % e2; …                            out[j * n + id] = in[id * n + j];
//! out[((c * e0 + a) * e1 + b) * e3 + d] = in[id];
//! ```

use fastrand::Rng;

use super::{Gen, Role};
use crate::kernel::{For, Int, IntOp, Stmt, Test, Ty, Val, ValOp};

impl Gen {
    /// A kernel of one of these forms.
    pub(super) fn moving(rng: Rng) -> Gen {
        let mut g = Gen::new(rng);
        g.huge = false;
        g.k.wraps = false;
        match g.one_in(3) {
            true => g.rows_of_threads(),
            false => g.permuted(),
        }
        g
    }

    /// Axes in another order.
    fn permuted(&mut self) {
        let count = [4, 4, 4, 5][self.rng.usize(0..4)];
        self.flat = true;
        self.dims = (0..count).collect();
        self.take_apart();
        self.guarded = true;
        let mut order = self.dims.clone();
        let (input, output) = (self.input(), self.output());
        let ty = self.ty;
        let sides = [input, output].map(|buffer| {
            self.rng.shuffle(&mut order);
            let at = match self.one_in(3) {
                true => Int::Local(0),
                false => self.own_in(&order).0,
            };
            self.access(buffer, ty, at)
        });
        let [from, to] = sides;
        let mut value = Val::Load(from);
        if self.one_in(3) {
            value = Val::bin(ValOp::Mul, value, Val::Alpha);
        }
        self.k.body.push(Stmt::Store(to, value));
    }

    /// The id, behind its limit, and the coordinates that it is made of, in any order.
    fn take_apart(&mut self) {
        let id = self.local();
        self.k.body.push(Stmt::Let(id, self.ty, Int::Gid(0)));
        let mut order = self.dims.clone();
        self.rng.shuffle(&mut order);
        let extents = self.dims.clone().into_iter();
        let extents: Vec<Int> = extents.map(|n| self.size(Role::Extent(n))).collect();
        let all = extents.iter().cloned().reduce(Int::times);
        let all = all.expect("four at least");
        let id = Int::Local(id);
        let beyond = self.cmp(Test::Ge, id.clone(), all);
        self.k.body.push(Stmt::Return(beyond));
        let in_steps = self.one_in(2);
        let (mut left, mut below) = (id.clone(), None::<Int>);
        self.coords = vec![0; order.len()];
        for (place, n) in order.iter().enumerate() {
            let over = match (&below, in_steps) {
                (Some(below), false) => Int::bin(IntOp::Div, id.clone(), below.clone()),
                _ => left.clone(),
            };
            let part = match place + 1 == order.len() {
                true => over,
                false => Int::bin(IntOp::Rem, over, extents[*n].clone()),
            };
            self.coords[*n] = self.named(part);
            if in_steps && place + 1 < order.len() {
                let rest = Int::bin(IntOp::Div, left, extents[*n].clone());
                left = Int::Local(self.named(rest));
            }
            let extent = extents[*n].clone();
            below = Some(match below {
                Some(below) => Int::times(below, extent),
                None => extent,
            });
        }
    }

    fn named(&mut self, x: Int) -> usize {
        let local = self.local();
        self.k.body.push(Stmt::Let(local, self.ty, x));
        local
    }

    /// A thread for each row: all of it, or what lies on one side of the diagonal; elements stay in their rows or not.
    fn rows_of_threads(&mut self) {
        self.dims = vec![0];
        self.flat = false;
        let id = self.local();
        self.k.body.push(Stmt::Let(id, self.ty, Int::Gid(0)));
        self.coords = vec![id];
        let (own, n) = (Int::Local(id), self.size(Role::Extent(0)));
        let beyond = self.cmp(Test::Ge, own.clone(), n.clone());
        self.k.body.push(Stmt::Return(beyond));
        self.guarded = true;
        let (from, to) = match self.rng.u32(0..4) {
            0 => (own.clone(), n.clone()),
            1 => (Int::Const(0), own.clone()),
            2 => (Int::Const(0), n.clone()),
            _ => (Int::plus(own.clone(), Int::Const(1)), n.clone()),
        };
        let (input, output, var) = (self.input(), self.output(), self.local());
        let (k, ty) = (Int::Local(var), self.ty);
        let row = Int::plus(Int::times(own.clone(), n.clone()), k.clone());
        let column = Int::plus(Int::times(k, n), own);
        let sides = [input, output].map(|buffer| {
            let at = match self.one_in(2) {
                true => row.clone(),
                false => column.clone(),
            };
            self.access(buffer, ty, at)
        });
        let [read, write] = sides;
        let mut value = Val::Load(read);
        if self.one_in(2) {
            value = Val::bin(ValOp::Mul, value, Val::Alpha);
        }
        let counter = match self.one_in(6) {
            true => Ty::I32,
            false => ty,
        };
        self.k.body.push(Stmt::For(For {
            var,
            ty: counter,
            from,
            to,
            step: Int::Const(1),
            test: Test::Lt,
            body: vec![Stmt::Store(write, value)],
        }));
    }
}
