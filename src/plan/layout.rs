//! Places tiles in the kernel's shared buffer and decides what fits.
//!
//! A region's tiles live while it runs: an inner region's come after those of the region around
//! it, and regions that run one after the other use the same bytes, a barrier between them. Tiles
//! of a size known only at run time follow all others; the entry tests that they fit.

use super::analyses::Analyses;
use super::context::Context;
use super::data::{
    PipelineMode, Prospect, Region, SingleBuffered, StagedAt, Stretch, Strip, TileId, TilePlace,
    Trait,
};
use super::extent::MaxBlock;
use super::facts::Facts;
use super::overlap::{self, Cut};
use super::tile::{self, Draft};
use super::{extent, stores, stretch};
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::missed::Missed;
use crate::tree::LoopId;

/// Alignment of tiles.
const ALIGN: u32 = 16;

/// Placed regions.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// In tree order, outer before inner.
    pub regions: Vec<Region>,
    /// Facts of the tiles and of the run-time area.
    pub facts: Facts,
    /// Bytes of the buffer.
    pub bytes: u32,
}

/// Lays out `chosen` with strips cut as `cut` says in at most `budget` bytes. `Ok(None)`: it cannot
/// have the depth it must have.
pub fn lay_out(
    context: &Context,
    chosen: &[&Prospect],
    cut: Cut,
    budget: u32,
) -> Result<Option<Layout>, Missed> {
    let f = context.f;
    let places = places_of(f, chosen);
    let mut out = Layout::default();
    let mut ends: Vec<u32> = Vec::new();
    let mut drafts: Vec<Vec<Draft>> = Vec::new();
    let mut strips: Vec<(Option<Strip>, Option<Stretch>)> = Vec::new();
    for (i, (node, strip)) in places.iter().enumerate() {
        let start = (0..i)
            .filter(|j| f.tree.contains(places[*j].0, *node))
            .map(|j| ends[j])
            .max()
            .unwrap_or(0);
        let here = at(chosen, (*node, *strip), cut);
        let over = lying_over(f, &here);
        let left = budget.saturating_sub(start);
        let Some((cut, grown)) = with_stretch(context, &here, (*strip, cut), left) else {
            return Ok(None);
        };
        let place = (*strip, cut, grown.as_ref());
        let (mut mine, mut end) = drafts_of(context, (&here, &over), place, start, &mut out.facts)?;
        let slots = mine.iter().filter(|d| !d.tile.only_stores());
        let bytes = slots
            .map(|d| d.bytes.unwrap_or(0).next_multiple_of(ALIGN))
            .sum();
        let strip = strip.map(|l| pipelined(f, l, &mut mine, cut, bytes));
        if strip.is_some_and(|s| cut.must && s.depth == 1) {
            return Ok(None);
        }
        if let Some(s) = &grown {
            end = start + s.area;
            share_area(s, &mine, &mut out.facts);
        } else {
            let more = strip.map_or(0, |s| s.slot * (s.depth - 1));
            for d in mine.iter_mut().filter(|d| d.tile.only_stores()) {
                d.tile.place = TilePlace::At(d.tile.place.offset() + more);
            }
            end += more;
        }
        ends.push(end);
        strips.push((strip, grown));
        drafts.push(mine);
    }
    out.bytes = ends.iter().copied().max().unwrap_or(0);
    let (need, left) = (out.bytes, budget);
    if need > left {
        return Err(Missed::OverBudget { need, left });
    }
    place_runtime(f, &places, &mut drafts, &mut out, budget)?;
    out.regions = regions(&places, drafts, chosen, &strips);
    Ok(Some(out))
}

/// Where `chosen` are staged, in tree order, outer before inner.
fn places_of(f: &Analyses, chosen: &[&Prospect]) -> Vec<StagedAt> {
    let mut places: Vec<StagedAt> = chosen.iter().map(|c| c.place).collect();
    let preorder = preorder(f);
    // A whole region stands outside the strips of the same loop.
    crate::order::sort_by_key(&mut places, |(n, s)| (preorder[n.index()], s.is_some()));
    places.dedup();
    places
}

/// What is staged at a place, in the order of its tiles.
fn at<'c>(chosen: &[&'c Prospect], place: StagedAt, cut: Cut) -> Vec<&'c Prospect> {
    let here = chosen.iter().filter(|c| c.place == place);
    let mut here: Vec<&Prospect> = here.copied().collect();
    if cut.depth > 1 && place.1.is_some() {
        here.sort_by_key(|c| c.is(Trait::OnlyStores));
    }
    here
}

