//! What a cubin holds for the bench: bytes of machine code, and gates, which become host code.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use mesi_bench::manifest::{Gates, Image};
use mesi_launch::{Gate, version_of};
use object::{Object, ObjectSection};

use crate::project;

/// The image with all that its cubin in `bundle` tells; gates are compiled by `clang`, into the bundle.
pub fn complete(bundle: &Path, clang: &Path, image: &Image) -> Result<Image> {
    let path = bundle.join(&image.cubin);
    let cubin = std::fs::read(&path).with_context(|| format!("no {}", path.display()))?;
    let (code, versions) =
        code_bytes(&cubin).with_context(|| format!("{} is no cubin", path.display()))?;
    let mut gates = Gate::all(&cubin).with_context(|| path.display().to_string())?;
    // Numbers for the run-time part: nothing to ask here.
    gates.retain(Gate::is_code);
    let library = Path::new(&image.cubin).with_extension("so");
    compile(clang, &gates, &bundle.join(&library))?;
    let gates = (!gates.is_empty()).then(|| Gates {
        library: library.display().to_string(),
        blocks: gates.iter().map(|g| g.needs[2]).collect(),
        parts: gates.iter().map(|g| g.needs[3]).collect(),
        per_thread: gates.iter().map(|g| g.needs[5]).collect(),
        merged: gates.iter().map(|g| g.needs[6]).collect(),
        kernels: gates.into_iter().map(|g| g.kernel).collect(),
    });
    Ok(Image {
        code,
        versions,
        gates,
        ..image.clone()
    })
}

/// Versions of a kernel at most: a name that says more is not the plug-in's.
const MOST_VERSIONS: u32 = 16;

/// Bytes of machine code: of everything but the versions that the plug-in keeps, and of each of those by number.
fn code_bytes(cubin: &[u8]) -> object::Result<(u64, Vec<u64>)> {
    let file = object::File::parse(cubin)?;
    let (mut code, mut versions) = (0, Vec::new());
    for section in file.sections() {
        let Some(symbol) = section.name()?.strip_prefix(".text.") else {
            continue;
        };
        match version_of(symbol).filter(|v| v.1 < MOST_VERSIONS) {
            Some((_, number)) => {
                let at = number as usize;
                versions.resize(versions.len().max(at + 1), 0);
                versions[at] += section.size();
            }
            None => code += section.size(),
        }
    }
    Ok((code, versions))
}

