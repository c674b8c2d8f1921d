//! The bench's own kernels at work: fills, comparisons, clocks and the rates that limit a chip.

use std::path::Path;

use anyhow::{Context as _, Result};
use mesi_launch::{Buffer, ElemType, Fill};

use crate::driver::{Address, Chip, Context, Event, Fault, Launch, Memory, Module};
use crate::manifest::Image;
use crate::results::Limits;

/// What outputs hold before a launch: no result of a corpus kernel, in any type.
pub const POISON: u8 = 0x5a;
/// `compare` counts here: 5 numbers of 8 bytes.
const COUNTERS: u64 = 40;

/// A context with the support kernels loaded.
pub struct Lab<'c> {
    /// Where everything runs.
    pub context: &'c Context<'c>,
    /// The chip.
    pub chip: Chip,
    support: Module<'c>,
    counters: Memory<'c>,
}

/// How two buffers differ.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Difference {
    /// Elements with other bits.
    pub elements: u64,
    /// The first of them.
    pub first: u64,
    /// Root of the squared errors by root of the squared values.
    pub error: f64,
}

/// Loads an image, from PTX where the cubin is for another chip; says which.
pub fn load<'c>(
    context: &'c Context<'c>,
    root: &Path,
    image: &Image,
) -> Result<(Module<'c>, bool)> {
    let read = |name: &str| {
        let path = root.join(name);
        std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))
    };
    let error = match context.module(&read(&image.cubin)?) {
        Ok(module) => return Ok((module, false)),
        Err(error) => error,
    };
    if !error
        .downcast_ref::<Fault>()
        .is_some_and(Fault::is_wrong_image)
    {
        return Err(error);
    }
    let mut ptx = read(&image.ptx)?;
    ptx.push(0);
    let module = context
        .module(&ptx)
        .context("neither cubin nor PTX is for this chip")?;
    Ok((module, true))
}

