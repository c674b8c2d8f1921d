//! Runs a `.ll` that the shrinker wrote: its launches stand in its first lines, as comments.

use std::path::Path;

use mesi_launch::Case;
use mesi_oracle::Schedule;

use crate::check::{self, Verdict, Way};
use crate::launch;
use crate::llvm::Module;
use crate::variants;

/// Runs every launch of the file under every schedule, before and after the plug-in.
pub fn replay(file: &Path) -> Result<Verdict, String> {
    let text = std::fs::read_to_string(file)
        .map_err(|e| format!("{}: cannot be read: {e}", file.display()))?;
    let launches = text.lines().filter_map(|l| l.strip_prefix("; launch: "));
    let cases = launches
        .map(launch::from_text)
        .collect::<Result<Vec<Case>, _>>()
        .map_err(|e| format!("{}: {e}", file.display()))?;
    if cases.is_empty() {
        return Err(format!(
            "{}: no line `; launch: ...`: only files that mesi-fuzz wrote can be replayed",
            file.display()
        ));
    }
    let module = Module::parse(text.as_bytes()).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(check::check(
        &module.bitcode(),
        &cases,
        &variants::standing(),
        &Way {
            schedules: Schedule::ALL.to_vec(),
            fuse: text.lines().any(|l| l == "; fused"),
        },
        &mut |_| (),
    ))
}
