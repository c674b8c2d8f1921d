//! How a kernel uses the numbers of its threads and blocks.
//!
//! ```text
//! i = blockIdx.x * blockDim.x + threadIdx.x      and no other use of blockIdx.x, threadIdx.x:
//!                                                along x the ids make the global id alone
//! ```

use super::{Dim, Kernel, assembly, callees};
use crate::llvm::ir::{Builder, Function, Module, Op, Value, is_pure_integer};
use crate::map::HashSet;

/// What the names of intrinsics that read special registers begin with.
pub const SPECIAL: &str = "llvm.nvvm.read.ptx.sreg.";

/// The registers that say where a thread is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Register {
    /// `threadIdx`.
    Tid,
    /// `blockIdx`.
    Ctaid,
    /// `blockDim`.
    Ntid,
    /// `gridDim`.
    Nctaid,
}

impl Register {
    /// Its name, as intrinsics have it.
    pub fn name(self) -> &'static str {
        match self {
            Register::Tid => "tid",
            Register::Ctaid => "ctaid",
            Register::Ntid => "ntid",
            Register::Nctaid => "nctaid",
        }
    }
}

/// Which register an instruction reads.
pub fn register(v: Value) -> Option<(Register, Dim)> {
    if !v.is(Op::LLVMCall) {
        return None;
    }
    let name = v.callee_name();
    let (register, dim) = name.strip_prefix(SPECIAL)?.split_once('.')?;
    let register = match register {
        "tid" => Register::Tid,
        "ctaid" => Register::Ctaid,
        "ntid" => Register::Ntid,
        "nctaid" => Register::Nctaid,
        _ => return None,
    };
    let dim = Dim::ALL
        .into_iter()
        .find(|d| dim == d.letter().to_string())?;
    Some((register, dim))
}

/// The dimensions along which a kernel asks where its threads or blocks are.
pub fn dimensions(kernel: &Kernel) -> [bool; 3] {
    let is_id = |r| matches!(r, Register::Tid | Register::Ctaid);
    dimensions_of(kernel, is_id)
}

/// The dimensions along which a kernel asks where its blocks are.
pub fn block_dimensions(kernel: &Kernel) -> [bool; 3] {
    dimensions_of(kernel, |r| r == Register::Ctaid)
}

fn dimensions_of(kernel: &Kernel, asks: impl Fn(Register) -> bool) -> [bool; 3] {
    let mut used = [false; 3];
    let all = kernel.blocks.iter().flat_map(|b| b.instructions());
    for (r, d) in all.filter_map(register) {
        used[d.index()] |= asks(r);
    }
    used
}

/// Whether a kernel asks how many blocks there are.
pub fn reads_grid(kernel: &Kernel) -> bool {
    let mut all = kernel.blocks.iter().flat_map(|b| b.instructions());
    all.any(|i| register(i).is_some_and(|(r, _)| r == Register::Nctaid))
}

/// In what ways a kernel may learn where a thread is besides its own reads of those registers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Elsewhere {
    /// In none.
    Not,
    /// From others of its warp, or by its place in that.
    InWarp,
    /// By inline assembly, by other registers, or in functions that were not inlined.
    Anyhow,
}

/// Whether a kernel may learn where a thread is in other ways than by its own reads of those registers: from others of
/// its warp, by inline assembly, or in functions that were not inlined.
pub fn asks_elsewhere(kernel: &Kernel) -> bool {
    elsewhere(kernel) > Elsewhere::Not
}

/// In what other ways a kernel may learn that, the worst of them.
pub fn elsewhere(kernel: &Kernel) -> Elsewhere {
    let Some(functions) = callees::all(kernel.function) else {
        return Elsewhere::Anyhow;
    };
    let in_one = |f: Function| {
        let own = f == kernel.function;
        let all = f.blocks().into_iter().flat_map(|b| b.instructions());
        all.map(|i| reveals(i, own)).max()
    };
    let worst = functions.into_iter().filter_map(in_one).max();
    worst.unwrap_or(Elsewhere::Not)
}

