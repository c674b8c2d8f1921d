//! What lanes have of floats, and their products by the vector units.
//!
//! ```text
//! strip   a row for each product that an element sums up, with the tile's rows or columns along it, whatever way they
//!         lie in memory
//! lane    one of 4 down and 8 along: of every 16 rows and 32 columns of its warp four that follow one another, which
//!         it loads at once; sums row by row
//! ```
//! Products are added one after the other, from the first on, each with one rounding, as the back end does in the
//! kernel's loop. Behind the last one none is added, as 0 times 0 would turn a sum of -0 into 0.

use super::emit_body::{Body, WIDEST};
use super::emit_warp_lane::WarpLane;
use crate::llvm::ir::{Pred, Value};
use crate::machine::tuning::mma::WARP_LANES;

/// Elements of a chunk, which a lane loads or stores at once.
pub fn elements(body: &Body) -> u32 {
    WIDEST / body.shape.factor
}

/// Bytes of a row of a side's strip.
pub fn row(body: &Body, k: usize) -> u32 {
    (body.shape.tile[k] + body.shape.skip) * body.shape.factor
}

/// Where a lane begins to load from a strip.
pub fn from(body: &Body, k: usize, warp_lane: &WarpLane) -> Value {
    let b = body.b;
    b.scaled(first(body, k, warp_lane), body.shape.factor.into())
}

/// A lane's place down or along: of eight lanes that follow one another four are below each other, and two beside.
fn place(body: &Body, k: usize, warp_lane: &WarpLane) -> Value {
    let b = body.b;
    let [line, quarter] = [warp_lane.line, warp_lane.quarter];
    let one = b.int(1);
    match k {
        0 => b.or(b.shl(b.and(line, one), one), b.lshr(quarter, one)),
        _ => b.or(b.and(line, b.int(6)), b.and(quarter, one)),
    }
}

/// The first row or column of a lane.
fn first(body: &Body, k: usize, warp_lane: &WarpLane) -> Value {
    let (b, shape) = (body.b, body.shape);
    let place = place(body, k, warp_lane);
    let of_warp = WARP_LANES[k] * shape.each_thread()[k];
    let first = b.scaled(warp_lane.warp[k], of_warp.into());
    b.add(first, b.scaled(place, elements(body).into()))
}

/// `sums` with the products of the strips from which a lane loads `from` on, of which `rest` are left: those of a whole
/// strip one after the other, else in a loop, so that no other product is added.
pub fn multiplied(body: &Body, from: &[Vec<Value>; 2], rest: Value, sums: &[Value]) -> Vec<Value> {
    let (b, depth) = (body.b, body.shape.depth);
    let from = [0, 1].map(|k| body.at(from[k][0]));
    let [whole, part, multiplied] =
        ["mma.whole", "mma.part", "mma.multiplied"].map(|n| body.block(n));
    let before = b.block();
    let is_whole = b.icmp(Pred::LLVMIntSGE, rest, b.int(depth.into()));
    b.cond_br(is_whole, whole, part);
    b.at_end(whole);
    let all = with_rows(body, from, depth, sums);
    b.br(multiplied);
    b.at_end(part);
    let number = b.phi(b.i32());
    let phis: Vec<Value> = sums.iter().map(|s| b.phi(s.ty())).collect();
    let at = |k: usize| b.byte_offset(from[k], b.scaled(number, row(body, k).into()));
    let some = with_rows(body, [at(0), at(1)], 1, &phis);
    let next = b.add(number, b.int(1));
    let goes_on = b.cond_br(b.icmp(Pred::LLVMIntSLT, next, rest), part, multiplied);
    b.loop_properties(goes_on, &["llvm.loop.unroll.disable"]);
    number.add_incoming(b.int(0), before);
    number.add_incoming(next, part);
    for ((phi, begin), next) in phis.iter().zip(sums).zip(&some) {
        phi.add_incoming(*begin, before);
        phi.add_incoming(*next, part);
    }
    b.at_end(multiplied);
    let joined = all.into_iter().zip(some).map(|(all, some)| {
        let phi = b.phi(all.ty());
        phi.add_incoming(all, whole);
        phi.add_incoming(some, part);
        phi
    });
    joined.collect()
}

/// `sums` with the products of so many rows of the strips, the first of which a lane loads `from` on.
fn with_rows(body: &Body, from: [Value; 2], count: u32, sums: &[Value]) -> Vec<Value> {
    let b = body.b;
    let at = |k: usize, n: u32| b.byte_offset(from[k], b.int((n * row(body, k)).into()));
    let load = |n: u32| [0, 1].map(|k| load(body, k, at(k, n)));
    let mut all = sums.to_vec();
    let mut next = load(0);
    for n in 1..=count {
        // The next ones are under way while these are multiplied.
        let lines = next.clone();
        if n < count {
            next = load(n);
        }
        add_products(body, &lines, &mut all);
    }
    all
}

/// A lane's rows or columns of a row of a strip, where its first lies.
fn load(body: &Body, k: usize, first: Value) -> Vec<Value> {
    let (b, shape, wide) = (body.b, body.shape, elements(body));
    let ty = body.sum_type().vector(wide);
    let chunks = (0..shape.each_thread()[k] / wide).flat_map(|n| {
        let bytes = n * WIDEST * WARP_LANES[k];
        let chunk = b.load(ty, b.byte_offset(first, b.int(bytes.into())), WIDEST);
        (0..wide).map(move |e| b.extract(chunk, e))
    });
    chunks.collect()
}

/// Adds a product to each sum.
fn add_products(body: &Body, [rows, cols]: &[Vec<Value>; 2], sums: &mut [Value]) {
    for (sums, x) in sums.chunks_mut(cols.len()).zip(rows) {
        for (sum, y) in sums.iter_mut().zip(cols) {
            *sum = body.b.fused(*x, *y, *sum).expect("floats");
        }
    }
}

/// Where four sums lie in shared memory, from the warp's first row on, behind a number of times as many of the lane's.
pub fn places<'a>(body: &'a Body, warp_lane: &WarpLane) -> Box<dyn Fn(u32) -> Value + 'a> {
    let (b, shape, wide) = (body.b, body.shape, elements(body));
    let row = b.scaled(place(body, 0, warp_lane), (wide * shape.pitch()).into());
    let begin = b.add(row, first(body, 1, warp_lane));
    let begin = body.at(b.scaled(begin, shape.sum.into()));
    let chunks = shape.each_thread()[1] / wide;
    Box::new(move |n| {
        let [row, chunk] = [n / chunks, n % chunks];
        let row = row / wide * wide * WARP_LANES[0] + row % wide;
        let at = row * shape.pitch() * shape.sum + chunk * WIDEST * WARP_LANES[1];
        b.byte_offset(begin, b.int(at.into()))
    })
}
