//! `mesi nvcc`: what it compiles, links, prints and refuses.

mod support;

use std::process::Command;

use support::{cuda, ended, has, mesi, nvcc, programs, ran};

#[test]
fn a_program_is_compiled_linked_and_runs_its_host_half() {
    let at = programs(&["sgemm.cu"]);
    // No -O, as most tutorials have it: the host is at -O0, the device at -O3 with the plug-in.
    ran(&mut nvcc(at.path(), "sgemm.cu -o sgemm"));
    assert!(
        has(&at.path().join("sgemm"), "sgemmPKfS0_Pfi$"),
        "the plug-in did not run"
    );
    let (out, _) = ran(&mut Command::new(at.path().join("sgemm")));
    assert_eq!(out, "launched\n");
    ran(&mut nvcc(at.path(), "-G sgemm.cu -c -o debug.o"));
    assert!(
        !has(&at.path().join("debug.o"), "sgemmPKfS0_Pfi$"),
        "-G is for debuggers"
    );
    ran(&mut nvcc(at.path(), "--mesi-off -c sgemm.cu"));
    assert!(!has(&at.path().join("sgemm.o"), "sgemmPKfS0_Pfi$"));
}

#[test]
fn code_without_a_host_has_what_helps_it_inside() {
    let at = programs(&["sgemm.cu"]);
    ran(&mut nvcc(at.path(), "-ptx -O0 -arch=sm_90 sgemm.cu"));
    let ptx = std::fs::read_to_string(at.path().join("sgemm.ptx")).unwrap();
    assert!(
        ptx.contains(".target sm_90") && ptx.contains("bar.sync"),
        "{ptx}"
    );
    assert_eq!(
        ptx.matches(".entry").count(),
        1,
        "nobody would launch a second kernel"
    );
    ran(&mut nvcc(at.path(), "-cubin -arch=sm_80 sgemm.cu"));
    assert!(has(&at.path().join("sgemm.cubin"), "sgemm"));
    ran(&mut nvcc(
        at.path(),
        "-fatbin -gencode arch=compute_80,code=[sm_80,compute_80] sgemm.cu -o x.fatbin",
    ));
    assert!(at.path().join("x.fatbin").exists());
    let (status, _, said) = ended(&mut nvcc(at.path(), "-ptx -arch=all sgemm.cu"));
    assert!(status == 2 && said.contains("name one"), "{said}");
}

#[test]
fn device_code_of_several_files_is_linked_also_with_objects_of_nvcc() {
    let at = programs(&["main.cu", "other.cu"]);
    ran(&mut nvcc(
        at.path(),
        "-rdc=true -arch=sm_80 main.cu other.cu -o at_once",
    ));
    ran(&mut nvcc(at.path(), "-arch=sm_80 -dc main.cu other.cu"));
    // As many makefiles have it: the link does not say -rdc.
    ran(&mut nvcc(at.path(), "-arch=sm_80 main.o other.o -o apart"));
    ran(&mut nvcc(
        at.path(),
        "-arch=sm_80 -lib other.o -o libother.a",
    ));
    ran(&mut nvcc(
        at.path(),
        "-arch=sm_80 -L. -lother main.o -o by_library",
    ));
    let by_nvcc = Command::new(cuda().join("bin/nvcc"))
        .args(["-arch=sm_80", "-dc", "other.cu", "-o", "nvcc.o"])
        .current_dir(at.path())
        .output()
        .unwrap();
    assert!(
        by_nvcc.status.success(),
        "{}",
        String::from_utf8_lossy(&by_nvcc.stderr)
    );
    ran(&mut nvcc(at.path(), "-arch=sm_80 main.o nvcc.o -o mixed"));
    ran(&mut nvcc(
        at.path(),
        "-arch=sm_80 -dlink main.o nvcc.o -o linked.o",
    ));
    for program in ["at_once", "apart", "by_library", "mixed", "linked.o"] {
        assert!(
            has(&at.path().join(program), "__fatbinwrap_"),
            "{program} has no linked device code"
        );
    }
}

#[test]
fn what_nvcc_accepts_and_clang_does_not() {
    let at = programs(&["accepted.cu"]);
    ran(&mut nvcc(
        at.path(),
        "--mesi-fallback=off -arch=sm_80 accepted.cu -o accepted",
    ));
    let (out, _) = ran(&mut Command::new(at.path().join("accepted")));
    assert_eq!(out, "1 2 1 2 3 4\n0.5 1 1\n");
}

