//! Finds a GPU and runs the demo's kernels on it, through a small bundle of the bench.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use mesi_launch::Corpus;

use crate::bench::bundle::{self, Recipe};
use crate::compile::Variant;
use crate::project;
use crate::setup::Toolchain;

/// A GPU by its compute capability.
#[derive(Debug, PartialEq, Eq)]
pub struct Gpu {
    major: u32,
    minor: u32,
}

/// The first GPU that the driver lists.
pub fn find() -> Option<Gpu> {
    let mut smi = Command::new("nvidia-smi");
    smi.args(["--query-gpu=compute_cap", "--format=csv,noheader"]);
    parse(project::capture(&mut smi).ok()?.lines().next()?)
}

fn parse(capability: &str) -> Option<Gpu> {
    let (major, minor) = capability.trim().split_once('.')?;
    Some(Gpu {
        major: major.parse().ok()?,
        minor: minor.parse().ok()?,
    })
}

impl Gpu {
    /// As `sm_90`.
    pub fn arch(&self) -> String {
        format!("sm_{}{}", self.major, self.minor)
    }

    /// The best of `archs` whose cubins this GPU runs: same major version, no later minor one.
    pub fn choose<'a>(&self, archs: &'a [String]) -> Option<&'a String> {
        let minor = |arch: &String| {
            let number: u32 = arch.strip_prefix("sm_")?.parse().ok()?;
            (number / 10 == self.major && number % 10 <= self.minor).then_some(number % 10)
        };
        archs
            .iter()
            .filter(|a| minor(a).is_some())
            .max_by_key(|a| minor(a))
    }
}

/// Runs every kernel without and with the plug-in at its large size; prints bits and times.
pub fn compare(
    tools: &Toolchain,
    kernels: &[Corpus],
    arch: &str,
    folder: &Path,
    mesi: &Variant,
) -> Result<()> {
    let plain = Variant::plain("clang");
    let subject = Variant {
        name: "mesi".into(),
        ..mesi.clone()
    };
    bundle::build(&Recipe {
        tools,
        folder,
        arch,
        profile: "release",
        kernels,
        variants: &[plain, subject],
        peers: false,
    })?;
    project::run(Command::new(folder.join("run")).arg("--quick"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubin_runs_on_its_major_version_only() {
        let archs = ["sm_80", "sm_86", "sm_90"].map(String::from);
        let gpu = |text| parse(text).unwrap();
        assert_eq!(gpu("9.0").choose(&archs), Some(&archs[2]));
        assert_eq!(gpu("8.9").choose(&archs), Some(&archs[1]));
        assert_eq!(gpu("8.0").choose(&archs), Some(&archs[0]));
        assert_eq!(gpu("12.0").choose(&archs), None);
        assert_eq!(gpu("12.0").arch(), "sm_120");
        assert_eq!(parse("N/A"), None);
    }
}
