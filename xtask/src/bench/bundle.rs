//! Builds a bundle: runner, headers, and cubins of every kernel in every variant.
//!
//! PTX is made first and compared as text; each distinct text is assembled once, so that variants
//! of the same code share one cubin, and the bench times it once.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use mesi_bench::manifest::{self, Entry, Image, Manifest, Versions};
use mesi_launch::Corpus;

use super::{cubin, plan};
use crate::compile::{self, Variant};
use crate::setup::Toolchain;
use crate::{corpus, parallel, project};

/// What goes into a bundle.
pub struct Recipe<'a> {
    /// Compilers.
    pub tools: &'a Toolchain,
    /// Where it is written; replaced if it is a bundle already.
    pub folder: &'a Path,
    /// Architecture of the cubins.
    pub arch: &'a str,
    /// Cargo profile of the runner.
    pub profile: &'a str,
    /// Corpus kernels.
    pub kernels: &'a [Corpus],
    /// clang alone first, then the plug-in's.
    pub variants: &'a [Variant],
    /// Also nvcc and the kernels written by hand.
    pub peers: bool,
}

/// One compilation to make.
struct Job<'a> {
    kernel: &'a Corpus,
    how: How<'a>,
}

/// With what a kernel is compiled.
#[derive(Clone, Copy)]
enum How<'a> {
    Clang(&'a Variant),
    Nvcc,
    /// By clang alone, from the file of the same name in `crates/bench/hand`.
    Hand,
}

/// What a job gave: PTX text or why there is none, and the plug-in's plan.
struct Made {
    ptx: std::result::Result<String, String>,
    plan: String,
}

/// Builds the bundle.
pub fn build(recipe: &Recipe) -> Result<()> {
    clear(recipe.folder)?;
    let scratch = tempfile::tempdir().context("no temporary folder")?;
    let jobs = jobs(recipe);
    let made = parallel::map("compiling", &jobs, |job| make(recipe, job, scratch.path()))?;
    let support = project::root().join("crates/bench/kernels/support.cu");
    let support = support_ptx(recipe, &support, scratch.path())?;
    let texts = texts(&jobs, &made, &support);
    parallel::map("assembling", &texts, |(name, ptx)| {
        assemble(recipe, name, ptx)
    })?;
    let mut kernels: Vec<Entry> = Vec::new();
    for (job, made) in jobs.iter().zip(made) {
        let name = stem(job.kernel);
        if kernels.last().is_none_or(|k| k.name != name) {
            copy_header(recipe, job.kernel)?;
            kernels.push(Entry {
                name: name.clone(),
                header: format!("corpus/{name}.cu"),
                images: Vec::new(),
                variants: Vec::new(),
            });
        }
        if let Some(entry) = kernels.last_mut() {
            add(entry, job, made);
        }
    }
    complete(recipe, &mut kernels)?;
    let manifest = Manifest {
        format: manifest::FORMAT,
        arch: recipe.arch.into(),
        versions: versions(recipe.tools),
        support: image("support", &support),
        kernels,
    };
    manifest.write(recipe.folder)?;
    runner(recipe)?;
    tell(recipe, &manifest);
    Ok(())
}

/// Makes the folder empty; one that is neither empty nor a bundle is left alone.
fn clear(folder: &Path) -> Result<()> {
    let used = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if used && !folder.join(manifest::FILE).exists() {
        bail!(
            "{} is no bundle and not empty, choose another folder",
            folder.display()
        );
    }
    for part in ["corpus", "code"] {
        let _ = std::fs::remove_dir_all(folder.join(part));
        std::fs::create_dir_all(folder.join(part))
            .with_context(|| format!("{} cannot be created", folder.join(part).display()))?;
    }
    // A program of another build would be measured as this one's.
    for file in [manifest::FILE, mesi_bench::first::PROGRAM] {
        let _ = std::fs::remove_file(folder.join(file));
    }
    Ok(())
}

fn jobs<'a>(recipe: &Recipe<'a>) -> Vec<Job<'a>> {
    let mut jobs = Vec::new();
    for kernel in recipe.kernels {
        let mut add = |how| jobs.push(Job { kernel, how });
        recipe.variants.iter().for_each(|v| add(How::Clang(v)));
        if recipe.peers {
            add(How::Nvcc);
            if corpus::hand(kernel).is_some() {
                add(How::Hand);
            }
        }
    }
    jobs
}

fn stem(kernel: &Corpus) -> String {
    kernel
        .path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

impl How<'_> {
    fn name(&self) -> &str {
        match self {
            How::Clang(variant) => &variant.name,
            How::Nvcc => "nvcc",
            How::Hand => "hand",
        }
    }

    /// A name for files.
    fn file(&self) -> String {
        self.name().replace('=', "-")
    }
}

