//! What each home of a transformation has: a file for what must hold, one for what is planned, one that emits.

use std::collections::{BTreeMap, BTreeSet};

use super::places;

/// What a file's name begins with, of which each home has one.
const PARTS: [&str; 4] = ["mod", "legality", "plan", "emit"];

/// Those that a home does without, and why.
const WITHOUT: [(&str, &str, &str); 4] = [
    (
        "compacted",
        "plan",
        "it is one flag of a plan's merge, set where legality allows it",
    ),
    (
        "own_tiles",
        "emit",
        "its bodies are emitted as those of merged blocks without tiles are (`lockstep`)",
    ),
    (
        "remat",
        "legality",
        "what is made again is what the code before it would make, wherever that is allowed to stand",
    ),
    (
        "reshape",
        "emit",
        "no code is another: the host launches other blocks (`choice/blocks.rs`)",
    ),
];

/// Parts that homes lack without a reason, and reasons that are none any more, a line each.
pub fn lacks<'a>(files: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut homes = BTreeMap::<&str, BTreeSet<&str>>::new();
    for path in files {
        let (Some(home), Some((_, name))) = (places::transform(path), path.rsplit_once('/')) else {
            continue;
        };
        let parts = homes.entry(home).or_default();
        parts.extend(PARTS.iter().filter(|part| is_part(name, part)));
    }
    let reason = |home: &str, part: &str| WITHOUT.iter().any(|w| (w.0, w.1) == (home, part));
    let mut wrong = Vec::new();
    for (home, parts) in &homes {
        for part in PARTS {
            match (parts.contains(part), reason(home, part)) {
                (false, false) => wrong.push(format!("src/transform/{home}/ has no {part}.rs")),
                (true, true) => wrong.push(format!(
                    "src/transform/{home}/ has a {part}.rs: no reason is asked for"
                )),
                _ => {}
            }
        }
    }
    let gone = WITHOUT.iter().filter(|w| !homes.contains_key(w.0));
    wrong.extend(gone.map(|w| format!("src/transform/{}/ is not there", w.0)));
    wrong
}

/// `emit.rs` and `emit_launch.rs` emit; each other part has one file.
fn is_part(name: &str, part: &str) -> bool {
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    stem == part || part == "emit" && stem.starts_with("emit_")
}

#[cfg(test)]
mod tests {
    use super::{WITHOUT, lacks};

    #[test]
    fn a_part_that_is_missing_is_named_and_a_reason_that_is_none() {
        let mut files: Vec<String> = WITHOUT
            .iter()
            .flat_map(|(home, without, _)| {
                let parts = ["mod", "legality", "plan", "emit_body"];
                let parts = parts.into_iter().filter(move |p| !p.starts_with(without));
                parts.map(move |p| format!("src/transform/{home}/{p}.rs"))
            })
            .collect();
        let of = |files: &[String]| lacks(files.iter().map(String::as_str));
        assert_eq!(of(&files), Vec::<String>::new());
        files.push("src/transform/compacted/plan.rs".into());
        files.push("src/transform/new/mod.rs".into());
        files.push("src/transform/new/emit.rs".into());
        files.push("src/transform/rewrite.rs".into());
        let expected = [
            "src/transform/compacted/ has a plan.rs: no reason is asked for",
            "src/transform/new/ has no legality.rs",
            "src/transform/new/ has no plan.rs",
        ];
        assert_eq!(of(&files), expected);
    }
}
