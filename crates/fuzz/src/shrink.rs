//! Makes a failing kernel smaller: every single cut of the tree is numbered, so a small kernel is a
//! seed and a list of numbers, and any process can make it again.

use crate::kernel::{Access, AtomicOp, Cond, Int, IntOp, Kernel, Num, Stmt, Ty, Use, Val};

/// Whether any statement writes buffer `n`.
pub fn writes(stmts: &[Stmt], n: usize) -> bool {
    stmts.iter().any(|s| match s {
        Stmt::Store(a, _) | Stmt::Update(a, ..) | Stmt::Atomic(a, ..) => a.buffer == n,
        Stmt::If(_, a, b) => writes(a, n) || writes(b, n),
        Stmt::For(l) => writes(&l.body, n),
        _ => false,
    })
}

/// What is done to buffer `n` atomically.
pub fn atomics(stmts: &[Stmt], n: usize) -> Vec<AtomicOp> {
    let mut all = Vec::new();
    for s in stmts {
        match s {
            Stmt::Atomic(a, op, _) if a.buffer == n => all.push(*op),
            Stmt::If(_, a, b) => all.extend(atomics(a, n).into_iter().chain(atomics(b, n))),
            Stmt::For(l) => all.extend(atomics(&l.body, n)),
            _ => (),
        }
    }
    all
}

/// How many cuts there are.
pub fn cuts(kernel: &Kernel) -> usize {
    let mut c = Cutter { left: usize::MAX };
    c.kernel(&mut kernel.clone());
    usize::MAX - c.left
}

/// The kernel after cut number `n`.
pub fn cut(kernel: &Kernel, n: usize) -> Option<Kernel> {
    let mut k = kernel.clone();
    Cutter { left: n }.kernel(&mut k).then_some(k)
}

/// Walks the tree in a fixed order and applies the cut at which `left` runs out.
struct Cutter {
    left: usize,
}

impl Cutter {
    fn hit(&mut self) -> bool {
        let now = self.left == 0;
        self.left = self.left.wrapping_sub(1);
        now
    }

    /// Replaces `place` if this cut is the one and would change something.
    fn put<T: PartialEq>(&mut self, place: &mut T, new: T) -> bool {
        if *place == new || !self.hit() {
            return false;
        }
        *place = new;
        true
    }

    fn kernel(&mut self, k: &mut Kernel) -> bool {
        for n in 0..k.shapes.len() {
            if k.shapes.len() > 1 && self.hit() {
                k.shapes.remove(n);
                return true;
            }
        }
        self.stmts(&mut k.body) || self.flags(k) || self.shapes(k)
    }

    fn flags(&mut self, k: &mut Kernel) -> bool {
        if self.put(&mut k.packed, false)
            || self.put(&mut k.contract, false)
            || self.put(&mut k.wraps, false)
            || self.put(&mut k.max_threads, 0)
            || self.put(&mut k.num, Num::I32)
        {
            return true;
        }
        for ty in &mut k.sizes {
            if self.put(ty, Ty::I32) {
                return true;
            }
        }
        for b in &mut k.buffers {
            let plain = vec![mesi_launch::ElemType::I32];
            if self.put(&mut b.restrict, false)
                || self.put(&mut b.volatile, false)
                || self.put(&mut b.vector, false)
                || (b.contents == Use::Data && self.put(&mut b.fields, plain))
            {
                return true;
            }
        }
        false
    }

    fn shapes(&mut self, k: &mut Kernel) -> bool {
        for s in &mut k.shapes {
            if self.put(&mut s.alias, None) {
                return true;
            }
            for v in &mut s.sizes {
                let (half, less) = (*v / 2, *v - v.signum());
                if self.put(v, 0)
                    || (v.abs() > 1 && self.put(v, 1))
                    || self.put(v, half)
                    || self.put(v, less)
                {
                    return true;
                }
            }
            for v in s.block.iter_mut().chain(&mut s.grid) {
                let (half, less) = ((*v / 2).max(1), (*v - 1).max(1));
                if self.put(v, 1) || self.put(v, half) || self.put(v, less) {
                    return true;
                }
            }
        }
        false
    }

    fn stmts(&mut self, list: &mut Vec<Stmt>) -> bool {
        for n in 0..list.len() {
            if self.hit() {
                list.remove(n);
                return true;
            }
            let instead = match &list[n] {
                Stmt::If(_, then, els) => vec![then.clone(), els.clone()],
                Stmt::For(l) => {
                    let mut once = vec![Stmt::Let(l.var, l.ty, l.from.clone())];
                    once.extend(l.body.clone());
                    vec![once]
                }
                Stmt::Update(a, _, v) => vec![vec![Stmt::Store(a.clone(), v.clone())]],
                _ => Vec::new(),
            };
            for new in instead {
                if self.hit() {
                    list.splice(n..=n, new);
                    return true;
                }
            }
            if self.stmt(&mut list[n]) {
                return true;
            }
        }
        false
    }

