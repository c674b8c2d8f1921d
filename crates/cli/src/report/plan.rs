//! The plug-in's plan, as `print<mesi-plan>` shows it (`src/plan/dump.rs`): what is drawn and predicted.

use mesi_names::{MOST_VERSIONS, REWRITES};
use serde::Serialize;

/// What is planned for a kernel.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Plan {
    /// The kernel's symbol.
    pub symbol: String,
    /// Its versions, in the order of their numbers.
    pub versions: Vec<Version>,
    /// What the model expects of the launches that were asked about.
    pub launches: Vec<Launch>,
}

/// One version.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Version {
    /// Blocks of the program that one does the work of, along x, y, z.
    pub merge: [u32; 3],
    /// What is done besides tiles, in the plan's words.
    pub done: Vec<String>,
    /// Its tiles.
    pub tiles: Vec<Tile>,
    /// Arrays with cells that a block adds up for itself.
    pub tallies: Vec<Tally>,
    /// The predicted gain of typical launches.
    pub predicted: Option<f64>,
    /// The prediction in the model's words.
    pub forecast: Option<String>,
}

/// A part of an array in shared memory.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Tile {
    /// The array's name.
    pub array: String,
    /// Bytes of an element.
    pub unit: u32,
    /// Iterations of a strip, and strips in flight; `None`: the whole at once.
    pub strip: Option<(u32, u32)>,
    /// From the largest stride to the smallest.
    pub dims: Vec<Dim>,
    /// How many accesses of the kernel it serves.
    pub accesses: u32,
    /// Whether it is filled by stores and written back.
    pub written: bool,
}

/// One dimension of a tile.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Dim {
    /// Thread indices and iterations that it runs along: `tid.y`, `iter(loop0)`.
    pub terms: String,
    /// The lowest offset around that.
    pub low: i64,
    /// The highest.
    pub high: i64,
    /// Elements, as a sum: `4*ntid.y + 2`.
    pub extent: String,
}

/// An array whose cells a block adds up in shared memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// The array's name.
    pub array: String,
    /// How many cells.
    pub cells: u32,
}

/// What the model expects of one launch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Launch {
    /// Grid and block: `64x64x1:16x16x1`.
    pub asked: String,
    /// The gain.
    pub predicted: f64,
    /// All of it, in the model's words.
    pub words: String,
}

/// All plans of a print.
pub fn parse(text: &str) -> Vec<Plan> {
    let mut plans: Vec<Plan> = Vec::new();
    let (mut strip, mut whole) = (None, Vec::new());
    for line in text.lines() {
        if let Some(symbol) = line.strip_prefix("plan of ") {
            finish(&mut plans, &mut whole);
            plans.push(Plan {
                symbol: symbol.trim().to_string(),
                versions: vec![Version::new()],
                launches: Vec::new(),
            });
            continue;
        }
        let Some(plan) = plans.last_mut() else {
            continue;
        };
        let line = line.trim();
        if let Some(launch) = line.strip_prefix("launch ") {
            plan.launches.extend(self::launch(launch));
        } else if line.starts_with("else version ") {
            plan.versions.push(Version::new());
        } else if let Some(what) = line.strip_prefix("whole: ") {
            whole.push(whole_version(what));
        } else if is_rewrite(line) {
            whole.push(Version {
                done: vec![line.to_string()],
                ..Version::new()
            });
        } else if let Some(version) = plan.versions.last_mut() {
            version.read(line, &mut strip);
        }
    }
    finish(&mut plans, &mut whole);
    plans
}

/// Whether a line is about a version that is written in another way, and not planned. They come behind all others.
fn is_rewrite(line: &str) -> bool {
    let begins = |name: &str| line.strip_prefix(name)?.strip_prefix(": ");
    REWRITES.into_iter().any(|name| begins(name).is_some())
}

/// The last plan is whole: what runs without tiles comes behind its versions, and what does nothing is no version.
fn finish(plans: &mut [Plan], whole: &mut Vec<Version>) {
    let Some(plan) = plans.last_mut() else { return };
    plan.versions.append(whole);
    plan.versions
        .retain(|v| !v.done.is_empty() || !v.tiles.is_empty() || !v.tallies.is_empty());
    plan.versions.truncate(MOST_VERSIONS);
}

/// `whole: merge 2x2x1 blocks, 2 loads of all replicas, 2 addresses; loop0 without 4 clamps ..., where ...`.
fn whole_version(line: &str) -> Version {
    let what = line.split(", where ").next().unwrap_or(line);
    Version {
        done: what.split("; ").map(str::to_string).collect(),
        ..Version::new()
    }
}

impl Version {
    fn new() -> Self {
        Self {
            merge: [1; 3],
            ..Self::default()
        }
    }

