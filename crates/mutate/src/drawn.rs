//! Launches of a corpus kernel that are drawn by a fixed rule, for functions that make others of them.

use anyhow::{Context as _, Result};
use mesi_launch::Size;

use crate::host_launches::Shape;
use crate::relaunched::{Relaunched, Tried, drawn};

/// Launches of each kernel that are tried.
const TRIED: u64 = 20_000;
/// Most ids that a launch has along a dimension.
pub const MOST: i128 = i32::MAX as i128;
/// Most rows and layers of a grid.
pub const MOST_ROWS: i128 = 65_535;

/// What launches are drawn from.
pub struct Choices {
    /// Scalars behind the kernel's arrays.
    pub scalars: &'static [i64],
    /// Threads of a block.
    pub blocks: &'static [[u32; 3]],
    /// Blocks.
    pub grids: &'static [[u32; 3]],
}

/// A launch: its scalars, block and grid.
pub struct Launch {
    /// What was drawn for each scalar, of which it has the lowest bits.
    pub scalars: Vec<i64>,
    /// Block and grid.
    pub own: Shape,
}

/// Numbers below what is asked for.
pub type Draw<'a> = &'a mut dyn FnMut(usize) -> usize;

/// Launches that the function of `subject`, given as text, makes others of than it should; and how many it makes until
/// then. `change` may make another launch of what was drawn, with the bits of each scalar; `wants` says what is to be
/// made of one.
pub fn wrong(
    (subject, text): (&Relaunched, &str),
    from: &Choices,
    change: impl Fn(&mut Launch, &[usize], Draw),
    wants: impl Fn(&Launch) -> Option<Shape>,
) -> Result<(Vec<String>, usize)> {
    let mut cases = subject.corpus.cases(Size::Small).into_iter();
    let case = cases.next().context("no case")?;
    let arrays = case.buffers.len();
    let scalars = case.args[arrays..].iter();
    let bits: Vec<usize> = scalars.map(|a| 8 * a.bytes(&|_: usize| 0).len()).collect();
    let values = subject.values()?;
    let mut draw = drawn();
    let launches = (0..TRIED).map(|_| {
        let scalars = bits
            .iter()
            .map(|_| from.scalars[draw(from.scalars.len())])
            .collect();
        let block = from.blocks[draw(from.blocks.len())];
        let own = [block, from.grids[draw(from.grids.len())]];
        let mut launch = Launch { scalars, own };
        change(&mut launch, &bits, &mut draw);
        let mut values = values.clone();
        for (v, s) in values[arrays..].iter_mut().zip(&launch.scalars) {
            v[..8].copy_from_slice(&s.to_le_bytes());
        }
        Tried {
            values,
            own: launch.own,
            wants: wants(&launch),
            told: launch.scalars,
        }
    });
    subject.wrong(text, launches)
}

/// Leaves a launch as it was drawn.
pub fn unchanged(_: &mut Launch, _: &[usize], _: Draw) {}

/// Threads of a block's row where so many are asked for: a warp, or fewer.
pub fn row(count: i128) -> i128 {
    [32, 16].into_iter().find(|n| count >= *n).unwrap_or(8)
}

/// Blocks of `each` for all of `count`.
pub fn over(count: i128, each: i128) -> i128 {
    (count + each - 1) / each
}

/// Block and grid, of numbers that fit.
pub fn shape(block: [i128; 3], grid: [i128; 3]) -> Shape {
    [block, grid].map(|of| of.map(|n| n as u32))
}
