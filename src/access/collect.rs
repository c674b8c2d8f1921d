//! Finds the accesses of a kernel and traces each pointer to its base.
//!
//! Tracing walks through address arithmetic, casts and loop-carried pointers. Two bases meeting
//! in a phi or select give no base: the access may then touch anything (`Missed::UnknownBase`).

use super::{Access, AccessId, AccessKind, Accesses, Array, ArrayId, Base};
use crate::kernel::assembly;
use crate::kernel::{BlockId, Kernel, callees};
use crate::llvm::ir::{Module, Op, Value};
use crate::map::HashSet;
use crate::tree::Tree;

/// Where a pointer leads.
#[derive(Clone, Copy, PartialEq)]
enum Root {
    /// An array, by origin and the value that is its base pointer.
    Array(Base, Value),
    /// The kernel's own parameters, stack or shared memory.
    Own,
    /// More than one place, or one that cannot be named.
    Unknown,
    /// A loop-carried pointer met again while tracing it.
    Cycle,
}

/// Collects every access in the blocks of `tree`, in tree order.
pub fn collect(kernel: &Kernel, tree: &Tree) -> Accesses {
    let mut c = Collect {
        kernel,
        out: Accesses {
            list: Vec::new(),
            arrays: Vec::new(),
            in_assembly: Vec::new(),
            fusing_loops: super::fusion::collect_fusing_loops(kernel, tree),
        },
    };
    for b in tree.blocks_in(tree.root) {
        for i in kernel.block(b).instructions() {
            c.visit(b, i);
        }
    }
    c.out
}

struct Collect<'a> {
    kernel: &'a Kernel,
    out: Accesses,
}

