//! From device IR to host machine code for one kernel.
//!
//! `load` reads and strips, `rewrite` and its steps map what a host lacks and put checks in, `jit` compiles.
//! The steps' order matters: calls are mapped and accesses checked while tiles are still variables, because
//! the origin of a pointer is read off them; only then do tiles become addresses.

pub mod builder;
pub mod classes;
pub mod divide;
pub mod fuse;
pub mod globals;
pub mod ir;
pub mod jit;
pub mod load;
pub mod loops;
pub mod map;
pub mod memory;
pub mod origin;
pub mod rewrite;
pub mod unfuse;

use std::rc::Rc;

use inkwell::llvm_sys as llvm;
use llvm::LLVMTypeKind::*;
use llvm::core::*;

use crate::error::{Error, Result};
use crate::gate;
use crate::run::hooks;
use crate::site::{GlobalArray, Site, Tile};
use classes::Classes;
use ir::{Context, Value};
use jit::Engine;
use load::Module;
use rewrite::{LoopFacts, Rewriter};

/// Name of the function the run time calls.
const ENTRY: &str = "mesi_oracle_entry";

/// Local arrays larger than this in sum do not go on a fiber's stack even without checks.
const STACK_LOCALS: u64 = 64 * 1024;

/// What a kernel parameter takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Param {
    /// A pointer.
    Pointer,
    /// A value of this many bytes, with its IR type for messages.
    Value { bytes: u64, ty: String },
    /// A struct by value, of this many bytes.
    Struct { bytes: u64 },
}

/// Facts about a kernel that need no compilation.
pub struct Facts {
    pub params: Vec<Param>,
    pub tiles: Vec<Tile>,
    /// Bytes of static shared memory as the device lays it out, without this crate's gaps.
    pub static_shared: u64,
    /// Bytes of the shared arena up to the dynamic part's start.
    pub arena: u64,
}

/// A compiled kernel.
pub struct Compiled {
    pub engine: Engine,
    pub entry: u64,
    pub sites: Rc<[Site]>,
    pub globals: Vec<GlobalArray>,
    pub loops: Vec<LoopFacts>,
    pub classes: Vec<Classes>,
    /// Blocks that begin a body of the plug-in, by their place in the counters.
    pub bodies: Vec<usize>,
}

/// Parameters and shared memory of `kernel`.
pub fn facts(context: &Context, module: &Module, file: &str, kernel: &str) -> Result<Facts> {
    let f = function(module, kernel)?;
    let mut rewriter = Rewriter::new(context, module.0, file, f, 0, false);
    rewriter.find_globals()?;
    let layout = rewriter.layout();
    let params = ir::params(f)
        .iter()
        .enumerate()
        .map(|(n, p)| param(layout, f, n, *p))
        .collect();
    let tiles = rewriter.tiles.clone();
    let static_shared = tiles.iter().map(|t| t.size.next_multiple_of(4)).sum();
    let arena = tiles.iter().map(|t| t.offset + t.size).max().unwrap_or(0);
    Ok(Facts {
        params,
        tiles,
        static_shared,
        arena,
    })
}

fn function(module: &Module, name: &str) -> Result<Value> {
    let symbol = ir::c_string(name);
    // SAFETY: a live module and a nul-terminated name.
    let f = unsafe { LLVMGetNamedFunction(module.0, symbol.as_ptr()) };
    if f.is_null() {
        Err(Error::new(format!("no function {name}")))
    } else {
        Ok(f)
    }
}

fn param(layout: llvm::target::LLVMTargetDataRef, f: Value, n: usize, p: Value) -> Param {
    let ty = ir::type_of(p);
    // SAFETY: sized types of the module; the attribute is there where `is_byval` says so.
    unsafe {
        if origin::is_byval(f, n) {
            let attribute =
                LLVMGetEnumAttributeAtIndex(f, n as u32 + 1, load::attribute_kind("byval"));
            return Param::Struct {
                bytes: llvm::target::LLVMABISizeOfType(
                    layout,
                    LLVMGetTypeAttributeValue(attribute),
                ),
            };
        }
        match ir::kind_of(ty) {
            LLVMPointerTypeKind => Param::Pointer,
            LLVMStructTypeKind | LLVMArrayTypeKind => Param::Struct {
                bytes: llvm::target::LLVMABISizeOfType(layout, ty),
            },
            _ => Param::Value {
                bytes: llvm::target::LLVMStoreSizeOfType(layout, ty),
                ty: ir::print_type(ty),
            },
        }
    }
}

/// Where the compiled code finds its surroundings.
#[derive(Debug, Clone, Copy)]
pub struct Addresses {
    /// The `Runtime`.
    pub runtime: u64,
    /// The shared arena.
    pub shared: u64,
    /// Counters of executed blocks; 0 leaves them out.
    pub blocks: u64,
}

