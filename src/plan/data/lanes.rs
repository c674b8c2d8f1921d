//! How the lanes of merged blocks run where nothing is staged, and what they load and store at once.

use crate::access::AccessId;
use crate::kernel::Dim;
use crate::tree::{LoopId, NodeId};
use std::fmt;

/// How the lanes of a version without tiles run together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Together {
    /// Loads of which a lane may ask for what another load of another lane brings: they are found
    /// by address. Sorted.
    pub loads: Vec<AccessId>,
    /// Ifs before any store: where the lanes disagree there, the slow path begins anew.
    pub guards: Vec<NodeId>,
    /// Whether lanes disagree at the edges of the grid and of the data alone, where threads' numbers meet a bound.
    pub at_edges: bool,
    /// Distinct addresses that the loads of all lanes ask for, each load by itself.
    pub asked: u32,
    /// The same with what is found by address counted once.
    pub loaded: u32,
    /// Whether loops stay as they are written, because they are short.
    pub rolled: bool,
    /// Loads whose lanes slide over a window, from iteration to iteration.
    pub slides: Vec<Sliding>,
    /// Loads that all lanes, which own consecutive ids along x, do at once if aligned.
    pub at_once: Vec<AccessId>,
}

/// A load of which all lanes but the last find the value that their neighbour had one iteration before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sliding {
    /// The load, which every iteration runs.
    pub access: AccessId,
    /// The loop.
    pub loop_: LoopId,
    /// The dimension along which lanes are neighbours.
    pub along: Dim,
}

impl fmt::Display for Sliding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (a, d, l) = (self.access, self.along.letter(), self.loop_);
        write!(f, "{a} slides along {d} in {l}")
    }
}

/// How a member's reads of its tile slide along a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slide {
    /// The innermost loop around the access.
    pub loop_: LoopId,
    /// The merged dimension along which lanes read neighbouring cells; `None`: all lanes read alike.
    pub along: Option<Dim>,
    /// Cells read at once: a power of two that divides the lanes along that dimension. The cells of
    /// a thread's first lane and first iteration are aligned for it.
    pub width: u32,
}

impl fmt::Display for Slide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Slide { loop_, width, .. } = self;
        match self.along {
            Some(d) => write!(f, " slides along {} in {loop_}", d.letter())?,
            None => write!(f, " runs ahead in {loop_}")?,
        }
        write!(f, " by {width}")
    }
}

/// A store of lanes that own consecutive ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WideStore {
    /// The store.
    pub access: AccessId,
    /// The dimension along which the lanes are neighbours.
    pub along: Dim,
    /// How many lanes store at once: a power of two that divides their number along `along`.
    pub lanes: u32,
}

impl fmt::Display for WideStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lanes, d) = (self.lanes, self.along.letter());
        write!(
            f,
            "{} stores {lanes} lanes along {d} at once if aligned",
            self.access
        )
    }
}
