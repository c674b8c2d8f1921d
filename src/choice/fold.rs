//! The launch of a folded kernel, as a function that the host can run.
//!
//! ```text
//! define zeroext i1 @"K$mesi$0$fold$gate"(ptr %args, ptr %launch)      six u32, block x y z, grid x y z, as for a gate
//!   true: they are a launch of the folded kernel now, which does what the program's launch of K does
//!   false: there is none
//! ```
//! What `fold` rests on is tested here: the launch has one dimension, every length is positive, no product of them goes
//! beyond 31 bits, and the program launches all ids that are of use, or exactly as many as the folded kernel has where
//! the kernel has no limit.

use super::{gate, numbers};
use crate::kernel::{Kernel, ValueId};
use crate::llvm::ir::{Builder, Function, Module, Pred, Type, Value};
use crate::machine::target::{GRID_ROWS, WARP};
use crate::machine::tuning::fold::{SHORTEST, THREADS};
use crate::number::Number;
use crate::transform::fold::Fold;

/// Ids that a launch may have, at most.
const MOST_IDS: i64 = i32::MAX as i64;

/// The function called `name`, as bitcode; `None`: the host does not know a length.
pub fn bitcode(kernel: &Kernel, fold: &Fold, name: &str) -> Option<Vec<u8>> {
    host_function(kernel, name, |host| host.write(fold))
}

/// A function called `name`, in which `write` writes a launch and gives whether it is one, as bitcode; `None`: it
/// cannot.
pub(super) fn host_function(
    kernel: &Kernel,
    name: &str,
    write: impl FnOnce(&mut Host) -> Option<Value>,
) -> Option<Vec<u8>> {
    let module = Module::sibling(kernel.function.module(), name);
    let gate = module.add_gate(name);
    let b = Builder::new(module);
    b.at_end(gate.append_block(""));
    let answer = write(&mut Host {
        b: &b,
        gate,
        kernel,
        tests: Vec::new(),
    });
    let Some(answer) = answer else {
        module.dispose();
        return None;
    };
    b.ret(answer);
    numbers::finish(module, gate)
}

/// The function while it is written. All numbers have 64 bits.
pub(super) struct Host<'a> {
    pub(super) b: &'a Builder,
    pub(super) gate: Function,
    kernel: &'a Kernel,
    /// What must hold.
    pub(super) tests: Vec<Value>,
}

