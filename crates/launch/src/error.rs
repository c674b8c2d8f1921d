//! The one error of this crate: a finished line `FILE:LINE: what is wrong, what is allowed`.

use std::fmt;

/// A message that already names file and line; printed as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(pub String);

/// Result with this crate's one-line error.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
