//! The repository's Rust files, parsed, and which of them a crate begins with.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use syn::{Attribute, Item};

use crate::project;

/// One Rust file.
pub struct Source {
    /// What it holds, as written.
    pub text: String,
    /// The same, parsed.
    pub syntax: syn::File,
}

/// Rust files by their paths from the root, with `/`.
pub struct Sources(BTreeMap<String, Source>);

impl Sources {
    /// All below a folder, but for `target` and hidden folders.
    pub fn below(root: &Path) -> Result<Self> {
        let mut texts = Vec::new();
        collect(root, "", &mut texts)?;
        Self::parse(texts)
    }

    /// Of paths and texts.
    pub fn parse(texts: impl IntoIterator<Item = (String, String)>) -> Result<Self> {
        let parsed = texts.into_iter().map(|(path, text)| {
            let syntax = syn::parse_file(&text).with_context(|| format!("{path} is not Rust"))?;
            Ok((path, Source { text, syntax }))
        });
        Ok(Self(parsed.collect::<Result<_>>()?))
    }

    /// The file at a path.
    pub fn get(&self, path: &str) -> Option<&Source> {
        self.0.get(path)
    }

    /// All files whose paths begin so.
    pub fn under<'s>(&'s self, start: &'s str) -> impl Iterator<Item = (&'s str, &'s Source)> {
        let all = self.0.iter().map(|(path, source)| (path.as_str(), source));
        all.filter(move |(path, _)| path.starts_with(start))
    }
}

fn collect(folder: &Path, name: &str, texts: &mut Vec<(String, String)>) -> Result<()> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let file = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{name}{file}");
        let kind = entry.file_type()?;
        if kind.is_dir() && file != "target" && !file.starts_with('.') {
            collect(&entry.path(), &format!("{path}/"), texts)?;
        } else if kind.is_file() && file.ends_with(".rs") {
            let text = std::fs::read_to_string(entry.path())
                .with_context(|| format!("{path} cannot be read"))?;
            texts.push((path, text));
        }
    }
    Ok(())
}

/// The file that each crate of the workspace begins with: libraries, programs, tests, build scripts.
pub fn crate_roots() -> Result<Vec<String>> {
    let mut metadata = project::cargo();
    metadata.args([
        "metadata",
        "--no-deps",
        "--offline",
        "--format-version",
        "1",
    ]);
    let json: serde_json::Value = serde_json::from_str(&project::capture(&mut metadata)?)
        .context("cargo metadata printed no JSON")?;
    let root = project::root();
    let packages = json["packages"].as_array().into_iter().flatten();
    let targets = packages.flat_map(|p| p["targets"].as_array().into_iter().flatten());
    let files = targets.filter_map(|t| t["src_path"].as_str());
    let within = files.filter_map(|f| Path::new(f).strip_prefix(&root).ok());
    Ok(within
        .map(|f| f.to_string_lossy().replace('\\', "/"))
        .collect())
}

/// Whether something is compiled for tests alone.
pub fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        if attribute.path().is_ident("test") {
            return true;
        }
        let syn::Meta::List(list) = &attribute.meta else {
            return false;
        };
        let condition = list.tokens.to_string();
        let mut words = condition.split(|c: char| !c.is_alphanumeric() && c != '_');
        list.path.is_ident("cfg") && words.any(|w| w == "test") && !condition.contains("not")
    })
}

/// What is written above an item.
pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(i) => &i.attrs,
        Item::Enum(i) => &i.attrs,
        Item::Fn(i) => &i.attrs,
        Item::ForeignMod(i) => &i.attrs,
        Item::Impl(i) => &i.attrs,
        Item::Macro(i) => &i.attrs,
        Item::Mod(i) => &i.attrs,
        Item::Static(i) => &i.attrs,
        Item::Struct(i) => &i.attrs,
        Item::Trait(i) => &i.attrs,
        Item::Type(i) => &i.attrs,
        Item::Union(i) => &i.attrs,
        Item::Use(i) => &i.attrs,
        _ => &[],
    }
}
