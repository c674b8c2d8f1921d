//! The launch of a version that multiplies: the program's own, with a reciprocal for each divisor.
//!
//! ```text
//! l = ceil(log2 d), signed at least 1     r = signed: 2^(l-1)   unsigned: 2^l - d     both below d, but for d = 1
//! 32 bits:  multiplier = r 2^32 / d + 1
//! 64 bits:  multiplier = (r 2^32 / d) 2^32 + (r 2^32 % d) 2^32 / d + 1      long division: d has 32 bits
//! ```
//! All modulo `2^64`, of which a multiplier of 32 bits has the lower half: signed with `d = 1` it is 1 in both.

use super::plan::{Divide, Divisor, Word};
use crate::choice::{Host, Relaunch};
use crate::llvm::ir::{Pred, Type, Value};

/// The largest divisor: long division by more would need a step for each bit.
const LARGEST: i64 = u32::MAX as i64;

impl Relaunch for Divide {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let own = host.own();
        let mut list = Vec::new();
        for (number, divisor) in self.divisors.iter().enumerate() {
            let words = words(host, divisor)?;
            list.extend(words.map(|(word, v)| (word.place(number), v)));
        }
        let answer = host.answer()?;
        let [block, grid] = [0, 3].map(|first| [0, 1, 2].map(|k| own[first + k]));
        host.store(own, block, grid, answer);
        host.hand(list);
        Some(answer)
    }
}

/// What the version needs to know of a divisor, which is tested to be one.
fn words(host: &mut Host, divisor: &Divisor) -> Option<[(Word, Value); 4]> {
    let b = host.b;
    let long = Type::int(b.module(), 64);
    let [zero, one, half] = [0, 1, 32].map(|n| long.constant(n));
    let first = divisor.divisions.first()?;
    let by = host.kernel.block(first.block).instructions()[first.at].operand(1);
    // Shifts may go beyond a number's bits where no thread comes to.
    let by = b.freeze(host.known(by)?);
    let by = match divisor.signed {
        true => b.sext(by, long),
        false => b.zext(by, long),
    };
    let is_one = b.icmp(Pred::LLVMIntULT, b.sub(by, one), long.constant(LARGEST));
    host.tests.push(is_one);
    // Nothing is divided by 0, whatever the launch is.
    let by = b.select(is_one, by, one);
    let is_poison = b.i1().constant(0);
    let zeros = b.intrinsic("llvm.ctlz", &[long], &[b.sub(by, one), is_poison]);
    let length = b.sub(long.constant(64), zeros);
    let less = b.greatest(b.sub(length, one), zero);
    let (rest, before) = match divisor.signed {
        true => (b.shl(one, less), zero),
        false => (b.sub(b.shl(one, length), by), b.least(length, one)),
    };
    let wide = b.shl(rest, half);
    let above = b.udiv(wide, by);
    let (low, high) = match divisor.bits {
        32 => (b.add(above, one), zero),
        _ => {
            let below = b.udiv(b.shl(b.urem(wide, by), half), by);
            let multiplier = b.add(b.add(b.shl(above, half), below), one);
            (multiplier, b.lshr(multiplier, half))
        }
    };
    Some([
        (Word::Low, low),
        (Word::High, high),
        (Word::Shift, less),
        (Word::First, before),
    ])
}
