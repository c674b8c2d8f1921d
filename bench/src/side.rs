//! A side of a row: one compilation, or the library, ready to be launched on the row's buffers.
//!
//! The plug-in's images may hold two kernels: its own, and the original beside it; or a third, the original as clang makes it. Programs
//! that clang builds ask the image's gates at each launch, and so does a side, unless it is told not to ([`Chooser`]).

use std::ffi::c_void;
use std::path::Path;

use anyhow::{Context as _, Result};
use mesi_launch::blocks_of;
const ORIGINAL: &str = "$original";
const PLAIN: &str = "$plain";

use crate::buffers::Buffers;
use crate::cublas::Cublas;
use crate::driver::{Kernel, Launch, Module, Recorder};
use crate::gate::Gate;
use crate::lab::{self, Lab};
use crate::manifest::Image;
use crate::results::Cell;
use crate::tasks::{Chooser, Task};

/// One compilation, or the library.
pub struct Side<'c, 'l> {
    /// The variant it stands for.
    pub name: String,
    /// Must agree bit for bit.
    pub exact: bool,
    work: Work<'c, 'l>,
    /// The image's kernels in the row's own blocks, with their symbols, where the host launches another one or in other blocks: their bits must be
    /// the same.
    pub spare: Vec<(String, Launch<'c>)>,
    /// Run after each launch: what the self-test plants.
    pub planted: Option<Launch<'c>>,
    kernel: Option<Kernel<'c>>,
    /// `__device__` arrays: address and buffer.
    pub globals: Vec<(u64, usize)>,
    /// Keeps the code loaded.
    _module: Option<Module<'c>>,
    /// What is found out.
    pub cell: Cell,
    /// Milliseconds of a launch, one for each round.
    pub times: Vec<f64>,
}

/// Something that leaves its result in the buffers.
enum Work<'c, 'l> {
    /// A kernel for each copy of the buffers.
    Kernel(Vec<Launch<'c>>),
    /// A library call.
    Library(&'l Cublas),
}

/// The kernels of an image.
struct Pair<'c> {
    kernel: Kernel<'c>,
    /// What may be launched instead, and what says so.
    original: Option<(Kernel<'c>, Gate)>,
    /// The same for launches of the original.
    plain: Option<(Kernel<'c>, Gate)>,
    /// What says in which blocks.
    blocks: Option<Gate>,
}

/// What the host makes of a launch.
#[derive(Clone, Copy)]
struct Chosen<'c> {
    kernel: Kernel<'c>,
    /// Whether that is the original, and the one that clang makes.
    original: bool,
    plain: bool,
    block: [u32; 3],
    grid: [u32; 3],
}

impl<'c> Pair<'c> {
    fn of(root: &Path, image: &Image, module: &Module<'c>, task: &Task) -> Result<Pair<'c>> {
        let kernel = module.kernel(|symbol| task.corpus.names(symbol))?;
        let name = kernel.name()?;
        // What is launched in place of a kernel of this name, if that has a gate.
        let other = |of: &str, suffix: &str| -> Result<Option<(Kernel<'c>, Gate)>> {
            let gate = match &image.gates {
                Some(gates) => Gate::load(root, gates, of)?,
                None => None,
            };
            let Some(gate) = gate else { return Ok(None) };
            let symbol = format!("{name}{suffix}");
            let found = module
                .kernel(|s| s == symbol)
                .with_context(|| format!("there is a gate, and no {symbol}"))?;
            Ok(Some((found, gate)))
        };
        let blocks = match &image.gates {
            Some(gates) => match blocks_of(&name, gates.kernels.iter().map(String::as_str)) {
                Some(blocks) => Gate::load(root, gates, blocks)?,
                None => None,
            },
            None => None,
        };
        Ok(Pair {
            kernel,
            original: other(&name, ORIGINAL)?,
            plain: other(&format!("{name}{ORIGINAL}"), PLAIN)?,
            blocks,
        })
    }

    /// What is launched where `chooser` picks, in place of `launch`, which is of the plug-in's kernel. Launches with dynamic shared memory
    /// the host leaves alone.
    fn choose(&self, chooser: Chooser, launch: &Launch) -> Chosen<'c> {
        let [block, grid] = launch.extents();
        let own = Chosen {
            kernel: self.kernel,
            original: false,
            plain: false,
            block,
            grid,
        };
        let original = self.original.as_ref();
        match chooser {
            Chooser::Original => original.map_or(own, |(kernel, _)| Chosen {
                kernel: *kernel,
                original: true,
                ..own
            }),
            Chooser::Host if launch.shared() == 0 => self.as_host(own, launch.arguments()),
            Chooser::Host | Chooser::Device => own,
        }
    }

    fn as_host(&self, own: Chosen<'c>, arguments: &[*mut c_void]) -> Chosen<'c> {
        let [block, grid] = match &self.blocks {
            // SAFETY: the arguments are those of the gate's kernel, as its header describes them.
            Some(blocks) => unsafe { blocks.blocks(arguments, own.block, own.grid) },
            None => [own.block, own.grid],
        };
        let here = Chosen { block, grid, ..own };
        // SAFETY: as above.
        let allows = |gate: &Gate| unsafe { gate.allows(arguments, block, grid) };
        match (&self.original, &self.plain) {
            (Some((_, gate)), _) if allows(gate) => here,
            (Some(_), Some((kernel, gate))) if !allows(gate) => Chosen {
                kernel: *kernel,
                original: true,
                plain: true,
                ..here
            },
            (Some((kernel, _)), _) => Chosen {
                kernel: *kernel,
                original: true,
                ..here
            },
            (None, _) => here,
        }
    }
}

impl<'c, 'l> Side<'c, 'l> {
    fn new(work: Work<'c, 'l>) -> Self {
        Side {
            name: String::new(),
            exact: false,
            work,
            spare: Vec::new(),
            planted: None,
            kernel: None,
            globals: Vec::new(),
            _module: None,
            cell: Cell::default(),
            times: Vec::new(),
        }
    }

    /// The code of `image` in the bundle at `root`, with a launch for each copy of `buffers`.
    pub fn of_image(
        lab: &Lab<'c>,
        root: &Path,
        image: &Image,
        task: &Task,
        buffers: &Buffers<'c>,
        chooser: Chooser,
    ) -> Result<Self> {
        let (module, jit) = lab::load(lab.context, root, image)?;
        let pair = Pair::of(root, image, &module, task)?;
        let case = &task.case;
        let globals = case
            .globals
            .iter()
            .map(|g| Ok((module.global(&g.name)?, g.buffer)))
            .collect::<Result<_>>()?;
        let launch = |kernel: Kernel<'c>, [block, grid]: [[u32; 3]; 2], copy| {
            let address = |buffer| buffers.address(copy, buffer, &[]);
            let arguments = case.args.iter().map(|a| a.bytes(&address)).collect();
            kernel.launch(grid, block, case.shared, arguments)
        };
        let own = [case.block, case.grid];
        let chosen: Vec<Chosen> = (0..buffers.copies())
            .map(|copy| pair.choose(chooser, &launch(pair.kernel, own, copy)))
            .collect();
        // Copies differ by where they lie alone, so the first one stands for the row.
        let first = *chosen.first().context("there are no buffers")?;
        // The original does what clang's code does, loops unrolled further at most: the small cases are enough.
        let small = !task.is_timed();
        let itself = first.original || (small && first.block != case.block);
        let original = pair.original.as_ref().filter(|_| small && !first.original);
        let spare = itself.then_some(pair.kernel).into_iter();
        let spare = spare
            .chain(original.map(|(kernel, _)| *kernel))
            .map(|k| Ok((k.name()?, launch(k, own, 0))))
            .collect::<Result<_>>()?;
        let launches = chosen.iter().enumerate();
        let launches = launches.map(|(copy, c)| launch(c.kernel, [c.block, c.grid], copy));
        Ok(Side {
            spare,
            kernel: Some(first.kernel),
            globals,
            _module: Some(module),
            cell: Cell {
                jit,
                original: first.original,
                plain: first.plain,
                block: Some(first.block).filter(|b| *b != case.block),
                code: Some(image.code).filter(|c| *c > 0),
                original_code: Some(image.original).filter(|c| *c > 0),
                ..Cell::default()
            },
            ..Side::new(Work::Kernel(launches.collect()))
        })
    }

    /// The library.
    pub fn of_library(library: &'l Cublas) -> Self {
        Side::new(Work::Library(library))
    }

    /// Starts the work on one copy of the buffers.
    pub fn launch(&mut self, task: &Task, buffers: &Buffers, copy: usize) -> Result<()> {
        match (&mut self.work, &task.blas) {
            (Work::Kernel(launches), _) => launches[copy].run()?,
            (Work::Library(library), Some(blas)) => {
                let addresses = blas.buffers.map(|b| buffers.address(copy, b, &[]));
                library.gemm(blas, addresses)?;
            }
            (Work::Library(_), None) => {}
        }
        match &mut self.planted {
            Some(planted) => planted.run(),
            None => Ok(()),
        }
    }

    /// Whether the work can be recorded: the library's cannot, and nothing planted comes with it.
    pub fn is_recordable(&self) -> bool {
        matches!(self.work, Work::Kernel(_)) && self.planted.is_none()
    }

    /// Records the work on one copy of the buffers.
    pub fn record(&mut self, recorder: &Recorder, copy: usize) -> Result<()> {
        match &mut self.work {
            Work::Kernel(launches) => launches[copy].record(recorder),
            Work::Library(_) => Ok(()),
        }
    }

    /// The kernel that is launched, for its resources; the library has none.
    pub fn kernel(&self) -> Option<Kernel<'_>> {
        self.kernel
    }
}
