//! Race detection: per byte, who wrote and who read it last, in which barrier interval.
//!
//! Time is a counter of synchronising events of the launch (`Clock::now`). Two accesses of one block are
//! ordered if a barrier of the whole block lies between them (`interval`), or a chain of partial ones
//! (warp barriers, named barriers) leads from one thread to the other (`Clock::events`). Blocks run one
//! after another, so an access older than `block` comes from another block and is never ordered.
//!
//! Of the readers of a byte in one interval two different ones are kept, which suffices for barriers
//! of the whole block: a writer differs from at least one of them. With partial barriers a third
//! reader may be forgotten. NB: nothing is kept of writers but the last one; the earlier pair was reported.

/// Highest thread number plus flag bits fit 16 bits.
const ATOMIC: u16 = 1 << 15;

/// One access to a byte.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mark {
    /// `Clock::now` then; 0 is no access.
    pub time: u32,
    /// Thread number in its block, with the atomic flag.
    thread: u16,
    /// Index into the sites.
    pub site: u16,
}

impl Mark {
    pub fn new(time: u32, thread: u32, site: u32, atomic: bool) -> Mark {
        Mark {
            time,
            thread: thread as u16 | if atomic { ATOMIC } else { 0 },
            site: site as u16,
        }
    }

    pub fn thread(self) -> u32 {
        u32::from(self.thread & !ATOMIC)
    }

    fn atomic(self) -> bool {
        self.thread & ATOMIC != 0
    }
}

/// History of one byte.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cell {
    write: Mark,
    reads: [Mark; 2],
    /// The first read of the launch: older than the block exactly if any read of another block is.
    first_read: Mark,
}

/// A partial barrier: these threads waited for each other.
struct Event {
    time: u32,
    threads: Box<[u64; 16]>,
}

/// Where in the launch's order of events we are.
pub struct Clock {
    /// Grows with every synchronising event; starts at 1.
    pub now: u32,
    /// `now` after the last barrier of the whole block.
    pub interval: u32,
    /// `now` at the block's start.
    pub block: u32,
    events: Vec<Event>,
    /// First time of each block, in running order, with its number.
    pub blocks: Vec<(u32, u32)>,
}

impl Clock {
    pub fn new() -> Clock {
        Clock {
            now: 1,
            interval: 1,
            block: 1,
            events: Vec::new(),
            blocks: Vec::new(),
        }
    }

    pub fn start_block(&mut self, number: u32) {
        self.full_barrier();
        self.block = self.now;
        self.blocks.push((self.now, number));
    }

    pub fn full_barrier(&mut self) {
        self.now += 1;
        self.interval = self.now;
        self.events.clear();
    }

    pub fn partial_barrier(&mut self, threads: impl Iterator<Item = u32>) {
        let mut set = Box::new([0_u64; 16]);
        threads.for_each(|t| set[t as usize / 64] |= 1 << (t % 64));
        self.now += 1;
        self.events.push(Event {
            time: self.now,
            threads: set,
        });
    }

    /// Number of the block in which `time` lies.
    pub fn block_at(&self, time: u32) -> u32 {
        let after = self.blocks.partition_point(|(start, _)| *start <= time);
        self.blocks
            .get(after.wrapping_sub(1))
            .map_or(0, |(_, number)| *number)
    }

    /// Whether a chain of partial barriers leads from `mark` to `thread`.
    #[cold]
    fn chained(&self, mark: Mark, thread: u32) -> bool {
        let mut reached = [0_u64; 16];
        reached[mark.thread() as usize / 64] |= 1 << (mark.thread() % 64);
        for event in self.events.iter().filter(|e| e.time > mark.time) {
            if reached
                .iter()
                .zip(event.threads.iter())
                .any(|(a, b)| a & b != 0)
            {
                reached
                    .iter_mut()
                    .zip(event.threads.iter())
                    .for_each(|(a, b)| *a |= b);
            }
        }
        reached[thread as usize / 64] & (1 << (thread % 64)) != 0
    }

    /// Whether `old` and a new access of `new` are a race, given that one of them writes. In shared memory
    /// what an earlier block did is of no account.
    #[inline]
    fn conflict(&self, old: Mark, new: Mark, shared: bool) -> Option<Conflict> {
        if old.time == 0 || (old.atomic() && new.atomic()) {
            return None;
        }
        if old.time < self.block {
            return (!shared).then_some(Conflict::Blocks);
        }
        if old.time < self.interval || old.thread() == new.thread() {
            return None;
        }
        if !self.events.is_empty() && self.chained(old, new.thread()) {
            return None;
        }
        Some(Conflict::Threads)
    }
}

