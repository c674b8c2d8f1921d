//! Tests that only the host asks of a launch, as blocks for a gate to be made of.
//!
//! ```text
//! pays:  br (all hold), yes, original          !mesi.dispatch
//! yes:   ret                                    stands for the version
//! ```
//! Nothing leads there, and the blocks go once the gate is made: the kernel itself has no use for them.

use super::replicas::Replicas;
use super::state::{Led, Source};
use super::{DISPATCH, Lower};
use crate::llvm::ir::{Block, Builder, Value};
use crate::plan::{Along, Analyses, Fact, Plan};

/// Blocks that nothing leads to.
pub struct Question {
    /// The one with the tests.
    pub root: Block,
    blocks: Vec<Block>,
}

impl Question {
    /// Deletes the blocks.
    pub fn forget(self) {
        self.blocks.into_iter().for_each(Block::delete);
    }
}

/// Tests of facts for all blocks of a grid at once, and no branch yet.
pub struct HostTests {
    root: Block,
    /// One for each fact.
    pub tests: Vec<Value>,
}

impl HostTests {
    /// Deletes the tests.
    pub fn forget(self) {
        self.root.delete();
    }

    /// The question whether all of them hold: then `on`, the first of what a block of the version asks, or the version
    /// itself where it asks nothing; else `original`.
    pub fn lead(self, on: Option<Block>, original: Block) -> Question {
        let module = original.function().module();
        let b = Builder::new(module);
        b.at_end(self.root);
        let all = b.all(self.tests).unwrap_or(b.i1().constant(1));
        if let Some(on) = on {
            b.cond_br(all, on, original);
            return Question {
                root: self.root,
                blocks: vec![self.root],
            };
        }
        let yes = original.function().append_block("mesi.yes");
        b.cond_br(all, yes, original).set_mark(module, DISPATCH);
        b.at_end(yes);
        b.ret_void();
        Question {
            root: self.root,
            blocks: vec![self.root, yes],
        }
    }
}

/// Emits tests of `facts` of `plan` over the whole grid, each with how ids run over it.
pub fn ask_over_grid(f: &Analyses, plan: &Plan, facts: &[(Fact, [Along; 3])]) -> HostTests {
    let from = Source::new(f, plan, None);
    let replicas = Replicas::new(&from);
    let mut l = detached(&from, &replicas);
    let root = l.new_block("mesi.grid");
    l.b.at_end(root);
    l.hoist.at_end(root);
    let tests = facts.iter().map(|(fact, along)| {
        l.led = Led::Over(*along);
        l.forget_sums();
        l.fact(fact)
    });
    let tests = tests.collect();
    HostTests { root, tests }
}

/// Where the bytes lie that a version's copies read, over the whole grid, and no branch.
pub struct HostRanges {
    root: Block,
    /// Of each fact: the lowest byte and the end of the highest, and whether there are any; `None`: in any case.
    pub ranges: Vec<([Value; 2], Option<Value>)>,
}

impl HostRanges {
    /// Deletes what was worked out.
    pub fn forget(self) {
        self.root.delete();
    }
}

/// Emits the ranges of those of `facts` that are about memory.
pub fn ranges_over_grid(f: &Analyses, plan: &Plan, facts: &[(Fact, [Along; 3])]) -> HostRanges {
    let from = Source::new(f, plan, None);
    let replicas = Replicas::new(&from);
    let mut l = detached(&from, &replicas);
    let root = l.new_block("mesi.ranges");
    l.b.at_end(root);
    l.hoist.at_end(root);
    let ranges = facts.iter().filter_map(|(fact, along)| {
        let Fact::Mapped { bytes } = fact else {
            return None;
        };
        l.led = Led::Over(*along);
        l.forget_sums();
        Some(l.range_of(bytes))
    });
    let ranges = ranges.collect();
    HostRanges { root, ranges }
}

/// An emission of its own, of nothing but tests.
fn detached<'a>(from: &'a Source<'a>, replicas: &'a Replicas) -> Lower<'a> {
    let l = Lower::new(from, replicas);
    l.slot_pen.block().delete();
    l
}

/// Emits the question whether a launch meets all of `tests`; none where any does. `original`: the first block of the
/// kernel as it was.
pub fn ask(f: &Analyses, plan: &Plan, tests: &[Fact], original: Block) -> Option<Question> {
    question(f, plan, original, |l| {
        let tests = tests.iter().map(|f| l.fact(f)).collect();
        l.b.all(tests)
    })
}

/// The same of one of `tests` at least.
pub fn ask_any(f: &Analyses, tests: &[Fact], original: Block) -> Option<Question> {
    question(f, &Plan::default(), original, |l| {
        let all: Vec<Value> = tests.iter().map(|f| l.fact(f)).collect();
        all.into_iter().reduce(|x, y| l.b.or(x, y))
    })
}

/// The question that `test` emits, if it emits one.
fn question(
    f: &Analyses,
    plan: &Plan,
    original: Block,
    test: impl FnOnce(&mut Lower) -> Option<Value>,
) -> Option<Question> {
    let from = Source::new(f, plan, None);
    let replicas = Replicas::new(&from);
    let mut l = detached(&from, &replicas);
    let (root, yes) = (l.new_block("mesi.pays"), l.new_block("mesi.yes"));
    l.b.at_end(root);
    l.hoist.at_end(root);
    let Some(test) = test(&mut l) else {
        root.delete();
        yes.delete();
        return None;
    };
    let branch = l.b.cond_br(test, yes, original);
    branch.set_mark(l.module(), DISPATCH);
    l.b.at_end(yes);
    l.b.ret_void();
    let blocks = vec![root, yes];
    Some(Question { root, blocks })
}
