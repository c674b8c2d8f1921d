//! Which kernels can be folded, and what their values are then.

use super::axes;
use super::plan::{Fold, Part, in_order, product};
use crate::choice;
use crate::kernel::ids::{self, Register};
use crate::kernel::{Dim, Kernel, ValueId};
use crate::llvm::ir::{Op, Value};
use crate::machine::tuning::fold::{SHORTEST, THREADS};
use crate::map::HashMap;
use crate::number::Number;
use crate::plan::{self, Analyses};

/// Values of ids that are looked at, at most.
const MOST_VALUES: usize = 64;

/// A division of a part of the id.
struct Division {
    instruction: Value,
    by: Number,
    /// Whether it is the rest that it gives.
    is_rest: bool,
}

/// How the kernel's flattened id can be taken apart; `None`: it has none, or may not be launched so.
pub fn find(f: &Analyses) -> Option<Fold> {
    found(f, axes::choose)
}

/// The same with the dimensions in their order: elements of a loop.
pub fn find_in_order(f: &Analyses) -> Option<Fold> {
    found(f, |_, _| in_order())
}

fn found(f: &Analyses, choose: impl Fn(&Analyses, &Fold) -> [usize; 2]) -> Option<Fold> {
    let kernel = f.kernel;
    let allowed = plan::may_be_redistributed(f)
        && ids::uses_global_id_only(kernel, Dim::X)
        && kernel.max_threads >= THREADS;
    if !allowed {
        return None;
    }
    let outer = outer_layers(kernel)?;
    let roots = roots(kernel);
    let inner = inner_lengths(kernel, &roots)?;
    let digits = digits(kernel, &roots, &inner);
    let mut fold = Fold {
        parts: Vec::new(),
        axes: in_order(),
        lengths: with_further(inner, &digits),
        limit: limit(f, &digits),
        outer,
        run: None,
    };
    fold.parts = decode(&fold, kernel, &digits, &roots);
    fold.axes = choose(f, &fold);
    // Which layer is the id's the host and the copy tell by how many there are.
    if outer.is_some() && !fold.layers().is_empty() && fold.count_of_layers().is_none() {
        return None;
    }
    let known = |n: &Number| {
        let mut values = n.factors.iter().chain(&n.by);
        values.all(|v| choice::host_knows(kernel.function, kernel.value(*v)))
    };
    let row = fold.lengths.get(fold.axes[0]);
    let is_short = row
        .and_then(Number::known)
        .is_some_and(|n| n < i64::from(SHORTEST));
    (!is_short && fold.numbers().all(known)).then_some(fold)
}

/// Along which other axis than x the kernel asks for its block's number, if along any; `None`: along two, or it asks
/// there for threads, or anywhere for the grid's size.
fn outer_layers(kernel: &Kernel) -> Option<Option<Dim>> {
    let all = kernel.blocks.iter().flat_map(|b| b.instructions());
    let mut outer = None;
    for (register, d) in all.filter_map(ids::register) {
        match register {
            Register::Nctaid => return None,
            _ if d == Dim::X => {}
            Register::Ctaid if outer.is_none_or(|o| o == d) => outer = Some(d),
            Register::Ctaid | Register::Tid | Register::Ntid => return None,
        }
    }
    Some(outer)
}

/// The values that are `ctaid.x * ntid.x + tid.x`.
fn roots(kernel: &Kernel) -> Vec<Value> {
    let all = kernel.blocks.iter().flat_map(|b| b.instructions());
    all.filter(|v| v.is(Op::LLVMAdd) && ids::is_widened_global_id(*v, Dim::X))
        .collect()
}

/// The divisions of these values, widened or not.
fn divisions(kernel: &Kernel, of: &[Value]) -> Vec<Division> {
    let users = of.iter().flat_map(|v| ids::wide_users(*v));
    let divides = users.filter(|u| of.contains(&ids::unextended(u.operand(0))));
    divides.filter_map(|u| division(kernel, u)).collect()
}

fn division(kernel: &Kernel, u: Value) -> Option<Division> {
    use Op::*;
    let bits = u.ty().int_width().filter(|w| matches!(w, 32 | 64))?;
    let constant = || u.operand(1).const_int();
    let op = u.opcode()?;
    let by = match op {
        LLVMSDiv | LLVMUDiv | LLVMSRem | LLVMURem => Number::of(kernel, u.operand(1))?,
        LLVMLShr | LLVMAShr => Number::constant(1 << constant().filter(|k| (1..31).contains(k))?),
        // The rest by a power of two.
        LLVMAnd => {
            let mask = constant().filter(|c| *c > 0 && *c < i64::from(i32::MAX) && bits >= 32)?;
            let power = u64::try_from(mask + 1).is_ok_and(u64::is_power_of_two);
            power.then(|| Number::constant(mask + 1))?
        }
        _ => return None,
    };
    (by != Number::constant(1)).then_some(Division {
        instruction: u,
        by,
        is_rest: matches!(op, LLVMSRem | LLVMURem | LLVMAnd),
    })
}

/// `id / over % length`, without the last where there is no length.
#[derive(Clone, PartialEq, Eq)]
struct Digit {
    over: Number,
    length: Option<Number>,
}

/// By which lengths are ordered: fewer factors first.
fn size(n: &Number) -> (usize, i64, Vec<ValueId>) {
    (n.factors.len() + n.by.len(), n.constant, n.factors.clone())
}

