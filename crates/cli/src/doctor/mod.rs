//! `mesi doctor`: what a build and a run need, looked at in order, one line each.
//!
//! A fault has its cure behind an arrow. What is looked at later needs what was looked at before,
//! so after a fault some lines say that they were not looked at.

mod clang;
mod finding;
mod gpu;
mod sample;

use std::path::PathBuf;

use anyhow::Result;

use crate::tools;
use finding::{Finding, State};

/// The command's options.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Look only at what building needs: no driver, no GPU
    #[arg(long)]
    build: bool,
    /// The plug-in to look at
    #[arg(long, value_name = "FILE")]
    plugin: Option<String>,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

/// Looks at everything. The exit status is 1 where there is a fault.
pub fn main(arguments: &Arguments) -> Result<u8> {
    let findings = look(arguments);
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&findings)?);
    } else {
        for finding in &findings {
            println!("{}", finding.line());
        }
    }
    let faults = findings.iter().filter(|f| f.state == State::Fault).count();
    if faults > 0 && !arguments.json {
        println!("{faults} {}", if faults == 1 { "fault" } else { "faults" });
    }
    Ok(u8::from(faults > 0))
}

fn look(arguments: &Arguments) -> Vec<Finding> {
    let mut findings = Vec::new();
    let clang = clang::compiler(&mut findings);
    let plugin = clang::plugin(clang.as_ref(), arguments.plugin.as_deref(), &mut findings);
    if let Some(clang) = &clang {
        clang::companions(clang, &mut findings);
    }
    let cuda = cuda(&mut findings);
    let tools = match (clang, plugin, cuda) {
        (Some(clang), Some(plugin), Some(cuda)) => {
            header(&mut findings).map(|header| tools::Tools {
                clang: clang.path,
                plugin,
                header,
                cuda,
            })
        }
        _ => None,
    };
    if let Some(tools) = &tools {
        clang::twice(tools, &mut findings);
    }
    let gpu = if arguments.build {
        None
    } else {
        gpu::look(tools.as_ref().map(|t| &t.cuda), &mut findings)
    };
    match &tools {
        Some(tools) => sample::look(
            tools,
            gpu.as_ref(),
            arguments.plugin.as_deref(),
            &mut findings,
        ),
        None => findings.push(Finding::skipped(
            "a kernel",
            "not tried, because of the faults above",
        )),
    }
    findings
}

fn header(findings: &mut Vec<Finding>) -> Option<PathBuf> {
    tools::header()
        .inspect_err(|e| {
            findings.push(Finding::fault("header", e.to_string(), "install mesi anew"))
        })
        .ok()
}

/// clang 22 reads the headers of CUDA 12.0 to 13.0.
fn cuda(findings: &mut Vec<Finding>) -> Option<tools::Cuda> {
    const WHAT: &str = "CUDA";
    const CURE: &str = "install a CUDA toolkit 12.0 to 13.0 and set CUDA_PATH to it";
    let cuda = match tools::cuda() {
        Ok(cuda) => cuda,
        Err(error) => {
            findings.push(Finding::fault(WHAT, error.to_string(), CURE));
            return None;
        }
    };
    let (major, minor) = cuda.version;
    let found = format!("{major}.{minor} in {}", cuda.root.display());
    if !(12..=13).contains(&major) || (major == 13 && minor > 0) {
        findings.push(Finding::fault(
            WHAT,
            format!("{found}, whose headers clang 22 does not read"),
            CURE,
        ));
        return None;
    }
    findings.push(Finding::good(WHAT, found));
    if !cuda.libraries().join("libcudart_static.a").exists() {
        let missing = "libcudart_static.a is not in the toolkit: nothing can be linked";
        findings.push(Finding::fault(
            "CUDA runtime",
            missing,
            "install the toolkit's cudart package",
        ));
    }
    if cuda.nvcc().is_none() {
        let missing = "not in the toolkit: a file that clang cannot compile fails";
        findings.push(Finding::note(
            "nvcc",
            missing,
            "install the toolkit's nvcc package if you want it to stand in",
        ));
    }
    Some(cuda)
}
