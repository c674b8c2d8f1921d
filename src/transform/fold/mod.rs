//! Fold: flattened ids taken apart into the dimensions that they are made of.
//!
//! ```text
//! id = blockIdx.x * blockDim.x + threadIdx.x            x = …x, y = …y      of a launch in two dimensions
//! if (id >= n * m) return;                         ──►  if (x >= n) return;  if (y >= m) return;
//! row = id / n;  col = id % n;                          row = y;  col = x
//! c[id] = …                                             c[y * n + x] = …
//! ```
//! By `id = n * (id / n) + id % n` (seed 2.2, logical to physical thread mapping; IJNC 5(2) 2015) the threads of a
//! launch along x are those of a launch in two or three dimensions, and each decoded value is a thread's own number. A
//! copy of the kernel is written so, and that copy is planned as any kernel is: its indices are affine, so its arrays
//! can be staged and its blocks merged. Its versions are versions of the user's kernel. The host launches them with
//! other numbers, which a function beside the gate works out from the program's launch (`emit_launch.rs`).
//!
//! Sound where which block a thread is in cannot be told and threads have nothing to do with each other
//! (`plan::is_free`), as for blocks of other sizes. All lengths are made of the kernel's arguments: the host tests that
//! each is positive, that none of their products goes beyond 31 bits, and that the program launches at least the
//! threads that are of use. What it may launch besides ends at once: behind the limit of the first branch
//! (`plan/active_bound.rs`) in the kernel, at a length in the copy.
//!
//! Not done: limits that include the last id, lengths read from memory, kernels that several files may have, loops by
//! the grid's size.

mod emit;
mod emit_launch;
mod legality;

use super::way::Recasting;
use crate::choice::Relaunch;
use crate::kernel::{Kernel, ValueId};
use crate::machine::tuning::fold::{SHORTEST, THREADS};
use crate::number::Number;

pub use emit::emit;
pub use legality::find;

/// How a kernel's flattened id is taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Lengths of the inner dimensions, x first: one or two. The outermost has what is left.
    pub lengths: Vec<Number>,
    /// How many ids are of use, from 0 on; `None`: all that are launched.
    pub limit: Option<Number>,
    /// What each decoded value of the kernel is.
    pub parts: Vec<(ValueId, Part)>,
    /// Where ids are numbers of elements of a spread loop (`transform::spread`): how many a thread of the program's
    /// launch has in a row.
    pub run: Option<u32>,
}

/// A part of the id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// All of it.
    Id,
    /// `id % n`.
    X,
    /// `id / n % m`; of two dimensions `id / n`.
    Y,
    /// `id / (n * m)`.
    Z,
    /// `id / n` of three dimensions.
    Rows,
    /// `id % (n * m)` of three dimensions.
    Plane,
    /// `id - id % n`, as `id & -n` of a power of two: where a row begins.
    Begin,
}

impl Fold {
    /// How far an index of the outermost dimension goes: its length times all inner ones is the limit.
    pub fn outermost(&self) -> Option<Number> {
        let limit = self.limit.clone()?;
        Some(self.lengths.iter().fold(limit, |l, n| l.over(n)))
    }

    /// How many ids there are to one of the outermost dimension.
    pub fn inner(&self) -> Number {
        let one = Number::constant(1);
        self.lengths.iter().fold(one, |p, n| p.times(n))
    }
}

impl Fold {
    /// The same of the elements of a spread loop, a thread's `run` in a row, as a launch of the kernel is: lengths in
    /// values of that, without parts. `None`: it has no such values.
    pub fn of_elements(
        &self,
        origin: &dyn Fn(ValueId) -> Option<ValueId>,
        run: u32,
    ) -> Option<Fold> {
        let lengths = self.lengths.iter().map(|n| n.renamed(origin));
        Some(Fold {
            lengths: lengths.collect::<Option<_>>()?,
            limit: Some(self.limit.as_ref()?.renamed(origin)?),
            parts: Vec::new(),
            run: Some(run),
        })
    }
}

impl Recasting for Fold {
    fn name(&self) -> &'static str {
        "Fold"
    }

    fn word(&self) -> &'static str {
        "folded"
    }

    fn title(&self) -> Option<&'static str> {
        Some("its flattened ids are taken apart")
    }

    fn relaunch(&self) -> Option<&dyn Relaunch> {
        Some(self)
    }

    fn describe(&self, kernel: &Kernel) -> String {
        let lengths: Vec<String> = self.lengths.iter().map(|n| n.describe(kernel)).collect();
        let many = match &self.limit {
            Some(limit) => format!("{} of them", limit.describe(kernel)),
            None => "as many as are launched".into(),
        };
        let planes = lengths.get(1).map(|m| format!(", planes of {m} rows"));
        format!(
            "rows of {}{}, {many}",
            lengths[0],
            planes.unwrap_or_default()
        )
    }
}
