//! The plug-in's entry point, the names of its passes, and what happens when.
//!
//! ```text
//! clang -fpass-plugin=libmesi.so       OptimizerEarly: pass::run      OptimizerLast: the second look
//! opt -passes=mesi<knob=value;...>     pass::run
//! opt -passes=print<mesi-plan>         pass::print
//! ```
//! LLVM calls in through three functions, each behind the panic boundary. A module that is not
//! NVPTX is never touched, nor one that carries [`MARK`] already.

use crate::boundary;
use crate::choice;
use crate::linkage;
use crate::llvm::{self, Function, Module, rolled, sys};
use crate::logarithm;
use crate::options;
use crate::own;
use crate::pass;
use crate::remark::{Sink, Site};
use crate::stage::Stage;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMModuleRef};
use std::ffi::c_char;

/// Named metadata of a module that the pass has been over. A plug-in loaded twice registers its
/// callbacks twice, and a second run would take the first one's shared memory for the user's.
const MARK: &str = "mesi.ran";

static CALLBACKS: sys::Callbacks = sys::Callbacks {
    run,
    is_ours,
    keep_rolled: None,
};
static CALLBACKS_ROLLED: sys::Callbacks = sys::Callbacks {
    run,
    is_ours,
    keep_rolled: Some(keep_rolled),
};

/// What LLVM looks up by name after loading the library.
///
/// It has to be a Rust function: one defined in the shim's static library is not exported.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> sys::PassPluginLibraryInfo {
    if let Err(why) = llvm::host::shares_llvm() {
        eprintln!("error: mesi: {why}");
        // SAFETY: leaves at once, without the destructors of two LLVMs that share names.
        unsafe { libc::_exit(1) }
    }
    let first = options::register();
    if !first {
        eprintln!("warning: mesi: a second copy of libmesi.so is loaded; only the first one runs");
    }
    sys::PassPluginLibraryInfo {
        api_version: 2,
        name: c"mesi".as_ptr(),
        version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register: Some(if first { register } else { register_nothing }),
        pre_codegen: None,
    }
}

extern "C" fn register_nothing(_: *mut sys::PassBuilder) {}

extern "C" fn register(builder: *mut sys::PassBuilder) {
    // The command line is parsed by now. A wrong one is reported when the pass runs.
    let rolled = options::collect("mesi").is_ok_and(|o| o.keep_rolled && !o.disable);
    let callbacks = if rolled {
        &CALLBACKS_ROLLED
    } else {
        &CALLBACKS
    };
    // SAFETY: the builder is LLVM's own and the callbacks are static.
    unsafe { sys::mesi_register(builder, callbacks) }
}

extern "C" fn is_ours(name: *const c_char, size: usize) -> bool {
    // SAFETY: LLVM passes a string of its own.
    let name = unsafe { llvm::text_from(name, size) };
    name == "mesi"
        || (name.ends_with('>') && (name.starts_with("mesi<") || name.starts_with("print<mesi-")))
}

extern "C" fn keep_rolled(header: LLVMBasicBlockRef) -> bool {
    boundary::guard(|| {
        let kernel = llvm::Block::new(header).function();
        is_device(kernel.module()) && kernel.is_kernel()
    })
    .unwrap_or(false)
}

