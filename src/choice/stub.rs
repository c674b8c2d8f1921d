//! Host code: every launch of a staged kernel asks the kernel's gate first.
//!
//! ```text
//! @"K$original" = internal global i8 0                       what the original is launched by, as K is by its stub
//! __cudaRegisterFunction(h, @"K$original", "K$original", …)  behind that of K
//! %runs = call i1 @"K$gate"(ptr %args, ptr %launch)
//! %k = select (%runs or %shared != 0), @stub, @"K$original"
//! cudaLaunchKernel(%k, …)                                    as it was
//! ```
//! A launch that asks for dynamic shared memory stays K's: what the program allowed K to take, the original was not.
//!
//! Launches by other ways (graphs' nodes, the driver's API, cooperative ones) name K, and get it. With relocatable device code the fat
//! binary is not there yet, and neither is anything done where the launch is passed in registers of another machine
//! than x86-64.

use super::fatbin;
use super::{GATE, ORIGINAL};
use crate::llvm::ir::{Builder, Function, Module, Op, Pred, Type, Value};

/// Where clang puts the fat binary.
const SECTION: &str = ".nv_fatbin";
/// Launches a kernel; the second where each thread has a default stream of its own.
const LAUNCHES: [&str; 2] = ["cudaLaunchKernel", "cudaLaunchKernel_ptsz"];
/// Tells the runtime which kernel a stub launches.
const REGISTERS: &str = "__cudaRegisterFunction";
/// Operands of a launch on x86-64, the function behind them: kernel, grid xy, grid z, block xy, block z, arguments, dynamic shared memory, stream.
const OPERANDS: usize = 9;

/// Lets every launch in host code choose; whether anything was changed.
pub fn dispatch(module: Module) -> Result<bool, String> {
    if !module.triple().starts_with("x86_64") {
        return Ok(false);
    }
    let Some(registers) = module.function(REGISTERS) else {
        return Ok(false);
    };
    let globals = module.globals();
    let binaries = globals.iter().filter(|g| g.section() == SECTION);
    let records: Vec<_> = binaries
        .filter_map(|g| g.initial_bytes())
        .flat_map(fatbin::records)
        .collect();
    let mut changed = false;
    for call in registers.value().users() {
        let name = call.operand(2).initial_bytes().unwrap_or_default();
        let name = name.strip_suffix(&[0]).unwrap_or(name);
        let Some(record) = records.iter().find(|r| r.kernel.as_bytes() == name) else {
            continue;
        };
        let launches = launches_of(call.operand(1));
        if launches.is_empty() {
            continue;
        }
        module.link(record.bitcode)?;
        let gate = format!("{}{GATE}", record.kernel);
        let gate = module
            .function(&gate)
            .ok_or("a gate without its function")?;
        gate.set_internal();
        let original = register_original(module, call, record.kernel);
        for launch in launches {
            choose(module, launch, gate, original);
        }
        changed = true;
    }
    Ok(changed)
}

/// The calls that launch what `stub` stands for.
fn launches_of(stub: Value) -> Vec<Value> {
    let mut all = stub.users();
    all.retain(|u| {
        u.is(Op::LLVMCall)
            && LAUNCHES.contains(&u.callee_name().as_str())
            && u.operands().len() == OPERANDS
            && u.operand(0) == stub
    });
    all
}

/// Registers the original of `kernel` behind `call`, which registers the kernel itself; what launches it.
fn register_original(module: Module, call: Value, kernel: &str) -> Value {
    let name = format!("{kernel}{ORIGINAL}");
    let token = module.add_token(&name);
    let text = module.add_string(&format!("{name}.name"), &name);
    let b = Builder::new(module);
    b.before(call.next());
    let again = call.clone_instruction();
    for (i, v) in [(1, token), (2, text), (3, text)] {
        again.set_operand(i, v);
    }
    b.insert(again);
    token
}

/// Has `launch` ask the gate which of the two runs.
fn choose(module: Module, launch: Value, gate: Function, original: Value) {
    let b = Builder::new(module);
    let function = launch.block().expect("a call is in a block").function();
    b.before(function.entry().instructions()[0]);
    let (i32t, i64t) = (Type::int(module, 32), Type::int(module, 64));
    let numbers = b.alloca(i32t.array(6));
    b.before(launch);
    b.locate_as(launch);
    let [stub, grid_xy, grid_z, block_xy, block_z, args, shared] =
        [0, 1, 2, 3, 4, 5, 6].map(|i| launch.operand(i));
    for (first, xy, z) in [(0, block_xy, block_z), (3, grid_xy, grid_z)] {
        let high = b.lshr(xy, i64t.constant(32));
        for (k, v) in [(0, b.trunc(xy, i32t)), (1, b.trunc(high, i32t)), (2, z)] {
            b.store(v, b.element(i32t, numbers, i64t.constant(first + k)), 4);
        }
    }
    let runs = b.call(gate, &[args, numbers]);
    let takes = b.icmp(Pred::LLVMIntNE, shared, i64t.constant(0));
    launch.set_operand(0, b.select(b.or(runs, takes), stub, original));
}
