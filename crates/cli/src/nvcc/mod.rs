//! `mesi nvcc`: takes nvcc's command line and runs clang with the plug-in.
//!
//! ```text
//! words ─► words::read ─► apply::build ─► plan::plan ─► run::all
//! ```
//! As with nvcc, `-O` is the host's and device code is compiled at -O3. A file that clang cannot
//! compile is compiled by the real nvcc, if there is one, with one warning.

mod apply;
mod arch;
mod compile;
mod escapes;
mod host;
mod job;
mod launches;
mod link;
mod options;
mod overlay;
mod plan;
mod request;
mod run;
mod scan;
mod tell;
mod tokens;
mod words;

use std::process::Command;

use anyhow::{Context, Result};

use crate::tools::{self, Cuda};
use job::Job;
pub use overlay::Overlay;
pub use run::code;

/// Runs the command; the answer is the exit status.
pub fn main(given: &[String]) -> Result<u8> {
    let variable = |name| tools::set(name);
    let words = words::read(
        given,
        variable("NVCC_PREPEND_FLAGS").as_deref(),
        variable("NVCC_APPEND_FLAGS").as_deref(),
    )?;
    let mut request = apply::build(&words)?;
    if !request.tell.is_empty() {
        return tell::answer(&request);
    }
    let tools = tools::find(request.plugin.as_deref())?;
    host::apply(&mut request)?;
    host::check_openmp(&request, &tools.clang)?;
    let major = tools.cuda.version.0;
    let targets = request.asked.targets(major, || native(&tools.cuda))?;
    let scratch = tempfile::Builder::new()
        .prefix("mesi-nvcc-")
        .tempdir()
        .context("no folder for temporary files")?;
    let kept = request.keep.clone().map(std::path::PathBuf::from);
    if let Some(folder) = kept.as_ref().filter(|_| !request.dry) {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    let job = Job {
        request: &request,
        tools: &tools,
        targets: &targets,
        scratch: kept.as_deref().unwrap_or(scratch.path()),
    };
    let shown = request.dry || request.verbose;
    if shown {
        tell::preamble(&job);
    }
    let (steps, made) = plan::plan(&job)?;
    if shown {
        tell::ignored(&request);
    }
    let manner = run::Manner {
        shown,
        done: !request.dry,
    };
    let status = run::all(&steps, manner)?;
    match (status, &request.run, made) {
        (0, Some(arguments), Some(program)) if !request.dry => run_program(&program, arguments),
        _ => Ok(status),
    }
}

fn run_program(program: &std::path::Path, arguments: &[String]) -> Result<u8> {
    let program = std::path::absolute(program).context("no current folder")?;
    let status = Command::new(&program).args(arguments).status();
    let status = status.with_context(|| format!("{} cannot be started", program.display()))?;
    Ok(run::code(status))
}

/// The chips in this machine, by nvidia-smi; without any the default, with nvcc's warning.
fn native(cuda: &Cuda) -> Vec<String> {
    let mut smi = Command::new("nvidia-smi");
    smi.args(["--query-gpu=compute_cap", "--format=csv,noheader"]);
    let said = smi.output().ok().filter(|o| o.status.success());
    let said = said
        .map(|o| String::from_utf8_lossy(&o.stdout).into_owned())
        .unwrap_or_default();
    let mut found: Vec<String> = said.lines().map(|l| l.trim().replace('.', "")).collect();
    found.retain(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    found.sort();
    found.dedup();
    if found.is_empty() {
        let default = arch::default(cuda.version.0);
        eprintln!("mesi nvcc: warning: no GPU found for -arch=native: sm_{default} is taken");
        found.push(default.to_string());
    }
    found
}

/// What `mesi report` needs to compile one file's device code for one chip.
pub struct Device {
    /// The file.
    pub source: String,
    /// `90`, `90a`.
    pub chip: String,
    /// clang's words, less plug-in, input and output.
    pub words: Vec<String>,
    /// Flags for clang as they are (`--mesi-clang`); the plug-in's own are among them.
    pub own: Vec<String>,
    /// With what.
    pub tools: tools::Tools,
    /// Copies that the words name.
    #[expect(dead_code, reason = "they are on the disk as long as this lives")]
    pub overlay: Overlay,
}

/// What makes clang read a source as nvcc reads it; it writes no file before it is asked for words.
pub fn joined(source: &str) -> Overlay {
    Overlay::of(scan::look(source, &[]).copies)
}

/// The CUDA files of a command line in nvcc's words, each for the newest chip that it names.
pub fn devices(given: &[String]) -> Result<Vec<Device>> {
    let words = words::read(given, None, None)?;
    let mut request = apply::build(&words)?;
    let tools = tools::find(request.plugin.as_deref())?;
    host::apply(&mut request)?;
    let targets = request
        .asked
        .targets(tools.cuda.version.0, || native(&tools.cuda))?;
    let number = |t: &arch::Target| {
        t.number
            .trim_end_matches(char::is_alphabetic)
            .parse::<u32>()
    };
    let target = targets
        .iter()
        .max_by_key(|t| number(t).unwrap_or(0))
        .context("no architecture is named: give -arch=sm_90 or the like")?;
    request.without_plugin = true;
    let own = std::mem::take(&mut request.clang);
    let is_cuda =
        |f: &&String| compile::kind(f, request.language.as_deref()) == Some(compile::Kind::Cuda);
    let device = |file: &String| {
        let one = std::slice::from_ref(target);
        let mut words = compile::words(&request, &tools, one, compile::Kind::Cuda);
        let found = scan::look(file, &request.preprocessor);
        if found.asks_for_nvcc {
            words.push("-DMESI_AS_NVCC=1".into());
        }
        let mut overlay = Overlay::of(found.copies);
        words.extend(overlay.words()?);
        words.extend(["--cuda-device-only", "-fno-discard-value-names"].map(String::from));
        Ok(Device {
            source: file.clone(),
            chip: target.number.clone(),
            words,
            own: own.clone(),
            tools: tools.clone(),
            overlay,
        })
    };
    request.files.iter().filter(is_cuda).map(device).collect()
}
