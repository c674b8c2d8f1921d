//! Shared by the tests: device IR as text, with the declarations every kernel may need.

#![allow(dead_code)]

use mesi_launch::Case;
use mesi_oracle::{Checks, Defect, Explicit, Kernel, Outcome, Program, Schedule};

/// Puts declarations around a kernel's text.
pub fn module(text: &str) -> String {
    format!(
        r#"target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
{text}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare void @llvm.nvvm.cp.async.wait.all()
declare void @llvm.assume(i1)
declare void @llvm.trap()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"#
    )
}

/// The program of a kernel's text.
pub fn program(text: &str) -> Program {
    let text = module(text);
    Program::parse("test.ll", text.as_bytes(), Kernel::Only)
        .unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A launch: grid, block, dynamic shared bytes, arguments as on the command line.
pub fn case(grid: &str, block: &str, shared: u32, args: &[&str]) -> Case {
    let args = args.iter().map(|a| a.to_string()).collect();
    Explicit {
        grid: grid.into(),
        block: block.into(),
        shared,
        args,
    }
    .case()
    .expect("a good launch")
}

/// Runs forward under the full checker.
pub fn check(text: &str, case: &Case) -> Outcome {
    program(text)
        .run(case, Schedule::Forward, Checks::Full)
        .expect("the kernel runs")
}

/// The defects found, in order.
pub fn defects(outcome: &Outcome) -> Vec<Defect> {
    outcome.reports.iter().map(|r| r.defect).collect()
}

/// A buffer as i32 elements.
pub fn ints(outcome: &Outcome, buffer: usize) -> Vec<i32> {
    outcome.buffers[buffer]
        .bytes
        .chunks(4)
        .map(|b| i32::from_le_bytes(b.try_into().expect("4 bytes")))
        .collect()
}

/// A buffer as f32 elements.
pub fn floats(outcome: &Outcome, buffer: usize) -> Vec<f32> {
    ints(outcome, buffer)
        .into_iter()
        .map(|v| f32::from_bits(v as u32))
        .collect()
}
