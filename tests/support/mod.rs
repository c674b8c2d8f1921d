//! Finds what the tests run: the plug-in built for them, LLVM's tools, a CUDA toolkit.

#![allow(dead_code, reason = "each test program uses its part")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does `work` for each of `items`, on all processors.
pub fn in_parallel<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|s| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            s.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}

/// The repository's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The plug-in of this very build. `cargo test` puts it beside the test program and not where
/// `cargo build` does; taking the latter could test an old one.
pub fn plugin() -> PathBuf {
    let beside = std::env::current_exe().expect("the test program has a path");
    let plugin = beside.with_file_name("libmesi.so");
    assert!(
        plugin.exists(),
        "{} is missing: run the tests through cargo test",
        plugin.display()
    );
    plugin
}

/// The directory of clang++, opt, llc, FileCheck and not.
pub fn llvm_bin() -> PathBuf {
    let prefix = std::env::var("LLVM_SYS_221_PREFIX").unwrap_or("/usr/lib/llvm-22".into());
    let bin = Path::new(&prefix).join("bin");
    assert!(
        bin.join("FileCheck").exists(),
        "{} has no FileCheck: install llvm-22-tools or set LLVM_SYS_221_PREFIX",
        bin.display()
    );
    bin
}

/// The CUDA toolkit: `CUDA_PATH`, what `cargo xtask setup` unpacked, or the system's.
///
/// Without one the tests that need it are skipped, unless `MESI_REQUIRE_CUDA` is set, as in CI.
pub fn cuda() -> Option<PathBuf> {
    let given = std::env::var_os("CUDA_PATH").map(PathBuf::from);
    let places = given.into_iter().chain([
        root().join("target/cuda-13.0"),
        PathBuf::from("/usr/local/cuda"),
    ]);
    let usable = |p: &PathBuf| {
        p.join("bin/ptxas").exists() && p.join("nvvm/libdevice/libdevice.10.bc").exists()
    };
    let found = places.into_iter().find(usable);
    assert!(
        found.is_some() || std::env::var_os("MESI_REQUIRE_CUDA").is_none(),
        "MESI_REQUIRE_CUDA is set but no CUDA toolkit is found: run cargo xtask setup or set CUDA_PATH"
    );
    found
}

/// clang++ as it compiles the device side of a CUDA file for chip `sm`, with the CUDA headers parsed once.
pub fn device_clang(cuda: &Path, sm: &str) -> Command {
    let clang = llvm_bin().join("clang++");
    let options = [
        "-O3".to_string(),
        "--cuda-device-only".to_string(),
        "-Wno-unknown-cuda-version".to_string(),
        format!("--cuda-gpu-arch={sm}"),
        format!("--cuda-path={}", cuda.display()),
    ];
    let mut command = Command::new(&clang);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    command
        .args(&options)
        .args(mesi_headers::precompiled(&clang, &options, folder));
    command
}

/// Takes the knobs of whoever runs the tests out of a command's environment.
pub fn without_knobs(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("MESI_") {
            command.env_remove(name);
        }
    }
    command
}

/// Every file under `dir` whose name ends in one of `extensions`, sorted.
pub fn files_under(dir: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(dir) = open.pop() {
        let entries = std::fs::read_dir(&dir);
        let entries = entries.unwrap_or_else(|e| panic!("cannot read {}: {e}", dir.display()));
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path
                .extension()
                .is_some_and(|e| extensions.iter().any(|x| e == *x))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A test for `tester`; `run` fails by panicking.
pub fn test(
    name: String,
    ignore: bool,
    run: impl FnOnce() + Send + 'static,
) -> tester::TestDescAndFn {
    tester::TestDescAndFn {
        desc: tester::TestDesc {
            name: tester::TestName::DynTestName(name),
            ignore,
            should_panic: tester::ShouldPanic::No,
            allow_fail: false,
            test_type: tester::TestType::IntegrationTest,
        },
        testfn: tester::TestFn::DynTestFn(Box::new(run)),
    }
}

/// The IR that the plug-in meets in a CUDA file, kept from run to run while the source stays.
pub fn before_plugin(cuda: &Path, file: &Path, sm: u32) -> String {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.sm_{sm}.ll"));
    let age = |p: &Path| p.metadata().and_then(|m| m.modified()).ok();
    if age(&kept) > age(file) {
        return std::fs::read_to_string(&kept).expect("it was there");
    }
    let dump = [
        "-mllvm",
        "-print-before=float2int",
        "-mllvm",
        "-print-module-scope",
    ];
    let out = without_knobs(&mut device_clang(cuda, &format!("sm_{sm}")))
        .args(["-S", "-emit-llvm", "-o", "/dev/null"])
        .args(dump)
        .arg(file)
        .output()
        .expect("clang++ runs");
    let log = String::from_utf8_lossy(&out.stderr);
    let mut dumps = log.split("; *** IR Dump Before").skip(1);
    let first = dumps.next().unwrap_or_else(|| panic!("no dump: {log}"));
    let text = first
        .split_once('\n')
        .map_or("", |(_, rest)| rest)
        .to_string();
    // Another test may want the same file, and must not find half of it.
    let own = kept.with_extension(format!("{:?}", std::thread::current().id()));
    std::fs::write(&own, &text).expect("the test folder can be written");
    std::fs::rename(&own, &kept).expect("the test folder can be written");
    text
}

/// Spearman's rank correlation; equal values share their ranks' mean.
pub fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |of: &dyn Fn(&(f64, f64)) -> f64| -> Vec<f64> {
        let rank = |p: &(f64, f64)| {
            let below = pairs.iter().filter(|q| of(q) < of(p)).count() as f64;
            let equal = pairs.iter().filter(|q| of(q) == of(p)).count() as f64;
            below + (equal - 1.0) / 2.0
        };
        pairs.iter().map(rank).collect()
    };
    let (a, b) = (ranks(&|p| p.0), ranks(&|p| p.1));
    let mean = (pairs.len() as f64 - 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| -> f64 {
        x.iter().zip(y).map(|(p, q)| (p - mean) * (q - mean)).sum()
    };
    product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt()
}
