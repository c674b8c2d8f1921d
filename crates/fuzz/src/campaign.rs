//! A run over many seeds: workers in parallel, totals, and every failure made small.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::check::Failure;
use crate::pool::{PATIENCE, Worker};
use crate::totals::{Found, Totals};
use crate::worker::{Reply, Request};

/// What to run.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// First seed.
    pub seed: u64,
    /// Kernels.
    pub count: u64,
    /// Worker processes.
    pub jobs: usize,
    /// Stop starting kernels after this long.
    pub limit: Option<Duration>,
    /// Where minimal kernels go.
    pub out: PathBuf,
    /// Stop after so many failing seeds.
    pub most_failures: usize,
}

/// How long one failure may be shrunk.
const SHRINKING: Duration = Duration::from_secs(60);
/// While a hang is shrunk, a kernel that takes this long hangs.
const HANGING: Duration = Duration::from_secs(10);

impl Campaign {
    /// Runs it; failures are printed as they come.
    pub fn run(&self) -> std::io::Result<Totals> {
        let next = AtomicU64::new(0);
        let totals = Mutex::new(Totals::default());
        let start = Instant::now();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.jobs)
                .map(|_| scope.spawn(|| self.work(&next, &totals, start)))
                .collect();
            threads.into_iter().try_for_each(|t| {
                t.join()
                    .unwrap_or_else(|_| Err(std::io::Error::other("a thread panicked")))
            })
        })?;
        let mut totals = totals.into_inner().unwrap_or_else(|e| e.into_inner());
        totals.wall = start.elapsed().as_secs_f64();
        let asked = next.into_inner().min(self.count);
        totals.seeds = vec![(self.first(), asked)];
        Ok(totals)
    }

    fn first(&self) -> u64 {
        self.seed.wrapping_mul(1_000_000)
    }

    fn work(
        &self,
        next: &AtomicU64,
        totals: &Mutex<Totals>,
        start: Instant,
    ) -> std::io::Result<()> {
        let mut worker = Worker::new()?;
        let lock = || totals.lock().unwrap_or_else(|e| e.into_inner());
        while self.limit.is_none_or(|l| start.elapsed() < l) {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= self.count || lock().failures.len() >= self.most_failures {
                return Ok(());
            }
            let seed = self.first().wrapping_add(n);
            let request = Request {
                seed,
                cuts: Vec::new(),
                only: None,
                text: false,
            };
            let reply = worker.ask(&request)?;
            lock().add(&reply);
            if n % 1000 == 999 {
                eprintln!(
                    "{} kernels after {:.0} s",
                    n + 1,
                    start.elapsed().as_secs_f64()
                );
            }
            if let Some(failure) = first_failure(&reply) {
                println!(
                    "seed {seed}: {} with {}: {}",
                    failure.kind, failure.variant, failure.text
                );
                let found = self.shrink(&mut worker, request, failure)?;
                println!(
                    "seed {seed}: shrunk by {} cuts: {}",
                    found.cuts.len(),
                    found.file.display()
                );
                lock().failures.push(found);
            }
        }
        Ok(())
    }

    /// Takes every cut that keeps a failure of the same kind, until none does.
    pub fn shrink(
        &self,
        worker: &mut Worker,
        mut request: Request,
        failure: Failure,
    ) -> std::io::Result<Found> {
        let start = Instant::now();
        if failure.kind == "hang" {
            worker.set_patience(HANGING);
        }
        // A process that ended does not say with which variant.
        request.only = (failure.variant != "?").then(|| failure.variant.clone());
        let mut count = worker.ask(&request)?.cuts;
        if count == 0 {
            count = 300;
        }
        let (mut at, mut since) = (0, 0);
        while since < count && start.elapsed() < SHRINKING {
            let mut cuts = request.cuts.clone();
            cuts.push(at);
            let reply = worker.ask(&Request {
                cuts: cuts.clone(),
                ..request.clone()
            })?;
            if first_failure(&reply).is_some_and(|f| f.kind == failure.kind) {
                request.cuts = cuts;
                count = if reply.cuts > 0 { reply.cuts } else { count };
                since = 0;
            } else {
                at += 1;
                since += 1;
            }
            if at >= count {
                at = 0;
            }
        }
        let found = self.write(worker, request, failure);
        worker.set_patience(PATIENCE);
        found
    }

    fn write(
        &self,
        worker: &mut Worker,
        request: Request,
        failure: Failure,
    ) -> std::io::Result<Found> {
        std::fs::create_dir_all(&self.out)?;
        let file = self
            .out
            .join(format!("{}-{}.ll", failure.kind, request.seed));
        let small = worker.ask(&Request {
            text: true,
            ..request.clone()
        })?;
        let seen = first_failure(&small).unwrap_or_else(|| failure.clone());
        let text = small
            .text
            .split_once('\n')
            .map_or(small.text.clone(), |(first, rest)| {
                format!("{first}\n{rest}")
            });
        std::fs::write(
            &file,
            format!(
                "; {} with {}: {}\n; seed {}, cuts {:?}\n{text}",
                seen.kind,
                seen.variant,
                seen.text.replace('\n', " "),
                request.seed,
                request.cuts
            ),
        )?;
        Ok(Found {
            seed: request.seed,
            failure,
            cuts: request.cuts,
            file,
        })
    }
}

fn first_failure(reply: &Reply) -> Option<Failure> {
    reply.verdict.failures.first().cloned()
}
