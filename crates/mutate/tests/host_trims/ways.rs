//! The list of blocks that the host makes for a trimmed grid, held against the blocks that a guard leaves, written down here a second time, whole and
//! broken; and the versions themselves, broken.

use std::ops::Range;

use anyhow::Result;
use mesi_launch::room::WORDS;

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::host_launches::{Shape, with_room};
use mesi_mutate::relaunched::Relaunched;

/// Corpus kernels in trimmed grids.
pub const KERNELS: [&str; 5] = [
    "surface",
    "frames",
    "surface_size_t",
    "border_row",
    "box_update",
];

/// Ways to break the function. What the search goes on by stays: a function that never returns is no mutant.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("trim-compare-inverted", |l| {
        instead(l, " = icmp sle i64 ", " = icmp sgt i64 ")
    }),
    ("trim-lower-inverted", |l| {
        instead(l, " = icmp slt i64 ", " = icmp sge i64 ")
    }),
    ("trim-higher-inverted", |l| {
        instead(l, " = icmp sgt i64 ", " = icmp sle i64 ")
    }),
    ("trim-wraps", |l| {
        instead(l, ", 2147483648", ", 214748364800")
    }),
    ("trim-and-for-or", |l| instead(l, " = or i1 ", " = and i1 ")),
    ("trim-or-for-and", |l| instead(l, " = and i1 ", " = or i1 ")),
    ("trim-highest-for-lowest", |l| {
        instead(l, "@llvm.smin.i64", "@llvm.smax.i64")
    }),
    ("trim-difference-for-sum", |l| {
        instead(l, "@llvm.sadd.with", "@llvm.ssub.with")
    }),
    ("trim-not-multiplied", |l| instead(l, " = mul ", " = add ")),
    ("trim-not-stored", |l| {
        l.trim_start().starts_with("store ").then(String::new)
    }),
];

/// Ways to break the version.
pub const CODE: &[(&str, Edit)] = &[
    ("trim-box-after", |l| {
        let word = l.contains("icmp ult i32").then_some(l)?;
        instead(word, "icmp ult i32", "icmp ule i32")
    }),
    ("trim-place-for-row", |l| {
        instead(l, " = urem i32 ", " = udiv i32 ")
    }),
    ("trim-not-lowest", |l| {
        instead(l, " = add i32 ", " = sub i32 ")
    }),
    ("trim-begin-forgotten", |l| {
        instead(l, " = sub i32 ", " = or i32 ")
    }),
];

/// Pixels of a frame along either side.
const WIDTH: i64 = 128;
/// Words of a box in the list, behind three of the grid.
const BOX: usize = 6;
// What the plug-in writes is what launches have room for.
const _: () = assert!(mesi::transform::trim::words() == WORDS);
/// Lengths that launches are tried with, blocks and grids; and another scalar than the length.
const LENGTHS: [i64; 12] = [-1, 0, 1, 2, 8, 9, 31, 64, 65, 100, 1 << 20, 1 << 40];
const BLOCKS: [[u32; 3]; 5] = [[32, 8, 1], [4, 4, 4], [5, 3, 2], [256, 1, 1], [1, 1, 1]];
const GRIDS: [[u32; 3]; 8] = [
    [1, 1, 1],
    [3, 3, 3],
    [16, 16, 16],
    [2, 7, 11],
    [20, 1, 1],
    [1, 1, 20],
    [9, 30, 1],
    [40, 3, 5],
];

/// Launches that the function of `subject`, given as text, leaves a block out of that is not empty, or names one twice or
/// one that there is not; and how many launches it makes.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    let values = subject.values()?;
    with_room(text, subject.function(), |ask| {
        let (mut wrong, mut made) = (Vec::new(), 0);
        for n in LENGTHS {
            let scalars = scalars(subject, n);
            let values = with_scalars(&values, &scalars);
            for own in BLOCKS.into_iter().flat_map(|b| GRIDS.map(|g| [b, g])) {
                let Some(room) = ask(&values, own) else {
                    continue;
                };
                made += 1;
                if let Some(why) = fault(subject, &scalars, own, &room) {
                    wrong.push(format!("{scalars:?} {own:?}: {why}"));
                }
            }
        }
        if subject.corpus.kernel == "surface" {
            // Ids of nearly half of the blocks wrap, and in one of them those of some threads: blocks 1 to 2,147,482 go.
            let values = with_scalars(&values, &[2, 0]);
            let room = ask(&values, [[1000, 1, 1], [1 << 22, 1, 1]]);
            if room.is_none_or(|r| r[3] != (1 << 22) - 2_147_482) {
                wrong.push(format!("ids that wrap: {room:?}"));
            }
        }
        (wrong, made)
    })
}

/// What parameters point to, with these scalars last.
fn with_scalars(values: &[Vec<u8>], scalars: &[i64]) -> Vec<Vec<u8>> {
    let mut values = values.to_vec();
    let first = values.len() - scalars.len();
    for (v, s) in values[first..].iter_mut().zip(scalars) {
        v[..8].copy_from_slice(&s.to_le_bytes());
    }
    values
}