/// Compiles gates to a shared object for this machine's architecture; without gates there is none.
fn compile(clang: &Path, gates: &[Gate], library: &Path) -> Result<()> {
    if gates.is_empty() {
        return Ok(());
    }
    let scratch = tempfile::tempdir().context("no temporary folder")?;
    let mut clang = Command::new(clang);
    // Gates only compute, so a symbol that is not theirs would be the plug-in's mistake.
    clang.args(["-x", "ir", "-O1", "-fPIC", "-shared", "-nostdlib"]);
    clang.args(["-Wl,-z,defs", "-Wno-override-module"]);
    for (i, gate) in gates.iter().enumerate() {
        let file = scratch.path().join(format!("{i}.bc"));
        std::fs::write(&file, &gate.bitcode).context("a gate cannot be written")?;
        clang.arg(file);
    }
    clang.arg("-o").arg(library);
    let kernels: Vec<&str> = gates.iter().map(|g| g.kernel.as_str()).collect();
    project::capture(&mut clang)
        .with_context(|| format!("the gates of {} cannot be compiled", kernels.join(", ")))
        .map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::setup;
    use mesi_bench::gate;
    use std::ffi::c_void;
    use std::path::PathBuf;

    /// Launches of at least `n` blocks, `n` being the second argument, in blocks of 16x16.
    const GATE: &str = "
define zeroext i1 @\"_Z2mmPfi$gate\"(ptr %args, ptr %launch) {
  %slot = getelementptr ptr, ptr %args, i64 1
  %at = load ptr, ptr %slot
  %n = load i32, ptr %at
  %grid = getelementptr i32, ptr %launch, i64 3
  %blocks = load i32, ptr %grid
  %many = icmp uge i32 %blocks, %n
  %x = load i32, ptr %launch
  %wide = icmp eq i32 %x, 16
  %both = and i1 %many, %wide
  ret i1 %both
}
";

    fn clang() -> PathBuf {
        setup().unwrap().clang()
    }

    /// The text of a module as bitcode.
    fn bitcode(text: &str) -> Vec<u8> {
        let dir = tempfile::tempdir().unwrap();
        let [from, to] = ["a.ll", "a.bc"].map(|n| dir.path().join(n));
        std::fs::write(&from, text).unwrap();
        let mut clang = Command::new(clang());
        clang.args(["-x", "ir", "-c", "-emit-llvm", "-Wno-override-module"]);
        project::capture(clang.arg(&from).arg("-o").arg(&to)).unwrap();
        std::fs::read(to).unwrap()
    }

    /// An object with the sections of a cubin: a kernel, two versions, and `data`.
    fn cubin(data: &[u8]) -> Vec<u8> {
        let dir = tempfile::tempdir().unwrap();
        let [from, to] = ["a.s", "a.o"].map(|n| dir.path().join(n));
        let bytes: Vec<String> = data.iter().map(u8::to_string).collect();
        let text = format!(
            ".section .text._Z2mmPfi\n.zero 48\n.section \".text._Z2mmPfi$mesi$0\"\n.zero 12\n\
             .section \".text._Z2mmPfi$mesi$2\"\n.zero 4\n\
             .section .nv.global.init\n.byte 0\n.byte {}\n",
            bytes.join(",")
        );
        std::fs::write(&from, text).unwrap();
        project::capture(
            Command::new(clang())
                .arg("-c")
                .arg(&from)
                .arg("-o")
                .arg(&to),
        )
        .unwrap();
        std::fs::read(to).unwrap()
    }

    /// A bundle with one image whose cubin holds `data`.
    fn bundle(data: &[u8]) -> (tempfile::TempDir, Image) {
        let bundle = tempfile::tempdir().unwrap();
        std::fs::create_dir(bundle.path().join("code")).unwrap();
        std::fs::write(bundle.path().join("code/mm.cubin"), cubin(data)).unwrap();
        let image = Image {
            cubin: "code/mm.cubin".into(),
            ptx: "code/mm.ptx".into(),
            ..Image::default()
        };
        (bundle, image)
    }

    #[test]
    fn a_gate_answers_from_the_bundle() {
        let kernel = "_Z2mmPfi".to_string();
        let bitcode = bitcode(GATE);
        let record = Gate {
            kernel,
            needs: [0; 7],
            bitcode,
        }
        .record();
        let (bundle, image) = bundle(&record);
        let image = complete(bundle.path(), &clang(), &image).unwrap();
        assert_eq!((image.code, &image.versions[..]), (48, &[12, 0, 4][..]));
        let gates = image.gates.unwrap();
        assert_eq!(gates.library, "code/mm.so");
        assert!(
            gate::Gate::load(bundle.path(), &gates, "other")
                .unwrap()
                .is_none()
        );
        let gate = gate::Gate::load(bundle.path(), &gates, "_Z2mmPfi")
            .unwrap()
            .unwrap();
        let (mut array, mut n) = (0x1000u64, 8i32);
        let arguments: [*mut c_void; 2] = [(&raw mut array).cast(), (&raw mut n).cast()];
        let allows = |x, blocks| unsafe { gate.allows(&arguments, [x, 16, 1], [blocks, 1, 1]) };
        assert!(allows(16, 8) && allows(16, 9));
        assert!(!allows(16, 7) && !allows(8, 8));
    }

    #[test]
    fn numbers_are_no_gate() {
        let record = Gate {
            kernel: "_Z2mmPfi$mesi".into(),
            needs: [0; 7],
            bitcode: vec![7; 20],
        }
        .record();
        let (bundle, image) = bundle(&record);
        let image = complete(bundle.path(), &clang(), &image).unwrap();
        assert_eq!(image.gates, None);
    }

    #[test]
    fn an_image_without_gates_has_no_library() {
        let (bundle, image) = bundle(b"MESI");
        let image = complete(bundle.path(), &clang(), &image).unwrap();
        assert_eq!(image.gates, None);
        assert!(!bundle.path().join("code/mm.so").exists());
    }

    #[test]
    fn broken_gates_are_told_with_their_file() {
        let kernel = "_Z2mmPfi".to_string();
        let mut record = Gate {
            kernel,
            needs: [0; 7],
            bitcode: b"BC\xc0\xde no bitcode".to_vec(),
        }
        .record();
        let told = |data: &[u8]| {
            let (bundle, image) = bundle(data);
            format!(
                "{:#}",
                complete(bundle.path(), &clang(), &image).unwrap_err()
            )
        };
        assert!(told(&record).contains("the gates of _Z2mmPfi cannot be compiled"));
        record[12..16].fill(0xff);
        let text = told(&record);
        assert!(
            text.contains("mm.cubin: the gate at byte ") && text.contains("lacks"),
            "{text}"
        );
    }

    #[test]
    fn a_gate_that_calls_something_is_refused() {
        let text = "declare i1 @f()\ndefine zeroext i1 @\"k$gate\"(ptr %a, ptr %b) {\n  %c = call i1 @f()\n  ret i1 %c\n}\n";
        let record = Gate {
            kernel: "k".into(),
            needs: [0; 7],
            bitcode: bitcode(text),
        }
        .record();
        let (bundle, image) = bundle(&record);
        assert!(complete(bundle.path(), &clang(), &image).is_err());
    }
}
