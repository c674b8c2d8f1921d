//! Copies of an operand's strips into shared memory, 16 bytes of a line at a time.
//!
//! ```text
//! bytes, along the sum   128 lines of 64 bytes, one behind the other
//! bytes, across          64 lines of 128 bytes; those 16 to 31 have their pairs of 16 bytes exchanged, and so on, so
//!                        that the four lanes that read 16 lines apart find them in other banks
//! doubles                32 to 128 lines of 16 doubles, or 16 lines of so many; of four lines that follow one another
//!                        the second has its pairs of 16 bytes exchanged, and so on: lanes read 32 bytes of each at
//!                        once
//! ```
//! What lies beyond the operand is 0 and is not read. Doubles are copied asynchronously wherever they begin, as they
//! lie at multiples of their size.

use super::Side;
use super::emit_body::{Body, WIDEST};
use super::emit_words::copy_words;
use super::plan::Numbers;
use crate::llvm::ir::{Block, Pred, Value};

/// An operand, and what a thread copies of it.
pub struct Operand {
    lengthwise: bool,
    /// Whether all lines begin and end at multiples of a chunk. (A part of a chunk could be copied at once as well, but
    /// memcheck takes it for a whole one, beyond the array's end.)
    is_aligned: Value,
    /// The address of the first element, and that behind the last.
    ends: [Value; 2],
    /// Where the thread's first chunk of the first strip begins.
    pub from: Value,
    /// Bytes from a strip's chunk to the next strip's.
    pub advance: Value,
    /// Bytes from a thread's chunk to its next one of the same strip: it has the same place in its line.
    step: Value,
    chunks: Vec<Chunk>,
}

/// A chunk of each strip.
struct Chunk {
    /// Where it goes in a stage.
    to: Value,
    /// Its place along the sum, in a strip: bytes of a line, or the line's number.
    along: Value,
    /// How many bytes there are in other strips than the last; of lines along the sum 0 or all.
    used: Value,
}

impl Operand {
    /// The operand `k`.
    pub fn new(body: &Body, k: usize, side: &Side) -> Operand {
        let (b, shape) = (body.b, body.shape);
        let [base, pitch] = body.place(side);
        let start = b.ptrtoint(base, b.i64());
        let mask = b.long(i64::from(WIDEST) - 1);
        let (lines, length) = match side.lengthwise {
            true => (body.bounds[k], body.count),
            false => (body.count, body.bounds[k]),
        };
        let length = b.scaled(length, shape.factor.into());
        let last = b.mul(b.sub(lines, b.long(1)), pitch);
        let rest = b.and(b.or(b.or(start, pitch), length), mask);
        let place = Place::new(body, k, side);
        let [line, at] = place.in_memory(body);
        Operand {
            lengthwise: side.lengthwise,
            is_aligned: b.icmp(Pred::LLVMIntEQ, rest, b.long(0)),
            ends: [start, b.add(start, b.add(last, length))],
            from: b.byte_offset(base, b.add(b.mul(line, pitch), at)),
            advance: match side.lengthwise {
                true => b.long(shape.line().into()),
                false => b.scaled(pitch, shape.depth.into()),
            },
            step: b.scaled(pitch, place.lines.into()),
            chunks: (0..shape.strip(k) / WIDEST / shape.threads())
                .map(|n| place.chunk(body, n))
                .collect(),
        }
    }

    /// Begins to copy a strip into the stage at `to`: the thread's first chunk lies at `from`, and `rest` products are
    /// left.
    pub fn fetch(&self, body: &Body, from: Value, rest: Value, to: Value) {
        let b = body.b;
        let all: Vec<[Value; 3]> = (0..)
            .zip(&self.chunks)
            .map(|(n, p)| {
                let used = match self.lengthwise {
                    true => {
                        let left = b.sub(b.scaled(rest, body.shape.factor.into()), p.along);
                        b.least(p.used, clamped(body, left))
                    }
                    false => {
                        let is_there = b.icmp(Pred::LLVMIntSGT, rest, p.along);
                        b.select(is_there, p.used, b.int(0))
                    }
                };
                let from = b.byte_offset(from, b.scaled(self.step, n));
                [from, body.at(b.add(to, p.to)), used]
            })
            .collect();
        let [at_once, plainly, fetched] =
            ["mma.at.once", "mma.plainly", "mma.on"].map(|n| body.block(n));
        b.cond_br(self.is_aligned, at_once, plainly);
        b.at_end(at_once);
        for chunk in &all {
            let [from, to, used] = *chunk;
            body.call(
                "llvm.nvvm.cp.async.cg.shared.global.16.s",
                &[to, from, used],
            );
        }
        b.br(fetched);
        b.at_end(plainly);
        match body.mma.numbers {
            Numbers::Bytes { .. } => copy_words(body, &all, self.ends, fetched),
            Numbers::Doubles { .. } | Numbers::Floats { .. } => {
                self.copy_halves(body, &all, fetched);
            }
        }
        b.at_end(fetched);
    }

