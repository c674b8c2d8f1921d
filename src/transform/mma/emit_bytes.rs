//! What lanes have of bytes, as `mma.m16n8k32` deals them out (PTX ISA).
//!
//! Which products of a line a lane has is no matter for the sum, if both operands agree: the lane `q` of four takes the
//! 16 bytes `16 q` and on, and words of them, in turn, stand for what the instruction has it take.
//!
//! ```text
//! lines along the sum    line n of octet o is 8 o + n: a lane loads its 16 bytes at once
//! lines across           line n of octet o is 4 n + o: a lane loads 4 bytes, a line each, of 4 rows; the 4 x 4 are
//!                        transposed
//! ```

use super::Side;
use super::emit_body::Body;
use super::emit_warp_lane::WarpLane;
use crate::llvm::ir::{Builder, Value};
use crate::machine::tuning::mma::GROUP;

/// Where a lane begins to load from a strip, for each group of a side.
pub fn from(body: &Body, k: usize, warp_lane: &WarpLane) -> Vec<Value> {
    let (b, shape) = (body.b, body.shape);
    let [line, quarter] = [warp_lane.line, warp_lane.quarter];
    let groups = (0..shape.groups(k)).map(|g| {
        let first = b.scaled(warp_lane.warp[k], shape.groups(k).into());
        let group = b.plus(first, b.int(g.into()));
        match body.mma.sides[k].lengthwise {
            true => {
                let line = b.add(b.scaled(group, GROUP.into()), line);
                b.add(b.scaled(line, shape.depth.into()), b.scaled(quarter, 16))
            }
            false => {
                let [half, word] = [b.udiv(line, b.int(4)), b.urem(line, b.int(4))];
                let chunk = b.add(b.scaled(b.xor(group, quarter), 2), half);
                let row = b.scaled(quarter, i64::from(16 * shape.tile[k]));
                b.add(row, b.add(b.scaled(chunk, 16), b.scaled(word, 4)))
            }
        }
    });
    groups.collect()
}

/// The lines of the operand `k` that are loaded `from`, octet by octet: the lane's words of its line.
pub fn load(body: &Body, k: usize, from: &[Value]) -> Vec<[Value; 4]> {
    let (b, shape) = (body.b, body.shape);
    let octets = from.iter().flat_map(|from| {
        let at = |bytes: u32| body.at(b.add(*from, b.int(bytes.into())));
        match body.mma.sides[k].lengthwise {
            true => (0..4)
                .map(|octet| {
                    let all = b.load(b.i32().vector(4), at(octet * 8 * shape.depth), 16);
                    [0, 1, 2, 3].map(|w| b.extract(all, w))
                })
                .collect::<Vec<_>>(),
            false => {
                let row = |r: u32| b.load(b.i32(), at(r * shape.tile[k]), 4);
                let transposed =
                    [0, 4, 8, 12].map(|r| transposed(body, [0, 1, 2, 3].map(|i| row(r + i))));
                (0..4)
                    .map(|octet| [0, 1, 2, 3].map(|w| transposed[w][octet]))
                    .collect()
            }
        }
    });
    octets.collect()
}

/// Where the line `n` of an octet lies among those of its group.
pub fn place(b: &Builder, side: &Side, octet: u32, n: Value) -> Value {
    match side.lengthwise {
        true => b.plus(n, b.int(i64::from(8 * octet))),
        false => b.plus(b.scaled(n, 4), b.int(octet.into())),
    }
}

/// Adds to `sums`, four of each instruction, the products of the lines of both sides.
pub fn multiply(body: &Body, signed: [bool; 2], lines: &[Vec<[Value; 4]>; 2], sums: &mut [Value]) {
    let types = signed.map(|s| if s { "s8" } else { "u8" });
    let types = match types[0] == types[1] {
        true => types[0].to_string(),
        false => types.join("."),
    };
    let name = format!("llvm.nvvm.mma.m16n8k32.row.col.{types}");
    let cols = body.shape.each_warp()[1] as usize;
    for [x, y] in [[0, 1], [2, 3]] {
        for (n, four) in sums.chunks_mut(4).enumerate() {
            let [down, along] = [n / cols, n % cols];
            let rows = [2 * down, 2 * down + 1].map(|o| lines[0][o]);
            let column = lines[1][along];
            let operands = [
                rows[0][x], rows[1][x], rows[0][y], rows[1][y], column[x], column[y],
            ];
            body.product(&name, &operands, four);
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
