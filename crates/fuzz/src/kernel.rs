//! A random kernel as a small tree: what the generator makes, the printers print and the shrinker cuts.
//!
//! Integers that steer (indices, bounds, guards) and values that are computed with are two kinds of
//! expression, `Int` and `Val`: the first can be evaluated without running the kernel, so buffers can
//! be made exactly as large as the accesses need (`ranges`).

use mesi_launch::ElemType;

/// Type of integer arithmetic. `I32` and `I64` are signed and, in C, must not overflow; `U32` wraps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ty {
    /// `int`.
    I32,
    /// `unsigned`.
    U32,
    /// `long long`.
    I64,
}

/// Special registers; each has a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    /// `threadIdx`.
    Tid,
    /// `blockIdx`.
    Ctaid,
    /// `blockDim`.
    Ntid,
    /// `gridDim`.
    Nctaid,
}

/// Integer operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    Min,
    Max,
    Div,
    Rem,
    And,
}

/// An integer expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Int {
    /// A literal.
    Const(i64),
    /// A scalar parameter.
    Size(usize),
    /// A special register.
    Special(Special, usize),
    /// `blockIdx.d * blockDim.d + threadIdx.d`, in `unsigned`.
    Gid(usize),
    /// A loop's variable or a `Let`.
    Local(usize),
    /// An operator in the type around it.
    Bin(IntOp, Box<Int>, Box<Int>),
    /// `c ? a : b`.
    Pick(Box<Cond>, Box<Int>, Box<Int>),
    /// An element of an index buffer: indirect addressing.
    Elem(usize, Box<Int>),
}

/// Integer comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Test {
    Lt,
    Le,
    Gt,
    Ge,
    Ne,
    Eq,
}

/// A condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Cond {
    /// A comparison in this type.
    Cmp(Test, Ty, Int, Int),
    /// Both, the second only evaluated where it may be evaluated anyway.
    And(Box<Cond>, Box<Cond>),
    /// Either.
    Or(Box<Cond>, Box<Cond>),
    /// The opposite.
    Not(Box<Cond>),
    /// The first is less than the second: depends on data.
    Data(Val, Val),
}

/// One element of a buffer.
#[derive(Debug, Clone, PartialEq)]
pub struct Access {
    /// Which buffer, or which shared array in `Shared` and `SharedStore`.
    pub buffer: usize,
    /// Type in which the index is computed.
    pub ty: Ty,
    /// Index in records.
    pub index: Int,
    /// Field of the record.
    pub field: usize,
    /// Threads of odd number read this buffer instead: the address has two bases.
    pub other: Option<usize>,
}

/// Operators on values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ValOp {
    Add,
    Sub,
    Mul,
    Max,
}

/// What an atomic does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AtomicOp {
    Add,
    Max,
    Min,
    Umax,
    Umin,
    And,
    Or,
    Xor,
}

/// A value in the kernel's computing type.
#[derive(Debug, Clone, PartialEq)]
pub enum Val {
    /// From global memory, converted.
    Load(Access),
    /// From the kernel's own shared memory.
    Shared(Access),
    /// An element of an array that each thread has to itself.
    Private(usize, Int),
    /// The accumulator.
    Acc(usize),
    /// A small literal.
    Const(i32),
    /// The scalar value parameter.
    Alpha,
    /// An integer, converted.
    FromInt(Ty, Int),
    /// An operator.
    Bin(ValOp, Box<Val>, Box<Val>),
    /// `c ? a : b`.
    Pick(Box<Cond>, Box<Val>, Box<Val>),
}

/// A loop `for (var = from; var TEST to; var += step)`.
#[derive(Debug, Clone, PartialEq)]
pub struct For {
    /// Its variable.
    pub var: usize,
    /// The variable's type.
    pub ty: Ty,
    /// First value.
    pub from: Int,
    /// Limit.
    pub to: Int,
    /// Added in every iteration; may be negative.
    pub step: Int,
    /// Continue while this holds.
    pub test: Test,
    /// What is repeated.
    pub body: Vec<Stmt>,
}

