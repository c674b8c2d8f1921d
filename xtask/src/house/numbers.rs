//! Numbers that somebody chose: constants whose value is written as a number.
//!
//! Counted is every `const` and `static` of a numeric type, or of arrays and tuples of such, whose value has a
//! literal in it (so `SECTOR as f64` is none, `48 * 1024` is one). [`STRUCTURAL`] are not: they say what hardware
//! or arithmetic is, and no other chip wants another value. Numbers that stand in code without a name are not seen.

use syn::visit::{self, Visit};
use syn::{Expr, Item, Lit, Type};

use super::source::{attributes, is_for_tests};

/// Names of constants that were not fitted, by what they are.
const STRUCTURAL: [(&str, &[&str]); 5] = [
    (
        "bytes that hardware moves, aligns or banks by",
        &[
            "ALIGN", "BANKS", "CELL", "LINE", "PIECE", "SECTOR", "WIDEST", "WORD",
        ],
    ),
    (
        "numbers of address spaces, and of chips that have a feature",
        &["ASYNC_SM", "GLOBAL"],
    ),
    ("values that stand for none or all", &["ANY", "NOWHERE"]),
    (
        "room below an overflow",
        &[
            "FARTHEST",
            "ID_BITS",
            "LAST_ID",
            "MOST",
            "MOST_BLOCKS",
            "MOST_IDS",
            "MOST_THREADS",
            "OFFSET_LIMIT",
            "ROOM",
            "SAFE_BITS",
            "WRAPS_WHOLE",
        ],
    ),
    (
        "ends of a search, which keep compiles short",
        &["DEEPEST", "EXHAUSTIVE", "MOST_LOOPS", "MOST_VALUES"],
    ),
];

/// A constant that counts.
#[derive(Debug, PartialEq)]
pub struct Number {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub line: usize,
}

/// Those of a file.
pub fn find(file: &syn::File) -> Vec<Number> {
    let mut numbers = Numbers::default();
    numbers.visit_file(file);
    numbers.0
}

#[derive(Default)]
struct Numbers(Vec<Number>);

impl Numbers {
    fn add(&mut self, name: &syn::Ident, of: &Type, value: &Expr) {
        let mut literals = Literals::default();
        literals.visit_expr(value);
        let text = name.to_string();
        let is_structural = STRUCTURAL.iter().any(|(_, names)| names.contains(&&*text));
        if literals.0 && (is_numeric(of) || wraps_number(value)) && !is_structural {
            self.0.push(Number {
                name: text,
                line: name.span().start().line,
            });
        }
    }
}

impl<'a> Visit<'a> for Numbers {
    fn visit_item(&mut self, item: &'a Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.add(&item.ident, &item.ty, &item.expr);
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        self.add(&item.ident, &item.ty, &item.expr);
    }

    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        self.add(&item.ident, &item.ty, &item.expr);
    }
}

/// Whether a value is a number in a type of the project's own, or several of them.
fn wraps_number(value: &Expr) -> bool {
    match value {
        Expr::Array(array) => array.elems.iter().any(wraps_number),
        Expr::Reference(reference) => wraps_number(&reference.expr),
        Expr::Call(call) => {
            let mut literals = Literals::default();
            call.args.iter().for_each(|a| literals.visit_expr(a));
            literals.0
        }
        _ => false,
    }
}

fn is_numeric(of: &Type) -> bool {
    match of {
        Type::Array(array) => is_numeric(&array.elem),
        Type::Slice(slice) => is_numeric(&slice.elem),
        Type::Reference(reference) => is_numeric(&reference.elem),
        Type::Tuple(tuple) => tuple.elems.iter().any(is_numeric),
        Type::Path(path) => path.path.get_ident().is_some_and(|name| {
            let name = name.to_string();
            let (kind, width) = name.split_at(1);
            matches!(kind, "u" | "i" | "f") && (width == "size" || width.parse::<u32>().is_ok())
        }),
        _ => false,
    }
}

#[derive(Default)]
struct Literals(bool);

impl<'a> Visit<'a> for Literals {
    fn visit_lit(&mut self, literal: &'a Lit) {
        self.0 |= matches!(literal, Lit::Int(_) | Lit::Float(_));
        visit::visit_lit(self, literal);
    }
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn numbers_with_a_name_count_if_chosen() {
        let text = "const MANY: [u32; 3] = [8, 1, 1];  const BYTES: u32 = 48 * 1024;  const NAME: &str = \"1\";
                    const CAP: Caps = Caps([16, 16, 1]);  const CAPS: [Caps; 1] = [Caps([8, 8, 1])];
                    const PIECE: u32 = 16;  const SAME: f64 = target::SECTOR as f64;
                    const PAIRS: &[(u32, u32)] = &[(64, 32)];
                    fn f() { const INNER: f64 = 0.5; }
                    #[cfg(test)] mod tests { const MORE: u32 = 1; }";
        let found = find(&syn::parse_file(text).unwrap());
        let names: Vec<&str> = found.iter().map(|n| n.name.as_str()).collect();
        assert_eq!(names, ["MANY", "BYTES", "CAP", "CAPS", "PAIRS", "INNER"]);
    }
}
