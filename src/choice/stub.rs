//! Host code: every launch of a kernel that has versions asks the run-time part.
//!
//! ```text
//! @"K$mesi$0" = internal global i8 0                       what the version is launched by, as K is by its stub
//! @"K$mesi" = internal global { … }                        a `struct mesi_kernel` of rt/mesi_rt.h
//! cudaLaunchKernel(@stub, grid, block, args, shared, stream)       becomes
//! mesi_launch(@"K$mesi", grid, block, args, shared, stream)
//! cudaLaunchKernelExC(config, @stub, args)                         becomes
//! mesi_launch_ex(config, @"K$mesi", args)
//! ```
//! Launches by other ways (graphs' nodes, the driver's API, cooperative ones) name K, and get it. So do those of hosts
//! that there is no run-time part for ([`runtime::code`]).

use super::about::{About, mixed};
use super::fatbin::{self, Code};
use super::linked::Linked;
use super::record::{FOLDED, MAPPED, Needs, Record};
use super::registered::Registered;
use super::runtime::{self, Runtime};
use super::{ABOUT, BLOCKS, FOLD, LARGE, MEMORY, PAYS, offload, registered};
use crate::llvm::ir::{Function, Module, Op, Type, Value};
use crate::names::VERSION;
use crate::remark::{Sink, Site};

/// Where clang puts the fat binary of a whole program.
const WHOLE: &str = ".nv_fatbin";
/// Where it puts relocatable code without the new driver: a fat binary, too.
const RELOCATABLE: &str = "__nv_relfatbin";
/// Where it puts relocatable code for the linker's wrapper.
const EMBEDDED: &str = ".llvm.offloading";
/// Launches a kernel; the second where each thread has a default stream of its own.
const LAUNCHES: [&str; 2] = ["cudaLaunchKernel", "cudaLaunchKernel_ptsz"];
/// The same by a configuration.
const LAUNCHES_EX: [&str; 2] = ["cudaLaunchKernelExC", "cudaLaunchKernelExC_ptsz"];
/// What is said of the kernels of such code.
const PACKED: &str = "its launches stay as they are: device code is packed in a way that is not known, or of another \
                      kind (-Xcuda-fatbinary --compress=false)";
/// What the name of a function ends with whose default stream is the thread's own.
const OF_THREAD: &str = "_ptsz";

/// Lets every launch in host code choose; whether anything was changed. `at_link`: the module's machine code is made
/// when the program is linked.
pub fn dispatch(module: Module, at_link: bool, sink: &mut Sink) -> Result<bool, String> {
    let Some(code) = runtime::code(module) else {
        return Ok(false);
    };
    let (mut binaries, mut whole) = (Vec::new(), true);
    for g in module.globals() {
        let bytes = g.initial_bytes().unwrap_or_default();
        match g.section().as_str() {
            section @ (WHOLE | RELOCATABLE) => {
                binaries.push(fatbin::code(bytes));
                whole &= section == WHOLE;
            }
            EMBEDDED => binaries.push(Some(offload::code(bytes))),
            _ => {}
        }
    }
    if binaries.iter().any(Option::is_none) {
        let kernels = registered::all(module);
        let is_stub = |f: &Function| kernels.iter().any(|k| k.stub == f.value());
        let stubs = module.functions().into_iter().filter(is_stub);
        stubs.for_each(|f| sink.analysis(Site::kernel(f), "Packed", PACKED));
    }
    let records: Vec<Record> = binaries.iter().flatten().flat_map(Code::records).collect();
    let kernels = registered::all(module).into_iter().filter_map(|kernel| {
        let launches = launches_of(kernel.stub);
        // What is launched by it may be another file's kernel, of which nothing is known here.
        let is_own = !kernel.stub.is_replaceable() && !launches.is_empty();
        is_own.then_some((kernel, launches))
    });
    let kernels: Vec<_> = kernels.collect();
    let is_launched = |r: &&Record| {
        let mut names = kernels.iter().map(|(k, _)| k.name);
        names.any(|name| r.kernel.as_bytes().starts_with(name))
    };
    let launched: Vec<&Record> = records.iter().filter(is_launched).collect();
    let gates = Linked::with(module, at_link, &launched)?;
    let (mut runtime, mut changed) = (None, false);
    for (kernel, launches) in &kernels {
        let Some(choice) = Choice::of(&gates, kernel, &records, whole)? else {
            continue;
        };
        let runtime = match &mut runtime {
            Some(linked) => linked,
            none => none.insert(runtime::link(module, code, at_link)?),
        };
        choice.offer(module, launches, runtime);
        changed = true;
    }
    gates.forget_others();
    Ok(changed)
}

