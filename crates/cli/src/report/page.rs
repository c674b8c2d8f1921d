//! The report as one HTML page: nothing in it is fetched, and all text from outside is escaped.

use anyhow::Result;

use super::join::{Built, Kernel, Refusal, Report};
use super::plan::{Launch, Tile, Version, in_words};
use super::text::{escape, grouped, table, times, with_code};
use super::usage::Usage;
use super::{chart, draw};
use crate::explain;
use crate::measured::extents;
use crate::names;

const STYLE: &str = include_str!("style.css");

/// The whole page.
pub fn html(report: &Report) -> Result<String> {
    let mut body = header(report);
    body += "<main>\n";
    body += &overview(report);
    for (at, kernel) in report.kernels.iter().enumerate() {
        body += &section(at, kernel)?;
    }
    body += &reasons(report);
    body += "</main>\n";
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>mesi report: {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}<footer><p>Made by mesi {}. Gains are over the kernel as it is; predictions are those of mesi's model, not measured.</p></footer>\n</body>\n</html>\n",
        escape(&report.inputs.join(", ")),
        env!("CARGO_PKG_VERSION")
    ))
}

fn header(report: &Report) -> String {
    let inputs: Vec<String> = report
        .inputs
        .iter()
        .map(|i| format!("<code>{}</code>", escape(i)))
        .collect();
    let chip = report
        .chip
        .as_ref()
        .map_or(String::new(), |c| format!(", for sm_{}", escape(c)));
    let of = match inputs.is_empty() {
        true => "measured launches".to_string(),
        false => inputs.join(", "),
    };
    let notes: String = report
        .notes
        .iter()
        .map(|n| format!("<p class=\"soft\">Note: {}</p>\n", escape(n)))
        .collect();
    format!("<header><h1>mesi report</h1>\n<p>{of}{chip}</p>\n{notes}</header>\n")
}

fn overview(report: &Report) -> String {
    if report.kernels.is_empty() {
        return "<section><p>There is no kernel here.</p></section>\n".into();
    }
    let row = |(at, k): (usize, &Kernel)| {
        let lifted = k.refusals.iter().filter(|r| !is_calm(r)).count();
        let refused = match (k.refusals.len(), lifted) {
            (0, _) => "–".to_string(),
            (all, 0) => format!("<a href=\"#k{at}-refused\">{all}</a>"),
            (all, some) => format!("<a href=\"#k{at}-refused\">{all}</a>, {some} can be lifted"),
        };
        vec![
            format!("<a href=\"#k{at}\">{}</a>", escape(&k.name)),
            k.versions.len().to_string(),
            times(k.predicted()),
            times(k.gained()),
            refused,
        ]
    };
    let rows: Vec<Vec<String>> = report.kernels.iter().enumerate().map(row).collect();
    let heads = ["Kernel", "Versions", "Predicted", "Measured", "Refused"];
    format!("<section>\n{}</section>\n", table(&heads, &rows))
}

fn section(at: usize, kernel: &Kernel) -> Result<String> {
    let mut text = format!(
        "<section id=\"k{at}\">\n<h2>{}</h2>\n<p><code>{}</code></p>\n<p class=\"soft\">{}</p>\n",
        escape(&kernel.name),
        escape(&kernel.signature),
        escape(&kernel.input)
    );
    if kernel.versions.is_empty() && kernel.plain.is_some() {
        text += "<p>It has no versions: it runs as clang made it.</p>\n";
    }
    text += &done(kernel);
    text += &drawings(kernel)?;
    text += &versions(kernel);
    text += &launches(kernel)?;
    text += &refusals(at, kernel);
    if !kernel.said.is_empty() {
        let items: String = kernel
            .said
            .iter()
            .map(|s| format!("<li>{}</li>", escape(s)))
            .collect();
        text += &format!(
            "<details><summary>What else the compiler says</summary><ul>{items}</ul></details>\n"
        );
    }
    Ok(text + "</section>\n")
}

