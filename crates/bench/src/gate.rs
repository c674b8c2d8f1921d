//! Asks an image's gates, as the host side of a program does, which versions a launch may take.
//!
//! The bundle has the gates of an image compiled for this machine, in one shared object. They are called
//! with what the row really launches with: the arguments' bytes, block and grid.

use std::ffi::c_void;
use std::path::Path;

use anyhow::{Context as _, Result};
use mesi_launch::GATE;
use mesi_launch::room::{self, Relaunch};

use crate::manifest::Gates;

/// `zeroext i1 (ptr args, ptr launch)`: true where the version may be launched, or surely gains. That of blocks may change the launch,
/// and says whether it did.
type Ask = unsafe extern "C" fn(*const *mut c_void, *mut u32) -> bool;

/// The loaded gate of one kernel.
pub struct Gate {
    ask: Ask,
    /// Keeps the code loaded.
    _library: libloading::Library,
}

impl Gate {
    /// The gate of the kernel with symbol `kernel` in the bundle at `root`; `None` if it has none.
    pub fn load(root: &Path, gates: &Gates, kernel: &str) -> Result<Option<Gate>> {
        if !gates.kernels.iter().any(|k| k == kernel) {
            return Ok(None);
        }
        let path = root.join(&gates.library);
        let failed = || format!("the gate of {kernel} in {} cannot be used", path.display());
        // SAFETY: it is made by `cargo xtask bench` of functions that only compute: nothing runs on loading.
        let library = unsafe { libloading::Library::new(&path) }.with_context(failed)?;
        let symbol = format!("{kernel}{GATE}");
        // SAFETY: the type is that of every gate (`mesi_launch::Gate`).
        let ask = *unsafe { library.get::<Ask>(symbol.as_bytes()) }.with_context(failed)?;
        Ok(Some(Gate {
            ask,
            _library: library,
        }))
    }

    /// What the gate says of a launch.
    ///
    /// # Safety
    /// `arguments` must point to the value of each of the kernel's parameters, aligned as it is in C.
    pub unsafe fn allows(
        &self,
        arguments: &[*mut c_void],
        block: [u32; 3],
        grid: [u32; 3],
    ) -> bool {
        let mut launch = [block, grid];
        // SAFETY: a gate reads its kernel's parameters, which the caller vouches for, and the six numbers.
        unsafe { (self.ask)(arguments.as_ptr(), launch.as_mut_ptr().cast()) }
    }

    /// Where bytes lie that must be memory for a version, where this is the gate of that: of each range the lowest byte and
    /// the end of the highest; `None`: it cannot tell.
    ///
    /// # Safety
    /// As for [`Gate::allows`].
    pub unsafe fn ranges(
        &self,
        arguments: &[*mut c_void],
        block: [u32; 3],
        grid: [u32; 3],
    ) -> Option<Vec<[u64; 2]>> {
        room::ranges([block, grid], |room| {
            // SAFETY: as there; it writes no more than there is room for.
            unsafe { (self.ask)(arguments.as_ptr(), room) }
        })
    }

    /// Block and grid that the threads of a launch are dealt out to, where this is the gate of a kernel's blocks; `None`: they stay.
    ///
    /// # Safety
    /// As for [`Gate::allows`].
    pub unsafe fn blocks(
        &self,
        arguments: &[*mut c_void],
        block: [u32; 3],
        grid: [u32; 3],
    ) -> Option<[[u32; 3]; 2]> {
        let mut launch = [block, grid];
        // SAFETY: as there; it writes the six numbers.
        let dealt = unsafe { (self.ask)(arguments.as_ptr(), launch.as_mut_ptr().cast()) };
        (dealt && launch != [block, grid]).then_some(launch)
    }

    /// Block and grid that a version is launched in, where this is the gate of that, and the bytes of the argument that it
    /// has besides the kernel's, if it has one more; `None`: it is not launched.
    ///
    /// # Safety
    /// As for [`Gate::allows`].
    pub unsafe fn relaunch(
        &self,
        arguments: &[*mut c_void],
        block: [u32; 3],
        grid: [u32; 3],
    ) -> Option<Relaunch> {
        room::relaunch([block, grid], arguments.len(), |room| {
            // SAFETY: as there; it writes no more than there is room for.
            unsafe { (self.ask)(arguments.as_ptr(), room.as_mut_ptr()) }
        })
    }
}
