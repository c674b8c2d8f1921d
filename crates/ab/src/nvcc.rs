//! Translates clang's command for nvcc, so that its code stands beside.
//!
//! What changes nothing but diagnostics is dropped; what nvcc has under another name is renamed;
//! what would make another program without it is a reason not to build the nvcc column at all.

use std::path::{Path, PathBuf};

use crate::command::{Argument, Command};

/// nvcc's arguments, less nvcc itself and the output.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Translation {
    /// The arguments.
    pub arguments: Vec<String>,
    /// Flags of clang that have no counterpart and were left out.
    pub dropped: Vec<String>,
}

/// What becomes of one flag.
enum Fate {
    Becomes(Vec<String>),
    Dropped,
    /// Dropped without a word: nvcc does the same by itself, or it concerns diagnostics only.
    Silent,
    Impossible,
}

/// The translation, or why there is none.
pub fn translate(command: &Command) -> Result<Translation, String> {
    let mut t = Translation::default();
    let mut architectures = Vec::new();
    for argument in &command.arguments {
        if let Some(list) = architecture(argument) {
            architectures.extend(list.split(',').map(String::from));
            continue;
        }
        let fate = match argument {
            Argument::Input(i) => Fate::Becomes(vec![i.clone()]),
            Argument::Flag(f) => flag(f),
            Argument::Pair(f, v) => pair(f, v),
        };
        let text = argument.words().join(" ");
        match fate {
            Fate::Becomes(words) => t.arguments.extend(words),
            Fate::Dropped => t.dropped.push(text),
            Fate::Silent => {}
            Fate::Impossible => return Err(format!("`{text}` has no counterpart in nvcc")),
        }
    }
    // One `--use_fast_math` stands for two flags of clang.
    let mut fast = false;
    t.arguments
        .retain(|a| a != "--use_fast_math" || !std::mem::replace(&mut fast, true));
    let targets = targets(&architectures)?;
    t.arguments.splice(0..0, targets);
    Ok(t)
}

fn architecture(argument: &Argument) -> Option<&str> {
    match argument {
        Argument::Flag(f) => f
            .strip_prefix("--cuda-gpu-arch=")
            .or_else(|| f.strip_prefix("--offload-arch=")),
        Argument::Pair(f, v) => (f == "--cuda-gpu-arch" || f == "--offload-arch").then_some(v),
        Argument::Input(_) => None,
    }
}

fn targets(architectures: &[String]) -> Result<Vec<String>, String> {
    match architectures {
        [] => Ok(Vec::new()),
        [one] => Ok(vec![format!("-arch={one}")]),
        many => many
            .iter()
            .map(|a| match a.strip_prefix("sm_") {
                Some(n) => Ok([
                    "-gencode".to_string(),
                    format!("arch=compute_{n},code=sm_{n}"),
                ]),
                None => Err(format!(
                    "`--cuda-gpu-arch={a}` among several has no counterpart in nvcc"
                )),
            })
            .collect::<Result<Vec<_>, _>>()
            .map(|pairs| pairs.into_iter().flatten().collect()),
    }
}

fn becomes(words: &[&str]) -> Fate {
    Fate::Becomes(words.iter().map(ToString::to_string).collect())
}

