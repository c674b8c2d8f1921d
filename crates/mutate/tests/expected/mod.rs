//! What the oracle must notice, and where.

use mesi_mutate::mutation::Noticed;

/// Kernels and the mutations that must be noticed on them, but those that stand beside the mutations of one
/// transformation. `name@N`: with N strips in flight.
pub const NOTICED: &[Noticed] = &[
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
    ("stencil3_edges", &["within-dropped", "within-tight"]),
    ("blur_edges", &["active-set-missing"]),
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
    ("row_dot_alias@jam1", &["alias-fact-dropped"]),
    ("own_rows@jam4", &["alias-fact-dropped"]),
    ("back_rows", &["alias-sign-taken"]),
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
    ("mm_early@2", PIPELINE),
    ("mm_early@4", PIPELINE),
    ("mm_early@2x2@2", PIPELINE),
    ("mm_nt@4x1@3", PIPELINE),
    (
        "mirror@2x1",
        &[
            "leader-own-id",
            "followers-stay",
            "leaders-leave",
            "group-complete",
            "group-wider",
            "replica-test-dropped",
            "replica-test-failed",
            "replica-id-wrong",
        ],
    ),
    (
        "block_rows@2x1",
        &[
            "shifted-fact-dropped",
            "replica-value-wrong",
            "zero-fill-dropped",
            "zeros-elsewhere",
        ],
    ),
    ("stencil9@2x2", &["leader-in-one-dimension"]),
    (
        "conv2d_padded@4x1",
        &[
            "piece-past-row",
            "wide-store-unaligned",
            "wide-store-incomplete",
            "wide-store-swapped",
        ],
    ),
    ("column_broadcast@2x2", &["zeros-dropped", "pieces-too-few"]),
    (
        "mm_early@2x2",
        &[
            "square-undivided",
            "square-one-way",
            "square-place-twice",
            "group-taken-idle",
            "head-rows-by-blocks",
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
    ("mm_double@4x2", &["replica-run-misplaced"]),
    ("mm_early@4x1@3", &["zeros-barrier-dropped"]),
    (
        "stencil5@1x2@bare",
        &[
            "followers-stay",
            "leaders-leave",
            "replica-id-wrong",
            "replica-value-wrong",
            "replicas-taken-to-agree",
            "parted-replicas-left",
            "last-replica-left",
        ],
    ),
    (
        "map_bytes@16x1@bare",
        &["vector-taken-to-lie-well", "cell-of-another-replica"],
    ),
    (
        "stencil7_3d@1x2x4@bare",
        &["plane-before-taken-to-be-done", "kept-cell-not-moved"],
    ),
    (
        "column_smooth@2x2@bare",
        &["slid-value-kept", "slides-elsewhere"],
    ),
    (
        "column_edges@1x4@default@bare",
        &["slid-value-kept", "inside-fact-dropped"],
    ),
    (
        "mirror@2x1@bare",
        &[
            "group-complete",
            "group-taken-complete",
            "slow-replica-beyond",
        ],
    ),
    (
        "transpose@1x4@default",
        &[
            "gather-taken-whole",
            "gather-part-wrong",
            "barrier-dropped",
            "store-bound-dropped",
            "store-bound-loose",
            "store-bound-tight",
        ],
    ),
    ("layers", &["over-own-place", "over-layers-dropped"]),
    ("mm_nt@4x2@2", &["fast-one-more"]),
    (
        "aligned_product@2x2@3",
        &["fast-forced", "fast-piece-missing", "fast-piece-forced"],
    ),
    (
        "covariance@jam4",
        &[
            "jam-taken-full",
            "jam-unclamped",
            "jam-group-missing",
            "jam-begins-late",
            "replica-value-wrong",
        ],
    ),
    ("mv_two@jam1", &["register-unloaded", "register-unstored"]),
    (
        "triangular@bare",
        &["unroll-more", "unroll-once", "unroll-unaligned"],
    ),
];

/// What must hold at every depth, merged or not.
const PIPELINE: &[&str] = &[
    "flight-wait-dropped",
    "flight-wait-early",
    "flight-commit-dropped",
    "flight-barrier-dropped",
];
