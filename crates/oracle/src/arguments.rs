//! Launches given on the command line: `--grid 4,1 --block 256 --arg buf:f32:1000:uniform(-1,1) --arg i32:1000`.

use mesi_launch::{Arg, Buffer, Case, ElemType, Scope, parse_fill};

use crate::error::{Error, Result};

/// A launch without a corpus header.
#[derive(Debug, Clone, Default)]
pub struct Explicit {
    /// Blocks per grid: `x`, `x,y` or `x,y,z`.
    pub grid: String,
    /// Threads per block, likewise.
    pub block: String,
    /// Dynamic shared memory in bytes.
    pub shared: u32,
    /// Arguments in order: `buf:TYPE:COUNT[:FILL]` or `TYPE:VALUE`.
    pub args: Vec<String>,
}

impl Explicit {
    /// The launch as a case; buffers are called `arg0`, `arg1`, ... by their position.
    pub fn case(&self) -> Result<Case> {
        let mut case = Case {
            label: format!("grid={} block={}", self.grid, self.block),
            sizes: Vec::new(),
            grid: triple("--grid", &self.grid)?,
            block: triple("--block", &self.block)?,
            shared: self.shared,
            buffers: Vec::new(),
            args: Vec::new(),
            globals: Vec::new(),
            alias: None,
        };
        if case.block.iter().map(|b| u64::from(*b)).product::<u64>() > 1024 {
            return Err(Error::new(format!(
                "--block {}: at most 1024 threads are allowed",
                self.block
            )));
        }
        for (n, text) in self.args.iter().enumerate() {
            let arg = argument(n, text, &mut case.buffers)
                .map_err(|m| Error::new(format!("--arg {text}: {m}")))?;
            case.args.push(arg);
        }
        Ok(case)
    }
}

fn triple(option: &str, text: &str) -> Result<[u32; 3]> {
    let wrong = || {
        Error::new(format!(
            "{option} {text}: give one to three positive integers, as in 4,2,1"
        ))
    };
    let mut all = [1; 3];
    let parts: Vec<&str> = text.split([',', 'x']).collect();
    if parts.len() > 3 {
        return Err(wrong());
    }
    for (slot, part) in all.iter_mut().zip(parts) {
        *slot = part
            .trim()
            .parse()
            .ok()
            .filter(|v| *v > 0)
            .ok_or_else(wrong)?;
    }
    Ok(all)
}

fn argument(n: usize, text: &str, buffers: &mut Vec<Buffer>) -> std::result::Result<Arg, String> {
    const ALLOWED: &str = "give buf:TYPE:COUNT[:FILL], as in buf:f32:1000:uniform(-1,1), or TYPE:VALUE, as in i32:1000";
    let name = format!("arg{n}");
    if let Some(buffer) = text.strip_prefix("buf:") {
        let mut parts = buffer.splitn(3, ':');
        let ty = ElemType::parse(parts.next().unwrap_or_default())?;
        let count = parts.next().and_then(|c| c.parse().ok()).ok_or(ALLOWED)?;
        let fill = parse_fill(parts.next().unwrap_or("zero"), &Scope::new())?;
        buffers.push(Buffer {
            name: name.clone(),
            ty,
            count,
            fill,
            output: true,
        });
        return Ok(Arg::Pointer {
            name,
            buffer: buffers.len() - 1,
            offset: 0,
        });
    }
    let (ty, value) = text.split_once(':').ok_or(ALLOWED)?;
    let ty = ElemType::parse(ty)?;
    // A one-element buffer's fill knows how to write any value of any type.
    let value = parse_fill(&format!("const({value})"), &Scope::new()).map_err(|_| ALLOWED)?;
    let one = Buffer {
        name: name.clone(),
        ty,
        count: 1,
        fill: value,
        output: false,
    };
    Ok(Arg::Scalar {
        name,
        ty,
        bytes: one.contents(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_and_their_errors() {
        let explicit = |args: &[&str]| Explicit {
            grid: "4".into(),
            block: "16,16".into(),
            shared: 0,
            args: args.iter().map(|a| a.to_string()).collect(),
        };
        let case = explicit(&["buf:f32:10:iota", "i32:-3", "f32:0.5"])
            .case()
            .unwrap();
        assert_eq!((case.grid, case.block), ([4, 1, 1], [16, 16, 1]));
        assert!(
            matches!(&case.args[1], Arg::Scalar { bytes, .. } if *bytes == (-3_i32).to_le_bytes())
        );
        for bad in ["buf:f32", "f31:1", "i32", "i32:x", "buf:f32:10:foo"] {
            assert!(
                explicit(&[bad]).case().unwrap_err().0.starts_with("--arg"),
                "{bad}"
            );
        }
        assert!(
            Explicit {
                grid: "0".into(),
                ..explicit(&[])
            }
            .case()
            .is_err()
        );
    }
}
