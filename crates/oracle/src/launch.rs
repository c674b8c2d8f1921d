//! Fits a case to a kernel: arguments, module arrays, the object each access must stay inside; and the reports
//! that are about a whole launch.

use mesi_launch::{Arg, Case};

use crate::device::{Compiled, Facts, Param};
use crate::error::{Error, Result};
use crate::outcome::Output;
use crate::report::{Defect, Report, Who};
use crate::run::memory::{NONE, Space};
use crate::run::schedule::Schedule;
use crate::run::{Probe, Runtime};
use crate::site::{Origin, Place, Site};

/// Largest static shared memory a kernel may have without asking for more, in bytes.
pub(crate) const STATIC_LIMIT: u64 = 48 * 1024;

/// Compiled code with what its module arrays held at first.
pub(crate) struct Code {
    pub compiled: Compiled,
    /// Address and initial bytes of each module array.
    pub globals: Vec<(u64, Vec<u8>)>,
}

/// Whether a header's name means this symbol: equal, or the end of an Itanium name (`_ZL5table`, `_ZN2ns5tableE`).
pub(crate) fn same_name(symbol: &str, source: &str) -> bool {
    let encoded = format!("{}{source}", source.len());
    symbol == source
        || (symbol.starts_with("_Z") && symbol.trim_end_matches('E').ends_with(&encoded))
}

/// Resets module arrays, writes those the case gives, and adds them to the memory.
pub(crate) fn place_globals(file: &str, rt: &mut Runtime, code: &Code, case: &Case) -> Result<()> {
    for (global, (address, initial)) in code.compiled.globals.iter().zip(&code.globals) {
        let mut bytes = initial.clone();
        if let Some(given) = case
            .globals
            .iter()
            .find(|g| same_name(&global.name, &g.name))
        {
            let contents = case.buffers[given.buffer].contents();
            if contents.len() > bytes.len() {
                return Err(Error::new(format!(
                    "{file}: [[global]] {} has {} bytes, the array {} holds {}",
                    given.name,
                    contents.len(),
                    global.name,
                    bytes.len()
                )));
            }
            bytes[..contents.len()].copy_from_slice(&contents);
        }
        // SAFETY: the variable lives in the engine, is writable and has this size.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), *address as *mut u8, bytes.len()) };
        let space = if global.constant {
            Space::Constant
        } else {
            Space::Global
        };
        rt.memory
            .add_global(&global.name, *address, global.size, space);
    }
    for given in &case.globals {
        if !code
            .compiled
            .globals
            .iter()
            .any(|g| same_name(&g.name, &given.name))
        {
            let known: Vec<_> = code
                .compiled
                .globals
                .iter()
                .map(|g| g.name.as_str())
                .collect();
            return Err(Error::new(format!(
                "{file}: [[global]] {} is not used by the kernel, arrays used are: {}",
                given.name,
                known.join(", ")
            )));
        }
    }
    Ok(())
}

/// Turns each site's origin into the object it must stay inside, for the check.
pub(crate) fn set_probes(rt: &mut Runtime, facts: &Facts, case: &Case, ids: &[u32]) {
    let pointer = |arg: &Arg| match arg {
        Arg::Pointer { buffer, .. } => ids[*buffer],
        _ => NONE,
    };
    let object = |origin: Origin| match origin {
        Origin::Unknown => NONE,
        Origin::Param(n) => pointer(&case.args[n as usize]),
        Origin::Field(n, offset) => match &case.args[n as usize] {
            Arg::Struct { fields, .. } => fields
                .iter()
                .find(|(at, _)| *at == u64::from(offset))
                .map_or(NONE, |(_, f)| pointer(f)),
            other => pointer(other),
        },
        Origin::Tile(n) => n,
        Origin::Global(n) => facts.tiles.len() as u32 + n,
    };
    let probe = |s: &Site| Probe {
        expected: object(s.origin),
        size: s.size,
        align: s.align,
        kind: s.kind,
        atomic: s.atomic,
    };
    rt.probes = rt.sites.iter().map(probe).collect();
}

/// Whether the case's arguments are what the kernel takes.
pub(crate) fn fit(file: &str, kernel: &str, params: &[Param], case: &Case) -> Result<()> {
    if params.len() != case.args.len() {
        return Err(Error::new(format!(
            "{file}: kernel {kernel} takes {} arguments, {} are given",
            params.len(),
            case.args.len()
        )));
    }
    for (n, (param, arg)) in params.iter().zip(&case.args).enumerate() {
        let size = arg.layout().0;
        let good = match (param, arg) {
            (Param::Pointer, Arg::Pointer { .. }) => true,
            (Param::Struct { bytes }, Arg::Struct { .. } | Arg::Scalar { .. }) => *bytes == size,
            (Param::Value { bytes, ty }, Arg::Scalar { ty: given, .. }) => {
                let float = ["half", "float", "double"].contains(&ty.as_str());
                *bytes == size && float == given.is_float()
            }
            (Param::Value { bytes, .. }, Arg::Struct { .. }) => *bytes == size,
            _ => false,
        };
        if !good {
            let wanted = match param {
                Param::Pointer => "a buffer".to_string(),
                Param::Struct { bytes } => format!("a struct of {bytes} bytes"),
                Param::Value { bytes, ty } => format!("a scalar {ty} of {bytes} bytes"),
            };
            let given = match arg {
                Arg::Pointer { .. } => "a buffer".to_string(),
                Arg::Struct { .. } => format!("a struct of {size} bytes"),
                Arg::Scalar { ty, .. } => format!("a scalar {}", ty.name()),
            };
            return Err(Error::new(format!(
                "{file}: kernel {kernel}: argument {n} ({}) is {wanted}, {given} is given",
                arg.name()
            )));
        }
    }
    Ok(())
}

pub(crate) fn order_report(
    kernel: &str,
    a: &Output,
    b: &Output,
    first: Schedule,
    second: Schedule,
) -> Report {
    let at = a
        .bytes
        .iter()
        .zip(&b.bytes)
        .position(|(x, y)| x != y)
        .unwrap_or(0);
    Report {
        defect: Defect::OrderDependent,
        kernel: kernel.into(),
        place: Place {
            function: kernel.into(),
            ..Place::default()
        },
        who: Who {
            thread: [0; 3],
            block: [0; 3],
        },
        address: 0,
        array: a.name.clone(),
        offset: at as i64,
        size: 1,
        other: None,
        detail: format!(
            "{} differs from byte {at} on between {first:?} and {second:?}",
            a.name
        ),
        count: 1,
    }
}

pub(crate) fn static_report(kernel: &str, facts: &Facts) -> Report {
    let names: Vec<String> = facts
        .tiles
        .iter()
        .filter(|t| !t.dynamic)
        .map(|t| format!("{} {}", t.name, t.size))
        .collect();
    Report {
        defect: Defect::StaticShared,
        kernel: kernel.into(),
        place: Place {
            function: kernel.into(),
            ..Place::default()
        },
        who: Who {
            thread: [0; 3],
            block: [0; 3],
        },
        address: 0,
        array: String::new(),
        offset: 0,
        size: facts.static_shared,
        other: None,
        detail: format!(
            "{} bytes of static shared memory, at most {STATIC_LIMIT} are allowed: {}",
            facts.static_shared,
            names.join(", ")
        ),
        count: 1,
    }
}
