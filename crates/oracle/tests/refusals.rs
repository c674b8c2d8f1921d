//! Input that cannot be run: one line that says what and where, and exit status 2 from the command.

mod common;

use std::process::{Command, Output};

use common::{case, module};
use mesi_oracle::{Checks, Kernel, Program, Schedule};

/// The error of loading and running a kernel.
fn refusal(text: &str, args: &[&str]) -> String {
    let run = || {
        let mut program = Program::parse("bad.ll", text.as_bytes(), Kernel::Only)?;
        program.run(&case("1", "1", 0, args), Schedule::Forward, Checks::Full)
    };
    let error = run().expect_err("must be refused").to_string();
    assert!(!error.contains('\n'), "one line: {error}");
    assert!(error.starts_with("bad.ll"), "names the file: {error}");
    error
}

fn kernel(body: &str) -> String {
    module(&format!(
        "define ptx_kernel void @k(ptr %p, i32 %n) {{\n  {body}\n  ret void\n}}"
    ))
}

const ARGS: [&str; 2] = ["buf:f32:4", "i32:4"];

#[test]
fn unknown_intrinsics_functions_and_assembly_are_named_with_their_place() {
    let tensor = format!(
        "{}declare void @llvm.nvvm.tcgen05.relinquish.alloc.permit.cg1()\n",
        kernel("call void @llvm.nvvm.tcgen05.relinquish.alloc.permit.cg1()")
    );
    assert_eq!(
        refusal(&tensor, &ARGS),
        "bad.ll: k instruction 0: intrinsic llvm.nvvm.tcgen05.relinquish.alloc.permit.cg1 is not mapped"
    );
    let function = format!(
        "{}declare i32 @elsewhere(i32)\n",
        kernel("%x = call i32 @elsewhere(i32 1)")
    );
    assert_eq!(
        refusal(&function, &ARGS),
        "bad.ll: k instruction 0: function elsewhere has no body and is not mapped"
    );
    let assembly = kernel(
        "%a = add i32 %n, 1\n  call void asm sideeffect \"frobnicate.b32 $0;\", \"r\"(i32 %a)",
    );
    assert_eq!(
        refusal(&assembly, &ARGS),
        "bad.ll: k instruction 1: inline assembly `frobnicate.b32 $0` is not mapped"
    );
    let pointer = kernel("call void %p()");
    assert!(refusal(&pointer, &ARGS).contains("call through a function pointer"));
}

#[test]
fn arguments_that_do_not_fit() {
    let text = kernel("");
    assert_eq!(
        refusal(&text, &["buf:f32:4"]),
        "bad.ll: kernel k takes 2 arguments, 1 are given"
    );
    assert_eq!(
        refusal(&text, &["i32:1", "i32:1"]),
        "bad.ll: kernel k: argument 0 (arg0) is a buffer, a scalar i32 is given"
    );
    assert_eq!(
        refusal(&text, &["buf:f32:4", "i64:1"]),
        "bad.ll: kernel k: argument 1 (arg1) is a scalar i32 of 4 bytes, a scalar i64 is given"
    );
    assert!(refusal(&text, &["buf:f32:4", "f32:1"]).contains("a scalar f32 is given"));
}

#[test]
fn files_that_are_not_device_ir() {
    assert!(refusal("hello", &[]).contains("not LLVM IR"));
    let host = "target triple = \"x86_64-unknown-linux-gnu\"\ndefine void @k() {\n  ret void\n}\n";
    assert!(refusal(host, &[]).contains("only device IR"));
    let none = "target triple = \"nvptx64-nvidia-cuda\"\ndefine void @k() {\n  ret void\n}\n";
    assert!(refusal(none, &[]).contains("no kernel in this file"));
    let two = kernel("") + "define ptx_kernel void @other() {\n  ret void\n}\n";
    assert!(refusal(&two, &[]).contains("give one of k, other"));
    let error = Program::load("/nonexistent.ll", Kernel::Only)
        .err()
        .expect("must be refused")
        .to_string();
    assert!(error.contains("/nonexistent.ll: cannot be read"), "{error}");
}

fn command(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mesi-oracle"))
        .args(args)
        .output()
        .expect("the command starts")
}

#[test]
fn the_command_exits_with_0_1_and_2() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let store = |index: &str, value: &str| {
        kernel(&format!(
            "%q = getelementptr float, ptr %p, i64 {index}\n  store float {value}, ptr %q, align 4"
        ))
    };
    let (good, bad, other) = (
        write("a.ll", &store("3", "1.0")),
        write("b.ll", &store("4", "1.0")),
        write("c.ll", &store("3", "2.0")),
    );
    let launch = ["--block", "1", "--arg", "buf:f32:4", "--arg", "i32:4"];
    let with = |first: &[&str]| command(&[first, &launch].concat());

    let clean = with(&["run", &good, "--schedule", "all"]);
    assert_eq!(
        (
            clean.status.code(),
            String::from_utf8_lossy(&clean.stdout).trim()
        ),
        (Some(0), "k: 1 cases x 5 schedules: clean")
    );
    let found = with(&["run", &bad]);
    assert_eq!(found.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&found.stdout).contains("out-of-bounds"));

    assert_eq!(with(&["diff", &good, &good]).status.code(), Some(0));
    let differs = with(&["diff", &good, &other]);
    assert_eq!(differs.status.code(), Some(1));
    let text = String::from_utf8_lossy(&differs.stdout).into_owned();
    assert!(text.contains("arg0[3] is 1 (0x3f800000) in the first and 2 (0x40000000) in the second; 1 elements differ"), "{text}");
    let new = with(&["diff", &good, &bad]);
    assert!(String::from_utf8_lossy(&new.stdout).contains("only in the second"));

    let counted = with(&["count", &good, "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&counted.stdout).unwrap();
    assert_eq!(
        (
            counted.status.code(),
            json["arrays"][0]["store_sectors"].as_u64()
        ),
        (Some(0), Some(1))
    );

    for refused in [
        command(&["run", &good, "--arg", "buf:f99:4"]),
        command(&["run", &good, "--block", "0"]),
        command(&["run", &good, "--schedule", "sideways"]),
        command(&["run", &good, "--kernel", "nobody"]),
        command(&["run", &good]),
        command(&["run", &write("d.ll", "not IR")]),
        command(&["run", &good, "--corpus", "/nonexistent.cu"]),
    ] {
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{message}");
        assert_eq!(message.trim().lines().count(), 1, "{message}");
        assert!(refused.stdout.is_empty());
    }
}
