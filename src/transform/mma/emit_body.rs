//! What all parts of the version's body need: where it is written, and what is worked out at its entry.

use super::joins::begin_of;
use super::plan::Numbers;
use super::{Mma, Side};
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, Kernel, repeat};
use crate::llvm::ir::{Block, Builder, Pred, Type, Value};
use crate::machine::tuning::mma::Shape;

/// Bytes of a chunk, which is copied at once.
pub const WIDEST: u32 = 16;

/// What the parts share.
pub struct Body<'a> {
    pub b: &'a Builder,
    pub mma: &'a Mma,
    pub shape: &'static Shape,
    pub copy: &'a Kernel,
    pub shared: Value,
    pub thread: Value,
    /// The block's first row and column, of the ids.
    pub first: [Value; 2],
    /// How many there are.
    pub bounds: [Value; 2],
    /// How many products an element sums up.
    pub count: Value,
}

impl<'a> Body<'a> {
    /// Works out at the entry what all of it needs.
    pub fn new(mma: &'a Mma, copy: &'a Kernel, b: &'a Builder) -> Body<'a> {
        let name = format!("{}$tiles", copy.name);
        let shape = mma.numbers.shape();
        let bytes = Type::int(b.module(), 8).array(u64::from(shape.shared()));
        let merged = copy.function.value().is_mergeable();
        let thread = register(b, "tid", 'x');
        let blocks = ['y', 'x'].map(|d| b.zext(register(b, "ctaid", d), b.i64()));
        let mut body = Body {
            b,
            mma,
            shape,
            copy,
            shared: b.module().add_shared_global(&name, bytes, 16, merged),
            thread,
            first: [0, 1].map(|k| b.scaled(blocks[k], shape.tile[k].into())),
            bounds: blocks,
            count: b.long(0),
        };
        body.bounds = [(0, 'y'), (1, 'x')].map(|(k, d)| match &mma.sides[k].bound {
            Some(bound) => body.poly(&bound.poly),
            None => {
                let all = b.zext(register(b, "nctaid", d), b.i64());
                b.scaled(all, shape.tile[k].into())
            }
        });
        let when = mma.when.iter().map(|(v, wanted)| {
            let v = repeat(b, copy.value(*v));
            if *wanted { v } else { b.not(v) }
        });
        let when = when.reduce(|x, y| b.and(x, y));
        body.count = b.choose(when, body.poly(&mma.count), b.long(0));
        body
    }

    /// What a sum is in.
    pub fn sum_type(&self) -> Type {
        self.copy.value(self.mma.sum).ty()
    }

    /// What sums begin with, if that is a constant: real numbers are taken up in the loop's order, from its begin on.
    pub fn begin(&self) -> Option<Value> {
        let sum = self.copy.value(self.mma.sum);
        let begin = match self.mma.numbers {
            Numbers::Bytes { .. } => self.b.int(0),
            Numbers::Doubles { .. } | Numbers::Floats { .. } => {
                begin_of(sum, self.copy.block(self.mma.header))
            }
        };
        begin.is_constant().then_some(begin)
    }

    /// The value of a number of arguments and the block's along z, at the entry. The host tested that its parts are
    /// small, and that nothing is divided by 0.
    fn poly(&self, p: &Poly) -> Value {
        let b = self.b;
        p.terms().fold(b.long(0), |sum, (m, c)| {
            let product = m.iter().fold(b.long(c), |product, a| {
                let factor = match a {
                    Atom::Ctaid(Dim::Z) => b.zext(register(b, "ctaid", 'z'), b.i64()),
                    Atom::Symbol(s) => {
                        let v = repeat(b, self.copy.value(self.mma.symbols[s.index()]));
                        b.sext(v, b.i64())
                    }
                    _ => unreachable!("a number of a layer"),
                };
                b.times(product, factor)
            });
            b.plus(sum, product)
        })
    }

    /// Where an operand begins, and bytes from a line to the next.
    pub fn place(&self, side: &Side) -> [Value; 2] {
        let b = self.b;
        let base = repeat(b, self.copy.value(side.base));
        let base = b.addrspacecast(base, Type::pointer(b.module(), 1));
        let first = self.poly(&side.first);
        [b.byte_offset(base, first), self.poly(&side.pitch)]
    }

    pub fn block(&self, name: &str) -> Block {
        let block = self.copy.function.append_block(name);
        block.move_before(self.copy.blocks[0]);
        block
    }

    pub fn call(&self, name: &str, args: &[Value]) -> Value {
        self.b.intrinsic(name, &[], args)
    }

    /// Has the tensor cores add the products of `operands` to four sums.
    pub fn product(&self, name: &str, operands: &[Value], sums: &mut [Value]) {
        let made = self.call(name, &[operands, sums].concat());
        for (k, s) in sums.iter_mut().enumerate() {
            *s = self.b.field(made, k as u32);
        }
    }

    /// Waits for all threads of the block.
    pub fn wait_for_all(&self) {
        self.call("llvm.nvvm.barrier.cta.sync.aligned.all", &[self.b.int(0)]);
    }

    /// Where `offset` bytes of shared memory are.
    pub fn at(&self, offset: Value) -> Value {
        self.b.byte_offset(self.shared, offset)
    }
}

/// A loop that runs for each number below its end, which follows its body.
pub struct Counted {
    pub before: Block,
    first: Block,
    pub number: Value,
}

impl Counted {
    pub fn begin(body: &Body, name: &str) -> Counted {
        let (b, before, first) = (body.b, body.b.block(), body.block(name));
        b.br(first);
        b.at_end(first);
        let number = b.phi(b.i32());
        number.add_incoming(b.int(0), before);
        Counted {
            before,
            first,
            number,
        }
    }

    /// Ends the body, and stands behind the loop.
    pub fn end(self, body: &Body, all: u32) {
        let (b, latch, behind) = (body.b, body.b.block(), body.block("mma.done"));
        let next = b.add(self.number, b.int(1));
        let goes_on = b.icmp(Pred::LLVMIntULT, next, b.int(all.into()));
        b.cond_br(goes_on, self.first, behind);
        self.number.add_incoming(next, latch);
        b.at_end(behind);
    }
}

/// What a special register holds.
fn register(b: &Builder, name: &str, along: char) -> Value {
    let intrinsic = format!("llvm.nvvm.read.ptx.sreg.{name}.{along}");
    b.intrinsic(&intrinsic, &[], &[])
}
