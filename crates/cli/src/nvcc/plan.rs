//! The commands of a request, in order, before any of them is run.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::arch::Target;
use super::compile::{self, Kind};
use super::job::{Command, Job, Step};
use super::link;
use super::request::{Fallback, Phase, Request};
use super::scan;

/// All steps, and the program that they make, if they make one.
pub fn plan(job: &Job) -> Result<(Vec<Step>, Option<PathBuf>)> {
    let request = job.request;
    if request.files.is_empty() {
        bail!("no input file: write mesi nvcc [options] file.cu, as with nvcc");
    }
    let mut sources = Vec::new();
    let mut linked = Vec::new();
    for file in &request.files {
        match compile::kind(file, request.language.as_deref()) {
            Some(Kind::Linked) => linked.push(file.clone()),
            Some(kind) => sources.push((file.clone(), kind)),
            None => bail!(
                "{file}: what to do with it is not clear from its name; -x cu says that it is CUDA"
            ),
        }
    }
    let mut steps = Vec::new();
    match request.phase {
        Phase::Link | Phase::DeviceLink | Phase::Library => {
            let objects = objects(job, &sources, &linked, &mut steps)?;
            let made = link::steps(job, &objects, &mut steps)?;
            return Ok((steps, made));
        }
        _ => {}
    }
    if request.output.is_some() && sources.len() > 1 {
        bail!(
            "-o names one output, and there are {} inputs: leave -o away or compile them one by one",
            sources.len()
        );
    }
    for (file, kind) in &sources {
        let output = output(request, file)?;
        one(job, file, *kind, output.as_deref(), &mut steps)?;
    }
    Ok((steps, None))
}

/// Where the output of one file goes; `None` is the standard output.
fn output(request: &Request, file: &str) -> Result<Option<String>> {
    if request.output.is_some() {
        return Ok(request.output.clone());
    }
    let ending = match request.phase {
        Phase::Compile => "o",
        Phase::Ptx => "ptx",
        Phase::Cubin => "cubin",
        Phase::Fatbin => "fatbin",
        _ => return Ok(None),
    };
    Ok(Some(in_folder(
        request,
        &format!("{}.{ending}", stem(file)),
    )))
}

fn in_folder(request: &Request, name: &str) -> String {
    match &request.folder {
        Some(folder) => Path::new(folder).join(name).display().to_string(),
        None => name.to_string(),
    }
}

/// A file's name without folder and ending.
pub fn stem(file: &str) -> String {
    let stem = Path::new(file).file_stem();
    stem.map_or_else(|| file.to_string(), |s| s.to_string_lossy().into_owned())
}

/// Compiles all sources of a link to objects; the answer has all objects in the command line's order.
fn objects(
    job: &Job,
    sources: &[(String, Kind)],
    linked: &[String],
    steps: &mut Vec<Step>,
) -> Result<Vec<String>> {
    let mut objects = Vec::new();
    for (at, (file, kind)) in sources.iter().enumerate() {
        if matches!(kind, Kind::Ptx | Kind::Device) {
            bail!("{file}: such files can be turned to .cubin and .fatbin here, not linked");
        }
        let object = job.scratch.join(format!("{at}_{}.o", stem(file)));
        let object = object.display().to_string();
        one(job, file, *kind, Some(&object), steps)?;
        objects.push(object);
    }
    objects.extend_from_slice(linked);
    Ok(objects)
}

/// The steps for one file.
fn one(
    job: &Job,
    file: &str,
    kind: Kind,
    output: Option<&str>,
    steps: &mut Vec<Step>,
) -> Result<()> {
    let request = job.request;
    if compile::device_only(request.phase) {
        if kind == Kind::Cuda || kind == Kind::Ptx || kind == Kind::Device {
            return device_only(job, file, kind, output.unwrap_or("a.out"), steps);
        }
        // As nvcc: there is nothing of the device in it.
        return Ok(());
    }
    let mut words = compile::words(request, job.tools, job.targets, kind);
    match request.phase {
        Phase::Preprocess => words.push("-E".into()),
        Phase::Dependencies => words.extend(request.rules.flag.map(String::from)),
        _ => words.push("-c".into()),
    }
    if kind == Kind::Cuda && matches!(request.phase, Phase::Preprocess | Phase::Dependencies) {
        words.push("--cuda-host-only".into());
    }
    words.extend(rules(request, file, output));
    let kept = request
        .keep
        .as_ref()
        .filter(|_| request.phase == Phase::Compile);
    let target = match (kept, output) {
        (Some(folder), Some(output)) => {
            let kept = Path::new(folder).join(format!("{}.o", stem(file)));
            steps.push(compiled(
                job,
                file,
                kind,
                words,
                Some(&kept.display().to_string()),
            ));
            if kept != Path::new(output) {
                steps.push(Step::Copy(kept, output.into()));
            }
            return Ok(());
        }
        (None, Some(output)) => Some(output),
        (_, None) => None,
    };
    steps.push(compiled(job, file, kind, words, target));
    Ok(())
}

