//! The stages of the pipeline by name.

/// The stages of the pipeline, in order; only the gate, which can be printed as those before it, is made after the
/// check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// `kernel/`: facts.
    Kernel,
    /// `tree/`: structured control flow.
    Tree,
    /// `access/`: loads, stores, atomics.
    Accesses,
    /// `affine/`: indices and boxes.
    Affine,
    /// `plan/`: what is staged, and how.
    Plan,
    /// `choice/`: what the host asks before a launch.
    Gate,
    /// `lower/`: the new body.
    Lower,
    /// `check/`: the second look.
    Check,
}

impl Stage {
    const ALL: [Stage; 8] = [
        Stage::Kernel,
        Stage::Tree,
        Stage::Accesses,
        Stage::Affine,
        Stage::Plan,
        Stage::Gate,
        Stage::Lower,
        Stage::Check,
    ];

    /// As in `print<mesi-NAME>` and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Kernel => "kernel",
            Stage::Tree => "tree",
            Stage::Accesses => "accesses",
            Stage::Affine => "affine",
            Stage::Plan => "plan",
            Stage::Gate => "gate",
            Stage::Lower => "lower",
            Stage::Check => "check",
        }
    }

    /// The stage of this name; the error lists the first `among` stages' names as the valid ones.
    fn named(name: &str, among: usize) -> Result<Stage, String> {
        let valid = &Self::ALL[..among];
        valid
            .iter()
            .copied()
            .find(|s| s.name() == name)
            .ok_or_else(|| {
                let names: Vec<&str> = valid.iter().map(|s| s.name()).collect();
                format!("expected a stage: {}", names.join(", "))
            })
    }

    /// Any stage.
    pub fn parse(name: &str) -> Result<Stage, String> {
        Self::named(name, Self::ALL.len())
    }

    /// A stage with a result that `print<mesi-NAME>` can show.
    pub fn parse_printable(name: &str) -> Result<Stage, String> {
        Self::named(name, 6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stage_names_round_trip() {
        for s in Stage::ALL {
            assert_eq!(Stage::parse(s.name()), Ok(s));
        }
        assert_eq!(
            Stage::parse_printable("lower").unwrap_err(),
            "expected a stage: kernel, tree, accesses, affine, plan, gate"
        );
    }
}
