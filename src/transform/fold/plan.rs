//! A folded kernel, as plain data.

use crate::choice::Relaunch;
use crate::kernel::{Dim, Kernel, ValueId};
use crate::machine::target::WARP;
use crate::machine::tuning::fold::THREADS;
use crate::number::Number;
use crate::transform::way::Recasting;

/// How a kernel's flattened id is taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Lengths of the inner dimensions, innermost first: one at least. The outermost has what is left.
    pub lengths: Vec<Number>,
    /// Which dimensions lie along x and y of the launch; the others lie along z, inner ones first.
    pub axes: [usize; 2],
    /// How many ids are of use, from 0 on; `None`: all that are launched.
    pub limit: Option<Number>,
    /// What each decoded value of the kernel is.
    pub parts: Vec<(ValueId, Part)>,
    /// The axis of the program's grid, besides x, along which the kernel asks for its block's number: the outermost
    /// layers.
    pub outer: Option<Dim>,
    /// Where ids are numbers of elements of a spread loop (`transform::spread`): how many a thread of the program's
    /// launch has in a row.
    pub run: Option<u32>,
}

/// The axes of a launch whose dimensions lie in their order.
pub fn in_order() -> [usize; 2] {
    [0, 1]
}

/// A part of the id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The number that some dimensions have together: `id / n % m`, where `n` is the product of the lengths below
    /// `from`, and `m` of those from there up to `to`, without which the last has no end.
    Dimensions {
        /// The innermost.
        from: usize,
        /// The first beyond.
        to: usize,
    },
    /// `id - id % n`, as `id & -n` of a power of two: where a row of the innermost dimension begins.
    Begin,
}

impl Fold {
    /// Whether x and y are dimensions out of their order: elements are moved from one to the other, in square tiles.
    pub fn is_across(&self) -> bool {
        self.axes != in_order()
    }

    /// Whether some dimensions are neither along x nor along y, and others than the last are.
    pub fn has_layers(&self) -> bool {
        self.is_across() || self.layers().len() > 1
    }

    /// The outermost dimension.
    pub fn last(&self) -> usize {
        self.lengths.len()
    }

    /// Those along z, inner ones first.
    pub fn layers(&self) -> Vec<usize> {
        let all = 0..=self.last();
        all.filter(|d| !self.axes.contains(d)).collect()
    }

    /// How many threads of use there are along the axis of the outermost dimension; `None`: nothing tells.
    pub fn threads_of_last(&self) -> Option<Number> {
        let all = self.limit.clone()?;
        let inner = |d: &usize| match self.axes.contains(&self.last()) {
            true => *d < self.last(),
            false => self.axes.contains(d),
        };
        let others = (0..self.last()).filter(inner);
        Some(others.fold(all, |n, d| n.over(&self.lengths[d])))
    }

    /// How many layers there are that the id is made of; `None`: nothing tells, or the id has none.
    pub fn count_of_layers(&self) -> Option<Number> {
        let layers = self.layers();
        let of = |d: &usize| match *d == self.last() {
            true => self.threads_of_last(),
            false => Some(self.lengths[*d].clone()),
        };
        let all: Option<Vec<Number>> = layers.iter().map(of).collect();
        all.filter(|n| !n.is_empty()).map(|n| product(&n))
    }

    /// Along which axes of its launch threads beyond the last end at once: where the copy tests a length, or the limit.
    pub fn ends(&self) -> [bool; 3] {
        let ends = |d: usize| d < self.last() || self.limit.is_some();
        let [x, y] = self.axes.map(ends);
        let of_last = self.layers() == [self.last()] && self.outer.is_none();
        [x, y, of_last && ends(self.last())]
    }

    /// All that it is made of.
    pub fn numbers(&self) -> impl Iterator<Item = &Number> {
        self.lengths.iter().chain(&self.limit)
    }

    /// How many ids there are to one of dimension `d`.
    pub fn below(&self, d: usize) -> Number {
        product(&self.lengths[..d])
    }
}

/// All lengths multiplied.
pub fn product(lengths: &[Number]) -> Number {
    let one = Number::constant(1);
    lengths.iter().fold(one, |p, n| p.times(n))
}

impl Fold {
    /// The same of the elements of a spread loop, a thread's `run` in a row, as a launch of the kernel is: lengths in
    /// values of that, without parts. `None`: it has no such values.
    pub fn of_elements(
        &self,
        origin: &dyn Fn(ValueId) -> Option<ValueId>,
        run: u32,
    ) -> Option<Fold> {
        // The host needs no more than how many lie along each axis.
        let lengths = self.lengths.iter().take(2).map(|n| n.renamed(origin));
        Some(Fold {
            lengths: lengths.collect::<Option<_>>()?,
            axes: in_order(),
            limit: Some(self.limit.as_ref()?.renamed(origin)?),
            parts: Vec::new(),
            outer: None,
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

    fn block(&self) -> Option<[u32; 3]> {
        self.is_across().then_some([WARP, THREADS / WARP, 1])
    }

    fn may_round_up(&self) -> [bool; 3] {
        self.ends()
    }

    fn describe(&self, kernel: &Kernel) -> String {
        let lengths: Vec<String> = self.lengths.iter().map(|n| n.describe(kernel)).collect();
        let many = match &self.limit {
            Some(limit) => format!("{} of them", limit.describe(kernel)),
            None => "as many as are launched".into(),
        };
        let outer = self
            .outer
            .map(|d| format!(", for each blockIdx.{}", d.letter()));
        let many = format!("{many}{}", outer.unwrap_or_default());
        if self.is_across() {
            let [x, y] = self.axes.map(|d| d + 1);
            let inner = lengths.join(", ");
            return format!("dimensions of {inner}, {many}: along x the {x}., along y the {y}.");
        }
        let planes = lengths.get(1).map(|m| format!(", planes of {m} rows"));
        format!(
            "rows of {}{}, {many}",
            lengths[0],
            planes.unwrap_or_default()
        )
    }
}
