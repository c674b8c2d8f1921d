//! Which kernels' products tensor cores can work out, and what that rests on.

use super::joins::{begin_of, joins, may_begin_twice};
use super::limits::{Limits, block_of, is_of_arguments, is_of_layer, is_of_symbols};
use super::plan::Numbers;
use super::{Bound, Mma, Side};
use crate::access::{self, Access, Base};
use crate::affine::{Atom, Poly};
use crate::kernel::{BlockId, Dim, Kernel, ids};
use crate::llvm::CommandLineOption;
use crate::llvm::ir::{Kind, Op, Value};
use crate::machine::target::{OLDEST_MMA, ORDERED_MMA};
use crate::number::Number;
use crate::plan::{self, Analyses, FactList};
use crate::tree::{ExitAt, Loop, LoopId};
use std::fmt;

/// LLVM's option that says how the back end fuses products with sums.
const FUSING: &str = "nvptx-fma-level";

/// Why a product is left as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMma {
    /// The chip's tensor cores have no such products.
    Chip,
    /// The chip has no asynchronous copies.
    Copies,
    /// Threads may have to do with each other, or the kernel is left alone.
    Threads,
    /// In which order the chip's tensor cores sum doubles up is not known.
    Order,
    /// Other files may have the kernel.
    Shared,
    /// Its blocks may have fewer threads than a block of the version has.
    Bounded,
    /// LLVM may work real numbers out in another way where the loop is gone.
    Fuses,
    /// The loop does something else, too, or what it leaves besides is used.
    Loop,
    /// What its sum begins with is worked out by code that does something else, too.
    Begin,
    /// How often it runs is not the same for all threads, or is not known.
    Count,
    /// An operand does not lie in rows or columns.
    Index,
    /// Threads are told apart by other conditions than a limit of each id.
    Guards,
    /// A thread beyond the limits stores.
    Beyond,
    /// What is stored may be read.
    Stored,
}

impl fmt::Display for NoMma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoMma::Chip => "the chip's tensor cores have no products of bytes (sm_80 and later have)",
            NoMma::Copies => "the chip has no asynchronous copies (sm_80 and later have)",
            NoMma::Order => "in which order the chip's tensor cores sum doubles up is not known (of sm_90 it is)",
            NoMma::Threads => "threads may have to do with each other, or ask for more than their ids along x and y",
            NoMma::Shared => "other files may have the kernel",
            NoMma::Bounded => "its launch bounds leave no room for a block of such a version",
            NoMma::Fuses => "real numbers might be worked out in another way without the loop",
            NoMma::Loop => "the loop does more than sum up products",
            NoMma::Begin => "in front of the loop more is done than to work out what the sum begins with",
            NoMma::Count => "how often the loop runs is not known at the kernel's entry",
            NoMma::Index => "an operand's lines do not lie side by side, by one id each",
            NoMma::Guards => "threads take part by other conditions than one limit of each id",
            NoMma::Beyond => "threads beyond the product's limits store, too",
            NoMma::Stored => "what is stored may be what is read",
        })
    }
}

/// How the kernel's product is worked out, `small` in tiles for a small one, or why it is not; `None`: it has none, or
/// there is no such way.
pub fn find(f: &Analyses, small: bool) -> Option<(Numbers, Result<Mma, NoMma>)> {
    let product = (0..f.tree.loops.len() as u32).find_map(|l| Product::of(f, LoopId(l)))?;
    let numbers = match small {
        true => product.numbers.small()?,
        false => product.numbers,
    };
    let allowed = may_be_rewritten(f.kernel, numbers).and_then(|()| may_be_reshaped(f));
    Some((numbers, allowed.and_then(|()| product.plan(f, numbers))))
}

