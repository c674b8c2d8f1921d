//! How tiles are read in other ways than access by access: the list that plans of tiles go by.

use super::register_window;
use crate::plan::data::RegisterWindow;
use crate::plan::tile_source::TileSource;

/// By member of a tile, what its reads share from one iteration of a loop to the next.
pub fn find(from: &TileSource) -> Vec<Option<RegisterWindow>> {
    register_window::find(from)
}
