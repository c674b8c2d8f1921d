//! A kernel's launch with its threads in other blocks, as a function that the host can run.
//!
//! ```text
//! define zeroext i1 @"K$blocks.…$gate"(ptr %args, ptr %launch)      six u32, block x y z, grid x y z, as for a gate
//!   true: they are another launch of the same threads now; false: as they were
//! ```
//! It is what [`Reshape::of`] says, without branches.

use super::{gate, numbers};
use crate::kernel::Kernel;
use crate::llvm::ir::{Builder, Function, Module, Op, Pred, Type, Value};
use crate::machine::target::{BLOCK_LAYERS, BLOCK_THREADS, GRID_ROWS, WARP};
use crate::machine::tuning::reshape_rules::{FLAT_ROWS, MOST_WASTE};
use crate::plan::{ActiveBound, MOST_THREADS, Reshape, Rows, Rule, Wide};

/// What the rules rest on, as the end of a name: the dimensions along which the kernel tells no block, how many threads
/// it may have in one where it limits them, and which of its threads are of use. The images of a binary may come of
/// different sources (`__CUDA_ARCH__`), and the host launches one kernel for all: they must agree on that.
pub fn basis(kernel: &Kernel, reshape: &Reshape) -> String {
    let wide = reshape.wide.as_ref();
    let dimensions = [
        (!reshape.rules.is_empty() || wide.is_some(), "x"),
        (reshape.rows.is_some() || wide.is_some(), "y"),
        (wide.is_some_and(|w| w.layers), "z"),
    ];
    let letters: String = dimensions.iter().filter(|d| d.0).map(|d| d.1).collect();
    let text_of = |r: &ActiveBound| {
        let value = described(kernel.function.module(), kernel.value(r.value), 0)?;
        Some(format!("{} {} {value}", r.included, r.signed))
    };
    let [along, up] = reshape.active.map(|r| r.and_then(|r| text_of(&r)));
    let up = up.filter(|_| wide.is_some());
    let up = up.map(|text| format!("along y {text}"));
    let texts: Vec<String> = along.into_iter().chain(up).collect();
    let reach = match &texts[..] {
        [] => String::new(),
        known => format!(".{:016x}", hash(&known.join(" "))),
    };
    let most = match reshape.most {
        BLOCK_THREADS => String::new(),
        n => format!(".{n}"),
    };
    format!(".{letters}{most}{reach}")
}

/// Expressions deeper than this are not told apart from each other, nor worked out.
const DEEPEST: u32 = 16;

/// An integer of the kernel's entry in words that are the same for all chips; `None`: it is of something else than
/// parameters and constants.
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
pub fn bitcode(kernel: &Kernel, reshape: &Reshape, name: &str) -> Option<Vec<u8>> {
    let module = Module::sibling(kernel.function.module(), name);
    let function = module.add_gate(name);
    let b = Builder::new(module);
    b.at_end(function.append_block(""));
    let launch = Launch::load(&b, function.params()[1], reshape.most);
    // What images cannot be held against each other by is not relied on.
    let is_known =
        |r: &ActiveBound| described(kernel.function.module(), kernel.value(r.value), 0).is_some();
    let spare = [0, 1].map(|d| {
        let reach = reshape.active[d].as_ref().filter(|r| is_known(r));
        // Threads beyond those that there are would end at once, as far as the host can tell.
        reach.and_then(|r| emit_ends(&b, function, kernel, r, launch.threads[d]))
    });
    let rules = reshape.rules.iter().map(|r| launch.by(&b, r, spare[0]));
    let wide = reshape.wide.map(|w| launch.by_long_rows(&b, w, spare));
    let rows = reshape.rows.map(|r| launch.by_rows(&b, r));
    let others: Vec<Other> = wide.into_iter().chain(rules).chain(rows).collect();
    b.ret(launch.store(&b, &others));
    numbers::finish(module, function)
}

/// Writes whether threads with ids from `count`, of 64 bits, on end by the `bound` that their kernel tests; `None`: the
/// host cannot tell.
pub(super) fn emit_ends(
    b: &Builder,
    gate: Function,
    kernel: &Kernel,
    bound: &ActiveBound,
    count: Value,
) -> Option<Value> {
    let value = gate::emit_known(b, gate, kernel.function, kernel.value(bound.value))?;
    let (value, less, most) = match bound.signed {
        true => (
            b.sext(value, count.ty()),
            Pred::LLVMIntSLT,
            Pred::LLVMIntSLE,
        ),
        false => (
            b.zext(value, count.ty()),
            Pred::LLVMIntULT,
            Pred::LLVMIntULE,
        ),
    };
    Some(b.icmp(if bound.included { less } else { most }, value, count))
}

