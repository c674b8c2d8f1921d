//! Links of Markdown and HTML files: that the files are there, and the headings.
//!
//! Markdown is read as plain lines, as far as this project's pages go: `[text](target)` outside of code, and
//! headings with `#`. Links to other sites are not looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Where a link points, and the line it stands in.
pub struct Target {
    pub text: String,
    pub line: usize,
}

/// Markdown files below a folder, in order.
pub fn pages(folder: &Path) -> Result<Vec<PathBuf>> {
    below(folder, "md")
}

fn below(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(below(&path, extension)?);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Targets of the links of a Markdown text, in order.
pub fn targets(text: &str) -> Vec<Target> {
    let mut found = Vec::new();
    for (line, prose) in prose(text) {
        for (at, _) in prose.match_indices("](") {
            let rest = &prose[at + 2..];
            let end = rest.find([')', ' ']).unwrap_or(rest.len());
            let text = rest[..end].to_string();
            found.push(Target { text, line });
        }
    }
    found
}

/// The lines outside of fenced blocks, without code between backticks.
fn prose(text: &str) -> Vec<(usize, String)> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let outside = line.split('`').step_by(2);
            lines.push((at + 1, outside.collect::<Vec<_>>().join("``")));
        }
    }
    lines
}

/// The anchors of a Markdown text's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let Some(heading) = line.strip_prefix('#').filter(|_| !fenced) else {
            continue;
        };
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let slug: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let times = seen.entry(slug.clone()).or_default();
        anchors.insert(match *times {
            0 => slug,
            n => format!("{slug}-{n}"),
        });
        *times += 1;
    }
    anchors
}

/// Files of this machine that a page links to.
pub fn files(page: &Path, text: &str) -> Vec<PathBuf> {
    let inner = targets(text).into_iter().filter(|t| is_inner(&t.text));
    let paths = inner.filter_map(|t| {
        let file = t.text.split('#').next().filter(|f| !f.is_empty())?;
        Some(joined(page, file))
    });
    paths.collect()
}

fn is_inner(target: &str) -> bool {
    !["http:", "https:", "mailto:"]
        .iter()
        .any(|s| target.starts_with(s))
}

/// A relative path from a file, without `..` in it.
fn joined(from: &Path, relative: &str) -> PathBuf {
    let mut path = from.parent().unwrap_or(Path::new("")).to_path_buf();
    for part in relative.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path
}

/// Fails for the links of Markdown files that lead nowhere; the number of files.
pub fn check_markdown(folder: &Path) -> Result<usize> {
    let pages = pages(folder)?;
    let mut wrong = Vec::new();
    for page in &pages {
        let text = read(page)?;
        for target in targets(&text).iter().filter(|t| is_inner(&t.text)) {
            let (file, anchor) = target.text.split_once('#').unwrap_or((&target.text, ""));
            let at = if file.is_empty() {
                page.clone()
            } else {
                joined(page, file)
            };
            let shown = page.strip_prefix(folder).unwrap_or(page).display();
            let there = at.exists() && (anchor.is_empty() || anchors(&read(&at)?).contains(anchor));
            if !there {
                wrong.push(format!(
                    "{shown}:{}: {} leads nowhere",
                    target.line, target.text
                ));
            }
        }
    }
    report(&wrong)?;
    Ok(pages.len())
}

/// Fails for the links of HTML files that lead nowhere; the number of links.
pub fn check_html(folder: &Path) -> Result<usize> {
    let mut wrong = Vec::new();
    let mut links = 0;
    for page in below(folder, "html")? {
        let text = read(&page)?;
        // mdBook's own page for what is not found has absolute links.
        if page.ends_with("404.html") {
            continue;
        }
        for target in attributes(&text) {
            if !is_inner(target) || target.starts_with(['/', '$']) || target.starts_with("data:") {
                continue;
            }
            links += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let at = if file.is_empty() {
                page.clone()
            } else {
                joined(&page, file)
            };
            let there = at.exists()
                && (anchor.is_empty() || read(&at)?.contains(&format!("id=\"{anchor}\"")));
            if !there {
                let shown = page.strip_prefix(folder).unwrap_or(&page).display();
                wrong.push(format!("{shown}: {target} leads nowhere"));
            }
        }
    }
    report(&wrong)?;
    Ok(links)
}

/// Values of `href` and `src`.
fn attributes(html: &str) -> impl Iterator<Item = &str> {
    [" href=\"", " src=\""].into_iter().flat_map(|name| {
        html.match_indices(name).filter_map(|(at, name)| {
            let rest = &html[at + name.len()..];
            rest.split('"').next()
        })
    })
}

fn report(wrong: &[String]) -> Result<()> {
    for line in wrong {
        eprintln!("site: {line}");
    }
    match wrong.len() {
        0 => Ok(()),
        n => bail!("{n} links lead nowhere"),
    }
}

fn read(file: &Path) -> Result<String> {
    let bytes =
        std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_code_are_none() {
        let text = "[a](b.md) `[c](d.md)` [e](f.md#g \"h\")\n```\n[i](j.md)\n```\n";
        let found: Vec<String> = targets(text).into_iter().map(|t| t.text).collect();
        assert_eq!(found, ["b.md", "f.md#g"]);
    }

    #[test]
    fn headings_have_the_anchors_that_github_makes() {
        let found = anchors("# `mesi nvcc`: A, b\n## x_y-z\n```\n# no\n```\n## x_y-z\n");
        let want = ["mesi-nvcc-a-b", "x_y-z", "x_y-z-1"].map(String::from);
        assert_eq!(found, BTreeSet::from(want));
    }

    #[test]
    fn a_link_that_leads_nowhere_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let page = |text: &str| std::fs::write(folder.path().join("a.md"), text).unwrap();
        page("# Here\n[x](#here) [y](a.md#here) [z](https://example.org/none)\n");
        assert_eq!(check_markdown(folder.path()).unwrap(), 1);
        for text in ["[x](b.md)", "[x](#there)", "[x](a.md#there)", "[x](../c)"] {
            page(text);
            let error = check_markdown(folder.path()).unwrap_err().to_string();
            assert_eq!(error, "1 links lead nowhere", "{text}");
        }
    }

    #[test]
    fn html_is_looked_at_by_what_it_links_and_loads() {
        let folder = tempfile::tempdir().unwrap();
        let page = |text: &str| std::fs::write(folder.path().join("a.html"), text).unwrap();
        page("<p id=\"b\"><a href=\"a.html#b\"><a href=\"#b\"><img src=\"data:x\">");
        assert_eq!(check_html(folder.path()).unwrap(), 2);
        page("<script src=\"gone.js\">");
        assert!(check_html(folder.path()).is_err());
    }
}
