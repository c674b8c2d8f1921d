//! Zeros in tiles that threads read beyond what is copied (`Tile::zero_fill`), where the strips are
//! fetched ahead.
//!
//! The box that is copied is the same for every strip (`plan::tile`), so the cells outside it
//! keep their zeros: they are written once, before the first strip, and only where the box does
//! not fill the tile, at the edges of the grid.

use super::Lower;
use super::state::{KEEP, View};
use crate::llvm::ir::Pred;
use crate::plan::{Region, Strip};

/// Bytes a thread writes at once.
const WIDEST: i64 = 16;

impl Lower<'_> {
    /// Fills all slots of the tiles with zeros, if any cell of them will not be copied.
    pub(crate) fn emit_zeros(&mut self, region: &Region, view: View, strip: Strip) {
        let tiles = &region.tiles;
        let mut tests = Vec::new();
        for tile in tiles.iter().filter(|t| t.zero_fill) {
            self.fills_tile(tile, view, &tile.footprint.active, &mut tests);
        }
        let Some(full) = self.b.all(tests) else {
            return;
        };
        let start = tiles.iter().map(|t| t.place.offset()).min().unwrap_or(0);
        let bytes = i64::from(strip.slot) * i64::from(strip.depth);
        let partial = self.b.xor(full, self.b.i1().constant(1));
        self.when(Some(partial), |l| {
            l.emit_zero_loop(i64::from(start), bytes);
            l.emit_barrier();
        });
    }

    /// All threads of the block write zeros to `bytes` bytes of the buffer.
    fn emit_zero_loop(&mut self, start: i64, bytes: i64) {
        let threads = self.threads();
        let wide = self.b.i32().vector(4);
        let transaction = self.b.int(WIDEST);
        let at = self.new_slot(self.b.i32());
        self.set(at, self.b.cells_times(threads.linear, transaction));
        let step = self.b.cells_times(threads.count, transaction);
        let again = self.fall_into("mesi.zeros");
        let (body, done) = (self.new_block("mesi.zero"), self.new_block("mesi.zeroed"));
        let now = self.get(at);
        let more = self.b.icmp(Pred::LLVMIntSLT, now, self.b.int(bytes));
        self.b.cond_br(more, body, done);
        self.b.at_end(body);
        let byte = crate::llvm::ir::Type::int(self.module(), 8);
        let from = self.cell_at(byte, self.from.buffer, self.b.int(start));
        let to = self.cell_at(byte, from, now);
        self.b.store(wide.null(), to, WIDEST as u32);
        self.set(at, self.b.add_nsw(now, step));
        let branch = self.b.br(again);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
    }
}