/// What remarks say was done.
fn done(kernel: &Kernel) -> String {
    if kernel.done.is_empty() {
        return String::new();
    }
    let item = |r: &super::record::Remark| {
        let line = if r.line > 0 {
            format!("line {}: ", r.line)
        } else {
            String::new()
        };
        format!("<li>{line}{}</li>\n", escape(&r.text))
    };
    let items: String = kernel.done.iter().map(item).collect();
    format!("<h3>What was done</h3>\n<ul>\n{items}</ul>\n")
}

/// Every tile: those of the first version, the others' behind a click.
fn drawings(kernel: &Kernel) -> Result<String> {
    let mut text = String::new();
    for version in &kernel.versions {
        if version.plan.tiles.is_empty() && version.plan.tallies.is_empty() {
            continue;
        }
        let mut inner = String::new();
        for tile in &version.plan.tiles {
            inner += &pictures(tile, &version.plan, kernel.block)?;
        }
        for tally in &version.plan.tallies {
            inner += &format!(
                "<p><b>{}</b>: before, each thread adds to one of {} cells in memory. After, each block adds up cells of its own in shared memory, and adds them to memory once.</p>\n",
                escape(&tally.array),
                grouped(i64::from(tally.cells))
            );
        }
        if text.is_empty() {
            text = format!(
                "<h3>What a block touches</h3>\n<p class=\"soft\">Version {}, drawn for blocks of {} threads; not to scale.</p>\n{KEY}{inner}",
                version.number,
                extents(kernel.block)
            );
        } else {
            text += &format!(
                "<details><summary>The same of version {}</summary>\n{inner}</details>\n",
                version.number
            );
        }
    }
    Ok(text)
}

const KEY: &str = "<ul class=\"key\"><li class=\"k-block\">read or written by one block, in memory</li><li class=\"k-tile\">tile in shared memory</li><li class=\"k-next\">next strip, under way</li><li class=\"k-halo\">halo: elements that neighbours need too</li><li class=\"k-warp\">elements of a warp at a time</li></ul>\n";

fn pictures(tile: &Tile, version: &Version, block: [u32; 3]) -> Result<String> {
    let drawing = draw::tile(tile, version.merge, block)?;
    let name = escape(&tile.array);
    let size: Vec<String> = drawing.extents.iter().map(|n| grouped(*n)).collect();
    let bytes = drawing
        .extents
        .iter()
        .product::<i64>()
        .saturating_mul(i64::from(tile.unit));
    let words: Vec<String> = tile
        .dims
        .iter()
        .map(|d| escape(&in_words(&d.extent)))
        .collect();
    let before = match (tile.written, tile.accesses) {
        (true, _) => "each thread writes its element to memory as it comes".to_string(),
        (false, 1) => format!(
            "each element is read from memory about {:.0} times",
            drawing.times.max(1.0)
        ),
        (false, n) => format!(
            "{n} accesses read each element from memory about {:.0} times",
            drawing.times.max(1.0)
        ),
    };
    let merged: u32 = version.merge.iter().product();
    let group = match merged {
        0 | 1 => "the block reads it once".to_string(),
        n => format!("read once for {n} blocks together"),
    };
    let after = match (tile.written, drawing.strip) {
        (true, _) => "threads fill the tile, then the block writes it along memory".to_string(),
        (false, Some((length, depth))) => {
            format!("{group}, in strips of {length} iterations, {depth} in flight")
        }
        (false, None) => group,
    };
    let supposed = match drawing.supposed {
        true => ", loops of unknown length taken to run 9 times",
        false => "",
    };
    let halo = if drawing.halo { ", halo included" } else { "" };
    Ok(format!(
        "<p><b>{name}</b>: a tile of {} elements ({}), {} bytes{halo}{supposed}</p>\n<div class=\"pair\">\n<figure>{}<figcaption><b>Before</b>: {before}.</figcaption></figure>\n<figure>{}<figcaption><b>After</b>: {after}.</figcaption></figure>\n</div>\n",
        size.join(" × "),
        words.join(" × "),
        grouped(bytes),
        titled(
            &drawing.before,
            &format!("What one block touches of {name} in memory")
        ),
        titled(
            &drawing.after,
            &format!("The tile of {name} in shared memory")
        ),
    ))
}

