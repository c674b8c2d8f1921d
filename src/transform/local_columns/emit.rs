//! A kernel's clone whose threads have arrays in columns of shared memory.

use super::plan::{Column, LocalColumns, What, chunks};
use crate::kernel::ids::SPECIAL;
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Builder, Type, Value};
use crate::machine::target::{DYNAMIC_ALIGNMENT, WARP};
use crate::transform::offset::Offset;

/// Bytes that a fill stores at once, at most.
const WIDEST: u32 = 8;

/// Has `copy` keep the arrays there.
pub fn emit(copy: &Kernel, columns: &LocalColumns) -> Result<(), String> {
    let function = copy.function;
    let name = format!("{}$columns", function.name());
    let b = Builder::new(function.module());
    let memory = b.module().add_dynamic_shared(&name, DYNAMIC_ALIGNMENT);
    b.before(function.entry().instructions()[0]);
    let block = Block::read(&b);
    let all = columns.arrays.iter();
    let all: Vec<_> = all.map(|a| (Rows::of(&b, memory, &block, a), a)).collect();
    for (rows, array) in all {
        rows.write(copy, array);
    }
    // What it does to memory is not what the kernel does.
    function.drop_attribute("memory");
    function.run_passes("instsimplify,dce")
}

/// What a thread knows of its block.
struct Block {
    /// Its number there, as the hardware counts.
    thread: Value,
    /// Threads, up to whole warps.
    pitch: Value,
}

impl Block {
    fn read(b: &Builder) -> Block {
        let register = |name: &str, d: Dim| {
            let name = format!("{SPECIAL}{name}.{}", d.letter());
            b.intrinsic(&name, &[], &[])
        };
        let [x, y, z] = [Dim::X, Dim::Y, Dim::Z].map(|d| register("tid", d));
        let [nx, ny, nz] = [Dim::X, Dim::Y, Dim::Z].map(|d| register("ntid", d));
        let thread = b.add(b.mul(b.add(b.mul(z, ny), y), nx), x);
        let threads = b.mul(b.mul(nx, ny), nz);
        let up = b.add(threads, b.int(i64::from(WARP) - 1));
        Block {
            thread,
            pitch: b.and(up, b.int(-i64::from(WARP))),
        }
    }
}

/// A thread's column of one array.
struct Rows<'a> {
    b: &'a Builder,
    /// Its first byte.
    first: Value,
    /// From row to row, in bytes.
    step: Value,
    word: u32,
    rows: u32,
}

impl<'a> Rows<'a> {
    /// Written before all that the kernel does.
    fn of(b: &'a Builder, memory: Value, block: &Block, array: &Column) -> Rows<'a> {
        let before = b.mul(block.pitch, b.int(i64::from(array.start)));
        let own = b.mul(block.thread, b.int(i64::from(array.word)));
        Rows {
            b,
            first: b.byte_offset(memory, b.add(before, own)),
            step: b.mul(block.pitch, b.int(i64::from(array.word))),
            word: array.word,
            rows: array.rows,
        }
    }

    /// Has all that is done to the array be done to the column.
    fn write(&self, copy: &Kernel, array: &Column) {
        for u in &array.uses {
            let at = copy.value(u.at);
            self.b.before(at);
            self.b.locate_as(at);
            match &u.what {
                What::Access {
                    place,
                    bytes,
                    offset,
                } => {
                    at.set_operand(*place, self.at(copy, offset));
                    at.set_alignment(*bytes);
                }
                What::Fill { from, bytes } => {
                    self.fill(at.operand(1), *from, *bytes);
                    at.erase();
                }
                What::Marker => at.erase(),
            }
        }
    }

    /// The address of a byte.
    fn at(&self, copy: &Kernel, offset: &Offset) -> Value {
        if offset.terms.is_empty() {
            return self.at_constant(offset.constant);
        }
        let b = self.b;
        let sum = |unit: i64| offset.emit(b, copy, unit);
        let (row, rest) = match offset.is_multiple_of(self.word) {
            true => (sum(i64::from(self.word)), None),
            false => {
                let byte = sum(1);
                let shift = b.int(i64::from(self.word.trailing_zeros()));
                let rest = b.and(byte, b.int(i64::from(self.word) - 1));
                (b.lshr(byte, shift), Some(rest))
            }
        };
        let last = b.int(i64::from(self.rows) - 1);
        let row = b.intrinsic("llvm.umin", &[b.i32()], &[row, last]);
        let place = b.mul(row, self.step);
        let place = rest.map_or(place, |rest| b.add(place, rest));
        b.byte_offset(self.first, place)
    }

    /// The same of one that is known.
    fn at_constant(&self, byte: i64) -> Value {
        let (b, word) = (self.b, i64::from(self.word));
        let row = byte.div_euclid(word).clamp(0, i64::from(self.rows) - 1);
        let place = b.mul(self.step, b.int(row));
        b.byte_offset(self.first, b.add(place, b.int(byte.rem_euclid(word))))
    }

    /// Fills bytes with one.
    fn fill(&self, byte: Value, from: u32, bytes: u32) {
        let b = self.b;
        for (at, length) in chunks(from, bytes, self.word.min(WIDEST)) {
            let ty = Type::int(b.module(), 8 * length);
            // The byte, as often as there are bytes.
            let all = b.mul(b.zext(byte, ty), ty.constant(repeated(length)));
            b.store(all, self.at_constant(at.into()), length);
        }
    }
}

/// A number of which each of so many bytes is 1.
fn repeated(bytes: u32) -> i64 {
    (0..bytes).fold(0, |n, k| n | 1 << (8 * k))
}

#[cfg(test)]
mod tests {
    use super::repeated;

    #[test]
    fn each_byte_is_one() {
        assert_eq!([1, 2, 4].map(repeated), [1, 0x0101, 0x0101_0101]);
        assert_eq!(repeated(8), 0x0101_0101_0101_0101);
    }
}
