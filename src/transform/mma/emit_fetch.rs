//! Copies of an operand's strips into shared memory, 16 bytes of a line at a time.
//!
//! ```text
//! lines along the sum    128 lines of 64 bytes, one behind the other
//! lines across           64 lines of 128 bytes; those 16 to 31 have their pairs of 16 bytes exchanged, and so on, so
//!                        that the four lanes that read 16 lines apart find them in other banks
//! ```
//! What lies beyond the operand is 0 and is not read.

use super::Side;
use super::emit_body::Body;
use crate::llvm::ir::{Block, Pred, Type, Value};
use crate::machine::tuning::mma::{DEPTH, STRIP, THREADS, TILE};

/// Bytes of a chunk.
const WIDEST: u32 = 16;

/// An operand, and what a thread copies of it.
pub struct Operand {
    lengthwise: bool,
    /// Whether all lines begin at multiples of a chunk.
    is_aligned: Value,
    /// The address of the first element, and that behind the last.
    ends: [Value; 2],
    /// Bytes from a strip's chunk to the next strip's.
    advance: Value,
    chunks: Vec<Chunk>,
}

/// A chunk of each strip.
struct Chunk {
    /// In the first strip.
    from: Value,
    /// In a stage.
    to: Value,
    /// Its number along the sum, in a strip.
    along: Value,
    /// How many bytes there are in other strips than the last; of lines along the sum 0 or all.
    used: Value,
}

impl Operand {
    /// The operand `k`.
    pub fn new(body: &Body, k: usize, side: &Side) -> Operand {
        let b = body.b;
        let [base, pitch] = body.place(side);
        let start = b.ptrtoint(base, b.i64());
        let mask = b.long(i64::from(WIDEST) - 1);
        let rest = b.and(b.or(start, pitch), mask);
        let (lines, length) = match side.lengthwise {
            true => (body.bounds[k], body.count),
            false => (body.count, body.bounds[k]),
        };
        let last = b.mul(b.sub(lines, b.long(1)), pitch);
        let chunks = (0..TILE[k] * DEPTH / WIDEST / THREADS)
            .map(|n| Chunk::new(body, k, side, n, [base, pitch]))
            .collect();
        Operand {
            lengthwise: side.lengthwise,
            is_aligned: b.icmp(Pred::LLVMIntEQ, rest, b.long(0)),
            ends: [start, b.add(start, b.add(last, length))],
            advance: match side.lengthwise {
                true => b.long(DEPTH.into()),
                false => b.scaled(pitch, DEPTH.into()),
            },
            chunks,
        }
    }

