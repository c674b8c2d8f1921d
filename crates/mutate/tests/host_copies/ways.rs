//! The launch that the host makes for a product by flattened ids in tiles, held against what it is to say, written down here a second time:
//! that of the copy, and of it that of the version; whole and broken.

use std::collections::HashMap;

use anyhow::{Context as _, Result};

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::drawn::{MOST, MOST_ROWS, over, row};
use mesi_mutate::gate_edits::{compare_inverted, limit};
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::{self, Relaunched, drawn};

/// A corpus kernel with such versions: arrays `a`, `b`, `c` and lengths `m`, `n`, `k` are its arguments.
pub struct Flat {
    /// Its name.
    pub name: &'static str,
    /// Whether it is one of floats, else of bytes whose columns follow one another.
    pub is_real: bool,
}

/// Some of them.
pub const KERNELS: [Flat; 2] = [
    Flat {
        name: "flat_mm",
        is_real: true,
    },
    Flat {
        name: "flat_mm_i8",
        is_real: false,
    },
];

/// Ways to break the function.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("copies-compare-inverted", compare_inverted),
    ("copies-constant-short", |l| limit(l, |c| c & 0xff)),
    ("copies-limit-twice", |l| limit(l, |c| c * 2)),
    ("copies-or-for-and", |l| {
        instead(l, " = and i1 ", " = or i1 ")
    }),
    ("copies-test-dropped", |l| {
        let (to, _) = l.split_once(" = freeze i1 ")?;
        Some(format!("{to} = freeze i1 true"))
    }),
    ("copies-meeting-not-asked", |l| {
        let (to, _) = l.split_once(" = or i1 ")?;
        Some(format!("{to} = or i1 true, true"))
    }),
    ("copies-rounded-down", |l| {
        let sum = l.contains(" = add ").then_some(l)?;
        instead(sum, ", 127", ", 0").or_else(|| instead(sum, ", 63", ", 0"))
    }),
    ("copies-lengths-not-multiplied", |l| {
        instead(l, " = mul ", " = add ")
    }),
    ("copies-not-stored", |l| {
        l.trim_start().starts_with("store ").then(String::new)
    }),
];

/// A text broken in another way, if it has two steps.
pub type Broken = fn(&str) -> Option<String>;

/// Ways to break what a step leaves for the next.
pub const STEPS: [(&str, Broken); 3] = [
    // The version's step asks the program's launch, where the copy's stands.
    ("copies-launch-of-the-program", |text| {
        let mut first: HashMap<&str, &str> = HashMap::new();
        let mut changed = false;
        let lines = text.lines().map(|l| {
            let Some((to, from)) = l.split_once(" = load i32, ptr ") else {
                return l.to_string();
            };
            match first.get(from) {
                None => {
                    first.insert(from, to.trim());
                    l.to_string()
                }
                Some(before) => {
                    changed = true;
                    format!("{to} = add i32 {before}, 0")
                }
            }
        });
        let broken = lines.collect::<Vec<_>>().join("\n");
        changed.then_some(broken)
    }),
    // The copy's launch is not stored for it.
    ("copies-step-not-stored", |text| {
        let last = text.rfind(" = load i32, ptr %1,")?;
        let is_store = |l: &&str| l.trim_start().starts_with("store i32 ");
        let kept = text[..last].lines().filter(|l| !is_store(l));
        let kept: Vec<&str> = kept.collect();
        let broken = format!("{}{}", kept.join("\n"), &text[last..]);
        (broken.len() < text.len() - 100).then_some(broken)
    }),
    // Whether there is one is not asked at the end.
    ("copies-answer-forgotten", |text| {
        let store = text.find("store i32 ")?;
        let select = text[..store].rfind(" = select i1 ")?;
        let rest = &text[select + " = select i1 ".len()..];
        let answer = &rest[..rest.find(',')?];
        let of_both = format!(" = and i1 {answer}, ");
        let at = text.rfind(&of_both).filter(|at| *at > store)?;
        let behind = &text[at + of_both.len()..];
        Some(format!("{} = and i1 true, {behind}", &text[..at]))
    }),
];

/// Lengths that launches are tried with.
const LENGTHS: [i64; 15] = [
    -1,
    0,
    1,
    7,
    8,
    9,
    16,
    31,
    64,
    129,
    1000,
    4096,
    65_536,
    1 << 20,
    i32::MAX as i64,
];
const BLOCKS: [[u32; 3]; 6] = [
    [256, 1, 1],
    [64, 1, 1],
    [33, 1, 1],
    [1024, 1, 1],
    [16, 16, 1],
    [16, 1, 2],
];
const GRIDS: [[u32; 3]; 8] = [
    [1, 1, 1],
    [16, 1, 1],
    [100, 1, 1],
    [4096, 1, 1],
    [65_536, 1, 1],
    [8_388_607, 1, 1],
    [2_000_000_000, 1, 1],
    [4096, 2, 1],
];
/// Launches of each kernel that are tried.
const TRIED: u64 = 20_000;
/// Elements of a row of the second matrix at most, and of the first: bytes, and floats.
const MOST_PITCH: [i128; 2] = [(1 << 27) - 1, (1 << 25) - 1];
const MOST_LINE: i128 = (1 << 29) - 1;

