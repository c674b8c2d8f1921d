//! The clang command that compiles one file as nvcc would.

use std::path::Path;

use super::arch::Target;
use super::request::{Phase, Request};
use crate::tools::Tools;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// CUDA.
    Cuda,
    /// C++ of the host.
    Cxx,
    /// C of the host.
    C,
    /// PTX.
    Ptx,
    /// Machine code of one chip, or a bundle of such.
    Device,
    /// An object or a library.
    Linked,
}

/// What a file is, by `-x` or its name; `None`: nvcc would not know either.
pub fn kind(file: &str, language: Option<&str>) -> Option<Kind> {
    let name = Path::new(file).file_name()?.to_str()?;
    let extension = Path::new(name)
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or("");
    match extension {
        "o" | "obj" | "a" | "so" | "lib" => return Some(Kind::Linked),
        "cubin" | "fatbin" => return Some(Kind::Device),
        "ptx" => return Some(Kind::Ptx),
        _ if name.contains(".so.") => return Some(Kind::Linked),
        _ => {}
    }
    match (language, extension) {
        (Some("cu"), _) | (None, "cu" | "cup") => Some(Kind::Cuda),
        (Some("c++"), _) | (None, "cpp" | "cc" | "cxx" | "ii" | "C" | "c++") => Some(Kind::Cxx),
        (Some("c"), _) | (None, "c" | "i") => Some(Kind::C),
        _ => None,
    }
}

/// Words for every compile of this request, whatever its phase, but for inputs and outputs.
pub fn words(request: &Request, tools: &Tools, targets: &[Target], kind: Kind) -> Vec<String> {
    let mut words: Vec<String> = vec!["-Wno-unused-command-line-argument".into()];
    words.push(format!("-O{}", request.level.as_deref().unwrap_or("0")));
    if request.debug || request.device_debug {
        words.push("-g".into());
    }
    if kind != Kind::C {
        words.extend(request.standard.iter().map(|s| format!("-std={s}")));
    }
    if request.no_exceptions {
        words.push("-fno-exceptions".into());
    }
    if kind == Kind::Cuda {
        words.extend(cuda(request, tools, targets));
    }
    // Of C++ it folds what g++ folds.
    if kind != Kind::C && uses_plugin(request) {
        words.push(format!("-fpass-plugin={}", tools.plugin.display()));
    }
    words.extend(
        request
            .macros
            .iter()
            .filter(|_| kind == Kind::Cuda)
            .map(|m| format!("-D{m}")),
    );
    words.extend(request.preprocessor.iter().map(|w| behind_headers(w, kind)));
    words.extend(toolkit_headers(tools, kind));
    words.extend(request.profile.then(|| "-pg".to_string()));
    words.extend(request.quiet.then(|| "-w".to_string()));
    words.extend(request.warnings.iter().cloned());
    words.extend(
        LENIENT
            .iter()
            .filter(|_| kind != Kind::C)
            .map(ToString::to_string),
    );
    words.extend(
        LENIENT_C
            .iter()
            .filter(|_| kind == Kind::C)
            .map(ToString::to_string),
    );
    words.extend(request.front.iter().cloned());
    words.extend(host(&request.host, kind));
    words.extend(request.clang.iter().filter(|_| kind == Kind::Cuda).cloned());
    words
}

/// clang finds CUDA's own headers for CUDA files, but neither those of CCCL nor any for the host's.
fn toolkit_headers(tools: &Tools, kind: Kind) -> Vec<String> {
    let include = tools.cuda.root.join("include");
    let mut folders = Vec::new();
    if kind != Kind::Cuda {
        folders.push(include.clone());
    }
    folders.push(include.join("cccl"));
    folders
        .iter()
        .filter(|f| f.is_dir())
        .flat_map(|f| ["-isystem".to_string(), f.display().to_string()])
        .collect()
}

