//! `cargo xtask`: the project's commands.
//!
//! This crate links neither LLVM nor CUDA, because its first task is to install them.

mod ab;
mod apt;
mod bench;
mod building;
mod compile;
mod corpus;
mod cpu;
mod cuda;
mod demo;
mod fused;
mod gpu;
mod house;
mod identity;
mod install;
mod new_transform;
mod parallel;
mod programs;
mod project;
mod ptxas;
mod remarks;
mod same;
mod setup;
mod site;
mod stage;
mod test;
mod tune;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    about = "Sets up, shows, tests and measures mesi",
    version
)]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Find LLVM 22 and CUDA, install what is missing
    Setup,
    /// Compile the corpus with and without the plug-in and show what it did
    Demo(demo::Arguments),
    /// Run every check and test
    Test,
    /// Run the corpus on the CPU and compare original and staged kernels bit for bit
    Oracle(cpu::Arguments),
    /// Build a CUDA program of your own with and without the plug-in, run and compare the builds
    #[command(disable_help_flag = true)]
    Ab {
        /// For example --run '1000' -- clang++ -O3 --cuda-gpu-arch=sm_90 prog.cu -lcudart_static; see --help
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Measure: the corpus on a GPU, or what the plug-in costs a compile
    Bench(bench::Arguments),
    /// Compare the IR and gates that this tree's plug-in makes with those of another one
    Same(same::Arguments),
    /// Compare every kernel as the plug-in leaves it with what clang alone makes, byte for byte
    Identity(identity::Arguments),
    /// Measure the source: circles among files, fields, numbers, words, long functions
    House(house::Arguments),
    /// Measure a fitted number again: which kernels hang on it, and what other values gain
    Tune(tune::Arguments),
    /// Write the folder of a new transformation, and tests that fail until it is one
    NewTransform {
        /// For example loop_fission
        name: String,
    },
    /// Build, and copy what users need below a prefix
    Install {
        /// For example /usr/local, or ~/.local
        #[arg(long)]
        prefix: std::path::PathBuf,
    },
    /// Build a Debian package and a tarball in target/package
    Package,
    /// Build the documentation as a book in target/site/html, and check its links
    Site,
    /// Write the golden PTX anew
    Bless,
    /// Compare random kernels before and after the plug-in; arguments go to mesi-fuzz
    Fuzz {
        /// For example --count 2000 --seed 1 --jobs 2
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

fn main() -> ExitCode {
    mesi_pipes::end_with_reader();
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One line: the outermost message first, each cause after a colon.
            eprintln!("error: {}", format!("{error:#}").replace('\n', " "));
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Setup => {
            let tools = setup::setup()?;
            println!(
                "{}\nLLVM {}\nCUDA {}",
                tools.clang_version,
                tools.llvm.display(),
                tools.cuda.display()
            );
            Ok(())
        }
        Task::Demo(arguments) => demo::demo(&arguments),
        Task::Test => test::test(),
        Task::Oracle(arguments) => cpu::oracle(&arguments),
        Task::Bench(arguments) => bench::bench(&arguments),
        Task::Ab { .. } => match ab::ab()? {},
        Task::Same(arguments) => same::same(&arguments),
        Task::Identity(arguments) => identity::identity(&arguments),
        Task::House(arguments) => house::house(&arguments),
        Task::Tune(arguments) => tune::tune(&arguments),
        Task::NewTransform { name } => new_transform::new_transform(&name),
        Task::Install { prefix } => install::install(&prefix),
        Task::Package => install::package(),
        Task::Site => site::site(),
        Task::Bless => test::bless(),
        Task::Fuzz { arguments } => fuzz(&arguments),
    }
}

fn fuzz(arguments: &[String]) -> Result<()> {
    let tools = setup::setup()?;
    let mut build = building::cargo("build --quiet --package mesi --package mesi-fuzz --profile");
    project::run(building::with(&tools, build.arg(building::PROFILE)))?;
    let mut fuzz = building::cargo("run --quiet --package mesi-fuzz --profile");
    fuzz.args([building::PROFILE, "--"]).args(arguments);
    project::run(building::with(&tools, &mut fuzz))
}