#[test]
fn names_that_clang_gives_anew_are_linked_also_for_debugging() {
    let at = programs(&["names.cu", "elsewhere.cu"]);
    for flags in ["", "-G"] {
        let line = format!(
            "--mesi-fallback=off -rdc=true {flags} -arch=sm_80 names.cu elsewhere.cu -o names"
        );
        ran(&mut nvcc(at.path(), &line));
        assert!(has(&at.path().join("names"), "__fatbinwrap_"), "{flags}");
    }
}

#[test]
fn objects_lambdas_and_names_of_the_command_line() {
    let at = programs(&["lambdas.cu"]);
    ran(&mut nvcc(
        at.path(),
        "--mesi-fallback=off -arch=sm_80 --extended-lambda --expt-relaxed-constexpr -DN=3 lambdas.cu -o lambdas",
    ));
}

#[test]
fn percent_signs_of_assembly_are_as_nvcc_takes_them() {
    let at = programs(&["escapes.cu", "escapes.h"]);
    let line = "--mesi-fallback=off -MMD -arch=sm_80 escapes.cu -o escapes";
    let (_, said) = ran(&mut nvcc(at.path(), line));
    assert_eq!(said, "", "a file that compiles in the end is no error");
    assert!(has(&at.path().join("escapes"), "sgemmPKfS0_Pfi$"));
    // The copy is the file to whoever asks: names and lines are its own.
    let (out, _) = ran(&mut Command::new(at.path().join("escapes")));
    assert_eq!(out, "33escapes.cu");
    let rule = std::fs::read_to_string(at.path().join("escapes.d")).unwrap();
    assert!(
        rule.contains("escapes.h") && !rule.contains("mesi-nvcc-"),
        "{rule}"
    );
    // What nothing of the kind ails is said as ever, and named by its own file.
    let text = std::fs::read_to_string(at.path().join("escapes.cu")).unwrap();
    std::fs::write(at.path().join("wrong.cu"), text + "int x = y;\n").unwrap();
    let (status, _, said) = ended(&mut nvcc(at.path(), "--mesi-fallback=off -c wrong.cu"));
    assert!(
        status == 1 && said.starts_with("wrong.cu:35:9: error:") && !said.contains("escape"),
        "{said}"
    );
}

#[test]
fn what_gcc_warns_of_at_most_is_no_error() {
    let at = programs(&["lenient.cu"]);
    let line = "--mesi-fallback=off -arch=sm_80 lenient.cu -o lenient";
    let (_, said) = ran(&mut nvcc(at.path(), line));
    assert!(said.contains("warning: non-void function 'main'"), "{said}");
    let (status, _, _) = ended(&mut Command::new(at.path().join("lenient")));
    assert_eq!(status, 6);
}

#[test]
fn clusters_are_there() {
    let at = programs(&["cluster.cu"]);
    ran(&mut nvcc(
        at.path(),
        "--mesi-fallback=off -arch=sm_90 -c cluster.cu",
    ));
}

#[test]
fn a_program_may_ask_for_nvcc_and_its_libraries_do_not_hear_of_it() {
    let at = programs(&["asks.cu"]);
    ran(&mut nvcc(
        at.path(),
        "--mesi-fallback=off -arch=sm_80 -c asks.cu",
    ));
}

