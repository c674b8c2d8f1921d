//! Loops unrolled by hand, as programs have them that were tuned for older compilers.
//!
//! ```text
//! for (k = 0; k < n; k++)          for (k = 0; k < n - 3; k += 4) {
//!     s += a[k] * b[k];      ──►       s += a[k] * b[k]; ... s += a[k + 3] * b[k + 3];
//!                                  }
//!                                  for (; k < n; k++) s += a[k] * b[k];      now and then
//!                                  s = 2 * s + 3 * alpha;                    now and then
//! ```
//! The kernel need not compute what it would otherwise: it is another kernel.

use fastrand::Rng;

use crate::kernel::{Access, Cond, For, Int, IntOp, Kernel, Stmt, Test, Ty, Val, ValOp};

/// Unrolls some innermost loops of `kernel`.
pub(super) fn unroll(kernel: &mut Kernel, rng: &mut Rng) {
    let mut body = std::mem::take(&mut kernel.body);
    let mut hand = Hand { kernel, rng };
    hand.list(&mut body);
    kernel.body = body;
}

struct Hand<'a> {
    kernel: &'a mut Kernel,
    rng: &'a mut Rng,
}

impl Hand<'_> {
    fn list(&mut self, list: &mut Vec<Stmt>) {
        let mut n = 0;
        while n < list.len() {
            let by_hand = match &list[n] {
                Stmt::For(l) => self.unrolled(l),
                _ => None,
            };
            match (by_hand, &mut list[n]) {
                (Some(all), _) => {
                    let more = all.len();
                    list.splice(n..=n, all);
                    n += more;
                    continue;
                }
                (None, Stmt::For(l)) => self.list(&mut l.body),
                (None, Stmt::If(_, then, other)) => {
                    self.list(then);
                    self.list(other);
                }
                _ => (),
            }
            n += 1;
        }
    }

    /// What stands in the place of `l`. `None`: it is not innermost, does not count up by one from 0, or may be left early.
    fn unrolled(&mut self, l: &For) -> Option<Vec<Stmt>> {
        let counts = l.from == Int::Const(0) && l.step == Int::Const(1) && l.test == Test::Lt;
        if !counts || !l.body.iter().all(is_simple) || l.body.is_empty() {
            return None;
        }
        let factor = [2, 2, 3, 4, 4, 8][self.rng.usize(0..6)];
        let (test, to) = self.limit(l, factor);
        let copies = (0..factor).map(|k| self.copy(l, Int::plus(Int::Local(l.var), Int::Const(k))));
        let copies: Vec<Vec<Stmt>> = copies.collect();
        let body = match self.rng.u32(0..3) {
            0 => in_one_sum(&copies),
            _ => None,
        };
        let mut all = vec![Stmt::For(For {
            to,
            test,
            step: Int::Const(factor),
            body: body.unwrap_or_else(|| copies.concat()),
            ..l.clone()
        })];
        // What a thread has to itself is read as a whole: no element may be left out where it is filled.
        let has_own = l.body.iter().any(fills);
        if self.rng.u32(0..3) > 0 || has_own {
            let var = self.local();
            all.push(Stmt::For(For {
                var,
                from: Int::Local(l.var),
                body: self.copy(l, Int::Local(var)),
                ..l.clone()
            }));
        }
        if self.rng.u32(0..3) == 0 {
            let times = |v, n| Val::bin(ValOp::Mul, v, Val::Const(n));
            let sum = Val::bin(ValOp::Add, times(Val::Acc(0), 2), times(Val::Alpha, 3));
            all.push(Stmt::Set(0, sum));
        }
        Some(all)
    }

    /// How long `l` runs in steps of `factor`. What is unsigned would wrap below 0, or go on for ever.
    fn limit(&mut self, l: &For, factor: i64) -> (Test, Int) {
        let less = |n| Int::minus(l.to.clone(), Int::Const(n));
        match self.rng.u32(0..3) {
            0 if l.ty != Ty::U32 => (Test::Lt, less(factor - 1)),
            1 if l.ty != Ty::U32 => (Test::Le, less(factor)),
            _ => {
                let whole = Int::bin(IntOp::Div, l.to.clone(), Int::Const(factor));
                (Test::Lt, Int::times(whole, Int::Const(factor)))
            }
        }
    }

    fn local(&mut self) -> usize {
        self.kernel.locals += 1;
        self.kernel.locals - 1
    }

    /// The loop's body where its counter is `counter`; what it names has names of its own.
    fn copy(&mut self, l: &For, counter: Int) -> Vec<Stmt> {
        let mut names = vec![(l.var, counter)];
        let mut copy = |list: &[Stmt]| self.statements(list, &mut names);
        copy(&l.body)
    }

    fn statements(&mut self, list: &[Stmt], names: &mut Vec<(usize, Int)>) -> Vec<Stmt> {
        let mut all = Vec::new();
        for s in list {
            all.push(match s {
                Stmt::Let(local, ty, x) => {
                    let (x, own) = (int(x, names), self.local());
                    names.push((*local, Int::Local(own)));
                    Stmt::Let(own, *ty, x)
                }
                Stmt::If(c, then, other) => Stmt::If(
                    cond(c, names),
                    self.statements(then, names),
                    self.statements(other, names),
                ),
                Stmt::Set(acc, v) => Stmt::Set(*acc, val(v, names)),
                Stmt::Fold(acc, op, v) => Stmt::Fold(*acc, *op, val(v, names)),
                Stmt::Store(a, v) => Stmt::Store(access(a, names), val(v, names)),
                Stmt::Update(a, op, v) => Stmt::Update(access(a, names), *op, val(v, names)),
                Stmt::Atomic(a, op, v) => Stmt::Atomic(access(a, names), *op, val(v, names)),
                Stmt::PrivateStore(n, at, v) => {
                    Stmt::PrivateStore(*n, int(at, names), val(v, names))
                }
                other => unreachable!("no part of a simple body: {other:?}"),
            });
        }
        all
    }
}

