//! The run-time part (`rt/`), which chooses what a launch runs, as code of each host module.
//!
//! It is C, compiled by the build script for each kind of host, and travels in the plug-in as bitcode. Each host module
//! that has something to choose gets a copy that no other module sees: nothing new has to be linked, and files of
//! several builds of the plug-in make one program.

use crate::llvm::ir::{Function, Module};

/// What launches a kernel in place of `cudaLaunchKernel`, and of `cudaLaunchKernelExC`; see `rt/mesi_rt.h`.
const LAUNCH: &str = "mesi_launch";
const LAUNCH_EX: &str = "mesi_launch_ex";
/// What the structs there are like.
pub const ABI: i64 = 7;
/// Versions, and integers, that a record has room for.
pub const VERSIONS: usize = 4;
pub const SCALARS: usize = 8;

static X86_64: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/mesi_rt.x86_64.bc"));
static AARCH64: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/mesi_rt.aarch64.bc"));

/// The run-time part of a host module.
pub struct Runtime {
    /// Launches by `cudaLaunchKernel`'s arguments, with a record in place of the stub.
    pub launch: Function,
    /// Launches by `cudaLaunchKernelExC`'s.
    pub launch_ex: Function,
}

/// The run-time part for the host that `module` is code of; `None`: there is none for this kind.
pub fn bitcode(module: Module) -> Option<&'static [u8]> {
    let triple = module.triple();
    let mut parts = triple.split('-');
    let machine = parts.next();
    let linux = parts.any(|p| p == "linux");
    match machine {
        Some("x86_64") if linux => Some(X86_64),
        Some("aarch64") if linux => Some(AARCH64),
        _ => None,
    }
}

/// Takes the run-time part, given as `bitcode`, into `module`.
pub fn link(module: Module, bitcode: &[u8]) -> Result<Runtime, String> {
    let before: crate::map::HashSet<Function> = module.functions().into_iter().collect();
    module.link(bitcode)?;
    for f in module.functions() {
        if !before.contains(&f) && !f.blocks().is_empty() {
            f.set_internal();
            // On the way of settled launches: `FAST` in rt/rt_base.h. All else is optimised already, and optimising it
            // again would take a fifth of a second in each compile.
            if f.has_attribute("hot") {
                f.optimise_for_speed();
            } else {
                f.leave_as_it_is();
            }
        }
    }
    let function = |name: &str| {
        let f = module.function(name);
        f.ok_or(format!("the run-time part has no {name}"))
    };
    Ok(Runtime {
        launch: function(LAUNCH)?,
        launch_ex: function(LAUNCH_EX)?,
    })
}
