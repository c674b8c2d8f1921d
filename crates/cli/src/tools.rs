//! Finds what the commands work with: clang 22, the plug-in, the CUDA toolkit, nvcc.
//!
//! Nothing is started here, so that a compile costs no more than a few looks at the disk.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// LLVM's major version that this mesi is made for.
pub const LLVM_MAJOR: u32 = 22;

/// The programs and folders of one compile.
#[derive(Debug, Clone)]
pub struct Tools {
    /// `clang++` of LLVM 22.
    pub clang: PathBuf,
    /// The plug-in.
    pub plugin: PathBuf,
    /// The header of what nvcc accepts and clang does not.
    pub header: PathBuf,
    /// The CUDA toolkit.
    pub cuda: Cuda,
}

/// A CUDA toolkit.
#[derive(Debug, Clone)]
pub struct Cuda {
    /// Its root.
    pub root: PathBuf,
    /// `(13, 0)`.
    pub version: (u32, u32),
}

impl Cuda {
    /// A program of the toolkit.
    pub fn program(&self, name: &str) -> PathBuf {
        self.root.join("bin").join(name)
    }

    /// The real nvcc, where the toolkit has it.
    pub fn nvcc(&self) -> Option<PathBuf> {
        Some(self.program("nvcc")).filter(|p| p.is_file())
    }

    /// The folder of `libcudart_static.a`.
    pub fn libraries(&self) -> PathBuf {
        let folders = ["lib64", "lib", "targets/x86_64-linux/lib"].map(|f| self.root.join(f));
        let with_runtime = folders
            .iter()
            .find(|f| f.join("libcudart_static.a").exists());
        with_runtime.unwrap_or(&folders[0]).clone()
    }
}

/// Finds everything; the first thing that is missing is the error.
pub fn find(plugin: Option<&str>) -> Result<Tools> {
    Ok(Tools {
        clang: clang()?,
        plugin: self::plugin(plugin)?,
        header: header()?,
        cuda: cuda()?,
    })
}

/// `clang++` of LLVM 22: `LLVM_SYS_221_PREFIX`'s, else `clang++-22`, else Debian's folder.
pub fn clang() -> Result<PathBuf> {
    let given = set("LLVM_SYS_221_PREFIX").map(|p| PathBuf::from(p).join("bin/clang++"));
    if let Some(given) = given {
        if given.is_file() {
            return Ok(given);
        }
        bail!("LLVM_SYS_221_PREFIX has no bin/clang++: point it at LLVM 22.1 or unset it");
    }
    let usual = PathBuf::from("/usr/lib/llvm-22/bin/clang++");
    in_path("clang++-22")
        .or_else(|| Some(usual).filter(|p| p.is_file()))
        .ok_or_else(|| anyhow::anyhow!("clang 22 is not installed: apt-get install clang-22 clang-tools-22 (also at apt.llvm.org), or set LLVM_SYS_221_PREFIX"))
}

/// The plug-in: as given, else near this program.
pub fn plugin(given: Option<&str>) -> Result<PathBuf> {
    if let Some(given) = given {
        let given = PathBuf::from(given);
        if given.is_file() {
            return Ok(given);
        }
        bail!(
            "the plug-in {} is not there: give --mesi-plugin another path",
            given.display()
        );
    }
    let names = [
        "libmesi-22.so",
        "libmesi.so",
        "../lib/libmesi-22.so",
        "../lib/libmesi.so",
    ];
    near(&names).ok_or_else(|| {
        anyhow::anyhow!("libmesi-22.so is not beside this program nor in ../lib: build it (cargo build --release), install mesi anew, or give --mesi-plugin=FILE")
    })
}

/// The header that `mesi nvcc` includes before every CUDA file.
pub fn header() -> Result<PathBuf> {
    let mut names = vec!["../include/mesi/nvcc.h".to_string()];
    // In a checkout the program lies in target/PROFILE, or in target/PROFILE/deps.
    names.extend([2, 3, 4].map(|up| "../".repeat(up) + "packaging/include/mesi/nvcc.h"));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    near(&names).ok_or_else(|| {
        anyhow::anyhow!("mesi/nvcc.h is not in ../include of this program: install mesi anew")
    })
}

