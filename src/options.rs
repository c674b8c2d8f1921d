//! Every knob of the plug-in: its default, its unit, and the three ways to set it.
//!
//! A knob is one row of [`KNOBS`]; the command-line options, `--help`, the environment variables,
//! the pass parameters and the messages about wrong ones all come from that table. Precedence,
//! strongest first: `mesi<knob=value;...>`, `-mllvm -mesi-knob=value`, `MESI_KNOB=value`. An
//! `annotate("mesi.block=...")` on a kernel is weaker than all three (`kernel/annotations.rs`).
//!
//! This is the only reader of parameters; stages get `&Options` and keep none of it.

use crate::boundary::Stage;
use crate::llvm::CommandLineOption;
use crate::plan::model::Asked;
use std::sync::OnceLock;

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
    /// Iterations of an outer loop that a thread runs together where nothing is staged; 1: none.
    pub abreast: Option<u32>,
    /// Launches to predict the gain of, for every kernel looked at.
    pub launch: Vec<Asked>,
    /// Ask LLVM to leave loops of constant trip count rolled until the pass has seen them.
    pub keep_rolled: bool,
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
            abreast: None,
            launch: Vec::new(),
            keep_rolled: false,
            verify: true,
            panic_at: None,
        }
    }
}

/// One knob: a row of the only table of them.
struct Knob {
    /// As in `mesi<name=value>`.
    name: &'static str,
    /// As in `-mesi-name=value`; spelt out because LLVM keeps the pointer.
    flag: &'static str,
    /// As in `MESI_NAME=value`.
    variable: &'static str,
    /// What a value looks like; `None` for a switch.
    value: Option<&'static str>,
    /// One sentence with unit and default.
    help: &'static str,
    /// Parses and stores a value; the error says what would be right.
    set: fn(&mut Options, &str) -> Result<(), String>,
}

