//! Code that goes from one module to another: copies, bitcode, bytes kept in globals, and linking.

use super::*;
use crate::sys;

/// The address space of a device's global memory.
const GLOBAL_MEMORY: u32 = 1;

impl Function {
    /// A copy of the whole function in its module, under another name, with the same linkage and attributes, and with the second of each
    /// pair of functions or globals wherever the original names the first.
    pub fn duplicate(self, name: &str, pairs: &[(Value, Value)]) -> Function {
        let (from, to): (Vec<_>, Vec<_>) = pairs.iter().map(|(f, t)| (f.0, t.0)).unzip();
        // SAFETY: a function with a body goes in, one comes out; the name is copied, the lists are as long as is said.
        Function(unsafe {
            sys::mesi_duplicate(
                self.0,
                name.as_ptr().cast(),
                name.len(),
                from.as_ptr(),
                to.as_ptr(),
                pairs.len(),
            )
        })
    }
    /// The function with one more parameter at its end, so many words of 32 bits by value; the function itself is gone.
    pub fn with_words(self, words: usize) -> Function {
        let word = Type::int(self.module(), 32);
        // SAFETY: a function with a body goes in, which nothing calls, and one that took its place comes out.
        Function(unsafe {
            let words = LLVMArrayType2(word.0, words as u64);
            sys::mesi_extend(self.0, words)
        })
    }
    /// LLVM's structural hash of its code: the same in every process, whatever values are called.
    pub fn code_hash(self) -> u64 {
        llvm!(sys::mesi_hash(self.0))
    }
    /// Deletes a function that nothing refers to.
    pub fn delete(self) {
        llvm!(LLVMDeleteFunction(self.0));
    }
    /// Has LLVM leave a function as it is, inline it nowhere, and make its machine code by the shortest way.
    pub fn leave_as_it_is(self) {
        self.add_attribute("noinline");
        // Incompatible with it.
        self.remove_attribute("optsize");
        self.remove_attribute("minsize");
        self.add_attribute("optnone");
    }
    /// Takes back what had it optimised for size.
    pub fn optimise_for_speed(self) {
        self.remove_attribute("optsize");
        self.remove_attribute("minsize");
    }
    /// The number that the function returns, if returning it is all that it does.
    pub fn constant_answer(self) -> Option<u64> {
        let [block] = self.blocks()[..] else {
            return None;
        };
        let [ret] = block.instructions()[..] else {
            return None;
        };
        let [number] = ret.operands()[..] else {
            return None;
        };
        let is_number = llvm!(!LLVMIsAConstantInt(number.0).is_null());
        is_number.then(|| llvm!(LLVMConstIntGetZExtValue(number.0)))
    }
    /// Whether only its module sees it.
    pub fn is_internal(self) -> bool {
        use LLVMLinkage::*;
        let linkage = llvm!(LLVMGetLinkage(self.0));
        matches!(linkage, LLVMInternalLinkage | LLVMPrivateLinkage)
    }
    /// Makes it visible in its module alone.
    pub fn set_internal(self) {
        llvm!(LLVMSetLinkage(self.0, LLVMLinkage::LLVMInternalLinkage));
    }
}

/// A function as another module has it.
pub struct Outside {
    /// What it is called.
    pub name: String,
    /// Whether its code is there, too.
    pub is_there: bool,
    ty: Type,
}

