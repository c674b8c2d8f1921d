//! A kernel's clone of whose blocks each layer is one of the program's.

use super::plan::{Pack, Shared, Word, words};
use super::shared;
use crate::kernel::ids::{self, Register};
use crate::kernel::{Dim, Kernel, callees};
use crate::llvm::ir::{Builder, Function, Op, Pred, Type, Value};
use crate::lower::take_back_promises;
use crate::machine::target::WARP;
use crate::map::HashMap;
use crate::transform::parts::{self, Layout};

/// Has `copy`, whose last parameter is the list, take its numbers from there and from its thread's layer.
pub fn emit(copy: &Kernel, plan: &Pack) -> Result<(), String> {
    let function = copy.function;
    write(function, plan)?;
    take_back_promises(function);
    function.run_passes("dce")
}

fn write(function: Function, plan: &Pack) -> Result<(), String> {
    let b = Builder::new(function.module());
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    let reads: Vec<(Value, Register, Dim)> = all
        .filter_map(|v| ids::register(v).map(|(r, d)| (v, r, d)))
        .collect();
    let old = function.entry();
    let entry = function.append_block("pack");
    entry.move_before(old);
    let ends = function.append_block("pack.ends");
    b.at_end(ends);
    b.ret_void();
    b.at_end(entry);
    // Variables are a kernel's own as long as they stand in its entry.
    for v in old.instructions() {
        if v.is(Op::LLVMAlloca) {
            v.unlink();
            b.insert(v);
        }
    }
    let list = function.params().pop().ok_or("there is no list")?;
    let list: Vec<Value> = (0..words())
        .map(|k| b.load(b.i32(), b.element(b.i32(), list, b.long(k as i64)), 4))
        .collect();
    let word = |w: Word, d: Dim| list[w.place(d.index())];
    let register = |name: &str, d: Dim| {
        let name = format!("{}{name}.{}", ids::SPECIAL, d.letter());
        b.intrinsic(&name, &[], &[])
    };
    let layer = register("tid", Dim::Z);
    let place = |d: Dim| {
        let first = b.mul(register("ctaid", d), word(Word::Step, d));
        b.add(first, b.mul(layer, word(Word::Layers, d)))
    };
    let [x, y] = [Dim::X, Dim::Y].map(place);
    let block = [x, y, register("ctaid", Dim::Z)];
    // One layer of the last block may be of none of the program's.
    let within = [Dim::X, Dim::Y].map(|d| {
        let (at, of) = (block[d.index()], word(Word::Grid, d));
        b.icmp(Pred::LLVMIntULT, at, of)
    });
    if let Some(shared) = plan.shared {
        share(&b, function, (&shared, layer), &register);
    }
    b.cond_br(b.and(within[0], within[1]), old, ends);
    for (read, register, d) in reads {
        let new = match (register, d) {
            (Register::Ctaid, _) => block[d.index()],
            (Register::Nctaid, _) => word(Word::Grid, d),
            (Register::Tid, Dim::Z) => b.int(0),
            (Register::Ntid, Dim::Z) => b.int(1),
            _ => continue,
        };
        read.replace_uses(new);
        read.erase();
    }
    Ok(())
}

/// Has the threads of each `block`, a layer of the version's, meet and share what is theirs. `register`: reads one.
fn share(
    b: &Builder,
    function: Function,
    (shared, block): (&Shared, Value),
    register: &dyn Fn(&str, Dim) -> Value,
) {
    let width = register("ntid", Dim::X);
    let area = b.mul(width, register("ntid", Dim::Y));
    let row = b.mul(register("tid", Dim::Y), width);
    let own = b.add(row, register("tid", Dim::X));
    meet_in_warp(b, function, (area, b.add(b.mul(block, area), own)));
    divide(b, function, shared, block);
}

/// Has the threads of a block of the program's meet as those of a warp that they are, where they met as a block's.
/// `area`: how many there are, a number by which 32 can be divided; `thread`: which of the version's block this one is.
fn meet_in_warp(b: &Builder, function: Function, (area, thread): (Value, Value)) {
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    let barriers: Vec<Value> = all.filter(|v| shared::is_barrier(*v)).collect();
    if barriers.is_empty() {
        return;
    }
    // Where blocks are larger, the version is not launched.
    let others = b.and(b.sub(b.int(WARP.into()), area), b.int(i64::from(WARP) - 1));
    let ones = b.lshr(b.int(-1), others);
    let in_warp = b.and(thread, b.int(i64::from(WARP) - 1));
    let first = b.and(in_warp, b.sub(b.int(0), area));
    let members = b.shl(ones, first);
    for barrier in barriers {
        let b = Builder::new(function.module());
        b.before(barrier);
        b.locate_as(barrier);
        b.intrinsic("llvm.nvvm.bar.warp.sync", &[], &[members]);
        barrier.erase();
    }
}

/// Gives each block of the program's a part of all shared arrays.
fn divide(b: &Builder, function: Function, shared: &Shared, block: Value) {
    let i64t = Type::int(function.module(), 64);
    let block = b.zext(block, i64t);
    let mut all = callees::shared_globals(&[function]);
    all.retain(|a| callees::is_dynamic(function, *a));
    for array in all {
        let stride = parts::stride(b, shared.parts);
        move_on(b, function, array, b.mul(block, stride));
    }
    let layout = Layout::of_all(function);
    if !layout.arrays.is_empty() {
        let name = format!("{}$packed", function.name());
        let parts = layout.add(function, shared.parts.into(), &name);
        let stride = i64t.constant(layout.stride as i64);
        move_on(b, function, parts, b.mul(block, stride));
    }
}

/// Has all that names `array` name what lies so many bytes further on, in blocks that `b` leads to.
fn move_on(b: &Builder, function: Function, array: Value, bytes: Value) {
    let mut moved: HashMap<Value, Value> = HashMap::default();
    let blocks = function.blocks().into_iter();
    let others = blocks.filter(|other| *other != b.block());
    for i in others.flat_map(|b| b.instructions()) {
        for (place, o) in i.operands().into_iter().enumerate() {
            if o.is_constant() && callees::shared_global(o) == Some(array) {
                let to = *moved.entry(o).or_insert_with(|| b.byte_offset(o, bytes));
                i.set_operand(place as u32, to);
            }
        }
    }
}
