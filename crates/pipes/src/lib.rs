//! What a command does when nobody reads what it prints, as `head` does once it has its ten lines.

/// Has the process end when it prints to a pipe that nobody reads any more, as other commands do. Rust's runtime ignores
/// the signal, so that a print would panic. To be called first in `main`.
///
/// Not for commands that write to processes of their own: one of these that ends would end them, too.
pub fn end_with_reader() {
    // SAFETY: no handler of ours is called, as the default action is the system's, and no other thread is there yet.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}