    /// Begins to copy chunks of doubles that begin anywhere, and goes on at `fetched`.
    fn copy_halves(&self, body: &Body, chunks: &[[Value; 3]], fetched: Block) {
        let b = body.b;
        let bytes = i64::from(WIDEST / 2);
        let half = b.int(bytes);
        for [from, to, used] in chunks {
            let first = b.select(b.icmp(Pred::LLVMIntULT, *used, half), *used, half);
            for (at, used) in [(0, first), (bytes, b.sub(*used, first))] {
                let [to, from] = [
                    b.byte_offset(*to, b.int(at)),
                    b.byte_offset(*from, b.long(at)),
                ];
                body.call("llvm.nvvm.cp.async.ca.shared.global.8.s", &[to, from, used]);
            }
        }
        b.br(fetched);
    }
}

/// A thread's first chunk of an operand's strips.
struct Place {
    k: usize,
    lengthwise: bool,
    /// Its line in a strip, and its place in that line.
    line: Value,
    chunk: Value,
    /// Bytes of a line in a strip.
    length: u32,
    /// Lines from one of a thread's chunks to its next.
    lines: u32,
}

impl Place {
    fn new(body: &Body, k: usize, side: &Side) -> Place {
        let (b, shape) = (body.b, body.shape);
        let length = match side.lengthwise {
            true => shape.line(),
            false => shape.tile[k] * shape.factor,
        };
        let each = length / WIDEST;
        Place {
            k,
            lengthwise: side.lengthwise,
            line: b.udiv(body.thread, b.int(each.into())),
            chunk: b.urem(body.thread, b.int(each.into())),
            length,
            lines: shape.threads() / each,
        }
    }

    /// Bytes of a line before the chunk.
    fn bytes(&self, body: &Body) -> Value {
        let b = body.b;
        b.zext(b.scaled(self.chunk, WIDEST.into()), b.i64())
    }

    /// Its line of the operand in memory, in the first strip, and bytes of that before it.
    fn in_memory(&self, body: &Body) -> [Value; 2] {
        let (b, first) = (body.b, body.first[self.k]);
        let line = b.zext(self.line, b.i64());
        match self.lengthwise {
            true => [b.add(first, line), self.bytes(body)],
            false => {
                let first = b.scaled(first, body.shape.factor.into());
                [line, b.add(first, self.bytes(body))]
            }
        }
    }

    /// Where the chunk of this line goes in a stage.
    fn to(&self, body: &Body, line: Value) -> Value {
        let b = body.b;
        let exchanged = match body.mma.numbers {
            Numbers::Bytes { .. } if self.lengthwise => b.int(0),
            Numbers::Bytes { .. } => b.lshr(line, b.int(4)),
            Numbers::Doubles { .. } | Numbers::Floats { .. } => b.and(line, b.int(3)),
        };
        let chunk = b.xor(self.chunk, b.shl(exchanged, b.int(1)));
        let place = b.add(
            b.scaled(line, self.length.into()),
            b.scaled(chunk, WIDEST.into()),
        );
        let begin = if self.k == 0 { 0 } else { body.shape.strip(0) };
        b.plus(place, b.int(begin.into()))
    }

    /// The thread's chunk `n`.
    fn chunk(&self, body: &Body, n: u32) -> Chunk {
        let (b, shape) = (body.b, body.shape);
        let line = b.plus(self.line, b.int(i64::from(n * self.lines)));
        let to = self.to(body, line);
        let line = b.zext(line, b.i64());
        let [first, bound] = [body.first[self.k], body.bounds[self.k]];
        let (along, used) = match self.lengthwise {
            true => {
                let is_there = b.icmp(Pred::LLVMIntULT, b.add(first, line), bound);
                let used = b.select(is_there, b.int(WIDEST.into()), b.int(0));
                (self.bytes(body), used)
            }
            false => {
                let [first, bound] = [first, bound].map(|v| b.scaled(v, shape.factor.into()));
                let at = b.add(first, self.bytes(body));
                (line, clamped(body, b.sub(bound, at)))
            }
        };
        Chunk { to, along, used }
    }
}

/// How many bytes of a chunk there are, of `left` ones.
fn clamped(body: &Body, left: Value) -> Value {
    let b = body.b;
    let most = b.least(left, b.long(WIDEST.into()));
    b.trunc(b.greatest(most, b.long(0)), b.i32())
}
