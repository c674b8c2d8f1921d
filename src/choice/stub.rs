//! Host code: every launch of a staged kernel asks the kernel's gate first.
//!
//! ```text
//! @"K$original" = internal global i8 0                       what the original is launched by, as K is by its stub
//! %runs = call i1 @"K$gate"(ptr %args, ptr %launch)
//! %k = select (%runs and %fits), @stub, @"K$original"        %fits: beside K's tiles there is room for %shared
//! cudaLaunchKernel(%k, …)                                    as it was
//!
//! %longer = call i1 @"K$original$gate"(ptr %args, ptr %launch)           where there is one: in place of the original
//! select %longer, @"K$original", @"K$plain"
//!
//! %other = call i1 @"K$blocks.…$gate"(ptr %args, ptr %launch)              where there is one: before all that
//! cudaLaunchKernel(…) with the grid and block in %launch, if %other and %shared == 0
//! ```
//! A launch may ask for dynamic shared memory that the kernel does not use (to have fewer blocks on a multiprocessor, or because another instance of
//! a template uses it). The original has room for what K's tiles leave none for. More than the original has
//! room for without being allowed it ([`STATIC_SHARED`]) stays K's: what the program allowed K to take, the original was not.
//!
//! What a stream records for a graph is K in the program's own blocks (`capture.rs`).
//!
//! Launches by other ways (graphs' nodes, the driver's API, cooperative ones) name K, and get it. So do those of hosts that
//! pass grid and block in another way than the two below, or whose pointers are not 64 bits, low bytes first.

use super::record::{Record, Shared};
use super::{BLOCKS, GATE, ORIGINAL, PLAIN, capture, fatbin, offload, registered};
use crate::llvm::ir::{Builder, Function, Module, Op, Pred, Type, Value};
use crate::target::{SHARED_UNIT, STATIC_SHARED};

/// Where clang puts the fat binary of a whole program.
const WHOLE: &str = ".nv_fatbin";
/// Where it puts relocatable code without the new driver: a fat binary, too.
const RELOCATABLE: &str = "__nv_relfatbin";
/// Where it puts relocatable code for the linker's wrapper.
const EMBEDDED: &str = ".llvm.offloading";
/// Launches a kernel; the second where each thread has a default stream of its own.
const LAUNCHES: [&str; 2] = ["cudaLaunchKernel", "cudaLaunchKernel_ptsz"];

/// Lets every launch in host code choose; whether anything was changed.
pub fn dispatch(module: Module) -> Result<bool, String> {
    if !module.is_little_endian() || module.pointer_size() != 8 {
        return Ok(false);
    }
    let (mut records, mut whole) = (Vec::new(), true);
    for g in module.globals() {
        let bytes = g.initial_bytes().unwrap_or_default();
        match g.section().as_str() {
            WHOLE => records.extend(fatbin::records(bytes)),
            RELOCATABLE => {
                records.extend(fatbin::records(bytes));
                whole = false;
            }
            EMBEDDED => records.extend(offload::records(bytes)),
            _ => {}
        }
    }
    let mut changed = false;
    let of = |kernel: &str, suffix: &str| {
        let name = format!("{kernel}{suffix}");
        records.iter().find(|r| r.kernel == name)
    };
    for kernel in registered::all(module) {
        let Ok(name) = std::str::from_utf8(kernel.name) else {
            continue;
        };
        // What that rests on ends its name, and names that not all images have are not here.
        let start = format!("{name}{BLOCKS}.");
        let blocks = records.iter().find(|r| r.kernel.starts_with(&start));
        let gate = of(name, "");
        let launches = launches_of(module, kernel.stub);
        // What is launched by it may be another file's kernel, of which nothing is known here.
        let is_other = kernel.stub.is_replaceable();
        if is_other || launches.is_empty() || (gate.is_none() && blocks.is_none()) {
            continue;
        }
        let linked = |r: Option<&Record>| r.map(|r| link(module, r)).transpose();
        let clone = |suffix| kernel.add_clone(module, &format!("{name}{suffix}"), whole);
        let choice = Choice {
            blocks: linked(blocks)?,
            original: match linked(gate)? {
                Some(linked_gate) => Some(Beside {
                    gate: linked_gate,
                    shared: gate.map_or(Shared::default(), |r| r.shared),
                    plain: linked(of(name, ORIGINAL))?.map(|gate| (gate, clone(PLAIN))),
                    kernel: clone(ORIGINAL),
                }),
                None => None,
            },
        };
        for launch in launches {
            launch.choose(module, &choice);
        }
        changed = true;
    }
    Ok(changed)
}

/// What there is to choose from for the launches of a kernel.
struct Choice {
    /// What deals threads out to other blocks.
    blocks: Option<Function>,
    original: Option<Beside>,
}

/// The original kept beside a kernel.
struct Beside {
    /// What says no where it is to run.
    gate: Function,
    /// Static shared memory of the kernel and of the original.
    shared: Shared,
    /// What launches it.
    kernel: Value,
    /// What says no where the kernel as clang makes it is to run instead, and what launches that.
    plain: Option<(Function, Value)>,
}

/// Takes a gate into the module.
fn link(module: Module, record: &Record) -> Result<Function, String> {
    module.link(record.bitcode)?;
    let gate = module.function(&format!("{}{GATE}", record.kernel));
    let gate = gate.ok_or("a gate without its function")?;
    gate.set_internal();
    Ok(gate)
}

/// How a host passes what the runtime takes by value: twelve bytes of grid, and of block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passed {
    /// x86-64: x and y in an `i64`, z in an `i32`.
    Apart,
    /// AArch64, and other machines with as plain a convention: `[2 x i64]`, z in the low half of the second.
    Together,
}

