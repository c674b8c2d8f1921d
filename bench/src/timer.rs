//! Times runs of launches by events.

use anyhow::{Context as _, Result};

use crate::buffers::Buffers;
use crate::driver::Event;
use crate::lab::Lab;
use crate::measure::Side;
use crate::tasks::Task;

/// Launches are repeated inside one timing until it spans this many milliseconds: events resolve
/// half a microsecond, and a single short launch would mostly measure them.
const SPAN_MS: f64 = 0.5;
/// The longest such run of launches.
const MAX_REPEATS: f64 = 200.0;

/// Two events, and whose turn it is among the copies of the buffers.
pub struct Timer<'c> {
    events: [Event<'c>; 2],
    /// Goes on from one side to the next, so that no side finds its predecessor's inputs in cache.
    next_copy: usize,
}

impl<'c> Timer<'c> {
    /// A timer that starts at the first copy.
    pub fn new(lab: &Lab<'c>) -> Result<Timer<'c>> {
        Ok(Timer {
            events: [lab.context.event()?, lab.context.event()?],
            next_copy: 0,
        })
    }

    /// Milliseconds of a launch, over a run of `repeats`.
    pub fn time(
        &mut self,
        side: &mut Side,
        task: &Task,
        buffers: &Buffers,
        repeats: u32,
    ) -> Result<f64> {
        self.events[0].record()?;
        for _ in 0..repeats {
            side.launch(task, buffers, self.next_copy)?;
            self.next_copy = (self.next_copy + 1) % buffers.copies();
        }
        self.events[1].record()?;
        let ms = self.events[1]
            .milliseconds_since(&self.events[0])
            .with_context(|| side.name.clone())?;
        Ok(ms / f64::from(repeats))
    }

    /// Warms up and finds how many launches make one timing.
    pub fn calibrate(&mut self, side: &mut Side, task: &Task, buffers: &Buffers) -> Result<u32> {
        let first = self.time(side, task, buffers, 1)?;
        let once = match first < SPAN_MS {
            true => self.time(side, task, buffers, 4)?,
            false => first,
        };
        Ok((SPAN_MS / once.max(1e-4)).ceil().clamp(1.0, MAX_REPEATS) as u32)
    }
}
