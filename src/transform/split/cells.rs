//! The cells of an iteration: what it stores, and no other iteration touches.
//!
//! ```text
//! for (k = 0; k < n; k++)  o[k] = x[k] * w        o + 4k for 4 bytes: stored, a cell of iteration k
//!                                                 x + 4k for 4 bytes: o + 4k itself, or apart from all of o's
//! ```
//! A *place* is what an access touches in one iteration after the other: an address that does not change, and a fixed
//! number of bytes for each iteration. Places with one address and one step are an *array of cells*: if one of them is
//! stored to, what they touch in an iteration is no longer than the step, so that no two iterations touch one byte.
//! Two arrays of cells, one of which is stored to, are known to lie apart, or are compared before the loop: they lie
//! apart as a whole, or begin at one address and have the same step, which makes them one. Where neither is so, one
//! lane takes all iterations, in their order.
//!
//! Addresses are sums in which nothing wraps where an access is made: each addend is widened and multiplied on its own
//! there, so that what is compared is right for all iterations that make the access, whatever others do.

use super::accumulators::is_in;
use super::trip::{Counter, Operand, Trip};
use crate::access::{self, Access};
use crate::kernel::Kernel;
use crate::llvm::ir::{Block, Op, Value};
use crate::machine::target::SECTOR;
use crate::plan::Analyses;

/// A loop that is looked at.
pub struct Iterations<'a> {
    pub blocks: &'a [Block],
    pub counters: &'a [Counter],
    pub trip: &'a Trip,
}

/// What a loop stores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// Whether it does.
    pub stores: bool,
    /// Arrays of cells that are compared before it.
    pub pairs: Vec<[Place; 2]>,
}

/// What accesses touch, as the sum of its terms, in one iteration after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The address in the first iteration, but for `low`; one of them is a pointer.
    pub terms: Vec<Term>,
    /// The first byte that is touched in an iteration, from there on, and the one behind the last.
    pub low: i64,
    pub high: i64,
    /// Bytes from an iteration to the next.
    pub step: i64,
}

/// A part of an address.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What is added, as an operand: by then it may be another than it was.
    pub what: Operand,
    /// Whether that is a counter of the loop, of which it is what the loop begins with.
    pub begins: bool,
    /// Whether it is widened as a signed number, and how many bytes it counts.
    pub signed: bool,
    pub bytes: i64,
}

impl Cells {
    /// What a loop stores; `None`: iterations may touch the same bytes, or the back end may fuse a product that it
    /// stores.
    pub fn of(f: &Analyses, l: &Iterations) -> Option<Cells> {
        let kernel = f.kernel;
        let is_there = |a: &&Access| is_in(l.blocks, kernel.value(a.value));
        let there: Vec<&Access> = f.accesses.iter().filter(is_there).collect();
        let stores: Vec<&Access> = there.iter().copied().filter(|a| a.writes()).collect();
        let is_listed = |i: Value| stores.iter().any(|a| kernel.value(a.value) == i);
        let mut all = l.blocks.iter().flat_map(|b| b.instructions());
        if !all.all(|i| !i.is(Op::LLVMStore) || is_listed(i)) {
            return None;
        }
        // LLVM may write such a loop out whole, and find what was stored where a sum loads it.
        let is_product = |a: &&Access| {
            let store = kernel.value(a.value);
            access::may_be_product(store.operand(0), store)
        };
        if l.trip.is_known(kernel) && stores.iter().any(is_product) {
            return None;
        }
        let mut arrays: Vec<Array> = Vec::new();
        let meets = |a: &&Access| stores.iter().any(|s| f.accesses.may_meet(s, a));
        for a in there.into_iter().filter(meets) {
            let place = Reader::place(kernel, l, a)?;
            let is_of = |x: &&mut Array| is_one(kernel, &x.place, &place);
            match arrays.iter_mut().find(is_of) {
                Some(array) => array.add(&place, a),
                None => arrays.push(Array {
                    place,
                    of: a,
                    is_stored: a.writes(),
                }),
            }
        }
        let is_allowed = |x: &Array| !x.is_stored || x.has_cells();
        arrays.iter().all(is_allowed).then(|| Cells {
            stores: !stores.is_empty(),
            pairs: pairs(f, &arrays),
        })
    }
}

