//! In which order threads and blocks take their turns.
//!
//! Blocks run one after another. Within a block every thread runs until it waits; then the next one. The
//! order is the schedule's. When nobody can run and somebody waits, the block is stuck: a report, and the block ends.

use super::Runtime;
use super::fiber::{Stacks, abandon, resume};
use super::thread::{Thread, Wait};
use super::warp::LANES;
use super::{memory, unflatten};
use crate::report::{Defect, Who};

/// An order of threads and blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// Lowest thread first, lowest block first.
    Forward,
    /// Highest thread first, highest block first.
    Reverse,
    /// A new shuffle of the threads for every turn; blocks shuffled too.
    Random(u64),
    /// A warp runs until all of it waits for other warps; warps from last to first.
    Warps,
    /// Threads forward, blocks shuffled.
    Blocks(u64),
}

impl Schedule {
    /// Every kind, with fixed seeds.
    pub const ALL: [Schedule; 5] = [
        Schedule::Forward,
        Schedule::Reverse,
        Schedule::Random(1),
        Schedule::Warps,
        Schedule::Blocks(2),
    ];

    /// The schedule called `name`: forward, reverse, random, random:SEED, warps, blocks, blocks:SEED.
    pub fn parse(name: &str) -> Result<Schedule, String> {
        let (kind, seed) = name.split_once(':').unwrap_or((name, "1"));
        let seed = seed
            .parse()
            .map_err(|_| format!("`{seed}` is not a seed, give an integer"))?;
        match kind {
            "forward" => Ok(Schedule::Forward),
            "reverse" => Ok(Schedule::Reverse),
            "random" => Ok(Schedule::Random(seed)),
            "warps" => Ok(Schedule::Warps),
            "blocks" => Ok(Schedule::Blocks(seed)),
            _ => Err(format!(
                "unknown schedule `{name}`, allowed are all forward reverse random[:SEED] warps blocks[:SEED]"
            )),
        }
    }

    fn blocks(self, count: u64) -> Box<dyn Iterator<Item = u64>> {
        match self {
            Schedule::Forward | Schedule::Warps => Box::new(0..count),
            Schedule::Reverse => Box::new((0..count).rev()),
            Schedule::Random(seed) | Schedule::Blocks(seed) => {
                let mut all: Vec<u64> = (0..count).collect();
                Shuffle(seed).shuffle(&mut all);
                Box::new(all.into_iter())
            }
        }
    }
}

/// A small linear congruential generator: orders need variety, not quality.
struct Shuffle(u64);

impl Shuffle {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % bound
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i as u64 + 1) as usize;
            items.swap(i, j);
        }
    }
}

/// Runs all blocks.
///
/// # Safety
/// `runtime` is alive, not borrowed, and its entry, parameters and memory are set for this launch.
pub unsafe fn run(
    runtime: *mut Runtime,
    grid: [u32; 3],
    block: [u32; 3],
    schedule: Schedule,
    stacks: &mut Stacks,
) {
    let threads = block.iter().product::<u32>();
    // SAFETY: the borrow ends before a fiber runs; so do all others in this file.
    unsafe {
        let rt = &mut *runtime;
        rt.current.ntid = block;
        rt.current.nctaid = grid;
        let loops = rt.nested.len();
        rt.threads
            .resize_with(threads as usize, || Thread::new(loops));
        rt.threads
            .iter_mut()
            .for_each(|t| t.iterations.resize(loops, 0));
    }
    let mut shuffle = Shuffle(match schedule {
        Schedule::Random(seed) => seed,
        _ => 1,
    });
    let mut order: Vec<u32> = (0..threads).collect();
    if schedule == Schedule::Reverse {
        order.reverse();
    }
    for number in schedule.blocks(grid.iter().map(|g| u64::from(*g)).product()) {
        // SAFETY: as above.
        unsafe {
            (*runtime).start_block(number as u32, threads);
            let stuck = !match schedule {
                Schedule::Warps => run_by_warps(runtime, threads, stacks),
                _ => run_by_turns(runtime, &mut order, schedule, &mut shuffle, stacks),
            };
            let rt = &mut *runtime;
            if stuck {
                rt.report_stuck();
            }
            rt.threads.iter_mut().for_each(|t| abandon(t, stacks));
            rt.barriers.clear();
            if let Some(tally) = &mut rt.tally {
                tally.flush();
            }
            if rt.fuel < 0 {
                return;
            }
        }
    }
}

