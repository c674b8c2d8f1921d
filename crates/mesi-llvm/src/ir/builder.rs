//! The builder that `lower` writes with.

use super::*;

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
        /// Right shift, zeros coming in.
        lshr = LLVMBuildLShr;
        /// Right shift, the sign coming in.
        ashr = LLVMBuildAShr;
    }
    /// `a / b` of unsigned integers, `a < 2^21` and `b > 0`, for the price of a few instructions.
    ///
    /// `(a + 1/2) * (1/b)`, rounded down: the product lies at least `1/(2b)` from the next whole
    /// number, and two roundings and a reciprocal of one ulp move it by less than `a * 2^-22 / b`.
    pub fn short_quotient(&self, a: Value, b: Value) -> Value {
        let reciprocal = self.module.intrinsic("llvm.nvvm.rcp.approx.ftz.f", &[]);
        let float = Type::float(self.module);
        let real = |v: Value| Value(llvm!(LLVMBuildUIToFP(self.raw, v.0, float.0, NO_NAME)));
        let half = llvm!(LLVMConstReal(float.0, 0.5));
        let above = llvm!(LLVMBuildFAdd(self.raw, real(a).0, half, NO_NAME));
        let by = self.call(reciprocal, &[real(b)]);
        let q = llvm!(LLVMBuildFMul(self.raw, above, by.0, NO_NAME));
        Value(llvm!(LLVMBuildFPToUI(self.raw, q, a.ty().0, NO_NAME)))
    }
    /// Integer comparison.
    pub fn icmp(&self, p: LLVMIntPredicate, a: Value, b: Value) -> Value {
        Value(llvm!(LLVMBuildICmp(self.raw, p, a.0, b.0, NO_NAME)))
    }
    /// The other of the two values of an `i1`.
    pub fn not(&self, v: Value) -> Value {
        self.icmp(LLVMIntPredicate::LLVMIntEQ, v, v.ty().constant(0))
    }
    /// `v`, or something of its type where `v` means nothing.
    pub fn freeze(&self, v: Value) -> Value {
        Value(llvm!(LLVMBuildFreeze(self.raw, v.0, NO_NAME)))
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
    /// A vector with element `k` replaced.
    pub fn insert_element(&self, vector: Value, v: Value, k: u32) -> Value {
        let k = Type::int(self.module, 32).constant(i64::from(k));
        Value(llvm!(LLVMBuildInsertElement(
            self.raw, vector.0, v.0, k.0, NO_NAME
        )))
    }
    /// Element `k` of a vector.
    pub fn extract(&self, v: Value, k: u32) -> Value {
        let k = Type::int(self.module, 32).constant(i64::from(k));
        Value(llvm!(LLVMBuildExtractElement(self.raw, v.0, k.0, NO_NAME)))
    }
    /// Field `k` of an array or struct.
    pub fn field(&self, v: Value, k: u32) -> Value {
        Value(llvm!(LLVMBuildExtractValue(self.raw, v.0, k, NO_NAME)))
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
    /// in ptxas. Vectors are taken apart. Other types than float and double have none: kernels of those that add up products
    /// are left alone (`Missed::PackedMath`).
    pub fn unfused(&self, like: Value, a: Value, b: Value) -> Value {
        let Some(elements) = like.ty().vector_len() else {
            return self.unfused_scalar(like, a, b);
        };
        let mut all = Value(llvm!(LLVMGetPoison(like.ty().0)));
        for k in 0..elements {
            let one = self.unfused_scalar(like, self.extract(a, k), self.extract(b, k));
            all = self.insert_element(all, one, k);
        }
        all
    }
    /// The same of one element of `like`.
    fn unfused_scalar(&self, like: Value, a: Value, b: Value) -> Value {
        let Some(suffix) = self.rounding_suffix(like.ty().scalar()) else {
            return self.binary_like(like, a, b);
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
    /// A real number with the other sign.
    pub fn fneg(&self, v: Value) -> Value {
        Value(llvm!(LLVMBuildFNeg(self.raw, v.0, NO_NAME)))
    }
    /// `x * y + rest` as the back end makes it of a product and a sum: rounded once on every GPU. `None`: not for this type.
    ///
    /// Not `llvm.fma`, which a program may have said: the tests' oracle also compares without fusing, and `fmuladd` leaves that open.
    pub fn fused(&self, x: Value, y: Value, rest: Value) -> Option<Value> {
        self.rounding_suffix(x.ty())?;
        let f = self.module.intrinsic("llvm.fmuladd", &[x.ty()]);
        Some(self.call(f, &[x, y, rest]))
    }
    /// How the names of rounding intrinsics for `ty` end here; `None`: it has none.
    fn rounding_suffix(&self, ty: Type) -> Option<&'static str> {
        let flushes = || {
            Function(llvm!(LLVMGetBasicBlockParent(LLVMGetInsertBlock(self.raw))))
                .string_attribute("denormal-fp-math-f32")
                .is_some_and(|m| m.starts_with("preserve-sign"))
        };
        match ty.kind() {
            LLVMTypeKind::LLVMFloatTypeKind if flushes() => Some("ftz.f"),
            LLVMTypeKind::LLVMFloatTypeKind => Some("f"),
            LLVMTypeKind::LLVMDoubleTypeKind => Some("d"),
            _ => None,
        }
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
    /// the original keeps apart, and the back end fuses what meets in a block. The numbers of `before`,
    /// each an `i32`, are there when the condition is.
    pub fn opaque_condition(&self, v: Value, before: &[Value]) -> Value {
        let i32t = Type::int(self.module, 32);
        let r = self.opaque_after(self.zext(v, i32t), before);
        self.icmp(LLVMIntPredicate::LLVMIntNE, r, i32t.constant(0))
    }
    /// `v`, an `i32`, as a value that LLVM knows nothing about.
    pub fn opaque_number(&self, v: Value) -> Value {
        self.opaque_after(v, &[])
    }
    /// `v`, an `i32`, `i64` or pointer, as a value that LLVM knows nothing about, and that is another one whenever
    /// `step`, an `i32`, is: in a loop that changes `step`, nothing made of it can be worked out before the loop.
    pub fn opaque_per_iteration(&self, v: Value, step: Value) -> Value {
        self.opaque_after(v, &[step])
    }
    /// `id`, a thread's number, read once more from `register`, where and as often as `step` says: neither
    /// keeps it in a register until then.
    pub fn read_again(&self, id: Value, register: &str, step: Value) -> Value {
        self.assembly(&format!("mov.u32 $0, {register};"), "r", id, &[step], false)
    }
    /// `v`, of 32 or 64 bits, made here: it is not moved to where it is used.
    pub fn made_here(&self, v: Value) -> Value {
        let bits = self.module.alloc_size(v.ty()) as u32 * 8;
        let (text, kind) = match bits {
            32 => ("mov.b32 $0, $1;", "r"),
            _ => ("mov.b64 $0, $1;", "l"),
        };
        let word = self.bitcast(v, Type::int(self.module, bits));
        self.bitcast(self.assembly(text, kind, word, &[], true), v.ty())
    }
    /// The same, made when the numbers of `before` are.
    fn opaque_after(&self, v: Value, before: &[Value]) -> Value {
        match v.ty().int_width() {
            Some(32) => self.assembly("mov.b32 $0, $1;", "r", v, before, false),
            _ => self.assembly("mov.b64 $0, $1;", "l", v, before, false),
        }
    }
    /// What `text` makes of `v`, of `kind`, when the numbers of `before` are there; `stays`: where it stands.
    fn assembly(&self, text: &str, kind: &str, v: Value, before: &[Value], stays: bool) -> Value {
        let i32t = Type::int(self.module, 32);
        let constraints = format!("={kind},{kind}{}", ",r".repeat(before.len()));
        let mut args: Vec<_> = std::iter::once(v.0)
            .chain(before.iter().map(|b| b.0))
            .collect();
        llvm!({
            let mut params = vec![i32t.0; args.len()];
            params[0] = v.ty().0;
            let ty = LLVMFunctionType(v.ty().0, params.as_mut_ptr(), params.len() as u32, 0);
            let asm = LLVMGetInlineAsm(
                ty,
                text.as_ptr().cast(),
                text.len(),
                constraints.as_ptr().cast(),
                constraints.len(),
                i32::from(stays),
                0,
                inkwell::llvm_sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
                0,
            );
            Value(LLVMBuildCall2(
                self.raw,
                ty,
                asm,
                args.as_mut_ptr(),
                args.len() as u32,
                NO_NAME,
            ))
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
    /// A call of LLVM's intrinsic of this name, with these types where it is overloaded.
    pub fn intrinsic(&self, name: &str, types: &[Type], args: &[Value]) -> Value {
        self.call(self.module().intrinsic(name, types), args)
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
    /// `ret v`.
    pub fn ret(&self, v: Value) -> Value {
        Value(llvm!(LLVMBuildRet(self.raw, v.0)))
    }
    /// An empty phi.
    pub fn phi(&self, ty: Type) -> Value {
        Value(llvm!(LLVMBuildPhi(self.raw, ty.0, NO_NAME)))
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
