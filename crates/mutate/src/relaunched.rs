//! The function by which the host makes another launch of a program's, for a version of a corpus kernel: held against
//! launches that are written down a second time, whole and broken; and the version itself, broken.

use std::fmt::Debug;

use anyhow::{Context as _, Result, anyhow};
use inkwell::context::Context;
use mesi::llvm::ir::Module;
use mesi_launch::{Corpus, FOLD, GATE, Size, VERSION};

use crate::blocks::{self, Edit, each_line};
use crate::host_launches::{Shape, arguments, kernel_of, parsed, record, with_relaunch};
use crate::version::{self, Original};

/// A version that is launched in another way than its kernel.
pub struct Relaunched {
    /// The function as LLVM's text.
    pub text: String,
    /// The module with the versions, as text.
    pub staged: String,
    /// Symbol of the version.
    pub version: String,
    /// The corpus kernel.
    pub corpus: Corpus,
    /// The version's gate as LLVM's text, if it has one.
    pub gate: Option<String>,
    function: String,
    original: Original,
}

/// Wrong launches after which no more are tried.
const ENOUGH: usize = 5;

/// A launch that is tried.
pub struct Tried<T> {
    /// What the parameters point to.
    pub values: Vec<Vec<u8>>,
    /// The program's.
    pub own: Shape,
    /// What is to be made of it.
    pub wants: Option<Shape>,
    /// What else a message says of it.
    pub told: T,
}

impl Relaunched {
    /// The kernel's first version. `ir`: what the plug-in meets.
    pub fn first(corpus: Corpus, ir: &str) -> Result<Relaunched> {
        Relaunched::last_of(1, corpus, ir)
    }

    /// The last of its versions that are so.
    pub fn last(corpus: Corpus, ir: &str) -> Result<Relaunched> {
        Relaunched::last_of(8, corpus, ir)
    }

    /// The last but one of its versions that are so.
    pub fn last_but_one(corpus: Corpus, ir: &str) -> Result<Relaunched> {
        let last = Relaunched::last(corpus.clone(), ir)?.version;
        Relaunched::last_that(8, corpus, ir, |_, version| version != last)
    }

    /// The last of its versions that get a list of so many words; `None`: that get none.
    pub fn with_list(words: Option<usize>, corpus: Corpus, ir: &str) -> Result<Relaunched> {
        let is_one = |staged: &str, version: &str| {
            let begins = format!(" @\"{version}\"(");
            let mut lines = staged.lines().filter(|l| l.starts_with("define "));
            lines.any(|l| {
                let has_list = match words {
                    Some(n) => l.contains(&format!("ptr byval([{n} x i32])")),
                    None => !l.contains(" x i32])"),
                };
                l.contains(&begins) && has_list
            })
        };
        Relaunched::last_that(8, corpus, ir, is_one)
    }

    /// Its version whose pointers are promised to be aligned, which keeps the program's launch: its function is the gate.
    pub fn aligned(corpus: Corpus, ir: &str) -> Result<Relaunched> {
        Relaunched::in_its_launch(corpus, ir, |line, _| line.contains(" align 16 "))
    }

    /// Its version whose arrays are registers, likewise: the only one that has a name for each element.
    pub fn of_registers(corpus: Corpus, ir: &str) -> Result<Relaunched> {
        Relaunched::in_its_launch(corpus, ir, |_, body| !body.contains(" = alloca "))
    }

    /// The first of which its first line and its body say so.
    fn in_its_launch(
        corpus: Corpus,
        ir: &str,
        is_it: fn(&str, &str) -> bool,
    ) -> Result<Relaunched> {
        let staged = blocks::staged(&corpus, ir)?;
        let mut all = staged.split("\ndefine ").skip(1);
        let version = all.find_map(|function| {
            let body = function.split("\n}").next()?;
            let line = body.lines().next()?;
            let version = line.contains(VERSION) && is_it(line, body);
            version.then(|| line.split('"').nth(1)).flatten()
        });
        let version = version
            .context("no version that keeps the launch")?
            .to_string();
        let function = format!("{version}{GATE}");
        let context = Context::create();
        let module = parsed(&context, &staged, &corpus.kernel)?;
        let text = record(&module, &function)?.context("no gate")?;
        Ok(Relaunched {
            gate: None,
            text,
            version,
            corpus,
            function,
            original: Original::default(),
            staged,
        })
    }

    fn last_of(versions: usize, corpus: Corpus, ir: &str) -> Result<Relaunched> {
        Relaunched::last_that(versions, corpus, ir, |_, _| true)
    }

    fn last_that(
        versions: usize,
        corpus: Corpus,
        ir: &str,
        is_one: impl Fn(&str, &str) -> bool,
    ) -> Result<Relaunched> {
        let staged = blocks::staged(&corpus, ir)?;
        let context = Context::create();
        let module = parsed(&context, &staged, &corpus.kernel)?;
        let symbol = kernel_of(Module::new(module.as_mut_ptr()), &corpus)?.name();
        let names = (0..versions)
            .map(|n| format!("{symbol}{VERSION}{n}"))
            .filter(|version| is_one(&staged, version));
        let found = names.filter_map(|version| {
            let function = format!("{version}{FOLD}{GATE}");
            let text = record(&module, &function).ok().flatten()?;
            Some((version, function, text))
        });
        let none = || anyhow!("{} is launched in no other way", corpus.kernel);
        let (version, function, text) = found.last().ok_or_else(none)?;
        let gate = record(&module, &format!("{version}{GATE}"))?;
        Ok(Relaunched {
            gate,
            text,
            staged,
            version,
            corpus,
            function,
            original: Original::default(),
        })
    }

