//! The folder that is run: executables, what they were built from, files they read.
//!
//! ```text
//! DIR/run  DIR/manifest.json  DIR/bin/VARIANT/PROGRAM  DIR/files/...  DIR/lib/*.so
//! ```

use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::exit::{Exit, stop};
use crate::remarks::Remark;

/// The manifest's file name; it is what makes a folder a bundle.
pub const MANIFEST: &str = "manifest.json";
/// Raised whenever an older `run` could not read a newer manifest.
const VERSION: u32 = 1;

/// One way to build the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// The command as it is.
    Plain,
    /// With the plug-in.
    Mesi,
    /// With the plug-in, staging whatever is legal.
    Force,
    /// By nvcc.
    Nvcc,
}

impl Variant {
    /// As in tables and paths.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Mesi => "mesi",
            Self::Force => "force",
            Self::Nvcc => "nvcc",
        }
    }
}

/// One variant's build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Build {
    /// Which one.
    pub variant: Variant,
    /// Why there is no executable.
    pub missing: Option<String>,
    /// What the plug-in said.
    pub remarks: Vec<Remark>,
    /// Seconds the compiler took.
    pub seconds: f64,
}

/// How runs are made and compared, as given; a bundle's `run` may give each anew.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, clap::Args)]
pub struct Rules {
    /// Runs of each variant, in rotated order (default 5)
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: Option<u32>,
    /// Relative difference allowed between numbers of builds with and without the plug-in (default 0: the same digits)
    #[arg(long, value_name = "R", value_parser = not_negative)]
    pub tolerance: Option<f64>,
    /// Absolute difference allowed between numbers (default 0)
    #[arg(long, value_name = "A", value_parser = not_negative)]
    pub absolute: Option<f64>,
    /// Relative difference allowed for nvcc's build, which may fuse otherwise (default 1e-3, or --tolerance if that is more)
    #[arg(long, value_name = "R", value_parser = not_negative)]
    pub nvcc_tolerance: Option<f64>,
    /// Leave out output lines that match; may be given several times
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub ignore: Vec<String>,
    /// Seconds after which a run counts as hung (default 300)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: Option<u64>,
}

fn not_negative(text: &str) -> Result<f64, String> {
    let number = text
        .parse::<f64>()
        .ok()
        .filter(|n| *n >= 0.0 && n.is_finite());
    number.ok_or_else(|| "expected a number, 0 or more".into())
}

fn pattern(text: &str) -> Result<String, String> {
    regex_lite::Regex::new(text)
        .map(|_| text.to_string())
        .map_err(|e| e.to_string())
}

impl Rules {
    /// `self` where it says something, else `other`; patterns add up.
    pub fn or(self, other: &Self) -> Self {
        Self {
            runs: self.runs.or(other.runs),
            tolerance: self.tolerance.or(other.tolerance),
            absolute: self.absolute.or(other.absolute),
            nvcc_tolerance: self.nvcc_tolerance.or(other.nvcc_tolerance),
            ignore: other.ignore.iter().cloned().chain(self.ignore).collect(),
            timeout: self.timeout.or(other.timeout),
        }
    }
}

/// All that `run` needs to know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    /// The executables' file name.
    pub program: String,
    /// The user's command.
    pub command: Vec<String>,
    /// Arguments of each run.
    pub arguments: Vec<String>,
    /// The builds; the first is plain.
    pub builds: Vec<Build>,
    /// Files to compare, relative to the run's folder.
    pub outputs: Vec<PathBuf>,
    /// Whether the launch timer is linked in.
    pub timed: bool,
    /// As given at build time.
    pub rules: Rules,
    /// What the user should know of the builds.
    pub notes: Vec<String>,
    /// The compiler's version.
    pub compiler: String,
}

impl Manifest {
    /// A manifest without builds.
    pub fn new(program: String, command: Vec<String>, arguments: Vec<String>) -> Self {
        Self {
            version: VERSION,
            program,
            command,
            arguments,
            builds: Vec::new(),
            outputs: Vec::new(),
            timed: false,
            rules: Rules::default(),
            notes: Vec::new(),
            compiler: String::new(),
        }
    }

    /// Reads `folder`'s manifest.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(MANIFEST);
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        let manifest: Self = serde_json::from_str(&text)
            .with_context(|| format!("{} is damaged", path.display()))?;
        if manifest.version != VERSION {
            let message = format!(
                "{} is of version {}, this `run` reads version {VERSION}: build the bundle again",
                path.display(),
                manifest.version
            );
            return Err(stop(Exit::Usage, message));
        }
        Ok(manifest)
    }

    /// Writes it; last of all, so that an interrupted build leaves no bundle.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let text =
            serde_json::to_string_pretty(self).context("the manifest cannot be written as JSON")?;
        std::fs::write(folder.join(MANIFEST), text).context("the manifest cannot be written")
    }

    /// Where a variant's executable lies.
    pub fn executable(&self, folder: &Path, variant: Variant) -> PathBuf {
        folder.join("bin").join(variant.name()).join(&self.program)
    }
}

/// Makes `folder`, or takes it if it is empty: nothing of the user's is overwritten.
pub fn create(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{} cannot be created", folder.display()))?;
    let mut entries = folder
        .read_dir()
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    match entries.next() {
        None => Ok(()),
        Some(_) => Err(stop(
            Exit::Usage,
            format!("{} is not empty: give a new folder", folder.display()),
        )),
    }
}

