//! What was found, a line each.

use serde::Serialize;

/// How a look ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// As it should be.
    Good,
    /// Missing, and needed by some programs only.
    Note,
    /// Something will not work.
    Fault,
    /// Not looked at, because of an earlier fault.
    Skipped,
}

/// One line.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub what: &'static str,
    /// How it ended.
    pub state: State,
    /// What was found.
    pub found: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cure: Option<String>,
}

impl Finding {
    /// Something as it should be.
    pub fn good(what: &'static str, found: impl Into<String>) -> Self {
        Self {
            what,
            state: State::Good,
            found: found.into(),
            cure: None,
        }
    }

    /// A fault and its cure.
    pub fn fault(what: &'static str, found: impl Into<String>, cure: impl Into<String>) -> Self {
        Self {
            what,
            state: State::Fault,
            found: found.into(),
            cure: Some(cure.into()),
        }
    }

    /// Something that only some programs need.
    pub fn note(what: &'static str, found: impl Into<String>, cure: impl Into<String>) -> Self {
        Self {
            state: State::Note,
            ..Self::fault(what, found, cure)
        }
    }

    /// Something that cannot be looked at.
    pub fn skipped(what: &'static str, why: impl Into<String>) -> Self {
        Self {
            what,
            state: State::Skipped,
            found: why.into(),
            cure: None,
        }
    }

    /// As it is printed.
    pub fn line(&self) -> String {
        let mark = match self.state {
            State::Good => "ok   ",
            State::Note => "note ",
            State::Fault => "FAULT",
            State::Skipped => "-    ",
        };
        let cure = self
            .cure
            .as_ref()
            .map(|c| format!(" -> {c}"))
            .unwrap_or_default();
        format!("{mark} {}: {}{cure}", self.what, self.found)
    }
}
