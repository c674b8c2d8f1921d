//! Times runs of launches by events.

use anyhow::{Context as _, Result};

use crate::buffers::Buffers;
use crate::driver::{Event, Graph};
use crate::lab::Lab;
use crate::side::Side;
use crate::tasks::Task;

/// Launches are repeated inside one timing until it spans this many milliseconds: events resolve
/// half a microsecond, and a single short launch would mostly measure them.
const SPAN_MS: f64 = 0.5;
/// The longest such run of launches.
const MAX_REPEATS: f64 = 200.0;
/// Rows with a side below this many milliseconds are timed as graphs. The host takes 3 to 5 us to start a
/// launch, so a run of shorter ones would measure the host.
pub const SHORT_MS: f64 = 0.01;

/// Two events, and whose turn it is among the copies of the buffers.
pub struct Timer<'c> {
    events: [Event<'c>; 2],
    /// Goes on from one side to the next, so that no side finds its predecessor's inputs in cache.
    next_copy: usize,
}

/// The launches that make one timing.
pub enum Run<'c> {
    /// So many, each started by the host.
    Launches(u32),
    /// So many, recorded.
    Graph(u32, Graph<'c>),
}

impl<'c> Timer<'c> {
    /// A timer that starts at the first copy.
    pub fn new(lab: &Lab<'c>) -> Result<Timer<'c>> {
        Ok(Timer {
            events: [lab.context.event()?, lab.context.event()?],
            next_copy: 0,
        })
    }

    /// Milliseconds of a launch, over a run.
    pub fn time(
        &mut self,
        side: &mut Side,
        task: &Task,
        buffers: &Buffers,
        run: &Run,
    ) -> Result<f64> {
        self.events[0].record()?;
        let repeats = match run {
            Run::Launches(repeats) => {
                for _ in 0..*repeats {
                    side.launch(task, buffers, self.next_copy)?;
                    self.next_copy = (self.next_copy + 1) % buffers.copies();
                }
                repeats
            }
            Run::Graph(repeats, graph) => {
                graph.run()?;
                repeats
            }
        };
        self.events[1].record()?;
        let ms = self.events[1]
            .milliseconds_since(&self.events[0])
            .with_context(|| side.name.clone())?;
        Ok(ms / f64::from(*repeats))
    }

    /// Warms up; about how many milliseconds a launch takes.
    pub fn estimate(&mut self, side: &mut Side, task: &Task, buffers: &Buffers) -> Result<f64> {
        let first = self.time(side, task, buffers, &Run::Launches(1))?;
        match first < SPAN_MS {
            true => self.time(side, task, buffers, &Run::Launches(4)),
            false => Ok(first),
        }
    }

    /// The run that makes one timing of a side whose launches take `estimate` milliseconds; recorded
    /// if `short` and the side is a kernel.
    pub fn plan(
        &self,
        lab: &Lab<'c>,
        side: &mut Side<'c, '_>,
        buffers: &Buffers,
        estimate: f64,
        short: bool,
    ) -> Result<Run<'c>> {
        let repeats = (SPAN_MS / estimate.max(1e-4))
            .ceil()
            .clamp(1.0, MAX_REPEATS) as u32;
        if !short || !side.is_recordable() {
            return Ok(Run::Launches(repeats));
        }
        // All copies take part, so that the first has left the cache when the run begins again.
        let repeats = repeats.max(buffers.copies() as u32);
        let graph = lab.context.graph(|recorder| {
            (0..repeats as usize).try_for_each(|i| side.record(recorder, i % buffers.copies()))
        })?;
        Ok(Run::Graph(repeats, graph))
    }
}
