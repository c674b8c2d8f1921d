//! The launch a prediction is made for: block, grid, trip counts, and the values of arguments.
//!
//! The compiler knows none of these, so it predicts for a few *typical* launches: large arrays,
//! because small ones are over before any choice matters, and several sizes, because a choice must
//! hold for all of them. A test, or a tool that knows the arguments, gives exact ones.
//!
//! A typical launch fills the chip as its kernel allows: one thread per element where threads walk
//! short ways, fewer where each walks a long row, since arrays hold about [`ELEMENTS`] elements.

use super::super::legality::Facets;
use crate::affine::{Atom, Poly, Symbol};
use crate::kernel::Dim;
use crate::tree::LoopId;

/// Elements of a large array: 256 MiB of floats, five times the L2 of the largest chip known.
const ELEMENTS: f64 = (1u64 << 26) as f64;
/// Innermost iterations of a typical launch in all, as a product of order 2048 has.
const ITERATIONS: f64 = (1u64 << 33) as f64;
/// Threads of a typical launch at most.
const THREADS: f64 = (1u64 << 24) as f64;
/// Iterations of a window: a loop whose number is added to a thread index, `x[i + k]`.
const WINDOW: f64 = 32.0;
/// Iterations of a loop whose number does not follow from arguments: it runs until data ends it.
const DATA_TRIP: f64 = 16.0;

/// One launch, as numbers. Floating point, so that products of sizes do not overflow.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// Threads of a block.
    pub block: [f64; 3],
    /// Blocks.
    pub grid: [f64; 3],
    /// By symbol.
    pub symbols: Vec<f64>,
    /// By loop.
    pub trips: Vec<f64>,
}

impl Launch {
    /// A launch whose block, grid and uniform values are known.
    pub fn exact(
        f: &Facets,
        block: [f64; 3],
        grid: [f64; 3],
        symbol: impl Fn(&Symbol) -> f64,
    ) -> Launch {
        let mut l = Launch {
            block,
            grid,
            symbols: f.affine.symbols.iter().map(symbol).collect(),
            trips: Vec::new(),
        };
        for i in 0..f.tree.loops.len() {
            let t = l.evaluated_trip(f, LoopId(i as u32));
            l.trips.push(t.unwrap_or(DATA_TRIP));
        }
        l
    }

    /// A launch with arrays of rows of `size` elements and blocks of `block` threads.
    pub fn typical(f: &Facets, block: [f64; 3], size: f64) -> Launch {
        let mut l = Launch {
            block,
            grid: [1.0; 3],
            symbols: vec![size; f.affine.symbols.len()],
            trips: Vec::new(),
        };
        for i in 0..f.tree.loops.len() {
            let id = LoopId(i as u32);
            let known = f
                .affine
                .uniform_trip(id)
                .is_some_and(|t| t.span.as_constant().is_some() && t.step.as_constant().is_some());
            let t = match l.evaluated_trip(f, id) {
                Some(t) if known => t,
                Some(t) if is_window(f, id) => t.min(WINDOW),
                Some(t) => t.min(size),
                None => DATA_TRIP,
            };
            l.trips.push(t);
        }
        l.grid = l.typical_grid(f, size);
        l
    }

    /// Blocks such that neither arrays nor the work become larger than what is typical.
    fn typical_grid(&self, f: &Facets, size: f64) -> [f64; 3] {
        let (mut own, mut work) = (1.0f64, 1.0f64);
        for a in &f.accesses.list {
            let loops = f
                .node_of(a.id)
                .map_or(Vec::new(), |n| f.tree.loops_around(n));
            let runs: f64 = loops.iter().map(|l| self.trip(*l)).product();
            work = work.max(runs);
            let Some(address) = f.affine.address(a.id) else {
                continue;
            };
            // Elements that no other thread reads: a row of its own, not a window or a broadcast.
            let mine = |l: &&LoopId| address.index.mentions(Atom::Iter(**l)) && !is_window(f, **l);
            let threads = address.index.any(|a| matches!(a, Atom::Tid(_)));
            if threads {
                own = own.max(loops.iter().filter(mine).map(|l| self.trip(*l)).product());
            }
        }
        let reads = super::super::extent::thread_dimensions(f.affine);
        let threads: f64 = self.block.iter().product();
        let limit = |threads_wanted: f64| (threads_wanted / threads).ceil().max(1.0);
        match reads {
            [_, _, true] => self.cube(256.0),
            [_, true, _] => self.square(size.min(4096.0)),
            _ => [
                limit(THREADS.min(ELEMENTS / own).min(ITERATIONS / work)),
                1.0,
                1.0,
            ],
        }
    }

