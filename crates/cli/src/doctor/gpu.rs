//! The driver and the GPU, by nvidia-smi: the only program that every driver brings.

use std::process::Command;

use super::finding::Finding;
use crate::tools::Cuda;

/// The first GPU.
#[derive(Debug)]
pub struct Gpu {
    /// `90`.
    pub chip: String,
}

/// The oldest drivers that run programs of a CUDA major version.
const LEAST: &[(u32, u32)] = &[(12, 525), (13, 580)];

/// Looks at both.
pub fn look(cuda: Option<&Cuda>, findings: &mut Vec<Finding>) -> Option<Gpu> {
    const DRIVER: &str = "driver";
    let query = [
        "--query-gpu=driver_version,compute_cap,name",
        "--format=csv,noheader",
    ];
    let said = Command::new("nvidia-smi").args(query).output().ok();
    let Some(said) = said.filter(|o| o.status.success()) else {
        let found = "no NVIDIA driver answers (nvidia-smi): programs can be built here, not run";
        let cure =
            "install the NVIDIA driver, or run mesi doctor --build on a machine that only builds";
        findings.push(Finding::fault(DRIVER, found, cure));
        return None;
    };
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    let mut fields = text.lines().next().unwrap_or("").splitn(3, ", ");
    let version = fields.next().unwrap_or("").trim().to_string();
    let chip = fields.next().unwrap_or("").trim().replace('.', "");
    let name = fields.next().unwrap_or("").trim().to_string();
    if name.is_empty() {
        findings.push(Finding::fault(
            "GPU",
            "the driver sees none",
            "look for it in lspci, and for errors in dmesg",
        ));
        return None;
    }
    let branch: u32 = version
        .split('.')
        .next()
        .and_then(|b| b.parse().ok())
        .unwrap_or(0);
    let major = cuda.map_or(12, |c| c.version.0);
    let least = LEAST
        .iter()
        .find(|(m, _)| *m == major)
        .map_or(0, |(_, l)| *l);
    if branch < least {
        let found = format!("{version} is too old for programs of CUDA {major}");
        findings.push(Finding::fault(
            DRIVER,
            found,
            format!("install driver {least} or later, or set CUDA_PATH to an older toolkit"),
        ));
        return None;
    }
    findings.push(Finding::good(DRIVER, version));
    findings.push(Finding::good("GPU", format!("{name}, sm_{chip}")));
    Some(Gpu { chip })
}
