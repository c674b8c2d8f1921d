//! Which loops over elements can be dealt out.

use super::{Row, Spread};
use crate::access::{self, AccessKind};
use crate::affine::swapped;
use crate::choice;
use crate::kernel::ids::{self, Register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Block, Op, Pred, Value};
use crate::machine::tuning::spread::MOST_IN_A_ROW;
use crate::machine::tuning::spread::THREADS;
use crate::number::Number;
use crate::plan::{self, Analyses};
use crate::tree::{ExitAt, Loop};

/// How the kernel's loop over elements can be dealt out; `None`: it has none, or its threads have more to do than that.
pub fn find(f: &Analyses) -> Option<Spread> {
    let kernel = f.kernel;
    let allowed = plan::may_be_redistributed(f)
        // Where the loop's blocks become the kernel's, the back end might fuse what it leaves apart.
        && !access::crosses_blocks(kernel)
        && kernel.max_threads >= THREADS[0];
    let outermost = f.tree.loops.iter().filter(|l| l.parent.is_none());
    outermost
        .filter(|_| allowed)
        .find_map(|l| Elements::of(f, l)?.spread(f, l))
}

/// A loop over elements.
struct Elements {
    phi: Value,
    /// What the counter grows by, if not by one, and where it begins.
    step: Value,
    begin: Value,
    /// What it is compared with.
    limit: Value,
    /// The comparison that has it go on: less than the limit; `None`: it goes on until it is the limit.
    goes_on: Option<Pred>,
    exit: Block,
}

impl Elements {
    /// The counter of a loop that is left at its end alone, and carries nothing else.
    fn of(f: &Analyses, l: &Loop) -> Option<Elements> {
        let (kernel, in_loop) = (f.kernel, |b: &Block| {
            l.blocks.iter().any(|x| f.kernel.block(*x) == *b)
        });
        let [header, latch] = [l.header, l.latch].map(|b| kernel.block(b));
        let ends_elsewhere = |b: &Block| *b != latch && !b.successors().iter().all(in_loop);
        if l.exit_at != ExitAt::Latch || l.blocks.iter().any(|b| ends_elsewhere(&kernel.block(*b)))
        {
            return None;
        }
        let [phi] = header.phis()[..] else {
            return None;
        };
        let incoming = phi.incoming();
        let next = phi.incoming_from(latch).filter(|_| incoming.len() == 2)?;
        let begin = incoming.iter().find(|(_, from)| *from != latch)?.0;
        let step = sides(next)
            .into_iter()
            .find(|(a, _)| next.is(Op::LLVMAdd) && *a == phi)?
            .1;
        let branch = latch.terminator();
        let condition = branch.is_conditional().then(|| branch.condition())?;
        let [on, off] = latch.successors()[..] else {
            return None;
        };
        let (goes_on, limit) = match below(condition, next, on == header) {
            Some((p, limit)) => (Some(p), limit),
            None => (None, until(condition, next, on == header)?),
        };
        let exit = if on == header { off } else { on };
        Some(Elements {
            phi,
            step,
            begin,
            limit,
            goes_on,
            exit,
        })
    }

    fn spread(&self, f: &Analyses, l: &Loop) -> Option<Spread> {
        let kernel = f.kernel;
        let (run, row, limit) = self.run(kernel)?;
        let first = row
            .as_ref()
            .map(|r| [r.first, r.id].map(|v| kernel.value(v)));
        let count = Number::of(kernel, limit).filter(Number::is_whole)?;
        let known = |v| choice::host_knows(kernel.function, kernel.value(v));
        let is_all = count.factors.iter().all(|v| known(*v))
            && only_ends(self.exit)
            && nothing_outside(f, l)
            && self.is_guarded(kernel, l, &count)
            && self.names_ids_only(kernel, first, &count);
        is_all.then(|| Spread {
            header: l.header,
            latch: l.latch,
            exit: kernel.block_id(self.exit),
            row,
            run,
            count,
        })
    }

