//! Runs independent jobs on all cores, with progress on stderr.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::Result;

/// Applies `job` to every item and returns the results in the items' order.
///
/// The first failure stops the hand-out of further items and is returned.
pub fn map<T: Sync, R: Send>(
    what: &str,
    items: &[T],
    job: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    map_on(None, what, items, job)
}

/// The same, at most `jobs` at a time.
pub fn map_on<T: Sync, R: Send>(
    jobs: Option<usize>,
    what: &str,
    items: &[T],
    job: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let done = Mutex::new((0, Vec::new()));
    let terminal = std::io::stderr().is_terminal();
    let workers = jobs
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from))
        .max(1)
        .min(items.len().max(1));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { break };
                    let result = job(item);
                    stop.fetch_or(result.is_err(), Ordering::Relaxed);
                    let Ok(mut state) = done.lock() else { break };
                    state.0 += 1;
                    report(what, state.0, items.len(), terminal);
                    state.1.push((i, result));
                }
            });
        }
    });
    if terminal {
        eprintln!();
    }
    let (_, mut results) = done
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}

/// A terminal gets one line that counts up, a log one line per tenth.
fn report(what: &str, done: usize, all: usize, terminal: bool) {
    if terminal {
        eprint!("\r{what} {done}/{all}");
    } else if done == all || done * 10 / all != (done - 1) * 10 / all {
        eprintln!("{what} {done}/{all}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_items_order() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(map("test", &items, |i| Ok(i * 2)).unwrap()[99], 198);
    }

    #[test]
    fn a_failure_is_returned() {
        let items: Vec<usize> = (0..100).collect();
        let error = map("test", &items, |i| {
            if *i == 7 {
                anyhow::bail!("seven")
            } else {
                Ok(())
            }
        });
        assert_eq!(error.unwrap_err().to_string(), "seven");
    }
}
