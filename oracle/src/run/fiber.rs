//! One device thread as a fiber, with its local memory and what it waits for.

use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder};

use super::Runtime;
use super::copies::Queue;
use super::warp::WarpOp;

/// Bytes of a fiber's stack beyond the kernel's own locals: room for the hooks and for libm.
const STACK: usize = 256 * 1024;

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

/// Local memory made by one `alloca` or by-value parameter.
pub struct Local {
    pub name: String,
    pub base: u64,
    pub len: u64,
    _bytes: Box<[u128]>,
}

type Fiber = Coroutine<(), (), (), DefaultStack>;

/// One thread of the running block.
pub struct Thread {
    fiber: Option<Fiber>,
    yielder: *const Yielder<(), ()>,
    pub wait: Wait,
    /// What the operation it waited for gave.
    pub result: u64,
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
        let bytes = vec![0xa5a5_a5a5_a5a5_a5a5_a5a5_a5a5_a5a5_a5a5_u128; (len / 16 + 9) as usize]
            .into_boxed_slice();
        let base = bytes.as_ptr() as u64 + 64;
        self.locals.push(Local {
            name,
            base,
            len,
            _bytes: bytes,
        });
        base
    }
}

/// Stacks not in use.
#[derive(Default)]
pub struct Stacks(Vec<DefaultStack>);

impl Stacks {
    fn take(&mut self) -> DefaultStack {
        self.0
            .pop()
            .unwrap_or_else(|| DefaultStack::new(STACK).expect("memory for a fiber's stack"))
    }
}

/// Runs thread `index` until it waits or ends.
///
/// # Safety
/// `runtime` is alive and not borrowed; its entry and parameters are set.
pub unsafe fn resume(runtime: *mut Runtime, index: u32, stacks: &mut Stacks) {
    // SAFETY: each borrow ends before the fiber runs; the fiber borrows anew in its hooks.
    let mut fiber = unsafe {
        let thread = &mut (&mut (*runtime).threads)[index as usize];
        match thread.fiber.take() {
            Some(fiber) => fiber,
            None => {
                let stack = stacks.take();
                thread.stack = (
                    stack.limit().get() as u64,
                    (stack.base().get() - stack.limit().get()) as u64,
                );
                start(runtime, index, stack)
            }
        }
    };
    let result = fiber.resume(());
    // SAFETY: the fiber is suspended or gone, so this is the only borrow.
    let thread = unsafe { &mut (&mut (*runtime).threads)[index as usize] };
    match result {
        CoroutineResult::Yield(()) => thread.fiber = Some(fiber),
        CoroutineResult::Return(()) => {
            thread.wait = Wait::Done;
            stacks.0.push(fiber.into_stack());
        }
    }
}

/// # Safety
/// As for `resume`.
unsafe fn start(runtime: *mut Runtime, index: u32, stack: DefaultStack) -> Fiber {
    let body = move |yielder: &Yielder<(), ()>, ()| {
        // SAFETY: as for `resume`; the entry is this program's compiled code, given pointers to all parameters.
        unsafe {
            (&mut (*runtime).threads)[index as usize].yielder = yielder;
            let entry = (*runtime).entry.expect("entry is set before a launch");
            let params = (*runtime).param_pointers.as_ptr();
            entry(params);
            (*runtime).copies_at_exit();
        }
    };
    // SAFETY: the closure borrows nothing; `runtime` outlives the fiber, which ends or is given up with its block.
    unsafe { Coroutine::with_stack_unchecked(stack, body) }
}

/// Gives up a thread that will never end. Its frames hold nothing that needs dropping: hooks suspend
/// only where they own no memory.
pub fn abandon(thread: &mut Thread, stacks: &mut Stacks) {
    if let Some(mut fiber) = thread.fiber.take() {
        // SAFETY: see above; frames of compiled code have no destructors at all.
        unsafe { fiber.force_reset() };
        stacks.0.push(fiber.into_stack());
    }
    thread.copies.clear();
    thread.wait = Wait::Done;
}

/// Suspends the running fiber with `wait`; returns when the scheduler lets it go on.
///
/// # Safety
/// Called on a fiber of `runtime`, with no borrow of it held.
pub unsafe fn suspend(runtime: *mut Runtime, wait: Wait) {
    // SAFETY: the yielder lives on the running fiber's own stack.
    unsafe {
        let index = (*runtime).thread as usize;
        let thread = &mut (&mut (*runtime).threads)[index];
        thread.wait = wait;
        let yielder = thread.yielder;
        (*yielder).suspend(());
    }
}
