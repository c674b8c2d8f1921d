//! The few functions of the CUDA driver that the bench needs, found by dlopen.
//!
//! Nothing links to CUDA, so the program builds on a machine without it and says in one line when
//! there is no driver. All `unsafe` of this crate is here. Signatures follow `cuda.h`; the `_v2`
//! names are the 64-bit ones that `cuda.h` maps the plain names to.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

use anyhow::{Context as _, Result, bail};
use libloading::{Library, Symbol};

type Status = c_int;
/// A device address.
pub type Address = u64;
type Handle = *mut c_void;

/// The loaded driver.
pub struct Driver {
    library: Library,
}

/// A context on the first GPU; destroyed on drop, which also clears a faulted one.
pub struct Context<'d> {
    driver: &'d Driver,
    handle: Handle,
}

/// A loaded cubin.
pub struct Module<'c> {
    context: &'c Context<'c>,
    handle: Handle,
}

/// A kernel of a loaded cubin.
#[derive(Clone, Copy)]
pub struct Kernel<'m> {
    module: &'m Module<'m>,
    handle: Handle,
}

/// Device memory, freed on drop.
pub struct Memory<'c> {
    context: &'c Context<'c>,
    /// Where it starts.
    pub address: Address,
}

/// A point in the stream whose time is taken.
pub struct Event<'c> {
    context: &'c Context<'c>,
    handle: Handle,
}

/// Calls a driver function by name: `call!(driver, "cuInit", (flags: c_uint))`.
macro_rules! call {
    ($driver:expr, $name:literal, ($($value:expr => $type:ty),*)) => {{
        // SAFETY: the name and the parameter types are those of cuda.h, checked one by one.
        let status = unsafe {
            let function: Symbol<unsafe extern "C" fn($($type),*) -> Status> = $driver
                .library
                .get($name.as_bytes())
                .with_context(|| format!("the CUDA driver has no {}, update it", $name))?;
            function($($value),*)
        };
        $driver.check($name, status)
    }};
}

impl Driver {
    /// Loads `libcuda.so.1` and initialises it.
    pub fn load() -> Result<Driver> {
        // SAFETY: the driver's initialisers are those every CUDA program runs.
        let library = unsafe { Library::new("libcuda.so.1") }.ok().context(
            "libcuda.so.1 cannot be loaded: install NVIDIA's driver, or run without a GPU",
        )?;
        let driver = Driver { library };
        call!(driver, "cuInit", (0 => c_uint))?;
        Ok(driver)
    }

    /// A fresh context on the first GPU.
    pub fn context(&self) -> Result<Context<'_>> {
        let mut device: c_int = 0;
        call!(self, "cuDeviceGet", (&mut device => *mut c_int, 0 => c_int))?;
        let mut handle = null_mut();
        call!(self, "cuCtxCreate_v2", (&mut handle => *mut Handle, 0 => c_uint, device => c_int))?;
        Ok(Context {
            driver: self,
            handle,
        })
    }

    /// The first GPU's name.
    pub fn device_name(&self) -> Result<String> {
        let mut device: c_int = 0;
        call!(self, "cuDeviceGet", (&mut device => *mut c_int, 0 => c_int))?;
        let mut name = [0 as c_char; 256];
        call!(self, "cuDeviceGetName", (name.as_mut_ptr() => *mut c_char, 256 => c_int, device => c_int))?;
        // SAFETY: the driver ends the name with a zero within the length it was given.
        Ok(unsafe { CStr::from_ptr(name.as_ptr()) }
            .to_string_lossy()
            .into_owned())
    }

    fn check(&self, what: &str, status: Status) -> Result<()> {
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
        if !known {
            bail!("{what} failed with code {status}");
        }
        // SAFETY: checked non-null, static and zero-terminated.
        bail!(
            "{what}: {}",
            unsafe { CStr::from_ptr(text) }.to_string_lossy()
        )
    }
}

impl Context<'_> {
    /// Loads a cubin.
    pub fn module(&self, cubin: &[u8]) -> Result<Module<'_>> {
        let mut handle = null_mut();
        call!(self.driver, "cuModuleLoadData", (&mut handle => *mut Handle, cubin.as_ptr().cast() => *const c_void))?;
        Ok(Module {
            context: self,
            handle,
        })
    }

    /// Device memory of at least one byte.
    pub fn allocate(&self, bytes: usize) -> Result<Memory<'_>> {
        let mut address: Address = 0;
        call!(self.driver, "cuMemAlloc_v2", (&mut address => *mut Address, bytes.max(1) => usize))?;
        Ok(Memory {
            context: self,
            address,
        })
    }

    /// Copies to the device.
    pub fn write(&self, to: Address, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        call!(self.driver, "cuMemcpyHtoD_v2", (to => Address, bytes.as_ptr().cast() => *const c_void, bytes.len() => usize))
    }

    /// Sets bytes on the device to zero.
    pub fn clear(&self, at: Address, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        call!(self.driver, "cuMemsetD8_v2", (at => Address, 0 => u8, bytes => usize))
    }

    /// Copies from the device.
    pub fn read(&self, from: Address, bytes: usize) -> Result<Vec<u8>> {
        let mut host = vec![0u8; bytes];
        if bytes > 0 {
            call!(self.driver, "cuMemcpyDtoH_v2", (host.as_mut_ptr().cast() => *mut c_void, from => Address, bytes => usize))?;
        }
        Ok(host)
    }

    /// Waits for everything launched; faults of kernels are reported here.
    pub fn synchronize(&self) -> Result<()> {
        call!(self.driver, "cuCtxSynchronize", ())
    }

    /// A new event.
    pub fn event(&self) -> Result<Event<'_>> {
        let mut handle = null_mut();
        call!(self.driver, "cuEventCreate", (&mut handle => *mut Handle, 0 => c_uint))?;
        Ok(Event {
            context: self,
            handle,
        })
    }
}

