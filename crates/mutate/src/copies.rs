//! Mutations of `cp.async` pipelines in two kernels written by hand, `kernels/copies_two.ll` and
//! `kernels/copies_three.ll`. What the plug-in emits is broken by `pipeline_edits`.
//!
//! Each file holds the naive kernel and the staged one; a mutation replaces one piece of its text.

use anyhow::{Result, bail};
use mesi_launch::Case;
use mesi_oracle::{Explicit, Kernel};

use crate::judge::{Judge, Verdict};
use crate::matrix::{Mutant, Row};

/// A kernel pair.
struct Pair {
    name: &'static str,
    text: &'static str,
    block: &'static str,
    element: &'static str,
    /// Elements of `x`, one launch each.
    sizes: &'static [u32],
}

const TWO: Pair = Pair {
    name: "copies_two",
    text: include_str!("../kernels/copies_two.ll"),
    block: "64",
    element: "i32",
    sizes: &[300, 64, 1, 0],
};

const THREE: Pair = Pair {
    name: "copies_three",
    text: include_str!("../kernels/copies_three.ll"),
    block: "32",
    element: "f32",
    sizes: &[640, 256, 128, 0],
};

/// One way to break one of the pairs.
struct TextMutation {
    name: &'static str,
    what: &'static str,
    pair: &'static Pair,
    /// Occurs once.
    from: &'static str,
    to: &'static str,
}

macro_rules! mutations {
    ($($pair:ident $name:literal $what:literal: $from:literal => $to:literal;)*) => {
        &[$(TextMutation { name: $name, what: $what, pair: &$pair, from: $from, to: $to }),*]
    };
}

const COMMIT: &str = "call void @llvm.nvvm.cp.async.commit.group()";
const WAIT: &str = "call void @llvm.nvvm.cp.async.wait.group(i32 1)";
const BARRIER: &str = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";

/// `{commit}`, `{wait}` and `{barrier}` stand for the calls.
const ALL: &[TextMutation] = mutations! {
    TWO "copy-wait-dropped" "a wait for copies is missing": "{wait} ; wait" => "";
    TWO "copy-wait-early" "a wait leaves one group too many under way":
        "{wait} ; wait" => "call void @llvm.nvvm.cp.async.wait.group(i32 2)";
    TWO "copy-first-commit-dropped" "the first group is not closed": "{commit} ; first commit" => "";
    TWO "copy-commit-dropped" "later groups are not closed": "{commit} ; strip's commit" => "";
    TWO "copy-barrier-dropped" "other threads' copies are not waited for": "{barrier} ; barrier before use" => "";
    TWO "copy-reuse-barrier-dropped" "a tile is filled while it is used": "{barrier} ; barrier after use" => "";
    TWO "copy-fill-missing" "the edge is copied, not filled with zeros":
        "%size = select i1 %inside, i32 4, i32 0" => "%size = select i1 %inside, i32 4, i32 4";
    TWO "copy-fill-unguarded" "the edge is copied from past the end":
        "%size = select i1 %inside, i32 4, i32 0\n  %k.safe = select i1 %inside, i32 %k, i32 0" => "%size = add i32 4, 0\n  %k.safe = add i32 %k, 0";
    TWO "copy-one-tile" "one tile for two strips": "%cell = add i32 %first, %tid" => "%cell = add i32 0, %tid";
    THREE "copy16-wait-dropped" "a wait for copies is missing": "{wait} ; wait" => "";
    THREE "copy16-wait-early" "a wait leaves one group too many under way":
        "{wait} ; wait" => "call void @llvm.nvvm.cp.async.wait.group(i32 2)";
    THREE "copy16-first-commit-dropped" "the first two strips are one group": "{commit} ; first commit" => "";
    THREE "copy16-second-commit-dropped" "the second and third strip are one group": "{commit} ; second commit" => "";
    THREE "copy16-commit-dropped" "later groups are not closed": "{commit} ; strip's commit" => "";
    THREE "copy16-barrier-dropped" "a strip's only barrier is missing": "{barrier} ; barrier" => "";
    THREE "copy16-strip-early" "the strip copied next is one too early":
        "%later = add i32 %s, 2 ;" => "%later = add i32 %s, 1 ;";
    THREE "copy16-two-tiles" "two tiles for three strips":
        "%turn = urem i32 %s, 3 ; tile written" => "%turn = urem i32 %s, 2";
    THREE "copy16-misaligned" "16 bytes are copied from where only 4 are aligned":
        "%k = add i32 %base, %four" => "%k.0 = add i32 %base, %four\n  %k = sub i32 %k.0, 1";
};

fn expanded(text: &str) -> String {
    text.replace("{commit}", COMMIT)
        .replace("{wait}", WAIT)
        .replace("{barrier}", BARRIER)
}

fn cases(pair: &Pair) -> Result<Vec<Case>> {
    let mut list = Vec::new();
    for n in pair.sizes {
        let block: u32 = pair.block.parse()?;
        list.push(
            Explicit {
                grid: "2".into(),
                block: pair.block.into(),
                shared: 0,
                args: vec![
                    format!("buf:{}:{n}:uniform(1,100)", pair.element),
                    format!("buf:{}:{}:zero", pair.element, 2 * block),
                    format!("i32:{n}"),
                ],
            }
            .case()?,
        );
    }
    Ok(list)
}

fn judged(pair: &Pair, text: &str) -> Result<Verdict> {
    let mut judge = Judge::new(pair.name, pair.text, Kernel::Named("naive"), cases(pair)?)?;
    judge.judge(text, Kernel::Named("staged"), 0)
}

/// The score of every mutation; an error if a kernel is wrong by itself.
pub fn rows() -> Result<Vec<(&'static str, &'static str, Row)>> {
    for pair in [&TWO, &THREE] {
        let verdict = judged(pair, pair.text)?;
        if !verdict.survived() {
            bail!(
                "{} is wrong without a mutation: {}",
                pair.name,
                verdict.first
            );
        }
    }
    let mut list = Vec::new();
    for m in ALL {
        let from = expanded(m.from);
        if m.pair.text.matches(&from).count() != 1 {
            bail!("{}: `{from}` is not once in {}", m.name, m.pair.name);
        }
        let verdict = judged(m.pair, &m.pair.text.replace(&from, &expanded(m.to)))?;
        let mut row = Row::default();
        row.add(&Mutant {
            kernel: m.pair.name.into(),
            place: 0,
            verdict,
        });
        list.push((m.name, m.what, row));
    }
    Ok(list)
}
