//! Control flow made of nested ifs and loops ([`crate::transform::structurize`]). Not measured: what comes of it is a
//! candidate, and candidates are.

/// Blocks that a switch may lead to besides its default's, above which it stays one: a chain takes a comparison and a
/// branch for each, a table of addresses takes as long for any number of them.
pub const MOST_TARGETS: usize = 4;

/// Blocks of a kernel that are duplicated at most.
pub const MOST_COPIES: usize = 12;

/// Instructions of a block that is duplicated, at most.
pub const MOST_INSTRUCTIONS: usize = 40;
