//! One row: loads every variant, compares all buffers, then times in rotating order.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};

use crate::buffers::{Buffers, Contents};
use crate::cublas::Cublas;
use crate::figures;
use crate::lab::Lab;
use crate::manifest::REFERENCE;
use crate::results::{Cell, Row};
use crate::side::Side;
use crate::tasks::{Choice, Task};
use crate::timer::{Run, SHORT_MS, Timer};
use crate::trial::Trials;

/// The library's column.
pub const LIBRARY: &str = "cublas";
/// How long and how often.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Rounds over all variants.
    pub rounds: u32,
    /// Rounds that are made even if time is up.
    pub least: u32,
    /// When no further round starts.
    pub until: Duration,
}

/// What a row is run with.
pub struct Bench<'a, 'c> {
    /// The chip.
    pub lab: &'a Lab<'c>,
    /// The bundle's folder.
    pub root: &'a Path,
    /// The library, or why there is none.
    pub library: &'a Result<Cublas>,
    /// Which variants.
    pub choice: &'a Choice,
    /// Variants that brought the GPU down on this row before, with what it said.
    pub excluded: &'a [(String, String)],
}

/// The GPU is lost to this process; the variant that did it is left out when the row runs again.
#[derive(Debug)]
pub struct Lost {
    /// The variant.
    pub variant: String,
    /// What the driver said.
    pub text: String,
}

