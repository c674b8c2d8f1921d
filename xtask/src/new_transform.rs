//! `cargo xtask new-transform NAME`: the home of a new transformation, with the questions that it has to answer, and
//! tests that fail until it does.
//!
//! It is one that writes a kernel's clone in another way and is not planned, as `split`, `mma` and `trim`
//! are: such ones are a list (`REWRITES` in `src/transform/mod.rs`), their names another (in `crates/names`), and nothing
//! else in `src/` knows them.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::project;

/// Where a file goes, and what is in it: `@word@` is the name, `@type@` the same as a type's, `@file@` as a file's.
const FILES: [(&str, &str); 6] = [
    (
        "src/transform/@word@/mod.rs",
        include_str!("new_transform/mod.rs.txt"),
    ),
    (
        "src/transform/@word@/legality.rs",
        include_str!("new_transform/legality.rs.txt"),
    ),
    (
        "src/transform/@word@/plan.rs",
        include_str!("new_transform/plan.rs.txt"),
    ),
    (
        "src/transform/@word@/emit.rs",
        include_str!("new_transform/emit.rs.txt"),
    ),
    (
        "llvm-tests/choice/@file@.cu",
        include_str!("new_transform/yes.cu.txt"),
    ),
    (
        "llvm-tests/choice/no-@file@.cu",
        include_str!("new_transform/no.cu.txt"),
    ),
];

/// What is to be done next.
const NEXT: &str = "\
Now:
  src/transform/mod.rs           `pub mod @word@;`, and `@word@::find` at the end of REWRITES: it is built from then on
  crates/names/src/lib.rs        its name, as the last one of REWRITES
  src/machine/tuning/mod.rs      `pub mod @word@;`, for the numbers that bound it, in a file of its own
  crates/fuzz/src/generate/      a shape of random kernels that it is for
New files:
  crates/mutate/tests/host_@word@s/  ways to break it, which the oracle must catch (as host_products/)
  llvm-tests/tuning/@file@.cu    what its fitted numbers decide, apart from what must hold for the bits
Where it needs a knob, src/options.rs, too. Corpus kernels for the benches are new files in corpus/.
  cargo test --profile quick -p mesi --test llvm -- choice/@file@.cu choice/no-@file@.cu
says what is missing.";

/// Runs the command.
pub fn new_transform(name: &str) -> Result<()> {
    check(name)?;
    for path in write(&project::root(), name)? {
        println!("wrote {path}");
    }
    println!("{}", filled(NEXT, name));
    Ok(())
}

/// Writes the files below `root`; their paths. None is written over.
fn write(root: &Path, name: &str) -> Result<Vec<String>> {
    let files = FILES.map(|(path, text)| (filled(path, name), filled(text, name)));
    if let Some((path, _)) = files.iter().find(|(path, _)| root.join(path).exists()) {
        bail!("{path} is there already");
    }
    for (path, text) in &files {
        let to = root.join(path);
        let folder = to.parent().context("a file lies in a folder")?;
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&to, text))
            .with_context(|| format!("{path} cannot be written"))?;
    }
    Ok(files.map(|(path, _)| path).into())
}

/// A name is one of a module: words in lower case with `_` between them.
fn check(name: &str) -> Result<()> {
    let is_word = |w: &str| {
        w.starts_with(|c: char| c.is_ascii_lowercase())
            && w.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    if !name.split('_').all(is_word) || syn::parse_str::<syn::Ident>(name).is_err() {
        bail!("`{name}` is no name for a module: write it as loop_fission");
    }
    Ok(())
}

fn filled(text: &str, name: &str) -> String {
    let capitalized = |w: &str| w[..1].to_ascii_uppercase() + &w[1..];
    let ty: String = name.split('_').map(capitalized).collect();
    text.replace("@word@", name)
        .replace("@type@", &ty)
        .replace("@file@", &name.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use super::{check, write};

    #[test]
    fn names_are_those_of_modules() {
        assert!(check("loop_fission").is_ok() && check("split2").is_ok());
        for bad in ["Fission", "loop-fission", "_x", "a__b", "2d", "fn", ""] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_it_writes_is_formatted_rust_with_tests_of_its_name() {
        let root = tempfile::tempdir().unwrap();
        let paths = write(root.path(), "loop_fission").unwrap();
        assert_eq!(paths.len(), 6);
        for path in &paths {
            let text = std::fs::read_to_string(root.path().join(path)).unwrap();
            assert!(!text.contains('@') || path.ends_with(".cu"), "{path}");
            assert!(
                !text.contains("@word@") && !text.contains("@type@"),
                "{path}"
            );
            if path.ends_with(".rs") {
                let wide = text.lines().find(|l| l.chars().count() > 120);
                assert_eq!(wide, None, "{path}");
                syn::parse_file(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
                assert!(is_formatted(&text), "{path}");
            }
        }
        assert!(write(root.path(), "loop_fission").is_err(), "written over");
    }

    /// As rustfmt writes it.
    fn is_formatted(text: &str) -> bool {
        let mut rustfmt = Command::new("rustfmt");
        rustfmt.args(["--edition", "2024", "--check"]);
        let pipes = rustfmt.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = pipes.spawn().expect("rustfmt comes with cargo");
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        drop(stdin);
        child.wait().unwrap().success()
    }

    /// What it says is to be touched is there, and has the names that it says.
    #[test]
    fn what_it_says_to_touch_is_there() {
        let read = |p: &str| std::fs::read_to_string(crate::project::root().join(p)).unwrap();
        assert!(read("src/transform/mod.rs").contains("pub const REWRITES"));
        assert!(read("src/machine/tuning/mod.rs").contains("mod "));
        assert!(read("crates/mutate/tests/host_products/ways.rs").contains("MUTATIONS"));
        assert!(
            crate::project::root()
                .join("crates/fuzz/src/generate")
                .is_dir()
        );
    }
}
