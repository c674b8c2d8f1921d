//! A command whose reader has gone ends as others do: by the signal, and without a word.

mod support;

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use support::{mesi, plugin, programs};

/// The number of the signal of a pipe that nobody reads.
const SIGPIPE: i32 = 13;

fn ends_with_reader(mut command: Command) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = command.stdout(writer).output().expect("mesi starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("panicked"), "{command:?}: {said}");
    assert_eq!(output.status.signal(), Some(SIGPIPE), "{command:?}: {said}");
}

#[test]
fn commands_end_with_their_reader() {
    for words in [
        "explain",
        "explain NotAffine",
        "doctor",
        "completions bash",
        "cache list",
        "nvcc --help",
    ] {
        ends_with_reader(mesi(words));
    }
}

#[test]
fn a_report_ends_with_its_reader() {
    let at = programs(&["sgemm.cu"]);
    let mut report = mesi("report");
    report.arg("--plugin").arg(plugin()).current_dir(at.path());
    report.args(["sgemm.cu", "--json", "--", "-arch=sm_80"]);
    ends_with_reader(report);
}
