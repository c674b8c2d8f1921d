//! The functions compiled code calls. Each takes the `Runtime`'s address, which the code carries as a constant.
//!
//! Every hook borrows the `Runtime` only for its own duration and never across a suspension, so there is
//! one borrow at a time although many fibers hold the pointer.

use super::Runtime;
use super::barrier::Arrival;
use super::fiber::suspend;
use super::rounds::Reduce;
use super::thread::{Copy, Wait, WarpKind, WarpOp};
use crate::report::Defect;

/// Checks an access of the site's size; returns the address to use.
pub unsafe extern "C" fn access(rt: *mut Runtime, address: u64, site: u32) -> u64 {
    // SAFETY: the address of this program's runtime; for all hooks.
    let rt = unsafe { &mut *rt };
    let len = u64::from(rt.probes[site as usize].size);
    match rt.check(address, len, site) {
        Some(address) => address,
        None => {
            // Refused reads give zero; refused writes go nowhere.
            *rt.sink = [0; 256];
            rt.sink.as_ptr() as u64
        }
    }
}

/// `memcpy`, `memmove`: checked as a read at `site + 1` and a write at `site`.
pub unsafe extern "C" fn copy(
    rt: *mut Runtime,
    to: u64,
    from: u64,
    len: u64,
    site: u32,
    checked: u32,
) {
    if len == 0 {
        return;
    }
    if checked != 0 {
        // SAFETY: see `access`.
        let rt = unsafe { &mut *rt };
        let readable = rt.check(from, len, site + 1).is_some();
        if rt.check(to, len, site).is_none() || !readable {
            return;
        }
    }
    // SAFETY: both ranges were checked, or the run is unchecked and takes the kernel's word.
    unsafe { std::ptr::copy(from as *const u8, to as *mut u8, len as usize) }
}

/// `memset`.
pub unsafe extern "C" fn set(
    rt: *mut Runtime,
    to: u64,
    value: u32,
    len: u64,
    site: u32,
    checked: u32,
) {
    // SAFETY: see `access`.
    if len == 0 || (checked != 0 && unsafe { (*rt).check(to, len, site) }.is_none()) {
        return;
    }
    // SAFETY: see `copy`.
    unsafe { std::ptr::write_bytes(to as *mut u8, value as u8, len as usize) }
}

/// The enabled lanes of a vector access, in runs of neighbours: byte offset and length each.
fn lane_runs(mask: u32, size: u32, lanes: u32) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for lane in (0..lanes).filter(|l| mask >> l & 1 != 0) {
        let (at, size) = (u64::from(lane * size), u64::from(size));
        match runs.last_mut() {
            Some((from, len)) if *from + *len == at => *len += size,
            _ => runs.push((at, size)),
        }
    }
    runs
}

/// Reads the enabled lanes into `Runtime::lanes`.
pub unsafe extern "C" fn masked_load(
    rt: *mut Runtime,
    from: u64,
    mask: u32,
    size: u32,
    lanes: u32,
    site: u32,
    checked: u32,
) {
    // SAFETY: see `access`; every run was checked, or the run is unchecked. The buffer holds what `map_masked` allows.
    unsafe {
        let rt = &mut *rt;
        rt.lanes = [0; 32];
        for (at, len) in lane_runs(mask, size, lanes) {
            if checked == 0 || rt.check(from + at, len, site).is_some() {
                let to = rt.lanes.as_mut_ptr().cast::<u8>().add(at as usize);
                std::ptr::copy((from + at) as *const u8, to, len as usize);
            }
        }
    }
}

/// Writes the enabled lanes from `Runtime::lanes`.
pub unsafe extern "C" fn masked_store(
    rt: *mut Runtime,
    to: u64,
    mask: u32,
    size: u32,
    lanes: u32,
    site: u32,
    checked: u32,
) {
    // SAFETY: as for `masked_load`.
    unsafe {
        let rt = &mut *rt;
        for (at, len) in lane_runs(mask, size, lanes) {
            if checked == 0 || rt.check(to + at, len, site).is_some() {
                let from = rt.lanes.as_ptr().cast::<u8>().add(at as usize);
                std::ptr::copy(from, (to + at) as *mut u8, len as usize);
            }
        }
    }
}

