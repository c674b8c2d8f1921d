//! Values as polynomials, with the facts under which machine and exact arithmetic agree.
//!
//! Addition, subtraction, multiplication and truncation commute with reduction modulo 2^w, so a
//! narrow value always equals its polynomial modulo 2^w, whatever overflowed on the way. It
//! equals it *exactly* where the value is widened or compared if the polynomial is then in range.
//! That is proven by `nsw`/`nuw` (an overflow would be poison, and poison in an executed address
//! or branch is undefined) down to operands that are exact themselves, and otherwise becomes a
//! fact. All values are read as signed unless a `zext` without `nneg` or an unsigned comparison
//! asks for the unsigned reading.

use super::{Atom, Clamp, ClampId, FactId, NotAffine, Poly, Range, Symbol, SymbolId, Trip};
use crate::affine::NoTrip;
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Op, Value};
use crate::map::HashMap;
use crate::tree::{Loop, LoopId, Tree};
use std::collections::BTreeSet;

/// A polynomial and the facts it rests on.
#[derive(Clone, Debug)]
pub struct Exact {
    /// The value, modulo 2^width until made exact by [`Values::exact`].
    pub poly: Poly,
    /// Facts collected so far.
    pub facts: BTreeSet<FactId>,
}

/// How the bits of a narrow value are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    /// Two's complement.
    Signed,
    /// Not negative.
    Unsigned,
}

impl Reading {
    /// The least and the greatest value of so many bits. Of 64 bits read as not negative, polynomials have those below
    /// 2^63.
    pub(super) fn limits(self, bits: u32) -> (i64, i64) {
        match self {
            Reading::Signed => (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)),
            Reading::Unsigned if bits >= 63 => (0, i64::MAX),
            Reading::Unsigned => (0, (1i64 << bits) - 1),
        }
    }
}

/// The analysis state: tables that grow, and a memo.
pub struct Values<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// Its tree.
    pub tree: &'a Tree,
    /// See [`super::Affine::symbols`].
    pub symbols: Vec<Symbol>,
    /// See [`super::Affine::clamps`].
    pub clamps: Vec<Clamp>,
    /// See [`super::Affine::facts`].
    pub facts: Vec<Range>,
    /// Whether clamps count for their varying operand (`interior.rs`), and whether one did.
    pub(super) interior: bool,
    pub(super) unclamped: bool,
    /// See [`super::Affine::assumed`].
    pub(super) assumed: BTreeSet<FactId>,
    pub(super) trips: Vec<Result<Trip, NoTrip>>,
    memo: HashMap<Value, Result<Exact, NotAffine>>,
    exact_memo: HashMap<(Value, Reading), Exact>,
    pub(super) entry_memo: HashMap<Value, bool>,
}

/// Limit on the depth of expressions followed; deeper ones count as not affine.
const DEPTH_LIMIT: u32 = 64;

impl<'a> Values<'a> {
    /// Empty tables for `kernel`.
    pub fn new(kernel: &'a Kernel, tree: &'a Tree) -> Self {
        Values {
            kernel,
            tree,
            symbols: Vec::new(),
            clamps: Vec::new(),
            facts: Vec::new(),
            interior: false,
            unclamped: false,
            assumed: BTreeSet::new(),
            trips: Vec::new(),
            memo: HashMap::default(),
            exact_memo: HashMap::default(),
            entry_memo: HashMap::default(),
        }
    }

    /// Supplies trip counts known so far (of loops that come first in tree order).
    pub fn set_trips(&mut self, trips: &[Result<Trip, NoTrip>]) {
        self.trips = trips.to_vec();
    }

    /// The loop whose header holds `phi`, if it is a loop phi.
    pub fn loop_of_phi(&self, phi: Value) -> Option<(LoopId, &'a Loop)> {
        let b = self.kernel.block_id(phi.block()?);
        let i = self.tree.loops.iter().position(|l| l.header == b)?;
        Some((LoopId(i as u32), &self.tree.loops[i]))
    }

    /// The polynomial of an integer value, modulo 2^width.
    pub fn poly(&mut self, v: Value) -> Result<Exact, NotAffine> {
        self.poly_at(v, 0)
    }

    pub(super) fn poly_at(&mut self, v: Value, depth: u32) -> Result<Exact, NotAffine> {
        if let Some(r) = self.memo.get(&v) {
            return r.clone();
        }
        if depth > DEPTH_LIMIT {
            return Err(NotAffine::Index);
        }
        // A phi met again while its own value is computed is not an induction variable.
        self.memo.insert(v, Err(NotAffine::Index));
        let r = self
            .compute(v, depth)
            .and_then(|e| match e.poly.is_huge() && v.is_instruction() {
                true => self.symbol_or(v, NotAffine::Index),
                false => Ok(e),
            });
        self.memo.insert(v, r.clone());
        r
    }

