//! `cargo xtask same BASE`: does the plug-in of this tree make the same IR and gates as another one?
//!
//! Every corpus file is compiled to IR once a chip, up to where the plug-in comes in; the fuzzer writes random
//! kernels in that form. Each then goes through `opt` with either plug-in, and texts are compared by hash. Names
//! of values and blocks are thrown away by `opt`, so that only code counts. Hashes are kept by plug-in and input:
//! a base is run once, and again only for what is new. The number of the plug-in's build, which every kernel's record
//! has, does not count.
//!
//! The set of options `compile` is a compile of each corpus file as a whole, of which the host half is compared. What
//! clang adds around the plug-in to device code is not compared here, see `identity`.

mod compiled;

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::compile::{self, Variant};
use crate::setup::Toolchain;
use crate::{building, corpus, parallel, project, setup};

/// Seed of the random kernels: always the same ones.
const SEED: &str = "26";

/// The set of options that is a compile of a whole file.
const COMPILE: &str = "compile";

/// Command-line choices.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A git revision, or a built libmesi.so
    base: String,
    /// Only kernels whose names contain this
    #[arg(long, value_delimiter = ',')]
    filter: Vec<String>,
    /// Chips
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "sm_70,sm_80,sm_86,sm_90,sm_100,sm_120"
    )]
    chips: Vec<String>,
    /// Options of the plug-in, a set each; several in one set are joined by `+`. `compile`: the host half of the
    /// corpus, compiled as a whole
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "default,form=own,force,merge=2x2,merge=4,merge=off,unroll=2,unroll-jam=3,code=6"
    )]
    options: Vec<String>,
    /// Random kernels, made for sm_80
    #[arg(long, default_value_t = 500)]
    fuzz: u64,
    /// Runs at a time; as many as there are processors if not given
    #[arg(long)]
    jobs: Option<usize>,
    /// Compare with this built libmesi.so instead of building the tree's
    #[arg(long, value_name = "FILE")]
    with: Option<PathBuf>,
}

/// IR as the plug-in meets it.
struct Input {
    kernel: String,
    chip: String,
    file: PathBuf,
    /// Of a corpus kernel.
    source: Option<PathBuf>,
    hash: String,
}

/// One input under one set of options.
struct Task<'a> {
    input: &'a Input,
    options: &'a str,
}

/// What the name of a file with hashes ends with: another one once other parts of texts count.
const KEPT: &str = "hashes-2";

/// A plug-in, and the hashes of what it made so far.
struct Plugin {
    file: PathBuf,
    /// By input and options.
    known: Mutex<HashMap<String, String>>,
    kept: PathBuf,
}

/// Runs the command.
pub fn same(arguments: &Arguments) -> Result<()> {
    let tools = setup::setup()?;
    let place = project::target_dir()?.join("same");
    std::fs::create_dir_all(&place).context("target/same cannot be created")?;
    let base = Plugin::new(&place, &base(&tools, &place, &arguments.base)?)?;
    let tree = match &arguments.with {
        Some(file) => file.clone(),
        None => build(&tools)?,
    };
    let tree = Plugin::new(&place, &tree)?;
    let inputs = inputs(&tools, &place, arguments)?;
    let tasks = tasks(&inputs, &arguments.options);
    let lines = parallel::map_on(arguments.jobs, "compared", &tasks, |task| {
        if is_same(&tools, [&base, &tree], task)? {
            return Ok(None);
        }
        let texts = [base.text(&tools, task)?, tree.text(&tools, task)?];
        Ok(Some(difference(task, &texts)))
    })?;
    let different: Vec<&String> = lines.iter().flatten().collect();
    for line in &different {
        println!("{line}");
    }
    println!(
        "{} inputs, {} comparisons, {} differences",
        inputs.len(),
        tasks.len(),
        different.len()
    );
    if !different.is_empty() {
        bail!("the plug-in is not the same as {}", arguments.base);
    }
    Ok(())
}

fn tasks<'a>(inputs: &'a [Input], options: &'a [String]) -> Vec<Task<'a>> {
    let of = |input: &'a Input| {
        let sets = options.iter();
        let sets = sets.filter(|o| *o != COMPILE || input.source.is_some());
        sets.map(move |options| Task { input, options })
    };
    inputs.iter().flat_map(of).collect()
}

