//! What is emitted where a few blocks do the work of the whole grid, in steps, by the transformation that says so.

use super::Lower;
use super::state::Site;
use crate::llvm::ir::Value;
use crate::plan::LockstepPlan;

/// How steps are emitted: the other half of [`crate::plan::GridSteps`].
pub(crate) trait EmitSteps {
    /// Ends the blocks that take no steps.
    fn dismiss(&self, l: &mut Lower);

    /// Emits the body in steps, and what comes before and behind them.
    fn emit(&self, l: &mut Lower, lockstep: &LockstepPlan);

    /// Emits what stands for an instruction in a step, and gives its value; `None`: it is emitted as it is.
    fn replace(&self, l: &mut Lower, i: Value, site: &Site) -> Option<Option<Value>>;

    /// What an instruction that reads a thread or block number gives in a step, if anything else than it gives this
    /// thread; `None`: what it gives in the step's blocks.
    fn id(&self, l: &mut Lower, i: Value) -> Option<Option<Value>>;
}
