//! A permuted kernel, as plain data.

use crate::choice::Relaunch;
use crate::kernel::{Dim, Kernel};
use crate::plan::ActiveBound;
use crate::transform::way::Recasting;

/// How the axes of a kernel's launch are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permute {
    /// The dimensions of the kernel's ids that lie along x, y and z of the copy's launch.
    pub order: [Dim; 3],
    /// By the kernel's dimension: threads that may be launched beyond the program's.
    pub spare: [Spare; 3],
    /// Dimensions whose ids are blocks' numbers, as blocks have one thread along them.
    pub by_block: [bool; 3],
    /// Whether it is about a folded copy, whose launch the program's was made into.
    pub of_folded: bool,
    /// Whether it is about a copy whose launch is made already, from which it goes on.
    pub follows: bool,
    /// Whether blocks of one row become blocks of several, and nothing else: that gains where arrays are staged then.
    pub regroups: bool,
}

/// Which threads beyond those of the program's launch end at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spare {
    /// None.
    None,
    /// Those from a limit on.
    From(ActiveBound),
    /// All.
    All,
}

impl Permute {
    /// Along which axis of the copy's launch a dimension of the kernel's ids lies.
    pub fn axis(&self, d: Dim) -> Dim {
        let place = self.order.into_iter().position(|o| o == d);
        Dim::ALL[place.unwrap_or(d.index())]
    }
}

impl Recasting for Permute {
    fn name(&self) -> &'static str {
        "Permute"
    }

    fn word(&self) -> &'static str {
        "permuted"
    }

    fn title(&self) -> Option<&'static str> {
        Some(match self.regroups {
            true => "its blocks of one row become blocks of several",
            false => "its axes are exchanged",
        })
    }

    fn describe(&self, _: &Kernel) -> String {
        let [x, y, z] = self.order.map(Dim::letter);
        format!("threads of a warp follow one another along {x}, rows along {y}, layers along {z}")
    }

    fn relaunch(&self) -> Option<&dyn Relaunch> {
        Some(self)
    }

    fn follows(&self) -> bool {
        self.follows
    }
}
