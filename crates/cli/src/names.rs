//! Kernels' names as their authors wrote them.

/// `ns::mm(float*, int)` for `_ZN2ns2mmEPfi`; what is no mangled name stays.
pub fn whole(symbol: &str) -> String {
    let own = own(symbol);
    let demangled = cpp_demangle::Symbol::new(own)
        .ok()
        .and_then(|s| s.demangle().ok());
    demangled.unwrap_or_else(|| own.to_string())
}

/// The same without the arguments and what a template returns: `ns::mm<4>`.
pub fn short(symbol: &str) -> String {
    let own = own(symbol);
    let options = cpp_demangle::DemangleOptions::new()
        .no_params()
        .no_return_type();
    let demangled = cpp_demangle::Symbol::new(own)
        .ok()
        .and_then(|s| s.demangle_with_options(&options).ok());
    demangled.unwrap_or_else(|| own.to_string())
}

/// The kernel that a version belongs to: `K` for `K$mesi$1`.
pub fn own(symbol: &str) -> &str {
    symbol.split("$mesi$").next().unwrap_or(symbol)
}

/// The number of a version: 1 for `K$mesi$1`.
pub fn version(symbol: &str) -> Option<usize> {
    symbol.split_once("$mesi$")?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_names_are_read_and_others_stay() {
        assert_eq!(
            whole("_Z5sgemmPKfS0_Pfi$mesi$1"),
            "sgemm(float const*, float const*, float*, int)"
        );
        assert_eq!(short("_Z5sgemmPKfS0_Pfi"), "sgemm");
        assert_eq!(short("_Z4tileILi4EEvPf"), "tile<4>");
        assert_eq!(short("plain"), "plain");
        assert_eq!(version("plain$mesi$12"), Some(12));
        assert_eq!(version("plain"), None);
    }
}
