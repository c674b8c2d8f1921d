//! Reads the user's compile command, far enough to send its outputs elsewhere and to translate it.
//!
//! An argument that is not known is kept where it stands: clang, not this file, knows its options.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::exit::{Exit, stop};

/// One argument, with its value where that is the next word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// A source, object or library file.
    Input(String),
    /// A flag in one word.
    Flag(String),
    /// A flag and its value.
    Pair(String, String),
}

impl Argument {
    /// The words it was made of.
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::Input(w) | Self::Flag(w) => vec![w.clone()],
            Self::Pair(f, v) => vec![f.clone(), v.clone()],
        }
    }
}

/// A compile command without its outputs.
#[derive(Debug, Clone)]
pub struct Command {
    /// The words up to and with the compiler.
    pub head: Vec<String>,
    /// The rest.
    pub arguments: Vec<Argument>,
    /// Whether it makes an executable.
    pub links: bool,
    /// What the program is called.
    pub program: String,
    /// One line for each thing that was left out.
    pub notes: Vec<String>,
}

/// Flags whose value is the next word.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-x",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-Xlinker",
    "-Xclang",
    "-Xpreprocessor",
    "-Xassembler",
    "-mllvm",
    "-Xarch_device",
    "-Xarch_host",
    "-Xcuda-ptxas",
    "-Xcuda-fatbinary",
    "-Xoffload-linker",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-target",
    "--target",
    "-T",
    "-u",
    "-z",
    "-e",
    "-rpath",
    "-arch",
    "--param",
    "--serialize-diagnostics",
    "-dependency-file",
    "--cuda-path",
    "--cuda-gpu-arch",
    "--offload-arch",
    "--output",
    "-F",
    "-framework",
];
/// Flags that stop before linking.
const COMPILES_ONLY: &[&str] = &[
    "-c",
    "-S",
    "-emit-llvm",
    "--cuda-device-only",
    "--compile",
    "--assemble",
];
/// Flags after which there is nothing to compare.
const MAKES_NOTHING: &[&str] = &[
    "-E",
    "-M",
    "-MM",
    "-fsyntax-only",
    "--preprocess",
    "-###",
    "--version",
    "--analyze",
];
/// Flags that write beside the output or into the current folder, and change no code.
const SIDE_OUTPUTS: &[&str] = &[
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
    "-save-temps",
    "--save-temps",
    "-MV",
];
const SIDE_PREFIXES: &[&str] = &[
    "-save-temps=",
    "--save-temps=",
    "-ftime-trace",
    "-fsave-optimization-record",
    "-foptimization-record-",
];
const SIDE_PAIRS: &[&str] = &[
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "--serialize-diagnostics",
    "-dependency-file",
];

/// Reads `words`; response files (`@file`) are opened.
pub fn parse(words: &[String]) -> Result<Command> {
    let words = expand(words)?;
    let usage = |m: String| stop(Exit::Usage, m);
    if words.is_empty() {
        return Err(usage("no compile command after `--`, for example: -- clang++ -O3 --cuda-gpu-arch=sm_90 prog.cu -lcudart_static -o prog".into()));
    }
    let at = words.iter().position(|w| is_clang(w)).ok_or_else(|| {
        usage(format!("`{}` is no clang: the plug-in is for clang 22, so give clang's command (nvcc's is made from it)", words[0]))
    })?;
    let mut command = Command {
        head: words[..=at].to_vec(),
        arguments: Vec::new(),
        links: true,
        program: String::new(),
        notes: Vec::new(),
    };
    let mut output = None;
    for argument in group(&words[at + 1..])? {
        if let Some(o) = output_of(&argument) {
            output = Some(o);
        } else if let Some(flag) = side_output(&argument) {
            command
                .notes
                .push(format!("`{flag}` is left out: it writes files of its own"));
        } else {
            check(&argument)?;
            command.links &=
                !matches!(&argument, Argument::Flag(f) if COMPILES_ONLY.contains(&f.as_str()));
            command.arguments.push(argument);
        }
    }
    let first = command.arguments.iter().find_map(|a| match a {
        Argument::Input(i) => Some(i.clone()),
        _ => None,
    });
    let first = first.ok_or_else(|| usage("the command names no source file".into()))?;
    let stem = |p: &str, whole| {
        let p = Path::new(p);
        if whole { p.file_name() } else { p.file_stem() }.map(|s| s.to_string_lossy().into_owned())
    };
    command.program = output
        .and_then(|o| stem(&o, command.links))
        .or_else(|| stem(&first, false))
        .unwrap_or_else(|| "program".into());
    Ok(command)
}

impl Command {
    /// The source files, as they were given.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().filter_map(|a| match a {
            Argument::Input(i) if !is_linked(i) => Some(i.as_str()),
            _ => None,
        })
    }

    /// The value of `--cuda-path`.
    pub fn cuda_path(&self) -> Option<PathBuf> {
        self.arguments.iter().find_map(|a| match a {
            Argument::Flag(f) => f.strip_prefix("--cuda-path=").map(PathBuf::from),
            Argument::Pair(f, v) if f == "--cuda-path" => Some(PathBuf::from(v)),
            _ => None,
        })
    }
}

/// Objects and libraries, which only the linker reads.
pub fn is_linked(input: &str) -> bool {
    let extension = Path::new(input)
        .extension()
        .map(|e| e.to_string_lossy().into_owned());
    input.contains(".so.") || matches!(extension.as_deref(), Some("o" | "a" | "so" | "obj" | "lo"))
}

