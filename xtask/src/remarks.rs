//! Reads the plug-in's remarks from LLVM's optimization record (YAML).

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use mesi_launch::{Arg, Corpus, Size};
use yaml_rust2::{Yaml, YamlLoader};

/// One array's verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Argument, field or global; empty where the kernel as a whole is meant.
    pub array: String,
    /// `None` if staged, else the refusal's name.
    pub missed: Option<String>,
    /// The whole message.
    pub text: String,
}

/// The header's name of each array as the plug-in calls it where clang has dropped source names:
/// `arg1` for the second parameter, `arg0+8` for the pointer at byte 8 of a by-value struct.
pub fn names(kernel: &Corpus) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let cases = kernel.cases(Size::Large);
    let arguments = cases.first().map_or(&[][..], |case| &case.args);
    for (i, argument) in arguments.iter().enumerate() {
        if let Arg::Struct { fields, .. } = argument {
            for (offset, field) in fields {
                names.insert(format!("arg{i}+{offset}"), field.name().to_string());
            }
        }
        names.insert(format!("arg{i}"), argument.name().to_string());
    }
    names
}

/// All verdicts of a record, in its order; analysis remarks are left out.
pub fn parse(record: &str, names: &BTreeMap<String, String>) -> Result<Vec<Remark>> {
    let mut remarks = Vec::new();
    // Each document opens with `--- !Kind`; the kind is a tag, which a YAML loader drops.
    for document in record.split("--- !").skip(1) {
        let (kind, body) = document.split_once('\n').unwrap_or((document, ""));
        let body = body.split("\n...").next().unwrap_or(body);
        let kind = kind.trim();
        if kind == "Analysis" {
            continue;
        }
        let yaml =
            YamlLoader::load_from_str(body).context("clang's optimization record is no YAML")?;
        let Some(remark) = yaml.first() else { continue };
        let name = remark["Name"].as_str().unwrap_or("?").to_string();
        let arguments = remark["Args"].as_vec().map_or(&[][..], Vec::as_slice);
        let array = arguments
            .iter()
            .find_map(|a| text(&a["Array"]))
            .unwrap_or_default();
        remarks.push(Remark {
            array: names.get(&array).cloned().unwrap_or(array),
            missed: (kind != "Passed").then_some(name),
            text: arguments.iter().filter_map(first_value).collect(),
        });
    }
    Ok(remarks)
}

fn first_value(argument: &Yaml) -> Option<String> {
    argument
        .as_hash()?
        .iter()
        .next()
        .and_then(|(_, value)| text(value))
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

    const RECORD: &str = "\
--- !Passed
Pass:            mesi
Name:            Staged
DebugLoc:        { File: mm.cu, Line: 8, Column: 9 }
Function:        _Z2mmPf
Args:
  - String:          'staged '''
  - Array:           A
  - String:          ''': '
  - SharedBytes:     '1088'
  - String:          ' bytes of shared memory'
...
--- !Analysis
Pass:            mesi
Name:            Plan
Function:        _Z2mmPf
Args:
  - String:          'chosen'
...
--- !Missed
Pass:            mesi
Name:            OnlyStored
Function:        _Z2mmPf
Args:
  - String:          'not staged: '''
  - Array:           C
...
";

    #[test]
    fn verdicts_are_read_and_analysis_is_not() {
        let remarks = parse(RECORD, &BTreeMap::new()).unwrap();
        assert_eq!(remarks.len(), 2);
        assert_eq!(
            (remarks[0].array.as_str(), &remarks[0].missed),
            ("A", &None)
        );
        assert_eq!(remarks[0].text, "staged 'A': 1088 bytes of shared memory");
        assert_eq!(
            (remarks[1].array.as_str(), remarks[1].missed.as_deref()),
            ("C", Some("OnlyStored"))
        );
    }

    #[test]
    fn an_empty_record_has_no_verdicts() {
        assert_eq!(parse("", &BTreeMap::new()).unwrap(), []);
    }

    #[test]
    fn arguments_get_the_headers_names() {
        let text = "// ```toml\n// kernel = \"mm\"\n// arg = [\n//   { name = \"S\", fields = [\n//     { type = \"i32\", value = 1 },\n//     { name = \"S.data\", type = \"f32\", count = 4, fill = \"zero\" },\n//   ] },\n//   { name = \"A\", type = \"f32\", count = 4, fill = \"zero\" },\n// ]\n// [launch]\n// blocks = [[1,1,1]]\n// grid = [1, 1, 1]\n// ```\n";
        let names = names(&Corpus::parse("mm.cu", text).unwrap());
        assert_eq!(names["arg1"], "A");
        assert_eq!(names["arg0+8"], "S.data");
        let record = RECORD.replace("Array:           A", "Array:           arg1");
        assert_eq!(parse(&record, &names).unwrap()[0].array, "A");
    }
}
