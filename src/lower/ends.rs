//! Branches that all replicas come to: where these agree, and what the first and the last of them tell of the others.
//!
//! ```text
//! id < n    replicas own consecutive ids: all below, if the last one is; none, if the first one is not
//! ```

use super::Lower;
use crate::kernel::{BlockId, Dim, ids};
use crate::llvm::ir::{Block, Op, Pred, Value};

/// What the first and the last replica tell of a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// If it holds for both, or for neither, so it is between.
    Both,
    /// If it holds for both, it does between.
    All,
    /// If it holds for neither, it does not between.
    None,
    /// Nothing.
    Nothing,
}

impl Lower<'_> {
    /// Goes to the first block if the condition of `at` holds for all replicas, to the second if for none, and else to
    /// `slow`.
    pub(crate) fn emit_branch_for_all(&mut self, at: BlockId, [yes, no]: [Block; 2], slow: Block) {
        let condition = self.from.kernel.block(at).terminator().condition();
        let mask = self.replicas.mask(condition);
        let alike = |l: &usize| self.replicas.representative(*l, mask) == *l;
        let replicas: Vec<usize> = (0..self.replicas.count()).filter(alike).collect();
        if replicas.len() == 1 {
            let one = self.condition_of(at);
            self.b.cond_br(one, yes, no);
            return;
        }
        let both = [replicas[0], replicas[replicas.len() - 1]];
        let ends = self.decided_by_ends(condition);
        let first = match ends {
            Ends::Nothing => &replicas,
            _ => &both[..],
        };
        let (every, any) = self.every_and_any(at, first);
        let differ = self.new_block("mesi.differ");
        if ends == Ends::None {
            self.b.cond_br(any, differ, no);
            self.b.at_end(differ);
            let (every, _) = self.every_and_any(at, &replicas);
            self.b.cond_br(every, yes, slow);
            return;
        }
        self.b.cond_br(every, yes, differ);
        self.b.at_end(differ);
        let any = match ends {
            Ends::All => self.every_and_any(at, &replicas).1,
            _ => any,
        };
        self.b.cond_br(any, slow, no);
    }

    /// Whether the condition of `at` holds for all of some replicas, and whether for any.
    fn every_and_any(&mut self, at: BlockId, replicas: &[usize]) -> (Value, Value) {
        let mut conditions = Vec::new();
        for replica in replicas {
            self.replica = *replica;
            conditions.push(self.condition_of(at));
        }
        self.replica = 0;
        let (mut every, mut any) = (conditions[0], conditions[0]);
        for c in &conditions[1..] {
            every = self.b.and(every, *c);
            any = self.b.or(any, *c);
        }
        (every, any)
    }

    /// What the first and the last replica tell of a condition for those between. In steps the ids of all replicas that
    /// are there are below 2^31, as a fact says, so where replicas own consecutive ids these grow from replica to
    /// replica, and `id < limit` changes once at most.
    fn decided_by_ends(&self, condition: Value) -> Ends {
        let merge = self.replicas.merge;
        let along_x = merge.consecutive[0] && merge.factor[1..] == [1, 1];
        match self.from.plan.steps().is_some() && along_x {
            true => self.ends_of(condition),
            false => Ends::Nothing,
        }
    }

    fn ends_of(&self, condition: Value) -> Ends {
        if self.replicas.mask(condition) == 0 {
            return Ends::Both;
        }
        let sides = |c: Value| [0, 1].map(|i| c.operand(i));
        let constant = |k: u32| condition.operand(k).const_int();
        let (parts, of) = match condition.opcode() {
            Some(Op::LLVMICmp) => {
                let equal = [Pred::LLVMIntEQ, Pred::LLVMIntNE].contains(&condition.predicate());
                let id = |v: Value| ids::is_widened_global_id(v, Dim::X);
                let [a, b] = sides(condition);
                let fixed = |v: Value| self.replicas.mask(v) == 0;
                let changes_once = (id(a) && fixed(b)) || (id(b) && fixed(a));
                return match changes_once && !equal {
                    true => Ends::Both,
                    false => Ends::Nothing,
                };
            }
            Some(Op::LLVMAnd) => (sides(condition), Ends::All),
            Some(Op::LLVMOr) => (sides(condition), Ends::None),
            Some(Op::LLVMSelect) if constant(2) == Some(0) => (sides(condition), Ends::All),
            Some(Op::LLVMSelect) if constant(1).is_some_and(|k| k != 0) => {
                ([condition.operand(0), condition.operand(2)], Ends::None)
            }
            _ => return Ends::Nothing,
        };
        let is_decided = |p: Value| {
            let part = self.ends_of(p);
            part == Ends::Both || part == of
        };
        if parts.into_iter().all(is_decided) {
            of
        } else {
            Ends::Nothing
        }
    }
}
