//! cuBLAS, found at run time: products in full fp32 and fp64, TF32 off.
//!
//! No machine has to have it; without it the column says why.

use std::ffi::{c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

use anyhow::{Context as _, Result, bail};
use libloading::Library;
use libloading::os::unix::{Library as Unix, RTLD_GLOBAL, RTLD_NOW};
use mesi_launch::{Blas, ElemType};

use crate::driver::Address;

/// Names of the library, newest first.
const NAMES: [&str; 3] = ["libcublas.so.13", "libcublas.so.12", "libcublas.so"];
/// `CUBLAS_DEFAULT_MATH`: TF32 is used only where it is asked for.
const DEFAULT_MATH: c_int = 0;

type Handle = *mut c_void;
type Gemm<T> = unsafe extern "C" fn(
    Handle,
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    *const T,
    Address,
    c_int,
    Address,
    c_int,
    *const T,
    Address,
    c_int,
) -> c_int;

/// A loaded library with its handle; both live until the process ends.
pub struct Cublas {
    library: Library,
    handle: Handle,
    /// As the library says, such as `13.0.2`.
    pub version: String,
}

impl Cublas {
    /// Loads from `given`, a file or a folder, else from where CUDA is usually installed.
    pub fn load(given: Option<&Path>) -> Result<Cublas> {
        // NVIDIA's own switch outranks the math mode; a user's shell must not turn TF32 on.
        // SAFETY: the worker has one thread.
        unsafe { std::env::set_var("NVIDIA_TF32_OVERRIDE", "0") };
        let library = find(given)?;
        let mut cublas = Cublas {
            library,
            handle: null_mut(),
            version: String::new(),
        };
        let mut handle = null_mut();
        // SAFETY: signatures are those of cublas_v2.h.
        let status = unsafe {
            cublas.function::<unsafe extern "C" fn(*mut Handle) -> c_int>("cublasCreate_v2")?(
                &mut handle,
            )
        };
        check("cublasCreate", status)?;
        cublas.handle = handle;
        let mut version = 0;
        // SAFETY: as above; the handle was just created.
        unsafe {
            check(
                "cublasGetVersion",
                cublas.function::<unsafe extern "C" fn(Handle, *mut c_int) -> c_int>(
                    "cublasGetVersion_v2",
                )?(handle, &mut version),
            )?;
            check(
                "cublasSetMathMode",
                cublas.function::<unsafe extern "C" fn(Handle, c_int) -> c_int>(
                    "cublasSetMathMode",
                )?(handle, DEFAULT_MATH),
            )?;
        }
        cublas.version = format!(
            "{}.{}.{}",
            version / 10000,
            version % 10000 / 100,
            version % 100
        );
        Ok(cublas)
    }

    fn function<T: Copy>(&self, name: &str) -> Result<T> {
        // SAFETY: callers name the type that cublas_v2.h declares.
        unsafe {
            self.library
                .get::<T>(name.as_bytes())
                .map(|s| *s)
                .with_context(|| format!("cuBLAS has no {name}"))
        }
    }

    /// `C = alpha op(A) op(B) + beta C` on row-major arrays at these addresses.
    pub fn gemm(&self, call: &Blas, [a, b, c]: [Address; 3]) -> Result<()> {
        let [m, n, k] = call.shape.map(|s| s as c_int);
        let [ta, tb] = call.transposed;
        // cuBLAS is column-major, where row-major arrays are their own transposes: C' = B' A'.
        let (lda, ldb) = (if ta { m } else { k }, if tb { k } else { n });
        let (ta, tb) = (c_int::from(ta), c_int::from(tb));
        // SAFETY: signatures are those of cublas_v2.h, sizes those of the arrays.
        let status = unsafe {
            match call.ty {
                ElemType::F64 => self.function::<Gemm<f64>>("cublasDgemm_v2")?(
                    self.handle,
                    tb,
                    ta,
                    n,
                    m,
                    k,
                    &call.alpha,
                    b,
                    ldb,
                    a,
                    lda,
                    &call.beta,
                    c,
                    n,
                ),
                _ => {
                    let (alpha, beta) = (call.alpha as f32, call.beta as f32);
                    self.function::<Gemm<f32>>("cublasSgemm_v2")?(
                        self.handle,
                        tb,
                        ta,
                        n,
                        m,
                        k,
                        &alpha,
                        b,
                        ldb,
                        a,
                        lda,
                        &beta,
                        c,
                        n,
                    )
                }
            }
        };
        check("cublasGemm", status)
    }
}

fn check(what: &str, status: c_int) -> Result<()> {
    if status != 0 {
        bail!("{what} failed with status {status}");
    }
    Ok(())
}

fn find(given: Option<&Path>) -> Result<Library> {
    let candidates = candidates(given);
    for path in &candidates {
        // cublasLt lies beside it and is found by name only if it is loaded already.
        let beside = path.to_string_lossy().replace("libcublas.", "libcublasLt.");
        // SAFETY: NVIDIA's initialisers, the same that every program linked to cuBLAS runs.
        unsafe {
            let lt = Unix::open(Some(&beside), RTLD_NOW | RTLD_GLOBAL);
            if let Ok(library) = Library::new(path) {
                std::mem::forget(lt);
                return Ok(library);
            }
        }
    }
    match given {
        Some(path) => bail!("no cuBLAS could be loaded from {}", path.display()),
        None => bail!("no cuBLAS found: give its folder by --cublas"),
    }
}

fn candidates(given: Option<&Path>) -> Vec<PathBuf> {
    if let Some(path) = given {
        return match path.is_dir() {
            true => NAMES.iter().map(|n| path.join(n)).collect(),
            false => vec![path.to_path_buf()],
        };
    }
    // First by bare name, which looks at LD_LIBRARY_PATH and the system's folders.
    let mut found: Vec<PathBuf> = NAMES.iter().map(PathBuf::from).collect();
    let mut folders = matching(Path::new("/usr/local"), "cuda", &["lib64"]);
    let mut homes = vec![PathBuf::from("/usr/local/lib"), PathBuf::from("/usr/lib")];
    homes.extend(std::env::var_os("VIRTUAL_ENV").map(|v| PathBuf::from(v).join("lib")));
    homes.extend(std::env::var_os("HOME").map(|v| PathBuf::from(v).join(".local/lib")));
    homes.push(PathBuf::from("/opt/conda/lib"));
    for home in homes {
        for packages in ["dist-packages", "site-packages"] {
            for wheel in ["nvidia/cu13/lib", "nvidia/cublas/lib"] {
                folders.extend(matching(&home, "python3", &[packages, wheel]));
            }
        }
    }
    for folder in folders {
        found.extend(NAMES.iter().map(|n| folder.join(n)).filter(|p| p.exists()));
    }
    found
}

/// `root/PREFIX*/tail...` for every such folder, the last by name first.
fn matching(root: &Path, prefix: &str, tail: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|e| e.file_name().to_string_lossy().starts_with(prefix))
        .map(|e| tail.iter().fold(e.path(), |path, part| path.join(part)))
        .collect();
    found.sort();
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_given_folder_is_the_only_place_looked_at() {
        let dir = tempfile::tempdir().unwrap();
        let found = candidates(Some(dir.path()));
        assert_eq!(found.len(), NAMES.len());
        assert!(found.iter().all(|p| p.starts_with(dir.path())));
        let error = find(Some(dir.path())).err().unwrap().to_string();
        assert!(
            error.starts_with("no cuBLAS could be loaded from"),
            "{error}"
        );
    }

    #[test]
    fn newer_folders_come_first() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["cuda-12.4", "cuda-13.0", "other"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
        }
        let found = matching(dir.path(), "cuda", &["lib64"]);
        assert_eq!(
            found,
            [
                dir.path().join("cuda-13.0/lib64"),
                dir.path().join("cuda-12.4/lib64")
            ]
        );
    }
}
