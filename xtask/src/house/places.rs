//! Which part of the plug-in a file of `src/` belongs to.

/// Where chips are known: targets, and numbers fitted to one.
pub fn is_machine(path: &str) -> bool {
    path.starts_with("src/machine/")
}

/// What decides, before anything is emitted.
pub fn is_planning(path: &str) -> bool {
    path.starts_with("src/plan/")
        || path.starts_with("src/transform/") && !is_emission_of_transform(path)
}

/// What emits.
pub fn is_emission(path: &str) -> bool {
    path.starts_with("src/lower/") || is_emission_of_transform(path)
}

/// What may hold numbers that were fitted to a chip; formats, handles and mirrors of other programs are elsewhere.
pub fn may_be_fitted(path: &str) -> bool {
    is_planning(path) || is_emission(path)
}

/// LLVM's bindings.
pub fn is_llvm(path: &str) -> bool {
    path.starts_with("crates/mesi-llvm/")
}

/// Crates that are, or wrap, LLVM's bindings.
pub const LLVM_CRATES: [&str; 4] = ["mesi_llvm", "inkwell", "llvm_sys", "inkwell_internals"];

/// The transformation that a file is part of. A file in `src/transform/` itself combines several, and is part of none.
pub fn transform(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("src/transform/")?;
    rest.split_once('/').map(|(name, _)| name)
}

/// What transformations rest on, and must not know one of them: facts about a kernel, the types that plans and
/// emissions are made of, the model.
pub fn is_below_transforms(path: &str) -> bool {
    let homes = [
        "src/kernel/",
        "src/tree/",
        "src/access/",
        "src/affine/",
        "src/machine/",
        "src/plan/data/",
        "src/plan/model/",
        "src/lower/state/",
    ];
    homes.iter().any(|h| path.starts_with(h))
}

fn is_emission_of_transform(path: &str) -> bool {
    let inside = path.strip_prefix("src/transform/");
    inside.is_some_and(|p| p.split('/').skip(1).any(|part| part.starts_with("emit")))
}

#[cfg(test)]
mod tests {
    use super::{is_below_transforms, is_emission, is_planning, transform};

    #[test]
    fn a_home_is_of_one_transformation_and_has_both_halves() {
        let (plan, emit) = (
            "src/transform/unroll/ahead.rs",
            "src/transform/unroll/emit.rs",
        );
        assert_eq!(transform(plan), transform(emit));
        assert_eq!(transform(plan), Some("unroll"));
        assert!(is_planning(plan) && !is_emission(plan));
        assert!(is_emission(emit) && !is_planning(emit));
        assert!(is_emission("src/transform/mma/emit_body.rs"));
    }

    #[test]
    fn what_combines_several_is_part_of_none_and_types_are_below_all() {
        assert_eq!(transform("src/transform/recast.rs"), None);
        assert_eq!(transform("src/plan/make.rs"), None);
        assert!(is_below_transforms("src/plan/data/plan.rs"));
        assert!(!is_below_transforms("src/plan/make.rs"));
    }
}
