//! The text of a plan, as `print<mesi-plan>` shows it and tests read it.

use super::analyses::Analyses;
use super::data::{
    ActiveSet, Fact, Footprint, KernelPlan, LockstepPlan, Pitch, Plan, Refusal, Region, Remat,
    Tile, When,
};
use super::model::{self, Answer, Query, Shape};
use crate::access::Accesses;
use crate::affine::{Atom, Sense};
use crate::kernel::Dim;
use crate::machine::target::Target;
use std::fmt::{self, Write};

/// The whole plan, each version with what the model expects of it, and what it expects of `launches`. `host`: as in
/// [`answers`].
pub fn dump(plan: &KernelPlan, f: &Analyses, launches: &[Query], host: bool) -> String {
    let mut s = format!("plan of {}\n", f.kernel.name);
    if f.affine.interior {
        s += "  for interior blocks: clamps change nothing, ifs in loops go one way\n";
    }
    dump_version(&mut s, &plan.first, plan, f.accesses);
    dump_forecast(&mut s, &plan.first, f);
    for (i, p) in plan.alternatives.iter().enumerate() {
        let _ = writeln!(s, "  else version {}", i + 1);
        dump_version(&mut s, p, &KernelPlan::default(), f.accesses);
        dump_forecast(&mut s, p, f);
    }
    if let Some(reshape) = &plan.reshape {
        for rule in reshape.lines() {
            let _ = writeln!(s, "  launched by the host in {rule}");
        }
        let [along, up] = reshape.active;
        if let (Some(active), false) = (along, reshape.rules.is_empty()) {
            let _ = writeln!(s, "  threads of use there: {active}");
        }
        if let (Some(active), true) = (up, reshape.wide.is_some()) {
            let _ = writeln!(s, "  threads of use there along y: {active}");
        }
    }
    for l in answers(plan, f, launches, host) {
        let _ = writeln!(s, "  {l}");
    }
    s
}

/// What the model expects of launches that a user asks about.
/// `host`: the host may give them to the original beside the kernel.
pub fn answers(plan: &KernelPlan, f: &Analyses, launches: &[Query], host: bool) -> Vec<Answer> {
    let Some(target) = Target::of_sm(f.kernel.sm) else {
        return Vec::new();
    };
    let of = |l| model::answer(f, plan, target, l, host);
    launches.iter().map(of).collect()
}

fn dump_forecast(s: &mut String, plan: &Plan, f: &Analyses) {
    // The model knows nothing of how iterations wait for each other.
    let known = !plan.is_idle() && !plan.unrolls();
    if let (true, Some(target)) = (known, Target::of_sm(f.kernel.sm)) {
        let forecast = model::forecast(f, plan, target, Shape::of(plan));
        let _ = writeln!(s, "  {forecast}");
    }
}

/// A version, with what `of` says of the kernel around it.
fn dump_version(s: &mut String, plan: &Plan, of: &KernelPlan, accesses: &Accesses) {
    if let Some(m) = of.kernel_missed() {
        let _ = writeln!(s, "  not staged: {} ({m})", m.name());
    }
    for r in &of.refusals {
        if let Refusal::Merge(why) = r {
            let _ = writeln!(s, "  no merge: {why}");
        }
    }
    dump_merge(s, plan);
    if let Some(t) = plan.lockstep() {
        dump_lockstep(s, t);
    }
    if let Some(steps) = plan.steps() {
        s.push_str(&steps.dump(accesses));
        for h in steps.held() {
            let name = &accesses.array(h.array).name;
            let _ = writeln!(s, "    own cells: {} {name}, {}", h.array, h.cells);
        }
    }
    dump_loops(s, plan, &of.refusals);
    for (i, r) in plan.regions.iter().enumerate() {
        dump_region(s, i, r, accesses);
    }
    for p in plan.scalars() {
        let ids: Vec<String> = p.accesses.iter().map(ToString::to_string).collect();
        let first = if p.loads_first { ", loaded first" } else { "" };
        let _ = writeln!(s, "  register in {}: {}{first}", p.loop_, ids.join(" "));
    }
    if plan.remat.contains(&Remat::Ids) && plan.regions.iter().any(|r| r.strip.is_some()) {
        s.push_str("  ids anew\n");
    }
    if plan.remat.contains(&Remat::Floats) && plan.regions.iter().any(|r| r.strip.is_some()) {
        s.push_str("  real numbers anew\n");
    }
    for f in plan.pays() {
        let _ = writeln!(s, "  pays: {f}");
    }
    for f in plan.facts() {
        let _ = writeln!(s, "  fact: {f}");
    }
    for p in &of.whole {
        dump_whole(s, p);
    }
    if plan.shared_bytes > 0 {
        let _ = writeln!(s, "  shared: {} bytes", plan.shared_bytes);
    }
    dump_missed(s, &of.refusals, accesses);
}

