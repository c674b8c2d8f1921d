//! Words of our own in identifiers, where the field has one.
//!
//! An identifier is taken apart at `_` and at capitals; its parts are compared, so `dealt` is no `deal` unless the
//! list says so. Every occurrence counts, in tests and macros, too; comments do not. English words that are private
//! in one place alone (`first`, `next`, `wide`, `window`, `pass`) are not in the list, as no machine tells them apart.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};

/// A private word in its forms, and the field's term.
const WORDS: &[(&[&str], &str)] = &[
    (&["lane", "lanes"], "replica (a warp's lanes are lanes)"),
    (&["unstaged", "together"], "coarsen::lockstep"),
    (
        &["head", "heads", "headed"],
        "leader map: rotated, compacted",
    ),
    (&["leaders_turn", "turned_leader"], "leader map: rotated"),
    (&["turn", "turns"], "step, rotation, epilogue, trip"),
    (
        &["deal", "deals", "dealt", "regroup", "regrouped", "reached"],
        "reshape",
    ),
    (&["abreast"], "unroll_jam"),
    (&["late"], "deferred"),
    (&["rounds"], "unroll, remainder"),
    (&["uneven"], "divergent trip, misaligned, remainder"),
    (
        &["narrow", "narrows"],
        "machine-width, range test, sub-word",
    ),
    (&["flight"], "pipeline"),
    (&["course", "lot", "lots", "odometer"], "cursor, partition"),
    (&["steady"], "steady_state"),
    (&["bulk"], "whole_async"),
    (&["gather", "gathers", "gathered"], "flush"),
    (
        &["slide", "slides", "slid", "sliding", "ring", "rings"],
        "register_window",
    ),
    (&["tally", "tallies", "tallied"], "privatize"),
    (
        &[
            "promote",
            "promoted",
            "promotion",
            "promotions",
            "lift",
            "lifted",
        ],
        "scalar_replacement",
    ),
    (&["anew", "scene", "cheap", "stems"], "remat"),
    (&["sweep", "swept", "undo"], "dce, rollback"),
    (&["inside"], "interior"),
    (&["clear"], "unclamped"),
    (
        &[
            "quiet",
            "lengthen",
            "long_apart",
            "stays_rolled",
            "long_alone",
        ],
        "keep rolled, reunroll",
    ),
    (&["repay", "repays", "fits", "beside"], "rules of profit"),
    (&["plain"], "structured, clang_clone"),
    (
        &["alone", "apart", "turned_away"],
        "single-buffered, disjoint, rejected",
    ),
    (
        &["told", "tells", "asked", "foretell", "foretold"],
        "is_launch_invariant, query, predict",
    ),
    (&["caps"], "max_block"),
    (&["piece", "pieces"], "transaction"),
    (&["facets"], "analyses"),
    (&["around"], "exit_values"),
];

/// How often each word occurs, by its first form.
pub type Counts = BTreeMap<&'static str, usize>;

/// Counts a file's.
pub fn count(text: &str, counts: &mut Counts) {
    if let Ok(tokens) = text.parse::<TokenStream>() {
        add(tokens, counts);
    }
}

/// The field's term for a word of the list.
pub fn term(word: &str) -> &'static str {
    let row = WORDS.iter().find(|(forms, _)| forms[0] == word);
    row.map_or("", |(_, term)| term)
}

fn add(tokens: TokenStream, counts: &mut Counts) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add(group.stream(), counts),
            TokenTree::Ident(name) => {
                for word in private(&name.to_string()) {
                    *counts.entry(word).or_default() += 1;
                }
            }
            _ => {}
        }
    }
}

/// The private words in an identifier.
fn private(name: &str) -> Vec<&'static str> {
    let parts = parts(name);
    let of_warp = parts.iter().any(|p| p == "warp");
    let has = |form: &str| {
        let form: Vec<&str> = form.split('_').collect();
        parts.windows(form.len()).any(|w| w == form)
    };
    let rows = WORDS
        .iter()
        .filter(|(forms, _)| forms.iter().any(|f| has(f)));
    let words = rows.map(|(forms, _)| forms[0]);
    words.filter(|w| !(of_warp && *w == "lane")).collect()
}

/// `LongApart`, `long_apart` and `LONG_APART` are `long`, `apart`.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if c == '_' || c.is_uppercase() && was_lower {
            parts.push(String::new());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
        if c != '_' {
            parts.last_mut().expect("one").extend(c.to_lowercase());
        }
    }
    parts.retain(|p| !p.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::{Counts, count, private};

    #[test]
    fn parts_of_names_count_in_every_spelling() {
        assert_eq!(private("lanes_of_clamped"), ["lane"]);
        assert_eq!(private("LongApart"), ["quiet", "alone"]);
        assert_eq!(private("STAYS_ROLLED"), ["quiet"]);
        assert!(private("warp_lane").is_empty());
        assert!(private("planes").is_empty() && private("returns").is_empty());
    }

    #[test]
    fn comments_and_strings_do_not_count() {
        let mut counts = Counts::new();
        let text = "/// A lane.\nfn lanes() { assert!(lane == \"lane\"); } // abreast";
        count(text, &mut counts);
        assert_eq!(counts, Counts::from([("lane", 2)]));
    }
}
