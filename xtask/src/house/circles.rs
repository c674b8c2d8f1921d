//! Files that need each other, directly or around a corner.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::Edge;

/// Files of which each reaches each, and nothing else does.
pub struct Circle {
    /// At least two.
    pub files: Vec<String>,
    /// As few of their edges as still let each reach each: without any one of them it is no circle of all.
    pub held_by: Vec<Edge>,
    /// Edges without which nothing is left in a circle; none of them can be spared, though there may be other,
    /// smaller such sets.
    pub to_cut: Vec<Edge>,
}

/// All of them, the largest first.
pub fn find(edges: &[Edge]) -> Vec<Circle> {
    let files: BTreeSet<&str> = edges.iter().map(|e| e.from.as_str()).collect();
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        files.iter().map(|f| (*f, reach(f, edges))).collect();
    let mut done = BTreeSet::new();
    let mut circles = Vec::new();
    for file in &files {
        let back = reached[file].iter().copied();
        let together: Vec<&str> = back
            .filter(|f| reached.get(f).is_some_and(|r| r.contains(file)))
            .collect();
        if together.len() < 2 || !done.insert(together.clone()) {
            continue;
        }
        let among =
            |e: &&Edge| together.contains(&e.from.as_str()) && together.contains(&e.to.as_str());
        let edges: Vec<Edge> = edges.iter().filter(among).cloned().collect();
        circles.push(Circle {
            files: together.iter().map(|f| f.to_string()).collect(),
            to_cut: to_cut(&edges),
            held_by: held_by(edges),
        });
    }
    circles.sort_by_key(|c| std::cmp::Reverse(c.files.len()));
    circles
}

/// Files that a file leads to by one edge or more.
fn reach<'e>(from: &str, edges: &'e [Edge]) -> BTreeSet<&'e str> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for edge in edges.iter().filter(|e| e.from == file) {
            if found.insert(edge.to.as_str()) {
                open.push(&edge.to);
            }
        }
    }
    found
}

/// An edge is left out, in turn, where another way leads from its start to its end: all still reach each other.
fn held_by(mut edges: Vec<Edge>) -> Vec<Edge> {
    let mut at = 0;
    while at < edges.len() {
        let edge = edges.remove(at);
        if !reach(&edge.from, &edges).contains(edge.to.as_str()) {
            edges.insert(at, edge);
            at += 1;
        }
    }
    edges
}

/// Files are put in a row, those with more edges out than in first; what leads back along the row is cut, less
/// what turns out to close no circle.
fn to_cut(edges: &[Edge]) -> Vec<Edge> {
    let mut left: BTreeSet<&str> = edges.iter().map(|e| e.from.as_str()).collect();
    let mut row = Vec::new();
    while !left.is_empty() {
        let gain = |file: &&&str| {
            let inside = edges
                .iter()
                .filter(|e| left.contains(e.from.as_str()) && left.contains(e.to.as_str()));
            let (mut out, mut into) = (0_i64, 0);
            for edge in inside {
                out += i64::from(edge.from == **file);
                into += i64::from(edge.to == **file);
            }
            // A file that nothing leads to, or that leads nowhere, costs nothing at its end of the row.
            if into == 0 { i64::MAX } else { out - into }
        };
        let next = *left.iter().max_by_key(gain).expect("not empty");
        left.remove(next);
        row.push(next);
    }
    let place = |file: &str| row.iter().position(|f| *f == file);
    let (mut kept, back): (Vec<Edge>, Vec<Edge>) = edges
        .iter()
        .cloned()
        .partition(|e| place(&e.from) < place(&e.to));
    let mut cut = Vec::new();
    for edge in back {
        if reach(&edge.to, &kept).contains(edge.from.as_str()) {
            cut.push(edge);
        } else {
            kept.push(edge);
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::{Edge, find};

    fn edges(pairs: &[(&str, &str)]) -> Vec<Edge> {
        let edge = |(from, to): &(&str, &str)| Edge {
            from: from.to_string(),
            to: to.to_string(),
            line: 1,
            path: String::new(),
        };
        pairs.iter().map(edge).collect()
    }

    #[test]
    fn a_chain_is_none_and_each_circle_is_found_once() {
        assert!(find(&edges(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
        let found = find(&edges(&[
            ("x", "y"),
            ("y", "x"),
            ("x", "a"),
            ("a", "b"),
            ("b", "c"),
            ("c", "a"),
        ]));
        let files: Vec<String> = found.iter().map(|c| c.files.join(" ")).collect();
        assert_eq!(files, ["a b c", "x y"]);
    }

    #[test]
    fn few_edges_hold_it_and_fewer_end_it() {
        let all = [("a", "b"), ("b", "c"), ("c", "a"), ("a", "c")];
        let found = find(&edges(&all));
        assert_eq!(found[0].held_by, edges(&all[..3]));
        assert_eq!(found[0].to_cut, edges(&[("c", "a")]));
    }
}
