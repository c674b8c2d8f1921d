//! `mesi report`: one page about a program's kernels, for a browser without a network.
//!
//! ```text
//! source ─► gather ─┐
//! record ───────────┼─► join ─► page (draw) ─► HTML, or JSON
//! MESI_REPORT file ─┘
//! ```

mod chart;
mod draw;
mod gather;
mod join;
mod page;
mod plan;
mod record;
mod text;
mod usage;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::measured::{self, Image};
use crate::nvcc;
use join::Report;

/// The command's options.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Sources are compiled for the device alone, as mesi nvcc would; no GPU is needed. Of several architectures the newest is shown.\nExample: mesi report prog.cu -- -arch=sm_90 -Iinclude\nExit status: 0 the page is written, 1 a source does not compile, 2 wrong usage or a file that cannot be used."
)]
pub struct Arguments {
    /// CUDA sources
    #[arg(value_name = "SOURCE")]
    sources: Vec<String>,
    /// Options in nvcc's words, and more sources
    #[arg(last = true, value_name = "NVCC OPTIONS")]
    words: Vec<String>,
    /// Where the page goes
    #[arg(short, long, value_name = "FILE", default_value = "mesi-report.html")]
    output: PathBuf,
    /// Print all of it as JSON, and write no page
    #[arg(long)]
    json: bool,
    /// What a run of the program wrote with MESI_REPORT=FILE.json; may be given several times
    #[arg(long, value_name = "FILE")]
    measured: Vec<PathBuf>,
    /// An optimization record of clang (-fsave-optimization-record) in place of a source: without drawings; may be given several times
    #[arg(long, value_name = "FILE")]
    record: Vec<PathBuf>,
    /// Blocks to draw, as 32x8; without it those of the measured launches, else 16x16 or 256
    #[arg(long, value_name = "THREADS", value_parser = block)]
    block: Option<[u32; 3]>,
    /// A launch to predict the gain of, as 256x256:16x16:_:_:_:4096 (mesi explain launch); may be given several times
    #[arg(long, value_name = "LAUNCH")]
    launch: Vec<String>,
    /// The plug-in; without it the one near this program
    #[arg(long, value_name = "FILE")]
    plugin: Option<String>,
}

/// `32x8` as three numbers.
fn block(text: &str) -> std::result::Result<[u32; 3], String> {
    let mut extents = [1; 3];
    let parts: Vec<&str> = text.split('x').collect();
    for (to, part) in extents.iter_mut().zip(&parts) {
        *to = part.parse().unwrap_or(0);
    }
    let threads: u64 = extents.iter().map(|n| u64::from(*n)).product();
    match parts.len() <= 3 && (1..=1024).contains(&threads) {
        true => Ok(extents),
        false => Err("expected at most 1024 threads, such as 256, 32x8 or 8x8x4".into()),
    }
}

/// Writes the page.
pub fn main(arguments: &Arguments) -> Result<u8> {
    if arguments.sources.is_empty()
        && arguments.words.is_empty()
        && arguments.record.is_empty()
        && arguments.measured.is_empty()
    {
        bail!(
            "nothing to report on: name a source (mesi report prog.cu), a --record or a --measured file"
        );
    }
    let images = arguments
        .measured
        .iter()
        .map(|f| measured::read(f))
        .collect::<Result<Vec<_>>>()?
        .concat();
    let mut report = Report::default();
    for file in &arguments.record {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("{} cannot be read", file.display()))?;
        let remarks = record::parse(&text)
            .with_context(|| format!("{} is no optimization record", file.display()))?;
        report.add_record(&file.display().to_string(), remarks);
    }
    if let Err(error) = sources(arguments, &images, &mut report)? {
        eprintln!("mesi report: error: {error:#}");
        return Ok(1);
    }
    report.add_measured(&images);
    let asked: Vec<String> = arguments
        .launch
        .iter()
        .flat_map(|l| l.split('+').map(str::to_string))
        .collect();
    report.finish(arguments.block, &asked);
    report
        .notes
        .iter()
        .for_each(|n| eprintln!("mesi report: warning: {n}"));
    if arguments.json {
        let text = serde_json::to_string_pretty(&report).context("the report has no JSON form")?;
        println!("{text}");
        return Ok(0);
    }
    let text = page::html(&report)?;
    std::fs::write(&arguments.output, text)
        .with_context(|| format!("{} cannot be written", arguments.output.display()))?;
    println!(
        "{}: {} kernels",
        arguments.output.display(),
        report.kernels.len()
    );
    Ok(0)
}

/// Compiles what is named. The inner error: a source does not compile.
fn sources(arguments: &Arguments, images: &[Image], report: &mut Report) -> Result<Result<()>> {
    let mut words = [&arguments.sources[..], &arguments.words[..]].concat();
    if words.is_empty() {
        return Ok(Ok(()));
    }
    words.extend(
        arguments
            .plugin
            .iter()
            .map(|p| format!("--mesi-plugin={p}")),
    );
    let devices = nvcc::devices(&words)?;
    if devices.is_empty() {
        bail!("there is no CUDA source among the words: name one that ends in .cu");
    }
    let launches = launches(arguments, images);
    for device in devices {
        if !std::path::Path::new(&device.source).is_file() {
            bail!("{} is not there", device.source);
        }
        match gather::all(&device, &launches) {
            Ok(gathered) => report.add_source(&device.source, &device.chip, gathered),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(()))
}

/// Launches to predict: those asked for, and one of each kind that was measured.
fn launches(arguments: &Arguments, images: &[Image]) -> String {
    const MOST: usize = 64;
    let classes = images
        .iter()
        .flat_map(|i| &i.kernels)
        .flat_map(|k| &k.classes);
    let mut all = arguments.launch.clone();
    for class in classes {
        let launch = join::asked(class);
        if !all.contains(&launch) && all.len() < MOST {
            all.push(launch);
        }
    }
    all.join("+")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_at_most_1024_threads() {
        assert_eq!(block("32x8"), Ok([32, 8, 1]));
        assert_eq!(block("256"), Ok([256, 1, 1]));
        for wrong in ["", "0", "32x64", "a", "2x2x2x2", "-1"] {
            assert!(block(wrong).is_err(), "{wrong}");
        }
    }
}
