//! What a run looks at, and what it gives.

use mesi_launch::ElemType;

use crate::report::Report;
use crate::run::counts::Counts;

/// What a run looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checks {
    /// Nothing but results, barriers and termination; a wild address may end the process.
    None,
    /// Every access.
    Full,
    /// Every access, and how often threads load from and store to each array.
    Accesses,
    /// Every access, and what the launch costs.
    Counts,
}

/// A buffer after the launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Name of the argument, field or global.
    pub name: String,
    /// Element type; what is not said to be something else is bytes.
    pub ty: ElemType,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl std::fmt::Display for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // FNV-1a: tells two runs apart at a glance.
        let hash = self.bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
            (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3)
        });
        let first = self
            .bytes
            .chunks(self.ty.size() as usize)
            .take(4)
            .map(|c| value(self.ty, c));
        write!(
            f,
            "{} ({} bytes, {hash:016x}): {} ...",
            self.name,
            self.bytes.len(),
            first.collect::<Vec<_>>().join(" ")
        )
    }
}

/// What one run gave.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Every buffer, in the case's order, then the module's writable arrays.
    pub buffers: Vec<Output>,
    /// Defects found.
    pub reports: Vec<Report>,
    /// Reads of unwritten shared bytes on which no result depends.
    pub notes: Vec<Report>,
    /// With `Checks::Accesses` or `Checks::Counts`.
    pub counts: Option<Counts>,
    /// What a version's gate says: whether the host may launch it; `None` where it is not asked.
    pub gate: Option<bool>,
    /// Block and grid that the host deals the threads out to; `None`: the case's.
    pub blocks: Option<[[u32; 3]; 2]>,
    /// A thread came to a body of the plug-in; false with `Checks::None`.
    pub served: bool,
    /// Nothing was run: the gate turns the launch away, and the version relies on it. Buffers are as they were.
    pub kept_away: bool,
}

/// An element as text: floats with their bits, because equal digits may hide a difference.
pub(crate) fn value(ty: ElemType, bytes: &[u8]) -> String {
    let raw = bits(bytes);
    match ty {
        ElemType::F16 => format!("{} ({raw:#06x})", half::f16::from_bits(raw as u16)),
        ElemType::F32 => format!("{} ({raw:#010x})", f32::from_bits(raw as u32)),
        ElemType::F64 => format!("{} ({raw:#018x})", f64::from_bits(raw)),
        ElemType::I8 => (raw as i8).to_string(),
        ElemType::I16 => (raw as i16).to_string(),
        ElemType::I32 => (raw as i32).to_string(),
        ElemType::I64 => (raw as i64).to_string(),
        _ => raw.to_string(),
    }
}

/// Whether an element is none of the numbers.
pub(crate) fn is_nan(ty: ElemType, bytes: &[u8]) -> bool {
    match ty {
        ElemType::F16 => half::f16::from_bits(bits(bytes) as u16).is_nan(),
        ElemType::F32 => f32::from_bits(bits(bytes) as u32).is_nan(),
        ElemType::F64 => f64::from_bits(bits(bytes)).is_nan(),
        _ => false,
    }
}

fn bits(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b))
}
