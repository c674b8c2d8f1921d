//! Joins what compilers say and what programs measured, by the kernel's symbol.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::gather::Gathered;
use super::plan::{Plan, Version};
use super::record::{Kind, Remark};
use super::usage::Usage;
use crate::explain;
use crate::measured::{self, Class, Image};
use crate::names;

/// All that a page shows.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// Sources and records, in order.
    pub inputs: Vec<String>,
    /// The chip: `90`.
    pub chip: Option<String>,
    /// What is missing, and why.
    pub notes: Vec<String>,
    /// The kernels, in the inputs' order.
    pub kernels: Vec<Kernel>,
}

/// One kernel.
#[derive(Debug, Default, Serialize)]
pub struct Kernel {
    /// Its symbol.
    pub symbol: String,
    /// As its author wrote it.
    pub name: String,
    /// The same with arguments.
    pub signature: String,
    /// Where it is from.
    pub input: String,
    /// The block that is drawn.
    pub block: [u32; 3],
    /// The kernel as it is; `None`: not compiled here.
    pub plain: Option<Usage>,
    /// Its versions.
    pub versions: Vec<Built>,
    /// Its kinds of launches.
    pub classes: Vec<Measured>,
    /// Launches that no version may run.
    pub as_it_is: u64,
    /// What was done, as remarks say.
    pub done: Vec<Remark>,
    /// What was refused.
    pub refusals: Vec<Refusal>,
    /// What else is worth knowing.
    pub said: Vec<String>,
    /// Predictions that were asked for.
    pub asked: Vec<super::plan::Launch>,
    #[serde(skip)]
    plan: Plan,
}

/// A version, planned and compiled.
#[derive(Debug, Serialize)]
pub struct Built {
    /// Its number.
    pub number: usize,
    /// What was planned.
    pub plan: Version,
    /// What it needs.
    pub usage: Option<Usage>,
}

/// A kind of launches.
#[derive(Debug, Serialize)]
pub struct Measured {
    /// As measured.
    #[serde(flatten)]
    pub class: Class,
    /// The gain that the model expects of it.
    pub predicted: Option<f64>,
    /// In the model's words.
    pub forecast: Option<String>,
}

/// A refusal.
#[derive(Debug, Serialize)]
pub struct Refusal {
    /// The remark.
    #[serde(flatten)]
    pub remark: Remark,
    /// What would lift it.
    pub lifted_by: Option<&'static str>,
    /// Lines around it, with their numbers.
    pub excerpt: Vec<(usize, String)>,
}

/// A measured kind as the option `launch` takes it.
pub fn asked(class: &Class) -> String {
    let text = |n: [u32; 3]| n.map(|x| x.to_string()).join("x");
    format!("{}:{}", text(class.grid_like), text(class.block))
}

/// A launch as the plug-in prints it: `64x64:256:_` becomes `64x64x1:256x1x1:_`.
fn in_full(launch: &str) -> String {
    let extents = |part: &str| {
        let missing = 3usize.saturating_sub(part.split('x').count());
        part.to_string() + &"x1".repeat(missing)
    };
    let parts = launch.split(':').enumerate();
    let parts = parts.map(|(at, p)| if at < 2 { extents(p) } else { p.to_string() });
    parts.collect::<Vec<_>>().join(":")
}

impl Report {
    /// Adds a source's kernels.
    pub fn add_source(&mut self, source: &str, chip: &str, gathered: Gathered) {
        self.inputs.push(source.to_string());
        self.chip = Some(chip.to_string());
        if let Some(why) = &gathered.lacks {
            self.notes
                .push(format!("no drawings and predictions for {source}: {why}"));
        }
        for plan in gathered.plans {
            let kernel = self.kernel(source, &plan.symbol);
            kernel.plan = plan;
        }
        self.add_remarks(source, gathered.remarks);
        for (symbol, usage) in gathered.usage {
            let kernel = self.kernel(source, names::own(&symbol));
            match names::version(&symbol) {
                None => kernel.plain = Some(usage),
                Some(number) => kernel.versions.push(Built {
                    number,
                    plan: Version::default(),
                    usage: Some(usage),
                }),
            }
        }
    }

    /// Adds what a record says.
    pub fn add_record(&mut self, record: &str, remarks: Vec<Remark>) {
        self.inputs.push(record.to_string());
        self.notes.push(format!(
            "a record has no tiles, registers and predictions: {record} is shown without them; name the source to see them"
        ));
        self.add_remarks(record, remarks);
    }

    fn add_remarks(&mut self, input: &str, remarks: Vec<Remark>) {
        for remark in remarks {
            let kernel = self.kernel(input, names::own(&remark.function));
            match remark.kind {
                Kind::Passed => kernel.done.push(remark),
                Kind::Analysis => {
                    let text = remark
                        .text
                        .split_once(": ")
                        .map_or(&*remark.text, |(_, t)| t);
                    kernel.said.push(text.to_string());
                }
                Kind::Missed => kernel.refusals.push(Refusal {
                    lifted_by: explain::advice(&remark.name),
                    remark,
                    excerpt: Vec::new(),
                }),
            }
        }
    }

