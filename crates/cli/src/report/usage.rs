//! What `ptxas -v` says of each kernel.

use std::collections::BTreeMap;

use serde::Serialize;

/// What a kernel needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of static shared memory.
    pub shared: u32,
    /// Bytes that are spilled, stores and loads.
    pub spilled: u32,
}

/// By symbol.
pub fn parse(said: &str) -> BTreeMap<String, Usage> {
    let mut all = BTreeMap::new();
    let mut symbol: Option<String> = None;
    for line in said.lines() {
        if let Some(rest) = line.split("Compiling entry function '").nth(1) {
            symbol = rest.split('\'').next().map(str::to_string);
            continue;
        }
        let Some(symbol) = &symbol else { continue };
        let usage: &mut Usage = all.entry(symbol.clone()).or_default();
        if line.contains("bytes spill") {
            usage.spilled =
                before(line, " bytes spill stores") + before(line, " bytes spill loads");
        } else if line.contains(" registers") {
            usage.registers = before(line, " registers");
            usage.shared = before(line, " bytes smem");
        }
    }
    all
}

/// The number before some words; 0 where they are not there.
fn before(line: &str, words: &str) -> u32 {
    let text = line.split(words).next().filter(|t| t.len() < line.len());
    let last = text.and_then(|t| t.rsplit(|c: char| !c.is_ascii_digit()).next());
    last.and_then(|n| n.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_and_shared_memory_are_read() {
        let said = "ptxas info    : 14061 bytes gmem
ptxas info    : Compiling entry function '_Z1kPf$mesi$0' for 'sm_90'
ptxas info    : Function properties for _Z1kPf$mesi$0
    0 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 64 registers, used 1 barriers, 36864 bytes smem
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'
ptxas info    : Used 30 registers, used 0 barriers
";
        let all = parse(said);
        assert_eq!(
            all["_Z1kPf$mesi$0"],
            Usage {
                registers: 64,
                shared: 36864,
                spilled: 12
            }
        );
        assert_eq!(
            all["_Z1kPf"],
            Usage {
                registers: 30,
                shared: 0,
                spilled: 0
            }
        );
    }
}
