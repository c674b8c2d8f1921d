//! Compiles the run-time part to bitcode and to assembly. That the LLVM there is one of version 22 the build of `mesi-llvm` has seen to.

use anyhow::{Context, Result, bail, ensure};
use lz4_flex::block::compress_prepend_size;
use object::read::{File, Section, Symbol};
use object::{
    Architecture, Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget,
    SectionFlags, SectionIndex, SectionKind, SymbolKind, elf,
};
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

const PREFIX: &str = "LLVM_SYS_221_PREFIX";
const RUNTIME: &str = "rt/mesi_rt.c";

fn main() -> Result<()> {
    println!("cargo::rerun-if-env-changed={PREFIX}");
    let prefix = PathBuf::from(std::env::var(PREFIX).unwrap_or("/usr/lib/llvm-22".into()));
    // Addresses that the loader fills in take two bits each in place of 24 bytes (glibc 2.36).
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,pack-relative-relocs");
    compile_runtime(&prefix)?;
    println!("cargo::rustc-env=MESI_BUILD={}", build_id()?);
    Ok(())
}

/// Compiles the run-time part for each kind of host, to bitcode and to assembly, by the clang whose plug-in this is: no other is sure to
/// write what its LLVM reads. It is freestanding, so no headers of that host are needed.
fn compile_runtime(prefix: &Path) -> Result<()> {
    println!("cargo::rerun-if-changed=rt");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").context("cargo sets OUT_DIR")?);
    let clang = prefix.join("bin/clang");
    // Code that is called by a pointer begins as hosts ask that check such calls. A register that a platform may keep to
    // itself is left alone.
    let asked: [(&str, &[&str]); 2] = [
        ("x86_64", &["-fcf-protection=branch"]),
        ("aarch64", &["-mbranch-protection=bti", "-ffixed-x18"]),
    ];
    for (host, asked) in asked {
        let target = format!("--target={host}-linux-gnu");
        let file = |kind: &str| out.join(format!("mesi_rt.{host}.{kind}"));
        let small = ["-Oz", "-emit-llvm"];
        let from_c = [&SOURCE_OPTIONS[..], &small, &[&target]].concat();
        run(
            &clang,
            &[&from_c[..], &["-c"]].concat(),
            Path::new(RUNTIME),
            &file("bc"),
        )?;
        run(
            &clang,
            &[&from_c[..], asked, &["-S"]].concat(),
            Path::new(RUNTIME),
            &file("ll"),
        )?;
        let text = fast_where_hot(&std::fs::read_to_string(file("ll"))?);
        std::fs::write(file("ll"), text)?;
        let to_code = [&["-O2", "-fPIC", "-c", &target], asked].concat();
        run(&clang, &to_code, &file("ll"), &file("o"))?;
        let object = std::fs::read(file("o"))?;
        std::fs::write(file("s"), part_of_a_module(&object)?)?;
        // What the plug-in has of it, about half as long.
        for kind in ["bc", "s"] {
            let packed = compress_prepend_size(&std::fs::read(file(kind))?);
            std::fs::write(file(&format!("{kind}.lz4")), packed)?;
        }
    }
    Ok(())
}

/// How the run-time part's C is compiled, whatever is made of it.
const SOURCE_OPTIONS: [&str; 9] = [
    "-std=c11",
    "-ffreestanding",
    "-fPIC",
    "-fno-stack-protector",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-Wall",
    "-Wextra",
    "-Werror",
];

fn run(clang: &Path, options: &[&str], from: &Path, to: &Path) -> Result<()> {
    let mut command = Command::new(clang);
    command.args(options).arg(from).arg("-o").arg(to);
    let status = command
        .status()
        .with_context(|| format!("cannot run {}: install clang-22", clang.display()))?;
    ensure!(
        status.success(),
        "{} does not compile: {command:?}",
        from.display()
    );
    Ok(())
}