impl For {
    /// `for (var = 0; var < to; var += 1)`.
    pub fn up_to(var: usize, ty: Ty, to: Int, body: Vec<Stmt>) -> Stmt {
        Stmt::For(Self {
            var,
            ty,
            from: Int::Const(0),
            to,
            step: Int::Const(1),
            test: Test::Lt,
            body,
        })
    }
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Stmt {
    /// Names an integer; never assigned again.
    Let(usize, Ty, Int),
    /// `acc = value`.
    Set(usize, Val),
    /// `acc = acc OP value`.
    Fold(usize, ValOp, Val),
    /// `buffer[i] = value`.
    Store(Access, Val),
    /// `buffer[i] = buffer[i] OP value`.
    Update(Access, ValOp, Val),
    /// `atomicAdd(&buffer[i], value)`; integers only, so that the order cannot matter, if all that update a
    /// buffer do the same.
    Atomic(Access, AtomicOp, Val),
    /// Into the kernel's own shared memory.
    SharedStore(Access, Val),
    /// Into an array that each thread has to itself.
    PrivateStore(usize, Int, Val),
    /// `__syncthreads()`.
    Barrier,
    /// `__threadfence()`.
    Fence,
    /// `if`.
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// A loop.
    For(For),
    /// `acc += var`, the variable of a loop that is over; 0 if it never ran.
    Last(usize, usize),
    /// Leaves the innermost loop.
    Break(Cond),
    /// Leaves the kernel.
    Return(Cond),
    /// A cycle with two entries, run a few times: adds to the accumulator.
    Tangle(usize, Cond, Val),
}

/// Where a buffer lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// A pointer parameter.
    Param,
    /// `__device__`.
    Device,
    /// `__constant__`.
    Constant,
}

/// What a buffer's contents are used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Values.
    Data,
    /// Indices below this.
    Index(i64),
}

/// A buffer.
#[derive(Debug, Clone, PartialEq)]
pub struct Buffer {
    /// Type of each field of a record; one for a plain array.
    pub fields: Vec<ElemType>,
    /// Where it lives.
    pub space: Space,
    /// What it holds.
    pub contents: Use,
    /// `__restrict__`: then no other argument is made to overlap it.
    pub restrict: bool,
    /// Whether its accesses are volatile.
    pub volatile: bool,
    /// Whether records are loaded as one vector, where they can be.
    pub vector: bool,
}

/// The kernel's own shared array, of the computing type.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedArray {
    /// Elements; 0 makes it dynamic, of 1,024.
    pub len: u32,
}

/// Type values are computed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Num {
    F32,
    F64,
    I32,
    I64,
}

/// A launch, before the buffers' sizes are known.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Values of the scalar parameters.
    pub sizes: Vec<i64>,
    /// This argument's pointer goes into that one's buffer, so many records from where its own starts.
    pub alias: Option<(usize, usize, i64)>,
}

/// A kernel and its launches.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// Buffers; those in memory of the module are no parameters.
    pub buffers: Vec<Buffer>,
    /// Types of the scalar parameters.
    pub sizes: Vec<Ty>,
    /// Shared arrays.
    pub shared: Vec<SharedArray>,
    /// Arrays that each thread has to itself, of the computing type: their lengths.
    pub private: Vec<u32>,
    /// Accumulators.
    pub accs: usize,
    /// Computing type.
    pub num: Num,
    /// Named integers and loop variables: how many.
    pub locals: usize,
    /// Signed arithmetic wraps too, as with `-fwrapv`.
    pub wraps: bool,
    /// Multiplications and additions may be fused (`contract`).
    pub contract: bool,
    /// Parameters come in one by-value struct.
    pub packed: bool,
    /// The user switched the plug-in off by annotation.
    pub off: bool,
    /// `__launch_bounds__`, or 0.
    pub max_threads: u32,
    /// The chip that it is compiled for, as 80 for `sm_80`.
    pub sm: u32,
    /// The body.
    pub body: Vec<Stmt>,
    /// The launches.
    pub shapes: Vec<Shape>,
}