impl<'c> Bench<'_, 'c> {
    /// Runs one row. `announce` is told each variant before it first runs.
    pub fn row(
        &self,
        task: &Task,
        effort: Effort,
        announce: &mut dyn FnMut(&str),
    ) -> Result<Row, Lost> {
        let mut row = task.row();
        let lost = |error: anyhow::Error| Lost {
            variant: String::new(),
            text: format!("{error:#}"),
        };
        let buffers = match Buffers::new(self.lab, task) {
            Ok(buffers) => buffers,
            Err(error) => {
                self.lab.context.synchronize().map_err(lost)?;
                row.problem = Some(format!("{error:#}"));
                return Ok(row);
            }
        };
        let mut sides = self.sides(task, &buffers, &mut row);
        self.compare_all(task, &buffers, &mut sides, announce)?;
        let has_clang = sides.iter().all(|s| s.name != REFERENCE || !s.cell.failed);
        if task.is_drawn() && !has_clang {
            // Launch bounds, or a grid that the chip does not have: not a launch.
            return Ok(row);
        }
        if task.is_timed() {
            self.time_all(task, &buffers, &mut sides, effort, &mut row, announce)?;
        }
        figures::complete(&mut row, task, &self.lab.chip, sides, self.choice.chooser);
        Ok(row)
    }

    /// Every distinct compilation among the chosen variants, clang's first; and in `row` a cell for
    /// each variant that has none or shares another's.
    pub fn sides<'s>(
        &'s self,
        task: &Task,
        buffers: &Buffers<'c>,
        row: &mut Row,
    ) -> Vec<Side<'c, 's>> {
        let mut sides: Vec<(usize, Side)> = Vec::new();
        for variant in &task.entry.variants {
            if variant.name != REFERENCE && !self.choice.takes(&variant.name) {
                continue;
            }
            let mut cell = Cell {
                variant: variant.name.clone(),
                plan: variant.plan.clone(),
                predicted: variant.predictions.get(&task.case.label).copied(),
                ..Cell::default()
            };
            let Some(image) = variant.image else {
                cell.problem = variant.skipped.clone();
                row.cells.push(cell);
                continue;
            };
            if let Some((_, first)) = sides.iter().find(|(i, _)| *i == image) {
                cell.same_as = Some(first.name.clone());
                row.cells.push(cell);
                continue;
            }
            if let Some((_, why)) = self.excluded.iter().find(|(v, _)| *v == variant.name) {
                cell.problem = Some(why.clone());
                cell.failed = true;
                row.cells.push(cell);
                continue;
            }
            let code = &task.entry.images[image];
            match Side::of_image(self.lab, self.root, code, task, buffers) {
                Ok(mut side) => {
                    side.name = variant.name.clone();
                    side.exact = variant.exact;
                    side.cell = Cell {
                        variant: cell.variant,
                        plan: cell.plan,
                        predicted: cell.predicted,
                        ..side.cell
                    };
                    sides.push((image, side));
                }
                Err(error) => {
                    cell.problem = Some(format!("{error:#}"));
                    cell.failed = true;
                    row.cells.push(cell);
                }
            }
        }
        let mut sides: Vec<Side> = sides.into_iter().map(|(_, side)| side).collect();
        if task.blas.is_some() && self.choice.takes(LIBRARY) {
            self.library_side(&mut sides, row);
        }
        sides
    }

    fn library_side<'s>(&'s self, sides: &mut Vec<Side<'c, 's>>, row: &mut Row) {
        let mut cell = Cell {
            variant: LIBRARY.into(),
            ..Cell::default()
        };
        match self.library {
            Ok(library) => {
                let mut side = Side::of_library(library);
                (side.name, side.cell) = (LIBRARY.into(), cell);
                sides.push(side);
            }
            Err(why) => {
                cell.problem = Some(format!("{why:#}"));
                row.cells.push(cell);
            }
        }
    }

    /// Runs every side once on fresh inputs and holds its buffers against clang's.
    pub fn compare_all(
        &self,
        task: &Task,
        buffers: &Buffers<'c>,
        sides: &mut [Side<'c, '_>],
        announce: &mut dyn FnMut(&str),
    ) -> Result<(), Lost> {
        let mut has_reference = false;
        for side in sides {
            announce(&side.name);
            let outcome = self.compare(task, buffers, side, &mut has_reference);
            self.lab.context.synchronize().map_err(|error| Lost {
                variant: side.name.clone(),
                text: match &outcome {
                    Err(first) => format!("{first:#}"),
                    Ok(()) => format!("{error:#}"),
                },
            })?;
            if let Err(error) = outcome {
                side.cell.problem = Some(format!("{error:#}"));
                side.cell.failed = true;
            }
        }
        Ok(())
    }

    fn compare(
        &self,
        task: &Task,
        buffers: &Buffers<'c>,
        side: &mut Side<'c, '_>,
        has_reference: &mut bool,
    ) -> Result<()> {
        buffers.write(self.lab, task, 0, &side.globals, Contents::All)?;
        side.launch(task, buffers, 0)?;
        self.lab.context.synchronize()?;
        if side.name == REFERENCE {
            buffers.keep(self.lab, task, &side.globals)?;
            *has_reference = true;
            side.cell.same_bits = Some(true);
            return Ok(());
        }
        if !*has_reference {
            return Err(anyhow!(
                "there is nothing to compare with: {REFERENCE} failed"
            ));
        }
        self.judge(task, buffers, side)?;
        // Whatever may be launched gives these bits; the kernel itself was the first.
        for (which, candidate) in side.candidates().iter().enumerate().skip(1) {
            side.select(which);
            buffers.write(self.lab, task, 0, &side.globals, Contents::All)?;
            side.launch(task, buffers, 0)
                .and_then(|()| self.lab.context.synchronize())
                .and_then(|()| self.judge(task, buffers, side))
                .with_context(|| candidate.name())?;
        }
        side.select(0);
        Ok(())
    }

    /// Holds the first copy of the buffers against clang's results.
    fn judge(&self, task: &Task, buffers: &Buffers<'c>, side: &mut Side<'c, '_>) -> Result<()> {
        let found = buffers.difference(self.lab, task, &side.globals)?;
        side.cell.same_bits = Some(found.is_none());
        let Some((name, difference)) = found else {
            return Ok(());
        };
        side.cell.error = Some(difference.error);
        let allowed = figures::tolerance(task.unit);
        if side.exact || difference.error > allowed {
            return Err(anyhow!(
                "`{name}` differs in {} elements from {} on, relative error {:.1e}",
                difference.elements,
                difference.first,
                difference.error
            ));
        }
        Ok(())
    }

    /// Times the sides that gave right results, in rounds; each round starts with the next side.
    pub fn time_all(
        &self,
        task: &Task,
        buffers: &Buffers<'c>,
        sides: &mut [Side<'c, '_>],
        effort: Effort,
        row: &mut Row,
        announce: &mut dyn FnMut(&str),
    ) -> Result<(), Lost> {
        let lost = |error: anyhow::Error| Lost {
            variant: String::new(),
            text: format!("while timing: {error:#}"),
        };
        let mut good: Vec<&mut Side> = sides
            .iter_mut()
            .filter(|s| s.cell.problem.is_none())
            .collect();
        if good.is_empty() {
            return Ok(());
        }
        let mut timer = Timer::new(self.lab).map_err(lost)?;
        for copy in 0..buffers.copies() {
            buffers
                .write(self.lab, task, copy, &[], Contents::Outputs)
                .map_err(lost)?;
        }
        self.settle(task, buffers, &mut timer, &mut good, effort, announce)
            .map_err(lost)?;
        let clock = Instant::now();
        let mut estimates = Vec::new();
        for side in &mut good {
            announce(&side.name);
            estimates.push(timer.estimate(side, task, buffers).map_err(lost)?);
        }
        row.recorded = !self.choice.by_host && estimates.iter().any(|ms| *ms < SHORT_MS);
        let plans = good.iter_mut().zip(estimates);
        let runs: Vec<Run> = plans
            .map(|(side, ms)| timer.plan(self.lab, side, buffers, ms, row.recorded))
            .collect::<Result<_>>()
            .map_err(lost)?;
        for round in 0..effort.rounds {
            if round >= effort.least && clock.elapsed() > effort.until {
                break;
            }
            for turn in 0..good.len() {
                let which = (round as usize + turn) % good.len();
                let ms = timer
                    .time(good[which], task, buffers, &runs[which])
                    .map_err(lost)?;
                good[which].times.push(ms);
            }
            row.samples = round + 1;
        }
        row.clock = self.lab.clock().map_err(lost)?;
        Ok(())
    }

    /// Picks what each side's figures are of. Without clang's kernel there is nothing to measure against.
    fn settle(
        &self,
        task: &Task,
        buffers: &Buffers<'c>,
        timer: &mut Timer<'c>,
        good: &mut [&mut Side<'c, '_>],
        effort: Effort,
        announce: &mut dyn FnMut(&str),
    ) -> Result<()> {
        let Some((clang, others)) = good.split_first_mut() else {
            return Ok(());
        };
        if clang.name != REFERENCE {
            return Ok(());
        }
        let choosing = others.iter().filter(|s| s.cell.choice.is_some()).count();
        let trials = Trials {
            lab: self.lab,
            task,
            buffers,
            chooser: self.choice.chooser,
            by_host: self.choice.by_host,
            until: effort.until / 2 / choosing.max(1) as u32,
        };
        for side in others {
            announce(&side.name);
            trials.settle(timer, clang, side)?;
        }
        Ok(())
    }
}