/// The toolkit: `CUDA_PATH`, `CUDA_HOME`, that of the nvcc in `PATH`, where it usually is, or that of Python's wheels.
pub fn cuda() -> Result<Cuda> {
    for variable in ["CUDA_PATH", "CUDA_HOME"] {
        if let Some(root) = set(variable) {
            return toolkit(Path::new(&root)).map_err(|why| {
                anyhow::anyhow!(
                    "{variable}={root} {why}: point it at a CUDA 12.0 to 13.0 toolkit or unset it"
                )
            });
        }
    }
    let beside_nvcc = in_path("nvcc")
        .and_then(|n| n.canonicalize().ok())
        .and_then(|n| Some(n.parent()?.parent()?.to_path_buf()));
    let usual = ["/usr/local/cuda", "/usr/lib/cuda", "/opt/cuda"].map(PathBuf::from);
    for root in beside_nvcc.into_iter().chain(usual).chain(wheels()) {
        if let Ok(cuda) = toolkit(&root) {
            return Ok(cuda);
        }
    }
    let list = near(&["../share/mesi/cuda-13.0.txt"])
        .map(|l| format!(", or fetch one: pip install --no-deps -r {}", l.display()));
    bail!(
        "no CUDA toolkit found: set CUDA_PATH to one of CUDA 12.0 to 13.0{}",
        list.unwrap_or_default()
    )
}

/// Where pip puts a toolkit: in the virtual environment, for this user, for all users.
fn wheels() -> Vec<PathBuf> {
    let home = set("HOME").map(|h| format!("{h}/.local"));
    let prefixes = set("VIRTUAL_ENV").into_iter().chain(home);
    let prefixes = prefixes.chain(["/usr/local".to_string()]);
    prefixes.flat_map(|p| wheels_in(Path::new(&p))).collect()
}

/// `lib/python3.*/{site,dist}-packages/nvidia/cu13` below a prefix; the newest Python first.
fn wheels_in(prefix: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(prefix.join("lib")).into_iter().flatten();
    let mut pythons: Vec<PathBuf> = entries
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.to_string_lossy().contains("/lib/python3."))
        .collect();
    pythons.sort_by_key(|p| {
        let minor = p.extension().map(|m| m.to_string_lossy().into_owned());
        std::cmp::Reverse(minor.and_then(|m| m.parse::<u32>().ok()))
    });
    let folders = pythons
        .iter()
        .flat_map(|p| ["site-packages", "dist-packages"].map(|f| p.join(f).join("nvidia/cu13")));
    folders.filter(|f| f.is_dir()).collect()
}

/// Reads a toolkit's version; the error ends a sentence that names it.
pub fn toolkit(root: &Path) -> std::result::Result<Cuda, String> {
    for file in [
        "bin/ptxas",
        "include/cuda.h",
        "nvvm/libdevice/libdevice.10.bc",
    ] {
        if !root.join(file).exists() {
            return Err(format!("has no {file}"));
        }
    }
    let header = std::fs::read_to_string(root.join("include/cuda.h"))
        .map_err(|_| "has an unreadable include/cuda.h".to_string())?;
    let version: u32 = header
        .lines()
        .find_map(|l| l.strip_prefix("#define CUDA_VERSION")?.trim().parse().ok())
        .ok_or("does not say its version in include/cuda.h")?;
    Ok(Cuda {
        root: root.to_path_buf(),
        version: (version / 1000, version % 1000 / 10),
    })
}

/// The first of these paths that is there, from this program's folder.
pub fn near(names: &[&str]) -> Option<PathBuf> {
    // Without /proc (a bare chroot) the program does not know where it is.
    let own = std::env::current_exe().ok().or_else(|| in_path("mesi"))?;
    let own = own.canonicalize().ok()?;
    let folder = own.parent()?;
    let found = names.iter().map(|n| folder.join(n)).find(|p| p.is_file())?;
    found.canonicalize().ok()
}

/// A program by its name in `PATH`.
pub fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|f| f.join(name))
        .find(|p| p.is_file())
}

/// A variable that is set and not empty.
pub fn set(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|v| !v.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_python_that_has_a_toolkit_comes_first() {
        let prefix = tempfile::tempdir().unwrap();
        for folder in [
            "python3.9/site-packages/nvidia/cu13",
            "python3.11/dist-packages/nvidia/cu13",
            "python3.12/site-packages/nvidia",
        ] {
            std::fs::create_dir_all(prefix.path().join("lib").join(folder)).unwrap();
        }
        let found = wheels_in(prefix.path());
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].ends_with("lib/python3.11/dist-packages/nvidia/cu13"));
    }
}
