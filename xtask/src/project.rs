//! Where things lie in the checkout, and how other programs are started.
//!
//! Every failure becomes one line that names the program and what to do; what the program itself
//! said stays above it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail};

/// The checkout's root: the folder above this crate.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or(here.clone(), Path::to_path_buf)
}

/// Cargo's target folder, wherever the user's configuration puts it.
pub fn target_dir() -> Result<PathBuf> {
    let mut metadata = cargo();
    metadata.args(["metadata", "--no-deps", "--format-version", "1"]);
    let text = capture(&mut metadata)?;
    let json: serde_json::Value =
        serde_json::from_str(&text).context("cargo metadata printed no JSON")?;
    let dir = json["target_directory"]
        .as_str()
        .context("cargo metadata names no target_directory")?;
    Ok(PathBuf::from(dir))
}

/// The cargo that started us, in the root.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Runs a program with our own stdin, stdout and stderr; a failure names the command.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| missing(command))?;
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
}

/// Runs a program and returns its stdout; a failure carries the last line of its stderr.
pub fn capture(command: &mut Command) -> Result<String> {
    let output = output(command)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rfind(|l| !l.trim().is_empty()).unwrap_or("");
        bail!("`{}` failed ({}): {last}", line(command), output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program to its end and keeps what it wrote, whatever its exit status.
pub fn output(command: &mut Command) -> Result<Output> {
    command
        .stdin(Stdio::null())
        .output()
        .with_context(|| missing(command))
}

/// Whether a program can be started at all.
pub fn starts(program: &str, argument: &str) -> bool {
    Command::new(program)
        .arg(argument)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

fn missing(command: &Command) -> String {
    format!(
        "{} cannot be started",
        command.get_program().to_string_lossy()
    )
}

/// The command as a user would type it.
fn line(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let program = program.file_name().unwrap_or_default().to_owned();
    let words = std::iter::once(program.as_os_str()).chain(command.get_args());
    words
        .map(|w| w.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}
