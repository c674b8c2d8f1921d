//! One device thread: its fiber, its local memory, its copies under way and what it waits for.
//!
//! Only what it is; `fiber`, `barrier`, `warp` and `copies` move it on.

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, Yielder};

/// What runs a thread's code.
pub(super) type Fiber = Coroutine<(), (), (), DefaultStack>;

/// What a thread is doing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wait {
    /// Not started.
    New,
    /// Can run.
    Ready,
    /// At a barrier with this number; `site` is where.
    Barrier { id: u32, site: u32 },
    /// At a warp operation.
    Warp(WarpOp),
    /// Finished, or given up.
    Done,
}

/// What all local memory is aligned to, in bytes: more than LLVM gives an array that it stores to by vectors.
pub const LOCAL_ALIGN: u64 = 128;

/// Local memory made by one `alloca` or by-value parameter.
pub struct Local {
    pub name: String,
    pub base: u64,
    pub len: u64,
    _bytes: Box<[u128]>,
}

/// The operations, numbered as the compiled code passes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum WarpKind {
    Sync,
    ShuffleIdx,
    ShuffleUp,
    ShuffleDown,
    ShuffleBfly,
    VoteAll,
    VoteAny,
    VoteUni,
    Ballot,
    MatchAny,
    MatchAll,
    Add,
    Min,
    Max,
    UMin,
    UMax,
    And,
    Or,
    Xor,
    Active,
    Elect,
    Mma,
    MmaDoubles,
}

impl WarpKind {
    pub const ALL: [WarpKind; 23] = [
        WarpKind::Sync,
        WarpKind::ShuffleIdx,
        WarpKind::ShuffleUp,
        WarpKind::ShuffleDown,
        WarpKind::ShuffleBfly,
        WarpKind::VoteAll,
        WarpKind::VoteAny,
        WarpKind::VoteUni,
        WarpKind::Ballot,
        WarpKind::MatchAny,
        WarpKind::MatchAll,
        WarpKind::Add,
        WarpKind::Min,
        WarpKind::Max,
        WarpKind::UMin,
        WarpKind::UMax,
        WarpKind::And,
        WarpKind::Or,
        WarpKind::Xor,
        WarpKind::Active,
        WarpKind::Elect,
        WarpKind::Mma,
        WarpKind::MmaDoubles,
    ];
}

/// One lane's call. The result is the low 32 bits (or 64 for a mask), the predicate bit 32.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarpOp {
    pub kind: WarpKind,
    pub mask: u32,
    pub value: u64,
    /// Lane, delta or xor mask of a shuffle; of a matrix product bit 0 if `a` is signed, bit 1 if `b` is; of one of doubles whether
    /// each product is fused with its sum.
    pub select: u32,
    /// Clamp and segment mask of a shuffle.
    pub clamp: u32,
    pub site: u32,
}

/// One asynchronous copy under way.
#[derive(Debug, Clone, Copy)]
pub struct Copy {
    pub to: u64,
    pub from: u64,
    /// Bytes written.
    pub size: u64,
    /// Bytes read; the rest is zero.
    pub used: u64,
    /// Site of the shared side; the global side's is the next.
    pub site: u32,
}

/// A thread's copies: not yet committed, and committed in groups, oldest first.
#[derive(Debug, Default)]
pub struct Queue {
    /// Not committed.
    pub(super) open: Vec<Copy>,
    pub(super) groups: std::collections::VecDeque<Vec<Copy>>,
}

impl Queue {
    /// The oldest copy not waited for.
    pub fn first(&self) -> Option<Copy> {
        self.groups
            .iter()
            .flatten()
            .chain(&self.open)
            .next()
            .copied()
    }

    pub fn clear(&mut self) {
        self.open.clear();
        self.groups.clear();
    }
}

/// One thread of the running block.
pub struct Thread {
    pub(super) fiber: Option<Fiber>,
    pub(super) yielder: *const Yielder<(), ()>,
    pub wait: Wait,
    /// What the operation it waited for gave.
    pub result: u64,
    /// Its words of `a` and `b` of a matrix product.
    pub factors: [u32; 6],
    /// Its elements of the product.
    pub products: [u32; 4],
    /// The same of a product of doubles: its numbers of `a`, `b` and `c`.
    pub doubles: [f64; 16],
    pub locals: Vec<Local>,
    /// The fiber's stack: lowest address and length.
    pub stack: (u64, u64),
    pub copies: Queue,
    /// Iterations of each loop since it was entered.
    pub iterations: Vec<u32>,
}

impl Thread {
    pub fn new(loops: usize) -> Thread {
        Thread {
            fiber: None,
            yielder: std::ptr::null(),
            wait: Wait::New,
            result: 0,
            factors: [0; 6],
            products: [0; 4],
            doubles: [0.0; 16],
            locals: Vec::new(),
            stack: (0, 0),
            copies: Queue::default(),
            iterations: vec![0; loops],
        }
    }

    /// Ready for another block.
    pub fn renew(&mut self) {
        self.wait = Wait::New;
        self.locals.clear();
        self.copies.clear();
        self.iterations.fill(0);
    }

    /// Bytes for an `alloca`, filled with garbage, apart from all other memory.
    pub fn add_local(&mut self, name: String, len: u64) -> u64 {
        // With as much as may be needed to align it, and 64 bytes on either side.
        let words = (len + LOCAL_ALIGN) / 16 + 9;
        let bytes =
            vec![0xa5a5_a5a5_a5a5_a5a5_a5a5_a5a5_a5a5_a5a5_u128; words as usize].into_boxed_slice();
        let base = (bytes.as_ptr() as u64 + 64).next_multiple_of(LOCAL_ALIGN);
        self.locals.push(Local {
            name,
            base,
            len,
            _bytes: bytes,
        });
        base
    }
}
