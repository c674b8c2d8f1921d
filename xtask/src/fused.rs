//! Does a version round as its kernel does? Of two products that are added, `c * x + d * y`, the back end fuses one with
//! the addition, by what stands in one block: a version whose blocks are others may have the other one fused, and give
//! other last bits. The oracle runs IR and does not see it; where factors are constants, PTX shows it.
//!
//! ```text
//! K           mul.f32 %r1, %y, 3;  fma.rn.f32 %r2, %x, 2, %r1      factors: 2
//! K$mesi$3    add.f32 %r1, %x, %x; fma.rn.f32 %r2, %y, 3, %r1      factors: 3, which K has not
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mesi_launch::VERSION;

/// For each version in `parts`, which has entries by their names, whose kernel fuses no product with some constant that
/// the version's fused ones have: the version and the constants.
pub fn differences(parts: &BTreeMap<String, String>) -> Vec<(&str, String)> {
    let mut all = Vec::new();
    for (name, text) in parts {
        let kernel = name.split_once(VERSION).and_then(|(k, _)| parts.get(k));
        let Some(kernel) = kernel else {
            continue;
        };
        let own = factors(kernel);
        let new: Vec<&str> = factors(text).difference(&own).copied().collect();
        if !new.is_empty() {
            all.push((name.as_str(), new.join(" ")));
        }
    }
    all
}

/// The constants that are factors of fused operations.
fn factors(text: &str) -> BTreeSet<&str> {
    let instructions = || text.lines().filter_map(instruction);
    // A register that is written once, by a constant.
    let mut constants: HashMap<&str, Option<&str>> = HashMap::new();
    for (opcode, operands) in instructions() {
        let Some(to) = operands.first() else {
            continue;
        };
        let from = operands
            .get(1)
            .filter(|v| opcode.starts_with("mov.") && is_constant(v));
        let is_first = !constants.contains_key(to);
        constants.insert(to, from.copied().filter(|_| is_first));
    }
    let mut factors = BTreeSet::new();
    for (opcode, operands) in instructions() {
        if !opcode.starts_with("fma.rn.") {
            continue;
        }
        for &v in operands.get(1..3).unwrap_or_default() {
            let value = is_constant(v).then_some(v);
            factors.extend(value.or_else(|| constants.get(v).copied().flatten()));
        }
    }
    factors
}

/// Opcode and operands of a line.
fn instruction(line: &str) -> Option<(&str, Vec<&str>)> {
    let (opcode, rest) = line.trim().split_once(char::is_whitespace)?;
    let operands = rest.trim().strip_suffix(';')?.split(',').map(str::trim);
    Some((opcode, operands.collect()))
}

/// Whether an operand is a number of floating point as PTX writes it.
fn is_constant(v: &str) -> bool {
    let digits = v.strip_prefix("0f").or_else(|| v.strip_prefix("0d"));
    digits.is_some_and(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(kernel: &str, version: &str) -> BTreeMap<String, String> {
        let of = |lines: &str| lines.replace("; ", ";\n");
        BTreeMap::from([
            ("k".to_string(), of(kernel)),
            (format!("k{VERSION}0"), of(version)),
        ])
    }

    #[test]
    fn another_factor_is_noticed() {
        let kernel = "mul.f32 %r1, %y, 0f40400000; fma.rn.f32 %r2, %x, 0f40000000, %r1;";
        let other = "add.f32 %r1, %x, %x; fma.rn.f32 %r2, %y, 0f40400000, %r1;";
        let moved = "mov.b32 %r3, 0f40400000; fma.rn.f32 %r2, %y, %r3, %r1;";
        for version in [other, moved] {
            let parts = parts(kernel, version);
            assert_eq!(differences(&parts)[0].1, "0f40400000");
        }
    }

    #[test]
    fn what_begins_with_a_constant_is_none() {
        let kernel = "fma.rn.f32 %r2, %x, 0f40000000, %r1;";
        let sum = "mov.b32 %r3, 0f00000000; fma.rn.f32 %r3, %r3, %y, %x;";
        assert!(differences(&parts(kernel, kernel)).is_empty());
        assert!(differences(&parts(kernel, sum)).is_empty());
    }
}
