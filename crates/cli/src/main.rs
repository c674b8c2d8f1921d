//! `mesi`: the front door. `mesi nvcc` stands in for nvcc; the other commands explain and check.

mod ab;
mod cache;
mod doctor;
mod explain;
mod measured;
mod names;
mod nvcc;
mod report;
mod tools;
mod tune;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "mesi",
    version,
    about = "Speeds up naive CUDA kernels: a stand-in for nvcc, and what belongs to it",
    after_help = "Exit status: 0 all is well, 1 what was asked for failed, 2 wrong usage; mesi tune has a 3; mesi nvcc ends as the program that failed."
)]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Compile CUDA with clang and the plug-in, by nvcc's command line
    #[command(disable_help_flag = true)]
    Nvcc {
        /// nvcc's options and files; see mesi nvcc --help
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Build a program with and without the plug-in, run the builds in turn, compare outputs and kernel times
    #[command(disable_help_flag = true)]
    Ab {
        /// Options and a source file, or options, -- and a compile command; see mesi ab --help
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Look at what building and running need, and name each fault with its cure
    Doctor(doctor::Arguments),
    /// Say what a refusal or an option means, and what to do
    Explain(explain::Arguments),
    /// Write a page about a program's kernels: footprints, versions, gains, refusals
    Report(report::Arguments),
    /// List, show, delete or freeze the choices that programs keep on disk
    Cache(cache::Arguments),
    /// Run a program until its choices are settled, and say what that gained
    Tune(tune::Arguments),
    /// Print shell completions
    Completions {
        /// For which shell
        shell: clap_complete::Shell,
    },
    /// Write man pages into a folder
    Man {
        /// The folder
        folder: std::path::PathBuf,
    },
}

fn main() -> ExitCode {
    mesi_pipes::end_with_reader();
    let words: Vec<String> = std::env::args_os()
        .map(|w| w.to_string_lossy().into_owned())
        .collect();
    // Words behind nvcc and ab are no clap words: their own rules read them.
    let (name, outcome) = match (as_nvcc(&words), words.get(1).map(String::as_str)) {
        (Some(rest), _) => ("mesi nvcc", nvcc::main(rest)),
        (None, Some("ab")) => ("mesi ab", ab::main(&words[2..])),
        _ => ("mesi", run(Cli::parse().command)),
    };
    match outcome {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            eprintln!("{name}: error: {}", format!("{error:#}").replace('\n', " "));
            ExitCode::from(2)
        }
    }
}

/// Under the name `mesi-nvcc` it is `mesi nvcc`, for build systems that want one program.
fn as_nvcc(words: &[String]) -> Option<&[String]> {
    let own = words.first().map(|w| w.rsplit('/').next().unwrap_or(w));
    if own == Some("mesi-nvcc") {
        return words.get(1..);
    }
    words.get(2..).filter(|_| words[1] == "nvcc")
}

fn run(task: Task) -> Result<u8> {
    match task {
        Task::Nvcc { words } => return nvcc::main(&words),
        Task::Ab { words } => return ab::main(&words),
        Task::Doctor(arguments) => return doctor::main(&arguments),
        Task::Explain(arguments) => return explain::main(&arguments),
        Task::Report(arguments) => return report::main(&arguments),
        Task::Cache(arguments) => return cache::main(&arguments),
        Task::Tune(arguments) => return tune::main(&arguments),
        Task::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "mesi", &mut std::io::stdout());
        }
        Task::Man { folder } => clap_mangen::generate_to(Cli::command(), folder)?,
    }
    Ok(0)
}