impl Collect<'_> {
    fn visit(&mut self, block: BlockId, i: Value) {
        let module = self.kernel.function.module();
        if i.orders_others() {
            // As a fence does, whatever it touches.
            self.add(block, i, AccessKind::Unknown);
        }
        match i.opcode() {
            Some(Op::LLVMLoad) => {
                let size = module.alloc_size(i.ty());
                self.add_memory(block, i, AccessKind::Load, i.operand(0), size);
            }
            Some(Op::LLVMStore) => {
                let size = module.alloc_size(i.operand(0).ty());
                self.add_memory(block, i, AccessKind::Store, i.operand(1), size);
            }
            Some(Op::LLVMAtomicRMW | Op::LLVMAtomicCmpXchg) => {
                let size = module.alloc_size(i.operand(1).ty());
                self.add_memory(block, i, AccessKind::Atomic, i.operand(0), size);
            }
            Some(Op::LLVMFence | Op::LLVMInvoke) => self.add(block, i, AccessKind::Unknown),
            Some(Op::LLVMCall) => self.visit_call(module, block, i),
            _ => {}
        }
    }

    fn visit_call(&mut self, module: Module, block: BlockId, i: Value) {
        let name = i.callee_name();
        let n = name.as_str();
        let starts = |prefixes: &[&str]| prefixes.iter().any(|p| n.starts_with(p));
        if i.is_inline_asm_call() {
            if let Some(kind) = of_assembly(i) {
                self.add(block, i, kind);
                self.note_pointers(i);
            }
        } else if starts(&["llvm.nvvm.atomic."]) {
            let size = module.alloc_size(i.ty());
            self.add_memory(block, i, AccessKind::Atomic, i.operand(0), size);
        } else if starts(&[
            "llvm.nvvm.barrier",
            "llvm.nvvm.bar.sync",
            "llvm.nvvm.mbarrier",
        ]) {
            self.add(block, i, AccessKind::Barrier);
        } else if callees::is_of_warp(n) {
            self.add(block, i, AccessKind::WarpOperation);
        } else if starts(&["llvm.mem"]) {
            let pointers = i.operands().into_iter().filter(|o| o.ty().is_pointer());
            let own = |p: Value| self.trace(p, &mut HashSet::default()) == Root::Own;
            if !pointers.filter(|p| !p.is_function()).all(own) {
                self.add(block, i, AccessKind::Unknown);
            }
        } else if !is_harmless(n)
            && (!i.accesses_no_memory() || i.call_has("convergent") || callees::calls_for_warp(i))
        {
            self.add(block, i, AccessKind::Unknown);
        }
    }

    fn add(&mut self, block: BlockId, i: Value, kind: AccessKind) {
        let id = AccessId(self.out.list.len() as u32);
        self.out.list.push(Access {
            id,
            value: self.kernel.value_id(i),
            block,
            kind,
            array: None,
            pointer: None,
            pointer_block: None,
            size: 0,
            align: 1,
            is_volatile: false,
            line: i.line(),
        });
    }

    /// Notes the arrays that assembly, the last access, is given pointers to.
    fn note_pointers(&mut self, assembly: Value) {
        let access = AccessId(self.out.list.len() as u32 - 1);
        let operands = assembly.operands().into_iter();
        for p in operands.filter(|o| o.ty().is_pointer()) {
            if let Root::Array(origin, base) = self.trace(p, &mut HashSet::default()) {
                let array = self.array(origin, base);
                if self.out.in_assembly.iter().all(|(a, _)| *a != array) {
                    self.out.in_assembly.push((array, access));
                }
            }
        }
    }

    fn add_memory(&mut self, block: BlockId, i: Value, kind: AccessKind, p: Value, size: u64) {
        let array = match self.trace(p, &mut HashSet::default()) {
            Root::Own => return,
            // Copies of `i24` would be four bytes, one of them another's or nobody's.
            Root::Array(..) if is_odd_integer(i) => None,
            Root::Array(origin, base) => Some(self.array(origin, base)),
            Root::Unknown | Root::Cycle => None,
        };
        self.add(block, i, kind);
        if let Some(a) = self.out.list.last_mut() {
            a.array = array;
            a.pointer = Some(self.kernel.value_id(p));
            a.pointer_block = p.block().map(|b| self.kernel.block_id(b));
            a.size = size as u32;
            a.align = if kind == AccessKind::Atomic {
                size as u32
            } else {
                i.alignment()
            };
            a.is_volatile = i.is_volatile_or_atomic();
        }
    }

    /// The array of this origin, added if new. Two loads of one struct field are one array.
    fn array(&mut self, origin: Base, base: Value) -> ArrayId {
        let same = |a: &Array| match origin {
            Base::Field { .. } | Base::Argument { .. } => a.origin == origin,
            Base::Global | Base::Constant => self.kernel.value(a.base) == base,
        };
        if let Some(a) = self.out.arrays.iter().find(|a| same(a)) {
            return a.id;
        }
        let id = ArrayId(self.out.arrays.len() as u32);
        let name = self.array_name(origin, base);
        let base = self.kernel.value_id(base);
        self.out.arrays.push(Array {
            id,
            base,
            origin,
            name,
        });
        id
    }

    /// clang discards names of arguments in release builds: then `arg0`, `arg2+16`.
    fn array_name(&self, origin: Base, base: Value) -> String {
        let argument = |index: u32| {
            let n = self.kernel.function.params()[index as usize].name();
            if n.is_empty() {
                format!("arg{index}")
            } else {
                n
            }
        };
        match origin {
            Base::Argument { index, .. } => argument(index),
            Base::Field { index, offset } => format!("{}+{offset}", argument(index)),
            Base::Global | Base::Constant => base.name(),
        }
    }

    fn trace(&self, p: Value, seen: &mut HashSet<Value>) -> Root {
        match p.opcode() {
            Some(
                Op::LLVMGetElementPtr | Op::LLVMAddrSpaceCast | Op::LLVMBitCast | Op::LLVMFreeze,
            ) => self.trace(p.operand(0), seen),
            Some(Op::LLVMPHI) => {
                if !seen.insert(p) {
                    return Root::Cycle;
                }
                let sides: Vec<Value> = p.incoming().into_iter().map(|(v, _)| v).collect();
                self.meet(&sides, seen)
            }
            Some(Op::LLVMSelect) => self.meet(&[p.operand(1), p.operand(2)], seen),
            Some(Op::LLVMLoad) => self.field(p),
            Some(Op::LLVMAlloca) => Root::Own,
            Some(_) => Root::Unknown,
            None => self.leaf(p),
        }
    }

    fn meet(&self, sides: &[Value], seen: &mut HashSet<Value>) -> Root {
        let mut found = Root::Cycle;
        for s in sides.iter().filter(|s| !s.is_undef()) {
            let r = self.trace(*s, seen);
            found = match (found, r) {
                (Root::Cycle, r) => r,
                (f, Root::Cycle) => f,
                (Root::Array(a, x), Root::Array(b, y)) if a == b && self.same_base(a, x, y) => {
                    found
                }
                (Root::Own, Root::Own) => Root::Own,
                _ => return Root::Unknown,
            };
        }
        found
    }

    fn same_base(&self, origin: Base, x: Value, y: Value) -> bool {
        matches!(origin, Base::Argument { .. } | Base::Field { .. }) || x == y
    }

    fn leaf(&self, p: Value) -> Root {
        if let Some(index) = p.argument_index() {
            let f = self.kernel.function;
            if f.param_has(index, "byval") {
                return Root::Own;
            }
            return Root::Array(
                Base::Argument {
                    index,
                    noalias: f.param_has(index, "noalias"),
                },
                p,
            );
        }
        if !p.is_global_variable() {
            return Root::Unknown;
        }
        match p.address_space() {
            3 => Root::Own,
            4 => Root::Array(Base::Constant, p),
            _ => Root::Array(Base::Global, p),
        }
    }

    /// A pointer loaded from a struct parameter passed by value.
    fn field(&self, load: Value) -> Root {
        let module = self.kernel.function.module();
        match load.operand(0).parameter_offset(module) {
            Some((param, offset)) => match param.argument_index() {
                Some(index) if self.kernel.function.param_has(index, "byval") => Root::Array(
                    Base::Field {
                        index,
                        offset: offset as u32,
                    },
                    load,
                ),
                _ => Root::Unknown,
            },
            None => Root::Unknown,
        }
    }
}

