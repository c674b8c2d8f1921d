//! Kernel names as people write them.

use cpp_demangle::{DemangleOptions, Symbol};

/// `void ns::mm<float>(float const*, int)` from its symbol; what is no C++ symbol stays as it is.
pub fn demangle(symbol: &str) -> String {
    Symbol::new(symbol)
        .ok()
        .and_then(|s| {
            s.demangle_with_options(&DemangleOptions::default().no_return_type())
                .ok()
        })
        .unwrap_or_else(|| symbol.to_string())
}

/// `ns::mm<float>`: without parameters, for a table.
pub fn short(symbol: &str) -> String {
    let options = DemangleOptions::default().no_return_type().no_params();
    Symbol::new(symbol)
        .ok()
        .and_then(|s| s.demangle_with_options(&options).ok())
        .unwrap_or_else(|| symbol.to_string())
}

/// `ns::mm`: without template arguments too, as the plug-in's remarks call a kernel.
pub fn base(symbol: &str) -> String {
    let mut depth = 0usize;
    let mut base = String::new();
    for c in short(symbol).chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => base.push(c),
            _ => {}
        }
    }
    base.trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_become_names() {
        assert_eq!(short("_Z2mmIfEvPKT_S2_PS0_i"), "mm<float>");
        assert_eq!(base("_Z2mmIfEvPKT_S2_PS0_i"), "mm");
        assert_eq!(base("_ZN2ns3twoEPfi"), "ns::two");
        assert_eq!(demangle("_ZN2ns3twoEPfi"), "ns::two(float*, int)");
        assert_eq!(short("plain_c"), "plain_c");
        assert_eq!(base("_ZL6hiddenPf"), "hidden");
    }
}
