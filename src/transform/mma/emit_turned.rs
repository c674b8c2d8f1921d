//! Copies of lines along the sum into rows across it: one element after the other, each thread the same few of every
//! line of its own.
//!
//! ```text
//! warp   8 products of 4 lines: 32 bytes of each line in memory; in shared memory rows begin 4 banks apart, so all 32
//!        elements go to banks of their own
//! ```
//! Elements lie at multiples of their size, so they are copied asynchronously wherever lines begin. Lines beyond the
//! operand, and what is behind the last product, are not read.

use super::emit_body::Body;
use super::emit_floats::row;
use crate::llvm::ir::{Pred, Value};

/// Products of a line that a warp copies at once.
const WIDE: u32 = 8;

/// What a thread copies of an operand's strips.
pub struct Turned {
    k: usize,
    /// Where its first element goes in a stage.
    to: Value,
    /// Its place along the sum.
    along: Value,
    /// How many lines there are from its first one on, and from the tile's.
    left: [Value; 2],
    /// Bytes from one of its lines to its next.
    step: Value,
}

impl Turned {
    /// What a thread copies of the operand `k`, whose lines lie so many bytes apart, and how far from the operand's
    /// begin its first element lies.
    pub fn new(body: &Body, k: usize, pitch: Value) -> (Turned, Value) {
        let (b, shape) = (body.b, body.shape);
        let wide = b.int(WIDE.into());
        let [line, along] = [b.udiv(body.thread, wide), b.urem(body.thread, wide)];
        let begin = b.int(if k == 0 { 0 } else { shape.strip(0).into() });
        let to = b.add(
            b.scaled(along, row(body, k).into()),
            b.scaled(line, shape.factor.into()),
        );
        let [line, along] = [line, along].map(|v| b.zext(v, b.i64()));
        let of_tile = b.sub(body.bounds[k], body.first[k]);
        let first = b.mul(b.add(body.first[k], line), pitch);
        let turned = Turned {
            k,
            to: b.plus(to, begin),
            along,
            left: [b.sub(of_tile, line), of_tile],
            step: b.scaled(pitch, lines(body).into()),
        };
        (turned, b.add(first, b.scaled(along, shape.factor.into())))
    }

    /// Begins to copy a strip, as [`super::emit_fetch::Operand::fetch`] says.
    pub fn fetch(&self, body: &Body, from: Value, rest: Value, to: Value) {
        let (b, shape) = (body.b, body.shape);
        let [whole, part, fetched] = ["mma.all", "mma.some", "mma.on"].map(|n| body.block(n));
        let is_deep = b.icmp(Pred::LLVMIntSGE, rest, b.long(shape.depth.into()));
        let is_tile = b.icmp(
            Pred::LLVMIntSGE,
            self.left[1],
            b.long(shape.tile[self.k].into()),
        );
        let to = body.at(b.add(to, self.to));
        b.cond_br(b.and(is_deep, is_tile), whole, part);
        for (block, is_whole) in [(whole, true), (part, false)] {
            b.at_end(block);
            for n in 0..shape.tile[self.k] / lines(body) {
                let from = b.byte_offset(from, b.scaled(self.step, n.into()));
                let to = b.byte_offset(to, b.int((n * lines(body) * shape.factor).into()));
                for begin in (0..shape.depth).step_by(WIDE as usize) {
                    let from = b.byte_offset(from, b.long((begin * shape.factor).into()));
                    let to = b.byte_offset(to, b.int((begin * row(body, self.k)).into()));
                    match is_whole {
                        true => body.call("llvm.nvvm.cp.async.ca.shared.global.4", &[to, from]),
                        false => {
                            let used = self.used(body, rest, [n, begin]);
                            body.call("llvm.nvvm.cp.async.ca.shared.global.4.s", &[to, from, used])
                        }
                    };
                }
            }
            b.br(fetched);
        }
        b.at_end(fetched);
    }

    /// How many bytes there are of the thread's element of its line `n`, so many products behind its first.
    fn used(&self, body: &Body, rest: Value, [n, begin]: [u32; 2]) -> Value {
        let b = body.b;
        let along = b.plus(self.along, b.long(begin.into()));
        let is_there = b.icmp(Pred::LLVMIntSLT, along, rest);
        let left = b.select(is_there, self.left[0], b.long(0));
        let is_there = b.icmp(Pred::LLVMIntSLT, b.long((n * lines(body)).into()), left);
        b.select(is_there, b.int(body.shape.factor.into()), b.int(0))
    }
}

/// Lines that a block copies parts of at once.
fn lines(body: &Body) -> u32 {
    body.shape.threads() / WIDE
}
