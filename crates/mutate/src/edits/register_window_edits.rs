//! Ways to break windows in registers: rings, runs, whose turn it is, and which blocks have them.

use mesi::llvm::ir::{Op, Value};
use mesi::plan::{Fact, Pitch, Reuse, Tile};

use crate::edits::code_edits::{at, bit, branches_to, calls, change_constant, instructions, is_in};
use crate::edits::own_edits::is_not_negative;
use crate::edits::plan_edits::{self, tiles};
use crate::mutation::{Mutation, Noticed};
use crate::stage::{Emitted, Planned};

/// Where they are noticed, and others on kernels that have windows.
pub const NOTICED: &[Noticed] = &[
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
    ("fir@4x1", &["zeros-dropped"]),
    ("conv2d_clamp@4x1@default", &["inside-fact-dropped"]),
    ("one_beyond@4x1@default", &["inside-fact-loose"]),
];

fn register_windows<'a>(p: &'a mut Planned) -> impl Iterator<Item = &'a mut Reuse> {
    let members = tiles(p.plan).flat_map(|t| &mut t.members);
    members.filter_map(|m| m.reuse.as_mut())
}

fn has_windows(t: &Tile) -> bool {
    t.members.iter().any(|m| m.reuse.is_some())
}

/// `min(rotated leader, last block of the group)`.
fn rotations(e: &Emitted) -> impl Iterator<Item = Value> {
    calls(e, "llvm.smin.i32").filter(|i| i.operand(0).is(Op::LLVMAnd))
}

/// Takes blocks for inside of which one element is not.
fn loosen_interior(p: &mut Planned, place: usize) -> bool {
    if !p.affine.interior {
        return false;
    }
    let facts = p.plan.facts_mut();
    at(facts.filter(|f| is_not_negative(f)), place, |f| {
        if let Fact::InRange { lo, .. } = f {
            *lo = -1;
        }
    })
}

/// The list.
pub fn all() -> Vec<Mutation> {
    let mut list = of_windows();
    list.push(Mutation::plan(
        "inside-fact-loose",
        "blocks with one element beyond a limit are taken for blocks inside",
        loosen_interior,
    ));
    list
}

fn of_windows() -> Vec<Mutation> {
    vec![
        Mutation::plan(
            "window-shared",
            "all replicas read the first replica's window",
            |p, n| {
                let along = register_windows(p).filter(|s| s.along.is_some());
                plan_edits::at(along, n, |s| s.along = None)
            },
        ),
        Mutation::plan(
            "window-rows-unaligned",
            "rows of a window's tile begin anywhere",
            |p, n| {
                let dims = tiles(p.plan).filter(|t| has_windows(t));
                let pitches = dims
                    .flat_map(|t| &mut t.footprint.dims)
                    .map(|d| &mut d.pitch);
                let aligned = pitches.filter_map(|p| match p {
                    Pitch::Runtime { align, .. } if *align > 1 => Some(align),
                    _ => None,
                });
                plan_edits::at(aligned, n, |align| *align = 1)
            },
        ),
        Mutation::code(
            "window-cell-wrong",
            "a cell of the ring holds its neighbour's value",
            |e, n| {
                let cells = instructions(e).filter(|i| i.is(Op::LLVMExtractElement));
                change_constant(cells, n, 1, |k| k ^ 1)
            },
        ),
        Mutation::code(
            "window-run-short",
            "the next run of iterations begins one too early",
            |e, n| {
                let steps = instructions(e).filter(|i| {
                    i.is(Op::LLVMAdd) && i.operand(0).is(Op::LLVMPHI) && is_in(*i, "mesi.slide")
                });
                change_constant(steps, n, 1, |k| k - 1)
            },
        ),
        Mutation::code(
            "window-run-forced",
            "iterations run that the loop does not have",
            |e, n| {
                at(branches_to(e, 0, "mesi.slide"), n, |b| {
                    b.set_condition(bit(e, true))
                })
            },
        ),
        Mutation::code(
            "window-run-left",
            "iterations that fill no run, or the runs, are left out",
            |e, n| {
                at(branches_to(e, 0, "mesi.slide"), n, |b| {
                    b.set_condition(bit(e, false))
                })
            },
        ),
        Mutation::code(
            "turn-beyond-grid",
            "a block leads that the grid does not have",
            |e, n| at(rotations(e), n, |m| m.replace_uses(m.operand(0))),
        ),
    ]
}
