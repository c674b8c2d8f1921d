//! Compiles a file's device code as `mesi nvcc` would, and keeps what the tools say of it.
//!
//! ```text
//! clang, plug-in, ptxas -v ─► remarks, registers and shared memory
//! clang without passes ─► opt, print<mesi-plan> ─► tiles and predictions
//! ```

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

use super::plan::{self, Plan};
use super::record::{self, Remark};
use super::usage::{self, Usage};
use crate::nvcc::Device;

/// What is known of one file.
pub struct Gathered {
    /// The plug-in's remarks.
    pub remarks: Vec<Remark>,
    /// What each kernel and version needs.
    pub usage: BTreeMap<String, Usage>,
    /// What is planned; empty where there is no opt.
    pub plans: Vec<Plan>,
    /// Why there are no plans.
    pub lacks: Option<String>,
}

/// Compiles it. `launches`: what the model is to predict besides, as the option `launch` takes it.
pub fn all(device: &Device, launches: &str) -> Result<Gathered> {
    let scratch = tempfile::Builder::new()
        .prefix("mesi-report-")
        .tempdir()
        .context("no folder for temporary files")?;
    let (remarks, usage) = compile(device, scratch.path())?;
    let (plans, lacks) = match plans(device, scratch.path(), launches) {
        Ok(plans) => (plans, None),
        Err(why) => (Vec::new(), Some(format!("{why:#}"))),
    };
    Ok(Gathered {
        remarks,
        usage,
        plans,
        lacks,
    })
}

fn compile(device: &Device, scratch: &Path) -> Result<(Vec<Remark>, BTreeMap<String, Usage>)> {
    let record = scratch.join("record.yaml");
    let mut clang = Command::new(&device.tools.clang);
    clang
        .args(&device.words)
        .arg(format!("-fpass-plugin={}", device.tools.plugin.display()))
        .args(&device.own)
        .args(["-Xcuda-ptxas", "-v"])
        .args([
            "-fsave-optimization-record",
            "-foptimization-record-passes=mesi",
        ])
        .arg(format!("-foptimization-record-file={}", record.display()))
        .args(["-c", "-x", "cuda", &device.source, "-o"])
        .arg(scratch.join("code.cubin"));
    let said = succeed(&mut clang, &device.source)?;
    // Without a kernel clang writes no record.
    let text = std::fs::read_to_string(&record).unwrap_or_default();
    let remarks =
        record::parse(&text).with_context(|| format!("clang's record of {}", device.source))?;
    Ok((remarks, usage::parse(&said)))
}

/// LLVM's passes up to where clang runs the plug-in, then the print.
fn plans(device: &Device, scratch: &Path, launches: &str) -> Result<Vec<Plan>> {
    let opt = device.tools.clang.with_file_name("opt");
    let opt = Some(opt)
        .filter(|o| o.is_file())
        .or_else(|| crate::tools::in_path("opt-22"))
        .context("opt of LLVM 22 is not installed: apt-get install llvm-22")?;
    let module = scratch.join("code.ll");
    let mut clang = Command::new(&device.tools.clang);
    let (ours, others) = apart(&device.own);
    clang
        .args(&device.words)
        .args(others)
        .args(["-emit-llvm", "-S", "-Xclang", "-disable-llvm-passes"])
        .args(["-x", "cuda", &device.source, "-o"])
        .arg(&module);
    succeed(&mut clang, &device.source)?;
    let launches = match launches {
        "" => String::new(),
        some => format!(";launch={some}"),
    };
    let mut command = Command::new(opt);
    command
        .arg(format!(
            "-load-pass-plugin={}",
            device.tools.plugin.display()
        ))
        .arg(format!("-mcpu=sm_{}", device.chip))
        .args(ours)
        .args(["-mesi-disable", "-disable-output"])
        .arg(format!(
            "-passes=thinlto-pre-link<O3>,print<mesi-plan;form=own;disable=off{launches}>"
        ))
        .arg(&module);
    Ok(plan::parse(&succeed(&mut command, &device.source)?))
}

/// The plug-in's own flags, without `-mllvm`, and all others.
fn apart(own: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut ours, mut others) = (Vec::new(), Vec::new());
    let mut rest = own.iter().peekable();
    while let Some(word) = rest.next() {
        let joined = word
            .strip_prefix("-mllvm=")
            .filter(|w| w.starts_with("-mesi"));
        match (joined, rest.peek()) {
            (Some(flag), _) => ours.push(flag.to_string()),
            (None, Some(flag)) if word == "-mllvm" && flag.starts_with("-mesi") => {
                ours.extend(rest.next().cloned());
            }
            _ => others.push(word.clone()),
        }
    }
    (ours, others)
}

/// What a tool writes to stderr; where it fails, its first error.
fn succeed(command: &mut Command, source: &str) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let Output { status, stderr, .. } = command
        .output()
        .with_context(|| format!("{program} cannot be started"))?;
    let said = String::from_utf8_lossy(&stderr).into_owned();
    if status.success() {
        return Ok(said);
    }
    let first = said
        .lines()
        .find(|l| l.contains("error"))
        .or(said.lines().next())
        .unwrap_or("it printed nothing");
    bail!("{source} does not compile: {}", first.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plug_ins_flags_go_to_opt_too() {
        let given = [
            "-mllvm",
            "-mesi-force",
            "-mllvm",
            "-x",
            "-mllvm=-mesi-strip=8",
            "-Wall",
        ]
        .map(String::from);
        let (ours, others) = apart(&given);
        assert_eq!(ours, ["-mesi-force", "-mesi-strip=8"]);
        assert_eq!(others, ["-mllvm", "-x", "-Wall"]);
    }
}
