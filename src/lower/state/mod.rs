//! What the parts of an emission leave for each other: types without a decision. A part needs these and
//! [`super::Lower`], and no other part for its types.

mod hoisted;
mod instead;
mod iteration;
mod kept;
mod slots;
mod source;
mod tiles;
mod views;

pub use hoisted::{Hoisted, Number};
pub use instead::Instead;
pub use iteration::Iteration;
pub use kept::{Led, Made, RematPoint};
pub use slots::{ANY, KEEP, Kept, Predicates, SELDOM, Slot};
pub use source::Source;
pub use tiles::{
    Frame, Hull, Length, OpenRegion, PipelineShape, ServedBy, Site, Strips, Threads, TileTerm,
    Walk, Walks, Window,
};
pub use views::{Extent, Ranges, SetBox, StripView, Terms, View};
