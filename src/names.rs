//! Names of what is made beside the user's kernels, and how many there are. No string of these decides anything: they
//! tell people, tests and the run-time part what they look at.

/// Versions of a kernel that the run-time part has room for.
pub const MOST_VERSIONS: usize = 4;
/// What the name of a version goes on with behind the kernel's, before its number.
pub const VERSION: &str = "$mesi$";
/// What the name of a copy of a kernel, written in another way, ends with.
pub const COPY: &str = "$mesi$copy";
