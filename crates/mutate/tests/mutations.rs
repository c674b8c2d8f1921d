//! Every way to break staged code is noticed by the oracle, on the kernel named here.
//!
//! The whole matrix, all mutations on all kernels, is `mesi-mutate --all`. Here each mutation is
//! tried on one kernel on which it must be noticed, so that the test stays quick.

mod expected;

use std::sync::Mutex;

use expected::NOTICED;

use mesi_mutate::edits;
use mesi_mutate::edits::{merge_edits, place_edits};
use mesi_mutate::gate_edits::{self, Judged};
use mesi_mutate::host_launches;
use mesi_mutate::matrix::Subject;
use mesi_mutate::mutation::Mutation;
use mesi_mutate::stage::Way;
use mesi_mutate::{copies, source};

/// Places tried before a mutation counts as not noticed.
const PLACES: usize = 12;

/// The mutations not noticed on a kernel, each with what happened instead.
fn not_noticed(kernel: &str, names: &[&str], all: &[Mutation]) -> anyhow::Result<Vec<String>> {
    let cuda = source::cuda()?.expect("asked for before");
    let (name, way) = Way::parse(kernel)?;
    let corpus = source::corpus(name)?;
    let text = source::compile(&corpus, &cuda)?;
    let Some(mut subject) = Subject::new(corpus, text, way)? else {
        return Ok(vec![format!("{kernel} is not staged")]);
    };
    let mut missed = Vec::new();
    for name in names {
        let Some(mutation) = all.iter().find(|m| m.name == *name) else {
            missed.push(format!("there is no mutation {name}"));
            continue;
        };
        let mut mutants = 0;
        let mut noticed = false;
        for place in 0..PLACES {
            let Some(mutant) = subject.mutant(mutation, place)? else {
                break;
            };
            mutants += usize::from(mutant.is_some());
            noticed = mutant.is_some_and(|m| !m.verdict.survived());
            if noticed {
                break;
            }
        }
        if !noticed {
            missed.push(format!(
                "{kernel}: {name}: none of {mutants} mutants is noticed"
            ));
        }
    }
    Ok(missed)
}

#[test]
fn every_mutation_is_noticed() {
    let cuda = source::cuda().unwrap_or_else(|e| panic!("{e}"));
    if cuda.is_none() {
        eprintln!("skipped: no CUDA toolkit is found");
        return;
    }
    let missed = Mutex::new(Vec::new());
    let queue = Mutex::new(NOTICED.iter().chain(edits::noticed()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                // Function pointers only, but each thread has its own list.
                let all = edits::all();
                loop {
                    let next = queue.lock().expect("no panic").next();
                    let Some((kernel, names)) = next else { return };
                    let found = not_noticed(kernel, names, &all)
                        .unwrap_or_else(|e| vec![format!("{kernel}: {e:#}")]);
                    missed.lock().expect("no panic").extend(found);
                }
            });
        }
    });
    let missed = missed.into_inner().expect("no panic");
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn every_mutation_has_a_kernel() {
    for m in edits::all() {
        let rows = NOTICED.iter().chain(edits::noticed());
        let times = rows.filter(|(_, names)| names.contains(&m.name)).count();
        assert!(times > 0, "{} is not in the list", m.name);
    }
}

/// Some facts only choose the faster body. If dropping one were noticed, it would hide a missing fact.
#[test]
fn what_decides_about_speed_is_not_needed() {
    let Some(cuda) = source::cuda().unwrap_or_else(|e| panic!("{e}")) else {
        eprintln!("skipped: no CUDA toolkit is found");
        return;
    };
    let mut dropped = 0;
    for name in ["mm_early@default", "mv_row@default", "mm_early@2x2"] {
        let (kernel, way) = Way::parse(name).expect("a good name");
        let corpus = source::corpus(kernel).expect("a corpus kernel");
        let text = source::compile(&corpus, &cuda).expect("compiles");
        let mut subject = Subject::new(corpus, text, way)
            .expect("right")
            .expect("staged at default");
        let all = merge_edits::harmless().into_iter();
        for mutation in all.chain(place_edits::harmless()) {
            for mutant in subject.mutants(&mutation, 1).expect("is judged") {
                assert!(
                    mutant.verdict.survived(),
                    "{name}: {}: {}",
                    mutation.name,
                    mutant.verdict.first
                );
                dropped += 1;
            }
        }
    }
    assert!(dropped >= 3, "only {dropped} such facts were found");
}

#[test]
fn every_broken_copy_is_noticed() {
    let rows = copies::rows().unwrap_or_else(|e| panic!("{e}"));
    for (name, what, row) in rows {
        assert!(row.survivors.is_empty(), "{name} ({what}) is not noticed");
    }
}

/// What the host asks, on kernels whose launches decide it.
#[test]
fn every_broken_gate_is_noticed() {
    let Some(cuda) = source::cuda().unwrap_or_else(|e| panic!("{e}")) else {
        eprintln!("skipped: no CUDA toolkit is found");
        return;
    };
    let mut gates = Vec::new();
    for name in ["mm_early", "kmeans", "mm_alpha_beta", "histogram"] {
        let corpus = source::corpus(name).expect("a corpus kernel");
        let text = source::compile(&corpus, &cuda).expect("compiles");
        let all = host_launches::Subject::all(&corpus, &text, source::SM).expect("is asked");
        gates.extend(all.into_iter().map(|g| Judged::new(g).expect("right")));
    }
    assert!(gates.len() > 1, "{} gates", gates.len());
    for mutation in gate_edits::ALL {
        let mutants = |g: &Judged| g.mutants(mutation, PLACES).expect("is judged");
        let noticed = gates
            .iter()
            .any(|g| mutants(g).iter().any(|m| !m.verdict.survived()));
        assert!(
            noticed,
            "{} ({}) is not noticed",
            mutation.name, mutation.what
        );
    }
}
