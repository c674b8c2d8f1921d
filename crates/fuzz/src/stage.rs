//! What the plug-in makes of a kernel under each variant, made once each.
//!
//! Several variants often give the same code: a strip length where there is no strip, the default where it
//! does as `force` does. Such code is run once. A variant with the rest of -O3 begins where the same options
//! without it ended.

use std::collections::{BTreeMap, BTreeSet};

use mesi::boundary;
use mesi::options::Options;
use mesi::pass;
use mesi::remark::Sink;
use mesi_launch::{FOLD, GATE, kept_beside};

use crate::llvm::Module;
use crate::variants::Variant;
use crate::{coverage, kinds, single};

/// Kind and text of a failure.
pub type Fault = (&'static str, String);

/// What a plan asks for, see `kinds`.
pub type Kinds = BTreeSet<&'static str>;

/// Code, and what it was planned to do.
type Code = (Vec<u8>, Kinds);

/// Options, and the version of the plan that is tried alone.
type Key = (Options, Option<u32>);

/// What a variant gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Staged {
    /// The plug-in changes nothing.
    Unchanged,
    /// The code of an earlier variant.
    Known,
    /// New code, as bitcode.
    New(Vec<u8>, Kinds),
}

/// A kernel, and what was made of it so far.
pub struct Stages<'a> {
    base: &'a [u8],
    /// By options, before the rest of -O3; `None` where nothing changed.
    staged: Vec<(Key, Option<Code>)>,
    /// Code given out as new.
    given: BTreeSet<Vec<u8>>,
    /// What the rest of -O3 makes of code.
    optimised: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Stages<'_> {
    /// `base`: IR as the plug-in meets it.
    pub fn new(base: &[u8]) -> Stages<'_> {
        Stages {
            base,
            staged: Vec::new(),
            given: BTreeSet::new(),
            optimised: BTreeMap::new(),
        }
    }

    /// Runs the plug-in, and -O3 where the variant says so. What the plans hold goes to `features`.
    pub fn variant(
        &mut self,
        variant: &Variant,
        features: &mut BTreeSet<String>,
    ) -> Result<Staged, Fault> {
        let key = (variant.options.clone(), variant.version);
        let known = self.staged.iter().find(|s| s.0 == key);
        let staged = match known {
            Some((_, code)) => code.clone(),
            None => {
                let code = plug_in(self.base, &key, features)?;
                self.staged.push((key, code.clone()));
                code
            }
        };
        let Some((mut code, kinds)) = staged else {
            return Ok(Staged::Unchanged);
        };
        if variant.optimised {
            code = self.optimise(code, &variant.options)?;
        }
        Ok(match self.given.insert(code.clone()) {
            true => Staged::New(code, kinds),
            false => Staged::Known,
        })
    }

    /// The rest of -O3, and the plug-in's second look behind it.
    fn optimise(&mut self, staged: Vec<u8>, options: &Options) -> Result<Vec<u8>, Fault> {
        let code = match self.optimised.get(&staged) {
            Some(code) => code.clone(),
            None => {
                let module = read_again(&staged)?;
                module.passes("default<O3>").map_err(|e| ("verifier", e))?;
                let code = module.bitcode();
                self.optimised.insert(staged, code.clone());
                code
            }
        };
        // Read the first time, too: a module that was read is written in other bytes than one that passes left.
        let module = read_again(&code)?;
        let m = module.for_plug_in();
        boundary::guard(|| pass::after_pipeline(m, options, &mut Sink::new(m)))
            .map_err(|e| ("panic", e))?;
        module
            .verify()
            .map_err(|e| ("verifier", format!("after -O3: {e}")))?;
        not_dropped(&module)?;
        Ok(module.bitcode())
    }
}

fn read_again(code: &[u8]) -> Result<Module, Fault> {
    Module::parse(code).map_err(|e| ("verifier", format!("read again: {e}")))
}

/// The plug-in's result, or `None` where it changed nothing. With versions as kernels of their own
/// their gates are made, too, so that they can be held against what the versions do, and the kernel itself must stay as it is.
fn plug_in(
    base: &[u8],
    (options, version): &Key,
    features: &mut BTreeSet<String>,
) -> Result<Option<Code>, Fault> {
    let module =
        Module::parse(base).map_err(|e| ("verifier", format!("before the plug-in: {e}")))?;
    let m = module.for_plug_in();
    let before = own_code(&module, options);
    let mut kinds = Kinds::new();
    let changed = boundary::guard(|| {
        features.extend(coverage::keeps_original(m, options));
        pass::run_seen(m, options, &mut Sink::new(m), &mut |planned| {
            if let Some(number) = *version {
                single::keep_one(planned, number);
            }
            kinds.extend(kinds::kinds(planned));
            features.extend(coverage::plan_features(&planned.plan, options));
        })
    });
    features.extend(kinds.iter().map(|k| format!("kind: {k}")));
    let changed = changed.map_err(|e| ("panic", e))?;
    module.verify().map_err(|e| ("verifier", e))?;
    not_dropped(&module)?;
    let is_fold = |name: String| name.ends_with(&format!("{FOLD}{GATE}"));
    if m.globals().into_iter().any(|g| is_fold(g.name())) {
        features.insert("plan: launched with other numbers".into());
    }
    // No random kernel shuffles by itself.
    if m.function("llvm.nvvm.shfl.sync.bfly.i32").is_some() {
        features.insert("plan: a warp for each thread".into());
    }
    let mut blocks = m.functions().into_iter().flat_map(|f| f.blocks());
    if blocks.any(|b| b.name().starts_with("vector.tests")) {
        features.insert("plan: loops over neighbours".into());
    }
    if own_code(&module, options) != before {
        return Err(("original", "the kernel itself was changed".into()));
    }
    Ok(changed.then(|| (module.bitcode(), kinds)))
}

/// The kernels' code where versions are kernels of their own: it stays as it is.
fn own_code(module: &Module, options: &Options) -> Vec<(String, u64)> {
    if options.host != Some(true) {
        return Vec::new();
    }
    let kernels = module.for_plug_in().functions().into_iter();
    let kernels = kernels.filter(|f| f.is_kernel() && kept_beside(&f.name()).is_none());
    kernels.map(|f| (f.name(), f.code_hash())).collect()
}

/// The plug-in's own check may find a fault in what it emitted and drop it. Nobody's program is hurt then, but
/// there was a fault.
fn not_dropped(module: &Module) -> Result<(), Fault> {
    let warnings = module.warnings();
    let dropped = warnings.iter().find(|w| w.contains("is dropped"));
    dropped.map_or(Ok(()), |w| Err(("dropped", w.clone())))
}
