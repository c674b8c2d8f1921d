//! A worker process: reads one request a line, checks that kernel, answers one line. What brings it
//! down brings down nothing else, and the parent knows on which kernel it was.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use fastrand::Rng;
use mesi::options::Options;
use mesi_launch::Case;
use mesi_oracle::Schedule;
use serde::{Deserialize, Serialize};

use crate::check::{self, Variant, Verdict, Way};
use crate::kernel::{Kernel, Num};
use crate::llvm::Module;
use crate::ranges::{self, Range};
use crate::{cuda, generate, ir, launch, shrink};

/// One kernel in so many goes through clang as CUDA C++, where it is installed.
const SOURCE_SHARE: u64 = 32;

/// What is asked.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
pub struct Request {
    /// The kernel.
    pub seed: u64,
    /// Cuts made to it, in order.
    pub cuts: Vec<usize>,
    /// Only the variant of this name.
    pub only: Option<String>,
    /// Send the kernel's text, too.
    pub text: bool,
}

/// What is answered.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Reply {
    /// What the check gave.
    pub verdict: Verdict,
    /// How many single cuts the kernel has.
    pub cuts: usize,
    /// Why it could not be made; empty if it was.
    pub invalid: String,
    /// IR with its launches as comments, if asked for.
    pub text: String,
}

/// Begins a line that names the variant tried next, so that it is known should the process end.
pub const BEGIN: &str = "@";

