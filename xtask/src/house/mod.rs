//! `cargo xtask house`: is the source a house that a stranger finds his way in? Counted, as far as a parser can.
//!
//! ```text
//! source ─► modules ─► imports ─► circles ─┐
//! every     what each  who needs  who needs│
//! file      defines    whom       himself  ├─► measure ─► table, ratchet
//!       functions fields numbers words ────┘   rows       xtask/house.json
//! ```
//! Each rule of counting stands at the top of the file that counts. Code for tests does not count, but in words and
//! lines. A test holds every value to what `house.json` says.

mod circles;
mod fields;
mod functions;
mod homes;
mod imports;
mod measure;
mod modules;
mod numbers;
mod paths;
mod places;
mod ratchet;
mod rooms;
mod source;
mod table;
mod words;

use anyhow::{Result, bail};
use comfy_table::{Table, presets};
use table::Row;

/// Command-line choices.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print rows as JSON
    #[arg(long)]
    json: bool,
    /// Print what one row counts: circles, plan-fields, long-functions, ...
    #[arg(long, value_name = "WHAT", conflicts_with = "json")]
    list: Option<String>,
    /// Write the values to xtask/house.json, which the tests hold the source to
    #[arg(long)]
    bless: bool,
}

/// Runs the command.
pub fn house(arguments: &Arguments) -> Result<()> {
    let rows = measure::all()?;
    if arguments.bless {
        ratchet::write(&rows)?;
    }
    if let Some(key) = &arguments.list {
        let Some(row) = rows.iter().find(|r| r.key == key) else {
            let known: Vec<&str> = rows.iter().map(|r| r.key).collect();
            bail!("--list {key}: one of {}", known.join(", "));
        };
        println!("{}: {}", row.what, row.now);
        row.details.iter().for_each(|line| println!("{line}"));
    } else if arguments.json {
        let rows = rows.iter().map(Row::json).collect();
        println!("{:#}", serde_json::Value::Array(rows));
    } else {
        println!("{}", table_of(&rows));
    }
    Ok(())
}

fn table_of(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["--list", "what", "now", "asked"]);
    for row in rows {
        let asked = row.asked.map_or("–".to_string(), |a| a.to_string());
        table.add_row([row.key, row.what, &row.now.to_string(), &asked]);
    }
    table
}
