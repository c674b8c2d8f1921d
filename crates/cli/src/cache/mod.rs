//! `mesi cache`: the choices that programs made and keep on disk.

mod entry;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::{names, tools};
use entry::{Content, Entry, Found};

/// The command's options.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 done, 1 nothing fits the name or a file cannot be deleted or written, 2 wrong usage or no folder.\nFiles that are torn count as absent for programs; they are named on stderr and change no status."
)]
pub struct Arguments {
    #[command(subcommand)]
    task: Task,
    /// The cache's folder; without it MESI_CACHE_DIR, else mesi/1 in XDG_CACHE_HOME or in ~/.cache
    #[arg(long, value_name = "DIR", global = true)]
    dir: Option<PathBuf>,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// One line for each choice
    List {
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
    /// All that is known of a kernel's choices, or of one file
    Show {
        /// A kernel's name, mangled or as written, or how a file's name begins
        name: String,
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
    /// Delete choices; programs measure again
    Clear {
        /// Only those of this kernel, or of files whose names begin so
        name: Option<String>,
    },
    /// Copy the choices into a new folder that no later run changes
    Freeze {
        /// The folder; it must not be there, or be empty
        folder: PathBuf,
    },
}

/// Does what is asked for.
pub fn main(arguments: &Arguments) -> Result<u8> {
    let folder = match &arguments.dir {
        Some(folder) => folder.clone(),
        None => usual()?,
    };
    let found = entry::all(&folder)?;
    match &arguments.task {
        Task::List { json } => list(&folder, &found, *json),
        Task::Show { name, json } => return show(&folder, &found, name, *json),
        Task::Clear { name } => return clear(&folder, &found, name.as_deref()),
        Task::Freeze { folder: to } => return freeze(&folder, &found, to),
    }
    Ok(0)
}

/// Where programs keep their choices: the rule of `rt/rt_env.h`.
fn usual() -> Result<PathBuf> {
    if let Some(own) = tools::set("MESI_CACHE_DIR") {
        return Ok(own.into());
    }
    let shared = tools::set("XDG_CACHE_HOME").filter(|x| x.starts_with('/'));
    let base = shared
        .map(PathBuf::from)
        .or_else(|| tools::set("HOME").map(|h| PathBuf::from(h).join(".cache")));
    base.map(|b| b.join("mesi/1"))
        .context("neither MESI_CACHE_DIR nor HOME is set: give --dir the cache's folder")
}

/// Says which files programs will not use.
fn warn(found: &[Found]) {
    for file in found {
        let why = match file.content {
            Content::Whole(_) | Content::Tuned | Content::Known => continue,
            Content::Torn(why) => why,
            Content::Left => "trials that are not over, or a program was stopped while it wrote it",
        };
        eprintln!(
            "mesi cache: warning: {} counts as absent: {why}; mesi cache clear {} deletes it",
            file.path.display(),
            file.name()
        );
    }
}

fn list(folder: &Path, found: &[Found], as_json: bool) {
    if as_json {
        println!("{}", document(folder, found));
        return;
    }
    warn(found);
    let whole: Vec<&Found> = found.iter().filter(|f| f.entry().is_some()).collect();
    println!("{}: {}", folder.display(), counted(whole.len()));
    let named = |f: &&Found| f.entry().map_or(0, |e| names::short(&e.kernel).len());
    let width = whole.iter().map(named).max().unwrap_or(0).clamp(6, 40);
    for file in whole {
        let Some(entry) = file.entry() else { continue };
        println!(
            "  {:<width$}  {:<20} {:<30} {}  {}",
            names::short(&entry.kernel),
            choice(entry),
            gain(entry),
            &file.name()[..33],
            age(file)
        );
    }
}

fn counted(n: usize) -> String {
    match n {
        0 => "no choices".into(),
        1 => "1 choice".into(),
        n => format!("{n} choices"),
    }
}

fn choice(entry: &Entry) -> String {
    match entry.choice {
        0 => "the kernel as it is".into(),
        n => format!("candidate {n}"),
    }
}

fn gain(entry: &Entry) -> String {
    match entry.gain() {
        Some([gain, low, high]) => format!("x{gain:.3} ({low:.3} to {high:.3})"),
        None => "-".into(),
    }
}

/// How long ago a file was written, in one unit.
fn age(file: &Found) -> String {
    let since = file
        .written
        .and_then(|w| SystemTime::now().duration_since(w).ok());
    let seconds = since.map_or(0, |s| s.as_secs());
    match seconds {
        0..=119 => format!("{seconds} s ago"),
        120..=7199 => format!("{} min ago", seconds / 60),
        7200..=172_799 => format!("{} h ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86400),
    }
}

fn document(folder: &Path, found: &[Found]) -> Value {
    let files: Vec<Value> = found.iter().map(as_json).collect();
    json!({ "folder": folder.display().to_string(), "files": files })
}

fn as_json(file: &Found) -> Value {
    let seconds = |t: SystemTime| t.duration_since(SystemTime::UNIX_EPOCH).ok();
    let written = file.written.and_then(seconds).map(|s| s.as_secs());
    let (state, why) = match file.content {
        Content::Whole(_) => ("whole", None),
        Content::Torn(why) => ("torn", Some(why)),
        Content::Left => ("left", None),
        Content::Tuned => ("tuned", None),
        Content::Known => ("known", None),
    };
    let mut value = json!({ "file": file.name(), "state": state, "why": why, "written": written });
    if let Some(entry) = file.entry() {
        let gain = entry.gain();
        let at = |i: usize| gain.map(|g| g[i]);
        value["entry"] = json!({
            "kernel": entry.kernel, "name": names::whole(&entry.kernel), "choice": entry.choice,
            "gain": at(0), "low": at(1), "high": at(2), "pairs": entry.pairs, "driver": entry.driver,
            "hash": entry.hash, "key": entry.key,
        });
    }
    value
}

/// Whether a file is meant by a name.
fn fits(file: &Found, name: &str) -> bool {
    let of_kernel = file.entry().is_some_and(|e| {
        [
            e.kernel.clone(),
            names::short(&e.kernel),
            names::whole(&e.kernel),
        ]
        .contains(&name.to_string())
    });
    of_kernel || (name.len() >= 4 && file.name().starts_with(name))
}

fn show(folder: &Path, found: &[Found], name: &str, json: bool) -> Result<u8> {
    let says = |f: &&Found| fits(f, name) && f.content != Content::Known;
    let wanted: Vec<Found> = found.iter().filter(says).cloned().collect();
    if json {
        println!("{}", document(folder, &wanted));
        return Ok(u8::from(wanted.is_empty()));
    }
    if wanted.is_empty() {
        eprintln!(
            "mesi cache: nothing in {} belongs to {name}; mesi cache list shows what is there",
            folder.display()
        );
        return Ok(1);
    }
    warn(&wanted);
    for file in &wanted {
        let Some(entry) = file.entry() else { continue };
        println!("{}", file.path.display());
        println!("  kernel   {}", names::whole(&entry.kernel));
        println!("  symbol   {}", entry.kernel);
        println!("  runs     {}", choice(entry));
        println!("  gain     {}", gain(entry));
        println!("  decided  by {} pairs of launches", entry.pairs);
        println!(
            "  driver   of CUDA {}.{}; another one's programs check the choice anew",
            entry.driver / 1000,
            entry.driver % 1000 / 10
        );
        println!("  written  {}", age(file));
    }
    println!(
        "Candidates: 0 is the kernel as it is, then its versions, then the same in blocks of another size."
    );
    Ok(0)
}

fn clear(folder: &Path, found: &[Found], name: Option<&str>) -> Result<u8> {
    let wanted: Vec<&Found> = found
        .iter()
        .filter(|f| name.is_none_or(|n| fits(f, n)))
        .collect();
    if let (Some(name), true) = (name, wanted.is_empty()) {
        eprintln!(
            "mesi cache: nothing in {} belongs to {name}; mesi cache list shows what is there",
            folder.display()
        );
        return Ok(1);
    }
    let mut failed = 0;
    for file in &wanted {
        if let Err(error) = std::fs::remove_file(&file.path) {
            failed += 1;
            eprintln!(
                "mesi cache: error: {} cannot be deleted: {error}",
                file.path.display()
            );
        }
    }
    println!(
        "{}: {} of {} files deleted",
        folder.display(),
        wanted.len() - failed,
        wanted.len()
    );
    Ok(u8::from(failed > 0))
}

/// Whole entries go into a folder that cannot be written. `MESI_CHOICE=cache` is what makes programs leave it alone:
/// root may write anywhere.
fn freeze(folder: &Path, found: &[Found], to: &Path) -> Result<u8> {
    warn(found);
    let whole: Vec<&Found> = found.iter().filter(|f| f.entry().is_some()).collect();
    if whole.is_empty() {
        eprintln!(
            "mesi cache: {} has no choices to freeze: run the program until it has some (mesi tune -- program)",
            folder.display()
        );
        return Ok(1);
    }
    if std::fs::read_dir(to).is_ok_and(|mut there| there.next().is_some()) || to.is_file() {
        bail!("{} is there already: name a new folder", to.display());
    }
    std::fs::create_dir_all(to).with_context(|| format!("{} cannot be made", to.display()))?;
    for file in &whole {
        let copy = to.join(file.name());
        std::fs::copy(&file.path, &copy)
            .and_then(|_| mode(&copy, 0o444))
            .with_context(|| format!("{} cannot be written", copy.display()))?;
    }
    mode(to, 0o555).with_context(|| format!("{} cannot be made read-only", to.display()))?;
    let absolute = std::path::absolute(to).unwrap_or_else(|_| to.to_path_buf());
    println!(
        "{} copied. Programs use them, measure nothing and change nothing with:\n  export MESI_CHOICE=cache MESI_CACHE_DIR={}",
        counted(whole.len()),
        quoted(&absolute.display().to_string())
    );
    Ok(0)
}

fn mode(path: &Path, bits: u32) -> std::io::Result<()> {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(bits))
}

/// As a shell takes it.
fn quoted(path: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "-_./+:@".contains(c);
    match path.chars().all(safe) {
        true => path.to_string(),
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}
