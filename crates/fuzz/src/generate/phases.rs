//! Phases: what a thread does between its guard and its last store.

use super::{Gen, Role};
use crate::kernel::{Access, Cond, For, Int, IntOp, Stmt, Test, Ty, Val, ValOp};

impl Gen {
    /// One phase.
    pub(super) fn phase(&mut self, out: &mut Vec<Stmt>) {
        match self.rng.u32(0..35) {
            0..8 => self.reduction(out),
            8..11 => self.taps(out),
            11..13 => self.own_row(out),
            13 | 14 => self.accumulate_in_memory(out),
            15 => self.guarded(out),
            16 => self.search(out),
            17..20 => self.stores_in_loop(out),
            20..23 => self.stencil(out),
            23..26 => self.weighted_window(out),
            26 => self.copied_each_iteration(out),
            27..30 => self.pairs(out),
            30 => self.counts(out),
            31 => self.own_cells(out),
            32 => self.records(out),
            33 => self.private(out),
            _ => {
                let term = self.term();
                out.push(Stmt::Fold(0, ValOp::Add, term));
            }
        }
    }

    /// A loop around `body`, which is made with the loop's variable in scope.
    pub(super) fn around(&mut self, body: impl FnOnce(&mut Gen, &mut Vec<Stmt>)) -> Stmt {
        let var = self.local();
        let ty = match self.rng.u32(0..8) {
            0 => [Ty::I32, Ty::U32, Ty::I64][self.rng.usize(0..3)],
            _ => self.ty,
        };
        let (from, to, step, test) = self.bounds();
        // An unsigned variable does not count down to 0, nor from below it.
        let ty = if ty == Ty::U32 && (step != Int::Const(1) || matches!(from, Int::Bin(..))) {
            Ty::I32
        } else {
            ty
        };
        self.loops.push(var);
        let mut inner = Vec::new();
        body(self, &mut inner);
        self.loops.pop();
        Stmt::For(For {
            var,
            ty,
            from,
            to,
            step,
            test,
            body: inner,
        })
    }

    fn bounds(&mut self) -> (Int, Int, Int, Test) {
        let one = Int::Const(1);
        let zero = Int::Const(0);
        let count = self.size(Role::Count);
        match self.rng.u32(0..30) {
            0..12 => (zero, count, one, Test::Lt),
            12..14 => (zero, Int::Const(self.rng.i64(1..24)), one, Test::Lt),
            14 | 15 => {
                let r = self.size(Role::Radius);
                (Int::minus(zero, r.clone()), r, one, Test::Le)
            }
            16 => (zero, Int::minus(count, one.clone()), one, Test::Le),
            17 => (zero, count, Int::Const(self.rng.i64(2..5)), Test::Lt),
            18 => (
                Int::minus(count, one.clone()),
                zero,
                Int::Const(-1),
                Test::Ge,
            ),
            19 => (one.clone(), count, one, Test::Lt),
            20 => (
                zero,
                Int::bin(IntOp::Min, count, Int::Const(self.rng.i64(4..20))),
                one,
                Test::Lt,
            ),
            21 => (zero, count, one, Test::Ne),
            // Divergent: up to, or from, the thread's own coordinate.
            22 => (
                zero,
                Int::bin(IntOp::Min, Int::plus(self.coord(0), one.clone()), count),
                one,
                Test::Lt,
            ),
            23 => (
                Int::bin(IntOp::Min, self.coord(0), Int::Const(9)),
                count,
                one,
                Test::Lt,
            ),
            24 if !self.loops.is_empty() => (
                zero,
                Int::plus(Int::Local(self.loops[0]), one.clone()),
                one,
                Test::Lt,
            ),
            25 if self.huge => {
                let o = self.size(Role::Offset);
                (
                    o.clone(),
                    Int::plus(o, Int::Const(self.rng.i64(1..20))),
                    one,
                    Test::Lt,
                )
            }
            26 => (
                self.size(Role::Radius),
                count,
                Int::plus(self.size(Role::Radius), one),
                Test::Lt,
            ),
            // Triangles: up or down to, or from, coordinates that are as large as the launch.
            27..30 => self.triangle(count),
            _ => (zero, count, one, Test::Lt),
        }
    }

