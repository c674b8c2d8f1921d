//! The panic boundary: a fault of ours becomes an ordinary compiler error or warning that names the kernel
//! and the stage, never a crash dump.
//!
//! `pass` announces each stage with [`enter`]; `plugin` wraps each call from LLVM in [`guard`].
//! Nothing before `lower` changes IR, but a panic there is an error all the same: a compile that went
//! on quietly would hide the fault from the only person who can report it. A panic that leaves a body unfinished
//! is [`caught`] by `pass`, which takes the body away again and warns: clang goes on after an error, with
//! whatever IR there is.
//!
//! NB: a stack overflow or a fault inside LLVM's C++ is not a panic and is not caught here.

use crate::llvm::Function;
use crate::options::Options;
use crate::remark::display_name;
use crate::stage::Stage;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

/// What a thread is doing for the compiler.
#[derive(Default)]
struct Progress {
    /// Calls of `guard` under way.
    guards: u32,
    /// The kernel and stage entered last.
    at: Option<(String, Stage)>,
    /// The panic's message and place.
    panic: Option<String>,
    /// Tests ask for one in the middle of lowering.
    midway: bool,
}

thread_local! {
    static PROGRESS: RefCell<Progress> = RefCell::default();
}

/// Announces that `stage` begins on `kernel`; panics there if the tests' knob asks for it, in `lower` when it comes
/// to [`midway`].
pub fn enter(kernel: Function, stage: Stage, options: &Options) {
    let requested = options.panic_at == Some(stage);
    PROGRESS.with_borrow_mut(|p| {
        p.at = Some((display_name(kernel), stage));
        p.midway = requested && stage == Stage::Lower;
    });
    assert!(
        !requested || stage == Stage::Lower,
        "asked for by panic-at={}",
        stage.name()
    );
}

/// Where a body is half emitted: panics if the tests' knob asks for it.
pub fn midway() {
    let requested = PROGRESS.with_borrow_mut(|p| std::mem::take(&mut p.midway));
    assert!(!requested, "asked for by panic-at=lower");
}

/// Runs a part of what a [`guard`] runs; a panic in it becomes a line that says what happened.
pub fn caught<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    let outcome = catch_unwind(AssertUnwindSafe(f));
    outcome.map_err(|_| PROGRESS.with_borrow_mut(|p| describe(p.at.clone(), p.panic.take())))
}

/// Runs `f`; a panic in it becomes the one line to show the user.
pub fn guard<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(install_hook);
    PROGRESS.with_borrow_mut(|p| (p.guards, p.at) = (p.guards + 1, None));
    let outcome = catch_unwind(AssertUnwindSafe(f));
    PROGRESS.with_borrow_mut(|p| {
        p.guards -= 1;
        outcome.map_err(|_| describe(p.at.take(), p.panic.take()))
    })
}

fn describe(at: Option<(String, Stage)>, panic: Option<String>) -> String {
    let place = at.map_or(String::new(), |(kernel, stage)| {
        format!(" in kernel '{kernel}', stage {}", stage.name())
    });
    let what = panic.unwrap_or_else(|| "panic without a message".into());
    format!(
        "internal error{place}: {what}; please report it, and leave the kernel out with \
         __attribute__((annotate(\"mesi.off\"))) until then"
    )
}

/// Notes panics under a guard instead of printing them; others go on to the hook that was there.
fn install_hook() {
    let previous = take_hook();
    set_hook(Box::new(move |info| {
        let ours = PROGRESS.with(|p| {
            // A panic while `PROGRESS` is borrowed is a fault of this file; let it print.
            let Ok(mut p) = p.try_borrow_mut() else {
                return false;
            };
            if p.guards > 0 {
                p.panic = Some(one_line(info));
            }
            p.guards > 0
        });
        if !ours {
            previous(info);
        }
    }));
}

fn one_line(info: &PanicHookInfo) -> String {
    let payload = info.payload();
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic")
        .replace('\n', " ");
    match info.location() {
        Some(l) => format!("{text} ({}:{})", l.file(), l.line()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_line_and_the_next_guard_works() {
        let line = guard(|| panic!("first\nsecond")).map(|()| 0).unwrap_err();
        assert!(
            line.starts_with("internal error: first second (src"),
            "{line}"
        );
        assert_eq!(guard(|| 7), Ok(7));
    }
}
