//! clang's optimization record, as far as the plug-in wrote it.

use anyhow::{Context, Result};
use serde::Serialize;
use yaml_rust2::{Yaml, YamlLoader};

/// What a remark says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Kind {
    /// Something was done.
    Passed,
    /// Something was refused.
    Missed,
    /// Something worth knowing.
    Analysis,
}

/// One remark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// What it says.
    pub kind: Kind,
    /// Its name; a refusal's reason.
    pub name: String,
    /// The kernel's symbol.
    pub function: String,
    /// The array it is about; empty where it is the kernel.
    pub array: String,
    /// The message.
    pub text: String,
    /// The source file, where it is known.
    pub file: Option<String>,
    /// Its line; 0 where it is not known.
    pub line: usize,
    /// Its column.
    pub column: usize,
}

/// The plug-in's remarks, in the record's order.
pub fn parse(record: &str) -> Result<Vec<Remark>> {
    let mut remarks = Vec::new();
    // Each document opens with `--- !Kind`; the kind is a tag, which a YAML loader drops.
    for document in record.split("--- !").skip(1) {
        let (kind, body) = document.split_once('\n').unwrap_or((document, ""));
        let kind = match kind.trim() {
            "Passed" => Kind::Passed,
            "Missed" => Kind::Missed,
            "Analysis" => Kind::Analysis,
            _ => continue,
        };
        let body = body.split("\n...").next().unwrap_or(body);
        if !body.contains("mesi") {
            continue;
        }
        let yaml = YamlLoader::load_from_str(body).context("it is no YAML")?;
        let Some(remark) = yaml.first().filter(|r| r["Pass"].as_str() == Some("mesi")) else {
            continue;
        };
        remarks.push(one(kind, remark));
    }
    Ok(remarks)
}

fn one(kind: Kind, remark: &Yaml) -> Remark {
    let arguments = remark["Args"].as_vec().map_or(&[][..], Vec::as_slice);
    let argument = |name: &str| arguments.iter().find_map(|a| text(&a[name]));
    let place = &remark["DebugLoc"];
    let number = |name: &str| usize::try_from(place[name].as_i64().unwrap_or(0)).unwrap_or(0);
    Remark {
        kind,
        name: text(&remark["Name"]).unwrap_or_default(),
        function: text(&remark["Function"]).unwrap_or_default(),
        array: argument("Array").unwrap_or_default(),
        text: arguments.iter().filter_map(first_value).collect(),
        file: text(&place["File"]),
        line: number("Line"),
        column: number("Column"),
    }
}

fn first_value(argument: &Yaml) -> Option<String> {
    let (_, value) = argument.as_hash()?.iter().next()?;
    text(value)
}

/// A scalar as text; an array may be called `1` or `y`, which YAML takes for other types.
fn text(value: &Yaml) -> Option<String> {
    match value {
        Yaml::String(s) | Yaml::Real(s) => Some(s.clone()),
        Yaml::Integer(i) => Some(i.to_string()),
        Yaml::Boolean(b) => Some(b.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_of_the_plug_in_are_read_and_others_are_not() {
        let record = "\
--- !Missed
Pass:            mesi
Name:            OnlyStored
DebugLoc:        { File: 'a b.cu', Line: 12, Column: 26 }
Function:        _Z5sgemmPf
Args:
  - String:          'not staged: '''
  - Array:           y
  - String:          ''' in '
  - Kernel:          sgemm
  - String:          ': it is only written (OnlyStored)'
...
--- !Passed
Pass:            inline
Name:            Inlined
Function:        _Z5sgemmPf
...
";
        let all = parse(record).unwrap();
        let [remark] = &all[..] else {
            panic!("{all:?}")
        };
        assert_eq!(
            remark.text,
            "not staged: 'y' in sgemm: it is only written (OnlyStored)"
        );
        assert_eq!(remark.file.as_deref(), Some("a b.cu"));
        assert_eq!((remark.line, remark.array.as_str()), (12, "y"));
        assert_eq!(parse("").unwrap(), []);
    }
}
