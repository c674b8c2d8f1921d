//! Every path that is written in a piece of syntax, those in macros' arguments among them.
//!
//! Left out is what is compiled for tests alone, what stands in attributes, and `pub(in path)`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, UseTree, Visibility};

use super::source::{attributes, is_for_tests};

/// A path as written.
#[derive(Debug, PartialEq)]
pub struct Written {
    /// Its names; generic arguments are paths of their own.
    pub path: Vec<String>,
    /// Where it stands, from 1.
    pub line: usize,
}

/// What one `use` brings in.
#[derive(Debug)]
pub struct Import {
    /// Under which name; `None` for `*`.
    pub name: Option<String>,
    /// From where.
    pub from: Written,
    /// Whether others may take it from here: `pub use`, `pub(super) use`.
    pub is_passed_on: bool,
}

/// Paths and imports of some items.
#[derive(Default)]
pub struct Paths {
    /// All paths but those of `use`.
    pub written: Vec<Written>,
    /// What `use` names, inside functions, too.
    pub imports: Vec<Import>,
}

impl<'a> Visit<'a> for Paths {
    fn visit_item(&mut self, item: &'a Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'a ImplItem) {
        let of_tests = matches!(item, ImplItem::Fn(f) if is_for_tests(&f.attrs));
        if !of_tests {
            visit::visit_impl_item(self, item);
        }
    }

    /// Inline modules are modules of their own.
    fn visit_item_mod(&mut self, _: &'a syn::ItemMod) {}

    fn visit_attribute(&mut self, _: &'a Attribute) {}

    fn visit_visibility(&mut self, _: &'a Visibility) {}

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        if item.leading_colon.is_none() {
            let is_passed_on = !matches!(item.vis, Visibility::Inherited);
            self.add_uses(&item.tree, &mut Vec::new(), is_passed_on);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.leading_colon.is_none()
            && let Some(first) = path.segments.first()
        {
            let names = path.segments.iter().map(|s| s.ident.to_string());
            self.written.push(Written {
                path: names.collect(),
                line: first.ident.span().start().line,
            });
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, macro_: &'a syn::Macro) {
        self.visit_path(&macro_.path);
        self.add_tokens(macro_.tokens.clone());
    }
}

impl Paths {
    fn add_uses(&mut self, tree: &UseTree, before: &mut Vec<String>, is_passed_on: bool) {
        let (name, last) = match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add_uses(&path.tree, before, is_passed_on);
                before.pop();
                return;
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_uses(tree, before, is_passed_on);
                }
                return;
            }
            UseTree::Name(name) => (Some(&name.ident), Some(&name.ident)),
            UseTree::Rename(rename) => (Some(&rename.rename), Some(&rename.ident)),
            UseTree::Glob(_) => (None, None),
        };
        let mut path = before.clone();
        path.extend(last.map(Ident::to_string).filter(|l| l != "self"));
        // `use a::b::{self}` is known as `b`.
        let name = name.map(Ident::to_string).map(|n| match n.as_str() {
            "self" => path.last().cloned().unwrap_or_default(),
            _ => n,
        });
        let line = last.map_or(0, |l| l.span().start().line);
        self.imports.push(Import {
            name,
            from: Written { path, line },
            is_passed_on,
        });
    }

    /// Names joined by `::`; one behind a `.` or a `'` is a field, a method or a lifetime.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |at: usize, c: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == c);
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                TokenTree::Ident(first) => {
                    let belongs = at > 0 && (is(at - 1, '.') || is(at - 1, '\''));
                    let mut path = vec![first.to_string()];
                    while is(at + 1, ':')
                        && is(at + 2, ':')
                        && let Some(TokenTree::Ident(next)) = tokens.get(at + 3)
                    {
                        path.push(next.to_string());
                        at += 3;
                    }
                    if !belongs {
                        let line = first.span().start().line;
                        self.written.push(Written { path, line });
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }
}
