//! How the host launches a version in another way than its kernel: a function that it can run.
//!
//! ```text
//! define zeroext i1 @"K$mesi$0$fold$gate"(ptr %args, ptr %launch)      six u32, block x y z, grid x y z, as for a gate
//!   true: they are a launch of the version now, which does what the program's launch of K does
//!   false: there is none
//! ```
//! What the launch is, and what must hold of the program's, each transformation says itself ([`Relaunch`]).

use super::{blocks, gate, numbers};
use crate::kernel::{Dim, Kernel, ValueId};
use crate::llvm::ir::{Block, Builder, Function, Module, Pred, Type, Value};
use crate::number::Number;
use crate::plan::ActiveBound;

/// Ids that a launch may have, at most.
const MOST_IDS: i64 = i32::MAX as i64;

/// What a version's launch is made of, by the transformation that made the version.
pub trait Relaunch {
    /// Writes the version's launch; whether it is one. `tests`: what else must hold of the program's launch, which the
    /// kernel's copy holds. `None`: the host does not know what it is made of.
    fn write(&self, host: &mut Host, tests: &[Value]) -> Option<Value>;

    /// Writes whether the model is sure that the version's launch, which was stored, gains; `None`: that is said in
    /// another way. Nothing rests on it.
    fn write_pays(&self, _: &Host) -> Option<Value> {
        None
    }
}

/// A function called `name`, in which a version of `kernel` is launched, as bitcode; `None`: the host cannot say how.
pub(super) fn bitcode(
    kernel: &Kernel,
    how: &dyn Relaunch,
    tests: &[Value],
    name: &str,
) -> Option<Vec<u8>> {
    function(kernel, name, |host| how.write(host, tests))
}

/// A function called `name` that says whether the model is sure of a version's launch, as bitcode; `None`: the launch
/// does not say so itself.
pub(super) fn pays(kernel: &Kernel, how: &dyn Relaunch, name: &str) -> Option<Vec<u8>> {
    function(kernel, name, |host| how.write_pays(host))
}

/// A function called `name` which answers what `write` writes.
fn function(
    kernel: &Kernel,
    name: &str,
    write: impl FnOnce(&mut Host) -> Option<Value>,
) -> Option<Vec<u8>> {
    let module = Module::sibling(kernel.function.module(), name);
    let gate = module.add_gate(name);
    let b = Builder::new(module);
    b.at_end(gate.append_block(""));
    let mut host = Host {
        b: &b,
        gate,
        kernel,
        tests: Vec::new(),
        merged: [1; 3],
    };
    let Some(answer) = write(&mut host) else {
        module.dispose();
        return None;
    };
    b.ret(answer);
    numbers::finish(module, gate)
}

/// The function while it is written. All numbers have 64 bits.
pub struct Host<'a> {
    /// Writes it.
    pub b: &'a Builder,
    gate: Function,
    /// The kernel that the version is of.
    pub kernel: &'a Kernel,
    /// What must hold.
    pub tests: Vec<Value>,
    /// Blocks along each axis that one of the version's does the work of: a grid has a multiple of these.
    pub merged: [u32; 3],
}

