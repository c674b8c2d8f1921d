//! Emits the staged body: executes a plan and asks nothing.
//!
//! ```text
//! entry:   stack slots
//! test:    the plan's facts, the same for all threads of a block     br ok, setup, original
//! setup:   values that hold for the whole kernel
//! …        the tree walked again, with copies, barriers and tile accesses in it;  ret
//! original blocks, untouched
//! ```
//! Original blocks are never edited; the staged body is made of clones of their instructions.
//! Values live in stack slots while emitting ([`slots`]), so a block may be emitted wherever the
//! plan wants it. Control around a region is *convergent*: instead of branching, threads carry a
//! predicate, so that the whole block reaches every barrier ([`body`]).

mod ask;
mod bodies;
mod body;
mod contracted;
mod copy;
mod copy_loop;
mod cursor;
mod dce;
mod ends;
mod entry;
mod eval;
mod fast_pass;
mod fetch;
mod flush;
mod frame;
mod hull;
mod jam;
mod merged_walks;
mod next;
mod pipeline;
mod pipeline_shape;
mod range_test;
mod ranges;
mod region;
mod registers;
mod replicas;
mod rewrite;
mod slots;
mod spine;
pub(crate) mod state;
pub(crate) mod steps;
#[cfg(test)]
mod tests;
mod walk;
pub(crate) mod walker;
mod whole_async;
mod wide;
mod zeros;

use crate::llvm::ir::{Block, Builder, Function, Module, Op, Value};
use crate::map::HashMap;
use crate::plan::Workers;
use crate::tree::LoopId;

pub use ask::{HostRanges, HostTests, Question, ask, ask_any, ask_over_grid, ranges_over_grid};
pub use bodies::{Lowered, emit, emit_own, take_back_promises};
pub use contracted::{mark_sums, round_marked};

use replicas::Replicas;
use state::{Hoisted, Instead, Iteration, Kept, Led, RematPoint, Slot, Source};

/// The metadata kind of the branch that picks a body.
pub const DISPATCH: &str = "mesi.dispatch";
/// The metadata kind that numbers the barriers emitted, from 0.
pub const BARRIER: &str = "mesi.barrier";
/// The kernel attribute that holds the number of barriers emitted.
pub const STAGED: &str = "mesi.staged";

/// The state of one emission.
pub(crate) struct Lower<'a> {
    /// What it is an emission of.
    pub(crate) from: &'a Source<'a>,
    /// The replicas of a merged body, or, in a jammed loop, its iterations; one otherwise.
    pub(crate) replicas: &'a Replicas,
    /// Writes the staged body, in order.
    pub(crate) b: Builder,
    /// Writes what holds for the whole kernel: to `test` while facts are emitted, then to `setup`.
    pub(crate) hoist: Builder,
    /// What that made.
    pub(crate) hoisted: HashMap<Hoisted, Value>,
    /// Writes stack slots, at the end of the new entry.
    pub(crate) slot_pen: Builder,
    /// New blocks in order of creation.
    pub(crate) blocks: Vec<Block>,
    pub(crate) copies: Vec<Block>,
    pub(crate) barriers: u32,
    /// The replica that code is emitted for.
    pub(crate) replica: usize,
    /// Its place among the merged blocks along each dimension, where only the machine knows it.
    pub(crate) place: [Option<Value>; 3],
    /// Whose ids count.
    pub(crate) led: Led,
    /// By what is kept and replica, see [`replicas`].
    pub(crate) slots: HashMap<(Kept, usize), Slot>,
    /// Iteration numbers of the loops being emitted.
    pub(crate) iterations: HashMap<LoopId, Iteration>,
    /// What stands for instructions now, by instruction of the original.
    pub(crate) instead: HashMap<Value, Instead>,
    /// Where values are made again.
    pub(crate) remat_points: Vec<RematPoint>,
}

