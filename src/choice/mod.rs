//! The host's choice: launches that gain nothing run the kernel as it was.
//!
//! A launch that no version serves runs the original body inside the staged kernel, and still pays for its tiles, which
//! take room from the L1 cache, and for its registers. Only the host can do better, as it picks what is launched.
//!
//! ```text
//! device  K            staged, tests its launch itself: whoever launches it gets the right bits
//!         K$original   a clone of the untouched kernel                                     (this file)
//!         K$gate       bytes: the tests of K's entry, as a function of host code           (gate.rs, record.rs)
//!         K$plain      where the original has more registers than clang gives it: a clone that has not, for full grids of
//!                      short loops; K$original$gate tells them apart                       (plan::plain)
//!         K$blocks.…   bytes: launches whose threads may be dealt out to blocks of another size    (blocks.rs)
//! host    reads K$gate out of the fat binary that clang embeds                             (fatbin.rs, offload.rs)
//!         tells the runtime about K$original as it does about K                            (registered.rs)
//!         leaves launches as they are that a stream records for a graph                    (capture.rs)
//!         cudaLaunchKernel(K, …)  ──►  cudaLaunchKernel(gate(…) ? K : K$original, …)       (stub.rs)
//!                                      or gate(…) ? K : K$original$gate(…) ? K$original : K$plain
//!                                      with the grid and the block that K$blocks.…$gate(…) leaves
//! ```
//! The gate is advice: nothing rests on it, so a fact that only a block can tell counts as holding.
//!
//! Why through the fat binary: host code is compiled after device code, by another process, which sees no kernel's body.
//! What the driver embeds for it is all that the two share.

mod blocks;
mod capture;
mod fatbin;
mod gate;
mod offload;
mod record;
mod registered;
mod stub;

use crate::kernel::Kernel;
use crate::llvm::ir::{Block, Function, Module, Value};
use crate::llvm::rolled;
use crate::plan::Regroup;
use crate::remark::{Sink, Site};
use std::collections::HashSet;

pub use record::Shared;
pub use stub::dispatch;

/// What the original's name adds to the kernel's. The tools have this and the gate's from `mesi_launch`, without LLVM.
const ORIGINAL: &str = "$original";
/// What that of the original as clang makes it adds.
const PLAIN: &str = "$plain";
/// Registers with which a block of 1024 threads can be launched.
const REGISTERS: &str = "64";
/// What the name of the record of its blocks adds; behind it stands what it rests on.
const BLOCKS: &str = "$blocks";
/// The attribute of a clone.
const KEPT: &str = "mesi.original";
/// What the gate's name adds to the kernel's.
const GATE: &str = "$gate";

/// Whether `f` is a kernel's clone that was kept.
pub fn is_original(f: Function) -> bool {
    f.string_attribute(KEPT).is_some()
}

/// Gives a clone the registers that the original has inside the staged kernel: of its own accord ptxas takes 32 at most, so that
/// many warps fit, and then not half of a long loop's loads are under way at once. That is for loops that were lengthened, and
/// those that load what is not in L1, which ptxas unrolls by itself then (`mv_row` x1.2; a loop that LLVM unrolled by eight it leaves); others lose
/// warps by them and gain nothing (`nested_reuse`, blocks of 1024 threads: 48 registers x0.83). Whether it gets them: a program's own limit stays.
pub fn with_registers(clone: Function) -> bool {
    let told = ["nvvm.maxnreg", "nvvm.minctasm"];
    let free = told.iter().all(|k| clone.string_attribute(k).is_none());
    if free {
        clone.add_string_attribute("nvvm.maxnreg", REGISTERS);
    }
    free
}

/// A kernel before it is staged.
pub struct Kept {
    function: Function,
    clone: Function,
    /// The kernel's own blocks, in the clone's order.
    blocks: Vec<Block>,
}

/// Clones `function`, which is about to be staged; `None`: the program has functions of the clones' names.
pub fn keep(function: Function) -> Option<Kept> {
    let named = |suffix: &str| format!("{}{suffix}", function.name());
    let is_free = |name: String| function.module().function(&name).is_none();
    if ![ORIGINAL, PLAIN].map(named).into_iter().all(is_free) {
        return None;
    }
    let clone = function.duplicate(&named(ORIGINAL));
    clone.add_string_attribute(KEPT, "");
    Some(Kept {
        function,
        clone,
        blocks: function.blocks(),
    })
}

impl Kept {
    /// The first block of the kernel as it was.
    pub fn original(&self) -> Block {
        self.blocks[0]
    }

    /// Adds the gate, where there is one; without it the clone is of no use, and goes. `far`: it loads what L1 has not;
    /// `question`: where it is asked which of the launches turned away have no use for the registers that it gets; `shared`: static shared
    /// memory of both.
    pub fn settle(self, far: bool, question: Option<Block>, shared: Shared, sink: &mut Sink) {
        let name = self.function.name();
        let gate = format!("{name}{GATE}");
        let original = self.blocks.iter().copied().collect();
        let Some(bitcode) = gate::bitcode(self.function.entry(), &original, &gate) else {
            return self.discard();
        };
        match question {
            Some(asked) => self.lengthen_beside_plain(far, asked, &original),
            None => {
                self.lengthen(far);
            }
        }
        let bytes = record::write(&name, shared, &bitcode);
        self.function.module().add_kept_bytes(&gate, &bytes);
        let site = Site::kernel(self.function);
        let text = "the original is kept beside it: host code that is compiled with mesi launches that where nothing is gained";
        sink.analysis(site, "HostChoice", text);
    }

    /// As `lengthen`; where the clone gets registers by it, one more stays as it is, for launches that the tests from `asked` on turn away.
    fn lengthen_beside_plain(&self, far: bool, asked: Block, original: &HashSet<Block>) {
        let name = self.clone.name();
        let gate = format!("{name}{GATE}");
        let Some(bitcode) = gate::bitcode(asked, original, &gate) else {
            self.lengthen(far);
            return;
        };
        let plain = format!("{}{PLAIN}", self.function.name());
        let plain = self.clone.duplicate(&plain);
        if !self.lengthen(far) {
            return plain.delete();
        }
        let bytes = record::write(&name, Shared::default(), &bitcode);
        self.function.module().add_kept_bytes(&gate, &bytes);
    }

    /// Marks the clone's loops to be lengthened as the original's are. Where some are and it loads `far` it gets registers;
    /// whether it did.
    fn lengthen(&self, far: bool) -> bool {
        let module = self.function.module();
        let mut any = false;
        for (original, clone) in self.blocks.iter().zip(self.clone.blocks()) {
            any |= rolled::copy_long(module, original.terminator(), clone.terminator());
        }
        any && far && with_registers(self.clone)
    }

    /// Drops the clone: nothing was staged after all.
    pub fn discard(self) {
        self.clone.delete();
    }
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
        let names = [tools::ORIGINAL, tools::PLAIN, tools::GATE, tools::BLOCKS];
        assert_eq!(
            [super::ORIGINAL, super::PLAIN, super::GATE, super::BLOCKS],
            names
        );
    }
}
