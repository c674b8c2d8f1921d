//! A module: its functions, globals and intrinsics, and LLVM's verifier.

use super::*;

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
    /// A new global in address space 3 with poison contents: a tile's storage. `merged`: the linker makes one of all that
    /// have this name, which then must be alike.
    pub fn add_shared_global(self, name: &str, ty: Type, align: u32, merged: bool) -> Value {
        let n = cstr(name);
        let linkage = match merged {
            true => LLVMLinkage::LLVMWeakODRLinkage,
            false => LLVMLinkage::LLVMInternalLinkage,
        };
        llvm!({
            let g = LLVMAddGlobalInAddressSpace(self.0, ty.0, n.as_ptr(), 3);
            LLVMSetLinkage(g, linkage);
            LLVMSetInitializer(g, LLVMGetPoison(ty.0));
            LLVMSetUnnamedAddress(g, inkwell::llvm_sys::LLVMUnnamedAddr::LLVMGlobalUnnamedAddr);
            LLVMSetAlignment(g, align);
            Value(g)
        })
    }
    /// The dynamic shared memory of a launch, under a name of its own.
    pub fn add_dynamic_shared(self, name: &str, align: u32) -> Value {
        let n = cstr(name);
        llvm!({
            let ty = Type::int(self, 8).array(0);
            let g = LLVMAddGlobalInAddressSpace(self.0, ty.0, n.as_ptr(), 3);
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

impl Function {
    /// All instructions, block by block.
    pub fn instructions(self) -> Vec<Value> {
        let blocks = self.blocks().into_iter();
        blocks.flat_map(Block::instructions).collect()
    }
}
