//! Builds every variant of the user's command.
//!
//! The user's own folder stays the working folder, so that relative paths mean what they meant;
//! every output goes to the tool's folder. The launch timer (`timer/timer.c`) is compiled by the
//! user's compiler and linked into all variants alike.

use std::path::{Path, PathBuf};
use std::process::{Command as Process, Output, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::bundle::{Build, Manifest, Variant};
use crate::command::{Argument, Command, is_linked};
use crate::exit::{Exit, stop};
use crate::{nvcc, remarks};

const TIMER: &str = include_str!("../timer/timer.c");
/// Functions that the linker redirects to the timer.
const WRAPPED: &str = include_str!("../timer/wrapped.txt");

/// What to build with.
#[derive(Debug)]
pub struct Tools {
    /// `libmesi.so`.
    pub plugin: PathBuf,
    /// Where to find nvcc; `None` to look for it.
    pub nvcc: Option<PathBuf>,
    /// Do without nvcc.
    pub no_nvcc: bool,
}

/// Builds all variants of `command` into `folder`; the failure of nvcc is noted, others end it.
pub fn build(
    command: &Command,
    tools: &Tools,
    folder: &Path,
    manifest: &mut Manifest,
) -> Result<()> {
    if !tools.plugin.is_file() {
        return Err(stop(
            Exit::Usage,
            format!(
                "there is no plug-in at {}: give --plugin",
                tools.plugin.display()
            ),
        ));
    }
    let mut command = command.clone();
    manifest.compiler = version(&command)?;
    manifest.notes.append(&mut command.notes);
    add_toolkit(&mut command, manifest);
    let timer = if command.links {
        timer(&command, folder, manifest)?
    } else {
        None
    };
    let mut builder = Builder {
        command,
        folder,
        timer,
    };
    builder.plain(manifest)?;
    manifest.timed = builder.timer.is_some();
    for variant in [Variant::Mesi, Variant::Force] {
        let build = builder.with_plugin(variant, &tools.plugin, manifest)?;
        manifest.builds.push(build);
    }
    if !tools.no_nvcc {
        let build = builder.with_nvcc(tools.nvcc.as_deref(), manifest)?;
        manifest.builds.push(build);
    }
    Ok(())
}

/// The compiler's version, and whether it starts at all.
fn version(command: &Command) -> Result<String> {
    let output = start(process(&command.head).arg("--version"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().next().unwrap_or("").to_string())
}

/// Adds the toolkit that `CUDA_PATH` names where the command itself names none.
fn add_toolkit(command: &mut Command, manifest: &mut Manifest) {
    let Some(root) = std::env::var_os("CUDA_PATH")
        .filter(|p| !p.is_empty())
        .map(PathBuf::from)
    else {
        return;
    };
    if command.cuda_path().is_some() {
        return;
    }
    manifest.notes.push(format!(
        "the command names no toolkit: --cuda-path={} is added, from CUDA_PATH",
        root.display()
    ));
    command
        .arguments
        .push(Argument::Flag(format!("--cuda-path={}", root.display())));
    if command.links {
        command.arguments.extend(
            library_folders(&root)
                .into_iter()
                .map(|l| Argument::Flag(format!("-L{}", l.display()))),
        );
    }
}

/// Where a toolkit keeps its libraries: `lib64`, or `lib` where it came as Python wheels.
pub fn library_folders(root: &Path) -> Vec<PathBuf> {
    ["lib64", "lib"]
        .iter()
        .map(|l| root.join(l))
        .filter(|l| l.is_dir())
        .collect()
}

/// The timer's object file; without it the program is built and compared, only not timed.
fn timer(command: &Command, folder: &Path, manifest: &mut Manifest) -> Result<Option<PathBuf>> {
    let build = folder.join("build");
    std::fs::create_dir_all(&build).context("the build folder cannot be created")?;
    let (source, object) = (build.join("timer.c"), build.join("timer.o"));
    std::fs::write(&source, TIMER).context("the launch timer cannot be written")?;
    let output = start(
        process(&command.head)
            .args(["-x", "c", "-O2", "-w", "-c"])
            .arg(&source)
            .arg("-o")
            .arg(&object),
    )?;
    if output.status.success() {
        return Ok(Some(object));
    }
    manifest.notes.push(format!(
        "no kernel times: the launch timer does not compile: {}",
        first_error(&output)
    ));
    Ok(None)
}

struct Builder<'a> {
    command: Command,
    folder: &'a Path,
    timer: Option<PathBuf>,
}

impl Builder<'_> {
    fn plain(&mut self, manifest: &mut Manifest) -> Result<()> {
        let mut built = self.clang(Variant::Plain, &[], manifest)?;
        if !built.0.status.success() && self.timer.is_some() {
            let timed = first_error(&built.0);
            self.timer = None;
            built = self.clang(Variant::Plain, &[], manifest)?;
            if built.0.status.success() {
                manifest.notes.push(format!(
                    "no kernel times: the launch timer does not link: {timed}"
                ));
            }
        }
        if !built.0.status.success() {
            show(&built.0);
            let hint =
                match String::from_utf8_lossy(&built.0.stderr).contains("clang-linker-wrapper") {
                    true => " (install clang's tools, or add --no-offload-new-driver)",
                    false => "",
                };
            return Err(stop(
                Exit::Program,
                format!(
                    "the command fails by itself, without the plug-in: {}{hint}",
                    first_error(&built.0)
                ),
            ));
        }
        manifest.builds.push(finished(Variant::Plain, built.1));
        Ok(())
    }

    fn with_plugin(&self, variant: Variant, plugin: &Path, manifest: &Manifest) -> Result<Build> {
        let flags = [
            format!("-fpass-plugin={}", plugin.display()),
            "-Rpass=mesi".into(),
            "-Rpass-missed=mesi".into(),
        ];
        let (output, seconds) = self.clang(variant, &flags, manifest)?;
        if !output.status.success() {
            show(&output);
            let message = format!(
                "the compile fails with the plug-in ({}) and not without it: {}",
                variant.name(),
                first_error(&output)
            );
            return Err(stop(Exit::Plugin, message));
        }
        let mut build = finished(variant, seconds);
        build.remarks = remarks::parse(&String::from_utf8_lossy(&output.stderr));
        Ok(build)
    }

    /// Runs clang once, or once per source where it only compiles: `-o` takes one output then.
    fn clang(
        &self,
        variant: Variant,
        flags: &[String],
        manifest: &Manifest,
    ) -> Result<(Output, f64)> {
        let target = self.target(variant, manifest)?;
        let begun = Instant::now();
        let run = |arguments: Vec<String>, target: &Path| {
            let mut process = process(&self.command.head);
            process
                .args(self.timer_flags("-Xlinker"))
                .args(flags)
                .args(arguments)
                .arg("-o")
                .arg(target);
            process.env_remove("MESI_FORCE");
            if variant == Variant::Force {
                process.env("MESI_FORCE", "1");
            }
            start(&mut process)
        };
        if self.command.links {
            let all = self.command.arguments.iter().flat_map(Argument::words);
            return Ok((run(all.collect(), &target)?, begun.elapsed().as_secs_f64()));
        }
        let mut all: Option<Output> = None;
        for (i, source) in self.command.sources().enumerate() {
            let object = target.with_file_name(format!("{i}.o"));
            let mut output = run(only(&self.command, source), &object)?;
            if let Some(before) = all.take() {
                output.stderr.splice(0..0, before.stderr);
            }
            let failed = !output.status.success();
            all = Some(output);
            if failed {
                break;
            }
        }
        let output = all.ok_or_else(|| stop(Exit::Usage, "the command compiles no source file"))?;
        Ok((output, begun.elapsed().as_secs_f64()))
    }

    fn with_nvcc(&self, given: Option<&Path>, manifest: &mut Manifest) -> Result<Build> {
        let missing = |why: String| Build {
            missing: Some(why),
            ..finished(Variant::Nvcc, 0.0)
        };
        if !self.command.links {
            return Ok(missing("not built for a command that only compiles".into()));
        }
        let Some(nvcc) = nvcc::find(given, &self.command) else {
            return Ok(missing("nvcc is not installed".into()));
        };
        let translation = match nvcc::translate(&self.command) {
            Ok(translation) => translation,
            Err(why) => return Ok(missing(why)),
        };
        if !translation.dropped.is_empty() {
            manifest.notes.push(format!(
                "nvcc is built without `{}`",
                translation.dropped.join("` `")
            ));
        }
        let target = self.target(Variant::Nvcc, manifest)?;
        let mut process = Process::new(&nvcc);
        process
            .args(self.timer_flags(""))
            .args(&translation.arguments);
        if let Some(root) = nvcc.parent().and_then(Path::parent) {
            process.args(
                library_folders(root)
                    .iter()
                    .map(|l| format!("-L{}", l.display())),
            );
        }
        process.arg("-o").arg(&target).stdin(Stdio::null());
        let begun = Instant::now();
        let Ok(output) = process.output() else {
            return Ok(missing(format!("{} cannot be started", nvcc.display())));
        };
        if !output.status.success() {
            return Ok(missing(format!(
                "does not compile: {}",
                first_error(&output)
            )));
        }
        Ok(finished(Variant::Nvcc, begun.elapsed().as_secs_f64()))
    }

    fn target(&self, variant: Variant, manifest: &Manifest) -> Result<PathBuf> {
        let target = manifest.executable(self.folder, variant);
        let parent = target.parent().context("an executable lies in a folder")?;
        std::fs::create_dir_all(parent).context("the folder for executables cannot be created")?;
        Ok(target)
    }

    /// The linker's flags, first of all so that no `-x` and no library stands before the object.
    fn timer_flags(&self, object_by: &str) -> Vec<String> {
        let Some(object) = &self.timer else {
            return Vec::new();
        };
        let wrap = WRAPPED
            .lines()
            .flat_map(|f| ["-Xlinker".to_string(), format!("--wrap={f}")]);
        let by = (!object_by.is_empty()).then(|| object_by.to_string());
        wrap.chain(by)
            .chain([object.display().to_string()])
            .collect()
    }
}