/// LLVM's text of the run-time part, with what is on the way of settled launches (`FAST` in rt/rt_base.h) no longer
/// kept small.
fn fast_where_hot(text: &str) -> String {
    let line = |line: &str| match line.starts_with("attributes #") && line.contains(" hot ") {
        true => line.replace("minsize ", "").replace("optsize ", "") + "\n",
        false => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// What host code calls, and so what is called in assembly as in C.
const ENTRIES: [&str; 2] = ["mesi_launch", "mesi_launch_ex"];

/// What all files of a program have one of.
const SHARED: &str = "mesi_rt.any_tuned";

/// A whole file's machine code as assembly that is a part of another file: seen by nobody else, but for [`SHARED`], and
/// with names that no C has. A reference that may stay open does not make the file's own to the same function such ones.
/// A second copy in one file, as `llvm-link` makes them, is left out.
///
/// Code is written as bytes, and what the linker fills in by `.reloc`: in each compile LLVM reads it again, and to match
/// the text of every instruction takes it longer than most of what else the plug-in does to host code.
fn part_of_a_module(object: &[u8]) -> Result<String> {
    let file = File::parse(object)?;
    let mut out = format!(".ifndef {}\n.pushsection .text\n", ENTRIES[0]);
    for s in file.symbols().filter(|s| s.is_undefined() && s.is_weak()) {
        let name = s.name()?;
        writeln!(out, ".weakref {}, {name}", renamed(name))?;
    }
    for section in file.sections() {
        if let Some(kind) = kind_of(&section)? {
            let (align, start) = (section.align(), start_of(section.index()));
            writeln!(out, ".section {kind}\n.balign {align}\n{start}:")?;
            write_contents(&file, &section, &mut out)?;
            write_references(&file, &section, &mut out)?;
        }
    }
    Ok(out + ".popsection\n.endif\n")
}

/// What a section is there; `None`: nothing of it is loaded, or it says something of the whole file, which is not ours.
fn kind_of(section: &Section) -> Result<Option<String>> {
    let name = section.name()?;
    let SectionFlags::Elf { sh_flags } = section.flags() else {
        bail!("{name} is no section of ELF");
    };
    let is_loaded = sh_flags & u64::from(elf::SHF_ALLOC) != 0;
    if !is_loaded || section.size() == 0 || name.starts_with(".note") {
        return Ok(None);
    }
    Ok(Some(match section.kind() {
        SectionKind::Text => format!("{name},\"ax\",@progbits"),
        // Linkers merge parts of such sections by what is in them, and then offsets say nothing: it is an ordinary one.
        SectionKind::ReadOnlyData | SectionKind::ReadOnlyString => ".rodata,\"a\",@progbits".into(),
        SectionKind::UninitializedData => format!("{name},\"aw\",@nobits"),
        _ if name == ".init_array" => format!("{name},\"aw\",@init_array"),
        SectionKind::Data | SectionKind::ReadOnlyDataWithRel => format!("{name},\"aw\",@progbits"),
        kind => bail!("{name} is not expected, of the kind {kind:?}"),
    }))
}

/// A section's bytes, and names where functions begin.
fn write_contents(file: &File, section: &Section, out: &mut String) -> Result<()> {
    let mut names: Vec<_> = file
        .symbols()
        .filter(|s| s.section_index() == Some(section.index()) && is_named(s))
        .collect();
    names.sort_by_key(|s| s.address());
    let mut at = 0;
    for s in names {
        write_bytes(file, section, at..s.address(), out)?;
        at = s.address();
        let (name, size) = (symbol_name(&s)?, s.size());
        if s.is_weak() {
            writeln!(out, ".weak {name}\n.hidden {name}")?;
        }
        let kind = match s.kind() {
            SymbolKind::Text => "function",
            _ => "object",
        };
        writeln!(out, ".type {name},@{kind}\n.size {name}, {size}\n{name}:")?;
    }
    write_bytes(file, section, at..section.size(), out)
}

fn write_bytes(file: &File, section: &Section, range: Range<u64>, out: &mut String) -> Result<()> {
    let size = range.end - range.start;
    if size == 0 {
        return Ok(());
    }
    if section.kind() == SectionKind::UninitializedData {
        writeln!(out, ".zero {size}")?;
        return Ok(());
    }
    let bytes = section.data_range(range.start, size)?.context("no data")?;
    // There code and data are told apart by how they are written.
    if file.architecture() == Architecture::Aarch64 && section.kind() == SectionKind::Text {
        let words = bytes
            .chunks_exact(4)
            .map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]));
        let words: Vec<String> = words.map(|w| format!("{w:#x}")).collect();
        writeln!(out, ".inst {}", words.join(","))?;
        return Ok(());
    }
    let character = |b: &u8| match b {
        b'"' | b'\\' => format!("\\{}", *b as char),
        b' '..=b'~' => (*b as char).to_string(),
        _ => format!("\\{b:03o}"),
    };
    writeln!(
        out,
        ".ascii \"{}\"",
        bytes.iter().map(character).collect::<String>()
    )?;
    Ok(())
}

