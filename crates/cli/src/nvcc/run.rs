//! Runs the steps, or prints them.

use std::io::IsTerminal;
use std::path::Path;
use std::process::{Command as Process, ExitStatus, Output, Stdio};

use anyhow::{Context, Result};

use super::escapes::Mended;
use super::job::{Command, Step};
use super::overlay::Copies;

/// How to go about it.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// Print each command.
    pub shown: bool,
    /// Run each command.
    pub done: bool,
}

/// All steps in order. The answer is the exit status of the one that failed, or 0.
pub fn all(steps: &[Step], manner: Manner) -> Result<u8> {
    for step in steps {
        let status = one(step, manner)?;
        if status != 0 {
            return Ok(status);
        }
    }
    Ok(0)
}

fn one(step: &Step, manner: Manner) -> Result<u8> {
    match step {
        Step::Run(command) => {
            show(command, manner);
            if !manner.done {
                return Ok(0);
            }
            let status = process(command)
                .status()
                .with_context(|| missing(&command.program))?;
            Ok(code(status))
        }
        Step::Copy(from, to) => {
            if manner.done {
                std::fs::copy(from, to).with_context(|| {
                    format!("{} cannot be copied to {}", from.display(), to.display())
                })?;
            }
            Ok(0)
        }
        Step::Compile {
            source,
            clang,
            copies,
            nvcc,
        } => {
            let output = match by_clangs(clang, copies, manner)? {
                Clang::Shown => return Ok(0),
                Clang::Ended(output) => output,
            };
            if output.status.success() {
                print(&output);
                return Ok(0);
            }
            by_nvcc(source, &output, nvcc.as_ref(), manner)
        }
    }
}

/// What became of a command of clang.
enum Clang {
    /// It was to be shown, and no more.
    Shown,
    /// It ended.
    Ended(Output),
}

/// Tries clang's commands up to the first that succeeds. What clang said before is not shown: the file
/// compiles.
fn by_clangs(commands: &[Command], copies: &Copies, manner: Manner) -> Result<Clang> {
    let mut last = None;
    for command in commands {
        match by_clang(command, copies, manner)? {
            Clang::Ended(output) if !output.status.success() => last = Some(output),
            done => return Ok(done),
        }
    }
    last.map(Clang::Ended).context("a compile has a command")
}

/// The same by nvcc, where clang failed.
fn by_nvcc(source: &str, output: &Output, nvcc: Option<&Command>, manner: Manner) -> Result<u8> {
    let Some(nvcc) = nvcc else {
        print(output);
        return Ok(code(output.status));
    };
    show(nvcc, manner);
    let second = process(nvcc)
        .stderr(Stdio::piped())
        .stdin(Stdio::null())
        .output();
    let second = second.with_context(|| missing(&nvcc.program))?;
    if !second.status.success() {
        // Neither takes it: the program's fault, and clang says it better.
        print(output);
        return Ok(code(output.status));
    }
    eprintln!(
        "mesi nvcc: warning: {source}: compiled by nvcc, without mesi, because clang cannot: {}",
        reason(output)
    );
    print(&second);
    Ok(0)
}

/// Runs clang, again as long as assembly can be mended that nvcc takes as it is.
fn by_clang(given: &Command, copies: &Copies, manner: Manner) -> Result<Clang> {
    let mut mended = Mended::of(copies.clone());
    loop {
        let mut command = given.clone();
        command.arguments.extend(mended.words()?);
        show(&command, manner);
        if !manner.done {
            return Ok(Clang::Shown);
        }
        let mut process = process(&command);
        if colours() {
            process.arg("-fcolor-diagnostics");
        }
        process
            .stdin(Stdio::inherit())
            .stdout(Stdio::inherit())
            .stderr(Stdio::piped());
        let output = process
            .spawn()
            .and_then(std::process::Child::wait_with_output);
        let output = output.with_context(|| missing(&command.program))?;
        let said = plain(&String::from_utf8_lossy(&output.stderr));
        if output.status.success() || !mended.mend(&said) {
            return Ok(Clang::Ended(output));
        }
    }
}

/// The first error, without colours.
fn reason(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let plain = plain(&said);
    let lines = || plain.lines().filter(|l| !l.trim().is_empty());
    let error = lines()
        .find(|l| l.contains("error:"))
        .or_else(|| lines().next());
    error.map_or_else(
        || format!("it ended with {}", output.status),
        |l| l.trim().to_string(),
    )
}

/// Text without terminal sequences.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        if c == '\u{1b}' {
            characters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            plain.push(c);
        }
    }
    plain
}

fn print(output: &Output) {
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
}

fn colours() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// nvcc would read the variables a second time.
fn process(command: &Command) -> Process {
    let mut process = Process::new(&command.program);
    process.args(&command.arguments);
    process
        .env_remove("NVCC_PREPEND_FLAGS")
        .env_remove("NVCC_APPEND_FLAGS");
    process
}

fn missing(program: &Path) -> String {
    format!("{} cannot be started", program.display())
}

/// A signal becomes 128 and its number, as in a shell.
pub fn code(status: ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    let signal = status.signal().map(|s| 128 + s);
    u8::try_from(status.code().or(signal).unwrap_or(1)).unwrap_or(1)
}

fn show(command: &Command, manner: Manner) {
    if manner.shown {
        eprintln!("#$ {}", line(command));
    }
}

/// As a shell takes it, in nvcc's way of quoting.
pub fn line(command: &Command) -> String {
    let program = command.program.display().to_string();
    let words = std::iter::once(&program).chain(&command.arguments);
    words.map(|w| quoted(w)).collect::<Vec<_>>().join(" ")
}

/// A word in double quotes where a shell would else see more than a word; `-L` always has them, as
/// build systems look for the text of LIBRARIES in a line.
pub fn quoted(word: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%^".contains(c);
    if !word.is_empty() && word.chars().all(safe) && !word.starts_with("-L") {
        return word.to_string();
    }
    let inner: String = word
        .chars()
        .flat_map(|c| {
            if "\"\\$`".contains(c) {
                vec!['\\', c]
            } else {
                vec![c]
            }
        })
        .collect();
    format!("\"{inner}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_line_can_be_pasted() {
        let command = Command::new(
            "/a b/clang++",
            vec!["-DX=\"y\"".into(), "-O3".into(), "-L/x".into(), "$a".into()],
        );
        assert_eq!(
            line(&command),
            r#""/a b/clang++" "-DX=\"y\"" -O3 "-L/x" "\$a""#
        );
    }

    #[test]
    fn colours_are_taken_out_of_a_reason() {
        assert_eq!(plain("\u{1b}[1;31merror:\u{1b}[0m x"), "error: x");
    }
}
