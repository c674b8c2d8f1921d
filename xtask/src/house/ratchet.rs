//! `house.json`: values that must not get worse.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use super::table::Row;
use crate::project;

fn file() -> PathBuf {
    project::root().join("xtask/house.json")
}

/// Writes down what there is.
pub fn write(rows: &[Row]) -> Result<()> {
    let held = rows.iter().filter_map(|r| Some((r, r.most()?)));
    let values: Map<String, Value> = held
        .map(|(r, most)| (r.key.to_string(), most.into()))
        .collect();
    let text = serde_json::to_string_pretty(&values)? + "\n";
    std::fs::write(file(), text).with_context(|| format!("{} cannot be written", file().display()))
}

/// What was written down.
#[cfg(test)]
fn read() -> Result<Map<String, Value>> {
    let text = std::fs::read_to_string(file())
        .with_context(|| format!("{} cannot be read", file().display()))?;
    serde_json::from_str(&text).context("house.json: not an object of numbers")
}

/// One line for each value that is worse than what is written down, or that should be and is not.
#[cfg(test)]
fn worse(rows: &[Row], held: &Map<String, Value>) -> Vec<String> {
    let lines = rows.iter().filter(|r| r.most().is_some()).filter_map(|row| {
        let most = held.get(row.key).and_then(Value::as_u64);
        let most = most.and_then(|m| usize::try_from(m).ok());
        let how = format!(
            "see `cargo xtask house --list {}`; if it has to be so, `cargo xtask house --bless` and say why",
            row.key
        );
        match most {
            Some(most) if row.now <= most => None,
            Some(most) => Some(format!(
                "house: {}: {}, at most {most} by xtask/house.json: {how}",
                row.what, row.now
            )),
            None => Some(format!(
                "house: {}: {}, not in xtask/house.json: {how}",
                row.what, row.now
            )),
        }
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{measure, table::Held};
    use super::{Row, read, worse};

    #[test]
    fn nothing_got_worse() {
        let worse = worse(&measure::all().unwrap(), &read().unwrap());
        assert!(worse.is_empty(), "{}", worse.join("\n"));
    }

    #[test]
    fn more_is_worse_and_less_is_not() {
        let row = |now| Row {
            key: "circles",
            what: "import circles",
            now,
            asked: Some(0),
            held: Held::Exactly,
            details: Vec::new(),
        };
        let held = json!({ "circles": 3 });
        let held = held.as_object().unwrap();
        assert!(worse(&[row(3), row(2)], held).is_empty());
        let lines = worse(&[row(4)], held);
        assert!(lines[0].starts_with("house: import circles: 4, at most 3 "));
        assert_eq!(worse(&[row(0)], &serde_json::Map::new()).len(), 1);
    }

    #[test]
    fn what_moves_a_little_is_held_by_steps() {
        let row = Row {
            key: "lines",
            what: "lines",
            now: 43_160,
            asked: None,
            held: Held::By(500),
            details: Vec::new(),
        };
        assert_eq!(row.most(), Some(43_500));
    }
}
