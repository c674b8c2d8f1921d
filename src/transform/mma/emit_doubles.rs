//! What lanes have of doubles, as `mma.m16n8k16` deals them out (PTX ISA), which has the lane `q` of four take the
//! numbers `q`, `q + 4` and so on of a line: their order is the sum's.
//!
//! ```text
//! lines along the sum    line n of octet o is 8 o + n: a lane loads its four numbers one by one
//! lines across           line n of octet o is 16 (o / 2) + 2 n + o % 2: a lane loads two lines' numbers of a row
//! ```
//! Behind the last product a sum takes up -0 times 0, which leaves every sum as it is; 0 times 0 would turn -0 into 0.

use super::Side;
use super::emit_body::Body;
use super::emit_warp_lane::WarpLane;
use crate::llvm::ir::{Builder, Pred, Value};
use crate::machine::tuning::mma::GROUP;

/// Where a lane begins to load from a strip: for each fourth of its depth.
pub fn from(body: &Body, k: usize, warp_lane: &WarpLane) -> Vec<Value> {
    let (b, shape) = (body.b, body.shape);
    let [line, quarter] = [warp_lane.line, warp_lane.quarter];
    let lines = GROUP * shape.groups(k);
    let fourths = (0..4).map(|fourth: u32| match body.mma.sides[k].lengthwise {
        true => {
            let pair = b.xor(b.and(line, b.int(3)), b.int(fourth.into()));
            let line = b.add(b.scaled(warp_lane.warp[k], lines.into()), line);
            let along = b.add(b.scaled(pair, 32), b.scaled(quarter, 8));
            b.add(b.scaled(line, shape.line().into()), along)
        }
        false => {
            let pair = b.xor(b.lshr(line, b.int(1)), quarter);
            let row = b.plus(quarter, b.int(i64::from(4 * fourth)));
            let first = b.scaled(warp_lane.warp[k], i64::from(lines * shape.factor));
            let half = b.scaled(b.and(line, b.int(1)), 16);
            let along = b.add(first, b.add(b.scaled(pair, 32), half));
            b.add(
                b.scaled(row, i64::from(shape.tile[k] * shape.factor)),
                along,
            )
        }
    });
    fourths.collect()
}

/// The lines of the operand `k` that are loaded `from`, octet by octet: the lane's numbers of its line.
pub fn load(body: &Body, k: usize, from: &[Value]) -> Vec<[Value; 4]> {
    let (b, shape) = (body.b, body.shape);
    let at = |fourth: usize, bytes: u32| body.at(b.add(from[fourth], b.int(bytes.into())));
    let octets = 4 * shape.groups(k);
    let double = body.sum_type();
    match body.mma.sides[k].lengthwise {
        true => (0..octets)
            .map(|o| [0, 1, 2, 3].map(|f| b.load(double, at(f, o * 8 * shape.line()), 8)))
            .collect(),
        false => (0..octets / 2)
            .flat_map(|two| {
                let all = [0, 1, 2, 3]
                    .map(|f| b.load(double.vector(2), at(f, two * 16 * shape.factor), 16));
                [0, 1].map(|o| all.map(|v| b.extract(v, o)))
            })
            .collect(),
    }
}

/// Where the line `n` of an octet lies among those of its group.
pub fn place(b: &Builder, side: &Side, octet: u32, n: Value) -> Value {
    match side.lengthwise {
        true => b.plus(n, b.int(i64::from(8 * octet))),
        false => {
            let first = b.int(i64::from(octet / 2 * 16 + octet % 2));
            b.plus(b.scaled(n, 2), first)
        }
    }
}

/// Makes -0 of a side's zeros that lie behind the last product, of which `rest` are left.
pub fn end(body: &Body, warp_lane: &WarpLane, rest: Value, lines: &mut [[Value; 4]]) {
    let b = body.b;
    let [bits, double] = [b.i64(), body.sum_type()];
    for fourth in 0..4 {
        let number = b.plus(warp_lane.quarter, b.int(4 * fourth as i64));
        let is_left = b.icmp(Pred::LLVMIntSLT, number, rest);
        let sign = b.select(is_left, b.long(0), b.long(i64::MIN));
        for line in &mut *lines {
            let signed = b.or(b.bitcast(line[fourth], bits), sign);
            line[fourth] = b.bitcast(signed, double);
        }
    }
}

/// Adds to `sums`, four of each instruction, the products of the lines of both sides.
pub fn multiply(body: &Body, lines: &[Vec<[Value; 4]>; 2], sums: &mut [Value]) {
    let cols = body.shape.each_warp()[1] as usize;
    for (n, four) in sums.chunks_mut(4).enumerate() {
        let [down, along] = [n / cols, n % cols];
        let rows = [2 * down, 2 * down + 1].map(|o| lines[0][o]);
        let mut operands = Vec::new();
        for fourth in 0..4 {
            operands.extend(rows.map(|r| r[fourth]));
        }
        operands.extend(lines[1][along]);
        body.product("llvm.nvvm.mma.m16n8k16.row.col.f64", &operands, four);
    }
}
