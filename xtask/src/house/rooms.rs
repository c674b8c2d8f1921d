//! Rooms that an access's index passes, from where it is lifted to where its address is emitted.
//!
//! ```text
//! Exact, Address ─► Cluster ─► Footprint, ShapeDim ─► Candidate ─► Draft, Tile, Member ─► Frame ─► Window, ServedBy
//! affine/           plan/shape                        plan/candidate  plan/tile           lower/
//! ```
//! A room is a file. The index is in a function whose signature names one of these forms, or whose `self` is one. From
//! `affine::analyze`, `plan::make` and `lower::emit`, calls are followed as they are written, all branches of all
//! transformations, each function's body once; functions that only carry analyses or plans are passed through. A visit
//! is each time that the index is in another room than before: in a function that is called, or back in the one that
//! called. Paths are resolved as imports are; a method is the only one of its name, on the same side of emission, or
//! the trail is lost.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{Attribute, FnArg, Signature, Type};

use super::modules::Tree;
use super::places::is_emission;
use super::source::{attributes, is_for_tests};

/// What an index is on its way.
const FORMS: [&str; 14] = [
    "Exact",
    "Address",
    "Cluster",
    "Footprint",
    "ShapeDim",
    "Candidate",
    "Draft",
    "Tile",
    "TileDim",
    "Member",
    "Frame",
    "Window",
    "ServedBy",
    "TileTerm",
];

/// Where the three parts of its way begin.
const STARTS: [(&str, &str); 3] = [
    ("src/affine/analyze.rs", "analyze"),
    ("src/plan/make.rs", "make"),
    ("src/lower/bodies.rs", "emit"),
];

/// Visits, a line each.
pub fn visits(code: &[(&str, &syn::File)], tree: &Tree) -> Vec<String> {
    let mut functions = Functions::default();
    for (file, syntax) in code {
        functions.file = file;
        functions.visit_file(syntax);
    }
    let mut methods = BTreeMap::<&str, Vec<usize>>::new();
    for (i, f) in functions.all.iter().enumerate() {
        if f.of.is_some() {
            methods.entry(&f.name).or_default().push(i);
        }
    }
    let mut walk = Walk {
        tree,
        all: &functions.all,
        methods,
        seen: BTreeSet::new(),
        room: "",
        visits: Vec::new(),
    };
    for (file, name) in STARTS {
        if let Some(start) = walk.free_function(file, name) {
            walk.enter(start);
        }
    }
    walk.visits
}

/// A function of `src/`.
struct Function<'a> {
    file: &'a str,
    /// The type that it is a method of.
    of: Option<String>,
    name: String,
    has_index: bool,
    body: &'a syn::Block,
}

#[derive(Default)]
struct Functions<'a> {
    file: &'a str,
    of: Option<String>,
    all: Vec<Function<'a>>,
}

impl<'a> Functions<'a> {
    fn add(&mut self, attributes: &[Attribute], signature: &'a Signature, body: &'a syn::Block) {
        let is_form = |n: &str| FORMS.contains(&n);
        let this = self.of.as_deref().is_some_and(is_form);
        let has_index = signature.inputs.iter().any(|argument| match argument {
            FnArg::Receiver(_) => this,
            FnArg::Typed(typed) => {
                let mut names = Names::default();
                names.visit_type(&typed.ty);
                names.0.iter().any(|n| is_form(n) || this && n == "Self")
            }
        });
        if !is_for_tests(attributes) {
            self.all.push(Function {
                file: self.file,
                of: self.of.clone(),
                name: signature.ident.to_string(),
                has_index,
                body,
            });
        }
    }
}

impl<'a> Visit<'a> for Functions<'a> {
    fn visit_item(&mut self, item: &'a syn::Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_impl(&mut self, of: &'a syn::ItemImpl) {
        self.of = match &*of.self_ty {
            Type::Path(p) => p.path.segments.last().map(|s| s.ident.to_string()),
            _ => None,
        };
        visit::visit_item_impl(self, of);
        self.of = None;
    }

    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        self.add(&f.attrs, &f.sig, &f.block);
    }

    fn visit_impl_item_fn(&mut self, f: &'a syn::ImplItemFn) {
        self.add(&f.attrs, &f.sig, &f.block);
    }
}

#[derive(Default)]
struct Names(Vec<String>);

