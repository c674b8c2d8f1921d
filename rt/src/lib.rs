//! Runs scenarios of the run-time part on a fake CUDA runtime.
//!
//! ```text
//! mesi_rt.c + fake/under_test.c ─┐
//! fake/fake.c     the runtime    ├─ cc ──► one program for each variant ──► reads a scenario, prints what happened
//! fake/scenario.c the commands  ─┘
//! ```
//! The fake's clock moves only by what the fake does, and its noise comes from a seed, so a scenario always ends alike. Each
//! runs in a process of its own, since the run-time part reads the environment once.

use std::collections::HashMap;
use std::hash::Hash;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex, OnceLock};

use tempfile::TempDir;

/// How the program is built.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// As it is.
    Plain,
    /// With one rule of the run-time part left out (`MUTATED` in its sources).
    Without(u32),
    /// With ThreadSanitizer.
    ThreadSanitizer,
    /// With the system's clock and without checks, to be timed.
    Timed,
}

/// The folder of the C sources.
pub fn sources() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER
        .get_or_init(|| TempDir::new().expect("no temporary folder"))
        .path()
}

fn run_compiler(arguments: &[String]) -> Result<(), String> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let output = Command::new(&compiler).args(arguments).output();
    let output = output.map_err(|e| format!("{compiler}: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// Options of every compile.
const COMMON: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];
/// Options of what is to run fast, and to be looked into.
const OPTIMISED: [&str; 2] = ["-O2", "-g"];

/// Compiles a source of `folder` to an object of this name.
fn object(name: &str, source: &str, options: &[&str]) -> Result<String, String> {
    let text = |p: PathBuf| p.to_string_lossy().into_owned();
    let object = text(folder().join(format!("{name}.o")));
    let mut arguments: Vec<String> = COMMON
        .iter()
        .chain(options)
        .map(ToString::to_string)
        .collect();
    let source = text(sources().join("tests/fake").join(source));
    arguments.extend(["-c".into(), source, "-o".into(), object.clone()]);
    run_compiler(&arguments)?;
    Ok(object)
}

/// The fake runtime and the scenarios: the same for all variants that are compiled so.
fn fake(sanitizer: &'static [&'static str]) -> Result<Vec<String>, String> {
    static BUILT: Built<&[&str], Vec<String>> = Mutex::new(None);
    once(&BUILT, sanitizer, || {
        let build = |name: &str| {
            let object_name = format!("{name}{}", sanitizer.concat().replace('=', "-"));
            let options = [&OPTIMISED, sanitizer].concat();
            object(&object_name, &format!("{name}.c"), &options)
        };
        ["fake", "scenario"].into_iter().map(build).collect()
    })
}

fn build(variant: Variant) -> Result<PathBuf, String> {
    let clock = (!matches!(variant, Variant::Timed)).then_some("-DMESI_TEST_CLOCK");
    let sanitizer: &[&str] = match variant {
        Variant::ThreadSanitizer => &["-fsanitize=thread"],
        _ => &[],
    };
    let (name, rule) = match variant {
        Variant::Plain => ("plain".into(), None),
        Variant::Timed => ("timed".into(), None),
        Variant::ThreadSanitizer => ("tsan".into(), None),
        Variant::Without(rule) => {
            let option = format!("-DMESI_MUTATE={rule}");
            (format!("without{rule}"), Some(option))
        }
    };
    // The run-time part as the plug-in compiles it; the fake with the C library's headers.
    let mut options = vec!["-ffreestanding", "-fPIC", "-fno-stack-protector"];
    // Each rule left out is a program for one test: to optimise it takes longer than it runs.
    if rule.is_none() {
        options.extend(OPTIMISED);
    }
    options.extend(
        sanitizer
            .iter()
            .copied()
            .chain(clock)
            .chain(rule.as_deref()),
    );
    let part = object(&name, "under_test.c", &options)?;
    let program = folder().join(name);
    let mut whole = fake(sanitizer)?;
    whole.extend(sanitizer.iter().map(ToString::to_string));
    whole.extend([part, "-o".into(), program.to_string_lossy().into_owned()]);
    whole.extend(["-lpthread", "-lm"].map(String::from));
    run_compiler(&whole)?;
    Ok(program)
}

/// What was built, each by the first that asked for it, while others build something else.
type Built<K, T> = Mutex<Option<HashMap<K, Arc<OnceLock<Result<T, String>>>>>>;

fn once<K: Eq + Hash, T: Clone>(
    built: &Built<K, T>,
    key: K,
    build: impl FnOnce() -> Result<T, String>,
) -> Result<T, String> {
    let mut all = built.lock().expect("poisoned");
    let slot = all.get_or_insert_default().entry(key).or_default().clone();
    drop(all);
    slot.get_or_init(build).clone()
}

