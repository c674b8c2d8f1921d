//! The launch's memory: one heap for argument buffers, one arena for shared memory, and what lies where.
//!
//! Addresses are host addresses. Every object is surrounded by bytes that belong to nothing, so an
//! address outside it is recognised; where the IR shows which array a pointer comes from, bounds are
//! those of that array, and a jump into a neighbour is found too.

use super::shadow::History;

/// Bytes between two buffers, and before the first.
const GAP: u64 = 4096;
/// Buffers start at multiples of this, as `cudaMalloc`'s do.
const PAGE: u64 = 256;
/// Tiles start at multiples of this plus a gap of it.
pub const TILE_STEP: u64 = 256;
/// Room for dynamic shared memory: the largest of any supported chip.
pub const MAX_DYNAMIC: u64 = 232_448;
/// Granularity of the shared arena's lookup table.
const SLICE: u64 = 16;
/// No object.
pub const NONE: u32 = u32::MAX;

/// Shared byte state: somebody wrote it.
pub const WRITTEN: u8 = 1;
/// Shared byte state: a `cp.async` to it has not landed.
pub const PENDING: u8 = 2;

/// An owned, zeroed, page-aligned piece of memory.
pub struct Region {
    pub base: u64,
    pub len: u64,
}

impl Region {
    pub fn new(len: u64) -> Region {
        Region::map(len, 0)
    }

    /// Below 2 GiB: device code keeps shared addresses in 32 bits (`cp.async` in the CUDA headers), and
    /// cutting a host address to 32 bits must not change it.
    pub fn low(len: u64) -> Region {
        Region::map(len, libc::MAP_32BIT)
    }

    fn map(len: u64, flag: i32) -> Region {
        let len = len.max(PAGE);
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | flag;
        // SAFETY: a fresh anonymous mapping; failure is checked.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), len as usize, access, flags, -1, 0) };
        assert!(
            base != libc::MAP_FAILED,
            "out of memory: {len} bytes for a launch"
        );
        Region {
            base: base as u64,
            len,
        }
    }

    /// Bytes at `address`, which must lie inside with all `len`.
    pub fn bytes(&mut self, address: u64, len: u64) -> &mut [u8] {
        assert!(address >= self.base && address + len <= self.base + self.len);
        // SAFETY: inside the owned allocation, checked above.
        unsafe { std::slice::from_raw_parts_mut(address as *mut u8, len as usize) }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: mapped with this length, and nothing points into it any more.
        unsafe { libc::munmap(self.base as *mut _, self.len as usize) };
    }
}

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// An argument buffer or a `__device__` array.
    Global,
    /// A shared tile.
    Shared,
    /// `__constant__` or a constant table.
    Constant,
}

/// Something with bounds.
pub struct Object {
    pub name: String,
    pub base: u64,
    pub len: u64,
    pub space: Space,
    /// Who touched its bytes; nobody is asked for where nothing can be written.
    pub history: History,
}

/// All objects of a launch. Tiles come first, then module globals, then buffers.
pub struct Memory {
    pub objects: Vec<Object>,
    pub shared: Region,
    /// Per shared byte, `WRITTEN` and `PENDING`.
    pub state: Vec<u8>,
    /// Per `SLICE` of the shared arena, the object there.
    slices: Vec<u32>,
    heap: Region,
    /// Per `PAGE` of the heap, the object there.
    pages: Vec<u32>,
    /// Module globals by address: base, object.
    globals: Vec<(u64, u32)>,
    /// Dynamic shared memory, and where in the arena it begins.
    dynamic: Option<(u32, u64)>,
    /// Bytes an uninitialised shared byte holds.
    pub garbage: u64,
}

impl Memory {
    /// `static_bytes` is the end of the last static tile in the arena.
    pub fn new(static_bytes: u64) -> Memory {
        let shared = Region::low(static_bytes + MAX_DYNAMIC + 2 * TILE_STEP);
        let len = shared.len;
        Memory {
            objects: Vec::new(),
            state: vec![0; len as usize],
            slices: vec![NONE; len.div_ceil(SLICE) as usize],
            shared,
            heap: Region::new(PAGE),
            pages: Vec::new(),
            globals: Vec::new(),
            dynamic: None,
            garbage: 0,
        }
    }

    /// Forgets the last launch's objects.
    pub fn clear(&mut self) {
        self.objects.clear();
        self.globals.clear();
        self.dynamic = None;
        self.slices.fill(NONE);
        self.pages.clear();
    }

    fn add(&mut self, name: &str, base: u64, len: u64, space: Space) -> u32 {
        self.objects.push(Object {
            name: name.into(),
            base,
            len,
            space,
            history: History::new(len),
        });
        self.objects.len() as u32 - 1
    }

    /// Adds a tile at `offset` of the shared arena.
    pub fn add_tile(&mut self, name: &str, offset: u64, len: u64) -> u32 {
        let id = self.add(name, self.shared.base + offset, len, Space::Shared);
        let first = (offset / SLICE) as usize;
        self.slices[first..first + len.div_ceil(SLICE) as usize].fill(id);
        id
    }

