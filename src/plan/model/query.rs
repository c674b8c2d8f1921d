//! A launch that a user asks about: grid, block and arguments, as text and as numbers.
//!
//! ```text
//! launch=257x257:16x16:_:_:_:4096:4096:4096      a product of 4096, three pointers before its sizes
//! launch=64:256:{0=4096/4=1024}:_                a struct by value: the integers at bytes 0 and 4
//! ```
//! What decides which version runs, and how long it takes, are block, grid and the integers that
//! sizes and strides are made of. What is not given, as a pointer, is `_`; several launches are joined
//! by `+`. What the compiler cannot compute from these it takes to be large, and says so.

use super::super::analyses::Analyses;
use super::launch::Launch;
use crate::affine::SymbolId;
use crate::kernel::Dim;
use crate::llvm::ir::{Module, Op, Pred, Value};
use crate::machine::tuning::launch::LARGE;
use std::fmt;

/// One launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// The kernel's arguments in order, as far as they are known.
    pub arguments: Vec<Given>,
    /// Whether nothing is in L2 yet. Else what fits there is taken to be.
    pub cold: bool,
}

/// What is known of one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// Nothing, as of a pointer.
    Unknown,
    /// Its value.
    Integer(i64),
    /// A struct passed by value: the integers at these bytes.
    Fields(Vec<(u32, i64)>),
}

/// What a message says of the form.
const FORM: &str = "expected GRID:BLOCK:ARGUMENTS such as 257x257:16x16:_:_:_:4096, where an argument is a \
    number, _ or {BYTE=NUMBER/...}, then :cold if the data is not in L2; several joined by +";
/// The word at the end of a launch whose data is not in L2.
const COLD: &str = "cold";

impl Query {
    /// Parses one launch, or several joined by `+`.
    pub fn parse(text: &str) -> Result<Vec<Query>, String> {
        let all: Option<Vec<Query>> = text.split('+').map(one).collect();
        all.ok_or_else(|| FORM.to_string())
    }
}

fn one(text: &str) -> Option<Query> {
    let mut parts = text.split(':');
    let grid = extents(parts.next()?)?;
    let block = extents(parts.next()?).filter(|b| {
        let threads: u64 = b.iter().map(|n| u64::from(*n)).product();
        threads <= u64::from(crate::machine::target::BLOCK_THREADS)
    })?;
    let mut rest: Vec<&str> = parts.collect();
    let cold = rest.last() == Some(&COLD);
    if cold {
        rest.pop();
    }
    let arguments: Option<Vec<Given>> = rest.into_iter().map(given).collect();
    Some(Query {
        grid,
        block,
        arguments: arguments?,
        cold,
    })
}

/// `64x4` as three numbers, none of them 0.
fn extents(text: &str) -> Option<[u32; 3]> {
    let mut out = [1; 3];
    let parts: Vec<&str> = text.split('x').collect();
    if parts.len() > 3 {
        return None;
    }
    for (n, part) in out.iter_mut().zip(parts) {
        *n = part.parse().ok().filter(|n| *n > 0)?;
    }
    Some(out)
}

fn given(text: &str) -> Option<Given> {
    if text == "_" {
        return Some(Given::Unknown);
    }
    if let Some(inner) = text.strip_prefix('{') {
        let field = |f: &str| {
            let (at, value) = f.split_once('=')?;
            Some((at.parse().ok()?, value.parse().ok()?))
        };
        let inner = inner.strip_suffix('}')?;
        let fields: Option<Vec<(u32, i64)>> = inner.split('/').map(field).collect();
        return fields.map(Given::Fields);
    }
    text.parse().ok().map(Given::Integer)
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |n: &[u32; 3]| n.map(|x| x.to_string()).join("x");
        write!(f, "{}:{}", text(&self.grid), text(&self.block))?;
        for a in &self.arguments {
            match a {
                Given::Unknown => f.write_str(":_")?,
                Given::Integer(n) => write!(f, ":{n}")?,
                Given::Fields(fields) => {
                    let all = fields.iter().map(|(at, n)| format!("{at}={n}"));
                    write!(f, ":{{{}}}", all.collect::<Vec<_>>().join("/"))?;
                }
            }
        }
        if self.cold {
            write!(f, ":{COLD}")?;
        }
        Ok(())
    }
}

