//! Which architectures code is made for: nvcc's three ways of saying it, as one list.

use anyhow::{Result, bail};

use super::words::split_list;

/// What to make for one architecture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// `80`, `90a`.
    pub number: String,
    /// Machine code.
    pub machine: bool,
    /// PTX, too.
    pub ptx: bool,
}

/// What the command line says about architectures.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// `-arch`.
    pub arch: Option<String>,
    /// `-code`.
    pub code: Vec<String>,
    /// Each `-gencode`.
    pub gencode: Vec<String>,
}

/// All that CUDA 13.0 makes code for; older ones are added by the toolkit's version.
const ALL: &[&str] = &[
    "75", "80", "86", "87", "88", "89", "90", "100", "103", "110", "120", "121",
];
const OLDER: &[&str] = &["50", "52", "53", "60", "61", "62", "70", "72"];

/// The architectures that a toolkit of this major version knows, without those of letters.
pub fn all(cuda_major: u32) -> Vec<&'static str> {
    if cuda_major >= 13 {
        return ALL.to_vec();
    }
    // CUDA 12 has those before 75; which of the newest, hangs on the minor version.
    let early = OLDER
        .iter()
        .chain(ALL.iter().filter(|a| a.len() == 2 && **a != "88"));
    early.copied().collect()
}

/// nvcc's default.
pub fn default(cuda_major: u32) -> &'static str {
    if cuda_major >= 13 { "75" } else { "52" }
}

impl Asked {
    /// The list; `native` asks which GPUs are in this machine.
    pub fn targets(
        &self,
        cuda_major: u32,
        native: impl Fn() -> Vec<String>,
    ) -> Result<Vec<Target>> {
        let mut targets = Vec::new();
        for specification in &self.gencode {
            gencode(specification, &mut targets)?;
        }
        match self.arch.as_deref() {
            None if !self.code.is_empty() => bail!("-code needs -arch beside it"),
            None if targets.is_empty() => both(default(cuda_major), &mut targets),
            None => {}
            Some("all") => many(&all(cuda_major), &mut targets),
            Some("all-major") => many(&majors(&all(cuda_major)), &mut targets),
            Some("native") => {
                for number in native() {
                    add(&number, true, false, &mut targets);
                }
            }
            Some(arch) if self.code.is_empty() => {
                let (virtually, number) = split(arch)?;
                if virtually {
                    add(number, false, true, &mut targets);
                } else {
                    both(number, &mut targets);
                }
            }
            Some(arch) => {
                split(arch)?;
                codes(&self.code, &mut targets)?;
            }
        }
        check(&targets, cuda_major)?;
        Ok(targets)
    }
}

fn gencode(specification: &str, targets: &mut Vec<Target>) -> Result<()> {
    let wrong = || {
        anyhow::anyhow!(
            "-gencode {specification}: write arch=compute_80,code=sm_80 or code=[sm_80,compute_80]"
        )
    };
    let (arch, code) = specification.split_once(",code=").ok_or_else(wrong)?;
    split(arch.strip_prefix("arch=").ok_or_else(wrong)?)?;
    let code = code.trim_matches(['"', '\'']);
    let code = code
        .strip_prefix('[')
        .and_then(|c| c.strip_suffix(']'))
        .unwrap_or(code);
    codes(&split_list(code), targets)
}

fn codes(codes: &[String], targets: &mut Vec<Target>) -> Result<()> {
    for code in codes {
        let (virtually, number) = split(code)?;
        add(number, !virtually, virtually, targets);
    }
    Ok(())
}

/// `sm_80` is (false, `80`), `compute_80` (true, `80`).
fn split(name: &str) -> Result<(bool, &str)> {
    if name.starts_with("lto_") {
        bail!(
            "architecture {name} is not supported: link-time optimisation of device code leaves no place for the plug-in"
        );
    }
    let (virtually, number) = match (name.strip_prefix("sm_"), name.strip_prefix("compute_")) {
        (Some(number), _) => (false, number),
        (_, Some(number)) => (true, number),
        _ => bail!("architecture {name} is not known: write sm_80 or compute_80"),
    };
    let digits = number.trim_end_matches(['a', 'f']);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        bail!("architecture {name} is not known: write sm_80 or compute_80");
    }
    Ok((virtually, number))
}

