//! A side of a row: one compilation, or the library, ready to be launched on the row's buffers.
//!
//! The plug-in's images may hold versions beside the kernel. Programs that clang builds ask the image's gates which of them a launch may take,
//! and whether its threads may be dealt out to other blocks; so does a side. Each such candidate is a way to do the row ([`crate::choice`]).

use std::path::Path;

use anyhow::{Context as _, Result};
use mesi_launch::{FOLD, MAPPED, PAYS, VERSION, blocks_of};

use crate::buffers::Buffers;
use crate::choice::{self, Candidate};
use crate::cublas::Cublas;
use crate::driver::{Kernel, Launch, Module, Recorder};
use crate::gate::Gate;
use crate::lab::{self, Lab};
use crate::manifest::{Grid, Image};
use crate::results::Cell;
use crate::tasks::Task;

/// Shared memory of a block, in bytes, that needs no leave of the driver's.
const MOST_SHARED: u32 = 48 << 10;

/// One compilation, or the library.
pub struct Side<'c, 'l> {
    /// The variant it stands for.
    pub name: String,
    /// Must agree bit for bit.
    pub exact: bool,
    work: Work<'c, 'l>,
    /// Run after each launch: what the self-test plants.
    pub planted: Option<Launch<'c>>,
    /// Which way of a kernel is gone.
    at: usize,
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
    /// A kernel's ways: the first is the kernel itself in the program's blocks.
    Kernel(Vec<Way<'c>>),
    /// A library call.
    Library(&'l Cublas),
}

/// A candidate, ready to be launched.
struct Way<'c> {
    candidate: Candidate,
    kernel: Kernel<'c>,
    /// One for each copy of the buffers.
    launches: Vec<Launch<'c>>,
}

/// What is launched as a candidate.
struct Chosen<'c> {
    kernel: Kernel<'c>,
    candidate: Candidate,
    /// Block and grid.
    extents: [[u32; 3]; 2],
    /// Dynamic shared memory, bytes.
    shared: u32,
    /// The bytes of an argument more, if it has one.
    list: Vec<u8>,
}

/// A version among the kernels of an image.
struct Version<'c> {
    number: u32,
    kernel: Kernel<'c>,
    /// Whether a launch may take it.
    sound: Gate,
    /// Whether the model is sure that it gains.
    pays: Option<Gate>,
    /// What makes the launch of it, where its ids are folded.
    fold: Option<Gate>,
    /// What must be memory.
    memory: Option<Gate>,
    /// The grid that it is launched in.
    grid: Grid,
    /// Parts that it has of dynamic shared memory, and bytes of it for each thread, if not 0.
    dynamic: [u32; 2],
}

/// The kernels of an image.
struct Kernels<'c> {
    kernel: Kernel<'c>,
    versions: Vec<Version<'c>>,
    /// What says in which blocks.
    blocks: Option<Gate>,
}

