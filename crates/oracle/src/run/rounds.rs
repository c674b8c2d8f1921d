//! The barriers of a block as data: who waits at each, and who only arrived.

/// What a barrier gives to those who waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduce {
    None,
    Popc,
    And,
    Or,
}

/// One barrier's current round.
#[derive(Debug, Default)]
pub(super) struct Round {
    /// Threads the caller named; 0 is all live ones.
    pub(super) count: u32,
    /// Threads that wait, with their sites.
    pub(super) waiting: Vec<(u32, u32)>,
    /// Threads that arrived and went on.
    pub(super) arrived: Vec<u32>,
    pub(super) trues: u32,
    pub(super) reduce: Option<Reduce>,
}

/// The barriers of the running block.
#[derive(Debug, Default)]
pub struct Barriers(pub(super) std::collections::BTreeMap<u32, Round>);

impl Barriers {
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