    fn read(&mut self, line: &str, strip: &mut Option<(u32, u32)>) {
        if let Some(rest) = line.strip_prefix("merge ") {
            let factors = rest.split(' ').next().unwrap_or("");
            for (to, n) in self.merge.iter_mut().zip(factors.split('x')) {
                *to = n.parse().unwrap_or(1);
            }
            self.done.push(format!(
                "one block does the work of {}",
                factors.trim_end_matches("x1")
            ));
        } else if line.starts_with("region") {
            *strip = strips(line);
            if let Some((length, depth)) = strip {
                self.done
                    .push(format!("strips of {length} iterations, {depth} in flight"));
            }
        } else if line.starts_with("tile") && line.contains(": array") {
            self.tiles.push(tile(line, *strip));
        } else if line.starts_with("own cells: ") {
            self.tallies.extend(tally(line));
        } else if line.starts_with("predicted x") {
            self.predicted = gain(line);
            self.forecast = Some(line.to_string());
        } else if line == "no typical launch fits" {
            self.forecast = Some(line.to_string());
        } else if is_done(line) {
            self.done.push(line.to_string());
        } else if let Some(tile) = self.tiles.last_mut() {
            tile.read(line);
        }
    }
}

/// Whether a line says what is done without a tile.
fn is_done(line: &str) -> bool {
    let starts = ["nothing staged", "all blocks in steps", "register in "];
    let unrolled = line.starts_with("loop") && line.contains(": unrolled by ");
    let jammed = line.contains(" jammed in ") && !line.starts_with("not");
    starts.iter().any(|s| line.starts_with(s)) || unrolled || jammed
}

impl Tile {
    fn read(&mut self, line: &str) {
        if let Some(dim) = line.strip_prefix("dim stride ") {
            self.dims.extend(self::dim(dim));
        } else if let Some(rest) = line.strip_prefix("serves ") {
            self.accesses = u32::try_from(rest.matches("access").count()).unwrap_or(1);
        } else if line.starts_with("writes back") {
            self.written = true;
        }
    }
}

/// `region0: node6 loop0 in strips of 16, depth 2, ...`.
fn strips(line: &str) -> Option<(u32, u32)> {
    Some((number(line, "in strips of ")?, number(line, "depth ")?))
}

/// The number behind some words.
fn number(line: &str, words: &str) -> Option<u32> {
    let rest = line.split_once(words)?.1;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// `tile0: array0 a, unit 4, 2560 cells at byte 0, zero-filled`.
fn tile(line: &str, strip: Option<(u32, u32)>) -> Tile {
    let rest = line.split_once(": array").map_or("", |(_, r)| r);
    let name = rest.split_once(' ').map_or("", |(_, r)| r);
    Tile {
        array: name.split(", unit ").next().unwrap_or(name).to_string(),
        unit: number(line, ", unit ").unwrap_or(0),
        strip,
        accesses: 1,
        ..Tile::default()
    }
}

/// `4*s0: tid.y, offsets 0..0, extent 4*ntid.y, pitch 20`, the stride in front.
fn dim(line: &str) -> Option<Dim> {
    let (terms, rest) = line.split_once(": ")?.1.split_once(", offsets ")?;
    let (offsets, rest) = rest.split_once(", extent ")?;
    let (low, high) = offsets.split_once("..")?;
    Some(Dim {
        terms: terms.to_string(),
        low: low.parse().ok()?,
        high: high.parse().ok()?,
        extent: rest.split(", pitch ").next()?.to_string(),
    })
}

/// `own cells: array1 bins, 256`.
fn tally(line: &str) -> Option<Tally> {
    let (_, rest) = line.strip_prefix("own cells: array")?.split_once(' ')?;
    let (name, cells) = rest.rsplit_once(", ")?;
    Some(Tally {
        array: name.to_string(),
        cells: cells.parse().ok()?,
    })
}

fn gain(line: &str) -> Option<f64> {
    let text = line.split_once("predicted x")?.1;
    let digits = text
        .split(|c: char| c != '.' && !c.is_ascii_digit())
        .next()?;
    digits.parse().ok()
}

/// `64x64x1:16x16x1: version 0, predicted x2.32 (...)`.
fn launch(line: &str) -> Option<Launch> {
    let (asked, words) = line.split_once(": ")?;
    Some(Launch {
        asked: asked.to_string(),
        predicted: gain(words)?,
        words: words.to_string(),
    })
}

/// The value of a sum of products such as `4*ntid.x + trip(loop0) - 1`, where `of` knows its variables. `None`: it is none.
pub fn value(sum: &str, of: &impl Fn(&str) -> i64) -> Option<i64> {
    let mut total = 0;
    for (at, term) in sum.replace(" - ", " + -").split(" + ").enumerate() {
        let term = term.trim();
        let (sign, term) = match term.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, term),
        };
        if term.is_empty() && at > 0 {
            return None;
        }
        let mut product: i64 = sign;
        for factor in term.split('*') {
            let n = match factor.parse::<i64>() {
                Ok(n) => n,
                Err(_) => of(factor),
            };
            product = product.checked_mul(n)?;
        }
        total += product;
    }
    Some(total)
}

