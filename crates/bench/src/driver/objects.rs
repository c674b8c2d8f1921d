//! Modules, kernels, memory and events: what lives in a context.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

use anyhow::{Context as _, Result, bail};

use super::{Address, Context, Handle, Recorder, call};

/// A loaded cubin, or PTX that the driver compiled.
pub struct Module<'c> {
    context: &'c Context<'c>,
    handle: Handle,
}

/// A kernel of a loaded module.
#[derive(Clone, Copy)]
pub struct Kernel<'c> {
    context: &'c Context<'c>,
    handle: Handle,
}

/// A kernel with everything a launch needs, ready to be repeated.
pub struct Launch<'c> {
    kernel: Kernel<'c>,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    /// Each parameter's bytes, aligned for any type; `pointers` points to them, so they must not move.
    arguments: Vec<Box<[u128]>>,
    pointers: Vec<*mut c_void>,
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

impl<'c> Context<'c> {
    /// Loads a cubin, or compiles PTX; PTX must end in a zero byte.
    pub fn module(&'c self, image: &[u8]) -> Result<Module<'c>> {
        let mut handle = null_mut();
        call!(self.driver, "cuModuleLoadData", (&mut handle => *mut Handle, image.as_ptr().cast() => *const c_void))?;
        Ok(Module {
            context: self,
            handle,
        })
    }

    /// Device memory of at least one byte.
    pub fn allocate(&'c self, bytes: u64) -> Result<Memory<'c>> {
        let mut address: Address = 0;
        call!(self.driver, "cuMemAlloc_v2", (&mut address => *mut Address, bytes.max(1) as usize => usize))?;
        Ok(Memory {
            context: self,
            address,
        })
    }

    /// A new event.
    pub fn event(&'c self) -> Result<Event<'c>> {
        let mut handle = null_mut();
        call!(self.driver, "cuEventCreate", (&mut handle => *mut Handle, 0 => c_uint))?;
        Ok(Event {
            context: self,
            handle,
        })
    }
}

impl<'c> Module<'c> {
    /// The first kernel whose symbol `is_kernel` accepts.
    pub fn kernel(&self, is_kernel: impl Fn(&str) -> bool) -> Result<Kernel<'c>> {
        let driver = self.context.driver;
        let mut count: c_uint = 0;
        call!(driver, "cuModuleGetFunctionCount", (&mut count => *mut c_uint, self.handle => Handle))?;
        let mut functions: Vec<Handle> = vec![null_mut(); count as usize];
        call!(driver, "cuModuleEnumerateFunctions", (functions.as_mut_ptr() => *mut Handle, count => c_uint, self.handle => Handle))?;
        for handle in functions {
            if is_kernel(&name(self.context, handle)?) {
                return Ok(Kernel {
                    context: self.context,
                    handle,
                });
            }
        }
        bail!("the image does not hold the header's kernel")
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

/// The symbol of a module's function.
fn name(context: &Context, handle: Handle) -> Result<String> {
    let mut name: *const c_char = std::ptr::null();
    call!(context.driver, "cuFuncGetName", (&mut name => *mut *const c_char, handle => Handle))?;
    // SAFETY: the driver keeps the name as long as the module.
    Ok(unsafe { CStr::from_ptr(name) }
        .to_string_lossy()
        .into_owned())
}

/// The bytes where a value of any C type may lie, filled up with zeros.
fn aligned(bytes: &[u8]) -> Box<[u128]> {
    let word = |chunk: &[u8]| {
        let mut word = [0; 16];
        word[..chunk.len()].copy_from_slice(chunk);
        u128::from_ne_bytes(word)
    };
    bytes.chunks(16).map(word).collect()
}

/// `CU_FUNC_ATTRIBUTE_*` of cuda.h.
const MOST_THREADS: c_int = 0;
const SHARED_BYTES: c_int = 1;
const LOCAL_BYTES: c_int = 3;
const REGISTERS: c_int = 4;

impl<'c> Kernel<'c> {
    /// A launch of this kernel; `arguments` holds each parameter's bytes.
    pub fn launch(
        self,
        grid: [u32; 3],
        block: [u32; 3],
        shared: u32,
        arguments: Vec<Vec<u8>>,
    ) -> Launch<'c> {
        let arguments = arguments.iter().map(|a| aligned(a)).collect();
        Launch::of(self, [grid, block], shared, arguments)
    }

    /// Its symbol.
    pub fn name(self) -> Result<String> {
        name(self.context, self.handle)
    }

    /// Registers a thread.
    pub fn registers(self) -> Result<u32> {
        self.attribute(REGISTERS)
    }

    /// Threads of a block, at most.
    pub fn most_threads(self) -> Result<u32> {
        self.attribute(MOST_THREADS)
    }

    /// Static shared memory, bytes.
    pub fn shared_bytes(self) -> Result<u32> {
        self.attribute(SHARED_BYTES)
    }

    /// Local memory a thread, bytes: spills and arrays that no register holds.
    pub fn local_bytes(self) -> Result<u32> {
        self.attribute(LOCAL_BYTES)
    }

    fn attribute(self, which: c_int) -> Result<u32> {
        let mut value: c_int = 0;
        call!(self.context.driver, "cuFuncGetAttribute", (&mut value => *mut c_int, which => c_int, self.handle => Handle))?;
        Ok(value.max(0) as u32)
    }

    /// Blocks of `threads` that one multiprocessor holds at a time.
    pub fn blocks_at_once(self, threads: u32, shared: u32) -> Result<u32> {
        let mut blocks: c_int = 0;
        call!(self.context.driver, "cuOccupancyMaxActiveBlocksPerMultiprocessor", (&mut blocks => *mut c_int, self.handle => Handle, threads as c_int => c_int, shared as usize => usize))?;
        Ok(blocks.max(0) as u32)
    }
}

impl<'c> Launch<'c> {
    fn of(
        kernel: Kernel<'c>,
        [grid, block]: [[u32; 3]; 2],
        shared: u32,
        mut arguments: Vec<Box<[u128]>>,
    ) -> Launch<'c> {
        let pointers = arguments
            .iter_mut()
            .map(|a| a.as_mut_ptr().cast())
            .collect();
        Launch {
            kernel,
            grid,
            block,
            shared,
            arguments,
            pointers,
        }
    }

    /// A launch of another kernel with these arguments, in other blocks, with so much dynamic shared memory, and the
    /// bytes of one argument `more` if there are any.
    pub fn with(
        &self,
        kernel: Kernel<'c>,
        [block, grid]: [[u32; 3]; 2],
        shared: u32,
        more: &[u8],
    ) -> Launch<'c> {
        let more = (!more.is_empty()).then(|| aligned(more));
        let arguments = self.arguments.iter().cloned().chain(more).collect();
        Launch::of(kernel, [grid, block], shared, arguments)
    }

    /// Threads of a block, and blocks.
    pub fn extents(&self) -> [[u32; 3]; 2] {
        [self.block, self.grid]
    }

    /// Dynamic shared memory, bytes.
    pub fn shared(&self) -> u32 {
        self.shared
    }

    /// Where each parameter's value lies.
    pub fn arguments(&self) -> &[*mut c_void] {
        &self.pointers
    }

    /// Whether all bytes from `low` up to `end` lie in one allocation.
    pub fn is_memory(&self, low: u64, end: u64) -> bool {
        let within = |[start, bytes]: [u64; 2]| low <= end && end - start <= bytes;
        self.is_known(low) && self.allocation(low).is_ok_and(within)
    }

    /// Whether the driver knows an address. Asked of one that it does not know, this is no error, which a sanitizer
    /// would report.
    fn is_known(&self, at: u64) -> bool {
        let (mut kind, memory_type) = (0u64, 2);
        let mut value = (&raw mut kind).cast::<c_void>();
        let mut known = || -> Result<()> {
            call!(self.kernel.context.driver, "cuPointerGetAttributes", (1 => u32, &memory_type => *const i32, &mut value => *mut *mut c_void, at => u64))
        };
        known().is_ok() && kind != 0
    }

    /// Where the allocation begins that an address lies in, and its bytes.
    fn allocation(&self, at: u64) -> Result<[u64; 2]> {
        let (mut start, mut bytes) = (0, 0usize);
        call!(self.kernel.context.driver, "cuMemGetAddressRange_v2", (&mut start => *mut u64, &mut bytes => *mut usize, at => u64))?;
        Ok([start, bytes as u64])
    }

    /// Launches on the default stream.
    pub fn run(&mut self) -> Result<()> {
        self.run_on(null_mut())
    }

    /// Records the launch.
    pub fn record(&mut self, recorder: &Recorder) -> Result<()> {
        self.run_on(recorder.stream)
    }

    fn run_on(&mut self, stream: Handle) -> Result<()> {
        let driver = self.kernel.context.driver;
        let ([gx, gy, gz], [bx, by, bz]) = (self.grid, self.block);
        // SAFETY: the handle is live as long as the context; `pointers` has an entry for each
        // parameter of the kernel, as its header describes it.
        let status = unsafe {
            (driver.launch)(
                self.kernel.handle,
                gx,
                gy,
                gz,
                bx,
                by,
                bz,
                self.shared,
                stream,
                self.pointers.as_mut_ptr(),
                null_mut(),
            )
        };
        driver.check("cuLaunchKernel", status)
    }
}

impl Event<'_> {
    /// Marks the point the default stream has been given work up to.
    pub fn record(&self) -> Result<()> {
        call!(self.context.driver, "cuEventRecord", (self.handle => Handle, null_mut() => Handle))
    }

    /// Milliseconds from `earlier` to this event, waiting for it.
    pub fn milliseconds_since(&self, earlier: &Event) -> Result<f64> {
        call!(self.context.driver, "cuEventSynchronize", (self.handle => Handle))?;
        let mut milliseconds = 0f32;
        call!(self.context.driver, "cuEventElapsedTime", (&mut milliseconds => *mut f32, earlier.handle => Handle, self.handle => Handle))?;
        Ok(milliseconds.into())
    }
}

// Drops ignore errors: after a fault every call fails, and the end of the process frees all.

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