extern "C" fn run(
    place: u32,
    level: u32,
    module: LLVMModuleRef,
    text: *const c_char,
    size: usize,
) -> bool {
    let module = Module::new(module);
    // SAFETY: the shim passes the pass object's own string.
    let text = unsafe { llvm::text_from(text, size) };
    let outcome = boundary::guard(|| match place {
        sys::EARLY | sys::BEFORE_LINK if !is_device(module) => {
            launch(module, &text, place == sys::BEFORE_LINK)
        }
        sys::LAST if !is_device(module) => Ok(choice::after_pipeline(module)),
        _ if !is_device(module) => Ok(false),
        sys::BEFORE_LINK => {
            remark_all(
                module,
                "MadeAtLink",
                "left alone: its machine code is made at the link, where no version can be told to host code; \
                 leave out -foffload-lto",
            );
            Ok(false)
        }
        sys::EARLY if level == 0 => {
            remark_all(
                module,
                "NotOptimized",
                "left alone at -O0: compile with -O1 or more",
            );
            Ok(mend(module, &text))
        }
        sys::LAST => look_again(module, &text),
        sys::NAMED if text.starts_with("print<") => print(module, &text).map(|()| false),
        sys::EARLY => {
            let mended = mend(module, &text);
            stage(module, &text, true).map(|changed| changed | mended)
        }
        sys::NAMED => stage(module, &text, false),
        _ => Err(format!("the shim ran the pass at an unknown place {place}")),
    });
    outcome.and_then(|o| o).unwrap_or_else(|line| {
        Sink::new(module).error(None, line);
        // After a fault nothing is known about the module; let no analysis be believed.
        true
    })
}

/// Mends what nvlink cannot bind, at any level, unless the plug-in is disabled; whether there was any.
fn mend(module: Module, text: &str) -> bool {
    options::collect(text).is_ok_and(|o| !o.disable) && linkage::mend(module)
}

fn is_device(module: Module) -> bool {
    module.triple().starts_with("nvptx")
}

fn kernels(module: Module) -> impl Iterator<Item = Function> {
    let all = module.functions().into_iter().filter(|f| f.is_kernel());
    all.filter(|f| !own::is_version(*f))
}

fn remark_all(module: Module, name: &str, text: &str) {
    let mut sink = Sink::new(module);
    kernels(module).for_each(|k| sink.analysis(Site::kernel(k), name, text));
}

/// Host code: its launches choose between staged kernels and their originals, and what g++ folds is folded. Wrong
/// options are the device side's to report.
fn launch(module: Module, text: &str, at_link: bool) -> Result<bool, String> {
    let wanted = |o: options::Options| !o.disable && o.host != Some(false);
    if !options::collect(text).is_ok_and(wanted) || llvm::has_mark(module, MARK) {
        return Ok(false);
    }
    let folded = logarithm::fold(module);
    let changed = choice::dispatch(module, at_link, &mut Sink::new(module))?;
    if changed {
        llvm::set_mark(module, MARK);
    }
    Ok(changed | folded)
}

/// The pass proper; `in_clang`: host code is compiled with the plug-in, too.
fn stage(module: Module, text: &str, in_clang: bool) -> Result<bool, String> {
    let mut options = options::collect(text)?;
    let mut sink = Sink::new(module);
    options.host = options.host.or(Some(in_clang));
    if options.disable {
        remark_all(module, "Disabled", "left alone: mesi is disabled by option");
        return Ok(false);
    }
    if llvm::has_mark(module, MARK) {
        remark_all(
            module,
            "RanBefore",
            "left alone: mesi has been over this module",
        );
        return Ok(false);
    }
    let mut changed = pass::run(module, &options, &mut sink);
    for kernel in module.functions().into_iter().filter(|f| f.is_kernel()) {
        changed |= rolled::release(kernel);
    }
    llvm::set_mark(module, MARK);
    Ok(changed)
}

/// The second look, at the end of the optimizer. Wrong options were reported at the first.
fn look_again(module: Module, text: &str) -> Result<bool, String> {
    let Ok(options) = options::collect(text) else {
        return Ok(false);
    };
    let changed =
        !options.disable && pass::after_pipeline(module, &options, &mut Sink::new(module));
    Ok(choice::pack(module) || changed)
}

/// `print<mesi-STAGE;knob=value;...>`.
fn print(module: Module, text: &str) -> Result<(), String> {
    let subject = text.trim_start_matches("print<mesi-").trim_end_matches('>');
    let name = subject.split(';').next().unwrap_or("");
    let stage = Stage::parse_printable(name).map_err(|e| format!("print<mesi-{name}>: {e}"))?;
    let options = options::collect(text)?;
    pass::print(module, &options, stage, &mut Sink::new(module));
    Ok(())
}
