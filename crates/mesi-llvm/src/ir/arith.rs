//! Integer arithmetic that folds what is known while emitting: `x * 1`, `x + 0`, constants.
//!
//! LLVM's builder folds constants only. Folding identities here keeps the strip's constants
//! visible as constants (a box of `T` columns stays `T`), which `copy` and `region` ask about.

use super::{Builder, Pred, Type, Value};

impl Builder {
    /// `i64`.
    pub fn i64(&self) -> Type {
        Type::int(self.module(), 64)
    }
    /// `i32`.
    pub fn i32(&self) -> Type {
        Type::int(self.module(), 32)
    }
    /// `i1`.
    pub fn i1(&self) -> Type {
        Type::int(self.module(), 1)
    }
    /// A 64-bit constant.
    pub fn long(&self, v: i64) -> Value {
        self.i64().constant(v)
    }
    /// A 32-bit constant.
    pub fn int(&self, v: i64) -> Value {
        self.i32().constant(v)
    }
    /// `a + b`.
    pub fn plus(&self, a: Value, b: Value) -> Value {
        match (a.const_int(), b.const_int()) {
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => self.add(a, b),
        }
    }
    /// `a - b`.
    pub fn minus(&self, a: Value, b: Value) -> Value {
        if a == b {
            return a.ty().constant(0);
        }
        if b.const_int() == Some(0) {
            a
        } else {
            self.sub(a, b)
        }
    }
    /// `a * b`.
    pub fn times(&self, a: Value, b: Value) -> Value {
        match (a.const_int(), b.const_int()) {
            (Some(1), _) | (_, Some(0)) => b,
            (_, Some(1)) | (Some(0), _) => a,
            _ => self.mul(a, b),
        }
    }
    /// `a * k`.
    pub fn scaled(&self, a: Value, k: i64) -> Value {
        self.times(a, a.ty().constant(k))
    }
    /// `a + b` of 32-bit tile coordinates, which are small and not negative.
    pub fn cells_plus(&self, a: Value, b: Value) -> Value {
        match (a.const_int(), b.const_int()) {
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => self.add_nsw(a, b),
        }
    }
    /// `a * b` of 32-bit tile coordinates, which are small and not negative.
    pub fn cells_times(&self, a: Value, b: Value) -> Value {
        match (a.const_int(), b.const_int()) {
            (Some(1), _) | (_, Some(0)) => b,
            (_, Some(1)) | (Some(0), _) => a,
            _ => self.mul_nsw(a, b),
        }
    }
    /// The lesser, signed.
    pub fn least(&self, a: Value, b: Value) -> Value {
        self.extreme("llvm.smin", a, b, i64::min)
    }
    /// The greater, signed.
    pub fn greatest(&self, a: Value, b: Value) -> Value {
        self.extreme("llvm.smax", a, b, i64::max)
    }
    fn extreme(&self, intrinsic: &str, a: Value, b: Value, of: fn(i64, i64) -> i64) -> Value {
        if a == b {
            return a;
        }
        if let (Some(x), Some(y)) = (a.const_int(), b.const_int()) {
            return a.ty().constant(of(x, y));
        }
        self.call(self.module().intrinsic(intrinsic, &[a.ty()]), &[a, b])
    }
    /// `a <= b`, signed.
    pub fn at_most(&self, a: Value, b: Value) -> Value {
        self.icmp(Pred::LLVMIntSLE, a, b)
    }
    /// `a < b`, signed.
    pub fn below(&self, a: Value, b: Value) -> Value {
        self.icmp(Pred::LLVMIntSLT, a, b)
    }
    /// The conjunction, `None` if nothing is left to test. A constant false stays.
    pub fn all(&self, conditions: Vec<Value>) -> Option<Value> {
        let open = |c: &Value| c.const_int().is_none_or(|k| k == 0);
        conditions
            .into_iter()
            .filter(open)
            .reduce(|a, b| self.and(a, b))
    }
    /// `c ? a : b`, with no condition meaning true.
    pub fn choose(&self, c: Option<Value>, a: Value, b: Value) -> Value {
        match c {
            Some(c) if a != b => self.select(c, a, b),
            _ => a,
        }
    }
}
