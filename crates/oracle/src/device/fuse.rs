//! Fuses products and sums the way LLVM's NVPTX back end does when clang lets it contract.
//!
//! ```text
//! p = fmul contract a, b;  s = fadd contract p, c     s = fma(a, b, c)
//! p - c = fma(a, b, -c)      c - p = fma(-a, b, c)
//! ```
//! First a pass over IR (`nvptx-ir-peephole`) fuses what nobody else takes, wherever the two stand; of two such products
//! it takes the first. Then instruction selection fuses what stands in one block: aggressively, so it does not matter how
//! many others use the product; of two it takes the one with fewer uses, the first if they are even. Last, ptxas fuses a
//! product that is left with all who take it, if all of them are sums. The host's own rules differ, so it must not
//! choose: all other permissions are withdrawn (`unfuse`).

use inkwell::llvm_sys as llvm;
use llvm::LLVMOpcode::*;
use llvm::LLVMTypeKind::{LLVMDoubleTypeKind, LLVMFloatTypeKind, LLVMVectorTypeKind};
use llvm::core::*;

use super::builder::Builder;
use super::ir::{self, Context, Value};
use super::load::Module;

/// Fuses what the GPU's back end would, in every function of the module.
pub fn fuse(context: &Context, module: &Module) {
    let builder = Builder::new(context);
    for f in ir::defined(module.0) {
        let mut taken = Vec::new();
        for i in ir::body(f) {
            if let Some((product, is_first)) = lone_product(i) {
                let fma = build(module, builder.before(i), i, product, is_first);
                ir::replace(i, fma);
                taken.push(product);
            }
        }
        taken.into_iter().for_each(ir::erase);
        for i in ir::body(f) {
            if let Some((product, is_first)) = fused_product(i) {
                let fma = build(module, builder.before(i), i, product, is_first);
                ir::replace(i, fma);
            } else if let Some(parts) = left_open(i) {
                ir::replace(i, fma(module, builder.before(i), ir::type_of(i), parts));
            }
        }
        for product in ir::body(f).into_iter().filter(|i| is_any_product(*i)) {
            let takers = users(product);
            if takers.iter().all(|s| may_be_fused(*s)) {
                for sum in takers {
                    let is_first = ir::operands(sum)[0] == product;
                    let fma = build(module, builder.before(sum), sum, product, is_first);
                    ir::replace(sum, fma);
                }
            }
        }
    }
}

/// The parts of `llvm.fmuladd`, which leaves it to the back end: without fusing it is a product and a sum (`map`).
fn left_open(i: Value) -> Option<[Value; 3]> {
    if ir::opcode(i) != LLVMCall || !ir::name(ir::callee(i)).starts_with("llvm.fmuladd.") {
        return None;
    }
    ir::call_args(i).try_into().ok()
}

/// The product that nobody but a sum takes, which is fused with it, and whether it is its first operand.
fn lone_product(i: Value) -> Option<(Value, bool)> {
    let is_lone = |v: Value| is_any_product(v) && uses(v) == 1;
    let operands = Some(i).filter(|i| may_be_fused(*i)).map(ir::operands)?;
    let at = operands.iter().position(|v| is_lone(*v))?;
    Some((operands[at], at == 0))
}

/// Whether it is a sum that may be contracted, of a type for which the GPU has the operation.
fn may_be_fused(i: Value) -> bool {
    if !matches!(ir::opcode(i), LLVMFAdd | LLVMFSub) || !contracts(i) {
        return false;
    }
    // Pairs of floats are fused whole. SAFETY: `i` is an instruction with a type, a vector's has elements.
    let kind = unsafe {
        let ty = ir::type_of(i);
        match LLVMGetTypeKind(ty) {
            LLVMVectorTypeKind => LLVMGetTypeKind(LLVMGetElementType(ty)),
            kind => kind,
        }
    };
    matches!(kind, LLVMFloatTypeKind | LLVMDoubleTypeKind)
}

/// The product of its block that a sum is fused with, and whether it is its first operand.
fn fused_product(i: Value) -> Option<(Value, bool)> {
    let operands = Some(i).filter(|i| may_be_fused(*i)).map(ir::operands)?;
    let (a, b) = (operands[0], operands[1]);
    match (is_product(a, i), is_product(b, i)) {
        (true, true) => Some(if uses(a) > uses(b) {
            (b, false)
        } else {
            (a, true)
        }),
        (true, false) => Some((a, true)),
        (false, true) => Some((b, false)),
        (false, false) => None,
    }
}

/// Whether `v` is a product that may be contracted.
fn is_any_product(v: Value) -> bool {
    // SAFETY: any value may be asked whether it is an instruction.
    let is_instruction = unsafe { !LLVMIsAInstruction(v).is_null() };
    is_instruction && ir::opcode(v) == LLVMFMul && contracts(v)
}

/// Whether `v` is one in the block of `i`.
fn is_product(v: Value, i: Value) -> bool {
    // SAFETY: parents are asked of instructions only.
    is_any_product(v) && unsafe { LLVMGetInstructionParent(v) == LLVMGetInstructionParent(i) }
}

fn contracts(i: Value) -> bool {
    // SAFETY: flags are asked only of what can have them.
    unsafe {
        LLVMCanValueUseFastMathFlags(i) != 0
            && LLVMGetFastMathFlags(i) & llvm::LLVMFastMathAllowContract != 0
    }
}

fn uses(v: Value) -> usize {
    let mut count = 0;
    each_use(v, |_| count += 1);
    count
}

/// Who uses a value, each once.
fn users(v: Value) -> Vec<Value> {
    let mut all = Vec::new();
    each_use(v, |user| {
        if !all.contains(&user) {
            all.push(user);
        }
    });
    all
}

fn each_use(v: Value, mut visit: impl FnMut(Value)) {
    // SAFETY: uses of a live value; the list ends with null, which has no next.
    unsafe {
        let mut at = LLVMGetFirstUse(v);
        while !at.is_null() {
            visit(LLVMGetUser(at));
            at = LLVMGetNextUse(at);
        }
    }
}

fn build(module: &Module, builder: &Builder, sum: Value, product: Value, is_first: bool) -> Value {
    let (factors, operands) = (ir::operands(product), ir::operands(sum));
    let (mut x, y) = (factors[0], factors[1]);
    let mut z = operands[usize::from(is_first)];
    // SAFETY: a number has a negative.
    unsafe {
        if ir::opcode(sum) == LLVMFSub {
            let negated = if is_first { &mut z } else { &mut x };
            *negated = LLVMBuildFNeg(builder.raw, *negated, c"".as_ptr());
        }
    }
    fma(module, builder, ir::type_of(sum), [x, y, z])
}

fn fma(module: &Module, builder: &Builder, of: ir::Type, mut parts: [Value; 3]) -> Value {
    // SAFETY: the intrinsic is overloaded on the one type that all operands have.
    unsafe {
        let id = LLVMLookupIntrinsicID(c"llvm.fma".as_ptr(), "llvm.fma".len());
        let mut types = [of];
        let fma = LLVMGetIntrinsicDeclaration(module.0, id, types.as_mut_ptr(), 1);
        let ty = LLVMGlobalGetValueType(fma);
        LLVMBuildCall2(builder.raw, ty, fma, parts.as_mut_ptr(), 3, c"".as_ptr())
    }
}
