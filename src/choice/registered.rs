//! The kernels that host code tells the runtime about, and originals told beside them.
//!
//! ```text
//! __cudaRegisterFunction(h, @stub, "K", "K", …)          by clang itself: whole programs, and --no-offload-new-driver
//! @.offloading.entry.K = { 0, 1, 2, 0, @stub, "K", 0, … } section llvm_offload_entries: -fgpu-rdc, where the linker's
//!                                                         wrapper writes the calls
//! ```
//! Originals are told the same way, under their own names, and launched by the address of a byte of their own.

use crate::llvm::ir::{Builder, Module, Op, Value};

/// Tells the runtime which kernel a stub launches.
const REGISTERS: &str = "__cudaRegisterFunction";
/// Where entries lie that the linker's wrapper reads.
const ENTRIES: &str = "llvm_offload_entries";
/// What an entry of a kernel begins with: nothing, the version, CUDA, no flags.
const KERNEL: [i64; 4] = [0, 1, 2, 0];
/// Fields of an entry.
const FIELDS: usize = 9;
/// Those of the stub, the name and the size, which is none for kernels.
const STUB: usize = 4;
const NAME: usize = 5;
const SIZE: usize = 6;

/// A kernel that the runtime is told about.
pub struct Registered {
    /// Its name in device code.
    pub name: &'static [u8],
    /// What host code launches it by.
    pub stub: Value,
    by: By,
}

#[derive(Clone, Copy)]
enum By {
    Call(Value),
    Entry(Value),
}

/// Every kernel that the module tells the runtime about.
pub fn all(module: Module) -> Vec<Registered> {
    let calls = module
        .function(REGISTERS)
        .map_or(Vec::new(), |f| f.value().users());
    let calls = calls.into_iter().filter(|u| u.is(Op::LLVMCall));
    let entries = module.globals().into_iter();
    let entries = entries.filter(|g| g.section() == ENTRIES);
    calls
        .filter_map(of_call)
        .chain(entries.filter_map(of_entry))
        .collect()
}

fn of_call(call: Value) -> Option<Registered> {
    Some(Registered {
        name: text(call.operand(2))?,
        stub: call.operand(1),
        by: By::Call(call),
    })
}

fn of_entry(entry: Value) -> Option<Registered> {
    let fields = entry.initial_fields();
    let numbers: Vec<_> = fields.iter().filter_map(|f| f.const_int()).collect();
    if fields.len() != FIELDS
        || !numbers.starts_with(&KERNEL)
        || fields[SIZE].const_int() != Some(0)
    {
        return None;
    }
    Some(Registered {
        name: text(fields[NAME])?,
        stub: fields[STUB],
        by: By::Entry(entry),
    })
}

/// A constant string without its NUL.
fn text(v: Value) -> Option<&'static [u8]> {
    let bytes = v.initial_bytes()?;
    Some(bytes.strip_suffix(&[0]).unwrap_or(bytes))
}

impl Registered {
    /// Tells the runtime about a clone of this kernel, called `name`; what launches it. `whole`: what clang itself
    /// registers is in a program of its own.
    pub fn add_clone(&self, module: Module, name: &str, whole: bool) -> Value {
        let token = module.add_token(name);
        let text = module.add_string(&format!("{name}.name"), name);
        match self.by {
            By::Call(call) => {
                let b = Builder::new(module);
                b.before(call.next());
                let again = call.clone_instruction();
                for (i, v) in [(1, token), (2, text), (3, text)] {
                    again.set_operand(i, v);
                }
                b.insert(again);
            }
            By::Entry(entry) => {
                let mut fields = entry.initial_fields();
                fields[STUB] = token;
                fields[NAME] = text;
                module.add_like(entry, &format!(".offloading.entry.{name}"), &fields);
            }
        }
        let is_linked = matches!(self.by, By::Entry(_)) || !whole;
        if is_linked && self.stub.is_mergeable() {
            // Device code of all files becomes one program there: a template's kernel that several of them have is one,
            // launched by one address, and so is its original.
            token.set_merged();
        }
        token
    }
}
