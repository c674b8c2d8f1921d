//! The steps that make an executable, a library, or an object of linked device code.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::compile;
use super::job::{Command, Job, Step};
use super::request::{Phase, Request};

/// Adds them; the answer is the program that comes out.
pub fn steps(job: &Job, objects: &[String], steps: &mut Vec<Step>) -> Result<Option<PathBuf>> {
    let request = job.request;
    match request.phase {
        Phase::Library => {
            steps.push(Step::Run(archive(request, objects)));
            Ok(None)
        }
        Phase::DeviceLink => {
            let output = request.output.clone().unwrap_or_else(|| "a_dlink.o".into());
            device(job, objects, &output, steps);
            Ok(None)
        }
        _ => {
            let mut all = objects.to_vec();
            if needs_device_link(request, objects) {
                let linked = job.scratch.join("a_dlink.o").display().to_string();
                device(job, objects, &linked, steps);
                all.insert(0, linked);
            }
            let output = request.output.clone().unwrap_or_else(|| "a.out".into());
            steps.push(Step::Run(host(job, &all, &output)));
            Ok(Some(PathBuf::from(output)))
        }
    }
}

fn archive(request: &Request, objects: &[String]) -> Command {
    let ar = request.archiver.clone().unwrap_or_else(|| "ar".into());
    let mut words = vec!["crs".to_string()];
    words.extend(request.archiver_words.iter().cloned());
    words.push(request.output.clone().unwrap_or_else(|| "a.a".into()));
    words.extend_from_slice(objects);
    Command::new(ar, words)
}

/// nvlink, fatbinary, and a stub of the toolkit that registers what was linked: as nvcc does it,
/// so that objects of both compilers can be linked together.
fn device(job: &Job, objects: &[String], output: &str, steps: &mut Vec<Step>) {
    let (request, cuda) = (job.request, &job.tools.cuda);
    let scratch = |name: &str| job.scratch.join(name).display().to_string();
    let registers = scratch("dlink.reg.c");
    let mut images = Vec::new();
    for target in job.targets {
        let cubin = scratch(&format!("dlink.sm_{}.cubin", target.number));
        let mut words = vec![
            "-m64".to_string(),
            format!("--arch=sm_{}", target.number),
            format!("--register-link-binaries={registers}"),
            "-cpu-arch=X86_64".to_string(),
        ];
        words.extend(request.device_debug.then(|| "-g".to_string()));
        words.extend(
            request
                .registers
                .iter()
                .map(|n| format!("-maxrregcount={n}")),
        );
        words.extend(request.nvlink.iter().cloned());
        words.extend(request.libraries.iter().cloned());
        words.push(format!("-L{}", cuda.libraries().display()));
        words.extend_from_slice(objects);
        words.extend((!request.no_devrt).then(|| "-lcudadevrt".to_string()));
        words.extend(["-o".to_string(), cubin.clone()]);
        steps.push(Step::Run(Command::new(cuda.program("nvlink"), words)));
        images.push(format!(
            "--image3=kind=elf,sm={},file={cubin}",
            target.number
        ));
    }
    let bundle = scratch("dlink.fatbin.c");
    let mut words = vec!["-64".to_string(), "-link".to_string()];
    words.extend(images);
    words.push(format!("--embedded-fatbin={bundle}"));
    steps.push(Step::Run(Command::new(cuda.program("fatbinary"), words)));
    steps.push(Step::Run(stub(job, &bundle, &registers, output)));
}

fn stub(job: &Job, bundle: &str, registers: &str, output: &str) -> Command {
    let cuda = &job.tools.cuda;
    let mut words: Vec<String> = ["-c", "-x", "c++", "-w", "-O1"].map(String::from).to_vec();
    words.extend([
        format!("-DFATBINFILE=\"{bundle}\""),
        format!("-DREGISTERLINKBINARYFILE=\"{registers}\""),
        "-D__NV_EXTRA_INITIALIZATION=".into(),
        "-D__NV_EXTRA_FINALIZATION=".into(),
        "-D__CUDA_INCLUDE_COMPILER_INTERNAL_HEADERS__".into(),
        "-I.".into(),
        format!("-I{}", cuda.root.join("include").display()),
    ]);
    let pic = job
        .request
        .host
        .iter()
        .filter(|w| w.to_lowercase() == "-fpic");
    words.extend(pic.cloned());
    words.push(cuda.program("crt/link.stub").display().to_string());
    words.extend(["-o".to_string(), output.to_string()]);
    Command::new(&job.tools.clang, words)
}

