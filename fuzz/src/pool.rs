//! Worker processes and what becomes of them.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::check::{Failure, Verdict};
use crate::worker::{Reply, Request};

/// Longest time for one kernel; an ordinary one takes a tenth of a second.
const PATIENCE: Duration = Duration::from_secs(60);
/// Kernels after which a worker is replaced, so that nothing LLVM keeps can add up.
const LIFE: u32 = 400;

/// A worker process, started when it is needed.
#[derive(Default)]
pub struct Worker {
    running: Option<Running>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    served: u32,
}

impl Worker {
    /// Asks for one kernel. If the process dies or hangs, that is the kernel's failure.
    pub fn ask(&mut self, request: &Request) -> std::io::Result<Reply> {
        if self.running.as_ref().is_some_and(|r| r.served >= LIFE) {
            self.stop();
        }
        let running = match &mut self.running {
            Some(r) => r,
            None => self.running.insert(start()?),
        };
        running.served += 1;
        let sent = writeln!(running.input, "{}", serde_json::to_string(request)?)
            .and_then(|()| running.input.flush());
        let kind = match sent.map(|()| running.lines.recv_timeout(PATIENCE)) {
            Ok(Ok(line)) => return Ok(serde_json::from_str(&line)?),
            Ok(Err(RecvTimeoutError::Timeout)) => "hang",
            _ => "crash",
        };
        if kind == "hang" {
            let _ = running.child.kill();
        }
        let status = running.child.wait()?;
        self.running = None;
        let failure = Failure {
            kind: kind.into(),
            variant: "?".into(),
            text: format!("the process ended with {status}"),
        };
        Ok(Reply {
            verdict: Verdict {
                failures: vec![failure],
                ..Verdict::default()
            },
            ..Reply::default()
        })
    }

    fn stop(&mut self) {
        if let Some(Running {
            mut child, input, ..
        }) = self.running.take()
        {
            drop(input);
            let _ = child.wait();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop();
    }
}

fn start() -> std::io::Result<Running> {
    let mut child = Command::new(std::env::current_exe()?)
        .arg("--worker")
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
