//! A version in a module's text: broken line by line, and held against its kernel.

use std::cell::OnceCell;

use anyhow::{Context as _, Result};
use inkwell::context::Context;
use mesi::llvm::ir::Module;
use mesi::options::Options;
use mesi::pass;
use mesi::plan::Planned;
use mesi::remark::Sink;
use mesi_launch::{Corpus, Size, VERSION};
use mesi_oracle::{Kernel, Program, Reference, Schedule};

use crate::blocks::{Edit, each_line};
use crate::host_launches::parsed;
use crate::judge::FUEL;

/// The module in `text`, which the plug-in meets, with versions of all that may be staged, and the first one's name;
/// `see` is shown each plan before it is carried out, and may change it.
pub fn made(text: &str, see: &mut dyn FnMut(&mut Planned)) -> Result<(String, String)> {
    made_with(text, true, see)
}

/// The same, with versions of all that may gain where it does not `force`.
pub fn made_with(
    text: &str,
    force: bool,
    see: &mut dyn FnMut(&mut Planned),
) -> Result<(String, String)> {
    let context = Context::create();
    let module = parsed(&context, text, "kernel")?;
    let raw = Module::new(module.as_mut_ptr());
    let options = Options {
        host: Some(true),
        force,
        ..Options::default()
    };
    pass::run_seen(raw, &options, &mut Sink::new(raw), see);
    let mut names = raw.functions().into_iter().map(|f| f.name());
    let first = names.find(|n| n.ends_with(&format!("{VERSION}0")));
    let first = first.context("no version is made")?;
    Ok((module.print_to_string().to_string(), first))
}

/// The name of the first version in `staged`.
pub fn first(staged: &str) -> Result<String> {
    let first = format!("{VERSION}0\"(");
    let mut heads = staged.lines().filter(|l| l.starts_with("define"));
    let head = heads.find(|l| l.contains(&first)).context("no version")?;
    let name = head.split('"').nth(1).context("a name in quotes")?;
    Ok(name.to_string())
}

/// The module's texts with one line of `version` broken by `edit`, each.
pub fn broken(staged: &str, version: &str, edit: Edit) -> Result<Vec<String>> {
    let head = format!("@\"{version}\"(");
    let is_head = |l: &str| l.starts_with("define") && l.contains(&head);
    let mut lines = staged.lines();
    let start = lines.position(is_head).context("no version")?;
    let length = lines.position(|l| l == "}").context("no end")? + 1;
    Ok(each_line(staged, start..start + length, edit))
}

/// How a record begins.
const MAGIC: &str = "MESIGATE";

/// The module's text in which the record of `version` says `n` behind so many words.
pub fn with_need(staged: &str, version: &str, words: usize, n: u8) -> String {
    let record = format!("@\"{version}$gate\" = ");
    let start = staged.find(&record).expect("a record");
    let (before, record) = staged.split_at(start);
    let (head, bytes) = record.split_at(record.find(MAGIC).expect("its bytes"));
    let length = |at: usize| if bytes[at..].starts_with('\\') { 3 } else { 1 };
    let at = (0..4 * words).fold(MAGIC.len(), |at, _| at + length(at));
    let (bytes, behind) = (&bytes[..at], &bytes[at + length(at)..]);
    format!("{before}{head}{bytes}\\{n:02X}{behind}")
}

/// What a version's kernel gives on its small cases: run at the first question, and kept.
#[derive(Default)]
pub struct Original(OnceCell<Vec<Reference>>);

impl Original {
    fn references(&self, corpus: &Corpus, staged: &str, kernel: &str) -> &[Reference] {
        self.0.get_or_init(|| {
            let mut original = load(kernel, staged).expect("loads");
            let cases = corpus.cases(Size::Small).into_iter();
            let run = |case| Reference::new(&mut original, &case, &[Schedule::Forward]);
            cases.map(run).collect::<Result<_, _>>().expect("runs")
        })
    }

    /// Whether `version`, as `mutant` has it, gives other bits than its kernel in `staged` on some small case.
    pub fn differs(&self, corpus: &Corpus, staged: &str, mutant: &str, version: &str) -> bool {
        let original = version.split_once('$').expect("a version").0;
        let references = self.references(corpus, staged, original);
        // What does not compile is no mutant.
        let Ok(mut mutant) = load(version, mutant) else {
            return false;
        };
        // One that does not end is noticed soon.
        mutant.fuel = FUEL;
        let differs = |r: &Reference| r.diff(&mut mutant).map_or(true, |d| !d.is_empty());
        references.iter().any(differs)
    }
}

fn load(name: &str, text: &str) -> mesi_oracle::Result<Program> {
    Program::parse("mutant", text.as_bytes(), Kernel::Named(name))
}
