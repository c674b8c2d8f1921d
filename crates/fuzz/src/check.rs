//! One kernel, before and after the plug-in, under every variant: do the bits agree?

use std::collections::BTreeSet;
use std::time::Instant;

use mesi_launch::{Case, Global};
use mesi_oracle::{Checks, Counts, Defect, Kernel as Pick, Outcome, Program, Schedule};
use serde::{Deserialize, Serialize};

use crate::stage::{Fault, Kinds, Staged, Stages};
use crate::variants::Variant;

/// What is wrong.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
pub struct Failure {
    /// `bits`, `report`, `verifier`, `dropped` (by the plug-in's own check), `panic`, `refused` (the oracle cannot
    /// run it), `crash` or `hang`.
    pub kind: String,
    /// Which variant.
    pub variant: String,
    /// What was seen.
    pub text: String,
}

/// What came of one kernel.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Verdict {
    /// Launches compared.
    pub launches: usize,
    /// Launches left out because the original itself is at fault in them, and the first reason.
    pub dropped: usize,
    /// Why the first of those was left out.
    pub dropped_why: String,
    /// Variants that changed the kernel and were run.
    pub variants: usize,
    /// Variants that gave the code of an earlier one, so were not run again.
    pub equal: usize,
    /// What the plan had in it, see `coverage`.
    pub features: BTreeSet<String>,
    /// What failed.
    pub failures: Vec<Failure>,
    /// Milliseconds of each part.
    pub times: Times,
}

/// Where the time went, in microseconds.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Times {
    /// Passes of LLVM.
    pub passes: u64,
    /// Compiling for the host.
    pub compile: u64,
    /// Running.
    pub run: u64,
}

/// A launch whose original is clean, and what it gives.
struct Reference<'a> {
    case: &'a Case,
    outcome: Outcome,
}

/// How launches are run.
#[derive(Debug, Clone)]
pub struct Way {
    /// Orders of threads; the first is the reference.
    pub schedules: Vec<Schedule>,
    /// Multiply-adds fuse where the IR allows it, in both bodies.
    pub fuse: bool,
}

/// Compares `base` (IR as the plug-in meets it) with what each variant makes of it. `begin` hears of each variant
/// before it is tried.
pub fn check(
    base: &[u8],
    cases: &[Case],
    variants: &[Variant],
    way: &Way,
    begin: &mut dyn FnMut(&str),
) -> Verdict {
    let mut v = Verdict::default();
    let mut original = match Program::parse("original", base, Pick::Only) {
        Ok(p) => p,
        Err(e) => {
            v.dropped = cases.len();
            v.dropped_why = format!("oracle: {e}");
            return v;
        }
    };
    original.set_fuse(way.fuse);
    original.set_quick(true);
    let references = references(&mut original, cases, &way.schedules, &mut v);
    drop(original);
    v.launches = references.len();
    if references.is_empty() {
        return v;
    }
    let mut stages = Stages::new(base);
    // What -O3 moves between blocks fuses elsewhere, on the original's side too; that is not the plug-in's doing.
    for variant in variants.iter().filter(|v| !(way.fuse && v.optimised)) {
        begin(&variant.name);
        if let Err(failure) = one(&mut stages, &references, variant, way, &mut v) {
            v.failures.push(failure);
        }
    }
    v
}

/// Runs the original; launches with any finding, or with results that hang on the order, are left out.
fn references<'a>(
    original: &mut Program,
    cases: &'a [Case],
    schedules: &[Schedule],
    v: &mut Verdict,
) -> Vec<Reference<'a>> {
    let mut all = Vec::new();
    let start = Instant::now();
    let compiled = original.prepare(Checks::Full);
    v.times.compile += start.elapsed().as_micros() as u64;
    let start = Instant::now();
    for case in cases {
        let outcomes = compiled
            .clone()
            .and_then(|()| original.run_all(case, schedules, Checks::Accesses));
        let why = match outcomes {
            Err(e) => format!("oracle: {e}"),
            Ok(mut outcomes) => match outcomes.iter().flat_map(|o| &o.reports).next() {
                Some(r) => r.to_string(),
                None => {
                    all.push(Reference {
                        case,
                        outcome: outcomes.swap_remove(0),
                    });
                    continue;
                }
            },
        };
        v.dropped += 1;
        if v.dropped_why.is_empty() {
            v.dropped_why = format!("{}: {why}", case.label);
        }
    }
    v.times.run += start.elapsed().as_micros() as u64;
    all
}

