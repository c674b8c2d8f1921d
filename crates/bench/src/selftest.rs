//! Does the bench notice? A wrong bit, a slow-down of a tenth, and two equal programs, on a real kernel.

use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use mesi_launch::{Buffer, ElemType, Fill};

use crate::buffers::Buffers;
use crate::driver::Driver;
use crate::lab::Lab;
use crate::manifest::REFERENCE;
use crate::measure::{Bench, Effort};
use crate::results::Row;
use crate::side::Side;
use crate::stats::median;
use crate::tasks::{Bundle, Choice, Task};
use crate::worker::code;

/// Kernels to try, best first: long enough that a tenth of their time can be waited for.
const KERNELS: [&str; 3] = ["mm_early", "mm_guide", "nbody"];
/// How much of its time is added to the slow side.
const SLOW_DOWN: f64 = 0.1;
/// A median ratio this far from the expected one is a failure.
const WITHIN: f64 = 0.03;

/// Runs every check; the exit code says whether all held.
pub fn run(bundle: &Bundle) -> Result<u8> {
    let unavailable = |error: anyhow::Error| {
        eprintln!("error: {error:#}");
        Ok(code::NO_GPU)
    };
    let driver = match Driver::load() {
        Ok(driver) => driver,
        Err(error) => return unavailable(error),
    };
    let context = match driver.context() {
        Ok(context) => context,
        Err(error) => return unavailable(error),
    };
    let lab = Lab::new(&context, &bundle.root, &bundle.manifest.support)?;
    let mut failed = 0;
    for (name, outcome) in [
        ("fills are the same bytes as the host's", fills(&lab)),
        ("one wrong bit is noticed", wrong_bit(&lab, bundle)),
        ("equal programs are equally fast", timing(&lab, bundle, 0.0)),
        (
            "a slow-down of 10% is seen as such",
            timing(&lab, bundle, SLOW_DOWN),
        ),
    ] {
        match outcome {
            Ok(found) => println!("ok      {name}: {found}"),
            Err(error) => {
                failed += 1;
                println!("FAILED  {name}: {error:#}");
            }
        }
    }
    Ok(if failed == 0 { 0 } else { code::FAILED })
}

/// The GPU's fills against the host's, for every type and kind.
fn fills(lab: &Lab) -> Result<String> {
    let mut count = 0;
    for name in [
        "f16", "f32", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64",
    ] {
        let ty = ElemType::parse(name).map_err(|e| anyhow!(e))?;
        for fill in [
            Fill::Uniform(-1.0, 100.0),
            Fill::Iota,
            Fill::Zero,
            Fill::Const(3.0),
            Fill::Index(97),
        ] {
            let buffer = Buffer {
                name: format!("{name} of the self-test"),
                ty,
                count: 1000,
                fill,
                output: false,
            };
            let memory = lab.context.allocate(buffer.bytes())?;
            lab.context.set(memory.address, 0xee, buffer.bytes())?;
            lab.fill(memory.address, &buffer)?;
            lab.context.synchronize()?;
            if lab.context.read(memory.address, buffer.bytes() as usize)? != buffer.contents() {
                bail!("{fill:?} of {name} differs");
            }
            count += 1;
        }
    }
    Ok(format!("{count} kinds"))
}

/// A row with clang's code twice; the second is what something is planted in.
fn with_sides<'c, R>(
    lab: &Lab<'c>,
    bundle: &Bundle,
    run: impl FnOnce(&Bench<'_, 'c>, &Task, &Buffers<'c>, Vec<Side<'c, '_>>) -> Result<R>,
) -> Result<R> {
    let choice = Choice {
        filters: KERNELS.map(|k| format!("{k} large")).to_vec(),
        variants: vec![REFERENCE.into()],
        ..Choice::default()
    };
    let tasks = bundle.tasks(&choice)?;
    let best = |name: &&str| tasks.iter().find(|t| t.entry.name == **name);
    let task = KERNELS
        .iter()
        .find_map(best)
        .context("the bundle has no kernel to try")?;
    let library = Err(anyhow!("not needed"));
    let bench = Bench {
        lab,
        root: &bundle.root,
        library: &library,
        choice: &choice,
        excluded: &[],
    };
    let buffers = Buffers::new(lab, task)?;
    let mut sides = bench.sides(task, &buffers, &mut Row::default());
    let mut second = bench.sides(task, &buffers, &mut Row::default());
    for side in &mut second {
        side.name = "planted".into();
    }
    sides.append(&mut second);
    if sides.len() != 2 {
        bail!("{}: clang's code cannot be loaded", task.entry.name);
    }
    run(&bench, task, &buffers, sides)
}

fn wrong_bit(lab: &Lab, bundle: &Bundle) -> Result<String> {
    with_sides(lab, bundle, |bench, task, buffers, mut sides| {
        let lost = |l: crate::measure::Lost| anyhow!(l.text);
        bench
            .compare_all(task, buffers, &mut sides, &mut |_| {})
            .map_err(lost)?;
        if let Some(problem) = &sides[1].cell.problem {
            bail!("without a planted bit it reports `{problem}`");
        }
        let mut outputs = task.case.buffers.iter().enumerate();
        let (i, buffer) = outputs.rfind(|(_, b)| b.output).context("no output")?;
        let middle = (buffer.bytes() / 2).to_le_bytes();
        let address = buffers.address(0, i, &[]).to_le_bytes();
        sides[1].planted = Some(bench.lab.launch("flip", 1, 1, &[&address, &middle])?);
        bench
            .compare_all(task, buffers, &mut sides, &mut |_| {})
            .map_err(lost)?;
        match &sides[1].cell.problem {
            Some(problem) if problem.contains("differs in 1 elements") => {
                Ok(format!("{}: {problem}", task.entry.name))
            }
            other => bail!("{}: it reports {other:?}", task.entry.name),
        }
    })
}

/// Times clang's code against itself with `extra` of its time added.
fn timing<'c>(lab: &Lab<'c>, bundle: &Bundle, extra: f64) -> Result<String> {
    with_sides(lab, bundle, |bench, task, buffers, mut sides| {
        let lost = |l: crate::measure::Lost| anyhow!(l.text);
        let effort = Effort {
            rounds: 25,
            least: 25,
            until: Duration::ZERO,
        };
        let mut row = Row::default();
        let mut time = |sides: &mut [Side<'c, '_>]| {
            bench
                .time_all(task, buffers, sides, effort, &mut row, &mut |_| {})
                .map_err(lost)
        };
        if extra > 0.0 {
            time(&mut sides)?;
            let alone = median(&sides[0].times).context("nothing was timed")?;
            for side in &mut sides {
                side.times.clear();
            }
            sides[1].planted = Some(bench.lab.wait((alone * extra * 1e6) as u64)?);
        }
        time(&mut sides)?;
        let pairs = sides[0].times.iter().zip(&sides[1].times);
        let ratio =
            median(&pairs.map(|(a, b)| a / b).collect::<Vec<_>>()).context("nothing was timed")?;
        let expected = 1.0 / (1.0 + extra);
        let text = format!("{}: x{ratio:.3}, expected x{expected:.3}", task.entry.name);
        if (ratio - expected).abs() > WITHIN {
            bail!(text);
        }
        Ok(text)
    })
}
