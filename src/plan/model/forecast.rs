//! Predictions for typical launches, and whether they are enough to take a plan.
//!
//! A plan is taken if two sizes gain, the largest that its tiles hold, each at its own trip count
//! and at every trip count from `least_trip` on; and if launches that its facts turn away lose
//! nothing to what both bodies share, or far less than the others gain.

use super::super::analyses::Analyses;
use super::super::data::{Plan, Region};
use super::super::extent::{self, MaxBlock};
use super::known::Known;
use super::launch::Launch;
use super::{Prediction, Shape, ask};
use crate::affine::Atom;
use crate::machine::target::Target;
use crate::machine::tuning::forecast::{HARMLESS, LARGE_GAIN, MARGIN, QUERIED, SIZES, TRIPS};
use crate::tree::LoopId;
use std::fmt;

/// What typical launches gain, and from which trip count on.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// The sizes that the tiles hold, largest first.
    pub sizes: Vec<Prediction>,
    /// The loop that the gain depends on, and the trip count from which on all sizes gain enough: a
    /// fact to test at the entry. `None`: there is no such loop, or no such count.
    pub least_trip: Option<(LoopId, i64)>,
    /// The least gain of a launch that the facts turn away; 1 where none is.
    pub rejected_gain: f64,
    /// Whether it is enough.
    worth: bool,
}

impl Forecast {
    /// The prediction for the largest size.
    pub fn large(&self) -> Option<&Prediction> {
        self.sizes.first()
    }
}

impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(p) = self.large() else {
            return f.write_str("no typical launch fits");
        };
        write!(f, "{p}")?;
        match (self.worth, self.least_trip) {
            (true, Some((l, n))) => write!(f, ", worth it where {l} runs {n} times"),
            (true, None) => f.write_str(", worth it"),
            (false, _) => f.write_str(", not worth it"),
        }
    }
}

/// Whether to take a plan: unsure means hands off. Where it says yes, `least_trip` must be tested.
pub fn verdict(forecast: &Forecast) -> bool {
    forecast.worth
}

/// Predicts typical launches of one version of a plan. Alternatives are asked about one by one.
pub fn forecast(f: &Analyses, plan: &Plan, target: &Target, shape: Shape) -> Forecast {
    let reads = extent::thread_dimensions(f.affine);
    let cap = MaxBlock::choices(f.kernel, reads)[0];
    let block = cap.typical(reads).map(|n| n as f64);
    let known = Known::of(f);
    let at = |size: f64, trip: Option<(LoopId, f64)>| {
        let launch = Launch::typical(f, block, size, trip);
        ask(f, plan, target, shape, &launch, known)
    };
    let all: Vec<(f64, Prediction)> = SIZES.iter().map(|s| (*s, at(*s, None))).collect();
    let (held, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, p)| p.serves);
    let rejected_gain = others.iter().map(|(_, p)| p.gain()).fold(1.0, f64::min);
    let (requested, sizes): (Vec<f64>, Vec<Prediction>) = held.into_iter().take(QUERIED).unzip();
    let gains = |p: &Prediction| p.gain() >= MARGIN;
    let mut least_trip = None;
    let mut worth = !sizes.is_empty() && sizes.iter().all(gains);
    if let Some(l) = decisive_loop(f, plan) {
        let mut points: Vec<(f64, bool)> = Vec::new();
        for s in &requested {
            let own = Launch::typical(f, block, *s, None).trip(l);
            for t in TRIPS.into_iter().chain([own]) {
                let p = at(*s, Some((l, t)));
                points.extend(p.serves.then(|| (t, gains(&p))));
            }
        }
        let all_gain = |t: &&f64| points.iter().all(|(x, gain)| x < *t || *gain);
        let held = |t: &&f64| points.iter().any(|(x, _)| x >= *t);
        let least = TRIPS.iter().filter(held).find(all_gain);
        least_trip = least.map(|t| (l, *t as i64));
        worth = least_trip.is_some();
    }
    let much = sizes.iter().all(|p| p.gain() >= LARGE_GAIN);
    Forecast {
        sizes,
        least_trip,
        rejected_gain,
        worth: worth && (rejected_gain >= HARMLESS || much),
    }
}

/// Whether the entry can tell between what limits a loop's trip count lies: those of the loops it depends on are
/// known, too.
fn has_range(f: &Analyses, l: LoopId) -> bool {
    let known = |a: Atom| match a {
        Atom::Iter(x) | Atom::Trip(x) => has_range(f, x),
        _ => true,
    };
    let trip = f.affine.trips[l.index()].as_ref();
    trip.is_ok_and(|t| !t.span.any(|a| !known(a)) && !t.step.any(|a| !known(a)))
}

/// The first loop of a region whose trip count only the launch knows.
fn decisive_loop(f: &Analyses, plan: &Plan) -> Option<LoopId> {
    let unknown = |l: &LoopId| {
        let trip = f.affine.uniform_trip(*l);
        trip.is_some_and(|t| t.span.as_constant().is_none()) && has_range(f, *l)
    };
    let contained = |r: &Region| -> Vec<LoopId> {
        let all = f.tree.loop_ids();
        all.filter(|l| f.tree.contains(r.node, f.tree.loop_(*l).node))
            .collect()
    };
    let strip = plan.regions.iter().find_map(|r| r.strip.map(|s| s.loop_));
    strip
        .filter(|l| unknown(l))
        .or_else(|| plan.regions.iter().flat_map(contained).find(|l| unknown(l)))
}
