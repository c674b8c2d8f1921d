//! What the run-time part asks the driver about before it launches a version: where the bytes lie that its copies read.
//!
//! ```text
//! define zeroext i1 @"K$mesi$0$mapped$gate"(ptr %args, ptr %launch)        %launch: six u32, and room for ranges
//!   true:  behind the six numbers stand RANGES pairs of 64 bits, the lowest byte of a range and the end of its
//!          highest; the same twice where there are none
//!   false: the host cannot tell
//! ```
//! A version relies on its gate, on this one, and on what the driver says: each range is one allocation that the device
//! may read (`rt/rt_mapped.h`).

use super::{gate, numbers};
use crate::llvm::ir::{Builder, Function, Module, Type, Value};

/// Ranges that a version may have, at most; as in `rt/mesi_rt.h`.
pub const RANGES: usize = 8;

/// The lowest byte of a range and the end of its highest, and whether there are any; `None`: there are in any case.
pub type Range = ([Value; 2], Option<Value>);

/// The function called `name` that works out `ranges`, which stand in `function`, as bitcode; `None`: the host cannot.
pub fn bitcode(function: Function, ranges: &[Range], name: &str) -> Option<Vec<u8>> {
    if ranges.len() > RANGES {
        return None;
    }
    let module = Module::sibling(function.module(), name);
    let made = module.add_gate(name);
    let b = Builder::new(module);
    b.at_end(made.append_block(""));
    match write(&b, made, function, ranges) {
        Some(answer) => {
            b.ret(answer);
            numbers::finish(module, made)
        }
        None => {
            module.dispose();
            None
        }
    }
}

/// Writes the ranges; whether none of their numbers went beyond 64 bits.
fn write(b: &Builder, made: Function, function: Function, ranges: &[Range]) -> Option<Value> {
    let zero = Type::int(b.module(), 64).constant(0);
    let mut answer = Type::int(b.module(), 1).constant(1);
    let mut known = |v: Value| {
        let (known, beyond) = gate::emit_in_bits(b, made, function, v)?;
        for x in beyond {
            answer = b.and(answer, b.not(x));
        }
        Some(b.freeze(known))
    };
    let mut places = Vec::new();
    for (ends, some) in ranges {
        let ends = [known(ends[0])?, known(ends[1])?];
        let some = match some {
            Some(some) => Some(known(*some)?),
            None => None,
        };
        places.extend(ends.map(|end| some.map_or(end, |some| b.select(some, end, zero))));
    }
    places.resize(2 * RANGES, zero);
    numbers::store_ranges(b, made.params()[1], &places);
    Some(b.freeze(answer))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_run_time_part_has_as_many_ranges() {
        let header = include_str!("../../rt/mesi_rt.h");
        assert!(header.contains(&format!("#define MESI_RANGES {}\n", super::RANGES)));
    }
}
