//! `mesi nvcc` beside other tools in one build: sanitizers of host code, remarks in a file, ccache, make -j, objects
//! that are linked elsewhere. `docs/beside.md` says how.

mod support;

use std::path::Path;
use std::process::Command;

use support::{cuda, ended, has, llvm, nvcc, plugin, prefix, programs, ran};

/// What only a staged kernel's host code has.
const STAGED: &str = "sgemmPKfS0_Pfi$";

#[test]
fn the_host_half_with_address_sanitizer() {
    let at = programs(&["sgemm.cu", "freed.cu"]);
    let line = "-arch=sm_80 -Xcompiler -fsanitize=address";
    ran(&mut nvcc(at.path(), &format!("{line} sgemm.cu -o sgemm")));
    let program = at.path().join("sgemm");
    assert!(has(&program, STAGED), "the plug-in did not run");
    let (out, _) = ran(&mut Command::new(&program));
    assert_eq!(out, "launched\n");
    ran(&mut nvcc(at.path(), &format!("{line} freed.cu -o freed")));
    let (status, _, said) = ended(&mut Command::new(at.path().join("freed")));
    assert!(
        status != 0 && said.contains("heap-use-after-free"),
        "{said}"
    );
}

#[test]
fn remarks_in_a_file() {
    let at = programs(&["sgemm.cu"]);
    let flags = "--mesi-clang=-Xarch_device --mesi-clang=-fsave-optimization-record";
    ran(&mut nvcc(
        at.path(),
        &format!("-arch=sm_80 {flags} -c sgemm.cu"),
    ));
    let record = std::fs::read_to_string(at.path().join("sgemm.opt.yaml")).unwrap();
    let own = record
        .split("\n---")
        .filter(|r| r.contains("Pass:            mesi\n"));
    assert!(own.clone().any(|r| r.contains("!Passed")), "{record}");
    assert!(own.clone().any(|r| r.contains("OnlyStored")), "{record}");
}

#[test]
fn make_compiles_several_files_at_once_and_their_objects_can_be_linked_elsewhere() {
    let at = programs(&["main.cu", "other.cu", "sgemm.cu"]);
    let makefile = format!(
        "NVCC := {} nvcc --mesi-plugin={} -arch=sm_80\nall: main.o other.o sgemm\n%.o: %.cu\n\t$(NVCC) -dc $< -o $@\n\
         sgemm: sgemm.cu\n\t$(NVCC) $< -o $@\n",
        env!("CARGO_BIN_EXE_mesi"),
        plugin().display()
    );
    std::fs::write(at.path().join("Makefile"), makefile).unwrap();
    let mut make = Command::new("make");
    make.arg("-j4").current_dir(at.path());
    ran(make
        .env("CUDA_PATH", cuda())
        .env("LLVM_SYS_221_PREFIX", llvm()));
    assert!(has(&at.path().join("sgemm"), STAGED));
    let elsewhere = tempfile::tempdir().unwrap();
    for object in ["main.o", "other.o"] {
        std::fs::rename(at.path().join(object), elsewhere.path().join(object)).unwrap();
    }
    drop(at);
    ran(&mut nvcc(
        elsewhere.path(),
        "-arch=sm_80 main.o other.o -o program",
    ));
    assert!(has(&elsewhere.path().join("program"), "__fatbinwrap_"));
}

/// The second compile comes from the cache; another plug-in is another compile.
#[test]
fn ccache_keeps_objects_until_the_plug_in_is_another() {
    let at = programs(&["sgemm.cu"]);
    let prefix = prefix(at.path());
    let own = prefix.join("lib/libmesi-22.so");
    let compile = || {
        let mut ccache = Command::new("ccache");
        ccache.arg(prefix.join("bin/mesi-nvcc"));
        ccache.args(["-arch=sm_80", "-c", "sgemm.cu", "-o", "sgemm.o"]);
        ran(cached(ccache.current_dir(at.path()), at.path(), &own));
    };
    compile();
    std::fs::remove_file(at.path().join("sgemm.o")).unwrap();
    compile();
    assert_eq!(hits(at.path(), &own), 1);
    assert!(has(&at.path().join("sgemm.o"), STAGED));
    // The file changes, and is still a plug-in.
    let mut bytes = std::fs::read(&own).unwrap();
    bytes.push(0);
    std::fs::write(&own, bytes).unwrap();
    compile();
    assert_eq!(hits(at.path(), &own), 1);
}

/// ccache's settings as `docs/beside.md` has them, and a cache of its own.
fn cached<'c>(command: &'c mut Command, at: &Path, plugin: &Path) -> &'c mut Command {
    command
        .env("CCACHE_COMPILERTYPE", "nvcc")
        .env("CCACHE_EXTRAFILES", plugin)
        .env("CCACHE_DIR", at.join("cache"))
        .env("CUDA_PATH", cuda())
        .env("LLVM_SYS_221_PREFIX", llvm())
}

fn hits(at: &Path, plugin: &Path) -> u32 {
    let mut ccache = Command::new("ccache");
    let (out, _) = ran(cached(ccache.arg("--print-stats"), at, plugin));
    let count = |name: &str| -> u32 {
        let line = out.lines().find_map(|l| l.strip_prefix(name));
        line.and_then(|l| l.trim().parse().ok()).unwrap_or(0)
    };
    count("direct_cache_hit") + count("preprocessed_cache_hit")
}