    fn compute(&mut self, v: Value, depth: u32) -> Result<Exact, NotAffine> {
        if let Some(c) = v.const_int() {
            return Ok(pure(Poly::constant(c)));
        }
        if v.ty().int_width().is_none_or(|w| !(2..=64).contains(&w)) {
            return Err(NotAffine::Index);
        }
        match v.opcode() {
            Some(Op::LLVMCall) => self.compute_call(v, depth),
            Some(Op::LLVMAdd | Op::LLVMSub | Op::LLVMMul | Op::LLVMShl | Op::LLVMOr) => {
                self.compute_arithmetic(v, depth)
            }
            Some(Op::LLVMSExt) => self.exact(v.operand(0), Reading::Signed),
            Some(Op::LLVMZExt) => {
                let r = if v.has_nneg() {
                    Reading::Signed
                } else {
                    Reading::Unsigned
                };
                self.exact(v.operand(0), r)
                    .or_else(|e| self.symbol_or(v, e))
            }
            Some(Op::LLVMTrunc | Op::LLVMFreeze) => self.poly_at(v.operand(0), depth + 1),
            // `xor x, -1` is -x - 1: how LLVM writes `n - 1 - x`.
            Some(Op::LLVMXor) if is_complement(v) => {
                let e = self.poly_at(v.operand(0), depth + 1)?;
                let poly = e.poly.times_constant(-1).minus(&Poly::constant(1));
                Ok(Exact { poly, ..e })
            }
            Some(Op::LLVMPHI) => self.compute_phi(v, depth),
            Some(Op::LLVMAShr) => self.compute_sign_extension(v),
            Some(Op::LLVMAnd) => self.compute_mask(v),
            Some(Op::LLVMLoad) => self.compute_load(v),
            _ => self.symbol_or(v, NotAffine::Index),
        }
    }

    fn compute_call(&mut self, v: Value, depth: u32) -> Result<Exact, NotAffine> {
        let name = v.callee_name();
        if let Some(a) = special_register(&name) {
            return Ok(pure(Poly::atom(a)));
        }
        let extremum = ["llvm.smin", "llvm.smax", "llvm.umin", "llvm.umax"]
            .iter()
            .position(|p| name.starts_with(p));
        match extremum {
            Some(i) => self.compute_clamp(v, i % 2 == 0, i < 2, depth),
            None => self.symbol_or(v, NotAffine::Index),
        }
    }

    fn compute_arithmetic(&mut self, v: Value, depth: u32) -> Result<Exact, NotAffine> {
        let (x, y) = (v.operand(0), v.operand(1));
        let op = v.opcode();
        if op == Some(Op::LLVMOr) && !v.has_disjoint() {
            return self.symbol_or(v, NotAffine::Index);
        }
        let a = match self.poly_at(x, depth + 1) {
            Ok(a) => a,
            Err(e) => return self.symbol_or(v, e),
        };
        if op == Some(Op::LLVMShl) {
            return match y.const_int() {
                Some(k @ 0..=40) => Ok(Exact {
                    poly: a.poly.times_constant(1 << k),
                    ..a
                }),
                _ => self.symbol_or(v, NotAffine::Index),
            };
        }
        let b = match self.poly_at(y, depth + 1) {
            Ok(b) => b,
            Err(e) => return self.symbol_or(v, e),
        };
        let poly = match op {
            Some(Op::LLVMSub) => a.poly.minus(&b.poly),
            Some(Op::LLVMMul) => a.poly.times(&b.poly),
            _ => a.poly.plus(&b.poly),
        };
        Ok(Exact {
            poly,
            facts: &a.facts | &b.facts,
        })
    }

    /// `ashr (shl x, k), k`: sign extension of the low bits.
    fn compute_sign_extension(&mut self, v: Value) -> Result<Exact, NotAffine> {
        let (shl, k) = (v.operand(0), v.operand(1).const_int());
        let width = v.ty().int_width().unwrap_or(64);
        match k {
            Some(k) if shl.is(Op::LLVMShl) && shl.operand(1).const_int() == Some(k) => {
                let e = self.poly(shl.operand(0))?;
                Ok(self.require(e, width - k as u32, Reading::Signed))
            }
            _ => self.symbol_or(v, NotAffine::Index),
        }
    }