fn cuda(request: &Request, tools: &Tools, targets: &[Target]) -> Vec<String> {
    let mut words: Vec<String> = vec![
        "-Wno-unknown-cuda-version".into(),
        // Where the assembler fails, clang would leave files for a report on itself.
        "-fno-crash-diagnostics".into(),
        format!("--cuda-path={}", tools.cuda.root.display()),
        // Objects that any linker takes, and that nvlink takes with -rdc: those of nvcc's form.
        "--no-offload-new-driver".into(),
        format!(
            "-Xarch_device -O{}",
            if request.device_debug && !request.lines {
                0
            } else {
                3
            }
        ),
    ];
    for target in targets {
        words.push(format!("--cuda-gpu-arch=sm_{}", target.number));
    }
    words.push("--no-cuda-include-ptx=all".into());
    for target in targets.iter().filter(|t| t.ptx) {
        words.push(format!("--cuda-include-ptx=sm_{}", target.number));
    }
    if uses_plugin(request) && device_only(request.phase) {
        // Whoever loads such a file launches the kernel itself: what helps it has to be inside.
        words.push("-mllvm -mesi-form=inside".into());
    }
    words.push(format!("-include {}", tools.header.display()));
    words.extend(
        request
            .relocatable
            .then(|| "-fgpu-rdc -D__CUDACC_RDC__".to_string()),
    );
    if request.device_debug {
        words.push("-D__CUDACC_DEBUG__".into());
        words.extend((!request.lines).then(|| "--cuda-noopt-device-debug".to_string()));
    } else if request.lines {
        words.push("-Xarch_device -gline-tables-only".into());
    }
    words.extend(
        request
            .registers
            .iter()
            .map(|n| format!("-Xcuda-ptxas --maxrregcount={n}")),
    );
    words.extend(
        request
            .ptxas
            .iter()
            .flat_map(|w| ["-Xcuda-ptxas".into(), w.clone()]),
    );
    words.extend(
        request
            .per_thread
            .then(|| "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1".to_string()),
    );
    words.extend(request.syntax_only.then(|| "-fsyntax-only".to_string()));
    words.extend(arithmetic(request));
    // Pairs were written as one word above, for reading; paths may have spaces.
    words.into_iter().flat_map(pair).collect()
}

/// A word for the preprocessor. Of what programs define `cuda.h`, which clang's own header reads and nvcc does not, has
/// `N` for parameters: the header of `mesi nvcc` defines it behind that.
fn behind_headers(word: &str, kind: Kind) -> String {
    let value = word.strip_prefix("-DN").filter(|_| kind == Kind::Cuda);
    match value.filter(|v| v.is_empty() || v.starts_with('=')) {
        Some(value) => format!("-DMESI_N{value}"),
        None => word.to_string(),
    }
}

/// `-Xarch_device -O3` as two words.
fn pair(word: String) -> Vec<String> {
    let flags = [
        "-Xarch_device ",
        "-Xcuda-ptxas ",
        "-mllvm ",
        "-include ",
        "-fgpu-rdc ",
    ];
    match flags.iter().find(|f| word.starts_with(**f)) {
        Some(flag) => vec![flag.trim_end().to_string(), word[flag.len()..].to_string()],
        None => vec![word],
    }
}

/// Whether code is compiled with the plug-in. For debugging it has nothing to do but to mend what nvlink cannot bind.
pub fn uses_plugin(request: &Request) -> bool {
    !request.without_plugin && (!request.device_debug || request.relocatable)
}

/// Whether an output of this phase has no host code.
pub fn device_only(phase: Phase) -> bool {
    matches!(phase, Phase::Ptx | Phase::Cubin | Phase::Fatbin)
}

/// The four parts of -use_fast_math. Like nvcc's they change single operations and rearrange
/// nothing, so the plug-in may work beside them, as it may not beside clang's -ffast-math.
fn arithmetic(request: &Request) -> Vec<String> {
    let mut words = Vec::new();
    if request.ftz == Some(true) {
        words.push("-fgpu-flush-denormals-to-zero".to_string());
    }
    if request.prec_div == Some(false) {
        let level = if request.fast_functions { 0 } else { 1 };
        words.push(format!("-Xarch_device -mllvm=-nvptx-prec-divf32={level}"));
    }
    if request.prec_sqrt == Some(false) {
        words.push("-Xarch_device -mllvm=-nvptx-prec-sqrtf32=0".to_string());
    }
    if request.fmad == Some(false) {
        words.push("-Xarch_device -ffp-contract=off".to_string());
    }
    if request.fast_functions {
        words.push("-fgpu-approx-transcendentals".to_string());
    }
    words
}

