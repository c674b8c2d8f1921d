//! What the host may launch, for every launch of the bench and some at random: no launch that a version of a kernel serves
//! may be turned away by the version's gate, and hardly one let in that it does not serve.
//!
//! `cargo test -p mesi-mutate --test host_choice -- --nocapture` prints the counts.

use std::sync::Mutex;

use mesi_mutate::host_launches::Subject;
use mesi_mutate::source;

/// The chip that launches are planned for.
const SM: u32 = 90;
/// Launches let in that the version does not serve.
const IN_VAIN: usize = 0;

/// How many launches are served or not, and let in or not.
#[derive(Default, Debug, Clone, Copy, PartialEq, Eq)]
struct Counts {
    gates: usize,
    served: usize,
    turned_away: usize,
    /// Let in, and served by the kernel's own body.
    in_vain: usize,
}

#[test]
fn launches_that_a_version_serves_are_let_in() {
    let Some(cuda) = source::cuda().unwrap_or_else(|e| panic!("{e}")) else {
        eprintln!("skipped: no CUDA toolkit is found");
        return;
    };
    let all = Mutex::new((Counts::default(), Vec::new()));
    let look = |name: &str| hold(&cuda, name, &all).unwrap_or_else(|e| panic!("{name}: {e:#}"));
    source::for_all_kernels(look).expect("the corpus is there");
    let (counts, wrong) = all.into_inner().expect("no panic");
    println!("{counts:?}");
    assert!(
        wrong.is_empty(),
        "served, and turned away:\n{}",
        wrong.join("\n")
    );
    assert!(counts.gates > 50, "{counts:?}");
    assert!(
        counts.served > 500 && counts.turned_away > 200,
        "{counts:?}"
    );
    assert!(counts.in_vain == IN_VAIN, "{counts:?}");
}

/// Holds a kernel's launches against its versions' gates: counts, and those that are wrongly turned away.
fn hold(
    cuda: &std::path::Path,
    name: &str,
    all: &Mutex<(Counts, Vec<String>)>,
) -> anyhow::Result<()> {
    let corpus = source::corpus(name)?;
    let text = source::compile_for(&corpus, cuda, SM)?;
    for subject in Subject::all(&corpus, &text, SM)? {
        hold_version(&subject, all)?;
    }
    Ok(())
}

fn hold_version(subject: &Subject, all: &Mutex<(Counts, Vec<String>)>) -> anyhow::Result<()> {
    let name = &subject.kernel;
    let says = subject.verdicts(&subject.text, |_| {})?;
    let mut all = all.lock().expect("no panic");
    all.0.gates += 1;
    let before = all.0.in_vain;
    for ((case, served), yes) in subject.launches.iter().zip(says) {
        match (yes, *served) {
            (false, true) => all.1.push(format!("{name} {}", case.label)),
            (false, false) => all.0.turned_away += 1,
            (true, true) => all.0.served += 1,
            (true, false) => all.0.in_vain += 1,
        }
    }
    if all.0.in_vain > before {
        let n = all.0.in_vain - before;
        println!("{name}: {n} launches let in that the version does not serve");
    }
    Ok(())
}