impl Module<'_> {
    /// The first kernel whose symbol `is_kernel` accepts.
    pub fn kernel(&self, is_kernel: impl Fn(&str) -> bool) -> Result<Kernel<'_>> {
        let driver = self.context.driver;
        let mut count: c_uint = 0;
        call!(driver, "cuModuleGetFunctionCount", (&mut count => *mut c_uint, self.handle => Handle))?;
        let mut functions: Vec<Handle> = vec![null_mut(); count as usize];
        call!(driver, "cuModuleEnumerateFunctions", (functions.as_mut_ptr() => *mut Handle, count => c_uint, self.handle => Handle))?;
        for handle in functions {
            let mut name: *const c_char = std::ptr::null();
            call!(driver, "cuFuncGetName", (&mut name => *mut *const c_char, handle => Handle))?;
            // SAFETY: the driver keeps the name as long as the module.
            if is_kernel(&unsafe { CStr::from_ptr(name) }.to_string_lossy()) {
                return Ok(Kernel {
                    module: self,
                    handle,
                });
            }
        }
        bail!("the cubin does not hold the header's kernel")
    }

    /// Where a `__device__` or `__constant__` array lies.
    pub fn global(&self, name: &str) -> Result<Address> {
        let mut address: Address = 0;
        let mut bytes = 0usize;
        let text = CString::new(name).context("a global's name holds a zero byte")?;
        call!(self.context.driver, "cuModuleGetGlobal_v2", (&mut address => *mut Address, &mut bytes => *mut usize, self.handle => Handle, text.as_ptr() => *const c_char))
            .with_context(|| format!("global `{name}`"))?;
        Ok(address)
    }
}

impl Kernel<'_> {
    /// Launches on the default stream; `arguments` holds each parameter's bytes.
    pub fn launch(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        shared: u32,
        arguments: &mut [Vec<u8>],
    ) -> Result<()> {
        let mut pointers: Vec<*mut c_void> = arguments
            .iter_mut()
            .map(|a| a.as_mut_ptr().cast())
            .collect();
        let [gx, gy, gz] = grid;
        let [bx, by, bz] = block;
        call!(self.module.context.driver, "cuLaunchKernel", (
            self.handle => Handle,
            gx => c_uint, gy => c_uint, gz => c_uint,
            bx => c_uint, by => c_uint, bz => c_uint,
            shared => c_uint, null_mut() => Handle,
            pointers.as_mut_ptr() => *mut *mut c_void, null_mut() => *mut *mut c_void
        ))
    }
}

impl Event<'_> {
    /// Marks the point the default stream has been given work up to.
    pub fn record(&self) -> Result<()> {
        call!(self.context.driver, "cuEventRecord", (self.handle => Handle, null_mut() => Handle))
    }

    /// Milliseconds from `earlier` to this event, waiting for it.
    pub fn milliseconds_since(&self, earlier: &Event) -> Result<f32> {
        call!(self.context.driver, "cuEventSynchronize", (self.handle => Handle))?;
        let mut milliseconds = 0f32;
        call!(self.context.driver, "cuEventElapsedTime", (&mut milliseconds => *mut f32, earlier.handle => Handle, self.handle => Handle))?;
        Ok(milliseconds)
    }
}

// Drops ignore errors: after a fault every call fails, and destroying the context frees all.

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        let free = || -> Result<()> {
            call!(self.context.driver, "cuMemFree_v2", (self.address => Address))
        };
        let _ = free();
    }
}

impl Drop for Event<'_> {
    fn drop(&mut self) {
        let free = || -> Result<()> {
            call!(self.context.driver, "cuEventDestroy_v2", (self.handle => Handle))
        };
        let _ = free();
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        let free = || -> Result<()> {
            call!(self.context.driver, "cuModuleUnload", (self.handle => Handle))
        };
        let _ = free();
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        let free =
            || -> Result<()> { call!(self.driver, "cuCtxDestroy_v2", (self.handle => Handle)) };
        let _ = free();
    }
}