/// Flags for the host's compiler, written for gcc, as clang takes them beside device code.
pub fn host(given: &[String], kind: Kind) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = given.iter();
    while let Some(word) = rest.next() {
        if FOR_GCC_ALONE.iter().any(|g| word.starts_with(g)) {
            continue;
        }
        // These change arithmetic or choose instructions: of the host's code only.
        let host_only = kind == Kind::Cuda && HOST_ONLY.iter().any(|h| word.starts_with(h));
        if host_only {
            words.push("-Xarch_host".to_string());
        }
        words.push(word.clone());
        if ["-include", "-isystem", "-I", "-D", "-MF", "-MT", "-x"].contains(&word.as_str()) {
            words.extend(rest.next().cloned());
        }
    }
    words
}

/// What gcc warns of at most, and clang takes for an error.
const LENIENT: &[&str] = &[
    "-Wno-error=register",
    "-Wno-error=c++11-narrowing",
    "-Wno-error=reserved-user-defined-literal",
    // `return;` in a function, often main, that returns a number.
    "-Wno-error=return-mismatch",
    // `object.template call(x)` without a list of arguments.
    "-Wno-error=missing-template-arg-list-after-template-kw",
];
const LENIENT_C: &[&str] = &[
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
];

const HOST_ONLY: &[&str] = &[
    "-O",
    "-m",
    "-ffast-math",
    "-funsafe-math",
    "-fno-math",
    "-ffinite-math",
    "-fassociative-math",
    "-freciprocal-math",
    "-ffp-contract",
    "-fopenmp",
    "-fsanitize",
    "-fno-sanitize",
    "-fprofile",
    "-fcoverage",
    "-flto",
];

/// gcc's own, which clang refuses, and which change no meaning.
const FOR_GCC_ALONE: &[&str] = &[
    "-fno-gnu-unique",
    "-fno-tree-",
    "-ftree-",
    "-fgcse",
    "-fno-gcse",
    "-fipa-",
    "-fno-ipa-",
    "-fmax-errors",
    "-fconcepts",
    "-fno-plt-",
    "-fext-numeric-literals",
    "-fpeel-loops",
    "-fprefetch-loop-arrays",
    "-fweb",
    "-frename-registers",
    "-ffat-lto-objects",
    "-fno-fat-lto-objects",
    "-static-libgcc-",
    "-fabi-version",
    "-mno-avx256-split",
    "-fno-implement-inlines",
    "-fpermissive",
    "-fno-var-tracking",
    "-fvar-tracking",
    "-fdiagnostics-color=",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_name_or_by_x() {
        assert_eq!(kind("a/b.cu", None), Some(Kind::Cuda));
        assert_eq!(kind("b.cpp", Some("cu")), Some(Kind::Cuda));
        assert_eq!(kind("b.o", Some("cu")), Some(Kind::Linked));
        assert_eq!(kind("libx.so.3.2", None), Some(Kind::Linked));
        assert_eq!(kind("b.foo", None), None);
        assert_eq!(kind("b", Some("c")), Some(Kind::C));
    }

    #[test]
    fn what_gcc_alone_knows_goes_and_arithmetic_stays_on_the_host() {
        let given = [
            "-Wall",
            "-fno-tree-vectorize",
            "-O3",
            "-ffast-math",
            "-D",
            "X",
            "-fPIC",
        ]
        .map(String::from);
        let cuda = host(&given, Kind::Cuda).join(" ");
        assert_eq!(
            cuda,
            "-Wall -Xarch_host -O3 -Xarch_host -ffast-math -D X -fPIC"
        );
        assert_eq!(
            host(&given, Kind::Cxx).join(" "),
            "-Wall -O3 -ffast-math -D X -fPIC"
        );
    }
}
