//! Which part of the plug-in a file of `src/` belongs to, as it lies now and as it is to lie.

/// Transformations that have a folder today.
const COPIES: [&str; 5] = [
    "src/fold/",
    "src/spread/",
    "src/split/",
    "src/mma/",
    "src/reroll/",
];

/// Where chips are known: targets, and numbers fitted to one.
pub fn is_machine(path: &str) -> bool {
    path.starts_with("src/machine/")
}

/// What decides, before anything is emitted.
pub fn is_planning(path: &str) -> bool {
    let homes = ["src/plan/", "src/footprint/", "src/require/", "src/cost/"];
    homes.iter().any(|h| path.starts_with(h))
        || path.starts_with("src/transform/") && !is_emission_of_transform(path)
}

/// What emits.
pub fn is_emission(path: &str) -> bool {
    ["src/lower/", "src/emit/"]
        .iter()
        .any(|h| path.starts_with(h))
        || is_emission_of_transform(path)
}

/// What may hold numbers that were fitted to a chip; formats, handles and mirrors of other programs are elsewhere.
pub fn may_be_fitted(path: &str) -> bool {
    is_planning(path) || is_emission(path) || COPIES.iter().any(|h| path.starts_with(h))
}

/// LLVM's bindings.
pub fn is_llvm(path: &str) -> bool {
    path.starts_with("crates/mesi-llvm/")
}

/// Crates that are, or wrap, LLVM's bindings.
pub const LLVM_CRATES: [&str; 4] = ["mesi_llvm", "inkwell", "llvm_sys", "inkwell_internals"];

/// The transformation that a file is part of.
pub fn transform(path: &str) -> Option<&str> {
    if let Some(rest) = path.strip_prefix("src/transform/") {
        return rest.split_once('/').map(|(name, _)| name);
    }
    let home = COPIES.iter().find(|h| path.starts_with(*h))?;
    Some(&home["src/".len()..home.len() - 1])
}

/// What transformations rest on, and must not know one of them.
pub fn is_below_transforms(path: &str) -> bool {
    let homes = ["src/footprint/", "src/require/", "src/cost/"];
    homes.iter().any(|h| path.starts_with(h))
}

fn is_emission_of_transform(path: &str) -> bool {
    let inside = path.strip_prefix("src/transform/");
    inside.is_some_and(|p| p.split('/').skip(1).any(|part| part.starts_with("emit")))
}