/// Number of basic blocks, an upper bound for the counters.
pub fn block_count(module: &Module) -> usize {
    ir::defined(module.0)
        .into_iter()
        .map(|f| ir::blocks(f).len())
        .sum()
}

/// How to compile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mode {
    /// Checks in front of every access.
    pub checked: bool,
    /// Fuse multiply-adds where the GPU's back end does.
    pub fuse: bool,
    /// Least time for compiling instead of running.
    pub quick: bool,
}

/// Compiles `kernel`.
pub fn compile(
    context: &Context,
    pristine: &Module,
    file: &str,
    kernel: &str,
    at: Addresses,
    mode: Mode,
) -> Result<Compiled> {
    let (module, checked) = (pristine.clone(), mode.checked);
    if mode.fuse {
        fuse::fuse(context, &module);
    }
    unfuse::unfuse(context, &module);
    let f = function(&module, kernel)?;
    let blocks: Vec<ir::Block> = ir::defined(module.0)
        .into_iter()
        .flat_map(ir::blocks)
        .collect();
    let classes = blocks.iter().map(|b| classes::classify(*b)).collect();
    let bodies = gate::bodies(context, &blocks);
    let mut rewriter = Rewriter::new(context, module.0, file, f, at.runtime, checked);
    rewriter.fuses = mode.fuse;
    rewriter.find_globals()?;
    rewriter.define_divisions()?;
    rewriter.map_calls()?;
    if checked {
        rewriter.check_accesses()?;
    }
    if checked || rewriter.local_bytes() > STACK_LOCALS {
        rewriter.bound_locals()?;
    }
    rewriter.count_iterations();
    if checked {
        count_blocks(&rewriter, &blocks, at.blocks);
    }
    rewriter.place_globals(at.shared);
    build_entry(&rewriter, f)?;
    let (sites, globals, loops) = (rewriter.sites, rewriter.globals, rewriter.loops);
    drop(rewriter.builder);
    let engine = Engine::new(module, file, mode.quick)?;
    let entry = engine.function(ENTRY);
    Ok(Compiled {
        engine,
        entry,
        sites: sites.into(),
        globals,
        loops,
        classes,
        bodies,
    })
}

/// Increments a counter at the start of every block.
fn count_blocks(rewriter: &Rewriter, blocks: &[ir::Block], counters: u64) {
    let i64_type = rewriter.context.int(64);
    for (n, block) in blocks.iter().enumerate() {
        let first = ir::instructions(*block)
            .into_iter()
            .find(|i| ir::opcode(*i) != llvm::LLVMOpcode::LLVMPHI);
        let Some(first) = first else { continue };
        let b = rewriter.builder.before(first);
        let counter = rewriter.context.const_address(counters + 8 * n as u64, 0);
        let old = b.load(i64_type, counter, 8);
        let new = b.binary(llvm::LLVMOpcode::LLVMAdd, old, b.i64(1));
        b.store(new, counter, 8);
    }
}

/// `void entry(ptr params)`: `params[i]` points to parameter `i`'s bytes.
fn build_entry(rewriter: &Rewriter, kernel: Value) -> Result<()> {
    let (context, b) = (rewriter.context, &rewriter.builder);
    let byval = load::attribute_kind("byval");
    // SAFETY: types are built here; attributes are removed where they are; the kernel takes what is passed.
    unsafe {
        let mut pointer = context.pointer(0);
        let ty = LLVMFunctionType(context.void(), &mut pointer, 1, 0);
        let name = ir::c_string(ENTRY);
        let entry = LLVMAddFunction(rewriter.module, name.as_ptr(), ty);
        let body = ir::c_string("");
        let block = LLVMAppendBasicBlockInContext(context.0, entry, body.as_ptr());
        b.at_end(block);
        LLVMSetCurrentDebugLocation2(b.raw, std::ptr::null_mut());
        let mut args = Vec::new();
        for (n, p) in ir::params(kernel).into_iter().enumerate() {
            let ty = ir::type_of(p);
            if origin::is_byval(kernel, n) {
                let address = rewriter.hook(
                    hooks::param as *const () as usize,
                    context.int(64),
                    &[b.i32(n as u32)],
                );
                args.push(rewriter.pointer_like(address, p));
                LLVMRemoveEnumAttributeAtIndex(kernel, n as u32 + 1, byval);
                continue;
            }
            let mut index = b.i64(n as u64);
            let slot = LLVMBuildGEP2(
                b.raw,
                pointer,
                LLVMGetParam(entry, 0),
                &mut index,
                1,
                c"".as_ptr(),
            );
            let at = b.load(pointer, slot, 8);
            args.push(b.load(ty, at, 1));
        }
        let kernel_type = LLVMGlobalGetValueType(kernel);
        LLVMBuildCall2(
            b.raw,
            kernel_type,
            kernel,
            args.as_mut_ptr(),
            args.len() as u32,
            c"".as_ptr(),
        );
        LLVMBuildRetVoid(b.raw);
    }
    Ok(())
}