impl Module {
    /// A new module for no target in particular, in the same context.
    pub fn sibling(self, name: &str) -> Module {
        let n = cstr(name);
        Module(llvm!(LLVMModuleCreateWithNameInContext(
            n.as_ptr(),
            self.context()
        )))
    }
    /// Frees a module of our own.
    pub fn dispose(self) {
        llvm!(LLVMDisposeModule(self.0));
    }
    /// `define zeroext i1 @name(ptr, ptr)`, still without blocks.
    pub fn add_gate(self, name: &str) -> Function {
        let pointer = Type::pointer(self, 0);
        let f = self.add_function(name, Type::int(self, 1), &[pointer, pointer]);
        llvm!({
            let kind = "zeroext";
            let id = LLVMGetEnumAttributeKindForName(kind.as_ptr().cast(), kind.len());
            let zeroext = LLVMCreateEnumAttribute(self.context(), id, 0);
            LLVMAddAttributeAtIndex(f.0, inkwell::llvm_sys::LLVMAttributeReturnIndex, zeroext);
        });
        f.add_attribute("nounwind");
        f
    }
    /// A function that takes `params` and returns a `returned`, still without blocks.
    pub fn add_function(self, name: &str, returned: Type, params: &[Type]) -> Function {
        let n = cstr(name);
        let mut params: Vec<LLVMTypeRef> = params.iter().map(|p| p.0).collect();
        llvm!({
            let ty = LLVMFunctionType(returned.0, params.as_mut_ptr(), params.len() as u32, 0);
            Function(LLVMAddFunction(self.0, n.as_ptr(), ty))
        })
    }
    /// The function of this name.
    pub fn function(self, name: &str) -> Option<Function> {
        let n = cstr(name);
        Function::optional(llvm!(LLVMGetNamedFunction(self.0, n.as_ptr())))
    }
    /// The declaration of the intrinsic that `call` of another module calls.
    pub fn same_intrinsic(self, call: Value) -> Function {
        let name = call.callee_name();
        self.function(&name).unwrap_or_else(|| {
            let n = cstr(&name);
            let callee = call.callee().expect("a call of an intrinsic");
            let ty = callee.function_type();
            Function(llvm!(LLVMAddFunction(self.0, n.as_ptr(), ty.0)))
        })
    }
    /// The module as bitcode.
    pub fn bitcode(self) -> Vec<u8> {
        use inkwell::llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
        // SAFETY: the buffer is ours, and is copied before it is freed.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.0);
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }
    /// A module in the same context that is given as bitcode.
    fn read(self, bitcode: &[u8]) -> Result<Module, String> {
        use inkwell::llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
        let mut module = std::ptr::null_mut();
        // SAFETY: the buffer is a copy, and lives until the module is read.
        let unread = unsafe {
            let (start, size) = (bitcode.as_ptr().cast(), bitcode.len());
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(start, size, c"".as_ptr());
            let unread = LLVMParseBitcodeInContext2(self.context(), buffer, &mut module) != 0;
            LLVMDisposeMemoryBuffer(buffer);
            unread
        };
        match unread {
            true => Err("bitcode that LLVM cannot read".into()),
            false => Ok(Module::new(module)),
        }
    }
    /// Takes in the functions of modules for no target that are given as bitcode. Each link looks through all that both
    /// modules have, so they are linked with each other first, two by two.
    pub fn link(self, all: &[&[u8]]) -> Result<(), String> {
        let read = |bitcode: &&[u8]| {
            let module = self.read(bitcode)?;
            // Over different targets the linker would warn, in a way that clang does not survive.
            llvm!({
                LLVMSetTarget(module.0, LLVMGetTarget(self.0));
                LLVMSetDataLayout(module.0, LLVMGetDataLayoutStr(self.0));
            });
            Ok(module)
        };
        let mut modules = all
            .iter()
            .map(read)
            .collect::<Result<Vec<Module>, String>>()?;
        while modules.len() > 1 {
            let pairs = modules.chunks(2).map(|pair| match pair {
                [to, from] => to.take_in(*from).map(|()| *to),
                _ => Ok(pair[0]),
            });
            modules = pairs.collect::<Result<_, _>>()?;
        }
        modules.into_iter().try_for_each(|m| self.take_in(m))
    }
    /// Links a module in, which is consumed.
    fn take_in(self, other: Module) -> Result<(), String> {
        use inkwell::llvm_sys::linker::LLVMLinkModules2;
        match llvm!(LLVMLinkModules2(self.0, other.0)) != 0 {
            true => Err("bitcode that cannot be linked".into()),
            false => Ok(()),
        }
    }
    /// Puts assembly in front of the module's code.
    pub fn add_assembly(self, text: &str) {
        llvm!(LLVMAppendModuleInlineAsm(
            self.0,
            text.as_ptr().cast(),
            text.len()
        ));
    }
    /// The functions that bitcode has, without reading their code: which of them have any, and their types.
    pub fn functions_of(self, bitcode: &[u8]) -> Result<Vec<Outside>, String> {
        use inkwell::llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
        let mut module = std::ptr::null_mut();
        // SAFETY: the bytes outlive the module, which takes the buffer over if it can be read and is disposed of below.
        let unread = unsafe {
            let (start, size) = (bitcode.as_ptr().cast(), bitcode.len());
            let buffer = LLVMCreateMemoryBufferWithMemoryRange(start, size, c"".as_ptr(), 0);
            let unread = LLVMGetBitcodeModuleInContext2(self.context(), buffer, &mut module) != 0;
            if unread {
                LLVMDisposeMemoryBuffer(buffer);
            }
            unread
        };
        if unread {
            return Err("bitcode that LLVM cannot read".into());
        }
        let module = Module::new(module);
        let outside = |f: Function| Outside {
            name: f.name(),
            ty: f.function_type(),
            is_there: llvm!(LLVMIsDeclaration(f.0)) == 0,
        };
        let all = module.functions().into_iter().map(outside).collect();
        module.dispose();
        Ok(all)
    }
    /// Declares a function that assembly of the module has.
    pub fn declare(self, outside: &Outside) -> Function {
        let n = cstr(&outside.name);
        Function(llvm!(LLVMAddFunction(self.0, n.as_ptr(), outside.ty.0)))
    }
    /// The number that a flag of the module has.
    pub fn flag(self, name: &str) -> Option<u64> {
        llvm!({
            let flag = LLVMGetModuleFlag(self.0, name.as_ptr().cast(), name.len());
            (!flag.is_null()).then(|| {
                let mut number = std::ptr::null_mut();
                LLVMGetMDNodeOperands(LLVMMetadataAsValue(self.context(), flag), &mut number);
                LLVMConstIntGetZExtValue(number)
            })
        })
    }
    /// LLVM's text of a module that is given as bitcode.
    pub fn text_of(self, bitcode: &[u8]) -> Result<String, String> {
        let module = self.read(bitcode)?;
        let text = take_message(llvm!(LLVMPrintModuleToString(module.0)));
        module.dispose();
        Ok(text)
    }
    /// A copy of the module.
    pub fn copy(self) -> Module {
        Module(llvm!(LLVMCloneModule(self.0)))
    }
    /// A constant of these bytes in the device's global memory that stays though nothing refers to it.
    pub fn add_kept_bytes(self, name: &str, bytes: &[u8]) {
        let g = self.add_bytes(name, bytes, GLOBAL_MEMORY, true);
        llvm!(sys::mesi_keep(self.0, g.0));
    }
    /// A string with a final NUL, as C code wants it.
    pub fn add_string(self, name: &str, text: &str) -> Value {
        self.add_bytes(name, &[text.as_bytes(), &[0]].concat(), 0, true)
    }
    /// A byte whose address stands for something.
    pub fn add_token(self, name: &str) -> Value {
        self.add_bytes(name, &[0], 0, false)
    }
    /// A constant of the kind of `like`, a struct, with other fields.
    pub fn add_like(self, like: Value, name: &str, fields: &[Value]) -> Value {
        let n = cstr(name);
        let mut fields: Vec<LLVMValueRef> = fields.iter().map(|f| f.0).collect();
        llvm!({
            let ty = LLVMGlobalGetValueType(like.0);
            let g = LLVMAddGlobal(self.0, ty, n.as_ptr());
            let init = LLVMConstNamedStruct(ty, fields.as_mut_ptr(), fields.len() as u32);
            LLVMSetInitializer(g, init);
            LLVMSetGlobalConstant(g, 1);
            LLVMSetLinkage(g, LLVMGetLinkage(like.0));
            LLVMSetSection(g, LLVMGetSection(like.0));
            LLVMSetAlignment(g, LLVMGetAlignment(like.0));
            Value(g)
        })
    }
    /// A global of the kind of `like`, with the same contents, that this module alone sees unless `merged`: then the linker makes one of all
    /// of this name.
    pub fn copy_global(self, like: Value, name: &str, merged: bool) -> Value {
        let n = cstr(name);
        llvm!({
            let ty = LLVMGlobalGetValueType(like.0);
            let g = LLVMAddGlobalInAddressSpace(self.0, ty, n.as_ptr(), like.address_space());
            LLVMSetInitializer(g, LLVMGetInitializer(like.0));
            LLVMSetAlignment(g, LLVMGetAlignment(like.0));
            let linkage = match merged {
                true => LLVMLinkage::LLVMWeakODRLinkage,
                false => LLVMLinkage::LLVMInternalLinkage,
            };
            LLVMSetLinkage(g, linkage);
            Value(g)
        })
    }
    /// A global struct that host code may write, seen by this module alone.
    pub fn add_record(self, name: &str, fields: &[Value]) -> Value {
        let n = cstr(name);
        let mut fields: Vec<LLVMValueRef> = fields.iter().map(|f| f.0).collect();
        llvm!({
            let count = fields.len() as u32;
            let init = LLVMConstStructInContext(self.context(), fields.as_mut_ptr(), count, 0);
            let g = LLVMAddGlobal(self.0, LLVMTypeOf(init), n.as_ptr());
            LLVMSetInitializer(g, init);
            LLVMSetLinkage(g, LLVMLinkage::LLVMInternalLinkage);
            LLVMSetAlignment(g, 16);
            Value(g)
        })
    }
    /// A constant struct.
    pub fn constant_struct(self, fields: &[Value]) -> Value {
        let mut fields: Vec<LLVMValueRef> = fields.iter().map(|f| f.0).collect();
        llvm!({
            let count = fields.len() as u32;
            Value(LLVMConstStructInContext(
                self.context(),
                fields.as_mut_ptr(),
                count,
                0,
            ))
        })
    }
    fn add_bytes(self, name: &str, bytes: &[u8], space: u32, constant: bool) -> Value {
        let n = cstr(name);
        llvm!({
            let text =
                LLVMConstStringInContext2(self.context(), bytes.as_ptr().cast(), bytes.len(), 1);
            let g = LLVMAddGlobalInAddressSpace(self.0, LLVMTypeOf(text), n.as_ptr(), space);
            LLVMSetInitializer(g, text);
            LLVMSetGlobalConstant(g, constant.into());
            LLVMSetLinkage(g, LLVMLinkage::LLVMInternalLinkage);
            LLVMSetAlignment(g, 1);
            Value(g)
        })
    }
}

