//! The run-time part (`rt/`), which chooses what a launch runs, as code of each host module.
//!
//! It is C, compiled by the build script for each kind of host, and travels in the plug-in as assembly and as bitcode.
//! Each host module that has something to choose gets a copy that no other module sees: nothing new has to be linked,
//! and files of several builds of the plug-in make one program.
//!
//! The copy is assembly where that can be: LLVM makes code of bitcode again in each compile, which takes a tenth of a
//! second. It is bitcode where ([`Form::of`]) the linker makes the module's code, or the assembler or the code around
//! it are not as usual.

use crate::llvm::CommandLineOption;
use crate::llvm::ir::{Function, Module, Outside};
use lz4_flex::block::decompress_size_prepended;

/// What launches a kernel in place of `cudaLaunchKernel`, and of `cudaLaunchKernelExC`; see `rt/mesi_rt.h`.
const ENTRIES: [&str; 2] = ["mesi_launch", "mesi_launch_ex"];
/// What the structs there are like.
pub const ABI: i64 = 8;
/// Versions, and integers, that a record has room for.
pub const VERSIONS: usize = 4;
pub const SCALARS: usize = 8;

/// It for one kind of host, packed: blocks of LZ4 behind their lengths.
pub struct Code {
    bitcode: &'static [u8],
    assembly: &'static [u8],
}

macro_rules! code_of {
    ($host:literal) => {
        Code {
            bitcode: include_bytes!(concat!(env!("OUT_DIR"), "/mesi_rt.", $host, ".bc.lz4")),
            assembly: include_bytes!(concat!(env!("OUT_DIR"), "/mesi_rt.", $host, ".s.lz4")),
        }
    };
}

static X86_64: Code = code_of!("x86_64");
static AARCH64: Code = code_of!("aarch64");

/// LLVM's number for code that may lie anywhere in memory.
const LARGE_MODEL: u64 = 4;

/// The run-time part of a host module.
pub struct Runtime {
    /// Launches by `cudaLaunchKernel`'s arguments, with a record in place of the stub.
    pub launch: Function,
    /// Launches by `cudaLaunchKernelExC`'s.
    pub launch_ex: Function,
}

/// As what a module takes it in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Assembly,
    Bitcode,
}

impl Form {
    /// That for `module`; `at_link`: its machine code is made when the program is linked. `needed`: what the run-time
    /// part has, and what it calls.
    fn of(module: Module, needed: &[Outside], at_link: bool) -> Form {
        let triple = module.triple();
        // Pointers of 32 bits on these machines: `gnux32`, `gnu_ilp32`.
        let short = triple.ends_with("32");
        let far = module.flag("Code Model") == Some(LARGE_MODEL);
        // Assembly of the other dialect, which the option asks for, is printed and read beside the code's own.
        let dialect = CommandLineOption::is_given("x86-asm-syntax");
        // What assembly calls by a name is the module's own function of that name, if there is one.
        let hidden = |o: &Outside| {
            let ours = ENTRIES.contains(&o.name.as_str());
            // Where the source says how the assembler calls a function, its name begins so.
            let names = [o.name.clone(), format!("\u{1}{}", o.name)];
            let mut own = names.iter().filter_map(|n| module.function(n));
            own.any(|f| ours || (!o.is_there && f.is_internal()))
        };
        match at_link || short || far || dialect || needed.iter().any(hidden) {
            true => Form::Bitcode,
            false => Form::Assembly,
        }
    }
}

/// The run-time part for the host that `module` is code of; `None`: there is none for this kind.
pub fn code(module: Module) -> Option<&'static Code> {
    let triple = module.triple();
    let (machine, rest) = triple.split_once('-')?;
    let linux = rest.split('-').any(|p| p == "linux");
    match machine {
        "x86_64" if linux => Some(&X86_64),
        "aarch64" if linux => Some(&AARCH64),
        _ => None,
    }
}

/// Takes the run-time part into `module`; `at_link`: the module's machine code is made when the program is linked.
pub fn link(module: Module, code: &Code, at_link: bool) -> Result<Runtime, String> {
    let unpacked = |block| decompress_size_prepended(block).map_err(|e| e.to_string());
    let bitcode = unpacked(code.bitcode)?;
    let needed = module.functions_of(&bitcode)?;
    match Form::of(module, &needed, at_link) {
        Form::Bitcode => take_bitcode(module, &bitcode)?,
        Form::Assembly => {
            module.add_assembly(&String::from_utf8_lossy(&unpacked(code.assembly)?));
            let entries = needed.iter().filter(|o| ENTRIES.contains(&o.name.as_str()));
            entries.for_each(|o| _ = module.declare(o));
        }
    }
    let function = |name: &str| {
        let f = module.function(name);
        f.ok_or(format!("the run-time part has no {name}"))
    };
    let [launch, launch_ex] = ENTRIES.map(function);
    Ok(Runtime {
        launch: launch?,
        launch_ex: launch_ex?,
    })
}

fn take_bitcode(module: Module, bitcode: &[u8]) -> Result<(), String> {
    let before: crate::map::HashSet<Function> = module.functions().into_iter().collect();
    module.link(&[bitcode])?;
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
    Ok(())
}