    /// Adds what was measured; several runs' files of one kernel are all shown.
    pub fn add_measured(&mut self, images: &[Image]) {
        for measured in images.iter().flat_map(|i| &i.kernels) {
            let known = self.kernels.iter().find(|k| k.symbol == measured.kernel);
            let input = known.map_or_else(|| "measured alone".to_string(), |k| k.input.clone());
            let kernel = self.kernel(&input, &measured.kernel);
            kernel.as_it_is += measured.as_it_is;
            for class in &measured.classes {
                let launch = asked(class);
                let foretold = kernel.plan.launches.iter().find(|l| l.asked == launch);
                kernel.classes.push(Measured {
                    class: class.clone(),
                    predicted: foretold.map(|l| l.predicted),
                    forecast: foretold.map(|l| l.words.clone()),
                });
            }
        }
    }

    /// Joins versions, picks what is drawn, and reads the source lines.
    pub fn finish(&mut self, block: Option<[u32; 3]>, launches: &[String]) {
        let folders: Vec<PathBuf> = self.inputs.iter().map(PathBuf::from).collect();
        let mut files = BTreeMap::new();
        for kernel in &mut self.kernels {
            kernel.finish(block, launches);
            for refusal in &mut kernel.refusals {
                refusal.excerpt = excerpt(&refusal.remark, &folders, &mut files);
            }
        }
    }

    fn kernel(&mut self, input: &str, symbol: &str) -> &mut Kernel {
        let found = self
            .kernels
            .iter()
            .position(|k| k.symbol == symbol && k.input == input);
        let at = found.unwrap_or_else(|| {
            self.kernels.push(Kernel {
                symbol: symbol.to_string(),
                name: names::short(symbol),
                signature: names::whole(symbol),
                input: input.to_string(),
                ..Kernel::default()
            });
            self.kernels.len() - 1
        });
        &mut self.kernels[at]
    }
}

impl Kernel {
    fn finish(&mut self, block: Option<[u32; 3]>, launches: &[String]) {
        self.block = block.unwrap_or_else(|| self.likely_block());
        for (number, version) in self.plan.versions.drain(..).enumerate() {
            match self.versions.iter_mut().find(|v| v.number == number) {
                Some(built) => built.plan = version,
                // Where versions are inside the kernel, they have no usage of their own.
                None => self.versions.push(Built {
                    number,
                    plan: version,
                    usage: None,
                }),
            }
        }
        self.versions.sort_by_key(|v| v.number);
        let asked: Vec<String> = launches.iter().map(|l| in_full(l)).collect();
        let own = self.plan.launches.iter();
        self.asked = own.filter(|l| asked.contains(&l.asked)).cloned().collect();
        self.said.dedup();
    }

    /// The block of the most frequent measured launches, else one that suits the indices.
    fn likely_block(&self) -> [u32; 3] {
        if let Some(most) = self.classes.iter().max_by_key(|c| c.class.launches) {
            return most.class.block;
        }
        let tiles = || self.plan.versions.iter().flat_map(|v| &v.tiles);
        let uses = |index: &str| {
            tiles().any(|t| {
                t.dims
                    .iter()
                    .any(|d| d.terms.contains(index) || d.extent.contains(index))
            })
        };
        let merged = |at: usize| {
            self.plan
                .versions
                .iter()
                .any(|v| v.merge.get(at).is_some_and(|m| *m > 1))
        };
        match (uses("tid.y") || merged(1), uses("tid.z")) {
            (true, true) => [8, 8, 4],
            (true, false) => [16, 16, 1],
            _ => [256, 1, 1],
        }
    }

    /// The best measured gain.
    pub fn gained(&self) -> Option<f64> {
        let gains = self.classes.iter().filter_map(|c| c.class.gain);
        gains.max_by(f64::total_cmp)
    }

    /// The best predicted gain of a typical launch.
    pub fn predicted(&self) -> Option<f64> {
        let gains = self.versions.iter().filter_map(|v| v.plan.predicted);
        gains.max_by(f64::total_cmp)
    }

    /// The launch in words, as the page titles kinds.
    pub fn kind(class: &Class) -> String {
        format!(
            "{} × {}",
            measured::extents(class.grid_like),
            measured::extents(class.block)
        )
    }
}

/// The refused line and two around it. A record's paths may be relative to its own folder.
fn excerpt(
    remark: &Remark,
    inputs: &[PathBuf],
    files: &mut BTreeMap<PathBuf, Vec<String>>,
) -> Vec<(usize, String)> {
    let (Some(file), true) = (&remark.file, remark.line > 0) else {
        return Vec::new();
    };
    let beside = inputs.iter().filter_map(|i| Some(i.parent()?.join(file)));
    let places = std::iter::once(PathBuf::from(file)).chain(beside);
    let Some(path) = places.into_iter().find(|p| p.is_file()) else {
        return Vec::new();
    };
    let lines = files.entry(path).or_insert_with_key(|p| lines(p));
    let (first, last) = (remark.line.saturating_sub(2).max(1), remark.line + 2);
    let numbered = lines.iter().enumerate().map(|(i, l)| (i + 1, l.clone()));
    numbered
        .filter(|(n, _)| (first..=last).contains(n))
        .collect()
}

fn lines(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    text.lines().map(|l| l.replace('\t', "    ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_has_three_extents_twice() {
        assert_eq!(in_full("64x64:256:_:4096"), "64x64x1:256x1x1:_:4096");
        assert_eq!(in_full("1x2x3:4x5x6"), "1x2x3:4x5x6");
    }
}