impl<'c> Lab<'c> {
    /// Loads the support kernels of the bundle at `root`.
    pub fn new(context: &'c Context<'c>, root: &Path, support: &Image) -> Result<Lab<'c>> {
        Ok(Lab {
            context,
            chip: context.chip()?,
            support: load(context, root, support)?.0,
            counters: context.allocate(COUNTERS)?,
        })
    }

    /// A support kernel ready to run.
    pub fn launch(
        &self,
        name: &str,
        grid: u32,
        block: u32,
        arguments: &[&[u8]],
    ) -> Result<Launch<'c>> {
        let kernel = self.support.kernel(|symbol| symbol == name)?;
        let arguments = arguments.iter().map(|a| a.to_vec()).collect();
        Ok(kernel.launch([grid, 1, 1], [block, 1, 1], 0, arguments))
    }

    /// Writes the contents that the header gives `buffer`.
    pub fn fill(&self, at: Address, buffer: &Buffer) -> Result<()> {
        if buffer.fill == Fill::Zero {
            return self.context.set(at, 0, buffer.bytes());
        }
        let (kind, a, b, modulus) = match buffer.fill {
            Fill::Uniform(a, b) => (0u32, a, b, 1),
            Fill::Iota => (1, 0.0, 0.0, 1),
            Fill::Zero => (2, 0.0, 0.0, 1),
            Fill::Const(v) => (3, v, 0.0, 1),
            Fill::Index(m) => (4, 0.0, 0.0, m as u64),
        };
        self.launch(
            "fill",
            self.blocks(buffer.count),
            256,
            &[
                &at.to_le_bytes(),
                &buffer.count.to_le_bytes(),
                &buffer.ty.code().to_le_bytes(),
                &kind.to_le_bytes(),
                &a.to_le_bytes(),
                &b.to_le_bytes(),
                &modulus.to_le_bytes(),
                &mesi_launch::seed(&buffer.name).to_le_bytes(),
            ],
        )?
        .run()
    }

    /// Enough blocks of 256 to fill the chip, and no more than `count` elements need.
    fn blocks(&self, count: u64) -> u32 {
        let most = u64::from(self.chip.multiprocessors) * 16;
        count.div_ceil(256).clamp(1, most) as u32
    }

    /// Compares `count` elements of type `ty`; `None` where all bits agree.
    pub fn compare(
        &self,
        got: Address,
        want: Address,
        count: u64,
        ty: ElemType,
    ) -> Result<Option<Difference>> {
        let counters = self.counters.address;
        self.context.set(counters, 0, COUNTERS)?;
        self.context.set(counters + 8, 0xff, 8)?;
        self.launch(
            "compare",
            self.blocks(count),
            256,
            &[
                &got.to_le_bytes(),
                &want.to_le_bytes(),
                &count.to_le_bytes(),
                &ty.code().to_le_bytes(),
                &[POISON; 8],
                &counters.to_le_bytes(),
            ],
        )?
        .run()?;
        self.context.synchronize()?;
        let words = self.words(COUNTERS)?;
        if words[0] == 0 {
            return Ok(None);
        }
        let [error, norm] = [words[2], words[3]].map(f64::from_bits);
        let broken = words[4] > 0 || norm == 0.0;
        Ok(Some(Difference {
            elements: words[0],
            first: words[1],
            error: if broken {
                f64::INFINITY
            } else {
                (error / norm).sqrt()
            },
        }))
    }

    fn words(&self, bytes: u64) -> Result<Vec<u64>> {
        let bytes = self.context.read(self.counters.address, bytes as usize)?;
        let word = |w: &[u8]| w.iter().rev().fold(0, |sum, b| sum << 8 | u64::from(*b));
        Ok(bytes.chunks(8).map(word).collect())
    }

    /// A launch that lasts this long on one thread.
    pub fn wait(&self, nanoseconds: u64) -> Result<Launch<'c>> {
        let counters = self.counters.address.to_le_bytes();
        self.launch("wait_for", 1, 1, &[&counters, &nanoseconds.to_le_bytes()])
    }

    /// The clock the chip runs at now, MHz.
    pub fn clock(&self) -> Result<u32> {
        self.wait(200_000)?.run()?;
        self.context.synchronize()?;
        let words = self.words(16)?;
        Ok((words[0] * 1000 / words[1].max(1)) as u32)
    }

    /// Measures what the chip can do.
    pub fn limits(&self) -> Result<Limits> {
        let mut nothing = self.launch("nothing", 1, 32, &[])?;
        Ok(Limits {
            copy: self.copy_rate(512 << 20)?,
            l2: self.copy_rate(6 << 20)?,
            f32: self.peak("peak_f32", &1f32.to_le_bytes(), &0f32.to_le_bytes())?,
            f64: self.peak("peak_f64", &1f64.to_le_bytes(), &0f64.to_le_bytes())?,
            i32: self.peak("peak_i32", &3i32.to_le_bytes(), &1i32.to_le_bytes())?,
            launch: 1e3 * self.milliseconds(200, || nothing.run())?,
            recorded: self.recorded()?,
        })
    }

    /// Microseconds from one recorded empty launch to the next.
    fn recorded(&self) -> Result<f64> {
        let mut nothing = self.launch("nothing", 1, 32, &[])?;
        let graph = self
            .context
            .graph(|recorder| (0..200).try_for_each(|_| nothing.record(recorder)))?;
        Ok(1e3 / 200.0 * self.milliseconds(1, || graph.run())?)
    }

    /// GB/s, read and written, of copying `bytes` again and again.
    fn copy_rate(&self, bytes: u64) -> Result<f64> {
        let [from, to] = [self.context.allocate(bytes)?, self.context.allocate(bytes)?];
        self.context.set(from.address, 1, bytes)?;
        let grid = (bytes / (16 * 4 * 256)) as u32;
        let arguments = [to.address.to_le_bytes(), from.address.to_le_bytes()];
        let mut copy = self.launch("copy", grid, 256, &[&arguments[0], &arguments[1]])?;
        // Long enough to be timed, whatever the size.
        let repeats = ((512 << 20) / bytes).clamp(2, 64) as u32;
        let by_kernel = self.milliseconds(repeats, || copy.run())?;
        // The driver's own copy is the faster one on an H200: 4190 against 2610 GB/s.
        let by_driver = self.milliseconds(repeats, || {
            self.context.copy(to.address, from.address, bytes)
        })?;
        Ok(2.0 * bytes as f64 / by_kernel.min(by_driver) / 1e6)
    }

    /// G operations a second of a kernel of independent multiply-adds.
    fn peak(&self, name: &str, a: &[u8], b: &[u8]) -> Result<f64> {
        let (grid, rounds) = (self.chip.multiprocessors * 8, 2000i32);
        let out = self.counters.address.to_le_bytes();
        let mut launch = self.launch(name, grid, 256, &[&out, &rounds.to_le_bytes(), a, b])?;
        let operations = 2.0 * 8.0 * 16.0 * f64::from(rounds) * 256.0 * f64::from(grid);
        Ok(operations / self.milliseconds(1, || launch.run())? / 1e6)
    }

    /// The best of ten timings, each of `repeats` calls: a limit is what is possible.
    fn milliseconds(&self, repeats: u32, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
        let events: [Event; 2] = [self.context.event()?, self.context.event()?];
        let mut best = f64::INFINITY;
        for _ in 0..10 {
            events[0].record()?;
            for _ in 0..repeats {
                work()?;
            }
            events[1].record()?;
            best = best.min(events[1].milliseconds_since(&events[0])?);
        }
        Ok(best / f64::from(repeats))
    }
}
