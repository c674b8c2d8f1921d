//! Sizes of timed launches: so large that clang's kernel should take a time that is worth measuring.
//!
//! The estimate is coarse on purpose: iterations by a rate that naive code reaches, bytes by the
//! memory's, dependent steps by a latency. It is right within a factor of three or so, which is all
//! that is needed; the plug-in's own model has no part in it.

use mesi_launch::{Expr, Scope};

use crate::draft::{Draft, Range};
use crate::random::Random;

/// The least and the longest time aimed at, in seconds.
const TIMES: [f64; 2] = [25e-6, 1.5e-3];
/// No launch has more bytes of arrays.
const MOST_BYTES: f64 = (256_u64 << 20) as f64;
/// Bytes in a second.
const MEMORY: f64 = 2e12;
/// Seconds of a dependent step.
const STEP: f64 = 12e-9;
/// Seconds of any launch.
const LEAST: f64 = 4e-6;

/// One timed launch.
#[derive(Debug, Clone)]
pub struct Launch {
    /// Each size's value, in the draft's order.
    pub sizes: Vec<(String, i64)>,
    /// Threads of a block.
    pub block: [u32; 3],
}

/// How sizes are rounded.
#[derive(Debug, Clone, Copy)]
enum Round {
    /// To a multiple of 64, or of 8 where small.
    Even,
    /// Not at all.
    No,
    /// To an odd number.
    Odd,
}

/// Two launches of a kernel, of other sizes and mostly of other blocks.
pub fn launches(random: &mut Random, draft: &Draft) -> Result<Vec<Launch>, String> {
    let first = launch(
        random,
        draft,
        0,
        &[(5, Round::Even), (3, Round::No), (2, Round::Odd)],
    )?;
    // Where memory is the limit both may be alike; then the second is drawn again.
    for _ in 0..20 {
        let other = random.below(draft.blocks.len());
        let rounds = [(2, Round::Even), (3, Round::No), (5, Round::Odd)];
        let second = launch(random, draft, other, &rounds)?;
        if second.sizes != first.sizes || second.block != first.block {
            return Ok(vec![first, second]);
        }
    }
    Err("twenty draws give no second launch".into())
}

fn launch(
    random: &mut Random,
    draft: &Draft,
    block: usize,
    rounds: &[(u32, Round)],
) -> Result<Launch, String> {
    let block = draft.blocks[block];
    let goal = random.between(TIMES[0], TIMES[1]);
    let round = random.weighted(rounds);
    // What is chosen and how square things are is drawn once, then all grows together.
    let shape: Vec<f64> = draft
        .sizes
        .iter()
        .map(|size| match &size.range {
            Range::Choice(all) => random.pick(all) as f64,
            Range::Scaled { .. } => random.between(0.6, 1.6),
        })
        .collect();
    let at = |s: f64| sizes(draft, &shape, s, round);
    let fits = |s: f64| -> Result<bool, String> {
        let sizes = at(s);
        let scope = scope(&sizes, block);
        Ok(time(draft, &scope)? <= goal && bytes(draft, &scope)? <= MOST_BYTES)
    };
    let (mut low, mut high) = (1e-6_f64, 1e6_f64);
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        if fits(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(Launch {
        sizes: at(low),
        block,
    })
}

fn sizes(draft: &Draft, shape: &[f64], s: f64, round: Round) -> Vec<(String, i64)> {
    let value = |range: &Range, shape: f64| match range {
        Range::Choice(_) => shape as i64,
        Range::Scaled { base, power, most } => {
            let exact = (base * shape * s.powf(*power)).min(*most).max(1.0) as i64;
            match round {
                Round::No => exact,
                Round::Odd => exact | 1,
                Round::Even if exact >= 256 => exact / 64 * 64,
                Round::Even if exact >= 16 => exact / 8 * 8,
                Round::Even => exact,
            }
        }
    };
    draft
        .sizes
        .iter()
        .zip(shape)
        .map(|(size, shape)| (size.name.clone(), value(&size.range, *shape)))
        .collect()
}

fn scope(sizes: &[(String, i64)], block: [u32; 3]) -> Scope {
    let axes = ["bx", "by", "bz"].into_iter().zip(block);
    let axes = axes.map(|(n, v)| (n.to_string(), i64::from(v)));
    sizes.iter().cloned().chain(axes).collect()
}

/// Seconds that clang's kernel should take.
fn time(draft: &Draft, scope: &Scope) -> Result<f64, String> {
    // What does not fit 64 bits is surely too long.
    let value = |text: &str| -> Result<f64, String> {
        Ok(Expr::parse(text)?
            .eval(scope)
            .map_or(f64::INFINITY, |v| v as f64))
    };
    let cost = &draft.cost;
    let bound = [
        value(&cost.work)? / cost.rate,
        value(&cost.bytes)? / MEMORY,
        value(&cost.serial)? * STEP,
    ];
    Ok(LEAST + bound.into_iter().fold(0.0, f64::max))
}

/// Bytes of all arrays among the parameters.
fn bytes(draft: &Draft, scope: &Scope) -> Result<f64, String> {
    fn all(params: &[crate::draft::Param], scope: &Scope) -> Result<f64, String> {
        let mut sum = 0.0;
        for param in params {
            sum += match param {
                crate::draft::Param::Array(a) => {
                    let count = Expr::parse(&a.count)?.eval(scope);
                    count.map_or(f64::INFINITY, |c| c as f64 * a.ty.size() as f64)
                }
                crate::draft::Param::Scalar { .. } => 0.0,
                crate::draft::Param::Struct { fields, .. } => all(fields, scope)?,
            };
        }
        Ok(sum)
    }
    all(&draft.params, scope)
}