fn is_clang(word: &str) -> bool {
    let name = Path::new(word)
        .file_name()
        .map(|n| n.to_string_lossy().into_owned());
    name.is_some_and(|n| {
        let last = n
            .rsplit_once("-clang")
            .map_or(n.clone(), |(_, rest)| format!("clang{rest}"));
        let tail = last
            .strip_prefix("clang")
            .map(|t| t.trim_start_matches('+'));
        tail.is_some_and(|t| {
            t.is_empty()
                || t.strip_prefix('-')
                    .is_some_and(|v| v.starts_with(|c: char| c.is_ascii_digit()))
        })
    })
}

fn group(words: &[String]) -> Result<Vec<Argument>> {
    let mut arguments = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        arguments.push(if WITH_VALUE.contains(&word.as_str()) {
            let value = words
                .next()
                .ok_or_else(|| stop(Exit::Usage, format!("`{word}` lacks its value")))?;
            Argument::Pair(word.clone(), value.clone())
        } else if word.starts_with('-') && word.len() > 1 {
            Argument::Flag(word.clone())
        } else {
            Argument::Input(word.clone())
        });
    }
    Ok(arguments)
}

fn output_of(argument: &Argument) -> Option<String> {
    match argument {
        Argument::Pair(f, v) if f == "-o" || f == "--output" => Some(v.clone()),
        Argument::Flag(f) => f
            .strip_prefix("--output=")
            .or_else(|| f.strip_prefix("-o").filter(|rest| !rest.starts_with("bjc")))
            .map(String::from),
        _ => None,
    }
}

fn side_output(argument: &Argument) -> Option<&str> {
    match argument {
        Argument::Flag(f) => (SIDE_OUTPUTS.contains(&f.as_str())
            || SIDE_PREFIXES.iter().any(|p| f.starts_with(p)))
        .then_some(f),
        Argument::Pair(f, _) => SIDE_PAIRS.contains(&f.as_str()).then_some(f),
        Argument::Input(_) => None,
    }
}

fn check(argument: &Argument) -> Result<()> {
    let text = argument.words().join(" ");
    let message = match argument {
        Argument::Flag(f) if MAKES_NOTHING.contains(&f.as_str()) => {
            format!("`{text}` makes no code: there is nothing to compare")
        }
        Argument::Input(i) if i == "-" => {
            "a source on standard input can be read only once: give it as a file".into()
        }
        _ if text.contains("-fpass-plugin") || text.contains("-mesi-") => {
            format!(
                "`{text}`: give the command without the plug-in, this tool adds it (options of the plug-in go into the environment, as MESI_STRIP=16)"
            )
        }
        _ => return Ok(()),
    };
    Err(stop(Exit::Usage, message))
}

fn expand(words: &[String]) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for word in words {
        let Some(file) = word.strip_prefix('@') else {
            all.push(word.clone());
            continue;
        };
        let text = std::fs::read_to_string(file).map_err(|e| {
            stop(
                Exit::Usage,
                format!("response file {file} cannot be read: {e}"),
            )
        })?;
        let inner = shlex::split(&text).ok_or_else(|| {
            stop(
                Exit::Usage,
                format!("response file {file} has an unclosed quote"),
            )
        })?;
        all.extend(inner);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command> {
        parse(&shlex::split(line).unwrap())
    }

    fn words(c: &Command) -> String {
        c.arguments
            .iter()
            .flat_map(Argument::words)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn the_output_is_taken_out_and_names_the_program() {
        for (line, program) in [
            ("clang++ -O3 a.cu -o bin/mm", "mm"),
            ("clang++ -O3 a.cu -obin/mm.exe", "mm.exe"),
            ("clang++ -O3 a.cu --output=mm", "mm"),
            ("clang++ -O3 dir/a.cu", "a"),
        ] {
            let c = read(line).unwrap();
            assert_eq!(c.program, program, "{line}");
            assert!(words(&c).ends_with("a.cu") && c.links, "{line}");
        }
        let c =
            read("ccache /usr/bin/x86_64-linux-gnu-clang++-22 -I inc -c a.cu b.cu -o x.o").unwrap();
        assert_eq!(c.head.len(), 2);
        assert_eq!(
            (c.links, c.sources().count(), c.program.as_str()),
            (false, 2, "x")
        );
        assert_eq!(c.arguments[0], Argument::Pair("-I".into(), "inc".into()));
    }

    #[test]
    fn what_writes_other_files_is_left_out_and_said() {
        let c = read("clang++ -MMD -MF a.d -save-temps=obj -O2 a.cu").unwrap();
        assert_eq!(words(&c), "-O2 a.cu");
        assert_eq!(c.notes.len(), 3);
    }

    #[test]
    fn wrong_commands_say_why() {
        for (line, expected) in [
            ("", "no compile command"),
            ("nvcc a.cu", "no clang"),
            ("clang-format a.cu", "no clang"),
            ("clang++ -O3", "no source"),
            ("clang++ a.cu -o", "lacks its value"),
            ("clang++ -E a.cu", "nothing to compare"),
            (
                "clang++ -fpass-plugin=libmesi.so a.cu",
                "without the plug-in",
            ),
            ("clang++ -mllvm -mesi-force a.cu", "without the plug-in"),
            ("clang++ -x cuda -", "standard input"),
            ("clang++ @/no/such.rsp", "cannot be read"),
        ] {
            let error = read(line).unwrap_err();
            assert!(error.to_string().contains(expected), "{line}: {error}");
            assert_eq!(crate::exit::status(&error), Exit::Usage);
        }
    }

    #[test]
    fn response_files_are_opened() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.rsp");
        std::fs::write(&file, "-O3 'my file.cu'\n-o out\n").unwrap();
        let c = parse(&["clang++".into(), format!("@{}", file.display())]).unwrap();
        assert_eq!(
            (words(&c).as_str(), c.program.as_str()),
            ("-O3 my file.cu", "out")
        );
    }
}
