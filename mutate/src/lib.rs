//! Breaks the code that the plug-in emits, on purpose, and asks the oracle whether it notices.
//!
//! ```text
//! corpus/*.cu ── clang ──► IR ── mesi's stages ──► plan ── lower ──► staged IR ──► oracle: same bits?
//!                                                   ▲                   ▲
//!                                             plan_edits            code_edits, flight_edits, …
//!                                                                       gate: the right launches? (gate_edits)
//! ```
//! A *mutation* is a way to break, a *mutant* the result of one at one place of one kernel. Every
//! mutation must be noticed on at least one kernel: one that is not says that the cases of the
//! corpus lack something, or that what was broken is not needed. `docs/mutations.md` has the score.

pub mod ahead;
pub mod blocks;
pub mod catalogue;
mod code_edits;
mod compacted_edits;
pub mod copies;
mod fact_edits;
pub mod folds;
pub mod gate_edits;
pub mod host_launches;
pub mod judge;
pub mod lockstep_edits;
pub mod matrix;
pub mod merge_edits;
pub mod mutation;
mod own_edits;
mod pipeline_edits;
pub mod place_edits;
mod plan_edits;
mod privatize_edits;
pub mod products;
pub mod relaunched;
pub mod source;
pub mod splits;
pub mod stage;
pub mod store_edits;
pub mod trims;
mod unroll_edits;
pub mod version;
mod window_edits;
