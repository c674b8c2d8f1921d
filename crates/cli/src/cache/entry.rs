//! Files of the run-time part's cache, as `rt/rt_cache.h` writes and checks them.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// A choice that a program settled on.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Entry {
    /// Of the file's format.
    pub schema: u32,
    /// Of the kernel's code and its versions'.
    pub hash: String,
    /// Of the kind of launch and the chip.
    pub key: String,
    /// CUDA's version in the driver, as 13000.
    pub driver: i64,
    /// 0 is the kernel as it is.
    pub choice: u32,
    /// How many pairs of launches decided.
    pub pairs: u32,
    /// The gain's logarithm, in millionths.
    gain_ppm: i64,
    low_ppm: i64,
    high_ppm: i64,
    /// The kernel's symbol, its first 300 bytes.
    pub kernel: String,
}

impl Entry {
    /// The gain with its bounds; `None` where nothing was compared.
    pub fn gain(&self) -> Option<[f64; 3]> {
        let ratio = |ppm: i64| (ppm as f64 / 1e6).exp();
        (self.pairs > 0 && self.choice > 0)
            .then(|| [self.gain_ppm, self.low_ppm, self.high_ppm].map(ratio))
    }
}

/// What a file of the folder is.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A choice.
    Whole(Entry),
    /// It has an entry's name, and the run-time part takes it for absent; why.
    Torn(&'static str),
    /// What a program left that was stopped while it wrote.
    Left,
    /// The mark of a kernel whose launches `mesi tune` settled: nothing but its name counts.
    Tuned,
    /// A mark: there is something of the kernel.
    Known,
}

/// A file of the cache.
#[derive(Debug, Clone)]
pub struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// When it was written.
    pub written: Option<SystemTime>,
    /// What is in it.
    pub content: Content,
}

impl Found {
    /// The file's name.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// The choice in it.
    pub fn entry(&self) -> Option<&Entry> {
        match &self.content {
            Content::Whole(entry) => Some(entry),
            _ => None,
        }
    }
}

/// The longest entry that the run-time part reads.
const LONGEST: usize = 2047;

/// All files of the cache, by name; other files are left out. A folder that is not there is empty.
pub fn all(folder: &Path) -> Result<Vec<Found>> {
    let listed = match std::fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            return Err(error).with_context(|| {
                format!(
                    "{} cannot be listed: give --dir another folder",
                    folder.display()
                )
            });
        }
    };
    let mut found = Vec::new();
    for item in listed.flatten() {
        let path = item.path();
        let name = item.file_name().to_string_lossy().into_owned();
        let Some(end) = after_numbers(&name) else {
            continue;
        };
        let content = match end {
            "" => content(&path, &name),
            "tuned" => Content::Tuned,
            "known" => Content::Known,
            _ => Content::Left,
        };
        let written = item.metadata().ok().and_then(|m| m.modified().ok());
        found.push(Found {
            path,
            written,
            content,
        });
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// What follows `HASH-KEY.json` in a name: nothing, or `.PID.N` in the name of a file that is being written. Or `open`, of what a
/// program left of trials that were not over; or `known`, which says that there is something of the kernel; or `tuned`, which says that
/// `mesi tune` settled launches of it.
fn after_numbers(name: &str) -> Option<&str> {
    let is_hash = |s: &str| {
        s.bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    };
    let (first, second) = (name.get(..16)?, name.get(17..33)?);
    let rest = name.get(33..)?;
    let rest = rest.strip_prefix(".json").or(rest.strip_prefix('.'))?;
    let mut kinds = ["open", "tuned", "known"].into_iter();
    let kind = kinds.find_map(|k| rest.strip_prefix(k)).unwrap_or(rest);
    let temporary = kind.is_empty()
        || kind.strip_prefix('.').is_some_and(|r| {
            r.split('.').count() == 2 && r.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        });
    (is_hash(first) && is_hash(second) && name.as_bytes()[16] == b'-' && temporary).then_some(rest)
}

fn content(path: &Path, name: &str) -> Content {
    match std::fs::read(path) {
        Err(_) => Content::Torn("it cannot be read"),
        Ok(bytes) => match parse(&bytes) {
            Err(why) => Content::Torn(why),
            Ok(entry) if name != format!("{}-{}.json", entry.hash, entry.key) => {
                Content::Torn("it is the entry of another kernel or kind of launch")
            }
            Ok(entry) => Content::Whole(entry),
        },
    }
}

/// Reads an entry, or says why it is none.
pub fn parse(bytes: &[u8]) -> std::result::Result<Entry, &'static str> {
    const SUM: &[u8] = b",\"sum\":\"";
    if bytes.len() > LONGEST {
        return Err("it is too long");
    }
    let at = bytes
        .windows(SUM.len())
        .position(|w| w == SUM)
        .ok_or("it is cut off, or no entry")?;
    let expected = format!(",\"sum\":\"{:016x}\"}}\n", checksum(&bytes[..at]));
    if bytes[at..] != *expected.as_bytes() {
        return Err("its checksum is another one");
    }
    let text = String::from_utf8_lossy(&bytes[..at]) + "}";
    let entry: Entry = serde_json::from_str(&text)
        .map_err(|_| "it is of a format that this mesi does not know")?;
    match entry.schema {
        1 => Ok(entry),
        _ => Err("it is of a format that this mesi does not know"),
    }
}

/// As the run-time part's.
pub fn checksum(text: &[u8]) -> u64 {
    text.iter().fold(text.len() as u64, |hash, byte| {
        let hash = (hash ^ u64::from(*byte)).wrapping_mul(0x9fb2_1c65_1e98_df25);
        hash ^ (hash >> 29)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_entries_and_of_files_being_written() {
        let name = "0123456789abcdef-0123456789abcdef.json";
        assert_eq!(after_numbers(name), Some(""));
        assert_eq!(after_numbers(&format!("{name}.12.0")), Some(".12.0"));
        let open = name.replace("json", "open");
        assert_eq!(after_numbers(&open), Some("open"));
        assert_eq!(after_numbers(&format!("{open}.12.0")), Some("open.12.0"));
        for mark in ["tuned", "known"] {
            assert_eq!(after_numbers(&name.replace("json", mark)), Some(mark));
        }
        for other in ["x.json", &format!("{name}.x"), &format!("a{name}"), "ä"] {
            assert_eq!(after_numbers(other), None, "{other}");
        }
    }

    #[test]
    fn a_text_with_its_checksum_is_an_entry() {
        let start = "{\"schema\":1,\"hash\":\"a\",\"key\":\"b\",\"driver\":13000,\"choice\":1,\"runner\":255,\"pairs\":9,\"gain_ppm\":356000,\"low_ppm\":300000,\"high_ppm\":400000,\"kernel\":\"k\"";
        let whole = format!(
            "{start},\"sum\":\"{:016x}\"}}\n",
            checksum(start.as_bytes())
        );
        let entry = parse(whole.as_bytes()).unwrap();
        assert!((entry.gain().unwrap()[0] - 1.4276).abs() < 1e-3);
        for n in 0..whole.len() {
            assert!(parse(&whole.as_bytes()[..n]).is_err(), "{n}");
        }
    }
}