    /// How many elements a thread has in a row, where they lie, and the limit of all.
    fn run(&self, kernel: &Kernel) -> Option<(u32, Option<Row>, Value)> {
        if ids::is_grid_stride(self.step) && ids::is_widened_global_id(self.begin, Dim::X) {
            return self.goes_on.map(|_| (1, None, self.limit));
        }
        let first = ids::unextended(self.begin);
        let (id, run) = multiple(first)?;
        let ends = self.step.const_int() == Some(1) && ids::is_widened_global_id(id, Dim::X);
        if !self.limit.is(Op::LLVMCall) {
            return None;
        }
        let is_least = matches!(
            self.limit.callee_name().get(..9)?,
            "llvm.smin" | "llvm.umin"
        );
        let [a, b] = self.limit.arguments()[..] else {
            return None;
        };
        let is_last = |v: Value| {
            let mut both = sides(v).into_iter();
            both.any(|(x, n)| {
                v.is(Op::LLVMAdd) && ids::unextended(x) == first && n.const_int() == Some(run)
            })
        };
        let limit = match (is_last(ids::unextended(a)), is_last(ids::unextended(b))) {
            (true, false) => 1,
            (false, true) => 0,
            _ => return None,
        };
        let row = Row {
            id: kernel.value_id(id),
            first: kernel.value_id(first),
            end: kernel.value_id(self.limit),
            limit,
        };
        (ends && is_least).then_some((run as u32, Some(row), self.limit.operand(limit)))
    }

    /// Whether the loop is entered by threads alone whose first element is one: otherwise it has an iteration for a
    /// thread that has none.
    fn is_guarded(&self, kernel: &Kernel, l: &Loop, count: &Number) -> bool {
        let (header, latch) = (kernel.block(l.header), kernel.block(l.latch));
        let entering = |b: Block| {
            let all = kernel
                .blocks
                .iter()
                .filter(move |p| p.successors().contains(&b));
            all.copied().filter(move |p| b != header || *p != latch)
        };
        let mut b = header;
        for _ in 0..kernel.blocks.len() {
            let from: Vec<Block> = entering(b).collect();
            let [p] = from[..] else {
                return false;
            };
            let branch = p.terminator();
            if branch.is_conditional()
                && let [yes, no] = p.successors()[..]
                && yes != no
                && self.is_below(kernel, branch.condition(), yes == b, count)
            {
                return true;
            }
            b = p;
        }
        false
    }

    /// Whether `c` says, where it is `wanted`, that the first element is one.
    fn is_below(&self, kernel: &Kernel, c: Value, wanted: bool, count: &Number) -> bool {
        let mut both = [0, 1].into_iter();
        c.is(Op::LLVMICmp)
            && both.any(|k| {
                let v = c.operand(k);
                let is_first = ids::unextended(v) == ids::unextended(self.begin);
                let found = below(c, v, wanted).filter(|_| is_first);
                found.is_some_and(|(p, limit)| {
                    self.goes_on.is_none_or(|mine| mine == p) && self.is_limit(kernel, limit, count)
                })
            })
    }

    /// Whether `v` is how many elements there are, or where a thread's own end: a first one below that is below both.
    fn is_limit(&self, kernel: &Kernel, v: Value, count: &Number) -> bool {
        v == self.limit || Number::of(kernel, v).as_ref() == Some(count)
    }

    /// Whether threads ask for nothing but which is their first element, and whether there is one.
    fn names_ids_only(&self, kernel: &Kernel, first: Option<[Value; 2]>, count: &Number) -> bool {
        let of_x = |i: Value| match ids::register(i) {
            Some((_, d)) => d == Dim::X,
            None => true,
        };
        let mut all = kernel.blocks.iter().flat_map(|b| b.instructions());
        let is_id = |v: Value| ids::is_widened_global_id(v, Dim::X);
        let is_base = |v: Value| v.is(Op::LLVMMul) && ids::wide_users(v).into_iter().all(is_id);
        let is_step = |v: Value| first.is_none() && ids::is_grid_stride(v) && self.is_only_step(v);
        let asks = |c: Value| {
            let begin = ids::unextended(self.begin);
            c.is(Op::LLVMICmp)
                && [(0, 1), (1, 0)].into_iter().any(|(k, m)| {
                    ids::unextended(c.operand(k)) == begin
                        && self.is_limit(kernel, c.operand(m), count)
                })
        };
        let begins = |u: Value| u == self.phi || asks(u);
        let of_id = |u: Value| match first {
            None => begins(u),
            Some([first, _]) => u == first,
        };
        let is_allowed = |i: Value| match ids::register(i) {
            None => !is_id(i) || !i.is(Op::LLVMAdd) || ids::wide_users(i).into_iter().all(of_id),
            Some((Register::Tid, _)) => ids::wide_users(i).into_iter().all(is_id),
            Some((Register::Ctaid, _)) => ids::wide_users(i).into_iter().all(is_base),
            Some((Register::Ntid, _)) => {
                let mut users = ids::wide_users(i).into_iter();
                users.all(|u| is_base(u) || is_step(u))
            }
            Some((Register::Nctaid, _)) => ids::wide_users(i).into_iter().all(is_step),
        };
        let ends = |u: Value| u.is(Op::LLVMAdd) && u.users().iter().all(|x| *x == self.limit);
        let in_a_row = first.is_none_or(|[first, _]| {
            let mut users = ids::wide_users(first).into_iter();
            users.all(|u| begins(u) || ends(u))
        });
        all.all(|i| of_x(i) && is_allowed(i)) && in_a_row && self.is_only_limit()
    }