/// Another launch, and when it is taken.
struct Other {
    taken: Value,
    /// Threads of a block, and blocks, along each dimension.
    block: [Value; 3],
    grid: [Value; 3],
}

/// What a launch consists of, in 64 bits.
struct Launch {
    numbers: Value,
    /// Threads of a block, and blocks, along each dimension.
    block: [Value; 3],
    grid: [Value; 3],
    /// Threads along each dimension.
    threads: [Value; 3],
    /// Threads of a block, and all blocks: less than 2^63.
    area: Value,
    blocks: Value,
    /// Whether the chip takes the launch, and there are no more threads than are looked at; whether a block is one
    /// layer then, and one row.
    legal: Value,
    is_flat: Value,
    is_row: Value,
}

impl Launch {
    /// `most`: threads of a block.
    fn load(b: &Builder, numbers: Value, most: u32) -> Launch {
        let i64t = Type::int(b.module(), 64);
        let [x, y, z, gx, gy, gz] = numbers::load(b, numbers);
        let is_one = |v| b.icmp(Pred::LLVMIntEQ, v, i64t.constant(1));
        let (area, blocks) = (b.mul(x, b.mul(y, z)), b.mul(gx, b.mul(gy, gz)));
        // No factor is more than its own limit, so no product that counts wraps.
        let [side, layers, height] = [BLOCK_THREADS, BLOCK_LAYERS, GRID_ROWS].map(u64::from);
        let limits = [
            (x, side),
            (y, side),
            (z, layers),
            (gy, height),
            (gz, height),
            (area, u64::from(most)),
            (blocks, MOST_THREADS),
            (b.mul(blocks, area), MOST_THREADS),
        ];
        let within = limits.map(|(v, n)| b.icmp(Pred::LLVMIntULE, v, i64t.constant(n as i64)));
        let all = |first, rest: &[Value]| rest.iter().fold(first, |all, t| b.and(all, *t));
        let legal = all(within[0], &within[1..]);
        let is_flat = b.and(legal, is_one(z));
        Launch {
            numbers,
            block: [x, y, z],
            grid: [gx, gy, gz],
            threads: [b.mul(gx, x), b.mul(gy, y), b.mul(gz, z)],
            area,
            blocks,
            legal,
            is_flat,
            is_row: b.and(is_flat, is_one(y)),
        }
    }

    fn number(&self, n: u32) -> Value {
        self.area.ty().constant(i64::from(n))
    }

    fn is(&self, b: &Builder, v: Value, n: u32) -> Value {
        b.icmp(Pred::LLVMIntEQ, v, self.number(n))
    }

    fn is_within(&self, b: &Builder, v: Value, [low, high]: [u32; 2]) -> Value {
        let least = b.icmp(Pred::LLVMIntUGE, v, self.number(low));
        b.and(least, b.icmp(Pred::LLVMIntULE, v, self.number(high)))
    }

    fn by(&self, b: &Builder, rule: &Rule, spare: Option<Value>) -> Other {
        let number = |n| self.number(n);
        let (x, threads) = (self.block[0], self.threads[0]);
        let block = number(rule.block);
        let whole = self.is(b, b.urem(threads, block), 0);
        let mut tests = vec![
            self.is_within(b, x, rule.from),
            b.icmp(Pred::LLVMIntUGE, self.blocks, number(rule.least)),
            spare.map_or(whole, |s| b.or(whole, s)),
        ];
        if let Some(some) = rule.threads {
            tests.push(self.is_within(b, b.mul(self.blocks, x), some));
        }
        let along = b.udiv(b.add(threads, number(rule.block - 1)), block);
        Other {
            taken: tests.into_iter().fold(self.is_row, |all, t| b.and(all, t)),
            block: [block, number(1), number(1)],
            grid: [along, self.grid[1], self.grid[2]],
        }
    }

