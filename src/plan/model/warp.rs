//! What one warp's access costs: lines of L1, sectors of L2, wavefronts of shared memory.
//!
//! The threads of a warp are consecutive in the block's linear order. A request of up to 4 bytes a
//! thread is served for the whole warp at once, one of 8 by half warps, one of 16 by quarters. Of
//! each part, global memory takes one cycle of the load-store unit per 128-byte line touched, and
//! shared memory one per word of the bank that is asked most often. Both measured: on the corpus'
//! row walks (32 lines a warp) and products this predicts the naive kernels' time within 10%.

use std::cell::RefCell;

use crate::map::HashMap;

/// Bytes of a line of L1, on every target.
pub const LINE: f64 = 128.0;
/// Bytes of a sector.
pub const SECTOR: f64 = crate::machine::target::SECTOR as f64;
/// Banks of shared memory, 4 bytes wide.
const BANKS: i64 = 32;

/// Bytes per step of each thread index.
pub type Steps = [f64; 3];

const WARP: usize = crate::machine::target::WARP as usize;

/// A warp's request to global memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Request {
    /// Cycles of the load-store unit.
    pub lines: f64,
    /// Distinct sectors.
    pub sectors: f64,
}

/// Offsets in bytes of the threads of a block's first warp.
struct Offsets {
    all: [i64; WARP],
    count: usize,
    /// Threads that are served together.
    part: usize,
}

impl Offsets {
    fn of(block: [f64; 3], steps: Steps, size: f64) -> Offsets {
        let [x, y, _] = block.map(|b| b.max(1.0) as u64);
        let threads = block.iter().map(|b| b.max(1.0)).product::<f64>() as u64;
        let at = |n: u64| [(n % x) as f64, (n / x % y) as f64, (n / x / y) as f64];
        let offset = |t: [f64; 3]| (0..3).map(|d| t[d] * steps[d]).sum::<f64>() as i64;
        let mut all = [0; WARP];
        let count = threads.min(WARP as u64);
        (0..count).for_each(|n| all[n as usize] = offset(at(n)));
        Offsets {
            all,
            count: count as usize,
            part: ((128.0 / size.max(4.0)) as usize).clamp(1, WARP),
        }
    }

    fn all(&self) -> &[i64] {
        &self.all[..self.count]
    }

    /// Those that are served together.
    fn parts(&self) -> impl Iterator<Item = &[i64]> {
        self.all().chunks(self.part)
    }
}

/// The offsets in ascending order.
fn sorted(offsets: &[i64]) -> impl Iterator<Item = i64> {
    let mut all = [0; WARP];
    let count = offsets.len();
    all[..count].copy_from_slice(offsets);
    all[..count].sort_unstable();
    all.into_iter().take(count)
}

/// Distinct values of `offset / unit` for accesses of `size` bytes.
fn distinct(offsets: &[i64], size: f64, unit: f64) -> usize {
    let (size, unit) = (size as i64, unit as i64);
    let (mut count, mut next) = (0, i64::MIN);
    for o in sorted(offsets) {
        let (first, last) = (o.div_euclid(unit), (o + size - 1).div_euclid(unit));
        count += (last + 1 - first.max(next)).max(0);
        next = next.max(last + 1);
    }
    count as usize
}

/// Lines that one part touches. What lies together counts by its length: where it begins in a line
/// was found not to matter (a moving average's windows take 1.3 cycles, not 2, corpus `mavg`).
fn lines(part: &[i64], size: f64) -> f64 {
    let (line, size) = (LINE as i64, size as i64);
    let mut sum = 0;
    let mut run: Option<(i64, i64)> = None;
    for o in sorted(part) {
        run = match run {
            Some((from, to)) if o - to < line - size => Some((from, to.max(o + size))),
            before => {
                sum += before.map_or(0, |(from, to)| (to - from + line - 1) / line);
                Some((o, o + size))
            }
        };
    }
    sum += run.map_or(0, |(from, to)| (to - from + line - 1) / line);
    sum as f64
}

/// Answers remembered at most: those of a few kernels.
const ROOM: usize = 4096;

/// What is asked, and what was answered, by the bits of that.
type Query = ([f64; 3], Steps, f64);
type Known<T> = RefCell<HashMap<[u64; 7], T>>;

thread_local! {
    /// Versions and reference launches of a kernel put the same few questions some thousand times. The answers hang on
    /// nothing else.
    static REQUESTS: Known<Request> = Known::default();
    static WAVEFRONTS: Known<f64> = Known::default();
}

