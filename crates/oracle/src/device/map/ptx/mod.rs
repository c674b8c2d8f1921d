//! Inline PTX: a template is read instruction by instruction and built as IR.
//!
//! Covers what clang, libdevice and the CUDA headers write as assembly: cached loads and stores, half
//! precision, carries, bit fields, approximations, special registers. Any other instruction is refused by name.

mod memory;
mod text;
mod value;

use std::collections::HashMap;

use inkwell::llvm_sys as llvm;
use llvm::core::*;

use crate::device::ir::{self, Type, Value};
use crate::device::rewrite::Rewriter;
use crate::error::Result;
use text::{constant, split_opcode, split_operands, statements};

/// Values of `$0`, `$1`, ... and of registers the template declares.
struct Frame {
    values: HashMap<String, Value>,
    /// Carry flag of `.cc` instructions, as i1.
    carry: Option<Value>,
    call: Value,
}

impl Rewriter<'_> {
    /// Replaces an inline assembly call by what its template does.
    pub(super) fn map_ptx(&mut self, i: Value) -> Result<()> {
        let callee = ir::callee(i);
        let (mut len, mut constraints_len) = (0, 0);
        // SAFETY: inline assembly; the texts are valid for their lengths.
        let (text, constraints) = unsafe {
            let text = LLVMGetInlineAsmAsmString(callee, &mut len);
            let constraints = LLVMGetInlineAsmConstraintString(callee, &mut constraints_len);
            let read = |p: *const std::os::raw::c_char, n| {
                String::from_utf8_lossy(std::slice::from_raw_parts(p.cast(), n)).into_owned()
            };
            (read(text, len), read(constraints, constraints_len))
        };
        self.builder.before(i);
        let outputs = constraints
            .split(',')
            .filter(|c| c.starts_with('='))
            .count();
        let mut frame = Frame {
            values: HashMap::new(),
            carry: None,
            call: i,
        };
        for (n, arg) in ir::call_args(i).into_iter().enumerate() {
            frame.values.insert(format!("${}", outputs + n), arg);
            if let Some(tied) = constraints
                .split(',')
                .nth(outputs + n)
                .filter(|c| c.parse::<u32>().is_ok())
            {
                frame.values.insert(format!("${tied}"), arg);
            }
        }
        let body = text.replace("$$", "%%").replace(['\n', '\t', '\r'], " ");
        for statement in statements(&body) {
            if self.ptx_synchronize(&frame, statement)? {
                continue;
            }
            if self.ptx_statement(&mut frame, statement).is_none() {
                return Err(self.refuse(
                    i,
                    &format!("inline assembly `{}` is not mapped", statement.trim()),
                ));
            }
        }
        self.ptx_outputs(&frame, outputs)
    }

    /// `cp.async` and barriers; whether `statement` was one.
    fn ptx_synchronize(&mut self, frame: &Frame, statement: &str) -> Result<bool> {
        let (opcode, rest) = split_opcode(statement);
        let operands = split_operands(rest);
        let word = self.context.int(32);
        let read = |s: &Self, n: usize| operands.get(n).and_then(|o| s.ptx_read(frame, o, word));
        let address = |n: usize| {
            let inner = operands.get(n)?.strip_prefix('[')?.strip_suffix(']')?;
            frame.values.get(inner).copied()
        };
        let zero = self.builder.i32(0);
        match opcode {
            "cp.async.commit_group" => self.emit_wait(None),
            "cp.async.wait_all" => self.emit_wait(Some(self.builder.i32(u32::MAX))),
            "cp.async.wait_group" => match read(self, 0) {
                Some(keep) => self.emit_wait(Some(keep)),
                None => return Ok(false),
            },
            "bar.sync"
            | "barrier.sync"
            | "barrier.cta.sync"
            | "barrier.sync.aligned"
            | "bar.arrive"
            | "barrier.arrive" => {
                let id = read(self, 0).unwrap_or(zero);
                let count = read(self, 1).unwrap_or(zero);
                self.emit_barrier(frame.call, id, count, opcode.ends_with("arrive"))?;
            }
            _ if opcode.starts_with("cp.async.c") && opcode.contains(".shared.global") => {
                let (Some(to), Some(from), Some(width)) = (address(0), address(1), read(self, 2))
                else {
                    return Ok(false);
                };
                let Some(width) = constant(width) else {
                    return Ok(false);
                };
                let used = read(self, 3).unwrap_or(self.builder.i32(width));
                self.emit_copy(frame.call, to, from, width, used)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn ptx_outputs(&mut self, frame: &Frame, outputs: usize) -> Result<()> {
        let (i, ty) = (frame.call, ir::type_of(frame.call));
        let output = |s: &Self, n: usize, ty: Type| {
            frame.values.get(&format!("${n}")).map(|v| s.ptx_as(*v, ty))
        };
        match outputs {
            0 => ir::erase(i),
            1 => match output(self, 0, ty) {
                Some(value) => ir::replace(i, value),
                None => {
                    return Err(self.refuse(
                        i,
                        "inline assembly that leaves its output unset is not mapped",
                    ));
                }
            },
            _ => {
                let mut all = ir::undef(ty);
                for n in 0..outputs {
                    // SAFETY: a struct with one member per output.
                    let member = unsafe { LLVMStructGetTypeAtIndex(ty, n as u32) };
                    match output(self, n, member) {
                        Some(value) => all = self.builder.insert(all, value, n as u32),
                        None => {
                            return Err(self.refuse(
                                i,
                                "inline assembly that leaves an output unset is not mapped",
                            ));
                        }
                    }
                }
                ir::replace(i, all);
            }
        }
        Ok(())
    }

    /// Builds one instruction; `None` if it is not known.
    fn ptx_statement(&mut self, frame: &mut Frame, statement: &str) -> Option<()> {
        let statement = statement.trim();
        if statement.is_empty() || statement.starts_with(".reg") || statement.starts_with("//") {
            return Some(());
        }
        if statement.starts_with('@') {
            return None;
        }
        let (opcode, rest) = statement
            .split_once(char::is_whitespace)
            .unwrap_or((statement, ""));
        let parts: Vec<&str> = opcode.split('.').collect();
        let operands = split_operands(rest);
        match parts[0] {
            "membar" | "fence" | "prefetch" | "prefetchu" | "nanosleep" | "pmevent" => Some(()),
            "ld" | "ldu" => self.ptx_load(frame, &parts, &operands),
            "st" => self.ptx_store(frame, &parts, &operands),
            "mov" => self.ptx_move(frame, &parts, &operands),
            _ => {
                let value = self.ptx_value(frame, &parts, &operands)?;
                frame.values.insert(operands.first()?.to_string(), value);
                Some(())
            }
        }
    }
}