    fn by_rows(&self, b: &Builder, rows: Rows) -> Other {
        let number = |n| self.number(n);
        let ([x, y, z], all) = (self.block, self.threads[1]);
        let threads = number(rows.threads);
        // What is divided by is not 0 whatever the block is.
        let not_zero = |v| b.select(self.is(b, v, 0), number(1), v);
        let each = not_zero(x);
        let up = not_zero(b.udiv(threads, each));
        let count = b.udiv(all, up);
        let tests = [
            b.icmp(Pred::LLVMIntNE, y, number(1)),
            self.is_within(b, x, rows.along),
            b.icmp(Pred::LLVMIntUGT, self.area, threads),
            b.icmp(Pred::LLVMIntULE, count, number(GRID_ROWS)),
            self.is(b, b.urem(threads, each), 0),
            self.is(b, b.urem(all, up), 0),
        ];
        Other {
            taken: tests.into_iter().fold(self.is_flat, |all, t| b.and(all, t)),
            block: [x, up, z],
            grid: [self.grid[0], count, self.grid[2]],
        }
    }

    fn by_long_rows(&self, b: &Builder, wide: Wide, spare: [Option<Value>; 2]) -> Other {
        let number = |n| self.number(n);
        let [along, up, deep] = self.threads;
        let of = [
            (along, wide.block[0], spare[0]),
            (up, wide.block[1], spare[1]),
        ];
        let [x, y] = of.map(|(all, each, _)| b.udiv(b.add(all, number(each - 1)), number(each)));
        let grid = [x, y, deep];
        let count = b.mul(grid[0], b.mul(grid[1], grid[2]));
        let mut tests = vec![
            self.is_wide(b, wide, count),
            b.icmp(Pred::LLVMIntULE, grid[1], number(GRID_ROWS)),
            b.icmp(Pred::LLVMIntULE, grid[2], number(GRID_ROWS)),
        ];
        let [parts, most] = MOST_WASTE.map(|n| self.area.ty().constant(n as i64));
        for ((all, each, spare), count) in of.into_iter().zip(grid) {
            let each = number(each);
            let is_whole = self.is(b, b.urem(all, each), 0);
            let filled = b.mul(count, each);
            tests.push(spare.map_or(is_whole, |s| b.or(is_whole, s)));
            tests.push(b.icmp(Pred::LLVMIntULE, b.mul(filled, parts), b.mul(all, most)));
        }
        if !wide.layers {
            tests.push(self.is(b, self.block[2], 1));
        }
        Other {
            taken: tests.into_iter().fold(self.legal, |all, t| b.and(all, t)),
            block: [number(wide.block[0]), number(wide.block[1]), number(1)],
            grid,
        }
    }

    /// Whether a block is one of several short rows or a flat one, and `count` blocks are enough then.
    fn is_wide(&self, b: &Builder, wide: Wide, count: Value) -> Value {
        let number = |n| self.number(n);
        let [x, y, z] = self.block;
        let enough = |least| b.icmp(Pred::LLVMIntUGE, count, number(least));
        let mut short = vec![
            enough(wide.least),
            b.icmp(Pred::LLVMIntNE, b.mul(y, z), number(1)),
            self.is_within(b, x, wide.along),
        ];
        if wide.tall {
            let is_short = b.icmp(Pred::LLVMIntULT, x, number(wide.along[1]));
            let all = number(wide.block[0] * wide.block[1]);
            let is_small = b.icmp(Pred::LLVMIntULT, self.area, all);
            short.push(b.or(is_short, is_small));
        }
        let all = |tests: Vec<Value>| tests.into_iter().reduce(|all, t| b.and(all, t));
        let short = all(short).expect("there are tests");
        let Some(least) = wide.flat else {
            return short;
        };
        let is_long = b.and(
            b.icmp(Pred::LLVMIntUGE, x, number(wide.block[0])),
            b.icmp(Pred::LLVMIntULE, y, number(FLAT_ROWS)),
        );
        let is_odd = b.icmp(Pred::LLVMIntNE, b.urem(self.area, number(WARP)), number(0));
        let flat = vec![
            enough(least),
            b.icmp(Pred::LLVMIntUGT, x, number(wide.along[1])),
            b.icmp(Pred::LLVMIntUGE, self.threads[1], number(wide.block[1])),
            b.or(is_long, is_odd),
        ];
        b.or(short, all(flat).expect("there are tests"))
    }

    /// Stores the first that is taken; whether there is one.
    fn store(&self, b: &Builder, others: &[Other]) -> Value {
        let mut changed = Type::int(b.module(), 1).constant(0);
        let (mut block, mut grid) = (self.block, self.grid);
        for o in others.iter().rev() {
            changed = b.or(changed, o.taken);
            for d in 0..3 {
                block[d] = b.select(o.taken, o.block[d], block[d]);
                grid[d] = b.select(o.taken, o.grid[d], grid[d]);
            }
        }
        numbers::store(b, self.numbers, block, grid);
        changed
    }
}