/// Arrays and accesses that are left alone.
fn dump_missed(s: &mut String, refusals: &[Refusal], accesses: &Accesses) {
    for r in refusals {
        if let Refusal::Array(a, m) = r {
            let name = &accesses.array(*a).name;
            let _ = writeln!(s, "  {a} {name} not staged: {} ({m})", m.name());
        }
    }
    for r in refusals {
        if let Refusal::Access(a, m) = r {
            let _ = writeln!(s, "  {a} not staged: {} ({m})", m.name());
        }
    }
}

fn dump_merge(s: &mut String, plan: &Plan) {
    if plan.merge.replicas() > 1 {
        let [x, y, z] = plan.merge.factor;
        let along: String = Dim::ALL
            .iter()
            .filter(|d| plan.merge.consecutive[d.index()])
            .map(|d| match plan.merge.run[d.index()] {
                r if r < plan.merge.along(*d) => {
                    format!(", consecutive along {} in runs of {r}", d.letter())
                }
                _ => format!(", consecutive along {}", d.letter()),
            })
            .collect();
        let square = if plan.merge.square {
            ", warps square"
        } else {
            ""
        };
        let who = if plan.merge.compacted {
            ", the grid's first lead"
        } else {
            ""
        };
        let strips = plan.regions.iter().any(|r| r.strip.is_some());
        let spread = if strips && plan.replicas_are_disjoint() {
            ", replicas apart"
        } else {
            ""
        };
        let _ = writeln!(s, "  merge {x}x{y}x{z} blocks{along}{square}{who}{spread}");
    }
}

fn dump_lockstep(s: &mut String, t: &LockstepPlan) {
    let barriers = if t.keeps_barriers() {
        "; own barriers"
    } else {
        ""
    };
    let _ = writeln!(
        s,
        "  nothing staged: {} loads of all replicas, {} addresses{barriers}",
        t.addresses.0, t.addresses.1
    );
    if !t.loads.is_empty() {
        let ids: Vec<String> = t.loads.iter().map(ToString::to_string).collect();
        let _ = writeln!(s, "    found by address: {}", ids.join(" "));
    }
    for (a, reuse) in &t.carried {
        let _ = writeln!(s, "    {a}{reuse}");
    }
    for a in &t.at_once {
        let _ = writeln!(s, "    {a}: all replicas at once if aligned");
    }
    if let Some(part) = t.streamed {
        let _ = writeln!(s, "    {part}: plane after plane");
    }
    let guards: Vec<String> = t.guards.iter().map(ToString::to_string).collect();
    let edges = if t.at_edges { ", at edges alone" } else { "" };
    let _ = writeln!(s, "    guards: {}{edges}", guards.join(" "));
}

/// What is done to loops.
fn dump_loops(s: &mut String, plan: &Plan, refusals: &[Refusal]) {
    for r in refusals {
        if let Refusal::UnrollJam(why) = r {
            let _ = writeln!(s, "  not jammed: {why}");
        }
    }
    if let Some(a) = plan.unroll_jam() {
        let _ = writeln!(s, "  {a}");
    }
    if plan.has_scalars_only() {
        let _ = writeln!(s, "  nothing staged: sums in registers");
    }
    for r in refusals {
        if let Refusal::Unroll(why) = r {
            let _ = writeln!(s, "  not unrolled: {why}");
        }
    }
    for r in plan.unrolled() {
        let _ = writeln!(s, "  {r}");
    }
    for w in plan.wide_stores() {
        let _ = writeln!(s, "  {w}");
    }
}

fn dump_region(s: &mut String, i: usize, r: &Region, accesses: &Accesses) {
    let whole = ["whole", "whole, in pieces"][usize::from(r.whole_async)];
    let strips = r.strip.map_or(whole.to_string(), |c| {
        let more = r.stretch.iter().flat_map(|s| s.ways.split_last());
        let more = more.flat_map(|(_, better)| better.iter().rev());
        let more: String = more
            .map(|w| format!(", {} depth {} if they fit", w.length, w.depth))
            .collect();
        format!(
            "{} in strips of {}, depth {}{}{more}",
            c.loop_, c.length, c.depth, c.pipeline
        )
    });
    let before = if r.barrier_before {
        ", after a barrier"
    } else {
        ""
    };
    let after = if r.barrier_after {
        ", then a barrier"
    } else {
        ""
    };
    let _ = writeln!(s, "  region{i}: {} {strips}{before}{after}", r.node);
    r.tiles.iter().for_each(|t| dump_tile(s, t, accesses));
}

