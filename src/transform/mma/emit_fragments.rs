//! What warps have of the operands and of the sums.
//!
//! Eight lines of an operand are an octet, of which four lanes have one line each. An instruction takes two octets of
//! rows and one of cols, and the layout of its sums is the same for all types (PTX ISA): two neighbours of one row,
//! and two of the row eight below.

use super::emit_body::Body;
use super::emit_warp_lane::WarpLane;
use super::plan::Numbers;
use super::{Side, emit_bytes, emit_doubles, emit_floats};
use crate::llvm::ir::{Block, Builder, Value};
use crate::machine::tuning::mma::GROUP;

/// What a warp takes of strips.
pub struct Fragments {
    pub warp_lane: WarpLane,
    /// Where the lane begins to load, of either side.
    from: [Vec<Value>; 2],
}

impl Fragments {
    pub fn new(body: &Body) -> Fragments {
        let (b, warp_lane) = (body.b, WarpLane::new(body));
        let from = [0, 1].map(|k| {
            let all = match body.mma.numbers {
                Numbers::Bytes { .. } => emit_bytes::from(body, k, &warp_lane),
                Numbers::Doubles { .. } => emit_doubles::from(body, k, &warp_lane),
                Numbers::Floats { .. } => vec![emit_floats::from(body, k, &warp_lane)],
            };
            let begin = b.int(if k == 0 {
                0
            } else {
                body.shape.strip(0).into()
            });
            all.into_iter().map(|at| b.plus(at, begin)).collect()
        });
        Fragments { warp_lane, from }
    }

    /// Where the lane begins to load from the strips of both operands at `stage`.
    fn of_stage(&self, body: &Body, stage: Value) -> [Vec<Value>; 2] {
        let at = |from: &Vec<Value>| from.iter().map(|at| body.b.add(stage, *at)).collect();
        self.from.each_ref().map(at)
    }
}

/// Where the line `n` of an octet lies among those of the side's group.
type Place = fn(&Builder, &Side, u32, Value) -> Value;

/// A thread's sums: of tensor cores four of each instruction's, in the order of those down and then along.
pub struct Sums(Vec<Value>);

impl Sums {
    /// As many as a thread has.
    pub fn all(body: &Body, one: impl FnMut() -> Value) -> Sums {
        Sums(
            std::iter::repeat_with(one)
                .take(body.shape.sums() as usize)
                .collect(),
        )
    }

    /// With the products of the strips at `stage`: of the loop's `rest` are left, these and those behind them.
    pub fn multiplied(
        &self,
        body: &Body,
        fragments: &Fragments,
        stage: Value,
        rest: Value,
    ) -> Sums {
        let from = fragments.of_stage(body, stage);
        let mut sums = self.0.clone();
        match body.mma.numbers {
            Numbers::Bytes { signed } => {
                let lines = [0, 1].map(|k| emit_bytes::load(body, k, &from[k]));
                emit_bytes::multiply(body, signed, &lines, &mut sums);
            }
            Numbers::Doubles { .. } => {
                let mut lines = [0, 1].map(|k| emit_doubles::load(body, k, &from[k]));
                emit_doubles::end(body, &fragments.warp_lane, rest, &mut lines[0]);
                emit_doubles::multiply(body, &lines, &mut sums);
            }
            Numbers::Floats { .. } => sums = emit_floats::multiplied(body, &from, rest, &sums),
        }
        Sums(sums)
    }

    /// These where control comes from the first block, `other` from the second.
    pub fn joined(&self, body: &Body, other: &Sums, from: [Block; 2]) -> Sums {
        let all = self.0.iter().zip(&other.0).map(|(mine, other)| {
            let phi = body.b.phi(mine.ty());
            phi.add_incoming(*mine, from[0]);
            phi.add_incoming(*other, from[1]);
            phi
        });
        Sums(all.collect())
    }

    /// Has these, phis, be `others` where control comes from a block.
    pub fn add_incoming(&self, others: &Sums, from: Block) {
        for (phi, other) in self.0.iter().zip(&others.0) {
            phi.add_incoming(*other, from);
        }
    }

    /// Stores them in shared memory, from the warp's first row on.
    pub fn keep(&self, body: &Body, warp_lane: &WarpLane) {
        let (b, wide) = (body.b, chunk(body));
        let places = places(body, warp_lane);
        for (n, sums) in (0..).zip(self.0.chunks(wide as usize)) {
            let at = places(n);
            let mut all = sums[0];
            if wide > 1 {
                all = body.sum_type().vector(wide).poison();
                for (e, sum) in (0..).zip(sums) {
                    all = b.insert_element(all, *sum, e);
                }
            }
            b.store(all, at, wide * body.shape.sum);
        }
    }

    /// As many, from where these would be stored.
    pub fn take(&self, body: &Body, warp_lane: &WarpLane) -> Sums {
        let (b, wide) = (body.b, chunk(body));
        let (places, bytes) = (places(body, warp_lane), wide * body.shape.sum);
        let all = (0..body.shape.sums() / wide).flat_map(|n| {
            let at = places(n);
            if wide == 1 {
                return vec![b.load(body.sum_type(), at, bytes)];
            }
            let chunk = b.load(body.sum_type().vector(wide), at, bytes);
            (0..wide).map(|e| b.extract(chunk, e)).collect()
        });
        Sums(all.collect())
    }
}

/// Sums of a thread that lie side by side.
fn chunk(body: &Body) -> u32 {
    match body.mma.numbers {
        Numbers::Bytes { .. } | Numbers::Doubles { .. } => 1,
        Numbers::Floats { .. } => emit_floats::elements(body),
    }
}

/// Where the next of a thread's sums lie in shared memory, behind a number of times so many.
fn places<'a>(body: &'a Body, warp_lane: &'a WarpLane) -> Box<dyn Fn(u32) -> Value + 'a> {
    match body.mma.numbers {
        Numbers::Bytes { .. } => of_octets(body, warp_lane, emit_bytes::place),
        Numbers::Doubles { .. } => of_octets(body, warp_lane, emit_doubles::place),
        Numbers::Floats { .. } => emit_floats::places(body, warp_lane),
    }
}

/// Where a sum lies, where octets' lines lie as `place` says.
fn of_octets<'a>(
    body: &'a Body,
    warp_lane: &'a WarpLane,
    place: Place,
) -> Box<dyn Fn(u32) -> Value + 'a> {
    let (b, sides, shape) = (body.b, &body.mma.sides, body.shape);
    let first = b.scaled(warp_lane.warp[1], i64::from(shape.groups(1) * GROUP));
    let cols = shape.each_warp()[1];
    Box::new(move |sum| {
        let line = |k: usize, octet: u32, n: Value| {
            let group = b.int(i64::from(octet / 4 * GROUP));
            b.plus(place(b, &sides[k], octet % 4, n), group)
        };
        let [down, along, k] = [sum / 4 / cols, sum / 4 % cols, sum % 4];
        let row = line(0, 2 * down + k / 2, warp_lane.line);
        let twice = b.scaled(warp_lane.quarter, 2);
        let column = line(1, along, b.plus(twice, b.int((k % 2).into())));
        let at = b.add(b.scaled(row, shape.pitch().into()), b.add(first, column));
        body.at(b.scaled(at, shape.sum.into()))
    })
}
