//! The launch a prediction is made for: block, grid, trip counts, and the values of arguments.
//!
//! The compiler knows none of these, so it predicts for a few *typical* launches: large arrays,
//! because small ones are over before any choice matters, and several sizes, because a choice must
//! hold for all of them. A test, or a tool that knows the arguments, gives exact ones.
//!
//! A typical launch fills the chip as its kernel allows: one thread per element where threads walk
//! short ways, fewer where each walks a long row, since arrays hold about [`ELEMENTS`] elements.

use super::super::analyses::Analyses;
use crate::access::Access;
use crate::affine::{Atom, Guard, Poly, Sense};
use crate::kernel::{Dim, ids};
use crate::machine::tuning::launch::{
    DATA_TRIP, ELEMENTS, ITERATIONS, LARGE, LEAST_THREADS, THREADS, WINDOW,
};
use crate::tree::LoopId;

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
    /// A launch whose block, grid and uniform values are known, the latter by symbol.
    pub fn exact(f: &Analyses, block: [f64; 3], grid: [f64; 3], symbols: Vec<f64>) -> Launch {
        let mut l = Launch {
            block,
            grid,
            symbols,
            trips: Vec::new(),
        };
        for i in 0..f.tree.loops.len() {
            let t = l.evaluated_trip(f, LoopId(i as u32));
            l.trips.push(t.unwrap_or(DATA_TRIP));
        }
        l
    }

    /// A launch with arrays of rows of `size` elements and blocks of `block` threads; one loop may
    /// be given its trip count.
    pub fn typical(
        f: &Analyses,
        block: [f64; 3],
        size: f64,
        trip: Option<(LoopId, f64)>,
    ) -> Launch {
        let reads = super::super::extent::thread_dimensions(f.affine);
        let line = !reads[1] && !reads[2];
        let threads = f
            .affine
            .guards
            .iter()
            .flatten()
            .flat_map(|(_, g)| limits(g));
        let threads: Vec<Atom> = threads.collect();
        let mut symbols = vec![size; f.affine.symbols.len()];
        // All pairs: the loop runs over as many elements as there are threads, as in n-body.
        let paired = f
            .affine
            .trips
            .iter()
            .flatten()
            .any(|t| line && t.span.atoms().iter().any(|a| threads.contains(a)));
        if paired {
            let side = if has_own_rows(f) {
                ELEMENTS
            } else {
                ITERATIONS
            };
            let n = block[0] * ((side.sqrt() * size / LARGE).min(side.sqrt()) / block[0]).ceil();
            for a in &threads {
                if let Atom::Symbol(s) = a {
                    symbols[s.index()] = n;
                }
            }
        }
        let mut l = Launch {
            block,
            grid: [1.0; 3],
            symbols,
            trips: Vec::new(),
        };
        for i in 0..f.tree.loops.len() {
            let t = l.typical_trip(f, LoopId(i as u32), trip);
            l.trips.push(t);
        }
        l.grid = match reads {
            [_, _, true] => l.cube(256.0),
            [_, true, _] => l.square(size.min(LARGE)),
            _ if paired => {
                let n = threads.iter().map(|a| l.range(*a).1).fold(1.0, f64::max);
                [(n / block[0]).ceil(), 1.0, 1.0]
            }
            _ => [l.typical_line(f), 1.0, 1.0],
        };
        l.zero_numbers_of_single_blocks(f);
        l
    }

    /// What is made of a block's number along dimensions that have one block is 0.
    fn zero_numbers_of_single_blocks(&mut self, f: &Analyses) {
        let many = self.grid.map(|n| n > 1.0);
        let single = many.map(|m| !m);
        for (symbol, size) in f.affine.symbols.iter().zip(&mut self.symbols) {
            let value = f.kernel.value(symbol.value);
            if ids::reads_block_id(value, single) && !ids::reads_block_id(value, many) {
                *size = 0.0;
            }
        }
    }

    fn typical_trip(&self, f: &Analyses, l: LoopId, given: Option<(LoopId, f64)>) -> f64 {
        let known = f
            .affine
            .uniform_trip(l)
            .is_some_and(|t| t.span.as_constant().is_some() && t.step.as_constant().is_some());
        match (self.evaluated_trip(f, l), given) {
            (_, Some((x, t))) if x == l => t,
            (Some(t), _) if known => t,
            (Some(t), _) if is_window(f, l) => t.min(WINDOW),
            (Some(t), _) => t,
            (None, _) => DATA_TRIP,
        }
    }

    /// Blocks such that neither arrays nor the work become larger than what is typical.
    fn typical_line(&self, f: &Analyses) -> f64 {
        let (mut own, mut work) = (1.0f64, 1.0f64);
        for a in &f.accesses.list {
            let loops = f
                .node_of(a.id)
                .map_or(Vec::new(), |n| f.tree.enclosing_loops(n));
            let runs: f64 = loops.iter().map(|l| self.trip(*l)).product();
            work = work.max(runs);
            let mine = own_loops(f, a).into_iter().map(|l| self.trip(l));
            own = own.max(mine.product());
        }
        let threads = THREADS
            .min(ELEMENTS / own)
            .min(ITERATIONS / work)
            .max(LEAST_THREADS);
        (threads / self.threads()).ceil().max(1.0)
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
    fn evaluated_trip(&self, f: &Analyses, l: LoopId) -> Option<f64> {
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

/// Loops over elements that no other thread reads: a row of its own, not a window or a broadcast.
fn own_loops(f: &Analyses, a: &Access) -> Vec<LoopId> {
    let Some(x) = f.affine.address(a.id) else {
        return Vec::new();
    };
    let outer = f
        .node_of(a.id)
        .map_or(Vec::new(), |n| f.tree.enclosing_loops(n));
    let mine = |l: &LoopId| x.index.mentions(Atom::Iter(*l)) && !is_window(f, *l);
    let threads = x.index.any(|a| matches!(a, Atom::Tid(_)));
    outer.into_iter().filter(|l| threads && mine(l)).collect()
}

fn has_own_rows(f: &Analyses) -> bool {
    f.accesses.iter().any(|a| !own_loops(f, a).is_empty())
}

/// The uniform values that a guard on a thread index compares with.
fn limits(g: &Guard) -> Vec<Atom> {
    match g {
        Guard::Linear {
            terms,
            sense: Sense::AtMost,
            limit,
            ..
        } if terms.iter().any(|(a, _)| matches!(a, Atom::Tid(_))) => {
            let symbol = |a: &Atom| matches!(a, Atom::Symbol(_));
            limit.atoms().into_iter().filter(symbol).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a loop's number is added to a thread index of an address with the same factor, so that
/// neighbouring threads read almost the same elements.
fn is_window(f: &Analyses, l: LoopId) -> bool {
    let same_factor = |p: &Poly| {
        let Some((c, _)) = p.split(Atom::varies) else {
            return false;
        };
        let Some(k) = c.get(&Atom::Iter(l)) else {
            return false;
        };
        Dim::ALL.iter().any(|d| c.get(&Atom::Tid(*d)) == Some(k))
    };
    let address = |a: &crate::access::Access| f.affine.address(a.id).map(|x| x.index.clone());
    let direct = f.accesses_in(l).filter_map(address);
    direct
        .chain(f.affine.clamps.iter().map(|c| c.varying.clone()))
        .any(|p| same_factor(&p))
}