impl Host<'_> {
    /// Writes the new launch; whether it is one.
    fn write(&mut self, fold: &Fold) -> Option<Value> {
        let b = self.b;
        let own = numbers::load(b, self.gate.params()[1]);
        let ids = b.mul(own[0], own[3]);
        self.is_line(own, ids);
        let lengths: Option<Vec<Value>> = fold.lengths.iter().map(|n| self.number(n)).collect();
        let lengths = lengths?;
        let limit = match &fold.limit {
            Some(n) => self.number(n)?,
            None => ids,
        };
        let inner = lengths[1..]
            .iter()
            .fold(lengths[0], |p, n| self.product(p, *n));
        let outermost = self.quotient(limit, inner);
        let enough = self.are_enough(limit, ids, fold.run);
        let some = b.icmp(Pred::LLVMIntUGE, lengths[0], self.constant(SHORTEST));
        self.tests.extend(enough.into_iter().chain([some]));
        let (block, grid) = self.launch(fold, &lengths, outermost);
        let answer = self.tests.iter().copied().reduce(|all, t| b.and(all, t))?;
        self.store(own, block, grid, answer);
        Some(answer)
    }

    /// Whether the program's threads have all that there are; `None`: by the grid's size they always do. `run`: see
    /// [`Fold::run`].
    pub(super) fn are_enough(&mut self, all: Value, ids: Value, run: Option<u32>) -> Option<Value> {
        let theirs = match run {
            Some(1) => return None,
            Some(n) => self.product(ids, self.constant(n)),
            None => ids,
        };
        Some(self.b.icmp(Pred::LLVMIntULE, all, theirs))
    }

    pub(super) fn constant(&self, n: u32) -> Value {
        Type::int(self.b.module(), 64).constant(i64::from(n))
    }

    /// Tests that the program's launch is a row of ids.
    pub(super) fn is_line(&mut self, own: [Value; 6], ids: Value) {
        for k in [1, 2, 4, 5] {
            let flat = self.b.icmp(Pred::LLVMIntEQ, own[k], self.constant(1));
            self.tests.push(flat);
        }
        self.is_length(ids);
    }

    /// Tests that a number is positive, and has 31 bits.
    pub(super) fn is_length(&mut self, v: Value) {
        let least = self.b.icmp(Pred::LLVMIntSGE, v, v.ty().constant(1));
        let most = self.b.icmp(Pred::LLVMIntSLE, v, v.ty().constant(MOST_IDS));
        self.tests.extend([least, most]);
    }

    /// `x * y`, tested to be a length.
    pub(super) fn product(&mut self, x: Value, y: Value) -> Value {
        let product = self.b.mul(x, y);
        self.is_length(product);
        product
    }

    /// `x / y`, tested to leave no rest, and to be a length.
    fn quotient(&mut self, x: Value, y: Value) -> Value {
        let (b, one) = (self.b, y.ty().constant(1));
        // Nothing is divided by 0, whatever the launch is.
        let by = b.select(b.icmp(Pred::LLVMIntEQ, y, y.ty().constant(0)), one, y);
        let rest = b.urem(x, by);
        let whole = b.icmp(Pred::LLVMIntEQ, rest, y.ty().constant(0));
        self.tests.push(whole);
        let quotient = b.udiv(x, by);
        self.is_length(quotient);
        quotient
    }

    /// What a length is for the launch.
    pub(super) fn number(&mut self, n: &Number) -> Option<Value> {
        let above = self.factors(&n.factors, n.constant)?;
        if n.is_whole() {
            return Some(above);
        }
        let by = self.factors(&n.by, n.by_constant)?;
        Some(self.quotient(above, by))
    }

    /// A product, of which each factor is tested to be a length, and what they make so far.
    fn factors(&mut self, factors: &[ValueId], constant: i64) -> Option<Value> {
        let i64t = Type::int(self.b.module(), 64);
        let mut all = i64t.constant(constant);
        for f in factors {
            let v = self.kernel.value(*f);
            let v = gate::emit_known(self.b, self.gate, self.kernel.function, v)?;
            let v = self.b.sext(v, i64t);
            self.is_length(v);
            all = self.product(all, v);
        }
        Some(all)
    }

    /// Block and grid: rows of a warp, or of fewer threads where the lengths are short.
    fn launch(
        &mut self,
        fold: &Fold,
        lengths: &[Value],
        outermost: Value,
    ) -> ([Value; 3], [Value; 3]) {
        let (b, one) = (self.b, self.constant(1));
        let rows = *lengths.get(1).unwrap_or(&outermost);
        let layers = lengths.get(1).map(|_| outermost);
        let (mut along, mut up) = (self.constant(SHORTEST), self.constant(THREADS / SHORTEST));
        for wide in [2 * SHORTEST, WARP] {
            let is_wide = b.icmp(Pred::LLVMIntUGE, lengths[0], self.constant(wide));
            along = b.select(is_wide, self.constant(wide), along);
            up = b.select(is_wide, self.constant(THREADS / wide), up);
        }
        let blocks = |count: Value, each: Value| b.udiv(b.add(count, b.sub(each, one)), each);
        let grid = [
            blocks(lengths[0], along),
            blocks(rows, up),
            layers.unwrap_or(one),
        ];
        for k in [1, 2] {
            let in_grid = b.icmp(Pred::LLVMIntULE, grid[k], self.constant(GRID_ROWS));
            self.tests.push(in_grid);
        }
        let all_rows = b.mul(grid[1], up);
        // The last block's rows have ids of 31 bits, too.
        self.product(all_rows, lengths[0]);
        if fold.limit.is_none() && layers.is_none() {
            let whole = b.icmp(Pred::LLVMIntEQ, all_rows, rows);
            self.tests.push(whole);
        }
        ([along, up, one], grid)
    }

    /// Stores the launch if it is one.
    pub(super) fn store(&self, own: [Value; 6], block: [Value; 3], grid: [Value; 3], is: Value) {
        let chosen = |first: usize, new: [Value; 3]| {
            [0, 1, 2].map(|k| self.b.select(is, new[k], own[first + k]))
        };
        numbers::store(
            self.b,
            self.gate.params()[1],
            chosen(0, block),
            chosen(3, grid),
        );
    }
}