/// Copies `SOURCE` or `SOURCE=NAME` to `files/NAME`; folders with all that is in them.
pub fn add_file(folder: &Path, given: &str) -> Result<()> {
    let (source, name) = given.split_once('=').unwrap_or((given, given));
    let name = inside(name).ok_or_else(|| {
        stop(Exit::Usage, format!("--file {given}: a run sees its files by a path below its own folder; give one, as --file {source}=NAME"))
    })?;
    let source = Path::new(source);
    if !source.exists() {
        return Err(stop(
            Exit::Usage,
            format!("--file {}: no such file", source.display()),
        ));
    }
    copy(source, &folder.join("files").join(name))
        .with_context(|| format!("{} cannot be copied", source.display()))
}

/// `path` without `.`, if it stays below the folder it is relative to.
pub fn inside(path: &str) -> Option<PathBuf> {
    let mut clean = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::Normal(p) => clean.push(p),
            Component::CurDir => {}
            _ => return None,
        }
    }
    (!clean.as_os_str().is_empty()).then_some(clean)
}

/// Copies a file or a folder; folders that exist are filled up.
pub fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if from.is_dir() {
        std::fs::create_dir_all(to)?;
        for entry in from.read_dir()? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    if let Some(parent) = to.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::copy(from, to).map(|_| ())
}

/// Copies the shared libraries that `executable` loads from outside the system's folders to
/// `lib/`, and names those that are not found. `near` is where the toolkit has its libraries.
pub fn add_libraries(folder: &Path, executable: &Path, near: &[PathBuf]) -> Result<Vec<String>> {
    let mut path: Vec<PathBuf> = near.to_vec();
    path.extend(std::env::split_paths(
        &std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default(),
    ));
    let mut ldd = Command::new("ldd");
    ldd.arg(executable).stdin(Stdio::null());
    ldd.env(
        "LD_LIBRARY_PATH",
        std::env::join_paths(path).unwrap_or_default(),
    );
    let Ok(output) = ldd.output() else {
        return Ok(vec![
            "ldd is not installed: shared libraries of the program's own are not in the bundle"
                .into(),
        ]);
    };
    let mut notes = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Some((name, target)) = line.trim().split_once(" => ") else {
            continue;
        };
        let target = target.split(" (").next().unwrap_or(target);
        // The driver belongs to the machine that runs.
        if name.starts_with("libcuda.so") {
            continue;
        }
        if target == "not found" {
            notes.push(format!("{name} is not found here and so not in the bundle"));
        } else if !["/lib", "/usr/lib"]
            .iter()
            .any(|s| Path::new(target).starts_with(s))
            && !target.starts_with("/lib64")
        {
            copy(Path::new(target), &folder.join("lib").join(name))
                .with_context(|| format!("{target} cannot be copied"))?;
        }
    }
    Ok(notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_survives_the_disk() {
        let dir = tempfile::tempdir().unwrap();
        let mut m = Manifest::new("p".into(), vec!["clang++".into()], vec!["a b".into()]);
        m.builds.push(Build {
            variant: Variant::Force,
            missing: Some("why".into()),
            remarks: crate::remarks::parse("x: remark: staged 'a' in k: 1 bytes [-Rpass=mesi]"),
            seconds: 1.5,
        });
        m.rules.tolerance = Some(1e-5);
        m.write(dir.path()).unwrap();
        assert_eq!(Manifest::read(dir.path()).unwrap(), m);
        m.version = 2;
        m.write(dir.path()).unwrap();
        assert!(
            Manifest::read(dir.path())
                .unwrap_err()
                .to_string()
                .contains("version 2")
        );
        std::fs::write(dir.path().join(MANIFEST), "{").unwrap();
        assert!(
            Manifest::read(dir.path())
                .unwrap_err()
                .to_string()
                .contains("damaged")
        );
    }

    #[test]
    fn a_folder_with_something_in_it_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        create(&dir.path().join("new/deep")).unwrap();
        assert!(
            create(dir.path())
                .unwrap_err()
                .to_string()
                .contains("not empty")
        );
    }

    #[test]
    fn files_keep_their_relative_place_and_never_leave_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("in");
        std::fs::create_dir(&source).unwrap();
        std::fs::write(source.join("x.txt"), "1").unwrap();
        add_file(dir.path(), &format!("{}=data/./in", source.display())).unwrap();
        assert_eq!(
            std::fs::read_to_string(dir.path().join("files/data/in/x.txt")).unwrap(),
            "1"
        );
        for bad in ["../x", "/etc/passwd", "x=../y", "."] {
            assert!(
                add_file(dir.path(), bad)
                    .unwrap_err()
                    .to_string()
                    .contains("below its own folder"),
                "{bad}"
            );
        }
        assert!(
            add_file(dir.path(), "no-such-file")
                .unwrap_err()
                .to_string()
                .contains("no such file")
        );
    }

    #[test]
    fn rules_of_a_run_go_before_those_of_the_build() {
        let build = Rules {
            runs: Some(3),
            tolerance: Some(0.1),
            ignore: vec!["a".into()],
            ..Rules::default()
        };
        let run = Rules {
            runs: Some(7),
            ignore: vec!["b".into()],
            ..Rules::default()
        };
        let rules = run.or(&build);
        assert_eq!(
            (rules.runs, rules.tolerance, rules.ignore),
            (Some(7), Some(0.1), vec!["a".to_string(), "b".into()])
        );
    }
}
