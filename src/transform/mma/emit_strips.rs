//! Copies of an operand of floats into strips, whose rows are across the sum whatever way its lines lie in memory.
//!
//! ```text
//! whole      a thread's chunks of a line across the sum are copied at once; those of a line along it are loaded before
//!            the products of another strip, and stored behind them, each element into a row of its own
//! in part    behind the last whole strip, and where lines begin anywhere, elements are copied one by one
//! ```
//! Copies are asynchronous, as elements lie at multiples of their size. What lies beyond the operand is not read: where
//! a tile has more rows or columns than are left, the last ones are copied again in their place, and nobody asks for
//! their sums.

use super::emit_body::{Body, WIDEST};
use super::emit_floats::{elements, row};
use crate::llvm::ir::{Block, Pred, Value};

/// What a thread copies of an operand's strips.
pub struct Strip {
    k: usize,
    lengthwise: bool,
    /// Whether chunks begin and end at multiples of their size.
    is_aligned: Value,
    /// Where its first chunk of the first strip begins.
    pub from: Value,
    /// Bytes from a strip's chunk to the next strip's.
    pub advance: Value,
    /// Bytes from there to each of its other chunks, of other lines.
    more: Vec<Value>,
    /// Where the first element of its first chunk goes in a stage.
    to: Value,
    /// The line of its first chunk, in memory, and the first element of each in that.
    line: Value,
    place: Value,
    /// How many rows or columns there are of the tile and behind it.
    left: Value,
}

/// Chunks that were loaded and not yet stored.
pub struct Loaded {
    /// Whether they were: else elements are under way.
    is_so: Value,
    chunks: Vec<Value>,
}

impl Strip {
    /// Of the operand `k`.
    pub fn new(body: &Body, k: usize) -> Strip {
        let (b, shape, side) = (body.b, body.shape, &body.mma.sides[k]);
        let each = b.int(i64::from(each(body, k)));
        let [line, chunk] = [b.udiv(body.thread, each), b.urem(body.thread, each)];
        let place = b.scaled(chunk, elements(body).into());
        let to = match side.lengthwise {
            true => [place, line],
            false => [line, place],
        };
        let to = b.add(
            b.scaled(to[0], row(body, k).into()),
            b.scaled(to[1], shape.factor.into()),
        );
        let begin = if k == 0 { 0 } else { shape.strip(0) };
        let left = b.trunc(b.sub(body.bounds[k], body.first[k]), b.i32());
        let last = b.sub(left, b.int(1));
        let [base, pitch] = body.place(side);
        let bits = b.or(b.ptrtoint(base, b.i64()), pitch);
        let of_tile = body.first[k];
        let (advance, place, of_tile, bits) = match side.lengthwise {
            true => {
                let advance = b.long(shape.line().into());
                (advance, place, b.mul(of_tile, pitch), bits)
            }
            false => {
                let last_chunk = b.and(last, b.int(-i64::from(elements(body))));
                let [of_tile, length] =
                    [of_tile, body.bounds[k]].map(|v| b.scaled(v, shape.factor.into()));
                let advance = b.scaled(pitch, shape.depth.into());
                let place = b.least(place, last_chunk);
                (advance, place, of_tile, b.or(bits, length))
            }
        };
        let bits = b.and(bits, b.long(i64::from(WIDEST) - 1));
        let lines = lines(body, k, line, last);
        let [down, along] = [lines[0], place].map(|v| b.zext(v, b.i64()));
        let from = b.add(b.mul(down, pitch), b.scaled(along, shape.factor.into()));
        let more = lines[1..].iter().map(|line| {
            let between = b.sub(*line, lines[0]);
            b.mul(b.zext(between, b.i64()), pitch)
        });
        Strip {
            k,
            lengthwise: side.lengthwise,
            is_aligned: b.icmp(Pred::LLVMIntEQ, bits, b.long(0)),
            from: b.byte_offset(base, b.add(of_tile, from)),
            advance,
            more: more.collect(),
            to: b.plus(to, b.int(begin.into())),
            line,
            place,
            left,
        }
    }

    /// Begins to copy a whole strip, whose first chunk lies at `from`, into the stage at `to`: what is loaded.
    fn fetch(&self, body: &Body, from: Value, to: Value) -> Vec<Value> {
        let b = body.b;
        let ty = body.sum_type().vector(elements(body));
        let chunks = (0..).zip(self.chunks(body, from)).filter_map(|(n, from)| {
            if self.lengthwise {
                return Some(b.load(ty, from, WIDEST));
            }
            let to = self.to(body, to, [n, 0]);
            body.call("llvm.nvvm.cp.async.cg.shared.global.16", &[to, from]);
            None
        });
        chunks.collect()
    }

    /// Begins to copy one of which so many rows are left, element by element.
    fn fetch_part(&self, body: &Body, from: Value, rest: Value, to: Value) {
        let (b, shape) = (body.b, body.shape);
        for (n, from) in (0..).zip(self.chunks(body, from)) {
            let line = b.plus(self.line, b.int((n * lines_at_once(body, self.k)).into()));
            let length = match self.lengthwise {
                true => rest,
                false => {
                    let is_there = b.icmp(Pred::LLVMIntSLT, line, rest);
                    b.select(is_there, self.left, b.int(0))
                }
            };
            for e in 0..elements(body) {
                let place = b.plus(self.place, b.int(e.into()));
                let is_there = b.icmp(Pred::LLVMIntSLT, place, length);
                let used = b.select(is_there, b.int(shape.factor.into()), b.int(0));
                let from = b.byte_offset(from, b.long((e * shape.factor).into()));
                let to = self.to(body, to, [n, e]);
                body.call("llvm.nvvm.cp.async.ca.shared.global.4.s", &[to, from, used]);
            }
        }
    }

