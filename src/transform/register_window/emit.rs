//! Loops that all replicas run together over windows kept in registers (`plan::register_window`).
//!
//! ```text
//! w[0..R] = tile[tid*R ..]                            for the first iteration
//! while (U more)  { w[(k+R) % len] = tile[tid*R + R + k]; s_j += w[(k+j) % len] }  U times over
//! if (1 more) {…} if (1 more) {…} …                   what is left, at most U - 1 iterations
//! ```
//! `w` rotates: cell `x` of the window is at `x % len`, and a run of `U` iterations comes back to
//! where it began, so that no value moves. Cells are read as late as an iteration needs them, several
//! at once; the back end moves the reads up. The iterations left over run one by one, each behind its
//! own test, with the same code.

use crate::affine::{Atom, Poly};
use crate::llvm::ir::Value;
use crate::lower::Lower;
use crate::lower::state::{Instead, Iteration, KEEP, Predicates, ServedBy, Site, Slot};
use crate::map::HashMap;
use crate::plan::{Member, Reuse};
use crate::tree::LoopId;

/// A load whose cells are kept.
struct OpenWindow {
    load: Value,
    served: ServedBy,
    reuse: Reuse,
    /// Replicas along the window.
    replicas: usize,
    /// By the replica a window begins with.
    rotating: HashMap<usize, Vec<Slot>>,
    /// Cells read so far, from the run's first iteration.
    read: usize,
}

impl OpenWindow {
    fn width(&self) -> usize {
        self.reuse.width as usize
    }
    /// Cells that a run finds read: those that the iteration before it has left.
    fn before(&self) -> usize {
        (self.replicas - 1).next_multiple_of(self.width())
    }
    /// Registers of the window.
    fn length(&self) -> usize {
        self.before() + self.width()
    }
}

/// A loop being run so.
struct Run {
    loop_: LoopId,
    all: Vec<OpenWindow>,
    /// The first iteration of the run.
    counter: Slot,
    /// The one that is emitted, counted from there.
    at: usize,
}

