//! An installed mesi in CMake projects: as the CUDA compiler, and as a package.

mod support;

use std::path::Path;
use std::process::Command;

use support::{cuda, ended, has, llvm, prefix, programs, ran};

fn configure(at: &Path, prefix: &Path, compiler: &Path, build: &str) -> Command {
    let mut cmake = Command::new("cmake");
    cmake.current_dir(at).args(["-S", ".", "-B", build]);
    cmake.arg(format!("-DCMAKE_CUDA_COMPILER={}", compiler.display()));
    cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
    cmake.arg("-DCMAKE_CUDA_ARCHITECTURES=80-real;90-virtual");
    cmake
        .env("CUDA_PATH", cuda())
        .env("LLVM_SYS_221_PREFIX", llvm());
    cmake
}

#[test]
fn a_project_with_libraries_linked_device_code_and_fetched_content() {
    let at = programs(&["sgemm.cu", "main.cu", "other.cu"]);
    let prefix = prefix(at.path());
    let fetched = at.path().join("fetched");
    std::fs::create_dir(&fetched).unwrap();
    std::fs::copy(at.path().join("other.cu"), fetched.join("other.cu")).unwrap();
    std::fs::write(
        fetched.join("CMakeLists.txt"),
        "cmake_minimum_required(VERSION 3.20)
project(fetched LANGUAGES CUDA)
add_library(fetched STATIC other.cu)
set_target_properties(fetched PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
",
    )
    .unwrap();
    std::fs::write(
        at.path().join("CMakeLists.txt"),
        "cmake_minimum_required(VERSION 3.20)
project(both LANGUAGES CXX CUDA)
find_package(mesi 0.1 REQUIRED)
add_library(other STATIC other.cu)
include(FetchContent)
FetchContent_Declare(fetched SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/fetched)
FetchContent_MakeAvailable(fetched)
add_executable(apart main.cu)
add_executable(brought main.cu)
set_target_properties(other apart brought PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_link_libraries(apart other)
target_link_libraries(brought fetched)
mesi_enable(fetched)
add_executable(sgemm sgemm.cu)
target_compile_options(sgemm PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-lineinfo;-Wall>)
mesi_enable(sgemm strip=16)
",
    )
    .unwrap();
    let (out, _) = ran(&mut configure(
        at.path(),
        &prefix,
        &prefix.join("bin/mesi-nvcc"),
        "build",
    ));
    assert!(
        out.contains("The CUDA compiler identification is NVIDIA"),
        "{out}"
    );
    ran(Command::new("cmake")
        .args(["--build", "build"])
        .current_dir(at.path())
        .env("CUDA_PATH", cuda())
        .env("LLVM_SYS_221_PREFIX", llvm()));
    assert!(
        has(&at.path().join("build/sgemm"), "sgemmPKfS0_Pfi$"),
        "the plug-in did not run"
    );
    for program in ["apart", "brought"] {
        let program = at.path().join("build").join(program);
        assert!(has(&program, "__fatbinwrap_"));
    }
}

/// CMake is told that a compiler is there; nothing is built.
#[test]
fn mesi_enable_warns_where_it_can_do_nothing() {
    let at = tempfile::tempdir().unwrap();
    let prefix = prefix(at.path());
    for (id, version, want) in [
        ("NVIDIA", "13.0.88", "loads no plug-in"),
        ("Clang", "21.1.0", "clang++-22"),
        ("Clang", "22.1.8", ""),
    ] {
        let text = format!(
            "cmake_minimum_required(VERSION 3.20)
project(none LANGUAGES NONE)
set(CMAKE_CUDA_COMPILER_LOADED 1)
set(CMAKE_CUDA_COMPILER some-compiler)
set(CMAKE_CUDA_COMPILER_ID {id})
set(CMAKE_CUDA_COMPILER_VERSION {version})
find_package(mesi REQUIRED)
add_custom_target(nothing)
add_library(target INTERFACE IMPORTED)
function(target_compile_options)
  message(STATUS \"options ${{ARGN}}\")
endfunction()
mesi_enable(target force strip=8)
"
        );
        std::fs::write(at.path().join("CMakeLists.txt"), text).unwrap();
        let build = format!("build-{id}-{version}");
        let mut cmake = configure(at.path(), &prefix, Path::new("unused"), &build);
        let (status, out, err) = ended(&mut cmake);
        assert_eq!(status, 0, "{out}{err}");
        let said = format!("{out}{err}")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        if want.is_empty() {
            assert!(
                [
                    "-fpass-plugin=",
                    "SHELL:-Xarch_device -O3",
                    "SHELL:-mllvm -mesi-strip=8"
                ]
                .iter()
                .all(|flag| said.contains(flag)),
                "{said}"
            );
            assert!(!said.contains("CMake Warning at"), "{said}");
        } else {
            assert!(
                said.contains("CMake Warning")
                    && said.contains(want)
                    && !said.contains("-fpass-plugin"),
                "{said}"
            );
        }
    }
}
