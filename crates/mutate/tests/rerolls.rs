//! Loops unrolled by hand that are none: each line of such a loop is broken in the kernel itself, and what the plug-in makes of that kernel must give its
//! bits, or nothing. The loop as it was is rolled up.

use mesi_launch::{Corpus, Size, VERSION};
use mesi_mutate::{blocks, host_launches, source};
use mesi_oracle::{Kernel, Program, Reference, Schedule};

/// Ways to break a line.
const EDITS: [(&str, &str); 8] = [
    (" fadd contract ", " fsub contract "),
    (" fmul contract ", " fadd contract "),
    (", i64 4", ", i64 8"),
    (" mul nsw ", " add nsw "),
    ("or disjoint i32 ", "add i32 1, "),
    (" ogt ", " olt "),
    (" add nuw nsw i32 ", " add nuw nsw i32 1, "),
    (", 4\n", ", 3\n"),
];

/// The kernel's IR with one line of the unrolled loop broken by an edit, or with a branch turned, each. The loop is the
/// kernel's longest block, or if its iterations branch all from its first block to the next loop's.
fn mutants(text: &str, branches: bool) -> Vec<String> {
    let lines: Vec<String> = text.lines().map(|l| format!("{l}\n")).collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|n| lines[*n] == "\n").collect();
    let longest = starts.windows(2).max_by_key(|w| w[1] - w[0]);
    let longest = longest.map_or(0..0, |w| w[0]..w[1]);
    let is_body = |n: &usize| lines[*n].starts_with("for.body") && !lines[*n].contains(".lr.ph:");
    let mut bodies = (0..lines.len()).filter(is_body);
    let longest = match (branches, bodies.next(), bodies.next()) {
        (true, Some(begin), Some(end)) => begin..end,
        _ => longest,
    };
    let broken = |(n, line): (usize, &String)| {
        let edit = |(from, to): &(&str, &str)| {
            let found = line.contains(from).then(|| line.replacen(from, to, 1))?;
            let mut all = lines.clone();
            all[n] = match to.ends_with(", ") {
                // An operand takes another's place.
                true => found.rsplit_once(',').map(|(f, _)| format!("{f}\n"))?,
                false => found,
            };
            Some(all.concat())
        };
        let mut all: Vec<String> = EDITS.iter().filter_map(edit).collect();
        if branches && let Some(line) = turned(line) {
            let mut turned = lines.clone();
            turned[n] = line;
            all.push(turned.concat());
        }
        all
    };
    let inside = lines.iter().enumerate().filter(|l| longest.contains(&l.0));
    inside.flat_map(broken).collect()
}

/// A conditional branch that goes the other way.
fn turned(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix("br i1 ")?;
    let [condition, first, second] = rest.split(", ").collect::<Vec<_>>()[..] else {
        return None;
    };
    Some(format!(
        "  br i1 {condition}, {}, {first}\n",
        second.trim_end()
    ))
}

/// How many versions the plug-in makes of a kernel, all of which give its bits; `None`: it is no kernel.
fn versions_of(corpus: &Corpus, text: &str) -> Option<usize> {
    let staged = blocks::staged(corpus, text).ok()?;
    let load = |kernel| Program::parse("mutant", staged.as_bytes(), kernel);
    let mut original = load(Kernel::Of(corpus)).ok()?;
    let symbols = original.versions.clone();
    let mut versions: Vec<Program> = symbols
        .iter()
        .map(|v| load(Kernel::Named(v)).expect("a version loads"))
        .collect();
    for case in corpus.cases(Size::Small) {
        let reference = Reference::new(&mut original, &case, &[Schedule::Forward]).ok()?;
        for version in &mut versions {
            let found = reference.diff(version).expect("runs");
            let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
            assert!(
                lines.is_empty(),
                "{VERSION} of {}: {}\n{text}",
                corpus.kernel,
                lines.join("\n")
            );
        }
    }
    Some(versions.len())
}

#[test]
fn loops_that_do_something_else_are_not_rolled_up() {
    let cuda = source::cuda().unwrap_or_else(|e| panic!("{e}"));
    let Some(cuda) = cuda else {
        eprintln!("skipped: no CUDA toolkit is found");
        return;
    };
    let kernels = [
        ("unrolled_mm", false),
        ("unrolled_rows", false),
        ("unrolled_wide", false),
        ("unrolled_sparse", true),
    ];
    for (name, branches) in kernels {
        let corpus = source::corpus(name).expect("a corpus kernel");
        let text = source::compile_for(&corpus, &cuda, 90).expect("compiles");
        let rolled = |text: &str| host_launches::rolled_up(&corpus, text, 90);
        assert!(rolled(&text).is_some_and(|n| n > 0), "{name} is rolled up");
        // Other versions may be made of what is no loop unrolled by hand.
        let made: Vec<usize> = mutants(&text, branches)
            .iter()
            .filter(|t| versions_of(&corpus, t).is_some())
            .filter_map(|t| rolled(t))
            .collect();
        let refused = made.iter().filter(|n| **n == 0).count();
        println!("{name}: {} mutants, {refused} not rolled up", made.len());
        assert!(
            refused > 3,
            "{name}: {refused} of {} mutants are refused",
            made.len()
        );
    }
}