/// Whether `i` loads or stores an integer that fills only a part of its place.
fn is_odd_integer(i: Value) -> bool {
    let value = match i.opcode() {
        Some(Op::LLVMLoad) => i,
        _ => i.operand(0),
    };
    let width = value.ty().int_width();
    width.is_some_and(|w| !w.div_ceil(8).is_power_of_two())
}

/// What a call of inline assembly is; none where it computes from its operands, or nothing.
///
/// `volatile` says nothing but that it stays: libraries write it in front of a `dp4a` or a `shfl`. A register that only
/// the machine knows may be a clock, which stays where it is read for a reason.
fn of_assembly(call: Value) -> Option<AccessKind> {
    if assembly::is_unused(call) {
        return None;
    }
    let text = call.asm_text();
    let args = &call.operands()[..call.operands().len() - 1];
    let stays = call.asm_has_side_effects();
    if args.iter().any(|a| a.ty().is_pointer())
        || call.asm_clobbers_memory()
        || stays && text.contains('%')
        || !stays && !call.accesses_no_memory()
    {
        return Some(AccessKind::Unknown);
    }
    match assembly::is_arithmetic(&text) {
        true => None,
        false if assembly::is_of_warp(&text) => Some(AccessKind::WarpOperation),
        false => Some(AccessKind::Unknown),
    }
}

/// Intrinsics without effects that carry memory attributes only to stay in place.
fn is_harmless(name: &str) -> bool {
    let p = [
        "llvm.assume",
        "llvm.lifetime.",
        "llvm.dbg.",
        "llvm.experimental.noalias.scope",
    ];
    let sreg = "llvm.nvvm.read.ptx.sreg.";
    p.iter().any(|p| name.starts_with(p))
        || (name.starts_with(sreg)
            && !name[sreg.len()..].starts_with("clock")
            && !name[sreg.len()..].starts_with("globaltimer"))
}