/// A plan without tiles beside those with, in one line.
fn dump_whole(s: &mut String, plan: &Plan) {
    let mut parts: Vec<String> = plan.unrolled().map(ToString::to_string).collect();
    if let Some(t) = plan.lockstep() {
        let [x, y, z] = plan.merge.factor;
        let (requested, loaded) = (t.addresses.0, t.addresses.1);
        parts.push(format!(
            "merge {x}x{y}x{z} blocks, {requested} loads of all replicas, {loaded} addresses"
        ));
    }
    parts.extend(plan.unclamped().iter().map(ToString::to_string));
    let facts: Vec<String> = plan.facts().map(ToString::to_string).collect();
    let _ = write!(s, "  whole: {}", parts.join("; "));
    if !facts.is_empty() {
        let _ = write!(s, ", where {}", facts.join(" and "));
    }
    s.push('\n');
}

fn dump_tile(s: &mut String, t: &Tile, accesses: &Accesses) {
    let name = &accesses.array(t.footprint.array).name;
    let place = match t.place.after() {
        _ if t.place.over().is_some() => "in the slots of what is read before".to_string(),
        None => format!("{} cells at byte {}", t.cells, t.place.offset()),
        Some(a) if a == t.id => format!("run-time size at byte {}", t.place.offset()),
        Some(a) => format!("run-time size after {a}"),
    };
    let clip = if t.clip_linear { ", clipped" } else { "" };
    let fill = if t.zero_fill { ", zero-filled" } else { "" };
    let _ = writeln!(
        s,
        "    {}: {} {name}, unit {}, {place}{clip}{fill}",
        t.id, t.footprint.array, t.footprint.size
    );
    let _ = writeln!(s, "      rest {}", t.footprint.rest);
    for d in &t.footprint.dims {
        let _ = writeln!(
            s,
            "      dim stride {}: {}, offsets {}..{}, extent {}, pitch {}",
            d.stride,
            sum(&d.terms),
            d.low,
            d.high,
            d.extent,
            pitch(d.pitch)
        );
    }
    if !t.widths.is_empty() {
        let _ = writeln!(
            s,
            "      copied in pieces of {:?} bytes if aligned",
            t.widths
        );
    }
    for a in &t.footprint.active {
        let _ = writeln!(s, "      reads {a}");
    }
    for w in &t.write_back {
        let _ = writeln!(s, "      writes back {w}");
    }
    let members: Vec<String> = t
        .members
        .iter()
        .map(|m| {
            format!(
                "{}{}{:?}{}",
                m.access,
                if m.is_store { " store " } else { " " },
                m.offsets,
                m.reuse.map_or(String::new(), |s| s.to_string())
            )
        })
        .collect();
    let _ = writeln!(s, "      serves {}", members.join(", "));
}

fn pitch(pitch: Pitch) -> String {
    match pitch {
        Pitch::Const(p) => p.to_string(),
        Pitch::Runtime { pad, align: 1, .. } => format!("extent inside + {pad}"),
        Pitch::Runtime { pad, align, odd } => {
            let odd = if odd { "an odd" } else { "a" };
            format!("extent inside + {pad}, {odd} multiple of {align}")
        }
    }
}

fn sum(terms: &[(Atom, i64)]) -> String {
    if terms.is_empty() {
        return "0".into();
    }
    let t: Vec<String> = terms
        .iter()
        .map(|(a, m)| {
            if *m == 1 {
                a.to_string()
            } else {
                format!("{m}*{a}")
            }
        })
        .collect();
    t.join(" + ")
}

fn sign(sense: Sense) -> &'static str {
    match sense {
        Sense::AtLeast => ">=",
        Sense::AtMost => "<=",
    }
}

impl fmt::Display for ActiveSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offsets {:?}", self.offsets)?;
        for b in &self.bounds {
            write!(f, ", {} {} {}", sum(&b.terms), sign(b.sense), b.limit)?;
        }
        for w in &self.within {
            write!(f, ", element {} {} {}", w.dim, sign(w.sense), w.limit)?;
        }
        for w in &self.when {
            match w {
                When::Is { value, wanted } => write!(f, ", when {value} is {wanted}")?,
                When::NotNegative(p) => write!(f, ", when {p} >= 0")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::InRange {
                poly,
                lo,
                hi: i64::MAX,
            } => write!(f, "{lo} <= {poly}"),
            Fact::InRange { poly, lo, hi } => write!(f, "{lo} <= {poly} <= {hi}"),
            Fact::Disjoint { a, b } => write!(f, "{a} apart from {b}"),
            Fact::DisjointHulls { a, b } => {
                let all = |list: &[Footprint]| {
                    let each: Vec<String> = list.iter().map(ToString::to_string).collect();
                    each.join(" to ")
                };
                write!(f, "{} apart from {}", all(a), all(b))
            }
            Fact::Mapped { bytes } => write!(f, "{bytes} in one allocation"),
            Fact::Multiple { poly, of } => write!(f, "{poly} is a multiple of {of}"),
        }
    }
}

impl fmt::Display for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} + {}", self.array, self.rest)?;
        for d in self.dims.iter().filter(|d| !d.terms.is_empty()) {
            write!(f, " + ({})*({})", d.stride, sum(&d.terms))?;
        }
        write!(f, " for {} bytes", self.size)
    }
}
