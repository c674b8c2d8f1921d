//! Writes random kernels to files, for tools that compare compilers and not bits.
//!
//! `N.bc` is the kernel as the plug-in meets it, `N.cu` the same kernel as CUDA C++ that needs no header;
//! the first line of `N.cu` names the options that clang is to have.

use std::path::Path;

use crate::worker::SOURCE_SHARE;
use crate::{cuda, generate, launch, worker};

/// Writes the first `count` kernels of `seed` into `folder`.
pub fn write(folder: &Path, seed: u64, count: u64) -> Result<(), String> {
    std::fs::create_dir_all(folder)
        .map_err(|e| format!("{} cannot be created: {e}", folder.display()))?;
    let first = seed.wrapping_mul(1_000_000);
    for number in first..first.saturating_add(count) {
        one(folder, number).map_err(|e| format!("kernel {number}: {e}"))?;
    }
    Ok(())
}

fn one(folder: &Path, number: u64) -> Result<(), String> {
    let generated = generate::generate(number);
    let (kernel, ranges) = (&generated.kernel, &generated.ranges);
    let clang = cuda::clang().filter(|_| number % SOURCE_SHARE == 1);
    let made = worker::make(kernel, ranges, false, clang)?;
    let lengths = launch::module_lengths(kernel, ranges);
    let mut text = String::from("// clang:");
    for option in cuda::options(kernel) {
        text += &format!(" {option}");
    }
    text += &format!("\n{}", cuda::print(kernel, &lengths));
    let keep = |extension: &str, bytes: &[u8]| {
        let file = folder.join(format!("{number}.{extension}"));
        std::fs::write(&file, bytes)
            .map_err(|e| format!("{} cannot be written: {e}", file.display()))
    };
    keep("bc", &made.base)?;
    keep("cu", text.as_bytes())
}
