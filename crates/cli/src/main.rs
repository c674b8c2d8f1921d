//! `mesi`: the front door. `mesi nvcc` stands in for nvcc; the other commands explain and check.

mod nvcc;
mod tools;

use std::process::ExitCode;

use anyhow::Result;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args_os()
        .map(|w| w.to_string_lossy().into_owned())
        .collect();
    let (name, outcome) = dispatch(&words);
    match outcome {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            eprintln!("{name}: error: {}", format!("{error:#}").replace('\n', " "));
            ExitCode::from(2)
        }
    }
}

/// Under the name `mesi-nvcc` it is `mesi nvcc`, for build systems that want one program.
fn dispatch(words: &[String]) -> (&'static str, Result<u8>) {
    let own = words.first().map(|w| w.rsplit('/').next().unwrap_or(w));
    if own == Some("mesi-nvcc") {
        return ("mesi nvcc", nvcc::main(&words[1..]));
    }
    if words.get(1).is_some_and(|w| w == "nvcc") {
        return ("mesi nvcc", nvcc::main(&words[2..]));
    }
    (
        "mesi",
        Err(anyhow::anyhow!("write mesi nvcc [options] file.cu")),
    )
}
