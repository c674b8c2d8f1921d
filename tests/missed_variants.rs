//! Every reason to refuse has a test: some `llvm-tests/**/no-*` file expects its name.

mod support;

#[test]
fn every_reason_is_expected_by_a_negative_test() {
    let folder = support::root().join("llvm-tests");
    let expected: Vec<String> = support::files_under(&folder, &["ll", "cu"])
        .into_iter()
        .filter(|f| {
            f.file_name()
                .is_some_and(|n| n.to_string_lossy().starts_with("no-"))
        })
        .map(|f| std::fs::read_to_string(&f).expect("a readable test"))
        .flat_map(|text| {
            let checks = text
                .lines()
                .filter(|l| l.contains("CHECK") && !l.contains("-NOT:"));
            checks.map(str::to_string).collect::<Vec<_>>()
        })
        .collect();
    let words = |line: &String| -> Vec<String> {
        line.split(|c: char| !c.is_alphanumeric())
            .map(str::to_string)
            .collect()
    };
    let expected: std::collections::BTreeSet<String> = expected.iter().flat_map(words).collect();
    let missing: Vec<&str> = mesi::missed::ALL_NAMES
        .iter()
        .copied()
        .filter(|n| !expected.contains(*n))
        .collect();
    assert!(
        missing.is_empty(),
        "no llvm-tests/**/no-* file has a CHECK line with: {}",
        missing.join(", ")
    );
}
