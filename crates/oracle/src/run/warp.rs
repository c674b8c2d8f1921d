//! Warp operations: each lane leaves its operands and waits; when all lanes of the mask are there, all get results.

use super::Runtime;
use super::thread::{Wait, WarpKind, WarpOp};
use crate::report::Defect;

/// Lanes of a warp.
pub const LANES: u32 = 32;

type Lanes = [Option<WarpOp>; LANES as usize];

impl Runtime {
    /// Completes every warp operation whose lanes are all there. Whether any was.
    pub fn warps_release(&mut self) -> bool {
        let warps = (self.threads.len() as u32).div_ceil(LANES);
        let released: Vec<u32> = (0..warps).filter(|warp| self.warp_release(*warp)).collect();
        !released.is_empty()
    }

    /// As `warps_release`, for one warp.
    pub fn warp_release(&mut self, warp: u32) -> bool {
        let (lanes, live) = self.warp_lanes(warp);
        let mut done = 0_u32;
        let mut any = false;
        for lane in 0..LANES {
            let Some(op) = lanes[lane as usize].filter(|_| done & (1 << lane) == 0) else {
                continue;
            };
            if op.kind == WarpKind::Active {
                continue;
            }
            let wanted = op.mask & live;
            let here = (0..LANES)
                .filter(|l| {
                    lanes[*l as usize].is_some_and(|o| o.kind == op.kind && o.mask == op.mask)
                })
                .fold(0, |m, l| m | 1 << l);
            if wanted & !here == 0 {
                self.complete(warp, &lanes, here & (wanted | 1 << lane));
                done |= here;
                any = true;
            }
        }
        any
    }

    /// Nothing else can run: `activemask` sees the lanes that are at the same place. Whether any was there.
    pub fn active_release(&mut self) -> bool {
        let mut any = false;
        for warp in 0..(self.threads.len() as u32).div_ceil(LANES) {
            let (lanes, _) = self.warp_lanes(warp);
            let mut done = 0_u32;
            for lane in 0..LANES {
                let Some(op) = lanes[lane as usize]
                    .filter(|o| o.kind == WarpKind::Active && done & (1 << lane) == 0)
                else {
                    continue;
                };
                let same = |o: WarpOp| o.kind == op.kind && o.site == op.site;
                let group = (0..LANES)
                    .filter(|l| lanes[*l as usize].is_some_and(same))
                    .fold(0, |m, l| m | 1 << l);
                done |= group;
                any = true;
                for l in (0..LANES).filter(|l| group & (1 << l) != 0) {
                    self.wake(warp * LANES + l, u64::from(group));
                }
            }
        }
        any
    }

    fn warp_lanes(&self, warp: u32) -> (Lanes, u32) {
        let (mut lanes, mut live) = ([None; LANES as usize], 0);
        let first = (warp * LANES) as usize;
        for (lane, thread) in self
            .threads
            .iter()
            .skip(first)
            .take(LANES as usize)
            .enumerate()
        {
            if thread.wait != Wait::Done {
                live |= 1 << lane;
            }
            if let Wait::Warp(op) = thread.wait {
                lanes[lane] = Some(op);
            }
        }
        (lanes, live)
    }

    fn wake(&mut self, thread: u32, result: u64) {
        let thread = &mut self.threads[thread as usize];
        thread.result = result;
        thread.wait = Wait::Ready;
    }

    fn complete(&mut self, warp: u32, lanes: &Lanes, here: u32) {
        let present: Vec<u32> = (0..LANES).filter(|l| here & (1 << l) != 0).collect();
        if let Some(op) = lanes[present[0] as usize].filter(|o| o.kind == WarpKind::Mma) {
            self.multiply(warp, op.select, &present);
        }
        if let Some(op) = lanes[present[0] as usize].filter(|o| o.kind == WarpKind::MmaDoubles) {
            self.multiply_doubles(warp, op.select != 0, &present);
        }
        let results: Vec<u64> = present
            .iter()
            .map(|lane| result(lanes, here, *lane))
            .collect();
        for (lane, result) in present.iter().zip(results) {
            let op = lanes[*lane as usize].expect("present lanes wait");
            if op.mask & (1 << lane) == 0 {
                let (thread, tid) = (self.thread, self.current.tid);
                (self.thread, self.current.tid) =
                    (warp * LANES + lane, self.peer(warp * LANES + lane).thread);
                self.report(Defect::WarpDivergence, op.site, || {
                    format!("mask {:#010x} lacks the calling lane {lane}", op.mask)
                });
                (self.thread, self.current.tid) = (thread, tid);
            }
            self.wake(warp * LANES + lane, result);
        }
        if lanes[present[0] as usize].is_some_and(|o| o.kind == WarpKind::Sync) {
            self.clock
                .partial_barrier(present.iter().map(|l| warp * LANES + l));
        }
    }
}

