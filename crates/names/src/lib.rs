//! Names that the plug-in gives, and how many there are of what: for it, and for tools that are built without LLVM. No
//! string of these decides anything: they tell people, tests and the run-time part what they look at.

/// Versions of a kernel that the run-time part has room for.
pub const MOST_VERSIONS: usize = 4;
/// What the name of a version goes on with behind the kernel's, before its number.
pub const VERSION: &str = "$mesi$";
/// What the name of a copy of a kernel, written in another way, ends with.
pub const COPY: &str = "$mesi$copy";
/// Ways to write a version that is not planned, as a dump of plans has them, in the order in which they get places
/// among a kernel's versions, behind all that are planned; `mma` has a second one for small products, and `local_columns` one for registers.
/// `mesi::transform::REWRITES` has the ways themselves.
pub const REWRITES: [&str; 10] = [
    "split",
    "mma",
    "mma",
    "trim",
    "pack",
    "divide",
    "local_columns",
    "local_columns",
    "vectorize",
    "align",
];
