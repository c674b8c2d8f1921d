//! Reads what `ptxas -v` prints, and counts barriers in PTX.

/// Resources of one kernel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Registers per thread.
    pub registers: u32,
    /// Static shared memory in bytes.
    pub shared: u32,
    /// Bytes spilled, stores and loads together.
    pub spills: u32,
}

/// The figures of the first entry function whose symbol `is_kernel` accepts.
pub fn usage(log: &str, is_kernel: impl Fn(&str) -> bool) -> Option<Usage> {
    let mut lines = log.lines().skip_while(|line| {
        let symbol = line
            .split_once("Compiling entry function '")
            .and_then(|(_, r)| r.split('\'').next());
        !symbol.is_some_and(&is_kernel)
    });
    lines.next()?;
    let mut usage = Usage::default();
    for line in lines.take_while(|l| !l.contains("Compiling entry function")) {
        if line.contains("spill") {
            usage.spills = before(line, "bytes spill stores") + before(line, "bytes spill loads");
        }
        if line.contains("Used ") {
            usage.registers = before(line, "registers");
            usage.shared = before(line, "bytes smem");
        }
    }
    Some(usage)
}

/// The number that stands before `words`; 0 where they do not occur.
fn before(line: &str, words: &str) -> u32 {
    line.find(words)
        .and_then(|at| line[..at].split_whitespace().next_back()?.parse().ok())
        .unwrap_or(0)
}

/// Block-wide barriers in the body of the kernel.
pub fn barriers(ptx: &str, is_kernel: impl Fn(&str) -> bool) -> usize {
    let body = ptx.lines().skip_while(|line| {
        let symbol = line
            .split_once(".entry ")
            .map(|(_, r)| r.trim_end_matches(['(', ' ']));
        !symbol.is_some_and(&is_kernel)
    });
    body.take_while(|line| *line != "}")
        .map(str::trim_start)
        .filter(|l| {
            ["bar.sync", "barrier.sync", "barrier.cta.sync"]
                .iter()
                .any(|b| l.starts_with(b))
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1fv' for 'sm_80'
ptxas info    : Function properties for _Z1fv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers, 360 bytes cmem[0]
ptxas info    : Compiling entry function '_Z2mmPf' for 'sm_80'
ptxas info    : Function properties for _Z2mmPf
    16 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads
ptxas info    : Used 64 registers, used 1 barriers, 2176 bytes smem, 372 bytes cmem[0]
";

    #[test]
    fn the_named_kernel_is_read() {
        let usage = usage(LOG, |s| s.starts_with("_Z2mm")).unwrap();
        assert_eq!(
            usage,
            Usage {
                registers: 64,
                shared: 2176,
                spills: 32
            }
        );
    }

    #[test]
    fn another_kernel_is_not() {
        assert_eq!(usage(LOG, |s| s == "_Z1gv"), None);
        assert_eq!(usage(LOG, |s| s == "_Z1fv").map(|u| u.registers), Some(8));
    }

    #[test]
    fn barriers_of_one_kernel_are_counted() {
        let ptx = ".visible .entry a(\n)\n{\n\tbar.sync \t0;\n}\n.visible .entry b(\n)\n{\n\tbarrier.sync 0;\n\tbar.sync 0;\n}\n";
        assert_eq!(barriers(ptx, |s| s == "a"), 1);
        assert_eq!(barriers(ptx, |s| s == "b"), 2);
    }
}
