//! What inline assembly does, as far as its text tells.
//!
//! ```text
//! asm("rcp.approx.ftz.f32 %0, %1;" …)            arithmetic: a thread's own business
//! asm("shfl.sync.bfly.b32 %0, %1, 8, …;" …)      other threads'; clang marks it as little as the first
//! asm("ld.global.f32 %0, [%1];" …)               memory, by an address that is a number
//! ```
//! Without `volatile` and a clobber clang promises that assembly touches no memory, and calls all of it convergent. So the
//! instructions are read, and only those that are known to compute are taken to do nothing else.

/// Instructions of PTX that compute their result from their operands alone ([ISA 9.0, chapter 9.7](https://docs.nvidia.com/cuda/parallel-thread-execution/)).
const ARITHMETIC: [&str; 61] = [
    "abs",
    "add",
    "addc",
    "and",
    "bfe",
    "bfi",
    "bfind",
    "bmsk",
    "brev",
    "clz",
    "cnot",
    "copysign",
    "cos",
    "cvt",
    "div",
    "dp2a",
    "dp4a",
    "ex2",
    "fma",
    "fns",
    "lg2",
    "lop3",
    "mad",
    "mad24",
    "madc",
    "max",
    "min",
    "mov",
    "mul",
    "mul24",
    "neg",
    "not",
    "or",
    "popc",
    "prmt",
    "rcp",
    "rem",
    "rsqrt",
    "sad",
    "selp",
    "set",
    "setp",
    "shf",
    "shl",
    "shr",
    "sin",
    "slct",
    "sqrt",
    "sub",
    "subc",
    "szext",
    "tanh",
    "testp",
    "vabsdiff",
    "vabsdiff4",
    "vadd",
    "vmad",
    "vmax",
    "vmin",
    "vsub",
    "xor",
];

/// Whether assembly with this text computes its results from its operands and its own registers, and does nothing else.
///
/// Conservative: labels, calls of macros and instructions that are not listed are taken to do anything.
pub fn is_arithmetic(text: &str) -> bool {
    if text.contains("/*") {
        return false;
    }
    let lines = text
        .lines()
        .map(|l| l.split_once("//").map_or(l, |(code, _)| code));
    statements(&lines.collect::<Vec<_>>().join(" "))
        .iter()
        .all(|s| computes(s))
}

/// The statements, without the braces of blocks: those within one are operands, as in `mov.b64 {low, high}, $1`.
fn statements(code: &str) -> Vec<String> {
    let (mut all, mut now, mut open) = (Vec::new(), String::new(), 0);
    for c in code.chars() {
        let between = now.trim().is_empty();
        match c {
            '{' if !between => open += 1,
            '}' if open > 0 => open -= 1,
            '{' | '}' | ';' => {
                all.push(std::mem::take(&mut now));
                continue;
            }
            _ => {}
        }
        now.push(c);
    }
    all.push(now);
    all.retain(|s| !s.trim().is_empty());
    all
}

/// Whether a statement is an instruction that computes, or declares registers.
fn computes(statement: &str) -> bool {
    let statement = statement.trim_start();
    let guarded = statement
        .strip_prefix('@')
        .and_then(|s| s.split_once(char::is_whitespace));
    let instruction = guarded.map_or(statement, |(_, i)| i.trim_start());
    let end = instruction
        .find(|c: char| c == '.' || c.is_whitespace())
        .unwrap_or(instruction.len());
    ARITHMETIC.binary_search(&&instruction[..end]).is_ok() || instruction.starts_with(".reg ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_told_from_all_else() {
        assert!(ARITHMETIC.is_sorted());
        let arithmetic = [
            "",
            "rcp.approx.ftz.f32 $0, $1;",
            "{ .reg .pred p; setp.ne.s32 p, $1, 0; @p mov.s32 $0, 1; @!p mov.s32 $0, 2; }",
            "{\n\t.reg .f16 low, high; // both halves\n\tmov.b32 {low, high}, $1;\n\tcvt.f32.f16 $0, low;}\n",
            "mov.b64 $0, {$1, $2};",
            "mov.b64 {$0,$1}, $2;",
            "mad.lo.cc.u32 $0, $2, $3, $4; madc.hi.u32 $1, $2, $3, 0;",
            "mov.u32 $0, %ctaid.x;",
            "add.s32 $0, $1, $2",
        ];
        for text in arithmetic {
            assert!(is_arithmetic(text), "{text}");
        }
        let else_ = [
            "shfl.sync.bfly.b32 $0, $1, 8, 0x1f, 0xffffffff;",
            "mov.b32 $0, $1; activemask.b32 $0;",
            "vote.sync.ballot.b32 $0, $1, -1;",
            "ld.global.f32 $0, [$1];",
            "@p bar.sync 0;",
            "bra done; done:",
            "$$name: mov.b32 $0, $1;",
            "/* mov */ exit;",
            "movmatrix.sync.aligned.m8n8.trans.b16 $0, $1;",
            "call (f), g, (h);",
            "mov.b32 {$0, $1}, $2; exit",
            "{ mov.b32 $0, $1; } trap;",
            "redux.sync.add.s32 $0, $1, -1;",
        ];
        for text in else_ {
            assert!(!is_arithmetic(text), "{text}");
        }
    }
}