/// How an instruction tells where a thread is; a kernel's `own` reads of the registers above do not count.
fn reveals(i: Value, own: bool) -> Elsewhere {
    if !i.is(Op::LLVMCall) && !i.is(Op::LLVMInvoke) {
        return Elsewhere::Not;
    }
    let if_so = |is: bool, how: Elsewhere| if is { how } else { Elsewhere::Not };
    let Some(f) = i.callee() else {
        // A special register's name begins so; operands are written with a dollar.
        let text = i.asm_text();
        let in_warp = assembly::is_of_warp(&text);
        let how = match in_warp && !text.contains('%') {
            true => Elsewhere::InWarp,
            false => Elsewhere::Anyhow,
        };
        return if_so(
            !assembly::is_unused(i) && (text.contains('%') || in_warp),
            how,
        );
    };
    let name = f.name();
    if callees::is_of_warp(&name) {
        return Elsewhere::InWarp;
    }
    if let Some(register_name) = name.strip_prefix(SPECIAL) {
        return match register_name {
            "warpsize" => Elsewhere::Not,
            _ if own && register(i).is_some() => Elsewhere::Not,
            n if n.starts_with("lane") => Elsewhere::InWarp,
            _ => Elsewhere::Anyhow,
        };
    }
    let is_unknown =
        !name.starts_with("llvm.") && name != "__nvvm_reflect" && f.blocks().is_empty();
    if_so(is_unknown, Elsewhere::Anyhow)
}

/// The mark of a register that is read for bounds alone.
const FOR_BOUNDS: &str = "mesi.bounds";
/// The mark of a condition that all threads meet.
const MET: &str = "mesi.met";

/// Marks a register that is read for nothing but how far a loop goes, behind which others run what is left: what it is
/// decides how fast that is, and nothing else. LLVM makes one of two calls only if both have the mark, or it drops it.
pub fn mark_for_bounds(module: Module, i: Value) {
    i.set_call_mark(module, FOR_BOUNDS);
}

/// Notes that a condition holds for all threads of every launch that a copy is for: the host asks that of a launch.
pub fn mark_as_met(b: &Builder, condition: Value) {
    let assume = b.intrinsic("llvm.assume", &[], &[condition]);
    assume.set_call_mark(b.module(), MET);
}

/// The condition of which that is noted.
pub fn met(i: Value) -> Option<Value> {
    (i.is(Op::LLVMCall) && i.has_call_mark(MET)).then(|| i.operand(0))
}

/// Takes those notes back: replicas are no reason to let LLVM assume anything.
pub fn forget_met(f: Function) {
    let all = f.blocks().into_iter().flat_map(|b| b.instructions());
    let notes: Vec<Value> = all.filter(|i| met(*i).is_some()).collect();
    notes.into_iter().for_each(Value::erase);
}

/// Whether an instruction was marked so.
fn is_for_bounds(i: Value) -> bool {
    i.has_call_mark(FOR_BOUNDS)
}

/// The first or the last of some blocks along a dimension, a power of two: the same for all of them.
fn end_of_group(v: Value) -> Option<(Dim, i64)> {
    if !v.is(Op::LLVMAnd) && !v.is(Op::LLVMOr) {
        return None;
    }
    let (register, mask) = (register(v.operand(0))?, v.operand(1).const_int()?);
    let count = if v.is(Op::LLVMAnd) { -mask } else { mask + 1 };
    let is_power = u32::try_from(count).is_ok_and(u32::is_power_of_two);
    (register.0 == Register::Ctaid && is_power).then_some((register.1, count))
}

/// Whether it is the same for `blocks` that are merged along `d`: their first one's number is a multiple of that.
pub fn is_of_group(v: Value, d: Dim, blocks: u32) -> bool {
    end_of_group(v).is_some_and(|(along, count)| along == d && count % i64::from(blocks) == 0)
}

/// Whether the expression behind `v` reads `blockIdx` in one of the dimensions marked.
pub fn reads_block_id(v: Value, dims: [bool; 3]) -> bool {
    reads_block_id_but(v, dims, |_| false)
}

