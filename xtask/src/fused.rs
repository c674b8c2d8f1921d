//! Does a version round as its kernel does? Of two products that are added, `c * x + d * y`, the back end fuses one with
//! the addition, by what stands in one block: a version whose blocks are others may have the other one fused, and give
//! other last bits. The oracle sees it as far as it
//! fuses as the back end does; where factors are constants or parameters, PTX shows it.
//!
//! ```text
//! K           mul.f32 %r1, %y, 3;  fma.rn.f32 %r2, %x, 2, %r1      factors: 2
//! K$mesi$3    add.f32 %r1, %x, %x; fma.rn.f32 %r2, %y, 3, %r1      factors: 3, which K has not
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mesi_launch::VERSION;

/// For each version in `parts`, which has entries by their names, that fuses a product with an addition that its kernel
/// rounds by itself, or the other way round, as far as a factor is a constant or a parameter: the version and these.
pub fn differences(parts: &BTreeMap<String, String>) -> Vec<(&str, String)> {
    let mut all = Vec::new();
    for (name, text) in parts {
        let kernel = name.split_once(VERSION).and_then(|(k, _)| parts.get(k));
        let Some(kernel) = kernel else {
            continue;
        };
        let [own_fused, own_rounded] = factors(kernel);
        let [fused, rounded] = factors(text);
        // A product of its own may be written in another way than the kernel's, as by a power of two.
        let lost = rounded
            .difference(&own_rounded)
            .filter(|f| own_fused.contains(*f));
        let new: Vec<String> = fused.difference(&own_fused).chain(lost).cloned().collect();
        if !new.is_empty() {
            all.push((name.as_str(), new.join(", ")));
        }
    }
    all
}

/// The constants and parameters that are factors of fused operations, and of products that are rounded.
fn factors(text: &str) -> [BTreeSet<String>; 2] {
    let instructions = || text.lines().filter_map(instruction);
    // A register that is written once, by a constant or with a parameter.
    let mut known: HashMap<&str, Option<String>> = HashMap::new();
    for (opcode, operands) in instructions() {
        let Some(to) = operands.first() else {
            continue;
        };
        let from = operands.get(1).and_then(|v| match opcode {
            _ if opcode.starts_with("mov.") && is_constant(v) => Some(v.to_string()),
            "ld.param.b32" | "ld.param.b64" | "ld.param.f32" | "ld.param.f64" => parameter(v),
            _ => None,
        });
        let is_first = !known.contains_key(to);
        known.insert(to, from.filter(|_| is_first));
    }
    ["fma.rn.", "mul."].map(|kind| {
        let of = |(opcode, operands): (&str, Vec<&str>)| {
            let is_one = opcode.starts_with(kind) && REAL.iter().any(|t| opcode.ends_with(t));
            let both = operands.get(1..3).filter(|_| is_one).unwrap_or_default();
            let named = |v: &&str| match is_constant(v) {
                true => Some(v.to_string()),
                false => known.get(v).cloned().flatten(),
            };
            both.iter().filter_map(named).collect::<Vec<_>>()
        };
        instructions().flat_map(of).collect()
    })
}

/// How the names of operations on numbers of floating point end.
const REAL: [&str; 2] = [".f32", ".f64"];

/// A parameter by its number, as a kernel and its versions have it in common.
fn parameter(v: &str) -> Option<String> {
    let number = v.rsplit_once("_param_")?.1.strip_suffix(']')?;
    Some(format!("parameter {number}"))
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
    fn a_factor_that_is_rounded_is_noticed() {
        let of = |name: &str, lines: &str| {
            let load = |r: u32, n: u32| format!("ld.param.b32 %r{r}, [{name}_param_{n}];\n");
            format!("{}{}{lines}", load(1, 4), load(2, 5))
        };
        let kernel = of("k", "mul.f32 %r4, %r1, %y; fma.rn.f32 %r5, %r2, %x, %r4;");
        let version = "mul.rn.f32 %r4, %r2, %x; fma.rn.f32 %r5, %r1, %y, %r4;";
        let version = of(&format!("k{VERSION}0"), version);
        let found = parts(&kernel, &version);
        assert_eq!(differences(&found)[0].1, "parameter 4, parameter 5");
        assert!(differences(&parts(&kernel, &kernel)).is_empty());
    }

    #[test]
    fn what_begins_with_a_constant_is_none() {
        let kernel = "fma.rn.f32 %r2, %x, 0f40000000, %r1;";
        let sum = "mov.b32 %r3, 0f00000000; fma.rn.f32 %r3, %r3, %y, %x;";
        assert!(differences(&parts(kernel, kernel)).is_empty());
        assert!(differences(&parts(kernel, sum)).is_empty());
    }
}