/// Compiles to PTX. Without clang's own there is nothing to compare with, so that is an error; any
/// other failure is the variant's.
fn make(recipe: &Recipe, job: &Job, scratch: &Path) -> Result<Made> {
    let file = |extension: &str| {
        scratch.join(format!(
            "{}.{}.{extension}",
            stem(job.kernel),
            job.how.file()
        ))
    };
    let (ptx, out) = (file("ptx"), file("ll"));
    let compiled = match job.how {
        How::Clang(variant) => clang(recipe, job.kernel, &job.kernel.path, variant, &ptx),
        How::Hand => {
            let plain = Variant::plain("hand");
            let source = corpus::hand(job.kernel).context("there is no version by hand")?;
            clang(recipe, job.kernel, &source, &plain, &ptx)
        }
        How::Nvcc => nvcc(recipe, job.kernel, &ptx),
    };
    let plan = match job.how {
        How::Clang(v) if !v.knobs.iter().any(|k| k.ends_with("=off")) => {
            plan::print(recipe.tools, recipe.arch, job.kernel, v, &out)?
        }
        _ => String::new(),
    };
    match compiled.and_then(|()| std::fs::read_to_string(&ptx).context("the PTX cannot be read")) {
        Ok(text) => Ok(Made {
            ptx: Ok(text),
            plan,
        }),
        Err(error) if job.how.name() == manifest::REFERENCE => Err(error),
        Err(error) => {
            // The file's place on this machine is nobody's business where the bundle runs.
            let text = format!("{error:#}");
            let before = format!(" for {}: ", recipe.arch);
            let why = text
                .split_once(&before)
                .map_or(text.as_str(), |(_, why)| why)
                .to_string();
            eprintln!(
                "bench: left out {} of {}: {why}",
                job.how.name(),
                stem(job.kernel)
            );
            Ok(Made {
                ptx: Err(why),
                plan,
            })
        }
    }
}

fn clang(
    recipe: &Recipe,
    kernel: &Corpus,
    source: &Path,
    variant: &Variant,
    ptx: &Path,
) -> Result<()> {
    let mut clang = Command::new(recipe.tools.clang());
    clang
        .args(compile::clang_arguments(recipe.tools, recipe.arch, variant))
        .arg(source)
        .arg("-o")
        .arg(ptx);
    compile::clean(&mut clang);
    compile::finish(&mut clang, kernel, recipe.arch).map(|_| ())
}

fn nvcc(recipe: &Recipe, kernel: &Corpus, ptx: &Path) -> Result<()> {
    let mut nvcc = Command::new(recipe.tools.cuda.join("bin/nvcc"));
    nvcc.args(["-O3", "-ptx", &format!("-arch={}", recipe.arch)])
        .arg(&kernel.path)
        .arg("-o")
        .arg(ptx);
    compile::finish(&mut nvcc, kernel, recipe.arch).map(|_| ())
}

/// The bench's own kernels.
fn support_ptx(recipe: &Recipe, source: &Path, scratch: &Path) -> Result<String> {
    let plain = Variant::plain("support");
    let ptx = scratch.join("support.ptx");
    let mut clang = Command::new(recipe.tools.clang());
    clang
        .args(compile::clang_arguments(recipe.tools, recipe.arch, &plain))
        .arg(source)
        .arg("-o")
        .arg(&ptx);
    project::capture(&mut clang)?;
    std::fs::read_to_string(&ptx).context("the support kernels' PTX cannot be read")
}

/// Every distinct text with the name its files get.
fn texts<'m>(jobs: &[Job], made: &'m [Made], support: &'m str) -> Vec<(String, &'m str)> {
    let mut texts = BTreeMap::from([(code_name("support", support), support)]);
    for (job, made) in jobs.iter().zip(made) {
        if let Ok(ptx) = &made.ptx {
            texts.insert(code_name(&stem(job.kernel), ptx), ptx);
        }
    }
    texts.into_iter().collect()
}

/// A kernel's name with a fingerprint of its PTX.
fn code_name(kernel: &str, ptx: &str) -> String {
    let mut hash = DefaultHasher::new();
    ptx.hash(&mut hash);
    format!("{kernel}-{:016x}", hash.finish())
}

fn image(kernel: &str, ptx: &str) -> Image {
    let name = code_name(kernel, ptx);
    Image {
        cubin: format!("code/{name}.cubin"),
        ptx: format!("code/{name}.ptx"),
        ..Image::default()
    }
}

