//! The grid's first blocks as leaders: who they are, and which group each of them leads.
//!
//! ```text
//! facts, for the whole grid: ctaid = 0, tid < ntid*nctaid                 along merged dimensions
//! number = ctaid.y*nctaid.x + ctaid.x;  if (number >= groups) return      where x and y are merged
//! leader = (number mod groups.x * 4, number / groups.x * 4)
//! if (ctaid.y >= groups.y) return;  leader.y = ctaid.y * 2                where y alone is
//! ```

use crate::kernel::Dim;
use crate::llvm::ir::Value;
use crate::lower::Lower;
use crate::lower::state::Led;
use crate::plan::Along;

impl Lower<'_> {
    /// Whether facts are being tested for the whole grid, whose blocks along `d` are one.
    pub(crate) fn is_joined(&self, d: Dim) -> bool {
        let merged = self.replicas.merge.along(d) > 1;
        let ordered =
            self.from.plan.merge.compacted && !matches!(self.led, Led::Group(_)) && merged;
        ordered || self.runs_over_grid(d, Along::Joined)
    }

    /// Whether a fact is being tested for the whole grid, in this way along `d`.
    pub(crate) fn runs_over_grid(&self, d: Dim, along: Along) -> bool {
        matches!(self.led, Led::Over(grid) if grid[d.index()] == along)
    }

    /// Whether code is emitted for a step of the grid.
    pub(crate) fn runs_by_steps(&self) -> bool {
        self.from.plan.steps().is_some() && matches!(self.led, Led::Group(_))
    }

    /// The first block of what counts, along a merged dimension or where steps are taken.
    pub(crate) fn led(&mut self, d: Dim) -> Value {
        match self.led {
            Led::Group(first) => first[d.index()].expect("along such dimensions"),
            _ => self.hoist.int(0),
        }
    }

    /// Threads of so many blocks, in 64 bits.
    pub(crate) fn threads_of_blocks(&mut self, d: Dim, blocks: Value) -> Value {
        let threads = self.register32("ntid", d);
        let h = &self.hoist;
        let int = h.i64();
        h.times(h.zext(threads, int), h.zext(blocks, int))
    }

    /// Threads of all groups, in 64 bits; the last group may have more blocks than the grid.
    pub(crate) fn threads_of_groups(&mut self, d: Dim) -> Value {
        let blocks = self.register32("nctaid", d);
        let beyond = i64::from(self.replicas.merge.along(d)) - 1;
        // Fewer than 2^31, and a few.
        let blocks = self.hoist.plus(blocks, self.hoist.int(beyond));
        self.threads_of_blocks(d, blocks)
    }

    /// Blocks that lead no group end; from here on the others' ids are those of their groups.
    pub(crate) fn exit_all_but_leaders(&mut self) {
        // What was worked out for the whole grid does not hold for a group.
        self.forget_sums();
        let merged = Dim::ALL.map(|d| self.replicas.merge.along(d) > 1);
        let groups = Dim::ALL.map(|d| self.groups(d));
        let own = Dim::ALL.map(|d| self.register32("ctaid", d));
        let across = self.register32("nctaid", Dim::X);
        let both = merged[0] && merged[1];
        let h = &self.hoist;
        let mut number = own;
        let mut tests = Vec::new();
        if both {
            number[0] = h.plus(h.cells_times(own[1], across), own[0]);
            tests.push(h.below(number[0], h.cells_times(groups[0], groups[1])));
        }
        for d in Dim::ALL.into_iter().map(Dim::index) {
            if merged[d] && !(both && d < 2) {
                tests.push(h.below(own[d], groups[d]));
            }
        }
        let leads = h.all(tests).expect("blocks are merged");
        self.dismiss_unless(leads);
        let h = &self.hoist;
        if both {
            number[1] = h.udiv(number[0], groups[0]);
            number[0] = h.minus(number[0], h.cells_times(number[1], groups[0]));
        }
        let first = Dim::ALL.map(|d| {
            let r = self.replicas.merge.along(d);
            (r > 1).then(|| h.cells_times(number[d.index()], h.int(i64::from(r))))
        });
        self.led = Led::Group(first);
    }

    /// Groups of merged blocks along a dimension.
    fn groups(&mut self, d: Dim) -> Value {
        let blocks = self.register32("nctaid", d);
        let r = self.replicas.merge.along(d);
        debug_assert!(r.is_power_of_two());
        let h = &self.hoist;
        let up = h.plus(blocks, h.int(i64::from(r) - 1));
        h.lshr(up, h.int(i64::from(r.trailing_zeros())))
    }
}
