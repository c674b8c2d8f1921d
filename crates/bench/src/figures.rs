//! From timings to a row's figures: medians, ratios, rates, and shares of the limit.

use mesi_launch::ElemType;

use crate::driver::Chip;
use crate::manifest::REFERENCE;
use crate::results::{Cell, Limits, Row};
use crate::side::Side;
use crate::stats::{median, quantile};
use crate::tasks::{Chooser, Task};
use crate::trial;

/// Largest relative error that nvcc's or a library's result may have.
pub fn tolerance(unit: ElemType) -> f64 {
    match unit {
        ElemType::F64 => 1e-10,
        _ => 1e-3,
    }
}

/// Fills in the cells of `row` from its sides, in the order of the manifest's variants.
pub fn complete(row: &mut Row, task: &Task, chip: &Chip, sides: Vec<Side>, chooser: Chooser) {
    let times = |name: &str| {
        sides
            .iter()
            .find(|s| s.name == name)
            .map(|s| s.times.clone())
    };
    let (clang, nvcc) = (times(REFERENCE), times("nvcc"));
    let mut cells: Vec<Cell> = std::mem::take(&mut row.cells);
    for side in &sides {
        let mut cell = side.cell.clone();
        cell.variant = side.name.clone();
        resources(&mut cell, task, chip, side);
        time(&mut cell, &side.times);
        cell.ratio = clang.as_ref().and_then(|c| ratio(c, &side.times));
        trial::conclude(&mut cell, chooser);
        cell.to_nvcc = nvcc.as_ref().and_then(|n| ratio(n, &side.times));
        if let Some(ms) = cell.ms {
            cell.gbs = row.bytes.map(|b| b as f64 / ms / 1e6);
            cell.gflops = row.flops.map(|f| f as f64 / ms / 1e6);
        }
        cells.push(cell);
    }
    share(&mut cells);
    let order = |cell: &Cell| {
        let variants = &task.entry.variants;
        variants
            .iter()
            .position(|v| v.name == cell.variant)
            .unwrap_or(variants.len())
    };
    cells.sort_by_key(order);
    row.cells = cells;
}

/// Cells of variants with the same compilation take its figures; plan and prediction stay theirs.
fn share(cells: &mut [Cell]) {
    let measured: Vec<Cell> = cells
        .iter()
        .filter(|c| c.same_as.is_none())
        .cloned()
        .collect();
    for cell in cells.iter_mut() {
        let Some(first) = &cell.same_as else { continue };
        if let Some(from) = measured.iter().find(|m| m.variant == *first) {
            *cell = Cell {
                variant: cell.variant.clone(),
                same_as: cell.same_as.clone(),
                plan: cell.plan.clone(),
                predicted: cell.predicted,
                ..from.clone()
            };
        }
    }
}

fn resources(cell: &mut Cell, task: &Task, chip: &Chip, side: &Side) {
    let Some(kernel) = side.kernel() else { return };
    let threads: u32 = cell.block.unwrap_or(task.case.block).iter().product();
    cell.registers = kernel.registers().ok();
    cell.shared = kernel.shared_bytes().ok();
    cell.local = kernel.local_bytes().ok();
    let blocks = kernel.blocks_at_once(threads, task.case.shared).ok();
    cell.occupancy = blocks.map(|b| f64::from(b * threads) / f64::from(chip.threads.max(1)));
}

fn time(cell: &mut Cell, times: &[f64]) {
    cell.ms = median(times);
    cell.low = quantile(times, 0.25);
    cell.high = quantile(times, 0.75);
}

/// Median over the rounds of one time by the other, so that a clock that drifts cancels out.
fn ratio(before: &[f64], after: &[f64]) -> Option<f64> {
    let ratios: Vec<f64> = before.iter().zip(after).map(|(b, a)| b / a).collect();
    median(&ratios)
}

/// Sets the row's limit and each cell's share of it.
pub fn limit(row: &mut Row, unit: ElemType, limits: &Limits) {
    let bandwidth = if row.class == "l2" {
        limits.l2
    } else {
        limits.copy
    };
    let peak = match unit {
        ElemType::F64 => limits.f64,
        ElemType::F16 | ElemType::F32 => limits.f32,
        _ => limits.i32,
    };
    let time = |amount: Option<u64>, rate: f64| {
        amount.filter(|_| rate > 0.0).map(|a| a as f64 / rate / 1e6)
    };
    let (memory, arithmetic) = (time(row.bytes, bandwidth), time(row.flops, peak));
    let by_memory = memory.unwrap_or(0.0) >= arithmetic.unwrap_or(0.0);
    row.limit_ms = if by_memory { memory } else { arithmetic };
    row.bound = match (row.limit_ms, by_memory) {
        (None, _) => "",
        (_, true) => "memory",
        (_, false) => "arithmetic",
    }
    .into();
    for cell in &mut row.cells {
        cell.limit_share = row.limit_ms.zip(cell.ms).map(|(limit, ms)| limit / ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slower_of_both_limits_counts() {
        let limits = Limits {
            copy: 4000.0,
            l2: 8000.0,
            f32: 50_000.0,
            f64: 25_000.0,
            ..Limits::default()
        };
        let mut row = Row {
            class: "large".into(),
            bytes: Some(4_000_000),
            flops: Some(100_000_000),
            cells: vec![Cell {
                ms: Some(0.004),
                ..Cell::default()
            }],
            ..Row::default()
        };
        limit(&mut row, ElemType::F32, &limits);
        assert_eq!(
            (row.limit_ms, row.bound.as_str()),
            (Some(0.002), "arithmetic")
        );
        assert_eq!(row.cells[0].limit_share, Some(0.5));
        row.flops = None;
        limit(&mut row, ElemType::F32, &limits);
        assert_eq!((row.limit_ms, row.bound.as_str()), (Some(0.001), "memory"));
        row.class = "l2".into();
        limit(&mut row, ElemType::F32, &limits);
        assert_eq!(row.limit_ms, Some(0.0005));
    }

    #[test]
    fn an_unknown_limit_is_none() {
        let mut row = Row::default();
        limit(&mut row, ElemType::F32, &Limits::default());
        assert_eq!((row.limit_ms, row.bound.as_str()), (None, ""));
    }

    #[test]
    fn sharing_keeps_the_own_plan() {
        let cell = |variant: &str| Cell {
            variant: variant.into(),
            plan: variant.into(),
            ..Cell::default()
        };
        let mut cells = vec![cell("mesi"), cell("force")];
        cells[0].ms = Some(2.0);
        cells[1].same_as = Some("mesi".into());
        share(&mut cells);
        assert_eq!((cells[1].ms, cells[1].plan.as_str()), (Some(2.0), "force"));
        assert_eq!(cells[1].same_as.as_deref(), Some("mesi"));
    }

    #[test]
    fn ratios_are_taken_round_by_round() {
        // The clock halves in the second round; the ratio does not move.
        assert_eq!(ratio(&[2.0, 4.0, 2.0], &[1.0, 2.0, 1.0]), Some(2.0));
        assert_eq!(ratio(&[1.0], &[]), None);
    }
}
