//! The run-time part on the fake runtime: each case of `docs/choice.md`.

mod ahead;
mod built;
mod cache;
mod cases;
mod early;
mod environment;
mod first;
mod folded;
mod mapped;
mod measuring;
mod mutations;
mod parts;
mod per_thread;
mod threads;
mod tuning;