/// The same but for values that are left out.
pub fn reads_block_id_but(v: Value, dims: [bool; 3], but: impl Fn(Value) -> bool) -> bool {
    let (mut seen, mut work) = (HashSet::default(), vec![v]);
    while let Some(v) = work.pop() {
        if !v.is_instruction() || !seen.insert(v) || but(v) {
            continue;
        }
        if let Some((Register::Ctaid, d)) = register(v)
            && dims[d.index()]
        {
            return true;
        }
        work.extend(v.each_operand());
    }
    false
}

/// The registers that an expression is made of.
pub fn registers_of(v: Value) -> Vec<(Register, Dim)> {
    let (mut seen, mut work, mut out) = (HashSet::default(), vec![v], Vec::new());
    while let Some(v) = work.pop() {
        if v.is_instruction() && seen.insert(v) {
            out.extend(register(v));
            work.extend(v.each_operand());
        }
    }
    out
}

/// Whether a load is of a struct that is passed by value.
pub fn is_of_parameter(function: Function, load: Value) -> bool {
    let place = load.operand(0).parameter_offset(function.module());
    let index = place.and_then(|(base, _)| base.argument_index());
    index.is_some_and(|i| function.param_has(i, "byval"))
}

/// Whether who knows a launch, but no thread and no memory, can tell what `v` is: it is made of parameters, and of how
/// many threads and blocks there are, by arithmetic.
pub fn is_of_launch(function: Function, v: Value) -> bool {
    let (mut seen, mut work) = (HashSet::default(), vec![v]);
    while let Some(v) = work.pop() {
        if v.is_argument() || v.const_int().is_some() || !seen.insert(v) {
            continue;
        }
        let fine = match v.opcode() {
            Some(Op::LLVMLoad) if is_of_parameter(function, v) => continue,
            Some(Op::LLVMLoad) => false,
            Some(Op::LLVMCall) => match register(v) {
                Some((Register::Ntid | Register::Nctaid, _)) => continue,
                Some(_) => false,
                None => is_portable(v),
            },
            Some(op) => is_pure_integer(op) || divides(v) || op == Op::LLVMFreeze,
            None => false,
        };
        if !fine {
            return false;
        }
        let callee = usize::from(v.is(Op::LLVMCall));
        let operands = v.operands();
        work.extend(&operands[..operands.len() - callee]);
    }
    true
}

/// Whether a call is of arithmetic that every target has, and that faults nowhere.
pub fn is_portable(call: Value) -> bool {
    let name = call.callee_name();
    let known = [
        "llvm.smax.",
        "llvm.smin.",
        "llvm.umax.",
        "llvm.umin.",
        "llvm.abs.",
    ];
    known.iter().any(|k| name.starts_with(k))
}

/// Whether `v` is `ctaid * ntid + tid` along one dimension, in 32 bits.
pub fn is_global_id(v: Value) -> bool {
    // Nothing that is as wide was widened on the way.
    let along = |d| is_widened_global_id(v, d);
    v.is(Op::LLVMAdd) && v.ty().int_width() == Some(32) && Dim::ALL.into_iter().any(along)
}

/// Whether thread and block number along `d` occur in `ctaid * ntid + tid` alone, so that which
/// block and which thread a global id belongs to cannot be told apart.
pub fn only_global_id(kernel: &Kernel, d: Dim) -> bool {
    let all = || kernel.blocks.iter().flat_map(|b| b.instructions());
    let is = |v: Value, r: Register| register(v) == Some((r, d));
    let is_base = |v: Value| {
        v.is(Op::LLVMMul)
            && [(0, 1), (1, 0)]
                .into_iter()
                .any(|(i, j)| is(v.operand(i), Register::Ctaid) && is(v.operand(j), Register::Ntid))
    };
    let is_id = |v: Value| {
        v.is(Op::LLVMAdd)
            && [(0, 1), (1, 0)]
                .into_iter()
                .any(|(i, j)| is_base(v.operand(i)) && is(v.operand(j), Register::Tid))
    };
    all().all(|v| match register(v) {
        Some(_) if is_for_bounds(v) => true,
        Some((Register::Tid, x)) if x == d => v.users().into_iter().all(is_id),
        Some((Register::Ctaid, x)) if x == d => v.users().into_iter().all(is_base),
        _ if is_base(v) => v.users().into_iter().all(is_id),
        _ => true,
    })
}

