//! Which file needs something of which other one.
//!
//! A path leads to the file that *defines* what it names, through every `pub use` on its way; so a facade that only
//! passes names on imports nothing, and hides nothing: who takes a name from it imports the file behind it. A parent
//! whose own code uses what it passes on does import the child. Calls of methods name no path and are not seen.

use super::modules::Tree;

/// One file's need of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The file that names something.
    pub from: String,
    /// The file that defines it.
    pub to: String,
    /// Where, in the first.
    pub line: usize,
    /// What, as written.
    pub path: String,
}

/// What a path leads to.
#[derive(Clone, Copy)]
enum Place {
    Module(usize),
    /// Something defined in this module.
    Item(usize),
}

/// `pub use` of `pub use`, at most; names may go in a circle.
const DEEPEST: usize = 6;

/// All edges between files of a crate, one for each pair.
pub fn edges(tree: &Tree) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    for (this, module) in tree.modules.iter().enumerate() {
        let private = module.imports.iter().filter(|i| !i.is_passed_on);
        let imported = private.filter(|i| i.name.is_some()).map(|i| &i.from);
        for written in imported.chain(&module.written) {
            let Some(Place::Item(of)) = tree.resolve(this, &written.path, DEEPEST) else {
                continue;
            };
            let to = &tree.modules[of].file;
            let is_known = |e: &Edge| e.from == module.file && e.to == *to;
            if *to != module.file && !edges.iter().any(is_known) {
                edges.push(Edge {
                    from: module.file.clone(),
                    to: to.clone(),
                    line: written.line,
                    path: written.path.join("::"),
                });
            }
        }
    }
    edges
}

/// Files that name one of these crates, and where they do.
pub fn uses_of_crates(tree: &Tree, crates: &[&str]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for module in &tree.modules {
        let imported = module.imports.iter().map(|i| &i.from);
        let first = imported.chain(&module.written).find(|w| {
            let is_one = w.path.first().is_some_and(|p| crates.contains(&p.as_str()));
            is_one && w.path.len() > 1
        });
        found.extend(first.map(|w| (module.file.clone(), w.line)));
    }
    found
}

impl Tree {
    /// The file that defines what a path in a file leads to.
    pub fn file_of(&self, file: &str, path: &[String]) -> Option<&str> {
        let from = self.modules.iter().position(|m| m.file == file)?;
        match self.resolve(from, path, DEEPEST)? {
            Place::Item(at) => Some(&self.modules[at].file),
            Place::Module(_) => None,
        }
    }

    fn resolve(&self, from: usize, path: &[String], depth: usize) -> Option<Place> {
        let (first, rest) = path.split_first()?;
        let mut place = match first.as_str() {
            "crate" => Place::Module(0),
            "self" => Place::Module(from),
            "super" => Place::Module(self.modules[from].parent?),
            name => self.look_up(from, name, rest.is_empty(), depth)?,
        };
        for (done, name) in rest.iter().enumerate() {
            let Place::Module(module) = place else {
                break;
            };
            let is_last = done + 1 == rest.len();
            place = match name.as_str() {
                "super" => Place::Module(self.modules[module].parent?),
                name => self.look_up(module, name, is_last, depth)?,
            };
        }
        Some(place)
    }