/// A compile with what to try where it fails.
fn compiled(
    job: &Job,
    file: &str,
    kind: Kind,
    mut words: Vec<String>,
    output: Option<&str>,
) -> Step {
    let request = job.request;
    if request.keep.is_some() {
        words.push("-save-temps=obj".into());
    }
    let clang = |extra: &[&str]| {
        let mut all = words.clone();
        all.extend(extra.iter().map(ToString::to_string));
        let language = match kind {
            Kind::Cuda => "cuda",
            Kind::C => "c",
            _ => "c++",
        };
        all.extend(["-x".to_string(), language.to_string(), file.to_string()]);
        all.extend(
            output
                .iter()
                .flat_map(|o| ["-o".to_string(), o.to_string()]),
        );
        Command::new(&job.tools.clang, all)
    };
    let mut commands = Vec::new();
    let found = match kind {
        Kind::Cuda => scan::look(file, &request.preprocessor),
        _ => scan::Found::default(),
    };
    if found.asks_for_nvcc {
        commands.push(clang(&["-DMESI_AS_NVCC=1"]));
    }
    commands.push(clang(&[]));
    Step::Compile {
        source: file.to_string(),
        clang: commands,
        copies: found.copies,
        nvcc: output.and_then(|o| by_nvcc(job, file, o)),
    }
}

/// The same by the real nvcc.
fn by_nvcc(job: &Job, file: &str, output: &str) -> Option<Command> {
    let request = job.request;
    let nvcc = job
        .tools
        .cuda
        .nvcc()
        .filter(|_| request.fallback == Fallback::Nvcc)?;
    let phase = match request.phase {
        Phase::Ptx => "-ptx",
        Phase::Cubin => "-cubin",
        Phase::Fatbin => "-fatbin",
        Phase::Preprocess | Phase::Dependencies => return None,
        _ => "-c",
    };
    let mut words = request.passed_on.clone();
    words.push(format!("-rdc={}", request.relocatable));
    words.extend([phase, file, "-o", output].map(String::from));
    Some(Command::new(nvcc, words))
}

/// Flags for dependency rules, with nvcc's file names.
fn rules(request: &Request, file: &str, output: Option<&str>) -> Vec<String> {
    let Some(flag) = request.rules.flag else {
        return Vec::new();
    };
    let mut words = Vec::new();
    let object = in_folder(request, &format!("{}.o", stem(file)));
    let object = match (&request.output, request.phase) {
        (Some(output), Phase::Compile) => output.clone(),
        _ => object,
    };
    if request.phase != Phase::Dependencies {
        words.push(flag.to_string());
        let beside = Path::new(&object).with_extension("d").display().to_string();
        words.extend([
            "-MF".to_string(),
            request.rules.file.clone().unwrap_or(beside),
        ]);
    } else if output.is_none() {
        words.extend(
            request
                .rules
                .file
                .iter()
                .flat_map(|f| ["-MF".to_string(), f.clone()]),
        );
    }
    words.extend([
        "-MT".to_string(),
        request.rules.target.clone().unwrap_or(object),
    ]);
    words.extend(request.rules.phony.then(|| "-MP".to_string()));
    words
}

/// PTX, machine code, or both in one file, without host code.
fn device_only(
    job: &Job,
    file: &str,
    kind: Kind,
    output: &str,
    steps: &mut Vec<Step>,
) -> Result<()> {
    let phase = job.request.phase;
    if phase != Phase::Fatbin {
        let [target] = job.targets else {
            bail!(
                "-{} makes code for one architecture, and there are {}: name one",
                if phase == Phase::Ptx { "ptx" } else { "cubin" },
                job.targets.len()
            );
        };
        steps.push(image(job, file, kind, target, phase, output)?);
        return Ok(());
    }
    let mut images = Vec::new();
    for target in job.targets {
        for (wanted, phase, ending, format) in [
            (target.machine, Phase::Cubin, "cubin", "elf"),
            (target.ptx, Phase::Ptx, "ptx", "ptx"),
        ] {
            if !wanted || (kind != Kind::Cuda && phase == Phase::Ptx) {
                continue;
            }
            let part = job
                .scratch
                .join(format!("{}.sm_{}.{ending}", stem(file), target.number));
            let part = part.display().to_string();
            steps.push(image(job, file, kind, target, phase, &part)?);
            images.push(format!(
                "--image3=kind={format},sm={},file={part}",
                target.number
            ));
        }
    }
    let mut words = vec!["-64".to_string(), format!("--create={output}")];
    words.extend(images);
    steps.push(Step::Run(Command::new(
        job.tools.cuda.program("fatbinary"),
        words,
    )));
    Ok(())
}

fn image(
    job: &Job,
    file: &str,
    kind: Kind,
    target: &Target,
    phase: Phase,
    output: &str,
) -> Result<Step> {
    if kind == Kind::Ptx && phase == Phase::Cubin {
        let mut words = vec!["-m64".to_string(), format!("-arch=sm_{}", target.number)];
        words.extend(
            job.request
                .registers
                .iter()
                .map(|n| format!("--maxrregcount={n}")),
        );
        words.extend(job.request.ptxas.iter().cloned());
        words.extend([file, "-o", output].map(String::from));
        return Ok(Step::Run(Command::new(
            job.tools.cuda.program("ptxas"),
            words,
        )));
    }
    if kind != Kind::Cuda {
        bail!("{file}: there is nothing to compile in it");
    }
    let mut words = compile::words(job.request, job.tools, std::slice::from_ref(target), kind);
    words.push("--cuda-device-only".into());
    words.push(if phase == Phase::Ptx { "-S" } else { "-c" }.into());
    Ok(compiled(job, file, kind, words, Some(output)))
}
