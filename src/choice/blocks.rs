//! A kernel's launch with its threads in other blocks, as a function that the host can run.
//!
//! ```text
//! define zeroext i1 @"K$blocks$gate"(ptr %args, ptr %launch)      six u32, block x y z, grid x y z, as for a gate
//!   true: they are another launch of the same threads now; false: as they were
//! ```
//! It is what [`Regroup::of`] says, without branches.

use crate::llvm::ir::{Builder, Module, Pred, Type, Value};
use crate::plan::{MOST_THREADS, Regroup, Rule};

/// The function called `name`, as bitcode. `device`: a module of the same context.
pub fn bitcode(device: Module, regroup: &Regroup, name: &str) -> Option<Vec<u8>> {
    let module = Module::beside(device, name);
    let function = module.add_gate(name);
    let b = Builder::new(module);
    b.at_end(function.append_block(""));
    let launch = Launch::load(&b, function.params()[1]);
    let others: Vec<Other> = regroup.0.iter().map(|r| launch.by(&b, r)).collect();
    b.ret(launch.store(&b, &others));
    let bytes = module.verify().ok().map(|()| module.bitcode());
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
            blocks,
            fits: b.and(is_row, b.and(is_small[0], is_small[1])),
        }
    }

    fn by(&self, b: &Builder, rule: &Rule) -> Other {
        let i64t = self.x.ty();
        let number = |n: u32| i64t.constant(i64::from(n));
        let is = |p, a, n| b.icmp(p, a, n);
        let (block, [low, high]) = (number(rule.block), rule.from.map(number));
        let mut tests = vec![
            is(Pred::LLVMIntUGE, self.x, low),
            is(Pred::LLVMIntULE, self.x, high),
            is(Pred::LLVMIntUGE, self.blocks, number(rule.least)),
        ];
        if let Some(most) = rule.most {
            tests.push(is(
                Pred::LLVMIntULE,
                b.mul(self.blocks, self.x),
                number(most),
            ));
        }
        // What is divided by is not 0 whatever the block is.
        let not_zero = |v| b.select(is(Pred::LLVMIntEQ, v, number(0)), number(1), v);
        let (rest, along) = if rule.splits() {
            let by = b.udiv(self.x, block);
            (vec![b.urem(self.x, block)], b.mul(self.along, by))
        } else {
            let x = not_zero(self.x);
            let by = not_zero(b.udiv(block, x));
            let rest = vec![b.urem(block, x), b.urem(self.along, by)];
            (rest, b.udiv(self.along, by))
        };
        let whole = rest.into_iter().map(|r| is(Pred::LLVMIntEQ, r, number(0)));
        tests.extend(whole);
        Other {
            taken: tests.into_iter().fold(self.fits, |all, t| b.and(all, t)),
            block,
            along,
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