fn one(
    stages: &mut Stages,
    references: &[Reference],
    variant: &Variant,
    way: &Way,
    v: &mut Verdict,
) -> Result<(), Failure> {
    let fail = |kind: &str, text: String| Failure {
        kind: kind.into(),
        variant: variant.name.clone(),
        text,
    };
    let start = Instant::now();
    let staged = stages.variant(variant, &mut v.features);
    v.times.passes += start.elapsed().as_micros() as u64;
    let (bitcode, kinds) = match staged.map_err(|(kind, text)| fail(kind, text))? {
        Staged::Unchanged => return Ok(()),
        Staged::Known => {
            v.equal += 1;
            return Ok(());
        }
        Staged::New(code, kinds) => (code, kinds),
    };
    v.variants += 1;
    let only = Program::parse("staged", &bitcode, Pick::Only);
    let only = only.map_err(|e| fail("refused", e.to_string()))?;
    let held = if variant.is_own() {
        // The kernel itself is launched in other blocks.
        let versions = only.versions.clone();
        let named = |n: &String| Program::parse("staged", &bitcode, Pick::Named(n));
        std::iter::once(Ok(only))
            .chain(versions.iter().map(named))
            .try_for_each(|program| {
                let program = program.map_err(|e| ("refused", e.to_string()))?;
                let symbol = program.kernel.clone();
                hold(program, references, variant, way, &kinds, v)
                    .map_err(|(kind, text)| (kind, format!("{symbol}: {text}")))
            })
    } else {
        hold(only, references, variant, way, &kinds, v)
    };
    held.map_err(|(kind, text)| fail(kind, text))
}

/// Holds one kernel against the original on all launches.
fn hold(
    mut program: Program,
    references: &[Reference],
    variant: &Variant,
    way: &Way,
    kinds: &Kinds,
    v: &mut Verdict,
) -> Result<(), Fault> {
    let refused = |e: mesi_oracle::Error| ("refused", e.to_string());
    let start = Instant::now();
    program.set_fuse(way.fuse);
    program.set_quick(true);
    program.prepare(Checks::Full).map_err(refused)?;
    v.times.compile += start.elapsed().as_micros() as u64;
    let start = Instant::now();
    for r in references {
        let most = if variant.optimised {
            1
        } else {
            way.schedules.len()
        };
        for (n, schedule) in way.schedules.iter().enumerate().take(most) {
            let checks = if n == 0 {
                Checks::Accesses
            } else {
                Checks::Full
            };
            let outcome = run(&mut program, r.case, *schedule, checks).map_err(refused)?;
            note_taken(&outcome, variant, &mut v.features);
            hold_gate(&outcome, variant, r, &mut v.features)?;
            in_other_blocks(&mut program, r, &outcome, *schedule, &mut v.features)?;
            if outcome.kept_away {
                continue;
            }
            if is_other_work(&r.outcome, &outcome) {
                v.features.extend(kinds.iter().map(|k| format!("run: {k}")));
            }
            let at = format!("{} {schedule:?}", r.case.label);
            compare(&at, &r.outcome, &outcome)?;
            if outcome
                .reports
                .iter()
                .any(|r| r.defect == Defect::BlockRace)
            {
                unused_or_wrong(&mut program, r, &mut v.features)?;
            }
        }
    }
    v.times.run += start.elapsed().as_micros() as u64;
    Ok(())
}

/// The blocks that the host may deal the threads out to give the same bits, if what a version relies on holds there: it need not hold
/// where it does in the program's own, nor the other way round.
fn in_other_blocks(
    program: &mut Program,
    r: &Reference,
    outcome: &Outcome,
    schedule: Schedule,
    features: &mut BTreeSet<String>,
) -> Result<(), Fault> {
    let Some([block, grid]) = outcome.blocks else {
        return Ok(());
    };
    let case = Case {
        block,
        grid,
        ..r.case.clone()
    };
    let other =
        run(program, &case, schedule, Checks::Full).map_err(|e| ("refused", e.to_string()))?;
    if other.kept_away {
        features.insert("blocks: a version turns the others away".into());
        return Ok(());
    }
    features.insert("blocks: dealt out to others".into());
    let at = format!("{} {schedule:?}, in blocks of {block:?}", r.case.label);
    compare(&at, &r.outcome, &other)
}

/// Runs a launch. An array of the module that -O3 found to be read in vain is not set, as nothing reads it: it keeps
/// what it would begin with.
fn run(
    program: &mut Program,
    case: &Case,
    schedule: Schedule,
    checks: Checks,
) -> mesi_oracle::Result<Outcome> {
    let error = match program.run(case, schedule, checks) {
        Err(e) if e.to_string().contains("is not used by the kernel") => e.to_string(),
        other => return other,
    };
    let mut less = case.clone();
    let unused = |g: &Global| error.contains(&format!("[[global]] {} is", g.name));
    less.globals.retain(|g| !unused(g));
    match less.globals.len() < case.globals.len() {
        true => run(program, &less, schedule, checks),
        false => program.run(case, schedule, checks),
    }
}

