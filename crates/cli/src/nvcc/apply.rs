//! What each option of a command line does to the request.

use anyhow::{Result, bail};

use super::options::{Duty, Known};
use super::request::{Fallback, Phase, Request};
use super::words::{Word, shown, split_list};

/// Applies all words.
pub fn build(words: &[Word]) -> Result<Request> {
    let mut request = Request::default();
    for word in words {
        if let Word::Option(known, _) = word {
            request.forward_compiler |=
                ["forward-unknown-to-host-compiler", "forward-unknown-opts"].contains(&known.long);
            request.forward_linker |=
                ["forward-unknown-to-host-linker", "forward-unknown-opts"].contains(&known.long);
        }
    }
    for word in words {
        match word {
            Word::File(file) => request.files.push(file.clone()),
            Word::Unknown(word) => unknown(&mut request, word)?,
            Word::Option(known, value) => {
                pass_on(&mut request, known, value);
                match known.duty {
                    Duty::Without(why) => request.ignored.push(format!("{}: {why}", shown(known))),
                    _ if !apply(&mut request, known, value)? => {
                        bail!("{} is not done here: this is a fault of mesi", shown(known))
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(request)
}

/// A word that nvcc does not know: ours, or one for the host's tools.
fn unknown(request: &mut Request, word: &str) -> Result<()> {
    let ours = word
        .strip_prefix("--mesi-")
        .map(|w| w.split_once('=').unwrap_or((w, "")));
    match ours {
        Some(("fallback", "off")) => request.fallback = Fallback::Off,
        Some(("fallback", "nvcc")) => request.fallback = Fallback::Nvcc,
        Some(("fallback", _)) => bail!("--mesi-fallback: write off or nvcc behind ="),
        Some(("off", "")) => request.without_plugin = true,
        Some(("plugin", file)) if !file.is_empty() => request.plugin = Some(file.to_string()),
        Some(("clang", flag)) if !flag.is_empty() => request.clang.push(flag.to_string()),
        Some(("remarks", "")) => {
            let kinds = ["-Rpass=mesi", "-Rpass-missed=mesi"];
            request.clang.extend(kinds.map(String::from));
        }
        Some(_) => bail!(
            "{word} is not known: there are --mesi-fallback=off|nvcc, --mesi-off, --mesi-remarks, --mesi-plugin=FILE and --mesi-clang=FLAG"
        ),
        None if request.forward_compiler || request.forward_linker => {
            if request.forward_compiler {
                request.host.push(word.to_string());
            }
            if request.forward_linker && !request.forward_compiler {
                request.link_only.push(word.to_string());
            }
            request.passed_on.push(word.to_string());
        }
        None => bail!(
            "unknown option {word}: nvcc has none of that name; options of the host compiler go behind -Xcompiler"
        ),
    }
    Ok(())
}

/// Keeps what a real nvcc needs to compile one of the files in the same way.
fn pass_on(request: &mut Request, known: &Known, value: &str) {
    const PHASES: &[&str] = &[
        "cubin",
        "fatbin",
        "ptx",
        "preprocess",
        "compile",
        "device-c",
        "device-w",
        "device-link",
        "link",
        "lib",
        "run",
        "run-args",
        "output-file",
        "output-directory",
        "dryrun",
        "verbose",
        "keep",
        "keep-dir",
        "save-temps",
        "help",
        "version",
        "list-gpu-code",
        "list-gpu-arch",
        "generate-dependencies",
        "generate-nonsystem-dependencies",
        "relocatable-device-code",
        "library",
        "library-path",
        "linker-options",
        "archive-options",
        "shared",
        "relocatable-link",
    ];
    if PHASES.contains(&known.long) {
        return;
    }
    request.passed_on.push(format!("--{}", known.long));
    if known.takes != super::options::Takes::Nothing {
        request.passed_on.push(value.to_string());
    }
}

/// Whether the option was one that something is done for.
fn apply(request: &mut Request, known: &Known, value: &str) -> Result<bool> {
    Ok(phase(request, known.long)
        || files(request, known.long, value)
        || lists(request, known.long, value)
        || device(request, known.long, value)?
        || host(request, known.long, value)?
        || dependencies(request, known.long, value)
        || driver(request, known.long, value))
}

fn phase(request: &mut Request, name: &str) -> bool {
    request.phase = match name {
        "cubin" => Phase::Cubin,
        "fatbin" => Phase::Fatbin,
        "ptx" => Phase::Ptx,
        "preprocess" => Phase::Preprocess,
        "compile" => Phase::Compile,
        "device-c" => {
            request.relocatable = true;
            Phase::Compile
        }
        "device-w" => {
            request.relocatable = false;
            Phase::Compile
        }
        "device-link" => Phase::DeviceLink,
        "link" => Phase::Link,
        "lib" => Phase::Library,
        "run" => {
            request.run.get_or_insert_default();
            Phase::Link
        }
        _ => return false,
    };
    true
}

fn files(request: &mut Request, name: &str, value: &str) -> bool {
    match name {
        "output-file" => request.output = Some(value.to_string()),
        "output-directory" => request.folder = Some(value.to_string()),
        "compiler-bindir" => request.host_compiler = Some(value.to_string()),
        "archiver-binary" => request.archiver = Some(value.to_string()),
        "run-args" => request
            .run
            .get_or_insert_default()
            .extend(split_list(value)),
        "keep" | "save-temps" => {
            request.keep.get_or_insert_with(|| ".".into());
        }
        "keep-dir" => request.keep = Some(value.to_string()),
        _ => return false,
    }
    true
}

fn lists(request: &mut Request, name: &str, value: &str) -> bool {
    let values = split_list(value);
    match name {
        "define-macro" => request
            .preprocessor
            .extend(values.iter().map(|v| format!("-D{v}"))),
        "undefine-macro" => request
            .preprocessor
            .extend(values.iter().map(|v| format!("-U{v}"))),
        "include-path" => request
            .preprocessor
            .extend(values.iter().map(|v| format!("-I{v}"))),
        "system-include" => pairs(&mut request.preprocessor, "-isystem", values),
        "pre-include" => pairs(&mut request.preprocessor, "-include", values),
        "library-path" => request
            .libraries
            .extend(values.iter().map(|v| format!("-L{v}"))),
        "library" => request
            .libraries
            .extend(values.iter().map(|v| format!("-l{v}"))),
        "compiler-options" => request.host.extend(values),
        "linker-options" => request.linker.extend(values),
        "archive-options" => request.archiver_words.extend(values),
        "ptxas-options" => request.ptxas.extend(values),
        "nvlink-options" => request.nvlink.extend(values),
        "Werror" => {
            let all = values.iter().any(|v| v == "all-warnings");
            let flags = values.iter().filter_map(|v| match v.as_str() {
                "reorder" | "deprecated-declarations" => Some(format!("-Werror={v}")),
                _ => None,
            });
            request.warnings.extend(flags);
            request.warnings.extend(all.then(|| "-Werror".to_string()));
        }
        _ => return false,
    }
    true
}

fn pairs(into: &mut Vec<String>, flag: &str, values: Vec<String>) {
    into.extend(values.into_iter().flat_map(|v| [flag.to_string(), v]));
}

fn device(request: &mut Request, name: &str, value: &str) -> Result<bool> {
    match name {
        "gpu-architecture" => request.asked.arch = Some(value.to_string()),
        "gpu-code" => request.asked.code.extend(split_list(value)),
        "generate-code" => request.asked.gencode.push(value.to_string()),
        "relocatable-device-code" => request.relocatable = value == "true",
        "device-debug" => request.device_debug = true,
        "generate-line-info" => request.lines = true,
        // With -G it asks for optimised code all the same, which is then not for a debugger.
        "dopt" => request.lines = true,
        "maxrregcount" => request.registers = Some(value.to_string()),
        "use_fast_math" => {
            request.fast_functions = true;
            request.ftz.get_or_insert(true);
            request.prec_div.get_or_insert(false);
            request.prec_sqrt.get_or_insert(false);
        }
        "ftz" => request.ftz = Some(value == "true"),
        "prec-div" => request.prec_div = Some(value == "true"),
        "prec-sqrt" => request.prec_sqrt = Some(value == "true"),
        "fmad" => request.fmad = Some(value == "true"),
        "default-stream" => match value {
            "per-thread" => request.per_thread = true,
            "legacy" | "null" => request.per_thread = false,
            _ => bail!("-default-stream={value}: write legacy or per-thread"),
        },
        "resource-usage" => request.ptxas.push("-v".into()),
        "expt-relaxed-constexpr" => request.macros.push("__CUDACC_RELAXED_CONSTEXPR__"),
        "extended-lambda" | "expt-extended-lambda" => {
            if !request.macros.contains(&"MESI_EXTENDED_LAMBDA") {
                request.macros.push("MESI_EXTENDED_LAMBDA");
            }
        }
        "fdevice-syntax-only" => request.syntax_only = true,
        _ => return Ok(false),
    }
    Ok(true)
}

fn host(request: &mut Request, name: &str, value: &str) -> Result<bool> {
    match name {
        "optimize" => {
            let level: u32 = value
                .parse()
                .map_err(|_| anyhow::anyhow!("-O{value}: write a number, 0 to 3"))?;
            request.level = Some(level.min(3).to_string());
        }
        "debug" => request.debug = true,
        "profile" => request.profile = true,
        "no-exceptions" => request.no_exceptions = true,
        "shared" => request.shared = true,
        "relocatable-link" => request.relocatable_link = true,
        "x" => match value {
            "c" | "c++" | "cu" => request.language = Some(value.to_string()),
            _ => bail!("-x {value}: write c, c++ or cu"),
        },
        "std" => match value {
            "c++03" | "c++11" | "c++14" | "c++17" | "c++20" => {
                request.standard = Some(value.to_string())
            }
            _ => bail!("-std={value}: write c++03, c++11, c++14, c++17 or c++20"),
        },
        "machine" if value == "64" => {}
        "machine" => bail!("-m{value}: there is 64 only"),
        "cudart" => match value {
            "none" | "static" | "shared" => request.cudart = Some(value.to_string()),
            _ => bail!("-cudart={value}: write none, static or shared"),
        },
        "cudadevrt" => match value {
            "none" | "static" => request.no_devrt = value == "none",
            _ => bail!("-cudadevrt={value}: write none or static"),
        },
        "no-device-link" => request.no_device_link = true,
        "disable-warnings" => request.quiet = true,
        "Wreorder" | "Wno-deprecated-declarations" => request.warnings.push(format!("-{name}")),
        "ftemplate-backtrace-limit" | "ftemplate-depth" => {
            request.front.push(format!("-{name}={value}"))
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn dependencies(request: &mut Request, name: &str, value: &str) -> bool {
    match name {
        "generate-dependencies" => {
            request.phase = Phase::Dependencies;
            request.rules.flag = Some("-M");
        }
        "generate-nonsystem-dependencies" => {
            request.phase = Phase::Dependencies;
            request.rules.flag = Some("-MM");
        }
        "generate-dependencies-with-compile" => request.rules.flag = Some("-MD"),
        "generate-nonsystem-dependencies-with-compile" => request.rules.flag = Some("-MMD"),
        "dependency-output" => request.rules.file = Some(value.to_string()),
        "dependency-target-name" => request.rules.target = Some(value.to_string()),
        "generate-dependency-targets" => request.rules.phony = true,
        _ => return false,
    }
    true
}

fn driver(request: &mut Request, name: &str, _: &str) -> bool {
    match name {
        "dryrun" => request.dry = true,
        "verbose" => request.verbose = true,
        "help" => request.tell.push("help"),
        "version" => request.tell.push("version"),
        "list-gpu-code" => request.tell.push("list-gpu-code"),
        "list-gpu-arch" => request.tell.push("list-gpu-arch"),
        // Looked at before all others.
        "forward-unknown-to-host-compiler"
        | "forward-unknown-to-host-linker"
        | "forward-unknown-opts" => {}
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvcc::options::{KNOWN, Takes};
    use crate::nvcc::words::{read, split_line};

    fn request(line: &str) -> Result<Request> {
        build(&read(&split_line(line), None, None)?)
    }

    #[test]
    fn every_honoured_option_does_something() {
        let values = [
            "", "true", "1", "c", "c++11", "64", "none", "legacy", "sm_80",
        ];
        for known in KNOWN
            .iter()
            .filter(|k| k.duty == Duty::Honoured && k.long != "options-file")
        {
            let done = values
                .iter()
                .any(|v| apply(&mut Request::default(), known, v).is_ok_and(|b| b));
            assert!(done, "{} is honoured in name only", known.long);
        }
        let lists = KNOWN.iter().filter(|k| k.takes == Takes::List).count();
        assert!(lists > 10);
    }

    #[test]
    fn an_unknown_word_is_refused_unless_it_is_forwarded() {
        let line = format!("{:#}", request("-Wall a.cu").unwrap_err());
        assert!(
            line.contains("-Wall") && line.contains("-Xcompiler"),
            "{line}"
        );
        let forwarded = request("-forward-unknown-to-host-compiler -Wall a.cu").unwrap();
        assert_eq!(forwarded.host, ["-Wall"]);
        let linker = request("-Wl,-s -forward-unknown-to-host-linker a.cu").unwrap();
        assert_eq!((linker.host.len(), linker.link_only.len()), (0, 1));
    }

    #[test]
    fn fast_mathematics_gives_way_to_its_parts() {
        let r = request("-ftz=false -use_fast_math -prec-div=true a.cu").unwrap();
        assert_eq!(
            (r.ftz, r.prec_div, r.prec_sqrt, r.fmad),
            (Some(false), Some(true), Some(false), None)
        );
    }

    #[test]
    fn our_own_words() {
        assert_eq!(
            request("--mesi-fallback=off a.cu").unwrap().fallback,
            Fallback::Off
        );
        assert!(request("--mesi-off a.cu").unwrap().without_plugin);
        assert!(format!("{:#}", request("--mesi-foo").unwrap_err()).contains("--mesi-fallback"));
    }

    #[test]
    fn nvcc_gets_what_it_needs_to_compile_a_file() {
        let r = request("-O2 -dc -odir x -o y a.cu -I/z -lm -arch=sm_80").unwrap();
        assert_eq!(
            r.passed_on,
            [
                "--optimize",
                "2",
                "--include-path",
                "/z",
                "--gpu-architecture",
                "sm_80"
            ]
        );
    }
}
