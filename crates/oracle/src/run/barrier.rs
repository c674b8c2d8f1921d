//! Barriers of a block: sixteen, each with those who wait, those who only arrived, and a reduction.

use super::Runtime;
use super::rounds::Reduce;
use super::thread::Wait;
use crate::report::Defect;

/// A call of a barrier.
#[derive(Debug, Clone, Copy)]
pub struct Arrival {
    pub id: u32,
    /// 0: all live threads.
    pub count: u32,
    pub site: u32,
    pub reduce: Reduce,
    pub predicate: bool,
}

impl Runtime {
    /// Notes that the running thread reached a barrier; with `waits` it is about to suspend.
    pub fn barrier_arrive(&mut self, arrival: Arrival, waits: bool) {
        let thread = self.thread;
        let round = self.barriers.0.entry(arrival.id).or_default();
        let started = !round.waiting.is_empty() || !round.arrived.is_empty();
        let other = round.waiting.first().copied();
        let mixed = started
            && (round.count != arrival.count
                || (waits && round.reduce.is_some_and(|r| r != arrival.reduce)));
        round.count = arrival.count;
        round.trues += u32::from(arrival.predicate);
        if waits {
            round.reduce = Some(arrival.reduce);
            round.waiting.push((thread, arrival.site));
        } else {
            round.arrived.push(thread);
        }
        if let Some(tally) = &mut self.tally {
            tally.barrier(thread);
        }
        let Some((peer, site)) = other else { return };
        // Partial barriers are met at different places on purpose (producer and consumer); those of the whole block not.
        if mixed || (arrival.count == 0 && waits && site != arrival.site) {
            let whereabouts = Some((self.peer(peer), self.place(site)));
            let spot = super::Spot {
                object: super::memory::NONE,
                address: 0,
                size: 0,
            };
            self.report_at(
                Defect::BarrierDivergence,
                arrival.site,
                spot,
                whereabouts,
                || {
                    format!(
                        "barrier {} reached at different places in one round",
                        arrival.id
                    )
                },
            );
        }
    }

    /// Opens every barrier whose threads are all there. Whether any was.
    pub fn barriers_release(&mut self) -> bool {
        let live = self.live;
        let open: Vec<u32> = self
            .barriers
            .0
            .iter()
            .filter(|(_, r)| {
                let here = (r.waiting.len() + r.arrived.len()) as u32;
                here > 0
                    && if r.count == 0 {
                        here >= live
                    } else {
                        here >= r.count
                    }
            })
            .map(|(id, _)| *id)
            .collect();
        for id in &open {
            let round = self.barriers.0.remove(id).unwrap_or_default();
            let here = (round.waiting.len() + round.arrived.len()) as u32;
            let result = match round.reduce {
                Some(Reduce::Popc) => round.trues,
                Some(Reduce::And) => u32::from(round.trues == here),
                Some(Reduce::Or) => u32::from(round.trues > 0),
                _ => 0,
            };
            if round.waiting.len() as u32 == live {
                self.clock.full_barrier();
                if let Some(tally) = &mut self.tally {
                    tally.flush();
                }
            } else {
                self.clock
                    .partial_barrier(round.waiting.iter().map(|w| w.0).chain(round.arrived));
            }
            for (thread, _) in round.waiting {
                let thread = &mut self.threads[thread as usize];
                thread.result = u64::from(result);
                thread.wait = Wait::Ready;
            }
        }
        !open.is_empty()
    }
}
