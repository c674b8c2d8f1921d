//! A kernel's clone that finds its block in the list of what is left.

use super::plan::Part;
use crate::kernel::ids::{self, Register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Builder, Pred, Value};
use crate::machine::tuning::trim::BOXES;

/// Has `copy`, whose last parameter is the list, take its block's number and the grid's size from there.
pub fn emit(copy: &Kernel) -> Result<(), String> {
    let function = copy.function;
    let b = Builder::new(function.module());
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    let reads: Vec<(Value, Register, Dim)> = all
        .filter_map(|v| ids::register(v).map(|(r, d)| (v, r, d)))
        .filter(|(_, r, _)| matches!(r, Register::Ctaid | Register::Nctaid))
        .collect();
    b.before(function.entry().instructions()[0]);
    let list = function.params().pop().ok_or("there is no list")?;
    let word = |k: usize| b.load(b.i32(), b.element(b.i32(), list, b.long(k as i64)), 4);
    let block = place(&b, &word);
    let grid = [0, 1, 2].map(word);
    for (read, register, d) in reads {
        let new = match register {
            Register::Ctaid => block[d.index()],
            _ => grid[d.index()],
        };
        read.replace_uses(new);
        read.erase();
    }
    // The list is memory that the kernel did not read.
    function.drop_attribute("memory");
    function.run_passes("dce")
}

/// The number that the block has in the program's grid.
fn place(b: &Builder, word: &dyn Fn(usize) -> Value) -> [Value; 3] {
    let number = b.intrinsic("llvm.nvvm.read.ptx.sreg.ctaid.x", &[], &[]);
    let ends = [0; BOXES].iter().enumerate();
    let ends: Vec<Value> = ends.map(|(k, _)| word(Part::End.place(k))).collect();
    let before: Vec<Value> = (1..BOXES)
        .map(|k| b.icmp(Pred::LLVMIntULT, number, ends[k - 1]))
        .collect();
    // The first box whose end is above the number.
    let of = |each: &dyn Fn(usize) -> Value| {
        let last = each(BOXES - 1);
        (0..BOXES - 1)
            .rev()
            .fold(last, |rest, k| b.select(before[k], each(k), rest))
    };
    let begin = of(&|k| match k {
        0 => b.int(0),
        k => ends[k - 1],
    });
    let [low_x, low_y, low_z] = Dim::ALL.map(|d| of(&|k| word(Part::Low(d).place(k))));
    let [along, up] = [Dim::X, Dim::Y].map(|d| of(&|k| word(Part::Size(d).place(k))));
    let inner = b.sub(number, begin);
    let row = b.udiv(inner, along);
    [
        b.add(low_x, b.urem(inner, along)),
        b.add(low_y, b.urem(row, up)),
        b.add(low_z, b.udiv(row, up)),
    ]
}
