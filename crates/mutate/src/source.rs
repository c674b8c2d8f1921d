//! Device IR of the corpus where the plug-in sees it, made by clang; and the toolkit for that.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use mesi_headers::precompiled;
use mesi_launch::Corpus;

/// The chip that kernels are usually compiled for.
pub const SM: u32 = 80;

/// The repository's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate lies in the repository")
}

/// The CUDA toolkit: `CUDA_PATH`, what `cargo xtask setup` unpacked, or the system's.
///
/// `None` is an error where `MESI_REQUIRE_CUDA` is set, as in CI.
pub fn cuda() -> Result<Option<PathBuf>> {
    let given = std::env::var_os("CUDA_PATH").map(PathBuf::from);
    let places = given.into_iter().chain([
        root().join("target/cuda-13.0"),
        PathBuf::from("/usr/local/cuda"),
    ]);
    let usable = |p: &PathBuf| {
        p.join("bin/ptxas").exists() && p.join("nvvm/libdevice/libdevice.10.bc").exists()
    };
    let found = places.into_iter().find(usable);
    if found.is_none() && std::env::var_os("MESI_REQUIRE_CUDA").is_some() {
        bail!(
            "MESI_REQUIRE_CUDA is set but no CUDA toolkit is found: run cargo xtask setup or set CUDA_PATH"
        );
    }
    Ok(found)
}

/// Reads the header of `corpus/NAME.cu`, or of `crates/mutate/kernels/NAME.cu`: kernels that nobody would write, on which
/// some fact or guard decides.
pub fn corpus(name: &str) -> Result<Corpus> {
    let file = format!("{name}.cu");
    let own = root().join("crates/mutate/kernels").join(&file);
    let path = match own.exists() {
        true => own,
        false => root().join("corpus").join(&file),
    };
    Ok(Corpus::read(path)?)
}

/// The names of all corpus kernels, sorted.
pub fn corpus_names() -> Result<Vec<String>> {
    let folder = root().join("corpus");
    let entries = std::fs::read_dir(&folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "cu"))
        .filter_map(|p| Some(p.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// What `make` makes of each named corpus kernel and its IR for sm_90, where the plug-in sees it; none without CUDA. A
/// kernel that nothing can be made of is a panic that names it.
pub fn subjects<T>(names: &[&str], make: impl Fn(&str, Corpus, &str) -> Result<T>) -> Vec<T> {
    let Some(cuda) = cuda().unwrap_or_else(|e| panic!("{e}")) else {
        eprintln!("skipped: no CUDA toolkit is found");
        return Vec::new();
    };
    let subject = |name: &&str| {
        let corpus = corpus(name)?;
        let ir = compile_for(&corpus, &cuda, 90)?;
        make(name, corpus, &ir)
    };
    let made = names.iter().map(|n| (n, subject(n)));
    made.map(|(n, s)| s.unwrap_or_else(|e| panic!("{n}: {e:#}")))
        .collect()
}

/// Does `work` for every corpus kernel, two at a time.
pub fn for_all_kernels(work: impl Fn(&str) + Sync) -> Result<()> {
    let names = corpus_names()?;
    let queue = std::sync::Mutex::new(names.iter());
    let next = || queue.lock().expect("no panic").next();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(name) = next() {
                    work(name);
                }
            });
        }
    });
    Ok(())
}

/// [`compile_for`] the usual chip.
pub fn compile(corpus: &Corpus, cuda: &Path) -> Result<String> {
    compile_for(corpus, cuda, SM)
}

/// Compiles one kernel to the IR that LLVM's pipeline holds where the plug-in runs.
///
/// Not by a pass of ours but by the dump in front of the pipeline's next pass, so that what is
/// staged here is what clang would hand over. Several test programs want the same kernels: what one has compiled the
/// others read.
pub fn compile_for(corpus: &Corpus, cuda: &Path, sm: u32) -> Result<String> {
    let prefix = std::env::var("LLVM_SYS_221_PREFIX").unwrap_or("/usr/lib/llvm-22".into());
    let clang = Path::new(&prefix).join("bin/clang++");
    let mut options = ["-w", "-O3", "--cuda-device-only"]
        .map(String::from)
        .to_vec();
    options.push(format!("--cuda-gpu-arch=sm_{sm}"));
    options.push(format!("--cuda-path={}", cuda.display()));
    let kept = kept(&clang, &options, corpus, cuda)?;
    if let Ok(text) = std::fs::read_to_string(&kept) {
        return Ok(text);
    }
    let output = Command::new(&clang)
        .args(&options)
        .args(precompiled(
            &clang,
            &options,
            &root().join("target/headers"),
        ))
        .args(["-S", "-emit-llvm", "-o", "/dev/null"])
        .args(["-fno-discard-value-names", "-mllvm", "-print-module-scope"])
        .args(["-mllvm", "-print-before=float2int"])
        .arg(&corpus.path)
        .output()
        .with_context(|| format!("{prefix}/bin/clang++ cannot be run: set LLVM_SYS_221_PREFIX"))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut dumps = text.split("; *** IR Dump Before").skip(1);
    match dumps.next().and_then(|d| d.split_once('\n')) {
        Some((_, module)) if output.status.success() => {
            // Others may read the file of this name: it is never half there.
            let thread = std::thread::current().id();
            let own = kept.with_extension(format!("{}.{thread:?}", std::process::id()));
            std::fs::write(&own, module).and_then(|()| std::fs::rename(&own, &kept))?;
            Ok(module.to_string())
        }
        _ => bail!("{} does not compile: {text}", corpus.path.display()),
    }
}

/// Where a kernel's IR is kept, as long as its text, the options, clang and the toolkit are the same.
fn kept(clang: &Path, options: &[String], corpus: &Corpus, cuda: &Path) -> Result<PathBuf> {
    let mut hash = DefaultHasher::new();
    for program in [clang, &cuda.join("include/cuda.h")] {
        let found = program.metadata();
        let found = found.with_context(|| format!("{} is not there", program.display()))?;
        (program, found.len(), found.modified()?).hash(&mut hash);
    }
    let text = std::fs::read(&corpus.path)
        .with_context(|| format!("{} cannot be read", corpus.path.display()))?;
    (options, &corpus.path, text).hash(&mut hash);
    let folder = root().join("target/headers");
    std::fs::create_dir_all(&folder)?;
    Ok(folder.join(format!("{}-{:016x}.ll", corpus.kernel, hash.finish())))
}
