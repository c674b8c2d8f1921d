//! How many fields a struct has, with those of bags that it keeps some of them in.
//!
//! A bag is a struct that occurs in one field of one struct alone, as it is (or in a `Box`, or as `&mut`): to its
//! owner its fields are what they were outside it. What many share, or what there is a list of, counts as one.

use std::collections::BTreeMap;

use syn::visit::{self, Visit};
use syn::{Fields, GenericArgument, Item, PathArguments, Type};

use super::source::{attributes, is_for_tests};

/// A struct's fields, bags unpacked.
#[derive(Debug, PartialEq)]
pub struct Counted {
    /// Its name.
    pub name: String,
    /// All its fields.
    pub count: usize,
    /// The bags among them.
    pub bags: Vec<String>,
}

/// Structs with names for their fields, the largest first.
pub fn count<'f>(files: impl Iterator<Item = &'f syn::File>) -> Vec<Counted> {
    let mut structs = Structs::default();
    for file in files {
        structs.visit_file(file);
    }
    let names = structs.fields.keys();
    let mut all: Vec<Counted> = names.map(|n| structs.counted(n)).collect();
    all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
    all
}

/// Fields of each struct: the name of what one is as it is, if it has one, and all names in its type.
#[derive(Default)]
struct Structs {
    fields: BTreeMap<String, Vec<Option<String>>>,
    mentions: BTreeMap<String, usize>,
}

impl<'a> Visit<'a> for Structs {
    fn visit_item(&mut self, item: &'a Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        for field in &item.fields {
            let mut names = Names::default();
            names.visit_type(&field.ty);
            for name in names.0 {
                *self.mentions.entry(name).or_default() += 1;
            }
        }
        if let Fields::Named(fields) = &item.fields {
            let held = fields.named.iter().map(|f| held(&f.ty));
            self.fields.insert(item.ident.to_string(), held.collect());
        }
    }
}

impl Structs {
    fn counted(&self, name: &str) -> Counted {
        let mut bags = Vec::new();
        let count = self.count(name, &mut bags);
        Counted {
            name: name.to_string(),
            count,
            bags,
        }
    }

    fn count(&self, name: &str, bags: &mut Vec<String>) -> usize {
        let mut count = 0;
        for held in &self.fields[name] {
            let bag = held.as_ref().filter(|h| {
                let is_once = self.mentions.get(*h) == Some(&1);
                is_once && *h != name && self.fields.contains_key(*h)
            });
            count += match bag {
                Some(bag) => {
                    bags.push(bag.clone());
                    self.count(bag, bags)
                }
                None => 1,
            };
        }
        count
    }
}

/// `S` of `S`, `Box<S>` and `&mut S`.
fn held(of: &Type) -> Option<String> {
    match of {
        Type::Reference(reference) => {
            reference.mutability.as_ref()?;
            held(&reference.elem)
        }
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            match &last.arguments {
                PathArguments::AngleBracketed(inner) if last.ident == "Box" => {
                    let types = inner.args.iter().find_map(|a| match a {
                        GenericArgument::Type(t) => Some(t),
                        _ => None,
                    });
                    held(types?)
                }
                _ => Some(last.ident.to_string()),
            }
        }
        _ => None,
    }
}

#[derive(Default)]
struct Names(Vec<String>);

impl<'a> Visit<'a> for Names {
    fn visit_path(&mut self, path: &'a syn::Path) {
        self.0
            .extend(path.segments.last().map(|s| s.ident.to_string()));
        visit::visit_path(self, path);
    }
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn a_bag_counts_as_what_is_in_it() {
        let text = "struct Owner<'a> { bag: Bag<'a>, boxed: Box<Second>, many: Vec<Cell>, shared: Shared, a: &'a Plan }
                    struct Bag<'a> { a: u32, b: u32, inner: &'a mut Third }
                    struct Second { a: u32, b: u32 }  struct Third { a: u32, b: u32, c: u32 }
                    struct Cell { a: u32, b: u32 }    struct Shared { a: u32, b: u32, c: u32 }
                    struct Other { shared: Shared }   struct Plan { a: u32, b: u32 }";
        let file = syn::parse_file(text).unwrap();
        let all = count(std::iter::once(&file));
        assert_eq!((all[0].name.as_str(), all[0].count), ("Owner", 10));
        assert_eq!(all[0].bags, ["Bag", "Third", "Second"]);
    }
}
