//! nvcc's command line as a list of options and files.
//!
//! The rules are nvcc's: values behind a space or `=`, lists split at commas, response files by
//! `--options-file`, and `NVCC_PREPEND_FLAGS` and `NVCC_APPEND_FLAGS` around it all.

use anyhow::{Context, Result, bail};

use super::options::{self, Duty, Known, Takes};

/// One thing on the command line.
#[derive(Debug, Clone)]
pub enum Word {
    /// A file.
    File(String),
    /// An option and its value, which is empty where it takes none.
    Option(&'static Known, String),
    /// An option that nvcc does not have either.
    Unknown(String),
}

/// Splits what stands in a variable or a response file: white space separates, quotes and
/// backslashes keep together.
pub fn split_line(text: &str) -> Vec<String> {
    split(text, char::is_whitespace, false)
        .into_iter()
        .filter(|w| !w.is_empty())
        .collect()
}

/// Splits a value at its commas; those in quotes or behind a backslash stay.
pub fn split_list(text: &str) -> Vec<String> {
    split(text, |c| c == ',', true)
        .into_iter()
        .filter(|w| !w.is_empty())
        .collect()
}

/// Quotes hold together what separates. In a list they go where they wrap a whole element only, and a backslash before
/// anything but a comma stays: `NAME="text"` keeps its quotes.
fn split(text: &str, separates: impl Fn(char) -> bool, list: bool) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let word = words.last_mut().expect("never empty");
        match (c, quote) {
            ('\\', _)
                if characters
                    .peek()
                    .is_some_and(|n| !list || *n == ',' || *n == '"') =>
            {
                word.extend(characters.next());
            }
            (c, Some(q)) if c == q => {
                quote = None;
                if list {
                    word.push(c);
                }
            }
            ('"' | '\'', None) if !list || c == '"' => {
                quote = Some(c);
                if list {
                    word.push(c);
                }
            }
            (c, None) if separates(c) => words.push(String::new()),
            (c, _) => word.push(c),
        }
    }
    if list {
        for word in &mut words {
            if let Some(inner) = word.strip_prefix('"').and_then(|w| w.strip_suffix('"')) {
                *word = inner.to_string();
            }
        }
    }
    words
}

/// The whole command line: the variables' words around `given`, response files opened.
pub fn read(given: &[String], prepend: Option<&str>, append: Option<&str>) -> Result<Vec<Word>> {
    let mut all = prepend.map(split_line).unwrap_or_default();
    all.extend_from_slice(given);
    all.extend(append.map(split_line).unwrap_or_default());
    let mut words = Vec::new();
    parse(&all, &mut words, 0)?;
    Ok(words)
}

fn parse(all: &[String], words: &mut Vec<Word>, depth: usize) -> Result<()> {
    let mut rest = all.iter();
    while let Some(word) = rest.next() {
        if !word.starts_with('-') || word == "-" {
            words.push(Word::File(word.clone()));
            continue;
        }
        let Some((known, attached)) = options::find(word) else {
            words.push(Word::Unknown(word.clone()));
            continue;
        };
        let value = match (known.takes, attached) {
            (Takes::Nothing, None) => String::new(),
            (Takes::Nothing, Some(_)) => bail!("{} takes no value: write it alone", shown(known)),
            (_, Some(value)) => value.trim_start_matches('=').to_string(),
            (_, None) => rest
                .next()
                .with_context(|| format!("{} wants a value behind it", shown(known)))?
                .clone(),
        };
        if known.takes == Takes::Switch && !["true", "false"].contains(&value.as_str()) {
            bail!("{}={value}: write true or false", shown(known));
        }
        if let Duty::Refused(why) = known.duty {
            bail!("{} is not supported: {why}", shown(known));
        }
        if known.long == "options-file" {
            for file in split_list(&value) {
                open(&file, words, depth)?;
            }
            continue;
        }
        words.push(Word::Option(known, value));
    }
    Ok(())
}

fn open(file: &str, words: &mut Vec<Word>, depth: usize) -> Result<()> {
    if depth > 8 {
        bail!("--options-file {file}: such files name each other");
    }
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("--options-file {file}: cannot be read"))?;
    parse(&split_line(&text), words, depth + 1)
}

