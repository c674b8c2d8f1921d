//! Runs a CUDA file with a corpus header (docs/corpus.md) before and after the plug-in: every launch of the header under the
//! default, each version of its plan alone, and more. The same launches with more blocks, or more threads, along
//! dimensions in which the header has one: what a kernel does not ask for, users launch all the same. Threads that differ there
//! alone store one value to one place, so of those launches only the bits count, and none is run in which arrays overlap, or
//! in which a thread reads what another one writes: `y[i] += 1`.

use std::path::{Path, PathBuf};
use std::process::Command;

use mesi_launch::{Case, Corpus, Size};
use mesi_oracle::{Defect, Difference, Kernel as Pick, Program, Reference, Schedule};

use crate::check::{Failure, Verdict};
use crate::cuda;
use crate::llvm::Module;
use crate::stage::{Staged, Stages};
use crate::variants;
use crate::variants::Variant;

/// Orders of threads.
const SCHEDULES: [Schedule; 2] = [Schedule::Forward, Schedule::Reverse];
/// Threads of a block at most.
const MOST_THREADS: u32 = 1024;

/// Compares what `file` gives with what it gives without the plug-in; `options` go to clang.
pub fn run(file: &Path, options: &[String]) -> Result<Verdict, String> {
    let corpus = Corpus::read(file).map_err(|e| e.to_string())?;
    let module = Module::parse(&compile(file, options)?)?;
    module.simplify()?;
    let base = module.bitcode();
    let cases = corpus.cases(Size::Small);
    let plain = cases.len();
    let apart = cases.iter().filter(|c| c.alias.is_none());
    let wider: Vec<[Case; 2]> = apart.flat_map(widened).collect();
    let failed = |e: mesi_oracle::Error| e.to_string();
    let mut original = Program::parse("original", &base, Pick::Only).map_err(failed)?;
    original.set_quick(true);
    let references: Result<Vec<Reference>, _> = cases
        .iter()
        .map(|c| Reference::new(&mut original, c, &SCHEDULES))
        .collect();
    let mut references = references.map_err(failed)?;
    let mut dropped = 0;
    for [threads, blocks] in &wider {
        let r = Reference::new(&mut original, threads, &SCHEDULES).map_err(failed)?;
        if r.has(Defect::ReadWriteRace) {
            dropped += 2;
            continue;
        }
        references.push(r);
        references.push(Reference::new(&mut original, blocks, &SCHEDULES).map_err(failed)?);
    }
    let mut v = Verdict {
        launches: references.len(),
        dropped,
        dropped_why: match dropped {
            0 => String::new(),
            _ => "where threads read what others write".into(),
        },
        ..Verdict::default()
    };
    let mut stages = Stages::new(&base);
    for variant in variants::by_version() {
        if let Err((kind, text)) = one(&mut stages, (&references, plain), &variant, &mut v) {
            v.failures.push(Failure {
                kind: kind.into(),
                variant: variant.name,
                text,
            });
        }
    }
    Ok(v)
}

/// The launch with two threads, and with two blocks, along each dimension in which it has one of each and room.
fn widened(case: &Case) -> Vec<[Case; 2]> {
    let room = case.block.iter().product::<u32>() * 2 <= MOST_THREADS;
    let one = |d: &usize| case.grid[*d] == 1 && case.block[*d] == 1 && room;
    let twice = |d: usize| {
        let (mut threads, mut blocks) = (case.clone(), case.clone());
        threads.block[d] = 2;
        threads.label += &format!(" block {d} by 2");
        blocks.grid[d] = 2;
        blocks.label += &format!(" grid {d} by 2");
        [threads, blocks]
    };
    (0..3).filter(one).map(twice).collect()
}

fn one(
    stages: &mut Stages,
    (references, plain): (&[Reference], usize),
    variant: &Variant,
    v: &mut Verdict,
) -> Result<(), (&'static str, String)> {
    let refused = |e: mesi_oracle::Error| ("refused", e.to_string());
    let code = match stages.variant(variant, &mut v.features)? {
        Staged::Unchanged => return Ok(()),
        Staged::Known => {
            v.equal += 1;
            return Ok(());
        }
        Staged::New(code, _) => code,
    };
    let mut program = Program::parse("staged", &code, Pick::Only).map_err(refused)?;
    // Other blocks for the kernel as it is: no variant of its code.
    if variant.options.host == Some(true) && program.versions.is_empty() {
        return Ok(());
    }
    v.variants += 1;
    program.set_quick(true);
    for (k, r) in references.iter().enumerate() {
        let counts = |d: &&Difference| k < plain || matches!(d, Difference::Bits { .. });
        let all = r.diff(&mut program).map_err(refused)?;
        if let Some(d) = all.iter().find(counts) {
            return Err(("difference", d.to_string()));
        }
    }
    Ok(())
}

/// IR as clang makes it, before any pass.
fn compile(file: &Path, options: &[String]) -> Result<Vec<u8>, String> {
    let clang = cuda::clang().ok_or("no clang++ is found")?;
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/cuda-13.0");
    let toolkit = std::env::var_os("CUDA_PATH").map_or(own, PathBuf::from);
    let output = Command::new(clang)
        .args(["-w", "-O3", "--cuda-device-only", "--cuda-gpu-arch=sm_80"])
        .args([
            "-emit-llvm",
            "-c",
            "-o",
            "-",
            "-Xclang",
            "-disable-llvm-passes",
        ])
        .arg(format!("--cuda-path={}", toolkit.display()))
        .args(options)
        .arg(file)
        .output()
        .map_err(|e| format!("clang++ cannot be run: {e}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