/// The pairs of which one is stored to, and that may meet.
fn pairs(f: &Analyses, arrays: &[Array]) -> Vec<[Place; 2]> {
    let mut pairs = Vec::new();
    for (k, x) in arrays.iter().enumerate() {
        let may_meet = |y: &&Array| (x.is_stored || y.is_stored) && f.accesses.may_meet(x.of, y.of);
        let others = arrays[k + 1..].iter().filter(may_meet);
        pairs.extend(others.map(|y| [x.place.clone(), y.place.clone()]));
    }
    pairs
}

/// Accesses with one address and one step.
struct Array<'a> {
    place: Place,
    /// One of them.
    of: &'a Access,
    is_stored: bool,
}

impl Array<'_> {
    fn add(&mut self, place: &Place, a: &Access) {
        self.place.low = self.place.low.min(place.low);
        self.place.high = self.place.high.max(place.high);
        self.is_stored |= a.writes();
    }

    /// Whether no two iterations touch the same bytes. Those of neighbours are in one sector, or lanes gain nothing.
    fn has_cells(&self) -> bool {
        let Place { low, high, .. } = self.place;
        let step = self.place.step.unsigned_abs();
        high.abs_diff(low) <= step && step < SECTOR as u64
    }
}

/// Whether two places have one address and one step.
fn is_one(kernel: &Kernel, x: &Place, y: &Place) -> bool {
    let key = |t: &Term| (operand(kernel, t.what), t.signed, t.bytes);
    let of = |p: &Place| p.terms.iter().map(key).collect::<Vec<_>>();
    x.step == y.step && of(x) == of(y)
}

fn operand(kernel: &Kernel, at: Operand) -> Value {
    kernel.value(at.of).operand(at.place)
}

/// Reads a place from the values of a loop.
struct Reader<'a> {
    kernel: &'a Kernel,
    loop_: &'a Iterations<'a>,
    place: Place,
}

/// How a number is read: signed or not, and times how many bytes it is.
#[derive(Clone, Copy)]
struct Reading {
    signed: bool,
    bytes: i64,
}

