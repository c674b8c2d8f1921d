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

/// The kernel's IR with one line of the unrolled loop, its longest block, broken by an edit, each.
fn mutants(text: &str) -> Vec<String> {
    let lines: Vec<String> = text.lines().map(|l| format!("{l}\n")).collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|n| lines[*n] == "\n").collect();
    let longest = starts.windows(2).max_by_key(|w| w[1] - w[0]);
    let longest = longest.map_or(0..0, |w| w[0]..w[1]);
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
        EDITS.iter().filter_map(edit).collect::<Vec<_>>()
    };
    let inside = lines.iter().enumerate().filter(|l| longest.contains(&l.0));
    inside.flat_map(broken).collect()
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
    for name in ["unrolled_mm", "unrolled_rows"] {
        let corpus = source::corpus(name).expect("a corpus kernel");
        let text = source::compile_for(&corpus, &cuda, 90).expect("compiles");
        let rolled = |text: &str| host_launches::rolled_up(&corpus, text, 90);
        assert!(rolled(&text).is_some_and(|n| n > 0), "{name} is rolled up");
        // Other versions may be made of what is no loop unrolled by hand.
        let made: Vec<usize> = mutants(&text)
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
