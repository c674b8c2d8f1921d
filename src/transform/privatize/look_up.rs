//! Loads that may be of cells that a block has for itself.
//!
//! ```text
//! v = a[i]              v = a[i]
//!                       if (&a[i] is one of the cells)
//!                           v = its part of (the cell's word + all copies of the cell)
//! ```
//! Sound because what a thread loads behind its own updates of a cell has them all, as they are in the block's copies.
//! Where other threads updated the cell, too, nothing in the original says whether that was before.

use super::data::{CELL, Privatization, PrivatizedArray};
use crate::access::Access;
use crate::llvm::ir::{Pred, Type, Value};
use crate::lower::Lower;
use crate::lower::state::Site;
use crate::plan::analyses::Analyses;

/// Whether a load is of a part of one cell.
pub(super) fn can_be(f: &Analyses, a: &Access) -> bool {
    let ty = f.kernel.value(a.value).ty();
    !a.writes() && !a.is_volatile && a.size <= CELL && a.align >= a.size && ty.is_element()
}

impl Lower<'_> {
    /// Whether a load is looked up among the cells.
    pub(super) fn is_looked_up(&self, p: &Privatization, i: Value) -> bool {
        let mut all = p.looked_up.iter();
        all.any(|a| self.from.kernel.value(self.from.accesses.get(*a).value) == i)
    }

    /// Emits a load and, where it is of a cell, what that has become.
    pub(super) fn emit_looked_up(&mut self, i: Value, p: &Privatization, site: &Site) -> Value {
        let pointer = self.operand(i.operand(0), site);
        let load = i.clone_instruction();
        load.set_operand(0, pointer);
        self.b.insert(load);
        let slot = self.new_slot(i.ty());
        self.set(slot, load);
        for t in &p.arrays {
            let base = self.at_entry(t.base);
            let b = &self.b;
            let at = b.ptrtoint(pointer, b.i64());
            let first = b.plus(b.ptrtoint(base, b.i64()), b.long(t.low));
            let bytes = b.long(i64::from(t.cells * CELL));
            let is_cell = b.icmp(Pred::LLVMIntULT, b.minus(at, first), bytes);
            self.when(Some(is_cell), |l| {
                let new = l.part_of_cell((p, t), [at, first], (pointer, i.ty()));
                l.set(slot, new);
            });
        }
        self.get(slot)
    }

    /// What lies at an address within the cells, which begin at another.
    fn part_of_cell(
        &mut self,
        (p, t): (&Privatization, &PrivatizedArray),
        [at, first]: [Value; 2],
        (pointer, ty): (Value, Type),
    ) -> Value {
        let b = &self.b;
        let byte = b.and(b.trunc(at, b.i32()), b.int(i64::from(CELL) - 1));
        let cell = b.minus(b.trunc(b.minus(at, first), b.i32()), byte);
        let cell = b.lshr(cell, b.int(CELL.trailing_zeros().into()));
        let sum = self.sum_of_copies(p, t, cell);
        let b = &self.b;
        let word_at = b.byte_offset(pointer, b.sext(b.minus(b.int(0), byte), b.i64()));
        let word = self.combined(t.op, b.load(b.i32(), word_at, CELL), sum);
        let b = &self.b;
        let module = self.from.kernel.function.module();
        let bits = 8 * u32::try_from(module.alloc_size(ty)).expect("no more than a cell");
        let part = b.lshr(word, b.cells_times(byte, b.int(8)));
        b.bitcast(b.trunc(part, Type::int(module, bits)), ty)
    }
}
