//! Gates asked as the host asks them, and held against the body that a version comes to.

mod common;

use std::process::Command;

use common::{case, ints, module};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use mesi_launch::Gate;
use mesi_oracle::{Checks, Kernel, Outcome, Program, Schedule};

/// A kernel that is staged for 8 elements and more.
const KERNEL: &str = "
define ptx_kernel void @k(ptr %p, i32 %n) {
  %many = icmp sge i32 %n, 8
  br i1 %many, label %body, label %original, !mesi.dispatch !0
original:
  store i32 1, ptr %p
  ret void
body:
  store i32 2, ptr %p
  ret void
}
!0 = !{}
";

/// A gate that is open from `least` elements on, in blocks of less than 64 threads.
fn gate(least: u32) -> Vec<u8> {
    let text = format!(
        "define zeroext i1 @\"k$gate\"(ptr %args, ptr %launch) {{
  %slot = getelementptr ptr, ptr %args, i64 1
  %at = load ptr, ptr %slot
  %n = load i32, ptr %at, align 1
  %many = icmp sge i32 %n, {least}
  %x = load i32, ptr %launch
  %light = icmp ult i32 %x, 64
  %both = and i1 %many, %light
  ret i1 %both
}}"
    );
    let context = Context::create();
    let text = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "gate");
    let module = context.create_module_from_ir(text).expect("good IR");
    module.write_bitcode_to_memory().as_slice().to_vec()
}

/// The module with `record` as the kernel's gate.
fn gated(record: &[u8]) -> String {
    let bytes: String = record.iter().map(|b| format!("\\{b:02X}")).collect();
    let length = record.len();
    module(&format!(
        "@\"k$gate\" = addrspace(1) constant [{length} x i8] c\"{bytes}\", align 1\n{KERNEL}"
    ))
}

fn with_gate(least: u32) -> String {
    let (kernel, bitcode) = ("k".into(), gate(least));
    gated(
        &Gate {
            kernel,
            needs: [0; 7],
            bitcode,
        }
        .record(),
    )
}

fn run(text: &str, block: &str, shared: u32, n: u32) -> Outcome {
    let mut program = Program::parse("k.ll", text.as_bytes(), Kernel::Only).expect("it loads");
    let case = case("2", block, shared, &["buf:i32:4", &format!("i32:{n}")]);
    program
        .run(&case, Schedule::Forward, Checks::Full)
        .expect("it runs")
}

#[test]
fn a_gate_is_asked_with_arguments_and_launch() {
    let text = with_gate(8);
    for (block, n, gate, served) in [
        ("32", 7, false, false),
        ("32", 8, true, true),
        ("64", 8, false, true),
    ] {
        let outcome = run(&text, block, 0, n);
        assert_eq!(
            (outcome.gate, outcome.served),
            (Some(gate), served),
            "{block} {n}"
        );
        assert_eq!(ints(&outcome, 0)[0], 1 + i32::from(served));
    }
}

#[test]
fn a_gate_is_asked_with_dynamic_shared_memory_too() {
    let outcome = run(&module(KERNEL), "32", 0, 8);
    assert_eq!((outcome.gate, outcome.served), (None, true));
    assert_eq!(run(&with_gate(8), "32", 16, 7).gate, Some(false));
}

#[test]
fn the_command_fails_where_a_served_launch_is_turned_away() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("k.ll");
    let said = |least: u32| {
        std::fs::write(&file, with_gate(least)).expect("it can be written");
        let mut oracle = Command::new(env!("CARGO_BIN_EXE_mesi-oracle"));
        oracle.arg("gate").arg(&file);
        oracle.args(["--arg", "buf:i32:4", "--arg", "i32:8"]);
        let output = oracle.output().expect("it starts");
        let text = String::from_utf8(output.stdout).expect("text");
        (output.status.code(), text)
    };
    let (code, text) = said(8);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.ends_with(
        "k: 0 versions, 1 cases, 0 launches of versions, 0 turned away by gates, 1 served, 0 in other blocks, 0 wrong\n"
    ));
    let (code, text) = said(16);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("turned away, and a body of the plug-in serves it"),
        "{text}"
    );
}

/// A kernel that stores `stored`, and is launched in one block of 16 threads whatever the launch says.
fn regrouped(stored: &str) -> String {
    let text = "define zeroext i1 @\"k$blocks.x$gate\"(ptr %args, ptr %launch) {
  store i32 16, ptr %launch
  ret i1 true
}";
    let context = Context::create();
    let text = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "blocks");
    let code = context.create_module_from_ir(text).expect("good IR");
    let bitcode = code.write_bitcode_to_memory().as_slice().to_vec();
    let kernel = "k$blocks.x".into();
    let record = Gate {
        kernel,
        needs: [0; 7],
        bitcode,
    }
    .record();
    let bytes: String = record.iter().map(|b| format!("\\{b:02X}")).collect();
    module(&format!(
        "@\"k$blocks.x$gate\" = addrspace(1) constant [{} x i8] c\"{bytes}\", align 1
define ptx_kernel void @k(ptr %p, i32 %n) {{
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store i32 {stored}, ptr %p
  ret void
}}",
        record.len()
    ))
}

