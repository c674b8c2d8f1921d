//! Two bodies of one kernel on the same launches: same bits, and no defect that the first one has not.
//!
//! Bytes on which the first body's own results depend on the order of its threads (its races, its atomic
//! floats) are not held against the second one. All NaNs of a float buffer count as equal: a GPU makes only
//! one, a CPU several, depending on operand order.

use std::collections::BTreeSet;
use std::fmt;

use mesi_launch::Case;

use crate::error::{Error, Result};
use crate::outcome::{self, Checks, Outcome, Output};
use crate::program::Program;
use crate::report::{Defect, Report};
use crate::run::schedule::Schedule;

/// One way in which the second body is not like the first.
#[derive(Debug, Clone)]
pub enum Difference {
    /// A buffer's contents.
    Bits {
        /// Case label and schedule.
        at: String,
        /// Buffer name.
        buffer: String,
        /// Element, counted in the buffer's type.
        element: u64,
        /// Elements that differ.
        count: u64,
        /// Values in the first and second body, printed.
        values: (String, String),
    },
    /// A defect the first body does not have.
    NewReport {
        /// Case label and schedule.
        at: String,
        /// The finding in the second body.
        report: Box<Report>,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Bits {
                at,
                buffer,
                element,
                count,
                values: (a, b),
            } => {
                write!(
                    f,
                    "{at}: {buffer}[{element}] is {a} in the first and {b} in the second; {count} elements differ"
                )
            }
            Difference::NewReport { at, report } => write!(f, "{at}: only in the second: {report}"),
        }
    }
}

/// Runs both programs over all cases and schedules.
pub fn diff(
    a: &mut Program,
    b: &mut Program,
    cases: &[Case],
    schedules: &[Schedule],
) -> Result<Vec<Difference>> {
    let mut all = Vec::new();
    for case in cases {
        all.extend(diff_case(a, b, case, schedules)?);
    }
    Ok(all)
}

/// Runs both programs on one case; the first schedule is the reference for order dependence.
pub fn diff_case(
    a: &mut Program,
    b: &mut Program,
    case: &Case,
    schedules: &[Schedule],
) -> Result<Vec<Difference>> {
    Reference::new(a, case, schedules)?.diff(b)
}

/// What one body gave on one case, for comparing several others with it.
pub struct Reference {
    case: Case,
    first: Vec<(Schedule, Outcome)>,
    known: BTreeSet<(Defect, String)>,
    unstable: Vec<Vec<bool>>,
}

impl Reference {
    /// Runs the first body; the first schedule is the reference for order dependence.
    pub fn new(a: &mut Program, case: &Case, schedules: &[Schedule]) -> Result<Reference> {
        let first = a.run_all(case, schedules, Checks::Full)?;
        let known = first
            .iter()
            .flat_map(|o| &o.reports)
            .map(|r| (r.defect, r.array.clone()))
            .collect();
        let unstable = unstable_bytes(&first);
        Ok(Reference {
            case: case.clone(),
            first: schedules.iter().copied().zip(first).collect(),
            known,
            unstable,
        })
    }

    /// Whether the first body has this defect in this array. An address in no array cannot say which it was meant for.
    fn is_known(&self, report: &Report) -> bool {
        self.known.iter().any(|(defect, array)| {
            *defect == report.defect && (*array == report.array || report.array.is_empty())
        })
    }

    /// What the first body has against it, order dependence included, with the schedule.
    pub fn reports(&self) -> impl Iterator<Item = (Schedule, &Report)> {
        let all = self.first.iter();
        all.flat_map(|(schedule, outcome)| outcome.reports.iter().map(|r| (*schedule, r)))
    }

    /// Whether the first body has this defect in any array.
    pub fn has(&self, defect: Defect) -> bool {
        self.known.iter().any(|(d, _)| *d == defect)
    }

    /// Runs another body under the same schedules.
    pub fn diff(&self, b: &mut Program) -> Result<Vec<Difference>> {
        Ok(self.diff_noting(b)?.0)
    }

