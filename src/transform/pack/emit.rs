//! A kernel's clone of whose blocks each layer is one of the program's.

use super::plan::{Word, words};
use crate::kernel::ids::{self, Register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Builder, Function, Op, Pred, Value};
use crate::lower::take_back_promises;

/// Has `copy`, whose last parameter is the list, take its numbers from there and from its thread's layer.
pub fn emit(copy: &Kernel) -> Result<(), String> {
    let function = copy.function;
    write(function)?;
    take_back_promises(function);
    function.run_passes("dce")
}

fn write(function: Function) -> Result<(), String> {
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
        b.call(b.module().intrinsic(&name, &[]), &[])
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
