//! Launches: blocks and sizes that do and do not divide, empty and single, and arguments that overlap.

use fastrand::Rng;

use super::{Gen, Generated, Role};
use crate::kernel::{Kernel, Shape, Space, Stmt, Ty, Use};
use crate::ranges::{Range, Unfit, ranges};

/// Most threads of a launch: fibers are cheap, but not free.
const THREADS: u32 = 512;
/// Most cells of axes that are permuted: as many as two long ones have.
const MOST_CELLS: i64 = 40 * 35;

/// Finds launches that fit the kernel; `None` if hardly any does.
pub(super) fn fit(mut g: Gen) -> Option<Generated> {
    let mut all: Vec<(Shape, Vec<Range>)> = Vec::new();
    let mut tries = 0;
    while all.len() < 3 && tries < 16 {
        tries += 1;
        let shape = shape(&mut g);
        match ranges(&g.k, &shape) {
            Ok(r) => all.push((shape, r)),
            Err(Unfit::Overflow) if tries > 4 => g.k.wraps = true,
            Err(_) => (),
        }
    }
    if all.is_empty() || all.iter().all(|(_, r)| r.iter().all(|r| r.lo > r.hi)) {
        return None;
    }
    for _ in 0..[0, 1, 1, 2][g.rng.usize(0..4)] {
        let n = g.rng.usize(0..all.len());
        if let Some(overlapping) = overlap(&mut g.rng, &g.k, &all[n]) {
            all.push(overlapping);
        }
    }
    if g.rng.u32(0..10) == 0 {
        let most = all
            .iter()
            .map(|(s, _)| s.block.iter().product::<u32>())
            .max()
            .unwrap_or(1);
        g.k.max_threads = most.next_multiple_of(32);
    }
    let (shapes, ranges) = all.into_iter().unzip();
    g.k.shapes = shapes;
    Some(Generated {
        kernel: g.k,
        ranges,
    })
}

fn shape(g: &mut Gen) -> Shape {
    if g.flat {
        return line(g);
    }
    let pick = |rng: &mut Rng, of: &[[u32; 3]]| of[rng.usize(0..of.len())];
    // Many small blocks along a dimension: several turns, several groups of merged blocks, edges far apart.
    let long = match g.rng.u32(0..10) {
        0..2 => Some(g.dims[g.rng.usize(0..g.dims.len())]),
        2..6 if g.wide => Some(g.dims[0]),
        _ => None,
    };
    let lent = match g.dims.len() {
        // Longer blocks would do some of it twice; shorter ones leave some out.
        1 if let Some(n) = g.length => [n >> u32::from(g.rng.u32(0..4) == 0), 1, 1],
        _ if long.is_some() => small_block(g),
        1 => pick(
            &mut g.rng,
            &[
                [32, 1, 1],
                [64, 1, 1],
                [33, 1, 1],
                [7, 1, 1],
                [1, 1, 1],
                [128, 1, 1],
                [96, 1, 1],
                [48, 1, 1],
                [32, 1, 1],
                [64, 1, 1],
                [40, 1, 1],
                [256, 1, 1],
                [512, 1, 1],
            ],
        ),
        2 => pick(
            &mut g.rng,
            &[
                [8, 8, 1],
                [16, 4, 1],
                [5, 3, 1],
                [32, 2, 1],
                [1, 8, 1],
                [16, 1, 1],
                [32, 4, 1],
                [4, 16, 1],
                [7, 9, 1],
                [16, 16, 1],
            ],
        ),
        _ => pick(
            &mut g.rng,
            &[
                [4, 4, 4],
                [8, 2, 3],
                [1, 5, 2],
                [16, 2, 2],
                [3, 3, 3],
                [32, 1, 2],
            ],
        ),
    };
    let mut grid = [1_u32; 3];
    let mut extents = vec![0_i64; g.dims.len()];
    for n in 0..g.dims.len() {
        let b = i64::from(lent[g.dims[n]]);
        let e = match g.rng.u32(0..10) {
            0 => 0,
            1 => 1,
            2 => b - 1,
            3 => b,
            4 => b + 1,
            5 => 2 * b + 3,
            _ => g.rng.i64(1..2 * b + 2),
        };
        let e = match long {
            Some(d) if d == g.dims[n] => b * g.rng.i64(12..21) + g.rng.i64(0..b),
            Some(_) if g.wide => g.rng.i64(3 * b..4 * b + 1),
            Some(_) => g.rng.i64(1..4 * b + 2),
            None => e,
        };
        extents[n] = e;
        let needed = (e + b - 1) / b;
        grid[g.dims[n]] = needed.max(1) as u32 + u32::from(g.rng.u32(0..10) == 0);
    }
    // Small blocks leave room for grids that no factor of merging divides.
    if g.rng.u32(0..6) == 0 {
        let d = g.dims[g.rng.usize(0..g.dims.len())];
        grid[d] = [3, 5, 7][g.rng.usize(0..3)];
    }
    // A grid-stride loop with too few threads, or extents beyond what is launched.
    if g.rng.u32(0..8) == 0 {
        grid = grid.map(|x| x.min(2));
    }
    while grid.iter().product::<u32>() * lent.iter().product::<u32>() > THREADS {
        let widest = (0..3).max_by_key(|d| grid[*d]).unwrap_or(0);
        if grid[widest] == 1 {
            break;
        }
        grid[widest] -= 1;
    }
    let threads = grid.iter().product::<u32>() * lent.iter().product::<u32>();
    let sizes = (0..g.roles.len())
        .map(|n| value(g, n, &extents, threads))
        .collect();
    Shape {
        grid,
        block: lent,
        sizes,
        alias: None,
    }
}