fn is_same(tools: &Toolchain, [a, b]: [&Plugin; 2], task: &Task) -> Result<bool> {
    Ok(a.hash(tools, task)? == b.hash(tools, task)?)
}

/// Corpus kernels of which two plug-ins make different code, as they do in clang.
pub fn differing(
    tools: &Toolchain,
    [a, b]: [&Path; 2],
    filter: &[String],
    chip: &str,
) -> Result<Vec<String>> {
    let place = project::target_dir()?.join("same");
    std::fs::create_dir_all(&place).context("target/same cannot be created")?;
    let arguments = Arguments {
        base: String::new(),
        filter: filter.to_vec(),
        chips: vec![chip.into()],
        options: vec!["form=own".into()],
        fuzz: 0,
        jobs: None,
        with: None,
    };
    let (a, b) = (Plugin::new(&place, a)?, Plugin::new(&place, b)?);
    let inputs = inputs(tools, &place, &arguments)?;
    let tasks = tasks(&inputs, &arguments.options);
    let names = parallel::map("compared", &tasks, |task| {
        let is_same = is_same(tools, [&a, &b], task)?;
        Ok((!is_same).then(|| task.input.kernel.clone()))
    })?;
    Ok(names.into_iter().flatten().collect())
}

/// One line: which kernel, chip and options, and the first line that differs.
fn difference(task: &Task, [old, new]: &[String; 2]) -> String {
    let name = format!("{} {} {}", task.input.kernel, task.input.chip, task.options);
    let (mut old, mut new) = (old.lines(), new.lines());
    for number in 1.. {
        let (a, b) = (old.next(), new.next());
        if a != b {
            let [a, b] = [a, b].map(|l| l.map_or("(end)", str::trim));
            return format!("{name}: line {number}: `{a}` is now `{b}`");
        }
        if a.is_none() {
            break;
        }
    }
    // Two runs of one plug-in have given two texts.
    format!("{name}: not the same in two runs")
}

impl Plugin {
    fn new(place: &Path, file: &Path) -> Result<Plugin> {
        let bytes =
            std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
        let hash = sha(&bytes);
        // A copy: a build meanwhile must not change what is compared.
        let copy = place.join(format!("{}.so", &hash[..16]));
        if !copy.exists() {
            let partial = place.join(format!("{}.{}", &hash[..16], std::process::id()));
            std::fs::write(&partial, &bytes).context("the plug-in cannot be copied")?;
            std::fs::rename(&partial, &copy).context("the plug-in cannot be copied")?;
        }
        let kept = copy.with_extension(KEPT);
        let text = std::fs::read_to_string(&kept).unwrap_or_default();
        // A line that was cut off has no whole hash and is made again.
        let known = text
            .lines()
            .filter_map(|l| l.split_once(' '))
            .filter(|(hash, _)| hash.len() == 64)
            .map(|(hash, key)| (key.to_string(), hash.to_string()));
        Ok(Plugin {
            file: copy,
            known: Mutex::new(known.collect()),
            kept,
        })
    }

