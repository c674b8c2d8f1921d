//! Where values are kept, and how blocks of the new body are marked.

use crate::llvm::ir::{Type, Value};
use crate::tree::LoopId;
use std::rc::Rc;

/// A stack slot.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Its address.
    pub pointer: Value,
    /// What it holds.
    pub ty: Type,
}

/// What a replica keeps in a slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kept {
    /// What an instruction of the original makes.
    Value(Value),
    /// What a phi of a loop's header was in the last iteration, for code behind a loop tested after its body.
    Last(Value),
    /// What an accumulator's access finds, while it lives in a register.
    Accumulator(Value),
    /// Whether a loop with accumulators, tested before its body, has run an iteration.
    Ran(LoopId),
}

/// Where the predicate of each of a thread's replicas is; `None`: all threads are here.
#[derive(Clone)]
pub struct Predicates(pub Rc<[Option<Slot>]>);

/// A loop with barriers in it must not be unrolled or peeled: peeling can bring a copy of a barrier
/// where threads diverge.
pub const KEEP: &[&str] = &["llvm.loop.unroll.disable"];

/// The same, and what does not change from iteration to iteration is worked out in each: for loops that few threads
/// run, and seldom. In front of them it would take registers from, and be code for, all others.
pub const SELDOM: &[&str] = &["llvm.loop.unroll.disable", "llvm.licm.disable"];

/// The replica of the slow path: any of them.
pub const ANY: usize = usize::MAX;
