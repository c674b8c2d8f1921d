//! What accesses of one array touch.

use super::ActiveSet;
use crate::access::ArrayId;
use crate::affine::{Atom, Poly};
use crate::kernel::ValueId;

/// What accesses of one array touch in a block, in a region, or in a strip: for each active set and each of its
/// offset vectors `o`, the `size` bytes from `base + rest + Σ_g stride_g · (Σ_v m_v·v + o_g)` on.
///
/// `D` is a dimension, and what else is known of it: in a fact nothing, in a candidate the offset of each access, in a
/// tile where its cells lie.
#[derive(Debug, Clone, PartialEq)]
pub struct Footprint<D = Dimension> {
    /// The array.
    pub array: ArrayId,
    /// The array's base pointer, computable at entry.
    pub base: ValueId,
    /// The part of the byte index that does not vary there.
    pub rest: Poly,
    /// Dimensions. In a region at least one, the outermost first; a single cell has one dimension without terms.
    pub dims: Vec<D>,
    /// When and over which elements the accesses surely execute.
    pub active: Vec<ActiveSet>,
    /// Bytes past each address: of an access, or of a cell that holds what any of them moves.
    pub size: u32,
}

impl<D: Steps> Footprint<D> {
    /// The byte index without offsets.
    pub fn index(&self) -> Poly {
        self.dims.iter().fold(self.rest.clone(), |p, d| {
            p.plus(&d.stride().times(&Poly::sum(d.terms())))
        })
    }
}

/// A dimension: how far apart steps lie, and what takes them.
#[derive(Debug, Clone, PartialEq)]
pub struct Dimension {
    /// Bytes per step; block-uniform.
    pub stride: Poly,
    /// Varying atoms and multipliers, sorted; none: only offsets take steps.
    pub terms: Vec<(Atom, i64)>,
}

impl Dimension {
    /// The dimension of single bytes, in which offsets alone take steps.
    pub fn of_bytes() -> Dimension {
        Dimension {
            stride: Poly::constant(1),
            terms: Vec::new(),
        }
    }

    /// The dimension in which `atom` takes steps of `stride` bytes.
    pub fn along(atom: Atom, stride: Poly) -> Dimension {
        Dimension {
            stride,
            terms: vec![(atom, 1)],
        }
    }
}

/// Whatever is a dimension, with more or less known of it.
pub trait Steps {
    /// Bytes per step.
    fn stride(&self) -> &Poly;
    /// What takes steps.
    fn terms(&self) -> &[(Atom, i64)];
}

impl Steps for Dimension {
    fn stride(&self) -> &Poly {
        &self.stride
    }
    fn terms(&self) -> &[(Atom, i64)] {
        &self.terms
    }
}
