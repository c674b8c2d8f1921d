//! Phis of blocks to which control comes from elsewhere.

use crate::llvm::ir::{Block, Builder, Value};

/// Has a phi take from another block, once, what it took from `old`, or nothing.
pub(super) fn take_from(b: &Builder, phi: Value, old: Block, new: Option<Block>) {
    let Some(value) = phi.incoming_from(old) else {
        return;
    };
    b.before(phi);
    let other = b.phi(phi.ty());
    for (v, from) in phi.incoming().into_iter().filter(|i| i.1 != old) {
        other.add_incoming(v, from);
    }
    if let Some(new) = new {
        other.add_incoming(value, new);
    }
    phi.replace_uses(other);
    phi.erase();
}
