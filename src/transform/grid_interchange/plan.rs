//! A kernel whose grid is interchanged, as plain data.

use crate::choice::Relaunch;
use crate::kernel::{Dim, Kernel};
use crate::transform::way::Recasting;

/// That the axes of a kernel's grid are exchanged: those along x and y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridInterchange;

impl GridInterchange {
    /// Along which axis of the copy's grid blocks lie that lie along `d` in the program's.
    pub fn axis(self, d: Dim) -> Dim {
        match d {
            Dim::X => Dim::Y,
            Dim::Y => Dim::X,
            Dim::Z => Dim::Z,
        }
    }
}

impl Recasting for GridInterchange {
    fn name(&self) -> &'static str {
        "GridInterchange"
    }

    fn word(&self) -> &'static str {
        "grid interchanged"
    }

    fn title(&self) -> Option<&'static str> {
        Some("its grid is interchanged")
    }

    fn describe(&self, _: &Kernel) -> String {
        "blocks along x lie along y, those along y along x".to_string()
    }

    fn relaunch(&self) -> Option<&dyn Relaunch> {
        Some(self)
    }
}