    /// Bounds that are a thread's own, as the rows of triangles have them.
    fn triangle(&mut self, count: Int) -> (Int, Int, Int, Test) {
        let one = Int::Const(1);
        let along = self.rng.usize(0..self.coords.len());
        let (own, other) = (self.coord(along), self.coord(0));
        let below = Int::minus(count.clone(), one.clone());
        match self.rng.u32(0..6) {
            0 | 1 => (Int::Const(0), own, one, Test::Le),
            2 => (own, count, one, Test::Lt),
            3 => {
                let most = Int::Const(self.rng.i64(1..40));
                (Int::bin(IntOp::Min, other, most), own, one, Test::Le)
            }
            4 => (below, own, Int::Const(-1), Test::Ge),
            _ => (Int::Const(0), Int::minus(count, own), one, Test::Lt),
        }
    }

    /// Something read, perhaps times something else read.
    pub(super) fn term(&mut self) -> Val {
        let a = self.read();
        match self.rng.u32(0..8) {
            0..3 => Val::bin(ValOp::Mul, a, self.read()),
            3 => Val::bin(ValOp::Mul, a, Val::Alpha),
            4 => Val::bin(ValOp::Sub, a, self.read()),
            5 => {
                let i = self.any_value();
                Val::bin(ValOp::Add, a, Val::FromInt(Ty::I32, i))
            }
            6 => {
                let (x, y) = (self.read(), self.read());
                Val::Pick(Box::new(Cond::Data(a, x.clone())), Box::new(x), Box::new(y))
            }
            _ => a,
        }
    }

    fn any_value(&mut self) -> Int {
        match self.loops.last() {
            Some(l) => Int::Local(*l),
            None => self.coord(0),
        }
    }

    pub(super) fn read(&mut self) -> Val {
        let buffer = self.input();
        let (ty, index) = self.index();
        Val::Load(self.access(buffer, ty, index))
    }

    fn fold(&mut self, out: &mut Vec<Stmt>) {
        let op = [ValOp::Add, ValOp::Add, ValOp::Add, ValOp::Max, ValOp::Sub][self.rng.usize(0..5)];
        let term = self.term();
        let acc = self.rng.usize(0..self.k.accs);
        out.push(Stmt::Fold(acc, op, term));
    }

    /// Loops, one in another, that sum up; some with a condition, or with more sums after the inner one.
    pub(super) fn reduction(&mut self, out: &mut Vec<Stmt>) {
        let depth = [1, 1, 1, 2, 2, 3][self.rng.usize(0..6)];
        let nest = self.nest(depth);
        let over = crate::kernel::loop_types(std::slice::from_ref(&nest));
        out.push(nest);
        // What a counter was at last: the last iterations of strips and of lengthened loops.
        if self.one_in(8) {
            let (var, _) = over[self.rng.usize(0..over.len())];
            out.push(Stmt::Last(0, var));
        }
    }

    pub(super) fn nest(&mut self, depth: u32) -> Stmt {
        self.around(|g, body| {
            if depth > 1 {
                if g.one_in(6) {
                    g.fold(body);
                }
                let inner = g.nest(depth - 1);
                body.push(inner);
                if g.one_in(5) {
                    g.fold(body);
                }
                return;
            }
            let conditional = g.one_in(4);
            let mut inner = Vec::new();
            for _ in 0..[1, 1, 1, 2][g.rng.usize(0..4)] {
                g.fold(&mut inner);
            }
            if conditional {
                let (ty, index) = first_index(&inner).unwrap_or((Ty::I32, Int::Const(0)));
                let c = g.condition(ty, &index);
                let els = if g.one_in(5) {
                    vec![Stmt::Fold(0, ValOp::Add, Val::Const(1))]
                } else {
                    Vec::new()
                };
                body.push(Stmt::If(c, inner, els));
            } else {
                body.extend(inner);
            }
            if g.one_in(14) {
                let c = g.uniform_or_data();
                body.push(Stmt::Break(c));
            }
            if g.one_in(60) {
                body.push(Stmt::Return(Cond::Cmp(
                    Test::Gt,
                    Ty::I32,
                    Int::Local(g.loops[g.loops.len() - 1]),
                    g.coord(0),
                )));
            }
        })
    }

