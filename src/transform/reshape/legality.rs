//! What must hold of a kernel. Idea and soundness: [`super`].

use crate::kernel::{Dim, ids};
use crate::plan::analyses::Analyses;
use crate::plan::is_free;

/// Along which dimensions no thread can tell its block; `None`: threads of a block have to do with each other.
pub(super) fn free_dimensions(f: &Analyses) -> Option<[bool; 3]> {
    // Of a kernel that is left alone for what its threads do together nothing is known.
    let free = f.kernel.rejected.is_none() && is_free(f);
    free.then(|| Dim::ALL.map(|d| ids::uses_global_id_only(f.kernel, d)))
}
