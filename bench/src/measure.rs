//! Runs one kernel's two cubins on the same inputs: compares every buffer, then times both.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use mesi_launch::{Case, Corpus, Fill, Size};
use serde::Serialize;

use crate::driver::{Context, Driver, Event, Kernel, Memory, Module};

/// Launches are repeated inside one timing until it spans about this many milliseconds: events
/// resolve half a microsecond, and a single short launch would mostly measure them.
const SPAN_MS: f32 = 1.0;

/// One kernel's result.
#[derive(Debug, Serialize)]
pub struct Row {
    /// File name without extension.
    pub kernel: String,
    /// Median milliseconds of one launch, clang alone.
    pub plain_ms: Option<f32>,
    /// The same with the plug-in.
    pub mesi_ms: Option<f32>,
    /// Median over the pairs of plain time / plug-in time.
    pub speedup: Option<f32>,
    /// Cases whose buffers agreed bit for bit.
    pub same: usize,
    /// Cases that were run.
    pub cases: usize,
    /// What went wrong, if anything.
    pub problem: Option<String>,
}

/// What to run.
pub struct Job<'a> {
    /// Folders of cubins: plain, then plug-in.
    pub folders: [&'a Path; 2],
    /// Which column of the header's sizes.
    pub size: Size,
    /// Pairs of timed runs; 0 compares only.
    pub pairs: usize,
}

/// Runs `job` for one kernel. Only a missing driver or cubin is an error; the rest is in the row.
pub fn measure(driver: &Driver, job: &Job, corpus: &Corpus) -> Result<Row> {
    let stem = corpus
        .path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let cubins = job
        .folders
        .map(|folder| folder.join(format!("{stem}.cubin")));
    let [plain, mesi] = [read(&cubins[0])?, read(&cubins[1])?];
    let cases = corpus.cases(job.size);
    let mut row = Row {
        kernel: stem,
        plain_ms: None,
        mesi_ms: None,
        speedup: None,
        same: 0,
        cases: cases.len(),
        problem: None,
    };
    // A context of its own: a fault of one kernel then cannot fail the next.
    let context = driver.context()?;
    if let Err(error) = run(&context, job, corpus, &cases, [&plain, &mesi], &mut row) {
        row.problem = Some(format!("{error:#}"));
    }
    Ok(row)
}

fn read(path: &PathBuf) -> Result<Vec<u8>> {
    std::fs::read(path)
        .with_context(|| format!("{} cannot be read: compile it first", path.display()))
}

fn run(
    context: &Context,
    job: &Job,
    corpus: &Corpus,
    cases: &[Case],
    cubins: [&Vec<u8>; 2],
    row: &mut Row,
) -> Result<()> {
    let plain = context.module(cubins[0])?;
    let mesi = context.module(cubins[1])?;
    for case in cases {
        let inputs = contents(case);
        let sides = [&plain, &mesi].map(|module| Side::new(context, module, corpus, case));
        let [plain, mesi] = sides;
        let (mut plain, mut mesi) = (plain?, mesi?);
        let before = plain
            .outputs(case, &inputs)
            .context("without the plug-in")?;
        let after = mesi.outputs(case, &inputs).context("with the plug-in")?;
        match first_difference(case, &before, &after) {
            None => row.same += 1,
            Some(text) => {
                row.problem = row
                    .problem
                    .take()
                    .or(Some(format!("{}: {text}", case.label)))
            }
        }
        if job.pairs > 0 {
            time(&mut plain, &mut mesi, case, job.pairs, row)?;
        }
    }
    Ok(())
}

/// Inputs of every buffer, `None` where it is all zero. Buffers are filled in parallel, because
/// the large sizes hold hundreds of megabytes.
fn contents(case: &Case) -> Vec<Option<Vec<u8>>> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = case
            .buffers
            .iter()
            .map(|b| scope.spawn(|| (b.fill != Fill::Zero).then(|| b.contents())))
            .collect();
        threads
            .into_iter()
            .map(|t| t.join().unwrap_or_default())
            .collect()
    })
}

/// One cubin with its own copy of the case's buffers.
struct Side<'c> {
    context: &'c Context<'c>,
    kernel: Kernel<'c>,
    memory: Vec<Memory<'c>>,
    globals: Vec<(u64, usize)>,
    arguments: Vec<Vec<u8>>,
}

