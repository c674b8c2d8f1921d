//! Launches of those blocks alone that lead merged ones.
//!
//! ```text
//! the copy's grid is 7 x 10, blocks are merged 1x4      7 x 12: a multiple, blocks beyond the last end at once
//! launched is 7 x 3                                     ctaid.y reads 4 * ctaid.y, nctaid.y reads 4 * nctaid.y
//! ```
//! A chip starts a block in a fixed time, whatever that does, and of four merged ones three would only end at once. A
//! launched block reads what the first of its group would have read, so nothing that the version does or tests
//! changes. Sound where no block of the others does anything: the version has no body to fall back to, in which each
//! block works for itself.
//!
//! Where the host makes the version's launch anyway ([`Leaders`]), it makes one of whole groups, and what is asked of
//! that reads the same numbers. Else all is asked of the program's launch, and of that the run-time part launches a
//! block for each group (`Needs::merged`): a last group that is not whole must be one whose other threads end at once
//! (`plan/groups.rs`).

use super::host::{Host, Relaunch};
use crate::kernel::ids::{self, Register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Block, Builder, Value};
use crate::map::HashSet;

/// How such a version is launched.
pub struct Leaders<'a> {
    /// How its kernel's copy is, in a grid of whole groups.
    pub how: &'a dyn Relaunch,
    /// Blocks of a group along each axis.
    pub blocks: [u32; 3],
}

impl Relaunch for Leaders<'_> {
    fn write(&self, host: &mut Host, tests: &[Value]) -> Option<Value> {
        let before = host.own();
        host.merged = self.blocks;
        let answer = self.how.write(host, tests)?;
        let [x, y, z, along, up, layers] = host.own();
        let groups = [along, up, layers].into_iter().zip(self.blocks);
        let groups = groups.map(|(all, n)| match n {
            1 => all,
            n => host.b.udiv(all, host.constant(n)),
        });
        let groups: Vec<Value> = groups.collect();
        host.store(before, [x, y, z], [groups[0], groups[1], groups[2]], answer);
        Some(answer)
    }
}

/// Has the version `own`, and what is asked of its launch, read the numbers that the first of a group of so many
/// `blocks` would, and threads that every block has as they are. Merged blocks ask of the grid's size only whether it
/// has all of theirs, and it does: they read where their group ends.
pub fn read_as_first(own: &Kernel, blocks: [u32; 3]) {
    let (body, b) = (
        reachable(own.function.entry()),
        Builder::new(own.function.module()),
    );
    for block in own.function.blocks() {
        let is_body = body.contains(&block);
        for i in block.instructions() {
            let Some((register, d)) = ids::register(i) else {
                continue;
            };
            let (n, threads) = (blocks[d.index()], own.threads.map(|t| t[d.index()]));
            let int = |n: u32| i.ty().constant(n.into());
            b.before(i);
            let new = match (register, threads) {
                (Register::Ntid, Some(threads)) => int(threads),
                (Register::Nctaid, _) if n > 1 && is_body => {
                    let first = times(&b, Register::Ctaid, d, int(n));
                    b.add_nsw(first, int(n))
                }
                (Register::Ctaid | Register::Nctaid, _) if n > 1 => times(&b, register, d, int(n)),
                _ => continue,
            };
            i.replace_uses(new);
            i.erase();
        }
    }
}

/// `n` times what a register reads.
fn times(b: &Builder, register: Register, d: Dim, n: Value) -> Value {
    let name = format!("llvm.nvvm.read.ptx.sreg.{}.{}", register.name(), d.letter());
    let read = b.intrinsic(&name, &[], &[]);
    b.mul_nsw(read, n)
}

/// The blocks that a block leads to, and itself.
fn reachable(from: Block) -> HashSet<Block> {
    let (mut all, mut work) = (HashSet::default(), vec![from]);
    while let Some(block) = work.pop() {
        if all.insert(block) {
            work.extend(block.successors());
        }
    }
    all
}
