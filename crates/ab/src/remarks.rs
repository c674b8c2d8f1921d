//! Reads the plug-in's remarks from what clang printed.
//!
//! The printed form is taken, not the optimization record: a record is one file for all
//! architectures and sources of a command, and they overwrite one another's.

use serde::{Deserialize, Serialize};

/// One array's verdict, or a kernel's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// The kernel, without parameters and template arguments.
    pub kernel: String,
    /// The array; `None` where the kernel as a whole is meant.
    pub array: Option<String>,
    /// The reason's name if it was not staged.
    pub missed: Option<String>,
    /// The whole message.
    pub text: String,
}

/// All verdicts in the order printed, each once: several architectures say the same.
pub fn parse(printed: &str) -> Vec<Remark> {
    let mut remarks: Vec<Remark> = Vec::new();
    for line in printed.lines() {
        if let Some(remark) = line.split_once("remark: ").and_then(|(_, text)| one(text))
            && !remarks.contains(&remark)
        {
            remarks.push(remark);
        }
    }
    remarks
}

fn one(text: &str) -> Option<Remark> {
    let text = text
        .strip_suffix(" [-Rpass=mesi]")
        .or_else(|| text.strip_suffix(" [-Rpass-missed=mesi]"))?;
    let (staged, rest) = match text.strip_prefix("not staged: ") {
        Some(rest) => (false, rest),
        None => (true, text.strip_prefix("staged ")?),
    };
    let (array, rest) = match rest.strip_prefix("kernel ") {
        Some(rest) => (None, rest),
        None => {
            let (array, rest) = rest.strip_prefix('\'')?.split_once("' in ")?;
            (Some(array.to_string()), rest)
        }
    };
    let (kernel, why) = rest.split_once(": ")?;
    let reason = || {
        let (_, name) = why.strip_suffix(')')?.rsplit_once('(')?;
        Some(name.to_string())
    };
    Some(Remark {
        kernel: kernel.to_string(),
        array,
        missed: if staged {
            None
        } else {
            Some(reason().unwrap_or_else(|| "?".into()))
        },
        text: text.to_string(),
    })
}

/// `staged arg0, arg1; arg2 OnlyStored`, for one kernel; empty if nothing was said of it.
pub fn summary<'r>(remarks: impl Iterator<Item = &'r Remark>) -> String {
    let mut staged = Vec::new();
    let mut missed = Vec::new();
    for remark in remarks {
        let array = remark.array.as_deref().unwrap_or("kernel");
        match &remark.missed {
            None => push_once(&mut staged, array.to_string()),
            Some(why) => push_once(&mut missed, format!("{array} {why}")),
        }
    }
    let mut parts = Vec::new();
    if !staged.is_empty() {
        parts.push(format!("staged {}", staged.join(", ")));
    }
    parts.extend(missed);
    parts.join("; ")
}

fn push_once(list: &mut Vec<String>, item: String) {
    if !list.contains(&item) {
        list.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "\
warning: something else
a.cu:2:1: remark: not staged: 'arg0' in ns::two: no sure gain (NotProfitable) [-Rpass-missed=mesi]
    2 | __global__
a.cu:1:8: remark: staged 'arg0' in mm: 8704 bytes of shared memory in the kernel, 4 barriers [-Rpass=mesi]
a.cu:1:8: remark: staged 'arg0' in mm: 8704 bytes of shared memory in the kernel, 4 barriers [-Rpass=mesi]
a.cu:1:9: remark: not staged: 'arg2' in mm: it is only written (OnlyStored) [-Rpass-missed=mesi]
remark: <unknown>:0:0: remark: not staged: kernel k3: dynamic shared memory (DynamicShared) [-Rpass-missed=mesi]
a.cu:1:9: remark: loop vectorized [-Rpass=loop-vectorize]
";

    #[test]
    fn each_verdict_is_read_once() {
        let all = parse(PRINTED);
        assert_eq!(
            all.len(),
            3 + usize::from(all.iter().any(|r| r.kernel == "k3"))
        );
        let mm: Vec<_> = all.iter().filter(|r| r.kernel == "mm").collect();
        assert_eq!(mm.len(), 2);
        assert_eq!(summary(mm.into_iter()), "staged arg0; arg2 OnlyStored");
        let two = all.iter().filter(|r| r.kernel == "ns::two");
        assert_eq!(summary(two), "arg0 NotProfitable");
    }

    #[test]
    fn a_kernel_may_be_refused_as_a_whole() {
        let all = parse(
            "x.cu:1:1: remark: not staged: kernel k3: dynamic shared memory (DynamicShared) [-Rpass-missed=mesi]",
        );
        assert_eq!(
            (all[0].array.clone(), all[0].missed.as_deref()),
            (None, Some("DynamicShared"))
        );
        assert_eq!(summary(all.iter()), "kernel DynamicShared");
        assert_eq!(summary([].iter()), "");
    }
}
