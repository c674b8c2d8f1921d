//! The check in front of every access: bounds, alignment, written before read, races.

use super::memory::{NONE, PENDING, Space, WRITTEN};
use super::shadow::{Conflict, Mark, Race, Touch};
use super::{Runtime, Spot};
use crate::report::{Defect, Who};
use crate::run::unflatten;
use crate::site::AccessKind;

impl Runtime {
    /// Checks `len` bytes at `address` for `site`. The address to use instead, or `None` if the access must not happen.
    #[inline]
    pub fn check(&mut self, address: u64, len: u64, site: u32) -> Option<u64> {
        let probe = self.probes[site as usize];
        let object = match probe.expected {
            NONE => self.memory.locate(address),
            expected => expected,
        };
        if object == NONE {
            return self.check_elsewhere(address, len, site);
        }
        let found = &mut self.memory.objects[object as usize];
        let offset = address.wrapping_sub(found.base);
        if offset >= found.len || len > found.len - offset {
            self.out_of_bounds(object, address, len, site);
            return None;
        }
        if address & (u64::from(probe.align) - 1) != 0 {
            self.misaligned(object, address, len, site);
            return None;
        }
        let space = found.space;
        let reads = matches!(probe.kind, AccessKind::Load | AccessKind::CopyRead);
        let spot = Spot {
            object,
            address,
            size: len,
        };
        if space == Space::Constant {
            if !reads {
                self.report_at(Defect::WriteToConstant, site, spot, None, String::new);
                return None;
            }
            return Some(address);
        }
        if let Some(tally) = &mut self.tally {
            tally.access(
                self.thread,
                site,
                object,
                address,
                len as u32,
                &self.threads[self.thread as usize].iterations,
            );
        }
        let shared = space == Space::Shared;
        let touch = Touch {
            offset,
            len,
            reads,
            mark: Mark::new(self.clock.now, self.thread, site, probe.atomic),
        };
        if let Some((byte, race)) = found.history.touch(&self.clock, touch, shared) {
            let address = address + byte;
            self.race(Spot { address, ..spot }, race, touch.mark);
        }
        if shared {
            self.check_written(object, address, len, probe.kind, site);
        }
        Some(address)
    }

    #[cold]
    fn race(&mut self, spot: Spot, (conflict, both_write, earlier): Race, mark: Mark) {
        let number = self.clock.block_at(earlier.time);
        let block = unflatten(number, self.current.nctaid);
        let who = Who {
            thread: unflatten(earlier.thread(), self.current.ntid),
            block,
        };
        let other = Some((who, self.place(u32::from(earlier.site))));
        let defect = match (conflict, both_write) {
            (Conflict::Blocks, _) => Defect::BlockRace,
            (_, true) => Defect::WriteWriteRace,
            (_, false) => Defect::ReadWriteRace,
        };
        self.report_at(defect, u32::from(mark.site), spot, other, String::new);
    }

    #[inline]
    fn check_written(&mut self, object: u32, address: u64, len: u64, kind: AccessKind, site: u32) {
        let from = (address - self.memory.shared.base) as usize;
        let state = &mut self.memory.state[from..from + len as usize];
        let all = state.iter().fold(WRITTEN, |acc, s| acc & s);
        let any = state.iter().fold(0, |acc, s| acc | s);
        if matches!(kind, AccessKind::Store) {
            state.iter_mut().for_each(|s| *s |= WRITTEN);
        }
        if any & PENDING != 0 {
            let spot = Spot {
                object,
                address,
                size: len,
            };
            self.report_at(Defect::CopyRace, site, spot, None, || {
                "a cp.async to these bytes has not been waited for".into()
            });
        } else if all & WRITTEN == 0 && matches!(kind, AccessKind::Load | AccessKind::Atomic) {
            self.unwritten_read(object, address, len, site);
        }
    }

    #[cold]
    fn unwritten_read(&mut self, object: u32, address: u64, len: u64, site: u32) {
        let place = self.place(site);
        if let Some(known) = self.unwritten.iter_mut().find(|r| r.place == place) {
            known.count += 1;
            return;
        }
        let spot = Spot {
            object,
            address,
            size: len,
        };
        let report = self.describe(Defect::Uninitialised, site, spot, None, String::new());
        self.unwritten.push(report);
    }

    /// Locals, the fiber's own stack, or nothing at all.
    #[inline(never)]
    fn check_elsewhere(&mut self, address: u64, len: u64, site: u32) -> Option<u64> {
        let align = u64::from(self.sites[site as usize].align);
        let thread = &self.threads[self.thread as usize];
        let inside = |base: u64, size: u64| {
            let offset = address.wrapping_sub(base);
            offset < size && len <= size - offset
        };
        let local = thread.locals.iter().any(|l| inside(l.base, l.len));
        if local || inside(thread.stack.0, thread.stack.1) {
            if address & (align - 1) != 0 {
                self.misaligned(NONE, address, len, site);
                return None;
            }
            return Some(address);
        }
        let nearest = self.memory.nearest(address);
        self.out_of_bounds(nearest, address, len, site);
        None
    }

    #[cold]
    fn out_of_bounds(&mut self, object: u32, address: u64, len: u64, site: u32) {
        let locals = &self.threads[self.thread as usize].locals;
        let local = locals
            .iter()
            .find(|l| address.wrapping_sub(l.base).wrapping_add(64) < l.len + 128);
        let detail = match (self.memory.objects.get(object as usize), local) {
            (Some(o), _) => format!("{} has {} bytes", o.name, o.len),
            (None, Some(l)) => format!(
                "local memory {} has {} bytes, this is byte offset {}",
                l.name,
                l.len,
                address.wrapping_sub(l.base) as i64
            ),
            (None, None) => "the address lies in no array".into(),
        };
        let spot = Spot {
            object,
            address,
            size: len,
        };
        self.report_at(Defect::OutOfBounds, site, spot, None, || detail);
    }

    #[cold]
    fn misaligned(&mut self, object: u32, address: u64, len: u64, site: u32) {
        let align = self.sites[site as usize].align;
        let spot = Spot {
            object,
            address,
            size: len,
        };
        self.report_at(Defect::Misaligned, site, spot, None, || {
            format!("needs alignment {align}")
        });
    }
}
