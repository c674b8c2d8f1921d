//! The device memory of one row: its buffers in one or more copies, and clang's results.

use anyhow::{Result, bail};

use crate::driver::{Address, Memory};
use crate::lab::{Difference, Lab, POISON};
use crate::tasks::Task;

/// Copies at most, however small the buffers are.
const MAX_COPIES: u64 = 32;
/// Copies together are this many times the L2 cache, so that nothing of a copy is left in it.
const L2_TIMES: u64 = 4;

/// Which buffers are written anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    /// All.
    All,
    /// Those that a launch may change.
    Outputs,
}

/// Memory of a row. A `__device__` array lies in each module and has none here, except for clang's
/// results.
pub struct Buffers<'c> {
    copies: Vec<Vec<Option<Memory<'c>>>>,
    reference: Vec<Memory<'c>>,
}

impl<'c> Buffers<'c> {
    /// Allocates and fills all copies.
    pub fn new(lab: &Lab<'c>, task: &Task) -> Result<Buffers<'c>> {
        let case = &task.case;
        let bytes: u64 = case.buffers.iter().map(|b| b.bytes().max(1)).sum();
        let wanted = match task.streams() && task.is_timed() {
            true => (L2_TIMES * lab.chip.l2_bytes)
                .div_ceil(bytes)
                .clamp(1, MAX_COPIES),
            false => 1,
        };
        let free = lab.context.free_bytes()? / 10 * 9;
        if 2 * bytes > free {
            bail!(
                "it needs {} MB twice and the GPU has {} MB free",
                bytes >> 20,
                free >> 20
            );
        }
        let is_global = |buffer| case.globals.iter().any(|g| g.buffer == buffer);
        let mut buffers = Buffers {
            copies: Vec::new(),
            reference: Vec::new(),
        };
        for buffer in &case.buffers {
            buffers
                .reference
                .push(lab.context.allocate(buffer.bytes())?);
        }
        for copy in 0..wanted.min(free / bytes - 1) as usize {
            let mut memory = Vec::new();
            for (i, buffer) in case.buffers.iter().enumerate() {
                memory.push(match is_global(i) {
                    true => None,
                    false => Some(lab.context.allocate(buffer.bytes())?),
                });
            }
            buffers.copies.push(memory);
            buffers.write(lab, task, copy, &[], Contents::All)?;
        }
        Ok(buffers)
    }

    /// How many copies there are, at least one.
    pub fn copies(&self) -> usize {
        self.copies.len()
    }

    /// Where a buffer lies; `globals` are a module's addresses of its `__device__` arrays.
    pub fn address(&self, copy: usize, buffer: usize, globals: &[(u64, usize)]) -> Address {
        let own = self.copies[copy][buffer].as_ref().map(|m| m.address);
        let global = globals.iter().find(|(_, b)| *b == buffer).map(|g| g.0);
        global.or(own).unwrap_or(0)
    }

    /// Writes what buffers hold before a launch; what is only written gets poison.
    pub fn write(
        &self,
        lab: &Lab,
        task: &Task,
        copy: usize,
        globals: &[(u64, usize)],
        contents: Contents,
    ) -> Result<()> {
        for (i, buffer) in task.case.buffers.iter().enumerate() {
            let at = self.address(copy, i, globals);
            if at == 0 || (contents == Contents::Outputs && !buffer.output) {
                continue;
            }
            match task.is_only_stored(&buffer.name) {
                true => lab.context.set(at, POISON, buffer.bytes())?,
                false => lab.fill(at, buffer)?,
            }
        }
        Ok(())
    }

    /// Keeps the first copy as clang's results.
    pub fn keep(&self, lab: &Lab, task: &Task, globals: &[(u64, usize)]) -> Result<()> {
        for (i, buffer) in task.case.buffers.iter().enumerate() {
            let from = self.address(0, i, globals);
            let to = self.reference[i].address;
            match self.copies[0][i] {
                Some(_) => lab.context.copy(to, from, buffer.bytes())?,
                None => {
                    let bytes = lab.context.read(from, buffer.bytes() as usize)?;
                    lab.context.send(to, &bytes)?;
                }
            }
        }
        Ok(())
    }

    /// The buffer of the first copy that differs most from clang's results, inputs included.
    pub fn difference(
        &self,
        lab: &Lab,
        task: &Task,
        globals: &[(u64, usize)],
    ) -> Result<Option<(String, Difference)>> {
        let mut worst: Option<(String, Difference)> = None;
        for (i, buffer) in task.case.buffers.iter().enumerate() {
            let (got, want) = (self.address(0, i, globals), self.reference[i].address);
            // compute-sanitizer follows writes to allocations, not to all of a `__device__` array:
            // it takes the rest for uninitialised, and copies of it on the device too.
            let own = match self.copies[0][i] {
                Some(_) => None,
                None => Some(lab.context.allocate(buffer.bytes())?),
            };
            if let Some(own) = &own {
                lab.context.send(
                    own.address,
                    &lab.context.read(got, buffer.bytes() as usize)?,
                )?;
            }
            let got = own.as_ref().map_or(got, |m| m.address);
            let found = lab.compare(got, want, buffer.count, buffer.ty)?;
            let Some(found) = found else { continue };
            if worst.as_ref().is_none_or(|(_, w)| found.error > w.error) {
                worst = Some((buffer.name.clone(), found));
            }
        }
        Ok(worst)
    }
}
