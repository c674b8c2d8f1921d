//! A kernel in blocks of rows, as plain data.

use crate::choice::Relaunch;
use crate::kernel::{Dim, Kernel};
use crate::transform::way::Recasting;

/// What a flat block's threads are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlatBlock {
    /// Threads of a row: the remainders.
    pub columns: u32,
    /// Rows of a block: the quotients.
    pub rows: u32,
    /// Along which axis of the program's grid blocks have other columns.
    pub of_columns: Dim,
    /// Along which they have other rows.
    pub of_rows: Dim,
}

impl Recasting for FlatBlock {
    fn name(&self) -> &'static str {
        "FlatBlock"
    }

    fn word(&self) -> &'static str {
        "flat blocks"
    }

    fn title(&self) -> Option<&'static str> {
        Some("its flat blocks become blocks of rows")
    }

    fn describe(&self, _: &Kernel) -> String {
        let (of_columns, of_rows) = (self.of_columns.letter(), self.of_rows.letter());
        format!(
            "{} rows of {} threads, the grid's columns along {of_columns}, its rows along {of_rows}",
            self.rows, self.columns
        )
    }

    fn relaunch(&self) -> Option<&dyn Relaunch> {
        Some(self)
    }

    fn block(&self) -> Option<[u32; 3]> {
        Some([self.columns, self.rows, 1])
    }
}