fn may_be_rewritten(kernel: &Kernel, numbers: Numbers) -> Result<(), NoMma> {
    let tests = [
        match numbers {
            Numbers::Bytes { .. } => (kernel.sm >= OLDEST_MMA, NoMma::Chip),
            Numbers::Doubles { .. } => (kernel.sm == ORDERED_MMA, NoMma::Order),
            Numbers::Floats { .. } => (kernel.sm >= OLDEST_MMA, NoMma::Copies),
        },
        (!kernel.function.value().is_mergeable(), NoMma::Shared),
        (
            kernel.max_threads >= numbers.shape().threads()
                && kernel.function.string_attribute("nvvm.maxnreg").is_none(),
            NoMma::Bounded,
        ),
        (
            !numbers.are_real() || !CommandLineOption::is_given(FUSING),
            NoMma::Fuses,
        ),
        // The blocks around the loop become one.
        (
            !access::crosses_blocks(kernel) && !kernel.rearranges && kernel.pairs.is_none(),
            NoMma::Fuses,
        ),
    ];
    match tests.into_iter().find(|(holds, _)| !holds) {
        Some((_, why)) => Err(why),
        None => Ok(()),
    }
}

/// Whether which thread an element belongs to is all that matters, by its ids along x and y. Those along z stay.
fn may_be_reshaped(f: &Analyses) -> Result<(), NoMma> {
    let kernel = f.kernel;
    let is_free = kernel.rejected.is_none()
        && plan::is_free(f)
        && !kernel.has_variables()
        && [Dim::X, Dim::Y]
            .into_iter()
            .all(|d| ids::uses_global_id_only(kernel, d));
    is_free.then_some(()).ok_or(NoMma::Threads)
}

/// A loop that sums up products.
struct Product {
    at: LoopId,
    header: BlockId,
    sum: Value,
    next: Value,
    numbers: Numbers,
    /// What is loaded.
    factors: [Value; 2],
}

impl Product {
    fn of(f: &Analyses, at: LoopId) -> Option<Product> {
        let kernel = f.kernel;
        let l = f.tree.loop_(at);
        let [header] = l.blocks[..] else {
            return None;
        };
        let block = kernel.block(header);
        let phis = block.phis().into_iter();
        let (sum, next, numbers, factors) = phis
            .filter_map(|sum| {
                let next = sum.incoming_from(block)?;
                let (numbers, factors) = bytes(next, sum).or_else(|| real(next, sum))?;
                Some((sum, next, numbers, factors))
            })
            .next()?;
        let is_inner = factors.iter().all(|v| v.block() == Some(block));
        is_inner.then_some(Product {
            at,
            header,
            sum,
            next,
            numbers,
            factors,
        })
    }

    fn plan(&self, f: &Analyses, numbers: Numbers) -> Result<Mma, NoMma> {
        let l = f.tree.loop_(self.at);
        if !self.is_all(f, l) {
            return Err(NoMma::Loop);
        }
        if numbers.are_real() && !self.joins_nothing_else(f) {
            return Err(NoMma::Fuses);
        }
        if numbers.are_real()
            && !may_begin_twice(&f.kernel.blocks, self.sum, f.kernel.block(self.header))
        {
            return Err(NoMma::Begin);
        }
        let mut facts = FactList::default();
        let trip = f
            .affine
            .uniform_trip(self.at)
            .filter(|t| t.step.as_constant() == Some(1));
        let count = trip
            .map(|t| t.span.clone())
            .filter(|p| is_of_symbols(f, p))
            .ok_or(NoMma::Count)?;
        facts
            .add_trip(f.affine, self.at)
            .map_err(|_| NoMma::Count)?;
        facts.add_range(&count, 1, i64::from(i32::MAX));
        let factors = self.accesses(f).ok_or(NoMma::Index)?;
        let limits = Limits::of_both(f, factors, &mut facts).ok_or(NoMma::Guards)?;
        let element = i64::from(numbers.shape().factor);
        let sides = [0, 1].map(|k| side(f, factors[k], self.at, element, &limits));
        let [a, b] = match sides {
            [Some(a), Some(b)] if a.dim != b.dim => [a, b],
            _ => return Err(NoMma::Index),
        };
        let (sides, numbers) = match a.dim == stored_along(f) {
            true => ([b, a], numbers.swapped()),
            false => ([a, b], numbers),
        };
        for s in &sides {
            let bound = s.bound.as_ref().map(|b| &b.poly);
            for p in [&s.first, &s.pitch].into_iter().chain(bound) {
                facts.add_poly(f.affine, p).map_err(|_| NoMma::Index)?;
            }
        }
        check_effects(f, factors, &limits, &mut facts)?;
        Ok(Mma {
            header: self.header,
            sum: f.kernel.value_id(self.sum),
            next: f.kernel.value_id(self.next),
            count,
            when: limits.when,
            sides,
            numbers,
            facts: facts.list,
            symbols: f.affine.symbols.iter().map(|s| s.value).collect(),
        })
    }

