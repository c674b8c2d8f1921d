//! `cp.async`, as late as the model allows.
//!
//! The bytes are read and written when a wait demands them, not before, so a missing wait computes with old
//! bytes. From issue to landing the destination is `PENDING`: any touch is a report. Landing counts as a
//! write of the issuing thread in the interval of the wait, so without a barrier after it, other
//! threads' reads are races. Issuing counts as a write too: a reader of the old bytes in the same interval races.

use super::memory::{PENDING, WRITTEN};
use super::thread::Copy;
use super::{Runtime, Spot};
use crate::report::Defect;

impl Runtime {
    /// Issues a copy; with `checked` the bounds, alignment and races of both sides are looked at.
    pub fn copy_issue(&mut self, copy: Copy, checked: bool) {
        let mut copy = copy;
        copy.used = copy.used.min(copy.size);
        if checked {
            if copy.used > 0 && self.check(copy.from, copy.used, copy.site + 1).is_none() {
                copy.used = 0;
            }
            if self.check(copy.to, copy.size, copy.site).is_none() {
                return;
            }
            if let Some(offset) = self.memory.shared_offset(copy.to) {
                let state = &mut self.memory.state[offset as usize..(offset + copy.size) as usize];
                state.iter_mut().for_each(|s| *s |= PENDING);
            }
        }
        self.threads[self.thread as usize].copies.open.push(copy);
    }

    pub fn copy_commit(&mut self) {
        let queue = &mut self.threads[self.thread as usize].copies;
        let group = std::mem::take(&mut queue.open);
        queue.groups.push_back(group);
    }

    /// Lands all groups but the newest `keep`; `None` lands everything, committed or not.
    pub fn copy_wait(&mut self, keep: Option<u32>, checked: bool) {
        let queue = &mut self.threads[self.thread as usize].copies;
        if keep.is_none() {
            let open = std::mem::take(&mut queue.open);
            queue.groups.push_back(open);
        }
        let landing = queue
            .groups
            .len()
            .saturating_sub(keep.unwrap_or(0) as usize);
        let landed: Vec<Copy> = queue.groups.drain(..landing).flatten().collect();
        for copy in landed {
            self.land(copy, checked);
        }
    }

    fn land(&mut self, copy: Copy, checked: bool) {
        if checked {
            // Counted when issued; here only the races of the landing are looked at.
            let tally = self.tally.take();
            let state = self.memory.shared_offset(copy.to).map(|o| o as usize);
            if let Some(from) = state {
                self.memory.state[from..from + copy.size as usize]
                    .iter_mut()
                    .for_each(|s| *s = WRITTEN);
            }
            if copy.used > 0 {
                self.check(copy.from, copy.used, copy.site + 1);
            }
            self.check(copy.to, copy.size, copy.site);
            self.tally = tally;
        }
        // SAFETY: with checks, both ranges were found inside an object when issued; without, the kernel's
        // word is taken, as for every other access of an unchecked run.
        unsafe {
            std::ptr::copy(
                copy.from as *const u8,
                copy.to as *mut u8,
                copy.used as usize,
            );
            std::ptr::write_bytes(
                (copy.to + copy.used) as *mut u8,
                0,
                (copy.size - copy.used) as usize,
            );
        }
    }

    /// The running thread ends: whatever it did not wait for is a report.
    pub fn copies_at_exit(&mut self) {
        if let Some(copy) = self.threads[self.thread as usize].copies.first() {
            let object = self.memory.locate(copy.to);
            let spot = Spot {
                object,
                address: copy.to,
                size: copy.size,
            };
            self.report_at(Defect::UnwaitedCopy, copy.site, spot, None, || {
                "the thread ended without waiting".into()
            });
            self.threads[self.thread as usize].copies.clear();
        }
    }
}
