//! Makes a kernel from a seed.
//!
//! A kernel names its thread's coordinates, guards them, runs one to three *phases* (`phases`: a
//! reduction, a window, a row updated in place, ...) and stores what belongs to its thread alone. So it
//! is free of races as written, unless a launch makes arguments overlap; those that race are left out
//! when the original runs. A third of the kernels are one phase alone (`whole`).

mod block_rows;
mod by_hand;
mod cells;
mod counts;
mod index;
mod maps;
mod memory;
mod moved;
mod pairs;
mod phases;
mod private;
mod records;
mod rows;
mod seed;
mod shapes;
mod stencils;
mod whole;

use fastrand::Rng;

pub use seed::generate;

use crate::kernel::{Cond, Int, IntOp, Kernel, Num, Special, Stmt, Test, Ty, Val};
use crate::ranges::Range;

/// What a scalar parameter means; its values are chosen accordingly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Extent of this coordinate.
    Extent(usize),
    /// Iterations of a loop.
    Count,
    /// A radius: 0 to 3.
    Radius,
    /// A stride, perhaps negative or 0.
    Stride,
    /// A row's length, at least the extent of coordinate 0.
    Pitch,
    /// Added somewhere; huge in kernels that wrap.
    Offset,
}

/// How the thread's coordinates are bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GuardStyle {
    None,
    If,
    Return,
    Interior,
    Strided,
}

/// A kernel with launches that fit it.
pub struct Generated {
    /// The kernel.
    pub kernel: Kernel,
    /// Per launch, the records of each buffer it touches.
    pub ranges: Vec<Vec<Range>>,
}

pub(crate) struct Gen {
    pub rng: Rng,
    pub k: Kernel,
    pub roles: Vec<Role>,
    /// Hardware dimension of each coordinate.
    pub dims: Vec<usize>,
    /// Local of each coordinate.
    coords: Vec<usize>,
    /// Type of the coordinates.
    ty: Ty,
    /// Whether all coordinates are below their extents where the phases run.
    guarded: bool,
    /// Loop variables in scope, innermost last.
    loops: Vec<usize>,
    /// Buffers that some phase writes.
    outputs: Vec<usize>,
    /// Whether some blocks should be far from all edges.
    wide: bool,
    /// Whether the coordinates are parts of one flattened id along x.
    pub flat: bool,
    /// Values that need no guard because huge parameters are wanted.
    pub huge: bool,
    /// The length of blocks along x that the code has, if it has one.
    pub length: Option<u32>,
}

impl Gen {
    fn new(mut rng: Rng) -> Gen {
        let count = match rng.u32(0..100) {
            0..45 => 1,
            45..85 => 2,
            _ => 3,
        };
        let mut dims: Vec<usize> = (0..count).collect();
        if rng.u32(0..8) == 0 {
            rng.shuffle(&mut dims);
        }
        let num = [
            Num::F32,
            Num::F32,
            Num::F32,
            Num::F64,
            Num::I32,
            Num::I32,
            Num::I64,
        ][rng.usize(0..7)];
        let ty = [Ty::I32, Ty::I32, Ty::I32, Ty::U32, Ty::I64][rng.usize(0..5)];
        let huge = rng.u32(0..12) == 0;
        let is_flat = rng.u32(0..6) == 0;
        let k = Kernel {
            buffers: Vec::new(),
            sizes: Vec::new(),
            shared: Vec::new(),
            private: Vec::new(),
            accs: if rng.u32(0..4) == 0 { 2 } else { 1 },
            num,
            locals: 0,
            wraps: huge || rng.u32(0..12) == 0,
            contract: rng.u32(0..3) > 0,
            packed: rng.u32(0..12) == 0,
            off: rng.u32(0..250) == 0,
            sm: 80,
            max_threads: 0,
            body: Vec::new(),
            shapes: Vec::new(),
        };
        Gen {
            rng,
            k,
            roles: Vec::new(),
            dims,
            coords: Vec::new(),
            ty,
            guarded: false,
            loops: Vec::new(),
            outputs: Vec::new(),
            wide: false,
            length: None,
            flat: count > 1 && is_flat,
            huge,
        }
    }

