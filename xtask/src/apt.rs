//! Debian's packages.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::project;

/// Installs Debian packages by apt-get, as root or through sudo.
pub fn install(packages: &[&str]) -> Result<()> {
    let by_hand = format!("apt-get install -y {}", packages.join(" "));
    if !project::starts("apt-get", "--version") {
        bail!(
            "LLVM 22 is not installed and this system has no apt-get: install LLVM 22.1 and set LLVM_SYS_221_PREFIX"
        );
    }
    let root = project::capture(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if !root && !sudo() {
        bail!(
            "missing packages and no root: run `sudo {by_hand}`, or set LLVM_SYS_221_PREFIX to an LLVM 22.1"
        );
    }
    let apt = |arguments: &[&str]| {
        let mut command = Command::new(if root { "apt-get" } else { "sudo" });
        if !root {
            command.args(["-n", "apt-get"]);
        }
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
            .args(["-q", "-o", "Acquire::Retries=3"])
            .args(arguments);
        project::run(&mut command)
    };
    eprintln!(
        "setup: installing {} (a few minutes the first time)",
        packages.join(" ")
    );
    // The package lists may be absent (containers) or old; a mirror that fails here may still
    // have what install needs, so only the install decides.
    let _ = apt(&["update"]);
    let mut arguments = vec!["install", "-y", "--no-install-recommends"];
    arguments.extend(packages);
    apt(&arguments).with_context(|| {
        format!("packages cannot be installed: check the network, or run `{by_hand}` as root (LLVM 22 is also at apt.llvm.org)")
    })
}

/// Whether sudo works without asking.
fn sudo() -> bool {
    Command::new("sudo")
        .args(["-n", "true"])
        .stderr(std::process::Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}