    /// Symbol of the function.
    pub fn function(&self) -> &str {
        &self.function
    }

    /// What the parameters point to in the kernel's first small case.
    pub fn values(&self) -> Result<Vec<Vec<u8>>> {
        let mut cases = self.corpus.cases(Size::Small).into_iter();
        Ok(arguments(&cases.next().context("no case")?))
    }

    /// Whether the host launches the version for a launch of the program's, with these values: it makes another one, for
    /// which the version's gate, given as text, holds.
    pub fn is_launched(&self, gate: &str, values: &[Vec<u8>], own: Shape) -> Result<bool> {
        let made = with_relaunch(&self.text, &self.function, |launch| launch(values, own))?;
        let Some(launch) = made else {
            return Ok(false);
        };
        let name = format!("{}{GATE}", self.version);
        with_relaunch(gate, &name, |ask| ask(values, launch).is_some())
    }

    /// Launches that the function, given as text, makes others of than it should, the first [`ENOUGH`] of them; and how
    /// many it makes until then.
    pub fn wrong<T: Debug>(
        &self,
        text: &str,
        launches: impl Iterator<Item = Tried<T>>,
    ) -> Result<(Vec<String>, usize)> {
        let (mut wrong, mut made) = (Vec::new(), 0);
        with_relaunch(text, &self.function, |launch| {
            for tried in launches {
                if wrong.len() == ENOUGH {
                    break;
                }
                let found = launch(&tried.values, tried.own);
                made += usize::from(found.is_some());
                if found != tried.wants {
                    let Tried {
                        own, wants, told, ..
                    } = tried;
                    wrong.push(format!("{told:?} {own:?}: {found:?} in place of {wants:?}"));
                }
            }
        })?;
        Ok((wrong, made))
    }

    /// The function's texts with one line broken by `edit`.
    pub fn broken(&self, edit: Edit) -> Vec<String> {
        each_line(&self.text, 0..usize::MAX, edit)
    }

    /// The module's texts with one line of the version broken by `edit`.
    pub fn broken_code(&self, edit: Edit) -> Result<Vec<String>> {
        version::broken(&self.staged, &self.version, edit)
    }

    /// Whether the version, as `text` has it, gives other bits than its kernel.
    pub fn differs(&self, text: &str) -> bool {
        self.original
            .differs(&self.corpus, &self.staged, text, &self.version)
    }
}

/// Numbers below what is asked for, by a fixed rule.
pub fn drawn() -> impl FnMut(usize) -> usize {
    let mut state = 1_u64;
    move |n| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    }
}

/// The ways that nothing shows: no text that `broken` makes is `noticed`. None without subjects.
pub fn unnoticed<'m, S>(
    subjects: &[S],
    ways: &'m [(&'m str, Edit)],
    broken: impl Fn(&S, Edit) -> Vec<String>,
    noticed: impl Fn(&S, &str) -> bool,
) -> Vec<&'m str> {
    if subjects.is_empty() {
        return Vec::new();
    }
    let is_noticed = |edit: Edit| {
        let mut mutants = subjects
            .iter()
            .flat_map(|s| broken(s, edit).into_iter().map(move |t| (s, t)));
        mutants.any(|(s, t)| noticed(s, &t))
    };
    let missed = ways.iter().filter(|(_, edit)| !is_noticed(*edit));
    missed.map(|(name, _)| *name).collect()
}

/// Those of `ways` to break the launches of `subjects` by which `wrong` finds nothing wrong: launches made of others than
/// they should, and how many there are. What does not compile is no mutant.
pub fn unnoticed_launches<'m>(
    subjects: &[Relaunched],
    ways: &'m [(&'m str, Edit)],
    wrong: impl Fn(&Relaunched, &str) -> Result<(Vec<String>, usize)>,
) -> Vec<&'m str> {
    let is_wrong = |s: &Relaunched, t: &str| wrong(s, t).is_ok_and(|w| !w.0.is_empty());
    unnoticed(subjects, ways, Relaunched::broken, is_wrong)
}

/// Where a product's result lies: by itself, or so many bytes from an operand's begin or end.
const PLACES: [Option<(usize, bool, i64)>; 7] = [
    None,
    None,
    Some((0, false, 0)),
    Some((0, true, -1)),
    Some((0, true, 0)),
    Some((1, true, -1)),
    Some((1, true, 0)),
];

/// Addresses of a product's arrays, of these sizes and far from each other, but for the result's, which is drawn.
pub fn product_arrays(
    far: i128,
    sizes: [i128; 3],
    draw: &mut impl FnMut(usize) -> usize,
) -> [i128; 3] {
    let mut arrays = [far, 2 * far, 3 * far];
    if let Some((of, at_end, more)) = PLACES[draw(PLACES.len())] {
        let end = if at_end { sizes[of].max(0) } else { 0 };
        arrays[2] = arrays[of] + end + i128::from(more);
    }
    arrays
}

/// What a product's parameters point to, with these arrays and lengths.
pub fn product_values(values: &[Vec<u8>], arrays: [i128; 3], lengths: [i64; 3]) -> Vec<Vec<u8>> {
    let mut values = values.to_vec();
    let lengths = lengths.map(i64::to_le_bytes);
    let arrays = arrays.map(|a| (a as i64).to_le_bytes());
    for (v, bytes) in values.iter_mut().zip(arrays.iter().chain(&lengths)) {
        v[..8].copy_from_slice(bytes);
    }
    values
}