    /// Where its chunks lie, the first of which does at `from`.
    fn chunks(&self, body: &Body, from: Value) -> Vec<Value> {
        let more = self.more.iter().map(|m| body.b.byte_offset(from, *m));
        std::iter::once(from).chain(more).collect()
    }

    /// Where the element `e` of its chunk `n` goes, of the stage at `to`.
    fn to(&self, body: &Body, to: Value, [n, e]: [u32; 2]) -> Value {
        let (b, row, factor) = (body.b, row(body, self.k), body.shape.factor);
        let [by_line, by_element] = match self.lengthwise {
            true => [factor, row],
            false => [row, factor],
        };
        let more = n * lines_at_once(body, self.k) * by_line + e * by_element;
        b.byte_offset(body.at(b.add(to, self.to)), b.int(more.into()))
    }
}

/// Begins to copy strips of both operands, whose first chunks lie at `from`, into the stage at `to`; `rest` products
/// are left. What it gives must be stored before the strips are waited for.
pub fn fetch(body: &Body, strips: &[Strip; 2], from: [Value; 2], rest: Value, to: Value) -> Loaded {
    let b = body.b;
    let [whole, part, fetched] = ["mma.all", "mma.some", "mma.on"].map(|n| body.block(n));
    let rest = b.trunc(rest, b.i32());
    let is_deep = b.icmp(Pred::LLVMIntSGE, rest, b.int(body.shape.depth.into()));
    let is_aligned = b.and(strips[0].is_aligned, strips[1].is_aligned);
    b.cond_br(b.and(is_aligned, is_deep), whole, part);
    b.at_end(whole);
    let loaded = (0..2).flat_map(|k| strips[k].fetch(body, from[k], to));
    let loaded = Loaded {
        is_so: is_deep.ty().constant(1),
        chunks: loaded.collect(),
    };
    b.br(fetched);
    b.at_end(part);
    for (strip, from) in strips.iter().zip(from) {
        strip.fetch_part(body, from, rest, to);
    }
    b.br(fetched);
    b.at_end(fetched);
    loaded.or_none(body, [whole, part])
}

/// Stores what was loaded of strips into the stage at `to`.
pub fn store(body: &Body, strips: &[Strip; 2], loaded: &Loaded, to: Value) {
    let b = body.b;
    if loaded.chunks.is_empty() {
        return;
    }
    let [store, stored] = ["mma.turn", "mma.turned"].map(|n| body.block(n));
    b.cond_br(loaded.is_so, store, stored);
    b.at_end(store);
    let turned = strips.iter().filter(|s| s.lengthwise);
    let places = turned.flat_map(|s| (0..chunks(body, s.k)).map(move |n| (s, n)));
    for ((strip, n), chunk) in places.zip(&loaded.chunks) {
        for e in 0..elements(body) {
            let to = strip.to(body, to, [n, e]);
            b.store(b.extract(*chunk, e), to, body.shape.factor);
        }
    }
    b.br(stored);
    b.at_end(stored);
}

impl Loaded {
    /// These where control comes from the first block, none from the second.
    pub fn or_none(&self, body: &Body, from: [Block; 2]) -> Loaded {
        let join = |mine: Value, other: Value| {
            let phi = body.b.phi(mine.ty());
            phi.add_incoming(mine, from[0]);
            phi.add_incoming(other, from[1]);
            phi
        };
        let chunks = self.chunks.iter().map(|c| join(*c, c.ty().poison()));
        Loaded {
            chunks: chunks.collect(),
            is_so: join(self.is_so, self.is_so.ty().constant(0)),
        }
    }
}

/// Chunks of a line of a strip, in memory.
fn each(body: &Body, k: usize) -> u32 {
    let length = match body.mma.sides[k].lengthwise {
        true => body.shape.depth,
        false => body.shape.tile[k],
    };
    length / elements(body)
}

/// The lines of a thread's chunks, of which `line` is the first; along the sum none behind the `last`.
fn lines(body: &Body, k: usize, line: Value, last: Value) -> Vec<Value> {
    let b = body.b;
    let all = (0..chunks(body, k)).map(|n| {
        let line = b.plus(line, b.int((n * lines_at_once(body, k)).into()));
        match body.mma.sides[k].lengthwise {
            true => b.least(line, last),
            false => line,
        }
    });
    all.collect()
}

/// Lines of which a block copies chunks at once.
fn lines_at_once(body: &Body, k: usize) -> u32 {
    body.shape.threads() / each(body, k)
}

/// Chunks of a strip that a thread has.
fn chunks(body: &Body, k: usize) -> u32 {
    let lines = match body.mma.sides[k].lengthwise {
        true => body.shape.tile[k],
        false => body.shape.depth,
    };
    lines / lines_at_once(body, k)
}
