//! What the host may launch: the gate that the plug-in leaves beside each version of a kernel, compiled and asked.
//!
//! A gate says what the version's entry tests, and what the version relies on: where it turns a launch away no body of the version may be
//! entered, and a version that relies on it is not run.
//! Which blocks are their beginnings is read off the branches that the plug-in marks, the first way of each. LLVM's later
//! passes may swap those, so what is to be held against a gate is the IR right behind the plug-in.

use inkwell::llvm_sys as llvm;
use llvm::core::*;
use mesi_launch::room::{self, Relaunch};
use mesi_launch::{Case, FOLD, GATE, MAPPED, blocks_of};

use crate::device::ir::{self, Context};
use crate::device::jit::Engine;
use crate::device::load::{self, DISPATCH, Module};
use crate::error::{Error, Result};

/// Blocks along x for versions that may have fewer than a launch.
const FEW: u32 = 2;

/// The bit of what a version relies on that says so of memory.
const NEEDS_MEMORY: u32 = 4;

/// What every gate is.
type Ask = extern "C" fn(*const *const u8, *mut u32) -> bool;

/// A kernel's gate.
pub struct Gate {
    ask: Ask,
    /// Whether the version relies on being asked about before each launch.
    pub relies: bool,
    /// Whether it relies on what is memory, too.
    pub needs_memory: bool,
    /// Blocks along x that the version is launched in at most, if not 0.
    blocks: u32,
    /// Parts that it has of dynamic shared memory, if not 0.
    parts: u32,
    /// Bytes of it that it has for each thread, if not 0.
    per_thread: u32,
    /// Blocks that each of its own does the work of, as a record has them.
    merged: u32,
    /// Keeps the code.
    _engine: Engine,
}

impl Gate {
    /// The gate of `kernel`, if the module has one.
    pub fn of(
        context: &Context,
        module: &Module,
        file: &str,
        kernel: &str,
    ) -> Result<Option<Gate>> {
        let symbol = format!("{kernel}{GATE}");
        let globals = ir::globals(module.0).into_iter();
        let Some(constant) = globals.into_iter().find(|g| ir::name(*g) == symbol) else {
            return Ok(None);
        };
        let wrong = |why: String| Error::new(format!("{file}: {symbol}: {why}"));
        let gates = mesi_launch::Gate::all(&bytes(constant)).map_err(|e| wrong(e.to_string()))?;
        let [gate] = &gates[..] else {
            return Err(wrong(format!("it holds {} gates", gates.len())));
        };
        if gate.kernel != kernel {
            return Err(wrong(format!("it is the gate of {}", gate.kernel)));
        }
        let code = load::read(context, &symbol, &gate.bitcode)?;
        let engine = Engine::new(code, &symbol, true)?;
        let address = engine.function(&symbol);
        if address == 0 {
            return Err(wrong("it holds no function of its name".into()));
        }
        // SAFETY: the type that every gate has; the engine stays with it.
        let ask = unsafe { std::mem::transmute::<u64, Ask>(address) };
        Ok(Some(Gate {
            ask,
            relies: gate.needs[1] != 0,
            needs_memory: gate.needs[1] & NEEDS_MEMORY != 0,
            blocks: gate.needs[2],
            parts: gate.needs[3],
            per_thread: gate.needs[5],
            merged: gate.needs[6],
            _engine: engine,
        }))
    }

    /// The gate that deals the threads of `kernel` out to blocks, if the module has one.
    pub fn of_blocks(
        context: &Context,
        module: &Module,
        file: &str,
        kernel: &str,
    ) -> Result<Option<Gate>> {
        let names: Vec<String> = ir::globals(module.0).into_iter().map(ir::name).collect();
        let gates = names.iter().filter_map(|n| n.strip_suffix(GATE));
        match blocks_of(kernel, gates) {
            Some(blocks) => Gate::of(context, module, file, blocks),
            None => Ok(None),
        }
    }

    /// The gate that says how a version of a folded copy is launched, if `kernel` is one.
    pub fn of_fold(
        context: &Context,
        module: &Module,
        file: &str,
        kernel: &str,
    ) -> Result<Option<Gate>> {
        Gate::of(context, module, file, &format!("{kernel}{FOLD}"))
    }