/// `alloca`: local memory with bounds.
pub unsafe extern "C" fn local(rt: *mut Runtime, len: u64, site: u32) -> u64 {
    // SAFETY: see `access`.
    let rt = unsafe { &mut *rt };
    let name = format!("alloca at {}", rt.place(site));
    rt.threads[rt.thread as usize].add_local(name, len)
}

/// How many locals there are; given back to `local_release` when the function returns.
pub unsafe extern "C" fn local_mark(rt: *mut Runtime) -> u64 {
    // SAFETY: see `access`.
    let rt = unsafe { &mut *rt };
    rt.threads[rt.thread as usize].locals.len() as u64
}

pub unsafe extern "C" fn local_release(rt: *mut Runtime, mark: u64) {
    // SAFETY: see `access`.
    let rt = unsafe { &mut *rt };
    rt.threads[rt.thread as usize]
        .locals
        .truncate(mark as usize);
}

/// The running thread's own copy of by-value parameter `index`.
pub unsafe extern "C" fn param(rt: *mut Runtime, index: u32) -> u64 {
    // SAFETY: see `access`.
    let rt = unsafe { &mut *rt };
    let bytes = &rt.params[index as usize];
    let address =
        rt.threads[rt.thread as usize].add_local(format!("parameter {index}"), bytes.len() as u64);
    // SAFETY: the local was just made with this length.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len()) };
    address
}

/// A loop goes round.
pub unsafe extern "C" fn tick(rt: *mut Runtime, index: u32) {
    // SAFETY: see `access`; the borrow ends before suspending.
    let pause = unsafe {
        let rt = &mut *rt;
        // Which iteration it is, counts ask alone.
        let iterations = &mut rt.threads[rt.thread as usize].iterations;
        if let Some(own) = iterations
            .get_mut(index as usize)
            .filter(|_| rt.tally.is_some())
        {
            *own += 1;
            rt.nested[index as usize]
                .iter()
                .for_each(|inner| iterations[*inner as usize] = 0);
        }
        rt.fuel -= 1;
        rt.slice -= 1;
        if rt.fuel < 0 {
            rt.report(Defect::Endless, u32::MAX, || {
                "the launch took more loop iterations than allowed and was stopped".into()
            });
        }
        let pause = rt.slice < 0 || rt.fuel < 0;
        if pause {
            rt.slice = super::SLICE;
        }
        pause
    };
    if pause {
        // SAFETY: on a fiber, nothing borrowed.
        unsafe { suspend(rt, Wait::Ready) };
    }
}

/// Every form of block barrier. `form`: 0 waits, 1 only arrives; `reduce`: 0 none, 1 popc, 2 and, 3 or.
pub unsafe extern "C" fn barrier(
    rt: *mut Runtime,
    id: u32,
    count: u32,
    form: u32,
    reduce: u32,
    predicate: u32,
    site: u32,
) -> u32 {
    let reduce = [Reduce::None, Reduce::Popc, Reduce::And, Reduce::Or][reduce as usize & 3];
    let arrival = Arrival {
        id,
        count,
        site,
        reduce,
        predicate: predicate != 0,
    };
    // SAFETY: see `access`; the borrow ends with the call.
    unsafe { (*rt).barrier_arrive(arrival, form == 0) };
    if form != 0 {
        return 0;
    }
    // SAFETY: on a fiber, nothing borrowed.
    unsafe {
        suspend(rt, Wait::Barrier { id, site });
        let index = (*rt).thread as usize;
        (&(*rt).threads)[index].result as u32
    }
}

/// Every warp operation; the predicate is left in `current.predicate`.
pub unsafe extern "C" fn warp(
    rt: *mut Runtime,
    kind: u32,
    mask: u32,
    value: u64,
    select: u32,
    clamp: u32,
    site: u32,
) -> u64 {
    let op = WarpOp {
        kind: WarpKind::ALL[kind as usize],
        mask,
        value,
        select,
        clamp,
        site,
    };
    // SAFETY: on a fiber, nothing borrowed.
    unsafe {
        suspend(rt, Wait::Warp(op));
        let rt = &mut *rt;
        let result = rt.threads[rt.thread as usize].result;
        rt.current.predicate = (result >> 32) as u32 & 1;
        result & 0xffff_ffff
    }
}

