//! A worker process: reads one request a line, checks that kernel, answers one line. What brings it
//! down brings down nothing else, and the parent knows on which kernel it was.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use fastrand::Rng;
use mesi_launch::Case;
use mesi_oracle::Schedule;
use serde::{Deserialize, Serialize};

use crate::check::{self, Verdict, Way};
use crate::kernel::{Kernel, Num};
use crate::llvm::Module;
use crate::ranges::{self, Range};
use crate::variants::{self, Variant};
use crate::{cuda, generate, ir, launch, shrink};

/// One kernel in so many goes through clang as CUDA C++, where it is installed.
pub const SOURCE_SHARE: u64 = 32;

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
    let mut variants = variants::random(&mut rng);
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