/// Adds what only the cubins tell.
fn complete(recipe: &Recipe, kernels: &mut [Entry]) -> Result<()> {
    let images: Vec<Image> = kernels.iter().flat_map(|k| &k.images).cloned().collect();
    let clang = recipe.tools.clang();
    let read = |image: &Image| cubin::complete(recipe.folder, &clang, image);
    let complete = parallel::map("reading", &images, read)?;
    for (image, read) in kernels.iter_mut().flat_map(|k| &mut k.images).zip(complete) {
        *image = read;
    }
    Ok(())
}

fn assemble(recipe: &Recipe, name: &str, ptx: &str) -> Result<()> {
    let file = |extension: &str| {
        recipe
            .folder
            .join("code")
            .join(format!("{name}.{extension}"))
    };
    std::fs::write(file("ptx"), ptx).context("PTX cannot be written")?;
    let mut ptxas = Command::new(recipe.tools.ptxas());
    ptxas
        .arg(format!("-arch={}", recipe.arch))
        .arg("-o")
        .arg(file("cubin"))
        .arg(file("ptx"));
    project::capture(&mut ptxas).map(|_| ())
}

fn add(entry: &mut Entry, job: &Job, made: Made) {
    let (image, skipped) = match &made.ptx {
        Ok(ptx) => (Some(image(&entry.name, ptx)), None),
        Err(why) => (None, Some(why.clone())),
    };
    let variant = manifest::Variant {
        name: job.how.name().into(),
        image: None,
        skipped,
        plan: plan::short(&made.plan, job.kernel),
        predictions: plan::predictions(&made.plan, job.kernel),
        exact: !matches!(job.how, How::Nvcc),
    };
    entry.add(variant, image);
}

fn copy_header(recipe: &Recipe, kernel: &Corpus) -> Result<()> {
    let to = recipe
        .folder
        .join("corpus")
        .join(format!("{}.cu", stem(kernel)));
    std::fs::copy(&kernel.path, &to)
        .with_context(|| format!("{} cannot be written", to.display()))
        .map(|_| ())
}

fn versions(tools: &Toolchain) -> Versions {
    let said = |command: &mut Command| project::capture(command).unwrap_or_default();
    let release = |program: &Path| {
        let text = said(Command::new(program).arg("--version"));
        let version = text.lines().find_map(|l| l.split(", V").nth(1));
        version.map_or("none".into(), |v| v.trim().to_string())
    };
    let git = |arguments: &[&str]| {
        said(
            Command::new("git")
                .current_dir(project::root())
                .args(arguments),
        )
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"]);
    let changed = !git(&["status", "--porcelain"]).trim().is_empty();
    Versions {
        commit: commit.trim().to_string() + if changed { "+" } else { "" },
        clang: tools.clang_version.clone(),
        ptxas: release(&tools.ptxas()),
        nvcc: release(&tools.cuda.join("bin/nvcc")),
    }
}

/// Builds the runner and puts it into the bundle as `run`.
fn runner(recipe: &Recipe) -> Result<()> {
    eprintln!("building the runner");
    project::run(
        project::cargo()
            .args(["build", "--quiet", "--package", "mesi-bench"])
            .args(["--profile", recipe.profile]),
    )?;
    let built = project::target_dir()?
        .join(recipe.profile)
        .join("mesi-bench");
    let to = recipe.folder.join("run");
    // A new file, so that a runner in use is not written to.
    let _ = std::fs::remove_file(&to);
    std::fs::copy(&built, &to)
        .with_context(|| format!("{} cannot be copied to {}", built.display(), to.display()))
        .map(|_| ())
}

fn tell(recipe: &Recipe, manifest: &Manifest) {
    let variants: usize = manifest.kernels.iter().map(|k| k.variants.len()).sum();
    let images: usize = manifest.kernels.iter().map(|k| k.images.len()).sum();
    println!(
        "{}: {} kernels in {variants} variants, {images} distinct, for {}; run {}/run there",
        recipe.folder.display(),
        manifest.kernels.len(),
        recipe.arch,
        recipe.folder.display()
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_something_else_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("thesis.txt"), "mine").unwrap();
        let error = clear(dir.path()).unwrap_err().to_string();
        assert!(error.contains("is no bundle and not empty"), "{error}");
        assert!(dir.path().join("thesis.txt").exists());
    }

    #[test]
    fn equal_texts_have_one_name() {
        assert_eq!(code_name("mm", "a"), code_name("mm", "a"));
        assert_ne!(code_name("mm", "a"), code_name("mm", "b"));
    }
}
