//! The one error of this crate: what cannot be run, in one line.

use std::fmt;

/// A message that names the file or place and says what is wrong. The command exits with 2 on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(pub String);

/// Result with this crate's one-line error.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error with this text, kept to one line.
    pub fn new(text: impl AsRef<str>) -> Error {
        Error(text.as_ref().trim().replace('\n', " "))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl From<mesi_launch::Error> for Error {
    fn from(error: mesi_launch::Error) -> Error {
        Error(error.0)
    }
}