/// How two accesses are unordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflict {
    /// Within a block's barrier interval.
    Threads,
    /// Between blocks.
    Blocks,
}

/// A race: its kind, whether both sides write, and the earlier side.
pub type Race = (Conflict, bool, Mark);

impl Cell {
    /// Records a read; the race it makes, if any.
    #[inline]
    pub fn read(&mut self, clock: &Clock, new: Mark, shared: bool) -> Option<Race> {
        let race = clock
            .conflict(self.write, new, shared)
            .map(|c| (c, false, self.write));
        let [a, b] = &mut self.reads;
        if a.time < clock.interval || a.thread() == new.thread() {
            let weaker = a.time >= clock.interval && !a.atomic();
            *a = new;
            if weaker {
                a.thread &= !ATOMIC;
            }
        } else {
            *b = new;
        }
        if self.first_read.time == 0 {
            self.first_read = new;
        }
        race
    }

    /// Records a write; the race it makes, if any.
    #[inline]
    pub fn write(&mut self, clock: &Clock, new: Mark, shared: bool) -> Option<Race> {
        let mut race = clock
            .conflict(self.write, new, shared)
            .map(|c| (c, true, self.write));
        if race.is_none() {
            let first = Some(self.first_read).filter(|m| m.time < clock.block);
            race = first
                .into_iter()
                .chain(self.reads)
                .find_map(|old| clock.conflict(old, new, shared).map(|c| (c, false, old)));
        }
        self.write = new;
        race
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(clock: &Clock, thread: u32) -> Mark {
        Mark::new(clock.now, thread, 0, false)
    }

    fn clock() -> Clock {
        let mut clock = Clock::new();
        clock.start_block(0);
        clock
    }

    #[test]
    fn two_threads_race_until_a_barrier() {
        let (mut clock, mut cell) = (clock(), Cell::default());
        assert_eq!(cell.write(&clock, mark(&clock, 1), false), None);
        assert_eq!(cell.read(&clock, mark(&clock, 1), false), None);
        assert!(matches!(
            cell.read(&clock, mark(&clock, 2), false),
            Some((Conflict::Threads, false, _))
        ));
        clock.full_barrier();
        assert_eq!(cell.read(&clock, mark(&clock, 2), false), None);
        assert!(
            cell.write(&clock, mark(&clock, 3), false).is_some(),
            "write after another thread's read"
        );
    }

    #[test]
    fn a_writer_among_several_readers_is_found() {
        let (clock, mut cell) = (clock(), Cell::default());
        cell.read(&clock, mark(&clock, 5), false);
        cell.read(&clock, mark(&clock, 6), false);
        assert!(cell.write(&clock, mark(&clock, 6), false).is_some());
    }

    #[test]
    fn partial_barriers_order_only_their_threads() {
        let (mut clock, mut cell) = (clock(), Cell::default());
        cell.write(&clock, mark(&clock, 1), false);
        clock.partial_barrier([1, 2].into_iter());
        assert_eq!(cell.read(&clock, mark(&clock, 2), false), None);
        assert!(cell.read(&clock, mark(&clock, 3), false).is_some());
        clock.partial_barrier([2, 3].into_iter());
        assert_eq!(
            cell.read(&clock, mark(&clock, 3), false),
            None,
            "by way of thread 2"
        );
    }

    #[test]
    fn blocks_are_never_ordered_but_atomics_are_exempt() {
        let (mut clock, mut cell) = (clock(), Cell::default());
        cell.read(&clock, mark(&clock, 1), false);
        clock.start_block(7);
        cell.read(&clock, mark(&clock, 1), false);
        assert!(matches!(
            cell.write(&clock, mark(&clock, 1), false),
            Some((Conflict::Blocks, false, _))
        ));
        let mut cell = Cell::default();
        cell.write(&clock, Mark::new(clock.now, 1, 0, true), false);
        clock.start_block(8);
        assert_eq!(
            cell.write(&clock, Mark::new(clock.now, 9, 0, true), false),
            None
        );
        assert!(
            cell.read(&clock, mark(&clock, 9), false).is_none(),
            "own block wrote last"
        );
        assert_eq!(clock.block_at(clock.now), 8);
    }
}
