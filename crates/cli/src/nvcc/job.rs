//! What is to be done, and the steps that do it.

use std::path::{Path, PathBuf};

use super::arch::Target;
use super::overlay::Copies;
use super::request::Request;
use crate::tools::Tools;

/// One command.
#[derive(Debug, Clone)]
pub struct Command {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}

impl Command {
    /// A command of these words.
    pub fn new(program: impl Into<PathBuf>, arguments: Vec<String>) -> Self {
        Self {
            program: program.into(),
            arguments,
        }
    }
}

/// One step.
#[derive(Debug, Clone)]
pub enum Step {
    /// Compile a file; where the first command fails, the others are tried.
    Compile {
        /// The file.
        source: String,
        /// clang's commands, the preferred first.
        clang: Vec<Command>,
        /// The files that clang has to read otherwise.
        copies: Copies,
        /// nvcc's, where there is one and it may be used.
        nvcc: Option<Command>,
    },
    /// Anything else: it has to succeed.
    Run(Command),
    /// Copy a file: outputs of `-keep`.
    Copy(PathBuf, PathBuf),
}

/// Everything that a plan needs to know.
pub struct Job<'j> {
    /// What is asked for.
    pub request: &'j Request,
    /// With what.
    pub tools: &'j Tools,
    /// For which chips.
    pub targets: &'j [Target],
    /// Where intermediate files go.
    pub scratch: &'j Path,
}