    /// Hash of what it makes of a task, made or remembered.
    fn hash(&self, tools: &Toolchain, task: &Task) -> Result<String> {
        let key = format!("{} {}", task.input.hash, task.options);
        let lock = || self.known.lock().unwrap_or_else(|p| p.into_inner());
        if let Some(hash) = lock().get(&key) {
            return Ok(hash.clone());
        }
        let hash = sha(self.text(tools, task)?.as_bytes());
        let mut known = lock();
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.kept)
            .with_context(|| format!("{} cannot be written", self.kept.display()))?;
        writeln!(file, "{hash} {key}").context("a hash cannot be kept")?;
        known.insert(key, hash.clone());
        Ok(hash)
    }

    /// IR and gates that it makes of a task, less what names the file.
    fn text(&self, tools: &Toolchain, task: &Task) -> Result<String> {
        let text = match &task.input.source {
            Some(source) if task.options == COMPILE => {
                compiled::host_half(tools, &self.file, source, &task.input.chip)?
            }
            _ => self.device_text(tools, task)?,
        };
        let names = ["; ModuleID", "source_filename"];
        let counts = |l: &&str| !names.iter().any(|n| l.starts_with(n));
        let lines = text.lines().filter(counts).map(compiled::without_build);
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    fn device_text(&self, tools: &Toolchain, task: &Task) -> Result<String> {
        let options = match task.options {
            "default" => String::new(),
            set => set.replace('+', ";"),
        };
        let separated = match options.as_str() {
            "" => String::new(),
            some => format!("<{some}>"),
        };
        let gate = match options.as_str() {
            "" => "print<mesi-gate>".to_string(),
            some => format!("print<mesi-gate;{some}>"),
        };
        let gates = self.opt(
            tools,
            task,
            &["-disable-output", &format!("-passes={gate}")],
        )?;
        let ir = self.opt(
            tools,
            task,
            &["-S", "-o", "-", &format!("-passes=mesi{separated}")],
        )?;
        Ok(format!("{ir}\n; gates\n{gates}"))
    }

    /// What `opt` prints; a crash is a text like any other, so that it is compared and shown.
    fn opt(&self, tools: &Toolchain, task: &Task, arguments: &[&str]) -> Result<String> {
        let mut opt = Command::new(tools.llvm.join("bin/opt"));
        opt.arg(format!("-load-pass-plugin={}", self.file.display()))
            .arg("-discard-value-names")
            .args(arguments)
            .arg(&task.input.file);
        compile::clean(&mut opt);
        let output = project::output(&mut opt)?;
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).replace(&*self.file.to_string_lossy(), "PLUGIN");
        match output.status.success() {
            true => Ok(text),
            false => Ok(format!("opt failed ({})\n", output.status)),
        }
    }
}

fn sha(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|b| format!("{b:02x}")).collect()
}

/// The plug-in of this tree, built as tests have it.
pub fn build(tools: &Toolchain) -> Result<PathBuf> {
    let mut build = building::cargo("build --quiet --package mesi --package mesi-fuzz --profile");
    project::run(building::with(tools, build.arg(building::PROFILE)))?;
    Ok(project::target_dir()?
        .join(building::PROFILE)
        .join("libmesi.so"))
}

/// The base's plug-in: a file, or a revision built in a worktree of its own and kept by commit.
fn base(tools: &Toolchain, place: &Path, base: &str) -> Result<PathBuf> {
    if Path::new(base).is_file() {
        return Ok(PathBuf::from(base));
    }
    let mut git = Command::new("git");
    git.current_dir(project::root())
        .args(["rev-parse", "--verify", "--quiet"])
        .arg(format!("{base}^{{commit}}"));
    let commit = project::capture(&mut git)
        .with_context(|| format!("{base} is neither a file nor a git revision"))?;
    let commit = commit.trim();
    let file = place.join(format!("{commit}.so"));
    if file.exists() {
        return Ok(file);
    }
    eprintln!("same: building {base} ({})", &commit[..12]);
    let tree = tempfile::tempdir().context("no temporary folder")?;
    let tree = tree.path().join("tree");
    let mut add = Command::new("git");
    add.current_dir(project::root())
        .args(["worktree", "add", "--quiet", "--detach"])
        .arg(&tree)
        .arg(commit);
    project::run(&mut add)?;
    let built = building::plugin_of(tools, &tree, &place.join("build"));
    let mut remove = Command::new("git");
    remove
        .current_dir(project::root())
        .args(["worktree", "remove", "--force"])
        .arg(&tree);
    project::run(&mut remove)?;
    let built = built.with_context(|| format!("{base} cannot be built"))?;
    std::fs::rename(built, &file).context("the base's plug-in cannot be kept")?;
    Ok(file)
}

