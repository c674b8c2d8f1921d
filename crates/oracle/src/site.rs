//! Static facts of each memory access and synchronising call: what the run-time hooks look up by number.

use std::fmt;

/// Where an instruction came from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// Source file, line and column, where the IR carries them.
    pub source: Option<(String, u32, u32)>,
    /// Function and number of the instruction in it: the only name there is without debug information.
    pub function: String,
    /// Number of the instruction in its function, from 0.
    pub instruction: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some((file, line, column)) => write!(f, "{file}:{line}:{column}"),
            None => write!(f, "{} instruction {}", self.function, self.instruction),
        }
    }
}

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKind {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Reads and writes as one.
    Atomic,
    /// The global side of a `cp.async`.
    CopyRead,
    /// The shared side of a `cp.async`.
    CopyWrite,
}

/// What the address was computed from, as far as the IR shows it without guessing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Not found: the address decides at run time.
    Unknown,
    /// A pointer parameter of the kernel.
    Param(u32),
    /// A pointer loaded from a by-value struct parameter at this byte offset.
    Field(u32, u32),
    /// A shared tile, by its index in `Device::tiles`.
    Tile(u32),
    /// A module global, by its index in `Device::globals`.
    Global(u32),
}

/// One access or synchronising call in the code.
#[derive(Debug, Clone)]
pub struct Site {
    /// Source location.
    pub place: Place,
    /// Load, store, ...
    pub kind: AccessKind,
    /// Bytes accessed; 0 where only known at run time.
    pub size: u32,
    /// Alignment the instruction promises, in bytes.
    pub align: u32,
    /// Volatile or atomic: exempt from races with its like.
    pub atomic: bool,
    /// Which object it must stay inside.
    pub origin: Origin,
    /// Innermost loop around it, as index into `Device::loops`.
    pub inside: Option<u32>,
}

/// A shared array of the kernel.
#[derive(Debug, Clone)]
pub struct Tile {
    /// Name in the IR.
    pub name: String,
    /// Byte offset in the shared arena.
    pub offset: u64,
    /// Bytes; 0 for dynamic shared memory, whose size the launch gives.
    pub size: u64,
    /// `extern __shared__`.
    pub dynamic: bool,
}

/// A `__device__` or `__constant__` array, or a constant table.
#[derive(Debug, Clone)]
pub struct GlobalArray {
    /// Name in the original IR.
    pub name: String,
    /// Name in the host module.
    pub symbol: String,
    /// Bytes, without the padding this crate adds.
    pub size: u64,
    /// Stores are an error.
    pub constant: bool,
}
