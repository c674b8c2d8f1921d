//! What lanes have of the operands and of the sums, as `mma.m16n8k32` deals them out (PTX ISA).
//!
//! Eight lines of an operand are an octet, of which four lanes have one line each. Which products of a line a lane has
//! is no matter for the sum, if both operands agree: the lane `q` of four takes the 16 bytes `16 q` and on, and words
//! of them, in turn, stand for what the instruction has it take.
//!
//! ```text
//! lines along the sum    line n of octet o is 8 o + n: a lane loads its 16 bytes at once
//! lines across           line n of octet o is 4 n + o: a lane loads 4 bytes, a line each, of 4 rows; the 4 x 4 are
//!                        transposed
//! ```

use super::Side;
use super::emit_body::Body;
use crate::llvm::ir::{Block, Builder, Value};
use crate::machine::target::WARP;
use crate::machine::tuning::mma::{DEPTH, EACH_WARP, GROUP, GROUPS, STRIP, TILE, WARPS};

/// Who a thread is.
pub struct WarpLane {
    /// The warp's place among the block's, down and along.
    pub warp: [Value; 2],
    /// Its line of an octet, and its place among the four of that.
    line: Value,
    quarter: Value,
    /// Where it begins to load from a strip, for each group of either side.
    from: [Vec<Value>; 2],
}

impl WarpLane {
    pub fn new(b: &Builder, thread: Value, sides: &[Side; 2]) -> WarpLane {
        let by = |v: Value, n: u32| [b.udiv(v, b.int(n.into())), b.urem(v, b.int(n.into()))];
        let [warp, warp_lane] = by(thread, WARP);
        let warp = by(warp, WARPS[1]);
        let [line, quarter] = by(warp_lane, 4);
        let from = [0, 1].map(|k| {
            let groups = (0..GROUPS[k]).map(|g| {
                let first = b.scaled(warp[k], GROUPS[k].into());
                let group = b.plus(first, b.int(g.into()));
                let at = match sides[k].lengthwise {
                    true => {
                        let line = b.add(b.scaled(group, GROUP.into()), line);
                        b.add(b.scaled(line, DEPTH.into()), b.scaled(quarter, 16))
                    }
                    false => {
                        let [half, word] = by(line, 4);
                        let chunk = b.add(b.scaled(b.xor(group, quarter), 2), half);
                        let row = b.scaled(quarter, i64::from(16 * TILE[k]));
                        b.add(row, b.add(b.scaled(chunk, 16), b.scaled(word, 4)))
                    }
                };
                b.plus(at, b.int(if k == 0 { 0 } else { STRIP[0].into() }))
            });
            groups.collect()
        });
        WarpLane {
            warp,
            line,
            quarter,
            from,
        }
    }

    /// The lines of the operand `k` in the strips at `stage`, octet by octet: the lane's words of its line.
    fn load(&self, body: &Body, k: usize, side: &Side, stage: Value) -> Vec<[Value; 4]> {
        let b = body.b;
        let groups = self.from[k].iter();
        groups
            .flat_map(|from| {
                let from = b.add(stage, *from);
                let at = |bytes: u32| body.at(b.add(from, b.int(bytes.into())));
                match side.lengthwise {
                    true => (0..4)
                        .map(|octet| {
                            let all = b.load(b.i32().vector(4), at(octet * 8 * DEPTH), 16);
                            [0, 1, 2, 3].map(|w| b.extract(all, w))
                        })
                        .collect::<Vec<_>>(),
                    false => {
                        let row = |r: u32| b.load(b.i32(), at(r * TILE[k]), 4);
                        let transposed = [0, 4, 8, 12]
                            .map(|r| transposed(body, [0, 1, 2, 3].map(|i| row(r + i))));
                        (0..4)
                            .map(|octet| [0, 1, 2, 3].map(|w| transposed[w][octet]))
                            .collect()
                    }
                }
            })
            .collect()
    }

    /// Where the line `n` of an octet lies among those of the side's group.
    fn place(b: &Builder, side: &Side, octet: u32, n: Value) -> Value {
        match side.lengthwise {
            true => b.plus(n, b.int(i64::from(8 * octet))),
            false => b.plus(b.scaled(n, 4), b.int(octet.into())),
        }
    }
}