impl<'a> Visit<'a> for Names {
    fn visit_ident(&mut self, name: &'a syn::Ident) {
        self.0.push(name.to_string());
    }
}

/// What a body calls, or hands to what calls it.
#[derive(Default)]
struct Calls(Vec<Call>);

enum Call {
    Path(Vec<String>),
    Method(String),
}

impl<'a> Visit<'a> for Calls {
    fn visit_expr_path(&mut self, e: &'a syn::ExprPath) {
        let names = e.path.segments.iter().map(|s| s.ident.to_string());
        self.0.push(Call::Path(names.collect()));
    }

    fn visit_expr_method_call(&mut self, e: &'a syn::ExprMethodCall) {
        visit::visit_expr_method_call(self, e);
        self.0.push(Call::Method(e.method.to_string()));
    }
}

struct Walk<'a> {
    tree: &'a Tree,
    all: &'a [Function<'a>],
    /// Places in `all`, by name.
    methods: BTreeMap<&'a str, Vec<usize>>,
    seen: BTreeSet<usize>,
    /// Where the index is.
    room: &'a str,
    visits: Vec<String>,
}

impl<'a> Walk<'a> {
    fn enter(&mut self, place: usize) {
        let f = &self.all[place];
        self.visit(f);
        if !self.seen.insert(place) {
            return;
        }
        let mut calls = Calls::default();
        calls.visit_block(f.body);
        for called in calls
            .0
            .iter()
            .filter_map(|c| self.find(f, c))
            .collect::<Vec<_>>()
        {
            self.enter(called);
            self.visit(f);
        }
    }

    fn visit(&mut self, f: &Function<'a>) {
        if f.has_index && self.room != f.file {
            self.room = f.file;
            self.visits.push(format!("{} {}", f.file, f.name));
        }
    }

    fn find(&self, from: &Function, call: &Call) -> Option<usize> {
        let path = match call {
            Call::Path(path) => path,
            Call::Method(name) => {
                let [one] = self.methods.get(name.as_str())?[..] else {
                    return None;
                };
                let emits = is_emission(self.all[one].file);
                return (emits == is_emission(from.file)).then_some(one);
            }
        };
        if let [.., of, name] = &path[..]
            && of.starts_with(char::is_uppercase)
        {
            let of = if of == "Self" { from.of.as_ref()? } else { of };
            let is_it = |f: &Function| f.of.as_ref() == Some(of) && f.name == *name;
            return self.all.iter().position(is_it);
        }
        self.free_function(self.tree.file_of(from.file, path)?, path.last()?)
    }

    fn free_function(&self, file: &str, name: &str) -> Option<usize> {
        let is_it = |f: &Function| f.file == file && f.name == name && f.of.is_none();
        self.all.iter().position(is_it)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{modules, source::Sources};
    use super::visits;

    #[test]
    fn a_visit_is_a_call_into_another_file_and_the_way_back() {
        let files = [
            ("src/lib.rs", "mod plan;"),
            (
                "src/plan/mod.rs",
                "pub mod make; mod bag; mod shape; mod size;",
            ),
            (
                "src/plan/make.rs",
                "use super::bag; pub fn make(f: &Affine) { bag::carry(f) } fn unused(t: &Tile) {}",
            ),
            (
                "src/plan/bag.rs",
                "use super::shape; pub fn carry(f: &Affine) { shape::of(f.cluster()); shape::of(f.cluster()) }",
            ),
            (
                "src/plan/shape.rs",
                "use super::size; pub fn of(c: &Cluster) { size::Tile::new(c); c.len(); inner(c) } fn inner(c: &Cluster) {}",
            ),
            (
                "src/plan/size.rs",
                "pub struct Tile; impl Tile { pub fn new(c: &Cluster) -> Self { Tile } }",
            ),
        ];
        let texts = files.map(|(f, t)| (f.to_string(), t.to_string()));
        let sources = Sources::parse(texts).unwrap();
        let tree = modules::read(&sources, "src/lib.rs").unwrap();
        let code: Vec<_> = sources.under("src/").map(|(p, s)| (p, &s.syntax)).collect();
        let expected = [
            "src/plan/shape.rs of",
            "src/plan/size.rs new",
            "src/plan/shape.rs of",
        ];
        assert_eq!(visits(&code, &tree), expected);
    }
}