impl Runtime {
    /// The product of 16 rows of 32 bytes and 8 columns of 32, of which each lane has some. Sums wrap.
    fn multiply(&mut self, warp: u32, signs: u32, present: &[u32]) {
        let first = (warp * LANES) as usize;
        let mut factors = [[0; 6]; LANES as usize];
        for l in present {
            factors[*l as usize] = self.threads[first + *l as usize].factors;
        }
        for l in present {
            self.threads[first + *l as usize].products =
                [0, 1, 2, 3].map(|k| element(&factors, signs, *l as usize, k));
        }
    }
}

impl Runtime {
    /// The product of 16 rows of 16 doubles and 8 columns of 16, added to what lanes have.
    fn multiply_doubles(&mut self, warp: u32, fused: bool, present: &[u32]) {
        let first = (warp * LANES) as usize;
        let mut all = [[0.0; 16]; LANES as usize];
        for l in present {
            all[*l as usize] = self.threads[first + *l as usize].doubles;
        }
        for l in present {
            let sums = [0, 1, 2, 3].map(|k| double(&all, fused, *l as usize, k));
            self.threads[first + *l as usize].doubles[..4].copy_from_slice(&sums);
        }
    }
}

/// Element `k` of `lane`: the layouts of the PTX manual, `mma.m16n8k16` of `.f64`. Products are added one by one from the first on, as sm_90 does
/// (`docs/tensor-cores.md`).
fn double(all: &[[f64; 16]; LANES as usize], fused: bool, lane: usize, k: usize) -> f64 {
    let (row, column) = (lane / 4 + 8 * (k / 2), 2 * (lane % 4) + k % 2);
    (0..16).fold(all[lane][12 + k], |sum, i| {
        let a = all[row % 8 * 4 + i % 4][i / 4 * 2 + row / 8];
        let b = all[column * 4 + i % 4][8 + i / 4];
        match fused {
            true => a.mul_add(b, sum),
            false => a * b + sum,
        }
    })
}

/// Element `k` of `lane`: the layouts of the PTX manual, `mma.m16n8k32` of `.u8` and `.s8`.
fn element(factors: &[[u32; 6]; LANES as usize], signs: u32, lane: usize, k: usize) -> u32 {
    let (row, column) = (lane / 4 + 8 * (k / 2), 2 * (lane % 4) + k % 2);
    let byte = |word: u32, n: usize, signed: bool| {
        let byte = word.to_le_bytes()[n];
        if signed {
            i32::from(byte as i8)
        } else {
            i32::from(byte)
        }
    };
    let sum = (0..32).map(|i| {
        let (quarter, half, n) = (i % 16 / 4, i / 16, i % 4);
        let a = factors[row % 8 * 4 + quarter][row / 8 + 2 * half];
        let b = factors[column * 4 + quarter][4 + half];
        byte(a, n, signs & 1 != 0) * byte(b, n, signs & 2 != 0)
    });
    sum.sum::<i32>() as u32
}