impl<'c> Kernels<'c> {
    fn of(root: &Path, image: &Image, module: &Module<'c>, task: &Task) -> Result<Kernels<'c>> {
        let kernel = module.kernel(|symbol| task.corpus.names(symbol))?;
        let mut found = Kernels {
            kernel,
            versions: Vec::new(),
            blocks: None,
        };
        let Some(gates) = &image.gates else {
            return Ok(found);
        };
        let name = kernel.name()?;
        for number in 0..image.versions.len() as u32 {
            let symbol = format!("{name}{VERSION}{number}");
            // Without a gate nobody may launch it.
            let Some(sound) = Gate::load(root, gates, &symbol)? else {
                continue;
            };
            let kernel = module.kernel(|s| s == symbol);
            found.versions.push(Version {
                number,
                kernel: kernel.with_context(|| format!("there is a gate, and no {symbol}"))?,
                sound,
                pays: Gate::load(root, gates, &format!("{symbol}{PAYS}"))?,
                fold: Gate::load(root, gates, &format!("{symbol}{FOLD}"))?,
                memory: Gate::load(root, gates, &format!("{symbol}{MAPPED}"))?,
                grid: gates.grid(&symbol),
                dynamic: gates.dynamic(&symbol),
            });
        }
        if let Some(blocks) = blocks_of(&name, gates.kernels.iter().map(String::as_str)) {
            found.blocks = Gate::load(root, gates, blocks)?;
        }
        Ok(found)
    }

    /// All that may be launched in place of `launches`, which are of the kernel itself, one for each copy of the buffers. They come first.
    fn ways(&self, launches: Vec<Launch<'c>>, task: &Task) -> Result<Vec<Way<'c>>> {
        let first = launches.first().context("there are no buffers")?;
        let own = first.extents();
        // Only threads without dynamic shared memory are dealt out to other blocks.
        let gate = self.blocks.as_ref().filter(|_| first.shared() == 0);
        // SAFETY: the arguments are those of the gate's kernel, as its header describes them.
        let dealt = gate.and_then(|g| unsafe { g.blocks(first.arguments(), own[0], own[1]) });
        let mut chosen = Vec::new();
        for extents in std::iter::once(own).chain(dealt) {
            let block = Some(extents[0]).filter(|_| extents != own);
            if extents != own && fits(self.kernel, extents[0], 0)? {
                let candidate = Candidate {
                    block,
                    ..Candidate::default()
                };
                chosen.push(Chosen {
                    kernel: self.kernel,
                    candidate,
                    extents,
                    shared: 0,
                    list: Vec::new(),
                });
            }
            for version in &self.versions {
                // Ids that are folded have a launch of their own, in place of the program's.
                let has_dynamic = first.shared() == 0 || version.dynamic[0] > 0;
                let folded = version.fold.as_ref().filter(|_| has_dynamic);
                // SAFETY: as above.
                let folded =
                    folded.map(|g| unsafe { g.relaunch(first.arguments(), own[0], own[1]) });
                let launched = match (&version.fold, folded.flatten()) {
                    (None, _) => (extents, Vec::new()),
                    (Some(_), Some(folded)) if extents == own => folded,
                    _ => continue,
                };
                chosen.extend(version.candidate(&launches, launched, own, task)?);
            }
        }
        let mut ways = Vec::new();
        for c in chosen {
            let again = |l: &Launch<'c>| l.with(c.kernel, c.extents, c.shared, &c.list);
            ways.push(Way {
                candidate: c.candidate,
                kernel: c.kernel,
                launches: launches.iter().map(again).collect(),
            });
        }
        let itself = Way {
            candidate: Candidate::default(),
            kernel: self.kernel,
            launches,
        };
        ways.insert(0, itself);
        Ok(ways)
    }
}

impl<'c> Version<'c> {
    /// It as a candidate in these extents, in place of the program's `own`; `None`: it may not run.
    fn candidate(
        &self,
        launches: &[Launch<'c>],
        (extents, list): ([[u32; 3]; 2], Vec<u8>),
        own: [[u32; 3]; 2],
        task: &Task,
    ) -> Result<Option<Chosen<'c>>> {
        let says = |gate: &Gate, launch: &Launch| {
            // SAFETY: the arguments are those of the gate's kernel, as its header describes them.
            unsafe { gate.allows(launch.arguments(), extents[0], extents[1]) }
        };
        // The copies' addresses differ, and so may what the gate says of them.
        let reads_memory = |launch: &Launch| match &self.memory {
            // SAFETY: as above.
            Some(g) => unsafe { g.ranges(launch.arguments(), extents[0], extents[1]) }
                .is_some_and(|all| all.into_iter().all(|[low, end]| launch.is_memory(low, end))),
            None => true,
        };
        let mut all = launches.iter();
        let sound = all.all(|l| says(&self.sound, l) && reads_memory(l));
        let shared = mesi_launch::Gate::dynamic_shared(self.dynamic, task.case.shared, extents[0]);
        let Some(shared) = shared.filter(|_| sound) else {
            return Ok(None);
        };
        if !fits(self.kernel, extents[0], shared)? {
            return Ok(None);
        }
        let candidate = Candidate {
            version: Some(self.number),
            block: Some(extents[0]).filter(|_| extents != own),
            folded: self.fold.is_some(),
            pays: self.pays.as_ref().is_some_and(|g| says(g, &launches[0])),
        };
        let [block, grid] = extents;
        Ok(Some(Chosen {
            kernel: self.kernel,
            candidate,
            extents: [block, self.grid.of(grid)],
            shared,
            list,
        }))
    }
}

/// Whether a multiprocessor takes such blocks of a kernel: a program would find out by an error, and launch the kernel itself.
fn fits(kernel: Kernel, block: [u32; 3], shared: u32) -> Result<bool> {
    let threads: u32 = block.iter().product();
    Ok(threads <= kernel.most_threads()? && kernel.shared_bytes()? + shared <= MOST_SHARED)
}

impl<'c, 'l> Side<'c, 'l> {
    fn new(work: Work<'c, 'l>) -> Self {
        Side {
            name: String::new(),
            exact: false,
            work,
            planted: None,
            at: 0,
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
    ) -> Result<Self> {
        let (module, jit) = lab::load(lab.context, root, image)?;
        let kernels = Kernels::of(root, image, &module, task)?;
        let case = &task.case;
        let globals = case
            .globals
            .iter()
            .map(|g| Ok((module.global(&g.name)?, g.buffer)))
            .collect::<Result<_>>()?;
        let launch = |copy| {
            let address = |buffer| buffers.address(copy, buffer, &[]);
            let arguments = case.args.iter().map(|a| a.bytes(&address)).collect();
            let kernel = kernels.kernel;
            kernel.launch(case.grid, case.block, case.shared, arguments)
        };
        let launches = (0..buffers.copies()).map(launch).collect();
        let ways = kernels.ways(launches, task)?;
        let mut side = Side {
            globals,
            _module: Some(module),
            cell: Cell {
                jit,
                code: Some(image.code).filter(|c| *c > 0),
                versions: image.versions.clone(),
                ..Cell::default()
            },
            ..Side::new(Work::Kernel(ways))
        };
        if image.gates.is_some() {
            side.cell.prior_choice =
                Some(side.candidates()[choice::prior(&side.candidates())].name());
            side.take(0);
        }
        Ok(side)
    }

    /// The library.
    pub fn of_library(library: &'l Cublas) -> Self {
        Side::new(Work::Library(library))
    }

    /// All that may be launched: the kernel itself first. The library has nothing to choose.
    pub fn candidates(&self) -> Vec<Candidate> {
        match &self.work {
            Work::Kernel(ways) => ways.iter().map(|w| w.candidate).collect(),
            Work::Library(_) => Vec::new(),
        }
    }

    /// Launches this candidate from now on.
    pub fn select(&mut self, candidate: usize) {
        self.at = candidate;
    }

    /// The same for the row's figures, in whose cell it is.
    pub fn take(&mut self, candidate: usize) {
        self.select(candidate);
        if let Some(taken) = self.candidates().get(candidate) {
            self.cell.choice = Some(taken.name());
            self.cell.block = taken.block;
        }
    }

    /// Starts the work on one copy of the buffers.
    pub fn launch(&mut self, task: &Task, buffers: &Buffers, copy: usize) -> Result<()> {
        match (&mut self.work, &task.blas) {
            (Work::Kernel(ways), _) => ways[self.at].launches[copy].run()?,
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
            Work::Kernel(ways) => ways[self.at].launches[copy].record(recorder),
            Work::Library(_) => Ok(()),
        }
    }

    /// The kernel that is launched, for its resources; the library has none.
    pub fn kernel(&self) -> Option<Kernel<'_>> {
        match &self.work {
            Work::Kernel(ways) => Some(ways[self.at].kernel),
            Work::Library(_) => None,
        }
    }
}
