//! Fills: text such as `uniform(-1,1)` to `Fill`, and `Fill` to bytes.
//!
//! The generator is SplitMix64 seeded by the buffer's name. It is written out here because the bytes
//! must never change with a dependency's version: goldens and recorded GPU results depend on them.

use crate::case::{Buffer, ElemType, Fill};
use crate::expr::{Expr, Scope};

const ALLOWED: &str = "uniform(a,b), iota, zero, const(v) or index(m)";

/// Parses a fill; numbers may be literals or expressions over `scope`.
pub fn parse_fill(text: &str, scope: &Scope) -> Result<Fill, String> {
    let text = text.trim();
    let unknown = || format!("unknown fill `{text}`, allowed are {ALLOWED}");
    let (name, args) = match text.split_once('(') {
        None => (text, None),
        Some((name, rest)) => (
            name.trim(),
            Some(rest.strip_suffix(')').ok_or_else(unknown)?),
        ),
    };
    match (name, args) {
        ("iota", None) => Ok(Fill::Iota),
        ("zero", None) => Ok(Fill::Zero),
        ("uniform", Some(args)) => {
            let (a, b) = args.split_once(',').ok_or_else(unknown)?;
            let (a, b) = (number(a, scope)?, number(b, scope)?);
            if a < b {
                Ok(Fill::Uniform(a, b))
            } else {
                Err(format!(
                    "`{text}` is an empty range, uniform(a,b) needs a < b"
                ))
            }
        }
        ("const", Some(v)) => Ok(Fill::Const(number(v, scope)?)),
        ("index", Some(m)) => Ok(Fill::Index(Expr::parse(m)?.eval(scope)?.max(1))),
        _ => Err(unknown()),
    }
}

/// A float literal, or an integer expression.
pub(crate) fn number(text: &str, scope: &Scope) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(v) => Ok(v),
        Err(_) => Ok(Expr::parse(text)?.eval(scope)? as f64),
    }
}

/// Bytes of one value of type `ty`; integers wrap to the type's width.
pub(crate) fn encode(ty: ElemType, value: f64) -> Vec<u8> {
    match ty {
        ElemType::F16 => half::f16::from_f64(value).to_le_bytes().to_vec(),
        ElemType::F32 => (value as f32).to_le_bytes().to_vec(),
        ElemType::F64 => value.to_le_bytes().to_vec(),
        _ => encode_int(ty, value as i64),
    }
}

/// Low `ty.size()` bytes of an integer.
pub(crate) fn encode_int(ty: ElemType, value: i64) -> Vec<u8> {
    value.to_le_bytes()[..ty.size() as usize].to_vec()
}

impl Buffer {
    /// Contents before the launch; the same on every machine, a different stream per buffer name.
    pub fn contents(&self) -> Vec<u8> {
        let mut random = SplitMix::named(&self.name);
        let mut bytes = Vec::with_capacity(self.bytes() as usize);
        for i in 0..self.count {
            let value = match self.fill {
                Fill::Zero => encode_int(self.ty, 0),
                Fill::Const(v) => encode(self.ty, v),
                Fill::Iota if self.ty.is_float() => encode(self.ty, i as f64),
                Fill::Iota => encode_int(self.ty, i as i64),
                Fill::Index(m) => match (random.next() % m as u64) as i64 {
                    v if self.ty.is_float() => encode(self.ty, v as f64),
                    v => encode_int(self.ty, v),
                },
                Fill::Uniform(a, b) if self.ty.is_float() => {
                    encode(self.ty, a + random.unit() * (b - a))
                }
                Fill::Uniform(a, b) => {
                    encode_int(self.ty, (a + random.unit() * (b - a)).floor() as i64)
                }
            };
            bytes.extend_from_slice(&value);
        }
        bytes
    }
}

/// Where the stream of a buffer called `name` starts. Element i is the (i+1)-th number of SplitMix64
/// from there, so a GPU can fill a buffer in parallel with the very same bytes.
pub fn seed(name: &str) -> u64 {
    SplitMix::named(name).0
}

/// Random numbers.
pub(crate) struct SplitMix(u64);

impl SplitMix {
    /// Seeds from a name by FNV-1a.
    pub(crate) fn named(name: &str) -> SplitMix {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        });
        SplitMix(hash)
    }

    /// Goes on from elsewhere.
    pub(crate) fn mix(&mut self, seed: u64) {
        self.0 ^= SplitMix(seed).next();
    }

    /// Less than `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `[0, 1)`, 53 bits.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(name: &str, ty: ElemType, fill: Fill) -> Buffer {
        Buffer {
            name: name.into(),
            ty,
            count: 100,
            fill,
            output: false,
        }
    }

    #[test]
    fn fills_are_deterministic_and_differ_by_name() {
        let a = buffer("a", ElemType::F32, Fill::Uniform(-1.0, 1.0));
        let b = buffer("b", ElemType::F32, Fill::Uniform(-1.0, 1.0));
        assert_eq!(a.contents(), a.contents());
        assert_ne!(a.contents(), b.contents());
        for v in a.contents().chunks(4) {
            let v = f32::from_le_bytes(v.try_into().unwrap());
            assert!((-1.0..1.0).contains(&v));
        }
    }

    #[test]
    fn index_stays_in_range_and_iota_counts() {
        let index = buffer("i", ElemType::I32, Fill::Index(7)).contents();
        assert!(
            index
                .chunks(4)
                .all(|v| (0..7).contains(&i32::from_le_bytes(v.try_into().unwrap())))
        );
        let iota = buffer("i", ElemType::U16, Fill::Iota).contents();
        assert_eq!(iota[198..], 99_u16.to_le_bytes());
        assert_eq!(
            buffer("h", ElemType::F16, Fill::Const(1.0)).contents()[..2],
            [0x00, 0x3c]
        );
    }

    #[test]
    fn parse_errors_list_what_is_allowed() {
        let scope = Scope::from([("n".into(), 8)]);
        assert_eq!(
            parse_fill("uniform(-1, n)", &scope),
            Ok(Fill::Uniform(-1.0, 8.0))
        );
        assert_eq!(parse_fill("index(n*2)", &scope), Ok(Fill::Index(16)));
        for bad in [
            "random",
            "uniform(1)",
            "zero(1)",
            "const(1",
            "uniform(1,1)",
            "index(m)",
        ] {
            assert!(parse_fill(bad, &scope).is_err(), "{bad}");
        }
        assert!(
            parse_fill("random", &scope)
                .unwrap_err()
                .contains("const(v)")
        );
    }
}