    /// Begins to copy the strip of this number into the stage at `to`.
    pub fn fetch(&self, body: &Body, strip: Value, to: Value) {
        let b = body.b;
        let strip = b.zext(strip, b.i64());
        let done = b.scaled(strip, DEPTH.into());
        let moved = b.mul(strip, self.advance);
        let all: Vec<[Value; 3]> = self
            .chunks
            .iter()
            .map(|p| {
                let left = b.sub(body.count, b.add(done, p.along));
                let used = match self.lengthwise {
                    true => b.least(p.used, clamped(body, left)),
                    false => {
                        let is_there = b.icmp(Pred::LLVMIntSGT, left, b.long(0));
                        b.select(is_there, p.used, b.int(0))
                    }
                };
                [b.byte_offset(p.from, moved), body.at(b.add(to, p.to)), used]
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
        self.copy_all(body, &all, fetched);
        b.at_end(fetched);
    }

    /// Copies chunks that begin anywhere, and goes on at `fetched`: all are loaded before the first is stored, if
    /// that can be done by words, else they are copied one by one.
    fn copy_all(&self, body: &Body, chunks: &[[Value; 3]], fetched: Block) {
        let b = body.b;
        let [at_first, singly] = ["mma.loaded.first", "mma.singly"].map(|n| body.block(n));
        let words: Vec<Words> = chunks.iter().map(|c| self.words(body, *c)).collect();
        let whole = words.iter().map(|w| w.may_be_loaded);
        let whole = whole.reduce(|x, y| b.and(x, y)).expect("a chunk");
        b.cond_br(whole, at_first, singly);
        b.at_end(at_first);
        let loaded: Vec<Value> = words.iter().map(|w| w.load(body)).collect();
        for (all, [_, to, _]) in loaded.into_iter().zip(chunks) {
            b.store(all, *to, WIDEST);
        }
        b.br(fetched);
        b.at_end(singly);
        for (chunk, words) in chunks.iter().zip(&words) {
            copy(body, *chunk, words);
        }
        b.br(fetched);
    }

    /// The words that hold a chunk.
    fn words(&self, body: &Body, [from, _, used]: [Value; 3]) -> Words {
        let b = body.b;
        let start = b.ptrtoint(from, b.i64());
        let last = b.add(start, b.long(i64::from(WIDEST) - 1));
        let [skew, over] = [start, last].map(|x| b.and(x, b.long(3)));
        let tests = [
            b.icmp(Pred::LLVMIntEQ, used, b.int(WIDEST.into())),
            b.icmp(Pred::LLVMIntUGE, b.sub(start, skew), self.ends[0]),
            b.icmp(
                Pred::LLVMIntULE,
                b.add(b.sub(last, over), b.long(4)),
                self.ends[1],
            ),
        ];
        Words {
            may_be_loaded: tests.into_iter().reduce(|x, y| b.and(x, y)).expect("tests"),
            first: b.byte_offset(from, b.sub(b.long(0), skew)),
            last: b.byte_offset(from, b.sub(b.long(i64::from(WIDEST) - 1), over)),
            shift: b.trunc(b.scaled(skew, 8), b.i32()),
        }
    }
}

/// Four words that hold a chunk which begins anywhere, and one behind them, which is the fourth if it begins at a word.
struct Words {
    /// Whether the chunk is whole, and they lie between the operand's ends.
    may_be_loaded: Value,
    first: Value,
    last: Value,
    /// Bits in the first one before the chunk.
    shift: Value,
}

impl Words {
    /// The chunk.
    fn load(&self, body: &Body) -> Value {
        let b = body.b;
        let word = |n: i64| b.load(b.i32(), b.byte_offset(self.first, b.long(4 * n)), 4);
        let mut loaded = [0, 1, 2, 3].map(word).to_vec();
        loaded.push(b.load(b.i32(), self.last, 4));
        let join = b.module().intrinsic("llvm.fshr", &[b.i32()]);
        let none = b.i32().vector(4).poison();
        (0..).zip(loaded.windows(2)).fold(none, |all, (n, two)| {
            b.insert_element(all, b.call(join, &[two[1], two[0], self.shift]), n)
        })
    }
}

/// Copies a chunk by its words, if they may be loaded, else by bytes.
fn copy(body: &Body, [from, to, used]: [Value; 3], in_words: &Words) {
    let b = body.b;
    let names = [
        "mma.words",
        "mma.bytes",
        "mma.byte",
        "mma.each",
        "mma.copied",
    ];
    let [words, bytes, byte, each, copied] = names.map(|n| body.block(n));
    b.cond_br(in_words.may_be_loaded, words, bytes);
    b.at_end(words);
    b.store(in_words.load(body), to, WIDEST);
    b.br(copied);
    b.at_end(bytes);
    b.store(b.i32().vector(4).null(), to, WIDEST);
    b.br(byte);
    b.at_end(byte);
    let number = b.phi(b.i32());
    b.cond_br(b.icmp(Pred::LLVMIntULT, number, used), each, copied);
    b.at_end(each);
    let offset = b.zext(number, b.i64());
    let one = b.load(Type::int(b.module(), 8), b.byte_offset(from, offset), 1);
    b.store(one, b.byte_offset(to, number), 1);
    let next = b.add(number, b.int(1));
    let back = b.br(byte);
    b.loop_properties(back, &["llvm.loop.unroll.disable"]);
    number.add_incoming(b.int(0), bytes);
    number.add_incoming(next, each);
    b.at_end(copied);
}

impl Chunk {
    /// The `n`th chunk of a thread.
    fn new(body: &Body, k: usize, side: &Side, n: u32, [base, pitch]: [Value; 2]) -> Chunk {
        let b = body.b;
        let number = b.plus(body.thread, b.int(i64::from(n * THREADS)));
        let length = if side.lengthwise { DEPTH } else { TILE[k] };
        let each = b.int(i64::from(length / WIDEST));
        let [line, chunk] = [b.udiv(number, each), b.urem(number, each)];
        let place = match side.lengthwise {
            true => b.scaled(number, WIDEST.into()),
            false => {
                let pair = b.shl(b.lshr(line, b.int(4)), b.int(1));
                let chunk = b.xor(chunk, pair);
                b.add(
                    b.scaled(line, TILE[k].into()),
                    b.scaled(chunk, WIDEST.into()),
                )
            }
        };
        let begin = if k == 0 { 0 } else { STRIP[0] };
        let line = b.zext(line, b.i64());
        let bytes = b.zext(b.scaled(chunk, WIDEST.into()), b.i64());
        let first = body.first[k];
        let bound = body.bounds[k];
        let (line, bytes, along, used) = match side.lengthwise {
            true => {
                let line = b.add(first, line);
                let is_there = b.icmp(Pred::LLVMIntULT, line, bound);
                let used = b.select(is_there, b.int(WIDEST.into()), b.int(0));
                (line, bytes, bytes, used)
            }
            false => {
                let at = b.add(first, bytes);
                (line, at, line, clamped(body, b.sub(bound, at)))
            }
        };
        Chunk {
            from: b.byte_offset(base, b.add(b.mul(line, pitch), bytes)),
            to: b.plus(place, b.int(begin.into())),
            along,
            used,
        }
    }
}

/// How many bytes of a chunk there are, of `left` ones.
fn clamped(body: &Body, left: Value) -> Value {
    let b = body.b;
    let most = b.least(left, b.long(WIDEST.into()));
    b.trunc(b.greatest(most, b.long(0)), b.i32())
}
