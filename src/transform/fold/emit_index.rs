//! Indices that number elements by the dimensions in another order.
//!
//! ```text
//! ((l * c + k) * b + j) * a + i     ──►     (k * (b * a) + j * a) + l * (c * b * a) + i     all in 32 bits
//! ```
//! Each dimension's number is multiplied by the lengths of those that are nearer, as digits are: so the sum, and every
//! part of it, is less than the product of all, of which the host tests that it has 31 bits. Nothing wraps, and that
//! need not be asked again of each product. What layers add is the same for a block.

use super::emit::Copy;
use super::plan::{Fold, Part, product};
use crate::kernel::Kernel;
use crate::llvm::ir::{Op, Value};
use crate::map::HashMap;
use crate::number::Number;

/// How deep a sum is followed.
const DEEPEST: u32 = 16;

/// A part of the id, and what it is multiplied by.
type Term = (Part, Number);

impl Copy<'_> {
    /// Puts such sums in the places of indices, once the parts are worked out.
    pub(super) fn replace_indices(&self) {
        let parts = self.fold.parts.iter();
        let parts: HashMap<Value, Part> = parts.map(|(v, p)| (self.kernel.value(*v), *p)).collect();
        let all = self.kernel.blocks.iter().flat_map(|b| b.instructions());
        for i in all.filter(|i| i.is(Op::LLVMGetElementPtr)) {
            let [_, index] = i.operands()[..] else {
                continue;
            };
            let terms = terms(self.kernel, &parts, index, 0);
            let terms = terms.filter(|t| is_made_of_digits(self.fold, t));
            if let Some(terms) = terms {
                let terms: Vec<_> = terms.iter().map(|t| self.product(t)).collect();
                i.set_operand(1, self.b.sext(self.sum(&terms), index.ty()));
            }
        }
    }

    /// A part's number, what it is multiplied by, and whether it is of layers alone.
    fn product(&self, (part, by): &Term) -> (Value, Number, bool) {
        let layers = self.fold.layers();
        let is_layer = match *part {
            Part::Dimensions { from, to } => (from..to).all(|d| layers.contains(&d)),
            Part::Begin => false,
        };
        (self.parts[part], by.clone(), is_layer)
    }

    /// The sum of numbers that are less than the product of all lengths together, each with what it is multiplied by,
    /// and whether it is the same for a block: these come first.
    pub(super) fn sum(&self, terms: &[(Value, Number, bool)]) -> Value {
        let b = self.b;
        let products = |of_layers: bool| {
            let products = terms.iter().filter(|t| t.2 == of_layers);
            let products = products.map(|(v, n, _)| match n.known() {
                Some(1) => *v,
                _ => b.mul_nsw(*v, self.coefficient(n)),
            });
            products.reduce(|x, y| b.add_nsw(x, y))
        };
        let several = terms.iter().filter(|t| t.2).count() > 1;
        let layers = products(true).map(|v| if several { self.as_one(v) } else { v });
        let sums = layers.into_iter().chain(products(false));
        sums.reduce(|x, y| b.add_nsw(x, y))
            .expect("one number at least")
    }

    /// What a part is multiplied by.
    fn coefficient(&self, n: &Number) -> Value {
        let product = self.number(n);
        match n.factors.len() {
            0 | 1 => product,
            _ => self.as_one(product),
        }
    }

    /// A number of 31 bits, so that it is seen to be one, and is not multiplied out: products of many arguments would
    /// have to be tested not to go beyond 64 bits, and of blocks' numbers by each block.
    fn as_one(&self, v: Value) -> Value {
        self.b.and(v, v.ty().constant(i64::from(i32::MAX)))
    }
}

/// The parts that `v` is a sum of; `None`: of something else, too.
fn terms(kernel: &Kernel, parts: &HashMap<Value, Part>, v: Value, depth: u32) -> Option<Vec<Term>> {
    if let Some(part) = parts.get(&v) {
        return Some(vec![(*part, Number::constant(1))]);
    }
    let of = |k: u32| terms(kernel, parts, v.operand(k), depth + 1).filter(|_| depth < DEEPEST);
    let times =
        |n: Number, all: Vec<Term>| all.into_iter().map(|(p, m)| (p, m.times(&n))).collect();
    match v.opcode()? {
        Op::LLVMZExt | Op::LLVMSExt | Op::LLVMTrunc => of(0),
        Op::LLVMAdd => Some([of(0)?, of(1)?].concat()),
        Op::LLVMShl => {
            let by = v.operand(1).const_int().filter(|k| (0..31).contains(k))?;
            Some(times(Number::constant(1 << by), of(0)?))
        }
        Op::LLVMMul => {
            let by = |k: u32| Number::of(kernel, v.operand(k));
            match by(1) {
                Some(n) => Some(times(n, of(0)?)),
                None => Some(times(by(0)?, of(1)?)),
            }
        }
        _ => None,
    }
}

/// Whether each part is multiplied by the lengths of all before it, in some order, and there are no more than ids. A
/// value that is left as it is gains nothing by being written again.
fn is_made_of_digits(fold: &Fold, terms: &[Term]) -> bool {
    let is_one = |(_, n): &Term| n.known() == Some(1);
    let is_single = terms.len() == 1 && is_one(&terms[0]);
    !is_single && (0..terms.len()).any(|first| follow(fold, terms, first).is_some())
}

/// The terms from `first` on, each the next digit; `None`: some are left over, or more than ids could be counted.
fn follow(fold: &Fold, terms: &[Term], first: usize) -> Option<()> {
    let all = fold.limit.clone().unwrap_or(product(&fold.lengths));
    let mut left: Vec<usize> = (0..terms.len()).collect();
    let mut at = first;
    loop {
        left.retain(|k| *k != at);
        let (part, by) = &terms[at];
        let end = by.times(&length(fold, *part)?);
        if !by.is_whole() || !all.over(&end).is_whole() {
            return None;
        }
        match left.iter().find(|k| terms[**k].1 == end) {
            Some(next) => at = *next,
            None => return left.is_empty().then_some(()),
        }
    }
}

/// How many numbers a part has; `None`: nothing tells.
fn length(fold: &Fold, part: Part) -> Option<Number> {
    match part {
        Part::Dimensions { from, to } if to <= fold.last() => {
            Some(product(&fold.lengths[from..to]))
        }
        Part::Dimensions { from, .. } => Some(fold.limit.clone()?.over(&fold.below(from))),
        Part::Begin => None,
    }
}
