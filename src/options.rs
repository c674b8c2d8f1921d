//! Every knob of the plug-in: its default, its unit, and the three ways to set it.
//!
//! A knob is one row of [`KNOBS`]; the command-line options, `--help`, the environment variables,
//! the pass parameters and the messages about wrong ones all come from that table. Precedence,
//! strongest first: `mesi<knob=value;...>`, `-mllvm -mesi-knob=value`, `MESI_KNOB=value`. An
//! `annotate("mesi.block=...")` on a kernel is weaker than all three (`kernel/annotations.rs`).
//!
//! This is the only reader of parameters; stages get `&Options` and keep none of it.

#[cfg(test)]
mod tests;
mod values;

use crate::llvm::CommandLineOption;
use crate::names::MOST_VERSIONS;
use crate::plan::model::Query;
use crate::stage::Stage;
use std::sync::OnceLock;
use values::{form, merge_factors, number, round_length, switch, text};

pub use values::block_shape;

/// What the user asked for. `None` means: decide from the kernel and the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Do nothing.
    pub disable: bool,
    /// Stage whatever is legal, whatever it gains.
    pub force: bool,
    /// Look at this kernel alone: its symbol, its source name, or its source name with scopes.
    pub only: Option<String>,
    /// Stage at most this many arrays of a module, in program order: for bisecting.
    pub fuel: Option<u32>,
    /// Largest block shape (threads in x, y, z) the staged body serves.
    pub block: Option<[u32; 3]>,
    /// Iterations of the staged loop per strip.
    pub strip: Option<u32>,
    /// Strips in flight, where that is legal.
    pub depth: Option<u32>,
    /// Fetch strips while others are used.
    pub overlap: bool,
    /// Copy several elements at once where they lie aligned.
    pub width: bool,
    /// Most static shared memory (bytes) a kernel may end with.
    pub shared: Option<u32>,
    /// Neighbouring blocks that one does the work of, in x, y, z; all 1: none.
    pub merge: Option<[u32; 3]>,
    /// Times its original's length that a kernel's code may have, about.
    pub code: Option<u32>,
    /// Which of a plan's versions are kept: how many of the first are left out, and how many there are then at most;
    /// none: the kernel stays as it is. Not a knob: `size` looks for those that fit `code`.
    pub versions: (usize, usize),
    /// Iterations of an outer loop that a thread runs together where nothing is staged; 1: none.
    pub unroll_jam: Option<u32>,
    /// Iterations a round of loops in kernels of which nothing else is made, a power of two; 1: none.
    pub unroll: Option<u32>,
    /// Launches to predict the gain of, for every kernel looked at.
    pub launch: Vec<Query>,
    /// Ask LLVM to leave loops of constant trip count rolled until the pass has seen them.
    pub keep_rolled: bool,
    /// Make versions kernels of their own, of which host code picks one for each launch; `None`: in clang's own
    /// pipeline.
    pub host: Option<bool>,
    /// Kernels that are made of one at most.
    pub kernels: usize,
    /// Where the host picks, let it launch threads in blocks of another size, too.
    pub reshape: bool,
    /// Run LLVM's verifier and our own check over what was emitted.
    pub verify: bool,
    /// For tests: panic on entering this stage.
    pub panic_at: Option<Stage>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            disable: false,
            force: false,
            only: None,
            fuel: None,
            block: None,
            strip: None,
            depth: None,
            overlap: true,
            width: true,
            shared: None,
            merge: None,
            code: None,
            versions: (0, usize::MAX),
            unroll_jam: None,
            unroll: None,
            launch: Vec::new(),
            keep_rolled: false,
            host: None,
            kernels: MOST_VERSIONS,
            reshape: true,
            verify: true,
            panic_at: None,
        }
    }
}

/// The names of a knob in the three places.
struct Name {
    /// As in `mesi<name=value>`.
    parameter: &'static str,
    /// As in `-mesi-name=value`; made when compiled because LLVM keeps the pointer.
    flag: &'static str,
    /// As in `MESI_NAME=value`.
    variable: &'static str,
}

macro_rules! name {
    ($small:literal, $large:literal) => {
        Name {
            parameter: $small,
            flag: concat!("mesi-", $small),
            variable: concat!("MESI_", $large),
        }
    };
}

/// One knob: a row of the only table of them.
struct Knob {
    /// What it is called.
    name: Name,
    /// What a value looks like; `None` for a switch.
    value: Option<&'static str>,
    /// One sentence with unit and default.
    help: &'static str,
    /// Parses and stores a value; the error says what would be right.
    set: fn(&mut Options, &str) -> Result<(), String>,
}

/// Variables of programs that were compiled with the plug-in (`rt/`), which may be set while others are compiled.
const AT_RUN_TIME: [&str; 4] = [
    "MESI_CHOICE",
    "MESI_CACHE_DIR",
    "MESI_REPORT",
    "MESI_GRAPHS",
];