/// A launch along x of as many threads as there are cells, or some more, or fewer.
fn line(g: &mut Gen) -> Shape {
    let rows = [1, 2, 3, 8, 9][g.rng.usize(0..5)];
    let extents: Vec<i64> = match g.dims.len() {
        2 => vec![g.rng.i64(5..48), rows],
        4 | 5 => long_axes(g),
        _ => vec![g.rng.i64(7..20), g.rng.i64(1..5), g.rng.i64(1..4)],
    };
    let all: i64 = extents.iter().product();
    let block = [32, 64, 33, 128, 256][g.rng.usize(0..5)];
    let more = i64::from(g.rng.u32(0..4) == 0);
    let fewer = i64::from(g.rng.u32(0..8) == 0);
    let blocks = ((all + block - 1) / block + more - fewer).max(1);
    let threads = (blocks * block) as u32;
    let sizes = (0..g.roles.len())
        .map(|n| value(g, n, &extents, threads))
        .collect();
    Shape {
        grid: [blocks as u32, 1, 1],
        block: [block as u32, 1, 1],
        sizes,
        alias: None,
    }
}

/// Extents of many dimensions, of which two are long enough for tiles, or for a part of one.
fn long_axes(g: &mut Gen) -> Vec<i64> {
    let count = g.dims.len();
    let mut all: Vec<i64> = (0..count).map(|_| g.rng.i64(1..4)).collect();
    for long in [[8, 12, 33, 40], [8, 9, 16, 35]] {
        all[g.rng.usize(0..count)] = long[g.rng.usize(0..4)];
    }
    while all.iter().product::<i64>() > MOST_CELLS {
        let short = all.iter_mut().find(|e| (2..8).contains(*e));
        *short.expect("two long ones are not too many") = 1;
    }
    all
}

/// A block of at most 32 threads.
fn small_block(g: &mut Gen) -> [u32; 3] {
    let all = match g.dims.len() {
        1 => [[16, 1, 1], [8, 1, 1], [32, 1, 1], [5, 1, 1]],
        2 => [[4, 2, 1], [2, 4, 1], [8, 2, 1], [1, 8, 1]],
        _ => [[2, 2, 2], [4, 1, 2], [1, 2, 3], [4, 2, 1]],
    };
    all[g.rng.usize(0..4)]
}

