//! A folded kernel, as plain data.

use crate::choice::Relaunch;
use crate::kernel::{Kernel, ValueId};
use crate::number::Number;
use crate::transform::way::Recasting;

/// How a kernel's flattened id is taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Lengths of the inner dimensions, x first: one or two. The outermost has what is left.
    pub lengths: Vec<Number>,
    /// How many ids are of use, from 0 on; `None`: all that are launched.
    pub limit: Option<Number>,
    /// What each decoded value of the kernel is.
    pub parts: Vec<(ValueId, Part)>,
    /// What else the third dimension is taken apart into.
    pub digits: Vec<Digit>,
    /// Where ids are numbers of elements of a spread loop (`transform::spread`): how many a thread of the program's
    /// launch has in a row.
    pub run: Option<u32>,
}

/// `n / over % length`, without the last where there is no length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digit {
    /// How many of `n` it has one for.
    pub over: Number,
    /// From where on it is 0 again.
    pub length: Option<Number>,
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
    /// A digit of `id / (n * m)`, by its number.
    Digit(usize),
    /// `id - id % n`, as `id & -n` of a power of two: where a row begins.
    Begin,
}

impl Fold {
    /// How far an index of the outermost dimension goes: its length times all inner ones is the limit.
    pub fn outermost(&self) -> Option<Number> {
        let limit = self.limit.clone()?;
        Some(self.lengths.iter().fold(limit, |l, n| l.over(n)))
    }

    /// Along which axes of its launch threads beyond the last end at once: where the copy tests a length, or the limit.
    pub fn ends(&self) -> [bool; 3] {
        let tested = [true, self.lengths.len() > 1, false];
        let outermost = self.lengths.len();
        [0, 1, 2].map(|d| tested[d] || d == outermost && self.limit.is_some())
    }

    /// What the third dimension is divided by.
    pub fn divisors(&self) -> impl Iterator<Item = &Number> {
        let all = self.digits.iter();
        all.flat_map(|d| std::iter::once(&d.over).chain(&d.length))
    }

    /// All that it is made of.
    pub fn numbers(&self) -> impl Iterator<Item = &Number> {
        let lengths = self.lengths.iter().chain(&self.limit);
        lengths.chain(self.divisors())
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
            digits: Vec::new(),
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