/// The command's words with `source` as its only source.
fn only(command: &Command, source: &str) -> Vec<String> {
    let kept = command
        .arguments
        .iter()
        .filter(|a| !matches!(a, Argument::Input(i) if i != source || is_linked(i)));
    kept.flat_map(Argument::words).collect()
}

fn finished(variant: Variant, seconds: f64) -> Build {
    Build {
        variant,
        missing: None,
        remarks: Vec::new(),
        seconds,
    }
}

fn process(head: &[String]) -> Process {
    let mut process = Process::new(&head[0]);
    process.args(&head[1..]).stdin(Stdio::null());
    process
}

fn start(process: &mut Process) -> Result<Output> {
    let output = process.output();
    output.map_err(|e| {
        stop(
            Exit::Program,
            format!(
                "{} cannot be started: {e}",
                process.get_program().to_string_lossy()
            ),
        )
    })
}

/// All the compiler said, for the user; our own line follows.
fn show(output: &Output) {
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
}

fn first_error(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    let telling = |l: &&str| {
        ["error", "undefined", "cannot", "fatal"]
            .iter()
            .any(|w| l.contains(w))
    };
    let line = said
        .lines()
        .find(|l| l.contains("error:"))
        .or_else(|| said.lines().find(telling))
        .or_else(|| said.lines().next());
    line.map_or_else(
        || format!("it printed nothing ({})", output.status),
        |l| l.trim().to_string(),
    )
}