/// The launch as numbers, and the uniform values that it leaves open: they are taken to be [`LARGE`].
pub fn launch(f: &Analyses, query: &Query) -> (Launch, Vec<SymbolId>) {
    let mut open = Vec::new();
    let values = Values {
        query,
        module: f.kernel.function.module(),
    };
    let symbols = f.affine.symbols.iter().enumerate().map(|(i, s)| {
        let v = values.of(f.kernel.value(s.value));
        if v.is_none() {
            open.push(SymbolId(i as u32));
        }
        v.map_or(LARGE, |v| v as f64)
    });
    let symbols: Vec<f64> = symbols.collect();
    let numbers = |n: [u32; 3]| n.map(f64::from);
    let launch = Launch::exact(f, numbers(query.block), numbers(query.grid), symbols);
    (launch, open)
}

/// What an integer of the kernel's entry is for a launch, sign-extended, where that is known.
pub fn value(f: &Analyses, query: &Query, v: Value) -> Option<i64> {
    let module = f.kernel.function.module();
    Values { query, module }.of(v)
}

/// Evaluates what the kernel's entry can compute (`affine::entry`), for one launch. Values are kept as
/// LLVM's constants are: sign-extended from their width.
struct Values<'a> {
    query: &'a Query,
    module: Module,
}

impl Values<'_> {
    fn of(&self, v: Value) -> Option<i64> {
        if let Some(c) = v.const_int() {
            return Some(c);
        }
        let width = v.ty().int_width()?;
        if let Some(i) = v.argument_index() {
            return self.argument(i, 0).map(|n| narrowed(n, width));
        }
        let of = |i: u32| self.of(v.operand(i));
        let from = || v.operand(0).ty().int_width();
        let wide = |i: u32| Some(unsigned(of(i)?, v.operand(i).ty().int_width()?));
        let result = match v.opcode()? {
            Op::LLVMAdd => of(0)?.wrapping_add(of(1)?),
            Op::LLVMSub => of(0)?.wrapping_sub(of(1)?),
            Op::LLVMMul => of(0)?.wrapping_mul(of(1)?),
            Op::LLVMAnd => of(0)? & of(1)?,
            Op::LLVMOr => of(0)? | of(1)?,
            Op::LLVMXor => of(0)? ^ of(1)?,
            Op::LLVMShl => of(0)?.checked_shl(of(1)?.try_into().ok()?)?,
            Op::LLVMAShr => of(0)?.checked_shr(of(1)?.try_into().ok()?)?,
            Op::LLVMLShr => wide(0)?.checked_shr(of(1)?.try_into().ok()?)? as i64,
            Op::LLVMSDiv => of(0)?.checked_div(of(1)?)?,
            Op::LLVMSRem => of(0)?.checked_rem(of(1)?)?,
            Op::LLVMUDiv => wide(0)?.checked_div(wide(1)?)? as i64,
            Op::LLVMURem => wide(0)?.checked_rem(wide(1)?)? as i64,
            Op::LLVMSExt | Op::LLVMTrunc | Op::LLVMFreeze => of(0)?,
            Op::LLVMZExt => unsigned(of(0)?, from()?) as i64,
            Op::LLVMSelect if of(0)? != 0 => of(1)?,
            Op::LLVMSelect => of(2)?,
            Op::LLVMICmp => -i64::from(self.compare(v)?),
            Op::LLVMLoad => {
                let (root, offset) = v.operand(0).parameter_offset(self.module)?;
                self.argument(root.argument_index()?, offset.try_into().ok()?)?
            }
            Op::LLVMCall => self.call(v)?,
            _ => return None,
        };
        Some(narrowed(result, width))
    }

    /// The integer argument `i`, or the field at byte `at` of the struct that it is.
    fn argument(&self, i: u32, at: u32) -> Option<i64> {
        match self.query.arguments.get(i as usize)? {
            Given::Integer(n) if at == 0 => Some(*n),
            Given::Fields(fields) => fields.iter().find(|(o, _)| *o == at).map(|(_, n)| *n),
            _ => None,
        }
    }

    /// Launch registers, the block's as in the middle of the grid; extrema.
    fn call(&self, v: Value) -> Option<i64> {
        let name = v.callee_name();
        let register = |what: &str, all: [u32; 3]| {
            let is = |d: &Dim| name.ends_with(&format!("sreg.{what}.{}", d.letter()));
            let d = Dim::ALL.into_iter().find(is)?;
            Some(i64::from(all[d.index()]))
        };
        let launch = register("ntid", self.query.block)
            .or_else(|| register("nctaid", self.query.grid))
            .or_else(|| register("ctaid", self.query.grid).map(|n| n / 2));
        if launch.is_some() {
            return launch;
        }
        let of = |i: u32| self.of(v.operand(i));
        let wide = |i: u32| Some(unsigned(of(i)?, v.ty().int_width()?));
        match name.strip_prefix("llvm.")?.get(..4)? {
            "smin" => Some(of(0)?.min(of(1)?)),
            "smax" => Some(of(0)?.max(of(1)?)),
            "umin" => Some(wide(0)?.min(wide(1)?) as i64),
            "umax" => Some(wide(0)?.max(wide(1)?) as i64),
            "abs." => of(0).map(i64::wrapping_abs),
            _ => None,
        }
    }

    fn compare(&self, v: Value) -> Option<bool> {
        let width = v.operand(0).ty().int_width()?;
        let (a, b) = (self.of(v.operand(0))?, self.of(v.operand(1))?);
        let (x, y) = (unsigned(a, width), unsigned(b, width));
        Some(match v.predicate() {
            Pred::LLVMIntEQ => a == b,
            Pred::LLVMIntNE => a != b,
            Pred::LLVMIntSGT => a > b,
            Pred::LLVMIntSGE => a >= b,
            Pred::LLVMIntSLT => a < b,
            Pred::LLVMIntSLE => a <= b,
            Pred::LLVMIntUGT => x > y,
            Pred::LLVMIntUGE => x >= y,
            Pred::LLVMIntULT => x < y,
            Pred::LLVMIntULE => x <= y,
        })
    }
}

