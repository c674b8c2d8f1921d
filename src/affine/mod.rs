//! Index expressions as polynomials: every address, loop bound and guard, in exact arithmetic.
//!
//! ```text
//! a[row * n + k]   array0 + 4*ctaid.y*ntid.y*s0 + 4*s0*tid.y + 4*iter(loop0)
//!                  facts: ctaid.y*ntid.y + tid.y within 31 bits
//! ```
//! The machine computes most indices in 32 bits and widens them. `affine` looks through the
//! widening and records, for each operation that no flag proves, the fact that its exact value
//! fits: `plan` turns the facts of what it stages into tests at the kernel's entry. SCEV is not
//! used: in 124 of 128 real kernels it stops at the widening (reference census).
//!
//! This stage reads IR and writes none. Its results hold no LLVM handles.

mod address;
mod analyze;
mod assumed;
mod entry;
pub(crate) mod guard;
mod induction;
mod integer_set;
mod interior;
mod machine_address;
mod own_loads;
mod poly;
mod scope;
mod sharing;
pub(crate) mod trip;
mod types;
mod value;

use crate::kernel::Kernel;
use std::fmt;

pub use address::OwnOffsets;
pub use analyze::analyze;
pub use entry::is_entry_load;
pub use integer_set::{Instance, IntegerSet, is_linear};
pub use interior::{Analyzed, Once, interior, is_within_array};
pub use poly::{Atom, ClampId, Monomial, Poly, SymbolId, gcd};
pub(crate) use trip::{negated, swapped};
pub use types::{
    Address, Affine, Clamp, DivergentTrip, FactId, Guard, MachineAddress, NoTrip, NotAffine, Part,
    Range, Sense, Sharing, Symbol, Trip,
};

/// The dump of `print<mesi-affine>`.
pub fn dump(affine: &Affine, kernel: &Kernel, accesses: &crate::access::Accesses) -> String {
    use fmt::Write;
    let mut s = format!("affine of {}\n", kernel.name);
    for (i, y) in affine.symbols.iter().enumerate() {
        let _ = writeln!(s, "  s{i} = i{} {}", y.bits, kernel.value_name(y.value));
    }
    for (i, c) in affine.clamps.iter().enumerate() {
        let f = if c.is_min { "min" } else { "max" };
        let _ = writeln!(s, "  clamp{i} = {f}({}, {})", c.varying, c.limit);
    }
    for (i, f) in affine.facts.iter().enumerate() {
        let _ = writeln!(s, "  fact{i}: {} <= {} <= {}", f.lo, f.poly, f.hi);
    }
    for (i, t) in affine.trips.iter().enumerate() {
        let _ = match t {
            Ok(t) => writeln!(
                s,
                "  loop{i}: trip ceil(({}) / ({})), at least {}{}",
                t.span,
                t.step,
                t.least,
                list(&t.facts)
            ),
            Err(e) => writeln!(s, "  loop{i}: no trip count ({e:?})"),
        };
        if let Some(DivergentTrip { trip: t, start }) = &affine.divergent_trips[i] {
            let _ = writeln!(
                s,
                "    each thread ceil(({}) / ({})), at least {}, from {start}{}",
                t.span,
                t.step,
                t.least,
                list(&t.facts)
            );
        }
    }
    for l in &affine.sharing.loops {
        let _ = writeln!(s, "  {l} shares products between iterations");
    }
    for a in &accesses.list {
        let array = a.array.map_or("?".into(), |r| r.to_string());
        let _ = match &affine.addresses[a.id.index()] {
            Ok(x) => writeln!(s, "  {}: {array} + {}{}", a.id, x.index, list(&x.facts)),
            Err(e) => writeln!(s, "  {}: {array}, not affine ({e:?})", a.id),
        };
        for (node, g) in &affine.guards[a.id.index()] {
            let _ = writeln!(s, "    under {node}: {g}");
        }
    }
    s
}

fn list(facts: &[FactId]) -> String {
    if facts.is_empty() {
        return String::new();
    }
    let names: Vec<String> = facts.iter().map(ToString::to_string).collect();
    format!(" if {}", names.join(", "))
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guard::Uniform { value, wanted } => write!(f, "uniform {value} is {wanted}"),
            Guard::Linear {
                terms,
                sense,
                limit,
                facts,
            } => {
                let t: Vec<String> = terms.iter().map(|(a, m)| format!("{m}*{a}")).collect();
                let s = if *sense == Sense::AtLeast { ">=" } else { "<=" };
                write!(f, "{} {s} {limit}{}", t.join(" + "), list(facts))
            }
            Guard::Fixed { poly, facts } => write!(f, "{poly} >= 0{}", list(facts)),
            Guard::AllButOne { dim, facts } => {
                write!(
                    f,
                    "all threads along {} but one{}",
                    dim.letter(),
                    list(facts)
                )
            }
            Guard::Opaque => write!(f, "opaque"),
        }
    }
}
