//! `cargo xtask tune`: a row of `src/machine/tuning/`, measured again.
//!
//! ```text
//! cargo xtask tune                                     all rows, with what they are
//! cargo xtask tune reshape::EACH                       which corpus kernels' code hangs on it: with half and twice
//! cargo xtask tune reshape::EACH --to 4,64 --bundle D  those kernels with each value; D/run --json F on a GPU
//! cargo xtask tune reshape::EACH --report F            what each value gains against the one of today
//! ```
//! The row is changed in a copy of the tree below `target/tune`. One that changes no kernel, or changes none's time, has
//! no effect: it is to be deleted.

mod copy;
mod rows;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use mesi_bench::results::Results;

use crate::bench::bundle;
use crate::compile::{self, Variant};
use crate::{corpus, project, same, setup};
use rows::Row;

/// Gains that are noise: two runs of the bench agree within these.
const NOISE: f64 = 0.03;

/// Command-line choices.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// For example reshape::EACH; all rows are printed without
    row: Option<String>,
    /// Values in its place, as Rust writes them; several are separated by `;` if they hold commas. Half and twice a
    /// plain number if not given
    #[arg(long)]
    to: Option<String>,
    /// GPU architecture
    #[arg(long, default_value = "sm_90")]
    arch: String,
    /// Only kernels whose names contain this
    #[arg(long, value_delimiter = ',')]
    filter: Vec<String>,
    /// Build a bundle of the kernels that hang on the row in this folder, to be run where there is a GPU
    #[arg(long)]
    bundle: Option<PathBuf>,
    /// Print what these results of such a bundle say
    #[arg(long, conflicts_with = "bundle")]
    report: Option<PathBuf>,
}

/// Runs the command.
pub fn tune(arguments: &Arguments) -> Result<()> {
    let rows = rows::all(&project::root())?;
    let Some(name) = &arguments.row else {
        rows.iter().for_each(|r| println!("{r}"));
        return Ok(());
    };
    let row = rows::find(&rows, name)?;
    println!("{row}");
    match &arguments.report {
        Some(file) => report(&Results::read(file)?),
        None => measure(row, arguments),
    }
}

/// All rows as a page of the book, file by file.
pub fn page(root: &Path) -> Result<String> {
    let mut page = String::from(
        "# Fitted numbers\n\n\
         Every number that somebody chose, with its unit, its rule and what was measured: `src/machine/tuning/` holds \
         them, and there is none anywhere else. `cargo xtask tune` writes this page, and measures a row of it again \
         (CONTRIBUTING.md says how).\n",
    );
    let mut file = None;
    for row in rows::all(root)? {
        if file.as_ref() != Some(&row.file) {
            page += &format!("\n## {}\n\n", row.file.display());
        }
        page += &format!("- {}\n", row.item());
        file = Some(row.file);
    }
    Ok(page)
}

/// Finds the kernels that hang on a row, and bundles them.
fn measure(row: &Row, arguments: &Arguments) -> Result<()> {
    let values = match &arguments.to {
        Some(text) => split(text),
        None => row
            .neighbours()
            .with_context(|| format!("{} is no plain number: say what to try by --to", row.name))?,
    };
    compile::check_architectures(std::slice::from_ref(&arguments.arch))?;
    let tools = setup::setup()?;
    let copy = copy::Copy::new()?;
    let today = copy.build(&tools, row, &row.value)?;
    let mut variants = vec![Variant::plain("clang"), Variant::with("mesi", &today, &[])];
    let mut differ = Vec::new();
    for value in &values {
        let plugin = copy.build(&tools, row, value)?;
        let kernels = same::differing(
            &tools,
            [&today, &plugin],
            &arguments.filter,
            &arguments.arch,
        )?;
        println!(
            "{value}: {} kernels have other code: {}",
            kernels.len(),
            kernels.join(" ")
        );
        // The runner takes lists of variants with commas between them, and files have their names.
        let name = value.replace([' ', ',', '/'], "_");
        variants.push(Variant::with(&name, &plugin, &[]));
        differ.extend(kernels);
    }
    differ.sort();
    differ.dedup();
    if differ.is_empty() {
        println!("no kernel hangs on it between these values");
    }
    match &arguments.bundle {
        Some(folder) if !differ.is_empty() => {
            build_bundle(&tools, arguments, folder, &variants, &differ)
        }
        _ => Ok(()),
    }
}