impl Buffer {
    /// Bytes of a record, and each field's offset in it.
    pub fn layout(&self) -> (u64, Vec<u64>) {
        let (mut at, mut align, mut offsets) = (0_u64, 1_u64, Vec::new());
        for f in &self.fields {
            at = at.next_multiple_of(f.size());
            offsets.push(at);
            at += f.size();
            align = align.max(f.size());
        }
        (at.next_multiple_of(align), offsets)
    }

    /// Alignment a record is declared with: CUDA's vector types align to their size.
    pub fn align(&self) -> u64 {
        let widest = self.fields.iter().map(|f| f.size()).max().unwrap_or(1);
        if self.is_vector() {
            self.layout().0
        } else {
            widest
        }
    }

    /// Whether a record is one of CUDA's vector types of 2 or 4 elements.
    pub fn is_vector(&self) -> bool {
        let size = self.layout().0;
        self.fields.len() > 1
            && self.fields.iter().all(|f| *f == self.fields[0])
            && size.is_power_of_two()
            && size <= 16
    }
}

impl AtomicOp {
    /// As `atomicrmw` spells it: unsigned ones begin with a `u`.
    pub fn name(self) -> &'static str {
        match self {
            AtomicOp::Add => "add",
            AtomicOp::Max => "max",
            AtomicOp::Min => "min",
            AtomicOp::Umax => "umax",
            AtomicOp::Umin => "umin",
            AtomicOp::And => "and",
            AtomicOp::Or => "or",
            AtomicOp::Xor => "xor",
        }
    }
}

impl Int {
    /// `a OP b`.
    pub fn bin(op: IntOp, a: Int, b: Int) -> Int {
        Int::Bin(op, Box::new(a), Box::new(b))
    }
    /// `a + b`.
    pub fn plus(a: Int, b: Int) -> Int {
        match (&a, &b) {
            (Int::Const(0), _) => b,
            (_, Int::Const(0)) => a,
            _ => Int::bin(IntOp::Add, a, b),
        }
    }
    /// `a - b`.
    pub fn minus(a: Int, b: Int) -> Int {
        Int::bin(IntOp::Sub, a, b)
    }
    /// `a * b`.
    pub fn times(a: Int, b: Int) -> Int {
        match (&a, &b) {
            (Int::Const(1), _) => b,
            (_, Int::Const(1)) => a,
            _ => Int::bin(IntOp::Mul, a, b),
        }
    }
}

impl Val {
    /// `a OP b`.
    pub fn bin(op: ValOp, a: Val, b: Val) -> Val {
        Val::Bin(op, Box::new(a), Box::new(b))
    }
}

impl Cond {
    /// `a && b`.
    pub fn and(a: Cond, b: Cond) -> Cond {
        Cond::And(Box::new(a), Box::new(b))
    }
}

/// Every loop variable with its type.
pub fn loop_types(stmts: &[Stmt]) -> Vec<(usize, Ty)> {
    let mut all = Vec::new();
    for s in stmts {
        match s {
            Stmt::For(l) => {
                all.push((l.var, l.ty));
                all.extend(loop_types(&l.body));
            }
            Stmt::If(_, a, b) => {
                all.extend(loop_types(a));
                all.extend(loop_types(b));
            }
            _ => (),
        }
    }
    all
}

/// Loop variables that are read when their loops are over, or that another loop may begin at, with their types.
pub fn kept(stmts: &[Stmt]) -> Vec<(usize, Ty)> {
    let mut read = Vec::new();
    lasts(stmts, &mut read);
    let mut all = loop_types(stmts);
    all.retain(|(n, _)| read.contains(n));
    all
}

fn lasts(stmts: &[Stmt], out: &mut Vec<usize>) {
    for s in stmts {
        match s {
            Stmt::Last(_, var) => out.push(*var),
            Stmt::For(l) => {
                if let Int::Local(n) = l.from {
                    out.push(n);
                }
                lasts(&l.body, out);
            }
            Stmt::If(_, a, b) => {
                lasts(a, out);
                lasts(b, out);
            }
            _ => (),
        }
    }
}
