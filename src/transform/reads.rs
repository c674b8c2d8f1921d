//! How tiles are read in other ways than access by access: the list that plans of tiles go by.

use super::register_window;
use crate::plan::data::Reuse;
use crate::plan::tile_source::TileSource;

/// Gives the reuse of a member of a tile that a loop is to carry.
type FindReuse = fn(&TileSource, usize) -> Option<Reuse>;

/// In the order in which they are asked.
const REUSE: &[FindReuse] = &[register_window::find];

/// By member of a tile, what the first that finds any proposes; `None`: it reads by itself.
pub fn find(from: &TileSource) -> Vec<Option<Reuse>> {
    let members = 0..from.candidate.prospect.members.len();
    let of = |i| REUSE.iter().find_map(|find| find(from, i));
    members.map(of).collect()
}
