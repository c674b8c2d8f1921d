//! A kernel's clone that multiplies where the kernel divides.

use super::plan::{Divide, Divisor, Word};
use crate::kernel::Kernel;
use crate::llvm::ir::{Builder, Type, Value};

/// A divisor's words, in the bits of what is divided, and these.
struct Words {
    multiplier: Value,
    shift: Value,
    first: Value,
    bits: u32,
}

/// Has `copy`, whose last parameter is the list, take reciprocals from there.
pub fn emit(copy: &Kernel, divide: &Divide) -> Result<(), String> {
    let function = copy.function;
    write(copy, divide).ok_or("there is no list")?;
    // The list is memory that the kernel did not read.
    function.drop_attribute("memory");
    function.run_passes("early-cse,dce")
}

fn write(copy: &Kernel, divide: &Divide) -> Option<()> {
    let b = Builder::new(copy.function.module());
    let list = copy.function.params().pop()?;
    // By their places, before any is gone.
    let places = |d: &Divisor| -> Vec<(Value, bool)> {
        let all = d.divisions.iter();
        all.map(|x| (copy.block(x.block).instructions()[x.at], x.is_rest))
            .collect()
    };
    let divisions: Vec<_> = divide.divisors.iter().map(places).collect();
    let first = copy.function.entry().instructions()[0];
    for (number, (divisor, all)) in divide.divisors.iter().zip(divisions).enumerate() {
        b.before(first);
        let words = Words::load(&b, list, number, divisor.bits);
        for (v, is_rest) in all {
            b.before(v);
            let [n, d] = [0, 1].map(|k| v.operand(k));
            let quotient = match divisor.signed {
                true => words.signed(&b, n),
                false => words.unsigned(&b, n),
            };
            let new = match is_rest {
                true => b.sub(n, b.mul(quotient, d)),
                false => quotient,
            };
            v.replace_uses(new);
            v.erase();
        }
    }
    Some(())
}

impl Words {
    fn load(b: &Builder, list: Value, number: usize, bits: u32) -> Words {
        let ty = Type::int(b.module(), bits);
        let word = |w: Word| {
            let place = b.element(b.i32(), list, b.long(w.place(number) as i64));
            b.zext(b.load(b.i32(), place, 4), ty)
        };
        let low = word(Word::Low);
        let multiplier = match bits {
            32 => low,
            _ => b.or(low, b.shl(word(Word::High), ty.constant(32))),
        };
        Words {
            multiplier,
            shift: word(Word::Shift),
            first: word(Word::First),
            bits,
        }
    }

    /// `n / d`, figure 5.1.
    fn signed(&self, b: &Builder, n: Value) -> Value {
        let ty = n.ty();
        let high = self.high(b, n, &|v, to| b.sext(v, to));
        let quotient = b.ashr(b.add(n, high), self.shift);
        b.sub(quotient, b.ashr(n, ty.constant(i64::from(self.bits) - 1)))
    }

    /// `n / d`, figure 4.1.
    fn unsigned(&self, b: &Builder, n: Value) -> Value {
        let high = self.high(b, n, &|v, to| b.zext(v, to));
        let left = b.lshr(b.sub(n, high), self.first);
        b.lshr(b.add(high, left), self.shift)
    }

    /// The upper half of the product with the multiplier.
    fn high(&self, b: &Builder, n: Value, extend: &dyn Fn(Value, Type) -> Value) -> Value {
        let wide = Type::int(b.module(), 2 * self.bits);
        let product = b.mul(extend(n, wide), extend(self.multiplier, wide));
        let by = wide.constant(i64::from(self.bits));
        b.trunc(b.lshr(product, by), n.ty())
    }
}
