//! `cargo xtask install` and `cargo xtask package`: everything a user needs, under one prefix, and as a Debian package.
//!
//! ```text
//! bin/mesi  bin/mesi-nvcc  lib/libmesi-22.so  lib/libmesi.so  libexec/mesi/mesi-ab
//! include/mesi/nvcc.h  lib/cmake/mesi/  share/mesi/mesi.mk  share/man  share/doc/mesi  completions
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{building, demo, project, setup};

/// LLVM's major version, part of the plug-in's name.
const LLVM_MAJOR: u32 = 22;

/// What a package needs to be installed beside it; libc as old as Debian 12's.
const DEPENDS: &str =
    "clang-22 (>= 1:22.1), libllvm22 (>= 1:22.1), libc6 (>= 2.36), libgcc-s1, libstdc++6";
const RECOMMENDS: &str = "clang-tools-22, libomp-22-dev";

/// Builds and copies to `prefix`; the user's own folder needs no root.
pub fn install(prefix: &Path) -> Result<()> {
    let built = build()?;
    stage(&built, prefix)?;
    println!(
        "installed in {}: try {}/bin/mesi doctor",
        prefix.display(),
        prefix.display()
    );
    Ok(())
}

/// Builds the package and a tarball into `target/package`.
pub fn package() -> Result<()> {
    if !project::starts("dpkg-deb", "--version") {
        bail!("dpkg-deb is missing: packages are made on Debian or Ubuntu (apt-get install dpkg)");
    }
    let built = build()?;
    let folder = project::target_dir()?.join("package");
    let root = folder.join("root");
    if root.exists() {
        std::fs::remove_dir_all(&root)
            .with_context(|| format!("{} cannot be removed", root.display()))?;
    }
    stage(&built, &root.join("usr"))?;
    let size: u64 = sizes(&root)?;
    let control = format!(
        "Package: mesi\nVersion: {version}\nArchitecture: amd64\nMaintainer: the authors of mesi <mesi@localhost>\n\
         Section: devel\nPriority: optional\nInstalled-Size: {kib}\nDepends: {DEPENDS}\nRecommends: {RECOMMENDS}\n\
         Description: speeds up naive CUDA kernels\n A plug-in for clang 22 that stages arrays of CUDA kernels in shared memory,\n and a \
         stand-in for nvcc that compiles with it. The same bits, no source change.\n",
        version = env!("CARGO_PKG_VERSION"),
        kib = size.div_ceil(1024),
    );
    let debian = root.join("DEBIAN");
    write(&debian.join("control"), &control)?;
    let name = format!("mesi_{}_amd64.deb", env!("CARGO_PKG_VERSION"));
    let package = folder.join(&name);
    let mut dpkg = Command::new("dpkg-deb");
    dpkg.args(["--root-owner-group", "-Zxz", "--build"])
        .arg(&root)
        .arg(&package);
    project::run(dpkg.stdout(std::process::Stdio::null()))?;
    let tarball = folder.join(format!(
        "mesi-{}-llvm{LLVM_MAJOR}-x86_64.tar.xz",
        env!("CARGO_PKG_VERSION")
    ));
    let mut tar = Command::new("tar");
    tar.args(["--owner=0", "--group=0", "-cJf"])
        .arg(&tarball)
        .arg("-C")
        .arg(root.join("usr"))
        .arg(".");
    project::run(&mut tar)?;
    for file in [&package, &tarball] {
        let bytes = std::fs::metadata(file).map(|m| m.len()).unwrap_or(0);
        println!("{} ({:.2} MB)", file.display(), bytes as f64 / 1e6);
    }
    Ok(())
}

/// The folder of what cargo built for release.
fn build() -> Result<PathBuf> {
    let tools = setup::setup()?;
    demo::build_plugin()?;
    let mut build = building::cargo("build --quiet --release --package mesi-cli --package mesi-ab");
    project::run(building::with(&tools, &mut build))?;
    Ok(project::target_dir()?.join("release"))
}