impl Value {
    /// Makes a global of as many zeros.
    pub fn remove_initializer(self) {
        llvm!(LLVMSetInitializer(
            self.0,
            LLVMConstNull(LLVMGlobalGetValueType(self.0))
        ));
    }
    /// Deletes a constant of [`Module::add_kept_bytes`].
    pub fn drop_kept(self) {
        llvm!(sys::mesi_drop_kept(self.0));
    }
    /// The bytes that a constant global is made of.
    pub fn initial_bytes(self) -> Option<&'static [u8]> {
        if !self.is_global_variable() {
            return None;
        }
        let init = llvm!(LLVMGetInitializer(self.0));
        // Of zeros alone LLVM keeps no bytes, though it calls them a string.
        if init.is_null()
            || llvm!(LLVMIsAConstantDataSequential(init)).is_null()
            || llvm!(LLVMIsConstantString(init)) == 0
        {
            return None;
        }
        let mut size = 0;
        // SAFETY: the context owns the bytes, and outlives every pass.
        unsafe {
            let p = LLVMGetAsString(init, &mut size);
            Some(std::slice::from_raw_parts(p.cast::<u8>(), size))
        }
    }
    /// The fields of a global that is a constant struct; none where it is anything else.
    pub fn initial_fields(self) -> Vec<Value> {
        let init = match self.is_global_variable() {
            true => Value::optional(llvm!(LLVMGetInitializer(self.0))),
            false => None,
        };
        let init = init.filter(|i| i.ty().is_struct());
        init.map_or(Vec::new(), Value::operands)
    }
    /// Whether the linker makes one of all definitions of this function or global.
    pub fn is_mergeable(self) -> bool {
        use LLVMLinkage::*;
        matches!(
            llvm!(LLVMGetLinkage(self.0)),
            LLVMLinkOnceAnyLinkage
                | LLVMLinkOnceODRLinkage
                | LLVMWeakAnyLinkage
                | LLVMWeakODRLinkage
        )
    }
    /// Whether another definition, which need not be the same, may take the place of this function or global when all is linked.
    pub fn is_replaceable(self) -> bool {
        use LLVMLinkage::*;
        let linkage = llvm!(LLVMGetLinkage(self.0));
        matches!(linkage, LLVMLinkOnceAnyLinkage | LLVMWeakAnyLinkage)
    }
    /// Has the linker make one of all definitions of this global in a program or shared library.
    pub fn set_merged(self) {
        llvm!({
            LLVMSetLinkage(self.0, LLVMLinkage::LLVMLinkOnceODRLinkage);
            LLVMSetVisibility(
                self.0,
                inkwell::llvm_sys::LLVMVisibility::LLVMHiddenVisibility,
            );
        });
    }
    /// Whether a global variable or a function has no definition here.
    pub fn is_declaration(self) -> bool {
        llvm!(LLVMIsDeclaration(self.0)) != 0
    }
    /// Deletes a global variable or a function that nothing refers to.
    pub fn delete_global(self) {
        llvm!(match self.is_function() {
            true => LLVMDeleteFunction(self.0),
            false => LLVMDeleteGlobal(self.0),
        });
    }
    /// Whether nobody looks at where a global lies, so that a copy is as good.
    pub fn is_address_insignificant(self) -> bool {
        use inkwell::llvm_sys::LLVMUnnamedAddr::LLVMNoUnnamedAddr;
        llvm!(LLVMGetUnnamedAddress(self.0)) != LLVMNoUnnamedAddr
    }
    /// Calls another function of the same type.
    pub fn set_callee(self, f: Function) {
        let last = llvm!(LLVMGetNumOperands(self.0)) as u32 - 1;
        // The callee is the last operand of a call, and of an invoke.
        self.set_operand(last, f.value());
    }
    /// The section that a global lies in; empty: none in particular.
    pub fn section(self) -> String {
        let p = llvm!(LLVMGetSection(self.0));
        if p.is_null() {
            return String::new();
        }
        // SAFETY: the global owns the string.
        unsafe { CStr::from_ptr(p) }.to_string_lossy().into_owned()
    }
    /// The text of a call's inline assembly.
    pub fn asm_text(self) -> String {
        name_from(|n| llvm!(LLVMGetInlineAsmAsmString(LLVMGetCalledValue(self.0), n)))
    }
    /// Whether a call's inline assembly says that it may touch any memory.
    pub fn asm_clobbers_memory(self) -> bool {
        let callee = llvm!(LLVMGetCalledValue(self.0));
        name_from(|n| llvm!(LLVMGetInlineAsmConstraintString(callee, n))).contains("~{memory}")
    }
    /// Drops all metadata of an instruction, its source location too.
    pub fn drop_all_metadata(self) {
        use inkwell::llvm_sys::debuginfo::LLVMInstructionSetDebugLoc;
        llvm!({
            LLVMInstructionSetDebugLoc(self.0, std::ptr::null_mut());
            let mut n = 0;
            let entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(self.0, &mut n);
            for i in 0..n as u32 {
                let kind = LLVMValueMetadataEntriesGetKind(entries, i);
                LLVMSetMetadata(self.0, kind, std::ptr::null_mut());
            }
            LLVMDisposeValueMetadataEntries(entries);
        });
    }
}