/// The program in a variant, built at its first use.
pub fn program(variant: Variant) -> Result<PathBuf, String> {
    static BUILT: Built<Variant, PathBuf> = Mutex::new(None);
    once(&BUILT, variant, || build(variant))
}

/// A scenario and its surroundings.
pub struct Scenario {
    variant: Variant,
    environment: Vec<(String, String)>,
    script: String,
}

/// What a scenario printed.
pub struct Seen {
    /// Standard output, line by line.
    pub lines: Vec<String>,
    /// Standard error.
    pub errors: String,
}

impl Scenario {
    /// Commands, one a line: see `fake/scenario.c`. There is no cache unless one is given.
    pub fn new(script: &str) -> Self {
        Scenario {
            variant: Variant::Plain,
            environment: vec![],
            script: script.into(),
        }
    }

    /// Sets a variable.
    pub fn with(mut self, name: &str, value: impl AsRef<str>) -> Self {
        self.environment.push((name.into(), value.as_ref().into()));
        self
    }

    /// Runs in another variant.
    pub fn variant(mut self, variant: Variant) -> Self {
        self.variant = variant;
        self
    }

    /// Runs it and returns what came of it.
    pub fn output(&self) -> Output {
        let program = program(self.variant).unwrap_or_else(|e| panic!("cannot build: {e}"));
        let mut command = Command::new(program);
        command.env_clear().env("MESI_CACHE_DIR", "/dev/null/none");
        let environment = self.environment.iter().map(|(n, v)| (n, v));
        command.envs(environment);
        let pipes = [Stdio::piped(), Stdio::piped(), Stdio::piped()];
        let [input, output, errors] = pipes;
        let child = command.stdin(input).stdout(output).stderr(errors);
        let mut child = child.spawn().expect("does not start");
        let mut input = child.stdin.take().expect("no input");
        input.write_all(self.script.as_bytes()).expect("no input");
        drop(input);
        child.wait_with_output().expect("does not end")
    }

    /// Runs it; it must end well.
    pub fn run(&self) -> Seen {
        let output = self.output();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {errors}", output.status);
        let text = String::from_utf8_lossy(&output.stdout);
        Seen {
            lines: text.lines().map(String::from).collect(),
            errors,
        }
    }
}

impl Seen {
    /// The words behind `word` in each line that starts with it.
    pub fn all(&self, word: &str) -> Vec<Vec<&str>> {
        let lines = self.lines.iter().map(|l| l.split_whitespace());
        let words = lines.map(|l| l.collect::<Vec<_>>());
        let of = words.filter(|w| w.first() == Some(&word));
        of.map(|w| w[1..].to_vec()).collect()
    }

    /// The whole numbers behind `word` in the `n`th line that starts with it.
    pub fn numbers(&self, word: &str, n: usize) -> Vec<i64> {
        let all = self.all(word);
        let line = all
            .get(n)
            .unwrap_or_else(|| panic!("no {word} {n}: {:?}", self.lines));
        line.iter()
            .map(|w| w.parse().expect("not a number"))
            .collect()
    }

    /// Launches of each candidate, as `counts` printed them the `n`th time.
    pub fn counts(&self, n: usize) -> Vec<i64> {
        self.numbers("counts", n)
    }

    /// The value of `name` in the `n`th line of `seen`.
    pub fn seen(&self, name: &str, n: usize) -> f64 {
        let all = self.all("seen");
        let line = &all[n];
        let at = line.iter().position(|w| *w == name).expect("no such value");
        line[at + 1].parse().expect("not a number")
    }
}

/// One program of a sweep.
#[derive(Debug)]
pub struct Program {
    /// Launches until all was settled; 0: never.
    pub settled: i64,
    /// What the last launch ran.
    pub last: i64,
    /// What it took beyond what K alone would have, as a share.
    pub regret: f64,
    /// Launches of each candidate.
    pub launches: Vec<i64>,
}

impl Seen {
    /// What a sweep printed.
    pub fn programs(&self) -> Vec<Program> {
        let of = |w: &[&str]| Program {
            settled: w[2].parse().expect("not a number"),
            last: w[4].parse().expect("not a number"),
            regret: w[6].parse().expect("not a number"),
            launches: w[7..]
                .iter()
                .map(|x| x.parse().expect("not a number"))
                .collect(),
        };
        self.all("seed").iter().map(|w| of(w)).collect()
    }
}

/// Programs of `launches` launches, one for each of `seeds` seeds, with K at 100 us and versions at `times`.
pub fn sweep(times: &[f64], noise: f64, seeds: u32, launches: u32, more: &str) -> String {
    let mut script = format!(
        "versions {}\nset noise {noise}\nset lazy 1\nset sync_every 1\n{more}",
        times.len()
    );
    for (i, time) in times.iter().enumerate() {
        script += &format!("time {} {time}\n", i + 1);
    }
    script + &format!("sweep {seeds} {launches}\n")
}