/// The lengths of the first dimension, and of the second if there are three or more, by divisions of the id.
fn inner_lengths(kernel: &Kernel, roots: &[Value]) -> Option<Vec<Number>> {
    let least = |all: Vec<Number>| all.into_iter().min_by_key(size);
    let of_id = divisions(kernel, roots);
    let first = least(of_id.iter().map(|d| d.by.clone()).collect())?;
    let of = |is_rest: bool| {
        let by_first = of_id
            .iter()
            .filter(|d| d.by == first && d.is_rest == is_rest);
        let values: Vec<Value> = by_first.map(|d| d.instruction).collect();
        divisions(kernel, &values)
    };
    // The rest of a division is divided again: rows of a plane.
    if let Some(row) = least(of(true).into_iter().map(|d| d.by).collect()) {
        let rows = first.over(&row);
        return Some(vec![row, rows]);
    }
    let again = of(false).into_iter().map(|d| d.by);
    let planes = of_id
        .iter()
        .map(|d| d.by.over(&first))
        .filter(Number::is_whole);
    let planes = planes.filter(|n| *n != Number::constant(1));
    let second = least(again.chain(planes).collect());
    Some(std::iter::once(first).chain(second).collect())
}

/// With those of further dimensions, by what else of the id there is: each divides what is above.
fn with_further(mut lengths: Vec<Number>, digits: &HashMap<Value, Digit>) -> Vec<Number> {
    let ends = |d: &Digit| {
        let beyond = d.length.as_ref().map(|n| d.over.times(n));
        std::iter::once(d.over.clone()).chain(beyond)
    };
    let ends: Vec<Number> = digits.values().flat_map(ends).collect();
    while lengths.len() > 1 {
        let inner = product(&lengths);
        let further = ends.iter().map(|n| n.over(&inner));
        let further = further.filter(|n| n.is_whole() && *n != Number::constant(1));
        match further.min_by_key(size) {
            Some(n) => lengths.push(n),
            None => break,
        }
    }
    lengths
}

/// The values that are the id without its rest by `n`, a power of two.
fn begins(roots: &[Value], n: &Number) -> Vec<Value> {
    let users = roots.iter().flat_map(|v| ids::wide_users(*v));
    let mask = |u: &Value| u.is(Op::LLVMAnd) && u.operand(1).const_int() == Some(-n.constant);
    let is_constant = n.known().is_some();
    users
        .filter(|u| is_constant && mask(u) && roots.contains(&ids::unextended(u.operand(0))))
        .collect()
}

/// What each value that is made of the id by divisions is.
fn digits(kernel: &Kernel, roots: &[Value], lengths: &[Number]) -> HashMap<Value, Digit> {
    let whole = Digit {
        over: Number::constant(1),
        length: None,
    };
    let mut found: HashMap<Value, Digit> = roots.iter().map(|r| (*r, whole.clone())).collect();
    let mut work: Vec<Value> = roots.to_vec();
    while let Some(v) = work.pop().filter(|_| found.len() < MOST_VALUES) {
        for d in divisions(kernel, &[v]) {
            let Some(digit) = found[&v].divided(&d, lengths) else {
                continue;
            };
            if found.insert(d.instruction, digit).is_none() {
                work.push(d.instruction);
            }
        }
    }
    found
}

impl Digit {
    /// What a division makes of it; `None`: nothing that ids are taken apart into.
    fn divided(&self, d: &Division, lengths: &[Number]) -> Option<Digit> {
        // What is divided has a length that the divisor must divide, or rows of planes would not be whole.
        let left = self.length.as_ref().map(|l| l.over(&d.by));
        if left
            .as_ref()
            .is_some_and(|l| !l.is_whole() && !lengths.contains(l))
        {
            return None;
        }
        Some(match d.is_rest {
            true => Digit {
                over: self.over.clone(),
                length: Some(d.by.clone()),
            },
            false => Digit {
                over: self.over.times(&d.by),
                length: left,
            },
        })
    }

    /// Which dimensions it is the number of; `None`: of no whole ones.
    fn part(&self, fold: &Fold) -> Option<Part> {
        let is_below = |n: &Number| (0..=fold.last()).find(|d| fold.below(*d) == *n);
        let from = is_below(&self.over)?;
        let to = match &self.length {
            None => fold.last() + 1,
            Some(n) => is_below(&self.over.times(n))?,
        };
        (from < to).then_some(Part::Dimensions { from, to })
    }
}

/// What the values are by the lengths, those at which a row begins too, in the kernel's order.
fn decode(
    fold: &Fold,
    kernel: &Kernel,
    digits: &HashMap<Value, Digit>,
    roots: &[Value],
) -> Vec<(ValueId, Part)> {
    let begins = begins(roots, &fold.lengths[0]).into_iter();
    let begins = begins.map(|v| (kernel.value_id(v), Part::Begin));
    let digits = digits.iter();
    let digits = digits.filter_map(|(v, d)| Some((kernel.value_id(*v), d.part(fold)?)));
    let mut parts: Vec<(ValueId, Part)> = begins.chain(digits).collect();
    parts.sort_by_key(|p| p.0);
    parts
}

/// How many ids are of use, by what the kernel's first branch asks of the id, or of what it counts outermost.
fn limit(f: &Analyses, digits: &HashMap<Value, Digit>) -> Option<Number> {
    let is_harmless = |v: Value| digits.contains_key(&v);
    let mut wholes: Vec<&Digit> = digits.values().filter(|d| d.length.is_none()).collect();
    wholes.sort_by_key(|d| (d.over.factors.clone(), d.over.constant));
    wholes.dedup();
    wholes.into_iter().find_map(|d| {
        let is_it = |v: Value| digits.get(&ids::unextended(v)) == Some(d);
        let bound = plan::active_bound_of(f, &is_it, &is_harmless).filter(|r| !r.included)?;
        let count = Number::of(f.kernel, f.kernel.value(bound.value))?.times(&d.over);
        count.is_whole().then_some(count)
    })
}