/// What `lane` gets; lanes outside `here` count as absent.
fn result(lanes: &Lanes, here: u32, lane: u32) -> u64 {
    let op = |l: u32| lanes[l as usize].filter(|_| here & (1 << l) != 0);
    let own = op(lane).expect("the lane waits");
    let all = || (0..LANES).filter_map(op);
    let ballot = (0..LANES)
        .filter(|l| op(*l).is_some_and(|o| o.value & 1 != 0))
        .fold(0_u32, |m, l| m | 1 << l);
    let narrow =
        |f: fn(u32, u32) -> u32| u64::from(all().map(|o| o.value as u32).reduce(f).unwrap_or(0));
    match own.kind {
        WarpKind::Sync | WarpKind::Active | WarpKind::Mma | WarpKind::MmaDoubles => 0,
        WarpKind::ShuffleIdx
        | WarpKind::ShuffleUp
        | WarpKind::ShuffleDown
        | WarpKind::ShuffleBfly => {
            let (source, valid) = shuffle_source(own, lane);
            // A lane that is not there leaves the value undefined; the own one is as good as any.
            let value = op(source).unwrap_or(own).value & 0xffff_ffff;
            value | u64::from(valid) << 32
        }
        WarpKind::VoteAll => u64::from(ballot == here),
        WarpKind::VoteAny => u64::from(ballot != 0),
        WarpKind::VoteUni => u64::from(ballot == here || ballot == 0),
        WarpKind::Ballot => u64::from(ballot),
        WarpKind::MatchAny => {
            let same = |l: &u32| op(*l).is_some_and(|o| o.value == own.value);
            u64::from((0..LANES).filter(same).fold(0_u32, |m, l| m | 1 << l))
        }
        WarpKind::MatchAll => match all().all(|o| o.value == own.value) {
            true => u64::from(here) | 1 << 32,
            false => 0,
        },
        WarpKind::Add => narrow(u32::wrapping_add),
        WarpKind::Min => narrow(|a, b| (a as i32).min(b as i32) as u32),
        WarpKind::Max => narrow(|a, b| (a as i32).max(b as i32) as u32),
        WarpKind::UMin => narrow(u32::min),
        WarpKind::UMax => narrow(u32::max),
        WarpKind::And => narrow(|a, b| a & b),
        WarpKind::Or => narrow(|a, b| a | b),
        WarpKind::Xor => narrow(|a, b| a ^ b),
        WarpKind::Elect => {
            let leader = here.trailing_zeros();
            u64::from(leader) | u64::from(leader == lane) << 32
        }
    }
}

