//! The launch of packed blocks: as many to one as give it 128 threads, or fewer, so that the chip has work for all of
//! its multiprocessors.
//!
//! ```text
//! packed = min(128 / area, max(32 / area, blocks / 1024), blocks along x)     area: threads of a block
//! <<<ceil(x / packed), (blockDim.x, blockDim.y, packed)>>>                    or along y, if there are more there
//! ```

use super::plan::{Pack, Word};
use crate::choice::{Host, Relaunch};
use crate::llvm::ir::{Pred, Value};
use crate::machine::target::{BLOCK_LAYERS, WARP};
use crate::machine::tuning::pack::{ENOUGH, THREADS};

impl Relaunch for Pack {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let b = host.b;
        let own = host.own();
        let [zero, one, two] = [0, 1, 2].map(|n| host.constant(n));
        let threads = THREADS.min(host.kernel.max_threads);
        let [warp, threads, enough] = [WARP, threads, ENOUGH].map(|n| host.constant(n));
        let least = |x: Value, y: Value| b.select(b.icmp(Pred::LLVMIntULT, x, y), x, y);
        let most = |x: Value, y: Value| b.select(b.icmp(Pred::LLVMIntUGT, x, y), x, y);
        let area = b.mul(own[0], own[1]);
        host.tests.push(b.icmp(Pred::LLVMIntEQ, own[2], one));
        host.tests.push(match self.whole_warps {
            true => b.icmp(Pred::LLVMIntEQ, area, warp),
            false => b.icmp(Pred::LLVMIntULE, area, warp),
        });
        // Nothing is divided by 0, whatever the launch is.
        let of = most(area, one);
        let is_along_y = b.icmp(Pred::LLVMIntUGT, own[4], own[3]);
        let along = b.select(is_along_y, own[4], own[3]);
        let all = b.mul(own[3], b.mul(own[4], own[5]));
        let wanted = most(b.udiv(warp, of), b.udiv(all, enough));
        let layers = host.constant(BLOCK_LAYERS);
        let packed = least(least(b.udiv(threads, of), layers), least(wanted, along));
        let packed = match self.shared {
            Some(shared) => {
                // Each lies in one warp.
                let rest = b.sub(warp, b.mul(b.udiv(warp, of), of));
                host.tests.push(b.icmp(Pred::LLVMIntEQ, rest, zero));
                least(packed, host.constant(shared.parts))
            }
            None => packed,
        };
        host.tests.push(b.icmp(Pred::LLVMIntUGE, packed, two));
        let packed = most(packed, one);
        let left = b.udiv(b.sub(b.add(along, packed), one), packed);
        let answer = host.answer()?;
        let pick = |if_y: Value, if_x: Value| b.select(is_along_y, if_y, if_x);
        let grid = [pick(own[3], left), pick(left, own[4]), own[5]];
        host.store(own, [own[0], own[1], packed], grid, answer);
        let words = [
            (Word::Step, [pick(one, packed), pick(packed, one)]),
            (Word::Layers, [pick(zero, one), pick(one, zero)]),
        ];
        let words = words
            .into_iter()
            .flat_map(|(w, of)| [0, 1].map(|d| (w.place(d), of[d])));
        let program = (0..3).map(|d| (Word::Grid.place(d), own[3 + d]));
        host.hand(program.chain(words));
        Some(answer)
    }
}
