//! What a launch costs: sectors, wavefronts, copies, barriers, instructions. Figures that no machine's speed changes.
//!
//! A warp's access is put together from its lanes' records: those of one site in the same iterations of
//! all loops around it. This is what lockstep execution gives when lanes reconverge after each branch. Lanes that reach
//! a site twice in the same iterations (a function called twice) make a second access.
//!
//! The model: a global access requests each 32-byte sector its lanes touch once. A shared access of up
//! to 4 bytes a lane takes as many wavefronts as the busiest of 32 banks has different words. An 8-byte access
//! goes in two halves of the warp, a 16-byte one in four quarters, each on its own, but two neighbouring parts
//! go together where lanes share addresses pairwise (`paired`). Checked against an H200's counters: `docs/oracle.md`.

use crate::site::{AccessKind, Site};

/// Bytes of a sector.
const SECTOR: u64 = 32;
/// Bytes that a bank of shared memory gives at once.
const WORD: u64 = 4;

/// Costs of one array, or of all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArrayCounts {
    /// Name of the argument, tile or global.
    pub name: String,
    /// In shared memory: sectors are 0; else wavefronts are 0.
    pub shared: bool,
    /// Warp-level loads, and those of `cp.async`; threads' with `Checks::Accesses`.
    pub loads: u64,
    /// Warp-level stores and atomics, and the shared side of `cp.async`; threads' with `Checks::Accesses`.
    pub stores: u64,
    /// 32-byte sectors requested by loads.
    pub load_sectors: u64,
    /// 32-byte sectors requested by stores and atomics.
    pub store_sectors: u64,
    /// Different bytes read over the launch, in whole sectors.
    pub read_bytes: u64,
    /// Different bytes written over the launch, in whole sectors.
    pub written_bytes: u64,
    /// Shared wavefronts of loads.
    pub load_wavefronts: u64,
    /// Shared wavefronts of stores and atomics.
    pub store_wavefronts: u64,
    /// Wavefronts there would be without bank conflicts.
    pub ideal_wavefronts: u64,
}

impl ArrayCounts {
    /// An access of this kind comes; whether it reads.
    fn comes(&mut self, kind: AccessKind) -> bool {
        let reads = matches!(kind, AccessKind::Load | AccessKind::CopyRead);
        let count = if reads {
            &mut self.loads
        } else {
            &mut self.stores
        };
        *count += 1;
        reads
    }
}

/// Costs of a launch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Per array, in the order tiles, module globals, arguments; untouched ones left out.
    pub arrays: Vec<ArrayCounts>,
    /// Barrier calls, summed over threads.
    pub barriers: u64,
    /// `cp.async` by width 4, 8, 16 bytes, summed over threads.
    pub copies: [u64; 3],
    /// Executed IR instructions by class, summed over threads.
    pub instructions: Vec<(&'static str, u64)>,
}

impl Counts {
    /// Sum over the global arrays of loads' and stores' sectors.
    pub fn global_sectors(&self) -> u64 {
        self.arrays
            .iter()
            .map(|a| a.load_sectors + a.store_sectors)
            .sum()
    }

    /// Sum over the tiles.
    pub fn shared_wavefronts(&self) -> u64 {
        self.arrays
            .iter()
            .map(|a| a.load_wavefronts + a.store_wavefronts)
            .sum()
    }
}

/// One lane's access, until its warp's others are known.
#[derive(Debug, Clone, Copy)]
struct Record {
    /// What those that belong together share, see [`Record::group`].
    group: u128,
    address: u64,
    len: u32,
    thread: u32,
}

impl Record {
    /// A warp's accesses at one place, `key` being the iterations of the loops around it, hashed.
    fn group(warp: u16, site: u16, key: u64, object: u32) -> u128 {
        let high = u128::from(warp) << 16 | u128::from(site);
        high << 96 | u128::from(key) << 32 | u128::from(object)
    }

    fn site(&self) -> usize {
        (self.group >> 96) as u16 as usize
    }

    fn object(&self) -> usize {
        self.group as u32 as usize
    }
}

/// Different sectors, by number: now and then those that come again are thrown out.
#[derive(Debug, Clone, Default)]
struct Sectors {
    all: Vec<u64>,
    /// How many there were when they were last looked through.
    different: usize,
}

/// As many more than the last time are worth looking through.
const MORE: usize = 1 << 12;

impl Sectors {
    fn extend(&mut self, more: &[u64]) {
        self.all.extend_from_slice(more);
        if self.all.len() > 2 * self.different + MORE {
            self.count();
        }
    }

    fn count(&mut self) -> usize {
        self.all.sort_unstable();
        self.all.dedup();
        self.different = self.all.len();
        self.different
    }
}

/// Collects one launch's costs.
pub struct Tally {
    records: Vec<Record>,
    arrays: Vec<ArrayCounts>,
    read: Vec<Sectors>,
    written: Vec<Sectors>,
    kinds: Vec<AccessKind>,
    /// Loops around each site, outermost first.
    around: Vec<Vec<u32>>,
    /// Accesses are put together into those of warps.
    by_warp: bool,
    pub barriers: u64,
    pub copies: [u64; 3],
}