    /// True once in `n`.
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.u32(0..n) == 0
    }

    fn local(&mut self) -> usize {
        self.k.locals += 1;
        self.k.locals - 1
    }

    /// The parameter of this role, made on first use.
    fn size(&mut self, role: Role) -> Int {
        if let Some(n) = self.roles.iter().position(|r| *r == role) {
            return Int::Size(n);
        }
        self.roles.push(role);
        let ty = match self.rng.u32(0..10) {
            0 => Ty::I64,
            1 => Ty::U32,
            _ => Ty::I32,
        };
        // What may be negative is not read as a huge unsigned number, unless that is wanted.
        let signed = matches!(role, Role::Stride | Role::Offset) && !self.k.wraps;
        self.k
            .sizes
            .push(if signed && ty == Ty::U32 { Ty::I32 } else { ty });
        Int::Size(self.roles.len() - 1)
    }

    fn coord(&self, n: usize) -> Int {
        Int::Local(self.coords[n])
    }

    fn cmp(&self, t: Test, a: Int, b: Int) -> Cond {
        Cond::Cmp(t, self.ty, a, b)
    }

    fn build(&mut self) {
        if self.is_by_block() {
            return self.block_rows();
        }
        if self.is_small_map() {
            return self.small_map();
        }
        if self.flat {
            self.flattened();
        }
        for n in self.coords.len()..self.dims.len() {
            let local = self.local();
            self.coords.push(local);
            self.k
                .body
                .push(Stmt::Let(local, self.ty, Int::Gid(self.dims[n])));
        }
        let style = match self.rng.u32(0..100) {
            0..14 => GuardStyle::None,
            14..50 => GuardStyle::If,
            50..78 => GuardStyle::Return,
            78..88 => GuardStyle::Interior,
            _ if self.dims.len() == 1 => GuardStyle::Strided,
            _ => GuardStyle::If,
        };
        let shares = self.one_in(9);
        if shares {
            self.own_shared();
        }
        let shares_again = shares && style == GuardStyle::Return && self.one_in(2);
        if shares_again {
            self.k.body.push(Stmt::Barrier);
        }
        let wrapper = self.guard(style);
        // Barriers behind an early return: who returned left there what it stored before.
        if shares_again {
            self.shared_round(0);
        }
        let mut inner = Vec::new();
        // Elements that have nothing to do with each other, but for some.
        if style == GuardStyle::Strided && !self.one_in(4) {
            let fresh = |n| Stmt::Set(n, Val::Const(0));
            inner.extend((0..self.k.accs).map(fresh));
        }
        if self.one_in(3) {
            self.whole(&mut inner);
        } else {
            for _ in 0..[1, 1, 1, 2, 2, 3][self.rng.usize(0..6)] {
                self.phase(&mut inner);
            }
            if self.one_in(25) && !self.coords_are_strided(style) {
                inner.push(Stmt::Fence);
            }
            self.store_result(&mut inner);
        }
        self.wrap(wrapper, inner);
        let odd = self.rng.u32(0..100);
        if odd == 0 {
            let cond = self.uniform_or_data();
            let v = Val::Const(self.rng.i32(1..4));
            let at = self.k.body.len().min(self.coords.len());
            self.k.body.insert(at, Stmt::Tangle(0, cond, v));
        } else if odd == 1 {
            self.dynamic_shared();
        }
    }

    /// Coordinates by division of one id, most often behind its limit.
    fn flattened(&mut self) {
        let id = self.local();
        let along = Int::Gid(0);
        self.k.body.push(Stmt::Let(id, self.ty, along));
        let extents: Vec<Int> = (0..self.dims.len())
            .map(|n| self.size(Role::Extent(n)))
            .collect();
        let id = Int::Local(id);
        if !self.one_in(4) {
            let all = extents
                .iter()
                .cloned()
                .reduce(Int::times)
                .expect("two at least");
            let beyond = self.cmp(Test::Ge, id.clone(), all);
            self.k.body.push(Stmt::Return(beyond));
        }
        let rows = Int::bin(IntOp::Div, id.clone(), extents[0].clone());
        let mut parts = vec![Int::bin(IntOp::Rem, id.clone(), extents[0].clone())];
        if self.dims.len() == 2 {
            parts.push(rows);
        } else {
            let plane = Int::times(extents[0].clone(), extents[1].clone());
            // Either way to take rows from a plane.
            parts.push(match self.one_in(2) {
                true => Int::bin(IntOp::Rem, rows, extents[1].clone()),
                false => {
                    let cell = Int::bin(IntOp::Rem, id.clone(), plane.clone());
                    Int::bin(IntOp::Div, cell, extents[0].clone())
                }
            });
            parts.push(Int::bin(IntOp::Div, id, plane));
        }
        for part in parts {
            let local = self.local();
            self.coords.push(local);
            self.k.body.push(Stmt::Let(local, self.ty, part));
        }
    }

    fn coords_are_strided(&self, style: GuardStyle) -> bool {
        style == GuardStyle::Strided
    }

    /// Emits what goes before the phases; says how they are to be wrapped.
    fn guard(&mut self, style: GuardStyle) -> Option<Stmt> {
        let mut all: Option<Cond> = None;
        let mut add = |c: Cond| {
            all = Some(match all.take() {
                None => c,
                Some(a) => Cond::and(a, c),
            })
        };
        if style == GuardStyle::None {
            return None;
        }
        if style == GuardStyle::Strided {
            let to = self.size(Role::Extent(0));
            let step = Int::times(
                Int::Special(Special::Ntid, self.dims[0]),
                Int::Special(Special::Nctaid, self.dims[0]),
            );
            let var = self.local();
            let from = self.coord(0);
            self.coords[0] = var;
            self.guarded = true;
            return Some(Stmt::For(crate::kernel::For {
                var,
                ty: self.ty,
                from,
                to,
                step,
                test: Test::Lt,
                body: Vec::new(),
            }));
        }
        // Extents of all coordinates, now and then not of the last.
        let partial = self.dims.len() > 1 && self.one_in(12);
        for n in 0..self.dims.len() - usize::from(partial) {
            let extent = self.size(Role::Extent(n));
            let (c, ty) = (self.coord(n), self.ty);
            if style == GuardStyle::Interior {
                let low = Int::Const(self.rng.i64(0..3));
                add(Cond::Cmp(Test::Ge, ty, c.clone(), low));
                let high = Int::minus(extent, Int::Const(self.rng.i64(1..3)));
                add(Cond::Cmp(Test::Lt, Ty::I32, c, high));
            } else if self.one_in(10) {
                add(Cond::Cmp(
                    Test::Le,
                    Ty::I32,
                    c,
                    Int::minus(extent, Int::Const(1)),
                ));
            } else {
                add(Cond::Cmp(Test::Lt, ty, c, extent));
            }
        }
        if self.one_in(12) {
            let u = Cond::Cmp(
                Test::Gt,
                Ty::I32,
                self.size(Role::Count),
                Int::Const(self.rng.i64(0..3)),
            );
            add(u);
        }
        if self.one_in(14) {
            // A sum of two coordinates, or of one and its thread number.
            let other = if self.dims.len() > 1 {
                self.coord(1)
            } else {
                Int::Special(Special::Tid, 0)
            };
            let c = Cond::Cmp(
                Test::Le,
                Ty::I32,
                Int::plus(self.coord(0), other),
                Int::plus(self.size(Role::Extent(0)), Int::Const(3)),
            );
            add(c);
        }
        self.guarded = !partial;
        let all = all?;
        if style == GuardStyle::Return {
            self.k.body.push(Stmt::Return(Cond::Not(Box::new(all))));
            return None;
        }
        Some(Stmt::If(all, Vec::new(), Vec::new()))
    }

    fn wrap(&mut self, wrapper: Option<Stmt>, inner: Vec<Stmt>) {
        match wrapper {
            None => self.k.body.extend(inner),
            Some(Stmt::If(c, _, els)) => self.k.body.push(Stmt::If(c, inner, els)),
            Some(Stmt::For(mut l)) => {
                l.body = inner;
                self.k.body.push(Stmt::For(l));
            }
            Some(_) => unreachable!("guards wrap in an if or a loop"),
        }
    }
}
