//! The host's choice: which kernel, in which blocks, a launch runs.
//!
//! ```text
//! device  K               clang's
//!         K$mesi$0 …      its versions, each of which tests its launch itself               (crate::own)
//!         K$mesi$0$gate   bytes: those tests, as a function of host code                    (gate.rs, record.rs)
//!         K$mesi$0$pays$gate  bytes: whether the model is sure that a launch gains
//!         K$mesi$0$large$gate bytes: whether a launch is large enough for a version to be loaded at once
//!         K$mesi$0$mapped$gate bytes: where that lies which must be memory             (mapped.rs)
//!         K$mesi$0$fold$gate  bytes: the launch of a version in another way          (host.rs, each `Relaunch`)
//!         K$blocks.…      bytes: launches whose threads may be dealt out to blocks of another size  (blocks.rs)
//!         K$mesi$gate     bytes: what the run-time part has to know of K besides            (about.rs)
//! host    reads the bytes out of the fat binary that clang embeds                           (fatbin.rs, offload.rs)
//!         tells the runtime about the versions as it does about K                           (registered.rs)
//!         cudaLaunchKernel(K, …)  ──►  mesi_launch(&record of K, …)                         (stub.rs)
//!         links the run-time part in, which chooses                                         (runtime.rs, rt/)
//! ```
//! A gate may say yes where a version then finds that it may not run, as what only a block can tell counts as holding:
//! the version has K's body for that. Where a gate says no the version is not launched.
//!
//! Why through the fat binary: host code is compiled after device code, by another process, which sees no kernel's
//! body. What the driver embeds for it is all that the two share.

mod about;
mod blocks;
mod fatbin;
mod gate;
mod host;
mod leaders;
mod linked;
mod magnitude;
mod mapped;
mod numbers;
mod offload;
mod packed;
mod record;
mod registered;
mod runtime;
mod stub;

use crate::kernel::Kernel;
use crate::llvm::ir::{Block, Function, Module, Value};
use crate::map::HashSet;
use crate::plan::Reshape;
use crate::remark::{Sink, Site};

pub use about::About;
pub use gate::is_known as host_knows;
pub use host::{Host, Relaunch};
pub use leaders::{Leaders, read_as_first};
pub use linked::after_pipeline;
pub use mapped::{RANGES, Range};
pub use record::{FOLDED, MAPPED, Needs, RELIES};
pub use stub::dispatch;

/// What the name of the record of its blocks adds; behind it stands what it rests on. The tools have these names from
/// `mesi_launch`, without LLVM.
const BLOCKS: &str = "$blocks";
/// What the name of the kernel about which a record is adds.
const ABOUT: &str = "$mesi";
/// What the name of a version adds for the record of what it gains.
const PAYS: &str = "$pays";
/// What the name of a kernel's first version adds for the record of which launches are large.
const LARGE: &str = "$large";
/// What the name of a version that is launched in another way adds for the record of how it is launched.
const FOLD: &str = "$fold";
/// What the name of a version adds for the record of what must be memory.
const MEMORY: &str = "$mapped";
/// What the gate's name adds to the kernel's.
const GATE: &str = "$gate";

/// The constant that all records of a module become in the end.
const RECORDS: &str = "mesi$records";

/// The records of one version: their globals' names and bytes.
pub struct Gates(Vec<(String, Vec<u8>)>);

impl Gates {
    /// With how the host launches the version of a copy of `kernel` that is launched in another way, if `tests` hold,
    /// which the copy holds; `None`: it does not know how.
    pub fn relaunched(
        mut self,
        kernel: &Kernel,
        (how, tests): (&dyn Relaunch, &[Value]),
        version: &str,
    ) -> Option<Gates> {
        let name = format!("{version}{FOLD}");
        let gate = format!("{name}{GATE}");
        let bitcode = host::bitcode(kernel, how, tests, &gate)?;
        let bytes = record::write(&name, Needs::default(), &bitcode);
        self.0.push((gate, bytes));
        let pays = format!("{version}{PAYS}");
        let gate = format!("{pays}{GATE}");
        if let Some(bitcode) = host::pays(kernel, how, &gate) {
            let (_, bytes) = self.0.iter_mut().find(|(name, _)| *name == gate)?;
            *bytes = record::write(&pays, Needs::default(), &bitcode);
        }
        Some(self)
    }

    /// With what the host asks of the program's launch for `version`, which keeps it; `None`: it cannot tell.
    pub fn of_own_launch(
        mut self,
        version: &Kernel,
        how: &dyn Relaunch,
        needs: Needs,
    ) -> Option<Gates> {
        let name = version.function.name();
        let gate = format!("{name}{GATE}");
        let bitcode = host::bitcode(version, how, &[], &gate)?;
        let (_, bytes) = self.0.iter_mut().find(|(name, _)| *name == gate)?;
        *bytes = record::write(&name, needs, &bitcode);
        Some(self)
    }

    /// With where that lies which must be memory: `ranges`, which the version, `function`, holds; `None`: the host does
    /// not know. Without any there is nothing to ask.
    pub fn mapped(mut self, function: Function, ranges: &[Range]) -> Option<Gates> {
        if !ranges.is_empty() {
            let name = format!("{}{MEMORY}", function.name());
            let gate = format!("{name}{GATE}");
            let bitcode = mapped::bitcode(function, ranges, &gate)?;
            self.0
                .push((gate, record::write(&name, Needs::default(), &bitcode)));
        }
        Some(self)
    }