    /// Neighbours at constant and symbolic distances, without a loop or in one.
    fn taps(&mut self, out: &mut Vec<Stmt>) {
        let buffer = self.input();
        let centre = self.window();
        let pitch = self.size(Role::Pitch);
        let count = self.rng.u32(2..8);
        let ty = self.ty;
        let mut body = Vec::new();
        for _ in 0..count {
            let far = match self.rng.u32(0..8) {
                0 => Int::plus(centre.clone(), pitch.clone()),
                1 => Int::minus(centre.clone(), pitch.clone()),
                2 => Int::plus(
                    centre.clone(),
                    Int::times(Int::Const(self.rng.i64(-2..3)), pitch.clone()),
                ),
                _ => Int::plus(centre.clone(), Int::Const(self.rng.i64(-3..4))),
            };
            let width = self.width(ty);
            let load = Val::Load(self.access(buffer, width, far));
            let v = if self.one_in(2) {
                Val::bin(ValOp::Mul, load, Val::Const(self.rng.i32(1..5)))
            } else {
                load
            };
            body.push(Stmt::Fold(0, ValOp::Add, v));
        }
        if self.one_in(4) {
            let c = self.condition(ty, &centre);
            out.push(Stmt::If(c, body, Vec::new()));
        } else {
            out.extend(body);
        }
    }

    /// `c[own] += ...` in every iteration.
    fn accumulate_in_memory(&mut self, out: &mut Vec<Stmt>) {
        let (buffer, own, ty) = (self.output(), self.own(), self.ty);
        let a = self.access(buffer, ty, own.0);
        let first = self.one_in(2);
        if first {
            out.push(Stmt::Store(a.clone(), Val::Const(0)));
        }
        let nested = self.one_in(4);
        let stmt = self.around(|g, body| {
            let op = if g.one_in(4) { ValOp::Sub } else { ValOp::Add };
            // The same cell by an index of another width.
            if g.one_in(8) {
                let other = Access {
                    ty: g.width(ty),
                    ..a.clone()
                };
                body.push(Stmt::Fold(0, ValOp::Add, Val::Load(other)));
            }
            if nested {
                let inner = g.around(|g, body| {
                    let term = g.term();
                    body.push(Stmt::Update(a, op, term));
                });
                body.push(inner);
            } else {
                let term = g.term();
                body.push(Stmt::Update(a, op, term));
            }
        });
        out.push(stmt);
    }

    /// A phase that only some threads run.
    fn guarded(&mut self, out: &mut Vec<Stmt>) {
        let (ty, index) = self.index();
        let c = self.condition(ty, &index);
        let (mut then, mut els) = (Vec::new(), Vec::new());
        self.reduction(&mut then);
        if self.one_in(3) {
            self.reduction(&mut els);
        }
        out.push(Stmt::If(c, then, els));
    }

    /// A loop that data leave early.
    fn search(&mut self, out: &mut Vec<Stmt>) {
        let stmt = self.around(|g, body| {
            let v = g.read();
            if g.one_in(2) {
                body.push(Stmt::Break(Cond::Data(v, Val::Const(0))));
                g.fold(body);
            } else {
                let c = g.uniform_or_data();
                g.fold(body);
                body.push(Stmt::Break(c));
            }
        });
        out.push(stmt);
    }
}

/// The index of the first load, for a condition that keeps it in bounds.
fn first_index(stmts: &[Stmt]) -> Option<(Ty, Int)> {
    fn of(v: &Val) -> Option<(Ty, Int)> {
        match v {
            Val::Load(a) => Some((a.ty, a.index.clone())),
            Val::Bin(_, a, b) => of(a).or_else(|| of(b)),
            _ => None,
        }
    }
    stmts.iter().find_map(|s| {
        if let Stmt::Fold(_, _, v) = s {
            of(v)
        } else {
            None
        }
    })
}