impl Tally {
    /// `arrays` names every object and says whether it is shared; `parents` gives each loop's outer one. Without
    /// `by_warp` only threads' loads and stores are counted, which takes a fifth of the time.
    pub fn new(
        sites: &[Site],
        parents: &[Option<u32>],
        arrays: Vec<(String, bool)>,
        by_warp: bool,
    ) -> Tally {
        let around = |site: &Site| {
            let mut chain: Vec<u32> =
                std::iter::successors(site.inside, |l| parents[*l as usize]).collect();
            chain.reverse();
            chain
        };
        let none = vec![Sectors::default(); arrays.len()];
        Tally {
            records: Vec::new(),
            arrays: arrays
                .into_iter()
                .map(|(name, shared)| ArrayCounts {
                    name,
                    shared,
                    ..Default::default()
                })
                .collect(),
            read: none.clone(),
            written: none,
            kinds: sites.iter().map(|s| s.kind).collect(),
            around: sites.iter().map(around).collect(),
            by_warp,
            barriers: 0,
            copies: [0; 3],
        }
    }

    pub fn access(
        &mut self,
        thread: u32,
        site: u32,
        object: u32,
        address: u64,
        len: u32,
        iterations: &[u32],
    ) {
        let kind = self.kinds[site as usize];
        if !self.by_warp {
            self.arrays[object as usize].comes(kind);
            return;
        }
        let mix = |key: u64, l: &u32| {
            (key ^ u64::from(iterations[*l as usize]))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(23)
        };
        let key = self.around[site as usize].iter().fold(0, mix);
        if kind == AccessKind::CopyWrite {
            match len {
                4 => self.copies[0] += 1,
                8 => self.copies[1] += 1,
                _ => self.copies[2] += 1,
            }
        }
        self.records.push(Record {
            group: Record::group((thread / 32) as u16, site as u16, key, object),
            address,
            len,
            thread,
        });
    }

    pub fn barrier(&mut self, _thread: u32) {
        self.barriers += 1;
    }

    /// Puts the records so far together: at a barrier of the whole block or at its end.
    pub fn flush(&mut self) {
        let mut records = std::mem::take(&mut self.records);
        // Stable: a lane's repeated accesses keep their order.
        records.sort_by_key(|r| r.group);
        for group in records.chunk_by(|a, b| a.group == b.group) {
            self.group_access(group);
        }
        records.clear();
        self.records = records;
    }

    /// A lane that comes again makes another access.
    fn group_access(&mut self, group: &[Record]) {
        let mut seen = 0;
        if !group.iter().any(|record| comes_again(&mut seen, record)) {
            return self.warp_access(group);
        }
        let mut rest = group.to_vec();
        while !rest.is_empty() {
            let mut seen = 0;
            let again = rest.extract_if(.., |record| comes_again(&mut seen, record));
            let again: Vec<Record> = again.collect();
            self.warp_access(&rest);
            rest = again;
        }
    }

    fn warp_access(&mut self, lanes: &[Record]) {
        let object = lanes[0].object();
        let kind = self.kinds[lanes[0].site()];
        let array = &mut self.arrays[object];
        let reads = array.comes(kind);
        if array.shared {
            let (wavefronts, ideal) = wavefronts(lanes);
            if reads {
                array.load_wavefronts += wavefronts;
            } else {
                array.store_wavefronts += wavefronts;
            }
            array.ideal_wavefronts += ideal;
            return;
        }
        let sectors = distinct(lanes, SECTOR);
        if reads {
            array.load_sectors += sectors.len() as u64;
            self.read[object].extend(&sectors);
        } else {
            array.store_sectors += sectors.len() as u64;
            self.written[object].extend(&sectors);
        }
    }

    /// The launch's counts; instructions are added by the caller.
    pub fn finish(mut self) -> Counts {
        self.flush();
        for (array, (read, written)) in self
            .arrays
            .iter_mut()
            .zip(self.read.iter_mut().zip(&mut self.written))
        {
            array.read_bytes = read.count() as u64 * SECTOR;
            array.written_bytes = written.count() as u64 * SECTOR;
        }
        self.arrays.retain(|a| a.loads + a.stores > 0);
        Counts {
            arrays: self.arrays,
            barriers: self.barriers,
            copies: self.copies,
            instructions: Vec::new(),
        }
    }
}

/// Whether the record's lane is among those seen, of which it is one from now on.
fn comes_again(seen: &mut u32, record: &Record) -> bool {
    let lane = 1 << (record.thread % 32);
    let is_again = *seen & lane != 0;
    *seen |= lane;
    is_again
}