    /// Keeps them in `module` for the host.
    pub fn keep(self, module: Module) {
        for (name, bytes) in self.0 {
            module.add_kept_bytes(&name, &bytes);
        }
    }
}

/// What is asked before a version is launched, by the tests from `sound` on (none: it may run any launch), and by those
/// from `pays` on whether the model is sure that it gains (none: never). `version`: with its kernel's own blocks.
pub fn gates_of(
    version: &Kernel,
    sound: Option<Block>,
    pays: Option<Block>,
    needs: Needs,
) -> Gates {
    let name = version.function.name();
    let sound = gate_of(version, (name.clone(), needs), sound, true);
    // A gain that nothing is known of is none that is sure.
    let pays_of = (format!("{name}{PAYS}"), Needs::default());
    let pays = gate_of(version, pays_of, pays, pays.is_some());
    Gates(vec![sound, pays])
}

/// Tells the host which launches are large, by the tests from `large` on, which stand in a clone of the kernel; none:
/// all are. `symbol`: of the kernel's first version.
pub fn tell_large(clone: &Kernel, large: Option<Block>, symbol: &str) {
    let of = (format!("{symbol}{LARGE}"), Needs::default());
    Gates(vec![gate_of(clone, of, large, true)]).keep(clone.function.module());
}

/// The name and the bytes of a gate that holds what the tests from `from` on ask; `otherwise`: what it says if they ask
/// nothing. `kernel`: with the blocks that it had before them.
fn gate_of(
    kernel: &Kernel,
    (name, needs): (String, Needs),
    from: Option<Block>,
    otherwise: bool,
) -> (String, Vec<u8>) {
    let original: HashSet<Block> = kernel.blocks.iter().copied().collect();
    let gate = format!("{name}{GATE}");
    let sliced = from.and_then(|from| gate::bitcode(from, &original, &gate));
    let module = kernel.function.module();
    let bitcode = sliced.unwrap_or_else(|| gate::constant(module, &gate, otherwise));
    let bytes = record::write(&name, needs, &bitcode);
    (gate, bytes)
}

/// Takes back what the host would launch a version by: no host knows of it any more.
pub fn withdraw(version: Function) {
    let gate = format!("{}{GATE}", version.name());
    let mut globals = version.module().globals().into_iter();
    if let Some(record) = globals.find(|g| g.name() == gate) {
        record.remove_initializer();
    }
}

/// Makes one constant of a module's records, whether there are any: whoever loads the module's image pays for each of
/// its globals.
pub fn pack(module: Module) -> bool {
    let globals = module.globals().into_iter();
    let records = globals.filter(|g| g.name().ends_with(GATE));
    let records = records.filter_map(|g| Some((g, g.initial_bytes()?)));
    let records: Vec<_> = records.filter(|r| record::is_record(r.1)).collect();
    let bytes: Vec<u8> = records.iter().flat_map(|r| r.1).copied().collect();
    if !records.is_empty() {
        module.add_kept_bytes(RECORDS, &packed::pack(&bytes));
    }
    records.iter().for_each(|r| r.0.drop_kept());
    !records.is_empty()
}

/// Keeps for the host what the run-time part has to know of `kernel`.
pub fn keep_about(kernel: Function, about: &About) {
    let name = format!("{}{ABOUT}", kernel.name());
    let bytes = record::write(&name, Needs::default(), &about.bytes());
    let gate = format!("{name}{GATE}");
    kernel.module().add_kept_bytes(&gate, &bytes);
}

/// Tells the host in what blocks a kernel, still untouched, may be launched.
pub fn tell_blocks(kernel: &Kernel, reshape: &Reshape, sink: &mut Sink) {
    let function = kernel.function;
    let basis = blocks::basis(kernel, reshape);
    let name = format!("{}{BLOCKS}{basis}", function.name());
    let gate = format!("{name}{GATE}");
    let Some(bitcode) = blocks::bitcode(kernel, reshape, &gate) else {
        return;
    };
    let bytes = record::write(&name, Needs::default(), &bitcode);
    function.module().add_kept_bytes(&gate, &bytes);
    for rule in reshape.lines() {
        let text = format!("host code that is compiled with mesi may launch it in {rule}");
        sink.analysis(Site::kernel(function), "HostBlocks", text);
    }
}

/// The gates of a module whose kernels were staged, as LLVM's text.
pub fn gates(module: Module) -> String {
    let named = |g: &Value| g.name().ends_with(GATE);
    let globals = module.globals().into_iter().filter(named);
    let bytes = globals.filter_map(Value::initial_bytes);
    let records = bytes.flat_map(record::read_all);
    let texts = records.map(|r| match About::read(r.bitcode) {
        Some(about) if r.kernel.ends_with(ABOUT) => about.to_string(),
        _ => module.text_of(r.bitcode).unwrap_or_else(|e| e),
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tools_know_the_names() {
        use mesi_launch as tools;
        let kernels = [(super::ABOUT, tools::ABOUT), (super::BLOCKS, tools::BLOCKS)];
        let versions = [(super::PAYS, tools::PAYS), (super::FOLD, tools::FOLD)];
        let both = [(super::GATE, tools::GATE), (super::MEMORY, tools::MAPPED)];
        for (ours, theirs) in [kernels, versions, both].concat() {
            assert_eq!(ours, theirs);
        }
    }
}