/// A matrix product of the warp's; the thread's four elements are left in `current.products`. `signs`: bit 0 if `a` is
/// signed, bit 1 if `b` is.
pub unsafe extern "C" fn mma(
    rt: *mut Runtime,
    signs: u32,
    a: u64,
    a_behind: u64,
    b: u64,
    site: u32,
) {
    let words = [a, a_behind, b].map(|two| [two as u32, (two >> 32) as u32]);
    let op = WarpOp {
        kind: WarpKind::Mma,
        mask: u32::MAX,
        value: 0,
        select: signs,
        clamp: 0,
        site,
    };
    // SAFETY: on a fiber, nothing borrowed.
    unsafe {
        let index = (*rt).thread as usize;
        (&mut (*rt).threads)[index]
            .factors
            .copy_from_slice(words.as_flattened());
        suspend(rt, Wait::Warp(op));
        let rt = &mut *rt;
        rt.current.products = rt.threads[rt.thread as usize].products;
    }
}

/// A matrix product of doubles of the warp's: the thread's sixteen are in `current.doubles`, and its four elements are left there.
pub unsafe extern "C" fn mma_doubles(rt: *mut Runtime, fused: u32, site: u32) {
    let op = WarpOp {
        kind: WarpKind::MmaDoubles,
        mask: u32::MAX,
        value: 0,
        select: fused,
        clamp: 0,
        site,
    };
    // SAFETY: on a fiber, nothing borrowed.
    unsafe {
        let (index, own) = ((*rt).thread as usize, (*rt).current.doubles);
        (&mut (*rt).threads)[index].doubles = own;
        suspend(rt, Wait::Warp(op));
        let rt = &mut *rt;
        rt.current.doubles = rt.threads[rt.thread as usize].doubles;
    }
}

pub unsafe extern "C" fn copy_issue(
    rt: *mut Runtime,
    to: u64,
    from: u64,
    size: u32,
    used: u32,
    site: u32,
    checked: u32,
) {
    let copy = Copy {
        to,
        from,
        size: u64::from(size),
        used: u64::from(used),
        site,
    };
    // SAFETY: see `access`.
    unsafe { (*rt).copy_issue(copy, checked != 0) }
}

pub unsafe extern "C" fn copy_commit(rt: *mut Runtime) {
    // SAFETY: see `access`.
    unsafe { (*rt).copy_commit() }
}

/// `keep` is `u32::MAX` for `wait_all`.
pub unsafe extern "C" fn copy_wait(rt: *mut Runtime, keep: u32, checked: u32) {
    // SAFETY: see `access`.
    unsafe { (*rt).copy_wait((keep != u32::MAX).then_some(keep), checked != 0) }
}

/// An integer division; `undefined` where it has no result, `by_zero` if that is why.
pub unsafe extern "C" fn division(rt: *mut Runtime, by_zero: u32, undefined: u32, site: u32) {
    if undefined != 0 {
        let why = match by_zero {
            0 => "the smallest number is divided by -1",
            _ => "an integer is divided by 0",
        };
        // SAFETY: see `access`.
        unsafe { (*rt).report(Defect::UndefinedDivision, site, || why.into()) }
    }
}

/// `llvm.assume`.
pub unsafe extern "C" fn assume(rt: *mut Runtime, holds: u32, site: u32) {
    if holds == 0 {
        // SAFETY: see `access`.
        unsafe { (*rt).report(Defect::FalseAssumption, site, String::new) }
    }
}

/// `exit` (0) ends the thread; a trap or failed assertion (1) is a report besides.
pub unsafe extern "C" fn stop(rt: *mut Runtime, trap: u32, site: u32) {
    // SAFETY: see `access`; on a fiber. A thread that is `Done` is never resumed.
    unsafe {
        if trap != 0 {
            (*rt).report(Defect::Trap, site, || "the thread stopped here".into());
        }
        (*rt).copies_at_exit();
        suspend(rt, Wait::Done);
    }
}

/// Which memory a generic pointer is in: 1 global, 3 shared, 4 constant, 5 local.
pub unsafe extern "C" fn space_of(rt: *mut Runtime, address: u64) -> u32 {
    // SAFETY: see `access`.
    let rt = unsafe { &mut *rt };
    if rt.memory.shared_offset(address).is_some() {
        return 3;
    }
    match rt
        .memory
        .objects
        .get(rt.memory.locate(address) as usize)
        .map(|o| o.space)
    {
        Some(super::memory::Space::Constant) => 4,
        Some(_) => 1,
        None => 5,
    }
}
