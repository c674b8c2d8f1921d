//! A kernel's launch with its threads in other blocks, as a function that the host can run.
//!
//! ```text
//! define zeroext i1 @"K$blocks.…$gate"(ptr %args, ptr %launch)      six u32, block x y z, grid x y z, as for a gate
//!   true: they are another launch of the same threads now; false: as they were
//! ```
//! It is what [`Regroup::of`] says, without branches.

use super::gate;
use crate::kernel::Kernel;
use crate::llvm::ir::{Builder, Function, Module, Op, Pred, Type, Value};
use crate::plan::{MOST_THREADS, Reached, Regroup, Rows, Rule};
use crate::target::GRID_ROWS;

/// What the rules rest on, as the end of a name: the dimensions along which the kernel tells no block, and which of its threads are of use. The images of
/// a binary may come of different sources (`__CUDA_ARCH__`), and the host launches one kernel for all: they must agree on that.
pub fn basis(kernel: &Kernel, regroup: &Regroup) -> String {
    let along = if regroup.rules.is_empty() { "" } else { "x" };
    let up = if regroup.rows.is_some() { "y" } else { "" };
    let reach = regroup.reach.and_then(|r| {
        let value = described(kernel.function.module(), kernel.value(r.value), 0)?;
        Some(hash(&format!("{} {} {value}", r.included, r.signed)))
    });
    let reach = reach.map(|h| format!(".{h:016x}")).unwrap_or_default();
    format!(".{along}{up}{reach}")
}

/// Expressions deeper than this are not told apart from each other, nor worked out.
const DEEPEST: u32 = 16;

/// An integer of the kernel's entry in words that are the same for all chips; `None`: it is of something else than parameters and constants.
fn described(module: Module, v: Value, depth: u32) -> Option<String> {
    if let Some(c) = v.const_int() {
        return Some(c.to_string());
    }
    if let Some(i) = v.argument_index() {
        return Some(format!("argument{i}"));
    }
    let op = v.opcode().filter(|_| depth < DEEPEST)?;
    let width = v.ty().int_width().unwrap_or(0);
    if op == Op::LLVMLoad {
        let (base, at) = v.operand(0).parameter_offset(module)?;
        let i = base.argument_index()?;
        return Some(format!("byte{at} of argument{i} as {width}"));
    }
    let operands = v.operands().into_iter().map(|o| match o.is_function() {
        true => Some(o.name()),
        false => described(module, o, depth + 1),
    });
    let operands: Option<Vec<String>> = operands.collect();
    let more = match v.is(Op::LLVMICmp) {
        true => format!("{:?}", v.predicate()),
        false => String::new(),
    };
    Some(format!("{op:?}{width}{more}({})", operands?.join(",")))
}