    fn square(&self, side: f64) -> [f64; 3] {
        [
            (side / self.block[0]).ceil(),
            (side / self.block[1]).ceil(),
            1.0,
        ]
    }

    fn cube(&self, side: f64) -> [f64; 3] {
        self.block.map(|b| (side / b).ceil())
    }

    /// The trip count from its formula; `None` where there is none.
    fn evaluated_trip(&self, f: &Facets, l: LoopId) -> Option<f64> {
        let t = f.affine.trips[l.index()].as_ref().ok()?;
        let step = self.eval(&t.step);
        if step <= 0.0 {
            return None;
        }
        Some((self.eval(&t.span) / step).ceil().max(f64::from(t.least)))
    }

    /// How often a loop runs.
    pub fn trip(&self, l: LoopId) -> f64 {
        self.trips.get(l.index()).copied().unwrap_or(DATA_TRIP)
    }

    /// Threads of a block.
    pub fn threads(&self) -> f64 {
        self.block.iter().product()
    }

    /// Blocks of the grid.
    pub fn blocks(&self) -> f64 {
        self.grid.iter().product()
    }

    /// Values an atom takes, first and last.
    pub fn range(&self, a: Atom) -> (f64, f64) {
        let up_to = |n: f64| (0.0, (n - 1.0).max(0.0));
        let same = |x: f64| (x, x);
        match a {
            Atom::Tid(d) => up_to(self.block[d.index()]),
            Atom::Ctaid(d) => up_to(self.grid[d.index()]),
            Atom::Iter(l) => up_to(self.trip(l)),
            Atom::Ntid(d) => same(self.block[d.index()]),
            Atom::Nctaid(d) => same(self.grid[d.index()]),
            Atom::Trip(l) => same(self.trip(l)),
            Atom::Symbol(s) => same(self.symbols[s.index()]),
            Atom::Clamp(_) => same(0.0),
        }
    }

    /// The value in the middle of the grid, block and loops.
    pub fn eval(&self, p: &Poly) -> f64 {
        let middle = |a: &Atom| {
            let (lo, hi) = self.range(*a);
            (lo + hi) / 2.0
        };
        p.terms()
            .map(|(m, c)| c as f64 * m.iter().map(middle).product::<f64>())
            .sum()
    }

    /// Bounds of the value over the whole launch, term by term.
    pub fn bounds(&self, p: &Poly) -> (f64, f64) {
        let mut sum = (0.0, 0.0);
        for (m, c) in p.terms() {
            let (lo, hi) = m.iter().fold((1.0, 1.0), |(l, h), a| {
                let (x, y) = self.range(*a);
                let all = [l * x, l * y, h * x, h * y];
                (
                    all.iter().copied().fold(f64::INFINITY, f64::min),
                    all.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                )
            });
            let k = c as f64;
            sum.0 += (lo * k).min(hi * k);
            sum.1 += (lo * k).max(hi * k);
        }
        sum
    }
}

/// Whether a loop's number is added to a thread index of an address with the same factor, so that
/// neighbouring threads read almost the same elements.
fn is_window(f: &Facets, l: LoopId) -> bool {
    let same_factor = |p: &Poly| {
        let Some((c, _)) = p.split(Atom::varies) else {
            return false;
        };
        let Some(k) = c.get(&Atom::Iter(l)) else {
            return false;
        };
        Dim::ALL.iter().any(|d| c.get(&Atom::Tid(*d)) == Some(k))
    };
    let inside = |a: &crate::access::Access| f.tree.loop_(l).blocks.contains(&a.block);
    let address = |a: &crate::access::Access| f.affine.address(a.id).map(|x| x.index.clone());
    let direct = f
        .accesses
        .list
        .iter()
        .filter(|a| inside(a))
        .filter_map(address);
    direct
        .chain(f.affine.clamps.iter().map(|c| c.varying.clone()))
        .any(|p| same_factor(&p))
}
