//! Every option of nvcc 13.0, and what becomes of it here: one row each.
//!
//! The table is data. What an honoured option does is in `request`; a test there goes over the
//! rows, so that none is honoured in name only.

/// What follows an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// One value.
    Value,
    /// Values between commas.
    List,
    /// `true` or `false`.
    Switch,
}

/// What becomes of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// It does here what it does there.
    Honoured,
    /// It is accepted and changes nothing; the text says why that is right.
    Without(&'static str),
    /// It is refused; the text ends the message.
    Refused(&'static str),
}

/// One option.
#[derive(Debug)]
pub struct Known {
    /// With two hyphens; empty where there is none.
    pub long: &'static str,
    /// With one hyphen, less the hyphen.
    pub short: &'static str,
    /// What follows it.
    pub takes: Takes,
    /// What becomes of it.
    pub duty: Duty,
}

const fn row(long: &'static str, short: &'static str, takes: Takes, duty: Duty) -> Known {
    Known {
        long,
        short,
        takes,
        duty,
    }
}

use Duty::{Honoured, Refused, Without};
use Takes::{List, Nothing, Switch, Value};

const CLANG_FRONT: Duty = Without("it numbers or words messages of nvcc's own front end");
const WINDOWS: Duty = Without("it is for Windows");
const LTO: &str = "the plug-in does not take part in link-time optimisation of device code";

/// The options, in the order of nvcc's own groups.
pub const KNOWN: &[Known] = &[
    row(
        "cuda",
        "cuda",
        Nothing,
        Refused("clang makes no .cu.cpp.ii file"),
    ),
    row("cubin", "cubin", Nothing, Honoured),
    row("fatbin", "fatbin", Nothing, Honoured),
    row("ptx", "ptx", Nothing, Honoured),
    row(
        "optix-ir",
        "optix-ir",
        Nothing,
        Refused("clang makes no OptiX IR"),
    ),
    row("ltoir", "ltoir", Nothing, Refused(LTO)),
    row("preprocess", "E", Nothing, Honoured),
    row("generate-dependencies", "M", Nothing, Honoured),
    row("generate-nonsystem-dependencies", "MM", Nothing, Honoured),
    row(
        "generate-dependencies-with-compile",
        "MD",
        Nothing,
        Honoured,
    ),
    row(
        "generate-nonsystem-dependencies-with-compile",
        "MMD",
        Nothing,
        Honoured,
    ),
    row("dependency-output", "MF", Value, Honoured),
    row("generate-dependency-targets", "MP", Nothing, Honoured),
    row("dependency-target-name", "MT", Value, Honoured),
    row("compile", "c", Nothing, Honoured),
    row("device-c", "dc", Nothing, Honoured),
    row("device-w", "dw", Nothing, Honoured),
    row("device-link", "dlink", Nothing, Honoured),
    row("link", "link", Nothing, Honoured),
    row("lib", "lib", Nothing, Honoured),
    row("run", "run", Nothing, Honoured),
    row("run-args", "run-args", List, Honoured),
    row("output-file", "o", Value, Honoured),
    row("pre-include", "include", List, Honoured),
    row(
        "objdir-as-tempdir",
        "objtemp",
        Nothing,
        Without("clang puts no intermediate files beside the object"),
    ),
    row("library", "l", List, Honoured),
    row("define-macro", "D", List, Honoured),
    row("undefine-macro", "U", List, Honoured),
    row("include-path", "I", List, Honoured),
    row("system-include", "isystem", List, Honoured),
    row("library-path", "L", List, Honoured),
    row("output-directory", "odir", Value, Honoured),
    row("compiler-bindir", "ccbin", Value, Honoured),
    row(
        "allow-unsupported-compiler",
        "allow-unsupported-compiler",
        Nothing,
        Without("clang is the host compiler"),
    ),
    row("archiver-binary", "arbin", Value, Honoured),
    row("cudart", "cudart", Value, Honoured),
    row("cudadevrt", "cudadevrt", Value, Honoured),
    row(
        "libdevice-directory",
        "ldir",
        Value,
        Without("clang takes the toolkit's own"),
    ),
    row(
        "target-directory",
        "target-dir",
        Value,
        Without("the toolkit's folders are found by themselves"),
    ),
    row("use-local-env", "use-local-env", Nothing, WINDOWS),
    row("force-cl-env-setup", "force-cl-env-setup", Nothing, WINDOWS),
    row("input-drive-prefix", "idp", Value, WINDOWS),
    row("dependency-drive-prefix", "ddp", Value, WINDOWS),
    row("drive-prefix", "dp", Value, WINDOWS),
    row("profile", "pg", Nothing, Honoured),
    row("debug", "g", Nothing, Honoured),
    row("device-debug", "G", Nothing, Honoured),
    row("generate-line-info", "lineinfo", Nothing, Honoured),
    row(
        "optimization-info",
        "opt-info",
        List,
        Without("-Xcompiler -Rpass=... asks clang for the same"),
    ),
    row("optimize", "O", Value, Honoured),
    row(
        "Ofast-compile",
        "Ofc",
        Value,
        Without("device code is compiled at -O3"),
    ),
    row("dopt", "dopt", Value, Honoured),
    row("dlink-time-opt", "dlto", Nothing, Refused(LTO)),
    row("lto", "lto", Nothing, Refused(LTO)),
    row("gen-opt-lto", "gen-opt-lto", Nothing, Refused(LTO)),
    row(
        "ftemplate-backtrace-limit",
        "ftemplate-backtrace-limit",
        Value,
        Honoured,
    ),
    row("ftemplate-depth", "ftemplate-depth", Value, Honoured),
    row("no-exceptions", "noeh", Nothing, Honoured),
    row("shared", "shared", Nothing, Honoured),
    row("x", "x", Value, Honoured),
    row("std", "std", Value, Honoured),
    row(
        "no-host-device-initializer-list",
        "nohdinitlist",
        Nothing,
        Without("clang lets device code call constexpr functions of the host anyway"),
    ),
    row(
        "no-host-device-move-forward",
        "nohdmoveforward",
        Nothing,
        Without("clang lets device code call constexpr functions of the host anyway"),
    ),
    row(
        "expt-relaxed-constexpr",
        "expt-relaxed-constexpr",
        Nothing,
        Honoured,
    ),
    row("extended-lambda", "extended-lambda", Nothing, Honoured),
    row(
        "expt-extended-lambda",
        "expt-extended-lambda",
        Nothing,
        Honoured,
    ),
    row("machine", "m", Value, Honoured),
    row("m64", "m64", Nothing, Without("it is the only one")),
    row("compiler-options", "Xcompiler", List, Honoured),
    row("linker-options", "Xlinker", List, Honoured),
    row("archive-options", "Xarchive", List, Honoured),
    row("ptxas-options", "Xptxas", List, Honoured),
    row("nvlink-options", "Xnvlink", List, Honoured),
    row(
        "static-global-template-stub",
        "static-global-template-stub",
        Switch,
        Without("each object of clang has its own stubs"),
    ),
    row(
        "device-entity-has-hidden-visibility",
        "device-entity-has-hidden-visibility",
        Switch,
        Without("stubs keep clang's visibility"),
    ),
    row(
        "forward-unknown-to-host-compiler",
        "forward-unknown-to-host-compiler",
        Nothing,
        Honoured,
    ),
    row(
        "forward-unknown-to-host-linker",
        "forward-unknown-to-host-linker",
        Nothing,
        Honoured,
    ),
    row(
        "forward-unknown-opts",
        "forward-unknown-opts",
        Nothing,
        Honoured,
    ),
    row(
        "dont-use-profile",
        "noprof",
        Nothing,
        Without("nvcc.profile is not read"),
    ),
    row("dryrun", "dryrun", Nothing, Honoured),
    row("verbose", "v", Nothing, Honoured),
    row(
        "threads",
        "t",
        Value,
        Without("clang compiles for one architecture after the other"),
    ),
    row(
        "split-compile",
        "split-compile",
        Value,
        Without("the code is the same"),
    ),
    row(
        "split-compile-extended",
        "split-compile-extended",
        Value,
        Without("it is for link-time optimisation"),
    ),
    row(
        "fdevice-syntax-only",
        "fdevice-syntax-only",
        Nothing,
        Honoured,
    ),
    row(
        "fdevice-time-trace",
        "fdevice-time-trace",
        Value,
        Without("-Xcompiler -ftime-trace asks clang for the same"),
    ),
    row("keep", "keep", Nothing, Honoured),
    row("keep-dir", "keep-dir", Value, Honoured),
    row("save-temps", "save-temps", Nothing, Honoured),
    row(
        "clean-targets",
        "clean",
        Nothing,
        Refused("delete the outputs by hand"),
    ),
    row(
        "time",
        "time",
        Value,
        Without("-Xcompiler -ftime-trace asks clang for the same"),
    ),
    row(
        "no-align-double",
        "no-align-double",
        Nothing,
        Without("it is for 32-bit platforms"),
    ),
    row("no-device-link", "nodlink", Nothing, Honoured),
    row("gpu-architecture", "arch", Value, Honoured),
    row("gpu-code", "code", List, Honoured),
    row("generate-code", "gencode", Value, Honoured),
    row("relocatable-device-code", "rdc", Switch, Honoured),
    row("entries", "e", List, Without("all kernels are compiled")),
    row("maxrregcount", "maxrregcount", Value, Honoured),
    row("use_fast_math", "use_fast_math", Nothing, Honoured),
    row("ftz", "ftz", Switch, Honoured),
    row("prec-div", "prec-div", Switch, Honoured),
    row("prec-sqrt", "prec-sqrt", Switch, Honoured),
    row("fmad", "fmad", Switch, Honoured),
    row(
        "extra-device-vectorization",
        "extra-device-vectorization",
        Nothing,
        Without("LLVM vectorises loads and stores anyway"),
    ),
    row("default-stream", "default-stream", Value, Honoured),
    row("disable-warnings", "w", Nothing, Honoured),
    row(
        "keep-device-functions",
        "keep-device-functions",
        Nothing,
        Without("clang keeps them"),
    ),
    row(
        "source-in-ptx",
        "src-in-ptx",
        Nothing,
        Without("clang's PTX has line numbers"),
    ),
    row(
        "restrict",
        "restrict",
        Nothing,
        Without("the plug-in tests at a launch whether arrays overlap"),
    ),
    row("Wreorder", "Wreorder", Nothing, Honoured),
    row(
        "Wdefault-stream-launch",
        "Wdefault-stream-launch",
        Nothing,
        Without("clang has no such warning"),
    ),
    row(
        "Wmissing-launch-bounds",
        "Wmissing-launch-bounds",
        Nothing,
        Without("clang has no such warning"),
    ),
    row(
        "Wext-lambda-captures-this",
        "Wext-lambda-captures-this",
        Nothing,
        Without("clang has no such warning"),
    ),
    row(
        "Wno-deprecated-declarations",
        "Wno-deprecated-declarations",
        Nothing,
        Honoured,
    ),
    row(
        "Wno-deprecated-gpu-targets",
        "Wno-deprecated-gpu-targets",
        Nothing,
        Without("clang has no such warning"),
    ),
    row("Werror", "Werror", List, Honoured),
    row("resource-usage", "res-usage", Nothing, Honoured),
    row(
        "extensible-whole-program",
        "ewp",
        Nothing,
        Refused("clang compiles whole programs or -rdc=true"),
    ),
    row(
        "no-compress",
        "no-compress",
        Nothing,
        Without("clang lets fatbinary decide"),
    ),
    row(
        "compress-mode",
        "compress-mode",
        Value,
        Without("clang lets fatbinary decide"),
    ),
    row(
        "qpp-config",
        "qpp-config",
        Value,
        Refused("q++ is no host compiler here"),
    ),
    row(
        "compile-as-tools-patch",
        "astoolspatch",
        Nothing,
        Refused("clang makes no patches for tools"),
    ),
    row("list-gpu-code", "code-ls", Nothing, Honoured),
    row("list-gpu-arch", "arch-ls", Nothing, Honoured),
    row("display-error-number", "err-no", Nothing, CLANG_FRONT),
    row("no-display-error-number", "no-err-no", Nothing, CLANG_FRONT),
    row("diag-error", "diag-error", List, CLANG_FRONT),
    row("diag-suppress", "diag-suppress", List, CLANG_FRONT),
    row("diag-warn", "diag-warn", List, CLANG_FRONT),
    row("brief-diagnostics", "brief-diag", Switch, CLANG_FRONT),
    row(
        "host-linker-script",
        "hls",
        Value,
        Refused("give the host linker a script by -Xlinker"),
    ),
    row(
        "augment-host-linker-script",
        "aug-hls",
        Nothing,
        Refused("give the host linker a script by -Xlinker"),
    ),
    row("relocatable-link", "r", Nothing, Honoured),
    row("jump-table-density", "jtd", Value, Without("LLVM decides")),
    row(
        "relocatable-ptx",
        "reloc-ptx",
        Nothing,
        Without("objects of clang have machine code for each -code"),
    ),
    row(
        "device-stack-protector",
        "device-stack-protector",
        Switch,
        Without("device code is as without, which is nvcc's default"),
    ),
    row(
        "frandom-seed",
        "frandom-seed",
        Value,
        Without("clang's names do not depend on chance"),
    ),
    row(
        "sanitize",
        "sanitize",
        Value,
        Refused(
            "clang's device code cannot be instrumented so; use compute-sanitizer on the program",
        ),
    ),
    row(
        "jobserver",
        "jobserver",
        Nothing,
        Without("one command is one job"),
    ),
    row("help", "h", Nothing, Honoured),
    row("version", "V", Nothing, Honoured),
    row("options-file", "optf", List, Honoured),
];

/// A word split into its option and what is attached to it: `-O3`, `-arch=sm_90`, `--std`.
pub fn find(word: &str) -> Option<(&'static Known, Option<&str>)> {
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word, None),
    };
    if let Some(known) = by_name(name) {
        return Some((known, value));
    }
    // Single letters take their value without a space, as -I and -O do.
    let letter = word.get(..2)?;
    let attached = ["-I", "-D", "-U", "-L", "-l", "-O", "-t"].contains(&letter);
    let known = attached.then(|| by_name(letter)).flatten()?;
    Some((known, Some(word.get(2..)?)))
}

fn by_name(name: &str) -> Option<&'static Known> {
    // As nvcc: the long names with two hyphens only, the short ones with one only.
    if let Some(long) = name.strip_prefix("--") {
        return KNOWN.iter().find(|k| k.long == long);
    }
    let short = name.strip_prefix('-')?;
    KNOWN.iter().find(|k| k.short == short)
}
