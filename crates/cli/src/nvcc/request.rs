//! What a command line asks for, with all options applied.

use super::arch;

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Phase {
    /// An executable or a shared library.
    #[default]
    Link,
    /// Objects.
    Compile,
    /// PTX.
    Ptx,
    /// Machine code for one chip.
    Cubin,
    /// Machine code and PTX in one file.
    Fatbin,
    /// Preprocessed text.
    Preprocess,
    /// A rule for make, and nothing else.
    Dependencies,
    /// An object with linked device code.
    DeviceLink,
    /// A static library.
    Library,
}

/// Dependency rules, alone or beside a compile.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// `-M`, `-MM`, `-MD` or `-MMD`.
    pub flag: Option<&'static str>,
    /// `-MF`.
    pub file: Option<String>,
    /// `-MT`.
    pub target: Option<String>,
    /// `-MP`.
    pub phony: bool,
}

/// What to do where clang cannot compile a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fallback {
    /// Let nvcc compile it, if there is one.
    #[default]
    Nvcc,
    /// Fail.
    Off,
}

/// A whole command line.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// How far to go.
    pub phase: Phase,
    /// Run the program afterwards, with these arguments.
    pub run: Option<Vec<String>>,
    /// The files, in order.
    pub files: Vec<String>,
    /// `-o`.
    pub output: Option<String>,
    /// `-odir`.
    pub folder: Option<String>,
    /// `-x`.
    pub language: Option<String>,
    /// `-arch`, `-code`, `-gencode`.
    pub asked: arch::Asked,
    /// `-rdc=true`.
    pub relocatable: bool,
    /// `-O`.
    pub level: Option<String>,
    /// `-g`.
    pub debug: bool,
    /// `-G`.
    pub device_debug: bool,
    /// `-lineinfo`.
    pub lines: bool,
    /// `-std`.
    pub standard: Option<String>,
    /// `-D`, `-U`, `-I`, `-isystem`, `-include`, in order.
    pub preprocessor: Vec<String>,
    /// `-L` and `-l`, in order.
    pub libraries: Vec<String>,
    /// For the host's compiler: `-Xcompiler`, and what is forwarded.
    pub host: Vec<String>,
    /// For the host's linker.
    pub linker: Vec<String>,
    /// Words that only the link gets, as they are.
    pub link_only: Vec<String>,
    /// For ar.
    pub archiver_words: Vec<String>,
    /// For ptxas.
    pub ptxas: Vec<String>,
    /// For nvlink.
    pub nvlink: Vec<String>,
    /// The four parts of fast mathematics; `None` is nvcc's default.
    pub ftz: Option<bool>,
    /// See `ftz`.
    pub prec_div: Option<bool>,
    /// See `ftz`.
    pub prec_sqrt: Option<bool>,
    /// See `ftz`.
    pub fmad: Option<bool>,
    /// Fast versions of the functions, besides the four parts.
    pub fast_functions: bool,
    /// `-maxrregcount`.
    pub registers: Option<String>,
    /// `-cudart`: `static`, `shared`, `none`.
    pub cudart: Option<String>,
    /// `-cudadevrt=none`.
    pub no_devrt: bool,
    /// `-default-stream=per-thread`.
    pub per_thread: bool,
    /// Dependency rules.
    pub rules: Rules,
    /// `-dryrun`.
    pub dry: bool,
    /// `-v`.
    pub verbose: bool,
    /// `-keep`, and where.
    pub keep: Option<String>,
    /// `-w`.
    pub quiet: bool,
    /// Flags about warnings, as clang writes them.
    pub warnings: Vec<String>,
    /// `-extended-lambda`, `-expt-relaxed-constexpr`: macros of the same meaning.
    pub macros: Vec<&'static str>,
    /// `-shared`.
    pub shared: bool,
    /// `-r`.
    pub relocatable_link: bool,
    /// `-pg`.
    pub profile: bool,
    /// `-noeh`.
    pub no_exceptions: bool,
    /// `-ccbin`.
    pub host_compiler: Option<String>,
    /// `-arbin`.
    pub archiver: Option<String>,
    /// `-nodlink`.
    pub no_device_link: bool,
    /// `-fdevice-syntax-only`.
    pub syntax_only: bool,
    /// `--version`, `--help`, `-code-ls`, `-arch-ls`.
    pub tell: Vec<&'static str>,
    /// Our own: what to do where clang fails.
    pub fallback: Fallback,
    /// Our own: the plug-in's file.
    pub plugin: Option<String>,
    /// Our own: do without the plug-in.
    pub without_plugin: bool,
    /// Our own: words for clang as they are.
    pub clang: Vec<String>,
    /// Every option but files, phases and outputs, for nvcc.
    pub passed_on: Vec<String>,
    /// Options that change nothing here, with the reason.
    pub ignored: Vec<String>,
    /// `-ftemplate-depth` and the like.
    pub front: Vec<String>,
    /// Whether words that nvcc does not know go to the host compiler, and to the linker.
    pub forward_compiler: bool,
    pub forward_linker: bool,
}