/// Corpus files on each chip, and random kernels.
fn inputs(tools: &Toolchain, place: &Path, arguments: &Arguments) -> Result<Vec<Input>> {
    let wanted = |name: &str| {
        arguments.filter.is_empty() || arguments.filter.iter().any(|f| name.contains(f.as_str()))
    };
    let mut made = Vec::new();
    for kernel in corpus::read(&[])?.iter().filter(|k| wanted(&k.kernel)) {
        for chip in &arguments.chips {
            made.push((kernel.clone(), chip.clone()));
        }
    }
    let clean = place.join("clean");
    let mut inputs = parallel::map_on(arguments.jobs, "clean IR", &made, |(kernel, chip)| {
        let folder = clean.join(chip);
        std::fs::create_dir_all(&folder).context("a folder cannot be created")?;
        let file = folder.join(format!("{}.bc", kernel.kernel));
        let source = std::fs::read(&kernel.path).context("a corpus file cannot be read")?;
        let stamp = sha(&[&source, tools.clang_version.as_bytes()].concat());
        let stamped = file.with_extension("stamp");
        if !std::fs::read_to_string(&stamped).is_ok_and(|s| s == stamp) {
            early(tools, kernel, chip, &file)?;
            std::fs::write(&stamped, &stamp).context("a stamp cannot be written")?;
        }
        Ok(Input {
            source: Some(std::path::absolute(&kernel.path).context("no current folder")?),
            ..Input::new(&kernel.kernel, chip, file)?
        })
    })?;
    inputs.extend(
        random(place, arguments)?
            .into_iter()
            .filter(|i| wanted(&i.kernel)),
    );
    if inputs.is_empty() {
        bail!(
            "no kernel has a name containing {}",
            arguments.filter.join(" or ")
        );
    }
    Ok(inputs)
}

impl Input {
    fn new(kernel: &str, chip: &str, file: PathBuf) -> Result<Input> {
        let bytes =
            std::fs::read(&file).with_context(|| format!("{} cannot be read", file.display()))?;
        Ok(Input {
            kernel: kernel.into(),
            chip: chip.into(),
            file,
            source: None,
            hash: sha(&bytes),
        })
    }
}

/// IR where the plug-in comes in: clang's, through the pipeline for thin LTO, which stops there.
fn early(tools: &Toolchain, kernel: &mesi_launch::Corpus, chip: &str, file: &Path) -> Result<()> {
    let plain = Variant::plain("plain");
    let raw = file.with_extension("raw.bc");
    let mut clang = Command::new(tools.clang());
    clang
        .args(compile::clang_arguments(tools, chip, &plain))
        .args(["-Wno-deprecated-gpu-targets", "-emit-llvm", "-c"])
        .args(["-Xclang", "-disable-llvm-passes"])
        .arg(&kernel.path)
        .arg("-o")
        .arg(&raw);
    compile::clean(&mut clang);
    compile::finish(&mut clang, kernel, chip)?;
    let mut opt = Command::new(tools.llvm.join("bin/opt"));
    opt.arg("-passes=thinlto-pre-link<O3>")
        .arg(&raw)
        .arg("-o")
        .arg(file);
    compile::finish(&mut opt, kernel, chip)?;
    let _ = std::fs::remove_file(&raw);
    Ok(())
}

/// Random kernels; the fuzzer makes them for sm_80.
fn random(place: &Path, arguments: &Arguments) -> Result<Vec<Input>> {
    if arguments.fuzz == 0 {
        return Ok(Vec::new());
    }
    let folder = random_kernels(place, arguments.fuzz)?;
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "bc"))
        .collect();
    files.sort();
    let files = files
        .into_iter()
        .take(usize::try_from(arguments.fuzz).unwrap_or(usize::MAX));
    files
        .map(|file| {
            let name = file
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            Input::new(&name, "sm_80", file)
        })
        .collect()
}

/// The folder with the fuzzer's first `count` kernels, as `mesi-fuzz --write` makes them.
pub fn random_kernels(place: &Path, count: u64) -> Result<PathBuf> {
    let folder = place.join("random");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).context("a folder cannot be created")?;
    let fuzz = project::target_dir()?
        .join(building::PROFILE)
        .join("mesi-fuzz");
    let mut fuzz = Command::new(fuzz);
    fuzz.args(["--seed", SEED, "--count", &count.to_string(), "--write"])
        .arg(&folder);
    project::capture(&mut fuzz)?;
    Ok(folder)
}
