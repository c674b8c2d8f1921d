//! Whether a stream records launches for a graph in place of running them.
//!
//! ```text
//! define internal i1 @mesi.captures(ptr %stream)
//!   the stream of all, or a runtime without capture                     ret false
//!   cudaStreamIsCapturing(%stream, &status);                            ret status != 0
//! ```
//! A node of a graph may be given other arguments, grids and blocks later (`cudaGraphExecKernelNodeSetParams`), and programs tell nodes by the
//! function they launched. What was chosen for the arguments at hand would not do for others: threads more that ended
//! at once would have work. So what is recorded is the program's own launch.

use crate::llvm::ir::{Builder, Function, Module, Pred, Type};

/// What asks the runtime (10.0 and later), and its name's end where each thread has a default stream of its own.
const ASKS: &str = "cudaStreamIsCapturing";
const OF_THREAD: &str = "_ptsz";
const NAME: &str = "mesi.captures";

/// The function that says so, in host code, for streams as `launch`, which launches kernels, takes them.
pub fn function(module: Module, launch: &str) -> Function {
    let (pointer, i32t) = (Type::pointer(module, 0), Type::int(module, 32));
    let end = match launch.ends_with(OF_THREAD) {
        true => OF_THREAD,
        false => "",
    };
    let name = format!("{NAME}{end}");
    if let Some(known) = module.function(&name) {
        return known;
    }
    // Weak, so that what links without the plug-in links with it. It lies where what launches lies, so it is there if that is.
    let asks = format!("{ASKS}{end}");
    let asks = module.function(&asks).unwrap_or_else(|| {
        let f = module.add_function(&asks, i32t, &[pointer, pointer]);
        f.set_weak();
        f
    });
    let (i1t, i64t) = (Type::int(module, 1), Type::int(module, 64));
    let f = module.add_function(&name, i1t, &[pointer]);
    f.set_internal();
    f.add_attribute("nounwind");
    let [start, asked, not] = ["", "asked", "not"].map(|n| f.append_block(n));
    let stream = f.params()[0];
    let b = Builder::new(module);
    b.at_end(start);
    let status = b.alloca(i32t);
    b.store(i32t.constant(0), status, 4);
    // No stream, or its other name, 1, is the stream of all, which records nothing, and where to ask is an error; for threads' own, 1 alone is.
    let number = b.ptrtoint(stream, i64t);
    let of_all = match end {
        OF_THREAD => b.icmp(Pred::LLVMIntEQ, number, i64t.constant(1)),
        _ => b.icmp(Pred::LLVMIntULE, number, i64t.constant(1)),
    };
    let none = b.icmp(
        Pred::LLVMIntEQ,
        b.ptrtoint(asks.value(), i64t),
        i64t.constant(0),
    );
    b.cond_br(b.or(of_all, none), not, asked);
    b.at_end(asked);
    b.call(asks, &[stream, status]);
    let status = b.load(i32t, status, 4);
    b.ret(b.icmp(Pred::LLVMIntNE, status, i32t.constant(0)));
    b.at_end(not);
    b.ret(i1t.constant(0));
    f
}