/// What the linker adds to a section.
fn write_references(file: &File, section: &Section, out: &mut String) -> Result<()> {
    let start = start_of(section.index());
    for (offset, r) in section.relocations() {
        let RelocationFlags::Elf { r_type } = r.flags() else {
            bail!("no relocation of ELF");
        };
        let RelocationTarget::Symbol(index) = r.target() else {
            bail!("a relocation without a symbol");
        };
        let s = file.symbol_by_index(index)?;
        let kind = relocation_name(file.architecture(), r_type)?;
        let (name, past) = match s.section_index() {
            Some(section) if !is_named(&s) => (start_of(section), s.address() as i64 + r.addend()),
            _ => (symbol_name(&s)?, r.addend()),
        };
        writeln!(out, ".reloc {start}+{offset}, {kind}, {name}{past:+}")?;
    }
    Ok(())
}

fn relocation_name(machine: Architecture, r_type: u32) -> Result<&'static str> {
    macro_rules! names {
        ($($name:ident)*) => { &[$((elf::$name, stringify!($name))),*] };
    }
    let of_machine: &[(u32, &str)] = match machine {
        Architecture::X86_64 => names! {
            R_X86_64_64 R_X86_64_PC32 R_X86_64_PLT32
            R_X86_64_GOTPCREL R_X86_64_GOTPCRELX R_X86_64_REX_GOTPCRELX
        },
        _ => names! {
            R_AARCH64_ABS64 R_AARCH64_PREL32 R_AARCH64_CALL26 R_AARCH64_JUMP26 R_AARCH64_CONDBR19 R_AARCH64_TSTBR14
            R_AARCH64_ADR_PREL_PG_HI21 R_AARCH64_ADD_ABS_LO12_NC R_AARCH64_LDST8_ABS_LO12_NC
            R_AARCH64_LDST16_ABS_LO12_NC R_AARCH64_LDST32_ABS_LO12_NC R_AARCH64_LDST64_ABS_LO12_NC
            R_AARCH64_LDST128_ABS_LO12_NC R_AARCH64_ADR_GOT_PAGE R_AARCH64_LD64_GOT_LO12_NC
        },
    };
    let known = of_machine.iter().find(|(number, _)| *number == r_type);
    let (_, name) = known.with_context(|| format!("relocation {r_type} is not expected"))?;
    Ok(name)
}

/// The label of a section's first byte.
fn start_of(section: SectionIndex) -> String {
    format!(".Lmesi_rt.{}", section.0)
}

/// Whether a symbol keeps its name. Data has none but where it is all files' one.
fn is_named(s: &Symbol) -> bool {
    s.kind() == SymbolKind::Text || s.is_weak() || s.is_undefined()
}

/// What a symbol is called there.
fn symbol_name(s: &Symbol) -> Result<String> {
    let name = s.name()?;
    let is_outside = s.is_undefined() && !s.is_weak();
    Ok(
        match is_outside || ENTRIES.contains(&name) || name == SHARED {
            true => name.into(),
            false => renamed(name),
        },
    )
}

fn renamed(name: &str) -> String {
    format!("mesi_rt.{name}")
}

/// Tells builds apart: of what was measured under another build nothing is believed.
fn build_id() -> Result<String> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hash = DefaultHasher::new();
    for folder in ["src", "crates/mesi-llvm/src", "rt"] {
        println!("cargo::rerun-if-changed={folder}");
        hash_folder(Path::new(folder), &mut hash)?;
    }
    return Ok(format!("{:016x}", hash.finish()));

    fn hash_folder(folder: &Path, hash: &mut DefaultHasher) -> Result<()> {
        let entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        let mut paths: Vec<_> = entries.into_iter().map(|e| e.path()).collect();
        paths.sort();
        for path in paths {
            match path.is_dir() {
                true => hash_folder(&path, hash)?,
                false => std::fs::read(&path)?.hash(hash),
            }
        }
        Ok(())
    }
}