/// A launch: lengths, addresses of the arrays, block and grid.
struct Tried {
    lengths: [i64; 3],
    arrays: [i128; 3],
    own: Shape,
}

/// Launches that the function of `subject`, given as text, makes others of than it should; and how many it makes at all.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    let flat = KERNELS.iter().find(|k| k.name == subject.corpus.kernel);
    let flat = flat.context("not one of them")?;
    let values = subject.values()?;
    let small = !subject.text.contains(", 127");
    let launches = flat.launches().map(|tried| relaunched::Tried {
        values: relaunched::product_values(&values, tried.arrays, tried.lengths),
        own: tried.own,
        wants: flat.expected(&tried, small),
        told: (tried.lengths, tried.arrays),
    });
    subject.wrong(text, launches)
}

/// Ids down and along of the copy of so many rows, each so long; `None`: it has no launch.
fn copy(length: i128, rows: i128, [block, grid]: Shape) -> Option<[i128; 2]> {
    let ids = i128::from(block[0]) * i128::from(grid[0]);
    let is_line = block[1..] == [1, 1] && grid[1..] == [1, 1];
    let few = |v: i128| (1..=MOST).contains(&v);
    let all = length * rows;
    if !is_line || ![ids, length, rows, all].into_iter().all(few) || ids < all || length < 8 {
        return None;
    }
    let along = row(length);
    let up = 256 / along;
    let blocks = over(rows, up);
    let fits = blocks <= MOST_ROWS && few(blocks * up * length);
    fits.then(|| [blocks * up, over(length, along) * along])
}

/// The same with its axes exchanged.
fn exchanged([down, along]: [i128; 2]) -> Option<[i128; 2]> {
    let widest = |least: i128, most: i128, threads: i128| {
        let mut each = least;
        while 2 * each <= most && threads >= 2 * each {
            each *= 2;
        }
        each
    };
    let threads = widest(8, 32, down);
    let rows = widest(1, 32, along).min(256 / threads);
    let grid = [over(down, threads), over(along, rows)];
    let fits = down >= threads && grid[1] <= MOST_ROWS;
    fits.then(|| [grid[1] * rows, grid[0] * threads])
}

impl Flat {
    /// Bytes of the three arrays.
    fn sizes(&self, lengths: [i64; 3]) -> [i128; 3] {
        let [m, n, k] = lengths.map(i128::from);
        let factor = if self.is_real { 4 } else { 1 };
        [factor * m * k, factor * k * n, 4 * m * n]
    }

    /// The launch with a block for each tile.
    fn expected(&self, tried: &Tried, small: bool) -> Option<Shape> {
        let [m, n, k] = tried.lengths.map(i128::from);
        let [down, along] = match self.is_real {
            true => copy(n, m, tried.own)?,
            false => exchanged(copy(m, n, tried.own)?)?,
        };
        let pitch = MOST_PITCH[usize::from(self.is_real)];
        let short = n <= pitch && (1..=MOST).contains(&k) && (!self.is_real || k <= MOST_LINE);
        let sizes = self.sizes(tried.lengths);
        let apart = |a: usize| {
            let [mine, c] = [tried.arrays[a], tried.arrays[2]];
            mine + sizes[a] <= c || c + sizes[2] <= mine
        };
        if m > down || n > along || !short || !apart(0) || !apart(1) {
            return None;
        }
        let (tile, threads) = if small { (64, 128) } else { (128, 256) };
        let tiles = [n, m].map(|l| over(l, tile));
        let fits = tiles[1] <= MOST_ROWS;
        fits.then_some([[threads, 1, 1], [tiles[0] as u32, tiles[1] as u32, 1]])
    }

    /// Launches drawn by a fixed rule.
    fn launches(&self) -> impl Iterator<Item = Tried> + '_ {
        let mut draw = drawn();
        (0..TRIED).map(move |_| {
            let lengths = [(); 3].map(|()| LENGTHS[draw(LENGTHS.len())]);
            let own = [BLOCKS[draw(BLOCKS.len())], GRIDS[draw(GRIDS.len())]];
            let sizes = self.sizes(lengths);
            Tried {
                lengths,
                arrays: relaunched::product_arrays(1 << 44, sizes, &mut draw),
                own,
            }
        })
    }
}
