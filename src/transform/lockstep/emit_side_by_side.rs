//! What replicas that are neighbours load and store at once.
//!
//! ```text
//! if (cells of all of them lie side by side, aligned, in each array)   v = load 16 bytes;  f of each;  store 16 bytes
//! else                                                                 replica by replica
//! ```
//! One test of all accesses stands before the first: were there one at each, LLVM would find that both its ways load
//! the same, have one code for them, and forget that one is aligned.

use crate::kernel::BlockId;
use crate::llvm::ir::{Block, Op, Value};
use crate::lower::Lower;
use crate::lower::state::Site;
use crate::plan::LockstepPlan;

impl Lower<'_> {
    /// The accesses of a block that replicas do at once, where they store so, too.
    pub(super) fn side_by_side(&self, id: BlockId, plan: &LockstepPlan) -> Vec<Value> {
        let all = || plan.at_once.iter().map(|a| self.from.instruction(*a));
        if !all().any(|i| i.is(Op::LLVMStore)) {
            return Vec::new();
        }
        let block = self.from.kernel.block(id);
        all().filter(|i| i.block() == Some(block)).collect()
    }

    /// Goes to `slow` unless each of these accesses is one transaction of all replicas'.
    pub(super) fn emit_tests_of(&mut self, accesses: &[Value], id: BlockId, slow: Block) {
        let last = self.replicas.count() - 1;
        let mut sites = self.sites_of_replicas(id);
        let mut tests = Vec::new();
        for i in accesses {
            self.b.locate_as(*i);
            let pointer = i.operand(u32::from(i.is(Op::LLVMStore)));
            let [from, to] = [0, last].map(|replica| {
                self.replica = replica;
                self.value_before_block(pointer, &mut sites[replica])
            });
            let size = i64::from(self.accesses_size(*i));
            tests.push(self.is_one_transaction(from, to, size, size * (last as i64 + 1)));
        }
        self.replica = 0;
        let Some(all) = self.b.all(tests) else { return };
        let wide = self.new_block("mesi.wide");
        self.b.cond_br(all, wide, slow);
        self.b.at_end(wide);
    }

    /// What the current replica has for a value that the block at `site` works out of numbers, before it comes to that.
    fn value_before_block(&mut self, v: Value, site: &mut Site) -> Value {
        let here = self.from.kernel.block(site.block);
        if v.block() == Some(here) && !v.is(Op::LLVMPHI) && !site.local.contains_key(&v) {
            for o in v.operands() {
                self.value_before_block(o, site);
            }
            if let Some(new) = self.emit_instruction(v, site) {
                site.local.insert(v, new);
            }
        }
        self.operand(v, site)
    }

    /// Loads what all replicas ask for, as [`Self::emit_tests_of`] has tested.
    pub(super) fn emit_vector_load(&mut self, i: Value, sites: &mut [Site]) {
        self.b.locate_as(i);
        let count = self.replicas.count() as u32;
        self.replica = 0;
        let at = self.operand(i.operand(0), &sites[0]);
        let bytes = self.accesses_size(i) * count;
        let all = self.b.load(i.ty().vector(count), at, bytes);
        for (replica, site) in sites.iter_mut().enumerate() {
            self.replica = replica;
            let new = self.b.extract(all, replica as u32);
            self.define(i, new, site);
        }
        self.replica = 0;
    }

    /// Stores what all replicas do.
    pub(super) fn emit_vector_store(&mut self, i: Value, sites: &[Site]) {
        self.b.locate_as(i);
        let count = self.replicas.count() as u32;
        let mut all = i.operand(0).ty().vector(count).poison();
        for (replica, site) in sites.iter().enumerate() {
            self.replica = replica;
            let v = self.operand(i.operand(0), site);
            all = self.b.insert_element(all, v, replica as u32);
        }
        self.replica = 0;
        let at = self.operand(i.operand(1), &sites[0]);
        let bytes = self.accesses_size(i) * count;
        self.b.store(all, at, bytes);
    }
}
