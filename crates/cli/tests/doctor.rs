//! `mesi doctor` in machines that are not well: each fault is one line with a cure, and status 1.

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{cuda, ended, llvm, mesi, plugin};

/// A folder of tools that are not what they should be.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for sub in [
            "bin",
            "llvm/bin",
            "cuda/bin",
            "cuda/include",
            "cuda/nvvm/libdevice",
        ] {
            std::fs::create_dir_all(folder.path().join(sub)).unwrap();
        }
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A copy of the real clang in a folder without its companions.
    fn lonely_clang(&self) {
        let real = llvm().join("bin/clang").canonicalize().unwrap();
        std::fs::copy(real, self.path("llvm/bin/clang++")).unwrap();
    }

    /// The doctor's lines here; `own` says which folder of this machine stands for LLVM.
    fn doctor(&self, words: &str, variables: &[(&str, &Path)]) -> (i32, String) {
        let mut command = mesi("doctor");
        command.args(words.split(' ').filter(|w| !w.is_empty()));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.path("bin")).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).unwrap());
        if !words.contains("--plugin") {
            command.arg("--plugin").arg(plugin());
        }
        command.envs(variables.iter().copied());
        let (status, out, err) = ended(&mut command);
        assert_eq!(err, "");
        (status, out)
    }

    fn fault(&self, words: &str, variables: &[(&str, &Path)], parts: &[&str]) {
        let (status, out) = self.doctor(words, variables);
        assert_eq!(status, 1, "{out}");
        let line = out
            .lines()
            .find(|l| l.starts_with("FAULT") && l.contains(parts[0]));
        let line = line.unwrap_or_else(|| panic!("no fault has {:?}:\n{out}", parts[0]));
        for part in parts {
            assert!(line.contains(part), "{part}: {line}");
        }
        assert!(line.contains(" -> "), "no cure: {line}");
    }
}

#[test]
fn a_machine_that_builds_is_well() {
    let (status, out) = Machine::new().doctor("--build", &[]);
    assert_eq!(status, 0, "{out}");
    assert!(
        out.contains("ok    a kernel: compiled, staged and linked"),
        "{out}"
    );
    assert!(!out.contains("FAULT"), "{out}");
}

#[test]
fn clang_of_another_major() {
    let machine = Machine::new();
    machine.script("llvm/bin/clang++", "echo 'Debian clang version 21.1.0 (1)'");
    let llvm = machine.path("llvm");
    machine.fault(
        "--build",
        &[("LLVM_SYS_221_PREFIX", &llvm)],
        &["clang version 21.1.0", "LLVM 22"],
    );
}

#[test]
fn clang_with_llvm_inside() {
    let machine = Machine::new();
    let source = machine.path("clang.c");
    std::fs::write(
        &source,
        "#include <stdio.h>\nint main(void) { puts(\"clang version 22.1.8\"); }\n",
    )
    .unwrap();
    let made = Command::new(llvm().join("bin/clang"))
        .arg(&source)
        .arg("-o")
        .arg(machine.path("llvm/bin/clang++"))
        .status();
    assert!(made.unwrap().success());
    let llvm = machine.path("llvm");
    machine.fault(
        "--build",
        &[("LLVM_SYS_221_PREFIX", &llvm)],
        &["static build", "clang-22"],
    );
}

#[test]
fn no_linker_wrapper() {
    let machine = Machine::new();
    machine.lonely_clang();
    let (prefix, empty, libraries) = (
        machine.path("llvm"),
        machine.path("bin"),
        llvm().join("lib"),
    );
    let variables: [(&str, &Path); 3] = [
        ("LLVM_SYS_221_PREFIX", &prefix),
        ("PATH", &empty),
        ("LD_LIBRARY_PATH", &libraries),
    ];
    machine.fault(
        "--build",
        &variables,
        &["clang-linker-wrapper is not there", "clang-tools-22"],
    );
}

#[test]
fn no_driver() {
    let machine = Machine::new();
    machine.script("bin/nvidia-smi", "echo 'NVIDIA-SMI has failed'; exit 9");
    machine.fault("", &[], &["no NVIDIA driver answers", "--build"]);
}

#[test]
fn an_old_driver() {
    let machine = Machine::new();
    machine.script("bin/nvidia-smi", "echo '470.82.01, 8.0, NVIDIA A100'");
    machine.fault("", &[], &["470.82.01 is too old", "or later"]);
}

#[test]
fn a_toolkit_that_clang_does_not_read() {
    let machine = Machine::new();
    for file in ["bin/ptxas", "nvvm/libdevice/libdevice.10.bc"] {
        std::fs::write(machine.path("cuda").join(file), "").unwrap();
    }
    let toolkit = machine.path("cuda");
    for (version, shown) in [("11080", "11.8"), ("13020", "13.2")] {
        std::fs::write(
            toolkit.join("include/cuda.h"),
            format!("#define CUDA_VERSION {version}\n"),
        )
        .unwrap();
        machine.fault(
            "--build",
            &[("CUDA_PATH", &toolkit)],
            &[shown, "12.0 to 13.0"],
        );
    }
    std::fs::remove_file(toolkit.join("include/cuda.h")).unwrap();
    machine.fault(
        "--build",
        &[("CUDA_PATH", &toolkit)],
        &["has no include/cuda.h"],
    );
}

#[test]
fn the_plug_in_loaded_twice() {
    let machine = Machine::new();
    let flags = PathBuf::from("-Xcompiler -fpass-plugin=/elsewhere/libmesi.so");
    machine.fault(
        "--build",
        &[("NVCC_APPEND_FLAGS", &flags)],
        &["NVCC_APPEND_FLAGS loads it, too", "take it out"],
    );
    machine.lonely_clang();
    std::fs::write(
        machine.path("llvm/bin/clang++.cfg"),
        "-fpass-plugin=/elsewhere/libmesi.so\n",
    )
    .unwrap();
    let (prefix, libraries) = (machine.path("llvm"), llvm().join("lib"));
    let variables: [(&str, &Path); 2] = [
        ("LLVM_SYS_221_PREFIX", &prefix),
        ("LD_LIBRARY_PATH", &libraries),
    ];
    machine.fault("--build", &variables, &["clang++.cfg loads it, too"]);
}

#[test]
fn a_plug_in_that_cannot_be_read() {
    let machine = Machine::new();
    let torn = machine.path("libmesi.so");
    std::fs::write(&torn, "\x7fELF torn").unwrap();
    machine.fault(
        &format!("--build --plugin {}", torn.display()),
        &[],
        &["cannot be read", "644"],
    );
    let absent = machine.path("absent.so");
    machine.fault(
        &format!("--build --plugin {}", absent.display()),
        &[],
        &["absent.so is not there"],
    );
    let other = cuda().join("bin/ptxas");
    machine.fault(
        &format!("--build --plugin {}", other.display()),
        &[],
        &["is made for ", "clang loads libLLVM"],
    );
}

#[test]
fn scripts_read_json() {
    let machine = Machine::new();
    let (status, out) = machine.doctor("--build --json", &[]);
    let findings: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(status, 0, "{out}");
    assert!(
        findings
            .as_array()
            .unwrap()
            .iter()
            .all(|f| f["state"] == "good" || f["state"] == "note")
    );
}
