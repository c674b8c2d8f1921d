//! The examples of README and of the pages for users, run word for word.
//!
//! A fenced block says what it is: `sh` is run line by line, `console` is a transcript whose output must
//! come, `cmake` is configured in a project, `text` is no example. What cannot be run here says why behind
//! `sh`, and stands in `NOT_RUN`.

mod support;

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use support::{cuda, ended, folder, llvm, prefix, programs};

/// The pages whose examples are run.
const PAGES: &[&str] = &[
    "README.md",
    "docs/nvcc.md",
    "docs/packages.md",
    "docs/beside.md",
    "docs/using.md",
];

/// Blocks that are not run: page, first line, and what they need that tests have not.
const NOT_RUN: &[(&str, &str, &str)] = &[
    (
        "README.md",
        "apt install ./mesi_0.1.0_amd64.deb python3-pip",
        "needs-root",
    ),
    ("README.md", "cargo xtask demo", "minutes"),
    ("README.md", "mesi ab program.cu", "needs-gpu"),
    (
        "docs/packages.md",
        "apt install ./mesi_0.1.0_amd64.deb python3-pip",
        "needs-root",
    ),
];

/// What a block may need.
const NEEDS: &[&str] = &["needs-root", "needs-gpu", "minutes"];

/// A fenced block.
struct Block {
    page: &'static str,
    line: usize,
    info: String,
    text: String,
}

impl Block {
    fn place(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }
}

