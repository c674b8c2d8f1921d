//! Guards over intervals, as code that the host runs for a box of blocks.
//!
//! ```text
//! x = blockIdx.x * blockDim.x + threadIdx.x      x in [low.x * blockDim.x, high.x * blockDim.x + blockDim.x-1]
//! if (x == 0) effect                             surely not taken where that has no 0 in it
//! ```
//! A value is an interval of signed numbers with what must hold for it to be one: that nothing it is made of left the
//! range of its type. A condition is surely true, surely false, or neither. A thread may come to a block of code if it
//! may come to one before it, and that one's condition does not surely send it another way. What is not known is
//! neither, and may come.

use super::plan::Trim;
use crate::choice::Host;
use crate::kernel::ids::{self, Register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Block, Builder, Op, Pred, Value};
use crate::map::HashMap;

/// Boxes of blocks: the lowest and the highest along each dimension.
#[derive(Clone, Copy)]
pub struct Span {
    /// The lowest.
    pub low: [Value; 3],
    /// The highest.
    pub high: [Value; 3],
}

impl Span {
    /// Its lowest or its highest along a dimension.
    pub fn side(&mut self, d: Dim, is_low: bool) -> &mut Value {
        match is_low {
            true => &mut self.low[d.index()],
            false => &mut self.high[d.index()],
        }
    }

    /// The number that lies so many inward of that.
    pub fn inward(&self, b: &Builder, d: Dim, is_low: bool, by: Value) -> Value {
        match is_low {
            true => b.add(self.low[d.index()], by),
            false => b.sub(self.high[d.index()], by),
        }
    }
}

/// Numbers from `low` to `high`, of 64 bits, if `holds`.
#[derive(Clone, Copy)]
pub struct Interval {
    /// The lowest.
    pub low: Value,
    /// The highest.
    pub high: Value,
    /// Whether it is one.
    pub holds: Value,
}

/// Whether a condition is surely true, and surely false.
#[derive(Clone, Copy)]
pub struct Truth {
    /// Surely true.
    pub yes: Value,
    /// Surely false.
    pub no: Value,
}

/// A kernel's guards, for a launch.
pub struct Blocks<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The blocks up to its first effect.
    pub traceless: Vec<Block>,
    /// Threads of a block along each dimension, less one.
    last: [Value; 3],
    /// What the host knows exactly, in its own bits.
    exact: HashMap<Value, Value>,
}

impl<'a> Blocks<'a> {
    /// Works out what is the same for all blocks of the launch of `own` block and grid.
    pub fn new(host: &Host<'a>, trim: &Trim, own: [Value; 6]) -> Blocks<'a> {
        let (b, kernel) = (host.b, host.kernel);
        let traceless: Vec<Block> = trim.traceless.iter().map(|t| kernel.block(*t)).collect();
        let mut exact = HashMap::default();
        let all = traceless.iter().flat_map(|t| t.instructions());
        for v in all.flat_map(|i| i.operands().into_iter().chain([i])) {
            let bits = v.is_instruction() || v.is_argument();
            let is_number = bits && v.ty().int_width().is_some_and(|w| w <= 64);
            if is_number && !exact.contains_key(&v) {
                exact.extend(host.known(v).map(|known| (v, known)));
            }
        }
        let one = own[0].ty().constant(1);
        Blocks {
            kernel,
            traceless,
            last: [0, 1, 2].map(|k| b.sub(own[k], one)),
            exact,
        }
    }
}

/// One look at a box.
pub struct Look<'a> {
    /// The guards.
    pub blocks: &'a Blocks<'a>,
    /// Where it is written.
    pub b: &'a Builder,
    span: Span,
    intervals: HashMap<Value, Option<Interval>>,
    truths: HashMap<Value, Truth>,
    /// From where to where control may go, and whether it may.
    pub edges: Vec<(Block, Block, Value)>,
}