    /// Whether the loop, in no other, does nothing else, and is left at its end with nothing but the sum.
    fn is_all(&self, f: &Analyses, l: &Loop) -> bool {
        let block = f.kernel.block(self.header);
        let is_load = |i: Value| self.factors.contains(&i);
        let mut all = block.instructions().into_iter();
        l.parent.is_none()
            && l.exit_at == ExitAt::Latch
            && all.all(|i| {
                let is_left = || i.users().into_iter().any(|u| u.block() != Some(block));
                let is_allowed = match i.opcode() {
                    Some(Op::LLVMLoad) => is_load(i),
                    Some(Op::LLVMCall) => i.accesses_no_memory(),
                    Some(Op::LLVMStore | Op::LLVMAtomicRMW | Op::LLVMAtomicCmpXchg) => false,
                    _ => true,
                };
                is_allowed && (i == self.next || !is_left())
            })
    }

    /// Whether its sum joins nothing behind the loop but what that begins with.
    fn joins_nothing_else(&self, f: &Analyses) -> bool {
        let block = f.kernel.block(self.header);
        joins(self.next, begin_of(self.sum, block), block).is_some()
    }

    fn accesses<'a>(&self, f: &Analyses<'a>) -> Option<[&'a Access; 2]> {
        let find = |v: Value| {
            let id = f.kernel.value_id(v);
            f.accesses.iter().find(|a| a.value == id)
        };
        Some([find(self.factors[0])?, find(self.factors[1])?])
    }
}

/// The bytes whose product `next` adds to `sum`, in 32 bits.
fn bytes(next: Value, sum: Value) -> Option<(Numbers, [Value; 2])> {
    let product = other_side(next, Op::LLVMAdd, sum)?;
    let is_product = product.is(Op::LLVMMul) && product.block() == next.block();
    let factors = is_product.then(|| [0, 1].map(|k| byte(product.operand(k))))?;
    let [(a, a_signed), (b, b_signed)] = [factors[0]?, factors[1]?];
    let signed = [a_signed, b_signed];
    let is_int32 = next.ty().int_width() == Some(32);
    is_int32.then_some((Numbers::Bytes { signed }, [a, b]))
}

/// The doubles or floats whose product `next` adds to `sum`, which the back end fuses with it: tensor cores round each
/// sum once, too, as `fma` does (PTX ISA).
fn real(next: Value, sum: Value) -> Option<(Numbers, [Value; 2])> {
    let product = other_side(next, Op::LLVMFAdd, sum)?;
    let is_fused = product.is(Op::LLVMFMul)
        && product.block() == next.block()
        && product.users().len() == 1
        && [product, next].iter().all(|v| v.may_contract());
    let numbers = match next.ty().kind() {
        Kind::LLVMDoubleTypeKind => Numbers::Doubles { small: false },
        Kind::LLVMFloatTypeKind => Numbers::Floats { small: false },
        _ => return None,
    };
    let factors = is_fused.then(|| [0, 1].map(|k| product.operand(k)))?;
    let are_loads = factors.iter().all(|v| v.is(Op::LLVMLoad));
    are_loads.then_some((numbers, factors))
}

/// The other operand of `v`, an operation `op`, one of whose operands is `one`.
fn other_side(v: Value, op: Op, one: Value) -> Option<Value> {
    let [a, b] = v.operands()[..] else {
        return None;
    };
    match (v.is(op), a == one, b == one) {
        (true, true, false) => Some(b),
        (true, false, true) => Some(a),
        _ => None,
    }
}

