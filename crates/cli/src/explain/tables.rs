//! The plug-in's own tables, read out of its source when this program is built.
//!
//! The texts stand in `src/missed.rs` and `src/options.rs` only. This file reads Rust as plain
//! lines, as far as those two tables go; a test compares what it finds with what the plug-in has.

const MISSED: &str = include_str!("../../../../src/missed.rs");
const OPTIONS: &str = include_str!("../../../../src/options.rs");

/// A reason for which an array or a kernel is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// As remarks write it.
    pub name: String,
    /// What it means: the variant's comment.
    pub meaning: String,
    /// What the remark says, with `…` for what differs.
    pub remark: String,
}

/// An option of the plug-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Knob {
    /// As a parameter: `strip`.
    pub name: String,
    /// As a flag: `mesi-strip`.
    pub flag: String,
    /// As a variable: `MESI_STRIP`.
    pub variable: String,
    /// What a value looks like; `None` for a switch.
    pub value: Option<String>,
    /// What it does.
    pub help: String,
}

/// All reasons, in the order of the guards.
pub fn reasons() -> Vec<Reason> {
    let body = MISSED
        .split("pub enum Missed {")
        .nth(1)
        .and_then(|t| t.split("\n}\n").next());
    let texts = MISSED
        .split("impl fmt::Display for Missed")
        .nth(1)
        .unwrap_or("");
    let mut reasons = Vec::new();
    let mut comment = String::new();
    for line in body.unwrap_or("").lines() {
        // Variants stand at one indent; what stands deeper are their fields.
        let Some(line) = line
            .strip_prefix("    ")
            .filter(|l| !l.starts_with([' ', '}']))
        else {
            continue;
        };
        if let Some(text) = line.strip_prefix("///") {
            comment = format!("{comment} {}", text.trim());
            continue;
        }
        let name: String = line
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        if !name.is_empty() {
            let remark = sentence(texts, &format!("Missed::{name}"));
            let meaning = std::mem::take(&mut comment).trim().to_string();
            reasons.push(Reason {
                name,
                meaning,
                remark,
            });
        }
    }
    reasons
}

/// The text that the match arm of `variant` writes.
fn sentence(texts: &str, variant: &str) -> String {
    let arms = texts
        .match_indices(variant)
        .map(|(at, _)| &texts[at + variant.len()..]);
    // `Atomic` must not find the arm of a longer name.
    let arm = arms.into_iter().find(|a| a.starts_with([' ', ',']));
    let literal = arm.and_then(literal).unwrap_or_default();
    // What stands in braces is an access or a number of this one remark.
    let mut shown = String::new();
    let mut inside = false;
    for c in literal.chars() {
        match c {
            '{' => {
                inside = true;
                shown.push('…');
            }
            '}' => inside = false,
            c if !inside => shown.push(c),
            _ => {}
        }
    }
    shown
}

/// The first string in `text`, its escapes undone.
fn literal(text: &str) -> Option<String> {
    let mut characters = text.split_once('"')?.1.chars().peekable();
    let mut out = String::new();
    while let Some(c) = characters.next() {
        match c {
            '"' => return Some(out),
            // At a line's end it swallows the next line's indent.
            '\\' if characters.peek() == Some(&'\n') => {
                while characters.next_if(|c| c.is_whitespace()).is_some() {}
            }
            '\\' => out.extend(characters.next()),
            c => out.push(c),
        }
    }
    None
}

/// All options, in the table's order, less what is for mesi's own tests.
pub fn knobs() -> Vec<Knob> {
    let body = OPTIONS.split("const KNOBS: &[Knob] = &[").nth(1);
    let body = body.and_then(|t| t.split("\n];").next()).unwrap_or("");
    let rows = body.split("Knob {").skip(1);
    let knobs = rows.map(|row| {
        let field = |name: &str| {
            row.split_once(&format!("{name}: "))
                .and_then(|(_, rest)| literal(rest))
                .unwrap_or_default()
        };
        let name = field("name");
        Knob {
            // As the table's macro makes them of one name.
            flag: format!("mesi-{name}"),
            variable: format!("MESI_{}", name.to_uppercase().replace('-', "_")),
            name,
            value: (!row.contains("value: None")).then(|| field("value")),
            help: field("help").trim_start_matches("mesi: ").to_string(),
        }
    });
    knobs.filter(|k| k.name != "panic-at").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_of_the_plug_in_is_found_with_both_texts() {
        let found = reasons();
        let names: Vec<&str> = found.iter().map(|r| r.name.as_str()).collect();
        let mut own = mesi::missed::ALL_NAMES.to_vec();
        let mut sorted = names.clone();
        own.sort_unstable();
        sorted.sort_unstable();
        assert_eq!(sorted, own);
        for reason in &found {
            assert!(
                reason.meaning.ends_with('.') && reason.remark.len() > 5,
                "{reason:?}"
            );
            assert!(!reason.remark.contains(['{', '}', '\\']), "{reason:?}");
        }
        // As the plug-in writes it.
        let alone = found.iter().find(|r| r.name == "ConstantMemory").unwrap();
        assert_eq!(
            alone.remark,
            mesi::missed::Missed::ConstantMemory.to_string()
        );
        let longest = found.iter().find(|r| r.name == "RearrangedMath").unwrap();
        assert_eq!(
            longest.remark,
            mesi::missed::Missed::RearrangedMath.to_string()
        );
    }

    #[test]
    fn every_option_is_found() {
        let rows = OPTIONS.matches("\n    Knob {").count();
        let found = knobs();
        assert_eq!(found.len() + 1, rows, "all but panic-at");
        for knob in &found {
            assert_eq!(knob.flag, format!("mesi-{}", knob.name));
            assert!(
                knob.variable.starts_with("MESI_") && knob.help.len() > 10,
                "{knob:?}"
            );
        }
        let strip = found.iter().find(|k| k.name == "strip").unwrap();
        assert_eq!(strip.value.as_deref(), Some("iterations"));
        assert_eq!(
            found.iter().find(|k| k.name == "force").unwrap().value,
            None
        );
    }
}