    fn stmt(&mut self, s: &mut Stmt) -> bool {
        match s {
            Stmt::Let(_, ty, i) => self.put(ty, Ty::I32) || self.int(i),
            Stmt::Set(_, v) | Stmt::Fold(_, _, v) => self.val(v),
            Stmt::Store(a, v)
            | Stmt::Update(a, _, v)
            | Stmt::Atomic(a, _, v)
            | Stmt::SharedStore(a, v) => self.access(a) || self.val(v),
            Stmt::PrivateStore(_, at, v) => self.int(at) || self.val(v),
            Stmt::Barrier | Stmt::Fence | Stmt::Last(..) => false,
            Stmt::If(c, then, els) => {
                (!els.is_empty() && self.put(els, Vec::new()))
                    || self.stmts(then)
                    || self.stmts(els)
                    || self.cond(c)
            }
            Stmt::For(l) => {
                self.stmts(&mut l.body)
                    || self.put(&mut l.ty, Ty::I32)
                    || self.int(&mut l.from)
                    || self.int(&mut l.to)
                    || (l.step != Int::Const(-1) && self.put(&mut l.step, Int::Const(1)))
            }
            Stmt::Break(c) | Stmt::Return(c) => self.cond(c),
            Stmt::Tangle(_, c, v) => self.cond(c) || self.val(v),
        }
    }

    fn access(&mut self, a: &mut Access) -> bool {
        self.put(&mut a.ty, Ty::I32)
            || self.put(&mut a.field, 0)
            || self.put(&mut a.other, None)
            || self.int(&mut a.index)
    }

    fn int(&mut self, i: &mut Int) -> bool {
        if let Int::Const(c) = i {
            let sign = c.signum();
            return self.put(c, 0) || (c.abs() > 1 && self.put(c, sign));
        }
        if self.put(i, Int::Const(0)) || self.put(i, Int::Const(1)) {
            return true;
        }
        match i {
            Int::Bin(op, a, b) => {
                let (left, right) = ((**a).clone(), (**b).clone());
                if self.hit() {
                    *i = left;
                    return true;
                }
                if *op != IntOp::Sub && self.hit() {
                    *i = right;
                    return true;
                }
                self.int(a) || self.int(b)
            }
            Int::Pick(c, a, b) => {
                let (left, right) = ((**a).clone(), (**b).clone());
                self.cond(c) || self.put(i, left) || self.put(i, right)
            }
            Int::Elem(_, at) => self.int(at),
            Int::Gid(d) => {
                let tid = Int::Special(crate::kernel::Special::Tid, *d);
                self.put(i, tid)
            }
            _ => false,
        }
    }

    fn val(&mut self, v: &mut Val) -> bool {
        if matches!(v, Val::Const(_)) {
            return self.put(v, Val::Const(1));
        }
        if self.put(v, Val::Const(1)) {
            return true;
        }
        match v {
            Val::Load(a) | Val::Shared(a) => self.access(a),
            Val::FromInt(_, i) | Val::Private(_, i) => self.int(i),
            Val::Bin(_, a, b) | Val::Pick(_, a, b) => {
                let (left, right) = ((**a).clone(), (**b).clone());
                if self.hit() {
                    *v = left;
                    return true;
                }
                if self.hit() {
                    *v = right;
                    return true;
                }
                match v {
                    Val::Bin(_, a, b) => self.val(a) || self.val(b),
                    Val::Pick(c, a, b) => self.cond(c) || self.val(a) || self.val(b),
                    _ => false,
                }
            }
            Val::Acc(_) | Val::Const(_) | Val::Alpha => false,
        }
    }

    fn cond(&mut self, c: &mut Cond) -> bool {
        match c {
            Cond::And(a, b) | Cond::Or(a, b) => {
                let (left, right) = ((**a).clone(), (**b).clone());
                if self.hit() {
                    *c = left;
                    return true;
                }
                if self.hit() {
                    *c = right;
                    return true;
                }
                match c {
                    Cond::And(a, b) | Cond::Or(a, b) => self.cond(a) || self.cond(b),
                    _ => false,
                }
            }
            Cond::Not(a) => self.cond(a),
            Cond::Cmp(_, ty, a, b) => self.put(ty, Ty::I32) || self.int(a) || self.int(b),
            Cond::Data(a, b) => self.val(a) || self.val(b),
        }
    }
}