    /// Whether a step is what the counter grows by, and nothing else.
    fn is_only_step(&self, v: Value) -> bool {
        let next = |u: Value| u.is(Op::LLVMAdd) && sides(u).iter().any(|(a, _)| *a == self.phi);
        ids::wide_users(v).into_iter().all(next)
    }

    /// Whether where a thread's elements end is asked at the loop's end alone.
    fn is_only_limit(&self) -> bool {
        let is_bound = |u: Value| {
            let both = [u.operand(0), u.operand(1)].map(ids::unextended);
            let is_next =
                |v: &Value| v.is(Op::LLVMAdd) && sides(*v).iter().any(|(a, _)| *a == self.phi);
            u.is(Op::LLVMICmp)
                && (both.contains(&ids::unextended(self.begin)) || both.iter().any(is_next))
        };
        !self.limit.is(Op::LLVMCall) || self.limit.users().into_iter().all(is_bound)
    }
}

/// `n` and `m` of what is made of the two, in both orders.
fn sides(v: Value) -> [(Value, Value); 2] {
    match v.operands()[..] {
        [a, b] => [(a, b), (b, a)],
        _ => [(v, v), (v, v)],
    }
}

/// What `v` is less than where the comparison `c` is `wanted`, with how.
fn below(c: Value, v: Value, wanted: bool) -> Option<(Pred, Value)> {
    use Pred::*;
    if !c.is(Op::LLVMICmp) {
        return None;
    }
    let (p, other) = match (c.operand(0) == v, c.operand(1) == v) {
        (true, false) => (c.predicate(), c.operand(1)),
        (false, true) => (swapped(c.predicate()), c.operand(0)),
        _ => return None,
    };
    let p = match (p, wanted) {
        (LLVMIntSLT, true) | (LLVMIntSGE, false) => LLVMIntSLT,
        (LLVMIntULT, true) | (LLVMIntUGE, false) => LLVMIntULT,
        _ => return None,
    };
    Some((p, other))
}

/// What `v` is not yet where the comparison `c` is `wanted`.
fn until(c: Value, v: Value, wanted: bool) -> Option<Value> {
    let is_until = matches!(
        (c.is(Op::LLVMICmp).then(|| c.predicate())?, wanted),
        (Pred::LLVMIntNE, true) | (Pred::LLVMIntEQ, false)
    );
    let other = sides(c).into_iter().find(|(a, _)| *a == v)?.1;
    is_until.then_some(other)
}

/// `x` and `n` of `x * n`.
fn multiple(v: Value) -> Option<(Value, i64)> {
    let n = v.operands().get(1)?.const_int()?;
    let n = match v.opcode()? {
        Op::LLVMMul => n,
        Op::LLVMShl => 1i64.checked_shl(u32::try_from(n).ok()?)?,
        _ => return None,
    };
    (2..=MOST_IN_A_ROW).contains(&n).then(|| (v.operand(0), n))
}

/// Whether nothing is done from there on.
fn only_ends(b: Block) -> bool {
    match b.instructions()[..] {
        [i] if i.is(Op::LLVMRet) => true,
        [i] if !i.is_conditional() => b.successors().into_iter().all(|s| s != b && only_ends(s)),
        _ => false,
    }
}

/// Whether all that the kernel touches it touches in the loop, and updates are of integers, which may come in any
/// order.
fn nothing_outside(f: &Analyses, l: &Loop) -> bool {
    let mut all = f.accesses.iter();
    let is_integer = |v| f.kernel.value(v).ty().int_width().is_some();
    all.all(|a| {
        l.blocks.contains(&a.block) && (a.kind != AccessKind::Atomic || is_integer(a.value))
    })
}
