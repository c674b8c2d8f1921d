//! Launches that nobody chose: sizes and blocks drawn at random, as users' programs have them.
//!
//! The rows of `[bench]` are what a kernel was tuned on. That it is not slower elsewhere shows only elsewhere.

use crate::bench::{BenchRow, Class, Maker, bytes};
use crate::error::Result;
use crate::fill::SplitMix;

/// Blocks of one dimension, and of two, that programs have.
const ROWS: [[u32; 3]; 6] = [
    [32, 1, 1],
    [64, 1, 1],
    [128, 1, 1],
    [256, 1, 1],
    [512, 1, 1],
    [1024, 1, 1],
];
const SQUARES: [[u32; 3]; 9] = [
    [8, 8, 1],
    [16, 16, 1],
    [32, 32, 1],
    [32, 8, 1],
    [16, 8, 1],
    [32, 4, 1],
    [64, 4, 1],
    [128, 2, 1],
    [8, 32, 1],
];
const CUBES: [[u32; 3]; 3] = [[8, 8, 8], [32, 4, 2], [16, 4, 4]];
/// Sizes up to this are radii, taps and batch counts, drawn up to twice the large one; others are lengths.
const FEW: i64 = 100;
/// The least length that is drawn.
const SHORTEST: f64 = 16.0;
/// Memory that a launch may take.
const MOST_BYTES: u64 = 256 << 20;

/// `count` launches of a kernel; the same for the same `seed`.
pub fn draw(maker: &Maker, seed: u64, count: u32) -> Result<Vec<BenchRow>> {
    let mut random = SplitMix::named(maker.raw.kernel.get_ref());
    random.mix(seed);
    let blocks = blocks(maker.raw.launch.blocks.get_ref());
    let mut rows: Vec<BenchRow> = Vec::new();
    for _ in 0..count {
        let block = blocks[random.below(blocks.len())];
        let mut sizes = maker.large.clone();
        for (_, size) in &mut sizes {
            *size = length(&mut random, *size);
        }
        let mut row = maker.row(Class::Drawn, &sizes, block)?;
        while bytes(&row.case) > MOST_BYTES {
            let longest = sizes.iter_mut().max_by_key(|(_, s)| *s);
            let Some((_, size)) = longest.filter(|(_, s)| *s > 1) else {
                break;
            };
            *size /= 2;
            row = maker.row(Class::Drawn, &sizes, block)?;
        }
        if !rows.iter().any(|r| r.case.label == row.case.label) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// The blocks that a kernel may have: any, if one of the header's divides into no warps; else the header's.
fn blocks(listed: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let any = (listed.iter()).any(|b| b.iter().product::<u32>() % 32 > 0);
    let is = |d: usize| listed.iter().any(|b| b[d] > 1);
    match (is(1), is(2)) {
        _ if !any => listed.to_vec(),
        (_, true) => CUBES.to_vec(),
        (true, _) => SQUARES.to_vec(),
        _ => ROWS.to_vec(),
    }
}

/// A size in place of `large`, evenly on a logarithmic scale; half of the long ones divide by 32.
fn length(random: &mut SplitMix, large: i64) -> i64 {
    let (least, most) = match large <= FEW {
        true => (1.0, 2.0 * large as f64),
        false => (SHORTEST, large as f64),
    };
    let drawn = (least * (most / least).powf(random.unit())).round() as i64;
    match large > FEW && random.below(2) == 0 {
        true => (drawn / 32 * 32).max(32),
        false => drawn.max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_stay_in_their_range() {
        let mut random = SplitMix::named("x");
        for large in [1, 3, 64, 101, 4096, 1 << 24] {
            for _ in 0..100 {
                let size = length(&mut random, large);
                assert!(
                    (1..=large.max(FEW) * 2).contains(&size),
                    "{size} of {large}"
                );
            }
        }
    }

    #[test]
    fn only_blocks_that_the_kernel_may_have() {
        assert_eq!(blocks(&[[16, 16, 1]]), [[16, 16, 1]]);
        assert_eq!(blocks(&[[16, 16, 1], [7, 5, 1]]), SQUARES);
        assert_eq!(blocks(&[[256, 1, 1], [33, 1, 1]]), ROWS);
        assert_eq!(blocks(&[[8, 8, 4], [5, 3, 2]]), CUBES);
    }
}