/// Copies everything below `prefix`.
fn stage(built: &Path, prefix: &Path) -> Result<()> {
    let source = project::root();
    let plugin = format!("libmesi-{LLVM_MAJOR}.so");
    copy(&built.join("mesi"), &prefix.join("bin/mesi"))?;
    copy(&built.join("mesi-ab"), &prefix.join("libexec/mesi/mesi-ab"))?;
    copy(&built.join("libmesi.so"), &prefix.join("lib").join(&plugin))?;
    link("mesi", &prefix.join("bin/mesi-nvcc"))?;
    link(&plugin, &prefix.join("lib/libmesi.so"))?;
    for (from, to) in [
        ("packaging/include/mesi/nvcc.h", "include/mesi/nvcc.h"),
        (
            "packaging/cmake/mesi-config.cmake",
            "lib/cmake/mesi/mesi-config.cmake",
        ),
        ("packaging/make/mesi.mk", "share/mesi/mesi.mk"),
        ("xtask/cuda-13.0.txt", "share/mesi/cuda-13.0.txt"),
        ("packaging/docker/Dockerfile", "share/doc/mesi/Dockerfile"),
        ("README.md", "share/doc/mesi/README.md"),
        ("CHANGELOG.md", "share/doc/mesi/CHANGELOG.md"),
        ("LICENSE", "share/doc/mesi/copyright"),
    ] {
        copy(&source.join(from), &prefix.join(to))?;
    }
    let version = read(&source.join("packaging/cmake/mesi-config-version.cmake.in"))?;
    let version = version.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
    write(
        &prefix.join("lib/cmake/mesi/mesi-config-version.cmake"),
        &version,
    )?;
    generated(&prefix.join("bin/mesi"), prefix)
}

/// What `mesi` writes about itself.
fn generated(mesi: &Path, prefix: &Path) -> Result<()> {
    for (shell, file) in [
        ("bash", "share/bash-completion/completions/mesi"),
        ("zsh", "share/zsh/site-functions/_mesi"),
        ("fish", "share/fish/vendor_completions.d/mesi.fish"),
    ] {
        let text = project::capture(Command::new(mesi).args(["completions", shell]))?;
        write(&prefix.join(file), &text)?;
    }
    let pages = prefix.join("share/man/man1");
    make(&pages)?;
    project::run(Command::new(mesi).arg("man").arg(&pages))?;
    project::run(
        Command::new(mesi)
            .args(["explain", "--pages"])
            .arg(prefix.join("share/doc/mesi")),
    )
}

fn sizes(folder: &Path) -> Result<u64> {
    let mut all = 0;
    for entry in
        std::fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?
    {
        let entry = entry?;
        let about = entry.path().symlink_metadata()?;
        all += if about.is_dir() {
            sizes(&entry.path())?
        } else {
            about.len()
        };
    }
    Ok(all)
}

fn make(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| {
        format!(
            "{} cannot be made: give --prefix a folder of yours, or be root",
            folder.display()
        )
    })
}

/// A running program can be replaced only by a new file.
fn copy(from: &Path, to: &Path) -> Result<()> {
    make(to.parent().context("a file lies in a folder")?)?;
    let _ = std::fs::remove_file(to);
    std::fs::copy(from, to)
        .with_context(|| format!("{} cannot be copied to {}", from.display(), to.display()))?;
    Ok(())
}

fn link(to: &str, at: &Path) -> Result<()> {
    make(at.parent().context("a link lies in a folder")?)?;
    let _ = std::fs::remove_file(at);
    std::os::unix::fs::symlink(to, at).with_context(|| format!("{} cannot be made", at.display()))
}

fn read(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))
}

fn write(file: &Path, text: &str) -> Result<()> {
    make(file.parent().context("a file lies in a folder")?)?;
    std::fs::write(file, text).with_context(|| format!("{} cannot be written", file.display()))
}