#[test]
fn the_command_fails_where_other_blocks_give_other_bits() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("k.ll");
    let said = |stored: &str, shared: &str| {
        std::fs::write(&file, regrouped(stored)).expect("it can be written");
        let mut oracle = Command::new(env!("CARGO_BIN_EXE_mesi-oracle"));
        oracle.arg("gate").arg(&file).args(["--block", "32"]);
        oracle.args(["--shared", shared]);
        oracle.args(["--arg", "buf:i32:4", "--arg", "i32:8"]);
        let output = oracle.output().expect("it starts");
        let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        (output.status.code(), text)
    };
    let (code, text) = said("%n", "0");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.ends_with("1 in other blocks, 0 wrong\n"), "{text}");
    let (code, text) = said("%threads", "0");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("in blocks of [16, 1, 1]"), "{text}");
    // Launches with dynamic shared memory stay as they are.
    let (code, text) = said("%threads", "16");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.ends_with("0 in other blocks, 0 wrong\n"), "{text}");
}

#[test]
fn a_version_is_taken_by_its_name_only() {
    let version = KERNEL
        .replace("@k(", "@\"k$mesi$0\"(")
        .replace("!0 = !{}", "");
    let text = module(&(version + KERNEL));
    let picked = |kernel| {
        let program = Program::parse("k.ll", text.as_bytes(), kernel);
        program.expect("it loads").kernel
    };
    assert_eq!(picked(Kernel::Only), "k");
    assert_eq!(picked(Kernel::Named("k")), "k");
    assert_eq!(picked(Kernel::Named("k$mesi$0")), "k$mesi$0");
}

/// The kernel stores 1, its version with the gate of `gate(least)` stores `stored` where it is served.
fn beside(least: u32, stored: u32) -> String {
    let (name, bitcode) = ("k$mesi$0", gate(least));
    let context = Context::create();
    let text = context.create_module_from_ir(MemoryBuffer::create_from_memory_range_copy(
        &bitcode, "gate",
    ));
    let text = text.expect("good IR").print_to_string().to_string();
    let text = text.replace("k$gate", "k$mesi$0$gate");
    let text = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "gate");
    let code = context.create_module_from_ir(text).expect("good IR");
    let record = Gate {
        kernel: name.into(),
        needs: [0; 7],
        bitcode: code.write_bitcode_to_memory().as_slice().to_vec(),
    }
    .record();
    let bytes: String = record.iter().map(|b| format!("\\{b:02X}")).collect();
    let version = KERNEL
        .replace("@k(", "@\"k$mesi$0\"(")
        .replace("store i32 2", &format!("store i32 {stored}"));
    module(&format!(
        "@\"k$mesi$0$gate\" = addrspace(1) constant [{} x i8] c\"{bytes}\", align 1
define ptx_kernel void @k(ptr %p, i32 %n) {{
  store i32 1, ptr %p
  ret void
}}
{version}",
        record.len()
    ))
}

#[test]
fn the_command_holds_versions_against_the_kernel() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("k.ll");
    let said = |least: u32, stored: u32| {
        std::fs::write(&file, beside(least, stored)).expect("it can be written");
        let mut oracle = Command::new(env!("CARGO_BIN_EXE_mesi-oracle"));
        oracle.arg("gate").arg(&file);
        oracle.args(["--arg", "buf:i32:4", "--arg", "i32:8"]);
        let output = oracle.output().expect("it starts");
        let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        (output.status.code(), text)
    };
    let (code, text) = said(8, 1);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("k: 1 versions, 1 cases, 1 launches"),
        "{text}"
    );
    let (code, text) = said(8, 2);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("k$mesi$0: ") && text.contains("is 1 in the first and 2"),
        "{text}"
    );
    let (code, text) = said(16, 1);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("turned away, and a body of the plug-in serves it"),
        "{text}"
    );
}

#[test]
fn what_is_no_gate_of_the_kernel_is_refused() {
    let refusal = |record: &[u8]| {
        let text = gated(record);
        let program = Program::parse("k.ll", text.as_bytes(), Kernel::Only);
        program.err().expect("it is refused").to_string()
    };
    let of = |kernel: &str, bitcode: Vec<u8>| {
        let kernel = kernel.into();
        Gate {
            kernel,
            needs: [0; 7],
            bitcode,
        }
        .record()
    };
    assert_eq!(
        refusal(&of("other", gate(8))),
        "k.ll: k$gate: it is the gate of other"
    );
    assert_eq!(refusal(b"nothing"), "k.ll: k$gate: it holds 0 gates");
    assert!(refusal(b"MESIGATE").contains("lacks its name's length"));
    let broken = refusal(&of("k", b"BC\xc0\xde broken".to_vec()));
    assert!(
        broken.starts_with("k$gate: ") && !broken.contains('\n'),
        "{broken}"
    );
}