fn blocks(page: &'static str) -> Vec<Block> {
    let text = std::fs::read_to_string(folder("../..").join(page)).unwrap();
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (at, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => {
                open = Some(Block {
                    page,
                    line: at + 1,
                    info: info.to_string(),
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (None, Some(block)) => block.text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{page}: a block is not closed");
    found
}

/// A folder of a user's files, and a shell as the package leaves it: `mesi`, `clang++-22` and `opt-22` in `PATH`,
/// the plug-in where the loader looks.
struct User {
    folder: tempfile::TempDir,
    home: tempfile::TempDir,
}

impl User {
    fn new() -> Self {
        let (folder_, home) = (programs(&["sgemm.cu"]), tempfile::tempdir().unwrap());
        let write = |name: &str, text: &str| std::fs::write(folder_.path().join(name), text);
        let rename =
            |to: &str| std::fs::copy(folder_.path().join("sgemm.cu"), folder_.path().join(to));
        rename("program.cu").unwrap();
        rename("kernel.cu").unwrap();
        std::fs::remove_file(folder_.path().join("sgemm.cu")).unwrap();
        write(
            "Makefile",
            "made: program.cu\n\t$(NVCC) -arch=sm_80 $< -o $@\n",
        )
        .unwrap();
        let project = "cmake_minimum_required(VERSION 3.20)\nproject(own LANGUAGES CUDA)\n\
                       add_executable(my_target program.cu)\n";
        write("CMakeLists.txt", project).unwrap();
        let module = folder("../../llvm-tests/tree/guards.ll");
        std::fs::copy(module, folder_.path().join("kernel.ll")).unwrap();
        prefix(home.path());
        let bin = home.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        for tool in ["clang++", "opt"] {
            symlink(
                llvm().join("bin").join(tool),
                bin.join(format!("{tool}-22")),
            )
            .unwrap();
        }
        Self {
            folder: folder_,
            home,
        }
    }

    fn shell(&self, line: &str) -> Command {
        let mut shell = Command::new("bash");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let own = ["prefix/bin", "bin"].map(|f| self.home.path().join(f));
        let path = own.into_iter().chain(std::env::split_paths(&path));
        let prefix = self.home.path().join("prefix");
        shell
            .args(["-euo", "pipefail", "-c", line])
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .env("PATH", std::env::join_paths(path).unwrap())
            .env("LD_LIBRARY_PATH", prefix.join("lib"))
            .env("CMAKE_PREFIX_PATH", prefix)
            .env("HOME", self.home.path())
            .env("CUDA_PATH", cuda())
            .env("LLVM_SYS_221_PREFIX", llvm());
        shell
    }

    /// Runs each line of a block; a line that fails is the error.
    fn run(&self, block: &Block) {
        // A build folder of another block must not stand in for this one's.
        let _ = std::fs::remove_dir_all(self.folder.path().join("build"));
        for line in block.text.lines() {
            let (status, out, err) = ended(&mut self.shell(line));
            assert_eq!(status, 0, "{}: {line}\n{out}{err}", block.place());
        }
    }

    /// Runs the lines behind `$ ` and compares what they print with what stands below them.
    fn compare(&self, block: &Block) {
        for (command, want) in transcript(&block.text) {
            if let Some(file) = command.strip_prefix("cat ")
                && !self.folder.path().join(file).exists()
            {
                std::fs::write(self.folder.path().join(file), want).unwrap();
                continue;
            }
            let (status, out, err) = ended(&mut self.shell(&command));
            assert_eq!(status, 0, "{}: {command}\n{out}{err}", block.place());
            let said = words(&format!("{out}{err}"));
            // A last line of three dots stands for what the page leaves out.
            let (want, more) = match want.strip_suffix("...\n") {
                Some(first) => (words(first), true),
                None => (words(&want), false),
            };
            let same = said == want || (more && said.starts_with(&want));
            assert!(same, "{}: {command} prints\n{out}{err}", block.place());
        }
    }

    /// Configures a project whose text is a common beginning and the block.
    fn configure(&self, block: &Block) {
        let file = self.folder.path().join("CMakeLists.txt");
        let before = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{before}{}", block.text)).unwrap();
        let line = "cmake -B own -DCMAKE_CUDA_COMPILER=mesi-nvcc";
        let (status, out, err) = ended(&mut self.shell(line));
        assert_eq!(status, 0, "{}: {out}{err}", block.place());
        assert!(!err.contains("Warning"), "{}: {err}", block.place());
        std::fs::write(&file, before).unwrap();
    }
}

/// Commands and what a page says that they print.
fn transcript(text: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => all.push((command.to_string(), String::new())),
            (None, Some((_, output))) => *output += &format!("{line}\n"),
            (None, None) => panic!("a transcript begins with $, not with {line}"),
        }
    }
    all
}

/// Words, since pages break long lines; the source lines that clang shows below a remark are left out.
fn words(text: &str) -> Vec<String> {
    let is_source = |line: &str| {
        let rest = line
            .trim_start()
            .trim_start_matches(|c: char| c.is_ascii_digit());
        line.starts_with(' ') && rest.trim_start().starts_with("| ")
    };
    let lines = text.lines().filter(|l| !is_source(l));
    lines
        .flat_map(str::split_whitespace)
        .map(String::from)
        .collect()
}

#[test]
fn examples_do_what_the_pages_say() {
    let user = User::new();
    for block in PAGES.iter().flat_map(|p| blocks(p)) {
        match block.info.as_str() {
            "sh" => user.run(&block),
            "console" => user.compare(&block),
            "cmake" => user.configure(&block),
            // Text, and what cannot be run.
            _ => {}
        }
    }
    // `mesi nvcc`, make and clang left what they were asked for.
    for file in ["program", "made", "kernel.o", "sgemm.o"] {
        assert!(Path::new(user.folder.path()).join(file).exists(), "{file}");
    }
}

#[test]
fn each_block_says_what_it_is_and_those_that_are_not_run_are_known() {
    let mut not_run = Vec::new();
    for block in PAGES.iter().flat_map(|p| blocks(p)) {
        match block.info.split_once(' ') {
            Some(("sh", need)) if NEEDS.contains(&need) => {
                let first = block.text.lines().next().unwrap_or("");
                let first = first.split(" #").next().unwrap_or("").trim_end();
                not_run.push((block.page, first.to_string(), need.to_string()));
            }
            None if ["sh", "console", "cmake", "text"].contains(&block.info.as_str()) => {}
            _ => panic!(
                "{}: ```{}: say sh, console, cmake or text, and behind sh one of {NEEDS:?} if it cannot be run",
                block.place(),
                block.info
            ),
        }
    }
    let known: Vec<_> = NOT_RUN
        .iter()
        .map(|(page, line, need)| (*page, line.to_string(), need.to_string()))
        .collect();
    assert_eq!(not_run, known, "the list NOT_RUN of this test is another");
}