/// Whether any object has device code that is not linked yet. nvcc always looks; a look into the
/// files is faster.
fn needs_device_link(request: &Request, objects: &[String]) -> bool {
    if request.no_device_link || request.relocatable_link {
        return false;
    }
    if request.relocatable {
        return true;
    }
    let folders = request
        .libraries
        .iter()
        .filter_map(|w| w.strip_prefix("-L"));
    let folders: Vec<&str> = folders.collect();
    let named = request
        .libraries
        .iter()
        .filter_map(|w| w.strip_prefix("-l"));
    let archives = named.flat_map(|n| {
        folders
            .iter()
            .map(move |f| Path::new(f).join(format!("lib{n}.a")))
    });
    let own = objects.iter().map(PathBuf::from);
    own.chain(archives).any(|f| is_relocatable(&f))
}

fn is_relocatable(file: &Path) -> bool {
    let section = b"__nv_relfatbin";
    // A shared library's device code was linked when it was made.
    let shared = file.to_string_lossy().contains(".so");
    !shared
        && std::fs::read(file).is_ok_and(|bytes| bytes.windows(section.len()).any(|w| w == section))
}

fn host(job: &Job, objects: &[String], output: &str) -> Command {
    let request = job.request;
    let mut words = vec!["-Wno-unused-command-line-argument".to_string()];
    words.extend(request.shared.then(|| "-shared".to_string()));
    words.extend(request.relocatable_link.then(|| "-r".to_string()));
    words.extend(request.profile.then(|| "-pg".to_string()));
    words.extend(compile::host(&request.host, compile::Kind::Cxx));
    words.extend(request.link_only.iter().cloned());
    if request.relocatable_link {
        words.extend_from_slice(objects);
    } else {
        words.push("-Wl,--start-group".into());
        words.extend_from_slice(objects);
        words.extend(
            request
                .linker
                .iter()
                .flat_map(|w| ["-Xlinker".to_string(), w.clone()]),
        );
        words.extend(request.libraries.iter().cloned());
        words.extend(toolkit_folders(job));
        words.extend((!request.no_devrt).then(|| "-lcudadevrt".to_string()));
        words.extend(runtime(job));
        words.push("-Wl,--end-group".into());
    }
    words.extend(["-o".to_string(), output.to_string()]);
    Command::new(&job.tools.clang, words)
}

/// Where the toolkit's libraries are, as `-L` words; `-v` prints the same words as LIBRARIES.
pub fn toolkit_folders(job: &Job) -> Vec<String> {
    let folder = job.tools.cuda.libraries();
    [folder.join("stubs"), folder]
        .iter()
        .map(|f| format!("-L{}", f.display()))
        .collect()
}

fn runtime(job: &Job) -> Vec<String> {
    let system = ["-lrt", "-lpthread", "-ldl"].map(String::from);
    match job.request.cudart.as_deref() {
        Some("none") => Vec::new(),
        Some("shared") => {
            let folder = job.tools.cuda.libraries();
            if folder.join("libcudart.so").exists() {
                return vec!["-lcudart".into()];
            }
            // Toolkits from wheels have the library without the name that linkers look for.
            let names = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            let versioned = names
                .map(|e| e.path())
                .find(|p| p.to_string_lossy().contains("libcudart.so."));
            vec![versioned.map_or("-lcudart".into(), |p| p.display().to_string())]
        }
        _ => std::iter::once("-lcudart_static".to_string())
            .chain(system)
            .collect(),
    }
}