/// FNV-1a: the same from build to build, unlike the standard library's.
fn hash(text: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325u64;
    text.bytes().fold(start, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The function called `name`, as bitcode.
pub fn bitcode(kernel: &Kernel, regroup: &Regroup, name: &str) -> Option<Vec<u8>> {
    let module = Module::beside(kernel.function.module(), name);
    let function = module.add_gate(name);
    let b = Builder::new(module);
    b.at_end(function.append_block(""));
    let launch = Launch::load(&b, function.params()[1]);
    // What images cannot be held against each other by is not relied on.
    let told =
        |r: &Reached| described(kernel.function.module(), kernel.value(r.value), 0).is_some();
    let reach = regroup.reach.as_ref().filter(|r| told(r));
    let spare = reach.and_then(|r| launch.spare(&b, kernel, r, function));
    let rules = regroup.rules.iter().map(|r| launch.by(&b, r, spare));
    let rows = regroup.rows.map(|r| launch.by_rows(&b, r));
    let others: Vec<Other> = rules.chain(rows).collect();
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
    /// Threads of a block along x and y, and blocks.
    block: [Value; 2],
    grid: [Value; 2],
}

/// What a launch consists of, in 64 bits.
struct Launch {
    numbers: Value,
    /// Threads of a block, and blocks, along x and y.
    block: [Value; 2],
    grid: [Value; 2],
    /// Threads along x and y.
    threads: [Value; 2],
    /// Threads of a block if it is one layer, and all blocks: less than 2^63.
    area: Value,
    blocks: Value,
    /// Whether a block is one layer, and the grid has no more threads than are looked at; and whether it is one row.
    fits: Value,
    is_row: Value,
}

impl Launch {
    fn load(b: &Builder, numbers: Value) -> Launch {
        let (i32t, i64t) = (Type::int(b.module(), 32), Type::int(b.module(), 64));
        let [x, y, z, gx, gy, gz] = [0, 1, 2, 3, 4, 5].map(|k| {
            let place = b.element(i32t, numbers, i64t.constant(k));
            b.zext(b.load(i32t, place, 4), i64t)
        });
        let is_one = |v| b.icmp(Pred::LLVMIntEQ, v, i64t.constant(1));
        let (area, blocks) = (b.mul(x, y), b.mul(gx, b.mul(gy, gz)));
        // Fewer blocks than that, and threads of a block, so that the product does not wrap.
        let most = i64t.constant(MOST_THREADS as i64);
        let all = [area, blocks, b.mul(blocks, area)];
        let is_small = all.map(|v| b.icmp(Pred::LLVMIntULE, v, most));
        let fits = is_small.into_iter().fold(is_one(z), |all, t| b.and(all, t));
        Launch {
            numbers,
            block: [x, y],
            grid: [gx, gy],
            threads: [b.mul(gx, x), b.mul(gy, y)],
            area,
            blocks,
            fits,
            is_row: b.and(fits, is_one(y)),
        }
    }

    /// Whether threads beyond those that there are would end at once; `None`: the host cannot tell.
    fn spare(&self, b: &Builder, kernel: &Kernel, r: &Reached, gate: Function) -> Option<Value> {
        let value = gate::emit_known(b, gate, kernel.function, kernel.value(r.value))?;
        let i64t = self.area.ty();
        let (value, less, most) = match r.signed {
            true => (b.sext(value, i64t), Pred::LLVMIntSLT, Pred::LLVMIntSLE),
            false => (b.zext(value, i64t), Pred::LLVMIntULT, Pred::LLVMIntULE),
        };
        Some(b.icmp(if r.included { less } else { most }, value, self.threads[0]))
    }

    fn by(&self, b: &Builder, rule: &Rule, spare: Option<Value>) -> Other {
        let number = |n: u32| self.area.ty().constant(i64::from(n));
        let ([x, _], [threads, _]) = (self.block, self.threads);
        let (block, [low, high]) = (number(rule.block), rule.from.map(number));
        let whole = b.icmp(Pred::LLVMIntEQ, b.urem(threads, block), number(0));
        let mut tests = vec![
            b.icmp(Pred::LLVMIntUGE, x, low),
            b.icmp(Pred::LLVMIntULE, x, high),
            b.icmp(Pred::LLVMIntUGE, self.blocks, number(rule.least)),
            spare.map_or(whole, |s| b.or(whole, s)),
        ];
        if let Some([low, high]) = rule.threads {
            let all = b.mul(self.blocks, x);
            tests.push(b.icmp(Pred::LLVMIntUGE, all, number(low)));
            tests.push(b.icmp(Pred::LLVMIntULE, all, number(high)));
        }
        let along = b.udiv(b.add(threads, number(rule.block - 1)), block);
        Other {
            taken: tests.into_iter().fold(self.is_row, |all, t| b.and(all, t)),
            block: [block, number(1)],
            grid: [along, self.grid[1]],
        }
    }

    fn by_rows(&self, b: &Builder, rows: Rows) -> Other {
        let number = |n: u32| self.area.ty().constant(i64::from(n));
        let ([x, y], [_, all]) = (self.block, self.threads);
        let ([low, high], threads) = (rows.along.map(number), number(rows.threads));
        // What is divided by is not 0 whatever the block is.
        let not_zero = |v| b.select(b.icmp(Pred::LLVMIntEQ, v, number(0)), number(1), v);
        let each = not_zero(x);
        let up = not_zero(b.udiv(threads, each));
        let count = b.udiv(all, up);
        let is_none = |v| b.icmp(Pred::LLVMIntEQ, v, number(0));
        let tests = [
            b.icmp(Pred::LLVMIntNE, y, number(1)),
            b.icmp(Pred::LLVMIntUGE, x, low),
            b.icmp(Pred::LLVMIntULE, x, high),
            b.icmp(Pred::LLVMIntUGT, self.area, threads),
            b.icmp(Pred::LLVMIntULE, count, number(GRID_ROWS)),
            is_none(b.urem(threads, each)),
            is_none(b.urem(all, up)),
        ];
        Other {
            taken: tests.into_iter().fold(self.fits, |all, t| b.and(all, t)),
            block: [x, up],
            grid: [self.grid[0], count],
        }
    }

    /// Stores the first that is taken; whether there is one.
    fn store(&self, b: &Builder, others: &[Other]) -> Value {
        let (i32t, i64t) = (Type::int(b.module(), 32), self.area.ty());
        let mut changed = Type::int(b.module(), 1).constant(0);
        let (mut block, mut grid) = (self.block, self.grid);
        for o in others.iter().rev() {
            changed = b.or(changed, o.taken);
            for d in 0..2 {
                block[d] = b.select(o.taken, o.block[d], block[d]);
                grid[d] = b.select(o.taken, o.grid[d], grid[d]);
            }
        }
        for (first, all) in [(0, block), (3, grid)] {
            for (k, v) in (first..).zip(all) {
                let place = b.element(i32t, self.numbers, i64t.constant(k));
                b.store(b.trunc(v, i32t), place, 4);
            }
        }
        changed
    }
}