/// A picture with a name for those who do not see it; the name is HTML already.
fn titled(svg: &str, title: &str) -> String {
    svg.replacen(
        "<svg ",
        &format!("<svg role=\"img\" aria-label=\"{title}\" "),
        1,
    )
}

fn versions(kernel: &Kernel) -> String {
    if kernel.plain.is_none() && kernel.versions.is_empty() {
        return String::new();
    }
    let [registers, shared] = needs(kernel.plain);
    let none = || "–".to_string();
    let plain = "what clang made of it".to_string();
    let mut rows = vec![vec![
        "as it is".to_string(),
        plain,
        registers,
        shared,
        none(),
        none(),
    ]];
    rows.extend(kernel.versions.iter().map(|v| version(kernel, v)));
    let heads = [
        "Version",
        "What it does",
        "Registers",
        "Shared memory",
        "Predicted, typical launch",
        "Best measured",
    ];
    format!("<h3>Versions</h3>\n{}", table(&heads, &rows))
}

/// Registers and shared memory.
fn needs(usage: Option<Usage>) -> [String; 2] {
    let Some(u) = usage else {
        return ["–".to_string(), "–".to_string()];
    };
    let spilled = match u.spilled {
        0 => String::new(),
        n => format!(", {n} bytes spilled"),
    };
    let shared = grouped(i64::from(u.shared));
    [
        format!("{}{spilled}", u.registers),
        format!("{shared} bytes"),
    ]
}

fn version(kernel: &Kernel, built: &Built) -> Vec<String> {
    let plan = &built.plan;
    let mut done = plan.done.clone();
    let mut arrays: Vec<&str> = plan.tiles.iter().map(|t| t.array.as_str()).collect();
    arrays.dedup();
    if !arrays.is_empty() {
        done.push(format!("tiles of {}", arrays.join(", ")));
    }
    if done.is_empty() {
        done.push("–".into());
    }
    // `predicted x5.23 (before ...), worth it`: the number stands above.
    let words = plan.forecast.as_deref().map(|f| match f.split_once(" (") {
        Some((_, words)) => words.replacen(')', "", 1),
        None => f.to_string(),
    });
    let words = words.map_or(String::new(), |w| {
        format!("<br><span class=\"soft\">{}</span>", escape(&w))
    });
    let own = kernel
        .classes
        .iter()
        .filter(|c| names::version(&c.class.choice) == Some(built.number));
    let measured = own.filter_map(|c| c.class.gain).max_by(f64::total_cmp);
    let [registers, shared] = needs(built.usage);
    vec![
        built.number.to_string(),
        escape(&in_words(&done.join("; "))),
        registers,
        shared,
        format!("{}{words}", times(plan.predicted)),
        times(measured),
    ]
}

fn launches(kernel: &Kernel) -> Result<String> {
    let mut text = String::new();
    if !kernel.classes.is_empty() {
        let rows: Vec<Vec<String>> = kernel
            .classes
            .iter()
            .enumerate()
            .map(|(i, c)| class(i, c))
            .collect();
        let heads = [
            "#",
            "Grid × block",
            "Launches",
            "What runs",
            "Predicted",
            "Measured",
        ];
        text += &format!(
            "<h3>Kinds of launches, as measured</h3>\n{}",
            table(&heads, &rows)
        );
        if let Some(svg) = chart::gains(&kernel.classes)? {
            let title = "Measured gains with their intervals, and predicted ones";
            text += &format!(
                "<ul class=\"key\"><li class=\"k-tile\">measured, with its interval</li><li class=\"k-block\">predicted</li></ul>\n<figure>{}</figure>\n",
                titled(&svg, title)
            );
        }
    }
    if kernel.as_it_is > 0 {
        text += &format!(
            "<p>{} launches ran the kernel as it is, since no version may run them or there are too many kinds.</p>\n",
            kernel.as_it_is
        );
    }
    if !kernel.asked.is_empty() {
        let row = |l: &Launch| vec![escape(&l.asked), times(Some(l.predicted)), escape(&l.words)];
        let rows: Vec<Vec<String>> = kernel.asked.iter().map(row).collect();
        let inner = table(
            &["Grid:block:arguments", "Predicted", "In the model's words"],
            &rows,
        );
        text += &format!(
            "<details><summary>Launches that were asked about (--launch)</summary>\n{inner}</details>\n"
        );
    }
    Ok(text)
}

