//! That the plug-in can build it.

use std::process::Command;

use mesi_rt_tests::sources;

#[test]
fn bitcode_is_made_for_both_machines_without_their_headers() {
    let clang = "/usr/lib/llvm-22/bin/clang";
    if !std::path::Path::new(clang).exists() {
        eprintln!("skipped, since there is no {clang}");
        return;
    }
    for target in ["x86_64-linux-gnu", "aarch64-linux-gnu"] {
        let mut command = Command::new(clang);
        command.args("-O2 -ffreestanding -fPIC -fno-stack-protector -emit-llvm -c -nostdinc -Wall -Wextra -Werror".split(' '));
        // Freestanding headers are the compiler's own.
        let own = Command::new(clang)
            .arg("-print-resource-dir")
            .output()
            .expect("does not run");
        let own = String::from_utf8(own.stdout).expect("not UTF-8");
        command
            .arg("-isystem")
            .arg(format!("{}/include", own.trim()));
        command
            .arg(format!("--target={target}"))
            .arg(sources().join("mesi_rt.c"));
        let output = command
            .args(["-o", "/dev/null"])
            .output()
            .expect("does not run");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{target}: {errors}");
    }
}
