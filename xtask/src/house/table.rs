//! What is measured, as rows.

use serde_json::{Value, json};

/// Whether the tests let a value grow.
#[derive(Clone, Copy)]
pub enum Held {
    /// Not at all.
    Exactly,
    /// To the next multiple of this: every change moves the number a little.
    By(usize),
    /// It may, while things get better.
    Free,
}

/// One measure.
pub struct Row {
    /// Its name on the command line and in `house.json`.
    pub key: &'static str,
    /// What it is.
    pub what: &'static str,
    /// What there is.
    pub now: usize,
    /// What there should be; `None`: nobody asked.
    pub asked: Option<usize>,
    /// What `house.json` says of it.
    pub held: Held,
    /// What was counted, a line each.
    pub details: Vec<String>,
}

impl Row {
    /// The most that the tests let pass once this was written down.
    pub fn most(&self) -> Option<usize> {
        match self.held {
            Held::Exactly => Some(self.now),
            Held::By(step) => Some(self.now.next_multiple_of(step)),
            Held::Free => None,
        }
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        json!({ "key": self.key, "what": self.what, "now": self.now, "asked": self.asked })
    }
}