fn flag(f: &str) -> Fate {
    match f {
        "-O0" | "-O1" | "-O2" | "-O3" | "-g" | "-c" | "-w" | "-pg" => becomes(&[f]),
        "-O" | "-Os" | "-Oz" => becomes(&["-O2"]),
        "-O4" => becomes(&["-O3"]),
        "-pthread" | "-fopenmp" | "-fPIC" | "-fpic" | "-static-libgcc" | "-static-libstdc++" => {
            becomes(&["-Xcompiler", f])
        }
        "-shared" => becomes(&["-shared"]),
        "-fgpu-rdc" | "-fcuda-rdc" => becomes(&["-rdc=true"]),
        "-fno-gpu-rdc" => becomes(&["-rdc=false"]),
        "-Ofast" => becomes(&["-O3", "--use_fast_math", "-Xcompiler", "-ffast-math"]),
        "-ffast-math" => becomes(&["--use_fast_math", "-Xcompiler", f]),
        "-fgpu-approx-transcendentals" | "-fcuda-approx-transcendentals" => {
            becomes(&["--use_fast_math"])
        }
        "-fgpu-flush-denormals-to-zero" | "-fcuda-flush-denormals-to-zero" => {
            becomes(&["-ftz=true"])
        }
        "-ffp-contract=off" => becomes(&["-fmad=false"]),
        "-fgpu-default-stream=per-thread" => becomes(&["--default-stream=per-thread"]),
        "-fgpu-default-stream=legacy" => becomes(&["--default-stream=legacy"]),
        // nvcc links these by itself, and takes its own files from where it lies.
        "-lcudart_static" | "-lcudadevrt" => Fate::Silent,
        "-lcudart" => becomes(&["-cudart=shared"]),
        "-ffp-contract=fast" | "-ffp-contract=on" | "-ffp-contract=fast-honor-pragmas" => {
            Fate::Silent
        }
        "--offload-new-driver" | "--no-offload-new-driver" | "-Qunused-arguments" | "-v" => {
            Fate::Silent
        }
        "-S" | "-emit-llvm" | "--cuda-device-only" | "--cuda-host-only" | "-stdlib=libc++"
        | "-static" => Fate::Impossible,
        _ => prefixed(f),
    }
}

fn prefixed(f: &str) -> Fate {
    let starts = |all: &[&str]| all.iter().any(|p| f.starts_with(p));
    if let Some(standard) = f.strip_prefix("-std=") {
        return match standard
            .strip_prefix("gnu++")
            .or(standard.strip_prefix("c++"))
        {
            Some(n @ ("11" | "14" | "17" | "20")) => becomes(&[&format!("-std=c++{n}")]),
            Some("1z") => becomes(&["-std=c++17"]),
            Some("2a") => becomes(&["-std=c++20"]),
            Some("98" | "03" | "0x" | "1y") => Fate::Dropped,
            _ => Fate::Impossible,
        };
    }
    if let Some(list) = f.strip_prefix("-Wl,") {
        let words = list
            .split(',')
            .flat_map(|w| ["-Xlinker".to_string(), w.to_string()]);
        return Fate::Becomes(words.collect());
    }
    if starts(&[
        "-fsanitize",
        "--target=",
        "-target=",
        "--sysroot=",
        "-fcoverage",
        "-fprofile",
    ]) {
        return Fate::Impossible;
    }
    if starts(&["-march=", "-mtune=", "-mcpu=", "-fopenmp="]) {
        return becomes(&[
            "-Xcompiler",
            if f.starts_with("-fopenmp") {
                "-fopenmp"
            } else {
                f
            },
        ]);
    }
    if starts(&["-I", "-D", "-U", "-L", "-l"]) {
        return becomes(&[f]);
    }
    if let Some(folder) = f.strip_prefix("-isystem") {
        return becomes(&["-isystem", folder]);
    }
    if starts(&[
        "--cuda-path=",
        "-W",
        "-R",
        "-fcolor",
        "-fno-color",
        "-fdiagnostics",
        "-g",
    ]) {
        return Fate::Silent;
    }
    Fate::Dropped
}

fn pair(f: &str, v: &str) -> Fate {
    match f {
        "-I" | "-D" | "-U" | "-L" | "-l" | "-Xlinker" | "-include" | "-isystem"
            if !is_runtime(f, v) =>
        {
            becomes(&[f, v])
        }
        "-l" => flag(&format!("-l{v}")),
        "-x" => match v {
            "cuda" => becomes(&["-x", "cu"]),
            "c++" | "c" => becomes(&["-x", v]),
            "none" => Fate::Dropped,
            _ => Fate::Impossible,
        },
        "-Xcuda-ptxas" => becomes(&["-Xptxas", v]),
        "-Xarch_host" => becomes(&["-Xcompiler", v]),
        "-iquote" | "-idirafter" | "-imacros" => becomes(&["-Xcompiler", &format!("{f},{v}")]),
        "--cuda-path" | "-Xclang" | "-mllvm" | "-Xarch_device" | "-Xcuda-fatbinary" => match (f, v)
        {
            ("--cuda-path", _) => Fate::Silent,
            _ => Fate::Dropped,
        },
        _ => Fate::Impossible,
    }
}