/// The value of the lowest `width` bits, signed.
fn narrowed(n: i64, width: u32) -> i64 {
    let shift = 64 - width.clamp(1, 64);
    n << shift >> shift
}

/// The same bits, not negative.
fn unsigned(n: i64, width: u32) -> u64 {
    let shift = 64 - width.clamp(1, 64);
    (n as u64) << shift >> shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_are_read_and_written() {
        for text in [
            "257x257x1:16x16x1:_:_:_:4096:4096:-1",
            "64x1x1:256x1x1:{0=4096/4=1024}:_",
            "1x1x1:1x1x1",
            "1x1x1:32x1x1:_:cold",
        ] {
            let query = Query::parse(text).expect(text);
            assert_eq!(query.len(), 1);
            assert_eq!(query[0].to_string(), text);
        }
        let two = Query::parse("64:256:_:7+2x3:16x16").expect("two launches");
        assert_eq!(two[0].arguments, [Given::Unknown, Given::Integer(7)]);
        assert_eq!((two[1].grid, two[1].block), ([2, 3, 1], [16, 16, 1]));
    }

    #[test]
    fn what_is_no_launch_gets_the_form() {
        for text in [
            "",
            "64",
            "64:0",
            "64:2048",
            "64:256:n",
            "64:256:{0}",
            "64:256:{0=1",
            "1x1x1x1:1",
            "64:256+",
            "64:256:cold:_",
        ] {
            let why = Query::parse(text).expect_err(text);
            assert!(why.starts_with("expected GRID:BLOCK:ARGUMENTS"), "{why}");
        }
    }

    #[test]
    fn bits_are_read_both_ways() {
        assert_eq!(narrowed(0xffff_ffff, 32), -1);
        assert_eq!(unsigned(-1, 32), 0xffff_ffff);
        assert_eq!((narrowed(1, 1), unsigned(-1, 1)), (-1, 1));
        assert_eq!(unsigned(-1, 64), u64::MAX);
    }
}
