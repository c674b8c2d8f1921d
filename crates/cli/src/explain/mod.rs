//! `mesi explain`: what a refusal or an option means, and what to do.

mod advice;
mod tables;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::json;

pub use advice::advice;
pub use tables::{Knob, Reason, knobs, reasons};

/// The command's options.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A reason as remarks write it in brackets (NotAffine), or an option (strip, MESI_STRIP); all of them without one
    name: Option<String>,
    /// Write a page for each reason and option, and one of all of each, into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "name")]
    pages: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Prints what is asked for.
pub fn main(arguments: &Arguments) -> Result<u8> {
    if let Some(folder) = &arguments.pages {
        return pages(folder);
    }
    let Some(name) = &arguments.name else {
        list(arguments.json);
        return Ok(0);
    };
    let name = name.trim_matches(['(', ')']);
    if let Some(reason) = reasons().iter().find(|r| r.name.eq_ignore_ascii_case(name)) {
        print!(
            "{}",
            if arguments.json {
                as_json(reason)
            } else {
                as_text(reason)
            }
        );
        return Ok(0);
    }
    let short = name.trim_start_matches('-').trim_start_matches("mesi-");
    let wanted =
        |k: &&Knob| k.name.eq_ignore_ascii_case(short) || k.variable.eq_ignore_ascii_case(name);
    if let Some(knob) = knobs().iter().find(wanted) {
        print!(
            "{}",
            if arguments.json {
                knob_json(knob)
            } else {
                knob_text(knob)
            }
        );
        return Ok(0);
    }
    bail!(
        "no reason or option is called {name}{}; mesi explain lists them",
        near(name)
    );
}

/// The names that are closest, where some are close.
fn near(name: &str) -> String {
    let known = reasons()
        .into_iter()
        .map(|r| r.name)
        .chain(knobs().into_iter().map(|k| k.name));
    let best = known
        .map(|k| (distance(&k.to_lowercase(), &name.to_lowercase()), k))
        .min();
    match best {
        Some((distance, known)) if distance <= 1 + name.len() / 3 => {
            format!(", perhaps {known} is meant")
        }
        _ => String::new(),
    }
}

/// Letters to change, add or take away (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let changed = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = changed.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

fn list(json: bool) {
    if json {
        let all: Vec<_> = reasons()
            .iter()
            .map(|r| json!({"reason": r.name, "remark": r.remark}))
            .collect();
        println!(
            "{}",
            json!({ "reasons": all, "options": knobs().iter().map(|k| &k.name).collect::<Vec<_>>() })
        );
        return;
    }
    println!("Reasons (mesi explain NAME says more):");
    for reason in reasons() {
        println!("  {:<22} {}", reason.name, reason.remark);
    }
    println!("Options:");
    for knob in knobs() {
        println!("  {:<22} {}", knob.name, knob.help);
    }
}

fn as_text(reason: &Reason) -> String {
    let lifted = advice(&reason.name).unwrap_or("Nothing is known.");
    format!(
        "{}\n  meaning    {}\n  remark     not staged: ... {}\n  lifted by  {lifted}\n",
        reason.name, reason.meaning, reason.remark
    )
}

fn as_json(reason: &Reason) -> String {
    let value = json!({
        "reason": reason.name, "meaning": reason.meaning, "remark": reason.remark, "lifted_by": advice(&reason.name),
    });
    format!("{value}\n")
}

fn forms(knob: &Knob) -> [String; 3] {
    let value = knob
        .value
        .as_ref()
        .map(|v| format!("={v}"))
        .unwrap_or_default();
    let variable = if value.is_empty() { "=1" } else { &value };
    [
        format!("-mllvm -{}{value}", knob.flag),
        format!("{}{variable}", knob.variable),
        format!("-passes='mesi<{}{value}>'", knob.name),
    ]
}

fn knob_text(knob: &Knob) -> String {
    let [flag, variable, parameter] = forms(knob);
    format!(
        "{}\n  meaning    {}\n  in clang   {flag}\n  variable   {variable}\n  in opt     {parameter}\n",
        knob.name, knob.help
    )
}

fn knob_json(knob: &Knob) -> String {
    let forms = forms(knob);
    format!(
        "{}\n",
        json!({"option": knob.name, "meaning": knob.help, "forms": forms})
    )
}

/// A page of all reasons and one of all options, and a page for each of them.
fn pages(folder: &Path) -> Result<u8> {
    let mut all = String::from(
        "# Why an array was not staged\n\nMade by `mesi explain --pages` from the plug-in's own table.\n\n| reason | remark |\n|---|---|\n",
    );
    for reason in reasons() {
        let name = &reason.name;
        all += &format!(
            "| [{name}](reasons/{name}.md) | {} |\n",
            cell(&reason.remark)
        );
        let lifted = advice(name).unwrap_or("Nothing is known.");
        let page = format!(
            "# {name}\n\n{}\n\nThe remark: *{}*\n\nWhat would lift it: {lifted}\n\n[All reasons](../reasons.md)\n",
            reason.meaning, reason.remark
        );
        write(&folder.join("reasons").join(format!("{name}.md")), &page)?;
    }
    write(&folder.join("reasons.md"), &all)?;
    let mut all = String::from(
        "# Options\n\nMade by `mesi explain --pages` from the plug-in's own table.\n\n| option | meaning |\n|---|---|\n",
    );
    for knob in knobs() {
        let name = &knob.name;
        all += &format!("| [{name}](options/{name}.md) | {} |\n", cell(&knob.help));
        let [flag, variable, parameter] = forms(&knob);
        let page = format!(
            "# {name}\n\n{}\n\n```text\n{flag}\n{variable}\n{parameter}\n```\n\n[All options](../options.md)\n",
            knob.help
        );
        write(&folder.join("options").join(format!("{name}.md")), &page)?;
    }
    write(&folder.join("options.md"), &all)?;
    Ok(0)
}

/// Text in a table's cell: a bar there would end it.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn write(file: &Path, text: &str) -> Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    std::fs::write(file, text).with_context(|| format!("{} cannot be written", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_named() {
        assert_eq!(near("NotAfine"), ", perhaps NotAffine is meant");
        assert_eq!(near("stripp"), ", perhaps strip is meant");
        assert_eq!(near("qqqqqq"), "");
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn each_name_has_a_page_and_a_row() {
        let folder = tempfile::tempdir().unwrap();
        pages(folder.path()).unwrap();
        let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
        for reason in reasons() {
            let name = &reason.name;
            assert!(read("reasons.md").contains(&format!("| [{name}](reasons/{name}.md) | ")));
            let page = read(&format!("reasons/{name}.md"));
            assert!(page.starts_with(&format!("# {name}\n\n{}\n", reason.meaning)));
        }
        for knob in knobs() {
            let name = &knob.name;
            assert!(read("options.md").contains(&format!("| [{name}](options/{name}.md) | ")));
            assert!(read(&format!("options/{name}.md")).contains(&knob.variable));
        }
        assert!(read("options/strip.md").contains(
            "-mllvm -mesi-strip=iterations\nMESI_STRIP=iterations\n-passes='mesi<strip=iterations>'"
        ));
        assert!(read("options/force.md").contains("MESI_FORCE=1"));
    }
}