    /// The same of dynamic shared memory, the last tile in the arena.
    pub fn add_dynamic(&mut self, name: &str, offset: u64, len: u64) {
        self.dynamic = Some((self.add_tile(name, offset, len), offset));
    }

    /// Gives it another length.
    pub fn resize_dynamic(&mut self, len: u64) {
        let Some((id, offset)) = self.dynamic else {
            return;
        };
        let object = &mut self.objects[id as usize];
        object.len = len;
        object.history = History::new(len);
        let first = (offset / SLICE) as usize;
        self.slices[first..].fill(NONE);
        self.slices[first..first + len.div_ceil(SLICE) as usize].fill(id);
    }

    /// Adds a module array at its address in the compiled code.
    pub fn add_global(&mut self, name: &str, base: u64, len: u64, space: Space) -> u32 {
        let id = self.add(name, base, len, space);
        self.globals.push((base, id));
        self.globals.sort_unstable();
        id
    }

    /// Makes room for these buffers: name and contents each.
    pub fn add_buffers(&mut self, buffers: &[(String, Vec<u8>)]) -> Vec<u32> {
        let step = |len: u64| (len + GAP).next_multiple_of(PAGE);
        let total = GAP
            + buffers
                .iter()
                .map(|(_, b)| step(b.len() as u64))
                .sum::<u64>();
        if self.heap.len < total {
            self.heap = Region::new(total);
        }
        self.pages.clear();
        self.pages.resize((self.heap.len / PAGE + 1) as usize, NONE);
        let mut at = self.heap.base + GAP;
        let mut ids = Vec::new();
        for (name, bytes) in buffers {
            let (id, len) = (self.objects.len() as u32, bytes.len() as u64);
            self.heap.bytes(at, len).copy_from_slice(bytes);
            let first = ((at - self.heap.base) / PAGE) as usize;
            self.pages[first..first + len.div_ceil(PAGE) as usize].fill(id);
            self.add(name, at, len, Space::Global);
            ids.push(id);
            at += step(len);
        }
        ids
    }

    /// Current bytes of a heap buffer.
    pub fn contents(&mut self, id: u32) -> Vec<u8> {
        let (base, len) = (
            self.objects[id as usize].base,
            self.objects[id as usize].len,
        );
        self.heap.bytes(base, len).to_vec()
    }

    /// Makes shared memory as unknown as a new block finds it.
    pub fn forget_shared(&mut self) {
        for tile in self.objects.iter().filter(|o| o.space == Space::Shared) {
            let from = (tile.base - self.shared.base) as usize;
            self.state[from..from + tile.len as usize].fill(0);
            let bytes = self.shared.bytes(tile.base, tile.len);
            match self.garbage {
                0 => bytes.fill(0xff),
                seed => {
                    let mut value = seed;
                    for chunk in bytes.chunks_mut(8) {
                        value = value
                            .wrapping_mul(0x5851_f42d_4c95_7f2d)
                            .wrapping_add(0x1405_7b7e_f767_814f);
                        // Exponents stay small, so that arithmetic on the bytes gives ordinary numbers.
                        let mixed = (value ^ (value >> 29)) & 0x3f7f_ffff_3f7f_ffff;
                        chunk.copy_from_slice(&mixed.to_le_bytes()[..chunk.len()]);
                    }
                }
            }
        }
    }

    /// Offset in the shared arena, if the address lies there.
    #[inline]
    pub fn shared_offset(&self, address: u64) -> Option<u64> {
        let offset = address.wrapping_sub(self.shared.base);
        (offset < self.shared.len).then_some(offset)
    }

    /// The object an address lies in.
    #[inline]
    pub fn locate(&self, address: u64) -> u32 {
        if let Some(offset) = self.shared_offset(address) {
            return self.slices[(offset / SLICE) as usize];
        }
        let offset = address.wrapping_sub(self.heap.base);
        if offset < self.heap.len {
            return self.pages[(offset / PAGE) as usize];
        }
        let after = self.globals.partition_point(|(base, _)| *base <= address);
        match self.globals.get(after.wrapping_sub(1)) {
            Some((base, id)) if address - base < self.objects[*id as usize].len => *id,
            _ => NONE,
        }
    }

    /// Whether all bytes from `low` up to `end` lie in one buffer, or one array of the module.
    pub fn is_in_one(&self, low: u64, end: u64) -> bool {
        let object = self.objects.get(self.locate(low) as usize);
        object.is_some_and(|o| {
            o.space != Space::Shared && o.base <= low && low <= end && end <= o.base + o.len
        })
    }

    /// The object that ends or starts nearest to an address outside all of them, for messages.
    pub fn nearest(&self, address: u64) -> u32 {
        let distance = |o: &Object| match address < o.base {
            true => o.base - address,
            false => address.saturating_sub(o.base + o.len),
        };
        let near = self
            .objects
            .iter()
            .enumerate()
            .map(|(i, o)| (distance(o), i as u32))
            .min();
        near.filter(|(d, _)| *d < GAP).map_or(NONE, |(_, i)| i)
    }
}
