//! Ways to break a version's gate, or what it is asked: what the host may then launch is held against the plan (`host_launches.rs`).
//!
//! A mutant is noticed where it turns away a launch that the version serves, or lets in one in vain that the gate turns away. The version
//! tests itself, so bits are right either way; the host must still not launch what it may not.

use anyhow::{Result, bail};

use crate::host_launches::{Launch, Subject};
use crate::judge::{Kill, Verdict};
use crate::matrix::Mutant;

/// One way to break a gate.
pub struct GateMutation {
    /// Short name.
    pub name: &'static str,
    /// What is wrong with a mutant.
    pub what: &'static str,
    edit: Edit,
}

/// How it is made.
enum Edit {
    /// The gate's answer.
    Answer(fn(bool) -> bool),
    /// What is asked, at the place with this number; `false`: there is none.
    Query(fn(&mut Launch, usize) -> bool),
    /// A line of its text; `None`: not this one.
    Line(fn(&str) -> Option<String>),
}

/// The list.
pub const ALL: &[GateMutation] = &[
    GateMutation {
        name: "gate-open",
        what: "every launch is let in",
        edit: Edit::Answer(|_| true),
    },
    GateMutation {
        name: "gate-shut",
        what: "no launch is let in",
        edit: Edit::Answer(|_| false),
    },
    GateMutation {
        name: "gate-inverted",
        what: "what is served is turned away",
        edit: Edit::Answer(|yes| !yes),
    },
    GateMutation {
        name: "gate-grid-for-block",
        what: "grid and block change places",
        edit: Edit::Query(|l, n| {
            l.shape.rotate_left(3);
            n == 0
        }),
    },
    GateMutation {
        name: "gate-x-for-y",
        what: "two dimensions of grid or block change places",
        edit: Edit::Query(|l, n| {
            l.shape.swap(3 * n % 6, (3 * n + 1) % 6);
            n < 2
        }),
    },
    GateMutation {
        name: "gate-argument-next",
        what: "an argument is taken for the one behind it",
        edit: Edit::Query(|l, n| {
            let next = l.arguments.get(n + 1).copied();
            next.map(|p| l.arguments[n] = p).is_some()
        }),
    },
    GateMutation {
        name: "gate-argument-bytes",
        what: "an argument is read four bytes further on",
        edit: Edit::Query(|l, n| {
            let place = l.arguments.get_mut(n);
            place.map(|p| *p = p.wrapping_byte_add(4)).is_some()
        }),
    },
    GateMutation {
        name: "gate-compare-inverted",
        what: "a comparison is the other way round",
        edit: Edit::Line(compare_inverted),
    },
    GateMutation {
        name: "gate-constant-short",
        what: "a limit loses all but its low 8 bits",
        edit: Edit::Line(|l| limit(l, |c| c & 0xff)),
    },
    GateMutation {
        name: "gate-limit-twice",
        what: "a limit is twice as large",
        edit: Edit::Line(|l| limit(l, |c| c * 2)),
    },
    GateMutation {
        name: "gate-test-dropped",
        what: "a test is taken to hold",
        edit: Edit::Line(|l| way(l, 1)),
    },
    GateMutation {
        name: "gate-test-failed",
        what: "a test is taken not to hold",
        edit: Edit::Line(|l| way(l, 2)),
    },
];

/// A comparison with its outcome turned around, if the line is one.
pub fn compare_inverted(line: &str) -> Option<String> {
    let (before, after) = line.split_once(" = icmp ")?;
    let (predicate, operands) = after.split_once(' ')?;
    let other = match predicate {
        "eq" => "ne",
        "ne" => "eq",
        "sle" => "sgt",
        "sgt" => "sle",
        "slt" => "sge",
        "sge" => "slt",
        "ule" => "ugt",
        "ugt" => "ule",
        "ult" => "uge",
        "uge" => "ult",
        _ => return None,
    };
    Some(format!("{before} = icmp {other} {operands}"))
}

