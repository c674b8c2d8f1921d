//! Which strips are fetched while others are used, how many at a time, and in what transactions.
//!
//! ```text
//! depth 1    copy 0; barrier; use 0; barrier; copy 1; barrier; use 1; …
//! depth 3    copies of 0, 1 begin;  wait 0; barrier; copy of 2 begins; use 0;
//!                                   wait 1; barrier; copy of 3 begins; use 1; …
//! ```
//! A strip's copy may begin early only if it depends on nothing that happens in between, and if the
//! box it copies is the same for every strip, moved on: then what each thread copies is worked out
//! once, before the first strip. A region that is more complicated keeps depth 1, with the reason
//! in the plan's text. That is no refusal: its arrays are staged all the same. What a tile says of that comes with its
//! draft (`tile`).
//!
//! Which depth pays is [`cuts`]' matter: a table of what was measured, until a model searches.

use super::analyses::Analyses;
use super::data::{Merge, PipelineMode, Prospect, Trait};
use super::extent::MaxBlock;
use crate::machine::tuning::overlap::{OFTEN, ONCE, STRIPS};
use crate::options::Options;
use crate::tree::{LoopId, Node};

/// The oldest chip with asynchronous copies.
pub const ASYNC_SM: u32 = 80;
/// The widest copy, in bytes, and the alignment of tiles and slots.
const WIDEST: u32 = 16;

/// One way to cut loops into strips and to fetch them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Iterations per strip.
    pub length: u32,
    /// Slots of each tile, where the region allows it.
    pub depth: u32,
    /// Whether a layout in which some region must do with one slot is no good.
    pub must: bool,
    /// The largest block shape served.
    pub max_block: MaxBlock,
    /// Whether transactions may be wider than an element.
    pub wide: bool,
    /// Blocks that one does the work of.
    pub merge: Merge,
    /// Whether smaller blocks get longer strips of rows, `length` being that of the largest.
    pub stretch: bool,
}

/// The cuts to try, best first where the reuse of what fits is equal.
pub fn cuts(f: &Analyses, all: &[Prospect], blocks: &[MaxBlock], options: &Options) -> Vec<Cut> {
    let wanted = if options.overlap {
        options.depth
    } else {
        Some(1)
    };
    let lengths = options.strip.map_or(STRIPS.to_vec(), |s| vec![s]);
    let wide = options.width;
    let mut out = Vec::new();
    if wanted.is_none() {
        let choice = choose(f, all, blocks).filter(|c| lengths.contains(&c.length));
        let choice = choice.map(|c| Cut { wide, ..c });
        out.extend(choice.filter(|c| c.stretch && wide && options.strip.is_none()));
        out.extend(choice.map(|c| Cut {
            stretch: false,
            ..c
        }));
    }
    for depth in (1..=wanted.unwrap_or(1)).rev() {
        for &length in &lengths {
            out.extend(blocks.iter().map(|&max_block| Cut {
                length,
                depth,
                must: false,
                max_block,
                wide,
                merge: Merge::default(),
                stretch: false,
            }));
        }
    }
    out
}

/// What measured best on an H200 for the kind of loop that `candidates` make; `None`: one slot.
///
/// Blocks are not known to be small unless something says so; then a row walk has room for longer
/// strips and more of them.
fn choose(f: &Analyses, candidates: &[Prospect], max_block: &[MaxBlock]) -> Option<Cut> {
    // Where some loops' strips are written back and others' are not, those are worth it alone.
    let written = |c: &Prospect| c.is(Trait::WrittenBack) && !c.is(Trait::OnlyStores);
    let waits = |l: LoopId| (candidates.iter()).any(|c| c.place.1 == Some(l) && written(c));
    let some_fly = candidates
        .iter()
        .filter_map(|c| c.place.1)
        .any(|l| !waits(l));
    let cut = |length, depth, max_block| {
        let (must, wide) = (!(some_fly && candidates.iter().any(written)), true);
        Some(Cut {
            length,
            depth,
            must,
            max_block,
            wide,
            merge: Merge::default(),
            stretch: false,
        })
    };
    let strips: Vec<&Prospect> = candidates.iter().filter(|c| c.in_strips()).collect();
    // What stands outside of loops is copied once, and little.
    let once = |c: &&Prospect| !c.in_strips() && matches!(f.tree.node(c.place.0), Node::Seq(_));
    let others = candidates.iter().filter(once).count();
    if f.kernel.sm < ASYNC_SM || strips.is_empty() || strips.len() + others < candidates.len() {
        return None;
    }
    let moved: Vec<&&Prospect> = strips.iter().filter(|c| c.reuse >= OFTEN).collect();
    if moved.len() == strips.len() {
        let products = moved.iter().filter(|c| along_threads(c).is_some()).count();
        return if products > 1 {
            cut(16, 2, max_block[0])
        } else {
            None
        };
    }
    let once = strips.iter().filter(|c| c.reuse < ONCE);
    let directions: Vec<bool> = once.filter_map(|c| along_threads(c)).collect();
    let known = f.kernel.block_cap.map(|b| b.iter().product::<u32>());
    let row = MaxBlock([256.min(f.kernel.max_threads), 1, 1]);
    match (directions.first()?, known) {
        (true, Some(_)) => cut(8, 4, max_block[0]),
        (true, None) => cut(8, 4, row),
        (false, Some(n)) if n <= 64 => cut(32, 4, max_block[0]),
        (false, Some(n)) if n <= 128 => cut(16, 4, max_block[0]),
        (false, Some(_)) => cut(8, 3, max_block[0]),
        (false, None) => cut(8, 3, row).map(|c| Cut {
            stretch: candidates.iter().all(grows),
            ..c
        }),
    }
}

/// Whether a tile holds rows walked by their own threads, or what all threads share. Rows walked
/// backwards are not read several cells at a time: with more of them under way a sum of 3841 per row
/// fell from x1.03 to x0.82 on an H200.
fn grows(c: &Prospect) -> bool {
    !c.is(Trait::Coalesced)
        && c.size >= crate::machine::tuning::stretch::LEAST_UNIT
        && !c.is(Trait::Backwards)
}

/// Whether neighbouring threads read neighbouring elements (else, rows apart); `None` if a
/// candidate does not depend on `threadIdx`.
fn along_threads(c: &Prospect) -> Option<bool> {
    let coalesced = c.is(Trait::Coalesced);
    (coalesced || c.is(Trait::Strided)).then_some(coalesced)
}

/// How strips are fetched with more than one slot on the chip of this kernel, and how many slots
/// that may take.
pub fn pipeline(f: &Analyses, depth: u32) -> (PipelineMode, u32) {
    if f.kernel.sm >= ASYNC_SM {
        (PipelineMode::Async, depth)
    } else {
        (PipelineMode::Registers, depth.min(2))
    }
}

/// Cells of a row of the innermost dimension so that every row begins aligned for the widest copy.
pub fn aligned_row(cells: i64, unit: u32) -> i64 {
    let per_transaction = i64::from((WIDEST / unit).max(1));
    (cells + per_transaction - 1) / per_transaction * per_transaction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_rounded_up_to_whole_transactions() {
        assert_eq!(aligned_row(36, 4), 36);
        assert_eq!(aligned_row(37, 4), 40);
        assert_eq!(aligned_row(3, 8), 4);
        assert_eq!(aligned_row(5, 16), 5);
        assert_eq!(aligned_row(17, 1), 32);
    }
}