    /// `and x, 2^k - 1`: zero extension of the low bits.
    fn compute_mask(&mut self, v: Value) -> Result<Exact, NotAffine> {
        match v.operand(1).const_int() {
            Some(0xffff_ffff) => {
                let e = self.poly(v.operand(0))?;
                Ok(self.require(e, 32, Reading::Unsigned))
            }
            _ => self.symbol_or(v, NotAffine::Index),
        }
    }

    fn compute_load(&mut self, v: Value) -> Result<Exact, NotAffine> {
        self.symbol_or(v, NotAffine::Index).map_err(|e| {
            // A load that all threads make from one address is uniform, only not known at entry.
            match self.pointer(v.operand(0)) {
                Ok(a) if !a.poly.any(Atom::varies) => NotAffine::NotAtEntry,
                _ => e,
            }
        })
    }

    fn compute_clamp(
        &mut self,
        v: Value,
        is_min: bool,
        signed: bool,
        _depth: u32,
    ) -> Result<Exact, NotAffine> {
        if self.is_entry_value(v) {
            return self.symbol_or(v, NotAffine::Index);
        }
        let mut read = |x: Value| -> Result<Exact, NotAffine> {
            let e = self.exact(x, Reading::Signed)?;
            // An unsigned extremum of values below 2^31 is the signed one.
            Ok(if signed {
                e
            } else {
                self.require(e, 31, Reading::Unsigned)
            })
        };
        let (a, b) = (read(v.operand(0))?, read(v.operand(1))?);
        let varies = |e: &Exact| e.poly.any(Atom::varies);
        let (varying, limit) = match (varies(&a), varies(&b)) {
            (_, false) => (a, b),
            (false, true) => (b, a),
            _ => return Err(NotAffine::Index),
        };
        if self.interior {
            return Ok(self.unclamped(is_min, &varying, &limit));
        }
        let bits = v.ty().int_width().unwrap_or(32);
        let clamp = Clamp {
            value: self.kernel.value_id(v),
            is_min,
            varying: varying.poly,
            limit: limit.poly,
            bits,
        };
        self.clamps.push(clamp);
        let id = ClampId(self.clamps.len() as u32 - 1);
        Ok(Exact {
            poly: Poly::atom(Atom::Clamp(id)),
            facts: &varying.facts | &limit.facts,
        })
    }

    /// The value as a symbol if the kernel's entry can compute it, else `otherwise`.
    pub(super) fn symbol_or(&mut self, v: Value, otherwise: NotAffine) -> Result<Exact, NotAffine> {
        let Some(bits) = v.ty().int_width().filter(|w| (2..=64).contains(w)) else {
            return Err(otherwise);
        };
        if !self.is_entry_value(v) {
            return Err(otherwise);
        }
        let symbol = Symbol {
            value: self.kernel.value_id(v),
            bits,
        };
        let i = self
            .symbols
            .iter()
            .position(|s| *s == symbol)
            .unwrap_or_else(|| {
                self.symbols.push(symbol);
                self.symbols.len() - 1
            });
        let mut e = pure(Poly::atom(Atom::Symbol(SymbolId(i as u32))));
        for by in Self::divisors(v) {
            let by = self.exact(by, Reading::Signed)?;
            let (poly, hi) = (by.poly, i64::from(i32::MAX));
            e.facts.extend(by.facts);
            e = self.require_range(e, Range { poly, lo: 1, hi });
        }
        // Wide symbols are bounded, so that products of two cannot overflow 64 bits.
        Ok(if bits > 32 {
            self.require(e, 32, Reading::Signed)
        } else {
            e
        })
    }

    /// `e` with the fact that its value fits `bits` in this reading, unless constants prove it.
    pub fn require(&mut self, e: Exact, bits: u32, reading: Reading) -> Exact {
        let (lo, hi) = reading.limits(bits);
        let poly = e.poly.clone();
        self.require_range(e, Range { poly, lo, hi })
    }

    /// `e` with the fact that a polynomial is in range, unless constants prove it.
    pub(super) fn require_range(&mut self, e: Exact, range: Range) -> Exact {
        let Range { poly, lo, hi } = &range;
        let counts = (*lo, *hi) == (0, i64::MAX) && poly.is_surely_nonnegative();
        if counts || self.is_surely_within(poly, *lo, *hi) {
            return e;
        }
        self.with_range(e, range)
    }

    /// `e` with a fact.
    pub(super) fn with_range(&mut self, mut e: Exact, range: Range) -> Exact {
        let i = self
            .facts
            .iter()
            .position(|f| *f == range)
            .unwrap_or_else(|| {
                self.facts.push(range);
                self.facts.len() - 1
            });
        e.facts.insert(FactId(i as u32));
        e
    }

