//! The ways to compile that a bundle compares, as far as the plug-in knows them.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::compile::{self, Variant};
use crate::project;
use crate::setup::Toolchain;

/// Features that are turned off in turn, by the knob that does it.
const OFF: [&str; 3] = ["overlap=off", "merge=off", "width=off"];

/// clang alone, the plug-in, `force`, and each feature off. A knob that the plug-in does not know is
/// left out with one line: the plug-in itself is asked, by a compile of nothing.
pub fn of(tools: &Toolchain, arch: &str, plugin: &Path) -> Result<Vec<Variant>> {
    let with = |name, knobs| Variant {
        name,
        plugin: Some(plugin.to_path_buf()),
        knobs,
    };
    let mut variants = vec![
        Variant::plain("clang"),
        with("mesi", Vec::new()),
        with("force", vec!["force"]),
    ];
    for knob in OFF {
        let variant = with(knob, vec![knob]);
        match refusal(tools, arch, &variant)? {
            None => variants.push(variant),
            Some(_) => eprintln!("bench: left out `{knob}`: this plug-in has no such option"),
        }
    }
    Ok(variants)
}

/// What clang says against a variant's options, if anything.
fn refusal(tools: &Toolchain, arch: &str, variant: &Variant) -> Result<Option<String>> {
    let mut clang = Command::new(tools.clang());
    clang
        .args(compile::clang_arguments(tools, arch, variant))
        .args(["-x", "cuda", "/dev/null", "-o", "/dev/null"]);
    compile::clean(&mut clang);
    let output = project::output(&mut clang)?;
    let said = String::from_utf8_lossy(&output.stderr).trim().to_string();
    Ok((!output.status.success()).then_some(said))
}
