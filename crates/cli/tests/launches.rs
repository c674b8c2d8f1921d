//! `mesi nvcc`: launches with a gap in their brackets, `kernel << <grid, block>> > (x)`.

mod support;

use std::path::Path;
use std::process::Command;

use support::{cuda, ended, has, mesi, nvcc, plugin, programs, ran};

const FILES: &[&str] = &["launches.cu", "launches.cuh"];
const OFF: &str = "--mesi-fallback=off -arch=sm_80";

/// The real nvcc's exit status and what it says.
fn by_nvcc(at: &Path, file: &str) -> (i32, String) {
    let mut command = Command::new(cuda().join("bin/nvcc"));
    command.args(["-arch=sm_80", "-std=c++17", "-c", "-o", "nvcc.o", file]);
    let (status, out, said) = ended(command.current_dir(at));
    (status, out + &said)
}

#[test]
fn they_are_compiled_as_nvcc_takes_them() {
    let at = programs(FILES);
    let (status, said) = by_nvcc(at.path(), "launches.cu");
    assert_eq!(status, 0, "this is not what nvcc takes: {said}");
    let (_, said) = ran(&mut nvcc(
        at.path(),
        &format!("{OFF} -std=c++17 -MMD -g launches.cu -o launches"),
    ));
    assert_eq!(said, "");
    let program = at.path().join("launches");
    assert!(has(&program, "sgemmPKfS0_Pfi$"), "there are no versions");
    // Names and lines are the file's own; strings are as they were.
    let (out, _) = ran(&mut Command::new(&program));
    let text = std::fs::read_to_string(at.path().join("launches.cu")).unwrap();
    let line = text.lines().position(|l| l.contains("__LINE__")).unwrap() + 1;
    let want = format!("k << <1, 1>> >(x) << <\n{line}launches.cu\n");
    assert_eq!(out, want);
    let rule = std::fs::read_to_string(at.path().join("launches.d")).unwrap();
    for (name, any) in [
        ("launches.cu ", true),
        ("launches.cuh", true),
        ("mesi-nvcc-", false),
    ] {
        assert_eq!(rule.contains(name), any, "{name}: {rule}");
    }
    assert!(
        !has(&program, "/mesi-nvcc-"),
        "debug information names a copy"
    );
}

#[test]
fn what_nvcc_does_not_take_stays_an_error() {
    let at = programs(&[]);
    let lines = [
        "__global__ void k() {}",
        "void a() { k < <<1, 1>>>(); }",
        "void b() { k < < <1, 1>>>(); }",
        "void c() { k<<<1, 1> >>(); }",
        "void d() { k<<<1, 1> > >(); }",
        "void e() { k << // no\n<1, 1>>>(); }",
    ];
    std::fs::write(at.path().join("no.cu"), lines.join("\n")).unwrap();
    let (_, by_nvcc) = by_nvcc(at.path(), "no.cu");
    let (_, _, said) = ended(&mut nvcc(at.path(), &format!("{OFF} -c no.cu")));
    for line in 2..=5 {
        assert!(said.contains(&format!("no.cu:{line}:")), "{line}: {said}");
        assert!(
            by_nvcc.contains(&format!("no.cu({line}): error")),
            "{line}: {by_nvcc}"
        );
    }
    // The last one is on two lines.
    assert!(
        said.contains("no.cu:7:") && by_nvcc.contains("no.cu(7): error"),
        "{said}{by_nvcc}"
    );
}

#[test]
fn errors_and_remarks_are_at_the_files_own_places() {
    let at = programs(FILES);
    let own = std::fs::read_to_string(at.path().join("launches.cu")).unwrap();
    let wrong = "void f(float *p) { sgemm << <1, 1>> > (p, p, p, wrong); }";
    std::fs::write(at.path().join("wrong.cu"), own.clone() + wrong).unwrap();
    let (status, _, said) = ended(&mut nvcc(
        at.path(),
        &format!("{OFF} -std=c++17 -c wrong.cu"),
    ));
    let (line, column) = (own.lines().count() + 1, wrong.find("wrong").unwrap() + 1);
    assert!(
        status == 1 && said.starts_with(&format!("wrong.cu:{line}:{column}: error: ")),
        "{said}"
    );
    let sum = own.lines().position(|l| l.contains("sum +=")).unwrap() + 1;
    let (_, said) = ran(&mut nvcc(
        at.path(),
        &format!("{OFF} -std=c++17 -O1 --mesi-remarks -c launches.cu"),
    ));
    assert!(said.contains(&format!("launches.cu:{sum}:")), "{said}");
    let mut report = mesi("report launches.cu --json --plugin");
    report
        .arg(plugin())
        .args(["--", "-arch=sm_80", "-std=c++17"]);
    let (out, _) = ran(report.current_dir(at.path()));
    assert!(
        out.contains("launches.cu") && out.contains("sgemm"),
        "{out}"
    );
}

#[test]
fn the_copies_are_shown_and_gone_afterwards() {
    let at = programs(&["launches.cu", "launches.cuh", "sgemm.cu"]);
    for line in ["-v -std=c++17 -c launches.cu", "--dryrun launches.cu"] {
        let (_, said) = ran(&mut nvcc(at.path(), &format!("{OFF} {line}")));
        let list = said.split("-ivfsoverlay ").nth(1).expect("it is shown");
        let list = list.split_whitespace().next().unwrap();
        assert!(list.ends_with("overlay.json"), "{list}");
        assert!(!Path::new(list).exists(), "{list} is left");
    }
    assert!(at.path().join("launches.o").exists() && !at.path().join("a.out").exists());
    let (_, said) = ran(&mut nvcc(at.path(), "--dryrun sgemm.cu"));
    assert!(!said.contains("-ivfsoverlay"), "{said}");
}

#[test]
fn they_are_found_by_any_name_of_their_folder() {
    let at = programs(&[]);
    let sub = at.path().join("own/src");
    std::fs::create_dir_all(&sub).unwrap();
    std::os::unix::fs::symlink(at.path().join("own"), at.path().join("link")).unwrap();
    let header = |name: &str| {
        format!(
            "__global__ void k_{name}() {{}}\ninline void {name}() {{ k_{name} << <1, 1>> >(); }}\n"
        )
    };
    std::fs::write(at.path().join("own/up.h"), header("up")).unwrap();
    std::fs::write(sub.join("beside.h"), header("beside")).unwrap();
    let main = "#include \"beside.h\"\n#include \"../up.h\"\nvoid f() { up(); beside(); }\n";
    std::fs::write(sub.join("a.cu"), main).unwrap();
    std::fs::write(sub.join("b.txt"), header("b")).unwrap();
    let line = format!("{OFF} -x cu -dc a.cu b.txt ../src/../up.h");
    for folder in ["own/src", "link/src"] {
        // A shell names the folder by the link, the system does not.
        let folder = at.path().join(folder);
        ran(nvcc(&folder, &line).env("PWD", &folder));
        ran(nvcc(&folder, &line).env_remove("PWD"));
    }
}
