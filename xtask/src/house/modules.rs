//! A crate as its tree of modules: what each defines, brings in and names.
//!
//! A `mod x;` says where a module lies and is no import. Modules of tests are left out.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit as _;
use syn::{Attribute, Item, ItemMod};

use super::paths::{Import, Paths, Written};
use super::source::{Sources, attributes, is_for_tests};

/// One module, in a file of its own or inline in another's.
#[derive(Default)]
pub struct Module {
    /// The file it stands in.
    pub file: String,
    /// The module around it; `None` for the crate's root.
    pub parent: Option<usize>,
    /// Modules in it, by name.
    pub children: BTreeMap<String, usize>,
    /// What else is defined in it.
    pub items: BTreeSet<String>,
    /// What it brings in.
    pub imports: Vec<Import>,
    /// Paths in its code.
    pub written: Vec<Written>,
}

/// A crate's modules, the root first.
pub struct Tree {
    /// All of them; modules name each other by places here.
    pub modules: Vec<Module>,
}

/// Where the files of a module's children are looked for.
struct Place<'p> {
    file: &'p str,
    /// The folder, with a `/` at its end or empty.
    folder: String,
}

/// The crate that begins with a file.
pub fn read(sources: &Sources, root: &str) -> Result<Tree> {
    let mut tree = Tree {
        modules: Vec::new(),
    };
    let place = Place {
        file: root,
        folder: folder_of(root).to_string(),
    };
    tree.add_file(sources, None, &place)?;
    Ok(tree)
}

impl Tree {
    fn add_file(
        &mut self,
        sources: &Sources,
        parent: Option<usize>,
        place: &Place,
    ) -> Result<usize> {
        let source = sources
            .get(place.file)
            .with_context(|| format!("{} is not there", place.file))?;
        self.add(sources, parent, place, &source.syntax.items)
    }

    fn add(
        &mut self,
        sources: &Sources,
        parent: Option<usize>,
        place: &Place,
        items: &[Item],
    ) -> Result<usize> {
        let this = self.modules.len();
        self.modules.push(Module::default());
        let mut module = Module {
            file: place.file.to_string(),
            parent,
            ..Module::default()
        };
        let mut paths = Paths::default();
        for item in items.iter().filter(|i| !is_for_tests(attributes(i))) {
            if let Item::Mod(inner) = item {
                let child = self.add_child(sources, this, place, inner)?;
                module.children.insert(inner.ident.to_string(), child);
                continue;
            }
            module.items.extend(names(item));
            paths.visit_item(item);
        }
        module.imports = paths.imports;
        module.written = paths.written;
        self.modules[this] = module;
        Ok(this)
    }

    fn add_child(
        &mut self,
        sources: &Sources,
        this: usize,
        place: &Place,
        inner: &ItemMod,
    ) -> Result<usize> {
        let name = inner.ident.to_string();
        let name = name.trim_start_matches("r#");
        if let Some((_, items)) = &inner.content {
            let place = Place {
                file: place.file,
                folder: format!("{}{name}/", place.folder),
            };
            return self.add(sources, Some(this), &place, items);
        }
        let folder = &place.folder;
        let named = named_path(&inner.attrs).map(|p| format!("{}{p}", folder_of(place.file)));
        let usual = [
            format!("{folder}{name}.rs"),
            format!("{folder}{name}/mod.rs"),
        ];
        let mut files = named.into_iter().chain(usual);
        let Some(file) = files.find(|f| sources.get(f).is_some()) else {
            bail!("{}: no file of `mod {name};`", place.file);
        };
        let folder = if file.ends_with("/mod.rs") {
            folder_of(&file).to_string()
        } else {
            format!("{}/", file.trim_end_matches(".rs"))
        };
        let place = Place {
            file: &file,
            folder,
        };
        self.add_file(sources, Some(this), &place)
    }
}

fn folder_of(file: &str) -> &str {
    file.rfind('/').map_or("", |end| &file[..=end])
}

/// The file of `#[path = "…"]`.
fn named_path(attributes: &[Attribute]) -> Option<String> {
    let attribute = attributes.iter().find(|a| a.path().is_ident("path"))?;
    let syn::Meta::NameValue(value) = &attribute.meta else {
        return None;
    };
    match &value.value {
        syn::Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// What an item defines in its module.
fn names(item: &Item) -> Vec<String> {
    let name = match item {
        Item::Const(i) => &i.ident,
        Item::Enum(i) => &i.ident,
        Item::Fn(i) => &i.sig.ident,
        Item::Macro(i) => match &i.ident {
            Some(name) => name,
            None => return names_in_call(i.mac.tokens.clone()),
        },
        Item::Static(i) => &i.ident,
        Item::Struct(i) => &i.ident,
        Item::Trait(i) => &i.ident,
        Item::Type(i) => &i.ident,
        Item::Union(i) => &i.ident,
        _ => return Vec::new(),
    };
    vec![name.to_string()]
}

/// What a macro's call defines, as far as its arguments show: `id!(Name, …)`, `thread_local! { static NAME … }`.
fn names_in_call(tokens: TokenStream) -> Vec<String> {
    const KEYWORDS: [&str; 6] = ["static", "const", "struct", "enum", "fn", "type"];
    let mut names = Vec::new();
    let mut is_named_next = true;
    for token in tokens {
        let TokenTree::Ident(word) = token else {
            continue;
        };
        let word = word.to_string();
        let is_keyword = KEYWORDS.contains(&word.as_str());
        if is_named_next && !is_keyword && word != "pub" {
            names.push(word);
            is_named_next = false;
        } else if is_keyword {
            is_named_next = true;
        }
    }
    names
}
