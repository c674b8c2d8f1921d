//! Asks the oracle whether a mutant differs from the original.

use std::collections::BTreeSet;
use std::fmt;

use anyhow::Result;
use mesi_launch::Case;
use mesi_oracle::{Defect, Difference, Kernel, Program, Reference, Schedule};

/// Loop iterations, summed over threads, after which a mutant's launch counts as endless. The
/// corpus's small cases take a thousandth of it.
pub(crate) const FUEL: i64 = 20_000_000;

/// How the oracle noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kill {
    /// A buffer's contents.
    Bits,
    /// An access outside its array.
    OutOfBounds,
    /// A race, within a block, between blocks or with a `cp.async`.
    Race,
    /// Unwritten shared bytes that matter.
    Uninitialised,
    /// A barrier or warp primitive not reached by all.
    Divergence,
    /// An address less aligned than its access.
    Misaligned,
    /// An integer division without a result.
    Division,
    /// Unwritten shared bytes that are read to no effect, by a body that was clean of that before.
    Unread,
    /// No end within the budget.
    Endless,
    /// The host turns away what a version serves.
    Away,
    /// The host lets in what none does.
    Vain,
    /// Anything else the oracle reports.
    Other,
}

impl fmt::Display for Kill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kill::Bits => "bits",
            Kill::OutOfBounds => "oob",
            Kill::Race => "race",
            Kill::Uninitialised => "uninit",
            Kill::Divergence => "divergence",
            Kill::Misaligned => "misaligned",
            Kill::Division => "division",
            Kill::Unread => "unread",
            Kill::Endless => "endless",
            Kill::Away => "away",
            Kill::Vain => "vain",
            Kill::Other => "other",
        })
    }
}

/// Everything the oracle has against a mutant in the first case that shows anything.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// Ways it was noticed; empty if it survived.
    pub kills: BTreeSet<Kill>,
    /// Number of the case.
    pub case: usize,
    /// The first difference, in the oracle's words.
    pub first: String,
}

impl Verdict {
    /// Whether the oracle noticed nothing.
    pub fn survived(&self) -> bool {
        self.kills.is_empty()
    }
}

fn kill(difference: &Difference) -> Kill {
    let Difference::NewReport { report, .. } = difference else {
        return Kill::Bits;
    };
    match report.defect {
        Defect::OutOfBounds => Kill::OutOfBounds,
        Defect::WriteWriteRace
        | Defect::ReadWriteRace
        | Defect::BlockRace
        | Defect::CopyRace
        | Defect::OrderDependent => Kill::Race,
        Defect::Uninitialised => Kill::Uninitialised,
        Defect::BarrierDivergence | Defect::WarpDivergence => Kill::Divergence,
        Defect::Misaligned => Kill::Misaligned,
        Defect::UndefinedDivision => Kill::Division,
        Defect::Endless => Kill::Endless,
        _ => Kill::Other,
    }
}

/// Schedules in the order tried: most mutants show under the first.
const SCHEDULES: [&[Schedule]; 2] = [&[Schedule::Forward], &[Schedule::Reverse, Schedule::Warps]];

/// The original of a kernel, and the launches on which mutants are compared with it.
pub struct Judge {
    original: Program,
    cases: Vec<Case>,
    /// What the original gave, by schedules and case, once it was asked for.
    references: [Vec<Option<Reference>>; 2],
    /// Whether reading unwritten shared bytes to no effect counts.
    notes_count: bool,
}

impl Judge {
    /// Takes the original's text.
    pub fn new(file: &str, text: &str, kernel: Kernel, cases: Vec<Case>) -> Result<Judge> {
        let mut original = Program::parse(file, text.as_bytes(), kernel)?;
        original.set_quick(true);
        let references = SCHEDULES.map(|_| cases.iter().map(|_| None).collect());
        Ok(Judge {
            original,
            cases,
            references,
            notes_count: true,
        })
    }

    /// Judges the unbroken body. Where it reads unwritten bytes to no effect, mutants may, too.
    pub fn judge_unbroken(&mut self, text: &str, kernel: Kernel) -> Result<Verdict> {
        let verdict = self.judge(text, kernel, 0)?;
        self.notes_count = verdict.kills != BTreeSet::from([Kill::Unread]);
        match self.notes_count {
            true => Ok(verdict),
            false => Ok(Verdict::default()),
        }
    }

    /// Compares a mutant with the original, one schedule over all cases before the others, until
    /// something shows. `first`: the case to begin with.
    pub fn judge(&mut self, text: &str, kernel: Kernel, first: usize) -> Result<Verdict> {
        let mut mutant = Program::parse("mutant.ll", text.as_bytes(), kernel)?;
        mutant.fuel = FUEL;
        mutant.set_quick(true);
        let count = self.cases.len();
        let mut unread = None;
        for (phase, schedules) in SCHEDULES.into_iter().enumerate() {
            for k in 0..count {
                let case = (first + k) % count;
                let slot = &mut self.references[phase][case];
                let reference = match slot {
                    Some(r) => r,
                    None => slot.insert(Reference::new(
                        &mut self.original,
                        &self.cases[case],
                        schedules,
                    )?),
                };
                let (differences, notes) = reference.diff_noting(&mut mutant)?;
                if let Some(one) = differences.first() {
                    return Ok(Verdict {
                        kills: differences.iter().map(kill).collect(),
                        case,
                        first: one.to_string(),
                    });
                }
                if let Some(note) = notes.first().filter(|_| self.notes_count) {
                    unread.get_or_insert(Verdict {
                        kills: BTreeSet::from([Kill::Unread]),
                        case,
                        first: format!("to no effect: {note}"),
                    });
                }
            }
        }
        Ok(unread.unwrap_or_default())
    }
}
