//! Conversions between floats and integers with PTX's rounding modes and saturation, and half precision for
//! hosts whose compiler calls a function for it.

use half::f16;

use super::arith::{DOWN, FTZ, UP, ZERO};

fn round(value: f64, mode: u32) -> f64 {
    match mode & 3 {
        DOWN => value.floor(),
        UP => value.ceil(),
        ZERO => value.trunc(),
        _ => value.round_ties_even(),
    }
}

/// Float to integer: `bits` 32 or 64; rounds, then clamps to the type's range. NaN gives 0.
pub extern "C" fn to_int(value: f64, mode: u32, bits: u32, signed: u32) -> u64 {
    let value = if mode & FTZ != 0 && (value as f32).is_subnormal() {
        0.0
    } else {
        value
    };
    let whole = round(value, mode);
    match (bits, signed != 0) {
        (32, true) => whole as i32 as u32 as u64,
        (32, false) => u64::from(whole as u32),
        (_, true) => whole as i64 as u64,
        (_, false) => whole as u64,
    }
}

/// Integer to `f64` or, with `narrow`, to `f32` (returned widened), rounding as `mode` says.
pub extern "C" fn from_int(value: u64, mode: u32, signed: u32, narrow: u32) -> f64 {
    let exact = if signed != 0 {
        i128::from(value as i64)
    } else {
        i128::from(value)
    };
    let nearest = if narrow != 0 {
        f64::from(exact as f32)
    } else {
        exact as f64
    };
    let back = nearest as i128;
    let step = |up: bool| match (narrow != 0, up) {
        (true, true) => f64::from((nearest as f32).next_up()),
        (true, false) => f64::from((nearest as f32).next_down()),
        (false, true) => nearest.next_up(),
        (false, false) => nearest.next_down(),
    };
    match mode & 3 {
        DOWN if back > exact => step(false),
        UP if back < exact => step(true),
        ZERO if exact >= 0 && back > exact => step(false),
        ZERO if exact < 0 && back < exact => step(true),
        _ => nearest,
    }
}

/// `f64` to `f32` rounding as `mode` says.
pub extern "C" fn narrow(value: f64, mode: u32) -> f32 {
    let nearest = value as f32;
    let back = f64::from(nearest);
    let result = match mode & 3 {
        DOWN if back > value => nearest.next_down(),
        UP if back < value => nearest.next_up(),
        ZERO if value > 0.0 && back > value => nearest.next_down(),
        ZERO if value < 0.0 && back < value => nearest.next_up(),
        _ => nearest,
    };
    if mode & FTZ != 0 && result.is_subnormal() {
        0.0_f32.copysign(result)
    } else {
        result
    }
}

/// `__extendhfsf2`: the half is in the low bits of the float register.
pub extern "C" fn extend_half(register: f32) -> f32 {
    f16::from_bits(register.to_bits() as u16).to_f32()
}

/// `__truncsfhf2`.
pub extern "C" fn truncate_float(value: f32) -> f32 {
    f32::from_bits(u32::from(f16::from_f32(value).to_bits()))
}

/// `__truncdfhf2`.
pub extern "C" fn truncate_double(value: f64) -> f32 {
    f32::from_bits(u32::from(f16::from_f64(value).to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_and_clamping() {
        assert_eq!(to_int(2.5, 0, 32, 1), 2);
        assert_eq!(to_int(-2.5, DOWN, 32, 1) as u32 as i32, -3);
        assert_eq!(to_int(1e20, ZERO, 32, 0), u64::from(u32::MAX));
        assert_eq!(to_int(f64::NAN, 0, 64, 1), 0);
        assert_eq!(from_int(16_777_217, UP, 1, 1), 16_777_218.0);
        assert_eq!(from_int(16_777_217, ZERO, 1, 1), 16_777_216.0);
        assert!(narrow(0.1, DOWN) < narrow(0.1, UP));
    }
}