/// A comparison with another constant, if that differs.
pub fn limit(line: &str, other: fn(i64) -> i64) -> Option<String> {
    let (before, after) = line.split_once(" = icmp ")?;
    let (head, operands) = after.splitn(3, ' ').nth(2).map(|o| {
        let head = &after[..after.len() - o.len()];
        (head, o)
    })?;
    let changed = |o: &str| {
        let c: i64 = o.parse().ok()?;
        (other(c) != c).then(|| other(c).to_string())
    };
    let (a, b) = operands.split_once(", ")?;
    let operands = match (changed(a), changed(b)) {
        (Some(a), _) => format!("{a}, {b}"),
        (None, Some(b)) => format!("{a}, {b}"),
        (None, None) => return None,
    };
    Some(format!("{before} = icmp {head}{operands}"))
}

/// A branch that always goes one of its ways.
pub(crate) fn way(line: &str, which: usize) -> Option<String> {
    let rest = line.trim_start().strip_prefix("br i1 ")?;
    let label = rest.split(", ").nth(which)?;
    Some(format!("  br {label}"))
}

/// What a mutant says of each launch; `None`: there is no such place.
fn verdicts(subject: &Subject, edit: &Edit, place: usize) -> Result<Option<Vec<bool>>> {
    match edit {
        Edit::Answer(other) => {
            let all = subject.verdicts(&subject.text, |_| {})?;
            Ok((place == 0).then(|| all.into_iter().map(other).collect()))
        }
        Edit::Query(change) => {
            let there = std::cell::Cell::new(true);
            let all = subject.verdicts(&subject.text, |l| {
                there.set(change(l, place) && there.get());
            })?;
            Ok(there.get().then_some(all))
        }
        Edit::Line(change) => {
            let lines: Vec<&str> = subject.text.lines().collect();
            let mut places = lines.iter().enumerate();
            let mut places = places.by_ref().filter_map(|(i, l)| Some((i, change(l)?)));
            let Some((at, changed)) = places.nth(place) else {
                return Ok(None);
            };
            let mut lines = lines.clone();
            lines[at] = &changed;
            subject.verdicts(&lines.join("\n"), |_| {}).map(Some)
        }
    }
}

/// A kernel's gate, and what it says unbroken.
pub struct Judged {
    subject: Subject,
    says: Vec<bool>,
}

impl Judged {
    /// Asks the unbroken gate, which must let in what a version serves.
    pub fn new(subject: Subject) -> Result<Judged> {
        let says = subject.verdicts(&subject.text, |_| {})?;
        for ((case, served), yes) in subject.launches.iter().zip(&says) {
            if *served && !yes {
                bail!(
                    "{} is wrong without a mutation: {} is turned away",
                    subject.kernel,
                    case.label
                );
            }
        }
        Ok(Judged { subject, says })
    }

    /// The mutant at `place`; `None`: there is no such place.
    pub fn mutant(&self, mutation: &GateMutation, place: usize) -> Result<Option<Mutant>> {
        let Some(all) = verdicts(&self.subject, &mutation.edit, place)? else {
            return Ok(None);
        };
        let mut verdict = Verdict::default();
        let launches = self.subject.launches.iter().enumerate();
        for ((number, (case, served)), (says, said)) in launches.zip(all.iter().zip(&self.says)) {
            let kill = match (served, says, said) {
                (true, false, _) => Kill::Away,
                (false, true, false) => Kill::Vain,
                _ => continue,
            };
            if verdict.kills.is_empty() {
                verdict.case = number;
                verdict.first = format!("{}: {kill}", case.label);
            }
            verdict.kills.insert(kill);
        }
        Ok(Some(Mutant {
            kernel: self.subject.kernel.clone(),
            place,
            verdict,
        }))
    }

    /// All mutants of a mutation, up to `limit`.
    pub fn mutants(&self, mutation: &GateMutation, limit: usize) -> Result<Vec<Mutant>> {
        let all = (0..limit).map(|n| self.mutant(mutation, n).transpose());
        all.map_while(|m| m).collect()
    }
}
