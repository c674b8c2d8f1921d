//! Copies of lines along the sum into rows across it: a thread loads chunks of lines before a strip's products, and stores
//! their elements, a row each, behind them.
//!
//! Where lines begin anywhere, and at the operand's end, elements are copied one by one, asynchronously, as they lie at
//! multiples of their size. Lines beyond the operand, and what is behind the last product, are not read.

use super::emit_body::{Body, WIDEST};
use super::emit_floats::row;
use crate::llvm::ir::{Block, Pred, Value};

/// What a thread copies of an operand's strips.
pub struct Turned {
    k: usize,
    /// Whether all chunks begin at multiples of their size.
    is_aligned: Value,
    /// Where the first element of its first chunk goes in a stage.
    to: Value,
    /// That element's place along the sum.
    along: Value,
    /// How many lines there are from its first one on, and from the tile's.
    left: [Value; 2],
    /// Bytes from one of its lines to its next.
    step: Value,
}

/// Chunks that were loaded and not yet stored.
pub struct Loaded {
    /// Whether they were: else elements are under way.
    is_so: Value,
    chunks: Vec<Value>,
}

impl Turned {
    /// What a thread copies of the operand `k`, which begins at an address and whose lines lie so many bytes apart, and
    /// how far from its begin the first chunk lies.
    pub fn new(body: &Body, k: usize, start: Value, pitch: Value) -> (Turned, Value) {
        let (b, shape) = (body.b, body.shape);
        let each = b.int((shape.line() / WIDEST).into());
        let [line, chunk] = [b.udiv(body.thread, each), b.urem(body.thread, each)];
        let along = b.scaled(chunk, elements(body).into());
        let begin = b.int(if k == 0 { 0 } else { shape.strip(0).into() });
        let to = b.add(
            b.scaled(along, row(body, k).into()),
            b.scaled(line, shape.factor.into()),
        );
        let [line, along] = [line, along].map(|v| b.zext(v, b.i64()));
        let of_tile = b.sub(body.bounds[k], body.first[k]);
        let first = b.mul(b.add(body.first[k], line), pitch);
        let rest = b.and(b.or(start, pitch), b.long(i64::from(WIDEST) - 1));
        let turned = Turned {
            k,
            is_aligned: b.icmp(Pred::LLVMIntEQ, rest, b.long(0)),
            to: b.plus(to, begin),
            along,
            left: [b.sub(of_tile, line), of_tile],
            step: b.scaled(pitch, lines(body).into()),
        };
        (turned, b.add(first, b.scaled(along, shape.factor.into())))
    }

    /// Begins to copy a strip, as [`super::emit_fetch::Operand::fetch`] says.
    pub fn fetch(&self, body: &Body, from: Value, rest: Value, to: Value) -> Loaded {
        let (b, shape) = (body.b, body.shape);
        let [whole, part, fetched] = ["mma.all", "mma.some", "mma.on"].map(|n| body.block(n));
        let is_deep = b.icmp(Pred::LLVMIntSGE, rest, b.long(shape.depth.into()));
        let all_lines = b.long(shape.tile[self.k].into());
        let is_tile = b.icmp(Pred::LLVMIntSGE, self.left[1], all_lines);
        let is_whole = b.and(self.is_aligned, b.and(is_deep, is_tile));
        b.cond_br(is_whole, whole, part);
        b.at_end(whole);
        let ty = body.sum_type().vector(elements(body));
        let load = |n| b.load(ty, self.of_line(body, from, n), WIDEST);
        let chunks: Vec<Value> = (0..self.lines(body)).map(load).collect();
        b.br(fetched);
        b.at_end(part);
        for n in 0..self.lines(body) {
            let from = self.of_line(body, from, n);
            for e in 0..elements(body) {
                let from = b.byte_offset(from, b.long((e * shape.factor).into()));
                let used = self.used(body, rest, [n, e]);
                let to = self.to(body, to, [n, e]);
                body.call("llvm.nvvm.cp.async.ca.shared.global.4.s", &[to, from, used]);
            }
        }
        b.br(fetched);
        b.at_end(fetched);
        let all = Loaded {
            is_so: is_whole.ty().constant(1),
            chunks,
        };
        all.or_none(body, [whole, part])
    }

    /// Stores what was loaded into the stage at `to`.
    pub fn store(&self, body: &Body, loaded: &Loaded, to: Value) {
        let b = body.b;
        let [store, stored] = ["mma.turn", "mma.turned"].map(|n| body.block(n));
        b.cond_br(loaded.is_so, store, stored);
        b.at_end(store);
        for (n, chunk) in (0..).zip(&loaded.chunks) {
            for e in 0..elements(body) {
                let to = self.to(body, to, [n, e]);
                b.store(b.extract(*chunk, e), to, body.shape.factor);
            }
        }
        b.br(stored);
        b.at_end(stored);
    }

    /// Lines of which the thread has a chunk.
    fn lines(&self, body: &Body) -> u32 {
        body.shape.tile[self.k] / lines(body)
    }

    /// Where the thread's chunk of its line `n` lies, of which the first is at `from`.
    fn of_line(&self, body: &Body, from: Value, n: u32) -> Value {
        body.b.byte_offset(from, body.b.scaled(self.step, n.into()))
    }

    /// Where the element `e` of that chunk goes, of the stage at `to`.
    fn to(&self, body: &Body, to: Value, [n, e]: [u32; 2]) -> Value {
        let b = body.b;
        let more = n * lines(body) * body.shape.factor + e * row(body, self.k);
        b.byte_offset(body.at(b.add(to, self.to)), b.int(more.into()))
    }

    /// How many bytes of it there are, if `rest` products are left.
    fn used(&self, body: &Body, rest: Value, [n, e]: [u32; 2]) -> Value {
        let b = body.b;
        let along = b.plus(self.along, b.long(e.into()));
        let is_there = b.icmp(Pred::LLVMIntSLT, along, rest);
        let left = b.select(is_there, self.left[0], b.long(0));
        let is_there = b.icmp(Pred::LLVMIntSLT, b.long((n * lines(body)).into()), left);
        b.select(is_there, b.int(body.shape.factor.into()), b.int(0))
    }
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
            is_so: join(self.is_so, self.is_so.ty().constant(0)),
            chunks: chunks.collect(),
        }
    }
}

/// Elements of a chunk.
fn elements(body: &Body) -> u32 {
    WIDEST / body.shape.factor
}

/// Lines that a block copies parts of at once.
fn lines(body: &Body) -> u32 {
    body.shape.threads() / (body.shape.line() / WIDEST)
}
