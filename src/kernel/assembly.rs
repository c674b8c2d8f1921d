//! What inline assembly does, as far as its text tells.
//!
//! ```text
//! asm("rcp.approx.ftz.f32 %0, %1;" …)            arithmetic: a thread's own business
//! asm("shfl.sync.bfly.b32 %0, %1, 8, …;" …)      other threads'; clang marks it as little as the first
//! asm("ld.global.f32 %0, [%1];" …)               memory, by an address that is a number
//! ```
//! Without `volatile` and a clobber clang promises that assembly touches no memory, and calls all of it convergent. So
//! the instructions are read, and only those that are known to compute are taken to do nothing else.

use crate::llvm::ir::Value;

/// Instructions of PTX that compute their result from their operands alone ([ISA 9.0, chapter
/// 9.7](https://docs.nvidia.com/cuda/parallel-thread-execution/)).
const ARITHMETIC: &str = "\
    abs add addc and bfe bfi bfind bmsk brev clz cnot copysign cos cvt div dp2a dp4a ex2 fma fns lg2 lop3 mad \
    mad24 madc max min mov mul mul24 neg not or popc prmt rcp rem rsqrt sad selp set setp shf shl shr sin slct \
    sqrt sub subc szext tanh testp vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 \
    vmax4 vmin vmin2 vmin4 vset vset2 vset4 vshl vshr vsub vsub2 vsub4 xor";
/// Instructions that threads of a warp do together, and that touch no memory. What they give hangs on the threads that
/// a mask names, or on all of the warp, and not on those that happen to be there.
const OF_WARPS: [&str; 4] = ["shfl", "vote", "match", "redux"];
/// Those that take the carry which the last one marked `.cc` left.
const CARRIED: [&str; 3] = ["addc", "subc", "madc"];

/// Whether assembly with this text computes its results from its operands and its own registers, and does nothing else.
///
/// Conservative: labels, calls of macros and instructions that are not listed are taken to do anything.
pub fn is_arithmetic(text: &str) -> bool {
    computes(text, &[])
}

/// The same for assembly in which threads of a warp exchange values, too.
pub fn is_of_warp(text: &str) -> bool {
    has(text, &OF_WARPS) && computes(text, &OF_WARPS)
}

/// Whether a call's assembly may as well not be there: nobody asks for its result, and clang says that there is nothing
/// else to it. LLVM leaves such calls, as it does not know that they return: `cooperative_groups::this_thread_block()`
/// asks where the driver's shared memory lies, and needs it for larger groups alone.
pub fn is_unused(call: Value) -> bool {
    call.is_inline_asm_call()
        && call.users().is_empty()
        && !call.asm_has_side_effects()
        && call.accesses_no_memory()
}

/// Whether all that is done is arithmetic, or has one of the opcodes `besides`.
fn computes(text: &str, besides: &[&str]) -> bool {
    let mut carry = false;
    for s in statements(text) {
        if s.code.starts_with(".reg") {
            continue;
        }
        let instruction = instruction(&s.code);
        let opcode = opcode(instruction);
        // A carry that another statement's assembly left, or is to take, is none of its operands.
        let takes = CARRIED.contains(&opcode);
        let known = besides.contains(&opcode) || ARITHMETIC.split(' ').any(|a| a == opcode);
        if !known || takes && !carry {
            return false;
        }
        let word = instruction.split_whitespace().next().unwrap_or_default();
        carry = word.contains(".cc") || carry && !takes;
        if takes && !word.contains(".cc") {
            carry = false;
        }
    }
    !carry
}

/// Whether an instruction of this text is one of `opcodes`.
pub fn has(text: &str, opcodes: &[&str]) -> bool {
    let all = statements(text);
    let mut found = all.iter().map(|s| opcode(instruction(&s.code)));
    found.any(|o| opcodes.contains(&o))
}

/// Whether it declares a name, a label or register, for the function that it stands in, and so may stand there once
/// only.
pub fn stands_once(text: &str) -> bool {
    // LLVM puts a number of its own into what is written so.
    let declares = |s: &Statement| {
        let first = s.code.split_whitespace().next().unwrap_or_default();
        let label = first
            .split_once(':')
            .is_some_and(|(name, _)| !name.contains("${"));
        s.depth == 0 && (s.code.starts_with('.') || label)
    };
    statements(text).iter().any(declares)
}

/// A statement, and how many braces of blocks stand around it.
struct Statement {
    code: String,
    depth: usize,
}