/// Whether thread and block number along `d`, and how many threads a block has, occur in `ctaid * ntid + tid` alone,
/// and how many blocks there are nowhere. Each may be widened on the way, so this holds for grids of less than 2^31
/// threads along `d`, where nothing wraps.
pub fn uses_global_id_only(kernel: &Kernel, d: Dim) -> bool {
    let reads = |r: Register| {
        let all = kernel.blocks.iter().flat_map(|b| b.instructions());
        all.filter(move |v| register(*v) == Some((r, d)) && !is_for_bounds(*v))
    };
    let is_id = |v: Value| is_widened_global_id(v, d);
    let is_base = |v: Value| v.is(Op::LLVMMul) && wide_users(v).into_iter().all(is_id);
    let bases = || reads(Register::Ntid).flat_map(wide_users);
    reads(Register::Tid).next().is_some()
        && reads(Register::Nctaid).next().is_none()
        && reads(Register::Tid).flat_map(wide_users).all(is_id)
        && reads(Register::Ctaid).flat_map(wide_users).all(is_base)
        && bases().all(is_base)
}

/// Whether a kernel asks along `d` for its block's number, and for nothing else: where blocks have one thread along it,
/// that is the global id.
pub fn uses_block_id_only(kernel: &Kernel, d: Dim) -> bool {
    let all = kernel.blocks.iter().flat_map(|b| b.instructions());
    let along = all.filter_map(register).filter(|(_, axis)| *axis == d);
    let mut registers = along.map(|(register, _)| register).peekable();
    registers.peek().is_some() && registers.all(|r| r == Register::Ctaid)
}

/// Whether `v` is the block's number along `d`, with any widening.
pub fn is_widened_block_id(v: Value, d: Dim) -> bool {
    register(unextended(v)) == Some((Register::Ctaid, d))
}

/// Whether `v` is `ctaid * ntid + tid` along `d`, with any widening.
pub fn is_widened_global_id(v: Value, d: Dim) -> bool {
    let is = |v: Value, r: Register| register(unextended(v)) == Some((r, d));
    let sides = |v: Value| [(0, 1), (1, 0)].map(|(i, j)| (v.operand(i), v.operand(j)));
    let is_base = |v: Value| {
        let is_pair = |(a, b)| is(a, Register::Ctaid) && is(b, Register::Ntid);
        v.is(Op::LLVMMul) && sides(v).into_iter().any(is_pair)
    };
    let v = unextended(v);
    let is_pair = |(a, b)| is_base(unextended(a)) && is(b, Register::Tid);
    v.is(Op::LLVMAdd) && sides(v).into_iter().any(is_pair)
}

/// Whether `v` is the number of the launch's threads along x, with any widening.
pub fn is_grid_stride(v: Value) -> bool {
    let v = unextended(v);
    let is = |v: Value, r: Register| register(unextended(v)) == Some((r, Dim::X));
    let sides = |v: Value| [(0, 1), (1, 0)].map(|(i, j)| (v.operand(i), v.operand(j)));
    let is_pair = |(a, b)| is(a, Register::Nctaid) && is(b, Register::Ntid);
    v.is(Op::LLVMMul) && sides(v).into_iter().any(is_pair)
}

/// The users of a value, and of what it is widened to.
pub fn wide_users(v: Value) -> Vec<Value> {
    let (mut found, mut work) = (Vec::new(), v.users());
    while let Some(u) = work.pop() {
        match u.opcode() {
            Some(Op::LLVMZExt | Op::LLVMSExt) => work.extend(u.users()),
            _ => found.push(u),
        }
    }
    found
}

/// Whether an instruction divides whole numbers.
pub fn divides(i: Value) -> bool {
    use Op::{LLVMSDiv, LLVMSRem, LLVMUDiv, LLVMURem};
    matches!(i.opcode(), Some(LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem))
}

/// What a value was before it was widened.
pub fn unextended(v: Value) -> Value {
    match v.opcode() {
        Some(Op::LLVMZExt | Op::LLVMSExt) => unextended(v.operand(0)),
        _ => v,
    }
}

