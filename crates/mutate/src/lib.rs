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
pub mod copies;
pub mod divides;
pub mod edits;
pub mod folds;
pub mod gate_edits;
pub mod host_launches;
pub mod judge;
pub mod matrix;
pub mod mutation;
pub mod own_tiles;
pub mod packs;
pub mod products;
pub mod relaunched;
pub mod source;
pub mod splits;
pub mod stage;
pub mod structurized;
pub mod trims;
pub mod version;
