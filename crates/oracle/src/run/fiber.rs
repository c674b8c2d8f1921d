//! Device threads as fibers: one runs until it waits or ends.

use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder};

use super::Runtime;
use super::thread::{Fiber, Thread, Wait};

/// Bytes of a fiber's stack beyond the kernel's own locals: room for the hooks and for libm.
const STACK: usize = 256 * 1024;

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
