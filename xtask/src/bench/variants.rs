//! The ways to compile that a bundle compares, as far as the plug-in knows them.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::compile::{self, Variant};
use crate::project;
use crate::setup::Toolchain;

/// Features that are turned off in turn, by the knob that does it.
const OFF: [&str; 3] = ["overlap=off", "merge=off", "width=off"];

/// clang alone, the plug-in, `force`, each feature off, and what the user adds: knobs with commas
/// between them. A feature's knob that the plug-in does not know is left out with one line: the
/// plug-in itself is asked, by a compile of nothing. A user's is an error. Of a `pair`, only clang, the plug-in and those.
pub fn of(
    tools: &Toolchain,
    arch: &str,
    plugin: &Path,
    added: &[String],
    pair: bool,
) -> Result<Vec<Variant>> {
    let mut variants = vec![Variant::plain("clang"), Variant::with("mesi", plugin, &[])];
    let off: &[&str] = if pair { &[] } else { &OFF };
    if !pair {
        variants.push(Variant::with("force", plugin, &["force"]));
    }
    for &knob in off {
        let variant = Variant::with(knob, plugin, &[knob]);
        match refusal(tools, arch, &variant)? {
            None => variants.push(variant),
            Some(_) => eprintln!("bench: left out `{knob}`: this plug-in has no such option"),
        }
    }
    for text in added {
        let knobs: Vec<&str> = text.split(',').map(str::trim).collect();
        // The runner takes lists of variants with commas between them.
        let variant = Variant::with(&knobs.join("+"), plugin, &knobs);
        if let Some(why) = refusal(tools, arch, &variant)? {
            bail!("--with {text}: {}", why.lines().next().unwrap_or("refused"));
        }
        variants.push(variant);
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