/// The pieces of so many bytes that accesses touch, each once, by number.
fn distinct(lanes: &[Record], bytes: u64) -> Vec<u64> {
    let last = |r: &Record| (r.address + u64::from(r.len) - 1) / bytes;
    let all = lanes.iter().flat_map(|r| r.address / bytes..=last(r));
    let mut all: Vec<u64> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Wavefronts of a warp's shared access, and how few they could be.
fn wavefronts(lanes: &[Record]) -> (u64, u64) {
    let width = lanes.iter().map(|r| r.len).max().unwrap_or(4);
    let all = |range: std::ops::Range<u32>| -> Vec<Record> {
        lanes
            .iter()
            .filter(|r| range.contains(&(r.thread % 32)))
            .copied()
            .collect()
    };
    let split = |from: u32, size: u32| {
        let whole = all(from..from + size);
        if paired(&whole) {
            vec![whole]
        } else {
            vec![
                all(from..from + size / 2),
                all(from + size / 2..from + size),
            ]
        }
    };
    let parts = match width {
        0..=4 => vec![lanes.to_vec()],
        5..=8 => split(0, 32),
        _ => [split(0, 16), split(16, 16)].concat(),
    };
    let mut total = 0;
    let mut ideal = 0;
    for part in parts.iter().filter(|p| !p.is_empty()) {
        let mut banks = [0_u64; 32];
        let words = distinct(part, WORD);
        words.iter().for_each(|w| banks[(w % 32) as usize] += 1);
        total += banks.iter().max().copied().unwrap_or(0);
        ideal += 1;
    }
    (total, ideal)
}

/// Whether two parts of a wide access are served as one: every lane's neighbour (number xor 1, or for all of
/// them xor 2) is inactive or uses the same address. Found by measurement; no manual says it.
fn paired(lanes: &[Record]) -> bool {
    let mut addresses = [None; 32];
    lanes
        .iter()
        .for_each(|r| addresses[(r.thread % 32) as usize] = Some(r.address));
    [1, 2].iter().any(|step| {
        lanes
            .iter()
            .all(|r| addresses[((r.thread % 32) ^ step) as usize].is_none_or(|a| a == r.address))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(len: u32, address: impl Fn(u64) -> u64) -> Vec<Record> {
        (0..32)
            .map(|t| Record {
                group: 0,
                address: address(u64::from(t)),
                len,
                thread: t,
            })
            .collect()
    }

    #[test]
    fn bank_conflicts() {
        assert_eq!(wavefronts(&lanes(4, |t| t * 4)), (1, 1));
        assert_eq!(wavefronts(&lanes(4, |_| 64)), (1, 1), "broadcast");
        assert_eq!(wavefronts(&lanes(4, |t| t * 8)), (2, 1));
        assert_eq!(wavefronts(&lanes(4, |t| t * 128)), (32, 1));
        assert_eq!(wavefronts(&lanes(4, |t| t * 132)), (1, 1), "padded");
        assert_eq!(wavefronts(&lanes(8, |t| t * 8)), (2, 2));
        assert_eq!(wavefronts(&lanes(16, |t| t * 16)), (4, 4));
        assert_eq!(
            wavefronts(&lanes(16, |_| 64)),
            (2, 2),
            "a broadcast of 16 bytes takes two"
        );
        assert_eq!(wavefronts(&lanes(8, |t| t / 2 * 8)), (1, 1), "pairs share");
        assert_eq!(wavefronts(&lanes(1, |t| t)), (1, 1));
    }

    fn site(kind: AccessKind) -> Site {
        Site {
            place: Default::default(),
            kind,
            size: 4,
            align: 4,
            atomic: false,
            origin: crate::site::Origin::Unknown,
            inside: None,
        }
    }

    #[test]
    fn without_warps_threads_are_counted() {
        let sites = [
            site(AccessKind::Load),
            site(AccessKind::Store),
            site(AccessKind::CopyRead),
        ];
        let arrays = vec![("x".into(), false), ("unused".into(), false)];
        let mut tally = Tally::new(&sites, &[], arrays, false);
        for thread in 0..64 {
            tally.access(thread, 0, 0, 4096, 4, &[]);
            tally.access(thread, 2, 0, 4096, 4, &[]);
        }
        tally.access(0, 1, 0, 4096, 4, &[]);
        let counts = tally.finish();
        assert_eq!(counts.arrays.len(), 1);
        let x = &counts.arrays[0];
        assert_eq!((x.loads, x.stores, x.load_sectors), (128, 1, 0));
    }

    #[test]
    fn sectors_count_once_per_warp_access() {
        let site = site(AccessKind::Load);
        let mut tally = Tally::new(&[site], &[], vec![("x".into(), false)], true);
        for thread in 0..64 {
            tally.access(thread, 0, 0, 4096 + 4 * u64::from(thread), 4, &[]);
            tally.access(thread, 0, 0, 4096 + 128 * u64::from(thread), 4, &[]);
        }
        let counts = tally.finish();
        let x = &counts.arrays[0];
        assert_eq!((x.loads, x.load_sectors), (4, 2 * (4 + 32)));
        assert_eq!(x.read_bytes, 32 * (64 + 8 - 2));
    }
}
