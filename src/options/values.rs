//! What the values of knobs look like: each parser says what would have been right.

pub(super) fn switch(v: &str) -> Result<bool, String> {
    match v {
        "" | "on" | "1" | "true" => Ok(true),
        "off" | "0" | "false" => Ok(false),
        _ => Err("expected on or off".into()),
    }
}

pub(super) fn text(v: &str) -> Result<String, String> {
    if v.is_empty() {
        Err("expected a name".into())
    } else {
        Ok(v.into())
    }
}

pub(super) fn number(v: &str, least: u32, most: u32) -> Result<u32, String> {
    v.parse::<u32>()
        .ok()
        .filter(|n| (least..=most).contains(n))
        .ok_or_else(|| format!("expected a whole number from {least} to {most}"))
}

/// Whether versions are kernels of their own.
pub(super) fn form(v: &str) -> Result<bool, String> {
    match v {
        "own" => Ok(true),
        "inside" => Ok(false),
        _ => Err("expected own or inside".into()),
    }
}

/// Parses `16,16,1`, `16x16x1`, `16x16` or `256`. The `x` is there because a comma ends a pass in
/// a `-passes=` pipeline. The limits are CUDA's own for a block.
pub fn block_shape(v: &str) -> Result<[u32; 3], String> {
    let wrong = || {
        "expected a block shape such as 16x16x1: x and y up to 1024, z up to 64, 1024 threads in all".to_string()
    };
    let mut shape = [1u32; 3];
    let parts: Vec<&str> = v.split(['x', ',']).map(str::trim).collect();
    if parts.len() > 3 {
        return Err(wrong());
    }
    for (extent, part) in shape.iter_mut().zip(&parts) {
        *extent = part
            .parse()
            .ok()
            .filter(|n| (1..=1024).contains(n))
            .ok_or_else(wrong)?;
    }
    if shape[2] > 64 || shape.iter().product::<u32>() > 1024 {
        return Err(wrong());
    }
    Ok(shape)
}

/// Parses iterations a round.
pub(super) fn round_length(v: &str) -> Result<u32, String> {
    number(v, 1, 16)
        .ok()
        .filter(|n| n.is_power_of_two())
        .ok_or_else(|| "expected 1, 2, 4, 8 or 16".into())
}

/// Parses `4x4`, `8` or `off`.
pub(super) fn merge_factors(v: &str) -> Result<[u32; 3], String> {
    let wrong = || {
        "expected off, or factors such as 4x4: powers of two up to 16, 64 lanes at most".to_string()
    };
    if v == "off" {
        return Ok([1; 3]);
    }
    let mut factors = [1u32; 3];
    let parts: Vec<&str> = v.split('x').collect();
    if parts.len() > 3 {
        return Err(wrong());
    }
    for (factor, part) in factors.iter_mut().zip(parts) {
        *factor = part
            .parse()
            .ok()
            .filter(|n: &u32| n.is_power_of_two() && *n <= 16)
            .ok_or_else(wrong)?;
    }
    if factors.iter().product::<u32>() > 64 {
        return Err(wrong());
    }
    Ok(factors)
}
