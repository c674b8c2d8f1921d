//! How far it is: a bar where there is a terminal, lines where there is none.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// The bar, or none.
pub struct Progress {
    bar: Option<ProgressBar>,
    ended: bool,
}

impl Progress {
    /// For so many runs at most.
    pub fn new(runs: u32) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(1);
            let colours = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
            let template = match colours {
                true => "{bar:30.green} {pos}/{len} kinds of launches settled, {elapsed}: {msg}",
                false => "{bar:30} {pos}/{len} kinds of launches settled, {elapsed}: {msg}",
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_message(format!("run 1 of {runs} at most"));
            bar.enable_steady_tick(std::time::Duration::from_millis(200));
            bar
        });
        Self { bar, ended: false }
    }

    /// A run is over.
    pub fn ran(&mut self, run: u32, settled: usize, all: usize) {
        match &self.bar {
            Some(bar) => {
                bar.set_length(all as u64);
                bar.set_position(settled as u64);
                bar.set_message(format!("run {run} is over"));
            }
            None => eprintln!("mesi tune: run {run}: {settled} of {all} kinds of launches settled"),
        }
    }

    /// Anything else.
    pub fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(text.to_string()),
            None => eprintln!("mesi tune: {text}"),
        }
    }

    /// Takes the bar away.
    pub fn end(&mut self) {
        if let (Some(bar), false) = (&self.bar, self.ended) {
            bar.finish_and_clear();
        }
        self.ended = true;
    }
}
