//! Launches recorded once and started all together: between them the GPU waits for nobody.

use std::ffi::{c_int, c_uint, c_ulonglong};
use std::ptr::null_mut;

use anyhow::{Context as _, Result};

use super::{Context, Handle, call};

/// `CU_STREAM_NON_BLOCKING`: the stream that is recorded must not be tied to the default one.
const NON_BLOCKING: c_uint = 1;
/// `CU_STREAM_CAPTURE_MODE_RELAXED`: nothing else in this process launches.
const RELAXED: c_int = 2;

/// A stream whose launches are recorded and not run.
pub struct Recorder<'c> {
    context: &'c Context<'c>,
    pub(super) stream: Handle,
}

/// Recorded launches, one after the other.
pub struct Graph<'c> {
    context: &'c Context<'c>,
    recorded: Handle,
    ready: Handle,
}

impl<'c> Context<'c> {
    /// What `launches` starts on the recorder, ready to be run.
    ///
    /// # Errors
    /// What the driver says against a launch or the whole.
    pub fn graph(
        &'c self,
        launches: impl FnOnce(&Recorder<'c>) -> Result<()>,
    ) -> Result<Graph<'c>> {
        let mut stream = null_mut();
        call!(self.driver, "cuStreamCreate", (&mut stream => *mut Handle, NON_BLOCKING => c_uint))?;
        let recorder = Recorder {
            context: self,
            stream,
        };
        call!(self.driver, "cuStreamBeginCapture_v2", (stream => Handle, RELAXED => c_int))?;
        let outcome = launches(&recorder);
        let mut graph = Graph {
            context: self,
            recorded: null_mut(),
            ready: null_mut(),
        };
        // Ended also after a failure: a stream under capture cannot be destroyed.
        let ended = call!(self.driver, "cuStreamEndCapture", (stream => Handle, &mut graph.recorded => *mut Handle));
        outcome.and(ended)?;
        call!(self.driver, "cuGraphInstantiateWithFlags", (&mut graph.ready => *mut Handle, graph.recorded => Handle, 0 => c_ulonglong))?;
        call!(self.driver, "cuGraphUpload", (graph.ready => Handle, null_mut() => Handle))?;
        Ok(graph)
    }
}

impl Graph<'_> {
    /// Starts all launches on the default stream.
    pub fn run(&self) -> Result<()> {
        call!(self.context.driver, "cuGraphLaunch", (self.ready => Handle, null_mut() => Handle))
    }
}

// Drops ignore errors: after a fault every call fails, and the end of the process frees all.

impl Drop for Recorder<'_> {
    fn drop(&mut self) {
        let free = || -> Result<()> {
            call!(self.context.driver, "cuStreamDestroy_v2", (self.stream => Handle))
        };
        let _ = free();
    }
}

impl Drop for Graph<'_> {
    fn drop(&mut self) {
        let free = || -> Result<()> {
            if !self.ready.is_null() {
                call!(self.context.driver, "cuGraphExecDestroy", (self.ready => Handle))?;
            }
            if !self.recorded.is_null() {
                call!(self.context.driver, "cuGraphDestroy", (self.recorded => Handle))?;
            }
            Ok(())
        };
        let _ = free();
    }
}