    /// The same, with the other body's reads of unwritten shared bytes on which nothing depends.
    pub fn diff_noting(&self, b: &mut Program) -> Result<(Vec<Difference>, Vec<Report>)> {
        self.diff_launched(b, &self.case)
    }

    /// The same, with the other body launched as in `case`: the same arguments, and the same threads in other blocks.
    pub fn diff_launched(
        &self,
        b: &mut Program,
        case: &Case,
    ) -> Result<(Vec<Difference>, Vec<Report>)> {
        let (mut all, mut notes) = (Vec::new(), Vec::new());
        for (schedule, expected) in &self.first {
            let mut outcome = b.run(case, *schedule, Checks::Full)?;
            all.extend(self.differences(&outcome, case, (*schedule, expected)));
            notes.append(&mut outcome.notes);
        }
        Ok((all, notes))
    }

    /// [`Reference::diff`], and what the other body did under the first schedule.
    pub fn diff_seen(&self, b: &mut Program) -> Result<(Vec<Difference>, Outcome)> {
        let (mut all, mut seen) = (Vec::new(), None);
        for (schedule, expected) in &self.first {
            let outcome = b.run(&self.case, *schedule, Checks::Full)?;
            all.extend(self.differences(&outcome, &self.case, (*schedule, expected)));
            seen.get_or_insert(outcome);
        }
        let none = || Error::new("no schedule is given");
        Ok((all, seen.ok_or_else(none)?))
    }

    /// What an outcome of the other body, launched as in `case`, has against it.
    fn differences(
        &self,
        outcome: &Outcome,
        case: &Case,
        (schedule, expected): (Schedule, &Outcome),
    ) -> Vec<Difference> {
        if outcome.kept_away {
            return Vec::new();
        }
        let at = format!("{} {schedule:?}", case.label);
        let reports = outcome.reports.iter().filter(|r| !self.is_known(r));
        let new = reports.map(|report| Difference::NewReport {
            at: at.clone(),
            report: Box::new(report.clone()),
        });
        let mut all: Vec<Difference> = new.collect();
        for (n, want) in expected.buffers.iter().enumerate() {
            // Module arrays may be dropped by one of the two compiles; arguments always match.
            let same = |g: &&Output| g.name == want.name && g.bytes.len() == want.bytes.len();
            if let Some(got) = outcome.buffers.get(n).filter(same) {
                all.extend(compare(&at, want, got, &self.unstable[n]));
            }
        }
        all
    }
}

/// Per buffer and byte, whether the outcomes disagree.
fn unstable_bytes(outcomes: &[Outcome]) -> Vec<Vec<bool>> {
    let Some(first) = outcomes.first() else {
        return Vec::new();
    };
    let differs = |n: usize, i: usize| {
        outcomes
            .iter()
            .any(|o| o.buffers[n].bytes[i] != first.buffers[n].bytes[i])
    };
    first
        .buffers
        .iter()
        .enumerate()
        .map(|(n, b)| {
            if outcomes.iter().all(|o| o.buffers[n] == *b) {
                Vec::new()
            } else {
                (0..b.bytes.len()).map(|i| differs(n, i)).collect()
            }
        })
        .collect()
}

fn compare(at: &str, want: &Output, got: &Output, unstable: &[bool]) -> Option<Difference> {
    let size = want.ty.size() as usize;
    let stable = |element: usize| {
        unstable.is_empty()
            || !unstable[element * size..((element + 1) * size).min(unstable.len())].contains(&true)
    };
    let differing: Vec<usize> = want
        .bytes
        .chunks(size)
        .zip(got.bytes.chunks(size))
        .enumerate()
        .filter(|(n, (a, b))| {
            a != b && !(outcome::is_nan(want.ty, a) && outcome::is_nan(want.ty, b)) && stable(*n)
        })
        .map(|(n, _)| n)
        .collect();
    let element = *differing.first()?;
    let show = |o: &Output| outcome::value(o.ty, &o.bytes[element * size..(element + 1) * size]);
    Some(Difference::Bits {
        at: at.into(),
        buffer: want.name.clone(),
        element: element as u64,
        count: differing.len() as u64,
        values: (show(want), show(got)),
    })
}
