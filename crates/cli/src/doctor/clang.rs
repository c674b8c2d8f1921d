//! clang, the LLVM that it loads, and the plug-in that has to share it.

use std::path::{Path, PathBuf};
use std::process::Command;

use object::read::elf::{Dyn, ElfFile64, FileHeader};
use object::{Endianness, elf};

use super::finding::Finding;
use crate::tools::{self, LLVM_MAJOR, Tools};

const COMPILER: &str = "clang";
const LIBRARY: &str = "LLVM";
const PLUGIN: &str = "plug-in";
const INSTALL: &str =
    "install clang-22 from Debian or apt.llvm.org, or set LLVM_SYS_221_PREFIX to such a build";

/// clang and the name of the LLVM library that it loads.
#[derive(Debug)]
pub struct Clang {
    /// `clang++`.
    pub path: PathBuf,
    /// `libLLVM.so.22.1`.
    pub library: String,
}

/// Finds clang, asks its version, and looks at what it loads.
pub fn compiler(findings: &mut Vec<Finding>) -> Option<Clang> {
    let path = match tools::clang() {
        Ok(path) => path,
        Err(error) => {
            findings.push(Finding::fault(COMPILER, error.to_string(), INSTALL));
            return None;
        }
    };
    let said = Command::new(&path).arg("--version").output().ok();
    let said = said
        .map(|o| String::from_utf8_lossy(&o.stdout).into_owned())
        .unwrap_or_default();
    let line = said.lines().next().unwrap_or("").to_string();
    let major: Option<u32> = line
        .split_once("version ")
        .and_then(|(_, v)| v.split('.').next()?.parse().ok());
    let found = format!("{} is {line}", path.display());
    if major != Some(LLVM_MAJOR) {
        let found = if line.is_empty() {
            format!("{} does not start", path.display())
        } else {
            found
        };
        findings.push(Finding::fault(
            COMPILER,
            found,
            format!("the plug-in is made for LLVM {LLVM_MAJOR}: {INSTALL}"),
        ));
        return None;
    }
    findings.push(Finding::good(COMPILER, found));
    library(path, findings)
}

fn library(path: PathBuf, findings: &mut Vec<Finding>) -> Option<Clang> {
    match needed(&path) {
        Ok(names) => match names.iter().find(|n| n.starts_with("libLLVM")) {
            Some(name) => {
                findings.push(Finding::good(LIBRARY, format!("clang loads {name}")));
                Some(Clang {
                    path,
                    library: name.clone(),
                })
            }
            None => {
                let found =
                    "clang has LLVM inside itself (a static build): a plug-in cannot share it";
                findings.push(Finding::fault(LIBRARY, found, INSTALL));
                None
            }
        },
        Err(_) => {
            let found = format!(
                "{} is no program of the machine's (a script?): what it loads is not seen",
                path.display()
            );
            findings.push(Finding::note(
                LIBRARY,
                found,
                "set LLVM_SYS_221_PREFIX to LLVM's own folder",
            ));
            Some(Clang {
                path,
                library: String::new(),
            })
        }
    }
}

/// Finds the plug-in, and whether it is for that LLVM.
pub fn plugin(
    clang: Option<&Clang>,
    given: Option<&str>,
    findings: &mut Vec<Finding>,
) -> Option<PathBuf> {
    let path = match tools::plugin(given) {
        Ok(path) => path,
        Err(error) => {
            findings.push(Finding::fault(
                PLUGIN,
                error.to_string(),
                "install mesi anew",
            ));
            return None;
        }
    };
    let names = match needed(&path) {
        Ok(names) => names,
        Err(why) => {
            let found = format!("{} cannot be read ({why})", path.display());
            findings.push(Finding::fault(
                PLUGIN,
                found,
                "give it the mode 644, or install mesi anew",
            ));
            return None;
        }
    };
    let own = names
        .iter()
        .find(|n| n.starts_with("libLLVM"))
        .cloned()
        .unwrap_or_default();
    let others = clang.filter(|c| !c.library.is_empty() && c.library != own);
    if let Some(clang) = others {
        let found = format!(
            "{} is made for {own}, and clang loads {}",
            path.display(),
            clang.library
        );
        findings.push(Finding::fault(
            PLUGIN,
            found,
            "install the mesi that is made for this LLVM, or build it against it",
        ));
        return None;
    }
    findings.push(Finding::good(
        PLUGIN,
        format!("{} for {own}", path.display()),
    ));
    Some(path)
}

