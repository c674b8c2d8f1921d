//! Whether the compiler that loads us uses the LLVM we are linked to.
//!
//! `libmesi.so` needs `libLLVM.so.22.1`. In a compiler linked to that library the loader gives us
//! the same copy. In one with another LLVM, or with LLVM linked in statically, the loader brings a
//! second copy along with us, and handing one copy's objects to the other's code ends in a crash.
//! The two cases differ in load order: a shared copy was there before us, one of our own comes
//! after us. So no version numbers are compared, and a harmless second libLLVM is not blamed.

use std::ffi::{CStr, c_int, c_void};

/// Names of the loaded libraries, in load order, up to what `dl_iterate_phdr` tells.
struct Loaded {
    /// Where an address of ours lies in the list.
    us: Option<usize>,
    names: Vec<String>,
}

/// The error for the user if LLVM came into the process with us instead of before us.
pub fn shares_llvm() -> Result<(), String> {
    let mut loaded = Loaded {
        us: None,
        names: Vec::new(),
    };
    // SAFETY: the callback gets our `loaded` back and does not outlive the call.
    unsafe {
        libc::dl_iterate_phdr(Some(note), (&raw mut loaded).cast());
    }
    judge(loaded.us, &loaded.names)
}

fn judge(us: Option<usize>, names: &[String]) -> Result<(), String> {
    let is_llvm = |n: &String| {
        n.rsplit('/')
            .next()
            .is_some_and(|f| f.starts_with("libLLVM"))
    };
    let Some(us) = us else { return Ok(()) };
    match names.iter().skip(us + 1).find(|n| is_llvm(n)) {
        Some(ours) => Err(format!(
            "libmesi.so is built for {}, which this compiler does not use: load it into the clang or opt that is linked to that library",
            ours.rsplit('/').next().unwrap_or(ours)
        )),
        None => Ok(()),
    }
}

/// Notes one loaded object; the answer 0 asks for the next.
unsafe extern "C" fn note(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    loaded: *mut c_void,
) -> c_int {
    // SAFETY: `loaded` is `shares_llvm`'s, and the loader passes a valid description of an object
    // with `dlpi_phnum` headers and a name that may be null.
    unsafe {
        let (info, loaded) = (&*info, &mut *loaded.cast::<Loaded>());
        let name = match info.dlpi_name.is_null() {
            true => String::new(),
            false => CStr::from_ptr(info.dlpi_name)
                .to_string_lossy()
                .into_owned(),
        };
        let own = note as *const () as u64;
        let headers = std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum));
        if headers.iter().any(|h| {
            let start = info.dlpi_addr + h.p_vaddr;
            h.p_type == libc::PT_LOAD && (start..start + h.p_memsz).contains(&own)
        }) {
            loaded.us = Some(loaded.names.len());
        }
        loaded.names.push(name);
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(names: &[&str]) -> Vec<String> {
        names.iter().map(|n| n.to_string()).collect()
    }

    #[test]
    fn llvm_before_us_is_shared() {
        assert_eq!(
            judge(Some(2), &list(&["", "/lib/libLLVM.so.22.1", "libmesi.so"])),
            Ok(())
        );
    }

    #[test]
    fn llvm_after_us_is_a_second_copy() {
        let names = list(&[
            "",
            "/lib/libLLVM.so.19.1",
            "libmesi.so",
            "/lib/libLLVM.so.22.1",
        ]);
        assert!(
            judge(Some(2), &names)
                .unwrap_err()
                .contains("libLLVM.so.22.1")
        );
    }

    #[test]
    fn the_callback_finds_the_object_it_lies_in() {
        let mut loaded = Loaded {
            us: None,
            names: Vec::new(),
        };
        // SAFETY: as in `shares_llvm`.
        unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut loaded).cast()) };
        assert_eq!(loaded.us, Some(0), "the test program itself comes first");
    }
}
