//! Long functions, and functions that walk the tree.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};
use syn::{Attribute, Block, FnArg, Item, ReceiverKind, Signature, Type};

use super::source::{attributes, is_for_tests};

/// Lines from `fn` to the closing brace that are no reason to look.
const LONGEST: usize = 60;

/// Different nodes in one `match` that make a walk of it.
const NODES: usize = 3;

/// A function worth a look.
#[derive(Debug, PartialEq)]
pub struct Found {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub line: usize,
    /// Its lines, or the kinds of nodes that it tells apart.
    pub count: usize,
}

/// Functions of more than 60 lines.
pub fn long(file: &syn::File) -> Vec<Found> {
    find(file, |signature, body| {
        let first = signature.fn_token.span.start().line;
        let last = body.brace_token.span.close().end().line;
        Some(last + 1 - first).filter(|c| *c > LONGEST)
    })
}

/// Functions with a `match` of at least three kinds of `Node`, if they may change something: those that only look
/// emit nothing.
pub fn walkers(file: &syn::File) -> Vec<Found> {
    find(file, |signature, body| {
        if !signature.inputs.iter().any(is_mutable) {
            return None;
        }
        let mut kinds = NodesOfMatch::default();
        kinds.visit_block(body);
        Some(kinds.most).filter(|m| *m >= NODES)
    })
}

fn is_mutable(argument: &FnArg) -> bool {
    match argument {
        FnArg::Receiver(this) => matches!(this.kind, ReceiverKind::Reference(_, _, Some(_))),
        FnArg::Typed(typed) => matches!(&*typed.ty, Type::Reference(to) if to.mutability.is_some()),
    }
}

type Measure = fn(&Signature, &Block) -> Option<usize>;

fn find(file: &syn::File, measure: Measure) -> Vec<Found> {
    let mut functions = Functions {
        measure,
        found: Vec::new(),
    };
    functions.visit_file(file);
    functions.found
}

struct Functions {
    measure: Measure,
    found: Vec<Found>,
}

impl Functions {
    fn add(&mut self, attributes: &[Attribute], signature: &Signature, body: &Block) {
        if !is_for_tests(attributes)
            && let Some(count) = (self.measure)(signature, body)
        {
            self.found.push(Found {
                name: signature.ident.to_string(),
                line: signature.fn_token.span.start().line,
                count,
            });
        }
    }
}

impl<'a> Visit<'a> for Functions {
    fn visit_item(&mut self, item: &'a Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    // A function inside another belongs to it: bodies are not walked into.
    fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
        self.add(&function.attrs, &function.sig, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
        self.add(&function.attrs, &function.sig, &function.block);
    }

    fn visit_trait_item_fn(&mut self, function: &'a syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.add(&function.attrs, &function.sig, body);
        }
    }
}

/// Most kinds of `Node` that one `match` tells apart.
#[derive(Default)]
struct NodesOfMatch {
    most: usize,
}

impl<'a> Visit<'a> for NodesOfMatch {
    fn visit_expr_match(&mut self, found: &'a syn::ExprMatch) {
        let mut kinds = Kinds::default();
        for arm in &found.arms {
            kinds.visit_pat(&arm.pat);
        }
        self.most = self.most.max(kinds.0.len());
        visit::visit_expr_match(self, found);
    }
}

#[derive(Default)]
struct Kinds(BTreeSet<String>);

impl<'a> Visit<'a> for Kinds {
    fn visit_path(&mut self, path: &'a syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if let [.., of, kind] = &names[..]
            && of == "Node"
        {
            self.0.insert(kind.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{long, walkers};

    #[test]
    fn sixty_lines_are_short_and_tests_do_not_count() {
        let body = |lines: usize| "    f();\n".repeat(lines - 2);
        let text = format!(
            "fn short() {{\n{}}}\nimpl A {{\n#[inline]\npub fn long() {{\n{}}}\n}}\n\
             #[cfg(test)]\nmod tests {{\nfn longer() {{\n{}}}\n}}\n",
            body(60),
            body(61),
            body(90)
        );
        let found = long(&syn::parse_file(&text).unwrap());
        let found: Vec<_> = found
            .iter()
            .map(|f| (f.name.as_str(), f.line, f.count))
            .collect();
        assert_eq!(found, [("long", 63, 61)]);
    }

    #[test]
    fn a_walk_tells_three_kinds_of_nodes_apart() {
        let text = "impl L {
            fn walk(&mut self) { match n { Node::Seq(c) => f(), Node::Edge(_) | Node::Return(_) => {} } }
            fn ask(&self) { match n { Node::Seq(c) => f(), Node::Edge(_) | Node::Return(_) => {} } }
            fn two(&mut self) { match n { Node::Seq(c) => f(), Node::Edge(_) => g(), _ => h() } } }";
        let found = walkers(&syn::parse_file(text).unwrap());
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].name.as_str(), found[0].count), ("walk", 3));
    }
}
