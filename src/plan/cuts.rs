//! How strips of merged blocks are cut and fetched.

use super::analyses::Analyses;
use super::data::Merge;
use super::extent::MaxBlock;
use super::overlap::Cut;
use crate::machine::tuning::cuts::{
    MERGED_DEPTH, MERGED_STRIPS, SMALL_BLOCK, SMALL_BLOCK_STRIP, WIDE_BLOCKS,
};
use crate::options::Options;

/// The ways of versions for blocks up to one of `max_block`, best first.
pub fn merged(max_block: &[MaxBlock], options: &Options) -> Vec<Cut> {
    let lengths = options.strip.map_or(MERGED_STRIPS.to_vec(), |s| vec![s]);
    let most = match options.depth {
        _ if !options.overlap => 1,
        Some(d) => d,
        None => MERGED_DEPTH,
    };
    let mut cuts = Vec::new();
    for depth in (1..=most).rev() {
        for &length in &lengths {
            cuts.extend(max_block.iter().map(|&max_block| Cut {
                length,
                depth,
                must: false,
                max_block,
                wide: options.width,
                merge: Merge::default(),
                stretch: false,
            }));
        }
    }
    cuts
}

/// The way of the version for small blocks alone; `reads`: the dimensions in which the kernel asks for ids.
/// None: launch bounds allow large ones, the kernel states its blocks itself, or an option says how strips are cut.
pub fn of_small_blocks(f: &Analyses, reads: [bool; 3], options: &Options) -> Option<Cut> {
    let most: u32 = SMALL_BLOCK.iter().product();
    let is_small = f.kernel.is_bounded() && f.kernel.max_threads <= most;
    let states = f.kernel.block_cap.is_some();
    let is_requested = options.strip.is_some() || options.depth.is_some() || !options.overlap;
    (is_small && reads == [true, true, false] && !states && !is_requested).then_some(Cut {
        length: SMALL_BLOCK_STRIP,
        depth: MERGED_DEPTH,
        must: true,
        max_block: MaxBlock(SMALL_BLOCK),
        wide: options.width,
        merge: Merge::default(),
        stretch: false,
    })
}

/// The ways of the version that serves the smallest grids, for wide blocks too, which no other version serves; `reads`:
/// the dimensions in which the kernel asks for ids. None: launch bounds keep blocks from being wide, the kernel states
/// its blocks itself, or an option says how strips are cut.
pub fn of_wide_blocks(f: &Analyses, reads: [bool; 3], options: &Options) -> Vec<Cut> {
    let states = f.kernel.block_cap.is_some();
    let is_requested = options.strip.is_some() || options.depth.is_some() || !options.overlap;
    if reads != [true, true, false] || states || is_requested {
        return Vec::new();
    }
    let may = WIDE_BLOCKS.map(MaxBlock).into_iter();
    let may = may.filter(|c| c.0[0] <= f.kernel.max_threads);
    may.map(|max_block| Cut {
        length: MERGED_STRIPS[0],
        depth: MERGED_DEPTH,
        must: true,
        max_block,
        wide: options.width,
        merge: Merge::default(),
        stretch: false,
    })
    .collect()
}
