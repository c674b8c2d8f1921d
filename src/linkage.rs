//! Symbols of device code with `-fgpu-rdc` that clang 22 writes so that nvlink cannot bind them.
//!
//! ```text
//! @_ZL1t = external …             a kernel that asks for it first        ──►  @_ZL1t__static__<hash>
//! @_ZL1t__static__<hash> = …      its definition, named anew for the host
//! @__clang_gpu_used_external = [@child]; declare void @child(ptr)        ──►  [null]
//! ```
//! A variable of this file that host code reaches has another name from there on, while kernels that came before still
//! ask for the old one: "undefined reference". A kernel that another file defines and host code launches is kept in a
//! list, and since a declaration does not say that it is one, printed as a function: "not declared `__global__`". Host
//! code reaches it by its own file's registration; nothing here needs it.
//!
//! **Sound**: a name with that ending is made from the other one alone, and no other file has a variable of this one. A
//! list's only reader is LLVM's, which keeps what it names. nvcc has no such names, and links such programs.

use crate::llvm::ir::{Module, Value};

/// What the new name of a variable goes on with.
const ENDING: &str = "__static__";
/// The list of what host code reaches.
const LIST: &str = "__clang_gpu_used_external";

/// Mends both; whether there was one.
pub fn mend(module: Module) -> bool {
    let globals = module.globals();
    let (defined, declared): (Vec<Value>, Vec<Value>) =
        globals.iter().copied().partition(|g| !g.is_declaration());
    let mut found = Vec::new();
    for old in declared {
        let begin = format!("{}{ENDING}", old.name());
        let mut all = defined.iter().filter(|g| g.name().starts_with(&begin));
        if let (Some(new), None) = (all.next(), all.next())
            && new.ty() == old.ty()
        {
            found.push((old, *new));
        }
    }
    for (old, new) in &found {
        old.replace_uses(*new);
        old.delete_global();
    }
    let list = defined.iter().find(|g| g.name() == LIST);
    let listed = list.map_or(Vec::new(), |g| vec![g.operand(0)]);
    let functions = module.functions().into_iter().map(|f| f.value());
    let kernels = functions.filter(|f| f.is_declaration() && !f.users().is_empty());
    let kernels: Vec<Value> = kernels
        .filter(|f| f.users().iter().all(|u| listed.contains(u)))
        .collect();
    kernels.iter().for_each(|k| k.replace_uses(k.ty().null()));
    !found.is_empty() || !kernels.is_empty()
}
