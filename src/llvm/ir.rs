//! Safe, copyable handles on LLVM IR: what the stages read, and the builder `lower` writes with.
//!
//! Why not inkwell's typed values: a stage that walks arbitrary instructions wants one handle type
//! with opcode and operands, as LLVM's own `Value` is; inkwell splits values by type and has no
//! generic operand replacement. So these wrap `inkwell::llvm_sys`, and nothing else does.
//!
//! Handles are plain pointers. They are valid while the module lives and the value is not erased;
//! results of a stage never hold them past `lower` (ARCHITECTURE.md, invariants).

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{
    LLVMInstructionGetDebugLoc, LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode,
};
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{
    LLVMAttributeFunctionIndex, LLVMIntPredicate, LLVMLinkage, LLVMTypeKind, LLVMValueKind,
};
use std::ffi::{CStr, CString};

pub use inkwell::llvm_sys::{LLVMIntPredicate as Pred, LLVMOpcode as Op, LLVMTypeKind as Kind};

/// The calling convention of a kernel in NVPTX IR (`ptx_kernel`).
const PTX_KERNEL: u32 = 71;

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name($raw);
        impl $name {
            /// Wraps a non-null handle of the module being compiled.
            pub fn new(raw: $raw) -> Self {
                assert!(!raw.is_null(), concat!("null ", stringify!($name)));
                Self(raw)
            }
            /// Wraps a handle that may be null.
            pub fn optional(raw: $raw) -> Option<Self> {
                (!raw.is_null()).then_some(Self(raw))
            }
            /// The underlying pointer.
            pub fn raw(self) -> $raw {
                self.0
            }
        }
    };
}
handle!(/// A module; never disposed of here: the compiler owns it.
    Module, LLVMModuleRef);
handle!(/// A function.
    Function, LLVMValueRef);
handle!(/// A basic block.
    Block, LLVMBasicBlockRef);
handle!(/// Any value: constant, argument or instruction.
    Value, LLVMValueRef);
handle!(/// A type.
    Type, LLVMTypeRef);

/// Calls an `unsafe` LLVM accessor on handles whose validity the types above guarantee.
macro_rules! llvm {
    ($e:expr) => {
        // SAFETY: every handle comes from the live module and the accessor only reads or edits it.
        unsafe { $e }
    };
}

