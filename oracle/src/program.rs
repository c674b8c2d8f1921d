//! A kernel ready to run: loaded once, compiled once per kind of run, run as often as wanted.

use mesi_launch::{Arg, Case, Corpus, ElemType};

use crate::device::ir::Context;
use crate::device::load::{self, Module};
use crate::device::{self, Addresses, Compiled, Facts, Param, classes};
use crate::error::{Error, Result};
use crate::report::{Defect, Report, Who};
use crate::run::counts::{Counts, Tally};
use crate::run::fiber::Stacks;
use crate::run::memory::{NONE, Space};
use crate::run::schedule::{self, Schedule};
use crate::run::{DEFAULT_FUEL, Runtime};
use crate::site::{Origin, Place};

/// Largest static shared memory a kernel may have without asking for more, in bytes.
const STATIC_LIMIT: u64 = 48 * 1024;
/// Seed of the second filling of uninitialised shared memory.
const SECOND_GARBAGE: u64 = 0x6d65_7369;

/// What a run looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checks {
    /// Nothing but results, barriers and termination; a wild address may end the process.
    None,
    /// Every access.
    Full,
    /// Every access, and what the launch costs.
    Counts,
}

/// Which kernel of a file to take.
pub enum Kernel<'a> {
    /// The one with this symbol, or this source name.
    Named(&'a str),
    /// The one a corpus header means.
    Of(&'a Corpus),
    /// The only one.
    Only,
}

/// A buffer after the launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Name of the argument, field or global.
    pub name: String,
    /// Element type; what is not said to be something else is bytes.
    pub ty: ElemType,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl std::fmt::Display for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // FNV-1a: tells two runs apart at a glance.
        let hash = self.bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
            (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3)
        });
        let first = self
            .bytes
            .chunks(self.ty.size() as usize)
            .take(4)
            .map(|c| crate::diff::value(self.ty, c));
        write!(
            f,
            "{} ({} bytes, {hash:016x}): {} ...",
            self.name,
            self.bytes.len(),
            first.collect::<Vec<_>>().join(" ")
        )
    }
}

/// What one run gave.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Every buffer, in the case's order, then the module's writable arrays.
    pub buffers: Vec<Output>,
    /// Defects found.
    pub reports: Vec<Report>,
    /// Reads of unwritten shared bytes on which no result depends.
    pub notes: Vec<Report>,
    /// With `Checks::Counts`.
    pub counts: Option<Counts>,
}

/// One kernel, compiled for this machine.
pub struct Program {
    // Dropped in this order: code, module, context.
    plain: Option<Code>,
    checked: Option<Code>,
    pristine: Module,
    context: Context,
    facts: Facts,
    runtime: Box<Runtime>,
    stacks: Stacks,
    /// File name, for messages.
    pub file: String,
    /// Symbol of the kernel.
    pub kernel: String,
    /// Loop iterations a launch may take, summed over threads, before it is stopped and reported.
    pub fuel: i64,
}