#[test]
fn what_clang_cannot_compile_nvcc_does_with_one_warning() {
    let at = programs(&["nvcc_only.cu"]);
    let (_, said) = ran(&mut nvcc(at.path(), "-arch=sm_80 -c nvcc_only.cu"));
    assert!(
        said.starts_with("mesi nvcc: warning: nvcc_only.cu: compiled by nvcc, without mesi"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(has(&at.path().join("nvcc_only.o"), "when"));
    let (status, _, said) = ended(&mut nvcc(
        at.path(),
        "--mesi-fallback=off -arch=sm_80 -c nvcc_only.cu",
    ));
    assert!(
        status == 1 && said.contains("error: use of overloaded operator"),
        "{said}"
    );
    // What clang would compile with a warning, to other code.
    let at = programs(&["in_managed_memory.cu"]);
    let (_, said) = ran(&mut nvcc(at.path(), "-arch=sm_80 -c in_managed_memory.cu"));
    assert!(
        said.ends_with("error: clang has no __managed__ variables\n"),
        "{said}"
    );
    assert!(has(
        &at.path().join("in_managed_memory.o"),
        "__nv_init_managed_rt"
    ));
    // Where neither can, the program is wrong, and clang says it.
    std::fs::write(at.path().join("wrong.cu"), "int x = y;\n").unwrap();
    let (status, _, said) = ended(&mut nvcc(at.path(), "-c wrong.cu"));
    assert!(
        status == 1 && said.contains("undeclared identifier 'y'") && !said.contains("warning"),
        "{said}"
    );
}

#[test]
fn rules_for_make_and_other_outputs() {
    let at = programs(&["main.cu"]);
    std::fs::create_dir(at.path().join("sub")).unwrap();
    ran(&mut nvcc(at.path(), "-MMD -MP -dc -odir sub main.cu"));
    let rule = std::fs::read_to_string(at.path().join("sub/main.d")).unwrap();
    assert!(rule.starts_with("sub/main.o: main.cu"), "{rule}");
    let (rule, _) = ran(&mut nvcc(at.path(), "-MM main.cu"));
    assert!(rule.starts_with("main.o: main.cu"), "{rule}");
    let (text, _) = ran(&mut nvcc(at.path(), "-E main.cu"));
    assert!(text.contains("twice(int)"));
}

#[test]
fn a_dry_run_prints_commands_and_runs_none() {
    let at = programs(&["sgemm.cu"]);
    let line = "--dryrun -O2 -std=c++14 -lineinfo -use_fast_math -maxrregcount=32 -Xptxas=-v -Xcompiler=-Wall,-O3 -Xlinker=--as-needed -lm sgemm.cu";
    let (_, said) = ran(&mut nvcc(at.path(), line));
    for part in [
        "#$ TOP=",
        "#$ LIBRARIES=  \"-L",
        "-O2",
        "-std=c++14",
        "-Xarch_device -O3",
        "-Xarch_device -gline-tables-only",
        "-fgpu-flush-denormals-to-zero",
        "-Xcuda-ptxas --maxrregcount=32",
        "-Xcuda-ptxas -v",
        "-Wall",
        "-Xarch_host -O3",
        "-fpass-plugin=",
        "-include ",
        "-Xlinker --as-needed",
        "-lcudart_static",
        "-o a.out",
    ] {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
    assert!(!at.path().join("a.out").exists());
}

#[test]
fn build_systems_read_the_version() {
    let (out, _) = ran(&mut mesi("nvcc --version"));
    assert!(
        out.starts_with("nvcc: NVIDIA (R) Cuda compiler driver\n"),
        "{out}"
    );
    assert!(
        out.contains(", release ") && out.contains(", V1") && out.contains("This is mesi nvcc"),
        "{out}"
    );
}

#[test]
fn wrong_command_lines_are_one_line_and_status_2() {
    let at = programs(&["main.cu"]);
    for (line, want) in [
        ("-Wall main.cu", "-Xcompiler"),
        ("-arch=sm_35 main.cu", "too old"),
        ("main.foo", "-x cu"),
        ("-dlto main.cu", "not supported"),
        ("-c main.cu main.cu -o x.o", "one output"),
        ("-O", "wants a value"),
        ("", "no input file"),
    ] {
        let (status, _, said) = ended(&mut nvcc(at.path(), line));
        assert_eq!(status, 2, "{line}: {said}");
        assert!(
            said.starts_with("mesi nvcc: error: ") && said.contains(want),
            "{line}: {said}"
        );
        assert_eq!(said.lines().count(), 1, "{line}: {said}");
    }
}

#[test]
fn under_the_name_mesi_nvcc_it_is_nvcc() {
    let at = tempfile::tempdir().unwrap();
    let link = at.path().join("mesi-nvcc");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_mesi"), &link).unwrap();
    let mut command = Command::new(&link);
    command.arg("--version").env("CUDA_PATH", cuda());
    let (out, _) = ran(&mut command);
    assert!(out.contains("Cuda compilation tools"), "{out}");
}