/// A sum in CUDA's words.
pub fn in_words(sum: &str) -> String {
    let mut text = sum.to_string();
    for (from, to) in [
        ("nctaid.", "gridDim."),
        ("ntid.", "blockDim."),
        ("ctaid.", "blockIdx."),
    ] {
        text = text.replace(from, to);
    }
    let mut text = text.replace("tid.", "threadIdx.").replace('*', "·");
    for (from, to) in [
        ("iter(loop", "iteration of loop "),
        ("trip(loop", "trips of loop "),
    ] {
        while let Some((before, rest)) = text.split_once(from) {
            let (number, after) = rest.split_once(')').unwrap_or((rest, ""));
            text = format!("{before}{to}{number}{after}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
plan of _Z5sgemmPKfS0_Pfi
  merge 4x4x1 blocks, consecutive along x
  region0: node6 loop0 in strips of 16, depth 2, after a barrier
    tile0: array0 a, unit 4, 2560 cells at byte 0, zero-filled
      rest 4*ctaid.y*ntid.y*s0
      dim stride 4*s0: tid.y, offsets 0..0, extent 4*ntid.y, pitch 20
      dim stride 4: iter(loop0), offsets -1..1, extent 16, pitch 1
      serves access0 [0, 0], access3 [0, 1]
  fact: 0 <= s0 - 1 <= 2147483647
  pays: 528 <= nctaid.x*nctaid.y
  whole: loop0: unrolled by 4 iterations, the rest one by one; loop1 without 4 clamps, where 0 <= s0 - 1 <= 2147483647
  predicted x5.23 (before 25497.1 us, after 4878.3 us, bound by shared), worth it where loop0 runs 32 times
  else version 1
  all blocks in steps: 270336 threads at most, one leader for 1024 threads at least
    privatized: array1 bins, Add of 256 cells from byte 0, at byte 0, for access1
    own cells: array1 bins, 256
  launch 64x64x1:16x16x1: version 0, predicted x2.32 (before 12.3 us, after 5.3 us, bound by issue), s0 taken to be large
plan of idle
  array0 a not staged: NotProfitable (no sure gain)
";

    #[test]
    fn versions_tiles_and_launches_are_read() {
        let plans = parse(TEXT);
        let [plan, idle] = &plans[..] else {
            panic!("{plans:?}")
        };
        assert!(idle.versions.is_empty());
        let [first, second, whole] = &plan.versions[..] else {
            panic!("{plan:?}")
        };
        assert_eq!((first.merge, first.predicted), ([4, 4, 1], Some(5.23)));
        let rounds = "loop0: unrolled by 4 iterations, the rest one by one";
        assert_eq!(whole.done, [rounds, "loop1 without 4 clamps"]);
        let tile = &first.tiles[0];
        assert_eq!((tile.array.as_str(), tile.unit, tile.accesses), ("a", 4, 2));
        assert_eq!(tile.strip, Some((16, 2)));
        assert_eq!(tile.dims[1].terms, "iter(loop0)");
        assert_eq!((tile.dims[1].low, tile.dims[1].high), (-1, 1));
        assert_eq!(
            second.tallies,
            [Tally {
                array: "bins".into(),
                cells: 256
            }]
        );
        assert_eq!(plan.launches[0].asked, "64x64x1:16x16x1");
        assert_eq!(plan.launches[0].predicted, 2.32);
    }

    #[test]
    fn ways_to_write_a_kernel_come_behind_what_is_planned() {
        let rewrites = REWRITES.map(|name| format!("  {name}: in its way\n"));
        let text = format!(
            "plan of f\n{}  no split: why\n  whole: loop0: unrolled by 4 iterations\n",
            rewrites.concat()
        );
        let plans = parse(&text);
        let done = plans[0].versions.iter().map(|v| v.done.join(";"));
        let ways = REWRITES.map(|name| format!("{name}: in its way"));
        let unrolled = "loop0: unrolled by 4 iterations".to_string();
        let all: Vec<String> = ways.into_iter().chain([unrolled]).collect();
        assert_eq!(done.collect::<Vec<_>>(), all[..MOST_VERSIONS]);
    }

    #[test]
    fn sums_have_values_and_words() {
        let of = |name: &str| if name == "ntid.x" { 32 } else { 9 };
        assert_eq!(value("4*ntid.x + trip(loop0) - 1", &of), Some(136));
        assert_eq!(value("16", &of), Some(16));
        assert_eq!(value("-2*ntid.x + 70", &of), Some(6));
        assert_eq!(
            in_words("4*ntid.x + trip(loop0) - 1"),
            "4·blockDim.x + trips of loop 0 - 1"
        );
        assert_eq!(
            in_words("tid.x + iter(loop1)"),
            "threadIdx.x + iteration of loop 1"
        );
    }
}
