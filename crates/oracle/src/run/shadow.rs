//! Race detection: per byte, who wrote and who read it last, in which barrier interval.
//!
//! Bytes that are only ever touched as one, as those of a number are, have one history (`History`): it is found once for
//! all of them, and what comes out is what a history of each byte would say.
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

/// What was done to bytes of which none was ever touched without the others.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cell {
    write: Mark,
    reads: [Mark; 2],
    /// The first read of the launch: older than the block exactly if any read of another block is.
    first_read: Mark,
}

/// Warps of a block, at most.
const WARPS: usize = 32;

/// Part of a partial barrier: those of a warp's threads that waited for each other, and for those of the other parts of
/// the same time.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    time: u32,
    warp: u32,
    lanes: u32,
}

impl Part {
    fn has(&self, thread: u32) -> bool {
        self.warp == thread / 32 && self.lanes & (1 << (thread % 32)) != 0
    }
}

/// Where in the launch's order of events we are.
pub struct Clock {
    /// Grows with every synchronising event; starts at 1.
    pub now: u32,
    /// `now` after the last barrier of the whole block.
    pub interval: u32,
    /// `now` at the block's start.
    pub block: u32,
    /// Partial barriers of this interval, oldest first; all parts of one have one time.
    events: Vec<Part>,
    /// The last part of each warp, and the time of the last barrier with several parts; of any interval.
    last: [Part; WARPS],
    last_wide: u32,
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
            last: [Part::default(); WARPS],
            last_wide: 0,
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
        let mut set = [0_u32; WARPS];
        threads.for_each(|t| set[t as usize / 32] |= 1 << (t % 32));
        self.now += 1;
        let time = self.now;
        let before = self.events.len();
        for (warp, lanes) in (0..).zip(set).filter(|(_, lanes)| *lanes != 0) {
            let part = Part { time, warp, lanes };
            self.events.push(part);
            self.last[warp as usize] = part;
        }
        if self.events.len() - before > 1 {
            self.last_wide = time;
        }
    }

    /// Number of the block in which `time` lies.
    pub fn block_at(&self, time: u32) -> u32 {
        let after = self.blocks.partition_point(|(start, _)| *start <= time);
        self.blocks
            .get(after.wrapping_sub(1))
            .map_or(0, |(_, number)| *number)
    }

    /// Whether a chain of partial barriers leads from `mark` to `thread`.
    fn chained(&self, mark: Mark, thread: u32) -> bool {
        let (from, to) = (mark.thread() / 32, thread / 32);
        let (first, last) = (self.last[from as usize], self.last[to as usize]);
        // A chain begins at the one, ends at the other, and leaves a warp by a barrier that has others, too.
        let none = first.time <= mark.time || last.time <= mark.time;
        if none || (from != to && self.last_wide <= mark.time) {
            return false;
        }
        self.is_chain(mark, thread)
    }

    /// The same, barrier by barrier.
    #[inline(never)]
    fn is_chain(&self, mark: Mark, thread: u32) -> bool {
        let mut reached = [0_u32; WARPS];
        reached[mark.thread() as usize / 32] |= 1 << (mark.thread() % 32);
        let after = self.events.partition_point(|p| p.time <= mark.time);
        for event in self.events[after..].chunk_by(|a, b| a.time == b.time) {
            let is_met = |p: &Part| reached[p.warp as usize] & p.lanes != 0;
            if event.iter().any(is_met) {
                for part in event {
                    reached[part.warp as usize] |= part.lanes;
                }
            }
        }
        reached[thread as usize / 32] & (1 << (thread % 32)) != 0
    }

    /// Whether it takes no look at chains to say that `old` and a new access of `new` are no race: nobody was there before,
    /// or the same thread, or a barrier lies between them that both waited at. In shared memory what an earlier block did
    /// is of no account.
    #[inline(always)]
    fn is_ordered(&self, old: Mark, new: Mark, shared: bool) -> bool {
        let ordered = old.time < self.interval || old.thread() == new.thread();
        old.time == 0
            || (ordered && (shared || old.time >= self.block))
            || (!self.events.is_empty() && self.have_met(old, new.thread()))
    }

    /// Whether both were at the last partial barrier of the first one's warp, since then.
    fn have_met(&self, old: Mark, thread: u32) -> bool {
        let last = &self.last[old.thread() as usize / 32];
        let of_block = old.time >= self.block;
        of_block && last.time > old.time && last.has(old.thread()) && last.has(thread)
    }

    /// Whether `old` and a new access of `new` are a race, given that one of them writes.
    fn conflict(&self, old: Mark, new: Mark, shared: bool) -> Option<Conflict> {
        if self.is_ordered(old, new, shared) || (old.atomic() && new.atomic()) {
            return None;
        }
        if old.time < self.block {
            return Some(Conflict::Blocks);
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
    pub fn read(&mut self, clock: &Clock, new: Mark, shared: bool) -> Option<Race> {
        let race = clock
            .conflict(self.write, new, shared)
            .map(|c| (c, false, self.write));
        self.note_read(clock, new);
        race
    }

    /// Records a write; the race it makes, if any.
    pub fn write(&mut self, clock: &Clock, new: Mark, shared: bool) -> Option<Race> {
        let against = |old: Mark, writes| Some((clock.conflict(old, new, shared)?, writes, old));
        let readers = self.readers(clock);
        let race = against(self.write, true)
            .or_else(|| readers.into_iter().find_map(|old| against(old, false)));
        self.write = new;
        race
    }

    /// Records an access that `Clock::is_ordered` knows to be no race; false, and nothing is recorded, if it does not.
    #[inline(always)]
    fn touch_ordered(&mut self, clock: &Clock, touch: &Touch, shared: bool) -> bool {
        let ordered = |old: Mark| clock.is_ordered(old, touch.mark, shared);
        if !ordered(self.write) {
            return false;
        }
        if touch.reads {
            self.note_read(clock, touch.mark);
            return true;
        }
        let [first, a, b] = self.readers(clock);
        let all = ordered(first) && ordered(a) && ordered(b);
        if all {
            self.write = touch.mark;
        }
        all
    }

    /// Those whose reads a write may be in a race with.
    #[inline(always)]
    fn readers(&self, clock: &Clock) -> [Mark; 3] {
        let first = match self.first_read.time < clock.block {
            true => self.first_read,
            false => Mark::default(),
        };
        [first, self.reads[0], self.reads[1]]
    }

    #[inline(always)]
    fn note_read(&mut self, clock: &Clock, new: Mark) {
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
    }
}

/// Bytes of the widest access, as a power of two.
const WIDEST: u32 = 4;

/// The histories of an object's bytes, in pieces of equal size.
#[derive(Debug, Default)]
pub struct History {
    len: u64,
    /// Bytes of a piece, as a power of two. No access has touched part of a piece.
    shift: u32,
    /// One for each piece; none until the first access.
    cells: Vec<Cell>,
}

/// An access to an object.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    /// First byte in the object.
    pub offset: u64,
    /// Bytes, all of them in the object.
    pub len: u64,
    /// Whether it reads.
    pub reads: bool,
    /// Who does it.
    pub mark: Mark,
}