    /// The gate that says where bytes lie which must be memory, if `kernel` is a version that relies on that.
    pub fn of_memory(
        context: &Context,
        module: &Module,
        file: &str,
        kernel: &str,
    ) -> Result<Option<Gate>> {
        Gate::of(context, module, file, &format!("{kernel}{MAPPED}"))
    }

    /// Of a gate of that kind: the lowest byte of each range, and the end of its highest; `None`: it cannot tell.
    pub fn ranges(&self, launch: [[u32; 3]; 2], parameters: &[*const u8]) -> Option<Vec<[u64; 2]>> {
        room::ranges(launch, |room| (self.ask)(parameters.as_ptr(), room))
    }

    /// Whether the host may launch the version so (block and grid), where `parameters` point to the arguments.
    pub fn allows(&self, mut launch: [[u32; 3]; 2], parameters: &[*const u8]) -> bool {
        (self.ask)(parameters.as_ptr(), launch.as_mut_ptr().cast())
    }

    /// The grid that the version is launched in for this one. Launches are small here, so it has no more than two blocks along x where the
    /// host would launch fewer than there are: it must be right in any number of them.
    pub fn grid(&self, grid: [u32; 3]) -> [u32; 3] {
        let grid = mesi_launch::Gate::groups(self.merged, grid);
        let [x, y, z] = grid;
        match self.blocks {
            0 => grid,
            most => [x.min(most).min(FEW), y, z],
        }
    }

    /// Dynamic shared memory that the version is launched with, in these blocks, where its kernel gets so many bytes.
    pub fn dynamic_shared(&self, bytes: u32, block: [u32; 3]) -> u32 {
        let of = [self.parts, self.per_thread];
        mesi_launch::Gate::dynamic_shared(of, bytes, block).expect("a small launch")
    }

    /// Block and grid that this gate, of a kernel's blocks or of a fold, makes of the case's; `None` where it makes none.
    pub fn blocks(&self, case: &Case, parameters: &[*const u8]) -> Option<[[u32; 3]; 2]> {
        let made = self.launch(case, parameters).filter(|_| case.shared == 0);
        made.map(|(launch, _)| launch)
    }

    /// The same, with the bytes of the argument that the version has besides the kernel's; none: it has no more. Whatever
    /// dynamic shared memory the case has.
    pub fn launch(&self, case: &Case, parameters: &[*const u8]) -> Option<Relaunch> {
        let own = [case.block, case.grid];
        room::relaunch(own, parameters.len(), |room| {
            (self.ask)(parameters.as_ptr(), room.as_mut_ptr())
        })
    }

    /// Whether a version that has a launch of its own has all dynamic shared memory there that the case's threads have:
    /// there is none, or a part for each block of the case.
    pub fn has_dynamic(&self, case: &Case) -> bool {
        case.shared == 0 || self.parts > 0
    }
}

/// What a constant array of bytes holds.
fn bytes(constant: ir::Value) -> Vec<u8> {
    // SAFETY: a live global; LLVM's own bytes of that length.
    unsafe {
        let initial = LLVMGetInitializer(constant);
        if initial.is_null() || LLVMIsConstantString(initial) == 0 {
            return Vec::new();
        }
        let mut length = 0;
        let start = LLVMGetAsString(initial, &mut length);
        std::slice::from_raw_parts(start.cast(), length).to_vec()
    }
}

/// The places in `blocks` of those that begin a body of the plug-in.
pub fn bodies(context: &Context, blocks: &[ir::Block]) -> Vec<usize> {
    let leads = |block: &ir::Block| {
        // SAFETY: a live block; its terminator is null or alive.
        let branch = unsafe { LLVMGetBasicBlockTerminator(*block) };
        let kind = context.metadata_kind(DISPATCH);
        // SAFETY: as above.
        let is = !branch.is_null() && unsafe { !LLVMGetMetadata(branch, kind).is_null() };
        is.then(|| ir::successors(*block)[0])
    };
    let begin: Vec<ir::Block> = blocks.iter().filter_map(leads).collect();
    let all = blocks.iter().enumerate();
    all.filter(|(_, b)| begin.contains(b))
        .map(|(n, _)| n)
        .collect()
}
