//! What can be asked of a value, and changed in an instruction.

use super::*;

/// A read-modify-write operation whose order among others of its kind does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rmw {
    /// Wrapping sum.
    Add,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The greater, signed.
    Max,
    /// The lesser, signed.
    Min,
    /// The greater, unsigned.
    Umax,
    /// The lesser, unsigned.
    Umin,
}

impl Rmw {
    /// What changes nothing, as 32 bits.
    pub fn identity(self) -> i64 {
        match self {
            Rmw::Add | Rmw::Or | Rmw::Xor | Rmw::Umax => 0,
            Rmw::And | Rmw::Umin => -1,
            Rmw::Max => i64::from(i32::MIN),
            Rmw::Min => i64::from(i32::MAX),
        }
    }
}

impl Value {
    /// Its name; empty where clang discards names.
    pub fn name(self) -> String {
        name_from(|len| llvm!(LLVMGetValueName2(self.0, len)))
    }
    /// Gives the value a name (ignored where the context discards names).
    pub fn set_name(self, name: &str) {
        llvm!(LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()));
    }
    /// Its type.
    pub fn ty(self) -> Type {
        Type(llvm!(LLVMTypeOf(self.0)))
    }
    /// Opcode of an instruction or constant expression.
    pub fn opcode(self) -> Option<Op> {
        if !llvm!(LLVMIsAInstruction(self.0)).is_null() {
            return Some(llvm!(LLVMGetInstructionOpcode(self.0)));
        }
        let is_expr = !llvm!(LLVMIsAConstantExpr(self.0)).is_null();
        is_expr.then(|| llvm!(LLVMGetConstOpcode(self.0)))
    }
    /// Whether it is an instruction or constant expression with this opcode.
    pub fn is(self, op: Op) -> bool {
        self.opcode() == Some(op)
    }
    /// Whether it is an instruction.
    pub fn is_instruction(self) -> bool {
        !llvm!(LLVMIsAInstruction(self.0)).is_null()
    }
    /// Whether it is a function argument.
    pub fn is_argument(self) -> bool {
        !llvm!(LLVMIsAArgument(self.0)).is_null()
    }
    /// Whether it is a constant of any kind, globals included.
    pub fn is_constant(self) -> bool {
        llvm!(LLVMIsConstant(self.0)) != 0
    }
    /// Whether it is a null pointer or zero.
    pub fn is_null(self) -> bool {
        llvm!(LLVMIsNull(self.0)) != 0
    }
    /// Whether it is undef or poison.
    pub fn is_undef(self) -> bool {
        llvm!(LLVMIsUndef(self.0)) != 0
    }
    /// Whether it is a global variable.
    pub fn is_global_variable(self) -> bool {
        !llvm!(LLVMIsAGlobalVariable(self.0)).is_null()
    }
    /// Whether a global variable is marked `constant`.
    pub fn is_constant_global(self) -> bool {
        self.is_global_variable() && llvm!(LLVMIsGlobalConstant(self.0)) != 0
    }
    /// The value type of a global variable.
    pub fn global_value_type(self) -> Type {
        Type(llvm!(LLVMGlobalGetValueType(self.0)))
    }
    /// A constant integer's value, sign-extended; `None` above 64 bits or if it is none.
    pub fn const_int(self) -> Option<i64> {
        if llvm!(LLVMIsAConstantInt(self.0)).is_null() || self.ty().int_width()? > 64 {
            return None;
        }
        Some(llvm!(LLVMConstIntGetSExtValue(self.0)))
    }
    /// A constant number's value where `f64` has it exactly.
    pub fn const_float(self) -> Option<f64> {
        if llvm!(LLVMIsAConstantFP(self.0)).is_null() {
            return None;
        }
        let mut loses = 0;
        let value = llvm!(LLVMConstRealGetDouble(self.0, &mut loses));
        (loses == 0).then_some(value)
    }
    /// Operands in order; empty for values without operands.
    pub fn operands(self) -> Vec<Value> {
        self.each_operand().collect()
    }
    /// The same, one by one: nothing is allocated.
    pub fn each_operand(self) -> impl Iterator<Item = Value> {
        let n = llvm!(LLVMGetNumOperands(self.0));
        (0..n.max(0) as u32).map(move |i| self.operand(i))
    }
    /// Operand `i`.
    pub fn operand(self, i: u32) -> Value {
        Value::new(llvm!(LLVMGetOperand(self.0, i)))
    }
    /// Replaces operand `i`.
    pub fn set_operand(self, i: u32, v: Value) {
        llvm!(LLVMSetOperand(self.0, i, v.0));
    }
    /// Every user, once per use.
    pub fn users(self) -> Vec<Value> {
        let mut out = Vec::new();
        let mut u = llvm!(LLVMGetFirstUse(self.0));
        while !u.is_null() {
            out.push(Value(llvm!(LLVMGetUser(u))));
            u = llvm!(LLVMGetNextUse(u));
        }
        out
    }
    /// The block of an instruction.
    pub fn block(self) -> Option<Block> {
        if !self.is_instruction() {
            return None;
        }
        Block::optional(llvm!(LLVMGetInstructionParent(self.0)))
    }
    /// The instruction behind this one in its block, which is no terminator.
    pub fn next(self) -> Value {
        Value::new(llvm!(LLVMGetNextInstruction(self.0)))
    }
    /// Index of an argument among the parameters.
    pub fn argument_index(self) -> Option<u32> {
        if !self.is_argument() {
            return None;
        }
        let f = Function(llvm!(LLVMGetParamParent(self.0)));
        f.params().iter().position(|p| *p == self).map(|i| i as u32)
    }
    /// Whether it is a parameter of which the source says `__restrict__`.
    pub fn is_restrict(self) -> bool {
        let f = self
            .is_argument()
            .then(|| Function(llvm!(LLVMGetParamParent(self.0))));
        let at = self.argument_index();
        f.zip(at).is_some_and(|(f, i)| f.param_has(i, "noalias"))
    }
    /// `(value, block)` pairs of a phi.
    pub fn incoming(self) -> Vec<(Value, Block)> {
        (0..llvm!(LLVMCountIncoming(self.0)))
            .map(|i| {
                llvm!((
                    Value(LLVMGetIncomingValue(self.0, i)),
                    Block(LLVMGetIncomingBlock(self.0, i))
                ))
            })
            .collect()
    }
    /// Has a phi take `v` when control comes from `from`.
    pub fn add_incoming(self, v: Value, from: Block) {
        llvm!(LLVMAddIncoming(self.0, &mut { v.0 }, &mut { from.0 }, 1));
    }
    /// The value a phi takes when control comes from `from`.
    pub fn incoming_from(self, from: Block) -> Option<Value> {
        self.incoming()
            .into_iter()
            .find(|(_, b)| *b == from)
            .map(|(v, _)| v)
    }
    /// The predicate of an `icmp`.
    pub fn predicate(self) -> Pred {
        llvm!(LLVMGetICmpPredicate(self.0))
    }
    /// `nsw` on an add, sub, mul or shl.
    pub fn has_nsw(self) -> bool {
        self.wraps() && llvm!(LLVMGetNSW(self.0)) != 0
    }
    /// `nuw` on an add, sub, mul or shl.
    pub fn has_nuw(self) -> bool {
        self.wraps() && llvm!(LLVMGetNUW(self.0)) != 0
    }
    fn wraps(self) -> bool {
        self.is_instruction()
            && matches!(
                self.opcode(),
                Some(Op::LLVMAdd | Op::LLVMSub | Op::LLVMMul | Op::LLVMShl)
            )
    }
    /// `nneg` on a zext.
    pub fn has_nneg(self) -> bool {
        self.is_instruction() && self.is(Op::LLVMZExt) && llvm!(LLVMGetNNeg(self.0)) != 0
    }
    /// `disjoint` on an or.
    pub fn has_disjoint(self) -> bool {
        self.is_instruction() && self.is(Op::LLVMOr) && llvm!(LLVMGetIsDisjoint(self.0)) != 0
    }
    /// Clears every poison-generating flag of an instruction, so that it may run where the
    /// original was guarded.
    pub fn drop_poison_flags(self) {
        let Some(op) = self.opcode() else { return };
        llvm!(match op {
            Op::LLVMAdd | Op::LLVMSub | Op::LLVMMul | Op::LLVMShl => {
                LLVMSetNSW(self.0, 0);
                LLVMSetNUW(self.0, 0);
            }
            Op::LLVMUDiv | Op::LLVMSDiv | Op::LLVMLShr | Op::LLVMAShr => LLVMSetExact(self.0, 0),
            Op::LLVMZExt => LLVMSetNNeg(self.0, 0),
            Op::LLVMOr => LLVMSetIsDisjoint(self.0, 0),
            Op::LLVMGetElementPtr => LLVMGEPSetNoWrapFlags(self.0, 0),
            _ => {}
        });
    }
    /// Whether the instruction may be fused with another one (`contract`).
    pub fn may_contract(self) -> bool {
        use inkwell::llvm_sys::LLVMFastMathAllowContract as CONTRACT;
        llvm!(
            LLVMCanValueUseFastMathFlags(self.0) != 0
                && LLVMGetFastMathFlags(self.0) & CONTRACT != 0
        )
    }
    /// Whether a sum, product or quotient of real numbers need not be worked out as it is written (`-ffast-math`, or a part of
    /// it): in another order, by a reciprocal, or without the sign of a zero.
    pub fn may_be_rearranged(self) -> bool {
        use Op::{LLVMFAdd, LLVMFDiv, LLVMFMul, LLVMFSub};
        use inkwell::llvm_sys::{
            LLVMFastMathAllowReassoc as ORDER, LLVMFastMathAllowReciprocal as RECIPROCAL,
            LLVMFastMathNoSignedZeros as ZEROS,
        };
        matches!(
            self.opcode(),
            Some(LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv)
        ) && llvm!(LLVMGetFastMathFlags(self.0)) & (ORDER | RECIPROCAL | ZEROS) != 0
    }
    /// Whether a load or store is volatile, or atomic.
    pub fn is_volatile_or_atomic(self) -> bool {
        use inkwell::llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic as NotAtomic;
        matches!(self.opcode(), Some(Op::LLVMLoad | Op::LLVMStore))
            && llvm!(LLVMGetVolatile(self.0) != 0 || LLVMGetOrdering(self.0) != NotAtomic)
    }
    /// What an `atomicrmw` does, if it is one of the operations on integers that may come in any order, and all that
    /// matters is what memory holds in the end: not volatile.
    pub fn rmw(self) -> Option<Rmw> {
        use inkwell::llvm_sys::LLVMAtomicRMWBinOp::*;
        if llvm!(LLVMGetVolatile(self.0)) != 0 {
            return None;
        }
        Some(match llvm!(LLVMGetAtomicRMWBinOp(self.0)) {
            LLVMAtomicRMWBinOpAdd => Rmw::Add,
            LLVMAtomicRMWBinOpAnd => Rmw::And,
            LLVMAtomicRMWBinOpOr => Rmw::Or,
            LLVMAtomicRMWBinOpXor => Rmw::Xor,
            LLVMAtomicRMWBinOpMax => Rmw::Max,
            LLVMAtomicRMWBinOpMin => Rmw::Min,
            LLVMAtomicRMWBinOpUMax => Rmw::Umax,
            LLVMAtomicRMWBinOpUMin => Rmw::Umin,
            _ => return None,
        })
    }
    /// The constant that an `atomicrmw` adds, if it does and that is not 0.
    pub fn step(self) -> Option<i64> {
        use inkwell::llvm_sys::LLVMAtomicRMWBinOp::*;
        if !self.is(Op::LLVMAtomicRMW) {
            return None;
        }
        let n = self.operand(1).const_int().filter(|n| *n != 0)?;
        match llvm!(LLVMGetAtomicRMWBinOp(self.0)) {
            LLVMAtomicRMWBinOpAdd => Some(n),
            LLVMAtomicRMWBinOpSub => n.checked_neg(),
            _ => None,
        }
    }
    /// Whether a load or store orders other accesses around it. (What `atomicrmw` and `cmpxchg` say of that, clang says of all of CUDA's atomic
    /// functions, which promise nothing of the kind.)
    pub fn orders_others(self) -> bool {
        use inkwell::llvm_sys::LLVMAtomicOrdering::{
            LLVMAtomicOrderingMonotonic as Relaxed, LLVMAtomicOrderingNotAtomic as NotAtomic,
            LLVMAtomicOrderingUnordered as Unordered,
        };
        matches!(self.opcode(), Some(Op::LLVMLoad | Op::LLVMStore))
            && !matches!(
                llvm!(LLVMGetOrdering(self.0)),
                NotAtomic | Unordered | Relaxed
            )
    }
    /// For whom an `atomicrmw` is one step, as LLVM numbers it.
    pub fn scope(self) -> u32 {
        llvm!(LLVMGetAtomicSyncScopeID(self.0))
    }
    /// Whether an `atomicrmw` is one step for all threads there are, as clang makes them all. (To ask for another scope's number would
    /// write its name into every module.)
    pub fn is_atomic_for_all(self) -> bool {
        const SYSTEM: u32 = 1;
        self.scope() == SYSTEM
    }
    /// Takes an atomic's order with other accesses away; it stays atomic.
    pub fn set_relaxed(self) {
        use inkwell::llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic as Relaxed;
        llvm!(LLVMSetOrdering(self.0, Relaxed));
    }
    /// Alignment in bytes of a load, store, alloca or global.
    pub fn alignment(self) -> u32 {
        llvm!(LLVMGetAlignment(self.0))
    }
    /// Sets the alignment of a load, store, alloca or global.
    pub fn set_alignment(self, bytes: u32) {
        llvm!(LLVMSetAlignment(self.0, bytes));
    }
    /// What an alloca makes one of, or as many as its operand says.
    pub fn allocated_type(self) -> Type {
        Type(llvm!(LLVMGetAllocatedType(self.0)))
    }
    /// The source element type of a GEP.
    pub fn gep_source_type(self) -> Type {
        Type(llvm!(LLVMGetGEPSourceElementType(self.0)))
    }
    /// The function a call names, if it is a direct call.
    pub fn callee(self) -> Option<Function> {
        if !self.is(Op::LLVMCall) && !self.is(Op::LLVMInvoke) {
            return None;
        }
        let c = llvm!(LLVMGetCalledValue(self.0));
        (!llvm!(LLVMIsAFunction(c)).is_null()).then_some(Function(c))
    }
    /// Whether a call's callee is inline assembly.
    pub fn is_inline_asm_call(self) -> bool {
        self.is(Op::LLVMCall) && !llvm!(LLVMIsAInlineAsm(LLVMGetCalledValue(self.0))).is_null()
    }
    /// Whether a call's inline assembly is marked with side effects.
    pub fn asm_has_side_effects(self) -> bool {
        llvm!(LLVMGetInlineAsmHasSideEffects(LLVMGetCalledValue(self.0)) != 0)
    }
    /// Whether it is a function (a call's last operand).
    pub fn is_function(self) -> bool {
        !llvm!(LLVMIsAFunction(self.0)).is_null()
    }
    /// Whether a call is `memory(none)`, at the call or by its callee.
    pub fn accesses_no_memory(self) -> bool {
        let kind = "memory";
        let is_none =
            |a: LLVMAttributeRef| !a.is_null() && llvm!(LLVMGetEnumAttributeValue(a)) == 0;
        let at_call = llvm!({
            let id = LLVMGetEnumAttributeKindForName(kind.as_ptr().cast(), kind.len());
            LLVMGetCallSiteEnumAttribute(self.0, LLVMAttributeFunctionIndex, id)
        });
        is_none(at_call)
            || self
                .callee()
                .and_then(|f| f.attribute(LLVMAttributeFunctionIndex, kind))
                .is_some_and(is_none)
    }
    /// Splits a pointer into an argument or global and a constant byte offset from it.
    pub fn parameter_offset(self, module: Module) -> Option<(Value, i64)> {
        match self.opcode() {
            Some(Op::LLVMGetElementPtr) => {
                let (p, o) = self.operand(0).parameter_offset(module)?;
                Some((p, o + self.gep_constant_offset(module)?))
            }
            Some(Op::LLVMAddrSpaceCast | Op::LLVMBitCast) => {
                self.operand(0).parameter_offset(module)
            }
            Some(_) => None,
            None => (self.is_argument() || self.is_global_variable()).then_some((self, 0)),
        }
    }
    /// The byte offset a GEP adds, if all its indices are constants.
    pub fn gep_constant_offset(self, module: Module) -> Option<i64> {
        let (fields, steps) = self.gep_steps(module)?;
        let times = |(place, bytes): (u32, i64)| Some(self.operand(place).const_int()? * bytes);
        steps
            .into_iter()
            .try_fold(fields, |sum, s| Some(sum + times(s)?))
    }
    /// What a GEP adds: bytes for the fields that it names, and its other indices, as places of operands, with the bytes
    /// that each counts.
    pub fn gep_steps(self, module: Module) -> Option<(i64, Vec<(u32, i64)>)> {
        let mut ty = self.gep_source_type();
        let (mut fields, mut steps) = (0, vec![(1, module.alloc_size(ty) as i64)]);
        for (place, index) in self.operands().iter().enumerate().skip(2) {
            if ty.is_struct() {
                let field = index.const_int()? as u32;
                fields += module.field_offset(ty, field) as i64;
                ty = ty.field(field);
            } else {
                ty = ty.element();
                steps.push((place as u32, module.alloc_size(ty) as i64));
            }
        }
        Some((fields, steps))
    }
    /// What a call, or one that may throw, hands over.
    pub fn arguments(self) -> Vec<Value> {
        let count = llvm!(LLVMGetNumArgOperands(self.0));
        (0..count).map(|i| self.operand(i)).collect()
    }
    /// The callee's name of a direct call, else empty.
    pub fn callee_name(self) -> String {
        self.callee().map(Function::name).unwrap_or_default()
    }
    /// Whether a call, or the function it names, has the enum attribute `kind`.
    pub fn call_has(self, kind: &str) -> bool {
        let at_call = llvm!({
            let id = LLVMGetEnumAttributeKindForName(kind.as_ptr().cast(), kind.len());
            LLVMGetCallSiteEnumAttribute(self.0, LLVMAttributeFunctionIndex, id)
        });
        !at_call.is_null() || self.callee().is_some_and(|f| f.has(kind))
    }
    /// Whether a branch has a condition.
    pub fn is_conditional(self) -> bool {
        self.is(Op::LLVMBr) && llvm!(LLVMIsConditional(self.0)) != 0
    }
    /// What a switch tells its cases by; `None`: it is no switch.
    pub fn switched(self) -> Option<Value> {
        self.is(Op::LLVMSwitch).then(|| self.operand(0))
    }
    /// The number by which a switch goes to successor `i`, which is not its default: that one is 0.
    pub fn case(self, i: u32) -> Value {
        Value(llvm!(LLVMGetSwitchCaseValue(self.0, i)))
    }
    /// The condition of a conditional branch.
    pub fn condition(self) -> Value {
        Value(llvm!(LLVMGetCondition(self.0)))
    }
    /// A detached copy of an instruction, metadata and flags included.
    pub fn clone_instruction(self) -> Value {
        Value::new(llvm!(LLVMInstructionClone(self.0)))
    }
    /// The source line of an instruction, 0 when unknown.
    pub fn line(self) -> u32 {
        llvm!(LLVMGetDebugLocLine(self.0))
    }
    /// Replaces successor `i` of a terminator.
    pub fn set_successor(self, i: u32, to: Block) {
        llvm!(LLVMSetSuccessor(self.0, i, to.0));
    }
    /// Replaces the condition of a conditional branch.
    pub fn set_condition(self, c: Value) {
        llvm!(LLVMSetCondition(self.0, c.0));
    }
    /// What tells operations with the same opcode and operands apart: type, predicate, and what may be done to numbers.
    pub fn operation_kind(self) -> u64 {
        llvm!({
            let predicate = match self.opcode() {
                Some(Op::LLVMICmp) => LLVMGetICmpPredicate(self.0) as u64,
                Some(Op::LLVMFCmp) => LLVMGetFCmpPredicate(self.0) as u64,
                _ => 0,
            };
            let flags = match LLVMCanValueUseFastMathFlags(self.0) {
                0 => 0,
                _ => u64::from(LLVMGetFastMathFlags(self.0)),
            };
            // Types are unique in a context, and live as long as it does.
            (self.ty().raw() as u64) << 12 ^ predicate << 7 ^ flags
        })
    }
    /// Whether a call surely does nothing but compute its result.
    pub fn is_pure_call(self) -> bool {
        self.is(Op::LLVMCall) && self.call_has("speculatable")
    }
    /// Replaces every use by `v`.
    pub fn replace_uses(self, v: Value) {
        llvm!(LLVMReplaceAllUsesWith(self.0, v.0));
    }
    /// Takes an instruction out of its block without deleting it.
    pub fn unlink(self) {
        llvm!(LLVMInstructionRemoveFromParent(self.0));
    }
    /// Unlinks and deletes an instruction without uses.
    pub fn erase(self) {
        llvm!(LLVMInstructionEraseFromParent(self.0));
    }
    /// Sets the linkage-independent initial address space of a pointer type, for pointers.
    pub fn address_space(self) -> u32 {
        llvm!(LLVMGetPointerAddressSpace(LLVMTypeOf(self.0)))
    }
    /// LLVM's text for the value.
    pub fn print(self) -> String {
        take_message(llvm!(LLVMPrintValueToString(self.0)))
    }
    /// Whether LLVM says this is an `MDNode`-like or metadata operand.
    pub fn is_metadata(self) -> bool {
        llvm!(LLVMGetValueKind(self.0)) == LLVMValueKind::LLVMMetadataAsValueValueKind
    }
}