const KNOBS: &[Knob] = &[
    Knob {
        name: name!("disable", "DISABLE"),
        value: None,
        help: "mesi: leave every kernel alone (default off)",
        set: |o, v| switch(v).map(|b| o.disable = b),
    },
    Knob {
        name: name!("force", "FORCE"),
        value: None,
        help: "mesi: stage whatever is legal, whether or not it is expected to be faster (default off)",
        set: |o, v| switch(v).map(|b| o.force = b),
    },
    Knob {
        name: name!("only", "ONLY"),
        value: Some("kernel"),
        help: "mesi: look only at the kernel of this symbol or source name (default all)",
        set: |o, v| text(v).map(|t| o.only = Some(t)),
    },
    Knob {
        name: name!("fuel", "FUEL"),
        value: Some("arrays"),
        help: "mesi: stage at most this many arrays of a module, in program order, to bisect a fault (default \
            no limit)",
        set: |o, v| number(v, 0, u32::MAX).map(|n| o.fuel = Some(n)),
    },
    Knob {
        name: name!("block", "BLOCK"),
        value: Some("XxYxZ"),
        help: "mesi: largest block shape, in threads, that the staged body serves (default by kernel)",
        set: |o, v| block_shape(v).map(|b| o.block = Some(b)),
    },
    Knob {
        name: name!("strip", "STRIP"),
        value: Some("iterations"),
        help: "mesi: iterations of the staged loop per strip (default by kernel)",
        set: |o, v| number(v, 1, 4096).map(|n| o.strip = Some(n)),
    },
    Knob {
        name: name!("depth", "DEPTH"),
        value: Some("strips"),
        help: "mesi: strips in flight, 1 to 4, where that is legal (default by kernel)",
        set: |o, v| number(v, 1, 4).map(|n| o.depth = Some(n)),
    },
    Knob {
        name: name!("overlap", "OVERLAP"),
        value: None,
        help: "mesi: fetch strips while others are used (default on)",
        set: |o, v| switch(v).map(|b| o.overlap = b),
    },
    Knob {
        name: name!("width", "WIDTH"),
        value: None,
        help: "mesi: copy 16 bytes at once where they lie aligned (default on)",
        set: |o, v| switch(v).map(|b| o.width = b),
    },
    Knob {
        name: name!("shared", "SHARED"),
        value: Some("bytes"),
        help: "mesi: most static shared memory, in bytes, that a kernel may end with (default what the target allows)",
        set: |o, v| number(v, 0, 49152).map(|n| o.shared = Some(n)),
    },
    Knob {
        name: name!("merge", "MERGE"),
        value: Some("XxYxZ"),
        help: "mesi: neighbouring blocks that one does the work of where that is legal, powers of two, or off \
            (default by kernel)",
        set: |o, v| merge_factors(v).map(|m| o.merge = Some(m)),
    },
    Knob {
        name: name!("code", "CODE"),
        value: Some("times"),
        help: "mesi: times its original's length that a kernel's machine code may have, about, 2 to 100; \
            versions that do not fit are left out (default no limit)",
        set: |o, v| number(v, 2, 100).map(|n| o.code = Some(n)),
    },
    Knob {
        name: name!("unroll-jam", "UNROLL_JAM"),
        value: Some("iterations"),
        help: "mesi: iterations of an outer loop, 1 to 16, that a thread runs together where nothing is staged \
            and that is legal; 1: none (default by kernel)",
        set: |o, v| number(v, 1, 16).map(|n| o.unroll_jam = Some(n)),
    },
    Knob {
        name: name!("unroll", "UNROLL"),
        value: Some("iterations"),
        help: "mesi: iterations of a loop, 1, 2, 4, 8 or 16, whose loads are under way at once where nothing \
            else is done; 1: as they were (default by kernel)",
        set: |o, v| round_length(v).map(|n| o.unroll = Some(n)),
    },
    Knob {
        name: name!("launch", "LAUNCH"),
        value: Some("GRID:BLOCK:ARGUMENTS"),
        help: "mesi: launches to predict the gain of, as 256x256:16x16:_:_:_:4096, an argument a number, _ or \
            {BYTE=NUMBER/...}, joined by + (default none)",
        set: |o, v| Query::parse(v).map(|l| o.launch = l),
    },
    Knob {
        name: name!("keep-rolled", "KEEP_ROLLED"),
        value: None,
        help: "mesi: keep loops of constant trip count rolled until the pass has seen them; not as a pass \
            parameter (default off)",
        set: |o, v| switch(v).map(|b| o.keep_rolled = b),
    },
    Knob {
        name: name!("form", "FORM"),
        value: Some("own|inside"),
        help: "mesi: make versions kernels of their own, of which host code picks one for each launch, or put \
            them inside the kernel (default own in clang, inside in opt)",
        set: |o, v| form(v).map(|own| o.host = Some(own)),
    },
    Knob {
        name: name!("kernels", "KERNELS"),
        value: Some("N"),
        help: "mesi: versions of a kernel at most that are kernels of their own, 1 to 4 (default 4)",
        set: |o, v| number(v, 1, MOST_VERSIONS as u32).map(|n| o.kernels = n as usize),
    },
    Knob {
        name: name!("reshape", "RESHAPE"),
        value: None,
        help: "mesi: where host code picks what to launch, let it deal the threads of a launch out to blocks of \
            another size, too (default on)",
        set: |o, v| switch(v).map(|b| o.reshape = b),
    },
    Knob {
        name: name!("verify", "VERIFY"),
        value: None,
        help: "mesi: verify what was emitted (default on)",
        set: |o, v| switch(v).map(|b| o.verify = b),
    },
    Knob {
        name: name!("panic-at", "PANIC_AT"),
        value: Some("stage"),
        help: "mesi: fail on purpose on entering this stage (for mesi's own tests; default never)",
        set: |o, v| Stage::parse(v).map(|s| o.panic_at = Some(s)),
    },
];