/// How what is staged at one place is cut, and stretched where it is not waited for. `None`: it cannot have the depth
/// it must have.
fn with_stretch(
    context: &Context,
    here: &[&Prospect],
    (strip, cut): (Option<LoopId>, Cut),
    room: u32,
) -> Option<(Cut, Option<Stretch>)> {
    if !cut.stretch || strip.is_none() {
        return Some((cut, None));
    }
    // What is read and written in one tile is waited for, and so is what is only written.
    let only_stores = |c: &&Prospect| c.is(Trait::OnlyStores);
    let stays = |c: &&Prospect| c.is(Trait::WrittenBack) && !only_stores(c);
    if here.iter().any(stays) || here.iter().all(only_stores) {
        return Some((waited(context, here, cut, room), None));
    }
    let s = stretched(context, here, cut, room)?;
    let shortest = &s.ways[s.ways.len() - 1];
    let cut = Cut {
        length: shortest.length,
        depth: shortest.depth,
        ..cut
    };
    Some((cut, Some(s)))
}

/// The tiles of one place, one behind the other from `start`, and where they end. `over`: in whose slots each lies.
fn drafts_of(
    context: &Context,
    (here, over): (&[&Prospect], &[Option<usize>]),
    (strip, cut, grown): (Option<LoopId>, Cut, Option<&Stretch>),
    start: u32,
    facts: &mut Facts,
) -> Result<(Vec<Draft>, u32), Missed> {
    let mut end = start;
    let mut mine = Vec::new();
    // Where each thread has a row of its own, the rows of tiles that all read are read by transactions as well.
    let walked = cut.wide && strip.is_none() && here.iter().any(|c| c.has_own_rows());
    let longest = grown.map(|s| s.ways[0].length);
    for c in here {
        let of = context.candidate(c);
        let mut d = tile::build(context.f, of, walked, (&cut, longest))?;
        facts.extend(&of.legal.facts);
        facts.extend(&d.facts);
        if grown.is_some() {
            d.tile.place = TilePlace::Behind {
                after: TileId(0),
                area: start,
                over: over[mine.len()],
            };
            d.bytes = Some(0);
        } else if let Some(bytes) = d.bytes {
            d.tile.place = TilePlace::At(end);
            end = end.saturating_add(bytes.next_multiple_of(ALIGN));
        }
        mine.push(d);
    }
    Ok((mine, end))
}

/// What stretched tiles of one place ask for in common: they lie one behind the other at run time.
fn share_area(s: &Stretch, mine: &[Draft], facts: &mut Facts) {
    if mine.iter().any(|d| d.tile.place.over().is_some()) {
        // Threads that differ in nothing that the tile knows would read what others stored.
        let layers = Poly::atom(Atom::Ntid(Dim::Y)).times(&Poly::atom(Atom::Ntid(Dim::Z)));
        facts.add_range(&layers, 1, 1);
    }
    let last = &s.ways[s.ways.len() - 1];
    facts.add_range(&last.bytes(), i64::from(i32::MIN), i64::from(s.area));
}

/// In the slots of which of `here` each of them may lie, if any; no two of them in the same.
fn lying_over(f: &Analyses, here: &[&Prospect]) -> Vec<Option<usize>> {
    let mut out: Vec<Option<usize>> = Vec::new();
    for c in here {
        let found = c.is(Trait::OnlyStores).then(|| stores::over(f, here, c));
        let found = found.flatten().filter(|k| !out.contains(&Some(*k)));
        out.push(found);
    }
    out
}

/// How the strips of a region are fetched: with as many slots of `bytes` as `cut`
/// wants, if the region allows it.
fn pipelined(f: &Analyses, loop_: LoopId, drafts: &mut [Draft], cut: Cut, bytes: u32) -> Strip {
    let waited_strip = Strip::waited(loop_, cut.length);
    if cut.depth == 1 {
        return waited_strip;
    }
    let sized = drafts.iter().all(|d| d.bytes.is_some());
    let why = match drafts.iter().all(|d| d.tile.only_stores()) {
        _ if !sized => Some(SingleBuffered::RuntimeSize),
        true => Some(SingleBuffered::Written),
        false => drafts.iter().find_map(|d| d.waits),
    };
    if why.is_some() {
        return Strip {
            pipeline: PipelineMode::Waited(why),
            ..waited_strip
        };
    }
    let (pipeline, depth) = overlap::pipeline(f, cut.depth);
    if cut.wide && pipeline == PipelineMode::Async {
        for d in drafts.iter_mut() {
            d.tile.widths = std::mem::take(&mut d.widths);
        }
    }
    Strip {
        depth,
        slot: bytes,
        pipeline,
        ..waited_strip
    }
}

/// The tile of a candidate where strips are cut so.
fn draft(context: &Context, c: &Prospect, cut: &Cut) -> Result<Draft, Missed> {
    tile::build(context.f, context.candidate(c), false, (cut, None))
}

/// The longest strips of a region that is written back, and so waited for, in `budget` bytes.
fn waited(context: &Context, here: &[&Prospect], cut: Cut, budget: u32) -> Cut {
    let single = Cut {
        depth: 1,
        stretch: false,
        ..cut
    };
    let is_within_budget = |cut: &Cut| {
        let size = |c: &&Prospect| draft(context, c, cut).ok()?.bytes;
        let sum = here.iter().map(size).try_fold(0, |sum, b| Some(sum + b?));
        sum.is_some_and(|b| b <= budget)
    };
    let lengths = crate::machine::tuning::stretch::LENGTHS.into_iter().rev();
    let mut all = lengths.map(|length| Cut { length, ..single });
    all.find(is_within_budget).unwrap_or(single)
}

