//! The few functions of the CUDA driver that the bench needs, found by dlopen.
//!
//! Nothing links to CUDA, so the program builds on a machine without it and says in one line when
//! there is no driver. Signatures follow `cuda.h`; the `_v2` names are the 64-bit ones that `cuda.h`
//! maps the plain names to.

mod graph;
mod objects;

pub use graph::{Graph, Recorder};
pub use objects::{Event, Kernel, Launch, Memory, Module};

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fmt;
use std::path::Path;
use std::ptr::null_mut;

use anyhow::{Context as _, Result, bail};
use libloading::{Library, Symbol};

type Status = c_int;
/// A device address.
pub type Address = u64;
type Handle = *mut c_void;
/// `cuLaunchKernel`, kept at hand because short kernels are launched back to back.
type LaunchKernel = unsafe extern "C" fn(
    Handle,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    Handle,
    *mut *mut c_void,
    *mut *mut c_void,
) -> Status;

/// What a driver function answered instead of success.
#[derive(Debug)]
pub struct Fault {
    /// The function.
    pub what: &'static str,
    /// `CUresult`.
    pub code: i32,
    text: String,
}

impl Fault {
    /// The image holds nothing that this GPU runs: no code for its architecture (209, 222, 218 by a
    /// driver older than the toolkit), or nothing the driver can read at all (200).
    pub fn is_wrong_image(&self) -> bool {
        [200, 209, 218, 222].contains(&self.code)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.text)
    }
}

impl std::error::Error for Fault {}

/// The loaded driver.
pub struct Driver {
    library: Library,
    launch: LaunchKernel,
}

/// The first GPU's primary context, which libraries such as cuBLAS use too.
pub struct Context<'d> {
    driver: &'d Driver,
    device: c_int,
}

/// What a chip is, as the driver says.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Chip {
    /// Marketing name.
    pub name: String,
    /// Compute capability, as `sm_90`.
    pub arch: String,
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// Bytes of L2 cache.
    pub l2_bytes: u64,
    /// Bytes of memory.
    pub memory_bytes: u64,
    /// Threads that one multiprocessor holds.
    pub threads: u32,
    /// CUDA version the driver speaks, as `13.0`.
    pub cuda: String,
    /// The driver's own version.
    pub driver: String,
}

/// Calls a driver function by name: `call!(driver, "cuInit", (flags => c_uint))`.
macro_rules! call {
    ($driver:expr, $name:literal, ($($value:expr => $type:ty),*)) => {{
        // SAFETY: the name and the parameter types are those of cuda.h, checked one by one.
        let status = unsafe {
            let function: libloading::Symbol<unsafe extern "C" fn($($type),*) -> crate::driver::Status> = $driver
                .library
                .get($name.as_bytes())
                .with_context(|| format!("the CUDA driver has no {}, update it", $name))?;
            function($($value),*)
        };
        $driver.check($name, status)
    }};
}
use call;

impl Driver {
    /// Loads `libcuda.so.1` and initialises it.
    pub fn load() -> Result<Driver> {
        // SAFETY: the driver's initialisers are those every CUDA program runs.
        let library = unsafe { Library::new("libcuda.so.1") }.ok().context(
            "libcuda.so.1 cannot be loaded: install NVIDIA's driver, or run on a machine that has it",
        )?;
        // SAFETY: the signature is that of cuda.h.
        let launch = unsafe {
            *library
                .get::<LaunchKernel>(b"cuLaunchKernel")
                .context("the CUDA driver has no cuLaunchKernel, update it")?
        };
        let driver = Driver { library, launch };
        call!(driver, "cuInit", (0 => c_uint))?;
        Ok(driver)
    }

    /// The primary context of the first GPU, made current.
    pub fn context(&self) -> Result<Context<'_>> {
        let mut count: c_int = 0;
        call!(self, "cuDeviceGetCount", (&mut count => *mut c_int))?;
        if count == 0 {
            bail!("the driver lists no GPU");
        }
        let mut device: c_int = 0;
        call!(self, "cuDeviceGet", (&mut device => *mut c_int, 0 => c_int))?;
        let mut handle = null_mut();
        call!(self, "cuDevicePrimaryCtxRetain", (&mut handle => *mut Handle, device => c_int))?;
        call!(self, "cuCtxSetCurrent", (handle => Handle))?;
        Ok(Context {
            driver: self,
            device,
        })
    }

    fn check(&self, what: &'static str, status: Status) -> Result<()> {
        if status == 0 {
            return Ok(());
        }
        let mut text: *const c_char = std::ptr::null();
        // SAFETY: as in cuda.h; the text is static in the driver.
        let known = unsafe {
            let function: Symbol<unsafe extern "C" fn(Status, *mut *const c_char) -> Status> =
                self.library.get(b"cuGetErrorString")?;
            function(status, &mut text) == 0 && !text.is_null()
        };
        let text = if known {
            // SAFETY: checked non-null, static and zero-terminated.
            unsafe { CStr::from_ptr(text) }
                .to_string_lossy()
                .into_owned()
        } else {
            format!("failed with code {status}")
        };
        Err(Fault {
            what,
            code: status,
            text,
        }
        .into())
    }
}

