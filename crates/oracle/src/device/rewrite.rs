//! What all rewriting steps share: the module, the builder, the run-time's address, and the sites made so far.

use std::collections::HashMap;

use inkwell::llvm_sys as llvm;
use llvm::core::*;
use llvm::prelude::*;

use super::builder::Builder;
use super::ir::{self, Block, Context, Type, Value};
use super::loops;
use super::origin::{self, Arrays};
use crate::error::{Error, Result};
use crate::site::{AccessKind, GlobalArray, Origin, Place, Site, Tile};

/// A loop of the module: function-local loops numbered through.
#[derive(Debug, Clone)]
pub struct LoopFacts {
    pub parent: Option<u32>,
    /// All loops inside, at any depth.
    pub nested: Vec<u32>,
}

/// State of rewriting one module.
pub struct Rewriter<'c> {
    pub builder: Builder<'c>,
    pub context: &'c Context,
    pub module: LLVMModuleRef,
    pub file: String,
    /// Address of the `Runtime`.
    pub runtime: u64,
    pub checked: bool,
    /// Whether products are fused with sums, so that the tensor cores' are, too.
    pub fuses: bool,
    pub sites: Vec<Site>,
    pub tiles: Vec<Tile>,
    pub globals: Vec<GlobalArray>,
    pub arrays: Arrays,
    pub loops: Vec<LoopFacts>,
    loop_of: HashMap<Block, u32>,
    /// Latch block to loop; `u32::MAX` closes an irreducible cycle.
    pub latches: Vec<(Block, u32)>,
    places: HashMap<Value, (usize, u32)>,
    /// Loads, stores and atomics of the program itself. What the rewriting adds is not checked; it cannot be told apart
    /// later, because LLVM reuses the addresses of erased instructions.
    pub accesses: Vec<Value>,
    function_names: Vec<String>,
}

impl<'c> Rewriter<'c> {
    pub fn new(
        context: &'c Context,
        module: LLVMModuleRef,
        file: &str,
        kernel: Value,
        runtime: u64,
        checked: bool,
    ) -> Self {
        let mut rewriter = Rewriter {
            builder: Builder::new(context),
            context,
            module,
            file: file.into(),
            runtime,
            checked,
            fuses: false,
            sites: Vec::new(),
            tiles: Vec::new(),
            globals: Vec::new(),
            arrays: Arrays {
                kernel,
                module,
                tile_of: HashMap::new(),
                global_of: HashMap::new(),
            },
            loops: Vec::new(),
            loop_of: HashMap::new(),
            latches: Vec::new(),
            places: HashMap::new(),
            accesses: Vec::new(),
            function_names: Vec::new(),
        };
        for f in ir::defined(module) {
            rewriter.number(f);
            rewriter.find_loops(f);
        }
        rewriter
    }

    fn number(&mut self, f: Value) {
        self.function_names.push(ir::name(f));
        let function = self.function_names.len() - 1;
        for (n, i) in ir::body(f).into_iter().enumerate() {
            self.places.insert(i, (function, n as u32));
            if is_access(i) {
                self.accesses.push(i);
            }
        }
    }

    fn find_loops(&mut self, f: Value) {
        let blocks = ir::blocks(f);
        let index: HashMap<Block, usize> =
            blocks.iter().enumerate().map(|(i, b)| (*b, i)).collect();
        let graph: Vec<Vec<usize>> = blocks
            .iter()
            .map(|b| ir::successors(*b).iter().map(|s| index[s]).collect())
            .collect();
        let (found, irreducible) = loops::find(&graph);
        let first = self.loops.len() as u32;
        for l in &found {
            let id = self.loops.len() as u32;
            self.loops.push(LoopFacts {
                parent: l.parent.map(|p| first + p as u32),
                nested: Vec::new(),
            });
            // Outer loops come first, so the innermost one is what stays.
            self.loop_of.extend(l.body.iter().map(|b| (blocks[*b], id)));
            l.latches
                .iter()
                .for_each(|b| self.latches.push((blocks[*b], id)));
        }
        for id in first..self.loops.len() as u32 {
            let mut outer = self.loops[id as usize].parent;
            while let Some(o) = outer {
                self.loops[o as usize].nested.push(id);
                outer = self.loops[o as usize].parent;
            }
        }
        irreducible
            .iter()
            .for_each(|b| self.latches.push((blocks[*b], u32::MAX)));
    }

