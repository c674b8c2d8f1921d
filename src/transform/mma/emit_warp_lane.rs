//! Who a thread is.

use super::emit_body::Body;
use crate::llvm::ir::Value;
use crate::machine::target::WARP;

/// A thread's place.
pub struct WarpLane {
    /// The warp's among the block's, down and along.
    pub warp: [Value; 2],
    /// Its line of an octet, and its place among the four of that.
    pub line: Value,
    pub quarter: Value,
}

impl WarpLane {
    pub fn new(body: &Body) -> WarpLane {
        let b = body.b;
        let by = |v: Value, n: u32| [b.udiv(v, b.int(n.into())), b.urem(v, b.int(n.into()))];
        let [warp, place] = by(body.thread, WARP);
        let [line, quarter] = by(place, 4);
        WarpLane {
            warp: by(warp, body.shape.warps[1]),
            line,
            quarter,
        }
    }
}