/// The columns of four rows of four bytes.
fn transposed(body: &Body, rows: [Value; 4]) -> [Value; 4] {
    let pick =
        |x: Value, y: Value, bytes: i64| body.call("llvm.nvvm.prmt", &[x, y, body.b.int(bytes)]);
    let [a, b, c, d] = rows;
    let halves = [0x5140, 0x7362].map(|bytes| [pick(a, b, bytes), pick(c, d, bytes)]);
    let [[low, low_behind], [high, high_behind]] = halves;
    [
        pick(low, low_behind, 0x5410),
        pick(low, low_behind, 0x7632),
        pick(high, high_behind, 0x5410),
        pick(high, high_behind, 0x7632),
    ]
}

/// A warp's sums: four of each instruction's, in the order of those down and then along.
pub struct Sums(Vec<Value>);

impl Sums {
    /// Zeros, at the head of the loop that `entry` leads to.
    pub fn begin(body: &Body, entry: Block) -> Sums {
        let b = body.b;
        let all = (0..EACH_WARP[0] * EACH_WARP[1] * 4).map(|_| {
            let phi = b.phi(b.i32());
            phi.add_incoming(b.int(0), entry);
            phi
        });
        Sums(all.collect())
    }

    /// With the products of the strips at `stage`.
    pub fn multiplied(&self, body: &Body, warp_lane: &WarpLane, stage: Value) -> Sums {
        let sides = &body.mma.sides;
        let lines = [0, 1].map(|k| warp_lane.load(body, k, &sides[k], stage));
        let types = sides.each_ref().map(|s| if s.signed { "s8" } else { "u8" });
        let types = match types[0] == types[1] {
            true => types[0].to_string(),
            false => types.join("."),
        };
        let name = format!("llvm.nvvm.mma.m16n8k32.row.col.{types}");
        let mut sums = self.0.clone();
        for pair in [[0, 1], [2, 3]] {
            for (n, four) in sums.chunks_mut(4).enumerate() {
                let [down, along] = [n / EACH_WARP[1] as usize, n % EACH_WARP[1] as usize];
                let rows = [2 * down, 2 * down + 1].map(|o| lines[0][o]);
                let [x, y] = pair;
                let column = lines[1][along];
                let operands = [
                    rows[0][x], rows[1][x], rows[0][y], rows[1][y], column[x], column[y],
                ];
                let made = body.call(&name, &[&operands[..], four].concat());
                for (k, s) in four.iter_mut().enumerate() {
                    *s = body.b.field(made, k as u32);
                }
            }
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

    /// Has the sums at the loop's head be those that `latch` leaves.
    pub fn close(&self, left: &Sums, latch: Block) {
        for (phi, next) in self.0.iter().zip(&left.0) {
            phi.add_incoming(*next, latch);
        }
    }

    /// Stores them in shared memory, rows `pitch` sums apart, from the warp's first row on.
    pub fn keep(&self, body: &Body, warp_lane: &WarpLane, pitch: u32) {
        let (b, sides) = (body.b, &body.mma.sides);
        let line = |k: usize, octet: u32, n: Value| {
            let group = b.int(i64::from(octet / 4 * GROUP));
            b.plus(WarpLane::place(b, &sides[k], octet % 4, n), group)
        };
        let first = b.scaled(warp_lane.warp[1], i64::from(GROUPS[1] * GROUP));
        for (n, four) in self.0.chunks(4).enumerate() {
            let [down, along] = [n as u32 / EACH_WARP[1], n as u32 % EACH_WARP[1]];
            for (k, sum) in (0..).zip(four) {
                let row = line(0, 2 * down + k / 2, warp_lane.line);
                let twice = b.scaled(warp_lane.quarter, 2);
                let column = line(1, along, b.plus(twice, b.int((k % 2).into())));
                let at = b.add(b.scaled(row, pitch.into()), b.add(first, column));
                b.store(*sum, body.at(b.scaled(at, 4)), 4);
            }
        }
    }
}
