//! Copies of bytes that begin anywhere, by the words that hold them.

use super::emit_body::{Body, WIDEST};
use crate::llvm::ir::{Block, Pred, Type, Value};

/// Copies chunks of an operand between `ends` that begin anywhere, and goes on at `fetched`: all are loaded before the
/// first is stored, if that can be done by words, else they are copied one by one.
pub fn copy_words(body: &Body, chunks: &[[Value; 3]], ends: [Value; 2], fetched: Block) {
    let b = body.b;
    let [at_first, singly] = ["mma.loaded.first", "mma.singly"].map(|n| body.block(n));
    let words: Vec<Words> = chunks.iter().map(|c| Words::of(body, *c, ends)).collect();
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
    /// The words that hold a chunk.
    fn of(body: &Body, [from, _, used]: [Value; 3], ends: [Value; 2]) -> Words {
        let b = body.b;
        let start = b.ptrtoint(from, b.i64());
        let last = b.add(start, b.long(i64::from(WIDEST) - 1));
        let [skew, over] = [start, last].map(|x| b.and(x, b.long(3)));
        let tests = [
            b.icmp(Pred::LLVMIntEQ, used, b.int(WIDEST.into())),
            b.icmp(Pred::LLVMIntUGE, b.sub(start, skew), ends[0]),
            b.icmp(
                Pred::LLVMIntULE,
                b.add(b.sub(last, over), b.long(4)),
                ends[1],
            ),
        ];
        Words {
            may_be_loaded: tests.into_iter().reduce(|x, y| b.and(x, y)).expect("tests"),
            first: b.byte_offset(from, b.sub(b.long(0), skew)),
            last: b.byte_offset(from, b.sub(b.long(i64::from(WIDEST) - 1), over)),
            shift: b.trunc(b.scaled(skew, 8), b.i32()),
        }
    }

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
