//! Worker processes and what becomes of them.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::check::{Failure, Verdict};
use crate::worker::{BEGIN, Reply, Request};

/// Longest time for one kernel; an ordinary one takes a fifth of a second, on a busy machine a few.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// Kernels after which a worker is replaced, so that nothing LLVM keeps can add up.
const LIFE: u32 = 400;

/// A worker process, started when it is needed.
pub struct Worker {
    running: Option<Running>,
    program: Command,
    patience: Duration,
}

struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    served: u32,
}

impl Worker {
    /// Workers are this program again.
    pub fn new() -> std::io::Result<Worker> {
        let mut program = Command::new(std::env::current_exe()?);
        program.arg("--worker");
        Ok(Worker::of(program, PATIENCE))
    }

    /// `program` answers requests; a kernel that takes it longer than `patience` counts as a hang.
    pub fn of(program: Command, patience: Duration) -> Worker {
        Worker {
            running: None,
            program,
            patience,
        }
    }

    /// Waits for this long at most from now on.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// Asks for one kernel. If the process dies or hangs, that is the kernel's failure.
    pub fn ask(&mut self, request: &Request) -> std::io::Result<Reply> {
        if self.running.as_ref().is_some_and(|r| r.served >= LIFE) {
            self.stop();
        }
        let running = match &mut self.running {
            Some(r) => r,
            None => self.running.insert(start(&mut self.program)?),
        };
        running.served += 1;
        let end = Instant::now() + self.patience;
        let sent = writeln!(running.input, "{}", serde_json::to_string(request)?)
            .and_then(|()| running.input.flush());
        let mut variant = "?".to_string();
        let kind = loop {
            if sent.is_err() {
                break "crash";
            }
            let left = end.saturating_duration_since(Instant::now());
            match running.lines.recv_timeout(left) {
                Ok(line) => match line.strip_prefix(BEGIN) {
                    Some(name) => variant = name.into(),
                    None => return Ok(serde_json::from_str(&line)?),
                },
                Err(RecvTimeoutError::Timeout) => break "hang",
                Err(RecvTimeoutError::Disconnected) => break "crash",
            }
        };
        let _ = running.child.kill();
        let status = running.child.wait()?;
        self.running = None;
        let text = match kind {
            "hang" => format!("no answer within {} s", self.patience.as_secs()),
            _ => format!("the process ended with {status}"),
        };
        let failure = Failure {
            kind: kind.into(),
            variant,
            text,
        };
        Ok(Reply {
            verdict: Verdict {
                failures: vec![failure],
                ..Verdict::default()
            },
            ..Reply::default()
        })
    }

    /// Ends the process. It has nothing to do, so it ends by itself once its input does; if not, it is ended.
    fn stop(&mut self) {
        let Some(Running {
            mut child, input, ..
        }) = self.running.take()
        else {
            return;
        };
        drop(input);
        for _ in 0..100 {
            if !matches!(child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop();
    }
}

fn start(program: &mut Command) -> std::io::Result<Running> {
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (Some(input), Some(output)) = (input, output) else {
        return Err(std::io::Error::other("a worker without pipes"));
    };
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    Ok(Running {
        child,
        input,
        lines,
        served: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(script: &str) -> Failure {
        let mut program = Command::new("sh");
        program.args(["-c", script]);
        let request = Request {
            seed: 1,
            cuts: Vec::new(),
            only: None,
            text: false,
        };
        let start = Instant::now();
        let mut worker = Worker::of(program, Duration::from_millis(500));
        let reply = worker.ask(&request).expect("the shell starts");
        assert!(start.elapsed() < Duration::from_secs(20));
        reply.verdict.failures[0].clone()
    }

    #[test]
    fn a_kernel_that_never_ends_is_a_failure() {
        let failure = ask("read line; echo '@force;merge=4'; exec sleep 100");
        assert_eq!(
            (failure.kind.as_str(), failure.variant.as_str()),
            ("hang", "force;merge=4")
        );
    }

    #[test]
    fn a_process_that_ends_is_a_failure() {
        let failure = ask("read line; echo '@default'; kill -SEGV $$");
        assert_eq!(
            (failure.kind.as_str(), failure.variant.as_str()),
            ("crash", "default")
        );
    }
}
