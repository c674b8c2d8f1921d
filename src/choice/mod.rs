//! The host's choice: which kernel, in which blocks, a launch runs.
//!
//! ```text
//! device  K               clang's
//!         K$mesi$0 …      its versions, each of which tests its launch itself                        (crate::own)
//!         K$mesi$0$gate   bytes: those tests, as a function of host code                             (gate.rs, record.rs)
//!         K$mesi$0$pays$gate  bytes: whether the model is sure that a launch gains
//!         K$blocks.…      bytes: launches whose threads may be dealt out to blocks of another size   (blocks.rs)
//!         K$mesi$gate     bytes: what the run-time part has to know of K besides                     (about.rs)
//! host    reads the bytes out of the fat binary that clang embeds                                    (fatbin.rs, offload.rs)
//!         tells the runtime about the versions as it does about K                                    (registered.rs)
//!         cudaLaunchKernel(K, …)  ──►  mesi_launch(&record of K, …)                                  (stub.rs)
//!         links the run-time part in, which chooses                                                  (runtime.rs, rt/)
//! ```
//! A gate may say yes where a version then finds that it may not run, as what only a block can tell counts as holding: the version has K's body for
//! that. Where a gate says no the version is not launched.
//!
//! Why through the fat binary: host code is compiled after device code, by another process, which sees no kernel's body.
//! What the driver embeds for it is all that the two share.

mod about;
mod blocks;
mod fatbin;
mod gate;
mod offload;
mod record;
mod registered;
mod runtime;
mod stub;

use crate::kernel::Kernel;
use crate::llvm::ir::{Block, Function, Module, Value};
use crate::plan::Regroup;
use crate::remark::{Sink, Site};
use std::collections::HashSet;

pub use about::About;
pub use record::Shared;
pub use stub::dispatch;

/// What the name of the record of its blocks adds; behind it stands what it rests on. The tools have these names from `mesi_launch`, without LLVM.
const BLOCKS: &str = "$blocks";
/// What the name of the kernel about which a record is adds.
const ABOUT: &str = "$mesi";
/// What the name of a version adds for the record of what it gains.
const PAYS: &str = "$pays";
/// What the gate's name adds to the kernel's.
const GATE: &str = "$gate";

/// Keeps for the host what a version's entry tests, and whether the model is sure that a launch gains, as the tests from `pays` on say; none: always.
/// `original`: the blocks of the kernel as it was; `shared`: static shared memory of both.
pub fn keep_gates(
    version: Function,
    original: &HashSet<Block>,
    pays: Option<Block>,
    shared: Shared,
) {
    let entry = Some(version.entry());
    for (suffix, from, shared) in [("", entry, shared), (PAYS, pays, Shared::default())] {
        let name = format!("{}{suffix}", version.name());
        let gate = format!("{name}{GATE}");
        let asked = from.and_then(|from| gate::bitcode(from, original, &gate));
        let bitcode = asked.unwrap_or_else(|| gate::always(version.module(), &gate));
        let bytes = record::write(&name, shared, &bitcode);
        version.module().add_kept_bytes(&gate, &bytes);
    }
}

/// Keeps for the host what the run-time part has to know of `kernel`.
pub fn keep_about(kernel: Function, about: &About) {
    let name = format!("{}{ABOUT}", kernel.name());
    let bytes = record::write(&name, Shared::default(), &about.bytes());
    let gate = format!("{name}{GATE}");
    kernel.module().add_kept_bytes(&gate, &bytes);
}

/// Tells the host in what blocks a kernel, still untouched, may be launched, if in any but its own.
pub fn tell_blocks(kernel: &Kernel, regroup: &Regroup, sink: &mut Sink) {
    if regroup.is_none() {
        return;
    }
    let function = kernel.function;
    let basis = blocks::basis(kernel, regroup);
    let name = format!("{}{BLOCKS}{basis}", function.name());
    let gate = format!("{name}{GATE}");
    let Some(bitcode) = blocks::bitcode(kernel, regroup, &gate) else {
        return;
    };
    let bytes = record::write(&name, Shared::default(), &bitcode);
    function.module().add_kept_bytes(&gate, &bytes);
    for rule in regroup.lines() {
        let text = format!("host code that is compiled with mesi launches it in {rule}");
        sink.analysis(Site::kernel(function), "HostBlocks", text);
    }
}

/// The gates of a module whose kernels were staged, as LLVM's text.
pub fn gates(module: Module) -> String {
    let named = |g: &Value| g.name().ends_with(GATE);
    let globals = module.globals().into_iter().filter(named);
    let bytes = globals.filter_map(Value::initial_bytes);
    let records = bytes.flat_map(record::read_all);
    let texts = records.map(|r| module.text_of(r.bitcode).unwrap_or_else(|e| e));
    texts.collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tools_know_the_names() {
        use mesi_launch as tools;
        let names = [
            tools::ABOUT,
            tools::PAYS,
            tools::GATE,
            tools::BLOCKS,
            tools::VERSION,
        ];
        assert_eq!(
            [
                super::ABOUT,
                super::PAYS,
                super::GATE,
                super::BLOCKS,
                crate::own::VERSION
            ],
            names
        );
    }
}
