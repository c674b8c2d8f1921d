//! Holds the register estimate of `src/kernel/pressure.rs` against ptxas: the least count at which
//! it spills nothing. `cargo test --test pressure -- --nocapture` prints the table.

mod support;

use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use mesi::kernel::pressure;
use mesi::llvm::ir::Module;
use mesi::machine::tuning::make::MOST_PRESSURE;
use std::path::Path;
use std::process::Command;

const SM: u32 = 90;
/// Counts tried. The first is the least that ptxas takes.
const COUNTS: [u32; 12] = [16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 128];
/// What a thread of a block of 1024 may have.
const UNBOUNDED: u32 = 64;

#[test]
fn the_estimate_follows_ptxas() {
    let Some(cuda) = support::cuda() else {
        return;
    };
    let file = support::root().join("tests/pressure/kernels.cu");
    let text = support::before_plugin(&cuda, &file, SM);
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "kernels");
    let module = context
        .create_module_from_ir(buffer)
        .expect("clang's IR parses");
    let kernels = Module::new(module.as_mut_ptr()).functions();
    let estimates = kernels.into_iter().filter(|f| f.is_kernel());
    let estimates: Vec<(String, u32)> = estimates
        .map(|f| (f.name(), pressure::needed(&f.blocks())))
        .collect();
    let ptx = compiled(&cuda, &file);
    let mut pairs = Vec::new();
    for (name, estimate) in &estimates {
        let fits = |n: &u32| !spills(&cuda, &ptx, *n).iter().any(|s| s == name);
        let need = COUNTS
            .into_iter()
            .find(|n| fits(n))
            .expect("some count fits");
        println!("{name:28} estimate {estimate:3}, ptxas needs {need:3}");
        assert!(need <= estimate + 16, "{name} is underestimated");
        assert!(
            need <= UNBOUNDED || *estimate > MOST_PRESSURE,
            "{name} must not be limited to {UNBOUNDED}"
        );
        pairs.push((f64::from(*estimate), f64::from(need)));
    }
    let correlation = support::spearman(&pairs);
    println!("rank correlation {correlation:.2}");
    assert!(pairs.len() > 5 && correlation >= 0.9, "{correlation}");
}

/// Eighth-order stencils have dozens of addresses, which fold into a few.
#[test]
fn folded_addresses_do_not_count() {
    let Some(cuda) = support::cuda() else {
        return;
    };
    let file = support::root().join("tests/pressure/kernels.cu");
    let text = support::before_plugin(&cuda, &file, SM);
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "kernels");
    let module = context
        .create_module_from_ir(buffer)
        .expect("clang's IR parses");
    let kernels = Module::new(module.as_mut_ptr()).functions();
    let wave = kernels
        .into_iter()
        .find(|f| f.name().contains("wave8"))
        .expect("it is there");
    assert!(pressure::needed(&wave.blocks()) <= pressure::most_alive(&wave.blocks()));
    assert!(pressure::needed(&wave.blocks()) <= MOST_PRESSURE);
}

fn compiled(cuda: &Path, file: &Path) -> std::path::PathBuf {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pressure.ptx");
    let done = support::without_knobs(&mut Command::new(support::llvm_bin().join("clang++")))
        .args([
            "-O3",
            "--cuda-device-only",
            "-S",
            "-Wno-unknown-cuda-version",
        ])
        .arg(format!("--cuda-gpu-arch=sm_{SM}"))
        .arg(format!("--cuda-path={}", cuda.display()))
        .arg(file)
        .arg("-o")
        .arg(&out)
        .output()
        .expect("clang++ runs");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    out
}

/// Kernels that spill where they may have `count` registers.
fn spills(cuda: &Path, ptx: &Path, count: u32) -> Vec<String> {
    let done = Command::new(cuda.join("bin/ptxas"))
        .args([
            "-v",
            &format!("-arch=sm_{SM}"),
            &format!("--maxrregcount={count}"),
        ])
        .arg(ptx)
        .args(["-o", "/dev/null"])
        .output()
        .expect("ptxas runs");
    let log = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{log}");
    let mut spilling = Vec::new();
    let mut name = String::new();
    for line in log.lines() {
        if let Some((_, n)) = line.split_once("Function properties for ") {
            name = n.trim().to_string();
        } else if line.contains("spill stores") && !line.contains(" 0 bytes spill stores") {
            spilling.push(name.clone());
        }
    }
    spilling
}