impl<'c> Side<'c> {
    fn new(
        context: &'c Context<'c>,
        module: &'c Module<'c>,
        corpus: &Corpus,
        case: &Case,
    ) -> Result<Self> {
        let kernel = module.kernel(|symbol| corpus.names(symbol))?;
        let memory: Vec<Memory> = case
            .buffers
            .iter()
            .map(|b| context.allocate(b.bytes() as usize))
            .collect::<Result<_>>()?;
        let globals = case
            .globals
            .iter()
            .map(|g| Ok((module.global(&g.name)?, g.buffer)))
            .collect::<Result<_>>()?;
        let arguments = case
            .args
            .iter()
            .map(|a| a.bytes(&|buffer| memory[buffer].address))
            .collect();
        Ok(Side {
            context,
            kernel,
            memory,
            globals,
            arguments,
        })
    }

    /// Device address of a buffer; a `__device__` array lies in the module.
    fn address(&self, buffer: usize) -> u64 {
        let global = self.globals.iter().find(|(_, b)| *b == buffer);
        global.map_or(self.memory[buffer].address, |(address, _)| *address)
    }

    fn launch(&mut self, case: &Case) -> Result<()> {
        self.kernel
            .launch(case.grid, case.block, case.shared, &mut self.arguments)
    }

    /// Every buffer after one launch on fresh inputs.
    fn outputs(&mut self, case: &Case, inputs: &[Option<Vec<u8>>]) -> Result<Vec<Vec<u8>>> {
        for (i, (buffer, input)) in case.buffers.iter().zip(inputs).enumerate() {
            match input {
                Some(bytes) => self.context.write(self.address(i), bytes)?,
                None => self
                    .context
                    .clear(self.address(i), buffer.bytes() as usize)?,
            }
        }
        self.launch(case)?;
        self.context.synchronize()?;
        let buffers = case.buffers.iter().enumerate();
        buffers
            .map(|(i, b)| self.context.read(self.address(i), b.bytes() as usize))
            .collect()
    }

    fn milliseconds(&mut self, case: &Case, repeats: u32, events: &[Event; 2]) -> Result<f32> {
        events[0].record()?;
        for _ in 0..repeats {
            self.launch(case)?;
        }
        events[1].record()?;
        Ok(events[1].milliseconds_since(&events[0])? / repeats as f32)
    }
}

fn first_difference(case: &Case, before: &[Vec<u8>], after: &[Vec<u8>]) -> Option<String> {
    for ((buffer, before), after) in case.buffers.iter().zip(before).zip(after) {
        if let Some(at) = before.iter().zip(after).position(|(a, b)| a != b) {
            let element = at as u64 / buffer.ty.size();
            return Some(format!(
                "`{}` differs from element {element} on",
                buffer.name
            ));
        }
    }
    None
}

/// Times both sides in pairs of alternating order, so that a clock that drifts favours neither.
fn time<'c>(
    plain: &mut Side<'c>,
    mesi: &mut Side<'c>,
    case: &Case,
    pairs: usize,
    row: &mut Row,
) -> Result<()> {
    let context = plain.context;
    let events = [context.event()?, context.event()?];
    let mut repeats = [1; 2];
    for (side, repeats) in [&mut *plain, &mut *mesi].into_iter().zip(&mut repeats) {
        side.milliseconds(case, 1, &events)?;
        let once = side.milliseconds(case, 2, &events)?.max(1e-4);
        *repeats = ((SPAN_MS / once).ceil() as u32).clamp(1, 200);
    }
    let mut times = [Vec::new(), Vec::new()];
    for pair in 0..pairs {
        for turn in 0..2 {
            let which = (pair + turn) % 2;
            let side = if which == 0 { &mut *plain } else { &mut *mesi };
            times[which].push(side.milliseconds(case, repeats[which], &events)?);
        }
    }
    row.speedup = Some(median(times[0].iter().zip(&times[1]).map(|(p, m)| p / m)));
    row.plain_ms = Some(median(times[0].iter().copied()));
    row.mesi_ms = Some(median(times[1].iter().copied()));
    Ok(())
}

/// The middle value; `values` is never empty.
pub fn median(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_ignores_one_outlier() {
        assert_eq!(median([1.0, 100.0, 2.0].into_iter()), 2.0);
    }

    #[test]
    fn a_difference_names_buffer_and_element() {
        let text = "// ```toml\n// kernel = \"k\"\n// arg = [{ name = \"x\", type = \"f32\", count = \"4\", fill = \"zero\" }]\n// [launch]\n// blocks = [[1,1,1]]\n// grid = [\"1\", \"1\", \"1\"]\n// ```\n";
        let case = &Corpus::parse("k.cu", text).unwrap().cases(Size::Large)[0];
        let before = vec![vec![0u8; 16]];
        let mut after = before.clone();
        assert_eq!(first_difference(case, &before, &after), None);
        after[0][9] = 1;
        let found = first_difference(case, &before, &after);
        assert_eq!(found.as_deref(), Some("`x` differs from element 2 on"));
    }
}