impl<'a> Look<'a> {
    /// At this box.
    pub fn new(blocks: &'a Blocks<'a>, b: &'a Builder, span: Span) -> Look<'a> {
        Look {
            blocks,
            b,
            span,
            intervals: HashMap::default(),
            truths: HashMap::default(),
            edges: Vec::new(),
        }
    }

    /// A constant.
    pub fn bit(&self, holds: bool) -> Value {
        self.b.i1().constant(holds.into())
    }

    /// Whether control may go along one of the edges that `is` names.
    pub fn any_edge(&self, is: impl Fn(&(Block, Block, Value)) -> bool) -> Value {
        let edges = self.edges.iter().filter(|e| is(e)).map(|e| e.2);
        edges
            .reduce(|x, y| self.b.or(x, y))
            .unwrap_or(self.bit(false))
    }

    /// Whether a condition is surely true, and surely false.
    pub fn truth(&mut self, v: Value) -> Truth {
        if let Some(known) = self.truths.get(&v) {
            return *known;
        }
        let found = self.find_truth(v);
        self.truths.insert(v, found);
        found
    }

    fn find_truth(&mut self, v: Value) -> Truth {
        let b = self.b;
        let truth = |yes, no| Truth { yes, no };
        let unknown = truth(self.bit(false), self.bit(false));
        if let Some(c) = v.const_int() {
            return truth(self.bit(c != 0), self.bit(c == 0));
        }
        if let Some(known) = self.blocks.exact.get(&v) {
            let yes = b.freeze(*known);
            return truth(yes, b.not(yes));
        }
        let mut of = |k: u32| self.truth(v.operand(k));
        match v.opcode() {
            Some(Op::LLVMICmp) => self.compared(v).unwrap_or(unknown),
            Some(Op::LLVMFreeze) => of(0),
            Some(Op::LLVMAnd) => {
                let (x, y) = (of(0), of(1));
                truth(b.and(x.yes, y.yes), b.or(x.no, y.no))
            }
            Some(Op::LLVMOr) => {
                let (x, y) = (of(0), of(1));
                truth(b.or(x.yes, y.yes), b.and(x.no, y.no))
            }
            Some(Op::LLVMXor) => {
                let (x, y) = (of(0), of(1));
                Truth {
                    yes: b.or(b.and(x.yes, y.no), b.and(x.no, y.yes)),
                    no: b.or(b.and(x.yes, y.yes), b.and(x.no, y.no)),
                }
            }
            Some(Op::LLVMSelect) => {
                let (c, x, y) = (of(0), of(1), of(2));
                truth(self.chosen(c, x.yes, y.yes), self.chosen(c, x.no, y.no))
            }
            Some(Op::LLVMPHI) => self.joined(v),
            _ => unknown,
        }
    }

    /// Whether what is chosen is surely so, where it surely is on either side, or on the side that surely is chosen.
    fn chosen(&self, c: Truth, x: Value, y: Value) -> Value {
        let b = self.b;
        let either = b.or(b.and(c.yes, x), b.and(c.no, y));
        b.or(either, b.and(x, y))
    }

    /// What a phi surely is: what each value is that may come.
    fn joined(&mut self, phi: Value) -> Truth {
        let b = self.b;
        let here = phi.block();
        let (mut yes, mut no) = (self.bit(true), self.bit(true));
        for (v, from) in phi.incoming() {
            if !self.blocks.traceless.contains(&from) {
                continue;
            }
            let away = b.not(self.any_edge(|e| e.0 == from && Some(e.1) == here));
            let value = self.truth(v);
            yes = b.and(yes, b.or(away, value.yes));
            no = b.and(no, b.or(away, value.no));
        }
        Truth { yes, no }
    }

    /// What a comparison surely says.
    fn compared(&mut self, v: Value) -> Option<Truth> {
        use Pred::*;
        let b = self.b;
        let [x, y] = [0, 1].map(|k| self.interval(v.operand(k)));
        let (x, y) = (x?, y?);
        let below = |x: Interval, y: Interval| b.icmp(LLVMIntSLT, x.high, y.low);
        let most = |x: Interval, y: Interval| b.icmp(LLVMIntSLE, x.high, y.low);
        let (yes, no) = match v.predicate() {
            LLVMIntEQ | LLVMIntNE => {
                let same = b.and(most(x, y), most(y, x));
                let differ = b.or(below(x, y), below(y, x));
                match v.predicate() {
                    LLVMIntEQ => (same, differ),
                    _ => (differ, same),
                }
            }
            LLVMIntSLT => (below(x, y), most(y, x)),
            LLVMIntSGT => (below(y, x), most(x, y)),
            LLVMIntSLE => (most(x, y), below(y, x)),
            LLVMIntSGE => (most(y, x), below(x, y)),
            LLVMIntULT => (self.lower(x, y, below), self.lower(y, x, most)),
            LLVMIntUGT => (self.lower(y, x, below), self.lower(x, y, most)),
            LLVMIntULE => (self.lower(x, y, most), self.lower(y, x, below)),
            LLVMIntUGE => (self.lower(y, x, most), self.lower(x, y, below)),
        };
        let holds = b.and(x.holds, y.holds);
        Some(Truth {
            yes: b.and(holds, yes),
            no: b.and(holds, no),
        })
    }

    /// Whether `x` is surely below `y` as unsigned numbers: both have one sign and `is` says so, or `y` alone is
    /// negative, which is a large number there.
    fn lower(&self, x: Interval, y: Interval, is: impl Fn(Interval, Interval) -> Value) -> Value {
        let b = self.b;
        let zero = x.low.ty().constant(0);
        let whole = |v: Interval| b.icmp(Pred::LLVMIntSGE, v.low, zero);
        let negative = |v: Interval| b.icmp(Pred::LLVMIntSLT, v.high, zero);
        let [whole_x, negative_y] = [whole(x), negative(y)];
        let alike = b.or(b.and(whole_x, whole(y)), b.and(negative(x), negative_y));
        b.or(b.and(alike, is(x, y)), b.and(whole_x, negative_y))
    }

    /// The interval of a value; `None`: it has none.
    pub fn interval(&mut self, v: Value) -> Option<Interval> {
        if let Some(known) = self.intervals.get(&v) {
            return *known;
        }
        let found = self.find_interval(v);
        self.intervals.insert(v, found);
        found
    }

    fn find_interval(&mut self, v: Value) -> Option<Interval> {
        let b = self.b;
        let width = v.ty().int_width().filter(|w| (2..=64).contains(w))?;
        let holds = self.bit(true);
        let just = |v: Value| Interval {
            low: v,
            high: v,
            holds,
        };
        if let Some(c) = v.const_int() {
            return Some(just(b.long(c)));
        }
        if let Some(known) = self.blocks.exact.get(&v) {
            return Some(just(b.sext(b.freeze(*known), b.i64())));
        }
        match ids::register(v) {
            Some((Register::Tid, d)) => Some(self.of_threads(d)),
            Some((Register::Ctaid, d)) => Some(Interval {
                low: self.span.low[d.index()],
                high: self.span.high[d.index()],
                holds,
            }),
            _ => self.computed(v, width),
        }
    }

    /// The interval of what an instruction makes of others.
    fn computed(&mut self, v: Value, width: u32) -> Option<Interval> {
        use Op::*;
        let b = self.b;
        let constant = |k: u32| v.operand(k).const_int();
        let found = match v.opcode()? {
            LLVMAdd => self.sum(v, width, false)?,
            LLVMOr if v.has_disjoint() => self.sum(v, width, false)?,
            LLVMSub => self.sum(v, width, true)?,
            LLVMMul => self.product(v, width)?,
            LLVMShl => {
                let by = constant(1).filter(|k| (1..31).contains(k))?;
                let x = self.interval(v.operand(0))?;
                self.times(x, b.long(1 << by), width)
            }
            LLVMSDiv | LLVMUDiv | LLVMLShr => {
                let by = match v.is(LLVMLShr) {
                    true => 1 << constant(1).filter(|k| (1..31).contains(k))?,
                    false => constant(1).filter(|c| *c > 0)?,
                };
                let x = self.interval(v.operand(0))?;
                self.divided(x, by)
            }
            LLVMSExt | LLVMFreeze => self.interval(v.operand(0))?,
            LLVMZExt => {
                let x = self.interval(v.operand(0))?;
                self.not_negative(x)
            }
            LLVMTrunc => {
                let x = self.interval(v.operand(0))?;
                self.within(x, width)
            }
            LLVMSelect => {
                let [x, y] = [1, 2].map(|k| self.interval(v.operand(k)));
                self.hull(x?, y?)
            }
            LLVMCall => self.extreme(v)?,
            _ => return None,
        };
        Some(found)
    }

    fn of_threads(&self, d: Dim) -> Interval {
        let last = self.blocks.last[d.index()];
        Interval {
            low: last.ty().constant(0),
            high: last,
            holds: self.bit(true),
        }
    }

    /// The interval if it is one of so many bits, too.
    fn within(&self, x: Interval, width: u32) -> Interval {
        if width == 64 {
            return x;
        }
        let (b, end) = (self.b, 1i64 << (width - 1));
        let least = b.icmp(Pred::LLVMIntSGE, x.low, b.long(-end));
        let most = b.icmp(Pred::LLVMIntSLT, x.high, b.long(end));
        self.if_also(x, b.and(least, most))
    }

    fn not_negative(&self, x: Interval) -> Interval {
        let b = self.b;
        self.if_also(x, b.icmp(Pred::LLVMIntSGE, x.low, b.long(0)))
    }

    fn if_also(&self, x: Interval, holds: Value) -> Interval {
        Interval {
            holds: self.b.and(x.holds, holds),
            ..x
        }
    }

    /// `x` and `y` by an operation of 64 bits, and whether that is exact.
    fn exactly(&self, kind: &str, x: Value, y: Value) -> (Value, Value) {
        let b = self.b;
        let name = format!("llvm.{kind}.with.overflow");
        let both = b.intrinsic(&name, &[x.ty()], &[x, y]);
        (b.field(both, 0), b.not(b.field(both, 1)))
    }

    fn sum(&mut self, v: Value, width: u32, is_less: bool) -> Option<Interval> {
        let b = self.b;
        let [x, y] = [0, 1].map(|k| self.interval(v.operand(k)));
        let (x, y) = (x?, y?);
        let (kind, first, last) = match is_less {
            true => ("ssub", y.high, y.low),
            false => ("sadd", y.low, y.high),
        };
        let (low, is_low) = self.exactly(kind, x.low, first);
        let (high, is_high) = self.exactly(kind, x.high, last);
        let holds = [x.holds, y.holds, is_low, is_high];
        let holds = holds.into_iter().reduce(|x, y| b.and(x, y))?;
        Some(self.within(Interval { low, high, holds }, width))
    }

    /// A product by a number that is the same for all threads.
    fn product(&mut self, v: Value, width: u32) -> Option<Interval> {
        let [x, y] = [0, 1].map(|k| self.interval(v.operand(k)));
        let (x, y) = (x?, y?);
        let (x, by) = match (x.low == x.high, y.low == y.high) {
            (_, true) => (x, y),
            (true, _) => (y, x),
            _ => return None,
        };
        let product = self.times(x, by.low, width);
        Some(self.if_also(product, by.holds))
    }

    fn times(&self, x: Interval, by: Value, width: u32) -> Interval {
        let b = self.b;
        let (first, is_first) = self.exactly("smul", x.low, by);
        let (last, is_last) = self.exactly("smul", x.high, by);
        let both = Interval {
            low: b.least(first, last),
            high: b.greatest(first, last),
            holds: b.and(x.holds, b.and(is_first, is_last)),
        };
        self.within(both, width)
    }

    /// A quotient by a positive constant, of numbers that are not negative.
    fn divided(&self, x: Interval, by: i64) -> Interval {
        let b = self.b;
        let quotient = Interval {
            low: b.sdiv(x.low, b.long(by)),
            high: b.sdiv(x.high, b.long(by)),
            holds: x.holds,
        };
        let least = b.icmp(Pred::LLVMIntSGE, x.low, b.long(0));
        self.if_also(quotient, least)
    }

    fn hull(&self, x: Interval, y: Interval) -> Interval {
        let b = self.b;
        Interval {
            low: b.least(x.low, y.low),
            high: b.greatest(x.high, y.high),
            holds: b.and(x.holds, y.holds),
        }
    }

    /// The lesser or greater of two; of unsigned numbers if none is negative.
    fn extreme(&mut self, v: Value) -> Option<Interval> {
        let b = self.b;
        let name = v.callee_name();
        let is = |kind: &str| name.starts_with(&format!("llvm.{kind}."));
        let is_least = is("smin") || is("umin");
        if !is_least && !is("smax") && !is("umax") {
            return None;
        }
        let [x, y] = [0, 1].map(|k| self.interval(v.operand(k)));
        let (x, y) = (x?, y?);
        let of = |x: Value, y: Value| match is_least {
            true => b.least(x, y),
            false => b.greatest(x, y),
        };
        let both = Interval {
            low: of(x.low, y.low),
            high: of(x.high, y.high),
            holds: b.and(x.holds, y.holds),
        };
        let whole = self.not_negative(self.hull(x, y)).holds;
        Some(match is("smin") || is("smax") {
            true => both,
            false => self.if_also(both, whole),
        })
    }
}
