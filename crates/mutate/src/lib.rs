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

pub mod blocks;
pub mod copies;
pub mod drawn;
pub mod edits;
pub mod fallback;
pub mod first_version;
pub mod gate_edits;
pub mod host_launches;
pub mod judge;
pub mod matrix;
pub mod mutation;
pub mod relaunched;
pub mod source;
pub mod stage;
pub mod version;