/// `CU_DEVICE_ATTRIBUTE_*` of cuda.h.
const MULTIPROCESSORS: c_int = 16;
const L2_BYTES: c_int = 38;
const THREADS: c_int = 39;
const MAJOR: c_int = 75;
const MINOR: c_int = 76;

impl Context<'_> {
    /// What the GPU is.
    pub fn chip(&self) -> Result<Chip> {
        let driver = self.driver;
        let mut name = [0 as c_char; 256];
        call!(driver, "cuDeviceGetName", (name.as_mut_ptr() => *mut c_char, 256 => c_int, self.device => c_int))?;
        let mut cuda: c_int = 0;
        call!(driver, "cuDriverGetVersion", (&mut cuda => *mut c_int))?;
        let mut memory_bytes = 0usize;
        call!(driver, "cuDeviceTotalMem_v2", (&mut memory_bytes => *mut usize, self.device => c_int))?;
        Ok(Chip {
            // SAFETY: the driver ends the name with a zero within the length it was given.
            name: unsafe { CStr::from_ptr(name.as_ptr()) }
                .to_string_lossy()
                .into_owned(),
            arch: format!("sm_{}{}", self.attribute(MAJOR)?, self.attribute(MINOR)?),
            multiprocessors: self.attribute(MULTIPROCESSORS)?,
            l2_bytes: self.attribute(L2_BYTES)?.into(),
            memory_bytes: memory_bytes as u64,
            threads: self.attribute(THREADS)?,
            cuda: format!("{}.{}", cuda / 1000, cuda % 1000 / 10),
            driver: driver_version(Path::new("/proc/driver/nvidia/version")),
        })
    }

    fn attribute(&self, which: c_int) -> Result<u32> {
        let mut value: c_int = 0;
        call!(self.driver, "cuDeviceGetAttribute", (&mut value => *mut c_int, which => c_int, self.device => c_int))?;
        Ok(value.max(0) as u32)
    }

    /// Bytes of device memory that are free now.
    pub fn free_bytes(&self) -> Result<u64> {
        let (mut free, mut total) = (0usize, 0usize);
        call!(self.driver, "cuMemGetInfo_v2", (&mut free => *mut usize, &mut total => *mut usize))?;
        Ok(free as u64)
    }

    /// Waits for everything launched; faults of kernels are reported here.
    pub fn synchronize(&self) -> Result<()> {
        call!(self.driver, "cuCtxSynchronize", ())
    }

    /// Sets bytes on the device.
    pub fn set(&self, at: Address, value: u8, bytes: u64) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        call!(self.driver, "cuMemsetD8_v2", (at => Address, value => u8, bytes as usize => usize))
    }

    /// Copies from the device to the device.
    pub fn copy(&self, to: Address, from: Address, bytes: u64) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        call!(self.driver, "cuMemcpyDtoD_v2", (to => Address, from => Address, bytes as usize => usize))
    }

    /// Copies from the device.
    pub fn read(&self, from: Address, bytes: usize) -> Result<Vec<u8>> {
        let mut host = vec![0u8; bytes];
        if bytes > 0 {
            call!(self.driver, "cuMemcpyDtoH_v2", (host.as_mut_ptr().cast() => *mut c_void, from => Address, bytes => usize))?;
        }
        Ok(host)
    }

    /// Copies to the device.
    pub fn send(&self, to: Address, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        call!(self.driver, "cuMemcpyHtoD_v2", (to => Address, bytes.as_ptr().cast() => *const c_void, bytes.len() => usize))
    }
}

/// The driver's version from its own report: the first word that looks like `580.95.05`.
fn driver_version(report: &Path) -> String {
    let text = std::fs::read_to_string(report).unwrap_or_default();
    let words = text.lines().next().unwrap_or_default().split_whitespace();
    let version = |w: &&str| w.contains('.') && w.chars().all(|c| c.is_ascii_digit() || c == '.');
    words.clone().find(version).unwrap_or("unknown").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drivers_version_is_read() {
        let file = std::env::temp_dir().join(format!("mesi-bench-version-{}", std::process::id()));
        std::fs::write(&file, "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build\nGCC version: gcc 12.3.0\n").unwrap();
        assert_eq!(driver_version(&file), "580.95.05");
        std::fs::remove_file(&file).unwrap();
        assert_eq!(driver_version(&file), "unknown");
    }
}