/// Variables of our prefix that tests and tools read, which the plug-in therefore lets pass.
const OTHER_VARIABLES: &[&str] = &["MESI_BLESS", "MESI_BUILD", "MESI_REQUIRE_CUDA"];

/// The command-line options, in the order of [`names`], once they are registered.
static COMMAND_LINE: OnceLock<Vec<CommandLineOption>> = OnceLock::new();

/// Registers every knob with LLVM's command line.
///
/// The answer is false where another copy of the plug-in has done so: LLVM ends the process over
/// a second registration, so the second copy must step back. A second call from this copy is fine.
pub fn register() -> bool {
    if COMMAND_LINE.get().is_some() {
        return true;
    }
    if CommandLineOption::exists(KNOBS[0].name.flag) {
        return false;
    }
    let add = |k: &'static Knob| CommandLineOption::add(k.name.flag, k.help, k.value);
    COMMAND_LINE.get_or_init(|| KNOBS.iter().map(add).collect());
    true
}

/// The options in force for a pass written as `pass` (`mesi`, `mesi<force;only=mm>`).
/// The error is one line for the user.
pub fn collect(pass: &str) -> Result<Options, String> {
    let command_line: Vec<Option<String>> = match COMMAND_LINE.get() {
        Some(options) => options.iter().map(|o| o.given()).collect(),
        None => Vec::new(),
    };
    combine(
        pass,
        &command_line,
        std::env::vars_os().filter_map(readable).collect(),
    )
}

/// A variable as text; what is not UTF-8 cannot be ours.
fn readable((name, value): (std::ffi::OsString, std::ffi::OsString)) -> Option<(String, String)> {
    Some((
        name.into_string().ok()?,
        value.to_string_lossy().into_owned(),
    ))
}

/// Applies the three sources, weakest first, so that the stronger overwrite.
fn combine(
    pass: &str,
    command_line: &[Option<String>],
    mut environment: Vec<(String, String)>,
) -> Result<Options, String> {
    let mut options = Options::default();
    // The environment has no order of its own; the first wrong variable named must not vary.
    crate::order::sort(&mut environment);
    for (variable, value) in &environment {
        let others = [OTHER_VARIABLES, &AT_RUN_TIME].concat();
        if !variable.starts_with("MESI_") || others.contains(&variable.as_str()) {
            continue;
        }
        let knob = KNOBS.iter().find(|k| k.name.variable == variable);
        let what = || format!("environment variable {variable}");
        let knob = knob.ok_or_else(|| unknown(&what(), |n| n.variable))?;
        (knob.set)(&mut options, value).map_err(|e| format!("{variable}={value}: {e}"))?;
    }
    for (knob, value) in KNOBS.iter().zip(command_line) {
        let Some(value) = value else { continue };
        (knob.set)(&mut options, value).map_err(|e| format!("-{}={value}: {e}", knob.name.flag))?;
    }
    for parameter in parameters(pass) {
        let (word, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let knob = KNOBS.iter().find(|k| k.name.parameter == word);
        let what = || format!("parameter '{word}'");
        let knob = knob.ok_or_else(|| unknown(&what(), |n| n.parameter))?;
        (knob.set)(&mut options, value).map_err(|e| format!("'{parameter}': {e}"))?;
    }
    Ok(options)
}

/// The parameters of a pass text: what stands between `<` and `>`, less a print pass's subject.
fn parameters(pass: &str) -> impl Iterator<Item = &str> {
    let inner = pass
        .split_once('<')
        .map_or("", |(_, rest)| rest.strip_suffix('>').unwrap_or(rest));
    let skip = usize::from(pass.starts_with("print<"));
    inner
        .split(';')
        .skip(skip)
        .map(str::trim)
        .filter(|p| !p.is_empty())
}

fn unknown(what: &str, valid: fn(&Name) -> &'static str) -> String {
    let names = KNOBS.iter().map(|k| &k.name);
    let shown = names.filter(|n| n.parameter != "panic-at");
    let valid: Vec<&str> = shown.map(valid).collect();
    format!("unknown {what}; valid are: {}", valid.join(", "))
}
