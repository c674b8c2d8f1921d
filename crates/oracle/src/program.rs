//! A kernel ready to run: loaded once, compiled once per kind of run, run as often as wanted.

use mesi_launch::{Case, Corpus, ElemType, kept_beside};

use crate::device::ir::Context;
use crate::device::load::{self, Module};
use crate::device::{self, Addresses, Facts, Mode, classes};
use crate::error::{Error, Result};
use crate::gate::Gate;
use crate::launch::{
    Code, STATIC_LIMIT, fit, order_report, place_globals, same_name, set_probes, static_report,
};
use crate::outcome::{Checks, Outcome, Output};
use crate::run::counts::Tally;
use crate::run::fiber::Stacks;
use crate::run::memory::{MAX_DYNAMIC, Space};
use crate::run::schedule::{self, Schedule};
use crate::run::{DEFAULT_FUEL, Runtime};

/// Seed of the second filling of uninitialised shared memory.
const SECOND_GARBAGE: u64 = 0x6d65_7369;

/// Which kernel of a file to take.
pub enum Kernel<'a> {
    /// The one with this symbol, or this source name.
    Named(&'a str),
    /// The one a corpus header means.
    Of(&'a Corpus),
    /// The only one.
    Only,
}

/// One kernel, compiled for this machine.
pub struct Program {
    // Dropped in this order: code, module, context.
    plain: Option<Code>,
    checked: Option<Code>,
    gate: Option<Gate>,
    blocks: Option<Gate>,
    /// How the host launches it, where its ids are folded.
    fold: Option<Gate>,
    /// What must be memory.
    memory: Option<Gate>,
    pristine: Module,
    context: Context,
    facts: Facts,
    runtime: Box<Runtime>,
    stacks: Stacks,
    /// File name, for messages.
    pub file: String,
    /// Symbol of the kernel.
    pub kernel: String,
    /// Symbols of the versions that the plug-in made of it, kernels of their own, in their order.
    pub versions: Vec<String>,
    /// Loop iterations a launch may take, summed over threads, before it is stopped and reported.
    pub fuel: i64,
    fuse: bool,
    quick: bool,
}

impl Program {
    /// Reads IR from a file.
    pub fn load(path: impl AsRef<std::path::Path>, kernel: Kernel) -> Result<Program> {
        let path = path.as_ref();
        let bytes = std::fs::read(path)
            .map_err(|e| Error::new(format!("{}: cannot be read: {e}", path.display())))?;
        Program::parse(&path.display().to_string(), &bytes, kernel)
    }

    /// Takes IR as text or bitcode; `file` is used in messages.
    pub fn parse(file: &str, bytes: &[u8], kernel: Kernel) -> Result<Program> {
        let context = Context::new();
        let pristine = load::parse(&context, file, bytes)?;
        type Wanted<'w> = Box<dyn Fn(&str) -> bool + 'w>;
        let named = match kernel {
            Kernel::Named(name) => Some(name),
            _ => None,
        };
        let (described, wanted): (String, Wanted) = match kernel {
            Kernel::Named(name) => {
                let mangled = format!("_Z{}{name}", name.len());
                let exact = load::kernels(&pristine).iter().any(|k| k == name);
                (
                    format!("called {name}"),
                    Box::new(move |k| k == name || (!exact && k.starts_with(&mangled))),
                )
            }
            Kernel::Of(corpus) => (
                format!("called {}", corpus.kernel),
                Box::new(|k| corpus.names(k)),
            ),
            Kernel::Only => ("chosen, name one".into(), Box::new(|_| true)),
        };
        // What the plug-in keeps beside a kernel is asked for by its whole name only.
        let wanted = |k: &str| wanted(k) && (named == Some(k) || kept_beside(k).is_none());
        let kernel = load::pick(file, &pristine, &described, wanted)?;
        let gate = Gate::of(&context, &pristine, file, &kernel)?;
        // A version gets the launches that its kernel gets.
        let users = kept_beside(&kernel).unwrap_or(&kernel);
        let blocks = Gate::of_blocks(&context, &pristine, file, users)?;
        let fold = Gate::of_fold(&context, &pristine, file, &kernel)?;
        let memory = Gate::of_memory(&context, &pristine, file, &kernel)?;
        if gate.as_ref().is_some_and(|g| g.needs_memory) && memory.is_none() {
            return Err(Error::new(format!(
                "{file}: {kernel}: nothing says what must be memory"
            )));
        }
        let mut versions = load::kernels(&pristine);
        versions.retain(|k| kept_beside(k) == Some(&kernel));
        load::reduce(&context, &pristine, &kernel)?;
        let facts = device::facts(&context, &pristine, file, &kernel)?;
        let mut runtime = Runtime::new(&kernel, facts.arena);
        runtime.block_runs = vec![0; device::block_count(&pristine)];
        Ok(Program {
            plain: None,
            checked: None,
            gate,
            blocks: blocks.filter(|_| fold.is_none()),
            fold,
            memory,
            pristine,
            context,
            facts,
            runtime,
            stacks: Stacks::default(),
            file: file.into(),
            kernel,
            versions,
            fuel: DEFAULT_FUEL,
            fuse: false,
            quick: false,
        })
    }

    /// Lets multiply-adds fuse where the IR allows it (`contract`), as the device's code generator does. Off at
    /// first: then every operation rounds by itself. On a machine without fused multiply-add nothing is fused.
    pub fn set_fuse(&mut self, fuse: bool) {
        if self.fuse != fuse {
            (self.plain, self.checked, self.fuse) = (None, None, fuse);
        }
    }

    /// Compiles in a third of the time, to code that runs slower: for many programs run on little data. The results
    /// are the same bits, since either way every operation is rounded by itself.
    pub fn set_quick(&mut self, quick: bool) {
        if self.quick != quick {
            (self.plain, self.checked, self.quick) = (None, None, quick);
        }
    }

    /// Compiles for `checks` if that was not done yet; a run does it by itself.
    pub fn prepare(&mut self, checks: Checks) -> Result<()> {
        let checked = checks != Checks::None;
        if if checked {
            self.checked.is_some()
        } else {
            self.plain.is_some()
        } {
            return Ok(());
        }
        let at = Addresses {
            runtime: &raw const *self.runtime as u64,
            shared: self.runtime.memory.shared.base,
            blocks: self.runtime.block_runs.as_ptr() as u64,
        };
        let compiled = device::compile(
            &self.context,
            &self.pristine,
            &self.file,
            &self.kernel,
            at,
            Mode {
                checked,
                fuse: self.fuse,
                quick: self.quick,
            },
        )?;
        let globals = compiled.globals.iter().map(|g| {
            let address = compiled.engine.variable(&g.symbol);
            // SAFETY: the variable lives in the engine and has this size.
            let bytes =
                unsafe { std::slice::from_raw_parts(address as *const u8, g.size as usize) };
            (address, bytes.to_vec())
        });
        let code = Code {
            globals: globals.collect(),
            compiled,
        };
        *(if checked {
            &mut self.checked
        } else {
            &mut self.plain
        }) = Some(code);
        Ok(())
    }

    /// Runs one launch.
    pub fn run(&mut self, case: &Case, schedule: Schedule, checks: Checks) -> Result<Outcome> {
        self.prepare(checks)?;
        let mut outcome = self.launch(case, schedule, checks, 0)?;
        let unwritten = std::mem::take(&mut self.runtime.unwritten);
        if !unwritten.is_empty() {
            // Unwritten bytes were read. Does it matter? Only if other garbage gives other results.
            let again = self.launch(case, schedule, Checks::Full, SECOND_GARBAGE)?;
            if again.buffers == outcome.buffers {
                outcome.notes = unwritten;
            } else {
                outcome.reports.extend(unwritten);
            }
        }
        Ok(outcome)
    }

    /// Runs one launch under several schedules. Results that differ from the first one's are a report.
    pub fn run_all(
        &mut self,
        case: &Case,
        schedules: &[Schedule],
        checks: Checks,
    ) -> Result<Vec<Outcome>> {
        let mut all: Vec<Outcome> = Vec::new();
        for schedule in schedules {
            let mut outcome = self.run(case, *schedule, checks)?;
            if let Some(first) = all.first() {
                let differing = first
                    .buffers
                    .iter()
                    .zip(&outcome.buffers)
                    .filter(|(a, b)| a != b);
                let reports: Vec<_> = differing
                    .map(|(a, b)| order_report(&self.kernel, a, b, schedules[0], *schedule))
                    .collect();
                outcome.reports.extend(reports);
            }
            all.push(outcome);
        }
        Ok(all)
    }

    fn launch(
        &mut self,
        case: &Case,
        schedule: Schedule,
        checks: Checks,
        garbage: u64,
    ) -> Result<Outcome> {
        let code = if checks == Checks::None {
            &self.plain
        } else {
            &self.checked
        };
        let code = code.as_ref().expect("prepared before");
        // A version in a trimmed grid has one parameter more, which the host makes.
        let params = &self.facts.params;
        let own = params.len() - usize::from(self.fold.is_some() && params.len() > case.args.len());
        fit(&self.file, &self.kernel, &params[..own], case)?;
        let rt = &mut *self.runtime;
        rt.reset();
        rt.fuel = self.fuel;
        rt.sites = code.compiled.sites.clone();
        rt.nested = code
            .compiled
            .loops
            .iter()
            .map(|l| l.nested.clone())
            .collect();
        rt.memory.clear();
        rt.memory.garbage = garbage;
        let gate = self.gate.as_ref();
        let shared = gate.map_or(case.shared, |g| g.dynamic_shared(case.shared, case.block));
        // The run-time part launches no version for which no chip has room.
        let most = MAX_DYNAMIC as u32;
        let mut has_room = shared <= most;
        let shared = shared.min(most);
        for tile in &self.facts.tiles {
            if tile.dynamic {
                rt.memory
                    .add_dynamic(&tile.name, tile.offset, shared.into());
            } else {
                rt.memory.add_tile(&tile.name, tile.offset, tile.size);
            }
        }
        place_globals(&self.file, rt, code, case)?;
        let buffers: Vec<_> = case
            .buffers
            .iter()
            .map(|b| (b.name.clone(), b.contents()))
            .collect();
        let ids = rt.memory.add_buffers(&buffers);
        rt.params = case
            .args
            .iter()
            .map(|a| a.bytes(&|b| rt.memory.objects[ids[b] as usize].base))
            .collect();
        rt.param_pointers = rt.params.iter().map(|p| p.as_ptr()).collect();
        rt.current.dynamic_shared = shared;
        set_probes(rt, &self.facts, case, &ids);
        if matches!(checks, Checks::Accesses | Checks::Counts) {
            let arrays = rt
                .memory
                .objects
                .iter()
                .map(|o| (o.name.clone(), o.space == Space::Shared))
                .collect();
            let parents: Vec<_> = code.compiled.loops.iter().map(|l| l.parent).collect();
            rt.tally = Some(Tally::new(
                &rt.sites,
                &parents,
                arrays,
                checks == Checks::Counts,
            ));
        }
        // A folded kernel gets the launch that the host makes for it, or none.
        let has_dynamic = gate.is_none_or(|g| g.has_dynamic(case));
        let folded = self.fold.as_ref();
        let launched = |g: &Gate| g.launch(case, &rt.param_pointers);
        let folded = folded.map(|g| launched(g).filter(|_| has_dynamic));
        let folded = folded.map(|made| {
            let (launch, list) = made?;
            rt.params.extend((!list.is_empty()).then_some(list));
            Some(launch)
        });
        let [block, grid] = folded.flatten().unwrap_or([case.block, case.grid]);
        if let Some(gate) = gate.filter(|_| block != case.block) {
            let shared = gate.dynamic_shared(case.shared, block);
            has_room = shared <= most;
            let shared = shared.min(most);
            rt.memory.resize_dynamic(shared.into());
            rt.current.dynamic_shared = shared;
        }
        let reads_memory = |launch| match &self.memory {
            Some(g) => g.ranges(launch, &rt.param_pointers).is_some_and(|all| {
                all.into_iter()
                    .all(|[low, end]| rt.memory.is_in_one(low, end))
            }),
            None => true,
        };
        let gate = gate.map(|g| {
            folded != Some(None)
                && g.allows([block, grid], &rt.param_pointers)
                && reads_memory([block, grid])
        });
        let relies = self.gate.as_ref().is_some_and(|g| g.relies);
        let grid = self.gate.as_ref().map_or(grid, |g| g.grid(grid));
        let kept_away = relies && gate == Some(false) || !has_room;
        let blocks = self.blocks.as_ref();
        let blocks = blocks.and_then(|g| g.blocks(case, &rt.param_pointers));
        rt.param_pointers = rt.params.iter().map(|p| p.as_ptr()).collect();
        // SAFETY: the entry was compiled by this program for this runtime, which stays where it is.
        unsafe {
            rt.entry = Some(std::mem::transmute::<u64, extern "C" fn(*const *const u8)>(
                code.compiled.entry,
            ));
            if !kept_away {
                schedule::run(
                    &raw mut *self.runtime,
                    grid,
                    block,
                    schedule,
                    &mut self.stacks,
                );
            }
        }
        Ok(Outcome {
            gate,
            blocks,
            kept_away,
            ..self.collect(case, &ids, checks)
        })
    }

    fn collect(&mut self, case: &Case, ids: &[u32], checks: Checks) -> Outcome {
        let code = if checks == Checks::None {
            &self.plain
        } else {
            &self.checked
        };
        let code = code.as_ref().expect("prepared before");
        let rt = &mut *self.runtime;
        let mut buffers: Vec<Output> = Vec::new();
        for (buffer, id) in case.buffers.iter().zip(ids) {
            if case
                .globals
                .iter()
                .all(|g| case.buffers[g.buffer].name != buffer.name)
            {
                buffers.push(Output {
                    name: buffer.name.clone(),
                    ty: buffer.ty,
                    bytes: rt.memory.contents(*id),
                });
            }
        }
        for (global, (address, initial)) in code.compiled.globals.iter().zip(&code.globals) {
            if !global.constant {
                // SAFETY: the variable lives in the engine and has this size.
                let bytes =
                    unsafe { std::slice::from_raw_parts(*address as *const u8, initial.len()) }
                        .to_vec();
                let given = case
                    .globals
                    .iter()
                    .find(|g| same_name(&global.name, &g.name));
                let ty = given.map_or(ElemType::U8, |g| case.buffers[g.buffer].ty);
                buffers.push(Output {
                    name: global.name.clone(),
                    ty,
                    bytes,
                });
            }
        }
        let mut reports = std::mem::take(&mut rt.reports);
        if self.facts.static_shared > STATIC_LIMIT {
            reports.insert(0, static_report(&self.kernel, &self.facts));
        }
        let counts = rt.tally.take().map(|tally| {
            let mut counts = tally.finish();
            let mut sums = [0_u64; classes::NAMES.len()];
            for (classes, runs) in code.compiled.classes.iter().zip(&rt.block_runs) {
                classes
                    .iter()
                    .zip(&mut sums)
                    .for_each(|(c, s)| *s += u64::from(*c) * runs);
            }
            counts.instructions = classes::NAMES.into_iter().zip(sums).collect();
            counts
        });
        let bodies = &code.compiled.bodies;
        Outcome {
            buffers,
            reports,
            notes: Vec::new(),
            counts,
            gate: None,
            blocks: None,
            kept_away: false,
            served: bodies.iter().any(|b| rt.block_runs[*b] > 0),
        }
    }
}