/// A call that launches a kernel.
struct Launch {
    call: Value,
    passed: Passed,
}

/// The calls that launch what `stub` stands for.
fn launches_of(module: Module, stub: Value) -> Vec<Launch> {
    let launch = |u: Value| {
        // Where something is to be destroyed if the launch throws, clang calls it by an invoke.
        let is_launch = (u.is(Op::LLVMCall) || u.is(Op::LLVMInvoke))
            && LAUNCHES.contains(&u.callee_name().as_str())
            && u.operand(0) == stub;
        let passed = is_launch.then(|| passed(module, u)).flatten();
        passed.map(|passed| Launch { call: u, passed })
    };
    stub.users().into_iter().filter_map(launch).collect()
}

/// How a launch's grid and block are passed; `None`: in a way that is not known.
fn passed(module: Module, launch: Value) -> Option<Passed> {
    let (p, i64t) = (Type::pointer(module, 0), Type::int(module, 64));
    let (i32t, pair) = (Type::int(module, 32), i64t.array(2));
    let types: Vec<Type> = launch.arguments().into_iter().map(Value::ty).collect();
    // Kernel, grid, block, arguments, dynamic shared memory, stream.
    if types == [p, i64t, i32t, i64t, i32t, p, i64t, p] {
        Some(Passed::Apart)
    } else if types == [p, pair, pair, p, i64t, p] {
        Some(Passed::Together)
    } else {
        None
    }
}

impl Launch {
    /// Has the launch ask what is to run, and in which blocks.
    fn choose(&self, module: Module, choice: &Choice) {
        let b = Builder::new(module);
        let call = self.call;
        let [args, shared, stream] = match self.passed {
            Passed::Apart => [5, 6, 7],
            Passed::Together => [3, 4, 5],
        }
        .map(|i| call.operand(i));
        // A launch by hand without arguments: the gates would read them. The runtime says what is wrong with it.
        if args.is_null() {
            return;
        }
        let function = call.block().expect("a call is in a block").function();
        b.before(function.entry().instructions()[0]);
        let (i32t, i64t) = (Type::int(module, 32), Type::int(module, 64));
        let numbers = b.alloca(i32t.array(6));
        b.before(call);
        b.locate_as(call);
        let [grid, block] = self.shape(&b);
        for (first, [xy, z]) in [(0, block), (3, grid)] {
            let high = b.lshr(xy, i64t.constant(32));
            for (k, v) in [(0, xy), (1, high), (2, z)] {
                let place = b.element(i32t, numbers, i64t.constant(first + k));
                b.store(b.trunc(v, i32t), place, 4);
            }
        }
        let captures = capture::function(module, &call.callee_name());
        let recorded = b.call(captures, &[stream]);
        if let Some(blocks) = choice.blocks {
            let other = b.call(blocks, &[args, numbers]);
            let takes_none = b.icmp(Pred::LLVMIntEQ, shared, i64t.constant(0));
            let other = b.and(other, b.and(takes_none, b.not(recorded)));
            self.reshape(&b, other, numbers);
        }
        if let Some(o) = &choice.original {
            // What is beyond the limit has no room in any launch.
            let room = |own: u32| i64t.constant(STATIC_SHARED.saturating_sub(own).into());
            let fits = |own| b.icmp(Pred::LLVMIntULE, shared, room(own));
            let runs = b.or(b.call(o.gate, &[args, numbers]), recorded);
            let runs = b.and(runs, fits(o.shared.staged.next_multiple_of(SHARED_UNIT)));
            let runs = b.or(runs, b.not(fits(o.shared.original)));
            let original = match o.plain {
                Some((gate, plain)) => b.select(b.call(gate, &[args, numbers]), o.kernel, plain),
                None => o.kernel,
            };
            call.set_operand(0, b.select(runs, call.operand(0), original));
        }
    }

    /// Grid and block, each as x and y in one number, and z.
    fn shape(&self, b: &Builder) -> [[Value; 2]; 2] {
        match self.passed {
            Passed::Apart => [[1, 2], [3, 4]].map(|dim| dim.map(|i| self.call.operand(i))),
            Passed::Together => [1, 2].map(|i| [0, 1].map(|k| b.field(self.call.operand(i), k))),
        }
    }

    /// Takes grid and block from `numbers` if `other`.
    fn reshape(&self, b: &Builder, other: Value, numbers: Value) {
        let (i32t, i64t) = (Type::int(b.module(), 32), Type::int(b.module(), 64));
        for (dim, ([own, deep], first)) in self.shape(b).into_iter().zip([3, 0]).enumerate() {
            let dim = dim as u32;
            let number =
                |k: i64| b.load(i32t, b.element(i32t, numbers, i64t.constant(first + k)), 4);
            let [x, y] = [0, 1].map(|k| b.zext(number(k), i64t));
            let xy = b.select(other, b.or(x, b.shl(y, i64t.constant(32))), own);
            match self.passed {
                Passed::Apart => {
                    self.call.set_operand(1 + 2 * dim, xy);
                    self.call
                        .set_operand(2 + 2 * dim, b.select(other, number(2), deep));
                }
                Passed::Together => {
                    // What lies above z says nothing.
                    let z = b.select(other, b.zext(number(2), i64t), deep);
                    let pair = b.set_field(self.call.operand(1 + dim), xy, 0);
                    self.call.set_operand(1 + dim, b.set_field(pair, z, 1));
                }
            }
        }
    }
}