fn both(number: &str, targets: &mut Vec<Target>) {
    add(number, true, true, targets);
}

fn many(numbers: &[&str], targets: &mut Vec<Target>) {
    for number in numbers {
        add(number, true, false, targets);
    }
    if let Some(last) = numbers.last() {
        add(last, false, true, targets);
    }
}

fn majors(all: &[&'static str]) -> Vec<&'static str> {
    let first = all.first().copied();
    let tens = all.iter().copied().filter(|a| a.ends_with('0'));
    let mut majors: Vec<&str> = first.into_iter().chain(tens).collect();
    majors.dedup();
    majors
}

fn add(number: &str, machine: bool, ptx: bool, targets: &mut Vec<Target>) {
    if let Some(same) = targets.iter_mut().find(|t| t.number == number) {
        same.machine |= machine;
        same.ptx |= ptx;
        return;
    }
    targets.push(Target {
        number: number.to_string(),
        machine,
        ptx,
    });
}

/// What the toolkit's assembler would refuse a minute later.
fn check(targets: &[Target], cuda_major: u32) -> Result<()> {
    for target in targets {
        let digits: u32 = target.number.trim_end_matches(['a', 'f']).parse()?;
        let least: u32 = if cuda_major >= 13 { 75 } else { 50 };
        if digits < least {
            bail!(
                "architecture sm_{} is too old for CUDA {cuda_major}: take sm_{least} or later, or set CUDA_PATH to an older toolkit",
                target.number
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(arch: Option<&str>, code: &[&str], gencode: &[&str]) -> Result<String> {
        let own = |l: &[&str]| l.iter().map(ToString::to_string).collect();
        let asked = Asked {
            arch: arch.map(Into::into),
            code: own(code),
            gencode: own(gencode),
        };
        let targets = asked.targets(13, || vec!["90".into()])?;
        let shown = targets.iter().map(|t| {
            let what = match (t.machine, t.ptx) {
                (true, true) => "+",
                (false, true) => "p",
                _ => "",
            };
            format!("{}{what}", t.number)
        });
        Ok(shown.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn each_way_of_saying_it() {
        let is = |a, c: &[&str], g: &[&str], want| assert_eq!(shown(a, c, g).unwrap(), want);
        is(None, &[], &[], "75+");
        is(Some("sm_90a"), &[], &[], "90a+");
        is(Some("compute_80"), &[], &[], "80p");
        is(Some("compute_80"), &["sm_80", "sm_86"], &[], "80 86");
        is(Some("native"), &[], &[], "90");
        is(
            None,
            &[],
            &[
                "arch=compute_80,code=sm_80",
                "arch=compute_90,code=[sm_90,compute_90]",
            ],
            "80 90+",
        );
        is(Some("all-major"), &[], &[], "75 80 90 100 110 120+");
        assert!(shown(Some("all"), &[], &[]).unwrap().ends_with("120 121+"));
    }

    #[test]
    fn what_is_wrong_is_one_line() {
        for (arch, code, gencode, want) in [
            (Some("sm_35"), "", "", "sm_35 is too old for CUDA 13"),
            (Some("80"), "", "", "write sm_80"),
            (None, "sm_80", "", "-code needs -arch"),
            (None, "", "compute_80", "write arch="),
            (Some("lto_80"), "", "", "not supported"),
        ] {
            let list = |w: &'static str| if w.is_empty() { vec![] } else { vec![w] };
            let line = format!(
                "{:#}",
                shown(arch, &list(code), &list(gencode)).unwrap_err()
            );
            assert!(line.contains(want), "{line}");
        }
    }
}
