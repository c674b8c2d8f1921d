//! What tuning gained, as text or JSON.

use serde_json::{Value, json};

use super::told::{Outcome, PATIENCE, Told, count};
use crate::measured::{Class, Kernel};
use crate::names;

/// Prints all of it.
pub fn all(told: &Told, as_json: bool) {
    if as_json {
        println!("{}", document(told));
        return;
    }
    println!("{}", verdict(told));
    for kernel in told.images.iter().flat_map(|i| &i.kernels) {
        println!("{}", names::whole(&kernel.kernel));
        kernel
            .classes
            .iter()
            .for_each(|c| println!("  {}", line(c)));
        if kernel.as_it_is > 0 {
            println!("  {} launches that no version may run", kernel.as_it_is);
        }
    }
    match whole(told) {
        Some([without, with]) => println!(
            "whole program, median of {}: {without:.3} s without choices, {with:.3} s with them, x{:.3}",
            told.compared.len(),
            without / with
        ),
        None => println!("whole program: not compared"),
    }
}

fn verdict(told: &Told) -> String {
    let (settled, all) = count(&told.images);
    let runs = match told.runs {
        1 => "1 run".to_string(),
        n => format!("{n} runs"),
    };
    match told.outcome {
        Outcome::Settled => format!("all {all} kinds of launches are settled after {runs}"),
        Outcome::Limit => format!(
            "{settled} of {all} kinds of launches are settled after {runs}, then the limit was reached: --runs and --time raise it"
        ),
        Outcome::Stuck => format!(
            "{settled} of {all} kinds of launches are settled after {runs}, and the last {PATIENCE} changed nothing: the others cannot be measured, as where launches overlap"
        ),
    }
}

fn line(c: &Class) -> String {
    let gain = match (c.gain, c.low, c.high) {
        (Some(gain), Some(low), Some(high)) => format!(", x{gain:.3} ({low:.3} to {high:.3})"),
        _ => String::new(),
    };
    let open = if c.settled { "" } else { ", not settled" };
    format!(
        "{}: {} launches of {} ({}){gain}{open}",
        c.kind(),
        c.launches,
        c.chosen(),
        c.why
    )
}

/// Medians, without and with choices.
fn whole(told: &Told) -> Option<[f64; 2]> {
    let median = |at: usize| {
        let mut all: Vec<f64> = told.compared.iter().map(|p| p[at]).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied()
    };
    Some([median(0)?, median(1)?])
}

fn document(told: &Told) -> Value {
    let (settled, all) = count(&told.images);
    let kernels = told.images.iter().flat_map(|i| &i.kernels);
    let kernel = |k: &Kernel| {
        json!({
            "kernel": k.kernel, "name": names::whole(&k.kernel), "as_it_is": k.as_it_is, "classes": k.classes,
        })
    };
    let outcome = match told.outcome {
        Outcome::Settled => "settled",
        Outcome::Stuck => "stuck",
        Outcome::Limit => "limit",
    };
    let whole = whole(told);
    json!({
        "outcome": outcome, "runs": told.runs, "settled": settled, "kinds": all,
        "kernels": kernels.map(kernel).collect::<Vec<_>>(),
        "whole_program": whole.map(|[without, with]| json!({
            "seconds_without": without, "seconds_with": with, "gain": without / with, "pairs": told.compared.len(),
        })),
    })
}