/// An option as a user writes it.
pub fn shown(known: &Known) -> String {
    if known.short == known.long {
        format!("--{}", known.long)
    } else {
        format!("-{}", known.short)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvcc::options::KNOWN;

    fn words(line: &str) -> Vec<Word> {
        read(&split_line(line), None, None).unwrap()
    }

    fn error(line: &str) -> String {
        format!("{:#}", read(&split_line(line), None, None).unwrap_err())
    }

    /// What nvcc 13.0 makes of the same words, tried on it.
    #[test]
    fn lists_are_split_as_nvcc_splits_them() {
        assert_eq!(split_list("-Wl,-rpath,/x"), ["-Wl", "-rpath", "/x"]);
        assert_eq!(split_list(r"-Wl\,-x"), ["-Wl,-x"]);
        assert_eq!(split_list("\"-O3,-g\""), ["-O3,-g"]);
        assert_eq!(split_list("NAME=\"foo\""), ["NAME=\"foo\""]);
        assert_eq!(split_list(r#"NAME=\"foo\""#), ["NAME=\"foo\""]);
        assert_eq!(split_list("A=1,B=2"), ["A=1", "B=2"]);
    }

    #[test]
    fn values_stand_behind_a_space_or_a_sign_or_a_letter() {
        for line in ["-O3", "-O 3", "-O=3", "--optimize 3", "--optimize=3"] {
            let [Word::Option(known, value)] = &words(line)[..] else {
                panic!("{line}")
            };
            assert_eq!((known.long, value.as_str()), ("optimize", "3"), "{line}");
        }
        assert!(matches!(&words("-ofoo.o")[..], [Word::Unknown(w)] if w == "-ofoo.o"));
        assert!(matches!(&words("--g")[..], [Word::Unknown(_)]));
    }

    #[test]
    fn wrong_values_are_one_line() {
        assert_eq!(error("-o"), "-o wants a value behind it");
        assert_eq!(error("-rdc=yes"), "-rdc=yes: write true or false");
        assert_eq!(
            error("-lineinfo=true"),
            "-lineinfo takes no value: write it alone"
        );
    }

    #[test]
    fn each_option_of_the_table_is_taken_or_refused_in_one_line() {
        for known in KNOWN {
            let value = match known.takes {
                Takes::Nothing => "",
                Takes::Switch => "=true",
                Takes::Value | Takes::List => "=/dev/null",
            };
            for name in [format!("--{}", known.long), format!("-{}", known.short)] {
                let read = read(&[format!("{name}{value}")], None, None);
                match known.duty {
                    Duty::Refused(why) => {
                        let line = format!("{:#}", read.unwrap_err());
                        assert!(line.ends_with(why) && !line.contains('\n'), "{line}");
                    }
                    _ => assert!(read.is_ok(), "{name}"),
                }
            }
        }
    }

    #[test]
    fn the_document_counts_them_right() {
        let count = |is: fn(&Duty) -> bool| KNOWN.iter().filter(|k| is(&k.duty)).count();
        let honoured = count(|d| matches!(d, Duty::Honoured));
        let without = count(|d| matches!(d, Duty::Without(_)));
        let line = format!(
            "Of nvcc's {} options {honoured} do here what they do there, {without} are accepted and change nothing, {} are refused",
            KNOWN.len(),
            KNOWN.len() - honoured - without
        );
        let page = include_str!("../../../../docs/nvcc.md");
        assert!(page.contains(&line), "docs/nvcc.md does not say: {line}");
    }

    #[test]
    fn the_variables_stand_around_the_words() {
        let words = read(&["b.cu".into()], Some("-O2 'a c.cu'"), Some("-g")).unwrap();
        let shown: Vec<String> = words
            .iter()
            .map(|w| match w {
                Word::File(f) => f.clone(),
                Word::Option(k, v) => format!("{}={v}", k.short),
                Word::Unknown(u) => u.clone(),
            })
            .collect();
        assert_eq!(shown, ["O=2", "a c.cu", "b.cu", "g="]);
    }

    #[test]
    fn response_files_are_opened_and_may_not_name_themselves() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.rsp");
        std::fs::write(&file, "-I\"/a b\" -DX=1\nk.cu").unwrap();
        assert_eq!(
            words(&format!("--options-file {}", file.display())).len(),
            3
        );
        std::fs::write(&file, format!("-optf {}", file.display())).unwrap();
        assert!(
            error(&format!("-optf {}", file.display())).ends_with("such files name each other")
        );
    }
}
