//! `cargo xtask site`: the documentation as a book, its links checked.
//!
//! ```text
//! README.md  docs/  src/ARCHITECTURE.md  CHANGELOG.md ──┐
//! mesi explain --pages: a page a reason and option ─────┤
//! cargo xtask tune: every fitted number ────────────────┴► target/site/source ─► mdbook ─► target/site/html
//! ```
//! The source keeps the checkout's folders, so a link means the same on both sides. Chapters stand in
//! `docs/site/SUMMARY.md`. Nothing is looked up in the network: links to other sites are not checked.

mod links;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{building, project, setup, tune};

/// The mdBook whose output was looked at.
const MDBOOK: &str = "0.5.4";

/// Chapters that `mesi explain` writes; each has a folder of pages below it.
const GENERATED: [&str; 2] = ["docs/reasons", "docs/options"];

/// The chapter that [`tune::page`] writes.
const TUNING: &str = "docs/tuning.md";

/// Builds `mesi` and the book.
pub fn site() -> Result<()> {
    let tools = setup::setup()?;
    let mut build = building::cargo("build --quiet --package mesi-cli --profile");
    project::run(building::with(&tools, build.arg(building::PROFILE)))?;
    build_book(building::PROFILE)
}

/// Finds mdBook, or builds it.
pub fn prepare() -> Result<()> {
    mdbook(&project::target_dir()?).map(|_| ())
}

/// The book, from what `cargo build` left in a profile's folder.
pub fn build_book(profile: &str) -> Result<()> {
    let target = project::target_dir()?;
    let folder = target.join("site");
    let source = folder.join("source");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .with_context(|| format!("{} cannot be removed", folder.display()))?;
    }
    let mut explain = Command::new(target.join(profile).join("mesi"));
    explain.args(["explain", "--pages"]);
    project::run(explain.arg(source.join("docs")))?;
    let root = project::root();
    write(&source.join(TUNING), &tune::page(&root)?)?;
    let summary = read(&root.join("docs/site/SUMMARY.md"))?;
    let chapters = chapters(&summary);
    complete(&root, &chapters)?;
    for chapter in chapters.iter().filter(|c| !is_generated(c)) {
        let text = read(&root.join(chapter))?;
        write(&source.join(in_book(chapter)), &with_links_in_book(&text))?;
        for linked in links::files(&root.join(chapter), &text) {
            copy_linked(&root, &linked, &source)?;
        }
    }
    let summary = with_pages(&with_links_in_book(&summary), &source)?;
    write(&source.join("SUMMARY.md"), &summary)?;
    let settings = read(&root.join("docs/site/book.toml"))?;
    write(&folder.join("book.toml"), &settings)?;
    let pages = links::check_markdown(&source)?;
    let mut mdbook = Command::new(mdbook(&target)?);
    project::capture(mdbook.arg("build").arg(&folder))?;
    let links = links::check_html(&folder.join("html"))?;
    println!(
        "{}: {pages} pages, {links} links",
        folder.join("html/index.html").display()
    );
    Ok(())
}

/// The files that a summary names.
fn chapters(summary: &str) -> Vec<String> {
    let targets = links::targets(summary).into_iter();
    targets.map(|t| t.text).collect()
}

fn is_generated(chapter: &str) -> bool {
    chapter == TUNING || GENERATED.iter().any(|g| *chapter == format!("{g}.md"))
}

/// A folder's own page is `index` in a book: mdBook would rename README, but not the links to it.
fn in_book(chapter: &str) -> String {
    let folder = chapter.strip_suffix("README.md");
    folder.map_or_else(|| chapter.to_string(), |f| format!("{f}index.md"))
}

/// A text with its links to README as they are in the book.
fn with_links_in_book(text: &str) -> String {
    text.replace("README.md)", "index.md)")
        .replace("README.md#", "index.md#")
}

/// Every page of `docs` is a chapter.
fn complete(root: &Path, chapters: &[String]) -> Result<()> {
    let known: BTreeSet<&str> = chapters.iter().map(String::as_str).collect();
    for page in links::pages(&root.join("docs"))? {
        let page = page.strip_prefix(root).unwrap_or(&page).to_string_lossy();
        if page != "docs/site/SUMMARY.md" && !known.contains(&*page) {
            bail!("{page} is no chapter: name it in docs/site/SUMMARY.md");
        }
    }
    Ok(())
}

/// A picture or a source file that a chapter links to; chapters themselves come anyway.
fn copy_linked(root: &Path, linked: &Path, source: &Path) -> Result<()> {
    let inside = linked.strip_prefix(root);
    let (Ok(inside), true) = (inside, linked.is_file()) else {
        return Ok(());
    };
    let to = source.join(inside);
    if to.extension().is_some_and(|e| e == "md") {
        return Ok(());
    }
    std::fs::create_dir_all(to.parent().context("a file lies in a folder")?)
        .with_context(|| format!("{} cannot be made", to.display()))?;
    std::fs::copy(linked, &to).with_context(|| format!("{} cannot be copied", linked.display()))?;
    Ok(())
}

/// The summary with a line for each generated page, below the page that lists them.
fn with_pages(summary: &str, source: &Path) -> Result<String> {
    let mut all = String::new();
    for line in summary.lines() {
        all += &format!("{line}\n");
        let Some(of) = GENERATED
            .iter()
            .find(|g| line.contains(&format!("({g}.md)")))
        else {
            continue;
        };
        for page in links::pages(&source.join(of))? {
            let name = page.file_stem().unwrap_or_default().to_string_lossy();
            all += &format!("  - [{name}]({of}/{name}.md)\n");
        }
    }
    Ok(all)
}

/// The system's mdBook of this series, or one that cargo builds into `target` once.
fn mdbook(target: &Path) -> Result<PathBuf> {
    let series = MDBOOK.rsplit_once('.').map_or(MDBOOK, |(s, _)| s);
    let own = target.join("mdbook/bin/mdbook");
    for program in [Path::new("mdbook"), &own] {
        let said = project::capture(Command::new(program).arg("--version"));
        if said.is_ok_and(|v| v.trim_start_matches("mdbook v").starts_with(series)) {
            return Ok(program.to_path_buf());
        }
    }
    eprintln!("site: building mdBook {MDBOOK} (a minute or two, once)");
    let mut install = project::cargo();
    install.args([
        "install",
        "--quiet",
        "--locked",
        "--debug",
        "--no-default-features",
    ]);
    install.args(["--version", MDBOOK, "mdbook", "--root"]);
    // In a folder of its own, which goes afterwards: it takes half a gigabyte.
    let build = target.join("mdbook/build");
    install.arg(target.join("mdbook"));
    install.env("CARGO_TARGET_DIR", &build);
    // Nobody looks into it with a debugger.
    project::run(install.env("CARGO_PROFILE_DEV_DEBUG", "0")).with_context(|| {
        format!(
            "no mdBook {series}: run cargo install mdbook@{MDBOOK}, or let cargo reach its registry"
        )
    })?;
    let _ = std::fs::remove_dir_all(build);
    Ok(own)
}

fn read(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))
}

fn write(file: &Path, text: &str) -> Result<()> {
    std::fs::create_dir_all(file.parent().context("a file lies in a folder")?)
        .with_context(|| format!("{} cannot be made", file.display()))?;
    std::fs::write(file, text).with_context(|| format!("{} cannot be written", file.display()))
}
