//! Versions that merge blocks and stage nothing: a thread's replicas run together and load what
//! several of them ask for once.
//!
//! ```text
//! out[y*w + x] = f(in[y*w + x], in[(y+-1)*w + x], …)     4 replicas along y: 6 rows of in, not 12
//! ```
//! Replicas go together while all of them take the same way; where they may part before anything was
//! stored, at a *guard*, a slow path does the original's work anew, replica by replica. So nothing is
//! loaded or stored for a replica that the original would not have. Two loads are one where their
//! addresses are made of the same polynomials once each replica's ids are put in, and no store stands
//! between them that may hit it. That rests on next to no facts, which light kernels could not
//! afford: those of exact indices cost 3-D stencils a third of their time.
//!
//! Replicas are blocks, and blocks that write what others read have no order: that loads of one replica
//! come before another replica's stores changes nothing that was sure. What a replica does itself keeps
//! its order.

mod carried_loads;
mod emit;
mod legality;
mod plan;
pub mod untiled_windows;

pub(crate) use legality::stores_are_disjoint;
pub(crate) use plan::{Order, choose, version, version_of};