/// How far an integer or pointer (in bytes) can be from that of the next thread along x, at most; `None`
/// where nothing bounds it. Clamps and choices between uniform outcomes do not add to it.
pub fn step_along_x(kernel: &Kernel, v: Value) -> Option<i64> {
    step_at(kernel, v, 0)
}

/// Expressions deeper than this are not followed.
const DEEPEST: u32 = 32;

fn step_at(kernel: &Kernel, v: Value, depth: u32) -> Option<i64> {
    use Op::{LLVMAdd, LLVMGetElementPtr, LLVMMul, LLVMShl, LLVMSub};
    if !v.is_instruction() {
        return Some(0);
    }
    if depth > DEEPEST {
        return None;
    }
    let step = |v: Value| step_at(kernel, v, depth + 1);
    match v.opcode()? {
        Op::LLVMSExt | Op::LLVMZExt | Op::LLVMTrunc | Op::LLVMFreeze => step(v.operand(0)),
        Op::LLVMAddrSpaceCast | Op::LLVMBitCast => step(v.operand(0)),
        Op::LLVMLoad => is_of_parameter(kernel.function, v).then_some(0),
        Op::LLVMOr if !v.has_disjoint() => None,
        LLVMAdd | LLVMSub | Op::LLVMOr => step(v.operand(0))?.checked_add(step(v.operand(1))?),
        LLVMShl => {
            let k = v.operand(1).const_int().filter(|k| (0..32).contains(k))?;
            step(v.operand(0))?.checked_mul(1 << k)
        }
        LLVMMul => match (step(v.operand(0))?, step(v.operand(1))?) {
            (0, 0) => Some(0),
            (s, 0) => v.operand(1).const_int()?.checked_abs()?.checked_mul(s),
            (0, s) => v.operand(0).const_int()?.checked_abs()?.checked_mul(s),
            _ => None,
        },
        // A comparison of such values changes its outcome once along a row.
        Op::LLVMSelect if v.operand(0).is(Op::LLVMICmp) => {
            let condition = v.operand(0);
            step(condition.operand(0))?;
            step(condition.operand(1))?;
            Some(step(v.operand(1))?.max(step(v.operand(2))?))
        }
        LLVMGetElementPtr => {
            let module = kernel.function.module();
            let size = i64::try_from(module.alloc_size(v.gep_source_type())).ok()?;
            let [pointer, index] = v.operands()[..] else {
                return None;
            };
            step(pointer)?.checked_add(step(index)?.checked_mul(size)?)
        }
        Op::LLVMCall => step_of_call(kernel, v, depth),
        _ => None,
    }
}

fn step_of_call(kernel: &Kernel, v: Value, depth: u32) -> Option<i64> {
    match register(v) {
        Some((Register::Tid, Dim::X)) => return Some(1),
        Some(_) => return Some(0),
        None => {}
    }
    let name = v.callee_name();
    let is = |list: &[&str]| list.iter().any(|s| name.starts_with(s));
    let clamps = is(&["llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax."]);
    if !clamps && !is(&["llvm.usub.sat.", "llvm.uadd.sat."]) {
        return None;
    }
    let a = step_at(kernel, v.operand(0), depth + 1)?;
    let b = step_at(kernel, v.operand(1), depth + 1)?;
    if clamps {
        Some(a.max(b))
    } else {
        a.checked_add(b)
    }
}

/// Whether an instruction may run for a thread that the original would not have brought there:
/// it touches no memory, ends nothing, and no operand makes it undefined.
pub fn is_speculatable(i: Value) -> bool {
    use Op::{LLVMSDiv, LLVMSRem, LLVMUDiv, LLVMURem};
    match i.opcode() {
        Some(LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem) => {
            i.operand(1).const_int().is_some_and(|k| k != 0 && k != -1)
        }
        Some(Op::LLVMCall) => register(i).is_some() || i.is_pure_call(),
        Some(
            Op::LLVMLoad
            | Op::LLVMStore
            | Op::LLVMAtomicRMW
            | Op::LLVMAtomicCmpXchg
            | Op::LLVMFence
            | Op::LLVMVAArg
            | Op::LLVMInvoke
            | Op::LLVMAlloca,
        ) => false,
        _ => i.ty().has_values(),
    }
}
