//! Which records of each buffer a launch touches: the integer half of a kernel, run by a plain interpreter.
//!
//! Data never decides a record's number except through index buffers, whose contents are known; where
//! data decides whether something runs, both ways are taken. So the ranges are those of the kernel or
//! wider, and buffers of exactly that size keep it inside its bounds.

use crate::kernel::{
    Access, Cond, Int, IntOp, Kernel, Shape, Space, Special, Stmt, Test, Ty, Use, Val,
};
use mesi_launch::{Buffer as Filled, ElemType, Fill};

/// Records `lo..=hi` of one buffer; empty where `lo > hi`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// Least record.
    pub lo: i64,
    /// Greatest record.
    pub hi: i64,
}

/// Why a kernel cannot be run with a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// Signed arithmetic overflows: fine if the kernel wraps, else not a valid program.
    Overflow,
    /// Too much work for a test.
    TooLong,
    /// A module array or shared array is left, or a buffer would be too large.
    OutOfRange,
}

/// Most steps of the interpreter per launch.
const STEPS: u64 = 400_000;
/// Most steps per launch of threads that a guard turns away. Loops with tiles run them along, as they meet barriers.
const IDLE_STEPS: u64 = 10 * STEPS;
/// Most records of a buffer.
const RECORDS: i64 = 1 << 16;
/// Index buffers are read below this record only.
const INDEX_RECORDS: u64 = 1 << 12;

/// Evaluates all threads of a launch.
pub fn ranges(kernel: &Kernel, shape: &Shape) -> Result<Vec<Range>, Unfit> {
    let contents = kernel
        .buffers
        .iter()
        .enumerate()
        .map(|(n, b)| index_contents(n, b.contents))
        .collect();
    let mut run = Run {
        kernel,
        shape,
        contents,
        tid: [0; 3],
        ctaid: [0; 3],
        locals: vec![(Ty::I32, 0); kernel.locals],
        ranges: vec![
            Range {
                lo: i64::MAX,
                hi: i64::MIN
            };
            kernel.buffers.len()
        ],
        steps: 0,
        is_idle: false,
        idle_steps: 0,
    };
    for ctaid in points(shape.grid) {
        for tid in points(shape.block) {
            (run.tid, run.ctaid) = (tid, ctaid);
            run.body(&kernel.body)?;
        }
    }
    let fits = |(r, b): (&Range, &crate::kernel::Buffer)| {
        r.lo > r.hi
            || (r.hi - r.lo < RECORDS
                && r.hi.abs() < RECORDS
                && r.lo.abs() < RECORDS
                && (b.space == Space::Param || r.lo >= 0))
    };
    if !run.ranges.iter().zip(&kernel.buffers).all(fits) {
        return Err(Unfit::OutOfRange);
    }
    Ok(run.ranges)
}

fn points(extent: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    let [x, y, z] = extent;
    (0..z).flat_map(move |c| (0..y).flat_map(move |b| (0..x).map(move |a| [a, b, c])))
}

/// Name of a buffer's parameter or module array; seeds its contents.
pub fn name(number: usize) -> String {
    format!("b{number}")
}

/// The values of an index buffer, which do not depend on how many there are.
fn index_contents(number: usize, contents: Use) -> Vec<i32> {
    let Use::Index(m) = contents else {
        return Vec::new();
    };
    let filled = Filled {
        name: name(number),
        ty: ElemType::I32,
        count: INDEX_RECORDS,
        fill: Fill::Index(m),
        output: false,
    };
    filled
        .contents()
        .chunks_exact(4)
        .map(|c| i32::from_le_bytes([c[0], c[1], c[2], c[3]]))
        .collect()
}

/// How a list of statements ended.
#[derive(PartialEq)]
enum Flow {
    Next,
    Break,
    Return,
}

struct Run<'a> {
    kernel: &'a Kernel,
    shape: &'a Shape,
    contents: Vec<Vec<i32>>,
    tid: [u32; 3],
    ctaid: [u32; 3],
    locals: Vec<(Ty, i64)>,
    ranges: Vec<Range>,
    steps: u64,
    /// What runs now is what the thread does not run: only its length is asked.
    is_idle: bool,
    idle_steps: u64,
}