    /// Says that the access `new` stands for `old`: checked like the program's own, with its place in messages.
    pub fn same_place(&mut self, new: Value, old: Value) {
        if let Some(place) = self.places.get(&old).copied() {
            self.places.insert(new, place);
        }
        self.accesses.push(new);
    }

    pub fn place(&self, instruction: Value) -> Place {
        let (function, number) = self
            .places
            .get(&instruction)
            .copied()
            .unwrap_or((usize::MAX, 0));
        Place {
            source: ir::location(instruction).filter(|l| l.1 != 0),
            function: self
                .function_names
                .get(function)
                .cloned()
                .unwrap_or_default(),
            instruction: number,
        }
    }

    /// The error for something that cannot be mapped.
    pub fn refuse(&self, instruction: Value, what: &str) -> Error {
        Error::new(format!(
            "{}: {}: {what}",
            self.file,
            self.place(instruction)
        ))
    }

    pub fn add_site(
        &mut self,
        instruction: Value,
        kind: AccessKind,
        size: u32,
        align: u32,
        pointer: Option<Value>,
    ) -> Result<u32> {
        // SAFETY: the instruction is in a block.
        let block = unsafe { LLVMGetInstructionParent(instruction) };
        let atomic = kind == AccessKind::Atomic || is_atomic_or_volatile(instruction);
        let site = Site {
            place: self.place(instruction),
            kind,
            size,
            align: align.max(1),
            atomic,
            origin: pointer.map_or(Origin::Unknown, |p| origin::trace(&self.arrays, p)),
            inside: self.loop_of.get(&block).copied(),
        };
        if self.sites.len() >= usize::from(u16::MAX) {
            return Err(self.refuse(
                instruction,
                "more than 65,534 memory accesses in one kernel, the checker holds no more",
            ));
        }
        self.sites.push(site);
        Ok(self.sites.len() as u32 - 1)
    }

    /// Calls a hook: the run-time's address first.
    pub fn hook(&self, function: usize, result: Type, args: &[Value]) -> Value {
        let mut all = vec![self.builder.i64(self.runtime)];
        all.extend_from_slice(args);
        self.builder.call_host(function, result, &mut all)
    }

    /// A pointer as an integer.
    pub fn address(&self, pointer: Value) -> Value {
        self.builder.cast(
            llvm::LLVMOpcode::LLVMPtrToInt,
            pointer,
            self.context.int(64),
        )
    }

    /// An integer as a pointer of the same type as `like`.
    pub fn pointer_like(&self, address: Value, like: Value) -> Value {
        self.builder
            .cast(llvm::LLVMOpcode::LLVMIntToPtr, address, ir::type_of(like))
    }

    /// The module's data layout.
    pub fn layout(&self) -> llvm::target::LLVMTargetDataRef {
        // SAFETY: owned by the live module.
        unsafe { llvm::target::LLVMGetModuleDataLayout(self.module) }
    }

    /// Bytes a value of `ty` takes in memory.
    pub fn store_size(&self, ty: Type) -> u32 {
        // SAFETY: a sized type of the module.
        unsafe { llvm::target::LLVMStoreSizeOfType(self.layout(), ty) as u32 }
    }
}

fn is_access(instruction: Value) -> bool {
    use llvm::LLVMOpcode::*;
    matches!(
        ir::opcode(instruction),
        LLVMLoad | LLVMStore | LLVMAtomicRMW | LLVMAtomicCmpXchg
    )
}

fn is_atomic_or_volatile(instruction: Value) -> bool {
    use llvm::LLVMOpcode::*;
    // SAFETY: asked only of the instructions that have the property.
    unsafe {
        match ir::opcode(instruction) {
            LLVMLoad | LLVMStore => {
                LLVMIsAtomic(instruction) != 0 || LLVMGetVolatile(instruction) != 0
            }
            LLVMAtomicRMW | LLVMAtomicCmpXchg => true,
            _ => false,
        }
    }
}
