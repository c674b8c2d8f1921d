//! Metadata of instructions: what LLVM knows by it, and marks and numbers of our own. Marks of calls.

use super::*;

impl Value {
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
    /// Tags a call with an attribute of its own, which later passes of ours look for. Unlike a kind of metadata, it is
    /// nothing that the context knows from then on, and that bitcode of any other code would list.
    pub fn set_call_mark(self, module: Module, key: &str) {
        llvm!({
            let (ctx, len) = (module.context(), key.len() as u32);
            let a = LLVMCreateStringAttribute(ctx, key.as_ptr().cast(), len, std::ptr::null(), 0);
            LLVMAddCallSiteAttribute(self.0, LLVMAttributeFunctionIndex, a);
        });
    }
    /// Whether a call was tagged so by [`Value::set_call_mark`].
    pub fn has_call_mark(self, key: &str) -> bool {
        self.is(Op::LLVMCall)
            && !llvm!(LLVMGetCallSiteStringAttribute(
                self.0,
                LLVMAttributeFunctionIndex,
                key.as_ptr().cast(),
                key.len() as u32
            ))
            .is_null()
    }
    /// Promises that the pointer that this load gives is a multiple of so many bytes.
    pub fn promise_alignment(self, module: Module, bytes: u32) {
        self.set_constant(
            module,
            "align",
            Type::int(module, 64).constant(bytes.into()),
        );
    }
    /// Tags an instruction with a number under this kind.
    pub fn set_number(self, module: Module, kind: &str, number: u32) {
        let number = Type::int(module, 32).constant(i64::from(number));
        self.set_constant(module, kind, number);
    }
    fn set_constant(self, module: Module, kind: &str, number: Value) {
        let ctx = module.context();
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
}