    /// A name in a module. A module and a function may share one: in a path's middle it is the module, at its end
    /// the function.
    fn look_up(&self, at: usize, name: &str, is_last: bool, depth: usize) -> Option<Place> {
        let module = &self.modules[at];
        let child = module.children.get(name).map(|c| Place::Module(*c));
        if child.is_some() && !is_last {
            return child;
        }
        if module.items.contains(name) {
            return Some(Place::Item(at));
        }
        let depth = depth.checked_sub(1)?;
        let named = module
            .imports
            .iter()
            .filter(|i| i.name.as_deref() == Some(name));
        let mut places: Vec<Place> = named
            .filter_map(|i| self.resolve(at, &i.from.path, depth))
            .collect();
        if places.is_empty() && child.is_none() {
            let globs = module.imports.iter().filter(|i| i.name.is_none());
            let from = globs.filter_map(|i| match self.resolve(at, &i.from.path, depth)? {
                Place::Module(from) if from != at => Some(from),
                _ => None,
            });
            places.extend(from.filter_map(|m| self.look_up(m, name, is_last, depth)));
        }
        let is_item = |p: &&Place| matches!(p, Place::Item(_));
        let best = if is_last {
            places.iter().find(is_item).or(places.first())
        } else {
            places.iter().find(|p| !is_item(p)).or(places.first())
        };
        best.copied().or(child)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{modules, source::Sources};
    use super::edges;

    /// `a.rs → b.rs`, for a crate of these files that begins with the first.
    fn between(files: &[(&str, &str)]) -> Vec<String> {
        let texts = files.iter().map(|(f, t)| (f.to_string(), t.to_string()));
        let sources = Sources::parse(texts).unwrap();
        let tree = modules::read(&sources, files[0].0).unwrap();
        let found = edges(&tree).into_iter();
        found.map(|e| format!("{} → {}", e.from, e.to)).collect()
    }

    #[test]
    fn use_and_paths_are_edges_but_declaring_a_child_is_none() {
        let found = between(&[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::B; fn f(b: B) {}"),
            ("b.rs", "pub struct B; fn g() { crate::c::h() }"),
            ("c.rs", "pub fn h() { assert!(crate::a::f()) }"),
        ]);
        assert_eq!(found, ["a.rs → b.rs", "b.rs → c.rs", "c.rs → a.rs"]);
    }

    #[test]
    fn super_leads_to_the_parents_file() {
        let found = between(&[
            ("lib.rs", "mod p;"),
            ("p/mod.rs", "mod a; pub struct P; fn f() { a::go() }"),
            ("p/a.rs", "use super::P; pub fn go() {}"),
        ]);
        assert_eq!(found, ["p/mod.rs → p/a.rs", "p/a.rs → p/mod.rs"]);
    }

    #[test]
    fn a_name_passed_on_is_its_definers() {
        let found = between(&[
            ("lib.rs", "mod p; mod q; fn f() { p::go() }"),
            ("p/mod.rs", "mod a; mod b; pub use a::go; pub struct P;"),
            ("p/a.rs", "use super::P; pub fn go() {}"),
            ("p/b.rs", "use super::*; fn h() { go() }"),
            ("q.rs", "use crate::p; fn h() { p::go(); p::a::go() }"),
        ]);
        let expected = [
            "lib.rs → p/a.rs",
            "p/a.rs → p/mod.rs",
            "p/b.rs → p/a.rs",
            "q.rs → p/a.rs",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_facade_that_uses_what_it_passes_on_imports_it() {
        let found = between(&[
            ("lib.rs", "mod a; pub use a::A; struct B(A);"),
            ("a.rs", "pub struct A;"),
        ]);
        assert_eq!(found, ["lib.rs → a.rs"]);
    }

    #[test]
    fn a_function_may_have_its_modules_name() {
        let found = between(&[
            ("lib.rs", "mod p; mod q;"),
            ("p/mod.rs", "pub mod make; pub use make::make;"),
            ("p/make.rs", "pub fn make() {}"),
            ("q.rs", "fn f() { crate::p::make() }"),
        ]);
        assert_eq!(found, ["q.rs → p/make.rs"]);
    }

    #[test]
    fn tests_attributes_and_visibilities_do_not_count() {
        let found = between(&[
            ("lib.rs", "mod a; pub struct S;"),
            (
                "a.rs",
                "pub(in crate::b) struct A; #[cfg(test)] mod tests { use crate::S; } \
                 impl A { #[cfg(test)] fn f(s: crate::S) {} }",
            ),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }
}