/// How strips of the region of `here` grow; `None`: not at all.
fn stretched(context: &Context, here: &[&Prospect], cut: Cut, budget: u32) -> Option<Stretch> {
    let over = lying_over(context.f, here);
    let slot = |length: u32| {
        // Rows are whole transactions.
        if here
            .iter()
            .any(|c| i64::from(length) < stretch::transaction_cells(c.size))
        {
            return None;
        }
        let cut = Cut { length, ..cut };
        let (mut slot, mut stores) = (Poly::default(), Poly::default());
        for (c, over) in here.iter().zip(&over) {
            if over.is_some() {
                continue;
            }
            let sum = if c.is(Trait::OnlyStores) {
                &mut stores
            } else {
                &mut slot
            };
            let d = draft(context, c, &cut);
            // Each tile begins at a multiple of 16.
            let size = d.ok()?.size;
            let slack = if size.content() % i64::from(ALIGN) == 0 {
                0
            } else {
                ALIGN
            };
            *sum = sum.plus(&size).plus(&Poly::constant(i64::from(slack)));
        }
        Some((slot, stores))
    };
    let written = here.iter().any(|c| c.is(Trait::OnlyStores));
    stretch::stretch(budget, context.f.kernel.max_threads, written, slot)
}

/// Carves the run-time area; only one of nested regions may use it.
fn place_runtime(
    f: &Analyses,
    places: &[StagedAt],
    drafts: &mut [Vec<Draft>],
    out: &mut Layout,
    budget: u32,
) -> Result<(), Missed> {
    let grows = |ds: &[Draft]| ds.iter().any(|d| d.bytes.is_none());
    for i in 0..places.len() {
        let nested = (0..i).any(|j| f.tree.contains(places[j].0, places[i].0) && grows(&drafts[j]));
        if grows(&drafts[i]) && nested {
            return Err(Missed::UnboundedTile);
        }
    }
    let fixed = out.bytes;
    let area = (budget - fixed) / ALIGN * ALIGN;
    for ds in drafts.iter_mut().filter(|ds| grows(ds)) {
        if area < 1024 {
            return Err(Missed::OverBudget {
                need: 1024,
                left: area,
            });
        }
        let mut total = Poly::default();
        for d in ds.iter_mut().filter(|d| d.bytes.is_none()) {
            d.tile.place = TilePlace::Behind {
                after: TileId(0),
                area: fixed,
                over: None,
            };
            total = total.plus(&d.size).plus(&Poly::constant(i64::from(ALIGN)));
        }
        // What grows with the block alone has a largest size; more need not be reserved, where it may take blocks from
        // a multiprocessor.
        let most = match f.kernel.threads {
            Some(block) => extent::at_cap(&total, MaxBlock(block)),
            None => extent::at_any_block(&total, f.kernel.max_threads),
        };
        let area = most.map_or(area, |m| area.min((m as u32).next_multiple_of(ALIGN)));
        out.facts
            .add_range(&total, i64::from(i32::MIN), i64::from(area));
        out.bytes = out.bytes.max(fixed + area);
    }
    Ok(())
}

/// Numbers the tiles and links those of run-time size.
fn regions(
    places: &[StagedAt],
    drafts: Vec<Vec<Draft>>,
    chosen: &[&Prospect],
    strips: &[(Option<Strip>, Option<Stretch>)],
) -> Vec<Region> {
    let mut next = 0;
    let mut out = Vec::new();
    for (i, ((node, strip), ds)) in places.iter().zip(drafts).enumerate() {
        let mut tiles = Vec::new();
        let mut before: Option<TileId> = None;
        for d in ds {
            let mut t = d.tile;
            t.id = TileId(next);
            next += 1;
            if let TilePlace::Behind { after, .. } = &mut t.place {
                *after = before.unwrap_or(t.id);
                before = Some(t.id);
            }
            tiles.push(t);
        }
        let holds = |what| (chosen.iter()).any(|c| c.place == (*node, *strip) && c.is(what));
        out.push(Region {
            node: *node,
            strip: strips[i].0,
            stretch: strips[i].1.clone(),
            tiles,
            barrier_before: holds(Trait::BarrierBefore),
            barrier_after: holds(Trait::BarrierAfter),
            whole_async: false,
        });
    }
    out
}

/// Position of each node in a walk that visits parents first.
fn preorder(f: &Analyses) -> Vec<usize> {
    use crate::tree::Node;
    let mut order = vec![0; f.tree.nodes.len()];
    let mut work = vec![f.tree.root];
    let mut n = 0;
    while let Some(x) = work.pop() {
        order[x.index()] = n;
        n += 1;
        match f.tree.node(x) {
            Node::Seq(c) => work.extend(c.iter().rev()),
            Node::If {
                then, otherwise, ..
            } => work.extend([*otherwise, *then]),
            Node::Loop(l) => work.push(f.tree.loop_(*l).body),
            _ => {}
        }
    }
    order
}