const KNOBS: &[Knob] = &[
    Knob {
        name: "disable",
        flag: "mesi-disable",
        variable: "MESI_DISABLE",
        value: None,
        help: "mesi: leave every kernel alone (default off)",
        set: |o, v| switch(v).map(|b| o.disable = b),
    },
    Knob {
        name: "force",
        flag: "mesi-force",
        variable: "MESI_FORCE",
        value: None,
        help: "mesi: stage whatever is legal, whether or not it is expected to be faster (default off)",
        set: |o, v| switch(v).map(|b| o.force = b),
    },
    Knob {
        name: "only",
        flag: "mesi-only",
        variable: "MESI_ONLY",
        value: Some("kernel"),
        help: "mesi: look only at the kernel of this symbol or source name (default all)",
        set: |o, v| text(v).map(|t| o.only = Some(t)),
    },
    Knob {
        name: "fuel",
        flag: "mesi-fuel",
        variable: "MESI_FUEL",
        value: Some("arrays"),
        help: "mesi: stage at most this many arrays of a module, in program order, to bisect a fault (default no limit)",
        set: |o, v| number(v, 0, u32::MAX).map(|n| o.fuel = Some(n)),
    },
    Knob {
        name: "block",
        flag: "mesi-block",
        variable: "MESI_BLOCK",
        value: Some("XxYxZ"),
        help: "mesi: largest block shape, in threads, that the staged body serves (default by kernel)",
        set: |o, v| block_shape(v).map(|b| o.block = Some(b)),
    },
    Knob {
        name: "strip",
        flag: "mesi-strip",
        variable: "MESI_STRIP",
        value: Some("iterations"),
        help: "mesi: iterations of the staged loop per strip (default by kernel)",
        set: |o, v| number(v, 1, 4096).map(|n| o.strip = Some(n)),
    },
    Knob {
        name: "depth",
        flag: "mesi-depth",
        variable: "MESI_DEPTH",
        value: Some("strips"),
        help: "mesi: strips in flight, 1 to 4, where that is legal (default by kernel)",
        set: |o, v| number(v, 1, 4).map(|n| o.depth = Some(n)),
    },
    Knob {
        name: "overlap",
        flag: "mesi-overlap",
        variable: "MESI_OVERLAP",
        value: None,
        help: "mesi: fetch strips while others are used (default on)",
        set: |o, v| switch(v).map(|b| o.overlap = b),
    },
    Knob {
        name: "width",
        flag: "mesi-width",
        variable: "MESI_WIDTH",
        value: None,
        help: "mesi: copy 16 bytes at once where they lie aligned (default on)",
        set: |o, v| switch(v).map(|b| o.width = b),
    },
    Knob {
        name: "shared",
        flag: "mesi-shared",
        variable: "MESI_SHARED",
        value: Some("bytes"),
        help: "mesi: most static shared memory, in bytes, that a kernel may end with (default what the target allows)",
        set: |o, v| number(v, 0, 49152).map(|n| o.shared = Some(n)),
    },
    Knob {
        name: "merge",
        flag: "mesi-merge",
        variable: "MESI_MERGE",
        value: Some("XxYxZ"),
        help: "mesi: neighbouring blocks that one does the work of where that is legal, powers of two, or off (default by kernel)",
        set: |o, v| merge_factors(v).map(|m| o.merge = Some(m)),
    },
    Knob {
        name: "abreast",
        flag: "mesi-abreast",
        variable: "MESI_ABREAST",
        value: Some("iterations"),
        help: "mesi: iterations of an outer loop, 1 to 16, that a thread runs together where nothing is staged and that is legal; 1: none (default by kernel)",
        set: |o, v| number(v, 1, 16).map(|n| o.abreast = Some(n)),
    },
    Knob {
        name: "launch",
        flag: "mesi-launch",
        variable: "MESI_LAUNCH",
        value: Some("GRID:BLOCK:ARGUMENTS"),
        help: "mesi: launches to predict the gain of, as 256x256:16x16:_:_:_:4096, an argument a number, _ or {BYTE=NUMBER/...}, joined by + (default none)",
        set: |o, v| Asked::parse(v).map(|l| o.launch = l),
    },
    Knob {
        name: "keep-rolled",
        flag: "mesi-keep-rolled",
        variable: "MESI_KEEP_ROLLED",
        value: None,
        help: "mesi: keep loops of constant trip count rolled until the pass has seen them; not as a pass parameter (default off)",
        set: |o, v| switch(v).map(|b| o.keep_rolled = b),
    },
    Knob {
        name: "verify",
        flag: "mesi-verify",
        variable: "MESI_VERIFY",
        value: None,
        help: "mesi: verify what was emitted (default on)",
        set: |o, v| switch(v).map(|b| o.verify = b),
    },
    Knob {
        name: "panic-at",
        flag: "mesi-panic-at",
        variable: "MESI_PANIC_AT",
        value: Some("stage"),
        help: "mesi: fail on purpose on entering this stage (for mesi's own tests; default never)",
        set: |o, v| Stage::parse(v).map(|s| o.panic_at = Some(s)),
    },
];

/// Variables of our prefix that tests and tools read, which the plug-in therefore lets pass.
const OTHER_VARIABLES: &[&str] = &["MESI_BLESS", "MESI_REQUIRE_CUDA"];

/// The command-line options, in `KNOBS`' order, once they are registered.
static COMMAND_LINE: OnceLock<Vec<CommandLineOption>> = OnceLock::new();