fn name_from(f: impl Fn(*mut usize) -> *const libc_char) -> String {
    let mut len = 0usize;
    let p = f(&mut len);
    if p.is_null() {
        return String::new();
    }
    // SAFETY: LLVM returns a pointer to `len` bytes that live as long as the value.
    let bytes = unsafe { std::slice::from_raw_parts(p.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

#[allow(non_camel_case_types)]
type libc_char = std::ffi::c_char;

fn cstr(s: &str) -> CString {
    CString::new(s).unwrap_or_default()
}

impl Module {
    /// Every function, declarations included, in module order.
    pub fn functions(self) -> Vec<Function> {
        let mut out = Vec::new();
        let mut f = llvm!(LLVMGetFirstFunction(self.0));
        while !f.is_null() {
            out.push(Function(f));
            f = llvm!(LLVMGetNextFunction(f));
        }
        out
    }
    /// Every global variable, in module order.
    pub fn globals(self) -> Vec<Value> {
        let mut out = Vec::new();
        let mut g = llvm!(LLVMGetFirstGlobal(self.0));
        while !g.is_null() {
            out.push(Value(g));
            g = llvm!(LLVMGetNextGlobal(g));
        }
        out
    }
    /// The target triple's text.
    pub fn triple(self) -> String {
        // SAFETY: the module owns the string.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.0)) }
            .to_string_lossy()
            .into_owned()
    }
    /// The module's context.
    pub fn context(self) -> LLVMContextRef {
        llvm!(LLVMGetModuleContext(self.0))
    }
    /// Size in bytes an element of `ty` takes in an array.
    pub fn alloc_size(self, ty: Type) -> u64 {
        use inkwell::llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout};
        llvm!(LLVMABISizeOfType(LLVMGetModuleDataLayout(self.0), ty.0))
    }
    /// Byte offset of field `index` in struct type `ty`.
    pub fn field_offset(self, ty: Type, index: u32) -> u64 {
        use inkwell::llvm_sys::target::{LLVMGetModuleDataLayout, LLVMOffsetOfElement};
        llvm!(LLVMOffsetOfElement(
            LLVMGetModuleDataLayout(self.0),
            ty.0,
            index
        ))
    }
    /// The declaration of a non-overloaded intrinsic, added to the module if it is missing.
    pub fn intrinsic(self, name: &str, overloads: &[Type]) -> Function {
        let id = llvm!(LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()));
        assert!(id != 0, "no intrinsic {name}");
        let mut tys: Vec<LLVMTypeRef> = overloads.iter().map(|t| t.0).collect();
        Function(llvm!(LLVMGetIntrinsicDeclaration(
            self.0,
            id,
            tys.as_mut_ptr(),
            tys.len()
        )))
    }
    /// A new internal global in address space 3 with poison contents: a tile's storage.
    pub fn add_shared_global(self, name: &str, ty: Type, align: u32) -> Value {
        let n = cstr(name);
        llvm!({
            let g = LLVMAddGlobalInAddressSpace(self.0, ty.0, n.as_ptr(), 3);
            LLVMSetLinkage(g, LLVMLinkage::LLVMInternalLinkage);
            LLVMSetInitializer(g, LLVMGetPoison(ty.0));
            LLVMSetUnnamedAddress(g, inkwell::llvm_sys::LLVMUnnamedAddr::LLVMGlobalUnnamedAddr);
            LLVMSetAlignment(g, align);
            Value(g)
        })
    }
    /// Runs LLVM's verifier over the whole module; the message names the first fault.
    pub fn verify(self) -> Result<(), String> {
        use inkwell::llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
        let mut msg = std::ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        let bad = llvm!(LLVMVerifyModule(self.0, action, &mut msg)) != 0;
        let text = take_message(msg);
        if bad { Err(text) } else { Ok(()) }
    }
}

/// Copies and frees a message that LLVM allocated.
fn take_message(msg: *mut libc_char) -> String {
    if msg.is_null() {
        return String::new();
    }
    // SAFETY: LLVM allocated a NUL-terminated message for us.
    unsafe {
        let s = CStr::from_ptr(msg).to_string_lossy().into_owned();
        LLVMDisposeMessage(msg);
        s
    }
}

impl Function {
    /// The function as a value.
    pub fn value(self) -> Value {
        Value(self.0)
    }
    /// Its (mangled) name.
    pub fn name(self) -> String {
        self.value().name()
    }
    /// The module it lives in.
    pub fn module(self) -> Module {
        Module(llvm!(LLVMGetGlobalParent(self.0)))
    }
    /// Whether it is a kernel with a body.
    pub fn is_kernel(self) -> bool {
        llvm!(LLVMGetFunctionCallConv(self.0)) == PTX_KERNEL
            && llvm!(LLVMIsDeclaration(self.0)) == 0
    }
    /// Blocks in layout order.
    pub fn blocks(self) -> Vec<Block> {
        let mut out = Vec::new();
        let mut b = llvm!(LLVMGetFirstBasicBlock(self.0));
        while !b.is_null() {
            out.push(Block(b));
            b = llvm!(LLVMGetNextBasicBlock(b));
        }
        out
    }
    /// The entry block.
    pub fn entry(self) -> Block {
        Block(llvm!(LLVMGetEntryBasicBlock(self.0)))
    }
    /// Parameters in order.
    pub fn params(self) -> Vec<Value> {
        (0..llvm!(LLVMCountParams(self.0)))
            .map(|i| Value(llvm!(LLVMGetParam(self.0, i))))
            .collect()
    }
    /// Whether parameter `index` carries the enum attribute `kind` (`noalias`, `byval`, …).
    pub fn param_has(self, index: u32, kind: &str) -> bool {
        self.attribute(index + 1, kind).is_some()
    }
    /// The type attribute `kind` of parameter `index`, as of `byval`.
    pub fn param_type_attribute(self, index: u32, kind: &str) -> Option<Type> {
        self.attribute(index + 1, kind)
            .map(|a| Type(llvm!(LLVMGetTypeAttributeValue(a))))
    }
    fn attribute(self, at: u32, kind: &str) -> Option<LLVMAttributeRef> {
        let a = llvm!({
            let id = LLVMGetEnumAttributeKindForName(kind.as_ptr().cast(), kind.len());
            LLVMGetEnumAttributeAtIndex(self.0, at, id)
        });
        (!a.is_null()).then_some(a)
    }
    /// The function's own string attribute `key` (`nvvm.maxntid`, `target-cpu`).
    pub fn string_attribute(self, key: &str) -> Option<String> {
        let a = llvm!(LLVMGetStringAttributeAtIndex(
            self.0,
            LLVMAttributeFunctionIndex,
            key.as_ptr().cast(),
            key.len() as u32
        ));
        if a.is_null() {
            return None;
        }
        let mut len = 0u32;
        let p = llvm!(LLVMGetStringAttributeValue(a, &mut len));
        // SAFETY: `len` bytes owned by the context.
        let bytes = unsafe { std::slice::from_raw_parts(p.cast::<u8>(), len as usize) };
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
    /// Whether the function itself carries the enum attribute `kind`.
    pub fn has(self, kind: &str) -> bool {
        self.attribute(LLVMAttributeFunctionIndex, kind).is_some()
    }
    /// Drops the function's enum attribute `kind` if it is there.
    pub fn drop_attribute(self, kind: &str) {
        llvm!({
            let id = LLVMGetEnumAttributeKindForName(kind.as_ptr().cast(), kind.len());
            LLVMRemoveEnumAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, id);
        });
    }
    /// Drops the enum attribute `kind` of parameter `index` if it is there.
    pub fn drop_param_attribute(self, index: u32, kind: &str) {
        llvm!({
            let id = LLVMGetEnumAttributeKindForName(kind.as_ptr().cast(), kind.len());
            LLVMRemoveEnumAttributeAtIndex(self.0, index + 1, id);
        });
    }
    /// Adds the function's flag attribute `kind`.
    pub fn add_attribute(self, kind: &str) {
        llvm!({
            let id = LLVMGetEnumAttributeKindForName(kind.as_ptr().cast(), kind.len());
            let a = LLVMCreateEnumAttribute(self.module().context(), id, 0);
            LLVMAddAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, a);
        });
    }
    /// Adds a string attribute.
    pub fn add_string_attribute(self, key: &str, value: &str) {
        llvm!({
            let a = LLVMCreateStringAttribute(
                self.module().context(),
                key.as_ptr().cast(),
                key.len() as u32,
                value.as_ptr().cast(),
                value.len() as u32,
            );
            LLVMAddAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, a);
        });
    }
    /// Appends an empty block.
    pub fn append_block(self, name: &str) -> Block {
        let n = cstr(name);
        Block(llvm!(LLVMAppendBasicBlockInContext(
            self.module().context(),
            self.0,
            n.as_ptr()
        )))
    }
    /// The function type.
    pub fn function_type(self) -> Type {
        Type(llvm!(LLVMGlobalGetValueType(self.0)))
    }
    /// Runs function passes of LLVM's own (textual pipeline) over this function.
    pub fn run_passes(self, pipeline: &str) -> Result<(), String> {
        use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
        use inkwell::llvm_sys::transforms::pass_builder::*;
        let p = cstr(pipeline);
        // SAFETY: the options live across the call; the error message is copied, then freed.
        unsafe {
            let opts = LLVMCreatePassBuilderOptions();
            let err = LLVMRunPassesOnFunction(self.0, p.as_ptr(), std::ptr::null_mut(), opts);
            LLVMDisposePassBuilderOptions(opts);
            if err.is_null() {
                return Ok(());
            }
            let m = LLVMGetErrorMessage(err);
            let s = CStr::from_ptr(m).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(m);
            Err(s)
        }
    }
}

