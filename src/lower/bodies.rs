//! The body of a plan, in front of the original.

use super::replicas::Replicas;
use super::state::Source;
use super::{Lower, STAGED, registers};
use crate::llvm::ir::{Block, Function, Type, Value};
use crate::plan::{Analyses, Fact, Plan};
use crate::transform::own_tiles::arrays::Room;
use crate::transform::unroll;

/// What was emitted: figures for remarks, and what `check` looks at.
pub struct Lowered {
    /// The branch between the staged and the original body.
    pub dispatch: Value,
    /// First block of the staged body.
    pub staged: Block,
    /// Every new block, entry and tests included, in layout order.
    pub blocks: Vec<Block>,
    /// Those of them that copy between global memory and tiles, or do without (`flush`).
    pub copies: Vec<Block>,
    /// The buffer that all tiles carve; a constant where there are none.
    pub buffer: Value,
    /// Barriers emitted.
    pub barriers: u32,
    /// Shared memory that the kernel's own arrays take beside what they took, if replicas have parts of them.
    pub parts: Room,
}

/// The storage of `kernel`'s tiles.
///
/// Of a template's kernel that several files have, the device's linker takes one and drops the others, but it adds up
/// what they hold of shared memory. So theirs are one, too. It refuses those that differ in size, as files compiled for
/// other block shapes may; hence the size in the name: what no kernel uses costs none anything.
fn add_tiles(kernel: Function, bytes: u32) -> Value {
    let module = kernel.module();
    let merged = kernel.value().is_mergeable();
    let name = match merged {
        // Seen by the linker, so only what PTX takes in a name.
        true => format!("{}$tiles${bytes}", kernel.name()),
        false => format!("mesi.tiles.{}", kernel.name()),
    };
    let ty = Type::int(module, 8).array(u64::from(bytes));
    module.add_shared_global(&name, ty, 16, merged)
}

/// Emits the body of a version in a kernel of its own, beside the body that is there, to which blocks go where a fact
/// does not hold that is not `decided` before the launch; where all are, none goes there. The other body stays as it
/// is.
pub fn emit_own(f: &Analyses, plan: &Plan, decided: &[Fact]) -> Lowered {
    emit_body(f, plan, Some(decided))
}

/// Emits the staged body of `plan`, which is not idle, beside the original one. Its alternatives have none here.
pub fn emit(f: &Analyses, plan: &Plan) -> Lowered {
    emit_body(f, plan, None)
}

/// `decided`: of a version in a kernel of its own, what is asked before it is launched.
fn emit_body(f: &Analyses, plan: &Plan, decided: Option<&[Fact]>) -> Lowered {
    let (kernel, accesses) = (f.kernel, f.accesses);
    assert!(!plan.is_idle(), "nothing to do in {}", kernel.name);
    let function = kernel.function;
    let wanted = decided.and(plan.registers);
    if wanted.is_none() {
        // `registers::limit` asks for it: counted now, of the code as it is before the body is there.
        kernel.pressure();
    }
    let tiles = plan
        .stages()
        .then(|| add_tiles(function, plan.shared_bytes.max(1)));
    let from = Source::new(f, plan, tiles);
    let mut replicas = Replicas::new(&from);
    replicas.make_parts(&from);
    let original = function.entry();
    let mut l = Lower::new(&from, &replicas);
    let dispatch = l.emit_entry(original, decided);
    let staged = l.hoist.block();
    l.emit_staged();
    l.clean();
    take_back_promises(function);
    function.add_string_attribute(STAGED, &l.barriers.to_string());
    let tiles = || plan.regions.iter().filter(|r| r.strip.is_some());
    let ways = registers::Ways {
        flies: tiles().any(|r| r.strip.is_some_and(|s| s.depth > 1)),
        replicas: plan.merge.replicas(),
        whole_async: plan.merge.replicas() > 1 && plan.regions.iter().all(|r| r.whole_async),
        shared: plan.shared_bytes,
        staged: !plan.regions.is_empty(),
        only_stores: !plan.regions.is_empty() && plan.regions.iter().all(|r| r.only_stores()),
        tiles: tiles().map(|r| r.tiles.len()).max().unwrap_or(0),
        writes: plan.tiles().any(|t| !t.write_back.is_empty()),
        unroll_jam: plan.unroll_jam().is_some()
            || plan.has_scalars_only()
            || plan.unrolled().any(|r| !r.ahead.is_empty()),
        wanted,
        unrolled_words: unroll::words(plan, f.tree, accesses),
    };
    registers::limit(kernel, &l.blocks, ways);
    Lowered {
        dispatch,
        staged,
        blocks: l.blocks,
        copies: l.copies,
        buffer: from.buffer,
        barriers: l.barriers,
        parts: replicas.own.room,
    }
}

/// Takes back promises that hold for an original body only, whose threads wait for none and each of which stores.
pub fn take_back_promises(f: Function) {
    for kind in ["nosync", "memory", "willreturn"] {
        f.drop_attribute(kind);
    }
    for (i, p) in f.params().into_iter().enumerate() {
        if p.ty().is_pointer() {
            f.drop_param_attribute(i as u32, "initializes");
        }
    }
    f.add_attribute("convergent");
}