impl<'a> Lower<'a> {
    pub(crate) fn new(from: &'a Source<'a>, replicas: &'a Replicas) -> Lower<'a> {
        let function = from.kernel.function;
        let module = function.module();
        let before = function.entry();
        let entry = function.append_block("mesi.entry");
        entry.move_before(before);
        let slot_pen = Builder::new(module);
        slot_pen.at_end(entry);
        Lower {
            from,
            replicas,
            b: Builder::new(module),
            hoist: Builder::new(module),
            hoisted: HashMap::default(),
            slot_pen,
            blocks: vec![entry],
            copies: Vec::new(),
            barriers: 0,
            replica: 0,
            place: [None; 3],
            led: Led::Grid,
            slots: HashMap::default(),
            iterations: HashMap::default(),
            instead: HashMap::default(),
            remat_points: Vec::new(),
        }
    }

    /// The function that is being written.
    pub(crate) fn function(&self) -> Function {
        self.from.kernel.function
    }

    pub(crate) fn module(&self) -> Module {
        self.function().module()
    }

    /// A new block at the end of the layout.
    pub(crate) fn new_block(&mut self, name: &str) -> Block {
        let b = self.function().append_block(name);
        self.blocks.push(b);
        b
    }

    /// Ends the current block by falling into a new one, where emission goes on.
    pub(crate) fn fall_into(&mut self, name: &str) -> Block {
        let b = self.new_block(name);
        self.b.br(b);
        self.b.at_end(b);
        b
    }

    /// All threads of the block meet here.
    pub(crate) fn emit_barrier(&mut self) {
        self.b.locate_nowhere();
        let (name, all) = ("llvm.nvvm.barrier.cta.sync.aligned.all", self.b.int(0));
        let call = self.b.intrinsic(name, &[], &[all]);
        self.number_barrier(call);
    }

    /// Tags a barrier, so that copies of it that LLVM might make can be told from others.
    pub(crate) fn number_barrier(&mut self, call: Value) {
        call.set_number(self.module(), BARRIER, self.barriers);
        self.barriers += 1;
    }

    pub(crate) fn emit_staged(&mut self) {
        let first = self.new_block("mesi.body");
        self.b.at_end(first);
        let plan = self.from.plan;
        let unrolls = plan.unrolls();
        match &plan.workers {
            Workers::Leaders(lockstep, _) => {
                let steps = self.grid_steps().expect("leaders take steps");
                steps.emit(self, lockstep);
            }
            Workers::Lockstep(lockstep) => self.emit_lockstep(lockstep),
            Workers::Threads
                if plan.regions.is_empty()
                    && (plan.unroll_jam().is_some() || plan.has_scalars_only() || unrolls) =>
            {
                self.emit_structured(self.from.tree.root)
            }
            Workers::Threads => {
                let all = self.existing_replicas();
                self.emit_convergent(self.from.tree.root, &all);
            }
        }
        crate::boundary::midway();
        self.b.locate_nowhere();
        self.b.ret_void();
        self.hoist.br(first);
    }

    /// Turns slots into values and removes what the tiles made superfluous.
    pub(crate) fn clean(&mut self) {
        let first = self.blocks[1];
        self.slot_pen.br(first);
        self.function()
            .run_passes("mem2reg")
            .expect("mem2reg is a pass of LLVM");
        dce::remove_dead(&self.blocks);
        self.rematerialize();
        dce::remove_dead(&self.blocks);
    }

    /// Moves the original's stack objects to the new entry, so that both bodies have them.
    pub(crate) fn move_frames(&mut self, original: Block) {
        for i in original.instructions() {
            if i.is(Op::LLVMAlloca) && i.operand(0).is_constant() {
                i.unlink();
                self.slot_pen.insert(i);
            }
        }
    }

    /// Whether a value of the original is one of its stack objects, which both bodies share.
    pub(crate) fn is_frame(&self, v: Value) -> bool {
        v.is(Op::LLVMAlloca) && v.block() == Some(self.function().entry())
    }
}
