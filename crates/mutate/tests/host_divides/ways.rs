//! The reciprocals that the host works out for versions that multiply, held against what they are to be, written down
//! here a second time, whole and broken; and the versions themselves, broken.

use anyhow::Result;

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::gate_edits::limit;
use mesi_mutate::host_launches::{Shape, with_room};
use mesi_mutate::relaunched::{Relaunched, drawn};

/// Corpus kernels with divisors of each kind, and words of their lists: signed of 32 bits, unsigned, those of 64 bits,
/// signed of both.
pub const KERNELS: [(&str, usize); 4] = [
    ("divide_permute", 8),
    ("divide_wrap", 8),
    ("divide_enlarge", 16),
    ("divide_signed", 8),
];

/// Ways to break the function.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("divide-one-more", |l| instead(l, "icmp ult ", "icmp ule ")),
    ("divide-limit-twice", |l| limit(l, |c| c.wrapping_mul(2))),
    ("divide-or-for-and", |l| {
        instead(l, " = and i1 ", " = or i1 ")
    }),
    ("divide-one-less", |l| instead(l, " = add ", " = or ")),
    // Where 1 is taken off, 0 would pass as a divisor, and the test's own process end.
    ("divide-nothing-taken-off", |l| {
        let is_other = !l.trim_end().ends_with(", 1");
        instead(is_other.then_some(l)?, " = sub ", " = or ")
    }),
    ("divide-shifted-otherwise", |l| {
        instead(l, " = shl ", " = lshr ")
    }),
    ("divide-signs-for-zeros", |l| {
        instead(l, " = zext ", " = sext ")
    }),
    ("divide-zeros-for-signs", |l| {
        instead(l, " = sext ", " = zext ")
    }),
    ("divide-rest-for-quotient", |l| {
        instead(l, " = udiv ", " = urem ")
    }),
    ("divide-quotient-for-rest", |l| {
        instead(l, " = urem ", " = udiv ")
    }),
    ("divide-not-stored", |l| {
        l.trim_start().starts_with("store ").then(String::new)
    }),
];

/// Ways to break the version.
pub const CODE: &[(&str, Edit)] = &[
    ("divide-half-of-product", |l| instead(l, ", 32", ", 31")),
    ("divide-other-sign", |l| {
        let sum = l.contains(", 31").then_some(l)?;
        instead(sum, " = ashr ", " = lshr ")
    }),
    ("divide-shifted-without-sign", |l| {
        let all = (!l.contains(", 31")).then_some(l)?;
        instead(all, " = ashr ", " = lshr ")
    }),
    ("divide-rest-not-taken-off", |l| {
        let rest = l.contains(" = sub i32 ").then_some(l)?;
        instead(rest, " = sub i32 ", " = or i32 ")
    }),
    ("divide-number-not-added", |l| {
        let sum = l.contains(" = add i32 ").then_some(l)?;
        instead(sum, " = add i32 ", " = or i32 ")
    }),
    ("divide-other-word", |l| instead(l, "i64 2", "i64 0")),
];

/// Numbers that divisors are drawn from: those around powers of two, and others.
const NUMBERS: [i64; 22] = [
    1,
    2,
    3,
    4,
    5,
    7,
    12,
    641,
    0,
    65_535,
    65_536,
    65_537,
    1_000_000_007,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_ffff,
    0x1_0000_0000,
    0x1_0000_0001,
    -1,
    -7,
    i64::MIN,
];
/// Launches of each kernel.
const LAUNCHES: usize = 600;

/// A divisor: its bits, whether it is signed, and what it is.
type Divisor = (u32, bool, u64);

/// Launches for which the function of `subject`, given as text, says anything else than it should; and how many it
/// makes.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    let mut values = subject.values()?;
    let count = values.len() as u32 + 1;
    let mut draw = drawn();
    let own: Shape = [[64, 2, 3], [77, 5, 1]];
    with_room(text, subject.function(), |ask| {
        let (mut wrong, mut made) = (Vec::new(), 0);
        for _ in 0..LAUNCHES {
            let all = divisors(&subject.corpus.kernel, &mut values, || {
                NUMBERS[draw(NUMBERS.len())] as u64
            });
            let lists: Option<Vec<_>> = all.iter().map(|d| expected(*d)).collect();
            let list = lists.map(|l| l.concat());
            let head = [&own[0][..], &own[1], &[count]].concat();
            let wants = list.map(|l| [&head[..], &l].concat());
            let length = head.len() + 4 * all.len();
            let found = ask(&values, own).map(|room| room[..length].to_vec());
            made += usize::from(found.is_some());
            if found != wants {
                wrong.push(format!("{all:?}: {found:?} in place of {wants:?}"));
            }
        }
        (wrong, made)
    })
}

/// Draws a kernel's numbers; its divisors in the order of its list.
fn divisors(kernel: &str, values: &mut [Vec<u8>], mut draw: impl FnMut() -> u64) -> Vec<Divisor> {
    let mut put = |parameter: usize, at: usize, bits: u32| {
        let v = draw();
        let bytes = bits as usize / 8;
        values[parameter][at..at + bytes].copy_from_slice(&v.to_le_bytes()[..bytes]);
        if bits == 32 { u64::from(v as u32) } else { v }
    };
    match kernel {
        "divide_permute" => vec![(32, true, put(2, 0, 32)), (32, true, put(4, 0, 32))],
        "divide_wrap" => vec![(32, false, put(2, 0, 32)), (32, false, put(3, 0, 32))],
        "divide_signed" => vec![(32, true, put(4, 0, 32)), (64, true, put(5, 0, 64))],
        _ => {
            let [h, w, k] = [8, 16, 24].map(|at| put(2, at, 64));
            let [width, height] = [w, h].map(|n| n.wrapping_mul(k));
            let all = [width, height, height.wrapping_mul(width), k];
            all.map(|d| (64, false, d)).to_vec()
        }
    }
}

/// A divisor's words; `None`: it is none that is served.
fn expected((bits, signed, d): Divisor) -> Option<[u32; 4]> {
    let signed_32 = signed && bits == 32;
    let most = if signed_32 {
        i32::MAX as u64
    } else {
        u64::from(u32::MAX)
    };
    if d == 0 || d > most {
        return None;
    }
    let d = u128::from(d);
    // `ceil(log2 d)`.
    let length = (0..).find(|l| 1_u128 << l >= d)?;
    let (multiplier, shift, first) = match signed {
        true => {
            let length = length.max(1);
            ((1_u128 << (bits + length - 1)) / d + 1, length - 1, 0)
        }
        false => {
            let above = ((1_u128 << length) - d) << bits;
            (above / d + 1, length.saturating_sub(1), length.min(1))
        }
    };
    let high = if bits == 64 {
        (multiplier >> 32) as u32
    } else {
        0
    };
    Some([multiplier as u32, high, shift, first])
}