fn build_bundle(
    tools: &setup::Toolchain,
    arguments: &Arguments,
    folder: &Path,
    variants: &[Variant],
    differ: &[String],
) -> Result<()> {
    let mut kernels = corpus::read(&[])?;
    kernels.retain(|k| differ.contains(&k.kernel));
    bundle::build(&bundle::Recipe {
        tools,
        folder,
        arch: &arguments.arch,
        profile: crate::building::PROFILE,
        kernels: &kernels,
        variants,
        peers: false,
    })
}

/// A line for each value: the mean of its time against that of today's, and the ends.
fn report(results: &Results) -> Result<()> {
    let variants = results.rows.iter().flat_map(|r| &r.cells);
    let mut values: Vec<&str> = variants.map(|c| c.variant.as_str()).collect();
    values.sort_unstable();
    values.dedup();
    values.retain(|v| !["clang", "mesi", "cublas"].contains(v));
    if values.is_empty() {
        bail!("these are no results of a bundle that `tune` built");
    }
    for value in values {
        let gains = gains(results, value);
        let (mut least, mut most, mut sum) = (f64::INFINITY, 0.0f64, 0.0);
        for (gain, _) in &gains {
            (least, most, sum) = (least.min(*gain), most.max(*gain), sum + gain.ln());
        }
        let count = gains.len();
        let mean = (sum / count.max(1) as f64).exp();
        println!("{value}: {count} rows, x{mean:.3} in the mean, x{least:.2} to x{most:.2}");
        let moved = |g: &&(f64, String)| (g.0 - 1.0).abs() > NOISE;
        gains
            .iter()
            .filter(moved)
            .for_each(|(gain, key)| println!("  x{gain:.2} {key}"));
        if !gains.iter().any(|g| moved(&g)) {
            println!("  without effect: none beyond {:.0} %", 100.0 * NOISE);
        }
    }
    Ok(())
}

/// What a value gains against today's in each row that has both: of what is launched once a choice is settled.
fn gains(results: &Results, value: &str) -> Vec<(f64, String)> {
    let of = |row: &mesi_bench::results::Row, variant: &str| {
        let cell = row.cell(variant)?;
        cell.settled.or(cell.ratio)
    };
    let rows = results.rows.iter();
    rows.filter_map(|r| Some((of(r, value)? / of(r, "mesi")?, r.key())))
        .collect()
}

fn split(text: &str) -> Vec<String> {
    let by = if text.contains(';') || text.contains('[') {
        ';'
    } else {
        ','
    };
    text.split(by).map(|v| v.trim().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::{page, split};
    use crate::project;

    #[test]
    fn the_page_has_every_row_below_its_file() {
        let page = page(&project::root()).unwrap();
        let (_, launches) = page
            .split_once("## src/machine/tuning/launches.rs\n")
            .unwrap();
        let (launches, _) = launches.split_once("\n## ").unwrap();
        assert!(launches.contains("\n- `reshape::SMALL = "), "{launches}");
        assert!(!launches.contains("register_window"), "{launches}");
        let rows = super::rows::all(&project::root()).unwrap();
        assert_eq!(page.matches("\n- `").count(), rows.len());
    }

    #[test]
    fn values_with_commas_are_separated_by_semicolons() {
        assert_eq!(split("4, 64"), ["4", "64"]);
        assert_eq!(split("[1, 2]; [2, 4]"), ["[1, 2]", "[2, 4]"]);
        assert_eq!(split("[1, 2]"), ["[1, 2]"]);
    }
}
