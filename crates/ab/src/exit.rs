//! How the tool ends: one line and a status that says whose fault it was.

use std::fmt;

/// Exit statuses; documented in `docs/ab.md` and `--help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Every build with the plug-in agrees with the plain one.
    Agree = 0,
    /// A build with the plug-in differs from the plain one, crashes or hangs.
    Differ = 1,
    /// Wrong arguments, or a file or folder that cannot be used.
    Usage = 2,
    /// The user's own command or program fails, without the plug-in.
    Program = 3,
    /// The compile fails with the plug-in and only with it.
    Plugin = 4,
    /// There is no GPU to run on.
    NoGpu = 5,
}

/// An error that ends the tool with a certain status.
#[derive(Debug)]
pub struct Stop {
    /// The status.
    pub exit: Exit,
    message: String,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Stop {}

/// An error with its status.
pub fn stop(exit: Exit, message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Stop {
        exit,
        message: message.into(),
    })
}

/// The status an error ends with; what no [`Stop`] names is the system's or the user's.
pub fn status(error: &anyhow::Error) -> Exit {
    error.downcast_ref::<Stop>().map_or(Exit::Usage, |s| s.exit)
}
