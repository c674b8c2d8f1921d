//! A kernel's launch with its threads in other blocks, as a function that the host can run.
//!
//! ```text
//! define zeroext i1 @"K$blocks$gate"(ptr %args, ptr %launch)      six u32, block x y z, grid x y z, as for a gate
//!   true: they are another launch of the same threads now; false: as they were
//! ```
//! It is what [`Regroup::of`] says, without branches.

use super::gate;
use crate::kernel::Kernel;
use crate::llvm::ir::{Builder, Function, Module, Pred, Type, Value};
use crate::plan::{MOST_THREADS, Reached, Regroup, Rule};

/// The function called `name`, as bitcode.
pub fn bitcode(kernel: &Kernel, regroup: &Regroup, name: &str) -> Option<Vec<u8>> {
    let module = Module::beside(kernel.function.module(), name);
    let function = module.add_gate(name);
    let b = Builder::new(module);
    b.at_end(function.append_block(""));
    let launch = Launch::load(&b, function.params()[1]);
    let reach = regroup.reach.as_ref();
    let spare = reach.and_then(|r| launch.spare(&b, kernel, r, function));
    let others: Vec<Other> = regroup
        .rules
        .iter()
        .map(|r| launch.by(&b, r, spare))
        .collect();
    b.ret(launch.store(&b, &others));
    let ready = module
        .verify()
        .and_then(|()| function.run_passes("early-cse,dce"));
    let bytes = ready.ok().map(|()| module.bitcode());
    module.dispose();
    bytes
}

/// Another launch, and when it is taken.
struct Other {
    taken: Value,
    block: Value,
    along: Value,
}

/// What a launch consists of, in 64 bits.
struct Launch {
    numbers: Value,
    /// Threads of a block along x.
    x: Value,
    /// Blocks along x.
    along: Value,
    /// Threads along x.
    threads: Value,
    /// All blocks: less than 2^63.
    blocks: Value,
    /// Whether a block is one row, and the grid has no more threads than are looked at.
    fits: Value,
}

impl Launch {
    fn load(b: &Builder, numbers: Value) -> Launch {
        let (i32t, i64t) = (Type::int(b.module(), 32), Type::int(b.module(), 64));
        let [x, y, z, along, gy, gz] = [0, 1, 2, 3, 4, 5].map(|k| {
            let place = b.element(i32t, numbers, i64t.constant(k));
            b.zext(b.load(i32t, place, 4), i64t)
        });
        let is_one = |v| b.icmp(Pred::LLVMIntEQ, v, i64t.constant(1));
        let blocks = b.mul(along, b.mul(gy, gz));
        let is_row = b.and(is_one(y), is_one(z));
        // Fewer blocks than that, so that the product does not wrap.
        let most = i64t.constant(MOST_THREADS as i64);
        let is_small = [blocks, b.mul(blocks, x)].map(|v| b.icmp(Pred::LLVMIntULE, v, most));
        Launch {
            numbers,
            x,
            along,
            threads: b.mul(along, x),
            blocks,
            fits: b.and(is_row, b.and(is_small[0], is_small[1])),
        }
    }

    /// Whether threads beyond those that there are would end at once; `None`: the host cannot tell.
    fn spare(&self, b: &Builder, kernel: &Kernel, r: &Reached, gate: Function) -> Option<Value> {
        let value = gate::emit_known(b, gate, kernel.function, kernel.value(r.value))?;
        let i64t = self.x.ty();
        let (value, less, most) = match r.signed {
            true => (b.sext(value, i64t), Pred::LLVMIntSLT, Pred::LLVMIntSLE),
            false => (b.zext(value, i64t), Pred::LLVMIntULT, Pred::LLVMIntULE),
        };
        Some(b.icmp(if r.included { less } else { most }, value, self.threads))
    }

    fn by(&self, b: &Builder, rule: &Rule, spare: Option<Value>) -> Other {
        let number = |n: u32| self.x.ty().constant(i64::from(n));
        let (block, [low, high]) = (number(rule.block), rule.from.map(number));
        let whole = b.icmp(Pred::LLVMIntEQ, b.urem(self.threads, block), number(0));
        let mut tests = vec![
            b.icmp(Pred::LLVMIntUGE, self.x, low),
            b.icmp(Pred::LLVMIntULE, self.x, high),
            b.icmp(Pred::LLVMIntUGE, self.blocks, number(rule.least)),
            spare.map_or(whole, |s| b.or(whole, s)),
        ];
        if let Some(most) = rule.most {
            let all = b.mul(self.blocks, self.x);
            tests.push(b.icmp(Pred::LLVMIntULE, all, number(most)));
        }
        Other {
            taken: tests.into_iter().fold(self.fits, |all, t| b.and(all, t)),
            block,
            along: b.udiv(b.add(self.threads, number(rule.block - 1)), block),
        }
    }

    /// Stores the first that is taken; whether there is one.
    fn store(&self, b: &Builder, others: &[Other]) -> Value {
        let (i32t, i64t) = (Type::int(b.module(), 32), self.x.ty());
        let mut changed = Type::int(b.module(), 1).constant(0);
        let (mut block, mut along) = (self.x, self.along);
        for o in others.iter().rev() {
            changed = b.or(changed, o.taken);
            block = b.select(o.taken, o.block, block);
            along = b.select(o.taken, o.along, along);
        }
        for (k, v) in [(0, block), (3, along)] {
            let place = b.element(i32t, self.numbers, i64t.constant(k));
            b.store(b.trunc(v, i32t), place, 4);
        }
        changed
    }
}