impl Block {
    /// Instructions in order, phis first.
    pub fn instructions(self) -> Vec<Value> {
        let mut out = Vec::new();
        let mut i = llvm!(LLVMGetFirstInstruction(self.0));
        while !i.is_null() {
            out.push(Value(i));
            i = llvm!(LLVMGetNextInstruction(i));
        }
        out
    }
    /// The leading phis.
    pub fn phis(self) -> Vec<Value> {
        self.instructions()
            .into_iter()
            .take_while(|i| i.is(Op::LLVMPHI))
            .collect()
    }
    /// The terminator.
    pub fn terminator(self) -> Value {
        Value::new(llvm!(LLVMGetBasicBlockTerminator(self.0)))
    }
    /// The terminator, when the block already has one.
    pub fn optional_terminator(self) -> Option<Value> {
        Value::optional(llvm!(LLVMGetBasicBlockTerminator(self.0)))
    }
    /// Successors in terminator order, repeats kept.
    pub fn successors(self) -> Vec<Block> {
        let t = self.terminator();
        (0..llvm!(LLVMGetNumSuccessors(t.0)))
            .map(|i| Block(llvm!(LLVMGetSuccessor(t.0, i))))
            .collect()
    }
    /// The enclosing function.
    pub fn function(self) -> Function {
        Function(llvm!(LLVMGetBasicBlockParent(self.0)))
    }
    /// Its name; empty where clang discards names.
    pub fn name(self) -> String {
        // SAFETY: the block owns the string.
        unsafe { CStr::from_ptr(LLVMGetBasicBlockName(self.0)) }
            .to_string_lossy()
            .into_owned()
    }
    /// Unlinks and deletes a block that nothing branches to.
    pub fn delete(self) {
        llvm!(LLVMDeleteBasicBlock(self.0));
    }
    /// Moves this block to just before `other` in layout order.
    pub fn move_before(self, other: Block) {
        llvm!(LLVMMoveBasicBlockBefore(self.0, other.0));
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
        let is_inst = !llvm!(LLVMIsAInstruction(self.0)).is_null();
        let is_expr = !llvm!(LLVMIsAConstantExpr(self.0)).is_null();
        if is_inst {
            Some(llvm!(LLVMGetInstructionOpcode(self.0)))
        } else if is_expr {
            Some(llvm!(LLVMGetConstOpcode(self.0)))
        } else {
            None
        }
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
    /// Operands in order; empty for values without operands.
    pub fn operands(self) -> Vec<Value> {
        let n = llvm!(LLVMGetNumOperands(self.0));
        (0..n.max(0) as u32).map(|i| self.operand(i)).collect()
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
    /// Index of an argument among the parameters.
    pub fn argument_index(self) -> Option<u32> {
        if !self.is_argument() {
            return None;
        }
        let f = Function(llvm!(LLVMGetParamParent(self.0)));
        f.params().iter().position(|p| *p == self).map(|i| i as u32)
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
    /// Whether a load or store is volatile, or atomic.
    pub fn is_volatile_or_atomic(self) -> bool {
        use inkwell::llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic as NotAtomic;
        matches!(self.opcode(), Some(Op::LLVMLoad | Op::LLVMStore))
            && llvm!(LLVMGetVolatile(self.0) != 0 || LLVMGetOrdering(self.0) != NotAtomic)
    }
    /// Alignment in bytes of a load, store, alloca or global.
    pub fn alignment(self) -> u32 {
        llvm!(LLVMGetAlignment(self.0))
    }
    /// Sets the alignment of a load, store, alloca or global.
    pub fn set_alignment(self, bytes: u32) {
        llvm!(LLVMSetAlignment(self.0, bytes));
    }
    /// The source element type of a GEP.
    pub fn gep_source_type(self) -> Type {
        Type(llvm!(LLVMGetGEPSourceElementType(self.0)))
    }
    /// The function a call names, if it is a direct call.
    pub fn callee(self) -> Option<Function> {
        if !self.is(Op::LLVMCall) {
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
        let mut ty = self.gep_source_type();
        let mut sum = 0i64;
        for (n, index) in self.operands()[1..].iter().enumerate() {
            let i = index.const_int()?;
            if n == 0 {
                sum += i * module.alloc_size(ty) as i64;
            } else if ty.is_struct() {
                sum += module.field_offset(ty, i as u32) as i64;
                ty = ty.field(i as u32);
            } else {
                ty = ty.element();
                sum += i * module.alloc_size(ty) as i64;
            }
        }
        Some(sum)
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
    /// Whether the instruction carries metadata of this kind (`llvm.loop`, `invariant.load`).
    pub fn metadata(self, module: Module, kind: &str) -> Option<LLVMValueRef> {
        let m = llvm!({
            let id =
                LLVMGetMDKindIDInContext(module.context(), kind.as_ptr().cast(), kind.len() as u32);
            LLVMGetMetadata(self.0, id)
        });
        (!m.is_null()).then_some(m)
    }
    /// Drops metadata of this kind.
    pub fn drop_metadata(self, module: Module, kind: &str) {
        llvm!({
            let id =
                LLVMGetMDKindIDInContext(module.context(), kind.as_ptr().cast(), kind.len() as u32);
            LLVMSetMetadata(self.0, id, std::ptr::null_mut());
        });
    }
    /// Tags an instruction with an empty node of this kind, which later passes of ours look for.
    pub fn set_mark(self, module: Module, kind: &str) {
        let ctx = module.context();
        llvm!({
            let id = LLVMGetMDKindIDInContext(ctx, kind.as_ptr().cast(), kind.len() as u32);
            let node = LLVMMDNodeInContext2(ctx, std::ptr::null_mut(), 0);
            LLVMSetMetadata(self.0, id, LLVMMetadataAsValue(ctx, node));
        });
    }
    /// Tags an instruction with a number under this kind.
    pub fn set_number(self, module: Module, kind: &str, number: u32) {
        let ctx = module.context();
        let number = Type::int(module, 32).constant(i64::from(number));
        llvm!({
            let id = LLVMGetMDKindIDInContext(ctx, kind.as_ptr().cast(), kind.len() as u32);
            let mut operand = [LLVMValueAsMetadata(number.0)];
            let node = LLVMMDNodeInContext2(ctx, operand.as_mut_ptr(), 1);
            LLVMSetMetadata(self.0, id, LLVMMetadataAsValue(ctx, node));
        });
    }
    /// The number that [`Value::set_number`] left.
    pub fn number(self, module: Module, kind: &str) -> Option<u32> {
        let node = self.metadata(module, kind)?;
        if llvm!(LLVMGetMDNodeNumOperands(node)) != 1 {
            return None;
        }
        let mut operand = [std::ptr::null_mut()];
        llvm!(LLVMGetMDNodeOperands(node, operand.as_mut_ptr()));
        let number = Value::optional(operand[0])?.const_int()?;
        u32::try_from(number).ok()
    }
    /// Gives the instruction the metadata of this kind that `other` carries, if it does.
    pub fn copy_metadata(self, module: Module, kind: &str, other: Value) {
        let Some(m) = other.metadata(module, kind) else {
            return;
        };
        llvm!({
            let id =
                LLVMGetMDKindIDInContext(module.context(), kind.as_ptr().cast(), kind.len() as u32);
            LLVMSetMetadata(self.0, id, m);
        });
    }
    /// Replaces successor `i` of a terminator.
    pub fn set_successor(self, i: u32, to: Block) {
        llvm!(LLVMSetSuccessor(self.0, i, to.0));
    }
    /// Replaces the condition of a conditional branch.
    pub fn set_condition(self, c: Value) {
        llvm!(LLVMSetCondition(self.0, c.0));
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

impl Type {
    /// Its kind.
    pub fn kind(self) -> Kind {
        llvm!(LLVMGetTypeKind(self.0))
    }
    /// Bits of an integer type.
    pub fn int_width(self) -> Option<u32> {
        (self.kind() == LLVMTypeKind::LLVMIntegerTypeKind)
            .then(|| llvm!(LLVMGetIntTypeWidth(self.0)))
    }
    /// Whether it is a pointer.
    pub fn is_pointer(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMPointerTypeKind
    }
    /// Whether it is a struct.
    pub fn is_struct(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMStructTypeKind
    }
    /// The element type of an array or vector.
    pub fn element(self) -> Type {
        Type(llvm!(LLVMGetElementType(self.0)))
    }
    /// Type of struct field `i`.
    pub fn field(self, i: u32) -> Type {
        Type(llvm!(LLVMStructGetTypeAtIndex(self.0, i)))
    }
    /// The integer type of `bits`.
    pub fn int(module: Module, bits: u32) -> Type {
        Type(llvm!(LLVMIntTypeInContext(module.context(), bits)))
    }
    /// The generic pointer type of an address space.
    pub fn pointer(module: Module, space: u32) -> Type {
        Type(llvm!(LLVMPointerTypeInContext(module.context(), space)))
    }
    /// `<count x self>`.
    pub fn vector(self, count: u32) -> Type {
        Type(llvm!(LLVMVectorType(self.0, count)))
    }
    /// Whether values of it exist (it is not `void`).
    pub fn has_values(self) -> bool {
        self.kind() != LLVMTypeKind::LLVMVoidTypeKind
    }
    /// `[count x self]`.
    pub fn array(self, count: u64) -> Type {
        Type(llvm!(LLVMArrayType2(self.0, count)))
    }
    /// A constant integer of this type.
    pub fn constant(self, v: i64) -> Value {
        Value(llvm!(LLVMConstInt(self.0, v as u64, 1)))
    }
    /// Undef of this type.
    pub fn undef(self) -> Value {
        Value(llvm!(LLVMGetUndef(self.0)))
    }
    /// Poison of this type.
    pub fn poison(self) -> Value {
        Value(llvm!(LLVMGetPoison(self.0)))
    }
}

/// Writes instructions at the end of one block. Names are kept only where the context keeps them.
pub struct Builder {
    raw: LLVMBuilderRef,
    module: Module,
}

impl Drop for Builder {
    fn drop(&mut self) {
        llvm!(LLVMDisposeBuilder(self.raw));
    }
}

const NO_NAME: *const libc_char = c"".as_ptr();

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $f:ident;)*) => { $(
        $(#[$doc])*
        pub fn $name(&self, a: Value, b: Value) -> Value {
            Value(llvm!($f(self.raw, a.0, b.0, NO_NAME)))
        }
    )* };
}

impl Builder {
    /// A builder for `module`, placed nowhere yet.
    pub fn new(module: Module) -> Builder {
        Builder {
            raw: llvm!(LLVMCreateBuilderInContext(module.context())),
            module,
        }
    }
    /// The module being written.
    pub fn module(&self) -> Module {
        self.module
    }
    /// Goes to the end of `b`.
    pub fn at_end(&self, b: Block) {
        llvm!(LLVMPositionBuilderAtEnd(self.raw, b.0));
    }
    /// Goes to just before `i`.
    pub fn before(&self, i: Value) {
        llvm!(LLVMPositionBuilderBefore(self.raw, i.0));
    }
    /// The block being written.
    pub fn block(&self) -> Block {
        Block::new(llvm!(LLVMGetInsertBlock(self.raw)))
    }
    /// Later instructions carry the source location of `i` (none if it has none).
    pub fn locate_as(&self, i: Value) {
        llvm!({
            let loc = if i.is_instruction() {
                LLVMInstructionGetDebugLoc(i.0)
            } else {
                std::ptr::null_mut()
            };
            LLVMSetCurrentDebugLocation2(self.raw, loc);
        });
    }
    /// Appends a detached instruction, keeping its own source location.
    pub fn insert(&self, i: Value) {
        llvm!({
            let here = LLVMGetCurrentDebugLocation2(self.raw);
            LLVMSetCurrentDebugLocation2(self.raw, LLVMInstructionGetDebugLoc(i.0));
            LLVMInsertIntoBuilder(self.raw, i.0);
            LLVMSetCurrentDebugLocation2(self.raw, here);
        });
    }
    binary! {
        /// Wrapping addition.
        add = LLVMBuildAdd;
        /// Wrapping subtraction.
        sub = LLVMBuildSub;
        /// Wrapping multiplication.
        mul = LLVMBuildMul;
        /// Addition that the caller proved not to wrap (signed).
        add_nsw = LLVMBuildNSWAdd;
        /// Multiplication that the caller proved not to wrap (signed).
        mul_nsw = LLVMBuildNSWMul;
        /// Unsigned division; the divisor is not zero.
        udiv = LLVMBuildUDiv;
        /// Signed division; the divisor is not zero.
        sdiv = LLVMBuildSDiv;
        /// Unsigned remainder; the divisor is not zero.
        urem = LLVMBuildURem;
        /// Bitwise and.
        and = LLVMBuildAnd;
        /// Bitwise or.
        or = LLVMBuildOr;
        /// Bitwise exclusive or.
        xor = LLVMBuildXor;
        /// Left shift.
        shl = LLVMBuildShl;
    }
    /// Integer comparison.
    pub fn icmp(&self, p: LLVMIntPredicate, a: Value, b: Value) -> Value {
        Value(llvm!(LLVMBuildICmp(self.raw, p, a.0, b.0, NO_NAME)))
    }
    /// `c ? a : b`.
    pub fn select(&self, c: Value, a: Value, b: Value) -> Value {
        Value(llvm!(LLVMBuildSelect(self.raw, c.0, a.0, b.0, NO_NAME)))
    }
    /// Sign extension; `v` itself if it already has the type.
    pub fn sext(&self, v: Value, to: Type) -> Value {
        if v.ty() == to {
            v
        } else {
            Value(llvm!(LLVMBuildSExt(self.raw, v.0, to.0, NO_NAME)))
        }
    }
    /// Zero extension; `v` itself if it already has the type.
    pub fn zext(&self, v: Value, to: Type) -> Value {
        if v.ty() == to {
            v
        } else {
            Value(llvm!(LLVMBuildZExt(self.raw, v.0, to.0, NO_NAME)))
        }
    }
    /// Zero extension of a value that is not negative; constants fold.
    pub fn zext_nneg(&self, v: Value, to: Type) -> Value {
        let z = self.zext(v, to);
        if z.is_instruction() && z.is(Op::LLVMZExt) {
            llvm!(LLVMSetNNeg(z.0, 1));
        }
        z
    }
    /// Truncation; `v` itself if it already has the type.
    pub fn trunc(&self, v: Value, to: Type) -> Value {
        if v.ty() == to {
            v
        } else {
            Value(llvm!(LLVMBuildTrunc(self.raw, v.0, to.0, NO_NAME)))
        }
    }
    /// Address of byte `offset` past `p`; no `inbounds` claim.
    pub fn byte_offset(&self, p: Value, offset: Value) -> Value {
        let i8t = Type::int(self.module, 8);
        let mut idx = [offset.0];
        Value(llvm!(LLVMBuildGEP2(
            self.raw,
            i8t.0,
            p.0,
            idx.as_mut_ptr(),
            1,
            NO_NAME
        )))
    }
    /// Address of element `index` past `p` in units of `ty`; no `inbounds` claim.
    pub fn element(&self, ty: Type, p: Value, index: Value) -> Value {
        let mut idx = [index.0];
        Value(llvm!(LLVMBuildGEP2(
            self.raw,
            ty.0,
            p.0,
            idx.as_mut_ptr(),
            1,
            NO_NAME
        )))
    }
    /// `inbounds` address of element `index` past `p`: for tiles, whose extents the entry tested.
    pub fn element_inbounds(&self, ty: Type, p: Value, index: Value) -> Value {
        let mut idx = [index.0];
        Value(llvm!(LLVMBuildInBoundsGEP2(
            self.raw,
            ty.0,
            p.0,
            idx.as_mut_ptr(),
            1,
            NO_NAME
        )))
    }
    /// A load.
    pub fn load(&self, ty: Type, p: Value, align: u32) -> Value {
        llvm!({
            let v = LLVMBuildLoad2(self.raw, ty.0, p.0, NO_NAME);
            LLVMSetAlignment(v, align);
            Value(v)
        })
    }
    /// A store.
    pub fn store(&self, v: Value, p: Value, align: u32) -> Value {
        llvm!({
            let s = LLVMBuildStore(self.raw, v.0, p.0);
            LLVMSetAlignment(s, align);
            Value(s)
        })
    }
    /// A stack slot in the current block, natural alignment.
    pub fn alloca(&self, ty: Type) -> Value {
        Value(llvm!(LLVMBuildAlloca(self.raw, ty.0, NO_NAME)))
    }
    /// A plain load of a slot made by [`Builder::alloca`].
    pub fn load_slot(&self, ty: Type, slot: Value) -> Value {
        Value(llvm!(LLVMBuildLoad2(self.raw, ty.0, slot.0, NO_NAME)))
    }
    /// A plain store to a slot made by [`Builder::alloca`].
    pub fn store_slot(&self, v: Value, slot: Value) {
        llvm!(LLVMBuildStore(self.raw, v.0, slot.0));
    }
    /// Pointer to another address space; `p` itself if it is there already.
    pub fn addrspacecast(&self, p: Value, to: Type) -> Value {
        if p.ty() == to {
            p
        } else {
            Value(llvm!(LLVMBuildAddrSpaceCast(self.raw, p.0, to.0, NO_NAME)))
        }
    }
    /// The sum, difference or product `like` of other operands, never to be fused with a neighbour.
    ///
    /// Dropping `contract` is not enough: clang tells the NVPTX back end to fuse whatever meets in
    /// a block, flags or not. Its rounding intrinsics are the operations it leaves alone, here and
    /// in ptxas. Other types than float and double have none and are cloned as they are.
    pub fn unfused(&self, like: Value, a: Value, b: Value) -> Value {
        let flushes = Function(llvm!(LLVMGetBasicBlockParent(LLVMGetInsertBlock(self.raw))))
            .string_attribute("denormal-fp-math-f32")
            .is_some_and(|m| m.starts_with("preserve-sign"));
        let suffix = match like.ty().kind() {
            LLVMTypeKind::LLVMFloatTypeKind if flushes => "ftz.f",
            LLVMTypeKind::LLVMFloatTypeKind => "f",
            LLVMTypeKind::LLVMDoubleTypeKind => "d",
            _ => return self.binary_like(like, a, b),
        };
        let (name, b) = match like.opcode() {
            Some(Op::LLVMFMul) => ("mul", b),
            Some(Op::LLVMFSub) => ("add", Value(llvm!(LLVMBuildFNeg(self.raw, b.0, NO_NAME)))),
            Some(Op::LLVMFAdd) => ("add", b),
            _ => return self.binary_like(like, a, b),
        };
        let f = self
            .module
            .intrinsic(&format!("llvm.nvvm.{name}.rn.{suffix}"), &[]);
        self.call(f, &[a, b])
    }
    /// The binary operation of `like` on other operands, with its fast-math flags.
    fn binary_like(&self, like: Value, a: Value, b: Value) -> Value {
        llvm!({
            let op = LLVMGetInstructionOpcode(like.0);
            let v = LLVMBuildBinOp(self.raw, op, a.0, b.0, NO_NAME);
            if !LLVMIsAInstruction(v).is_null() {
                LLVMSetFastMathFlags(v, LLVMGetFastMathFlags(like.0));
            }
            Value(v)
        })
    }
    /// `v`, an `i1`, as a value that LLVM knows nothing about.
    ///
    /// What the entry tests would otherwise fold guards of the staged body, merging blocks that
    /// the original keeps apart, and the back end fuses what meets in a block.
    pub fn opaque_condition(&self, v: Value) -> Value {
        let i32t = Type::int(self.module, 32);
        let (text, constraints) = ("mov.b32 $0, $1;", "=r,r");
        llvm!({
            let mut params = [i32t.0];
            let ty = LLVMFunctionType(i32t.0, params.as_mut_ptr(), 1, 0);
            let asm = LLVMGetInlineAsm(
                ty,
                text.as_ptr().cast(),
                text.len(),
                constraints.as_ptr().cast(),
                constraints.len(),
                0,
                0,
                inkwell::llvm_sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
                0,
            );
            let mut args = [self.zext(v, i32t).0];
            let r = Value(LLVMBuildCall2(
                self.raw,
                ty,
                asm,
                args.as_mut_ptr(),
                1,
                NO_NAME,
            ));
            self.icmp(LLVMIntPredicate::LLVMIntNE, r, i32t.constant(0))
        })
    }
    /// The same bits as another type; `v` itself if it already has the type.
    pub fn bitcast(&self, v: Value, to: Type) -> Value {
        if v.ty() == to {
            v
        } else {
            Value(llvm!(LLVMBuildBitCast(self.raw, v.0, to.0, NO_NAME)))
        }
    }
    /// Later instructions carry no source location.
    pub fn locate_nowhere(&self) {
        llvm!(LLVMSetCurrentDebugLocation2(self.raw, std::ptr::null_mut()));
    }
    /// The address as an integer.
    pub fn ptrtoint(&self, p: Value, to: Type) -> Value {
        Value(llvm!(LLVMBuildPtrToInt(self.raw, p.0, to.0, NO_NAME)))
    }
    /// A direct call.
    pub fn call(&self, f: Function, args: &[Value]) -> Value {
        let mut a: Vec<LLVMValueRef> = args.iter().map(|v| v.0).collect();
        let ty = f.function_type();
        Value(llvm!(LLVMBuildCall2(
            self.raw,
            ty.0,
            f.0,
            a.as_mut_ptr(),
            a.len() as u32,
            NO_NAME
        )))
    }
    /// An unconditional branch.
    pub fn br(&self, to: Block) -> Value {
        Value(llvm!(LLVMBuildBr(self.raw, to.0)))
    }
    /// A conditional branch.
    pub fn cond_br(&self, c: Value, yes: Block, no: Block) -> Value {
        Value(llvm!(LLVMBuildCondBr(self.raw, c.0, yes.0, no.0)))
    }
    /// `ret void`.
    pub fn ret_void(&self) -> Value {
        Value(llvm!(LLVMBuildRetVoid(self.raw)))
    }
    /// An empty phi.
    pub fn phi(&self, ty: Type) -> Value {
        Value(llvm!(LLVMBuildPhi(self.raw, ty.0, NO_NAME)))
    }
    /// Adds an incoming edge to a phi.
    pub fn add_incoming(&self, phi: Value, v: Value, from: Block) {
        let (mut vs, mut bs) = ([v.0], [from.0]);
        llvm!(LLVMAddIncoming(phi.0, vs.as_mut_ptr(), bs.as_mut_ptr(), 1));
    }
    /// Tags a loop's back-edge branch with loop properties such as `llvm.loop.unroll.full`, or
    /// `llvm.loop.unroll.count=8`.
    /// The node is distinct through its self reference, as LLVM requires of loop ids.
    pub fn loop_properties(&self, branch: Value, names: &[&str]) {
        let ctx = self.module.context();
        llvm!({
            let temp = LLVMTemporaryMDNode(ctx, std::ptr::null_mut(), 0);
            let mut ops = vec![temp];
            for n in names {
                let (key, value) = n.split_once('=').unwrap_or((n, ""));
                let mut s = vec![LLVMMDStringInContext2(ctx, key.as_ptr().cast(), key.len())];
                if let Ok(v) = value.parse::<u64>() {
                    let v = LLVMConstInt(LLVMInt32TypeInContext(ctx), v, 0);
                    s.push(LLVMValueAsMetadata(v));
                }
                ops.push(LLVMMDNodeInContext2(ctx, s.as_mut_ptr(), s.len()));
            }
            let node = LLVMMDNodeInContext2(ctx, ops.as_mut_ptr(), ops.len());
            LLVMMetadataReplaceAllUsesWith(temp, node);
            let id = LLVMGetMDKindIDInContext(ctx, c"llvm.loop".as_ptr(), 9);
            LLVMSetMetadata(branch.0, id, LLVMMetadataAsValue(ctx, node));
        });
    }
}