    /// Whether architecture limits and widths alone keep the polynomial in range.
    fn is_surely_within(&self, p: &Poly, lo: i64, hi: i64) -> bool {
        let (mut least, mut greatest) = (0i128, 0i128);
        for (m, c) in p.terms() {
            let mut term = (i128::from(c), i128::from(c));
            for a in m {
                let Some((x, y)) = self.static_range(*a) else {
                    return false;
                };
                let products = [term.0 * x, term.0 * y, term.1 * x, term.1 * y];
                let bound = 1i128 << 90;
                term = products
                    .iter()
                    .fold((bound, -bound), |t, p| (t.0.min(*p), t.1.max(*p)));
                if term.0 < -bound || term.1 > bound {
                    return false;
                }
            }
            least += term.0;
            greatest += term.1;
        }
        least >= i128::from(lo) && greatest <= i128::from(hi)
    }

    /// What the architecture and the width say of an atom; nothing of iteration numbers.
    fn static_range(&self, a: Atom) -> Option<(i128, i128)> {
        let signed32 = Some((-(1i128 << 31), (1i128 << 31) - 1));
        match a {
            Atom::Iter(_) | Atom::Trip(_) => None,
            Atom::Symbol(s) => signed32.filter(|_| self.symbols[s.index()].bits <= 32),
            Atom::Clamp(c) => signed32.filter(|_| self.clamps[c.index()].bits <= 32),
            _ => Some((0, (1i128 << a.bits()) - 1)),
        }
    }

    /// The polynomial of `v` where the machine value, read so, equals it exactly. Signed, 64 bits hold every value;
    /// read as not negative they do not hold those below 0.
    pub fn exact(&mut self, v: Value, reading: Reading) -> Result<Exact, NotAffine> {
        if let Some(known) = self.exact_memo.get(&(v, reading)) {
            return Ok(known.clone());
        }
        // What has no polynomial now may have one when the phi that is being looked at has.
        let e = self.compute_exact(v, reading)?;
        self.exact_memo.insert((v, reading), e.clone());
        Ok(e)
    }

    fn compute_exact(&mut self, v: Value, reading: Reading) -> Result<Exact, NotAffine> {
        let e = self.poly(v)?;
        let width = v.ty().int_width().unwrap_or(64);
        if width >= 64 && reading == Reading::Signed {
            return Ok(e);
        }
        let flag = match reading {
            Reading::Signed => v.has_nsw() || v.has_disjoint(),
            Reading::Unsigned => v.has_nuw() || v.has_disjoint(),
        };
        let operands = match v.opcode() {
            Some(Op::LLVMAdd | Op::LLVMSub | Op::LLVMMul | Op::LLVMOr) if flag => {
                vec![v.operand(0), v.operand(1)]
            }
            Some(Op::LLVMShl) if flag => vec![v.operand(0)],
            Some(Op::LLVMXor) if is_complement(v) && reading == Reading::Signed => {
                vec![v.operand(0)]
            }
            Some(Op::LLVMPHI) => match self.exact_induction(v, reading) {
                Some(starts) => starts,
                None => return Ok(self.require(e, width, reading)),
            },
            // Widening already made its operand exact, in a reading that fits both.
            Some(Op::LLVMSExt) if reading == Reading::Signed => return Ok(e),
            Some(Op::LLVMZExt) => return Ok(e),
            _ => return Ok(self.require(e, width, reading)),
        };
        let mut facts = e.facts.clone();
        for o in operands {
            facts.extend(self.exact(o, reading)?.facts);
        }
        Ok(Exact {
            poly: e.poly,
            facts,
        })
    }
}

/// Whether `v` flips every bit.
fn is_complement(v: Value) -> bool {
    v.operand(1).const_int() == Some(-1)
}

/// A polynomial that needs no facts.
pub fn pure(poly: Poly) -> Exact {
    Exact {
        poly,
        facts: BTreeSet::new(),
    }
}

/// The atom a special-register intrinsic reads.
pub(super) fn special_register(name: &str) -> Option<Atom> {
    let rest = name.strip_prefix("llvm.nvvm.read.ptx.sreg.")?;
    let (register, dim) = rest.split_once('.')?;
    let dim = match dim {
        "x" => Dim::X,
        "y" => Dim::Y,
        "z" => Dim::Z,
        _ => return None,
    };
    match register {
        "tid" => Some(Atom::Tid(dim)),
        "ctaid" => Some(Atom::Ctaid(dim)),
        "ntid" => Some(Atom::Ntid(dim)),
        "nctaid" => Some(Atom::Nctaid(dim)),
        _ => None,
    }
}