fn value(g: &mut Gen, n: usize, extents: &[i64], threads: u32) -> i64 {
    let huge = g.huge && g.rng.u32(0..2) == 0;
    let edge = [
        i64::from(i32::MAX),
        i64::from(i32::MIN),
        -1,
        i64::from(i32::MAX) - 20,
        1 << 30,
        1 << 16,
        -(1 << 16),
    ];
    let rng = &mut g.rng;
    match g.roles[n] {
        Role::Extent(d) => extents.get(d).copied().unwrap_or(1),
        Role::Count if threads > 200 => [0, 1, 2, 3, 5, 8, 13, 17, 20][rng.usize(0..9)],
        Role::Count => [0, 1, 2, 5, 8, 16, 17, 31, 32, 33, 40, 64, 70][rng.usize(0..13)],
        Role::Radius => rng.i64(0..4),
        Role::Stride if huge => edge[rng.usize(0..edge.len())],
        Role::Stride => [1, 2, 3, 5, 7, 16, 0, -1, -2, -5][rng.usize(0..10)]
            .max(if g.k.sizes[n] == Ty::U32 { 0 } else { i64::MIN }),
        Role::Pitch => (extents[0] + [0, 0, 1, 3, 8, 40][rng.usize(0..6)]).max(1),
        Role::Offset if huge => edge[rng.usize(0..edge.len())],
        Role::Offset => [0, 1, 5, 100, 1000, -3][rng.usize(0..6)].max(if g.k.sizes[n] == Ty::U32 {
            0
        } else {
            i64::MIN
        }),
    }
}

/// Whether the order of atomics does not matter where two buffers are the same memory: all are of one kind.
fn is_ordered(body: &[Stmt], a: usize, b: usize) -> bool {
    let of = |n| crate::shrink::atomics(body, n);
    let (one, two) = (of(a), of(b));
    one.iter().all(|x| two.iter().all(|y| x == y))
}

/// The same launch with one argument in another's buffer: apart, touching, or over one another.
fn overlap(
    rng: &mut Rng,
    k: &Kernel,
    (shape, touched): &(Shape, Vec<Range>),
) -> Option<(Shape, Vec<Range>)> {
    let can = |n: usize| {
        let b = &k.buffers[n];
        b.space == Space::Param
            && !b.restrict
            && !b.volatile
            && b.contents == Use::Data
            && touched[n].lo <= touched[n].hi
    };
    let able: Vec<usize> = (0..k.buffers.len()).filter(|n| can(*n)).collect();
    let pairs: Vec<(usize, usize)> = able
        .iter()
        .flat_map(|a| able.iter().map(move |b| (*a, *b)))
        .filter(|(a, b)| a != b && k.buffers[*a].fields == k.buffers[*b].fields)
        .filter(|(a, b)| is_ordered(&k.body, *a, *b))
        .collect();
    // Overlaps that matter have a store in them.
    let written: Vec<_> = pairs
        .iter()
        .copied()
        .filter(|(a, b)| crate::shrink::writes(&k.body, *a) || crate::shrink::writes(&k.body, *b))
        .collect();
    let from = if written.is_empty() { &pairs } else { &written };
    if from.is_empty() {
        return None;
    }
    let (arg, of) = from[rng.usize(0..from.len())];
    let (a, b) = (touched[arg], touched[of]);
    // `after`: `arg` begins just behind the last record of `of`; `before`: it ends just in front.
    let (after, before) = (b.hi + 1 - a.lo, b.lo - 1 - a.hi);
    let offset = match rng.u32(0..10) {
        0 | 1 => 0,
        2 | 3 => after,
        4 => before,
        5 => after - 1,
        6 => before + 1,
        7 => after + rng.i64(1..9),
        8 => 1,
        _ => rng.i64(before.min(after)..=before.max(after)),
    };
    Some((
        Shape {
            alias: Some((arg, of, offset)),
            ..shape.clone()
        },
        touched.clone(),
    ))
}
