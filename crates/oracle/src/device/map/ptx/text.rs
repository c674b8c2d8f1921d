//! Reads the text of an inline PTX template: statements, operands, braces.

use inkwell::llvm_sys as llvm;
use llvm::core::*;

use crate::device::ir::Value;

/// Opcode and operands of a statement.
pub(super) fn split_opcode(statement: &str) -> (&str, &str) {
    let statement = statement.trim();
    statement
        .split_once(char::is_whitespace)
        .unwrap_or((statement, ""))
}

/// Value of an integer constant.
pub(super) fn constant(value: Value) -> Option<u32> {
    // SAFETY: a query, and the value of what it says is an integer constant.
    unsafe {
        if LLVMIsAConstantInt(value).is_null() {
            return None;
        }
        Some(LLVMConstIntGetZExtValue(value) as u32)
    }
}

/// Statements of a template: split at `;`, with the braces of scopes (not of vectors) removed.
pub(super) fn statements(body: &str) -> Vec<&str> {
    let scope = |s: &str| s.trim_start().starts_with('{') && !s.contains('}');
    body.split(';')
        .map(|s| {
            let mut s = s.trim();
            while scope(s) || s.starts_with('}') || s.starts_with("{ ") || s.starts_with("{.") {
                s = s[1..].trim_start();
            }
            // `{add.f16 $0,$1,$2;}`: the brace belongs to the scope when an opcode follows it.
            match s.strip_prefix('{') {
                Some(rest) if rest.starts_with(|c: char| c.is_ascii_lowercase()) => rest,
                _ => s,
            }
        })
        .filter(|s| !s.is_empty() && *s != "}")
        .collect()
}

/// Operands split at commas outside braces and brackets.
pub(super) fn split_operands(text: &str) -> Vec<String> {
    let (mut all, mut depth, mut current) = (Vec::new(), 0, String::new());
    for c in text.chars() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                all.push(std::mem::take(&mut current));
                continue;
            }
            _ => {}
        }
        current.push(c);
    }
    all.push(current);
    all.iter()
        .map(|s| s.split_whitespace().collect::<String>())
        .filter(|s| !s.is_empty())
        .collect()
}

/// `{a,b}` as its members, anything else as itself.
pub(super) fn members(operand: &str) -> Vec<String> {
    match operand.strip_prefix('{').and_then(|o| o.strip_suffix('}')) {
        Some(inner) => inner.split(',').map(|s| s.trim().to_string()).collect(),
        None => vec![operand.to_string()],
    }
}
