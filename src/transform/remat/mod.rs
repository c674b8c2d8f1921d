//! Whether the cells that replicas read of a tile lie apart.
//!
//! ```text
//! a[row*k + p], 4 replicas along y that own consecutive rows      one address: the others are a known number on
//! b[col*k + p], 4 replicas along x, ids a block apart             four addresses: ntid.x rows lie between them
//! ```
//! The addresses stay in registers through all strips, and little else may: short strips then begin at numbers of
//! their own ([`crate::lower`], `frame.rs`), and the thread's ids are read again where they are needed behind the
//! strips (`emit.rs`). Where replicas lie side by side, one register keeps the ids.

mod emit;
mod emit_cost;
mod emit_scope;
mod plan;

pub use plan::choose;
