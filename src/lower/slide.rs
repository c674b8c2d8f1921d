//! Loops that all lanes run together over windows kept in registers (`plan::slide`).
//!
//! ```text
//! w[0..R] = tile[tid*R ..]                            for the first iteration
//! while (U more)  { w[(k+R) % len] = tile[tid*R + R + k]; s_j += w[(k+j) % len] }  U times over
//! if (1 more) {…} if (1 more) {…} …                   what is left, at most U - 1 iterations
//! ```
//! `w` is a ring: cell `x` of the window is at `x % len`, and a run of `U` iterations comes back to
//! where it began, so that no value moves. Cells are read as late as an iteration needs them, several
//! at once; the back end moves the reads up. The iterations left over run one by one, each behind its
//! own test, with the same code.

use super::Lower;
use super::state::{Instead, Iteration, KEEP, Predicates, Run, Site, Sliding, Slot};
use crate::affine::{Atom, Poly};
use crate::kernel::BlockId;
use crate::llvm::ir::Value;
use crate::tree::LoopId;
use std::collections::HashMap;

impl Lower<'_> {
    /// The loads of `l` whose windows are to be kept in registers.
    pub(super) fn sliding(&mut self, l: LoopId) -> Vec<Sliding> {
        let mut out = Vec::new();
        for b in &self.from.tree.loop_(l).blocks {
            for i in self.from.kernel.block(*b).instructions() {
                let Some(Instead::Tile(served)) = self.instead.get(&i).cloned() else {
                    continue;
                };
                if let Some(slide) = served.slide.filter(|s| s.loop_ == l) {
                    let lanes = slide.along.map_or(1, |d| self.lanes.merge.along(d));
                    out.push(Sliding {
                        load: i,
                        served,
                        slide,
                        lanes: lanes as usize,
                        rings: HashMap::new(),
                        read: 0,
                    });
                }
            }
        }
        out
    }

    /// The blocks of the loop that is run so, if one is.
    pub(super) fn run_blocks(&self) -> Option<&[BlockId]> {
        let run = self.run.as_ref()?;
        Some(&self.from.tree.loop_(run.loop_).blocks)
    }

    /// Runs `l` for all lanes, with the windows of `all` in registers.
    pub(super) fn emit_loop_sliding(&mut self, l: LoopId, all: Vec<Sliding>, pred: &Predicates) {
        let trip = self.eval(&Poly::atom(Atom::Trip(l)));
        let trip = self.b.trunc(trip, self.b.i32());
        let counter = self.new_slot(self.b.i32());
        self.set(counter, self.b.int(0));
        let unroll = run_length(&all);
        self.run = Some(Run {
            loop_: l,
            all,
            at: 0,
        });
        self.begin_rings(counter);
        self.emit_full_runs(counter, trip, unroll, pred);
        self.emit_last_run(counter, trip, unroll, pred);
        self.iterations.remove(&l);
        self.run = None;
    }

    fn emit_full_runs(&mut self, counter: Slot, trip: Value, unroll: usize, pred: &Predicates) {
        let length = self.b.int(unroll as i64);
        let (again, rest) = (self.new_block("mesi.slide"), self.new_block("mesi.rest"));
        self.b.cond_br(self.b.at_most(length, trip), again, rest);
        self.b.at_end(again);
        for _ in 0..unroll {
            self.emit_run_iteration(counter, pred);
        }
        let next = self.b.add_nsw(self.get(counter), length);
        self.set(counter, next);
        self.restart_run();
        let end = self.b.add_nsw(next, length);
        let branch = self.b.cond_br(self.b.at_most(end, trip), again, rest);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(rest);
    }

    fn emit_last_run(&mut self, counter: Slot, trip: Value, unroll: usize, pred: &Predicates) {
        let done = self.new_block("mesi.done");
        for k in 0..unroll - 1 {
            let body = self.new_block("mesi.slide");
            let now = self.b.cells_plus(self.get(counter), self.b.int(k as i64));
            self.b.cond_br(self.b.below(now, trip), body, done);
            self.b.at_end(body);
            self.emit_run_iteration(counter, pred);
        }
        self.b.br(done);
        self.b.at_end(done);
    }

    /// The next iteration of the run, for all lanes.
    fn emit_run_iteration(&mut self, counter: Slot, pred: &Predicates) {
        let run = self.run.as_ref().expect("a loop runs");
        let (l, at) = (run.loop_, run.at);
        for k in 0..run.all.len() {
            let run = self.run.as_ref().expect("a loop runs");
            if run.all[k].read < at + run.all[k].lanes {
                self.read_ahead(k, counter);
            }
        }
        let ahead = at as i64;
        let base = counter;
        self.iterations.insert(l, Iteration::Run { base, ahead });
        self.emit_jam_iteration(l, pred);
        self.run.as_mut().expect("a loop runs").at += 1;
    }

    /// Begins a run where the one before has ended.
    fn restart_run(&mut self) {
        let run = self.run.as_mut().expect("a loop runs");
        for s in &mut run.all {
            s.read -= run.at;
            debug_assert_eq!(s.read, s.before());
        }
        run.at = 0;
    }

    /// Makes the rings, and reads what the first iteration finds in them.
    fn begin_rings(&mut self, counter: Slot) {
        for k in 0..self.run.as_ref().expect("a loop runs").all.len() {
            let run = self.run.as_ref().expect("a loop runs");
            let (load, length) = (run.all[k].load, run.all[k].length());
            let (along, before) = (run.all[k].slide.along, run.all[k].before());
            let mask = self.lanes.mask(load) & !along.map_or(0, |d| 1 << d.index());
            let mut rings = HashMap::new();
            for lane in 0..self.lanes.count() {
                let first = self.lanes.representative(lane, mask);
                let ring = || (0..length).map(|_| self.new_slot(load.ty())).collect();
                rings.entry(first).or_insert_with(ring);
            }
            let run = self.run.as_mut().expect("a loop runs");
            run.all[k].rings = rings;
            while self.run.as_ref().expect("a loop runs").all[k].read < before {
                self.read_ahead(k, counter);
            }
        }
    }

    /// Reads the next cells of window `k`, for each lane that one begins with.
    fn read_ahead(&mut self, k: usize, counter: Slot) {
        let run = self.run.as_mut().expect("a loop runs");
        let l = run.loop_;
        let s = &mut run.all[k];
        let (first, width, length) = (s.read, s.width(), s.length());
        s.read += width;
        let (load, served) = (s.load, s.served.clone());
        let mut rings: Vec<(usize, Vec<Slot>)> =
            s.rings.iter().map(|(l, r)| (*l, r.clone())).collect();
        crate::order::sort_by_key(&mut rings, |(lane, _)| *lane);
        let ahead = first as i64;
        let base = counter;
        self.iterations.insert(l, Iteration::Run { base, ahead });
        let site = Site {
            block: self.from.tree.loop_(l).header,
            local: HashMap::new(),
        };
        self.b.locate_as(load);
        for (lane, ring) in rings {
            self.lane = lane;
            let at = self.tile_address(&served, &site);
            let unit = served.window.unit;
            if width == 1 {
                let v = self.b.load(load.ty(), at, load.alignment().min(unit));
                self.set(ring[first % length], v);
                continue;
            }
            let ty = load.ty().vector(width as u32);
            let all = self.b.load(ty, at, unit * width as u32);
            for n in 0..width {
                let v = self.b.extract(all, n as u32);
                self.set(ring[(first + n) % length], v);
            }
        }
        self.lane = 0;
        self.b.locate_nowhere();
    }

    /// What the current lane reads in this iteration, where the load's window is in registers.
    pub(super) fn slid(&mut self, i: Value) -> Option<Value> {
        let run = self.run.as_ref()?;
        let s = run.all.iter().find(|s| s.load == i)?;
        let place = match s.slide.along {
            Some(d) => self.lanes.places[self.lane][d.index()] as usize,
            None => 0,
        };
        let mask = self.lanes.mask(i) & !s.slide.along.map_or(0, |d| 1 << d.index());
        let ring = &s.rings[&self.lanes.representative(self.lane, mask)];
        let slot = ring[(run.at + place) % s.length()];
        Some(self.get(slot))
    }
}

/// Iterations of a run: every ring comes back to where it began.
fn run_length(all: &[Sliding]) -> usize {
    let mut lengths: Vec<usize> = all.iter().map(Sliding::length).collect();
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