/// The statements, without comments. Braces that stand within one are those of operands, as in `mov.b64 {low, high},
/// $1`.
fn statements(text: &str) -> Vec<Statement> {
    let (mut all, mut code, mut depth, mut open) = (Vec::new(), String::new(), 0usize, 0usize);
    for c in without_comments(text).chars() {
        match c {
            // `${0:x}` is an operand, `${:uid}` a number.
            '{' if !code.trim().is_empty() => open += 1,
            '}' if open > 0 => open -= 1,
            '{' | '}' | ';' => {
                let code = std::mem::take(&mut code).trim().to_string();
                all.push(Statement { code, depth });
                match c {
                    '{' => depth += 1,
                    '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                continue;
            }
            _ => {}
        }
        code.push(c);
    }
    let code = code.trim().to_string();
    all.push(Statement { code, depth });
    all.retain(|s| !s.code.is_empty());
    all
}

/// The text with a blank for each comment, of either kind. One may hold what begins the other.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        let (before, comment) = rest.split_at(at);
        kept += before;
        kept.push(' ');
        let end = match comment.strip_prefix("/*") {
            Some(commented) => commented.split_once("*/").map(|(_, after)| after),
            None => comment.find('\n').map(|n| &comment[n..]),
        };
        rest = end.unwrap_or_default();
    }
    kept + rest
}

/// A statement without the predicate that guards it.
fn instruction(statement: &str) -> &str {
    let guarded = statement.strip_prefix('@');
    let guarded = guarded.and_then(|s| s.split_once(char::is_whitespace));
    guarded.map_or(statement, |(_, i)| i.trim_start())
}

fn opcode(instruction: &str) -> &str {
    let end = instruction.find(|c: char| c == '.' || c.is_whitespace());
    &instruction[..end.unwrap_or(instruction.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_distinguished_from_all_else() {
        let arithmetic = [
            "",
            "rcp.approx.ftz.f32 $0, $1;",
            "{ .reg .pred p; setp.ne.s32 p, $1, 0; @p mov.s32 $0, 1; @!p mov.s32 $0, 2; }",
            "{\n\t.reg .f16 low, high; // both halves\n\tmov.b32 {low, high}, $1;\n\tcvt.f32.f16 $0, low;}\n",
            "mov.b64 $0, {$1, $2};",
            "mov.b64 {$0,$1}, $2;",
            "add.cc.u32 $0, $2, $3; addc.cc.u32 $1, $4, $5; madc.hi.u32 $1, $2, $3, 0;",
            "mov.u32 $0, %ctaid.x;",
            "{ .reg.b8 low; cvt.rzi.s8.bf16 low, $1; mov.b16 $0, {low, 0}; }",
            "add.s32 $0, $1, $2",
            "vmax4.s32.s32.s32 $0,$1,$2,$3;",
            "/* both */ add.s32 $0, $1, $2; /* and */",
            "/* // */ add.s32 $0, $1, $2; // exit; /*\n add.s32 $0, $0, 1;",
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
            "/* see https://a.b/c */ shfl.sync.bfly.b32 $0, $1, 1, 0x1f, -1;",
            "mov.b32 $0, $1; // not /* here\n exit;",
            "movmatrix.sync.aligned.m8n8.trans.b16 $0, $1;",
            "call (f), g, (h);",
            "mov.b32 {$0, $1}, $2; exit",
            "{ mov.b32 $0, $1; } trap;",
            "redux.sync.add.s32 $0, $1, -1;",
            // Carries between two statements.
            "add.cc.u32 $0, $1, $2;",
            "addc.u32 $0, $1, $2;",
            "add.cc.u32 $0, $2, $3; addc.cc.u32 $1, $4, $5;",
            "add.cc.u32 $0, $2, $3; addc.u32 $1, $4, $5; addc.u32 $1, $4, $5;",
        ];
        for text in else_ {
            assert!(!is_arithmetic(text), "{text}");
        }
    }

    #[test]
    fn names_are_declared_for_blocks_or_functions() {
        let once = [
            ".reg .pred p; setp.ne.s32 p, $0, 0;",
            "again: add.s32 $0, $0, 1; @p bra again;",
            "{ mov.b32 $0, $1; } .reg .b32 t;",
        ];
        let often = [
            "{ .reg .pred p; again: add.s32 $0, $0, 1; @p bra again; }",
            "done${:uid}: mov.b32 $0, $1;",
            "mov.b64 {$0,$1}, $2;",
        ];
        assert_eq!(once.map(stands_once), [true; 3]);
        assert_eq!(often.map(stands_once), [false; 3]);
    }

    #[test]
    fn instructions_are_found_by_their_opcodes() {
        let bars = |text| has(text, &["bar", "barrier"]);
        assert!(bars("{ .reg .pred p; @p bar.sync 1, 64; }"));
        assert!(bars("barrier.sync.aligned 0;"));
        assert!(!bars("mbarrier.arrive.shared.b64 _, [$0]; // bar"));
    }
}
