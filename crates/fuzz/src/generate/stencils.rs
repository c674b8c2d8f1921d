//! Phases of kernels that read around their own point: stencils without a loop, windows with weights, and arrays
//! that can only be copied anew in each iteration of a loop that has strips of its own.

use super::{Gen, Role};
use crate::kernel::{Cond, For, Int, IntOp, Stmt, Test, Ty, Val, ValOp};

impl Gen {
    /// The neighbours along every coordinate, each under a guard of its own or all under one.
    pub(super) fn stencil(&mut self, out: &mut Vec<Stmt>) {
        let (buffer, ty) = (self.input(), self.ty);
        let reach = self.rng.i64(1..3);
        let centre = self.point(&[]);
        let load = Val::Load(self.access(buffer, ty, centre));
        out.push(Stmt::Fold(0, ValOp::Add, load));
        let together = self.one_in(3);
        let (mut guard, mut inner) = (None, Vec::new());
        for n in 0..self.coords.len() {
            for far in -reach..=reach {
                if far == 0 || self.one_in(8) {
                    continue;
                }
                let at = self.point(&[(n, Int::Const(far))]);
                let load = Val::Load(self.access(buffer, ty, at));
                let v = match self.one_in(2) {
                    true => Val::bin(ValOp::Mul, load, Val::Const(self.rng.i32(2..5))),
                    false => load,
                };
                let there = self.is_there(n, far);
                if together {
                    guard = Some(match guard {
                        None => there,
                        Some(before) => Cond::and(before, there),
                    });
                    inner.push(Stmt::Fold(0, ValOp::Add, v));
                    continue;
                }
                out.push(match self.one_in(4) {
                    true => {
                        let v = Val::Pick(Box::new(there), Box::new(v), Box::new(Val::Const(0)));
                        Stmt::Fold(0, ValOp::Add, v)
                    }
                    false => Stmt::If(there, vec![Stmt::Fold(0, ValOp::Add, v)], Vec::new()),
                });
            }
        }
        out.extend(guard.map(|c| Stmt::If(c, inner, Vec::new())));
    }

    /// Whether the neighbour `far` steps along coordinate `n` is in the array.
    fn is_there(&mut self, n: usize, far: i64) -> Cond {
        let c = self.coord(n);
        if far < 0 {
            return Cond::Cmp(Test::Ge, Ty::I32, c, Int::Const(-far));
        }
        let extent = self.size(Role::Extent(n));
        match self.one_in(2) {
            true => Cond::Cmp(Test::Lt, Ty::I32, Int::plus(c, Int::Const(far)), extent),
            false => Cond::Cmp(Test::Lt, Ty::I32, c, Int::minus(extent, Int::Const(far))),
        }
    }

    /// The thread's own point in an array of as many dimensions as there are coordinates, some of them moved.
    fn point(&mut self, moved: &[(usize, Int)]) -> Int {
        let mut at = Int::Const(0);
        for n in (0..self.coords.len()).rev() {
            let mut c = self.coord(n);
            for (_, by) in moved.iter().filter(|m| m.0 == n) {
                c = Int::plus(c, by.clone());
            }
            if n + 1 < self.coords.len() {
                let pitch = self.size(Role::Extent(n));
                at = Int::plus(Int::times(at, pitch), c);
            } else {
                at = c;
            }
        }
        at
    }

    /// `sum += x[i + k] * w[k]` or `* y[i - k]`, around the point in one or two dimensions, with a guard or without.
    pub(super) fn weighted_window(&mut self, out: &mut Vec<Stmt>) {
        let (x, w, ty) = (self.input(), self.input(), self.ty);
        let wide = self.coords.len() > 1 && self.one_in(2);
        let (from, to, test) = match self.rng.u32(0..3) {
            0 => (Int::Const(0), self.size(Role::Count), Test::Lt),
            1 => (Int::Const(0), Int::Const(self.rng.i64(2..8)), Test::Lt),
            _ => {
                let r = self.size(Role::Radius);
                (Int::minus(Int::Const(0), r.clone()), r, Test::Le)
            }
        };
        let vars: Vec<usize> = (0..1 + usize::from(wide)).map(|_| self.local()).collect();
        let moved: Vec<(usize, Int)> = vars.iter().map(|v| Int::Local(*v)).enumerate().collect();
        let at = self.point(&moved);
        let weight = match self.one_in(3) {
            true => Int::minus(self.coord(0), moved[0].1.clone()),
            false if wide => {
                let row = Int::times(moved[1].1.clone(), to.clone());
                Int::plus(row, moved[0].1.clone())
            }
            false => moved[0].1.clone(),
        };
        let product = Val::bin(
            ValOp::Mul,
            Val::Load(self.access(x, ty, at.clone())),
            Val::Load(self.access(w, ty, weight)),
        );
        let mut body = vec![Stmt::Fold(0, ValOp::Add, product)];
        if self.one_in(3) {
            let c = self.condition(ty, &at);
            body = vec![Stmt::If(c, body, Vec::new())];
        }
        // A window that is no rectangle: its rows are as long as the outer loop says, or begin there.
        let slanted = wide && self.one_in(4);
        for (n, var) in vars.iter().enumerate() {
            let (mut from, mut to, mut test) = (from.clone(), to.clone(), test);
            if slanted && n == 0 {
                let outer = Int::Local(vars[1]);
                match self.rng.u32(0..4) {
                    0 => (from, to, test) = (Int::Const(0), outer, Test::Le),
                    1 => from = outer,
                    2 => to = Int::minus(to, outer),
                    _ => to = Int::plus(outer, Int::Const(self.rng.i64(1..4))),
                }
            }
            body = vec![Stmt::For(For {
                var: *var,
                ty: if ty == Ty::U32 { Ty::I32 } else { ty },
                from,
                to,
                step: Int::Const(1),
                test,
                body,
            })];
        }
        out.extend(body);
        if self.one_in(8) {
            out.push(Stmt::Last(0, vars[0]));
        }
    }

    /// Strips of an outer loop, and in it an array that a store of each iteration may hit.
    pub(super) fn copied_each_iteration(&mut self, out: &mut Vec<Stmt>) {
        let (a, b, y) = (self.input(), self.input(), self.output());
        if a == b || a == y || b == y {
            return self.reduction(out);
        }
        self.k.buffers[a].restrict = true;
        for n in [b, y] {
            self.k.buffers[n].restrict = false;
        }
        let (ty, count, own) = (self.ty, self.size(Role::Count), self.own());
        let (i, k) = (self.local(), self.local());
        let first = Val::Load(self.access(a, ty, Int::Local(i)));
        let each = Val::Load(self.access(b, ty, Int::Local(k)));
        // Within eight elements of the thread's own; which of them, the entry cannot tell.
        let place = Int::bin(IntOp::And, Int::Local(i), Int::Const(7));
        let at = Int::plus(Int::times(own.0, Int::Const(8)), place);
        let store = Stmt::Store(self.access(y, ty, at), Val::Acc(0));
        let inner = For::up_to(k, ty, count.clone(), vec![Stmt::Fold(0, ValOp::Add, each)]);
        let first = Stmt::Fold(0, ValOp::Add, first);
        out.push(For::up_to(i, ty, count, vec![first, inner, store]));
    }
}
