//! Which kernels have neighbouring accesses through pointers that the host knows.

use super::adjacent;
use super::plan::{Align, NoAlign};
use crate::kernel::Kernel;
use crate::machine::tuning::align::LEAST;

/// The pointers that are taken for aligned; `None`: no access would become part of another one.
pub fn find(kernel: &Kernel) -> Option<Result<Align, NoAlign>> {
    let joined = adjacent::joined(kernel);
    (joined.count > 0).then_some(())?;
    let refusals = [
        (kernel.rejected.is_some(), NoAlign::Rejected),
        (kernel.function.value().is_mergeable(), NoAlign::Mergeable),
        (joined.count * LEAST < joined.of, NoAlign::Few),
    ];
    if let Some((_, why)) = refusals.into_iter().find(|r| r.0) {
        return Some(Err(why));
    }
    let pointers = joined.pointers.iter().map(|p| kernel.known_id(*p));
    Some(Ok(Align {
        pointers: pointers.collect::<Option<_>>()?,
        joined: joined.count,
        of: joined.of,
    }))
}
