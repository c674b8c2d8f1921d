//! Copies of an operand of floats into strips, whose rows are across the sum whatever way its lines lie in memory.
//!
//! ```text
//! whole      a thread's chunks of a line across the sum are copied at once; those of a line along it are loaded before
//!            the products of another strip, and stored behind them, each element into a row of its own
//! in part    at the operand's ends, and where lines begin anywhere, elements are copied one by one
//! ```
//! Copies are asynchronous, as elements lie at multiples of their size. What lies beyond the operand is not read.

use super::emit_body::{Body, WIDEST};
use super::emit_floats::{elements, row};
use crate::llvm::ir::{Block, Pred, Value};

/// What a thread copies of an operand's strips.
pub struct Strip {
    k: usize,
    lengthwise: bool,
    /// Whether chunks begin at multiples of their size, and all lines of the tile are there.
    is_whole: Value,
    /// Where its first chunk of the first strip begins.
    pub from: Value,
    /// Bytes from a strip's chunk to the next strip's.
    pub advance: Value,
    /// Bytes from one of its chunks to its next, of another line.
    step: Value,
    /// Where the first element of its first chunk goes in a stage.
    to: Value,
    /// The line of its first chunk, in memory, and the chunk's first element in that.
    line: Value,
    place: Value,
    /// How many lines there are of the tile and behind it.
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
        let [base, pitch] = body.place(side);
        let each = b.int(i64::from(each(body, k)));
        let [line, chunk] = [b.udiv(body.thread, each), b.urem(body.thread, each)];
        let place = b.scaled(chunk, elements(body).into());
        let left = b.sub(body.bounds[k], body.first[k]);
        let [lines, along] = [line, place].map(|v| b.zext(v, b.i64()));
        let (lines, along, advance, to) = match side.lengthwise {
            true => {
                let advance = b.long(shape.line().into());
                (b.add(lines, body.first[k]), along, advance, [place, line])
            }
            false => {
                let advance = b.scaled(pitch, shape.depth.into());
                (lines, b.add(along, body.first[k]), advance, [line, place])
            }
        };
        let from = b.add(b.mul(lines, pitch), b.scaled(along, shape.factor.into()));
        let begin = if k == 0 { 0 } else { shape.strip(0) };
        let to = b.add(
            b.scaled(to[0], row(body, k).into()),
            b.scaled(to[1], shape.factor.into()),
        );
        let bits = b.or(b.ptrtoint(base, b.i64()), pitch);
        let bits = b.and(bits, b.long(i64::from(WIDEST) - 1));
        let all_lines = b.icmp(Pred::LLVMIntSGE, left, b.long(shape.tile[k].into()));
        Strip {
            k,
            lengthwise: side.lengthwise,
            is_whole: b.and(b.icmp(Pred::LLVMIntEQ, bits, b.long(0)), all_lines),
            from: b.byte_offset(base, from),
            advance,
            step: b.scaled(pitch, lines_at_once(body, k).into()),
            to: b.plus(to, b.int(begin.into())),
            line,
            place,
            left: b.trunc(left, b.i32()),
        }
    }

    /// Begins to copy a whole strip, whose first chunk lies at `from`, into the stage at `to`: what is loaded.
    fn fetch(&self, body: &Body, from: Value, to: Value) -> Vec<Value> {
        let b = body.b;
        let ty = body.sum_type().vector(elements(body));
        let chunks = (0..self.chunks(body)).filter_map(|n| {
            let from = self.chunk(body, from, n);
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
        let [lines, length] = match self.lengthwise {
            true => [self.left, rest],
            false => [rest, self.left],
        };
        for n in 0..self.chunks(body) {
            let from = self.chunk(body, from, n);
            let line = b.plus(self.line, b.int((n * lines_at_once(body, self.k)).into()));
            let is_there = b.icmp(Pred::LLVMIntSLT, line, lines);
            let length = b.select(is_there, length, b.int(0));
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

    /// Chunks that the thread has.
    fn chunks(&self, body: &Body) -> u32 {
        let lines = match self.lengthwise {
            true => body.shape.tile[self.k],
            false => body.shape.depth,
        };
        lines / lines_at_once(body, self.k)
    }

    /// Where its chunk `n` lies.
    fn chunk(&self, body: &Body, from: Value, n: u32) -> Value {
        body.b.byte_offset(from, body.b.scaled(self.step, n.into()))
    }

    /// Where the element `e` of that goes, of the stage at `to`.
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
    let is_whole = b.and(strips[0].is_whole, strips[1].is_whole);
    b.cond_br(b.and(is_whole, is_deep), whole, part);
    b.at_end(whole);
    let chunks = (0..2).flat_map(|k| strips[k].fetch(body, from[k], to));
    let loaded = Loaded {
        is_so: is_whole.ty().constant(1),
        chunks: chunks.collect(),
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
    let places = turned.flat_map(|s| (0..s.chunks(body)).map(move |n| (s, n)));
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

/// Lines of which a block copies chunks at once.
fn lines_at_once(body: &Body, k: usize) -> u32 {
    body.shape.threads() / each(body, k)
}