/// Source lane of a shuffle and whether it is in range: the formulas of the PTX manual, `shfl.sync`.
fn shuffle_source(op: WarpOp, lane: u32) -> (u32, bool) {
    let (clamp, segment) = (op.clamp & 0x1f, (op.clamp >> 8) & 0x1f);
    let (max, min) = ((lane & segment) | (clamp & !segment & 0x1f), lane & segment);
    let by = op.select & 0x1f;
    let (source, valid) = match op.kind {
        WarpKind::ShuffleUp => (
            lane.wrapping_sub(by),
            i64::from(lane) - i64::from(by) >= i64::from(max),
        ),
        WarpKind::ShuffleDown => (lane + by, lane + by <= max),
        WarpKind::ShuffleBfly => (lane ^ by, lane ^ by <= max),
        _ => {
            let source = min | (by & !segment & 0x1f);
            (source, source <= max)
        }
    };
    if valid {
        (source & 0x1f, true)
    } else {
        (lane, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(kind: WarpKind, select: u32, clamp: u32) -> WarpOp {
        WarpOp {
            kind,
            mask: !0,
            value: 0,
            select,
            clamp,
            site: 0,
        }
    }

    #[test]
    fn shuffles_follow_the_manual() {
        assert_eq!(
            shuffle_source(op(WarpKind::ShuffleBfly, 16, 31), 3),
            (19, true)
        );
        assert_eq!(shuffle_source(op(WarpKind::ShuffleUp, 1, 0), 0), (0, false));
        assert_eq!(shuffle_source(op(WarpKind::ShuffleUp, 1, 0), 7), (6, true));
        assert_eq!(
            shuffle_source(op(WarpKind::ShuffleDown, 4, 31), 30),
            (30, false)
        );
        // Width 8: clamp 7 below segments 0x18.
        assert_eq!(
            shuffle_source(op(WarpKind::ShuffleIdx, 3, 0x1807), 21),
            (19, true)
        );
        assert_eq!(
            shuffle_source(op(WarpKind::ShuffleDown, 4, 0x1807), 22),
            (22, false)
        );
    }

    #[test]
    fn products_of_matrices_follow_the_manual() {
        // a[r][i] = r - i, b[i][c] = i + 3 c, as signed and as unsigned bytes.
        let (a, b) = (
            |r: usize, i: usize| r as i32 - i as i32,
            |i: usize, c: usize| (i + 3 * c) as i32,
        );
        let word =
            |of: &dyn Fn(usize) -> i32| u32::from_le_bytes([0, 1, 2, 3].map(|n| of(n) as u8));
        let mut factors = [[0; 6]; 32];
        for (lane, own) in factors.iter_mut().enumerate() {
            let (group, first) = (lane / 4, lane % 4 * 4);
            *own = [0, 1, 2, 3, 4, 5].map(|k| match k {
                0..4 => word(&|n| a(group + k % 2 * 8, first + k / 2 * 16 + n)),
                _ => word(&|n| b(first + (k - 4) * 16 + n, group)),
            });
        }
        for lane in 0..32 {
            for k in 0..4 {
                let (row, column) = (lane / 4 + k / 2 * 8, lane % 4 * 2 + k % 2);
                let signed = (0..32).map(|i| a(row, i) * b(i, column)).sum::<i32>();
                let unsigned = (0..32)
                    .map(|i| (a(row, i) & 255) * b(i, column))
                    .sum::<i32>();
                assert_eq!(element(&factors, 3, lane, k) as i32, signed);
                assert_eq!(element(&factors, 2, lane, k) as i32, unsigned);
            }
        }
    }

    #[test]
    fn products_of_doubles_go_on_in_order() {
        // a[r][i], b[i][c], c[r][c] of sizes that make the order matter.
        let (a, b) = (
            |r: usize, i: usize| 3_f64.powi((r * 7 + i * 5) as i32 % 40 - 20),
            |i: usize, c: usize| -(5_f64.powi((c * 3 + i * 11) as i32 % 20 - 10)),
        );
        let c = |r: usize, column: usize| (r as f64 - 8.0) * 1e9 + column as f64;
        let mut all = [[0.0; 16]; 32];
        for (lane, own) in all.iter_mut().enumerate() {
            let (group, first) = (lane / 4, lane % 4);
            *own = std::array::from_fn(|k| match k {
                0..8 => a(group + k % 2 * 8, first + k / 2 * 4),
                8..12 => b(first + (k - 8) * 4, group),
                _ => c(group + (k - 12) / 2 * 8, 2 * first + k % 2),
            });
        }
        for lane in 0..32 {
            for k in 0..4 {
                let (row, column) = (lane / 4 + k / 2 * 8, lane % 4 * 2 + k % 2);
                let (mut fused, mut not) = (c(row, column), c(row, column));
                for i in 0..16 {
                    fused = a(row, i).mul_add(b(i, column), fused);
                    not += a(row, i) * b(i, column);
                }
                assert_eq!(double(&all, true, lane, k), fused);
                assert_eq!(double(&all, false, lane, k), not);
            }
        }
    }

    #[test]
    fn reductions_and_matches() {
        let mut lanes: Lanes = [None; 32];
        for (i, lane) in lanes.iter_mut().enumerate().take(4) {
            *lane = Some(WarpOp {
                value: [5, 7, 5, 0xffff_ffff][i],
                ..op(WarpKind::Max, 0, 0)
            });
        }
        assert_eq!(result(&lanes, 0xf, 0), 7, "signed");
        let with = |kind| {
            let mut lanes = lanes;
            lanes.iter_mut().flatten().for_each(|o| o.kind = kind);
            result(&lanes, 0xf, 0)
        };
        assert_eq!(with(WarpKind::UMax), 0xffff_ffff);
        assert_eq!(with(WarpKind::MatchAny), 0b101);
        assert_eq!(with(WarpKind::MatchAll), 0);
        assert_eq!(with(WarpKind::Ballot), 0xf);
        assert_eq!(with(WarpKind::Elect), 1 << 32);
    }
}