impl Reader<'_> {
    /// What an access touches; `None`: that is no sum of what does not change and of counters.
    fn place(kernel: &Kernel, loop_: &Iterations, a: &Access) -> Option<Place> {
        let mut reader = Reader {
            kernel,
            loop_,
            place: Place {
                terms: Vec::new(),
                low: 0,
                high: 0,
                step: 0,
            },
        };
        a.pointer?;
        reader.pointer(Operand {
            of: a.value,
            place: u32::from(a.writes()),
        })?;
        reader.place.high = reader.place.low.checked_add(a.size.into())?;
        Some(reader.place)
    }

    fn pointer(&mut self, at: Operand) -> Option<()> {
        let whole = Reading {
            signed: false,
            bytes: 1,
        };
        let v = operand(self.kernel, at);
        if self.ends(v, at, whole)? {
            return Some(());
        }
        if !v.is(Op::LLVMGetElementPtr) {
            return None;
        }
        let of = self.kernel.value_id(v);
        let (fields, indices) = v.gep_steps(self.kernel.function.module())?;
        self.add(fields, 1)?;
        for (place, bytes) in indices {
            let signed = true;
            self.number(Operand { of, place }, Reading { signed, bytes })?;
        }
        self.pointer(Operand { of, place: 0 })
    }

    /// Adds a number: nothing wraps in what makes it, as it is read.
    fn number(&mut self, at: Operand, r: Reading) -> Option<()> {
        let v = operand(self.kernel, at);
        let wide = v.ty().int_width()? == i64::BITS;
        let exact = |v: Value| match r.signed {
            _ if wide => true,
            true => v.has_nsw() || v.has_disjoint(),
            false => v.has_nuw() || v.has_disjoint(),
        };
        if let Some(c) = v.const_int() {
            return self.add((r.signed || wide || c >= 0).then_some(c)?, r.bytes);
        }
        if self.ends(v, at, r)? {
            return Some(());
        }
        let of = self.kernel.value_id(v);
        let [first, second] = [0, 1].map(|place| Operand { of, place });
        let times = |by: i64| {
            let bytes = r.bytes.checked_mul(by)?;
            Some(Reading { bytes, ..r })
        };
        let constant = || v.operand(1).const_int();
        match v.opcode()? {
            Op::LLVMSExt if r.signed || wide => self.number(first, Reading { signed: true, ..r }),
            Op::LLVMZExt => self.widened(first, v.has_nneg(), r),
            Op::LLVMAdd if exact(v) => {
                self.number(first, r)?;
                self.number(second, r)
            }
            Op::LLVMOr if v.has_disjoint() => {
                self.number(first, r)?;
                self.number(second, r)
            }
            Op::LLVMSub if exact(v) => {
                self.number(first, r)?;
                self.number(second, times(-1)?)
            }
            Op::LLVMMul if exact(v) => self.number(first, times(constant()?)?),
            Op::LLVMShl if exact(v) => {
                let by = constant().filter(|c| (0..i64::from(i32::BITS)).contains(c))?;
                self.number(first, times(1 << by)?)
            }
            _ => None,
        }
    }

    /// Adds a number that is widened as one without a sign, which `is_positive` as one with it, too.
    fn widened(&mut self, at: Operand, is_positive: bool, r: Reading) -> Option<()> {
        let before = self.place.clone();
        let unsigned = self.number(at, Reading { signed: false, ..r });
        if unsigned.is_some() || !is_positive {
            return unsigned;
        }
        self.place = before;
        self.number(at, Reading { signed: true, ..r })
    }

    /// Adds what does not change, or is a counter; whether it is one of these.
    fn ends(&mut self, v: Value, what: Operand, r: Reading) -> Option<bool> {
        let mut counters = self.loop_.counters.iter();
        let counter = counters.find(|c| self.kernel.value(c.phi) == v);
        if is_in(self.loop_.blocks, v) && counter.is_none() {
            return Some(false);
        }
        if v.ty().int_width().is_some_and(|bits| bits > i64::BITS) {
            return None;
        }
        if let Some(c) = counter {
            self.step(c, r)?;
        }
        self.place.terms.push(Term {
            what,
            begins: counter.is_some(),
            signed: r.signed,
            bytes: r.bytes,
        });
        Some(true)
    }

    /// Adds what a counter grows by.
    fn step(&mut self, c: &Counter, r: Reading) -> Option<()> {
        let next = self.kernel.value(c.step.of);
        let by = next.operand(c.step.place).const_int()?;
        let step = if next.is(Op::LLVMGetElementPtr) {
            let module = self.kernel.function.module();
            let unit = module.alloc_size(next.gep_source_type());
            by.checked_mul(i64::try_from(unit).ok()?)?
        } else {
            let wraps_not = match r.signed {
                true => next.has_nsw(),
                false => next.has_nuw() && by > 0,
            };
            let wide = next.ty().int_width()? == i64::BITS;
            (wide || wraps_not).then_some(by)?
        };
        let all = self.place.step.checked_add(step.checked_mul(r.bytes)?)?;
        self.place.step = all;
        Some(())
    }

    fn add(&mut self, number: i64, bytes: i64) -> Option<()> {
        let low = number.checked_mul(bytes)?;
        self.place.low = self.place.low.checked_add(low)?;
        Some(())
    }
}