impl Host<'_> {
    /// What `write` gives, of `kernel`, a copy or a clone of this one, which is launched with the numbers that were
    /// stored last: of those speaks all that is asked then.
    pub fn of<T>(&mut self, kernel: &Kernel, write: impl FnOnce(&mut Host) -> T) -> T {
        let mut host = Host {
            b: self.b,
            gate: self.gate,
            kernel,
            tests: std::mem::take(&mut self.tests),
            merged: self.merged,
        };
        let made = write(&mut host);
        self.tests = host.tests;
        made
    }

    /// The kernel's launch, which is the program's until another is stored: block x, y, z and grid x, y, z.
    pub fn own(&self) -> [Value; 6] {
        numbers::load(self.b, self.gate.params()[1])
    }

    /// Has a test that the kernel's copy holds be one of what must hold.
    pub fn add_test(&mut self, test: Value) -> Option<()> {
        let holds = gate::emit_test(self.b, self.gate, self.kernel.function, test)?;
        self.tests.push(holds);
        Some(())
    }

    /// What a value of the kernel is for the program's launch, in its own bits; `None`: the host cannot tell.
    pub fn known(&self, v: Value) -> Option<Value> {
        gate::emit_known(self.b, self.gate, self.kernel.function, v)
    }

    /// Whether threads with ids from `count` on end by a bound that the kernel tests; `None`: the host cannot tell.
    pub fn end_from(&self, bound: &ActiveBound, count: Value) -> Option<Value> {
        blocks::emit_ends(self.b, self.gate, self.kernel, bound, count)
    }

    /// Another block of code.
    pub fn append_block(&self) -> Block {
        self.gate.append_block("")
    }

    /// Hands the version, whose last parameter is a list, words of it by their places, of 32 bits. Behind the launch's
    /// numbers stands how many parameters the version has, then the list (`mesi_launch::room`).
    pub fn hand(&self, words: impl IntoIterator<Item = (usize, Value)>) {
        let count = self.constant(self.kernel.function.params().len() as u32);
        let words = words.into_iter().map(|(k, v)| (1 + k, v));
        numbers::store_behind(
            self.b,
            self.gate.params()[1],
            std::iter::once((0, count)).chain(words),
        );
    }

    /// The first words of the list that was handed.
    pub fn handed<const N: usize>(&self) -> [Value; N] {
        numbers::load_list(self.b, self.gate.params()[1])
    }

    /// Whether all that must hold does.
    pub fn answer(&self) -> Option<Value> {
        let tests = self.tests.iter().copied();
        tests.reduce(|all, t| self.b.and(all, t))
    }

    /// Whether the program's threads have all that there are; `None`: by the grid's size they always do. `run`: how
    /// many elements a thread has in a row.
    pub fn are_enough(&mut self, all: Value, ids: Value, run: Option<u32>) -> Option<Value> {
        let theirs = match run {
            Some(1) => return None,
            Some(n) => self.product(ids, self.constant(n)),
            None => ids,
        };
        Some(self.b.icmp(Pred::LLVMIntULE, all, theirs))
    }

    /// A number of 64 bits.
    pub fn constant(&self, n: u32) -> Value {
        Type::int(self.b.module(), 64).constant(i64::from(n))
    }

    /// Tests that the program's launch is a row of ids, or one for each block's number along `outer`.
    pub fn is_line(&mut self, own: [Value; 6], (ids, outer): (Value, Option<Dim>)) {
        let outer = outer.map(|d| 3 + d.index());
        for k in [1, 2, 4, 5].into_iter().filter(|k| Some(*k) != outer) {
            let flat = self.b.icmp(Pred::LLVMIntEQ, own[k], self.constant(1));
            self.tests.push(flat);
        }
        self.is_length(ids);
    }

    /// Tests that a number is positive, and has 31 bits.
    pub fn is_length(&mut self, v: Value) {
        let least = self.b.icmp(Pred::LLVMIntSGE, v, v.ty().constant(1));
        let most = self.b.icmp(Pred::LLVMIntSLE, v, v.ty().constant(MOST_IDS));
        self.tests.extend([least, most]);
    }

    /// `x * y`, tested to be a length.
    pub fn product(&mut self, x: Value, y: Value) -> Value {
        let product = self.b.mul(x, y);
        self.is_length(product);
        product
    }

    /// `x / y`, tested to leave no rest, and to be a length.
    pub fn quotient(&mut self, x: Value, y: Value) -> Value {
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
    pub fn number(&mut self, n: &Number) -> Option<Value> {
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
            let v = self.known(v)?;
            let v = self.b.sext(v, i64t);
            self.is_length(v);
            all = self.product(all, v);
        }
        Some(all)
    }

    /// Stores the launch if it is one.
    pub fn store(&self, own: [Value; 6], block: [Value; 3], grid: [Value; 3], is: Value) {
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