impl History {
    /// Of so many bytes that nobody has touched.
    pub fn new(len: u64) -> History {
        History {
            len,
            ..History::default()
        }
    }

    /// Records an access; the first byte of it that makes a race, if any, and that race.
    #[inline(always)]
    pub fn touch(&mut self, clock: &Clock, touch: Touch, shared: bool) -> Option<(u64, Race)> {
        // Mostly it is one piece, and the last access to it was a barrier ago.
        let is_piece = touch.len == 1 << self.shift && touch.offset & (touch.len - 1) == 0;
        let piece = (touch.offset >> self.shift) as usize;
        if is_piece
            && let Some(cell) = self.cells.get_mut(piece)
            && cell.touch_ordered(clock, &touch, shared)
        {
            return None;
        }
        self.touch_pieces(clock, touch, shared)
    }

    #[inline(never)]
    fn touch_pieces(&mut self, clock: &Clock, touch: Touch, shared: bool) -> Option<(u64, Race)> {
        let (from, to) = (touch.offset, touch.offset + touch.len);
        if self.cells.is_empty() || (from | to) & ((1 << self.shift) - 1) != 0 {
            self.split(from | to);
        }
        let shift = self.shift;
        let cells = &mut self.cells[(from >> shift) as usize..(to >> shift) as usize];
        let mut found = None;
        for (i, cell) in (0_u64..).zip(cells) {
            if cell.touch_ordered(clock, &touch, shared) {
                continue;
            }
            let race = match touch.reads {
                true => cell.read(clock, touch.mark, shared),
                false => cell.write(clock, touch.mark, shared),
            };
            found = found.or(race.map(|race| (i << shift, race)));
        }
        found
    }

    /// Cuts the pieces so that one may end at both ends of an access, of which `ends` has the bits.
    #[cold]
    fn split(&mut self, ends: u64) {
        let shift = ends.trailing_zeros().min(WIDEST);
        if self.cells.is_empty() {
            self.cells = vec![Cell::default(); self.len.div_ceil(1 << shift) as usize];
        } else {
            let times = 1 << (self.shift - shift);
            let pieces = self.cells.iter();
            self.cells = pieces
                .flat_map(|c| std::iter::repeat_n(*c, times))
                .collect();
        }
        self.shift = shift;
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
    fn parts_of_a_number_have_its_history() {
        let (clock, mut history) = (clock(), History::new(10));
        let mut touch = |thread, offset, len, reads| {
            let mark = mark(&clock, thread);
            let touch = Touch {
                offset,
                len,
                reads,
                mark,
            };
            history.touch(&clock, touch, false).map(|found| found.0)
        };
        assert_eq!(touch(1, 4, 4, false), None);
        assert_eq!(touch(2, 3, 1, false), None, "the byte before");
        assert_eq!(touch(3, 8, 2, false), None, "the last two bytes");
        assert_eq!(touch(2, 2, 4, true), Some(2), "of which thread 1 wrote two");
        assert_eq!(touch(1, 7, 1, true), None);
        assert_eq!(touch(1, 9, 1, true), Some(0));
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
    fn partial_barriers_lead_as_far_as_their_threads() {
        let (mut clock, mut cell) = (clock(), Cell::default());
        cell.write(&clock, mark(&clock, 70), false);
        clock.partial_barrier(64..96);
        clock.partial_barrier(0..32);
        assert_eq!(cell.read(&clock, mark(&clock, 71), false), None);
        assert!(
            cell.read(&clock, mark(&clock, 1), false).is_some(),
            "no barrier has both warps"
        );
        clock.partial_barrier([1, 95].into_iter());
        assert_eq!(cell.read(&clock, mark(&clock, 1), false), None);
        assert!(cell.read(&clock, mark(&clock, 2), false).is_some());
        clock.partial_barrier(0..32);
        assert_eq!(
            cell.read(&clock, mark(&clock, 2), false),
            None,
            "by way of 71, 95 and 1"
        );
        cell.write(&clock, mark(&clock, 2), false);
        assert!(
            cell.read(&clock, mark(&clock, 3), false).is_some(),
            "all barriers were before"
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