/// Programs and headers beside clang that some compiles need.
pub fn companions(clang: &Clang, findings: &mut Vec<Finding>) {
    let own = clang
        .path
        .canonicalize()
        .unwrap_or_else(|_| clang.path.clone());
    let given = clang.path.parent().map(Path::to_path_buf);
    let folders: Vec<PathBuf> = own
        .parent()
        .map(Path::to_path_buf)
        .into_iter()
        .chain(given)
        .collect();
    let wrapper = "clang-linker-wrapper";
    let beside = folders.iter().any(|f| f.join(wrapper).is_file());
    if beside
        || tools::in_path(wrapper).is_some()
        || tools::in_path("clang-linker-wrapper-22").is_some()
    {
        findings.push(Finding::good("linker wrapper", "beside clang"));
    } else {
        let found = "clang-linker-wrapper is not there: clang links no whole programs (mesi nvcc does without it)";
        findings.push(Finding::fault(
            "linker wrapper",
            found,
            "apt-get install clang-tools-22, or link with --no-offload-new-driver",
        ));
    }
    let openmp = folders.iter().any(|f| {
        f.join(format!("../lib/clang/{LLVM_MAJOR}/include/omp.h"))
            .is_file()
    });
    if !openmp {
        let found = "clang's OpenMP is not installed: programs with -fopenmp do not compile";
        findings.push(Finding::note(
            "OpenMP",
            found,
            format!("apt-get install libomp-{LLVM_MAJOR}-dev"),
        ));
    }
}

/// Whether something else loads the plug-in, too: a configuration file, a variable.
pub fn twice(tools: &Tools, findings: &mut Vec<Finding>) {
    const WHAT: &str = "plug-in once";
    for variable in [
        "NVCC_PREPEND_FLAGS",
        "NVCC_APPEND_FLAGS",
        "CUDAFLAGS",
        "CXXFLAGS",
        "CCC_OVERRIDE_OPTIONS",
    ] {
        let value = tools::set(variable).unwrap_or_default();
        if value.contains("libmesi") {
            let found = format!("{variable} loads it, too: {value}");
            findings.push(Finding::fault(
                WHAT,
                found,
                format!("take it out of {variable}: mesi nvcc loads it by itself"),
            ));
            return;
        }
    }
    let mut command = Command::new(&tools.clang);
    command.args(["-###", "-x", "c++", "-c", "/dev/null", "-o", "/dev/null"]);
    let said = command
        .output()
        .map(|o| String::from_utf8_lossy(&o.stderr).into_owned())
        .unwrap_or_default();
    let loads =
        |w: &&str| w.contains("libmesi") && (w.contains("-fpass-plugin=") || w.contains("-load"));
    if let Some(word) = said.split_whitespace().find(loads) {
        let file = said
            .lines()
            .find_map(|l| l.strip_prefix("Configuration file: "))
            .unwrap_or("a configuration file of clang");
        let found = format!("{file} loads it, too: {}", word.trim_matches('"'));
        findings.push(Finding::fault(
            WHAT,
            found,
            "take it out there: mesi nvcc loads it by itself",
        ));
        return;
    }
    findings.push(Finding::good(WHAT, "nothing else loads it"));
}

/// The libraries that an ELF file asks for.
fn needed(path: &Path) -> Result<Vec<String>, String> {
    let bytes = std::fs::read(path).map_err(|e| e.kind().to_string())?;
    let file =
        ElfFile64::<Endianness>::parse(&*bytes).map_err(|_| "it is no library or program")?;
    let endian = file.endian();
    let broken = |_| "it is damaged".to_string();
    let sections = file
        .elf_header()
        .sections(endian, &*bytes)
        .map_err(broken)?;
    let Some((entries, link)) = sections.dynamic(endian, &*bytes).map_err(broken)? else {
        return Ok(Vec::new());
    };
    let strings = sections.strings(endian, &*bytes, link).map_err(broken)?;
    let wanted = entries
        .iter()
        .filter(|e| e.tag32(endian) == Some(elf::DT_NEEDED));
    Ok(wanted
        .filter_map(|e| e.string(endian, strings).ok())
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect())
}
