//! Who does a block's work.

use super::{GridSteps, LockstepPlan};
use std::sync::Arc;

/// Who does a block's work where there is no region.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Workers {
    /// Its threads, each its own.
    #[default]
    Threads,
    /// Its threads, each that of all replicas in lockstep.
    Lockstep(LockstepPlan),
    /// A few blocks do the work of the whole grid in steps: then the whole grid is merged, [`super::Plan::merge`] says
    /// how many steps a thread takes at a time, and facts are about the whole grid.
    Leaders(LockstepPlan, Arc<dyn GridSteps>),
}

impl Workers {
    /// The same, who run replicas in lockstep, as leaders; `None`: there are no such workers.
    pub fn leading(self, steps: Arc<dyn GridSteps>) -> Option<Workers> {
        match self {
            Workers::Threads => None,
            Workers::Lockstep(how) | Workers::Leaders(how, _) => Some(Workers::Leaders(how, steps)),
        }
    }
}
