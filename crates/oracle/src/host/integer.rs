//! Integer instructions of PTX that LLVM has no operation for.

/// `prmt.b32` with its modes: 0 default, 1 f4e, 2 b4e, 3 rc8, 4 ecl, 5 ecr, 6 rc16.
pub extern "C" fn permute(a: u32, b: u32, selector: u32, mode: u32) -> u32 {
    let bytes = (u64::from(b) << 32 | u64::from(a)).to_le_bytes();
    let start = (selector & 3) as i32;
    let index = |i: i32| -> u32 {
        match mode {
            0 => selector >> (4 * i) & 0xf,
            1 => (start + i) as u32 & 7,
            2 => (start - i) as u32 & 7,
            3 => start as u32,
            4 => start.max(i) as u32,
            5 => start.min(i) as u32,
            _ => (start as u32 & 1) * 2 + (i as u32 & 1),
        }
    };
    let byte = |i: i32| {
        let (which, sign) = (index(i) & 7, mode == 0 && index(i) & 8 != 0);
        let value = bytes[which as usize];
        if sign {
            (value as i8 >> 7) as u8
        } else {
            value
        }
    };
    u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
}

/// `bfind`: position of the highest significant bit, or `u32::MAX`; with `shift`, the distance to the top.
pub extern "C" fn find_high(value: u32, signed: u32, shift: u32) -> u32 {
    let value = if signed != 0 && (value as i32) < 0 {
        !value
    } else {
        value
    };
    match (value, shift != 0) {
        (0, _) => u32::MAX,
        (v, true) => v.leading_zeros(),
        (v, false) => 31 - v.leading_zeros(),
    }
}

/// `bfe`: `len` bits from `start`, extended with the sign bit if `signed`.
pub extern "C" fn extract_bits(value: u32, start: u32, len: u32, signed: u32) -> u32 {
    let (start, len) = (start & 0xff, len & 0xff);
    let bit = |i: u32| value >> i.min(31) & 1;
    let fill = if signed == 0 || len == 0 {
        0
    } else {
        bit((start + len - 1).min(31))
    };
    (0..32).fold(0, |r, i| {
        r | if i < len && start + i < 32 {
            bit(start + i)
        } else {
            fill
        } << i
    })
}

/// `bfi`: the low `len` bits of `a` into `b` at `start`.
pub extern "C" fn insert_bits(a: u32, b: u32, start: u32, len: u32) -> u32 {
    let (start, len) = (start & 0xff, len & 0xff);
    (0..len).filter(|i| start + i < 32).fold(b, |r, i| {
        r & !(1 << (start + i)) | (a >> i.min(31) & 1) << (start + i)
    })
}

/// `lop3`: any function of three bits, by its truth table.
pub extern "C" fn logic(a: u32, b: u32, c: u32, table: u32) -> u32 {
    let pick = |n: u32, v: u32| if n != 0 { v } else { !v };
    (0..8).filter(|i| table >> i & 1 != 0).fold(0, |r, i| {
        r | (pick(i & 4, a) & pick(i & 2, b) & pick(i & 1, c))
    })
}

/// Dot product of bytes (`halves` 0) or of halves with bytes, accumulated; `signs` bit 0 for `a`, bit 1 for `b`.
pub extern "C" fn dot(a: u32, b: u32, c: u32, signs: u32) -> u32 {
    let lane = |v: u32, i: usize, signed: bool| {
        let byte = v.to_le_bytes()[i];
        if signed {
            i32::from(byte as i8)
        } else {
            i32::from(byte)
        }
    };
    (0..4).fold(c, |sum, i| {
        sum.wrapping_add((lane(a, i, signs & 1 != 0) * lane(b, i, signs & 2 != 0)) as u32)
    })
}

/// `shf` with clamped amount; `left` or right.
pub extern "C" fn funnel_clamped(low: u32, high: u32, amount: u32, left: u32) -> u32 {
    let (amount, both) = (amount.min(32), u64::from(high) << 32 | u64::from(low));
    if left != 0 {
        (both << amount >> 32) as u32
    } else {
        (both >> amount) as u32
    }
}

/// Absolute difference plus `c`.
pub extern "C" fn sad(a: u32, b: u32, c: u32, signed: u32) -> u32 {
    let difference = if signed != 0 {
        (a as i32).abs_diff(b as i32)
    } else {
        a.abs_diff(b)
    };
    difference.wrapping_add(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits() {
        assert_eq!(permute(0x3322_1100, 0x7766_5544, 0x7531, 0), 0x7755_3311);
        assert_eq!(permute(0x0000_0080, 0, 0x0008, 0) & 0xff, 0xff);
        assert_eq!(find_high(0x10, 0, 0), 4);
        assert_eq!(find_high(0x10, 0, 1), 27);
        assert_eq!(find_high(0, 0, 1), u32::MAX);
        assert_eq!(extract_bits(0xf0, 4, 4, 1), u32::MAX);
        assert_eq!(extract_bits(0xf0, 4, 4, 0), 0xf);
        assert_eq!(insert_bits(0x3, 0, 4, 2), 0x30);
        assert_eq!(logic(0xf0, 0xcc, 0xaa, 0x80) & 0xff, 0xf0 & 0xcc & 0xaa);
        assert_eq!(dot(0xff, 2, 10, 3), 8);
        assert_eq!(funnel_clamped(0x8000_0000, 1, 1, 1), 3);
        assert_eq!(sad(3, 5, 1, 0), 3);
    }
}