/// What `answer` says, or has said.
fn ask<T: Copy>(known: &Known<T>, query: Query, answer: fn(Query) -> T) -> T {
    let ([x, y, z], [i, j, k], size) = query;
    let key = [x, y, z, i, j, k, size].map(f64::to_bits);
    let mut known = known.borrow_mut();
    if known.len() >= ROOM {
        *known = HashMap::default();
    }
    *known.entry(key).or_insert_with(|| answer(query))
}

/// A warp's access to global memory of `size` bytes a thread, `steps` bytes per thread index.
pub fn global(block: [f64; 3], steps: Steps, size: f64) -> Request {
    REQUESTS.with(|known| ask(known, (block, steps, size), count))
}

fn count((block, steps, size): Query) -> Request {
    let offsets = Offsets::of(block, steps, size);
    Request {
        lines: offsets.parts().map(|p| lines(p, size)).sum(),
        sectors: distinct(offsets.all(), size, SECTOR) as f64,
    }
}

/// A warp's access to an address that is not known: each thread elsewhere.
pub fn scattered() -> Request {
    Request {
        lines: 32.0,
        sectors: 32.0,
    }
}

/// Wavefronts of a warp's access to shared memory, `size` bytes a thread.
pub fn shared(block: [f64; 3], steps: Steps, size: f64) -> f64 {
    WAVEFRONTS.with(|known| ask(known, (block, steps, size), wavefronts))
}

fn wavefronts((block, steps, size): Query) -> f64 {
    let of = |part: &&[i64]| {
        let words = |o: &i64| o.div_euclid(4)..=(o + size as i64 - 1).div_euclid(4);
        let mut all: Vec<i64> = part.iter().flat_map(words).collect();
        all.sort_unstable();
        all.dedup();
        let mut wanted = [0usize; BANKS as usize];
        all.iter()
            .for_each(|w| wanted[w.rem_euclid(BANKS) as usize] += 1);
        wanted.into_iter().max().unwrap_or(0).max(1)
    };
    let offsets = Offsets::of(block, steps, size);
    let mut parts: Vec<&[i64]> = offsets.parts().collect();
    if size == 8.0 {
        // Half warps that read the same words are served together: a product of doubles takes 3.7
        // wavefronts an iteration, and would take 4.5 (corpus `mm_double`, H200).
        parts.dedup();
    }
    parts.iter().map(of).sum::<usize>() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: [f64; 3] = [256.0, 1.0, 1.0];
    const SQUARE: [f64; 3] = [16.0, 16.0, 1.0];

    #[test]
    fn coalesced_broadcast_and_row_walk() {
        let of = |steps| global(ROW, steps, 4.0);
        assert_eq!(
            of([4.0, 0.0, 0.0]),
            Request {
                lines: 1.0,
                sectors: 4.0
            }
        );
        assert_eq!(
            of([0.0, 0.0, 0.0]),
            Request {
                lines: 1.0,
                sectors: 1.0
            }
        );
        assert_eq!(
            of([4096.0, 0.0, 0.0]),
            Request {
                lines: 32.0,
                sectors: 32.0
            }
        );
    }

    #[test]
    fn two_rows_of_a_square_block() {
        // a[row*n + k] and b[k*n + col] of a product: two broadcasts, and half a line twice.
        assert_eq!(global(SQUARE, [0.0, 8192.0, 0.0], 4.0).lines, 2.0);
        assert_eq!(global(SQUARE, [4.0, 0.0, 0.0], 4.0).lines, 1.0);
    }

    #[test]
    fn doubles_are_served_by_half_warps() {
        assert_eq!(global(ROW, [8.0, 0.0, 0.0], 8.0).lines, 2.0);
        assert_eq!(global(ROW, [8192.0, 0.0, 0.0], 8.0).lines, 32.0);
    }

    #[test]
    fn padding_frees_the_banks() {
        let column = |pitch: f64, size| shared(ROW, [pitch * 4.0, 0.0, 0.0], size);
        assert_eq!(column(32.0, 4.0), 32.0, "one bank");
        assert_eq!(column(33.0, 4.0), 1.0);
        assert_eq!(column(36.0, 4.0), 4.0);
        // 16 bytes at a time: four wavefronts for four elements, the best there is.
        assert_eq!(column(36.0, 16.0), 4.0);
    }
}