/// Whether every thread ended.
///
/// # Safety
/// As for `run`.
unsafe fn run_by_turns(
    runtime: *mut Runtime,
    order: &mut [u32],
    schedule: Schedule,
    shuffle: &mut Shuffle,
    stacks: &mut Stacks,
) -> bool {
    loop {
        if matches!(schedule, Schedule::Random(_)) {
            shuffle.shuffle(order);
        }
        // SAFETY: as for `run`.
        unsafe {
            let mut moved = turn(runtime, order.iter().copied(), stacks);
            let rt = &mut *runtime;
            if rt.live == 0 || rt.fuel < 0 {
                return true;
            }
            moved |= rt.warps_release();
            moved |= rt.barriers_release();
            if !moved && !rt.active_release() {
                return false;
            }
        }
    }
}

/// As `run_by_turns`, one warp as far as it goes before the next.
///
/// # Safety
/// As for `run`.
unsafe fn run_by_warps(runtime: *mut Runtime, threads: u32, stacks: &mut Stacks) -> bool {
    loop {
        let mut moved = false;
        for warp in (0..threads.div_ceil(LANES)).rev() {
            let lanes = warp * LANES..((warp + 1) * LANES).min(threads);
            // SAFETY: as for `run`.
            unsafe {
                while turn(runtime, lanes.clone(), stacks) | (*runtime).warp_release(warp) {
                    moved = true;
                    if (*runtime).fuel < 0 {
                        return true;
                    }
                }
            }
        }
        // SAFETY: as for `run`.
        unsafe {
            let rt = &mut *runtime;
            if rt.live == 0 {
                return true;
            }
            if !rt.barriers_release() && !moved && !rt.active_release() {
                return false;
            }
        }
    }
}

/// Gives each of these threads that can run a turn. Whether any could.
///
/// # Safety
/// As for `run`.
unsafe fn turn(
    runtime: *mut Runtime,
    threads: impl Iterator<Item = u32>,
    stacks: &mut Stacks,
) -> bool {
    let mut moved = false;
    for index in threads {
        // SAFETY: as for `run`.
        unsafe {
            if !matches!(
                (&(*runtime).threads)[index as usize].wait,
                Wait::New | Wait::Ready
            ) {
                continue;
            }
            (*runtime).switch_to(index);
            resume(runtime, index, stacks);
            moved = true;
            let rt = &mut *runtime;
            if rt.threads[index as usize].wait == Wait::Done {
                rt.live -= 1;
            }
            if rt.fuel < 0 {
                break;
            }
        }
    }
    moved
}

impl Runtime {
    fn start_block(&mut self, number: u32, threads: u32) {
        self.block = number;
        self.current.ctaid = unflatten(number, self.current.nctaid);
        self.clock.start_block(number);
        self.live = threads;
        self.threads.iter_mut().for_each(Thread::renew);
        self.memory.forget_shared();
    }

    fn switch_to(&mut self, index: u32) {
        self.thread = index;
        self.current.tid = unflatten(index, self.current.ntid);
        self.current.lane = index % LANES;
        self.current.warp = index / LANES;
    }

    /// Names one waiting thread of each kind of waiting, and who is elsewhere.
    fn report_stuck(&mut self) {
        let waits: Vec<(u32, Wait)> = self
            .threads
            .iter()
            .enumerate()
            .map(|(i, t)| (i as u32, t.wait))
            .collect();
        let waiting: Vec<_> = waits
            .iter()
            .filter(|(_, w)| matches!(w, Wait::Barrier { .. } | Wait::Warp(_)))
            .collect();
        let Some((first, wait)) = waiting.first() else {
            return;
        };
        let (defect, site) = match wait {
            Wait::Barrier { site, .. } => (Defect::BarrierDivergence, *site),
            Wait::Warp(op) => (Defect::WarpDivergence, op.site),
            _ => return,
        };
        let place_of = |w: &Wait| match w {
            Wait::Barrier { site, .. } => Some(*site),
            Wait::Warp(op) => Some(op.site),
            _ => None,
        };
        let elsewhere = waiting.iter().find(|(_, w)| place_of(w) != Some(site));
        let other = elsewhere.map(|(i, w)| (self.peer(*i), self.place(place_of(w).unwrap_or(0))));
        let here = waiting
            .iter()
            .filter(|(_, w)| place_of(w) == Some(site))
            .count();
        let total = self.threads.len();
        let detail = format!(
            "{here} of {total} threads wait here and the others never come, the block is stuck"
        );
        self.switch_to(*first);
        let spot = super::Spot {
            object: memory::NONE,
            address: 0,
            size: 0,
        };
        let other: Option<(Who, _)> = other;
        self.report_at(defect, site, spot, other, || detail);
    }
}