/// Serves requests until the input ends.
pub fn serve() {
    let stdin = std::io::stdin();
    for line in stdin.lock().lines() {
        let Ok(line) = line else { return };
        let mut begin = |variant: &str| {
            let mut out = std::io::stdout().lock();
            // If nobody listens the reply will not get through either.
            let _ = writeln!(out, "{BEGIN}{variant}").and_then(|()| out.flush());
        };
        let reply = match serde_json::from_str::<Request>(&line) {
            Ok(request) => answer(&request, &mut begin),
            Err(e) => Reply {
                invalid: e.to_string(),
                ..Reply::default()
            },
        };
        let Ok(text) = serde_json::to_string(&reply) else {
            return;
        };
        let mut out = std::io::stdout().lock();
        if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

/// A kernel made concrete: IR as the plug-in meets it, and launches.
pub struct Made {
    /// Bitcode.
    pub base: Vec<u8>,
    /// The same as text.
    pub text: String,
    /// Launches.
    pub cases: Vec<Case>,
}

/// Checks one kernel; `begin` hears of each variant before it is tried.
pub fn answer(request: &Request, begin: &mut dyn FnMut(&str)) -> Reply {
    let mut reply = Reply::default();
    let (kernel, ranges) = match cut_kernel(request) {
        Ok(k) => k,
        Err(e) => {
            return Reply {
                invalid: e,
                ..reply
            };
        }
    };
    reply.cuts = shrink::cuts(&kernel);
    let clang = if request.seed % SOURCE_SHARE == 1 {
        cuda::clang()
    } else {
        None
    };
    let source = if clang.is_some() {
        "source: CUDA C++ through clang"
    } else {
        "source: IR"
    };
    let made = match make(&kernel, &ranges, request.text, clang) {
        Ok(m) => m,
        Err(e) => {
            return Reply {
                invalid: e,
                ..reply
            };
        }
    };
    let mut rng = Rng::with_seed(request.seed ^ 0x5eed);
    let schedules = schedules(&mut rng);
    let fuse = kernel.contract && matches!(kernel.num, Num::F32 | Num::F64) && rng.u32(0..4) == 0;
    let way = Way { schedules, fuse };
    let mut variants = variants(&mut rng);
    if let Some(only) = &request.only {
        variants.retain(|v| v.name == *only);
    }
    if request.text {
        reply.text = with_launches(&made, &variants, &way);
    }
    reply.verdict = check::check(&made.base, &made.cases, &variants, &way, begin);
    if fuse {
        reply
            .verdict
            .features
            .insert("run: multiply-adds fused".into());
    }
    reply.verdict.features.insert(source.into());
    reply
}

fn cut_kernel(request: &Request) -> Result<(Kernel, Vec<Vec<Range>>), String> {
    let generated = generate::generate(request.seed);
    if request.cuts.is_empty() {
        return Ok((generated.kernel, generated.ranges));
    }
    let mut kernel = generated.kernel;
    for n in &request.cuts {
        kernel = shrink::cut(&kernel, *n).ok_or("no such cut")?;
    }
    let ranges = kernel.shapes.iter().map(|s| ranges::ranges(&kernel, s));
    let ranges = ranges
        .collect::<Result<Vec<_>, _>>()
        .map_err(|e| format!("{e:?}"))?;
    Ok((kernel, ranges))
}

/// IR and launches of a kernel.
pub fn make(
    kernel: &Kernel,
    ranges: &[Vec<Range>],
    text: bool,
    clang: Option<PathBuf>,
) -> Result<Made, String> {
    let lengths = launch::module_lengths(kernel, ranges);
    let cases = kernel
        .shapes
        .iter()
        .zip(ranges)
        .map(|(s, r)| launch::case(kernel, s, r, &lengths))
        .collect();
    let module = match clang {
        Some(clang) => Module::parse(&cuda::compile(&clang, kernel, &lengths)?)?,
        None => {
            let source = ir::print(kernel, &lengths);
            Module::parse(source.as_bytes())
                .map_err(|e| format!("generated IR is wrong: {e}\n{source}"))?
        }
    };
    module.simplify()?;
    let text = if text { module.text() } else { String::new() };
    Ok(Made {
        base: module.bitcode(),
        text,
        cases,
    })
}

fn schedules(rng: &mut Rng) -> Vec<Schedule> {
    let seed = rng.u64(..1000);
    let other = [
        Schedule::Reverse,
        Schedule::Random(seed),
        Schedule::Warps,
        Schedule::Blocks(seed),
    ];
    vec![Schedule::Forward, other[rng.usize(0..other.len())]]
}

/// The variants every regression is run under.
pub fn standing_variants() -> Vec<Variant> {
    let force = Options {
        force: true,
        ..Options::default()
    };
    let strip = Options {
        strip: Some(7),
        ..force.clone()
    };
    let small = Options {
        shared: Some(2048),
        ..force.clone()
    };
    let merge = Options {
        merge: Some([2, 2, 1]),
        ..force.clone()
    };
    let bare = Options {
        merge: Some([2, 2, 1]),
        ..Options::default()
    };
    let row = Options {
        merge: Some([4, 1, 1]),
        ..force.clone()
    };
    let unstaged = Options {
        shared: Some(0),
        ..merge.clone()
    };
    let abreast = Options {
        shared: Some(0),
        abreast: Some(3),
        ..force.clone()
    };
    let rounds = Options {
        rounds: Some(4),
        ..in_rounds()
    };
    let two = Options {
        depth: Some(2),
        strip: Some(4),
        ..force.clone()
    };
    let three = Options {
        depth: Some(3),
        width: false,
        ..force.clone()
    };
    let all = [
        ("force", &force),
        ("force;merge=2x2", &merge),
        ("force;merge=4", &row),
        ("force;merge=2x2;shared=0", &unstaged),
        ("force;shared=0;abreast=3", &abreast),
        ("shared=0;merge=off;abreast=1;rounds=4", &rounds),
        ("force;strip=7", &strip),
        ("force;shared=2048", &small),
        ("force;depth=2;strip=4", &two),
        ("force;depth=3;width=off", &three),
        ("merge=2x2", &bare),
        ("default", &Options::default()),
    ];
    let both = |(name, options): (&str, &Options)| {
        [false, true].map(|optimised| Variant {
            name: format!("{name}{}", if optimised { " then -O3" } else { "" }),
            options: options.clone(),
            optimised,
        })
    };
    all.into_iter().flat_map(both).collect()
}

/// Nothing but loops in rounds.
fn in_rounds() -> Options {
    Options {
        shared: Some(0),
        merge: Some([1; 3]),
        abreast: Some(1),
        ..Options::default()
    }
}

/// All of `force`, strips in flight, and three more ways, before and after the rest of -O3.
fn variants(rng: &mut Rng) -> Vec<Variant> {
    let force = Options {
        force: true,
        ..Options::default()
    };
    let mut all = Vec::new();
    let mut add = |name: &str, options: &Options, optimised: bool| {
        let name = if optimised {
            format!("{name} then -O3")
        } else {
            name.to_string()
        };
        all.push(Variant {
            name,
            options: options.clone(),
            optimised,
        });
    };
    add("force", &force, false);
    add("force", &force, true);
    let (name, options) = in_flight(rng, &force);
    add(&name, &options, false);
    if rng.u32(0..4) == 0 {
        add(&name, &options, true);
    }
    let lanes = [2, 3, 4, 8][rng.usize(0..4)];
    let abreast = Options {
        shared: Some(0),
        abreast: Some(lanes),
        ..force.clone()
    };
    let late = rng.u32(0..3) == 0;
    add(&format!("force;shared=0;abreast={lanes}"), &abreast, late);
    let length = [None, Some(2), Some(8), Some(16)][rng.usize(0..4)];
    let rounds = Options {
        rounds: length,
        ..in_rounds()
    };
    let name = length.map_or(String::new(), |n| format!(";rounds={n}"));
    let late = rng.u32(0..3) == 0;
    add(
        &format!("shared=0;merge=off;abreast=1{name}"),
        &rounds,
        late,
    );
    let n = rng.u32(1..40);
    let bytes = [256, 1024, 2048, 4096, 8192, 16384][rng.usize(0..6)];
    let block = [
        [32, 1, 1],
        [64, 1, 1],
        [16, 16, 1],
        [8, 8, 4],
        [4, 4, 4],
        [1024, 1, 1],
        [5, 3, 2],
    ][rng.usize(0..7)];
    let (name, options) = match rng.u32(0..10) {
        0..4 => (
            format!("force;strip={n}"),
            Options {
                strip: Some(n),
                ..force.clone()
            },
        ),
        4 | 5 => (
            format!("force;shared={bytes}"),
            Options {
                shared: Some(bytes),
                ..force.clone()
            },
        ),
        6 => (
            format!("force;block={}x{}x{}", block[0], block[1], block[2]),
            Options {
                block: Some(block),
                ..force.clone()
            },
        ),
        7 => (
            "force;fuel=1".into(),
            Options {
                fuel: Some(1),
                ..force.clone()
            },
        ),
        8 => (
            format!("force;strip={n};shared={bytes}"),
            Options {
                strip: Some(n),
                shared: Some(bytes),
                ..force.clone()
            },
        ),
        _ if rng.bool() => (
            "force;fuel=0".into(),
            Options {
                fuel: Some(0),
                ..force.clone()
            },
        ),
        _ => (
            "force;only=another".into(),
            Options {
                only: Some("another".into()),
                ..force.clone()
            },
        ),
    };
    add(&name, &options, false);
    if rng.u32(0..4) == 0 {
        add(&name, &options, true);
    }
    let factors = [
        [2, 1, 1],
        [4, 1, 1],
        [1, 2, 1],
        [2, 2, 1],
        [4, 2, 1],
        [1, 4, 2],
        [2, 1, 4],
        [1, 1, 2],
    ][rng.usize(0..8)];
    let mut merge = Options {
        merge: Some(factors),
        ..force.clone()
    };
    let [x, y, z] = factors;
    let mut name = format!("force;merge={x}x{y}x{z}");
    let unstaged = Options {
        shared: Some(0),
        ..merge.clone()
    };
    let alone = format!("{name};shared=0");
    if rng.bool() {
        let (depth, strip) = (rng.u32(2..5), [4, 8, 16][rng.usize(0..3)]);
        merge.depth = Some(depth);
        merge.strip = Some(strip);
        name += &format!(";depth={depth};strip={strip}");
    }
    add(&name, &merge, rng.u32(0..3) == 0);
    // Where nothing is sure to pay, blocks are merged without tiles.
    let bare = Options {
        merge: Some(factors),
        ..Options::default()
    };
    add(&format!("merge={x}x{y}x{z}"), &bare, rng.u32(0..4) == 0);
    // Nothing fits: lanes that load what they need themselves.
    add(&alone, &unstaged, rng.bool());
    let default = Options::default();
    add("default", &default, false);
    if rng.u32(0..3) == 0 {
        add("default", &default, true);
    }
    all
}

/// Several strips in flight. Lengths that are multiples of 4 make rows that can be copied by 16 bytes.
fn in_flight(rng: &mut Rng, force: &Options) -> (String, Options) {
    let depth = rng.u32(2..5);
    let mut name = format!("force;depth={depth}");
    let mut options = Options {
        depth: Some(depth),
        ..force.clone()
    };
    if rng.u32(0..4) > 0 {
        let length = [1, 2, 3, 4, 5, 7, 8, 12, 16][rng.usize(0..9)];
        name += &format!(";strip={length}");
        options.strip = Some(length);
    }
    if rng.u32(0..5) == 0 {
        name += ";width=off";
        options.width = false;
    }
    if rng.u32(0..8) == 0 {
        name += ";shared=4096";
        options.shared = Some(4096);
    }
    (name, options)
}

/// The text of a regression file: how it is run, then the IR.
fn with_launches(made: &Made, variants: &[Variant], way: &Way) -> String {
    let mut head = String::new();
    for v in variants {
        head += &format!("; variant: {}\n", v.name);
    }
    head += &format!("; schedules: {:?}\n", way.schedules);
    head += if way.fuse { "; fused\n" } else { "" };
    for case in &made.cases {
        head += &format!("; launch: {}\n", launch::to_text(case));
    }
    head + &made.text
}
