//! Structurize: control flow that is no nest of ifs and loops becomes one.
//!
//! ```text
//! if (t == 0) s[0] = a[i - w];        switch (t)                          if (t == 0) s[0] = a[i - w];
//! else if (t == 15)           clang:  case 0:  p = i - w; goto store ──►  else if (t == 15)
//!   s[17] = a[i + w];                 case 15: p = i + w; goto store        s[17] = a[i + w];
//!                                     store: s[…] = a[p];
//! ```
//! clang makes a switch of comparisons of one number with constants, and one block of what two sides end with; a
//! condition of two parts has one other side. Control flow is read as nested ifs and loops (`tree/`), in which neither
//! has a place: there the replicas of merged blocks run one after the other, and nothing is staged. In a copy of the
//! kernel a switch is a chain of branches (`emit_switch.rs`), and a block that several sides share is duplicated for
//! each (`emit_duplicate.rs`). The copy is planned as any kernel is. Nothing that can be done to the kernel cannot be
//! done to the copy, so the copy's versions take the places of the kernel's.
//!
//! Sound: a number is one case of a switch at most, and the default if it is none, so in whatever order cases are
//! compared, one branch is taken. Cases that lead to one block are one comparison (`or`), cases that lead to the
//! default's block none. A duplicate does what its block does, for those who came one way. Phis take from new blocks
//! what they took from the old ones. Blocks in which threads wait for each other are not duplicated: these may count on
//! meeting at one instruction. Nothing is assumed of the launch, so no fact is tested, and the copy is launched as the
//! kernel is.
//!
//! Refused by choice: switches that lead to more blocks than a chain is good for, long blocks, more than a few of them,
//! blocks that begin a loop (each duplicate would be one iteration more in front of it).
//! Refused needlessly: blocks whose values are used further on than in the phis behind them; loops that are left from
//! several places.

mod emit;
mod emit_duplicate;
mod emit_switch;
mod legality;
mod phis;
mod plan;

pub use emit::emit;
pub use plan::may_gain;