fn is_runtime(f: &str, v: &str) -> bool {
    f == "-l" && matches!(v, "cudart" | "cudart_static" | "cudadevrt")
}

/// nvcc: the one given, that of the command's toolkit, of `CUDA_PATH`, of `PATH`, the usual place.
pub fn find(given: Option<&Path>, command: &Command) -> Option<PathBuf> {
    if let Some(given) = given {
        return Some(given.to_path_buf());
    }
    let toolkits = [
        command.cuda_path(),
        std::env::var_os("CUDA_PATH")
            .filter(|p| !p.is_empty())
            .map(PathBuf::from),
    ];
    let in_toolkits = toolkits.into_iter().flatten().map(|t| t.join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = in_toolkits
        .chain(std::env::split_paths(&path))
        .chain([PathBuf::from("/usr/local/cuda/bin")]);
    folders.map(|f| f.join("nvcc")).find(|n| n.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> Result<Translation, String> {
        translate(&crate::command::parse(&shlex::split(line).unwrap()).unwrap())
    }

    #[test]
    fn a_usual_command_translates() {
        let t = translated(
            "clang++-22 -O3 -std=gnu++17 --cuda-path=/opt/cuda --cuda-gpu-arch=sm_90 -I inc -DN=4 a.cu b.cpp -Lx -lcudart_static -ldl -lrt -pthread -Wall -o p",
        )
        .unwrap();
        assert_eq!(
            t.arguments.join(" "),
            "-arch=sm_90 -O3 -std=c++17 -I inc -DN=4 a.cu b.cpp -Lx -ldl -lrt -Xcompiler -pthread"
        );
        assert!(t.dropped.is_empty(), "{:?}", t.dropped);
    }

    #[test]
    fn flags_of_another_name_are_renamed() {
        for (clang, nvcc) in [
            ("--offload-arch=sm_90a", "-arch=sm_90a"),
            (
                "--cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90",
                "-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90",
            ),
            (
                "--offload-arch=sm_80,sm_90",
                "-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90",
            ),
            ("-fgpu-rdc", "-rdc=true"),
            (
                "-fgpu-approx-transcendentals -fgpu-flush-denormals-to-zero",
                "--use_fast_math -ftz=true",
            ),
            ("-ffp-contract=off", "-fmad=false"),
            ("-Wl,-rpath,/x", "-Xlinker -rpath -Xlinker /x"),
            ("-Xcuda-ptxas -maxrregcount=64", "-Xptxas -maxrregcount=64"),
            ("-x cuda", "-x cu"),
            ("-march=native", "-Xcompiler -march=native"),
            ("-lcudart", "-cudart=shared"),
            ("-l cudart", "-cudart=shared"),
            ("-l m", "-l m"),
            ("-Os", "-O2"),
        ] {
            let t = translated(&format!("clang++ {clang} a.cu")).unwrap();
            assert_eq!(
                t.arguments.join(" "),
                format!("{nvcc} a.cu").replace("-arch=sm_90a a.cu", "-arch=sm_90a a.cu"),
                "{clang}"
            );
        }
    }

    #[test]
    fn flags_of_clang_alone_are_dropped_and_named() {
        let t = translated("clang++ -mllvm -x86-foo -fuse-ld=lld -fvectorize -Rpass=x --no-offload-new-driver a.cu").unwrap();
        assert_eq!(t.arguments, ["a.cu"]);
        assert_eq!(
            t.dropped,
            ["-mllvm -x86-foo", "-fuse-ld=lld", "-fvectorize"]
        );
    }

    #[test]
    fn what_would_be_another_program_is_not_translated() {
        for flag in [
            "-fsanitize=address",
            "-stdlib=libc++",
            "-std=c++23",
            "-x hip",
            "--target=arm",
            "-S",
            "-T script",
        ] {
            let why = translated(&format!("clang++ {flag} a.cu")).unwrap_err();
            assert!(
                why.contains(flag) && why.contains("no counterpart"),
                "{why}"
            );
        }
        assert!(translated("clang++ --offload-arch=native --offload-arch=sm_80 a.cu").is_err());
    }
}
