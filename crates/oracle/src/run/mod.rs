//! Running one launch: memory, threads as fibers, barriers, warps, asynchronous copies, checks, counts.
//!
//! The compiled kernel calls back into `hooks` with the address of one `Runtime`, which was fixed when the
//! kernel was compiled. Fibers and scheduler take turns on one host thread, so there is never more than one
//! user of the `Runtime` at a time; hooks reach it through the raw pointer the code carries.

pub mod barrier;
pub mod checks;
pub mod copies;
pub mod counts;
pub mod fiber;
pub mod hooks;
pub mod memory;
pub mod rounds;
pub mod schedule;
pub mod shadow;
pub mod thread;
pub mod warp;

use std::collections::HashMap;
use std::rc::Rc;

use crate::report::{Defect, Report, Who};
use crate::site::{AccessKind, Place, Site};
use counts::Tally;
use memory::{Memory, NONE};
use rounds::Barriers;
use shadow::Clock;
use thread::Thread;

/// Loop iterations a launch may take before it counts as endless.
pub const DEFAULT_FUEL: i64 = 4_000_000_000;
/// Iterations after which a fiber lets the others run, so that spinning on a neighbour can end.
const SLICE: i64 = 1_000_000;

/// What the compiled code reads directly: the running thread's special registers.
#[repr(C)]
#[derive(Default)]
pub struct Current {
    pub tid: [u32; 3],
    pub ntid: [u32; 3],
    pub ctaid: [u32; 3],
    pub nctaid: [u32; 3],
    pub lane: u32,
    pub warp: u32,
    /// Second result of the last warp operation.
    pub predicate: u32,
    pub dynamic_shared: u32,
    /// The thread's elements of the last matrix product.
    pub products: [u32; 4],
    /// The same of a product of doubles: what it is made of, in the order of the call, and then its elements in front.
    pub doubles: [f64; 16],
}

/// What the check in front of an access asks of its site, close together.
#[derive(Debug, Clone, Copy)]
pub struct Probe {
    /// Object that it must stay inside, or `NONE`.
    pub expected: u32,
    pub size: u32,
    pub align: u32,
    pub kind: AccessKind,
    pub atomic: bool,
}

/// State of one program's runs. Boxed: the compiled code holds its address.
pub struct Runtime {
    pub current: Current,
    /// A vector on its way through a masked access.
    pub lanes: [u128; 32],
    /// Number of the running thread in its block.
    pub thread: u32,
    pub block: u32,
    pub kernel: String,
    pub sites: Rc<[Site]>,
    /// What the check asks of each site; set per launch.
    pub probes: Vec<Probe>,
    pub memory: Memory,
    pub clock: Clock,
    pub threads: Vec<Thread>,
    pub live: u32,
    pub barriers: Barriers,
    pub tally: Option<Tally>,
    /// Executions of each basic block of the instrumented code.
    pub block_runs: Vec<u64>,
    /// Loops inside each loop, outermost first; for the iteration numbers that tell accesses apart.
    pub nested: Vec<Vec<u32>>,
    pub fuel: i64,
    pub slice: i64,
    pub reports: Vec<Report>,
    seen: HashMap<(Defect, u32, u32), usize>,
    /// Sites that read shared bytes nobody wrote.
    pub unwritten: Vec<Report>,
    /// Where refused accesses go instead.
    pub sink: Box<[u128; 256]>,
    /// The parameters' bytes, one after another, and where each starts.
    pub params: Vec<Vec<u8>>,
    pub entry: Option<extern "C" fn(*const *const u8)>,
    pub param_pointers: Vec<*const u8>,
}

impl Runtime {
    pub fn new(kernel: &str, static_shared: u64) -> Box<Runtime> {
        Box::new(Runtime {
            current: Current::default(),
            lanes: [0; 32],
            thread: 0,
            block: 0,
            kernel: kernel.into(),
            sites: Rc::new([]),
            probes: Vec::new(),
            memory: Memory::new(static_shared),
            clock: Clock::new(),
            threads: Vec::new(),
            live: 0,
            barriers: Barriers::default(),
            tally: None,
            block_runs: Vec::new(),
            nested: Vec::new(),
            fuel: DEFAULT_FUEL,
            slice: SLICE,
            reports: Vec::new(),
            seen: HashMap::new(),
            unwritten: Vec::new(),
            sink: Box::new([0; 256]),
            params: Vec::new(),
            entry: None,
            param_pointers: Vec::new(),
        })
    }

    /// Forgets everything the last launch left.
    pub fn reset(&mut self) {
        self.clock = Clock::new();
        self.reports.clear();
        self.seen.clear();
        self.unwritten.clear();
        self.tally = None;
        self.block_runs.fill(0);
        self.fuel = DEFAULT_FUEL;
        self.slice = SLICE;
    }

    /// The running thread.
    pub fn who(&self) -> Who {
        Who {
            thread: self.current.tid,
            block: self.current.ctaid,
        }
    }

    /// Thread `thread` of the running block.
    pub fn peer(&self, thread: u32) -> Who {
        Who {
            thread: unflatten(thread, self.current.ntid),
            block: self.current.ctaid,
        }
    }

    /// Where a site is; the kernel as a whole for what has no site.
    pub fn place(&self, site: u32) -> Place {
        let whole = || Place {
            function: self.kernel.clone(),
            ..Place::default()
        };
        self.sites
            .get(site as usize)
            .map_or_else(whole, |s| s.place.clone())
    }

    /// A report about the running thread at `site`, without an address.
    pub fn report(&mut self, defect: Defect, site: u32, detail: impl FnOnce() -> String) {
        self.report_at(
            defect,
            site,
            Spot {
                object: NONE,
                address: 0,
                size: 0,
            },
            None,
            detail,
        );
    }

    /// A report with address and array. Only the first of its kind, place and array is kept; the rest are counted.
    pub fn report_at(
        &mut self,
        defect: Defect,
        site: u32,
        spot: Spot,
        other: Option<(Who, Place)>,
        detail: impl FnOnce() -> String,
    ) {
        if let Some(index) = self.seen.get(&(defect, site, spot.object)) {
            self.reports[*index].count += 1;
            return;
        }
        self.seen
            .insert((defect, site, spot.object), self.reports.len());
        let report = self.describe(defect, site, spot, other, detail());
        self.reports.push(report);
    }

    pub fn describe(
        &self,
        defect: Defect,
        site: u32,
        spot: Spot,
        other: Option<(Who, Place)>,
        detail: String,
    ) -> Report {
        let object = self.memory.objects.get(spot.object as usize);
        Report {
            defect,
            kernel: self.kernel.clone(),
            place: self.place(site),
            who: self.who(),
            address: spot.address,
            array: object.map(|o| o.name.clone()).unwrap_or_default(),
            offset: object.map_or(0, |o| spot.address.wrapping_sub(o.base) as i64),
            size: spot.size,
            other,
            detail,
            count: 1,
        }
    }
}

/// Where in memory a report is.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    pub object: u32,
    pub address: u64,
    pub size: u64,
}

/// Thread or block number to its coordinates.
pub fn unflatten(number: u32, extent: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = extent.map(|e| e.max(1));
    [number % x, number / x % y, number / x / y]
}