/// Compiled code with what its module arrays held at first.
struct Code {
    compiled: Compiled,
    /// Address and initial bytes of each module array.
    globals: Vec<(u64, Vec<u8>)>,
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
        let (described, wanted): (String, Box<dyn Fn(&str) -> bool>) = match kernel {
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
        let kernel = load::pick(file, &pristine, &described, wanted)?;
        load::reduce(&context, &pristine, &kernel)?;
        let facts = device::facts(&context, &pristine, file, &kernel)?;
        let mut runtime = Runtime::new(&kernel, facts.arena);
        runtime.block_runs = vec![0; device::block_count(&pristine)];
        Ok(Program {
            plain: None,
            checked: None,
            pristine,
            context,
            facts,
            runtime,
            stacks: Stacks::default(),
            file: file.into(),
            kernel,
            fuel: DEFAULT_FUEL,
        })
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
            checked,
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
        fit(&self.file, &self.kernel, &self.facts.params, case)?;
        let rt = &mut *self.runtime;
        rt.reset();
        rt.fuel = self.fuel;
        rt.sites.clone_from(&code.compiled.sites);
        rt.nested = code
            .compiled
            .loops
            .iter()
            .map(|l| l.nested.clone())
            .collect();
        rt.memory.clear();
        rt.memory.garbage = garbage;
        for tile in &self.facts.tiles {
            let len = if tile.dynamic {
                u64::from(case.shared)
            } else {
                tile.size
            };
            rt.memory.add_tile(&tile.name, tile.offset, len);
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
        rt.current.dynamic_shared = case.shared;
        set_expected(rt, &self.facts, case, &ids);
        if checks == Checks::Counts {
            let arrays = rt
                .memory
                .objects
                .iter()
                .map(|o| (o.name.clone(), o.space == Space::Shared))
                .collect();
            let parents: Vec<_> = code.compiled.loops.iter().map(|l| l.parent).collect();
            rt.tally = Some(Tally::new(&rt.sites, &parents, arrays));
        }
        // SAFETY: the entry was compiled by this program for this runtime, which stays where it is.
        unsafe {
            rt.entry = Some(std::mem::transmute::<u64, extern "C" fn(*const *const u8)>(
                code.compiled.entry,
            ));
            schedule::run(
                &raw mut *self.runtime,
                case.grid,
                case.block,
                schedule,
                &mut self.stacks,
            );
        }
        Ok(self.collect(case, &ids, checks))
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
        Outcome {
            buffers,
            reports,
            notes: Vec::new(),
            counts,
        }
    }
}

/// Whether a header's name means this symbol: equal, or the end of an Itanium name (`_ZL5table`, `_ZN2ns5tableE`).
fn same_name(symbol: &str, source: &str) -> bool {
    let encoded = format!("{}{source}", source.len());
    symbol == source
        || (symbol.starts_with("_Z") && symbol.trim_end_matches('E').ends_with(&encoded))
}

/// Resets module arrays, writes those the case gives, and adds them to the memory.
fn place_globals(file: &str, rt: &mut Runtime, code: &Code, case: &Case) -> Result<()> {
    for (global, (address, initial)) in code.compiled.globals.iter().zip(&code.globals) {
        let mut bytes = initial.clone();
        if let Some(given) = case
            .globals
            .iter()
            .find(|g| same_name(&global.name, &g.name))
        {
            let contents = case.buffers[given.buffer].contents();
            if contents.len() > bytes.len() {
                return Err(Error::new(format!(
                    "{file}: [[global]] {} has {} bytes, the array {} holds {}",
                    given.name,
                    contents.len(),
                    global.name,
                    bytes.len()
                )));
            }
            bytes[..contents.len()].copy_from_slice(&contents);
        }
        // SAFETY: the variable lives in the engine, is writable and has this size.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), *address as *mut u8, bytes.len()) };
        let space = if global.constant {
            Space::Constant
        } else {
            Space::Global
        };
        rt.memory
            .add_global(&global.name, *address, global.size, space);
    }
    for given in &case.globals {
        if !code
            .compiled
            .globals
            .iter()
            .any(|g| same_name(&g.name, &given.name))
        {
            let known: Vec<_> = code
                .compiled
                .globals
                .iter()
                .map(|g| g.name.as_str())
                .collect();
            return Err(Error::new(format!(
                "{file}: [[global]] {} is not used by the kernel, arrays used are: {}",
                given.name,
                known.join(", ")
            )));
        }
    }
    Ok(())
}

/// Turns each site's origin into the object it must stay inside.
fn set_expected(rt: &mut Runtime, facts: &Facts, case: &Case, ids: &[u32]) {
    let pointer = |arg: &Arg| match arg {
        Arg::Pointer { buffer, .. } => ids[*buffer],
        _ => NONE,
    };
    let object = |origin: Origin| match origin {
        Origin::Unknown => NONE,
        Origin::Param(n) => pointer(&case.args[n as usize]),
        Origin::Field(n, offset) => match &case.args[n as usize] {
            Arg::Struct { fields, .. } => fields
                .iter()
                .find(|(at, _)| *at == u64::from(offset))
                .map_or(NONE, |(_, f)| pointer(f)),
            other => pointer(other),
        },
        Origin::Tile(n) => n,
        Origin::Global(n) => facts.tiles.len() as u32 + n,
    };
    rt.expected = rt.sites.iter().map(|s| object(s.origin)).collect();
}

/// Whether the case's arguments are what the kernel takes.
fn fit(file: &str, kernel: &str, params: &[Param], case: &Case) -> Result<()> {
    if params.len() != case.args.len() {
        return Err(Error::new(format!(
            "{file}: kernel {kernel} takes {} arguments, {} are given",
            params.len(),
            case.args.len()
        )));
    }
    for (n, (param, arg)) in params.iter().zip(&case.args).enumerate() {
        let size = arg.layout().0;
        let good = match (param, arg) {
            (Param::Pointer, Arg::Pointer { .. }) => true,
            (Param::Struct { bytes }, Arg::Struct { .. } | Arg::Scalar { .. }) => *bytes == size,
            (Param::Value { bytes, ty }, Arg::Scalar { ty: given, .. }) => {
                let float = ["half", "float", "double"].contains(&ty.as_str());
                *bytes == size && float == given.is_float()
            }
            (Param::Value { bytes, .. }, Arg::Struct { .. }) => *bytes == size,
            _ => false,
        };
        if !good {
            let wanted = match param {
                Param::Pointer => "a buffer".to_string(),
                Param::Struct { bytes } => format!("a struct of {bytes} bytes"),
                Param::Value { bytes, ty } => format!("a scalar {ty} of {bytes} bytes"),
            };
            let given = match arg {
                Arg::Pointer { .. } => "a buffer".to_string(),
                Arg::Struct { .. } => format!("a struct of {size} bytes"),
                Arg::Scalar { ty, .. } => format!("a scalar {}", ty.name()),
            };
            return Err(Error::new(format!(
                "{file}: kernel {kernel}: argument {n} ({}) is {wanted}, {given} is given",
                arg.name()
            )));
        }
    }
    Ok(())
}

fn order_report(kernel: &str, a: &Output, b: &Output, first: Schedule, second: Schedule) -> Report {
    let at = a
        .bytes
        .iter()
        .zip(&b.bytes)
        .position(|(x, y)| x != y)
        .unwrap_or(0);
    Report {
        defect: Defect::OrderDependent,
        kernel: kernel.into(),
        place: Place {
            function: kernel.into(),
            ..Place::default()
        },
        who: Who {
            thread: [0; 3],
            block: [0; 3],
        },
        address: 0,
        array: a.name.clone(),
        offset: at as i64,
        size: 1,
        other: None,
        detail: format!(
            "{} differs from byte {at} on between {first:?} and {second:?}",
            a.name
        ),
        count: 1,
    }
}

fn static_report(kernel: &str, facts: &Facts) -> Report {
    let names: Vec<String> = facts
        .tiles
        .iter()
        .filter(|t| !t.dynamic)
        .map(|t| format!("{} {}", t.name, t.size))
        .collect();
    Report {
        defect: Defect::StaticShared,
        kernel: kernel.into(),
        place: Place {
            function: kernel.into(),
            ..Place::default()
        },
        who: Who {
            thread: [0; 3],
            block: [0; 3],
        },
        address: 0,
        array: String::new(),
        offset: 0,
        size: facts.static_shared,
        other: None,
        detail: format!(
            "{} bytes of static shared memory, at most {STATIC_LIMIT} are allowed: {}",
            facts.static_shared,
            names.join(", ")
        ),
        count: 1,
    }
}