fn class(at: usize, measured: &super::join::Measured) -> Vec<String> {
    let c = &measured.class;
    let dynamic = match c.dynamic {
        0 => String::new(),
        n => format!("<br><span class=\"soft\">{n} bytes dynamic</span>"),
    };
    let gain = match (c.gain, c.low, c.high) {
        (Some(gain), Some(low), Some(high)) => {
            format!("x{gain:.3}<br><span class=\"soft\">{low:.3} to {high:.3}</span>")
        }
        _ => "–".to_string(),
    };
    let open = if c.settled { "" } else { ", not settled" };
    let forecast = measured.forecast.as_deref().map_or(String::new(), |f| {
        let version = f.split(',').next().unwrap_or(f);
        format!("<br><span class=\"soft\">{}</span>", escape(version))
    });
    vec![
        (at + 1).to_string(),
        format!("{}{dynamic}", escape(&Kernel::kind(c))),
        grouped(i64::try_from(c.launches).unwrap_or(i64::MAX)),
        format!(
            "{}<br><span class=\"soft\">{}{open}</span>",
            escape(&c.chosen()),
            escape(&c.why)
        ),
        format!("{}{forecast}", times(measured.predicted)),
        gain,
    ]
}

/// Whether nothing is to be done about it.
fn is_calm(refusal: &Refusal) -> bool {
    refusal.lifted_by.is_none_or(|a| a.starts_with("Nothing"))
}

fn refusals(at: usize, kernel: &Kernel) -> String {
    if kernel.refusals.is_empty() {
        return String::new();
    }
    let all: String = kernel.refusals.iter().map(refusal).collect();
    format!("<h3 id=\"k{at}-refused\">What was refused</h3>\n{all}")
}

fn refusal(refusal: &Refusal) -> String {
    let remark = &refusal.remark;
    let place = match (&remark.file, remark.line) {
        (Some(file), line) if line > 0 => {
            format!("<span class=\"soft\">{}:{line}</span> ", escape(file))
        }
        _ => String::new(),
    };
    let calm = if is_calm(refusal) { " calm" } else { "" };
    let what = remark.text.trim_start_matches("not staged: ");
    let what = what
        .strip_suffix(&format!(" ({})", remark.name))
        .unwrap_or(what);
    let reason = match explain::reasons().iter().any(|r| r.name == remark.name) {
        true => format!("<a href=\"#reason-{0}\">{0}</a>", escape(&remark.name)),
        false => escape(&remark.name),
    };
    let lines: String = refusal
        .excerpt
        .iter()
        .map(|(number, line)| {
            let shown = format!("<span class=\"n\">{number:>5}</span>  {}", escape(line));
            match *number == remark.line {
                true => format!("<span class=\"here\">{shown}</span>\n"),
                false => format!("{shown}\n"),
            }
        })
        .collect();
    let code = if lines.is_empty() {
        String::new()
    } else {
        format!("<pre>{lines}</pre>\n")
    };
    let lifted = refusal.lifted_by.unwrap_or("Nothing is known.");
    format!(
        "<div class=\"refusal{calm}\">\n<p>{place}{} ({reason})</p>\n{code}<p>What would lift it: {}</p>\n</div>\n",
        escape(what),
        with_code(lifted)
    )
}

/// The reasons that occur, each once.
fn reasons(report: &Report) -> String {
    let refusals = || report.kernels.iter().flat_map(|k| &k.refusals);
    let occur = |name: &str| refusals().any(|r| r.remark.name == name);
    let all: String = explain::reasons()
        .iter()
        .filter(|r| occur(&r.name))
        .map(|r| {
            format!(
                "<h3 id=\"reason-{0}\">{0}</h3>\n<p>{1}</p>\n",
                escape(&r.name),
                with_code(&r.meaning)
            )
        })
        .collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("<section>\n<h2>Reasons</h2>\n{all}</section>\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_report_is_a_page() {
        let text = html(&Report::default()).unwrap();
        assert!(text.contains("There is no kernel here."));
    }
}