/// Whether copies of a statement may follow each other, and its names can be changed.
fn is_simple(s: &Stmt) -> bool {
    match s {
        Stmt::Let(..) | Stmt::Set(..) | Stmt::Fold(..) => true,
        Stmt::Store(..) | Stmt::Update(..) | Stmt::Atomic(..) | Stmt::PrivateStore(..) => true,
        Stmt::If(_, then, other) => then.iter().chain(other).all(is_simple),
        _ => false,
    }
}

/// Whether a thread's own array is written.
fn fills(s: &Stmt) -> bool {
    match s {
        Stmt::If(_, then, other) => then.iter().chain(other).any(fills),
        _ => matches!(s, Stmt::PrivateStore(..)),
    }
}

/// `s += x0 + x1 + ...` of copies that are each `s += x`.
fn in_one_sum(copies: &[Vec<Stmt>]) -> Option<Vec<Stmt>> {
    let one = |c: &Vec<Stmt>| match &c[..] {
        [Stmt::Fold(acc, ValOp::Add, v)] => Some((*acc, v.clone())),
        _ => None,
    };
    let all: Option<Vec<(usize, Val)>> = copies.iter().map(one).collect();
    let (accs, values): (Vec<usize>, Vec<Val>) = all?.into_iter().unzip();
    let sum = values
        .into_iter()
        .reduce(|a, b| Val::bin(ValOp::Add, a, b))?;
    Some(vec![Stmt::Fold(accs[0], ValOp::Add, sum)])
}

fn int(x: &Int, names: &[(usize, Int)]) -> Int {
    let of = |x: &Int| Box::new(int(x, names));
    match x {
        Int::Local(n) => {
            let named = names.iter().rev().find(|(from, _)| from == n);
            named.map_or_else(|| x.clone(), |(_, to)| to.clone())
        }
        Int::Bin(op, a, b) => Int::Bin(*op, of(a), of(b)),
        Int::Pick(c, a, b) => Int::Pick(Box::new(cond(c, names)), of(a), of(b)),
        Int::Elem(buffer, at) => Int::Elem(*buffer, of(at)),
        Int::Const(_) | Int::Size(_) | Int::Special(..) | Int::Gid(_) => x.clone(),
    }
}

fn cond(c: &Cond, names: &[(usize, Int)]) -> Cond {
    let of = |c: &Cond| Box::new(cond(c, names));
    match c {
        Cond::Cmp(test, ty, a, b) => Cond::Cmp(*test, *ty, int(a, names), int(b, names)),
        Cond::And(a, b) => Cond::And(of(a), of(b)),
        Cond::Or(a, b) => Cond::Or(of(a), of(b)),
        Cond::Not(a) => Cond::Not(of(a)),
        Cond::Data(a, b) => Cond::Data(val(a, names), val(b, names)),
    }
}

fn val(v: &Val, names: &[(usize, Int)]) -> Val {
    let of = |v: &Val| Box::new(val(v, names));
    match v {
        Val::Load(a) => Val::Load(access(a, names)),
        Val::Shared(a) => Val::Shared(access(a, names)),
        Val::Private(n, at) => Val::Private(*n, int(at, names)),
        Val::FromInt(ty, x) => Val::FromInt(*ty, int(x, names)),
        Val::Bin(op, a, b) => Val::Bin(*op, of(a), of(b)),
        Val::Pick(c, a, b) => Val::Pick(Box::new(cond(c, names)), of(a), of(b)),
        Val::Acc(_) | Val::Const(_) | Val::Alpha => v.clone(),
    }
}

fn access(a: &Access, names: &[(usize, Int)]) -> Access {
    Access {
        index: int(&a.index, names),
        ..a.clone()
    }
}
