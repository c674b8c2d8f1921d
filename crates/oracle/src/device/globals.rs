//! Module variables: tiles get a place in the shared arena, other arrays padding and a name that can be asked for.

use inkwell::llvm_sys as llvm;
use llvm::core::*;

use super::ir::{self, Value};
use super::rewrite::Rewriter;
use crate::error::{Error, Result};
use crate::run::memory::TILE_STEP;
use crate::site::{GlobalArray, Tile};

/// Bytes behind each module array that belong to nothing.
const PADDING: u64 = 256;
/// Address space of shared memory.
const SHARED: u32 = 3;
/// Address space of `__constant__` memory.
const CONSTANT: u32 = 4;

impl Rewriter<'_> {
    /// Lists tiles and module arrays; nothing is replaced yet, so that origins can be traced.
    pub fn find_globals(&mut self) -> Result<()> {
        let mut end = TILE_STEP;
        let mut dynamic = Vec::new();
        for g in ir::globals(self.module) {
            // SAFETY: a global variable of the module.
            let size = unsafe {
                llvm::target::LLVMABISizeOfType(self.layout(), LLVMGlobalGetValueType(g))
            };
            let name = ir::name(g);
            if ir::space(g) != SHARED {
                if ir::is_declaration(g) {
                    return Err(Error::new(format!(
                        "{}: array {name} is declared but not defined in this file",
                        self.file
                    )));
                }
                // SAFETY: a query.
                let constant = ir::space(g) == CONSTANT || unsafe { LLVMIsGlobalConstant(g) != 0 };
                let symbol = format!("mesi_oracle_global_{}", self.globals.len());
                self.arrays.global_of.insert(g, self.globals.len() as u32);
                self.globals.push(GlobalArray {
                    name,
                    symbol,
                    size,
                    constant,
                });
            } else if ir::is_declaration(g) {
                dynamic.push((g, name));
            } else {
                self.arrays.tile_of.insert(g, self.tiles.len() as u32);
                self.tiles.push(Tile {
                    name,
                    offset: end,
                    size,
                    dynamic: false,
                });
                end = (end + size).next_multiple_of(TILE_STEP) + TILE_STEP;
            }
        }
        // All dynamic arrays are one piece of memory, as on the device. It comes last, with room for the largest.
        for (g, name) in dynamic {
            let known = self.tiles.iter().position(|t| t.dynamic);
            let index = known.unwrap_or_else(|| {
                self.tiles.push(Tile {
                    name,
                    offset: end,
                    size: 0,
                    dynamic: true,
                });
                self.tiles.len() - 1
            });
            self.arrays.tile_of.insert(g, index as u32);
        }
        Ok(())
    }

    /// Replaces tiles by their addresses and pads the other arrays.
    pub fn place_globals(&mut self, shared_base: u64) {
        for g in ir::globals(self.module) {
            if let Some(tile) = self.arrays.tile_of.get(&g) {
                let address = shared_base + self.tiles[*tile as usize].offset;
                let constant = self.context.const_address(address, SHARED);
                // SAFETY: same pointer type; no use is left.
                unsafe {
                    LLVMReplaceAllUsesWith(g, constant);
                    LLVMDeleteGlobal(g);
                }
            } else if let Some(index) = self.arrays.global_of.get(&g) {
                let symbol = self.globals[*index as usize].symbol.clone();
                self.pad(g, &symbol);
            }
        }
    }

    /// A writable copy of `g` with padding behind, under a name the engine can be asked for.
    fn pad(&self, g: Value, symbol: &str) {
        // SAFETY: types and initialiser are the global's own; the old one has no use left when deleted.
        unsafe {
            let padding = LLVMArrayType2(self.context.int(8), PADDING);
            let mut members = [LLVMGlobalGetValueType(g), padding];
            let ty = LLVMStructTypeInContext(self.context.0, members.as_mut_ptr(), 2, 0);
            let mut values = [LLVMGetInitializer(g), ir::null(padding)];
            let initializer = LLVMConstStructInContext(self.context.0, values.as_mut_ptr(), 2, 0);
            let name = ir::c_string(symbol);
            let new = LLVMAddGlobalInAddressSpace(self.module, ty, name.as_ptr(), ir::space(g));
            LLVMSetInitializer(new, initializer);
            LLVMSetAlignment(new, LLVMGetAlignment(g).max(256));
            LLVMReplaceAllUsesWith(g, new);
            LLVMDeleteGlobal(g);
        }
    }
}
