//! What `mesi nvcc` prints about itself: `--version`, `--help`, lists, and the lines before `-v`.

use std::process::Command;

use anyhow::Result;

use super::arch;
use super::job::Job;
use super::link;
use super::options::{Duty, KNOWN, Takes};
use super::request::Request;
use super::run::quoted;
use crate::tools::{self, Cuda};

/// Answers the first question of the command line.
pub fn answer(request: &Request) -> Result<u8> {
    let question = request.tell.first().copied().unwrap_or("help");
    if question == "help" {
        print!("{}", help());
        return Ok(0);
    }
    let cuda = tools::cuda()?;
    match question {
        "version" => print!("{}", version(&cuda)),
        "list-gpu-arch" => list("compute_", &cuda),
        _ => list("sm_", &cuda),
    }
    Ok(0)
}

fn list(prefix: &str, cuda: &Cuda) {
    for number in arch::all(cuda.version.0) {
        println!("{prefix}{number}");
    }
}

/// The lines that build systems read nvcc's version from, and one that says what this is.
fn version(cuda: &Cuda) -> String {
    let (major, minor) = cuda.version;
    let said = Command::new(cuda.program("ptxas"))
        .arg("--version")
        .output()
        .ok();
    let said = said
        .map(|o| String::from_utf8_lossy(&o.stdout).into_owned())
        .unwrap_or_default();
    let release = said.lines().find(|l| l.contains(", release ")).map_or_else(
        || format!("Cuda compilation tools, release {major}.{minor}, V{major}.{minor}.0"),
        str::to_string,
    );
    format!(
        "nvcc: NVIDIA (R) Cuda compiler driver\n{release}\nThis is mesi nvcc {}: clang {} and the toolkit above stand in for nvcc.\n",
        env!("CARGO_PKG_VERSION"),
        tools::LLVM_MAJOR
    )
}

fn help() -> String {
    let mut text = String::from(
        "Usage: mesi nvcc [nvcc's options] file...\n\n\
         Compiles CUDA with clang and the mesi plug-in, by nvcc's command line. -O is the host's; device code is -O3.\n\n\
         Own options:\n  \
         --mesi-fallback=off|nvcc  what compiles a file that clang cannot: nothing, or the toolkit's nvcc (default nvcc)\n  \
         --mesi-remarks            print what the plug-in did to each array\n  \
         --mesi-off                do without the plug-in\n  \
         --mesi-clang=FLAG         a flag for clang as it is; may be given several times\n  \
         --mesi-plugin=FILE        the plug-in\n\n\
         Exit status: that of the program that failed, 2 for a wrong command line.\n\n\
         nvcc's options (*: accepted, changes nothing here; -: refused):\n",
    );
    for known in KNOWN {
        let mark = match known.duty {
            Duty::Honoured => ' ',
            Duty::Without(_) => '*',
            Duty::Refused(_) => '-',
        };
        let value = match known.takes {
            Takes::Nothing => "",
            Takes::Value => " VALUE",
            Takes::List => " VALUE,...",
            Takes::Switch => " true|false",
        };
        text += &format!("  {mark} --{}{value} (-{})\n", known.long, known.short);
    }
    text
}

/// What nvcc prints before its commands, as far as build systems read it.
pub fn preamble(job: &Job) {
    let cuda = &job.tools.cuda;
    let root = cuda.root.display();
    eprintln!("#$ _HERE_={root}/bin");
    eprintln!("#$ TOP={root}");
    eprintln!("#$ NVVMIR_LIBRARY_DIR={root}/nvvm/libdevice");
    let path = std::env::var("PATH").unwrap_or_default();
    eprintln!("#$ PATH={root}/bin:{path}");
    eprintln!("#$ INCLUDES=\"-I{root}/include\"  ");
    eprintln!("#$ SYSTEM_INCLUDES=\"-isystem\" \"{root}/include/cccl\"  ");
    let folders: Vec<String> = link::toolkit_folders(job)
        .iter()
        .map(|w| quoted(w))
        .collect();
    eprintln!("#$ LIBRARIES=  {}", folders.join(" "));
    let chips: Vec<String> = job
        .targets
        .iter()
        .map(|t| format!("-arch compute_{}", t.number))
        .collect();
    eprintln!("#$ ARCHITECTURES={}", chips.join(" "));
}

/// What was accepted without effect.
pub fn ignored(request: &Request) {
    for line in &request.ignored {
        eprintln!("#$ IGNORED={line}");
    }
}
