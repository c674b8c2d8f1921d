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
//! **Planes.** In a kernel of three dimensions that is straight but for guards, replicas along z may be iterations, in
//! which a thread goes from plane to plane and keeps in registers what the next plane loads again: a stencil of radius
//! 4 loads 13 cells for each that it stores, not 25, and where planes are large each comes from memory once. (Streaming
//! along one dimension: Micikevicius, *3D finite difference computation on GPUs using CUDA*, GPGPU-2 2009; Nguyen et
//! al., *3.5-D blocking optimization for stencil computations*, SC 2010.) What is kept was loaded by a replica of the
//! plane before. Only blocks that have no order with this one may have written there since: a replica's own loads all
//! come before its stores. A plane in which some replica is missing, or not inside, is done replica by replica, and
//! leaves nothing; the plane behind it loads all. Refused needlessly: planes of one replica, whose ids emission
//! takes for the thread's own.
//!
//! **Layers.** Where loops load the same for all layers of the grid, replicas are layers, and rows (`layers.rs`).
//!
//! **Side by side.** Where each thread of a kernel without loops has a cell of each array that it touches, next to its
//! neighbour's, replicas along x may be neighbours (`side_by_side.rs`): as many as 16 bytes of the widest cells have,
//! loaded and stored by one instruction each (`emit_side_by_side.rs`), which a warp of halves or bytes does not fill.
//!
//! Replicas are blocks, and blocks that write what others read have no order: that loads of one replica
//! come before another replica's stores changes nothing that was sure. What a replica does itself keeps
//! its order.

mod carried_loads;
mod emit;
mod emit_side_by_side;
mod emit_streaming;
mod emit_walk;
pub mod layers;
mod legality;
mod plan;
mod side_by_side;
mod streaming;
pub mod untiled_windows;
mod version;

pub(crate) use legality::stores_are_disjoint;
pub(crate) use plan::choose;
pub(crate) use version::{Order, version, version_of};