/// Whether threads wrote to a tile: then the staged body ran, not the original.
fn note_taken(outcome: &Outcome, variant: &Variant, features: &mut BTreeSet<String>) {
    let Some(counts) = &outcome.counts else {
        return;
    };
    if counts
        .arrays
        .iter()
        .any(|a| a.shared && a.name.starts_with("mesi") && a.stores > 0)
    {
        features.insert(
            if variant.optimised {
                "run: staged body after -O3"
            } else {
                "run: staged body"
            }
            .into(),
        );
    }
}

/// A launch that a version's gate turns away must not be one that a body of the plug-in serves. Where those
/// begin is known until the rest of -O3 swaps the branches' ways.
fn hold_gate(
    outcome: &Outcome,
    variant: &Variant,
    r: &Reference,
    features: &mut BTreeSet<String>,
) -> Result<(), (&'static str, String)> {
    let Some(open) = outcome.gate.filter(|_| !variant.optimised) else {
        return Ok(());
    };
    let feature = match (open, outcome.served) {
        (true, true) => "gate: open, and a body serves the launch",
        (true, false) => "gate: open, and the original serves the launch",
        (false, false) => "gate: the launch is turned away",
        (false, true) => {
            let label = &r.case.label;
            return Err((
                "gate",
                format!("{label}: the gate turns away what a body serves"),
            ));
        }
    };
    features.insert(feature.into());
    Ok(())
}

/// Whether a launch loaded or stored otherwise than the original's: then the original did not run.
fn is_other_work(original: &Outcome, staged: &Outcome) -> bool {
    let (Some(a), Some(b)) = (&original.counts, &staged.counts) else {
        return false;
    };
    let work = |c: &Counts| {
        let arrays = c.arrays.iter();
        let work = arrays.map(|x| (x.name.clone(), x.loads, x.stores));
        work.collect::<Vec<_>>()
    };
    work(a) != work(b)
}

/// A copy takes every element between the lowest and the highest that its block reads, so also some that
/// nobody of the block uses and that another block may be writing. That is only right if they are really
/// not used: then the order of the blocks makes no difference.
fn unused_or_wrong(
    program: &mut Program,
    r: &Reference,
    features: &mut BTreeSet<String>,
) -> Result<(), (&'static str, String)> {
    for schedule in [
        Schedule::Forward,
        Schedule::Reverse,
        Schedule::Blocks(5),
        Schedule::Blocks(6),
    ] {
        let outcome =
            run(program, r.case, schedule, Checks::Full).map_err(|e| ("refused", e.to_string()))?;
        compare(
            &format!(
                "{} {schedule:?}, other blocks write what is copied",
                r.case.label
            ),
            &r.outcome,
            &outcome,
        )?;
    }
    features.insert("run: copied what another block writes, without using it".into());
    Ok(())
}

fn compare(at: &str, want: &Outcome, got: &Outcome) -> Result<(), (&'static str, String)> {
    if let Some(r) = got.reports.iter().find(|r| r.defect != Defect::BlockRace) {
        return Err(("report", format!("{at}: {r}")));
    }
    for a in &want.buffers {
        // By name: arrays of the module that are not set come in another place.
        let Some(b) = got.buffers.iter().find(|b| b.name == a.name) else {
            return Err(("bits", format!("{at}: {} is not there", a.name)));
        };
        if a.bytes == b.bytes {
            continue;
        }
        let size = a.ty.size() as usize;
        let differs: Vec<usize> = a
            .bytes
            .chunks(size)
            .zip(b.bytes.chunks(size))
            .enumerate()
            .filter(|(_, (x, y))| x != y && !both_nan(a.ty, x, y))
            .map(|(n, _)| n)
            .collect();
        if let Some(first) = differs.first() {
            let show = |o: &mesi_oracle::Output| {
                format!("{:02x?}", &o.bytes[first * size..(first + 1) * size])
            };
            return Err((
                "bits",
                format!(
                    "{at}: {}[{first}] is {} in the original and {} after; {} elements differ",
                    a.name,
                    show(a),
                    show(b),
                    differs.len()
                ),
            ));
        }
    }
    Ok(())
}

/// Which NaN an operation gives is not defined.
fn both_nan(ty: mesi_launch::ElemType, a: &[u8], b: &[u8]) -> bool {
    let bits = |x: &[u8]| x.iter().rev().fold(0_u64, |v, b| v << 8 | u64::from(*b));
    let nan = |x: &[u8]| match ty {
        mesi_launch::ElemType::F16 => bits(x) & 0x7fff > 0x7c00,
        mesi_launch::ElemType::F32 => f32::from_bits(bits(x) as u32).is_nan(),
        mesi_launch::ElemType::F64 => f64::from_bits(bits(x)).is_nan(),
        _ => false,
    };
    nan(a) && nan(b)
}
