//! What the host makes of a launch whose threads it may deal out to other blocks: the function that the plug-in leaves for that,
//! held against the plan's own rules, whole and broken.

use anyhow::{Result, anyhow};
use inkwell::context::Context;
use mesi::llvm::ir::Module;
use mesi::options::Options;
use mesi::pass;
use mesi::plan::model::reshaped;
use mesi::remark::Sink;
use mesi_launch::{Case, Corpus, GATE, blocks_of};
use std::ops::Range;

use crate::gate_edits::{compare_inverted, limit};
use crate::host_launches::{
    Shape, arguments, kernel_of, parsed, planned, queries, record, with_relaunch,
};

/// Blocks and grids, along x, that each launch is tried with beside its own.
const BLOCK_SIZES: [u32; 9] = [0, 1, 33, 64, 100, 128, 257, 512, 1024];
const GRIDS: [u32; 7] = [0, 1, 31, 528, 4096, 65_537, 40_000_000];

/// Blocks of several rows.
const TALL: [[u32; 3]; 8] = [
    [32, 32, 1],
    [16, 32, 1],
    [32, 9, 1],
    [24, 32, 1],
    [64, 16, 1],
    [16, 16, 1],
    [16, 16, 4],
    [0, 32, 1],
];

/// Blocks of several short rows, and blocks along y and z.
const SHORT: [([u32; 3], [u32; 2]); 10] = [
    ([8, 8, 1], [64, 1]),
    ([8, 8, 4], [64, 3]),
    ([8, 8, 4], [64, 65_535]),
    ([4, 4, 1], [63, 7]),
    ([4, 4, 1], [64, 7]),
    ([1, 256, 1], [8, 1]),
    ([8, 32, 8], [8, 1]),
    ([8, 1, 64], [64, 1]),
    ([9, 8, 1], [64, 1]),
    ([0, 8, 1], [64, 1]),
];

/// A kernel whose launches are dealt out.
pub struct Subject {
    /// The function as LLVM's text.
    pub text: String,
    name: String,
    /// Launches, each with what becomes of it by the plan.
    pub launches: Vec<(Case, Option<Shape>)>,
}

/// A line in place of another, if it is one to break.
pub type Edit = fn(&str) -> Option<String>;

/// Ways to break the function.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("blocks-compare-inverted", compare_inverted),
    ("blocks-constant-short", |l| limit(l, |c| c & 0xff)),
    ("blocks-limit-twice", |l| limit(l, |c| c * 2)),
    ("blocks-and-for-or", |l| {
        instead(l, " = or i1 ", " = and i1 ")
    }),
    ("blocks-or-for-and", |l| {
        instead(l, " = and i1 ", " = or i1 ")
    }),
    ("blocks-rounded-down", |l| instead(l, " = add ", " = sub ")),
    ("blocks-not-stored", |l| {
        l.trim_start().starts_with("store ").then(String::new)
    }),
];

/// The line with one thing in place of another, if it is there.
pub fn instead(line: &str, what: &str, other: &str) -> Option<String> {
    line.contains(what).then(|| line.replace(what, other))
}

impl Subject {
    /// The corpus kernel in `text`, the IR that the plug-in meets. `None`: its launches stay as they are.
    pub fn of(corpus: &Corpus, text: &str, sm: u32) -> Result<Option<Subject>> {
        let rows = corpus.bench_rows().iter().map(|r| r.case.clone());
        let cases: Vec<Case> = rows.flat_map(|c| in_shapes(&c)).collect();
        let context = Context::create();
        let module = parsed(&context, text, &corpus.kernel)?;
        let raw = Module::new(module.as_mut_ptr());
        let options = with_host();
        let others = planned(raw, corpus, sm, &options, |planned, kernel| {
            let f = planned.whole(kernel);
            let mut all = Vec::new();
            for case in &cases {
                // A launch of nothing cannot be asked about in words.
                let mut some = case.clone();
                (some.block, some.grid) = ([1; 3], [1; 3]);
                for mut a in queries(&some)? {
                    (a.block, a.grid) = (case.block, case.grid);
                    all.push(reshaped(&f, &planned.plan, &a));
                }
            }
            Ok(all)
        })?;
        let symbol = kernel_of(raw, corpus)?.name();
        pass::run(raw, &options, &mut Sink::new(raw));
        let names: Vec<String> = raw.globals().into_iter().map(|g| g.name()).collect();
        let gates = names.iter().filter_map(|n| n.strip_suffix(GATE));
        let Some(name) = blocks_of(&symbol, gates).map(|n| format!("{n}{GATE}")) else {
            return Ok(None);
        };
        let (Some(others), Some(text)) = (others, record(&module, &name)?) else {
            return Ok(None);
        };
        let others = others.into_iter().map(|o| o.map(|o| [o.block, o.grid]));
        Ok(Some(Subject {
            text,
            name,
            launches: cases.into_iter().zip(others).collect(),
        }))
    }

    /// What the function, given as text, does with launches other than the plan says; each as a line.
    pub fn wrong(&self, text: &str) -> Result<Vec<String>> {
        let mut wrong = Vec::new();
        with_relaunch(text, &self.name, |launch| {
            for (case, other) in &self.launches {
                let own: Shape = [case.block, case.grid];
                let found = launch(&arguments(case), own);
                if found != *other {
                    let wants = (other, found);
                    wrong.push(format!("{} {own:?}: {wants:?}", case.label));
                }
            }
        })?;
        Ok(wrong)
    }

    /// The texts with one line broken by the mutation of this name.
    pub fn broken(&self, name: &str) -> Result<Vec<String>> {
        let edit = MUTATIONS.iter().find(|m| m.0 == name);
        let edit = edit
            .ok_or_else(|| anyhow!("there is no mutation {name}"))?
            .1;
        Ok(each_line(&self.text, 0..usize::MAX, edit))
    }
}

/// The texts with one of the lines in `range` broken.
pub fn each_line(text: &str, range: Range<usize>, edit: Edit) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mutant = |(n, line): (usize, &&str)| {
        let broken = range.contains(&n).then(|| edit(line))??;
        let mut all = lines.clone();
        all[n] = &broken;
        Some(all.join("\n"))
    };
    lines.iter().enumerate().filter_map(mutant).collect()
}

/// As in clang.
fn with_host() -> Options {
    Options {
        host: Some(true),
        ..Options::default()
    }
}

/// The kernel as the plug-in makes it, with what it leaves for the host, as LLVM's text.
pub fn staged(corpus: &Corpus, text: &str) -> Result<String> {
    let context = Context::create();
    let module = parsed(&context, text, &corpus.kernel)?;
    let raw = Module::new(module.as_mut_ptr());
    pass::run(raw, &with_host(), &mut Sink::new(raw));
    Ok(module.print_to_string().to_string())
}

/// A case in its own shape, and its arguments with others.
fn in_shapes(case: &Case) -> Vec<Case> {
    let mut all = vec![case.clone()];
    let mut add = |block, grid| {
        all.push(Case {
            block,
            grid,
            ..case.clone()
        })
    };
    let [_, gy, gz] = case.grid;
    for along in GRIDS {
        for x in BLOCK_SIZES {
            add([x, 1, 1], [along, gy, gz]);
        }
        for block in TALL {
            add(block, [4, along, 1]);
        }
        for (block, [y, z]) in SHORT {
            add(block, [along, y, z]);
        }
    }
    all
}