/// The load of a byte that `v` is, widened, and whether as a signed number.
fn byte(v: Value) -> Option<(Value, bool)> {
    let signed = match v.opcode()? {
        Op::LLVMSExt => true,
        Op::LLVMZExt => false,
        _ => return None,
    };
    let load = v.operand(0);
    (load.is(Op::LLVMLoad) && load.ty().int_width() == Some(8)).then_some((load, signed))
}

/// The operand that an access loads, if it lies in rows or columns.
fn side(f: &Analyses, a: &Access, at: LoopId, element: i64, limits: &Limits) -> Option<Side> {
    let index = &f.affine.address(a.id)?.index;
    let (mut each, rest) = index.split(Atom::varies)?;
    let along_sum = each.remove(&Atom::Iter(at))?;
    let mut each = each.into_iter();
    let (Some((Atom::Tid(dim @ (Dim::X | Dim::Y)), by_line)), None) = (each.next(), each.next())
    else {
        return None;
    };
    let first = rest.minus(&block_of(dim).times(&by_line));
    let lengthwise = along_sum.as_constant() == Some(element);
    let pitch = match (lengthwise, by_line.as_constant()) {
        (true, _) => by_line,
        (false, Some(bytes)) if bytes == element => along_sum,
        _ => return None,
    };
    let bound = limits.bounds[dim.index()].as_ref();
    let bound = bound.map(|poly| Bound::of(f, poly));
    let base = f.affine.base(a.array?);
    // Copies read global memory, where no table of constants lies.
    let all_known = f.accesses.array(a.array?).origin != Base::Constant
        && (f.kernel.value(base).is_global_variable() || is_of_arguments(f, base))
        && is_of_layer(f, &first)
        && is_of_symbols(f, &pitch);
    let side = Side {
        dim,
        bound: match bound {
            Some(None) => return None,
            Some(Some(b)) => Some(b),
            None => None,
        },
        base,
        first,
        pitch,
        lengthwise,
    };
    all_known.then_some(side)
}

impl Bound {
    /// A number that the host works out, too: an argument, or what is made of several.
    fn of(f: &Analyses, poly: &Poly) -> Option<Bound> {
        let number = match poly.as_constant() {
            Some(c) => Number::constant(c),
            None => {
                let mut terms = poly.terms();
                let ((m, 1), None) = (terms.next()?, terms.next()) else {
                    return None;
                };
                let [Atom::Symbol(s)] = m[..] else {
                    return None;
                };
                let symbol = f.affine.symbols[s.index()];
                Number::of(f.kernel, f.kernel.value(symbol.value))?
            }
        };
        Some(Bound {
            poly: poly.clone(),
            number,
        })
    }
}

/// The dimension along which threads store side by side.
fn stored_along(f: &Analyses) -> Dim {
    let stores = f.accesses.iter().filter(|a| a.writes());
    let is = |a: &Access, d| {
        let step = f.step_along(a.id, d).and_then(|s| s.as_constant());
        step == Some(i64::from(a.size))
    };
    let mut up = stores.map(|a| is(a, Dim::Y) && !is(a, Dim::X));
    match up.next() {
        Some(true) => Dim::Y,
        _ => Dim::X,
    }
}

/// Whether only threads that have an element store, and what they store is apart from the operands.
fn check_effects(
    f: &Analyses,
    operands: [&Access; 2],
    limits: &Limits,
    facts: &mut FactList,
) -> Result<(), NoMma> {
    for o in operands {
        plan::add_access_facts(f, o.id, facts).map_err(|_| NoMma::Index)?;
    }
    for s in f.accesses.iter().filter(|a| a.writes()) {
        if !limits.hold(f, s, facts) {
            return Err(NoMma::Beyond);
        }
        for o in operands.into_iter().filter(|o| f.accesses.may_meet(s, o)) {
            let (Some(mine), Some(other)) = (o.array, s.array) else {
                return Err(NoMma::Stored);
            };
            if mine == other {
                return Err(NoMma::Stored);
            }
            plan::disjoint(f, mine, &[o.id], other, s.id, facts).map_err(|_| NoMma::Stored)?;
        }
    }
    Ok(())
}
