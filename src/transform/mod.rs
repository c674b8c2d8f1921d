//! One home per transformation.

pub mod compacted;
pub mod fold;
pub mod lockstep;
pub mod mma;
pub mod privatize;
pub mod recast;
pub mod register_window;
pub mod remat;
pub mod reroll;
pub mod reshape;
pub mod rewrite;
pub mod scalar_replacement;
pub mod split;
pub mod spread;
pub mod unclamped;
pub mod unroll;
pub mod unroll_jam;