impl Run<'_> {
    fn body(&mut self, stmts: &[Stmt]) -> Result<Flow, Unfit> {
        for (n, s) in stmts.iter().enumerate() {
            let flow = self.stmt(s)?;
            if flow == Flow::Return {
                self.idle(&stmts[n + 1..])?;
            }
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    /// How long the thread would take for what it does not run. Its numbers may be such as no thread meets there: where
    /// they fit nothing, no more is known.
    fn idle(&mut self, stmts: &[Stmt]) -> Result<(), Unfit> {
        if self.is_idle || stmts.is_empty() {
            return Ok(());
        }
        let locals = self.locals.clone();
        self.is_idle = true;
        let end = self.body(stmts);
        self.is_idle = false;
        self.locals = locals;
        match end {
            Err(Unfit::TooLong) => Err(Unfit::TooLong),
            _ => Ok(()),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<Flow, Unfit> {
        self.step()?;
        match stmt {
            Stmt::Let(var, ty, value) => {
                let v = self.int(*ty, value)?;
                self.locals[*var] = (*ty, v);
            }
            Stmt::Set(_, v) | Stmt::Fold(_, _, v) => self.val(v)?,
            Stmt::Store(a, v) | Stmt::Update(a, _, v) | Stmt::Atomic(a, _, v) => {
                self.val(v)?;
                self.access(a)?;
            }
            Stmt::SharedStore(a, v) => {
                self.val(v)?;
                self.shared(a)?;
            }
            Stmt::PrivateStore(n, at, v) => {
                self.val(v)?;
                self.private(*n, at)?;
            }
            Stmt::Barrier | Stmt::Fence => (),
            Stmt::If(c, then, els) => return self.branch(c, then, els),
            Stmt::For(l) => {
                let mut v = self.int(l.ty, &l.from)?;
                loop {
                    self.step()?;
                    // The next loop may go on from there.
                    self.locals[l.var] = (l.ty, v);
                    let to = self.int(l.ty, &l.to)?;
                    if !compare(l.test, v, to) {
                        break;
                    }
                    match self.body(&l.body)? {
                        Flow::Return => return Ok(Flow::Return),
                        Flow::Break => break,
                        Flow::Next => (),
                    }
                    let step = self.int(l.ty, &l.step)?;
                    v = self.fit(l.ty, i128::from(v) + i128::from(step))?;
                }
            }
            Stmt::Break(c) if self.cond(c)? == Some(true) => return Ok(Flow::Break),
            Stmt::Return(c) if self.cond(c)? == Some(true) && !self.is_idle => {
                return Ok(Flow::Return);
            }
            Stmt::Break(_) | Stmt::Return(_) | Stmt::Last(..) => (),
            Stmt::Tangle(_, c, v) => {
                self.cond(c)?;
                self.val(v)?;
            }
        }
        Ok(Flow::Next)
    }

    /// One side, and how long the other is; both sides where data decides, or where the thread is idle.
    fn branch(&mut self, c: &Cond, then: &[Stmt], els: &[Stmt]) -> Result<Flow, Unfit> {
        let taken = self.cond(c)?.filter(|_| !self.is_idle);
        let Some(taken) = taken else {
            self.body(then)?;
            self.body(els)?;
            return Ok(Flow::Next);
        };
        let (runs, other) = if taken { (then, els) } else { (els, then) };
        self.idle(other)?;
        self.body(runs)
    }

    fn step(&mut self) -> Result<(), Unfit> {
        let (steps, most) = match self.is_idle {
            true => (&mut self.idle_steps, IDLE_STEPS),
            false => (&mut self.steps, STEPS),
        };
        *steps += 1;
        if *steps > most {
            Err(Unfit::TooLong)
        } else {
            Ok(())
        }
    }

    fn access(&mut self, a: &Access) -> Result<i64, Unfit> {
        let at = self.int(a.ty, &a.index)?;
        if self.is_idle {
            return Ok(at);
        }
        for n in a.other.into_iter().chain([a.buffer]) {
            let r = &mut self.ranges[n];
            *r = Range {
                lo: r.lo.min(at),
                hi: r.hi.max(at),
            };
        }
        Ok(at)
    }

    fn shared(&mut self, a: &Access) -> Result<(), Unfit> {
        let at = self.int(a.ty, &a.index)?;
        let len = self
            .kernel
            .shared
            .get(a.buffer)
            .map_or(0, |s| if s.len == 0 { 1024 } else { i64::from(s.len) });
        if (0..len).contains(&at) {
            Ok(())
        } else {
            Err(Unfit::OutOfRange)
        }
    }

    fn private(&mut self, n: usize, at: &Int) -> Result<(), Unfit> {
        let at = self.int(Ty::I32, at)?;
        let fits = (0..i64::from(self.kernel.private[n])).contains(&at);
        match fits || self.is_idle {
            true => Ok(()),
            false => Err(Unfit::OutOfRange),
        }
    }

    fn val(&mut self, v: &Val) -> Result<(), Unfit> {
        self.step()?;
        match v {
            Val::Load(a) => self.access(a).map(|_| ()),
            Val::Shared(a) => self.shared(a),
            Val::Private(n, at) => self.private(*n, at),
            Val::Acc(_) | Val::Const(_) | Val::Alpha => Ok(()),
            Val::FromInt(ty, i) => self.int(*ty, i).map(|_| ()),
            Val::Bin(_, a, b) => self.val(a).and_then(|()| self.val(b)),
            Val::Pick(c, a, b) => {
                self.cond(c)?;
                self.val(a)?;
                self.val(b)
            }
        }
    }

    /// `None`: data decides.
    fn cond(&mut self, c: &Cond) -> Result<Option<bool>, Unfit> {
        Ok(match c {
            Cond::Cmp(t, ty, a, b) => {
                let (a, b) = (self.int(*ty, a)?, self.int(*ty, b)?);
                Some(compare(*t, a, b))
            }
            Cond::And(a, b) => match (self.cond(a)?, self.cond(b)?) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Cond::Or(a, b) => match (self.cond(a)?, self.cond(b)?) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Cond::Not(a) => self.cond(a)?.map(|v| !v),
            Cond::Data(a, b) => {
                self.val(a)?;
                self.val(b)?;
                None
            }
        })
    }

    /// The value in type `ty`: `I32` as an `i32`, `U32` as a `u32`.
    fn int(&mut self, ty: Ty, i: &Int) -> Result<i64, Unfit> {
        self.step()?;
        let special = |s: &Special, d: usize| {
            i64::from(match s {
                Special::Tid => self.tid[d],
                Special::Ctaid => self.ctaid[d],
                Special::Ntid => self.shape.block[d],
                Special::Nctaid => self.shape.grid[d],
            })
        };
        Ok(match i {
            Int::Const(c) => convert(ty, *c),
            Int::Size(n) => convert(ty, convert(self.kernel.sizes[*n], self.shape.sizes[*n])),
            Int::Special(s, d) => convert(ty, special(s, *d)),
            Int::Gid(d) => {
                let exact = special(&Special::Ctaid, *d) * special(&Special::Ntid, *d)
                    + special(&Special::Tid, *d);
                convert(ty, convert(Ty::U32, exact))
            }
            Int::Local(n) => convert(ty, self.locals[*n].1),
            Int::Bin(op, a, b) => {
                let (a, b) = (self.int(ty, a)?, self.int(ty, b)?);
                self.bin(ty, *op, a, b)?
            }
            Int::Pick(c, a, b) => {
                let c = self.cond(c)?;
                let (a, b) = (self.int(ty, a)?, self.int(ty, b)?);
                match c {
                    Some(c) => {
                        if c {
                            a
                        } else {
                            b
                        }
                    }
                    None => return Err(Unfit::OutOfRange),
                }
            }
            Int::Elem(buffer, at) => {
                let access = Access {
                    buffer: *buffer,
                    ty,
                    index: (**at).clone(),
                    field: 0,
                    other: None,
                };
                let at = self.access(&access)?;
                let found = usize::try_from(at)
                    .ok()
                    .and_then(|at| self.contents[*buffer].get(at));
                convert(ty, i64::from(*found.ok_or(Unfit::OutOfRange)?))
            }
        })
    }

    fn bin(&self, ty: Ty, op: IntOp, a: i64, b: i64) -> Result<i64, Unfit> {
        let (wide_a, wide_b) = (i128::from(a), i128::from(b));
        let exact = match op {
            IntOp::Add => wide_a + wide_b,
            IntOp::Sub => wide_a - wide_b,
            IntOp::Mul => wide_a * wide_b,
            IntOp::Min => wide_a.min(wide_b),
            IntOp::Max => wide_a.max(wide_b),
            IntOp::Div | IntOp::Rem if b <= 0 => return Err(Unfit::OutOfRange),
            IntOp::Div => wide_a / wide_b,
            IntOp::Rem => wide_a % wide_b,
            IntOp::And => wide_a & wide_b,
        };
        self.fit(ty, exact)
    }

    fn fit(&self, ty: Ty, exact: i128) -> Result<i64, Unfit> {
        let wrapped = convert(ty, exact as i64);
        if ty != Ty::U32 && !self.kernel.wraps && i128::from(wrapped) != exact {
            return Err(Unfit::Overflow);
        }
        Ok(wrapped)
    }
}

fn convert(ty: Ty, v: i64) -> i64 {
    match ty {
        Ty::I32 => i64::from(v as i32),
        Ty::U32 => i64::from(v as u32),
        Ty::I64 => v,
    }
}

fn compare(test: Test, a: i64, b: i64) -> bool {
    match test {
        Test::Lt => a < b,
        Test::Le => a <= b,
        Test::Gt => a > b,
        Test::Ge => a >= b,
        Test::Ne => a != b,
        Test::Eq => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{For, Num};

    /// Three nested loops of `n1` iterations each.
    fn loops() -> Vec<Stmt> {
        (0..3).fold(vec![Stmt::Fence], |body, var| {
            vec![For::up_to(var, Ty::I32, Int::Size(1), body)]
        })
    }

    fn is_outside() -> Cond {
        Cond::Cmp(Test::Ge, Ty::I32, Int::Gid(0), Int::Size(0))
    }

    fn run(body: Vec<Stmt>, sizes: [i64; 2]) -> Result<Vec<Range>, Unfit> {
        let kernel = Kernel {
            buffers: Vec::new(),
            sizes: vec![Ty::I32; 2],
            shared: Vec::new(),
            private: Vec::new(),
            accs: 1,
            num: Num::I32,
            locals: 3,
            wraps: false,
            contract: false,
            packed: false,
            off: false,
            max_threads: 0,
            sm: 80,
            body,
            shapes: Vec::new(),
        };
        let shape = Shape {
            grid: [3, 1, 1],
            block: [64, 1, 1],
            sizes: sizes.to_vec(),
            alias: None,
        };
        ranges(&kernel, &shape)
    }

    /// Kernel 9000631: no thread was inside, so the launch was as short as can be, and took minutes with tiles.
    #[test]
    fn threads_that_a_guard_turns_away_have_a_length() {
        let inside = || vec![Stmt::If(Cond::Not(Box::new(is_outside())), loops(), vec![])];
        let early = || [vec![Stmt::Return(is_outside())], loops()].concat();
        for body in [inside, early] as [fn() -> Vec<Stmt>; 2] {
            assert_eq!(run(body(), [0, 70]), Err(Unfit::TooLong));
            assert_eq!(run(body(), [0, 8]), Ok(Vec::new()));
            assert_eq!(run(body(), [200, 70]), Err(Unfit::TooLong));
        }
    }
}