impl Lower<'_> {
    /// Runs `l` for all replicas with windows in registers, if loads of it have any; whether it does.
    pub(crate) fn emit_over_windows(&mut self, l: LoopId, pred: &Predicates) -> bool {
        let windows = self.open_windows(l);
        let has_some = !windows.is_empty();
        if has_some {
            self.emit_windows(l, windows, pred);
        }
        has_some
    }

    /// The window of a load that a tile serves.
    fn window_of(&self, load: Value) -> Option<Reuse> {
        let tiles = self.from.plan.regions.iter().flat_map(|r| &r.tiles);
        let mut members = tiles.flat_map(|t| &t.members);
        let value = |m: &Member| self.from.accesses.get(m.access).value;
        let found = members.find(|m| self.from.kernel.value(value(m)) == load);
        found?.reuse
    }

    /// The loads of `l` whose windows are to be kept in registers.
    fn open_windows(&mut self, l: LoopId) -> Vec<OpenWindow> {
        let mut out = Vec::new();
        for b in &self.from.tree.loop_(l).blocks {
            for i in self.from.kernel.block(*b).instructions() {
                let Some(Instead::Tile(served)) = self.instead.get(&i).cloned() else {
                    continue;
                };
                if let Some(w) = self.window_of(i).filter(|s| s.loop_ == l) {
                    let replicas = w.replicas(self.replicas.merge.factor);
                    out.push(OpenWindow {
                        load: i,
                        served,
                        reuse: w,
                        replicas: replicas as usize,
                        rotating: HashMap::default(),
                        read: 0,
                    });
                }
            }
        }
        out
    }

    /// Runs `l` for all replicas, with the windows of `all` in registers.
    fn emit_windows(&mut self, l: LoopId, all: Vec<OpenWindow>, pred: &Predicates) {
        let trip = self.eval(&Poly::atom(Atom::Trip(l)));
        let trip = self.b.trunc(trip, self.b.i32());
        let counter = self.new_slot(self.b.i32());
        self.set(counter, self.b.int(0));
        let unroll = run_length(&all);
        let mut run = Run {
            loop_: l,
            all,
            counter,
            at: 0,
        };
        self.begin_rotating(&mut run);
        self.emit_full_runs(&mut run, trip, unroll, pred);
        self.emit_last_run(&mut run, trip, unroll, pred);
        self.iterations.remove(&l);
        for s in run.all {
            self.instead.insert(s.load, Instead::Tile(s.served));
        }
    }

    fn emit_full_runs(&mut self, run: &mut Run, trip: Value, unroll: usize, pred: &Predicates) {
        let length = self.b.int(unroll as i64);
        let (again, rest) = (self.new_block("mesi.slide"), self.new_block("mesi.rest"));
        self.b.cond_br(self.b.at_most(length, trip), again, rest);
        self.b.at_end(again);
        for _ in 0..unroll {
            self.emit_run_iteration(run, pred);
        }
        let next = self.b.add_nsw(self.get(run.counter), length);
        self.set(run.counter, next);
        run.restart();
        let end = self.b.add_nsw(next, length);
        let branch = self.b.cond_br(self.b.at_most(end, trip), again, rest);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(rest);
    }

    fn emit_last_run(&mut self, run: &mut Run, trip: Value, unroll: usize, pred: &Predicates) {
        let done = self.new_block("mesi.done");
        for k in 0..unroll - 1 {
            let body = self.new_block("mesi.slide");
            let now = self
                .b
                .cells_plus(self.get(run.counter), self.b.int(k as i64));
            self.b.cond_br(self.b.below(now, trip), body, done);
            self.b.at_end(body);
            self.emit_run_iteration(run, pred);
        }
        self.b.br(done);
        self.b.at_end(done);
    }

    /// The next iteration of the run, for all replicas.
    fn emit_run_iteration(&mut self, run: &mut Run, pred: &Predicates) {
        for k in 0..run.all.len() {
            if run.all[k].read < run.at + run.all[k].replicas {
                self.read_ahead(run, k);
            }
        }
        for s in &run.all {
            let by_replica = (0..self.replicas.count())
                .map(|replica| self.get(self.register_of(s, run.at, replica)));
            let by_replica = Instead::Loaded(by_replica.collect());
            self.instead.insert(s.load, by_replica);
        }
        self.iterations.insert(run.loop_, run.iteration(run.at));
        self.emit_jam_iteration(run.loop_, pred);
        run.at += 1;
    }

    /// Makes the rotating registers, and reads what the first iteration finds in them.
    fn begin_rotating(&mut self, run: &mut Run) {
        for k in 0..run.all.len() {
            let (load, length) = (run.all[k].load, run.all[k].length());
            let (along, before) = (run.all[k].reuse.along, run.all[k].before());
            let mask = self.replicas.mask(load) & !along.map_or(0, |d| 1 << d.index());
            let mut rotating = HashMap::default();
            for replica in 0..self.replicas.count() {
                let first = self.replicas.representative(replica, mask);
                let registers = || (0..length).map(|_| self.new_slot(load.ty())).collect();
                rotating.entry(first).or_insert_with(registers);
            }
            run.all[k].rotating = rotating;
            while run.all[k].read < before {
                self.read_ahead(run, k);
            }
        }
    }

    /// Reads the next cells of window `k`, for each replica that one begins with.
    fn read_ahead(&mut self, run: &mut Run, k: usize) {
        let l = run.loop_;
        self.iterations.insert(l, run.iteration(run.all[k].read));
        let s = &mut run.all[k];
        let (first, width, length) = (s.read, s.width(), s.length());
        s.read += width;
        let (load, served) = (s.load, s.served.clone());
        let mut rotating: Vec<(usize, Vec<Slot>)> =
            s.rotating.iter().map(|(l, r)| (*l, r.clone())).collect();
        crate::order::sort_by_key(&mut rotating, |(replica, _)| *replica);
        let site = Site {
            block: self.from.tree.loop_(l).header,
            local: HashMap::default(),
        };
        self.b.locate_as(load);
        for (replica, registers) in rotating {
            self.replica = replica;
            let at = self.tile_address(&served, &site);
            let unit = served.window.unit;
            if width == 1 {
                let v = self.b.load(load.ty(), at, load.alignment().min(unit));
                self.set(registers[first % length], v);
                continue;
            }
            let ty = load.ty().vector(width as u32);
            let all = self.b.load(ty, at, unit * width as u32);
            for n in 0..width {
                let v = self.b.extract(all, n as u32);
                self.set(registers[(first + n) % length], v);
            }
        }
        self.replica = 0;
        self.b.locate_nowhere();
    }

    /// What holds what a replica reads in iteration `at` of the run.
    fn register_of(&self, s: &OpenWindow, at: usize, replica: usize) -> Slot {
        let place = match s.reuse.along {
            Some(d) => self.replicas.places[replica][d.index()] as usize,
            None => 0,
        };
        let mask = self.replicas.mask(s.load) & !s.reuse.along.map_or(0, |d| 1 << d.index());
        let registers = &s.rotating[&self.replicas.representative(replica, mask)];
        registers[(at + place) % s.length()]
    }
}

impl Run {
    /// The iteration so many past the first one.
    fn iteration(&self, ahead: usize) -> Iteration {
        Iteration::Counted {
            counter: self.counter,
            ahead: Some(ahead as i64),
        }
    }

    /// Begins where the one before has ended.
    fn restart(&mut self) {
        for s in &mut self.all {
            s.read -= self.at;
            debug_assert_eq!(s.read, s.before());
        }
        self.at = 0;
    }
}

/// Iterations of a run: every window comes back to where it began.
fn run_length(all: &[OpenWindow]) -> usize {
    let mut lengths: Vec<usize> = all.iter().map(OpenWindow::length).collect();
    crate::order::sort_by(&mut lengths, |a, b| b.cmp(a));
    lengths.into_iter().fold(1, lcm)
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