/// What is wrong with a list; `None`: nothing.
fn fault(
    subject: &Relaunched,
    scalars: &[i64],
    [block, grid]: Shape,
    room: &[u32],
) -> Option<String> {
    let (numbers, list) = (&room[..7], &room[7..]);
    if numbers[..3] != block || numbers[4..6] != [1, 1] || list[..3] != grid {
        return Some(format!("numbers {numbers:?} of {:?}", &list[..3]));
    }
    let mut left = vec![false; grid.iter().product::<u32>() as usize];
    for number in 0..numbers[3] {
        let boxes: Vec<&[u32]> = list[3..].chunks(BOX).collect();
        let at = boxes.iter().position(|b| number < b[0]);
        let Some(at) = at else {
            return Some(format!("no box has {number}"));
        };
        let begin = if at == 0 { 0 } else { boxes[at - 1][0] };
        let [_, low @ .., along, up] = boxes[at] else {
            return Some("no box".into());
        };
        if *along == 0 || *up == 0 {
            return Some(format!("box {at} is flat"));
        }
        let inner = number - begin;
        let place = [inner % along, inner / along % up, inner / along / up];
        let id = [0, 1, 2].map(|k| u64::from(low[k]) + u64::from(place[k]));
        if (0..3).any(|k| id[k] >= u64::from(grid[k])) {
            return Some(format!("there is no block {id:?}"));
        }
        let flat = (id[2] * u64::from(grid[1]) + id[1]) * u64::from(grid[0]) + id[0];
        if std::mem::replace(&mut left[flat as usize], true) {
            return Some(format!("block {id:?} is launched twice"));
        }
    }
    let ids = (0..grid[2])
        .flat_map(|z| (0..grid[1]).flat_map(move |y| (0..grid[0]).map(move |x| [x, y, z])));
    let mut out = ids.zip(left).filter(|(_, l)| !l).map(|(id, _)| id);
    let limits = limits(scalars);
    let along = |k: usize| {
        let width = i64::from(block[k]);
        let begins = (0..grid[k]).map(|id| i64::from(id) * width);
        let ids = begins.map(|first| told_apart(first..first + width, &limits));
        ids.collect::<Vec<_>>()
    };
    let along = [0, 1, 2].map(along);
    let ids = |id: [u32; 3]| [0, 1, 2].map(|k| &*along[k][id[k] as usize]);
    let missed = out.find(|id| has_work(subject, scalars, ids(*id)))?;
    Some(format!("block {missed:?} is left out"))
}

/// The scalars behind the arrays, for a length.
fn scalars(subject: &Relaunched, n: i64) -> Vec<i64> {
    match &*subject.corpus.kernel {
        "surface" | "frames" => vec![n, 0],
        "surface_size_t" => vec![n],
        "border_row" => vec![n, n / 2],
        _ => vec![n, n / 4, n / 2, n / 3, n / 2],
    }
}

/// Whether some thread of a block comes to an effect, given the ids along each dimension that guards tell apart.
fn has_work(subject: &Relaunched, s: &[i64], [xs, ys, zs]: [&[i64]; 3]) -> bool {
    let rows = zs.iter().flat_map(|z| ys.iter().map(move |y| (*y, *z)));
    let mut all = rows.flat_map(|(y, z)| xs.iter().map(move |x| [*x, y, z]));
    let narrow = |v: i64| i64::from(v as i32);
    all.any(|[x, y, z]| match &*subject.corpus.kernel {
        "surface" => on_surface([x, y, z], narrow(s[0])),
        "frames" => on_frame(x, y) && z < i64::from(s[0] as u32),
        // As an unsigned number -1 is above all ids.
        "surface_size_t" if s[0] < 0 => [x, y, z].contains(&0),
        "surface_size_t" => on_surface([x, y, z], s[0]),
        "border_row" => y == narrow(s[1]) && y >= 1 && x < narrow(s[0]),
        _ => {
            let u = |v: i64| i64::from(v as u32);
            let is_in = x >= u(s[1]) && x < u(s[2]) && y >= u(s[3]) && y < u(s[4]);
            is_in && x < u(s[0]) && y < u(s[0])
        }
    })
}

/// What guards compare ids with, for these scalars: each as a number of 64 bits and of 32, and what they name.
fn limits(scalars: &[i64]) -> Vec<i64> {
    let of = |s: &i64| [*s, i64::from(*s as i32), i64::from(*s as u32)];
    let all = scalars.iter().flat_map(of);
    all.chain([0, 1, WIDTH - 1, WIDTH]).collect()
}

/// Of the ids of a block along a dimension the first, the last, and those next to a limit: what a guard says of any, it
/// says of one of these.
fn told_apart(ids: Range<i64>, limits: &[i64]) -> Vec<i64> {
    let near = limits.iter().flat_map(|l| [l - 1, *l, l + 1]);
    let mut all: Vec<i64> = near.filter(|v| ids.contains(v)).collect();
    all.extend([ids.start, ids.end - 1]);
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether a place lies on the frame of an image of 128x128.
fn on_frame(x: i64, y: i64) -> bool {
    let [is_x, is_y] = [x, y].map(|v| v == 0 || v == WIDTH - 1);
    x < WIDTH && y < WIDTH && (is_x || is_y)
}

fn on_surface(at: [i64; 3], n: i64) -> bool {
    at.iter().all(|v| *v < n) && at.iter().any(|v| *v == 0 || *v == n - 1)
}