/// A version, as the host knows it.
struct Version {
    name: String,
    /// What launches it.
    token: Value,
    sound: Function,
    pays: Function,
    /// What makes the launch of it, where its ids are folded or its loop is spread.
    fold: Option<Function>,
    /// What works out where that lies which must be memory.
    mapped: Option<Function>,
    needs: Needs,
}

/// What there is to choose from for the launches of a kernel.
struct Choice<'a> {
    kernel: &'a Registered,
    name: &'a str,
    about: About,
    versions: Vec<Version>,
    /// What deals threads out to other blocks.
    blocks: Option<Function>,
    /// Whether a launch is large.
    large: Option<Function>,
}

impl<'a> Choice<'a> {
    /// That of `kernel`, if the records know of any.
    fn of(
        gates: &Linked,
        kernel: &'a Registered,
        records: &[Record],
        whole: bool,
    ) -> Result<Option<Choice<'a>>, String> {
        let Ok(name) = std::str::from_utf8(kernel.name) else {
            return Ok(None);
        };
        let of = |name: &str| records.iter().find(|r| r.kernel == name);
        // What that rests on ends its name, and names that not all images have are not here.
        let start = format!("{name}{BLOCKS}.");
        let blocks = records.iter().find(|r| r.kernel.starts_with(&start));
        let about = of(&format!("{name}{ABOUT}"));
        let Some(about) = about.and_then(|r| About::read(r.bitcode)) else {
            return Ok(None);
        };
        let mut versions = Vec::new();
        for number in 0..runtime::VERSIONS {
            let symbol = format!("{name}{VERSION}{number}");
            let (Some(sound), Some(pays)) = (of(&symbol), of(&format!("{symbol}{PAYS}"))) else {
                continue;
            };
            let fold = of(&format!("{symbol}{FOLD}"));
            // Images that do not agree on how it is launched: the host does not know which runs.
            let fold = fold.filter(|r| r.others.is_empty());
            let mapped = of(&format!("{symbol}{MEMORY}")).filter(|r| r.others.is_empty());
            let misses = |what, record: Option<_>| sound.needs.relies_on(what) && record.is_none();
            if misses(FOLDED, fold) || misses(MAPPED, mapped) {
                continue;
            }
            versions.push(Version {
                token: kernel.add_clone(gates.module, &symbol, whole),
                sound: gates.take_all(sound)?,
                pays: gates.take(pays)?,
                fold: fold.map(|r| gates.take(r)).transpose()?,
                mapped: mapped.map(|r| gates.take(r)).transpose()?,
                needs: sound.needs,
                name: symbol,
            });
        }
        let blocks = blocks.map(|r| gates.take(r)).transpose()?;
        let large = of(&format!("{name}{VERSION}0{LARGE}"));
        let large = large.map(|r| gates.take(r)).transpose()?;
        let some = blocks.is_some() || !versions.is_empty();
        Ok(some.then_some(Choice {
            kernel,
            name,
            about,
            versions,
            blocks,
            large,
        }))
    }

    /// Has each launch ask.
    fn offer(&self, module: Module, launches: &[Launch], runtime: &Runtime) {
        let mut records = [None; 2];
        for launch in launches {
            let entry = match launch.by_configuration {
                true => runtime.launch_ex,
                false => runtime.launch,
            };
            // Another convention than the run-time part's.
            if launch.call.callee().map(Function::function_type) != Some(entry.function_type()) {
                continue;
            }
            let of_thread = launch.of_thread;
            let record = &mut records[usize::from(of_thread)];
            let record = *record.get_or_insert_with(|| self.record(module, of_thread));
            launch.call.set_operand(launch.place, record);
            launch.call.set_callee(entry);
        }
    }

    /// The `struct mesi_kernel` for launches whose default stream is the thread's own, or not.
    fn record(&self, module: Module, of_thread: bool) -> Value {
        let flags = [of_thread, self.about.by_grid, self.about.is_timed];
        let flags = (0..).zip(flags).map(|(bit, is)| u32::from(is) << bit).sum();
        let (i32t, i64t) = (Type::int(module, 32), Type::int(module, 64));
        let null = Type::pointer(module, 0).null();
        let number = |n: u32| i32t.constant(n.into());
        let text = |name: &str| module.add_string(&format!("{name}.text"), name);
        let scalars: Vec<Value> = (0..runtime::SCALARS)
            .map(|k| {
                let s = self.about.scalars.get(k);
                let [index, offset, bytes] = s.map_or([0; 3], |s| [s.index, s.offset, s.bytes]);
                module.constant_struct(&[number(index), number(offset), number(bytes)])
            })
            .collect();
        let versions: Vec<Value> = (0..runtime::VERSIONS)
            .map(|k| match self.versions.get(k) {
                Some(v) => {
                    let fold = v.fold.map_or(null, Function::value);
                    let mapped = v.mapped.map_or(null, Function::value);
                    let [sound, pays] = [v.sound.value(), v.pays.value()];
                    let pointers = [v.token, text(&v.name), sound, pays, fold, mapped];
                    let numbers = v.needs.numbers(self.about.threads).map(number);
                    module.constant_struct(&[&pointers[..], &numbers].concat())
                }
                None => {
                    let zero = number(0);
                    let none = [&[null; 6][..], &[zero; 8]];
                    module.constant_struct(&none.concat())
                }
            })
            .collect();
        // The build of what asks counts, too: it ends the hash of what is asked.
        let hash = self.versions.iter().fold(self.about.hash, |h, v| {
            v.name.bytes().fold(h, |h, b| mixed(h, b.into()))
        });
        module.add_record(
            &format!("{}{ABOUT}.{}", self.name, u32::from(of_thread)),
            &[
                i32t.constant(runtime::ABI),
                number(self.versions.len() as u32),
                number(flags),
                number(self.about.scalars.len() as u32),
                i64t.constant(hash as i64),
                self.kernel.stub,
                text(self.name),
                self.blocks.map_or(null, Function::value),
                self.large.map_or(null, Function::value),
                number(self.about.shared),
                number(self.about.threads),
                module.constant_struct(&scalars),
                module.constant_struct(&versions),
                null,
            ],
        )
    }
}

/// A call that launches a kernel.
struct Launch {
    call: Value,
    /// Which operand is the kernel's stub.
    place: u32,
    by_configuration: bool,
    /// Whether the default stream is the thread's own.
    of_thread: bool,
}

/// The calls that launch what `stub` stands for.
fn launches_of(stub: Value) -> Vec<Launch> {
    let launch = |u: Value| {
        // Where something is to be destroyed if the launch throws, clang calls it by an invoke.
        if !u.is(Op::LLVMCall) && !u.is(Op::LLVMInvoke) {
            return None;
        }
        let callee = u.callee_name();
        let by_configuration = LAUNCHES_EX.contains(&callee.as_str());
        if !by_configuration && !LAUNCHES.contains(&callee.as_str()) {
            return None;
        }
        let place = u32::from(by_configuration);
        (u.operand(place) == stub).then(|| Launch {
            call: u,
            place,
            by_configuration,
            of_thread: callee.ends_with(OF_THREAD),
        })
    };
    stub.users().into_iter().filter_map(launch).collect()
}
