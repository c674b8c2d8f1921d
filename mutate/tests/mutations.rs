//! Every way to break staged code is noticed by the oracle, on the kernel named here.
//!
//! The whole matrix, all mutations on all kernels, is `mesi-mutate --all`. Here each mutation is
//! tried on one kernel on which it must be noticed, so that the test stays quick.

use std::sync::Mutex;

use mesi_mutate::asked;
use mesi_mutate::gate_edits::{self, Judged};
use mesi_mutate::matrix::Subject;
use mesi_mutate::mutation::{self, Mutation};
use mesi_mutate::stage::Way;
use mesi_mutate::{copies, merge_edits, place_edits, source};

/// Places tried before a mutation counts as not noticed.
const PLACES: usize = 12;

/// Kernels and the mutations that must be noticed on them. `name@N`: with N strips in flight.
const NOTICED: &[(&str, &[&str])] = &[
    (
        "mavg",
        &[
            "base-wrong",
            "rest-up",
            "rest-down",
            "stride-wrong",
            "multiplier-wrong",
            "multiplier-negated",
            "halo-extra",
            "when-dropped",
            "when-inverted",
            "tile-size-dropped",
            "bound-loose",
            "bound-tight",
            "bound-dropped",
            "copy-bound-dropped",
            "copy-stopped",
            "copy-step-wrong",
            "guard-dropped",
            "guard-failed",
            "conjunct-dropped",
            "compare-off-by-one",
            "global-load-shifted",
            "tile-load-shifted",
        ],
    ),
    (
        "mm_early",
        &[
            "pitch-one",
            "tiles-overlap",
            "buffer-short",
            "block-cap-dropped",
            "dispatch-forced",
            "barrier-dropped",
            "strip-skipped",
            "strip-forced",
            "loop-once",
            "depth-deeper",
            "member-offset-up",
            "member-offset-down",
        ],
    ),
    (
        "mavg7_unrolled",
        &[
            "halo-low-missing",
            "halo-side-swapped",
            "halo-high-uncopied",
            "halo-low-uncopied",
            "stale-index",
        ],
    ),
    (
        "aos_update",
        &[
            "write-back-dropped",
            "write-back-short",
            "write-back-unbounded",
            "global-store-shifted",
            "global-store-dropped",
            "tile-store-shifted",
            "tile-store-dropped",
        ],
    ),
    (
        "row_copy_strided",
        &[
            "store-bound-dropped",
            "store-bound-loose",
            "store-bound-tight",
            "store-cell-extra",
            "write-back-early",
        ],
    ),
    (
        "row_ramp",
        &[
            "store-cell-extra",
            "write-back-late",
            "barrier-after-dropped",
        ],
    ),
    ("maxpool", &["clip-dropped"]),
    ("stencil3_edges", &["active-set-missing"]),
    ("mv_two", &["register-unloaded", "register-unstored"]),
    ("inplace_tail", &["unique-cells-dropped", "strip-longer"]),
    (
        "row_smooth",
        &[
            "alias-fact-dropped",
            "alias-reach-short",
            "alias-reach-fixed",
        ],
    ),
    ("row_dot_alias@abreast1", &["alias-fact-dropped"]),
    ("own_rows@abreast4", &["alias-fact-dropped"]),
    ("back_rows", &["alias-sign-taken"]),
    ("self_counts@4x1", &["alias-fact-dropped"]),
    ("row_head", &["barrier-before-dropped"]),
    ("wrapped_rows", &["overflow-dropped", "dispatch-inverted"]),
    ("grid_table", &["vote-dropped"]),
    ("mm_alpha_beta@1", &["predicate-dropped"]),
    (
        "mm_early@3",
        &[
            "flight-wait-dropped",
            "flight-wait-early",
            "flight-commit-dropped",
            "flight-barrier-dropped",
            "flight-unbounded",
            "flight-stopped",
            "flight-short-strip-full",
            "slot-stuck",
            "slots-overlap",
            "wide-unaligned",
        ],
    ),
    ("interaction4@2", &["fill-too-long"]),
    (
        "padded_rows@3",
        &["short-strip-cut-pieces", "short-strip-odd"],
    ),
    ("row_backward@3", &["short-strip-elsewhere"]),
    ("mv_row", &["stretch-too-long", "stretch-slots-overlap"]),
    ("mm_early@1", &["barrier-guarded"]),
    ("mm_early@2", FLIGHT),
    ("mm_early@4", FLIGHT),
    ("mm_early@2x2@2", FLIGHT),
    ("mm_nt@4x1@3", FLIGHT),
    (
        "mirror@2x1",
        &[
            "leader-own-id",
            "followers-stay",
            "leaders-leave",
            "group-complete",
            "group-wider",
            "lane-test-dropped",
            "lane-test-failed",
            "lane-id-wrong",
        ],
    ),
    (
        "block_rows@2x1",
        &[
            "shifted-fact-dropped",
            "lane-value-wrong",
            "zero-fill-dropped",
            "zeros-elsewhere",
        ],
    ),
    ("stencil9@2x2", &["leader-in-one-dimension"]),
    (
        "conv2d_padded@4x1",
        &[
            "window-shared",
            "window-rows-unaligned",
            "window-cell-wrong",
            "window-run-short",
            "window-run-forced",
            "window-run-left",
            "turn-beyond-grid",
            "piece-past-row",
            "wide-store-unaligned",
            "wide-store-incomplete",
            "wide-store-swapped",
            "wide-unaligned",
            "fill-too-long",
        ],
    ),
    (
        "conv2d_padded@4x1",
        &[
            "flight-wait-dropped",
            "flight-commit-dropped",
            "flight-barrier-dropped",
        ],
    ),
    ("flipped_rows@4x1", &["pieces-too-few"]),
    (
        "mm_early@2x2",
        &[
            "square-undivided",
            "square-one-way",
            "square-place-twice",
            "group-taken-idle",
            "head-rows-by-blocks",
            "version-fact-untested",
        ],
    ),
    (
        "mirrored_rows@1x2",
        &[
            "heads-ask-first-block",
            "head-missing",
            "head-group-elsewhere",
        ],
    ),
    ("mm_double@4x2", &["lane-run-misplaced"]),
    ("mm_early@4x1@3", &["zeros-barrier-dropped"]),
    (
        "stencil5@1x2@bare",
        &[
            "followers-stay",
            "leaders-leave",
            "lane-id-wrong",
            "lane-value-wrong",
            "lanes-taken-to-agree",
            "parted-lanes-left",
            "last-lane-left",
        ],
    ),
    (
        "mirror@2x1@bare",
        &["group-complete", "group-taken-complete", "slow-lane-beyond"],
    ),
    (
        "few_classes@4x1",
        &[
            "tally-cells-unset",
            "tally-index-off",
            "tally-not-given",
            "tally-given-twice",
            "tally-given-elsewhere",
            "tally-untouched-given",
            "tally-turn-missing",
            "tally-low-wrong",
            "tally-identity-wrong",
            "barrier-dropped",
        ],
    ),
    (
        "image_stats@4x1",
        &[
            "tally-turn-twice",
            "tally-own-block",
            "tally-cell-short",
            "tally-cells-shared",
            "tally-grid-unasked",
        ],
    ),
    ("whole_blocks@4x1", &["tally-turn-beyond"]),
    ("fir@4x1", &["zeros-dropped"]),
    (
        "transpose@1x4@default",
        &["gather-taken-whole", "gather-part-wrong", "barrier-dropped"],
    ),
    ("layers", &["over-own-place", "over-layers-dropped"]),
    ("mm_nt@4x2@2", &["steady-one-more"]),
    (
        "aligned_product@2x2@3",
        &[
            "steady-forced",
            "steady-piece-missing",
            "steady-piece-forced",
        ],
    ),
    (
        "covariance@abreast4",
        &[
            "abreast-taken-full",
            "abreast-unclamped",
            "abreast-round-missing",
            "abreast-begins-late",
            "lane-value-wrong",
        ],
    ),
    (
        "mv_two@abreast1",
        &["register-unloaded", "register-unstored"],
    ),
    ("conv2d_clamp@4x1@default", &["inside-fact-dropped"]),
    (
        "conv2d_clamp@default",
        &["clear-forced", "clear-of-own-first"],
    ),
    ("one_beyond@4x1@default", &["inside-fact-loose"]),
    (
        "triangular@bare",
        &["round-more", "round-alone", "round-unaligned"],
    ),
];

/// What must hold at every depth, merged or not.
const FLIGHT: &[&str] = &[
    "flight-wait-dropped",
    "flight-wait-early",
    "flight-commit-dropped",
    "flight-barrier-dropped",
];

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
    let queue = Mutex::new(NOTICED.iter());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                // Function pointers only, but each thread has its own list.
                let all = mutation::all();
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
    for m in mutation::all() {
        let times = NOTICED
            .iter()
            .filter(|(_, names)| names.contains(&m.name))
            .count();
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
    let gates = ["mm_early", "kmeans"].map(|name| {
        let corpus = source::corpus(name).expect("a corpus kernel");
        let text = source::compile(&corpus, &cuda).expect("compiles");
        let gate = asked::Subject::of(&corpus, &text, source::SM).expect("is asked");
        Judged::new(gate.expect("has a gate")).expect("right")
    });
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
