//! A kernel's copy in which an iteration is a thread.

use super::Collapse;
use super::legality::Counter;
use super::reach::ID;
use crate::affine::Atom;
use crate::kernel::ids::{self, Register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Builder, Pred, Value};

/// Has each thread of `copy`, whose values have the numbers of the kernel that `collapse` is about, do one iteration:
/// its number along x, of the thread whose id is its own along y.
pub fn emit(collapse: &Collapse, copy: &Kernel) -> Result<(), String> {
    let b = Builder::new(copy.function.module());
    exchange_ids(&b, copy);
    let [entering, header, latch, exit] = collapse.blocks.map(|x| copy.block(x));
    let enter = copy.function.append_block("enter");
    enter.move_before(header);
    let branch = entering.terminator();
    for (k, to) in entering.successors().into_iter().enumerate() {
        if to == header {
            branch.set_successor(k as u32, enter);
        }
    }
    b.at_end(enter);
    let k = id_along(&b, Dim::X);
    let wide = b.sext(k, b.i64());
    let run_so_far = match collapse.step {
        1 => wide,
        c => b.mul_nsw(wide, b.long(c)),
    };
    let runs = b.icmp(Pred::LLVMIntSLT, run_so_far, span(&b, collapse, copy));
    b.cond_br(runs, header, exit);
    for phi in header.phis() {
        let counter = Counter::of(phi, latch).ok_or("a loop has other counters in the copy")?;
        b.at_end(enter);
        b.before(enter.terminator());
        phi.replace_uses(value_at(&b, &counter, [k, wide]));
        phi.erase();
    }
    let branch = latch.terminator();
    b.before(branch);
    b.br(exit);
    branch.erase();
    copy.function.run_passes("simplifycfg,dce")
}

/// What a counter is in iteration `k`, which has 32 bits and 64. As a sum it wraps where the thread's would.
fn value_at(b: &Builder, counter: &Counter, [k, wide]: [Value; 2]) -> Value {
    let Counter { first, next, step } = *counter;
    let is_short = first.ty().int_width() == Some(32);
    let k = if is_short { k } else { wide };
    // A number of 31 bits, once or negated.
    let (run_so_far, is_exact) = match step.const_int() {
        Some(1) => (k, true),
        Some(-1) => (b.mul_nsw(k, step), true),
        _ => (b.mul(k, step), false),
    };
    match first.const_int() {
        Some(0) => run_so_far,
        _ if is_exact && next.has_nsw() => b.add_nsw(first, run_so_far),
        _ => b.add(first, run_so_far),
    }
}

/// How far a thread's iterations go: a sum that is exact in 64 bits.
fn span(b: &Builder, collapse: &Collapse, copy: &Kernel) -> Value {
    let value = |m: &[Atom]| match m {
        [] => None,
        [ID] => Some(id_along(b, Dim::Y)),
        [atom] => {
            let symbol = collapse.symbol(*atom);
            Some(copy.value(symbol.expect("a span names known symbols")))
        }
        _ => unreachable!("a span is linear"),
    };
    let mut sum = None;
    for (m, c) in collapse.span.terms() {
        let term = match value(m) {
            None => b.long(c),
            Some(v) if c == 1 => b.sext(v, b.i64()),
            Some(v) => b.mul_nsw(b.sext(v, b.i64()), b.long(c)),
        };
        sum = Some(sum.map_or(term, |s| b.add_nsw(s, term)));
    }
    sum.unwrap_or_else(|| b.long(0))
}

/// What the kernel asks along x the copy asks along y.
fn exchange_ids(b: &Builder, copy: &Kernel) {
    let all = copy.blocks.iter().flat_map(|b| b.instructions());
    let reads: Vec<Value> = all.filter(|v| ids::register(*v).is_some()).collect();
    for read in reads {
        if let Some((register, Dim::X)) = ids::register(read) {
            b.before(read);
            read.replace_uses(read_along(b, register, Dim::Y));
            read.erase();
        }
    }
}

/// `ctaid * ntid + tid`: the host tests that it has 31 bits.
fn id_along(b: &Builder, d: Dim) -> Value {
    let [block, threads, thread] =
        [Register::Ctaid, Register::Ntid, Register::Tid].map(|r| read_along(b, r, d));
    b.add_nsw(b.mul_nsw(block, threads), thread)
}

fn read_along(b: &Builder, register: Register, d: Dim) -> Value {
    let name = format!("{}{}.{}", ids::SPECIAL, register.name(), d.letter());
    b.intrinsic(&name, &[], &[])
}