/// Registers every knob with LLVM's command line.
///
/// The answer is false where another copy of the plug-in has done so: LLVM ends the process over
/// a second registration, so the second copy must step back. A second call from this copy is fine.
pub fn register() -> bool {
    if COMMAND_LINE.get().is_some() {
        return true;
    }
    if CommandLineOption::exists(KNOBS[0].flag) {
        return false;
    }
    COMMAND_LINE.get_or_init(|| {
        KNOBS
            .iter()
            .map(|k| CommandLineOption::add(k.flag, k.help, k.value))
            .collect()
    });
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
    environment.sort();
    for (name, value) in &environment {
        if !name.starts_with("MESI_") || OTHER_VARIABLES.contains(&name.as_str()) {
            continue;
        }
        let knob = KNOBS.iter().find(|k| k.variable == name).ok_or_else(|| {
            unknown(&format!("environment variable {name}"), |k| {
                k.variable.to_string()
            })
        })?;
        (knob.set)(&mut options, value).map_err(|e| format!("{name}={value}: {e}"))?;
    }
    for (knob, value) in KNOBS.iter().zip(command_line) {
        let Some(value) = value else { continue };
        (knob.set)(&mut options, value).map_err(|e| format!("-{}={value}: {e}", knob.flag))?;
    }
    for parameter in parameters(pass) {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let knob = KNOBS
            .iter()
            .find(|k| k.name == name)
            .ok_or_else(|| unknown(&format!("parameter '{name}'"), |k| k.name.to_string()))?;
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

fn unknown(what: &str, valid: fn(&Knob) -> String) -> String {
    let valid: Vec<String> = KNOBS
        .iter()
        .filter(|k| k.name != "panic-at")
        .map(valid)
        .collect();
    format!("unknown {what}; valid are: {}", valid.join(", "))
}

fn switch(v: &str) -> Result<bool, String> {
    match v {
        "" | "on" | "1" | "true" => Ok(true),
        "off" | "0" | "false" => Ok(false),
        _ => Err("expected on or off".into()),
    }
}

fn text(v: &str) -> Result<String, String> {
    if v.is_empty() {
        Err("expected a name".into())
    } else {
        Ok(v.into())
    }
}

fn number(v: &str, least: u32, most: u32) -> Result<u32, String> {
    v.parse::<u32>()
        .ok()
        .filter(|n| (least..=most).contains(n))
        .ok_or_else(|| format!("expected a whole number from {least} to {most}"))
}

/// Parses `16,16,1`, `16x16x1`, `16x16` or `256`. The `x` is there because a comma ends a pass in
/// a `-passes=` pipeline. The limits are CUDA's own for a block.
pub fn block_shape(v: &str) -> Result<[u32; 3], String> {
    let wrong = || {
        "expected a block shape such as 16x16x1: x and y up to 1024, z up to 64, 1024 threads in all".to_string()
    };
    let mut shape = [1u32; 3];
    let parts: Vec<&str> = v.split(['x', ',']).map(str::trim).collect();
    if parts.len() > 3 {
        return Err(wrong());
    }
    for (extent, part) in shape.iter_mut().zip(&parts) {
        *extent = part
            .parse()
            .ok()
            .filter(|n| (1..=1024).contains(n))
            .ok_or_else(wrong)?;
    }
    if shape[2] > 64 || shape.iter().product::<u32>() > 1024 {
        return Err(wrong());
    }
    Ok(shape)
}

/// Parses `4x4`, `8` or `off`.
fn merge_factors(v: &str) -> Result<[u32; 3], String> {
    let wrong = || {
        "expected off, or factors such as 4x4: powers of two up to 16, 64 lanes at most".to_string()
    };
    if v == "off" {
        return Ok([1; 3]);
    }
    let mut factors = [1u32; 3];
    let parts: Vec<&str> = v.split('x').collect();
    if parts.len() > 3 {
        return Err(wrong());
    }
    for (factor, part) in factors.iter_mut().zip(parts) {
        *factor = part
            .parse()
            .ok()
            .filter(|n: &u32| n.is_power_of_two() && *n <= 16)
            .ok_or_else(wrong)?;
    }
    if factors.iter().product::<u32>() > 64 {
        return Err(wrong());
    }
    Ok(factors)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pass: &str, flags: &[(&str, &str)], env: &[(&str, &str)]) -> Result<Options, String> {
        let flags: Vec<Option<String>> = KNOBS
            .iter()
            .map(|k| {
                flags
                    .iter()
                    .find(|(n, _)| *n == k.name)
                    .map(|(_, v)| v.to_string())
            })
            .collect();
        combine(
            pass,
            &flags,
            env.iter()
                .map(|(n, v)| (n.to_string(), v.to_string()))
                .collect(),
        )
    }

    #[test]
    fn nothing_given_is_the_default() {
        assert_eq!(
            with("mesi", &[], &[("PATH", "/bin"), ("MESI_BLESS", "1")]),
            Ok(Options::default())
        );
    }

    #[test]
    fn parameter_beats_flag_beats_environment() {
        let env = [
            ("MESI_STRIP", "1"),
            ("MESI_FUEL", "1"),
            ("MESI_SHARED", "1"),
        ];
        let o = with("mesi<strip=3>", &[("strip", "2"), ("fuel", "2")], &env).unwrap();
        assert_eq!((o.strip, o.fuel, o.shared), (Some(3), Some(2), Some(1)));
    }

    #[test]
    fn overlap_and_width_are_on_until_turned_off() {
        let o = with(
            "mesi<depth=3;width=off>",
            &[],
            &[("MESI_OVERLAP", "off"), ("MESI_DEPTH", "2")],
        )
        .unwrap();
        assert_eq!((o.depth, o.overlap, o.width), (Some(3), false, false));
        assert!(Options::default().overlap && Options::default().width);
    }

    #[test]
    fn a_switch_can_be_turned_off_again() {
        assert!(with("mesi", &[("force", "")], &[]).unwrap().force);
        assert!(
            !with("mesi<force=off>", &[("force", "")], &[])
                .unwrap()
                .force
        );
    }

    #[test]
    fn print_passes_take_parameters_after_their_subject() {
        let o = with("print<mesi-plan;force;block=16x8>", &[], &[]).unwrap();
        assert_eq!((o.force, o.block), (true, Some([16, 8, 1])));
    }

    #[test]
    fn unknown_names_list_the_valid_ones() {
        let e = with("mesi<forse>", &[], &[]).unwrap_err();
        assert!(
            e.starts_with("unknown parameter 'forse'; valid are: disable, force, only"),
            "{e}"
        );
        let e = with("mesi", &[], &[("MESI_FORSE", "1")]).unwrap_err();
        assert!(
            e.contains("MESI_FORSE; valid are: MESI_DISABLE, MESI_FORCE"),
            "{e}"
        );
    }

    #[test]
    fn wrong_values_say_what_is_right() {
        for (parameter, expected) in [
            ("force=maybe", "on or off"),
            ("fuel=-1", "from 0 to 4294967295"),
            ("strip=0", "from 1 to 4096"),
            ("depth=5", "from 1 to 4"),
            ("depth=0", "from 1 to 4"),
            ("overlap=2", "on or off"),
            ("width=16", "on or off"),
            ("shared=49153", "from 0 to 49152"),
            ("only", "a name"),
            ("block=16x16x16", "1024 threads"),
            ("block=1x1x65", "z up to 64"),
            ("block=0", "16x16x1"),
            ("block=1x1x1x1", "16x16x1"),
        ] {
            let e = with(&format!("mesi<{parameter}>"), &[], &[]).unwrap_err();
            assert!(e.contains(parameter) && e.contains(expected), "{e}");
        }
    }

    #[test]
    fn block_shapes_with_either_separator() {
        assert_eq!(block_shape("16,16,1"), Ok([16, 16, 1]));
        assert_eq!(block_shape("32x32"), Ok([32, 32, 1]));
        assert_eq!(block_shape("256"), Ok([256, 1, 1]));
    }

    #[test]
    fn names_agree_with_one_another() {
        for k in KNOBS {
            assert_eq!(k.flag, format!("mesi-{}", k.name));
            assert_eq!(
                k.variable,
                format!("MESI_{}", k.name.to_uppercase().replace('-', "_"))
            );
            assert!(
                k.help.contains("(default") || k.help.contains("; default"),
                "{}",
                k.name
            );
        }
    }
}
